//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Arrays of arrays, as in __shared__ float tile[16][17], and parameters that are arrays.

// A transposition by a padded tile.
//
//gocuda:kernel
func aaTranspose(t *gocuda.Thread, w, h int, in, out []int32) {
	tile := gocuda.Shared[[17]int32](t, 16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	x, y := t.BlockIdx.X*16+tx, t.BlockIdx.Y*16+ty
	for j := 0; j < 16; j += 4 {
		if x < w && y+j < h {
			tile[ty+j][tx] = in[(y+j)*w+x]
		}
	}
	t.SyncThreads()
	x, y = t.BlockIdx.Y*16+tx, t.BlockIdx.X*16+ty
	for j := 0; j < 16; j += 4 {
		if x < h && y+j < w {
			out[(y+j)*h+x] = tile[tx][ty+j]
		}
	}
}

// A product in tiles that are filled with zeros first.
//
//gocuda:kernel
func aaProduct(t *gocuda.Thread, n int, a, b, c []float64) {
	as := gocuda.Shared[[8]float64](t, 8)
	bs := gocuda.Shared[[8]float64](t, 8)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	row, col := t.BlockIdx.Y*8+ty, t.BlockIdx.X*8+tx
	sum := 0.0
	for m := 0; m < n; m += 8 {
		as[ty][tx], bs[ty][tx] = 0, 0
		if row < n && m+tx < n {
			as[ty][tx] = a[row*n+m+tx]
		}
		if m+ty < n && col < n {
			bs[ty][tx] = b[(m+ty)*n+col]
		}
		t.SyncThreads()
		for k := range 8 {
			sum += as[ty][k] * bs[k][tx]
		}
		t.SyncThreads()
	}
	if row < n && col < n {
		c[row*n+col] = sum
	}
}

type aaCell struct {
	Level  int32
	Flow   [3]int32
	Corner [2][2]int32
}

// Arrays within structs and within each other, at indices of the threads and of loops.
//
//gocuda:kernel
func aaCells(t *gocuda.Thread, cells []aaCell, cube [][4][5]int32, out []int32) {
	i := t.GlobalX()
	if i >= len(cells) {
		return
	}
	sum := cells[i].Level
	for c := range 3 {
		sum += cells[i].Flow[c] * int32(c+1)
	}
	for k := 0; k < 2; k++ {
		for l := 0; l < 2; l++ {
			cells[i].Corner[k][l] += sum
		}
	}
	for a := 0; a < len(cube); a++ {
		for b := 0; b < 4; b++ {
			sum -= cube[a][b][(b+1)%5]
		}
	}
	out[i] = sum ^ cube[len(cube)-1][3][2]
}

// Rows of five numbers, a thread a number.
//
//gocuda:kernel
func aaFives(t *gocuda.Thread, rows [][5]float32, out [][5]float32) {
	x, y := t.ThreadIdx.X, t.GlobalY()
	if x < 5 && y < len(rows) {
		out[y][x] = rows[y][4-x] + rows[len(rows)-1-y][x]
	}
}

// A mask of weights as a parameter.
//
//gocuda:kernel
func aaWeights(t *gocuda.Thread, w, h int, mask [3][3]float32, bias [2]float32, in, out []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < 1 || y < 1 || x >= w-1 || y >= h-1 {
		return
	}
	var sum float32
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			sum += mask[dy+1][dx+1] * in[(y+dy)*w+x+dx]
		}
	}
	out[y*w+x] = sum + bias[0] - bias[1]*in[y*w+x]
}

// A parameter that changes is each thread's own.
//
//gocuda:kernel
func aaOwn(t *gocuda.Thread, state [4]uint32, out []uint32) {
	i := t.GlobalX()
	state[i%4] += uint32(i)
	state[0] ^= state[1] << 3
	out[i] = state[0] + state[i%4]
}

// The arrays are shorter than blocks.
//
//gocuda:kernel
func aaOutside(t *gocuda.Thread, rows [][6]int32, out []int32) {
	i := t.ThreadIdx.X
	out[t.GlobalX()] = rows[t.BlockIdx.X][i] + 1
}

// The array that is stored to is short, and the slice is long enough.
//
//gocuda:kernel
func aaBeyond(t *gocuda.Thread, n int, rows [][6]int32) {
	i := t.GlobalX()
	for j := 0; j < n; j++ {
		rows[i][j] = int32(i + j)
	}
}

