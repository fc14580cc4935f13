//go:build compiled

package corpus

import (
	"math"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Every thread loops its own number of times.
//
//gocuda:kernel
func collatz(t *gocuda.Thread, in, out []int32) {
	n, c := int64(uint32(in[t.GlobalX()])%10_000)+1, int32(0)
	for n != 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		c++
	}
	out[t.GlobalX()] = c
}

// Floating point with two ways out of the loop.
//
//gocuda:kernel
func mandelbrot(t *gocuda.Thread, limit int, in []float32, out []int32) {
	cx := in[t.GlobalX()] / 50
	cy := float32(t.ThreadIdx.X%7) / 7
	x, y := float32(0), float32(0)
	k := 0
	for ; k < limit; k++ {
		x2 := float32(x * x)
		y2 := float32(y * y)
		if x2+y2 > 4 {
			break
		}
		xy := float32(2 * x * y)
		x, y = x2-y2+cx, xy+cy
	}
	out[t.GlobalX()] = int32(k)
}

func mandelbrotWant(limit int, cfg grid.Config, in []float32, out []int32) {
	for i, v := range in {
		cx, cy := v/50, float32(i%cfg.Threads()%7)/7
		var x, y float32
		out[i] = int32(limit)
		for k := range limit {
			x2, y2 := float32(x*x), float32(y*y)
			if float32(x2+y2) > 4 {
				out[i] = int32(k)
				break
			}
			xy := float32(2 * x * y)
			x = float32(x2-y2) + cx
			y = xy + cy
		}
	}
}

// Binary search in a sorted array.
//
//gocuda:kernel
func binarySearch(t *gocuda.Thread, sorted, in, out []int32) {
	v := in[t.GlobalX()]
	lo, hi := 0, len(sorted)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if sorted[m] < v {
			lo = m + 1
		} else {
			hi = m
		}
	}
	out[t.GlobalX()] = int32(lo)
}

// The greatest common divisor, by remainders.
//
//gocuda:kernel
func euclid(t *gocuda.Thread, in, out []uint32) {
	a, b := in[t.GlobalX()], in[len(in)-1-t.GlobalX()]
	for b != 0 {
		a, b = b, a%b
	}
	out[t.GlobalX()] = a
}

func euclidWant(cfg grid.Config, in, out []uint32) {
	for i := range in {
		a, b := in[i], in[len(in)-1-i]
		shift := 0
		for a != 0 && b != 0 { // the binary algorithm
			switch {
			case a%2 == 0 && b%2 == 0:
				a, b, shift = a/2, b/2, shift+1
			case a%2 == 0:
				a /= 2
			case b%2 == 0:
				b /= 2
			case a > b:
				a = (a - b) / 2
			default:
				b = (b - a) / 2
			}
		}
		out[i] = (a | b) << shift
	}
}

// Break and continue at several places of a loop that each thread leaves on its own.
//
//gocuda:kernel
func breakContinue(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	sum := int32(0)
	for k := int32(0); k < 50; k++ {
		if v>>(k%31)&1 == 0 {
			continue
		}
		sum += k
		if sum > 200 {
			sum = -sum
			break
		}
		if v&3 == 2 {
			if k%5 == 0 {
				continue
			}
			sum++
		} else if v&3 == 3 && k > 20 {
			break
		}
		v ^= k
	}
	out[t.GlobalX()] = sum ^ v
}

// Loops in loops, all of them divergent, with labels.
//
//gocuda:kernel
func nestedDivergent(t *gocuda.Thread, in, out []int32) {
	v := uint32(in[t.GlobalX()])
	r := uint32(0)
rows:
	for a := v % 7; a < 12; a++ {
		for b := a; ; b += a + 1 {
			if (v>>(b%32))&1 == 1 {
				r += b
				continue rows
			}
			for c := uint32(0); c < b; c++ {
				if r += c; r > 3000 {
					break rows
				}
				if c*c > v%100 {
					break
				}
			}
			if b > 40 {
				break
			}
		}
		r ^= a
	}
	out[t.GlobalX()] = int32(r)
}

// Each thread sums another part of an array, and stops at a mark.
//
//gocuda:kernel
func segments(t *gocuda.Thread, starts, in, out []int32) {
	i := t.GlobalX()
	sum := int32(0)
	for k := starts[i]; k < starts[i+1]; k++ {
		if in[k] == -1 {
			break
		}
		sum += in[k]
	}
	out[i] = sum
}

// Newton's method until it changes no more, a different number of steps for each.
//
//gocuda:kernel
func newton(t *gocuda.Thread, in, out []float64) {
	i := t.GlobalX()
	a := math.Abs(in[i]) + 0.001
	x, last := a, 0.0
	for math.Abs(x-last) > 1e-12*x {
		last = x
		x = (x + a/x) / 2
	}
	out[i] = x
}

