package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// What was made apart works together: graphs, cooperative launches, children, timeouts, priorities,
// cancellation.

// forever waits until the launch is stopped.
func forever(t *gocuda.Thread) {
	for {
		t.Nanosleep(20 * time.Microsecond)
	}
}

// wantTimeout says what is wrong with an error that should be a timeout of the named kernel.
func wantTimeout(t testing.TB, err error, after time.Duration) *gocuda.TimeoutError {
	t.Helper()
	var te *gocuda.TimeoutError
	require.ErrorIs(t, err, gocuda.ErrLaunchTimeout)
	require.ErrorAs(t, err, &te)
	require.Equal(t, after, te.Timeout)
	return te
}

// The time of a launch of the host is up while only its children, or theirs, still run.
func TestTimeoutStopsDescendants(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for depth := range 4 {
			var down func(depth int) func(*gocuda.Thread)
			down = func(depth int) func(*gocuda.Thread) {
				if depth == 0 {
					return forever
				}
				return func(t *gocuda.Thread) { check(t.LaunchFunc(oneThread, down(depth-1))) }
			}
			cfg := oneThread
			cfg.Timeout = 2 * soon
			te := wantTimeout(t, launch(t, dev, cfg, down(depth)), cfg.Timeout)
			if depth > 0 { // all blocks of the kernel had ended
				assert.Empty(t, te.Stopped, "depth %d", depth)
				assert.Zero(t, te.Pending, "depth %d", depth)
			}
		}
	}, gocuda.WithWorkers(2))
}

// The time of a child is up; its own blocks may have ended before, so that it waits for its
// children only.
func TestTimeoutOfAChild(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for depth := range 3 {
			cfg := grid.Linear(2, 1)
			cfg.Timeout = 2 * soon
			child := forever
			if depth == 2 {
				child = func(t *gocuda.Thread) { check(t.LaunchFunc(oneThread, forever)) }
			}
			up := func(t *gocuda.Thread) { check(t.LaunchFunc(cfg, child)) }
			if depth == 0 {
				up = func(t *gocuda.Thread) {
					check(t.LaunchFunc(oneThread, func(t *gocuda.Thread) { check(t.LaunchFunc(cfg, forever)) }))
				}
			}
			err := launch(t, dev, oneThread, up)
			te := wantTimeout(t, err, cfg.Timeout)
			assert.NotEmpty(t, te.Kernel, "depth %d", depth)
			if depth < 2 {
				assert.Contains(t, []int{1, 2}, len(te.Stopped)+te.Pending, "depth %d", depth)
			}
			for _, part := range []string{"launched by kernel", "block (0,0,0) thread (0,0,0)", te.Error()} {
				assert.ErrorContains(t, err, part)
			}
		}
	}, gocuda.WithWorkers(2))
}

// A child's time does not pass while it waits for its turn in a stream.
func TestTimeoutOfAChildBeginsWithIt(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		cfg := oneThread
		cfg.Timeout = 500 * time.Millisecond
		over := false
		require.NoError(t, launch(t, dev, oneThread, func(t *gocuda.Thread) {
			check(t.LaunchFunc(oneThread, func(t *gocuda.Thread) { t.Nanosleep(cfg.Timeout + 50*time.Millisecond) }))
			check(t.LaunchFunc(cfg, func(*gocuda.Thread) { over = true }))
		}))
		assert.True(t, over, "the child did not run")
	})
}

// A kernel that takes the error of Launch for its own, when that is refused since the time is up,
// has timed out.
func TestRefusedChildOfALaunchThatTimedOut(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		cfg := oneThread
		cfg.Timeout = soon
		err := launch(t, dev, cfg, func(t *gocuda.Thread) {
			for {
				check(t.LaunchFunc(grid.Linear(0, 1), func(*gocuda.Thread) {})) // no block, so no end of room
			}
		})
		if !errors.Is(err, gocuda.ErrLaunchTimeout) {
			assert.ErrorIs(t, err, gocuda.ErrLaunchPendingCountExceeded)
		}
	})
}

