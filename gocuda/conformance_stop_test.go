package gocuda_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// testStops runs a test on each device, and afterwards a kernel that is well.
func testStops(t *testing.T, f func(t *testing.T, d *testDevice)) {
	cfg := grid.Config{Grid: grid.Dim3{X: 8}, Block: grid.Dim3{X: 33}}
	afterwards := scanRows()[1].prepare(cfg)
	for _, d := range openDevices(t, true) {
		t.Run(d.String(), func(t *testing.T) {
			f(t, d)
			require.NoError(t, d.run(t, cfg, afterwards), "a kernel launched afterwards")
		})
	}
}

// readPastEnd is a kernel with a name.
func readPastEnd(t *gocuda.Thread) {
	x := make([]int, 256)
	if i := t.GlobalX(); i == 3*64+17 {
		x[i+47]++
	}
	t.SyncThreads()
}

func TestKernelErrorNamesTheFunction(t *testing.T) {
	const want = "kernel gocuda_test.readPastEnd (conformance_stop_test.go:34): block (3,0,0) thread (17,0,0): index out of range [256] with length 256"
	testStops(t, func(t *testing.T, d *testDevice) {
		err := d.launch(context.Background(), t, grid.Linear(256, 64), gocuda.ThreadFunc(readPastEnd))
		assert.EqualError(t, err, want)
		var ke *gocuda.KernelError
		if assert.ErrorAs(t, err, &ke) {
			assert.Contains(t, string(ke.Stack), "readPastEnd", "the stack leads to the kernel")
		}
		for _, k := range []struct {
			name   string
			kernel gocuda.Kernel
		}{{"double", doubleKernel{}}, {"counter", &counterKernel{}}, {"conformance.kernel", titled{&counterKernel{}}}} {
			err := d.launch(context.Background(), t, grid.Linear(1, 1), k.kernel)
			if !errors.As(err, &ke) || !strings.Contains(ke.Kernel, k.name) {
				t.Errorf("kernel %s: %v", k.name, err)
			}
		}
	})
}

// Whatever threads have begun when one panics, their deferred functions have run when the launch
// returns.
func TestPanicUnwindsTheBlock(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		for _, wait := range []func(t *gocuda.Thread){
			func(t *gocuda.Thread) { t.SyncThreads() },
			func(t *gocuda.Thread) { t.SyncThreadsAnd(true) },
			func(t *gocuda.Thread) { t.SyncWarp(gocuda.FullMask) },
			func(t *gocuda.Thread) { gocuda.ShflSync(t, gocuda.FullMask, "v", 0, 32) },
			func(t *gocuda.Thread) { t.ActiveMask(); t.SyncThreads() },
			func(t *gocuda.Thread) {},
		} {
			var begun, ended atomic.Int64
			err := d.launch(context.Background(), t, grid.Linear(20*80, 80), gocuda.ThreadFunc(func(t *gocuda.Thread) {
				begun.Add(1)
				defer ended.Add(1)
				for range 3 {
					wait(t)
				}
				if t.BlockIdx.X == 7 && t.ThreadIdx.X == 70 {
					panic(errCustom)
				}
				wait(t)
			}))
			assert.ErrorIs(t, err, errCustom)
			assert.Equal(t, begun.Load(), ended.Load(), "threads that have begun, and that have ended")
		}
	})
}

// After a panic no worker begins another block.
func TestPanicKeepsBlocksFromStarting(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		for _, k := range []func(f func()) gocuda.Kernel{
			func(f func()) gocuda.Kernel { return gocuda.ThreadFunc(func(*gocuda.Thread) { f() }) },
			func(f func()) gocuda.Kernel { return gocuda.BlockFunc(func(*gocuda.Block) { f() }) },
		} {
			var begun atomic.Int64
			err := d.launch(context.Background(), t, grid.Linear(100_000, 1), k(func() {
				begun.Add(1)
				panic(errCustom)
			}))
			assert.LessOrEqual(t, begun.Load(), int64(d.workers), "blocks that began")
			assert.ErrorIs(t, err, errCustom)
		}
	})
}

