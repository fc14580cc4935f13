package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
)

func launch(t testing.TB, dev *gocuda.Device, cfg grid.Config, k func(*gocuda.Thread)) (err error) {
	t.Helper()
	finishes(t, "Launch", func() { err = dev.LaunchFunc(context.Background(), cfg, k) })
	return err
}

// check makes an error of a launch the kernel's.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// A tree of grids: each node launches two children. When the host's launch returns all have run.
func TestLaunchReturnsAfterAllDescendants(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		var nodes int64
		var node func(depth int) func(*gocuda.Thread)
		node = func(depth int) func(*gocuda.Thread) {
			return func(t *gocuda.Thread) {
				atomic.Add(&nodes, 1)
				if depth > 0 && t.Rank() < 2 {
					check(t.LaunchFunc(grid.Linear(4, 2), node(depth-1)))
				}
			}
		}
		for depth := range 5 {
			nodes = 0
			require.NoError(t, launch(t, dev, grid.Linear(2, 2), node(depth)))
			// 2 threads launch, in each of 1 block at the top and 2 below: grids 1, 2, 2*4, 2*4*4
			// and so on.
			want, grids := int64(2), int64(2)
			for d := range depth {
				if d > 0 {
					grids *= 4
				}
				want += grids * 4
			}
			assert.Equal(t, want, nodes, "depth %d", depth)
		}
	}, gocuda.WithWorkers(2))
}

// Quicksort with a grid for each part, as every text on dynamic parallelism has it.
func TestNestedQuicksort(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		x := make([]int, 500)
		for i := range x {
			x[i] = i * 7919 % 503
		}
		want := slices.Sorted(slices.Values(x))
		var sort func(x []int) func(*gocuda.Thread)
		sort = func(x []int) func(*gocuda.Thread) {
			return func(t *gocuda.Thread) {
				if len(x) < 2 {
					return
				}
				if len(x) < 30 {
					slices.Sort(x)
					return
				}
				slices.SortFunc(x[:3], func(a, b int) int { return a - b })
				x[0], x[1] = x[1], x[0]
				m := 0
				for i := 1; i < len(x); i++ {
					if x[i] < x[0] {
						m++
						x[m], x[i] = x[i], x[m]
					}
				}
				x[0], x[m] = x[m], x[0]
				check(t.LaunchOn(gocuda.StreamFireAndForget(), oneThread, gocuda.ThreadFunc(sort(x[:m]))))
				check(t.LaunchOn(t.NewStream(), oneThread, gocuda.ThreadFunc(sort(x[m+1:]))))
			}
		}
		require.NoError(t, launch(t, dev, oneThread, sort(x)))
		slicetest.Equal(t, want, x)
	})
}

// The launches of a block run in order, whichever of its threads made them, and each after the one
// before with all its children.
func TestBlocksDefaultStreamIsInOrder(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		const blocks, launches = 5, 8
		var got [blocks][]int
		require.NoError(t, launch(t, dev, grid.Linear(blocks*launches, launches), func(t *gocuda.Thread) {
			for k := range launches {
				if t.Rank() == k {
					log := &got[t.BlockIdx.X]
					check(t.LaunchFunc(grid.Linear(3, 1), func(t *gocuda.Thread) {
						if t.BlockIdx.X != 1 {
							return
						}
						*log = append(*log, 10*k)
						check(t.LaunchFunc(oneThread, func(*gocuda.Thread) { *log = append(*log, 10*k+1) }))
					}))
				}
				t.SyncThreads()
			}
		}))
		for b, log := range got {
			var want []int
			for k := range launches {
				want = append(want, 10*k, 10*k+1)
			}
			slicetest.Equal(t, want, log, "block %d", b)
		}
	})
}

// Streams of one block overlap: the children wait for each other.
func TestDeviceStreamsOverlap(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for name, stream := range map[string]func(*gocuda.Thread) gocuda.DeviceStream{
			"streams":         (*gocuda.Thread).NewStream,
			"fire and forget": func(*gocuda.Thread) gocuda.DeviceStream { return gocuda.StreamFireAndForget() },
		} {
			var all sync.WaitGroup
			all.Add(6)
			require.NoError(t, launch(t, dev, oneThread, func(t *gocuda.Thread) {
				for range 6 {
					check(t.LaunchOn(stream(t), oneThread, gocuda.ThreadFunc(func(*gocuda.Thread) {
						all.Done()
						all.Wait()
					})))
				}
			}))
			_ = name
		}
	}, gocuda.WithWorkers(1))
}

