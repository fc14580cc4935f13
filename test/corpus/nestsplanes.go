//go:build compiled

package corpus

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Planes in assembly, and what threads of a row have that is not next to each other: rows of
// matrices, triangles, clamped neighbours, loops that they leave one by one, indices from memory,
// structs.

// The product of a matrix, read by rows and stored by columns, with itself: a row of the first
// factor a thread.
//
//gocuda:kernel
func npGram(t *gocuda.Thread, n, m int, a, c []float32) {
	j, i := t.GlobalX(), t.GlobalY()
	if i < n && j < n {
		c[i*n+j] *= 0.5
		for k := 0; k < m; k++ {
			c[i*n+j] += a[i*m+k] * a[j*m+k]
		}
	}
}

func npGramWant(n, m int, a, c []float32) {
	for i := range n {
		for j := range n {
			s := c[i*n+j] * 0.5
			for k := range m {
				p := a[i*m+k] * a[j*m+k]
				s += p
			}
			c[i*n+j] = s
		}
	}
}

// Two sums over the same row a thread, and a third after them, in float64.
//
//gocuda:kernel
func npRows(t *gocuda.Thread, n, m int, a, b, x, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var s, u, w float64
	for k := 1; k < m; k++ {
		s += a[i*m+k] * x[k]
		u -= b[i*m+k-1] * x[k]
	}
	for k := 0; k < m-2; k++ {
		w += a[i*m+k+2] * b[i*m+k]
	}
	out[3*i], out[3*i+1], out[3*i+2] = s, u, w
}

func npRowsWant(n, m int, a, b, x, out []float64) {
	for i := range n {
		var s, u, w float64
		for k := 1; k < m; k++ {
			p, q := a[i*m+k]*x[k], b[i*m+k-1]*x[k]
			s += p
			u -= q
		}
		for k := 2; k < m; k++ {
			p := a[i*m+k] * b[i*m+k-2]
			w += p
		}
		out[3*i], out[3*i+1], out[3*i+2] = s, u, w
	}
}

// Sums over the part of a column that is below the thread's own row, and stored on both sides of
// the diagonal.
//
//gocuda:kernel
func npTriangle(t *gocuda.Thread, n int, a, out []int32) {
	i := t.GlobalX()
	if i < n {
		out[i*n+i] = 1
		for j := i + 1; j < n; j++ {
			var s int32
			for k := 0; k < j; k++ {
				s += a[k*n+j] * a[k*n+i]
			}
			out[i*n+j] = s
			out[j*n+i] = s
		}
	}
}

func npTriangleWant(n int, a, out []int32) {
	for i := range n {
		for j := range i + 1 {
			s := int32(1)
			if j < i {
				s = 0
				for k := range i {
					s += a[k*n+i] * a[k*n+j]
				}
			}
			out[i*n+j], out[j*n+i] = s, s
		}
	}
}

// A few steps of smoothing in a tile, whose edges are their own neighbours; threads on odd places
// and on the rim of the picture wait.
//
//gocuda:kernel
func npSmooth(t *gocuda.Thread, w, h, steps int, in, out []float32) {
	tile := gocuda.Shared[float32](t, 16*8)
	x, y := t.GlobalX(), t.GlobalY()
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	left, right, up, down := tx-1, tx+1, ty-1, ty+1
	if left < 0 {
		left = 0
	}
	if right > 15 {
		right = 15
	}
	up, down = max(up, 0), min(down, 7)
	if x < w && y < h {
		tile[ty*16+tx] = in[y*w+x]
	} else {
		tile[ty*16+tx] = 0
	}
	t.SyncThreads()
	moved := false
	for range steps {
		v := tile[ty*16+tx]
		moved = false
		if x > 0 && y > 0 && x < w-1 && y < h-1 && v > 1 {
			v = 0.25 * (tile[ty*16+left] + tile[ty*16+right] + tile[up*16+tx] + tile[down*16+tx])
			moved = true
		}
		t.SyncThreads()
		if moved {
			tile[ty*16+tx] = v
		}
		t.SyncThreads()
	}
	if x < w && y < h {
		v := tile[ty*16+tx]
		if !moved {
			v = -v
		}
		out[y*w+x] = v
	}
}

func npSmoothWant(w, h, steps int, in, out []float32) {
	for by := 0; by < h; by += 8 {
		for bx := 0; bx < w; bx += 16 {
			var now [8][16]float32
			var moved [8][16]bool
			for y := range 8 {
				for x := range 16 {
					if by+y < h && bx+x < w {
						now[y][x] = in[(by+y)*w+bx+x]
					}
				}
			}
			for range steps {
				next := now
				for y := range 8 {
					for x := range 16 {
						gx, gy := bx+x, by+y
						moved[y][x] = gx > 0 && gy > 0 && gx < w-1 && gy < h-1 && now[y][x] > 1
						if moved[y][x] {
							s := now[y][max(x-1, 0)] + now[y][min(x+1, 15)]
							s += now[max(y-1, 0)][x]
							s += now[min(y+1, 7)][x]
							next[y][x] = 0.25 * s
						}
					}
				}
				now = next
			}
			for y := range min(8, h-by) {
				for x := range min(16, w-bx) {
					v := now[y][x]
					if !moved[y][x] {
						v = -v
					}
					out[(by+y)*w+bx+x] = v
				}
			}
		}
	}
}

