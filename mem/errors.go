package mem

import (
	"errors"
	"fmt"
	"github.com/gocuda/gocuda/internal/host"
)

// The errors that this package shares with package gocuda, which has the same values under the same
// names.
var (
	// ErrInvalidValue: a size is negative or too large, a buffer is nil, a destination is too
	// short, or an element type holds Go pointers. CUDA's cudaErrorInvalidValue.
	ErrInvalidValue = errors.New("invalid value")

	// ErrInvalidResourceHandle: a device or a stream is nil or was closed. CUDA's
	// cudaErrorInvalidResourceHandle.
	ErrInvalidResourceHandle = errors.New("invalid resource handle")

	// ErrNotReady: memory from a pool is used before its stream has come to the allocation, which
	// is undefined in CUDA. In package gocuda also: an event has not happened yet. CUDA's
	// cudaErrorNotReady.
	ErrNotReady = errors.New("not ready")

	// ErrNotSupported: the GPU whose limits the device has did not have the feature yet. CUDA's
	// cudaErrorNotSupported.
	ErrNotSupported = errors.New("not supported")

	// ErrClosed: the device was closed. It matches ErrInvalidResourceHandle too. CUDA's
	// cudaErrorContextIsDestroyed.
	ErrClosed error = &special{"invalid resource handle: the device is closed", []error{ErrInvalidResourceHandle}}
)

// The errors of this package. docs/errors.md lists them with CUDA's names.
var (

	// ErrOutOfMemory: the device, or the host behind it, has not enough free memory. CUDA's
	// cudaErrorMemoryAllocation.
	ErrOutOfMemory = host.ErrOutOfMemory

	// ErrFreed: the buffer, or the one that it is a part of, was freed. CUDA's
	// cudaErrorInvalidDevicePointer.
	ErrFreed = errors.New("mem: buffer was freed")

	// ErrInvalidDevice: a device is its own peer. CUDA's cudaErrorInvalidDevice.
	ErrInvalidDevice = errors.New("mem: invalid device")

	// ErrForeign: two buffers, or a buffer and a stream, belong to different devices. It matches
	// [ErrInvalidDevice] too.
	ErrForeign error = &special{"mem: belongs to another device", []error{ErrInvalidDevice}}

	// ErrOverlap: source and destination of a copy share memory, which CUDA leaves undefined. It
	// matches [ErrInvalidValue] too.
	ErrOverlap error = &special{"mem: source and destination overlap", []error{ErrInvalidValue}}

	// ErrInvalidPitch: rows are longer than the distance between them. CUDA's
	// cudaErrorInvalidPitchValue.
	ErrInvalidPitch = errors.New("mem: invalid pitch")

	// ErrNotFound: the address is in no allocation. CUDA's CUDA_ERROR_NOT_FOUND.
	ErrNotFound = errors.New("mem: not found")

	// ErrHostMemoryAlreadyRegistered: the memory is page-locked already, or a part of it is. CUDA's
	// cudaErrorHostMemoryAlreadyRegistered.
	ErrHostMemoryAlreadyRegistered = errors.New("mem: host memory is already registered")

	// ErrHostMemoryNotRegistered: no registration begins there. CUDA's
	// cudaErrorHostMemoryNotRegistered.
	ErrHostMemoryNotRegistered = errors.New("mem: host memory is not registered")

	// ErrPeerAccessAlreadyEnabled: CUDA's cudaErrorPeerAccessAlreadyEnabled.
	ErrPeerAccessAlreadyEnabled = errors.New("mem: peer access is already enabled")

	// ErrPeerAccessUnsupported: devices of that generation have no peer access. CUDA's
	// cudaErrorPeerAccessUnsupported.
	ErrPeerAccessUnsupported = errors.New("mem: peer access is not supported")

	// ErrPeerAccessNotEnabled: CUDA's cudaErrorPeerAccessNotEnabled.
	ErrPeerAccessNotEnabled = errors.New("mem: peer access is not enabled")

	// ErrInvalidSymbol: the symbol is nil or the zero value. CUDA's cudaErrorInvalidSymbol.
	ErrInvalidSymbol = errors.New("mem: invalid symbol")

	// ErrConstantMemory: the symbols of a module are more than 64 KiB. nvcc refuses such a program.
	ErrConstantMemory = errors.New("mem: too much constant memory")

	// ErrConstantWritten: a kernel has changed constant memory, as checked mode has found. In CUDA
	// that is no valid program.
	ErrConstantWritten = errors.New("mem: constant memory was written by a kernel")

	// ErrSurfaceBounds: a kernel reads or writes a surface out of range, with [BoundaryTrap]. CUDA
	// traps: the launch fails with cudaErrorLaunchFailure.
	ErrSurfaceBounds = errors.New("mem: surface access out of range")
)

// A special error is a case of one or more general ones, which it matches too.
type special struct {
	text  string
	kinds []error
}

func (e *special) Error() string { return e.text }

func (e *special) Unwrap() []error { return e.kinds }

// A device or a stream that is nil is no handle, and as an argument no valid value.
var (
	errNoDevice error = &special{"mem: invalid resource handle: no device", []error{ErrInvalidResourceHandle, ErrInvalidValue}}
	errNoStream error = &special{"mem: invalid resource handle: no stream", []error{ErrInvalidResourceHandle, ErrInvalidValue}}
)

var (
	errClosed = fmt.Errorf("mem: %w", ErrClosed)
	errEarly  = fmt.Errorf("mem: %w: used before its allocation in the order of the stream", ErrNotReady)
)
