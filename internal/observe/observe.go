// Package observe is how the runtime tells an observer what a launch does: the hook behind package
// gocuda/rt/probe. Without an observer Hook is nil, and the runtime asks no more than that.
package observe

import (
	"unsafe"

	"github.com/gocuda/gocuda/grid"
)

// A Launch is one launch of a kernel.
type Launch struct {
	ID    int // from 1, in the order in which launches are prepared
	Name  string
	Grid  grid.Dim3
	Block grid.Dim3
	Tool  any // for the observer
}

// A Block is one thread block of a launch.
type Block struct {
	Launch  *Launch
	Idx     grid.Dim3
	Index   int // linear, x fastest
	Threads int
	Warps   bool // its strands are warps: a rank is the number of a warp
	Apart   bool // its strands are goroutines that run at the same time
	Tool    any  // for the observer
}

// Hooks is an observer. Calls come from the goroutines of the runtime; those for one block come one
// after another, also on the executor with a goroutine for each thread.
type Hooks interface {
	LaunchBegin(l *Launch)
	LaunchEnd(l *Launch)
	BlockBegin(b *Block)
	BlockEnd(b *Block)
	// Shared says that the block has a shared array of n bytes at addr, with undefined contents.
	Shared(b *Block, addr uintptr, n int)
	// Barrier says that all threads of the block that have not returned have met.
	Barrier(b *Block)
	// Warp says that the given lanes of a warp have met.
	Warp(b *Block, warp int, lanes uint32)
	// Group says that the threads in the sets have met, one word of 32 threads after another.
	Group(b *Block, sets []uint32)
	// Grid says that the block has passed the barrier of the grid, and how many it passed before.
	Grid(b *Block, phase uint64)
	// Fence says that a thread has called Threadfence or one of its kin.
	Fence(b *Block, rank int)
	// Failed says that the kernel panicked with v in a thread.
	Failed(b *Block, rank int, v any)
	// Alloc and Free tell of device memory of n bytes; that of Alloc has undefined contents.
	Alloc(p unsafe.Pointer, n int)
	Free(addr uintptr, n int)
}

// Hook is the observer. It is set before the first launch and stays.
var Hook Hooks

// Current returns the block and the rank of the thread that the calling goroutine runs. The rank is
// Threads of the block for the body of a block kernel. The block is nil on goroutines of the host.
// Package gocuda sets it.
var Current = func() (*Block, int) { return nil, 0 }

// OnStack reports whether an address is on the stack of the calling goroutine, where it can tell: such
// memory is the thread's own. Package gocuda sets it.
var OnStack = func(addr uintptr) bool { return false }
