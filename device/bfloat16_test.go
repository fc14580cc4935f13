package device_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// decodeB is the definition of the format.
func decodeB(h device.Bfloat16) float64 {
	exp, significand := int(h>>7&255), float64(h&127)
	x := 0.0
	switch exp {
	case 0:
		x = math.Ldexp(significand, -133)
	case 255:
		x = math.Inf(1)
		if significand != 0 {
			x = math.NaN()
		}
	default:
		x = math.Ldexp(128+significand, exp-134)
	}
	if h>>15 == 1 {
		x = -x
	}
	return x
}

// bfloats has the bits of each number; NaN is not in it.
var bfloats = func() map[uint64]device.Bfloat16 {
	m := map[uint64]device.Bfloat16{}
	for h, x := range bfloatNumbers {
		if x == x {
			m[math.Float64bits(x)] = device.Bfloat16(h)
		}
	}
	return m
}()

// bfloatNumbers is what each pattern stands for.
var bfloatNumbers = func() (n [1 << 16]float64) {
	for h := range n {
		n[h] = decodeB(device.Bfloat16(h))
	}
	return n
}()

// likeBfloat compares with a number, and the pattern of NaN.
func likeBfloat(h device.Bfloat16, x float64) bool {
	if x != x {
		return h == device.Bfloat16NaN
	}
	return math.Float64bits(bfloatNumbers[h]) == math.Float64bits(x)
}

func TestBfloat162Float(t *testing.T) {
	for i := range 1 << 16 {
		h := device.Bfloat16(i)
		got, want := device.Bfloat162Float(h), decodeB(h)
		if !sameNumber(float64(got), want) || want != want && math.Float32bits(got) != 0x7fffffff {
			t.Errorf("Bfloat162Float(%#04x) = %x, want %x", i, got, want)
		}
		short := device.Bfloat16AsShort(device.UshortAsBfloat16(uint16(i)))
		if back := device.Bfloat16AsUshort(device.ShortAsBfloat16(short)); back != uint16(i) {
			t.Errorf("%#04x became %#04x", i, back)
		}
	}
	for _, c := range []struct {
		h device.Bfloat16
		x float64
	}{
		{device.Bfloat16Zero, 0}, {device.Bfloat16NegZero, math.Copysign(0, -1)}, {device.Bfloat16One, 1},
		{device.Bfloat16MinDenorm, 0x1p-133},
		{device.Bfloat16MaxNormal, 0x1p128 - 0x1p120}, {device.Bfloat16Inf, math.Inf(1)},
		{device.Bfloat16NaN, math.NaN()},
	} {
		if !likeBfloat(c.h, c.x) {
			t.Errorf("%#04x is not %g", c.h, c.x)
		}
	}
}

func TestExhaustiveFloat2Bfloat16(t *testing.T) {
	integers := [...]func(float64) float64{rn: math.RoundToEven, rz: math.Trunc, ru: math.Ceil, rd: math.Floor}
	all32(t, uint32(16411*thin), func(b uint32) bool {
		x := math.Float32frombits(b)
		got := [...]device.Bfloat16{device.Float2Bfloat16RN(x), device.Float2Bfloat16RZ(x),
			device.Float2Bfloat16RU(x), device.Float2Bfloat16RD(x)}
		for m, h := range got {
			if want := bfloat16.onGrid(float64(x), integers[m]); !likeBfloat(h, want) {
				t.Errorf("Float2Bfloat16%s(%x) = %#04x, want %x", modeNames[m], x, h, want)
				return false
			}
		}
		if device.Float2Bfloat16(x) != got[rn] || device.Double2Bfloat16(float64(x)) != got[rn] {
			t.Errorf("Float2Bfloat16 or Double2Bfloat16 of %x", x)
			return false
		}
		return true
	})
}

func TestDouble2Bfloat16(t *testing.T) {
	check := func(x float64) {
		want := x
		if finite(x) && x != 0 {
			want = bfloat16.round(value{v: exactFloat(x)}, rn)
		}
		if got := device.Double2Bfloat16(x); !likeBfloat(got, want) {
			t.Errorf("Double2Bfloat16(%x) = %#04x, want %x", x, got, want)
		}
	}
	for _, x := range binary64.corners() {
		check(x)
	}
	for i := 0; i < 1<<16; i += thin { // the middle to the next number, and what is next to it
		x := decodeB(device.Bfloat16(i))
		if !finite(x) {
			continue
		}
		middle := x + math.Ldexp(1, max(math.Ilogb(x)-8, -134))
		check(middle)
		check(math.Nextafter(middle, math.Inf(1)))
		check(math.Nextafter(middle, math.Inf(-1)))
	}
}

