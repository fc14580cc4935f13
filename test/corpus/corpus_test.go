//go:build compiled

package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/sanitize"
)

// A launch that takes longer than watchdog hangs.
const watchdog = 60 * time.Second

// A machine is a device to run the corpus on, and what was printed there.
type machine struct {
	name string
	dev  *gocuda.Device
	out  *printed
}

type printed struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(b)
}

// lines returns what was printed since the last call, sorted.
func (p *printed) lines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := strings.Split(p.b.String(), "\n")
	p.b.Reset()
	slices.Sort(lines)
	return lines
}

func newMachine(t *testing.T, name string, opts ...gocuda.Option) machine {
	t.Helper()
	out := new(printed)
	if !raceEnabled { // else threads are goroutines, for the race detector to see
		opts = append([]gocuda.Option{gocuda.WithExecutor(gocuda.ExecutorCoroutine)}, opts...)
	}
	d, err := gocuda.NewDevice(append(opts, gocuda.WithOutput(out))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return machine{name, d, out}
}

// machines have one worker or two, and begin with the blocks in several orders.
func machines(t *testing.T) []machine {
	return []machine{
		newMachine(t, "1 worker", gocuda.WithWorkers(1)),
		newMachine(t, "2 workers", gocuda.WithWorkers(2)),
		newMachine(t, "2 workers, shuffled", gocuda.WithWorkers(2), gocuda.WithBlockOrder(gocuda.ShuffledOrder(7))),
		newMachine(t, "1 worker, reversed", gocuda.WithWorkers(1), gocuda.WithBlockOrder(gocuda.ReversedOrder())),
	}
}

func checkedMachine(t *testing.T) machine {
	return newMachine(t, "checked", gocuda.WithChecked(true), gocuda.WithExecutor(gocuda.ExecutorGoroutine))
}

// launch runs k, and fails the test if it takes too long.
func (m machine) launch(t *testing.T, cfg grid.Config, k gocuda.Kernel) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- m.dev.Launch(context.Background(), cfg, k) }()
	timer := time.NewTimer(watchdog)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		buf := make([]byte, 1<<20)
		panic(fmt.Sprintf("%s hangs\n%s", t.Name(), buf[:runtime.Stack(buf, true)]))
	}
}

// TestSourceAndCompiledAgree is the differential test: both forms of every kernel, on all its
// geometries, by all machines, give the same outputs bit for bit, and those that a serial
// computation expects.
func TestSourceAndCompiledAgree(t *testing.T) {
	all, cases := machines(t), Cases()
	var list []string
	for _, c := range cases {
		list = append(list, c.Name)
	}
	some := fewOf(list)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if raceEnabled && testing.Short() && slices.ContainsFunc(cases, c.isLonger) {
				t.Skip("more rounds of what is run with fewer of them")
			}
			if raceEnabled && testing.Short() && !some[c.Name] {
				t.Skip("three cases of a kernel are run")
			}
			if raceEnabled && c.Races {
				t.Skip("threads store the same value in the same place")
			}
			if raceEnabled { // all forms are the source's, and the order is not what this is about
				run(t, all[1], middle(c), c, compiled)
				return
			}
			for _, cfg := range c.Configs {
				ref, refLines := run(t, all[0], cfg, c, source)
				for i, m := range all {
					for _, form := range []form{source, compiled} {
						if form == source && i != 2 {
							continue // two orders will do for what no compiler has changed
						}
						got, lines := run(t, m, cfg, c, form)
						what := fmt.Sprintf("%v, %s, %v", form, m.name, describe(cfg))
						compare(t, what, got, ref)
						if c.Prints && !slices.Equal(lines, refLines) {
							t.Errorf("%s: printed\n%s\nnot\n%s", what, strings.Join(lines, "\n"), strings.Join(refLines, "\n"))
						}
						if t.Failed() {
							return
						}
					}
				}
			}
		})
	}
}

// fewOf returns the names of the first, the middle and the last case of each kernel, whose name they begin with.
func fewOf(list []string) map[string]bool {
	names := map[string][]string{}
	for _, name := range list {
		kernel, _, _ := strings.Cut(name, " ")
		names[kernel] = append(names[kernel], name)
	}
	some := map[string]bool{}
	for _, list := range names {
		some[list[0]], some[list[len(list)/2]], some[list[len(list)-1]] = true, true, true
	}
	return some
}

// isLonger reports whether a case is another with more rounds, and has many: their names differ in
// the number at the end.
func (c Case) isLonger(other Case) bool {
	at := strings.LastIndexByte(c.Name, ' ') + 1
	mine, err := strconv.Atoi(c.Name[at:])
	if err != nil || mine < 1000 || !strings.HasPrefix(other.Name, c.Name[:at]) {
		return false
	}
	n, err := strconv.Atoi(other.Name[at:])
	return err == nil && n < mine
}

