//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Numbers that are products of places and counters, as in distances.

// Distances within a window.
//
//gocuda:kernel
func sqWindow(t *gocuda.Thread, r int, in, out []float32) {
	i := t.GlobalX()
	var sum float32
	for dy := -r; dy <= r; dy++ {
		for dx := -r; dx <= r; dx++ {
			sum += in[i] / float32(1+dx*dx+dy*dy)
		}
	}
	out[i] = sum
}

// Distances to a point, and their products with a counter.
//
//gocuda:kernel
func sqPlane(t *gocuda.Thread, w, h, cx, cy int, near []int32, sums []float64) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	d := (x-cx)*(x-cx) + (y-cy)*(y-cy)
	near[y*w+x] = int32(d)
	s := 0.0
	for k := 0; k < 5; k++ {
		s += float64(d*k - x*y)
	}
	sums[y*w+x] = s
}

// Powers of the place, which wrap around.
//
//gocuda:kernel
func sqPowers(t *gocuda.Thread, n int, out []uint32, long []int64) {
	i := t.GlobalX()
	if i < n {
		out[i] = uint32(i*i*i*i*i) + uint32(i*n)
		long[i] = int64(i) * int64(i) * int64(n-i)
	}
}

// Numbers that 32 bits don't have, from places that are far.
//
//gocuda:kernel
func sqFar(t *gocuda.Thread, far int, out []float64) {
	i := t.GlobalX()
	out[i] = float64((far + i) * (far - i))
}

// A triangle of pairs.
//
//gocuda:kernel
func sqPairs(t *gocuda.Thread, n int, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := int32(0)
	for j := 0; j < n; j++ {
		if j != i {
			s += int32(i*j) % 7
		}
		if j*j < i {
			s -= int32(j)
		}
	}
	out[i] = s
}

func sqCases() []Case {
	total := func(cfg grid.Config) int { return cfg.Blocks() * cfg.Threads() }
	cases := []Case{
		made("sqWindow", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := rsNumbers[float32](total(cfg), 0), marked[float32](total(cfg))
			return func(t *gocuda.Thread) { sqWindow(t, 3, in, out) }, sqWindowKernel(3, in, out), []any{out}
		}, nil),
		made("sqPlane", []grid.Config{grid.Box(2, 2, 1, 16, 8, 1), grid.Box(3, 5, 1, 7, 3, 1)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			near, sums := marked[int32](19*14), marked[float64](19*14)
			return func(t *gocuda.Thread) { sqPlane(t, 19, 14, 5, 11, near, sums) }, sqPlaneKernel(19, 14, 5, 11, near, sums), []any{near, sums}
		}, func(cfg grid.Config) []any {
			near, sums := marked[int32](19*14), marked[float64](19*14)
			for y := range min(14, cfg.Grid.Y*cfg.Block.Y) {
				for x := range min(19, cfg.Grid.X*cfg.Block.X) {
					d := x*x - 10*x + 25 + y*y - 22*y + 121
					near[y*19+x], sums[y*19+x] = int32(d), float64(10*d-5*x*y)
				}
			}
			return []any{near, sums}
		}),
		made("sqPowers", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := total(cfg) - 1
			out, long := marked[uint32](n), marked[int64](n)
			return func(t *gocuda.Thread) { sqPowers(t, n, out, long) }, sqPowersKernel(n, out, long), []any{out, long}
		}, func(cfg grid.Config) []any {
			n := total(cfg) - 1
			out, long := marked[uint32](n), marked[int64](n)
			for i := range n {
				v := uint32(i)
				out[i], long[i] = v*v*v*v*v+v*uint32(n), int64(i*i*n-i*i*i)
			}
			return []any{out, long}
		}),
		made("sqPairs", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			out := marked[int32](total(cfg))
			return func(t *gocuda.Thread) { sqPairs(t, total(cfg)-3, out) }, sqPairsKernel(total(cfg)-3, out), []any{out}
		}, nil),
	}
	for _, far := range []int{0, 46341, 1 << 20, 1 << 31, 1 << 40} {
		cases = append(cases, made(fmt.Sprint("sqFar ", far), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			out := marked[float64](total(cfg))
			return func(t *gocuda.Thread) { sqFar(t, far, out) }, sqFarKernel(far, out), []any{out}
		}, func(cfg grid.Config) []any {
			out := marked[float64](total(cfg))
			for i := range out {
				out[i] = float64(far*far - i*i)
			}
			return []any{out}
		}))
	}
	return cases
}
