//go:build compiled

package corpus

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// More kernels with warp operations.

// Lanes break out of a loop in a branch that has a warp operation itself.
//
//gocuda:kernel
func wmBreakAfterOp(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i] & 15
	mask := t.BallotSync(gocuda.FullMask, true)
	k := int32(0)
	for {
		stop := t.BallotSync(mask, v <= k)
		if v <= k {
			v += 100 * int32(bits.OnesCount32(t.BallotSync(stop, true)))
			break
		}
		mask &^= stop
		k++
	}
	out[i] = v*32 + k
}

func wmBreakAfterOpWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		for lane, v := range warp {
			n := int32(0)
			for _, w := range warp {
				if w&15 == v&15 {
					n++
				}
			}
			out[first+lane] = (v&15+100*n)*32 + v&15
		}
	})
}

// The lower half of a warp returns after an operation, the upper half goes on.
//
//gocuda:kernel
func wmReturnInHalf(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i]
	if t.LaneID() < 16 {
		v = gocuda.ReduceMaxSync(t, 0xffff, v)
		out[i] = v
		return
	}
	v = gocuda.ReduceAddSync(t, 0xffff0000, v)
	out[i] = v
}

// Lanes of the else return; the others meet with the full mask before that and after it.
//
//gocuda:kernel
func wmElseReturn(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i]
	var a uint32
	if v%3 != 0 {
		a = t.BallotSync(gocuda.FullMask, v > 0)
	} else {
		out[i] = 7
		return
	}
	out[i] = gocuda.ReduceAddSync(t, gocuda.FullMask, v) ^ int32(a)
}

// The same with the branches exchanged.
//
//gocuda:kernel
func wmThenReturn(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i]
	var a uint32
	if v%3 == 0 {
		out[i] = 7
		return
	} else {
		a = t.BallotSync(gocuda.FullMask, v > 0)
	}
	out[i] = gocuda.ReduceAddSync(t, gocuda.FullMask, v) ^ int32(a)
}

func wmElseReturnWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		a, sum := uint32(0), int32(0)
		for lane, v := range warp {
			if v%3 != 0 {
				sum += v
				if v > 0 {
					a |= 1 << lane
				}
			}
		}
		for lane, v := range warp {
			out[first+lane] = sum ^ int32(a)
			if v%3 == 0 {
				out[first+lane] = 7
			}
		}
	})
}

// Halves and quarters of a warp, each with its own mask.
//
//gocuda:kernel
func wmQuarters(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i]
	lane := t.LaneID()
	if lane < 16 {
		v ^= gocuda.ReduceXorSync(t, 0xffff, v)
		if lane < 8 {
			v += gocuda.ReduceMinSync(t, 0xff, v)
		} else {
			v -= gocuda.ReduceMaxSync(t, 0xff00, v)
			t.SyncWarp(0xff00)
		}
		t.SyncWarp(0xffff)
	} else if lane < 24 {
		v = int32(t.BallotSync(0xff0000, v&1 != 0))
	} else {
		v = int32(gocuda.MatchAnySync(t, 0xff000000, v&1))
	}
	out[i] = v + gocuda.ReduceAddSync(t, gocuda.FullMask, v)
}

func wmQuartersWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		v := append([]int32(nil), warp...)
		x := int32(0)
		for lane := range v {
			if lane < 16 {
				x ^= warp[lane]
			}
		}
		odd := uint32(0)
		for lane := range v {
			if warp[lane]&1 != 0 {
				odd |= 1 << lane
			}
			if lane < 16 {
				v[lane] ^= x
			}
		}
		low, high := int32(1<<31-1), int32(-1<<31)
		for lane := range v {
			if lane < 8 {
				low = min(low, v[lane])
			} else if lane < 16 {
				high = max(high, v[lane])
			}
		}
		there := uint32(1<<len(warp) - 1)
		sum := int32(0)
		for lane := range v {
			switch lane / 8 {
			case 0:
				v[lane] += low
			case 1:
				v[lane] -= high
			case 2:
				v[lane] = int32(odd & 0xff0000)
			case 3:
				v[lane] = int32(odd & 0xff000000)
				if odd>>lane&1 == 0 {
					v[lane] = int32(^odd & there & 0xff000000)
				}
			}
			sum += v[lane]
		}
		for lane := range v {
			out[first+lane] = v[lane] + sum
		}
	})
}

// A vote on the right of && and one on the right of ||, for the lanes that come there.
//
//gocuda:kernel
func wmShortCircuit(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i]
	r := int32(0)
	pos := t.BallotSync(gocuda.FullMask, v > 0)
	if v > 0 && t.AnySync(pos, v > 2_000_000_000) {
		r += 1
	}
	if v > 0 || t.AllSync(^pos, v < -1000) && v%2 == 0 {
		r += 2
	}
	ok := v <= 0 || t.BallotSync(pos, v%2 == 0) != 0
	if !ok {
		r += 4
	}
	out[i] = r
}

func wmShortCircuitWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		large, low, even := false, true, false
		for _, v := range warp {
			large = large || v > 2_000_000_000
			low = low && (v > 0 || v < -1000)
			even = even || v > 0 && v%2 == 0
		}
		for lane, v := range warp {
			r := int32(0)
			if v > 0 && large {
				r++
			}
			if v > 0 || low && v%2 == 0 {
				r += 2
			}
			if v > 0 && !even {
				r += 4
			}
			out[first+lane] = r
		}
	})
}

// A helper with an early return and operations, called in a loop.
//
//gocuda:kernel
func wmHelperLoop(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i] & 0xff
	sum := int32(0)
	for k := range int32(4) {
		sum = sum*5 + wmHelp(t, v+k)
	}
	out[i] = sum
}

func wmHelp(t *gocuda.Thread, v int32) int32 {
	many := t.BallotSync(gocuda.FullMask, v%4 == 0)
	if v%4 == 0 {
		return -int32(bits.OnesCount32(many))
	}
	rest := gocuda.ReduceMaxSync(t, ^many, v)
	if v == rest {
		return 1000
	}
	return rest - v
}

func wmHelperLoopWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		for lane := range warp {
			out[first+lane] = 0
		}
		for k := range int32(4) {
			n, most := int32(0), int32(-1)
			for _, x := range warp {
				v := x&0xff + k
				if v%4 == 0 {
					n++
				} else {
					most = max(most, v)
				}
			}
			for lane, x := range warp {
				v := x&0xff + k
				r := most - v
				if v%4 == 0 {
					r = -n
				} else if v == most {
					r = 1000
				}
				out[first+lane] = out[first+lane]*5 + r
			}
		}
	})
}

// A switch on the warp, with operations, a break and a fallthrough, and a barrier behind it.
//
//gocuda:kernel
func wmSwitch(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, rank := slotOf(t), t.Rank()
	v := in[i]
	switch t.WarpID() % 4 {
	case 0:
		v = gocuda.ReduceAddSync(t, gocuda.FullMask, v)
		if v > 0 {
			break
		}
		v = int32(t.BallotSync(gocuda.FullMask, t.LaneID()%2 == 0))
	case 1:
		v = gocuda.ReduceXorSync(t, gocuda.FullMask, v)
		fallthrough
	case 2:
		v ^= gocuda.ReduceOrSync(t, gocuda.FullMask, v) >> 1
	default:
		v = 5
	}
	s[rank] = v
	t.SyncThreads()
	out[i] = s[t.BlockDim.Size()-1-rank]
}

func wmSwitchWant(cfg grid.Config, in, out []int32) {
	after := make([]int32, len(in))
	perWarp(cfg, in, func(first int, warp []int32) {
		sum, xor, or := int32(0), int32(0), int32(0)
		for _, v := range warp {
			sum, xor, or = sum+v, xor^v, or|v
		}
		for lane, v := range warp {
			r := int32(5)
			switch first % cfg.Threads() / 32 % 4 {
			case 0:
				r = sum
				if sum <= 0 {
					r = int32(uint32(1<<len(warp)-1) & 0x55555555)
				}
			case 1:
				r = xor ^ xor>>1
			case 2:
				r = v ^ or>>1
			}
			after[first+lane] = r
		}
	})
	perBlock(cfg, out, func(_, first int, out []int32) {
		for i := range out {
			out[i] = after[first+len(out)-1-i]
		}
	})
}

