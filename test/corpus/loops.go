//go:build compiled

package corpus

import (
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A loop of constant bounds with two barriers in its body.
//
//gocuda:kernel
func loopConstant(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	for d := 1; d <= 16; d *= 2 {
		s[tid] = v
		t.SyncThreads()
		v += s[(tid+d)%n]
		t.SyncThreads()
	}
	out[t.GlobalX()] = v
}

// The same with bounds that are a parameter, and an accumulator besides.
//
//gocuda:kernel
func loopParameter(t *gocuda.Thread, rounds int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v, acc := in[t.GlobalX()], int32(0)
	for k := 0; k < rounds; k++ {
		s[tid] = v + int32(k)
		t.SyncThreads()
		v = s[(tid+1)%n]
		acc = acc*31 + v
		t.SyncThreads()
	}
	out[t.GlobalX()] = acc ^ v
}

func loopParameterWant(rounds int, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		for i := range out {
			acc, v := int32(0), in[first+i]
			for k := range rounds {
				// After k+1 rounds the value of k+1 threads ahead has come here, with 0+1+...+k.
				v = in[first+(i+k+1)%n] + int32(k*(k+1)/2)
				acc = acc*31 + v
			}
			out[i] = acc ^ v
		}
	})
}

// The trip count is loaded from shared memory after a barrier.
//
//gocuda:kernel
func loopSharedTrip(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	trip := gocuda.Shared[int](t, 1)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	if tid == n-1 {
		trip[0] = int(v & 7)
	}
	t.SyncThreads()
	for k := 0; k < trip[0]; k++ {
		s[tid] = v
		t.SyncThreads()
		v = s[(tid+1)%n] + 1
		t.SyncThreads()
	}
	out[t.GlobalX()] = v
}

// The trip count is loaded from global memory, with an index that is the block's.
//
//gocuda:kernel
func loopGlobalTrip(t *gocuda.Thread, trips []uint8, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	for k := uint8(0); k < trips[t.BlockIdx.X]; k++ {
		s[tid] = v
		t.SyncThreads()
		v ^= s[(tid+int(k)+1)%n] + 1
		t.SyncThreads()
	}
	out[t.GlobalX()] = v
}

// The trip count is the same in all threads, but each computes it from values of its own: only the run
// can show it.
//
//gocuda:kernel
func loopVaryingVariable(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	for k := tid; k < tid+5; k++ {
		s[tid] = v
		t.SyncThreads()
		v += s[(k+1)%n]
		t.SyncThreads()
	}
	out[t.GlobalX()] = v
}

// The trip count is loaded at each thread's own place, where all happen to have the same.
//
//gocuda:kernel
func loopEqualTrips(t *gocuda.Thread, trips, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	for k := trips[t.GlobalX()]; k > 0; k-- {
		s[tid] = v
		t.SyncThreads()
		v = s[(tid+1)%n] - k
		t.SyncThreads()
	}
	out[t.GlobalX()] = v
}

// A break in the middle, before the barrier, when the block's counter says so.
//
//gocuda:kernel
func loopBreakBefore(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	for k := 0; ; k++ {
		v += int32(k)
		if k == 3+t.BlockIdx.X {
			break
		}
		s[tid] = v
		t.SyncThreads()
		v = s[(tid+1)%n]
		t.SyncThreads()
	}
	out[t.GlobalX()] = v
}

// A break between two barriers, on what the first one has made visible.
//
//gocuda:kernel
func loopBreakBetween(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()] & 0xffff
	rounds := int32(0)
	for rounds < 40 {
		s[tid] = v
		t.SyncThreads()
		if s[0] < 3 {
			break
		}
		rounds++
		v = s[tid]/2 + s[(tid+1)%n]%2
		t.SyncThreads()
	}
	out[t.GlobalX()] = v*64 + rounds
}

func loopBreakBetweenWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		v := make([]int32, n)
		for i := range v {
			v[i] = in[first+i] & 0xffff
		}
		rounds := int32(0)
		for ; rounds < 40 && v[0] >= 3; rounds++ {
			old := slices.Clone(v)
			for i := range v {
				v[i] = old[i]/2 + old[(i+1)%n]%2
			}
		}
		for i := range v {
			out[i] = v[i]*64 + rounds
		}
	})
}

// A continue that skips the second barrier of the body; the post statement still runs.
//
//gocuda:kernel
func loopContinue(t *gocuda.Thread, rounds int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	s[tid] = v
	for k := 0; k < rounds; k++ {
		t.SyncThreads()
		v += s[(tid+k)%n]
		if k%3 == 1 {
			continue
		}
		t.SyncThreads()
		s[tid] = v - int32(k)
	}
	out[t.GlobalX()] = v
}

func loopContinueWant(rounds int, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		copy(out, in[first:])
		s := slices.Clone(out)
		for k := range rounds {
			for i := range out {
				out[i] += s[(i+k)%n]
			}
			if k%3 != 1 {
				for i := range out {
					s[i] = out[i] - int32(k)
				}
			}
		}
	})
}

// CUDA's do-while: the condition stands at the end and is read between two barriers.
//
//gocuda:kernel
func loopDoWhile(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	done := gocuda.Shared[bool](t, 1)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	k := 0
	for {
		s[tid] = v
		t.SyncThreads()
		v = v/2 + s[(tid+1)%n]/4
		if tid == 0 {
			done[0] = v > -100 && v < 100
		}
		k++
		t.SyncThreads()
		if done[0] {
			break
		}
	}
	out[t.GlobalX()] = v + int32(k)*1000
}

func loopDoWhileWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		copy(out, in[first:])
		k := int32(0)
		for k == 0 || out[0] <= -100 || out[0] >= 100 {
			s := slices.Clone(out)
			for i := range out {
				out[i] = s[i]/2 + s[(i+1)%n]/4
			}
			k++
		}
		for i := range out {
			out[i] += k * 1000
		}
	})
}

// A while loop whose condition reads shared memory that one thread changes between barriers.
//
//gocuda:kernel
func loopWhileShared(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 2)
	v := in[t.GlobalX()]
	if t.ThreadIdx.X == 0 {
		s[0], s[1] = v&1023, 0
	}
	t.SyncThreads()
	for s[0] > 1 {
		v = v*3 + s[0]
		t.SyncThreads()
		if t.ThreadIdx.X == t.BlockDim.X-1 {
			s[0] /= 2
			s[1]++
		}
		t.SyncThreads()
	}
	out[t.GlobalX()] = v + s[1]
}

func loopWhileSharedWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		copy(out, in[first:])
		count := int32(0)
		for s := in[first] & 1023; s > 1; s /= 2 {
			for i := range out {
				out[i] = out[i]*3 + s
			}
			count++
		}
		for i := range out {
			out[i] += count
		}
	})
}

// Break and continue with labels across two loops, both with barriers.
//
//gocuda:kernel
func loopLabels(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
outer:
	for a := 0; a < 6; a++ {
		s[tid] = v
		t.SyncThreads()
		for b := 0; ; b++ {
			v += s[(tid+a+b)%n]
			if b == a {
				t.SyncThreads()
				continue outer
			}
			if a == 4 && b == t.BlockIdx.X {
				v = -v
				break outer
			}
			t.SyncThreads()
			s[tid] += int32(a - b)
			t.SyncThreads()
		}
	}
	out[t.GlobalX()] = v
}

func loopLabelsWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(block, first int, out []int32) {
		n := len(out)
		copy(out, in[first:])
		for a := range 6 {
			s := slices.Clone(out)
			for b := 0; ; b++ {
				for i := range out {
					out[i] += s[(i+a+b)%n]
				}
				if b == a {
					break
				}
				if a == 4 && b == block {
					for i := range out {
						out[i] = -out[i]
					}
					return
				}
				for i := range s {
					s[i] += int32(a - b)
				}
			}
		}
	})
}

