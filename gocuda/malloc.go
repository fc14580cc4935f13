package gocuda

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/gocuda/gocuda/mem"
)

// Memory that kernels allocate: malloc and free in CUDA's device code (CUDA C++ Programming Guide,
// "Dynamic Global Memory Allocation"). It comes from a heap of the device with a fixed size, stays
// until a kernel frees it, and may be freed by another kernel. Go's make works in kernels as well,
// and needs no free; it has no limit.

// defaultHeap is cudaLimitMallocHeapSize as it is at first, 8 MiB.
const defaultHeap = 8 << 20

// heapAlign is what sizes on the heap are rounded up to, the alignment of CUDA's device malloc.
const heapAlign = 16

// A deviceHeap counts what kernels have allocated. Nothing that it does orders threads.
type deviceHeap struct {
	mu     hiddenMutex
	limit  int64
	used   int64
	began  bool        // a kernel has used it
	blocks []heapBlock // ascending
}

// A heapBlock is an allocation that was not freed.
type heapBlock struct {
	at    unsafe.Pointer
	bytes int64
}

// MallocHeapSize returns the bytes of the heap that [Malloc] takes from: cudaDeviceGetLimit of
// cudaLimitMallocHeapSize. The default is 8 MiB.
//
//go:norace
func (d *Device) MallocHeapSize() int64 {
	d.heap.mu.Lock()
	defer d.heap.mu.Unlock()
	return d.heap.limit
}

// SetMallocHeapSize sets the bytes of the heap that [Malloc] takes from: cudaDeviceSetLimit of
// cudaLimitMallocHeapSize. As in CUDA it is too late once a kernel has allocated: an
// [ErrInvalidValue].
func (d *Device) SetMallocHeapSize(bytes int64) error {
	if d == nil {
		return errNilDevice
	}
	if bytes < 0 {
		return fmt.Errorf("gocuda: limit: %w: a heap of %d bytes", ErrInvalidValue, bytes)
	}
	if !d.heap.resize(bytes) {
		return fmt.Errorf("gocuda: limit: %w: a kernel has used the heap already", ErrInvalidValue)
	}
	return nil
}

//go:norace
func (h *deviceHeap) resize(bytes int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.began {
		return false
	}
	h.limit = bytes
	return true
}

// Malloc allocates n elements on the device's heap, CUDA's malloc in device code: each thread that
// calls it gets memory of its own. It returns nil if the heap has no room for them, and if n is 0.
// The contents are undefined: zeros, or mem.Poison in checked mode. The memory stays until [Free],
// beyond the launch too. A negative n is an [ErrInvalidValue], and so are elements with Go
// pointers.
func Malloc[T any](s Scope, n int) []T {
	b := s.block()
	b.require(opMalloc)
	var z T
	size := int64(unsafe.Sizeof(z))
	if n < 0 {
		panic(fmt.Errorf("%w: Malloc of %d elements", ErrInvalidValue, n))
	}
	if !mem.PointerFree(reflect.TypeFor[T]()) {
		panic(fmt.Errorf("%w: Malloc of %v, which holds Go pointers", ErrInvalidValue, reflect.TypeFor[T]()))
	}
	h := &b.launch.dev.heap
	if n == 0 || size == 0 {
		return nil
	}
	bytes := int64(-1)
	if int64(n) <= (1<<62)/size {
		bytes = (int64(n)*size + heapAlign - 1) &^ (heapAlign - 1)
	}
	if !h.take(bytes) {
		return nil
	}
	v := make([]T, n)
	if b.checked {
		poison(unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), n*int(size)))
	}
	h.note(unsafe.Pointer(&v[0]), bytes)
	return v
}

// Free gives memory of [Malloc] back to the heap, CUDA's free in device code. Any thread of any
// kernel on the device may call it. For an empty slice it does nothing. A slice that is not from
// Malloc, that does not begin where its allocation does, or that was freed already is an
// [ErrInvalidValue].
func Free[T any](s Scope, v []T) {
	b := s.block()
	b.require(opMalloc)
	if len(v) == 0 {
		return
	}
	if !b.launch.dev.heap.free(unsafe.Pointer(&v[0])) {
		panic(fmt.Errorf("%w: Free of memory that is not allocated on the device's heap", ErrInvalidValue))
	}
}

//go:norace
func (h *deviceHeap) take(bytes int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.began = true
	if bytes < 0 || bytes > h.limit-h.used {
		return false
	}
	h.used += bytes
	return true
}

// note adds an allocation. It moves the list's elements one by one, since the built-in copy would
// report its accesses to the race detector.
//
//go:norace
func (h *deviceHeap) note(at unsafe.Pointer, bytes int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k := h.search(at)
	h.blocks = append(h.blocks, heapBlock{})
	for i := len(h.blocks) - 1; i > k; i-- {
		h.blocks[i] = h.blocks[i-1]
	}
	h.blocks[k] = heapBlock{at, bytes}
}

// search returns the place of the first allocation that does not begin before at.
//
//go:norace
func (h *deviceHeap) search(at unsafe.Pointer) int {
	lo, hi := 0, len(h.blocks)
	for lo < hi {
		if mid := (lo + hi) / 2; uintptr(h.blocks[mid].at) < uintptr(at) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

//go:norace
func (h *deviceHeap) free(at unsafe.Pointer) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	k := h.search(at)
	if k == len(h.blocks) || h.blocks[k].at != at {
		return false
	}
	h.used -= h.blocks[k].bytes
	last := len(h.blocks) - 1
	for ; k < last; k++ {
		h.blocks[k] = h.blocks[k+1]
	}
	h.blocks[last] = heapBlock{}
	h.blocks = h.blocks[:last]
	return true
}
