package gocuda_test

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// lanesAt calls f for each lane of a thread's warp that is still there in a round, by its rank.
func lanesAt(n, rank, round int, rounds func(rank int) int, f func(lane, rank int)) {
	for l := range liveLanes(n, rank) {
		if r := rank/32*32 + l; rounds(r) > round {
			f(l, r)
		}
	}
}

func voteRows() (rows []row) {
	for _, l := range leavers {
		rows = append(rows, noComplaint("votes: "+l.name, shapes, func(cfg grid.Config) func(*gocuda.Thread) string {
			return votes(cfg, l.rounds)
		}))
	}
	few := []grid.Config{{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 80}}}
	return append(rows,
		noComplaint("votes of some lanes", shapes, votesOfSome),
		reduceRow[int32]("int32", shapes), reduceRow[uint64]("uint64", shapes),
		reduceRow[int8]("int8", few), reduceRow[int16]("int16", few), reduceRow[int64]("int64", few), reduceRow[int]("int", few),
		reduceRow[uint8]("uint8", few), reduceRow[uint16]("uint16", few), reduceRow[uint32]("uint32", few),
		reduceRow[uint]("uint", few), reduceRow[uintptr]("uintptr", few), reduceRow[grade]("a named type", few),
	)
}

type grade int8

// votes: lanes vote, and return one after the other, as rounds says.
func votes(cfg grid.Config, rounds func(n, block, rank int) int) func(*gocuda.Thread) string {
	n := cfg.Threads()
	pred := func(round, block, rank int) bool {
		return []bool{mix(round, block, rank)%2 == 0, true, false, rank%32 != 5, rank%32 == 9}[round%5]
	}
	return func(t *gocuda.Thread) string {
		b, r := blockOf(t), rankOf(t)
		mine := func(rank int) int { return rounds(n, b, rank) }
		for i := range mine(r) {
			var there, yes uint32
			lanesAt(n, r, i, mine, func(lane, rank int) {
				there |= 1 << lane
				if pred(i, b, rank) {
					yes |= 1 << lane
				}
			})
			p := pred(i, b, r)
			if got := t.BallotSync(gocuda.FullMask, p); got != yes {
				return fmt.Sprintf("round %d: BallotSync is %#x, want %#x of %#x", i, got, yes, there)
			}
			if got := t.AllSync(gocuda.FullMask, p); got != (yes == there) {
				return fmt.Sprintf("round %d: AllSync is %v, with %#x of %#x", i, got, yes, there)
			}
			if got := t.AnySync(gocuda.FullMask, p); got != (yes != 0) {
				return fmt.Sprintf("round %d: AnySync is %v, with %#x of %#x", i, got, yes, there)
			}
			if got := gocuda.ReduceAddSync(t, gocuda.FullMask, uint32(1)<<(r%32)); got != there {
				return fmt.Sprintf("round %d: ReduceAddSync saw %#x, want %#x", i, got, there)
			}
			if got := gocuda.MatchAnySync(t, gocuda.FullMask, pick(p, 1, 0)); got != pickMask(p, yes, there) {
				return fmt.Sprintf("round %d: MatchAnySync is %#x, want %#x", i, got, pickMask(p, yes, there))
			}
		}
		return ""
	}
}

// pickMask returns the lanes that voted as p did.
func pickMask(p bool, yes, there uint32) uint32 {
	if p {
		return yes
	}
	return there &^ yes
}

func votesOfSome(cfg grid.Config) func(*gocuda.Thread) string {
	n := cfg.Threads()
	return func(t *gocuda.Thread) string {
		r := rankOf(t)
		lane := r % 32
		for _, mask := range []uint32{0x00000001, 0x0f0f0f0f, 0x80000001, 0xfffffffe, 0x7fffffff} {
			if mask>>lane&1 == 0 {
				continue
			}
			there := mask & liveMask(n, r)
			if got, want := t.BallotSync(mask, lane%4 < 2), there&0x33333333; got != want {
				return fmt.Sprintf("ballot of %#x: got %#x, want %#x", mask, got, want)
			}
			if got := t.AllSync(mask, mask>>lane&1 == 1); !got {
				return fmt.Sprintf("all of %#x: false", mask)
			}
			if got, want := t.AnySync(mask, lane == 24), there>>24&1 == 1; got != want {
				return fmt.Sprintf("any of %#x: got %v, want %v", mask, got, want)
			}
		}
		return ""
	}
}

