package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	stdatomic "sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
)

// looks are the ways to look at a cell in a loop without changing it. Each returns the cell's
// value, which is 0 until somebody sets it to 1.
var looks = map[string]func(*int32) int32{
	"Add":             func(p *int32) int32 { return atomic.Add(p, 0) },
	"Sub":             func(p *int32) int32 { return atomic.Sub(p, 0) },
	"Or":              func(p *int32) int32 { return atomic.Or(p, 0) },
	"And":             func(p *int32) int32 { return atomic.And(p, -1) },
	"Xor":             func(p *int32) int32 { return atomic.Xor(p, 0) },
	"Max":             func(p *int32) int32 { return atomic.Max(p, 0) },
	"Min":             func(p *int32) int32 { return atomic.Min(p, 1) },
	"Inc":             func(p *int32) int32 { return min(1, atomic.Add(p, 0)+atomic.Inc(new(int32), 0)) },
	"Dec":             func(p *int32) int32 { return min(1, atomic.Add(p, 0)+atomic.Dec(new(int32), 0)) },
	"CAS":             func(p *int32) int32 { return atomic.CAS(p, 1, 1) },
	"CAS to the same": func(p *int32) int32 { return atomic.CAS(p, 0, 0) },
	"Exch": func(p *int32) int32 { // others see 0 once more
		if v := atomic.Exch(p, 0); v == 1 {
			atomic.Exch(p, 1)
			return 1
		}
		return 0
	},
	"Add of a float": func(p *int32) int32 { return int32(atomic.Add((*floatCell)(p).float(), 0)) },
}

type floatCell int32

func (p *floatCell) float() *float32 {
	f := float32(atomic.Add(p, 0))
	return &f
}

// The thread that all wait for is the last of the block, the first, or one in the middle of another
// warp.
func TestThreadsWaitForAnotherByAnAtomic(t *testing.T) {
	for name, look := range looks {
		for _, e := range executors {
			t.Run(fmt.Sprint(name, " ", e), func(t *testing.T) {
				dev := openDevice(t, gocuda.WithExecutor(e), gocuda.WithWorkers(2))
				const threads = 70
				for _, who := range []int{0, 40, threads - 1} {
					var flag [3]int32
					var data [3]int
					out := make([]int, 3*threads)
					launchAll(t, dev, grid.Linear(len(out), threads), func(t *gocuda.Thread) {
						b := t.BlockIdx.X
						if t.Rank() == who {
							data[b] = 7 + b
							atomic.Exch(&flag[b], 1)
						}
						for look(&flag[b]) == 0 {
						}
						out[t.GlobalX()] = data[b]
					})
					for i, v := range out {
						require.Equal(t, 7+i/threads, v, "thread %d, who waits for %d", i, who)
					}
				}
			})
		}
	}
}

// launchAll is LaunchFunc, with the end of the test if it hangs.
func launchAll(t *testing.T, dev *gocuda.Device, cfg grid.Config, kernel func(*gocuda.Thread)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var err error
	finishes(t, "the launch", func() { err = dev.LaunchFunc(ctx, cfg, kernel) })
	require.NoError(t, err)
}

// lock and unlock are CUDA's usual spin lock.
func lock(p *uint32) {
	for atomic.CAS(p, 0, 1) != 0 {
	}
}

func unlock(p *uint32) { atomic.Exch(p, 0) }

