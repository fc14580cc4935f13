package sorting

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
)

// Argsort sorts the places of the keys instead of the keys: a radix sort of pairs whose values are
// 0, 1, 2 and so on (Thrust has it as sort_by_key behind a counting iterator). It teaches what
// values are for. With the places, any number of other slices can be put in the same order, element
// by element.

const (
	numberThreads = 256
	numberBlocks  = 1 << 10 // at most
)

// number sets each element to its own index.
//
//gocuda:kernel
func number(t *gocuda.Thread, n int, index []uint32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		index[i] = uint32(i)
	}
}

// Argsort sets index so that keys[index[0]], keys[index[1]] and so on are in the order of [Radix].
// Keys that are the same stay in order: their places rise. The keys stay where they are. Both
// slices must have the same length, and must not overlap.
func Argsort[K Key](ctx context.Context, on kernels.Launcher, order Order, index []uint32, keys []K) error {
	if err := checkSort(order, len(keys), len(index)); err != nil || len(keys) == 0 {
		return err
	}
	if long[K]() {
		return argsort[K](ctx, on, order, index, bitsOf[uint64](keys))
	}
	return argsort[K](ctx, on, order, index, bitsOf[uint32](keys))
}

// argsort sorts places by keys, whose type is K to the caller.
func argsort[K Key, W word](ctx context.Context, on kernels.Launcher, order Order, index []uint32, keys []W) error {
	n := len(keys)
	cfg := grid.Linear(n, numberThreads)
	cfg.Grid.X = min(cfg.Grid.X, numberBlocks)
	if err := on.Launch(ctx, cfg, numberKernel(n, index)); err != nil {
		return err
	}
	r := rooms.Get().(*room)
	keys2, keys3, index2 := part[W](&r.keys, n), part[W](&r.keys2, n), part[uint32](&r.values, n)
	return passes[K](ctx, on, order, r, keys, keys2, keys3, index, index2, index)
}
