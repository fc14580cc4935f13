package device_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/device/internal/exact"
)

// The float64 functions of several arguments against big numbers, as in math64_test.go.

// anyFloat64 returns a finite number other than 0, any exponent being as likely as any other.
func anyFloat64(r *rand.Rand) float64 {
	for {
		if x := math.Float64frombits(r.Uint64()); x-x == 0 && x != 0 {
			return x
		}
	}
}

// times64 is how many random points a test takes.
func times64(n int) int {
	if *exhaustive {
		return 10 * n
	}
	return n / 6
}

type pair64 [2]float64

func TestPow(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	points := []pair64{
		{1 + 0x1p-52, 0x1p62}, {1 - 0x1p-53, 0x1p62}, {1 + 0x1p-52, -3e18}, {1 - 0x1p-53, -6e18}, {0x1.fffffffffffffp-1, 6.5e18},
		{10, 308}, {10, -323}, {10, 22}, {2, 1023.9999999999999}, {2, -1074}, {2, -1074.9999999999998}, {2, -1075}, {least64, 1}, {least64, 0.5},
		{least64, -0.9}, {most64, 1}, {most64, -1}, {most64, 0.5}, {math.E, 709.782712893384}, {-3, 5}, {-3, -6}, {-0.5, 1001}, {3, 0.5},
		{1.0000000001, 1e12}, {0.9999999999, -1e12}, {math.Sqrt2, 2047}, {math.Sqrt2 / 2, 2147},
	}
	for range times64(4000) {
		x := math.Abs(anyFloat64(r))
		y := (2*r.Float64() - 1) * 746 / math.Abs(math.Log(x)) // over all results
		points = append(points, pair64{x, y})
		x = 1 + (r.Float64()-0.5)*math.Ldexp(1, -r.IntN(50))
		points = append(points, pair64{x, (2*r.Float64() - 1) * 745 / math.Abs(math.Log(x))})
		points = append(points, pair64{r.Float64() * 10, r.Float64()*200 - 100})
		points = append(points, pair64{-r.Float64() * 10, float64(r.IntN(400) - 200)})
	}
	e, at := worst64(points, func(p pair64) float64 {
		if p[0] == 1 || p[0] == 0 || p[1] == 0 || math.IsInf(p[1], 0) {
			return 0
		}
		want := exact.Pow(exact.New(math.Abs(p[0])), exact.New(p[1]))
		if p[0] < 0 && math.Mod(p[1], 2) != 0 {
			want = exact.Neg(want)
		}
		return exact.Ulps(device.Pow(p[0], p[1]), want)
	})
	t.Logf("Pow: at most %.3f ulp, at %x", e, at)
	if !(e <= 0.70) {
		t.Errorf("Pow(%x) is off by %.3f ulp; the bound is 2, the comment says 0.70", at, e)
	}
}

func TestAtan2(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	points := []pair64{{least64, most64}, {least64, -most64}, {most64, least64}, {most64, -least64}, {least64, least64}, {most64, most64}, {-most64, -most64}, {least64, 3}, {0x1p-1022, 1.5}, {1, 1e300}}
	for range times64(3000) {
		points = append(points, pair64{anyFloat64(r), anyFloat64(r)})
		x := anyFloat64(r)
		points = append(points, pair64{x, x * (r.Float64() + 0.1) * 3}, pair64{r.NormFloat64(), r.NormFloat64()})
	}
	e, at := worst64(points, func(p pair64) float64 {
		if p[1] == 0 || math.IsInf(p[1], 0) {
			return 0
		}
		return exact.Ulps(device.Atan2(p[0], p[1]), exact.Atan2(exact.New(p[0]), exact.New(p[1])))
	})
	t.Logf("Atan2: at most %.3f ulp, at %x", e, at)
	if !(e <= 1.31) {
		t.Errorf("Atan2(%x) is off by %.3f ulp; the bound is 2, the comment says 1.31", at, e)
	}
}