func TestSpinningKernels(t *testing.T) {
	const n = 96
	cfg := grid.Linear(n, n)
	for name, run := range map[string]func(t *testing.T, dev *gocuda.Device){
		"lock": func(t *testing.T, dev *gocuda.Device) {
			var mu uint32
			sum := 0
			launchAll(t, dev, grid.Linear(4*n, n), func(t *gocuda.Thread) {
				for range 3 {
					lock(&mu)
					sum += t.GlobalX()
					unlock(&mu)
				}
			})
			assert.Equal(t, 3*4*n*(4*n-1)/2, sum)
		},
		// Who has the lock waits for something else meanwhile, and others come to spin.
		"lock and sleep": func(t *testing.T, dev *gocuda.Device) {
			var mu uint32
			sum := 0
			launchAll(t, dev, cfg, func(t *gocuda.Thread) {
				lock(&mu)
				v := sum
				t.Nanosleep(1)
				sum = v + 1
				unlock(&mu)
			})
			assert.Equal(t, n, sum)
		},
		"lock and shuffle": func(t *testing.T, dev *gocuda.Device) {
			var mu uint32
			sum := 0
			launchAll(t, dev, cfg, func(t *gocuda.Thread) {
				if t.LaneID() == 5 {
					lock(&mu)
				}
				one := gocuda.ReduceAddSync(t, gocuda.FullMask, 1)
				if t.LaneID() == 5 {
					sum += one
					unlock(&mu)
				}
			})
			assert.Equal(t, n, sum)
		},
		"lock and barrier": func(t *testing.T, dev *gocuda.Device) {
			var mu uint32
			sum := 0
			launchAll(t, dev, cfg, func(t *gocuda.Thread) {
				if t.Rank() == 0 {
					lock(&mu)
				}
				t.SyncThreads()
				if t.Rank() == n-1 {
					unlock(&mu) // of thread 0
				}
				lock(&mu)
				sum++
				unlock(&mu)
				t.SyncThreads()
			})
			assert.Equal(t, n, sum)
		},
		"tickets": func(t *testing.T, dev *gocuda.Device) {
			var next, serving uint32
			var order []int
			launchAll(t, dev, cfg, func(t *gocuda.Thread) {
				mine := atomic.Inc(&next, 1<<30)
				for atomic.Add(&serving, 0) != mine {
				}
				order = append(order, int(mine))
				atomic.Add(&serving, 1)
			})
			require.Len(t, order, n)
			for i, v := range order {
				assert.Equal(t, i, v)
			}
		},
		"turns, backwards": func(t *testing.T, dev *gocuda.Device) {
			var turn uint32
			var order []int
			launchAll(t, dev, cfg, func(t *gocuda.Thread) {
				for atomic.Add(&turn, 0) != uint32(n-1-t.Rank()) {
				}
				order = append(order, t.Rank())
				atomic.Add(&turn, 1)
			})
			require.Len(t, order, n)
			for i, v := range order {
				assert.Equal(t, n-1-i, v)
			}
		},
		// One warp goes round and round its own operations until another one, which spins, has had
		// its turn.
		"warps": func(t *testing.T, dev *gocuda.Device) {
			var ping, pong uint32
			launchAll(t, dev, grid.Linear(64, 64), func(t *gocuda.Thread) {
				if t.WarpID() == 0 {
					for atomic.Add(&ping, 0) == 0 {
					}
					atomic.Exch(&pong, 1)
					return
				}
				atomic.Exch(&ping, 1)
				for !t.AnySync(gocuda.FullMask, atomic.Add(&pong, 0) != 0) {
				}
			})
		},
		"two flags in turn": func(t *testing.T, dev *gocuda.Device) {
			var a, b uint32
			launchAll(t, dev, cfg, func(t *gocuda.Thread) {
				if t.Rank() == n-1 {
					atomic.Exch(&b, 1)
				}
				for atomic.Add(&a, 0) == 0 && atomic.Or(&b, 0) == 0 {
				}
			})
		},
		// The one who waits looks at so many cells that no two operations in a row are the same.
		"many flags in turn": func(t *testing.T, dev *gocuda.Device) {
			flags := make([]uint32, n)
			launchAll(t, dev, cfg, func(t *gocuda.Thread) {
				for set := 0; t.Rank() == 0 && set < n-1; {
					set = 0
					for i := range flags {
						set += int(atomic.Add(&flags[i], 0))
					}
				}
				if t.Rank() > 0 {
					atomic.Exch(&flags[t.Rank()], 1)
				}
			})
		},
		"producer and consumer": func(t *testing.T, dev *gocuda.Device) {
			const items = 1000
			var full, cell uint32
			var got []uint32
			launchAll(t, dev, grid.Linear(64, 64), func(t *gocuda.Thread) {
				if t.LaneID() != 0 {
					return
				}
				for i := range uint32(items) {
					for atomic.Add(&full, 0) != uint32(t.WarpID()) { // warp 0 fills the cell, warp 1 empties it
					}
					if t.WarpID() == 0 {
						cell = i
						atomic.Exch(&full, 1)
					} else {
						got = append(got, cell)
						atomic.Exch(&full, 0)
					}
				}
			})
			require.Len(t, got, items)
			for i, v := range got {
				require.EqualValues(t, i, v)
			}
		},
		"locks of other kinds": func(t *testing.T, dev *gocuda.Device) {
			var byExch, byOr, byMax uint32
			var byCount [2]uint32
			sum := [4]int{}
			launchAll(t, dev, cfg, func(t *gocuda.Thread) {
				for atomic.Exch(&byExch, 1) != 0 {
				}
				sum[0]++
				t.Nanosleep(1)
				atomic.Exch(&byExch, 0)
				for atomic.Or(&byOr, 4)&4 != 0 {
				}
				sum[1]++
				t.Nanosleep(1)
				atomic.And(&byOr, ^uint32(4))
				for atomic.Max(&byMax, 9) != 0 {
				}
				sum[2]++
				t.Nanosleep(1)
				atomic.Exch(&byMax, 0)
				for mine := atomic.Add(&byCount[0], 1); mine != atomic.Xor(&byCount[1], 0); {
				}
				sum[3]++
				t.Nanosleep(1)
				atomic.Add(&byCount[1], 1)
			})
			assert.Equal(t, [4]int{n, n, n, n}, sum)
		},
		"lanes at ActiveMask": func(t *testing.T, dev *gocuda.Device) {
			var flag uint32
			launchAll(t, dev, grid.Linear(32, 32), func(t *gocuda.Thread) {
				if t.LaneID() < 16 {
					for atomic.Add(&flag, 0) == 0 {
					}
				} else {
					t.Assert(t.ActiveMask() == 0xffff0000)
					atomic.Exch(&flag, 1)
				}
			})
		},
		// Blocks that have begun go on while others wait for them.
		"blocks": func(t *testing.T, dev *gocuda.Device) {
			var flags [2]uint32
			launchAll(t, dev, grid.Linear(2*32, 32), func(t *gocuda.Thread) {
				b := t.BlockIdx.X
				if t.Rank() == 31 {
					atomic.Exch(&flags[b], 1)
				}
				for atomic.Add(&flags[1-b], 0) == 0 {
				}
			})
		},
		// Each block waits for the one before it, as in a scan in one pass, and takes its number
		// when it begins.
		"blocks in a row": func(t *testing.T, dev *gocuda.Device) {
			var ticket, done uint32
			sum := 0
			launchAll(t, dev, grid.Linear(20*32, 32), func(t *gocuda.Thread) {
				s := gocuda.Shared[uint32](t, 1)
				if t.Rank() == 0 {
					s[0] = atomic.Inc(&ticket, 1<<30)
				}
				t.SyncThreads()
				for atomic.Add(&done, 0) != s[0] {
				}
				t.SyncThreads()
				if t.Rank() == 31 {
					sum++
					atomic.Add(&done, 1)
				}
			})
			assert.Equal(t, 20, sum)
		},
		"warp kernel": func(t *testing.T, dev *gocuda.Device) {
			var flag uint32
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			require.NoError(t, dev.Launch(ctx, grid.Linear(128, 128), gocuda.WarpFunc(func(w *gocuda.Warp) {
				if w.WarpID() == 3 {
					atomic.Exch(&flag, 1)
				}
				for atomic.Add(&flag, 0) == 0 {
				}
				w.SyncThreads()
			})))
		},
		"phase of a block kernel": func(t *testing.T, dev *gocuda.Device) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			require.NoError(t, dev.Launch(ctx, grid.Linear(3*64, 64), gocuda.BlockFunc(func(b *gocuda.Block) {
				for range 3 {
					var flag uint32
					b.Threads(func(t *gocuda.Thread) {
						if t.Rank() == 63 {
							atomic.Exch(&flag, 1)
						}
						for atomic.Add(&flag, 0) == 0 {
						}
					})
				}
			})))
		},
		"kernel in a kernel": func(t *testing.T, dev *gocuda.Device) {
			var flag uint32
			launchAll(t, dev, grid.Linear(32, 32), func(t *gocuda.Thread) {
				if t.Rank() == 31 {
					t.Assert(t.LaunchFunc(oneThread, func(*gocuda.Thread) { atomic.Exch(&flag, 1) }) == nil)
				}
				for atomic.Add(&flag, 0) == 0 {
				}
			})
		},
		"for the host": func(t *testing.T, dev *gocuda.Device) {
			var begun, flag uint32
			s := dev.NewStream()
			require.NoError(t, s.LaunchFunc(grid.Linear(40, 40), func(*gocuda.Thread) {
				atomic.Add(&begun, 1)
				for atomic.Add(&flag, 0) == 0 {
				}
			}))
			for atomic.Add(&begun, 0) < 40 {
			}
			atomic.Exch(&flag, 1)
			require.NoError(t, synchronize(t, s))
		},
	} {
		for _, e := range executors {
			for _, checked := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, %v, checked %v", name, e, checked), func(t *testing.T) {
					run(t, openDevice(t, gocuda.WithExecutor(e), gocuda.WithChecked(checked), gocuda.WithWorkers(2)))
				})
			}
		}
	}
}

