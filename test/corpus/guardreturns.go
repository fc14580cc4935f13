//go:build compiled

package corpus

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Guards: threads return, or are kept out, before a barrier or a warp operation. Of most launches some blocks
// pass the guard as a whole and others don't.

// gtPlace is the place of a thread's element: blocks lie one behind the other, whatever their shape.
func gtPlace(t *gocuda.Thread) int {
	block := (t.BlockIdx.Z*t.GridDim.Y+t.BlockIdx.Y)*t.GridDim.X + t.BlockIdx.X
	return block*t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z + t.Rank()
}

// What threads do behind the guards. gtSum needs zeros in s where threads have returned.
func gtSum(t *gocuda.Thread, s []int32, at int, in, out []int32) {
	v := in[at]
	s[t.Rank()] = v
	count := int32(t.SyncThreadsCount(v&1 == 0))
	sum := int32(0)
	for k := range t.BlockDim.X * t.BlockDim.Y * t.BlockDim.Z {
		sum += s[k]
	}
	out[at] = sum*31 + v + count
}

func gtSums(cfg grid.Config, in, out []int32, alive func(x gtThread) bool) {
	gtBlocks(cfg, func(block []gtThread) {
		sum, count := int32(0), int32(0)
		for _, x := range block {
			if alive(x) {
				sum += in[x.at]
				count += 1 - in[x.at]&1
			}
		}
		for _, x := range block {
			if alive(x) {
				out[x.at] = sum*31 + in[x.at] + count
			}
		}
	})
}

// gtVote needs no memory.
func gtVote(t *gocuda.Thread, at int, in, out []int32) {
	v := in[at]
	low := t.SyncThreadsOr(v < -2000_000_000)
	live := t.BallotSync(gocuda.FullMask, true)
	odd := t.BallotSync(gocuda.FullMask, v&1 != 0)
	top := gocuda.ShflSync(t, gocuda.FullMask, v, 31-bits.LeadingZeros32(live), 32)
	sum := gocuda.ReduceAddSync(t, live, v)
	all := t.SyncThreadsAnd(v < 2000_000_000)
	v = v*7 + top*3 + sum ^ int32(live)*5 ^ int32(odd)
	if low {
		v++
	}
	if all {
		v ^= 1 << 20
	}
	out[at] = v
}

func gtVotes(cfg grid.Config, in, out []int32, alive func(x gtThread) bool) {
	gtBlocks(cfg, func(block []gtThread) {
		low, all := false, true
		type warp struct {
			live, odd uint32
			sum, top  int32
		}
		warps := make([]warp, len(block)/32+1)
		for _, x := range block {
			if alive(x) {
				v, w, bit := in[x.at], &warps[x.rank/32], uint32(1)<<(x.rank%32)
				low, all = low || v < -2000_000_000, all && v < 2000_000_000
				w.live |= bit
				if v&1 != 0 {
					w.odd |= bit
				}
				w.sum += v
				w.top = v // the last one stays
			}
		}
		for _, x := range block {
			if alive(x) {
				w := warps[x.rank/32]
				v := (in[x.at]*7 + w.top*3 + w.sum) ^ int32(w.live)*5 ^ int32(w.odd)
				if low {
					v++
				}
				if all {
					v ^= 1 << 20
				}
				out[x.at] = v
			}
		}
	})
}

// gtExchange reads what its neighbour in the block has written to global memory, or has not.
func gtExchange(t *gocuda.Thread, at int, in, out []int32) {
	r, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	out[at] = in[at] * 3
	t.SyncThreads()
	v := out[at-r+(r+1)%nt]
	t.SyncThreads()
	out[at] -= v
}

func gtExchanges(cfg grid.Config, in, out []int32, alive func(x gtThread) bool) {
	gtBlocks(cfg, func(block []gtThread) {
		next := make([]int32, len(block))
		for k := range block {
			x := block[(k+1)%len(block)]
			if next[k] = out[x.at]; alive(x) {
				next[k] = in[x.at] * 3
			}
		}
		for k, x := range block {
			if alive(x) {
				out[x.at] = in[x.at]*3 - next[k]
			}
		}
	})
}

// gtScan has a loop with barriers: sums up to each thread, in which threads that have returned keep what they
// have written to s.
func gtScan(t *gocuda.Thread, s []int32, v int32) int32 {
	r := t.Rank()
	s[r] = v
	for d := 1; d < t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z; d *= 2 {
		t.SyncThreads()
		w := int32(0)
		if r >= d {
			w = s[r-d]
		}
		t.SyncThreads()
		s[r] += w
	}
	return s[r]
}

// gtScans computes it from the values of all, of which those of the dead don't change.
func gtScans(values []int32, alive func(k int) bool) {
	for d := 1; d < len(values); d *= 2 {
		for k := len(values) - 1; k >= d; k-- {
			if alive(k) {
				values[k] += values[k-d]
			}
		}
	}
}

// Guards of one index, which is also that of the element: blocks are one-dimensional.

// The living swap their elements.
//
//gocuda:kernel
func gtPlain(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := t.ThreadIdx.X
	s[x] = in[i]
	t.SyncThreads()
	last := min(n-(i-x), t.BlockDim.X) - 1
	out[i] = s[last-x]
}

func gtPlainSerial(cfg grid.Config, n, _ int, in, out []int32) {
	n = min(max(n, 0), len(in))
	nt := cfg.Threads()
	for first := 0; first < n; first += nt {
		for i := first; i < min(first+nt, n); i++ {
			out[i] = in[min(first+nt, n)-1-(i-first)]
		}
	}
}

// A sum over a tree: those beyond the end have left zeros, and all threads of a block that passes take part.
//
//gocuda:kernel
func gtTree(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 512)
	x, i := t.ThreadIdx.X, t.GlobalX()
	s[x], s[x+t.BlockDim.X] = 0, 0
	if !(i < n) {
		return
	}
	s[x] = in[i] ^ int32(k)
	t.SyncThreads()
	for d := 128; d > 0; d /= 2 {
		if x < d && x+d < t.BlockDim.X {
			s[x] += s[x+d]
		}
		t.SyncThreads()
	}
	if x == 0 {
		out[t.BlockIdx.X] = s[0]
	}
}

func gtTreeSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		sum := int32(0)
		for _, x := range block {
			if x.at < n {
				sum += in[x.at] ^ int32(k)
			}
		}
		if first := block[0].at; first < n {
			out[first/len(block)] = sum
		}
	})
}

// A stencil, of any numbers.
//
//gocuda:kernel types=float32,float64,int32,int16,uint8
func gtStencil[T number](t *gocuda.Thread, n, k int, in, out []T) {
	s := gocuda.Shared[T](t, 258)
	i, x := t.GlobalX(), t.ThreadIdx.X+1
	if i >= n {
		return
	}
	end := min(n, len(in)) - 1
	s[x] = in[i]
	if x == 1 {
		s[0] = in[max(i-1, 0)]
	}
	if x == t.BlockDim.X || i == end {
		s[x+1] = in[min(i+1, end)]
	}
	t.SyncThreads()
	out[i] = s[x-1] + s[x]*2 - s[x+1]
}

func gtStencilSerial[T number](_ grid.Config, n, _ int, in, out []T) {
	n = min(n, len(in))
	for i := 0; i < n; i++ {
		v := in[max(i-1, 0)] + in[i]*2
		out[i] = v - in[min(i+1, n-1)]
	}
}

// n-1 wraps around where n is the least int.
//
//gocuda:kernel
func gtMinusOne(t *gocuda.Thread, n, k int, in, out []int32) {
	i := t.GlobalX()
	if i > n-1 {
		return
	}
	gtVote(t, i, in, out)
}

func gtMinusOneSerial(cfg grid.Config, n, _ int, in, out []int32) {
	if n == math.MinInt {
		n = math.MaxInt
	}
	gtVotes(cfg, in, out, func(x gtThread) bool { return x.at < n })
}

//gocuda:kernel
func gtSwapped(t *gocuda.Thread, n, k int, in, out []int32) {
	i := t.BlockIdx.X*t.BlockDim.X + t.ThreadIdx.X
	if n <= i {
		out[i] = int32(n - k)
		return
	}
	gtExchange(t, i, in, out)
}

func gtSwappedSerial(cfg grid.Config, n, k int, in, out []int32) {
	for i := range out {
		if i >= n {
			out[i] = int32(n) - int32(k)
		}
	}
	gtExchanges(cfg, in, out, func(x gtThread) bool { return x.at < n })
}

// The length of a part is the limit.
//
//gocuda:kernel
func gtLen(t *gocuda.Thread, n, k int, in, out []int32) {
	part := in[:min(max(n, 0), len(in))]
	s := gocuda.Shared[int32](t, 256)
	i := t.GlobalX()
	s[t.Rank()] = int32(k)
	if i >= len(part) {
		return
	}
	out[i] = gtScan(t, s, part[i])
}

func gtLenSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		values := make([]int32, len(block))
		for j, x := range block {
			values[j] = in[x.at]
		}
		gtScans(values, func(j int) bool { return block[j].at < n })
		for j, x := range block {
			if x.at < n {
				out[x.at] = values[j]
			}
		}
	})
}

// The index and the limit change behind the guard.
//
//gocuda:kernel
func gtReused(t *gocuda.Thread, n, k int, in, out []int32) {
	i := t.GlobalX()
	m := min(n, len(in))
	if i >= m {
		return
	}
	s := gocuda.Shared[int32](t, 256)
	s[t.ThreadIdx.X] = in[i]
	m--
	i = m - i
	t.SyncThreads()
	v := s[0] + in[i]*int32(k)
	m -= t.BlockDim.X
	if i > m {
		v = -v
	}
	t.SyncThreads()
	i = m + t.BlockDim.X - i
	out[i] = v
}

func gtReusedSerial(cfg grid.Config, n, k int, in, out []int32) {
	m, nt := min(n, len(in)), cfg.Threads()
	for i := 0; i < m; i++ {
		v := in[i/nt*nt] + in[m-1-i]*int32(k)
		if i < nt {
			v = -v
		}
		out[i] = v
	}
}

// Variables from before the guard, which are assigned behind it, in loops with barriers too.
//
//gocuda:kernel
func gtAssigned(t *gocuda.Thread, n, k int, in, out []int32) {
	i := t.GlobalX()
	sum, best, done := int32(5), int32(math.MinInt32), false
	var last [3]int32
	s := gocuda.Shared[int32](t, 256)
	s[t.ThreadIdx.X] = 1
	if i >= n {
		out[i] = sum + last[i%3]
		return
	}
	for round := range 4 {
		s[t.ThreadIdx.X] = in[i] + int32(round*k)
		t.SyncThreads()
		v := s[t.ThreadIdx.X/2]
		sum += v
		last[round%3] = v
		if v > best {
			best, done = v, !done
		}
		t.SyncThreads()
	}
	if done {
		sum ^= best
	}
	out[i] = sum + last[0]*3 + last[1]*5 - last[2]
}

func gtAssignedSerial(cfg grid.Config, n, k int, in, out []int32) {
	nt := cfg.Threads()
	for i := range out {
		if i >= n {
			out[i] = 5
			continue
		}
		first := in[i/nt*nt+i%nt/2]
		var v [4]int32
		for r := range v {
			v[r] = first + int32(r*k)
		}
		best, done := int32(math.MinInt32), false
		for _, w := range v {
			if w > best {
				best, done = w, !done
			}
		}
		sum := 5 + v[0] + v[1] + v[2] + v[3]
		if done {
			sum ^= best
		}
		out[i] = sum + v[3]*3 + v[1]*5 - v[2]
	}
}

// Two barriers in an if, and nothing behind it but work of all threads.
//
//gocuda:kernel
func gtIf(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	i := t.GlobalX()
	v := int32(k)
	if i < n {
		s[t.ThreadIdx.X] = in[i]
		t.SyncThreads()
		v = s[t.ThreadIdx.X/3]
		t.SyncThreads()
		s[t.ThreadIdx.X] = v * 2
		t.SyncThreads()
		v -= s[t.ThreadIdx.X/5]
	}
	out[i] = v + int32(i)
}

func gtIfSerial(cfg grid.Config, n, k int, in, out []int32) {
	nt := cfg.Threads()
	for i := range out {
		first, x := i/nt*nt, i%nt
		if out[i] = int32(k + i); i < n {
			out[i] = in[first+x/3] - in[first+x/5/3]*2 + int32(i)
		}
	}
}

// An else, of which one arm returns. The limits of the launch make whole warps leave.
//
//gocuda:kernel
func gtElse(t *gocuda.Thread, n, k int, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	if i < n {
		v += gocuda.ShflXorSync(t, gocuda.FullMask, v, 5, 32)
		v += gocuda.ShflDownSync(t, gocuda.FullMask, v, 1, 8)
	} else {
		out[i] = v * int32(k)
		return
	}
	t.SyncThreads()
	v -= gocuda.ShflSync(t, gocuda.FullMask, v, 3, 16)
	out[i] = v
}

