package device_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// The figures are those of Figure B.6.1 in Nickolls and Kirk, Graphics and Computing GPUs, which
// are Table 8.11 of The CUDA Handbook and Table 1 of Oberman and Siu. Good bits are -log2 of the
// largest absolute error of the rounded result. The figures have two digits behind the point, so
// the margin is half of the last: the tables have the same widths, and a best fit is not worse.
func TestSFUGoodBits(t *testing.T) {
	const n = 1 << 23
	step := 1
	if raceEnabled {
		step = 53
	}
	for _, c := range []struct {
		name      string
		f         func(x float32) float32
		count     int
		x         func(k int) float32
		want      func(k int, x float32) float64
		bits, ulp float64 // ulp is relative to 2^-24 or 2^-23, as its range has it
		unit      float64
		exactly   float64 // how many are the nearest float32, in percent; 0 if not known
		rises     float32 // 1 or -1 if monotonic
	}{
		{"rcp", device.SFURcp, n, func(k int) float32 { return 1 + float32(k)/n },
			func(_ int, x float32) float64 { return 1 / float64(x) }, 24.02, 0.98, 0x1p-24, 87, -1},
		{"rsqrt", device.SFURsqrt, 2 * n, func(k int) float32 { return (1 + float32(k%n)/n) * float32(1+k/n) },
			func(_ int, x float32) float64 { return 1 / math.Sqrt(float64(x)) }, 23.40, 1.52, 0x1p-24, 78, -1},
		{"ex2", device.SFUEx2, n, func(k int) float32 { return float32(k) / n },
			func(_ int, x float32) float64 { return math.Exp2(float64(x)) }, 22.51, 1.41, 0x1p-23, 74, 1},
		{"lg2", device.SFULg2, n, func(k int) float32 { return 1 + float32(k)/n },
			func(_ int, x float32) float64 { return math.Log2(float64(x)) }, 22.57, 0, 0, 0, 1},
		// The middle of what the reduction cuts off to k/2^23.
		{"sin", device.SFUSin, n, func(k int) float32 { return float32((float64(k) + 0.5) / n * (math.Pi / 2)) },
			func(k int, _ float32) float64 { return math.Sin(float64(k) / n * (math.Pi / 2)) }, 22.47, 0, 0, 0, 0},
		{"cos", device.SFUCos, n, func(k int) float32 { return float32((float64(k) + 0.5) / n * (math.Pi / 2)) },
			func(k int, _ float32) float64 { return math.Cos(float64(k) / n * (math.Pi / 2)) }, 22.47, 0, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			worst, at, nearest, tried := 0.0, float32(0), 0, 0
			var last float32
			for k := 0; k < c.count; k += step {
				x := c.x(k)
				got, want := c.f(x), c.want(k, x)
				tried++
				if got == float32(want) {
					nearest++
				}
				if e := math.Abs(float64(got) - want); !(e <= worst) {
					worst, at = e, x
				}
				if tried > 1 && (got-last)*c.rises < 0 {
					t.Errorf("%s(%g) = %g after %g", c.name, x, got, last)
					c.rises = 0
				}
				last = got
			}
			exactly := 100 * float64(nearest) / float64(tried)
			t.Logf("%.2f good bits at %g, %.0f%% exactly rounded", -math.Log2(worst), at, exactly)
			if c.unit != 0 {
				t.Logf("%.2f ulp", worst/c.unit)
			}
			if !(-math.Log2(worst) >= c.bits-0.005) {
				t.Errorf("%.2f good bits at %g, not %.2f", -math.Log2(worst), at, c.bits)
			}
			if c.unit != 0 && !(worst/c.unit <= c.ulp+0.005) {
				t.Errorf("%.2f ulp at %g, not %.2f", worst/c.unit, at, c.ulp)
			}
			if exactly < c.exactly-1 { // other tables of the same size
				t.Errorf("%.1f%% are exactly rounded, not %.0f%%", exactly, c.exactly)
			}
		})
	}
}

// With its reduction the sine is as good as CUDA says of __sinf and __cosf.
func TestSFUSinOverATurn(t *testing.T) {
	for _, c := range []struct {
		f     func(float32) float32
		want  func(float64) float64
		bound float64
	}{{device.SFUSin, math.Sin, 21.41}, {device.SFUCos, math.Cos, 21.19}} {
		worst, at := 0.0, float32(0)
		for k := -1 << 20; k <= 1<<20; k++ {
			x := float32(float64(k) / (1 << 20) * math.Pi)
			if e := math.Abs(float64(c.f(x)) - c.want(float64(x))); e > worst {
				worst, at = e, x
			}
		}
		t.Logf("2^%.2f at %g", math.Log2(worst), at)
		if -math.Log2(worst) < c.bound {
			t.Errorf("error 2^%.2f at %g, not 2^-%.2f", math.Log2(worst), at, c.bound)
		}
	}
}