// A panic that a nested launch returns is the outer kernel's to deal with.
func TestErrorOfANestedLaunchStaysThere(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		errs := make([]error, 3)
		err := d.launch(context.Background(), t, grid.Linear(3*40, 40), gocuda.ThreadFunc(func(t *gocuda.Thread) {
			if t.ThreadIdx.X == 11 {
				errs[t.BlockIdx.X] = d.LaunchFunc(context.Background(), grid.Linear(4, 4), func(c *gocuda.Thread) {
					if c.ThreadIdx.X == 3 {
						panic(errCustom)
					}
					c.SyncThreads()
				})
			}
			t.SyncThreads()
		}))
		assert.NoError(t, err, "the outer launch")
		for _, err := range errs {
			assert.ErrorIs(t, err, errCustom, "a nested launch")
		}
	})
}

// manyRounds is how often a kernel does what must not go on for ever, before it gives up.
const manyRounds = 2000

// A kernel that catches everything and goes back to its barrier must still come to an end.
func TestKernelThatRecoversFromEverything(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		for _, wait := range []func(t *gocuda.Thread){
			func(t *gocuda.Thread) { t.SyncThreads() },
			func(t *gocuda.Thread) { t.BallotSync(gocuda.FullMask, true) },
		} {
			var gaveUp atomic.Bool
			err := d.launch(context.Background(), t, grid.Linear(4*64, 64), gocuda.ThreadFunc(func(t *gocuda.Thread) {
				if t.BlockIdx.X == 1 && t.ThreadIdx.X == 5 {
					panic(errCustom)
				}
				for round := 0; t.BlockIdx.X == 1; round++ {
					if round == manyRounds {
						gaveUp.Store(true)
						return
					}
					func() {
						defer func() { recover() }()
						wait(t)
					}()
				}
			}))
			assert.ErrorIs(t, err, errCustom)
			assert.False(t, gaveUp.Load(), "the kernel had to end by itself")
		}
	})
}

// The same for a block kernel that catches what comes out of a phase, and begins the next.
func TestBlockKernelThatRecoversFromEverything(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		var gaveUp atomic.Bool
		err := d.launch(context.Background(), t, grid.Linear(4*64, 64), gocuda.BlockFunc(func(b *gocuda.Block) {
			for round := 0; b.BlockIdx.X == 1; round++ {
				if round == manyRounds {
					gaveUp.Store(true)
					return
				}
				func() {
					defer func() { recover() }()
					b.Threads(func(t *gocuda.Thread) {
						t.SyncThreads()
						if t.Rank() == 5 {
							panic(errCustom)
						}
						t.SyncThreads()
					})
				}()
			}
		}))
		assert.ErrorIs(t, err, errCustom)
		assert.False(t, gaveUp.Load(), "the kernel had to end by itself")
	})
}

// Masks that disagree are undefined in CUDA. Here they give an error or a result, but never hang.
func TestMasksThatDisagreeDontHang(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		for _, masks := range [][]uint32{{0b011, 0b111, 0b111}, {0b001, 0b011, 0b111}, {0b111, 0b111, 0b100}, {0b111, 0b010, 0b111}} {
			_ = d.launch(context.Background(), t, grid.Linear(64, 32), gocuda.ThreadFunc(func(t *gocuda.Thread) {
				if l := t.LaneID(); l < 3 {
					t.BallotSync(masks[l], true)
					t.SyncThreads()
				}
			}))
		}
	})
}

// A kernel may recover from what its misuse of an operation panics with. It gives an error or none, but
// never hangs.
func TestRecoveredMisuseDoesntHang(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		for _, misuse := range []func(t *gocuda.Thread){
			func(t *gocuda.Thread) { t.SyncWarp(1 << ((t.LaneID() + 1) % 32)) },
			func(t *gocuda.Thread) { gocuda.ShflSync(t, 0xffff<<(t.LaneID()/16*16), 1, t.LaneID()/16*16+16, 32) },
			func(t *gocuda.Thread) { gocuda.ShflSync(t, gocuda.FullMask, 1, 0, 3) },
			func(t *gocuda.Thread) { gocuda.Shared[int](t, 1+t.LaneID()%2) },
			func(t *gocuda.Thread) {
				if t.LaneID() == 3 {
					t.SyncThreads()
				} else {
					t.AnySync(gocuda.FullMask, true)
				}
			},
		} {
			var begun, ended atomic.Int64
			_ = d.launch(context.Background(), t, grid.Linear(3*64, 64), gocuda.ThreadFunc(func(t *gocuda.Thread) {
				begun.Add(1)
				defer ended.Add(1)
				for range 3 {
					func() {
						defer func() { recover() }()
						misuse(t)
					}()
					t.SyncThreads()
				}
			}))
			assert.Equal(t, begun.Load(), ended.Load(), "threads that have begun, and that have ended")
		}
	})
}

