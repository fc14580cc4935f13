package device_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// absolute and relative errors, and those in ulp, of an approximation.
func absolute(_ float32, got float32, want float64) float64 { return math.Abs(float64(got) - want) }
func relative(_ float32, got float32, want float64) float64 {
	return math.Abs(float64(got)-want) / math.Abs(want)
}
func inUlp(_ float32, got float32, want float64) float64 { return ulps32(got, want) }

// The bounds are those of the CUDA C++ Programming Guide (Mathematical Functions, intrinsic
// functions) and of the PTX ISA.
func TestExhaustiveFast(t *testing.T) {
	log10 := func(x float64) float64 { return math.Log(x) * (1 / math.Ln10) }
	exp10 := func(x float64) float64 { return math.Pow(10, x) }
	rsqrt := func(x float64) float64 { return 1 / math.Sqrt(x) }
	near1 := func(x float32) bool { return x >= 0.5 && x <= 2 }
	far := func(x float32) bool { return x > 0 && x < 0.5 || x > 2 && x <= math.MaxFloat32 }
	number := func(x float32) bool { return x-x == 0 }
	turn := func(x float32) bool { return math.Abs(float64(x)) <= math.Pi }
	for _, c := range []struct {
		name  string
		f     func(float32) float32
		want  func(float64) float64
		in    func(float32) bool
		err   func(x, got float32, want float64) float64
		bound float64
	}{
		{"FastSinf", device.FastSinf, math.Sin, turn, absolute, math.Exp2(-21.41)},
		{"FastCosf", device.FastCosf, math.Cos, turn, absolute, math.Exp2(-21.19)},
		{"FastSinf to 6000", device.FastSinf, math.Sin, func(x float32) bool { return x > -6000 && x < 6000 }, absolute, math.Exp2(-21.41)},
		{"FastCosf to 6000", device.FastCosf, math.Cos, func(x float32) bool { return x > -6000 && x < 6000 }, absolute, math.Exp2(-21.19)},
		{"FastExpf", device.FastExpf, math.Exp, number, func(x, got float32, want float64) float64 {
			return ulps32(got, want) / (2 + math.Floor(math.Abs(1.173*float64(x))))
		}, 1},
		{"FastExpf below 1", device.FastExpf, math.Exp, func(x float32) bool { return math.Abs(float64(x)) < 1 }, inUlp, 2},
		{"FastExpf in ulp", device.FastExpf, math.Exp, number, inUlp, 2 + 104*1.173},
		{"FastExp10f", device.FastExp10f, exp10, number, func(x, got float32, want float64) float64 {
			return ulps32(got, want) / (2 + math.Floor(math.Abs(2.97*float64(x))))
		}, 1},
		{"FastExp10f below 0.3", device.FastExp10f, exp10, func(x float32) bool { return math.Abs(float64(x)) < 0.3 }, inUlp, 2},
		{"FastExp10f in ulp", device.FastExp10f, exp10, number, inUlp, 2 + 45*2.97},
		{"FastLogf near 1", device.FastLogf, math.Log, near1, absolute, math.Exp2(-21.41)},
		{"FastLogf", device.FastLogf, math.Log, far, inUlp, 3},
		{"FastLog2f near 1", device.FastLog2f, math.Log2, near1, absolute, math.Exp2(-22)},
		{"FastLog2f", device.FastLog2f, math.Log2, far, inUlp, 2},
		{"FastLog10f near 1", device.FastLog10f, log10, near1, absolute, math.Exp2(-24)},
		{"FastLog10f", device.FastLog10f, log10, far, inUlp, 3},
		{"Lg2Approxf near 1", device.Lg2Approxf, math.Log2, near1, absolute, math.Exp2(-22.57)},
		{"Lg2Approxf", device.Lg2Approxf, math.Log2, far, relative, math.Exp2(-22)},
		// The good bits of Table 8.11 in The CUDA Handbook. Table 8.11 of The CUDA Handbook: 1.41
		// ulp, and 22.51 bits of the absolute error where the result is in [1, 2).
		{"Ex2Approxf", device.Ex2Approxf, math.Exp2, func(x float32) bool { return x < 128 && x-x == 0 }, inUlp, 1.41},
		{"Ex2Approxf, good bits", device.Ex2Approxf, math.Exp2, func(x float32) bool { return x >= 0 && x <= 1 }, absolute, math.Exp2(-22.51)},
		{"RcpApproxf", device.RcpApproxf, func(x float64) float64 { return 1 / x }, func(x float32) bool { return x != 0 }, inUlp, 0.98},
		{"RsqrtApproxf", device.RsqrtApproxf, rsqrt, func(x float32) bool { return x > 0 }, inUlp, 1.52},
		{"RsqrtApproxf, relative", device.RsqrtApproxf, rsqrt, func(x float32) bool { return x > 0 && x-x == 0 }, relative, math.Exp2(-22.9)},
		{"SqrtApproxf", device.SqrtApproxf, math.Sqrt, func(x float32) bool { return x >= 0 }, inUlp, 0.5},
		{"SinApproxf", device.SinApproxf, math.Sin, turn, absolute, math.Exp2(-22.47)},
		{"CosApproxf", device.CosApproxf, math.Cos, turn, absolute, math.Exp2(-22.47)},
		{"TanhApproxf", device.TanhApproxf, math.Tanh, func(x float32) bool { return math.Abs(float64(x)) > 0x1p-126 }, relative, math.Exp2(-11)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w worst
			all32(t, 30011, func(b uint32) bool {
				if x := math.Float32frombits(b); c.in(x) {
					got, want := c.f(x), c.want(float64(x))
					w.add(c.err(x, got, want), x)
				}
				return true
			})
			t.Logf("%.4g = 2^%.2f at %g", w.most(), math.Log2(w.most()), w.x)
			if !(w.most() <= c.bound) {
				t.Errorf("%s(%g) = %g, want %g: %g", c.name, w.x, c.f(w.x), c.want(float64(w.x)), w.most())
			}
		})
	}
}

