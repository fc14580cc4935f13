//go:build compiled

package corpus

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Indices that march through memory in loops with barriers, and what else such loops are about: arrays of
// slices, arrays of arrays in shared memory, unsigned indices of neighbours, partners whose number differs in
// some bits, loops within the loops by which a block fills a tile, and shifts and conversions of 64 bits.

// A stencil of seven points that marches through planes. The index goes on in the middle of a round.
//
//gocuda:kernel
func mhPlanes(t *gocuda.Thread, n, w, h int, in, out []float32) {
	tile := gocuda.Shared[[18]float32](t, 18)
	x, y := t.GlobalX(), t.GlobalY()
	tx, ty := t.ThreadIdx.X+1, t.ThreadIdx.Y+1
	plane := w * h
	at := y*w + x
	inside := x < w && y < h
	var behind, here, ahead float32
	if inside {
		here, ahead = in[at], in[at+plane]
	}
	for z := 1; z < n-1; z++ {
		behind, here = here, ahead
		at += plane
		if inside {
			ahead = in[at+plane]
			tile[ty][tx] = here
			if tx == 1 && x > 0 {
				tile[ty][0] = in[at-1]
			}
			if tx == t.BlockDim.X && x < w-1 {
				tile[ty][tx+1] = in[at+1]
			}
			if ty == 1 && y > 0 {
				tile[0][tx] = in[at-w]
			}
			if ty == t.BlockDim.Y && y < h-1 {
				tile[ty+1][tx] = in[at+w]
			}
		}
		t.SyncThreads()
		if x > 0 && x < w-1 && y > 0 && y < h-1 {
			out[at] = behind + ahead*2 - here*6 + tile[ty][tx-1] + tile[ty][tx+1]*3 + tile[ty-1][tx] - tile[ty+1][tx]
		}
		t.SyncThreads()
	}
}

func mhPlanesSerial(_ grid.Config, n, w, h int, in, out []float32) {
	for z := 1; z < n-1; z++ {
		for y := 1; y < h-1; y++ {
			for x := 1; x < w-1; x++ {
				at := func(dx, dy, dz int) float32 { return in[((z+dz)*h+y+dy)*w+x+dx] }
				out[(z*h+y)*w+x] = at(0, 0, -1) + at(0, 0, 1)*2 - at(0, 0, 0)*6 + at(-1, 0, 0) + at(1, 0, 0)*3 + at(0, -1, 0) - at(0, 1, 0)
			}
		}
	}
}

// Four indices of four types, which go on and back by several amounts in a round, some of them in some rounds only.
//
//gocuda:kernel
func mhUneven(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	at, back, up, far := i, int32(i+n*w), uint32(i), int64(i)
	sum := int32(0)
	for z := 0; z < n; z++ {
		s[tid] = in[at]
		at += w
		t.SyncThreads()
		sum = sum*3 + s[dim-1-tid]
		if z%3 != 0 {
			at += h
			up += uint32(w)
		}
		back -= int32(w)
		sum ^= in[back]
		t.SyncThreads()
		sum += in[up] - in[far]*5
		far += int64(h)
		at -= h - 1
		up++
	}
	out[i] = sum + int32(at) + back*3 + int32(up)*5 + int32(far)*7
}

func mhUnevenSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	dim := cfg.Threads()
	for i := range out {
		other := i/dim*dim + dim - 1 - i%dim
		moved, raised := 0, 0 // by how much the indices have moved
		sum := int32(0)
		for z := range n {
			sum = sum*3 + in[other+moved]
			moved += w - h + 1
			if z%3 != 0 {
				moved += h
				raised += w
			}
			sum ^= in[i+(n-1-z)*w]
			sum += in[i+raised] - in[i+z*h]*5
			raised++
		}
		out[i] = sum + int32(i+moved) + int32(i)*3 + int32(i+raised)*5 + int32(i+n*h)*7
	}
}

// Data decide whether the index goes on. It is read behind the loop.
//
//gocuda:kernel
func mhOwnPace(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid := t.ThreadIdx.X
	i := t.GlobalX()
	at, slow := i, uint32(i)
	for z := 0; z < n; z++ {
		v := in[at] + in[slow]
		if v&1 == 0 {
			at += w
		} else if tid%3 == 1 {
			slow += uint32(h)
			at++
		}
		s[tid] = v
		t.SyncThreads()
		if s[(tid+1)%t.BlockDim.X] < 0 {
			at -= h
			if at < 0 {
				at = i
			}
		}
		t.SyncThreads()
	}
	out[i] = int32(at)*1000 + int32(slow)
}

func mhOwnPaceSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	dim := cfg.Threads()
	perBlock(cfg, out, func(_, first int, out []int32) {
		at, slow, v := make([]int, dim), make([]int, dim), make([]int32, dim)
		for k := range dim {
			at[k], slow[k] = first+k, first+k
		}
		for range n {
			for k := range dim {
				v[k] = in[at[k]] + in[slow[k]]
				switch {
				case v[k]%2 == 0:
					at[k] += w
				case k%3 == 1:
					slow[k] += h
					at[k]++
				}
			}
			for k := range dim {
				if v[(k+1)%dim] < 0 {
					if at[k] -= h; at[k] < 0 {
						at[k] = first + k
					}
				}
			}
		}
		for k := range out {
			out[k] = int32(at[k])*1000 + int32(slow[k])
		}
	})
}

// Two loops with barriers, one in the other. The inner one marches along a row, the outer one back and down.
//
//gocuda:kernel
func mhNested(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid := t.ThreadIdx.X
	i := t.GlobalX()
	at, to := i, int32(i+n*h)
	sum := int32(1)
	for y := 0; y < n; y++ {
		for x := range h {
			s[tid] = in[at] + int32(x)
			t.SyncThreads()
			sum = sum*5 + s[tid^1]
			at += w
			t.SyncThreads()
			to -= 3
		}
		at -= w*h - 7
		if y&1 == 1 {
			to += int32(h) * 3
			t.SyncThreads()
			continue
		}
		to += int32(2 * h)
		sum += in[to]
		at++
	}
	out[i] = sum ^ int32(at)<<8 ^ to
}

func mhNestedSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		sum, to, begin := int32(1), i+n*h, 0
		for y := range n {
			for x := range h {
				sum = sum*5 + in[i^1+begin+x*w] + int32(x)
			}
			begin += 7
			if y%2 == 0 {
				to -= h
				sum += in[to]
				begin++
			}
		}
		out[i] = sum ^ int32(i+begin)<<8 ^ int32(to)
	}
}

// Rounds are left before and behind the places where the indices go on.
//
//gocuda:kernel
func mhBreaks(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	at, last := uint32(i), 0
	sum := int32(0)
	for z := 0; ; z++ {
		if z == n {
			at += 100
			break
		}
		s[tid] = in[at]
		if z&3 == 2 {
			at += uint32(h)
			t.SyncThreads()
			sum -= s[tid/2]
			t.SyncThreads()
			continue
		}
		at += uint32(w)
		last = int(at)
		t.SyncThreads()
		sum = sum<<1 ^ s[dim-1-tid]
		t.SyncThreads()
		if z == h {
			break
		}
		at--
	}
	out[i] = sum + int32(at)*31 + int32(last)
}

func mhBreaksSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	dim := cfg.Threads()
	for i := range out {
		b, k := i/dim*dim, i%dim
		moved, last, sum := 0, 0, int32(0)
		for z := 0; z <= n; z++ {
			if z == n {
				moved += 100
			} else if z%4 == 2 {
				sum -= in[b+k/2+moved]
				moved += h
			} else {
				sum = sum*2 ^ in[b+dim-1-k+moved]
				moved += w
				last = i + moved
				if z == h {
					break
				}
				moved--
			}
		}
		out[i] = sum + int32(i+moved)*31 + int32(last)
	}
}

// One index in two loops, up in the first one and down in the second, where the condition reads it.
//
//gocuda:kernel
func mhUpAndDown(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	at, sum := i, int32(0)
	for z := 0; z < n; z++ {
		at += w
		s[tid] = in[at]
		t.SyncThreads()
		sum += s[(tid+z)%dim]
		t.SyncThreads()
	}
	mid := at
	for z := n; z > 0; z-- {
		if at >= h {
			at -= h
			sum = sum*7 + in[at]
		}
		s[tid] = sum
		t.SyncThreads()
		sum ^= s[dim-1-tid]
		t.SyncThreads()
	}
	out[i] = sum + int32(mid-at)
}

func mhUpAndDownSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	dim := cfg.Threads()
	perBlock(cfg, out, func(_, first int, out []int32) {
		sum, at := make([]int32, dim), make([]int, dim)
		for k := range dim {
			for z := range n {
				sum[k] += in[first+(k+z)%dim+(z+1)*w]
			}
			at[k] = first + k + n*w
		}
		for range n {
			for k := range dim {
				if at[k] >= h {
					at[k] -= h
					sum[k] = sum[k]*7 + in[at[k]]
				}
			}
			for k := range dim / 2 {
				x := sum[k] ^ sum[dim-1-k]
				sum[k], sum[dim-1-k] = x, x
			}
			if dim%2 == 1 {
				sum[dim/2] = 0
			}
		}
		for k := range out {
			out[k] = sum[k] + int32(first+k+n*w-at[k])
		}
	})
}

// Amounts that change: a step that grows, one that changes its sign, one that a round computes; and an index
// that starts again.
//
//gocuda:kernel
func mhGrowing(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid := t.ThreadIdx.X
	i := t.GlobalX()
	grown, swung, own, again := i, int32(i+2000), int64(i), uint32(i)
	step, swing := 1, int32(w)
	sum := int32(0)
	for z := 0; z < n; z++ {
		d := w + z*z
		s[tid] = in[grown] ^ in[swung]
		grown += step
		t.SyncThreads()
		sum = sum*3 + s[tid^3] + in[own] - in[again]
		swung += swing
		swing = -swing * 2
		if z >= 5 {
			swing = 1
		}
		own += int64(d)
		t.SyncThreads()
		step += 2
		if z == h {
			again = uint32(i) + 1
			step = 3
		} else {
			again += uint32(step)
		}
	}
	out[i] = sum + int32(grown)*3 + swung*5 + int32(own)*7 + int32(again)*11
}

func mhGrowingSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		var moved [4]int
		moved[1] = 2000
		step, swing, sum := 1, w, int32(0)
		for z := range n {
			p := i ^ 3
			sum = sum*3 + (in[p+moved[0]] ^ in[p+moved[1]]) + in[i+moved[2]] - in[i+moved[3]]
			moved[0] += step
			moved[1] += swing
			if swing = -2 * swing; z >= 5 {
				swing = 1
			}
			moved[2] += w + z*z
			step += 2
			if z == h {
				step, moved[3] = 3, 1
			} else {
				moved[3] += step
			}
		}
		for k, f := range []int32{3, 5, 7, 11} {
			sum += int32(i+moved[k]) * f
		}
		out[i] = sum
	}
}

// Indices of 32 bits that wrap around on their way.
//
//gocuda:kernel
func mhWraps(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	i := t.GlobalX()
	u, d, l := uint32(i)*0x9e3779b9, int32(i)-0x7fffffff, int64(i)
	near := uint32(i) - 40
	sum := int32(0)
	for z := 0; z < n; z++ {
		s[tid] = in[u>>22] + int32(z)
		u += 0x40000001 + uint32(w)
		t.SyncThreads()
		sum = sum*3 ^ s[tid^2]
		d -= int32(h)
		sum += in[d&1023] + in[uint16(l)&1023]
		l += 0xffffff03
		near += 40
		sum -= in[near]
		near += 2
		if z != n-1 {
			near -= 41
		}
		t.SyncThreads()
	}
	out[i] = sum ^ int32(u) ^ d ^ int32(l>>8) ^ int32(near)
}

func mhWrapsSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		p, sum := uint64(i^2), int32(0)
		for z := range uint64(n) {
			u := p*0x9e3779b9 + z*(0x40000001+uint64(w))
			sum = sum*3 ^ (in[u&0xffffffff>>22] + int32(z))
			sum += in[(i+1-int(z+1)*h)&1023] + in[(uint64(i)+z*0xffffff03)&1023]
			sum -= in[i+int(z)]
		}
		u := uint32(uint64(i)*0x9e3779b9 + uint64(n)*(0x40000001+uint64(w)))
		d := uint32(i) + 0x80000001 - uint32(n*h)
		near := uint32(i + n + 1)
		if n == 0 {
			near = uint32(i - 40)
		}
		out[i] = sum ^ int32(u) ^ int32(d) ^ int32((i+n*0xffffff03)>>8) ^ int32(near)
	}
}

// A product in tiles, whose places in both matrices go on by a tile in each round. The sizes are no multiples.
//
//gocuda:kernel
func mhProduct(t *gocuda.Thread, n, w, h int, in, out []float32) {
	as := gocuda.Shared[[16]float32](t, 16)
	bs := gocuda.Shared[[17]float32](t, 16)
	tx, ty, size := t.ThreadIdx.X, t.ThreadIdx.Y, t.BlockDim.X
	row, col := t.BlockIdx.Y*size+ty, t.BlockIdx.X*size+tx
	a, b := row*n+tx, h*n+ty*w+col
	sum := float32(0)
	for k := 0; k < n; k += size {
		as[ty][tx], bs[ty][tx] = 0, 0
		if row < h && k+tx < n {
			as[ty][tx] = in[a]
		}
		if k+ty < n && col < w {
			bs[ty][tx] = in[b]
		}
		a, b = a+size, b+size*w
		t.SyncThreads()
		for j := range size {
			sum += as[ty][j] * bs[j][tx]
		}
		t.SyncThreads()
	}
	if row < h && col < w {
		out[row*w+col] = sum
	}
}

func mhProductSerial(_ grid.Config, n, w, h int, in, out []float32) {
	for i := range out {
		sum := float32(0)
		for k := range n {
			sum += in[i/w*n+k] * in[h*n+k*w+i%w]
		}
		out[i] = sum
	}
}

// A history in a ring of shared arrays, whose slot and index march together.
//
//gocuda:kernel
func mhRing(t *gocuda.Thread, n, w, h int, in, out []int32) {
	ring := gocuda.Shared[[128]int32](t, 4)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	at, to := uint32(i), i
	slot, flat := 0, int32(0)
	for z := 0; z < n; z++ {
		ring[slot][tid] = in[at]
		t.SyncThreads()
		if z >= 3 {
			old := slot + 1
			if old == 4 {
				old = 0
			}
			out[to] = ring[slot][tid] - ring[old][(tid+1)%dim] + 3*ring[(slot+2)%4][tid] + ring[flat/128^2][dim-1-tid]
			to += w
		}
		slot = (slot + 1) & 3
		if flat += 128; flat >= 512 {
			flat -= 512
		}
		at += uint32(w)
		t.SyncThreads()
	}
	out[to] = int32(slot) + flat
}

func mhRingSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	dim := cfg.Threads()
	for i := range dim * cfg.Blocks() {
		at := func(z, k int) int32 { return in[i/dim*dim+k+z*w] }
		k, rows := i%dim, 0
		for z := 3; z < n; z++ {
			out[i+rows*w] = at(z, k) - at(z-3, (k+1)%dim) + 3*at(z-2, k) + at(z-2, dim-1-k)
			rows++
		}
		out[i+rows*w] = int32(n%4 + n%4*128)
	}
}

// The index is an operand of shuffles, and of the condition of a branch.
//
//gocuda:kernel
func mhShuffled(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid := t.ThreadIdx.X
	i := t.GlobalX()
	at, v := int32(i), int32(0)
	for z := 0; z < n; z++ {
		other := gocuda.ShflXorSync(t, gocuda.FullMask, at, 5, 32)
		v = v*3 + in[other]
		at += int32(w)
		s[tid] = at
		t.SyncThreads()
		next := gocuda.ShflDownSync(t, gocuda.FullMask, at, 1, 32)
		if at > int32(h) {
			v -= in[next] + s[tid^1]
			at--
		}
		t.SyncThreads()
	}
	out[i] = v ^ at<<10
}

func mhShuffledSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	at, v := make([]int32, len(out)), make([]int32, len(out))
	for i := range at {
		at[i] = int32(i)
	}
	for range n {
		for i := range at {
			v[i] = v[i]*3 + in[at[i^5]]
		}
		for i := range at {
			at[i] += int32(w)
		}
		old := append([]int32(nil), at...)
		for i := range at {
			if old[i] > int32(h) {
				next := old[i]
				if i%32 < 31 {
					next = old[i+1]
				}
				v[i] -= in[next] + old[i^1]
				at[i]--
			}
		}
	}
	for i := range out {
		out[i] = v[i] ^ at[i]<<10
	}
}

// Indices in the post statement, two of them, up and down.
//
//gocuda:kernel
func mhPost(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid := t.ThreadIdx.X
	i := t.GlobalX()
	end := uint32(i + n*h)
	for z, at := 0, i; z < n; z, at = z+1, at+w {
		s[tid] = in[at]
		t.SyncThreads()
		for k, down := 0, end; k < 3; k, down = k+1, down-uint32(h) {
			if uint32(h) <= down {
				s[tid] ^= in[down-uint32(h)] + int32(k)
			}
		}
		t.SyncThreads()
		if z%2 == 0 {
			continue
		}
		out[at] = s[tid/2*2] - s[tid]
		end -= uint32(h)
		t.SyncThreads()
	}
	out[i] = int32(end)
}

func mhPostSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	dim, all := cfg.Threads(), cfg.Threads()*cfg.Blocks()
	for i := range all {
		for z := 1; z < n; z += 2 {
			value := func(i int) int32 {
				v := in[i+z*w]
				for k := range 3 {
					if from := i + n*h - z/2*h - (k+1)*h; from >= 0 {
						v ^= in[from] + int32(k)
					}
				}
				return v
			}
			out[i+z*w] = value(i/dim*dim+i%dim/2*2) - value(i)
		}
		out[i] = int32(i + n*h - n/2*h)
	}
}

type mhLattice struct{ f [9][]float32 }

type mhLayers struct {
	w     int
	level [3]struct{ v [2][]int32 }
	scale int32
}

// Nine distributions, each of which comes from a neighbour of its own, behind the edge from the other one.
//
//gocuda:kernel
func mhStream(t *gocuda.Thread, w, h int, src, dst mhLattice) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	left, right := (x+w-1)%w, (x+1)%w
	up, down := (y+h-1)%h*w, (y+1)%h*w
	row := y * w
	f0 := src.f[0][i]
	f1, f3 := src.f[1][row+left], src.f[3][row+right]
	f2, f4 := src.f[2][up+x], src.f[4][down+x]
	f5, f6 := src.f[5][up+left], src.f[6][up+right]
	f7, f8 := src.f[7][down+right], src.f[8][down+left]
	sum := f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8
	dst.f[0][i] = f0 + sum
	dst.f[1][i] = f3 - sum
	dst.f[3][i] = f1 - sum
	dst.f[2][i] = f4
	dst.f[4][i] = f2
	dst.f[5][i] = f7 + f8
	dst.f[6][i] = f8
	dst.f[7][i] = f5 - f6
	dst.f[8][i] = f6 * 2
}

