package gocuda_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
)

// Boxes of blocks have each thread once, whatever the grid, and a panic is blamed on the thread
// that it would be blamed on block by block.
func TestNextBox(t *testing.T) {
	if raceMode {
		t.Skip("compiled kernels run their source")
	}
	for i, workers := range []int{1, 3, 1, 3} {
		dev := openDevice(t, gocuda.WithWorkers(workers))
		traits := rt.CompiledRows
		if i >= 2 {
			traits |= rt.CompiledColumns
		}
		var boxes atomic.Int32
		for _, cfg := range []grid.Config{
			grid.Box(5, 7, 1, 1, 1, 1), grid.Box(64, 64, 1, 4, 4, 1), grid.Box(40, 9, 3, 8, 3, 1), grid.Box(33, 20, 4, 16, 2, 2),
			grid.Box(700, 90, 1, 1, 1, 1), grid.Box(1<<15, 12, 1, 32, 2, 1), grid.Box(1<<14, 8, 1, 1024, 1, 1), grid.Box(3, 500, 1, 3, 5, 1),
		} {
			width, height := cfg.Grid.X*cfg.Block.X, cfg.Grid.Y*cfg.Block.Y
			counts := make([]int32, cfg.Blocks()*cfg.Threads())
			bad := -1 // the place that panics
			kernel := compiledOf(traits, nil, func(b *gocuda.Block, p *rt.Phases) {
				for p.NextBox() {
					if p.Rows > b.BlockDim.Y {
						boxes.Add(1)
					}
					for row := range p.Rows * b.BlockDim.Z {
						for tx := range p.Row {
							p.Current = row*p.Row + tx
							x, y, z := b.BlockIdx.X*b.BlockDim.X+tx, b.BlockIdx.Y*b.BlockDim.Y+row%p.Rows, b.BlockIdx.Z*b.BlockDim.Z+row/p.Rows
							if at := (z*height+y)*width + x; at == bad {
								panic("this one")
							} else if bad < 0 {
								counts[at]++
							}
						}
					}
				}
			})
			require.NoError(t, dev.Launch(t.Context(), cfg, kernel))
			for i, n := range counts {
				if n != 1 {
					t.Fatalf("%v: place %d has run %d times", cfg, i, n)
				}
			}
			for _, at := range []int{0, len(counts) / 3, len(counts) / 2, len(counts) - 1} {
				bad = at
				var failed *gocuda.KernelError
				require.ErrorAs(t, dev.Launch(t.Context(), cfg, kernel), &failed)
				x, y, z := at%width, at/width%height, at/width/height
				assert.Equal(t, grid.Dim3{X: x / cfg.Block.X, Y: y / cfg.Block.Y, Z: z / cfg.Block.Z}, failed.BlockIdx, "%v: place %d", cfg, at)
				assert.Equal(t, grid.Dim3{X: x % cfg.Block.X, Y: y % cfg.Block.Y, Z: z % cfg.Block.Z}, failed.ThreadIdx, "%v: place %d", cfg, at)
			}
		}
		assert.Positive(t, boxes.Load())
	}
}