// Tail launches begin after all else, in order, with their own families, and the parent's next one
// after them.
func TestTailLaunches(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		var log []string
		var others int64
		tail := func(name string, nested bool) gocuda.Kernel {
			return gocuda.ThreadFunc(func(t *gocuda.Thread) {
				log = append(log, fmt.Sprintf("%s after %d", name, others))
				if nested {
					check(t.LaunchOn(gocuda.StreamTailLaunch(), oneThread, gocuda.ThreadFunc(func(*gocuda.Thread) {
						log = append(log, name+"'s tail")
					})))
					check(t.LaunchFunc(oneThread, func(*gocuda.Thread) { log = append(log, name+"'s child") }))
				}
			})
		}
		require.NoError(t, launch(t, dev, oneThread, func(t *gocuda.Thread) {
			check(t.LaunchOn(gocuda.StreamTailLaunch(), oneThread, tail("first", true)))
			check(t.LaunchOn(gocuda.StreamTailLaunch(), oneThread, tail("second", false)))
			for range 3 {
				check(t.LaunchOn(gocuda.StreamFireAndForget(), grid.Linear(20, 5), gocuda.ThreadFunc(func(*gocuda.Thread) {
					atomic.Add(&others, 1)
				})))
			}
		}))
		want := []string{"first after 60", "first's child", "first's tail", "second after 60"}
		slicetest.Equal(t, want, log)
	})
}

// 24 levels of children, and no more. CUDA: cudaErrorLaunchMaxDepthExceeded.
func TestNestingDepth(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		deepest := 0
		var errs [30]error
		var down func(depth int) func(*gocuda.Thread)
		down = func(depth int) func(*gocuda.Thread) {
			return func(t *gocuda.Thread) {
				deepest = depth
				errs[depth] = t.LaunchFunc(oneThread, down(depth+1))
			}
		}
		require.NoError(t, launch(t, dev, oneThread, down(0)))
		for depth, err := range errs[:24] {
			require.NoError(t, err, "depth %d", depth)
		}
		wantError(t, errs[24], gocuda.ErrLaunchMaxDepthExceeded)
		assert.Equal(t, 24, deepest, "depth")
		assert.Equal(t, 24, gocuda.MaxNestingDepth)
	})
}

// The limit counts launches that have not ended, those that wait in streams and for the end included.
func TestPendingLaunches(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		assert.Equal(t, 2048, dev.PendingLaunchLimit()) // the default in the CUDA C++ Programming Guide
		wantError(t, dev.SetPendingLaunchLimit(0), gocuda.ErrInvalidValue)
		wantError(t, (*gocuda.Device)(nil).SetPendingLaunchLimit(1), gocuda.ErrInvalidResourceHandle)
		for _, limit := range []int{2048, 7, 1} {
			require.NoError(t, dev.SetPendingLaunchLimit(limit))
			var ran int64
			made := 0
			var last error
			gate := make(chan struct{})
			require.NoError(t, launch(t, dev, oneThread, func(t *gocuda.Thread) {
				defer close(gate)
				for last == nil {
					stream := gocuda.StreamFireAndForget()
					switch made % 3 {
					case 1:
						stream = gocuda.DeviceStream{}
					case 2:
						stream = gocuda.StreamTailLaunch()
					}
					if last = t.LaunchOn(stream, oneThread, gocuda.ThreadFunc(func(*gocuda.Thread) {
						<-gate
						atomic.Add(&ran, 1)
					})); last == nil {
						made++
					}
				}
			}))
			wantError(t, last, gocuda.ErrLaunchPendingCountExceeded)
			assert.Equal(t, limit, made, "made")
			assert.Equal(t, int64(limit), ran, "ran")
		}
	})
}

