package device_test

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// integers is the grid of the integers.
var integers = format{prec: 5000, least: 0, top: 10000}

// exactInt is x as an integer within [low, high].
func exactInt(x float64, m mode, low, high, nan *big.Int) *big.Int {
	switch {
	case x != x:
		return nan
	case x == 0:
		return new(big.Int)
	case x >= 0x1p64:
		return high
	case x <= -0x1p64:
		return low
	}
	n, _ := new(big.Float).SetFloat64(integers.round(value{v: exactFloat(x)}, m)).Int(nil)
	if n.Cmp(low) < 0 {
		return low
	}
	if n.Cmp(high) > 0 {
		return high
	}
	return n
}

func signedInts[F float32 | float64, I int16 | int32 | int64](fs ...func(F) I) (modes []func(x float64) *big.Int) {
	for _, f := range fs {
		modes = append(modes, func(x float64) *big.Int { return big.NewInt(int64(f(F(x)))) })
	}
	return modes
}

func unsignedInts[F float32 | float64,
	I uint16 | uint32 | uint64](fs ...func(F) I) (modes []func(x float64) *big.Int) {
	for _, f := range fs {
		modes = append(modes, func(x float64) *big.Int { return new(big.Int).SetUint64(uint64(f(F(x)))) })
	}
	return modes
}

// A toInteger converts numbers of a format. nan is what the PTX ISA says of cvt, written as there:
// in the bits of the result.
type toInteger struct {
	name   string
	from   format
	bits   uint
	signed bool
	nan    uint64
	modes  []func(x float64) *big.Int
}

var toIntegers = []toInteger{
	{"Float2Int", binary32, 32, true, 0,
		signedInts(device.Float2IntRN, device.Float2IntRZ, device.Float2IntRU, device.Float2IntRD)},
	{"Float2Uint", binary32, 32, false, 0,
		unsignedInts(device.Float2UintRN, device.Float2UintRZ, device.Float2UintRU, device.Float2UintRD)},
	{"Float2LL", binary32, 64, true, 1 << 63,
		signedInts(device.Float2LLRN, device.Float2LLRZ, device.Float2LLRU, device.Float2LLRD)},
	{"Float2ULL", binary32, 64, false, 1 << 63,
		unsignedInts(device.Float2ULLRN, device.Float2ULLRZ, device.Float2ULLRU, device.Float2ULLRD)},
	{"Double2Int", binary64, 32, true, 1 << 31,
		signedInts(device.Double2IntRN, device.Double2IntRZ, device.Double2IntRU, device.Double2IntRD)},
	{"Double2Uint", binary64, 32, false, 1 << 31,
		unsignedInts(device.Double2UintRN, device.Double2UintRZ, device.Double2UintRU, device.Double2UintRD)},
	{"Double2LL", binary64, 64, true, 1 << 63,
		signedInts(device.Double2LLRN, device.Double2LLRZ, device.Double2LLRU, device.Double2LLRD)},
	{"Double2ULL", binary64, 64, false, 1 << 63,
		unsignedInts(device.Double2ULLRN, device.Double2ULLRZ, device.Double2ULLRU, device.Double2ULLRD)},
}

func (c *toInteger) check(t *testing.T, x float64) {
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), c.bits)
	if c.signed {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	high.Sub(high, big.NewInt(1))
	nan := new(big.Int).SetUint64(c.nan)
	if c.signed && c.nan != 0 {
		nan = low
	}
	for m, f := range c.modes {
		if f == nil {
			continue
		}
		if got, want := f(x), exactInt(x, mode(m), low, high, nan); got.Cmp(want) != 0 {
			t.Errorf("%s%s(%x) = %d, want %d", c.name, modeNames[m], x, got, want)
		}
	}
}

func TestFloatToInteger(t *testing.T) {
	for i := range toIntegers {
		c := &toIntegers[i]
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, x := range c.from.corners() {
				c.check(t, x)
			}
			// The ends of all integer types, halves between integers, and their neighbours.
			for _, edge := range []float64{0, 1, 2, 3, 0x1p8, 0x1p15, 0x1p16, 0x1p22, 0x1p23, 0x1p24, 0x1p31,
				0x1p32, 0x1p51, 0x1p52, 0x1p53, 0x1p63, 0x1p64} {
				for d := -4.0; d <= 4; d += 0.25 {
					x := c.from.fit(edge + d)
					if c.from == binary16 && !finite(x) {
						continue
					}
					c.check(t, x)
					c.check(t, -x)
					c.check(t, next(c.from, x, 1))
					c.check(t, -next(c.from, x, -1))
				}
			}
			r := rand.New(rand.NewPCG(5, uint64(i)))
			for range 30000 / thin {
				c.check(t, c.from.random(r))
				c.check(t, c.from.fit(math.Ldexp(float64(r.Int64()), -r.IntN(64))))
			}
		})
	}
}