// How many steps a number takes to come to 1, by the rule of Collatz; numbers that take more than
// the limit are left where they are.
//
//gocuda:kernel
func npCollatz(t *gocuda.Thread, limit int, in, out []int32) {
	i := t.GlobalX()
	if i >= len(out) || i >= len(in) {
		return
	}
	v := in[i]
	steps := 0
	for ; steps < limit; steps++ {
		if v <= 1 {
			break
		}
		if v&1 == 0 {
			v >>= 1
		} else {
			v = 3*v + 1
		}
	}
	if steps == limit {
		out[i] = -v
	} else {
		out[i] = int32(steps)
	}
}

func npCollatzWant(limit int, in, out []int32) {
	for i := range out {
		v, n := in[i], 0
		for n < limit && v > 1 {
			if v%2 == 0 {
				v /= 2
			} else {
				v = v*3 + 1
			}
			n++
		}
		out[i] = int32(n)
		if n == limit {
			out[i] = -v
		}
	}
}

// Rows of a sparse matrix times a vector, without those of which a row has many.
//
//gocuda:kernel
func npSparse(t *gocuda.Thread, first, col []int32, val, x, y []float32) {
	i := t.GlobalX()
	if i < len(y) {
		var sum float32
		for k := first[i]; k < first[i+1]; k++ {
			sum += val[k] * x[col[k]]
		}
		y[i] = sum
	}
}

func npSparseWant(first, col []int32, val, x, y []float32) {
	for i := range y {
		y[i] = 0
		for k := first[i]; k < first[i+1]; k++ {
			p := val[k] * x[col[k]]
			y[i] += p
		}
	}
}

type npPoint struct {
	X, Y  float32
	Loads [2]float32
	Near  int32
}

// Pulls of some points on each, with the nearest.
//
//gocuda:kernel
func npPoints(t *gocuda.Thread, n int, points, out []npPoint) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := points[i].X, points[i].Y
	var ax, ay float32
	best, near := float32(1e9), int32(-1)
	for j := range n {
		dx, dy := points[j].X-x, points[j].Y-y
		d := dx*dx + dy*dy + 0.25
		ax += dx * points[j].Loads[1] / d
		ay += dy * points[j].Loads[1] / d
		if d < best && j != i {
			best = d
			near = int32(j)
		}
	}
	out[i].X, out[i].Y = ax, ay
	out[i].Loads[1] = points[i].Loads[0] * float32(i)
	out[i].Near = near
}

func npPointsWant(n int, points, out []npPoint) {
	for i := range n {
		p := npPoint{Near: -1}
		best := float32(1e9)
		for j, o := range points[:n] {
			dx, dy := o.X-points[i].X, o.Y-points[i].Y
			xx, yy := dx*dx, dy*dy
			d := xx + yy + 0.25
			mx, my := dx*o.Loads[1], dy*o.Loads[1]
			p.X += mx / d
			p.Y += my / d
			if j != i && d < best {
				best, p.Near = d, int32(j)
			}
		}
		p.Loads[1] = points[i].Loads[0] * float32(i)
		out[i] = p
	}
}

// A step of an elimination whose rows are along x: neighbours are along y.
//
//gocuda:kernel
func npUpdate(t *gocuda.Thread, n, k int, a, row, u []int32) {
	i, j := t.GlobalX()+k, t.GlobalY()+k
	if i >= n || j >= n {
		return
	}
	a[i*n+j] -= u[i] * row[j-k] * 3
	if j == k {
		a[i*n+j] += int32(i)
	}
}

func npUpdateWant(n, k int, a, row, u []int32) {
	for i := k; i < n; i++ {
		f := u[i] * 3
		for j := k; j < n; j++ {
			a[i*n+j] -= f * row[j-k]
		}
		a[i*n+k] += int32(i)
	}
}

// What floats have that is neither a sum nor a product, of all kinds of floats.
//
//gocuda:kernel
func npFloats(t *gocuda.Thread, a, b []float32, by []uint32, out []float32, whole []int32) {
	i := t.GlobalX()
	if i >= len(a) {
		return
	}
	x, y := a[i], b[i]
	s := min(x, y)*2 + max(x, y, 1)
	s -= float32(math.Floor(float64(x))) - float32(math.Ceil(float64(y)))
	s += float32(math.Trunc(float64(y))) + float32(math.RoundToEven(float64(x)))
	out[i] = s
	bits := math.Float32bits(x)
	whole[i] = int32(bits<<by[i]^bits>>(by[i]&7)) + int32(y)>>by[i]
}

