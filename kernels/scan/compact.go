package scan

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Stream compaction (The CUDA Handbook, section 13.6): the elements that satisfy a condition, side
// by side, in their order. Where an element goes is the number of elements before it that are kept,
// which is an exclusive scan of ones and zeros. CompactFlags is that and nothing else: a scan and a
// scatter. Compact has the condition in the kernel, and a run of elements for each thread: threads
// count what they keep, the counts are scanned, and threads write what they keep from there on. The
// array is read twice, and nothing else of its size is needed.

// A Predicate says which elements are kept. Holds is called by many threads at a time, and twice
// for each element, so it must not change anything.
//
// Kernels call the method of a Predicate of one's own. Those of this package are part of the kernels.
type Predicate[T any] interface{ Holds(v T) bool }

// Between holds for Low, High and what lies between them.
type Between[T kernels.Number] struct{ Low, High T }

// Holds reports whether v is in the range.
func (p Between[T]) Holds(v T) bool { return p.Low <= v && v <= p.High }

// NonZero holds for all numbers but 0, NaN included.
type NonZero[T kernels.Number] struct{}

// Holds reports whether v is not 0.
func (NonZero[T]) Holds(v T) bool { return v != 0 }

// ones sets ones[i] to 1 if keep[i], and to 0 if not, and has one 0 more.
//
//gocuda:kernel
func ones(t *gocuda.Thread, n int, ones []int, keep []bool) {
	for i := t.GlobalX(); i <= n; i += t.GridDim.X * t.BlockDim.X {
		one := 0
		if i < n && keep[i] {
			one = 1
		}
		ones[i] = one
	}
}

// scatter is the program of one thread: an element that is kept has a place of its own, so the
// place after it is another.
//
//gocuda:kernel
func scatter[T any](t *gocuda.Thread, n int, out []T, count []int, in []T, place []int) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		if place[i] != place[i+1] {
			out[place[i]] = in[i]
		}
	}
	if t.GlobalX() == 0 {
		count[0] = place[n]
	}
}

// CompactFlags sets out to those elements of in that have true in keep, in their order, and
// count[0] to how many they are. The rest of out is left as it is. All slices have the same length
// but count, which has one element. out and in must not overlap.
func CompactFlags[T any](ctx context.Context, on kernels.Launcher, out []T, count []int, in []T, keep []bool) error {
	n := len(in)
	if err := checkCompact(n, len(out), len(count)); err != nil {
		return err
	}
	if err := check.Lengths("compact: elements and flags", n, len(keep)); err != nil {
		return err
	}
	place := make([]int, n+1)
	cfg := line(min(cover(n+1, maxThreads), maxBlocks), maxThreads)
	if err := on.Launch(ctx, cfg, onesKernel(n, place, keep)); err != nil {
		return err
	}
	if err := Exclusive(ctx, on, Runs, Sum[int]{}, place, place); err != nil {
		return err
	}
	return on.Launch(ctx, cfg, scatterKernel(n, out, count, in, place))
}

const (
	keepLength  = 256 // elements of a thread, or more
	keepThreads = 64  // of a block
)

// countRun is the program of one thread: it counts what is kept of its run.
func countRun[T any](t *gocuda.Thread, holds func(v T) int, run, n int, in []T, counts []int) {
	i := t.GlobalX()
	if first := i * run; first < n {
		kept := 0
		for _, v := range in[first:min(first+run, n)] {
			kept += holds(v)
		}
		counts[i] = kept
	}
}

// keepRun is the program of one thread. Its elements go from place[i] up to place[i+1]. It does not
// ask whether to write an element: it writes all to the next place, over what is there until one
// stays, which takes no branch that a processor could guess wrong. It stops when its places are
// full, and so never writes to the next thread's.
func keepRun[T any](t *gocuda.Thread, holds func(v T) int, run, n int, out []T, count []int, in []T, place []int) {
	i := t.GlobalX()
	if first := i * run; first < n {
		from, to := in[first:min(first+run, n)], out[place[i]:place[i+1]]
		at := 0
		for k := 0; k < len(from) && at < len(to); k++ {
			v := from[k]
			to[at] = v
			at += holds(v)
		}
	}
	if i == 0 {
		count[0] = place[(n+run-1)/run]
	}
}

// one returns 1 if ok and 0 if not, which takes an instruction and no branch.
func one(ok bool) int {
	n := 0
	if ok {
		n = 1
	}
	return n
}

