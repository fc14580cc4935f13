//go:build compiled

package corpus

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Functions of several results: sine and cosine, the whole and the rest of a number, long products, carries. And
// numbers of 64 bits that are read as ones of 32 bits alone.

// svAngle is a number of any size, or a special one.
func svAngle(i int, x float32) float64 {
	switch i % 23 {
	case 0:
		return math.Inf(1 - i&2)
	case 5:
		return math.NaN()
	case 7:
		return math.Copysign(0, float64(i%2)-0.5)
	case 11:
		return float64(x) * 1e15
	case 13:
		return float64(x) * 1e-300
	}
	return float64(x) * float64(i%50)
}

//gocuda:kernel
func svSincos(t *gocuda.Thread, in []float32, out []float64) {
	i := t.GlobalX()
	x := svAngle(i, in[i])
	if i%3 == 0 {
		x /= 3
	}
	s, c := math.Sincos(x)
	x = 2 * s
	_, d := math.Sincos(x)
	out[i] = s*c + x - d
}

func svSincosWant(_ grid.Config, in []float32, out []float64) {
	for i := range out {
		x := svAngle(i, in[i])
		if i%3 == 0 {
			x /= 3
		}
		s, c := math.Sincos(x)
		sum := float64(s*c) + 2*s
		_, d := math.Sincos(2 * s)
		out[i] = sum - d
	}
}

// The results are read as float32 alone, also in a loop and behind a barrier.
//
//gocuda:kernel
func svShort(t *gocuda.Thread, in []float32, out []float32) {
	i := t.GlobalX()
	a := float64(in[i])
	s, c := math.Sincos(a)
	sum := float32(0)
	var last float64
	for k := range 5 {
		e := math.Exp(a / float64(k+1))
		last = math.Sqrt(e) + float64(k)
		sum += float32(e)*float32(s) - float32(e)
	}
	t.SyncThreads()
	out[i] = sum + float32(c)*float32(last) + float32(s)
}

func svShortWant(_ grid.Config, in []float32, out []float32) {
	for i := range out {
		a := float64(in[i])
		s, c := float32(math.Sin(a)), float32(math.Cos(a))
		sum, last := float32(0), float32(0)
		for k := range 5 {
			e := math.Exp(a / float64(k+1))
			last = float32(math.Sqrt(e) + float64(k))
			product := float32(float32(e) * s)
			sum += product - float32(e)
		}
		first := float32(c * last)
		out[i] = sum + first + s
	}
}

//gocuda:kernel
func svModf(t *gocuda.Thread, in []float32, out []float64) {
	i := t.GlobalX()
	x := svAngle(i, in[i])
	whole, rest := math.Modf(x)
	out[i] = 1/rest + whole // so that the sign of a zero is seen
}

func svModfWant(_ grid.Config, in []float32, out []float64) {
	for i := range out {
		whole, rest := math.Modf(svAngle(i, in[i]))
		out[i] = 1/rest + whole
	}
}

// svNumber is a number of 64 bits, often one with carries.
func svNumber(i int, x int64) uint64 {
	switch i % 7 {
	case 0:
		return math.MaxUint64 - uint64(i%3)
	case 1:
		return 1<<63 + uint64(i%2)
	case 2:
		return 1<<32 - uint64(i%3)
	case 3:
		return uint64(i % 3)
	}
	return uint64(x) * 0x9E3779B97F4A7C15
}

//gocuda:kernel
func svProducts(t *gocuda.Thread, in []int64, out []uint64) {
	i := t.GlobalX()
	a, b := svNumber(i, in[i]), svNumber(i/7, in[i]^0x55)
	high, low := bits.Mul64(a, b)
	top, _ := bits.Mul32(uint32(a), uint32(b>>32))
	up, down := bits.Mul32(uint32(a>>16), uint32(b))
	out[i] = high ^ low<<1 ^ uint64(top)<<32 ^ uint64(up)<<8 ^ uint64(down)
}

