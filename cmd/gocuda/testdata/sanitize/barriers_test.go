package user

import (
	"testing"

	"github.com/gocuda/gocuda/cg"
	"github.com/gocuda/gocuda/gocuda"
)

// Barriers that only some threads come to.

// halfway returns from a helper before its barrier for some threads.
func halfway(t *gocuda.Thread, s []int32) {
	if t.ThreadIdx.X >= 40 {
		return
	}
	s[t.ThreadIdx.X]++
	t.SyncThreads()
}

func TestReturnFromHelper(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		s[t.ThreadIdx.X] = 0
		halfway(t, s) // want sync warp error 32
		s[t.ThreadIdx.X]++
	})
}

func throughout(t *gocuda.Thread, s []int32) {
	if t.ThreadIdx.X < 40 {
		s[t.ThreadIdx.X]++
	}
	t.SyncThreads()
}

func TestReturnFromHelperRight(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		s[t.ThreadIdx.X] = 0
		throughout(t, s)
		s[t.ThreadIdx.X]++
	})
}

func TestTripCount(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		for i := t.ThreadIdx.X; i < 100; i += 64 { // want sync error
			t.SyncThreads()
		}
	})
}

func TestTripCountRight(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		for i := 0; i < 100; i += 64 {
			t.SyncThreads()
		}
	})
}

func TestContinue(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		for r := range 4 { // want sync error
			if t.ThreadIdx.X == r {
				continue
			}
			t.SyncThreads()
		}
	})
}

func TestBreak(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		for r := range 4 { // want sync error
			if t.ThreadIdx.X > 32 && r == 2 {
				break
			}
			t.SyncThreads()
		}
	})
}

func TestSwitch(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		switch t.ThreadIdx.X % 3 { // want sync error 64
		case 0, 1:
			t.SyncThreads()
		}
	})
}

func TestWholeWarpSkips(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		if t.WarpID() == 0 { // want sync block error 32
			t.SyncThreads()
		}
	})
}

func TestClosure(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		wait := func() { t.SyncThreads() }
		if t.ThreadIdx.X < 10 { // want sync warp error 32; sync block error 32
			wait()
		}
	})
}

func TestClosureRight(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		wait := func() { t.SyncThreads() }
		if t.BlockIdx.X == 0 {
			wait()
		}
	})
}

type waiter interface{ wait(t *gocuda.Thread) }

type whole struct{}

func (whole) wait(t *gocuda.Thread) { t.SyncThreads() }

type none struct{}

func (none) wait(*gocuda.Thread) {}

func TestInterface(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		var w waiter = whole{}
		if t.ThreadIdx.X == 5 {
			w = none{}
		}
		w.wait(t) // want sync warp error 32
	})
}

func TestGroupSync(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		b := cg.ThisThreadBlock(t)
		if t.ThreadIdx.X%2 == 0 { // want sync warp error 64
			b.Sync()
		}
	})
}

func TestCountedBarrier(t *testing.T) {
	out := make([]int, 64)
	run(1, 64, func(t *gocuda.Thread) {
		if t.ThreadIdx.X < 60 { // want sync warp error 32
			out[t.ThreadIdx.X] = t.SyncThreadsCount(true)
		}
	})
}

func TestNestedUniformRight(t *testing.T) {
	run(2, 64, func(t *gocuda.Thread) {
		for r := range 3 {
			if t.BlockIdx.X == 1 {
				if r%2 == 0 {
					t.SyncThreads()
				}
			}
		}
	})
}

func TestTailReturnRight(t *testing.T) {
	a := make([]int32, 50)
	run(1, 64, func(t *gocuda.Thread) {
		i := t.ThreadIdx.X
		if i >= len(a) {
			return
		}
		for range 3 {
			a[i]++
			t.SyncThreads()
		}
	})
}

func TestReturnInLoopRight(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		for r := range 8 {
			if t.ThreadIdx.X == r {
				return
			}
			t.SyncThreads()
		}
	})
}

func TestWarpWaitsForBlock(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		if t.ThreadIdx.X < 16 {
			t.SyncWarp(gocuda.FullMask) // want sync deadlock error
		} else {
			t.SyncThreads()
		}
		t.SyncThreads()
	})
}

func TestBallotInBranch(t *testing.T) {
	run(1, 32, func(t *gocuda.Thread) {
		if t.LaneID() < 8 {
			t.BallotSync(gocuda.FullMask, true) // want sync error
		} else {
			t.AnySync(gocuda.FullMask, false)
		}
	})
}

func TestBallotActiveRight(t *testing.T) {
	run(1, 32, func(t *gocuda.Thread) {
		if t.LaneID() < 8 {
			t.BallotSync(0xff, true)
		}
	})
}

func TestMaskOfOthers(t *testing.T) {
	run(1, 32, func(t *gocuda.Thread) {
		if t.LaneID() >= 16 {
			t.AllSync(0xffff, true) // want sync arguments error 16
		}
	})
}