func npFloatsWant(a, b []float32, by []uint32, out []float32, whole []int32) {
	for i, x := range a {
		y := b[i]
		least, most := x, x
		switch {
		case x != x || y != y:
			least, most = float32(math.NaN()), float32(math.NaN())
		case y < x || y == x && math.Signbit(float64(y)):
			least = y
		}
		if y > most || y == most && math.Signbit(float64(most)) {
			most = y
		}
		if most < 1 {
			most = 1
		}
		twice := least * 2
		s := twice + most
		up := -float32(math.Floor(-float64(y)))
		d := -float32(math.Ceil(-float64(x))) - up
		s -= d
		whole1 := float32(math.Copysign(math.Floor(math.Abs(float64(y))), float64(y)))
		even := float32(math.RoundToEven(float64(x)))
		e := whole1 + even
		s += e
		out[i] = s
		bits := math.Float32bits(x)
		n := unheld(y) // what an int32 does not hold
		if y > -2147483904 && y < 2147483648 {
			n = int32(y)
		}
		left, shifted := uint64(bits)<<by[i], n>>31
		if by[i] < 32 {
			shifted = n >> by[i]
		} else {
			left = 0
		}
		whole[i] = int32(uint32(left)^bits>>(by[i]%8)) + shifted
	}
}

// Numbers of 32 and of 64 bits side by side: sums in float64 of float32, integers of both sizes,
// conversions between all of them, elements at a distance, under conditions, and by indices from
// memory.
//
//gocuda:kernel
func npMixed(t *gocuda.Thread, n, m int, a []float32, d []float64, by []uint32, at []int32, sums []float64, out []float32, whole []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var s float64
	low := float32(1e30)
	for k := 0; k < m; k++ {
		x := a[i+k]
		s += float64(x) * d[k]
		if x < low && k != 3 {
			low = x
			s -= 0.5
		}
	}
	s += float64(a[3*i+1]) + d[at[i]] + float64(i)
	sums[i] = s
	root := math.Sqrt(s*s+1) - float64(by[i])
	out[i] = float32(root)/3 + float32(by[i]) + low
	w := int32(root)
	if by[i] > 7 && d[i] >= 0 {
		w = -w
	} else if a[i] < 0 {
		w += at[i]
	}
	if by[i] <= uint32(at[i]) {
		w ^= int32(by[i] >> 1)
	}
	whole[i] = w
}

func npMixedWant(n, m int, a []float32, d []float64, by []uint32, at []int32, sums []float64, out []float32, whole []int32) {
	for i := range n {
		var s float64
		low := float32(1e30)
		for k, x := range a[i : i+m] {
			p := float64(x) * d[k]
			s += p
			if k != 3 && low > x {
				low = x
				s -= 0.5
			}
		}
		s += float64(a[3*i+1]) + d[at[i]] + float64(i)
		sums[i] = s
		q := s * s
		root := math.Sqrt(q+1) - float64(by[i])
		out[i] = float32(root)/3 + float32(by[i]) + low
		w := int32(root)
		switch {
		case by[i] > 7 && d[i] >= 0:
			w = -w
		case a[i] < 0:
			w += at[i]
		}
		if int64(by[i]) <= int64(at[i]) {
			w ^= int32(by[i] >> 1)
		}
		whole[i] = w
	}
}

// Integers of 64 bits: a generator of random numbers and its bits, as a kernel that simulates has it.
//
//gocuda:kernel
func npRandom(t *gocuda.Thread, rounds int, seeds []uint64, state []uint64, signed []int64, out []float64) {
	i := t.GlobalX()
	if i < len(out) {
		x := seeds[i] + 88172645463325252
		y := signed[i]
		sum := 0.0
		for range rounds {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			y = y*6364136223846793005 + 1442695040888963407
			if y>>33 > 0 {
				y = -y
			}
			sum += float64(uint32(x>>33)) - float64(int32(y>>40))
		}
		state[i], signed[i] = x*2685821657736338717, y
		out[i] = sum
	}
}

func npRandomWant(rounds int, seeds []uint64, state []uint64, signed []int64, out []float64) {
	for i := range out {
		x, y := seeds[i]+88172645463325252, signed[i]
		out[i] = 0
		for range rounds {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			y = int64(uint64(y)*6364136223846793005 + 1442695040888963407)
			if y >= 1<<33 {
				y = int64(^uint64(y) + 1)
			}
			out[i] += float64(x>>33&math.MaxUint32) - float64(int32(y>>40))
		}
		state[i], signed[i] = x*2685821657736338717, y
	}
}

type npPixel struct{ R, G, B uint8 }

