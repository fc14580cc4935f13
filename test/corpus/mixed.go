//go:build compiled

package corpus

import (
	"math"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Phases with numbers of 32 and of 64 bits: vectors of 32 bytes have four lanes of both.

// mxConfigs have rows of many vectors, of some, and such that are no vectors.
var mxConfigs = []grid.Config{
	line(2, 256), line(3, 64), line(2, 42), line(3, 7), line(1, 1),
	{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 16, Y: 4}},
	{Grid: grid.Dim3{X: 1, Y: 2}, Block: grid.Dim3{X: 5, Y: 3, Z: 2}},
}

// Arithmetic of both sizes, a comparison of each that chooses the other, and what is larger and
// smaller.
//
//gocuda:kernel
func mxFloats(t *gocuda.Thread, in []float32, out []float64) {
	i := mxRank(t)
	x := in[i]
	d := float64(x)*1.1 + float64(x*0.3)
	if x > 10 {
		d -= float64(x / 7)
	}
	y := x
	if d < -20 {
		y = float32(d) * 0.5
	} else if d != d || x == 3 {
		y = 8
	}
	out[i] = max(d, float64(y)) - min(float64(-x), d*0.25) + math.Sqrt(math.Abs(float64(y))) + float64(float32(math.Floor(float64(x))))
}

