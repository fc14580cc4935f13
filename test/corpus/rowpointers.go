//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Slices of slices whose rows the threads, or the rounds of their loops, choose.

//gocuda:kernel
func rpProduct(t *gocuda.Thread, a, b, c [][]float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if y < len(a) && x < len(b[0]) {
		sum := float32(0)
		for k := range b {
			sum += a[y][k] * b[k][x]
		}
		c[y][x] = sum
	}
}

func rpProductSerial(a, b, c [][]float32) {
	for y := range a {
		for x := range b[0] {
			sum := float32(0)
			for k := range b {
				sum += float32(a[y][k] * b[k][x])
			}
			c[y][x] = sum
		}
	}
}

// The sum is kept in the result.
//
//gocuda:kernel
func rpUpdated(t *gocuda.Thread, a, b, c [][]float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if y >= len(c) || x >= len(c[y]) {
		return
	}
	c[y][x] = 0
	for k := range a[y] {
		c[y][x] += a[y][k] * b[k][x]
	}
}

// Rows of columns in a loop over blocks of four, with named rows.
//
//gocuda:kernel
func rpFours(t *gocuda.Thread, a, b, c [][]float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if y < len(c) && x < len(c[y]) {
		var sum [2]float32
		for k := 0; k+1 < len(b); k += 2 {
			even, odd := b[k], b[k+1]
			sum[0] += a[y][k] * even[x]
			sum[1] += a[y][k+1] * odd[x]
		}
		if n := len(b); n%2 > 0 {
			sum[0] += a[y][n-1] * b[n-1][x]
		}
		c[y][x] = sum[0] + sum[1]
	}
}

// A thread a row; the other matrix is read by columns.
//
//gocuda:kernel
func rpByRows(t *gocuda.Thread, a, b, c [][]float32) {
	if r := t.GlobalX(); r < len(a) {
		for x := range c[r] {
			sum := float32(0)
			for k, v := range a[r] {
				sum += v * b[k][x]
			}
			c[r][x] = sum
		}
	}
}

//gocuda:kernel
func rpMeans(t *gocuda.Thread, in, out [][]int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if y >= len(in) || x >= len(in[y]) {
		return
	}
	sum, n := int32(0), int32(0)
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			yy, xx := y+dy, x+dx
			if yy >= 0 && yy < len(in) && xx >= 0 && xx < len(in[yy]) {
				sum += in[yy][xx]
				n++
			}
		}
	}
	out[y][x] = sum / n
}

func rpMeansSerial(in, out [][]int32) {
	for y := range in {
		for x := range in[y] {
			sum, n := int32(0), int32(0)
			for yy := max(y-1, 0); yy <= min(y+1, len(in)-1); yy++ {
				for xx := max(x-1, 0); xx <= min(x+1, len(in[yy])-1); xx++ {
					sum += in[yy][xx]
					n++
				}
			}
			out[y][x] = sum / n
		}
	}
}

// A thread a row, with two loops.
//
//gocuda:kernel
func rpCentred(t *gocuda.Thread, in, out [][]int32) {
	r := t.GlobalX()
	if r >= len(in) {
		return
	}
	sum := int32(0)
	for _, v := range in[r] {
		sum += v
	}
	n := int32(len(in[r]))
	for c := range in[r] {
		out[r][c] = in[r][c]*n - sum
	}
}

func rpCentredSerial(in, out [][]int32) {
	for r, row := range in {
		sum := int32(0)
		for _, v := range row {
			sum += v
		}
		for c, v := range row {
			out[r][c] = v*int32(len(row)) - sum
		}
	}
}

// Running sums, in the order of the row and backwards.
//
//gocuda:kernel
func rpRunning(t *gocuda.Thread, in, out [][]int32) {
	if r := t.GlobalX(); r < len(out) {
		row := out[r]
		row[0] = in[r][0]
		for c := 1; c < len(row); c++ {
			row[c] = row[c-1] + in[r][c]
		}
		for c := len(row) - 2; c >= 0; c-- {
			row[c] = max(row[c], row[c+1]-100)
		}
	}
}

//gocuda:kernel
func rpTransposed(t *gocuda.Thread, in, out [][]int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if y < len(in) && x < len(in) {
		out[x][y] = in[y][x] + 1
	}
}

