package device_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// What C99, Annex F, and the CUDA math API say of special arguments.
func TestSpecialValuesf(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	minus := math.Float32frombits(1 << 31) // -0
	type values [][2]float32               // argument, result
	for _, c := range []struct {
		name string
		f    func(float32) float32
		values
	}{
		{"Sinf", device.Sinf, values{{minus, minus}, {inf, nan}, {-inf, nan}}},
		{"Cosf", device.Cosf, values{{minus, 1}, {inf, nan}, {-inf, nan}}},
		{"Tanf", device.Tanf, values{{minus, minus}, {inf, nan}}},
		{"Sinpif", device.Sinpif, values{{minus, minus}, {-3, minus}, {4, 0}, {5, 0}, {1e30, 0}, {-1e30, minus}, {inf, nan}, {0.5, 1},
			{1.5, -1}, {-4194303.5, 1}, {4194302.5, 1}}},
		{"Cospif", device.Cospif, values{{0, 1}, {0.5, 0}, {1.5, 0}, {-0.5, 0}, {3, -1}, {16777215, -1}, {16777216, 1}, {-inf, nan}}},
		{"Asinf", device.Asinf, values{{minus, minus}, {1, math.Pi / 2}, {1.0000001, nan}, {-inf, nan}}},
		{"Acosf", device.Acosf, values{{1, 0}, {-1, math.Pi}, {-1.0000001, nan}, {inf, nan}}},
		{"Atanf", device.Atanf, values{{minus, minus}, {inf, math.Pi / 2}, {-inf, -math.Pi / 2}}},
		{"Sinhf", device.Sinhf, values{{minus, minus}, {-inf, -inf}, {90, inf}}},
		{"Coshf", device.Coshf, values{{minus, 1}, {-inf, inf}, {-90, inf}}},
		{"Tanhf", device.Tanhf, values{{minus, minus}, {-inf, -1}, {20, 1}}},
		{"Asinhf", device.Asinhf, values{{minus, minus}, {-inf, -inf}}},
		{"Acoshf", device.Acoshf, values{{1, 0}, {0.9999999, nan}, {inf, inf}, {-inf, nan}}},
		{"Atanhf", device.Atanhf, values{{minus, minus}, {1, inf}, {-1, -inf}, {1.0000001, nan}}},
		{"Expf", device.Expf, values{{minus, 1}, {-inf, 0}, {inf, inf}, {89, inf}, {-104, 0}}},
		{"Exp2f", device.Exp2f, values{{0, 1}, {-149, 0x1p-149}, {-150, 0}, {127, 0x1p127}, {128, inf}, {-inf, 0}}},
		{"Exp10f", device.Exp10f, values{{0, 1}, {-inf, 0}, {39, inf}, {-46, 0}}},
		{"Expm1f", device.Expm1f, values{{minus, minus}, {-inf, -1}, {inf, inf}}},
		{"Logf", device.Logf, values{{minus, -inf}, {0, -inf}, {1, 0}, {-1e-45, nan}, {inf, inf}, {-inf, nan}}},
		{"Log2f", device.Log2f, values{{minus, -inf}, {1, 0}, {0x1p-149, -149}, {0x1p100, 100}, {-1, nan}, {inf, inf}}},
		{"Log10f", device.Log10f, values{{0, -inf}, {1, 0}, {-inf, nan}, {inf, inf}}},
		{"Log1pf", device.Log1pf, values{{minus, minus}, {-1, -inf}, {-1.0000001, nan}, {inf, inf}}},
		{"Sqrtf", device.Sqrtf, values{{minus, minus}, {-1, nan}, {inf, inf}}},
		{"Rsqrtf", device.Rsqrtf, values{{0, inf}, {minus, -inf}, {inf, 0}, {-1, nan}}},
		{"Cbrtf", device.Cbrtf, values{{minus, minus}, {-inf, -inf}, {-27, -3}, {0x1p-147, 0x1p-49}}},
		{"Rcbrtf", device.Rcbrtf, values{{minus, -inf}, {-inf, minus}, {8, 0.5}}},
		{"Erff", device.Erff, values{{minus, minus}, {-inf, -1}}},
		{"Erfcf", device.Erfcf, values{{-inf, 2}, {0, 1}, {inf, 0}}},
		{"Erfcxf", device.Erfcxf, values{{inf, 0}, {0, 1}, {-inf, inf}, {-10, inf}}},
		{"Erfinvf", device.Erfinvf, values{{minus, minus}, {1, inf}, {-1, -inf}, {1.0000001, nan}, {-inf, nan}}},
		{"Erfcinvf", device.Erfcinvf, values{{minus, inf}, {2, -inf}, {1, 0}, {-1e-45, nan}, {2.0000002, nan}}},
		{"Normcdff", device.Normcdff, values{{inf, 1}, {-inf, 0}, {0, 0.5}}},
		{"Normcdfinvf", device.Normcdfinvf, values{{minus, -inf}, {1, inf}, {1.0000001, nan}, {-1e-45, nan}}},
		{"Tgammaf", device.Tgammaf, values{{0, inf}, {minus, -inf}, {-2, nan}, {-1e20, nan}, {-inf, nan}, {inf, inf}, {6, 120}}},
		{"Lgammaf", device.Lgammaf, values{{1, 0}, {2, 0}, {0, inf}, {minus, inf}, {-7, inf}, {-inf, inf}}},
		{"J0f", device.J0f, values{{0, 1}, {inf, 0}, {-inf, 0}}},
		{"J1f", device.J1f, values{{0, 0}, {minus, minus}, {inf, 0}, {-inf, minus}}},
		{"Y0f", device.Y0f, values{{0, -inf}, {minus, -inf}, {inf, 0}, {-1, nan}}},
		{"Y1f", device.Y1f, values{{0, -inf}, {inf, 0}, {-inf, nan}}},
	} {
		for _, v := range append(c.values, [2]float32{nan, nan}) {
			if got := c.f(v[0]); !sameFloat32(got, v[1]) {
				t.Errorf("%s(%g) = %g, want %g", c.name, v[0], got, v[1])
			}
		}
	}
}

