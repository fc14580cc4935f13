//go:build compiled

package corpus

import (
	"math/bits"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The warp's sum by shuffles, and the block's from that.
//
//gocuda:kernel
func warpSum(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 32)
	v := in[t.GlobalX()]
	for d := 16; d > 0; d /= 2 {
		v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
	}
	if t.LaneID() == 0 {
		s[t.WarpID()] = v
	}
	t.SyncThreads()
	if t.WarpID() == 0 {
		v = 0
		if t.LaneID() < t.BlockDim.X/32 {
			v = s[t.LaneID()]
		}
		for d := 16; d > 0; d /= 2 {
			v += gocuda.ShflXorSync(t, gocuda.FullMask, v, d, 32)
		}
		if t.LaneID() == 5 {
			out[t.BlockIdx.X] = v
		}
	}
}

// All shuffles, with groups of all widths and distances that reach beyond them.
//
//gocuda:kernel
func warpShuffles(t *gocuda.Thread, in, out []int32) {
	v := in[t.GlobalX()]
	lane := t.LaneID()
	r := int32(0)
	for width := 1; width <= 32; width *= 2 {
		r = r*3 + gocuda.ShflSync(t, gocuda.FullMask, v, lane*5+width, width)
		r = r*3 + gocuda.ShflUpSync(t, gocuda.FullMask, v, 3, width)
		r = r*3 + gocuda.ShflDownSync(t, gocuda.FullMask, v+1, lane%7, width)
		r = r*3 + gocuda.ShflXorSync(t, gocuda.FullMask, v^1, 6, width)
	}
	out[t.GlobalX()] = r
}

func warpShufflesWant(_ grid.Config, in, out []int32) {
	for i := range out {
		lane, warp := i%32, in[i/32*32:i/32*32+32] // blocks are whole warps
		r := int32(0)
		for _, width := range []int{1, 2, 4, 8, 16, 32} {
			group := lane / width * width
			r = r*3 + warp[group+(lane*5+width)%width]
			k := lane - 3
			if k < group {
				k = lane
			}
			r = r*3 + warp[k]
			k = lane + lane%7
			if k >= group+width {
				k = lane
			}
			r = r*3 + warp[k] + 1
			k = lane ^ 6
			if k >= group+width {
				k = lane
			}
			r = r*3 + (warp[k] ^ 1)
		}
		out[i] = r
	}
}

// Values of several types go through shuffles, a struct among them.
//
//gocuda:kernel
func warpTypes(t *gocuda.Thread, in []int64, out []float64) {
	i := t.GlobalX()
	v := in[i]
	a := gocuda.ShflXorSync(t, gocuda.FullMask, uint8(v), 1, 32)
	b := gocuda.ShflUpSync(t, gocuda.FullMask, float32(v), 2, 16)
	c := gocuda.ShflDownSync(t, gocuda.FullMask, float64(v), 1, 32)
	d := gocuda.ShflSync(t, gocuda.FullMask, v, 9, 32)
	e := gocuda.ShflSync(t, gocuda.FullMask, pair{a: int32(v), b: [3]int32{2: int32(i)}}, t.LaneID()+1, 8)
	f := gocuda.ShflXorSync(t, gocuda.FullMask, v > 0, 4, 32)
	g := gocuda.ShflXorSync(t, gocuda.FullMask, [2]uint16{uint16(v), 7}, 16, 32)
	r := float64(a) + float64(b) - c/3 + float64(d) + float64(e.a)*float64(e.b[2]) + float64(g[0])*float64(g[1])
	if f {
		r = -r
	}
	out[i] = r
}

// Votes, in blocks whose last warp is not whole.
//
//gocuda:kernel
func warpVotes(t *gocuda.Thread, in []int32, out []uint32) {
	i := t.GlobalX()
	v := in[i]
	r := t.BallotSync(gocuda.FullMask, v > 0)
	if t.AllSync(gocuda.FullMask, v > -2_100_000_000) {
		r ^= 0x0f0f0f0f
	}
	if t.AnySync(gocuda.FullMask, v%37 == 0) {
		r = bits.RotateLeft32(r, 7)
	}
	before := bits.OnesCount32(t.BallotSync(gocuda.FullMask, v%2 == 0) & (1<<t.LaneID() - 1))
	t.SyncWarp(gocuda.FullMask)
	out[i] = r + uint32(before)
}