// The last rounds have fewer columns, and some threads none at all.
//
//gocuda:kernel
func rpTriangle(t *gocuda.Thread, in, out [][]int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if y >= len(in) || x >= len(in[0]) {
		return
	}
	sum := int32(0)
	for k := y; k < len(in); k++ {
		if in[k][x] > 100 {
			sum += in[k][x] - in[y][x]
		}
	}
	out[y][x] = sum
}

// Which rows a thread reads depends on data, and on both its indices.
//
//gocuda:kernel
func rpChosen(t *gocuda.Thread, in, out [][]int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if y >= len(in) || x >= len(in[0]) {
		return
	}
	sum := in[int(in[y][x])%len(in)][x] + in[(x+y)%len(in)][x]
	for k := 0; k < len(in); k++ {
		if sum += in[k][x]; sum%7 == 3 {
			break
		}
	}
	out[y][x] = sum
}

// Squares of pixels, of one or several of which each thread computes the mean.
//
//gocuda:kernel
func rpMosaic(t *gocuda.Thread, in, out [][]uint8, cell int) {
	h, w := len(in), len(in[0])
	x0, y0 := t.GlobalX()*cell, t.GlobalY()*cell
	if x0 >= w || y0 >= h {
		return
	}
	x1, y1 := min(x0+cell, w), min(y0+cell, h)
	sum := uint32(0)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			sum += uint32(in[y][x])
		}
	}
	mean := uint8(sum / uint32((x1-x0)*(y1-y0)))
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			out[y][x] = mean
		}
	}
}

//gocuda:kernel
func rpSharpen(t *gocuda.Thread, in, out [][]uint8, cell int) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < 1 || y < 1 || y >= len(in)-1 || x >= len(in[y])-1 {
		return
	}
	v := cell * int(in[y][x])
	for d := -1; d <= 1; d += 2 {
		v -= int(in[y+d][x]) + int(in[y][x+d])
	}
	out[y][x] = uint8(min(max(v, 0), 255))
}

// A thread a row of bytes.
//
//gocuda:kernel
func rpParity(t *gocuda.Thread, in, out [][]uint8, cell int) {
	r := t.GlobalX()
	if r >= len(in) {
		return
	}
	p := uint8(cell)
	for c := range in[r] {
		p ^= in[r][c]
		out[r][c] = p
	}
}

type rpPoint struct{ X, Y float64 }

// Structs in rows, across and along.
//
//gocuda:kernel
func rpPoints(t *gocuda.Thread, in [][]rpPoint, out [][]float64) {
	x, y := t.GlobalX(), t.GlobalY()
	if y >= len(out) || x >= len(out[y]) {
		return
	}
	sum := 0.0
	for k := range in {
		sum += in[k][x].X * in[k][x].Y
	}
	out[y][x] = sum - in[y][x].X
}

//gocuda:kernel
func rpLongest(t *gocuda.Thread, in [][]rpPoint, out [][]float64) {
	if r := t.GlobalX(); r < len(out) {
		best := 0.0
		for c := range in[r] {
			best = max(best, in[r][c].X*in[r][c].X+in[r][c].Y*in[r][c].Y)
		}
		out[r][0] = best
	}
}

// A row a thread, which vectors of arm64 do without, and elements along the same loop.
//
//gocuda:kernel
func rpCrossed(t *gocuda.Thread, in, out [][]int32) {
	x, m := int32(t.GlobalX()), int32(len(in))
	if x < m {
		sum := int32(0)
		for j := int32(0); j < m; j++ {
			sum += in[x][j] * in[j][m-1-j]
		}
		out[x][0] = sum
	}
}

// rpLayouts are ways in which rows may lie in memory.
var rpLayouts = []string{"one array", "apart", "shared", "ragged"}

// rpRows returns rows of w numbers. Those that lie apart are in another order, with numbers between that
// no kernel accesses. Of shared rows all are the same one; some of ragged ones are longer.
func rpRows[T int32 | uint8 | float32 | float64 | rpPoint](h, w int, layout string, number func(i int) T) [][]T {
	rows, all := make([][]T, h), make([]T, h*(w+9))
	for i := range all {
		all[i] = number(i)
	}
	for i := range rows {
		switch layout {
		case "one array":
			rows[i] = all[i*w:][:w]
		case "apart":
			rows[i] = all[(i*7+3)%h*(w+9)+i%5:][:w:w]
		case "shared":
			rows[i] = all[:w]
		case "ragged":
			rows[i] = all[i*(w+9):][:w+i%3]
		}
	}
	return rows
}