func mhStreamSerial(w, h int, src, dst mhLattice) {
	from := [9][2]int{{0, 0}, {-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {1, -1}, {1, 1}, {-1, 1}}
	for i := range w * h {
		var f [9]float32
		sum := float32(0)
		for k, d := range from {
			f[k] = src.f[k][(i/w+d[1]+h)%h*w+(i%w+d[0]+w)%w]
			sum += f[k]
		}
		for k, v := range []float32{f[0] + sum, f[3] - sum, f[4], f[1] - sum, f[2], f[7] + f[8], f[8], f[5] - f[6], f[6] * 2} {
			dst.f[k][i] = v
		}
	}
}

// The same with a loop over the distributions, and one over those that go out.
//
//gocuda:kernel
func mhStreamLoop(t *gocuda.Thread, w, h int, src, dst mhLattice) {
	i := t.GlobalX()
	if i >= w*h {
		return
	}
	x, y := i%w, i/w
	var f [9]float32
	sum := float32(0)
	for k := 0; k < 9; k++ {
		u, v := x+k%3-1, y+k/3-1
		if u < 0 {
			u += w
		} else if u >= w {
			u -= w
		}
		if v < 0 {
			v = h - 1
		}
		if v == h {
			v = 0
		}
		f[k] = src.f[k][v*w+u]
		sum += f[k]
	}
	for k := range dst.f {
		dst.f[k][i] = sum - f[8-k]
	}
}

func mhStreamLoopSerial(w, h int, src, dst mhLattice) {
	for i := range w * h {
		var f [9]float32
		sum := float32(0)
		for k := range f {
			f[k] = src.f[k][(i/w+k/3-1+h)%h*w+(i%w+k%3-1+w)%w]
			sum += f[k]
		}
		for k := range f {
			dst.f[k][i] = sum - f[8-k]
		}
	}
}

// A parameter that is an array of slices whose lengths differ, with guards that ask for them.
//
//gocuda:kernel
func mhLengths(t *gocuda.Thread, n, w int, a [4][]int32, out []int32) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	sum := int32(len(a))
	for k := 0; k < 4; k++ {
		if i < len(a[k]) {
			sum = sum*3 + a[k][i]
		}
		if j := i*2 + k; j < len(a[3-k]) {
			sum ^= a[3-k][j]
		}
	}
	if len(a[2]) > w {
		sum += a[2][len(a[2])-1-w] + a[1][i%len(a[1])]
	}
	out[i] = sum
}

func mhLengthsSerial(n, w int, a [4][]int32, out []int32) {
	for i := range out {
		sum := int32(4)
		for k, s := range a {
			if i < len(s) {
				sum = sum*3 + s[i]
			}
			if s := a[3-k]; i*2+k < len(s) {
				sum ^= s[i*2+k]
			}
		}
		if s := a[2]; len(s) > w {
			sum += s[len(s)-1-w] + a[1][i%len(a[1])]
		}
		out[i] = sum
	}
}

// A parameter gives the index, and a counter of a loop with barriers the parity.
//
//gocuda:kernel
func mhParity(t *gocuda.Thread, n, w int, a [4][]int32, out []int32) {
	i := t.GlobalX()
	first := i - t.ThreadIdx.X
	dim := t.BlockDim.X
	next := first + (t.ThreadIdx.X+1)%dim
	k := w
	for z := 0; z < n; z++ {
		a[(z+1)&1][i] = a[z&1][next]*3 + a[k][i] - a[k^1][i]
		if k++; k == 4 {
			k = 2
		}
		t.SyncThreads()
	}
	out[i] = a[n%2][i] + a[w][next] + int32(k)
}

func mhParitySerial(cfg grid.Config, n, w int, a [4][]int32, out []int32) {
	dim := cfg.Threads()
	for z := range n {
		for i := range out {
			k := 2 + (w-2+z)%2
			a[1-z%2][i] = a[z%2][i/dim*dim+(i+1-i/dim*dim)%dim]*3 + a[k][i] - a[5-k][i]
		}
	}
	for i := range out {
		out[i] = a[n%2][i] + a[w][i/dim*dim+(i%dim+1)%dim] + int32(2+(w-2+n)%2)
	}
}

// Elements of the array are the same slice, or overlap.
//
//gocuda:kernel
func mhAliases(t *gocuda.Thread, n, w int, a [4][]int32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	a[0][i] += 5
	v := a[1][i] * 3
	a[2][i] = v - a[0][i]
	a[3][i] ^= v
	out[i] = a[0][i] + a[1][i]*5 + a[2][i]*7 + a[3][i]*11
	for k := 0; k < 4; k++ {
		a[k][i] += out[i]>>k + a[(k+1)&3][i]
	}
}

// How it is computed with the names of four slices, each of which has an element.
func mhAliasesSerial(n int, a [4][]int32, out []int32) {
	for i := range n {
		p, q, r, s := &a[0][i], &a[1][i], &a[2][i], &a[3][i]
		*p = *p + 5
		v := 3 * *q
		*r = v - *p
		*s = *s ^ v
		o := *p + *q*5 + *r*7 + *s*11
		out[i] = o
		*p += o + *q
		*q += o>>1 + *r
		*r += o>>2 + *s
		*s += o>>3 + *p
	}
}

// Loops over the slices of an array, which store to one and load from another.
//
//gocuda:kernel
func mhRoundsOf(t *gocuda.Thread, n, w int, a [4][]int32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := a[1][i]
	for k := range 4 {
		a[3-k][i] = a[k][i] + v
		v += a[2][i]
	}
	a[0][i], a[1][i] = a[1][i]+1, a[0][i]
	for k := range a {
		if a[k][i] > 10 {
			v += a[k][i]
			a[k][i] = v
		}
	}
	for k := range a {
		a[k][i] += v * int32(k)
	}
	for _, f := range a {
		f[i] ^= v
		v = f[i] - v
	}
	for k := 3; k >= 0; k-- {
		f := a[k]
		if f[i] < 0 {
			v++
			f[i] -= v
		}
	}
	out[i] = v
}

func mhRoundsOfSerial(n int, a [4][]int32, out []int32) {
	for i := range n {
		at := []*int32{&a[0][i], &a[1][i], &a[2][i], &a[3][i]}
		v := *at[1]
		for k, from := range at {
			*at[3-k] = *from + v
			v += *at[2]
		}
		x, y := *at[0], *at[1]
		*at[0] = y + 1
		*at[1] = x
		for _, p := range at {
			if *p > 10 {
				v += *p
				*p = v
			}
		}
		for k, p := range at {
			*p += v * int32(k)
		}
		for _, p := range at {
			*p ^= v
			v = *p - v
		}
		for k := 3; k >= 0; k-- {
			if p := at[k]; *p < 0 {
				v++
				*p -= v
			}
		}
		out[i] = v
	}
}

// The kernel assigns elements of the array in its own copy; others share the slices, but not the array.
//
//gocuda:kernel
func mhAssigned(t *gocuda.Thread, n, w int, a [4][]int32, out []int32) {
	i := t.GlobalX()
	if w > 0 {
		a[1] = a[0]
		a[2] = a[3][n:]
	}
	b := a
	b[0], b[3] = b[3], b[0]
	if t.BlockIdx.X%2 == 1 {
		a[0] = b[0]
	}
	sum := a[0][i] + a[1][i]*3 + a[2][i]*5 + a[3][i]*7
	sum ^= b[0][i]*11 - b[3][i]*13
	a[3] = out
	a[3][i] = sum
}

func mhAssignedSerial(cfg grid.Config, n, w int, a [4][]int32, out []int32) {
	for i := range out {
		v := [4]int32{a[0][i], a[1][i], a[2][i], a[3][i]}
		if w > 0 {
			v[1], v[2] = a[0][i], a[3][i+n]
		}
		first := v[0]
		if i/cfg.Threads()%2 == 1 {
			first = v[3]
		}
		out[i] = (first + v[1]*3 + v[2]*5 + v[3]*7) ^ (v[3]*11 - v[0]*13)
	}
}

// In each round of a loop with barriers the slices change their places in the array.
//
//gocuda:kernel
func mhRotated(t *gocuda.Thread, n, w int, a [4][]int32, out []int32) {
	i, dim := t.GlobalX(), t.BlockDim.X
	other := i - t.ThreadIdx.X + dim - 1 - t.ThreadIdx.X
	for z := range n {
		a[1][i] = a[0][other] - a[2][i] + int32(z)
		t.SyncThreads()
		if z%w != 0 {
			a[0], a[1] = a[1], a[0]
		} else {
			a[0], a[1], a[2] = a[1], a[2], a[0]
		}
	}
	out[i] = a[0][i] + a[1][other]*3 + a[2][i]*5 + a[3][i]
}

func mhRotatedSerial(cfg grid.Config, n, w int, a [4][]int32, out []int32) {
	dim := cfg.Threads()
	names := []int{0, 1, 2}
	for z := range n {
		from, to, less := a[names[0]], a[names[1]], a[names[2]]
		for i := range out {
			to[i] = from[i/dim*dim+dim-1-i%dim] - less[i] + int32(z)
		}
		if z%w != 0 {
			names = []int{names[1], names[0], names[2]}
		} else {
			names = []int{names[1], names[2], names[0]}
		}
	}
	for i := range out {
		out[i] = a[names[0]][i] + a[names[1]][i/dim*dim+dim-1-i%dim]*3 + a[names[2]][i]*5 + a[3][i]
	}
}

// Data, and the threads themselves, choose the slice.
//
//gocuda:kernel
func mhPicked(t *gocuda.Thread, n, w int, a [4][]int32, out []int32) {
	i, tid := t.GlobalX(), t.ThreadIdx.X
	v := a[tid%4][i/4]
	v = v*3 + a[uint32(v)%3][i]
	k := 1
	if v < 0 {
		k = w
	}
	v ^= a[k][i]
	for j := range 4 {
		v += a[(j+tid)&3][(i+j)%n]
	}
	out[i] = v
}

func mhPickedSerial(cfg grid.Config, n, w int, a [4][]int32, out []int32) {
	for i := range out {
		tid := i % cfg.Threads()
		v := a[tid%4][i/4]
		v = v*3 + a[uint32(v)%3][i]
		if v < 0 {
			v ^= a[w][i]
		} else {
			v ^= a[1][i]
		}
		for j := range 4 {
			v += a[(j+tid)%4][(i+j)%n]
		}
		out[i] = v
	}
}

// Structs in an array in a struct, with slices in arrays.
//
//gocuda:kernel
func mhLevels(t *gocuda.Thread, n int, g mhLayers, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= g.w || y >= n {
		return
	}
	i := y*g.w + x
	sum := g.level[0].v[1][i] * g.scale
	for l := 1; l < 3; l++ {
		half := y>>l*(g.w>>l) + x>>l
		sum = sum*3 + g.level[l].v[0][half] - g.level[l].v[1][half]
	}
	g.level[0].v[0][i] = sum
	g.scale++
	out[i] = sum ^ g.level[g.scale&1].v[g.w&1][i>>2]
}

func mhLevelsSerial(n int, g mhLayers, out []int32) {
	for i := range n * g.w {
		x, y := i%g.w, i/g.w
		sum := g.level[0].v[1][i] * g.scale
		for l, w := 1, g.w/2; l < 3; l, w = l+1, w/2 {
			x, y = x/2, y/2
			sum = sum*3 + g.level[l].v[0][y*w+x] - g.level[l].v[1][y*w+x]
		}
		g.level[0].v[0][i] = sum
		out[i] = sum ^ g.level[(g.scale+1)%2].v[g.w%2][i/4]
	}
}

// Planes of colours, one after another, become pixels; the weights are an array too.
//
//gocuda:kernel
func mhColours(t *gocuda.Thread, n int, planes [3][]uint8, weights [3]uint8, out []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	grey := uint16(128)
	for c := range planes {
		p := planes[c][i]
		out[4*i+2-c] = p
		grey += uint16(p) * uint16(weights[c])
		if c == 1 && i > 0 {
			grey += uint16(planes[c][i-1]) >> 3
		}
	}
	out[4*i+3] = uint8(grey >> 8)
}

func mhColoursSerial(n int, planes [3][]uint8, weights [3]uint8, out []uint8) {
	for i := range n {
		grey := 128
		for c, p := range planes {
			out[4*i+2-c] = p[i]
			grey += int(p[i]) * int(weights[c])
		}
		if i > 0 {
			grey += int(planes[1][i-1]) / 8
		}
		out[4*i+3] = uint8(grey & 0xffff / 256)
	}
}

// Constant indices only, of slices that may be the same or overlap. Stores come between the loads.
//
//gocuda:kernel
func mhOverlaps(t *gocuda.Thread, n, w int, a [4][]int32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := a[1][i] * 3
	a[0][i] = v + 5
	u := a[2][i] - a[1][i]
	a[2][i] = u ^ v
	x := a[3][i] + a[0][i]
	a[3][i] = x - a[2][i]
	out[i] = a[0][i] + a[1][i]*5 + a[2][i]*7 + a[3][i]*11
}

func mhOverlapsSerial(n int, a [4][]int32, out []int32) {
	for i := range n {
		p, q, r, s := &a[0][i], &a[1][i], &a[2][i], &a[3][i]
		v := 3 * *q
		*p = v + 5
		u := *r - *q
		*r = u ^ v
		x := *s + *p
		*s = x - *r
		out[i] = *p + *q*5 + *r*7 + *s*11
	}
}

// Constant indices in rounds with barriers, in which two slices change their parts. Parameters keep threads within
// the slices, whose lengths differ.
//
//gocuda:kernel
func mhPingPong(t *gocuda.Thread, n, w int, a [4][]int32, out []int32) {
	i, dim := t.GlobalX(), t.BlockDim.X
	tid := t.ThreadIdx.X
	next := i + 1
	if tid == dim-1 {
		next = i - tid
	}
	at := i
	for z := 0; z < n; z++ {
		a[1][i] = a[0][next] + a[2][at]
		at += w
		t.SyncThreads()
		a[0][i] = a[1][i+dim-1-2*tid]*3 - a[2][at]
		if i < 7 {
			a[0][i] ^= a[3][i]
		}
		t.SyncThreads()
	}
	v := a[0][i]
	if i >= w {
		v -= a[2][i-w]
	}
	out[i] = v
}

func mhPingPongSerial(cfg grid.Config, n, w int, a [4][]int32, out []int32) {
	dim := cfg.Threads()
	for z := range n {
		for i := range out {
			a[1][i] = a[0][i/dim*dim+(i%dim+1)%dim] + a[2][i+z*w]
		}
		for i := range out {
			a[0][i] = a[1][i/dim*dim+dim-1-i%dim]*3 - a[2][i+(z+1)*w]
			if i < 7 {
				a[0][i] ^= a[3][i]
			}
		}
	}
	for i := range out {
		out[i] = a[0][i]
		if i >= w {
			out[i] -= a[2][i-w]
		}
	}
}

// Only some threads, or blocks, replace a slice of the array by another one.
//
//gocuda:kernel
func mhReplaced(t *gocuda.Thread, n, w int, a [4][]int32, out []int32) {
	i := t.GlobalX()
	sum := a[1][i] * 3
	if w > 0 {
		a[1] = a[0]
	}
	if t.BlockIdx.X == n {
		a[0] = a[2]
	}
	sum += a[0][i] - a[1][i]*5
	if t.ThreadIdx.X%3 == 1 {
		a[0], a[2] = a[2], a[3]
	}
	out[i] = sum ^ a[0][i] - a[2][i]
}

func mhReplacedSerial(cfg grid.Config, n, w int, a [4][]int32, out []int32) {
	for i := range out {
		p, q, r, s := a[0][i], a[1][i], a[2][i], a[3][i]
		sum := q * 3
		if w > 0 {
			q = p
		}
		if i/cfg.Threads() == n {
			p = r
		}
		sum += p - q*5
		if i%cfg.Threads()%3 == 1 {
			p, r = r, s
		}
		out[i] = (sum ^ p) - r
	}
}

// A tile with a margin that is filled twice, and read at places that are clamped to it.
//
//gocuda:kernel
func mhTileClamp(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[[18]int32](t, 18)
	tid, dim := t.Rank(), t.BlockDim.X*t.BlockDim.Y
	first := (t.BlockIdx.Y*t.GridDim.X + t.BlockIdx.X) * dim
	for i := tid; i < 18*18; i += dim {
		tile[i/18][i%18] = in[first+i]
	}
	t.SyncThreads()
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	sum := int32(0)
	for d := -n; d <= n; d++ {
		sum = sum*3 + tile[min(max(y+d, 0), 17)][min(max(x-2*d, 0), 17)]
		sum ^= tile[max(min(y, 17)-w, 0)][min(x+d*d, 17)]
	}
	out[first+tid] = sum
}

func mhTileClampSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	cut := func(k int) int { return min(max(k, 0), 17) }
	perBlock(cfg, out, func(_, first int, out []int32) {
		tile := in[first:]
		for i := range out {
			x, y := i%cfg.Block.X, i/cfg.Block.X
			for d := -n; d <= n; d++ {
				if d == -n {
					out[i] = 0
				}
				out[i] = out[i]*3 + tile[cut(y+d)*18+cut(x-2*d)]
				out[i] ^= tile[cut(cut(y)-w)*18+cut(x+d*d)]
			}
		}
	})
}

