//go:build compiled

package corpus

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Threads of a row that divide their index by a small number: a constant, a parameter, or the counter of a loop
// with barriers. Serial computations count quotients and remainders instead.

// Many divisors in one phase.
//
//gocuda:kernel
func qpConstants(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	a[tid] = in[base+tid]
	t.SyncThreads()
	v := a[tid/8*8] - a[tid%8]
	v = v*3 + a[tid>>4]
	v = v*3 + a[tid&15]
	v = v*3 + a[tid/5] - a[tid-tid%5]
	v = v*3 + a[tid%12] + a[tid/48*48]
	v = v*3 + a[tid/64] + a[tid%3]
	out[base+tid] = v
}

func qpConstantsSerial(_, n, s int, in, out []int32) {
	for i := range out {
		first := func(d int) int { // of the group
			k := 0
			for k+d <= i {
				k += d
			}
			return k
		}
		number := func(d int) int {
			k := 0
			for (k+1)*d <= i {
				k++
			}
			return k
		}
		v := in[first(8)] - in[i-first(8)]
		v = v*3 + in[number(16)]
		v = v*3 + in[i-first(16)]
		v = v*3 + in[number(5)] - in[first(5)]
		v = v*3 + in[i-first(12)] + in[first(48)]
		v = v*3 + in[number(64)] + in[i-first(3)]
		out[i] = v
	}
}

// One divisor in each phase.
//
//gocuda:kernel
func qpEach(t *gocuda.Thread, n, s int, in, out []int32) {
	a, b := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	v := in[base+tid]
	a[tid] = v
	t.SyncThreads()
	v = v*5 + a[tid/2]*7 + int32(tid%2)
	b[tid] = v
	t.SyncThreads()
	v = v*5 + b[tid/3]*7 + int32(tid%3)
	a[tid] = v
	t.SyncThreads()
	v = v*5 + a[tid>>2]*7 + int32(tid&3)
	b[tid] = v
	t.SyncThreads()
	v = v*5 + b[tid/5]*7 + int32(tid%5)
	a[tid] = v
	t.SyncThreads()
	v = v*5 + a[tid/7]*7 + int32(tid%7)
	b[tid] = v
	t.SyncThreads()
	v = v*5 + b[tid>>3]*7 + int32(tid&7)
	a[tid] = v
	t.SyncThreads()
	v = v*5 + a[tid/12]*7 + int32(tid%12)
	b[tid] = v
	t.SyncThreads()
	v = v*5 + b[tid/16]*7 + int32(tid%16)
	a[tid] = v
	t.SyncThreads()
	v = v*5 + a[tid/32]*7 + int32(tid-tid/32*32)
	b[tid] = v
	t.SyncThreads()
	v = v*5 + b[tid/48]*7 + int32(tid%48)
	a[tid] = v
	t.SyncThreads()
	v = v*5 + a[tid/64]*7 + int32(tid%64)
	out[base+tid] = v
}

func qpEachSerial(_, n, s int, in, out []int32) {
	v := slices.Clone(in)
	for _, d := range []int{2, 3, 4, 5, 7, 8, 12, 16, 32, 48, 64} {
		old := slices.Clone(v)
		q, r := qpParts(len(v), d)
		for i := range v {
			v[i] = old[i]*5 + old[q[i]]*7 + int32(r[i])
		}
	}
	copy(out, v)
}

// A parameter, which may be larger than the block, or negative.
//
//gocuda:kernel
func qpParameter(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	a[tid] = in[base+tid]
	t.SyncThreads()
	q, r := tid/s, tid%s
	if tid < n {
		v := a[q*s+r] - a[tid-q*s]
		if s > 0 {
			v = v*3 + a[q]
		}
		out[base+tid] = v*9 + int32(r)
	} else {
		out[base+tid] = int32(q)*100 - int32(r)
	}
}

func qpParameterSerial(_, n, s int, in, out []int32) {
	d := s
	if s < 0 {
		d = -max(s, -math.MaxInt)
	}
	q, r := qpParts(len(in), d)
	for i := range out {
		sign := int32(1)
		if s < 0 {
			sign = -1
		}
		if i >= n {
			out[i] = sign*int32(q[i])*100 - int32(r[i])
			continue
		}
		v := in[i] - in[r[i]]
		if s > 0 {
			v = v*3 + in[q[i]]
		}
		out[i] = v*9 + int32(r[i])
	}
}

// Masks of any number, which divide nothing if it is no power of two.
//
//gocuda:kernel
func qpMasks(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	lo := tid & (s - 1)
	i := 2*tid - lo
	v := a[lo] + int32(i)*3
	if s > 0 && s < n && i < nt-s {
		v -= a[i] ^ a[i+s]
	}
	out[base+tid] = v
}

func qpMasksSerial(nt, n, s int, in, out []int32) {
	for tid := range out {
		lo := 0
		for k := range 12 {
			if tid>>k%2 == 1 && uint64(s-1)>>k%2 == 1 {
				lo += 1 << k
			}
		}
		v := in[lo] + int32(tid+tid-lo)*3
		if p := tid + tid - lo; s > 0 && s < n && p+s < nt {
			v -= in[p] ^ in[p+s]
		}
		out[tid] = v
	}
}

// A bitonic sort of two elements a thread, whose strides are the divisors.
//
//gocuda:kernel
func qpBitonic(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 2048)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt * 2
	a[tid], a[tid+nt] = in[base+tid], in[base+tid+nt]
	t.SyncThreads()
	for size := 2; size <= 2*nt; size *= 2 {
		for stride := size / 2; stride > 0; stride /= 2 {
			i := 2*tid - (tid & (stride - 1))
			up := i&size == 0
			if (a[i] > a[i+stride]) == up {
				a[i], a[i+stride] = a[i+stride], a[i]
			}
			t.SyncThreads()
		}
	}
	out[base+2*tid], out[base+2*tid+1] = a[2*tid], a[2*tid+1]
}

// The same of doubles, by quotients and a direction that is computed before the inner loop.
//
//gocuda:kernel
func qpBitonicDoubles(t *gocuda.Thread, n, s int, in, out []float64) {
	a := gocuda.Shared[float64](t, 2048)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt * 2
	a[tid] = in[base+tid]
	a[tid+nt] = in[base+tid+nt]
	for size := 2; size < 2*nt; size <<= 1 {
		down := tid&(size/2) != 0
		for stride := size / 2; stride > 0; stride >>= 1 {
			t.SyncThreads()
			i := tid/stride*2*stride + tid%stride
			x, y := a[i], a[i+stride]
			if (x > y) != down {
				a[i], a[i+stride] = y, x
			}
		}
	}
	for stride := nt; stride > 0; stride >>= 1 {
		t.SyncThreads()
		i := (tid/stride)*2*stride + tid%stride
		a[i], a[i+stride] = min(a[i], a[i+stride]), max(a[i], a[i+stride])
	}
	t.SyncThreads()
	out[base+tid] = a[tid]
	out[base+tid+nt] = a[tid+nt]
}

func qpSorted[T cmp.Ordered](_, n, s int, in, out []T) {
	copy(out, in)
	slices.Sort(out)
}

// A bitonic sort of one element a thread, of which the lower one of a pair swaps.
//
//gocuda:kernel
func qpBitonicPairs(t *gocuda.Thread, n, s int, in, out []int64) {
	a := gocuda.Shared[int64](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	for size := 2; size <= nt; size <<= 1 {
		for stride := size >> 1; stride > 0; stride >>= 1 {
			if tid/stride%2 == 0 {
				p := tid + stride
				if (tid/size%2 == 0) == (a[tid] > a[p]) {
					a[tid], a[p] = a[p], a[tid]
				}
			}
			t.SyncThreads()
		}
	}
	out[base+tid] = a[tid]
}

//gocuda:kernel
func qpWalsh(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 2048)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt * 2
	a[tid], a[nt+tid] = in[base+tid], in[base+nt+tid]
	for h := 1; h < 2*nt; h *= 2 {
		t.SyncThreads()
		i := (tid/h)*2*h + tid%h
		x, y := a[i], a[i+h]
		a[i] = x + y
		a[i+h] = x - y
	}
	t.SyncThreads()
	out[base+tid], out[base+nt+tid] = a[tid], a[nt+tid]
}

func qpWalshSerial(_, n, s int, in, out []int32) {
	for i := range out {
		out[i] = 0
		for k, v := range in {
			if bits.OnesCount(uint(i&k))%2 == 1 {
				v = -v
			}
			out[i] += v
		}
	}
}

