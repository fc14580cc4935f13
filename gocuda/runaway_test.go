package gocuda_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
)

// Kernels that can't be stopped: they wait for the host, which has other plans. Time is that of a
// bubble: it passes only when all wait, and then at once.

var errEnough = errors.New("enough")

// A gate is what kernels wait at until it is opened. It counts who has come.
type gate struct {
	open chan struct{}
	came atomic.Int32
}

func newGate() *gate { return &gate{open: make(chan struct{})} }

func (g *gate) wait() {
	g.came.Add(1)
	above()
	<-g.open
}

// stuckKernels are kernels of which block 1 waits at a gate.
func stuckKernels(g *gate) map[string]gocuda.Kernel {
	thread := func(t *gocuda.Thread) {
		if t.BlockIdx.X == 1 && t.Rank() == 5 {
			g.wait()
		}
		t.SyncThreads()
	}
	kernels := map[string]gocuda.Kernel{
		"thread": gocuda.ThreadFunc(thread),
		"thread after a barrier": gocuda.ThreadFunc(func(t *gocuda.Thread) {
			t.SyncThreads()
			thread(t)
		}),
		"warp": gocuda.WarpFunc(func(w *gocuda.Warp) {
			if w.BlockIdx.X == 1 && w.WarpID() == 1 {
				g.wait()
			}
			w.SyncThreads()
		}),
		"block": gocuda.BlockFunc(func(b *gocuda.Block) {
			if b.BlockIdx.X == 1 {
				g.wait()
			}
		}),
		"ForEach": gocuda.BlockFunc(func(b *gocuda.Block) {
			b.ForEach(func(t *gocuda.Thread) {
				if b.BlockIdx.X == 1 && t.Rank() == 5 {
					g.wait()
				}
			})
		}),
	}
	for name, traits := range map[string]rt.Traits{"compiled": 0, "compiled, calling": rt.CompiledCalling} {
		kernels[name] = compiledOf(traits, thread, func(b *gocuda.Block, p *rt.Phases) {
			for p.Next() {
				if b.BlockIdx.X == 1 {
					g.wait()
				}
			}
		})
	}
	return kernels
}

// inBubble runs f in a bubble with a device, for each executor.
func inBubble(t *testing.T, f func(t *testing.T, dev *gocuda.Device), opts ...gocuda.Option) {
	t.Helper()
	for _, e := range executors {
		t.Run(e.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dev, err := gocuda.NewDevice(append([]gocuda.Option{gocuda.WithExecutor(e), gocuda.WithWorkers(2)}, opts...)...)
				require.NoError(t, err)
				f(t, dev)
			})
		})
	}
}

// isRunaway checks the error of a launch of which one block was at the gate, and waits for the end
// of that.
func isRunaway(t *testing.T, dev *gocuda.Device, err error, g *gate, block grid.Dim3) {
	t.Helper()
	var e *gocuda.RunawayError
	require.ErrorAs(t, err, &e)
	assert.ErrorIs(t, err, gocuda.ErrRunaway)
	require.Len(t, e.Blocks, 1)
	b := e.Blocks[0]
	assert.Equal(t, block, b.BlockIdx)
	assert.NotEmpty(t, b.Kernel)
	assert.Equal(t, "runaway_test.go", filepath.Base(b.File))
	assert.EqualValues(t, failsAt.Load(), b.Line)
	assert.Contains(t, err.Error(), "still running: kernel "+b.Kernel+" (runaway_test.go:")
	assert.Equal(t, e.Blocks, dev.Runaways())

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnough)
	assert.ErrorIs(t, e.Wait(ctx), errEnough)
	if g == nil {
		return
	}
	close(g.open)
	require.NoError(t, e.Wait(t.Context()))
	synctest.Wait()
	assert.Empty(t, dev.Runaways())
}

