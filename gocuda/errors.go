package gocuda

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// Errors of a launch's configuration, which are those of package grid. The other four also match
// [ErrInvalidConfiguration].
var (
	ErrInvalidConfiguration = grid.ErrInvalidConfiguration // cudaErrorInvalidConfiguration
	ErrMaxThreadsPerBlock   = grid.ErrMaxThreadsPerBlock
	ErrMaxThreadsDim        = grid.ErrMaxThreadsDim
	ErrMaxGridSize          = grid.ErrMaxGridSize
	ErrSharedMemPerBlock    = grid.ErrSharedMemPerBlock
)

// Errors of the runtime. docs/errors.md gives the cause and the remedy of each. Errors that package
// mem has too are the same values.
var (
	// ErrInvalidValue: an argument is nil or out of range. CUDA's cudaErrorInvalidValue.
	ErrInvalidValue = mem.ErrInvalidValue

	// ErrStaleKernel: the source of a compiled kernel, or of something that it uses, is another
	// than the one that `gocuda gen` has read. The error names the file and the command that helps.
	ErrStaleKernel = rt.ErrStaleKernel

	// ErrInvalidDeviceFunction: the kernel is nil. CUDA's cudaErrorInvalidDeviceFunction.
	ErrInvalidDeviceFunction = errors.New("invalid device function: the kernel is nil")

	// ErrInvalidResourceHandle: a stream, an event or a device was closed, is nil, belongs to another
	// device or another block, or an event was never recorded. CUDA's cudaErrorInvalidResourceHandle.
	ErrInvalidResourceHandle = mem.ErrInvalidResourceHandle

	// ErrInvalidDevice: no device has what [ChooseDevice] is asked for. CUDA's cudaErrorInvalidDevice.
	ErrInvalidDevice = mem.ErrInvalidDevice

	// ErrNotReady: an event has been recorded but has not happened yet. CUDA's cudaErrorNotReady.
	ErrNotReady = mem.ErrNotReady

	// ErrNotPermitted: the default device can't be closed, a phase can't begin inside another,
	// blocks can't wait for each other in a launch that is not cooperative. CUDA's
	// cudaErrorNotPermitted.
	ErrNotPermitted = errors.New("not permitted")

	// ErrNotSupported: gocuda does not have this part of CUDA, or the GPU whose limits the device
	// has did not have it yet. CUDA's cudaErrorNotSupported.
	ErrNotSupported = mem.ErrNotSupported

	// ErrIllegalState: a capture begins in a stream that is being captured, or ends in one that is
	// not. CUDA's cudaErrorIllegalState.
	ErrIllegalState = errors.New("illegal state")

	// ErrGraphExecUpdateFailure: a graph has another topology than the executable graph that it should
	// update. It comes as a [*GraphExecUpdateError]. CUDA's cudaErrorGraphExecUpdateFailure.
	ErrGraphExecUpdateFailure = errors.New("the executable graph can't be updated")

	// ErrLaunchTimeout: a launch had not ended when its Config.Timeout was up, and was stopped. It
	// comes as a [*TimeoutError], and in a [*RunawayError] if some of its blocks can't be stopped.
	// CUDA's cudaErrorLaunchTimeout.
	ErrLaunchTimeout = errors.New("the launch timed out")

	// ErrRunaway: blocks of a launch that was given up still run. It comes as a [*RunawayError].
	// CUDA has no such error: its device would be lost.
	ErrRunaway = errors.New("blocks of a launch that was given up still run")

	// ErrCooperativeLaunchTooLarge: a cooperative launch has more blocks than the device can hold
	// at once, or than its Config.Workers says. CUDA's cudaErrorCooperativeLaunchTooLarge.
	ErrCooperativeLaunchTooLarge = errors.New("too many blocks in a cooperative launch")

	// ErrLaunchMaxDepthExceeded: a kernel at depth [MaxNestingDepth] launches another one. CUDA's
	// cudaErrorLaunchMaxDepthExceeded.
	ErrLaunchMaxDepthExceeded = errors.New("launches are nested too deep")

	// ErrLaunchPendingCountExceeded: a kernel launches another one when too many such launches are
	// pending. CUDA's cudaErrorLaunchPendingCountExceeded.
	ErrLaunchPendingCountExceeded = errors.New("too many pending launches")

	// ErrAssert: an Assert in a kernel failed. CUDA's cudaErrorAssert.
	ErrAssert = errors.New("assertion failed")
)

