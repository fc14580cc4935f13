//go:build compiled

package corpus

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Cubes of reciprocal square roots in kernels marked fastmath. The numbers are powers of 4, and
// results are rounded to fourteen bits, which is where exact arithmetic has them, so all forms
// agree in all bits.

// cbRound rounds to fourteen significant bits.
func cbRound(x float32) float32 {
	return math.Float32frombits((math.Float32bits(x) + 1<<9) &^ (1<<10 - 1))
}

// The products of n-body, with the root in each place, alone, four times, and used for something
// else as well.
//
//gocuda:kernel fastmath
func cbProducts(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	x, m := in[i], float32(1<<20*(1+i%3))
	inv := 1 / float32(math.Sqrt(float64(x)))
	a := m * inv * inv * inv
	b := inv * (m * inv) * 3 * inv
	c := inv*inv*inv*inv*m + a
	d := (m + inv*inv*inv*m) * inv
	e := m * inv * inv
	inv2 := 1 / float32(math.Sqrt(float64(x)))
	f := m * inv2 * inv * inv2 * inv2
	g := inv2 * inv2 * inv2
	out[i] = cbRound(a) + 3*cbRound(b) + 5*cbRound(c) + 7*cbRound(d) + 9*cbRound(e) + 11*cbRound(f) + 13*cbRound(g*m)
}

// Variables that change between the root and the product.
//
//gocuda:kernel fastmath
func cbChanged(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	x := in[i]
	const m = 1 << 20
	inv := 1 / float32(math.Sqrt(float64(x)))
	x *= 4
	a := m * inv * inv * inv
	root := 1 / float32(math.Sqrt(float64(x)))
	if i%5 < 2 {
		root *= 2
	}
	b := m * root * root * root
	out[i] = cbRound(a) + 3*cbRound(b) + x
}

// In branches and loops, where the root is of a round, of the round before, and from outside.
//
//gocuda:kernel fastmath
func cbLoops(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	const m = 1 << 20
	y := in[i]
	outer := 1 / float32(math.Sqrt(float64(y)))
	var sum, before float32
	for k := 0; k < 1+i%4; k++ {
		x := y * float32(int(1)<<(2*k))
		inv := 1 / float32(math.Sqrt(float64(x)))
		if i%3 != 1 {
			sum += cbRound(m * inv * inv * inv)
			near := 1 / float32(math.Sqrt(float64(x)))
			sum += cbRound(outer * m * near * near * near)
		} else {
			sum -= cbRound(inv * outer * inv * m * inv)
		}
		sum += cbRound(before * before * before * m)
		before = inv
	}
	out[i] = sum + cbRound(m*outer*outer*outer)
}

// Sums of cubes in loops that do nothing else with them: to two sums, one of which begins with a
// number and one of which some rounds leave alone; with some numbers left out; and in no rounds at
// all.
//
//gocuda:kernel fastmath
func cbSums(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	y := in[i]
	a, b := 8*y, float32(0)
	for k := range 8 {
		x := y * float32(1+3*(k%2))
		inv := 1 / float32(math.Sqrt(float64(x)))
		s := 1 << 12 * inv * inv * inv
		a += s
		if y > float32(k) {
			b += 2*s + s*float32(k)
		}
	}
	var c float32
	for j := range len(in) / 2 {
		x := 4 * in[j]
		if x == 16 {
			continue
		}
		if x >= y {
			inv := 1 / float32(math.Sqrt(float64(x)))
			s := 1 << 12 * inv * inv * inv
			c += s * y
		}
	}
	out[i] = cbRound(a) + 3*cbRound(b) + 5*cbRound(c)
}

// The loop with the cubes is in one that takes some lanes further than others, so it is printed twice.
//
//gocuda:kernel fastmath
func cbTwice(t *gocuda.Thread, in, out []float32) {
	var total float32
	me := t.GlobalX()
	for i := me; i < len(in); i += len(in)/3 + 1 {
		y := in[i]
		var a float32
		for j := range in[:min(len(in), 10)] {
			x := in[j] * y
			inv := 1 / float32(math.Sqrt(float64(x)))
			s := 1 << 9 * inv * inv * inv
			a += s * 8
		}
		total += cbRound(a)
	}
	out[me] = total
}

// In rows that go together a sum that is the same in all of them is one, not one for each row.
//
//gocuda:kernel fastmath
func cbRows(t *gocuda.Thread, in, out []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	col, row := t.BlockIdx.X*t.BlockDim.X+tx, t.BlockIdx.Y*t.BlockDim.Y+ty
	y := in[tx]
	var a, b float32
	for j := range len(in) / 4 {
		b += in[row*4+j%4] * in[j+tx]
		x := in[j] * y
		inv := 1 / float32(math.Sqrt(float64(x)))
		s := 1 << 9 * inv * inv * inv
		a += s * 8
	}
	out[row*t.GridDim.X*t.BlockDim.X+col] = cbRound(a) + b
}