func warpVotesWant(cfg grid.Config, in []int32, out []uint32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		r, all, some := uint32(0), true, false
		for lane, v := range warp {
			if v > 0 {
				r |= 1 << lane
			}
			all = all && v > -2_100_000_000
			some = some || v%37 == 0
		}
		if all {
			r ^= 0x0f0f0f0f
		}
		if some {
			r = r<<7 | r>>25
		}
		for lane, v := range warp {
			out[first+lane] = r
			if v%2 == 0 {
				r++
			}
		}
	})
}

// perWarp calls f for each warp with the number of its first thread and its part of in.
func perWarp[T any](cfg grid.Config, in []T, f func(first int, warp []T)) {
	for b := range cfg.Blocks() {
		end := (b + 1) * cfg.Threads()
		for first := b * cfg.Threads(); first < end; first += 32 {
			f(first, in[first:min(first+32, end)])
		}
	}
}

// Match and reduce, with lanes that are alike in groups.
//
//gocuda:kernel
func warpMatch(t *gocuda.Thread, in []int32, out []uint32) {
	i := t.GlobalX()
	v := in[i]
	same := gocuda.MatchAnySync(t, gocuda.FullMask, v&3)
	all, ok := gocuda.MatchAllSync(t, gocuda.FullMask, t.WarpID()*3)
	r := same ^ all
	if !ok {
		r = 0
	}
	if _, ok := gocuda.MatchAllSync(t, gocuda.FullMask, v&1); ok {
		r++
	}
	r += uint32(gocuda.ReduceAddSync(t, same, v)) // only those that are alike
	r ^= uint32(gocuda.ReduceMinSync(t, gocuda.FullMask, v)) >> 1
	r += uint32(gocuda.ReduceMaxSync(t, gocuda.FullMask, uint16(v)))
	r ^= gocuda.ReduceXorSync(t, gocuda.FullMask, uint32(v)) + uint32(gocuda.ReduceOrSync(t, same, int64(v)))
	r += uint32(gocuda.ReduceAndSync(t, gocuda.FullMask, uint8(v)|3))
	out[i] = r
}

func warpMatchWant(cfg grid.Config, in []int32, out []uint32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		var same, sum, or [4]uint32
		low, high, xor, and := warp[0], uint16(0), uint32(0), uint8(255)
		odd := 0
		for lane, v := range warp {
			same[v&3] |= 1 << lane
			sum[v&3] += uint32(v)
			or[v&3] |= uint32(v)
			low, high = min(low, v), max(high, uint16(v))
			xor ^= uint32(v)
			and &= uint8(v) | 3
			odd += int(v & 1)
		}
		for lane, v := range warp {
			r := same[v&3] ^ uint32(1<<len(warp)-1)
			if odd == 0 || odd == len(warp) {
				r++
			}
			r += sum[v&3]
			r ^= uint32(low) >> 1
			r += uint32(high)
			r ^= xor + or[v&3]
			out[first+lane] = r + uint32(and)
		}
	})
}

// Warp operations in branches that only some lanes take, with the mask of those.
//
//gocuda:kernel
func warpBranches(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	odd := t.BallotSync(gocuda.FullMask, v%2 != 0)
	if v%2 != 0 {
		leader := bits.TrailingZeros32(odd)
		w := gocuda.ShflSync(t, odd, v, leader, 32)
		if t.LaneID() == leader {
			v = w * 2
		} else {
			v -= w
		}
		v += int32(bits.OnesCount32(odd))
	} else {
		even := t.BallotSync(^odd, true)
		v = gocuda.ReduceMaxSync(t, even, v)
		if t.AnySync(even, v > 1000) {
			v++
		}
	}
	t.SyncWarp(gocuda.FullMask)
	out[i] = v
}

func warpBranchesWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		most, leader, odd := int32(-1<<31), -1, int32(0)
		for lane, v := range warp {
			if v%2 == 0 {
				most = max(most, v)
			} else if odd++; leader < 0 {
				leader = lane
			}
		}
		if most > 1000 {
			most++
		}
		for lane, v := range warp {
			switch {
			case v%2 == 0:
				out[first+lane] = most
			case lane == leader:
				out[first+lane] = v*2 + odd
			default:
				out[first+lane] = v - warp[leader] + odd
			}
		}
	})
}

