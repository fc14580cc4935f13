package mem

import (
	"fmt"
	"unsafe"
)

// Rows is memory seen as rows of elements, and a place in it: one side of a copy in two or three
// dimensions, or what such a Memset fills. It is CUDA's cudaPitchedPtr with its cudaPos. Distances
// are in elements, where CUDA mostly has bytes. Make one with [HostRows], [Buffer.Rows] or
// [Pitched.Rows], and move its place with At:
//
//	mem.Copy2D(p.Rows(), mem.HostRows(img, w, h), w, h)                    // all of an image
//	mem.Copy2D(mem.HostRows(tile, 16, 16), p.Rows().At(32, 48, 0), 16, 16) // a tile of it
type Rows[T any] struct {
	data           []T
	owner          *allocation // nil for memory of the program
	err            error       // why there is no memory
	stride, height int         // elements a row, and rows a slice
	x, y, z        int
}

// HostRows is memory of the program in rows of stride elements, and in slices of height rows. The
// last row may be shorter than stride. s may also be memory of this package, such as a
// [HostBuffer]'s or a kernel's view of a buffer; it is then known by its address.
func HostRows[T any](s []T, stride, height int) Rows[T] {
	return Rows[T]{data: s, owner: ownerOf(s), err: pointerFree[T](), stride: stride, height: height}
}

// Rows is b in rows of stride elements, and in slices of height rows. The last row may be shorter
// than stride.
func (b *Buffer[T]) Rows(stride, height int) Rows[T] {
	if err := b.check(); err != nil {
		return Rows[T]{err: err}
	}
	return Rows[T]{data: b.data, owner: b.owner, stride: stride, height: height}
}

// At returns the same memory with its place x elements, y rows and z slices further on.
func (r Rows[T]) At(x, y, z int) Rows[T] {
	for _, c := range [...]struct{ p, by *int }{{&r.x, &x}, {&r.y, &y}, {&r.z, &z}} {
		sum := *c.p + *c.by
		if r.err == nil && (sum < 0 || *c.by > 0 && sum < *c.p) {
			r.err = fmt.Errorf("mem: %w: place (%d,%d,%d) of rows is outside", ErrInvalidValue, x, y, z)
		}
		*c.p = sum
	}
	return r
}

// set reports whether r was made of memory, or by a call that failed.
func (r Rows[T]) set() bool { return r.data != nil || r.err != nil || r.stride != 0 || r.height != 0 }

// box cuts width x height x depth elements out of r, at its place, and returns the elements from
// the first to the last.
func (r Rows[T]) box(width, height, depth int) ([]T, error) {
	switch {
	case r.err != nil:
		return nil, r.err
	case r.owner != nil && r.owner.freed.Load():
		return nil, ErrFreed
	case r.stride < 0 || r.height < 0 || width < 0 || height < 0 || depth < 0:
		return nil, fmt.Errorf("mem: %w: %d x %d x %d elements of rows of %d, %d a slice", ErrInvalidValue,
			width, height, depth, r.stride, r.height)
	case width == 0 || height == 0 || depth == 0:
		return nil, nil
	case width > r.stride:
		return nil, fmt.Errorf("%w: %d elements of rows of %d", ErrInvalidPitch, width, r.stride)
	case r.x > r.stride-width:
		return nil, fmt.Errorf("mem: %w: %d elements from element %d of rows of %d", ErrInvalidValue, width, r.x, r.stride)
	case height > r.height || r.y > r.height-height:
		return nil, fmt.Errorf("mem: %w: %d rows from row %d of slices of %d", ErrInvalidValue, height, r.y, r.height)
	}
	// The box is within the slice if its last element is. An index that overflows is outside.
	first, ok := r.index(r.x, r.y, r.z)
	z, ok2 := plus(r.z, depth-1)
	end, ok3 := r.index(r.x+width, r.y+height-1, z)
	if !ok || !ok2 || !ok3 || end > len(r.data) {
		return nil, fmt.Errorf("mem: %w: %d x %d x %d elements from (%d,%d,%d) of rows of %d, %d a slice, end behind %d elements",
			ErrInvalidValue, width, height, depth, r.x, r.y, r.z, r.stride, r.height, len(r.data))
	}
	return r.data[first:end:end], nil
}