// Both indices of an element are loaded from memory.
//
//gocuda:kernel
func mhTileLoaded(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[[18]int32](t, 18)
	tid, dim := t.Rank(), t.BlockDim.X*t.BlockDim.Y
	i := (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*dim + tid
	for k := tid; k < 18*18; k += dim {
		tile[k/18][k%18] = in[k] * 7
	}
	t.SyncThreads()
	r, c := in[i]&15, uint32(in[i+n])%18
	sum := tile[r][c]
	sum = sum*3 + tile[min(max(in[i+w], 0), 17)][min(max(r-3, 0), 17)]
	k := int(in[i+h]) % 18
	if k < 0 {
		k += 18
	}
	sum ^= tile[k][k] - tile[17-k][c]
	out[i] = sum
}

func mhTileLoadedSerial(_ grid.Config, n, w, h int, in, out []int32) {
	at := func(r, c int) int32 { return in[r*18+c] * 7 }
	for i := range out {
		r, c := int(uint32(in[i])%16), int(uint32(in[i+n])%18)
		k := (int(in[i+h])%18 + 18) % 18
		out[i] = (at(r, c)*3 + at(min(max(int(in[i+w]), 0), 17), min(max(r-3, 0), 17))) ^ (at(k, k) - at(17-k, c))
	}
}

// Mirrored at the edges of the block, which are no powers of two.
//
//gocuda:kernel
func mhTileMirror(t *gocuda.Thread, n, w, h int, in, out []float32) {
	tile := gocuda.Shared[[64]float32](t, 32)
	bx, by := t.BlockDim.X, t.BlockDim.Y
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	i := ((t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*by+y)*bx + x
	tile[y][x] = in[i]
	t.SyncThreads()
	sum := float32(0)
	for d := -2; d <= 2; d++ {
		u, v := x+d, y-d
		if u < 0 {
			u = -u
		}
		if u >= bx {
			u = 2*bx - 2 - u
		}
		if v < 0 {
			v = -1 - v
		} else if v >= by {
			v = 2*by - 1 - v
		}
		u, v = min(max(u, 0), bx-1), max(min(v, by-1), 0)
		sum += tile[v][u] * float32(d+3)
		sum -= tile[by-1-v][bx-1-u]
	}
	out[i] = sum
}

func mhTileMirrorSerial(cfg grid.Config, n, w, h int, in, out []float32) {
	bx, by := cfg.Block.X, cfg.Block.Y
	perBlock(cfg, out, func(_, first int, out []float32) {
		for i := range out {
			sum := float32(0)
			for d := -2; d <= 2; d++ {
				u, v := i%bx+d, i/bx-d
				u = max(u, -u)
				u = min(max(min(u, 2*bx-2-u), 0), bx-1)
				v = max(v, -1-v)
				v = min(max(min(v, 2*by-1-v), 0), by-1)
				sum += in[first+v*bx+u] * float32(d+3)
				sum -= in[first+(by-1-v)*bx+bx-1-u]
			}
			out[i] = sum
		}
	})
}

// On a torus of the block's size, by % and by a constant.
//
//gocuda:kernel
func mhTileTorus(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[[64]int32](t, 32)
	bx, by := t.BlockDim.X, t.BlockDim.Y
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	i := ((t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*by+y)*bx + x
	tile[y][x] = in[i]
	t.SyncThreads()
	for range n {
		v := tile[(y+1)%by][x] + tile[y][(x+bx-1)%bx]*3 - tile[(y-1+by)%by][(x+w)%bx]
		v ^= tile[(y*h+x)%by][(x*h+y)%bx]
		t.SyncThreads()
		tile[y][x] = v
		t.SyncThreads()
	}
	out[i] = tile[y][x]
}

func mhTileTorusSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bx, by := cfg.Block.X, cfg.Block.Y
	perBlock(cfg, out, func(_, first int, out []int32) {
		copy(out, in[first:])
		for range n {
			old := append([]int32(nil), out...)
			at := func(x, y int) int32 { return old[y%by*bx+x%bx] }
			for i := range out {
				x, y := i%bx, i/bx
				out[i] = (at(x, y+1) + at(x+bx-1, y)*3 - at(x+w, y+by-1)) ^ at(x*h+y, y*h+x)
			}
		}
	})
}

// An if chooses the row, and another one the column; and a row that is copied, and one that is a slice.
//
//gocuda:kernel
func mhTileChosen(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[[64]int32](t, 64)
	bx, by := t.BlockDim.X, t.BlockDim.Y
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	i := ((t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*by+y)*bx + x
	for k := 0; k < 64; k += by {
		if y+k < 64 {
			tile[y+k][x] = in[i] ^ int32(k)
		}
	}
	t.SyncThreads()
	r, c := y, x
	if in[i]%3 == 0 {
		r = x
	} else if in[i] < 0 {
		r, c = y/2, bx-1-x
	}
	if x > y && in[i]&4 != 0 {
		c = y % bx
	}
	sum := tile[r][c]
	row := tile[(y+n)%64]
	sum = sum*3 - row[c]
	line := tile[w][h:]
	if c < len(line) && c+h < bx {
		sum ^= line[c]
	}
	out[i] = sum
}

func mhTileChosenSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bx, by := cfg.Block.X, cfg.Block.Y
	perBlock(cfg, out, func(_, first int, out []int32) {
		at := func(r, c int) int32 { return in[first+r%by*bx+c] ^ int32(r/by*by) }
		for i := range out {
			x, y, v := i%bx, i/bx, in[first+i]
			r, c := y, x
			switch {
			case v%3 == 0:
				r = x
			case v < 0:
				r, c = y/2, bx-1-x
			}
			if x > y && v&4 != 0 {
				c = y % bx
			}
			out[i] = at(r, c)*3 - at((y+n)%64, c)
			if c+h < bx {
				out[i] ^= at(w, c+h)
			}
		}
	})
}

// Stores to places that the threads compute, and that they load: a permutation of the block.
//
//gocuda:kernel
func mhTileStores(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[[33]int32](t, 64)
	perm := gocuda.Shared[int32](t, 512)
	tid, dim := t.Rank(), t.BlockDim.X*t.BlockDim.Y
	i := (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*dim + tid
	to := (tid*n + w) % dim
	perm[to] = int32(dim - 1 - tid)
	tile[to/33][to%33] = in[i]
	t.SyncThreads()
	p := perm[tid]
	v := tile[p/33][p%33]
	t.SyncThreads()
	tile[p/33][p%33] = v*3 + int32(tid)
	t.SyncThreads()
	if h > 0 {
		tile[p/33][p%33] -= v
		if tid < 33 {
			tile[63][tid] = 9
		}
	}
	out[i] = tile[p/33][p%33] + perm[dim-1-tid]
}

func mhTileStoresSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	dim := cfg.Threads()
	perBlock(cfg, out, func(_, first int, out []int32) {
		perm, tile := make([]int, dim), make([]int32, dim)
		for k := range dim {
			to := (k*n + w) % dim
			perm[to], tile[to] = dim-1-k, in[first+k]
		}
		for k := range out {
			v := tile[perm[k]]
			out[k] = v*3 + int32(k) + int32(perm[dim-1-k])
			if h > 0 {
				out[k] -= v
			}
		}
	})
}

type mhCell struct {
	count int32
	force [3]float32
	mark  uint8
}

// Structs with an array in them, at places of a neighbour.
//
//gocuda:kernel
func mhTileStructs(t *gocuda.Thread, n, w, h int, in, out []float32) {
	cells := gocuda.Shared[[64]mhCell](t, 32)
	bx, by := t.BlockDim.X, t.BlockDim.Y
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	i := ((t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*by+y)*bx + x
	cells[y][x] = mhCell{count: int32(x), mark: uint8(y)}
	for k := range 3 {
		cells[y][x].force[k] = in[i] * float32(k+1)
	}
	t.SyncThreads()
	u, v := min(x+n, bx-1), max(y-w, 0)
	c := cells[v][u]
	sum := c.force[h]
	for k := 0; k < 3; k++ {
		sum += cells[y][u].force[(k+h)%3] - cells[(y+k)%by][x].force[k]
	}
	t.SyncThreads()
	if c.count%2 == 1 {
		cells[y][x].force[int(c.mark)%3] += 8
	}
	out[i] = sum + cells[y][x].force[1]
}

func mhTileStructsSerial(cfg grid.Config, n, w, h int, in, out []float32) {
	bx, by := cfg.Block.X, cfg.Block.Y
	perBlock(cfg, out, func(_, first int, out []float32) {
		at := func(x, y, k int) float32 { return in[first+y*bx+x] * float32(k+1) }
		for i := range out {
			x, y := i%bx, i/bx
			u, v := min(x+n, bx-1), max(y-w, 0)
			sum := at(u, v, h)
			for k := range 3 {
				sum += at(u, y, (k+h)%3) - at(x, (y+k)%by, k)
			}
			own := at(x, y, 1)
			if u%2 == 1 && v%3 == 1 {
				own += 8
			}
			out[i] = sum + own
		}
	})
}

// Three dimensions, and the third one wraps around by itself.
//
//gocuda:kernel
func mhTileCube(t *gocuda.Thread, n, w, h int, in, out []int32) {
	cube := gocuda.Shared[[5][7]int32](t, 6)
	tid, dim := t.Rank(), t.BlockDim.X*t.BlockDim.Y
	i := (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*dim + tid
	for k := tid; k < 6*5*7; k += dim {
		cube[k/35][k/7%5][k%7] = in[k] - int32(t.BlockIdx.X)
	}
	t.SyncThreads()
	x, y, z := tid%7, tid/7%5, tid/35%6
	sum := cube[z][y][x]
	for d := 1; d <= n; d++ {
		sum = sum*3 + cube[z][(y+d)%5][x] - cube[(z+6-d)%6][y][min(x+d, 6)]
		sum ^= cube[max(z-d, 0)][4-y][uint32(in[i+d])%7]
	}
	a, b := w, h
	if in[i] > 0 {
		a, b = h, w
	}
	out[i] = sum + cube[a][b][x]
}

func mhTileCubeSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	perBlock(cfg, out, func(block, first int, out []int32) {
		at := func(z, y, x int) int32 { return in[z*35+y*7+x] - int32(block%cfg.Grid.Norm().X) }
		for i := range out {
			x, y, z := i%7, i/7%5, i/35%6
			sum := at(z, y, x)
			for d := 1; d <= n; d++ {
				sum = sum*3 + at(z, (y+d)%5, x) - at((z+6-d)%6, y, min(x+d, 6))
				sum ^= at(max(z-d, 0), 4-y, int(uint32(in[first+i+d])%7))
			}
			if in[first+i] > 0 {
				out[i] = sum + at(h, w, x)
			} else {
				out[i] = sum + at(w, h, x)
			}
		}
	})
}

// Bytes, at indices that are bytes, and sums of bytes.
//
//gocuda:kernel
func mhTileBytes(t *gocuda.Thread, n, w, h int, in, out []uint8) {
	tile := gocuda.Shared[[256]uint8](t, 16)
	tid, dim := uint32(t.Rank()), uint32(t.BlockDim.X*t.BlockDim.Y)
	i := uint32(t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*dim + tid
	for k := tid; k < 16*256; k += dim {
		tile[k>>8][uint8(k)] = in[k%1000] + uint8(k>>8)
	}
	t.SyncThreads()
	a, b := in[i], in[i+uint32(n)]
	v := tile[a&15][b] + tile[b>>4][a+b]*3
	v ^= tile[uint8(tid)&15][uint8(tid)*uint8(w)-a]
	for k := uint8(250); k != 4; k++ {
		v += tile[k&7][a+k]
	}
	out[i] = v
}

func mhTileBytesSerial(cfg grid.Config, n, w, h int, in, out []uint8) {
	at := func(r, c int) uint8 { return in[(r*256+c&255)%1000] + uint8(r) }
	for i := range out {
		tid := i % cfg.Threads()
		a, b := int(in[i]), int(in[i+n])
		v := (at(a%16, b) + at(b/16, a+b)*3) ^ at(tid%16, tid*w-a)
		for k := range 10 {
			v += at((k+250)%8, a+k+250)
		}
		out[i] = v
	}
}

// The column is negative in one thread.
//
//gocuda:kernel
func mhFailColumn(t *gocuda.Thread, who int, in, out []int32) {
	tile := gocuda.Shared[[18]int32](t, 18)
	tid, dim := t.Rank(), t.BlockDim.X*t.BlockDim.Y
	i := t.BlockIdx.X*dim + tid
	for k := tid; k < 18*18; k += dim {
		tile[k/18][k%18] = in[k%len(in)]
	}
	t.SyncThreads()
	c := int(in[i] % 18)
	if unlucky(t, who) {
		c = -c - 1
	}
	out[i] = tile[in[i]%18][c] + 1
}

// The row is negative, or too large, behind a condition.
//
//gocuda:kernel
func mhFailTileRow(t *gocuda.Thread, who int, in, out []int32) {
	tile := gocuda.Shared[[18]int32](t, 18)
	tid, dim := t.Rank(), t.BlockDim.X*t.BlockDim.Y
	i := t.BlockIdx.X*dim + tid
	for k := tid; k < 18*18; k += dim {
		tile[k/18][k%18] = in[k%len(in)]
	}
	r := min(max(t.ThreadIdx.Y-1, 0), 17)
	if unlucky(t, who) {
		r = 18
		if who%2 == 1 {
			r = -3
		}
	}
	t.SyncThreads()
	if in[i] > 0 {
		out[i] = tile[r][t.ThreadIdx.X%18] + 1
	}
}

// A store to a column that the array does not have, to one place for each thread.
//
//gocuda:kernel
func mhFailTileStore(t *gocuda.Thread, who int, in, out []int32) {
	tile := gocuda.Shared[[65]int32](t, 32)
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	i := t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + t.Rank()
	c := x + 1
	if unlucky(t, who) {
		c = int(in[i]) + 64
	}
	tile[y][c] = in[i]
	t.SyncThreads()
	out[i] = tile[y][x+1]
}

// Neighbours on a torus in unsigned numbers.
//
//gocuda:kernel
func mhTorus(t *gocuda.Thread, n, w, h int, in, out []int32) {
	x, y := uint32(t.GlobalX()), uint32(t.GlobalY())
	wide, high := uint32(w), uint32(h)
	if x >= wide || y >= high {
		return
	}
	left, right := (x+wide-1)%wide, (x+1)%wide
	up, down := (y-1+high)%high, (y+1)%high
	sum := in[y*wide+left] + in[y*wide+right]*3 + in[up*wide+x]*5 + in[down*wide+x]*7
	sum ^= in[up*wide+left] - in[down*wide+right]
	out[y*wide+x] = sum + in[(y+high-uint32(n))%high*wide+(x+uint32(n))%wide]
}

func mhTorusSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		at := func(dx, dy int) int32 { return in[(i/w+dy+h*n)%h*w+(i%w+dx+w*n)%w] }
		out[i] = (at(-1, 0) + at(1, 0)*3 + at(0, -1)*5 + at(0, 1)*7) ^ (at(-1, -1) - at(1, 1)) + at(n, -n)
	}
}

// Neighbours that look so, but what wraps around at 32 bits is no neighbour, except for some widths.
//
//gocuda:kernel
func mhNoTorus(t *gocuda.Thread, n, w, h int, in, out []int32) {
	i, wide := uint32(t.GlobalX()), uint32(w)
	if i >= uint32(len(out)) {
		return
	}
	x := i % wide
	base := i - x
	sum := in[base+(x-1)%wide] + in[base+(x-uint32(n))%wide]*3
	sum ^= in[base+(x*0x80000001+wide)%wide]
	s := int32(x)
	v := (s - 1) % int32(w)
	if v < 0 {
		v += int32(w)
	}
	sum = sum*5 + in[int32(base)+v]
	u := uint(x)
	sum -= in[uint(base)+(u-1+uint(w))%uint(w)] + in[uint(base)+(u+1)%uint(w)]
	out[i] = sum + in[base+min(x-1, wide-1)]
}

func mhNoTorusSerial(_ grid.Config, n, w, h int, in, out []int32) {
	const all = 1 << 32
	for i := range out {
		x := i % w
		row := in[i-x:]
		sum := row[(x-1+all)%all%w] + row[(x-n+all)%all%w]*3
		sum ^= row[(x*0x80000001+w)%all%w]
		sum = sum*5 + row[(x+w-1)%w]
		sum -= row[(x+w-1)%w] + row[(x+1)%w]
		if x == 0 {
			out[i] = sum + row[w-1]
		} else {
			out[i] = sum + row[x-1]
		}
	}
}

// Neighbours that are clamped in unsigned numbers.
//
//gocuda:kernel
func mhClampU(t *gocuda.Thread, n, w, h int, in, out []float32) {
	x, y := uint32(t.GlobalX()), uint32(t.GlobalY())
	wide, high := uint32(w), uint32(h)
	if x < wide && y < high {
		left, right := max(x, 1)-1, min(x+1, wide-1)
		up, down := max(y, 1)-1, min(y+1, high-1)
		far, low := max(x, uint32(n))-uint32(n), min(y+uint32(n), high-1)
		sum := in[y*wide+left] + in[y*wide+right] - in[up*wide+x]*2 + in[down*wide+x]*4
		out[y*wide+x] = sum + in[low*wide+far]*8 - in[min(y, y-1)*wide+min(x-1, x)]
	}
}

func mhClampUSerial(_ grid.Config, n, w, h int, in, out []float32) {
	for i := range out {
		at := func(dx, dy int) float32 { return in[min(max(i/w+dy, 0), h-1)*w+min(max(i%w+dx, 0), w-1)] }
		out[i] = at(-1, 0) + at(1, 0) - at(0, -1)*2 + at(0, 1)*4 + at(-n, n)*8 - at(-1, -1)
	}
}

// Counters of 32 bits that begin near the middle or the end of their range, and wrap around.
//
//gocuda:kernel
func mhFarCounter(t *gocuda.Thread, n, w, h int, in, out []int32) {
	begin, limit := uint32(w), uint32(h)
	stride := uint32(t.GridDim.X * t.BlockDim.X)
	for i := begin + uint32(t.GlobalX()); i < limit && i >= begin; i += stride {
		out[i-begin] = in[(i-begin)^uint32(n)] + int32(i)
	}
}

func mhFarCounterSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for i := range min(h, 1<<32) - w {
		out[i] = in[i^n] + int32(uint32(i+w))
	}
}

// Grid-stride loops with limits near the ends of 32 bits, which end at once: the places are far behind the limit,
// or a break ends them.
//
//gocuda:kernel
func mhFarLimit(t *gocuda.Thread, n, w, h int, in, out []int32) {
	limit := uint32(w)
	stride := uint32(t.GridDim.X*t.BlockDim.X) << h
	for i := uint32(t.GlobalX()); i < limit; i += stride {
		if i >= uint32(len(out)) {
			break
		}
		out[i] = in[i]*3 - in[uint32(len(out))-1-i]
	}
	for i := limit - 1 - uint32(t.GlobalX()); i < limit; i -= stride {
		at := limit - 1 - i
		if at >= uint32(n) {
			return
		}
		out[at] ^= in[at/2]
	}
}

func mhFarLimitSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	all := cfg.Blocks() * cfg.Threads()
	for i := range out {
		if i%(all<<h) >= all || i >= w {
			continue
		}
		out[i] = in[i]*3 - in[len(out)-1-i]
		if i < n {
			out[i] ^= in[i/2]
		}
	}
}

// The same in int32, where the counter of some threads comes near to the end; and in int64 and uint.
//
//gocuda:kernel
func mhFarSigned(t *gocuda.Thread, n, w, h int, in, out []int32) {
	x := t.GlobalX()
	sum := int32(0)
	begin, stride := int32(w), int32(h)
	for i := begin + int32(x); i > 0; i += stride {
		sum += in[i-begin] + i
	}
	for i := int64(w) + int64(x); i < int64(w)+int64(n); i += int64(h) {
		sum = sum*3 + in[i-int64(w)]
	}
	for i := uint(x); i-uint(h) > uint(n); i += uint(h) {
		sum ^= in[i]
	}
	out[x] = sum
}

func mhFarSignedSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for x := range out {
		sum := int32(0)
		for i := x; i+w < 1<<31; i += h {
			sum += in[i] + int32(i+w)
		}
		for i := x; i < n; i += h {
			sum = sum*3 + in[i]
		}
		for i := x; i < h || i-h > n; i += h {
			sum ^= in[i]
		}
		out[x] = sum
	}
}

// Conditions on differences that wrap around, instead of two comparisons.
//
//gocuda:kernel
func mhInterior(t *gocuda.Thread, n, w, h int, in, out []float32) {
	x, y := uint32(t.GlobalX()), uint32(t.GlobalY())
	wide, high := uint32(w), uint32(h)
	if x >= wide || y >= high {
		return
	}
	i := y*wide + x
	sum := in[i] * 4
	if x-1 < wide-2 && y-1 < high-2 {
		sum += in[i-1] + in[i+1] - in[i-wide] - in[i+wide]
	}
	if x-uint32(n) < wide {
		sum += in[i-uint32(n)] * 8
	}
	if d := x - y; d < 1<<31 {
		sum -= in[d]
	} else if d = -d; d < wide {
		sum -= in[d] * 2
	}
	if y+^uint32(0) < high {
		sum += in[(y-1)*wide+x] * 16
	}
	out[i] = sum
}

func mhInteriorSerial(_ grid.Config, n, w, h int, in, out []float32) {
	for i := range out {
		x, y := i%w, i/w
		sum := in[i] * 4
		if x > 0 && x < w-1 && y > 0 && y < h-1 {
			sum += in[i-1] + in[i+1] - in[i-w] - in[i+w]
		}
		if x >= n {
			sum += in[i-n] * 8
		}
		if x >= y {
			sum -= in[x-y]
		} else if y-x < w {
			sum -= in[y-x] * 2
		}
		if y > 0 {
			sum += in[i-w] * 16
		}
		out[i] = sum
	}
}

// Places in 32 bits that wrap around on purpose: rows of a negative width, a multiplication by an inverse, and one
// that moves the row to the upper bits.
//
//gocuda:kernel
func mhFlatWrap(t *gocuda.Thread, n, w, h int, in, out []int32) {
	x, y := uint32(t.GlobalX()), uint32(t.GlobalY())
	wide := uint32(w)
	if x >= wide || y >= uint32(h) {
		return
	}
	back := -wide
	i := y*wide + x
	sum := in[y*back+x+(uint32(h)-1)*wide]
	sum = sum*3 + in[(i*0xaaaaaaab*3)]
	z := y<<27*uint32(n) + x
	sum ^= in[z>>20] + in[z%wide]
	s := int32(y)*-int32(wide) - int32(x)
	sum += in[-s]
	out[i] = sum - in[x*0xfffffffe+2*wide]
}

func mhFlatWrapSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		x, y := i%w, i/w
		z := int(uint32(y<<27*n + x))
		out[i] = ((in[(h-1-y)*w+x]*3 + in[i]) ^ (in[z>>20] + in[z%w])) + in[i] - in[2*w-2*x]
	}
}

