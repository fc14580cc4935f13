package grid_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
)

// limits are those of a device of compute capability 7.0, which allows opt-in shared memory.
var limits = grid.Limits{
	MaxThreadsPerBlock:  1024,
	MaxThreadsDim:       grid.Dim3{X: 1024, Y: 1024, Z: 64},
	MaxGridSize:         grid.Dim3{X: math.MaxInt32, Y: 65535, Z: 65535},
	SharedPerBlock:      48 << 10,
	SharedPerBlockOptIn: 96 << 10,
}

// half squared is one more than the largest uint, so a product of two of them overflows on every
// platform.
const half = 1 << (bits.UintSize / 2)

// singleLimits are the errors of which Validate promises one.
var singleLimits = []error{
	grid.ErrMaxThreadsPerBlock, grid.ErrMaxThreadsDim, grid.ErrMaxGridSize, grid.ErrSharedMemPerBlock,
}

func TestDim3Norm(t *testing.T) {
	for _, c := range []struct {
		name    string
		d, want grid.Dim3
		size    int
	}{
		{"row", grid.Dim3{X: 256}, grid.Dim3{X: 256, Y: 1, Z: 1}, 256},
		{"plane", grid.Dim3{X: 16, Y: 8}, grid.Dim3{X: 16, Y: 8, Z: 1}, 128},
		{"no Y", grid.Dim3{X: 4, Z: 3}, grid.Dim3{X: 4, Y: 1, Z: 3}, 12},
		{"full", grid.Dim3{X: 2, Y: 3, Z: 4}, grid.Dim3{X: 2, Y: 3, Z: 4}, 24},
		{"X has no default", grid.Dim3{}, grid.Dim3{X: 0, Y: 1, Z: 1}, 0},
		{"empty rows", grid.Dim3{X: 0, Y: 5, Z: 6}, grid.Dim3{X: 0, Y: 5, Z: 6}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, c.d.Norm(), "%v.Norm()", c.d)
			assert.Equal(t, c.size, c.d.Size(), "%v.Size()", c.d)
		})
	}
}

func TestDim3String(t *testing.T) {
	assert.Equal(t, "(3,0,17)", fmt.Sprint(grid.Dim3{X: 3, Y: 0, Z: 17}))
}

// The order of three nested loops with x innermost is the definition of the numbering.
func TestDim3LinearRunsXFastest(t *testing.T) {
	for _, d := range []grid.Dim3{
		{X: 1}, {X: 7}, {X: 32, Y: 2}, {X: 5, Z: 3}, {X: 1, Y: 1, Z: 9}, {X: 3, Y: 4, Z: 5}, {X: 7, Y: 1, Z: 2},
	} {
		t.Run(d.String(), func(t *testing.T) {
			k := 0
			for z := range max(d.Z, 1) {
				for y := range max(d.Y, 1) {
					for x := range d.X {
						i := grid.Dim3{X: x, Y: y, Z: z}
						require.Equal(t, k, d.Linear(i), "Linear(%v)", i)
						require.Equal(t, i, d.At(k), "At(%d)", k)
						k++
					}
				}
			}
			assert.Equal(t, k, d.Size(), "Size()")
		})
	}
}

func TestLaneAndWarp(t *testing.T) {
	for _, c := range []struct{ rank, lane, warp int }{
		{0, 0, 0}, {1, 1, 0}, {31, 31, 0}, {32, 0, 1}, {33, 1, 1}, {63, 31, 1}, {64, 0, 2}, {1023, 31, 31},
	} {
		assert.Equal(t, c.lane, grid.Lane(c.rank), "lane of rank %d", c.rank)
		assert.Equal(t, c.warp, grid.Warp(c.rank), "warp of rank %d", c.rank)
	}
}

