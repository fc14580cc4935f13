package gocuda

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gocuda/gocuda/grid"
)

// FullMask names all 32 lanes of a warp in the mask of a warp operation. Lanes that don't exist, in a
// partial last warp, or that have returned are not waited for.
const FullMask = grid.FullMask

// A Thread is what a thread kernel receives: who it is, and what it can do together with others. It is
// valid until the kernel returns, and only for the kernel's own use: a goroutine that a kernel starts
// must not use it.
type Thread struct {
	ThreadIdx grid.Dim3 // of this thread in its block: threadIdx
	BlockIdx  grid.Dim3 // of its block in the grid: blockIdx
	BlockDim  grid.Dim3 // threads of a block, with Y and Z at least 1: blockDim
	GridDim   grid.Dim3 // blocks of the grid, with Y and Z at least 1: gridDim

	strand
	phase bool          // in ForEach: it can't wait
	fence atomic.Uint32 // see Threadfence
}

// GlobalX returns blockIdx.x*blockDim.x + threadIdx.x, the thread's place in the grid along x.
func (t *Thread) GlobalX() int { return t.BlockIdx.X*t.BlockDim.X + t.ThreadIdx.X }

// GlobalY returns blockIdx.y*blockDim.y + threadIdx.y.
func (t *Thread) GlobalY() int { return t.BlockIdx.Y*t.BlockDim.Y + t.ThreadIdx.Y }

// GlobalZ returns blockIdx.z*blockDim.z + threadIdx.z.
func (t *Thread) GlobalZ() int { return t.BlockIdx.Z*t.BlockDim.Z + t.ThreadIdx.Z }

// Rank returns the thread's number in its block, from 0, with x running fastest.
func (t *Thread) Rank() int { return t.id }

// LaneID returns the thread's place in its warp, 0 to 31: Rank modulo 32.
func (t *Thread) LaneID() int { return t.id % grid.WarpSize }

// WarpID returns the number of the thread's warp in its block, Rank / 32.
func (t *Thread) WarpID() int { return t.id / grid.WarpSize }

// mayWait panics in a phase whose threads can't wait.
func (t *Thread) mayWait(kind op) {
	if t.phase {
		panic(fmt.Errorf("%w: %v in ForEach; use Threads", ErrNotPermitted, kind))
	}
	t.b.require(kind)
}

// Threadfence orders the thread's memory accesses: other threads of the device see those before the
// call before those after it. CUDA's __threadfence.
//
// The operations of package atomic order memory by themselves, so a fence is only needed where CUDA
// needs one: never for correctness here, but a kernel that is to run on a GPU should have it.
func (t *Thread) Threadfence() {
	t.fence.Add(1) // a full barrier on every processor
	t.observeFence()
}

// ThreadfenceBlock is [Thread.Threadfence] for the threads of the block, CUDA's __threadfence_block.
func (t *Thread) ThreadfenceBlock() {
	t.fence.Add(1)
	t.observeFence()
}

// ThreadfenceSystem is [Thread.Threadfence] for all devices and the host, CUDA's __threadfence_system.
func (t *Thread) ThreadfenceSystem() {
	t.fence.Add(1)
	t.observeFence()
}

var clockStart = time.Now()

// Clock returns a counter that runs while the thread does, to measure parts of a kernel: CUDA's
// clock64. It counts nanoseconds, and is the same for all threads.
func (t *Thread) Clock() int64 { return int64(time.Since(clockStart)) }

// Nanosleep lets other threads of the block run, and suspends the thread for about d: CUDA's
// __nanosleep. A loop that waits for another thread of its block to change memory must call it: threads
// that don't wait run one after another, so the other one might never come to run otherwise.
func (t *Thread) Nanosleep(d time.Duration) {
	t.mayWait(opNanosleep)
	t.nanosleep(d)
}

// Assert stops the kernel with a [KernelError] that matches [ErrAssert] if cond is false, CUDA's
// assert. The optional message is formatted as by fmt.Sprint.
func (t *Thread) Assert(cond bool, message ...any) {
	t.b.require(opAssert)
	if !cond {
		panic(assertion(message))
	}
}

func assertion(message []any) error {
	if len(message) == 0 {
		return ErrAssert
	}
	return fmt.Errorf("%w: %s", ErrAssert, fmt.Sprint(message...))
}