// Lanes continue a loop in a branch with an operation.
//
//gocuda:kernel
func wmContinue(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i]
	r := int32(0)
	for k := 0; k < 6; k++ {
		odd := t.BallotSync(gocuda.FullMask, v>>k&1 != 0)
		if v>>k&1 != 0 {
			r += gocuda.ReduceAddSync(t, odd, int32(k+1))
			continue
		}
		r -= int32(bits.OnesCount32(t.BallotSync(^odd, true)))
		if k == 4 && v>>5&1 == 0 {
			continue
		}
		r *= 3
	}
	out[i] = r
}

func wmContinueWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		for lane, v := range warp {
			r := int32(0)
			for k := range 6 {
				odd := 0
				for _, w := range warp {
					odd += int(w >> k & 1)
				}
				if v>>k&1 != 0 {
					r += int32(odd * (k + 1))
					continue
				}
				r -= int32(len(warp) - odd)
				if k != 4 || v>>5&1 != 0 {
					r *= 3
				}
			}
			out[first+lane] = r
		}
	})
}

// Barriers, shared memory and operations in turn, in a loop.
//
//gocuda:kernel
func wmBarriers(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	w := gocuda.Shared[int32](t, 32)
	i, rank, n := slotOf(t), t.Rank(), t.BlockDim.Size()
	v := in[i] & 0xfff
	for k := range 3 {
		s[rank] = v
		t.SyncThreads()
		v += s[(rank+k+1)%n]
		sum := gocuda.ReduceAddSync(t, gocuda.FullMask, v)
		if t.LaneID() == 0 {
			w[t.WarpID()] = sum
		}
		t.SyncThreads()
		if t.WarpID() > 0 {
			v ^= w[t.WarpID()-1]
		}
	}
	out[i] = v
}

func wmBarriersWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		v := make([]int32, n)
		for i := range v {
			v[i] = in[first+i] & 0xfff
		}
		for k := range 3 {
			next, sums := make([]int32, n), make([]int32, n/32+1)
			for i := range v {
				next[i] = v[i] + v[(i+k+1)%n]
				sums[i/32] += next[i]
			}
			for i := range v {
				v[i] = next[i]
				if i >= 32 {
					v[i] ^= sums[i/32-1]
				}
			}
		}
		copy(out, v)
	})
}

type wmThing struct {
	a int8
	f float64
	p [2]uint16
}

// A struct goes through a shuffle and is changed right after, with two in one assignment.
//
//gocuda:kernel
func wmStruct(t *gocuda.Thread, in []int32, out []float64) {
	i := slotOf(t)
	v := in[i]
	x := wmThing{a: int8(v), f: float64(v) / 2, p: [2]uint16{uint16(v), 3}}
	y := wmThing{a: 1, f: 2, p: [2]uint16{4, uint16(v >> 16)}}
	x, y = gocuda.ShflXorSync(t, gocuda.FullMask, y, 0, 32), gocuda.ShflSync(t, gocuda.FullMask, x, 0, 32)
	x.a++
	z := gocuda.ShflUpSync(t, gocuda.FullMask, x, 1, 32)
	x.p[1] = 9
	z.f++
	out[i] = float64(x.a) + float64(x.p[1]) + float64(y.a)*3 + y.f + float64(y.p[0]) + float64(z.p[1])*5 + z.f*7 + float64(z.a)*11
}

func wmStructWant(cfg grid.Config, in []int32, out []float64) {
	perWarp(cfg, in, func(first int, warp []int32) {
		for lane := range warp {
			from := max(lane-1, 0)
			y := warp[0]
			out[first+lane] = 2 + 9 + float64(int8(y))*3 + float64(y)/2 + float64(uint16(y)) +
				float64(uint16(warp[from]>>16))*5 + 3*7 + 2*11
		}
	})
}

// Variables are exchanged through shuffles in one assignment, and change right after the calls.
//
//gocuda:kernel
func wmExchange(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	a, b := in[i], in[i]*3
	last := 0
	a, b = gocuda.ShflSync(t, gocuda.FullMask, b, last, 32), gocuda.ShflSync(t, gocuda.FullMask, a, 0, 32)
	last = 7
	c := gocuda.ShflSync(t, gocuda.FullMask, a+in[i], 0, 32)
	a++
	d := gocuda.ReduceMaxSync(t, gocuda.FullMask, a)
	a = b
	t.SyncThreads()
	b = int32(last)
	t.SyncThreads()
	out[i] = a ^ b*3 ^ c*5 ^ d*7
}

func wmExchangeWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		v := warp[0]
		for lane := range warp {
			out[first+lane] = v ^ 21 ^ (v*3+v)*5 ^ (v*3+1)*7
		}
	})
}

// The number of rounds depends on the data of a warp; the condition of the loop is a vote.
//
//gocuda:kernel
func wmUntilAll(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	x := in[i] & 0x3ff >> (t.WarpID() % 5)
	rounds := int32(0)
	for !t.AllSync(gocuda.FullMask, x < 10) {
		x = x / 2
		rounds++
	}
	for k := 0; k < 5 && t.AnySync(gocuda.FullMask, int(x)%7 > k); k++ {
		rounds += 100
	}
	out[i] = x + rounds*16 + gocuda.ReduceAddSync(t, gocuda.FullMask, rounds)
}

func wmUntilAllWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		x := make([]int32, len(warp))
		for lane, v := range warp {
			x[lane] = v & 0x3ff >> (first % cfg.Threads() / 32 % 5)
		}
		rounds := int32(0)
		for {
			most := int32(0)
			for _, v := range x {
				most = max(most, v)
			}
			if most < 10 {
				break
			}
			for lane := range x {
				x[lane] /= 2
			}
			rounds++
		}
		most := 0
		for _, v := range x {
			most = max(most, int(v)%7)
		}
		rounds += 100 * int32(min(most, 5))
		for lane := range x {
			out[first+lane] = x[lane] + rounds*16 + rounds*int32(len(x))
		}
	})
}

// Integers of other widths, and floats by their bits.
//
//gocuda:kernel
func wmNarrow(t *gocuda.Thread, in []int64, out []int64) {
	i := slotOf(t)
	v := in[i]
	a := gocuda.ReduceAddSync(t, gocuda.FullMask, int8(v))
	b := gocuda.ReduceMinSync(t, gocuda.FullMask, v)
	c := gocuda.ReduceMaxSync(t, gocuda.FullMask, uint64(v))
	d := gocuda.ReduceMinSync(t, gocuda.FullMask, int8(v))
	e := gocuda.ReduceAndSync(t, gocuda.FullMask, int16(v)|0x70)
	z := 0.0
	if v&1 != 0 {
		z = -z
		if v&2 != 0 {
			z = 1 / z * 0
		}
	}
	f := gocuda.MatchAnySync(t, gocuda.FullMask, float32(v&3)/2)
	g := gocuda.ShflDownSync(t, gocuda.FullMask, uint8(v), 0, 4)
	out[i] = int64(a) + b ^ int64(c) + int64(d)*3 + int64(e)*5 + int64(f)*7 + int64(g)
	if z > 0 {
		out[i] = 0
	}
}

