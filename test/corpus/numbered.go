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

// Blocks with two and three dimensions whose threads are numbered through, tiles with halos, windows, values
// that are kept under a guard, and loops with several counters.

// A sum of each block, whose threads are numbered along x first.
//
//gocuda:kernel
func nuReduce(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	dim := t.BlockDim.X * t.BlockDim.Y
	i := t.BlockIdx.X*dim + tid
	s[tid] = 0
	if i < n {
		s[tid] = in[i]
	}
	t.SyncThreads()
	for d := dim / 2; d > 0; d >>= 1 {
		if tid < d {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		out[t.BlockIdx.X] = s[0]
	}
}

// The largest number of each block and its place. Rows have 16 threads as the kernel thinks; they may have
// fewer.
//
//gocuda:kernel
func nuLargest(t *gocuda.Thread, n int, in, out []int32) {
	s, at := gocuda.Shared[int32](t, 256), gocuda.Shared[int32](t, 256)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	tid := ty*16 + tx
	for k := ty*t.BlockDim.X + tx; k < 256; k += t.BlockDim.X * t.BlockDim.Y {
		s[k], at[k] = -1<<31, -1
	}
	t.SyncThreads()
	if i := t.BlockIdx.X*256 + tid; i < n {
		s[tid], at[tid] = in[i], int32(i)
	}
	t.SyncThreads()
	for d := 128; d > 0; d /= 2 {
		for k := ty*t.BlockDim.X + tx; k < d; k += t.BlockDim.X * t.BlockDim.Y {
			if s[k+d] > s[k] || s[k+d] == s[k] && uint32(at[k+d]) < uint32(at[k]) {
				s[k], at[k] = s[k+d], at[k+d]
			}
		}
		t.SyncThreads()
	}
	if tid == 0 {
		out[2*t.BlockIdx.X], out[2*t.BlockIdx.X+1] = s[0], at[0]
	}
}

// A scan of each block with two arrays in turn. Threads are numbered by their rank.
//
//gocuda:kernel
func nuScan(t *gocuda.Thread, in, out []float32) {
	a, b := gocuda.Shared[float32](t, 512), gocuda.Shared[float32](t, 512)
	tid := t.Rank()
	dim := t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z
	first := ((t.BlockIdx.Z*t.GridDim.Y+t.BlockIdx.Y)*t.GridDim.X + t.BlockIdx.X) * dim
	a[tid] = in[first+tid]
	t.SyncThreads()
	for d := 1; d < dim; d <<= 1 {
		b[tid] = a[tid]
		if tid >= d {
			b[tid] = a[tid] + a[tid-d]
		}
		t.SyncThreads()
		a, b = b, a
	}
	out[first+tid] = a[tid]
}

// Each thread adds up what is its own by steps of 256, however many threads there are.
//
//gocuda:kernel
func nuStride(t *gocuda.Thread, n int, in, out []int32) {
	tid := (t.ThreadIdx.Z*t.BlockDim.Y+t.ThreadIdx.Y)*t.BlockDim.X + t.ThreadIdx.X
	sum := int32(0)
	for i := t.BlockIdx.X*256 + tid; i < n; i += t.GridDim.X * 256 {
		sum = sum*3 + in[i]
	}
	out[t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z+tid] = sum
}

// The same with the number 8 for the length of a row.
//
//gocuda:kernel
func nuStrideEight(t *gocuda.Thread, n int, in, out []int32) {
	tid := t.ThreadIdx.Y*8 + t.ThreadIdx.X
	for i := t.BlockIdx.X*64 + tid; i < n; i += t.GridDim.X * 64 {
		if t.ThreadIdx.X < 8 {
			out[i] = in[i]*2 + int32(tid)
		}
	}
}

// A histogram of each block, by threads of three dimensions.
//
//gocuda:kernel
func nuHistogram(t *gocuda.Thread, n int, in []uint8, out []int32) {
	h := gocuda.Shared[int32](t, 64)
	tid := t.ThreadIdx.X + t.BlockDim.X*(t.ThreadIdx.Y+t.BlockDim.Y*t.ThreadIdx.Z)
	dim := t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z
	for k := tid; k < 64; k += dim {
		h[k] = 0
	}
	t.SyncThreads()
	for i := t.BlockIdx.X*dim + tid; i < n; i += dim * t.GridDim.X {
		atomic.Add(&h[in[i]>>2], 1)
	}
	t.SyncThreads()
	for k := tid; k < 64; k += dim {
		out[t.BlockIdx.X*64+k] = h[k]
	}
}

// A tile of 20 by 20 for blocks of 16 by 16, filled by threads that are numbered through.
//
//gocuda:kernel
func nuFill(t *gocuda.Thread, w, h int, in, out []int32) {
	const width, height = 20, 20
	tile := gocuda.Shared[int32](t, width*height)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	tid := ty*16 + tx
	x0, y0 := t.BlockIdx.X*16-2, t.BlockIdx.Y*16-2
	for i := tid; i < width*height; i += 256 {
		x, y := x0+i%width, y0+i/width
		v := int32(7)
		if x >= 0 && x < w && y >= 0 && y < h {
			v = in[y*w+x]
		}
		tile[i] = v
	}
	t.SyncThreads()
	x, y := x0+2+tx, y0+2+ty
	if x >= w || y >= h {
		return
	}
	sum := int32(0)
	for dy := 0; dy < 5; dy++ {
		for dx := 0; dx < 5; dx++ {
			sum = sum*3 + tile[(ty+dy)*width+tx+dx]
		}
	}
	out[y*w+x] = sum
}

// The tile's size is the launch's, and so is the number of threads.
//
//gocuda:kernel
func nuFillAny(t *gocuda.Thread, r, w, h int, in, out []float32) {
	tile := gocuda.DynamicShared[float32](t)
	bx, by := t.BlockDim.X, t.BlockDim.Y
	tw, th := bx+2*r, by+2*r
	for i := t.ThreadIdx.Y*bx + t.ThreadIdx.X; i < tw*th; i += bx * by {
		x := t.BlockIdx.X*bx + i%tw - r
		y := t.BlockIdx.Y*by + i/tw - r
		if x < 0 {
			x = 0
		} else if x > w-1 {
			x = w - 1
		}
		y = min(max(y, 0), h-1)
		tile[i] = in[y*w+x]
	}
	t.SyncThreads()
	if x, y := t.GlobalX(), t.GlobalY(); x < w && y < h {
		at := (t.ThreadIdx.Y+r)*tw + t.ThreadIdx.X + r
		sum := tile[at]
		for k := 1; k <= r; k++ {
			sum += (tile[at-k] + tile[at+k]) + (tile[at-k*tw] + tile[at+k*tw])
		}
		out[y*w+x] = sum
	}
}

// Blocks of 16 by 16 overlap by r on each side; only the inner threads store.
//
//gocuda:kernel
func nuInner(t *gocuda.Thread, r, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 16*16)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	inner := 16 - 2*r
	x, y := t.BlockIdx.X*inner+tx-r, t.BlockIdx.Y*inner+ty-r
	v := int32(0)
	if x >= 0 && x < w && y >= 0 && y < h {
		v = in[y*w+x]
	}
	s[ty*16+tx] = v
	t.SyncThreads()
	if tx >= r && tx < 16-r && ty >= r && ty < 16-r && x < w && y < h {
		sum := int32(0)
		for dy := -r; dy <= r; dy++ {
			for dx := -r; dx <= r; dx++ {
				sum += s[(ty+dy)*16+tx+dx] * int32(dx+2*dy+1)
			}
		}
		out[y*w+x] = sum
	}
}

