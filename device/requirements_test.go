package device_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// Tests from the text of C99 and IEEE 754 alone, the same for both precisions. What is rounded is
// compared with rational numbers that a slow func rounds by the definition.

// A twin is a function in both precisions.
type twin struct {
	name string
	f64  func(x, y float64) float64
	f32  func(x, y float32) float32
}

func of64(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

func of32(f func(float32) float32) func(x, y float32) float32 {
	return func(x, _ float32) float32 { return f(x) }
}

// ISO/IEC 9899:1999, annex F.9: special arguments of functions in both precisions. All numbers are
// exact in float32.
func TestAnnexF(t *testing.T) {
	const pi, big, tiny = math.Pi, 0x1p100, 0x1p-100
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		twin
		rows [][3]float64 // x, y, result
	}{
		{twin{"pow", device.Pow, device.Powf}, [][3]float64{
			{0, -3, inf}, {zero, -3, -inf}, {0, -2, inf}, {zero, -2, inf}, {zero, -2.5, inf}, {zero, -inf, inf}, {0, -inf, inf},
			{0, 3, 0}, {zero, 3, zero}, {zero, 2, 0}, {zero, 0.5, 0}, {zero, inf, 0}, {zero, big, 0}, {zero, -big, inf},
			{-1, inf, 1}, {-1, -inf, 1}, {1, nan, 1}, {1, inf, 1}, {1, -3, 1}, {nan, 0, 1}, {nan, zero, 1}, {inf, 0, 1}, {zero, zero, 1},
			{-8, 1 / 4.0, nan}, {-tiny, 0.5, nan}, {-2, 3, -8}, {-2, 2, 4}, {-2, -1, -0.5},
			{0.5, -inf, inf}, {-0.5, -inf, inf}, {2, -inf, 0}, {-2, -inf, 0}, {0.5, inf, 0}, {-0.5, inf, 0}, {2, inf, inf}, {-2, inf, inf},
			{-inf, -3, zero}, {-inf, -2, 0}, {-inf, -0.5, 0}, {-inf, 3, -inf}, {-inf, 2, inf}, {-inf, 0.5, inf}, {inf, -1, 0}, {inf, tiny, inf},
			{-inf, inf, inf}, {-inf, -inf, 0}, {-1, 16777215, -1}, {-1, 16777216, 1}, {-1, big, 1}, {-big, 11, -inf}, {-big, -15, zero},
			{nan, 1, nan}, {2, nan, nan}, {nan, nan, nan}, {-1, nan, nan}, {0, nan, nan}}},
		{twin{"atan2", device.Atan2, device.Atan2f}, [][3]float64{
			{0, -1, pi}, {zero, -1, -pi}, {0, zero, pi}, {zero, zero, -pi}, {0, 0, 0}, {zero, 0, zero}, {0, 1, 0}, {zero, 1, zero},
			{-1, 0, -pi / 2}, {-1, zero, -pi / 2}, {1, 0, pi / 2}, {1, zero, pi / 2}, {1, -inf, pi}, {-1, -inf, -pi}, {1, inf, 0}, {-1, inf, zero},
			{inf, 5, pi / 2}, {-inf, -5, -pi / 2}, {inf, -inf, 3 * pi / 4}, {-inf, -inf, -3 * pi / 4}, {inf, inf, pi / 4}, {-inf, inf, -pi / 4},
			{nan, 1, nan}, {1, nan, nan}, {nan, inf, nan}, {inf, nan, nan}, {0, inf, 0}, {zero, -inf, -pi}, {inf, 0, pi / 2}}},
		{twin{"hypot", device.Hypot, device.Hypotf}, [][3]float64{
			{inf, nan, inf}, {nan, -inf, inf}, {-inf, 1, inf}, {nan, 1, nan}, {1, nan, nan}, {zero, zero, 0}, {-3, zero, 3}, {zero, -5, 5},
			{3, -4, 5}, {0x1.8p125, 0x1p126, 0x1.4p126}, {0x1.8p-140, 0x1p-139, 0x1.4p-139}}},
		{twin{"fmod", device.Fmod, device.Fmodf}, [][3]float64{
			{0, 1, 0}, {zero, 1, zero}, {inf, 1, nan}, {1, 0, nan}, {1, zero, nan}, {0, 0, nan}, {inf, inf, nan}, {5, inf, 5}, {-5, -inf, -5}, {zero, inf, zero},
			{5.5, 2, 1.5}, {-5.5, 2, -1.5}, {5.5, -2, 1.5}, {-6, 2, zero}, {6, -2, 0}, {big, 3, 1}, {nan, 1, nan}, {1, nan, nan}, {inf, nan, nan}}},
		{twin{"remainder", device.Remainder, device.Remainderf}, [][3]float64{
			{0, 1, 0}, {zero, 1, zero}, {inf, 1, nan}, {1, 0, nan}, {5, inf, 5}, {-5, inf, -5}, {5, 2, 1}, {7, 2, -1}, {-5, 2, -1}, {-7, 2, 1}, {1, 2, 1}, {3, 2, -1},
			{-6, 2, zero}, {6, -3, 0}, {5.5, 2, -0.5}, {big, 3, 1}, {nan, 1, nan}, {1, nan, nan}, {inf, inf, nan}}},
		{twin{"fmax", device.Fmax, device.Fmaxf}, [][3]float64{
			{nan, 1, 1}, {1, nan, 1}, {nan, -inf, -inf}, {nan, nan, nan}, {zero, 0, 0}, {0, zero, 0}, {zero, zero, zero}, {-1, -2, -1}, {inf, nan, inf}, {nan, zero, zero}}},
		{twin{"fmin", device.Fmin, device.Fminf}, [][3]float64{
			{nan, 1, 1}, {1, nan, 1}, {nan, inf, inf}, {nan, nan, nan}, {zero, 0, zero}, {0, zero, zero}, {-1, -2, -2}, {-inf, nan, -inf}}},
		{twin{"fdim", device.Fdim, device.Fdimf}, [][3]float64{
			{5, 3, 2}, {3, 5, 0}, {3, 3, 0}, {inf, inf, 0}, {inf, -inf, inf}, {-inf, -inf, 0}, {-inf, inf, 0}, {nan, 1, nan}, {1, nan, nan}, {zero, 0, 0}, {zero, zero, 0}}},
		{twin{"copysign", device.Copysign, device.Copysignf}, [][3]float64{{1, zero, -1}, {-1, 0, 1}, {inf, -1, -inf}, {zero, 1, 0}, {2, -inf, -2}}},
		{twin{"nextafter", device.Nextafter, device.Nextafterf}, [][3]float64{
			{zero, 0, 0}, {0, zero, zero}, {2, 2, 2}, {inf, inf, inf}, {nan, 1, nan}, {1, nan, nan}, {-inf, -inf, -inf}}},
		{twin{"cbrt", of64(device.Cbrt), of32(device.Cbrtf)}, [][3]float64{{zero, 0, zero}, {-inf, 0, -inf}, {-27, 0, -3}, {nan, 0, nan}}},
		{twin{"expm1", of64(device.Expm1), of32(device.Expm1f)}, [][3]float64{{zero, 0, zero}, {-inf, 0, -1}, {inf, 0, inf}, {-big, 0, -1}, {tiny, 0, tiny}}},
		{twin{"log1p", of64(device.Log1p), of32(device.Log1pf)}, [][3]float64{{zero, 0, zero}, {-1, 0, -inf}, {-2, 0, nan}, {inf, 0, inf}, {-inf, 0, nan}, {-tiny, 0, -tiny}}},
		{twin{"logb", of64(device.Logb), of32(device.Logbf)}, [][3]float64{{0, 0, -inf}, {zero, 0, -inf}, {-inf, 0, inf}, {inf, 0, inf}, {nan, 0, nan}, {0x1p-149, 0, -149}, {-0x1.8p7, 0, 7}}},
		{twin{"tgamma", of64(device.Tgamma), of32(device.Tgammaf)}, [][3]float64{
			{0, 0, inf}, {zero, 0, -inf}, {-1, 0, nan}, {-4, 0, nan}, {-big, 0, nan}, {-inf, 0, nan}, {inf, 0, inf}, {big, 0, inf}, {nan, 0, nan}, {1, 0, 1}, {5, 0, 24},
			{-500.5, 0, zero}, {-501.5, 0, 0}}},
		{twin{"lgamma", of64(device.Lgamma), of32(device.Lgammaf)}, [][3]float64{
			{1, 0, 0}, {2, 0, 0}, {0, 0, inf}, {zero, 0, inf}, {-1, 0, inf}, {-big, 0, inf}, {inf, 0, inf}, {-inf, 0, inf}, {nan, 0, nan}}},
		{twin{"acosh", of64(device.Acosh), of32(device.Acoshf)}, [][3]float64{{1, 0, 0}, {0.5, 0, nan}, {-inf, 0, nan}, {inf, 0, inf}}},
		{twin{"atanh", of64(device.Atanh), of32(device.Atanhf)}, [][3]float64{{zero, 0, zero}, {1, 0, inf}, {-1, 0, -inf}, {2, 0, nan}, {inf, 0, nan}}},
		{twin{"rint", of64(device.Rint), of32(device.Rintf)}, [][3]float64{{zero, 0, zero}, {-0.5, 0, zero}, {0.5, 0, 0}, {1.5, 0, 2}, {2.5, 0, 2}, {-inf, 0, -inf}, {0x1.fffffep22, 0, 0x1p23}}},
		{twin{"nearbyint", of64(device.Nearbyint), of32(device.Nearbyintf)}, [][3]float64{{-0.5, 0, zero}, {3.5, 0, 4}, {0x1p30, 0, 0x1p30}}},
		{twin{"round", of64(device.Round), of32(device.Roundf)}, [][3]float64{{-0.5, 0, -1}, {0.5, 0, 1}, {-0.25, 0, zero}, {0x1.fffffep-2, 0, 0}, {2.5, 0, 3}, {8388607.5, 0, 8388608}, {8388609, 0, 8388609}}},
		{twin{"trunc", of64(device.Trunc), of32(device.Truncf)}, [][3]float64{{-0.75, 0, zero}, {2.75, 0, 2}, {-inf, 0, -inf}}},
		{twin{"ceil", of64(device.Ceil), of32(device.Ceilf)}, [][3]float64{{-0.75, 0, zero}, {tiny, 0, 1}, {zero, 0, zero}}},
		{twin{"floor", of64(device.Floor), of32(device.Floorf)}, [][3]float64{{-tiny, 0, -1}, {0.75, 0, 0}, {zero, 0, zero}}},
	} {
		for _, r := range c.rows {
			if got := c.f64(r[0], r[1]); !(got == r[2] && math.Signbit(got) == math.Signbit(r[2]) || got != got && r[2] != r[2]) {
				t.Errorf("%s(%g, %g) = %g, want %g", c.name, r[0], r[1], got, r[2])
			}
			// Multiples of pi are rounded to float32.
			want := float32(r[2])
			if got := c.f32(float32(r[0]), float32(r[1])); !(got == want && math.Signbit(float64(got)) == math.Signbit(r[2]) || got != got && want != want) {
				t.Errorf("%sf(%g, %g) = %g, want %g", c.name, r[0], r[1], got, want)
			}
		}
	}
	for _, r := range []struct {
		x    float64
		want int64 // of lrint
		away int64 // of lround
		exp  int32 // of ilogb
	}{
		{inf, math.MaxInt64, math.MaxInt64, math.MaxInt32}, {-inf, math.MinInt64, math.MinInt64, math.MaxInt32},
		{nan, math.MinInt64, math.MinInt64, math.MinInt32}, {0x1p63, math.MaxInt64, math.MaxInt64, 63}, {-0x1p63, math.MinInt64, math.MinInt64, 63},
		{-0x1p64, math.MinInt64, math.MinInt64, 64}, {0.5, 0, 1, -1}, {-2.5, -2, -3, 1}, {0x1.fffffep62, 0x1.fffffep62, 0x1.fffffep62, 62}, {zero, 0, 0, math.MinInt32},
	} {
		x := float32(r.x)
		for what, got := range map[string]int64{"lrint": device.Lrint(r.x), "llrint": device.Llrint(r.x), "lrintf": device.Lrintf(x), "llrintf": device.Llrintf(x)} {
			if got != r.want {
				t.Errorf("%s(%g) = %d, want %d", what, r.x, got, r.want)
			}
		}
		for what, got := range map[string]int64{"lround": device.Lround(r.x), "llround": device.Llround(r.x), "lroundf": device.Lroundf(x), "llroundf": device.Llroundf(x)} {
			if got != r.away {
				t.Errorf("%s(%g) = %d, want %d", what, r.x, got, r.away)
			}
		}
		if a, b := device.Ilogb(r.x), device.Ilogbf(x); a != r.exp || b != r.exp {
			t.Errorf("ilogb(%g) = %d, ilogbf = %d, want %d", r.x, a, b, r.exp)
		}
	}
	if a, b := device.Nextafter(zero, 1), device.Nextafterf(float32(zero), 1); a != 0x1p-1074 || b != 0x1p-149 {
		t.Errorf("nextafter(-0, 1) = %g, %g", a, b)
	}
	if a, b := device.Nextafter(math.MaxFloat64, inf), device.Nextafterf(math.MaxFloat32, float32(inf)); a != inf || b != float32(inf) {
		t.Errorf("nextafter(largest, inf) = %g, %g", a, b)
	}
	if a, b := device.Nextafter(-inf, 0), device.Nextafterf(float32(-inf), 0); a != -math.MaxFloat64 || b != -math.MaxFloat32 {
		t.Errorf("nextafter(-inf, 0) = %g, %g", a, b)
	}
}