// The inner loop's bounds are the outer loop's variable; barriers in both, work between.
//
//gocuda:kernel
func loopTriangle(t *gocuda.Thread, rounds int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	for a := rounds; a > 0; a-- {
		for b := a; b < rounds; b += 2 {
			s[tid] = v ^ int32(b)
			t.SyncThreads()
			v += s[(tid+a*b)%n]
			t.SyncThreads()
		}
		v *= 5
		t.SyncThreads()
		v -= int32(a)
	}
	out[t.GlobalX()] = v
}

func loopTriangleWant(rounds int, cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		copy(out, in[first:])
		for a := rounds; a > 0; a-- {
			for b := a; b < rounds; b += 2 {
				s := slices.Clone(out)
				for i := range out {
					out[i] += s[(i+a*b)%n] ^ int32(b)
				}
			}
			for i := range out {
				out[i] = out[i]*5 - int32(a)
			}
		}
	})
}

// Two loop variables that run towards each other.
//
//gocuda:kernel
func loopTwoVariables(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	for i, j := 0, 9; i < j; i, j = i+2, j-1 {
		s[tid] = v
		t.SyncThreads()
		v = s[(tid+i)%n] - s[(tid+j)%n]
		t.SyncThreads()
	}
	out[t.GlobalX()] = v
}

// The body changes the loop variable and the bound.
//
//gocuda:kernel
func loopBoundsChange(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	v := in[t.GlobalX()]
	for k := 0; k < n; k++ {
		s[tid] = v + int32(k)
		t.SyncThreads()
		v = s[(tid+n)%t.BlockDim.X]
		if k%2 == 0 {
			n--
			k++
		}
		t.SyncThreads()
	}
	out[t.GlobalX()] = v*100 + int32(n)
}

func loopBoundsChangeWant(n int, cfg grid.Config, in, out []int32) {
	m := n
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := m
		copy(out, in[first:])
		for k := 0; k < n; k++ {
			s := slices.Clone(out)
			for i := range out {
				out[i] = s[(i+n)%len(out)] + int32(k)
			}
			if k%2 == 0 {
				n--
				k++
			}
		}
		for i := range out {
			out[i] = out[i]*100 + int32(n)
		}
	})
}

// Range loops with barriers: over a number, a slice parameter, an array and a string. Assigning to the
// variable of a range does not change where it goes on.
//
//gocuda:kernel
func loopRanges(t *gocuda.Thread, steps []int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	for k := range 3 {
		k += tid
		s[tid] = v
		t.SyncThreads()
		v += s[(k+1)%n]
		t.SyncThreads()
	}
	for i, d := range steps {
		s[tid] = v
		t.SyncThreads()
		v ^= s[(tid+d)%n] + int32(i)
		t.SyncThreads()
	}
	for _, d := range [...]int{3, 1, 4} {
		s[tid] = v
		t.SyncThreads()
		v -= s[(tid+d)%n]
		t.SyncThreads()
	}
	for i, r := range "aé" {
		s[tid] = v
		t.SyncThreads()
		v += s[(tid+int(r))%n] * int32(i+1)
		t.SyncThreads()
	}
	out[t.GlobalX()] = v
}