// All blocks of a cooperative launch run at the same time, also those that wait for others by an
// atomic.
func TestBlocksOfACooperativeLaunchSpin(t *testing.T) {
	for _, e := range executors {
		t.Run(e.String(), func(t *testing.T) {
			dev := openDevice(t, gocuda.WithGeneration(gocuda.Volta), gocuda.WithExecutor(e), gocuda.WithWorkers(1))
			var arrived uint32
			const blocks = 20
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			require.NoError(t, dev.LaunchCooperativeFunc(ctx, grid.Linear(blocks*40, 40), func(t *gocuda.Thread) {
				t.SyncThreads()
				if t.Rank() == 39 {
					atomic.Add(&arrived, 1)
				}
				for atomic.Add(&arrived, 0) != blocks {
				}
				t.SyncGrid()
			}))
		})
	}
}

// A kernel whose threads do many operations that change nothing, without waiting, is no slower in
// kind: nobody waits for it.
func TestOperationsThatChangeNothingAreNoLoops(t *testing.T) {
	dev := openDevice(t, gocuda.WithExecutor(gocuda.ExecutorCoroutine), gocuda.WithWorkers(1))
	most := int32(1 << 20)
	var now, both stdatomic.Int32
	launchAll(t, dev, grid.Linear(100_000, 256), func(*gocuda.Thread) {
		both.Store(max(both.Load(), now.Add(1)))
		atomic.Max(&most, 5) // 100,000 in a row, one in each thread
		now.Add(-1)
	})
	assert.EqualValues(t, 1, both.Load(), "threads were suspended")
}

