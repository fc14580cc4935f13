package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/sparse"
)

// The standard workloads as Go benchmarks: BenchmarkSAXPY/size=65536/exec=thread and so on, for
// benchstat -col /exec. The figure has the unit of the workload; ns/op is the time of a run. With
// -short they have one small size each.

func BenchmarkSAXPY(b *testing.B)        { benchmark(b, "saxpy") }
func BenchmarkReduce(b *testing.B)       { benchmark(b, "reduce") }
func BenchmarkScan(b *testing.B)         { benchmark(b, "scan") }
func BenchmarkNBody(b *testing.B)        { benchmark(b, "nbody") }
func BenchmarkMatMulNaive(b *testing.B)  { benchmark(b, "matmul-naive") }
func BenchmarkMatMulTiled(b *testing.B)  { benchmark(b, "matmul-tiled") }
func BenchmarkTranspose(b *testing.B)    { benchmark(b, "transpose") }
func BenchmarkSpMV(b *testing.B)         { benchmark(b, "spmv") }
func BenchmarkHistogram(b *testing.B)    { benchmark(b, "histogram") }
func BenchmarkMandelbrot(b *testing.B)   { benchmark(b, "mandelbrot") }
func BenchmarkBlackScholes(b *testing.B) { benchmark(b, "blackscholes") }
func BenchmarkFDTD(b *testing.B)         { benchmark(b, "fdtd") }
func BenchmarkRadixSort(b *testing.B)    { benchmark(b, "radixsort") }
func BenchmarkLaunch(b *testing.B)       { benchmark(b, "launch") }
func BenchmarkBarrier(b *testing.B)      { benchmark(b, "barrier") }

func benchmark(b *testing.B, name string) {
	ws, err := Options{Workloads: []string{name}}.workloads()
	require.NoError(b, err)
	w := ws[0]
	e, err := newEnv(context.Background(), runtime.GOMAXPROCS(0))
	require.NoError(b, err)
	defer e.close()
	c := &native{}
	defer c.close()
	sizes := (Options{}).sizes(w)
	if testing.Short() && len(w.Sizes) > 0 {
		small := w.smallSizes()
		sizes = small[len(small)-1:]
	}
	for _, size := range sizes {
		var p *problem // made by the first executor that -bench selects
		for _, executor := range Executors() {
			sub := "exec=" + executor
			if size > 0 {
				sub = fmt.Sprintf("size=%d/exec=%s", size, executor)
			}
			b.Run(sub, func(b *testing.B) {
				if p == nil {
					p = w.problem(e, size)
				}
				switch why := p.leftOut[executor]; {
				case why != "":
					b.Skip(why)
				case !p.has(executor):
					b.Skip("the workload has none")
				case p.run[executor] == nil:
					c.benchmark(b, w, size, p, executor, e)
				default:
					p.benchmark(b, w, executor)
				}
			})
		}
	}
}

func (p *problem) benchmark(b *testing.B, w Workload, executor string) {
	b.ReportAllocs()
	run := func() {
		if err := p.run[executor](); err != nil { // an assertion would be timed as well
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
	require.NoError(b, p.check())
}

// benchmark runs a program in C again and again. Its time is the one that it takes itself, without the
// start and the files.
func (c *native) benchmark(b *testing.B, w Workload, size int, p *problem, executor string, e env) {
	var t timing
	for b.Loop() {
		if err := c.time(w.Name, size, p, executor, e, 1, &t); err != nil {
			b.Fatal(err)
		}
		if t.best == 0 {
			b.Skip("there is no program")
		}
	}
	b.ReportMetric(float64(t.best), "ns/op")
	b.ReportMetric(w.figure(p, executor, t.best), w.Unit)
}

// smallSizes are sizes that don't fit anything.
func (w Workload) smallSizes() []int {
	switch {
	case len(w.Sizes) == 0:
		return []int{0}
	case w.cube:
		return []int{1, 2, 7, 16, 21}
	case w.side:
		return []int{1, 2, 31, 33, 100}
	case w.Name == "nbody", w.Name == "tpacf", strings.HasPrefix(w.Name, "mri"): // they take the square of the time
		return []int{1, 255, 257, 1027}
	case w.Name == "pns": // 2048 at a time, which take long
		return []int{1, 255, 257, 2051}
	}
	return []int{1, 255, 257, 4099}
}

// Every executor of every workload gives the result of the reference, on sizes that don't fit anything.
func TestWorkloads(t *testing.T) {
	for _, w := range everyWorkload() {
		if len(w.Sizes) == 0 && (testing.Short() || raceEnabled) {
			continue // launch and barrier have only their full size
		}
		e, err := newEnv(t.Context(), 2)
		require.NoError(t, err)
		for _, size := range w.smallSizes() {
			p := w.problem(e, size)
			require.NoError(t, p.err)
			for _, executor := range Executors() {
				if p.run[executor] == nil {
					continue
				}
				if raceEnabled && p.run[SIMD] != nil && (executor == Thread || executor == Go) {
					continue // compiled kernels run as their source, all in the same way
				}
				if p.reset != nil {
					p.reset()
				}
				if assert.NoError(t, p.run[executor](), "%s on %s", title(w.Name, size), executor) {
					assert.NoError(t, p.check(), "%s on %s", title(w.Name, size), executor)
				}
			}
		}
		require.NoError(t, e.close())
	}
}

// The executors go and simd are two forms of a kernel: one without vectors, and one with them if
// there are any.
func TestGoHasNoVectors(t *testing.T) {
	if raceEnabled {
		t.Skip("compiled kernels run as their source")
	}
	e, err := newEnv(t.Context(), 2)
	require.NoError(t, err)
	defer e.close()
	var vectors bool
	one := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1}}
	p := e.complete(&problem{
		run: map[string]func() error{},
		kernel: func(on kernels.Launcher) error {
			k := rt.Compiled[gocuda.Kernel](&rt.Forms{Name: "which"}, func(_ *gocuda.Thread, _ *gocuda.Block, p *rt.Phases) {
				for p.Next() {
					vectors = p.Vectors
				}
			})
			return on.Launch(t.Context(), one, k)
		},
	})
	for executor, want := range map[string]bool{Go: false, SIMD: true} {
		if p.run[executor] == nil {
			continue // no vectors at all
		}
		assert.NoError(t, p.run[executor](), executor)
		assert.Equal(t, want, vectors, "%s runs with vectors", executor)
	}
}

