package gocuda_test

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// perLane is a row whose kernel is a warp kernel that returns a result for each lane.
func perLane[T comparable](name string, shapes []grid.Config,
	setup func(cfg grid.Config) (body func(w *gocuda.Warp) gocuda.Lanes[T], want func(block, rank int) T)) row {
	return perSlot(name, shapes, func(cfg grid.Config) (func([]T) gocuda.Kernel, func(block, rank int) T) {
		body, want := setup(cfg)
		n := cfg.Threads()
		build := func(out []T) gocuda.Kernel {
			return gocuda.WarpFunc(func(w *gocuda.Warp) {
				result := body(w)
				for lane := range w.Size() {
					out[linear(w.GridDim, w.BlockIdx)*n+w.Rank(lane)] = result[lane]
				}
			})
		}
		return build, want
	})
}

// quietWarp is a row whose warps return what is wrong.
func quietWarp(name string, shapes []grid.Config, setup func(cfg grid.Config) func(w *gocuda.Warp) string) row {
	return perLane(name, shapes, func(cfg grid.Config) (func(*gocuda.Warp) gocuda.Lanes[string], func(block, rank int) string) {
		body := setup(cfg)
		return func(w *gocuda.Warp) (out gocuda.Lanes[string]) {
			complaint := body(w)
			for lane := range out {
				out[lane] = complaint
			}
			return out
		}, func(int, int) string { return "" }
	})
}

func warpRows() []row {
	some := []int{-33, -1, 0, 1, 2, 5, 8, 15, 16, 31, 32, 33}
	return []row{
		perLane("warp kernel: who the lanes are", shapes, warpIndex),
		quietWarp("warp kernel: shuffles", shapes, func(cfg grid.Config) func(*gocuda.Warp) string {
			cases := casesFor(cfg.Threads(), some)
			return func(w *gocuda.Warp) string { return warpShuffles(w, cases(w.Rank(0))) }
		}),
		quietWarp("warp kernel: shuffles of types with pointers", shapes, warpShuffleStrings),
		quietWarp("warp kernel: votes, matches and reductions", shapes, func(grid.Config) func(*gocuda.Warp) string {
			return func(w *gocuda.Warp) string { return warpVotes(w, w.ActiveMask()) }
		}),
		quietWarp("warp kernel: lanes that don't exist may be named", shapes, func(grid.Config) func(*gocuda.Warp) string {
			return func(w *gocuda.Warp) string { return warpVotes(w, gocuda.FullMask) }
		}),
		quietWarp("warp kernel: operations of some lanes", shapes, warpSome),
		perLane("warp kernel: exchange over barriers", shapes, warpExchange),
		perLane("warp kernel: warps that return before a barrier", shapes, warpLeaving),
		perLane("warp kernel: butterfly sum", wholeWarps(), warpButterfly),
	}
}

func warpIndex(cfg grid.Config) (func(*gocuda.Warp) gocuda.Lanes[string], func(block, rank int) string) {
	format := func(rank, id, size int, mask uint32, thread grid.Dim3, x int, block, blockDim, gridDim grid.Dim3) string {
		return fmt.Sprintf("rank %d, warp %d of %d lanes %#x, thread %v, x %d, block %v, dims %v %v",
			rank, id, size, mask, thread, x, block, blockDim, gridDim)
	}
	body := func(w *gocuda.Warp) (out gocuda.Lanes[string]) {
		for lane := range w.Size() {
			out[lane] = format(w.Rank(lane), w.WarpID(), w.Size(), w.ActiveMask(), w.ThreadIdx(lane), w.GlobalX(lane),
				w.BlockIdx, w.BlockDim, w.GridDim)
		}
		return out
	}
	n := cfg.Threads()
	norm := func(d grid.Dim3) grid.Dim3 { return grid.Dim3{X: d.X, Y: max(d.Y, 1), Z: max(d.Z, 1)} }
	return body, func(block, rank int) string {
		th, bl := unlinear(cfg.Block, rank), unlinear(cfg.Grid, block)
		return format(rank, rank/32, liveLanes(n, rank), liveMask(n, rank), th, bl.X*cfg.Block.X+th.X, bl, norm(cfg.Block), norm(cfg.Grid))
	}
}