// Pictures and samples: bytes next to each other, at a distance, in structs, by a table, and across
// the ends of their types; words; bools.
//
//gocuda:kernel
func npBytes(t *gocuda.Thread, rgb []uint8, pixels []npPixel, table []uint8, words []int16, flags []bool, grey []uint8, out []npPixel, sums []int16, seen []bool, signed []int8) {
	i := t.GlobalX()
	if i >= len(grey) {
		return
	}
	r, g, b := rgb[3*i], rgb[3*i+1], rgb[3*i+2]
	y := uint8(0.299*float32(r) + 0.587*float32(g) + 0.114*float32(b))
	grey[i] = table[y]
	p := pixels[i]
	if flags[i] && p.R > 20 {
		p.G += p.R
		p.B ^= 0xf0
	}
	out[i] = npPixel{p.G, p.B + y, p.R / 3}
	s := words[i] * 3
	for k := range 4 {
		s += int16(rgb[i+k]) << uint(k)
	}
	s -= words[len(words)-1]
	sums[i] = s >> 2
	seen[i] = flags[i] != (s < 0) || y >= 200
	d := int8(r) - int8(g)
	if d < 0 {
		d = -d
	}
	signed[i] = d / 3 &^ 1
}

func npBytesWant(rgb []uint8, pixels []npPixel, table []uint8, words []int16, flags []bool, grey []uint8, out []npPixel, sums []int16, seen []bool, signed []int8) {
	for i := range grey {
		r, g, b := int(rgb[3*i]), int(rgb[3*i+1]), int(rgb[3*i+2])
		a, c, e := 0.299*float32(r), 0.587*float32(g), 0.114*float32(b)
		y := int(a + c + e)
		grey[i] = table[y]
		p := pixels[i]
		G, B := int(p.G), int(p.B)
		if flags[i] && p.R > 20 {
			G, B = (G+int(p.R))%256, B^0xf0
		}
		out[i] = npPixel{uint8(G), uint8((B + y) % 256), p.R / 3}
		s := int(words[i])*3 + int(rgb[i]) + int(rgb[i+1])*2 + int(rgb[i+2])*4 + int(rgb[i+3])*8 - int(words[len(words)-1])
		s = (s+1<<15+1<<20)%(1<<16) - 1<<15
		sums[i] = int16(s >> 2)
		seen[i] = flags[i] != (s < 0) || y >= 200
		d := (r-g+128+512)%256 - 128
		if d < 0 {
			d = -d
		}
		if d == 128 { // which has no int8
			d = -128
		}
		signed[i] = int8(d / 3 &^ 1)
	}
}

// Loops of a few rounds: the game of life on a torus, where one of nine neighbours is left out.
//
//gocuda:kernel
func npLife(t *gocuda.Thread, w, h int, in, out []uint8) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	var n uint8
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if dx == 0 && dy == 0 {
				continue
			}
			n += in[(y+dy+h)%h*w+(x+dx+w)%w]
		}
	}
	if n == 3 || n == 2 && in[y*w+x] == 1 {
		out[y*w+x] = 1
	} else {
		out[y*w+x] = 0
	}
}

func npLifeWant(w, h int, in, out []uint8) {
	at := func(x, y int) int { return int(in[(y+h)%h*w+(x+w)%w]) }
	for y := range h {
		for x := range w {
			n := at(x-1, y-1) + at(x, y-1) + at(x+1, y-1) + at(x-1, y) + at(x+1, y) + at(x-1, y+1) + at(x, y+1) + at(x+1, y+1)
			out[y*w+x] = 0
			if n == 3 || n == 2 && at(x, y) == 1 {
				out[y*w+x] = 1
			}
		}
	}
}

// A sorting network over a thread's own array, of which some threads leave out what is negative.
//
//gocuda:kernel
func npNetwork(t *gocuda.Thread, n int, a, sums []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var v [6]int32
	few := [2]int32{7, int32(i)}
	for k := range v {
		v[k] = a[k*n+i]
	}
	for k := 0; k < 6; k++ {
		if v[k] < 0 && i%3 != 1 {
			few[k&1]++
			continue
		}
		few[1] += v[k] * int32(k)
	}
	for k := 0; k < 6; k++ {
		for j := k & 1; j+1 < 6; j += 2 {
			if v[j] > v[j+1] {
				v[j], v[j+1] = v[j+1], v[j]
			}
		}
	}
	for k := range v {
		a[k*n+i] = v[k]
	}
	sums[i] = few[0]*1000 + few[1]
}

func npNetworkWant(n int, a, sums []int32) {
	for i := range n {
		v := make([]int32, 6)
		few := []int32{7, int32(i)}
		for k := range v {
			v[k] = a[k*n+i]
			if v[k] >= 0 || i%3 == 1 {
				few[1] += v[k] * int32(k)
			} else {
				few[k%2]++
			}
		}
		slices.Sort(v)
		for k := range v {
			a[k*n+i] = v[k]
		}
		sums[i] = few[0]*1000 + few[1]
	}
}

// Breaks of a loop that threads leave one by one from a loop inside it, which is unrolled if m is
// not asked for, and in a branch.
//
//gocuda:kernel
func npBreaks(t *gocuda.Thread, m int32, in, out []int32) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	v, s := in[i]&1023, int32(0)
outer:
	for v < 100000 {
		if v&1 == 0 {
			for k := int32(0); k < m; k++ {
				if v>>uint32(k)&7 == 3 {
					s += 1000
					break outer
				}
				s += k + v&7
			}
			for k := int32(0); k < 3; k++ {
				if v>>uint32(k+5)&3 == 3 {
					break outer
				}
				s ^= k * v
			}
		}
		v = v*3 + 1
		s++
	}
	out[i] = s*7 + v
}