func TestBfloat16ToInteger(t *testing.T) {
	for _, c := range []toInteger{
		{"Bfloat162Int", bfloat16, 32, true, 0,
			fromB(device.Bfloat162IntRN, device.Bfloat162IntRZ, device.Bfloat162IntRU, device.Bfloat162IntRD)},
		{"Bfloat162Uint", bfloat16, 32, false, 0,
			fromB(device.Bfloat162UintRN, device.Bfloat162UintRZ, device.Bfloat162UintRU, device.Bfloat162UintRD)},
		{"Bfloat162Short", bfloat16, 16, true, 0,
			fromB(device.Bfloat162ShortRN, device.Bfloat162ShortRZ, device.Bfloat162ShortRU,
				device.Bfloat162ShortRD)},
		{"Bfloat162Ushort", bfloat16, 16, false, 0,
			fromB(device.Bfloat162UshortRN, device.Bfloat162UshortRZ, device.Bfloat162UshortRU,
				device.Bfloat162UshortRD)},
		{"Bfloat162Char", bfloat16, 8, true, 0, fromB(nil, device.Bfloat162CharRZ)},
		{"Bfloat162Uchar", bfloat16, 8, false, 0, fromB(nil, device.Bfloat162UcharRZ)},
		{"Bfloat162LL", bfloat16, 64, true, 1 << 63,
			fromB(device.Bfloat162LLRN, device.Bfloat162LLRZ, device.Bfloat162LLRU, device.Bfloat162LLRD)},
		{"Bfloat162ULL", bfloat16, 64, false, 1 << 63,
			fromB(device.Bfloat162ULLRN, device.Bfloat162ULLRZ, device.Bfloat162ULLRU, device.Bfloat162ULLRD)},
	} {
		for i := 0; i < 1<<16; i += thin {
			if exp := i >> 7 & 255; exp > 100 && exp < 200 || i&127 < 3 {
				c.check(t, decodeB(device.Bfloat16(i)))
			}
		}
	}
}

// fromB adapts conversions, from numbers that are a Bfloat16. nil leaves a mode out.
func fromB[I int8 | uint8 | sized](fs ...func(device.Bfloat16) I) (modes []func(x float64) *big.Int) {
	for _, f := range fs {
		if f == nil {
			modes = append(modes, nil)
			continue
		}
		modes = append(modes, func(x float64) *big.Int {
			h := device.Bfloat16NaN
			if x == x {
				h = bfloats[math.Float64bits(x)]
			}
			i := f(h)
			if i < 0 {
				return big.NewInt(int64(i))
			}
			return new(big.Int).SetUint64(uint64(i))
		})
	}
	return modes
}

func toB[I sized](fs ...func(I) device.Bfloat16) (modes []func(x *big.Int) float64) {
	for _, f := range fs {
		modes = append(modes, fromInts(func(i I) float64 { return decodeB(f(i)) })...)
	}
	return modes
}

func TestIntegerToBfloat16(t *testing.T) {
	for _, c := range []fromInteger{
		{"Int2Bfloat16", 32, true, bfloat16,
			toB(device.Int2Bfloat16RN, device.Int2Bfloat16RZ, device.Int2Bfloat16RU, device.Int2Bfloat16RD)},
		{"Uint2Bfloat16", 32, false, bfloat16,
			toB(device.Uint2Bfloat16RN, device.Uint2Bfloat16RZ, device.Uint2Bfloat16RU, device.Uint2Bfloat16RD)},
		{"Short2Bfloat16", 16, true, bfloat16,
			toB(device.Short2Bfloat16RN, device.Short2Bfloat16RZ, device.Short2Bfloat16RU, device.Short2Bfloat16RD)},
		{"Ushort2Bfloat16", 16, false, bfloat16,
			toB(device.Ushort2Bfloat16RN, device.Ushort2Bfloat16RZ, device.Ushort2Bfloat16RU,
				device.Ushort2Bfloat16RD)},
		{"LL2Bfloat16", 64, true, bfloat16,
			toB(device.LL2Bfloat16RN, device.LL2Bfloat16RZ, device.LL2Bfloat16RU, device.LL2Bfloat16RD)},
		{"ULL2Bfloat16", 64, false, bfloat16,
			toB(device.ULL2Bfloat16RN, device.ULL2Bfloat16RZ, device.ULL2Bfloat16RU, device.ULL2Bfloat16RD)},
	} {
		for i := uint64(0); i < 1<<16; i += uint64(thin) * (1 + i>>10) {
			c.check(t, i)
			c.check(t, -i)
		}
		for top := range 64 { // middles of two numbers, and next to them
			for low := range uint64(256) {
				for d := range uint64(3) {
					c.check(t, (256+low)<<top>>8+d-1)
					c.check(t, -((256+low)<<top>>8 + d - 1))
				}
			}
		}
	}
}

// The comment of Bfloat16 says how to compute.
func TestBfloat16ThroughFloat32(t *testing.T) {
	through := func(f func(x, y float32) float32) []func(a, b, c float64) float64 {
		return []func(a, b, c float64) float64{func(a, b, _ float64) float64 {
			return decodeB(device.Float2Bfloat16(f(device.Bfloat162Float(bfloats[math.Float64bits(a)]),
				device.Bfloat162Float(bfloats[math.Float64bits(b)]))))
		}}
	}
	for i, op := range []rounded{
		{"Fadd", 2, bfloat16, through(func(x, y float32) float32 { return x + y }), exactSum, plainSum, true},
		{"Fmul", 2, bfloat16, through(func(x, y float32) float32 { return x * y }), exactProduct, plainProduct,
			false},
		{"Fdiv", 2, bfloat16, through(func(x, y float32) float32 { return x / y }), exactQuotient,
			plainQuotient, false},
		{"Fsqrt", 1, bfloat16, through(func(x, _ float32) float32 { return float32(math.Sqrt(float64(x))) }),
			exactRoot, plainRoot, false},
	} {
		r := rand.New(rand.NewPCG(15, uint64(i)))
		for range 50000 / thin {
			a, b, c := op.operands(r)
			op.check(t, a, b, c)
			if t.Failed() {
				return
			}
		}
	}
}