func wmNarrowWant(cfg grid.Config, in []int64, out []int64) {
	perWarp(cfg, in, func(first int, warp []int64) {
		a, b, c, d, e := int8(0), warp[0], uint64(0), int8(127), int16(-1)
		var same [4]uint32
		for lane, v := range warp {
			a += int8(v)
			b = min(b, v)
			c = max(c, uint64(v))
			d = min(d, int8(v))
			e &= int16(v) | 0x70
			same[v&3] |= 1 << lane
		}
		for lane, v := range warp {
			out[first+lane] = int64(a) + b ^ int64(c) + int64(d)*3 + int64(e)*5 + int64(same[v&3])*7 + int64(uint8(v))
		}
	})
}

// A generic kernel.
//
//gocuda:kernel
func wmGeneric[T integer](t *gocuda.Thread, in, out []T) {
	i := slotOf(t)
	v := in[i]
	sum := gocuda.ReduceAddSync(t, gocuda.FullMask, v)
	same := gocuda.MatchAnySync(t, gocuda.FullMask, v&3)
	low := gocuda.ReduceMinSync(t, same, v)
	head := gocuda.ShflSync(t, same, v, bits.TrailingZeros32(same), 32)
	out[i] = sum ^ low*3 ^ head*5
}

func wmGenericWant[T integer](cfg grid.Config, in, out []T) {
	perWarp(cfg, in, func(first int, warp []T) {
		var sum T
		for _, v := range warp {
			sum += v
		}
		for lane, v := range warp {
			low, head, found := v, v, false
			for _, w := range warp {
				if w&3 == v&3 {
					low = min(low, w)
					if !found {
						head, found = w, true
					}
				}
			}
			out[first+lane] = sum ^ low*3 ^ head*5
		}
	})
}

// Results that nobody uses.
//
//gocuda:kernel
func wmUnused(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i]
	gocuda.ShflSync(t, gocuda.FullMask, v, 0, 32)
	_ = t.BallotSync(gocuda.FullMask, v > 0)
	gocuda.ReduceAddSync(t, gocuda.FullMask, v)
	_, ok := gocuda.MatchAllSync(t, gocuda.FullMask, v&8)
	same, _ := gocuda.MatchAllSync(t, gocuda.FullMask, v&1)
	gocuda.MatchAllSync(t, gocuda.FullMask, v)
	gocuda.MatchAnySync(t, gocuda.FullMask, 1.5)
	t.ActiveMask()
	t.AnySync(gocuda.FullMask, false)
	r := int32(same)
	if ok {
		r++
	}
	out[i] = r
}

func wmUnusedWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		r, ones, eights := int32(0), int32(0), int32(0)
		for _, v := range warp {
			ones += v & 1
			eights += v >> 3 & 1
		}
		n := int32(len(warp))
		if ones == 0 || ones == n {
			r = int32(uint32(1<<n - 1))
		}
		if eights == 0 || eights == n {
			r++
		}
		for lane := range warp {
			out[first+lane] = r
		}
	})
}

// All operands are parameters, the same for all threads; and others differ: the width too.
//
//gocuda:kernel
func wmOperands(t *gocuda.Thread, mask uint32, v, b, width int, in, out []int32) {
	i := slotOf(t)
	x := gocuda.ShflSync(t, mask, v, 0, width)
	y := gocuda.ShflUpSync(t, mask, in[i], b, width)
	each := 1 << (t.LaneID() / 8)
	z := gocuda.ShflXorSync(t, mask, in[i]+int32(v), 1, each)
	w := gocuda.ReduceAddSync(t, mask, v)
	p, _ := gocuda.MatchAllSync(t, mask, b)
	out[i] = int32(x) + y*3 + z*5 + int32(w)*7 + int32(p)
}

func wmOperandsWant(v, b, width int) func(cfg grid.Config, in, out []int32) {
	return func(cfg grid.Config, in, out []int32) {
		perWarp(cfg, in, func(first int, warp []int32) {
			for lane := range warp {
				y := lane
				if lane%width >= b {
					y = lane - b
				}
				z := lane
				if lane >= 8 || lane%2 == 1 { // in groups of 1 only a smaller lane can be read
					z = lane ^ 1
				}
				n := len(warp)
				out[first+lane] = int32(v) + warp[y]*3 + (warp[z]+int32(v))*5 + int32(v*n)*7 + int32(uint32(1<<n-1))
			}
		})
	}
}

// Loops in loops with labels; lanes leave both, in branches with operations and without.
//
//gocuda:kernel
func wmLabels(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i]
	r := int32(0)
	mask := t.BallotSync(gocuda.FullMask, true)
outer:
	for a := range 4 {
		for b := range 3 {
			bit := v >> (a*3 + b) & 3
			gone := t.BallotSync(mask, bit == 3 && b == 2)
			if bit == 3 && b == 2 {
				r += 1000 + gocuda.ReduceAddSync(t, gone, int32(b+1))
				break outer
			}
			mask &^= gone
			next := t.BallotSync(mask, bit == 2)
			if bit == 2 {
				r = r*3 + int32(bits.OnesCount32(next))
			} else {
				r += int32(bits.OnesCount32(mask))
			}
			if a == 3 && t.LaneID()%2 == 0 {
				continue outer
			}
			if a == 3 {
				mask &= 0xaaaaaaaa
			}
		}
		r ^= int32(a) << 8
	}
	out[i] = r
}

func wmLabelsWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		n := len(warp)
		r := make([]int32, n)
		on := make([]bool, n)
		for lane := range on {
			on[lane] = true
		}
		for a := range 4 {
			inside := append([]bool(nil), on...)
			for b := range 3 {
				bit := func(lane int) int32 { return warp[lane] >> (a*3 + b) & 3 }
				gone, twos, there := int32(0), int32(0), int32(0)
				for lane := range warp {
					if !inside[lane] {
						continue
					}
					if bit(lane) == 3 && b == 2 {
						gone++
						continue
					}
					there++
					if bit(lane) == 2 {
						twos++
					}
				}
				for lane := range warp {
					if !inside[lane] {
						continue
					}
					switch {
					case bit(lane) == 3 && b == 2:
						r[lane] += 1000 + gone*3
						on[lane], inside[lane] = false, false
						continue
					case bit(lane) == 2:
						r[lane] = r[lane]*3 + twos
					default:
						r[lane] += there
					}
					if a == 3 && lane%2 == 0 {
						inside[lane] = false
					}
				}
			}
			for lane := range warp {
				if inside[lane] {
					r[lane] ^= int32(a) << 8
				}
			}
		}
		copy(out[first:], r)
	})
}

// Lanes return from inside a loop, in a branch with an operation; the rest goes on with the full mask.
//
//gocuda:kernel
func wmReturnInLoop(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i] & 7
	sum := int32(0)
	for k := range int32(6) {
		mine := gocuda.MatchAnySync(t, gocuda.FullMask, v)
		if v == k {
			out[i] = sum*10 + gocuda.ReduceAddSync(t, mine, int32(1))
			return
		}
		sum += gocuda.ReduceAddSync(t, gocuda.FullMask, v)
	}
	t.SyncThreads()
	out[i] = sum ^ int32(t.BallotSync(gocuda.FullMask, v == 6))
}

func wmReturnInLoopWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		sixes, count := uint32(0), [8]int32{}
		for lane, v := range warp {
			if v&7 == 6 {
				sixes |= 1 << lane
			}
			count[v&7]++
		}
		for lane, v := range warp {
			sum := int32(0)
			for k := range int32(6) {
				if v&7 == k {
					out[first+lane] = sum*10 + count[k]
					break
				}
				for x := k + 1; x < 8; x++ {
					sum += count[x] * x
				}
			}
			if v&7 >= 6 {
				out[first+lane] = sum ^ int32(sixes)
			}
		}
	})
}

// One value of the warp after another, as long as there are any.
//
//gocuda:kernel
func wmDistinct(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	key := in[i] & 7
	todo := t.BallotSync(gocuda.FullMask, key != 3)
	r, round := int32(-1), int32(0)
	for todo != 0 {
		leader := bits.TrailingZeros32(todo)
		k := gocuda.ShflSync(t, gocuda.FullMask, key, leader, 32)
		same := t.BallotSync(gocuda.FullMask, key == k)
		if key == k {
			r = round*100 + int32(bits.OnesCount32(same))
		}
		todo &^= same
		round++
	}
	out[i] = r*100 + round
}

func wmDistinctWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		order, count := []int32{}, [8]int32{}
		for _, v := range warp {
			if v&7 != 3 && count[v&7] == 0 {
				order = append(order, v&7)
			}
			count[v&7]++
		}
		for lane, v := range warp {
			r := int32(-1)
			for at, k := range order {
				if k == v&7 {
					r = int32(at)*100 + count[k]
				}
			}
			out[first+lane] = r*100 + int32(len(order))
		}
	})
}

// Lane 0 writes and the others read; both sides wait at a SyncWarp of their own.
//
//gocuda:kernel
func wmSyncPlaces(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 32)
	i := slotOf(t)
	v := in[i]
	if t.LaneID() == 0 {
		s[t.WarpID()] = v * 2
		t.SyncWarp(gocuda.FullMask)
	} else {
		t.SyncWarp(gocuda.FullMask)
		v = s[t.WarpID()]
	}
	out[i] = v
}

// A closure with operations, called with its variable changed in between.
//
//gocuda:kernel
func wmClosure(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i] & 0xff
	most := func(mask uint32) int32 {
		if mask == 0 {
			return -1
		}
		return gocuda.ReduceMaxSync(t, mask, v) + int32(t.WarpID())
	}
	a := most(gocuda.FullMask)
	v = v*2 + 1
	b := most(gocuda.FullMask)
	v = 100 - v
	odd := t.BallotSync(gocuda.FullMask, v > 0)
	c := int32(0)
	if v > 0 {
		c = most(odd)
		v = 3
	}
	out[i] = a + b*1000 + c*7 + v
}

func wmClosureWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		id := int32(first % cfg.Threads() / 32)
		most, third := int32(0), int32(-1000)
		for _, v := range warp {
			most = max(most, v&0xff)
			if w := 100 - (v&0xff*2 + 1); w > 0 {
				third = max(third, w)
			}
		}
		for lane, v := range warp {
			w, c := 100-(v&0xff*2+1), int32(0)
			if w > 0 {
				c, w = third+id, 3
			}
			out[first+lane] = most + id + (most*2+1+id)*1000 + c*7 + w
		}
	})
}

// Each thread has its own number of rounds, in the condition of the loop; then all of the warp meet.
//
//gocuda:kernel
func wmOwnRounds(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	rounds := in[i] & 7
	v, k := int32(0), int32(0)
	for k < rounds {
		m := t.ActiveMask()
		v = v*2 + gocuda.ReduceAddSync(t, m, k+1)
		k++
	}
	out[i] = v*3 + gocuda.ReduceMaxSync(t, gocuda.FullMask, k)
}

func wmOwnRoundsWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		most := int32(0)
		for _, v := range warp {
			most = max(most, v&7)
		}
		for lane, v := range warp {
			r := int32(0)
			for k := range v & 7 {
				n := int32(0)
				for _, w := range warp {
					if w&7 > k {
						n++
					}
				}
				r = r*2 + n*(k+1)
			}
			out[first+lane] = r*3 + most
		}
	})
}

// Only some warps come to operations, in loops and branches of their own; then a barrier and a vote
// of the block.
//
//gocuda:kernel
func wmSomeWarps(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i] & 0xffff
	if t.WarpID()%2 == 1 {
		for k := 0; k < t.WarpID(); k++ {
			v = gocuda.ReduceMaxSync(t, gocuda.FullMask, v+int32(t.LaneID()*k))
			if k == 2 {
				break
			}
		}
	} else if t.WarpID() > 0 {
		return
	}
	n := t.SyncThreadsCount(v > 30000)
	out[i] = v + int32(n)*100000
}

func wmSomeWarpsWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		v := make([]int32, len(out))
		count := int32(0)
		for i := range v {
			w := i / 32
			v[i] = in[first+i] & 0xffff
			if w%2 == 1 {
				var x [32]int32
				n := min(32, len(v)-w*32)
				for lane := range n {
					x[lane] = in[first+w*32+lane] & 0xffff
				}
				for k := range min(w, 3) {
					most := int32(0)
					for lane := range n {
						most = max(most, x[lane]+int32(lane*k))
					}
					for lane := range n {
						x[lane] = most
					}
				}
				v[i] = x[0]
			}
			if (w%2 == 1 || w == 0) && v[i] > 30000 {
				count++
			}
		}
		for i := range v {
			if w := i / 32; w%2 == 1 || w == 0 {
				out[i] = v[i] + count*100000
			}
		}
	})
}

// A grid-stride loop whose rounds are the same for all, with a guard inside and an operation behind it.
//
//gocuda:kernel
func wmStride(t *gocuda.Thread, n int, in, out []int32) {
	sum := int32(0)
	for base := t.BlockIdx.X * t.BlockDim.X; base < n; base += t.BlockDim.X * t.GridDim.X {
		x := int32(0)
		if i := base + t.ThreadIdx.X; i < n {
			x = in[i]
		}
		x = gocuda.ReduceAddSync(t, gocuda.FullMask, x)
		sum = sum*3 + x
	}
	out[t.GlobalX()] = sum
}

func wmStrideCase(n int) Case {
	return made("wmStride", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[int32](n), make([]int32, cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { wmStride(t, n, in, out) }, wmStrideKernel(n, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		in, out := data[int32](n), make([]int32, cfg.Blocks()*cfg.Threads())
		size := cfg.Threads()
		for i := range out {
			b, w := i/size, i%size/32
			for base := b * size; base < n; base += size * cfg.Blocks() {
				x := int32(0)
				for k := w * 32; k < min(w*32+32, size) && base+k < n; k++ {
					x += in[base+k]
				}
				out[i] = out[i]*3 + x
			}
		}
		return []any{out}
	})
}

// A tile partition as cooperative groups have it: widths of 4 with the masks of the groups, in a
// branch by group.
//
//gocuda:kernel
func wmTiles(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i] & 0xffff
	group := t.LaneID() / 4
	mask := uint32(15) << (group * 4)
	for k := 0; k <= group%3; k++ {
		for d := 1; d < 4; d *= 2 {
			v = (v + gocuda.ShflXorSync(t, mask, v, d, 4)) & 0xffff
		}
		if t.AnySync(mask, v > 40000) {
			v--
		}
	}
	out[i] = v
}

func wmTilesWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) { // warps are whole
		for g := 0; g < 32; g += 4 {
			var v [4]int32
			for k := range v {
				v[k] = warp[g+k] & 0xffff
			}
			for range g/4%3 + 1 {
				for d := 1; d < 4; d *= 2 {
					var w [4]int32
					for k := range v {
						w[k] = (v[k] + v[k^d]) & 0xffff
					}
					v = w
				}
				most := max(v[0], v[1], v[2], v[3])
				for k := range v {
					if most > 40000 {
						v[k]--
					}
				}
			}
			copy(out[first+g:], v[:])
		}
	})
}

// One loop in another, each left by a return from a helper, with a branch that all lanes of a warp
// leave.
//
//gocuda:kernel
func wmAllLeave(t *gocuda.Thread, in, out []int32) {
	i := slotOf(t)
	v := in[i]
	if t.WarpID()%2 == 0 {
		m := gocuda.ReduceMaxSync(t, gocuda.FullMask, v)
		if m != 0 {
			out[i] = m
			return
		}
		out[i] = t0(v) + 1
		return
	}
	for k := int32(0); ; k++ {
		s := wmFind(t, v, k)
		if s >= 0 {
			out[i] = s
			return
		}
	}
}

func t0(v int32) int32 { return v &^ v }