// Bits of unsigned indices: masks, halves and neighbours of a width that is a power of two.
//
//gocuda:kernel
func mhMasks(t *gocuda.Thread, n, w, h int, in, out []int32) {
	i, mask := uint32(t.GlobalX()), uint32(w-1)
	if i >= uint32(len(out)) {
		return
	}
	x, row := i&mask, i&^mask
	sum := in[row|(x-1)&mask] + in[row|(x+1)&mask]*3
	sum ^= in[row+(x^mask)] - in[i>>1]
	sum = sum*5 + in[row|x>>1] + in[(i-uint32(n))&0xff]
	y := i / uint32(w)
	sum -= in[(y-1)&uint32(h-1)*uint32(w)+x] ^ in[(y+uint32(n))&uint32(h-1)<<3]
	out[i] = sum
}

func mhMasksSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		x, y := i%w, i/w
		row := in[y*w:]
		sum := row[(x+w-1)%w] + row[(x+1)%w]*3
		sum ^= row[w-1-x] - in[i/2]
		sum = sum*5 + row[x/2] + in[(i-n)&255]
		out[i] = sum - (in[(y+h-1)%h*w+x] ^ in[(y+n)%h*8])
	}
}

// The unsigned place left of the first one.
//
//gocuda:kernel
func mhFailLeft(t *gocuda.Thread, who int, in, out []int32) {
	i := uint32(t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + t.Rank())
	at := i + 1
	if unlucky(t, who) {
		at = 0
	}
	out[i] = in[at-1]*3 + in[i]
}

// A torus whose width is zero for one thread, and a place that a wrap-around brings beyond the end.
//
//gocuda:kernel
func mhFailTorus(t *gocuda.Thread, who int, in, out []int32) {
	i := uint32(t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + t.Rank())
	wide := uint32(10)
	x := i % 10
	if unlucky(t, who) {
		wide = uint32(len(in)) + 0x80000000
		x = 0
	}
	out[i] = in[(x-1+wide)%wide] + in[x]
}

type mhNumber interface {
	uint8 | int32 | int64 | float32 | float64
}

// A partner in the block whose number differs as the launch says; not all threads have one.
//
//gocuda:kernel
func mhPartner[T mhNumber](t *gocuda.Thread, n, w, h int, in, out []T) {
	s := gocuda.Shared[T](t, 512)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	s[tid] = in[i]
	t.SyncThreads()
	v := s[tid]
	if p := tid ^ n; p >= 0 && p < dim {
		v = v*3 + s[p]
	}
	if p := uint32(tid) ^ uint32(w); p < uint32(dim) {
		v -= s[p]
	} else {
		v += 2
	}
	for d := int32(1); d < int32(h); d = d*2 + 1 {
		if p := int32(tid) ^ d; int(p) < dim {
			v += s[p]
		}
	}
	out[i] = v
}

func mhPartnerSerial[T mhNumber](cfg grid.Config, n, w, h int, in, out []T) {
	dim := cfg.Threads()
	for i := range out {
		first, tid := i/dim*dim, i%dim
		v := in[i]
		if p := tid ^ n; p >= 0 && p < dim {
			v = v*3 + in[first+p]
		}
		if p := uint32(tid ^ w); int(p) < dim {
			v -= in[first+int(p)]
		} else {
			v += 2
		}
		for d := 1; d < h; d += d + 1 {
			if p := tid ^ d; p < dim {
				v += in[first+p]
			}
		}
		out[i] = v
	}
}

// A step of a bitonic sort in global memory: the thread with the lower number exchanges both elements, if there
// are two.
//
//gocuda:kernel
func mhExchange[T mhNumber](t *gocuda.Thread, n, w, h int, in, out []T) {
	i := t.BlockIdx.X*t.BlockDim.X + t.ThreadIdx.X
	p := i ^ w
	if p > i && p < n {
		a, b := out[i], out[p]
		if i&h == 0 {
			if a > b {
				out[i], out[p] = b, a
			}
		} else if a < b {
			out[i] = b
			out[p] = a
		}
	} else if p == i {
		out[i] += in[i]
	}
}

func mhExchangeSerial[T mhNumber](_ grid.Config, n, w, h int, in, out []T) {
	for i := range n {
		switch p := i ^ w; {
		case p == i:
			out[i] += in[i]
		case p > i && p < n:
			if (i&h == 0) == (out[i] > out[p]) && out[i] != out[p] {
				out[i], out[p] = out[p], out[i]
			}
		}
	}
}

// Blocks sort their elements.
//
//gocuda:kernel
func mhBitonic[T mhNumber](t *gocuda.Thread, n, w, h int, in, out []T) {
	s := gocuda.Shared[T](t, 512)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	s[tid] = in[i]
	t.SyncThreads()
	for k := 2; k <= dim; k <<= 1 {
		for j := k >> 1; j > 0; j >>= 1 {
			if p := tid ^ j; p > tid {
				if (tid&k == 0) == (s[tid] > s[p]) {
					s[tid], s[p] = s[p], s[tid]
				}
			}
			t.SyncThreads()
		}
	}
	out[i] = s[tid]
}

func mhBitonicSerial[T mhNumber](cfg grid.Config, n, w, h int, in, out []T) {
	perBlock(cfg, out, func(_, first int, out []T) {
		copy(out, in[first:])
		slices.Sort(out)
	})
}

// The same with a thread for two elements, whose places are made of bits.
//
//gocuda:kernel
func mhBitonicPairs(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, dim := uint32(t.ThreadIdx.X), uint32(t.BlockDim.X)
	first := uint32(t.BlockIdx.X) * dim * 2
	s[tid], s[tid+dim] = in[first+tid], in[first+tid+dim]
	for size := uint32(2); size <= 2*dim; size *= 2 {
		for d := size / 2; d > 0; d /= 2 {
			t.SyncThreads()
			a := 2*tid - tid&(d-1)
			b := a | d
			if up := a&size == 0; s[a] > s[b] == up {
				s[a], s[b] = s[b], s[a]
			}
		}
	}
	t.SyncThreads()
	out[first+tid], out[first+tid^dim] = s[tid], s[tid+dim]
}

func mhBitonicPairsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	dim := 2 * cfg.Threads()
	for b := range cfg.Blocks() {
		copy(out[b*dim:][:dim], in[b*dim:])
		slices.Sort(out[b*dim:][:dim])
	}
}

// A butterfly: everybody has the sum, from one array into another. In blocks of other sizes some have less.
//
//gocuda:kernel
func mhButterfly[T mhNumber](t *gocuda.Thread, n, w, h int, in, out []T) {
	a := gocuda.Shared[T](t, 512)
	b := gocuda.Shared[T](t, 512)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	a[tid] = in[i]
	t.SyncThreads()
	for d := n; d < dim; d += d {
		p := tid ^ d
		if p < dim {
			b[tid] = a[tid] + a[p]
		} else {
			b[tid] = a[tid] * 2
		}
		t.SyncThreads()
		a[tid] = b[tid]
		t.SyncThreads()
	}
	out[i] = a[tid]
}

func mhButterflySerial[T mhNumber](cfg grid.Config, n, w, h int, in, out []T) {
	dim := cfg.Threads()
	perBlock(cfg, out, func(_, first int, out []T) {
		copy(out, in[first:])
		for d := n; d < dim; d *= 2 {
			old := append([]T(nil), out...)
			for k := range out {
				if k^d < dim {
					out[k] += old[k^d]
				} else {
					out[k] *= 2
				}
			}
		}
	})
}

// The transform of Walsh and Hadamard, with the bit as a condition in two spellings.
//
//gocuda:kernel
func mhWalsh[T mhNumber](t *gocuda.Thread, n, w, h int, in, out []T) {
	s := gocuda.Shared[T](t, 512)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	s[tid] = in[i]
	t.SyncThreads()
	for d := dim / 2; d > 0; d >>= 1 {
		v := s[tid^d]
		t.SyncThreads()
		if tid&d == 0 {
			s[tid] += v
		} else {
			s[tid] = v - s[tid]
		}
		t.SyncThreads()
	}
	for d := 1; d < w; d *= 2 {
		if tid < tid^d {
			a, b := s[tid], s[tid|d]
			s[tid], s[tid|d] = a+b, a-b
		}
		t.SyncThreads()
	}
	out[i] = s[tid]
}

func mhWalshSerial[T mhNumber](cfg grid.Config, n, w, h int, in, out []T) {
	dim := cfg.Threads()
	step := func(s []T, d int) {
		for k := range s {
			if k&d == 0 {
				s[k], s[k+d] = s[k]+s[k+d], s[k]-s[k+d]
			}
		}
	}
	perBlock(cfg, out, func(_, first int, out []T) {
		copy(out, in[first:])
		for d := dim / 2; d > 0; d /= 2 {
			step(out, d)
		}
		for d := 1; d < w; d *= 2 {
			step(out, d)
		}
	})
}

// The largest and the sum of all, for all, by partners at distances that are constants.
//
//gocuda:kernel
func mhAllReduce[T mhNumber](t *gocuda.Thread, n, w, h int, in, out []T) {
	s := gocuda.Shared[T](t, 512)
	m := gocuda.Shared[T](t, 512)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	s[tid], m[tid] = in[i], in[i]
	t.SyncThreads()
	for _, d := range [3]int{1, 2, 4} {
		sum, most := s[tid]+s[tid^d], max(m[tid], m[tid^d])
		t.SyncThreads()
		s[tid], m[tid] = sum, most
		t.SyncThreads()
	}
	v := s[tid^7]*2 + m[tid^6] - s[tid^5] + m[tid^3]
	for k := 8; k < dim; k += 8 {
		if p := tid ^ k; p < dim {
			v += s[p]
			v = max(v, m[p])
		}
	}
	out[i] = v
}

func mhAllReduceSerial[T mhNumber](cfg grid.Config, n, w, h int, in, out []T) {
	dim := cfg.Threads()
	for i := range out {
		first := i / dim * dim
		eight := func(p int) (sum, most T) {
			e := in[first+p/8*8:][:8]
			return e[0] + e[1] + e[2] + e[3] + e[4] + e[5] + e[6] + e[7], slices.Max(e)
		}
		sum, most := eight(i - first)
		v := sum + most*2
		for k := 8; k < dim; k += 8 {
			if p := (i - first) ^ k; p < dim {
				sum, most := eight(p)
				v = max(v+sum, most)
			}
		}
		out[i] = v
	}
}

// What is set, cleared and inverted in the index of an element.
//
//gocuda:kernel
func mhBits[T mhNumber](t *gocuda.Thread, n, w, h int, in, out []T) {
	s := gocuda.Shared[T](t, 1024)
	tid := t.ThreadIdx.X
	i := t.BlockIdx.X*t.BlockDim.X + tid
	for k := tid; k < 1024; k += t.BlockDim.X {
		s[k] = in[k] + T(t.BlockIdx.X)
	}
	t.SyncThreads()
	v := s[tid|n] + s[tid&^n]*3 - s[tid^n]
	v += s[(tid|w)^1] + s[tid&w]
	v -= s[(tid^5|w)&1023] * 2
	v += s[(tid^n)^(tid&h)] + s[tid^6^n]
	out[i] = v - s[1023^tid]
}

func mhBitsSerial[T mhNumber](cfg grid.Config, n, w, h int, in, out []T) {
	for i := range out {
		k, b := i%cfg.Threads(), T(i/cfg.Threads())
		at := func(k int) T { return in[k] + b }
		v := at(k|n) + at(k-k&n)*3 - at(k^n)
		v += at((k|w)^1) + at(k&w)
		v -= at((k^5|w)%1024) * 2
		v += at(k^n^k&h) + at(k^6^n)
		out[i] = v - at(1023-k)
	}
}

// Partners anywhere in the grid, and results that go to the partner. What is beyond the end has none.
//
//gocuda:kernel
func mhAcross[T mhNumber](t *gocuda.Thread, n, w, h int, in, out []T) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	p, q := i^w, i^h
	v := in[i]
	if p < n && p >= 0 {
		v += in[p] * 2
	}
	if q < n && i&h == 0 {
		v -= in[q]
	}
	if q >= n {
		q = i
	}
	if q >= 0 {
		out[q] = v + in[q^1&^1]
	}
}

func mhAcrossSerial[T mhNumber](cfg grid.Config, n, w, h int, in, out []T) {
	for i := range min(n, cfg.Blocks()*cfg.Threads()) {
		v := in[i]
		if p := i ^ w; p >= 0 && p < n {
			v += in[p] * 2
		}
		to := i ^ h
		if to < n && i&h == 0 {
			v -= in[to]
		}
		if to >= n {
			to = i
		}
		if to >= 0 {
			out[to] = v + in[to]
		}
	}
}

// Distances that go through numbers which are no powers of two, as halves of the block's size or by steps.
//
//gocuda:kernel
func mhDistances(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	s[tid] = in[i]
	t.SyncThreads()
	for d := dim / 2; d > 0; d /= 2 {
		v := s[min(tid^d, dim-1)]
		t.SyncThreads()
		s[tid] = s[tid]*3 - v
		t.SyncThreads()
	}
	sum := s[tid]
	for d := -n; d <= n; d += w {
		if p := tid ^ d; uint(p) < uint(dim) {
			sum = sum*5 + s[p]
		}
	}
	p := tid
	for k := range h {
		if p ^= 1 << k; p < dim {
			sum ^= s[p] << k
		}
	}
	out[i] = sum
}

func mhDistancesSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	dim := cfg.Threads()
	perBlock(cfg, out, func(_, first int, out []int32) {
		s := append([]int32(nil), in[first:first+dim]...)
		for d := dim / 2; d > 0; d /= 2 {
			old := append([]int32(nil), s...)
			for k := range s {
				s[k] = old[k]*3 - old[min(k^d, dim-1)]
			}
		}
		for k := range out {
			sum := s[k]
			for d := -n; d <= n; d += w {
				if p := k ^ d; p >= 0 && p < dim {
					sum = sum*5 + s[p]
				}
			}
			for j := range h {
				if p := k ^ (2<<j - 1); p < dim {
					sum ^= s[p] << j
				}
			}
			out[k] = sum
		}
	})
}

// In blocks with an odd number of threads the last one has no partner.
//
//gocuda:kernel
func mhFailPartner(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 33)
	tid := t.Rank()
	i := t.BlockIdx.X*33 + tid
	s[tid] = in[i]
	t.SyncThreads()
	d := 0
	if t.BlockIdx.X == 1 {
		d = who
	}
	out[i] = s[tid^d] + s[tid]
}

// The partner of one thread is beyond the end of the data; and one is negative.
//
//gocuda:kernel
func mhFailAcross(t *gocuda.Thread, who int, in, out []int32) {
	i := t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + t.Rank()
	d := 1
	if i >= len(in)/2*2 {
		d = 0
	}
	if unlucky(t, who) {
		d = 1 << 20
		if who%2 == 1 {
			d = -8
		}
	}
	p := i ^ d
	if in[i] > 0 {
		out[i] = in[p] - in[i]
	}
}

// Sums along rows of a tile go to a second tile, sums along its columns to the result; the radius is the launch's.
//
//gocuda:kernel
func mhSeparable(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[int32](t, 24*24)
	mid := gocuda.Shared[int32](t, 24*16)
	tid, threads := t.ThreadIdx.Y*t.BlockDim.X+t.ThreadIdx.X, t.BlockDim.X*t.BlockDim.Y
	side := 16 + 2*n
	x0, y0 := t.BlockIdx.X*16-n, t.BlockIdx.Y*16-n
	for i := tid; i < side*side; i += threads {
		x, y := x0+i%side, y0+i/side
		tile[i] = in[min(max(y, 0), h-1)*w+min(max(x, 0), w-1)]
	}
	t.SyncThreads()
	for i := tid; i < side*16; i += threads {
		s := int32(0)
		for k := 0; k <= 2*n; k++ {
			s += tile[i/16*side+i%16+k] * int32(k+1)
		}
		mid[i] = s
	}
	t.SyncThreads()
	for i := tid; i < 256; i += threads {
		s := int32(1)
		for k := range 2*n + 1 {
			s = s*3 + mid[i+k*16]
		}
		if x, y := x0+n+i%16, y0+n+i/16; x < w && y < h {
			out[y*w+x] = s
		}
	}
}

func mhSeparableSerial(_ grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		s := int32(1)
		for dy := -n; dy <= n; dy++ {
			row, sum := min(max(i/w+dy, 0), h-1)*w, int32(0)
			for dx := -n; dx <= n; dx++ {
				sum += in[row+min(max(i%w+dx, 0), w-1)] * int32(dx+n+1)
			}
			s = s*3 + sum
		}
		out[i] = s
	}
}

// The same with constants, floats, and a window of seven.
//
//gocuda:kernel
func mhWindow7(t *gocuda.Thread, n, w, h int, in, out []float32) {
	tile := gocuda.Shared[float32](t, 22*24)
	mid := gocuda.Shared[float32](t, 18*16)
	tid, threads := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	for i := tid; i < 22*24; i += threads {
		tile[i] = in[t.BlockIdx.X*n+i]
	}
	t.SyncThreads()
	for i := tid; i < 18*16; i += threads {
		s := float32(0)
		for k := 0; k < 7; k++ {
			s += tile[i/16*24+i%16+k]
		}
		mid[i] = s
	}
	t.SyncThreads()
	for i := tid; i < 12*16; i += threads {
		s := float32(0)
		for k := 0; k < 7; k++ {
			s += mid[(i/16+k)*16+i%16] * float32(k)
		}
		out[t.BlockIdx.X*192+i] = s
	}
}

func mhWindow7Serial(cfg grid.Config, n, w, h int, in, out []float32) {
	for b := range cfg.Blocks() {
		for i := range 192 {
			s := float32(0)
			for y := range 7 {
				row := float32(0)
				for x := range 7 {
					row += in[b*n+(i/16+y)*24+i%16+x]
				}
				s += row * float32(y)
			}
			out[b*192+i] = s
		}
	}
}

// The inner loop stores.
//
//gocuda:kernel
func mhInnerStores(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[int32](t, 1200)
	tid, threads := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	base := t.BlockIdx.X * n * w
	for i := tid; i < n; i += threads {
		for k := 0; k < w; k++ {
			tile[i*w+k] = in[base+i+k*n] + int32(k)
		}
	}
	t.SyncThreads()
	for i := tid; i < n*w; i += threads {
		y, x := i/n, i%n
		s := tile[x*w+y]
		for k := y; k < w; k += h {
			s = s*3 - tile[x*w+k]
			out[base+i] = s
		}
	}
	t.SyncThreads()
	for i := tid; i < w; i += threads {
		s := int32(0)
		for k := 0; k < n; k++ {
			s += tile[k*w+i]
			tile[k*w+i] = s
		}
		out[base+i*n] ^= s
	}
	t.SyncThreads()
	for i := tid; i < n; i += threads {
		out[base+i] += tile[i*w+w-1]
	}
}

func mhInnerStoresSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	for b := range cfg.Blocks() {
		in, out := in[b*n*w:], out[b*n*w:]
		at := func(x, y int) int32 { return in[y*n+x] + int32(y) }
		for i := range n * w {
			x, y := i%n, i/n
			out[i] = at(x, y)
			for k := y; k < w; k += h {
				out[i] = out[i]*3 - at(x, k)
			}
		}
		last := int32(0)
		for y := range w {
			s := int32(0)
			for x := range n {
				s += at(x, y)
			}
			out[y*n] ^= s
		}
		for x := range n {
			last += at(x, w-1)
			out[x] += last
		}
	}
}

