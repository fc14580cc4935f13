//go:build compiled

package corpus

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops in which the threads of a block share out the elements of a tile, or of a piece of an array: in many
// spellings, and with rounds of a thread that depend on those before, which are no loops over the elements.

// A stencil of five points; zeros are around the image.
//
//gocuda:kernel
func bsHalo(t *gocuda.Thread, n, w, h int, in, out []float32) {
	const tw = 18
	tile := gocuda.Shared[float32](t, tw*tw)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	x0, y0 := t.BlockIdx.X*16-1, t.BlockIdx.Y*16-1
	for i := tid; i < tw*tw; i += nt {
		x, y := x0+i%tw, y0+i/tw
		v := float32(0)
		if x >= 0 && x < w && y >= 0 && y < h {
			v = in[y*w+x]
		}
		tile[i] = v
	}
	t.SyncThreads()
	for i := tid; i < 256; i += nt {
		lx, ly := i&15+1, i>>4+1
		x, y := x0+lx, y0+ly
		if x < w && y < h {
			at := ly*tw + lx
			out[y*w+x] = tile[at]*4 - tile[at-1] - tile[at+1] - tile[at-tw] - tile[at+tw]
		}
	}
}

func bsHaloSerial(_ grid.Config, n, w, h int, in, out []float32) {
	for i := range out {
		x, y := i%w, i/w
		sum := in[i] * 4
		for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			if u, v := x+d[0], y+d[1]; u >= 0 && v >= 0 && u < w && v < h {
				sum -= in[v*w+u]
			} else {
				sum -= 0
			}
		}
		out[i] = sum
	}
}

// A radius and a block that the launch chooses, and borders that are repeated.
//
//gocuda:kernel
func bsHaloAny(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.DynamicShared[int32](t)
	bx, by := t.BlockDim.X, t.BlockDim.Y
	tw, th := bx+2*n, by+2*n
	total := tw * th
	for i := t.ThreadIdx.Y*bx + t.ThreadIdx.X; i < total; i += bx * by {
		row := i / tw
		col := i - i/tw*tw
		x := min(max(t.BlockIdx.X*bx+col-n, 0), w-1)
		y := min(max(t.BlockIdx.Y*by+row-n, 0), h-1)
		tile[i] = in[y*w+x]
	}
	t.SyncThreads()
	if x, y := t.GlobalX(), t.GlobalY(); x < w && y < h {
		sum := int32(0)
		for dy := 0; dy <= 2*n; dy++ {
			for dx := 0; dx <= 2*n; dx++ {
				sum = sum*3 + tile[(t.ThreadIdx.Y+dy)*tw+t.ThreadIdx.X+dx]
			}
		}
		out[y*w+x] = sum
	}
}

func bsHaloAnySerial(_ grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		sum := int32(0)
		for y := i/w - n; y <= i/w+n; y++ {
			for x := i%w - n; x <= i%w+n; x++ {
				sum = sum*3 + in[min(max(y, 0), h-1)*w+min(max(x, 0), w-1)]
			}
		}
		out[i] = sum
	}
}

// Bytes, counters of 32 bits, threads of three dimensions; behind an edge is the other one.
//
//gocuda:kernel
func bsPeriodic(t *gocuda.Thread, n, w, h int, in, out []uint8) {
	const tw, th = 20, 12
	tile := gocuda.Shared[uint8](t, tw*th)
	nt := int32(t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z)
	x0, y0 := int32(t.BlockIdx.X*16), int32(t.BlockIdx.Y*8)
	wide, high := int32(w), int32(h)
	for i := int32(t.Rank()); i < tw*th; i += nt {
		x := (x0 + i%tw - 2 + 2*wide) % wide
		y := (y0 + i/tw - 2 + 2*high) % high
		tile[i] = in[y*wide+x]
	}
	t.SyncThreads()
	for i := int32(t.Rank()); i < 128; i += nt {
		lx, ly := i%16, i/16
		if x0+lx >= wide || y0+ly >= high {
			continue
		}
		at := (ly+2)*tw + lx + 2
		out[(y0+ly)*wide+x0+lx] = tile[at]*5 - tile[at-2] ^ tile[at+2] + tile[at-2*tw] ^ tile[at+2*tw]
	}
}

func bsPeriodicSerial(_ grid.Config, n, w, h int, in, out []uint8) {
	for i := range out {
		at := func(dx, dy int) uint8 { return in[(i/w+dy+2*h)%h*w+(i%w+dx+2*w)%w] }
		out[i] = ((at(0, 0)*5 - at(-2, 0)) ^ (at(2, 0)) + at(0, -2)) ^ at(0, 2)
	}
}

// Two loops, one in the other, an array of rows, and borders that are mirrored.
//
//gocuda:kernel
func bsMirror(t *gocuda.Thread, n, w, h int, in, out []int32) {
	const size, r = 20, 2
	tile := gocuda.Shared[[size]int32](t, size)
	for y := t.ThreadIdx.Y; y < size; y += t.BlockDim.Y {
		gy := t.BlockIdx.Y*16 + y - r
		if gy < 0 {
			gy = -gy - 1
		}
		if gy >= h {
			gy = max(2*h-1-gy, 0)
		}
		for x := t.ThreadIdx.X; x < size; x += t.BlockDim.X {
			gx := t.BlockIdx.X*16 + x - r
			if gx < 0 {
				gx = -gx - 1
			} else if gx >= w {
				gx = max(2*w-1-gx, 0)
			}
			tile[y][x] = in[min(gy, h-1)*w+min(gx, w-1)]
		}
	}
	t.SyncThreads()
	for y := t.ThreadIdx.Y; y < 16; y += t.BlockDim.Y {
		for x := t.ThreadIdx.X; x < 16; x += t.BlockDim.X {
			if gx, gy := t.BlockIdx.X*16+x, t.BlockIdx.Y*16+y; gx < w && gy < h {
				out[gy*w+gx] = tile[y][x] + 3*tile[y+2*r][x] - 7*tile[y][x+2*r] + 11*tile[y+r][x+r]
			}
		}
	}
}

func bsMirrorSerial(_ grid.Config, n, w, h int, in, out []int32) {
	mirrored := func(k, n int) int {
		if k < 0 {
			k = -1 - k
		}
		if k >= n {
			k = 2*n - 1 - k
		}
		return min(max(k, 0), n-1)
	}
	for i := range out {
		at := func(dx, dy int) int32 { return in[mirrored(i/w+dy, h)*w+mirrored(i%w+dx, w)] }
		out[i] = at(-2, -2) + 3*at(-2, 2) - 7*at(2, -2) + 11*at(0, 0)
	}
}

// A matrix is transposed by rows of 32 threads, of which a block has any number. Only the rows are shared out.
//
//gocuda:kernel
func bsTranspose(t *gocuda.Thread, n, w, h int, in, out []float32) {
	tile := gocuda.Shared[float32](t, 32*33)
	x, y0 := t.BlockIdx.X*32+t.ThreadIdx.X, t.BlockIdx.Y*32
	for j := t.ThreadIdx.Y; j < 32; j += t.BlockDim.Y {
		if x < w && y0+j < h {
			tile[j*33+t.ThreadIdx.X] = in[(y0+j)*w+x]
		}
	}
	t.SyncThreads()
	x = y0 + t.ThreadIdx.X
	y0 = t.BlockIdx.X * 32
	for j := t.ThreadIdx.Y; j < 32; j += t.BlockDim.Y {
		if x < h && y0+j < w {
			out[(y0+j)*h+x] = tile[t.ThreadIdx.X*33+j]
		}
	}
}

func bsTransposeSerial[T any](_ grid.Config, n, w, h int, in, out []T) {
	for i, v := range in {
		out[i%w*h+i/w] = v
	}
}

// The same by threads that are numbered through, and masks.
//
//gocuda:kernel
func bsTransposeShifts(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[[33]int32](t, 32)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	bx, by := t.BlockIdx.X<<5, t.BlockIdx.Y<<5
	for i := tid; i < 1<<10; i += nt {
		r, c := i>>5, i&31
		if y, x := by+r, bx+c; y < h && x < w {
			s[r][c] = in[y*w+x]
		}
	}
	t.SyncThreads()
	for i := tid; i < 1<<10; i += nt {
		r, c := i>>5, i&31
		y, x := bx+r, by+c
		if y >= w || x >= h {
			continue
		}
		out[y*h+x] = s[c][r]
	}
}

// Only the columns are shared out: a window of nine along rows.
//
//gocuda:kernel
func bsWindow(t *gocuda.Thread, n, w, h int, in, out []int32) {
	const tw = 40
	tile := gocuda.Shared[int32](t, 16*tw)
	ty := t.ThreadIdx.Y
	y := t.BlockIdx.Y*t.BlockDim.Y + ty
	if y < h {
		for x := t.ThreadIdx.X; x < tw; x += t.BlockDim.X {
			gx := t.BlockIdx.X*32 + x - 4
			var v int32 = -3
			if uint(gx) < uint(w) {
				v = in[y*w+gx]
			}
			tile[ty*tw+x] = v
		}
	}
	t.SyncThreads()
	if y < h {
		row := tile[ty*tw : ty*tw+tw]
		for x := t.ThreadIdx.X; x < 32 && t.BlockIdx.X*32+x < w; x += t.BlockDim.X {
			sum := int32(0)
			for k := range 9 {
				sum = sum*5 + row[x+k]
			}
			out[y*w+t.BlockIdx.X*32+x] = sum
		}
	}
}

func bsWindowSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for y := range h {
		for x := range w {
			sum := int32(0)
			for k := x - 4; k <= x+4; k++ {
				sum *= 5
				if k < 0 || k >= w {
					sum -= 3
				} else {
					sum += in[y*w+k]
				}
			}
			out[y*w+x] = sum
		}
	}
}

// A filter of five by five, which is computed under a guard, and by a loop if the block is small.
//
//gocuda:kernel
func bsConvolve(t *gocuda.Thread, n, w, h int, in, out []float32) {
	const r, k, size = 2, 5, 16
	const tw = size + 2*r
	filter := gocuda.Shared[float32](t, k*k)
	tile := gocuda.Shared[float32](t, tw*tw)
	tid := t.ThreadIdx.X + t.ThreadIdx.Y*t.BlockDim.X
	nt := t.BlockDim.X * t.BlockDim.Y
	if nt >= k*k {
		if tid < k*k {
			filter[tid] = float32(tid%k) - float32(tid/k)*0.5
		}
	} else {
		for i := tid; i < k*k; i += nt {
			filter[i] = float32(i%k) - float32(i/k)*0.5
		}
	}
	for idx := tid; idx < tw*tw; idx += nt {
		dy := idx / tw
		dx := idx % tw
		sy := int(t.BlockIdx.Y)*size + dy - r
		sx := int(t.BlockIdx.X)*size + dx - r
		if sy >= 0 && sy < h && sx >= 0 && sx < w {
			tile[dy*tw+dx] = in[sy*w+sx]
		} else {
			tile[dy*tw+dx] = 0
		}
	}
	t.SyncThreads()
	for i := tid; i < size*size; i += nt {
		ly, lx := i/size, i%size
		y, x := t.BlockIdx.Y*size+ly, t.BlockIdx.X*size+lx
		if y < h && x < w {
			var sum float32
			for fy := 0; fy < k; fy++ {
				for fx := 0; fx < k; fx++ {
					sum += float32(tile[(ly+fy)*tw+lx+fx] * filter[fy*k+fx])
				}
			}
			out[y*w+x] = sum
		}
	}
}

func bsConvolveSerial(_ grid.Config, n, w, h int, in, out []float32) {
	for i := range out {
		sum := float32(0)
		for k := range 25 {
			v := float32(0)
			if x, y := i%w+k%5-2, i/w+k/5-2; x >= 0 && x < w && y >= 0 && y < h {
				v = in[y*w+x]
			}
			sum += float32(v * (float32(k%5) - float32(k/5)*0.5))
		}
		out[i] = sum
	}
}

// Rows that are n elements apart, and what is between them stays. Each round stores twice, and changes what it
// has stored.
//
//gocuda:kernel
func bsPitched(t *gocuda.Thread, n, w, h int, in, out []int32) {
	const cols, rows = 32, 6
	a, b := gocuda.Shared[int32](t, cols*rows), gocuda.Shared[int32](t, cols*rows)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	x0, y0 := t.BlockIdx.X*cols, t.BlockIdx.Y*rows
	for i := tid; i < cols*rows; i += nt {
		x, y := x0+i%cols, y0+i/cols
		a[i], b[i] = 0, int32(i)
		if x < w && y < h {
			v := in[y*n+x]
			a[i] = v
			if v < 0 {
				b[i] -= v
			} else {
				b[i] *= 3
			}
		}
	}
	for i := tid; i < cols*rows; i += nt {
		a[i] *= 2
		a[i] += b[i]
	}
	t.SyncThreads()
	for i := tid; i < cols*rows; i += nt {
		c, r := i%cols, i/cols
		if x0+c < w && y0+r < h {
			out[(y0+r)*n+x0+c] = a[i] - b[cols*rows-1-i]
		}
	}
}

