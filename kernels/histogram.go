package kernels

import (
	"context"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The histogram of bytes (Podlozhnyuk, Histogram calculation in CUDA, 2007; Kirk and Hwu, chapter
// 9). It teaches atomic operations and how to need few of the dear ones: each block counts into its
// own 256 counters in shared memory, and only at the end adds those to the counters of all.
//
// It also teaches the loop over more data than threads: the grid has a size that suits the machine,
// not the data, and each block has a part of the bytes, of which a thread takes each 256th. More
// bytes a block mean fewer additions to global memory. The bytes of a block are neighbours. Spread
// over the whole array, as in a grid-stride loop, they would lie on as many pages as there are
// rounds.

const (
	histogramBins   = 256 // values of a byte, and threads of a block: a thread has a bin to clear and to add
	histogramBlocks = 32  // blocks at most
)

// histogram is the program of one thread.
//
//gocuda:kernel
func histogram(t *gocuda.Thread, n int, data []byte, counts []uint32) {
	bins := gocuda.Shared[uint32](t, histogramBins)
	tid := t.ThreadIdx.X
	bins[tid] = 0
	t.SyncThreads()
	part := (n + t.GridDim.X - 1) / t.GridDim.X
	first := t.BlockIdx.X * part
	end := min(first+part, n)
	for i := first + tid; i < end; i += t.BlockDim.X {
		atomic.Add(&bins[data[i]], 1)
	}
	t.SyncThreads()
	atomic.Add(&counts[tid], bins[tid])
}

// Histogram adds to counts[v] how many bytes of data have the value v, for all 256 values; counts must
// have that length. It adds so that the counts of several pieces can be taken together; clear counts
// to begin anew. Counts wrap around at 2^32.
func Histogram(ctx context.Context, on Launcher, data []byte, counts []uint32) error {
	if err := check.Lengths("histogram, bins", len(counts), histogramBins); err != nil {
		return err
	}
	n := len(data)
	cfg := grid.Linear(n, histogramBins)
	cfg.Grid.X = min(cfg.Grid.X, histogramBlocks)
	return on.Launch(ctx, cfg, histogramKernel(n, data, counts))
}
