package mem

import "fmt"

// Copies to, from and between arrays. CUDA has a dozen functions for them (cudaMemcpy2DToArray,
// cudaMemcpy3D, ...); [CopyArray] is the general one, cudaMemcpy3D, and [CopyToArray] and
// [CopyFromArray] are for whole arrays.

// An Extent is the size of a box of texels, cudaExtent. A Height or Depth of 0 means 1. For layered
// arrays and cubemaps depth counts layers and faces.
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

// An ArrayPlace is one end of a copy: where a box of texels lies. One of Array, Buffer, Host and
// Memory must be set.
type ArrayPlace[T any] struct {
	Array  *Array[T]
	Buffer *Buffer[T]
	Host   []T
	Memory Rows[T] // pitched memory, as [Pitched.Rows] returns it, or any other that is in rows

	// The box begins at texel X of row Y of slice Z. A slice is a layer of a layered array and a
	// face of a cubemap.
	X, Y, Z int

	// In Buffer and Host rows begin Pitch elements apart, and slices Rows rows; cudaPitchedPtr has
	// the pitch in bytes. 0 means that the box fills them: Pitch is X plus its width, Rows is Y
	// plus its height. Array and Memory have their own.
	Pitch, Rows int
}

// An ArrayCopy says what [CopyArray] copies, as a cudaMemcpy3DParms does.
type ArrayCopy[T any] struct {
	Dst, Src ArrayPlace[T]
	Extent   Extent
}

// CopyArray copies a box of texels between arrays and other memory, of which one side at least is
// an array: CUDA's cudaMemcpy3D, and with it cudaMemcpy2DToArray, cudaMemcpy2DFromArray and
// cudaMemcpy2DArrayToArray. A box that leaves its place is [ErrInvalidValue] and nothing is copied,
// one that is wider than the pitch [ErrInvalidPitch]; boxes of the same array that overlap are
// [ErrOverlap]. Two devices must have peer access.
func CopyArray[T any](c ArrayCopy[T]) error {
	b, err := c.plan()
	if err != nil {
		return err
	}
	if err := b.reached(nil); err != nil {
		return err
	}
	return b.runNow()
}

// CopyArrayAsync queues [CopyArray] on s, CUDA's cudaMemcpy3DAsync. What is wrong with the
// arguments is reported at once.
func CopyArrayAsync[T any](s Stream, c ArrayCopy[T]) error {
	b, err := c.plan()
	if err != nil {
		return err
	}
	space, err := streamSpace(s)
	if err != nil {
		return err
	}
	if err := b.reached(space); err != nil {
		return err
	}
	return s.Enqueue(b.run)
}

// CopyToArray copies src to the whole of dst: rows, then slices, without gaps. src must have as
// many texels as dst.
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
		return ArrayCopy[T]{}, fmt.Errorf("mem: %w: %d texels for an array of %d", ErrInvalidValue, len(host), n)
	}
	return ArrayCopy[T]{
		Dst:    ArrayPlace[T]{Array: a},
		Src:    ArrayPlace[T]{Host: host},
		Extent: Extent{a.w, a.h, a.d},
	}, nil
}

// plan checks c and returns it as a copy between rows. That holds on to the memory itself, so that
// freeing an array behind a queued copy does no harm.
func (c ArrayCopy[T]) plan() (b boxCopy[T], err error) {
	e := c.Extent.whole()
	if e.Width < 0 || e.Height < 0 || e.Depth < 0 {
		return b, fmt.Errorf("mem: %w: a box of %d by %d by %d", ErrInvalidValue, e.Width, e.Height, e.Depth)
	}
	dst, err := c.Dst.rows(e)
	if err != nil {
		return b, fmt.Errorf("destination: %w", err)
	}
	src, err := c.Src.rows(e)
	if err != nil {
		return b, fmt.Errorf("source: %w", err)
	}
	if c.Dst.Array == nil && c.Src.Array == nil {
		return b, fmt.Errorf("mem: %w: neither side is an array", ErrInvalidValue)
	}
	return boxOf(dst, src, e.Width, e.Height, e.Depth)
}

// rows returns the memory of the place as rows, at the place.
func (p ArrayPlace[T]) rows(e Extent) (Rows[T], error) {
	sides := 0
	for _, set := range [...]bool{p.Array != nil, p.Buffer != nil, p.Host != nil, p.Memory.set()} {
		if set {
			sides++
		}
	}
	switch {
	case sides != 1:
		return Rows[T]{}, fmt.Errorf("mem: %w: %d of Array, Buffer, Host and Memory are set, want 1", ErrInvalidValue, sides)
	case p.X < 0 || p.Y < 0 || p.Z < 0:
		return Rows[T]{}, fmt.Errorf("mem: %w: a box at %d, %d, %d", ErrInvalidValue, p.X, p.Y, p.Z)
	case (p.Array != nil || p.Memory.set()) && (p.Pitch != 0 || p.Rows != 0):
		return Rows[T]{}, fmt.Errorf("mem: %w: the pitch of an array, and of Memory, is its own", ErrInvalidValue)
	}
	r := p.Memory
	if p.Array != nil {
		a := p.Array
		if err := a.check(); err != nil {
			return Rows[T]{}, err
		}
		// exceeds is from+n > size without overflow.
		exceeds := func(from, n, size int) bool { return from > size || n > size-from }
		if exceeds(p.X, e.Width, a.w) || exceeds(p.Y, e.Height, a.h) || exceeds(p.Z, e.Depth, a.d) {
			return Rows[T]{}, fmt.Errorf("mem: %w: a box of %d by %d by %d at %d, %d, %d of an array of %d by %d by %d",
				ErrInvalidValue, e.Width, e.Height, e.Depth, p.X, p.Y, p.Z, a.w, a.h, a.d)
		}
		r = a.buf.Rows(a.w, a.h)
	} else if !p.Memory.set() {
		pitch, rows := p.Pitch, p.Rows
		if pitch == 0 {
			pitch = p.X + e.Width
		}
		if rows == 0 {
			rows = p.Y + e.Height
		}
		if pitch < 0 || rows < 0 {
			return Rows[T]{}, fmt.Errorf("mem: %w: a box of %d by %d at %d, %d in a pitch of %d and %d rows",
				ErrInvalidValue, e.Width, e.Height, p.X, p.Y, p.Pitch, p.Rows)
		}
		if p.Buffer != nil {
			r = p.Buffer.Rows(pitch, rows)
		} else {
			r = HostRows(p.Host, pitch, rows)
		}
	}
	return r.At(p.X, p.Y, p.Z), nil
}