func mxRank(t *gocuda.Thread) int {
	return (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z + t.Rank()
}

func mxFloatsWant(_ grid.Config, in []float32, out []float64) {
	for i, x := range in {
		d := float64(x)*1.1 + float64(x*0.3)
		y := x
		if x > 10 {
			d -= float64(x / 7)
		}
		switch {
		case d < -20:
			y = float32(d) / 2
		case x == 3:
			y = 8
		}
		out[i] = math.Max(d, float64(y)) - math.Min(-float64(x), d/4) + math.Sqrt(math.Abs(float64(y))) + math.Floor(float64(x))
	}
}

// The same, from large to small.
//
//gocuda:kernel
func mxNarrow(t *gocuda.Thread, in []float64, out []float32) {
	i := mxRank(t)
	d := in[i]
	f := float32(d)
	g := float32(d*d) - f
	if float64(f) > d {
		g = -g
	} else if float64(f) == d {
		g += 1
	}
	if g >= 100 || d <= -50 && f != g {
		f = float32(float64(g) * (1 / 3.0))
	}
	out[i] = f/3 + float32(math.Trunc(d)) + float32(math.Ceil(float64(g))) - float32(math.Sqrt(float64(f*f)))
}

// Integers with signs: sums, products, comparisons and shifts of both sizes.
//
//gocuda:kernel
func mxIntegers(t *gocuda.Thread, in []int32, out []int64) {
	i := mxRank(t)
	x := in[i]
	w := int64(x)
	k := w*w + int64(x*x) - int64(-x)
	if x > 1000 {
		k ^= int64(x>>3) << 7
	}
	y := int32(k)
	if k < 0 || y == 77 {
		y = ^y &^ x
	} else if y <= x {
		y += x | 5
	}
	out[i] = k>>5 + int64(min(x, y)) - max(w, int64(y&0xff00)) + int64(int32(w>>32)^y<<4)
}

func mxIntegersWant(_ grid.Config, in []int32, out []int64) {
	for i, x := range in {
		k := int64(x)*int64(x) + int64(int32(int64(x)*int64(x))) - int64(int32(-int64(x)))
		if x > 1000 {
			k ^= int64(x) >> 3 << 7
		}
		y := int32(k)
		switch {
		case k < 0 || y == 77:
			y = ^(y | x)
		case y <= x:
			y += x | 5
		}
		r := k >> 5
		if x < y {
			r += int64(x)
		} else {
			r += int64(y)
		}
		if m := int64(y & 0xff00); int64(x) > m {
			r -= int64(x)
		} else {
			r -= m
		}
		out[i] = r + int64(int32(int64(x)>>32)^y<<4)
	}
}

// Integers without signs, from large to small.
//
//gocuda:kernel
func mxUnsigned(t *gocuda.Thread, in []uint64, out []uint32) {
	i := mxRank(t)
	w := in[i]
	a, b := uint32(w), uint32(w>>32)
	p := uint64(a) * uint64(b)
	hi, lo := uint32(p>>32), uint32(p)
	if p > w {
		hi ^= 0xdeadbeef
	}
	if hi >= lo || a < 1<<31 && b != 0 {
		lo = lo*1664525 + 1013904223
	}
	if uint64(hi) <= p>>33 {
		lo -= max(a, b)
	}
	out[i] = hi ^ lo ^ min(a, b)>>3 ^ lo<<9
}

func mxUnsignedWant(_ grid.Config, in []uint64, out []uint32) {
	for i, w := range in {
		a, b := uint32(w), uint32(w>>32)
		h, l := bits.Mul64(w&0xffffffff, w>>32)
		if h != 0 {
			panic("no product of 64 bits")
		}
		hi, lo := uint32(l>>32), uint32(l)
		if l > w {
			hi ^= 0xdeadbeef
		}
		if hi >= lo || a < 1<<31 && b != 0 {
			lo = uint32(uint64(lo)*1664525 + 1013904223)
		}
		if uint64(hi) <= l>>33 {
			if a > b {
				lo -= a
			} else {
				lo -= b
			}
		}
		m := a
		if b < a {
			m = b
		}
		out[i] = hi ^ lo ^ m>>3 ^ lo<<9
	}
}

// Integers to floating point. Some lie between two float32, next to the middle.
//
//gocuda:kernel
func mxToFloat(t *gocuda.Thread, in []int64, out []float32) {
	i := mxRank(t)
	v := in[i]
	near := v>>38<<39 | 1<<38 + v&3 - 1
	r := float32(v) + float32(uint64(v)) - float32(int32(v)) + float32(uint32(v))
	r += float32(near) - float32(uint64(near))/3
	r += float32(float64(v)/7) - float32(float64(uint64(v))/9) + float32(float64(int32(v))*float64(uint32(v)))
	out[i] = r
}

func mxToFloatWant(_ grid.Config, in []int64, out []float32) {
	for i, v := range in {
		near := v>>38<<39 | 1<<38 + v&3 - 1
		s := func(v int64) float32 { return float32(v) }
		u := func(v uint64) float32 { return float32(v) }
		r := s(v) + u(uint64(v)) - s(int64(int32(v))) + u(uint64(v)&(1<<32-1))
		r += s(near) - u(uint64(near))/3
		r += float32(float64(v)/7) - float32(float64(uint64(v))/9) + float32(float64(int32(v))*float64(uint32(v)))
		out[i] = r
	}
}

// Floating point to integers, all in range.
//
//gocuda:kernel
func mxFromFloat(t *gocuda.Thread, in []float32, out []int64) {
	i := mxRank(t)
	f := in[i]
	d := float64(f) * 1.75
	r := int64(f*1e12) + int64(int32(f*1e6))*5 + int64(int32(d*1e6)) ^ int64(d*1e14)
	if f >= 0 {
		r ^= int64(uint32(f*4e7)) + int64(uint32(d*2e7))<<3 + int64(uint64(f*1e15)) - int64(uint64(d*1e17)/3)
	}
	out[i] = r
}

// The same of float64, to 32 bits.
//
//gocuda:kernel
func mxFromDouble(t *gocuda.Thread, in []float64, out []uint32) {
	i := mxRank(t)
	d := in[i]
	r := uint32(int32(d*1e7)) + uint32(int64(d*1e15))*3
	if d >= 0 {
		r ^= uint32(d*4e7) + uint32(uint64(d*1e17)>>20)
	}
	out[i] = r ^ uint32(int32(float32(d)*1e7))
}

// Elements where other elements say, with indices of both sizes, to elements of both sizes, under
// conditions.
//
//gocuda:kernel
func mxGather(t *gocuda.Thread, at []int32, far []int, x []float32, y []float64, out []float64, outs []float32, to []uint32) {
	i := mxRank(t)
	j, k := at[i], far[i]
	d := y[j] + float64(x[k])
	f := x[j] * 2
	for range 3 { // enough work for what is gathered
		for range 2 {
			d = d*0.5 + float64(f)
			f = f*0.25 - float32(d)
		}
	}
	if d > 0 {
		d += y[k] - float64(x[at[k]])
		out[j] = d
	}
	if f < 50 {
		f -= float32(y[j])
		outs[k] = f + x[to[i]]
	} else {
		outs[far[i]] = float32(d)
	}
}

// Elements that are not neighbours, and such in reversed order.
//
//gocuda:kernel
func mxStride(t *gocuda.Thread, n int, x []float32, y []float64, out []float32) {
	i := mxRank(t)
	d := y[3*i] - float64(x[2*i+1])
	f := x[n-1-i]*4 + float32(y[n-1-i])
	out[2*i] = f + float32(d)
	out[2*i+1] = float32(d * 0.5)
	if d > 0 {
		out[2*n+n-1-i] = f - 1
	}
}

// Reversed order of all kinds, with all lanes on.
//
//gocuda:kernel
func mxReverse(t *gocuda.Thread, n int, x []float32, a []int32, u []uint32, y []float64, out []float32, ints []int32, counts []uint32) {
	i := t.GlobalX()
	d := y[i]
	out[n-1-i] = x[n-1-i] + float32(d)
	ints[n-1-i] = a[n-1-i] + int32(d)
	counts[n-1-i] = u[n-1-i] ^ uint32(int64(d))
}

// Sums of both sizes in a loop, of rounds that differ.
//
//gocuda:kernel
func mxSums(t *gocuda.Thread, n, step int, in []float32, ints []int32, out []float64, sums []int64) {
	var f float32
	var d float64
	var k int32
	var w int64
	for i := t.GlobalX(); i < n; i += step {
		x := in[i]
		f += x
		d += float64(x) * float64(f)
		k = k*31 + ints[i]
		w += int64(k) * int64(ints[i])
		if w < 0 {
			k++
		}
	}
	out[t.GlobalX()] = d + float64(f)
	sums[t.GlobalX()] = w ^ int64(k)
}

func mxSumsWant(cfg grid.Config, n, step int, in []float32, ints []int32) (out []float64, sums []int64) {
	out, sums = marked[float64](cfg.Blocks()*cfg.Threads()), marked[int64](cfg.Blocks()*cfg.Threads())
	for first := range out {
		var f float32
		var d float64
		var k int32
		var w int64
		for i := first; i < n; i += step {
			f += in[i]
			d += float64(in[i]) * float64(f)
			k = k*31 + ints[i]
			w += int64(k) * int64(ints[i])
			if w < 0 {
				k++
			}
		}
		out[first], sums[first] = d+float64(f), w^int64(k)
	}
	return out, sums
}

// Lanes leave a loop one by one, on conditions of both sizes.
//
//gocuda:kernel
func mxLeave(t *gocuda.Thread, in []float32, out []float64) {
	i := mxRank(t)
	x := in[i] / 64
	var z float64
	var f float32
	var k int32
	for k < 40 {
		z = z*z - float64(x)
		if z > 3 {
			break
		}
		f = f*0.5 + float32(z)
		if f < -1.5 {
			k += 3
			continue
		}
		k++
	}
	out[i] = z + float64(f)*10 + float64(k)*1000
}

// Values of both sizes are kept across a barrier.
//
//gocuda:kernel
func mxKept(t *gocuda.Thread, in []int32, out []float64) {
	s := gocuda.Shared[float32](t, 1024)
	i := mxRank(t)
	tid := t.Rank()
	x := in[i] >> 8
	f := float32(x) * 0.25
	d := float64(in[i]) / 3
	s[tid] = f + float32(d)
	t.SyncThreads()
	g := s[t.BlockDim.X*t.BlockDim.Y*t.BlockDim.Z-1-tid]
	t.SyncThreads()
	s[tid] = g * 2
	t.SyncThreads()
	out[i] = d + float64(g)*float64(f) + float64(x^5) + float64(s[tid])
}

// Quotients and remainders of both sizes.
//
//gocuda:kernel
func mxDivide(t *gocuda.Thread, in []int32, by []int32, out []int64) {
	i := mxRank(t)
	a, b := in[i], by[i]
	u, v := uint32(a), uint32(b)
	r := int64(a/7) + int64(u/7)*3 - int64(a%10) + int64(u%16) + int64(a/8) + int64(a%8)
	if b != 0 {
		r += int64(a/b) ^ int64(a%b)<<3 + int64(u/v)*5 - int64(u%v)
	}
	out[i] = r
}

// Counts of bits, the bits of floats, and shifts by what is the same for all.
//
//gocuda:kernel
func mxBits(t *gocuda.Thread, n uint, in []uint32, out []uint64) {
	i := mxRank(t)
	u := in[i]
	w := uint64(u)<<32 | uint64(^u)>>1
	r := uint64(bits.OnesCount32(u)) + uint64(bits.LeadingZeros32(u))<<8 + uint64(bits.TrailingZeros32(u))<<16 + uint64(bits.Len32(u))<<24
	r ^= uint64(bits.Reverse32(u)) + uint64(bits.ReverseBytes32(u))<<20 + uint64(bits.RotateLeft32(u, 7))
	r += uint64(u<<n) ^ w>>n + uint64(int64(int32(u)>>n))
	f := math.Float32frombits(u&0x007fffff | 0x3f800000)
	r ^= math.Float64bits(float64(f)) + uint64(math.Float32bits(f*3))
	if math.Signbit(float64(f - 1.5)) {
		r++
	}
	out[i] = r + uint64(bits.OnesCount64(w))
}

// Rows of float32 above each other, to float64.
//
//gocuda:kernel
func mxRows(t *gocuda.Thread, w, h int, in []float32, out []float64) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= 1 && x < w-1 && y >= 1 && y < h-1 {
		s := float64(in[y*w+x]) * 4
		for dy := -1; dy <= 1; dy += 2 {
			s -= float64(in[(y+dy)*w+x]) * 0.5
		}
		out[y*w+x] = s - float64(in[y*w+x-1]+in[y*w+x+1])
	}
}

