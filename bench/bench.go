// Package bench is the standard workloads, with everything that they are compared with, and the code
// that times them. `go test -bench . ./bench` and `gocuda bench` both run them from here.
//
// A workload is a problem of a given size, solved by several executors:
//
//	serial      one goroutine, the plain Go loop
//	goroutines  what a Go programmer writes by hand: the range split over GOMAXPROCS goroutines
//	thread      a thread kernel
//	block       a block kernel
//	go          a thread kernel, compiled to plain Go
//	simd        a thread kernel, compiled to vector instructions
//	openmp      a program in C with OpenMP, by the better of the compilers that are found
//	opencl      OpenCL kernels on the CPU
//
// Not every workload has all of them. Those in C are there if a compiler, or an OpenCL device, is (see
// native.go).
//
// Every figure is the best of several timed runs, and the result of the last of them is compared with
// the serial reference.
package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The executors, in the order of the report.
const (
	Serial     = "serial"
	Goroutines = "goroutines"
	Thread     = "thread"
	Block      = "block"
	Go         = "go"
	SIMD       = "simd"
	OpenMP     = "openmp"
	OpenCL     = "opencl"
)

// Executors returns the names of all executors.
func Executors() []string {
	return []string{Serial, Goroutines, Thread, Block, Go, SIMD, OpenMP, OpenCL}
}

// A Workload is a problem that several executors solve.
type Workload struct {
	Name  string
	About string // what a thread does
	Sizes []int  // the standard sizes; none if the size is fixed
	Unit  string // of the figure
	// Less says that a smaller figure is the better one.
	Less bool
	// side says that a size is the side of a square, so that the work grows with its square or cube.
	side bool
	// setup makes the data of one size and the functions that work on it.
	setup func(e env, size int) *problem
}

// env is what a problem is set up for.
type env struct {
	ctx     context.Context
	dev     *gocuda.Device
	plain   *gocuda.Device // the same without vectors
	workers int
}

// newEnv makes devices with so many workers.
func newEnv(ctx context.Context, workers int) (env, error) {
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(workers))
	if err != nil {
		return env{}, err
	}
	plain, err := gocuda.NewDevice(gocuda.WithWorkers(workers), gocuda.WithVectors(false))
	if err != nil {
		return env{}, errors.Join(err, dev.Close())
	}
	return env{ctx, dev, plain, workers}, nil
}

// close closes the devices.
func (e env) close() error { return errors.Join(e.dev.Close(), e.plain.Close()) }

// problem makes the problem of one size.
func (w Workload) problem(e env, size int) *problem { return e.complete(w.setup(e, size)) }

// complete gives p the executors of its thread kernel.
func (e env) complete(p *problem) *problem {
	if p.err != nil || p.kernel == nil {
		return p
	}
	p.run[Thread] = func() error { return p.kernel(e.dev, kernels.Threads) }
	p.run[Go] = func() error { return p.kernel(e.plain, kernels.Compiled) }
	if kernels.Vectors() {
		p.run[SIMD] = func() error { return p.kernel(e.dev, kernels.Compiled) }
	}
	return p
}

// A problem is a workload of one size, ready to run.
type problem struct {
	// err is why there is no such problem; nothing else is set then.
	err error
	// run has the executors that run in this process.
	run map[string]func() error
	// kernel runs the thread kernel on a device, in a form.
	kernel func(dev *gocuda.Device, form kernels.Form) error
	// native is what the programs in C get and give; nil if there are none for this workload.
	native *exchange
	// amount is how much work a run is, in the unit of the figure times seconds; or, where less is
	// better, the number of things whose time is the figure, divided by the unit in seconds.
	amount map[string]float64
	// reset brings the data back to the beginning; it may be nil.
	reset func()
	// wipe clears every step-th element of the results, so that those of another run are not taken for new ones; it
	// may be nil.
	wipe func(step int)
	// check compares the result of a run with the reference.
	check func() error
	// leftOut says of an executor why it is left out at this size.
	leftOut map[string]string
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
	Executors []string // names; none for all
	Sizes     []int    // none for the standard ones
	// Matrix is what spmv multiplies by instead of the standard one. The size of its figures is the number
	// of rows.
	Matrix  *kernels.CSR
	Workers int // 0 for GOMAXPROCS
	Runs    int // timed runs at least; 0 for 5
	// Progress is called before each figure with the number of figures done and to do. It may be nil.
	Progress func(done, total int, what string)
	// Skipped is called for each figure that is left out, with the reason. The workload is "" if that is
	// about the executor as a whole. It may be nil.
	Skipped func(workload string, size int, executor, why string)
}

// has reports whether there is a way to run the executor.
func (p *problem) has(executor string) bool {
	if executor == OpenMP || executor == OpenCL {
		return p.native != nil
	}
	return p.run[executor] != nil
}

