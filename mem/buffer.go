package mem

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"

	"github.com/gocuda/gocuda/internal/host"
)

// A Buffer is an array of T in the memory of a device, or a part of one. Use Data to give it to a
// kernel. The zero value and nil are no buffer: operations on them return [ErrInvalidValue].
type Buffer[T any] struct {
	data  []T // nil when freed
	n     int
	owner *allocation
	part  bool // made by Slice
}

// Alloc allocates n elements on dev, CUDA's cudaMalloc. Their contents are undefined; at present they
// are zero, and [Poison] on a device in checked mode. n may be 0.
func Alloc[T any](dev Device, n int) (*Buffer[T], error) {
	s, err := spaceOf(dev)
	if err != nil {
		return nil, err
	}
	return allocate[T](s, MemoryTypeDevice, n)
}

func spaceOf(dev Device) (*Space, error) {
	if dev == nil || dev.Memory() == nil {
		return nil, errNoDevice
	}
	return dev.Memory(), nil
}

// allocate makes a buffer of n elements that counts against s, or against nothing if s is nil.
func allocate[T any](s *Space, kind MemoryType, n int) (*Buffer[T], error) {
	bytes, err := sizeOf[T](n)
	if err != nil {
		return nil, err
	}
	if s != nil {
		if err := s.reserve(bytes); err != nil {
			return nil, err
		}
	}
	raw := tryAligned(int(bytes))
	if raw == nil {
		if s != nil {
			s.release(bytes)
		}
		return nil, fmt.Errorf("mem: %w: the host can't have %d bytes", ErrOutOfMemory, bytes)
	}
	if s != nil && s.poison {
		Fill(raw, Poison)
	}
	return newBuffer[T](raw, n, &allocation{kind: kind, space: s, bytes: bytes}), nil
}

// sizeOf returns the bytes that n elements take, rounded up to a multiple of Align.
func sizeOf[T any](n int) (bytes int64, err error) {
	typ := reflect.TypeFor[T]()
	size := int64(typ.Size())
	switch {
	case n < 0:
		return 0, fmt.Errorf("mem: %w: %d elements", ErrInvalidValue, n)
	case size > 0 && int64(n) > (math.MaxInt64-2*Align)/size || uint64(int64(n)*size) > math.MaxInt-2*Align:
		return 0, fmt.Errorf("mem: %w: %d elements of %d bytes", ErrInvalidValue, n, size)
	case !PointerFree(typ):
		return 0, fmt.Errorf("mem: %w: %v holds Go pointers, which a device can't", ErrInvalidValue, typ)
	}
	return (int64(n)*size + Align - 1) / Align * Align, nil
}

// newBuffer returns raw as a buffer of n elements, and registers a as its allocation.
func newBuffer[T any](raw []byte, n int, a *allocation) *Buffer[T] {
	b := &Buffer[T]{n: n, owner: a}
	if size := int(reflect.TypeFor[T]().Size()); n > 0 && size > 0 {
		b.data = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(raw))), n)
		live.add(a, raw[:n*size])
		a.observe(raw[:n*size])
	} else {
		b.data = make([]T, n)
	}
	return b
}

// PointerFree reports whether values of the type hold no Go pointers.
func PointerFree(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() == 0 || PointerFree(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !PointerFree(t.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return t.Kind() > reflect.Invalid && t.Kind() <= reflect.Complex128
	}
}

// aligned returns n zero bytes whose address is a multiple of Align. The extra room for the
// alignment also keeps large buffers of 2^k bytes from beginning 2^k bytes apart, where they would
// compete for the same sets of the caches; see host.Apart. At least Align unused bytes lie before
// the first one: a masked vector that begins before the first element takes a hundred cycles if the
// memory there is not mapped.
func aligned(n int) []byte {
	raw := make([]byte, n+2*Align)
	skip := Align + -int(uintptr(unsafe.Pointer(unsafe.SliceData(raw))))&(Align-1)
	return raw[skip : skip+n : skip+n]
}

// large is the size from which on the host's free memory is checked first, which takes half a
// millisecond.
const large = 64 << 20

// tryAligned is aligned, or nil for a size that the host has not free, or no address space has.
func tryAligned(n int) (b []byte) {
	if n >= large && int64(n) > host.Free() {
		return nil
	}
	defer func() {
		if recover() != nil {
			b = nil
		}
	}()
	return aligned(n)
}

// check returns what is wrong with b as an operand of work that will run later.
func (b *Buffer[T]) check() error {
	switch {
	case b == nil || b.owner == nil:
		return fmt.Errorf("mem: %w: no buffer", ErrInvalidValue)
	case b.owner.freed.Load():
		return ErrFreed
	}
	return nil
}

// now returns what is wrong with b as an operand of work that runs now.
func (b *Buffer[T]) now() error {
	if err := b.check(); err != nil {
		return err
	}
	return b.owner.inOrder()
}

// Data returns the elements, for kernels to capture. The slice is the buffer, not a copy. It is nil
// once the buffer is freed, so that a later kernel stops at its first access.
func (b *Buffer[T]) Data() []T {
	if b.check() != nil {
		return nil
	}
	return b.data
}

// Len returns the number of elements, also of a freed buffer.
func (b *Buffer[T]) Len() int {
	if b == nil {
		return 0
	}
	return b.n
}

// Slice returns the part of b from element i up to but not including j. It shares b's memory and
// dies with it. CUDA programs add to a pointer for this.
func (b *Buffer[T]) Slice(i, j int) (*Buffer[T], error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	if i < 0 || j < i || j > b.n {
		return nil, fmt.Errorf("mem: %w: part %d to %d of a buffer of %d", ErrInvalidValue, i, j, b.n)
	}
	return &Buffer[T]{data: b.data[i:j:j], n: j - i, owner: b.owner, part: true}, nil
}

// Type returns what kind of memory the buffer has.
func (b *Buffer[T]) Type() MemoryType {
	if b == nil || b.owner == nil {
		return MemoryTypeUnregistered
	}
	return b.owner.kind
}

// Free gives the memory back to the device, CUDA's cudaFree. Copies that a stream has already queued
// still take place. Freeing twice returns [ErrFreed]; a part that Slice made can't be freed.
func (b *Buffer[T]) Free() error {
	switch {
	case b == nil || b.owner == nil:
		return b.check()
	case b.part:
		return fmt.Errorf("mem: %w: a part of a buffer can't be freed", ErrInvalidValue)
	}
	if end, err := turnOf(b, nil); err == nil { // what goes wrong in a stream is no reason to keep the memory
		defer end()
	}
	if b.owner.freed.Swap(true) {
		b.owner.observeAgain()
		return ErrFreed
	}
	b.data = nil // let the garbage collector have it, unless a kernel or a part still holds it
	b.owner.free()
	return nil
}

// free forgets an allocation whose freed was set.
func (a *allocation) free() {
	a.use.Store(freed)
	live.remove(a)
	a.observeFree(false)
	switch {
	case a.order != nil:
		a.order.pool.forget(a.bytes)
	case a.space != nil:
		a.space.release(a.bytes)
	}
}
