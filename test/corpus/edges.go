//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Indices that are in range only for the threads that use them, as conditions on other numbers have
// it; loops in strides as people write them, down, four elements a round and what is left;
// neighbours the other way round; atomic operations whose result nobody wants; the last warps of a
// reduction.

// Pairs at growing distances, as in a reduction that CUDA courses begin with.
//
//gocuda:kernel
func egPairs(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	v := in[i]
	for d := 1; d < 64; d *= 2 {
		if i%(2*d) == 0 && i+d < len(in) {
			v += in[i+d]
		}
		if i%(2*d) == d {
			v -= in[i-d]
		}
		if k := 2 * d * i; k < len(in) {
			v += 3 * in[k]
		}
	}
	out[i] = v
}

// An element that a thread does not have, though threads that are not there would have it, and the
// other way round.
//
//gocuda:kernel
func egBeyond(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	far := 0
	if unlucky(t, who) {
		far = len(in)
	}
	if in[i]%2 >= 0 && i%2 == 0 {
		out[i] = in[i-i%2+far]
	}
}

// Bounds by conditions in rounds.
//
//gocuda:kernel
func egGuards(t *gocuda.Thread, in, out []int32) {
	i, n := t.GlobalX(), len(in)
	sum := int32(0)
	for k := 0; k < 12; k++ {
		if j := i + 5*k - 23; j >= 0 && j < n {
			sum += in[j] * int32(k)
		} else {
			sum -= int32(k)
		}
		if j := i - 3*k; j < 0 || j > n-1 {
			sum ^= 5
		} else if in[j] > 3 {
			sum += 2 * in[j]
		}
		if !(i+k >= n) {
			sum += in[i+k]
		}
	}
	out[i] = sum
}

// Loops in strides, down and up.
//
//gocuda:kernel
func egDown(t *gocuda.Thread, in, out []float32) {
	n, step, tid := len(in), t.BlockDim.X, t.ThreadIdx.X
	v := float32(0)
	for j := n - 1 - tid; j >= 0; j -= step {
		v += in[j]
	}
	for j := n/2 + tid; j > 2; j -= step {
		if j < n {
			v -= 2 * in[j]
		}
	}
	for j := t.BlockIdx.X; j < n; j += t.GridDim.X {
		v += in[j] * float32(tid)
	}
	out[t.GlobalX()] = v
}

// Four elements a round, and what is left.
//
//gocuda:kernel
func egFours(t *gocuda.Thread, in, out []float64) {
	n, step := len(in), t.BlockDim.X
	var a, b, c, d float64
	i := t.ThreadIdx.X
	for ; i+3*step < n; i += 4 * step {
		a += in[i]
		b += in[i+step]
		c += in[i+2*step]
		d += in[i+3*step]
	}
	for ; i < n; i += step {
		a += 7 * in[i]
	}
	out[t.GlobalX()] = (a + b) - (c - d) + float64(i)
}

// Arrays backwards.
//
//gocuda:kernel
func egReverse(t *gocuda.Thread, in, out []int32) {
	i, n := t.GlobalX(), len(in)
	out[n-1-i] = in[i] + 2*in[n-1-i]
}

//gocuda:kernel
func egReverse64(t *gocuda.Thread, in, out []float64) {
	s := gocuda.Shared[float64](t, 1024)
	x, n := t.ThreadIdx.X, t.BlockDim.X
	s[n-1-x] = in[t.GlobalX()]
	t.SyncThreads()
	out[t.GlobalX()] = s[x] - s[n-1-x]/2
}

// Every second, third and fourth element, and several of a thread's own.
//
//gocuda:kernel
func egTwo[T int32 | float64](t *gocuda.Thread, in, out []T) {
	n := len(in)
	if j := 2 * t.GlobalX(); j+1 < n {
		out[j] = in[j+1] - 2*in[j]
		out[j+1] = in[j] + 3
	} else if j < n {
		out[j] = in[j]
	}
}

