//go:build goexperiment.simd && amd64

package vec_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gocuda/gocuda/vec"
)

// A tiling is a loop that fills two tiles in each round and adds up n products of each of rows numbers and a vector.
type tiling struct {
	name string
	want bool // the tiles can be read where they come from

	rounds, rows, n int
	width, height   int // of the tiles
	aWidth, bWidth  int // of their rows in shared memory
	aRow, bRow      int // from row to row of the matrices
	aBy, bBy        int // from round to round
	aAt, bAt        int // where the products begin in a tile
	down            bool
	over            int // the tile of b begins so many elements before the end of that of a
}

var tilings = []tiling{
	{name: "square", want: true, rounds: 5, rows: 16, n: 16, width: 16, height: 16, aWidth: 16, bWidth: 16, aRow: 100, bRow: 40, aBy: 16, bBy: 16 * 40},
	{name: "one round", want: true, rounds: 1, rows: 16, n: 16, width: 16, height: 16, aWidth: 16, bWidth: 16, aRow: 100, bRow: 40, aBy: 16, bBy: 16 * 40},
	{name: "no round", rounds: 0, rows: 16, n: 16, width: 16, height: 16, aWidth: 16, bWidth: 16, aRow: 100, bRow: 40, aBy: 16, bBy: 16 * 40},
	{name: "many rounds", want: true, rounds: 200, rows: 8, n: 16, width: 16, height: 16, aWidth: 16, bWidth: 16, aRow: 3200, bRow: 20, aBy: 16, bBy: 16 * 20},
	{name: "lines of pages", want: true, rounds: 70, rows: 16, n: 16, width: 16, height: 16, aWidth: 16, bWidth: 16, aRow: 2048, bRow: 20, aBy: 16, bBy: 16 * 20},
	{name: "rows with gaps", want: true, rounds: 4, rows: 16, n: 16, width: 16, height: 16, aWidth: 19, bWidth: 33, aRow: 70, bRow: 30, aBy: 16, bBy: 16 * 30},
	{name: "a part of the tiles", want: true, rounds: 4, rows: 8, n: 5, width: 32, height: 24, aWidth: 32, bWidth: 32, aRow: 200, bRow: 40, aBy: 32, bBy: 24 * 40, aAt: 3*32 + 7, bAt: 2*32 + 16},
	{name: "rounds that overlap", want: true, rounds: 9, rows: 8, n: 16, width: 16, height: 16, aWidth: 16, bWidth: 16, aRow: 90, bRow: 40, aBy: 3, bBy: 40},
	{name: "rounds backwards", want: true, rounds: 5, rows: 8, n: 16, width: 16, height: 16, aWidth: 16, bWidth: 16, aRow: 90, bRow: 40, aBy: -16, bBy: -80},
	{name: "rows backwards", want: true, rounds: 5, rows: 8, n: 16, width: 16, height: 16, aWidth: 16, bWidth: 16, aRow: -90, bRow: -40, aBy: 16, bBy: 16 * 40},
	{name: "numbers in columns", want: true, rounds: 5, rows: 16, n: 16, width: 16, height: 16, aWidth: 16, bWidth: 16, aRow: 40, bRow: 40, aBy: 640, bBy: 640, down: true},
	{name: "more numbers than are filled", rounds: 5, rows: 8, n: 17, width: 16, height: 16, aWidth: 17, bWidth: 17, aRow: 90, bRow: 40, aBy: 16, bBy: 640},
	{name: "more rows than are filled", rounds: 5, rows: 16, n: 8, width: 16, height: 15, aWidth: 16, bWidth: 16, aRow: 90, bRow: 40, aBy: 16, bBy: 640},
	{name: "a vector over the end of a row", rounds: 5, rows: 8, n: 8, width: 16, height: 16, aWidth: 16, bWidth: 32, aRow: 90, bRow: 40, aBy: 16, bBy: 640, bAt: 9},
	{name: "rows that overlap", rounds: 5, rows: 8, n: 8, width: 16, height: 16, aWidth: 15, bWidth: 16, aRow: 90, bRow: 40, aBy: 16, bBy: 640},
	{name: "one tile over the other", rounds: 5, rows: 8, n: 8, width: 16, height: 16, aWidth: 16, bWidth: 16, aRow: 90, bRow: 40, aBy: 16, bBy: 640, over: 1},
}

