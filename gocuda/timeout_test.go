package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
)

const soon = 5 * time.Millisecond

// endless are kernels of which block 2 never ends by itself, and all others do at once.
var endless = map[string]gocuda.Kernel{
	"thread": gocuda.ThreadFunc(func(t *gocuda.Thread) {
		for t.BlockIdx.X == 2 {
			t.SyncThreads()
		}
	}),
	"thread that sleeps": gocuda.ThreadFunc(func(t *gocuda.Thread) {
		for t.BlockIdx.X == 2 {
			t.Nanosleep(time.Millisecond)
		}
	}),
	"warp": gocuda.WarpFunc(func(w *gocuda.Warp) {
		for w.BlockIdx.X == 2 {
			w.SyncThreads()
		}
	}),
	"block": gocuda.BlockFunc(func(b *gocuda.Block) {
		for b.BlockIdx.X == 2 {
			b.ForEach(func(*gocuda.Thread) {})
		}
	}),
	"compiled": compiledOf(0,
		func(t *gocuda.Thread) {
			for t.BlockIdx.X == 2 {
				t.SyncThreads()
			}
		},
		func(b *gocuda.Block, p *rt.Phases) {
			for p.Next() {
				for b.BlockIdx.X == 2 {
					p.Barrier()
				}
			}
		}),
}

// timesOut launches k with a timeout that is long enough for the given number of blocks to begin
// and be stopped.
func timesOut(t *testing.T, dev *gocuda.Device, cfg grid.Config, k gocuda.Kernel, stopped int) *gocuda.TimeoutError {
	t.Helper()
	return timesOutWhen(t, dev, cfg, k, func(te *gocuda.TimeoutError) bool { return len(te.Stopped) >= stopped })
}

// timesOutWhen launches k with longer and longer timeouts until the error is as it should be.
func timesOutWhen(t *testing.T, dev *gocuda.Device, cfg grid.Config, k gocuda.Kernel, done func(*gocuda.TimeoutError) bool) *gocuda.TimeoutError {
	t.Helper()
	var last *gocuda.TimeoutError
	for cfg.Timeout = soon; cfg.Timeout < patience; cfg.Timeout *= 2 {
		var err error
		finishes(t, "a launch with a timeout", func() { err = dev.Launch(t.Context(), cfg, k) })
		var te *gocuda.TimeoutError
		if !errors.Is(err, gocuda.ErrLaunchTimeout) || !errors.As(err, &te) || te.Timeout != cfg.Timeout {
			t.Fatalf("the error is %v", err)
		}
		if done(te) {
			return te
		}
		last = te
	}
	t.Fatal("the error is not what it should be, however long the blocks had: ", last)
	return nil
}

func TestTimeoutNamesTheBlocksThatDidNotEnd(t *testing.T) {
	for name, k := range endless {
		for _, e := range executors {
			t.Run(name+" "+e.String(), func(t *testing.T) {
				dev := openDevice(t, gocuda.WithExecutor(e), gocuda.WithWorkers(1))
				te := timesOutWhen(t, dev, grid.Linear(5*64, 64), k, func(te *gocuda.TimeoutError) bool { // on a busy machine blocks before it may be stopped
					return slices.Contains(te.Stopped, grid.Dim3{X: 2})
				})
				assert.Equal(t, 2, te.Pending, "%+v; want block 2 to be stopped, and 3 and 4 not to have begun", *te)
				slicetest.Equal(t, []grid.Dim3{{X: 2}}, te.Stopped, "%+v; want block 2 to be stopped, and 3 and 4 not to have begun", *te)
				for _, part := range []string{te.Kernel, "(2,0,0) was stopped", "2 had not begun", te.Timeout.String()} {
					assert.Contains(t, te.Error(), part)
				}
				require.NoError(t, dev.LaunchFunc(t.Context(), oneThread, func(*gocuda.Thread) {})) // the device lives on
			})
		}
	}
}

// The error says in which lines the threads of the stopped blocks waited, for example for a lock
// that one of them keeps.
func TestTimeoutNamesTheLines(t *testing.T) {
	thread := func(t *gocuda.Thread) {
		if t.ThreadIdx.X == 40 {
			t.SyncThreads() // the first line
		}
		for {
			t.Nanosleep(time.Microsecond) // the second line
		}
	}
	block := func(b *gocuda.Block) {
		for {
			b.ForEach(func(*gocuda.Thread) {}) // the third line
		}
	}
	warp := func(w *gocuda.Warp) {
		for {
			w.SyncThreads() // the fourth line
		}
	}
	body := compiledOf(0, thread, func(b *gocuda.Block, p *rt.Phases) {
		for p.Next() {
			for {
				p.Poll() // the fifth line
			}
		}
	})
	type at struct {
		mark  string
		unit  gocuda.Unit
		count int
	}
	threads := []at{{"second", gocuda.UnitThread, 126}, {"first", gocuda.UnitThread, 2}}
	for _, e := range executors {
		for _, c := range []struct {
			name   string
			kernel gocuda.Kernel
			want   []at
		}{
			{"threads", gocuda.ThreadFunc(thread), threads},
			{"block", gocuda.BlockFunc(block), []at{{"third", gocuda.UnitBlock, 2}}},
			{"warps", gocuda.WarpFunc(warp), []at{{"fourth", gocuda.UnitWarp, 4}}},
			{"compiled", body, []at{{"fifth", gocuda.UnitBlock, 2}}},
		} {
			t.Run(c.name+" "+e.String(), func(t *testing.T) {
				if c.name == "compiled" && (raceMode || e != gocuda.ExecutorCoroutine) {
					c.want = threads
				}
				dev := openDevice(t, gocuda.WithExecutor(e), gocuda.WithWorkers(2))
				total := 0
				for _, a := range c.want {
					total += a.count
				}
				te := timesOutWhen(t, dev, grid.Linear(2*64, 64), c.kernel, func(te *gocuda.TimeoutError) bool {
					n := 0
					for _, at := range te.At {
						n += at.Count
					}
					return n >= total // all have begun
				})
				var want []gocuda.StoppedAt
				var parts []string
				for _, a := range c.want {
					line := markedLine(t, "timeout_test.go", "// the "+a.mark+" line")
					want = append(want, gocuda.StoppedAt{File: te.At[0].File, Line: line, Unit: a.unit, Count: a.count})
					parts = append(parts, fmt.Sprintf("%d %vs at timeout_test.go:%d", a.count, a.unit, line))
				}
				assert.Equal(t, want, te.At)
				assert.Equal(t, "timeout_test.go", filepath.Base(te.At[0].File))
				assert.Contains(t, te.Error(), "were stopped ("+strings.Join(parts, ", ")+")")
			})
		}
	}
}