func gtElseSerial(_ grid.Config, n, k int, in, out []int32) {
	a, b := make([]int32, len(in)), make([]int32, len(in))
	for i := range in {
		a[i] = in[i] + in[i^5]
	}
	for i := range in {
		if b[i] = a[i] * 2; i%8 != 7 {
			b[i] = a[i] + a[i+1]
		}
	}
	for i := range in {
		if out[i] = in[i] * int32(k); i < n {
			out[i] = b[i] - b[i/16*16+3]
		}
	}
}

// Shuffles under an if without a return, and more of them for all behind it.
//
//gocuda:kernel
func gtIfShuffle(t *gocuda.Thread, n, k int, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	if i < n {
		for d := 16; d > 0; d >>= 1 {
			v += gocuda.ShflXorSync(t, gocuda.FullMask, v, d, 32)
		}
		t.SyncWarp(gocuda.FullMask)
	}
	w := gocuda.ShflUpSync(t, gocuda.FullMask, v, 2, 32)
	out[i] = w - in[i]
}

func gtIfShuffleSerial(_ grid.Config, n, _ int, in, out []int32) {
	for i := range out {
		if i < n {
			sum := int32(0)
			for _, v := range in[i/32*32 : i/32*32+32] {
				sum += v
			}
			out[i] = sum - in[i]
		} else if out[i] = 0; i%32 >= 2 {
			out[i] = in[i-2] - in[i]
		}
	}
}

// A histogram in shared memory, which all threads clear before the guard.
//
//gocuda:kernel
func gtHistogram(t *gocuda.Thread, n, k int, in, out []int32) {
	bins := gocuda.Shared[int32](t, 16)
	for b := t.ThreadIdx.X; b < 16; b += t.BlockDim.X {
		bins[b] = int32(k)
	}
	t.SyncThreads()
	i := t.GlobalX()
	if i >= n {
		return
	}
	atomic.Add(&bins[in[i]&15], 1)
	t.SyncThreads()
	out[i] = bins[i&15]*100 + bins[in[i]&15]
}

func gtHistogramSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		var bins [16]int32
		for b := range bins {
			bins[b] = int32(k)
		}
		for _, x := range block {
			if x.at < n {
				bins[in[x.at]&15]++
			}
		}
		for _, x := range block {
			if x.at < n {
				out[x.at] = bins[x.at&15]*100 + bins[in[x.at]&15]
			}
		}
	})
}

// The living share out the bins behind the guard; the array has a length that they compute.
//
//gocuda:kernel
func gtShares(t *gocuda.Thread, n, k int, in, out []int32) {
	i, x := t.GlobalX(), t.ThreadIdx.X
	if i >= n {
		return
	}
	living := min(n-(i-x), t.BlockDim.X)
	bins := gocuda.Shared[int32](t, k+7)
	for b := x; b < len(bins); b += living {
		bins[b] = int32(b)
	}
	t.SyncThreads()
	atomic.Xor(&bins[i%len(bins)], in[i])
	atomic.Add(&bins[(i+k)%len(bins)], 0)
	t.SyncThreads()
	for b := x; b < k+7; b += living {
		if b < t.BlockDim.X && i-x+b < n {
			out[i-x+b] = bins[b]
		}
	}
}

func gtSharesSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		bins := make([]int32, k+7)
		for b := range bins {
			bins[b] = int32(b)
		}
		for _, x := range block {
			if x.at < n {
				bins[x.at%len(bins)] ^= in[x.at]
			}
		}
		for b := range min(len(bins), len(block)) {
			if x := block[b]; x.at < n {
				out[x.at] = bins[b]
			}
		}
	})
}

// A loop over the grid with barriers, in which threads return, or leave the loop.
//
//gocuda:kernel
func gtGridStride(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	x, nt := t.ThreadIdx.X, t.BlockDim.X
	m, sum := min(n, len(in)), int32(0)
	for base := t.BlockIdx.X * nt; base < m; base += t.GridDim.X * nt / 2 {
		i := base + x
		if i >= m {
			out[t.GlobalX()] = -sum
			return
		}
		s[x] = in[i]
		t.SyncThreads()
		last := min(nt, m-base) - 1
		sum += s[last-x]
		t.SyncThreads()
		if sum&63 == int32(k) {
			break
		}
	}
	if t.GlobalX() < m {
		out[t.GlobalX()] = sum
	}
}

func gtGridStrideSerial(cfg grid.Config, n, k int, in, out []int32) {
	nt, m := cfg.Threads(), min(n, len(in))
	for b := range cfg.Blocks() {
		sums, gone, left := make([]int32, nt), make([]bool, nt), make([]bool, nt)
		s := make([]int32, nt) // those that have left the loop leave a number there
		for base := b * nt; base < m; base += cfg.Blocks() * nt / 2 {
			for x := range nt {
				if !gone[x] && !left[x] && base+x < m {
					s[x] = in[base+x]
				}
			}
			for x := range nt {
				if gone[x] || left[x] {
					continue
				}
				if base+x >= m {
					out[b*nt+x], gone[x] = -sums[x], true
					continue
				}
				sums[x] += s[min(nt, m-base)-1-x]
				left[x] = sums[x]&63 == int32(k)
			}
		}
		for x := range nt {
			if !gone[x] && b*nt+x < m {
				out[b*nt+x] = sums[x]
			}
		}
	}
}

// In each round more threads return; their limits are other ones.
//
//gocuda:kernel
func gtRounds(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	i := t.GlobalX()
	v := in[i]
	s[t.ThreadIdx.X] = v
	for round := 0; round < 5; round++ {
		t.SyncThreads()
		w := s[(t.ThreadIdx.X+round)%t.BlockDim.X]
		t.SyncThreads()
		v += w
		out[i] = v
		if i+round*k >= n {
			return
		}
		s[t.ThreadIdx.X] = v
	}
	out[i] = v ^ 1
}

func gtRoundsSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		nt := len(block)
		values, s, gone := make([]int32, nt), make([]int32, nt), make([]bool, nt)
		for x := range values {
			values[x] = in[block[x].at]
			s[x] = values[x]
		}
		for round := range 5 {
			old := append([]int32(nil), s...)
			for x, th := range block {
				if gone[x] {
					continue
				}
				values[x] += old[(x+round)%nt]
				out[th.at] = values[x]
				if th.at+round*k >= n {
					gone[x] = true
				} else {
					s[x] = values[x]
				}
			}
		}
		for x, th := range block {
			if !gone[x] {
				out[th.at] ^= 1
			}
		}
	})
}

// Three guards, with barriers and a choice of the whole block between them.
//
//gocuda:kernel
func gtThree(t *gocuda.Thread, n, k int, in, out []int32) {
	i, x := t.GlobalX(), t.ThreadIdx.X
	if i >= n {
		return
	}
	a := gocuda.Shared[int32](t, 256)
	a[x] = in[i]
	out[i] = 1
	t.SyncThreads()
	if i >= n-k {
		out[i] = a[0]
		return
	}
	v := a[x/2] + a[0]
	t.SyncThreads()
	b := gocuda.Shared[int64](t, 256)
	b[x] = int64(v) << 20
	t.SyncThreads()
	if a[0]&3 == 0 {
		out[i] = int32(b[x/4] >> 19)
		return
	}
	t.SyncThreads()
	if x < k {
		return
	}
	t.SyncThreads()
	out[i] = int32(b[x-k] >> 20)
}

func gtThreeSerial(cfg grid.Config, n, k int, in, out []int32) {
	nt := cfg.Threads()
	for i := range out {
		first, x := i/nt*nt, i%nt
		v := func(x int) int32 { return in[first+x/2] + in[first] }
		switch {
		case i >= n:
		case i >= n-k:
			out[i] = in[first]
		case in[first]&3 == 0:
			out[i] = int32(int64(v(x/4)) << 20 >> 19)
		case x < k:
			out[i] = 1
		default:
			out[i] = v(x - k)
		}
	}
}

// Dynamic shared memory, a struct that lives across barriers, and one of arguments.
type gtLimits struct {
	lo   int16
	hi   int
	each int32
	of   []int32
}

type gtState struct {
	sum, most int32
	seen      [2]bool
}

//gocuda:kernel
func gtStruct(t *gocuda.Thread, l gtLimits, p *gtLimits, out []int32) {
	i := t.GlobalX()
	state := gtState{most: -5}
	if i >= l.hi || i < int(p.lo) {
		return
	}
	s := gocuda.DynamicShared[int32](t)
	x := t.ThreadIdx.X
	first := max(int(l.lo)-(i-x), 0) // of the living
	s[x] = l.of[i] * p.each
	state.seen[x&1] = s[x] > 0
	t.SyncThreads()
	for k := first; k <= x; k++ {
		state.sum += s[k]
		state.most = max(state.most, s[k])
	}
	t.SyncThreads()
	s[x] = state.sum
	t.SyncThreads()
	if state.seen[1] || state.seen[0] {
		state.most -= s[first]
	}
	out[i] = state.most ^ state.sum
}

func gtStructSerial(cfg grid.Config, l gtLimits, out []int32) {
	nt := cfg.Threads()
	for i := max(int(l.lo), 0); i < min(l.hi, len(out)); i++ {
		first := max(i/nt*nt, int(l.lo))
		sum, most := int32(0), int32(-5)
		for _, v := range l.of[first : i+1] {
			sum += v * l.each
			most = max(most, v*l.each)
		}
		if l.of[i]*l.each > 0 {
			most -= l.of[first] * l.each
		}
		out[i] = most ^ sum
	}
}

// Limits of each block, in memory, which a thread of the block changes behind the barrier.
//
//gocuda:kernel
func gtMoving(t *gocuda.Thread, limits, in, out []int32) {
	i := t.GlobalX()
	if int32(i) >= limits[t.BlockIdx.X] {
		return
	}
	t.SyncThreads()
	if t.ThreadIdx.X == 0 {
		limits[t.BlockIdx.X] = int32(i) + 3
	}
	t.SyncThreads()
	if int32(i) >= limits[t.BlockIdx.X] {
		out[i] = 9
		return
	}
	gtExchange(t, i, in, out)
}

func gtMovingSerial(cfg grid.Config, limits, in, out []int32) {
	nt := cfg.Threads()
	for i := range out {
		if x := i % nt; i < int(limits[i/nt]) && x >= 3 {
			out[i] = 9
		}
	}
	gtExchanges(cfg, in, out, func(x gtThread) bool { return x.rank < 3 && x.at < int(limits[x.at/nt]) })
	for b := range limits {
		if b*nt < int(limits[b]) {
			limits[b] = int32(b*nt) + 3
		}
	}
}

// Guards of other indices, types and shapes, for blocks of any shape.

//gocuda:kernel
func gtEqual(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	s := gocuda.Shared[int32](t, 256)
	s[t.Rank()] = 0
	if t.GlobalX() == n {
		return
	}
	gtSum(t, s, at, in, out)
}

func gtEqualSerial(cfg grid.Config, n, _ int, in, out []int32) {
	gtSums(cfg, in, out, func(x gtThread) bool { return x.gx != n })
}

//gocuda:kernel
func gtUnequal(t *gocuda.Thread, n, k int, in, out []int32) {
	if t.GlobalX() != n {
		return
	}
	gtVote(t, gtPlace(t), in, out)
}

func gtUnequalSerial(cfg grid.Config, n, _ int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool { return x.gx == n })
}

// Indices of other types, which wrap around within a block.
//
//gocuda:kernel
func gtInt32(t *gocuda.Thread, n, k int, in, out []int32) {
	i := int32(t.GlobalX()) + int32(k)
	if i >= int32(n) {
		return
	}
	gtVote(t, gtPlace(t), in, out)
}

func gtInt32Serial(cfg grid.Config, n, k int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool { return int32(x.gx+k) < int32(n) })
}

//gocuda:kernel
func gtUint32(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	if i := uint32(t.GlobalX()) + uint32(k); i >= uint32(n) {
		out[at] = int32(i)
		return
	}
	gtExchange(t, at, in, out)
}

func gtUint32Serial(cfg grid.Config, n, k int, in, out []int32) {
	alive := func(x gtThread) bool { return uint32(x.gx+k) < uint32(n) }
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if !alive(x) {
				out[x.at] = int32(x.gx + k)
			}
		}
	})
	gtExchanges(cfg, in, out, alive)
}

//gocuda:kernel
func gtInt16(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	s := gocuda.Shared[int32](t, 256)
	s[t.Rank()] = 0
	x := int16(t.ThreadIdx.X)
	base := int16(k) + int16(t.BlockIdx.X*t.BlockDim.X)
	if base+x >= int16(n) {
		return
	}
	gtSum(t, s, at, in, out)
}