// The sums are those of a loop that copies the tiles, and the rounds go through the tiles' sources where that is right.
func TestTiles(t *testing.T) {
	if !vec.HasAVX512() {
		t.Skip("no AVX-512")
	}
	for _, x := range tilings {
		t.Run(x.name, func(t *testing.T) {
			testTiles(t, x, 16, func(tiles *vec.Tiles, sums []float32, row int, a []float32, i, aRow, aStep int, b []float32, j, bStep int) {
				tiles.ProductsF32x16(vec.Place[[16]float32](sums, 0), 4*row, vec.Place[float32](a, i), 4*aRow, 4*aStep, vec.Place[[16]float32](b, j), 4*bStep, x.rows, x.n)
			})
			testTiles(t, x, 8, func(tiles *vec.Tiles, sums []float64, row int, a []float64, i, aRow, aStep int, b []float64, j, bStep int) {
				tiles.ProductsF64x8(vec.Place[[8]float64](sums, 0), 8*row, vec.Place[float64](a, i), 8*aRow, 8*aStep, vec.Place[[8]float64](b, j), 8*bStep, x.rows, x.n)
			})
		})
	}
}

func testTiles[E float32 | float64](t *testing.T, x tiling, lanes int, products func(tiles *vec.Tiles, sums []E, row int, a []E, i, aRow, aStep int, b []E, j, bStep int)) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	const begin, sumRow = 20000, 21
	a, b := make([]E, 150000), make([]E, 150000)
	for i := range a {
		a[i], b[i] = E(r.IntN(16)-8), E(r.IntN(16)-8)
	}
	shared := make([]E, 10000)
	aTile, bTile := 100, 100+x.height*x.aWidth-x.over
	sums := make([]E, x.rows*sumRow)
	for i := range sums {
		sums[i] = E(i)
	}
	want := slices.Clone(sums)
	aRow, aStep := x.aWidth, 1
	if x.down {
		aRow, aStep = 1, x.aWidth
	}
	for k := range x.rounds {
		if !x.want {
			break
		}
		for y := range x.height {
			copy(shared[aTile+y*x.aWidth:][:x.width], a[begin+k*x.aBy+y*x.aRow:])
			copy(shared[bTile+y*x.bWidth:][:x.width], b[begin+k*x.bBy+y*x.bRow:])
		}
		for row := range x.rows {
			for i := range x.n {
				for l := range lanes {
					want[row*sumRow+l] += shared[aTile+x.aAt+row*aRow+i*aStep] * shared[bTile+x.bAt+i*x.bWidth+l]
				}
			}
		}
	}
	clear(shared)
	tiles := vec.NewTiles(x.rounds,
		vec.TileOf(shared, aTile, aTile+x.aWidth, a, begin, begin+x.aRow, x.aBy, x.height, x.width),
		vec.TileOf(shared, bTile, bTile+x.bWidth, b, begin, begin+x.bRow, x.bBy, x.height, x.width))
	for tiles.Next() {
		products(&tiles, sums, sumRow, shared, aTile+x.aAt, aRow, aStep, shared, bTile+x.bAt, x.bWidth)
	}
	if done := tiles.Done(); x.want && done != x.rounds || !x.want && done != 0 {
		t.Errorf("%T: %d of %d rounds are done", a[0], done, x.rounds)
	}
	if !slices.Equal(sums, want) {
		t.Errorf("%T: the sums are %v, want %v", a[0], sums, want)
	}
}