func warpShuffles(w *gocuda.Warp, cases []shuffleCase) string {
	for i, c := range cases {
		var v, got gocuda.Lanes[int]
		for lane := range v {
			v[lane] = i*2048 + w.Rank(0) + lane
		}
		switch c.kind {
		case 'u':
			got = gocuda.WarpShflUp(w, w.ActiveMask(), v, c.b, c.width)
		case 'd':
			got = gocuda.WarpShflDown(w, w.ActiveMask(), v, c.b, c.width)
		case 'x':
			got = gocuda.WarpShflXor(w, w.ActiveMask(), v, c.b, c.width)
		case 'i':
			var from gocuda.Lanes[int]
			for lane := range from {
				from[lane] = c.b
			}
			got = gocuda.WarpShfl(w, w.ActiveMask(), v, from, c.width)
		}
		for lane := range w.Size() {
			if want := v[c.from[lane]]; got[lane] != want {
				return fmt.Sprintf("kind %c, b %d, width %d: lane %d got %d, want %d", c.kind, c.b, c.width, lane, got[lane], want)
			}
		}
	}
	return ""
}

func warpShuffleStrings(cfg grid.Config) func(*gocuda.Warp) string {
	return func(w *gocuda.Warp) string {
		var v gocuda.Lanes[string]
		var from gocuda.Lanes[int]
		for lane := range w.Size() {
			v[lane] = fmt.Sprint("lane ", lane)
			from[lane] = (lane + 3) % w.Size() // each its own
		}
		got := gocuda.WarpShfl(w, gocuda.FullMask&w.ActiveMask(), v, from, 32)
		for lane := range w.Size() {
			if want := v[from[lane]]; got[lane] != want {
				return differ("string", got[lane], want)
			}
		}
		return ""
	}
}

func warpVotes(w *gocuda.Warp, live uint32) string {
	there := w.ActiveMask()
	for i := range 8 {
		var p gocuda.Lanes[bool]
		var v gocuda.Lanes[int16]
		var yes uint32
		sum, least, most, and, or, xor := int16(0), int16(32767), int16(-32768), int16(-1), int16(0), int16(0)
		for lane := range w.Size() {
			h := mix(i, w.Rank(lane), 7)
			p[lane] = []bool{h%2 == 0, true, false, lane == 3}[i%4]
			if p[lane] {
				yes |= 1 << lane
			}
			x := int16(h%7 - 5)
			v[lane] = x
			sum += x
			least, most = min(least, x), max(most, x)
			and, or, xor = and&x, or|x, xor^x
		}
		// what lies beyond a partial warp has no say
		for lane := w.Size(); lane < 32; lane++ {
			p[lane], v[lane] = i%2 == 0, 1000
		}
		if got := w.BallotSync(live, p); got != yes {
			return fmt.Sprintf("ballot: got %#x, want %#x", got, yes)
		}
		if w.AllSync(live, p) != (yes == there) || w.AnySync(live, p) != (yes != 0) {
			return "all or any"
		}
		got := [6]int16{gocuda.WarpReduceAdd(w, live, v), gocuda.WarpReduceMin(w, live, v), gocuda.WarpReduceMax(w, live, v),
			gocuda.WarpReduceAnd(w, live, v), gocuda.WarpReduceOr(w, live, v), gocuda.WarpReduceXor(w, live, v)}
		if want := [6]int16{sum, least, most, and, or, xor}; got != want {
			return differ("add, min, max, and, or, xor", got, want)
		}
		same := gocuda.WarpMatchAny(w, live, v)
		for lane := range w.Size() {
			var want uint32
			for l := range w.Size() {
				if v[l] == v[lane] {
					want |= 1 << l
				}
			}
			if same[lane] != want {
				return fmt.Sprintf("match any: lane %d got %#x, want %#x", lane, same[lane], want)
			}
		}
		mask, all := gocuda.WarpMatchAll(w, live, v)
		if want := least == most; all != want || want && mask != there || !want && mask != 0 {
			return fmt.Sprintf("match all: %#x, %v", mask, all)
		}
	}
	return ""
}