// countKept and keep have the predicates of this package: which is 0 for those from low to high,
// and else all but 0. They stay plain Go as reduceRuns does.
//
//gocuda:kernel
func countKept[T kernels.Number, P int8](t *gocuda.Thread, which P, low, high T, run, n int, in []T, counts []int) {
	if which == 0 {
		countRun(t, func(v T) int { return one(low <= v) & one(v <= high) }, run, n, in, counts)
	} else {
		countRun(t, func(v T) int { return one(v != 0) }, run, n, in, counts)
	}
}

//gocuda:kernel
func keep[T kernels.Number, P int8](t *gocuda.Thread, which P, low, high T, run, n int, out []T, count []int, in []T, place []int) {
	if which == 0 {
		keepRun(t, func(v T) int { return one(low <= v) & one(v <= high) }, run, n, out, count, in, place)
	} else {
		keepRun(t, func(v T) int { return one(v != 0) }, run, n, out, count, in, place)
	}
}

//gocuda:kernel
func countKeptOf[T any, P Predicate[T]](t *gocuda.Thread, p P, run, n int, in []T, counts []int) {
	countRun(t, func(v T) int { return one(holds(p, v)) }, run, n, in, counts)
}

//gocuda:kernel
func keepOf[T any, P Predicate[T]](t *gocuda.Thread, p P, run, n int, out []T, count []int, in []T, place []int) {
	keepRun(t, func(v T) int { return one(holds(p, v)) }, run, n, out, count, in, place)
}

// holds calls the method. It is a func so that kernels, which can't call methods of interfaces, can
// call it.
func holds[T any, P Predicate[T]](p P, v T) bool { return p.Holds(v) }

// A sieve is the kernels for a predicate.
type sieve[T any] interface {
	count(run, n int, in []T, counts []int) gocuda.Kernel
	keep(run, n int, out []T, count []int, in []T, place []int) gocuda.Kernel
}

func (p Between[T]) count(run, n int, in []T, counts []int) gocuda.Kernel {
	return countKeptKernel(int8(0), p.Low, p.High, run, n, in, counts)
}

func (p Between[T]) keep(run, n int, out []T, count []int, in []T, place []int) gocuda.Kernel {
	return keepKernel(int8(0), p.Low, p.High, run, n, out, count, in, place)
}

func (NonZero[T]) count(run, n int, in []T, counts []int) gocuda.Kernel {
	return countKeptKernel(int8(1), 0, 0, run, n, in, counts)
}

func (NonZero[T]) keep(run, n int, out []T, count []int, in []T, place []int) gocuda.Kernel {
	return keepKernel(int8(1), 0, 0, run, n, out, count, in, place)
}

type customSieve[T any, P Predicate[T]] struct{ p P }

func (s customSieve[T, P]) count(run, n int, in []T, counts []int) gocuda.Kernel {
	return countKeptOfKernel(s.p, run, n, in, counts)
}

func (s customSieve[T, P]) keep(run, n int, out []T, count []int, in []T, place []int) gocuda.Kernel {
	return keepOfKernel(s.p, run, n, out, count, in, place)
}

// Compact sets out to those elements of in for which p holds, in their order, and count[0] to how
// many they are. The rest of out is left as it is. The slices have the same length but count, which
// has one element. out and in must not overlap.
func Compact[T any, P Predicate[T]](ctx context.Context, on kernels.Launcher, p P, out []T, count []int, in []T) error {
	n := len(in)
	if err := checkCompact(n, len(out), len(count)); err != nil {
		return err
	}
	s, ok := any(p).(sieve[T])
	if !ok {
		s = customSieve[T, P]{p}
	}
	run := keepLength * max(cover(n, keepLength*keepThreads*maxBlocks), 1) // longer if the grid would get too large
	threads := cover(n, run)
	cfg := line(max(cover(threads, keepThreads), 1), keepThreads)
	place := make([]int, threads+1) // counts at first, and a 0 after the last
	if err := on.Launch(ctx, cfg, s.count(run, n, in, place)); err != nil {
		return err
	}
	if err := Exclusive(ctx, on, Runs, Sum[int]{}, place, place); err != nil {
		return err
	}
	return on.Launch(ctx, cfg, s.keep(run, n, out, count, in, place))
}

// checkCompact checks lengths.
func checkCompact(in, out, count int) error {
	if err := check.Lengths("compact: elements in and out", in, out); err != nil {
		return err
	}
	if count != 1 {
		return check.Invalid("compact", "%d elements for the count, not 1", count)
	}
	return nil
}
