//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// What the rows of a block do alike, which plain Go leaves to a func for all of them: sums of
// products, and copies. The numbers are no whole ones, and nothing is fused, so that the order of
// operations can be seen.

// wrConfigs have rows of eight, sixteen and more threads, numbers between, few rows and many, and
// several planes.
var wrConfigs = append([]grid.Config{
	{Grid: grid.Dim3{X: 2, Y: 3}, Block: grid.Dim3{X: 16, Y: 16}},
	{Grid: grid.Dim3{X: 1, Y: 2}, Block: grid.Dim3{X: 48, Y: 5}},
	{Grid: grid.Dim3{X: 3, Y: 1}, Block: grid.Dim3{X: 1, Y: 7}},
	{Grid: grid.Dim3{X: 1, Y: 1}, Block: grid.Dim3{X: 16, Y: 4, Z: 3}},
	{Grid: grid.Dim3{X: 2, Y: 1}, Block: grid.Dim3{X: 24, Y: 1}},
}, planeConfigs...)

// wrOut is the place of a thread's result.
func wrOut(t *gocuda.Thread) int {
	return (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z + t.Rank()
}

// What stands before and behind the loop shares variables with it and with each other.
//
//gocuda:kernel
func wrParts[T float32 | float64](t *gocuda.Thread, m, n, k int, a, b, out []T) {
	col, row := t.GlobalX(), t.GlobalY()
	if row >= m || col >= n {
		return
	}
	first := a[row*k] + 1
	sum := first * 3
	for i := range k {
		sum += a[row*k+i] * b[i*n+col]
	}
	last := sum - first
	out[wrOut(t)] = last*first + sum
}

// Numbers of columns, which are a row apart, with the factors the other way round.
//
//gocuda:kernel
func wrColumns(t *gocuda.Thread, m, n, k int, a, b, out []float32) {
	x, y := t.ThreadIdx.X, t.GlobalY()
	var sum float32
	for i := 0; i < k; i++ {
		sum += b[i*n+x] * a[i*m+y]
	}
	out[wrOut(t)] = sum
}

// Rows that go backwards, and lines that do.
//
//gocuda:kernel
func wrBackwards(t *gocuda.Thread, m, n, k int, a, b, out []float64) {
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	var sum float64
	for i := range k {
		sum += a[(16-y)*k-i+k] * b[(k-i)*n+x]
	}
	out[wrOut(t)] = sum
}

// One line for all rounds, and one number.
//
//gocuda:kernel
func wrSame(t *gocuda.Thread, m, n, k int, a, b, out []float32) {
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	var sum float32
	for i := range k {
		sum += a[y*k+i] * b[x]
	}
	out[wrOut(t)] = sum
}

// The arrays are parts of others, and the same one twice.
//
//gocuda:kernel
func wrShifted(t *gocuda.Thread, m, n, k int, a, b, out []float32) {
	a, c := b[m:], b
	if n > 20 {
		c = a
	}
	var sum float32
	for i := range k {
		sum += a[t.ThreadIdx.Y*k+i] * c[i*n+t.ThreadIdx.X]
	}
	out[wrOut(t)] = sum
}

// A number of rounds that the rows don't have in common, and one that is changed in the loop around.
//
//gocuda:kernel
func wrRagged(t *gocuda.Thread, m, n, k int, a, b, out []float32) {
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	var sum float32
	for i := 0; i < k-y; i++ {
		sum += a[y*k+i] * b[i*n+x]
	}
	out[wrOut(t)] = sum
	for j := range 3 {
		t.SyncThreads()
		for i := 0; i < k-j; i++ {
			sum += a[y*k+i+j] * b[(i+j)*n+x]
		}
		t.SyncThreads()
	}
	out[wrOut(t)] += sum
}

// A tile of two arrays by way of variables that are 0 beyond their ends, as of a product of
// matrices of any size.
//
//gocuda:kernel
func wrTiles(t *gocuda.Thread, m, n, k int, a, b, out []float32) {
	as, bs := gocuda.Shared[float32](t, 49*49), gocuda.Shared[float32](t, 49*49)
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.GlobalX(), t.GlobalY()
	var sum float32
	for from := 0; from < k; from += 7 {
		var av, bv float32
		if row < m && from+x < k {
			av = a[row*k+from+x]
		}
		if from+y < k && col < n {
			bv = b[(from+y)*n+col]
		}
		as[y*49+x] = av
		bs[y*49+x] = bv
		t.SyncThreads()
		for i := range min(7, t.BlockDim.X, t.BlockDim.Y) {
			sum += as[y*49+i] * bs[i*49+x]
		}
		t.SyncThreads()
	}
	out[wrOut(t)] = sum
}

// Copies of which one reads what another one writes.
//
//gocuda:kernel
func wrChains(t *gocuda.Thread, m, n, k int, a, b, out []float32) {
	s, u := gocuda.Shared[float32](t, 49*24), gocuda.Shared[float32](t, 49*24)
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	at := y*49 + x
	s[at] = a[at]
	t.SyncThreads()
	v, w := s[at], b[at]
	s[at] = w
	u[at] = v
	t.SyncThreads()
	v = u[at]
	u[at] = s[at]
	s[at] = v
	t.SyncThreads()
	out[wrOut(t)] = s[at] - 2*u[at]
}

func wrCases() (cases []Case) {
	type (
		source   = func(t *gocuda.Thread, m, n, k int, a, b, out []float32)
		compiled = func(m, n, k int, a, b, out []float32) gocuda.Kernel
	)
	for _, c := range []struct{ m, n, k int }{{48, 48, 32}, {33, 31, 40}, {48, 49, 1}, {20, 50, 17}, {48, 48, 0}, {1, 100, 16}, {48, 48, -2}} {
		for _, k := range []struct {
			name     string
			source   source
			compiled compiled
		}{
			{"wrColumns", wrColumns, wrColumnsKernel}, {"wrSame", wrSame, wrSameKernel}, {"wrShifted", wrShifted, wrShiftedKernel},
			{"wrRagged", wrRagged, wrRaggedKernel}, {"wrTiles", wrTiles, wrTilesKernel}, {"wrChains", wrChains, wrChainsKernel},
		} {
			cases = append(cases, made(fmt.Sprint(k.name, " ", c), wrConfigs, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				a, b, out := data[float32](6000), data[float32](7000), marked[float32](2000)
				return func(t *gocuda.Thread) { k.source(t, c.m, c.n, c.k, a, b, out) }, k.compiled(c.m, c.n, c.k, a, b, out), []any{out}
			}, nil))
		}
		if c.k >= 0 {
			cases = append(cases, wrPartsCase[float32](c.m, c.n, c.k), wrPartsCase[float64](c.m, c.n, c.k))
		}
		cases = append(cases,
			made(fmt.Sprint("wrBackwards ", c), wrConfigs[:3], func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				a, b, out := data[float64](6000), data[float64](7000), marked[float64](2000)
				return func(t *gocuda.Thread) { wrBackwards(t, c.m, c.n, c.k, a, b, out) }, wrBackwardsKernel(c.m, c.n, c.k, a, b, out), []any{out}
			}, nil))
	}
	return append(cases, wrAnyCase())
}

