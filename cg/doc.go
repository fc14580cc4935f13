// Package cg is CUDA's cooperative groups: sets of threads of a kernel that synchronize, exchange
// values and reduce them, under the names of cooperative_groups.h.
//
//	sum := func(t *gocuda.Thread) {
//		block := cg.ThisThreadBlock(t)
//		tile := cg.TiledPartition(block, 32)
//		s := cg.Reduce(tile, x[t.GlobalX()], cg.Plus[float32])
//		if tile.ThreadRank() == 0 {
//			atomic.Add(&total, s)
//		}
//	}
//
// # Groups
//
// A [ThreadBlock] is the block. A [Tile] is a part of it: one of the tiles of a [TiledPartition],
// CUDA's thread_block_tile, or threads that were chosen at run time, CUDA's coalesced_group, which
// [CoalescedThreads], [LabeledPartition] and [BinaryPartition] return. A [GridGroup] is the whole
// grid. All are small values that belong to one thread, to be made anew in each thread of the
// group.
//
// Operations of a group are for all of its threads, as in CUDA: each must call them, in the same
// order. A group within a warp waits as warp operations do, for those of its threads that have not
// returned. Shuffles are functions, since Go's methods have no type parameters.
//
// # Errors
//
// Wrong sizes and the like are panics with errors of package gocuda, and so come back from the
// launch as a [gocuda.KernelError]. Groups that wait for each other in vain are a
// [gocuda.ErrBarrierDeadlock].
//
// Multi-grid groups and clusters are not there.
package cg
