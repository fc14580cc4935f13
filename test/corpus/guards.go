//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The guard of most kernels. Beyond it the slices end, so a thread that should not be there fails.
//
//gocuda:kernel
func guardLess(t *gocuda.Thread, n int, in, out []int32) {
	if i := t.GlobalX(); i < n {
		out[i] = in[i] * 2
	}
}

// The same in other words.
//
//gocuda:kernel
func guardForms(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	v := int32(0)
	if n > i {
		v += in[i]
	}
	if i <= n-1 {
		v += in[i] * 3
	}
	if !(i >= n) {
		v += in[i] * 5
	}
	if i+1 < n {
		v += in[i+1] * 7
	}
	if i-2 >= 0 && i < n {
		v += in[i-2] * 11
	}
	if i != n && i < n+1 {
		v += in[i] * 13
	}
	if uint(i) < uint(n) {
		v += in[i] * 17
	}
	if i >= n {
		return
	}
	out[i] = v
}

func guardFormsWant(cfg grid.Config, in, out []int32) {
	for i, v := range in {
		out[i] = v * (1 + 3 + 5 + 13 + 17)
		if i+1 < len(in) {
			out[i] += in[i+1] * 7
		}
		if i >= 2 {
			out[i] += in[i-2] * 11
		}
	}
}

// Guards on the index in the block between barriers, in all the forms in which a bound can stand.
//
//gocuda:kernel
func guardThreads(t *gocuda.Thread, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	s[tid] = in[t.GlobalX()]
	t.SyncThreads()
	if tid < k {
		s[tid] += 1
	}
	if k > tid {
		s[tid] += 2
	}
	if tid <= k {
		s[tid] += 4
	}
	if k >= tid {
		s[tid] += 8
	}
	if tid >= k {
		s[tid] += 16
	}
	if tid > k {
		s[tid] += 32
	}
	if tid == k {
		s[tid] += 64
	}
	if tid != k {
		s[tid] += 128
	}
	if tid >= k && tid < 2*k {
		s[tid] += 256
	}
	if tid < k || tid > n-k {
		s[tid] += 512
	}
	if tid%2 == 0 {
		s[tid] += 1024
	}
	if tid%3 != 1 && tid+k < n {
		s[tid] += 2048
	}
	if 2*tid < n {
		s[tid] += 4096
	}
	if tid&(tid-1) == 0 {
		s[tid] += 8192
	}
	if tid-k < 3 && k-tid < 3 {
		s[tid] += 16384
	}
	if n-tid <= k {
		s[tid] += 32768
	}
	if uint(tid-k) < 5 {
		s[tid] += 65536
	}
	t.SyncThreads()
	out[t.GlobalX()] = s[n-1-tid]
}

func guardThreadsWant(k int, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		for tid := range n {
			v := in[first+tid]
			for i, c := range []bool{
				tid < k, tid < k, tid <= k, tid <= k, tid >= k, tid > k, tid == k, tid != k,
				tid >= k && tid < 2*k, tid < k || tid > n-k, tid%2 == 0, tid%3 != 1 && tid+k < n, tid < n-tid,
				tid == 0 || tid&-tid == tid, tid < k+3 && k < tid+3, tid >= n-k, tid >= k && tid < k+5,
			} {
				if c {
					v += 1 << i
				}
			}
			out[n-1-tid] = v
		}
	})
}

// Guards in guards, with an else for each, and a bound that one of them computes.
//
//gocuda:kernel
func guardNested(t *gocuda.Thread, n int, in, out []int32) {
	i, tid := t.GlobalX(), t.ThreadIdx.X
	if i < n {
		v := in[i]
		if tid > 2 {
			if last := n - 3; i < last {
				v += in[i+3]
				if tid < 9 {
					v *= 2
				}
			} else {
				v -= in[i-1]
			}
			out[i] = v
		} else {
			out[i] = -v
		}
	}
}

func guardNestedWant(cfg grid.Config, in, out []int32) {
	n := len(in)
	for i, v := range in {
		tid := i % cfg.Threads()
		switch {
		case tid <= 2:
			v = -v
		case i < n-3 && tid < 9:
			v = (v + in[i+3]) * 2
		case i < n-3:
			v += in[i+3]
		default:
			v -= in[i-1]
		}
		out[i] = v
	}
}

// Two dimensions: both must be in range before the index is computed.
//
//gocuda:kernel
func guard2D(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		out[y*w+x] = in[y*w+x] + int32(x-y)
	}
	if !(x >= w || y >= h) && x > y {
		out[y*w+x] ^= 1
	}
}