func bsPitchedSerial(_ grid.Config, n, w, h int, in, out []int32) {
	parts := func(x, y int) (a, b int32) {
		b = int32(y%6*32 + x%32)
		if x < w && y < h {
			a = in[y*n+x]
			if a < 0 {
				b -= a
			} else {
				b *= 3
			}
		}
		return 2*a + b, b
	}
	for y := range h {
		for x := range w {
			a, _ := parts(x, y)
			_, b := parts(x/32*32+31-x%32, y/6*6+5-y%6)
			out[y*n+x] = a - b
		}
	}
}

// A volume in boxes of four with a halo, by threads of three dimensions.
//
//gocuda:kernel
func bsVolume(t *gocuda.Thread, n, w, h int, in, out []int32) {
	const size = 6
	box := gocuda.Shared[int32](t, size*size*size)
	tid := (t.ThreadIdx.Z*t.BlockDim.Y+t.ThreadIdx.Y)*t.BlockDim.X + t.ThreadIdx.X
	nt := t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z
	x0, y0, z0 := t.BlockIdx.X*4-1, t.BlockIdx.Y*4-1, t.BlockIdx.Z*4-1
	for i := tid; i < size*size*size; i += nt {
		z := i / (size * size)
		y := i / size % size
		x := i % size
		gx, gy, gz := x0+x, y0+y, z0+z
		if gx < 0 || gy < 0 || gz < 0 || gx >= w || gy >= h || gz >= n {
			box[i] = 9
			continue
		}
		box[i] = in[(gz*h+gy)*w+gx]
	}
	t.SyncThreads()
	for i := tid; i < 64; i += nt {
		x, y, z := i&3+1, i>>2&3+1, i>>4+1
		if x0+x < w && y0+y < h && z0+z < n {
			at := (z*size+y)*size + x
			out[((z0+z)*h+y0+y)*w+x0+x] = box[at] + 2*(box[at-1]-box[at+1]) + 3*(box[at-size]-box[at+size]) + 5*(box[at-size*size]-box[at+size*size])
		}
	}
}

func bsVolumeSerial(_ grid.Config, n, w, h int, in, out []int32) {
	at := func(x, y, z int) int32 {
		if x < 0 || y < 0 || z < 0 || x == w || y == h || z == n {
			return 9
		}
		return in[x+w*(y+h*z)]
	}
	for i := range out {
		x, y, z := i%w, i/w%h, i/w/h
		out[i] = at(x, y, z) + 2*at(x-1, y, z) - 2*at(x+1, y, z) + 3*at(x, y-1, z) - 3*at(x, y+1, z) + 5*at(x, y, z-1) - 5*at(x, y, z+1)
	}
}

// A volume by three loops, one in the other, each along its own dimension of the block.
//
//gocuda:kernel
func bsThreeLoops(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[[8][8]int32](t, 8)
	x0, y0, z0 := t.BlockIdx.X*8, t.BlockIdx.Y*8, t.BlockIdx.Z*8
	for z := t.ThreadIdx.Z; z < 8; z += t.BlockDim.Z {
		for y := t.ThreadIdx.Y; y < 8; y += t.BlockDim.Y {
			for x := t.ThreadIdx.X; x < 8; x += t.BlockDim.X {
				s[z][y][x] = int32(x)
				if x0+x < w && y0+y < h && z0+z < n {
					s[z][y][x] += in[((z0+z)*h+y0+y)*w+x0+x]
				}
			}
		}
	}
	t.SyncThreads()
	for z := t.ThreadIdx.Z; z < min(8, n-z0); z += t.BlockDim.Z {
		for y := t.ThreadIdx.Y; y < min(8, h-y0); y += t.BlockDim.Y {
			for x := t.ThreadIdx.X; x < min(8, w-x0); x += t.BlockDim.X {
				out[((z0+z)*h+y0+y)*w+x0+x] = s[z][y][x] - s[y][7-x][z]*2
			}
		}
	}
}

func bsThreeLoopsSerial(_ grid.Config, n, w, h int, in, out []int32) {
	at := func(x, y, z int) int32 {
		v := int32(x % 8)
		if x < w && y < h && z < n {
			v += in[(z*h+y)*w+x]
		}
		return v
	}
	for i := range out {
		x, y, z := i%w, i/w%h, i/w/h
		a, b, c := x&7, y&7, z&7
		out[i] = at(x, y, z) - 2*at(x-a+c, y-b+7-a, z-c+b)
	}
}

// A table for bytes, and an image of which each block has some rows.
//
//gocuda:kernel
func bsTable(t *gocuda.Thread, n, w, h int, in, out []uint8) {
	table := gocuda.Shared[uint8](t, 256)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	for i := tid; i < 256; i += nt {
		v := i*i>>3 + n
		if v&1 == 0 {
			v = 255 - i
		}
		table[i] = uint8(v)
	}
	t.SyncThreads()
	first := t.BlockIdx.X * 5 * w
	last := min(first+5*w, w*h)
	for i := first + tid; i < last; i += nt {
		out[i] = table[in[i]]
	}
}

func bsTableSerial(_ grid.Config, n, w, h int, in, out []uint8) {
	for i, v := range in {
		k := int(v)
		out[i] = uint8(255 - k)
		if odd := k*k/8 + n; odd%2 != 0 {
			out[i] = uint8(odd)
		}
	}
}

// A product of matrices of n by w and w by h, four elements a thread of 16 by 16, in blocks of 32 by 32. The
// tiles are filled in each round of a loop with barriers.
//
//gocuda:kernel
func bsProduct(t *gocuda.Thread, n, w, h int, in, out []float32) {
	const bm, bn, bk = 32, 32, 8
	as, bs := gocuda.Shared[float32](t, bm*bk), gocuda.Shared[float32](t, bk*bn)
	a, b := in[:n*w], in[n*w:]
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	tx, ty := tid%16, tid/16
	row0, col0 := t.BlockIdx.Y*bm, t.BlockIdx.X*bn
	var acc [2][2]float32
	for k0 := 0; k0 < w; k0 += bk {
		for i := tid; i < bm*bk; i += nt {
			r, c := row0+i/bk, k0+i%bk
			if r < n && c < w {
				as[i] = a[r*w+c]
			} else {
				as[i] = 0
			}
		}
		for i := tid; i < bk*bn; i += nt {
			r, c := k0+i/bn, col0+i%bn
			v := float32(0)
			if r < w && c < h {
				v = b[r*h+c]
			}
			bs[i] = v
		}
		t.SyncThreads()
		for k := range bk {
			for i := range 2 {
				for j := range 2 {
					acc[i][j] += float32(as[(ty*2+i)*bk+k] * bs[k*bn+tx*2+j])
				}
			}
		}
		t.SyncThreads()
	}
	for i := range 2 {
		for j := range 2 {
			if r, c := row0+ty*2+i, col0+tx*2+j; r < n && c < h {
				out[r*h+c] = acc[i][j]
			}
		}
	}
}

func bsProductSerial(_ grid.Config, n, w, h int, in, out []float32) {
	for i := range n * h {
		sum := float32(0)
		for k := range w {
			sum += float32(in[i/h*w+k] * in[n*w+k*h+i%h])
		}
		for k := w; k%8 != 0; k++ {
			sum += 0
		}
		out[i] = sum
	}
}

// The same with a start that is divided once, and steps by rows.
//
//gocuda:kernel
func bsProductSteps(t *gocuda.Thread, n, w, h int, in, out []int32) {
	const bm, bn, bk = 32, 32, 8
	as, bs := gocuda.Shared[[bk]int32](t, bm), gocuda.Shared[[bn]int32](t, bk)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	rowA, colA, stepA := tid/bk, tid%bk, nt/bk
	rowB, colB, stepB := tid/bn, tid%bn, nt/bn
	row0, col0 := t.BlockIdx.Y*bm, t.BlockIdx.X*bn
	var acc [16]int32
	for k0 := 0; k0 < w; k0 += bk {
		for off := 0; off < bm; off += stepA {
			as[rowA+off][colA] = 0
			if r, c := row0+rowA+off, k0+colA; r < n && c < w {
				as[rowA+off][colA] = in[r*w+c]
			}
		}
		for off := 0; off < bk; off += stepB {
			bs[rowB+off][colB] = 0
			if r, c := k0+rowB+off, col0+colB; r < w && c < h {
				bs[rowB+off][colB] = in[n*w+r*h+c]
			}
		}
		t.SyncThreads()
		for j := range 16 {
			if e := tid + j*nt; e < bm*bn {
				for k := range bk {
					acc[j] += as[e/bn][k] * bs[k][e%bn]
				}
			}
		}
		t.SyncThreads()
	}
	j := 0
	for e := tid; e < bm*bn; e += nt {
		if r, c := row0+e/bn, col0+e%bn; r < n && c < h {
			out[r*h+c] = acc[j]
		}
		j++
	}
}

func bsProductStepsSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for r := range n {
		for c := range h {
			out[r*h+c] = 0
			for k := range w {
				out[r*h+c] += in[r*w+k] * in[n*w+k*h+c]
			}
		}
	}
}

// Steps of a relaxation in a tile, each a loop over the elements between barriers, from one array to another.
//
//gocuda:kernel
func bsRelax(t *gocuda.Thread, n, w, h int, in, out []int32) {
	const size = 24
	now, next := gocuda.Shared[int32](t, size*size), gocuda.Shared[int32](t, size*size)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	x0, y0 := t.BlockIdx.X*16-4, t.BlockIdx.Y*16-4
	for i := tid; i < size*size; i += nt {
		x, y := min(max(x0+i%size, 0), w-1), min(max(y0+i/size, 0), h-1)
		now[i], next[i] = in[y*w+x]>>4, 0
	}
	t.SyncThreads()
	for step := 0; step < n; step++ {
		for i := tid; i < size*size; i += nt {
			x, y := i%size, i/size
			if x == 0 || y == 0 || x == size-1 || y == size-1 {
				next[i] = now[i]
				continue
			}
			next[i] = (now[i-1]+now[i+1]+now[i-size]+now[i+size])/4 + int32(step)
		}
		t.SyncThreads()
		now, next = next, now
	}
	for i := tid; i < 16*16; i += nt {
		x, y := i%16, i/16
		if x0+4+x < w && y0+4+y < h {
			out[(y0+4+y)*w+x0+4+x] = now[(y+4)*size+x+4]
		}
	}
}

func bsRelaxSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for by := 0; by < h; by += 16 {
		for bx := 0; bx < w; bx += 16 {
			now := make([][]int32, 24)
			for y := range now {
				for x := range 24 {
					now[y] = append(now[y], in[min(max(by+y-4, 0), h-1)*w+min(max(bx+x-4, 0), w-1)]>>4)
				}
			}
			for step := range n {
				var next [][]int32
				for _, row := range now {
					next = append(next, slices.Clone(row))
				}
				for y := 1; y < 23; y++ {
					for x := 1; x < 23; x++ {
						next[y][x] = (now[y-1][x]+now[y+1][x]+now[y][x-1]+now[y][x+1])/4 + int32(step)
					}
				}
				now = next
			}
			for y := by; y < min(by+16, h); y++ {
				copy(out[y*w+bx:min(y*w+bx+16, y*w+w)], now[y-by+4][4:])
			}
		}
	}
}

// The largest number of each row of a tile, and how many are odd, by atomic operations.
//
//gocuda:kernel
func bsRowMost(t *gocuda.Thread, n, w, h int, in, out []int32) {
	const cols, rows = 24, 8
	most, odd := gocuda.Shared[int32](t, rows), gocuda.Shared[int32](t, 1)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	if tid < rows {
		most[tid] = math.MinInt32
	}
	if tid == 0 {
		odd[0] = 0
	}
	t.SyncThreads()
	for i := tid; i < cols*rows; i += nt {
		x, y := t.BlockIdx.X*cols+i%cols, t.BlockIdx.Y*rows+i/cols
		if x >= w || y >= h {
			continue
		}
		v := in[y*w+x]
		atomic.Max(&most[i/cols], v)
		if v&1 != 0 {
			atomic.Add(&odd[0], 1)
		}
	}
	t.SyncThreads()
	for i := tid; i < cols*rows; i += nt {
		if x, y := t.BlockIdx.X*cols+i%cols, t.BlockIdx.Y*rows+i/cols; x < w && y < h {
			out[y*w+x] = most[i/cols] - odd[0]
		}
	}
}

func bsRowMostSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		x0, y0 := i%w/24*24, i/w/8*8
		odd, most := int32(0), int32(math.MinInt32)
		for y := y0; y < min(y0+8, h); y++ {
			for _, v := range in[y*w+x0 : y*w+min(x0+24, w)] {
				odd += v & 1
				if y == i/w && v > most {
					most = v
				}
			}
		}
		out[i] = most - odd
	}
}

func bsPixel(in []int32, w, h, x, y int) int32 {
	if x < 0 || y < 0 || x >= w || y >= h {
		return 4
	}
	return in[y*w+x]
}