func gtInt16Serial(cfg grid.Config, n, k int, in, out []int32) {
	gtSums(cfg, in, out, func(x gtThread) bool { return int16(x.gx+k) < int16(n) })
}

//gocuda:kernel
func gtUint8(t *gocuda.Thread, n, k int, in, out []int32) {
	if uint8(t.GlobalX()*3+k) > uint8(n) {
		return
	}
	gtVote(t, gtPlace(t), in, out)
}

func gtUint8Serial(cfg grid.Config, n, k int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool { return (x.gx*3+k)&255 <= n&255 })
}

// A range in one comparison: what is below wraps around.
//
//gocuda:kernel
func gtUint(t *gocuda.Thread, n, k int, in, out []int32) {
	if i := uint(t.GlobalX()); i-uint(k) >= uint(n) {
		return
	}
	gtExchange(t, gtPlace(t), in, out)
}

func gtUintSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtExchanges(cfg, in, out, func(x gtThread) bool { return uint64(x.gx-k) < uint64(n) })
}

// A lower limit too.
//
//gocuda:kernel
func gtBand(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	i := int64(t.GlobalX())
	if i < int64(k) || i >= int64(n) {
		out[at] = -1
		return
	}
	gtExchange(t, at, in, out)
}

func gtBandSerial(cfg grid.Config, n, k int, in, out []int32) {
	alive := func(x gtThread) bool { return x.gx >= k && x.gx < n }
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if !alive(x) {
				out[x.at] = -1
			}
		}
	})
	gtExchanges(cfg, in, out, alive)
}

// Products, quotients and shifts of the rank; k is anything.
//
//gocuda:kernel
func gtProduct(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid := t.ThreadIdx.Y*t.BlockDim.X + t.ThreadIdx.X
	s[t.Rank()] = 0
	if tid*k >= n {
		return
	}
	gtSum(t, s, gtPlace(t), in, out)
}

func gtProductSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtSums(cfg, in, out, func(x gtThread) bool { return (x.y*cfg.Block.X+x.x)*k < n })
}

//gocuda:kernel
func gtQuarter(t *gocuda.Thread, n, k int, in, out []int32) {
	tid := t.Rank()
	if tid/4+t.BlockIdx.X > n {
		return
	}
	t.SyncThreads()
	if tid>>2 == k {
		return
	}
	gtVote(t, gtPlace(t), in, out)
}

func gtQuarterSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool { return x.rank/4+x.bx <= n && x.rank/4 != k })
}

//gocuda:kernel
func gtOdd(t *gocuda.Thread, n, k int, in, out []int32) {
	i := t.GlobalX()
	if 2*i+1 < n == false {
		return
	}
	if n-1-i < k {
		return
	}
	gtExchange(t, gtPlace(t), in, out)
}

func gtOddSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtExchanges(cfg, in, out, func(x gtThread) bool { return 2*x.gx+1 < n && n-1-x.gx >= k })
}

// Conditions that hold at both ends of a block but not in the middle, and the other way round.
//
//gocuda:kernel
func gtBent(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	s[t.Rank()] = 0
	d := t.GlobalX() - k
	if d*d < n {
		return
	}
	gtSum(t, s, gtPlace(t), in, out)
}

func gtBentSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtSums(cfg, in, out, func(x gtThread) bool { return (x.gx-k)*(x.gx-k) >= n })
}

//gocuda:kernel
func gtBits(t *gocuda.Thread, n, k int, in, out []int32) {
	r := t.Rank()
	if (r^k)&31 > n || r%7 == 3 && n < 20 || r<<(k&31) == 24 {
		return
	}
	gtVote(t, gtPlace(t), in, out)
}

func gtBitsSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool {
		switch {
		case (x.rank^k)&31 > n:
			return false
		case x.rank%7 == 3 && n < 20:
			return false
		}
		return x.rank<<(k&31) != 24
	})
}

// Floats, and a limit that is none.
//
//gocuda:kernel
func gtFloat(t *gocuda.Thread, a, b float32, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	s[t.Rank()] = 0
	x := float32(t.GlobalX()) * 0.5
	if x >= a {
		return
	}
	if !(x+1 > b) {
		return
	}
	gtSum(t, s, gtPlace(t), in, out)
}

func gtFloatSerial(cfg grid.Config, a, b float32, in, out []int32) {
	gtSums(cfg, in, out, func(x gtThread) bool {
		y := float32(x.gx) / 2
		return !(y >= a) && y+1 > b
	})
}

// A bool that holds the condition, and is used and changed later.
//
//gocuda:kernel
func gtBool(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	inside := t.GlobalX() < n
	first := inside && t.GlobalX() == k
	if !inside {
		out[at] = 1
		return
	}
	inside = t.SyncThreadsOr(first)
	if !inside {
		out[at] = 2
		t.SyncThreads()
		return
	}
	gtVote(t, at, in, out)
}

func gtBoolSerial(cfg grid.Config, n, k int, in, out []int32) {
	found := map[int]bool{}
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if x.gx < n && x.gx == k {
				found[x.bx] = true
			}
		}
		for _, x := range block {
			if x.gx >= n {
				out[x.at] = 1
			} else if !found[x.bx] {
				out[x.at] = 2
			}
		}
	})
	gtVotes(cfg, in, out, func(x gtThread) bool { return x.gx < n && found[x.bx] })
}

// A helper that says who stays, and one with the guard and the barriers in it, behind which all go on.
func gtInside(t *gocuda.Thread, n, k int) bool {
	if t.GlobalX() < k {
		return false
	}
	x := t.GlobalX() - k
	return x < n
}

//gocuda:kernel
func gtHelper(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	at := gtPlace(t)
	s[t.Rank()] = 0
	if !gtInside(t, n, k) {
		return
	}
	gtSum(t, s, at, in, out)
}

func gtHelperSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtSums(cfg, in, out, func(x gtThread) bool { return x.gx >= k && x.gx-k < n })
}

func gtPart(t *gocuda.Thread, n, k, at int, in, out []int32) int32 {
	if t.GlobalX() >= n {
		return int32(k)
	}
	gtVote(t, at, in, out)
	return out[at] * 2
}

//gocuda:kernel
func gtHelperReturns(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	v := gtPart(t, n, k, at, in, out)
	out[at] = v + 1
}

func gtHelperReturnsSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool { return x.gx < n })
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if x.gx < n {
				out[x.at] = out[x.at]*2 + 1
			} else {
				out[x.at] = int32(k) + 1
			}
		}
	})
}

// A condition with an effect: it is computed once.
func gtTick(out []int32, at, i int) int {
	out[at]++
	return i
}

//gocuda:kernel
func gtEffect(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	if gtTick(out, at, t.GlobalX()) >= n || gtTick(out, at, k) == t.Rank() {
		return
	}
	t.SyncThreads()
	v := out[at-t.Rank()]
	t.SyncThreads()
	out[at] += v * in[at]
}

func gtEffectSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if out[x.at]++; x.gx < n {
				out[x.at]++
			}
		}
		v := out[block[0].at]
		for _, x := range block {
			if x.gx < n && x.rank != k {
				out[x.at] += v * in[x.at]
			}
		}
	})
}

// Data decide, and what is read changes behind the barrier.
//
//gocuda:kernel
func gtData(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	at := gtPlace(t)
	s[t.Rank()] = 0
	if in[at] < int32(k) || t.GlobalX() >= n {
		return
	}
	t.SyncThreads()
	in[at] = -in[at]
	gtSum(t, s, at, in, out)
}

func gtDataSerial(cfg grid.Config, n, k int, in, out []int32) {
	alive := func(x gtThread) bool { return x.gx < n && in[x.at] >= int32(k) }
	changed := make([]int32, len(in))
	for i := range in {
		changed[i] = -in[i]
	}
	gtSums(cfg, changed, out, alive)
}

// Conditions that would panic for those that a condition before keeps out.
//
//gocuda:kernel
func gtPanics(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	part := in[:min(max(n, 0), len(in))]
	if at >= len(part) || part[at]&8 != 0 || k == 0 || at/k > 40 {
		return
	}
	gtVote(t, at, in, out)
}

func gtPanicsSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool {
		if x.at >= n || k == 0 {
			return false
		}
		return in[x.at]>>3&1 == 0 && x.at/k <= 40
	})
}

// Guards in guards.
//
//gocuda:kernel
func gtNested(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	at, i := gtPlace(t), t.GlobalX()
	s[t.Rank()] = 0
	if i < n {
		if t.Rank() >= k {
			if in[at]&3 == 0 {
				return
			}
		} else if i == 2 {
			return
		}
	} else {
		out[at] = 3
		return
	}
	gtSum(t, s, at, in, out)
}

func gtNestedSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if x.gx >= n {
				out[x.at] = 3
			}
		}
	})
	gtSums(cfg, in, out, func(x gtThread) bool {
		if x.rank >= k {
			return x.gx < n && in[x.at]&3 != 0
		}
		return x.gx < n && x.gx != 2
	})
}

// A switch, and a loop of one round that is left.
//
//gocuda:kernel
func gtSwitch(t *gocuda.Thread, n, k int, in, out []int32) {
	at, i := gtPlace(t), t.GlobalX()
	switch {
	case i >= n:
		out[at] = 10
		return
	case i == k:
		out[at] = 20
		return
	case i > k:
		out[at] = 30
	}
	t.SyncThreads()
once:
	for {
		switch {
		case t.Rank()&1 == 1:
			break once
		}
		gtExchange(t, at, in, out)
		break
	}
}

func gtSwitchSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if x.gx >= n {
				out[x.at] = 10
			} else if x.gx == k {
				out[x.at] = 20
			} else if x.gx > k {
				out[x.at] = 30
			}
		}
	})
	gtExchanges(cfg, in, out, func(x gtThread) bool { return x.gx < n && x.gx != k && x.rank%2 == 0 })
}

// A guard of the whole block, and one of all that its threads have loaded.
//
//gocuda:kernel
func gtWhole(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	at := gtPlace(t)
	if t.BlockIdx.X*t.BlockDim.X >= n {
		return
	}
	s[t.Rank()] = in[at] & 1023
	t.SyncThreads()
	limit := int(s[0]) % (t.BlockDim.X + 2)
	t.SyncThreads()
	s[t.Rank()] = 0
	if t.ThreadIdx.X >= limit+k {
		return
	}
	gtSum(t, s, at, in, out)
}

func gtWholeSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtSums(cfg, in, out, func(x gtThread) bool {
		return x.bx*cfg.Block.X < n && x.x < int(in[x.at-x.rank]&1023)%(cfg.Block.X+2)+k
	})
}

// A limit of the package, and the least of several.
var gtLimit = 70

//gocuda:kernel
func gtVariable(t *gocuda.Thread, n, k int, in, out []int32) {
	limit := min(n, gtLimit+k, t.GridDim.X*t.BlockDim.X-1)
	if i := t.GlobalX(); i >= limit || max(i, 3) == 4 {
		return
	}
	gtVote(t, gtPlace(t), in, out)
}

func gtVariableSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool {
		return x.gx < n && x.gx < 70+k && x.gx < cfg.Grid.X*cfg.Block.X-1 && x.gx != 4
	})
}

// A closure with the guard, in a loop of which the threads return in several rounds.
//
//gocuda:kernel
func gtClosure(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	limit := n
	out[at] = 0
	inside := func(i int) bool { return i < limit }
	for round := 0; round < 3; round++ {
		if !inside(t.GlobalX() + round) {
			return
		}
		out[at] += int32(t.SyncThreadsCount(in[at] > 0) * 10)
		limit -= k
	}
	out[at]++
}

func gtClosureSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		stays := func(x gtThread, round int) bool {
			for r := range round + 1 {
				if x.gx+r >= n-r*k {
					return false
				}
			}
			return true
		}
		for _, x := range block {
			out[x.at] = 0
			if stays(x, 2) {
				out[x.at] = 1
			}
			for round := range 3 {
				if !stays(x, round) {
					continue
				}
				for _, y := range block {
					if stays(y, round) && in[y.at] > 0 {
						out[x.at] += 10
					}
				}
			}
		}
	})
}

// Lanes that meet behind the guard.
//
//gocuda:kernel
func gtLanes(t *gocuda.Thread, n, k int, in, out []int32) {
	at, r := gtPlace(t), t.Rank()
	if r >= n {
		return
	}
	all := t.AllSync(gocuda.FullMask, int(in[at])&k != 0)
	same := gocuda.MatchAnySync(t, gocuda.FullMask, in[at]&3)
	t.SyncThreads()
	if r < k && r < 40 {
		return
	}
	most := gocuda.ReduceMaxSync(t, gocuda.FullMask, in[at])
	mask := t.BallotSync(gocuda.FullMask, true) & t.LanemaskLT()
	v := int32(bits.OnesCount32(mask)) + most ^ int32(same)
	if all || t.AnySync(gocuda.FullMask, in[at]&255 == 7) {
		v = -v
	}
	out[at] = v
}

func gtLanesSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		for first := 0; first < len(block); first += 32 {
			warp := block[first:min(first+32, len(block))]
			all, some, most, before := true, false, int32(math.MinInt32), int32(0)
			left := func(x gtThread) bool { return x.rank < k && x.rank < 40 }
			for _, x := range warp {
				if x.rank < n {
					all = all && int(in[x.at])&k != 0
					if !left(x) {
						most = max(most, in[x.at])
						some = some || in[x.at]&255 == 7
					}
				}
			}
			for _, x := range warp {
				if x.rank >= n || left(x) {
					continue
				}
				same := int32(0)
				for lane, y := range warp {
					if y.rank < n && (in[x.at]^in[y.at])&3 == 0 {
						same |= 1 << lane
					}
				}
				out[x.at] = (before + most) ^ same
				if all || some {
					out[x.at] = -out[x.at]
				}
				before++
			}
		}
	})
}

// Two and three dimensions, of blocks in two and three dimensions.

// The living part of a tile is mirrored.
//
//gocuda:kernel types=float32,int32,uint8
func gtImage[T number](t *gocuda.Thread, w, h int, in, out []T) {
	s := gocuda.Shared[[33]T](t, 32)
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	pitch := t.GridDim.X * t.BlockDim.X
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	s[ty][tx] = in[y*pitch+x]
	t.SyncThreads()
	lx, ly := min(w-(x-tx), t.BlockDim.X)-1, min(h-(y-ty), t.BlockDim.Y)-1
	out[y*pitch+x] = s[ly-ty][lx-tx] * 3
}

func gtImageSerial[T number](cfg grid.Config, w, h int, in, out []T) {
	b, pitch := cfg.Block, cfg.Grid.X*cfg.Block.X
	for y := 0; y < min(h, cfg.Grid.Y*b.Y); y++ {
		for x := 0; x < min(w, pitch); x++ {
			fx, fy := x/b.X*b.X, y/b.Y*b.Y
			u, v := fx+min(w-fx, b.X)-1-x%b.X, fy+min(h-fy, b.Y)-1-y%b.Y
			out[y*pitch+x] = in[v*pitch+u] * 3
		}
	}
}

// A halo, which the threads at the edges of the living part load.
//
//gocuda:kernel
func gtImageHalo(t *gocuda.Thread, w, h int, in, out []float32) {
	s := gocuda.Shared[[34]float32](t, 34)
	x, y := int32(t.GlobalX()), int32(t.GlobalY())
	pitch := int32(t.GridDim.X * t.BlockDim.X)
	wide, high := int32(min(w, int(pitch))), int32(min(h, t.GridDim.Y*t.BlockDim.Y))
	if !(x < wide && y < high) {
		out[y*pitch+x] = 2
		return
	}
	tx, ty := t.ThreadIdx.X+1, t.ThreadIdx.Y+1
	s[ty][tx] = in[y*pitch+x]
	if tx == 1 {
		s[ty][0] = in[y*pitch+max(x-1, 0)]
	}
	if ty == 1 {
		s[0][tx] = in[max(y-1, 0)*pitch+x]
	}
	if tx == t.BlockDim.X || x == wide-1 {
		s[ty][tx+1] = in[y*pitch+min(x+1, wide-1)]
	}
	if ty == t.BlockDim.Y || y == high-1 {
		s[ty+1][tx] = in[min(y+1, high-1)*pitch+x]
	}
	t.SyncThreads()
	out[y*pitch+x] = s[ty][tx]*4 - s[ty][tx-1] - s[ty][tx+1] - s[ty-1][tx] - s[ty+1][tx]
}

func gtImageHaloSerial(cfg grid.Config, w, h int, in, out []float32) {
	pitch := cfg.Grid.X * cfg.Block.X
	w, h = min(w, pitch), min(h, cfg.Grid.Y*cfg.Block.Y)
	for k := range out {
		x, y := k%pitch, k/pitch
		if out[k] = 2; x >= w || y >= h {
			continue
		}
		sum := in[k] * 4
		sum -= in[y*pitch+max(x-1, 0)]
		sum -= in[y*pitch+min(x+1, w-1)]
		sum -= in[max(y-1, 0)*pitch+x]
		sum -= in[min(y+1, h-1)*pitch+x]
		out[k] = sum
	}
}

// One guard behind the other, with arrays and definitions between them.
//
//gocuda:kernel
func gtApart(t *gocuda.Thread, w, h int, in, out []int32) {
	x := t.GlobalX()
	a := gocuda.Shared[int32](t, 256)
	a[t.Rank()] = 0
	if x >= w {
		return
	}
	b := gocuda.Shared[int64](t, 256)
	b[t.Rank()] = int64(x) - 3
	y, at := t.GlobalY(), gtPlace(t)
	v := in[at] + int32(x)
	if y >= h {
		out[at] = v
		return
	}
	c := gocuda.Shared[uint8](t, 256)
	c[t.Rank()] = uint8(y)
	gtSum(t, a, at, in, out)
	out[at] += v + int32(b[t.Rank()])*int32(c[t.Rank()])
}

func gtApartSerial(cfg grid.Config, w, h int, in, out []int32) {
	gtSums(cfg, in, out, func(x gtThread) bool { return x.gx < w && x.gy < h })
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if x.gx >= w {
				continue
			}
			v := in[x.at] + int32(x.gx)
			if x.gy >= h {
				out[x.at] = v
			} else {
				out[x.at] += v + int32(x.gx-3)*int32(uint8(x.gy))
			}
		}
	})
}

//gocuda:kernel
func gtBox(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y, z := t.GlobalX(), t.GlobalY(), t.GlobalZ()
	if x >= w {
		return
	} else if y+z >= h {
		return
	} else if x == 1 && z == 1 {
		return
	}
	gtVote(t, gtPlace(t), in, out)
}

func gtBoxSerial(cfg grid.Config, w, h int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool { return x.gx < w && x.gy+x.gz < h && (x.gx != 1 || x.gz != 1) })
}

// A triangle.
//
//gocuda:kernel
func gtTriangle(t *gocuda.Thread, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	s[t.Rank()] = 0
	if t.GlobalX()+t.GlobalY()*2 >= w || t.GlobalX()-t.GlobalY() > h {
		return
	}
	gtSum(t, s, gtPlace(t), in, out)
}

func gtTriangleSerial(cfg grid.Config, w, h int, in, out []int32) {
	gtSums(cfg, in, out, func(x gtThread) bool { return x.gx+x.gy*2 < w && x.gx-x.gy <= h })
}

// Rows that all threads of a row share: the rows of the block leave.
//
//gocuda:kernel
func gtRows(t *gocuda.Thread, w, h int, in, out []int32) {
	y, at := t.GlobalY(), gtPlace(t)
	v := in[at]
	if y >= h {
		return
	}
	s := gocuda.Shared[int32](t, t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z)
	s[t.Rank()] = v
	t.SyncThreads()
	if t.GlobalX() < w {
		v += s[t.Rank()/t.BlockDim.X*t.BlockDim.X]
	}
	t.SyncThreads()
	s[t.Rank()] = v * 3
	t.SyncThreads()
	out[at] = s[t.Rank()/t.BlockDim.X*t.BlockDim.X+t.BlockDim.X-1-t.ThreadIdx.X]
}

func gtRowsSerial(cfg grid.Config, w, h int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if x.gy >= h {
				continue
			}
			other := block[x.rank-x.x+cfg.Block.X-1-x.x]
			v := in[other.at]
			if other.gx < w {
				v += in[x.at-x.x]
			}
			out[x.at] = v * 3
		}
	})
}

// More spellings of guards, of which there are two forms.

// Indices that wrap around, of products and differences.
//
//gocuda:kernel
func gtFourth(t *gocuda.Thread, n, k int, in, out []int32) {
	if int32(t.ThreadIdx.X)*4+int32(k) >= int32(n) {
		return
	}
	gtVote(t, gtPlace(t), in, out)
}

func gtFourthSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool { return int32(x.x*4+k) < int32(n) })
}

//gocuda:kernel
func gtRange(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	x := uint32(t.GlobalX())
	if x-uint32(k) >= uint32(n) {
		return
	}
	gtExchange(t, at, in, out)
}

func gtRangeSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtExchanges(cfg, in, out, func(x gtThread) bool { return uint32(x.gx-k) < uint32(n) })
}

// Limits that wrap around.
//
//gocuda:kernel
func gtLimitWraps(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	s[t.Rank()] = 0
	i := t.GlobalX()
	if i >= n-k {
		return
	}
	t.SyncThreads()
	if i > n*3+k {
		return
	}
	gtSum(t, s, gtPlace(t), in, out)
}

func gtLimitWrapsSerial(cfg grid.Config, n, k int, in, out []int32) {
	a, b := n-k, n*3+k
	gtSums(cfg, in, out, func(x gtThread) bool { return x.gx < a && x.gx <= b })
}

// What is left for the block, which wraps around where n is the least int.
//
//gocuda:kernel
func gtLocal(t *gocuda.Thread, n, k int, in, out []int32) {
	left := n - t.BlockIdx.X*t.BlockDim.X
	if t.ThreadIdx.X >= left {
		return
	}
	gtVote(t, gtPlace(t), in, out)
}

func gtLocalSerial(cfg grid.Config, n, _ int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool { left := n - x.bx*cfg.Block.X; return x.x < left })
}

//gocuda:kernel
func gtNegated(t *gocuda.Thread, n, k int, in, out []int32) {
	i := t.GlobalX()
	if -i <= -n {
		return
	}
	if n-1-i < k {
		out[gtPlace(t)] = 4
		return
	}
	gtExchange(t, gtPlace(t), in, out)
}

func gtNegatedSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if -x.gx > -n && n-1-x.gx < k {
				out[x.at] = 4
			}
		}
	})
	gtExchanges(cfg, in, out, func(x gtThread) bool { return -x.gx > -n && n-1-x.gx >= k })
}

// A lower limit alone, and one that the arguments choose.
//
//gocuda:kernel
func gtLower(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	s[t.Rank()] = 0
	if t.GlobalX() < k {
		return
	}
	if k > 5 && t.GlobalX() >= n || n < 0 {
		return
	}
	gtSum(t, s, gtPlace(t), in, out)
}

func gtLowerSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtSums(cfg, in, out, func(x gtThread) bool { return x.gx >= k && n >= 0 && (k <= 5 || x.gx < n) })
}

// A limit in memory, which is loaded once; the memory changes behind the barrier.
//
//gocuda:kernel
func gtLoaded(t *gocuda.Thread, limits, in, out []int32) {
	limit := int(limits[t.BlockIdx.X])
	i := t.GlobalX()
	if i >= limit {
		return
	}
	t.SyncThreads()
	if t.ThreadIdx.X == 0 {
		limits[t.BlockIdx.X] = -3
	}
	t.SyncThreads()
	gtExchange(t, i, in, out)
	if i == limit-1 {
		limits[t.BlockIdx.X] += 7
	}
}

func gtLoadedSerial(cfg grid.Config, limits, in, out []int32) {
	nt := cfg.Threads()
	gtExchanges(cfg, in, out, func(x gtThread) bool { return x.at < int(limits[x.at/nt]) })
	for b, limit := range limits {
		if b*nt < int(limit) {
			if limits[b] = -3; int(limit) <= (b+1)*nt {
				limits[b] = 4
			}
		}
	}
}

// Effects before the guard, in a loop too.
//
//gocuda:kernel
func gtEffects(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 3)
	at := gtPlace(t)
	if t.Rank() == 0 {
		s[0], s[1] = 0, 100
	}
	t.SyncThreads()
	for j := range 3 {
		atomic.Add(&s[0], int32(j))
		out[at] += in[at] >> j
	}
	if t.GlobalX() >= n {
		return
	}
	atomic.Add(&s[1], 1)
	t.SyncThreads()
	out[at] += s[0]*1000 + s[1]
}

func gtEffectsSerial(cfg grid.Config, n, _ int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		living := int32(100)
		for _, x := range block {
			out[x.at] += in[x.at] + in[x.at]>>1 + in[x.at]>>2
			if x.gx < n {
				living++
			}
		}
		for _, x := range block {
			if x.gx < n {
				out[x.at] += int32(len(block))*3000 + living
			}
		}
	})
}

// The guard is in a loop and under a condition of all threads.
//
//gocuda:kernel
func gtUniform(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	at, i := gtPlace(t), t.GlobalX()
	s[t.Rank()] = 0
	out[at] = -4
	for round := 0; round < k; round++ {
		if i >= n-round {
			return
		}
		gtSum(t, s, at, in, out)
		t.SyncThreads()
		s[t.Rank()] = 0
	}
	if k > 1 {
		if i == 3 {
			return
		}
		t.SyncThreads()
	}
	out[at] ^= 5
}

