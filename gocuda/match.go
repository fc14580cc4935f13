package gocuda

import (
	"math/bits"

	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
)

// Matchable is the types that MatchAnySync and MatchAllSync compare: CUDA's 32- and 64-bit integers
// and floating-point numbers, and Go's other integers.
type Matchable interface {
	Integer | ~float32 | ~float64
}

// Integer is any integer type.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// MatchAnySync returns the lanes in mask whose v equals the caller's, CUDA's __match_any_sync.
// Floating-point values are compared by their bits, as CUDA does: a NaN matches itself, 0 does not
// match -0.
func MatchAnySync[T Matchable](t *Thread, mask uint32, v T) uint32 {
	t.mayWait(opMatchAny)
	return uint32(t.meetWarp(opMatchAny, mask, false, rt.BitsOf(v), 0, typeTag[T]()).bits)
}

// MatchAllSync returns the lanes in mask that have not returned, and true, if v is the same in all of
// them; otherwise 0 and false. CUDA's __match_all_sync. Values are compared as in MatchAnySync.
func MatchAllSync[T Matchable](t *Thread, mask uint32, v T) (uint32, bool) {
	t.mayWait(opMatchAll)
	all := uint32(t.meetWarp(opMatchAll, mask, false, rt.BitsOf(v), 0, typeTag[T]()).bits)
	return all, all != 0
}

// matchAny replaces each lane's operand by the set of lanes with the same one.
//
//go:norace
func matchAny(lanes *[grid.WarpSize]laneState, arrived uint32) {
	for rest := arrived; rest != 0; {
		v := lanes[bits.TrailingZeros32(rest)].bits
		var same uint32
		for s := rest; s != 0; s &= s - 1 {
			if i := bits.TrailingZeros32(s); lanes[i].bits == v {
				same |= 1 << i
			}
		}
		rest &^= same
		for s := same; s != 0; s &= s - 1 {
			lanes[bits.TrailingZeros32(s)].bits = uint64(same)
		}
	}
}

// matchAll returns arrived if all lanes have the same operand, and else 0.
//
//go:norace
func matchAll(lanes *[grid.WarpSize]laneState, arrived uint32) uint32 {
	v := lanes[bits.TrailingZeros32(arrived)].bits
	for s := arrived; s != 0; s &= s - 1 {
		if lanes[bits.TrailingZeros32(s)].bits != v {
			return 0
		}
	}
	return arrived
}