func bsFetch(t *gocuda.Thread, tile, in []int32, w, h, x0, y0, tw, th int) {
	for i := t.Rank(); i < tw*th; i += t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z {
		tile[i] = bsPixel(in, w, h, x0+i%tw, y0+i/tw)
	}
}

// The loop is in a helper, and so is the border.
//
//gocuda:kernel
func bsHelped(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[int32](t, 18*10)
	x0, y0 := t.BlockIdx.X*16-1, t.BlockIdx.Y*8-1
	bsFetch(t, tile, in, w, h, x0, y0, 18, 10)
	t.SyncThreads()
	for i := t.Rank(); i < 16*8; i += t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z {
		x, y := i%16+1, i/16+1
		if x0+x < w && y0+y < h {
			out[(y0+y)*w+x0+x] = tile[y*18+x] - bsPixel(tile, 18, 10, x-1, y-1)*3 + bsPixel(tile, 18, 10, x+1, y+1)
		}
	}
}

func bsHelpedSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		out[i] = bsPixel(in, w, h, i%w, i/w) - bsPixel(in, w, h, i%w-1, i/w-1)*3 + bsPixel(in, w, h, i%w+1, i/w+1)
	}
}

// The largest of four, of a tile whose corner is not at the block's own place.
//
//gocuda:kernel
func bsPool(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[int32](t, 32*32)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	for i := tid; i < 32*32; i += nt {
		x, y := t.BlockIdx.X*32+i%32+n, t.BlockIdx.Y*32+i/32
		tile[i] = math.MinInt32
		if x < w && y < h {
			tile[i] = in[y*w+x]
		}
	}
	t.SyncThreads()
	half := (w + 1) / 2
	for i := tid; i < 16*16; i += nt {
		lx, ly := i%16, i/16
		a := max(tile[2*ly*32+2*lx], tile[2*ly*32+2*lx+1])
		b := max(tile[2*ly*32+32+2*lx], tile[2*ly*32+33+2*lx])
		if x, y := t.BlockIdx.X*16+lx, t.BlockIdx.Y*16+ly; x < half && y < h/2 {
			out[y*half+x] = max(a, b)
		}
	}
}

func bsPoolSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for i := range (w + 1) / 2 * (h / 2) {
		x, y := i%((w+1)/2)*2+n, i/((w+1)/2)*2
		out[i] = math.MinInt32
		for k := range 4 {
			if x+k%2 < w {
				out[i] = max(out[i], in[(y+k/2)*w+x+k%2])
			}
		}
	}
}

// Linear kernels: each block has n elements of its own, or none if n is not positive, and blocks follow each
// other. nt is the number of threads.

// The same loop in seven spellings, each for a seventh of the elements and what is left over.
//
//gocuda:kernel
func bsSpellings(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	a, b := in[t.BlockIdx.X*max(n, 0):], out[t.BlockIdx.X*max(n, 0):]
	part := n / 7
	for i := tid; i <= part-1; i += nt {
		b[i] = a[i] + 1
	}
	i := part + tid
	for i < 2*part {
		b[i] = a[i] + 2
		i += nt
	}
	for i := 2*part + tid; ; i += nt {
		if i >= 3*part {
			break
		}
		b[i] = a[i] + 3
	}
	for base := 3 * part; base < 4*part; base += nt {
		if i := base + tid; i < 4*part {
			b[i] = a[i] + 4
		}
	}
	for k := range max(0, (part+nt-1)/nt) {
		if i := k*nt + tid; part > i {
			b[4*part+i] = a[4*part+i] + 5
		}
	}
	for i := tid; part-i > 0; i = nt + i {
		j := 5*part + i
		if i%3 == 1 {
			b[j] = a[j] * 6
			continue
		}
		b[j] = a[j] + 6
	}
	for i := uint32(tid); int(i) < n-6*part; i += uint32(nt) {
		b[6*part+int(i)] = a[6*part+int(i)] + 7
	}
}

func bsSpellingsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		part := n / 7
		for i := range out {
			k := 7
			if i < 6*part {
				k = i/part + 1
			}
			if k == 6 && i%part%3 == 1 {
				out[i] = in[i] * 6
			} else {
				out[i] = in[i] + int32(k)
			}
		}
	})
}

// bsEach calls f for the elements of each block.
func bsEach(cfg grid.Config, n int, in, out []int32, f func(b int, in, out []int32)) {
	for b := range cfg.Blocks() {
		if n > 0 {
			f(b, in[b*n:b*n+n], out[b*n:b*n+n])
		}
	}
}

// Downwards, and a second loop over what the same thread has stored.
//
//gocuda:kernel
func bsBackwards(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := n - 1 - tid; i >= 0; i -= nt {
		out[first+i] = in[first+n-1-i] * 3
	}
	for i := n - 1 - tid; i >= nt; i -= nt {
		out[first+i] -= out[first+i-nt] // not changed yet
	}
}

func bsBackwardsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			out[i] = in[n-1-i] * 3
			if k := i - cfg.Threads(); k >= 0 {
				out[i] -= in[n-1-k] * 3
			}
		}
	})
}

// Segments of other lengths for each block, which begin anywhere; some are empty, or end before they begin.
//
//gocuda:kernel
func bsSegments(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	lo := t.BlockIdx.X*max(n, 0) + 3
	hi := lo + n - 11*t.BlockIdx.X - 5
	for i := lo + tid; i < hi; i += nt {
		j := i - lo
		row, col := j/7, j%7
		v := in[i]
		if col == 0 {
			v = -v
		}
		out[i] = v + int32(row)
	}
}

func bsSegmentsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(b int, in, out []int32) {
		for k := 0; k < n-11*b-5; k++ {
			v := in[k+3]
			if k%7 == 0 {
				v = -v
			}
			out[k+3] = v + int32(k/7)
		}
	})
}

// Sums of each thread in shared memory.
//
//gocuda:kernel
func bsOwnSums(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	s[tid] = int32(tid)
	for i := tid; i < n; i += nt {
		s[tid] += in[first+i]
		s[tid] *= 3
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = s[(i+1)%nt]
	}
}

func bsOwnSumsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		sums := make([]int32, nt)
		for k := range sums {
			sums[k] = int32(k)
		}
		for i, v := range in {
			sums[i%nt] = 3 * (sums[i%nt] + v)
		}
		for i := range out {
			out[i] = sums[(i+1)%nt]
		}
	})
}

// The place is what the number of threads, or a multiple of it, leaves over.
//
//gocuda:kernel
func bsModulo(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	m := nt * w
	for i := tid; i < m; i += nt {
		s[i] = int32(i)
	}
	for i := tid; i < n; i += nt {
		s[i%m] += in[first+i] ^ s[i%m]<<1
	}
	for i := tid; i < n; i += nt {
		out[first+i] = s[i%m]
	}
}

func bsModuloSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		m := cfg.Threads() * w
		for k := range min(m, n) {
			v := int32(k)
			for i := k; i < n; i += m {
				v += in[i] ^ v*2
			}
			for i := k; i < n; i += m {
				out[i] = v
			}
		}
	})
}

// The last round of a thread is what stays, in the tile and in memory.
//
//gocuda:kernel
func bsLast(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	s[tid] = -1
	for i := tid; i < n; i += nt {
		s[tid] = in[first+i] + int32(i)
		if i >= nt {
			out[first+tid] = in[first+i] - 5
		}
		out[first+i] = s[tid]
	}
	t.SyncThreads()
	if tid < n {
		out[first+tid] ^= s[nt-1-tid]
	}
}

func bsLastSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		last := make([]int, nt)
		for k := range last {
			last[k] = -1
		}
		for i := range in {
			last[i%nt] = i
			out[i] = in[i] + int32(i)
		}
		for k := range min(nt, n) {
			if last[k] >= nt {
				out[k] = in[last[k]] - 5
			}
			v := int32(-1)
			if l := last[nt-1-k]; l >= 0 {
				v = in[l] + int32(l)
			}
			out[k] ^= v
		}
	})
}

// Prefix sums of each thread: a round reads what the one before it, or two before it, has stored.
//
//gocuda:kernel
func bsPrefix(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	a, b := in[t.BlockIdx.X*max(n, 0):], out[t.BlockIdx.X*max(n, 0):]
	for i := tid; i < n; i += nt {
		v := a[i]
		if i >= nt*w {
			v += b[i-nt*w] * 3
		}
		b[i] = v
	}
}

func bsPrefixSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		d := cfg.Threads() * w
		for k := range min(d, n) {
			sum := int32(0)
			for i := k; i < n; i += d {
				sum = sum*3 + in[i]
				out[i] = sum
			}
		}
	})
}

// One slice may be the other, or begin some rounds behind it.
//
//gocuda:kernel
func bsOverlap(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	if t.BlockIdx.X > 0 {
		return
	}
	for i := tid; i < n; i += nt {
		out[i] = in[i]*3 + int32(i)
	}
}

func bsOverlapSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	for i := range max(n, 0) {
		out[i] = in[i]*3 + int32(i) // in order, so each thread's rounds are, too
	}
}

// The same with two parts of an array of the block, by two divided indices.
//
//gocuda:kernel
func bsAliases(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.DynamicShared[int32](t)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first, d := t.BlockIdx.X*max(n, 0), nt*w
	a := s[:max(n, 0)]
	b := s[d:]
	for i := tid; i < max(n, 0)+d; i += nt {
		s[i] = int32(i)
	}
	for i := tid; i < n; i += nt {
		a[i] += in[first+i]
		b[i] = a[i/8*8+i%8]*5 + 1
	}
	for i := tid; i < n; i += nt {
		out[first+i] = a[i] ^ b[i]
	}
}

func bsAliasesSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		d := cfg.Threads() * w
		s := make([]int32, n+d)
		for i := range s {
			s[i] = int32(i)
		}
		for i, v := range in {
			s[i] += v
			s[i+d] = s[i]*5 + 1
		}
		for i := range out {
			out[i] = s[i] ^ s[i+d]
		}
	})
}

// A sum goes from round to round, and its last value is used, as is the counter's.
//
//gocuda:kernel
func bsCarried(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	sum, even := int32(tid), false
	i := tid
	for ; i < n; i += nt {
		if even = !even; even {
			sum = sum*3 + in[first+i]
		}
		out[first+i] = sum
	}
	s[tid] = sum + int32(i)
	t.SyncThreads()
	if tid < n {
		out[first+tid] ^= s[nt-1-tid]
	}
}

func bsCarriedSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		ends := make([]int32, nt)
		for k := range nt {
			sum, rounds := int32(k), 0
			for i := k; i < n; i += nt {
				if rounds++; rounds%2 == 1 {
					sum = 3*sum + in[i]
				}
				out[i] = sum
			}
			ends[k] = sum + int32(k+rounds*nt)
		}
		for k := range min(n, nt) {
			out[k] ^= ends[nt-1-k]
		}
	})
}

// How often each element is visited, with steps that need not be the number of threads, and numbers of
// threads that need not be theirs: w says which.
//
//gocuda:kernel
func bsVisits(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	bx, by := t.BlockDim.X, t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	switch w {
	case 0: // half of them
		if ty*bx+tx < bx*by/2 {
			for i := ty*bx + tx; i < n; i += bx * by / 2 {
				atomic.Add(&out[first+i], int32(i%7+1))
			}
		}
	case 1: // twice as many
		for i := ty*bx + tx; i < n; i += 2 * bx * by {
			atomic.Add(&out[first+i], int32(i/5))
		}
	case 2: // a row
		for i := ty*bx + tx; i < n; i += bx {
			atomic.Add(&out[first+i], int32(i-i/5*5))
		}
	case 3: // only the columns
		for i := tx; i < n; i += bx {
			atomic.Add(&out[first+i], 1)
		}
	case 4: // numbers that the kernel has
		for i := ty*16 + tx; i < n; i += 256 {
			atomic.Add(&out[first+i], int32(i>>4))
		}
	case 5: // a number that the launch has
		for i := ty*bx + tx; i < n; i += h {
			atomic.Add(&out[first+i], int32(i%3-i/3))
		}
	case 6: // the numbers of a block that is as high as it is wide
		for i := ty*bx + tx; i < n; i += bx * bx {
			atomic.Add(&out[first+i], in[first+i])
		}
	case 7: // all threads, but not their z
		for i := t.Rank(); i < n; i += bx * by {
			atomic.Add(&out[first+i], 3)
		}
	case 8: // columns first
		for i := tx*by + ty; i < n; i += bx * by {
			atomic.Add(&out[first+i], int32(tx))
		}
	}
}

func bsVisitsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	d := cfg.Block.Norm()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for k := range d.Size() {
			at := d.At(k)
			flat, area := at.Y*d.X+at.X, d.X*d.Y
			start := [...]int{flat, flat, flat, at.X, 16*at.Y + at.X, flat, flat, k, at.X*d.Y + at.Y}[w]
			step := [...]int{area / 2, 2 * area, d.X, d.X, 256, h, d.X * d.X, area, area}[w]
			if w == 0 && flat >= area/2 {
				continue
			}
			for i := start; i < n; i += step {
				out[i] += [...]int32{int32(i)%7 + 1, int32(i) / 5, int32(i) % 5, 1, int32(i) / 16, int32(i)%3 - int32(i)/3, in[i], 3, int32(at.X)}[w]
			}
		}
	})
}

