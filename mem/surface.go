package mem

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Surface objects: arrays that kernels read and write, without filtering. The x coordinate counts
// bytes, the others rows, slices, layers or faces; forgetting to multiply x by the size of an
// element is the classic mistake.

// BoundaryMode says what an access out of range does, cudaSurfaceBoundaryMode.
type BoundaryMode uint8

const (
	BoundaryTrap  BoundaryMode = iota // the kernel fails with ErrSurfaceBounds. CUDA's default
	BoundaryClamp                     // the nearest element is accessed
	BoundaryZero                      // reads give 0, writes are dropped
)

// A SurfaceResource is what a surface can be made of: an [*Array] with [ArraySurfaceLoadStore],
// which may be a level of a mipmapped array.
type SurfaceResource interface {
	surface() (*resource, error)
}

func (a *Array[T]) surface() (*resource, error) {
	r, err := a.resource()
	if err == nil && r.flags&ArraySurfaceLoadStore == 0 {
		err = fmt.Errorf("mem: %w: a surface of an array without ArraySurfaceLoadStore", ErrInvalidValue)
	}
	return r, err
}

// A Surface is an array that kernels read and write: CUDA's cudaSurfaceObject_t. T is what one
// access moves, as in surf2Dread<T>: any type without pointers of 1, 2, 4, 8 or 16 bytes that
// divides a row. It need not be the texel's. Kernels capture the pointer and call [Surf2Dread],
// [Surf2Dwrite] and their like. Accesses of different threads to the same element are a data race
// unless they are ordered, as with any memory.
type Surface[T any] struct {
	shape     shape
	raw       []byte
	row       int // bytes
	h, d      int
	use       *atomic.Uint32 // whether the memory may be used now
	destroyed atomic.Bool
}

// NewSurface makes a surface of an array, CUDA's cudaCreateSurfaceObject.
func NewSurface[T any](res SurfaceResource) (*Surface[T], error) {
	if res == nil {
		return nil, fmt.Errorf("mem: %w: a surface of nothing", ErrInvalidValue)
	}
	r, err := res.surface()
	if err != nil {
		return nil, err
	}
	t := reflect.TypeFor[T]()
	m := &r.images[0]
	size, row := int(t.Size()), m.w*m.size
	switch {
	case !PointerFree(t):
		return nil, fmt.Errorf("mem: %w: %v holds Go pointers, which a device can't", ErrInvalidValue, t)
	case size == 0 || size > 16 || size&(size-1) != 0:
		return nil, fmt.Errorf("mem: %w: an access of %d bytes; it may be 1, 2, 4, 8 or 16", ErrInvalidValue, size)
	case row%size != 0:
		return nil, fmt.Errorf("mem: %w: rows of %d bytes, accessed by %d", ErrInvalidValue, row, size)
	case uintptr(unsafe.Pointer(unsafe.SliceData(m.raw)))%uintptr(t.Align()) != 0:
		return nil, fmt.Errorf("mem: %w: %v can't be accessed at this level of a mipmapped array", ErrInvalidValue, t)
	}
	return &Surface[T]{shape: r.shape, raw: m.raw, row: row, h: m.h, d: m.d, use: r.use}, nil
}

// Destroy ends the surface, CUDA's cudaDestroySurfaceObject. Its array stays. An access to a
// destroyed surface fails with [ErrFreed], as does a second Destroy.
func (s *Surface[T]) Destroy() error {
	switch {
	case s == nil || s.use == nil:
		return fmt.Errorf("mem: %w: no surface", ErrInvalidValue)
	case s.destroyed.Swap(true):
		return fmt.Errorf("surface: %w", ErrFreed)
	}
	return nil
}

// element returns the element at byte x of row y of slice z, or nil for nothing.
func (s *Surface[T]) element(want shape, x, y, z int, mode BoundaryMode) *T {
	var e T
	size := int(unsafe.Sizeof(e))
	if s.shape != want || s.use.Load() != usable || s.destroyed.Load() || x&(size-1) != 0 {
		s.unfit(want, x, size)
	}
	if uint(x) >= uint(s.row) || uint(y) >= uint(s.h) || uint(z) >= uint(s.d) {
		switch mode {
		case BoundaryZero:
			return nil
		case BoundaryClamp:
			x = min(max(x, 0), s.row-size)
			y, z = clamped(y, s.h), clamped(z, s.d)
		default:
			panic(fmt.Errorf("%w: byte %d of row %d of slice %d of a %v surface of %d by %d by %d",
				ErrSurfaceBounds, x, y, z, s.shape, s.row, s.h, s.d))
		}
	}
	at := (z*s.h+y)*s.row + x
	return (*T)(unsafe.Pointer(&s.raw[at : at+size][0]))
}

