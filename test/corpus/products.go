//go:build compiled

package corpus

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Sums of products as in a product of matrices, and copies of rows, by whole blocks. The numbers
// are small and whole, so that fused and separate operations give the same.

// pdConfigs have rows of whole vectors and of parts, and eight rows, more, and numbers that are no
// multiple of eight.
var pdConfigs = append([]grid.Config{
	{Grid: grid.Dim3{X: 1, Y: 2}, Block: grid.Dim3{X: 32, Y: 16}},
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 64, Y: 8}},
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 24}},
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 4}},
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 16, Y: 1}},
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 8, Y: 4, Z: 2}},
}, planeConfigs...)

// pdFlat is those of them whose threads have places of their own by threadIdx.x and .y.
var pdFlat = slices.DeleteFunc(slices.Clone(pdConfigs), func(c grid.Config) bool { return c.Block.Z > 1 })

const pdWidth = 64

// Tiles in shared memory, with sums that are kept from phase to phase and touched by nothing else.
//
//gocuda:kernel fastmath
func pdTiles(t *gocuda.Thread, n int, in, out []float32) {
	as, bs := gocuda.Shared[float32](t, 24*16), gocuda.Shared[float32](t, 16*pdWidth)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	var sum float32
	for round := range n {
		for k := t.Rank(); k < 24*16; k += t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z {
			as[k] = in[k+round]
		}
		for k := t.Rank(); k < 16*pdWidth; k += t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z {
			bs[k] = in[k+7*round]
		}
		t.SyncThreads()
		for i := range 16 {
			sum += as[ty*16+i] * bs[i*pdWidth+tx]
		}
		t.SyncThreads()
	}
	out[pdOut(t)] = sum
}

// The factors the other way round, and sums that something else reads between the barriers.
//
//gocuda:kernel fastmath
func pdTilesRead(t *gocuda.Thread, n int, in, out []float32) {
	s := gocuda.Shared[float32](t, 24*32)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	var sum, before float32
	for round := range n {
		for k := t.Rank(); k < 24*32; k += t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z {
			s[k] = in[k+round]
		}
		t.SyncThreads()
		for i := range 8 {
			sum += s[i*32+tx] * s[ty*32+i+3]
		}
		before += sum
		t.SyncThreads()
	}
	out[pdOut(t)] = sum + 3*before
}

// Rows of global memory, of a length that is known when it runs.
//
//gocuda:kernel fastmath
func pdGlobal(t *gocuda.Thread, n int, in, out []float32) {
	sum := in[t.ThreadIdx.X]
	for i := 0; i < n; i++ {
		sum += in[(t.GlobalY()+2)*n+i] * in[i*pdWidth+t.ThreadIdx.X]
	}
	out[pdOut(t)] = sum
}

// A counter that is read after the loop, and rows that go backwards.
//
//gocuda:kernel fastmath
func pdCounter(t *gocuda.Thread, n int, in, out []float32) {
	var sum float32
	i := 0
	for ; i < n; i++ {
		sum += in[(40-t.ThreadIdx.Y)*20+i] * in[i*pdWidth+t.ThreadIdx.X]
	}
	out[pdOut(t)] = sum + float32(i)
}

// Rows that are not evenly apart.
//
//gocuda:kernel fastmath
func pdBent(t *gocuda.Thread, n int, in, out []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	var a, b, c float32
	for i := range n {
		a += in[ty*ty*2+i] * in[i*pdWidth+tx]
	}
	for i := range n {
		b += in[ty/2*n+i] * in[i*pdWidth+tx]
	}
	for i := range n {
		c += in[(ty^5)*n+i] * in[i*pdWidth+tx]
	}
	out[pdOut(t)] = a + 3*b + 5*c
}

// Steps of more than one, on both sides, and two sums at once.
//
//gocuda:kernel fastmath
func pdSteps(t *gocuda.Thread, n int, in, out []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	var a, b, c, d float32
	for i := 0; i < n; i += 2 {
		a += in[ty*n+i] * in[i*pdWidth+tx]
	}
	for i := range n {
		b += in[ty*n+2*i] * in[i*3+tx]
	}
	for i := range n {
		c += in[ty*n+i] * in[i+tx]
		d += in[ty*n+i] * in[i*2+tx]
	}
	out[pdOut(t)] = a + 3*b + 5*c + 7*d
}

// Eight bytes an element.
//
//gocuda:kernel fastmath
func pdDouble(t *gocuda.Thread, n int, in, out []float64) {
	s := gocuda.Shared[float64](t, 24*16)
	for k := t.Rank(); k < 24*16; k += t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z {
		s[k] = in[k]
	}
	t.SyncThreads()
	var a, b float64
	for i := range 12 {
		a += s[t.ThreadIdx.Y*16+i] * in[i*pdWidth+t.ThreadIdx.X]
	}
	for i := range n {
		b += in[t.ThreadIdx.Y*n+i] * in[i+t.ThreadIdx.X]
	}
	t.SyncThreads()
	out[pdOut(t)] = a + 3*b
}