// The block is as large as the kernel says, or smaller, and then what it does not get to stays.
//
//gocuda:kernel
func bsSixteen(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid := t.ThreadIdx.Y*16 + t.ThreadIdx.X
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += 256 {
		x, y := i%20, i/20
		out[first+i] = in[first+i]*2 + int32(x-y)
	}
}

func bsSixteenSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			if i%16 < cfg.Block.X && i%256/16 < cfg.Block.Norm().Y {
				out[i] = in[i]*2 + int32(i%20-i/20)
			}
		}
	})
}

// Some threads have returned before the loop, others are kept out of it by a guard.
//
//gocuda:kernel
func bsGone(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	if tid%w == 1 || t.GlobalX() >= h {
		return
	}
	for i := tid; i < n; i += nt {
		out[first+i] = in[first+i] + int32(i%10*i/10)
	}
	if t.ThreadIdx.X < 4 && tid&1 == 0 {
		for i := tid; i < n; i += nt {
			out[first+i] *= 2
		}
	}
}

func bsGoneSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(b int, in, out []int32) {
		for i := range out {
			k := i % cfg.Threads()
			x := k % cfg.Block.X
			if k%w == 1 || b*cfg.Block.X+x >= h {
				continue
			}
			out[i] = in[i] + int32(i%10*i/10)
			if x < 4 && k%2 == 0 {
				out[i] += out[i]
			}
		}
	})
}

// Limits that differ between the threads, by their number and by what they have loaded.
//
//gocuda:kernel
func bsLimits(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n-3*t.ThreadIdx.Y; i += nt {
		out[first+i] = in[first+i] + 1
	}
	if tid < n {
		end := min(n, int(in[first+tid])&255)
		for i := tid; i < end; i += nt {
			out[first+i] -= int32(i / 6 * (i % 6))
		}
	}
}

func bsLimitsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			k := i % cfg.Threads()
			if i+k/cfg.Block.X*3 < n {
				out[i] = in[i] + 1
			}
			if i < int(uint8(in[k])) {
				out[i] -= int32(i / 6 * (i % 6))
			}
		}
	})
}

// Rows of w, which may be 0 if there are none.
//
//gocuda:kernel
func bsEmpty(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 4)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		y, x := i/w, i%w
		out[first+i] = in[first+y*w+x] + int32(x*3-y)
	}
	if tid < 4 {
		s[tid] = 5
	}
	t.SyncThreads()
	for y := tid / 4; y < h; y += (nt + 3) / 4 {
		for x := tid % 4; x < n/max(h, 1)/4*4; x += 4 {
			out[first+y*(n/h)+x] ^= s[x&3]
		}
	}
}

func bsEmptySerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			out[i] = in[i] + int32(i%w*3-i/w)
			if h > 0 {
				if row := n / h; row > 0 && i/row < h && i%row < row/4*4 {
					if rows := (cfg.Threads() + 3) / 4; i/row%rows*4+i%row%4 < cfg.Threads() { // else there is no thread for it
						out[i] ^= 5
					}
				}
			}
		}
	})
}

// Counters near the ends of what they can be, and products that wrap around.
//
//gocuda:kernel
func bsNearEnd(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := w + tid; i < w+n; i += nt {
		out[first+i-w] = in[first+i-w]
	}
	base := int32(h)
	for i := base + int32(tid); i < base+int32(n); i += int32(nt) {
		out[first+int(i-base)] += i*65536 + i/7
	}
	for i := int32(tid); i < int32(n); i += int32(nt) {
		at := i*0x10001 + 5<<16 - i<<16 - 5<<16
		out[first+int(at)] ^= (i + base) % 9
	}
	for i := tid - n; i < 0; i += nt {
		out[first+i+n] += int32(i>>2) + int32(i%5)
	}
}

func bsNearEndSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for k := range out {
			i := int32(int64(h) + int64(k))
			v := in[k] + int32(uint32(i)<<16) + i/7
			v ^= i % 9
			below := int64(k) - int64(n)
			out[k] = v + int32(math.Floor(float64(below)/4)) - int32(-below%5)
		}
	})
}

// Several threads store the same number in the same place.
//
//gocuda:kernel
func bsSame(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < 256; i += nt {
		s[i] = 0
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		if in[first+i]%3 == 0 {
			s[i/w%256] = 1
		}
		out[first+i/4] = int32(i / 4 * 3)
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] += s[i/w%256] * 1000
	}
}

func bsSameSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		var found [256]bool
		for i, v := range in {
			if v%3 == 0 {
				found[i/w%256] = true
			}
			if 4*i < n {
				out[i] = int32(3 * i)
			}
		}
		for i := range out {
			if found[i/w%256] {
				out[i] += 1000
			}
		}
	})
}

// What is moved to the place of the round before, and of the next one.
//
//gocuda:kernel
func bsMoved(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.DynamicShared[int32](t)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		s[i] = in[first+i]
	}
	for i := tid; i < n-nt; i += nt {
		s[i] = s[i+nt]*2 + 1
	}
	for i := tid; i < n; i += nt {
		out[first+i] = s[i]
	}
	for i := tid; i < n-nt*w; i += nt {
		s[i+nt*w] = s[i] + 7
	}
	for i := tid; i < n; i += nt {
		out[first+i] ^= s[i] << 3
	}
}

func bsMovedSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		moved := slices.Clone(in)
		for i := nt; i < n; i++ {
			moved[i-nt] = in[i]*2 + 1
		}
		for i := range out {
			k := i % (nt * w)
			out[i] = moved[i] ^ (moved[k]+int32(i/(nt*w)*7))<<3
		}
	})
}

// A thread stops at the first number of a kind, and does not begin again.
//
//gocuda:kernel
func bsStops(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		v := in[first+i]
		if v%5 == 2 {
			break
		}
		out[first+i] = v + int32(i&7*8+i>>3)
	}
	for i := tid; i < n && in[first+i]%3 != 1; i += nt {
		out[first+i] *= 3
	}
}

func bsStopsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		a, b := make([]bool, nt), make([]bool, nt)
		for i, v := range in {
			k := i % nt
			a[k] = a[k] || v%5 == 2
			b[k] = b[k] || v%3 == 1
			if !a[k] {
				out[i] = v + int32(i%8*8+i/8)
			}
			if !b[k] {
				out[i] *= 3
			}
		}
	})
}

// The number of a round, counted and as a second counter of the loop.
//
//gocuda:kernel
func bsNumbered(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	k := int32(0)
	for i := tid; i < n; i += nt {
		out[first+i] = in[first+i] + k*100
		k++
	}
	for i, j := tid, 0; i < n; i, j = i+nt, j+3 {
		out[first+i] ^= int32(j) - k
	}
	begun := false
	for i := tid; i < n; i += nt {
		if !begun {
			out[first+i]++
			begun = true
		} else {
			out[first+i] -= 2
		}
	}
}

func bsNumberedSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			r, all := int32(i/nt), int32((n-i%nt+nt-1)/nt)
			out[i] = (in[i] + r*100) ^ (r*3 - all)
			if r == 0 {
				out[i]++
			} else {
				out[i] -= 2
			}
		}
	})
}

// The counter changes in the body, and the step from round to round.
//
//gocuda:kernel
func bsSkips(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		out[first+i] = in[first+i] / 2
		if in[first+i]&1 == 0 {
			i += nt
		}
	}
	step := nt
	for i := tid; i < n; i += step {
		out[first+i] += 9
		step += nt
	}
}

func bsSkipsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		skip := make([]bool, nt)
		for i, v := range in {
			if k := i % nt; skip[k] {
				skip[k] = false
			} else {
				out[i] = v / 2
				skip[k] = v&1 == 0
			}
		}
		for i := range out {
			for r, k := 0, 0; k <= i/nt; r, k = r+1, k+r+2 { // rounds 0, 2, 5, 9 and so on
				if k == i/nt {
					out[i] += 9
				}
			}
		}
	})
}

// The loop is in another one, without a barrier, and a round needs what that one's last turn has stored.
//
//gocuda:kernel
func bsTurns(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.DynamicShared[int32](t)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		s[i] = 0
	}
	for k := 0; k < w; k++ {
		for i := tid; i < n; i += nt {
			s[i] = s[i]*3 + in[first+(i+k)%n]
		}
		for i := tid; i < n; i += nt {
			if s[i]&1 == int32(k&1) {
				s[i]++
			}
		}
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = s[n-1-i]
	}
}

func bsTurnsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			v := int32(0)
			for k := range w {
				v = v*3 + in[(i+k)%n]
				if uint32(v)%2 == uint32(k)%2 {
					v++
				}
			}
			out[n-1-i] = v
		}
	})
}

// Eight elements of a thread in variables, which are stored behind a barrier.
//
//gocuda:kernel
func bsRegisters(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	for base := 0; base < n; base += 8 * nt {
		var own [8]int32
		k := 0
		for i := base + tid; i < min(n, base+8*nt); i += nt {
			own[k] = in[first+i]
			k++
		}
		s[tid] = own[0] + own[7]
		t.SyncThreads()
		other := s[(tid+1)%nt]
		for j := range k {
			out[first+base+j*nt+tid] = own[j]*2 + other
		}
		t.SyncThreads()
	}
}

func bsRegistersSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		at := func(i int) int32 {
			if i < n {
				return in[i]
			}
			return 0
		}
		for i := range out {
			other := i/(8*nt)*8*nt + (i+1)%nt
			out[i] = in[i]*2 + at(other) + at(other+7*nt)
		}
	})
}

// Guards of that kind without a loop, for as many elements as there are threads, of which some have a second one.
//
//gocuda:kernel
func bsGuards(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	if tid < n {
		s[tid] = in[first+tid]
	}
	if tid+nt < n {
		s[tid+nt] = in[first+tid+nt] - 1
	}
	t.SyncThreads()
	m := min(n, 2*nt)
	if tid < m/2 {
		y, x := tid/9, tid%9
		out[first+tid] = s[m-1-tid] + int32(x*y)
	} else if tid < m {
		out[first+tid] = s[tid-m/2] * 5
	}
}

func bsGuardsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Block.X * cfg.Block.Y
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		m := min(n, 2*nt)
		s := slices.Clone(in[:m])
		for i := nt; i < m; i++ {
			s[i]--
		}
		for i := range min(nt, m) {
			if i < m/2 {
				out[i] = s[m-1-i] + int32(i/9*(i%9))
			} else {
				out[i] = 5 * s[i-m/2]
			}
		}
	})
}

// A histogram: bins are cleared and added up by such loops, and so are the bytes read.
//
//gocuda:kernel
func bsCounts(t *gocuda.Thread, n, w, h int, in, out []int32) {
	bins := gocuda.Shared[int32](t, 100)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < 100; i += nt {
		bins[i] = 0
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		atomic.Add(&bins[uint32(in[first+i])%100], int32(i%5)+1)
	}
	t.SyncThreads()
	for i := tid; i < 100; i += nt {
		if bins[i] != 0 && n > 0 {
			atomic.Add(&out[i%n], bins[i])
		}
	}
}

func bsCountsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	for i := range cfg.Blocks() * max(n, 0) {
		out[uint32(in[i])%100%uint32(n)] += int32(i%n%5) + 1
	}
}

// Places from a table that the same thread made: several rounds have the same place, and the last one stays.
//
//gocuda:kernel
func bsScatter(t *gocuda.Thread, n, w, h int, in, out []int32) {
	places := gocuda.DynamicShared[int32](t)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		p := i - i/nt%w*nt // of the same thread
		places[i] = int32(p)
	}
	for i := tid; i < n; i += nt {
		p := first + int(places[i])
		out[p] = out[p]*3 + in[first+i]
	}
}

func bsScatterSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i, v := range in {
			p := i/nt/w*w*nt + i%nt
			out[p] = out[p]*3 + v
		}
	})
}

// A step of two rounds at a time, as it is unrolled by hand, and the rest.
//
//gocuda:kernel
func bsTwice(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	a, b := in[t.BlockIdx.X*max(n, 0):], out[t.BlockIdx.X*max(n, 0):]
	i := tid
	for ; i+nt < n; i += 2 * nt {
		b[i] = a[i] + int32(i/11)
		b[i+nt] = a[i+nt] - b[i]
	}
	if i < n {
		b[i] = a[i] * 7
	}
}

func bsTwiceSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			switch r := i / nt; {
			case r%2 == 1:
				out[i] = in[i] - (in[i-nt] + int32((i-nt)/11))
			case i+nt < n:
				out[i] = in[i] + int32(i/11)
			default:
				out[i] = in[i] * 7
			}
		}
	})
}

// Rounds with a barrier inside, of which all threads make the same number.
//
//gocuda:kernel
func bsTogether(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	for base := 0; base < n; base += nt {
		i := base + tid
		s[tid] = 0
		if i < n {
			s[tid] = in[first+i]
		}
		t.SyncThreads()
		for k := tid; k < nt/2; k += nt {
			s[k], s[nt-1-k] = s[nt-1-k], s[k]-int32(k)
		}
		t.SyncThreads()
		if i < n {
			out[first+i] = s[tid]
		}
		t.SyncThreads()
	}
}

func bsTogetherSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for base := 0; base < n; base += nt {
			s := make([]int32, nt)
			copy(s, in[base:])
			slices.Reverse(s)
			for k := range nt / 2 {
				s[nt-1-k] -= int32(k)
			}
			copy(out[base:], s)
		}
	})
}

// A round changes its element, then stores where a later round of the same thread comes.
//
//gocuda:kernel
func bsSplit(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.DynamicShared[int32](t)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first, d := t.BlockIdx.X*max(n, 0), nt*w
	for i := tid; i < max(n, 0)+d; i += nt {
		s[i] = -1
	}
	for i := tid; i < n; i += nt {
		s[i] += in[first+i]
		s[i+d] = int32(i / 20 * 3)
	}
	for i := tid; i < n; i += nt {
		out[first+i] = s[i]*2 - s[i+d]
	}
}

func bsSplitSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		d := cfg.Threads() * w
		at := func(i int) int32 {
			v := int32(-1)
			if i >= d {
				v = int32((i - d) / 20 * 3)
			}
			if i < n {
				v += in[i]
			}
			return v
		}
		for i := range out {
			out[i] = at(i)*2 - at(i+d)
		}
	})
}

// A tile goes to two slices, which may be parts of one.
//
//gocuda:kernel
func bsTwoSlices(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	for i := tid; i < n; i += nt {
		y, x := i/20, i%20
		s[i] = int32(x*100 + y)
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		y, x := i/20, i%20
		in[y*20+x] = s[i]
		out[y*20+x] = -s[i]
	}
}

// The columns are the threads' own, and so rows may be in the same place.
//
//gocuda:kernel
func bsColumns(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s, last := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 64)
	sums := gocuda.Shared[int32](t, 64)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < 64; i += nt {
		last[i], sums[i] = -1, 1
	}
	for i := tid; i < n; i += nt {
		y, x := i/64, i%64
		s[y*64+x] = in[first+y*64+x]
		last[i%64] = int32(i)
	}
	for i := tid; i < n; i += nt {
		sums[i&63] = sums[i&63]*3 + s[i]
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		y, x := i/64, i%64
		out[first+y*w+x] = s[i] + int32(y)
	}
	t.SyncThreads()
	for i := tid; i < min(n, 64); i += nt {
		out[first+i] += last[i]*5 ^ sums[i]
	}
}

func bsColumnsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for x := range min(n, 64) {
			sum, last := int32(1), -1
			for i := x; i < n; i += 64 {
				sum = sum*3 + in[i]
				last = i
				out[i/64*w+x] = in[i] + int32(i/64)
			}
			out[x] += int32(last*5) ^ sum
		}
	})
}

// Conditions whose sides may wrap around.
//
//gocuda:kernel
func bsClip(t *gocuda.Thread, n, w, h int, in, out []int32) {
	a, b := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	c, d := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		x := w + i%20
		a[i] = 0
		if x < h {
			a[i] = 1
		}
	}
	for i := tid; i < n; i += nt {
		x, y := w+i%20, w+i/20
		if x >= 0 && y >= 0 && y < h {
			b[i] = 10
			continue
		}
		b[i] = 20
	}
	for i := tid; i < n; i += nt {
		x, y := int32(w)+int32(i%20), int32(h)-int32(i/20)
		v := int32(100)
		if x <= int32(h) && y > int32(w) {
			v = 200
		}
		c[i] = v
	}
	for i := tid; i < n; i += nt {
		x, y := w-i%20, h-i/20
		if uint(x) < uint(h) || y > w {
			d[i] = 1000
		} else {
			d[i] = in[first+i] & 0xf0000
		}
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		k := n - 1 - i
		out[first+i] = a[k] + b[k] + c[k] + d[k]
	}
}

func bsClipSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			x, y := i%20, i/20
			sum := int32(120)
			if v := w + x; v < h {
				sum++
			}
			if w+x >= 0 && w+y >= 0 && w+y < h {
				sum -= 10
			}
			if int32(w+x) <= int32(h) && int32(h-y) > int32(w) {
				sum += 100
			}
			if uint(w-x) < uint(h) || h-y > w {
				sum += 1000
			} else {
				sum += in[i] & 0xf0000
			}
			out[n-1-i] = sum
		}
	})
}

// Smaller parts of bsClip: one condition in a loop, whose left side wraps around.
//
//gocuda:kernel
func bsWraps(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		s[i] = 20
		if w+i%20 >= 0 {
			s[i] = 10
		}
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = s[n-1-i]
	}
}

func bsWrapsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			if out[n-1-i] = 20; w+i%20 >= 0 {
				out[n-1-i] = 10
			}
		}
	})
}

// The same of rows, with an end that is a variable.
//
//gocuda:kernel
func bsWrapsRows(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		s[i] = 20
		if w+i/20 < h {
			s[i] = 10
		}
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = s[n-1-i]
	}
}

func bsWrapsRowsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			if out[n-1-i] = 20; w+i/20 < h {
				out[n-1-i] = 10
			}
		}
	})
}

// The same downwards.
//
//gocuda:kernel
func bsWrapsDown(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		s[i] = 20
		if w-i%20 < h {
			s[i] = 10
		}
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = s[n-1-i]
	}
}

func bsWrapsDownSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			if out[n-1-i] = 20; w-i%20 < h {
				out[n-1-i] = 10
			}
		}
	})
}

// The same in two loops, of the rows and of the columns.
//
//gocuda:kernel
func bsWrapsNested(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	first := t.BlockIdx.X * max(n, 0)
	for i := t.Rank(); i < 1024; i += t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z {
		s[i] = 20
	}
	t.SyncThreads()
	for y := t.ThreadIdx.Y; y < 32; y += t.BlockDim.Y {
		for x := t.ThreadIdx.X; x < 32; x += t.BlockDim.X {
			if w+x < h && w+y >= 0 {
				s[y*32+x] = 10
			}
		}
	}
	t.SyncThreads()
	for i := t.Rank(); i < n; i += t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z {
		out[first+i] = s[n-1-i]
	}
}

func bsWrapsNestedSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			if out[n-1-i] = 20; w+i%32 < h && w+i/32 >= 0 {
				out[n-1-i] = 10
			}
		}
	})
}

// Widths of any sign.
//
//gocuda:kernel
func bsWidths(t *gocuda.Thread, n, w, h int, in, out []int32) {
	a, b := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		y, x := i/w, i%w
		a[i] = int32(y*7 + x)
		if y < 3 && x > 1 {
			a[i] = 5
		}
	}
	for i := tid; i < n; i += nt {
		y := i / w
		x := i - y*w
		b[y*w+x] = in[first+y*w+x] + int32((i+5)/w)
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = a[n-1-i] ^ b[n-1-i]
	}
}

func bsWidthsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i, v := range in {
			a := int32(i/w*7 + i%w)
			if i/w <= 2 && i%w >= 2 {
				a = 5
			}
			out[n-1-i] = a ^ (v + int32((i+5)/w))
		}
	})
}

// Starts below 0 and above it, with remainders that are negative.
//
//gocuda:kernel
func bsStarts(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid - w; i < n-w; i += nt {
		y, x := i/20, i%20
		v := int32(y*1000 + x)
		if x < 0 || y > 2 {
			v = -v
		}
		s[i+w] = v
	}
	t.SyncThreads()
	for i := tid + h; i < n; i += nt {
		out[first+i] = s[n-1-(i/9*9+i%9)] + in[first+i]
	}
}

func bsStartsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := h; i < n; i++ {
			k := n - 1 - i - w
			v := int32(k/20*1000 + k%20)
			if k%20 < 0 || k >= 60 {
				v = -v
			}
			out[i] = v + in[i]
		}
	})
}

// Threads that are not in the loop, and what they would have stored.
//
//gocuda:kernel
func bsGuarded(t *gocuda.Thread, n, w, h int, in, out []int32) {
	a, b := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	c, d := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		a[i], b[i], c[i], d[i] = 1, 2, 4, 8
	}
	t.SyncThreads()
	if tid&1 == 0 {
		for i := tid; i < n; i += nt {
			y, x := i/20, i%20
			a[i] = int32(x - y)
		}
	}
	if tid < w {
		for i := tid; i < n; i += nt {
			b[i] = int32(i % 20)
		}
	}
	if t.ThreadIdx.X < h {
		for i := tid; i < n; i += nt {
			c[i] = int32(i / 20)
		}
	}
	if n > w {
		for i := tid; i < n && tid > 2; i += nt {
			d[i] = in[first+i]
		}
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		k := n - 1 - i
		out[first+i] = (a[k]*3+b[k])*3 + c[k] ^ d[k]
	}
}

func bsGuardedSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i, v := range in {
			k := i % cfg.Threads()
			a, b, c, d := 1, 2, 4, int32(8)
			if k%2 == 0 {
				a = i%20 - i/20
			}
			if k < w {
				b = i % 20
			}
			if k%cfg.Block.X < h {
				c = i / 20
			}
			if n > w && k > 2 {
				d = v
			}
			out[n-1-i] = int32(9*a+3*b+c) ^ d
		}
	})
}

// Threads that have returned before; the others go on to the barrier.
//
//gocuda:kernel
func bsReturns(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		s[i] = -int32(i)
	}
	t.SyncThreads()
	if tid%w == 1 {
		return
	}
	for i := tid; i < n; i += nt {
		y, x := i/20, i%20
		if x < 19 && y > 0 {
			s[i] = in[first+i]
		}
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = s[n-1-i]
	}
}

func bsReturnsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		gone := func(i int) bool { return i%cfg.Threads()%w == 1 }
		for i := range out {
			k := n - 1 - i
			if gone(i) {
				continue
			}
			out[i] = -int32(k)
			if k >= 20 && k%20 != 19 && !gone(k) {
				out[i] = in[k]
			}
		}
	})
}

// Two loops of which something is not as it mostly is: w says what.
//
//gocuda:kernel
func bsOdd(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[[32]int32](t, 32)
	tx, ty, bx, by := t.ThreadIdx.X, t.ThreadIdx.Y, t.BlockDim.X, t.BlockDim.Y
	first := t.BlockIdx.X * max(n, 0)
	for y := ty; y < 32; y += by {
		for x := tx; x < 32; x += bx {
			s[y][x] = -1
		}
	}
	t.SyncThreads()
	switch w {
	case 0:
		for y := tx; y < 32; y += by {
			for x := ty; x < 32; x += bx {
				s[y][x] = int32(10*y + x)
			}
		}
	case 1:
		for y := ty; y < 32; y += by {
			for x := tx + y; x < 32; x += bx {
				s[y][x] = int32(10*y + x)
			}
		}
	case 2:
		for y := ty; y < 32; y += by {
			for x := tx; x < y; x += bx {
				s[y][x] = int32(10*y + x)
			}
		}
	case 3:
		for y := ty; y < 32; y += by {
			for x := tx; x < 32; x += by {
				s[y][x] = int32(10*y + x)
			}
		}
	case 4:
		for y := ty; y < 32; y += 2 * by {
			for x := tx + 1; x < 31; x += bx {
				s[y][x] = int32(10*y + x)
			}
		}
	case 5:
		for x := tx; x < 32; x += bx {
			for y := ty; y < 32; y += by {
				s[y][x] = int32(10*y + x)
			}
		}
	case 6:
		for y := tx; y < 32; y += bx {
			for x := ty; x < 32; x += by {
				s[y][x] = int32(10*y + x)
			}
		}
	case 7:
		for y := ty; y < 32; y += 8 {
			for x := tx; x < 32; x += 32 {
				s[y][x] = int32(10*y + x)
			}
		}
	case 8:
		for y := ty; y < 32; y += by {
			for x := 0; x < 32; x += bx {
				s[y][x] = int32(10*y + x)
			}
		}
	}
	t.SyncThreads()
	for i := t.Rank(); i < n; i += bx * by * t.BlockDim.Z {
		out[first+i] = s[i/32%32][i%32]
	}
}

func bsOddSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	d := cfg.Block.Norm()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		var s [1024]int32
		for k := range s {
			s[k] = -1
		}
		for k := range d.X * d.Y {
			tx, ty := k%d.X, k/d.X
			y0 := [...]int{tx, ty, ty, ty, ty, ty, tx, ty, ty}[w]
			stepY := [...]int{d.Y, d.Y, d.Y, d.Y, 2 * d.Y, d.Y, d.X, 8, d.Y}[w]
			stepX := [...]int{d.X, d.X, d.X, d.Y, d.X, d.X, d.Y, 32, d.X}[w]
			for y := y0; y < 32; y += stepY {
				x0 := [...]int{ty, tx + y, tx, tx, tx + 1, tx, ty, tx, 0}[w]
				end := [...]int{32, 32, y, 32, 31, 32, 32, 32, 32}[w]
				for x := x0; x < end; x += stepX {
					s[32*y+x] = int32(10*y + x)
				}
			}
		}
		for i := range out {
			out[i] = s[i%1024]
		}
	})
}