// A launch whose kernel can't be stopped is given up 100 ms after its context is done, or its time
// is up, and says what still runs. What is launched next is not in the way of that.
func TestLaunchIsGivenUp(t *testing.T) {
	for name := range stuckKernels(newGate()) {
		for _, timeout := range []bool{false, true} {
			what := name + ", cancelled"
			if timeout {
				what = name + ", timeout"
			}
			t.Run(what, func(t *testing.T) {
				inBubble(t, func(t *testing.T, dev *gocuda.Device) {
					g := newGate()
					ctx, cfg, want := t.Context(), grid.Linear(5*64, 64), error(gocuda.ErrLaunchTimeout)
					if timeout {
						cfg.Timeout = time.Second
					} else {
						c, cancel := context.WithCancelCause(ctx)
						time.AfterFunc(time.Second, func() { cancel(errEnough) })
						ctx, want = c, errEnough
					}
					start := time.Now()
					err := dev.Launch(ctx, cfg, stuckKernels(g)[name])
					assert.Equal(t, 1100*time.Millisecond, time.Since(start))
					assert.ErrorIs(t, err, want)
					if te := new(gocuda.TimeoutError); timeout && assert.ErrorAs(t, err, &te) {
						assert.Empty(t, te.Stopped)
						assert.LessOrEqual(t, te.Pending, 3)
					}
					runsAsEver(t, dev)
					isRunaway(t, dev, err, g, grid.Dim3{X: 1})
					runsAsEver(t, dev)
					assert.NoError(t, dev.Close())
				})
			})
		}
	}
}

// runsAsEver runs kernels that need the width of the device: two blocks that wait for each other.
func runsAsEver(t *testing.T, dev *gocuda.Device) {
	t.Helper()
	meet := make(chan struct{})
	sum := make([]int, 128)
	require.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(len(sum), 64), func(t *gocuda.Thread) {
		s := gocuda.Shared[int](t, 64)
		s[t.Rank()] = t.GlobalX()
		t.SyncThreads()
		if t.Rank() == 0 {
			if t.BlockIdx.X == 0 {
				meet <- struct{}{}
			} else {
				<-meet
			}
		}
		t.SyncThreads()
		sum[t.GlobalX()] = s[63-t.Rank()]
	}))
	for i := range sum {
		require.Equal(t, i/64*64+63-i%64, sum[i])
	}
}

// A kernel that ends within the time of grace is not given up: one that stops at a barrier is
// cancelled, and one that comes to its end has succeeded.
func TestGrace(t *testing.T) {
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		for _, barrier := range []bool{false, true} {
			ctx, cancel := context.WithCancelCause(t.Context())
			err := dev.LaunchFunc(ctx, grid.Linear(1, 1), func(t *gocuda.Thread) {
				cancel(errEnough)
				time.Sleep(99 * time.Millisecond)
				if barrier {
					t.SyncThreads()
				}
			})
			assert.NotErrorIs(t, err, gocuda.ErrRunaway)
			if barrier {
				assert.ErrorIs(t, err, errEnough)
			} else {
				assert.NoError(t, err)
			}
		}
		assert.NoError(t, dev.Close())
	})
}

// Blocks that stop are not among those that run on.
func TestRunawayBesideOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		g := newGate()
		cfg := grid.Linear(4*32, 32)
		cfg.Timeout = time.Second
		err := dev.LaunchFunc(t.Context(), cfg, func(t *gocuda.Thread) {
			if t.GlobalX() == 3*32 {
				g.wait()
			}
			for {
				t.Nanosleep(time.Millisecond)
			}
		})
		var te *gocuda.TimeoutError
		require.ErrorAs(t, err, &te)
		assert.Equal(t, []grid.Dim3{{}, {X: 1}, {X: 2}}, te.Stopped)
		assert.Zero(t, te.Pending)
		assert.Contains(t, err.Error(), "blocks (0,0,0), (1,0,0) and (2,0,0) were stopped (")
		assert.Contains(t, err.Error(), "); still running: kernel ")
		isRunaway(t, dev, err, g, grid.Dim3{X: 3})
		assert.NoError(t, dev.Close())
	}, gocuda.WithWorkers(4))
}

// The first error stays the launch's, if a block has failed before the launch is given up.
func TestRunawayAfterAFailure(t *testing.T) {
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		g := newGate()
		cfg := grid.Linear(2, 1)
		cfg.Timeout = time.Second
		begun := make(chan struct{})
		err := dev.LaunchFunc(t.Context(), cfg, func(t *gocuda.Thread) {
			if t.BlockIdx.X == 1 {
				close(begun)
				g.wait()
			}
			<-begun
			panic(errEnough)
		})
		assert.ErrorIs(t, err, errEnough)
		assert.NotErrorIs(t, err, gocuda.ErrLaunchTimeout)
		isRunaway(t, dev, err, g, grid.Dim3{X: 1})
		assert.NoError(t, dev.Close())
	})
}

