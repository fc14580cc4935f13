package sparse

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The second kernel of the text for sparse matrices, after one thread a row ([SpMV]): shared
// memory as a cache that the program manages (Nickolls and Kirk, figure B.8.5, 2009). In many
// matrices, and above all in those that were ordered for it, row i has its elements near column i,
// and so have the rows around it. So the block of rows i to j loads x[i] to x[j] into shared
// memory, once each, and its threads take from there what lies in this window, and the rest from
// global memory.
//
// On a GeForce 8800 Ultra, which had no cache for global memory, that made 920 million elements a
// second of 772, for Laplacians of surfaces. A processor keeps the neighbourhood of x in its cache
// anyway; there the window saves nothing, and costs each element a branch that is hard to predict:
// a fifth to two thirds more time than without.

// cachedThreads is the number of threads and of rows of a block, and of the elements of its window.
const cachedThreads = 256

// cached is the program of one thread, one row. The first row of the launch is first. The matrix
// need not be square: the window ends where x does, and a thread beyond the last row still loads
// its element.
//
//gocuda:kernel
func cached(t *gocuda.Thread, first, rows int, rowPtr, col []int32, val, x, y []float32) {
	window := gocuda.Shared[float32](t, cachedThreads)
	begin := first + t.BlockIdx.X*cachedThreads
	end := min(begin+cachedThreads, len(x))
	tid := t.ThreadIdx.X
	row := begin + tid
	if row < end {
		window[tid] = x[row]
	}
	t.SyncThreads()
	if row < rows {
		var sum float32
		last := rowPtr[row+1]
		for k := rowPtr[row]; k < last; k++ {
			j := int(col[k])
			if j >= begin && j < end {
				sum += val[k] * window[j-begin]
			} else {
				sum += val[k] * x[j]
			}
		}
		y[row] = sum
	}
}

// SpMVCached computes y = m x as [SpMV] does, with the additions in the same order: a
// thread computes a row, and a block keeps the elements of x that have the numbers of its rows in
// shared memory. [WindowShare] tells how many elements of a matrix find theirs there. m should be
// valid (see [CSR.Validate]); a column that does not exist is found by its thread, and
// comes back as a *gocuda.KernelError. x and y must not overlap.
func SpMVCached(ctx context.Context, on kernels.Launcher, m *CSR, x, y []float32) error {
	return byRows(ctx, on, "SpMV, cached", m, x, y, cachedThreads, 1, cachedKernel)
}

// WindowShare returns the share of the elements of m, 0 to 1, whose column lies in the window that
// the block of their row has in shared memory in [SpMVCached]; the rest go to global memory. It is
// 0 for a matrix without elements. m should be valid.
func WindowShare(m *CSR) float64 {
	within := 0
	for row := range m.Rows {
		for _, c := range m.Col[m.RowPtr[row]:m.RowPtr[row+1]] {
			if int(c)/cachedThreads == row/cachedThreads {
				within++
			}
		}
	}
	return float64(within) / float64(max(len(m.Col), 1))
}