//gocuda:kernel
func egThree[T int32 | float64](t *gocuda.Thread, in, out []T) {
	if j := 3 * t.GlobalX(); j+2 < len(in) {
		v := in[j] + in[j+1]*in[j+2]
		out[j+1] = v
		if v > 5 {
			out[j] = in[j+2]
		}
	}
}

//gocuda:kernel
func egFour[T int32 | float64](t *gocuda.Thread, in, out []T) {
	n := len(in)
	if j := 4*t.GlobalX() + 1; n > 8 && j >= 5 && j < n-3 {
		out[j] = in[j+1]*2 - in[j]
		out[j+2] = in[j-1] - in[j+2]
	}
}

//gocuda:kernel
func egBack[T int32 | float64](t *gocuda.Thread, in, out []T) {
	if j := len(in) - 2 - 2*t.GlobalX(); j > 0 {
		out[j-1] = in[j] + 2*in[j-1]
	}
}

// A grid of threads that goes over a picture in both directions.
//
//gocuda:kernel
func egPicture(t *gocuda.Thread, in, out []float32) {
	w := max(len(in)/7, 1)
	h := len(in) / w
	for y := 1 + t.BlockIdx.X; y < h-1; y += t.GridDim.X {
		for x := 1 + t.ThreadIdx.X; x < w-1; x += t.BlockDim.X {
			i := y*w + x
			out[i] = in[i-1] + in[i+1] + in[i-w] + in[i+w] - 4*in[i]
		}
	}
}

// Atomic operations on one element, on neighbours, on elements that data chooses, and in a branch.
//
//gocuda:kernel
func egAtomics[T atomic.Integer](t *gocuda.Thread, in, out []T) {
	i, n := t.GlobalX(), len(in)
	v := in[i]*3 - 50
	if i == 0 {
		return
	}
	atomic.Add(&out[0], v)
	if n > 8 {
		if v%3 == 0 {
			atomic.Max(&out[1], v)
			atomic.Min(&out[2], v)
		}
		atomic.And(&out[3], v|3)
		atomic.Or(&out[4], v&12)
		atomic.Xor(&out[5], v)
		atomic.Sub(&out[6+t.BlockIdx.X%2], v+T(i))
	}
	if i > 7 {
		atomic.Add(&out[i], v)
		for k := 0; k < 3; k++ {
			atomic.Add(&out[min(max(int(in[i]), 8), n-1)], T(k))
			atomic.Add(&out[n-i+7], T(k))
		}
	}
}

// Sums of floats, which are exact whatever their order is.
//
//gocuda:kernel
func egSums(t *gocuda.Thread, in []float32, out []float64) {
	s := gocuda.Shared[float32](t, 4)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	v := float32(int(in[i]) % 100)
	if tid == 0 {
		clear(s)
	}
	t.SyncThreads()
	atomic.Add(&s[0], v)
	if v > 3 {
		atomic.Add(&s[1], 0.5)
	}
	atomic.Add(&s[2+i%3%2], 2)
	atomic.Add(&out[t.BlockIdx.X%len(out)], float64(v)/4)
	atomic.Add(&out[i], 8)
	t.SyncThreads()
	if tid == 0 {
		atomic.Add(&out[len(out)-1], float64(s[0])+float64(s[1])*100+float64(s[2])*1000)
	}
}

// The last warp of a block alone, and the first ones.
//
//gocuda:kernel
func egLastWarp(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid := uint32(t.ThreadIdx.X)
	v := in[t.GlobalX()]
	s[tid] = v
	t.SyncThreads()
	for d := uint32(t.BlockDim.X) >> 1; d > 32; d >>= 1 {
		if tid < d {
			v += s[tid+d]
			s[tid] = v
		}
		t.SyncThreads()
	}
	if tid < 32 {
		for d := 16; d > 0; d >>= 1 {
			v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
		}
		if tid == 0 {
			out[t.GlobalX()] = v
		}
	} else if tid >= 64 {
		v ^= gocuda.ShflXorSync(t, gocuda.FullMask, v, 3, 32)
	}
	if n := int(t.BlockDim.X) - 32; int(tid) >= n {
		v -= gocuda.ShflSync(t, gocuda.FullMask, v, 5, 32)
	}
	out[t.GlobalX()] += v
}

