package sorting

import (
	"context"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
	"github.com/gocuda/gocuda/kernels/scan"
)

// Radix sort with digits of 8 bits, digit by digit from the least significant, for all types of keys,
// with values or without (Satish, Harris and Garland, Designing Efficient Sorting Algorithms for
// Manycore GPUs, 2009, section 4, in a plainer version). It teaches how several kernels work
// together: what one needs to know from all threads, another has found out before. Beside
// [SplitSort] it goes over the data less often: 4 passes instead of 32, and counts that are taken of
// runs of keys instead of single ones.
//
// A pass puts the keys in the order of one digit, and leaves keys with the same digit in the order
// that they had; so after all passes they are in the order of the whole key, and the sort is stable.
// Each thread has a run of keys that are next to each other. A pass has three parts:
//
//   - every thread counts how often each digit occurs in its run;
//   - a scan over the counts, all threads of digit 0 first, then all threads of digit 1, and so on,
//     makes of each count the place where the thread's first key with that digit belongs;
//   - every thread takes its run again, from first to last, and moves each key to the next place for
//     its digit.
//
// A thread has its counters in an array of its own. On a GPU that is local memory, which lies
// beside the global one and has its caches; sorts made for a GPU have runs of a few keys and find
// the order within a block in shared memory, so that neighbouring threads write to neighbouring
// places. On processors with large caches the plain way is the fast one.

const (
	radixBits    = 8
	radixDigits  = 1 << radixBits
	radixThreads = 8       // threads of a block: few, so that there are blocks for all processors
	radixLeast   = 1 << 14 // keys of a thread, at least: they cost more than its counters do
	radixMost    = 1 << 10 // threads of a grid, about: all counters stay in the caches
)

// digit returns the digit that begins at bit shift of the mapped key. The first line is flip
// without a branch, since the sign of random numbers can't be foretold: if negative has bits, the
// difference is below 0 for keys with a sign bit. Unsigned numbers are mapped to themselves; the
// kernels call it with 0 and 0 then, and the line goes.
func digit[K word](key, all, negative K, shift uint) uint8 {
	key ^= K((int64(negative)-int64(key))>>63) & negative
	return uint8(uint64(key^all) >> (shift % 64))
}

// radixCount counts the digits in each run: counts[d*threads+i] is how often thread i has digit d.
//
//gocuda:kernel
func radixCount[K word](t *gocuda.Thread, n, run int, all, negative K, shift uint, keys []K, counts []uint32) {
	var have [radixDigits]uint32
	me, threads := t.GlobalX(), t.GridDim.X*t.BlockDim.X
	from := min(me*run, n)
	to := min(from+run, n)
	if all == 0 {
		for i := from; i < to; i++ {
			have[digit(keys[i], 0, 0, shift)]++
		}
	} else {
		for i := from; i < to; i++ {
			have[digit(keys[i], all, negative, shift)]++
		}
	}
	for d := range radixDigits {
		counts[d*threads+me] = have[d]
	}
}

// radixScatter moves the keys of each run to their places, from the first to the last, and their
// values with them. Where there are none, V is struct{}: to move nothing costs nothing.
//
//gocuda:kernel
func radixScatter[K word, V any](t *gocuda.Thread, n, run int, all, negative K, shift uint,
	keys []K, values []V, begins []uint32, keysOut []K, valuesOut []V) {
	var next [radixDigits]uint32
	me, threads := t.GlobalX(), t.GridDim.X*t.BlockDim.X
	from := min(me*run, n)
	to := min(from+run, n)
	for d := range radixDigits {
		next[d] = begins[d*threads+me]
	}
	if all == 0 {
		for i := from; i < to; i++ {
			key := keys[i]
			d := digit(key, 0, 0, shift)
			place := next[d]
			next[d]++
			keysOut[place] = key
			valuesOut[place] = values[i]
		}
	} else {
		for i := from; i < to; i++ {
			key := keys[i]
			d := digit(key, all, negative, shift)
			place := next[d]
			next[d]++
			keysOut[place] = key
			valuesOut[place] = values[i]
		}
	}
}

