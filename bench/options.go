package bench

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gocuda/gocuda/kernels/sparse"
)

// Options say what to run. The zero value runs everything.
type Options struct {
	Workloads []string // names, or standard or applications for all of those; none for standard
	Executors []string // names; none for all
	Sizes     []int    // none for the standard ones
	// Quick runs smaller sizes than the standard ones, in one round: all workloads take half a minute.
	Quick bool
	// Matrix is what spmv multiplies by instead of the standard one. The size of its figures is the
	// number of rows.
	Matrix  *sparse.CSR
	Workers int // 0 for GOMAXPROCS
	Runs    int // timed runs of a round at least; 0 for 5, or 3 with Quick
	// Begin is called once, when the programs in C have been built, with the executors that there
	// are. It may be nil.
	Begin func(executors []string)
	// Progress is called before each figure of each round. It may be nil.
	Progress func(Progress)
	// Skipped is called for each figure that is left out, with the reason. The workload is "" if
	// that is about the executor as a whole; Begin comes after all that is known before the first
	// figure. It may be nil.
	Skipped func(workload string, size int, executor, why string)
}

// Progress is how far a series of figures is.
type Progress struct {
	Done, Total int           // workloads of one size each
	What        string        // what is going to be done, "" at the end
	Left        time.Duration // how long all the rest takes, roughly
}

// withDefaults fills in what is left out.
func (o Options) withDefaults(workers int) Options {
	if o.Workers == 0 {
		o.Workers = workers
	}
	if o.Runs == 0 {
		o.Runs = 5
		if o.Quick {
			o.Runs = 3
		}
	}
	if o.Begin == nil {
		o.Begin = func([]string) {}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Skipped == nil {
		o.Skipped = func(string, int, string, string) {}
	}
	return o
}

// rounds is the number of rounds of runs of an executor, if runs are short; the other executors of
// the workload run in between. A machine that others share is fast for some seconds and slow for
// some, and with more rounds more executors meet both. The best of all runs improves with the
// number of rounds. A program in C has as many rounds as an executor in this process, and two
// compilers together have twice as many, so few rounds favour them.
func (o Options) rounds() int {
	if o.Quick {
		return 1
	}
	return 4
}

// most is how long the timed runs of a round take together, before the last one begins.
func (o Options) most() time.Duration {
	if o.Quick {
		return 500 * time.Millisecond
	}
	return math.MaxInt64
}

func (o Options) workloads() ([]Workload, error) {
	all := everyWorkload()
	if m := o.Matrix; m != nil {
		if err := m.Validate(); err != nil {
			return nil, err
		}
		spmv := &all[slices.IndexFunc(all, func(w Workload) bool { return w.Name == "spmv" })]
		spmv.setup = func(e env, _ int) *problem { return setupCSR(e, m) }
	}
	chosen := o.Workloads
	if len(chosen) == 0 {
		chosen = []string{"standard"}
	}
	var some []Workload
	for _, name := range chosen {
		group, isGroup := groups[name]
		for _, w := range all {
			if w.Name == name || isGroup && slices.ContainsFunc(group(), func(of Workload) bool { return of.Name == w.Name }) {
				some = append(some, w)
			}
		}
		if !isGroup && !slices.ContainsFunc(all, func(w Workload) bool { return w.Name == name }) {
			var names []string
			for _, w := range all {
				names = append(names, w.Name)
			}
			return nil, fmt.Errorf("there is no workload %q; there are %v, and standard and applications for all of those", name, names)
		}
	}
	return some, nil
}

// executors returns the chosen executors in the order of the report.
func (o Options) executors() ([]string, error) {
	all := Executors()
	if len(o.Executors) == 0 {
		return all, nil
	}
	for _, name := range o.Executors {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("there is no executor %q; there are %v", name, all)
		}
	}
	return slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(o.Executors, name) }), nil
}

func (o Options) sizes(w Workload) []int {
	switch {
	case w.Name == "spmv" && o.Matrix != nil:
		return []int{o.Matrix.Rows}
	case len(w.Sizes) == 0:
		return []int{0}
	case len(o.Sizes) > 0:
		return o.Sizes
	case o.Quick:
		return []int{w.Quick}
	}
	return w.Sizes
}
