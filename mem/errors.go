package mem

import "errors"

// The errors of this package. docs/errors.md lists them with CUDA's names.
var (
	// ErrInvalidValue: a size is negative or too large, a buffer is nil, a destination is too
	// short, or an element type holds Go pointers. CUDA's cudaErrorInvalidValue.
	ErrInvalidValue = errors.New("mem: invalid value")

	// ErrOutOfMemory: the device has not enough free memory. CUDA's cudaErrorMemoryAllocation.
	ErrOutOfMemory = errors.New("mem: out of device memory")

	// ErrFreed: the buffer, or the one that it is a part of, was freed. CUDA's
	// cudaErrorInvalidDevicePointer.
	ErrFreed = errors.New("mem: buffer was freed")

	// ErrForeign: two buffers, or a buffer and a stream, belong to different devices. CUDA's
	// cudaErrorInvalidDevice.
	ErrForeign = errors.New("mem: belongs to another device")

	// ErrOverlap: source and destination of a copy share memory, which CUDA leaves undefined. A kind
	// of cudaErrorInvalidValue.
	ErrOverlap = errors.New("mem: source and destination overlap")

	// ErrClosed: the device was closed. CUDA's cudaErrorContextIsDestroyed.
	ErrClosed = errors.New("mem: device is closed")
)