// Steps from lane to lane as numbers of other types.
//
//gocuda:kernel
func mxSteps(t *gocuda.Thread, base int, in []float64, out []float32) {
	i := t.GlobalX()
	f := float32(i) + float32(base+3*i)
	k := int32(i*5) + int32(base)
	u := uint32(i) - 7
	if in[i] > float64(k) {
		f += float32(u)
	}
	out[i] = f*float32(in[i]) + float32(k)
}

// The threads with few numbers to read, and those with none.
//
//gocuda:kernel
func mxGuarded(t *gocuda.Thread, n int, in []float32, out []float64) {
	if i := t.GlobalX(); i < n {
		x := in[i]
		if x > 0 && float64(x)*1.5 < 90 {
			out[i] = float64(x) / 3
		} else if x != 0 {
			out[i] = math.Abs(float64(x)) + float64(int32(x))
		}
	}
}

// mxIndices returns indices below n in another order, each once.
func mxIndices[T int32 | int | uint32](n, seed int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(i)
	}
	for i := n - 1; i > 0; i-- {
		j := int(hash(i+seed) % uint64(i+1))
		s[i], s[j] = s[j], s[i]
	}
	return s
}

var mixedCases = []Case{
	perThread("mxFloats", mxConfigs, mxFloats, mxFloatsKernel, mxFloatsWant),
	perThread("mxNarrow", mxConfigs, mxNarrow, mxNarrowKernel, nil),
	perThread("mxIntegers", mxConfigs, mxIntegers, mxIntegersKernel, mxIntegersWant),
	perThread("mxUnsigned", mxConfigs, mxUnsigned, mxUnsignedKernel, mxUnsignedWant),
	perThread("mxToFloat", mxConfigs, mxToFloat, mxToFloatKernel, mxToFloatWant),
	perThread("mxFromFloat", mxConfigs, mxFromFloat, mxFromFloatKernel, nil),
	perThread("mxFromDouble", mxConfigs, mxFromDouble, mxFromDoubleKernel, nil),
	perThread("mxLeave", mxConfigs, mxLeave, mxLeaveKernel, nil),
	perThread("mxKept", mxConfigs, mxKept, mxKeptKernel, nil),
	guarded("mxGuarded", linear, mxGuarded, mxGuardedKernel, nil),
	made("mxGather", mxConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		at, far, to := mxIndices[int32](n, 1), mxIndices[int](n, 2), mxIndices[uint32](n, 3)
		x, y, out, outs := data[float32](n), data[float64](n), marked[float64](n), marked[float32](n)
		return func(t *gocuda.Thread) { mxGather(t, at, far, x, y, out, outs, to) }, mxGatherKernel(at, far, x, y, out, outs, to), []any{out, outs}
	}, nil),
	made("mxStride", mxConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		x, y, out := data[float32](2*n), data[float64](3*n), marked[float32](3*n)
		return func(t *gocuda.Thread) { mxStride(t, n, x, y, out) }, mxStrideKernel(n, x, y, out), []any{out}
	}, nil),
	made("mxReverse", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		x, a, u, y := data[float32](n), data[int32](n), data[uint32](n), data[float64](n)
		out, ints, counts := marked[float32](n), marked[int32](n), marked[uint32](n)
		return func(t *gocuda.Thread) { mxReverse(t, n, x, a, u, y, out, ints, counts) },
			mxReverseKernel(n, x, a, u, y, out, ints, counts), []any{out, ints, counts}
	}, nil),
	made("mxSums", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		threads := cfg.Blocks() * cfg.Threads()
		n := 5*threads + threads/3
		in, ints, out, sums := data[float32](n), data[int32](n), marked[float64](threads), marked[int64](threads)
		return func(t *gocuda.Thread) { mxSums(t, n, threads, in, ints, out, sums) },
			mxSumsKernel(n, threads, in, ints, out, sums), []any{out, sums}
	}, func(cfg grid.Config) []any {
		threads := cfg.Blocks() * cfg.Threads()
		n := 5*threads + threads/3
		out, sums := mxSumsWant(cfg, n, threads, data[float32](n), data[int32](n))
		return []any{out, sums}
	}),
	made("mxDivide", mxConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, by, out := data[int32](n), dataFrom[int32](n, 5), marked[int64](n)
		return func(t *gocuda.Thread) { mxDivide(t, in, by, out) }, mxDivideKernel(in, by, out), []any{out}
	}, nil),
	made("mxBits", mxConfigs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out := data[uint32](n), marked[uint64](n)
		return func(t *gocuda.Thread) { mxBits(t, 13, in, out) }, mxBitsKernel(13, in, out), []any{out}
	}, nil),
	made("mxRows", boxes, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		w, h := cfg.Grid.X*cfg.Block.X, max(cfg.Grid.Y, 1)*max(cfg.Block.Y, 1)
		in, out := data[float32](w*h), marked[float64](w*h)
		return func(t *gocuda.Thread) { mxRows(t, w, h, in, out) }, mxRowsKernel(w, h, in, out), []any{out}
	}, nil),
	made("mxSteps", linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out := data[float64](n), marked[float32](n)
		return func(t *gocuda.Thread) { mxSteps(t, 1<<24-9, in, out) }, mxStepsKernel(1<<24-9, in, out), []any{out}
	}, nil),
}

