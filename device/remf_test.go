package device_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// Exact functions of two float32: all pairs of special numbers, and random ones of all sizes and of
// like sizes.

var specials32 = []float32{
	0, math.Float32frombits(1 << 31), 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -2.5, math.Pi, 10, 16777215, -16777216, 8388607.5,
	0x1p-149, -0x1p-149, 0x1.fffffcp-127, 0x1p-126, -0x1p-126, 0x1.000002p0, 0x1.fffffep-1, 0x1p126, 0x1.8p126, 0x1p127, -0x1p127,
	math.MaxFloat32, -math.MaxFloat32, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
}

func pairsOfFloats(n int, f func(x, y float32)) {
	for _, x := range specials32 {
		for _, y := range specials32 {
			f(x, y)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range n {
		x, y := math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
		switch i % 4 {
		case 1: // alike
			y = x * float32(math.Ldexp(1+r.Float64(), r.IntN(12)-6))
		case 2:
			x, y = float32(r.NormFloat64()), float32(r.NormFloat64()*20)
		case 3:
			x, y = specials32[r.IntN(len(specials32))], float32(r.IntN(100)-50)/2
		}
		f(x, y)
	}
}

// exactly32 compares with a float64 result that is a float32.
func exactly32(t *testing.T, name string, got func(x, y float32) float32, want func(x, y float32) float32) {
	t.Helper()
	wrong := 0
	pairsOfFloats(150000, func(x, y float32) {
		if g, w := got(x, y), want(x, y); !sameFloat32(g, w) && wrong < 10 {
			t.Errorf("%s(%g, %g) = %g, want %g", name, x, y, g, w)
			wrong++
		}
	})
}

func TestFmodf(t *testing.T) {
	exactly32(t, "Fmodf", device.Fmodf, func(x, y float32) float32 { return float32(math.Mod(float64(x), float64(y))) })
}

func TestRemainderf(t *testing.T) {
	exactly32(t, "Remainderf", device.Remainderf, func(x, y float32) float32 {
		return float32(math.Remainder(float64(x), float64(y)))
	})
}

func TestRemquof(t *testing.T) {
	pairsOfFloats(40000, func(x, y float32) {
		rem, quo := device.Remquof(x, y)
		if want := float32(math.Remainder(float64(x), float64(y))); !sameFloat32(rem, want) {
			t.Fatalf("Remquof(%g, %g) = %g, want %g", x, y, rem, want)
		}
		if rem != rem {
			if quo != 0 {
				t.Fatalf("Remquof(%g, %g): quo is %d", x, y, quo)
			}
			return
		}
		if y-y != 0 {
			if quo != 0 {
				t.Fatalf("Remquof(%g, %g): quo is %d", x, y, quo)
			}
			return
		}
		// n = (x - rem)/y, a whole number.
		n := new(big.Rat).SetFloat64(float64(x))
		n.Sub(n, new(big.Rat).SetFloat64(float64(rem)))
		n.Quo(n, new(big.Rat).SetFloat64(float64(y)))
		if !n.IsInt() {
			t.Fatalf("Remquof(%g, %g): (x - %g)/y is not whole", x, y, rem)
		}
		want := int32(new(big.Int).Mod(new(big.Int).Abs(n.Num()), big.NewInt(8)).Int64())
		if n.Sign() < 0 {
			want = -want
		}
		if quo != want {
			t.Fatalf("Remquof(%g, %g): quo is %d, want %d", x, y, quo, want)
		}
	})
}

func TestFmaxfFminfFdimf(t *testing.T) {
	nan, minus := float32(math.NaN()), math.Float32frombits(1<<31)
	exactly32(t, "Fmaxf", device.Fmaxf, func(x, y float32) float32 {
		switch {
		case x != x:
			return y
		case y != y:
			return x
		}
		return float32(math.Max(float64(x), float64(y)))
	})
	exactly32(t, "Fminf", device.Fminf, func(x, y float32) float32 {
		switch {
		case x != x:
			return y
		case y != y:
			return x
		}
		return float32(math.Min(float64(x), float64(y)))
	})
	exactly32(t, "Fdimf", device.Fdimf, func(x, y float32) float32 {
		switch {
		case x != x || y != y:
			return nan
		case x > y:
			return x - y
		}
		return 0
	})
	if got := device.Fmaxf(minus, 0); math.Signbit(float64(got)) {
		t.Error("+0 is greater than -0")
	}
	if got := device.Fminf(0, minus); !math.Signbit(float64(got)) {
		t.Error("-0 is less than +0")
	}
}

func TestNextafterfCopysignf(t *testing.T) {
	exactly32(t, "Nextafterf", device.Nextafterf, func(x, y float32) float32 {
		if x == y {
			return y // as in C; in Go it is x, which differs in the sign of 0
		}
		return math.Nextafter32(x, y)
	})
	exactly32(t, "Copysignf", device.Copysignf, func(x, y float32) float32 {
		return float32(math.Copysign(float64(x), float64(y)))
	})
}
