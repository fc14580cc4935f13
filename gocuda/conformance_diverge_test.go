package gocuda_test

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// liveMask is the mask of the lanes that exist in a thread's warp.
func liveMask(n, rank int) uint32 { return uint32(1<<liveLanes(n, rank) - 1) }

func divergentRows() []row {
	return []row{
		noComplaint("halves of a warp shuffle apart", wholeWarps(), halves),
		noComplaint("interleaved lanes work apart", shapes, interleaved),
		noComplaint("groups of four, each with its own number of operations", shapes, groupsOfFour),
		noComplaint("a single lane's operations need nobody", shapes, alone),
		noComplaint("a mask from a ballot, then its lanes alone", shapes, ballotThenBranch),
		noComplaint("SyncWarp orders memory within the warp", shapes, syncWarp),
		noComplaint("SyncWarp of a part of the warp", shapes, syncPart),
	}
}

func halves(cfg grid.Config) func(*gocuda.Thread) string {
	return func(t *gocuda.Thread) string {
		r := rankOf(t)
		if r%32 < 16 {
			for i := range 3 {
				if got, want := gocuda.ShflXorSync(t, 0x0000ffff, r*10+i, 1<<i, 16), (r^1<<i)*10+i; got != want {
					return differ("lower half", got, want)
				}
			}
		} else {
			for i := range 7 {
				from := r + 1
				if r%16 == 15 {
					from = r
				}
				if got, want := gocuda.ShflDownSync(t, 0xffff0000, float64(r*10+i), 1, 16), float64(from*10+i); got != want {
					return differ("upper half", got, want)
				}
			}
		}
		// and together again
		return differ("whole warp", gocuda.ShflXorSync(t, gocuda.FullMask, r, 16, 32), r^16)
	}
}

// interleaved: even lanes reduce while odd ones vote.
func interleaved(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		r := rankOf(t)
		live := liveMask(n, r)
		const even, odd = 0x55555555, 0xaaaaaaaa
		if r%2 == 0 {
			want := 0
			for l := 0; l < liveLanes(n, r); l += 2 {
				want += l
			}
			for i := range 4 {
				if got := gocuda.ReduceAddSync(t, even, r%32*(i+1)); got != want*(i+1) {
					return differ("sum of the even lanes", got, want*(i+1))
				}
			}
		} else {
			for i := range 6 {
				if got, want := t.BallotSync(odd, (r+2*i)%4 == 1), live&odd&(0x22222222<<(2*(i%2))); got != want {
					return fmt.Sprintf("ballot of the odd lanes: got %#x, want %#x", got, want)
				}
			}
		}
		return differ("ballot of all", t.BallotSync(gocuda.FullMask, true), live)
	}
}

func groupsOfFour(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		r := rankOf(t)
		group := r % 32 / 4
		mask := uint32(0xf) << (4 * group)
		here := min(4, n-r/4*4)
		for i := range group + 1 {
			if got, want := gocuda.ReduceMaxSync(t, mask, r+i), r/4*4+here-1+i; got != want {
				return differ("largest", got, want)
			}
			if got, want := gocuda.ShflSync(t, mask, r*10+i, i%here, 4), (r/4*4+i%here)*10+i; got != want {
				return differ("shuffle", got, want)
			}
			if !t.AllSync(mask, true) || t.AnySync(mask, false) {
				return "vote"
			}
		}
		t.SyncWarp(gocuda.FullMask)
		return differ("count", bits.OnesCount32(t.BallotSync(gocuda.FullMask, r%4 == 0)), (liveLanes(n, r)+3)/4)
	}
}

func alone(cfg grid.Config) func(*gocuda.Thread) string {
	return func(t *gocuda.Thread) string {
		r := rankOf(t)
		own := uint32(1) << (r % 32)
		for i := range r % 5 {
			t.SyncWarp(own)
			if got := gocuda.ShflSync(t, own, r+i, r%32, 32); got != r+i {
				return differ("shuffle from oneself", got, r+i)
			}
			if got := t.BallotSync(own, true); got != own {
				return differ("ballot", got, own)
			}
			if got := gocuda.ReduceAddSync(t, own, int32(-r)); got != int32(-r) {
				return differ("sum", got, int32(-r))
			}
			if got := gocuda.MatchAnySync(t, own, r); got != own {
				return differ("match", got, own)
			}
		}
		return ""
	}
}

// ballotThenBranch is how CUDA programs make the mask for a branch.
func ballotThenBranch(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		r, b := rankOf(t), blockOf(t)
		first := r / 32 * 32
		for round := range 4 {
			takes := func(rank int) bool { return mix(rank, b, round)%3 == 0 }
			var want uint32
			sum := 0
			for l := range liveLanes(n, r) {
				if takes(first + l) {
					want |= 1 << l
					sum += first + l
				}
			}
			mask := t.BallotSync(gocuda.FullMask, takes(r))
			if mask != want {
				return fmt.Sprintf("mask: got %#x, want %#x", mask, want)
			}
			if !takes(r) {
				continue
			}
			if got := gocuda.ReduceAddSync(t, mask, r); got != sum {
				return differ("sum over the branch", got, sum)
			}
			leader := bits.TrailingZeros32(mask)
			if got := gocuda.ShflSync(t, mask, r, leader, 32); got != first+leader {
				return differ("the leader's value", got, first+leader)
			}
		}
		return ""
	}
}

func syncWarp(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		s := gocuda.Shared[int](t, n)
		r := rankOf(t)
		first, live := r/32*32, liveLanes(n, r)
		s[r] = r
		for i := range 6 {
			t.SyncWarp(gocuda.FullMask)
			v := s[first+(r-first+1)%live]
			t.SyncWarp(gocuda.FullMask)
			s[r] = v
			if want := first + (r-first+i+1)%live; v != want {
				return differ("after one more turn", v, want)
			}
		}
		return ""
	}
}

// syncPart: each half of the warp turns its part as often as it likes.
func syncPart(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		s := gocuda.Shared[int](t, n)
		r := rankOf(t)
		first, here := r/16*16, min(16, n-r/16*16)
		mask := uint32(0xffff) << (r % 32 / 16 * 16)
		s[r] = r
		for i := range 2 + 3*(r/16%2) {
			t.SyncWarp(mask)
			v := s[first+(r-first+1)%here]
			t.SyncWarp(mask)
			s[r] = v
			if want := first + (r-first+i+1)%here; v != want {
				return differ("after one more turn", v, want)
			}
		}
		t.SyncThreads()
		o := n - 1 - r
		turns := 2 + 3*(o/16%2)
		first, here = o/16*16, min(16, n-o/16*16)
		return differ("another thread's element", s[o], first+(o-first+turns)%here)
	}
}
