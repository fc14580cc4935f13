//go:build compiled

package corpus

import (
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Addresses of variables that live across barriers, each kept no longer than up to the next one.

// An array that each phase looks at through a slice.
//
//gocuda:kernel
func adSliced(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	var sums [5]int32
	v := sums[1:4]
	for k := range v {
		v[k] = in[i] + int32(k)
	}
	s[tid] = adTotal(sums[:])
	t.SyncThreads()
	w := sums[:3]
	adScale(w, s[(tid+1)%n])
	u := w[1:]
	u[0]++
	t.SyncThreads()
	s[tid] = adTotal(sums[2:]) - u0(sums)
	t.SyncThreads()
	if tid%3 == 0 {
		x := sums[tid%2:]
		x[len(x)-1] = s[(tid+5)%n]
	}
	t.SyncThreads()
	out[i] = adTotal(sums[:]) + sums[4]*3
}

func u0(a [5]int32) int32 { return a[0] }

func adTotal(v []int32) int32 {
	sum := int32(0)
	for i, x := range v {
		sum = sum*3 + x + int32(i)
	}
	return sum
}

func adScale(v []int32, by int32) {
	for i := range v {
		v[i] = v[i]*by + int32(i)
	}
}

func adSlicedWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		sums, s := make([][]int32, n), make([]int32, n)
		for i := range out {
			v := in[first+i]
			sums[i] = []int32{0, v, v + 1, v + 2, 0}
			s[i] = adTotal(sums[i])
		}
		for i, a := range sums {
			adScale(a[:3], s[(i+1)%n])
			a[1]++
		}
		for i, a := range sums {
			s[i] = adTotal(a[2:]) - a[0]
		}
		for i, a := range sums {
			if i%3 == 0 {
				a[4] = s[(i+5)%n]
			}
			out[i] = adTotal(a) + 3*a[4]
		}
	})
}

// The address of an element, of a number, and of a field, in a variable, in a struct and by way of
// another.
//
//gocuda:kernel
func adPointers(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	var a [4]int32
	b, at := in[i], adPlace{}
	p := &a[tid%4]
	*p = b
	both := struct{ x, y *int32 }{&b, p}
	*both.x -= *both.y / 2
	s[tid] = a[1] + b
	t.SyncThreads()
	q := &a[(tid+1)%4]
	r := q
	*r += s[(tid+3)%n]
	where := &at
	where.low = *q
	where.add(b)
	t.SyncThreads()
	for k := range 3 {
		p := &a[k]
		if k == tid%3 {
			p = &b
		}
		*p ^= at.low + int32(k)
	}
	s[tid] = at.high
	t.SyncThreads()
	out[i] = adTotal(a[:]) + b*7 + s[(tid+2)%n] - at.low
}

type adPlace struct{ low, high int32 }

func (p *adPlace) add(v int32) {
	p.low += v
	p.high = p.low * 3
}

func adPointersWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		type state struct {
			a            [4]int32
			b, low, high int32
		}
		all, s := make([]state, n), make([]int32, n)
		for i := range all {
			x := &all[i]
			x.b = in[first+i]
			x.a[i%4] = x.b
			x.b -= x.b / 2
			s[i] = x.a[1] + x.b
		}
		for i := range all {
			x := &all[i]
			x.a[(i+1)%4] += s[(i+3)%n]
			x.low = x.a[(i+1)%4] + x.b
			x.high = 3 * x.low
		}
		for i := range all {
			x := &all[i]
			for k := range int32(3) {
				if int(k) == i%3 {
					x.b ^= x.low + k
				} else {
					x.a[k] ^= x.low + k
				}
			}
			s[i] = x.high
		}
		for i, x := range all {
			out[i] = adTotal(slices.Clone(x.a[:])) + x.b*7 + s[(i+2)%n] - x.low
		}
	})
}

// A call returns what it was given, so that the address of the array is kept across a barrier.
//
//gocuda:kernel
func adReturned(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	var a [4]int32
	a[0] = in[i]
	s := adTail(a[:])
	t.SyncThreads()
	s[0] = 5
	t.SyncThreads()
	out[i] = a[0] + a[1]
}

//go:noinline
func adTail(s []int32) []int32 { return s[1:] }

func adReturnedWant(_ grid.Config, in, out []int32) {
	for i, v := range in {
		out[i] = v + 5
	}
}

var adCases = []Case{
	perThread("adReturned", linear, adReturned, adReturnedKernel, adReturnedWant),
	perThread("adSliced", linear, adSliced, adSlicedKernel, adSlicedWant),
	perThread("adPointers", linear, adPointers, adPointersKernel, adPointersWant),
}
