package image

import (
	"slices"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// What the convolutions share on the host: geometry, checks, and the filter in the order in which
// it is used.

// gridLimit is the largest grid in one dimension that every device takes. Blocks here go on by the
// size of the grid until nothing is left, so they never need more.
const gridLimit = 65535

// line is the geometry of n elements, tile of them for each block.
func line(n, tile, threads int) grid.Config {
	return grid.Config{
		Grid:  grid.Dim3{X: min(grid.Linear(n, tile).Grid.X, gridLimit)},
		Block: grid.Dim3{X: threads},
	}
}

// pixels is the geometry of an image with a thread for each pixel, as far as the grid allows.
func pixels(w, h, x, y int) grid.Config {
	cfg := grid.Rect(w, h, x, y)
	cfg.Grid.X, cfg.Grid.Y = min(cfg.Grid.X, gridLimit), min(cfg.Grid.Y, gridLimit)
	return cfg
}

// tiles is the geometry of an image in tiles, which are numbered row by row: block b has tile b.
func tiles(w, h, tileX, tileY, x, y int) grid.Config {
	g := grid.Rect(w, h, tileX, tileY).Grid
	return grid.Config{
		Grid:  grid.Dim3{X: min(g.X*g.Y, gridLimit)},
		Block: grid.Dim3{X: x, Y: y},
	}
}

// turned returns a copy of a filter from its end to its beginning. A convolution uses filter and
// signal in opposite directions; with the filter turned round, both are read upwards. The copy is
// the counterpart of the one that a CUDA program makes to constant memory.
func turned(filter []float32) []float32 {
	taps := slices.Clone(filter)
	slices.Reverse(taps)
	return taps
}

// maxSide is the largest width and height of an image, and the largest length of a filter. A place
// beyond an edge then fits in 32 bits.
const maxSide = 1 << 30

// checkFilter returns an error unless n is the length of a filter with a middle.
func checkFilter(what string, n int) error {
	if n%2 == 0 || n > maxSide {
		return check.Invalid(what, "a filter of %d elements", n)
	}
	return nil
}

// checkImages returns an error unless in and out are images of w by h pixels.
func checkImages(what string, edge Edge, w, h int, out, in []float32) error {
	if w > maxSide || h > maxSide {
		return check.Invalid(what, "%d by %d pixels", w, h)
	}
	if err := check.Shape(what, h, w, len(in)); err != nil {
		return err
	}
	if err := check.Lengths(what, len(in), len(out)); err != nil {
		return err
	}
	return edge.check(what)
}