// A Fourier transform of the numbers modulo 65537, of which n is a root of unity of so many as there are numbers.
//
//gocuda:kernel
func qpTransform(t *gocuda.Thread, n, s int, in, out []uint64) {
	const p = 65537
	a, w := gocuda.Shared[uint64](t, 2048), gocuda.Shared[uint64](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt * 2
	size := 2 * nt
	root, x := uint64(1), uint64(3)
	// The root is 3 to the power of 65536 / size.
	for e := (p - 1) / size; e > 0; e >>= 1 {
		if e&1 == 1 {
			root = root * x % p
		}
		x = x * x % p
	}
	power := uint64(1)
	for range tid {
		power = power * root % p
	}
	w[tid] = power
	for k := range 2 {
		i, r := tid+k*nt, 0
		for b := 1; b < size; b *= 2 {
			r *= 2
			if i&b != 0 {
				r++
			}
		}
		a[r] = in[base+i] % p
	}
	t.SyncThreads()
	for half := 1; half < size; half <<= 1 {
		j := tid & (half - 1)
		i := 2*tid - j
		u, v := a[i], a[i+half]*w[j*(nt/half)]%p
		a[i] = (u + v) % p
		a[i+half] = (u + p - v) % p
		t.SyncThreads()
	}
	out[base+tid], out[base+tid+nt] = a[tid], a[tid+nt]
}

func qpTransformSerial(_, n, s int, in, out []uint64) {
	const p = 65537
	root := uint64(1)
	for range 65536 / len(in) {
		root = root * 3 % p
	}
	step := uint64(1)
	for i := range out {
		sum, w := uint64(0), uint64(1)
		for _, v := range in {
			sum += v % p * w % p
			w = w * step % p
		}
		out[i] = sum % p
		step = step * root % p
	}
}

// A wavelet transform in place: sums and differences of what is so many elements apart, by threads that are.
//
//gocuda:kernel
func qpHaar(t *gocuda.Thread, n, s int, in, out []float64) {
	a := gocuda.Shared[float64](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	for d := 1; d < nt; d *= 2 {
		if tid%(2*d) == 0 && tid+d < nt {
			x, y := a[tid], a[tid+d]
			a[tid] = (x + y) * 0.5
			a[tid+d] = x - y
		}
		t.SyncThreads()
	}
	out[base+tid] = a[tid]
}

func qpHaarSerial(nt, n, s int, in, out []float64) {
	copy(out, in)
	for d := 1; d < nt; d += d {
		for i := 0; i+d < nt; i += 2 * d {
			x, y := out[i], out[i+d]
			out[i], out[i+d] = (x+y)*0.5, x-y
		}
	}
}

// A scan by halves, of all numbers but s of them.
//
//gocuda:kernel
func qpScan(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 2048)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt * 2
	a[2*tid], a[2*tid+1] = in[base+2*tid], in[base+2*tid+1]
	t.SyncThreads()
	size := 2*nt - s
	for h := 1; h < size; h *= 2 {
		first := (tid/h)*2*h + h
		if i := first + tid%h; i < size {
			a[i] += a[first-1]
		}
		t.SyncThreads()
	}
	out[base+tid] = a[tid]
	out[base+nt+tid] = a[nt+tid]
}

func qpScanSerial(nt, n, s int, in, out []int32) {
	sum := int32(0)
	for i, v := range in {
		if i < 2*nt-s {
			sum += v
			v = sum
		}
		out[i] = v
	}
}

// Sums of groups of s threads, where s need not be a power of two, by divisors that are three times as large
// each time.
//
//gocuda:kernel
func qpThirds(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	for d := 1; d < nt; d *= 3 {
		q := tid / d
		if q%3 == 0 && tid%d == 0 {
			if tid+d < nt {
				a[tid] += a[tid+d]
			}
			if tid+2*d < nt {
				a[tid] += a[tid+2*d]
			}
		}
		t.SyncThreads()
	}
	out[base+tid] = a[0] + int32(tid)
}

func qpThirdsSerial(_, n, s int, in, out []int32) {
	sum := int32(0)
	for _, v := range in {
		sum += v
	}
	for i := range out {
		out[i] = sum + int32(i)
	}
}

// Runs are merged: each element looks for its place in the run beside its own.
//
//gocuda:kernel
func qpMerge(t *gocuda.Thread, n, s int, in, out []int32) {
	a, b := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	for run := 1; run < nt; run *= 2 {
		q, at := tid/run, tid%run
		v := a[tid]
		from := (q ^ 1) * run
		for k := from; k < min(from+run, nt); k++ {
			if a[k] < v || a[k] == v && q&1 == 1 {
				at++
			}
		}
		b[q/2*2*run+at] = v
		t.SyncThreads()
		a, b = b, a
	}
	out[base+tid] = a[tid]
}

// Quotients of quotients, remainders of remainders.
//
//gocuda:kernel
func qpNested(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	a[tid] = in[base+tid]
	t.SyncThreads()
	x, y, z := tid%4, tid/4%8, tid/(4*8)
	v := a[y*4+x] + int32(z)*1000 + a[z]
	v = v*7 + a[tid%32/4] - a[tid>>2&3]
	t.SyncThreads()
	v = v*7 + int32(tid/s/3*100+tid/s%3*10+tid%s%3)
	v = v*7 + a[tid/(3*s)] - a[tid%(s*2)/2]
	out[base+tid] = v
}

func qpNestedSerial(nt, n, s int, in, out []int32) {
	q4, x := qpParts(nt, 4)
	q32, r32 := qpParts(nt, 32)
	_, y := qpParts(nt, 8)
	qs, rs := qpParts(nt, s)
	q3, r3 := qpParts(nt, 3)
	qs3, _ := qpParts(nt, 3*s)
	_, rs2 := qpParts(nt, 2*s)
	q2, _ := qpParts(nt, 2)
	for i := range out {
		v := in[r32[i]] + int32(q32[i])*1000 + in[q32[i]]
		v = v*7 + in[y[q4[i]]] - in[x[q4[i]]]
		v = v*7 + int32(100*q3[qs[i]]+10*r3[qs[i]]+r3[rs[i]])
		v = v*7 + in[qs3[i]] - in[q2[rs2[i]]]
		out[i] = v
	}
}

// Numbers of 32 bits with and without sign.
//
//gocuda:kernel
func qpWords(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	i, u := int32(tid), uint32(tid)
	a[i] = in[base+tid]
	t.SyncThreads()
	v := a[i/8*8+i%8] - a[u/16] + a[u&15]
	if i/8 < int32(n) {
		v += a[u>>3]
	}
	t.SyncThreads()
	d, e := int32(s), uint32(s)
	v = v*5 + (i/d)*d - i%d*2
	t.SyncThreads()
	v = v*5 + int32(u/e) - int32(u%e)*3
	t.SyncThreads()
	v = v*5 + int32((u-100)/8%1000) + (i-100)/8*3 + (i-100)%8
	out[base+int(i)] = v
}

func qpWordsSerial(nt, n, s int, in, out []int32) {
	q8, _ := qpParts(nt, 8)
	q16, r16 := qpParts(nt, 16)
	for i := range out {
		v := in[i] - in[q16[i]] + in[r16[i]]
		if q8[i] < n {
			v += in[q8[i]]
		}
		// A remainder has the sign of the number.
		r := i
		for size := max(s, -s); r >= size; {
			r -= size
		}
		v = v*5 + int32(i-r) - int32(r)*2
		big := uint64(uint32(s))
		q := uint64(i) / big
		v = v*5 + int32(q) - int32(uint64(i)-q*big)*3
		k := uint64(i) + 1<<32 - 100
		if i >= 100 {
			k = uint64(i) - 100
		}
		w := i - 100
		part := 0
		for w >= 8 {
			w, part = w-8, part+1
		}
		for w <= -8 {
			w, part = w+8, part-1
		}
		v = v*5 + int32(k>>3%1000) + int32(part*3+w)
		out[i] = v
	}
}

func qpQuotient[T int | int32 | uint32](i, s T) (q, r T) {
	q = i / s
	return q, i - q*s
}

func qpPlace(tid, stride int) (int, int) {
	lo := tid & (stride - 1)
	return 2*tid - lo, 2*tid - lo + stride
}

// Helpers divide.
//
//gocuda:kernel
func qpHelped(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 2048)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt * 2
	a[tid], a[tid+nt] = in[base+tid], in[base+tid+nt]
	t.SyncThreads()
	for d := 1; d <= s && 2*nt%(2*d) == 0; d *= 2 {
		i, j := qpPlace(tid, d)
		a[i], a[j] = a[j]+1, a[i]-a[j]
		t.SyncThreads()
	}
	q, r := qpQuotient(tid, s)
	q8, r8 := qpQuotient(uint32(tid), 8)
	out[base+tid] = a[tid] + int32(q*10+r)
	out[base+nt+tid] = a[nt+tid] + int32(q8*10+r8)
}

func qpHelpedSerial(nt, n, s int, in, out []int32) {
	v := slices.Clone(in)
	for d := 1; d <= s && 2*nt%(2*d) == 0; d += d {
		for i := 0; i < 2*nt; i += 2 * d {
			for k := i; k < i+d; k++ {
				v[k], v[k+d] = v[k+d]+1, v[k]-v[k+d]
			}
		}
	}
	q, r := qpParts(nt, s)
	q8, r8 := qpParts(nt, 8)
	for i := range nt {
		out[i] = v[i] + int32(q[i]*10+r[i])
		out[nt+i] = v[nt+i] + int32(q8[i]*10+r8[i])
	}
}

type qpPair struct {
	lo, hi int32
	odd    bool
}

// What a thread keeps: numbers, truths, a small array and a struct.
//
//gocuda:kernel
func qpKept(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	var w [4]int32
	p := qpPair{hi: 3}
	late, count := false, 0
	x := in[base+tid]
	a[tid] = x
	t.SyncThreads()
	q, r := tid/8, tid%8
	w[r&3] = a[q*8]
	w[q&3] += a[q]
	p.lo, p.odd = int32(q), q&1 == 1
	late = r > n
	t.SyncThreads()
	if p.odd {
		w[tid>>3&3] += p.hi
		p.lo -= w[0]
	} else {
		p.hi ^= w[tid&3]
		count += tid % s
	}
	late = late != (tid/s%2 == 1)
	if late {
		x += p.hi
		a[tid] = x
	}
	t.SyncThreads()
	for k := 1; k < 64; k *= 4 {
		y := a[tid/k]
		t.SyncThreads()
		if late {
			w[tid/k&3] ^= y
			x -= p.lo
		}
		late = late == (tid/k%2 == 0)
		count++
		a[tid] = x + y
		t.SyncThreads()
	}
	v := w[0] + 3*w[1] + 5*w[2] + 7*w[3] + p.lo*11 + p.hi*13 + x*17 + int32(count)
	if late && p.odd {
		v = -v
	}
	out[base+tid] = v + a[tid/8]
}