// Inner loops that end early, where data say so, and what they leave behind.
//
//gocuda:kernel
func mhInnerBreaks(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[int32](t, 512)
	mid := gocuda.Shared[int32](t, 512)
	tid, threads := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	base := t.BlockIdx.X * n
	for i := tid; i < n+w; i += threads {
		tile[i] = in[base+i]
	}
	t.SyncThreads()
	for i := tid; i < n; i += threads {
		s, k := int32(0), 0
		for ; k < w; k++ {
			v := tile[i+k]
			if v&7 == 0 {
				break
			}
			if v < 0 {
				continue
			}
			s += v
		}
		mid[i] = s ^ int32(k)
	}
	t.SyncThreads()
	for i := tid; i < n; i += threads {
		if mid[i]%5 == 1 {
			out[base+i] = -1
			continue
		}
		found := -1
		for k := 0; k < h && k <= i; k++ {
			if mid[i-k] > mid[i] {
				found = k
				break
			}
		}
		out[base+i] = int32(found)
	}
}

func mhInnerBreaksSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	for b := range cfg.Blocks() {
		mid := make([]int32, n)
		for i := range mid {
			s, k := int32(0), 0
			for k < w && in[b*n+i+k]%8 != 0 {
				s += max(in[b*n+i+k], 0)
				k++
			}
			mid[i] = s ^ int32(k)
		}
		for i, m := range mid {
			out[b*n+i] = -1
			if m%5 == 1 {
				continue
			}
			for k := min(h-1, i); k >= 0; k-- {
				if mid[i-k] > m {
					out[b*n+i] = int32(k)
				}
			}
		}
	}
}

// Two loops in the loop, of which the inner one has a length that the outer one gives.
//
//gocuda:kernel
func mhInnerTwice(t *gocuda.Thread, n, w, h int, in, out []float32) {
	tile := gocuda.Shared[[40]float32](t, 24)
	mid := gocuda.Shared[float32](t, 18*16)
	tid, threads := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	for i := tid; i < 24*40; i += threads {
		tile[i/40][i%40] = in[t.BlockIdx.X*w+i]
	}
	t.SyncThreads()
	for i := tid; i < 18*16; i += threads {
		y, x := i>>4, i&15
		s := float32(0)
		for dy := 0; dy < n; dy++ {
			for dx := 0; dx < h; dx++ {
				s += tile[y+dy][x+dx*2]
			}
			for dx := dy; dx >= 0; dx-- {
				s -= tile[y][x+dx] * 2
			}
		}
		mid[i] = s
	}
	t.SyncThreads()
	for i := tid; i < 18*16; i += threads {
		out[t.BlockIdx.X*288+i] = mid[i] + mid[i/16*16]*2 - mid[(i+16)%288]
	}
}

func mhInnerTwiceSerial(cfg grid.Config, n, w, h int, in, out []float32) {
	for b := range cfg.Blocks() {
		mid := make([]float32, 288)
		for i := range mid {
			at := func(dy, dx int) float32 { return in[b*w+(i/16+dy)*40+i%16+dx] }
			for dy := range n {
				for dx := range h {
					mid[i] += at(dy, 2*dx)
				}
				for dx := range dy + 1 {
					mid[i] -= at(0, dy-dx) * 2
				}
			}
		}
		for i, m := range mid {
			out[b*288+i] = m + mid[i/16*16]*2 - mid[(i+16)%288]
		}
	}
}

// A sum that goes on from round to round, by itself and as the start of that of the inner loop.
//
//gocuda:kernel
func mhCarried(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[int32](t, 1024)
	tid, threads := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	base := t.BlockIdx.X * n
	for i := tid; i < n+w; i += threads {
		tile[i] = in[base+i]
	}
	t.SyncThreads()
	all, s, rounds := int32(1), int32(0), 0
	for i := tid; i < n; i += threads {
		for k := 0; k < w; k++ {
			s += tile[i+k]
		}
		r := all
		for k := range h {
			r = r*3 + tile[i]>>k
		}
		all = r ^ s
		out[base+i] = all + int32(rounds)
		rounds++
	}
	t.SyncThreads()
	tile[tid] = all - s
	t.SyncThreads()
	last := int32(0)
	for i := tid; i < 2*threads; i += threads {
		for k := 0; k < 4; k++ {
			last = last*5 + tile[(i+k)%threads]
		}
	}
	out[t.GridDim.X*n+t.BlockIdx.X*threads+tid] = last
}

func mhCarriedSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	threads := cfg.Threads()
	for b := range cfg.Blocks() {
		left := make([]int32, threads)
		for tid := range threads {
			all, s := int32(1), int32(0)
			for i := tid; i < n; i += threads {
				for _, v := range in[b*n+i:][:w] {
					s += v
				}
				for k := range h {
					all = all*3 + in[b*n+i]>>k
				}
				all ^= s
				out[b*n+i] = all + int32(i/threads)
			}
			left[tid] = all - s
		}
		for tid := range threads {
			last := int32(0)
			for range 2 {
				for k := range 4 {
					last = last*5 + left[(tid+k)%threads]
				}
			}
			out[cfg.Blocks()*n+b*threads+tid] = last
		}
	}
}

// Lengths of the inner loop that depend on the element, and some that are loaded.
//
//gocuda:kernel
func mhInnerLengths(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[int32](t, 600)
	tid, threads := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	base := t.BlockIdx.X * n
	for i := tid; i < n; i += threads {
		tile[i] = in[base+i]
	}
	t.SyncThreads()
	for i := tid; i < n; i += threads {
		y, x := i/w, i%w
		s, p := int32(0), int32(1)
		for k := 0; k <= x; k++ {
			s += tile[y*w+k]
		}
		for k := y; k < n/w; k++ {
			p = p*3 + tile[k*w+x]
		}
		for k := 0; k < int(tile[i]&7); k++ {
			s ^= tile[(i+k*h)%n]
		}
		at := i
		for k := h; k > 0 && at >= w; k-- {
			at -= w
			p -= tile[at]
		}
		out[base+i] = s*5 + p + int32(at)
	}
}

func mhInnerLengthsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	for b := range cfg.Blocks() {
		tile := in[b*n:][:n]
		for i := range tile {
			s, p := int32(0), int32(1)
			for k := i - i%w; k <= i; k++ {
				s += tile[k]
			}
			for k := i; k/w < n/w; k += w {
				p = p*3 + tile[k]
			}
			for k := range int(tile[i] & 7) {
				s ^= tile[(i+k*h)%n]
			}
			up := min(i/w, h)
			for k := range up {
				p -= tile[i-(k+1)*w]
			}
			out[b*n+i] = s*5 + p + int32(i-up*w)
		}
	}
}

// Rounds of a loop with a barrier, in each of which the block fills a tile from a place that marches and sums it up.
//
//gocuda:kernel
func mhInnerMarch(t *gocuda.Thread, n, w, h int, in, out []int32) {
	tile := gocuda.Shared[int32](t, 16*20)
	mid := gocuda.Shared[int32](t, 16*16)
	tid, threads := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	from := uint32(t.BlockIdx.X * w)
	for i := tid; i < 256; i += threads {
		mid[i] = 0
	}
	for z := 0; z < n; z++ {
		for i := uint32(tid); i < 16*20; i += uint32(threads) {
			tile[i] = in[from+i/20*uint32(h)+i%20]
		}
		from += uint32(w)
		t.SyncThreads()
		for i := tid; i < 256; i += threads {
			at := i/16*20 + i%16
			s := mid[i]
			for k := 0; k < 5; k++ {
				s = s*3 + tile[at]
				at++
			}
			mid[i] = s - tile[at-1]
		}
		t.SyncThreads()
	}
	for i := tid; i < 256; i += threads {
		out[t.BlockIdx.X*256+i] = mid[i] + int32(from)
	}
}

func mhInnerMarchSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	for i := range cfg.Blocks() * 256 {
		b, y, x := i/256, i/16%16, i%16
		s := int32(0)
		for z := range n {
			row := in[(b+z)*w+y*h+x:]
			for _, v := range row[:5] {
				s = s*3 + v
			}
			s -= row[4]
		}
		out[i] = s + int32((b+n)*w)
	}
}

// One element of the tile that an inner loop reads is missing.
//
//gocuda:kernel
func mhFailInner(t *gocuda.Thread, who int, in, out []int32) {
	tile := gocuda.Shared[int32](t, 18*22)
	mid := gocuda.Shared[int32](t, 18*16)
	tid, threads := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	for i := tid; i < 18*22; i += threads {
		tile[i] = in[i%len(in)]
	}
	t.SyncThreads()
	more := 0
	if t.BlockIdx.X == 1 {
		more = 1
	}
	for i := tid; i < 18*16; i += threads {
		s := int32(0)
		for k := 0; k < 7; k++ {
			s += tile[i/16*22+i%16+k+more]
		}
		mid[i] = s
	}
	t.SyncThreads()
	out[t.BlockIdx.X*threads+tid] = mid[tid]
}

// The inner loop stores to an element that the slice does not have, in its last round.
//
//gocuda:kernel
func mhFailInnerStore(t *gocuda.Thread, who int, in, out []int32) {
	tid, threads := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	n := len(out) / 3
	if t.BlockIdx.X != 1 {
		return
	}
	for i := tid; i < n; i += threads {
		s := in[i]
		for k := 0; k < 3; k++ {
			s += int32(k)
			to := i*3 + k
			if i == n-1-who && k == 2 {
				to = len(out)
			}
			out[to] = s
		}
	}
}

// Counts of 64 bits, of which most are too large: what is left is nothing, or the sign.
//
//gocuda:kernel
func mhShift64(t *gocuda.Thread, n, w, h int, in, out []int64) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	v, c := in[i], in[i+n]
	k := uint64(c)
	a := v<<k ^ v>>k
	a += v << (k & 63)
	a -= v >> (k & 127)
	a ^= int64(uint64(v) >> (k % 70))
	s := int64(uint(i*w)%90) + int64(h)
	a += v<<s - v>>s
	out[i] = a ^ 1<<uint64(s)
}

func mhShift64Serial(_ grid.Config, n, w, h int, in, out []int64) {
	double := func(v int64, k uint64) int64 {
		for range min(k, 64) {
			v *= 2
		}
		return v
	}
	half := func(v int64, k uint64) int64 {
		for range min(k, 64) {
			v = (v - v&1) / 2
		}
		return v
	}
	for i := range out {
		v, k := in[i], uint64(in[i+n])
		a := double(v, k) ^ half(v, k)
		a += double(v, k%64)
		a -= half(v, k%128)
		u := uint64(v)
		for range k % 70 {
			u /= 2
		}
		s := uint64(i*w%90 + h)
		a ^= int64(u)
		a += double(v, s) - half(v, s)
		out[i] = a ^ double(1, s)
	}
}

// Numbers of 32, 16 and 8 bits by counts of 64.
//
//gocuda:kernel
func mhShiftSmall(t *gocuda.Thread, n, w, h int, in []int64, out []int32) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	c := uint64(in[i+n])
	v := int32(in[i])
	b, s := uint8(v), int16(v)
	a := v<<c ^ v>>c
	a += v<<(c&31) - v>>(c%33)
	a ^= int32(uint32(v) >> (c & 63))
	a += int32(b<<(c&7)) + int32(b>>(c%9))*3 - int32(s>>(c&15))
	a ^= int32(s << (c % 17))
	a -= int32(uint32(1)<<(uint64(i)*uint64(w))) + int32(1)<<(c>>58)
	out[i] = a
}

func mhShiftSmallSerial(_ grid.Config, n, w, h int, in []int64, out []int32) {
	up := func(v int32, k uint64) int32 {
		for range min(k, 40) {
			v += v
		}
		return v
	}
	down := func(v int32, k uint64) int32 {
		return int32(math.Floor(math.Ldexp(float64(v), -int(min(k, 40)))))
	}
	for i := range out {
		c, v := uint64(in[i+n]), int32(in[i])
		b, s := int32(uint8(v)), int32(int16(v))
		a := up(v, c) ^ down(v, c)
		a += up(v, c%32) - down(v, c%33)
		a ^= int32(uint32(math.Ldexp(float64(uint32(v)), -int(c%64))))
		a += up(b, c%8)&255 + down(b, c%9)*3 - down(s, c%16)
		a ^= int32(int16(up(s, c%17)))
		a -= up(1, uint64(i)*uint64(w)) + up(1, c>>58)
		out[i] = a
	}
}

// Fields of bits, rotations and masks, whose places a thread computes.
//
//gocuda:kernel
func mhFields(t *gocuda.Thread, n, w, h int, in, out []uint64) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	v := in[i]
	at, size := uint64(i*w)%64, in[i+n]&15+1
	field := v >> at & (1<<size - 1)
	mask := ^uint64(0) << size << at
	turned := v<<at | v>>(64-at)
	top := int64(v) >> (63 - at)
	sum := field*3 + v&mask ^ turned
	for k := uint64(0); k < uint64(h); k++ {
		sum += turned >> (k * size)
		if v>>k&1 != 0 {
			sum ^= 1 << (63 - k)
		}
	}
	out[i] = sum - uint64(top)
}

func mhFieldsSerial(_ grid.Config, n, w, h int, in, out []uint64) {
	for i := range out {
		v := in[i]
		at, size := i*w%64, int(in[i+n]%16+1)
		bit := func(k int) uint64 { return v >> (uint(k) % 64) & 1 }
		var field, masked, turned, top uint64
		for k := range 64 {
			if k < size && at+k < 64 {
				field |= bit(at+k) << k
			}
			if k >= size+at {
				masked |= bit(k) << k
			}
			turned |= bit(k-at+64) << k
			top |= bit(min(k+63-at, 63)) << k
		}
		sum := field*3 + masked ^ turned
		for k := range h {
			if k*size < 64 {
				sum += turned >> (k * size)
			}
			if bit(k) == 1 {
				sum ^= 1 << (63 - k)
			}
		}
		out[i] = sum - top
	}
}

// Integers of 64 bits become floats.
//
//gocuda:kernel
func mhToFloats(t *gocuda.Thread, n, w, h int, in []int64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i]
	out[i] = float64(v)
	out[i+n] = float64(uint64(v))
	out[i+2*n] = float64(float32(v))
	out[i+3*n] = float64(float32(uint64(v)))
	out[i+4*n] = float64(float32(float64(v))) + float64(int32(v))*0x1p-40
	out[i+5*n] = float64(v>>uint(w)) - float64(uint64(v)>>uint(h))
}

func mhToFloatsSerial(_ grid.Config, n, w, h int, in []int64, out []float64) {
	exact := func(v *big.Int) *big.Float { return new(big.Float).SetPrec(100).SetInt(v) }
	for i := range n {
		v := big.NewInt(in[i])
		u := new(big.Int).SetUint64(uint64(in[i]))
		double := func(v *big.Int) float64 { f, _ := exact(v).Float64(); return f }
		single := func(v *big.Int) float64 { f, _ := exact(v).Float32(); return float64(f) }
		out[i], out[i+n] = double(v), double(u)
		out[i+2*n], out[i+3*n] = single(v), single(u)
		out[i+4*n] = float64(float32(double(v))) + float64(int32(in[i]))*0x1p-40
		out[i+5*n] = double(v.Rsh(v, uint(w))) - double(u.Rsh(u, uint(h)))
	}
}

// The same into float32, without any float64.
//
//gocuda:kernel
func mhToSingles(t *gocuda.Thread, n, w, h int, in []int64, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i]
	out[i] = float32(v)
	out[i+n] = float32(uint64(v))
	out[i+2*n] = float32(v>>1 | v&1)
	sum := float32(0)
	for k := range w {
		sum += float32(uint64(v)>>(4*k)) - float32(v>>(8*k))
	}
	out[i+3*n] = sum
}

func mhToSinglesSerial(_ grid.Config, n, w, h int, in []int64, out []float32) {
	single := func(v *big.Int) float32 {
		f, _ := new(big.Float).SetPrec(100).SetInt(v).Float32()
		return f
	}
	for i := range n {
		v := big.NewInt(in[i])
		u := new(big.Int).SetUint64(uint64(in[i]))
		out[i], out[i+n] = single(v), single(u)
		out[i+2*n] = single(big.NewInt(in[i]>>1 | in[i]&1))
		sum := float32(0)
		for k := range uint(w) {
			sum += single(new(big.Int).Rsh(u, 4*k)) - single(new(big.Int).Rsh(v, 8*k))
		}
		out[i+3*n] = sum
	}
}

// Floats become integers of 64 bits, as far as there are such.
//
//gocuda:kernel
func mhFromFloats(t *gocuda.Thread, n, w, h int, in []float64, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i]
	f := float32(v)
	if v > -0x1p63 && v < 0x1p63 {
		out[i] = int64(v)
	}
	if f > -0x1p63 && f < 0x1p63 {
		out[i+n] = int64(f)
	}
	if v >= 0 && v < 0x1p64 {
		out[i+2*n] = int64(uint64(v))
	}
	if f >= 0 && f < 0x1p64 {
		out[i+3*n] = int64(uint64(f))
	}
	a := max(min(v, 0x1p52), -0x1p53)
	out[i+4*n] = int64(a) ^ int64(a*0.5) ^ int64(a+0.75)
	b := max(min(f, 0x1p31), -0x1p24)
	out[i+5*n] = int64(b) + int64(b*0.25)<<32
}

func mhFromFloatsSerial(_ grid.Config, n, w, h int, in []float64, out []int64) {
	whole := func(v float64) int64 {
		k, _ := new(big.Float).SetFloat64(v).Int(nil)
		return int64(new(big.Int).And(k, new(big.Int).SetUint64(1<<64-1)).Uint64())
	}
	for i := range n {
		v := in[i]
		for k, v := range []float64{v, float64(float32(v))} {
			if v > -0x1p63 && v < 0x1p63 {
				out[i+k*n] = whole(v)
			}
			if v >= 0 && v < 0x1p64 {
				out[i+(2+k)*n] = whole(v)
			}
		}
		a := max(min(v, 0x1p52), -0x1p53)
		out[i+4*n] = whole(a) ^ whole(a*0.5) ^ whole(a+0.75)
		b := max(min(float32(v), 0x1p31), -0x1p24)
		out[i+5*n] = whole(float64(b)) + whole(float64(b*0.25))<<32
	}
}

// There and back again, and what is lost on the way, with shifts by counts of the threads.
//
//gocuda:kernel
func mhThereAndBack(t *gocuda.Thread, n, w, h int, in, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i] >> (uint64(i*w) & 63)
	lost := int64(0)
	if v < 1<<63-512 {
		lost = v - int64(float64(v))
	}
	u := uint64(v) >> 1
	lost = lost*5 + int64(u) - int64(uint64(float32(u>>8)))
	for k := range h {
		x := v>>k | 1
		if float64(x) == float64(x-1) {
			lost += int64(k) + 1<<40
		}
		if float32(x) > float32(x-2) {
			lost ^= 1 << k
		}
	}
	out[i] = lost
}

func mhThereAndBackSerial(_ grid.Config, n, w, h int, in, out []int64) {
	float := func(v int64, bits uint) float64 {
		f, _ := new(big.Float).SetPrec(bits).SetInt64(v).Float64()
		return f
	}
	for i := range n {
		v := in[i] >> (i * w % 64)
		lost := int64(0)
		if v < 1<<63-512 {
			lost = v - int64(float(v, 53))
		}
		u := uint64(v) / 2
		lost = lost*5 + int64(u) - int64(float(int64(u/256), 24))
		for k := range h {
			x := v>>k | 1
			if float(x, 53) == float(x-1, 53) {
				lost += int64(k) + 1<<40
			}
			if float(x, 24) > float(x-2, 24) {
				lost ^= 1 << k
			}
		}
		out[i] = lost
	}
}

// Floats become signed integers, and nothing else.
//
//gocuda:kernel
func mhFromDoubles(t *gocuda.Thread, n, w, h int, in []float64, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i]
	if v > -0x1p63 && v < 0x1p63 {
		out[i] = int64(v)
	}
	a := max(min(v, 0x1p52), -0x1p53)
	out[i+n] = int64(a) ^ int64(a*0.5) ^ int64(a+0.75)
	b := max(min(float32(v), 0x1p62), -0x1p63)
	out[i+2*n] = int64(b) + int64(b*0.25)<<7
	k := int64(max(min(v, 0x1p51), -0x1p51))
	out[i+3*n] = int64(float64(k)*0.5) - int64(float32(k>>(uint64(i)&63)))
}

