package device_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// decode is the definition of binary16.
func decode(h device.Half) float64 {
	sign, exp, significand := int(h>>15), int(h>>10&31), float64(h&1023)
	x := 0.0
	switch exp {
	case 0:
		x = math.Ldexp(significand, -24)
	case 31:
		x = math.Inf(1)
		if significand != 0 {
			x = math.NaN()
		}
	default:
		x = math.Ldexp(1024+significand, exp-25)
	}
	if sign == 1 {
		x = -x
	}
	return x
}

// halves has the bits of each number; NaN is not in it.
var halves = func() map[uint64]device.Half {
	m := map[uint64]device.Half{}
	for h := range 1 << 16 {
		if x := decode(device.Half(h)); x == x {
			m[math.Float64bits(x)] = device.Half(h)
		}
	}
	return m
}()

// encode is for numbers that a Half can hold.
func encode(x float64) device.Half {
	if x != x {
		return device.HalfNaN
	}
	h, ok := halves[math.Float64bits(x)]
	if !ok {
		panic("no half")
	}
	return h
}

// likeHalf compares a Half with a number, and the pattern of NaN.
func likeHalf(h device.Half, x float64) bool {
	if x != x {
		return h == device.HalfNaN
	}
	return math.Float64bits(halfNumbers[h]) == math.Float64bits(x)
}

// halfNumbers is what each pattern stands for.
var halfNumbers = func() (n [1 << 16]float64) {
	for h := range n {
		n[h] = decode(device.Half(h))
	}
	return n
}()

func TestHalf2Float(t *testing.T) {
	for i := range 1 << 16 {
		h := device.Half(i)
		got, want := device.Half2Float(h), decode(h)
		if !sameNumber(float64(got), want) || want != want && math.Float32bits(got) != 0x7fffffff {
			t.Errorf("Half2Float(%#04x) = %x, want %x", i, got, want)
		}
		if got := device.Half2Double(h); !sameNumber(got, want) {
			t.Errorf("Half2Double(%#04x) = %x, want %x", i, got, want)
		}
		short := device.HalfAsShort(device.UshortAsHalf(uint16(i)))
		if back := device.HalfAsUshort(device.ShortAsHalf(short)); back != uint16(i) {
			t.Errorf("%#04x became %#04x", i, back)
		}
	}
}

func TestHalfConstants(t *testing.T) {
	for _, c := range []struct {
		h device.Half
		x float64
	}{
		{device.HalfZero, 0}, {device.HalfNegZero, math.Copysign(0, -1)}, {device.HalfOne, 1},
		{device.HalfMinDenorm, 0x1p-24},
		{device.HalfMaxNormal, 65504}, {device.HalfInf, math.Inf(1)}, {device.HalfNaN, math.NaN()},
	} {
		if got := decode(c.h); !sameNumber(got, c.x) {
			t.Errorf("%#04x is %g, want %g", c.h, got, c.x)
		}
	}
}

func TestExhaustiveFloat2Half(t *testing.T) {
	all32(t, uint32(4099*thin), func(b uint32) bool {
		x := math.Float32frombits(b)
		for m, c := range []struct {
			got     device.Half
			integer func(float64) float64
		}{
			{device.Float2HalfRN(x), math.RoundToEven}, {device.Float2HalfRZ(x), math.Trunc},
			{device.Float2HalfRU(x), math.Ceil}, {device.Float2HalfRD(x), math.Floor},
			{device.Float2Half(x), math.RoundToEven}, {device.Double2Half(float64(x)), math.RoundToEven},
		} {
			if want := binary16.onGrid(float64(x), c.integer); !likeHalf(c.got, want) {
				t.Errorf("conversion %d of %x = %#04x, want %x", m, x, c.got, want)
				return false
			}
		}
		return true
	})
}

// The bounds that the CUDA Handbook gives in section 8.3.5: what becomes 0 and what infinity.
func TestFloat2HalfBounds(t *testing.T) {
	for _, c := range []struct {
		x    float32
		want device.Half
	}{
		{math.Float32frombits(0x32ffffff), 0}, {math.Float32frombits(0x33000000), 0},
		{math.Float32frombits(0x33000001), 1},
		{math.Float32frombits(0x477fefff), 0x7bff}, {65520, 0x7c00}, {-65520, 0xfc00}, {math.MaxFloat32, 0x7c00},
		{1 + 0x1p-11, 0x3c00}, {1 + 0x3p-11, 0x3c02}, {1 + 0x1.002p-11, 0x3c01}, {0x1.ff8p-15, 0x03ff},
		{0x1.ffbp-15, 0x03ff}, {0x1.ffcp-15, 0x0400},
	} {
		if got := device.Float2Half(c.x); got != c.want {
			t.Errorf("Float2Half(%x) = %#04x, want %#04x", c.x, got, c.want)
		}
	}
}

