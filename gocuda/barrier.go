package gocuda

// SyncThreads waits until every thread of the block has called it or returned, CUDA's __syncthreads
// on devices of compute capability 7.0 and later. After it, all threads see what any thread wrote
// to shared or global memory before it.
//
// The threads of a block must all come to the same barriers. If some can't, because they wait at a warp
// operation for threads that wait here, the launch fails with [ErrBarrierDeadlock]. In checked mode
// threads that wait at different places of the program are an [ErrBarrierDivergence].
func (t *Thread) SyncThreads() {
	t.mayWait(opSyncThreads)
	t.barrier(opSyncThreads, false)
}

// SyncThreadsCount is SyncThreads, and returns for how many threads pred was true, CUDA's
// __syncthreads_count. Threads that have returned don't count.
func (t *Thread) SyncThreadsCount(pred bool) int {
	t.mayWait(opSyncThreadsCount)
	return t.barrier(opSyncThreadsCount, pred)
}

// SyncThreadsAnd is SyncThreads, and reports whether pred was true for all threads that have not
// returned, CUDA's __syncthreads_and.
func (t *Thread) SyncThreadsAnd(pred bool) bool {
	t.mayWait(opSyncThreadsAnd)
	return t.barrier(opSyncThreadsAnd, pred) != 0
}

// SyncThreadsOr is SyncThreads, and reports whether pred was true for any thread, CUDA's
// __syncthreads_or.
func (t *Thread) SyncThreadsOr(pred bool) bool {
	t.mayWait(opSyncThreadsOr)
	return t.barrier(opSyncThreadsOr, pred) != 0
}

// SyncThreads waits until every warp of the block has called it or returned.
func (w *Warp) SyncThreads() { w.barrier(opSyncThreads, false) }
