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
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/host"
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
	Quick int    // the size with Options.Quick
	Unit  string // of the figure
	// Less says that a smaller figure is the better one.
	Less bool
	// side says that a size is the side of a square, so that the work grows with its square or cube.
	side bool
	// cube says that a size is the side of a cube.
	cube bool
	// noOpenCL says that the program in OpenCL does not have it.
	noOpenCL bool
	// each is about how many nanoseconds a run of all executors takes for each element, the number
	// of which is size to the power of power; 0 stands for 1. It is for the estimate of the time
	// that remains.
	each, power float64
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
func (w Workload) problem(e env, size int) *problem {
	p := e.complete(w.setup(e, size))
	p.noOpenCL = w.noOpenCL
	return p
}

// complete gives p the executors of its thread kernel.
func (e env) complete(p *problem) *problem {
	if p.err != nil || p.kernel == nil {
		return p
	}
	p.run[Thread] = func() error { return p.kernel(kernels.Uncompiled(e.dev)) }
	p.run[Go] = func() error { return p.kernel(e.plain) }
	if host.VectorBytes() > 0 {
		p.run[SIMD] = func() error { return p.kernel(e.dev) }
	}
	return p
}

// A problem is a workload of one size, ready to run.
type problem struct {
	// err is why there is no such problem; nothing else is set then.
	err      error
	noOpenCL bool
	// run has the executors that run in this process.
	run map[string]func() error
	// kernel runs the thread kernel, compiled, or as it is where on is uncompiled.
	kernel func(on kernels.Launcher) error
	// port runs the kernel of Ryoo et al. on a device, in source form, where that is another one.
	port func(on kernels.Launcher) error
	// native is what the programs in C get and give; nil if there are none for this workload.
	native *exchange
	// amount is how much work a run is, in the unit of the figure times seconds; or, where less is
	// better, the number of things whose time is the figure, divided by the unit in seconds.
	amount map[string]float64
	// reset brings the data back to the beginning; it may be nil.
	reset func()
	// wipe clears every step-th element of the results, so that those of another run are not taken
	// for new ones; it may be nil.
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

// A Result is one figure. It is a line of the report.
type Result struct {
	Workload string  `json:"workload"`
	Size     int     `json:"size"`
	Executor string  `json:"executor"`
	Workers  int     `json:"workers"`
	Value    float64 `json:"value"`
	Unit     string  `json:"unit"`
	Verified bool    `json:"verified"`
	// Samples are the figures of the rounds, each the best of its short runs or one long run. The
	// best of them is Value.
	Samples []float64 `json:"samples"`
}

// has reports whether there is a way to run the executor.
func (p *problem) has(executor string) bool {
	if executor == OpenMP || executor == OpenCL {
		return p.native != nil && !(p.noOpenCL && executor == OpenCL)
	}
	return p.run[executor] != nil
}

// title names a workload of a size.
func title(name string, size int) string {
	if size == 0 {
		return name
	}
	return fmt.Sprintf("%s %d", name, size)
}

// wipeStep is the distance of the elements that are cleared between timed runs. To clear all elements
// would load them into the caches. The programs in C have no such advantage: they write the results
// of one run over those of the last.
const wipeStep = 1021

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