// Threads counted by their places.
//
//gocuda:kernel
func egCounts(t *gocuda.Thread, in, out []int32) {
	tid, limit := int32(t.ThreadIdx.X), int(in[0])+7
	n := t.SyncThreadsCount(tid < int32(limit) && tid >= 2)
	if t.SyncThreadsOr(t.ThreadIdx.X == 64) {
		n += 1000
	}
	if t.SyncThreadsAnd(t.ThreadIdx.X < limit) {
		n += 2000
	}
	out[t.GlobalX()] = int32(n)
}

var edges = []Case{
	perThread("egPairs", linear, egPairs, egPairsKernel, nil),
	perThread("egGuards", linear, egGuards, egGuardsKernel, nil),
	perThread("egDown", linear, egDown, egDownKernel, nil),
	perThread("egFours", linear, egFours, egFoursKernel, nil),
	perThread("egReverse", linear, egReverse, egReverseKernel, nil),
	perThread("egReverse64", linear, egReverse64, egReverse64Kernel, nil),
	perThread("egTwo-int32", linear, egTwo[int32], egTwoKernel[int32], nil),
	perThread("egTwo-float64", linear, egTwo[float64], egTwoKernel[float64], nil),
	perThread("egThree-int32", linear, egThree[int32], egThreeKernel[int32], nil),
	perThread("egThree-float64", linear, egThree[float64], egThreeKernel[float64], nil),
	perThread("egFour-int32", linear, egFour[int32], egFourKernel[int32], nil),
	perThread("egFour-float64", linear, egFour[float64], egFourKernel[float64], nil),
	perThread("egBack-int32", linear, egBack[int32], egBackKernel[int32], nil),
	perThread("egBack-float64", linear, egBack[float64], egBackKernel[float64], nil),
	perThread("egPicture", linear, egPicture, egPictureKernel, nil),
	perThread("egAtomics-int32", linear, egAtomics[int32], egAtomicsKernel[int32], nil),
	perThread("egAtomics-uint32", linear, egAtomics[uint32], egAtomicsKernel[uint32], nil),
	perThread("egAtomics-int64", linear, egAtomics[int64], egAtomicsKernel[int64], nil),
	perThread("egAtomics-uint64", linear, egAtomics[uint64], egAtomicsKernel[uint64], nil),
	perThread("egSums", linear, egSums, egSumsKernel, nil),
	perThread("egLastWarp", warps, egLastWarp, egLastWarpKernel, nil),
	perThread("egBorders", append([]grid.Config{line(7, 96), line(5, 40)}, linear...), egBorders, egBordersKernel, nil),
	perThread("egLeft", linear, egLeft, egLeftKernel, nil),
	perThread("egHalves", linear, egHalves, egHalvesKernel, nil),
	perThread("egUneven", linear, egUneven, egUnevenKernel, nil),
	egBehindCase(10), egBehindCase(300), egBehindCase(5000),
	perThread("egCounts", linear, egCounts, egCountsKernel, nil),
}

var edgeFailures = []Failure{
	failure("egBeyond", 33, 7, egBeyond, egBeyondKernel, "index out of range [139] with length 99"),
	failure("egBeyond", 64, 40, egBeyond, egBeyondKernel, "index out of range [296] with length 192"),
}