func gtUniformSerial(cfg grid.Config, n, k int, in, out []int32) {
	for at := range out {
		out[at] = -4
	}
	for round := range max(k, 0) {
		// What those who have returned before have left is 0.
		gtSums(cfg, in, out, func(x gtThread) bool { return n > math.MinInt+10 && x.gx < n-round })
	}
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if (k < 1 || n > 0 && x.gx < n-(k-1)) && (k < 2 || x.gx != 3) {
				out[x.at] ^= 5
			}
		}
	})
}

// Arrays before, between and behind guards, of which the lengths are arguments.
//
//gocuda:kernel
func gtArrays(t *gocuda.Thread, n, k int, in, out []int32) {
	a := gocuda.Shared[uint8](t, 7)
	i, x := t.GlobalX(), t.ThreadIdx.X
	if x == 0 {
		a[k&3] = uint8(k)
	}
	if i >= n {
		return
	}
	b := gocuda.Shared[int32](t, t.BlockDim.X+k&3)
	b[x] = in[i]
	t.SyncThreads()
	if i < k {
		out[i] = b[x] - 1
		return
	}
	c := gocuda.Shared[int64](t, t.BlockDim.X)
	c[x] = int64(b[x]) * 3
	d := gocuda.Shared[[2]int16](t, 256)
	d[x][1], d[x][0] = int16(x), int16(b[x/2])
	t.SyncThreads()
	first := max(k-(i-x), 0) // of the living
	out[i] = int32(c[first]) + b[0] + int32(d[x][0])*int32(d[first][1]) + int32(a[k&3])
}

func gtArraysSerial(cfg grid.Config, n, k int, in, out []int32) {
	nt := cfg.Threads()
	for i := range out {
		if i >= n {
			continue
		}
		if out[i] = in[i] - 1; i >= k {
			b := in[i/nt*nt:]
			x, first := i%nt, max(k-i/nt*nt, 0)
			out[i] = b[first]*3 + b[0] + int32(int16(b[x/2]))*int32(first) + int32(uint8(k))
		}
	}
}

// Labels, closures, types and constants behind the guard.
//
//gocuda:kernel
func gtLabels(t *gocuda.Thread, n, k int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	type pairOf struct{ a, b int32 }
	const far = 3
	s := gocuda.Shared[pairOf](t, 256)
	next := func(p pairOf) pairOf { return pairOf{p.b, p.a + p.b} }
	p := pairOf{in[i], int32(i)}
	x := t.ThreadIdx.X
outer:
	for a := 0; a < 4; a++ {
		s[x] = p
		t.SyncThreads()
		q := s[x/far]
		t.SyncThreads()
		for b := range 3 {
			switch {
			case b == 1 && a == 2:
				continue outer
			case k == 1:
				p.a++
				break outer
			case q.a&1 == 0:
				continue
			}
			p = next(q)
			q = next(p)
		}
	}
	t.SyncThreads()
	out[i] = p.a*5 - p.b
}

func gtLabelsSerial(cfg grid.Config, n, k int, in, out []int32) {
	nt := cfg.Threads()
	for first := 0; first < len(in); first += nt {
		p := make([][2]int32, nt)
		for x := range p {
			p[x] = [2]int32{in[first+x], int32(first + x)}
		}
		for a := range 4 {
			old := append([][2]int32(nil), p...)
			for x := range p {
				if k == 1 {
					if a == 0 {
						p[x][0]++
					}
					continue
				}
				rounds := 3
				if a == 2 {
					rounds = 1
				}
				for q := old[x/3]; rounds > 0; rounds-- {
					if q[0]&1 != 0 {
						p[x] = [2]int32{q[1], q[0] + q[1]}
						q = [2]int32{p[x][1], p[x][0] + p[x][1]}
					}
				}
			}
		}
		for x := range p {
			if first+x < n {
				out[first+x] = p[x][0]*5 - p[x][1]
			}
		}
	}
}

// A barrier in the condition of a second guard, at which only those are that have not returned yet.
//
//gocuda:kernel
func gtCounted(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	if t.GlobalX() >= n {
		return
	}
	if t.SyncThreadsCount(in[at] > 0) > k {
		return
	}
	gtExchange(t, at, in, out)
}

func gtCountedSerial(cfg grid.Config, n, k int, in, out []int32) {
	passes := map[int]bool{}
	gtBlocks(cfg, func(block []gtThread) {
		count := 0
		for _, x := range block {
			if x.gx < n && in[x.at] > 0 {
				count++
			}
		}
		passes[block[0].at] = count <= k
	})
	gtExchanges(cfg, in, out, func(x gtThread) bool { return x.gx < n && passes[x.at-x.rank] })
}

// Sums of warps, without barriers, of warps that stay as a whole.
//
//gocuda:kernel
func gtWarpSum(t *gocuda.Thread, n, k int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := in[i]
	for d := 16; d > 0; d /= 2 {
		v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
	}
	v = gocuda.ShflSync(t, gocuda.FullMask, v, 0, 32)
	if t.LaneID() == k&31 {
		out[i] = v
	}
}

func gtWarpSumSerial(_ grid.Config, n, k int, in, out []int32) {
	for i := 0; i < min(n, len(in)); i += 32 {
		sum := int32(0)
		for _, v := range in[i : i+32] {
			sum += v
		}
		out[i+k&31] = sum
	}
}

// Two limits of an index that is shifted, and of two of them.
//
//gocuda:kernel
func gtOffset(t *gocuda.Thread, n, k int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	s[t.Rank()] = 0
	i := t.GlobalX() + k
	if i < 0 || i >= n {
		return
	}
	gtSum(t, s, gtPlace(t), in, out)
}

func gtOffsetSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtSums(cfg, in, out, func(x gtThread) bool { return x.gx+k >= 0 && x.gx+k < n })
}

//gocuda:kernel
func gtInner(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX()-1, t.GlobalY()-2
	if x < 0 || y < 0 || x >= w || y >= h {
		return
	}
	gtExchange(t, gtPlace(t), in, out)
}

func gtInnerSerial(cfg grid.Config, w, h int, in, out []int32) {
	gtExchanges(cfg, in, out, func(x gtThread) bool { return x.gx >= 1 && x.gy >= 2 && x.gx-1 < w && x.gy-2 < h })
}

// Rows that are warps.
//
//gocuda:kernel
func gtWarpRows(t *gocuda.Thread, w, h int, in, out []float32) {
	y, at := t.GlobalY(), gtPlace(t)
	if y >= h {
		return
	}
	v := in[at]
	if t.GlobalX() == w {
		v = 1000
	}
	left := gocuda.ShflUpSync(t, gocuda.FullMask, v, 1, 32)
	right := gocuda.ShflDownSync(t, gocuda.FullMask, v, 1, 32)
	t.SyncThreads()
	out[at] = left - right + gocuda.ShflXorSync(t, gocuda.FullMask, v, 3, 32)
}

func gtWarpRowsSerial(cfg grid.Config, w, h int, in, out []float32) {
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if x.gy >= h {
				continue
			}
			value := func(lane int) float32 {
				if y := block[x.rank-x.x+lane]; y.gx != w {
					return in[y.at]
				}
				return 1000
			}
			v := value(max(x.x-1, 0)) - value(min(x.x+1, 31))
			out[x.at] = v + value(x.x^3)
		}
	})
}

// Limits that would fail where the kernel does not come to them: a quotient, a load, a pointer, in a loop.
//
//gocuda:kernel
func gtDivided(t *gocuda.Thread, n, k int, in, out []int32) {
	i, at := t.GlobalX(), gtPlace(t)
	if k == 0 {
		return
	}
	if i >= n/k {
		return
	}
	gtExchange(t, at, in, out)
}

func gtDividedSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtExchanges(cfg, in, out, func(x gtThread) bool { return k != 0 && x.gx < n/k })
}

//gocuda:kernel
func gtRemote(t *gocuda.Thread, n, k int, in, out []int32) {
	i, at := t.GlobalX(), gtPlace(t)
	for round := 0; round < n && k < 4; round++ {
		if i >= int(in[k+round]&127) {
			return
		}
		out[at] = int32(t.SyncThreadsCount(i&1 == 0))
		if round == 2 {
			break
		}
	}
	t.SyncThreads()
	if k >= 0 && k < len(in) && i >= int(in[k]&127)-9 {
		return
	}
	gtExchange(t, at, in, out)
}

func gtRemoteSerial(cfg grid.Config, n, k int, in, out []int32) {
	stays := func(x gtThread, round int) bool {
		for r := range round + 1 {
			if x.gx >= int(in[k+r]&127) {
				return false
			}
		}
		return true
	}
	rounds := 0
	if k < 4 {
		rounds = max(min(n, 3), 0)
	}
	gtBlocks(cfg, func(block []gtThread) {
		for round := range rounds {
			count := int32(0)
			for _, x := range block {
				if x.gx%2 == 0 && stays(x, round) {
					count++
				}
			}
			for _, x := range block {
				if stays(x, round) {
					out[x.at] = count
				}
			}
		}
	})
	gtExchanges(cfg, in, out, func(x gtThread) bool {
		return stays(x, rounds-1) && (k < 0 || k >= len(in) || x.gx < int(in[k]&127)-9)
	})
}

//gocuda:kernel
func gtPointer(t *gocuda.Thread, p *gtLimits, in, out []int32) {
	if p == nil {
		out[t.GlobalX()] = 6
		return
	}
	i := t.GlobalX()
	if i >= p.hi {
		return
	}
	t.SyncThreads()
	if i < int(p.each) {
		out[i] = 5
		return
	}
	gtExchange(t, i, in, out)
}

func gtPointerSerial(cfg grid.Config, p *gtLimits, in, out []int32) {
	for i := range out {
		if p == nil {
			out[i] = 6
		} else if i < p.hi && i < int(p.each) {
			out[i] = 5
		}
	}
	gtExchanges(cfg, in, out, func(x gtThread) bool { return p != nil && x.at < p.hi && x.at >= int(p.each) })
}

// A row by row index, of rows of any length; the other way to write that both must be inside; and that both are not.
//
//gocuda:kernel
func gtRowMajor(t *gocuda.Thread, n, k int, in, out []int32) {
	if t.GlobalY()*k+t.GlobalX() >= n {
		return
	}
	gtVote(t, gtPlace(t), in, out)
}

func gtRowMajorSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtVotes(cfg, in, out, func(x gtThread) bool { return x.gy*k+x.gx < n })
}

//gocuda:kernel
func gtMorgan(t *gocuda.Thread, w, h int, in, out []int32) {
	at := gtPlace(t)
	x, y := t.GlobalX(), t.GlobalY()
	if !(x < w) || !(y < h) {
		out[at]--
		return
	}
	t.SyncThreads()
	if x >= w-2 && y >= h-2 {
		return
	}
	gtExchange(t, at, in, out)
}

func gtMorganSerial(cfg grid.Config, w, h int, in, out []int32) {
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if x.gx >= w || x.gy >= h {
				out[x.at]--
			}
		}
	})
	gtExchanges(cfg, in, out, func(x gtThread) bool {
		return x.gx < w && x.gy < h && (x.gx < w-2 || x.gy < h-2)
	})
}

// Three guards of three dimensions.
//
//gocuda:kernel
func gtThreeWays(t *gocuda.Thread, w, h int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	s[t.Rank()] = 0
	if t.GlobalX() >= w {
		return
	}
	if t.GlobalY() >= h {
		return
	}
	if t.GlobalZ() >= t.GridDim.Z*t.BlockDim.Z-1 {
		return
	}
	at := gtPlace(t)
	gtSum(t, s, at, in, out)
	t.SyncThreads()
	out[at] += gtScan(t, s, in[at])
}

func gtThreeWaysSerial(cfg grid.Config, w, h int, in, out []int32) {
	alive := func(x gtThread) bool { return x.gx < w && x.gy < h && x.gz < cfg.Grid.Z*cfg.Block.Z-1 }
	gtSums(cfg, in, out, alive)
	gtBlocks(cfg, func(block []gtThread) {
		values := make([]int32, len(block))
		for k, x := range block {
			if alive(x) {
				values[k] = in[x.at]
			}
		}
		gtScans(values, func(k int) bool { return alive(block[k]) })
		for k, x := range block {
			if alive(x) {
				out[x.at] += values[k]
			}
		}
	})
}

// A helper that returns early, and one more barrier in it. The helper has the place of the element.
func gtPartOf(t *gocuda.Thread, n, k, at int, in, out []int32) int32 {
	if t.GlobalX() >= n {
		return int32(k)
	}
	gtExchange(t, at, in, out)
	return out[at] * 2
}

//gocuda:kernel
func gtHelperExchanges(t *gocuda.Thread, n, k int, in, out []int32) {
	at := gtPlace(t)
	v := gtPartOf(t, n, k, at, in, out)
	if v != int32(k) {
		out[at] = v + 1
	}
}

