package device_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// sameFloat32 reports whether a and b are the same number with the same sign, or both NaN.
func sameFloat32(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

func TestExhaustiveRoundf(t *testing.T) {
	// Below 2^24 by way of integers, which Go cuts off; above there are no fractions.
	ref := func(x float64, pick func(down int64, frac float64) int64) float32 {
		if !(math.Abs(x) < 1<<24) {
			return float32(x)
		}
		down := int64(x)
		if float64(down) > x {
			down--
		}
		return float32(math.Copysign(float64(pick(down, x-float64(down))), x))
	}
	nearest := func(half func(down int64) bool) func(int64, float64) int64 {
		return func(down int64, frac float64) int64 {
			if frac > 0.5 || frac == 0.5 && half(down) {
				down++
			}
			return down
		}
	}
	even := nearest(func(down int64) bool { return down&1 != 0 })
	away := nearest(func(down int64) bool { return down >= 0 })
	for _, c := range []struct {
		name string
		f    func(float32) float32
		pick func(int64, float64) int64
	}{
		{"Floorf", device.Floorf, func(down int64, _ float64) int64 { return down }},
		{"Ceilf", device.Ceilf, func(down int64, frac float64) int64 {
			if frac > 0 {
				down++
			}
			return down
		}},
		{"Truncf", device.Truncf, func(down int64, frac float64) int64 {
			if down < 0 && frac > 0 {
				down++
			}
			return down
		}},
		{"Rintf", device.Rintf, even},
		{"Nearbyintf", device.Nearbyintf, even},
		{"Roundf", device.Roundf, away},
	} {
		t.Run(c.name, func(t *testing.T) {
			all32(t, 30011, func(b uint32) bool {
				x := math.Float32frombits(b)
				if got, want := c.f(x), ref(float64(x), c.pick); !sameFloat32(got, want) {
					t.Errorf("%s(%g) = %g, want %g", c.name, x, got, want)
					return false
				}
				return true
			})
		})
	}
}

func TestLrintf(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		x            float32
		rint, rround int64
	}{
		{0, 0, 0}, {0.5, 0, 1}, {1.5, 2, 2}, {2.5, 2, 3}, {-0.5, 0, -1}, {-2.5, -2, -3}, {0.49999997, 0, 0}, {8388607.5, 8388608, 8388608},
		{8388606.5, 8388606, 8388607}, {16777215, 16777215, 16777215}, {-0x1p63, math.MinInt64, math.MinInt64},
		{0x1.fffffep62, 0x7fffff8000000000, 0x7fffff8000000000},
		{0x1p63, math.MaxInt64, math.MaxInt64}, {inf, math.MaxInt64, math.MaxInt64}, {-inf, math.MinInt64, math.MinInt64},
		{-0x1.8p63, math.MinInt64, math.MinInt64}, {nan, math.MinInt64, math.MinInt64},
	} {
		if got, ll := device.Lrintf(c.x), device.Llrintf(c.x); got != c.rint || ll != c.rint {
			t.Errorf("Lrintf(%g) = %d, Llrintf %d, want %d", c.x, got, ll, c.rint)
		}
		if got, ll := device.Lroundf(c.x), device.Llroundf(c.x); got != c.rround || ll != c.rround {
			t.Errorf("Lroundf(%g) = %d, Llroundf %d, want %d", c.x, got, ll, c.rround)
		}
	}
}

func TestExhaustivePartsf(t *testing.T) {
	all32(t, 30011, func(b uint32) bool {
		x := math.Float32frombits(b)
		v := float64(x)
		f, n := device.Frexpf(x)
		wf, wn := math.Frexp(v)
		if !sameFloat32(f, float32(wf)) || int(n) != wn {
			t.Errorf("Frexpf(%g) = %g, %d, want %g, %d", x, f, n, wf, wn)
		}
		if !sameFloat32(device.Ldexpf(f, n), x) {
			t.Errorf("Ldexpf(%g, %d) is not %g", f, n, x)
		}
		if got, want := device.Logbf(x), float32(math.Logb(v)); !sameFloat32(got, want) {
			t.Errorf("Logbf(%g) = %g, want %g", x, got, want)
		}
		want := int32(math.MinInt32)
		switch {
		case math.IsInf(v, 0):
			want = math.MaxInt32
		case v != 0 && v == v:
			want = int32(math.Logb(v))
		}
		if got := device.Ilogbf(x); got != want {
			t.Errorf("Ilogbf(%g) = %d, want %d", x, got, want)
		}
		frac, whole := device.Modff(x)
		wwhole, wfrac := math.Modf(v)
		if math.IsInf(v, 0) {
			wfrac = math.Copysign(0, v)
		}
		if !sameFloat32(frac, float32(math.Copysign(wfrac, v))) || !sameFloat32(whole, float32(wwhole)) {
			t.Errorf("Modff(%g) = %g, %g, want %g, %g", x, frac, whole, wfrac, wwhole)
		}
		if device.Isinff(x) != math.IsInf(v, 0) || device.Isnanf(x) != math.IsNaN(v) ||
			device.Isfinitef(x) != (math.Abs(v) <= math.MaxFloat32) || device.Signbitf(x) != (b >= 1<<31) {
			t.Errorf("what %g is", x)
		}
		if math.Float32bits(device.Fabsf(x)) != b&0x7fffffff {
			t.Errorf("Fabsf(%g) = %g", x, device.Fabsf(x))
		}
		return !t.Failed()
	})
}

func TestLdexpf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100000 {
		x, n := math.Float32frombits(r.Uint32()), int32(r.IntN(600)-300)
		// In float64 x * 2^n is exact.
		want := float32(math.Ldexp(float64(x), int(n)))
		if got := device.Ldexpf(x, n); !sameFloat32(got, want) {
			t.Fatalf("Ldexpf(%g, %d) = %g, want %g", x, n, got, want)
		}
		if got := device.Scalbnf(x, n); !sameFloat32(got, want) {
			t.Fatalf("Scalbnf(%g, %d) = %g, want %g", x, n, got, want)
		}
		if got := device.Scalblnf(x, int64(n)); !sameFloat32(got, want) {
			t.Fatalf("Scalblnf(%g, %d) = %g, want %g", x, n, got, want)
		}
	}
	if device.Ldexpf(0x1p-149, 276) != 0x1p127 || device.Ldexpf(0x1p-149, math.MaxInt32) != float32(math.Inf(1)) ||
		device.Ldexpf(math.MaxFloat32, math.MinInt32) != 0 || device.Scalblnf(-1, math.MinInt64) != 0 ||
		device.Scalblnf(-1, 1<<32) != float32(math.Inf(-1)) || device.Ldexpf(0x1.8p-149, -1) != 0x1p-149 {
		t.Error("large exponents")
	}
}

func TestNanf(t *testing.T) {
	for tag, want := range map[string]uint32{
		"": 0x7fc00000, "0": 0x7fc00000, "1": 0x7fc00001, "0x1234": 0x7fc01234, "0X3fFfff": 0x7fffffff, "010": 0x7fc00008,
		"4194303": 0x7fffffff, "4194305": 0x7fc00001, "abc": 0x7fc00000, "12z": 0x7fc00000, "-1": 0x7fc00000, "0x": 0x7fc00000,
	} {
		if got := math.Float32bits(device.Nanf(tag)); got != want {
			t.Errorf("Nanf(%q) is %#x, want %#x", tag, got, want)
		}
	}
}

func ExampleRemquof() {
	// How many eighths of a turn, and what is left.
	rem, quo := device.Remquof(100, 45)
	fmt.Println(rem, quo)
	// Output: 10 2
}