// Lanes leave a loop one after another; those that are left go on with a smaller mask.
//
//gocuda:kernel
func warpLoop(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	mask := t.BallotSync(gocuda.FullMask, true)
	rounds, sum := in[i]&7, int32(0)
	for k := int32(0); ; k++ {
		mask = t.BallotSync(mask, k < rounds)
		if k >= rounds {
			break
		}
		first := bits.TrailingZeros32(mask)
		sum = sum*3 + gocuda.ShflSync(t, mask, v+k, first, 32)
		v ^= int32(mask)
	}
	out[i] = sum ^ v
}

func warpLoopWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		v := append([]int32(nil), warp...)
		clear(out[first : first+len(warp)])
		for k := range int32(8) {
			mask, leader := uint32(0), -1
			for lane := range v {
				if k < warp[lane]&7 {
					mask |= 1 << lane
					if leader < 0 {
						leader = lane
					}
				}
			}
			if leader < 0 {
				break
			}
			lead := v[leader] + k
			for lane := range v {
				if mask>>lane&1 != 0 {
					out[first+lane] = out[first+lane]*3 + lead
					v[lane] ^= int32(mask)
				}
			}
		}
		for lane := range v {
			out[first+lane] ^= v[lane]
		}
	})
}

// A scan in the warp, where lanes with nothing before them keep what they have.
//
//gocuda:kernel
func warpScan(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	for d := 1; d < 32; d *= 2 {
		w := gocuda.ShflUpSync(t, gocuda.FullMask, v, d, 32)
		if t.LaneID() >= d {
			v += w
		}
	}
	out[i] = v
}

// Warps that wait for each other's lanes a different number of times, and the block after that.
//
//gocuda:kernel
func warpUneven(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 32)
	i := t.GlobalX()
	v := in[i] & 0xffff
	for range t.WarpID() + 1 {
		v = gocuda.ShflXorSync(t, gocuda.FullMask, v, 1, 32) + 1
	}
	if t.LaneID() == 31 {
		s[t.WarpID()] = v
	}
	t.SyncThreads()
	out[i] = v*100 + s[(t.WarpID()+1)%(t.BlockDim.X/32)]
}

// Lanes that have returned are waited for no more.
//
//gocuda:kernel
func warpReturned(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	if v%4 == 1 {
		out[i] = 1
		return
	}
	left := t.BallotSync(gocuda.FullMask, true)
	v = gocuda.ReduceAddSync(t, left, v)
	if t.LaneID()%3 == 0 {
		return
	}
	out[i] = v ^ int32(t.BallotSync(left, v > 0)) ^ int32(t.BallotSync(gocuda.FullMask, in[i] > 0))
}

func warpReturnedWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		sum, there, positive := int32(0), uint32(0), uint32(0)
		for lane, v := range warp {
			if v%4 == 1 {
				out[first+lane] = 1
				continue
			}
			sum += v
			if lane%3 != 0 {
				there |= 1 << lane
				if v > 0 {
					positive |= 1 << lane
				}
			}
		}
		if sum <= 0 {
			there = 0
		}
		for lane, v := range warp {
			if v%4 != 1 && lane%3 != 0 {
				out[first+lane] = sum ^ int32(there) ^ int32(positive)
			}
		}
	})
}

// One lane adds for all that are there, CUDA's aggregated atomics; the sum is the same whoever is
// there.
//
//gocuda:kernel
func warpAggregated(t *gocuda.Thread, in []int32, sums []int32) {
	v := in[t.GlobalX()]
	if v%3 != 0 {
		return
	}
	active := t.ActiveMask()
	leader := bits.TrailingZeros32(active)
	base := int32(0)
	if t.LaneID() == leader {
		base = atomic.Add(&sums[0], int32(bits.OnesCount32(active)))
	}
	base = gocuda.ShflSync(t, active, base, leader, 32)
	rank := base + int32(bits.OnesCount32(active&(1<<t.LaneID()-1)))
	atomic.Add(&sums[1], rank)
}