// Numbers and steps that do not belong together, in a tile that had something before: w says which.
//
//gocuda:kernel
func bsSteps(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tx, ty, bx, by := t.ThreadIdx.X, t.ThreadIdx.Y, t.BlockDim.X, t.BlockDim.Y
	tid, nt := t.Rank(), bx*by*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		s[i] = -1
	}
	t.SyncThreads()
	switch w {
	case 0:
		for i := ty*bx + tx; i < n; i += nt / 2 {
			s[i] = int32(i/20*3 + i%20)
		}
	case 1:
		for i := tid; i < n; i += 2 * nt {
			s[i] = int32(i/20*3 + i%20)
		}
	case 2:
		for i := ty*bx + tx; i < n; i += bx {
			s[i] = int32(i/20*3 + i%20)
		}
	case 3:
		for i := ty*16 + tx; i < n; i += 256 {
			s[i] = int32(i/20*3 + i%20)
		}
	case 4:
		for i := ty*16 + tx; i < n; i += bx * by {
			s[i] = int32(i/20*3 + i%20)
		}
	case 5:
		for i := ty*bx + tx; i < n; i += 64 {
			s[i] = int32(i/20*3 + i%20)
		}
	case 6:
		for i := ty*bx + tx; i < n; i += nt {
			s[i] = int32(i/20*3 + i%20)
		}
	case 7:
		for i := ty*by + tx; i < n; i += bx * by {
			s[i] = int32(i/20*3 + i%20)
		}
	case 8:
		for i := tx*by + ty; i < n; i += bx * by {
			s[i] = int32(i/20*3 + i%20)
		}
	case 9:
		for i := 2 * tid; i < n; i += 2 * nt {
			s[i] = int32(i/20*3 + i%20)
		}
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = s[n-1-i]
	}
}

func bsStepsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	d := cfg.Block.Norm()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i := range out {
			out[i] = -1
		}
		for k := range d.Size() {
			at := d.At(k)
			flat, area, all := at.Y*d.X+at.X, d.X*d.Y, d.Size()
			start := [...]int{flat, k, flat, at.Y*16 + at.X, at.Y*16 + at.X, flat, flat, at.Y*d.Y + at.X, at.X*d.Y + at.Y, 2 * k}[w]
			step := [...]int{all / 2, 2 * all, d.X, 256, area, 64, all, area, area, 2 * all}[w]
			for i := start; i < n; i += step {
				out[n-1-i] = int32(i/20*3 + i%20)
			}
		}
	})
}

// What the last round has left in variables.
//
//gocuda:kernel
func bsAfterwards(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s, r := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 256)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	x, y, count, last := -1, -2, 0, int32(-3)
	for i := tid; i < n; i += nt {
		y, x = i/20, i%20
		s[i] = in[first+y*20+x]
		count++
	}
	for i := tid; i < n; i += nt {
		if v := s[i]; v > 0 {
			last = v
			s[i] = int32(i / 20)
		}
	}
	limit := n
	for i := tid; i < limit; i += nt {
		s[i] += 7
		limit -= 3
	}
	r[tid] = int32(x*1000+y*100+count+limit) ^ last
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] = s[n-1-i] + r[(i+1)%nt]
	}
}

func bsAfterwardsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		s, r := make([]int32, n), make([]int32, nt)
		for k := range nt {
			x, y, last, count, left := -1, -2, int32(-3), 0, n
			for i := k; i < n; i += nt {
				x, y = i%20, i/20
				s[i] = in[i]
				if in[i] > 0 {
					last, s[i] = in[i], int32(i/20)
				}
				if i < n-3*count { // as many rounds have passed
					s[i] += 7
					left -= 3
				}
				count++
			}
			r[k] = int32(x*1000+y*100+count+left) ^ last
		}
		for i := range out {
			out[i] = s[n-1-i] + r[(i+1)%nt]
		}
	})
}

// Quotients and remainders of other numbers, masks with holes, shifts by what the launch says, and a slice
// that gets shorter.
//
//gocuda:kernel
func bsOther(t *gocuda.Thread, n, w, h int, in, out []int32) {
	a, b := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	c, d := gocuda.Shared[uint8](t, 1024), gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	for i := tid; i < n; i += nt {
		y, x := i/20, i%16
		a[i] = in[first+y*16+x]
	}
	for i := tid; i < n; i += nt {
		b[i] = int32(i&5*100 + (2*i)/20 + (i+3)%20)
	}
	for i := tid; i < n; i += nt {
		y, x := i>>uint(w), i&(1<<uint(w)-1)
		c[i] = uint8(y*3 + x)
	}
	p := in[first:]
	for i := tid; i < n; i += nt {
		d[i] = p[tid] + int32(i/6%4*(i/24)+i%6)
		p = p[min(nt, len(p)):]
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		k := n - 1 - i
		out[first+i] = a[k] + b[k] ^ int32(c[k]) - d[k]
	}
}

func bsOtherSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		for i, v := range in {
			sum := in[i/20*16+i%16] + int32(i%2*100+i/4%2*400+i/10+(i+3)%20)
			y, x := 0, i
			if w < 60 {
				y, x = i/(1<<w), i%(1<<w)
			}
			out[n-1-i] = sum ^ int32(uint8(3*y+x)) - (v + int32(i/6%4*(i/24)+i%6))
		}
	})
}

// Loops in one phase, each of which needs what the one before it has left in the thread's own elements.
//
//gocuda:kernel
func bsOrder(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s, r := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * max(n, 0)
	if tid < n {
		s[tid] = 3
	}
	for i := tid + nt; i < n; i += nt {
		s[i] = int32(i / 20)
	}
	for i := tid; i < n; i += nt {
		r[i] = s[i] + in[first+i]
	}
	if tid&1 == 0 {
		for i := tid; i < n; i += nt {
			s[i] = int32(i % 20)
		}
	}
	for i := tid; i < n; i += nt {
		out[first+i] = s[i] - r[i]
	}
	if tid < n {
		s[tid] = -100
	}
	for i := tid; i < n; i += nt {
		r[i] = s[i]
		out[first+i] ^= r[i] << 4
	}
	t.SyncThreads()
	for i := tid; i < n; i += nt {
		out[first+i] += r[n-1-i]
	}
}

func bsOrderSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	nt := cfg.Threads()
	bsEach(cfg, n, in, out, func(_ int, in, out []int32) {
		ends := make([]int32, n)
		for i, v := range in {
			s := int32(i / 20)
			if i < nt {
				s = 3
			}
			r := s + v
			if i%nt%2 == 0 {
				s = int32(i % 20)
			}
			out[i] = s - r
			if i < nt {
				s = -100
			}
			ends[i] = s
			out[i] ^= s * 16
		}
		slices.Reverse(ends)
		for i, v := range ends {
			out[i] += v
		}
	})
}

// Blocks of the sizes that people choose, and of others. Those of bsDeep have threads along z.
var (
	bsFlat = []grid.Dim3{{X: 16, Y: 16}, {X: 32, Y: 8}, {X: 8, Y: 8}, {X: 64}, {X: 5, Y: 3}}
	bsDeep = []grid.Dim3{{X: 8, Y: 4, Z: 2}, {X: 3, Y: 5, Z: 7}}
)

// What becomes of threads along z that a kernel does not count.
const (
	bsCounted = iota // it does
	bsTwin           // they store the same in the same place
	bsNone           // there must be none
)

type bsKernel[T any] = func(t *gocuda.Thread, n, w, h int, in, out []T)

// bsMade is a case of launches that all have the same n, w and h.
func bsMade[T any](name string, cfgs []grid.Config, n, w, h, inputs, outputs int, source bsKernel[T],
	compiled func(n, w, h int, in, out []T) gocuda.Kernel, serial func(cfg grid.Config, n, w, h int, in, out []T)) Case {
	return made(name, cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[T](inputs), marked[T](outputs)
		return func(t *gocuda.Thread) { source(t, n, w, h, in, out) }, compiled(n, w, h, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		in, out := data[T](inputs), marked[T](outputs)
		serial(cfg, n, w, h, in, out)
		return []any{out}
	})
}

// bsImages are cases of images in several sizes, of which the largest has many blocks that are at no edge. A
// block writes a part of it, where 0 means the size of the block in this direction.
func bsImages[T any](name string, deep int, part grid.Dim3, blocks []grid.Dim3, ns []int, source bsKernel[T],
	compiled func(n, w, h int, in, out []T) gocuda.Kernel, serial func(cfg grid.Config, n, w, h int, in, out []T)) (cases []Case) {
	for _, s := range [][2]int{{1, 1}, {16, 16}, {33, 17}, {5, 40}, {130, 97}} {
		for _, n := range ns {
			w, h := s[0], s[1]
			of := func(blocks []grid.Dim3) (cfgs []grid.Config) {
				for _, b := range blocks {
					x, y := part.X, part.Y
					if b = b.Norm(); x == 0 {
						x = b.X
					}
					if y == 0 {
						y = b.Y
					}
					cfgs = append(cfgs, grid.Config{Grid: grid.Dim3{X: (w + x - 1) / x, Y: (h + y - 1) / y}, Block: b})
					if part.X == 0 && part.Y == 0 {
						cfgs[len(cfgs)-1].SharedBytes = 4 * (b.X + 2*n) * (b.Y + 2*n) // the tile with its halo
					}
				}
				return cfgs
			}
			name := fmt.Sprintf("%s of %dx%d, %d", name, w, h, n)
			cfgs := of(blocks)
			if deep == bsCounted {
				cfgs = append(cfgs, of(bsDeep)...)
			}
			cases = append(cases, bsMade(name, cfgs, n, w, h, w*h, w*h, source, compiled, serial))
			if deep == bsTwin {
				c := bsMade(name+" with twins", of(bsDeep), n, w, h, w*h, w*h, source, compiled, serial)
				c.Races = true
				cases = append(cases, c)
			}
		}
	}
	return cases
}

// bsLines are cases of a linear kernel.
func bsLines(name string, deep int, blocks []grid.Dim3, ws, hs []int, shared func(cfg grid.Config, n, w int) int, source bsKernel[int32],
	compiled func(n, w, h int, in, out []int32) gocuda.Kernel, serial func(cfg grid.Config, n, w, h int, in, out []int32)) (cases []Case) {
	for _, n := range []int{-5, 0, 1, 7, 63, 64, 256, 300, 1000} {
		for _, w := range ws {
			for _, h := range hs {
				many := 3
				if n == 300 { // many blocks
					many = 30
				}
				of := func(blocks []grid.Dim3) (cfgs []grid.Config) {
					for _, b := range blocks {
						cfg := grid.Config{Grid: grid.Dim3{X: many}, Block: b.Norm()}
						if shared != nil {
							cfg.SharedBytes = shared(cfg, n, w)
						}
						cfgs = append(cfgs, cfg)
					}
					return cfgs
				}
				cfgs := of(blocks)
				if deep == bsCounted {
					cfgs = append(cfgs, of(bsDeep)...)
				}
				name := fmt.Sprintf("%s of %d, %d, %d", name, n, w, h)
				size := max(n, 0) * many
				cases = append(cases, bsMade(name, cfgs, n, w, h, size, size, source, compiled, serial))
				if deep == bsTwin {
					c := bsMade(name+" with twins", of(bsDeep), n, w, h, size, size, source, compiled, serial)
					c.Races = true
					cases = append(cases, c)
				}
			}
		}
	}
	return cases
}

