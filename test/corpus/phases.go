//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops of several phases, as of a product in tiles: what a block does in a round is copies and
// products, all rounds of which run as one func where nothing is in the way. Here is what may be,
// and what nearly is.

// phConfigs are blocks of a tile, eight rows of one, and two.
var phConfigs = []grid.Config{
	{Grid: grid.Dim3{X: 3, Y: 2}, Block: grid.Dim3{X: 16, Y: 16}},
	{Grid: grid.Dim3{X: 2, Y: 3}, Block: grid.Dim3{X: 16, Y: 8}},
	{Grid: grid.Dim3{X: 2, Y: 1}, Block: grid.Dim3{X: 16, Y: 32}},
	{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 16, Y: 4}},
	{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 16, Y: 5}},
}

// A product in tiles: a is m by k and b is k by w, of rows of ld, and what is beyond them is 0. A
// block has fewer rows than a tile of b, and loads it in as many steps as that takes.
//
//gocuda:kernel fastmath
func phTiles(t *gocuda.Thread, m, w, k, ld int, a, b, c []float32) {
	as, bs := gocuda.Shared[float32](t, 32*16), gocuda.Shared[float32](t, 16*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.GlobalX(), t.GlobalY()
	var sum float32
	for from := 0; from < k; from += 16 {
		var av, bv float32
		if row < m && from+tx < k {
			av = a[row*k+from+tx]
		}
		as[ty*16+tx] = av
		for y := ty; y < 16; y += t.BlockDim.Y {
			bv = 0
			if from+y < k && col < w {
				bv = b[(from+y)*ld+col]
			}
			bs[y*16+tx] = bv
		}
		t.SyncThreads()
		for i := range 16 {
			sum += as[ty*16+i] * bs[i*16+tx]
		}
		t.SyncThreads()
	}
	if row < m && col < w {
		c[row*w+col] = sum
	}
}

// The tile of b is one row a thread, so blocks have sixteen rows.
//
//gocuda:kernel fastmath
func phSquare(t *gocuda.Thread, m, w, k, ld int, a, b, c []float32) {
	as, bs := gocuda.Shared[float32](t, 16*16), gocuda.Shared[float32](t, 16*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.GlobalX(), t.GlobalY()
	var sum float32
	for from := 0; from < k; from += 16 {
		var av, bv float32
		if row < m && from+tx < k {
			av = a[row*k+from+tx]
		}
		if from+ty < k && col < w {
			bv = b[(from+ty)*ld+col]
		}
		as[ty*16+tx] = av
		bs[ty*16+tx] = bv
		t.SyncThreads()
		for i := range 16 {
			sum += as[ty*16+i] * bs[i*16+tx]
		}
		t.SyncThreads()
	}
	if row < m && col < w {
		c[row*w+col] = sum
	}
}

// The loop begins anywhere and goes by any step, over tiles that overlap or leave some out. Blocks
// have eight rows or more.
//
//gocuda:kernel fastmath
func phSteps(t *gocuda.Thread, begin, end, step int, in, out []float32) {
	as, bs := gocuda.Shared[float32](t, 32*16), gocuda.Shared[float32](t, 32*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	var sum float32
	for at := begin; at < end; at += step {
		as[ty*16+tx] = in[at+ty*20+tx]
		bs[ty*16+tx] = in[at*3+ty*64+tx]
		t.SyncThreads()
		for i := range 8 {
			sum += as[ty*16+i] * bs[i*16+tx]
		}
		t.SyncThreads()
	}
	out[(t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*t.BlockDim.X*t.BlockDim.Y+t.Rank()] = sum
}

// The tile that is filled in a round is the one that is used in the next: two that change places.
//
//gocuda:kernel fastmath
func phTurns(t *gocuda.Thread, rounds int, in, out []float32) {
	as, bs := gocuda.Shared[float32](t, 32*16), gocuda.Shared[float32](t, 32*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	as[ty*16+tx] = in[ty*16+tx]
	t.SyncThreads()
	var sum float32
	for r := 0; r < rounds; r++ {
		bs[ty*16+tx] = in[r*16+ty*16+tx]
		t.SyncThreads()
		for i := range 4 {
			sum += as[ty*16+i] * bs[i*16+tx]
		}
		t.SyncThreads()
		as, bs = bs, as
	}
	out[(t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*t.BlockDim.X*t.BlockDim.Y+t.Rank()] = sum
}

// Three phases, the last of which writes to what the first one reads in the next round.
//
//gocuda:kernel fastmath
func phThird(t *gocuda.Thread, rounds int, in, out []float32) {
	as, bs := gocuda.Shared[float32](t, 32*16), gocuda.Shared[float32](t, 32*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	first := (t.BlockIdx.Y*t.GridDim.X + t.BlockIdx.X) * 512
	out[first+ty*16+tx] = 0
	t.SyncThreads()
	var sum float32
	for r := 0; r < rounds; r++ {
		as[ty*16+tx] = in[r*16+ty*16+tx]
		bs[ty*16+tx] = in[r*32+ty*16+tx]
		t.SyncThreads()
		for i := range 4 {
			sum += as[ty*16+i] * bs[i*16+tx]
		}
		t.SyncThreads()
		out[first+ty*16+tx] = as[ty*16+tx]
		t.SyncThreads()
	}
	out[first+ty*16+tx] += sum
}

// Rounds that are nothing but a barrier.
//
//gocuda:kernel
func phNothing(t *gocuda.Thread, rounds int, in, out []float32) {
	for r := 0; r < rounds; r++ {
		t.SyncThreads()
	}
	me := (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*t.BlockDim.X*t.BlockDim.Y + t.Rank()
	out[me] = in[me] + float32(rounds)
}

// An array that a round leaves behind too short for the next: the last round of some reads outside.
//
//gocuda:kernel fastmath
func phOutside(t *gocuda.Thread, rounds int, in, out []float32) {
	as := gocuda.Shared[float32](t, 16*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	var sum float32
	for r := 0; r < rounds; r++ {
		as[ty*16+tx] = in[r*256+ty*16+tx]
		t.SyncThreads()
		for i := range 16 {
			sum += as[ty*16+i] * as[i*16+tx]
		}
		t.SyncThreads()
	}
	out[ty*16+tx] = sum
}

// phProduct is the product of a and b that phTiles and phSquare compute, by its definition.
func phProduct(cfg grid.Config, m, w, k, ld int, a, b []float32) []float32 {
	c := marked[float32](m * w)
	for row := range min(m, cfg.Grid.Y*cfg.Block.Y) {
		for col := range min(w, cfg.Grid.X*cfg.Block.X) {
			c[row*w+col] = 0
			for i := range k {
				c[row*w+col] += a[row*k+i] * b[i*ld+col]
			}
		}
	}
	return c
}

func phCases() (cases []Case) {
	// Sizes of whole tiles, of parts, of none, and rows that share a set of the cache.
	for _, s := range []struct{ m, w, k, ld int }{
		{32, 48, 64, 48}, {32, 48, 16, 48}, {32, 48, 15, 48}, {32, 48, 70, 48}, {32, 48, 0, 48}, {31, 47, 65, 47},
		{16, 16, 32, 1024}, {32, 48, 64, 1024}, {64, 32, 1024, 32}, {1, 1, 17, 1}, {40, 40, 48, 50},
	} {
		name := fmt.Sprint(s.m, "x", s.w, "x", s.k, " of ", s.ld)
		a, b := pdNumbers[float32](s.m*s.k), pdNumbers[float32](s.k*s.ld)
		cases = append(cases, made("phTiles "+name, phConfigs, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			c := marked[float32](s.m * s.w)
			return func(t *gocuda.Thread) { phTiles(t, s.m, s.w, s.k, s.ld, a, b, c) }, phTilesKernel(s.m, s.w, s.k, s.ld, a, b, c), []any{c}
		}, func(cfg grid.Config) []any { return []any{phProduct(cfg, s.m, s.w, s.k, s.ld, a, b)} }),
			made("phSquare "+name, phConfigs[:1], func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				c := marked[float32](s.m * s.w)
				return func(t *gocuda.Thread) { phSquare(t, s.m, s.w, s.k, s.ld, a, b, c) }, phSquareKernel(s.m, s.w, s.k, s.ld, a, b, c), []any{c}
			}, func(cfg grid.Config) []any { return []any{phProduct(cfg, s.m, s.w, s.k, s.ld, a, b)} }))
	}
	in := pdNumbers[float32](4000)
	for _, s := range [][3]int{{0, 64, 16}, {5, 64, 16}, {0, 1, 1000}, {3, 40, 1}, {7, 7, 4}, {20, 4, 3}, {0, 400, 100}, {1, 90, 17}} {
		cases = append(cases, made(fmt.Sprint("phSteps ", s), phConfigs[:3], func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			out := marked[float32](cfg.Blocks() * cfg.Threads())
			return func(t *gocuda.Thread) { phSteps(t, s[0], s[1], s[2], in, out) }, phStepsKernel(s[0], s[1], s[2], in, out), []any{out}
		}, func(cfg grid.Config) []any {
			want := marked[float32](cfg.Blocks() * cfg.Threads())
			for i := range want {
				x, y := i%cfg.Threads()%16, i%cfg.Threads()/16
				want[i] = 0
				for at := s[0]; at < s[1]; at += s[2] {
					for j := range 8 {
						want[i] += in[at+y*20+j] * in[at*3+j*64+x]
					}
				}
			}
			return []any{want}
		}))
	}
	for _, rounds := range []int{0, 1, 2, 9} {
		cases = append(cases, made(fmt.Sprint("phTurns ", rounds), phConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			out := marked[float32](cfg.Blocks() * cfg.Threads())
			return func(t *gocuda.Thread) { phTurns(t, rounds, in, out) }, phTurnsKernel(rounds, in, out), []any{out}
		}, nil), made(fmt.Sprint("phThird ", rounds), phConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			out := marked[float32](cfg.Blocks() * 512)
			return func(t *gocuda.Thread) { phThird(t, rounds, in, out) }, phThirdKernel(rounds, in, out), []any{out}
		}, nil), made(fmt.Sprint("phNothing ", rounds), phConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			out := marked[float32](cfg.Blocks() * cfg.Threads())
			return func(t *gocuda.Thread) { phNothing(t, rounds, in, out) }, phNothingKernel(rounds, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			want := marked[float32](cfg.Blocks() * cfg.Threads())
			for i := range want {
				want[i] = in[i] + float32(rounds)
			}
			return []any{want}
		}))
	}
	return cases
}

// The third round goes beyond the end with the last of its threads.
var phFailures = []Failure{{
	Name: "phOutside", Config: grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 16}},
	Thread: grid.Dim3{X: 15, Y: 15}, Text: "index out of range [767] with length 767",
	Make: func(grid.Config) Instance {
		in, out := pdNumbers[float32](767), marked[float32](256)
		return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { phOutside(t, 3, in, out) }), Compiled: phOutsideKernel(3, in, out), Outputs: []any{out}}
	},
}}