func npBreaksWant(m int32, in, out []int32) {
	one := func(v int32) int32 {
		s := int32(0)
		for ; v < 100000; v, s = 3*v+1, s+1 {
			if v%2 != 0 {
				continue
			}
			for k := range m {
				if v/(1<<k)%8 == 3 {
					return (s+1000)*7 + v
				}
				s += k + v%8
			}
			for k := range int32(3) {
				if v/(32<<k)%4 == 3 {
					return s*7 + v
				}
				s ^= k * v
			}
		}
		return s*7 + v
	}
	for i := range out {
		out[i] = one(in[i] & 1023)
	}
}

// Loops in strides inside of one another: threads that go a round of the outer one together part in
// the inner one.
//
//gocuda:kernel
func npStrides(t *gocuda.Thread, in, out []int32) {
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	v, w := in[i], in[i]
	for j := tid; j < 3*n; j += n {
		for k := tid; k < n+20; k += n/2 + 9 {
			v -= in[k&1] & 7
		}
	}
	for j := tid; j < n+7; j += n/2 + 3 {
		for k := tid; k < n+7; k += n/2 + 3 {
			w++
		}
		w *= 3
	}
	out[i] = v ^ w
}

func npStridesWant(n int, in, out []int32) {
	for i := range out {
		tid := i % n
		v, w := in[i], in[i]
		rounds := int32((n + 20 - tid + n/2 + 8) / (n/2 + 9)) // of the inner loop: there are three of the outer one
		for k := range rounds {
			v -= 3 * (in[(tid+int(k)*(n/2+9))%2] & 7)
		}
		both := int32((n + 7 - tid + n/2 + 2) / (n/2 + 3))
		for range both {
			w = (w + both) * 3
		}
		out[i] = v ^ w
	}
}

type npCell struct {
	V    float64
	X, Y float64
}

// Places from a number, with neighbours around the edges, in int32; the part of a warp; rounded
// halves; structs as they are.
//
//gocuda:kernel
func npPlaces(t *gocuda.Thread, w, h int32, in []float64, cells, out []npCell, far []int32) {
	for i := int32(t.GlobalX()); i < w*h; i += int32(t.BlockDim.X * t.GridDim.X) {
		x, y := i%w, i/w
		s := in[i]
		if x > 0 {
			s += in[i-1]
		}
		if y+1 < h {
			s -= in[(y+1)*w+x]
		}
		s += in[y*w+(x+1)%w] * 0.5
		out[i] = cells[i]
		out[i].V = math.Round(s)
		far[i] = i>>5 - i&31 + x*y
	}
}

func npPlacesWant(w, h int, in []float64, cells, out []npCell, far []int32) {
	for y := range h {
		for x := range w {
			i := y*w + x
			s := in[i]
			if x > 0 {
				s += in[i-1]
			}
			if y+1 < h {
				s -= in[i+w]
			}
			right := x + 1
			if right == w {
				right = 0
			}
			half := in[y*w+right] * 0.5
			s += half
			out[i] = npCell{math.Round(s), cells[i].X, cells[i].Y}
			far[i] = int32(i/32 - i%32 + x*y)
		}
	}
}

// npSpecial are floats of all kinds, in an order of their own.
func npSpecial(n, step int) []float32 {
	all := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 1e-40, -1e-40, 3e9, -3e9, 2147483648, -2147483648, 8388609, -8388607.5,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 123.456, -7}
	s := make([]float32, n)
	for i := range s {
		s[i] = all[i*step/len(all)%len(all)]
		if step == 1 {
			s[i] = all[i%len(all)]
		}
	}
	return s
}

func npMixedData(n, m int) (a []float32, d []float64, by []uint32, at []int32, sums []float64, out []float32, whole []int32) {
	at = make([]int32, n)
	for i := range at {
		at[i] = int32(i*11) % 29
	}
	by = npCounts(n)
	for i := 5; i < n; i += 9 {
		by[i] += 1<<31 + 77
	}
	return pdNumbers[float32](3*n + m + 2), pdNumbers[float64](max(n, 29, m)), by, at, marked[float64](n), marked[float32](n), marked[int32](n)
}

func npBytesData(n int) (rgb []uint8, pixels []npPixel, table []uint8, words []int16, flags []bool) {
	rgb, pixels, table, words, flags = make([]uint8, 3*n+4), make([]npPixel, n), make([]uint8, 256), make([]int16, n+1), make([]bool, n)
	for i := range rgb {
		rgb[i] = uint8(i*i*7 + i*13)
	}
	for i := range pixels {
		pixels[i], words[i], flags[i] = npPixel{uint8(i * 11), uint8(i * 101), uint8(i * 37)}, int16(i*4099), i%3 != 1
	}
	words[n] = -77
	for i := range table {
		table[i] = uint8(i*3 + 5)
	}
	return rgb, pixels, table, words, flags
}