// rpCopy returns rows of the same lengths, and in the same order.
func rpCopy[T any](rows [][]T, layout string) (out [][]T) {
	var all []T
	for i := range rows {
		if layout != "one array" {
			all = nil
		}
		begin := len(all)
		all = append(all, make([]T, len(rows[i]))...)
		out = append(out, nil)
		if layout != "one array" {
			out[i] = all[begin:]
		}
	}
	if layout == "one array" {
		for i, row := range rows {
			out[i], all = all[:len(row):len(row)], all[len(row):]
		}
	}
	return out
}

// anyRows are outputs.
func anyRows[T any](rows [][]T) (all []any) {
	for _, r := range rows {
		all = append(all, r)
	}
	return all
}

// failFarColumn has an element beyond its row, in the loop of one thread.
//
//gocuda:kernel
func failFarColumn(t *gocuda.Thread, who int, rows [][]int32, out []int32) {
	i, more := t.GlobalX(), 0
	if unlucky(t, who) {
		more = len(rows[0]) - t.GlobalX()
	}
	sum := int32(0)
	for k := range rows {
		sum += rows[k][i+more]
	}
	out[i] = sum
}

// failLastRow has a round too many in the loop of one thread, or of all threads.
//
//gocuda:kernel
func failLastRow(t *gocuda.Thread, who int, rows [][]int32, out []int32) {
	i, sum, many := t.GlobalX(), int32(0), len(rows)
	if unlucky(t, who) {
		many++
	}
	for k := 0; k < many; k++ {
		sum += rows[k][i]
	}
	out[i] = sum
}

// failOwnRow has no row for one thread.
//
//gocuda:kernel
func failOwnRow(t *gocuda.Thread, who int, rows [][]int32, out []int32) {
	i, sum := t.GlobalX(), int32(0)
	at := i % 3
	if unlucky(t, who) {
		at = 3
	}
	for _, v := range rows[at] {
		sum += v
	}
	out[i] = sum
}

func rpFailures() []Failure {
	rows := func(in []int32) [][]int32 { return [][]int32{in, in, in} }
	return []Failure{
		failure("failFarColumn", 64, 37,
			func(t *gocuda.Thread, who int, in, out []int32) { failFarColumn(t, who, rows(in), out) },
			func(who int, in, out []int32) gocuda.Kernel { return failFarColumnKernel(who, rows(in), out) }, "index out of range [192] with length 192"),
		failure("failLastRow", 64, 41,
			func(t *gocuda.Thread, who int, in, out []int32) { failLastRow(t, who, rows(in), out) },
			func(who int, in, out []int32) gocuda.Kernel { return failLastRowKernel(who, rows(in), out) }, "index out of range [3] with length 3"),
		failure("failOwnRow", 64, 37,
			func(t *gocuda.Thread, who int, in, out []int32) { failOwnRow(t, who, rows(in), out) },
			func(who int, in, out []int32) gocuda.Kernel { return failOwnRowKernel(who, rows(in), out) }, "index out of range [3] with length 3"),
	}
}

