package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
)

// Workloads returns the standard workloads, in the order of the report.
func Workloads() []Workload {
	return []Workload{
		{Name: "saxpy", About: "y[i] = a*x[i] + y[i], blocks of 256", Sizes: []int{1 << 16, 1 << 21, 1 << 26}, Unit: "GB/s", setup: setupSAXPY},
		{Name: "reduce", About: "shared-memory tree, blocks of 256", Sizes: []int{1 << 22, 1 << 26}, Unit: "Melem/s", setup: setupReduce},
		{Name: "scan", About: "inclusive prefix sum of the whole array", Sizes: []int{1 << 22, 1 << 26}, Unit: "Melem/s", setup: setupScan},
		{Name: "nbody", About: "all-pairs gravity, bodies tiled through shared memory", Sizes: []int{4096, 16384}, Unit: "GFLOPS", setup: setupNBody},
		{Name: "launch", About: "an empty kernel, one block of 64, launch and wait", Unit: "us", Less: true, setup: setupLaunch},
		{Name: "barrier", About: "256 threads, 64 barriers, nothing between them", Unit: "ns", Less: true, setup: setupBarrier},
	}
}

// everywhere is the same amount of work for all executors.
func everywhere(amount float64) map[string]float64 {
	m := map[string]float64{}
	for _, e := range Executors() {
		m[e] = amount
	}
	return m
}

// random returns n numbers in [0, 1), the same every time.
func random(n int) []float32 {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	v := make([]float32, n)
	for i := range v {
		v[i] = r.Float32()
	}
	return v
}

// near returns an error unless got and want agree within the relative error tol, element by element.
func near(what string, got, want []float32, tol float64) error {
	for i := range want {
		g, w := float64(got[i]), float64(want[i])
		if !(math.Abs(g-w) <= tol*math.Max(1, math.Abs(w))) {
			return fmt.Errorf("%s[%d] = %v, the reference is %v", what, i, g, w)
		}
	}
	return nil
}

func setupSAXPY(e env, n int) *problem {
	const a = 2
	x, y0 := random(n), random(n)
	y, want := make([]float32, n), make([]float32, n)
	copy(want, y0)
	kernels.SAXPYSerial(a, x, want)
	form := func(f kernels.Form) func() error {
		return func() error { return kernels.SAXPYForm(e.ctx, e.dev, f, a, x, y) }
	}
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { kernels.SAXPYSerial(a, x, y); return nil },
			Goroutines: func() error { saxpyGoroutines(e.workers, a, x, y); return nil },
			Thread:     form(kernels.Threads),
			Block:      form(kernels.Blocks),
		},
		amount: everywhere(12e-9 * float64(n)), // gigabytes: two reads and a write
		reset:  func() { copy(y, y0) },
		check:  func() error { return near("y", y, want, 0) }, // the same two roundings everywhere
	}
}

// steps returns n numbers of -2, -1, 0, 1 and 2. All their partial sums are small whole numbers, so
// float32 adds them exactly in any order, and results can be compared exactly.
func steps(n int) []float32 {
	v := random(n)
	for i := range v {
		v[i] = float32(int(v[i]*5) - 2)
	}
	return v
}

func setupReduce(e env, n int) *problem {
	in := steps(n)
	want := kernels.SumSerial(in)
	var got float32
	form := func(f kernels.Form) func() error {
		return func() (err error) { got, err = kernels.SumForm(e.ctx, e.dev, f, in); return err }
	}
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { got = kernels.SumSerial(in); return nil },
			Goroutines: func() error { got = sumGoroutines(e.workers, in); return nil },
			Thread:     form(kernels.Threads),
			Block:      form(kernels.Blocks),
		},
		amount:  everywhere(1e-6 * float64(n)),
		reset:   func() { got = 0 },
		check:   func() error { return near("sum", []float32{got}, []float32{want}, 0) },
		tooSlow: slowThreads(n),
	}
}