// Radix sorts keys. The order is IEEE 754's total order: -NaN, -Inf, negative numbers, -0, +0,
// positive numbers, +Inf, NaN; and Descending is the reverse of it. (slices.Sort has all NaNs
// first, and does not tell the zeros apart.) There can be 2^32-1 keys. Radix needs room for a copy
// of them, which it keeps for the next sort until the garbage collector wants it.
func Radix[K Key](ctx context.Context, on kernels.Launcher, order Order, keys []K) error {
	if err := checkSort(order, len(keys), len(keys)); err != nil || len(keys) == 0 {
		return err
	}
	none := make([]struct{}, len(keys))
	r := rooms.Get().(*room)
	if long[K]() {
		k := bitsOf[uint64](keys)
		return passes[K](ctx, on, order, r, k, part[uint64](&r.keys, len(k)), k, none, none, none)
	}
	k := bitsOf[uint32](keys)
	return passes[K](ctx, on, order, r, k, part[uint32](&r.keys, len(k)), k, none, none, none)
}

// RadixPairs sorts the pairs of keys[i] and values[i] by their keys, in the order of [Radix]. Pairs
// with the same key stay in order, in both directions. The slices must have the same length and
// must not overlap.
func RadixPairs[K, V Key](ctx context.Context, on kernels.Launcher, order Order, keys []K, values []V) error {
	if err := checkSort(order, len(keys), len(values)); err != nil || len(keys) == 0 {
		return err
	}
	switch {
	case long[K]() && long[V]():
		return pairs[K](ctx, on, order, bitsOf[uint64](keys), bitsOf[uint64](values))
	case long[K]():
		return pairs[K](ctx, on, order, bitsOf[uint64](keys), bitsOf[uint32](values))
	case long[V]():
		return pairs[K](ctx, on, order, bitsOf[uint32](keys), bitsOf[uint64](values))
	}
	return pairs[K](ctx, on, order, bitsOf[uint32](keys), bitsOf[uint32](values))
}

// pairs sorts keys, whose type is K to the caller, and values.
func pairs[K Key, W, V word](ctx context.Context, on kernels.Launcher, order Order, keys []W, values []V) error {
	r, n := rooms.Get().(*room), len(keys)
	keys2, values2 := part[W](&r.keys, n), part[V](&r.values, n)
	return passes[K](ctx, on, order, r, keys, keys2, keys, values, values2, values)
}

// passes sorts keys and values, which it reads only in the first pass. The passes write to keys2
// and values2, to keys3 and values3, and so on. Their number is even, so the result is in keys3 and
// values3. At the end it gives back the room.
func passes[K Key, W word, V any](ctx context.Context, on kernels.Launcher, order Order, r *room,
	keys, keys2, keys3 []W, values, values2, values3 []V) error {
	n, top := len(keys), uint(31)
	if long[W]() {
		top = 63
	}
	a, m := flips[K](order)
	all, negative := W(a), W(m)
	run := max((n+radixMost-1)/radixMost, radixLeast)
	// The number of blocks is odd, or the counters of a thread would compete for few places in the
	// caches.
	cfg := grid.Linear((n+run-1)/run, radixThreads)
	cfg.Grid.X |= 1
	counts := part[uint32](&r.counts, radixDigits*cfg.Blocks()*cfg.Threads())
	for shift := uint(0); shift < top; shift += radixBits {
		if err := on.Launch(ctx, cfg, radixCountKernel(n, run, all, negative, shift, keys, counts)); err != nil {
			return err
		}
		if err := scan.Exclusive(ctx, on, scan.Runs, scan.Sum[uint32]{}, counts, counts); err != nil {
			return err
		}
		scatter := radixScatterKernel(n, run, all, negative, shift, keys, values, counts, keys2, values2)
		if err := on.Launch(ctx, cfg, scatter); err != nil {
			return err
		}
		keys, keys2, keys3 = keys2, keys3, keys2
		values, values2, values3 = values2, values3, values2
	}
	return r.leave(on)
}

// checkSort returns an error unless a sort by keys in that order is possible.
func checkSort(order Order, keys, values int) error {
	if order != Ascending && order != Descending {
		return check.Invalid("radix sort", "%v", order)
	}
	if uint64(keys) > math.MaxUint32 {
		return check.Invalid("radix sort", "%d keys", keys)
	}
	return check.Lengths("radix sort", keys, values)
}