// next is the neighbour of a finite x in a format.
func next(f format, x float64, up float64) float64 {
	switch f {
	case binary32:
		return float64(math.Nextafter32(float32(x), float32(math.Inf(int(up)))))
	case binary64:
		return math.Nextafter(x, math.Inf(int(up)))
	}
	if x == 0 {
		return up * math.Ldexp(1, f.least)
	}
	grid := max(math.Ilogb(x)+1-f.prec, f.least)
	return f.fit(x + up*math.Ldexp(1, grid)) // next to a power of two, the number after the neighbour
}

// TestExhaustiveFloat2Int compares with Go's conversions, which are defined within the range of the
// integer.
func TestExhaustiveFloat2Int(t *testing.T) {
	all32(t, uint32(16411*thin), func(b uint32) bool {
		x := math.Float32frombits(b)
		for m, c := range []struct {
			rounded  float64
			int32    int32
			uint32   uint32
			ll, wide int64
		}{
			{math.RoundToEven(float64(x)), device.Float2IntRN(x), device.Float2UintRN(x), device.Float2LLRN(x),
				device.Double2LLRN(float64(x))},
			{math.Trunc(float64(x)), device.Float2IntRZ(x), device.Float2UintRZ(x), device.Float2LLRZ(x),
				device.Double2LLRZ(float64(x))},
			{math.Ceil(float64(x)), device.Float2IntRU(x), device.Float2UintRU(x), device.Float2LLRU(x),
				device.Double2LLRU(float64(x))},
			{math.Floor(float64(x)), device.Float2IntRD(x), device.Float2UintRD(x), device.Float2LLRD(x),
				device.Double2LLRD(float64(x))},
		} {
			var i int64
			var u uint32
			ll := int64(math.MinInt64)
			if x == x {
				i = int64(max(math.MinInt32, min(math.MaxInt32, c.rounded)))
				u = uint32(max(0, min(math.MaxUint32, c.rounded)))
				switch {
				case c.rounded >= 0x1p63:
					ll = math.MaxInt64
				case c.rounded >= -0x1p63:
					ll = int64(c.rounded)
				}
			}
			if int64(c.int32) != i || c.uint32 != u || c.ll != ll || c.wide != ll {
				t.Errorf("Float2Int, Uint, LL, Double2LL, %s, of %x: %d %d %d %d, want %d %d %d twice",
					modeNames[m], x, c.int32, c.uint32, c.ll, c.wide, i, u, ll)
				return false
			}
		}
		return true
	})
}

// The integers that CUDA converts to all formats.
type sized interface {
	int16 | uint16 | int32 | uint32 | int64 | uint64
}

func fromInts[I sized, F float32 | float64](fs ...func(I) F) (modes []func(x *big.Int) float64) {
	for _, f := range fs {
		modes = append(modes, func(x *big.Int) float64 {
			if x.Sign() < 0 {
				return float64(f(I(x.Int64())))
			}
			return float64(f(I(x.Uint64())))
		})
	}
	return modes
}

type fromInteger struct {
	name   string
	bits   uint
	signed bool
	to     format
	modes  []func(x *big.Int) float64
}

var fromIntegers = []fromInteger{
	{"Int2Float", 32, true, binary32,
		fromInts(device.Int2FloatRN, device.Int2FloatRZ, device.Int2FloatRU, device.Int2FloatRD)},
	{"Uint2Float", 32, false, binary32,
		fromInts(device.Uint2FloatRN, device.Uint2FloatRZ, device.Uint2FloatRU, device.Uint2FloatRD)},
	{"LL2Float", 64, true, binary32,
		fromInts(device.LL2FloatRN, device.LL2FloatRZ, device.LL2FloatRU, device.LL2FloatRD)},
	{"ULL2Float", 64, false, binary32,
		fromInts(device.ULL2FloatRN, device.ULL2FloatRZ, device.ULL2FloatRU, device.ULL2FloatRD)},
	{"Int2Double", 32, true, binary64, fromInts(device.Int2DoubleRN)},
	{"Uint2Double", 32, false, binary64, fromInts(device.Uint2DoubleRN)},
	{"LL2Double", 64, true, binary64,
		fromInts(device.LL2DoubleRN, device.LL2DoubleRZ, device.LL2DoubleRU, device.LL2DoubleRD)},
	{"ULL2Double", 64, false, binary64,
		fromInts(device.ULL2DoubleRN, device.ULL2DoubleRZ, device.ULL2DoubleRU, device.ULL2DoubleRD)},
}