func blockStrideCases() (cases []Case) {
	add := func(c ...Case) { cases = append(cases, c...) }
	sixteen, none := grid.Dim3{X: 16, Y: 16}, []int{0}
	add(bsImages("bsHalo", bsTwin, sixteen, bsFlat, none, bsHalo, bsHaloKernel, bsHaloSerial)...)
	add(bsImages("bsHaloAny", bsTwin, grid.Dim3{}, bsFlat, []int{0, 1, 3}, bsHaloAny, bsHaloAnyKernel, bsHaloAnySerial)...)
	add(bsImages("bsPeriodic", bsCounted, grid.Dim3{X: 16, Y: 8}, bsFlat, none, bsPeriodic, bsPeriodicKernel, bsPeriodicSerial)...)
	add(bsImages("bsMirror", bsTwin, sixteen, bsFlat, none, bsMirror, bsMirrorKernel, bsMirrorSerial)...)
	thirties := []grid.Dim3{{X: 32, Y: 8}, {X: 32}, {X: 32, Y: 32}, {X: 32, Y: 5}}
	add(bsImages("bsTranspose", bsNone, grid.Dim3{X: 32, Y: 32}, thirties, none, bsTranspose, bsTransposeKernel, bsTransposeSerial[float32])...)
	add(bsImages("bsTransposeShifts", bsCounted, grid.Dim3{X: 32, Y: 32}, bsFlat, none, bsTransposeShifts, bsTransposeShiftsKernel, bsTransposeSerial[int32])...)
	add(bsImages("bsWindow", bsTwin, grid.Dim3{X: 32}, bsFlat, none, bsWindow, bsWindowKernel, bsWindowSerial)...)
	add(bsImages("bsConvolve", bsTwin, sixteen, bsFlat, none, bsConvolve, bsConvolveKernel, bsConvolveSerial)...)
	add(bsImages("bsRelax", bsTwin, sixteen, bsFlat, []int{0, 1, 4}, bsRelax, bsRelaxKernel, bsRelaxSerial)...)
	add(bsImages("bsRowMost", bsCounted, grid.Dim3{X: 24, Y: 8}, bsFlat, none, bsRowMost, bsRowMostKernel, bsRowMostSerial)...)
	add(bsImages("bsHelped", bsCounted, grid.Dim3{X: 16, Y: 8}, bsFlat, none, bsHelped, bsHelpedKernel, bsHelpedSerial)...)
	add(bsImages("bsPool", bsCounted, grid.Dim3{X: 32, Y: 32}, bsFlat, []int{0, 1, 40}, bsPool, bsPoolKernel, bsPoolSerial)...)
	for _, s := range [][3]int{{1, 1, 1}, {40, 37, 13}, {130, 128, 97}} {
		n, w, h := s[0], s[1], s[2]
		var tables, pitched []grid.Config
		for _, b := range slices.Concat(bsFlat, bsDeep) {
			tables = append(tables, grid.Config{Grid: grid.Dim3{X: (h + 4) / 5}, Block: b.Norm()})
			pitched = append(pitched, grid.Config{Grid: grid.Dim3{X: (w + 31) / 32, Y: (h + 5) / 6}, Block: b.Norm()})
		}
		add(bsMade(fmt.Sprintf("bsTable of %dx%d", w, h), tables, n, w, h, w*h, w*h, bsTable, bsTableKernel, bsTableSerial))
		add(bsMade(fmt.Sprintf("bsPitched of %dx%d, %d", w, h, n), pitched, n, w, h, n*h, n*h, bsPitched, bsPitchedKernel, bsPitchedSerial))
	}
	for _, s := range [][3]int{{1, 1, 1}, {8, 8, 8}, {5, 9, 3}, {13, 30, 21}} {
		n, w, h := s[0], s[1], s[2]
		var fours, eights []grid.Config
		for _, b := range slices.Concat(bsFlat, bsDeep, []grid.Dim3{{X: 4, Y: 4, Z: 4}}) {
			fours = append(fours, grid.Config{Grid: grid.Dim3{X: (w + 3) / 4, Y: (h + 3) / 4, Z: (n + 3) / 4}, Block: b.Norm()})
			eights = append(eights, grid.Config{Grid: grid.Dim3{X: (w + 7) / 8, Y: (h + 7) / 8, Z: (n + 7) / 8}, Block: b.Norm()})
		}
		add(bsMade(fmt.Sprintf("bsVolume of %dx%dx%d", w, h, n), fours, n, w, h, n*w*h, n*w*h, bsVolume, bsVolumeKernel, bsVolumeSerial))
		add(bsMade(fmt.Sprintf("bsThreeLoops of %dx%dx%d", w, h, n), eights, n, w, h, n*w*h, n*w*h, bsThreeLoops, bsThreeLoopsKernel, bsThreeLoopsSerial))
	}
	for _, s := range [][3]int{{1, 1, 1}, {32, 8, 32}, {40, 19, 33}, {128, 64, 160}, {5, 100, 130}} {
		n, w, h := s[0], s[1], s[2]
		var cfgs, steps []grid.Config
		blocks := grid.Dim3{X: (h + 31) / 32, Y: (n + 31) / 32}
		for _, b := range []grid.Dim3{{X: 16, Y: 16}, {X: 32, Y: 8}, {X: 64, Y: 4}, {X: 256}, {X: 8, Y: 8, Z: 4}} {
			cfgs = append(cfgs, grid.Config{Grid: blocks, Block: b.Norm()})
		}
		for _, b := range []grid.Dim3{{X: 16, Y: 16}, {X: 32, Y: 8}, {X: 8, Y: 8}, {X: 64}, {X: 16, Y: 8}} {
			steps = append(steps, grid.Config{Grid: blocks, Block: b.Norm()})
		}
		add(bsMade(fmt.Sprintf("bsProduct of %dx%dx%d", n, w, h), cfgs, n, w, h, n*w+w*h, n*h, bsProduct, bsProductKernel, bsProductSerial))
		add(bsMade(fmt.Sprintf("bsProductSteps of %dx%dx%d", n, w, h), steps, n, w, h, n*w+w*h, n*h, bsProductSteps, bsProductStepsKernel, bsProductStepsSerial))
	}
	narrow := []grid.Dim3{{X: 16, Y: 16}, {X: 8, Y: 8}, {X: 16, Y: 4}, {X: 5, Y: 3}, {X: 16, Y: 7}}
	elements := func(_ grid.Config, n, _ int) int { return 4 * max(n, 1) }
	more := func(cfg grid.Config, n, w int) int { return 4 * (max(n, 0) + cfg.Threads()*w) }
	one, two, three := []int{1}, []int{1, 2}, []int{1, 2, 3}
	add(bsLines("bsSpellings", bsCounted, bsFlat, none, none, nil, bsSpellings, bsSpellingsKernel, bsSpellingsSerial)...)
	add(bsLines("bsBackwards", bsCounted, bsFlat, none, none, nil, bsBackwards, bsBackwardsKernel, bsBackwardsSerial)...)
	add(bsLines("bsSegments", bsCounted, bsFlat, none, none, nil, bsSegments, bsSegmentsKernel, bsSegmentsSerial)...)
	add(bsLines("bsOwnSums", bsNone, bsFlat, none, none, nil, bsOwnSums, bsOwnSumsKernel, bsOwnSumsSerial)...)
	add(bsLines("bsModulo", bsCounted, bsFlat, two, none, nil, bsModulo, bsModuloKernel, bsModuloSerial)...)
	add(bsLines("bsLast", bsNone, bsFlat, none, none, nil, bsLast, bsLastKernel, bsLastSerial)...)
	add(bsLines("bsPrefix", bsCounted, bsFlat, three, none, nil, bsPrefix, bsPrefixKernel, bsPrefixSerial)...)
	add(bsLines("bsAliases", bsCounted, bsFlat, three, none, more, bsAliases, bsAliasesKernel, bsAliasesSerial)...)
	add(bsLines("bsCarried", bsNone, bsFlat, none, none, nil, bsCarried, bsCarriedKernel, bsCarriedSerial)...)
	add(bsLines("bsVisits", bsCounted, bsFlat, []int{0, 1, 2, 3, 4, 6, 7, 8}, none, nil, bsVisits, bsVisitsKernel, bsVisitsSerial)...)
	add(bsLines("bsVisits", bsCounted, bsFlat, []int{5}, []int{15, 64, 100}, nil, bsVisits, bsVisitsKernel, bsVisitsSerial)...)
	add(bsLines("bsSixteen", bsTwin, narrow, none, none, nil, bsSixteen, bsSixteenKernel, bsSixteenSerial)...)
	add(bsLines("bsGone", bsCounted, bsFlat, []int{1, 2, 5}, []int{0, 11, 70, 1 << 40}, nil, bsGone, bsGoneKernel, bsGoneSerial)...)
	add(bsLines("bsLimits", bsNone, bsFlat, none, none, nil, bsLimits, bsLimitsKernel, bsLimitsSerial)...)
	add(bsLines("bsEmpty", bsCounted, bsFlat, []int{1, 8, 20, 1000}, []int{-1, 0, 1, 6}, nil, bsEmpty, bsEmptyKernel, bsEmptySerial)...)
	add(bsLines("bsNearEnd", bsCounted, bsFlat, []int{0, math.MaxInt - 2000, math.MinInt + 100, -100}, []int{0, math.MaxInt32 - 2000, math.MinInt32 + 100, -100}, nil, bsNearEnd, bsNearEndKernel, bsNearEndSerial)...)
	for _, c := range bsLines("bsSame", bsCounted, bsFlat, []int{1, 4, 20}, none, nil, bsSame, bsSameKernel, bsSameSerial) {
		c.Races = true
		add(c)
	}
	add(bsLines("bsMoved", bsCounted, bsFlat, two, none, elements, bsMoved, bsMovedKernel, bsMovedSerial)...)
	add(bsLines("bsStops", bsCounted, bsFlat, none, none, nil, bsStops, bsStopsKernel, bsStopsSerial)...)
	add(bsLines("bsNumbered", bsCounted, bsFlat, none, none, nil, bsNumbered, bsNumberedKernel, bsNumberedSerial)...)
	add(bsLines("bsSkips", bsCounted, bsFlat, none, none, nil, bsSkips, bsSkipsKernel, bsSkipsSerial)...)
	add(bsLines("bsTurns", bsCounted, bsFlat, []int{0, 1, 4}, none, elements, bsTurns, bsTurnsKernel, bsTurnsSerial)...)
	add(bsLines("bsRegisters", bsNone, bsFlat, none, none, nil, bsRegisters, bsRegistersKernel, bsRegistersSerial)...)
	add(bsLines("bsGuards", bsTwin, bsFlat, none, none, nil, bsGuards, bsGuardsKernel, bsGuardsSerial)...)
	add(bsLines("bsCounts", bsCounted, bsFlat, none, none, nil, bsCounts, bsCountsKernel, bsCountsSerial)...)
	add(bsLines("bsScatter", bsCounted, bsFlat, three, none, elements, bsScatter, bsScatterKernel, bsScatterSerial)...)
	add(bsLines("bsTwice", bsCounted, bsFlat, none, none, nil, bsTwice, bsTwiceKernel, bsTwiceSerial)...)
	add(bsLines("bsTogether", bsNone, bsFlat, one, none, nil, bsTogether, bsTogetherKernel, bsTogetherSerial)...)
	sizes := []grid.Dim3{{X: 64}, {X: 8, Y: 8}, {X: 8, Y: 4}, {X: 16}, {X: 4, Y: 4, Z: 4}}
	far := []int{0, 7, -13, math.MaxInt - 9, math.MinInt + 9, math.MaxInt32 - 9, math.MinInt32 + 9}
	add(bsLines("bsSplit", bsCounted, bsFlat, three, none, more, bsSplit, bsSplitKernel, bsSplitSerial)...)
	add(bsLines("bsColumns", bsNone, sizes, []int{0, 64}, none, nil, bsColumns, bsColumnsKernel, bsColumnsSerial)...)
	for _, h := range []int{0, math.MaxInt - 5} {
		add(bsLines("bsWraps", bsCounted, bsFlat, []int{-3, math.MaxInt - 9}, []int{h}, nil, bsWraps, bsWrapsKernel, bsWrapsSerial)...)
		add(bsLines("bsWrapsRows", bsCounted, bsFlat, []int{-3, math.MaxInt - 3}, []int{h}, nil, bsWrapsRows, bsWrapsRowsKernel, bsWrapsRowsSerial)...)
		add(bsLines("bsWrapsDown", bsCounted, bsFlat, []int{9, math.MinInt + 9}, []int{h}, nil, bsWrapsDown, bsWrapsDownKernel, bsWrapsDownSerial)...)
		add(bsLines("bsWrapsNested", bsNone, bsFlat, []int{-3, math.MaxInt - 9}, []int{h}, nil, bsWrapsNested, bsWrapsNestedKernel, bsWrapsNestedSerial)...)
	}
	add(bsLines("bsClip", bsCounted, bsFlat, far, far, nil, bsClip, bsClipKernel, bsClipSerial)...)
	add(bsLines("bsWidths", bsCounted, bsFlat, []int{1, 2, 16, 20, 5000, math.MaxInt, -1, -20, math.MinInt}, none, nil, bsWidths, bsWidthsKernel, bsWidthsSerial)...)
	add(bsLines("bsStarts", bsCounted, bsFlat, []int{0, 5, 33, -7}, []int{0, 3, 70}, nil, bsStarts, bsStartsKernel, bsStartsSerial)...)
	add(bsLines("bsGuarded", bsCounted, bsFlat, []int{0, 17, 64}, []int{0, 3, 8}, nil, bsGuarded, bsGuardedKernel, bsGuardedSerial)...)
	add(bsLines("bsReturns", bsCounted, bsFlat, []int{1, 2, 7, 100}, none, nil, bsReturns, bsReturnsKernel, bsReturnsSerial)...)
	for _, c := range slices.Concat(bsLines("bsOdd", bsCounted, bsFlat, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, none, nil, bsOdd, bsOddKernel, bsOddSerial),
		bsLines("bsSteps", bsCounted, bsFlat, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, none, nil, bsSteps, bsStepsKernel, bsStepsSerial)) {
		c.Races = true
		add(c)
	}
	add(bsLines("bsAfterwards", bsCounted, bsFlat, none, none, nil, bsAfterwards, bsAfterwardsKernel, bsAfterwardsSerial)...)
	add(bsLines("bsOther", bsCounted, bsFlat, []int{0, 1, 4, 5, 64, 70}, none, nil, bsOther, bsOtherKernel, bsOtherSerial)...)
	add(bsLines("bsOrder", bsCounted, bsFlat, none, none, nil, bsOrder, bsOrderKernel, bsOrderSerial)...)
	// The empty loops have no width.
	add(made("bsEmpty of nothing", []grid.Config{line(3, 64), {Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 5, Y: 3}}}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[int32](9), marked[int32](9)
		return func(t *gocuda.Thread) { bsEmpty(t, 0, 0, 0, in, out) }, bsEmptyKernel(0, 0, 0, in, out), []any{out}
	}, func(grid.Config) []any { return []any{marked[int32](9)} }))
	// The second slice begins so many rounds behind the first one, or before it.
	for _, n := range []int{1, 63, 256, 1000} {
		for _, shift := range []int{0, 1, 2, 5, -1, -3} {
			var cfgs, single []grid.Config
			for _, b := range slices.Concat(bsFlat, bsDeep) {
				cfgs = append(cfgs, grid.Config{Grid: grid.Dim3{X: 2}, Block: b.Norm()})
				single = append(single, grid.Config{Grid: grid.Dim3{X: 1}, Block: b.Norm()})
			}
			parts := func(cfg grid.Config) (all, in, out []int32) {
				d := shift * cfg.Threads()
				all = data[int32](n + max(d, -d))
				in, out = all[:n], all[max(d, 0):]
				if d < 0 {
					in, out = all[-d:], all[:n]
				}
				return all, in, out
			}
			add(made(fmt.Sprintf("bsOverlap of %d by %d", n, shift), cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				all, in, out := parts(cfg)
				return func(t *gocuda.Thread) { bsOverlap(t, n, 0, 0, in, out) }, bsOverlapKernel(n, 0, 0, in, out), []any{all}
			}, func(cfg grid.Config) []any {
				all, in, out := parts(cfg)
				bsOverlapSerial(cfg, n, 0, 0, in, out)
				return []any{all}
			}))
			add(made(fmt.Sprintf("bsTwoSlices of %d by %d", n, shift), single, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				all, in, out := parts(cfg)
				return func(t *gocuda.Thread) { bsTwoSlices(t, n, 0, 0, in, out) }, bsTwoSlicesKernel(n, 0, 0, in, out), []any{all}
			}, func(cfg grid.Config) []any {
				all, in, out := parts(cfg)
				for i := range n {
					v := int32(i%20*100 + i/20)
					in[i], out[i] = v, -v
				}
				return []any{all}
			}))
		}
	}
	return cases
}