func gtHelperExchangesSerial(cfg grid.Config, n, k int, in, out []int32) {
	gtExchanges(cfg, in, out, func(x gtThread) bool { return x.gx < n })
	gtBlocks(cfg, func(block []gtThread) {
		for _, x := range block {
			if x.gx < n && out[x.at]*2 != int32(k) {
				out[x.at] = out[x.at]*2 + 1
			}
		}
	})
}

// The least of it: a helper with a guard and a barrier that returns a number.
func gtShort(t *gocuda.Thread, n int, in []int32) int32 {
	i := t.GlobalX()
	if i >= n {
		return 7
	}
	t.SyncThreads()
	return in[i]
}

//gocuda:kernel
func gtHelperShort(t *gocuda.Thread, n, k int, in, out []int32) {
	out[t.GlobalX()] = gtShort(t, n, in)
}

func gtHelperShortSerial(_ grid.Config, n, _ int, in, out []int32) {
	for i := range out {
		if out[i] = 7; i < n {
			out[i] = in[i]
		}
	}
}

// A thread as the serial computations see it.
type gtThread struct {
	x, y, z, rank int
	bx            int
	gx, gy, gz    int
	at            int // the place of its element
}

// gtBlocks calls f for each block with all its threads.
func gtBlocks(cfg grid.Config, f func(block []gtThread)) {
	g, b := cfg.Grid.Norm(), cfg.Block.Norm()
	at := 0
	for bz := range g.Z {
		for by := range g.Y {
			for bx := range g.X {
				var block []gtThread
				for z := range b.Z {
					for y := range b.Y {
						for x := range b.X {
							block = append(block, gtThread{x, y, z, len(block), bx, bx*b.X + x, by*b.Y + y, bz*b.Z + z, at})
							at++
						}
					}
				}
				f(block)
			}
		}
	}
}

// A gtChoice is a pair of arguments, which may depend on the geometry.
type gtChoice struct {
	name string
	of   func(cfg grid.Config) (n, k int)
}

// gtEnds are limits of the index along x: no block passes, all do, or some. Each of them comes with all ks.
func gtEnds(ks ...int) (all []gtChoice) {
	for _, c := range []struct {
		name string
		of   func(total, block int) int
	}{
		{"none", func(total, block int) int { return 0 }},
		{"one", func(total, block int) int { return 1 }},
		{"edge", func(total, block int) int { return 2 * block }},
		{"middle", func(total, block int) int { return 2*block + (block+1)/2 }},
		{"last", func(total, block int) int { return total - 1 }},
		{"all", func(total, block int) int { return total }},
		{"most", func(total, block int) int { return math.MaxInt }},
		{"least", func(total, block int) int { return math.MinInt }},
	} {
		for _, k := range ks {
			all = append(all, gtChoice{fmt.Sprintf("%s, %d", c.name, k), func(cfg grid.Config) (int, int) {
				return c.of(cfg.Grid.X*cfg.Block.X, cfg.Block.X), k
			}})
		}
	}
	return all
}

// gtPairs are all pairs of the numbers.
func gtPairs(ns, ks []int) (all []gtChoice) {
	for _, n := range ns {
		for _, k := range ks {
			all = append(all, gtChoice{fmt.Sprintf("%d, %d", n, k), func(grid.Config) (int, int) { return n, k }})
		}
	}
	return all
}

// gtSizes are those of images, of which some blocks are cut off at the right and below.
func gtSizes() (all []gtChoice) {
	for _, c := range []struct {
		name string
		of   func(w, h int, b grid.Dim3) (int, int)
	}{
		{"none", func(w, h int, b grid.Dim3) (int, int) { return 0, h }},
		{"nobody", func(w, h int, b grid.Dim3) (int, int) { return w, -1 }},
		{"all", func(w, h int, b grid.Dim3) (int, int) { return w, h }},
		{"right", func(w, h int, b grid.Dim3) (int, int) { return w - 1, h }},
		{"below", func(w, h int, b grid.Dim3) (int, int) { return w, h - 1 }},
		{"both", func(w, h int, b grid.Dim3) (int, int) { return w - b.X/2 - 1, h - b.Y/2 - 1 }},
		{"one", func(w, h int, b grid.Dim3) (int, int) { return b.X, b.Y }},
		{"more", func(w, h int, b grid.Dim3) (int, int) { return b.X + 1, 2 * b.Y }},
		{"column", func(w, h int, b grid.Dim3) (int, int) { return 1, math.MaxInt }},
		{"row", func(w, h int, b grid.Dim3) (int, int) { return math.MaxInt, 1 }},
		{"least", func(w, h int, b grid.Dim3) (int, int) { return math.MaxInt - 3, math.MinInt }},
	} {
		all = append(all, gtChoice{c.name, func(cfg grid.Config) (int, int) {
			return c.of(cfg.Grid.X*cfg.Block.X, cfg.Grid.Y*cfg.Block.Y, cfg.Block)
		}})
	}
	return all
}

var (
	gtFlat  = []grid.Config{line(5, 1), line(5, 31), line(5, 33), line(4, 64), line(5, 100), line(3, 256), line(20, 16)}
	gtWarps = []grid.Config{line(5, 32), line(4, 64), line(5, 96), line(3, 256)}
	gtAny   = append([]grid.Config{
		gtShape(grid.Dim3{X: 5}, grid.Dim3{X: 8, Y: 8}), gtShape(grid.Dim3{X: 5}, grid.Dim3{X: 16, Y: 5}),
		gtShape(grid.Dim3{X: 4}, grid.Dim3{X: 4, Y: 4, Z: 3}), gtShape(grid.Dim3{X: 3, Y: 2}, grid.Dim3{X: 32, Y: 4}),
	}, gtFlat...)
	gtPlanes = []grid.Config{
		gtShape(grid.Dim3{X: 3, Y: 3}, grid.Dim3{X: 8, Y: 8}), gtShape(grid.Dim3{X: 3, Y: 4}, grid.Dim3{X: 16, Y: 5}),
		gtShape(grid.Dim3{X: 3, Y: 3}, grid.Dim3{X: 1, Y: 7}), gtShape(grid.Dim3{X: 2, Y: 3}, grid.Dim3{X: 31, Y: 3}),
		gtShape(grid.Dim3{X: 3, Y: 2}, grid.Dim3{X: 16, Y: 16}), gtShape(grid.Dim3{X: 9, Y: 3}, grid.Dim3{X: 32, Y: 8}),
	}
	gtBoxes = append([]grid.Config{
		gtShape(grid.Dim3{X: 3, Y: 2, Z: 2}, grid.Dim3{X: 4, Y: 4, Z: 3}), gtShape(grid.Dim3{X: 2, Y: 2, Z: 3}, grid.Dim3{X: 8, Y: 8, Z: 2}),
	}, gtPlanes...)
)

func gtShape(g, b grid.Dim3) grid.Config { return grid.Config{Grid: g.Norm(), Block: b.Norm()} }

// gtMade are cases of a kernel with as many elements as there are threads, for each choice. A kernel may change
// its input, which is an output then.
func gtMade[T any](name string, cfgs []grid.Config, choices []gtChoice, source func(t *gocuda.Thread, n, k int, in, out []T),
	compiled func(n, k int, in, out []T) gocuda.Kernel, serial func(cfg grid.Config, n, k int, in, out []T)) (cases []Case) {
	for _, c := range choices {
		cases = append(cases, made(name+" "+c.name, cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n, k := c.of(cfg)
			in, out := data[T](cfg.Blocks()*cfg.Threads()), marked[T](cfg.Blocks()*cfg.Threads())
			return func(t *gocuda.Thread) { source(t, n, k, in, out) }, compiled(n, k, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			n, k := c.of(cfg)
			in, out := data[T](cfg.Blocks()*cfg.Threads()), marked[T](cfg.Blocks()*cfg.Threads())
			serial(cfg, n, k, in, out)
			return []any{out}
		}))
	}
	return cases
}