// markedLine returns the number of the line of a file that ends in a mark.
func markedLine(t *testing.T, file, mark string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasSuffix(line, mark) {
			return i + 1
		}
	}
	require.Fail(t, "no line ends in "+mark)
	return 0
}

func TestTimeoutOfSeveralBlocks(t *testing.T) {
	dev := openDevice(t, gocuda.WithWorkers(3), gocuda.WithBlockOrder(gocuda.ReversedOrder()))
	te := timesOut(t, dev, grid.Config{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 1}},
		gocuda.ThreadFunc(func(t *gocuda.Thread) {
			for {
				t.SyncThreads()
			}
		}), 3)
	// Three workers have begun one block each; the fourth block is another worker's second one.
	at := func(i grid.Dim3) int { return i.X + 2*i.Y }
	if len(te.Stopped) != 3 || te.Pending != 1 ||
		!slices.IsSortedFunc(te.Stopped, func(v, w grid.Dim3) int { return at(v) - at(w) }) {
		t.Errorf("%+v", *te)
	}
	if text := te.Error(); !strings.Contains(text, " and ") || !strings.HasSuffix(text, "), 1 had not begun") {
		t.Error(text)
	}
}

func TestTimeoutThatIsNotReached(t *testing.T) {
	dev := openDevice(t)
	boom, why := errors.New("boom"), errors.New("why")
	cfg := grid.Linear(300, 10)
	cfg.Timeout = time.Hour
	var n atomic.Int64
	require.NoError(t, dev.LaunchFunc(t.Context(), cfg, func(*gocuda.Thread) { n.Add(1) }))
	assert.Equal(t, int64(300), n.Load())
	err := dev.LaunchFunc(t.Context(), cfg, func(*gocuda.Thread) { panic(boom) })
	assert.ErrorIs(t, err, boom, "a panic")
	assert.NotErrorIs(t, err, gocuda.ErrLaunchTimeout, "a panic")
	ctx, cancel := context.WithCancelCause(t.Context())
	err = dev.LaunchFunc(ctx, cfg, func(t *gocuda.Thread) {
		cancel(why)
		for {
			t.SyncThreads()
		}
	})
	assert.ErrorIs(t, err, why, "a cancelled context")
	assert.NotErrorIs(t, err, gocuda.ErrLaunchTimeout, "a cancelled context")
	ctx, stop := context.WithTimeout(t.Context(), soon)
	defer stop()
	err = dev.LaunchFunc(ctx, cfg, func(t *gocuda.Thread) {
		for {
			t.SyncThreads()
		}
	})
	assert.ErrorIs(t, err, context.DeadlineExceeded, "a context that is done before the timeout")
	assert.NotErrorIs(t, err, gocuda.ErrLaunchTimeout, "a context that is done before the timeout")
}

func TestTimeoutInAStream(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	cfg := grid.Linear(5*64, 64)
	cfg.Timeout = soon
	require.NoError(t, s.Launch(cfg, endless["thread"]))
	s.AddCallback(func() { t.Error("work behind a launch that timed out ran") }) // may be refused already
	assert.ErrorIs(t, synchronize(t, s), gocuda.ErrLaunchTimeout, "Synchronize")
	assert.ErrorIs(t, s.Reset(), gocuda.ErrLaunchTimeout, "Reset")
	require.NoError(t, s.LaunchFunc(oneThread, func(*gocuda.Thread) {}))
	require.NoError(t, synchronize(t, s))
}

func TestWorkersOfALaunch(t *testing.T) {
	dev := openDevice(t, gocuda.WithWorkers(4))
	for _, workers := range []int{0, 1, 2, 3, 4, 100} {
		var now, most atomic.Int64
		cfg := grid.Linear(200, 1)
		cfg.Workers = workers
		limit := 4
		if workers > 0 {
			limit = min(workers, 4)
		}
		all := meet(limit)
		s := dev.NewStream()
		require.NoError(t, s.LaunchFunc(cfg, func(*gocuda.Thread) {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			now.Add(-1)
		}))
		require.NoError(t, synchronize(t, s))
		assert.LessOrEqual(t, most.Load(), int64(limit), "%d workers: blocks at the same time", workers)
		// As many blocks as there may be at the same time wait for each other.
		cfg.Grid.X = limit
		require.NoError(t, s.LaunchFunc(cfg, all))
		require.NoError(t, synchronize(t, s))
	}
}

func TestAttributesThatMakeNoSense(t *testing.T) {
	dev := openDevice(t)
	for name, cfg := range map[string]grid.Config{
		"negative timeout": {Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1}, Timeout: -1},
		"negative workers": {Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1}, Workers: -1},
	} {
		refused(t, dev, name, cfg, gocuda.ErrInvalidConfiguration)
	}
}
