//go:build compiled

package corpus

import (
	"slices"
	"strconv"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Several shared arrays of several types and lengths.
//
//gocuda:kernel
func sharedSeveral(t *gocuda.Thread, in, out []int32) {
	a := gocuda.Shared[int32](t, t.BlockDim.X)
	b := gocuda.Shared[float64](t, 2*t.BlockDim.X)
	c := gocuda.Shared[uint8](t, 1000)
	flag := gocuda.Shared[bool](t, 1)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	a[tid] = in[i]
	b[tid], b[n+tid] = float64(in[i])/2, float64(tid)
	c[tid] = uint8(in[i])
	if tid == n/2 {
		flag[0] = in[i] > 0
	}
	t.SyncThreads()
	k := (tid + 1) % n
	r := a[k] - int32(b[k]) + int32(b[n+k]) + int32(c[k])
	if flag[0] {
		r = -r
	}
	out[i] = r + int32(len(a)+len(b)+len(c))
}

func sharedSeveralWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		for i := range out {
			k := (i + 1) % n
			v := in[first+k]
			out[i] = v - v/2 + int32(k) + v&0xff
			if in[first+n/2] > 0 {
				out[i] = -out[i]
			}
			out[i] += int32(3*n + 1000)
		}
	})
}

// Rows of shared memory as arrays of arrays, with the classic column more.
//
//gocuda:kernel
func sharedRows(t *gocuda.Thread, in, out []float32) {
	var rows [][17]float32 = gocuda.Shared[[17]float32](t, 16)
	x, y := t.ThreadIdx.X, t.ThreadIdx.Y
	base := t.BlockIdx.X * 256
	rows[y][x] = in[base+16*y+x]
	if x == 0 {
		rows[y][16] = float32(y)
	}
	t.SyncThreads()
	sum := rows[x][16]
	for k := range rows[y] {
		sum += rows[y][k] * 0.5
	}
	t.SyncThreads()
	row := &rows[x]
	row[y] = sum
	t.SyncThreads()
	out[base+16*y+x] = rows[y][x]
}

func sharedRowsWant(cfg grid.Config, in, out []float32) {
	perBlock(cfg, out, func(_, first int, out []float32) {
		for x := range 16 {
			for y := range 16 {
				sum := float32(x)
				for k := range 16 {
					half := in[first+16*y+k] / 2
					sum += half
				}
				sum += float32(y) / 2
				out[16*x+y] = sum
			}
		}
	})
}

// The tiled matrix product, with a bound that is no multiple of the tile.
//
//gocuda:kernel
func tiledProduct(t *gocuda.Thread, n int, a, b, c []float32) {
	const tile = 8
	as := gocuda.Shared[[tile]float32](t, tile)
	bs := gocuda.Shared[[tile]float32](t, tile)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	row, col := t.BlockIdx.Y*tile+ty, t.BlockIdx.X*tile+tx
	var sum float32
	for m := 0; m < (n+tile-1)/tile; m++ {
		as[ty][tx], bs[ty][tx] = 0, 0
		if k := m*tile + tx; row < n && k < n {
			as[ty][tx] = a[row*n+k]
		}
		if k := m*tile + ty; k < n && col < n {
			bs[ty][tx] = b[k*n+col]
		}
		t.SyncThreads()
		for k := range tile {
			sum += as[ty][k] * bs[k][tx]
		}
		t.SyncThreads()
	}
	if row < n && col < n {
		c[row*n+col] = sum
	}
}

// Dynamic shared memory, seen as one type.
//
//gocuda:kernel
func sharedDynamic(t *gocuda.Thread, in, out []float32) {
	s := gocuda.DynamicShared[float32](t)
	i := t.GlobalX()
	s[t.ThreadIdx.X] = in[i]
	t.SyncThreads()
	out[i] = s[len(s)-1-t.ThreadIdx.X] * 2
}

