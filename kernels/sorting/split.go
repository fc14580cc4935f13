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

// Radix sort bit by bit for arrays of any length (Nickolls and Kirk, section B.8, on what follows
// the sort of one block; Blelloch, Prefix Sums and Their Applications, 1990, calls the step a
// split). It teaches how a program of one block becomes one of many. What was a barrier is now the
// end of a kernel. The scan is the scan of an array. And since blocks run at any time, none may
// write where another has not yet read: keys go back and forth between two arrays.
//
// Each of 32 steps reads the keys twice and writes them once, all for a single bit. [RadixPairs]
// has the cure.

const (
	splitThreads = 256
	splitBlocks  = 1 << 10 // at most
)

// splitBits takes one bit of each key.
//
//gocuda:kernel
func splitBits(t *gocuda.Thread, n int, bit uint, keys, bits []uint32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		bits[i] = keys[i] >> (bit % 32) & 1
	}
}

// splitMove moves each pair to its place. ones[i] is how many of the keys before i have the bit.
//
//gocuda:kernel
func splitMove(t *gocuda.Thread, n int, bit uint, keys, values, ones, keysOut, valuesOut []uint32) {
	zeros := n - int(ones[n-1]+keys[n-1]>>(bit%32)&1)
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		place := i - int(ones[i])
		if keys[i]>>(bit%32)&1 == 1 {
			place = zeros + int(ones[i])
		}
		keysOut[place] = keys[i]
		valuesOut[place] = values[i]
	}
}

// SplitSort sorts the pairs of keys[i] and values[i] by their keys, the smallest first. Pairs with
// the same key stay in order. The slices must have the same length, at most 2^32-1, and must not
// overlap.
func SplitSort(ctx context.Context, on kernels.Launcher, keys, values []uint32) error {
	n := len(keys)
	if err := check.Lengths("split sort", n, len(values)); err != nil {
		return err
	}
	if uint64(n) > math.MaxUint32 {
		return check.Invalid("split sort", "%d keys", n)
	}
	if n == 0 {
		return nil
	}
	cfg := grid.Linear(n, splitThreads)
	cfg.Grid.X = min(cfg.Grid.X, splitBlocks)
	r := rooms.Get().(*room)
	keys2, values2, ones := part[uint32](&r.keys, n), part[uint32](&r.values, n), part[uint32](&r.counts, n)
	for bit := range uint(32) { // an even number: the last step ends in keys and values
		if err := on.Launch(ctx, cfg, splitBitsKernel(n, bit, keys, ones)); err != nil {
			return err
		}
		if err := scan.Exclusive(ctx, on, scan.Runs, scan.Sum[uint32]{}, ones, ones); err != nil {
			return err
		}
		if err := on.Launch(ctx, cfg, splitMoveKernel(n, bit, keys, values, ones, keys2, values2)); err != nil {
			return err
		}
		keys, values, keys2, values2 = keys2, values2, keys, values
	}
	return r.leave(on)
}