// A tile of 18 by 18 whose edges are loaded by the threads at the edges of the block.
//
//gocuda:kernel
func nuBorders(t *gocuda.Thread, w, h int, in, out []float64) {
	s := gocuda.Shared[[18]float64](t, 18)
	tx, ty := t.ThreadIdx.X+1, t.ThreadIdx.Y+1
	x, y := t.BlockIdx.X*16+tx-1, t.BlockIdx.Y*16+ty-1
	cx, cy := min(x, w-1), min(y, h-1)
	s[ty][tx] = in[cy*w+cx]
	if tx == 1 {
		s[ty][0] = in[cy*w+max(x-1, 0)]
	}
	if tx == 16 {
		s[ty][17] = in[cy*w+min(x+1, w-1)]
	}
	if ty == 1 {
		s[0][tx] = in[max(y-1, 0)*w+cx]
	}
	if ty == 16 {
		s[17][tx] = in[min(y+1, h-1)*w+cx]
	}
	t.SyncThreads()
	if x < w && y < h {
		out[y*w+x] = s[ty][tx]*4 - s[ty-1][tx] - s[ty+1][tx] - s[ty][tx-1] - s[ty][tx+1]
	}
}

// The hotspot of Rodinia: several steps in a block, which has a ghost zone of as many elements.
//
//gocuda:kernel
func nuHotspot(t *gocuda.Thread, steps, borderCols, borderRows, cols, rows int, cap, rx, ry, rz float32, power, in, out []float32) {
	const size = 16
	now, next, heat := gocuda.Shared[float32](t, size*size), gocuda.Shared[float32](t, size*size), gocuda.Shared[float32](t, size*size)
	bx, by, tx, ty := t.BlockIdx.X, t.BlockIdx.Y, t.ThreadIdx.X, t.ThreadIdx.Y
	smallRows, smallCols := size-steps*2, size-steps*2
	blkY, blkX := smallRows*by-borderRows, smallCols*bx-borderCols
	blkYmax, blkXmax := blkY+size-1, blkX+size-1
	yidx, xidx := blkY+ty, blkX+tx
	index := cols*yidx + xidx
	if yidx >= 0 && yidx <= rows-1 && xidx >= 0 && xidx <= cols-1 {
		now[ty*size+tx] = in[index]
		heat[ty*size+tx] = power[index]
	}
	t.SyncThreads()
	validYmin, validYmax := 0, size-1
	if blkY < 0 {
		validYmin = -blkY
	}
	if blkYmax > rows-1 {
		validYmax = size - 1 - (blkYmax - rows + 1)
	}
	validXmin, validXmax := 0, size-1
	if blkX < 0 {
		validXmin = -blkX
	}
	if blkXmax > cols-1 {
		validXmax = size - 1 - (blkXmax - cols + 1)
	}
	n, s, e, w := ty-1, ty+1, tx+1, tx-1
	if n < validYmin {
		n = validYmin
	}
	if s > validYmax {
		s = validYmax
	}
	if w < validXmin {
		w = validXmin
	}
	if e > validXmax {
		e = validXmax
	}
	computed := false
	for i := 0; i < steps; i++ {
		computed = false
		if tx >= i+1 && tx <= size-i-2 && ty >= i+1 && ty <= size-i-2 &&
			tx >= validXmin && tx <= validXmax && ty >= validYmin && ty <= validYmax {
			computed = true
			v := now[ty*size+tx]
			next[ty*size+tx] = v + cap*(heat[ty*size+tx]+(now[s*size+tx]+now[n*size+tx]-2*v)*ry+
				(now[ty*size+e]+now[ty*size+w]-2*v)*rx+(80-v)*rz)
		}
		t.SyncThreads()
		if i == steps-1 {
			break
		}
		if computed {
			now[ty*size+tx] = next[ty*size+tx]
		}
		t.SyncThreads()
	}
	if computed {
		out[index] = next[ty*size+tx]
	}
}

// Several generations of a game in a block of 8 by 8, of which each one has a smaller part that is right. At
// the edges of the image it goes on behind the other edge.
//
//gocuda:kernel
func nuGenerations(t *gocuda.Thread, steps, w, h int, in, out []uint8) {
	s := gocuda.Shared[uint8](t, 64)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	tid := ty*8 + tx
	inner := 8 - 2*steps
	x, y := t.BlockIdx.X*inner+tx-steps, t.BlockIdx.Y*inner+ty-steps
	s[tid] = in[(y%h+h)%h*w+(x%w+w)%w] & 1
	t.SyncThreads()
	for k := 1; k <= steps; k++ {
		var v uint8
		inside := tx >= k && tx < 8-k && ty >= k && ty < 8-k
		if inside {
			around := s[tid-9] + s[tid-8] + s[tid-7] + s[tid-1] + s[tid+1] + s[tid+7] + s[tid+8] + s[tid+9]
			if around == 3 || around == 2 && s[tid] == 1 {
				v = 1
			}
		}
		t.SyncThreads()
		if inside {
			s[tid] = v
		}
		t.SyncThreads()
	}
	if tx >= steps && tx < 8-steps && ty >= steps && ty < 8-steps && x < w && y < h {
		out[y*w+x] = s[tid]
	}
}

// The rows above and below in a tile, both clamped to rows that are variables.
//
//gocuda:kernel
func nuBothRows(t *gocuda.Thread, lo, hi, w, h int, in, above, below []float32) {
	s := gocuda.Shared[float32](t, 256)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	x, y := t.GlobalX(), t.GlobalY()
	s[ty*32+tx] = 0
	if x < w && y < h {
		s[ty*32+tx] = in[y*w+x]
	}
	t.SyncThreads()
	first := lo
	last := hi
	up := ty - 1
	if up < first {
		up = first
	} else if up > last {
		up = last
	}
	down := ty + 1
	if down < first {
		down = first
	} else if down > last {
		down = last
	}
	u := s[up*32+tx]
	d := s[down*32+tx]
	if x < w && y < h {
		above[y*w+x] = u
		below[y*w+x] = d
	}
}

// Windows of a constant radius, clamped at the edges.
//
//gocuda:kernel
func nuClamped(t *gocuda.Thread, r, w, h int, in, out []int32) {
	const radius = 2
	x, y := t.BlockIdx.X*t.BlockDim.X+t.ThreadIdx.X, t.BlockIdx.Y*t.BlockDim.Y+t.ThreadIdx.Y
	if x >= w || y >= h {
		return
	}
	sum := int32(0)
	for dy := -radius; dy <= radius; dy++ {
		for dx := -radius; dx <= radius; dx++ {
			cx, cy := min(max(x+dx, 0), w-1), y+dy
			if cy < 0 {
				cy = 0
			}
			if cy >= h {
				cy = h - 1
			}
			sum = sum*5 + in[cy*w+cx]
		}
	}
	out[y*w+x] = sum + int32(r)
}

// Windows whose radius is a parameter, tested at the edges, with the number of those that count.
//
//gocuda:kernel
func nuTested(t *gocuda.Thread, r, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		sum, count := int32(0), int32(0)
		for dy := -r; dy <= r; dy++ {
			if y+dy < 0 || y+dy >= h {
				continue
			}
			for dx := -r; dx <= r; dx++ {
				nx := x + dx
				if nx < 0 || nx >= w || dx == dy {
					continue
				}
				if v := in[(y+dy)*w+nx]; v > -1<<30 {
					sum += v >> 4
					count++
				}
			}
		}
		if count != 0 {
			sum /= count
		}
		out[y*w+x] = sum ^ count
	}
}

