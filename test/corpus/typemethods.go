//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Methods of type parameters: a helper that is generic over an operation calls the one of its
// argument's type, be it declared for the value, for a pointer to it, for something embedded or for
// a generic type.

type operation[T any] interface{ apply(a, b T) T }

type tmPlus struct{}

func (tmPlus) apply(a, b int32) int32 { return a + b }

type tmLarger struct{ least int32 }

func (x tmLarger) apply(a, b int32) int32 { return max(a, b, x.least) }

type tmEmbedded struct {
	name string
	tmLarger
}

type tmCounted[T integers] struct{ n T }

func (x *tmCounted[T]) apply(a, b T) T {
	x.n++
	return a ^ b
}

type integers interface{ ~int32 | ~int64 }

// tmScan replaces the elements of s, one for each thread, by what the operation makes of all up to
// them.
func tmScan[T any, O operation[T]](t *gocuda.Thread, o O, s []T) T {
	tid := t.ThreadIdx.X
	for d := 1; d < t.BlockDim.X; d *= 2 {
		v := s[tid]
		if tid >= d {
			v = o.apply(s[tid-d], v)
		}
		t.SyncThreads()
		s[tid] = v
		t.SyncThreads()
	}
	return s[tid]
}

//gocuda:kernel
func tmScans(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	s[tid] = in[i]
	t.SyncThreads()
	sum := tmScan(t, tmPlus{}, s)
	s[tid] = in[i]
	t.SyncThreads()
	largest := tmScan(t, tmEmbedded{"largest", tmLarger{-20}}, s)
	s[tid] = in[i]
	t.SyncThreads()
	rounds := tmCounted[int32]{5}
	parity := tmScan(t, &rounds, s)
	out[i] = sum + 3*largest + 5*parity + 7*rounds.n
}

func tmScansWant(cfg grid.Config, in, out []int32) {
	n := cfg.Threads()
	for i := range out {
		first := i / n * n
		sum, largest, parity, rounds := in[first], in[first], in[first], int32(5)
		for _, v := range in[first+1 : i+1] {
			sum += v
			largest = max(largest, v, -20)
			parity ^= v
		}
		for d := 1; d < n && d <= i-first; d *= 2 {
			rounds++
		}
		out[i] = sum + 3*largest + 5*parity + 7*rounds
	}
}

func tmTwice[T any, O operation[T]](o O, a, b T) T { return o.apply(a, o.apply(a, b)) }

// tmInPlace calls a method of *T.
func tmInPlace[T any, P interface {
	*T
	operation[int32]
}](x T, a, b int32) int32 {
	return P(&x).apply(a, b) + P(&x).apply(b, a)
}

//gocuda:kernel
func tmPlain(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	x := in[i]
	x = tmTwice(tmPlus{}, 4, x)
	x = tmTwice(tmLarger{-5}, 3, x)
	x += tmInPlace(tmCounted[int32]{x}, 12, x)
	out[i] = x
}

func tmPlainWant(cfg grid.Config, in, out []int32) {
	for i, x := range in {
		x = max(x+8, 3)
		out[i] = x + 2*(12^x)
	}
}

var tmCases = []Case{
	perThread("tmScans", linear, tmScans, tmScansKernel, tmScansWant),
	perThread("tmPlain", linear, tmPlain, tmPlainKernel, tmPlainWant),
}