// Exponents: over all of float32 the errors are those of one octave.
func TestExhaustiveSFU(t *testing.T) {
	var rcp, rsqrt, ex2, lg2 worst
	normal := func(y float64) bool { return math.Abs(y) >= 0x1p-126 && math.Abs(y) <= math.MaxFloat32 }
	all32(t, 20011, func(b uint32) bool {
		x := math.Float32frombits(b)
		wide := math.Abs(float64(x))
		if wide < 0x1p-126 || x-x != 0 {
			return true
		}
		if want := 1 / float64(x); normal(want) {
			rcp.add(math.Abs(float64(device.SFURcp(x))/want-1), x)
		} else if got := device.SFURcp(x); got != 0 || math.Signbit(float64(got)) != math.Signbit(float64(x)) {
			t.Errorf("rcp(%g) = %g", x, got)
		}
		if x > 0 {
			rsqrt.add(math.Abs(float64(device.SFURsqrt(x))*math.Sqrt(wide)-1), x)
			want := math.Log2(wide)
			lg2.add(math.Abs(float64(device.SFULg2(x))-want)/max(1, math.Abs(want)), x)
		} else if y, z := device.SFURsqrt(x), device.SFULg2(x); y == y || z == z {
			t.Errorf("of %g: %g, %g", x, y, z)
		}
		if x > -126 && x < 128 {
			ex2.add(math.Abs(float64(device.SFUEx2(x))/math.Exp2(float64(x))-1), x)
		}
		return !t.Failed()
	})
	// Results of rcp and rsqrt are above 1/2, where the good bits are from: twice that relative
	// error at most. ex2 has in addition what the rounding of its operand to 2^-23 does, and lg2
	// the rounding of its result.
	for _, c := range []struct {
		name  string
		w     *worst
		bound float64
	}{
		{"rcp", &rcp, -23.02}, {"rsqrt", &rsqrt, -22.40}, {"ex2", &ex2, math.Log2(math.Exp2(-22.51) + math.Ln2*0x1p-24)},
		{"lg2", &lg2, math.Log2(math.Exp2(-22.57) + 0x1p-24)},
	} {
		t.Logf("%s: 2^%.2f at %g", c.name, math.Log2(c.w.most()), c.w.x)
		if !(math.Log2(c.w.most()) <= c.bound) {
			t.Errorf("%s: relative error 2^%.2f at %g, not 2^%.2f", c.name, math.Log2(c.w.most()), c.w.x, c.bound)
		}
	}
}

// Special operands, by the tables of the PTX ISA for the .ftz forms.
func TestSFUSpecial(t *testing.T) {
	inf, nan, zero, minus := float32(math.Inf(1)), float32(math.NaN()), float32(0), math.Float32frombits(1<<31)
	sub := math.Float32frombits(1234)
	for _, c := range []struct {
		name string
		f    func(float32) float32
		// Of -∞, -3e38, -subnormal, -0, +0, subnormal, +∞, NaN.
		want [8]float32
	}{
		{"rcp", device.SFURcp, [8]float32{minus, minus, -inf, -inf, inf, inf, zero, nan}},
		{"rsqrt", device.SFURsqrt, [8]float32{nan, nan, -inf, -inf, inf, inf, zero, nan}},
		{"ex2", device.SFUEx2, [8]float32{zero, zero, 1, 1, 1, 1, inf, nan}},
		{"lg2", device.SFULg2, [8]float32{nan, nan, -inf, -inf, -inf, -inf, inf, nan}},
		{"sin", device.SFUSin, [8]float32{nan, 0, minus, minus, zero, zero, nan, nan}},
		{"cos", device.SFUCos, [8]float32{nan, 1, 1, 1, 1, 1, nan, nan}},
	} {
		for i, x := range []float32{-inf, -3e38, -sub, minus, zero, sub, inf, nan} {
			got := c.f(x)
			if i == 1 && (c.name == "sin" || c.name == "cos") {
				if !(got >= -1 && got <= 1) {
					t.Errorf("%s(%g) = %g", c.name, x, got)
				}
				continue
			}
			if !sameFloat32(got, c.want[i]) {
				t.Errorf("%s(%g) = %g, want %g", c.name, x, got, c.want[i])
			}
		}
	}
	for k := -126; k <= 126; k++ {
		x := float32(math.Ldexp(1, k))
		if got := device.SFURcp(x); got != 1/x {
			t.Errorf("rcp(2^%d) = %g", k, got)
		}
		if got := device.SFULg2(x); got != float32(k) {
			t.Errorf("lg2(2^%d) = %g", k, got)
		}
		if got := device.SFUEx2(float32(k)); got != x {
			t.Errorf("ex2(%d) = %g", k, got)
		}
		if want := math.Ldexp(1, -k/2); k%2 == 0 { // what exponents do, up to the unit that rsqrt may be off
			if got := device.SFURsqrt(x); math.Abs(float64(got)-want) > 0x1p-24*want {
				t.Errorf("rsqrt(2^%d) = %g", k, got)
			}
		}
	}
	for _, c := range []struct{ x, want float32 }{{128, inf}, {127.99, 3.37931356e38}, {-126, 0x1p-126}, {-126.01, 0}, {300, inf}, {-300, 0}, {0x1p-70, 1}, {-0x1p-64, 1}, {0x1p-64, 1}} {
		if got := device.SFUEx2(c.x); math.Abs(float64(got-c.want)) > 0x1p-20*float64(c.want) && got != c.want {
			t.Errorf("ex2(%g) = %g, want %g", c.x, got, c.want)
		}
	}
	if got := device.SFURcp(0x1p127); got != 0 {
		t.Errorf("rcp(2^127) = %g", got)
	}
}

