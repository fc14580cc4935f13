package scan

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
)

// The scan of runs: a part for each thread, which goes along it as the serial loop does. Threads share
// nothing and meet no barrier. They combine 3n times in all, where blocks of 256 that scan together
// take 8n for their eight rounds. It is the inner step of GPU scans that are made for speed, where
// each thread has a few neighbouring elements in registers (Merrill and Grimshaw, Parallel Scan for
// Stream Architectures, 2009). A processor wants long runs and nothing else: it reads ahead along
// each, while a GPU would wait for threads that read far apart.
//
// In the serial loop each step waits for the one before. In plain Go a step takes four elements here:
// they are combined among themselves, which waits for nothing, and what is carried along is combined
// with each of the results. To combine all of a run it takes eight. Sums have kernels of their own,
// for vectors whose lanes are threads.

const (
	// runLength is the number of elements of a thread. With 256 of them the eight runs that are added
	// up at a time would share two pages, of which the processor reads one line after the other ahead,
	// and 2^26 elements would take 1.5 times as long.
	runLength  = 4096
	runThreads = 8 // of a block
	// runSegment is how many elements are combined before they are scanned, of an array that has more
	// than four times as many. The second pass over them finds them in the cache then: 2^26 of
	// float32 take 0.8 of the time that they take in one segment with vectors and 0.87 without, and
	// 2^22 take 1.1.
	runSegment = 1 << 20
)

// reduceRun is the program of one thread.
func reduceRun[T any](t *gocuda.Thread, combine func(a, b T) T, n int, in, totals []T) {
	i := t.GlobalX()
	if first := i * runLength; first < n {
		v, from := in[first], in[first+1:min(first+runLength, n)]
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

// reduceRuns has a second type parameter so that it stays plain Go: vectors for each operation would
// make the package larger than they are worth.
//
//gocuda:kernel
func reduceRuns[T kernels.Number, P int8](t *gocuda.Thread, op P, n int, in, totals []T) {
	switch operation(op) {
	case multiplication:
		reduceRun(t, func(a, b T) T { return a * b }, n, in, totals)
	case maximum:
		reduceRun(t, func(a, b T) T { return max(a, b) }, n, in, totals)
	case minimum:
		reduceRun(t, func(a, b T) T { return min(a, b) }, n, in, totals)
	}
}

// sumRuns is reduceRuns for sums.
//
//gocuda:kernel
func sumRuns[T kernels.Number](t *gocuda.Thread, n int, in, totals []T) {
	i := t.GlobalX()
	from := i * runLength
	var sum T
	if (t.BlockIdx.X+1)*runThreads*runLength <= n { // but for the last block
		for k := range runLength {
			sum += in[from+k]
		}
	} else {
		for k := from; k < min(from+runLength, n); k++ {
			sum += in[k]
		}
	}
	totals[i] = sum
}

//gocuda:kernel
func reduceRunsOf[T any, O kernels.Operator[T]](t *gocuda.Thread, op O, n int, in, totals []T) {
	reduceRun(t, func(a, b T) T { return call(op, a, b) }, n, in, totals)
}

// scanRun is the program of one thread.
func scanRun[T any](t *gocuda.Thread, combine func(a, b T) T, inclusive bool, n int, out, in, before []T) {
	i := t.GlobalX()
	if first := i * runLength; first < n {
		v, from, to := before[i], in[first:min(first+runLength, n)], out[first:min(first+runLength, n)]
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
func scanRuns[T kernels.Number, P int8](t *gocuda.Thread, op P, inclusive bool, n int, out, in, before []T) {
	switch operation(op) {
	case multiplication:
		scanRun(t, func(a, b T) T { return a * b }, inclusive, n, out, in, before)
	case maximum:
		scanRun(t, func(a, b T) T { return max(a, b) }, inclusive, n, out, in, before)
	case minimum:
		scanRun(t, func(a, b T) T { return min(a, b) }, inclusive, n, out, in, before)
	}
}

// scanSums is scanRuns for sums.
//
//gocuda:kernel
func scanSums[T kernels.Number](t *gocuda.Thread, inclusive bool, n int, out, in, before []T) {
	i := t.GlobalX()
	from := i * runLength
	sum := before[i]
	if (t.BlockIdx.X+1)*runThreads*runLength <= n {
		for k := range runLength {
			v := sum
			sum += in[from+k]
			if inclusive {
				v = sum
			}
			out[from+k] = v
		}
	} else {
		for k := from; k < min(from+runLength, n); k++ {
			v := sum
			sum += in[k]
			if inclusive {
				v = sum
			}
			out[k] = v
		}
	}
}

//gocuda:kernel
func scanRunsOf[T any, O kernels.Operator[T]](t *gocuda.Thread, op O, inclusive bool, n int, out, in, before []T) {
	scanRun(t, func(a, b T) T { return call(op, a, b) }, inclusive, n, out, in, before)
}

// runs scans one segment of an array after the other: it combines the runs, scans what comes out, and
// scans each run from what all before it combine to.
func runs[T any](ctx context.Context, on kernels.Launcher, f family[T], identity T, inclusive bool, out, in []T) error {
	n := len(in)
	if n <= runLength {
		return on.Launch(ctx, line(1, 1), f.scanRuns(inclusive, n, out, in, []T{identity}))
	}
	blocks := func(n int) grid.Config { return line(cover(n, runThreads*runLength), runThreads) }
	last := cover(n, runThreads*runLength) * runThreads
	before := make([]T, last+1) // what is before each run, and behind them what all combine to
	before[0] = identity
	segment := n
	if n > 4*runSegment {
		segment = runSegment
	}
	for from := 0; from < n; from += segment {
		to, end := min(from+segment, n), last
		if to < n {
			end = to / runLength
		}
		totals := before[from/runLength : end+1]
		cfg := blocks(to - from)
		if err := on.Launch(ctx, cfg, f.reduceRuns(to-from, in[from:to], totals[1:])); err != nil {
			return err
		}
		if to == n {
			totals = totals[:len(totals)-1] // that of all begins no segment
		}
		if err := runs(ctx, on, f, identity, true, totals, totals); err != nil {
			return err
		}
		if err := on.Launch(ctx, cfg, f.scanRuns(inclusive, to-from, out[from:to], in[from:to], totals)); err != nil {
			return err
		}
	}
	return nil
}
