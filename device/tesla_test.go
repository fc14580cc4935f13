package device_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/device"
)

// teslaOperands are float32 of all exponents, those whose products and sums fall near 2^-126 and
// 2^128, and special ones.
func teslaOperands(r *rand.Rand) float32 {
	switch r.IntN(8) {
	case 0:
		special := []uint32{0, 1 << 31, 1, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00001, 0x3f800000, 0xbf800001}
		return math.Float32frombits(special[r.IntN(len(special))])
	case 1, 2:
		return math.Float32frombits(r.Uint32())
	case 3:
		return float32(math.Ldexp(r.Float64()-0.5, -62-r.IntN(4)))
	}
	return float32(math.Ldexp(r.Float64()-0.5, r.IntN(30)-15))
}

// bitsOf returns the bits of x, and one pattern for every NaN.
func bitsOf(x float32) uint32 {
	if x != x {
		return 0x7fffffff
	}
	return math.Float32bits(x)
}

// flushed is Ftz by the definition.
func flushed(x float32) float32 {
	if math.Abs(float64(x)) < 0x1p-126 {
		return float32(math.Copysign(0, float64(x)))
	}
	return x
}

// The forms that flush are the rounding of the exact result, between two flushes.
func TestFtz(t *testing.T) {
	// nearest rounds an exact number to float32 and flushes.
	nearest := func(x *big.Float) float32 {
		f, _ := x.Float32()
		return flushed(f)
	}
	r := rand.New(rand.NewPCG(1, 10))
	for range 200_000 {
		x, y, z := teslaOperands(r), teslaOperands(r), teslaOperands(r)
		assertBits := func(name string, got, want float32) {
			if bitsOf(got) != bitsOf(want) {
				t.Fatalf("%s(%x, %x, %x) = %x, want %x", name, x, y, z, got, want)
			}
		}
		fx, fy, fz := float64(flushed(x)), float64(flushed(y)), float64(flushed(z))
		assertBits("Ftz", device.Ftz(x), flushed(x))
		// A float64 has enough bits that a sum, product, quotient or root of float32 may be rounded
		// twice (Figueroa, When is double rounding innocuous?, 1995).
		assertBits("FaddFtz", device.FaddFtz(x, y), flushed(float32(fx+fy)))
		assertBits("FsubFtz", device.FsubFtz(x, y), flushed(float32(fx-fy)))
		assertBits("FmulFtz", device.FmulFtz(x, y), flushed(float32(fx*fy)))
		assertBits("FdivFtz", device.FdivFtz(x, y), flushed(float32(fx/fy)))
		assertBits("FrcpFtz", device.FrcpFtz(x), flushed(float32(1/fx)))
		assertBits("FsqrtFtz", device.FsqrtFtz(x), flushed(float32(math.Sqrt(fx))))
		if sum := fx*fy + fz; sum-sum != 0 || fx*fy == 0 || fz == 0 {
			continue // special: below
		}
		exact := new(big.Float).SetPrec(1000).SetFloat64(fx * fy)
		exact.Add(exact, big.NewFloat(fz))
		if exact.Sign() == 0 {
			continue
		}
		assertBits("FmafFtz", device.FmafFtz(x, y, z), nearest(exact))
		cut := new(big.Float).SetPrec(24).SetMode(big.ToZero).SetFloat64(fx * fy)
		sum := new(big.Float).SetPrec(1000).Set(cut)
		sum.Add(sum, big.NewFloat(fz))
		if sum.Sign() == 0 {
			assertBits("MadF32", device.MadF32(x, y, z), 0)
			continue
		}
		assertBits("MadF32", device.MadF32(x, y, z), nearest(sum))
	}
}

// The product of mad.f32 is truncated, has the exponents of a wider format, and is rounded where
// nothing is added.
func TestMadF32(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	minus0 := float32(math.Copysign(0, -1))
	for _, c := range []struct {
		name          string
		x, y, z, want float32
	}{
		// (1 + 2^-23) 1.5 = 1.5 + 1.5 2^-23 is halfway between two float32; the even one is above.
		{"product cut off", 1 + 0x1p-23, 1.5, -1.5, 0x1p-23},
		{"product cut off, negative", -(1 + 0x1p-23), 1.5, 1.5, -0x1p-23},
		{"product rounded if nothing is added", 1 + 0x1p-23, 1.5, 0, 1.5 + 0x1p-22},
		{"product rounded if -0 is added", 1 + 0x1p-23, 1.5, minus0, 1.5 + 0x1p-22},
		{"product beyond float32", 0x1p100, 0x1p28, -0x1p127, 0x1p127},
		{"product below float32", 0x1p-100, 0x1p-27, 0x1p-126, 0x1.8p-126},
		{"sum overflows", 0x1p100, 0x1p28, 0x1p127, inf},
		{"result flushed", 0x1p-126, 1.5, -0x1p-126, 0},
		{"negative result flushed", -0x1p-126, 1.5, 0x1p-126, minus0},
		{"operand flushed", 0x1p-127, 0x1p127, 1, 1},
		{"addend flushed", 1, 1, 0x1p-149, 1},
		{"cancels", 3, 5, -15, 0},
		{"inf", inf, 2, 1, inf},
		{"inf - inf", inf, 2, -inf, nan},
		{"0 inf", 0, inf, 1, nan},
		{"subnormal inf", 0x1p-140, inf, 1, nan},
		{"NaN", nan, 1, 1, nan},
		{"NaN added", 1, 1, nan, nan},
		{"-0 + -0", minus0, 1, minus0, minus0},
		{"-0 + 0", minus0, 1, 0, 0},
	} {
		assert.Equal(t, bitsOf(c.want), bitsOf(device.MadF32(c.x, c.y, c.z)), "%s: %x, want %x", c.name, device.MadF32(c.x, c.y, c.z), c.want)
		assert.Equal(t, bitsOf(c.want), bitsOf(device.MadF32(c.y, c.x, c.z)), "%s, factors exchanged", c.name)
	}
	// What a GPU of 2.0 has of the same source is another number.
	assert.NotEqual(t, device.FmafRN(1+0x1p-23, 1.5, -1.5), device.MadF32(1+0x1p-23, 1.5, -1.5))
}
