package bench

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/gocuda/gocuda/gocuda"
)

// The standard workloads as Go benchmarks: BenchmarkSAXPY/65536/thread and so on. The figure has the unit
// of the workload; ns/op is the time of a run.

func BenchmarkSAXPY(b *testing.B)   { benchmark(b, "saxpy") }
func BenchmarkReduce(b *testing.B)  { benchmark(b, "reduce") }
func BenchmarkScan(b *testing.B)    { benchmark(b, "scan") }
func BenchmarkNBody(b *testing.B)   { benchmark(b, "nbody") }
func BenchmarkLaunch(b *testing.B)  { benchmark(b, "launch") }
func BenchmarkBarrier(b *testing.B) { benchmark(b, "barrier") }

func benchmark(b *testing.B, name string) {
	ws, err := Options{Workloads: []string{name}}.workloads()
	if err != nil {
		b.Fatal(err)
	}
	w := ws[0]
	dev := gocuda.Default()
	e := env{context.Background(), dev, dev.Properties().Workers}
	for _, size := range (Options{}).sizes(w) {
		var p *problem // made by the first executor that -bench selects
		for _, executor := range Executors() {
			sub := executor
			if size > 0 {
				sub = fmt.Sprintf("%d/%s", size, executor)
			}
			b.Run(sub, func(b *testing.B) {
				if p == nil {
					p = w.setup(e, size)
				}
				if why := p.tooSlow[executor]; why != "" {
					b.Skip(why)
				}
				p.benchmark(b, w, executor)
			})
		}
	}
}

func (p *problem) benchmark(b *testing.B, w Workload, executor string) {
	b.ReportAllocs()
	run := func() {
		if err := p.run[executor](); err != nil {
			b.Fatal(err)
		}
	}
	run() // warm
	for b.Loop() {
		run()
	}
	b.ReportMetric(w.figure(p, executor, b.Elapsed()/max(1, time.Duration(b.N))), w.Unit)
	// b.Loop runs on top of its own results; verify one run from the start.
	if p.reset != nil {
		p.reset()
	}
	run()
	if err := p.check(); err != nil {
		b.Fatal(err)
	}
}

// Every executor of every workload gives the result of the reference, on sizes that don't fit anything.
func TestWorkloads(t *testing.T) {
	for _, w := range Workloads() {
		sizes := []int{1, 255, 257, 4099}
		if len(w.Sizes) == 0 {
			if testing.Short() || raceEnabled {
				continue // launch and barrier have only their full size
			}
			sizes = []int{0}
		}
		dev, err := gocuda.NewDevice(gocuda.WithWorkers(2))
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range sizes {
			p := w.setup(env{t.Context(), dev, 2}, size)
			for _, executor := range Executors() {
				if p.reset != nil {
					p.reset()
				}
				if err := p.run[executor](); err != nil {
					t.Errorf("%s on %s: %v", title(w.Name, size), executor, err)
				} else if err := p.check(); err != nil {
					t.Errorf("%s on %s: %v", title(w.Name, size), executor, err)
				}
			}
		}
		if err := dev.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A check that accepts anything would make every figure worthless.
func TestChecksCanFail(t *testing.T) {
	dev := gocuda.Default()
	for _, w := range Workloads() {
		if len(w.Sizes) == 0 && w.Name != "barrier" {
			continue // launch checks launches of its own
		}
		p := w.setup(env{t.Context(), dev, 2}, min(1000, 1000*len(w.Sizes)))
		if p.reset != nil {
			p.reset()
		}
		if w.Name == "barrier" {
			if p.run[Block]() != nil {
				t.Fatal("barrier did not run")
			}
			p.reset() // as if no thread had counted
		}
		if p.check() == nil {
			t.Errorf("%s accepts a result that was never computed", w.Name)
		}
	}
}

func TestOptions(t *testing.T) {
	err := Run(t.Context(), Options{Workloads: []string{"nonsense"}}, func(Result) {})
	if err == nil {
		t.Error("an unknown workload is no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Run(ctx, Options{Workloads: []string{"saxpy"}, Sizes: []int{100}}, func(Result) {}); err == nil {
		t.Error("a cancelled run is no error")
	}
	var got []Result
	err = Run(t.Context(), Options{Workloads: []string{"saxpy"}, Sizes: []int{1000}, Workers: 1}, func(r Result) { got = append(got, r) })
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(Executors()) {
		t.Fatalf("%d results", len(got))
	}
	for i, r := range got {
		if r.Workload != "saxpy" || r.Size != 1000 || r.Executor != Executors()[i] || r.Workers != 1 || r.Value <= 0 || r.Unit != "GB/s" || !r.Verified {
			t.Errorf("result %d is %+v", i, r)
		}
	}
}