// The stream of such a launch is lost until its blocks have ended: work of it fails at once.
func TestStreamOfARunawayIsLost(t *testing.T) {
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		g := newGate()
		s, other, mark := dev.NewStream(), dev.NewStream(), dev.NewEvent()
		cfg := grid.Linear(2*32, 32)
		cfg.Timeout = time.Second
		require.NoError(t, s.Launch(cfg, stuckKernels(g)["thread"]))
		require.NoError(t, s.AddCallback(func() { t.Error("work behind the launch ran") }))
		require.NoError(t, s.Record(mark))
		require.NoError(t, other.Wait(mark))
		err := s.Synchronize(t.Context())
		assert.ErrorIs(t, err, gocuda.ErrLaunchTimeout)
		assert.Contains(t, err.Error(), "the stream is lost")
		for what, err := range map[string]error{
			"Launch": s.Launch(cfg, stuckKernels(g)["thread"]), "AddCallback": s.AddCallback(func() {}), "Record": s.Record(mark),
			"Err": s.Err(), "Synchronize": s.Synchronize(t.Context()), "Reset": s.Reset(), "Reset again": s.Reset(),
			"mark": mark.Synchronize(t.Context()), "other": other.Synchronize(t.Context()), "device": dev.Synchronize(t.Context()),
		} {
			assert.ErrorIs(t, err, gocuda.ErrRunaway, what)
		}
		runsAsEver(t, dev)
		isRunaway(t, dev, err, g, grid.Dim3{X: 1})
		assert.ErrorIs(t, s.Reset(), gocuda.ErrRunaway)
		require.NoError(t, s.Launch(cfg, stuckKernels(g)["thread"]))
		assert.NoError(t, s.Synchronize(t.Context()))
		assert.ErrorIs(t, other.Reset(), gocuda.ErrRunaway)
		assert.NoError(t, dev.Synchronize(t.Context()))
		assert.NoError(t, dev.Close())
	})
}

// A graph with such a kernel fails, and can be launched in another stream.
func TestRunawayInAGraph(t *testing.T) {
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		gates := []*gate{newGate(), newGate()}
		var round atomic.Int32
		g := dev.NewGraph()
		cfg := grid.Linear(2*32, 32)
		before, err := g.AddHostNode(nil, func() error { return nil })
		require.NoError(t, err)
		stuck, err := g.AddKernelNode([]*gocuda.GraphNode{before}, cfg, gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.GlobalX() == 32 {
				gates[round.Load()].wait()
			}
		}))
		require.NoError(t, err)
		ran := 0
		_, err = g.AddHostNode([]*gocuda.GraphNode{stuck}, func() error { ran++; return nil })
		require.NoError(t, err)
		x, err := g.Instantiate()
		require.NoError(t, err)
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errEnough)
		defer cancel()
		s, other := dev.NewStream(), dev.NewStream()
		require.NoError(t, x.LaunchContext(ctx, s))
		err = s.Synchronize(t.Context())
		assert.ErrorIs(t, err, errEnough)
		assert.Zero(t, ran)

		round.Store(1)
		close(gates[1].open)
		require.NoError(t, x.Launch(other))
		require.NoError(t, other.Synchronize(t.Context()))
		assert.Equal(t, 1, ran)

		isRunaway(t, dev, err, gates[0], grid.Dim3{X: 1})
		assert.NoError(t, dev.Close())
	})
}

// Each block of a cooperative launch has a worker: those that wait for the one that runs away stop.
func TestRunawayInACooperativeLaunch(t *testing.T) {
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		g := newGate()
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errEnough)
		defer cancel()
		err := dev.LaunchCooperativeFunc(ctx, grid.Linear(4*32, 32), func(t *gocuda.Thread) {
			if t.GlobalX() == 2*32 {
				g.wait()
			}
			t.SyncGrid()
		})
		assert.ErrorIs(t, err, errEnough)
		runsAsEver(t, dev)
		isRunaway(t, dev, err, g, grid.Dim3{X: 2})
		assert.NoError(t, dev.Close())
	}, gocuda.WithGeneration(gocuda.Hopper))
}