// The largest number within a window, through a tile of 8 by 8, from memory where the tile ends.
//
//gocuda:kernel
func nuDilate(t *gocuda.Thread, r, w, h int, in, out []int32) {
	tile := gocuda.Shared[[8]int32](t, 8)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	x, y := t.BlockIdx.X*8+tx, t.BlockIdx.Y*8+ty
	ok := x < w && y < h
	if ok {
		tile[ty][tx] = in[y*w+x]
	}
	t.SyncThreads()
	if !ok {
		return
	}
	most := tile[ty][tx]
	for dy := -r; dy <= r; dy++ {
		for dx := -r; dx <= r; dx++ {
			nx, ny := x+dx, y+dy
			if nx < 0 || ny < 0 || nx >= w || ny >= h {
				continue
			}
			lx, ly := tx+dx, ty+dy
			var v int32
			if lx >= 0 && lx < 8 && ly >= 0 && ly < 8 {
				v = tile[ly][lx]
			} else {
				v = in[ny*w+nx]
			}
			most = max(most, v)
		}
	}
	out[y*w+x] = most
}

// A scan in place: what a thread adds is loaded before the barrier and used behind it.
//
//gocuda:kernel
func nuHeld(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	dim := t.BlockDim.X * t.BlockDim.Y
	i := t.BlockIdx.X*dim + tid
	s[tid] = in[i]
	t.SyncThreads()
	for d := 1; d < dim; d *= 2 {
		var v int32
		if tid >= d {
			v = s[tid-d]
		}
		t.SyncThreads()
		if tid >= d {
			s[tid] += v
		}
		t.SyncThreads()
	}
	out[i] = s[tid]
}

// The guard's variable changes between the two branches that look the same, and the value is used under
// another one, too.
//
//gocuda:kernel
func nuHeldChanged(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	dim := t.BlockDim.X * t.BlockDim.Y
	i := t.BlockIdx.X*dim + tid
	s[tid] = in[i]
	t.SyncThreads()
	all := int32(0)
	for d := 1; d < dim; {
		var v int32
		if tid >= d {
			v = s[tid-d]
		}
		t.SyncThreads()
		d *= 2
		if tid >= d {
			s[tid] += v
		}
		t.SyncThreads()
		if tid&d == 0 {
			all = all*3 + v
		}
	}
	out[i] = s[tid] ^ all
}

// The guard's variable belongs to the thread, and a second value is kept in a branch of the branch. What the
// others have keeps its first value.
//
//gocuda:kernel
func nuHeldTwo(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	dim := t.BlockDim.X * t.BlockDim.Y
	i := t.BlockIdx.X*dim + tid
	left := int(in[i] & 15)
	s[tid] = in[i]
	v, w := int32(-5), int32(9)
	t.SyncThreads()
	for k := 0; k < 5; k++ {
		if left > k {
			v = s[(tid+left)%dim]
			if v&1 != 0 {
				w = s[(tid+1)%dim] - v
			}
		}
		t.SyncThreads()
		if left > k {
			s[tid] += v
			if v&1 != 0 {
				s[tid] ^= w
			}
			left--
		}
		t.SyncThreads()
	}
	out[i] = s[tid]*3 + w - v<<2
}

// Pairs are exchanged as in an odd-even sort; a thread decides before the barrier and stores behind it.
//
//gocuda:kernel
func nuOddEven(t *gocuda.Thread, in, out []float32) {
	s := gocuda.Shared[float32](t, 512)
	tid, dim := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	first := t.BlockIdx.X * dim
	s[tid] = in[first+tid]
	t.SyncThreads()
	for k := 0; k < dim; k++ {
		other := tid + 1
		if (tid+k)&1 != 0 {
			other = tid - 1
		}
		var mine float32
		if other >= 0 && other < dim {
			mine = s[other]
			if (mine > s[tid]) == (other > tid) {
				mine = s[tid]
			}
		}
		t.SyncThreads()
		if other >= 0 && other < dim {
			s[tid] = mine
		}
		t.SyncThreads()
	}
	out[first+tid] = s[tid]
}

// A bitonic sort of two elements a thread.
//
//gocuda:kernel
func nuBitonic(t *gocuda.Thread, down int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	half := t.BlockDim.X * t.BlockDim.Y
	first := t.BlockIdx.X * half * 2
	s[tid], s[tid+half] = in[first+tid], in[first+tid+half]
	for size := 2; size < 2*half; size <<= 1 {
		dir := down ^ tid&(size/2)/(size/2)
		for stride := size / 2; stride > 0; stride >>= 1 {
			t.SyncThreads()
			pos := 2*tid - (tid & (stride - 1))
			if (s[pos] > s[pos+stride]) == (dir == 0) {
				s[pos], s[pos+stride] = s[pos+stride], s[pos]
			}
		}
	}
	for stride := half; stride > 0; stride >>= 1 {
		t.SyncThreads()
		pos := 2*tid - (tid & (stride - 1))
		if (s[pos] > s[pos+stride]) == (down == 0) {
			s[pos], s[pos+stride] = s[pos+stride], s[pos]
		}
	}
	t.SyncThreads()
	out[first+tid], out[first+tid+half] = s[tid], s[tid+half]
}

// The places of a merge with strides that need not be powers of two, kept across barriers.
//
//gocuda:kernel
func nuPlaces(t *gocuda.Thread, stride int, in, out []int32) {
	s := gocuda.Shared[int32](t, 2048)
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	dim := t.BlockDim.X * t.BlockDim.Y
	first := t.BlockIdx.X * dim
	s[tid], s[tid+dim], s[tid+2*dim] = in[first+tid], int32(tid), -1
	t.SyncThreads()
	for k := 0; k < 4; k++ {
		pos := 2*tid - (tid & (stride - 1))
		a, b := s[pos], s[pos+stride]
		t.SyncThreads()
		if a > b {
			s[tid] = a - b
			s[tid+dim] = int32(pos)
		} else {
			s[tid+dim] = a ^ b<<1
		}
		t.SyncThreads()
		stride += k
		if stride > dim {
			stride = 3
		}
		s[tid+2*dim] += s[pos]
		t.SyncThreads()
	}
	out[first+tid] = s[tid] ^ s[tid+dim]<<3 ^ s[tid+2*dim]<<5
}

// The scan of Blelloch, of two elements a thread, exclusive.
//
//gocuda:kernel
func nuTree(t *gocuda.Thread, in, out []int64) {
	s := gocuda.Shared[int64](t, 1024)
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	n := 2 * t.BlockDim.X * t.BlockDim.Y
	first := t.BlockIdx.X * n
	s[2*tid], s[2*tid+1] = in[first+2*tid], in[first+2*tid+1]
	offset := 1
	for d := n >> 1; d > 0; d >>= 1 {
		t.SyncThreads()
		if tid < d {
			ai, bi := offset*(2*tid+1)-1, offset*(2*tid+2)-1
			s[bi] += s[ai]
		}
		offset *= 2
	}
	if tid == 0 {
		s[n-1] = 0
	}
	for d := 1; d < n; d *= 2 {
		offset >>= 1
		t.SyncThreads()
		if tid < d {
			ai, bi := offset*(2*tid+1)-1, offset*(2*tid+2)-1
			v := s[ai]
			s[ai] = s[bi]
			s[bi] += v
		}
	}
	t.SyncThreads()
	out[first+2*tid], out[first+2*tid+1] = s[2*tid], s[2*tid+1]
}