// One index of 32 bits is outside, and one divisor of 32 bits is zero, among numbers of 64.
var mixedFailures = []Failure{
	{Name: "mxOutside", Config: line(2, 100), Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 38}, Text: "index out of range [100000]",
		Make: func(cfg grid.Config) Instance {
			n := cfg.Blocks() * cfg.Threads()
			at, x, y, out := mxIndices[int32](n, 1), data[float32](n), data[float64](n), marked[float64](n)
			at[138] = 100000
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { mxOutside(t, at, x, y, out) }),
				Compiled: mxOutsideKernel(at, x, y, out),
				Outputs:  []any{out},
			}
		}},
	{Name: "mxZero", Config: line(2, 100), Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: 41}, Text: "divide by zero",
		Make: func(cfg grid.Config) Instance {
			n := cfg.Blocks() * cfg.Threads()
			in, out := below[int32](50)(n), marked[int64](n)
			for i := range in {
				in[i] += 3
			}
			in[141] = 0
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { mxZero(t, in, out) }),
				Compiled: mxZeroKernel(in, out),
				Outputs:  []any{out},
			}
		}},
}

//gocuda:kernel
func mxOutside(t *gocuda.Thread, at []int32, x []float32, y []float64, out []float64) {
	i := t.GlobalX()
	f := x[i]
	d := y[i]
	out[i] = d*float64(f*3)*2 + float64(f)*d - float64(f-1)*(d+1) + float64(x[at[i]]) + d*d*float64(f)
}

//gocuda:kernel
func mxZero(t *gocuda.Thread, in []int32, out []int64) {
	i := t.GlobalX()
	a := in[i]
	out[i] = int64(100000/a)*int64(a+4) + int64(a*a) - int64(a^9)<<4
}
