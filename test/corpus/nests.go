//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Regions whose rows are nests of loops in assembly: sums in memory, distances, edges, rounds that
// there may be none of, and slices that overlap.

// Polynomials at many points, by a sum that is kept in memory.
//
//gocuda:kernel
func nsPowers(t *gocuda.Thread, terms int, c, x, y []float32) {
	i := t.GlobalX()
	if i >= len(y) {
		return
	}
	y[i] = 0
	for k := 0; k < terms; k++ {
		y[i] = y[i]*x[i] + c[k]
	}
}

func nsPowersWant(terms int, c, x, y []float32) {
	for i := range y {
		y[i] = 0
		for k := range terms {
			p := y[i] * x[i]
			y[i] = p + c[k]
		}
	}
}

// Counts of neighbours below a limit, in two loops, with a branch and both its sides.
//
//gocuda:kernel
func nsVotes(t *gocuda.Thread, w, h, reach int, limit int32, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= reach && x < w-reach && y >= reach && y < h-reach {
		var votes, others int32
		for dy := -reach; dy <= reach; dy++ {
			for dx := -reach; dx <= reach; dx++ {
				if v := in[(y+dy)*w+x+dx]; v < limit {
					votes++
				} else {
					others += v >> 3
				}
			}
		}
		out[y*w+x] = votes*1000 - others
	}
}

func nsVotesWant(w, h, reach int, limit int32, in, out []int32) {
	for y := reach; y < h-reach; y++ {
		for x := reach; x < w-reach; x++ {
			out[y*w+x] = 0
			for dy := -reach; dy <= reach; dy++ {
				for dx := -reach; dx <= reach; dx++ {
					if v := in[(y+dy)*w+x+dx]; v < limit {
						out[y*w+x] += 1000
					} else {
						out[y*w+x] -= v >> 3
					}
				}
			}
		}
	}
}

// Lengths of the rows of a matrix, a row a thread: elements at distances.
//
//gocuda:kernel
func nsNorms(t *gocuda.Thread, rows, cols int, a, out []float64) {
	i := t.GlobalX()
	if i < rows {
		var sum float64
		for j := cols - 1; j >= 0; j-- {
			sum += a[i*cols+j] * a[i*cols+j]
		}
		out[i] = math.Sqrt(sum)
	}
}

func nsNormsWant(rows, cols int, a, out []float64) {
	for i := range rows {
		sum := 0.0
		for j := cols - 1; j >= 0; j-- {
			p := a[i*cols+j] * a[i*cols+j]
			sum += p
		}
		out[i] = math.Sqrt(sum)
	}
}

// A chain of springs whose ends are fixed: neighbours where there are some.
//
//gocuda:kernel
func nsSprings(t *gocuda.Thread, n int, stiff float64, x, f []float64) {
	i := t.GlobalX()
	if i < n {
		force := 0.0
		if i > 0 {
			force += stiff * (x[i-1] - x[i])
		}
		if i != n-1 {
			force += stiff * (x[i+1] - x[i])
		}
		if force > 1 || force < -1 {
			force = force / math.Abs(force)
		}
		f[i] = force
	}
}

func nsSpringsWant(n int, stiff float64, x, f []float64) {
	for i := range n {
		force := 0.0
		if i > 0 {
			d := stiff * (x[i-1] - x[i])
			force += d
		}
		if i < n-1 {
			d := stiff * (x[i+1] - x[i])
			force += d
		}
		f[i] = max(-1, min(1, force))
		if math.Abs(force) > 1 {
			f[i] = force / math.Abs(force)
		}
	}
}

// Unsigned numbers mixed by shifts, every second element twice as often, by a condition that all
// threads share.
//
//gocuda:kernel
func nsMix(t *gocuda.Thread, twice bool, in, out []uint32) {
	i := t.GlobalX()
	if i < len(in) && i < len(out) {
		v := in[i]
		if twice {
			v = v<<13 ^ v
			v ^= v >> 17
		}
		v = ^v*2654435761 + uint32(len(in))
		out[i] = v
	}
}

