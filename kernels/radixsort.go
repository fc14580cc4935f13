package kernels

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/host"
)

// Radix sort, digit by digit from the least significant (Satish, Harris and Garland, Designing Efficient
// Sorting Algorithms for Manycore GPUs, 2009, in a plainer version). It teaches how several kernels
// work together: what one needs to know from all blocks, another has found out before.
//
// A pass puts the pairs in the order of one digit, and leaves pairs with the same digit in the order that
// they had; so after all passes they are in the order of the whole key. It has three parts:
//
//   - every block counts how often each digit occurs in its tile of the keys;
//   - a scan over the counts, all blocks of digit 0 first, then all blocks of digit 1, and so on, makes
//     of each count the place where the block's first pair with that digit belongs;
//   - every block finds the order within its tile, and writes each pair to its place.

const (
	radixBits    = 4
	radixDigits  = 1 << radixBits
	radixThreads = 128                        // threads of a block
	radixRun     = 16                         // pairs of a thread, next to each other
	radixTile    = radixThreads * radixRun    // pairs of a block
	radixCells   = radixDigits * radixThreads // counters of a block: one for each digit and thread
)

// radixCount counts the digits of a block's tile: counts[d*blocks+b] is how often block b has digit d.
// The order of the keys does not matter here, so neighbouring threads read neighbouring keys.
//
//gocuda:kernel
func radixCount(t *gocuda.Thread, n, shift int, keys, counts []uint32) {
	bins := gocuda.Shared[uint32](t, radixDigits)
	tid := t.ThreadIdx.X
	if tid < radixDigits {
		bins[tid] = 0
	}
	t.SyncThreads()
	for k := range radixRun {
		i := t.BlockIdx.X*radixTile + k*radixThreads + tid
		if i < n {
			atomic.Add(&bins[(keys[i]>>shift)%radixDigits], 1)
		}
	}
	t.SyncThreads()
	if tid < radixDigits {
		counts[tid*t.GridDim.X+t.BlockIdx.X] = bins[tid]
	}
}

// radixScatter moves the pairs of a block's tile to their places. Each thread has a run of pairs, and a
// counter for each digit. An exclusive scan over all counters, digit by digit and thread by thread, is
// the order within the tile: the counters of a thread then say where its next pair with each digit
// goes, after those of the threads before it. Since a thread takes its run from first to last, pairs
// with the same digit stay in order.
//
//gocuda:kernel
func radixScatter(t *gocuda.Thread, n, shift int, keys, values, begins, keysOut, valuesOut []uint32) {
	cells := gocuda.Shared[uint32](t, radixCells)
	sums := gocuda.Shared[uint32](t, radixThreads)
	offsets := gocuda.Shared[uint32](t, radixDigits)
	tid := t.ThreadIdx.X
	from := t.BlockIdx.X*radixTile + tid*radixRun
	to := min(from+radixRun, n)

	for d := range radixDigits {
		cells[d*radixThreads+tid] = 0
	}
	for i := from; i < to; i++ {
		d := int(keys[i]>>shift) % radixDigits
		cells[d*radixThreads+tid]++
	}
	t.SyncThreads()

	// The scan over the cells: each thread adds up some that are side by side, here not its own counters,
	// the sums are scanned, and each thread goes over its cells again.
	var sum uint32
	for k := range radixDigits {
		sum += cells[tid*radixDigits+k]
	}
	sums[tid] = sum
	t.SyncThreads()
	plusScan(t, sums)
	place := sums[tid] - sum
	for k := range radixDigits {
		c := tid*radixDigits + k
		v := cells[c]
		cells[c] = place
		place += v
	}
	t.SyncThreads()

	// From the place in the tile to the place in the result. The difference may be below 0; it wraps
	// around, and the sum with it wraps back.
	if tid < radixDigits {
		offsets[tid] = begins[tid*t.GridDim.X+t.BlockIdx.X] - cells[tid*radixThreads]
	}
	t.SyncThreads()
	for i := from; i < to; i++ {
		key := keys[i]
		d := int(key>>shift) % radixDigits
		p := offsets[d] + cells[d*radixThreads+tid]
		cells[d*radixThreads+tid]++
		keysOut[p] = key
		valuesOut[p] = values[i]
	}
}

// RadixSort sorts the pairs of keys[i] and values[i] by their keys, the smallest first. Pairs with the same
// key stay in order. The slices must have the same length, at most 2^32-1, and must not overlap.
// RadixSort allocates room for a copy of both.
func RadixSort(ctx context.Context, on Launcher, keys, values []uint32) error {
	return RadixSortForm(ctx, on, Compiled, keys, values)
}

// RadixSortForm is [RadixSort] in the given form. There is no form Blocks.
func RadixSortForm(ctx context.Context, on Launcher, form Form, keys, values []uint32) error {
	if err := noBlocks("radix sort", form); err != nil {
		return err
	}
	n := len(keys)
	if err := lengths("radix sort", n, len(values)); err != nil {
		return err
	}
	if uint64(n) > math.MaxUint32 {
		return fmt.Errorf("kernels: radix sort: %w: length %d", gocuda.ErrInvalidValue, n)
	}
	blocks := grid.Linear(n, radixTile).Grid
	cfg := grid.Config{Grid: blocks, Block: grid.Dim3{X: radixThreads}}
	counts := make([]uint32, radixDigits*blocks.X)
	keys2, values2 := host.Apart[uint32](n), host.Apart[uint32](n)
	// The passes go there and back. Their number is even, so the last one ends in keys and values.
	for shift := 0; shift < 32; shift += radixBits {
		from, fromValues, to, toValues := keys, values, keys2, values2
		k := either(form, radixCountKernel(n, shift, from, counts), func(t *gocuda.Thread) { radixCount(t, n, shift, from, counts) })
		if err := on.Launch(ctx, cfg, k); err != nil {
			return err
		}
		if err := ScanForm(ctx, on, form, ScanSeveral, false, counts, counts); err != nil {
			return err
		}
		k = either(form, radixScatterKernel(n, shift, from, fromValues, counts, to, toValues), func(t *gocuda.Thread) {
			radixScatter(t, n, shift, from, fromValues, counts, to, toValues)
		})
		if err := on.Launch(ctx, cfg, k); err != nil {
			return err
		}
		keys, values, keys2, values2 = keys2, values2, keys, values
	}
	return nil
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