// The variable that ends the loop is changed under a condition, and read after the loop.
//
//gocuda:kernel
func flagLoop(t *gocuda.Thread, in, out []int32) {
	v, done, steps := in[t.GlobalX()], false, 0
	for !done {
		steps++
		if v%3 == 0 || steps > 30 {
			done = true
		} else if v > 0 {
			v -= int32(steps)
		} else {
			v += 2 * int32(steps)
			if v == 0 {
				return
			}
		}
	}
	if !done {
		v = 0
	}
	out[t.GlobalX()] = v*32 + int32(steps)
}

func flagLoopWant(cfg grid.Config, in, out []int32) {
	for i, v := range in {
		step := int32(1)
		for ; v%3 != 0 && step <= 30; step++ {
			if v > 0 {
				v -= step
			} else if v += 2 * step; v == 0 {
				step = -1
				break
			}
		}
		if step > 0 {
			out[i] = v*32 + step
		}
	}
}

// An insertion sort of a private array.
//
//gocuda:kernel
func sortPrivate(t *gocuda.Thread, in, out []int32) {
	var a [6]int32
	for k := range a {
		a[k] = in[(t.GlobalX()+k*3)%len(in)]
	}
	for i := 1; i < len(a); i++ {
		v := a[i]
		j := i - 1
		for j >= 0 && a[j] > v {
			a[j+1] = a[j]
			j--
		}
		a[j+1] = v
	}
	out[t.GlobalX()] = a[2]
	if a[0] > a[1] || a[4] > a[5] {
		out[t.GlobalX()] = 0
	}
}

// A loop of fixed length whose body has a condition of each thread's own, and an early exit when all
// bits are gone.
//
//gocuda:kernel
func bitLoop(t *gocuda.Thread, in, out []uint64) {
	v := in[t.GlobalX()]
	var r uint64
	for k := range 64 {
		if v == 0 {
			break
		}
		if v&1 != 0 {
			r |= 1 << (63 - k)
		}
		v >>= 1
	}
	out[t.GlobalX()] = r
}

var divergentCases = []Case{
	perThread("collatz", linear, collatz, collatzKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = 0
			for n := uint32(v)%10_000 + 1; n != 1; out[i]++ {
				if n&1 == 0 {
					n >>= 1
				} else {
					n += n<<1 + 1
				}
			}
		}
	}),
	withParameter("mandelbrot", linear, 60, mandelbrot, mandelbrotKernel, mandelbrotWant),
	made("binarySearch", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		sorted, in, out := dataFrom[int32](200, 5), data[int32](n), marked[int32](n)
		slices.Sort(sorted)
		return func(t *gocuda.Thread) { binarySearch(t, sorted, in, out) }, binarySearchKernel(sorted, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		out := data[int32](cfg.Blocks() * cfg.Threads())
		for i, v := range out {
			out[i] = 0
			for _, w := range dataFrom[int32](200, 5) {
				if w < v {
					out[i]++
				}
			}
		}
		return []any{out}
	}),
	perThread("euclid", linear, euclid, euclidKernel, euclidWant),
	perThread("breakContinue", linear, breakContinue, breakContinueKernel, nil),
	perThread("nestedDivergent", linear, nestedDivergent, nestedDivergentKernel, nil),
	made("segments", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		starts, in, out := segmentStarts(n), data[int32](n*4), marked[int32](n)
		return func(t *gocuda.Thread) { segments(t, starts, in, out) }, segmentsKernel(starts, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		starts, in, out := segmentStarts(n), data[int32](n*4), make([]int32, n)
		for i := range out {
			for _, v := range in[starts[i]:starts[i+1]] {
				if v == -1 {
					break
				}
				out[i] += v
			}
		}
		return []any{out}
	}),
	perThread("newton", linear, newton, newtonKernel, nil),
	perThread("flagLoop", linear, flagLoop, flagLoopKernel, flagLoopWant),
	perThread("sortPrivate", linear, sortPrivate, sortPrivateKernel, func(_ grid.Config, in, out []int32) {
		for i := range out {
			var a []int32
			for k := range 6 {
				a = append(a, in[(i+k*3)%len(in)])
			}
			slices.Sort(a)
			out[i] = a[2]
		}
	}),
	perThread("bitLoop", linear, bitLoop, bitLoopKernel, func(_ grid.Config, in, out []uint64) {
		for i, v := range in {
			out[i] = 0
			for k := range 64 {
				out[i] += v >> k & 1 << (63 - k)
			}
		}
	}),
}

func segmentStarts(n int) []int32 {
	starts := make([]int32, n+1)
	for i := range n {
		starts[i+1] = starts[i] + int32(hash(i)%8*(hash(i+9)%2))
		starts[i+1] = min(starts[i+1], int32(4*n))
	}
	return starts
}
