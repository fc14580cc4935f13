package gocuda_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// gridsOfOrders are grids that an order may stumble on: odd, even, prime, a power of two and next to
// it, in all dimensions.
var gridsOfOrders = []grid.Dim3{
	{X: 1}, {X: 2}, {X: 3}, {X: 7}, {X: 16}, {X: 255}, {X: 256}, {X: 257}, {X: 1009},
	{X: 3, Y: 5}, {X: 4, Y: 4, Z: 4}, {X: 1, Y: 1, Z: 10}, {X: 7, Y: 1, Z: 3},
}

// blockOrder runs a grid with one worker and returns the linear numbers of its blocks as they began.
func blockOrder(t *testing.T, order gocuda.Order, g grid.Dim3) []int {
	t.Helper()
	dev := openDevice(t, gocuda.WithWorkers(1), gocuda.WithBlockOrder(order))
	var mu sync.Mutex // one worker runs one block at a time, but the race detector wants more than that
	var blocks []int
	require.NoError(t, dev.Launch(context.Background(), grid.Config{Grid: g, Block: grid.Dim3{X: 1}},
		gocuda.BlockFunc(func(b *gocuda.Block) {
			mu.Lock()
			defer mu.Unlock()
			blocks = append(blocks, b.GridDim.Linear(b.BlockIdx))
		})))
	return blocks
}

// ascending returns 0, 1, ... n-1.
func ascending(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestNaturalOrderGoesUp(t *testing.T) {
	for _, g := range gridsOfOrders {
		slicetest.Equal(t, ascending(g.Size()), blockOrder(t, gocuda.NaturalOrder(), g), g)
	}
	var zero gocuda.Order
	slicetest.Equal(t, ascending(9), blockOrder(t, zero, grid.Dim3{X: 9}), "the zero Order")
}

func TestReversedOrderGoesDown(t *testing.T) {
	for _, g := range gridsOfOrders {
		want := ascending(g.Size())
		slices.Reverse(want)
		slicetest.Equal(t, want, blockOrder(t, gocuda.ReversedOrder(), g), g)
	}
}

func TestShuffledOrderVisitsEveryBlockOnce(t *testing.T) {
	for _, g := range gridsOfOrders {
		for _, seed := range []uint64{0, 1, 2, 1 << 40, ^uint64(0)} {
			got := blockOrder(t, gocuda.ShuffledOrder(seed), g)
			slicetest.Equal(t, blockOrder(t, gocuda.ShuffledOrder(seed), g), got, "%v: seed %d the second time", g, seed)
			if g.Size() >= 16 && (slices.IsSorted(got) || slices.Equal(got[:4], []int{g.Size() - 1, g.Size() - 2, g.Size() - 3, g.Size() - 4})) {
				t.Errorf("%v: seed %d shuffles nothing: %v", g, seed, got)
			}
			slices.Sort(got)
			slicetest.Equal(t, ascending(g.Size()), got, "%v: seed %d", g, seed)
		}
	}
}

func TestSeedsGiveDifferentOrders(t *testing.T) {
	const seeds = 20
	g := grid.Dim3{X: 100}
	first := make([]int, 100) // how often each block was the first one
	for i := range uint64(seeds) {
		a := blockOrder(t, gocuda.ShuffledOrder(i), g)
		b := blockOrder(t, gocuda.ShuffledOrder(i+1), g)
		assert.False(t, slices.Equal(a, b), "seeds %d and %d give the same order", i, i+1)
		first[a[0]]++
	}
	assert.LessOrEqual(t, slices.Max(first), seeds/2, "how often the same block was first")
}

func TestEveryOrderVisitsEveryBlockOnceWithManyWorkers(t *testing.T) {
	for _, order := range []gocuda.Order{gocuda.NaturalOrder(), gocuda.ReversedOrder(), gocuda.ShuffledOrder(42)} {
		for _, workers := range []int{1, 2, 3, 8, 64} {
			dev := openDevice(t, gocuda.WithWorkers(workers), gocuda.WithBlockOrder(order))
			for _, n := range []int{1, 2, 5, 63, 64, 65, 1009} {
				visits := make([]atomic.Int32, n)
				require.NoError(t, dev.Launch(context.Background(), grid.Linear(n, 1), gocuda.BlockFunc(func(b *gocuda.Block) {
					visits[b.BlockIdx.X].Add(1)
				})))
				for i := range visits {
					if v := visits[i].Load(); v != 1 {
						t.Fatalf("%v, %d workers, %d blocks: block %d ran %d times", order, workers, n, i, v)
					}
				}
			}
		}
	}
}