// Warp operations in a helper, in a generic one, and in a block of two dimensions.
//
//gocuda:kernel
func warpHelpers(t *gocuda.Thread, in []int32, out []int64) {
	slot := slotOf(t)
	a := warpTotal(t, in[slot])
	b := warpTotal(t, int64(in[slot])<<10)
	if broadcast(t, in[slot]) > 0 {
		a++
	}
	out[slot] = int64(a) ^ b
}

func warpTotal[T int32 | int64](t *gocuda.Thread, v T) T {
	for d := 1; d < 32; d <<= 1 {
		v += gocuda.ShflXorSync(t, gocuda.FullMask, v, d, 32)
	}
	return v
}

func broadcast(t *gocuda.Thread, v int32) int32 {
	return gocuda.ShflSync(t, gocuda.FullMask, v, 3, 32)
}

// Between warp operations lanes exchange through shared memory.
//
//gocuda:kernel
func warpShared(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, tid, lane := t.GlobalX(), t.ThreadIdx.X, t.LaneID()
	first := tid - lane
	size := min(32, t.BlockDim.X-first)
	v := in[i]
	for k := range 4 {
		s[tid] = v
		t.SyncWarp(gocuda.FullMask)
		v = s[first+(lane+k+1)%size] + 1
		t.SyncWarp(gocuda.FullMask)
	}
	out[i] = v
}

var warpCases = []Case{
	perThread("warpSum", warps, warpSum, warpSumKernel, func(cfg grid.Config, in, out []int32) {
		for b := range cfg.Blocks() {
			out[b] = 0
			for _, v := range in[b*cfg.Threads() : (b+1)*cfg.Threads()] {
				out[b] += v
			}
		}
	}),
	perThread("warpShuffles", warps, warpShuffles, warpShufflesKernel, warpShufflesWant),
	perThread("warpTypes", warps, warpTypes, warpTypesKernel, nil),
	perThread("warpVotes", linear, warpVotes, warpVotesKernel, warpVotesWant),
	perThread("warpMatch", linear, warpMatch, warpMatchKernel, warpMatchWant),
	perThread("warpBranches", linear, warpBranches, warpBranchesKernel, warpBranchesWant),
	perThread("warpLoop", linear, warpLoop, warpLoopKernel, warpLoopWant),
	perThread("warpScan", linear, warpScan, warpScanKernel, func(cfg grid.Config, in, out []int32) {
		perWarp(cfg, in, func(first int, warp []int32) {
			sum := int32(0)
			for lane, v := range warp {
				sum += v
				out[first+lane] = sum
			}
		})
	}),
	perThread("warpUneven", warps, warpUneven, warpUnevenKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			after := func(i int) int32 {
				n := i/32 + 1
				return in[first+i^n&1]&0xffff + int32(n)
			}
			for i := range out {
				out[i] = after(i)*100 + after((i/32*32+63)%len(out))
			}
		})
	}),
	perThread("warpReturned", linear, warpReturned, warpReturnedKernel, warpReturnedWant),
	made("warpAggregated", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, sums := data[int32](cfg.Blocks()*cfg.Threads()), make([]int32, 2)
		return func(t *gocuda.Thread) { warpAggregated(t, in, sums) }, warpAggregatedKernel(in, sums), []any{sums}
	}, func(cfg grid.Config) []any {
		count := int32(0)
		for _, v := range data[int32](cfg.Blocks() * cfg.Threads()) {
			if v%3 == 0 {
				count++
			}
		}
		return []any{[]int32{count, count * (count - 1) / 2}}
	}),
	perThread("warpHelpers", []grid.Config{line(2, 64), {Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 16, Y: 4}}}, warpHelpers, warpHelpersKernel,
		func(cfg grid.Config, in []int32, out []int64) {
			perWarp(cfg, in, func(first int, warp []int32) {
				a, b := int32(0), int64(0)
				for _, v := range warp {
					a += v
					b += int64(v) << 10
				}
				if warp[3] > 0 {
					a++
				}
				for lane := range warp {
					out[first+lane] = int64(a) ^ b
				}
			})
		}),
	perThread("warpShared", linear, warpShared, warpSharedKernel, func(cfg grid.Config, in, out []int32) {
		perWarp(cfg, in, func(first int, warp []int32) {
			for lane := range warp {
				out[first+lane] = warp[(lane+10)%len(warp)] + 4
			}
		})
	}),
}