// The children of a launch are given up with it. A child with a timeout is given up by itself.
func TestRunawayChildren(t *testing.T) {
	for _, deep := range []bool{false, true} {
		for _, own := range []bool{false, true} {
			inBubble(t, func(t *testing.T, dev *gocuda.Device) {
				g := newGate()
				ctx, want := context.Background(), error(gocuda.ErrLaunchTimeout)
				childCfg := grid.Linear(2*32, 32)
				if own {
					childCfg.Timeout = time.Second
				} else {
					c, cancel := context.WithTimeoutCause(ctx, time.Second, errEnough)
					defer cancel()
					ctx, want = c, errEnough
				}
				child := func(t *gocuda.Thread) error { return t.Launch(childCfg, stuckKernels(g)["thread"]) }
				err := dev.LaunchFunc(ctx, grid.Linear(3, 1), func(t *gocuda.Thread) {
					if t.BlockIdx.X > 0 {
						return
					}
					launch := child
					if deep {
						launch = func(t *gocuda.Thread) error {
							return t.LaunchFunc(grid.Linear(1, 1), func(t *gocuda.Thread) {
								if err := child(t); err != nil {
									panic(err)
								}
							})
						}
					}
					if err := launch(t); err != nil {
						panic(err)
					}
				})
				assert.ErrorIs(t, err, want)
				runsAsEver(t, dev)
				isRunaway(t, dev, err, g, grid.Dim3{X: 1})
				runsAsEver(t, dev)
				assert.NoError(t, dev.Close())
			})
		}
	}
}

// Close does not wait for what may never end, and says so.
func TestCloseWithRunaways(t *testing.T) {
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		g := newGate()
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errEnough)
		defer cancel()
		assert.ErrorIs(t, dev.Launch(ctx, grid.Linear(2*32, 32), stuckKernels(g)["thread"]), gocuda.ErrRunaway)
		err := dev.Close()
		assert.NotErrorIs(t, err, errEnough)
		isRunaway(t, dev, err, g, grid.Dim3{X: 1})
		assert.ErrorIs(t, dev.Close(), gocuda.ErrInvalidResourceHandle)
	})
}

// Close is called while a launch is under way that is then given up.
func TestCloseWhileALaunchIsGivenUp(t *testing.T) {
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		g := newGate()
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errEnough)
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() {
			assert.ErrorIs(t, dev.Launch(ctx, grid.Linear(2*32, 32), stuckKernels(g)["thread"]), errEnough)
		})
		synctest.Wait()
		err := dev.Close()
		wg.Wait()
		isRunaway(t, dev, err, g, grid.Dim3{X: 1})
	})
}

// widthOf returns how many blocks of a launch run at the same time.
func widthOf(t *testing.T, dev *gocuda.Device, blocks int) int {
	g := newGate()
	var wg sync.WaitGroup
	wg.Go(func() {
		assert.NoError(t, dev.LaunchFunc(context.Background(), grid.Linear(blocks, 1), func(*gocuda.Thread) { g.wait() }))
	})
	synctest.Wait()
	n := int(g.came.Load())
	close(g.open)
	wg.Wait()
	return n
}

// A device replaces the workers that it has lost, up to a bound; and it has no more than so many.
func TestLostWorkersAreReplaced(t *testing.T) {
	if raceMode {
		t.Skip("launches wait for runaway blocks for a while")
	}
	const workers = 70
	inBubble(t, func(t *testing.T, dev *gocuda.Device) {
		assert.Equal(t, workers, widthOf(t, dev, 2*workers))
		g := newGate()
		var errs []error
		launch := func(cooperative bool, blocks int) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errEnough)
			defer cancel()
			f := dev.LaunchFunc
			if cooperative {
				f = dev.LaunchCooperativeFunc
			}
			errs = append(errs, f(ctx, grid.Linear(blocks, 1), func(*gocuda.Thread) { g.wait() }))
		}
		launch(false, 11)
		assert.Equal(t, workers, widthOf(t, dev, 2*workers))
		launch(false, workers)
		assert.Equal(t, workers-10-(workers-1)+64, widthOf(t, dev, 2*workers))
		assert.Len(t, dev.Runaways(), 11+workers)
		if !raceMode { // it is some thousands of goroutines
			launch(true, 1024-11-workers)
			assert.Len(t, dev.Runaways(), 1024)
			err := dev.LaunchFunc(t.Context(), grid.Linear(1, 1), func(*gocuda.Thread) {})
			assert.ErrorIs(t, err, gocuda.ErrRunaway)
		}
		for _, err := range errs {
			assert.ErrorIs(t, err, errEnough)
		}
		close(g.open)
		for _, err := range errs {
			var e *gocuda.RunawayError
			require.ErrorAs(t, err, &e)
			require.NoError(t, e.Wait(t.Context()))
		}
		synctest.Wait()
		assert.Empty(t, dev.Runaways())
		assert.Equal(t, workers, widthOf(t, dev, 2*workers))
		assert.NoError(t, dev.Close())
	}, gocuda.WithWorkers(workers), gocuda.WithGeneration(gocuda.Hopper))
}