// warpSome: operations with a mask of some lanes leave the others as they are.
func warpSome(cfg grid.Config) func(*gocuda.Warp) string {
	return func(w *gocuda.Warp) string {
		live := w.ActiveMask()
		for _, mask := range []uint32{0x1, 0x55555555, 0xffff, 0x0ff0} {
			if mask &= live; mask == 0 {
				continue
			}
			var v, from gocuda.Lanes[int]
			var p gocuda.Lanes[bool]
			sum, first := 0, -1
			for lane := range w.Size() {
				v[lane], p[lane] = 100+lane, true
				if mask>>lane&1 == 1 {
					if sum += v[lane]; first < 0 {
						first = lane
					}
				}
			}
			for lane := range from {
				from[lane] = first
			}
			if got := gocuda.WarpReduceAdd(w, mask, v); got != sum {
				return differ("sum", got, sum)
			}
			if got := w.BallotSync(mask, p); got != mask {
				return differ("ballot", got, mask)
			}
			got := gocuda.WarpShfl(w, mask, v, from, 32)
			match := gocuda.WarpMatchAny(w, mask, from)
			for lane := range w.Size() {
				wantV, wantM := v[lane], uint32(0)
				if mask>>lane&1 == 1 {
					wantV, wantM = v[first], mask
				}
				if got[lane] != wantV || match[lane] != wantM {
					return fmt.Sprintf("mask %#x: lane %d got %d and %#x, want %d and %#x", mask, lane, got[lane], match[lane], wantV, wantM)
				}
			}
		}
		return ""
	}
}

// warpExchange: every round a lane reads what a lane of another warp wrote.
func warpExchange(cfg grid.Config) (func(*gocuda.Warp) gocuda.Lanes[int], func(block, rank int) int) {
	n := cfg.Threads()
	body := func(w *gocuda.Warp) (sum gocuda.Lanes[int]) {
		s := gocuda.Shared[int](w, n)
		b := linear(w.GridDim, w.BlockIdx)
		for i := range b%3 + 2 {
			for lane := range w.Size() {
				s[w.Rank(lane)] = mix(b, w.Rank(lane), i) % 100
			}
			w.SyncThreads()
			for lane := range w.Size() {
				sum[lane] += (i + 1) * s[(w.Rank(lane)+33)%n]
			}
			w.SyncThreads()
		}
		return sum
	}
	return body, func(block, rank int) int {
		sum := 0
		for i := range block%3 + 2 {
			sum += (i + 1) * (mix(block, (rank+33)%n, i) % 100)
		}
		return sum
	}
}

func warpLeaving(grid.Config) (func(*gocuda.Warp) gocuda.Lanes[int], func(block, rank int) int) {
	body := func(w *gocuda.Warp) (rounds gocuda.Lanes[int]) {
		s := gocuda.Shared[int](w, 32*5)
		id := w.WarpID()
		for i := range id % 4 {
			s[i*32+id] = id + 1
			w.SyncThreads()
			for other := range w.BlockDim.Size() / 32 { // all whole warps
				if other%4 > i && s[i*32+other] != other+1 {
					return rounds
				}
			}
			for lane := range rounds {
				rounds[lane]++
			}
		}
		return rounds
	}
	return body, func(_, rank int) int { return rank / 32 % 4 }
}

func warpButterfly(cfg grid.Config) (func(*gocuda.Warp) gocuda.Lanes[float64], func(block, rank int) float64) {
	n := cfg.Threads()
	body := func(w *gocuda.Warp) (v gocuda.Lanes[float64]) {
		for lane := range v {
			v[lane] = float64(mix(linear(w.GridDim, w.BlockIdx)*n+w.Rank(lane), 0, 0) % 100)
		}
		for d := 16; d > 0; d /= 2 {
			o := gocuda.WarpShflXor(w, w.ActiveMask(), v, d, 32)
			for lane := range v {
				v[lane] += o[lane]
			}
		}
		return v
	}
	return body, func(block, rank int) (sum float64) {
		for l := range 32 {
			sum += float64(mix(block*n+rank/32*32+l, 0, 0) % 100)
		}
		return sum
	}
}