// Rows of a sparse matrix: one counter for the elements, another for the column, and both are used behind the
// loop.
//
//gocuda:kernel
func nuSparse(t *gocuda.Thread, n int, starts []int32, a, x []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	at, end := int(starts[i]), int(starts[i+1])
	col, sum := i, float32(0)
	for at < end {
		sum += float32(a[at] * x[col])
		at++
		col += 2
	}
	out[i] = sum + float32(col) - x[at&7]
}

func nuSparseSerial(n int, starts []int32, a, x []float32, out []float32) {
	for i := range n {
		row := a[starts[i]:starts[i+1]]
		sum := float32(0)
		for k, v := range row {
			sum += float32(v * x[i+2*k])
		}
		out[i] = sum + float32(i+2*len(row)) - x[starts[i+1]&7]
	}
}

// One counter goes down by threes while another goes up, and a third one counts what is passed over.
//
//gocuda:kernel
func nuDown(t *gocuda.Thread, n int, starts []int32, a, x []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	hi, lo, passed := int(starts[i+1])-1, i, int32(0)
	sum := float32(0)
	for hi >= int(starts[i]) {
		v := a[hi]
		hi -= 3
		if v < -50 {
			passed++
			lo += 2
			continue
		}
		lo++
		sum += x[lo]
		if lo%5 == 0 {
			sum -= v
		}
	}
	out[i] = sum + float32(hi-lo) + float32(passed)*0.5
}

func nuDownSerial(n int, starts []int32, a, x []float32, out []float32) {
	for i := range n {
		row := a[starts[i]:starts[i+1]]
		sum, passed, place, k := float32(0), 0, i, len(row)-1
		for ; k >= 0; k -= 3 {
			if row[k] < -50 {
				passed++
				place += 2
			} else {
				place++
				sum += x[place]
				if place%5 == 0 {
					sum -= row[k]
				}
			}
		}
		out[i] = sum + float32(int(starts[i])+k-place) + float32(passed)*0.5
	}
}

// Two lists are merged, and each round goes on in one of them or both; counters of 32 bits.
//
//gocuda:kernel
func nuMerge(t *gocuda.Thread, n int, starts []int32, a, x []float32, out []float32) {
	i := t.GlobalX()
	if i < n {
		p, q := starts[i], int32(i)
		pEnd, qEnd := starts[i+1], int32(i+9)
		common, order := float32(0), float32(1)
		for p < pEnd && q < qEnd {
			u, v := a[p], x[q]
			if u <= v {
				p++
				order = order*0.5 + u
			}
			if v <= u {
				q++
				common++
				if q&3 == 1 {
					continue
				}
			}
			order += float32(p-starts[i]) * 0.25
		}
		out[i] = order + common*100 + float32(pEnd-p)*1000 + float32(qEnd-q)
	}
}

func nuMergeSerial(n int, starts []int32, a, x []float32, out []float32) {
	for i := range n {
		left, right := a[starts[i]:starts[i+1]], x[i:i+9]
		size := len(left)
		common, order := 0, float32(1)
		for len(left) > 0 && len(right) > 0 {
			u, v := left[0], right[0]
			if u <= v {
				left = left[1:]
				order = float32(order*0.5) + u
			}
			skip := false
			if v <= u {
				right = right[1:]
				common++
				skip = (i+9-len(right))%4 == 1
			}
			if !skip {
				order += float32(float32(size-len(left)) * 0.25)
			}
		}
		out[i] = order + float32(common)*100 + float32(len(left))*1000 + float32(len(right))
	}
}

// The element behind the one that was counted, and places that are halved and doubled.
//
//gocuda:kernel
func nuBehind(t *gocuda.Thread, n int, starts []int32, a, x []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	at, k, step := int(starts[i]), 1, 0
	sum := float32(0)
	for at < int(starts[i+1]) {
		at++
		k <<= 1
		step += at & 1
		sum = sum*0.5 + a[at]
		if k > 1<<10 {
			k >>= 9
			step--
		}
		sum += x[k&63] - x[step+i%3]
	}
	out[i] = sum + float32(k+step)
}

func nuBehindSerial(n int, starts []int32, a, x []float32, out []float32) {
	for i := range n {
		sum, power, odd := float32(0), 0, 0
		for k := starts[i] + 1; k <= starts[i+1]; k++ {
			power++
			if k%2 != 0 {
				odd++
			}
			sum = float32(sum*0.5) + a[k]
			if power > 10 {
				power -= 9
				odd--
			}
			sum += x[(1<<power)%64] - x[odd+i%3]
		}
		out[i] = sum + float32(1<<power+odd)
	}
}

// Rows of a table as slices, added up by the threads of a row of the block, which exchange what they have.
//
//gocuda:kernel
func nuRows(t *gocuda.Thread, w, h int, table, out []float32) {
	s := gocuda.Shared[float32](t, 512)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	y := t.BlockIdx.X*t.BlockDim.Y + ty
	sum := float32(0)
	if y < h {
		row := table[y*w:]
		for k := tx; k < w; k += t.BlockDim.X {
			sum += row[k]
		}
	}
	mine := s[ty*t.BlockDim.X:]
	mine[tx] = sum
	t.SyncThreads()
	for d := t.BlockDim.X / 2; d > 0; d /= 2 {
		if tx < d {
			mine[tx] += mine[tx+d]
		}
		t.SyncThreads()
	}
	if tx == 0 && y < h {
		out[y] = mine[0]
	}
}

func nuRowsSerial(bx, w, h int, table, out []float32) {
	for y := range h {
		sums := make([]float32, bx)
		for k := range w {
			sums[k%bx] += table[y*w+k]
		}
		for len(sums) > 1 {
			half := len(sums) / 2
			for k := range half {
				sums[k] += sums[k+half]
			}
			sums = sums[:half]
		}
		out[y] = sums[0]
	}
}

// Rows of a table as slices, of which each row of a block takes several, and a part of them from the middle.
//
//gocuda:kernel
func nuParts(t *gocuda.Thread, w, h int, table, out []float32) {
	s := gocuda.Shared[float32](t, 512)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	tid := ty*t.BlockDim.X + tx
	half := w / 2
	for first := t.BlockIdx.X * t.BlockDim.Y; first < h; first += t.GridDim.X * t.BlockDim.Y {
		y := min(first+ty, h-1)
		row := table[y*w:]
		part := row[half:w]
		sum := float32(0)
		for k := tx; k < half; k += t.BlockDim.X {
			sum += row[k] - part[k]
		}
		s[tid] = sum
		t.SyncThreads()
		if tx == 0 && first+ty < h {
			all := float32(0)
			mine := s[ty*t.BlockDim.X:]
			for k := 0; k < t.BlockDim.X; k++ {
				all += mine[k]
			}
			out[y] = all
		}
		t.SyncThreads()
	}
}

func nuPartsSerial(bx, w, h int, table, out []float32) {
	for y := range h {
		row := table[y*w:][:w]
		out[y] = 0
		for lane := range bx {
			sum := float32(0)
			for k := lane; k < w/2; k += bx {
				sum += row[k] - row[k+w/2]
			}
			out[y] += sum
		}
	}
}

