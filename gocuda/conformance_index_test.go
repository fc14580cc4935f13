package gocuda_test

import (
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func indexRows() []row {
	type all struct {
		thread, block, blockDim, gridDim grid.Dim3
		rank, lane, warp, x, y, z        int
	}
	norm := func(d grid.Dim3) grid.Dim3 { return grid.Dim3{X: d.X, Y: max(d.Y, 1), Z: max(d.Z, 1)} }
	more := append(slices.Clone(shapes),
		grid.Config{Grid: grid.Dim3{X: 3, Y: 5, Z: 7}, Block: grid.Dim3{X: 1, Y: 2, Z: 3}},
		grid.Config{Grid: grid.Dim3{X: 1, Z: 2}, Block: grid.Dim3{X: 1, Z: 64}},
		grid.Config{Grid: grid.Dim3{X: 300}, Block: grid.Dim3{X: 3}},
	)
	return []row{
		perThread("index fields", more, func(cfg grid.Config) (func(*gocuda.Thread) all, func(block, rank int) all) {
			body := func(t *gocuda.Thread) all {
				return all{t.ThreadIdx, t.BlockIdx, t.BlockDim, t.GridDim,
					t.Rank(), t.LaneID(), t.WarpID(), t.GlobalX(), t.GlobalY(), t.GlobalZ()}
			}
			return body, func(block, rank int) all {
				th, bl, bd := unlinear(cfg.Block, rank), unlinear(cfg.Grid, block), norm(cfg.Block)
				return all{th, bl, bd, norm(cfg.Grid), rank, rank % 32, rank / 32,
					bl.X*bd.X + th.X, bl.Y*bd.Y + th.Y, bl.Z*bd.Z + th.Z}
			}
		}),
		perThread("index fields after a barrier", more, func(cfg grid.Config) (func(*gocuda.Thread) all, func(block, rank int) all) {
			body := func(t *gocuda.Thread) all {
				t.SyncThreads()
				t.SyncWarp(gocuda.FullMask)
				return all{thread: t.ThreadIdx, block: t.BlockIdx, rank: t.Rank(), x: t.GlobalX()}
			}
			return body, func(block, rank int) all {
				th, bl := unlinear(cfg.Block, rank), unlinear(cfg.Grid, block)
				return all{thread: th, block: bl, rank: rank, x: bl.X*cfg.Block.X + th.X}
			}
		}),
	}
}