func npCounts(n int) []uint32 {
	s := make([]uint32, n)
	for i := range s {
		s[i] = uint32(i * 5 % 40)
	}
	return s
}

var npBoxes = []grid.Config{grid.Box(64, 40, 1, 32, 8, 1), grid.Box(48, 48, 1, 16, 16, 1), grid.Box(45, 35, 1, 9, 7, 1), grid.Box(64, 64, 1, 64, 1, 1), grid.Box(40, 40, 1, 1, 8, 1)}

func nestPlaneCases() (cases []Case) {
	for _, m := range []int{0, 1, 15, 16, 37} {
		cases = append(cases, made(fmt.Sprint("npGram ", m), npBoxes, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			const n = 35
			a, c := pdNumbers[float32](n*m), pdNumbers[float32](n*n)
			return func(t *gocuda.Thread) { npGram(t, n, m, a, c) }, npGramKernel(n, m, a, c), []any{c}
		}, func(cfg grid.Config) []any {
			const n = 35
			a, c := pdNumbers[float32](n*m), pdNumbers[float32](n*n)
			npGramWant(n, m, a, c)
			return []any{c}
		}))
	}
	for _, m := range []int{0, 3, 8, 29, 64} {
		cases = append(cases, made(fmt.Sprint("npRows ", m), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Blocks()*cfg.Threads() - m%3
			a, b, x, out := pdNumbers[float64](n*m), pdNumbers[float64](n*m+1), pdNumbers[float64](m), marked[float64](3*n)
			return func(t *gocuda.Thread) { npRows(t, n, m, a, b, x, out) }, npRowsKernel(n, m, a, b, x, out), []any{out}
		}, func(cfg grid.Config) []any {
			n := cfg.Blocks()*cfg.Threads() - m%3
			a, b, x, out := pdNumbers[float64](n*m), pdNumbers[float64](n*m+1), pdNumbers[float64](m), marked[float64](3*n)
			npRowsWant(n, m, a, b, x, out)
			return []any{out}
		}))
	}
	for _, n := range []int{0, 1, 16, 45} {
		cases = append(cases, made(fmt.Sprint("npTriangle ", n), []grid.Config{line(1, 64), line(3, 16), line(2, 31)}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			a, out := data[int32](n*n), marked[int32](n*n)
			return func(t *gocuda.Thread) { npTriangle(t, n, a, out) }, npTriangleKernel(n, a, out), []any{out}
		}, func(grid.Config) []any {
			a, out := data[int32](n*n), marked[int32](n*n)
			npTriangleWant(n, a, out)
			return []any{out}
		}))
	}
	for _, steps := range []int{0, 1, 4} {
		cases = append(cases, made(fmt.Sprint("npSmooth ", steps), []grid.Config{grid.Box(48, 32, 1, 16, 8, 1)}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := pdNumbers[float32](45*27), marked[float32](45*27)
			return func(t *gocuda.Thread) { npSmooth(t, 45, 27, steps, in, out) }, npSmoothKernel(45, 27, steps, in, out), []any{out}
		}, func(grid.Config) []any {
			in, out := pdNumbers[float32](45*27), marked[float32](45*27)
			npSmoothWant(45, 27, steps, in, out)
			return []any{out}
		}))
	}
	for _, limit := range []int{-1, 0, 7, 300} {
		cases = append(cases, made(fmt.Sprint("npCollatz ", limit), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := npIntegers(cfg.Blocks()*cfg.Threads()), marked[int32](cfg.Blocks()*cfg.Threads()-1)
			return func(t *gocuda.Thread) { npCollatz(t, limit, in, out) }, npCollatzKernel(limit, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in, out := npIntegers(cfg.Blocks()*cfg.Threads()), marked[int32](cfg.Blocks()*cfg.Threads()-1)
			if limit >= 0 {
				npCollatzWant(limit, in, out)
			} else {
				for i := range out { // nobody goes a round, and 0 is not the limit
					out[i] = 0
				}
			}
			return []any{out}
		}))
	}
	cases = append(cases, made("npSparse", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		first, col := npMatrix(cfg.Blocks() * cfg.Threads())
		val, x, y := pdNumbers[float32](len(col)), pdNumbers[float32](97), marked[float32](len(first)-1)
		return func(t *gocuda.Thread) { npSparse(t, first, col, val, x, y) }, npSparseKernel(first, col, val, x, y), []any{y}
	}, func(cfg grid.Config) []any {
		first, col := npMatrix(cfg.Blocks() * cfg.Threads())
		val, x, y := pdNumbers[float32](len(col)), pdNumbers[float32](97), marked[float32](len(first)-1)
		npSparseWant(first, col, val, x, y)
		return []any{y}
	}), made("npPoints", []grid.Config{line(1, 64), line(3, 16), line(2, 31)}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		points, out := data[npPoint](47), make([]npPoint, 47)
		return func(t *gocuda.Thread) { npPoints(t, 43, points, out) }, npPointsKernel(43, points, out), []any{out}
	}, func(grid.Config) []any {
		points, out := data[npPoint](47), make([]npPoint, 47)
		npPointsWant(43, points, out)
		return []any{out}
	}))
	for _, size := range [][2]int{{1, 1}, {7, 5}, {33, 20}, {64, 3}} {
		w, h := size[0], size[1]
		data := func() (in []float64, cells, out []npCell, far []int32) {
			in = pdNumbers[float64](w * h)
			for i := range in {
				in[i] = math.Round(in[i]*64)/2 + float64(i%3) - 1 // halves
			}
			if len(in) > 9 {
				in[3], in[9] = math.Copysign(0, -1), math.Inf(-1)
			}
			return in, data[npCell](w * h), make([]npCell, w*h), make([]int32, w*h)
		}
		cases = append(cases, made(fmt.Sprint("npPlaces ", w, h), linear, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, cells, out, far := data()
			return func(t *gocuda.Thread) { npPlaces(t, int32(w), int32(h), in, cells, out, far) }, npPlacesKernel(int32(w), int32(h), in, cells, out, far), []any{out, far}
		}, func(grid.Config) []any {
			in, cells, out, far := data()
			npPlacesWant(w, h, in, cells, out, far)
			return []any{out, far}
		}))
	}
	for _, size := range [][2]int{{1, 1}, {3, 2}, {45, 31}} {
		w, h := size[0], size[1]
		cells := func() (in, out []uint8) {
			in, out = make([]uint8, w*h), make([]uint8, w*h)
			for i := range in {
				in[i] = uint8(i*i%7*i%5) & 1
			}
			return in, out
		}
		cases = append(cases, made(fmt.Sprint("npLife ", w, h), npBoxes, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := cells()
			return func(t *gocuda.Thread) { npLife(t, w, h, in, out) }, npLifeKernel(w, h, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in, all := cells()
			npLifeWant(w, h, in, all)
			out := make([]uint8, w*h)
			for y := range min(h, cfg.Grid.Y*cfg.Block.Y) {
				copy(out[y*w:][:min(w, cfg.Grid.X*cfg.Block.X)], all[y*w:])
			}
			return []any{out}
		}))
	}
	for _, m := range []int32{0, 1, 6} {
		cases = append(cases, made(fmt.Sprint("npBreaks ", m), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Blocks()*cfg.Threads() - 1
			in, out := data[int32](n), marked[int32](n)
			return func(t *gocuda.Thread) { npBreaks(t, m, in, out) }, npBreaksKernel(m, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			n := cfg.Blocks()*cfg.Threads() - 1
			in, out := data[int32](n), marked[int32](n)
			npBreaksWant(m, in, out)
			return []any{out}
		}))
	}
	cases = append(cases, made("npStrides", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks()*cfg.Threads() - 1
		in, out := data[int32](n+2), marked[int32](n)
		return func(t *gocuda.Thread) { npStrides(t, in, out) }, npStridesKernel(in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks()*cfg.Threads() - 1
		in, out := data[int32](n+2), marked[int32](n)
		npStridesWant(cfg.Threads(), in, out)
		return []any{out}
	}))
	cases = append(cases, made("npNetwork", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks()*cfg.Threads() - 1
		a, sums := data[int32](6*n), marked[int32](n)
		return func(t *gocuda.Thread) { npNetwork(t, n, a, sums) }, npNetworkKernel(n, a, sums), []any{a, sums}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks()*cfg.Threads() - 1
		a, sums := data[int32](6*n), marked[int32](n)
		npNetworkWant(n, a, sums)
		return []any{a, sums}
	}))
	cases = append(cases, made("npBytes", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks()*cfg.Threads() - 1
		rgb, pixels, table, words, flags := npBytesData(n)
		grey, out, sums, seen, signed := make([]uint8, n), make([]npPixel, n), make([]int16, n), make([]bool, n), make([]int8, n)
		return func(t *gocuda.Thread) { npBytes(t, rgb, pixels, table, words, flags, grey, out, sums, seen, signed) },
			npBytesKernel(rgb, pixels, table, words, flags, grey, out, sums, seen, signed), []any{grey, out, sums, seen, signed}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks()*cfg.Threads() - 1
		rgb, pixels, table, words, flags := npBytesData(n)
		grey, out, sums, seen, signed := make([]uint8, n), make([]npPixel, n), make([]int16, n), make([]bool, n), make([]int8, n)
		npBytesWant(rgb, pixels, table, words, flags, grey, out, sums, seen, signed)
		return []any{grey, out, sums, seen, signed}
	}))
	for _, m := range []int{0, 5, 20} {
		cases = append(cases, made(fmt.Sprint("npMixed ", m), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Blocks()*cfg.Threads() - 1
			a, d, by, at, sums, out, whole := npMixedData(n, m)
			return func(t *gocuda.Thread) { npMixed(t, n, m, a, d, by, at, sums, out, whole) }, npMixedKernel(n, m, a, d, by, at, sums, out, whole), []any{sums, out, whole}
		}, func(cfg grid.Config) []any {
			n := cfg.Blocks()*cfg.Threads() - 1
			a, d, by, at, sums, out, whole := npMixedData(n, m)
			npMixedWant(n, m, a, d, by, at, sums, out, whole)
			return []any{sums, out, whole}
		}), made(fmt.Sprint("npRandom ", m), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Blocks()*cfg.Threads() - 1
			seeds, state, signed, out := data[uint64](n), marked[uint64](n), data[int64](n), marked[float64](n)
			return func(t *gocuda.Thread) { npRandom(t, m, seeds, state, signed, out) }, npRandomKernel(m, seeds, state, signed, out), []any{state, signed, out}
		}, func(cfg grid.Config) []any {
			n := cfg.Blocks()*cfg.Threads() - 1
			seeds, state, signed, out := data[uint64](n), marked[uint64](n), data[int64](n), marked[float64](n)
			npRandomWant(m, seeds, state, signed, out)
			return []any{state, signed, out}
		}))
	}
	cases = append(cases, made("npFloats", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		a, b, by, out, whole := npSpecial(n, 1), npSpecial(n, 7), npCounts(n), marked[float32](n), marked[int32](n)
		return func(t *gocuda.Thread) { npFloats(t, a, b, by, out, whole) }, npFloatsKernel(a, b, by, out, whole), []any{out, whole}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		a, b, by, out, whole := npSpecial(n, 1), npSpecial(n, 7), npCounts(n), marked[float32](n), marked[int32](n)
		npFloatsWant(a, b, by, out, whole)
		return []any{out, whole}
	}))
	for _, k := range []int{0, 5} {
		cases = append(cases, made(fmt.Sprint("npUpdate ", k), npBoxes, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			a, row, u := npIntegers(35*35), npIntegers(35), data[int32](35)
			return func(t *gocuda.Thread) { npUpdate(t, 35, k, a, row, u) }, npUpdateKernel(35, k, a, row, u), []any{a}
		}, func(cfg grid.Config) []any {
			a, row, u := npIntegers(35*35), npIntegers(35), data[int32](35)
			npUpdateWant(35, k, a, row, u)
			return []any{a}
		}))
	}
	return cases
}