func wmFind(t *gocuda.Thread, v, k int32) int32 {
	for j := range int32(4) {
		found := t.BallotSync(gocuda.FullMask, v&15 == k*4+j)
		if v&15 == k*4+j {
			return k*1000 + j*100 + int32(bits.OnesCount32(found))
		}
	}
	return -1
}

// Operations under a condition that is the same for all, with the result kept over it.
//
//gocuda:kernel
func wmUniformIf(t *gocuda.Thread, n int, in, out []int32) {
	i := slotOf(t)
	v := in[i]
	w := v
	if n > 3 {
		w = gocuda.ReduceMinSync(t, gocuda.FullMask, v)
	} else {
		t.SyncWarp(gocuda.FullMask)
		w++
	}
	for k := n; k > 0; k -= 2 {
		if k == 3 {
			continue
		}
		v = w ^ gocuda.ReduceAddSync(t, gocuda.FullMask, v+int32(k))
		if k == 2 {
			break
		}
	}
	out[i] = v + w
}

func wmUniformIfWant(n int, cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		size := len(warp)
		v, w := append([]int32(nil), warp...), append([]int32(nil), warp...)
		low := warp[0]
		for _, x := range warp {
			low = min(low, x)
		}
		for l := range w {
			w[l]++
			if n > 3 {
				w[l] = low
			}
		}
		for k := n; k > 0; k -= 2 {
			if k == 3 {
				continue
			}
			sum := int32(0)
			for _, x := range v {
				sum += x + int32(k)
			}
			for l := range size {
				v[l] = w[l] ^ sum
			}
			if k == 2 {
				break
			}
		}
		for l := range size {
			out[first+l] = v[l] + w[l]
		}
	})
}

// Failures.

// The width is 3 for one thread.
//
//gocuda:kernel
func wmFailWidth(t *gocuda.Thread, who int, in, out []int32) {
	width := 32
	if unlucky(t, who) {
		width = 3
	}
	out[t.GlobalX()] = gocuda.ShflSync(t, gocuda.FullMask, in[t.GlobalX()], 0, width)
}

// One thread has forgotten itself in its mask, which is of lanes that exist in no warp of the block.
//
//gocuda:kernel
func wmFailMask(t *gocuda.Thread, who int, in, out []int32) {
	mask := uint32(1) << t.LaneID()
	if unlucky(t, who) {
		mask = 0
	}
	out[t.GlobalX()] = int32(t.BallotSync(mask, true))
}

// The same when the others name that thread.
//
//gocuda:kernel
func wmFailMaskNamed(t *gocuda.Thread, who int, in, out []int32) {
	mask := uint32(gocuda.FullMask)
	if unlucky(t, who) {
		mask = 1 << ((t.LaneID() + 1) % 32)
	}
	out[t.GlobalX()] = int32(t.BallotSync(mask, true))
}

// One thread reads a lane of the other half.
//
//gocuda:kernel
func wmFailLane(t *gocuda.Thread, who int, in, out []int32) {
	i, lane := t.GlobalX(), t.LaneID()
	from := lane ^ 1
	if unlucky(t, who) {
		from ^= 16
	}
	mask := uint32(0xffff)
	if lane >= 16 {
		mask = 0xffff0000
	}
	if lane < 16 {
		out[i] = gocuda.ShflSync(t, mask, in[i], from, 32)
	} else {
		out[i] = gocuda.ShflSync(t, mask, in[i], from, 32) + 1
	}
}

// One thread reads a lane that has returned.
//
//gocuda:kernel
func wmFailReturned(t *gocuda.Thread, who int, in, out []int32) {
	i, lane := t.GlobalX(), t.LaneID()
	if lane == 6 {
		return
	}
	from := lane
	if unlucky(t, who) {
		from = 6
	}
	v := gocuda.ReduceAddSync(t, gocuda.FullMask, in[i])
	out[i] = v + gocuda.ShflSync(t, gocuda.FullMask, in[i], from, 32)
}

// An index is out of range between operations, in a branch of some warps.
//
//gocuda:kernel
func wmFailBetween(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	if t.WarpID() == 1 {
		v = gocuda.ReduceAddSync(t, gocuda.FullMask, v)
		k := i
		if unlucky(t, who) {
			k = -1
		}
		v += in[k]
		v = gocuda.ReduceAddSync(t, gocuda.FullMask, v)
	}
	out[i] = v
}

// An operand divides by zero.
//
//gocuda:kernel
func wmFailOperand(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	d := int32(1)
	if unlucky(t, who) {
		d = 0
	}
	out[i] = gocuda.ReduceAddSync(t, gocuda.FullMask, in[i]/d)
}

var wmFailures = []Failure{
	matching(failure("wmFailWidth", 100, 40, wmFailWidth, wmFailWidthKernel, "width 3"), gocuda.ErrInvalidValue),
	matching(failure("wmFailWidth-last", 33, 32, wmFailWidth, wmFailWidthKernel, "width 3"), gocuda.ErrInvalidValue),
	matching(failure("wmFailMask", 100, 40, wmFailMask, wmFailMaskKernel, "BallotSync"), gocuda.ErrInvalidMask),
	matching(failure("wmFailMaskNamed", 100, 40, wmFailMaskNamed, wmFailMaskNamedKernel, ""), gocuda.ErrInvalidMask),
	matching(failure("wmFailMaskNamed-first", 100, 32, wmFailMaskNamed, wmFailMaskNamedKernel, ""), gocuda.ErrInvalidMask),
	matching(failure("wmFailLane", 64, 37, wmFailLane, wmFailLaneKernel, "lane 5 reads lane 20"), gocuda.ErrInactiveLane),
	matching(failure("wmFailLane-upper", 64, 63, wmFailLane, wmFailLaneKernel, "lane 31 reads lane 14"), gocuda.ErrInactiveLane),
	matching(failure("wmFailReturned", 64, 40, wmFailReturned, wmFailReturnedKernel, "lane 8 reads lane 6"), gocuda.ErrInactiveLane),
	failure("wmFailBetween", 100, 50, wmFailBetween, wmFailBetweenKernel, "index out of range [-1]"),
	failure("wmFailOperand", 100, 99, wmFailOperand, wmFailOperandKernel, "integer divide by zero"),
}

