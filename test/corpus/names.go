//go:build compiled

package corpus

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Locals and parameters that have the names that generated code would like for itself.
//
//gocuda:kernel
func nameCollisions(t *gocuda.Thread, b, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, lo, hi, i, k := t.ThreadIdx.X, 3, 5, t.GlobalX(), 7
	block, lane, mask, base, size, tx, alive, phase, loop, tmp := 1, 2, 3, 4, 5, 6, true, 8, 9, 10
	_b, _t, t0, v0, x, y, z, w, f, p := 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	s[tid] = in[i] + int32(b)
	t.SyncThreads()
	for n := range n {
		for tid := 0; tid < 2; tid++ {
			s[t.ThreadIdx.X] += int32(n + tid)
		}
		t.SyncThreads()
	}
	if alive {
		block += lane + mask + base + size + tx + phase + loop + tmp
		b := _b + _t + t0 + v0 + x + y + z + w + f + p
		block += b
	}
	out[i] = s[(tid+lo)%t.BlockDim.X] + int32(hi*k+block+b)
}

// The names of packages as variables, after they have served as packages.
//
//gocuda:kernel
func packageNames(t *gocuda.Thread, in, out []int32) {
	gocuda := gocuda.Shared[int32](t, 1024)
	root := math.Sqrt(16)
	math, grid, atomic := 3, 4, 5
	gocuda[t.ThreadIdx.X] = in[t.GlobalX()] * int32(math)
	t.SyncThreads()
	runtime, unsafe, simd := 6, int(root), 7
	out[t.GlobalX()] = gocuda[(t.ThreadIdx.X+1)%t.BlockDim.X] + int32(grid+atomic+runtime+unsafe+simd)
}

// Names of Go itself, declared anew.
//
//gocuda:kernel
func builtinNames(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	len, cap, min := 3, 4, func(a, b int32) int32 { return b - a }
	true, nil, int := false, int32(2), 7
	type float32 int32
	if !true {
		nil += float32Value(float32(len*cap) == 12)
	}
	out[i] = min(in[i], nil) + int32(int) + int32(float32(cap))
	{
		copy, new := int32(5), int32(6)
		append := copy * new
		panic := append
		out[i] ^= panic
	}
}

func float32Value(ok bool) int32 {
	if ok {
		return 100
	}
	return 1
}

// The same name in scopes inside each other, in headers, with other types, across barriers.
//
//gocuda:kernel
func shadowing(t *gocuda.Thread, v int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	x := in[i]
	if x := int32(v); t.BlockIdx.X%2 == 0 {
		x, v := x*2, x
		s[tid] = x + v
		t.SyncThreads()
		x = s[(tid+1)%t.BlockDim.X]
		v += x
		t.SyncThreads()
		s[tid] = v
	} else {
		x := float64(x) / 2
		s[tid] = int32(x * 4)
	}
	for x := range 3 {
		t.SyncThreads()
		x := int32(x)
		s[tid] += x
	}
	func(x int32) {
		x++
		s[tid] += x
	}(1)
	t.SyncThreads()
	{
		in := s
		out[i] = x + in[(tid+1)%t.BlockDim.X] + int32(v)
	}
}

// A kernel with no parameter but the thread.
//
//gocuda:kernel
func noParameters(t *gocuda.Thread) {
	i := t.GlobalX()
	if i < len(board8) {
		board8[i] = int32(i*i) + board8[i]
	}
}

var board8 = make([]int32, 8)

// A kernel that does nothing at all, and does not name its thread.
//
//gocuda:kernel
func nothing(*gocuda.Thread) {}

// Parameters that are not used, or have no name.
//
//gocuda:kernel
func unusedParameters(t *gocuda.Thread, a int, _ float64, in []int32, unused map[string]int, out []int32, _ func()) {
	out[t.GlobalX()] = in[t.GlobalX()] + 1
}

// The thread has another name, and the usual one means something else.
//
//gocuda:kernel
func threadName(self *gocuda.Thread, t int32, b []int32, out []int32) {
	s := gocuda.Shared[int32](self, 1024)
	s[self.ThreadIdx.X] = b[self.GlobalX()] + t
	self.SyncThreads()
	{
		t := self
		t.SyncThreads()
		out[t.GlobalX()] = s[(t.ThreadIdx.X+1)%t.BlockDim.X]
	}
}

// A kernel and its variable, a method and a field of the same name.
//
//gocuda:kernel
func same(t *gocuda.Thread, in, out []int32) {
	same := struct{ in, same, X int32 }{same: in[t.GlobalX()], X: 2}
	X := same.same * same.X
	out[t.GlobalX()] = X + same.in
}

// A function of the package is hidden by a variable, and another kernel is called as a helper.
//
//gocuda:kernel
func callsKernel(t *gocuda.Thread, in, out []int32) {
	hash := in[t.GlobalX()]
	neighbour(t, in, out)
	t.SyncThreads()
	v := out[t.GlobalX()-t.ThreadIdx.X]
	t.SyncThreads()
	out[t.GlobalX()] += v ^ hash
}

var nameCases = []Case{
	perThread("nameCollisions", linear,
		func(t *gocuda.Thread, in, out []int32) { nameCollisions(t, 2, 3, in, out) },
		func(in, out []int32) gocuda.Kernel { return nameCollisionsKernel(2, 3, in, out) },
		func(cfg grid.Config, in, out []int32) {
			perBlock(cfg, out, func(_, first int, out []int32) {
				for i := range out {
					out[i] = in[first+(i+3)%len(out)] + 2 + (1 + 3 + 5) + 35 + 48 + 55 + 2
				}
			})
		}),
	perThread("packageNames", linear, packageNames, packageNamesKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = in[first+(i+1)%len(out)]*3 + 26
			}
		})
	}),
	perThread("builtinNames", linear, builtinNames, builtinNamesKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = (102 - v + 7 + 4) ^ 30
		}
	}),
	withParameter("shadowing", linear, 9, shadowing, shadowingKernel, func(_ int, cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(b, first int, out []int32) {
			for i := range out {
				out[i] = in[first+i] + []int32{27 + 9, 18}[b%2] + 3 + 2 + 9
			}
		})
	}),
	made("noParameters", linear, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		clear(board8)
		return noParameters, noParametersKernel(), []any{board8}
	}, func(cfg grid.Config) []any {
		squares := make([]int32, 8)
		for i := range min(8, cfg.Blocks()*cfg.Threads()) {
			squares[i] = int32(i * i)
		}
		return []any{squares}
	}),
	made("nothing", linear, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		return nothing, nothingKernel(), nil
	}, nil),
	perThread("unusedParameters", linear,
		func(t *gocuda.Thread, in, out []int32) { unusedParameters(t, 1, 2, in, nil, out, nil) },
		func(in, out []int32) gocuda.Kernel { return unusedParametersKernel(1, 2, in, nil, out, nil) },
		func(_ grid.Config, in, out []int32) {
			for i, v := range in {
				out[i] = v + 1
			}
		}),
	withParameter("threadName", linear, int32(4), threadName, threadNameKernel, func(_ int32, cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = in[first+(i+1)%len(out)] + 4
			}
		})
	}),
	perThread("same", linear, same, sameKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v + v
		}
	}),
	perThread("callsKernel", linear, callsKernel, callsKernelKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			n := len(out)
			for i := range out {
				out[i] = in[first+(i+1)%n]*3 + in[first+i]
			}
			v := out[0]
			for i := range out {
				out[i] += v ^ in[first+i]
			}
		})
	}),
}