func TestNorms(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var points [][4]float64
	for range times64(3000) {
		var p [4]float64
		x := anyFloat64(r)
		for i := range p {
			p[i] = x * (r.Float64() - 0.5) * math.Ldexp(1, -r.IntN(8)*r.IntN(8))
			if math.IsInf(p[i], 0) {
				p[i] = most64
			}
		}
		points = append(points, p, [4]float64{r.Float64(), r.Float64(), r.Float64(), r.Float64()})
	}
	points = append(points, [4]float64{3, 4}, [4]float64{most64, most64, most64, most64}, [4]float64{least64, least64, least64, least64}, [4]float64{least64}, [4]float64{1e200, 1e-200},
		[4]float64{0x1p500, 1}, [4]float64{0x1p-450, 0x1p-500}, [4]float64{most64}, [4]float64{0x1.4p-1022, 0x1p-1060})
	for _, f := range []struct {
		name    string
		n       int
		f       func(p [4]float64) float64
		inverse bool
		bound   float64
		found   float64
	}{
		{"Hypot", 2, func(p [4]float64) float64 { return device.Hypot(p[0], p[1]) }, false, 2, 0.71},
		{"Rhypot", 2, func(p [4]float64) float64 { return device.Rhypot(p[0], p[1]) }, true, 1, 0.63},
		{"Norm3d", 3, func(p [4]float64) float64 { return device.Norm3d(p[0], p[1], p[2]) }, false, 1, 0.74},
		{"Rnorm3d", 3, func(p [4]float64) float64 { return device.Rnorm3d(p[0], p[1], p[2]) }, true, 1, 0.51},
		{"Norm4d", 4, func(p [4]float64) float64 { return device.Norm4d(p[0], p[1], p[2], p[3]) }, false, 1, 0.74},
		{"Rnorm4d", 4, func(p [4]float64) float64 { return device.Rnorm4d(p[0], p[1], p[2], p[3]) }, true, 1, 0.69},
	} {
		e, at := worst64(points, func(p [4]float64) float64 {
			var list []*big.Float
			for i := range f.n {
				list = append(list, exact.New(p[i]))
			}
			want := exact.Hypot(list...)
			if want.Sign() == 0 {
				return 0
			}
			if f.inverse {
				want = exact.Quo(exact.New(1), want)
			}
			return exact.Ulps(f.f(p), want)
		})
		t.Logf("%s: at most %.3f ulp, at %x", f.name, e, at)
		if !(e <= f.bound) || !(e <= f.found) {
			t.Errorf("%s(%x) is off by %.3f ulp; the bound is %g, the comment says %g", f.name, at, e, f.bound, f.found)
		}
	}
}

// Exactly rational arithmetic: the quotient is taken apart by big integers.
func TestRemainders(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	points := []pair64{{most64, least64}, {-most64, least64}, {least64, most64}, {5, 3}, {-5, 3}, {5, -3}, {4, 2}, {-4, 2}, {3, 2}, {5, 2}, {1, 2}, {-1, 2}, {7, 2},
		{most64, 3}, {most64, 0x1.8p-1074}, {0x1p-1022, 3 * least64}, {0.5, 1}, {1.5, 1}, {2.5, 1}, {most64, most64}, {most64 / 2, most64}, {1, 4}, {1, 3}, {0x1p1023, 0x1p-1022 * 1.5},
		{0x1p64, 1}, {0x1p63, 1}, {0x1p64, 3}, {0x1p127, 7}, {0x1p200, 0x1.8p72}}
	for range times64(2000) {
		x, y := anyFloat64(r), anyFloat64(r)
		points = append(points, pair64{x, y})
		k := float64(r.IntN(1000)) / 2
		points = append(points, pair64{k * 3.25, 3.25}, pair64{x, x * r.Float64()}, pair64{x * r.Float64(), x}, pair64{r.NormFloat64() * 1e6, r.NormFloat64()})
	}
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	_, at := worst64(points, func(p pair64) float64 {
		x, y := p[0], p[1]
		if y == 0 || x == 0 {
			return 0
		}
		q := new(big.Rat).Quo(rat(x), rat(y))
		whole := new(big.Int).Quo(q.Num(), q.Denom()) // toward zero
		rest := new(big.Rat).Sub(rat(x), new(big.Rat).Mul(new(big.Rat).SetInt(whole), rat(y)))
		want, _ := rest.Float64()
		got := device.Fmod(x, y)
		if got != want || math.Signbit(got) != math.Signbit(x) {
			t.Errorf("Fmod(%x, %x) = %x, want %x", x, y, got, want)
			return 1
		}
		// To nearest even.
		twice := new(big.Rat).Sub(q, new(big.Rat).SetInt(whole))
		twice.Mul(twice.Abs(twice), big.NewRat(2, 1))
		if c := twice.Cmp(big.NewRat(1, 1)); c > 0 || c == 0 && whole.Bit(0) != 0 {
			whole.Add(whole, big.NewInt(int64(q.Sign())))
		}
		rest.Sub(rat(x), new(big.Rat).Mul(new(big.Rat).SetInt(whole), rat(y)))
		want, _ = rest.Float64()
		low := new(big.Int).And(new(big.Int).Abs(whole), big.NewInt(math.MaxInt32)).Int64()
		if q.Sign() < 0 {
			low = -low
		}
		got, quo := device.Remquo(x, y)
		if got != want || want == 0 && math.Signbit(got) != math.Signbit(x) || int64(quo) != low {
			t.Errorf("Remquo(%x, %x) = %x, %d, want %x, %d", x, y, got, quo, want, low)
			return 1
		}
		if again := device.Remainder(x, y); math.Float64bits(again) != math.Float64bits(got) {
			t.Errorf("Remainder(%x, %x) = %x, Remquo has %x", x, y, again, got)
			return 1
		}
		return 0
	})
	_ = at
}