// index returns (z*height+y)*stride + x, or false if that is too large.
func (r Rows[T]) index(x, y, z int) (int, bool) {
	slice, ok := times(z, r.height)
	row, ok2 := plus(slice, y)
	at, ok3 := times(row, r.stride)
	i, ok4 := plus(at, x)
	return i, ok && ok2 && ok3 && ok4
}

// plus returns a+b for numbers that are not negative, or false if that is too large.
func plus(a, b int) (int, bool) { return a + b, a+b >= a }

// A boxCopy is a copy of a box that was found to be possible.
type boxCopy[T any] struct {
	dst, src             []T // from the first to the last element
	dstRow, srcRow       int // elements from row to row
	dstSlice, srcSlice   int // and from slice to slice
	width, height, depth int
	owners               [2]*allocation
}

// boxOf checks a copy of width x height x depth elements.
func boxOf[T any](dst, src Rows[T], width, height, depth int) (c boxCopy[T], err error) {
	d, err := dst.box(width, height, depth)
	if err != nil {
		return c, fmt.Errorf("destination: %w", err)
	}
	s, err := src.box(width, height, depth)
	if err != nil {
		return c, fmt.Errorf("source: %w", err)
	}
	c = boxCopy[T]{d, s, dst.stride, src.stride, dst.stride * dst.height, src.stride * src.height,
		width, height, depth, [2]*allocation{dst.owner, src.owner}}
	if c.overlaps() {
		return c, ErrOverlap
	}
	return c, nil
}

// row returns where row y of slice z begins, on both sides.
func (c *boxCopy[T]) row(y, z int) (dst, src int) {
	return z*c.dstSlice + y*c.dstRow, z*c.srcSlice + y*c.srcRow
}

// overlaps reports whether an element is on both sides. The rows of two boxes of the same memory
// may alternate; so it compares rows, in the order of their addresses.
func (c *boxCopy[T]) overlaps() bool {
	var z T
	size := unsafe.Sizeof(z)
	if len(c.dst) == 0 || size == 0 {
		return false
	}
	at := func(s []T) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }
	d0, s0 := at(c.dst), at(c.src)
	if d0 >= s0+uintptr(len(c.src))*size || s0 >= d0+uintptr(len(c.dst))*size {
		return false
	}
	width, rows := uintptr(c.width)*size, c.height*c.depth
	for i, j := 0, 0; i < rows && j < rows; {
		dst, _ := c.row(i%c.height, i/c.height)
		_, src := c.row(j%c.height, j/c.height)
		d, s := d0+uintptr(dst)*size, s0+uintptr(src)*size
		switch {
		case d >= s+width:
			j++
		case s >= d+width:
			i++
		default:
			return true
		}
	}
	return false
}

func (c *boxCopy[T]) run() error {
	for _, a := range c.owners {
		if err := a.inOrder(); err != nil {
			return err
		}
	}
	if len(c.dst) == 0 {
		return nil
	}
	defer timed("copy", len(bytesOf(c.dst[:1]))*c.width*c.height*c.depth)()
	for z := range c.depth {
		for y := range c.height {
			d, s := c.row(y, z)
			touchCopy(c.dst[d:d+c.width], c.src[s:s+c.width])
			copy(c.dst[d:d+c.width], c.src[s:s+c.width])
		}
	}
	return nil
}

// runNow is run in the turn of the devices.
func (c *boxCopy[T]) runNow() error {
	end, err := inTurn(homeOf(c.owners[0]), homeOf(c.owners[1]))
	if err != nil {
		return err
	}
	defer end()
	return c.run()
}

// reached returns an error if a copy needs memory of two devices that are no peers, or of none that
// s can use.
func (c *boxCopy[T]) reached(s *Space) error {
	d, o := c.owners[0], c.owners[1]
	switch {
	case d != nil && o != nil && !reach(d, o):
		return ErrForeign
	case s == nil:
		return nil
	case d != nil && !s.reaches(d), o != nil && !s.reaches(o):
		return ErrForeign
	}
	return nil
}