// Two rows to shared memory and back, in an order that counts for a thread where they meet.
//
//gocuda:kernel
func pdCopies(t *gocuda.Thread, n int, in, out []float32) {
	a, b := gocuda.Shared[float32](t, 24*pdWidth), gocuda.Shared[float32](t, 24*(pdWidth+1))
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	x := in[ty*pdWidth+tx+n]
	y := in[(30-ty)*pdWidth+tx]
	a[ty*pdWidth+tx] = x
	b[ty*(pdWidth+1)+tx] = y
	t.SyncThreads()
	i := t.GlobalY()*pdWidth + tx
	out[i] = b[ty*(pdWidth+1)+tx]
	t.SyncThreads()
	x, y = a[ty*pdWidth+tx], out[i]
	a[ty*pdWidth+tx] = y
	out[i] = x
	t.SyncThreads()
	out[i] += 100 * a[ty*pdWidth+tx]
}

// What is asked for the rows of a block changes from round to round: the arrays, their lengths, and
// a limit.
//
//gocuda:kernel
func pdRounds(t *gocuda.Thread, n int, in, out []float32) {
	a, b := gocuda.Shared[float32](t, 26*pdWidth), gocuda.Shared[float32](t, 26*pdWidth)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	for k := t.Rank(); k < 26*pdWidth; k += t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z {
		a[k], b[k] = in[k], in[k+1]
	}
	t.SyncThreads()
	off, rows, from := 0, 20, in
	for round := range n {
		if ty < rows {
			a[ty*pdWidth+tx] += from[off+ty*pdWidth+tx] + b[(ty+2)*pdWidth+tx]
		}
		t.SyncThreads()
		off += 3
		rows -= 2
		if round%4 == 3 {
			from = in[round:]
		}
		if ty < 6 {
			b[(ty+rows)*pdWidth+tx] = a[ty*pdWidth+tx]
		}
		t.SyncThreads()
		if rows < 4 {
			rows = 20
		}
		a, b = b, a
	}
	out[pdOut(t)] = a[ty*pdWidth+tx]
}

// Limits and places that change, and some that don't.
//
//gocuda:kernel
func pdLimits(t *gocuda.Thread, n int, in, out []float32) {
	s := gocuda.Shared[float32](t, 26*pdWidth)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	off, rows, last, from := 0, 20, n+9, in
	var sum float32
	for round := range n {
		if ty < rows {
			s[ty*pdWidth+tx] = from[off+ty*pdWidth+tx]
		} else {
			s[ty*pdWidth+tx] = 1
		}
		t.SyncThreads()
		if ty < last {
			sum += s[ty*pdWidth+tx] + in[ty*pdWidth+tx]
		}
		t.SyncThreads()
		off += 3
		rows -= 2
		n--
		if round%4 == 3 {
			from = in[round:]
		}
	}
	out[pdOut(t)] = sum + float32(n)
}

// A limit that is an element, one that divides by zero unless there is a round, and an argument
// that comes to stand for shared memory.
//
//gocuda:kernel
func pdMoved(t *gocuda.Thread, n int, in, out []float32) {
	a, b := gocuda.Shared[float32](t, 26*pdWidth), gocuda.Shared[float32](t, 26*pdWidth)
	limit := gocuda.Shared[int](t, 1)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	for k := t.Rank(); k < 26*pdWidth; k += t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z {
		a[k], b[k] = in[k], in[k+1]
	}
	from := in
	if n > 2 {
		in = a
	}
	t.SyncThreads()
	for round := range n {
		if t.Rank() == 0 {
			limit[0] = 21 - 3*round
		}
		t.SyncThreads()
		if ty < limit[0] {
			b[ty*pdWidth+tx] = from[ty*pdWidth+tx+round]
		}
		t.SyncThreads()
		if ty < 40/n {
			a[ty*pdWidth+tx] += b[ty*pdWidth+tx]
		}
		t.SyncThreads()
		x := in[ty*pdWidth+tx]
		y := from[ty*pdWidth+tx+3]
		a[ty*pdWidth+tx] = y
		b[ty*pdWidth+tx] = x
		t.SyncThreads()
	}
	out[pdOut(t)] = a[ty*pdWidth+tx] + 100*b[ty*pdWidth+tx]
}