// The tree reduction, whose guard halves in each round.
//
//gocuda:kernel
func guardTree(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	s[tid] = in[t.GlobalX()]
	t.SyncThreads()
	for d := t.BlockDim.X / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		out[t.BlockIdx.X] = s[0]
	}
}

// The same the other way round, with strides and a modulo, which beginners write.
//
//gocuda:kernel
func guardModulo(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	s[tid] = in[t.GlobalX()]
	for d := 1; d < n; d *= 2 {
		t.SyncThreads()
		if tid%(2*d) == 0 && tid+d < n {
			s[tid] = s[tid]*2 + s[tid+d]
		}
	}
	if tid == 0 {
		out[t.BlockIdx.X] = s[0]
	}
}

func guardModuloWant(cfg grid.Config, in, out []int32) {
	n := cfg.Threads()
	for b := range cfg.Blocks() {
		s := append([]int32(nil), in[b*n:(b+1)*n]...)
		for d := 1; d < n; d *= 2 {
			for i := 0; i+d < n; i += 2 * d {
				s[i] = s[i]*2 + s[i+d]
			}
		}
		out[b] = s[0]
	}
}

// && and || keep an index from being used that is out of range, in conditions of all kinds.
//
//gocuda:kernel
func shortCircuit(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	r := int32(0)
	if i < n && in[i] > 0 {
		r = 1
	}
	if i >= n || in[i]%2 == 0 {
		r += 2
	}
	big := i < n && in[i] > 1000
	neg := !(i >= n || in[i] >= 0)
	for k := i; k < n && in[k] < 0; k++ {
		r += 4
	}
	if i > 0 && i < n && (in[i-1] == 0 || in[i]/in[i-1] == 0) && r > 0 {
		r += 1000
	}
	switch {
	case i < n && big:
		r = -r
	case i < n && neg && in[i] != -1<<31 && in[-in[i]&1] > 0:
		r ^= 0xff
	}
	if i < n {
		out[i] = r
	}
}

func shortCircuitWant(cfg grid.Config, in, out []int32) {
	for i, v := range in {
		r := int32(0)
		if v > 0 {
			r = 1
		}
		if v%2 == 0 {
			r += 2
		}
		for _, w := range in[i:] {
			if w >= 0 {
				break
			}
			r += 4
		}
		if i > 0 && r > 0 {
			if in[i-1] == 0 {
				r += 1000
			} else if v/in[i-1] == 0 {
				r += 1000
			}
		}
		if v > 1000 {
			r = -r
		} else if v < 0 && v != -1<<31 {
			if in[-v&1] > 0 {
				r ^= 0xff
			}
		}
		out[i] = r
	}
}

var guardCases = []Case{
	guarded("guardLess", anywhere1D, guardLess, guardLessKernel, func(_ grid.Config, in, out []int32) {
		for i, v := range in {
			out[i] = v + v
		}
	}),
	guarded("guardForms", anywhere1D, guardForms, guardFormsKernel, guardFormsWant),
	withParameter("guardThreads0", linear, 0, guardThreads, guardThreadsKernel, guardThreadsWant),
	withParameter("guardThreads5", linear, 5, guardThreads, guardThreadsKernel, guardThreadsWant),
	withParameter("guardThreads64", linear, 64, guardThreads, guardThreadsKernel, guardThreadsWant),
	withParameter("guardThreads-3", linear, -3, guardThreads, guardThreadsKernel, guardThreadsWant),
	withParameter("guardThreads2000", linear, 2000, guardThreads, guardThreadsKernel, guardThreadsWant),
	guarded("guardNested", anywhere1D, guardNested, guardNestedKernel, guardNestedWant),
	made("guard2D", []grid.Config{grid.Rect(30, 20, 16, 16), grid.Rect(30, 20, 5, 3), grid.Rect(30, 20, 33, 1), grid.Rect(30, 20, 1, 7)},
		func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[int32](600), marked[int32](600)
			return func(t *gocuda.Thread) { guard2D(t, 30, 20, in, out) }, guard2DKernel(30, 20, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			out := data[int32](600)
			for i := range out {
				x, y := i%30, i/30
				out[i] += int32(x - y)
				if x > y {
					out[i] ^= 1
				}
			}
			return []any{out}
		}),
	perThread("guardTree", powers, guardTree, guardTreeKernel, func(cfg grid.Config, in, out []int32) {
		for b := range cfg.Blocks() {
			out[b] = 0
			for i := range cfg.Threads() {
				out[b] += in[b*cfg.Threads()+i]
			}
		}
	}),
	perThread("guardModulo", linear, guardModulo, guardModuloKernel, guardModuloWant),
	guarded("shortCircuit", linear, shortCircuit, shortCircuitKernel, shortCircuitWant),
}