func aaCases() []Case {
	square := []grid.Config{grid.Box(3, 2, 1, 16, 4, 1)}
	numbers := func(n, seed int) []float32 { return rsNumbers[float32](n, seed) }
	return []Case{
		made("aaTranspose", square, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[int32](37*23), marked[int32](37*23)
			return func(t *gocuda.Thread) { aaTranspose(t, 37, 23, in, out) }, aaTransposeKernel(37, 23, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in, out := data[int32](37*23), marked[int32](37*23)
			for y := range min(23, 16*cfg.Grid.Y) {
				for x := range min(37, 16*cfg.Grid.X) {
					out[x*23+y] = in[y*37+x]
				}
			}
			return []any{out}
		}),
		made("aaProduct", []grid.Config{grid.Box(3, 3, 1, 8, 8, 1)}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			a, b, c := rsNumbers[float64](21*21, 1), rsNumbers[float64](21*21, 2), marked[float64](21*21)
			return func(t *gocuda.Thread) { aaProduct(t, 21, a, b, c) }, aaProductKernel(21, a, b, c), []any{c}
		}, func(cfg grid.Config) []any {
			a, b, c := rsNumbers[float64](21*21, 1), rsNumbers[float64](21*21, 2), marked[float64](21*21)
			all := tlProduct(21, 21, 21, func(row, i int) float64 { return a[row*21+i] }, b)
			for row := range min(21, 8*cfg.Grid.Y) {
				copy(c[row*21:][:min(21, 8*cfg.Grid.X)], all[row*21:])
			}
			return []any{c}
		}),
		made("aaCells", []grid.Config{line(1, 1), line(3, 40), line(2, 100)}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			cells, cube, out := data[aaCell](115), data[[4][5]int32](3), marked[int32](115)
			return func(t *gocuda.Thread) { aaCells(t, cells, cube, out) }, aaCellsKernel(cells, cube, out), []any{cells, out}
		}, nil),
		made("aaFives", []grid.Config{grid.Box(1, 4, 1, 5, 7, 1), grid.Box(1, 3, 1, 8, 8, 1)}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[[5]float32](22), data[[5]float32](22)
			return func(t *gocuda.Thread) { aaFives(t, in, out) }, aaFivesKernel(in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in, out := data[[5]float32](22), data[[5]float32](22)
			for y := range min(len(in), cfg.Grid.Y*cfg.Block.Y) {
				for x := range 5 {
					out[y][x] = in[y][4-x] + in[len(in)-1-y][x]
				}
			}
			return []any{out}
		}),
		made("aaWeights", []grid.Config{grid.Box(2, 3, 1, 16, 4, 1), grid.Box(1, 1, 1, 33, 9, 1)}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := numbers(29*11, 0), marked[float32](29*11)
			mask, bias := [3][3]float32{{1, 2, 1}, {0.5, -4, 0.25}, {3, 2, 1}}, [2]float32{7, 0.5}
			return func(t *gocuda.Thread) { aaWeights(t, 29, 11, mask, bias, in, out) }, aaWeightsKernel(29, 11, mask, bias, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in, out := numbers(29*11, 0), marked[float32](29*11)
			mask := []float32{1, 2, 1, 0.5, -4, 0.25, 3, 2, 1}
			for y := 1; y < min(10, cfg.Grid.Y*cfg.Block.Y); y++ {
				for x := 1; x < min(28, cfg.Grid.X*cfg.Block.X); x++ {
					var sum float32
					for k, m := range mask {
						sum += m * in[(y+k/3-1)*29+x+k%3-1]
					}
					out[y*29+x] = sum + 7 - 0.5*in[y*29+x]
				}
			}
			return []any{out}
		}),
		made("aaOwn", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			out, state := marked[uint32](cfg.Blocks()*cfg.Threads()), [4]uint32{3, 1 << 31, 77, 1}
			return func(t *gocuda.Thread) { aaOwn(t, state, out) }, aaOwnKernel(state, out), []any{out}
		}, nil),
	}
}

var aaFailures = []Failure{
	{
		Name: "aaOutside", Config: line(1, 8),
		Make: func(cfg grid.Config) Instance {
			rows, out := data[[6]int32](5), marked[int32](16)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { aaOutside(t, rows, out) }),
				Compiled: aaOutsideKernel(rows, out), Outputs: []any{out},
			}
		},
		Thread: grid.Dim3{X: 6}, Text: "index out of range [6] with length 6",
	},
	{
		Name: "aaBeyond", Config: line(1, 40),
		Make: func(cfg grid.Config) Instance {
			rows := data[[6]int32](100)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { aaBeyond(t, 7, rows) }),
				Compiled: aaBeyondKernel(7, rows), Outputs: []any{rows},
			}
		},
		Thread: grid.Dim3{}, Text: "index out of range [6] with length 6",
	},
}