// The threads of a block, counted one by one, give the warps and their masks.
func TestWarpMasksCountTheThreads(t *testing.T) {
	for _, threads := range []int{1, 2, 31, 32, 33, 63, 64, 65, 100, 512, 1000, 1023, 1024} {
		masks := map[int]uint32{}
		for rank := range threads {
			masks[grid.Warp(rank)] |= 1 << grid.Lane(rank)
		}
		assert.Equal(t, len(masks), grid.Warps(threads), "Warps(%d)", threads)
		for warp := range len(masks) + 1 { // one more: a warp that doesn't exist has no lanes
			assert.Equal(t, masks[warp], grid.WarpMask(warp, threads), "WarpMask(%d, %d)", warp, threads)
		}
	}
	assert.Equal(t, grid.FullMask, grid.WarpMask(0, grid.WarpSize), "mask of a full warp")
	assert.Equal(t, 0, grid.Warps(0), "Warps(0)")
}

func TestLinear(t *testing.T) {
	for _, c := range []struct {
		name             string
		n, block, blocks int
	}{
		{"none", 0, 256, 0},
		{"one", 1, 256, 1},
		{"one short", 255, 256, 1},
		{"exact", 256, 256, 1},
		{"one over", 257, 256, 2},
		{"many exact", 1 << 20, 256, 4096},
		{"primes", 7919, 31, 256},
		{"single threads", 12, 1, 12},
		{"huge", math.MaxInt, 2, math.MaxInt/2 + 1},
		{"huge, single threads", math.MaxInt, 1, math.MaxInt},
		{"huge block", 5, math.MaxInt, 1},
		{"huge both", math.MaxInt, math.MaxInt, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := grid.Linear(c.n, c.block)
			assert.Equal(t, grid.Dim3{X: c.blocks, Y: 1, Z: 1}, cfg.Grid.Norm(), "blocks in a row")
			assert.Equal(t, grid.Dim3{X: c.block, Y: 1, Z: 1}, cfg.Block.Norm(), "threads in a row")
			assert.Equal(t, c.blocks, cfg.Blocks(), "Blocks()")
			assert.Equal(t, c.block, cfg.Threads(), "Threads()")
		})
	}
}

func TestRectAndBox(t *testing.T) {
	for _, c := range []struct {
		name        string
		size, block grid.Dim3
		grid        grid.Dim3
	}{
		{"one", grid.Dim3{X: 1, Y: 1, Z: 1}, grid.Dim3{X: 8, Y: 8, Z: 8}, grid.Dim3{X: 1, Y: 1, Z: 1}},
		{"exact", grid.Dim3{X: 64, Y: 32, Z: 8}, grid.Dim3{X: 16, Y: 8, Z: 4}, grid.Dim3{X: 4, Y: 4, Z: 2}},
		{"one over", grid.Dim3{X: 65, Y: 33, Z: 9}, grid.Dim3{X: 16, Y: 8, Z: 4}, grid.Dim3{X: 5, Y: 5, Z: 3}},
		{"one short", grid.Dim3{X: 63, Y: 31, Z: 7}, grid.Dim3{X: 16, Y: 8, Z: 4}, grid.Dim3{X: 4, Y: 4, Z: 2}},
		{"primes", grid.Dim3{X: 101, Y: 53, Z: 13}, grid.Dim3{X: 7, Y: 5, Z: 3}, grid.Dim3{X: 15, Y: 11, Z: 5}},
		{
			"huge", grid.Dim3{X: math.MaxInt, Y: math.MaxInt, Z: math.MaxInt}, grid.Dim3{X: 2, Y: 4, Z: 8},
			grid.Dim3{X: math.MaxInt/2 + 1, Y: math.MaxInt/4 + 1, Z: math.MaxInt/8 + 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			rect := grid.Rect(c.size.X, c.size.Y, c.block.X, c.block.Y)
			assert.Equal(t, grid.Dim3{X: c.grid.X, Y: c.grid.Y, Z: 1}, rect.Grid.Norm(), "Rect: grid")
			assert.Equal(t, (grid.Dim3{X: c.block.X, Y: c.block.Y}).Norm(), rect.Block.Norm(), "Rect: block")
			box := grid.Box(c.size.X, c.size.Y, c.size.Z, c.block.X, c.block.Y, c.block.Z)
			assert.Equal(t, c.grid, box.Grid.Norm(), "Box: grid")
			assert.Equal(t, c.block.Norm(), box.Block.Norm(), "Box: block")
		})
	}
}

