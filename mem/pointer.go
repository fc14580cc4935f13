package mem

import (
	"fmt"
	"unsafe"
)

// Questions about an address: what memory is it of, where does that begin, and how long is it?

// MemoryType is what kind of memory an address is of, CUDA's cudaMemoryType.
type MemoryType int

const (
	// MemoryTypeUnregistered is memory of the program that this package has nothing to do with,
	// such as a slice from make. A kernel can use it all the same, which in CUDA only systems with
	// pageable memory access allow.
	MemoryTypeUnregistered MemoryType = iota
	MemoryTypeHost                    // page-locked memory of the host
	MemoryTypeDevice                  // memory of a device
	MemoryTypeManaged                 // managed memory
)

// String returns the type's name as CUDA has it behind cudaMemoryType.
func (t MemoryType) String() string {
	switch t {
	case MemoryTypeUnregistered:
		return "Unregistered"
	case MemoryTypeHost:
		return "Host"
	case MemoryTypeDevice:
		return "Device"
	case MemoryTypeManaged:
		return "Managed"
	}
	return fmt.Sprintf("MemoryType(%d)", int(t))
}

// PointerAttributes is what is known of an address, CUDA's cudaPointerAttributes. There is one
// address space, so what CUDA calls the device pointer and the host pointer is the address itself.
type PointerAttributes struct {
	Type   MemoryType
	Memory *Space         // of the device that it was allocated on: dev.Memory(). nil for memory of the host
	Base   unsafe.Pointer // the first byte of the allocation; nil if unregistered
	Size   int64          // bytes of the allocation, as asked for; 0 if unregistered

	Constant bool // a symbol in constant memory, whose type is MemoryTypeDevice
}

// AttributesOf returns what is known of the address of an element, CUDA's cudaPointerGetAttributes.
// Memory that was freed is unregistered: it is the garbage collector's.
func AttributesOf[T any](p *T) (PointerAttributes, error) {
	if p == nil {
		return PointerAttributes{}, fmt.Errorf("mem: %w: the pointer is nil", ErrInvalidValue)
	}
	a := live.find(unsafe.Pointer(p))
	if a == nil {
		return PointerAttributes{}, nil
	}
	back := uintptr(unsafe.Pointer(p)) - a.from
	return PointerAttributes{a.kind, a.home(), unsafe.Add(unsafe.Pointer(p), -int(back)), int64(a.size), a.constant}, nil
}

// AttributesOfSlice is [AttributesOf] of the first element of s. A slice without elements has no
// address.
func AttributesOfSlice[T any](s []T) (PointerAttributes, error) {
	if len(s) == 0 {
		return PointerAttributes{}, fmt.Errorf("mem: %w: a slice without elements", ErrInvalidValue)
	}
	return AttributesOf(&s[0])
}

// AddressRange returns where the allocation that p points into begins, and its size in bytes: CUDA's
// cuMemGetAddressRange. Memory that no function of this package knows is an [ErrNotFound].
func AddressRange[T any](p *T) (base unsafe.Pointer, size int64, err error) {
	at, err := AttributesOf(p)
	if err != nil {
		return nil, 0, err
	}
	if at.Type == MemoryTypeUnregistered {
		return nil, 0, fmt.Errorf("%w: %p is in no allocation", ErrNotFound, p)
	}
	return at.Base, at.Size, nil
}