// Blocks of a child begin before those of others if its parent is more urgent than they. On a
// device with one worker and priorities that children did not have, they would wait.
func TestChildrenHaveThePriorityOfTheirParent(t *testing.T) {
	for _, own := range []int{0, -1} {
		dev := openDevice(t, gocuda.WithWorkers(1), gocuda.WithExecutor(gocuda.ExecutorCoroutine))
		var order []string // of one worker and those that it makes wait
		var mu sync.Mutex
		note := func(s string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, s)
		}
		urgent := dev.NewStreamWithPriority(-3)
		began, goOn := make(chan struct{}), make(chan struct{})
		lazy := dev.NewStreamWithPriority(-2)
		require.NoError(t, lazy.LaunchFunc(grid.Linear(8, 1), func(t *gocuda.Thread) {
			if t.BlockIdx.X == 0 {
				close(began)
				<-goOn
				return
			}
			note("lazy")
		}))
		<-began
		cfg := grid.Linear(8, 1)
		cfg.Priority = own
		require.NoError(t, urgent.LaunchFunc(oneThread, func(t *gocuda.Thread) {
			check(t.LaunchFunc(cfg, func(t *gocuda.Thread) {
				if t.BlockIdx.X == 0 {
					close(goOn)
				}
				time.Sleep(time.Millisecond)
				note("child")
			}))
		}))
		require.NoError(t, synchronize(t, urgent))
		require.NoError(t, synchronize(t, lazy))
		children := 0
		for _, s := range order[:8] {
			children += strings.Count(s, "child")
		}
		if own == 0 {
			assert.GreaterOrEqual(t, children, 7, "the children of an urgent launch are not urgent: %v", order)
		}
	}
}

// A cooperative launch that is captured is a kernel node, and stays cooperative.
func TestCaptureOfCooperativeLaunches(t *testing.T) {
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		s := dev.NewStreamWithPriority(-2)
		x := make([]int64, 60)
		cfg := grid.Linear(len(x), 10)
		ctx, cancel := context.WithCancelCause(t.Context())
		begin(t, s)
		require.NoError(t, s.LaunchFunc(cfg, func(t *gocuda.Thread) { x[t.GlobalX()] = 1 }))
		require.NoError(t, s.LaunchCooperative(ctx, cfg, gocuda.ThreadFunc(gridSum(x))))
		wantError(t, s.LaunchCooperative(ctx, grid.Linear(1<<20, 1), gocuda.ThreadFunc(gridSum(x))), gocuda.ErrCooperativeLaunchTooLarge)
		g := end(t, s)
		n := g.Nodes()[1]
		c, _, err := n.KernelParams()
		assert.NoError(t, err, n)
		assert.Equal(t, gocuda.GraphNodeKernel, n.Type(), n)
		assert.Equal(t, -2, c.Priority, n)
		e := instantiate(t, g)
		for range 3 {
			require.NoError(t, runGraph(t, dev, e))
			assert.Equal(t, int64(len(x)), x[0])
		}
		clear(x)
		nothing := gocuda.ThreadFunc(func(t *gocuda.Thread) { t.SyncGrid() })
		require.NoError(t, e.KernelNodeSetParams(n, grid.Linear(8, 2), nothing))
		require.NoError(t, runGraph(t, dev, e))
		require.NoError(t, n.SetKernelParams(cfg, nothing))
		for _, err := range []error{
			e.KernelNodeSetParams(n, grid.Linear(1<<20, 1), nothing), n.SetKernelParams(grid.Linear(1<<20, 1), nothing),
		} {
			wantError(t, err, gocuda.ErrCooperativeLaunchTooLarge)
		}
		require.NoError(t, e.Update(g))
		require.NoError(t, runGraph(t, dev, e))
		var ue *gocuda.GraphExecUpdateError
		begin(t, s)
		require.NoError(t, s.Launch(cfg, nothing))
		require.NoError(t, s.Launch(cfg, nothing))
		require.ErrorAs(t, e.Update(end(t, s)), &ue)
		assert.Equal(t, gocuda.UpdateAttributesChanged, ue.Result)
		why := errors.New("why")
		require.NoError(t, e.Update(g))
		cancel(why)
		require.NoError(t, runGraph(t, dev, e)) // its parameters were set, which ends the context

		begin(t, s)
		require.NoError(t, s.LaunchCooperative(ctx, cfg, nothing))
		wantError(t, runGraph(t, dev, instantiate(t, end(t, s))), why)
	})
}