// wrPartsCase has a serial reference.
func wrPartsCase[T float32 | float64](m, n, k int) Case {
	a, b := data[T](6000), data[T](7000)
	return made(fmt.Sprintf("wrParts[%T] %d %d %d", a[0], m, n, k), wrConfigs, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		out := marked[T](2000)
		return func(t *gocuda.Thread) { wrParts(t, m, n, k, a, b, out) }, wrPartsKernel(m, n, k, a, b, out), []any{out}
	}, func(cfg grid.Config) []any {
		out, at := marked[T](2000), 0
		for block := range cfg.Blocks() {
			bx, by := block%cfg.Grid.X, block/cfg.Grid.X
			for range max(cfg.Block.Z, 1) {
				for y := range max(cfg.Block.Y, 1) {
					for x := range cfg.Block.X {
						col, row := bx*cfg.Block.X+x, by*max(cfg.Block.Y, 1)+y
						if row < m && col < n {
							first := a[row*k] + 1
							sum := first * 3
							for i := range max(k, 0) {
								sum += T(a[row*k+i] * b[i*n+col])
							}
							out[at] = T((sum-first)*first) + sum
						}
						at++
					}
				}
			}
		}
		return []any{out}
	})
}

// The last thread of the only row that takes part goes beyond the end in the last round; one thread
// of the second row does so in the fourth tile.
var wrFailures = []Failure{{
	Name: "wrParts", Config: grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 8}},
	Thread: grid.Dim3{X: 15}, Text: "index out of range [319] with length 319",
	Make: func(grid.Config) Instance {
		a, b, out := data[float32](20), data[float32](319), marked[float32](128)
		return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { wrParts(t, 1, 16, 20, a, b, out) }), Compiled: wrPartsKernel(1, 16, 20, a, b, out), Outputs: []any{out}}
	},
}, {
	Name: "wrTiles", Config: grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 16}},
	Thread: grid.Dim3{X: 9, Y: 1}, Text: "index out of range [61] with length 61",
	Make: func(grid.Config) Instance {
		a, b, out := data[float32](61), data[float32](600), marked[float32](256)
		return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { wrTiles(t, 2, 16, 31, a, b, out) }), Compiled: wrTilesKernel(2, 16, 31, a, b, out), Outputs: []any{out}}
	},
}}

// wrAny moves elements that may have pointers, which the garbage collector must see, and numbers of
// any kind.
//
//gocuda:kernel
func wrAny[T any, N ~int16 | ~complex64](t *gocuda.Thread, in, out []T, from, to []N) {
	s, u := gocuda.Shared[N](t, 16*16), t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X
	s[u] = from[u]
	out[u] = in[u]
	t.SyncThreads()
	to[u] = s[u]
}

type wrNamed int16

func wrAnyCase() Case {
	return made("wrAny", planeConfigs[:1], func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out, from, to := make([]*int, 128), make([]*int, 128), make([]wrNamed, 128), make([]wrNamed, 128)
		for i := range in {
			in[i], from[i] = new(int), wrNamed(i)
			*in[i] = i
		}
		return func(t *gocuda.Thread) { wrAny(t, in, out, from, to) }, wrAnyKernel(in, out, from, to), []any{to}
	}, func(grid.Config) []any {
		to := make([]wrNamed, 128)
		for i := range to {
			to[i] = wrNamed(i)
		}
		return []any{to}
	})
}