// Sines and cosines don't leave [-1, 1], whatever the argument.
func TestExhaustiveSinfRange(t *testing.T) {
	all32(t, 30011, func(b uint32) bool {
		x := math.Float32frombits(b)
		if s, c := device.Sincosf(x); s < -1 || s > 1 || c < -1 || c > 1 {
			t.Errorf("%g has sine %g, cosine %g", x, s, c)
		}
		s, c := device.FastSincosf(x)
		if x-x != 0 {
			if s == s || c == c || device.FastTanf(x) == device.FastTanf(x) {
				t.Errorf("%g has sine %g, cosine %g", x, s, c)
			}
		} else if !(s >= -1 && s <= 1 && c >= -1 && c <= 1) {
			t.Errorf("%g has sine %g, cosine %g", x, s, c)
		}
		return !t.Failed()
	})
}

func TestFastTanf(t *testing.T) {
	// The quotient of its parts: near the poles as far off as they are.
	for x := float32(-math.Pi); x <= math.Pi; x += 0.00137 {
		s, c := math.Sincos(float64(x))
		bound := math.Exp2(-21) * (1/math.Abs(c) + math.Abs(s)/(c*c)) * 1.001
		if math.Abs(c) < 1e-3 {
			continue
		}
		if got := device.FastTanf(x); !(math.Abs(float64(got)-s/c) <= bound) {
			t.Errorf("FastTanf(%g) = %g, want %g", x, got, s/c)
		}
	}
}