func svProductsWant(_ grid.Config, in []int64, out []uint64) {
	for i := range out {
		a, b := svNumber(i, in[i]), svNumber(i/7, in[i]^0x55)
		long := func(x, y uint64) *big.Int {
			return new(big.Int).Mul(new(big.Int).SetUint64(x), new(big.Int).SetUint64(y))
		}
		p := long(a, b)
		high, low := new(big.Int).Rsh(p, 64).Uint64(), new(big.Int).And(p, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		top := long(uint64(uint32(a)), b>>32).Uint64() >> 32
		q := long(uint64(uint32(a>>16)), uint64(uint32(b))).Uint64()
		out[i] = high ^ low<<1 ^ top<<32 ^ q>>32<<8 ^ uint64(uint32(q))
	}
}

// Sums and differences of 128 bits, and of 64 bits in halves.
//
//gocuda:kernel
func svCarries(t *gocuda.Thread, in []int64, out []uint64) {
	i := t.GlobalX()
	a, b, c, d := svNumber(i, in[i]), svNumber(i/7, in[i]), svNumber(i/3, in[i]^9), svNumber(i/2, -in[i])
	low, carry := bits.Add64(a, b, 0)
	high, over := bits.Add64(c, d, carry)
	less, borrow := bits.Sub64(low, c, over)
	more, under := bits.Sub64(high, a, borrow)
	l32, c32 := bits.Add32(uint32(a), uint32(b), uint32(under))
	h32, o32 := bits.Add32(uint32(a>>32), uint32(b>>32), c32)
	s32, b32 := bits.Sub32(l32, uint32(c), o32)
	out[i] = less ^ more<<3 ^ uint64(h32)<<32 ^ uint64(s32) ^ uint64(b32)<<60
}

func svCarriesWant(_ grid.Config, in []int64, out []uint64) {
	number := func(high, low uint64) *big.Int {
		n := new(big.Int).SetUint64(high)
		return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(low))
	}
	whole := new(big.Int).Lsh(big.NewInt(1), 128)
	parts := func(n *big.Int) (out, high, low uint64) {
		n = new(big.Int).Add(n, whole) // differences may be negative
		low = new(big.Int).And(n, number(0, math.MaxUint64)).Uint64()
		n.Rsh(n, 64)
		high = new(big.Int).And(n, number(0, math.MaxUint64)).Uint64()
		return n.Rsh(n, 64).Uint64(), high, low // 1 or 2 for a sum; 0 or 1 for a difference
	}
	for i := range out {
		a, b, c, d := svNumber(i, in[i]), svNumber(i/7, in[i]), svNumber(i/3, in[i]^9), svNumber(i/2, -in[i])
		over, high, low := parts(new(big.Int).Add(number(c, a), number(d, b)))
		n := new(big.Int).Sub(number(high, low), number(a, c))
		less, more, first := parts(n.Sub(n, big.NewInt(int64(over-1))))
		under := 1 - less
		sum := new(big.Int).Add(number(0, a), number(0, b))
		sum.Add(sum, big.NewInt(int64(under)))
		_, top, halves := parts(sum)
		wide := new(big.Int).Sub(number(0, halves&math.MaxUint32), number(0, c&math.MaxUint32))
		wide.Sub(wide, big.NewInt(int64(top)))
		borrow := uint64(0)
		if wide.Sign() < 0 {
			borrow = 1
		}
		_, _, short := parts(wide)
		out[i] = first ^ more<<3 ^ halves>>32<<32 ^ short&math.MaxUint32 ^ borrow<<60
	}
}

// Philox (Salmon et al., SC 2011) in the two ways to write a long product, and a number below a limit by one
// (Lemire, 2019).
//
//gocuda:kernel
func svPhilox(t *gocuda.Thread, in []int32, out []uint32) {
	i := t.GlobalX()
	c0, c1, c2, c3, k0, k1 := uint32(i), uint32(in[i]), uint32(7), uint32(in[i]>>3), uint32(11), uint32(in[i]<<3)
	for range 10 {
		p := uint64(0xD2511F53) * uint64(c0)
		high, low := bits.Mul32(0xCD9E8D57, c2)
		c0, c1, c2, c3 = high^c1^k0, low, uint32(p>>32)^c3^k1, uint32(p)
		k0 += 0x9E3779B9
		k1 += 0xBB67AE85
	}
	out[i] = c0 ^ uint32(uint64(c1)*uint64(c2%1000)>>32)<<4 ^ c3
}

func svPhiloxWant(_ grid.Config, in []int32, out []uint32) {
	halves := func(x, y uint32) (uint32, uint32) {
		p := new(big.Int).Mul(big.NewInt(int64(x)), big.NewInt(int64(y))).Uint64()
		return uint32(p >> 32), uint32(p)
	}
	for i := range out {
		c, k := [4]uint32{uint32(i), uint32(in[i]), 7, uint32(in[i] >> 3)}, [2]uint32{11, uint32(in[i] << 3)}
		for range 10 {
			h0, l0 := halves(0xD2511F53, c[0])
			h1, l1 := halves(0xCD9E8D57, c[2])
			c = [4]uint32{h1 ^ c[1] ^ k[0], l1, h0 ^ c[3] ^ k[1], l0}
			k[0] += 0x9E3779B9
			k[1] += 0xBB67AE85
		}
		below, _ := halves(c[1], c[2]%1000)
		out[i] = c[0] ^ below<<4 ^ c[3]
	}
}

var severalResultCases = []Case{
	perThread("svSincos", linear, svSincos, svSincosKernel, svSincosWant),
	perThread("svShort", linear, svShort, svShortKernel, svShortWant),
	perThread("svModf", linear, svModf, svModfKernel, svModfWant),
	perThread("svProducts", linear, svProducts, svProductsKernel, svProductsWant),
	perThread("svCarries", linear, svCarries, svCarriesKernel, svCarriesWant),
	perThread("svPhilox", linear, svPhilox, svPhiloxKernel, svPhiloxWant),
}
