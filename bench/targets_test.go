package bench

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// BenchmarkTargets measures what docs/performance.md promises, each figure against its baseline in the
// same process and in turn, so that both meet the same machine. A figure is the median of its rounds.
//
//	go test -run '^$' -bench Targets -benchtime 1x ./bench
func BenchmarkTargets(b *testing.B) {
	const workers = 2
	two := device(b, gocuda.WithWorkers(workers))
	one := device(b, gocuda.WithWorkers(1))
	ctx := context.Background()

	b.Run("what=launch", func(b *testing.B) {
		cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 64}}
		k := gocuda.ThreadFunc(func(*gocuda.Thread) {})
		launch := func() { must(b, two.Launch(ctx, cfg, k)) }
		var each []time.Duration
		for range 10_000 {
			begin := time.Now()
			launch()
			each = append(each, time.Since(begin))
		}
		slices.Sort(each)
		b.ReportMetric(float64(each[len(each)/2].Nanoseconds())/1e3, "us-median")
		b.ReportMetric(testing.AllocsPerRun(1000, launch), "allocs")
	})

	for _, n := range []int{1 << 16, 1 << 26} {
		b.Run(fmt.Sprintf("what=saxpy-thread/size=%d", n), func(b *testing.B) {
			p := env{ctx, two, two, workers}.complete(setupSAXPY(env{ctx, two, two, workers}, n))
			rounds := 15
			if n < 1<<20 {
				rounds = 300
			}
			compare(b, rounds, "serial", p.do(b, Serial), p.do(b, Thread))
		})
		b.Run(fmt.Sprintf("what=saxpy-compiled/size=%d", n), func(b *testing.B) {
			// The same thread kernel, compiled to plain Go.
			e := env{ctx, two, two, workers}
			plain, err := gocuda.NewDevice(gocuda.WithWorkers(workers), gocuda.WithVectors(false))
			must(b, err)
			defer plain.Close()
			e.plain = plain
			p := e.complete(setupSAXPY(e, n))
			rounds := 15
			if n < 1<<20 {
				rounds = 300
			}
			compare(b, rounds, "serial", p.do(b, Serial), p.do(b, Go))
		})
	}

	b.Run("what=saxpy-call", func(b *testing.B) {
		// What a call for each element costs by itself: the floor of every executor of uncompiled
		// thread kernels. One worker, data in the cache.
		const n = 1 << 16
		p := env{ctx, one, one, 1}.complete(setupSAXPY(env{ctx, one, one, 1}, n))
		x, y := random(n), random(n)
		called, launched := compare(b, 300, "calls", func() {
			for i := range y {
				saxpyOne(i, n, 2, x, y)
			}
		}, p.do(b, Thread))
		b.ReportMetric(called.Seconds()/n*1e9, "ns/call")
		b.ReportMetric(launched.Seconds()/n*1e9, "ns/thread")
	})

	b.Run("what=barrier-coroutine", func(b *testing.B) {
		// One worker, against as many coroutines resumed in turn by bare iter.Pull.
		const threads, barriers, blocks = 256, 64, 16
		var next [threads]func() (struct{}, bool)
		for i := range next {
			n, stop := iter.Pull(func(yield func(struct{}) bool) {
				for yield(struct{}{}) {
				}
			})
			next[i] = n
			defer stop()
		}
		pull := func() {
			for range barriers * blocks {
				for i := range next {
					next[i]()
				}
			}
		}
		k := gocuda.ThreadFunc(func(t *gocuda.Thread) {
			for range barriers {
				t.SyncThreads()
			}
		})
		cfg := grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: threads}}
		pulled, synced := compare(b, 50, "iter.Pull", pull, func() { must(b, one.Launch(ctx, cfg, k)) })
		const each = threads * barriers * blocks
		b.ReportMetric(pulled.Seconds()/each*1e9, "ns/next")
		b.ReportMetric(synced.Seconds()/each*1e9, "ns/barrier")
	})

	b.Run("what=block-phase", func(b *testing.B) {
		const threads, phases, blocks = 256, 64, 256
		var data [threads]int
		k := gocuda.BlockFunc(func(b *gocuda.Block) {
			for range phases {
				b.ForEach(func(t *gocuda.Thread) { data[t.Rank()]++ })
			}
		})
		cfg := grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: threads}}
		d := median(50, func() { must(b, one.Launch(ctx, cfg, k)) })
		b.ReportMetric(d.Seconds()/(threads*phases*blocks)*1e9, "ns/thread-phase")
	})

	for _, w := range []struct {
		name   string
		size   int
		rounds int
		setup  func(env, int) *problem
	}{
		{"reduce", 1 << 22, 100, setupReduce}, {"reduce", 1 << 26, 15, setupReduce},
		{"scan", 1 << 22, 100, setupScan}, {"scan", 1 << 26, 15, setupScan},
		{"nbody", 4096, 21, setupNBody}, {"nbody", 16384, 5, setupNBody},
	} {
		b.Run(fmt.Sprintf("what=%s-block/size=%d", w.name, w.size), func(b *testing.B) {
			e := env{ctx, two, two, workers}
			p := e.complete(w.setup(e, w.size))
			compare(b, w.rounds, "goroutines", p.do(b, Goroutines), p.do(b, Block))
		})
	}

	for _, form := range []string{Block, Thread} {
		b.Run("what=nbody-scaling/exec="+form, func(b *testing.B) {
			const n = 8192
			p1, p2 := env{ctx, one, one, 1}.complete(setupNBody(env{ctx, one, one, 1}, n)), env{ctx, two, two, workers}.complete(setupNBody(env{ctx, two, two, workers}, n))
			compare(b, 9, "one-worker", p1.do(b, form), p2.do(b, form))
		})
	}

	b.Run("what=allocs", func(b *testing.B) {
		for name, k := range warmKernels() {
			b.ReportMetric(allocsPerBlock(b, one, k), name+"-allocs/block")
		}
	})
}

