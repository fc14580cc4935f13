// Package bench is the standard workloads, with everything that they are compared with, and the code
// that times them. `go test -bench . ./bench` and `gocuda bench` both run them from here.
//
// A workload is a problem of a given size, solved by several executors:
//
//	serial      one goroutine, the plain Go loop
//	goroutines  what a Go programmer writes by hand: the range split over GOMAXPROCS goroutines
//	thread      a thread kernel
//	block       a block kernel
//
// Every figure is the best of several timed runs, and the result of the last of them is compared with
// the serial reference.
package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/gocuda/gocuda/gocuda"
)

// The executors, in the order of the report.
const (
	Serial     = "serial"
	Goroutines = "goroutines"
	Thread     = "thread"
	Block      = "block"
)

// Executors returns the names of all executors.
func Executors() []string { return []string{Serial, Goroutines, Thread, Block} }

// A Workload is a problem that all executors solve.
type Workload struct {
	Name  string
	About string // what a thread does
	Sizes []int  // the standard sizes; none if the size is fixed
	Unit  string // of the figure
	// Less says that a smaller figure is the better one.
	Less bool
	// setup makes the data of one size and the functions that work on it.
	setup func(e env, size int) *problem
}

// env is what a problem is set up for.
type env struct {
	ctx     context.Context
	dev     *gocuda.Device
	workers int
}

// A problem is a workload of one size, ready to run.
type problem struct {
	run map[string]func() error
	// amount is how much work a run is, in the unit of the figure times seconds; or, where less is
	// better, the number of things whose time is the figure, divided by the unit in seconds.
	amount map[string]float64
	// reset brings the data back to the beginning; it may be nil.
	reset func()
	// check compares the result of a run with the reference.
	check func() error
	// tooSlow says of an executor why it is left out at this size.
	tooSlow map[string]string
}

// figure returns the figure of a run of the given executor that took d.
func (w Workload) figure(p *problem, executor string, d time.Duration) float64 {
	if w.Less {
		return d.Seconds() / p.amount[executor]
	}
	return p.amount[executor] / d.Seconds()
}

// A Result is one figure. It is a line of the report; its JSON form is that of `gocuda bench -json`.
type Result struct {
	Workload string  `json:"workload"`
	Size     int     `json:"size"`
	Executor string  `json:"executor"`
	Workers  int     `json:"workers"`
	Value    float64 `json:"value"`
	Unit     string  `json:"unit"`
	Verified bool    `json:"verified"`
}

// Options say what to run. The zero value runs everything.
type Options struct {
	Workloads []string // names; none for all
	Sizes     []int    // none for the standard ones
	Workers   int      // 0 for GOMAXPROCS
	Runs      int      // timed runs at least; 0 for 5
	// Progress is called before each figure with the number of figures done and to do. It may be nil.
	Progress func(done, total int, what string)
	// Skipped is called for each figure that is left out, with the reason. It may be nil.
	Skipped func(workload string, size int, executor, why string)
}

// Run runs the workloads and calls report with each figure as it comes. It stops at the first error: a
// kernel that fails, a result that is wrong, or ctx.
func Run(ctx context.Context, o Options, report func(Result)) error {
	workloads, err := o.workloads()
	if err != nil {
		return err
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Runs == 0 {
		o.Runs = 5
	}
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(o.Workers))
	if err != nil {
		return err
	}
	defer dev.Close()
	e := env{ctx, dev, o.Workers}

	type job struct {
		w    Workload
		size int
	}
	var jobs []job
	for _, w := range workloads {
		for _, size := range o.sizes(w) {
			jobs = append(jobs, job{w, size})
		}
	}
	done, total := 0, len(jobs)*len(Executors())
	for _, j := range jobs {
		p := j.w.setup(e, j.size)
		for _, executor := range Executors() {
			if o.Progress != nil {
				o.Progress(done, total, fmt.Sprintf("%s %s", title(j.w.Name, j.size), executor))
			}
			done++
			if why := p.tooSlow[executor]; why != "" {
				if o.Skipped != nil {
					o.Skipped(j.w.Name, j.size, executor, why)
				}
				continue
			}
			best, err := p.time(ctx, executor, o.Runs)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", title(j.w.Name, j.size), executor, err)
			}
			workers := o.Workers
			if executor == Serial {
				workers = 1
			}
			report(Result{j.w.Name, j.size, executor, workers, j.w.figure(p, executor, best), j.w.Unit, true})
		}
		p = nil
		runtime.GC() // the next one should not pay for the garbage of this one
	}
	if o.Progress != nil {
		o.Progress(total, total, "")
	}
	return nil
}

// title names a workload of a size.
func title(name string, size int) string {
	if size == 0 {
		return name
	}
	return fmt.Sprintf("%s %d", name, size)
}

// enough is how long the timed runs of a figure take together at least, if one run is short, unless
// only one run was asked for: a run of some microseconds needs many for a best that means something.
const enough = 200 * time.Millisecond

// time returns the shortest of several runs after a warm-up, once the result of the last is verified.
func (p *problem) time(ctx context.Context, executor string, runs int) (time.Duration, error) {
	run := p.run[executor]
	var best, total time.Duration
	for i := 0; i <= runs || runs > 1 && total < enough; i++ {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		if p.reset != nil {
			p.reset()
		}
		begin := time.Now()
		err := run()
		d := time.Since(begin)
		if err != nil {
			return 0, err
		}
		if i == 0 {
			continue // warm now
		}
		total += d
		if i == 1 || d < best {
			best = d
		}
	}
	if err := p.check(); err != nil {
		return 0, fmt.Errorf("the result is wrong: %w", err)
	}
	return best, nil
}

func (o Options) workloads() ([]Workload, error) {
	all := Workloads()
	if len(o.Workloads) == 0 {
		return all, nil
	}
	var some []Workload
	for _, name := range o.Workloads {
		i := slices.IndexFunc(all, func(w Workload) bool { return w.Name == name })
		if i < 0 {
			var names []string
			for _, w := range all {
				names = append(names, w.Name)
			}
			return nil, fmt.Errorf("there is no workload %q; there are %v", name, names)
		}
		some = append(some, all[i])
	}
	return some, nil
}

func (o Options) sizes(w Workload) []int {
	switch {
	case len(w.Sizes) == 0:
		return []int{0}
	case len(o.Sizes) > 0:
		return o.Sizes
	}
	return w.Sizes
}
