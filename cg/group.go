package cg

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A Group is what all groups have: the interface of CUDA's thread_group.
type Group interface {
	// Sync waits until all threads of the group have called it, and makes their writes visible.
	Sync()
	// Size returns the number of threads: size and num_threads.
	Size() int
	// ThreadRank returns the number of the calling thread in the group, from 0.
	ThreadRank() int
}

// Sync is g.Sync(), CUDA's cg::sync.
func Sync(g Group) { g.Sync() }

// InvokeOne calls f in one thread of the group, CUDA's invoke_one. CUDA leaves open which; here it
// is the one of rank 0. The others don't wait.
func InvokeOne(g Group, f func()) {
	if g.ThreadRank() == 0 {
		f()
	}
}

// InvokeOneBroadcast calls f in the thread of rank 0 and returns its result in all, CUDA's
// invoke_one_broadcast.
func InvokeOneBroadcast[T any](g Tile, f func() T) T {
	var v T
	if g.ThreadRank() == 0 {
		v = f()
	}
	return Shfl(g, v, 0)
}

// A Part is a group that can be divided: a [ThreadBlock] or a [Tile].
type Part interface {
	Group
	part() Tile
}

// A ThreadBlock is the block of a thread: CUDA's thread_block.
type ThreadBlock struct{ t *gocuda.Thread }

// ThisThreadBlock returns the block of t, CUDA's this_thread_block.
func ThisThreadBlock(t *gocuda.Thread) ThreadBlock { return ThreadBlock{t} }

// Sync waits for all threads of the block, as [gocuda.Thread.SyncThreads] does.
func (b ThreadBlock) Sync() { b.t.SyncThreads() }

// Size returns the number of threads of the block.
func (b ThreadBlock) Size() int { return b.t.BlockDim.Size() }

// ThreadRank returns the number of the thread in the block, with x running fastest.
func (b ThreadBlock) ThreadRank() int { return b.t.Rank() }

// GroupIndex returns the index of the block in the grid, blockIdx.
func (b ThreadBlock) GroupIndex() grid.Dim3 { return b.t.BlockIdx }

// ThreadIndex returns the index of the thread in the block, threadIdx.
func (b ThreadBlock) ThreadIndex() grid.Dim3 { return b.t.ThreadIdx }

// DimThreads returns the dimensions of the block, blockDim. CUDA also calls it group_dim.
func (b ThreadBlock) DimThreads() grid.Dim3 { return b.t.BlockDim }

// BarrierArrive arrives at the block's barrier without waiting; see [gocuda.Thread.Arrive].
func (b ThreadBlock) BarrierArrive() gocuda.Arrival { return b.t.Arrive() }

// BarrierWait waits for the others; see [gocuda.Thread.Wait].
func (b ThreadBlock) BarrierWait(arrival gocuda.Arrival) { b.t.Wait(arrival) }

func (b ThreadBlock) part() Tile {
	return Tile{t: b.t, size: b.Size(), rank: b.t.Rank(), metaSize: 1}
}

// A GridGroup is all threads of the grid: CUDA's grid_group. It can synchronize only in a
// cooperative launch, see [gocuda.Device.LaunchCooperative].
type GridGroup struct{ t *gocuda.Thread }

// ThisGrid returns the grid of t, CUDA's this_grid.
func ThisGrid(t *gocuda.Thread) GridGroup { return GridGroup{t} }

// IsValid reports whether the grid can synchronize, is_valid.
func (g GridGroup) IsValid() bool { return g.t.Cooperative() }

// Sync waits for all threads of the grid; see [gocuda.Thread.SyncGrid]. It fails with
// [gocuda.ErrNotPermitted] where IsValid is false.
func (g GridGroup) Sync() { g.t.SyncGrid() }

// Size returns the number of threads of the grid.
func (g GridGroup) Size() int { return g.NumBlocks() * g.t.BlockDim.Size() }

// ThreadRank returns the number of the thread in the grid: block after block, in each as in the block.
func (g GridGroup) ThreadRank() int { return g.BlockRank()*g.t.BlockDim.Size() + g.t.Rank() }

// NumBlocks returns the number of blocks of the grid.
func (g GridGroup) NumBlocks() int { return g.t.GridDim.Size() }

// BlockRank returns the number of the block in the grid, with x running fastest.
func (g GridGroup) BlockRank() int { return g.t.GridDim.Linear(g.t.BlockIdx) }

// BlockIndex returns the index of the block in the grid, blockIdx.
func (g GridGroup) BlockIndex() grid.Dim3 { return g.t.BlockIdx }

// DimBlocks returns the dimensions of the grid, gridDim. CUDA also calls it group_dim.
func (g GridGroup) DimBlocks() grid.Dim3 { return g.t.GridDim }

// BarrierArrive arrives at the grid's barrier without waiting; see [gocuda.Thread.ArriveGrid].
func (g GridGroup) BarrierArrive() gocuda.GridArrival { return g.t.ArriveGrid() }

// BarrierWait waits for the others; see [gocuda.Thread.WaitGrid].
func (g GridGroup) BarrierWait(arrival gocuda.GridArrival) { g.t.WaitGrid(arrival) }
