//go:build compiled

package corpus

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels whose neighbours along x use elements at a distance that only the run knows: none, 1,
// others, backwards.

// As in the libraries of linear algebra.
//
//gocuda:kernel
func diAxpy[T float32 | float64 | int32 | uint32](t *gocuda.Thread, n int, a T, x []T, fromX, incx int, y []T, fromY, incy int) {
	if i := t.GlobalX(); i < n {
		y[fromY+i*incy] += a * x[fromX+i*incx]
	}
}

// Small and large elements, with a distance on either side of the product, and as a shift.
//
//gocuda:kernel
func diTypes(t *gocuda.Thread, n, s int, a []int8, b []uint16, c []int64, ra []int8, rb []uint16, rc []int64) {
	if i := t.GlobalX(); i < n {
		j := s * i
		ra[i] = a[j] + 1
		rb[j] = b[i*s+3] ^ 5
		rc[-(-i * s)] = c[i<<2+s*i] - c[j-i+i]
	}
}

// Rows of a matrix, each summed up by a thread: with a loop the gathers pay.
//
//gocuda:kernel
func diRows(t *gocuda.Thread, w, h int, in, out []float32) {
	i := t.GlobalX()
	if i >= h {
		return
	}
	sum := float32(i)
	for k := range w {
		sum = sum*0.5 + in[i*w+k]
	}
	out[i] = sum
}

// Under conditions that differ, of which some lanes would be outside.
//
//gocuda:kernel
func diMasked(t *gocuda.Thread, n, s int, in, out []int32) {
	i := t.GlobalX()
	if i < n {
		v := in[i]
		for k := range 4 {
			if j := i * s; j >= 0 && j+k < n {
				v = v*3 + in[j+k]
			}
			if v&1 != 0 {
				v -= in[(n-1-i)/2]
			} else if v&6 == 6 {
				v ^= v << 3
			}
		}
		out[i] = v
	}
}

// Blocks of two and three dimensions, in which the distance is another one in each row, through
// shared memory.
//
//gocuda:kernel
func diPlanes(t *gocuda.Thread, s int, in, out []float32) {
	sh := gocuda.Shared[float32](t, 4096)
	tx, row := t.ThreadIdx.X, t.ThreadIdx.Z*t.BlockDim.Y+t.ThreadIdx.Y
	for k := tx; k < 4096 && row == 0; k += t.BlockDim.X {
		sh[k] = in[k]
	}
	t.SyncThreads()
	var sum float32
	for k := range 5 {
		sum = sum*2 + sh[tx*(row%4+s)+k] - sh[4095-tx*(row%3)*s-k]
	}
	t.SyncThreads()
	sh[t.Rank()] = sum
	t.SyncThreads()
	block := (t.BlockIdx.Z*t.GridDim.Y+t.BlockIdx.Y)*t.GridDim.X + t.BlockIdx.X
	out[block*t.BlockDim.Size()+t.Rank()] = sum + sh[t.Rank()]
}

// A distance that changes from round to round, and one that is read from memory.
//
//gocuda:kernel
func diChanging(t *gocuda.Thread, n int, by []int, in, out []float32) {
	i := t.GlobalX()
	s := 1
	for round := range 4 {
		t.SyncThreads()
		if i < n {
			out[i] = out[i]*0.5 + in[i*s] + in[i*by[round]]
		}
		s = s*2 - 1 + round
	}
}

// Distances so large that they wrap around.
//
//gocuda:kernel
func diLarge(t *gocuda.Thread, n, s int, in, out []int32) {
	i := t.GlobalX()
	if i < n && i%2 == 0 {
		v := in[i*s]
		for k := range 3 {
			v = v*5 + in[i*s+k]
		}
		out[i] = v
	}
}

// A distance made of unsigned numbers that go down, and loops of a warp whose rows begin apart.
//
//gocuda:kernel
func diDown(t *gocuda.Thread, n, s int, in, out []float32) {
	i := t.GlobalX()
	if i < n {
		out[i] = in[int(uint(n-i)*uint(s))] + in[(n-1-i)*4*s] + float32(v1(1)*in[i*s])
	}
}

func v1(x float32) float32 { return x * 1.0 }