// What runaway blocks have written comes before what follows Wait; the race detector reports it if
// it does not.
func TestWaitOrdersRunaways(t *testing.T) {
	for _, children := range []bool{false, true} {
		inBubble(t, func(t *testing.T, dev *gocuda.Device) {
			g := newGate()
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errEnough)
			defer cancel()
			data, cfg := make([]int, 64), grid.Linear(64, 32)
			kernel := func(t *gocuda.Thread) {
				g.wait()
				data[t.GlobalX()] = t.GlobalX()
			}
			top := kernel
			if children {
				top = func(t *gocuda.Thread) {
					if t.GlobalX() == 0 {
						t.Assert(t.LaunchFunc(cfg, kernel) == nil)
					}
				}
			}
			err := dev.LaunchFunc(ctx, cfg, top)
			var e *gocuda.RunawayError
			require.ErrorAs(t, err, &e)
			assert.Len(t, e.Blocks, 2)
			close(g.open)
			require.NoError(t, e.Wait(t.Context()))
			for i := range data {
				if !raceMode || data[i] != 0 { // there, strands that have not begun when the launch is cancelled never do
					assert.Equal(t, i, data[i])
				}
				data[i] = 0
			}
			assert.NoError(t, dev.Close())
		})
	}
}

// A kernel that computes for ever is given up as well, and found.
func TestEndlessLoop(t *testing.T) {
	for _, e := range executors {
		t.Run(e.String(), func(t *testing.T) {
			dev, err := gocuda.NewDevice(gocuda.WithExecutor(e), gocuda.WithWorkers(2))
			require.NoError(t, err)
			var stop atomic.Bool
			ctx, cancel := context.WithTimeout(t.Context(), soon)
			defer cancel()
			finishes(t, "the launch", func() {
				err = dev.LaunchFunc(ctx, grid.Linear(4, 2), func(t *gocuda.Thread) {
					for above(); t.GlobalX() == 2; {
						if stop.Load() {
							return
						}
					}
				})
			})
			stop.Store(true)
			var re *gocuda.RunawayError
			require.ErrorAs(t, err, &re)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			require.Len(t, re.Blocks, 1)
			assert.Equal(t, grid.Dim3{X: 1}, re.Blocks[0].BlockIdx)
			assert.Equal(t, "runaway_test.go", filepath.Base(re.Blocks[0].File))
			assert.InDelta(t, failsAt.Load(), re.Blocks[0].Line, 1)
			finishes(t, "the block", func() { assert.NoError(t, re.Wait(t.Context())) })
			eventually(t, "no runaways", func() bool { return len(dev.Runaways()) == 0 })
			finishes(t, "Close", func() { assert.NoError(t, dev.Close()) })
		})
	}
}

// A compiled kernel that polls ends, on a worker and on the goroutine of its caller.
func TestPoll(t *testing.T) {
	if raceMode {
		t.Skip("compiled kernels run their source")
	}
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(2))
	require.NoError(t, err)
	for _, traits := range []rt.Traits{0, rt.CompiledCalling, rt.CompiledEnding} {
		for _, timeout := range []bool{false, true} {
			var rounds, deferred int
			k := compiledOf(traits, nil, func(b *gocuda.Block, p *rt.Phases) {
				for p.Next() {
					func() {
						defer func() { deferred++ }()
						for b.BlockIdx.X == 0 {
							rounds++
							p.Poll()
						}
					}()
				}
			})
			ctx, cfg, want := context.Background(), grid.Linear(1, 1), error(gocuda.ErrLaunchTimeout)
			if timeout {
				cfg.Timeout = soon
			} else {
				c, cancel := context.WithTimeoutCause(ctx, soon, errEnough)
				defer cancel()
				ctx, want = c, errEnough
			}
			finishes(t, "the launch", func() { err = dev.Launch(ctx, cfg, k) })
			assert.ErrorIs(t, err, want)
			assert.NotErrorIs(t, err, gocuda.ErrRunaway)
			assert.Positive(t, rounds)
			assert.Equal(t, 1, deferred)
		}
	}
	// Nobody asks it to stop.
	n := 0
	must(t, dev.Launch(context.Background(), grid.Linear(1, 1), compiledOf(0, nil, func(b *gocuda.Block, p *rt.Phases) {
		for p.Next() {
			for range 1000 {
				p.Poll()
				n++
			}
		}
	})))
	assert.Equal(t, 1000, n)
	must(t, dev.Close())
}