// A narrow format: digits of the significand, the exponent of its least number, and the largest
// exponent.
type narrow struct{ digits, least, most int }

var (
	narrow16  = narrow{11, -24, 15}
	narrowB16 = narrow{8, -133, 127}
	narrow32  = narrow{24, -149, 127}
	narrow64  = narrow{53, -1074, 1023}
)

// round rounds x, which is not 0, by the definition: to the multiple of the last place that the
// mode says. A result beyond the largest number is that or infinity. It returns a float64, which
// has all of these formats.
func (n narrow) round(x *big.Rat, mode string) float64 {
	// 2^e <= |x| < 2^(e+1)
	abs := new(big.Rat).Abs(x)
	e := abs.Num().BitLen() - abs.Denom().BitLen()
	power := func(k int) *big.Rat {
		if k < 0 {
			return new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(-k)))
		}
		return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(k)))
	}
	if abs.Cmp(power(e)) < 0 {
		e--
	}
	place := max(e-n.digits+1, n.least)
	units := new(big.Rat).Mul(abs, power(-place))
	whole, rest := new(big.Int).QuoRem(units.Num(), units.Denom(), new(big.Int))
	negative := x.Sign() < 0
	up := false
	switch mode {
	case "RN":
		c := new(big.Int).Lsh(rest, 1).Cmp(units.Denom())
		up = c > 0 || c == 0 && whole.Bit(0) == 1
	case "RU":
		up = rest.Sign() > 0 && !negative
	case "RD":
		up = rest.Sign() > 0 && negative
	}
	if up {
		whole.Add(whole, big.NewInt(1))
	}
	m, _ := new(big.Float).SetInt(whole).Float64()
	r := math.Ldexp(m, place)
	if most := math.Ldexp(2-math.Ldexp(1, 1-n.digits), n.most); r > most {
		r = math.Inf(1)
		if mode == "RZ" || mode == "RU" && negative || mode == "RD" && !negative {
			r = most
		}
	}
	if negative {
		return -r
	}
	return r
}