// A zero Y or Z of a grid means 1, so an array that is empty in those directions needs X = 0 to
// have no blocks.
func TestEmptyArraysMakeEmptyGrids(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  grid.Config
	}{
		{"Linear", grid.Linear(0, 32)},
		{"Rect, no width", grid.Rect(0, 5, 4, 4)},
		{"Rect, no height", grid.Rect(5, 0, 4, 4)},
		{"Box, no width", grid.Box(0, 5, 5, 4, 4, 4)},
		{"Box, no height", grid.Box(5, 0, 5, 4, 4, 4)},
		{"Box, no depth", grid.Box(5, 5, 0, 4, 4, 4)},
		{"Box, none", grid.Box(0, 0, 0, 4, 4, 4)},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Zero(t, c.cfg.Blocks(), "blocks of %v", c.cfg.Grid)
			assert.NoError(t, c.cfg.Validate(limits), "an empty grid is no mistake")
		})
	}
}

// There is nothing right to do with a negative size, only wrong things: to launch threads for it.
func TestNegativeSizesLaunchNothing(t *testing.T) {
	for _, n := range []int{-1, -256, -257, math.MinInt} {
		for name, cfg := range map[string]grid.Config{
			"Linear":       grid.Linear(n, 256),
			"Rect width":   grid.Rect(n, 8, 16, 16),
			"Rect height":  grid.Rect(8, n, 16, 16),
			"Rect both":    grid.Rect(n, n, 16, 16),
			"Box depth":    grid.Box(8, 8, n, 4, 4, 4),
			"Box two of 3": grid.Box(8, n, n, 4, 4, 4),
		} {
			if cfg.Validate(limits) == nil {
				assert.Zero(t, cfg.Blocks(), "%s of size %d is valid", name, n)
			}
		}
	}
}

func TestZeroAndNegativeBlocksAreInvalid(t *testing.T) {
	for name, cfg := range map[string]grid.Config{
		"Linear zero":        grid.Linear(100, 0),
		"Linear negative":    grid.Linear(100, -1),
		"Linear least":       grid.Linear(100, math.MinInt),
		"Rect zero X":        grid.Rect(100, 100, 0, 8),
		"Rect negative Y":    grid.Rect(100, 100, 8, -8),
		"Rect both negative": grid.Rect(100, 100, -8, -8),
		"Box zero":           grid.Box(9, 9, 9, 0, 0, 0),
		"Box negative Z":     grid.Box(9, 9, 9, 1, 1, -1),
	} {
		assert.ErrorIs(t, cfg.Validate(limits), grid.ErrMaxThreadsDim, name)
	}
}

// Whether a zero block edge means 1, as in a Dim3, or is a mistake, is open. That a valid
// configuration leaves out a part of the array is not.
func TestZeroBlockEdgesAreRefusedOrCover(t *testing.T) {
	for _, cfg := range []grid.Config{
		grid.Box(5, 3, 2, 4, 0, 1), grid.Box(5, 3, 2, 4, 2, 0), grid.Box(5, 3, 2, 4, 0, 0),
	} {
		if err := cfg.Validate(limits); err == nil {
			checkCover(t, cfg, 5, 3, 2)
		} else {
			assert.ErrorIs(t, err, grid.ErrMaxThreadsDim, "%+v", cfg)
		}
	}
}