// Columns of a table: a slice that begins at the thread, and goes on by rows. The largest logarithm of a column
// is subtracted from what is there, if it is a number.
//
//gocuda:kernel
func nuColumns(t *gocuda.Thread, w, h int, table, out []float32) {
	tid := t.Rank()
	dim := t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z
	for x := t.BlockIdx.X*dim + tid; x < h; x += t.GridDim.X * dim {
		column := table[x:]
		most := float32(math.Inf(-1))
		for k := 0; k < w; k++ {
			if v := float32(math.Log10(float64(column[k*h]))); v > most {
				most = v
			}
		}
		sum := float32(math.NaN())
		for k := w - 1; k >= 0; k-- {
			v := column[k*h]*0.01 - most
			if math.IsInf(float64(v), 1) {
				continue
			}
			if sum != sum || v > sum {
				sum = v
			}
		}
		out[x] = sum
	}
}

func nuColumnsSerial(_, w, h int, table, out []float32) {
	for x := range h {
		var logs, all []float32
		for k := range w {
			v := table[k*h+x]
			if v > 0 || v == 0 {
				logs = append(logs, float32(math.Log10(float64(v))))
			}
			all = append(all, float32(v*0.01))
		}
		out[x] = float32(math.NaN())
		if len(logs) > 0 {
			out[x] = slices.Max(all) - slices.Max(logs)
		}
	}
}

// Slices that begin and end at the thread, in a loop by the size of the grid; the logarithms of what is there
// are not a number for some.
//
//gocuda:kernel
func nuLogs(t *gocuda.Thread, w, h int, table, out []float32) {
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	dim := t.BlockDim.X * t.BlockDim.Y
	for y := t.BlockIdx.X*dim + tid; y < h; y += t.GridDim.X * dim {
		row := table[y*w : (y+1)*w]
		sum, bad := float32(0), float32(0)
		for k := range row {
			v := float32(math.Log(float64(row[k] / 50)))
			if v != v {
				bad++
				v = row[k]
			}
			if !(v > -1) {
				sum -= v
			} else {
				sum += v
			}
			if k == w-1 {
				sum += float32(math.Log2(float64(row[k])))
			}
		}
		out[y] = sum + bad*1000
	}
}

func nuLogsSerial(_, w, h int, table, out []float32) {
	for y := range h {
		sum, bad := float32(0), 0
		for k, x := range table[y*w:][:w] {
			v := x
			if x < 0 {
				bad++
			} else {
				v = float32(math.Log(float64(x / 50)))
			}
			if v <= -1 {
				v = -v
			}
			sum += v
			if k == w-1 {
				sum += float32(math.Log2(float64(x)))
			}
		}
		out[y] = sum + float32(bad*1000)
	}
}

// nuBlocks are blocks of 256, 64 and fewer threads, in one to three dimensions.
var nuBlocks = []grid.Config{
	line(3, 64), {Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 16, Y: 16}}, {Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 8, Y: 8}},
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 32, Y: 4}}, {Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 2, Y: 64}},
	{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1, Y: 16}},
}

// nuUneven are blocks whose number of threads is no power of two.
var nuUneven = []grid.Config{
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 5, Y: 7}}, {Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 33, Y: 3}}, {Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 20, Y: 20}},
}

var nuSpaces = []grid.Config{
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 4, Y: 4, Z: 4}}, {Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 8, Y: 8, Z: 4}}, {Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 3, Y: 5, Z: 7}},
}

// nuImage is a case of a kernel with an image and one more number, in blocks that each write a part of so many
// pixels.
func nuImage[T any](name string, r, w, h int, block grid.Dim3, partX, partY, shared int,
	source func(t *gocuda.Thread, r, w, h int, in, out []T), compiled func(r, w, h int, in, out []T) gocuda.Kernel, pixel func(at func(x, y int) (T, bool), x, y int) T) Case {
	cfg := grid.Config{Grid: grid.Dim3{X: (w + partX - 1) / partX, Y: (h + partY - 1) / partY}, Block: block, SharedBytes: shared}
	return made(fmt.Sprintf("%s %d, %d by %d in %v", name, r, w, h, block), []grid.Config{cfg}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[T](w*h), marked[T](w*h)
		return func(t *gocuda.Thread) { source(t, r, w, h, in, out) }, compiled(r, w, h, in, out), []any{out}
	}, func(grid.Config) []any {
		in, out := data[T](w*h), marked[T](w*h)
		for i := range out {
			// The pixel at x and y, or the nearest one if there is none.
			out[i] = pixel(func(x, y int) (T, bool) {
				cx, cy := min(max(x, 0), w-1), min(max(y, 0), h-1)
				return in[cy*w+cx], cx == x && cy == y
			}, i%w, i/w)
		}
		return []any{out}
	})
}