func (c *fromInteger) check(t *testing.T, u uint64) {
	x := new(big.Int).SetUint64(u & (1<<c.bits - 1))
	if c.signed && x.Bit(int(c.bits-1)) == 1 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), c.bits))
	}
	for m, f := range c.modes {
		want := 0.0 // +0 in all modes
		if x.Sign() != 0 {
			want = c.to.round(value{v: new(big.Float).SetInt(x)}, mode(m))
		}
		if got := f(x); !sameNumber(got, want) {
			t.Errorf("%s%s(%d) = %x, want %x", c.name, modeNames[m], x, got, want)
		}
	}
}

func TestIntegerToFloat(t *testing.T) {
	for i := range fromIntegers {
		c := &fromIntegers[i]
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for a := range 64 {
				for b := range 64 { // sums and differences of powers of two: ties and what is next to them
					for d := range uint64(3) {
						c.check(t, 1<<a+1<<b+d-1)
						c.check(t, 1<<a-1<<b+d-1)
						c.check(t, -(1<<a + 1<<b + d - 1))
						c.check(t, 1<<a+1<<b+1<<(b/2)+d-1)
					}
				}
			}
			r := rand.New(rand.NewPCG(6, uint64(i)))
			for range 100000 / thin {
				c.check(t, r.Uint64()>>r.IntN(64))
			}
		})
	}
}

func TestDouble2Float(t *testing.T) {
	op := rounded{"Double2Float", 1, binary32, []func(a, b, c float64) float64{
		func(x, _, _ float64) float64 { return float64(device.Double2FloatRN(x)) },
		func(x, _, _ float64) float64 { return float64(device.Double2FloatRZ(x)) },
		func(x, _, _ float64) float64 { return float64(device.Double2FloatRU(x)) },
		func(x, _, _ float64) float64 { return float64(device.Double2FloatRD(x)) },
	}, func(a, _, _ float64) value { return value{v: exactFloat(a)} }, func(a, _, _ float64) float64 { return a }, false}
	for _, x := range binary64.corners() {
		op.check(t, x, 0, 0)
	}
	for _, x := range binary32.corners() {
		if x-x == 0 {
			op.check(t, math.Nextafter(x, math.Inf(1)), 0, 0)
			op.check(t, math.Nextafter(x, math.Inf(-1)), 0, 0)
			op.check(t, x*(1+0x1p-24), 0, 0)
			op.check(t, x*(1-0x1p-25), 0, 0)
		}
	}
	op.check(t, 0x1.ffffffp127, 0, 0) // in the middle between the largest float32 and the next, to infinity in RN
	r := rand.New(rand.NewPCG(7, 8))
	for range 100000 / thin {
		op.check(t, binary64.random(r), 0, 0)
		x := binary32.random(r) // and the middles
		op.check(t, x+math.Ldexp(float64(r.IntN(33)-16), max(math.Ilogb(x)-27, -1074)), 0, 0)
	}
}