// A counter behind a loop that is in a branch which all threads take, or none.
//
//gocuda:kernel
func egBehind(t *gocuda.Thread, m int, in, out []float32) {
	n, step := len(in), t.BlockDim.X
	i, j := t.ThreadIdx.X, n-1-t.ThreadIdx.X
	var sum float32
	if n > m {
		for ; i < n; i += step {
			sum += in[i]
		}
	}
	if n < m {
		for ; j >= 0; j -= step {
			sum -= in[j]
		}
	}
	for ; i < n+5; i += step {
		sum += 3
	}
	out[t.GlobalX()] = sum + float32(i) - 2*float32(j)
}

func egReflected(i, n int) int {
	if i < 0 {
		return -i
	}
	if i >= n {
		return 2*n - 2 - i
	}
	return i
}

// Borders that are reflections, or the nearest element, by helpers.
//
//gocuda:kernel
func egBorders(t *gocuda.Thread, in, out []float32) {
	w := max(len(in)/5, 3)
	h := len(in) / w
	x, y := t.ThreadIdx.X, t.BlockIdx.X
	if x < w && y < h && h > 1 {
		left, right := in[y*w+egReflected(x-1, w)], in[y*w+egReflected(x+1, w)]
		up, down := in[egReflected(y-1, h)*w+x], in[egReflected(y+1, h)*w+x]
		s := left + 2*right - up*3 + down
		for k := -2; k <= 2; k++ {
			s += float32(k) * in[y*w+int(device.Min(int32(w-1), device.Max(0, int32(x+k))))]
		}
		out[y*w+x] = s
	}
}

// Loops that all threads leave together, in the middle of a round.
//
//gocuda:kernel
func egLeft(t *gocuda.Thread, in, out []float32) {
	i, n := t.GlobalX(), len(in)
	var sum float32
	for k := 0; k < 20; k++ {
		if k == n/2 {
			break
		}
		sum += in[k] * float32(i%7)
	}
	if i > 0 {
		for k := 3; k < n; k++ {
			if k*k > n {
				break
			}
			sum -= in[k] + in[i]
			if in[k] > 5 {
				sum *= 0.5
			}
		}
	}
	out[i] += sum
}

// Each thread of the upper half of a block has a row of a tile, whose index is out of range for the
// lower one.
//
//gocuda:kernel
func egHalves(t *gocuda.Thread, in, out []float32) {
	const side = 8
	rows := gocuda.Shared[float32](t, side*side)
	tid, n := t.ThreadIdx.X, len(in)
	half := t.BlockDim.X / 2
	if tid >= half && tid < half+side {
		r := tid - half
		for k := range side {
			rows[r*side+k] = in[(t.GlobalX()+k*k)%n]
		}
	}
	t.SyncThreads()
	if tid >= half && tid < half+side {
		r := tid - half
		for k := range side {
			for j := range k {
				rows[r*side+k] -= rows[r*side+j] * in[(j*side+r)%n] * 0.125
			}
		}
	}
	t.SyncThreads()
	i := t.GlobalX()
	out[i] += rows[tid%(side*side)]
}

// Some threads have a long loop over elements of their own, the others a short one: vectors are
// left there, in the middle of a row of threads.
//
//gocuda:kernel
func egUneven(t *gocuda.Thread, in, out []float32) {
	i, n := t.GlobalX(), len(in)
	last := i%7 + 1
	if i%37 == 11 {
		last = 400
	}
	var sum, least float32
	for k := 0; k < last; k++ {
		d := in[(i*5+k*3)%n] - in[i]
		r := d*d + 0.5
		sum += d * (r*2 - 1) / (r * r * r)
		if r < least || k == 0 {
			least = r
		}
	}
	out[i] += sum + least
}

func egBehindCase(m int) Case {
	return perThread(fmt.Sprint("egBehind-", m), linear, func(t *gocuda.Thread, in, out []float32) { egBehind(t, m, in, out) },
		func(in, out []float32) gocuda.Kernel { return egBehindKernel(m, in, out) }, nil)
}