func TestLdexp(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 100000 {
		x, n := anyFloat64(r), r.IntN(4400)-2200
		if r.IntN(2) == 0 { // results about the least normal number
			n = -1022 - math.Ilogb(x) - r.IntN(56)
		}
		// big.Float rounds to subnormals once.
		want, _ := new(big.Float).SetMantExp(big.NewFloat(x), n).Float64()
		for _, got := range []float64{device.Ldexp(x, int32(n)), device.Scalbn(x, int32(n)), device.Scalbln(x, int64(n))} {
			if math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("Ldexp(%x, %d) = %x, want %x", x, n, got, want)
			}
		}
		f, e := device.Frexp(x)
		if a := math.Abs(f); !(a >= 0.5 && a < 1) || math.Ldexp(f, int(e)) != x {
			t.Fatalf("Frexp(%x) = %x, %d", x, f, e)
		}
		if l := device.Logb(x); l != float64(e-1) || device.Ilogb(x) != e-1 {
			t.Fatalf("Logb(%x) = %g, Ilogb = %d, want %d", x, l, device.Ilogb(x), e-1)
		}
	}
	for _, n := range []int32{math.MaxInt32, math.MinInt32} {
		want := math.Inf(1)
		if n < 0 {
			want = 0
		}
		for _, x := range []float64{least64, 1, most64} {
			if got := device.Ldexp(x, n); got != want {
				t.Errorf("Ldexp(%g, %d) = %g", x, n, got)
			}
			if got := device.Scalbln(x, int64(n)); got != want {
				t.Errorf("Scalbln(%g, %d) = %g", x, n, got)
			}
		}
	}
	if got := device.Scalbln(1, math.MinInt64); got != 0 {
		t.Errorf("Scalbln(1, MinInt64) = %g", got)
	}
}

// The integers next to a number, by big numbers, and the ties.
func TestRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	list := []float64{0.5, 1.5, 2.5, 0.49999999999999994, 0.5000000000000001, 0x1p52 + 0.5, 0x1p52 - 0.5, 0x1p52 + 1, 0x1p53 + 2, least64, most64, 1, 0x1p62, 0x1p63, 0x1p63 - 1024, 0x1p64}
	for range 20000 {
		list = append(list, anyFloat64(r), (r.Float64()-0.5)*math.Ldexp(1, r.IntN(56)), float64(r.IntN(2000)-1000)/2)
	}
	half := big.NewRat(1, 2)
	for _, x := range list {
		for _, x := range []float64{x, -x} {
			if x == 0 {
				continue
			}
			v := new(big.Rat).SetFloat64(x)
			whole := new(big.Int).Quo(v.Num(), v.Denom())
			rest := new(big.Rat).Sub(v, new(big.Rat).SetInt(whole))
			c := new(big.Rat).Abs(rest).Cmp(half)
			step := func(when bool) float64 {
				n := new(big.Int).Set(whole)
				if when {
					n.Add(n, big.NewInt(int64(v.Sign())))
				}
				f, _ := new(big.Float).SetInt(n).Float64()
				return math.Copysign(f, x)
			}
			some := rest.Sign() != 0
			even := step(c > 0 || c == 0 && whole.Bit(0) != 0)
			away := step(c >= 0)
			for _, f := range []struct {
				name      string
				got, want float64
			}{
				{"Trunc", device.Trunc(x), step(false)},
				{"Ceil", device.Ceil(x), step(some && x > 0)},
				{"Floor", device.Floor(x), step(some && x < 0)},
				{"Rint", device.Rint(x), even},
				{"Nearbyint", device.Nearbyint(x), even},
				{"Round", device.Round(x), away},
			} {
				if math.Float64bits(f.got) != math.Float64bits(f.want) {
					t.Fatalf("%s(%x) = %x, want %x", f.name, x, f.got, f.want)
				}
			}
			clamp := func(f float64) int64 {
				i, _ := big.NewFloat(f).Int64() // the nearest int64 beyond the range
				return i
			}
			if device.Lrint(x) != clamp(even) || device.Llrint(x) != clamp(even) || device.Lround(x) != clamp(away) || device.Llround(x) != clamp(away) {
				t.Fatalf("to integers at %x: %d %d", x, device.Llrint(x), device.Llround(x))
			}
		}
	}
}

