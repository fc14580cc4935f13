package gocuda_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"testing"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// culprit is true for one thread in the second block.
func culprit(t *gocuda.Thread) bool { return t.BlockIdx.X == 1 && t.ThreadIdx.X == 37 }

var errCustom = errors.New("a custom error")

// A nilError is an error whose text can't be had of a nil pointer.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

func panicFailures() []failingKernel {
	list := make([]int, 256)
	none := func() *[4]int { return nil }
	isRuntime := func(err error, _ *gocuda.KernelError) string {
		var re runtime.Error
		if !errors.As(err, &re) {
			return "errors.As finds no runtime.Error"
		}
		return ""
	}
	hasValue := func(want any) func(error, *gocuda.KernelError) string {
		return func(_ error, ke *gocuda.KernelError) string {
			if ke.Value != want {
				return fmt.Sprintf("the value is %v, want %v", ke.Value, want)
			}
			return ""
		}
	}
	return []failingKernel{
		{name: "index out of range, others wait at a barrier", at: threadAt(3, 17),
			kernel: threadsOf(func(t *gocuda.Thread) {
				if i := 256; t.BlockIdx.X == 3 && t.ThreadIdx.X == 17 {
					list[i+t.BlockIdx.Y]++
				}
				t.SyncThreads()
			}),
			text: []string{"kernel conformance.kernel (conformance_fail_test.go:48): block (3,0,0) thread (17,0,0): index out of range [256] with length 256"},
			says: isRuntime},
		{name: "index out of range, in three dimensions",
			cfg: grid.Config{Grid: grid.Dim3{X: 2, Y: 3, Z: 2}, Block: grid.Dim3{X: 4, Y: 3, Z: 2}},
			at:  &blamedPlace{gocuda.UnitThread, grid.Dim3{X: 1, Y: 2, Z: 1}, grid.Dim3{X: 3, Y: 1, Z: 1}},
			kernel: threadsOf(func(t *gocuda.Thread) {
				t.SyncThreads()
				if t.BlockIdx == (grid.Dim3{X: 1, Y: 2, Z: 1}) && t.ThreadIdx == (grid.Dim3{X: 3, Y: 1, Z: 1}) {
					list[t.ThreadIdx.X-4]++
				}
				t.SyncThreads()
			}),
			text: []string{"block (1,2,1) thread (3,1,1): index out of range [-1]"}, says: isRuntime},
		{name: "nil pointer, others wait at a warp operation", at: threadAt(1, 37),
			kernel: threadsOf(func(t *gocuda.Thread) {
				if culprit(t) {
					none()[2]++
				}
				t.BallotSync(gocuda.FullMask, true)
			}), says: isRuntime},
		{name: "custom error, others wait at barriers and warp operations", at: threadAt(1, 37), want: errCustom,
			kernel: threadsOf(func(t *gocuda.Thread) {
				t.SyncThreads()
				switch {
				case culprit(t):
					panic(errCustom)
				case t.WarpID() == 0:
					t.SyncThreads()
				default:
					t.SyncWarp(gocuda.FullMask)
				}
			}), text: []string{"thread (37,0,0): a custom error"}},
		{name: "wrapped error after many rounds", at: threadAt(1, 37), want: fs.ErrNotExist,
			kernel: threadsOf(func(t *gocuda.Thread) {
				for i := range 20 {
					gocuda.ShflXorSync(t, gocuda.FullMask, i, 1, 32)
					t.SyncThreads()
					if i == 13 && culprit(t) {
						panic(fmt.Errorf("reading: %w", fs.ErrNotExist))
					}
				}
			}), text: []string{"reading: file does not exist"}},
		{name: "others sleep", at: threadAt(1, 37), want: errCustom,
			kernel: threadsOf(func(t *gocuda.Thread) {
				if culprit(t) {
					panic(errCustom)
				}
				for t.BlockIdx.X == 1 { // the error alone can end this
					t.Nanosleep(time.Nanosecond)
				}
			})},
		{name: "no barrier", at: threadAt(1, 37), says: hasValue(42),
			kernel: threadsOf(func(t *gocuda.Thread) {
				if culprit(t) {
					panic(42)
				}
			}), text: []string{"thread (37,0,0): 42"}},
		{name: "the first thread, before all others", at: threadAt(0, 0), says: hasValue("first"),
			kernel: threadsOf(func(t *gocuda.Thread) {
				if t.BlockIdx.X == 0 && t.ThreadIdx.X == 0 {
					panic("first")
				}
				t.SyncThreads()
			}), text: []string{": first"}},
		{name: "the last thread, after all others", at: threadAt(3, 63), says: hasValue("last"),
			kernel: threadsOf(func(t *gocuda.Thread) {
				if t.BlockIdx.X == 3 && t.ThreadIdx.X == 63 {
					panic("last")
				}
				t.SyncThreads()
			})},
		{name: "a single thread", cfg: grid.Linear(1, 1), at: threadAt(0, 0), says: hasValue("single"),
			kernel: threadsOf(func(t *gocuda.Thread) { panic("single") })},
		{name: "others have returned", at: threadAt(1, 37), want: errCustom,
			kernel: threadsOf(func(t *gocuda.Thread) {
				if t.ThreadIdx.X != 37 {
					return
				}
				t.SyncThreads()
				if culprit(t) {
					panic(errCustom)
				}
			})},
		{name: "panic(nil)", at: threadAt(1, 37),
			kernel: threadsOf(func(t *gocuda.Thread) {
				if culprit(t) {
					panic(nil)
				}
				t.SyncThreads()
			}), says: func(err error, _ *gocuda.KernelError) string {
				var pe *runtime.PanicNilError
				if !errors.As(err, &pe) {
					return "errors.As finds no PanicNilError"
				}
				return ""
			}},
		{name: "a nil pointer as error", at: threadAt(1, 37), want: error((*nilError)(nil)),
			kernel: threadsOf(func(t *gocuda.Thread) {
				if culprit(t) {
					panic((*nilError)(nil))
				}
				t.SyncThreads()
			})},
		{name: "in a deferred function", at: threadAt(1, 37), want: errCustom,
			kernel: threadsOf(func(t *gocuda.Thread) {
				defer func() {
					if culprit(t) {
						panic(errCustom)
					}
				}()
				t.SyncThreads()
			})},
		{name: "deferred functions that panic on the way out", at: threadAt(1, 37), want: errCustom,
			kernel: threadsOf(func(t *gocuda.Thread) {
				if culprit(t) {
					panic(errCustom)
				}
				out := false
				defer func() {
					if !out {
						panic("left the barrier early")
					}
				}()
				t.SyncThreads()
				out = true
			})},
		{name: "deferred functions that wait on the way out", at: threadAt(1, 37), want: errCustom,
			kernel: threadsOf(func(t *gocuda.Thread) {
				if culprit(t) {
					panic(errCustom)
				}
				defer t.SyncThreads()
				defer t.SyncWarp(gocuda.FullMask)
				defer func() { t.SyncThreadsCount(true) }()
				t.SyncThreads()
			})},
		{name: "recovered and thrown again", at: threadAt(1, 37), want: errCustom,
			kernel: threadsOf(func(t *gocuda.Thread) {
				defer func() {
					if v := recover(); v != nil {
						panic(v)
					}
				}()
				if culprit(t) {
					panic(errCustom)
				}
				t.SyncThreads()
			})},
		{name: "a launch within the kernel", at: threadAt(1, 37), want: errCustom,
			kernel: threadsOf(func(t *gocuda.Thread) {
				if culprit(t) {
					err := gocuda.LaunchFunc(context.Background(), grid.Linear(5, 5), func(c *gocuda.Thread) {
						if c.ThreadIdx.X == 2 {
							panic(errCustom)
						}
						c.SyncThreads()
					})
					panic(err)
				}
				t.SyncThreads()
			})},
		{name: "every thread of every block", kernel: threadsOf(func(t *gocuda.Thread) {
			panic(fmt.Sprint(t.BlockIdx, t.ThreadIdx))
		}), says: func(_ error, ke *gocuda.KernelError) string {
			if want := fmt.Sprint(ke.BlockIdx, ke.ThreadIdx); ke.Value != want {
				return fmt.Sprintf("blames %s for the panic of %v", want, ke.Value)
			}
			return ""
		}},
		{name: "runtime.Goexit", at: threadAt(1, 37), kernel: threadsOf(func(t *gocuda.Thread) {
			if culprit(t) {
				runtime.Goexit()
			}
			t.SyncThreads()
		})},
		{name: "runtime.Goexit of all", kernel: threadsOf(func(t *gocuda.Thread) { runtime.Goexit() })},
		{name: "runtime.Goexit after a barrier", at: threadAt(1, 37), kernel: threadsOf(func(t *gocuda.Thread) {
			t.SyncThreads()
			if culprit(t) {
				runtime.Goexit()
			}
			t.SyncWarp(gocuda.FullMask)
			t.SyncThreads()
		})},
		{name: "Assert", at: threadAt(1, 37), want: gocuda.ErrAssert, text: []string{"assertion failed", "x is 37"},
			kernel: threadsOf(func(t *gocuda.Thread) {
				t.Assert(true, "never printed")
				t.Assert(!culprit(t), "x is ", t.ThreadIdx.X)
				t.SyncThreads()
			})},
		{name: "Assert without a message", at: threadAt(1, 37), want: gocuda.ErrAssert,
			kernel: threadsOf(func(t *gocuda.Thread) { t.Assert(!culprit(t)) })},

		{name: "a warp of a warp kernel", want: errCustom,
			at: &blamedPlace{gocuda.UnitWarp, grid.Dim3{X: 2}, grid.Dim3{X: 32}},
			kernel: func(*marks) gocuda.Kernel {
				return gocuda.WarpFunc(func(w *gocuda.Warp) {
					if w.BlockIdx.X == 2 && w.WarpID() == 1 {
						panic(errCustom)
					}
					w.SyncThreads()
				})
			}},
		{name: "runtime.Goexit of a warp", kernel: func(*marks) gocuda.Kernel {
			return gocuda.WarpFunc(func(w *gocuda.Warp) {
				if w.WarpID() == 1 {
					runtime.Goexit()
				}
				w.SyncThreads()
			})
		}},
		{name: "the body of a block kernel", want: errCustom,
			at: &blamedPlace{gocuda.UnitBlock, grid.Dim3{X: 2}, grid.Dim3{}},
			kernel: func(*marks) gocuda.Kernel {
				return gocuda.BlockFunc(func(b *gocuda.Block) {
					b.ForEach(func(*gocuda.Thread) {})
					if b.BlockIdx.X == 2 {
						panic(errCustom)
					}
				})
			}},
		{name: "runtime.Goexit of a block", kernel: func(*marks) gocuda.Kernel {
			return gocuda.BlockFunc(func(b *gocuda.Block) {
				if b.BlockIdx.X == 1 {
					runtime.Goexit()
				}
			})
		}},
		{name: "a thread in ForEach", at: threadAt(1, 37), want: errCustom, kernel: func(*marks) gocuda.Kernel {
			return gocuda.BlockFunc(func(b *gocuda.Block) {
				b.ForEach(func(t *gocuda.Thread) {
					if culprit(t) {
						panic(errCustom)
					}
				})
			})
		}},
		{name: "a thread in the second phase of a block kernel", at: threadAt(1, 37), want: errCustom, kernel: func(*marks) gocuda.Kernel {
			return gocuda.BlockFunc(func(b *gocuda.Block) {
				b.Threads(func(t *gocuda.Thread) { t.SyncThreads() })
				b.Threads(func(t *gocuda.Thread) {
					if culprit(t) {
						panic(errCustom)
					}
					t.SyncThreads()
				})
				if b.BlockIdx.X == 1 {
					panic("the kernel went on after a phase that failed")
				}
			})
		}},
		{name: "a warp in a phase of a block kernel", want: errCustom,
			at: &blamedPlace{gocuda.UnitWarp, grid.Dim3{X: 1}, grid.Dim3{}}, kernel: func(*marks) gocuda.Kernel {
				return gocuda.BlockFunc(func(b *gocuda.Block) {
					b.Warps(func(w *gocuda.Warp) {
						if b.BlockIdx.X == 1 && w.WarpID() == 0 {
							panic(errCustom)
						}
						w.SyncThreads()
					})
				})
			}},
	}
}

func TestPanicsInKernels(t *testing.T) { testFailures(t, panicFailures()) }