// A thread that panics may wait for the others before it ends. They are then at another barrier, so the
// error can be that as well.
func TestPanicThatWaitsDoesntHang(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		for _, wait := range []func(t *gocuda.Thread){
			func(t *gocuda.Thread) { t.SyncThreads() },
			func(t *gocuda.Thread) { t.SyncThreadsCount(true) },
			func(t *gocuda.Thread) { t.SyncWarp(gocuda.FullMask) },
		} {
			err := d.launch(context.Background(), t, grid.Linear(3*64, 64), gocuda.ThreadFunc(func(t *gocuda.Thread) {
				defer wait(t)
				t.SyncThreads()
				if culprit(t) {
					panic(errCustom)
				}
				t.SyncThreads()
			}))
			var ke *gocuda.KernelError
			assert.ErrorAs(t, err, &ke)
		}
	})
}

func TestKernelMustNotBeNil(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		cfg := grid.Linear(1, 1)
		assert.ErrorIs(t, d.Launch(context.Background(), cfg, nil), gocuda.ErrInvalidDeviceFunction, "nil")
		assert.ErrorIs(t, d.LaunchFunc(context.Background(), cfg, nil), gocuda.ErrInvalidDeviceFunction, "nil func")
	})
}

// All of a block's shared memory can be used, and with SharedOptIn more of it.
func TestSharedMemoryUpToTheLimit(t *testing.T) {
	testStops(t, func(t *testing.T, d *testDevice) {
		p := d.Properties()
		for _, cfg := range []grid.Config{
			{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 8}},
			{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 8}, SharedOptIn: true},
			{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 8}, SharedBytes: 1024},
			{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 8}, SharedBytes: p.SharedMemPerBlock - 1024},
		} {
			size := p.SharedMemPerBlock - cfg.SharedBytes
			if cfg.SharedOptIn {
				size = p.SharedMemPerBlockOptin
			}
			err := d.launch(context.Background(), t, cfg, gocuda.ThreadFunc(func(t *gocuda.Thread) {
				s := gocuda.Shared[byte](t, size)
				s[size-1-t.Rank()] = byte(t.Rank())
				t.SyncThreads()
				t.Assert(s[size-8] == 7 && len(gocuda.DynamicShared[byte](t)) == cfg.SharedBytes)
			}))
			assert.NoError(t, err, "%d bytes, of them %d dynamic", size+cfg.SharedBytes, cfg.SharedBytes)
		}
	})
}

// A panic in one launch leaves another one, that runs at the same time on the same device, alone.
func TestPanicLeavesOtherLaunchesAlone(t *testing.T) {
	good := grid.Config{Grid: grid.Dim3{X: 30}, Block: grid.Dim3{X: 33}}
	testStops(t, func(t *testing.T, d *testDevice) {
		failed := make(chan error)
		go func() {
			for range 3 {
				failed <- d.LaunchFunc(context.Background(), grid.Linear(20*40, 40), func(t *gocuda.Thread) {
					if t.BlockIdx.X == 9 && t.ThreadIdx.X == 20 {
						panic(errCustom)
					}
					t.SyncThreads()
				})
			}
			close(failed)
		}()
		fresh := scanRows()[1].prepare(good)
		for err := range failed {
			assert.ErrorIs(t, err, errCustom, "the failing launch")
			assert.NoError(t, d.run(t, good, fresh), "the other launch")
			runtime.Gosched()
		}
	})
}