func numberedCases() (cases []Case) {
	cases = append(cases, made("nuReduce", slices.Concat(nuBlocks, []grid.Config{line(2, 512)}), func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks()*cfg.Threads() - 9
		in, out := data[int32](n), marked[int32](cfg.Blocks())
		return func(t *gocuda.Thread) { nuReduce(t, n, in, out) }, nuReduceKernel(n, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		out := make([]int32, cfg.Blocks())
		for i, v := range data[int32](cfg.Blocks()*cfg.Threads() - 9) {
			out[i/cfg.Threads()] += v
		}
		return []any{out}
	}))
	narrow := []grid.Config{nuBlocks[1], nuBlocks[2], nuBlocks[5], {Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 5, Y: 9}}, {Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 16, Y: 3}}}
	cases = append(cases, made("nuLargest", narrow, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks()*256 - 77
		in, out := data[int32](n), marked[int32](2*cfg.Blocks())
		return func(t *gocuda.Thread) { nuLargest(t, n, in, out) }, nuLargestKernel(n, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks()*256 - 77
		in, out := data[int32](n), marked[int32](2*cfg.Blocks())
		for b := range cfg.Blocks() {
			best, where := int32(-1<<31), int32(-1)
			for y := range cfg.Block.Y {
				for x := range cfg.Block.X {
					if i := 256*b + 16*y + x; i < n && (where < 0 || in[i] > best) {
						best, where = in[i], int32(i)
					}
				}
			}
			out[2*b], out[2*b+1] = best, where
		}
		return []any{out}
	}))
	cases = append(cases, perThread("nuScan", slices.Concat(nuBlocks, nuUneven, nuSpaces, boxes), nuScan, nuScanKernel, func(cfg grid.Config, in, out []float32) {
		n := cfg.Threads()
		perBlock(cfg, out, func(_, first int, out []float32) {
			copy(out, in[first:])
			for d := 1; d < n; d *= 2 {
				for k := n - 1; k >= d; k-- {
					out[k] += out[k-d]
				}
			}
		})
	}))
	for _, n := range []int{0, 100, 1000, 2049} {
		cases = append(cases, made(fmt.Sprint("nuStride of ", n), slices.Concat(nuBlocks, nuUneven, nuSpaces, []grid.Config{line(2, 512)}), func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[int32](n), marked[int32](cfg.Blocks()*cfg.Threads())
			return func(t *gocuda.Thread) { nuStride(t, n, in, out) }, nuStrideKernel(n, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in, out := data[int32](n), make([]int32, cfg.Blocks()*cfg.Threads())
			for k := range out {
				at := k/cfg.Threads()*256 + k%cfg.Threads()
				for at < n {
					out[k] = out[k]*3 + in[at]
					at += 256 * cfg.Blocks()
				}
			}
			return []any{out}
		}))
		cases = append(cases, made(fmt.Sprint("nuStrideEight of ", n), []grid.Config{nuBlocks[2], {Grid: grid.Dim3{X: 3}, Block: grid.Dim3{X: 16, Y: 8}}, {Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 4, Y: 8}}, {Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 8, Y: 3}}}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[int32](n), marked[int32](n)
			return func(t *gocuda.Thread) { nuStrideEight(t, n, in, out) }, nuStrideEightKernel(n, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in, out := data[int32](n), marked[int32](n)
			for i := range out {
				if i%64/8 < cfg.Block.Y && i%8 < cfg.Block.X {
					out[i] = in[i]*2 + int32(i%64)
				}
			}
			return []any{out}
		}))
		cases = append(cases, made(fmt.Sprint("nuHistogram of ", n), slices.Concat(nuBlocks, nuUneven, nuSpaces), func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[uint8](n), marked[int32](64*cfg.Blocks())
			return func(t *gocuda.Thread) { nuHistogram(t, n, in, out) }, nuHistogramKernel(n, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			out := make([]int32, 64*cfg.Blocks())
			for i, v := range data[uint8](n) {
				out[i/cfg.Threads()%cfg.Blocks()*64+int(v/4)]++
			}
			return []any{out}
		}))
	}
	for _, k := range []struct {
		name     string
		source   func(t *gocuda.Thread, in, out []int32)
		compiled func(in, out []int32) gocuda.Kernel
		serial   func(in, out []int32)
	}{
		{"nuHeld", nuHeld, nuHeldKernel, func(in, out []int32) {
			sum := int32(0)
			for i, v := range in {
				sum += v
				out[i] = sum
			}
		}},
		{"nuHeldChanged", nuHeldChanged, nuHeldChangedKernel, func(in, out []int32) {
			s, all := slices.Clone(in), make([]int32, len(in))
			for d := 1; d < len(in); d *= 2 {
				old := slices.Clone(s)
				for k := range s {
					v := int32(0)
					if k >= d {
						v = old[k-d]
					}
					if k >= 2*d {
						s[k] += v
					}
					if k/(2*d)%2 == 0 {
						all[k] = all[k]*3 + v
					}
				}
			}
			for k := range out {
				out[k] = s[k] ^ all[k]
			}
		}},
		{"nuHeldTwo", nuHeldTwo, nuHeldTwoKernel, func(in, out []int32) {
			n := len(in)
			type own struct{ left, v, w int32 }
			all, s := make([]own, n), slices.Clone(in)
			for i := range all {
				all[i] = own{in[i] & 15, -5, 9}
			}
			for k := range int32(5) {
				next := slices.Clone(s)
				for i := range all {
					o := &all[i]
					if o.left <= k {
						continue
					}
					o.v = s[(i+int(o.left))%n]
					next[i] += o.v
					if o.v&1 != 0 {
						o.w = s[(i+1)%n] - o.v
						next[i] ^= o.w
					}
					o.left--
				}
				s = next
			}
			for i, o := range all {
				out[i] = s[i]*3 + o.w - o.v*4
			}
		}},
	} {
		cases = append(cases, perThread(k.name, slices.Concat(nuBlocks, nuUneven), k.source, k.compiled, func(cfg grid.Config, in, out []int32) {
			perBlock(cfg, out, func(_, first int, out []int32) { k.serial(in[first:first+len(out)], out) })
		}))
	}
	cases = append(cases, perThread("nuOddEven", slices.Concat(nuBlocks, nuUneven, nuSpaces), nuOddEven, nuOddEvenKernel, func(cfg grid.Config, in, out []float32) {
		perBlock(cfg, out, func(_, first int, out []float32) {
			copy(out, in[first:])
			slices.Sort(out)
		})
	}))
	for down := range 2 {
		cases = append(cases, made(fmt.Sprint("nuBitonic, down ", down), nuBlocks, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[int32](2*cfg.Blocks()*cfg.Threads()), marked[int32](2*cfg.Blocks()*cfg.Threads())
			return func(t *gocuda.Thread) { nuBitonic(t, down, in, out) }, nuBitonicKernel(down, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			out := data[int32](2 * cfg.Blocks() * cfg.Threads())
			for part := range slices.Chunk(out, 2*cfg.Threads()) {
				slices.Sort(part)
				if down == 1 {
					slices.Reverse(part)
				}
			}
			return []any{out}
		}))
	}
	cases = append(cases, made("nuTree", nuBlocks, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[int64](2*cfg.Blocks()*cfg.Threads()), marked[int64](2*cfg.Blocks()*cfg.Threads())
		return func(t *gocuda.Thread) { nuTree(t, in, out) }, nuTreeKernel(in, out), []any{out}
	}, func(cfg grid.Config) []any {
		out := data[int64](2 * cfg.Blocks() * cfg.Threads())
		for part := range slices.Chunk(out, 2*cfg.Threads()) {
			sum := int64(0)
			for k, v := range part {
				part[k] = sum
				sum += v
			}
		}
		return []any{out}
	}))
	for _, stride := range []int{1, 2, 3, 4, 5, 6, 7, 8, 12, 16} {
		cases = append(cases, perThread(fmt.Sprint("nuPlaces, stride ", stride), slices.Concat(nuBlocks, nuUneven),
			func(t *gocuda.Thread, in, out []int32) { nuPlaces(t, stride, in, out) },
			func(in, out []int32) gocuda.Kernel { return nuPlacesKernel(stride, in, out) },
			func(cfg grid.Config, in, out []int32) {
				perBlock(cfg, out, func(_, first int, out []int32) {
					stride, n := stride, len(out)
					s := make([]int32, 3*n)
					copy(s, in[first:first+n])
					for k := range n {
						s[n+k], s[2*n+k] = int32(k), -1
					}
					for round := range 4 {
						place := func(k int) int { return 2*k - k&(stride-1) }
						old := slices.Clone(s)
						for k := range n {
							if a, b := old[place(k)], old[place(k)+stride]; a > b {
								s[k], s[n+k] = a-b, int32(place(k))
							} else {
								s[n+k] = a ^ b*2
							}
						}
						for k := range n {
							s[2*n+k] += s[place(k)]
						}
						if stride += round; stride > n {
							stride = 3
						}
					}
					for k := range out {
						out[k] = s[k] ^ s[n+k]*8 ^ s[2*n+k]*32
					}
				})
			}))
	}
	sixteen := grid.Dim3{X: 16, Y: 16}
	for _, s := range [][2]int{{1, 1}, {16, 16}, {33, 17}, {50, 3}, {31, 40}} {
		w, h := s[0], s[1]
		cases = append(cases, nuImage("nuFill", 0, w, h, sixteen, 16, 16, 0, func(t *gocuda.Thread, r, w, h int, in, out []int32) { nuFill(t, w, h, in, out) },
			func(r, w, h int, in, out []int32) gocuda.Kernel { return nuFillKernel(w, h, in, out) },
			func(at func(x, y int) (int32, bool), x, y int) (sum int32) {
				for k := range 25 {
					v, ok := at(x+k%5-2, y+k/5-2)
					if !ok {
						v = 7
					}
					sum = sum*3 + v
				}
				return sum
			}), nuImage("nuBorders", 0, w, h, sixteen, 16, 16, 0, func(t *gocuda.Thread, r, w, h int, in, out []float64) { nuBorders(t, w, h, in, out) },
			func(r, w, h int, in, out []float64) gocuda.Kernel { return nuBordersKernel(w, h, in, out) },
			func(at func(x, y int) (float64, bool), x, y int) float64 {
				v, _ := at(x, y)
				sum := v * 4
				for _, d := range [][2]int{{0, -1}, {0, 1}, {-1, 0}, {1, 0}} {
					v, _ := at(x+d[0], y+d[1])
					sum -= v
				}
				return sum
			}))
		for r := range 4 {
			for _, b := range []grid.Dim3{{X: 8, Y: 8}, sixteen, {X: 32, Y: 4}, {X: 5, Y: 3}} {
				cases = append(cases, nuImage("nuFillAny", r, w, h, b, b.X, b.Y, 4*(b.X+2*r)*(b.Y+2*r), nuFillAny, nuFillAnyKernel, func(at func(x, y int) (float32, bool), x, y int) float32 {
					sum, _ := at(x, y)
					for k := 1; k <= r; k++ {
						a, _ := at(x-k, y)
						b, _ := at(x+k, y)
						c, _ := at(x, y-k)
						d, _ := at(x, y+k)
						sum += (a + b) + (c + d)
					}
					return sum
				}), nuImage("nuTested", r, w, h, b, b.X, b.Y, 0, nuTested, nuTestedKernel, func(at func(x, y int) (int32, bool), x, y int) int32 {
					var kept []int32
					for dy := -r; dy <= r; dy++ {
						for dx := -r; dx <= r; dx++ {
							if v, ok := at(x+dx, y+dy); ok && dx != dy && v > -1<<30 {
								kept = append(kept, v>>4)
							}
						}
					}
					sum := int32(0)
					for _, v := range kept {
						sum += v
					}
					return sum/int32(max(1, len(kept))) ^ int32(len(kept))
				}), nuImage("nuClamped", r, w, h, b, b.X, b.Y, 0, nuClamped, nuClampedKernel, func(at func(x, y int) (int32, bool), x, y int) int32 {
					sum := int32(0)
					for k := range 25 {
						v, _ := at(x+k%5-2, y+k/5-2)
						sum = sum*5 + v
					}
					return sum + int32(r)
				}))
			}
			cases = append(cases, nuImage("nuInner", r, w, h, sixteen, 16-2*r, 16-2*r, 0, nuInner, nuInnerKernel, func(at func(x, y int) (int32, bool), x, y int) int32 {
				sum := int32(0)
				for dy := -r; dy <= r; dy++ {
					for dx := -r; dx <= r; dx++ {
						if v, ok := at(x+dx, y+dy); ok {
							sum += v * int32(dx+2*dy+1)
						}
					}
				}
				return sum
			}), nuImage("nuDilate", r, w, h, grid.Dim3{X: 8, Y: 8}, 8, 8, 0, nuDilate, nuDilateKernel, func(at func(x, y int) (int32, bool), x, y int) int32 {
				most := int32(-1 << 31)
				for dy := -r; dy <= r; dy++ {
					for dx := -r; dx <= r; dx++ {
						v, _ := at(x+dx, y+dy) // the nearest one is in the window, too
						most = max(most, v)
					}
				}
				return most
			}))
		}
		for steps := range 4 {
			cases = append(cases, nuHotspotCase(steps, w, h), nuGenerationsCase(steps, w, h), nuBothRowsCase(steps, 7-steps/2, w, h))
		}
	}
	for _, k := range []struct {
		name     string
		source   func(t *gocuda.Thread, n int, starts []int32, a, x []float32, out []float32)
		compiled func(n int, starts []int32, a, x []float32, out []float32) gocuda.Kernel
		serial   func(n int, starts []int32, a, x []float32, out []float32)
	}{
		{"nuSparse", nuSparse, nuSparseKernel, nuSparseSerial},
		{"nuDown", nuDown, nuDownKernel, nuDownSerial},
		{"nuMerge", nuMerge, nuMergeKernel, nuMergeSerial},
		{"nuBehind", nuBehind, nuBehindKernel, nuBehindSerial},
	} {
		for _, longest := range []int{1, 9, 40} {
			arguments := func(cfg grid.Config) (n int, starts []int32, a, x, out []float32) {
				n = cfg.Blocks()*cfg.Threads() - 1
				starts = make([]int32, n+1)
				for i := range n {
					starts[i+1] = starts[i] + int32(hash(i)%uint64(longest))
				}
				x = data[float32](n + 2*longest + 64)
				a = data[float32](int(starts[n]) + 1)
				if k.name == "nuMerge" { // lists in order, with numbers that both have
					for i := range a {
						a[i] = float32(int(a[i]))
					}
					for i := range x {
						x[i] = float32(int(x[i]))
					}
					for i := range n {
						slices.Sort(a[starts[i]:starts[i+1]])
					}
				}
				return n, starts, a, x, marked[float32](n)
			}
			cases = append(cases, made(fmt.Sprint(k.name, ", rows below ", longest), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				n, starts, a, x, out := arguments(cfg)
				return func(t *gocuda.Thread) { k.source(t, n, starts, a, x, out) }, k.compiled(n, starts, a, x, out), []any{out}
			}, func(cfg grid.Config) []any {
				n, starts, a, x, out := arguments(cfg)
				k.serial(n, starts, a, x, out)
				return []any{out}
			}))
		}
	}
	for _, s := range [][2]int{{1, 40}, {33, 7}, {100, 65}, {64, 300}} {
		w, h := s[0], s[1]
		for _, k := range []struct {
			name     string
			source   func(t *gocuda.Thread, w, h int, table, out []float32)
			compiled func(w, h int, table, out []float32) gocuda.Kernel
			serial   func(bx, w, h int, table, out []float32)
			rows     bool
		}{
			{"nuRows", nuRows, nuRowsKernel, nuRowsSerial, true},
			{"nuParts", nuParts, nuPartsKernel, nuPartsSerial, false},
			{"nuColumns", nuColumns, nuColumnsKernel, nuColumnsSerial, false},
			{"nuLogs", nuLogs, nuLogsKernel, nuLogsSerial, false},
		} {
			var cfgs []grid.Config
			for _, cfg := range nuBlocks {
				if k.rows {
					b := cfg.Block.Norm().Y
					cfg.Grid.X = (h + b - 1) / b
				}
				cfgs = append(cfgs, cfg)
			}
			cases = append(cases, made(fmt.Sprintf("%s %d by %d", k.name, w, h), cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				table, out := data[float32](w*h), marked[float32](h)
				return func(t *gocuda.Thread) { k.source(t, w, h, table, out) }, k.compiled(w, h, table, out), []any{out}
			}, func(cfg grid.Config) []any {
				table, out := data[float32](w*h), marked[float32](h)
				k.serial(cfg.Block.X, w, h, table, out)
				return []any{out}
			}))
		}
	}
	return cases
}