// Failures: one element of block 1 is not there, because what the whole block adds to its indices is too much
// by one.

//gocuda:kernel
func bsFailEnd(t *gocuda.Thread, who int, in, out []int32) {
	tile := gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	n, base := len(in)-who, 0
	if t.BlockIdx.X == 1 {
		base = who + 1
	}
	for i := tid; i < n; i += nt {
		tile[i] = in[base+i]
	}
	t.SyncThreads()
	out[t.BlockIdx.X*nt+tid] = tile[min(tid, n-1)]
}

//gocuda:kernel
func bsFailBegin(t *gocuda.Thread, who int, in, out []int32) {
	tile := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	base := 0
	if t.BlockIdx.X == 1 {
		base = -1
	}
	for i := tid; i < len(in)-who; i += nt {
		y, x := i/9, i%9
		tile[y*9+x] = in[y*9+x+base] * 2
	}
	t.SyncThreads()
	out[t.BlockIdx.X*nt+tid] = tile[0]
}

//gocuda:kernel
func bsFailNested(t *gocuda.Thread, who int, in, out []int32) {
	tile := gocuda.Shared[[11]int32](t, 9)
	base := 0
	if t.BlockIdx.X == 1 {
		base = len(in) - 98
	}
	for y := t.ThreadIdx.Y; y < 9; y += t.BlockDim.Y {
		for x := t.ThreadIdx.X; x < 11; x += t.BlockDim.X {
			tile[y][x] = in[(base+y*11+x)%(len(in)+1)]
		}
	}
	t.SyncThreads()
	if t.Rank() == 0 {
		out[t.BlockIdx.X] = tile[8][10]
	}
}

// Without the remainder.
//
//gocuda:kernel
func bsFailNestedPlain(t *gocuda.Thread, who int, in, out []int32) {
	tile := gocuda.Shared[[5]int32](t, 4)
	base := 0
	if t.BlockIdx.X == 1 {
		base = len(in) - 19
	}
	for y := t.ThreadIdx.Y; y < 4; y += t.BlockDim.Y {
		for x := t.ThreadIdx.X; x < 5; x += t.BlockDim.X {
			tile[y][x] = in[base+y*5+x]
		}
	}
	t.SyncThreads()
	if t.Rank() == 0 {
		out[t.BlockIdx.X] = tile[3][4]
	}
}

// The store fails, and so does the load if who is odd.
//
//gocuda:kernel
func bsFailStore(t *gocuda.Thread, who int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	n, base := len(in)-who, 0
	if t.BlockIdx.X != 1 {
		return
	}
	base = who + 1
	for i := tid; i < n; i += nt {
		v := in[i+base*(who&1)]
		out[base+i] = v * 3
	}
}

// A row of the tile is missing, for its first element.
//
//gocuda:kernel
func bsFailRow(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[[20]int32](t, 19)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	n := 380
	if t.BlockIdx.X == 1 {
		n = 381
	}
	for i := tid; i < n; i += nt {
		s[i/20][i%20] = in[i%len(in)]
	}
	t.SyncThreads()
	out[t.BlockIdx.X*nt+tid] = s[tid%19][0]
}

//gocuda:kernel
func bsFailZero(t *gocuda.Thread, who int, in, out []int32) {
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	w, n := 0, 0
	if t.BlockIdx.X == 1 {
		n = 1
	}
	for i := tid; i < n; i += nt {
		y, x := i/w, i%w
		out[i] = in[y*3+x]
	}
}

//gocuda:kernel
func bsFailGuard(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	base := 0
	if t.BlockIdx.X == 1 {
		base = len(in) - who
	}
	if tid <= who {
		s[tid] = in[base+tid]
	}
	t.SyncThreads()
	out[t.BlockIdx.X*nt+tid] = s[min(tid, who)]
}

// One element, in a round that has stored before, after others that have changed what is there.
//
//gocuda:kernel
func bsFailLate(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	for i := tid; i < len(in); i += nt {
		s[i] = 1
		s[i] += in[i]
		at := i
		if t.BlockIdx.X == 1 && i == who+nt {
			at += len(in)
		}
		s[i] *= 5
		if i >= nt {
			s[i] += s[i-nt] + in[at]
		}
	}
	t.SyncThreads()
	out[t.BlockIdx.X*nt+tid] = s[tid+nt]
}

// Sums of each thread.
//
//gocuda:kernel
func bsFailSums(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	base := 0
	if t.BlockIdx.X == 1 {
		base = who + 1
	}
	s[tid] = 0
	for i := tid; i < len(in)-who; i += nt {
		s[tid] += in[base+i]
		out[t.BlockIdx.X*nt+tid] += s[tid]
	}
}

//gocuda:kernel
func bsFailAtomic(t *gocuda.Thread, who int, in, out []int32) {
	bins := gocuda.Shared[int32](t, 64)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	for i := tid; i < 64; i += nt {
		bins[i] = 0
	}
	t.SyncThreads()
	base := 0
	if t.BlockIdx.X == 1 {
		base = 1
	}
	for i := tid; i < 64; i += nt {
		atomic.Add(&bins[base+i], in[i%len(in)])
	}
	t.SyncThreads()
	out[t.BlockIdx.X*nt+tid] = bins[tid%64]
}

// In the third turn of a loop with barriers.
//
//gocuda:kernel
func bsFailTurn(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 64)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	sum, end := int32(0), 0
	if t.BlockIdx.X == 1 {
		end = len(in) - 23
	}
	for turn := range 4 {
		base := turn
		if turn == 2 {
			base = end
		}
		for i := tid; i < 24; i += nt {
			s[i/6*8+i%6] = in[base+i/6*6+i%6]
		}
		t.SyncThreads()
		sum += s[tid%24/6*8+tid%6]
		t.SyncThreads()
	}
	out[t.BlockIdx.X*nt+tid] = sum
}

// A part of an image whose last element is missing; what is beyond its edges is not loaded.
//
//gocuda:kernel
func bsFailClip(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 400)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	w, h := 9, len(in)/9+1
	end := len(in)%9 + 1
	if t.BlockIdx.X != 1 {
		h = 1
	}
	x0, y0 := -who, h-6
	for i := tid; i < 400; i += nt {
		y, x := y0+i/20, x0+i%20
		if x >= 0 && x < end && y >= 0 && y < h {
			s[i] = in[y*w+x]
		} else {
			s[i] = 0
		}
	}
	t.SyncThreads()
	out[t.BlockIdx.X*nt+tid] = s[tid]
}

// A row that the slice does not have, for its only element.
//
//gocuda:kernel
func bsFailPart(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	n := 5 * (who + 1)
	if t.BlockIdx.X == 1 {
		n = len(in)/5*5 + 1
	}
	for i := tid; i < n; i += nt {
		y, x := i/5, i%5
		row := in[y*5 : y*5+5]
		s[i] = row[x]
	}
	t.SyncThreads()
	out[t.BlockIdx.X*nt+tid] = s[min(tid, n-1)]
}

// The tile goes to a place that is too near to the end of the slice by one row of one element.
//
//gocuda:kernel
func bsFailBack(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 64)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	for i := tid; i < 64; i += nt {
		s[i] = in[i%len(in)]
	}
	t.SyncThreads()
	base := 0
	if t.BlockIdx.X == 1 {
		base = len(out) - 33
	} else {
		return
	}
	for i := tid; i < 33+who%2; i += nt {
		y, x := i/8, i%8
		out[base+y*8+x] = s[i+7] * 3
	}
	for i := tid; i < 34; i += nt {
		y, x := i/8, i%8
		out[base+y*8+x] = s[y*8+x]
	}
}

func blockStrideFailures() (all []Failure) {
	for _, b := range []grid.Dim3{{X: 16, Y: 16}, {X: 32, Y: 8}, {X: 8, Y: 8}, {X: 64, Y: 1}, {X: 5, Y: 3}, {X: 8, Y: 4, Z: 2}} {
		nt := b.Norm().Size()
		n := 3 * nt
		fails := func(name string, who int, thread grid.Dim3, source failKernel, compiled failMaker, text string) {
			f := failure(fmt.Sprintf("%s %d in %v", name, who, b), nt, who, source, compiled, text)
			f.Config = grid.Config{Grid: grid.Dim3{X: 3}, Block: b}
			f.Thread = thread
			all = append(all, f)
		}
		at := func(k int) grid.Dim3 { return b.Norm().At(k % nt) }
		end := fmt.Sprintf("index out of range [%d] with length %d", n, n)
		for _, who := range []int{0, 1, 8, 13} {
			fails("bsFailEnd", who, at(n-who-1), bsFailEnd, bsFailEndKernel, end)
			fails("bsFailStore", who, at(n-who-1), bsFailStore, bsFailStoreKernel, end)
			fails("bsFailSums", who, at(n-who-1), bsFailSums, bsFailSumsKernel, end)
			fails("bsFailGuard", who, at(who), bsFailGuard, bsFailGuardKernel, end)
			fails("bsFailLate", who, at(who), bsFailLate, bsFailLateKernel, fmt.Sprintf("[%d] with length %d", n+who+nt, n))
			if b.Z < 2 {
				fails("bsFailBegin", who, at(0), bsFailBegin, bsFailBeginKernel, "index out of range [-1]")
			}
		}
		if b.Z < 2 {
			fails("bsFailNestedPlain", 0, grid.Dim3{X: 4 % b.X, Y: 3 % b.Y}, bsFailNestedPlain, bsFailNestedPlainKernel, end)
			if n > 98 {
				fails("bsFailNested", 0, grid.Dim3{X: 10 % b.X, Y: 8 % b.Y}, bsFailNested, bsFailNestedKernel, end)
			}
		}
		fails("bsFailRow", 0, at(380), bsFailRow, bsFailRowKernel, "index out of range [19] with length 19")
		for _, who := range []int{0, 5, 8} {
			fails("bsFailClip", who, at(100+n%9+who), bsFailClip, bsFailClipKernel, end)
		}
		fails("bsFailPart", 1, at(n/5*5), bsFailPart, bsFailPartKernel, "slice bounds out of range")
		fails("bsFailBack", 0, at(33), bsFailBack, bsFailBackKernel, end)
		fails("bsFailBack", 1, at(33), bsFailBack, bsFailBackKernel, end)
		fails("bsFailZero", 0, at(0), bsFailZero, bsFailZeroKernel, "integer divide by zero")
		fails("bsFailAtomic", 0, at(63), bsFailAtomic, bsFailAtomicKernel, "index out of range [64] with length 64")
		fails("bsFailTurn", 0, at(23), bsFailTurn, bsFailTurnKernel, end)
	}
	return all
}