// cbWant is what a kernel of this file gives for thread i of n, in float64.
var cbWant = map[string]func(i, n int, x float64) float64{
	"cbProducts": func(i, _ int, x float64) float64 {
		r, m := 1/math.Sqrt(x), float64(int(1<<20*(1+i%3)))
		cube := r * r * r
		return m*cube + 3*3*m*cube + 5*(m*cube*r+m*cube) + 7*(m+m*cube)*r + 9*m*r*r + 11*m*cube*r + 13*m*cube
	},
	"cbChanged": func(i, _ int, x float64) float64 {
		r := 1 / math.Sqrt(x)
		root := r / 2
		if i%5 < 2 {
			root = r
		}
		return 1<<20*r*r*r + 3*(1<<20*root*root*root) + 4*x
	},
	"cbLoops": func(i, _ int, y float64) float64 {
		const m = 1 << 20
		outer := 1 / math.Sqrt(y)
		var sum, before float64
		for k := range 1 + i%4 {
			r := outer / float64(int(1)<<k)
			if i%3 != 1 {
				sum += m*r*r*r + m*outer*r*r*r
			} else {
				sum -= m * outer * r * r * r
			}
			sum += m * before * before * before
			before = r
		}
		return sum + m*outer*outer*outer
	},
	"cbSums": func(i, n int, y float64) float64 {
		sum := 8 * y
		for k := range 8 {
			s := float64(1<<12) / (y * math.Sqrt(y))
			if k%2 == 1 {
				s /= 8
			}
			sum += s
			if y > float64(k) {
				sum += 3 * s * float64(2+k)
			}
		}
		for j := range n / 2 {
			if x := float64(int(4) << (2 * (j % 4))); x != 16 && x >= y {
				sum += 5 * y * float64(int(512)>>(3*(j%4)))
			}
		}
		return sum
	},
}

func cbCases() (cases []Case) {
	configs := []grid.Config{
		{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1}},
		{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 64}},
		{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 43}},
	}
	for _, k := range []struct {
		name     string
		source   func(t *gocuda.Thread, in, out []float32)
		compiled func(in, out []float32) gocuda.Kernel
	}{
		{"cbProducts", cbProducts, cbProductsKernel},
		{"cbChanged", cbChanged, cbChangedKernel},
		{"cbLoops", cbLoops, cbLoopsKernel},
		{"cbSums", cbSums, cbSumsKernel},
	} {
		cases = append(cases, made(k.name, configs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := cbPowers(cfg), marked[float32](cfg.Blocks()*cfg.Threads())
			return func(t *gocuda.Thread) { k.source(t, in, out) }, k.compiled(in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in := cbPowers(cfg)
			out := make([]float32, len(in))
			for i := range out {
				out[i] = float32(cbWant[k.name](i, len(in), float64(in[i])))
			}
			return []any{out}
		}))
	}
	return append(cases,
		made("cbTwice", configs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := cbPowers(cfg), marked[float32](cfg.Blocks()*cfg.Threads())
			return func(t *gocuda.Thread) { cbTwice(t, in, out) }, cbTwiceKernel(in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in := cbPowers(cfg)
			out := make([]float32, len(in))
			for me := range out {
				sum := 0.0
				for i := me; i < len(in); i += len(in)/3 + 1 {
					for _, x := range in[:min(len(in), 10)] {
						sum += 4096 * math.Pow(float64(x*in[i]), -1.5)
					}
				}
				out[me] = float32(sum)
			}
			return []any{out}
		}),
		made("cbRows", []grid.Config{{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 16, Y: 16}}, {Grid: grid.Dim3{X: 3, Y: 1}, Block: grid.Dim3{X: 16, Y: 5}}},
			func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				in, out := cbPowers(cfg), marked[float32](cfg.Blocks()*cfg.Threads())
				return func(t *gocuda.Thread) { cbRows(t, in, out) }, cbRowsKernel(in, out), []any{out}
			}, func(cfg grid.Config) []any {
				in := cbPowers(cfg)
				out := make([]float32, len(in))
				width := cfg.Grid.X * cfg.Block.X
				for at := range out {
					row, col := at/width, at%width
					sum := 0.0
					for j := range len(in) / 4 {
						sum += float64(in[row*4+j%4]*in[j+col%16]) + 4096*math.Pow(float64(in[j]*in[col%16]), -1.5)
					}
					out[at] = float32(sum)
				}
				return []any{out}
			}))
}

// cbPowers returns 1, 4, 16 and 64 in turn, one for each thread.
func cbPowers(cfg grid.Config) []float32 {
	in := make([]float32, cfg.Blocks()*cfg.Threads())
	for i := range in {
		in[i] = float32(int(1) << (2 * (i % 4)))
	}
	return in
}
