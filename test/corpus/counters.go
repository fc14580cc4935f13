//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Loops whose counters have 32 bits, and such that end where something is equal; histograms in
// parts of shared memory.

//gocuda:kernel
func wcHistogram(t *gocuda.Thread, n, stride int32, data []byte, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	for b := t.ThreadIdx.X; b < 256; b += t.BlockDim.X {
		s[b] = 0
	}
	t.SyncThreads()
	for i := int32(t.GlobalX()); i < n; i += stride {
		v := data[i]
		w := v / 2
		atomic.Add(&s[v], i%3)
		atomic.Sub(&s[w], 1)
	}
	t.SyncThreads()
	for b := t.ThreadIdx.X; b < 256; b += t.BlockDim.X {
		atomic.Add(&out[b], s[b])
	}
}

// Nothing but a counter that may wrap around: those that have are below n again, and leave the data
// alone.
//
//gocuda:kernel
func wcWraps(t *gocuda.Thread, n, stride int32, data []byte, out []int32) {
	rounds := int32(0)
	if stride > 1<<20 {
		first := int32(t.BlockIdx.X)*int32(t.BlockDim.X) + int32(t.ThreadIdx.X)
		for i := first; i < n; i += stride {
			if i >= 0 && i < 300 {
				atomic.Add(&out[i], 1)
			}
			if i < 0 {
				atomic.Add(&out[300], 1)
			}
			rounds++
			if rounds > 5 {
				return
			}
		}
	}
	t.SyncThreads()
	out[301+t.GlobalX()] += rounds
}

//gocuda:kernel
func wcSteps(t *gocuda.Thread, n, stride int32, data []byte, out []int32) {
	s := gocuda.Shared[int32](t, 128)
	s[t.ThreadIdx.X] = int32(t.ThreadIdx.X)
	t.SyncThreads()
	for i := int32(t.GlobalX()) + 3; i < n-1; i += stride {
		d := int32(data[i]) - int32(data[i-2])
		if d > 0 {
			d *= i
		}
		out[i] = d + s[d&31]
	}
}

// A histogram for each warp, in slices of shared memory that are kept in variables.
//
//gocuda:kernel
func wcWarps(t *gocuda.Thread, n, stride int32, data []byte, out []int32) {
	s := gocuda.Shared[int32](t, 4*96)
	tid := t.ThreadIdx.X
	for k := tid; k < len(s); k += t.BlockDim.X {
		s[k] = 0
	}
	t.SyncThreads()
	mine := s[tid/32*96 : (tid/32+1)*96]
	low, high := mine[32:64], mine[64:]
	for i := t.GlobalX(); i < int(n); i += t.BlockDim.X * t.GridDim.X {
		atomic.Add(&mine[data[i]%32], 1)
		atomic.Xor(&low[i%32], int32(i))
		atomic.Max(&high[3:][data[i]%7], int32(i))
	}
	t.SyncThreads()
	for b := tid; b < 96; b += t.BlockDim.X {
		sum := int32(0)
		for w := 0; w*96 < len(s); w++ {
			sum += s[w*96+b]
		}
		atomic.Add(&out[b], sum)
	}
}

// A slice that is one of shared memory, or of all blocks' memory.
//
//gocuda:kernel
func wcEither(t *gocuda.Thread, n, stride int32, data []byte, out []int32) {
	s := gocuda.Shared[int32](t, 64)
	tid := t.ThreadIdx.X
	if tid < 64 {
		s[tid] = 0
	}
	t.SyncThreads()
	to := s[:]
	if t.BlockIdx.X%2 == 1 {
		to = out[64:]
	}
	other := to
	for i := t.GlobalX(); i < int(n); i += t.BlockDim.X * t.GridDim.X {
		atomic.Add(&other[data[i]%32], 1)
	}
	t.SyncThreads()
	if tid < 64 {
		atomic.Add(&out[tid], s[tid])
	}
}

//gocuda:kernel
func wcEnds(t *gocuda.Thread, n, stride int32, data []byte, out []int32) {
	i, m := t.GlobalX(), int(n)
	if i >= m {
		return
	}
	s := int32(0)
	for j := 0; j != m; j++ {
		s = s*3 + int32(data[j])*int32(i)
	}
	j := m
	for {
		if j == 0 {
			break
		}
		j--
		s ^= int32(data[j]) << (j % 8)
	}
	k := 0
	for true {
		if k >= m {
			break
		}
		s += int32(data[k]) ^ int32(i+k)
		k++
	}
	for l := m - 1; l != -1; l-- {
		s -= int32(data[l]) / 3
	}
	out[i] = s + int32(j+k)
}

// A thread's own sums, of which counters of 32 bits are the places: the compiler knows what they count.
//
//gocuda:kernel
func wcOwn(t *gocuda.Thread, n, stride int32, data []byte, out []int32) {
	i := int32(t.GlobalX())
	var sums [4]int32
	var last [3]uint16
	for e := i; e < i+20; e++ {
		v := int32(data[e])
		for r := int32(0); r < 4; r++ {
			sums[r] += v * (r + 1)
			last[uint8(r)%3] ^= uint16(v + r)
		}
	}
	for r := int32(3); r >= 0; r-- {
		if at := i*4 + r; at < n {
			out[at] = sums[r] + int32(last[uint8(r+1)%3])
		}
	}
}

func wcCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n, stride int32, data []byte, out []int32)
	type maker = func(n, stride int32, data []byte, out []int32) gocuda.Kernel
	add := func(name string, source kernel, compiled maker, n, stride int32, blocks, threads int) {
		cases = append(cases, Case{Name: fmt.Sprintf("%s of %d by %d, %d blocks of %d", name, n, stride, blocks, threads), Configs: []grid.Config{line(blocks, threads)}, Make: func(grid.Config) Instance {
			data, out := make([]byte, 5000), make([]int32, 5000)
			for i := range data {
				data[i] = byte(i * i % 257)
			}
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, n, stride, data, out) }),
				Compiled: compiled(n, stride, data, out),
				Outputs:  []any{out},
			}
		}})
	}
	for _, s := range []struct {
		n               int32
		blocks, threads int
	}{{5000, 3, 128}, {4999, 2, 64}, {77, 2, 32}, {1, 1, 128}, {0, 2, 128}} {
		stride := int32(s.blocks * s.threads)
		add("wcHistogram", wcHistogram, wcHistogramKernel, s.n, stride, s.blocks, s.threads)
		add("wcHistogram", wcHistogram, wcHistogramKernel, s.n, 7*stride, s.blocks, s.threads)
		add("wcSteps", wcSteps, wcStepsKernel, s.n, stride, s.blocks, s.threads)
		add("wcWarps", wcWarps, wcWarpsKernel, s.n, stride, s.blocks, s.threads)
		add("wcOwn", wcOwn, wcOwnKernel, s.n, stride, s.blocks, s.threads)
		add("wcEither", wcEither, wcEitherKernel, s.n, stride, s.blocks, s.threads)
		add("wcEnds", wcEnds, wcEndsKernel, s.n, stride, (int(s.n)+s.threads)/s.threads, s.threads)
	}
	for _, n := range []int32{math.MaxInt32, math.MaxInt32 - 5, 1 << 30, 200, -4} {
		for _, stride := range []int32{math.MaxInt32 - 7, 1 << 30, 1<<30 + 3, 1 << 21, 4} {
			add("wcWraps", wcWraps, wcWrapsKernel, n, stride, 2, 64)
		}
	}
	return cases
}