//gocuda:kernel
func diWarps(t *gocuda.Thread, rounds int, in, out []float32) {
	tid := t.ThreadIdx.X
	s := gocuda.Shared[float32](t, 256)
	s[tid] = 1
	t.SyncThreads()
	w := t.Rank() / 32
	var sum float32
	for r := 0; r < rounds; r++ {
		v := in[w*64+r*32+tid]
		v += gocuda.ShflXorSync(t, gocuda.FullMask, v, 1, 32)
		sum += v
	}
	out[t.GlobalX()] = sum + s[tid]
}

func diAxpyCase[T float32 | float64 | int32 | uint32](name string, source func(t *gocuda.Thread, n int, a T, x []T, fromX, incx int, y []T, fromY, incy int),
	compiled func(n int, a T, x []T, fromX, incx int, y []T, fromY, incy int) gocuda.Kernel) []Case {
	var list []Case
	for _, by := range [][2]int{{1, 1}, {2, 1}, {1, 3}, {-1, 1}, {5, -2}, {0, 1}, {16, 7}} {
		incx, incy := by[0], by[1]
		at := func(n, inc int) (from, length int) { return max(0, -inc*(n-1)), max(inc, -inc)*(n-1) + 1 }
		arrays := func(cfg grid.Config) (n, fromX, fromY int, x, y []T) {
			n = cfg.Threads()*cfg.Blocks() - 1
			n = max(n-n/9, 1)
			fromX, lx := at(n, incx)
			fromY, ly := at(n, incy)
			return n, fromX, fromY, dataFrom[T](lx, 1), dataFrom[T](ly, 2)
		}
		list = append(list, made(fmt.Sprint(name, by), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n, fromX, fromY, x, y := arrays(cfg)
			return func(t *gocuda.Thread) { source(t, n, 3, x, fromX, incx, y, fromY, incy) }, compiled(n, 3, x, fromX, incx, y, fromY, incy), []any{y}
		}, func(cfg grid.Config) []any {
			n, fromX, fromY, x, y := arrays(cfg)
			for i := range n {
				y[fromY+i*incy] += T(3 * x[fromX+i*incx]) // rounded, also where Go could fuse
			}
			return []any{y}
		}))
	}
	return list
}