func qpKeptSerial(nt, n, s int, in, out []int32) {
	type thread struct {
		w         [4]int32
		lo, hi, x int32
		odd, late bool
		count     int
	}
	q8, r8 := qpParts(nt, 8)
	qs, rs := qpParts(nt, s)
	all, a := make([]thread, nt), slices.Clone(in)
	for i := range all {
		m := &all[i]
		m.x, m.hi = in[i], 3
		m.w[r8[i]%4] = in[i-r8[i]]
		m.w[q8[i]%4] += in[q8[i]]
		m.lo, m.odd, m.late = int32(q8[i]), q8[i]%2 != 0, r8[i] > n
	}
	for i := range all {
		m := &all[i]
		if m.odd {
			m.w[q8[i]%4] += 3
			m.lo -= m.w[0]
		} else {
			m.hi ^= m.w[i%4]
			m.count = rs[i]
		}
		if qs[i]%2 != 0 {
			m.late = !m.late
		}
		if m.late {
			m.x += m.hi
			a[i] = m.x
		}
	}
	for _, k := range []int{1, 4, 16} {
		q, _ := qpParts(nt, k)
		old := slices.Clone(a)
		for i := range all {
			m := &all[i]
			if m.late {
				m.w[q[i]%4] ^= old[q[i]]
				m.x -= m.lo
			}
			if q[i]%2 != 0 {
				m.late = !m.late
			}
			a[i] = m.x + old[q[i]]
		}
	}
	for i, m := range all {
		v := m.w[0] + 3*m.w[1] + 5*m.w[2] + 7*m.w[3] + m.lo*11 + m.hi*13 + m.x*17 + int32(m.count+3)
		if m.late && m.odd {
			v = -v
		}
		out[i] = v + a[q8[i]]
	}
}

// Guards, and sides that depend on quotients.
//
//gocuda:kernel
func qpBranches(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	a[tid] = 5
	if tid < n {
		a[tid] = in[base+tid/4*4]
	}
	t.SyncThreads()
	v := int32(-1)
	if tid < n {
		if tid/8%2 == 0 {
			v = a[tid-tid%8] * 3
		} else if tid%8 < 3 {
			v = a[tid/8]
		} else {
			v += int32(tid % 8)
		}
		if tid>>4 == s || tid&15 == s {
			v = v*2 + 1
		}
	}
	t.SyncThreads()
	switch tid % 4 {
	case 0:
		a[tid] = v
	case 1:
		if tid/4 > s {
			a[tid] += v
		}
	case 2:
		a[tid] -= int32(tid / 4)
	}
	t.SyncThreads()
	out[base+tid] = a[tid/2*2] + v*3
}

func qpBranchesSerial(nt, n, s int, in, out []int32) {
	q4, r4 := qpParts(nt, 4)
	q8, r8 := qpParts(nt, 8)
	q16, r16 := qpParts(nt, 16)
	a, v := make([]int32, nt), make([]int32, nt)
	for i := range a {
		a[i], v[i] = 5, -1
		if i < n {
			a[i] = in[i-r4[i]]
		}
	}
	for i := range min(max(n, 0), nt) {
		switch {
		case q8[i]%2 == 0:
			v[i] = 3 * a[i-r8[i]]
		case r8[i] < 3:
			v[i] = a[q8[i]]
		default:
			v[i] = int32(r8[i] - 1)
		}
		if q16[i] == s || r16[i] == s {
			v[i] = v[i]*2 + 1
		}
	}
	for i := range a {
		if r4[i] == 0 {
			a[i] = v[i]
		} else if r4[i] == 1 && q4[i] > s {
			a[i] += v[i]
		} else if r4[i] == 2 {
			a[i] -= int32(q4[i])
		}
	}
	for i := range out {
		out[i] = a[i-i%2] + v[i]*3
	}
}

// Some threads return before the others divide.
//
//gocuda:kernel
func qpReturns(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	a[tid] = in[base+tid]
	if tid >= n {
		return
	}
	t.SyncThreads()
	v := a[tid/8*8] + a[tid%8]
	if tid/s == 2 || tid%s == 1 {
		out[base+tid] = v
		return
	}
	t.SyncThreads()
	a[tid] = v + int32(tid/s)
	t.SyncThreads()
	for d := 8; d > 0; d /= 2 {
		v ^= a[tid-tid&(d-1)] + int32(tid/d)
		t.SyncThreads()
	}
	out[base+tid] = v
}

func qpReturnsSerial(nt, n, s int, in, out []int32) {
	q, r := qpParts(nt, s)
	_, r8 := qpParts(nt, 8)
	a, v := slices.Clone(in), make([]int32, nt)
	gone := func(i int) bool { return i >= n || q[i] == 2 || r[i] == 1 }
	for i := range v {
		v[i] = in[i-r8[i]] + in[r8[i]]
		if !gone(i) {
			a[i] = v[i] + int32(q[i])
		}
	}
	for i := range min(max(n, 0), nt) {
		if !gone(i) {
			for _, d := range []int{8, 4, 2, 1} {
				qd, rd := qpParts(nt, d)
				v[i] ^= a[i-rd[i]] + int32(qd[i])
			}
		}
		out[i] = v[i]
	}
}

// Atomic operations of groups.
//
//gocuda:kernel
func qpAtomics(t *gocuda.Thread, n, s int, in, out []int32) {
	sum, most := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	sum[tid], most[tid] = 0, math.MinInt32
	t.SyncThreads()
	if tid < n {
		atomic.Add(&sum[tid%8], in[base+tid])
	}
	atomic.Max(&most[tid/8], in[base+tid])
	t.SyncThreads()
	v := sum[tid%8] - most[tid/8]
	t.SyncThreads()
	atomic.Xor(&sum[tid/s], v)
	atomic.Add(&most[tid%s], 1)
	atomic.Add(&out[base+tid/s], v)
	t.SyncThreads()
	atomic.Sub(&out[base+tid%s], sum[tid/s]*3+most[tid%s])
}

func qpAtomicsSerial(nt, n, s int, in, out []int32) {
	sum, most, v := make([]int32, nt), make([]int32, nt), make([]int32, nt)
	q8, r8 := qpParts(nt, 8)
	q, r := qpParts(nt, s)
	for i, x := range in {
		if i < n {
			sum[r8[i]] += x
		}
		if r8[i] == 0 {
			most[q8[i]] = x
		}
		most[q8[i]] = max(most[q8[i]], x)
	}
	for i := (nt + 7) / 8; i < nt; i++ {
		most[i] = math.MinInt32
	}
	for i := range v {
		v[i] = sum[r8[i]] - most[q8[i]]
	}
	for i, x := range v {
		sum[q[i]] ^= x
		most[r[i]]++
		out[q[i]] += x
	}
	for i := range v {
		out[r[i]] -= sum[q[i]]*3 + most[r[i]]
	}
}

