package judge

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/sanitize"
)

// Sizes are the sizes of the hidden shapes: nothing, one, around a warp and around a block of 256,
// and two primes.
var Sizes = []int{0, 1, 31, 33, 255, 257, 641, 1009}

// launchLimit is how long one launch may take. The slowest one of a solution takes some
// milliseconds, and under the race detector or with the probe overlay a hundred times that.
func launchLimit() time.Duration {
	if raceEnabled || sanitize.Active() || counting != nil {
		return 20 * time.Second
	}
	return 3 * time.Second
}

// A Spec is the test of an exercise.
type Spec struct {
	Example int             // the size of the visible example
	Sizes   []int           // the hidden sizes; nil is Sizes
	Large   []int           // further hidden sizes, for the check hidden alone: the others are slow
	Options []gocuda.Option // of the devices, besides those of a check
	Check   func(*Case)     // runs the learner's kernel on a case and compares

	// What follows is for the check of exact counts.
	Count      func(*Case, *Counts) // compares the counts of a case with the budget: AtMost, AtLeast
	CountSize  int                  // the size of that case; 0 is Example
	Capability gocuda.Capability    // of the GPU whose rules are counted by; zero is 8.0
}

// A Case is one run of a Spec's Check: a size, a device and a source of random numbers.
type Case struct {
	N    int
	Dev  *gocuda.Device
	Rand *rand.Rand

	t       *testing.T
	check   string
	outputs map[string]func(int) any
	inputs  map[unsafe.Pointer]input // by their first elements
	watched *watched
	options []gocuda.Option
}

// Run runs the subtests example, hidden, order and checked of spec. In a program that is built by
// the probe overlay it runs sanitize or budget.
func Run(t *testing.T, spec Spec) {
	sizes := spec.Sizes
	if sizes == nil {
		sizes = Sizes
	}
	sizes = slices.Sorted(slices.Values(sizes))
	// One worker and the natural order make the result the same each time.
	one := [][]gocuda.Option{{gocuda.WithWorkers(1)}}
	switch {
	case sanitize.Active():
		runCheck(t, "sanitize", spec, sizes, one)
		return
	case counting != nil:
		size := spec.CountSize
		if size == 0 {
			size = spec.Example
		}
		runCheck(t, "budget", spec, []int{size}, one)
		return
	}
	runCheck(t, "example", spec, []int{spec.Example}, one)
	runCheck(t, "hidden", spec, slices.Concat(sizes, spec.Large), one)
	orders := [][]gocuda.Option{nil}
	for seed := range uint64(3) {
		orders = append(orders, []gocuda.Option{gocuda.WithWorkers(1), gocuda.WithBlockOrder(gocuda.ShuffledOrder(seed + 1))})
	}
	runCheck(t, "order", spec, sizes, orders)
	runCheck(t, "checked", spec, sizes, [][]gocuda.Option{{gocuda.WithChecked(true)}})
}

func runCheck(t *testing.T, name string, spec Spec, sizes []int, devices [][]gocuda.Option) {
	t.Run(name, func(t *testing.T) {
		for _, n := range sizes {
			for _, opts := range devices {
				runCase(t, name, spec, n, opts)
				if t.Failed() {
					return
				}
			}
		}
		report(Report{Check: name, Passed: true})
	})
}

// runCase runs one case. If an element is wrong, it runs the case once more, with the same numbers,
// to find the thread that wrote the element.
func runCase(t *testing.T, check string, spec Spec, n int, opts []gocuda.Option) {
	r := attempt(t, check, spec, n, opts, nil)
	if r == nil {
		return
	}
	if r.Slice != "" {
		// A launch on one worker runs one thread at a time, but not under the race detector or in
		// checked mode, where threads are goroutines.
		w := &watched{slice: r.Slice, element: r.Element}
		again := attempt(t, check, spec, n, append([]gocuda.Option{gocuda.WithWorkers(1)}, withoutChecked(check, opts)...), w)
		if again != nil && again.Slice == r.Slice && again.Element == r.Element && !raceEnabled {
			r.Writer = w.String()
		}
	}
	report(*r)
	t.Error(r.Sentence())
}