var wmCases = []Case{
	perThread("wmBreakAfterOp", anywhere, wmBreakAfterOp, wmBreakAfterOpKernel, wmBreakAfterOpWant),
	perThread("wmReturnInHalf", anywhere, wmReturnInHalf, wmReturnInHalfKernel, func(cfg grid.Config, in, out []int32) {
		perWarp(cfg, in, func(first int, warp []int32) {
			most, sum := warp[0], int32(0)
			for lane, v := range warp {
				if lane < 16 {
					most = max(most, v)
				} else {
					sum += v
				}
			}
			for lane := range warp {
				out[first+lane] = most
				if lane >= 16 {
					out[first+lane] = sum
				}
			}
		})
	}),
	perThread("wmElseReturn", anywhere, wmElseReturn, wmElseReturnKernel, wmElseReturnWant),
	perThread("wmThenReturn", anywhere, wmThenReturn, wmThenReturnKernel, wmElseReturnWant),
	perThread("wmQuarters", anywhere, wmQuarters, wmQuartersKernel, wmQuartersWant),
	perThread("wmShortCircuit", anywhere, wmShortCircuit, wmShortCircuitKernel, wmShortCircuitWant),
	perThread("wmHelperLoop", anywhere, wmHelperLoop, wmHelperLoopKernel, wmHelperLoopWant),
	perThread("wmSwitch", anywhere, wmSwitch, wmSwitchKernel, wmSwitchWant),
	perThread("wmContinue", anywhere, wmContinue, wmContinueKernel, wmContinueWant),
	perThread("wmBarriers", anywhere, wmBarriers, wmBarriersKernel, wmBarriersWant),
	perThread("wmStruct", anywhere, wmStruct, wmStructKernel, wmStructWant),
	perThread("wmExchange", anywhere, wmExchange, wmExchangeKernel, wmExchangeWant),
	perThread("wmUntilAll", anywhere, wmUntilAll, wmUntilAllKernel, wmUntilAllWant),
	perThread("wmNarrow", anywhere, wmNarrow, wmNarrowKernel, wmNarrowWant),
	perThread("wmGeneric-int8", anywhere, wmGeneric[int8], wmGenericKernel[int8], wmGenericWant[int8]),
	perThread("wmGeneric-int32", anywhere, wmGeneric[int32], wmGenericKernel[int32], wmGenericWant[int32]),
	perThread("wmGeneric-uint32", anywhere, wmGeneric[uint32], wmGenericKernel[uint32], wmGenericWant[uint32]),
	perThread("wmGeneric-uint64", anywhere, wmGeneric[uint64], wmGenericKernel[uint64], wmGenericWant[uint64]),
	perThread("wmUnused", anywhere, wmUnused, wmUnusedKernel, wmUnusedWant),
	wmOperandsCase(7, 3, 8), wmOperandsCase(-1, 0, 1), wmOperandsCase(0, 31, 32),
	perThread("wmLabels", anywhere, wmLabels, wmLabelsKernel, wmLabelsWant),
	perThread("wmReturnInLoop", anywhere, wmReturnInLoop, wmReturnInLoopKernel, wmReturnInLoopWant),
	perThread("wmDistinct", anywhere, wmDistinct, wmDistinctKernel, wmDistinctWant),
	perThread("wmSyncPlaces", anywhere, wmSyncPlaces, wmSyncPlacesKernel, func(cfg grid.Config, in, out []int32) {
		perWarp(cfg, in, func(first int, warp []int32) {
			for lane := range warp {
				out[first+lane] = warp[0] * 2
			}
			out[first] = warp[0]
		})
	}),
	perThread("wmClosure", anywhere, wmClosure, wmClosureKernel, wmClosureWant),
	perThread("wmOwnRounds", anywhere, wmOwnRounds, wmOwnRoundsKernel, wmOwnRoundsWant),
	perThread("wmSomeWarps", anywhere, wmSomeWarps, wmSomeWarpsKernel, wmSomeWarpsWant),
	wmStrideCase(1777),
	perThread("wmTiles", warps, wmTiles, wmTilesKernel, wmTilesWant),
	withParameter("wmUniformIf-8", anywhere, 8, wmUniformIf, wmUniformIfKernel, wmUniformIfWant),
	withParameter("wmUniformIf-3", anywhere, 3, wmUniformIf, wmUniformIfKernel, wmUniformIfWant),
	withParameter("wmUniformIf-0", anywhere, 0, wmUniformIf, wmUniformIfKernel, wmUniformIfWant),
}

func wmOperandsCase(v, b, width int) Case {
	return perThread(fmt.Sprintf("wmOperands-%d-%d-%d", v, b, width), warps, func(t *gocuda.Thread, in, out []int32) { wmOperands(t, gocuda.FullMask, v, b, width, in, out) },
		func(in, out []int32) gocuda.Kernel { return wmOperandsKernel(gocuda.FullMask, v, b, width, in, out) }, wmOperandsWant(v, b, width))
}

// More: statements that all lanes that are there take together, in places that not all lanes came to.

// A return that all of the lower half take, by a parameter.
//
//gocuda:kernel
func wmLeaveReturn(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	if t.LaneID() < 16 {
		v = gocuda.ReduceMaxSync(t, 0xffff, v)
		out[i] = v
		if n > 3 {
			return
		}
		v++
	}
	v += 2
	t.SyncWarp(gocuda.FullMask)
	out[i] = v
}

func wmLeaveReturnWant(n int, cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		most := warp[0]
		for lane, v := range warp {
			if lane < 16 {
				most = max(most, v)
			}
		}
		for lane, v := range warp {
			switch {
			case lane >= 16:
				out[first+lane] = v + 2
			case n > 3:
				out[first+lane] = most
			default:
				out[first+lane] = most + 3
			}
		}
	})
}

// A return from a loop that other lanes have left before.
//
//gocuda:kernel
func wmLeaveLoop(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	rounds := int(in[i] & 7)
	v := int32(0)
	for k := 0; k < rounds; k++ {
		v = v*2 + gocuda.ReduceAddSync(t, t.ActiveMask(), int32(k+1))
		if k == 4 {
			out[i] = v
			return
		}
	}
	out[i] = v + 1000
}

// The same with a break of the loop around it.
//
//gocuda:kernel
func wmLeaveOuter(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	rounds := int(in[i] & 7)
	v := int32(0)
	var m [8]uint32
	for k := range m {
		m[k] = t.BallotSync(gocuda.FullMask, rounds > k)
	}
	gone := uint32(0)
outer:
	for a := 0; a < 2; a++ {
		for k := 0; k < rounds; k++ {
			v = v*2 + gocuda.ReduceAddSync(t, m[k]&^gone, int32(k+1))
			if k == 4 {
				break outer
			}
		}
		v += 1000
		gone = m[4]
	}
	out[i] = v
}

// The same with a continue of the loop around it.
//
//gocuda:kernel
func wmLeaveContinue(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	rounds := int(in[i] & 7)
	v := int32(0)
	var m [8]uint32
	for k := range m {
		m[k] = t.BallotSync(gocuda.FullMask, rounds > k)
	}
outer:
	for range 2 {
		for k := 0; k < rounds; k++ {
			v = v*2 + gocuda.ReduceAddSync(t, m[k], int32(k+1))
			if k == 4 {
				continue outer
			}
		}
		v += 1000
	}
	out[i] = v
}

// wmRounds returns what a lane that makes so many rounds computes, from v on.
func wmRounds(warp []int32, of, v int32, on func(lane int) bool) int32 {
	for k := range of {
		n := int32(0)
		for lane, w := range warp {
			if w&7 > k && on(lane) {
				n++
			}
		}
		v = v*2 + n*(k+1)
	}
	return v
}

func wmLeaveWant(then func(warp []int32, rounds int32) int32) func(grid.Config, []int32, []int32) {
	return func(cfg grid.Config, in, out []int32) {
		perWarp(cfg, in, func(first int, warp []int32) {
			for lane, w := range warp {
				out[first+lane] = then(warp, w&7)
			}
		})
	}
}

// A break of an inner loop by all that are in it, which not all are; the loop goes on for the others.
//
//gocuda:kernel
func wmLeaveInner(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	rounds := int(in[i] & 7)
	v := int32(0)
	for a := 0; a < 3; a++ {
		for k := 0; k < rounds; k++ {
			v = v*2 + gocuda.ReduceAddSync(t, t.ActiveMask(), int32(k+1))
			if k == 4 {
				break
			}
			if k == 1 {
				continue
			}
			v++
		}
		v += gocuda.ReduceMaxSync(t, gocuda.FullMask, v&0xff)
	}
	out[i] = v
}

func wmLeaveInnerWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		v := make([]int32, len(warp))
		for range 3 {
			most := int32(0)
			for lane, w := range warp {
				for k := range min(w&7, 5) {
					n := int32(0)
					for _, x := range warp {
						if x&7 > k {
							n++
						}
					}
					v[lane] = v[lane]*2 + n*(k+1)
					if k != 4 && k != 1 {
						v[lane]++
					}
				}
				most = max(most, v[lane]&0xff)
			}
			for lane := range v {
				v[lane] += most
			}
		}
		copy(out[first:], v)
	})
}

// Lanes find something in a loop and are done; the others search on with the full mask.
//
//gocuda:kernel
func wmDone(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	k := int32(0)
	for {
		found := t.BallotSync(gocuda.FullMask, in[i]&7 == k)
		if in[i]&7 == k {
			k = k*100 + int32(bits.OnesCount32(found))
			break
		}
		k++
	}
	out[i] = k
}

