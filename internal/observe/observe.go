// Package observe is how the runtime reports to an observer what a launch does: the hook behind
// package gocuda/rt/probe. Without an observer Hook is nil, and the runtime pays for that
// comparison only.
package observe

import (
	"unsafe"

	"github.com/gocuda/gocuda/grid"
)

// A Launch is one launch of a kernel.
type Launch struct {
	ID     int // from 1, in the order in which launches are asked for
	Name   string
	Grid   grid.Dim3
	Block  grid.Dim3
	Actor  *Actor // who launched it; nil for the host
	Nested bool   // a kernel launched it; set before its first block begins
	Tool   any    // for the observer
}

// An Actor does one thing after another: a stream, or a node of a graph. The host is the nil Actor,
// whatever the goroutine.
type Actor struct {
	Launch int       // the number of the launch that it is about to make; 0 for the next one
	Call   []uintptr // the callers of what queued the work that it does at present, if that is known
	Tool   any       // for the observer
}

// An Allocation is a piece of device memory.
type Allocation struct {
	Ptr   unsafe.Pointer
	Bytes int
	// Memory in the order of a stream: it can be used once the stream has come to the allocation,
	// and until it comes to the free.
	Ordered bool
	Tool    any // for the observer
}

// A Cell passes on the order of events. A thread that acquires it is ordered after everything that
// other threads did before they released it.
type Cell struct {
	Tool any // for the observer
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
	// Release says that a thread has come to a barrier that the cell stands for, and Acquire that
	// the barrier lets it go on.
	Release(b *Block, rank int, c *Cell)
	Acquire(b *Block, rank int, c *Cell)
	// ReleaseActor and AcquireActor say the same of the host, a stream or a node of a graph.
	ReleaseActor(a *Actor, c *Cell)
	AcquireActor(a *Actor, c *Cell)
	// HostCall says that the actor calls a function of the host's.
	HostCall(a *Actor)
	// Grid says that the block has passed the barrier of the grid, and how many it passed before.
	Grid(b *Block, phase uint64)
	// Fence says that a thread has called Threadfence or one of its kin.
	Fence(b *Block, rank int)
	// Failed says that the kernel panicked with v in a thread, while that is being recovered. If it
	// returns true the thread counts as returned, and the launch fails at its end: others may have
	// faults of their own.
	Failed(b *Block, rank int, v any) (goOn bool)
	// Stuck says that the block can't go on, with the threads that wait.
	Stuck(b *Block, ranks []int)
	// Alloc and Free tell of device memory, whose contents are undefined at first. If later is
	// true, Gone says when the stream has come to the free; Ready says likewise of ordered memory
	// that its stream has come to the allocation.
	Alloc(a *Allocation)
	Ready(a *Allocation)
	Free(a *Allocation, later bool)
	Gone(a *Allocation)
	// FreeAgain says that memory is freed which was freed before.
	FreeAgain(a *Allocation)
	// Pitch says that the memory has rows of stride bytes each, of which the first width are elements.
	Pitch(a *Allocation, width, stride int)
	// Touch says that a copy or a fill, not a kernel, reads or writes n bytes.
	Touch(p unsafe.Pointer, n int, write bool)
}

// Hook is the observer. It is set before the first launch and stays.
var Hook Hooks

// Current returns the block and the rank of the thread that the calling goroutine runs. The rank is
// Threads of the block for the body of a block kernel. The block is nil on goroutines of the host.
// Package gocuda sets it.
var Current = func() (*Block, int) { return nil, 0 }

// CurrentActor returns the stream or the node of a graph whose work the calling goroutine does, or
// nil for the host. Package gocuda sets it.
var CurrentActor = func() *Actor { return nil }

// OnStack reports whether an address is on the stack of the calling goroutine, where it can tell: such
// memory is the thread's own. Package gocuda sets it.
var OnStack = func(addr uintptr) bool { return false }
