//go:build compiled

package corpus

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The kernels of every course, as they are usually written.

// y = a*x + y.
//
//gocuda:kernel
func saxpy(t *gocuda.Thread, n int, a float32, x, y []float32) {
	if i := t.GlobalX(); i < n {
		y[i] = a*x[i] + y[i]
	}
}

type body struct{ x, y, z, mass float32 }

// Gravity on all bodies, which pass through shared memory a tile at a time.
//
//gocuda:kernel
func nbody(t *gocuda.Thread, n int, bodies []body, ax, ay, az []float32) {
	tile := gocuda.Shared[body](t, 1024)
	i, size := t.GlobalX(), t.BlockDim.X
	var me body
	if i < n {
		me = bodies[i]
	}
	var x, y, z float32
	for first := 0; first < n; first += size {
		if k := first + t.ThreadIdx.X; k < n {
			tile[t.ThreadIdx.X] = bodies[k]
		} else {
			tile[t.ThreadIdx.X] = body{}
		}
		t.SyncThreads()
		for k := range size {
			o := tile[k]
			dx, dy, dz := o.x-me.x, o.y-me.y, o.z-me.z
			d2 := dx*dx + dy*dy + dz*dz + 0.01
			inv := 1 / float32(math.Sqrt(float64(d2)))
			f := o.mass * inv * inv * inv
			x += dx * f
			y += dy * f
			z += dz * f
		}
		t.SyncThreads()
	}
	if i < n {
		ax[i], ay[i], az[i] = x, y, z
	}
}

// Blelloch's scan: up and down the tree.
//
//gocuda:kernel
func blelloch(t *gocuda.Thread, in, out []int32) {
	n := 2 * t.BlockDim.X
	s := gocuda.Shared[int32](t, n)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * n
	s[2*tid], s[2*tid+1] = in[base+2*tid], in[base+2*tid+1]
	offset := 1
	for d := n >> 1; d > 0; d >>= 1 {
		t.SyncThreads()
		if tid < d {
			a, b := offset*(2*tid+1)-1, offset*(2*tid+2)-1
			s[b] += s[a]
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
			a, b := offset*(2*tid+1)-1, offset*(2*tid+2)-1
			s[a], s[b] = s[b], s[b]+s[a]
		}
	}
	t.SyncThreads()
	out[base+2*tid], out[base+2*tid+1] = s[2*tid], s[2*tid+1]
}

// A sparse matrix in rows, times a vector.
//
//gocuda:kernel
func spmv(t *gocuda.Thread, rows int, start, column []int32, value, x, y []float32) {
	row := t.GlobalX()
	if row >= rows {
		return
	}
	sum := float32(0)
	for k := start[row]; k < start[row+1]; k++ {
		sum += value[k] * x[column[k]]
	}
	y[row] = sum
}

// Conway's life on a torus.
//
//gocuda:kernel
func life(t *gocuda.Thread, w, h int, in, out []uint8) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	n := uint8(0)
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if dx == 0 && dy == 0 {
				continue
			}
			n += in[(y+dy+h)%h*w+(x+dx+w)%w]
		}
	}
	switch {
	case n == 3:
		out[y*w+x] = 1
	case n == 2:
		out[y*w+x] = in[y*w+x]
	default:
		out[y*w+x] = 0
	}
}

// Several steps of a heat equation inside one block, with two buffers.
//
//gocuda:kernel
func heat(t *gocuda.Thread, steps int, in, out []float32) {
	a := gocuda.Shared[float32](t, 1024)
	b := gocuda.Shared[float32](t, 1024)
	tid, n, i := t.ThreadIdx.X, t.BlockDim.X, t.GlobalX()
	a[tid] = in[i]
	t.SyncThreads()
	for k := 0; k < steps; k++ {
		left, right := a[max(tid-1, 0)], a[min(tid+1, n-1)]
		b[tid] = a[tid] + 0.25*(left-2*a[tid]+right)
		t.SyncThreads()
		a, b = b, a
	}
	out[i] = a[tid]
}

// The reduction of CUDA's samples: two elements a thread, shared memory, the last warp by shuffles.
//
//gocuda:kernel
func reduceSample(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	tid := t.ThreadIdx.X
	i := t.BlockIdx.X*t.BlockDim.X*2 + tid
	sum := int32(0)
	if i < n {
		sum = in[i]
	}
	if i+t.BlockDim.X < n {
		sum += in[i+t.BlockDim.X]
	}
	s[tid] = sum
	t.SyncThreads()
	for d := t.BlockDim.X / 2; d > 32; d >>= 1 {
		if tid < d {
			sum += s[tid+d]
			s[tid] = sum
		}
		t.SyncThreads()
	}
	if tid < 32 {
		if t.BlockDim.X >= 64 {
			sum += s[tid+32]
		}
		for d := 16; d > 0; d >>= 1 {
			sum += gocuda.ShflDownSync(t, gocuda.FullMask, sum, d, 32)
		}
	}
	if tid == 0 {
		out[t.BlockIdx.X] = sum
	}
}