// reduceRow: the six reductions of one type, over whole and partial warps, over parts of a warp, and
// over what is left of one.
func reduceRow[T gocuda.Integer](name string, shapes []grid.Config) row {
	return noComplaint("reductions of "+name, shapes, func(cfg grid.Config) func(*gocuda.Thread) string {
		n := cfg.Threads()
		value := func(i, block, rank int) T {
			v := T(mix(i, block, rank)) << (mix(rank, i, 1) % 60)
			switch i {
			case 0: // small ones, negative where the type can be
				return T(rank%32) - 50
			case 1:
				return ^T(0) << (rank % 8)
			}
			return v
		}
		return func(t *gocuda.Thread) string {
			b, r := blockOf(t), rankOf(t)
			rounds := func(rank int) int { return pick(rank%5 == 2, 3, 5) }
			for i := range rounds(r) {
				mask := uint32(gocuda.FullMask)
				if i == 3 {
					mask = 0x0000ffff << (r % 32 / 16 * 16)
				}
				var sum, least, most, and, or, xor T
				first := true
				lanesAt(n, r, i, rounds, func(lane, rank int) {
					if mask>>lane&1 == 0 {
						return
					}
					v := value(i, b, rank)
					if first {
						least, most, and = v, v, v
						first = false
					}
					sum += v
					least, most = min(least, v), max(most, v)
					and, or, xor = and&v, or|v, xor^v
				})
				v := value(i, b, r)
				got := [6]T{gocuda.ReduceAddSync(t, mask, v), gocuda.ReduceMinSync(t, mask, v), gocuda.ReduceMaxSync(t, mask, v),
					gocuda.ReduceAndSync(t, mask, v), gocuda.ReduceOrSync(t, mask, v), gocuda.ReduceXorSync(t, mask, v)}
				if want := [6]T{sum, least, most, and, or, xor}; got != want {
					return differ(fmt.Sprintf("round %d: add, min, max, and, or, xor", i), got, want)
				}
			}
			return ""
		}
	})
}

func matchRows() []row {
	nan := math.NaN()
	otherNaN := math.Float64frombits(math.Float64bits(nan) ^ 1)
	nan32 := float32(nan)
	return []row{
		matchRow("int32", []int32{5, -5, 0, math.MinInt32}, func(v int32) uint64 { return uint64(uint32(v)) }),
		matchRow("uint64", []uint64{1, 1 << 32, 1<<32 + 1, 0}, func(v uint64) uint64 { return v }),
		matchRow("int8", []int8{1, -1, 127, -128}, func(v int8) uint64 { return uint64(uint8(v)) }),
		matchRow("int", []int{1, -1, math.MaxInt, math.MinInt}, func(v int) uint64 { return uint64(v) }),
		matchRow("float64", []float64{0, math.Copysign(0, -1), nan, otherNaN, math.Inf(1), 1, math.SmallestNonzeroFloat64}, math.Float64bits),
		matchRow("float32", []float32{0, float32(math.Copysign(0, -1)), nan32, math.Float32frombits(math.Float32bits(nan32) ^ 1), 1},
			func(v float32) uint64 { return uint64(math.Float32bits(v)) }),
		matchRow("a named float", []celsius{0, celsius(math.Copysign(0, -1)), celsius(nan32), 1},
			func(v celsius) uint64 { return uint64(math.Float32bits(float32(v))) }),
	}
}

// matchRow: MatchAny and MatchAll of values that repeat, compared by their bits.
func matchRow[T gocuda.Matchable](name string, values []T, key func(T) uint64) row {
	return noComplaint("match of "+name, shapes, func(cfg grid.Config) func(*gocuda.Thread) string {
		n := cfg.Threads()
		value := func(i, block, rank int) T {
			if i < len(values) { // the same in all
				return values[i]
			}
			if i == len(values) { // the same in all but one
				return values[pick(rank%32 == 7, 1, 0)]
			}
			return values[mix(i, block, rank)%len(values)]
		}
		rounds := func(rank int) int { return pick(rank%7 == 3, len(values)+1, len(values)+4) }
		return func(t *gocuda.Thread) string {
			b, r := blockOf(t), rankOf(t)
			for i := range rounds(r) {
				v := value(i, b, r)
				var same, there uint32
				lanesAt(n, r, i, rounds, func(lane, rank int) {
					there |= 1 << lane
					if key(value(i, b, rank)) == key(v) {
						same |= 1 << lane
					}
				})
				if got := gocuda.MatchAnySync(t, gocuda.FullMask, v); got != same {
					return fmt.Sprintf("round %d: MatchAnySync of %v is %#x, want %#x of %#x", i, v, got, same, there)
				}
				got, all := gocuda.MatchAllSync(t, gocuda.FullMask, v)
				if same == there && (got != there || !all) || same != there && (got != 0 || all) {
					return fmt.Sprintf("round %d: MatchAllSync is %#x, %v, with %#x of %#x the same", i, got, all, same, there)
				}
			}
			return ""
		}
	})
}