func TestValidate(t *testing.T) {
	ok := grid.Dim3{X: 1}
	wide := limits // a device without bounds but the one on threads, so that products can overflow
	wide.MaxThreadsDim = grid.Dim3{X: math.MaxInt, Y: math.MaxInt, Z: math.MaxInt}
	wide.MaxGridSize = wide.MaxThreadsDim

	for _, c := range []struct {
		name   string
		cfg    grid.Config
		limits grid.Limits
		want   error
	}{
		{"one thread", grid.Config{Grid: ok, Block: ok}, limits, nil},
		{"zero Y and Z mean 1", grid.Config{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 1024}}, limits, nil},
		{"grid of no blocks", grid.Config{Grid: grid.Dim3{}, Block: ok}, limits, nil},
		{"grid of no blocks with Y and Z", grid.Config{Grid: grid.Dim3{X: 0, Y: 2, Z: 2}, Block: ok}, limits, nil},

		{"block X zero", grid.Config{Grid: ok, Block: grid.Dim3{}}, limits, grid.ErrMaxThreadsDim},
		{"block X zero with Y", grid.Config{Grid: ok, Block: grid.Dim3{Y: 8}}, limits, grid.ErrMaxThreadsDim},
		{"block X negative", grid.Config{Grid: ok, Block: grid.Dim3{X: -1}}, limits, grid.ErrMaxThreadsDim},
		{"block Y negative", grid.Config{Grid: ok, Block: grid.Dim3{X: 1, Y: -1}}, limits, grid.ErrMaxThreadsDim},
		{"block Z negative", grid.Config{Grid: ok, Block: grid.Dim3{X: 1, Z: -1}}, limits, grid.ErrMaxThreadsDim},
		{"two negatives", grid.Config{Grid: ok, Block: grid.Dim3{X: -2, Y: -2}}, limits, grid.ErrMaxThreadsDim},
		{"block Z at its limit", grid.Config{Grid: ok, Block: grid.Dim3{X: 1, Z: 64}}, limits, nil},
		{"block Z beyond", grid.Config{Grid: ok, Block: grid.Dim3{X: 1, Z: 65}}, limits, grid.ErrMaxThreadsDim},

		{"threads at the limit", grid.Config{Grid: ok, Block: grid.Dim3{X: 32, Y: 32}}, limits, nil},
		{"threads beyond", grid.Config{Grid: ok, Block: grid.Dim3{X: 41, Y: 25}}, limits, grid.ErrMaxThreadsPerBlock},
		{"threads in 3-D at the limit", grid.Config{Grid: ok, Block: grid.Dim3{X: 4, Y: 4, Z: 64}}, limits, nil},
		{"threads in 3-D beyond", grid.Config{Grid: ok, Block: grid.Dim3{X: 4, Y: 5, Z: 64}}, limits, grid.ErrMaxThreadsPerBlock},
		{"threads overflow to zero", grid.Config{Grid: ok, Block: grid.Dim3{X: half, Y: half}}, wide, grid.ErrMaxThreadsPerBlock},
		{"threads overflow to small", grid.Config{Grid: ok, Block: grid.Dim3{X: half + 1, Y: half, Z: half}}, wide, grid.ErrMaxThreadsPerBlock},
		{"threads overflow in Z", grid.Config{Grid: ok, Block: grid.Dim3{X: 1, Y: math.MaxInt, Z: math.MaxInt}}, wide, grid.ErrMaxThreadsPerBlock},

		{"grid at its limits", grid.Config{Grid: grid.Dim3{X: math.MaxInt32}, Block: ok}, limits, nil},
		{"grid Y and Z at their limits", grid.Config{Grid: grid.Dim3{X: 0, Y: 65535, Z: 65535}, Block: ok}, limits, nil},
		{"grid Y beyond", grid.Config{Grid: grid.Dim3{X: 1, Y: 65536}, Block: ok}, limits, grid.ErrMaxGridSize},
		{"grid Z beyond", grid.Config{Grid: grid.Dim3{X: 1, Z: 65536}, Block: ok}, limits, grid.ErrMaxGridSize},
		{"grid X huge", grid.Linear(math.MaxInt, 1), grid.Limits{MaxThreadsPerBlock: 512, MaxThreadsDim: grid.Dim3{X: 512, Y: 512, Z: 64}, MaxGridSize: grid.Dim3{X: 65535, Y: 65535, Z: 1}}, grid.ErrMaxGridSize},
		{"grid X negative", grid.Config{Grid: grid.Dim3{X: -1}, Block: ok}, limits, grid.ErrMaxGridSize},
		{"grid Y negative", grid.Config{Grid: grid.Dim3{X: 1, Y: -1}, Block: ok}, limits, grid.ErrMaxGridSize},
		{"grid overflows to zero", grid.Config{Grid: grid.Dim3{X: half, Y: half}, Block: ok}, wide, grid.ErrMaxGridSize},
		{"grid overflows to negative", grid.Config{Grid: grid.Dim3{X: math.MaxInt, Y: 2}, Block: ok}, wide, grid.ErrMaxGridSize},

		{"shared at the limit", grid.Config{Grid: ok, Block: ok, SharedBytes: 48 << 10}, limits, nil},
		{"shared beyond", grid.Config{Grid: ok, Block: ok, SharedBytes: 48<<10 + 1}, limits, grid.ErrSharedMemPerBlock},
		{"opt-in at the limit", grid.Config{Grid: ok, Block: ok, SharedBytes: 96 << 10, SharedOptIn: true}, limits, nil},
		{"opt-in beyond", grid.Config{Grid: ok, Block: ok, SharedBytes: 96<<10 + 1, SharedOptIn: true}, limits, grid.ErrSharedMemPerBlock},
		{"shared negative", grid.Config{Grid: ok, Block: ok, SharedBytes: -1}, limits, grid.ErrSharedMemPerBlock},
		{"shared negative with opt-in", grid.Config{Grid: ok, Block: ok, SharedBytes: math.MinInt, SharedOptIn: true}, limits, grid.ErrSharedMemPerBlock},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.cfg.Validate(c.limits)
			if c.want == nil {
				assert.NoError(t, err)
				return
			}
			assert.ErrorIs(t, err, grid.ErrInvalidConfiguration)
			for _, single := range singleLimits {
				assert.Equal(t, single == c.want, errors.Is(err, single), "%v is %v", err, single)
			}
		})
	}
}