func guardReturnCases() (cases []Case) {
	add := func(c ...Case) { cases = append(cases, c...) }
	ends := gtEnds(0)
	add(gtMade("gtPlain", gtFlat, ends, gtPlain, gtPlainKernel, gtPlainSerial)...)
	add(gtMade("gtTree", gtFlat, gtEnds(0, 77), gtTree, gtTreeKernel, gtTreeSerial)...)
	add(gtMade("gtStencil-float32", gtFlat, ends, gtStencil[float32], gtStencilKernel[float32], gtStencilSerial[float32])...)
	add(gtMade("gtStencil-float64", gtFlat, ends, gtStencil[float64], gtStencilKernel[float64], gtStencilSerial[float64])...)
	add(gtMade("gtStencil-int32", gtFlat, ends, gtStencil[int32], gtStencilKernel[int32], gtStencilSerial[int32])...)
	add(gtMade("gtStencil-int16", gtFlat, ends, gtStencil[int16], gtStencilKernel[int16], gtStencilSerial[int16])...)
	add(gtMade("gtStencil-uint8", gtFlat, ends, gtStencil[uint8], gtStencilKernel[uint8], gtStencilSerial[uint8])...)
	add(gtMade("gtMinusOne", gtFlat, ends, gtMinusOne, gtMinusOneKernel, gtMinusOneSerial)...)
	add(gtMade("gtSwapped", gtFlat, gtEnds(7), gtSwapped, gtSwappedKernel, gtSwappedSerial)...)
	add(gtMade("gtLen", gtFlat, gtEnds(1), gtLen, gtLenKernel, gtLenSerial)...)
	add(gtMade("gtReused", gtFlat, gtEnds(3), gtReused, gtReusedKernel, gtReusedSerial)...)
	add(gtMade("gtAssigned", gtFlat, gtEnds(0, 1, -999), gtAssigned, gtAssignedKernel, gtAssignedSerial)...)
	add(gtMade("gtIf", gtFlat, gtEnds(5), gtIf, gtIfKernel, gtIfSerial)...)
	whole := gtPairs([]int{0, 32, 64, 128, 160, 192, 256, 1024, -32, math.MaxInt, math.MinInt}, []int{3})
	add(gtMade("gtElse", gtWarps, whole, gtElse, gtElseKernel, gtElseSerial)...)
	add(gtMade("gtIfShuffle", gtWarps, whole, gtIfShuffle, gtIfShuffleKernel, gtIfShuffleSerial)...)
	add(gtMade("gtHistogram", gtFlat, gtEnds(0, 4), gtHistogram, gtHistogramKernel, gtHistogramSerial)...)
	add(gtMade("gtShares", gtFlat, gtEnds(0, 30), gtShares, gtSharesKernel, gtSharesSerial)...)
	add(gtMade("gtGridStride", []grid.Config{line(4, 1), line(4, 31), line(2, 33), line(4, 64), line(4, 100), line(2, 256), line(20, 16)}, gtEnds(-1, 0, 5),
		gtGridStride, gtGridStrideKernel, gtGridStrideSerial)...)
	add(gtMade("gtRounds", gtFlat, gtEnds(0, 1, 20, -10), gtRounds, gtRoundsKernel, gtRoundsSerial)...)
	add(gtMade("gtThree", gtFlat, gtEnds(0, 1, 7, 60), gtThree, gtThreeKernel, gtThreeSerial)...)
	add(gtMade("gtEqual", gtAny, ends, gtEqual, gtEqualKernel, gtEqualSerial)...)
	add(gtMade("gtUnequal", gtAny, ends, gtUnequal, gtUnequalKernel, gtUnequalSerial)...)
	wraps := []int{0, math.MaxInt32 - 40, math.MaxInt32, math.MinInt32, math.MinInt32 + 50, -40, math.MaxUint32 - 60, 1 << 32}
	add(gtMade("gtInt32", gtAny, gtPairs([]int{0, 90, -3, math.MaxInt32, math.MinInt32, math.MinInt32 + 30, math.MaxInt}, wraps), gtInt32, gtInt32Kernel, gtInt32Serial)...)
	add(gtMade("gtUint32", gtAny, gtPairs([]int{0, 90, -3, math.MaxInt32, math.MaxUint32, 1 << 31, 1<<32 + 7}, wraps), gtUint32, gtUint32Kernel, gtUint32Serial)...)
	add(gtMade("gtInt16", gtAny, gtPairs([]int{0, 90, -3, 32767, -32768, 65600}, []int{0, 32700, 32767, -32768, -40, 65500}), gtInt16, gtInt16Kernel, gtInt16Serial)...)
	add(gtMade("gtUint8", gtAny, gtPairs([]int{0, 90, 255, 200, -1, 256}, []int{0, 200, 255, -40}), gtUint8, gtUint8Kernel, gtUint8Serial)...)
	add(gtMade("gtUint", gtAny, gtEnds(0, 5, 64, -9, math.MaxInt, math.MinInt), gtUint, gtUintKernel, gtUintSerial)...)
	add(gtMade("gtBand", gtAny, gtEnds(0, 5, 64, -9, math.MaxInt, math.MinInt), gtBand, gtBandKernel, gtBandSerial)...)
	add(gtMade("gtProduct", gtAny, gtPairs([]int{0, 1, 40, 200, 1000, -1, -60, math.MaxInt, math.MinInt}, []int{0, 1, 3, -1, -2, 1 << 20}), gtProduct, gtProductKernel, gtProductSerial)...)
	add(gtMade("gtQuarter", gtAny, gtPairs([]int{0, 2, 9, 16, 100, -1}, []int{-1, 0, 7, 15}), gtQuarter, gtQuarterKernel, gtQuarterSerial)...)
	add(gtMade("gtOdd", gtAny, gtPairs([]int{0, 1, 2, 129, 256, 300, 400, 2000, 5000, -9, math.MaxInt}, []int{0, 1, 33, 200, -8}), gtOdd, gtOddKernel, gtOddSerial)...)
	add(gtMade("gtBent", gtAny, gtPairs([]int{0, 1, 2, 101, 5000, 1 << 40, -1}, []int{0, 5, 16, 47, 150, 499, -4}), gtBent, gtBentKernel, gtBentSerial)...)
	add(gtMade("gtBits", gtAny, gtPairs([]int{-1, 0, 5, 19, 20, 30, 31}, []int{0, 1, 3, 15, 40, -1}), gtBits, gtBitsKernel, gtBitsSerial)...)
	add(gtMade("gtBool", gtAny, gtEnds(0, 3, 70, -1), gtBool, gtBoolKernel, gtBoolSerial)...)
	add(gtMade("gtHelper", gtAny, gtEnds(0, 3, 70), gtHelper, gtHelperKernel, gtHelperSerial)...)
	add(gtMade("gtHelperReturns", gtAny, gtEnds(4), gtHelperReturns, gtHelperReturnsKernel, gtHelperReturnsSerial)...)
	add(gtMade("gtEffect", gtAny, gtEnds(-1, 0, 30), gtEffect, gtEffectKernel, gtEffectSerial)...)
	add(gtMade("gtData", gtAny, gtEnds(0, math.MinInt32, math.MaxInt32, -1<<30), gtData, gtDataKernel, gtDataSerial)...)
	add(gtMade("gtPanics", gtAny, gtEnds(0, 1, 5, -1, math.MinInt), gtPanics, gtPanicsKernel, gtPanicsSerial)...)
	add(gtMade("gtNested", gtAny, gtEnds(0, 9, 64, 1000), gtNested, gtNestedKernel, gtNestedSerial)...)
	add(gtMade("gtSwitch", gtAny, gtEnds(0, 9, 64, -1, 1000), gtSwitch, gtSwitchKernel, gtSwitchSerial)...)
	add(gtMade("gtWhole", gtAny, gtEnds(0, 5, -3, 1000), gtWhole, gtWholeKernel, gtWholeSerial)...)
	add(gtMade("gtVariable", gtAny, gtEnds(0, 30, -70, 10000), gtVariable, gtVariableKernel, gtVariableSerial)...)
	add(gtMade("gtClosure", gtAny, gtPairs([]int{0, 1, 3, 64, 66, 130, 500, 2000, -4}, []int{0, 1, 30, -20}), gtClosure, gtClosureKernel, gtClosureSerial)...)
	add(gtMade("gtLanes", gtAny, gtPairs([]int{0, 1, 31, 32, 33, 64, 90, 255, 256, -3, math.MaxInt}, []int{-1, 0, 1, 12, 32, 33, 1000}), gtLanes, gtLanesKernel, gtLanesSerial)...)
	add(gtMade("gtFourth", gtAny, gtPairs([]int{0, 90, 128, -3, math.MaxInt32, math.MinInt32, math.MinInt32 + 30, math.MaxInt}, wraps), gtFourth, gtFourthKernel, gtFourthSerial)...)
	add(gtMade("gtRange", gtAny, gtPairs([]int{0, 1, 64, 90, -3, math.MaxInt32, math.MaxUint32, 1<<32 + 7}, append(wraps, 5, 64, 130)), gtRange, gtRangeKernel, gtRangeSerial)...)
	add(gtMade("gtLimitWraps", gtAny, gtEnds(0, 1, 33, -9, math.MaxInt, math.MinInt), gtLimitWraps, gtLimitWrapsKernel, gtLimitWrapsSerial)...)
	add(gtMade("gtLocal", gtAny, append(ends, gtPairs([]int{math.MinInt + 50, math.MinInt + 200}, []int{0})...), gtLocal, gtLocalKernel, gtLocalSerial)...)
	add(gtMade("gtNegated", gtAny, gtEnds(-1, 0, 33, 100), gtNegated, gtNegatedKernel, gtNegatedSerial)...)
	add(gtMade("gtLower", gtAny, gtEnds(0, 1, 5, 6, 64, 70, 2000, -9, math.MaxInt), gtLower, gtLowerKernel, gtLowerSerial)...)
	add(gtMade("gtEffects", gtAny, ends, gtEffects, gtEffectsKernel, gtEffectsSerial)...)
	add(gtMade("gtUniform", gtAny, gtEnds(-1, 0, 1, 2, 4), gtUniform, gtUniformKernel, gtUniformSerial)...)
	add(gtMade("gtArrays", gtFlat, gtEnds(0, 1, 34, 64, 203), gtArrays, gtArraysKernel, gtArraysSerial)...)
	add(gtMade("gtLabels", gtFlat, gtEnds(0, 1), gtLabels, gtLabelsKernel, gtLabelsSerial)...)
	add(gtMade("gtCounted", gtAny, gtEnds(-1, 0, 15, 48, 1000), gtCounted, gtCountedKernel, gtCountedSerial)...)
	add(gtMade("gtWarpSum", gtWarps, append(whole, gtPairs([]int{64, 192}, []int{0, 31})...), gtWarpSum, gtWarpSumKernel, gtWarpSumSerial)...)
	add(gtMade("gtDivided", gtAny, gtEnds(0, 1, 2, 7, -1, -2, math.MinInt), gtDivided, gtDividedKernel, gtDividedSerial)...)
	add(gtMade("gtRemote", []grid.Config{line(5, 7), line(5, 31), line(5, 33), line(4, 64), line(3, 100), gtShape(grid.Dim3{X: 5}, grid.Dim3{X: 8, Y: 8})},
		gtPairs([]int{0, 1, 2, 3, 9, -2}, []int{0, 1, 3, 4, 9, 1 << 40}), gtRemote, gtRemoteKernel, gtRemoteSerial)...)
	add(gtMade("gtHelperExchanges", gtAny, gtEnds(4), gtHelperExchanges, gtHelperExchangesKernel, gtHelperExchangesSerial)...)
	add(gtMade("gtHelperShort", gtFlat, ends, gtHelperShort, gtHelperShortKernel, gtHelperShortSerial)...)
	add(gtMade("gtOffset", gtAny, gtEnds(-1, -64, 5), gtOffset, gtOffsetKernel, gtOffsetSerial)...)
	add(gtMade("gtRowMajor", gtBoxes, gtPairs([]int{0, 1, 40, 130, 500, 3000, -40, math.MaxInt}, []int{0, 1, 24, 37, 100, -1, -30}), gtRowMajor, gtRowMajorKernel, gtRowMajorSerial)...)
	sizes := gtSizes()
	add(gtMade("gtImage-float32", gtPlanes, sizes, gtImage[float32], gtImageKernel[float32], gtImageSerial[float32])...)
	add(gtMade("gtImage-int32", gtPlanes, sizes, gtImage[int32], gtImageKernel[int32], gtImageSerial[int32])...)
	add(gtMade("gtImage-uint8", gtPlanes, sizes, gtImage[uint8], gtImageKernel[uint8], gtImageSerial[uint8])...)
	add(gtMade("gtImageHalo", gtPlanes, sizes, gtImageHalo, gtImageHaloKernel, gtImageHaloSerial)...)
	add(gtMade("gtApart", gtBoxes, sizes, gtApart, gtApartKernel, gtApartSerial)...)
	add(gtMade("gtBox", gtBoxes, sizes, gtBox, gtBoxKernel, gtBoxSerial)...)
	add(gtMade("gtTriangle", gtBoxes, sizes, gtTriangle, gtTriangleKernel, gtTriangleSerial)...)
	add(gtMade("gtRows", gtBoxes, sizes, gtRows, gtRowsKernel, gtRowsSerial)...)

	add(gtMade("gtInner", gtBoxes, sizes, gtInner, gtInnerKernel, gtInnerSerial)...)
	add(gtMade("gtMorgan", gtBoxes, sizes, gtMorgan, gtMorganKernel, gtMorganSerial)...)
	add(gtMade("gtThreeWays", gtBoxes, sizes, gtThreeWays, gtThreeWaysKernel, gtThreeWaysSerial)...)
	add(gtMade("gtWarpRows", []grid.Config{gtShape(grid.Dim3{X: 2, Y: 3}, grid.Dim3{X: 32, Y: 4}), gtShape(grid.Dim3{X: 1, Y: 4}, grid.Dim3{X: 32, Y: 3}),
		gtShape(grid.Dim3{X: 1, Y: 2, Z: 2}, grid.Dim3{X: 32, Y: 2, Z: 2})}, sizes, gtWarpRows, gtWarpRowsKernel, gtWarpRowsSerial)...)

	nan := float32(math.NaN())
	for _, a := range []float32{0, 16.25, 32, 100, -1, nan, float32(math.Inf(1))} {
		for _, b := range []float32{0, 1, 17, nan, float32(math.Inf(-1))} {
			add(made(fmt.Sprintf("gtFloat %v, %v", a, b), gtAny, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				in, out := data[int32](cfg.Blocks()*cfg.Threads()), marked[int32](cfg.Blocks()*cfg.Threads())
				return func(t *gocuda.Thread) { gtFloat(t, a, b, in, out) }, gtFloatKernel(a, b, in, out), []any{out}
			}, func(cfg grid.Config) []any {
				in, out := data[int32](cfg.Blocks()*cfg.Threads()), marked[int32](cfg.Blocks()*cfg.Threads())
				gtFloatSerial(cfg, a, b, in, out)
				return []any{out}
			}))
		}
	}
	for _, c := range gtEnds(-32768, 0, 3, 70, 32767) {
		limits := func(cfg grid.Config) (gtLimits, []int32) {
			n, k := c.of(cfg)
			total := cfg.Blocks() * cfg.Threads()
			return gtLimits{lo: int16(k), hi: n, each: 3, of: data[int32](total)}, marked[int32](total)
		}
		add(made("gtStruct "+c.name, withShared(4, gtFlat), func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			l, out := limits(cfg)
			p := l
			return func(t *gocuda.Thread) { gtStruct(t, l, &p, out) }, gtStructKernel(l, &p, out), []any{out}
		}, func(cfg grid.Config) []any {
			l, out := limits(cfg)
			gtStructSerial(cfg, l, out)
			return []any{out}
		}))
	}
	for _, c := range append(gtEnds(0, 3, 70), gtChoice{"nil", nil}) {
		arguments := func(cfg grid.Config) (p *gtLimits, in, out []int32) {
			total := cfg.Blocks() * cfg.Threads()
			if c.of != nil {
				n, k := c.of(cfg)
				p = &gtLimits{hi: n, each: int32(k)}
			}
			return p, data[int32](total), marked[int32](total)
		}
		add(made("gtPointer "+c.name, gtFlat, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			p, in, out := arguments(cfg)
			return func(t *gocuda.Thread) { gtPointer(t, p, in, out) }, gtPointerKernel(p, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			p, in, out := arguments(cfg)
			gtPointerSerial(cfg, p, in, out)
			return []any{out}
		}))
	}
	for _, c := range gtEnds(0, 1, 17) {
		arguments := func(cfg grid.Config) (limits, in, out []int32) {
			n, k := c.of(cfg)
			total := cfg.Blocks() * cfg.Threads()
			limits = make([]int32, cfg.Blocks())
			for b := range limits { // some are lower
				limits[b] = int32(min(max(n, -1), total+1) - k*(b%2))
			}
			return limits, data[int32](total), marked[int32](total)
		}
		add(made("gtMoving "+c.name, gtFlat, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			limits, in, out := arguments(cfg)
			return func(t *gocuda.Thread) { gtMoving(t, limits, in, out) }, gtMovingKernel(limits, in, out), []any{limits, out}
		}, func(cfg grid.Config) []any {
			limits, in, out := arguments(cfg)
			gtMovingSerial(cfg, limits, in, out)
			return []any{limits, out}
		}))
		add(made("gtLoaded "+c.name, gtFlat, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			limits, in, out := arguments(cfg)
			return func(t *gocuda.Thread) { gtLoaded(t, limits, in, out) }, gtLoadedKernel(limits, in, out), []any{limits, out}
		}, func(cfg grid.Config) []any {
			limits, in, out := arguments(cfg)
			gtLoadedSerial(cfg, limits, in, out)
			return []any{limits, out}
		}))
	}
	return cases
}

