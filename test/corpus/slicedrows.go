//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Rows and matrices as Go programs name them: slices of slices, structs with a slice and methods.
// Loops that are unrolled by hand, with what is left over in a second one; counters without a sign.

// Sums of rows by a slice of each, and of a part of it.
//
//gocuda:kernel
func srRows(t *gocuda.Thread, m int, in, out []float32) {
	n := len(in) / m
	i := t.GlobalX()
	row := min(i, m-1)
	r := in[row*n : row*n+n]
	part := r[1 : len(r)-1]
	sum := float32(0)
	for j, v := range r {
		sum += v * float32(j+1)
	}
	for _, v := range part {
		sum -= v
	}
	out[i] = sum + r[n-1] + part[len(part)/2]
}

// The same slices for all threads.
//
//gocuda:kernel
func srStencil(t *gocuda.Thread, w int, in, out []float32) {
	y, x := t.BlockIdx.X, t.ThreadIdx.X
	h := t.GridDim.X
	up, here := in[max(y-1, 0)*w:][:w], in[y*w:(y+1)*w]
	down := in[min(y+1, h-1)*w : min(y+1, h-1)*w+w]
	to := out[y*w : y*w+w]
	if x > 0 && x+1 < w {
		to[x] = up[x] + down[x] + here[x-1] + here[x+1] - 4*here[x]
	} else {
		to[x] = here[x]
	}
}

// An index that a slice does not have, though what it is a slice of has it.
//
//gocuda:kernel
func srBeyond(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	r := in[1:5]
	k := i % 4
	if unlucky(t, who) {
		k = 4
	}
	out[i] = r[k]
}

type srMatrix struct {
	rows, cols int
	data       []float32
}

func (m srMatrix) at(i, j int) float32      { return m.data[i*m.cols+j] }
func (m *srMatrix) put(i, j int, v float32) { m.data[i*m.cols+j] = v }
func (m *srMatrix) has(i, j int) bool       { return i < m.rows && j < m.cols }

// A product of matrices that are structs.
//
//gocuda:kernel
func srProduct(t *gocuda.Thread, a, b, c srMatrix) {
	i, j := t.GlobalX()/c.cols, t.GlobalX()%c.cols
	if !c.has(i, j) {
		return
	}
	sum := float32(0)
	for k := 0; k < a.cols; k++ {
		sum += a.at(i, k) * b.at(k, j)
	}
	c.put(i, j, sum)
}

// Rows unrolled by four, and the rest.
//
//gocuda:kernel
func srUnrolled(t *gocuda.Thread, in, out []float32) {
	i, n := t.GlobalX(), t.BlockDim.X
	sum, k := float32(0), 0
	if i%3 != 1 {
		for ; k+4 <= n; k += 4 {
			sum += in[k] * in[i]
			sum += in[k+1] - in[k+2]
			sum += in[k+3]
		}
		for ; k < n; k++ {
			sum += in[k]
		}
	}
	out[i] = sum + float32(k)
}

// The same, all threads together.
//
//gocuda:kernel
func srUnrolledAll(t *gocuda.Thread, in, out []float32) {
	i, n := t.GlobalX(), t.BlockDim.X
	sum, k := float32(0), 0
	for ; k+4 <= n; k += 4 {
		sum += in[k] * in[i]
		sum += in[k+1] - in[k+2]
		sum += in[k+3]
	}
	for ; k < n; k++ {
		sum -= in[k] + in[i]
	}
	out[i] = sum + float32(k)
}

// Sums that stay in memory, of loops in strides of which some threads have one round more.
//
//gocuda:kernel
func srStrides(t *gocuda.Thread, n int, in, out []float32) {
	i, tid, step := t.GlobalX(), t.ThreadIdx.X, t.BlockDim.X
	out[i] = 1
	for k := tid; k < n; k += step {
		out[i] += in[k]
	}
}