func TestFailureOfAChildIsTheParents(t *testing.T) {
	boom := errors.New("boom")
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for name, stream := range map[string]gocuda.DeviceStream{
			"default": {}, "fire and forget": gocuda.StreamFireAndForget(), "tail": gocuda.StreamTailLaunch(),
		} {
			err := launch(t, dev, grid.Linear(6, 2), func(t *gocuda.Thread) {
				if t.GlobalX() != 3 {
					return
				}
				check(t.LaunchFunc(oneThread, func(t *gocuda.Thread) {
					check(t.LaunchOn(stream, grid.Linear(20, 10), gocuda.ThreadFunc(func(t *gocuda.Thread) {
						if t.GlobalX() == 17 {
							panic(boom)
						}
					})))
				}))
			})
			var failed *gocuda.KernelError
			assert.ErrorIs(t, err, boom, name)
			if !assert.ErrorAs(t, err, &failed, name) {
				continue
			}
			assert.Equal(t, [2]int{1, 7}, [2]int{failed.BlockIdx.X, failed.ThreadIdx.X}, "%s: block and thread", name)
			wantError(t, err, boom, "block (1,0,0) thread (1,0,0)") // who launched
		}
		assert.Error(t, launch(t, dev, oneThread, func(t *gocuda.Thread) {
			check(t.LaunchFunc(oneThread, func(t *gocuda.Thread) { runtime.Goexit() }))
		}), "Goexit of a child is no error")
		// The device is as before.
		stillRunsFamilies(t, dev)
	})
}

// stillRunsFamilies sees to it that dev still runs families.
func stillRunsFamilies(t *testing.T, dev *gocuda.Device) {
	t.Helper()
	ran := false
	require.NoError(t, launch(t, dev, oneThread, func(t *gocuda.Thread) {
		check(t.LaunchFunc(oneThread, func(*gocuda.Thread) { ran = true }))
	}))
	assert.True(t, ran, "a child did not run")
}

// When one grid fails the others of the family stop, and what waits in streams does not begin.
func TestFailureStopsTheFamily(t *testing.T) {
	boom := errors.New("boom")
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		var began int64
		err := launch(t, dev, grid.Linear(2, 1), func(t *gocuda.Thread) {
			if t.BlockIdx.X == 0 {
				check(t.LaunchFunc(grid.Linear(10, 10), func(t *gocuda.Thread) {
					for {
						t.SyncThreads()
					}
				}))
				for range 10 {
					if t.LaunchFunc(oneThread, func(t *gocuda.Thread) { atomic.Add(&began, 1) }) != nil {
						break
					}
				}
				return
			}
			panic(boom)
		})
		wantError(t, err, boom)
		assert.Zero(t, began)
	})
}

// A parent that looks for what its child was to write does not look forever.
func TestFailureOfAChildEndsItsParent(t *testing.T) {
	boom := errors.New("boom")
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		for name, wait := range map[string]func(*gocuda.Thread){
			"Nanosleep":   func(t *gocuda.Thread) { t.Nanosleep(time.Microsecond) },
			"SyncThreads": func(t *gocuda.Thread) { t.SyncThreads() },
		} {
			var flag int32
			err := launch(t, dev, grid.Linear(4, 2), func(t *gocuda.Thread) {
				if t.GlobalX() == 0 {
					check(t.LaunchFunc(oneThread, func(*gocuda.Thread) { panic(boom) }))
				}
				for atomic.Add(&flag, 0) == 0 {
					wait(t)
				}
			})
			assert.ErrorIs(t, err, boom, name)
		}
	})
}

func TestCancellationReachesChildren(t *testing.T) {
	cause := errors.New("enough")
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		ctx, cancel := context.WithCancelCause(context.Background())
		var err error
		finishes(t, "Launch", func() {
			err = dev.LaunchFunc(ctx, oneThread, func(t *gocuda.Thread) {
				check(t.LaunchFunc(oneThread, func(t *gocuda.Thread) {
					check(t.LaunchFunc(grid.Linear(8, 8), func(t *gocuda.Thread) {
						cancel(cause)
						for {
							t.SyncThreads()
						}
					}))
				}))
			})
		})
		wantError(t, err, cause)
		wantError(t, launch(t, dev, oneThread, func(t *gocuda.Thread) { panic(cause) }), cause)
	})
}