func (s *Surface[T]) unfit(want shape, x, size int) {
	switch {
	case s.shape != want:
		panic(fmt.Errorf("mem: %w: a %v access to a %v surface", ErrInvalidValue, want, s.shape))
	case s.use.Load() != usable || s.destroyed.Load():
		panic(fmt.Errorf("access to a surface: %w", unusable(s.use)))
	}
	// CUDA leaves it open what this does.
	panic(fmt.Errorf("mem: %w: x is %d, no multiple of the element's %d bytes; x of a surface counts bytes",
		ErrInvalidValue, x, size))
}

func (s *Surface[T]) read(want shape, x, y, z int, mode BoundaryMode) (v T) {
	if e := s.element(want, x, y, z, mode); e != nil {
		v = *e
	}
	return v
}

func (s *Surface[T]) write(want shape, v T, x, y, z int, mode BoundaryMode) {
	if e := s.element(want, x, y, z, mode); e != nil {
		*e = v
	}
}

// Surf1Dread returns the element at byte x, CUDA's surf1Dread.
func Surf1Dread[T any](s *Surface[T], x int, mode BoundaryMode) T {
	return s.read(shape1D, x, 0, 0, mode)
}

// Surf1Dwrite writes v at byte x, CUDA's surf1Dwrite.
func Surf1Dwrite[T any](v T, s *Surface[T], x int, mode BoundaryMode) {
	s.write(shape1D, v, x, 0, 0, mode)
}

// Surf2Dread returns the element at byte x of row y, CUDA's surf2Dread.
func Surf2Dread[T any](s *Surface[T], x, y int, mode BoundaryMode) T {
	return s.read(shape2D, x, y, 0, mode)
}

// Surf2Dwrite writes v at byte x of row y, CUDA's surf2Dwrite.
func Surf2Dwrite[T any](v T, s *Surface[T], x, y int, mode BoundaryMode) {
	s.write(shape2D, v, x, y, 0, mode)
}

// Surf3Dread returns the element at byte x of row y of slice z, CUDA's surf3Dread.
func Surf3Dread[T any](s *Surface[T], x, y, z int, mode BoundaryMode) T {
	return s.read(shape3D, x, y, z, mode)
}

// Surf3Dwrite writes v at byte x of row y of slice z, CUDA's surf3Dwrite.
func Surf3Dwrite[T any](v T, s *Surface[T], x, y, z int, mode BoundaryMode) {
	s.write(shape3D, v, x, y, z, mode)
}

// Surf1DLayeredread returns the element at byte x of a layer, CUDA's surf1DLayeredread. A layer
// that there is not is out of range as x is.
func Surf1DLayeredread[T any](s *Surface[T], x, layer int, mode BoundaryMode) T {
	return s.read(shape1DLayered, x, 0, layer, mode)
}

// Surf1DLayeredwrite writes v at byte x of a layer, CUDA's surf1DLayeredwrite.
func Surf1DLayeredwrite[T any](v T, s *Surface[T], x, layer int, mode BoundaryMode) {
	s.write(shape1DLayered, v, x, 0, layer, mode)
}

// Surf2DLayeredread returns the element at byte x of row y of a layer, CUDA's surf2DLayeredread.
func Surf2DLayeredread[T any](s *Surface[T], x, y, layer int, mode BoundaryMode) T {
	return s.read(shape2DLayered, x, y, layer, mode)
}

// Surf2DLayeredwrite writes v at byte x of row y of a layer, CUDA's surf2DLayeredwrite.
func Surf2DLayeredwrite[T any](v T, s *Surface[T], x, y, layer int, mode BoundaryMode) {
	s.write(shape2DLayered, v, x, y, layer, mode)
}

// SurfCubemapread returns the element at byte x of row y of a face from 0 to 5, CUDA's surfCubemapread.
func SurfCubemapread[T any](s *Surface[T], x, y, face int, mode BoundaryMode) T {
	return s.read(shapeCubemap, x, y, face, mode)
}

// SurfCubemapwrite writes v at byte x of row y of a face, CUDA's surfCubemapwrite.
func SurfCubemapwrite[T any](v T, s *Surface[T], x, y, face int, mode BoundaryMode) {
	s.write(shapeCubemap, v, x, y, face, mode)
}

// SurfCubemapLayeredread returns the element at byte x of row y of face layerFace%6 of layer
// layerFace/6, CUDA's surfCubemapLayeredread.
func SurfCubemapLayeredread[T any](s *Surface[T], x, y, layerFace int, mode BoundaryMode) T {
	return s.read(shapeCubemapLayered, x, y, layerFace, mode)
}

// SurfCubemapLayeredwrite writes v at byte x of row y of face layerFace%6 of layer layerFace/6, CUDA's
// surfCubemapLayeredwrite.
func SurfCubemapLayeredwrite[T any](v T, s *Surface[T], x, y, layerFace int, mode BoundaryMode) {
	s.write(shapeCubemapLayered, v, x, y, layerFace, mode)
}