// Dynamic shared memory as two arrays of different types beside a static one.
//
//gocuda:kernel
func sharedDynamicTwo(t *gocuda.Thread, in, out []int32) {
	raw := gocuda.DynamicShared[int32](t)
	n, tid, i := t.BlockDim.X, t.ThreadIdx.X, t.GlobalX()
	fixed := gocuda.Shared[int32](t, 4)
	keys, vals := raw[:n], raw[n:2*n]
	keys[tid], vals[n-1-tid] = in[i], int32(tid)
	if tid < 4 {
		fixed[tid] = int32(tid * tid)
	}
	t.SyncThreads()
	bytes := gocuda.DynamicShared[uint8](t)
	out[i] = keys[(tid+1)%n]*3 + vals[tid] + int32(bytes[4*tid]) + int32(len(bytes)/len(raw))
	if n >= 4 {
		out[i] += fixed[tid%4]
	}
}

// Shared memory named in helpers, and after a barrier, and of a local type.
//
//gocuda:kernel
func sharedLate(t *gocuda.Thread, in, out []int32) {
	type cell struct{ v, w int32 }
	i, tid, n := t.GlobalX(), t.ThreadIdx.X, t.BlockDim.X
	a := scratch(t, 2*n)
	a[2*tid] = in[i]
	t.SyncThreads()
	c := gocuda.Shared[cell](t, n)
	c[tid] = cell{a[2*((tid+1)%n)], int32(tid)}
	t.SyncThreads()
	d := c[n-1-tid]
	out[i] = d.v*3 - d.w
}

func scratch(t *gocuda.Thread, n int) []int32 { return gocuda.Shared[int32](t, n) }

// A scan in two buffers that change places, and one in one buffer.
//
//gocuda:kernel
func sharedScan(t *gocuda.Thread, in, out, exclusive []int32) {
	s := gocuda.Shared[[1024]int32](t, 2)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	now := 0
	s[now][tid] = in[i]
	t.SyncThreads()
	for d := 1; d < n; d <<= 1 {
		next := 1 - now
		if tid >= d {
			s[next][tid] = s[now][tid] + s[now][tid-d]
		} else {
			s[next][tid] = s[now][tid]
		}
		now = next
		t.SyncThreads()
	}
	out[i] = s[now][tid]
	if tid == 0 {
		exclusive[i] = 0
	} else {
		exclusive[i] = s[now][tid-1]
	}
}

// Odd-even sort: neighbours are exchanged, in turn, by half of the threads.
//
//gocuda:kernel
func sharedSort(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	s[tid] = in[i]
	for k := 0; k < n; k++ {
		t.SyncThreads()
		if tid%2 == k%2 && tid+1 < n && s[tid] > s[tid+1] {
			s[tid], s[tid+1] = s[tid+1], s[tid]
		}
	}
	t.SyncThreads()
	out[i] = s[tid]
}

// Bitonic sort, whose inner loop halves its stride and whose exchange goes both ways.
//
//gocuda:kernel
func sharedBitonic(t *gocuda.Thread, in, out []int32) {
	n := t.BlockDim.X
	s := gocuda.Shared[int32](t, n)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	s[tid] = in[i]
	t.SyncThreads()
	for size := 2; size <= n; size *= 2 {
		for stride := size / 2; stride > 0; stride /= 2 {
			if other := tid ^ stride; other > tid {
				up := tid&size == 0
				if a, b := s[tid], s[other]; (a > b) == up {
					s[tid], s[other] = b, a
				}
			}
			t.SyncThreads()
		}
	}
	out[i] = s[tid]
}

// A stencil with a halo that a few threads load.
//
//gocuda:kernel
func sharedHalo(t *gocuda.Thread, n int, in, out []int32) {
	const radius = 3
	s := gocuda.Shared[int32](t, 1024+2*radius)
	i, at := t.GlobalX(), t.ThreadIdx.X+radius
	if i < n {
		s[at] = in[i]
	}
	if t.ThreadIdx.X < radius {
		for _, k := range [2]int{i - radius, i + t.BlockDim.X} {
			v := int32(0)
			if k >= 0 && k < n {
				v = in[k]
			}
			if k < i {
				s[at-radius] = v
			} else {
				s[at+t.BlockDim.X] = v
			}
		}
	}
	t.SyncThreads()
	if i >= n {
		return
	}
	sum := int32(0)
	for d := -radius; d <= radius; d++ {
		if i+d >= n {
			break
		}
		sum += s[at+d] * int32(d+5)
	}
	out[i] = sum
}