// A loop that counts in floating point, and one that never runs.
//
//gocuda:kernel
func loopFloat(t *gocuda.Thread, from, to float32, in, out []float32) {
	s := gocuda.Shared[float32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := in[t.GlobalX()]
	for x := from; x < to; x *= 1.5 {
		s[tid] = v * x
		t.SyncThreads()
		v = s[(tid+1)%n] - x
		t.SyncThreads()
	}
	for x := to; x < from; x++ {
		t.SyncThreads()
		v = 0
	}
	out[t.GlobalX()] = v
}

// The barrier stands in the condition, through a helper.
//
//gocuda:kernel
func loopConditionWaits(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	v := in[t.GlobalX()]
	rounds := 0
	for published(t, s, v, rounds) < 4 {
		v = s[(tid+1)%t.BlockDim.X] + 1
		rounds++
		t.SyncThreads()
	}
	out[t.GlobalX()] = v
}

func published(t *gocuda.Thread, s []int32, v int32, rounds int) int {
	s[t.ThreadIdx.X] = v
	t.SyncThreads()
	return rounds
}

// Threads do work of different length between the barriers of a loop.
//
//gocuda:kernel
func loopUnevenWork(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[uint32](t, 1024)
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	v := uint32(in[t.GlobalX()])
	for range 4 {
		for k := uint32(0); k < v%11; k++ {
			v = v>>1 ^ k
			if v&3 == 0 {
				break
			}
		}
		s[tid] = v
		t.SyncThreads()
		v += s[(tid+1)%n] * 3
		t.SyncThreads()
	}
	out[t.GlobalX()] = int32(v)
}

func loopUnevenWorkWant(cfg grid.Config, in, out []int32) {
	perBlock(cfg, out, func(_, first int, out []int32) {
		n := len(out)
		v := make([]uint32, n)
		for i := range v {
			v[i] = uint32(in[first+i])
		}
		for range 4 {
			for i := range v {
				for k := uint32(0); k < v[i]%11; k++ {
					v[i] = v[i]>>1 ^ k
					if v[i]&3 == 0 {
						break
					}
				}
			}
			s := slices.Clone(v)
			for i := range v {
				v[i] += s[(i+1)%n] * 3
			}
		}
		for i := range v {
			out[i] = int32(v[i])
		}
	})
}

// withParameter is perThread for a kernel with one more parameter.
func withParameter[P, A, B any](name string, cfgs []grid.Config, p P,
	source func(*gocuda.Thread, P, []A, []B), compiled func(P, []A, []B) gocuda.Kernel,
	want func(p P, cfg grid.Config, in []A, out []B)) Case {
	var w func(cfg grid.Config, in []A, out []B)
	if want != nil {
		w = func(cfg grid.Config, in []A, out []B) { want(p, cfg, in, out) }
	}
	return perThread(name, cfgs,
		func(t *gocuda.Thread, in []A, out []B) { source(t, p, in, out) },
		func(in []A, out []B) gocuda.Kernel { return compiled(p, in, out) }, w)
}

var loopCases = []Case{
	perThread("loopConstant", linear, loopConstant, loopConstantKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out { // after the rounds a window of 32, that goes around
				out[i] = 0
				for k := range 32 {
					out[i] += in[first+(i+k)%len(out)]
				}
			}
		})
	}),
	withParameter("loopParameter0", linear, 0, loopParameter, loopParameterKernel, loopParameterWant),
	withParameter("loopParameter1", linear, 1, loopParameter, loopParameterKernel, loopParameterWant),
	withParameter("loopParameter9", linear, 9, loopParameter, loopParameterKernel, loopParameterWant),
	perThread("loopSharedTrip", linear, loopSharedTrip, loopSharedTripKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			n := len(out)
			trips := in[first+n-1] & 7
			for i := range out {
				out[i] = in[first+(i+int(trips))%n] + trips
			}
		})
	}),
	made("loopGlobalTrip", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		trips, in, out := make([]uint8, cfg.Blocks()), data[int32](n), marked[int32](n)
		for i := range trips {
			trips[i] = uint8(7 * i % 6)
		}
		return func(t *gocuda.Thread) { loopGlobalTrip(t, trips, in, out) },
			loopGlobalTripKernel(trips, in, out), []any{out}
	}, nil),
	perThread("loopVaryingVariable", linear, loopVaryingVariable, loopVaryingVariableKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			n := len(out)
			copy(out, in[first:])
			for k := range 5 {
				s := slices.Clone(out)
				for i := range out {
					out[i] += s[(i+k+1)%n]
				}
			}
		})
	}),
	made("loopEqualTrips", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		trips, in, out := make([]int32, n), data[int32](n), marked[int32](n)
		for i := range trips {
			trips[i] = 4
		}
		return func(t *gocuda.Thread) { loopEqualTrips(t, trips, in, out) },
			loopEqualTripsKernel(trips, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		in, out := data[int32](n), make([]int32, n)
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = in[first+(i+4)%len(out)] - 10
			}
		})
		return []any{out}
	}),
	perThread("loopBreakBefore", linear, loopBreakBefore, loopBreakBeforeKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(b, first int, out []int32) {
			k := 3 + b
			for i := range out {
				out[i] = in[first+(i+k)%len(out)] + int32(k*(k+1)/2)
			}
		})
	}),
	perThread("loopBreakBetween", linear, loopBreakBetween, loopBreakBetweenKernel, loopBreakBetweenWant),
	withParameter("loopContinue", linear, 8, loopContinue, loopContinueKernel, loopContinueWant),
	perThread("loopDoWhile", linear, loopDoWhile, loopDoWhileKernel, loopDoWhileWant),
	perThread("loopWhileShared", linear, loopWhileShared, loopWhileSharedKernel, loopWhileSharedWant),
	perThread("loopLabels", linear, loopLabels, loopLabelsKernel, loopLabelsWant),
	withParameter("loopTriangle", linear, 5, loopTriangle, loopTriangleKernel, loopTriangleWant),
	perThread("loopTwoVariables", linear, loopTwoVariables, loopTwoVariablesKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			n := len(out)
			copy(out, in[first:])
			for _, p := range [][2]int{{0, 9}, {2, 8}, {4, 7}} {
				s := slices.Clone(out)
				for i := range out {
					out[i] = s[(i+p[0])%n] - s[(i+p[1])%n]
				}
			}
		})
	}),
	withParameter("loopBoundsChange", linear, 11, loopBoundsChange, loopBoundsChangeKernel, loopBoundsChangeWant),
	withParameter("loopRanges", linear, []int{2, 0, 5}, loopRanges, loopRangesKernel, func(steps []int, cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			n := len(out)
			copy(out, in[first:])
			round := func(f func(i int, s []int32) int32) {
				s := slices.Clone(out)
				for i := range out {
					out[i] = f(i, s)
				}
			}
			for k := range 3 {
				round(func(i int, s []int32) int32 { return s[i] + s[(i+k+1)%n] })
			}
			for j, d := range steps {
				round(func(i int, s []int32) int32 { return s[i] ^ (s[(i+d)%n] + int32(j)) })
			}
			for _, d := range []int{3, 1, 4} {
				round(func(i int, s []int32) int32 { return s[i] - s[(i+d)%n] })
			}
			round(func(i int, s []int32) int32 { return s[i] + s[(i+97)%n] })
			round(func(i int, s []int32) int32 { return s[i] + s[(i+233)%n]*2 })
		})
	}),
	perThread("loopFloat", linear,
		func(t *gocuda.Thread, in, out []float32) { loopFloat(t, 0.5, 9, in, out) },
		func(in, out []float32) gocuda.Kernel { return loopFloatKernel(0.5, 9, in, out) },
		func(cfg grid.Config, in, out []float32) {
			perBlock(cfg, out, func(_, first int, out []float32) {
				copy(out, in[first:])
				for x := float32(0.5); x < 9; x *= 1.5 {
					s := slices.Clone(out)
					for i := range out {
						p := s[(i+1)%len(out)] * x
						out[i] = p - x
					}
				}
			})
		}),
	perThread("loopConditionWaits", linear, loopConditionWaits, loopConditionWaitsKernel, func(cfg grid.Config, in, out []int32) {
		perBlock(cfg, out, func(_, first int, out []int32) {
			for i := range out {
				out[i] = in[first+(i+4)%len(out)] + 4
			}
		})
	}),
	perThread("loopUnevenWork", linear, loopUnevenWork, loopUnevenWorkKernel, loopUnevenWorkWant),
}
