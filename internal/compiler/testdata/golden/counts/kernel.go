// Package counts counts bytes in shared memory, and the threads that are here in one place of global memory.
package counts

import (
	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
)

//gocuda:kernel
func histogram(t *gocuda.Thread, data []byte, counts, threads []uint32) {
	own := gocuda.Shared[uint32](t, 256)
	own[t.ThreadIdx.X] = 0
	t.SyncThreads()
	for i := t.GlobalX(); i < len(data); i += t.GridDim.X * t.BlockDim.X {
		atomic.Add(&own[data[i]], 1)
	}
	t.SyncThreads()
	atomic.Add(&counts[t.ThreadIdx.X], own[t.ThreadIdx.X])
	atomic.Add(&threads[0], 1)
}
