package gocuda

import (
	"math/bits"
	"unsafe"

	"github.com/gocuda/gocuda/grid"
)

// Warp reductions. CUDA has them for 32-bit integers; here they take any integer type.

// ReduceAddSync returns the sum of v over the lanes in mask, wrapping around as integers do: CUDA's
// __reduce_add_sync.
func ReduceAddSync[T Integer](t *Thread, mask uint32, v T) T {
	return reduceSync(t, opReduceAdd, mask, v)
}

// ReduceMinSync returns the smallest v of the lanes in mask, CUDA's __reduce_min_sync.
func ReduceMinSync[T Integer](t *Thread, mask uint32, v T) T {
	if ^T(0) > 0 {
		return reduceSync(t, opReduceMinU, mask, v)
	}
	return reduceSync(t, opReduceMin, mask, v)
}

// ReduceMaxSync returns the largest v of the lanes in mask, CUDA's __reduce_max_sync.
func ReduceMaxSync[T Integer](t *Thread, mask uint32, v T) T {
	if ^T(0) > 0 {
		return reduceSync(t, opReduceMaxU, mask, v)
	}
	return reduceSync(t, opReduceMax, mask, v)
}

// ReduceAndSync returns the bitwise AND of v over the lanes in mask, CUDA's __reduce_and_sync.
func ReduceAndSync[T Integer](t *Thread, mask uint32, v T) T {
	return reduceSync(t, opReduceAnd, mask, v)
}

// ReduceOrSync returns the bitwise OR of v over the lanes in mask, CUDA's __reduce_or_sync.
func ReduceOrSync[T Integer](t *Thread, mask uint32, v T) T {
	return reduceSync(t, opReduceOr, mask, v)
}

// ReduceXorSync returns the bitwise XOR of v over the lanes in mask, CUDA's __reduce_xor_sync.
func ReduceXorSync[T Integer](t *Thread, mask uint32, v T) T {
	return reduceSync(t, opReduceXor, mask, v)
}

// reduceSync reduces in 64 bits: sign-extended, so that the order of signed numbers stays.
func reduceSync[T Integer](t *Thread, kind op, mask uint32, v T) T {
	t.mayWait(kind)
	return T(t.meetWarp(kind, mask, false, extend(v), 0, typeTag[T]()).bits)
}

func extend[T Integer](v T) uint64 {
	if ^T(0) > 0 || unsafe.Sizeof(v) == 8 {
		return uint64(v)
	}
	return uint64(int64(v))
}

//go:norace
func reduce(kind op, lanes *[grid.WarpSize]laneState, arrived uint32) uint64 {
	r := lanes[bits.TrailingZeros32(arrived)].bits
	for s := arrived & (arrived - 1); s != 0; s &= s - 1 {
		v := lanes[bits.TrailingZeros32(s)].bits
		switch kind {
		case opReduceAdd:
			r += v
		case opReduceMin:
			r = uint64(min(int64(r), int64(v)))
		case opReduceMax:
			r = uint64(max(int64(r), int64(v)))
		case opReduceMinU:
			r = min(r, v)
		case opReduceMaxU:
			r = max(r, v)
		case opReduceAnd:
			r &= v
		case opReduceOr:
			r |= v
		case opReduceXor:
			r ^= v
		}
	}
	return r
}
