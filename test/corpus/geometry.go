//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// slotOf is the number of the thread in the grid, by all dimensions.
func slotOf(t *gocuda.Thread) int {
	return t.GridDim.Linear(t.BlockIdx)*t.BlockDim.Size() + t.BlockDim.Linear(t.ThreadIdx)
}

// Every field and method that says where the thread is.
//
//gocuda:kernel
func whereAmI(t *gocuda.Thread, in, out []int32) {
	a := t.ThreadIdx
	b := t.BlockIdx
	v := a.X + 10*a.Y + 100*a.Z + 1000*b.X + 2000*b.Y + 3000*b.Z
	v = v*7 + t.BlockDim.X + t.BlockDim.Y*2 + t.BlockDim.Z*3
	v = v*7 + t.GridDim.X + t.GridDim.Y*2 + t.GridDim.Z*3
	v = v*7 + t.GlobalX() + t.GlobalY()*2 + t.GlobalZ()*3
	v = v*7 + t.Rank() + t.LaneID()*2 + t.WarpID()*3
	a.X++ // a copy
	v = v*7 + a.X - t.ThreadIdx.X + t.BlockDim.Size() + t.GridDim.Size()
	out[slotOf(t)] = int32(v)
}

func whereAmIWant(cfg grid.Config, in, out []int32) {
	b, g := cfg.Block.Norm(), cfg.Grid.Norm()
	perBlock(cfg, out, func(block, first int, out []int32) {
		bx, by, bz := block%g.X, block/g.X%g.Y, block/g.X/g.Y
		for i := range out {
			x, y, z := i%b.X, i/b.X%b.Y, i/b.X/b.Y
			v := x + 10*y + 100*z + 1000*bx + 2000*by + 3000*bz
			v = v*7 + b.X + 2*b.Y + 3*b.Z
			v = v*7 + g.X + 2*g.Y + 3*g.Z
			v = v*7 + bx*b.X + x + 2*(by*b.Y+y) + 3*(bz*b.Z+z)
			v = v*7 + i + i%32*2 + i/32*3
			v = v*7 + 1 + len(out) + g.X*g.Y*g.Z
			out[i] = int32(v)
		}
	})
}

// A barrier in blocks of all shapes.
//
//gocuda:kernel
func shapeBarrier(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	n := t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z
	rank := (t.ThreadIdx.Z*t.BlockDim.Y+t.ThreadIdx.Y)*t.BlockDim.X + t.ThreadIdx.X
	slot := ((t.BlockIdx.Z*t.GridDim.Y+t.BlockIdx.Y)*t.GridDim.X+t.BlockIdx.X)*n + rank
	s[rank] = in[slot]
	t.SyncThreads()
	out[slot] = s[(rank+1)%n] - s[n-1-rank]
}

// Rows of two dimensions, transposed through shared memory with a row of one more element.
//
//gocuda:kernel
func shapeTranspose(t *gocuda.Thread, width, height int, in, out []float32) {
	s := gocuda.Shared[[17]float32](t, 16)
	x, y := t.GlobalX(), t.GlobalY()
	if x < width && y < height {
		s[t.ThreadIdx.Y][t.ThreadIdx.X] = in[y*width+x]
	}
	t.SyncThreads()
	x, y = t.BlockIdx.Y*16+t.ThreadIdx.X, t.BlockIdx.X*16+t.ThreadIdx.Y
	if x < height && y < width {
		out[y*height+x] = s[t.ThreadIdx.X][t.ThreadIdx.Y]
	}
}

// Three dimensions, with conditions on each of them and work for the border only.
//
//gocuda:kernel
func shapeBorder(t *gocuda.Thread, nx, ny, nz int, in, out []float32) {
	x, y, z := t.GlobalX(), t.GlobalY(), t.GlobalZ()
	if x >= nx || y >= ny || z >= nz {
		return
	}
	i := (z*ny+y)*nx + x
	if x == 0 || y == 0 || z == 0 || x == nx-1 || y == ny-1 || z == nz-1 {
		out[i] = -in[i]
		return
	}
	out[i] = in[i-1] + in[i+1] + in[i-nx] + in[i+nx] + in[i-nx*ny] + in[i+nx*ny] - 6*in[i]
}