func mhFromDoublesSerial(_ grid.Config, n, w, h int, in []float64, out []int64) {
	whole := func(v float64) int64 {
		k, _ := new(big.Float).SetFloat64(v).Int64()
		return k
	}
	for i := range n {
		v := in[i]
		if v > -0x1p63 && v < 0x1p63 {
			out[i] = whole(v)
		}
		a := max(min(v, 0x1p52), -0x1p53)
		out[i+n] = whole(a) ^ whole(a*0.5) ^ whole(a+0.75)
		b := float64(max(min(float32(v), 0x1p62), -0x1p63))
		out[i+2*n] = whole(b) + whole(b*0.25)<<7
		k := whole(max(min(v, 0x1p51), -0x1p51))
		f, _ := new(big.Float).SetPrec(24).SetInt64(k >> (i & 63)).Float64()
		out[i+3*n] = k/2 - whole(f)
	}
}

// What is lost on the way to a float and back again, for signed integers.
//
//gocuda:kernel
func mhLost(t *gocuda.Thread, n, w, h int, in, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i] >> (uint64(i*w)&31 + 1)
	lost := v - int64(float64(v))
	lost = lost*5 + v - int64(float32(v))
	for k := 0; k < h; k++ {
		x := v>>k | 1
		if float64(x) == float64(x-1) {
			lost += 1 << 40
		}
		lost ^= int64(float32(x<<(k&7))) >> (uint64(x) & 31)
	}
	out[i] = lost
}

func mhLostSerial(_ grid.Config, n, w, h int, in, out []int64) {
	round := func(v int64, bits uint) int64 {
		k, _ := new(big.Float).SetPrec(bits).SetInt64(v).Int64()
		return k
	}
	for i := range n {
		v := in[i] >> (i*w%32 + 1)
		lost := v - round(v, 53)
		lost = lost*5 + v - round(v, 24)
		for k := range h {
			x := v>>k | 1
			if round(x, 53) == round(x-1, 53) {
				lost += 1 << 40
			}
			lost ^= round(x<<(k%8), 24) >> (uint64(x) % 32)
		}
		out[i] = lost
	}
}

// A tile of 64-bit numbers, which are scaled by powers of two and become floats between barriers.
//
//gocuda:kernel
func mhScaled(t *gocuda.Thread, n, w, h int, in []int64, out []float32) {
	s := gocuda.Shared[uint64](t, 256)
	f := gocuda.Shared[float32](t, 256)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	s[tid] = uint64(in[i])
	t.SyncThreads()
	sum := float32(0)
	for z := range n {
		c := uint(s[dim-1-tid]+uint64(z)) % 71
		f[tid] = float32(s[tid]>>c) - float32(int64(s[tid]<<c))
		t.SyncThreads()
		sum += f[(tid+w)%dim]
		v := uint64(int64(max(min(f[tid], 0x1p62), -0x1p62)))
		s[tid] ^= v << (uint64(tid) * uint64(h))
		t.SyncThreads()
	}
	out[i] = sum
}

func mhScaledSerial(cfg grid.Config, n, w, h int, in []int64, out []float32) {
	dim := cfg.Threads()
	perBlock(cfg, out, func(_, first int, out []float32) {
		s, f := make([]uint64, dim), make([]float32, dim)
		for k := range s {
			s[k] = uint64(in[first+k])
			out[k] = 0
		}
		for z := range n {
			for k := range s {
				c := (s[dim-1-k] + uint64(z)) % 71
				f[k] = 0
				if c < 64 {
					low := s[k] * (1 << c)
					f[k] = float32(s[k]/(1<<c)) - float32(int64(low))
				}
			}
			for k := range s {
				out[k] += f[(k+w)%dim]
				v := uint64(int64(max(min(f[k], 0x1p62), -0x1p62)))
				if c := k * h; c < 64 {
					s[k] ^= v << c
				}
			}
		}
	})
}

// What the machine makes of floats that no integer is, in all forms the same.
//
//gocuda:kernel
func mhTooLarge(t *gocuda.Thread, n, w, h int, in []float64, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i]
	out[i] = int64(v * 0x1p20)
	out[i+n] = int64(float32(v) * 0x1p40)
	out[i+2*n] = int64(int32(v))
	out[i+3*n] = int64(-v) ^ int64(1/(v-v))
}

func mhTooLargeSerial(_ grid.Config, n, w, h int, in []float64, out []int64) {
	for i, v := range in[:n] {
		zero := v - v
		for k, f := range []float64{v * 0x1p20, float64(float32(v) * 0x1p40), -v, 1 / zero} {
			x := int64(f)
			switch k {
			case 0, 1:
				out[i+k*n] = x
			case 2:
				out[i+3*n] = x
			case 3:
				out[i+3*n] ^= x
			}
		}
		out[i+2*n] = int64(int32(v))
	}
}

// The count is negative in one thread, whose number is shifted or not.
//
//gocuda:kernel
func mhFailCount(t *gocuda.Thread, who int, in, out []int32) {
	i := t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + t.Rank()
	c := int64(in[i])
	if unlucky(t, who) {
		c = -c << 31
	}
	v := int64(in[i]) << c
	if who%2 == 1 {
		v = int64(in[i]) >> (c & -8)
	}
	out[i] = int32(v)
}

func mhAdvance(at *int, by int) { *at += by }

// Threads without work don't march, and steps are each thread's own or come from memory.
//
//gocuda:kernel
func mhOwnSteps(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	inside := tid%5 != 3
	at, from, skip := i, int(in[i]&63), i
	step := 1 + tid%4
	sum := int32(0)
	for z := 0; z < n; z += 2 {
		before := at
		if inside {
			mhAdvance(&at, w)
			from += step
			s[tid] = in[at] - in[from]
		} else {
			s[tid] = in[skip]
			skip = w + skip + tid
		}
		t.SyncThreads()
		sum = sum*3 + s[tid^1] + in[before]
		if z == h {
			step++
		}
		from = from + int(in[tid]&1)
		t.SyncThreads()
	}
	out[i] = sum + int32(at)*3 + int32(from)*5 + int32(skip)*7
}

func mhOwnStepsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	dim := cfg.Threads()
	for i := range out {
		// What thread k stores in a round, and where it is before it.
		follow := func(k int, each func(z, before int, stored int32)) (at, from, skip int) {
			tid := k % dim
			at, from, skip = k, int(in[k]&63), k
			for z := 0; z < n; z += 2 {
				before, v := at, in[skip]
				if tid%5 != 3 {
					at += w
					from += 1 + tid%4
					if z > h && h%2 == 0 {
						from++
					}
					v = in[at] - in[from]
				} else {
					skip += w + tid
				}
				from += int(in[tid] & 1)
				each(z, before, v)
			}
			return
		}
		var others []int32
		follow(i^1, func(_, _ int, v int32) { others = append(others, v) })
		sum := int32(0)
		at, from, skip := follow(i, func(z, before int, _ int32) { sum = sum*3 + others[z/2] + in[before] })
		out[i] = sum + int32(at)*3 + int32(from)*5 + int32(skip)*7
	}
}

// Two indices change their places, and there are some in an array and in a struct.
//
//gocuda:kernel
func mhSwapped(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	dim := t.BlockDim.X
	a, b := tid, tid+dim
	var p struct{ x, y int32 }
	p.x, p.y = int32(i), int32(i+w)
	q := [2]int{i, i + h}
	s[a], s[b] = in[i], in[i+1]
	t.SyncThreads()
	for z := range n {
		other := b - tid + (tid+1)%dim
		v := s[other] + in[p.x] - in[q[z&1]]
		t.SyncThreads()
		s[a] = s[a]*3 + v
		a, b = b, a
		p.x += int32(w)
		p.x, p.y = p.y, p.x
		q[0] += h
		q[1]++
		t.SyncThreads()
	}
	out[i] = s[a] + s[b]*5 + p.x*7 + p.y*11 + int32(q[0]-q[1])
}

func mhSwappedSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	dim := cfg.Threads()
	perBlock(cfg, out, func(_, first int, out []int32) {
		mine, other := make([]int32, dim), make([]int32, dim)
		for k := range dim {
			mine[k], other[k] = in[first+k], in[first+k+1]
		}
		x, y := 0, w
		for z := range n {
			next := make([]int32, dim)
			for k := range dim {
				q := first + k + z*h
				if z%2 == 1 {
					q = first + k + h + z
				}
				next[k] = mine[k]*3 + other[(k+1)%dim] + in[first+k+x] - in[q]
			}
			mine, other = other, next
			x, y = y, x+w
		}
		for k := range out {
			i := first + k
			out[k] = mine[k] + other[k]*5 + int32(i+x)*7 + int32(i+y)*11 + int32(n*h-h-n)
		}
	})
}

// Numbers of 8 and 16 bits that wrap around on their march, and floats that march inexactly.
//
//gocuda:kernel
func mhNarrow(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	b, c, f := uint8(i), int16(i*300), float32(float32(i)*0.1)
	d := float64(float64(i) * 0.3)
	sum := int32(0)
	for z := 0; z < n; z++ {
		s[tid] = in[b] ^ in[uint16(c)>>6]
		b += uint8(w)
		t.SyncThreads()
		sum = sum*3 + s[tid^1] + in[int(f)&1023]
		f += 0.3
		c -= int16(h)
		d -= 0.1
		t.SyncThreads()
	}
	out[i] = sum ^ int32(b) ^ int32(c)<<8 ^ int32(math.Float32bits(f)) ^ int32(math.Float64bits(d))
}

func mhNarrowSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		f, d, sum := float32(float32(i)*0.1), float64(float64(i)*0.3), int32(0)
		for z := range n {
			o := i ^ 1
			sum = sum*3 + (in[(o+z*w)%256] ^ in[uint16(o*300-z*h)/64]) + in[int(f)%1024]
			f += 0.3
			d -= 0.1
		}
		out[i] = sum ^ int32((i+n*w)%256) ^ int32(int16(i*300-n*h))<<8 ^ int32(math.Float32bits(f)) ^ int32(math.Float64bits(d))
	}
}

// The block votes when to stop; threads of two dimensions march by rows and by columns.
//
//gocuda:kernel
func mhVoted(t *gocuda.Thread, n, w, h int, in, out []int32) {
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	i := (t.BlockIdx.X*t.BlockDim.Y+y)*t.BlockDim.X + x
	at, down := y*w+x, uint32(x*w+y)
	sum, rounds := int32(0), 0
	for t.SyncThreadsOr(sum < int32(n)) {
		sum += in[at]&7 + in[down]&3 + int32(x&1)
		at += h
		if rounds%2 == 0 {
			down += uint32(w)
		}
		switch rounds % 3 {
		case 0:
			at++
		case 1:
			at += 2
			down++
		}
		rounds++
		if rounds == 40 {
			break
		}
	}
	out[i] = sum + int32(at)*64 + int32(down)<<16 + int32(rounds)
}

func mhVotedSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bx := cfg.Block.X
	perBlock(cfg, out, func(_, _ int, out []int32) {
		sum, rounds, moved, sunk := make([]int32, len(out)), 0, 0, 0
		for rounds < 40 && slices.Min(sum) < int32(n) {
			for k := range sum {
				x, y := k%bx, k/bx
				sum[k] += in[y*w+x+moved]&7 + in[x*w+y+sunk]&3 + int32(x&1)
			}
			moved += h + []int{1, 2, 0}[rounds%3]
			sunk += w * (1 - rounds%2)
			if rounds%3 == 1 {
				sunk++
			}
			rounds++
		}
		for k := range out {
			x, y := k%bx, k/bx
			out[k] = sum[k] + int32(y*w+x+moved)*64 + int32(x*w+y+sunk)<<16 + int32(rounds)
		}
	})
}

// Threads return from the middle of the march; labels lead out of two loops.
//
//gocuda:kernel
func mhLeaves(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	at := uint32(i)
	sum := int32(0)
	s[tid] = -1
	t.SyncThreads()
rows:
	for y := 0; y < n; y++ {
		for x := 0; x < h; x++ {
			s[tid] = in[at]
			t.SyncThreads()
			sum = sum*3 + s[tid^1]
			t.SyncThreads()
			at += uint32(w)
			if x == y+1 {
				at++
				continue rows
			}
			if x*y == 12 {
				break rows
			}
			at--
		}
		if in[i]&7 == int32(y) {
			out[i] = sum ^ int32(at)
			return
		}
		at -= uint32(h)
	}
	out[i] = sum - int32(at)
}

func mhLeavesSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	for i := range out {
		// Thread k reads what the other one has left, which is gone at some time.
		type round struct {
			v int32
			y int
		}
		walk := func(k int, each func(v int32)) (left bool, at int) {
			at = k
			for y := range n {
				short := false
				for x := range h {
					each(in[at])
					at += w
					if x == y+1 {
						at++
						short = true
						break
					}
					if x*y == 12 {
						return false, at
					}
					at--
				}
				if !short {
					if in[k]&7 == int32(y) {
						return true, at
					}
					at -= h
				}
			}
			return false, at
		}
		var others []int32
		walk(i^1, func(v int32) { others = append(others, v) })
		sum, k := int32(0), 0
		left, at := walk(i, func(int32) {
			sum = sum*3 + others[min(k, len(others)-1)]
			k++
		})
		if out[i] = sum - int32(at); left {
			out[i] = sum ^ int32(at)
		}
	}
}

// Partners in a block whose threads have two dimensions, and partners of elements of which a thread has several.
//
//gocuda:kernel
func mhPartnerRounds(t *gocuda.Thread, n, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	r := gocuda.Shared[[64]int32](t, 32)
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	tid, threads := y*t.BlockDim.X+x, t.BlockDim.X*t.BlockDim.Y
	base := t.BlockIdx.X * n
	for i := tid; i < n; i += threads {
		s[i] = in[base+i]
	}
	r[y][x] = int32(tid)
	t.SyncThreads()
	for k := 2; k <= n; k *= 2 {
		for j := k / 2; j > 0; j /= 2 {
			for i := tid; i < n; i += threads {
				p := i ^ j
				if p > i && p < n {
					a, b := s[i], s[p]
					if (a > b) == (i&k == 0) {
						s[i], s[p] = b, a
					}
				}
			}
			t.SyncThreads()
		}
	}
	u, v := x^w, y^h
	near := int32(0)
	if u < t.BlockDim.X && v < t.BlockDim.Y {
		near = r[v][u]*3 + r[y][u]
		if p := tid ^ (w<<1 | 1); p < threads {
			near -= r[p/t.BlockDim.X][p%t.BlockDim.X]
		}
	}
	for i := uint32(tid); i < uint32(n); i += uint32(threads) {
		p := i ^ uint32(w)
		if p >= uint32(n) {
			p = i
		}
		out[base+int(p)] = s[i] + near*int32(1-i/uint32(threads))
	}
}

func mhPartnerRoundsSerial(cfg grid.Config, n, w, h int, in, out []int32) {
	bx, by := cfg.Block.X, cfg.Block.Y
	for b := range cfg.Blocks() {
		s := append([]int32(nil), in[b*n:][:n]...)
		for k := 2; k <= n; k *= 2 {
			for j := k / 2; j > 0; j /= 2 {
				for i := range s {
					if p := i + j; i&j == 0 && p < n && (s[i] > s[p]) == (i&k == 0) {
						s[i], s[p] = s[p], s[i]
					}
				}
			}
		}
		for i, v := range s {
			to := i ^ w
			if to >= n {
				to = i
			}
			near, tid := 0, i%(bx*by)
			if x, y := tid%bx^w, tid/bx^h; x < bx && y < by {
				near = (y*bx+x)*3 + tid/bx*bx + x
				if p := tid ^ (2*w | 1); p < bx*by {
					near -= p
				}
			}
			out[b*n+to] = v + int32(near)*int32(1-i/(bx*by))
		}
	}
}

// Distances that are each thread's own, that come from memory, and several on top of each other.
//
//gocuda:kernel
func mhPartnerOwn(t *gocuda.Thread, n, w, h int, in, out []int64) {
	s := gocuda.Shared[int64](t, 512)
	tid, dim := t.ThreadIdx.X, t.BlockDim.X
	i := t.BlockIdx.X*dim + tid
	s[tid] = in[i]
	t.SyncThreads()
	d := 1 << (tid & 3)
	sum := s[tid]
	if p := tid ^ d; p < dim {
		sum += s[p] * 3
	}
	if p := tid ^ int(in[i]&15); p < dim {
		sum ^= s[p]
	}
	if p := tid ^ n ^ w; p < dim {
		sum -= s[p]
	}
	p := tid
	for k := 0; k < h; k++ {
		p = p ^ n<<k
		if p >= dim {
			p = tid &^ n
			continue
		}
		sum = sum*5 + s[p]
	}
	if q := (tid + w) ^ n; q < dim {
		sum += s[q] ^ s[dim-1-q]
	}
	if q := tid&^w | n; q < dim {
		sum -= s[q]
	}
	if i&w == w {
		sum++
	} else if tid&(n|1) != 0 {
		sum += 100
	}
	out[i] = sum
}

func mhPartnerOwnSerial(cfg grid.Config, n, w, h int, in, out []int64) {
	dim := cfg.Threads()
	for i := range out {
		s, k := in[i/dim*dim:][:dim], i%dim
		at := func(p int) int64 {
			if p < dim {
				return s[p]
			}
			return 0
		}
		sum := s[k] + 3*at(k^[]int{1, 2, 4, 8}[k%4])
		sum ^= at(k ^ int(in[i]&15))
		sum -= at(k ^ n ^ w)
		p := k
		for j := range h {
			if p ^= n << j; p >= dim {
				p = k - k&n
			} else {
				sum = sum*5 + s[p]
			}
		}
		if q := (k + w) ^ n; q < dim {
			sum += s[q] ^ s[dim-1-q]
		}
		sum -= at((k - k&w) | n)
		switch {
		case i&w == w:
			sum++
		case k&(n|1) > 0:
			sum += 100
		}
		out[i] = sum
	}
}

// A tile of arrays that is filled by rows and read by columns in loops, at places which wrap around at its edges; the
// inner loops have lengths of the launch, and write into the same array of arrays.
//
//gocuda:kernel
func mhTileRounds(t *gocuda.Thread, n, w, h int, in, out []float32) {
	tile := gocuda.Shared[[22]float32](t, 18)
	mid := gocuda.Shared[[16]float32](t, 18)
	tid, threads := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	base := t.BlockIdx.X * 100
	for y := tid; y < 18; y += threads {
		for x := 0; x < 22; x++ {
			tile[y][x] = in[base+y*22+x]
		}
	}
	t.SyncThreads()
	for i := tid; i < 18*16; i += threads {
		s := float32(0)
		for k := 0; k < n; k++ {
			s += tile[i/16][i%16+k] * 2
			s -= tile[(i/16+k)%18][(i+16-k)%16]
		}
		mid[i/16][i%16] = s
	}
	t.SyncThreads()
	for i := tid; i < 18*16; i += threads {
		y, x := i/16, i%16
		s := mid[y][15-x]
		for k := 1; k <= w; k++ {
			up, down := y-k, y+k
			if up < 0 {
				up += 18
			}
			if down >= 18 {
				down = 35 - down
			}
			s += mid[up][x] - mid[down][max(x-k, 0)]
		}
		for k := 0; k < h; k++ {
			if k == x {
				s += 1
			}
		}
		out[t.BlockIdx.X*288+i] = s
	}
}