func one16(f func(a device.Half) device.Half) []func(a, b, c float64) float64 {
	return []func(a, b, c float64) float64{func(a, _, _ float64) float64 { return decode(f(encode(a))) }}
}

func two16(f func(a, b device.Half) device.Half) []func(a, b, c float64) float64 {
	return []func(a, b, c float64) float64{func(a, b, _ float64) float64 { return decode(f(encode(a), encode(b))) }}
}

// The operations are checked by the same means as those in float32 and float64, under the names
// that those have.
func TestHalfArithmetic(t *testing.T) {
	for i, op := range []rounded{
		{"Fadd", 2, binary16, two16(device.Hadd), exactSum, plainSum, true},
		{"Fadd", 2, binary16, two16(device.HaddRN), exactSum, plainSum, true},
		{"Fsub", 2, binary16, two16(device.Hsub), exactDifference, plainDiff, true},
		{"Fsub", 2, binary16, two16(device.HsubRN), exactDifference, plainDiff, true},
		{"Fmul", 2, binary16, two16(device.Hmul), exactProduct, plainProduct, false},
		{"Fmul", 2, binary16, two16(device.HmulRN), exactProduct, plainProduct, false},
		{"Fdiv", 2, binary16, two16(device.Hdiv), exactQuotient, plainQuotient, false},
		{"Fma", 3, binary16, []func(a, b, c float64) float64{func(a, b, c float64) float64 {
			return decode(device.Hfma(encode(a), encode(b), encode(c)))
		}}, exactFused, plainFused, true},
	} {
		second, third := op.corners(), []float64{0}
		if op.arity == 3 {
			third = second
		}
		for _, a := range op.corners() {
			for _, b := range second {
				for _, c := range third {
					op.check(t, a, b, c)
				}
			}
		}
		r := rand.New(rand.NewPCG(9, uint64(i)))
		n := 50000 / thin
		if *exhaustive {
			n = 1 << 22
		}
		for range n {
			a, b, c := op.operands(r)
			op.check(t, a, b, c)
			a, b, c = decode(device.Half(r.Uint32())), decode(device.Half(r.Uint32())),
				decode(device.Half(r.Uint32()))
			if op.arity < 3 {
				c = 0
			}
			op.check(t, a, b, c)
			if t.Failed() {
				return
			}
		}
	}
}

// TestExhaustiveHalf goes through pairs. Sums and products of halves are exact in float64, and so
// are quotients for our purpose: see the comment in round32.go.
func TestExhaustiveHalf(t *testing.T) {
	toHalf := func(x float64) float64 { return binary16.onGrid(x, math.RoundToEven) }
	all32(t, uint32(10007*thin), func(pair uint32) bool {
		a, b := device.Half(pair), device.Half(pair>>16)
		x, y := halfNumbers[a], halfNumbers[b]
		sum, difference, product := toHalf(x+y), toHalf(x-y), toHalf(x*y)
		for i, c := range []struct {
			got  device.Half
			want float64
		}{
			{device.Hadd(a, b), sum},
			{device.Hsub(a, b), difference},
			{device.Hmul(a, b), product},
			{device.Hdiv(a, b), toHalf(x / y)},
			{device.HaddSat(a, b), unit(sum)},
			{device.HsubSat(a, b), unit(difference)},
			{device.HmulSat(a, b), unit(product)},
			{device.Hmax(a, b), larger(x, y)},
			{device.Hmin(a, b), -larger(-x, -y)},
			{device.HmaxNaN(a, b), math.Max(x, y)}, // Go's Max and Min pass NaN on, but
			{device.HminNaN(a, b), math.Min(x, y)}, // not beside an infinity
		} {
			if i >= 9 && (x != x || y != y) {
				c.want = math.NaN()
			}
			if !likeHalf(c.got, c.want) {
				t.Errorf("operation %d of %#04x and %#04x = %#04x, want %x", i, a, b, c.got, c.want)
				return false
			}
		}
		unordered := x != x || y != y
		for i, c := range []struct{ got, want bool }{
			{device.Heq(a, b), x == y}, {device.Hne(a, b), x != y && !unordered}, {device.Hlt(a, b), x < y},
			{device.Hle(a, b), x <= y}, {device.Hgt(a, b), x > y}, {device.Hge(a, b), x >= y},
			{device.Hequ(a, b), x == y || unordered}, {device.Hneu(a, b), x != y},
			{device.Hltu(a, b), x < y || unordered},
			{device.Hleu(a, b), x <= y || unordered}, {device.Hgtu(a, b), x > y || unordered},
			{device.Hgeu(a, b), x >= y || unordered},
			{device.Hisnan(a), x != x}, {device.Hisinf(a) == 1, math.IsInf(x, 1)},
			{device.Hisinf(a) == -1, math.IsInf(x, -1)},
		} {
			if c.got != c.want {
				t.Errorf("comparison %d of %#04x and %#04x is %v", i, a, b, c.got)
				return false
			}
		}
		return true
	})
}