// Errors of capturing streams, see [Stream.BeginCapture]. All but the last one spoil the capture:
// its streams refuse work with ErrStreamCaptureInvalidated until EndCapture, which returns it too.
//
// CUDA has one more. cudaErrorStreamCaptureWrongThread can't happen: goroutines have no identity,
// and any may end a capture.
var (
	// ErrStreamCaptureUnsupported: something that a stream in a capture can't do, such as to be
	// waited for. CUDA's cudaErrorStreamCaptureUnsupported.
	ErrStreamCaptureUnsupported = errors.New("not permitted while the stream is being captured")

	// ErrStreamCaptureInvalidated: an earlier error has spoiled the capture; it is wrapped as well.
	// CUDA's cudaErrorStreamCaptureInvalidated.
	ErrStreamCaptureInvalidated = errors.New("the capture was invalidated")

	// ErrStreamCaptureMerge: a stream of one capture waits for an event of another. CUDA's
	// cudaErrorStreamCaptureMerge.
	ErrStreamCaptureMerge = errors.New("two captures would become one")

	// ErrStreamCaptureUnmatched: a capture ends in another stream than it began in. CUDA's
	// cudaErrorStreamCaptureUnmatched.
	ErrStreamCaptureUnmatched = errors.New("the capture was not begun in this stream")

	// ErrStreamCaptureUnjoined: a capture ends before its stream waits for what other streams have
	// done in it. CUDA's cudaErrorStreamCaptureUnjoined.
	ErrStreamCaptureUnjoined = errors.New("the capture has streams that were not joined")

	// ErrStreamCaptureImplicit: work of the legacy default stream would wait for a stream that is
	// being captured; see [WithLegacyStream]. CUDA's cudaErrorStreamCaptureImplicit.
	ErrStreamCaptureImplicit = errors.New("the legacy default stream would wait for a stream that is being captured")

	// ErrStreamCaptureIsolation: a captured stream waits for work that is not captured. CUDA's
	// cudaErrorStreamCaptureIsolation.
	ErrStreamCaptureIsolation = errors.New("a dependency would cross the border of the capture")

	// ErrCapturedEvent: an event that was last recorded in a capture never happens. It can't be
	// queried or synchronized with; a stream that waits for it joins the capture. CUDA's
	// cudaErrorCapturedEvent.
	ErrCapturedEvent = errors.New("the event was recorded in a capture")
)

// Errors of the threads of a block meeting each other. They arrive inside a [KernelError].
var (
	// ErrBarrierDeadlock: no thread of the block can go on, since some wait at a barrier and others at
	// a warp operation that can't complete. CUDA has no error for it; the kernel hangs until
	// cudaErrorLaunchTimeout.
	ErrBarrierDeadlock = errors.New("barrier deadlock")

	// ErrBarrierDivergence: threads of a block wait at different kinds of barrier or, in checked mode,
	// at different places of the program. Undefined in CUDA; compute-sanitizer's synccheck reports it.
	ErrBarrierDivergence = errors.New("divergent barrier")

	// ErrWarpDivergence: lanes that name each other in their masks call different warp operations.
	// Undefined in CUDA.
	ErrWarpDivergence = errors.New("divergent warp operation")

	// ErrInvalidMask: a thread calls a warp operation with a mask that does not name its own lane.
	// Undefined in CUDA.
	ErrInvalidMask = errors.New("the caller is not in its mask")

	// ErrInactiveLane: a shuffle reads from a lane that takes no part in it. Undefined in CUDA.
	ErrInactiveLane = errors.New("shuffle from an inactive lane")

	// ErrSharedMismatch: threads of a block disagree on the type or the length of a shared array.
	ErrSharedMismatch = errors.New("threads disagree on a shared array")
)

// errGoexit is the cause when a kernel ends by runtime.Goexit, for instance by calling FailNow of a
// testing.T.
var errGoexit = errors.New("the kernel called runtime.Goexit")

// A KernelError is what went wrong inside a kernel: a panic of its code, or a misuse of barriers and
// warp operations, which panics as well. errors.Is and errors.As reach the cause.
type KernelError struct {
	Kernel    string    // the kernel's name, such as main.reduce
	BlockIdx  grid.Dim3 // the block that failed
	ThreadIdx grid.Dim3 // the thread that failed; for a warp its first thread, for a block zero
	Unit      Unit      // whether a thread failed, a warp, or the block as a whole
	Value     any       // the value that the kernel panicked with
	Stack     []byte    // the stack at the panic, as runtime/debug.Stack prints it

	// File, with its path, and Line are where the kernel panicked: the innermost line of the stack
	// that is neither of Go's library nor of this module's packages. For a deadlock it is where the
	// first thread waits. Line is 0 if there is none.
	File string
	Line int

	outlived bool // an observer lets the launch go on
}

// Unit says what part of a block a [KernelError] is about.
type Unit int

const (
	UnitThread Unit = iota // one thread
	UnitWarp               // a warp of a warp kernel
	UnitBlock              // the block: the body of a block kernel, or a deadlock
)

// String returns "thread", "warp" or "block".
func (u Unit) String() string { return [...]string{"thread", "warp", "block"}[u] }

// Error returns a line such as
//
//	kernel main.reduce (reduce.go:21): block (3,0,0) thread (17,0,0): index out of range [256] with length 256
func (e *KernelError) Error() string {
	var where string
	switch e.Unit {
	case UnitThread:
		where = " thread " + e.ThreadIdx.String()
	case UnitWarp:
		where = " warp at thread " + e.ThreadIdx.String()
	}
	return fmt.Sprintf("kernel %s%s: block %v%s: %s", e.Kernel, place{e.File, e.Line}.bracketed(), e.BlockIdx, where, panicText(e.Value))
}

// panicText describes a value that was panicked with. The runtime's panics say "runtime error: "
// first; that it was a panic is understood here.
func panicText(v any) string { return strings.TrimPrefix(fmt.Sprint(v), "runtime error: ") }

func (e *KernelError) setPlace(p place) { e.File, e.Line = p.file, p.line }

// Unwrap returns the panic value if it is an error.
func (e *KernelError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