func nuHotspotCase(steps, w, h int) Case {
	steps++
	part := 16 - 2*steps
	cfg := grid.Config{Grid: grid.Dim3{X: (w + part - 1) / part, Y: (h + part - 1) / part}, Block: grid.Dim3{X: 16, Y: 16}}
	const heat, rx, ry, rz = 0.3, 0.25, 0.125, 0.01
	return made(fmt.Sprintf("nuHotspot %d steps, %d by %d", steps, w, h), []grid.Config{cfg}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		power, in, out := dataFrom[float32](w*h, 5), data[float32](w*h), marked[float32](w*h)
		return func(t *gocuda.Thread) { nuHotspot(t, steps, steps, steps, w, h, heat, rx, ry, rz, power, in, out) },
			nuHotspotKernel(steps, steps, steps, w, h, heat, rx, ry, rz, power, in, out), []any{out}
	}, func(grid.Config) []any {
		power, now := dataFrom[float32](w*h, 5), data[float32](w*h)
		for range steps {
			next := make([]float32, w*h)
			for i := range now {
				x, y := i%w, i/w
				at := func(dx, dy int) float32 { return now[min(max(y+dy, 0), h-1)*w+min(max(x+dx, 0), w-1)] }
				v := now[i]
				vertical, horizontal := at(0, 1)+at(0, -1)-2*v, at(1, 0)+at(-1, 0)-2*v
				next[i] = v + float32(heat)*(power[i]+float32(vertical*ry)+float32(horizontal*rx)+float32((80-v)*rz))
			}
			now = next
		}
		return []any{now}
	})
}