// A kernel whose time is up before it launches a child, and that panics with the error of that
// launch, was stopped: it is no failure of the kernel. The same holds for a context that is
// cancelled.
func TestKernelThatPanicsWithTheEndOfItsLaunch(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		late := func(launched func()) func(*gocuda.Thread) {
			return func(t *gocuda.Thread) {
				launched()
				for {
					check(t.LaunchFunc(grid.Linear(0, 1), func(*gocuda.Thread) {})) // no block, so no end of room
				}
			}
		}
		cfg := oneThread
		cfg.Timeout = 2 * soon
		te := wantTimeout(t, launch(t, dev, cfg, late(func() {})), cfg.Timeout)
		assert.Len(t, te.Stopped, 1)
		assert.Zero(t, te.Pending)

		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(context.Background())
		var err error
		finishes(t, "Launch", func() {
			err = dev.LaunchFunc(ctx, oneThread, late(func() { cancel(why) }))
		})
		require.ErrorIs(t, err, why)
		var ke *gocuda.KernelError
		require.False(t, errors.As(err, &ke), "%v", err)
	})
}

func TestCooperativeLaunchWithAttributes(t *testing.T) {
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		cfg := grid.Linear(8, 2)
		for workers, want := range []error{nil, gocuda.ErrCooperativeLaunchTooLarge, gocuda.ErrCooperativeLaunchTooLarge,
			gocuda.ErrCooperativeLaunchTooLarge, nil, nil} {
			cfg.Workers = workers
			err := cooperate(t, dev, cfg, gocuda.ThreadFunc(func(t *gocuda.Thread) { t.SyncGrid() }))
			assert.ErrorIs(t, err, want, "%d workers", workers)
		}
		cfg.Workers, cfg.Timeout = 0, 2*soon
		te := wantTimeout(t, cooperate(t, dev, cfg, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.BlockIdx.X == 1 {
				forever(t)
			}
			t.SyncGrid()
		})), cfg.Timeout)
		assert.Equal(t, 4, len(te.Stopped)+te.Pending, "%+v", te)
		wantTimeout(t, cooperate(t, dev, cfg, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			t.SyncGrid()
			check(t.LaunchFunc(oneThread, forever))
		})), cfg.Timeout)
	})
}

// What a cooperative launch can have is what the occupancy calculator says, of every generation
// that can do it.
func TestCooperativeLimitIsTheOccupancy(t *testing.T) {
	nothing := gocuda.ThreadFunc(func(t *gocuda.Thread) { t.SyncGrid() })
	for _, c := range []struct {
		gen             gocuda.Generation
		threads, shared int
		blocks          int // a multiprocessor
		sms             int
	}{
		{gocuda.Volta, 1024, 0, 2, 80}, {gocuda.Volta, 1, 0, 32, 80}, {gocuda.Volta, 96, 0, 21, 80}, {gocuda.Volta, 32, 40 << 10, 2, 80},
		{gocuda.Volta, 32, 32<<10 + 1, 2, 80},
		{gocuda.GA100, 1024, 0, 2, 108}, {gocuda.GA100, 32, 40 << 10, 4, 108}, {gocuda.GA100, 32, 41 << 10, 3, 108}, // 1 KiB a block is the system's
		{gocuda.GA102, 1024, 0, 1, 82}, {gocuda.GA102, 32, 0, 16, 82}, {gocuda.GA102, 32, 24 << 10, 4, 82}, {gocuda.GA102, 32, 25 << 10, 3, 82},
		{gocuda.Hopper, 256, 48 << 10, 4, 132}, {gocuda.Hopper, 64, 0, 32, 132},
	} {
		dev := openDevice(t, gocuda.WithGeneration(c.gen))
		cfg := grid.Config{Block: grid.Dim3{X: c.threads}, SharedBytes: c.shared, Grid: grid.Dim3{X: c.blocks*c.sms + 1}}
		err := dev.LaunchCooperative(t.Context(), cfg, nothing)
		text := fmt.Sprintf("%d blocks, the device holds %d of this size", cfg.Grid.X, c.blocks*c.sms)
		wantError(t, err, gocuda.ErrCooperativeLaunchTooLarge, text)
		n, err := dev.MaxActiveBlocks(cfg, 0)
		assert.NoError(t, err)
		assert.Equal(t, c.blocks, n, c)
		cfg.Grid.X--
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // not to run so many
		wantError(t, dev.LaunchCooperative(ctx, cfg, nothing), context.Canceled)
	}
	host := openDevice(t)
	cfg := grid.Config{Block: grid.Dim3{X: 64}, Grid: grid.Dim3{X: host.Properties().MultiProcessorCount}}
	require.NoError(t, cooperate(t, host, cfg, nothing))
	cfg.Grid.X++
	wantError(t, cooperate(t, host, cfg, nothing), gocuda.ErrCooperativeLaunchTooLarge)
}

