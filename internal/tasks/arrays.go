package tasks

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/gocuda/gocuda/kernels"
)

// The tasks on lists of numbers.

const takesNumbers = "a list of float32; numbers by chance from [-1, 1) without a file"

func arrayTasks() []Task {
	return []Task{
		{"saxpy", "y = a x + y", takesNumbers + ", for x; y is by chance", "2^20", Values, saxpy},
		{"add", "the sum of two lists, element by element", takesNumbers + ", for one; the other is by chance", "2^20", Values, add},
		{"reverse", "a list turned round", takesNumbers, "2^20", Values, reverse},
		{"reduce", "the sum of a list", takesNumbers, "2^20", 0, reduce},
		{"scan", "the prefix sums of a list", takesNumbers, "2^20", Values, scan},
		{"histogram", "how often each byte occurs", "any file, byte by byte; bytes by chance without a file", "2^20", Values | Picture, histogram},
		{"sort", "keys in ascending order, by radix sort", "a list of uint32; keys by chance without a file", "2^20", Values, sort},
		{"blackscholes", "prices of European options", "", "2^20", Values, blackscholes},
	}
}

func saxpy(fs *flag.FlagSet) Job {
	a := fs.Float64("a", 2, "the factor `a`")
	return func(e *Env) (*Result, error) {
		x, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		y := e.chance(len(x))
		want := append([]float32(nil), y...)
		if err := e.timed(func() error { return kernels.SAXPY(e.Ctx, e.On, float32(*a), x, y) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(y), Verify: func() error {
			kernels.SAXPYSerial(float32(*a), x, want)
			// One rounding of the product, which a fused multiplication and addition saves.
			return near(y, want, 0x1p-23*(1+math.Abs(*a)*largest(x)))
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
			kernels.AddSerial(want, a, b)
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
			kernels.ReverseSerial(want)
			return near(v, want, 0)
		}}
		r.printf("elements  %d", len(v))
		return r, nil
	}
}

func reduce(fs *flag.FlagSet) Job {
	return func(e *Env) (*Result, error) {
		v, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		var sum float32
		err = e.timed(func() error {
			sum, err = kernels.Sum(e.Ctx, e.On, v)
			return err
		})
		if err != nil {
			return nil, err
		}
		r := &Result{Verify: func() error {
			var exact, size float64
			for _, x := range v {
				exact += float64(x)
				size += math.Abs(float64(x))
			}
			return near([]float32{sum}, []float32{float32(exact)}, 0x1p-24*(8192+2)*size)
		}}
		r.printf("elements  %d\nsum       %v", len(v), sum)
		return r, nil
	}
}

func scan(fs *flag.FlagSet) Job {
	exclusive := fs.Bool("exclusive", false, "leave the element itself out of its sum")
	return func(e *Env) (*Result, error) {
		v, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		f := kernels.InclusiveScan[float32]
		if *exclusive {
			f = kernels.ExclusiveScan[float32]
		}
		sums := make([]float32, len(v))
		if err := e.timed(func() error { return f(e.Ctx, e.On, sums, v) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(sums), Verify: func() error {
			wide, want := make([]float64, len(v)), make([]float32, len(v))
			for i, x := range v {
				wide[i] = float64(x)
			}
			if *exclusive {
				kernels.ExclusiveScanSerial(wide, wide)
			} else {
				kernels.InclusiveScanSerial(wide, wide)
			}
			for i, x := range wide {
				want[i] = float32(x)
			}
			// As many roundings as elements at most, each of a sum of this size.
			return near(sums, want, 0x1p-24*float64(len(v))*max(largest(want), largest(v)))
		}}
		r.printf("elements  %d", len(v))
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
			kernels.HistogramSerial(data, want)
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
	return func(e *Env) (*Result, error) {
		keys, err := e.keys(1 << 20)
		if err != nil {
			return nil, err
		}
		places := make([]uint32, len(keys))
		for i := range places {
			places[i] = uint32(i)
		}
		want := append([]uint32(nil), keys...)
		if err := e.timed(func() error { return kernels.RadixSort(e.Ctx, e.On, keys, places) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(keys), Verify: func() error {
			for i, p := range places {
				if want[p] != keys[i] {
					return fmt.Errorf("key %d did not take its value along", i)
				}
			}
			slices.Sort(want)
			return same(keys, want)
		}}
		r.printf("keys      %d", len(keys))
		return r, nil
	}
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
			kernels.BlackScholesSerial(float32(*riskless), float32(*volatility), price, strike, years, wantCall, wantPut)
			// A price is the difference of two terms as large as the share and the strike, with the error of those.
			const tolerance = 100 * 0x1p-20
			return errors.Join(near(call, wantCall, tolerance), near(put, wantPut, tolerance))
		}}
		r.printf("options   %d: a line of the file is price, strike, years, call, put", n)
		return r, nil
	}
}
