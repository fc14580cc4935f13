package kernels

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Radix sort, digit by digit from the least significant (Satish, Harris and Garland, Designing
// Efficient Sorting Algorithms for Manycore GPUs, 2009, in a plainer version). It teaches how
// several kernels work together: what one needs to know from all threads, another has found out
// before.
//
// A pass puts the pairs in the order of one digit, and leaves pairs with the same digit in the
// order that they had; so after all passes they are in the order of the whole key. Each thread has
// a run of pairs that are next to each other. A pass has three parts:
//
//   - every thread counts how often each digit occurs in its run;
//   - a scan over the counts, all threads of digit 0 first, then all threads of digit 1, and so on, makes
//     of each count the place where the thread's first pair with that digit belongs;
//   - every thread takes its run again, from first to last, and writes each pair to the next place for its
//     digit.
//
// A thread has its counters in an array of its own. On a GPU that is local memory, which lies
// beside the global one and has its caches; sorts made for a GPU have runs of a few pairs and find
// the order within a block in shared memory, so that neighbouring threads write to neighbouring
// places. On processors with large caches the plain way is the fast one.

const (
	radixBits    = 8
	radixDigits  = 1 << radixBits
	radixThreads = 8       // threads of a block: few, so that there are blocks for all processors
	radixLeast   = 1 << 14 // pairs of a thread, at least: they cost more than its counters do
	radixMost    = 1 << 10 // threads of a grid, about: all counters stay in the caches
)

// radixCount counts the digits in each run of pairs: counts[d*threads+i] is how often thread i has
// digit d.
//
//gocuda:kernel
func radixCount(t *gocuda.Thread, n, run int, shift uint, keys, counts []uint32) {
	var have [radixDigits]uint32
	me, threads := t.GlobalX(), t.GridDim.X*t.BlockDim.X
	from := min(me*run, n)
	to := min(from+run, n)
	for i := from; i < to; i++ {
		have[uint8(keys[i]>>(shift%32))]++
	}
	for d := range radixDigits {
		counts[d*threads+me] = have[d]
	}
}

// radixScatter moves the pairs of each run to their places. Since a thread takes its run from first
// to last, and the places of the threads before it come before its own, pairs with the same digit
// stay in order.
//
//gocuda:kernel
func radixScatter(t *gocuda.Thread, n, run int, shift uint, keys, values, begins, keysOut, valuesOut []uint32) {
	var next [radixDigits]uint32
	me, threads := t.GlobalX(), t.GridDim.X*t.BlockDim.X
	from := min(me*run, n)
	to := min(from+run, n)
	for d := range radixDigits {
		next[d] = begins[d*threads+me]
	}
	for i := from; i < to; i++ {
		key := keys[i]
		d := uint8(key >> (shift % 32))
		place := next[d]
		next[d]++
		keysOut[place] = key
		valuesOut[place] = values[i]
	}
}

// RadixSort sorts the pairs of keys[i] and values[i] by their keys, the smallest first. Pairs with
// the same key stay in order. The slices must have the same length, at most 2^32-1, and must not
// overlap. RadixSort needs room for a copy of both, which it keeps for the next sort until the
// garbage collector
// wants it.
func RadixSort(ctx context.Context, on Launcher, keys, values []uint32) error {
	return RadixSortForm(ctx, on, Compiled, keys, values)
}

// RadixSortForm is [RadixSort] in the given form. There is no form Blocks.
func RadixSortForm(ctx context.Context, on Launcher, form Form, keys, values []uint32) error {
	if err := noBlocks("radix sort", form); err != nil {
		return err
	}
	n := len(keys)
	if err := check.Lengths("radix sort", n, len(values)); err != nil {
		return err
	}
	if uint64(n) > math.MaxUint32 {
		return fmt.Errorf("kernels: radix sort: %w: length %d", gocuda.ErrInvalidValue, n)
	}
	run := max((n+radixMost-1)/radixMost, radixLeast)
	// The number of blocks is odd, or the counters of a thread would compete for few places in the
	// caches.
	cfg := grid.Linear((n+run-1)/run, radixThreads)
	cfg.Grid.X |= 1
	room := radixRooms.Get().(*radixRoom)
	room.fit(n, radixDigits*cfg.Blocks()*cfg.Threads())
	keys2, values2, counts := room.keys, room.values, room.counts
	// The passes go there and back. Their number is even, so the last one ends in keys and values.
	for shift := uint(0); shift < 32; shift += radixBits {
		from, fromValues, to, toValues := keys, values, keys2, values2
		k := either(form, radixCountKernel(n, run, shift, from, counts))
		if err := on.Launch(ctx, cfg, k); err != nil {
			return err
		}
		if err := ScanForm(ctx, on, form, ScanSeveral, false, counts, counts); err != nil {
			return err
		}
		k = either(form, radixScatterKernel(n, run, shift, from, fromValues, counts, to, toValues))
		if err := on.Launch(ctx, cfg, k); err != nil {
			return err
		}
		keys, values, keys2, values2 = keys2, values2, keys, values
	}
	// On a stream nothing has run yet, and the next sort must not have the room before this one is
	// done with it.
	one := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1}}
	return on.Launch(ctx, one, gocuda.BlockFunc(func(*gocuda.Block) { radixRooms.Put(room) }))
}

// A radixRoom is what a sort needs beside its pairs. To allocate it anew for each sort took longer than
// the sort.
type radixRoom struct{ keys, values, counts []uint32 }

var radixRooms = sync.Pool{New: func() any { return new(radixRoom) }}

// fit makes the slices as long as asked.
func (r *radixRoom) fit(pairs, counts int) {
	if cap(r.keys) < pairs {
		r.keys, r.values = host.Apart[uint32](pairs), host.Apart[uint32](pairs)
	}
	if cap(r.counts) < counts {
		r.counts = host.Apart[uint32](counts)
	}
	r.keys, r.values, r.counts = r.keys[:pairs], r.values[:pairs], r.counts[:counts]
}

// RadixSortSerial is the reference: the same sort in one goroutine, with digits of 8 bits.
func RadixSortSerial(keys, values []uint32) {
	keys2, values2 := host.Apart[uint32](len(keys)), host.Apart[uint32](len(keys))
	for shift := 0; shift < 32; shift += 8 {
		var places [256]int
		for _, key := range keys {
			places[uint8(key>>shift)]++
		}
		next := 0
		for d, count := range places {
			places[d] = next
			next += count
		}
		for i, key := range keys {
			d := uint8(key >> shift)
			keys2[places[d]], values2[places[d]] = key, values[i]
			places[d]++
		}
		keys, values, keys2, values2 = keys2, values2, keys, values
	}
}
