package gocuda_test

import (
	"context"
	"errors"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
)

// goroutineHere returns what a stack names the current goroutine.
func goroutineHere() string {
	var buf [64]byte
	name, _, _ := strings.Cut(string(buf[:runtime.Stack(buf[:], false)]), " [")
	return name
}

// compiledOf is a compiled kernel: source for a thread, body for a block.
func compiledOf(traits rt.Traits, source func(*gocuda.Thread), body func(*gocuda.Block, *rt.Phases)) gocuda.Kernel {
	return rt.Compiled[gocuda.Kernel](&rt.Forms{Name: "compiled", Traits: traits}, func(t *gocuda.Thread, b *gocuda.Block, p *rt.Phases) {
		if t != nil {
			source(t)
		} else {
			body(b, p)
		}
	})
}

// rowsKernel is a compiled kernel that calls f for each row of blocks.
func rowsKernel(f func(b *gocuda.Block, p *rt.Phases)) gocuda.Kernel {
	return compiledOf(rt.CompiledRows, func(*gocuda.Thread) {}, func(b *gocuda.Block, p *rt.Phases) {
		for p.NextRow() {
			f(b, p)
		}
	})
}

// A launch of a compiled kernel runs on the goroutine of its caller, unless the kernel calls what
// may end that, or the launch may have to be given up.
func TestLaunchRunsOnItsCaller(t *testing.T) {
	if raceMode {
		t.Skip("compiled kernels run their source")
	}
	dev := openDevice(t, gocuda.WithWorkers(1))
	none, ending := context.Background(), rt.CompiledEnding
	for _, c := range []struct {
		traits   rt.Traits
		ctx      context.Context
		timeout  time.Duration
		onCaller bool
	}{
		{0, none, 0, true}, {rt.CompiledRows, none, 0, true},
		{rt.CompiledCalling, none, 0, false}, {rt.CompiledRows | rt.CompiledCalling, none, 0, false},
		// Such launches may return before the kernel does.
		{0, none, time.Hour, false}, {ending, none, time.Hour, false},
		{0, t.Context(), 0, false}, {rt.CompiledRows, t.Context(), 0, false},
		// These may not, as their kernels end when they are asked to.
		{ending, t.Context(), 0, true}, {ending | rt.CompiledRows, t.Context(), 0, true},
		{ending | rt.CompiledCalling, t.Context(), 0, false},
	} {
		for _, threads := range []int{1, 256, 1<<17 + 1} {
			var where []string
			cfg := grid.Linear(threads, 256)
			cfg.Timeout = c.timeout
			must(t, dev.Launch(c.ctx, cfg, compiledOf(c.traits, nil, func(b *gocuda.Block, p *rt.Phases) {
				where = append(where, goroutineHere())
			})))
			require.NotEmpty(t, where, "%+v, %d threads: the kernel did not run", c, threads)
			assert.Equal(t, c.onCaller, !slices.ContainsFunc(where, func(w string) bool { return w != goroutineHere() }), "%+v, %d threads: on the caller's goroutine", c, threads)
		}
	}
}

// The caller's labels are the same before and after such a launch, whether the context has them or
// not. In it they are those of the kernel and of the context, as on a worker.
func TestLaunchKeepsItsCallersLabels(t *testing.T) {
	if raceMode {
		t.Skip("compiled kernels run their source")
	}
	profiled(t)
	dev := openDevice(t, gocuda.WithWorkers(1))
	pprof.Do(t.Context(), pprof.Labels("whose", "the caller's"), func(ctx context.Context) {
		for _, c := range []context.Context{ctx, context.Background()} {
			var inside, after []string
			require.NoError(t, dev.Launch(c, grid.Linear(100, 32), rowsKernel(func(*gocuda.Block, *rt.Phases) {
				underWatch(func() { inside = append(inside, labelsHere()...) })
			})))
			underWatch(func() { after = append(after, labelsHere()...) })
			require.NotEmpty(t, inside)
			require.NotEmpty(t, after)
			for _, labels := range inside {
				assert.Contains(t, labels, `"kernel":"compiled"`, "in the kernel")
				assert.Equal(t, c == ctx, strings.Contains(labels, `"whose":"the caller's"`), "in the kernel: %s", labels)
			}
			for _, labels := range after {
				assert.Contains(t, labels, `"whose":"the caller's"`, "after the launch")
				assert.NotContains(t, labels, "kernel", "after the launch")
			}
		}
	})
	// Nor does the goroutine of the worker have them afterwards.
	require.NoError(t, dev.Launch(t.Context(), grid.Linear(100, 32), compiledOf(rt.CompiledCalling, nil, func(*gocuda.Block, *rt.Phases) {
		underWatch(func() {
			for _, labels := range labelsHere() {
				assert.Contains(t, labels, `"kernel":"compiled"`, "on a worker")
				assert.NotContains(t, labels, "whose", "on a worker")
			}
		})
	})))
}