// Numbers where something happens: near the ends of a format, and anywhere.
func awkward(r *rand.Rand, n narrow) float64 {
	m := 1 + math.Floor(r.Float64()*math.Ldexp(1, n.digits-1))*math.Ldexp(1, 1-n.digits)
	if r.IntN(3) == 0 {
		m = 1 + float64(r.IntN(3))*math.Ldexp(1, 1-n.digits)
	}
	var e int
	switch r.IntN(4) {
	case 0:
		e = n.most - r.IntN(3)
	case 1:
		e = n.least + r.IntN(n.digits+3)
	case 2:
		e = r.IntN(5) - 2
	default:
		e = n.least + r.IntN(n.most-n.least)
	}
	x := math.Ldexp(m, e)
	if n != narrow64 { // cut off what a subnormal number can't have
		x = math.Ldexp(math.Trunc(math.Ldexp(x, -n.least)), n.least)
	}
	if r.IntN(2) == 0 {
		x = -x
	}
	return x
}

// Rounded arithmetic at overflow, underflow and between: rational numbers, rounded by the definition.
func TestRoundingByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	type op struct {
		name string
		f32  func(x, y, z float32) float32
		f64  func(x, y, z float64) float64
		want func(x, y, z *big.Rat) *big.Rat // nil if there is no number
	}
	two32 := func(f func(x, y float32) float32) func(x, y, z float32) float32 {
		return func(x, y, _ float32) float32 { return f(x, y) }
	}
	two64 := func(f func(x, y float64) float64) func(x, y, z float64) float64 {
		return func(x, y, _ float64) float64 { return f(x, y) }
	}
	add := func(x, y, _ *big.Rat) *big.Rat { return x.Add(x, y) }
	sub := func(x, y, _ *big.Rat) *big.Rat { return x.Sub(x, y) }
	mul := func(x, y, _ *big.Rat) *big.Rat { return x.Mul(x, y) }
	quo := func(x, y, _ *big.Rat) *big.Rat {
		if y.Sign() == 0 {
			return nil
		}
		return x.Quo(x, y)
	}
	rcp := func(x, _, _ *big.Rat) *big.Rat {
		if x.Sign() == 0 {
			return nil
		}
		return x.Inv(x)
	}
	fma := func(x, y, z *big.Rat) *big.Rat { return x.Mul(x, y).Add(x, z) }
	for mode, ops := range map[string][]op{
		"RN": {{"add", two32(device.FaddRN), two64(device.DaddRN), add}, {"sub", two32(device.FsubRN), two64(device.DsubRN), sub},
			{"mul", two32(device.FmulRN), two64(device.DmulRN), mul}, {"div", two32(device.FdivRN), two64(device.DdivRN), quo},
			{"fma", device.FmafRN, device.FmaRN, fma}, {"rcp", two32(of32(device.FrcpRN)), two64(of64(device.DrcpRN)), rcp}},
		"RZ": {{"add", two32(device.FaddRZ), two64(device.DaddRZ), add}, {"sub", two32(device.FsubRZ), two64(device.DsubRZ), sub},
			{"mul", two32(device.FmulRZ), two64(device.DmulRZ), mul}, {"div", two32(device.FdivRZ), two64(device.DdivRZ), quo},
			{"fma", device.FmafRZ, device.FmaRZ, fma}, {"rcp", two32(of32(device.FrcpRZ)), two64(of64(device.DrcpRZ)), rcp}},
		"RU": {{"add", two32(device.FaddRU), two64(device.DaddRU), add}, {"sub", two32(device.FsubRU), two64(device.DsubRU), sub},
			{"mul", two32(device.FmulRU), two64(device.DmulRU), mul}, {"div", two32(device.FdivRU), two64(device.DdivRU), quo},
			{"fma", device.FmafRU, device.FmaRU, fma}, {"rcp", two32(of32(device.FrcpRU)), two64(of64(device.DrcpRU)), rcp}},
		"RD": {{"add", two32(device.FaddRD), two64(device.DaddRD), add}, {"sub", two32(device.FsubRD), two64(device.DsubRD), sub},
			{"mul", two32(device.FmulRD), two64(device.DmulRD), mul}, {"div", two32(device.FdivRD), two64(device.DdivRD), quo},
			{"fma", device.FmafRD, device.FmaRD, fma}, {"rcp", two32(of32(device.FrcpRD)), two64(of64(device.DrcpRD)), rcp}},
	} {
		for _, o := range ops {
			for range 1500 {
				x, y, z := awkward(r, narrow32), awkward(r, narrow32), awkward(r, narrow32)
				if w := o.want(exactly(x), exactly(y), exactly(z)); w != nil && w.Sign() != 0 {
					want := narrow32.round(w, mode)
					if got := o.f32(float32(x), float32(y), float32(z)); float64(got) != want || math.Signbit(float64(got)) != math.Signbit(want) {
						t.Fatalf("float32 %s%s(%x, %x, %x) = %x, want %x", o.name, mode, x, y, z, got, want)
					}
				}
			}
			for range 400 {
				x, y, z := awkward(r, narrow64), awkward(r, narrow64), awkward(r, narrow64)
				if r.IntN(2) == 0 && o.name == "fma" { // let them meet
					z = -x * y * (1 + float64(r.IntN(3)-1)*0x1p-52)
					if z-z != 0 {
						continue
					}
				}
				if w := o.want(exactly(x), exactly(y), exactly(z)); w != nil && w.Sign() != 0 {
					want := narrow64.round(w, mode)
					if got := o.f64(x, y, z); got != want || math.Signbit(got) != math.Signbit(want) {
						t.Fatalf("float64 %s%s(%x, %x, %x) = %x, want %x", o.name, mode, x, y, z, got, want)
					}
				}
			}
		}
	}
}

