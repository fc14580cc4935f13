package tasks

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/reduction"
	"github.com/gocuda/gocuda/kernels/scan"
	"github.com/gocuda/gocuda/kernels/sorting"
	"github.com/gocuda/gocuda/kernels/sparse"
)

// The tasks on lists of numbers.

const takesNumbers = "a list of float32; numbers by chance from [-1, 1) without a file"

func arrayTasks() []Task {
	return []Task{
		{"saxpy", "y = a x + y, or x + a y", takesNumbers + ", for x; y is by chance", "2^20", Values, saxpy, 12, 0},
		{"add", "the sum of two lists, element by element", takesNumbers + ", for one; the other is by chance", "2^20", Values, add, 12, 4},
		{"reverse", "a list turned round", takesNumbers, "2^20", Values, reverse, 8, 0},
		{"reduce", "the sum of a list", takesNumbers, "2^20", 0, reduce, 4, 0},
		{"extremes", "the smallest and the largest of a list", takesNumbers, "2^20", 0, extremes, 4, 0},
		{"count", "how many of a list are in a range", takesNumbers, "2^20", 0, count, 4, 0},
		{"scan", "the sums, or the extremes, of a list up to each element", takesNumbers, "2^20", Values, scanTask, 8, 12},
		{"compact", "those of a list that are in a range", takesNumbers, "2^20", Values, compact, 8, 4},
		{"histogram", "how often each byte occurs", "any file, byte by byte; bytes by chance without a file", "2^20", Values | Picture, histogram, 1, 1},
		{"sort", "a list in order, or the order of a list", takesNumbers, "2^20", Values, sort, 13, 8},
		{"pairs", "keys in order, with values that go along", "a list of uint32; keys by chance without a file", "2^20", Values, sortPairs, 29, 4},
		{"blackscholes", "prices of European options", "", "2^20", Values, blackscholes, 40, 8},
	}
}