// Elements of eight bytes and of one, tiles in rounds, and a copy of two arrays of which one may be
// the other.
//
//gocuda:kernel
func pdKinds(t *gocuda.Thread, n int, in []uint64, small []int8, out []uint64) {
	s, s8 := gocuda.Shared[uint64](t, 72*pdWidth), gocuda.Shared[int8](t, 24*pdWidth)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	for j := 0; j < 64; j += 24 {
		s[(ty+j)*pdWidth+tx] = in[(ty+j)*n+tx]
	}
	s8[ty*pdWidth+tx] = small[ty*pdWidth+tx]
	t.SyncThreads()
	i := t.GlobalY()*pdWidth + tx
	out[i] = s[ty*pdWidth+tx] + s[(ty+48)*pdWidth+tx]<<8 + uint64(s8[ty*pdWidth+tx])
}

// pdOut is the place of a thread's result.
func pdOut(t *gocuda.Thread) int {
	return t.BlockIdx.Y*t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z + t.Rank()
}

// pdNumbers returns n small whole numbers.
func pdNumbers[T float32 | float64 | uint64 | int8](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(i*i%7 + i%3)
	}
	return s
}

// pdPlace returns what pdOut is for a thread of the grids here, which are one block wide.
func pdPlace(cfg grid.Config, block, x, y, z int) int {
	b := cfg.Block
	return (block*max(b.Z, 1)+z)*max(b.Y, 1)*b.X + y*b.X + x
}

// pdWant has what some of the kernels compute, by loops.
func pdWant(name string, n int, cfg grid.Config, in []float32) []any {
	out := marked[float32](4000)
	for block := range max(cfg.Grid.Y, 1) {
		for z := range max(cfg.Block.Z, 1) {
			for y := range max(cfg.Block.Y, 1) {
				for x := range cfg.Block.X {
					var sum float32
					switch name {
					case "pdTiles":
						for round := range n {
							for i := range 16 {
								sum += in[y*16+i+round] * in[i*pdWidth+x+7*round]
							}
						}
					case "pdGlobal":
						sum = in[x]
						for i := range max(n, 0) {
							sum += in[(block*max(cfg.Block.Y, 1)+y+2)*n+i] * in[i*pdWidth+x]
						}
					}
					out[pdPlace(cfg, block, x, y, z)] = sum
				}
			}
		}
	}
	return []any{out}
}

func pdCases() (cases []Case) {
	type (
		source   = func(t *gocuda.Thread, n int, in, out []float32)
		compiled = func(n int, in, out []float32) gocuda.Kernel
	)
	for _, k := range []struct {
		name     string
		source   source
		compiled compiled
		want     bool
	}{
		{"pdTiles", pdTiles, pdTilesKernel, true},
		{"pdTilesRead", pdTilesRead, pdTilesReadKernel, false},
		{"pdGlobal", pdGlobal, pdGlobalKernel, true},
		{"pdCounter", pdCounter, pdCounterKernel, false},
		{"pdBent", pdBent, pdBentKernel, false},
		{"pdSteps", pdSteps, pdStepsKernel, false},
		{"pdCopies", pdCopies, pdCopiesKernel, false},
		{"pdRounds", pdRounds, pdRoundsKernel, false},
		{"pdLimits", pdLimits, pdLimitsKernel, false},
		{"pdMoved", pdMoved, pdMovedKernel, false},
	} {
		for _, n := range []int{0, 1, 2, 7, 20} {
			in := pdNumbers[float32](4000)
			var want func(grid.Config) []any
			if k.want {
				want = func(cfg grid.Config) []any { return pdWant(k.name, n, cfg, in) }
			}
			configs := pdConfigs
			switch k.name {
			case "pdCopies", "pdRounds", "pdLimits", "pdMoved":
				configs = pdFlat
			}
			cases = append(cases, made(fmt.Sprint(k.name, " ", n), configs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				out := marked[float32](4000)
				return func(t *gocuda.Thread) { k.source(t, n, in, out) }, k.compiled(n, in, out), []any{out}
			}, want))
		}
	}
	for _, n := range []int{0, 1, 9, 20} {
		cases = append(cases, made(fmt.Sprint("pdDouble ", n), pdConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := pdNumbers[float64](4000), marked[float64](4000)
			return func(t *gocuda.Thread) { pdDouble(t, n, in, out) }, pdDoubleKernel(n, in, out), []any{out}
		}, nil), made(fmt.Sprint("pdKinds ", n), pdFlat, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, small, out := pdNumbers[uint64](6000), pdNumbers[int8](4000), marked[uint64](4000)
			return func(t *gocuda.Thread) { pdKinds(t, 40+n, in, small, out) }, pdKindsKernel(40+n, in, small, out), []any{out}
		}, nil))
	}
	return cases
}