// TestCheckedMode runs everything in checked mode, where threads are goroutines and shared memory is
// poisoned at first: a kernel of the corpus that reads what nobody wrote would show.
func TestCheckedMode(t *testing.T) {
	if testing.Short() {
		t.Skip("in short mode")
	}
	if raceEnabled {
		t.Skip("threads are goroutines in TestSourceAndCompiledAgree too")
	}
	plain, checked := newMachine(t, "1 worker", gocuda.WithWorkers(1)), checkedMachine(t)
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			cfg := middle(c)
			want, _ := run(t, plain, cfg, c, source)
			got, _ := run(t, checked, cfg, c, compiled) // which is the source there
			compare(t, "checked, "+describe(cfg), got, want)
		})
	}
}

// middle returns a geometry of c that has some threads and not many.
func middle(c Case) grid.Config {
	best := c.Configs[0]
	for _, cfg := range c.Configs {
		far := func(c grid.Config) int { d := c.Threads() - 40; return max(d, -d) }
		if far(cfg) < far(best) {
			best = cfg
		}
	}
	return best
}

type form int

const (
	source form = iota
	compiled
)

func (f form) String() string { return [...]string{"source", "compiled"}[f] }

// of returns the kernel in the form f.
func (f form) of(x Instance) gocuda.Kernel {
	if f == source {
		return x.Source
	}
	return x.Compiled
}

func describe(cfg grid.Config) string {
	return fmt.Sprintf("<<<%v, %v, %d>>>", cfg.Grid, cfg.Block, cfg.SharedBytes)
}

// run runs a case once and returns its outputs, which it compares with what is wanted.
func run(t *testing.T, m machine, cfg grid.Config, c Case, f form) ([]any, []string) {
	t.Helper()
	x := c.Make(cfg)
	if err := m.launch(t, cfg, f.of(x)); err != nil {
		t.Fatalf("%v, %s, %s: %v", f, m.name, describe(cfg), err)
	}
	if x.Want != nil {
		want := x.Want()
		compare(t, fmt.Sprintf("%v, %s, %s, serially", f, m.name, describe(cfg)), x.Outputs, want)
	}
	outputs := make([]any, len(x.Outputs))
	for i, o := range x.Outputs { // an output may be a variable of the package
		v := reflect.ValueOf(o)
		outputs[i] = reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v).Interface()
	}
	return outputs, m.out.lines()
}

// compare reports the first difference.
func compare(t *testing.T, what string, got, want []any) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d outputs, not %d", what, len(got), len(want))
		return
	}
	for i := range got {
		a, b := reflect.ValueOf(got[i]), reflect.ValueOf(want[i])
		if a.Type() != b.Type() || a.Len() != b.Len() {
			t.Errorf("%s: output %d is %v of %d, not %v of %d", what, i, a.Type(), a.Len(), b.Type(), b.Len())
			return
		}
		if bytes.Equal(bytesOf(a), bytesOf(b)) {
			continue
		}
		wrong := 0
		for k := range a.Len() {
			if !identical(a.Index(k), b.Index(k)) {
				if wrong == 0 {
					t.Errorf("%s: output %d, element %d is %v, not %v", what, i, k, a.Index(k), b.Index(k))
				}
				wrong++
			}
		}
		if wrong > 1 {
			t.Errorf("%s: output %d: %d of %d elements are wrong", what, i, wrong, a.Len())
		}
	}
}

// bytesOf returns the memory of a slice.
func bytesOf(v reflect.Value) []byte {
	return unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()))
}