func saxpy(fs *flag.FlagSet) Job {
	a := fs.Float64("a", 2, "the factor `a`")
	method := choose[name](fs, "method", "y = a x + y or y = x + a y", "axpy", "xpay")
	return func(e *Env) (*Result, error) {
		f, plain := kernels.SAXPY[float32], serial.SAXPY[float32]
		if method.is == "xpay" {
			f, plain = sparse.XPAY, serial.XPAY
		}
		x, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		y := e.chance(len(x))
		want := append([]float32(nil), y...)
		if err := e.timed(func() error { return f(e.Ctx, e.On, float32(*a), x, y) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(y), Verify: func() error {
			bound := 0x1p-23 * (1 + math.Abs(*a)*max(largest(x), largest(want)))
			plain(float32(*a), x, want)
			// One rounding of the product, which a fused multiplication and addition saves.
			return near(y, want, bound)
		}}
		r.printf("elements  %d", len(x))
		return r, nil
	}
}

func add(fs *flag.FlagSet) Job {
	return func(e *Env) (*Result, error) {
		a, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		b, sum := e.chance(len(a)), make([]float32, len(a))
		if err := e.timed(func() error { return kernels.Add(e.Ctx, e.On, sum, a, b) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(sum), Verify: func() error {
			want := make([]float32, len(a))
			serial.Add(want, a, b)
			return near(sum, want, 0)
		}}
		r.printf("elements  %d", len(a))
		return r, nil
	}
}

func reverse(fs *flag.FlagSet) Job {
	return func(e *Env) (*Result, error) {
		v, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		want := append([]float32(nil), v...)
		if err := e.timed(func() error { return kernels.Reverse(e.Ctx, e.On, v) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(v), Verify: func() error {
			serial.Reverse(want)
			return near(v, want, 0)
		}}
		r.printf("elements  %d", len(v))
		return r, nil
	}
}

func reduce(fs *flag.FlagSet) Job {
	method := choose(fs, "method", "how the sum is formed", reduction.SinglePass, reduction.Interleaved, reduction.Sequential,
		reduction.BlockAtomics, reduction.TwoPass, reduction.Atomics, reduction.Shuffles)
	return func(e *Env) (*Result, error) {
		v, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		sum := make([]float32, 1)
		if err := e.timed(func() error { return reduction.Sum(e.Ctx, e.On, method.is, sum, v) }); err != nil {
			return nil, err
		}
		r := &Result{Verify: func() error {
			var exact, size float64
			for _, x := range v {
				exact += float64(x)
				size += math.Abs(float64(x))
			}
			// See the comment of reduction.Sum, and a rounding of the reference.
			return near(sum, []float32{float32(exact)}, 0x1p-24*float64(len(v)+1)*size)
		}}
		r.printf("elements  %d", len(v))
		r.printf("sum       %v", sum[0])
		return r, nil
	}
}

func extremes(fs *flag.FlagSet) Job {
	return func(e *Env) (*Result, error) {
		v, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		least, most := make([]float32, 1), make([]float32, 1)
		err = e.timed(func() error {
			if err := reduction.Min(e.Ctx, e.On, least, v); err != nil {
				return err
			}
			return reduction.Max(e.Ctx, e.On, most, v)
		})
		if err != nil {
			return nil, err
		}
		r := &Result{Verify: func() error {
			return near([]float32{least[0], most[0]}, []float32{slices.Min(v), slices.Max(v)}, 0)
		}}
		r.printf("elements  %d", len(v))
		r.printf("smallest  %v", least[0])
		r.printf("largest   %v", most[0])
		return r, nil
	}
}

func count(fs *flag.FlagSet) Job {
	low := fs.Float64("low", 0, "the smallest `number` that counts")
	high := fs.Float64("high", 0.5, "the largest `number` that counts")
	method := choose(fs, "method", "how elements are counted", reduction.BlockVotes, reduction.WarpVotes, reduction.Counters)
	return func(e *Env) (*Result, error) {
		v, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		n, from, to := make([]int, 1), float32(*low), float32(*high)
		n[0] = -1 // which no count is
		if err := e.timed(func() error { return reduction.Count(e.Ctx, e.On, method.is, from, to, n, v) }); err != nil {
			return nil, err
		}
		r := &Result{Verify: func() error { return same(n, []int{serial.Count(from, to, v)}) }}
		r.printf("elements  %d", len(v))
		r.printf("count     %d from %v to %v", n[0], from, to)
		return r, nil
	}
}

func scanTask(fs *flag.FlagSet) Job {
	exclusive := fs.Bool("exclusive", false, "leave the element itself out")
	method := choose(fs, "method", "how arrays of many blocks are scanned",
		scan.Runs, scan.ScanThenFan, scan.ReduceThenScan, scan.TwoPass, scan.Warps, scan.Sklansky, scan.BrentKung, scan.Blelloch)
	op := choose[name](fs, "op", "what combines two elements", "sum", "max", "min", "product")
	return func(e *Env) (*Result, error) {
		v, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		switch op.is {
		case "max":
			return scanned(e, method.is, *exclusive, scan.Max[float32]{}, scan.Max[float64]{}, v)
		case "min":
			return scanned(e, method.is, *exclusive, scan.Min[float32]{}, scan.Min[float64]{}, v)
		case "product":
			return scanned(e, method.is, *exclusive, scan.Product[float32]{}, scan.Product[float64]{}, v)
		}
		return scanned(e, method.is, *exclusive, scan.Sum[float32]{}, scan.Sum[float64]{}, v)
	}
}

// scanned scans v by an operation, which is there for the reference with more digits too.
func scanned[O kernels.Operator[float32], W kernels.Operator[float64]](e *Env, method scan.Method, exclusive bool, op O, exact W, v []float32) (*Result, error) {
	out := make([]float32, len(v))
	err := e.timed(func() error {
		if exclusive {
			return scan.Exclusive(e.Ctx, e.On, method, op, out, v)
		}
		return scan.Inclusive(e.Ctx, e.On, method, op, out, v)
	})
	if err != nil {
		return nil, err
	}
	r := &Result{Numbers: column(out), Verify: func() error {
		wide, want := make([]float64, len(v)), make([]float32, len(v))
		for i, x := range v {
			wide[i] = float64(x)
		}
		if exclusive {
			serial.ExclusiveScan(exact, wide, wide)
		} else {
			serial.InclusiveScan(exact, wide, wide)
		}
		size := 0.0
		for i, x := range wide {
			want[i] = float32(x)
			size += math.Abs(float64(v[i]))
		}
		// As many roundings as elements at most, each of a number that is no larger than the sum of
		// all magnitudes, or than the largest result.
		most := 0.0
		for _, x := range want {
			if x := math.Abs(float64(x)); !math.IsInf(x, 0) {
				most = max(most, x)
			}
		}
		return near(out, want, 0x1p-24*float64(len(v)+1)*max(size, most))
	}}
	r.printf("elements  %d", len(v))
	return r, nil
}

func compact(fs *flag.FlagSet) Job {
	low := fs.Float64("low", 0, "the smallest `number` that is kept")
	high := fs.Float64("high", 0.5, "the largest `number` that is kept")
	return func(e *Env) (*Result, error) {
		v, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		keep := scan.Between[float32]{Low: float32(*low), High: float32(*high)}
		out, n := make([]float32, len(v)), []int{-1}
		if err := e.timed(func() error { return scan.Compact(e.Ctx, e.On, keep, out, n, v) }); err != nil {
			return nil, err
		}
		kept := out[:max(n[0], 0)]
		r := &Result{Numbers: column(kept), Verify: func() error {
			want := make([]float32, len(v))
			if w := serial.Compact(keep, want, v); w != n[0] {
				return fmt.Errorf("%d elements kept, want %d", n[0], w)
			}
			return near(kept, want[:n[0]], 0)
		}}
		r.printf("elements  %d, %d kept", len(v), n[0])
		return r, nil
	}
}

func histogram(fs *flag.FlagSet) Job {
	return func(e *Env) (*Result, error) {
		data, err := e.bytes(1 << 20)
		if err != nil {
			return nil, err
		}
		counts := make([]uint32, 256)
		if err := e.timed(func() error { return kernels.Histogram(e.Ctx, e.On, data, counts) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(counts), Verify: func() error {
			want := make([]uint32, 256)
			serial.Histogram(data, want)
			return same(counts, want)
		}}
		most := 0
		for b, n := range counts {
			if n > counts[most] {
				most = b
			}
		}
		r.printf("bytes     %d\nmost      %d times the byte %#02x", len(data), counts[most], most)
		r.Picture = func() image.Image { return bars(counts) }
		return r, nil
	}
}

func sort(fs *flag.FlagSet) Job {
	order := choose(fs, "order", "the direction", sorting.Ascending, sorting.Descending)
	method := choose[name](fs, "method", "how keys are sorted", "radix", "bitonic", "quick", "argsort")
	return func(e *Env) (*Result, error) {
		keys, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		before := append([]float32(nil), keys...)
		r := &Result{Numbers: column(keys), Verify: func() error {
			serial.RadixSort(order.is, before)
			return same(bits(keys), bits(before)) // NaN too
		}}
		switch method.is {
		case "bitonic":
			err = e.timed(func() error { return sorting.Bitonic(e.Ctx, e.On, order.is, keys) })
		case "quick":
			err = e.timed(func() error { return sorting.Quick(e.Ctx, e.On, order.is, keys) })
		case "argsort":
			places := make([]uint32, len(keys))
			err = e.timed(func() error { return sorting.Argsort(e.Ctx, e.On, order.is, places, keys) })
			r.Numbers = column(places)
			r.Verify = func() error {
				want := make([]uint32, len(keys))
				serial.Argsort(order.is, want, keys)
				return same(places, want)
			}
		default:
			err = e.timed(func() error { return sorting.Radix(e.Ctx, e.On, order.is, keys) })
		}
		if err != nil {
			return nil, err
		}
		r.printf("keys      %d", len(keys))
		return r, nil
	}
}

// bits returns the words of which numbers are made.
func bits(v []float32) []uint32 {
	w := make([]uint32, len(v))
	for i, x := range v {
		w[i] = math.Float32bits(x)
	}
	return w
}

func sortPairs(fs *flag.FlagSet) Job {
	method := choose[name](fs, "method", "how pairs are sorted; block takes 512 keys at most", "radix", "split", "block", "bitonic-block")
	return func(e *Env) (*Result, error) {
		keys, err := e.keys(1 << 20)
		if err != nil {
			return nil, err
		}
		places := make([]uint32, len(keys))
		for i := range places {
			places[i] = uint32(i)
		}
		before := append([]uint32(nil), keys...)
		f := func(ctx context.Context, on kernels.Launcher, keys, values []uint32) error {
			return sorting.RadixPairs(ctx, on, sorting.Ascending, keys, values)
		}
		switch method.is {
		case "split":
			f = sorting.SplitSort
		case "block", "bitonic-block":
			return sortedBlock(e, method.is == "block", keys)
		}
		if err := e.timed(func() error { return f(e.Ctx, e.On, keys, places) }); err != nil {
			return nil, err
		}
		both := make([]uint32, 0, 2*len(keys))
		for i, k := range keys {
			both = append(both, k, places[i])
		}
		r := &Result{Numbers: table[uint32]{2, both}, Verify: func() error {
			want := make([]uint32, len(keys))
			serial.Argsort(sorting.Ascending, want, before)
			if err := same(places, want); err != nil {
				return err
			}
			slices.Sort(before)
			return same(keys, before)
		}}
		r.printf("pairs     %d: a line of the file is a key and the line it had before, from 0", len(keys))
		return r, nil
	}
}

// sortedBlock sorts keys, without values, with one block.
func sortedBlock(e *Env, radix bool, keys []uint32) (*Result, error) {
	f := sorting.BitonicBlock
	if radix {
		f = sorting.SortBlock
	}
	want := slices.Sorted(slices.Values(keys))
	if err := e.timed(func() error { return f(e.Ctx, e.On, keys) }); err != nil {
		return nil, err
	}
	r := &Result{Numbers: column(keys), Verify: func() error { return same(keys, want) }}
	r.printf("keys      %d", len(keys))
	return r, nil
}

func blackscholes(fs *flag.FlagSet) Job {
	riskless := fs.Float64("riskless", 0.02, "the riskless `rate` a year")
	volatility := fs.Float64("volatility", 0.3, "the `volatility` a year")
	return func(e *Env) (*Result, error) {
		s, err := e.size(1 << 20)
		if err != nil {
			return nil, err
		}
		n := s[0]
		price, strike, years := e.chance(n), e.chance(n), e.chance(n)
		for i := range n {
			price[i], strike[i], years[i] = 17.5+12.5*price[i], 50.5+49.5*strike[i], 5.125+4.875*years[i]
		}
		call, put := make([]float32, n), make([]float32, n)
		err = e.timed(func() error {
			return kernels.BlackScholes(e.Ctx, e.On, float32(*riskless), float32(*volatility), price, strike, years, call, put)
		})
		if err != nil {
			return nil, err
		}
		all := make([]float32, 0, 5*n)
		for i := range n {
			all = append(all, price[i], strike[i], years[i], call[i], put[i])
		}
		r := &Result{Numbers: table[float32]{5, all}, Verify: func() error {
			wantCall, wantPut := make([]float32, n), make([]float32, n)
			serial.BlackScholes(float32(*riskless), float32(*volatility), price, strike, years, wantCall, wantPut)
			// A price is the difference of two terms as large as the share and the strike, with the
			// error of those.
			const tolerance = 100 * 0x1p-20
			return errors.Join(near(call, wantCall, tolerance), near(put, wantPut, tolerance))
		}}
		r.printf("options   %d: a line of the file is price, strike, years, call, put", n)
		return r, nil
	}
}