// All ways to launch, with all kernels, that fail in all ways: nothing hangs, each error arrives,
// the device lives on.
func TestAllWaysToLaunchAndToFail(t *testing.T) {
	before := runtime.NumGoroutine()
	boom := errors.New("boom")

	// A failure is what one thread of the last block does once all have met, and what comes of it.
	failures := []struct {
		name string
		do   func(t *gocuda.Thread)
		want error // nil if it is no failure
		text string
		cfg  func(cfg *grid.Config)
		ends bool // the context is done meanwhile
	}{
		{name: "none", do: func(*gocuda.Thread) {}},
		{name: "panic", do: func(*gocuda.Thread) { panic(boom) }, want: boom},
		{name: "goexit", do: func(*gocuda.Thread) { runtime.Goexit() }, text: "Goexit"},
		{name: "deadlock", do: func(t *gocuda.Thread) { t.SyncWarp(gocuda.FullMask); t.BarSync(3, 64) }, want: gocuda.ErrBarrierDeadlock},
		{name: "timeout", do: forever, want: gocuda.ErrLaunchTimeout, cfg: func(cfg *grid.Config) { cfg.Timeout = 2 * soon }},
		{name: "cancel", do: forever, want: boom, ends: true},
		{name: "child panics", do: func(t *gocuda.Thread) {
			check(t.LaunchFunc(grid.Linear(3, 1), func(t *gocuda.Thread) { panic(boom) }))
		}, want: boom},
		{name: "child exits", do: func(t *gocuda.Thread) {
			check(t.LaunchOn(gocuda.StreamTailLaunch(), oneThread, gocuda.ThreadFunc(func(t *gocuda.Thread) { runtime.Goexit() })))
		}, text: "Goexit"},
		{name: "child times out", do: func(t *gocuda.Thread) {
			cfg := grid.Linear(2, 1)
			cfg.Timeout = soon
			check(t.LaunchOn(gocuda.StreamFireAndForget(), cfg, gocuda.ThreadFunc(forever)))
		}, want: gocuda.ErrLaunchTimeout},
		{name: "time is up in a child", do: func(t *gocuda.Thread) { check(t.LaunchFunc(grid.Linear(2, 1), forever)) },
			want: gocuda.ErrLaunchTimeout, cfg: func(cfg *grid.Config) { cfg.Timeout = 2 * soon }},
		{name: "cancelled in a child", do: func(t *gocuda.Thread) { check(t.LaunchFunc(grid.Linear(2, 1), forever)) }, want: boom, ends: true},
		{name: "child panics while parent waits", do: func(t *gocuda.Thread) {
			check(t.LaunchFunc(oneThread, func(t *gocuda.Thread) { panic(boom) }))
			forever(t)
		}, want: boom},
	}
	kernels := map[string]func(last func(*gocuda.Thread)) gocuda.Kernel{
		"threads": func(last func(*gocuda.Thread)) gocuda.Kernel {
			return gocuda.ThreadFunc(func(t *gocuda.Thread) {
				t.Wait(t.Arrive())
				if t.Cooperative() {
					t.SyncGrid()
				}
				if t.BlockIdx.X == t.GridDim.X-1 && t.Rank() == 1 {
					last(t)
				}
				if t.Cooperative() {
					t.SyncGrid()
				}
				t.SyncThreads()
			})
		},
		"phases": func(last func(*gocuda.Thread)) gocuda.Kernel {
			return gocuda.BlockFunc(func(b *gocuda.Block) {
				b.ForEach(func(*gocuda.Thread) {})
				b.Threads(func(t *gocuda.Thread) {
					if t.BlockIdx.X == t.GridDim.X-1 && t.Rank() == 1 {
						last(t)
					}
				})
				b.Warps(func(w *gocuda.Warp) { w.SyncThreads() })
			})
		},
		"children": func(last func(*gocuda.Thread)) gocuda.Kernel {
			return gocuda.ThreadFunc(func(t *gocuda.Thread) {
				if t.Rank() == 0 {
					check(t.LaunchFunc(grid.Linear(4, 2), func(t *gocuda.Thread) {
						t.SyncThreads()
						if t.GlobalX() == 3 {
							last(t)
						}
						t.SyncThreads()
					}))
				}
			})
		},
	}
	graph := func(capture func(s *gocuda.Stream) error) func(context.Context, *gocuda.Stream) error {
		return func(ctx context.Context, s *gocuda.Stream) error {
			if err := s.BeginCapture(gocuda.CaptureModeGlobal); err != nil {
				return err
			}
			err := capture(s)
			g, end := s.EndCapture()
			if err != nil || end != nil {
				return errors.Join(err, end)
			}
			x, err := g.Instantiate()
			if err != nil {
				return err
			}
			return x.LaunchContext(ctx, s)
		}
	}
	type way func(ctx context.Context, dev *gocuda.Device, cfg grid.Config, k gocuda.Kernel) error
	queued := func(queue func(ctx context.Context, s *gocuda.Stream, cfg grid.Config, k gocuda.Kernel) error) way {
		return func(ctx context.Context, dev *gocuda.Device, cfg grid.Config, k gocuda.Kernel) error {
			s := dev.NewStreamWithPriority(-1)
			defer s.Close()
			after := false
			if err := queue(ctx, s, cfg, k); err != nil {
				return err
			}
			if err := s.AddCallback(func() { after = true }); err != nil {
				return err // it has failed already
			}
			err := s.Synchronize(context.Background())
			if after != (err == nil) {
				return fmt.Errorf("what is queued behind ran: %v; %w", after, err)
			}
			return err
		}
	}
	ways := map[string]way{
		"launch": func(ctx context.Context, dev *gocuda.Device, cfg grid.Config, k gocuda.Kernel) error {
			return dev.Launch(ctx, cfg, k)
		},
		"cooperative": func(ctx context.Context, dev *gocuda.Device, cfg grid.Config, k gocuda.Kernel) error {
			return dev.LaunchCooperative(ctx, cfg, k)
		},
		"child": func(ctx context.Context, dev *gocuda.Device, cfg grid.Config, k gocuda.Kernel) error {
			return dev.LaunchFunc(ctx, oneThread, func(t *gocuda.Thread) { check(t.Launch(cfg, k)) })
		},
		"stream": queued(func(ctx context.Context, s *gocuda.Stream, cfg grid.Config, k gocuda.Kernel) error {
			return s.LaunchContext(ctx, cfg, k)
		}),
		"cooperative in a stream": queued(func(ctx context.Context, s *gocuda.Stream, cfg grid.Config, k gocuda.Kernel) error {
			return s.LaunchCooperative(ctx, cfg, k)
		}),
		"graph": queued(func(ctx context.Context, s *gocuda.Stream, cfg grid.Config, k gocuda.Kernel) error {
			return graph(func(s *gocuda.Stream) error { return s.Launch(cfg, k) })(ctx, s)
		}),
		"cooperative in a graph": queued(func(ctx context.Context, s *gocuda.Stream, cfg grid.Config, k gocuda.Kernel) error {
			return graph(func(s *gocuda.Stream) error { return s.LaunchCooperative(ctx, cfg, k) })(context.Background(), s)
		}),
		"two branches": queued(func(ctx context.Context, s *gocuda.Stream, cfg grid.Config, k gocuda.Kernel) error {
			other, fork, join := s.Device().NewStream(), s.Device().NewEvent(), s.Device().NewEvent()
			return graph(func(s *gocuda.Stream) error {
				return errors.Join(s.Record(fork), other.Wait(fork), other.LaunchCooperative(context.Background(), cfg, k),
					s.Launch(cfg, k), other.Record(join), s.Wait(join))
			})(ctx, s)
		}),
	}
	options := map[string][]gocuda.Option{
		"one worker":      {gocuda.WithWorkers(1)},
		"three":           {gocuda.WithWorkers(3)},
		"checked":         {gocuda.WithChecked(true), gocuda.WithWorkers(2)},
		"goroutines":      {gocuda.WithExecutor(gocuda.ExecutorGoroutine), gocuda.WithWorkers(1)},
		"blocks shuffled": {gocuda.WithBlockOrder(gocuda.ShuffledOrder(7))},
	}
	for optName, opts := range options {
		dev, err := gocuda.NewDevice(append(opts, gocuda.WithGeneration(gocuda.Volta))...)
		require.NoError(t, err)
		for wayName, way := range ways {
			for kernelName, kernel := range kernels {
				for _, f := range failures {
					if strings.HasPrefix(f.name, "deadlock") && kernelName == "phases" {
						continue // threads that have returned make it none
					}
					name := strings.Join([]string{optName, wayName, kernelName, f.name}, ", ")
					ctx, cancel := context.WithCancelCause(context.Background())
					cfg := grid.Linear(12, 4)
					if f.cfg != nil {
						f.cfg(&cfg)
					}
					var reached int32
					k := kernel(func(t *gocuda.Thread) {
						atomic.Add(&reached, 1)
						if f.ends {
							cancel(boom)
						}
						f.do(t)
					})
					var err error
					finishes(t, name, func() { err = way(ctx, dev, cfg, k) })
					fails := f.want != nil || f.text != ""
					if !fails {
						assert.NoError(t, err, name)
						assert.NotZero(t, reached, "%s: threads", name)
					}
					if f.want != nil {
						assert.ErrorIs(t, err, f.want, name)
					}
					if f.text != "" {
						assert.ErrorContains(t, err, f.text, name)
					}
					cancel(nil)
					n := int32(0)
					finishes(t, name+", and then a launch", func() {
						err = dev.LaunchFunc(context.Background(), grid.Linear(8, 2), func(*gocuda.Thread) { atomic.Add(&n, 1) })
					})
					require.NoError(t, err, "%s: afterwards", name)
					require.Equal(t, int32(8), n, "%s: threads afterwards", name)
				}
			}
		}
		finishes(t, "Close", func() { assert.NoError(t, dev.Close()) })
	}
	eventually(t, "no goroutines are left", func() bool { return runtime.NumGoroutine() <= before })
}