func rpCases() (cases []Case) {
	hash := func(i int) int32 { return int32(uint32(i+1) * 2654435761 >> 24) }
	wide := grid.Config{Grid: grid.Dim3{X: 5, Y: 9}, Block: grid.Dim3{X: 16, Y: 8}}
	rows := grid.Config{Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 40}}
	add := func(name string, cfg grid.Config, make func() Instance) {
		cases = append(cases, Case{Name: name, Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance { return make() }})
	}
	for _, size := range [][2]int{{1, 1}, {5, 19}, {17, 40}, {40, 71}, {67, 67}} {
		h, w := size[0], size[1]
		for _, layout := range rpLayouts {
			name := func(of string) string { return fmt.Sprintf("%s of %d by %d, %s", of, h, w, layout) }
			for _, k := range []struct {
				name     string
				cfg      grid.Config
				source   func(t *gocuda.Thread, a, b, c [][]float32)
				compiled func(a, b, c [][]float32) gocuda.Kernel
				serial   func(a, b, c [][]float32)
			}{{"rpProduct", wide, rpProduct, rpProductKernel, rpProductSerial}, {"rpUpdated", wide, rpUpdated, rpUpdatedKernel, rpProductSerial},
				{"rpFours", wide, rpFours, rpFoursKernel, nil}, {"rpByRows", rows, rpByRows, rpByRowsKernel, rpProductSerial}} {
				if layout == "ragged" {
					continue
				}
				add(name(k.name), k.cfg, func() Instance {
					number := func(i int) float32 { return float32(hash(i)) / 16 }
					a, b := rpRows(h, h, layout, number), rpRows(h, w, layout, number)
					c := rpCopy(b, layout)
					made := Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, a, b, c) }),
						Compiled: k.compiled(a, b, c),
						Outputs:  anyRows(c),
					}
					if k.serial != nil {
						made.Want = func() []any {
							c := rpCopy(b, layout)
							k.serial(a, b, c)
							return anyRows(c)
						}
					}
					return made
				})
			}
			for _, k := range []struct {
				name     string
				cfg      grid.Config
				source   func(t *gocuda.Thread, in, out [][]int32)
				compiled func(in, out [][]int32) gocuda.Kernel
				serial   func(in, out [][]int32)
			}{{"rpMeans", wide, rpMeans, rpMeansKernel, rpMeansSerial}, {"rpCentred", rows, rpCentred, rpCentredKernel, rpCentredSerial},
				{"rpRunning", rows, rpRunning, rpRunningKernel, nil}, {"rpTransposed", wide, rpTransposed, rpTransposedKernel, nil},
				{"rpTriangle", wide, rpTriangle, rpTriangleKernel, nil}, {"rpCrossed", rows, rpCrossed, rpCrossedKernel, nil}, {"rpChosen", wide, rpChosen, rpChosenKernel, nil}} {
				add(name(k.name), k.cfg, func() Instance {
					in := rpRows(h, max(h, w), layout, hash)
					out := rpCopy(in, layout)
					made := Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, in, out) }),
						Compiled: k.compiled(in, out),
						Outputs:  anyRows(out),
					}
					if k.serial != nil {
						made.Want = func() []any {
							out := rpCopy(in, layout)
							k.serial(in, out)
							return anyRows(out)
						}
					}
					return made
				})
			}
			for _, k := range []struct {
				name     string
				cfg      grid.Config
				source   func(t *gocuda.Thread, in, out [][]uint8, cell int)
				compiled func(in, out [][]uint8, cell int) gocuda.Kernel
			}{{"rpMosaic", wide, rpMosaic, rpMosaicKernel}, {"rpSharpen", wide, rpSharpen, rpSharpenKernel},
				{"rpParity", rows, rpParity, rpParityKernel}, {"rpParity in place", rows, rpParity, rpParityKernel}} {
				inPlace := k.name == "rpParity in place"
				if inPlace && layout == "shared" || k.name == "rpSharpen" && layout == "ragged" {
					continue
				}
				add(name(k.name), k.cfg, func() Instance {
					in := rpRows(h, w, layout, func(i int) uint8 { return uint8(hash(i)) })
					out := rpCopy(in, layout)
					if inPlace {
						out = in
					}
					return Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, in, out, 5) }),
						Compiled: k.compiled(in, out, 5),
						Outputs:  anyRows(out),
					}
				})
			}
			for _, k := range []struct {
				name     string
				cfg      grid.Config
				source   func(t *gocuda.Thread, in [][]rpPoint, out [][]float64)
				compiled func(in [][]rpPoint, out [][]float64) gocuda.Kernel
			}{{"rpPoints", wide, rpPoints, rpPointsKernel}, {"rpLongest", rows, rpLongest, rpLongestKernel}} {
				add(name(k.name), k.cfg, func() Instance {
					in := rpRows(h, w, layout, func(i int) rpPoint { return rpPoint{float64(hash(i)), float64(hash(i + 1))} })
					out := rpRows(h, w, "one array", func(int) float64 { return 0 })
					return Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, in, out) }),
						Compiled: k.compiled(in, out),
						Outputs:  anyRows(out),
					}
				})
			}
		}
	}
	return cases
}
