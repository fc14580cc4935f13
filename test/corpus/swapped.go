//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Two buffers that change places: slices of shared memory, and of a thread's own.

//gocuda:kernel
func sbScan(t *gocuda.Thread, n int, in, out []int32) {
	a, b := gocuda.Shared[int32](t, 256), gocuda.Shared[int32](t, 256)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	a[tid], b[tid] = 0, 0
	if i < n {
		a[tid] += in[i]
	}
	t.SyncThreads()
	for d := 1; d < t.BlockDim.X; d *= 2 {
		b[tid] = a[tid]
		if tid >= d {
			b[tid] += a[tid-d]
		}
		t.SyncThreads()
		a, b = b, a
	}
	if i < n {
		out[i] = a[tid] ^ b[tid]<<8
	}
}

// What is assigned changes between the copy and its use.
//
//gocuda:kernel
func sbOwn(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := in[i:], out[i:]
	z := x
	x = y
	y = z
	x[0] += y[0] * 3
	w := x
	w[0]++
	x, w = w[:1], x
	for range 3 {
		keep := y
		y = in[n-1-i:]
		x[0] -= keep[0] + y[0]
		z = keep
	}
	w[0] += z[0]
}

func sbCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n int, in, out []int32)
	type maker = func(n int, in, out []int32) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{{"sbScan", sbScan, sbScanKernel}, {"sbOwn", sbOwn, sbOwnKernel}} {
		for _, s := range []struct{ n, block int }{{1000, 256}, {77, 64}, {200, 100}, {1, 32}} {
			cfg := line((s.n+s.block-1)/s.block, s.block)
			cases = append(cases, made(fmt.Sprintf("%s of %d, blocks of %d", k.name, s.n, s.block), []grid.Config{cfg}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				in, out := positive(s.n), make([]int32, s.n)
				return func(t *gocuda.Thread) { k.source(t, s.n, in, out) }, k.compiled(s.n, in, out), []any{out}
			}, nil))
		}
	}
	return cases
}