// slowThreads leaves out thread kernels with a dozen barriers on sizes where a run would take a minute.
func slowThreads(n int) map[string]string {
	if n > 1<<24 {
		return map[string]string{Thread: "thread kernels with barriers take minutes at this size"}
	}
	return nil
}

func setupScan(e env, n int) *problem {
	in := steps(n)
	out, want := make([]float32, n), make([]float32, n)
	kernels.InclusiveScanSerial(want, in)
	method := func(m kernels.ScanMethod) func() error {
		return func() error { return kernels.Scan(e.ctx, e.dev, m, true, out, in) }
	}
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { kernels.InclusiveScanSerial(out, in); return nil },
			Goroutines: func() error { scanGoroutines(e.workers, out, in); return nil },
			Thread:     method(kernels.ScanWorkEfficient),
			Block:      method(kernels.ScanBlocks),
		},
		amount:  everywhere(1e-6 * float64(n)),
		reset:   func() { clear(out) },
		check:   func() error { return near("out", out, want, 0) },
		tooSlow: slowThreads(n),
	}
}

func setupNBody(e env, n int) *problem {
	const eps = 0.01
	r := random(4 * n)
	bodies := make([]kernels.Body[float32], n)
	for i := range bodies {
		bodies[i] = kernels.Body[float32]{X: r[4*i], Y: r[4*i+1], Z: r[4*i+2], Mass: r[4*i+3]}
	}
	acc := make([]kernels.Vec3[float32], n)
	want, tol := exactAccelerations(eps, bodies)
	form := func(f kernels.Form) func() error {
		return func() error { return kernels.Accelerations(e.ctx, e.dev, f, eps, bodies, acc) }
	}
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { kernels.AccelerationsSerial(eps, bodies, acc); return nil },
			Goroutines: func() error { nbodyGoroutines(e.workers, eps, bodies, acc); return nil },
			Thread:     form(kernels.Threads),
			Block:      form(kernels.Blocks),
		},
		amount: everywhere(20e-9 * float64(n) * float64(n)), // 20 flops an interaction
		reset:  func() { clear(acc) },
		check: func() error {
			for i, w := range want {
				g := acc[i]
				d := max(math.Abs(float64(g.X)-w.X), math.Abs(float64(g.Y)-w.Y), math.Abs(float64(g.Z)-w.Z))
				if !(d <= tol[i]) {
					return fmt.Errorf("the acceleration of body %d is %v, the reference is %v", i, g, w)
				}
			}
			return nil
		},
	}
}

// exactAccelerations is the serial reference in float64, with the error that float32 may have. That
// depends on the size of the terms, not of the sum, in which they mostly cancel: each term and each
// partial sum has a relative error of some 2^-24, and n errors of either sign add up to about the
// square root of n of them. The tolerance is eight times that, and zero if there are no terms.
func exactAccelerations(eps float32, bodies []kernels.Body[float32]) (acc []kernels.Vec3[float64], tol []float64) {
	n := len(bodies)
	b64 := make([]kernels.Body[float64], n)
	for i, b := range bodies {
		b64[i] = kernels.Body[float64]{X: float64(b.X), Y: float64(b.Y), Z: float64(b.Z), Mass: float64(b.Mass)}
	}
	acc, tol = make([]kernels.Vec3[float64], n), make([]float64, n)
	kernels.AccelerationsSerial(float64(eps), b64, acc)
	for i, p := range b64 {
		size := 0.0
		for _, q := range b64 {
			d2 := (p.X-q.X)*(p.X-q.X) + (p.Y-q.Y)*(p.Y-q.Y) + (p.Z-q.Z)*(p.Z-q.Z)
			s2 := d2 + float64(eps)*float64(eps)
			size += q.Mass * math.Sqrt(d2) / (s2 * math.Sqrt(s2))
		}
		tol[i] = 8 * math.Sqrt(float64(n)) * size / (1 << 24)
	}
	return acc, tol
}

// nothing is a call that the compiler can't remove.
//
//go:noinline
func nothing(i int) {}