func nsMixWant(twice bool, in, out []uint32) {
	for i := range min(len(in), len(out)) {
		v := in[i]
		if twice {
			v ^= v << 13
			v ^= v >> 17
		}
		out[i] = (v^math.MaxUint32)*2654435761 + uint32(len(in))
	}
}

func nestCases() (cases []Case) {
	for _, terms := range []int{-1, 0, 1, 9} {
		cases = append(cases, made(fmt.Sprint("nsPowers apart ", terms), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			c, x, y := pdNumbers[float32](200), pdNumbers[float32](1000), marked[float32](cfg.Blocks()*cfg.Threads()-1)
			return func(t *gocuda.Thread) { nsPowers(t, terms, c, x, y) }, nsPowersKernel(terms, c, x, y), []any{y}
		}, func(cfg grid.Config) []any {
			c, x, y := pdNumbers[float32](200), pdNumbers[float32](1000), make([]float32, cfg.Blocks()*cfg.Threads()-1)
			nsPowersWant(terms, c, x, y)
			return []any{y}
		}))
	}
	// One thread, whose sum is also the term that is added: it must not be in a register.
	for _, at := range []int{0, 1, 4, 8} {
		one := []grid.Config{line(1, 1), line(1, 16), line(1, 64)}
		cases = append(cases, made(fmt.Sprint("nsShared ", at), one, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			all, x := pdNumbers[float32](64), pdNumbers[float32](64)
			return func(t *gocuda.Thread) { nsPowers(t, 9, all, x, all[at:at+1]) }, nsPowersKernel(9, all, x, all[at:at+1]), []any{all}
		}, func(grid.Config) []any {
			all, x := pdNumbers[float32](64), pdNumbers[float32](64)
			nsPowersWant(9, all, x, all[at:at+1])
			return []any{all}
		}))
	}
	for _, reach := range []int{0, 1, 3} {
		cases = append(cases, made(fmt.Sprint("nsVotes ", reach), []grid.Config{grid.Box(32, 32, 1, 16, 8, 1), grid.Box(32, 31, 1, 32, 1, 1), grid.Box(32, 32, 1, 4, 4, 1)}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[int32](45*37), make([]int32, 45*37)
			return func(t *gocuda.Thread) { nsVotes(t, 29, 31, reach, 100, in, out) }, nsVotesKernel(29, 31, reach, 100, in, out), []any{out}
		}, func(grid.Config) []any {
			in, out := data[int32](45*37), make([]int32, 45*37)
			nsVotesWant(29, 31, reach, 100, in, out)
			return []any{out}
		}))
	}
	for _, cols := range []int{0, 1, 5, 33} {
		cases = append(cases, made(fmt.Sprint("nsNorms ", cols), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			rows := cfg.Blocks()*cfg.Threads() - cols%2
			a, out := pdNumbers[float64](rows*cols), make([]float64, rows)
			return func(t *gocuda.Thread) { nsNorms(t, rows, cols, a, out) }, nsNormsKernel(rows, cols, a, out), []any{out}
		}, func(cfg grid.Config) []any {
			rows := cfg.Blocks()*cfg.Threads() - cols%2
			a, out := pdNumbers[float64](rows*cols), make([]float64, rows)
			nsNormsWant(rows, cols, a, out)
			return []any{out}
		}))
	}
	cases = append(cases, made("nsSprings", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		x, f := pdNumbers[float64](n), make([]float64, n)
		return func(t *gocuda.Thread) { nsSprings(t, n, 0.75, x, f) }, nsSpringsKernel(n, 0.75, x, f), []any{f}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		x, f := pdNumbers[float64](n), make([]float64, n)
		nsSpringsWant(n, 0.75, x, f)
		return []any{f}
	}))
	for _, twice := range []bool{false, true} {
		cases = append(cases, made(fmt.Sprint("nsMix ", twice), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Blocks() * cfg.Threads()
			in, out := data[uint32](n-2*cfg.Blocks()/3), make([]uint32, n)
			return func(t *gocuda.Thread) { nsMix(t, twice, in, out) }, nsMixKernel(twice, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			n := cfg.Blocks() * cfg.Threads()
			in, out := data[uint32](n-2*cfg.Blocks()/3), make([]uint32, n)
			nsMixWant(twice, in, out)
			return []any{out}
		}))
	}
	return cases
}