// Large arguments are reduced by 2/pi to 40 bits, all of whose products are kept.
func TestSFUReduction(t *testing.T) {
	twoOverPi := new(big.Float).SetPrec(200).SetInt64(0xa2f9836e4e)
	twoOverPi.SetMantExp(twoOverPi, -40)
	for k := -30; k < 120; k++ {
		x := float32(math.Ldexp(1.2345671, k))
		if k%3 == 0 {
			x = -x
		}
		turns := new(big.Float).SetPrec(300).Mul(twoOverPi, big.NewFloat(math.Abs(float64(x))))
		turns.SetMantExp(turns, 23)
		whole, _ := turns.Int(nil)
		want := new(big.Int).And(whole, big.NewInt(1<<25-1)).Int64()
		s := device.SFUEvaluate(device.SFUOpSin, x)
		if !s.Special && int64(s.Reduced) != want {
			t.Errorf("%g is reduced to %#x, want %#x", x, s.Reduced, want)
		}
		if s.Special && want&(1<<23-1) != 0 {
			t.Errorf("sin(%g) was not looked up", x)
		}
	}
}

// Every table has the sizes of the paper and the function in its C0, the slope in its C1, and the
// half of the second derivative in its C2; and words of one sign.
func TestSFUTables(t *testing.T) {
	kbits := 0
	for _, c := range []struct {
		op      device.SFUOp
		entries int
		f       func(x float64) float64
		d1, d2  func(x float64) float64
	}{
		{device.SFUOpRcp, 128, func(x float64) float64 { return 1 / x },
			func(x float64) float64 { return -1 / (x * x) }, func(x float64) float64 { return 2 / (x * x * x) }},
		{device.SFUOpRsqrt, 128, func(x float64) float64 { return 1 / math.Sqrt(x) },
			func(x float64) float64 { return -0.5 * math.Pow(x, -1.5) }, func(x float64) float64 { return 0.75 * math.Pow(x, -2.5) }},
		{device.SFUOpEx2, 64, func(x float64) float64 { return math.Exp2(x - 1) },
			func(x float64) float64 { return math.Ln2 * math.Exp2(x-1) }, func(x float64) float64 { return math.Ln2 * math.Ln2 * math.Exp2(x-1) }},
		{device.SFUOpLg2, 64, math.Log2,
			func(x float64) float64 { return 1 / (x * math.Ln2) }, func(x float64) float64 { return -1 / (x * x * math.Ln2) }},
		{device.SFUOpSin, 64, func(x float64) float64 { return math.Sin(math.Pi / 2 * (x - 1)) },
			func(x float64) float64 { return math.Pi / 2 * math.Cos(math.Pi/2*(x-1)) },
			func(x float64) float64 { return -math.Pi * math.Pi / 4 * math.Sin(math.Pi/2*(x-1)) }},
	} {
		table, f := c.op.Table(), c.op.Format()
		if len(table) != c.entries {
			t.Fatalf("%v has %d entries", c.op, len(table))
		}
		if f.IndexBits+f.LowBits != 23 {
			t.Errorf("%v: %d and %d bits", c.op, f.IndexBits, f.LowBits)
		}
		kbits += c.entries * (f.Width0 + f.Width1 + f.Width2)
		h := math.Ldexp(1, -f.IndexBits)
		for i, e := range table {
			x, scale := 1+float64(i)*h, 1.0
			width := h
			if c.op == device.SFUOpRsqrt && i >= 64 { // significands in [2, 4), of which X is the fraction of the half
				x, scale = 2*(1+float64(i-64)*h), 2
			}
			c0 := math.Ldexp(float64(e.C0), -f.Point0)
			c1 := math.Ldexp(float64(e.C1), -f.Point1)
			c2 := math.Ldexp(float64(e.C2), -f.Point2)
			d1, d2 := c.d1(x)*scale, c.d2(x+scale*h/2)*scale*scale
			// A quadratic that is within 2^-22 at three points h/2 apart, of a function whose third
			// derivative moves what is left out by less.
			if e := math.Abs(c0 - c.f(x)); e > 0x1p-22 {
				t.Errorf("%v, entry %d: C0 is off by %g", c.op, i, e)
			}
			if e := math.Abs(c1 - d1); e > 0x1p-22*8/width {
				t.Errorf("%v, entry %d: C1 is off by %g", c.op, i, e)
			}
			if e := math.Abs(c2 - d2/2); e > 0x1p-22*8/(width*width) {
				t.Errorf("%v, entry %d: C2 is off by %g", c.op, i, e)
			}
			if e.C0>>f.Width0 != 0 || max(e.C1, -e.C1)>>f.Width1 != 0 || max(e.C2, -e.C2)>>f.Width2 != 0 {
				t.Errorf("%v, entry %d: %v does not fit its words", c.op, i, e)
			}
			if e.C1 != 0 && (e.C1 < 0) != (table[0].C1 < 0) || e.C2 != 0 && (e.C2 < 0) != (table[1].C2 < 0) {
				t.Errorf("%v, entry %d: %v has other signs", c.op, i, e)
			}
		}
		table[0].C0 = 12345
		if c.op.Table()[0].C0 == 12345 {
			t.Error("the table can be changed")
		}
	}
	if kbits != 22.75*1024 {
		t.Errorf("the tables have %d bits, not 22.75 Kbit", kbits)
	}
}