var classicCases = []Case{
	made("saxpy", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks()*cfg.Threads() - 1
		x, y := data[float32](n), dataFrom[float32](n, 1)
		return func(t *gocuda.Thread) { saxpy(t, n, 1.25, x, y) }, saxpyKernel(n, 1.25, x, y), []any{y}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks()*cfg.Threads() - 1
		x, y := data[float32](n), dataFrom[float32](n, 1)
		for i := range y {
			p := 1.25 * x[i]
			y[i] += p
		}
		return []any{y}
	}),
	made("nbody", []grid.Config{line(4, 7), line(3, 33), line(2, 64)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks()*cfg.Threads() - 3
		b, x, y, z := bodiesOf(n), marked[float32](n), marked[float32](n), marked[float32](n)
		return func(t *gocuda.Thread) { nbody(t, n, b, x, y, z) }, nbodyKernel(n, b, x, y, z), []any{x, y, z}
	}, nil),
	made("blelloch", powers, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := 2 * cfg.Blocks() * cfg.Threads()
		in, out := data[int32](n), marked[int32](n)
		return func(t *gocuda.Thread) { blelloch(t, in, out) }, blellochKernel(in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := 2 * cfg.Threads()
		in, out := data[int32](cfg.Blocks()*n), make([]int32, cfg.Blocks()*n)
		for i := range out {
			if i%n > 0 {
				out[i] = out[i-1] + in[i-1]
			}
		}
		return []any{out}
	}),
	made("spmv", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks()*cfg.Threads() - 1
		start, column := segmentStarts(n), columnsOf(n)
		value, x, y := data[float32](4*n), dataFrom[float32](n, 1), marked[float32](n)
		return func(t *gocuda.Thread) { spmv(t, n, start, column, value, x, y) },
			spmvKernel(n, start, column, value, x, y), []any{y}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks()*cfg.Threads() - 1
		start, column := segmentStarts(n), columnsOf(n)
		value, x, y := data[float32](4*n), dataFrom[float32](n, 1), make([]float32, n)
		row := 0
		for k := range column[:start[n]] {
			for int(start[row+1]) <= k {
				row++
			}
			p := value[k] * x[column[k]]
			y[row] += p
		}
		return []any{y}
	}),
	made("life", []grid.Config{grid.Rect(37, 11, 16, 16), grid.Rect(37, 11, 8, 3), grid.Rect(37, 11, 37, 1)},
		func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := cells(), marked[uint8](37*11)
			return func(t *gocuda.Thread) { life(t, 37, 11, in, out) }, lifeKernel(37, 11, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in, out := cells(), make([]uint8, 37*11)
			for i := range in {
				n := -in[i]
				for k := range 9 {
					x, y := (i%37+k%3+36)%37, (i/37+k/3+10)%11
					n += in[y*37+x]
				}
				if n == 3 || n == 2 && in[i] == 1 {
					out[i] = 1
				}
			}
			return []any{out}
		}),
	withParameter("heat", linear, 7, heat, heatKernel, nil),
	made("reduceSample", []grid.Config{line(3, 32), line(3, 64), line(2, 256)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := 2*cfg.Blocks()*cfg.Threads() - 40
		in, out := data[int32](n), marked[int32](cfg.Blocks())
		return func(t *gocuda.Thread) { reduceSample(t, n, in, out) }, reduceSampleKernel(n, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		out := make([]int32, cfg.Blocks())
		for i, v := range data[int32](2*cfg.Blocks()*cfg.Threads() - 40) {
			out[i/(2*cfg.Threads())] += v
		}
		return []any{out}
	}),
}

func bodiesOf(n int) []body {
	v := data[float32](4 * n)
	b := make([]body, n)
	for i := range b {
		b[i] = body{v[4*i], v[4*i+1], v[4*i+2], v[4*i+3]}
	}
	return b
}

func columnsOf(n int) []int32 {
	c := make([]int32, 4*n)
	for i := range c {
		c[i] = int32(hash(i) % uint64(n))
	}
	return c
}

func cells() []uint8 {
	c := data[uint8](37 * 11)
	for i := range c {
		c[i] &= 1
	}
	return c
}