// A grid-stride loop: fewer threads than elements.
//
//gocuda:kernel
func gridStride(t *gocuda.Thread, a int32, in, out []int32) {
	stride := t.BlockDim.X * t.GridDim.X
	for i := t.GlobalX(); i < len(out); i += stride {
		out[i] = a*in[i] + int32(i)
	}
}

// A grid-stride loop in two dimensions, with a condition in it.
//
//gocuda:kernel
func gridStride2(t *gocuda.Thread, w, h int, in, out []int32) {
	for y := t.GlobalY(); y < h; y += t.BlockDim.Y * t.GridDim.Y {
		for x := t.GlobalX(); x < w; x += t.BlockDim.X * t.GridDim.X {
			v := in[y*w+x]
			if v%2 == 0 && x > 0 {
				v -= in[y*w+x-1]
			}
			out[y*w+x] = v
		}
	}
}

// A stride inside the block, with barriers between the rounds over a row.
//
//gocuda:kernel
func blockStride(t *gocuda.Thread, width int, in, out []int32) {
	s := gocuda.Shared[int32](t, width)
	row := t.BlockIdx.X * width
	for i := t.ThreadIdx.X; i < width; i += t.BlockDim.X {
		s[i] = in[row+i]
	}
	t.SyncThreads()
	for i := t.ThreadIdx.X; i < width; i += t.BlockDim.X {
		sum := s[i]
		if i > 0 {
			sum += s[i-1]
		}
		if i+1 < width {
			sum += s[i+1]
		}
		out[row+i] = sum
	}
}

// Each thread has a few elements side by side, or a block apart, or from the end.
//
//gocuda:kernel
func severalEach(t *gocuda.Thread, in, out []int32) {
	n := t.BlockDim.X
	base := t.BlockIdx.X * n * 4
	if base+4*n > len(out) {
		return
	}
	var v [4]int32
	for k := range v {
		v[k] = in[base+4*t.ThreadIdx.X+k]
	}
	t.SyncThreads()
	for k := range v {
		out[base+k*n+t.ThreadIdx.X] = v[3-k] + in[base+4*n-1-(k*n+t.ThreadIdx.X)]
	}
}

// Indices in all forms: offsets, strides, modulo, reversed, as int32 and as uint32, and through a
// table.
//
//gocuda:kernel
func indices(t *gocuda.Thread, perm []int32, in, out []int32) {
	i := int32(t.GlobalX())
	n := int32(len(in))
	u := uint32(i)
	v := in[i] + in[n-1-i]*2 + in[(i+5)%n]*3 + in[u/2]*4 + in[u>>3]*5
	v += in[perm[i]] * 6
	v += in[uint64(i)%uint64(n)] + in[int(i)*3%int(n)]*7 + in[uint16(u)&1]*8
	out[perm[i]] = v
}

// Big 64-bit index arithmetic, of which only the low part matters.
//
//gocuda:kernel
func indices64(t *gocuda.Thread, in, out []int32) {
	i := int64(t.GlobalX())
	k := i*0x1_0000_0001 + 7
	out[i] = in[uint64(k)%uint64(len(in))] + int32(k>>32) + int32(k)
}