// The limits of CUDA's largest grid still fit into an int of 64 bits.
func TestLargestCUDAGridIsValid(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("the number of blocks needs 64 bits")
	}
	cfg := grid.Config{Grid: limits.MaxGridSize, Block: grid.Dim3{X: 1024}}
	assert.NoError(t, cfg.Validate(limits))
	assert.Equal(t, product(limits.MaxGridSize), big.NewInt(int64(cfg.Blocks())), "Blocks()")
}

// product is Dim3.Size without overflow.
func product(d grid.Dim3) *big.Int {
	p := big.NewInt(int64(d.X))
	for _, f := range []int{d.Y, d.Z} {
		if f != 0 {
			p.Mul(p, big.NewInt(int64(f)))
		}
	}
	return p
}

func FuzzGeometry(f *testing.F) {
	// Sizes for the covers, then what Validate gets as it is.
	f.Add(uint8(0), uint8(1), uint8(1), uint8(1), uint8(1), uint8(1), 0, 0, 0, 1, 0, 0, 0, false)
	f.Add(uint8(17), uint8(13), uint8(3), uint8(4), uint8(3), uint8(2), 5, 4, 1, 4, 3, 2, 1024, false)
	f.Add(uint8(16), uint8(16), uint8(2), uint8(4), uint8(4), uint8(1), 65536, 65536, 1, 32, 32, 1, 49152, true)
	f.Add(uint8(5), uint8(0), uint8(7), uint8(7), uint8(1), uint8(5), half, half, 0, half, half, 0, 98305, true)
	f.Add(uint8(1), uint8(19), uint8(5), uint8(2), uint8(0), uint8(0), math.MaxInt, 2, 3, math.MaxInt, math.MaxInt, 2, math.MaxInt, false)
	f.Add(uint8(7), uint8(6), uint8(5), uint8(1), uint8(2), uint8(3), -1, -1, 1, -2, -2, 1, -1, true)
	f.Add(uint8(7), uint8(6), uint8(5), uint8(1), uint8(2), uint8(3), math.MinInt, 2, 1, math.MinInt, math.MinInt, 1, math.MinInt, true)

	wide := grid.Limits{
		MaxThreadsPerBlock:  math.MaxInt,
		MaxThreadsDim:       grid.Dim3{X: math.MaxInt, Y: math.MaxInt, Z: math.MaxInt},
		MaxGridSize:         grid.Dim3{X: math.MaxInt, Y: math.MaxInt, Z: math.MaxInt},
		SharedPerBlock:      math.MaxInt,
		SharedPerBlockOptIn: math.MaxInt,
	}
	f.Fuzz(func(t *testing.T, w, h, d, bx, by, bz uint8, gx, gy, gz, tx, ty, tz, shared int, optIn bool) {
		size := grid.Dim3{X: int(w % 20), Y: int(h % 20), Z: int(d % 8)}
		block := grid.Dim3{X: int(bx%8) + 1, Y: int(by%8) + 1, Z: int(bz%5) + 1}
		checkCover(t, grid.Linear(size.X, block.X), size.X, 1, 1)
		checkCover(t, grid.Rect(size.X, size.Y, block.X, block.Y), size.X, size.Y, 1)
		checkCover(t, grid.Box(size.X, size.Y, size.Z, block.X, block.Y, block.Z), size.X, size.Y, size.Z)

		cfg := grid.Config{
			Grid:        grid.Dim3{X: gx, Y: gy, Z: gz},
			Block:       grid.Dim3{X: tx, Y: ty, Z: tz},
			SharedBytes: shared,
			SharedOptIn: optIn,
		}
		checkValidate(t, cfg, limits)
		checkValidate(t, cfg, wide)
		cfg.Grid = grid.Dim3{X: 1} // so that no fault of the grid hides one of the block
		checkValidate(t, cfg, limits)
		checkValidate(t, cfg, wide)
	})
}

