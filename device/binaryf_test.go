package device_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// Powers, angles and lengths, with the pairs of remf_test.go.

// inUlps32 reports the largest error of got, and fails above the bound.
func inUlps32(t *testing.T, name string, bound float64, got func(x, y float32) float32, want func(x, y float64) float64) {
	t.Helper()
	var most float64
	var at [2]float32
	pairsOfFloats(200000, func(x, y float32) {
		if err := ulps32(got(x, y), want(float64(x), float64(y))); !(err <= most) {
			most, at = err, [2]float32{x, y}
		}
	})
	t.Logf("%s: %.4f ulp at %g", name, most, at)
	if !(most <= bound) {
		t.Errorf("%s(%g, %g) = %g, want %g: %.4f ulp", name, at[0], at[1], got(at[0], at[1]), want(float64(at[0]), float64(at[1])), most)
	}
}

func TestAtan2f(t *testing.T) { inUlps32(t, "Atan2f", 3, device.Atan2f, math.Atan2) }

func TestPowf(t *testing.T) {
	inUlps32(t, "Powf", 8, device.Powf, math.Pow)
	// Where the result is near 1, and near its limits, errors of the logarithm show.
	r := rand.New(rand.NewPCG(7, 8))
	var most float64
	for range 200000 {
		x := float32(1 + r.NormFloat64()*math.Ldexp(1, -r.IntN(20)))
		y := float32((r.Float64()*238 - 149) / math.Log2(math.Abs(float64(x))))
		if err := ulps32(device.Powf(x, y), math.Pow(float64(x), float64(y))); !(err <= most) {
			most = err
			if !(err <= 8) {
				t.Errorf("Powf(%g, %g) = %g: %.4f ulp", x, y, device.Powf(x, y), err)
			}
		}
	}
	t.Logf("near 1: %.4f ulp", most)
}

func TestPowfSpecial(t *testing.T) {
	inf, nan, minus := float32(math.Inf(1)), float32(math.NaN()), math.Float32frombits(1<<31)
	for _, c := range []struct{ x, y, want float32 }{
		{nan, 0, 1}, {nan, minus, 1}, {inf, 0, 1}, {0, 0, 1}, {minus, minus, 1}, {1, nan, 1}, {1, inf, 1}, {1, -inf, 1},
		{-1, inf, 1}, {-1, -inf, 1}, {-1, nan, nan}, {nan, 1, nan}, {2, nan, nan}, {0, nan, nan},
		{0, -1, inf}, {minus, -1, -inf}, {minus, -3, -inf}, {minus, -2, inf}, {minus, -0.5, inf}, {0, -inf, inf}, {minus, -inf, inf},
		{0, 1, 0}, {minus, 1, minus}, {minus, 3, minus}, {minus, 2, 0}, {minus, 0.5, 0}, {minus, inf, 0}, {minus, 16777216, 0},
		{0.5, -inf, inf}, {-0.5, -inf, inf}, {2, -inf, 0}, {-2, -inf, 0}, {0.5, inf, 0}, {-0.5, inf, 0}, {2, inf, inf}, {-2, inf, inf},
		{-inf, -1, minus}, {-inf, -2, 0}, {-inf, -0.5, 0}, {-inf, 1, -inf}, {-inf, 3, -inf}, {-inf, 2, inf}, {-inf, 0.5, inf},
		{-inf, -inf, 0}, {-inf, inf, inf}, {inf, -0.5, 0}, {inf, 0.5, inf}, {inf, -inf, 0}, {inf, inf, inf},
		{-2, 0.5, nan}, {-2, 1.5, nan}, {-1, 0.5, nan}, {-2, 3, -8}, {-2, 4, 16}, {-2, -3, -0.125}, {-1, 16777215, -1}, {-1, 16777216, 1},
		{-0.5, 149, -0x1p-149}, {2, 128, inf}, {-2, 129, -inf}, {2, -149, 0x1p-149}, {-2, -151, minus}, {10, 10, 1e10},
	} {
		if got := device.Powf(c.x, c.y); !sameFloat32(got, c.want) {
			t.Errorf("Powf(%g, %g) = %g, want %g", c.x, c.y, got, c.want)
		}
	}
}

func TestHypotf(t *testing.T) {
	inUlps32(t, "Hypotf", 3, device.Hypotf, math.Hypot)
	inUlps32(t, "Rhypotf", 2, device.Rhypotf, func(x, y float64) float64 { return 1 / math.Hypot(x, y) })
}

func TestNormf(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	if device.Norm3df(nan, -inf, 1) != inf || device.Norm4df(nan, 1, 1, inf) != inf || device.Rnorm3df(-inf, nan, 1) != 0 ||
		device.Rnorm4df(1, nan, 1, -inf) != 0 {
		t.Error("an infinite component makes the length infinite, whatever the others")
	}
	if device.Norm3df(0, 0, 0) != 0 || device.Rnorm3df(0, 0, 0) != inf || device.Rnorm4df(0, 0, 0, 0) != inf {
		t.Error("the length of 0 is 0")
	}
	if x := device.Norm3df(1, nan, 2); x == x {
		t.Error("NaN without an infinity is NaN")
	}
	r := rand.New(rand.NewPCG(9, 10))
	for range 30000 {
		var v [4]float32
		e := r.IntN(276) - 149
		for i := range v {
			v[i] = float32(math.Ldexp(r.NormFloat64(), max(e+r.IntN(30)-25, -160)))
			if v[i]-v[i] != 0 {
				v[i] = math.MaxFloat32
			}
		}
		sum := new(big.Float).SetPrec(700)
		var want [5]float64
		for i, x := range v {
			sq := new(big.Float).SetPrec(700).SetFloat64(float64(x))
			sum.Add(sum, sq.Mul(sq, sq))
			if sum.Sign() != 0 {
				want[i+1], _ = new(big.Float).SetPrec(80).Sqrt(sum).Float64()
			}
		}
		for _, c := range []struct {
			name  string
			bound float64
			got   float32
			want  float64
		}{
			{"Norm3df", 3, device.Norm3df(v[0], v[1], v[2]), want[3]},
			{"Norm4df", 3, device.Norm4df(v[0], v[1], v[2], v[3]), want[4]},
			{"Rnorm3df", 2, device.Rnorm3df(v[0], v[1], v[2]), 1 / want[3]},
			{"Rnorm4df", 2, device.Rnorm4df(v[0], v[1], v[2], v[3]), 1 / want[4]},
		} {
			if err := ulps32(c.got, c.want); !(err <= c.bound) {
				t.Fatalf("%s of %g = %g, want %g: %.3g ulp", c.name, v, c.got, c.want, err)
			}
		}
	}
}
