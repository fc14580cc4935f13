package mem

import "fmt"

// Copies to, from and between arrays. CUDA has a dozen functions for them (cudaMemcpy2DToArray, cudaMemcpy3D, ...);
// [CopyArray] is the general one, cudaMemcpy3D, and [CopyToArray] and [CopyFromArray] are for whole arrays.

// An Extent is the size of a box of texels, cudaExtent. A Height or Depth of 0 means 1. For layered arrays and cubemaps
// depth counts layers and faces.
type Extent struct{ Width, Height, Depth int }

func (e Extent) whole() Extent {
	if e.Height == 0 {
		e.Height = 1
	}
	if e.Depth == 0 {
		e.Depth = 1
	}
	return e
}

// An ArrayPlace is one end of a copy: where a box of texels lies. One of Array, Buffer and Host must be set.
type ArrayPlace[T any] struct {
	Array  *Array[T]
	Buffer *Buffer[T]
	Host   []T

	// The box begins at texel X of row Y of slice Z. A slice is a layer of a layered array and a face of a cubemap.
	X, Y, Z int

	// In a buffer and in host memory rows begin Pitch elements apart, and slices Rows rows; cudaPitchedPtr has the
	// pitch in bytes. 0 means that the box fills them: Pitch is X plus its width, Rows is Y plus its height.
	Pitch, Rows int
}

// An ArrayCopy says what [CopyArray] copies, as a cudaMemcpy3DParms does.
type ArrayCopy[T any] struct {
	Dst, Src ArrayPlace[T]
	Extent   Extent
}

// CopyArray copies a box of texels between arrays, buffers and host memory, of which one at least is an array: CUDA's
// cudaMemcpy3D, and with it cudaMemcpy2DToArray, cudaMemcpy2DFromArray and cudaMemcpy2DArrayToArray. A box that leaves
// its place is [ErrInvalidValue] and nothing is copied; boxes of the same array that overlap are [ErrOverlap].
func CopyArray[T any](c ArrayCopy[T]) error {
	run, _, err := c.plan()
	if err != nil {
		return err
	}
	return run()
}

// CopyArrayAsync queues [CopyArray] on s, CUDA's cudaMemcpy3DAsync. What is wrong with the arguments is reported at once.
func CopyArrayAsync[T any](s Stream, c ArrayCopy[T]) error {
	run, space, err := c.plan()
	if err != nil {
		return err
	}
	if s == nil {
		return fmt.Errorf("%w: no stream", ErrInvalidValue)
	}
	if s.Memory() != space {
		return ErrForeign
	}
	return s.Enqueue(run)
}

// CopyToArray copies src to the whole of dst: rows, then slices, without gaps. src must have as many texels as dst.
func CopyToArray[T any](dst *Array[T], src []T) error {
	c, err := wholeArray(dst, src)
	if err != nil {
		return err
	}
	return CopyArray(c)
}

// CopyFromArray copies the whole of src to dst, which must have as many texels.
func CopyFromArray[T any](dst []T, src *Array[T]) error {
	c, err := wholeArray(src, dst)
	if err != nil {
		return err
	}
	c.Dst, c.Src = c.Src, c.Dst
	return CopyArray(c)
}

// CopyToArrayAsync queues [CopyToArray] on s. src must stay unchanged until the copy is done.
func CopyToArrayAsync[T any](s Stream, dst *Array[T], src []T) error {
	c, err := wholeArray(dst, src)
	if err != nil {
		return err
	}
	return CopyArrayAsync(s, c)
}

// CopyFromArrayAsync queues [CopyFromArray] on s. dst may be used once the stream is synchronized.
func CopyFromArrayAsync[T any](s Stream, dst []T, src *Array[T]) error {
	c, err := wholeArray(src, dst)
	if err != nil {
		return err
	}
	c.Dst, c.Src = c.Src, c.Dst
	return CopyArrayAsync(s, c)
}

// wholeArray is the copy of all of host to all of a.
func wholeArray[T any](a *Array[T], host []T) (ArrayCopy[T], error) {
	if err := a.check(); err != nil {
		return ArrayCopy[T]{}, err
	}
	if n := a.w * a.h * a.d; len(host) != n {
		return ArrayCopy[T]{}, fmt.Errorf("%w: %d texels for an array of %d", ErrInvalidValue, len(host), n)
	}
	return ArrayCopy[T]{
		Dst:    ArrayPlace[T]{Array: a},
		Src:    ArrayPlace[T]{Host: host},
		Extent: Extent{a.w, a.h, a.d},
	}, nil
}

// A box is a box of texels in a slice.
type box[T any] struct {
	data        []T
	pitch, rows int // elements from row to row, rows from slice to slice
	space       *Space
}

