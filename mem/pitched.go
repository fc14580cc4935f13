package mem

import (
	"fmt"
	"math/bits"
	"unsafe"
)

// PitchAlign divides the pitch of all pitched memory, in bytes: 512, as on NVIDIA's devices.
const PitchAlign = 512

// A Pitched is an array of two or three dimensions in the memory of a device. Its rows begin at
// multiples of [PitchAlign] bytes, so that those who read neighbouring rows do so alike. What lies
// between the end of a row and the next one is padding. The zero value and nil are none.
//
// A kernel captures Data and Stride, and finds the element in column x of row y of slice z at
// data[(z*height+y)*stride+x].
//
// A pitch is a whole number of elements. For elements whose size does not divide 512 bytes it is
// the least common multiple of both, or a multiple of that: 1536 bytes for elements of 12. (CUDA's
// pitch may cut such an element in two, and programs cast each row.)
type Pitched[T any] struct {
	buffer               *Buffer[T]
	width, height, depth int
	stride               int
}

// AllocPitch allocates height rows of width elements on dev, CUDA's cudaMallocPitch. Contents and
// errors are as with [Alloc]. Both may be 0.
func AllocPitch[T any](dev Device, width, height int) (*Pitched[T], error) {
	return Alloc3D[T](dev, width, height, 1)
}

// Alloc3D allocates depth slices of height rows of width elements on dev, CUDA's cudaMalloc3D.
func Alloc3D[T any](dev Device, width, height, depth int) (*Pitched[T], error) {
	if width < 0 || height < 0 || depth < 0 {
		return nil, fmt.Errorf("mem: %w: %d x %d x %d elements", ErrInvalidValue, width, height, depth)
	}
	stride, ok := strideOf[T](width)
	rows, ok2 := times(height, depth)
	n, ok3 := times(stride, rows)
	if !ok || !ok2 || !ok3 {
		return nil, fmt.Errorf("mem: %w: %d x %d x %d elements are too many", ErrInvalidValue, width, height, depth)
	}
	b, err := Alloc[T](dev, n)
	if err != nil {
		return nil, err
	}
	size := int(unsafe.Sizeof(*new(T)))
	b.owner.observePitch(width*size, stride*size)
	return &Pitched[T]{b, width, height, depth, stride}, nil
}

// strideOf returns the number of elements from row to row, or false if there is none.
func strideOf[T any](width int) (int, bool) {
	var z T
	size := int(unsafe.Sizeof(z))
	if size == 0 {
		return width, true
	}
	// The least number of elements that is a multiple of PitchAlign bytes: they share the powers of
	// 2 that size has.
	unit := PitchAlign >> min(bits.TrailingZeros(uint(size)), bits.TrailingZeros(uint(PitchAlign)))
	return times((width+unit-1)/unit, unit)
}

// times returns a*b for numbers that are not negative, or false if that is too large.
func times(a, b int) (int, bool) {
	hi, lo := bits.Mul(uint(a), uint(b))
	return int(lo), hi == 0 && int(lo) >= 0
}

func (p *Pitched[T]) inner() *Buffer[T] {
	if p == nil {
		return nil
	}
	return p.buffer
}

// Data returns all elements, padding included: Stride from row to row, Stride*Height from slice to
// slice. It is nil once the memory is freed.
func (p *Pitched[T]) Data() []T { return p.inner().Data() }

// Row returns row y of slice z without its padding, or nil if there is no such row.
func (p *Pitched[T]) Row(y, z int) []T {
	data := p.Data()
	if data == nil || y < 0 || y >= p.height || z < 0 || z >= p.depth {
		return nil
	}
	at := (z*p.height + y) * p.stride
	return data[at : at+p.width : at+p.width]
}

// Width returns the number of elements of a row.
func (p *Pitched[T]) Width() int {
	if p == nil {
		return 0
	}
	return p.width
}

// Height returns the number of rows of a slice.
func (p *Pitched[T]) Height() int {
	if p == nil {
		return 0
	}
	return p.height
}

// Depth returns the number of slices, 1 in two dimensions.
func (p *Pitched[T]) Depth() int {
	if p == nil {
		return 0
	}
	return p.depth
}

// Stride returns the number of elements from row to row.
func (p *Pitched[T]) Stride() int {
	if p == nil {
		return 0
	}
	return p.stride
}

// Pitch returns the number of bytes from row to row, a multiple of [PitchAlign].
func (p *Pitched[T]) Pitch() int {
	var z T
	return p.Stride() * int(unsafe.Sizeof(z))
}

// Buffer returns all of the memory, padding included, as a buffer for copies in one dimension. It
// can't be freed itself.
func (p *Pitched[T]) Buffer() (*Buffer[T], error) {
	b := p.inner()
	return b.Slice(0, b.Len())
}

// Rows returns the memory as one side of a copy in two or three dimensions.
func (p *Pitched[T]) Rows() Rows[T] {
	return p.inner().Rows(p.Stride(), p.Height())
}

// Free gives the memory back, CUDA's cudaFree.
func (p *Pitched[T]) Free() error { return p.inner().Free() }