// npIntegers are small positive numbers.
func npIntegers(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i*37%113 + 1)
	}
	return s
}

// npMatrix is a sparse matrix of 97 columns whose rows have up to nine elements.
func npMatrix(rows int) (first, col []int32) {
	first = []int32{0}
	for i := range rows {
		for k := range i * 7 % 10 {
			col = append(col, int32((i*31+k*17)%97))
		}
		first = append(first, int32(len(col)))
	}
	return first, col
}

// Only one element of what indices from memory name, of a row of a matrix, of a table of structs,
// is outside.
var npFailures = []Failure{
	{Name: "npSparse", Config: line(2, 64), Text: "index out of range [97]", Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 11},
		Make: func(cfg grid.Config) Instance {
			first, col := npMatrix(128)
			col[first[64+11]+3] = 97
			val, x, y := pdNumbers[float32](len(col)), pdNumbers[float32](97), marked[float32](128)
			return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { npSparse(t, first, col, val, x, y) }),
				Compiled: npSparseKernel(first, col, val, x, y), Outputs: []any{y}}
		}},
	{Name: "npSparse values", Config: line(2, 64), Text: "index out of range [-2147483648]", Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 60},
		Make: func(cfg grid.Config) Instance {
			first, col := npMatrix(128)
			first = append([]int32(nil), first[:125]...)
			first = append(first, first[124]) // nothing is left for the thread after the one to blame
			first[124] = math.MinInt32
			val, x, y := pdNumbers[float32](len(col)), pdNumbers[float32](97), marked[float32](125)
			return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { npSparse(t, first, col, val, x, y) }),
				Compiled: npSparseKernel(first, col, val, x, y), Outputs: []any{y}}
		}},
	{Name: "npRows", Config: line(2, 40), Text: "index out of range [1839] with length 1839", Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 39},
		Make: func(cfg grid.Config) Instance {
			a, b, x, out := pdNumbers[float64](80*23-1), pdNumbers[float64](80*23), pdNumbers[float64](23), marked[float64](240)
			return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { npRows(t, 80, 23, a, b, x, out) }),
				Compiled: npRowsKernel(80, 23, a, b, x, out), Outputs: []any{out}}
		}},
	{Name: "npPoints", Config: line(2, 64), Text: "index out of range [90] with length 90", Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 26},
		Make: func(cfg grid.Config) Instance {
			points, out := data[npPoint](91), make([]npPoint, 90)
			return Instance{Source: gocuda.ThreadFunc(func(t *gocuda.Thread) { npPoints(t, 91, points, out) }),
				Compiled: npPointsKernel(91, points, out), Outputs: []any{out}}
		}},
}