func TestFastPowf(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct{ x, y, want float32 }{
		{2, 3, 8}, {4, 0.5, 2}, {-2, 2, nan}, {0, 2, 0}, {0, -1, inf}, {0, 0, nan}, {1, inf, nan}, {inf, 1, inf}, {nan, 0, nan}, {2, 200, inf},
		{2, -200, 0}, {3, 0, 1},
	} {
		if got := device.FastPowf(c.x, c.y); !sameFloat32(got, c.want) {
			t.Errorf("FastPowf(%g, %g) = %g, want %g", c.x, c.y, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 30000 {
		x, y := float32(math.Exp(r.NormFloat64()*5)), float32(r.NormFloat64()*8)
		want := math.Pow(float64(x), float64(y))
		if !(want > 0x1p-126 && want < math.MaxFloat32) {
			continue
		}
		// The error of the logarithm, 2^-22 absolute or relative, and of the product, times y, then
		// of the power.
		l := math.Abs(math.Log2(float64(x)))
		bound := math.Ln2*math.Abs(float64(y))*(math.Exp2(-22)*max(1, l)+math.Exp2(-24)*l) + math.Exp2(-22)
		if got := device.FastPowf(x, y); !(math.Abs(float64(got)-want) <= bound*want) {
			t.Fatalf("FastPowf(%g, %g) = %g, want %g", x, y, got, want)
		}
	}
}

func TestFdividef(t *testing.T) {
	inf, nan, minus := float32(math.Inf(1)), float32(math.NaN()), math.Float32frombits(1<<31)
	for _, c := range []struct{ x, y, want float32 }{
		{1, 0x1p126, 0x1p-126}, {1, 0x1.000002p126, 0}, {-1, 0x1p127, minus}, {1, math.MaxFloat32, 0}, {math.MaxFloat32, -0x1.8p126, minus},
		{inf, 0x1.8p126, nan}, {-inf, -math.MaxFloat32, nan}, {inf, 0x1p126, inf}, {inf, inf, nan}, {1, inf, 0}, {1, nan, nan}, {nan, 0x1p127, nan},
		{1, 0, inf}, {1, minus, -inf}, {0, 0, nan}, {7, 2, 3.5},
	} {
		if got := device.Fdividef(c.x, c.y); !sameFloat32(got, c.want) {
			t.Errorf("Fdividef(%g, %g) = %g, want %g", c.x, c.y, got, c.want)
		}
	}
	pairsOfFloats(150000, func(x, y float32) {
		if a := math.Abs(float64(y)); a < 0x1p-126 || a > 0x1p126 || y != y {
			return
		}
		if err := ulps32(device.Fdividef(x, y), float64(x)/float64(y)); !(err <= 2) {
			t.Errorf("Fdividef(%g, %g) = %g: %g ulp", x, y, device.Fdividef(x, y), err)
		}
	})
}

func TestExhaustiveSaturatef(t *testing.T) {
	all32(t, 30011, func(b uint32) bool {
		x := math.Float32frombits(b)
		want := float32(0) // also for NaN
		if b < 0x3f800000 {
			want = x
		} else if b <= 0x7f800000 {
			want = 1
		}
		if got := device.Saturatef(x); !sameFloat32(got, want) {
			t.Errorf("Saturatef(%g) = %g", x, got)
			return false
		}
		return true
	})
}

func TestFastLimits(t *testing.T) {
	inf, nan, minus := float32(math.Inf(1)), float32(math.NaN()), math.Float32frombits(1<<31)
	for _, c := range []struct{ got, want float32 }{
		{device.FastExpf(-inf), 0}, {device.FastExpf(inf), inf}, {device.FastExpf(nan), nan}, {device.FastExpf(0), 1}, {device.FastExpf(89), inf},
		{device.FastExp10f(-inf), 0}, {device.FastExp10f(inf), inf}, {device.FastExp10f(nan), nan}, {device.FastExp10f(0), 1},
		{device.FastLogf(0), -inf}, {device.FastLogf(minus), -inf}, {device.FastLogf(-1), nan}, {device.FastLogf(inf), inf}, {device.FastLogf(nan), nan},
		{device.FastLog2f(0x1p-149), -149}, {device.FastLog2f(8), 3}, {device.FastLog10f(0), -inf}, {device.FastLog10f(1), 0},
		{device.RsqrtApproxf(0), inf}, {device.RsqrtApproxf(minus), -inf}, {device.RsqrtApproxf(-1), nan}, {device.RsqrtApproxf(inf), 0},
		{device.RcpApproxf(minus), -inf}, {device.RcpApproxf(-inf), minus}, {device.SqrtApproxf(-1), nan}, {device.SqrtApproxf(minus), minus},
		{device.TanhApproxf(minus), minus}, {device.TanhApproxf(inf), 1}, {device.TanhApproxf(-inf), -1}, {device.TanhApproxf(nan), nan},
		{device.TanhApproxf(0x1p-149), 0x1p-149}, {device.FastSinf(minus), minus}, {device.FastCosf(0), 1}, {device.FastSinf(nan), nan},
	} {
		if !sameFloat32(c.got, c.want) {
			t.Errorf("%g, want %g", c.got, c.want)
		}
	}
}

func ExampleFastSinf() {
	fmt.Printf("%.4f %.4f\n", device.FastSinf(0.5), device.Sinf(0.5))
	// Output: 0.4794 0.4794
}

func ExampleSaturatef() {
	fmt.Println(device.Saturatef(-2), device.Saturatef(0.25), device.Saturatef(7))
	// Output: 0 0.25 1
}

// Each approximation beside the function that it stands for and the one of package math, on numbers
// between the limits given.
func BenchmarkFast(b *testing.B) {
	for _, c := range []struct {
		name     string
		from, to float64
		fast, f  func(float32) float32
		math     func(float64) float64
	}{
		{"Sinf", -3, 3, device.FastSinf, device.Sinf, math.Sin},
		{"Cosf", -3, 3, device.FastCosf, device.Cosf, math.Cos},
		{"Tanf", -3, 3, device.FastTanf, device.Tanf, math.Tan},
		{"Expf", -10, 10, device.FastExpf, device.Expf, math.Exp},
		{"Exp10f", -5, 5, device.FastExp10f, device.Exp10f, func(x float64) float64 { return math.Pow(10, x) }},
		{"Ex2Approxf", -10, 10, device.Ex2Approxf, device.Exp2f, math.Exp2},
		{"Logf", 0.01, 100, device.FastLogf, device.Logf, math.Log},
		{"Log2f", 0.01, 100, device.FastLog2f, device.Log2f, math.Log2},
		{"Log10f", 0.01, 100, device.FastLog10f, device.Log10f, math.Log10},
		{"RsqrtApproxf", 0.01, 100, device.RsqrtApproxf, device.Rsqrtf, func(x float64) float64 { return 1 / math.Sqrt(x) }},
		{"TanhApproxf", -3, 3, device.TanhApproxf, device.Tanhf, math.Tanh},
		{"Powf", 0.01, 100, func(x float32) float32 { return device.FastPowf(x, 1.7) }, func(x float32) float32 { return device.Powf(x, 1.7) },
			func(x float64) float64 { return math.Pow(x, float64(float32(1.7))) }},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		x := make([]float32, 4096)
		for i := range x {
			x[i] = float32(c.from + r.Float64()*(c.to-c.from))
		}
		y := make([]float32, len(x))
		run := func(name string, f func(float32) float32) {
			b.Run("func="+c.name+"/by="+name, func(b *testing.B) {
				b.SetBytes(int64(8 * len(x)))
				for b.Loop() {
					for i, v := range x {
						y[i] = f(v)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(x)), "ns/elem")
			})
		}
		run("fast", c.fast)
		run("exact", c.f)
		run("math", func(x float32) float32 { return float32(c.math(float64(x))) })
	}
}