func exactly(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// Conversions to narrower formats and to integers, the same way.
func TestConversionsByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	toInteger := func(x float64, mode string) *big.Int {
		q := exactly(x)
		down := new(big.Int).Div(q.Num(), q.Denom()) // Denom is positive: rounds down
		frac := new(big.Rat).Sub(q, new(big.Rat).SetInt(down))
		up := false
		switch c := frac.Cmp(big.NewRat(1, 2)); mode {
		case "RN":
			up = c > 0 || c == 0 && down.Bit(0) == 1
		case "RZ":
			up = x < 0 && frac.Sign() > 0
		case "RU":
			up = frac.Sign() > 0
		}
		if up {
			down.Add(down, big.NewInt(1))
		}
		return down
	}
	clamp := func(i *big.Int, least, most *big.Int) *big.Int {
		if i.Cmp(least) < 0 {
			return least
		}
		if i.Cmp(most) > 0 {
			return most
		}
		return i
	}
	signed := func(bits uint) (least, most *big.Int) {
		p := new(big.Int).Lsh(big.NewInt(1), bits-1)
		return new(big.Int).Neg(p), new(big.Int).Sub(p, big.NewInt(1))
	}
	unsigned := func(bits uint) (least, most *big.Int) {
		return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1))
	}
	modes := []string{"RN", "RZ", "RU", "RD"}
	for n := range 2000 {
		x := awkward(r, narrow64)
		switch n % 4 {
		case 0:
			x = math.Ldexp(1+float64(r.IntN(5)-2)*0x1p-52, 29+r.IntN(38)) // around the ends of ranges
		case 1:
			x = float64(r.IntN(9)-4) + float64(r.IntN(5)-2)*0x1p-40
		case 2:
			x = float64(int64(r.Uint64())>>r.IntN(64)) + 0.5
		}
		f := float32(x)
		for m, mode := range modes {
			wide, single := toInteger(x, mode), (*big.Int)(nil)
			if f-f == 0 {
				single = toInteger(float64(f), mode)
			}
			check := func(name string, got *big.Int, want *big.Int) {
				t.Helper()
				if got.Cmp(want) != 0 {
					t.Errorf("%s%s(%x) = %v, want %v", name, mode, x, got, want)
				}
			}
			i, u := func(v int64) *big.Int { return big.NewInt(v) }, func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
			d32 := []func(float64) int32{device.Double2IntRN, device.Double2IntRZ, device.Double2IntRU, device.Double2IntRD}[m]
			du32 := []func(float64) uint32{device.Double2UintRN, device.Double2UintRZ, device.Double2UintRU, device.Double2UintRD}[m]
			d64 := []func(float64) int64{device.Double2LLRN, device.Double2LLRZ, device.Double2LLRU, device.Double2LLRD}[m]
			du64 := []func(float64) uint64{device.Double2ULLRN, device.Double2ULLRZ, device.Double2ULLRU, device.Double2ULLRD}[m]
			l, h := signed(32)
			check("Double2Int", i(int64(d32(x))), clamp(wide, l, h))
			l, h = unsigned(32)
			check("Double2Uint", u(uint64(du32(x))), clamp(wide, l, h))
			l, h = signed(64)
			check("Double2LL", i(d64(x)), clamp(wide, l, h))
			l, h = unsigned(64)
			check("Double2ULL", u(du64(x)), clamp(wide, l, h))
			if single != nil {
				f32 := []func(float32) int32{device.Float2IntRN, device.Float2IntRZ, device.Float2IntRU, device.Float2IntRD}[m]
				fu32 := []func(float32) uint32{device.Float2UintRN, device.Float2UintRZ, device.Float2UintRU, device.Float2UintRD}[m]
				f64 := []func(float32) int64{device.Float2LLRN, device.Float2LLRZ, device.Float2LLRU, device.Float2LLRD}[m]
				fu64 := []func(float32) uint64{device.Float2ULLRN, device.Float2ULLRZ, device.Float2ULLRU, device.Float2ULLRD}[m]
				l, h = signed(32)
				check("Float2Int", i(int64(f32(f))), clamp(single, l, h))
				l, h = unsigned(32)
				check("Float2Uint", u(uint64(fu32(f))), clamp(single, l, h))
				l, h = signed(64)
				check("Float2LL", i(f64(f)), clamp(single, l, h))
				l, h = unsigned(64)
				check("Float2ULL", u(fu64(f)), clamp(single, l, h))
			}
			if x == 0 {
				continue
			}
			to32 := []func(float64) float32{device.Double2FloatRN, device.Double2FloatRZ, device.Double2FloatRU, device.Double2FloatRD}[m]
			if got, want := float64(to32(x)), narrow32.round(exactly(x), mode); got != want || math.Signbit(got) != math.Signbit(want) {
				t.Errorf("Double2Float%s(%x) = %x, want %x", mode, x, got, want)
			}
			h32 := awkward(r, narrow32)
			if n%2 == 0 { // where half precision is
				h32 = float64(float32(math.Ldexp(1+r.Float64(), r.IntN(45)-27)))
			}
			toHalf := []func(float32) device.Half{device.Float2HalfRN, device.Float2HalfRZ, device.Float2HalfRU, device.Float2HalfRD}[m]
			if h32 != 0 {
				got, want := float64(device.Half2Float(toHalf(float32(h32)))), narrow16.round(exactly(h32), mode)
				if got != want || math.Signbit(got) != math.Signbit(want) {
					t.Errorf("Float2Half%s(%x) = %x, want %x", mode, h32, got, want)
				}
				toB := []func(float32) device.Bfloat16{device.Float2Bfloat16RN, device.Float2Bfloat16RZ, device.Float2Bfloat16RU, device.Float2Bfloat16RD}[m]
				got, want = float64(device.Bfloat162Float(toB(float32(h32)))), narrowB16.round(exactly(h32), mode)
				if got != want || math.Signbit(got) != math.Signbit(want) {
					t.Errorf("Float2Bfloat16%s(%x) = %x, want %x", mode, h32, got, want)
				}
			}
			k := int64(r.Uint64()) >> r.IntN(63)
			if k != 0 {
				ll := []func(int64) float32{device.LL2FloatRN, device.LL2FloatRZ, device.LL2FloatRU, device.LL2FloatRD}[m]
				if got, want := float64(ll(k)), narrow32.round(new(big.Rat).SetInt64(k), mode); got != want {
					t.Errorf("LL2Float%s(%d) = %x, want %x", mode, k, got, want)
				}
				ld := []func(uint64) float64{device.ULL2DoubleRN, device.ULL2DoubleRZ, device.ULL2DoubleRU, device.ULL2DoubleRD}[m]
				if got, want := ld(uint64(k)), narrow64.round(new(big.Rat).SetInt(new(big.Int).SetUint64(uint64(k))), mode); got != want {
					t.Errorf("ULL2Double%s(%d) = %x, want %x", mode, uint64(k), got, want)
				}
				lh := []func(int64) device.Half{device.LL2HalfRN, device.LL2HalfRZ, device.LL2HalfRU, device.LL2HalfRD}[m]
				if got, want := float64(device.Half2Float(lh(k))), narrow16.round(new(big.Rat).SetInt64(k), mode); got != want {
					t.Errorf("LL2Half%s(%d) = %x, want %x", mode, k, got, want)
				}
			}
		}
	}
	// All halves, by the table of The CUDA Handbook.
	for b := range 1 << 16 {
		s, e, m := b>>15, b>>10&31, float64(b&1023)
		want := math.Ldexp(m, -24)
		if e > 0 {
			want = math.Ldexp(1+m/1024, e-15)
		}
		if e == 31 {
			want = math.Inf(1)
			if m != 0 {
				want = math.NaN()
			}
		}
		if s == 1 {
			want = -want
		}
		h := device.UshortAsHalf(uint16(b))
		got := float64(device.Half2Float(h))
		if !(got == want && math.Signbit(got) == math.Signbit(want) || got != got && want != want) {
			t.Errorf("Half2Float(%#x) = %g, want %g", b, got, want)
		}
		if back := device.HalfAsUshort(device.Float2Half(float32(want))); int(back) != b && want == want {
			t.Errorf("Float2Half(%g) = %#x, want %#x", want, back, b)
		}
	}
}