// identical compares bit for bit, but takes every NaN for the same.
func identical(a, b reflect.Value) bool {
	switch {
	case a.CanFloat():
		x, y := a.Float(), b.Float() // exact also for float32
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	case a.CanComplex():
		x, y := a.Complex(), b.Complex()
		return identical(reflect.ValueOf(real(x)), reflect.ValueOf(real(y))) && identical(reflect.ValueOf(imag(x)), reflect.ValueOf(imag(y)))
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			if !identical(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case a.Kind() == reflect.Array:
		for i := range a.Len() {
			if !identical(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// TestFailuresAgree runs kernels of which one thread fails: both forms blame the same thread for
// the same.
func TestFailuresAgree(t *testing.T) {
	all := machines(t)
	if !testing.Short() {
		all = append(all, checkedMachine(t))
	}
	forms, failures := []form{source, compiled}, Failures()
	var list []string
	for _, f := range failures {
		list = append(list, f.Name)
	}
	some := fewOf(list)
	if raceEnabled { // both forms are the source's
		all, forms = all[1:2], forms[1:]
	}
	for _, f := range failures {
		t.Run(f.Name, func(t *testing.T) {
			if raceEnabled && testing.Short() && !some[f.Name] {
				t.Skip("three failures of a kernel are run")
			}
			place := "" // where it fails, which is the same line in all forms
			for _, m := range all {
				for _, form := range forms {
					what := fmt.Sprintf("%v, %s", form, m.name)
					err := m.launch(t, f.Config, form.of(f.Make(f.Config)))
					var ke *gocuda.KernelError
					if !errors.As(err, &ke) {
						t.Errorf("%s: no KernelError: %v", what, err)
						continue
					}
					if ke.Unit != gocuda.UnitThread || ke.BlockIdx.Norm() != f.Block.Norm() || ke.ThreadIdx.Norm() != f.Thread.Norm() {
						t.Errorf("%s: unit %d, block %v, thread %v failed, not thread %v of block %v: %v",
							what, ke.Unit, ke.BlockIdx, ke.ThreadIdx, f.Thread, f.Block, err)
					}
					if text := fmt.Sprint(ke.Value); !strings.Contains(text, f.Text) {
						t.Errorf("%s: failed with %q, not %q", what, text, f.Text)
					}
					if f.Is != nil && !errors.Is(err, f.Is) {
						t.Errorf("%s: %v does not match %v", what, err, f.Is)
					}
					at := fmt.Sprintf("%s:%d", filepath.Base(ke.File), ke.Line)
					if place == "" {
						place = at
					}
					if at != place {
						t.Errorf("%s: failed at %s, others at %s", what, at, place)
					}
				}
				if raceEnabled {
					continue
				}
				sourceValue := value(m.launch(t, f.Config, source.of(f.Make(f.Config))))
				compiledValue := value(m.launch(t, f.Config, compiled.of(f.Make(f.Config))))
				if sourceValue != compiledValue {
					t.Errorf("%s: compiled fails with %s, source with %s", m.name, compiledValue, sourceValue)
				}
			}
		})
	}
}

// value describes what a kernel panicked with, its type included: a runtime.Error stays one.
func value(err error) string {
	var ke *gocuda.KernelError
	if !errors.As(err, &ke) {
		return fmt.Sprint(err)
	}
	var re runtime.Error
	if errors.As(err, &re) {
		return fmt.Sprintf("runtime.Error %v", ke.Value)
	}
	return fmt.Sprintf("%T %v", ke.Value, ke.Value)
}

// TestDivergencesAreReported runs kernels with divergent barriers. In checked mode and compiled
// they are errors; on coroutines most are not noticed.
func TestDivergencesAreReported(t *testing.T) {
	all := machines(t)[:2]
	checked := checkedMachine(t)
	for _, d := range Divergences() {
		t.Run(d.Name, func(t *testing.T) {
			report := func(m machine, f form) {
				err := m.launch(t, d.Config, f.of(d.Make(d.Config)))
				if !errors.Is(err, gocuda.ErrBarrierDivergence) && !errors.Is(err, gocuda.ErrBarrierDeadlock) {
					t.Errorf("%v, %s: no error of a barrier: %v", f, m.name, err)
				}
				var ke *gocuda.KernelError
				if err != nil && !errors.As(err, &ke) {
					t.Errorf("%v, %s: no KernelError: %v", f, m.name, err)
				}
			}
			report(checked, source)
			report(checked, compiled)
			if raceEnabled || sanitize.Active() {
				return // the compiled form runs its source
			}
			if _, ok := d.Make(d.Config).Compiled.(gocuda.ThreadFunc); ok {
				t.Skip("not translated: coroutines don't notice")
			}
			for _, m := range all {
				report(m, compiled)
			}
		})
	}
}

// TestNames holds the table to what the harness needs: names that are unique, instances that are fresh.
func TestNames(t *testing.T) {
	seen, known := map[string]bool{}, 0
	for _, c := range Cases() {
		if seen[c.Name] {
			t.Errorf("two cases are %s", c.Name)
		}
		seen[c.Name] = true
		if len(c.Configs) == 0 {
			t.Errorf("%s has no geometry", c.Name)
			continue
		}
		x, y := c.Make(c.Configs[0]), c.Make(c.Configs[0])
		compare(t, c.Name, x.Outputs, y.Outputs)
		if x.Want != nil {
			known++
		}
	}
	t.Logf("%d cases, %d with a serial computation, %d failures, %d divergences", len(seen), known, len(Failures()), len(Divergences()))
	if known*3 < len(seen) {
		t.Errorf("of %d cases only %d know their result", len(seen), known)
	}
}
