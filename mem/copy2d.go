package mem

import "fmt"

// Copy2D copies a rectangle of width x height elements from the place of src to the place of dst,
// CUDA's cudaMemcpy2D with cudaMemcpyDefault: each side may be memory of the host or of a device.
// Two devices must have peer access.
//
// Rows that are shorter than width, from the place on, are an [ErrInvalidPitch]. A rectangle may
// reach into the padding of pitched memory, as in CUDA. A rectangle without elements copies
// nothing.
func Copy2D[T any](dst, src Rows[T], width, height int) error {
	return Copy3D(dst, src, width, height, 1)
}

// Copy2DAsync queues [Copy2D] on s, CUDA's cudaMemcpy2DAsync. What is wrong with the arguments is
// reported at once.
func Copy2DAsync[T any](s Stream, dst, src Rows[T], width, height int) error {
	return Copy3DAsync(s, dst, src, width, height, 1)
}

// Memset2D sets every byte of a rectangle of width x height elements, from the place of dst on, to
// value: CUDA's cudaMemset2D. Memory of the program that is not page-locked is an
// [ErrInvalidValue].
func Memset2D[T any](dst Rows[T], value byte, width, height int) error {
	return Memset3D(dst, value, width, height, 1)
}

// Memset2DAsync queues [Memset2D] on s, CUDA's cudaMemset2DAsync.
func Memset2DAsync[T any](s Stream, dst Rows[T], value byte, width, height int) error {
	return Memset3DAsync(s, dst, value, width, height, 1)
}

// A boxFill is a Memset of a box that was found to be possible.
type boxFill[T any] struct {
	data                 []T
	row, slice           int
	width, height, depth int
	owner                *allocation
}

func fillOf[T any](dst Rows[T], width, height, depth int) (f boxFill[T], err error) {
	d, err := dst.box(width, height, depth)
	if err != nil {
		return f, err
	}
	if dst.owner == nil && len(dst.data) > 0 {
		return f, fmt.Errorf("mem: %w: Memset of memory that is no device's", ErrInvalidValue)
	}
	return boxFill[T]{d, dst.stride, dst.stride * dst.height, width, height, depth, dst.owner}, nil
}

func (f *boxFill[T]) run(value byte) error {
	return f.each(func(row []byte) { Fill(row, value) })
}

// now runs set, which fills the box, in the turn of its device.
func (f *boxFill[T]) now(set func() error) error {
	end, err := inTurn(homeOf(f.owner), nil)
	if err != nil {
		return err
	}
	defer end()
	return set()
}

// each calls set for the bytes of each row.
func (f *boxFill[T]) each(set func(row []byte)) error {
	if err := f.owner.inOrder(); err != nil {
		return err
	}
	if len(f.data) == 0 {
		return nil
	}
	defer timed("fill", len(bytesOf(f.data[:1]))*f.width*f.height*f.depth)()
	for z := range f.depth {
		for y := range f.height {
			at := z*f.slice + y*f.row
			row := bytesOf(f.data[at : at+f.width])
			touch(row, true)
			set(row)
		}
	}
	return nil
}
