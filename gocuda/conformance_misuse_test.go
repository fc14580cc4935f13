package gocuda_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// What CUDA leaves undefined, or what would hang there, is an error here that says what is wrong.
func TestMisuseOfBarriersAndWarpOperations(t *testing.T) { testFailures(t, misuseFailures()) }

func TestMisuseOfSharedMemoryAndPhases(t *testing.T) { testFailures(t, sharedMisuseFailures()) }

func misuseFailures() []failingKernel {
	const full = gocuda.FullMask
	fs := []failingKernel{
		{name: "deadlock of a barrier and SyncWarp", want: gocuda.ErrBarrierDeadlock, marked: 2, text: []string{"SyncThreads", "SyncWarp"},
			kernel: func(m *marks) gocuda.Kernel {
				return gocuda.ThreadFunc(func(t *gocuda.Thread) {
					if t.LaneID() < 16 {
						m.next(0)
						t.SyncThreads()
					} else {
						m.next(1)
						t.SyncWarp(full)
					}
				})
			}},
		{name: "deadlock of a barrier and a shuffle in one block", want: gocuda.ErrBarrierDeadlock, marked: 2, text: []string{"block (2,0,0)"},
			kernel: func(m *marks) gocuda.Kernel {
				return gocuda.ThreadFunc(func(t *gocuda.Thread) {
					t.SyncThreads()
					if t.BlockIdx.X == 2 && t.ThreadIdx.X == 40 {
						m.next(0)
						gocuda.ShflSync(t, 1<<8|1<<9, 5, 9, 32)
					}
					m.next(1)
					t.SyncThreads()
				})
			}},
		{name: "deadlock after others returned", want: gocuda.ErrBarrierDeadlock,
			kernel: threadsOf(func(t *gocuda.Thread) {
				switch {
				case t.ThreadIdx.X == 0:
					t.SyncThreadsCount(true)
				case t.ThreadIdx.X == 1:
					t.BallotSync(0b11, true)
				}
			})},
		{name: "deadlock in a phase of a block kernel", want: gocuda.ErrBarrierDeadlock, kernel: func(*marks) gocuda.Kernel {
			return gocuda.BlockFunc(func(b *gocuda.Block) {
				b.Threads(func(t *gocuda.Thread) {
					if t.LaneID() == 0 {
						t.SyncThreads()
					} else {
						t.AnySync(full, true)
					}
				})
			})
		}},
		{name: "masks that wait for each other in a ring",
			kernel: threadsOf(func(t *gocuda.Thread) {
				if l := t.LaneID(); l < 3 {
					t.SyncWarp([]uint32{0b011, 0b110, 0b101}[l])
				}
			}),
			says: func(err error, _ *gocuda.KernelError) string {
				if !errors.Is(err, gocuda.ErrBarrierDeadlock) && !errors.Is(err, gocuda.ErrWarpDivergence) {
					return "it is neither a deadlock nor a divergence"
				}
				return ""
			}},

		{name: "mask without the caller", want: gocuda.ErrInvalidMask, at: threadAt(1, 37), kernel: threadsOf(func(t *gocuda.Thread) {
			if culprit(t) {
				t.BallotSync(1<<4, true)
			}
			t.SyncThreads()
		})},
		{name: "empty mask", want: gocuda.ErrInvalidMask, at: threadAt(1, 37), kernel: threadsOf(func(t *gocuda.Thread) {
			if culprit(t) {
				t.SyncWarp(0)
			}
		})},
		{name: "shuffle with a mask without the caller", want: gocuda.ErrInvalidMask, kernel: threadsOf(func(t *gocuda.Thread) {
			gocuda.ShflXorSync(t, 0xffff, t.Rank(), 1, 32)
		})},
		{name: "shuffle from a lane outside the mask", want: gocuda.ErrInactiveLane, kernel: threadsOf(func(t *gocuda.Thread) {
			if t.LaneID() < 16 {
				gocuda.ShflSync(t, 0xffff, t.Rank(), 20, 32)
			}
			t.SyncThreads()
		})},
		{name: "shuffle from a lane that does not exist", want: gocuda.ErrInactiveLane, cfg: grid.Linear(80, 80),
			kernel: threadsOf(func(t *gocuda.Thread) { gocuda.ShflDownSync(t, full, 1.5, 8, 32) })},
		{name: "shuffle from a lane that has returned", want: gocuda.ErrInactiveLane, kernel: threadsOf(func(t *gocuda.Thread) {
			if t.LaneID() == 7 {
				return
			}
			gocuda.ShflSync(t, full, t.Rank(), 7, 32)
		})},
		{name: "warp kernel: shuffle from a lane outside the mask", want: gocuda.ErrInactiveLane, kernel: func(*marks) gocuda.Kernel {
			return gocuda.WarpFunc(func(w *gocuda.Warp) {
				gocuda.WarpShflXor(w, 0xff, gocuda.Lanes[int]{}, 16, 32)
			})
		}},
		{name: "warp kernel: shuffle from a lane that does not exist", want: gocuda.ErrInactiveLane, cfg: grid.Linear(80, 80),
			kernel: func(*marks) gocuda.Kernel {
				return gocuda.WarpFunc(func(w *gocuda.Warp) {
					gocuda.WarpShflDown(w, w.ActiveMask(), gocuda.Lanes[int8]{}, 8, 32)
				})
			}},

		{name: "barriers at two places", want: gocuda.ErrBarrierDivergence, when: checkedOnly, marked: 2,
			kernel: func(m *marks) gocuda.Kernel {
				return gocuda.ThreadFunc(func(t *gocuda.Thread) {
					if t.ThreadIdx.X%2 == 0 {
						m.next(0)
						t.SyncThreads()
					} else {
						m.next(1)
						t.SyncThreads()
					}
				})
			}},
		{name: "one thread a barrier ahead", want: gocuda.ErrBarrierDivergence, when: checkedOnly, marked: 2,
			kernel: func(m *marks) gocuda.Kernel {
				return gocuda.ThreadFunc(func(t *gocuda.Thread) {
					t.SyncThreads()
					if t.ThreadIdx.X != 63 {
						m.next(0)
						t.SyncThreads()
					}
					m.next(1)
					t.SyncThreads()
				})
			}},
		{name: "a function with a barrier, called at two places", want: gocuda.ErrBarrierDivergence, when: checkedOnly, marked: 2,
			kernel: func(m *marks) gocuda.Kernel {
				return gocuda.ThreadFunc(func(t *gocuda.Thread) {
					if t.ThreadIdx.X%2 == 0 {
						m.next(0)
						meetInHelper(t)
					} else {
						m.next(1)
						meetInHelper(t)
					}
				})
			}},
		{name: "a function with a barrier, called by two that are the same otherwise", want: gocuda.ErrBarrierDivergence, when: checkedOnly, marked: 2,
			kernel: func(m *marks) gocuda.Kernel {
				calls := func(t *gocuda.Thread) { meetInHelper(t) }
				return gocuda.ThreadFunc(func(t *gocuda.Thread) {
					calls(t)
					if t.ThreadIdx.X < 7 {
						m.next(0)
						calls(t)
					} else {
						m.next(1)
						calls(t)
					}
				})
			}},
		{name: "warp kernel: barriers at two places", want: gocuda.ErrBarrierDivergence, when: checkedOnly, marked: 2,
			kernel: func(m *marks) gocuda.Kernel {
				return gocuda.WarpFunc(func(w *gocuda.Warp) {
					if w.WarpID() == 0 {
						m.next(0)
						w.SyncThreads()
					} else {
						m.next(1)
						w.SyncThreads()
					}
				})
			}},
	}
	// barriers of different kinds don't meet
	kinds := []struct {
		name string
		wait func(t *gocuda.Thread)
	}{
		{"SyncThreads", func(t *gocuda.Thread) { t.SyncThreads() }},
		{"SyncThreadsCount", func(t *gocuda.Thread) { t.SyncThreadsCount(true) }},
		{"SyncThreadsAnd", func(t *gocuda.Thread) { t.SyncThreadsAnd(true) }},
		{"SyncThreadsOr", func(t *gocuda.Thread) { t.SyncThreadsOr(true) }},
	}
	for i, a := range kinds {
		b := kinds[(i+1)%len(kinds)]
		fs = append(fs, failingKernel{name: a.name + " and " + b.name + " at one barrier", want: gocuda.ErrBarrierDivergence,
			text: []string{a.name, b.name}, kernel: threadsOf(func(t *gocuda.Thread) {
				if t.BlockIdx.X == 2 && t.ThreadIdx.X >= 20 {
					a.wait(t)
				} else {
					b.wait(t)
				}
			})})
	}
	// nor do different warp operations
	type op struct {
		name string
		do   func(t *gocuda.Thread)
	}
	for _, p := range [][2]op{
		{{"SyncWarp", func(t *gocuda.Thread) { t.SyncWarp(full) }}, {"BallotSync", func(t *gocuda.Thread) { t.BallotSync(full, true) }}},
		{{"AllSync", func(t *gocuda.Thread) { t.AllSync(full, true) }}, {"AnySync", func(t *gocuda.Thread) { t.AnySync(full, true) }}},
		{{"ShflSync", func(t *gocuda.Thread) { gocuda.ShflSync(t, full, 1, 0, 32) }}, {"ReduceAddSync", func(t *gocuda.Thread) { gocuda.ReduceAddSync(t, full, 1) }}},
		{{"ShflUpSync", func(t *gocuda.Thread) { gocuda.ShflUpSync(t, full, 1, 1, 32) }}, {"ShflDownSync", func(t *gocuda.Thread) { gocuda.ShflDownSync(t, full, 1, 1, 32) }}},
		{{"ReduceMinSync", func(t *gocuda.Thread) { gocuda.ReduceMinSync(t, full, 1) }}, {"ReduceMaxSync", func(t *gocuda.Thread) { gocuda.ReduceMaxSync(t, full, 1) }}},
		{{"MatchAnySync", func(t *gocuda.Thread) { gocuda.MatchAnySync(t, full, 1) }}, {"MatchAllSync", func(t *gocuda.Thread) { gocuda.MatchAllSync(t, full, 1) }}},
		{{"ShflSync", func(t *gocuda.Thread) { gocuda.ShflSync(t, full, int32(1), 0, 32) }}, {"ShflSync of another type", func(t *gocuda.Thread) { gocuda.ShflSync(t, full, float32(1), 0, 32) }}},
		{{"ShflSync", func(t *gocuda.Thread) { gocuda.ShflSync(t, full, int64(1), 0, 32) }}, {"ShflSync of a larger type", func(t *gocuda.Thread) { gocuda.ShflSync(t, full, "text", 0, 32) }}},
		{{"ReduceAddSync", func(t *gocuda.Thread) { gocuda.ReduceAddSync(t, full, int8(1)) }}, {"ReduceAddSync of another type", func(t *gocuda.Thread) { gocuda.ReduceAddSync(t, full, uint64(1)) }}},
	} {
		fs = append(fs, failingKernel{name: p[0].name + " and " + p[1].name + " in one warp", want: gocuda.ErrWarpDivergence,
			kernel: threadsOf(func(t *gocuda.Thread) {
				if t.LaneID()%2 == 0 {
					p[0].do(t)
				} else {
					p[1].do(t)
				}
			})})
	}
	for i, width := range []int{0, 3, 64, -1, -32, 33, math.MaxInt/2 + 1} {
		fs = append(fs, failingKernel{name: fmt.Sprint("width ", width), want: gocuda.ErrInvalidValue, cfg: grid.Linear(40, 20),
			kernel: threadsOf(func(t *gocuda.Thread) { shuffle(t, "iudx"[i%4], full, 1, 0, width) })})
	}
	for i, kind := range []byte("iudx") {
		fs = append(fs, failingKernel{name: fmt.Sprintf("no width, kind %c", kind), want: gocuda.ErrInvalidValue,
			kernel: threadsOf(func(t *gocuda.Thread) { shuffle(t, kind, full, 1, 0, 0) })})
		fs = append(fs, failingKernel{name: fmt.Sprintf("warp kernel: width out of range, kind %c", kind), want: gocuda.ErrInvalidValue,
			kernel: func(*marks) gocuda.Kernel {
				return gocuda.WarpFunc(func(w *gocuda.Warp) {
					switch v := (gocuda.Lanes[int]{}); i {
					case 0:
						gocuda.WarpShfl(w, full, v, v, 5)
					case 1:
						gocuda.WarpShflUp(w, full, v, 0, 0)
					case 2:
						gocuda.WarpShflDown(w, full, v, 0, 64)
					case 3:
						gocuda.WarpShflXor(w, full, v, 0, -2)
					}
				})
			}})
	}
	return fs
}