// unit is x within [0, 1], as PTX's .sat has it.
func unit(x float64) float64 {
	if x > 0 {
		return math.Min(x, 1)
	}
	return 0
}

// larger is IEEE 754-2019's maximumNumber.
func larger(x, y float64) float64 {
	switch {
	case x != x:
		return y
	case y != y:
		return x
	}
	return math.Max(x, y) // +0 is larger than -0
}

func TestHalfNegAbs(t *testing.T) {
	for i := range 1 << 16 {
		h := device.Half(i)
		if got, want := decode(device.Hneg(h)), -decode(h); !sameNumber(got, want) {
			t.Errorf("Hneg(%#04x) = %x, want %x", i, got, want)
		}
		if got, want := decode(device.Habs(h)), math.Abs(decode(h)); !sameNumber(got, want) {
			t.Errorf("Habs(%#04x) = %x, want %x", i, got, want)
		}
	}
}

func TestHalfFused(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 300000 {
		a, b, c := device.Half(r.Uint32()), device.Half(r.Uint32()), device.Half(r.Uint32())
		if r.IntN(2) == 0 { // results about [-2, 2]
			a, b, c = a&0xbfff, b&0xbfff, c&0xbfff
		}
		sum := decode(device.Hfma(a, b, c)) // TestHalfArithmetic
		if got, want := device.HfmaSat(a, b, c), unit(sum); !likeHalf(got, want) {
			t.Fatalf("HfmaSat(%#04x, %#04x, %#04x) = %#04x, want %x", a, b, c, got, want)
		}
		relu := sum
		if sum <= 0 {
			relu = 0
		}
		if got := device.HfmaRelu(a, b, c); !likeHalf(got, relu) {
			t.Fatalf("HfmaRelu(%#04x, %#04x, %#04x) = %#04x, want %x", a, b, c, got, relu)
		}
	}
}

func TestDouble2Half(t *testing.T) {
	op := rounded{"Double2Half", 1, binary16, []func(a, b, c float64) float64{
		func(x, _, _ float64) float64 { return decode(device.Double2Half(x)) },
	}, func(a, _, _ float64) value { return value{v: exactFloat(a)} }, func(a, _, _ float64) float64 { return a }, false}
	for _, x := range binary64.corners() {
		op.check(t, x, 0, 0)
	}
	for i := 0; i < 1<<16; i += thin { // each half, the middle to the next, and what is next to both
		x := decode(device.Half(i))
		if !finite(x) {
			continue
		}
		middle := x + math.Ldexp(1, max(math.Ilogb(x)-11, -25))
		for _, y := range []float64{x, middle} {
			op.check(t, y, 0, 0)
			op.check(t, math.Nextafter(y, math.Inf(1)), 0, 0)
			op.check(t, math.Nextafter(y, math.Inf(-1)), 0, 0)
		}
	}
}