func TestMisuseOfNestedLaunches(t *testing.T) {
	nothing := func(*gocuda.Thread) {}
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		var errs [4]error
		var streams [2]gocuda.DeviceStream
		ran := 0
		require.NoError(t, launch(t, dev, oneThread, func(t *gocuda.Thread) {
			errs[0] = t.Launch(oneThread, nil)
			errs[1] = t.LaunchFunc(grid.Linear(2000, 2000), nothing)
			errs[2] = t.LaunchFunc(grid.Config{Block: grid.Dim3{X: 1}}, func(*gocuda.Thread) { ran++ }) // no blocks
			streams[0] = t.NewStream()
		}))
		require.NoError(t, launch(t, dev, oneThread, func(t *gocuda.Thread) {
			errs[3] = t.LaunchOn(streams[0], oneThread, gocuda.ThreadFunc(nothing))
		}))
		wantError(t, errs[0], gocuda.ErrInvalidDeviceFunction)
		wantError(t, errs[1], gocuda.ErrInvalidConfiguration)
		require.NoError(t, errs[2])
		wantError(t, errs[3], gocuda.ErrInvalidResourceHandle)
		assert.Zero(t, ran, "an empty grid ran")
	})
	for g, want := range map[gocuda.Generation]error{
		gocuda.Fermi: gocuda.ErrNotSupported, gocuda.GK104: gocuda.ErrNotSupported, gocuda.GK110: nil, gocuda.Hopper: nil,
	} {
		dev := openDevice(t, gocuda.WithGeneration(g))
		var err error
		require.NoError(t, launch(t, dev, oneThread, func(t *gocuda.Thread) { err = t.LaunchFunc(oneThread, nothing) }))
		assert.ErrorIs(t, err, want, g)
	}
}

// Parents that keep all workers busy don't keep their children from running.
func TestChildrenRunWhileParentsAreBusy(t *testing.T) {
	onExecutors(t, func(t *testing.T, dev *gocuda.Device) {
		require.NoError(t, launch(t, dev, grid.Linear(16, 1), func(t *gocuda.Thread) {
			done := make(chan struct{})
			check(t.LaunchFunc(oneThread, func(*gocuda.Thread) { close(done) }))
			<-done // CUDA promises no such thing
		}))
	}, gocuda.WithWorkers(1))
}

// Children of streams, of cooperative launches, of phases; and a device that is closed meanwhile.
func TestNestedLaunchesEverywhere(t *testing.T) {
	onLarge(t, func(t *testing.T, dev *gocuda.Device) {
		var n int64
		one := func(*gocuda.Thread) { atomic.Add(&n, 1) }
		s := dev.NewStream()
		require.NoError(t, s.LaunchFunc(oneThread, func(t *gocuda.Thread) { check(t.LaunchFunc(oneThread, one)) }))
		require.NoError(t, s.AddCallback(func() { n *= 10 }))
		require.NoError(t, synchronize(t, s))
		require.NoError(t, cooperate(t, dev, grid.Linear(4, 1), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			check(t.LaunchFunc(oneThread, one))
			t.SyncGrid()
		})))
		require.NoError(t, dev.Launch(context.Background(), grid.Linear(3, 3), gocuda.BlockFunc(func(b *gocuda.Block) {
			b.ForEach(func(t *gocuda.Thread) { check(t.LaunchFunc(oneThread, one)) })
		})))
		assert.Equal(t, int64(10+4+3), n)
	})
}

func TestNestedLaunchesLeaveNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, e := range executors {
		dev, err := gocuda.NewDevice(gocuda.WithExecutor(e))
		require.NoError(t, err)
		for k := range 3 {
			launch(t, dev, grid.Linear(20, 4), func(t *gocuda.Thread) {
				t.LaunchFunc(grid.Linear(4, 2), func(t *gocuda.Thread) {
					if k == 1 && t.GlobalX() == 3 {
						panic("one")
					}
					t.SyncThreads()
				})
				t.LaunchOn(gocuda.StreamTailLaunch(), oneThread, gocuda.ThreadFunc(func(t *gocuda.Thread) { t.SyncThreads() }))
			})
		}
		require.NoError(t, dev.Close())
	}
	eventually(t, "no goroutines are left", func() bool { return runtime.NumGoroutine() <= before })
}