func sharedHaloWant(_ grid.Config, in, out []int32) {
	for i := range out {
		out[i] = 0
		for k := max(0, i-3); k <= min(i+3, len(in)-1); k++ {
			out[i] += in[k] * int32(k-i+5)
		}
	}
}

// Shared elements of 64 bits and of floating point, and reversing in place.
//
//gocuda:kernel
func sharedReverse(t *gocuda.Thread, in, out []float64) {
	s := gocuda.Shared[float64](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * n
	s[tid] = in[base+tid]
	t.SyncThreads()
	if tid < n/2 {
		s[tid], s[n-1-tid] = s[n-1-tid], s[tid]
	}
	t.SyncThreads()
	out[base+tid] = s[tid]
}

var sharedCases = []Case{
	perThread("sharedSeveral", linear, sharedSeveral, sharedSeveralKernel, sharedSeveralWant),
	perThread("sharedRows", []grid.Config{{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 16, Y: 16}}}, sharedRows, sharedRowsKernel, sharedRowsWant),
	productCase(8), productCase(19), productCase(32),
	perThread("sharedDynamic", withShared(4, linear), sharedDynamic, sharedDynamicKernel, func(cfg grid.Config, in, out []float32) {
		perBlock(cfg, out, func(_, first int, out []float32) {
			for i := range out {
				out[i] = in[first+len(out)-1-i] + in[first+len(out)-1-i]
			}
		})
	}),
	perThread("sharedDynamicTwo", withShared(8, linear), sharedDynamicTwo, sharedDynamicTwoKernel, nil),
	perThread("sharedLate", linear, sharedLate, sharedLateKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			n := len(out)
			for i := range out {
				out[i] = in[first+(n-i)%n]*3 - int32(n-1-i)
			}
		})
	}),
	made("sharedScan", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out, exclusive := data[int32](n), marked[int32](n), marked[int32](n)
		return func(t *gocuda.Thread) { sharedScan(t, in, out, exclusive) },
			sharedScanKernel(in, out, exclusive), []any{out, exclusive}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		out, exclusive := data[int32](n), make([]int32, n)
		for i := range out {
			if i%cfg.Threads() > 0 {
				exclusive[i] = out[i-1]
				out[i] += out[i-1]
			}
		}
		return []any{out, exclusive}
	}),
	perThread("sharedSort", []grid.Config{line(3, 1), line(3, 7), line(2, 33), line(1, 100)}, sharedSort, sharedSortKernel, sortedWant),
	perThread("sharedBitonic", powers, sharedBitonic, sharedBitonicKernel, sortedWant),
	guarded("sharedHalo", []grid.Config{line(3, 7), line(3, 33), line(2, 100), line(2, 256)}, sharedHalo, sharedHaloKernel, sharedHaloWant),
	perThread("sharedReverse", linear, sharedReverse, sharedReverseKernel, func(cfg grid.Config, in, out []float64) {
		perBlock(cfg, out, func(_, first int, out []float64) {
			copy(out, in[first:])
			slices.Reverse(out)
		})
	}),
}

func sortedWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		copy(out, in[first:])
		slices.Sort(out)
	})
}

func productCase(n int) Case {
	return made("tiledProduct"+strconv.Itoa(n), []grid.Config{grid.Rect(n, n, 8, 8)}, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		a, b, c := data[float32](n*n), dataFrom[float32](n*n, 3), marked[float32](n*n)
		return func(t *gocuda.Thread) { tiledProduct(t, n, a, b, c) }, tiledProductKernel(n, a, b, c), []any{c}
	}, func(grid.Config) []any {
		a, b, c := data[float32](n*n), dataFrom[float32](n*n, 3), make([]float32, n*n)
		for i := range c {
			for k := range n {
				p := a[i/n*n+k] * b[k*n+i%n]
				c[i] += p
			}
		}
		return []any{c}
	})
}
