package cg_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/cg"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The sum of each tile of eight threads.
func ExampleReduce() {
	sums := make([]int, 4)
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(32, 32), func(t *gocuda.Thread) {
		tile := cg.TiledPartition(cg.ThisThreadBlock(t), 8)
		sum := cg.Reduce(tile, t.Rank(), cg.Plus[int])
		cg.InvokeOne(tile, func() { sums[tile.MetaGroupRank()] = sum })
	})
	fmt.Println(sums, err)
	// Output: [28 92 156 220] <nil>
}

// Threads that found something write it without gaps: each coalesced group takes its places by one
// atomic operation.
func ExampleExclusiveScanUpdate() {
	in := []int{5, -1, 7, -3, 0, 2, -8, 9}
	out := make([]int, len(in))
	var n int32
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(len(in), len(in)), func(t *gocuda.Thread) {
		if v := in[t.Rank()]; v > 0 {
			g := cg.CoalescedThreads(t)
			out[cg.ExclusiveScanUpdate(g, &n, 1)] = v
		}
	})
	fmt.Println(out[:n], err)
	// Output: [5 7 2 9] <nil>
}

// Threads with the same key count themselves.
func ExampleLabeledPartition() {
	keys := []int{3, 1, 3, 3, 2, 1}
	counts := map[int]int{}
	err := gocuda.LaunchFunc(context.Background(), grid.Linear(len(keys), len(keys)), func(t *gocuda.Thread) {
		warp := cg.TiledPartition(cg.ThisThreadBlock(t), 32)
		g := cg.LabeledPartition(warp, keys[t.Rank()])
		for k := range g.MetaGroupSize() { // one group after the other, since they share a map
			if k == g.MetaGroupRank() && g.ThreadRank() == 0 {
				counts[keys[t.Rank()]] = g.Size()
			}
			warp.Sync()
		}
	})
	fmt.Println(counts, err)
	// Output: map[1:2 2:1 3:3] <nil>
}