// spinForever spins in all of its threads but thread 7, which waits for the others.
func spinForever(t *gocuda.Thread, flag *uint32) {
	if t.Rank() == 7 {
		t.SyncThreads() // the place of who waits
	}
	for atomic.CAS(flag, 1, 2) != 1 { // the place of who spins
	}
	t.SyncThreads()
}

// lineOf returns the line of this file that is the place of something.
func lineOf(t *testing.T, what string) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	before, _, found := strings.Cut(string(source), "// the place of "+what+"\n")
	require.True(t, found)
	return fmt.Sprint("spin_test.go:", 1+strings.Count(before, "\n"))
}

// A timeout says where the threads spun.
func TestTimeoutSaysWhereThreadsSpin(t *testing.T) {
	var flag uint32
	for name, c := range map[string]struct {
		kernel gocuda.Kernel
		want   []string
	}{
		"threads": {gocuda.ThreadFunc(func(t *gocuda.Thread) { spinForever(t, &flag) }), []string{
			"39 threads at " + lineOf(t, "who spins"), "1 thread at " + lineOf(t, "who waits"),
		}},
		"one thread": {gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.Rank() == 3 {
				spinForever(t, &flag)
			}
		}), []string{"1 thread at " + lineOf(t, "who spins")}},
		"warps": {gocuda.WarpFunc(func(w *gocuda.Warp) {
			for atomic.Add(&flag, 0) == 0 { // the place of a warp
			}
		}), []string{"2 warps at " + lineOf(t, "a warp")}},
		"block": {gocuda.BlockFunc(func(b *gocuda.Block) {
			for atomic.Add(&flag, 0) == 0 { // the place of a body
			}
		}), []string{"1 block at " + lineOf(t, "a body")}},
		"compiled": {compiledOf(0, func(t *gocuda.Thread) { spinForever(t, &flag) },
			func(b *gocuda.Block, p *rt.Phases) {
				for p.Next() {
					p.Current = 5
					for atomic.Add(&flag, 0) == 0 { // the place of a compiled body
					}
				}
			}), []string{"1 block at " + lineOf(t, "a compiled body")}},
	} {
		for _, e := range executors {
			t.Run(name+" "+e.String(), func(t *testing.T) {
				if name == "compiled" && (e == gocuda.ExecutorGoroutine || raceMode) {
					t.Skip("its source runs")
				}
				dev := openDevice(t, gocuda.WithExecutor(e), gocuda.WithWorkers(1))
				te := timesOutWhen(t, dev, grid.Linear(2*40, 40), c.kernel, func(te *gocuda.TimeoutError) bool {
					return len(te.Stopped) == 1 && len(te.At) == len(c.want)
				})
				for i, want := range c.want {
					assert.Equal(t, want, te.At[i].String())
				}
			})
		}
	}
}