//go:noinline
func saxpyOne(i, n int, a float32, x, y []float32) {
	if i < n {
		y[i] = a*x[i] + y[i]
	}
}

// warmKernels has a kernel for every executor and every thing that might allocate.
func warmKernels() map[string]gocuda.Kernel {
	return map[string]gocuda.Kernel{
		"thread": gocuda.ThreadFunc(func(*gocuda.Thread) {}),
		"barrier": gocuda.ThreadFunc(func(t *gocuda.Thread) {
			s := gocuda.Shared[float32](t, 256)
			s[t.Rank()] = 1
			t.SyncThreads()
			gocuda.ShflXorSync(t, gocuda.FullMask, s[t.Rank()], 1, 32)
		}),
		"warp": gocuda.WarpFunc(func(w *gocuda.Warp) {
			var v gocuda.Lanes[float32]
			w.SyncThreads()
			gocuda.WarpShflXor(w, w.ActiveMask(), v, 1, 32)
		}),
		"block": gocuda.BlockFunc(func(b *gocuda.Block) {
			s := gocuda.Shared[float32](b, 256)
			l := gocuda.Local[float32](b)
			b.ForEach(func(t *gocuda.Thread) { s[t.Rank()] = l[t.Rank()] })
		}),
	}
}

// allocsPerBlock returns how many allocations a block more costs a warm launch.
func allocsPerBlock(b *testing.B, dev *gocuda.Device, k gocuda.Kernel) float64 {
	count := func(blocks int) float64 {
		cfg := grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: 256}}
		return testing.AllocsPerRun(10, func() { must(b, dev.Launch(context.Background(), cfg, k)) })
	}
	return (count(201) - count(1)) / 200
}

func device(b *testing.B, o gocuda.Option) *gocuda.Device {
	d, err := gocuda.NewDevice(o)
	must(b, err)
	b.Cleanup(func() { d.Close() })
	return d
}

// must is require.NoError without its cost, for what is timed.
func must(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}

// do returns a run of the executor as a function without result, verified once.
func (p *problem) do(b *testing.B, executor string) func() {
	run := func() { must(b, p.run[executor]()) }
	if p.reset != nil {
		p.reset()
	}
	run()
	must(b, p.check())
	return run
}

// compare runs base and f in turn and reports how many times as fast f is. It returns the medians.
func compare(b *testing.B, rounds int, name string, base, f func()) (time.Duration, time.Duration) {
	var bases, fs []time.Duration
	for range rounds {
		bases = append(bases, clock(base))
		fs = append(fs, clock(f))
	}
	slices.Sort(bases)
	slices.Sort(fs)
	m0, m1 := bases[rounds/2], fs[rounds/2]
	b.ReportMetric(m0.Seconds()/m1.Seconds(), "x-"+name)
	b.ReportMetric(m0.Seconds()*1e3, "ms-"+name)
	b.ReportMetric(m1.Seconds()*1e3, "ms")
	b.ReportMetric(0, "ns/op") // of a single op it says nothing
	runtime.GC()
	return m0, m1
}

func median(rounds int, f func()) time.Duration {
	var ds []time.Duration
	for range rounds {
		ds = append(ds, clock(f))
	}
	slices.Sort(ds)
	return ds[rounds/2]
}

func clock(f func()) time.Duration {
	begin := time.Now()
	f()
	return time.Since(begin)
}