func TestHalfToInteger(t *testing.T) {
	half16 := func(fs ...func(device.Half) int64) (modes []func(x float64) *big.Int) {
		for _, f := range fs {
			modes = append(modes, func(x float64) *big.Int { return big.NewInt(f(encode(x))) })
		}
		return modes
	}
	for _, c := range []toInteger{
		{"Half2Int", binary16, 32, true, 0,
			half16(as64(device.Half2IntRN), as64(device.Half2IntRZ), as64(device.Half2IntRU),
				as64(device.Half2IntRD))},
		{"Half2Uint", binary16, 32, false, 0,
			half16(as64(device.Half2UintRN), as64(device.Half2UintRZ), as64(device.Half2UintRU),
				as64(device.Half2UintRD))},
		{"Half2Short", binary16, 16, true, 0,
			half16(as64(device.Half2ShortRN), as64(device.Half2ShortRZ), as64(device.Half2ShortRU),
				as64(device.Half2ShortRD))},
		{"Half2Ushort", binary16, 16, false, 0,
			half16(as64(device.Half2UshortRN), as64(device.Half2UshortRZ), as64(device.Half2UshortRU),
				as64(device.Half2UshortRD))},
		{"Half2LL", binary16, 64, true, 1 << 63,
			half16(device.Half2LLRN, device.Half2LLRZ, device.Half2LLRU, device.Half2LLRD)},
		{"Half2ULL", binary16, 64, false, 1 << 63,
			unsignedHalf(device.Half2ULLRN, device.Half2ULLRZ, device.Half2ULLRU, device.Half2ULLRD)},
	} {
		for i := 0; i < 1<<16; i += thin {
			if h := device.Half(i); h>>10&31 < 12 && h&31 != 0 { // much the same below 1/8
				continue
			}
			c.check(t, decode(device.Half(i)))
		}
	}
	for i := range 1 << 16 {
		h := device.Half(i)
		x := math.Trunc(decode(h))
		char, uchar := math.Max(-128, math.Min(127, x)), math.Max(0, math.Min(255, x))
		if x != x {
			char, uchar = 0, 0
		}
		if got := device.Half2CharRZ(h); float64(got) != char {
			t.Errorf("Half2CharRZ(%#04x) = %d, want %g", i, got, char)
		}
		if got := device.Half2UcharRZ(h); float64(got) != uchar {
			t.Errorf("Half2UcharRZ(%#04x) = %d, want %g", i, got, uchar)
		}
	}
}

func as64[I int16 | uint16 | int32 | uint32](f func(device.Half) I) func(device.Half) int64 {
	return func(h device.Half) int64 { return int64(f(h)) }
}

func unsignedHalf(fs ...func(device.Half) uint64) (modes []func(x float64) *big.Int) {
	for _, f := range fs {
		modes = append(modes, func(x float64) *big.Int { return new(big.Int).SetUint64(f(encode(x))) })
	}
	return modes
}

func fromInts16[I sized](fs ...func(I) device.Half) (modes []func(x *big.Int) float64) {
	for _, f := range fs {
		modes = append(modes, fromInts(func(i I) float64 { return decode(f(i)) })...)
	}
	return modes
}

func TestIntegerToHalf(t *testing.T) {
	for _, c := range []fromInteger{
		{"Int2Half", 32, true, binary16,
			fromInts16(device.Int2HalfRN, device.Int2HalfRZ, device.Int2HalfRU, device.Int2HalfRD)},
		{"Uint2Half", 32, false, binary16,
			fromInts16(device.Uint2HalfRN, device.Uint2HalfRZ, device.Uint2HalfRU, device.Uint2HalfRD)},
		{"Short2Half", 16, true, binary16,
			fromInts16(device.Short2HalfRN, device.Short2HalfRZ, device.Short2HalfRU, device.Short2HalfRD)},
		{"Ushort2Half", 16, false, binary16,
			fromInts16(device.Ushort2HalfRN, device.Ushort2HalfRZ, device.Ushort2HalfRU, device.Ushort2HalfRD)},
		{"LL2Half", 64, true, binary16,
			fromInts16(device.LL2HalfRN, device.LL2HalfRZ, device.LL2HalfRU, device.LL2HalfRD)},
		{"ULL2Half", 64, false, binary16,
			fromInts16(device.ULL2HalfRN, device.ULL2HalfRZ, device.ULL2HalfRU, device.ULL2HalfRD)},
	} {
		for i := uint64(0); i < 1<<17; i += uint64(thin) * (1 + i>>15) { // 15 bits, and some up to what is too large
			c.check(t, i)
			if i%8 < 3 {
				c.check(t, -i)
			}
			if i < 1<<10 {
				c.check(t, 1<<31-i)
				c.check(t, 1<<63-i)
			}
		}
	}
}