// bigPi returns pi with prec bits, by Machin's formula.
func bigPi(prec uint) *big.Float {
	one := new(big.Int).Lsh(big.NewInt(1), prec+32)
	arctan := func(inverse int64) *big.Int { // of 1/inverse
		sum, power := new(big.Int), new(big.Int).Quo(one, big.NewInt(inverse))
		for k := int64(1); power.Sign() != 0; k += 2 {
			term := new(big.Int).Quo(power, big.NewInt(k))
			if k%4 == 1 {
				sum.Add(sum, term)
			} else {
				sum.Sub(sum, term)
			}
			power.Quo(power, big.NewInt(inverse*inverse))
		}
		return sum
	}
	pi := arctan(5)
	pi.Mul(pi, big.NewInt(4)).Sub(pi, arctan(239)).Mul(pi, big.NewInt(4))
	f := new(big.Float).SetPrec(prec).SetInt(pi)
	return f.SetMantExp(f, -int(prec+32))
}

// Arguments of all sizes, reduced with 400 bits of pi; among them 16367173 * 2^72, which comes as
// near to a multiple of pi/2 as a float32 can (J.-M. Muller, Elementary Functions), and those where
// the way of reduction changes.
func TestTrigfAgainstBigPi(t *testing.T) {
	half := bigPi(400)
	half.SetMantExp(half, -1)
	r := rand.New(rand.NewPCG(3, 4))
	xs := []float32{16367173 * 0x1p72, 6399.9995, 6400, 6400.0005, math.MaxFloat32}
	for n := float32(1); n < 5000; n++ { // next to multiples of pi/2
		xs = append(xs, n*(math.Pi/2))
	}
	for range 3000 {
		xs = append(xs, math.Float32frombits(r.Uint32N(0x7f800000-0x3f000000)+0x3f000000))
	}
	wide := func() *big.Float { return new(big.Float).SetPrec(600) }
	for _, x := range xs {
		v := wide().SetFloat64(float64(x))
		n, _ := wide().Add(wide().Quo(v, half), big.NewFloat(0.5)).Int(nil)
		rest, _ := wide().Sub(v, wide().Mul(half, wide().SetInt(n))).Float64()
		sin, cos := math.Sin(rest), math.Cos(rest)
		switch n.Bit(0) + 2*n.Bit(1) {
		case 1:
			sin, cos = cos, -sin
		case 2:
			sin, cos = -sin, -cos
		case 3:
			sin, cos = -cos, sin
		}
		s, c := device.Sincosf(x)
		if err := max(ulps32(device.Sinf(x), sin), ulps32(s, sin)); !(err <= 2) {
			t.Errorf("Sinf(%g) = %g, Sincosf %g: %.3g ulp", x, device.Sinf(x), s, err)
		}
		if err := max(ulps32(device.Cosf(x), cos), ulps32(c, cos)); !(err <= 2) {
			t.Errorf("Cosf(%g) = %g, Sincosf %g: %.3g ulp", x, device.Cosf(x), c, err)
		}
		if err := ulps32(device.Tanf(x), sin/cos); !(err <= 4) {
			t.Errorf("Tanf(%g) = %g: %.3g ulp", x, device.Tanf(x), err)
		}
	}
}

func ExampleSincospif() {
	sin, cos := device.Sincospif(1e6 + 0.5)
	fmt.Println(sin, cos)
	// Output: 1 0
}

func ExampleExpm1f() {
	const rate = 1e-8
	fmt.Println(device.Expf(rate)-1, device.Expm1f(rate))
	// Output: 0 1e-08
}