// checkCover goes through all threads of the launch and counts how often each element is met.
func checkCover(t *testing.T, cfg grid.Config, width, height, depth int) {
	t.Helper()
	met := make([]int, width*height*depth)
	b := cfg.Block.Norm()
	for block := range cfg.Blocks() {
		bi := cfg.Grid.At(block)
		if got := cfg.Grid.Linear(bi); got != block {
			t.Fatalf("%v: Linear(At(%d)) = %d", cfg.Grid, block, got)
		}
		for thread := range cfg.Threads() {
			ti := cfg.Block.At(thread)
			if got := cfg.Block.Linear(ti); got != thread {
				t.Fatalf("%v: Linear(At(%d)) = %d", cfg.Block, thread, got)
			}
			x, y, z := bi.X*b.X+ti.X, bi.Y*b.Y+ti.Y, bi.Z*b.Z+ti.Z
			if x < width && y < height && z < depth {
				met[x+width*(y+height*z)]++
			}
		}
	}
	slicetest.Each(t, func(int) int { return 1 }, met, "%+v over %dx%dx%d: how often an element is met", cfg, width, height, depth)
}

// checkValidate compares Validate with its definition in integers that don't overflow.
func checkValidate(t *testing.T, cfg grid.Config, l grid.Limits) {
	t.Helper()
	outside := func(v, low, high int) bool { return v < low || v > high }
	above := func(d grid.Dim3, bound int) bool { return product(d).Cmp(big.NewInt(int64(bound))) > 0 }
	g, b, m := cfg.Grid, cfg.Block, l.MaxThreadsDim
	shared := l.SharedPerBlock
	if cfg.SharedOptIn {
		shared = l.SharedPerBlockOptIn
	}
	broken := map[error]bool{
		grid.ErrMaxThreadsDim:      outside(b.X, 1, m.X) || outside(b.Y, 0, m.Y) || outside(b.Z, 0, m.Z),
		grid.ErrMaxThreadsPerBlock: above(b, l.MaxThreadsPerBlock),
		grid.ErrMaxGridSize: outside(g.X, 0, l.MaxGridSize.X) || outside(g.Y, 0, l.MaxGridSize.Y) ||
			outside(g.Z, 0, l.MaxGridSize.Z) || above(g, math.MaxInt),
		grid.ErrSharedMemPerBlock: outside(cfg.SharedBytes, 0, shared),
	}
	err := cfg.Validate(l)
	if err != nil && !errors.Is(err, grid.ErrInvalidConfiguration) {
		t.Fatalf("%+v: %v doesn't match ErrInvalidConfiguration", cfg, err)
	}
	named := 0
	for _, single := range singleLimits {
		if errors.Is(err, single) {
			named++
			if !broken[single] {
				t.Fatalf("%+v keeps the limit of %v", cfg, err)
			}
		} else if err == nil && broken[single] && g.X != 0 { // nothing runs on an empty grid
			t.Fatalf("%+v is accepted, but %v", cfg, single)
		}
	}
	if err != nil && named == 0 {
		t.Fatalf("%+v: %v names no limit", cfg, err)
	}
}