func mhTileRoundsSerial(cfg grid.Config, n, w, h int, in, out []float32) {
	for b := range cfg.Blocks() {
		mid := make([]float32, 288)
		at := func(y, x int) float32 { return in[b*100+y*22+x] }
		for i := range mid {
			for k := range n {
				mid[i] += at(i/16, i%16+k) * 2
				mid[i] -= at((i/16+k)%18, (i%16+16-k)%16)
			}
		}
		for i := range mid {
			y, x := i/16, i%16
			s := mid[y*16+15-x]
			for k := 1; k <= w; k++ {
				down := y + k
				if down > 17 {
					down = 17 - (down - 18)
				}
				s += mid[(y-k+18)%18*16+x] - mid[down*16+max(x-k, 0)]
			}
			if x < h {
				s++
			}
			out[b*288+i] = s
		}
	}
}

// A place that goes on in each round leaves the slice in the last one.
//
//gocuda:kernel
func mhFailMarch(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid := t.Rank()
	i := t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + tid
	at := i % 10
	if unlucky(t, who) {
		at = len(in) - 15
	}
	sum := int32(0)
	for z := 0; z < 4; z++ {
		s[tid] = in[at]
		t.SyncThreads()
		sum += s[tid/2]
		t.SyncThreads()
		at += 5
	}
	out[i] = sum
}

// One that goes back in the middle of rounds, not all of them, comes to what is below zero.
//
//gocuda:kernel
func mhFailBackwards(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid := t.Rank()
	i := t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + tid
	at := uint32(tid + 12)
	if unlucky(t, who) {
		at = 10
	}
	sum := int32(0)
	for z := range 6 {
		s[tid] = int32(z)
		t.SyncThreads()
		if z%2 == 1 {
			at -= 4
			sum += in[at]
		}
		sum += s[tid^1&^1]
		t.SyncThreads()
	}
	out[i] = sum
}

// One of four slices is too short for one thread, or there is no such slice.
//
//gocuda:kernel
func mhFailSlices(t *gocuda.Thread, who int, a [4][]int32, out []int32) {
	i := t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + t.Rank()
	k := i & 1
	if unlucky(t, who) {
		k = 2 + who&3
	}
	out[i] = a[k][i] + a[3][i]
}

// The same in a loop over all slices, of which one ends early.
//
//gocuda:kernel
func mhFailEnds(t *gocuda.Thread, who int, a [4][]int32, out []int32) {
	i := t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + t.Rank()
	if t.BlockIdx.X != 1 {
		return
	}
	for k := 0; k < 4; k++ {
		if i <= len(a[2]) {
			out[i] = a[k][i] * 3
		}
	}
}

// Of the slices of an array one ends early.
//
//gocuda:kernel
func mhFailThird(t *gocuda.Thread, who int, a [4][]int32, out []int32) {
	i := t.BlockIdx.X*t.BlockDim.X*t.BlockDim.Y + t.Rank()
	if i <= len(out)/3+who {
		v := a[0][i] - a[1][i]
		v = v*3 + a[2][i]
		a[3][i] = v
	}
}

// mhOf is a case of a kernel with three numbers, an input and an output that is marked.
func mhOf[A, B any](name string, cfg grid.Config, n, w, h int, input func(n int) []A, nin, nout int,
	source func(t *gocuda.Thread, n, w, h int, in []A, out []B), compiled func(n, w, h int, in []A, out []B) gocuda.Kernel,
	serial func(cfg grid.Config, n, w, h int, in []A, out []B)) Case {
	return mhFrom(name, cfg, n, w, h, input, marked[B], nin, nout, source, compiled, serial)
}

// mhFrom is mhOf with an output that begins with numbers of one's own.
func mhFrom[A, B any](name string, cfg grid.Config, n, w, h int, input func(n int) []A, before func(n int) []B, nin, nout int,
	source func(t *gocuda.Thread, n, w, h int, in []A, out []B), compiled func(n, w, h int, in []A, out []B) gocuda.Kernel,
	serial func(cfg grid.Config, n, w, h int, in []A, out []B)) Case {
	name = fmt.Sprintf("%s %d,%d,%d %v%v", name, n, w, h, cfg.Grid, cfg.Block)
	return made(name, []grid.Config{cfg}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := input(nin), before(nout)
		return func(t *gocuda.Thread) { source(t, n, w, h, in, out) }, compiled(n, w, h, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		out := before(nout)
		serial(cfg, n, w, h, input(nin), out)
		return []any{out}
	})
}

// mhArray is a case of a kernel with four slices in an array, which it may change.
func mhArray(name string, cfg grid.Config, n, w, nout int, slices func() [4][]int32,
	source func(t *gocuda.Thread, n, w int, a [4][]int32, out []int32), compiled func(n, w int, a [4][]int32, out []int32) gocuda.Kernel,
	serial func(cfg grid.Config, n, w int, a [4][]int32, out []int32)) Case {
	name = fmt.Sprintf("%s %d,%d %v%v", name, n, w, cfg.Grid, cfg.Block)
	return made(name, []grid.Config{cfg}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		a, out := slices(), marked[int32](nout)
		return func(t *gocuda.Thread) { source(t, n, w, a, out) }, compiled(n, w, a, out), []any{out, a[0], a[1], a[2], a[3]}
	}, func(cfg grid.Config) []any {
		a, out := slices(), marked[int32](nout)
		serial(cfg, n, w, a, out)
		return []any{out, a[0], a[1], a[2], a[3]}
	})
}

// mhFour returns four slices of so many elements.
func mhFour(n ...int) func() [4][]int32 {
	return func() (a [4][]int32) {
		for k := range a {
			a[k] = dataFrom[int32](n[k%len(n)], k)
		}
		return a
	}
}

// mhEdges returns numbers near powers of two at which something ends, and some others.
func mhEdges(n int) []int64 {
	s := make([]int64, n)
	ends := []uint{7, 23, 24, 25, 31, 32, 40, 51, 52, 53, 54, 61, 62, 63}
	for i := range s {
		r := hash(i)
		bit := ends[r%uint64(len(ends))]
		v := uint64(1) << bit
		switch r >> 8 % 8 {
		case 0:
			v -= r >> 16 % 5
		case 1:
			v += r >> 16 % 5
		case 2:
			v += v >> 24 * (r >> 16 % 9) // halves of what a float32 has
		case 3:
			v += v>>24*(r>>16%9) + r>>20%3 - 1
		case 4:
			v += v>>53*(r>>16%9) + r>>20%3 - 1
		case 5:
			v += r >> 16 & (v - 1)
		case 6:
			v = r >> (r >> 32 % 64)
		}
		if r>>40%3 == 0 {
			v = -v
		}
		s[i] = int64(v)
	}
	return s
}

// mhCounts has numbers to shift first, and counts behind them, of which some are small.
func mhCounts(n int) []int64 {
	s := dataFrom[int64](n, 3)
	for i := n / 2; i < n; i++ {
		switch r := hash(i + 99); r % 8 {
		case 0:
			s[i] = 1<<32 + int64(r>>8%70)
		case 1:
			s[i] = 1<<63 - 1<<62 + int64(r>>8%70)
		case 2:
			s[i] = -1 << 63
		case 3, 4, 5, 6:
			s[i] = int64(r >> 8 % 70)
		}
	}
	return s
}

func mhFloatEdges(n int) []float64 {
	s := make([]float64, n)
	for i, v := range mhEdges(n) {
		r := hash(i + 5)
		s[i] = float64(v)
		switch r % 6 {
		case 0:
			s[i] = float64(uint64(v))
		case 1:
			s[i] /= 16
		case 2:
			s[i] = math.Nextafter(s[i], 0)
		case 3:
			s[i] = math.Nextafter(s[i], math.Inf(1))
		case 4:
			s[i] = math.Ldexp(float64(int64(r)), -int(r>>58))
		}
	}
	return s
}

func mhSmall(n int) []int32 { return rsNumbers[int32](n, 1) }

func mhSmallFloats(n int) []float32 { return rsNumbers[float32](n, 2) }

// mhNumbers returns numbers whose sums are exact.
func mhNumbers[T mhNumber](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(hash(i+11) % 251)
	}
	return s
}

func marchCases() (all []Case) {
	add := func(c ...Case) { all = append(all, c...) }
	box := func(gx, gy, bx, by int) grid.Config {
		return grid.Config{Grid: grid.Dim3{X: gx, Y: gy}, Block: grid.Dim3{X: bx, Y: by}}
	}

	for _, b := range []grid.Config{box(3, 2, 16, 16), box(5, 3, 8, 8), box(3, 4, 16, 5)} {
		w, h := b.Grid.X*b.Block.X-5, b.Grid.Y*b.Block.Y-2
		for _, n := range []int{2, 3, 7} {
			add(mhOf("mhPlanes", b, n, w, h, mhSmallFloats, n*w*h, n*w*h, mhPlanes, mhPlanesKernel, mhPlanesSerial))
		}
	}
	for _, b := range []grid.Config{line(2, 16), line(3, 64), line(1, 256), line(2, 100), line(2, 36)} {
		total := b.Blocks() * b.Threads()
		for _, n := range []int{1, 6, 13} {
			add(mhOf("mhUneven", b, n, 40, 9, data[int32], 2048, total, mhUneven, mhUnevenKernel, mhUnevenSerial))
			add(mhOf("mhOwnPace", b, n, 50, 8, mhSmall, 2048, total, mhOwnPace, mhOwnPaceKernel, mhOwnPaceSerial))
			add(mhOf("mhNested", b, n, 24, 5, data[int32], 2048, total, mhNested, mhNestedKernel, mhNestedSerial))
			add(mhOf("mhBreaks", b, n, 40, 9, data[int32], 2048, total, mhBreaks, mhBreaksKernel, mhBreaksSerial))
			add(mhOf("mhUpAndDown", b, n, 30, 37, data[int32], 2048, total, mhUpAndDown, mhUpAndDownKernel, mhUpAndDownSerial))
			add(mhOf("mhGrowing", b, n, 30, 4, data[int32], 8192, total, mhGrowing, mhGrowingKernel, mhGrowingSerial))
			add(mhOf("mhWraps", b, n, 12345, 0x10000001, data[int32], 2048, total, mhWraps, mhWrapsKernel, mhWrapsSerial))
			if b.Threads() <= 128 {
				add(mhOf("mhRing", b, n, total, 0, data[int32], n*total, n*total+total, mhRing, mhRingKernel, mhRingSerial))
			}
		}
		add(mhOf("mhUneven", b, 7, 101, 90, data[int32], 2048, total, mhUneven, mhUnevenKernel, mhUnevenSerial))
		add(mhOf("mhPost", b, 8, total, 20, data[int32], 10*total+2048, 9*total, mhPost, mhPostKernel, mhPostSerial))
		add(mhOf("mhPost", b, 7, total+3, 33, data[int32], 10*total+2048, 9*total+40, mhPost, mhPostKernel, mhPostSerial))
	}
	for _, b := range []grid.Config{line(2, 32), line(1, 256), line(2, 96)} {
		total := b.Blocks() * b.Threads()
		add(mhOf("mhShuffled", b, 9, 33, 100, data[int32], 2048, total, mhShuffled, mhShuffledKernel, mhShuffledSerial))
	}
	for _, b := range []grid.Config{box(3, 2, 16, 16), box(2, 3, 8, 8), box(4, 4, 5, 5)} {
		w, h := b.Grid.X*b.Block.X-3, b.Grid.Y*b.Block.Y-1
		for _, n := range []int{1, 16, 29} {
			add(mhOf("mhProduct", b, n, w, h, mhSmallFloats, h*n+n*w, w*h, mhProduct, mhProductKernel, mhProductSerial))
		}
	}

	for _, b := range []grid.Config{box(3, 3, 16, 8), box(2, 5, 33, 3), box(1, 20, 64, 1)} {
		for _, size := range [][2]int{{b.Grid.X * b.Block.X, b.Grid.Y * b.Block.Y}, {b.Grid.X*b.Block.X - 7, b.Grid.Y*b.Block.Y - 1}} {
			w, h := size[0], size[1]
			lattice := func(seed int) (l mhLattice) {
				for k := range l.f {
					l.f[k] = rsNumbers[float32](w*h+k, seed+k)
				}
				return l
			}
			of := func(name string, b grid.Config, source func(*gocuda.Thread, int, int, mhLattice, mhLattice),
				compiled func(int, int, mhLattice, mhLattice) gocuda.Kernel, serial func(int, int, mhLattice, mhLattice)) {
				outputs := func(l mhLattice) (all []any) {
					for _, s := range l.f {
						all = append(all, s)
					}
					return all
				}
				add(made(fmt.Sprintf("%s %d,%d %v", name, w, h, b.Block), []grid.Config{b}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
					src, dst := lattice(1), lattice(20)
					return func(t *gocuda.Thread) { source(t, w, h, src, dst) }, compiled(w, h, src, dst), outputs(dst)
				}, func(grid.Config) []any {
					dst := lattice(20)
					serial(w, h, lattice(1), dst)
					return outputs(dst)
				}))
			}
			of("mhStream", b, mhStream, mhStreamKernel, mhStreamSerial)
			of("mhStreamLoop", line((w*h+95)/96, 96), mhStreamLoop, mhStreamLoopKernel, mhStreamLoopSerial)
		}
	}
	for _, b := range []grid.Config{line(3, 33), line(2, 64), line(1, 256), line(5, 100)} {
		total := b.Blocks() * b.Threads()
		lengths := func(_ grid.Config, n, w int, a [4][]int32, out []int32) { mhLengthsSerial(n, w, a, out) }
		add(mhArray("mhLengths", b, 0, 3, total-9, mhFour(total/2, 5, total*2, 1), mhLengths, mhLengthsKernel, lengths))
		add(mhArray("mhLengths-none", b, 0, 30, total, mhFour(0, total-1, 30, total/3), mhLengths, mhLengthsKernel, lengths))
		for n := range 4 {
			add(mhArray("mhParity", b, n+2, 2+n%2, total, mhFour(total), mhParity, mhParityKernel, mhParitySerial))
			add(mhArray("mhRotated", b, 3*n+1, n+1, total, mhFour(total), mhRotated, mhRotatedKernel, mhRotatedSerial))
		}
		aliases := func(_ grid.Config, n, w int, a [4][]int32, out []int32) { mhAliasesSerial(n, a, out) }
		add(mhArray("mhAliases-none", b, total-4, 0, total, mhFour(total), mhAliases, mhAliasesKernel, aliases))
		add(mhArray("mhAliases-two", b, total-1, 0, total, func() [4][]int32 {
			a := mhFour(total)()
			a[2] = a[0]
			return a
		}, mhAliases, mhAliasesKernel, aliases))
		add(mhArray("mhAliases-all", b, total, 0, total, func() [4][]int32 {
			a := mhFour(total)()
			return [4][]int32{a[0], a[0], a[0], a[0]}
		}, mhAliases, mhAliasesKernel, aliases))
		add(mhArray("mhAliases-parts", b, total, 0, total, func() [4][]int32 {
			a := mhFour(4 * total)()
			return [4][]int32{a[0][total:], a[1], a[0][:total], a[1][:total]}
		}, mhAliases, mhAliasesKernel, aliases))
		rounds := func(_ grid.Config, n, w int, a [4][]int32, out []int32) { mhRoundsOfSerial(n, a, out) }
		for k, of := range []func() [4][]int32{mhFour(total), func() [4][]int32 {
			a := mhFour(total)()
			return [4][]int32{a[0], a[0], a[0], a[0]}
		}, func() [4][]int32 {
			a := mhFour(total)()
			return [4][]int32{a[0], a[1], a[1], a[0]}
		}} {
			add(mhArray(fmt.Sprintf("mhRoundsOf-%d", k), b, total-k, 0, total, of, mhRoundsOf, mhRoundsOfKernel, rounds))
		}
		overlaps := func(_ grid.Config, n, w int, a [4][]int32, out []int32) { mhOverlapsSerial(n, a, out) }
		for k, pick := range [][4]int{{0, 1, 2, 3}, {0, 0, 2, 3}, {0, 1, 0, 1}, {2, 1, 1, 2}, {0, 0, 0, 0}, {0, 1, 1, 3}} {
			add(mhArray(fmt.Sprintf("mhOverlaps-%d", k), b, total-k, 0, total, func() (a [4][]int32) {
				for k, s := range mhFour(total)() {
					for j, p := range pick {
						if p == k {
							a[j] = s
						}
					}
				}
				return a
			}, mhOverlaps, mhOverlapsKernel, overlaps))
		}
		add(mhArray("mhOverlaps-parts", b, total, 0, total, func() [4][]int32 {
			a := mhFour(4 * total)()
			return [4][]int32{a[0][total:], a[1], a[0][:total], a[1][total : 2*total]}
		}, mhOverlaps, mhOverlapsKernel, overlaps))
		for _, n := range []int{1, 4} {
			add(mhArray("mhPingPong", b, n, 9*n, total, mhFour(total, total+3, total+9*n*n, 7), mhPingPong, mhPingPongKernel, mhPingPongSerial))
			add(mhArray("mhReplaced", b, n-1, n-1, total, mhFour(total), mhReplaced, mhReplacedKernel, mhReplacedSerial))
		}
		for w := range 2 {
			add(mhArray("mhAssigned", b, total-5, w, total, mhFour(total, total, total, 2*total), mhAssigned, mhAssignedKernel, mhAssignedSerial))
		}
		add(mhArray("mhPicked", b, total-3, 3, total, mhFour(total), mhPicked, mhPickedKernel, mhPickedSerial))
	}
	for _, b := range []grid.Config{box(3, 2, 16, 8), box(2, 3, 33, 3)} {
		for _, w := range []int{32, 41} {
			n := b.Grid.Y*b.Block.Y - 1
			layers := func() mhLayers {
				l := mhLayers{w: w, scale: 6}
				for k := range l.level {
					for j := range l.level[k].v {
						l.level[k].v[j] = dataFrom[int32]((n+4)*(w+4)>>k, 10*k+j)
					}
				}
				return l
			}
			add(made(fmt.Sprintf("mhLevels %d %v", w, b.Block), []grid.Config{b}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				l, out := layers(), marked[int32](n*w)
				return func(t *gocuda.Thread) { mhLevels(t, n, l, out) }, mhLevelsKernel(n, l, out), []any{out, l.level[0].v[0]}
			}, func(cfg grid.Config) []any {
				l, out := layers(), marked[int32](n*w)
				mhLevelsSerial(n, l, out)
				return []any{out, l.level[0].v[0]}
			}))
		}
	}
	for _, n := range []int{1, 100, 500} {
		planes := func() [3][]uint8 {
			return [3][]uint8{dataFrom[uint8](n, 1), dataFrom[uint8](n+7, 2), dataFrom[uint8](n, 3)}
		}
		for _, weights := range [][3]uint8{{77, 150, 29}, {255, 255, 254}} {
			add(made(fmt.Sprintf("mhColours %d,%d", n, weights[0]), []grid.Config{line(5, 100)}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				a, out := planes(), marked[uint8](4*n)
				return func(t *gocuda.Thread) { mhColours(t, n, a, weights, out) }, mhColoursKernel(n, a, weights, out), []any{out}
			}, func(cfg grid.Config) []any {
				out := marked[uint8](4 * n)
				mhColoursSerial(n, planes(), weights, out)
				return []any{out}
			}))
		}
	}

	for _, b := range []grid.Config{box(2, 2, 16, 16), box(2, 1, 8, 32), box(2, 2, 33, 3), box(3, 1, 64, 1), box(1, 2, 13, 5)} {
		total := b.Blocks() * b.Threads()
		for _, n := range []int{1, 3} {
			add(mhOf("mhTileClamp", b, n, 2*n, 0, data[int32], total+400, total, mhTileClamp, mhTileClampKernel, mhTileClampSerial))
			add(mhOf("mhTileLoaded", b, n, 5, 7*n, data[int32], total+400, total, mhTileLoaded, mhTileLoadedKernel, mhTileLoadedSerial))
			add(mhOf("mhTileTorus", b, n+1, 4*n, n, data[int32], total, total, mhTileTorus, mhTileTorusKernel, mhTileTorusSerial))
			add(mhOf("mhTileChosen", b, 21*n, 13*n, n-1, data[int32], total, total, mhTileChosen, mhTileChosenKernel, mhTileChosenSerial))
			add(mhOf("mhTileStructs", b, n, n*2, n-1, mhSmallFloats, total, total, mhTileStructs, mhTileStructsKernel, mhTileStructsSerial))
			add(mhOf("mhTileCube", b, n*2, n+1, 5-n-1, data[int32], total+400, total, mhTileCube, mhTileCubeKernel, mhTileCubeSerial))
			add(mhOf("mhTileBytes", b, n*9, n*3, 0, data[uint8], total+1000, total, mhTileBytes, mhTileBytesKernel, mhTileBytesSerial))
		}
		add(mhOf("mhTileMirror", b, 0, 0, 0, mhSmallFloats, total, total, mhTileMirror, mhTileMirrorKernel, mhTileMirrorSerial))
		for h := range 2 {
			add(mhOf("mhTileStores", b, 7, 11, h, data[int32], total, total, mhTileStores, mhTileStoresKernel, mhTileStoresSerial))
		}
	}

	for _, b := range []grid.Config{box(4, 3, 16, 8), box(2, 6, 33, 3), box(1, 9, 64, 1)} {
		for _, size := range [][2]int{{b.Grid.X * b.Block.X, b.Grid.Y * b.Block.Y}, {b.Grid.X*b.Block.X - 9, b.Grid.Y*b.Block.Y - 2}, {37, 7}} {
			w, h := size[0], size[1]
			for _, n := range []int{1, 5} {
				add(mhOf("mhTorus", b, n, w, h, data[int32], w*h, w*h, mhTorus, mhTorusKernel, mhTorusSerial))
				add(mhOf("mhClampU", b, n, w, h, mhSmallFloats, w*h, w*h, mhClampU, mhClampUKernel, mhClampUSerial))
				add(mhOf("mhInterior", b, n, w, h, mhSmallFloats, w*h, w*h, mhInterior, mhInteriorKernel, mhInteriorSerial))
			}
			add(mhOf("mhFlatWrap", b, 3, w, h, data[int32], 8192, w*h, mhFlatWrap, mhFlatWrapKernel, mhFlatWrapSerial))
		}
	}
	add(mhOf("mhTorus", box(2, 2, 16, 8), 1, 1, 1, data[int32], 1, 1, mhTorus, mhTorusKernel, mhTorusSerial))
	add(mhOf("mhTorus", box(1, 1, 16, 8), 1, 2, 3, data[int32], 6, 6, mhTorus, mhTorusKernel, mhTorusSerial))
	for _, w := range []int{1, 2, 10, 64, 71} {
		add(mhOf("mhNoTorus", line(5, 64), 2, w, 0, data[int32], 500, 311, mhNoTorus, mhNoTorusKernel, mhNoTorusSerial))
		add(mhOf("mhNoTorus", line(2, 100), 7, w, 0, data[int32], 500, 200, mhNoTorus, mhNoTorusKernel, mhNoTorusSerial))
	}
	for _, b := range []grid.Config{line(2, 64), line(3, 33)} {
		for _, begin := range []int{1<<31 - 100, 1 << 31, 1<<32 - 500, 300} {
			for _, size := range []int{1, 99, 311} {
				add(mhOf("mhFarCounter", b, 5, begin, begin+size, data[int32], 512, size, mhFarCounter, mhFarCounterKernel, mhFarCounterSerial))
			}
		}
		add(mhOf("mhFarCounter", b, 0, 1<<32-301, 1<<32-1, data[int32], 512, 300, mhFarCounter, mhFarCounterKernel, mhFarCounterSerial))
		for _, limit := range []int{1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 1, 77} {
			add(mhOf("mhFarLimit", b, 70, limit, 0, data[int32], 500, 500, mhFarLimit, mhFarLimitKernel, mhFarLimitSerial))
			add(mhOf("mhFarLimit", b, 70, limit, 20, data[int32], 500, 500, mhFarLimit, mhFarLimitKernel, mhFarLimitSerial))
		}
		total := b.Blocks() * b.Threads()
		for _, begin := range []int{1<<31 - 200, 1<<31 - 50, 1<<31 - 1} {
			add(mhOf("mhFarSigned", b, 150, begin, 61, data[int32], 1024, total, mhFarSigned, mhFarSignedKernel, mhFarSignedSerial))
		}
	}
	for _, w := range []int{1, 8, 64} {
		add(mhOf("mhMasks", line(3, 100), 3, w, 256/w, data[int32], 4096, 256, mhMasks, mhMasksKernel, mhMasksSerial))
		add(mhOf("mhMasks", line(8, 64), 300, w, 512/w, data[int32], 4096, 512, mhMasks, mhMasksKernel, mhMasksSerial))
	}

	add(mhPartnerCases[int32]("int32")...)
	add(mhPartnerCases[int64]("int64")...)
	add(mhPartnerCases[float32]("float32")...)
	add(mhPartnerCases[float64]("float64")...)
	add(mhPartnerCases[uint8]("uint8")...)
	for _, dim := range []int{8, 16, 24, 33, 64, 100, 512} {
		b := line(2, dim)
		for _, n := range []int{0, 1, 6} {
			add(mhOf("mhDistances", b, n, 1+n/2, n, data[int32], 2*dim, 2*dim, mhDistances, mhDistancesKernel, mhDistancesSerial))
		}
		if dim&(dim-1) == 0 {
			add(mhOf("mhBitonicPairs", b, 0, 0, 0, data[int32], 4*dim, 4*dim, mhBitonicPairs, mhBitonicPairsKernel, mhBitonicPairsSerial))
		}
	}

	for _, block := range []grid.Dim3{{X: 16, Y: 16}, {X: 32, Y: 8}, {X: 33, Y: 3}, {X: 64, Y: 1}, {X: 8, Y: 4, Z: 2}} {
		b := grid.Config{Grid: grid.Dim3{X: 3}, Block: block}
		if block.Z == 0 {
			flat := b
			flat.Grid.Y = 2
			for n := range 5 {
				add(mhOf("mhSeparable", flat, n, 43, 29, data[int32], 43*29, 43*29, mhSeparable, mhSeparableKernel, mhSeparableSerial))
			}
		}
		add(mhOf("mhWindow7", b, 50, 0, 0, mhSmallFloats, 1000, 3*192, mhWindow7, mhWindow7Kernel, mhWindow7Serial))
		for _, s := range [][3]int{{100, 7, 2}, {33, 16, 1}, {5, 200, 3}, {1, 1, 1}} {
			add(mhOf("mhInnerStores", b, s[0], s[1], s[2], data[int32], 3*s[0]*s[1], 3*s[0]*s[1], mhInnerStores, mhInnerStoresKernel, mhInnerStoresSerial))
		}
		for _, s := range [][3]int{{100, 7, 2}, {256, 0, 5}, {301, 20, 16}} {
			add(mhOf("mhInnerBreaks", b, s[0], s[1], s[2], mhSmall, 3*s[0]+s[1], 3*s[0], mhInnerBreaks, mhInnerBreaksKernel, mhInnerBreaksSerial))
			add(mhOf("mhCarried", b, s[0], s[1], s[2], data[int32], 3*s[0]+s[1], 3*(s[0]+b.Threads()), mhCarried, mhCarriedKernel, mhCarriedSerial))
		}
		for _, s := range [][2]int{{1, 3}, {5, 5}, {7, 13}, {3, 0}} {
			add(mhOf("mhInnerTwice", b, s[0], 77, s[1], mhSmallFloats, 1200, 3*288, mhInnerTwice, mhInnerTwiceKernel, mhInnerTwiceSerial))
		}
		for _, s := range [][3]int{{288, 16, 3}, {320, 20, 1}, {500, 33, 9}} {
			add(mhOf("mhInnerLengths", b, s[0], s[1], s[2], data[int32], 3*s[0], 3*s[0], mhInnerLengths, mhInnerLengthsKernel, mhInnerLengthsSerial))
		}
		for _, n := range []int{1, 4} {
			add(mhOf("mhInnerMarch", b, n, 31, 25, data[int32], 1000, 3*256, mhInnerMarch, mhInnerMarchKernel, mhInnerMarchSerial))
		}
	}

	for _, b := range []grid.Config{line(5, 64), line(3, 100), line(9, 33)} {
		n := 290
		for _, w := range []int{1, 13} {
			add(mhOf("mhShift64", b, n, w, w, mhCounts, 2*n, n, mhShift64, mhShift64Kernel, mhShift64Serial))
			add(mhOf("mhShiftSmall", b, n, w, 0, mhCounts, 2*n, n, mhShiftSmall, mhShiftSmallKernel, mhShiftSmallSerial))
			add(mhOf("mhFields", b, n, w, 4*w, data[uint64], 2*n, n, mhFields, mhFieldsKernel, mhFieldsSerial))
			add(mhOf("mhToFloats", b, n, w, 3*w, mhEdges, n, 6*n, mhToFloats, mhToFloatsKernel, mhToFloatsSerial))
			add(mhOf("mhToSingles", b, n, w, 0, mhEdges, n, 4*n, mhToSingles, mhToSinglesKernel, mhToSinglesSerial))
			add(mhOf("mhLost", b, n, w, 3*w, mhEdges, n, n, mhLost, mhLostKernel, mhLostSerial))
			add(mhOf("mhThereAndBack", b, n, w, 5*w, mhEdges, n, n, mhThereAndBack, mhThereAndBackKernel, mhThereAndBackSerial))
		}
		add(mhOf("mhFromFloats", b, n, 0, 0, mhFloatEdges, n, 6*n, mhFromFloats, mhFromFloatsKernel, mhFromFloatsSerial))
		add(mhOf("mhFromDoubles", b, n, 0, 0, mhFloatEdges, n, 4*n, mhFromDoubles, mhFromDoublesKernel, mhFromDoublesSerial))
		add(mhOf("mhTooLarge", b, n, 0, 0, mhFloatEdges, n, 4*n, mhTooLarge, mhTooLargeKernel, mhTooLargeSerial))
		total := b.Blocks() * b.Threads()
		for _, h := range []int{0, 1, 5} {
			add(mhOf("mhScaled", b, 3, 5, h, mhEdges, total, total, mhScaled, mhScaledKernel, mhScaledSerial))
		}
	}
	return append(all, mhMoreCases()...)
}

