package fft

import "github.com/gocuda/gocuda/gocuda"

// What the kernels have in common: the passes of Stockham's algorithm in shared memory.
//
// A block holds a tile of 1024 numbers, and transforms its columns. A pass of radix r has the
// block's threads each take r numbers of a column that are a fixed distance apart, transform them
// in registers, multiply them by twiddle factors, and put them where the next pass finds them.
// Cooley and Tukey's algorithm (1965) puts them where they came from, and ends with all numbers in
// the reversed order of their digits. Stockham's (1966; Cochran and others, What Is the Fast
// Fourier Transform?, 1967) writes to a second array, sorted a little further each time, and ends
// in the right order. It is the one for machines with vectors, and so for GPUs (Govindaraju and
// others, High Performance Discrete Fourier Transforms on Graphics Processors, 2008): neighbouring
// threads read neighbours, and write neighbours.
//
// That is as long as the neighbours are not the numbers to be transformed. In a tile they never
// are: columns are side by side, and 16 neighbouring threads have 16 columns. The twiddle factors
// are then the same for all of the 16. The kernels see to it that what is to be transformed is a
// column, if need be by a transpose of the tile.
//
// Real and imaginary parts are in arrays of their own. Each array has room for two tiles, and the
// passes go back and forth between the two: 16 KiB in all, the shared memory of a block of the
// GeForce 8800. There is none left to pad the rows of a tile with, so on a GPU the transposes would
// have bank conflicts.

const (
	lanes   = 16 // the width of a block
	rows    = 8  // its height
	lgTile  = 10
	tile    = 1 << lgTile // numbers of a block, eight a thread
	lgPoint = 6
	points  = 1 << lgPoint // the longest transform of columns
)

// columns transforms columns of 2^lgN points, at most 64. The tile has rows of 16*2^lgAcross
// numbers. If there are more rows than points, the next rows are further transforms. It begins at
// re[from] and im[from], where from is 0 or tile, and columns returns where the result begins. wr
// and wi are the 64th roots of unity.
//
// All threads must call it together: it is full of barriers, and ends with one.
func columns(t *gocuda.Thread, lgN, lgRadix, lgAcross uint, from int, wr, wi, re, im []float32) int {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	for lgS := uint(0); lgS < lgN; {
		to := from ^ tile
		lgR := min(lgRadix, lgN-lgS)
		switch lgR {
		case 1:
			for g := ty; g < points/2; g += rows {
				i, d, o, e, w := place(g, 1, lgN, lgS, lgAcross)
				butterfly2(re, im, from+i+tx, d, re, im, to+o+tx, e, wr, wi, w)
			}
		case 2:
			for g := ty; g < points/4; g += rows {
				i, d, o, e, w := place(g, 2, lgN, lgS, lgAcross)
				butterfly4(re, im, from+i+tx, d, re, im, to+o+tx, e, wr, wi, w)
			}
		case 3:
			for g := ty; g < points/8; g += rows {
				i, d, o, e, w := place(g, 3, lgN, lgS, lgAcross)
				butterfly8(re, im, from+i+tx, d, re, im, to+o+tx, e, wr, wi, w)
			}
		case 4:
			for g := ty; g < points/16; g += rows {
				i, d, o, e, w := place(g, 4, lgN, lgS, lgAcross)
				butterfly16(re, im, from+i+tx, d, re, im, to+o+tx, e, wr, wi, w)
			}
		}
		t.SyncThreads()
		lgS += lgR
		from = to
	}
	return from
}

// place says what butterfly g of a pass with radix r = 2^lgR reads and writes, for the first of the
// 16 neighbouring threads that do it: points i, i+d and so on, and results o, o+e and so on. Result
// k is to be multiplied by the 64th root of unity with number k*w.
//
// After passes with a product of radices s, a transform of n points is s transforms of n/s points,
// side by side: point p of transform q is in row p*s+q. The pass takes rows that are n/r apart.
// Result k of what began with point p goes to transform q+k*s, where it is point p of n/(r*s), and
// its twiddle factor is the root of unity of order n/s with number p*k.
func place(g int, lgR, lgN, lgS, lgAcross uint) (i, d, o, e, w int) {
	x := g & (1<<lgAcross - 1) * lanes // the column
	g >>= lgAcross
	u := g >> (lgN - lgR) << lgN // the first row of the transform
	g &= 1<<(lgN-lgR) - 1
	q, p := g&(1<<lgS-1), g>>lgS
	width := lanes << lgAcross
	i, d = (u+g)*width+x, width<<(lgN-lgR)
	o, e = (u+p<<(lgS+lgR)+q)*width+x, width<<lgS
	return i, d, o, e, p << (lgS + lgPoint - lgN)
}

// upright transposes the tile at x[from], 16 rows of 64 numbers, to the tile at x[to], 64 rows of 16.
func upright(t *gocuda.Thread, from, to int, x []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	for j := 0; j < points; j += rows {
		x[to+(j+ty)*lanes+tx] = x[from+tx*points+j+ty]
	}
}

// lengthwise transposes the tile at x[from], 64 rows of 16 numbers, to the tile at x[to], 16 rows
// of 64.
func lengthwise(t *gocuda.Thread, from, to int, x []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	for j := 0; j < points; j += lanes {
		x[to+ty*points+j+tx] = x[from+(j+tx)*lanes+ty]
	}
	for j := 0; j < points; j += lanes {
		x[to+(rows+ty)*points+j+tx] = x[from+(j+tx)*lanes+rows+ty]
	}
}

// tileIndex is the number of the block, in a grid of which x and y both count.
func tileIndex(t *gocuda.Thread) int { return t.BlockIdx.Y*t.GridDim.X + t.BlockIdx.X }