// Beyond the first zeros the bound is an absolute one, and so for higher orders.
func TestBesselFar(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	type order struct {
		n int
		x float64
	}
	var far, mid []order
	for range times64(600) {
		x := math.Exp(2.08 + r.Float64()*8)
		if r.IntN(4) == 0 {
			x = math.Abs(anyFloat64(r))
			if x < 8 {
				x = 8 + min(8/x, most64)
			}
		}
		far = append(far, order{r.IntN(2), x})
		mid = append(mid, order{r.IntN(129), math.Exp(r.Float64()*12 - 4)})
	}
	far = append(far, order{0, 8}, order{1, 8}, order{0, 0x1p20}, order{1, 1e22}, order{0, most64}, order{1, most64})
	mid = append(mid, order{128, 128}, order{128, 127.5}, order{128, 128.5}, order{2, 2}, order{2, 2.8284271247461903}, order{128, 22.6}, order{128, 22.7}, order{5, 1e-70}, order{128, 1e-10},
		order{4, -2.5}, order{3, -2.5}, order{50, 0.5}, order{1000, 1000}, order{1000, 990}, order{1000, 1003}, order{1500, 1400})
	abs := func(got float64, want *big.Float) float64 {
		f, _ := exact.Sub(exact.New(got), want).Float64()
		return math.Abs(f)
	}
	for _, c := range []struct {
		name  string
		f     func(int, float64) float64
		exact func(int, *big.Float) *big.Float
	}{
		{"first", func(n int, x float64) float64 { return []func(float64) float64{device.J0, device.J1}[n](x) }, exact.Jn},
		{"second", func(n int, x float64) float64 { return []func(float64) float64{device.Y0, device.Y1}[n](x) }, exact.Yn},
	} {
		e, at := worst64(far, func(p order) float64 { return abs(c.f(p.n, p.x), c.exact(p.n, exact.New(p.x))) })
		t.Logf("%s kind, orders 0 and 1: at most %.3g at %v", c.name, e, at)
		if !(e <= 0x1p-53) {
			t.Errorf("%s kind of order %d at %x is off by %.3g; the bound is 5e-12, the comment says 2^-53", c.name, at.n, at.x, e)
		}
	}
	e, at := worst64(mid, func(p order) float64 {
		want := exact.Jn(p.n, exact.New(math.Abs(p.x)))
		if p.x < 0 && p.n%2 != 0 {
			want = exact.Neg(want)
		}
		return abs(device.Jn(int32(p.n), p.x), want)
	})
	t.Logf("Jn: at most %.3g at %v", e, at)
	if !(e <= 5e-15) {
		t.Errorf("Jn(%v) is off by %.3g; the bound is 5e-12, the comment says 5e-15", at, e)
	}
	e, at = worst64(mid, func(p order) float64 {
		if p.x < 0 {
			return 0
		}
		want := exact.Yn(p.n, exact.New(p.x))
		got := device.Yn(int32(p.n), p.x)
		if math.IsInf(got, -1) && want.Sign() < 0 && want.MantExp(nil) > 1024 {
			return 0
		}
		d := abs(got, want)
		if p.x < float64(p.n) { // the function is large, and the bound relative
			w, _ := want.Float64()
			d /= math.Abs(w) * 1e-14 / 5e-15
		}
		return d
	})
	t.Logf("Yn: at most %.3g at %v", e, at)
	if !(e <= 5e-15) {
		t.Errorf("Yn(%v) is off by %.3g; the bound is 5e-12, the comment says 5e-15", at, e)
	}
}
