package scan

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The scan of runs: a part for each thread, which goes along it as the serial loop does. Threads
// then combine 3n times in all, where blocks of 256 that scan together take 8n for their eight
// rounds. It is the inner step of GPU scans that are made for speed, where each thread has a few
// neighbouring elements in registers (Merrill and Grimshaw, Parallel Scan for Stream Architectures,
// 2009). A processor wants long runs and nothing else: it reads ahead along each, while a GPU would
// wait for threads that read far apart.
//
// In the serial loop each step waits for the one before. Here a step takes four elements: they are
// combined among themselves, which waits for nothing, and what is carried along is combined with
// each of the results. To combine all of a run it takes eight.

const (
	minRun     = 256 // elements of a thread, or more
	runThreads = 64  // of a block
)

// reduceRun is the program of one thread.
func reduceRun[T any](t *gocuda.Thread, combine func(a, b T) T, run, n int, in, totals []T) {
	i := t.GlobalX()
	if first := i * run; first < n {
		v, from := in[first], in[first+1:min(first+run, n)]
		k := 0
		for ; k <= len(from)-8; k += 8 {
			e := from[k : k+8 : k+8] // one check for eight elements
			v = combine(v, combine(
				combine(combine(e[0], e[1]), combine(e[2], e[3])),
				combine(combine(e[4], e[5]), combine(e[6], e[7]))))
		}
		for ; k < len(from); k++ {
			v = combine(v, from[k])
		}
		totals[i] = v
	}
}

// reduceRuns has a second type parameter so that it stays plain Go: vectors whose lanes are runs
// would be loaded one by one, which is slower than no vectors.
//
//gocuda:kernel
func reduceRuns[T kernels.Number, P int8](t *gocuda.Thread, op P, run, n int, in, totals []T) {
	switch operation(op) {
	case addition:
		reduceRun(t, func(a, b T) T { return a + b }, run, n, in, totals)
	case multiplication:
		reduceRun(t, func(a, b T) T { return a * b }, run, n, in, totals)
	case maximum:
		reduceRun(t, func(a, b T) T { return max(a, b) }, run, n, in, totals)
	case minimum:
		reduceRun(t, func(a, b T) T { return min(a, b) }, run, n, in, totals)
	}
}

//gocuda:kernel
func reduceRunsOf[T any, O Operator[T]](t *gocuda.Thread, op O, run, n int, in, totals []T) {
	reduceRun(t, func(a, b T) T { return call(op, a, b) }, run, n, in, totals)
}

// scanRun is the program of one thread.
func scanRun[T any](t *gocuda.Thread, combine func(a, b T) T, inclusive bool, run, n int, out, in, before []T) {
	i := t.GlobalX()
	if first := i * run; first < n {
		v, from, to := before[i], in[first:min(first+run, n)], out[first:min(first+run, n)]
		k := 0
		if inclusive {
			for ; k <= len(from)-4; k += 4 {
				e, r := from[k:k+4:k+4], to[k:k+4:k+4]
				a := e[0]
				b := combine(a, e[1])
				c := combine(b, e[2])
				d := combine(b, combine(e[2], e[3]))
				r[0], r[1], r[2] = combine(v, a), combine(v, b), combine(v, c)
				v = combine(v, d)
				r[3] = v
			}
			for ; k < len(from); k++ {
				v = combine(v, from[k])
				to[k] = v
			}
		} else {
			for ; k <= len(from)-4; k += 4 {
				e, r := from[k:k+4:k+4], to[k:k+4:k+4]
				a := e[0]
				b := combine(a, e[1])
				c := combine(b, e[2])
				d := combine(b, combine(e[2], e[3]))
				r[0], r[1], r[2], r[3] = v, combine(v, a), combine(v, b), combine(v, c)
				v = combine(v, d)
			}
			for ; k < len(from); k++ {
				u := from[k]
				to[k] = v
				v = combine(v, u)
			}
		}
	}
}

// scanRuns stays plain Go as reduceRuns does.
//
//gocuda:kernel
func scanRuns[T kernels.Number, P int8](t *gocuda.Thread, op P, inclusive bool, run, n int, out, in, before []T) {
	switch operation(op) {
	case addition:
		scanRun(t, func(a, b T) T { return a + b }, inclusive, run, n, out, in, before)
	case multiplication:
		scanRun(t, func(a, b T) T { return a * b }, inclusive, run, n, out, in, before)
	case maximum:
		scanRun(t, func(a, b T) T { return max(a, b) }, inclusive, run, n, out, in, before)
	case minimum:
		scanRun(t, func(a, b T) T { return min(a, b) }, inclusive, run, n, out, in, before)
	}
}

//gocuda:kernel
func scanRunsOf[T any, O Operator[T]](t *gocuda.Thread, op O, inclusive bool, run, n int, out, in, before []T) {
	scanRun(t, func(a, b T) T { return call(op, a, b) }, inclusive, run, n, out, in, before)
}

func runs[T any](ctx context.Context, on kernels.Launcher, f family[T], identity T, inclusive bool, out, in []T) error {
	n := len(in)
	run := minRun * cover(n, minRun*runThreads*maxBlocks) // longer if the grid would get too large
	threads := cover(n, run)
	cfg := line(cover(threads, runThreads), runThreads)
	before := []T{identity}
	if threads > 1 {
		before = make([]T, threads)
		if err := on.Launch(ctx, cfg, f.reduceRuns(run, n, in, before)); err != nil {
			return err
		}
		if err := runs(ctx, on, f, identity, false, before, before); err != nil {
			return err
		}
	}
	return on.Launch(ctx, cfg, f.scanRuns(inclusive, run, n, out, in, before))
}