// In a bubble, where time stands still while somebody is busy, a kernel that spins ends in its
// timeout as well.
func TestSpinningEndsInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dev, err := gocuda.NewDevice(gocuda.WithExecutor(gocuda.ExecutorCoroutine), gocuda.WithWorkers(1))
		require.NoError(t, err)
		cfg := grid.Linear(40, 40)
		cfg.Timeout = 100 * time.Millisecond
		var flag uint32
		err = dev.LaunchFunc(t.Context(), cfg, func(t *gocuda.Thread) { spinForever(t, &flag) })
		assert.ErrorIs(t, err, gocuda.ErrLaunchTimeout)
		require.NoError(t, dev.Close())
	})
}

// A thread that spins is stopped when its launch is cancelled, or when another one of its block fails.
func TestSpinningThreadsAreStopped(t *testing.T) {
	boom := errors.New("boom")
	for _, e := range executors {
		dev := openDevice(t, gocuda.WithExecutor(e), gocuda.WithWorkers(1))
		var flag uint32
		unwound := 0
		finishes(t, "a failing launch", func() {
			err := dev.LaunchFunc(context.Background(), grid.Linear(40, 40), func(t *gocuda.Thread) {
				if t.Rank() == 39 {
					panic(boom)
				}
				defer func() {
					if t.Rank() == 0 {
						unwound++
					}
				}()
				for atomic.Add(&flag, 0) == 0 {
				}
			})
			assert.ErrorIs(t, err, boom)
		})
		assert.Equal(t, 1, unwound)
		ctx, cancel := context.WithCancel(context.Background())
		finishes(t, "a cancelled launch", func() {
			err := dev.LaunchFunc(ctx, grid.Linear(40, 40), func(t *gocuda.Thread) {
				if t.Rank() == 0 {
					cancel()
				}
				for atomic.Add(&flag, 0) == 0 {
				}
			})
			assert.ErrorIs(t, err, context.Canceled)
		})
	}
}

// A callback that spins has nothing to do with the kernel that its worker ran before.
func TestACallbackMaySpin(t *testing.T) {
	dev := openDevice(t)
	s := dev.NewStream()
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, s.LaunchContext(ctx, grid.Linear(40, 40), gocuda.ThreadFunc(func(t *gocuda.Thread) { t.SyncThreads() })))
	var flag uint32
	begun := make(chan struct{})
	require.NoError(t, s.AddCallback(func() {
		close(begun)
		for atomic.Add(&flag, 0) == 0 {
		}
	}))
	<-begun
	cancel()
	time.AfterFunc(time.Millisecond, func() { atomic.Exch(&flag, 1) })
	require.NoError(t, synchronize(t, s))
}