// Failures. The last cut elements have no thread; the others of a block wait at barriers.

// Which one fails, behind the guard: a load before the barrier, a store behind it, a division behind the second
// one, an atomic operation, a slice, an assertion and a panic.
//
//gocuda:kernel
func gtFailBehind(t *gocuda.Thread, who, kind, cut int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	n := len(in) - cut
	i, r := t.GlobalX(), t.Rank()
	if i >= n {
		return
	}
	k, d := i, 0
	if unlucky(t, who) {
		k, d = len(in)+i, 1
	}
	if kind == 0 {
		s[r] = in[k]
	} else {
		s[r] = in[i]
	}
	t.SyncThreads()
	v := s[r]
	switch kind {
	case 1:
		out[k] = v
	case 2:
		v = s[r+d*256]
	case 3:
		t.Assert(d == 0, "it was me")
	}
	t.SyncThreads()
	switch kind {
	case 4:
		v /= int32(1 - d)
	case 5:
		atomic.Add(&s[r+d*300], 1)
	case 6:
		v += int32(len(out[i+2*d : i+1]))
	case 7:
		if d == 1 {
			panic("here")
		}
	}
	t.SyncThreads()
	out[i] = v + s[r]
}

// Before the guard, which the thread would not pass perhaps; in its condition; in what it does before it returns.
//
//gocuda:kernel
func gtFailBefore(t *gocuda.Thread, who, kind, cut int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	i, r, n := t.GlobalX(), t.Rank(), len(in)-cut
	k, d := i, int32(1)
	if unlucky(t, who) {
		k, d = len(in)+i, 0
	}
	v := in[i]
	switch kind {
	case 0:
		v = in[k]
	case 1:
		v /= d
	}
	switch kind {
	case 2:
		if in[k] < 0 || i >= n {
			return
		}
	case 3:
		if i >= n || in[k] < 0 {
			return
		}
	case 4:
		if i >= n {
			out[k] = v
			return
		}
	case 5:
		if v/d < 0 || i >= n {
			return
		}
	default:
		if i >= n {
			return
		}
	}
	s[r] = v
	t.SyncThreads()
	out[i] = s[r/2]
}

// In the third round of a loop with barriers, where the threads beyond the end would fail long before.
//
//gocuda:kernel
func gtFailRound(t *gocuda.Thread, who, kind, cut int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	x := in[:len(in)-cut]
	i, sum := t.GlobalX(), int32(0)
	if i >= len(x) {
		return
	}
	for round := range 4 {
		s[t.Rank()] = 1
		t.SyncThreads()
		k := i
		if round == 2 && unlucky(t, who) {
			k = len(x) + kind
		}
		sum += x[k] + s[round]
		t.SyncThreads()
	}
	out[i] = sum
}

// The limit is too large by one.
//
//gocuda:kernel
func gtFailLimit(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	x := in[:t.BlockDim.X+who]
	i := t.GlobalX()
	if i > len(x) {
		return
	}
	s[t.ThreadIdx.X] = x[i]
	t.SyncThreads()
	out[i] = s[0]
}

// A limit behind a pointer that is nil.
//
//gocuda:kernel
func gtFailNil(t *gocuda.Thread, who int, in, out []int32) {
	p := &in[len(in)-1]
	if unlucky(t, who) {
		p = nil
	}
	i := t.GlobalX()
	if i >= int(*p) {
		return
	}
	t.SyncThreads()
	out[i] = 1
}

// A shuffle from a lane that has returned. The lane is the first one beyond the end.
//
//gocuda:kernel
func gtFailLane(t *gocuda.Thread, who, cut int, in, out []int32) {
	i, n := t.GlobalX(), len(in)-cut
	if i >= n {
		return
	}
	from := t.LaneID()
	if unlucky(t, who) {
		from = (n + t.LaneID() - i) & 31
	}
	out[i] = gocuda.ShflSync(t, gocuda.FullMask, in[i], from, 32)
}

// A shared array of a negative length, for the only thread that is left.
//
//gocuda:kernel
func gtFailShared(t *gocuda.Thread, who int, in, out []int32) {
	if t.ThreadIdx.X != who {
		return
	}
	n := 3
	if t.BlockIdx.X == 1 {
		n = -n
	}
	s := gocuda.Shared[int32](t, n)
	s[0] = in[0]
	t.SyncThreads()
	out[t.BlockIdx.X] = s[0]
}

// For a block that passes as a whole, of one thread.
//
//gocuda:kernel
func gtFailLength(t *gocuda.Thread, who, kind int, in, out []int32) {
	i := t.GlobalX()
	if i >= len(in)-kind {
		return
	}
	n := 3 - 4*(t.BlockIdx.X%2)
	s := gocuda.Shared[int32](t, n)
	s[0] = in[i]
	t.SyncThreads()
	out[i] = s[0]
}

// Two dimensions.
//
//gocuda:kernel
func gtFailImage(t *gocuda.Thread, who, w, h int, in, out []int32) {
	s := gocuda.Shared[[17]int32](t, 16)
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	s[ty][tx] = in[y*t.GridDim.X*t.BlockDim.X+x]
	t.SyncThreads()
	if unlucky(t, who) {
		ty += 16
	}
	out[y*t.GridDim.X*t.BlockDim.X+x] = s[ty][tx]
}

// One thread is left, and fails: before the guard, or with what the guard's limit is.
//
//gocuda:kernel
func gtFailLimits(t *gocuda.Thread, who, kind int, in, out []int32) {
	if t.ThreadIdx.X != who {
		return
	}
	gtFailOne(t, kind, in, out)
}

// The same of all threads of a block, which is one.
//
//gocuda:kernel
func gtFailAlone(t *gocuda.Thread, who, kind int, in, out []int32) { gtFailOne(t, kind, in, out) }

func gtFailOne(t *gocuda.Thread, kind int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	i, k, d := t.GlobalX(), t.BlockIdx.X, 1
	p := &in[0]
	if t.BlockIdx.X == 1 {
		k, d, p = len(in)+1, 0, nil
	}
	switch kind {
	case 0:
		s[0] = in[k]
	case 1:
		out[k] = 1
	case 2:
		if d == 0 {
			panic("before")
		}
	}
	switch {
	case kind < 3:
		if i >= len(in)/d {
			return
		}
	case kind == 3:
		if i >= len(in)+3/d {
			return
		}
	case kind == 4:
		if i > int(in[k])*1000 {
			return
		}
	case kind == 5:
		if i > int(*p)*1000 {
			return
		}
	}
	s[t.ThreadIdx.X] = 2
	t.SyncThreads()
	out[i] = s[t.ThreadIdx.X]
}

func guardReturnFailures() (all []Failure) {
	for _, threads := range []int{31, 33, 64, 100} {
		n := 3 * threads
		// All blocks pass, the last one doesn't, the one in the middle doesn't.
		for _, cut := range []int{0, 1, threads, threads + 1, 2*threads - 18} {
			for _, who := range []int{0, 17} {
				if who >= 2*threads-cut {
					continue
				}
				for kind, text := range []string{
					fmt.Sprintf("index out of range [%d] with length %d", n+threads+who, n),
					fmt.Sprintf("index out of range [%d] with length %d", n+threads+who, n),
					fmt.Sprintf("index out of range [%d] with length 256", who+256),
					"it was me",
					"integer divide by zero",
					fmt.Sprintf("index out of range [%d] with length 256", who+300),
					fmt.Sprintf("slice bounds out of range [%d:%d]", threads+who+2, threads+who+1),
					"here",
				} {
					f := failure(fmt.Sprintf("gtFailBehind %d of %d, cut %d, %d", who, threads, cut, kind), threads, who,
						func(t *gocuda.Thread, who int, in, out []int32) { gtFailBehind(t, who, kind, cut, in, out) },
						func(who int, in, out []int32) gocuda.Kernel { return gtFailBehindKernel(who, kind, cut, in, out) }, text)
					if kind == 3 {
						f.Is = gocuda.ErrAssert
					}
					all = append(all, f)
				}
				all = append(all, failure(fmt.Sprintf("gtFailRound %d of %d, cut %d", who, threads, cut), threads, who,
					func(t *gocuda.Thread, who int, in, out []int32) { gtFailRound(t, who, 2, cut, in, out) },
					func(who int, in, out []int32) gocuda.Kernel { return gtFailRoundKernel(who, 2, cut, in, out) },
					fmt.Sprintf("index out of range [%d] with length %d", n-cut+2, n-cut)))
			}
			last := threads - 1
			for _, who := range []int{0, last} {
				passes := threads+who < n-cut
				for kind, text := range []string{
					fmt.Sprintf("index out of range [%d] with length %d", n+threads+who, n),
					"integer divide by zero",
					fmt.Sprintf("index out of range [%d] with length %d", n+threads+who, n),
					fmt.Sprintf("index out of range [%d] with length %d", n+threads+who, n),
					fmt.Sprintf("index out of range [%d] with length %d", n+threads+who, n),
					"integer divide by zero",
				} {
					if kind == 3 && !passes || kind == 4 && passes {
						continue // it does not fail
					}
					all = append(all, failure(fmt.Sprintf("gtFailBefore %d of %d, cut %d, %d", who, threads, cut, kind), threads, who,
						func(t *gocuda.Thread, who int, in, out []int32) { gtFailBefore(t, who, kind, cut, in, out) },
						func(who int, in, out []int32) gocuda.Kernel { return gtFailBeforeKernel(who, kind, cut, in, out) }, text))
				}
			}
		}
		for _, who := range []int{0, 16, threads - 1} {
			all = append(all, failure(fmt.Sprintf("gtFailLimit %d of %d", who, threads), threads, who, gtFailLimit, gtFailLimitKernel,
				fmt.Sprintf("index out of range [%d] with length %d", threads+who, threads+who)),
				failure(fmt.Sprintf("gtFailNil %d of %d", who, threads), threads, who, gtFailNil, gtFailNilKernel, "nil pointer dereference"),
				failure(fmt.Sprintf("gtFailShared %d of %d", who, threads), threads, who, gtFailShared, gtFailSharedKernel, ""))
		}
		// The last lanes of the block's first warp have returned, and all warps behind it.
		for _, who := range []int{0, 16} {
			cut := 2*threads - 20
			all = append(all, matching(failure(fmt.Sprintf("gtFailLane %d of %d", who, threads), threads, who,
				func(t *gocuda.Thread, who int, in, out []int32) { gtFailLane(t, who, cut, in, out) },
				func(who int, in, out []int32) gocuda.Kernel { return gtFailLaneKernel(who, cut, in, out) }, ""), gocuda.ErrInactiveLane))
		}
	}
	for _, cut := range []int{0, 1} {
		all = append(all, failureOf(fmt.Sprintf("gtFailLength %d", cut), 1, 0, cut, gtFailLength, gtFailLengthKernel, ""))
	}
	for kind, text := range []string{"index out of range [%d] with length %d", "index out of range [%d] with length %d", "before", "integer divide by zero",
		"index out of range [%d] with length %d", "nil pointer dereference"} {
		message := func(n int) string {
			if strings.Contains(text, "%d") {
				return fmt.Sprintf(text, n+1, n)
			}
			return text
		}
		for _, who := range []int{0, 1, 39} {
			all = append(all, failureOf(fmt.Sprintf("gtFailLimits %d, %d", who, kind), 40, who, kind, gtFailLimits, gtFailLimitsKernel, message(120)))
		}
		all = append(all, failureOf(fmt.Sprintf("gtFailLimits alone, %d", kind), 1, 0, kind, gtFailLimits, gtFailLimitsKernel, message(3)),
			failureOf(fmt.Sprintf("gtFailAlone %d", kind), 1, 0, kind, gtFailAlone, gtFailAloneKernel, message(3)))
	}
	for _, b := range []grid.Dim3{{X: 8, Y: 8, Z: 1}, {X: 16, Y: 5, Z: 1}, {X: 3, Y: 11, Z: 1}} {
		for _, size := range [][2]int{{3 * b.X, b.Y}, {2 * b.X, b.Y}, {2*b.X - 1, b.Y}, {3 * b.X, b.Y - 1}, {b.X + 2, 3}} {
			for _, who := range []int{0, 1 + 2*b.X} {
				f := failure(fmt.Sprintf("gtFailImage %d, %v of %v", who, size, b), b.Size(), who,
					func(t *gocuda.Thread, who int, in, out []int32) { gtFailImage(t, who, size[0], size[1], in, out) },
					func(who int, in, out []int32) gocuda.Kernel { return gtFailImageKernel(who, size[0], size[1], in, out) },
					fmt.Sprintf("index out of range [%d] with length 16", 16+who/b.X))
				f.Config, f.Thread = grid.Config{Grid: grid.Dim3{X: 3}, Block: b}, b.At(who)
				all = append(all, f)
			}
		}
	}
	return all
}