// A panic in it is the launch's error, a cancelled context too, and the device goes on.
func TestLaunchOnItsCallerFails(t *testing.T) {
	dev := openDevice(t, gocuda.WithWorkers(2))
	index := []int{1, 2, 3}
	kernel := compiledOf(rt.CompiledRows, func(t *gocuda.Thread) { _ = index[t.GlobalX()] }, func(b *gocuda.Block, p *rt.Phases) {
		for p.NextRow() {
			for tx := range p.Row {
				p.Current = tx
				_ = index[b.BlockIdx.X*b.BlockDim.X+tx]
			}
		}
	})
	for range 20 {
		var failed *gocuda.KernelError
		err := dev.Launch(t.Context(), grid.Config{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 2}}, kernel)
		require.ErrorAs(t, err, &failed)
		require.Equal(t, 1, failed.BlockIdx.X)
		require.Equal(t, 1, failed.ThreadIdx.X)
		if !raceMode { // where it would run its source
			ctx, cancel := context.WithCancelCause(t.Context())
			why := errors.New("no more")
			err = dev.Launch(ctx, grid.Linear(1<<16, 1), rowsKernel(func(*gocuda.Block, *rt.Phases) { cancel(why) }))
			require.ErrorIs(t, err, why)
			cancel(nil)
		}
		require.NoError(t, dev.Launch(t.Context(), grid.Linear(3, 1), kernel))
	}
}

// A goroutine that ends in the launch leaves the device as it was. Kernels of which gocuda gen says
// that they call nothing can't do that.
func TestLaunchOnItsCallerWithGoexit(t *testing.T) {
	if raceMode {
		t.Skip("compiled kernels run their source")
	}
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(2))
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		dev.Launch(context.Background(), grid.Linear(1<<16, 64), rowsKernel(func(*gocuda.Block, *rt.Phases) { runtime.Goexit() }))
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the goroutine has not ended")
	}
	require.NoError(t, dev.Launch(t.Context(), grid.Linear(100, 32), rowsKernel(func(*gocuda.Block, *rt.Phases) {})))
	require.NoError(t, dev.Close())
}

// Many at once, from as many goroutines.
func TestLaunchesOnTheirCallers(t *testing.T) {
	dev := openDevice(t, gocuda.WithWorkers(2))
	callers, n, launches := 8, 1<<14, 50
	if raceMode {
		callers, n, launches = 3, 1<<8, 4 // threads are goroutines
	}
	errs := make(chan error, callers)
	for range callers {
		go func() {
			errs <- func() error {
				out := make([]int32, n)
				add := func(i int) { out[i] += int32(i) }
				k := compiledOf(rt.CompiledRows, func(t *gocuda.Thread) { add(t.GlobalX()) }, func(b *gocuda.Block, p *rt.Phases) {
					for p.NextRow() {
						for tx := range p.Row {
							add(b.BlockIdx.X*b.BlockDim.X + tx)
						}
					}
				})
				for range launches {
					if err := dev.Launch(context.Background(), grid.Linear(n, 64), k); err != nil {
						return err
					}
				}
				for i, v := range out {
					if v != int32(launches*i) {
						return errors.New("a block has run too often, or not often enough")
					}
				}
				return nil
			}()
		}()
	}
	for range callers {
		assert.NoError(t, <-errs)
	}
}

// What a launch takes that finds nothing to do, on its caller and on a worker.
func BenchmarkEmptyLaunch(b *testing.B) {
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(2))
	require.NoError(b, err)
	defer dev.Close()
	body := func(_ *gocuda.Block, p *rt.Phases) {
		for p.NextRow() {
		}
	}
	for _, c := range []struct {
		name   string
		kernel gocuda.Kernel
	}{{"caller", compiledOf(rt.CompiledRows, nil, body)}, {"worker", compiledOf(rt.CompiledRows|rt.CompiledCalling, nil, body)}} {
		for name, threads := range map[string]int{"1": 256, "256": 1 << 16} {
			b.Run("on="+c.name+"/blocks="+name, func(b *testing.B) {
				for b.Loop() {
					if err := dev.Launch(context.Background(), grid.Linear(threads, 256), c.kernel); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