// The steps add up to the result.
func TestSFUTrace(t *testing.T) {
	for _, x := range []float32{1, 1.5, 3.14159, 100, 0.001, -2.25, 0x1.fffffep1} {
		for op := device.SFUOpRcp; op <= device.SFUOpCos; op++ {
			s := device.SFUEvaluate(op, x)
			if s.Special {
				continue
			}
			f := op.Format()
			if s.Op != op || s.X != x || s.Entry != op.Table()[s.Index] || s.Index%(1<<f.IndexBits)<<f.LowBits|int(s.Low) != int(s.Fraction) {
				t.Errorf("%v", s)
			}
			low := math.Ldexp(float64(s.Low), -23)
			sum := math.Ldexp(float64(s.Entry.C0), -f.Point0) + math.Ldexp(float64(s.Entry.C1), -f.Point1)*low +
				math.Ldexp(float64(s.Entry.C2), -f.Point2)*low*low
			if e := math.Abs(sum - math.Ldexp(float64(s.Sum), -41)); e > 0x1p-29 {
				t.Errorf("sum is off by %g\n%v", e, s)
			}
		}
	}
	if got := fmt.Sprint(device.SFUEvaluate(device.SFUOpRcp, 0)); got != "rcp(0) = +Inf without a lookup" {
		t.Error(got)
	}
	defer func() {
		if recover() == nil {
			t.Error("function 6 did not panic")
		}
	}()
	device.SFUEvaluate(6, 1)
}

// One lookup, step by step: 1/1.7.
func ExampleSFUEvaluate() {
	s := device.SFUEvaluate(device.SFUOpRcp, 1.7)
	fmt.Println(s)
	fmt.Println("upper bits of the significand:", s.Index, "of", len(s.Op.Table()))
	// Output:
	// rcp(1.7), significand or fraction 0x59999a
	// entry 89: C0 = 0.589861766, C1 = -0.347931, C2 = 0.2031
	// Xl = 0x0999a/2^23 = 0.004687548, Xl^2 = 0.000021972694
	// sum 0.588235285984
	// result 0.588235259
	// upper bits of the significand: 89 of 128
}
