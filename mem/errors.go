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

	// ErrNotReady: memory from a pool is used before its stream has come to the allocation. Undefined in CUDA.
	ErrNotReady = errors.New("mem: used before its allocation in the order of the stream")

	// ErrInvalidPitch: rows are longer than the distance between them. CUDA's cudaErrorInvalidPitchValue.
	ErrInvalidPitch = errors.New("mem: invalid pitch")

	// ErrNotFound: the address is in no allocation. CUDA's CUDA_ERROR_NOT_FOUND.
	ErrNotFound = errors.New("mem: not found")

	// ErrHostMemoryAlreadyRegistered: the memory is page-locked already, or a part of it is. CUDA's
	// cudaErrorHostMemoryAlreadyRegistered.
	ErrHostMemoryAlreadyRegistered = errors.New("mem: host memory is already registered")

	// ErrHostMemoryNotRegistered: no registration begins there. CUDA's cudaErrorHostMemoryNotRegistered.
	ErrHostMemoryNotRegistered = errors.New("mem: host memory is not registered")

	// ErrInvalidDevice: a device is its own peer. CUDA's cudaErrorInvalidDevice.
	ErrInvalidDevice = errors.New("mem: invalid device")

	// ErrPeerAccessAlreadyEnabled: CUDA's cudaErrorPeerAccessAlreadyEnabled.
	ErrPeerAccessAlreadyEnabled = errors.New("mem: peer access is already enabled")

	// ErrPeerAccessUnsupported: no device of that generation can. CUDA's cudaErrorPeerAccessUnsupported.
	ErrPeerAccessUnsupported = errors.New("mem: peer access is not supported")

	// ErrPeerAccessNotEnabled: CUDA's cudaErrorPeerAccessNotEnabled.
	ErrPeerAccessNotEnabled = errors.New("mem: peer access is not enabled")

	// ErrInvalidSymbol: the symbol is nil or the zero value. CUDA's cudaErrorInvalidSymbol.
	ErrInvalidSymbol = errors.New("mem: invalid symbol")

	// ErrConstantMemory: the symbols of a module are more than 64 KiB. nvcc refuses such a program.
	ErrConstantMemory = errors.New("mem: too much constant memory")

	// ErrConstantWritten: a kernel has changed constant memory, as checked mode has found. In CUDA that is no
	// valid program.
	ErrConstantWritten = errors.New("mem: constant memory was written by a kernel")

	// ErrSurfaceBounds: a kernel reads or writes a surface out of range, with [BoundaryTrap]. CUDA traps: the launch
	// fails with cudaErrorLaunchFailure.
	ErrSurfaceBounds = errors.New("mem: surface access out of range")

	// ErrClosed: the device was closed. CUDA's cudaErrorContextIsDestroyed.
	ErrClosed = errors.New("mem: device is closed")
)