// A check that accepts anything would make every figure worthless.
func TestChecksCanFail(t *testing.T) {
	dev := gocuda.Default()
	for _, w := range everyWorkload() {
		if len(w.Sizes) == 0 && (w.Name != "barrier" || testing.Short() || raceEnabled) {
			continue // launch checks launches of its own, and barrier has only its full size
		}
		sizes := w.smallSizes()
		p := w.problem(env{t.Context(), dev, dev, 2}, sizes[len(sizes)-1])
		if p.reset != nil {
			p.reset()
		}
		if w.Name == "barrier" {
			require.NoError(t, p.run[Block](), "barrier did not run")
			p.reset() // as if no thread had counted
		}
		assert.Error(t, p.check(), "%s accepts a result that was never computed", w.Name)
	}
}

func TestOptions(t *testing.T) {
	err := Run(t.Context(), Options{Workloads: []string{"nonsense"}}, func([]Result) {})
	if err == nil {
		t.Error("an unknown workload is no error")
	}
	err = Run(t.Context(), Options{Executors: []string{Serial, "fpga"}}, func([]Result) {})
	if err == nil || !strings.Contains(err.Error(), `"fpga"`) || !strings.Contains(err.Error(), SIMD) {
		t.Errorf("an unknown executor: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Run(ctx, Options{Workloads: []string{"saxpy"}, Sizes: []int{100}}, func([]Result) {}); err == nil {
		t.Error("a cancelled run is no error")
	}
	var got []Result
	o := Options{Workloads: []string{"saxpy"}, Executors: []string{Block, Serial, Goroutines}, Sizes: []int{1000}, Workers: 1}
	err = Run(t.Context(), o, func(r []Result) { got = append(got, r...) })
	if err != nil {
		t.Fatal(err)
	}
	want := []string{Serial, Goroutines, Block} // the order of the report
	require.Len(t, got, len(want))
	for i, r := range got {
		assert.Positive(t, r.Value, "result %d", i)
		assert.Len(t, r.Samples, 4, "one for each round")
		assert.Equal(t, r.Value, slices.Max(r.Samples))
		r.Value, r.Samples = 0, nil
		assert.Equal(t, Result{Workload: "saxpy", Size: 1000, Executor: want[i], Workers: 1, Unit: "GB/s", Verified: true}, r)
	}
}

// A matrix of one's own takes the place of the standard one, whatever the sizes.
func TestMatrix(t *testing.T) {
	m, err := sparse.Laplacian(7, 5)
	require.NoError(t, err)
	var got []Result
	o := Options{Workloads: []string{"spmv"}, Executors: []string{Serial, Thread}, Sizes: []int{10, 20}, Matrix: m, Runs: 1}
	if err := Run(t.Context(), o, func(r []Result) { got = append(got, r...) }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Size != 35 || got[1].Size != 35 {
		t.Errorf("%+v", got)
	}
	m.Col[3] = 99
	if err := Run(t.Context(), o, func([]Result) {}); err == nil {
		t.Error("a matrix with columns that it does not have is no error")
	}
}

// A round is a warm-up and as many runs as are asked for at least, and others follow unless runs
// are long or only one is asked for.
func TestRounds(t *testing.T) {
	for _, c := range []struct {
		what  string
		d     time.Duration
		runs  int
		again bool
	}{
		{"short", time.Millisecond, 5, true},
		{"long", long + time.Millisecond, 2, false},
		{"one run", time.Millisecond, 1, false},
	} {
		calls, checks := 0, 0
		p := &problem{
			run:   map[string]func() error{Serial: func() error { calls++; time.Sleep(c.d); return nil }},
			check: func() error { checks++; return nil },
		}
		tm := &timing{}
		if err := p.time(t.Context(), Serial, tm, c.runs, time.Hour); err != nil {
			t.Fatal(err)
		}
		if again := tm.again(c.runs); again != c.again {
			t.Errorf("%s: another round: %v", c.what, again)
		}
		if calls < 1+c.runs || checks != 1 || tm.best < c.d {
			t.Errorf("%s: %d calls, %d checks, the best %v", c.what, calls, checks, tm.best)
		}
	}
}
