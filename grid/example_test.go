package grid_test

import (
	"errors"
	"fmt"

	"github.com/gocuda/gocuda/grid"
)

// 1000 elements need four blocks of 256 threads. The last 24 threads have no element, so the kernel
// compares its index with the length.
func ExampleLinear() {
	const n = 1000
	cfg := grid.Linear(n, 256)
	fmt.Println("grid", cfg.Grid.Norm(), "block", cfg.Block.Norm())
	fmt.Println("threads without an element:", cfg.Blocks()*cfg.Threads()-n)
	// Output:
	// grid (4,1,1) block (256,1,1)
	// threads without an element: 24
}

// A full HD image in tiles of 16 by 16: 1080 is no multiple of 16, so the lowest row of blocks
// reaches beyond the image.
func ExampleRect() {
	cfg := grid.Rect(1920, 1080, 16, 16)
	fmt.Println("grid", cfg.Grid.Norm(), "block", cfg.Block.Norm())
	fmt.Println("rows covered:", cfg.Grid.Y*cfg.Block.Y)
	// Output:
	// grid (120,68,1) block (16,16,1)
	// rows covered: 1088
}

func ExampleBox() {
	cfg := grid.Box(100, 100, 10, 8, 8, 4)
	fmt.Println(cfg.Grid, cfg.Blocks(), "blocks")
	// Output: (13,13,3) 507 blocks
}

// 32 by 32 threads are a full block on every device since Fermi. 64 by 64 keep the limit of each
// dimension and still are too many.
func ExampleConfig_Validate() {
	fermi := grid.Limits{
		MaxThreadsPerBlock:  1024,
		MaxThreadsDim:       grid.Dim3{X: 1024, Y: 1024, Z: 64},
		MaxGridSize:         grid.Dim3{X: 65535, Y: 65535, Z: 65535},
		SharedPerBlock:      48 << 10,
		SharedPerBlockOptIn: 48 << 10,
	}
	fmt.Println(grid.Rect(640, 480, 32, 32).Validate(fermi))

	err := grid.Rect(640, 480, 64, 64).Validate(fermi)
	fmt.Println(errors.Is(err, grid.ErrInvalidConfiguration))
	fmt.Println(errors.Is(err, grid.ErrMaxThreadsPerBlock))
	// Output:
	// <nil>
	// true
	// true
}

// Neighbours in x are neighbours in the numbering, which is why threads with consecutive
// ThreadIdx.X should read consecutive elements.
func ExampleDim3_Linear() {
	block := grid.Dim3{X: 16, Y: 4}
	for _, i := range []grid.Dim3{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 0, Y: 1}, {X: 3, Y: 2}} {
		rank := block.Linear(i)
		fmt.Printf("%v is thread %d: lane %d of warp %d\n", i, rank, grid.Lane(rank), grid.Warp(rank))
	}
	// Output:
	// (0,0,0) is thread 0: lane 0 of warp 0
	// (1,0,0) is thread 1: lane 1 of warp 0
	// (0,1,0) is thread 16: lane 16 of warp 0
	// (3,2,0) is thread 35: lane 3 of warp 1
}

func ExampleDim3_At() {
	image := grid.Dim3{X: 640, Y: 480}
	fmt.Println(image.At(1000))
	// Output: (360,1,0)
}

// A block of 40 threads has a full warp and one of eight lanes.
func ExampleWarpMask() {
	for warp := range grid.Warps(40) {
		fmt.Printf("warp %d: %#x\n", warp, grid.WarpMask(warp, 40))
	}
	// Output:
	// warp 0: 0xffffffff
	// warp 1: 0xff
}