func sharedMisuseFailures() []failingKernel {
	limit := gocuda.Default().Properties().SharedMemPerBlock
	one := grid.Linear(1, 1)
	phases := func(f func(b *gocuda.Block)) func(*marks) gocuda.Kernel {
		return func(*marks) gocuda.Kernel { return gocuda.BlockFunc(f) }
	}
	first := func(t *gocuda.Thread) bool { return t.Rank() == 0 }
	return []failingKernel{
		{name: "shared arrays of two types", want: gocuda.ErrSharedMismatch, marked: 2, kernel: func(m *marks) gocuda.Kernel {
			return gocuda.ThreadFunc(func(t *gocuda.Thread) {
				if t.ThreadIdx.X < 32 {
					m.next(0)
					gocuda.Shared[int32](t, 64)
				} else {
					m.next(1)
					gocuda.Shared[float32](t, 64)
				}
				t.SyncThreads()
			})
		}},
		{name: "shared arrays of two lengths", want: gocuda.ErrSharedMismatch, marked: 2, text: []string{"64", "63"},
			kernel: func(m *marks) gocuda.Kernel {
				return gocuda.ThreadFunc(func(t *gocuda.Thread) {
					gocuda.Shared[int32](t, 5)
					if t.ThreadIdx.X != 50 {
						m.next(0)
						gocuda.Shared[int32](t, 64)
					} else {
						m.next(1)
						gocuda.Shared[int32](t, 63)
					}
				})
			}},
		{name: "shared arrays with and without pointers", want: gocuda.ErrSharedMismatch, kernel: threadsOf(func(t *gocuda.Thread) {
			if first(t) {
				gocuda.Shared[[2]int](t, 8)
			} else {
				gocuda.Shared[string](t, 8)
			}
			t.SyncThreads()
		})},
		{name: "an array of a block kernel and its threads", want: gocuda.ErrSharedMismatch, kernel: phases(func(b *gocuda.Block) {
			b.Threads(func(t *gocuda.Thread) {
				if t.WarpID() == 0 {
					gocuda.Shared[uint8](t, 4)
				} else {
					gocuda.Shared[int8](t, 4)
				}
			})
		})},
		{name: "warps that disagree", want: gocuda.ErrSharedMismatch, kernel: func(*marks) gocuda.Kernel {
			return gocuda.WarpFunc(func(w *gocuda.Warp) { gocuda.Shared[int](w, 10+w.WarpID()) })
		}},
		{name: "more shared memory than there is", cfg: one, want: gocuda.ErrSharedMemPerBlock,
			kernel: threadsOf(func(t *gocuda.Thread) { gocuda.Shared[byte](t, limit+1) })},
		{name: "more shared memory than there is, in pieces", want: gocuda.ErrSharedMemPerBlock,
			kernel: threadsOf(func(t *gocuda.Thread) {
				for range 3 {
					gocuda.Shared[int32](t, limit/2/4)
				}
			})},
		{name: "static and dynamic shared memory together", cfg: grid.Config{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 64}, SharedBytes: limit - 1024},
			want: gocuda.ErrSharedMemPerBlock, kernel: threadsOf(func(t *gocuda.Thread) {
				gocuda.Shared[int64](t, 129)
				t.SyncThreads()
			})},
		{name: "a shared array of strings", want: gocuda.ErrSharedMemPerBlock,
			kernel: threadsOf(func(t *gocuda.Thread) { gocuda.Shared[string](t, limit/4) })},
		{name: "a shared array too large to count", want: gocuda.ErrSharedMemPerBlock,
			kernel: threadsOf(func(t *gocuda.Thread) { gocuda.Shared[int64](t, math.MaxInt/4+1) })},
		{name: "a shared array of negative length", want: gocuda.ErrInvalidValue,
			kernel: threadsOf(func(t *gocuda.Thread) { gocuda.Shared[int64](t, -1) })},
		{name: "dynamic shared memory of a type with pointers", cfg: grid.Config{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 64}, SharedBytes: 64},
			kernel: threadsOf(func(t *gocuda.Thread) { gocuda.DynamicShared[*int](t) })},

		{name: "a barrier in ForEach", want: gocuda.ErrNotPermitted, when: withoutRace,
			kernel: phases(func(b *gocuda.Block) { b.ForEach(func(t *gocuda.Thread) { t.SyncThreads() }) })},
		{name: "a vote in ForEach", want: gocuda.ErrNotPermitted, when: withoutRace,
			kernel: phases(func(b *gocuda.Block) { b.ForEach(func(t *gocuda.Thread) { t.BallotSync(gocuda.FullMask, true) }) })},
		{name: "a shuffle in ForEach", want: gocuda.ErrNotPermitted, when: withoutRace,
			kernel: phases(func(b *gocuda.Block) {
				b.ForEach(func(t *gocuda.Thread) { gocuda.ShflSync(t, gocuda.FullMask, 1, 0, 32) })
			})},
		{name: "a phase within Threads", want: gocuda.ErrNotPermitted, kernel: phases(func(b *gocuda.Block) {
			b.Threads(func(t *gocuda.Thread) {
				if first(t) {
					b.Threads(func(t *gocuda.Thread) {})
				}
				t.SyncThreads()
			})
		})},
		{name: "a local array that a thread asks for", kernel: phases(func(b *gocuda.Block) {
			b.Threads(func(t *gocuda.Thread) {
				if first(t) {
					gocuda.Local[int](b)
				}
				t.SyncThreads()
			})
		})},
		{name: "a phase within ForEach", want: gocuda.ErrNotPermitted, kernel: phases(func(b *gocuda.Block) {
			b.ForEach(func(t *gocuda.Thread) {
				if first(t) {
					b.Warps(func(w *gocuda.Warp) {})
				}
			})
		})},
		{name: "a phase within Warps", want: gocuda.ErrNotPermitted, kernel: phases(func(b *gocuda.Block) {
			b.Warps(func(w *gocuda.Warp) {
				if w.WarpID() == 1 {
					b.ForEach(func(t *gocuda.Thread) {})
				}
			})
		})},
	}
}

//go:noinline
func meetInHelper(t *gocuda.Thread) { t.SyncThreads() }