func nuBothRowsCase(lo, hi, w, h int) Case {
	cfg := grid.Rect(w, h, 32, 8)
	in := data[float32](w * h)
	return made(fmt.Sprintf("nuBothRows %d to %d, %d by %d", lo, hi, w, h), []grid.Config{cfg}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		above, below := marked[float32](w*h), marked[float32](w*h)
		return func(t *gocuda.Thread) { nuBothRows(t, lo, hi, w, h, in, above, below) }, nuBothRowsKernel(lo, hi, w, h, in, above, below), []any{above, below}
	}, func(grid.Config) []any {
		above, below := marked[float32](w*h), marked[float32](w*h)
		for y := range h {
			for x := range w {
				at := func(row int) float32 { // of the tile
					if row += y / 8 * 8; row < h {
						return in[row*w+x]
					}
					return 0
				}
				above[y*w+x], below[y*w+x] = at(min(max(y%8-1, lo), hi)), at(min(max(y%8+1, lo), hi))
			}
		}
		return []any{above, below}
	})
}

func nuGenerationsCase(steps, w, h int) Case {
	part := 8 - 2*steps
	cfg := grid.Config{Grid: grid.Dim3{X: (w + part - 1) / part, Y: (h + part - 1) / part}, Block: grid.Dim3{X: 8, Y: 8}}
	return made(fmt.Sprintf("nuGenerations %d steps, %d by %d", steps, w, h), []grid.Config{cfg}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[uint8](w*h), marked[uint8](w*h)
		return func(t *gocuda.Thread) { nuGenerations(t, steps, w, h, in, out) }, nuGenerationsKernel(steps, w, h, in, out), []any{out}
	}, func(grid.Config) []any {
		now := data[uint8](w * h)
		for i := range now {
			now[i] %= 2
		}
		for range steps {
			next := make([]uint8, w*h)
			for i := range now {
				around := -int(now[i])
				for k := range 9 {
					around += int(now[(i/w+k/3-1+h)%h*w+(i%w+k%3-1+w)%w])
				}
				if around == 3 || around == 2 && now[i] == 1 {
					next[i] = 1
				}
			}
			now = next
		}
		return []any{now}
	})
}

// The tile is filled from a place behind the end by one thread, in its second round.
//
//gocuda:kernel
func nuFailFill(t *gocuda.Thread, who int, in, out []int32) {
	const w, h = 20, 20
	tile := gocuda.Shared[int32](t, w*h)
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	dim := t.BlockDim.X * t.BlockDim.Y
	for i := tid; i < w*h; i += dim {
		at := (i%w + i/w) % len(in)
		if i == who+dim && t.BlockIdx.X == 1 {
			at += len(in)
		}
		tile[i] = in[at]
	}
	t.SyncThreads()
	out[t.BlockIdx.X*dim+tid] = tile[tid]
}

// A value is taken from where there is none, although the guard says that there is one.
//
//gocuda:kernel
func nuFailHeld(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid := t.ThreadIdx.Y*16 + t.ThreadIdx.X
	i := t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + tid
	s[tid] = in[i]
	t.SyncThreads()
	for d := 1; d < 64; d *= 2 {
		var v int32
		at := tid - d
		if d == 32 && unlucky(t, who) {
			at = -7
		}
		if tid >= d {
			v = s[at]
		}
		t.SyncThreads()
		if tid >= d {
			s[tid] += v
		}
		t.SyncThreads()
	}
	out[i] = s[tid]
}

// A row that begins behind the end of the table.
//
//gocuda:kernel
func nuFailRow(t *gocuda.Thread, who int, in, out []int32) {
	tid := t.Rank()
	at := tid * 2
	if unlucky(t, who) {
		at = len(in) + 1
	}
	row := in[at:]
	sum := int32(0)
	for k := t.ThreadIdx.X; k < len(row); k += 64 {
		sum += row[k]
	}
	out[t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y+tid] = sum
}

// Two counters, of which the second one leaves its slice.
//
//gocuda:kernel
func nuFailCounter(t *gocuda.Thread, who int, in, out []int32) {
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	i := t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + tid
	at, end, col := 0, int(in[i]&7), 3
	if unlucky(t, who) {
		end, col = 9, len(in)-15
	}
	sum := int32(0)
	for at < end {
		sum += in[at] * in[col]
		at++
		col += 2
	}
	out[i] = sum + int32(col)
}

// The place of a merge is too far in one thread, behind a barrier.
//
//gocuda:kernel
func nuFailPlace(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	dim := t.BlockDim.X * t.BlockDim.Y
	i := t.BlockIdx.X*dim + tid
	s[tid], s[tid+dim] = in[i], in[i]
	stride := 4
	if unlucky(t, who) {
		stride = 512
	}
	t.SyncThreads()
	pos := 2*tid - (tid & 3)
	v := s[pos]
	t.SyncThreads()
	out[i] = v + s[(pos+stride)]
}

func numberedFailures() (all []Failure) {
	for _, b := range []grid.Dim3{{X: 16, Y: 16}, {X: 8, Y: 8}, {X: 16, Y: 5}} {
		fails := func(name string, who int, source failKernel, compiled failMaker, text string) {
			f := failure(fmt.Sprintf("%s %d in %v", name, who, b), b.X*b.Y, who, source, compiled, text)
			f.Config = grid.Config{Grid: grid.Dim3{X: 3}, Block: b}
			f.Thread = grid.Dim3{X: who % b.X, Y: who / b.X}
			all = append(all, f)
		}
		n := 3 * b.X * b.Y
		for _, who := range []int{0, 17, 50, 63} {
			fails("nuFailFill", who, nuFailFill, nuFailFillKernel, fmt.Sprintf("with length %d", n))
			if b.X == 16 && who >= 32 {
				fails("nuFailHeld", who, nuFailHeld, nuFailHeldKernel, "index out of range [-7]")
			}
			fails("nuFailRow", who, nuFailRow, nuFailRowKernel, fmt.Sprintf("slice bounds out of range [%d:%d]", n+1, n))
			fails("nuFailCounter", who, nuFailCounter, nuFailCounterKernel, fmt.Sprintf("index out of range [%d] with length %d", n+1, n))
			fails("nuFailPlace", who, nuFailPlace, nuFailPlaceKernel, fmt.Sprintf("index out of range [%d] with length 512", 2*who-who%4+512))
		}
	}
	return all
}