// Close waits for what the kernels of a cooperative launch leave for the end, too.
func TestCloseWaitsForTheTailsOfACooperativeLaunch(t *testing.T) {
	for _, e := range executors {
		dev, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.Volta), gocuda.WithExecutor(e))
		require.NoError(t, err)
		begun, result := make(chan struct{}), make(chan error, 1)
		var over int32
		go func() {
			result <- dev.LaunchCooperative(context.Background(), grid.Linear(8, 2), gocuda.ThreadFunc(func(t *gocuda.Thread) {
				t.SyncGrid()
				if t.GlobalX() == 5 {
					check(t.LaunchOn(gocuda.StreamTailLaunch(), oneThread, gocuda.ThreadFunc(func(t *gocuda.Thread) {
						t.Nanosleep(20 * time.Millisecond)
						atomic.Exch(&over, 1)
					})))
					close(begun)
				}
				t.SyncGrid()
			}))
		}()
		select {
		case <-begun:
		case err := <-result:
			t.Fatal(err)
		}
		finishes(t, "Close", func() { assert.NoError(t, dev.Close()) })
		assert.Equal(t, int32(1), atomic.Add(&over, 0), "%v: a child still runs", e)
		finishes(t, "the launch", func() { assert.NoError(t, <-result) })
	}
}