func TestNaN(t *testing.T) {
	// CUDA C++ Programming Guide, Floating-Point Standard: a NaN in float32 is 0x7fffffff.
	inf := float32(math.Inf(1))
	for _, nan := range []float32{math.Float32frombits(0x7fc00000), math.Float32frombits(0xffc12345),
		math.Float32frombits(0x7f800001)} {
		for _, got := range []float32{
			device.FaddRN(nan, 1), device.FaddRZ(1, nan), device.FaddRU(nan, nan), device.FaddRD(nan, 1),
			device.FaddRN(inf, -inf), device.FaddRU(inf, -inf),
			device.FsubRN(nan, 1), device.FsubRZ(1, nan), device.FsubRU(nan, nan), device.FsubRD(inf, inf),
			device.FmulRN(nan, 1), device.FmulRZ(1, nan), device.FmulRU(nan, nan), device.FmulRD(0, inf),
			device.FmafRN(nan, 1, 1), device.FmafRZ(1, 1, nan), device.FmafRU(1, nan, inf), device.FmafRD(0, inf, 1),
			device.FdivRN(nan, 1), device.FdivRZ(1, nan), device.FdivRU(0, 0), device.FdivRD(inf, inf),
			device.FrcpRN(nan), device.FrcpRZ(nan), device.FrcpRU(nan), device.FrcpRD(nan),
			device.FsqrtRN(nan), device.FsqrtRZ(-1), device.FsqrtRU(-inf), device.FsqrtRD(nan), device.FrsqrtRN(-1),
			device.Double2FloatRN(float64(nan)), device.Double2FloatRZ(math.NaN()),
			device.Double2FloatRU(-math.NaN()), device.Double2FloatRD(math.NaN()),
		} {
			if b := math.Float32bits(got); b != 0x7fffffff {
				t.Errorf("%#x, want 0x7fffffff", b)
			}
		}
	}
	// In float64 the PTX ISA carries payloads on; x and y are two, one of them signaling.
	x, y := math.Float64frombits(0xfff8000000000123), math.Float64frombits(0x7ff0000000000456)
	const quietX, quietY, none = 0xfff8000000000123, 0x7ff8000000000456, 0xfff8000000000000
	for i, c := range []struct {
		got  float64
		want uint64
	}{
		{device.DaddRN(x, y), quietX}, {device.DaddRZ(y, x), quietY}, {device.DaddRU(1, y), quietY},
		{device.DaddRD(x, 1), quietX},
		{device.DsubRN(1, y), quietY}, {device.DsubRZ(y, x), quietY}, {device.DsubRU(1, y), quietY},
		{device.DsubRD(1, x), quietX},
		{device.DmulRN(x, y), quietX}, {device.DmulRZ(y, x), quietY}, {device.DmulRU(1, y), quietY},
		{device.DmulRD(x, 1), quietX},
		{device.DdivRN(x, y), quietX}, {device.DdivRZ(y, x), quietY}, {device.DdivRU(1, y), quietY},
		{device.DdivRD(x, 1), quietX},
		{device.FmaRN(1, 2, y), quietY}, {device.FmaRZ(1, y, x), quietY}, {device.FmaRU(x, 1, y), quietX},
		{device.FmaRD(0, math.Inf(1), y), quietY},
		{device.DsqrtRN(y), quietY}, {device.DsqrtRZ(x), quietX}, {device.DsqrtRU(y), quietY},
		{device.DsqrtRD(-1), none},
		{device.DrcpRN(y), quietY}, {device.DrcpRZ(x), quietX}, {device.DrcpRU(y), quietY},
		{device.DrcpRD(x), quietX},
		{device.DaddRN(math.Inf(1), math.Inf(-1)), none}, {device.DaddRU(math.Inf(1), math.Inf(-1)), none},
		{device.DmulRD(0, math.Inf(1)), none},
		{device.DdivRN(0, 0), none}, {device.FmaRZ(0, math.Inf(1), 1), none}, {device.DsqrtRN(-1), none},
	} {
		if b := math.Float64bits(c.got); b != c.want {
			t.Errorf("case %d: %#x, want %#x", i, b, c.want)
		}
	}
}

// TestFrsqrtRN goes through all significands, for even and odd exponents. x is X * 2^-23 and the
// result F * 2^-24, so 1/sqrt(x) is nearer to it than to its neighbours if (2F-1)^2 * X < 2^73 <
// (2F+1)^2 * X.
func TestFrsqrtRN(t *testing.T) {
	above := func(f, x uint64) bool { // f^2 * x > 2^73
		high, low := bits.Mul64(f*f, x)
		return high > 1<<9 || high == 1<<9 && low > 0
	}
	if got := device.FrsqrtRN(1); got != 1 {
		t.Errorf("FrsqrtRN(1) = %g", got)
	}
	for sig := uint64(1 << 23); sig < 1<<24; sig += uint64(thin) {
		for odd := range 2 {
			x := sig << odd
			if x == 1<<23 {
				continue
			}
			f := uint64(math.Ldexp(float64(device.FrsqrtRN(float32(math.Ldexp(float64(x), -23)))), 24))
			if f>>23 != 1 && f != 1<<24 || above(2*f-1, x) || !above(2*f+1, x) {
				t.Fatalf("FrsqrtRN(%d * 2^-23) = %d * 2^-24", x, f)
			}
		}
	}
}