// The same with a return from a helper.
//
//gocuda:kernel
func wmDoneHelper(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	out[i] = wmSearch(t, in[i]&7)
}

func wmSearch(t *gocuda.Thread, v int32) int32 {
	for k := int32(0); ; k++ {
		found := t.BallotSync(gocuda.FullMask, v == k)
		if v == k {
			return k*100 + int32(bits.OnesCount32(found))
		}
	}
}

// And with a loop around, of which all lanes make the last round.
//
//gocuda:kernel
func wmDoneTwice(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i] & 7
	for base := int32(0); base < 8; base += 4 {
		s := int32(-1)
		for k := range int32(4) {
			found := t.BallotSync(gocuda.FullMask, v == base+k)
			if v == base+k {
				s = v*100 + int32(bits.OnesCount32(found))
				break
			}
		}
		if s >= 0 {
			out[i] = s
			return
		}
	}
}

func wmDoneWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		for lane, v := range warp {
			n := int32(0)
			for _, w := range warp {
				if w&7 == v&7 {
					n++
				}
			}
			out[first+lane] = v&7*100 + n
		}
	})
}

// Lanes of the else return, behind a branch of their own; the others have met with the full mask
// before.
//
//gocuda:kernel
func wmElseLater(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	var a uint32
	if v%3 != 0 {
		a = t.BallotSync(gocuda.FullMask, v > 0)
	} else {
		out[i] = 7
		if v%2 == 0 {
			out[i] = 7
			return
		}
		if v%2 != 0 {
			return
		}
	}
	out[i] = gocuda.ReduceAddSync(t, gocuda.FullMask, v) ^ int32(a)
}

// Lane 0 writes, the others read, at a SyncWarp of their own, and all meet later.
//
//gocuda:kernel
func wmSyncLater(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 32)
	i := t.GlobalX()
	v := in[i]
	if t.LaneID() == 0 {
		s[t.WarpID()] = v * 2
		t.SyncWarp(gocuda.FullMask)
	} else {
		t.SyncWarp(gocuda.FullMask)
		v = s[t.WarpID()]
	}
	out[i] = gocuda.ReduceAddSync(t, gocuda.FullMask, v)
}

// A switch by lane with operations, one of which is left early, in a loop with barriers.
//
//gocuda:kernel
func wmLaneSwitch(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, rank := t.GlobalX(), t.Rank()
	v := in[i] & 0xffff
	for k := range int32(3) {
		var m [3]uint32
		for c := range int32(3) {
			m[c] = t.BallotSync(gocuda.FullMask, v%3 == c)
		}
		switch v % 3 {
		case 0:
			v += gocuda.ReduceAddSync(t, m[0], v&0xff)
			if v%2 == 0 {
				break
			}
			v += 5
		case 1:
			v ^= int32(bits.OnesCount32(t.BallotSync(m[1], v > 1000)))
		default:
			v = gocuda.ShflSync(t, m[2], v, bits.TrailingZeros32(m[2]), 32) + k
		}
		s[rank] = v
		t.SyncThreads()
		v = (v + s[(rank+1)%t.BlockDim.X]) & 0xffff
		t.SyncThreads()
	}
	out[i] = v
}

func wmLaneSwitchWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		v := make([]int32, n)
		for i := range v {
			v[i] = in[first+i] & 0xffff
		}
		for k := range int32(3) {
			w := make([]int32, n)
			for i, x := range v {
				a := i / 32 * 32
				sum, large, head := int32(0), int32(0), int32(-1)
				for _, y := range v[a:min(a+32, n)] {
					switch y % 3 {
					case 0:
						sum += y & 0xff
					case 1:
						if y > 1000 {
							large++
						}
					case 2:
						if head < 0 {
							head = y
						}
					}
				}
				switch x % 3 {
				case 0:
					w[i] = x + sum
					if w[i]%2 != 0 {
						w[i] += 5
					}
				case 1:
					w[i] = x ^ large
				case 2:
					w[i] = head + k
				}
			}
			for i := range v {
				v[i] = (w[i] + w[(i+1)%n]) & 0xffff
			}
		}
		copy(out, v)
	})
}

// Some lanes return in one branch and all in the other, with operations before and behind that.
//
//gocuda:kernel
func wmMixedReturns(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	odd := t.BallotSync(gocuda.FullMask, v&1 != 0)
	if v&1 != 0 {
		sum := gocuda.ReduceAddSync(t, odd, v)
		if v&2 != 0 {
			out[i] = sum
			return
		}
		left := t.BallotSync(odd, true)
		if v&4 != 0 {
			v = int32(left)
		} else {
			v = gocuda.ReduceMinSync(t, left&t.BallotSync(t.ActiveMask(), true), v)
		}
	} else {
		v = gocuda.ReduceMaxSync(t, ^odd, v)
		out[i] = v
		return
	}
	out[i] = v ^ gocuda.ReduceOrSync(t, gocuda.FullMask, int32(1)<<(t.LaneID()/2))
}

func wmMixedReturnsWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		sum, left, or, low, most := int32(0), uint32(0), int32(0), int32(1<<31-1), int32(-1<<31)
		for lane, v := range warp {
			if v&1 == 0 {
				most = max(most, v)
				continue
			}
			sum += v
			if v&2 == 0 {
				left |= 1 << lane
				or |= 1 << (lane / 2)
				if v&4 == 0 {
					low = min(low, v)
				}
			}
		}
		for lane, v := range warp {
			switch {
			case v&1 == 0:
				out[first+lane] = most
			case v&2 != 0:
				out[first+lane] = sum
			case v&4 != 0:
				out[first+lane] = int32(left) ^ or
			default:
				out[first+lane] = low ^ or
			}
		}
	})
}

// Places as operands, counters of loops as lanes, and slices and pointers through shuffles.
//
//gocuda:kernel
func wmPlaces(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	lane := t.LaneID()
	n := min(32, t.BlockDim.X-t.WarpID()*32)
	r := 0
	for k := 0; k < n; k++ {
		r = r*3 + gocuda.ShflSync(t, gocuda.FullMask, i, k, 32)
		r ^= gocuda.ShflSync(t, gocuda.FullMask, k, lane, 32)
	}
	r += gocuda.ReduceMaxSync(t, gocuda.FullMask, lane) + gocuda.ReduceAddSync(t, gocuda.FullMask, t.ThreadIdx.X)
	part := gocuda.ShflSync(t, gocuda.FullMask, in[i:], 0, 32)
	out[i] = int32(r) + part[lane]*3 + in[i-lane+n-1]
}

// A pointer goes through a shuffle, which is not translated.
//
//gocuda:kernel
func wmPointer(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	at := gocuda.ShflSync(t, gocuda.FullMask, &in[i], 0, 32)
	out[i] = *at
}

func wmPlacesWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		n, r := len(warp), 0
		tid := first % cfg.Threads()
		for k := range n {
			r = (r*3 + first + k) ^ k
		}
		r += n - 1 + n*tid + n*(n-1)/2
		for lane := range warp {
			out[first+lane] = int32(r) + warp[lane]*3 + warp[n-1]
		}
	})
}

// A vote decides for each warp how a loop with barriers of the block goes on; the results are kept
// for long.
//
//gocuda:kernel
func wmKept(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, rank, n := t.GlobalX(), t.Rank(), t.BlockDim.X
	any := t.AnySync(gocuda.FullMask, in[i] > 2_000_000_000)
	first := gocuda.ShflSync(t, gocuda.FullMask, in[i], 0, 32)
	same, all := gocuda.MatchAllSync(t, gocuda.FullMask, in[i]&16)
	v := in[i]
	for k := 0; k < 4; k++ {
		s[rank] = v
		t.SyncThreads()
		if any {
			v += s[(rank+k)%n]
		} else {
			v -= s[(rank+k)%n]
		}
		t.SyncThreads()
	}
	if !all {
		v ^= first
	}
	out[i] = v + int32(same)
}

func wmKeptWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		v := append([]int32(nil), in[first:first+n]...)
		large := make([]bool, n)
		same := make([]int32, n)
		perWarp(grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: n}}, in[first:first+n], func(first int, warp []int32) {
			some, ones := false, 0
			for _, v := range warp {
				some = some || v > 2_000_000_000
				ones += int(v >> 4 & 1)
			}
			for lane := range warp {
				large[first+lane] = some
				if ones == 0 || ones == len(warp) {
					same[first+lane] = int32(uint32(1<<len(warp) - 1))
				}
			}
		})
		for k := range 4 {
			w := make([]int32, n)
			for i := range v {
				w[i] = v[i] - v[(i+k)%n]
				if large[i] {
					w[i] = v[i] + v[(i+k)%n]
				}
			}
			v = w
		}
		for i := range v {
			if same[i] == 0 {
				v[i] ^= in[first+i/32*32]
			}
			out[i] = v[i] + same[i]
		}
	})
}

var wmCases2 = []Case{
	withParameter("wmLeaveReturn-4", linear, 4, wmLeaveReturn, wmLeaveReturnKernel, wmLeaveReturnWant),
	withParameter("wmLeaveReturn-3", linear, 3, wmLeaveReturn, wmLeaveReturnKernel, wmLeaveReturnWant),
	perThread("wmLeaveLoop", linear, wmLeaveLoop, wmLeaveLoopKernel, wmLeaveWant(func(warp []int32, rounds int32) int32 {
		all := func(int) bool { return true }
		if rounds > 4 {
			return wmRounds(warp, 5, 0, all)
		}
		return wmRounds(warp, rounds, 0, all) + 1000
	})),
	perThread("wmLeaveOuter", linear, wmLeaveOuter, wmLeaveOuterKernel, wmLeaveOuterWant),
	perThread("wmLeaveContinue", linear, wmLeaveContinue, wmLeaveContinueKernel, wmLeaveContinueWant),
	perThread("wmLeaveInner", linear, wmLeaveInner, wmLeaveInnerKernel, wmLeaveInnerWant),
	perThread("wmDone", linear, wmDone, wmDoneKernel, wmDoneWant),
	perThread("wmDoneHelper", linear, wmDoneHelper, wmDoneHelperKernel, wmDoneWant),
	perThread("wmLaneSwitch", linear, wmLaneSwitch, wmLaneSwitchKernel, wmLaneSwitchWant),
	perThread("wmMixedReturns", linear, wmMixedReturns, wmMixedReturnsKernel, wmMixedReturnsWant),
	perThread("wmPlaces", linear, wmPlaces, wmPlacesKernel, wmPlacesWant),
	perThread("wmKept", linear, wmKept, wmKeptKernel, wmKeptWant),
}

var wmLeaveOuterWant = wmLeaveWant(func(warp []int32, rounds int32) int32 {
	if rounds > 4 {
		return wmRounds(warp, 5, 0, func(int) bool { return true })
	}
	v := wmRounds(warp, rounds, 0, func(int) bool { return true }) + 1000
	return wmRounds(warp, rounds, v, func(lane int) bool { return warp[lane]&7 <= 4 }) + 1000
})

var wmLeaveContinueWant = wmLeaveWant(func(warp []int32, rounds int32) int32 {
	v := int32(0)
	for range 2 {
		v = wmRounds(warp, min(rounds, 5), v, func(int) bool { return true })
		if rounds <= 4 {
			v += 1000
		}
	}
	return v
})

// Values that are the same for all, assigned in branches and loops that only some lanes come to.
//
//gocuda:kernel
func wmParted(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	a, b, c := 3, n, int32(0)
	if t.WarpID() == 1 {
		t.SyncWarp(gocuda.FullMask)
		a = 5
		for b = 0; b < n+2; b++ {
			c += gocuda.ReduceMaxSync(t, gocuda.FullMask, int32(b))
		}
	} else if t.LaneID()%2 == 0 {
		a = n
		t.SyncWarp(0x55555555)
		b += a
		a++
	}
	d := a * 2
	for d < 9 {
		d += 1 + t.WarpID()
		t.SyncWarp(t.ActiveMask())
	}
	t.SyncThreads()
	a = a * 100
	out[i] = int32(a+b*3+d*7) + c
}

func wmPartedWant(n int, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, _ int, out []int32) {
		for i := range out {
			w := i / 32
			a, b, c := 3, n, 0
			if w == 1 {
				a, b, c = 5, max(n+2, 0), 0
				for k := range b {
					c += k
				}
			} else if i%2 == 0 {
				a, b = n+1, n+n
			}
			d := a * 2
			for d < 9 {
				d += 1 + w
			}
			out[i] = int32(a*100 + b*3 + d*7 + c)
		}
	})
}

// An operation in the else, and a break behind it.
//
//gocuda:kernel
func wmBreakElse(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	v := in[i] & 7
	mask := t.BallotSync(gocuda.FullMask, true)
	for k := int32(0); k < 8; k++ {
		stop := t.BallotSync(mask, v == k)
		if v != k {
			mask &^= stop
		} else {
			v = v*100 + gocuda.ReduceAddSync(t, stop, int32(1))
			break
		}
	}
	out[i] = v
}

// A helper returns from its loop behind an operation.
//
//gocuda:kernel
func wmBreakHelper(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	out[i] = wmSearchAll(t, in[i]&7)
}

func wmSearchAll(t *gocuda.Thread, v int32) int32 {
	mask := t.BallotSync(gocuda.FullMask, true)
	for k := int32(0); ; k++ {
		stop := t.BallotSync(mask, v == k)
		if v == k {
			return v*100 + gocuda.ReduceAddSync(t, stop, int32(1))
		}
		mask &^= stop
	}
}

// A helper without a loop returns behind an operation, in the middle.
//
//gocuda:kernel
func wmReturnHelper(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	a := wmThird(t, in[i])
	out[i] = a + wmThird(t, in[i]+1)*3
}

func wmThird(t *gocuda.Thread, v int32) int32 {
	third := t.BallotSync(gocuda.FullMask, v&3 == 3)
	if v&3 == 3 {
		n := gocuda.ReduceAddSync(t, third, int32(1))
		if n > 3 {
			return gocuda.ReduceMinSync(t, third, v)
		}
		v = n
	} else if v&3 == 2 {
		return -1
	}
	return v + 1
}

func wmReturnHelperWant(cfg grid.Config, in, out []int32) {
	perWarp(cfg, in, func(first int, warp []int32) {
		third := func(d int32) (n, low int32) {
			low = 1<<31 - 1
			for _, v := range warp {
				if (v+d)&3 == 3 {
					n++
					low = min(low, v+d)
				}
			}
			return n, low
		}
		for lane, w := range warp {
			var r [2]int32
			for d := range int32(2) {
				v := w + d
				n, low := third(d)
				switch {
				case v&3 == 3 && n > 3:
					r[d] = low
				case v&3 == 3:
					r[d] = n + 1
				case v&3 == 2:
					r[d] = -1
				default:
					r[d] = v + 1
				}
			}
			out[first+lane] = r[0] + r[1]*3
		}
	})
}

var wmCases3 = []Case{
	withParameter("wmParted-2", linear, 2, wmParted, wmPartedKernel, wmPartedWant),
	withParameter("wmParted-0", linear, 0, wmParted, wmPartedKernel, wmPartedWant),
	withParameter("wmParted-7", linear, 7, wmParted, wmPartedKernel, wmPartedWant),
	perThread("wmBreakElse", linear, wmBreakElse, wmBreakElseKernel, wmDoneWant),
	perThread("wmBreakHelper", linear, wmBreakHelper, wmBreakHelperKernel, wmDoneWant),
	perThread("wmReturnHelper", linear, wmReturnHelper, wmReturnHelperKernel, wmReturnHelperWant),
}