// plan checks c and returns what carries it out, and the memory that an array of it is in. It holds on to the memory
// itself, so that freeing an array behind a queued copy does no harm.
func (c ArrayCopy[T]) plan() (run func() error, space *Space, err error) {
	e := c.Extent.whole()
	if e.Width < 0 || e.Height < 0 || e.Depth < 0 {
		return nil, nil, fmt.Errorf("%w: a box of %d by %d by %d", ErrInvalidValue, e.Width, e.Height, e.Depth)
	}
	dst, err := c.Dst.box(e)
	if err != nil {
		return nil, nil, fmt.Errorf("destination: %w", err)
	}
	src, err := c.Src.box(e)
	if err != nil {
		return nil, nil, fmt.Errorf("source: %w", err)
	}
	if c.Dst.Array == nil && c.Src.Array == nil {
		return nil, nil, fmt.Errorf("%w: neither side is an array", ErrInvalidValue)
	}
	space = dst.space
	if space == nil {
		space = src.space
	}
	if src.space != nil && src.space != space {
		return nil, nil, ErrForeign
	}
	if e.Width == 0 {
		return func() error { return nil }, space, nil
	}
	if d, s := c.Dst, c.Src; d.Array != nil && s.Array != nil && d.Array.overlaps(s.Array, d, s, e) {
		return nil, nil, ErrOverlap
	}
	d, s := c.Dst, c.Src
	return func() error {
		for z := range e.Depth {
			for y := range e.Height {
				to := ((d.Z+z)*dst.rows+d.Y+y)*dst.pitch + d.X
				from := ((s.Z+z)*src.rows+s.Y+y)*src.pitch + s.X
				copy(dst.data[to:to+e.Width], src.data[from:from+e.Width])
			}
		}
		return nil
	}, space, nil
}

// overlaps reports whether boxes of the extent e at d in a and at s in b share texels.
func (a *Array[T]) overlaps(b *Array[T], d, s ArrayPlace[T], e Extent) bool {
	apart := func(p, q, n int) bool { return p >= q+n || q >= p+n }
	// Levels of a mipmapped array are different parts of one buffer.
	return len(a.buf.data) > 0 && len(b.buf.data) > 0 && &a.buf.data[0] == &b.buf.data[0] &&
		!apart(d.X, s.X, e.Width) && !apart(d.Y, s.Y, e.Height) && !apart(d.Z, s.Z, e.Depth)
}

// box returns the memory of the place and its geometry, if a box of the extent fits there.
func (p ArrayPlace[T]) box(e Extent) (box[T], error) {
	sides := 0
	for _, set := range [...]bool{p.Array != nil, p.Buffer != nil, p.Host != nil} {
		if set {
			sides++
		}
	}
	if sides != 1 {
		return box[T]{}, fmt.Errorf("%w: %d of Array, Buffer and Host are set, want 1", ErrInvalidValue, sides)
	}
	if p.X < 0 || p.Y < 0 || p.Z < 0 {
		return box[T]{}, fmt.Errorf("%w: a box at %d, %d, %d", ErrInvalidValue, p.X, p.Y, p.Z)
	}
	// exceeds is from+n > size without overflow.
	exceeds := func(from, n, size int) bool { return from > size || n > size-from }
	if p.Array != nil {
		a := p.Array
		if err := a.check(); err != nil {
			return box[T]{}, err
		}
		if p.Pitch != 0 || p.Rows != 0 {
			return box[T]{}, fmt.Errorf("%w: the pitch of an array is its own", ErrInvalidValue)
		}
		if exceeds(p.X, e.Width, a.w) || exceeds(p.Y, e.Height, a.h) || exceeds(p.Z, e.Depth, a.d) {
			return box[T]{}, fmt.Errorf("%w: a box of %d by %d by %d at %d, %d, %d of an array of %d by %d by %d",
				ErrInvalidValue, e.Width, e.Height, e.Depth, p.X, p.Y, p.Z, a.w, a.h, a.d)
		}
		return box[T]{a.buf.data, a.w, a.h, a.buf.owner.space}, nil
	}
	b := box[T]{data: p.Host, pitch: p.Pitch, rows: p.Rows}
	if p.Buffer != nil {
		if err := p.Buffer.check(); err != nil {
			return box[T]{}, err
		}
		b.data, b.space = p.Buffer.data, p.Buffer.owner.space
	}
	if e.Width == 0 {
		return b, nil
	}
	// What has not so many elements can't hold the box; and then nothing below overflows.
	n := len(b.data)
	tooShort := fmt.Errorf("%w: %d elements for a box of %d by %d by %d at %d, %d, %d with pitch %d and %d rows",
		ErrInvalidValue, n, e.Width, e.Height, e.Depth, p.X, p.Y, p.Z, p.Pitch, p.Rows)
	if exceeds(p.X, e.Width, n) || exceeds(p.Y, e.Height, n) || exceeds(p.Z, e.Depth, n) {
		return box[T]{}, tooShort
	}
	if b.pitch == 0 {
		b.pitch = p.X + e.Width
	}
	if b.rows == 0 {
		b.rows = p.Y + e.Height
	}
	if b.pitch < p.X+e.Width || b.rows < p.Y+e.Height {
		return box[T]{}, fmt.Errorf("%w: a box of %d by %d at %d, %d does not fit into a pitch of %d and %d rows",
			ErrInvalidValue, e.Width, e.Height, p.X, p.Y, b.pitch, b.rows)
	}
	// The last element of the box is at (z*rows + y)*pitch + x.
	x, y, z := p.X+e.Width-1, p.Y+e.Height-1, p.Z+e.Depth-1
	if z > 0 && b.rows > n/z {
		return box[T]{}, tooShort
	}
	if row := int64(z)*int64(b.rows) + int64(y); row > 0 && int64(b.pitch) > int64(n)/row ||
		row*int64(b.pitch)+int64(x) >= int64(n) {
		return box[T]{}, tooShort
	}
	return b, nil
}