func mhMoreCases() (all []Case) {
	add := func(c ...Case) { all = append(all, c...) }
	for _, b := range []grid.Config{line(2, 16), line(3, 64), line(1, 256), line(2, 100), line(2, 36)} {
		total := b.Blocks() * b.Threads()
		for _, n := range []int{1, 6, 13} {
			for h := range 4 {
				add(mhOf("mhOwnSteps", b, n, 33, h*3, mhSmall, 8192, total, mhOwnSteps, mhOwnStepsKernel, mhOwnStepsSerial))
				add(mhOf("mhLeaves", b, n, 21, h+3, data[int32], 4096, total, mhLeaves, mhLeavesKernel, mhLeavesSerial))
			}
			add(mhOf("mhSwapped", b, n, 33, 9, data[int32], 2048, total, mhSwapped, mhSwappedKernel, mhSwappedSerial))
			add(mhOf("mhNarrow", b, n, 57, 777, data[int32], 1024, total, mhNarrow, mhNarrowKernel, mhNarrowSerial))
		}
	}
	for _, block := range []grid.Dim3{{X: 16, Y: 16}, {X: 32, Y: 8}, {X: 33, Y: 3}, {X: 64, Y: 1}, {X: 8, Y: 8}, {X: 5, Y: 3}} {
		b := grid.Config{Grid: grid.Dim3{X: 3}, Block: block}
		for _, n := range []int{0, 1, 50, 300} {
			add(mhOf("mhVoted", b, n, 64, 13, data[int32], 8192, 3*b.Threads(), mhVoted, mhVotedKernel, mhVotedSerial))
		}
		for _, n := range []int{1, 64, 100, 256, 1024} {
			for _, d := range [][2]int{{0, 0}, {1, 0}, {4, 1}, {3, 2}, {40, 8}} {
				add(mhOf("mhPartnerRounds", b, n, d[0], d[1], data[int32], 3*n, 3*n, mhPartnerRounds, mhPartnerRoundsKernel, mhPartnerRoundsSerial))
			}
		}
		for _, s := range [][3]int{{1, 1, 3}, {7, 2, 0}, {0, 17, 16}, {6, 5, 9}} {
			add(mhOf("mhTileRounds", b, s[0], s[1], s[2], mhSmallFloats, 600, 3*288, mhTileRounds, mhTileRoundsKernel, mhTileRoundsSerial))
		}
	}
	for _, dim := range []int{8, 16, 24, 33, 64, 100, 512} {
		b := line(2, dim)
		for _, n := range []int{0, 1, 3, 4, 6, 64} {
			for _, w := range []int{0, 1, 8, 5} {
				add(mhOf("mhPartnerOwn", b, n, w, n%5, data[int64], 2*dim, 2*dim, mhPartnerOwn, mhPartnerOwnKernel, mhPartnerOwnSerial))
			}
		}
	}
	return all
}

func mhPartnerCases[T mhNumber](of string) (all []Case) {
	add := func(c Case) { all = append(all, c) }
	of = "-" + of
	input := data[T]
	if T(1)/T(2) != 0 {
		input = mhNumbers[T]
	}
	for _, dim := range []int{8, 16, 24, 33, 64, 100, 512} {
		b := line(2, dim)
		for k, d := range []int{0, 1, 2, 3, 5, 6, 8, 16, 31, 32, 64, 600, -1, -4} {
			if dim != 64 && k%3 != dim%3 {
				continue
			}
			add(mhOf("mhPartner"+of, b, d, 14-d, 70, input, 2*dim, 2*dim, mhPartner[T], mhPartnerKernel[T], mhPartnerSerial[T]))
			total := 2 * dim
			n := total - 3
			if d == 0 {
				n = total
			}
			for _, h := range []int{1, 6, 16} {
				add(mhFrom("mhExchange"+of, b, n, d, h, input, func(n int) []T { return dataFrom[T](n, 5) }, total, total, mhExchange[T], mhExchangeKernel[T], mhExchangeSerial[T]))
			}
			add(mhOf("mhAcross"+of, b, n, d, 16*(k%3)+k%2, input, total, total, mhAcross[T], mhAcrossKernel[T], mhAcrossSerial[T]))
			if d >= 0 {
				add(mhOf("mhBits"+of, b, d, d*3%512, d/2, input, 1024, 2*dim, mhBits[T], mhBitsKernel[T], mhBitsSerial[T]))
			}
		}
		for _, n := range []int{1, 2, 3, 5} {
			add(mhOf("mhButterfly"+of, b, n, 0, 0, mhNumbers[T], 2*dim, 2*dim, mhButterfly[T], mhButterflyKernel[T], mhButterflySerial[T]))
		}
		if dim%8 == 0 {
			add(mhOf("mhAllReduce"+of, b, 0, 0, 0, mhNumbers[T], 2*dim, 2*dim, mhAllReduce[T], mhAllReduceKernel[T], mhAllReduceSerial[T]))
		}
		if dim&(dim-1) == 0 {
			add(mhOf("mhBitonic"+of, b, 0, 0, 0, input, 2*dim, 2*dim, mhBitonic[T], mhBitonicKernel[T], mhBitonicSerial[T]))
			for _, w := range []int{0, 8} {
				add(mhOf("mhWalsh"+of, b, 0, w, 0, input, 2*dim, 2*dim, mhWalsh[T], mhWalshKernel[T], mhWalshSerial[T]))
			}
		}
	}
	return all
}

func marchFailures() (all []Failure) {
	for _, b := range []grid.Dim3{{X: 16, Y: 16}, {X: 64, Y: 1}, {X: 33, Y: 3}, {X: 8, Y: 16}} {
		nt := b.X * b.Y
		n := 3 * nt
		at := func(k int) grid.Dim3 { return b.At(k % nt) }
		fails := func(name string, who int, thread grid.Dim3, source failKernel, compiled failMaker, text string) {
			f := failure(fmt.Sprintf("%s %d in %v", name, who, b), nt, who, source, compiled, text)
			f.Config = grid.Config{Grid: grid.Dim3{X: 3}, Block: b}
			f.Thread = thread
			all = append(all, f)
		}
		four := func(name string, who int, thread grid.Dim3, lengths [4]int, source func(*gocuda.Thread, int, [4][]int32, []int32),
			compiled func(int, [4][]int32, []int32) gocuda.Kernel, text string) {
			all = append(all, Failure{
				Name: fmt.Sprintf("%s %d in %v", name, who, b), Config: grid.Config{Grid: grid.Dim3{X: 3}, Block: b},
				Block: grid.Dim3{X: 1}, Thread: thread, Text: text,
				Make: func(grid.Config) Instance {
					a, out := mhFour(lengths[:]...)(), make([]int32, n)
					return Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, who, a, out) }),
						Compiled: compiled(who, a, out),
						Outputs:  []any{out},
					}
				},
			})
		}
		for _, who := range []int{0, 9, 14, 63} {
			end := fmt.Sprintf("index out of range [%d] with length %d", n, n)
			fails("mhFailMarch", who, at(who), mhFailMarch, mhFailMarchKernel, end)
			fails("mhFailBackwards", who, at(who), mhFailBackwards, mhFailBackwardsKernel, "index out of range [4294967294]")
			fails("mhFailColumn", who, at(who), mhFailColumn, mhFailColumnKernel, "index out of range [-")
			row := "index out of range [18] with length 18"
			if who%2 == 1 {
				row = "index out of range [-3]"
			}
			fails("mhFailTileRow", who, at(who), mhFailTileRow, mhFailTileRowKernel, row)
			fails("mhFailTileStore", who, at(who), mhFailTileStore, mhFailTileStoreKernel, "with length 65")
			fails("mhFailLeft", who, at(who), mhFailLeft, mhFailLeftKernel, "index out of range [4294967295]")
			fails("mhFailTorus", who, at(who), mhFailTorus, mhFailTorusKernel, fmt.Sprintf("index out of range [%d]", 1<<31-1+n))
			fails("mhFailAcross", who, at(who), mhFailAcross, mhFailAcrossKernel, "index out of range [")
			fails("mhFailInnerStore", who, at(nt-1-who), mhFailInnerStore, mhFailInnerStoreKernel, end)
			fails("mhFailCount", who, at(who), mhFailCount, mhFailCountKernel, "negative shift amount")
			which := []string{"with length 5", "", "index out of range [4] with length 4", "index out of range [5] with length 4"}[who&3]
			if who&3 != 1 {
				four("mhFailSlices", who, at(who), [4]int{n, n, 5, n}, mhFailSlices, mhFailSlicesKernel, which)
			}
			for k, lengths := range [][4]int{{nt + who, n, n, n}, {n, nt + who, n, n}, {n, n, nt + who, n}, {n, n, n, nt + who}} {
				four(fmt.Sprintf("mhFailThird-%d", k), who, at(who), lengths, mhFailThird, mhFailThirdKernel, fmt.Sprintf("index out of range [%d] with length %d", nt+who, nt+who))
			}
			four("mhFailEnds", who, at(who), [4]int{n, n, nt + who, n}, mhFailEnds, mhFailEndsKernel, fmt.Sprintf("index out of range [%d] with length %d", nt+who, nt+who))
		}
		fails("mhFailInner", 0, at(287), mhFailInner, mhFailInnerKernel, "index out of range [396] with length 396")
	}
	for _, d := range []int{1, 2, 31} {
		all = append(all, failure(fmt.Sprintf("mhFailPartner %d", d), 33, d, mhFailPartner, mhFailPartnerKernel, fmt.Sprintf("index out of range [%d] with length 33", 32^d)))
		all[len(all)-1].Thread = grid.Dim3{X: 32}
	}
	return all
}
