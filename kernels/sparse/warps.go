package sparse

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// A warp a row: the vector kernel for CSR (Bell and Garland, Efficient Sparse Matrix-Vector
// Multiplication on CUDA, 2008, section 4.3). Where a thread has a row, the lanes of a warp read
// places of the matrix that are a row apart, and all wait for the longest row. Where the lanes of a
// warp share a row, they read neighbours. In return they have 32 partial sums to add up, in five
// rounds of shuffles, and with rows much shorter than 32 most lanes have nothing to do. So it is
// for matrices with long rows: on a GPU, and here with AVX-512, where a shuffle is an instruction.
// In plain Go a shuffle is a loop over the lanes, and a loop over the row by one thread is faster.

const (
	vectorLanes = 32 // the width of a block: a warp
	vectorRows  = 8  // the height of a block: the rows of the matrix that it computes
)

// vector is the program of one lane: every 32nd element of a row.
//
//gocuda:kernel fastmath
func vector(t *gocuda.Thread, first, rows int, rowPtr, col []int32, val, x, y []float32) {
	lane, row := t.ThreadIdx.X, first+t.GlobalY()
	var sum float32
	if row < rows {
		for k := int(rowPtr[row]); k < int(rowPtr[row+1]); k += 32 {
			if k+lane < int(rowPtr[row+1]) {
				sum += val[k+lane] * x[col[k+lane]]
			}
		}
	}
	for d := 16; d > 0; d /= 2 {
		sum += gocuda.ShflDownSync(t, gocuda.FullMask, sum, d, 32)
	}
	if lane == 0 && row < rows {
		y[row] = sum
	}
}

// SpMVVector computes y = m x with a warp a row. It adds up in another order than [SpMV]:
// of a row of k elements each lane adds up k/32, and five rounds add up the lanes, so the error is
// at most that of k/32+6 roundings, relative to the sum of the absolute products. Otherwise it is
// as [SpMVCached].
func SpMVVector(ctx context.Context, on kernels.Launcher, m *CSR, x, y []float32) error {
	return byRows(ctx, on, "SpMV, vector", m, x, y, vectorRows, vectorLanes, vectorKernel)
}