// Counters of 32 bits without a sign.
//
//gocuda:kernel
func srUnsigned(t *gocuda.Thread, in, out []uint32) {
	i := uint32(t.BlockIdx.X)*uint32(t.BlockDim.X) + uint32(t.ThreadIdx.X)
	n := uint32(t.BlockDim.X)
	v := uint32(0)
	for k := uint32(0); k < n; k++ {
		v += in[k] ^ k
	}
	for k := n; k > 0; k-- {
		v += in[k-1] << (k & 3)
	}
	for k := uint32(2); k <= n; k += 3 {
		v ^= in[k-1] + k*i
	}
	out[i] = v
}

var slicedRows = []Case{
	made("srRows", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out := data[float32](n*7), marked[float32](n)
		return func(t *gocuda.Thread) { srRows(t, n, in, out) }, srRowsKernel(n, in, out), []any{out}
	}, nil),
	made("srStencil", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[float32](cfg.Blocks()*cfg.Threads()), marked[float32](cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { srStencil(t, cfg.Threads(), in, out) }, srStencilKernel(cfg.Threads(), in, out), []any{out}
	}, func(cfg grid.Config) []any {
		h, w := cfg.Blocks(), cfg.Threads()
		in := data[float32](h * w)
		out := make([]float32, h*w)
		for y := range h {
			for x := range w {
				if out[y*w+x] = in[y*w+x]; x > 0 && x < w-1 {
					out[y*w+x] = in[max(y-1, 0)*w+x] + in[min(y+1, h-1)*w+x] + in[y*w+x-1] + in[y*w+x+1] - 4*in[y*w+x]
				}
			}
		}
		return []any{out}
	}),
	made("srProduct", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		c := srProductOf(cfg)
		return func(t *gocuda.Thread) { srProduct(t, c[0], c[1], c[2]) }, srProductKernel(c[0], c[1], c[2]), []any{c[2].data}
	}, func(cfg grid.Config) []any {
		m := srProductOf(cfg)
		a, b, c := m[0], m[1], m[2]
		for i := range c.rows {
			for j := range c.cols {
				c.data[i*c.cols+j] = 0
				for k := range a.cols {
					c.data[i*c.cols+j] += a.data[i*a.cols+k] * b.data[k*b.cols+j]
				}
			}
		}
		return []any{c.data}
	}),
	perThread("srUnrolled", linear, srUnrolled, srUnrolledKernel, nil),
	perThread("srUnrolledAll", linear, srUnrolledAll, srUnrolledAllKernel, nil),
	srStridesCase(3), srStridesCase(50), srStridesCase(333), srStridesCase(1500),
	perThread("srUnsigned", linear, srUnsigned, srUnsignedKernel, nil),
}

func srProductOf(cfg grid.Config) [3]srMatrix {
	n := cfg.Blocks() * cfg.Threads()
	cols := min(n, 9)
	rows := n / cols
	matrix := func(rows, cols int) srMatrix {
		m := srMatrix{rows, cols, make([]float32, rows*cols)}
		for i := range m.data {
			m.data[i] = float32(i%13 - 5)
		}
		return m
	}
	return [3]srMatrix{matrix(rows, 5), matrix(5, cols), matrix(rows, cols)}
}

var slicedFailures = []Failure{
	failure("srBeyond", 33, 7, srBeyond, srBeyondKernel, "index out of range [4] with length 4"),
	failure("srBeyond", 64, 40, srBeyond, srBeyondKernel, "index out of range [4] with length 4"),
}

func srStridesCase(n int) Case {
	return made(fmt.Sprint("srStrides-", n), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[float32](n), marked[float32](cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { srStrides(t, n, in, out) }, srStridesKernel(n, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		in, out := data[float32](n), make([]float32, cfg.Blocks()*cfg.Threads())
		for i := range out {
			out[i] = 1
			for k := i % cfg.Threads(); k < n; k += cfg.Threads() {
				out[i] += in[k]
			}
		}
		return []any{out}
	})
}