// Elements of a byte.
//
//gocuda:kernel
func qpBytes(t *gocuda.Thread, n, s int, in, out []uint8) {
	a := gocuda.Shared[uint8](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	a[tid] = in[base+tid] + uint8(tid/16)
	t.SyncThreads()
	v := a[tid/16*16]>>(tid%8) + a[tid&15]<<(tid>>3&7)
	if tid < n {
		v -= a[tid/s]
	}
	t.SyncThreads()
	a[tid] = v
	t.SyncThreads()
	out[base+tid] = a[tid/s] ^ a[tid%s]
}

func qpBytesSerial(nt, n, s int, in, out []uint8) {
	q, r := qpParts(nt, s)
	q16, r16 := qpParts(nt, 16)
	q8, r8 := qpParts(nt, 8)
	v := make([]uint8, nt)
	at := func(i int) uint8 { return in[i] + uint8(q16[i]) }
	for i := range v {
		v[i] = at(i-r16[i])>>r8[i] + at(r16[i])<<(q8[i]%8)
		if i < n {
			v[i] -= at(q[i])
		}
	}
	for i := range out {
		out[i] = v[q[i]] ^ v[r[i]]
	}
}

// Elements of two bytes, by rows of 12.
//
//gocuda:kernel
func qpShorts(t *gocuda.Thread, n, s int, in, out []int16) {
	a := gocuda.Shared[int16](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	y, x := tid/12, tid%12
	v := a[tid]
	if x > 0 {
		v -= a[y*12+x-1]
	}
	if x < 11 && tid+1 < nt {
		v += a[y*12+x+1] >> 2
	}
	if y > 0 {
		v ^= a[(y-1)*12+x]
	}
	out[base+y*12+x] = v * int16(s+y)
}

func qpShortsSerial(nt, n, s int, in, out []int16) {
	for first := 0; first < nt; first += 12 {
		row := in[first:min(first+12, nt)]
		for x, v := range row {
			if x > 0 {
				v -= row[x-1]
			}
			if x+1 < len(row) {
				v += row[x+1] >> 2
			}
			if first > 0 {
				v ^= in[first-12+x]
			}
			out[first+x] = v * int16(s+first/12)
		}
	}
}

// Elements of eight bytes, and indices in groups that turn.
//
//gocuda:kernel
func qpLongs(t *gocuda.Thread, n, s int, in, out []int64) {
	a := gocuda.Shared[int64](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	i := tid/8*8 + (tid+n)&7
	v := int64(tid)
	if i < nt {
		v = a[i]
	}
	j := tid/s*s + (tid%s+1)%s
	if j >= nt {
		j -= tid % s
	}
	v = v*3 - a[min(j, nt-1)]
	out[base+tid] = v
}

func qpLongsSerial(nt, n, s int, in, out []int64) {
	for first := 0; first < nt; first += 8 {
		for k := range min(8, nt-first) {
			turned := (k + n%8 + 8) % 8
			out[first+k] = int64(first + k)
			if first+turned < nt {
				out[first+k] = in[first+turned]
			}
		}
	}
	for first := 0; first < nt; first += s {
		for k := range min(s, nt-first) {
			j := first + k + 1
			if k == s-1 {
				j = first
			}
			if j >= nt {
				j -= k
			}
			out[first+k] = 3*out[first+k] - in[min(j, nt-1)]
		}
	}
}

// Locals that only a phase has, and one that is used later.
//
//gocuda:kernel
func qpLocals(t *gocuda.Thread, n, s int, in, out []float64) {
	a := gocuda.Shared[float64](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	a[tid] = in[base+tid]
	t.SyncThreads()
	q := tid / 16
	first, second := a[q*16], a[tid%16]
	both := first - second
	sign := both < 0
	t.SyncThreads()
	r := tid % 16
	a[tid] = both * float64(r)
	t.SyncThreads()
	twice := a[q] + a[r]
	if sign {
		twice = -twice
	}
	out[base+tid] = twice + float64(q*n) - first
}

func qpLocalsSerial(nt, n, s int, in, out []float64) {
	q, r := qpParts(nt, 16)
	at := func(i int) float64 { return (in[i-r[i]] - in[r[i]]) * float64(r[i]) }
	for i := range out {
		v := at(q[i]) + at(r[i])
		if in[i-r[i]] < in[r[i]] {
			v = -v
		}
		out[i] = v + float64(q[i]*n) - in[i-r[i]]
	}
}

// Sums that leave the range of their type.
//
//gocuda:kernel
func qpOverflow(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	a[tid] = in[base+tid]
	t.SyncThreads()
	v := a[tid/8]
	if n-9+tid%8 >= 0 {
		v += 1
	}
	if n+tid/8 > n {
		v += 10
	}
	if n+tid%8*2 < s {
		v += 100
	}
	if int32(n)+int32(tid%8) >= 0 {
		v += 1000
	}
	if int32(n)-int32(tid/16) < int32(s) {
		v += 10000
	}
	if uint32(n)+uint32(tid&7) < 5 {
		v += 100000
	}
	t.SyncThreads()
	if (n+tid)/8 < 0 {
		v -= 3
	}
	v += int32((n + tid) % 8 * 5)
	v += int32((tid - n) & 7 * 7)
	if i := n + tid/8; i >= 0 && i < s {
		v ^= a[i%t.BlockDim.X]
	}
	out[base+tid] = v
}

func qpOverflowSerial(nt, n, s int, in, out []int32) {
	q8, r8 := qpParts(nt, 8)
	q16, _ := qpParts(nt, 16)
	wrap := func(x, y int) int { return int(uint64(x) + uint64(y)) }
	wrap32 := func(x, y int) int32 { return int32(uint32(uint64(x)) + uint32(uint64(y))) }
	for i := range out {
		v := in[q8[i]]
		for k, yes := range []bool{wrap(wrap(n, -9), r8[i]) >= 0, wrap(n, q8[i]) > n, wrap(n, 2*r8[i]) < s, wrap32(n, r8[i]) >= 0,
			wrap32(n, -q16[i]) < int32(s), uint32(wrap32(n, r8[i])) < 5} {
			if yes {
				v += []int32{1, 10, 100, 1000, 10000, 100000}[k]
			}
		}
		sum := wrap(n, i)
		low := int32(uint64(sum) & 7)
		if sum < 0 {
			if sum <= -8 {
				v -= 3
			}
			if low != 0 {
				low -= 8
			}
		}
		v += low * 5
		v += int32((uint64(i)-uint64(n))%8) * 7
		if k := wrap(n, q8[i]); k >= 0 && k < s {
			v ^= in[k%nt]
		}
		out[i] = v
	}
}

// Loops of each thread, whose rounds depend on quotients.
//
//gocuda:kernel
func qpLoops(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	v := int32(0)
	for k := range tid % 8 {
		v = v*3 + a[tid/8*8+k]
	}
	for k := 0; k < 8; k++ {
		i := tid/8*8 + k
		if i >= nt {
			break
		}
		if i == tid {
			continue
		}
		v -= a[i]
	}
	t.SyncThreads()
	a[tid] = v
	t.SyncThreads()
	for i := tid % s; i < nt && i < n; i += s {
		v ^= a[i] + int32(i/s)
	}
	out[base+tid] = v
}

func qpLoopsSerial(nt, n, s int, in, out []int32) {
	v := make([]int32, nt)
	for first := 0; first < nt; first += 8 {
		group := in[first:min(first+8, nt)]
		for k := range group {
			for j, x := range group[:k] {
				v[first+k] = v[first+k]*3 + group[j]
				_ = x
			}
			for j, x := range group {
				if j != k {
					v[first+k] -= x
				}
			}
		}
	}
	for r := range min(s, nt) {
		x := int32(0)
		for i, k := r, 0; i < min(nt, n); i, k = i+s, k+1 {
			x ^= v[i] + int32(k)
		}
		for i := r; i < nt; i += s {
			out[i] = v[i] ^ x
		}
	}
}

// Blocks of several dimensions, by their threads in order and by columns.
//
//gocuda:kernel
func qpBoxes(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid, nt := t.Rank(), t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z
	x, dx := t.ThreadIdx.X, t.BlockDim.X
	row := tid - x
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	v := a[tid/8*8] + 3*a[tid%8]
	t.SyncThreads()
	v = v*5 + a[row+x/4*4] - a[row+x%4]
	t.SyncThreads()
	v = v*5 + a[row+x/s] - a[tid/s]
	t.SyncThreads()
	a[tid] = v
	for d := 1; d < dx; d *= 2 {
		t.SyncThreads()
		if x&(2*d-1) == 0 && x+d < dx {
			a[tid] += a[tid+d]
		}
	}
	t.SyncThreads()
	out[base+tid] = a[row] - v
}

func qpBoxesSerial(dx, n, s int, in, out []int32) {
	nt := len(in)
	q, _ := qpParts(nt, s)
	v := make([]int32, nt)
	for i := range v {
		row := 0
		for row+dx <= i {
			row += dx
		}
		x := i - row
		v[i] = in[i-i&7] + 3*in[i&7]
		v[i] = v[i]*5 + in[row+x-x&3] - in[row+x&3]
		v[i] = v[i]*5 + in[row+q[x]] - in[q[i]]
	}
	for row := 0; row < nt; row += dx {
		sum := int32(0)
		for _, x := range v[row : row+dx] {
			sum += x
		}
		for i := row; i < row+dx; i++ {
			out[i] = sum - v[i]
		}
	}
}

// Stores in places that groups permute: in shared memory and in global memory.
//
//gocuda:kernel
func qpPermuted(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	rows := nt / 8
	if tid < rows*8 {
		a[tid%8*rows+tid/8] = in[base+tid]
	} else {
		a[tid] = in[base+tid]
	}
	t.SyncThreads()
	to := tid
	if tid/s*s+s <= nt {
		to = tid/s*s + s - 1 - tid%s
	}
	out[base+to] = a[tid]
}

func qpPermutedSerial(nt, n, s int, in, out []int32) {
	a := slices.Clone(in)
	for r := range nt / 8 {
		for c := range 8 {
			a[c*(nt/8)+r] = in[8*r+c]
		}
	}
	copy(out, a)
	for len(out) >= s {
		slices.Reverse(out[:s])
		out = out[s:]
	}
}

// The first thread of each group speaks for it.
//
//gocuda:kernel
func qpFirst(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	if tid%8 == 0 {
		a[tid/8] = in[base+tid]
	}
	t.SyncThreads()
	v := a[tid/8]
	t.SyncThreads()
	if tid%s == s-1 || tid == t.BlockDim.X-1 {
		a[tid/s] = v - in[base+tid]*qpInt32(n)
	}
	t.SyncThreads()
	out[base+tid] = v*3 + a[tid/s]
}

func qpInt32(n int) int32 { return int32(n) }

func qpFirstSerial(nt, n, s int, in, out []int32) {
	for i := range out {
		last := s - 1
		for last < i {
			last += s
		}
		last = min(last, nt-1)
		out[i] = in[i&^7]*3 + in[last&^7] - in[last]*int32(n)
	}
}

// A divisor that the block computes in the same phase, and no barrier is before.
//
//gocuda:kernel
func qpDivisor(t *gocuda.Thread, n, s int, in, out []int32) {
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	d := s + 1
	out[base+tid] = in[base+tid/d]
}

func qpDivisorSerial(nt, n, s int, in, out []int32) {
	q, _ := qpParts(nt, s+1)
	for i := range out {
		out[i] = in[q[i]]
	}
}

// Another one in each turn of a loop.
//
//gocuda:kernel
func qpDivisors(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	v := in[base+tid]
	for k := range n {
		d := s + k
		a[tid] = v
		t.SyncThreads()
		e := s*k + 1
		v = v*3 - a[tid/d] + a[tid%e]
		t.SyncThreads()
	}
	out[base+tid] = v
}

func qpDivisorsSerial(nt, n, s int, in, out []int32) {
	copy(out, in)
	for k := range n {
		old := slices.Clone(out)
		q, _ := qpParts(nt, s+k)
		_, r := qpParts(nt, s*k+1)
		for i := range out {
			out[i] = 3*old[i] - old[q[i]] + old[r[i]]
		}
	}
}

// Phases of one divisor each, with comparisons and sums near the ends of their type.
//
//gocuda:kernel
func qpEnds(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	v := in[base+tid]
	a[tid] = v
	t.SyncThreads()
	if n-9+tid%8 >= 0 {
		v += a[tid/8]
	}
	t.SyncThreads()
	if n+tid/4 > n {
		v += 10 * a[tid/4]
	}
	t.SyncThreads()
	if n+tid%16 < s {
		v ^= a[tid%16]
	}
	t.SyncThreads()
	if i := n + tid/8; i >= 0 && i < s {
		v -= a[tid%8]
	}
	t.SyncThreads()
	if tid/8*n >= 0 && tid%8+s > s-1 {
		v += 5 * a[tid/8]
	}
	t.SyncThreads()
	if int32(n)+int32(tid%32) >= int32(s) {
		v += 7 * a[tid/32]
	}
	out[base+tid] = v
}

func qpEndsSerial(nt, n, s int, in, out []int32) {
	q4, _ := qpParts(nt, 4)
	q8, r8 := qpParts(nt, 8)
	_, r16 := qpParts(nt, 16)
	q32, r32 := qpParts(nt, 32)
	wrap := func(x, y int) int { return int(uint64(x) + uint64(y)) }
	for i, v := range in {
		if wrap(wrap(n, -9), r8[i]) >= 0 {
			v += in[q8[i]]
		}
		if wrap(n, q4[i]) > n {
			v += 10 * in[q4[i]]
		}
		if wrap(n, r16[i]) < s {
			v ^= in[r16[i]]
		}
		if k := wrap(n, q8[i]); k >= 0 && k < s {
			v -= in[r8[i]]
		}
		if int(uint64(q8[i])*uint64(n)) >= 0 && wrap(s, r8[i]) > wrap(s, -1) {
			v += 5 * in[q8[i]]
		}
		if int32(uint32(uint64(n)))+int32(r32[i]) >= int32(uint32(uint64(s))) {
			v += 7 * in[q32[i]]
		}
		out[i] = v
	}
}

// Only one such comparison, whose sum wraps around for some threads.
//
//gocuda:kernel
func qpWraps(t *gocuda.Thread, n, s int, in, out []int32) {
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	if n+tid%16 < s {
		out[base+tid] = in[base+tid]
	}
}

func qpWrapsSerial(nt, n, s int, in, out []int32) {
	for i := range out {
		if int(uint64(n)+uint64(i&15)) < s {
			out[i] = in[i]
		}
	}
}

// Phases of one divisor each, in numbers of 32 bits.
//
//gocuda:kernel
func qpNarrow(t *gocuda.Thread, n, s int, in, out []int32) {
	a, b := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	tid, nt := int32(t.ThreadIdx.X), int32(t.BlockDim.X)
	u := uint32(tid)
	base := int32(t.BlockIdx.X) * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	b[tid] = a[tid/8*8] - a[tid%8]*3
	t.SyncThreads()
	a[u] = b[u/5] + b[u%5] + int32(u/5*7)
	t.SyncThreads()
	if u>>4 < uint32(n) {
		b[tid] ^= a[u&15]
	}
	t.SyncThreads()
	d := int32(s)
	t.SyncThreads()
	a[tid] = b[tid] + tid/d*10 + tid%d
	t.SyncThreads()
	for e := uint32(1); e < uint32(nt); e <<= 1 {
		if u&(2*e-1) == 0 && u+e < uint32(nt) {
			a[u] -= a[u+e] * 5
		}
		t.SyncThreads()
	}
	out[base+tid] = a[tid]
}

func qpNarrowSerial(nt, n, s int, in, out []int32) {
	q5, r5 := qpParts(nt, 5)
	q8, r8 := qpParts(nt, 8)
	q16, r16 := qpParts(nt, 16)
	qs, rs := qpParts(nt, max(s, -s))
	b, a := make([]int32, nt), make([]int32, nt)
	for i := range b {
		b[i] = in[8*q8[i]] - 3*in[r8[i]]
	}
	for i := range a {
		a[i] = b[q5[i]] + b[r5[i]] + int32(7*q5[i])
	}
	for i := range out {
		out[i] = b[i]
		if q16[i] < n {
			out[i] ^= a[r16[i]]
		}
		q := qs[i]
		if s < 0 {
			q = -q
		}
		out[i] += int32(10*q + rs[i])
	}
	for e := 1; e < nt; e += e {
		for i := 0; i+e < nt; i += 2 * e {
			out[i] -= out[i+e] * 5
		}
	}
}

// Phases of one divisor each with loops, sides and locals, after some threads have returned.
//
//gocuda:kernel
func qpLeft(t *gocuda.Thread, n, s int, in, out []int32) {
	a, b := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid], b[tid] = in[base+tid], 3
	if tid >= n {
		return
	}
	t.SyncThreads()
	sum := int32(0)
	for k := range tid % 8 {
		sum = sum*3 + a[tid/8*8+k]
	}
	b[tid] = sum
	t.SyncThreads()
	if tid/4%2 == 1 {
		a[tid] = b[tid/4]
	} else {
		a[tid] -= b[tid%4]
	}
	t.SyncThreads()
	big := a[tid/16*16]
	for i := tid/16*16 + 1; i < min(tid/16*16+16, nt); i++ {
		if a[i] > big {
			big = a[i]
		}
	}
	t.SyncThreads()
	b[tid] = big
	t.SyncThreads()
	for d := s; d > 0; d /= 2 {
		a[tid] += b[tid/d]
		t.SyncThreads()
		b[tid] ^= a[tid&(d-1)]
		t.SyncThreads()
	}
	if tid/8 == 3 {
		return
	}
	t.SyncThreads()
	out[base+tid/8*8+tid%8] = b[tid] - a[tid%8]
}

func qpLeftSerial(nt, n, s int, in, out []int32) {
	m := min(max(n, 0), nt) // those who stay
	a, b := slices.Clone(in), make([]int32, nt)
	for i := range b {
		b[i] = 3
	}
	for i := range m {
		b[i] = 0
		for _, v := range in[i&^7 : i] {
			b[i] = b[i]*3 + v
		}
	}
	for i := range m {
		if i&4 != 0 {
			a[i] = b[i>>2]
		} else {
			a[i] -= b[i&3]
		}
	}
	for i := range m {
		b[i] = slices.Max(a[i&^15 : min(i&^15+16, nt)])
	}
	for d := s; d > 0; d >>= 1 {
		q, _ := qpParts(nt, d)
		for i := range m {
			a[i] += b[q[i]]
		}
		for i := range m {
			b[i] ^= a[i&(d-1)]
		}
	}
	for i := range m {
		if i < 24 || i > 31 {
			out[i] = b[i] - a[i&7]
		}
	}
}

// Stores by butterflies of s turns in elements of a type, which need not be all of the block.
//
//gocuda:kernel
func qpTurnBytes(t *gocuda.Thread, n, s int, in, out []uint8) {
	a := gocuda.Shared[uint8](t, 2048)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt * 2
	a[tid], a[tid+nt] = in[base+tid], in[base+tid+nt]
	t.SyncThreads()
	for d := 1; d <= s; d *= 2 {
		i := 2*tid - (tid & (d - 1))
		if j := i + d; j < 2*nt-n {
			a[i], a[j] = a[i]+a[j], a[i]-a[j]
		}
		t.SyncThreads()
	}
	out[base+tid], out[base+tid+nt] = a[tid], a[tid+nt]
}

//gocuda:kernel
func qpTurnLongs(t *gocuda.Thread, n, s int, in, out []int64) {
	a := gocuda.Shared[int64](t, 2048)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt * 2
	a[tid], a[tid+nt] = in[base+tid], in[base+tid+nt]
	t.SyncThreads()
	for d := 1; d <= s; d *= 2 {
		i := tid/d*(2*d) + tid%d
		if i+d < 2*nt-n {
			x, y := a[i], a[i+d]
			a[i], a[i+d] = x+y, x-y
		}
		t.SyncThreads()
	}
	out[base+tid], out[base+tid+nt] = a[tid], a[tid+nt]
}

//gocuda:kernel
func qpTurnShorts(t *gocuda.Thread, n, s int, in, out []int16) {
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt * 2
	out[base+2*tid], out[base+2*tid+1] = in[base+2*tid], in[base+2*tid+1]
	for d := 1; d <= s; d <<= 1 {
		t.SyncThreads()
		lo := tid & (d - 1)
		hi := tid - lo
		if i := base + hi + hi + lo; i+d < base+2*nt-n {
			x, y := out[i], out[i+d]
			out[i] = x + y
			out[i+d] = x - y
		}
	}
}

func qpTurnsSerial[T uint8 | int16 | int64](nt, n, s int, in, out []T) {
	copy(out, in)
	for d := 1; d <= s; d += d {
		for first := 0; first < 2*nt; first += 2 * d {
			for i := first; i < first+d && i+d < 2*nt-n; i++ {
				// The threads are as many as half of the elements, which a divisor that is too large leaves behind.
				if first/2+i-first < nt {
					out[i], out[i+d] = out[i]+out[i+d], out[i]-out[i+d]
				}
			}
		}
	}
}

// What is kept in places that only one divisor is near to.
//
//gocuda:kernel
func qpHeld(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	v := in[base+tid]
	var w [3]int32
	var p qpPair
	a[tid] = v
	t.SyncThreads()
	first := tid%8 == 0
	p.lo, p.hi = a[tid/8*8], a[tid%8]
	w[1] = v
	t.SyncThreads()
	p.odd = tid/16%2 == 1
	if first {
		w[0] = a[tid/16*16]
	} else {
		w[2] = p.lo - p.hi
	}
	t.SyncThreads()
	if tid < n {
		if p.odd != first {
			w[1] -= a[tid/3]
		}
		p.lo += int32(tid % 3)
	}
	t.SyncThreads()
	for d := 1; d < s; d *= 2 {
		if tid/d%2 == 0 {
			w[0] += w[1]
			first = !first
		} else {
			w[1] ^= a[tid%d]
		}
		t.SyncThreads()
	}
	x := w[0] + w[1]*3 + w[2]*5 + p.lo*7 + p.hi*9
	if first {
		x++
	}
	if p.odd {
		x -= 100
	}
	out[base+tid] = x
}

func qpHeldSerial(nt, n, s int, in, out []int32) {
	q3, r3 := qpParts(nt, 3)
	for i, v := range in {
		first, odd := i&7 == 0, i&16 != 0
		lo, hi := in[i&^7], in[i&7]
		x, y, z := int32(0), v, int32(0)
		if first {
			x = in[i&^15]
		} else {
			z = lo - hi
		}
		if i < n {
			if odd != first {
				y -= in[q3[i]]
			}
			lo += int32(r3[i])
		}
		for d := 1; d < s; d += d {
			if i&d == 0 {
				x, first = x+y, !first
			} else {
				y ^= in[i&(d-1)]
			}
		}
		out[i] = x + 3*y + 5*z + 7*lo + 9*hi
		if first {
			out[i]++
		}
		if odd {
			out[i] -= 100
		}
	}
}

// All threads of a group store the same.
//
//gocuda:kernel
func qpSame(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	a[tid/8] = in[base+tid/8*8]
	t.SyncThreads()
	v := a[tid/8]
	t.SyncThreads()
	a[tid%s] = int32(tid%s*n) + 2
	t.SyncThreads()
	out[base+tid] = v ^ a[tid%s]
}

func qpSameSerial(nt, n, s int, in, out []int32) {
	_, r := qpParts(nt, s)
	for i := range out {
		out[i] = in[i&^7] ^ int32(r[i]*n+2)
	}
}

// The divisor is counted, so that it is mostly no power of two, and counted down to one; masks go on to zero.
//
//gocuda:kernel
func qpCounted(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	v := in[base+tid]
	a[tid] = v
	t.SyncThreads()
	for d := s; d > 0; d-- {
		w := a[tid/d] + 3*a[tid%d]
		t.SyncThreads()
		v = v*5 + w
		a[tid] = v
		t.SyncThreads()
	}
	for d := s; d >= -2; d-- {
		w := a[tid&(d-1)]
		t.SyncThreads()
		v = v*5 + w + int32(2*tid-tid&(d-1))
		if tid < n {
			a[tid] = v
		}
		t.SyncThreads()
	}
	out[base+tid] = v
}

func qpCountedSerial(nt, n, s int, in, out []int32) {
	v := slices.Clone(in)
	for d := s; d > 0; d-- {
		old := slices.Clone(v)
		q, r := qpParts(nt, d)
		for i := range v {
			v[i] = 5*old[i] + old[q[i]] + 3*old[r[i]]
		}
	}
	a := slices.Clone(v)
	for m := s - 1; m >= -3; m-- {
		old := slices.Clone(a)
		for i := range v {
			low := 0
			for k := range 10 {
				low |= (i >> k & 1) * int(uint64(m)>>k&1) << k
			}
			v[i] = 5*v[i] + old[low] + int32(i+i-low)
			if i < n {
				a[i] = v[i]
			}
		}
	}
	copy(out, v)
}

// A loop over more elements than threads, in which indices of the loop and of the thread are divided.
//
//gocuda:kernel
func qpStrided(t *gocuda.Thread, n, s int, in, out []int32) {
	a := gocuda.Shared[int32](t, 2048)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt * 2
	for i := tid; i < 2*nt; i += nt {
		a[i] = in[base+i] + int32(tid/8) - int32(i%s)
	}
	t.SyncThreads()
	for i := tid; i < 2*nt; i += nt {
		out[base+i] = a[i/8*8] + a[tid/s] - a[i%8]
	}
}

func qpStridedSerial(nt, n, s int, in, out []int32) {
	q, r := qpParts(2*nt, s)
	at := func(i int) int32 {
		tid := i
		if i >= nt {
			tid -= nt
		}
		return in[i] + int32(tid>>3) - int32(r[i])
	}
	for i := range out {
		tid := i
		if i >= nt {
			tid -= nt
		}
		out[i] = at(i&^7) + at(q[tid]) - at(i&7)
	}
}

// Groups of eight, of which every second one is stored where the others read, or behind what is read.
//
//gocuda:kernel
func qpOverlap(t *gocuda.Thread, n, s int, in, out []int32) {
	tid := t.ThreadIdx.X
	if tid/8%2 == 0 && tid < n {
		out[tid] = in[tid]*3 + int32(tid%8)
	}
	t.SyncThreads()
	v := in[tid/8*8+7] - in[tid%8]
	t.SyncThreads()
	out[tid/8*8+7-tid%8] = v
	t.SyncThreads()
	if tid >= s {
		return
	}
	in[tid] ^= int32(tid / 8)
}

func qpOverlapSerial(nt, n, s int, all []int32, in, out int) {
	for i := range min(nt, n) {
		if i&8 == 0 {
			all[out+i] = all[in+i]*3 + int32(i&7)
		}
	}
	v := make([]int32, nt)
	for i := range v {
		v[i] = all[in+(i|7)] - all[in+i&7]
	}
	for i := range v {
		all[out+(i^7)] = v[i]
	}
	for i := range min(nt, s) {
		all[in+i] ^= int32(i >> 3)
	}
}

// The second in each group of four adds what the first one has to a place of the whole grid.
//
//gocuda:kernel
func qpGlobal(t *gocuda.Thread, n, s int, in, out []int32) {
	i := t.GlobalX()
	lane, group := i%s, i/s
	v := in[group*s]
	if lane == 1 || s == 1 {
		v += in[i-lane]
	}
	if tid := t.ThreadIdx.X; tid/4 < n {
		v -= int32(tid%4*100 + tid/4)
	}
	out[group*s+lane] = v
}

// Failures: one thread of block 1 has no element, or a divisor is zero.

//gocuda:kernel
func qpFailDivide(t *gocuda.Thread, who, kind int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	d := 8
	if t.BlockIdx.X == 1 {
		d = kind
	}
	a[tid] = in[base+tid]
	t.SyncThreads()
	v := a[tid&(d-1)&1023%t.BlockDim.X]
	if tid == who || tid > who && d > 0 {
		v += a[tid/8] + int32(tid/d)
	}
	out[base+tid] = v
}

//gocuda:kernel
func qpFailRemainder(t *gocuda.Thread, who, kind int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	d := uint32(8)
	if t.BlockIdx.X == 1 {
		d = uint32(kind)
	}
	a[tid] = in[base+tid]
	t.SyncThreads()
	if tid < who || tid > who && d == 0 {
		return
	}
	out[base+tid] = a[uint32(tid)%d]
}

// All threads divide, and nothing else happens.
//
//gocuda:kernel
func qpFailAll(t *gocuda.Thread, who, kind int, in, out []int32) {
	tid := t.ThreadIdx.X
	base := t.BlockIdx.X * t.BlockDim.X
	d := 4
	if t.BlockIdx.X == 1 {
		d = kind
	}
	q, r := tid/d, tid%d
	out[base+q*d+r] = in[base+tid]
}

// The counter of a loop with barriers comes to zero, which only a mask survives.
//
//gocuda:kernel
func qpFailCounter(t *gocuda.Thread, who, kind int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	end := 0
	if t.BlockIdx.X == 1 {
		end = -1
	}
	for d := 16; d > end; d /= 2 {
		t.SyncThreads()
		v := a[tid-tid&(d-1)] + int32(tid&(d-1))
		t.SyncThreads()
		a[tid] = v
		if tid == who || d > 0 && tid > who {
			a[tid] += int32(tid % d)
		}
		if d == 0 {
			break
		}
	}
	out[base+tid] = a[tid]
}

// An element is missing for one thread.
//
//gocuda:kernel
func qpFailIndex(t *gocuda.Thread, who, kind int, in, out []int32) {
	a, b := gocuda.Shared[int32](t, 1024), gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	v := a[tid/8] + a[tid%8]
	i := tid/8*8 + tid%8
	if t.BlockIdx.X == 1 && tid/8 == who/8 && tid%8 == who%8 {
		i += len(in)
	}
	b[tid] = in[i] + v
	t.SyncThreads()
	out[base+tid] = b[tid]
}

// The group of the thread is one too many, for its first thread.
//
//gocuda:kernel
func qpFailGroup(t *gocuda.Thread, who, kind int, in, out []int32) {
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	part := in[:nt]
	if t.BlockIdx.X == 1 {
		part = in[:who/kind]
	}
	t.SyncThreads()
	if tid <= who/kind*kind {
		out[base+tid] = part[tid/kind] + int32(tid%kind)
	}
}

// The store fails.
//
//gocuda:kernel
func qpFailStore(t *gocuda.Thread, who, kind int, in, out []int32) {
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	part := out[base : base+nt]
	if t.BlockIdx.X == 1 {
		part = out[base : base+who]
	}
	v := in[base+tid]
	t.SyncThreads()
	if tid <= who {
		part[tid/kind*kind+tid%kind] = v + int32(tid/8)
	}
}

// A shift by less than nothing, of one thread.
//
//gocuda:kernel
func qpFailShift(t *gocuda.Thread, who, kind int, in, out []int32) {
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	v := in[base+tid]
	t.SyncThreads()
	by := tid / 8
	if t.BlockIdx.X == 1 && tid == who {
		by -= who/8 + 1
	}
	out[base+tid] = v >> by
}

// An index below zero, by a mask of what is no power of two.
//
//gocuda:kernel
func qpFailBelow(t *gocuda.Thread, who, kind int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = in[base+tid]
	t.SyncThreads()
	i := 2*tid - tid&(kind-1)
	if t.BlockIdx.X == 1 && tid == who {
		i -= 2*who + 1
	}
	out[base+tid] = a[min(i, nt-1)]
}

// A butterfly goes on for too long, by one turn: one thread has no partner.
//
//gocuda:kernel
func qpFailTurn(t *gocuda.Thread, who, kind int, in, out []int32) {
	a := gocuda.Shared[int32](t, 2048)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid], a[tid+nt] = in[base+tid], 1
	t.SyncThreads()
	b := a[:2*nt]
	for d := 1; d <= nt; d *= 2 {
		if t.BlockIdx.X == 1 && d == nt/2 {
			b = a[:2*nt-1]
		}
		i := tid/d*2*d + tid%d
		b[i], b[i+d] = b[i]+b[i+d], b[i]-b[i+d]
		t.SyncThreads()
	}
	out[base+tid] = a[tid]
}

//gocuda:kernel
func qpFailAtomic(t *gocuda.Thread, who, kind int, in, out []int32) {
	a := gocuda.Shared[int32](t, 1024)
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	a[tid] = 0
	t.SyncThreads()
	bins := a[:nt]
	if t.BlockIdx.X == 1 {
		bins = a[:who/kind]
	}
	if tid <= who/kind*kind {
		atomic.Add(&bins[tid/kind], in[base+tid])
	}
	t.SyncThreads()
	out[base+tid] = a[tid/kind]
}

// A slice of the group.
//
//gocuda:kernel
func qpFailSlice(t *gocuda.Thread, who, kind int, in, out []int32) {
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	part, last := in, 0
	if t.BlockIdx.X == 1 {
		part = in[: who/8*8+2 : who/8*8+2]
		last = who/8*8 + 1
	}
	t.SyncThreads()
	if tid < last {
		group := part[tid/8*8 : tid/8*8+8]
		out[base+tid] = group[tid%8] + group[7-tid%8]
	}
}

// An array of the thread.
//
//gocuda:kernel
func qpFailArray(t *gocuda.Thread, who, kind int, in, out []int32) {
	tid, nt := t.ThreadIdx.X, t.BlockDim.X
	base := t.BlockIdx.X * nt
	var w [8]int32
	w[tid%8] = in[base+tid]
	t.SyncThreads()
	i := tid >> 3 & 7
	if t.BlockIdx.X == 1 && tid == who {
		i += 8
	}
	w[i%16] += int32(tid % 5)
	t.SyncThreads()
	out[base+tid] = w[tid&7] - w[tid/8%8]
}

// qpParts counts quotients and remainders of the numbers below n.
func qpParts(n, d int) (q, r []int) {
	q, r = make([]int, n), make([]int, n)
	for i := 1; i < n; i++ {
		q[i], r[i] = q[i-1], r[i-1]+1
		if r[i] == d {
			q[i], r[i] = q[i]+1, 0
		}
	}
	if d == 1 {
		for i := range q {
			q[i], r[i] = i, 0
		}
	}
	return q, r
}

// qpCases are cases with all pairs of two numbers. A block has per elements a thread; size is what the serial
// computation is told of the block.
func qpCases[T any](name string, cfgs []grid.Config, per int, ns, ss []int, source func(t *gocuda.Thread, n, s int, in, out []T),
	compiled func(n, s int, in, out []T) gocuda.Kernel, serial func(size, n, s int, in, out []T)) (cases []Case) {
	for _, n := range ns {
		for _, s := range ss {
			cases = append(cases, made(fmt.Sprintf("%s of %d, %d", name, n, s), cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				in, out := data[T](per*cfg.Blocks()*cfg.Threads()), marked[T](per*cfg.Blocks()*cfg.Threads())
				return func(t *gocuda.Thread) { source(t, n, s, in, out) }, compiled(n, s, in, out), []any{out}
			}, func(cfg grid.Config) []any {
				size := per * cfg.Threads()
				in, out := data[T](cfg.Blocks()*size), marked[T](cfg.Blocks()*size)
				for first := 0; first < len(in); first += size {
					serial(cfg.Block.X, n, s, in[first:first+size], out[first:first+size])
				}
				return []any{out}
			}))
		}
	}
	return cases
}

func quotientPlaneCases() (cases []Case) {
	add := func(c ...Case) { cases = append(cases, c...) }
	rows := []grid.Config{line(3, 1), line(3, 5), line(3, 24), line(2, 33), line(3, 64), line(2, 96), line(2, 100), line(2, 256), line(1, 512), line(1, 1024), line(40, 64)}
	halves := []grid.Config{line(3, 1), line(3, 2), line(3, 8), line(3, 32), line(3, 64), line(2, 256), line(1, 512), line(1, 1024)}
	fewer := halves[:len(halves)-2]
	none := []int{0}
	small := []int{1, 2, 3, 4, 5, 7, 8, 12, 16, 32, 48, 64, 100, 5000}
	some := []int{1, 3, 8, 16, 40}
	guards := []int{-1, 0, 7, 50, 2000}
	add(qpCases("qpConstants", rows, 1, none, none, qpConstants, qpConstantsKernel, qpConstantsSerial)...)
	add(qpCases("qpEach", rows, 1, none, none, qpEach, qpEachKernel, qpEachSerial)...)
	add(qpCases("qpParameter", rows, 1, []int{0, 50, 2000}, slices.Concat(small, []int{24, 33, 1 << 40, math.MaxInt, -1, -3, -8, -2000, math.MinInt}), qpParameter, qpParameterKernel, qpParameterSerial)...)
	add(qpCases("qpMasks", rows, 1, []int{2000}, slices.Concat(small, []int{0, -1, -8, 6, 9, 24, 33, math.MaxInt, math.MinInt, 1 << 40}), qpMasks, qpMasksKernel, qpMasksSerial)...)
	add(qpCases("qpBitonic", halves, 2, none, none, qpBitonic, qpBitonicKernel, qpSorted[int32])...)
	add(qpCases("qpBitonicDoubles", halves, 2, none, none, qpBitonicDoubles, qpBitonicDoublesKernel, qpSorted[float64])...)
	add(qpCases("qpBitonicPairs", halves, 1, none, none, qpBitonicPairs, qpBitonicPairsKernel, qpSorted[int64])...)
	add(qpCases("qpWalsh", fewer, 2, none, none, qpWalsh, qpWalshKernel, qpWalshSerial)...)
	add(qpCases("qpTransform", fewer, 2, none, none, qpTransform, qpTransformKernel, qpTransformSerial)...)
	add(qpCases("qpHaar", rows, 1, none, none, qpHaar, qpHaarKernel, qpHaarSerial)...)
	add(qpCases("qpScan", slices.Concat(halves, rows), 2, none, []int{0, 1, 20, 3000}, qpScan, qpScanKernel, qpScanSerial)...)
	add(qpCases("qpThirds", rows, 1, none, none, qpThirds, qpThirdsKernel, qpThirdsSerial)...)
	add(qpCases("qpMerge", rows, 1, none, none, qpMerge, qpMergeKernel, qpSorted[int32])...)
	add(qpCases("qpNested", rows, 1, none, small, qpNested, qpNestedKernel, qpNestedSerial)...)
	add(qpCases("qpWords", rows, 1, []int{3}, slices.Concat(small, []int{-1, -3, -8, math.MaxInt32, math.MinInt32}), qpWords, qpWordsKernel, qpWordsSerial)...)
	add(qpCases("qpHelped", rows, 2, none, small, qpHelped, qpHelpedKernel, qpHelpedSerial)...)
	add(qpCases("qpKept", rows, 1, []int{-1, 3}, some, qpKept, qpKeptKernel, qpKeptSerial)...)
	add(qpCases("qpBranches", rows, 1, guards, []int{0, 3, 9}, qpBranches, qpBranchesKernel, qpBranchesSerial)...)
	add(qpCases("qpReturns", rows, 1, guards, some, qpReturns, qpReturnsKernel, qpReturnsSerial)...)
	add(qpCases("qpAtomics", rows, 1, []int{9, 2000}, some, qpAtomics, qpAtomicsKernel, qpAtomicsSerial)...)
	add(qpCases("qpBytes", rows, 1, []int{9, 2000}, some, qpBytes, qpBytesKernel, qpBytesSerial)...)
	add(qpCases("qpShorts", rows, 1, none, []int{3}, qpShorts, qpShortsKernel, qpShortsSerial)...)
	add(qpCases("qpLongs", rows, 1, []int{0, 3, -1, 8000001}, some, qpLongs, qpLongsKernel, qpLongsSerial)...)
	add(qpCases("qpLocals", rows, 1, []int{3}, none, qpLocals, qpLocalsKernel, qpLocalsSerial)...)
	far := []int{0, 5, -4, math.MaxInt - 3, math.MaxInt, math.MinInt, math.MinInt + 12, math.MaxInt32 - 2, math.MinInt32 + 3, math.MaxUint32 - 2}
	add(qpCases("qpOverflow", rows, 1, far, far, qpOverflow, qpOverflowKernel, qpOverflowSerial)...)
	add(qpCases("qpLoops", rows, 1, []int{9, 2000}, some, qpLoops, qpLoopsKernel, qpLoopsSerial)...)
	boxes := slices.Clone(rows)
	for _, b := range []grid.Dim3{{X: 16, Y: 16}, {X: 8, Y: 4, Z: 2}, {X: 8, Y: 8}, {X: 32, Y: 5}, {X: 5, Y: 3}, {X: 12, Y: 4}, {X: 64, Y: 4}} {
		boxes = append(boxes, grid.Config{Grid: grid.Dim3{X: 3}, Block: b})
	}
	add(qpCases("qpBoxes", boxes, 1, none, small, qpBoxes, qpBoxesKernel, qpBoxesSerial)...)
	add(qpCases("qpPermuted", rows, 1, none, small, qpPermuted, qpPermutedKernel, qpPermutedSerial)...)
	add(qpCases("qpFirst", rows, 1, []int{3}, small, qpFirst, qpFirstKernel, qpFirstSerial)...)
	add(qpCases("qpDivisor", rows, 1, none, small, qpDivisor, qpDivisorKernel, qpDivisorSerial)...)
	add(qpCases("qpDivisors", rows, 1, []int{9}, some, qpDivisors, qpDivisorsKernel, qpDivisorsSerial)...)
	add(qpCases("qpEnds", rows, 1, far, far, qpEnds, qpEndsKernel, qpEndsSerial)...)
	add(qpCases("qpWraps", rows, 1, far, far, qpWraps, qpWrapsKernel, qpWrapsSerial)...)
	add(qpCases("qpNarrow", rows, 1, []int{2, 99}, []int{1, 2, 3, 8, 24, 64, -1, -5, -8, math.MaxInt32}, qpNarrow, qpNarrowKernel, qpNarrowSerial)...)
	add(qpCases("qpLeft", rows, 1, slices.Concat(guards, []int{23, 61}), []int{0, 1, 5, 8, 12, 64}, qpLeft, qpLeftKernel, qpLeftSerial)...)
	turns := slices.Concat(halves, rows)
	add(qpCases("qpTurnBytes", turns, 2, []int{0, 5, 40}, []int{0, 1, 8, 64, 512}, qpTurnBytes, qpTurnBytesKernel, qpTurnsSerial[uint8])...)
	add(qpCases("qpTurnLongs", turns, 2, []int{0, 5, 40}, []int{0, 1, 8, 64, 512}, qpTurnLongs, qpTurnLongsKernel, qpTurnsSerial[int64])...)
	add(qpCases("qpTurnShorts", turns, 2, []int{0, 5, 40}, []int{0, 1, 8, 64, 512}, qpTurnShorts, qpTurnShortsKernel, qpTurnsSerial[int16])...)
	add(qpCases("qpHeld", rows, 1, []int{0, 50}, []int{1, 8, 100}, qpHeld, qpHeldKernel, qpHeldSerial)...)
	for _, c := range qpCases("qpSame", rows, 1, []int{3}, small, qpSame, qpSameKernel, qpSameSerial) {
		c.Races = true
		add(c)
	}
	add(qpCases("qpCounted", rows, 1, []int{9, 2000}, []int{0, 1, 8, 13, 35}, qpCounted, qpCountedKernel, qpCountedSerial)...)
	add(qpCases("qpStrided", rows, 2, none, small, qpStrided, qpStridedKernel, qpStridedSerial)...)
	// The output begins so many elements behind the input, or before it. There is one block.
	var single []grid.Config
	for _, cfg := range rows {
		single = append(single, line(1, cfg.Threads()))
	}
	for _, shift := range []int{8, 24, -8, -40} {
		for _, n := range []int{0, 13, 2000} {
			in, out := max(-shift, 0), max(shift, 0)
			length := func(cfg grid.Config) int { return (cfg.Threads()+7)&^7 + in + out }
			add(made(fmt.Sprintf("qpOverlap of %d by %d", n, shift), single, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				all := data[int32](length(cfg))
				return func(t *gocuda.Thread) { qpOverlap(t, n, 50, all[in:], all[out:]) }, qpOverlapKernel(n, 50, all[in:], all[out:]), []any{all}
			}, func(cfg grid.Config) []any {
				all := data[int32](length(cfg))
				qpOverlapSerial(cfg.Threads(), n, 50, all, in, out)
				return []any{all}
			}))
		}
	}
	for _, s := range small {
		add(made(fmt.Sprintf("qpGlobal by %d", s), rows, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[int32](cfg.Blocks()*cfg.Threads()), marked[int32](cfg.Blocks()*cfg.Threads())
			return func(t *gocuda.Thread) { qpGlobal(t, 6, s, in, out) }, qpGlobalKernel(6, s, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in, out := data[int32](cfg.Blocks()*cfg.Threads()), marked[int32](cfg.Blocks()*cfg.Threads())
			for first := 0; first < len(in); first += s {
				for k := range min(s, len(in)-first) {
					out[first+k] = in[first]
					if k == 1 || s == 1 {
						out[first+k] *= 2
					}
				}
			}
			for first := 0; first < len(in); first += cfg.Threads() {
				for k := range min(24, cfg.Threads()) {
					out[first+k] -= int32(k&3*100 + k>>2)
				}
			}
			return []any{out}
		}))
	}
	return cases
}