func setupLaunch(e env, _ int) *problem {
	const rounds, threads = 1000, 64
	cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: threads}}
	repeat := func(f func() error) func() error {
		return func() error {
			for range rounds {
				if err := f(); err != nil {
					return err
				}
			}
			return nil
		}
	}
	// The kernel of the timed runs is empty; to verify, one that counts is launched the same way.
	launches := map[string]func(count func()) func() error{
		Serial: func(count func()) func() error {
			return func() error {
				for i := range threads {
					nothing(i)
					if count != nil {
						count()
					}
				}
				return nil
			}
		},
		Goroutines: func(count func()) func() error {
			return func() error {
				split(e.workers, threads, func(_, from, to int) {
					for i := from; i < to; i++ {
						nothing(i)
						if count != nil {
							count()
						}
					}
				})
				return nil
			}
		},
		Thread: func(count func()) func() error {
			k := gocuda.ThreadFunc(func(*gocuda.Thread) {})
			if count != nil {
				k = func(*gocuda.Thread) { count() }
			}
			return func() error { return e.dev.Launch(context.Background(), cfg, k) }
		},
		Block: func(count func()) func() error {
			k := gocuda.BlockFunc(func(*gocuda.Block) {})
			if count != nil {
				k = func(b *gocuda.Block) {
					for range b.Size() {
						count()
					}
				}
			}
			return func() error { return e.dev.Launch(context.Background(), cfg, k) }
		},
	}
	p := &problem{run: map[string]func() error{}, amount: everywhere(rounds * 1e-6)}
	for name, launch := range launches {
		p.run[name] = repeat(launch(nil))
	}
	p.check = func() error {
		for name, launch := range launches {
			var n atomic.Int64
			if err := launch(func() { n.Add(1) })(); err != nil {
				return err
			}
			if n.Load() != threads {
				return fmt.Errorf("%s ran %d of %d threads", name, n.Load(), threads)
			}
		}
		return nil
	}
	return p
}

func setupBarrier(e env, _ int) *problem {
	const blocks, threads, barriers = 1024, 256, 64
	// Goroutines take half a microsecond a barrier; some blocks of them are enough.
	const few = 32
	var rounds [threads]atomic.Int64 // barriers passed by the threads of one rank, in all blocks
	cfg := grid.Config{Grid: grid.Dim3{X: blocks}, Block: grid.Dim3{X: threads}}
	var ran int64
	p := &problem{
		run: map[string]func() error{
			Serial: func() error {
				ran = blocks
				for range blocks {
					for range barriers {
						for i := range threads {
							nothing(i)
						}
					}
					for i := range threads {
						rounds[i].Add(barriers)
					}
				}
				return nil
			},
			Goroutines: func() error {
				ran = few
				for range few {
					b := newCondBarrier(threads)
					var wg sync.WaitGroup
					for i := range threads {
						wg.Go(func() {
							for range barriers {
								b.wait()
							}
							rounds[i].Add(barriers)
						})
					}
					wg.Wait()
				}
				return nil
			},
			Thread: func() error {
				ran = blocks
				return e.dev.LaunchFunc(e.ctx, cfg, func(t *gocuda.Thread) {
					for range barriers {
						t.SyncThreads()
					}
					rounds[t.ThreadIdx.X].Add(barriers)
				})
			},
			Block: func() error {
				ran = blocks
				return e.dev.Launch(e.ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) {
					for range barriers {
						b.ForEach(func(t *gocuda.Thread) {})
					}
					for i := range threads {
						rounds[i].Add(barriers)
					}
				}))
			},
		},
		amount: everywhere(blocks * threads * barriers * 1e-9),
		reset: func() {
			for i := range rounds {
				rounds[i].Store(0)
			}
		},
		check: func() error {
			for i := range rounds {
				if n := rounds[i].Load(); n != ran*barriers {
					return fmt.Errorf("the threads of rank %d passed %d barriers of %d", i, n, ran*barriers)
				}
			}
			return nil
		},
	}
	p.amount[Goroutines] = few * threads * barriers * 1e-9
	return p
}
