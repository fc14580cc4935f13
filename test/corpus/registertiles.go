//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Arrays of a thread's own that live across barriers: the sums of tiles that threads keep in registers.

const (
	rtRows, rtColumns, rtDepth = 32, 32, 8 // the tile of a block
	rtHigh, rtWide             = 4, 8      // of a thread
)

// A tile of products in an array, with factors in two others.
//
//gocuda:kernel
func rtProducts(t *gocuda.Thread, n int, in []float32, out []float32) {
	a := gocuda.Shared[float32](t, rtRows*rtDepth)
	b := gocuda.Shared[float32](t, rtDepth*rtColumns)
	tid := t.ThreadIdx.X
	row, col := tid/(rtColumns/rtWide), tid%(rtColumns/rtWide)
	const threads = rtRows * rtColumns / (rtHigh * rtWide)
	var sums [rtHigh * rtWide]float32
	var left [rtHigh]float32
	var right [rtWide]float32
	for k := 0; k < n; k += rtDepth {
		for o := tid; o < rtRows*rtDepth; o += threads {
			a[o] = in[(t.BlockIdx.Y*rtRows+o/rtDepth)*n+k+o%rtDepth]
		}
		for o := tid; o < rtColumns*rtDepth; o += threads {
			b[o] = in[(k+o/rtColumns)*n+t.BlockIdx.X*rtColumns+o%rtColumns]
		}
		t.SyncThreads()
		for d := range rtDepth {
			for i := range left {
				left[i] = a[(row*rtHigh+i)*rtDepth+d]
			}
			for j := range right {
				right[j] = b[d*rtColumns+col*rtWide+j]
			}
			for i := range left {
				for j := range right {
					sums[i*rtWide+j] += left[i] * right[j]
				}
			}
		}
		t.SyncThreads()
	}
	for i := range left {
		for j := range right {
			out[(t.BlockIdx.Y*rtRows+row*rtHigh+i)*n+t.BlockIdx.X*rtColumns+col*rtWide+j] = sums[i*rtWide+j]
		}
	}
}

func rtProductsWant(_ grid.Config, in, out []float32) {
	for y := range rtSide {
		for x := range rtSide {
			sum := float32(0)
			for k := range rtSide {
				sum += float32(in[y*rtSide+k] * in[k*rtSide+x])
			}
			out[y*rtSide+x] = sum
		}
	}
}

// The same with an array of arrays in blocks of 8 by 8 threads.
//
//gocuda:kernel
func rtSquares(t *gocuda.Thread, n int, in []float32, out []float32) {
	const tile, w = 32, 4
	a := gocuda.Shared[[tile]float32](t, tile)
	b := gocuda.Shared[[tile]float32](t, tile)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	row, col := t.BlockIdx.Y*tile+ty*w, t.BlockIdx.X*tile+tx*w
	var sums [w][w]float32
	for m := 0; m < n; m += tile {
		for i := range w {
			for j := range w {
				a[ty*w+i][tx*w+j] = in[(row+i)*n+m+tx*w+j]
				b[ty*w+i][tx*w+j] = in[(m+ty*w+i)*n+col+j]
			}
		}
		t.SyncThreads()
		for k := range tile {
			for i := range w {
				for j := range w {
					sums[i][j] += a[ty*w+i][k] * b[k][tx*w+j]
				}
			}
		}
		t.SyncThreads()
	}
	for i := range sums {
		for j, v := range sums[i] {
			out[(row+i)*n+col+j] = v
		}
	}
}

// Histories of the last values, in an array that is copied as a whole, chosen by data, and kept by some
// threads only.
//
//gocuda:kernel
func rtHistories(t *gocuda.Thread, rounds int, in, out []int64) {
	i, tid, n := t.GlobalX(), t.ThreadIdx.X, t.BlockDim.X
	x := gocuda.Shared[int64](t, n)
	x[tid] = in[i] & 63
	last := [5]int64{x[tid], 1, 2}
	var before [5]int64
	for r := range rounds {
		t.SyncThreads()
		v := x[(tid+r+1)%n]
		t.SyncThreads()
		if v%3 > 0 {
			before = last
			for k := len(last) - 1; k > 0; k-- {
				last[k] = last[k-1]
			}
			last[0] = v + last[4]
		}
		last[(v+int64(r))%5] ^= before[v%5]
		x[tid] = last[0] & 127
	}
	for k := range last {
		out[i] = out[i]*3 + last[k] - before[k]
	}
}

// Flags and bytes stay as they are.
//
//gocuda:kernel
func rtFlags(t *gocuda.Thread, rounds int, in, out []int64) {
	i, tid := t.GlobalX(), t.ThreadIdx.X
	x := gocuda.Shared[int64](t, t.BlockDim.X)
	var seen [4]bool
	var counts [6]uint8
	x[tid] = in[i] & 1023
	for r := range rounds {
		t.SyncThreads()
		v := x[(tid*7+r)%t.BlockDim.X]
		seen[v%4] = true
		counts[v%6]++
		t.SyncThreads()
	}
	for k, c := range counts {
		out[i] += int64(c) << (8 * k)
		if seen[k%4] {
			out[i]++
		}
	}
}

const rtSide = 96

func rtCases() []Case {
	squares := func(name string, block grid.Dim3, source func(t *gocuda.Thread, n int, in, out []float32), compiled func(n int, in, out []float32) gocuda.Kernel) Case {
		cfg := grid.Config{Grid: grid.Dim3{X: rtSide / 32, Y: rtSide / 32}, Block: block}
		return Case{Name: name, Configs: []grid.Config{cfg}, Make: func(cfg grid.Config) Instance {
			in, out := data[float32](rtSide*rtSide), make([]float32, rtSide*rtSide)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, rtSide, in, out) }),
				Compiled: compiled(rtSide, in, out),
				Outputs:  []any{out},
				Want: func() []any {
					out := make([]float32, rtSide*rtSide)
					rtProductsWant(cfg, in, out)
					return []any{out}
				},
			}
		}}
	}
	return []Case{
		squares("rtProducts", grid.Dim3{X: rtRows * rtColumns / (rtHigh * rtWide)}, rtProducts, rtProductsKernel),
		squares("rtSquares", grid.Dim3{X: 8, Y: 8}, rtSquares, rtSquaresKernel),
		perThread("rtHistories", linear,
			func(t *gocuda.Thread, in, out []int64) { rtHistories(t, 5, in, out) },
			func(in, out []int64) gocuda.Kernel { return rtHistoriesKernel(5, in, out) }, nil),
		perThread("rtFlags", linear,
			func(t *gocuda.Thread, in, out []int64) { rtFlags(t, 9, in, out) },
			func(in, out []int64) gocuda.Kernel { return rtFlagsKernel(9, in, out) }, nil),
	}
}