func quotientPlaneFailures() (all []Failure) {
	zero := "integer divide by zero"
	for _, nt := range []int{1, 5, 24, 33, 64, 100, 256, 1024} {
		n := 3 * nt
		fails := func(name string, who, kind int, source func(t *gocuda.Thread, who, kind int, in, out []int32),
			compiled func(who, kind int, in, out []int32) gocuda.Kernel, text string) {
			all = append(all, failureOf(fmt.Sprintf("%s %d, %d of %d", name, who, kind, nt), nt, who, kind, source, compiled, text))
		}
		blames := func(thread int) { all[len(all)-1].Thread = grid.Dim3{X: thread} }
		for _, who := range []int{0, 1, 13, 23, 40, nt - 1} {
			if who >= nt || who == nt-1 && slices.Contains([]int{0, 1, 13, 23, 40}, who) && nt != who+1 {
				continue
			}
			if slices.ContainsFunc(all, func(f Failure) bool { return f.Name == fmt.Sprintf("qpFailIndex %d, 0 of %d", who, nt) }) {
				continue
			}
			fails("qpFailDivide", who, 0, qpFailDivide, qpFailDivideKernel, zero)
			fails("qpFailRemainder", who, 0, qpFailRemainder, qpFailRemainderKernel, zero)
			fails("qpFailCounter", who, 0, qpFailCounter, qpFailCounterKernel, zero)
			fails("qpFailIndex", who, 0, qpFailIndex, qpFailIndexKernel, fmt.Sprintf("index out of range [%d] with length %d", n+who, n))
			fails("qpFailShift", who, 0, qpFailShift, qpFailShiftKernel, "negative shift amount")
			fails("qpFailArray", who, 0, qpFailArray, qpFailArrayKernel, fmt.Sprintf("index out of range [%d] with length 8", 8+who/8%8))
			fails("qpFailSlice", who, 0, qpFailSlice, qpFailSliceKernel, "slice bounds out of range")
			blames(who / 8 * 8)
			for _, kind := range []int{0, 1, 6, 8, 64} {
				text := "index out of range [-"
				fails("qpFailBelow", who, kind, qpFailBelow, qpFailBelowKernel, text)
			}
			for _, kind := range []int{1, 3, 8, 12, 64} {
				text := fmt.Sprintf("index out of range [%d] with length %d", who/kind, who/kind)
				fails("qpFailGroup", who, kind, qpFailGroup, qpFailGroupKernel, text)
				blames(who / kind * kind)
				fails("qpFailAtomic", who, kind, qpFailAtomic, qpFailAtomicKernel, text)
				blames(who / kind * kind)
				fails("qpFailStore", who, kind, qpFailStore, qpFailStoreKernel, fmt.Sprintf("index out of range [%d] with length %d", who, who))
			}
		}
		fails("qpFailAll", 0, 0, qpFailAll, qpFailAllKernel, zero)
		if nt&(nt-1) == 0 && nt > 2 {
			fails("qpFailTurn", nt-1, 0, qpFailTurn, qpFailTurnKernel, fmt.Sprintf("index out of range [%d] with length %d", 2*nt-1, 2*nt-1))
		}
	}
	return all
}