func diCases() []Case {
	list := slices.Concat(
		diAxpyCase("diAxpy[float32]", diAxpy[float32], diAxpyKernel[float32]), diAxpyCase("diAxpy[float64]", diAxpy[float64], diAxpyKernel[float64]),
		diAxpyCase("diAxpy[int32]", diAxpy[int32], diAxpyKernel[int32]), diAxpyCase("diAxpy[uint32]", diAxpy[uint32], diAxpyKernel[uint32]),
	)
	for _, s := range []int{1, 2, 5} {
		list = append(list, made(fmt.Sprint("diTypes ", s), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Threads() * cfg.Blocks()
			m := n*(s+4) + 3
			a, b, c := data[int8](m), data[uint16](m), data[int64](m)
			ra, rb, rc := marked[int8](m), marked[uint16](m), marked[int64](m)
			return func(t *gocuda.Thread) { diTypes(t, n, s, a, b, c, ra, rb, rc) }, diTypesKernel(n, s, a, b, c, ra, rb, rc), []any{ra, rb, rc}
		}, func(cfg grid.Config) []any {
			n := cfg.Threads() * cfg.Blocks()
			m := n*(s+4) + 3
			a, b, c := data[int8](m), data[uint16](m), data[int64](m)
			ra, rb, rc := marked[int8](m), marked[uint16](m), marked[int64](m)
			for i := range n {
				ra[i], rb[i*s], rc[i*s] = a[i*s]+1, b[i*s+3]^5, c[i*(4+s)]-c[i*s]
			}
			return []any{ra, rb, rc}
		}))
	}
	for _, w := range []int{0, 1, 2, 7} {
		list = append(list, made(fmt.Sprint("diRows ", w), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			h := cfg.Threads()*cfg.Blocks() - 1
			in, out := data[float32](w*h), marked[float32](h)
			return func(t *gocuda.Thread) { diRows(t, w, h, in, out) }, diRowsKernel(w, h, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			h := cfg.Threads()*cfg.Blocks() - 1
			in, out := data[float32](w*h), marked[float32](h)
			for i := range out {
				sum := float32(i)
				for _, x := range in[i*w : i*w+w] {
					sum = float32(sum*0.5) + x
				}
				out[i] = sum
			}
			return []any{out}
		}))
	}
	for _, s := range []int{1, 2, -1, 0, 1 << 40, -1 << 62} {
		list = append(list, guarded(fmt.Sprint("diMasked ", s), linear,
			func(t *gocuda.Thread, n int, in, out []int32) { diMasked(t, n, s, in, out) },
			func(n int, in, out []int32) gocuda.Kernel { return diMaskedKernel(n, s, in, out) }, nil))
	}
	for _, s := range []int{1, 2, 0} {
		list = append(list, made(fmt.Sprint("diPlanes ", s), boxes, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[float32](4096), marked[float32](cfg.Threads()*cfg.Blocks())
			return func(t *gocuda.Thread) { diPlanes(t, s, in, out) }, diPlanesKernel(s, in, out), []any{out}
		}, nil))
	}
	for _, by := range [][]int{{1, 1, 1, 1}, {0, 3, 2, 1}} {
		list = append(list, made(fmt.Sprint("diChanging ", by), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Threads()*cfg.Blocks() - 1
			in, out := data[float32](8*n+8), data[float32](n)
			return func(t *gocuda.Thread) { diChanging(t, n, by, in, out) }, diChangingKernel(n, by, in, out), []any{out}
		}, nil))
	}
	for _, s := range []int{1, 3} {
		list = append(list, made(fmt.Sprint("diDown ", s), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Threads() * cfg.Blocks()
			in, out := data[float32](4*s*n+1), marked[float32](n)
			return func(t *gocuda.Thread) { diDown(t, n, s, in, out) }, diDownKernel(n, s, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			n := cfg.Threads() * cfg.Blocks()
			in, out := data[float32](4*s*n+1), marked[float32](n)
			for i := range out {
				out[i] = in[(n-i)*s] + in[(n-1-i)*4*s] + in[i*s]
			}
			return []any{out}
		}))
	}
	list = append(list, made("diWarps", warps, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[float32](64*8+32*10+cfg.Threads()), marked[float32](cfg.Threads()*cfg.Blocks())
		return func(t *gocuda.Thread) { diWarps(t, 9, in, out) }, diWarpsKernel(9, in, out), []any{out}
	}, nil))
	// Threads with even numbers all read the first elements: what they are multiplied by is a
	// multiple of 2^64.
	list = append(list, made("diLarge", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Threads()*cfg.Blocks() - 1
		in, out := data[int32](4), marked[int32](n)
		return func(t *gocuda.Thread) { diLarge(t, n, -1<<63, in, out) }, diLargeKernel(n, -1<<63, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Threads()*cfg.Blocks() - 1
		in, out := data[int32](4), marked[int32](n)
		for i := 0; i < n; i += 2 {
			out[i] = ((in[0]*5+in[0])*5+in[1])*5 + in[2]
		}
		return []any{out}
	}))
	return list
}

// The last thread is outside, and is the one to blame, whatever the distance.
var diFailures = func() []Failure {
	var list []Failure
	for _, c := range []struct {
		n, incx, incy int
		fromX, lx, ly int
		text          string
	}{
		{n: 251, incx: 1, incy: 1, lx: 250, ly: 300, text: "index out of range [250]"},
		{n: 118, incx: 3, incy: 1, lx: 351, ly: 300, text: "index out of range [351]"},
		{n: 232, incx: -2, incy: 1, fromX: 460, lx: 500, ly: 300, text: "index out of range [-2]"},
		{n: 202, incx: 1, incy: 5, lx: 300, ly: 1003, text: "index out of range [1005]"},
		{n: 2, incx: 0, incy: 1 << 30, lx: 1, ly: 10, text: "index out of range [1073741824]"},
	} {
		last := c.n - 1
		list = append(list, Failure{Name: fmt.Sprint("diAxpy ", c.incx, c.incy), Config: line(2, 200), Text: c.text,
			Block: grid.Dim3{X: last / 200}, Thread: grid.Dim3{X: last % 200},
			Make: func(cfg grid.Config) Instance {
				x, y := data[float32](c.lx), data[float32](c.ly)
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { diAxpy(t, c.n, 2, x, c.fromX, c.incx, y, 0, c.incy) }),
					Compiled: diAxpyKernel(c.n, 2, x, c.fromX, c.incx, y, 0, c.incy),
					Outputs:  []any{y},
				}
			}})
	}
	return append(list, Failure{Name: "diRows", Config: line(2, 200), Text: "index out of range [2296]", Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 128},
		Make: func(cfg grid.Config) Instance {
			in, out := data[float32](2296), marked[float32](400)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { diRows(t, 7, 329, in, out) }),
				Compiled: diRowsKernel(7, 329, in, out),
				Outputs:  []any{out},
			}
		}})
}()
