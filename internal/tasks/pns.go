package tasks

import (
	"errors"
	"flag"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/apps/pns"
)

var pnsTask = Task{"pns", "stochastic Petri nets: how unevenly tokens come to lie", "", "1024", Values, petri, 44, 16}

func petri(fs *flag.FlagSet) Job {
	columns := fs.Int("columns", 16, "the `number` of columns of a net, which has twice as many rows")
	steps := fs.Int("steps", 2000, "the `number` of steps of a run")
	runs := fs.Int("runs", 1, "the `number` of runs of a thread, one after the other; -size is the number of threads")
	first := fs.Uint64("first", 391581, "the `seed` of the first thread; those of the others count up")
	return func(e *Env) (*Result, error) {
		s, err := e.size(1024)
		if err != nil {
			return nil, err
		}
		switch {
		case *columns < 1 || *columns > pns.MostColumns:
			return nil, fmt.Errorf("-columns %d: want 1 to %d", *columns, pns.MostColumns)
		case *steps < 0:
			return nil, fmt.Errorf("-steps %d: want 0 or more", *steps)
		case *runs < 1 || *runs > maxSize:
			return nil, fmt.Errorf("-runs %d: want 1 to %d", *runs, maxSize)
		case *first > math.MaxUint32:
			return nil, fmt.Errorf("-first %d: want 0 to %d", *first, uint32(math.MaxUint32))
		}
		if err := e.fits(float64(s[0]) * float64(*runs)); err != nil {
			return nil, fmt.Errorf("-runs: %w", err)
		}
		seeds, n := make([]uint32, s[0]), s[0]**runs
		for i := range seeds {
			seeds[i] = uint32(*first) + uint32(i)
		}
		variance, most := make([]float64, n), make([]int32, n)
		err = e.timed(func() error { return pns.Simulate(e.Ctx, e.On, *columns, *steps, *runs, seeds, variance, most) })
		if err != nil {
			return nil, err
		}
		out := make([]float64, 0, 2*n)
		for i, v := range variance {
			out = append(out, v, float64(most[i]))
		}
		r := &Result{Numbers: table[float64]{2, out}, Verify: func() error {
			want, wantMost := make([]float64, n), make([]int32, n)
			serial.PNSSimulate(*columns, *steps, *runs, seeds, want, wantMost)
			return errors.Join(same(variance, want), same(most, wantMost))
		}}
		sum := pns.Summarize(variance, most)
		r.printf("runs      %d of %d steps, nets of %d places; a line of the file is the variance and the most tokens", n, *steps, 2**columns**columns)
		r.printf("variance  %f on average, with a variance of %f", sum.Variance, sum.VarianceSpread)
		r.printf("most      %f on average, with a variance of %f", sum.Most, sum.MostSpread)
		return r, nil
	}
}