func withoutChecked(check string, opts []gocuda.Option) []gocuda.Option {
	if check == "checked" {
		return nil
	}
	return opts
}

// stop is what ends a Check early.
type stop struct{ r *Report }

func attempt(t *testing.T, check string, spec Spec, n int, opts []gocuda.Option, w *watched) (r *Report) {
	opts = slices.Concat(spec.Options, opts)
	dev, err := gocuda.NewDevice(opts...)
	if err != nil {
		t.Fatal(err)
	}
	c := &Case{
		N: n, Dev: dev, Rand: rand.New(rand.NewPCG(uint64(n), 0x9e3779b97f4a7c15)),
		t: t, check: check, outputs: map[string]func(int) any{}, inputs: map[unsafe.Pointer]input{}, watched: w, options: opts,
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stop:
			r = p.r
		default:
			r = c.failure(fmt.Sprintf("the host code panicked: %v", p))
			r.File, r.Line = panicLine()
		}
	}()
	switch check {
	case "sanitize":
		c.sanitized(func() { spec.Check(c) })
	case "budget":
		c.counted(spec)
	default:
		spec.Check(c)
	}
	return nil
}

// Device opens one more device like the case's, with its block order and the like.
func (c *Case) Device() *gocuda.Device {
	dev, err := gocuda.NewDevice(c.options...)
	c.Must(err)
	return dev
}

func (c *Case) failure(what string) *Report {
	return &Report{Check: c.check, Size: c.N, What: what}
}

// Fail ends the case with a sentence for the learner.
func (c *Case) Fail(format string, args ...any) {
	panic(stop{c.failure(fmt.Sprintf(format, args...))})
}

// Launch runs kernel on the case's device. A launch that fails ends the case.
func (c *Case) Launch(cfg grid.Config, kernel func(*gocuda.Thread)) {
	if c.watched != nil {
		kernel = c.watched.wrap(kernel, c.outputs)
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = launchLimit()
	}
	for _, in := range c.inputs {
		in.keep()
	}
	c.Must(c.Dev.LaunchFunc(c.t.Context(), cfg, kernel))
	for _, in := range c.inputs {
		if what := in.changed(); what != "" {
			c.Fail("%s", what)
		}
	}
}

// Must ends the case if err is not nil: with the line and the thread, if it is the error of a kernel.
func (c *Case) Must(err error) {
	if err == nil {
		return
	}
	r := c.failure(err.Error())
	var k *gocuda.KernelError
	if errors.As(err, &k) {
		if k.File != "" {
			r.File, r.Line = filepath.Base(k.File), k.Line
		}
		if k.Unit == gocuda.UnitThread {
			r.Thread = fmt.Sprintf("block %v thread %v", k.BlockIdx, k.ThreadIdx)
		}
		r.What = fmt.Sprint(k.Value)
	}
	var late *gocuda.TimeoutError
	if errors.As(err, &late) {
		r.What = fmt.Sprintf("%v after %v", gocuda.ErrLaunchTimeout, late.Timeout)
		for i, at := range late.At[:min(len(late.At), 3)] {
			r.What += [...]string{": ", ", ", ", "}[i] + at.String()
		}
	}
	var runaway *gocuda.RunawayError
	if errors.As(err, &runaway) && len(runaway.Blocks) > 0 {
		b := runaway.Blocks[0]
		r.What += fmt.Sprintf(": block %v is still running", b.BlockIdx)
		// The compiler gives an empty loop the file's first line, and the loop of a function that
		// is inlined that of the call.
		if b.Line > 1 && !strings.HasSuffix(b.File, "_test.go") {
			r.File, r.Line = filepath.Base(b.File), b.Line
		}
	}
	panic(stop{r})
}