func TestInactiveSource(t *testing.T) {
	out := make([]int32, 32)
	run(1, 32, func(t *gocuda.Thread) {
		if t.LaneID() < 8 {
			out[t.LaneID()] = gocuda.ShflSync(t, 0xff, int32(1), 20, 32) // want sync arguments error 8
		}
	})
}

func TestNamedTooFew(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		if t.WarpID() == 0 {
			t.BarSync(1, 64) // want sync deadlock error 32
		}
	})
}

func TestNamedRight(t *testing.T) {
	run(1, 96, func(t *gocuda.Thread) {
		if t.WarpID() < 2 {
			t.BarSync(1, 64)
		}
	})
}

func TestTileSyncInBranch(t *testing.T) {
	run(1, 32, func(t *gocuda.Thread) {
		g := cg.TiledPartition(cg.ThisThreadBlock(t), 16)
		if g.ThreadRank() < 4 {
			g.Sync() // want sync error
		}
		t.SyncThreads()
	})
}

func TestTwoBarriers(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		if i := t.ThreadIdx.X; i < 32 { // want sync block error 32
			out[i] = 1
			t.SyncThreads()
		} else {
			out[i] = 2
			t.SyncThreads()
		}
	})
}

func TestTwoBarriersRight(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		if i := t.ThreadIdx.X; i < 32 {
			out[i] = 1
		} else {
			out[i] = 2
		}
		t.SyncThreads()
	})
}

func TestRoundsByWarp(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		for range 2 + t.Rank()/32 { // want sync block error 32
			t.SyncThreads()
		}
	})
}

func TestRoundsByWarpRight(t *testing.T) {
	run(1, 64, func(t *gocuda.Thread) {
		for range 2 + t.BlockDim.X/32 {
			t.SyncThreads()
		}
	})
}

// early returns before its barriers for some threads, as kernels do.
func early(t *gocuda.Thread, a []int32) {
	i := t.ThreadIdx.X
	if i >= len(a) {
		return
	}
	a[i]++
	t.SyncThreads()
	if i > 30 {
		return
	}
	t.SyncThreads()
}

func TestReturnAtEndRight(t *testing.T) {
	a := make([]int32, 50)
	run(1, 64, func(t *gocuda.Thread) { early(t, a) })
	call := early
	run(1, 64, func(t *gocuda.Thread) {
		t.SyncThreads()
		if len(a) > 10 {
			call(t, a)
		} else {
			t.SyncThreads()
		}
	})
	run(1, 64, func(t *gocuda.Thread) {
		switch len(a) {
		case 50:
			early(t, a)
			return
		}
		t.SyncThreads()
	})
}

func nothing(*gocuda.Thread) {}

func TestCallAtEndRight(t *testing.T) {
	call := nothing
	run(1, 64, func(t *gocuda.Thread) {
		if t.BlockDim.X > 10 {
			t.SyncThreads()
			if t.ThreadIdx.X == 3 {
				call(t)
			}
		}
	})
}

func TestCallAtEnd(t *testing.T) {
	a := make([]int32, 50)
	call := early
	run(1, 64, func(t *gocuda.Thread) {
		if t.ThreadIdx.X != 5 { // want sync warp error 32
			call(t, a)
		}
	})
	run(1, 64, func(t *gocuda.Thread) {
		if t.ThreadIdx.X > 31 { // want sync block error 32
			early(t, a)
		}
	})
}

// Lanes read one element in each round, and the warp meets between the rounds. The reads of the last round are ordered with nothing.
func TestReadsAfterLastMeeting(t *testing.T) {
	out := make([]int32, 64)
	run(1, 64, func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = 1
		t.SyncThreads()
		for range 3 {
			t.SyncWarp(gocuda.FullMask)
			if i < 30 {
				out[i] += s[30]
			}
		}
		s[i] = 2 // want race WAR warning 4
	})
}

// The second and the third round of some lanes are ordered with one writer and not with the other lanes' reads.
func meetInPart(last uint32) func(*gocuda.Thread) {
	out := make([]int32, 64)
	return func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = 1
		t.SyncThreads()
		if i < 6 {
			out[i] += s[30]
			t.SyncWarp(0x3f)
			out[i] += s[30]
		}
		if mask := uint32(0x83); mask>>i&1 != 0 {
			t.SyncWarp(mask) // the lanes 0, 1 and 7
		}
		t.SyncThreads()
		if i < 6 {
			out[i] += s[30]
		}
		if last>>i&1 != 0 {
			t.SyncWarp(last)
		}
		if i == 7 {
			s[30] = 2 // want race WAR warning 4
		}
	}
}

func TestMeetInPart(t *testing.T)      { run(1, 64, meetInPart(0x83)) }
func TestMeetInPartRight(t *testing.T) { run(1, 64, meetInPart(0xbf)) }
