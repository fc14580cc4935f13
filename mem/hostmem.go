package mem

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Page-locked memory of the host. A GPU can copy it without the help of the processor and while it
// computes, and its kernels can use it in place. On a processor all memory has these properties:
// kernels and copies of any device can use any slice. These functions keep CUDA's rules for such
// memory, so that programs which use it can be written, tested and learnt from. Nothing is locked
// into memory: no copy here would be faster for it, and pages are the operating system's to manage.

// HostFlags say how page-locked memory is to be used. On systems with unified addressing, which
// this is, all page-locked memory is portable and mapped whether the flags ask for it or not, so
// they change nothing but what [HostBuffer.Flags] returns.
type HostFlags uint

const (
	HostDefault       HostFlags = 0               // cudaHostAllocDefault, cudaHostRegisterDefault
	HostPortable      HostFlags = 1 << (iota - 1) // for all devices: cudaHostAllocPortable, cudaHostRegisterPortable
	HostMapped                                    // kernels can use it: cudaHostAllocMapped, cudaHostRegisterMapped
	HostWriteCombined                             // written by the host, not read: cudaHostAllocWriteCombined
)

// A HostBuffer is an array of T in page-locked memory of the host. The zero value and nil are none.
type HostBuffer[T any] struct{ buffer *Buffer[T] }

// AllocHost allocates n elements of page-locked memory, CUDA's cudaHostAlloc, and with HostDefault
// cudaMallocHost. It counts against no device. Its contents are undefined; at present they are
// zero.
//
// Write-combined memory is ordinary memory here, fast to read as well.
func AllocHost[T any](n int, flags HostFlags) (*HostBuffer[T], error) {
	if flags&^(HostPortable|HostMapped|HostWriteCombined) != 0 {
		return nil, fmt.Errorf("mem: %w: flags %#x", ErrInvalidValue, uint(flags))
	}
	b, err := allocate[T](nil, MemoryTypeHost, n)
	if err != nil {
		return nil, err
	}
	b.owner.flags = flags
	return &HostBuffer[T]{b}, nil
}

func (h *HostBuffer[T]) inner() *Buffer[T] {
	if h == nil {
		return nil
	}
	return h.buffer
}

// Data returns the elements, for the host and for kernels of all devices. It is nil once the buffer
// is freed.
func (h *HostBuffer[T]) Data() []T { return h.inner().Data() }

// Len returns the number of elements, also of a freed buffer.
func (h *HostBuffer[T]) Len() int { return h.inner().Len() }

// Flags returns the flags that the memory was allocated with, CUDA's cudaHostGetFlags.
func (h *HostBuffer[T]) Flags() (HostFlags, error) {
	b := h.inner()
	if err := b.check(); err != nil {
		return 0, err
	}
	return b.owner.flags, nil
}

// On returns the memory as a buffer of dev, CUDA's cudaHostGetDevicePointer: for copies on the
// device's side, and for kernels that use the host's memory directly, called zero copy. It dies
// with h and can't be freed itself.
func (h *HostBuffer[T]) On(dev Device) (*Buffer[T], error) {
	if _, err := spaceOf(dev); err != nil {
		return nil, err
	}
	b := h.inner()
	if err := b.check(); err != nil {
		return nil, err
	}
	return b.Slice(0, b.n)
}

// Free gives the memory back, CUDA's cudaFreeHost. Copies that are queued still take place.
func (h *HostBuffer[T]) Free() error { return h.inner().Free() }

// HostRegister makes memory that the program has already page-locked memory, CUDA's
// cudaHostRegister. Memory that is registered, or a part of which is, returns
// [ErrHostMemoryAlreadyRegistered]; so does memory from [AllocHost]. Memory of a device and managed
// memory can't be registered. HostWriteCombined is no flag here.
//
// Registered memory is not collected until [HostUnregister].
func HostRegister[T any](s []T, flags HostFlags) error {
	switch {
	case flags&^(HostPortable|HostMapped) != 0:
		return fmt.Errorf("mem: %w: flags %#x", ErrInvalidValue, uint(flags))
	case len(bytesOf(s)) == 0:
		return fmt.Errorf("mem: %w: no memory to register", ErrInvalidValue)
	}
	if err := pointerFree[T](); err != nil {
		return err
	}
	other := live.lock(&allocation{kind: MemoryTypeHost, flags: flags, locked: true}, bytesOf(s))
	switch {
	case other == nil:
		return nil
	case other.kind == MemoryTypeHost:
		return ErrHostMemoryAlreadyRegistered
	}
	return fmt.Errorf("mem: %w: memory of type %v can't be registered", ErrInvalidValue, other.kind)
}

// HostUnregister ends what [HostRegister] has begun, CUDA's cudaHostUnregister. s must begin where
// the memory that was registered begins. Buffers that [MapHost] made of it are freed.
func HostUnregister[T any](s []T) error {
	a := ownerOf(s)
	if a == nil || !a.locked || a.from != uintptr(unsafe.Pointer(unsafe.SliceData(s))) || a.freed.Swap(true) {
		return ErrHostMemoryNotRegistered
	}
	a.use.Store(freed)
	live.remove(a)
	return nil
}

// HostFlagsOf returns the flags of page-locked memory, CUDA's cudaHostGetFlags.
func HostFlagsOf[T any](s []T) (HostFlags, error) {
	if a := ownerOf(s); a != nil && a.kind == MemoryTypeHost {
		return a.flags, nil
	}
	return 0, fmt.Errorf("mem: %w: the memory is not page-locked", ErrInvalidValue)
}

// MapHost returns page-locked memory, registered or from [AllocHost], as a buffer of dev: CUDA's
// cudaHostGetDevicePointer. Memory that is not page-locked, or only to a part, is an [ErrInvalidValue].
func MapHost[T any](dev Device, s []T) (*Buffer[T], error) {
	if _, err := spaceOf(dev); err != nil {
		return nil, err
	}
	a := ownerOf(s)
	if a == nil || a.kind != MemoryTypeHost {
		return nil, fmt.Errorf("mem: %w: the memory is not page-locked", ErrInvalidValue)
	}
	if uintptr(len(bytesOf(s))) > a.size-(uintptr(unsafe.Pointer(unsafe.SliceData(s)))-a.from) {
		return nil, fmt.Errorf("mem: %w: only a part of the memory is page-locked", ErrInvalidValue)
	}
	return &Buffer[T]{data: s, n: len(s), owner: a, part: true}, nil
}

// ownerOf returns the allocation that the beginning of s is in, or nil.
func ownerOf[T any](s []T) *allocation {
	if len(bytesOf(s)) == 0 {
		return nil
	}
	return live.find(unsafe.Pointer(unsafe.SliceData(s)))
}

// pointerFree returns an error if T holds Go pointers.
func pointerFree[T any]() error {
	if typ := reflect.TypeFor[T](); !PointerFree(typ) {
		return fmt.Errorf("mem: %w: %v holds Go pointers, which a device can't", ErrInvalidValue, typ)
	}
	return nil
}