// Run runs the workloads and calls report with each figure as it comes. It stops at the first error: a
// kernel that fails, a result that is wrong, or ctx. What goes wrong in a program in C is no error; its
// figure is left out.
func Run(ctx context.Context, o Options, report func(Result)) error {
	workloads, err := o.workloads()
	if err != nil {
		return err
	}
	executors, err := o.executors()
	if err != nil {
		return err
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Runs == 0 {
		o.Runs = 5
	}
	if o.Skipped == nil {
		o.Skipped = func(string, int, string, string) {}
	}
	e, err := newEnv(ctx, o.Workers)
	if err != nil {
		return err
	}
	defer e.close()
	c := &native{executors: executors, note: func(executor, why string) { o.Skipped("", 0, executor, why) }}
	defer c.close()

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
	done, total := 0, len(jobs)*len(executors)
	for _, j := range jobs {
		p := j.w.problem(e, j.size)
		if p.err != nil {
			return fmt.Errorf("%s: %w", title(j.w.Name, j.size), p.err)
		}
		timings := map[string]*timing{}
		// round times a round of an executor, and reports whether it has a figure after that.
		round := func(executor string) (bool, error) {
			t := timings[executor]
			var err error
			if executor == OpenMP || executor == OpenCL {
				if err = c.time(j.w.Name, j.size, p, executor, e, o.Runs, t); ctx.Err() != nil {
					err = context.Cause(ctx)
				} else if err != nil {
					o.Skipped(j.w.Name, j.size, executor, err.Error())
					return false, nil
				}
			} else {
				err = p.time(ctx, executor, t, o.Runs)
			}
			if err != nil {
				return false, fmt.Errorf("%s on %s: %w", title(j.w.Name, j.size), executor, err)
			}
			return t.best > 0, nil // without a program in C, which has been said already, there is no time
		}
		var timed []string
		for _, executor := range executors {
			if o.Progress != nil {
				o.Progress(done, total, fmt.Sprintf("%s %s", title(j.w.Name, j.size), executor))
			}
			done++
			if !p.has(executor) {
				if len(o.Executors) > 0 {
					o.Skipped(j.w.Name, j.size, executor, "the workload has none")
				}
				continue
			}
			if why := p.leftOut[executor]; why != "" {
				o.Skipped(j.w.Name, j.size, executor, why)
				continue
			}
			timings[executor] = &timing{workers: o.Workers}
			if executor == Serial {
				timings[executor].workers = 1
			}
			ok, err := round(executor)
			if err != nil {
				return err
			}
			if ok {
				timed = append(timed, executor)
			}
		}
		for range rounds - 1 {
			left := timed[:0]
			for _, executor := range timed {
				if timings[executor].again(o.Runs) {
					ok, err := round(executor)
					if err != nil {
						return err
					}
					if !ok {
						continue
					}
				}
				left = append(left, executor)
			}
			timed = left
		}
		for _, executor := range timed {
			t := timings[executor]
			report(Result{j.w.Name, j.size, executor, t.workers, j.w.figure(p, executor, t.best), j.w.Unit, true})
		}
		c.finish()
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

// rounds is how many rounds of runs an executor has, with the others of the workload in between, if runs are short: a machine that
// others share is fast for some seconds and slow for some, and with more rounds more executors meet both. A best of all
// runs is the better the more rounds there are: a program in C has as many as what runs in the process, and two compilers
// together twice that, so few rounds favour them.
const rounds = 4

// enough is how long the timed runs of a round take together at least, if one run is short, unless
// only one run was asked for: a run of some microseconds needs many for a best that means something. bench/baseline/host.h has it too.
const enough = 100 * time.Millisecond

// sparse is how far apart the elements are that are cleared between timed runs. To clear all would leave the caches full of
// them, which is not so in the programs in C: they write the results of one run over those of another.
const sparse = 1021

// wiping returns what wipes some arrays.
func wiping[T any](arrays ...[]T) func(step int) {
	return func(step int) {
		for _, a := range arrays {
			for i := 0; i < len(a); i += step {
				clear(a[i : i+1])
			}
		}
	}
}

// A timing is what is known of the time of an executor.
type timing struct {
	best    time.Duration // of all runs, 0 before the first
	workers int
}

// add adds a run that took d.
func (t *timing) add(d time.Duration) {
	if d = max(1, d); t.best == 0 || d < t.best {
		t.best = d
	}
}

// long is how long a run takes from which on an executor has all of its runs in one round.
const long = 100 * time.Millisecond

// again reports whether another round is to follow, with runs timed in each.
func (t *timing) again(runs int) bool { return runs > 1 && t.best < long }

// time times a round: several runs after a warm-up. It verifies the result of the last.
func (p *problem) time(ctx context.Context, executor string, t *timing, runs int) error {
	run := p.run[executor]
	var total time.Duration
	for i := 0; i <= runs || runs > 1 && total < enough; i++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if p.reset != nil {
			p.reset()
		}
		if p.wipe != nil && i == 0 {
			p.wipe(1)
		} else if p.wipe != nil {
			p.wipe(sparse)
		}
		begin := time.Now()
		err := run()
		d := time.Since(begin)
		if err != nil {
			return err
		}
		if i == 0 {
			continue // warm now
		}
		total += d
		t.add(d)
	}
	if err := p.check(); err != nil {
		return fmt.Errorf("the result is wrong: %w", err)
	}
	return nil
}

func (o Options) workloads() ([]Workload, error) {
	all := Workloads()
	if m := o.Matrix; m != nil {
		if err := m.Validate(); err != nil {
			return nil, err
		}
		spmv := &all[slices.IndexFunc(all, func(w Workload) bool { return w.Name == "spmv" })]
		spmv.setup = func(e env, _ int) *problem { return setupCSR(e, m) }
	}
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
	}
	return w.Sizes
}