var geometryCases = []Case{
	perThread("whereAmI", anywhere, whereAmI, whereAmIKernel, whereAmIWant),
	perThread("shapeBarrier", anywhere, shapeBarrier, shapeBarrierKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			n := len(out)
			for i := range out {
				out[i] = in[first+(i+1)%n] - in[first+n-1-i]
			}
		})
	}),
	made("shapeTranspose", []grid.Config{grid.Rect(16, 16, 16, 16), grid.Rect(37, 21, 16, 16), grid.Rect(1, 30, 16, 16)},
		func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			w, h := cfg.Grid.X*16-11, cfg.Grid.Y*16-5
			in, out := data[float32](w*h), marked[float32](w*h)
			return func(t *gocuda.Thread) { shapeTranspose(t, w, h, in, out) },
				shapeTransposeKernel(w, h, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			w, h := cfg.Grid.X*16-11, cfg.Grid.Y*16-5
			in, out := data[float32](w*h), make([]float32, w*h)
			for i, v := range in {
				out[i%w*h+i/w] = v
			}
			return []any{out}
		}),
	made("shapeBorder", []grid.Config{grid.Box(9, 8, 7, 4, 4, 4), grid.Box(11, 5, 6, 5, 3, 1), grid.Box(3, 3, 3, 3, 5, 7)},
		func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			nx, ny, nz := borderSize(cfg)
			in, out := data[float32](nx*ny*nz), marked[float32](nx*ny*nz)
			return func(t *gocuda.Thread) { shapeBorder(t, nx, ny, nz, in, out) },
				shapeBorderKernel(nx, ny, nz, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			nx, ny, nz := borderSize(cfg)
			in, out := data[float32](nx*ny*nz), make([]float32, nx*ny*nz)
			for i := range out {
				x, y, z := i%nx, i/nx%ny, i/nx/ny
				if x%(nx-1) == 0 || y%(ny-1) == 0 || z%(nz-1) == 0 {
					out[i] = -in[i]
					continue
				}
				sum := float32(0)
				for _, d := range []int{-1, 1, -nx, nx, -nx * ny, nx * ny} {
					sum += in[i+d]
				}
				six := 6 * in[i]
				out[i] = sum - six
			}
			return []any{out}
		}),
	made("gridStride", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[int32](777), marked[int32](777)
		return func(t *gocuda.Thread) { gridStride(t, 5, in, out) }, gridStrideKernel(5, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		out := data[int32](777)
		for i := range out {
			out[i] = 5*out[i] + int32(i)
		}
		return []any{out}
	}),
	made("gridStride2", boxes[:3], func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[int32](29*31), marked[int32](29*31)
		return func(t *gocuda.Thread) { gridStride2(t, 29, 31, in, out) }, gridStride2Kernel(29, 31, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		in, out := data[int32](29*31), make([]int32, 29*31)
		for i, v := range in {
			out[i] = v
			if v%2 == 0 && i%29 > 0 {
				out[i] -= in[i-1]
			}
		}
		return []any{out}
	}),
	made("blockStride", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := 100 * cfg.Blocks()
		in, out := data[int32](n), marked[int32](n)
		return func(t *gocuda.Thread) { blockStride(t, 100, in, out) }, blockStrideKernel(100, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		in, out := data[int32](100*cfg.Blocks()), make([]int32, 100*cfg.Blocks())
		for i := range out {
			for k := max(i-1, i/100*100); k <= min(i+1, i/100*100+99); k++ {
				out[i] += in[k]
			}
		}
		return []any{out}
	}),
	made("severalEach", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := 4 * cfg.Blocks() * cfg.Threads()
		in, out := data[int32](n), marked[int32](n-1) // the last block has not enough, and does nothing
		return func(t *gocuda.Thread) { severalEach(t, in, out) }, severalEachKernel(in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Threads()
		in, out := data[int32](4*cfg.Blocks()*n), marked[int32](4*cfg.Blocks()*n-1)
		for b := range cfg.Blocks() - 1 {
			for i := range 4 * n {
				out[b*4*n+i] = in[b*4*n+i%n*4+3-i/n] + in[b*4*n+4*n-1-i]
			}
		}
		return []any{out}
	}),
	made("indices", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		perm, in, out := permutation(n), data[int32](n), marked[int32](n)
		return func(t *gocuda.Thread) { indices(t, perm, in, out) }, indicesKernel(perm, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		in, out := data[int32](n), make([]int32, n)
		for i, p := range permutation(n) {
			out[p] = in[i] + in[n-1-i]*2 + in[(i+5)%n]*3 + in[i/2]*4 + in[i/8]*5 + in[p]*6 + in[i] + in[i*3%n]*7 + in[i%2]*8
		}
		return []any{out}
	}),
	perThread("indices64", linear, indices64, indices64Kernel, func(cfg grid.Config, in, out []int32) {
		for i := range out {
			k := uint64(i)<<32 + uint64(i) + 7
			out[i] = in[k%uint64(len(in))] + int32(i) + int32(i+7)
		}
	}),
}

func borderSize(cfg grid.Config) (nx, ny, nz int) {
	g, b := cfg.Grid.Norm(), cfg.Block.Norm()
	return max(g.X*b.X-1, 3), max(g.Y*b.Y-2, 3), max(g.Z*b.Z-1, 3)
}

// permutation returns the numbers 0 to n-1 in an order that looks random.
func permutation(n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(i)
	}
	for i := n - 1; i > 0; i-- {
		k := int(hash(i) % uint64(i+1))
		p[i], p[k] = p[k], p[i]
	}
	return p
}
