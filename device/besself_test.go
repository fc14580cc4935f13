package device_test

import (
	"math"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// refJn is the integral of cos(nt - x sin t) over half a turn, by the trapezoidal rule, whose error
// falls faster than exponentially once there are more points than n+x (Abramowitz and Stegun,
// 9.1.21).
func refJn(n int, x float64) float64 {
	points := n + int(math.Abs(x)) + 40
	sum := 0.0
	for k := range points {
		t := math.Pi * (float64(k) + 0.5) / float64(points)
		sum += math.Cos(float64(n)*t - x*math.Sin(t))
	}
	return sum / float64(points)
}

// refY01 are Neumann's series for Y0 and Y1 (Abramowitz and Stegun, 9.1.88).
func refY01(x float64) (y0, y1 float64) {
	const gamma = 0.57721566490153286061
	log := math.Log(x/2) + gamma
	s0, s1, sign := 0.0, 0.0, -1.0
	for k := 1.0; k < x+30; k++ {
		s0 += sign * refJn(2*int(k), x) / k
		s1 += sign * (2*k + 1) / (k * (k + 1)) * refJn(2*int(k)+1, x)
		sign = -sign
	}
	y0 = 2/math.Pi*log*refJn(0, x) - 4/math.Pi*s0
	y1 = -2/(math.Pi*x)*refJn(0, x) + 2/math.Pi*(log-1)*refJn(1, x) - 2/math.Pi*s1
	return y0, y1
}

// A few figures of Abramowitz and Stegun, tables 9.1 and 9.4, for the references.
func TestBesselReferences(t *testing.T) {
	y0, y1 := refY01(1)
	for _, c := range []struct{ got, want float64 }{
		{refJn(0, 1), 0.7651976866}, {refJn(1, 1), 0.4400505857}, {refJn(10, 10), 0.2074861066}, {y0, 0.0882569642}, {y1, -0.7812128213},
	} {
		if math.Abs(c.got-c.want) > 1e-10 {
			t.Errorf("%.10f, want %.10f", c.got, c.want)
		}
	}
}

func TestBesself(t *testing.T) {
	type function struct {
		name string
		f    func(float32) float32
		want func(float64) float64
	}
	functions := []function{
		{"J0f", device.J0f, func(x float64) float64 { return refJn(0, x) }},
		{"J1f", device.J1f, func(x float64) float64 { return refJn(1, x) }},
		{"Y0f", device.Y0f, func(x float64) float64 { y, _ := refY01(x); return y }},
		{"Y1f", device.Y1f, func(x float64) float64 { _, y := refY01(x); return y }},
	}
	for _, c := range functions {
		near, far := 0.0, 0.0
		check := func(x float32) {
			got, want := c.f(x), c.want(float64(x))
			err := ulps32(got, want)
			if x < 8 {
				// The zero of J1 is found by the integral to 1e-17 only. Its series begins so:
				if v := float64(x); c.name == "J1f" && x < 1e-3 {
					err = ulps32(got, v/2*(1-v*v/8))
				}
				near = max(near, err)
				if !(err <= 9) {
					t.Errorf("%s(%g) = %g, want %g: %.3g ulp", c.name, x, got, want, err)
				}
				return
			}
			err = math.Abs(float64(got) - want)
			far = max(far, err)
			if !(err <= 2.2e-6) {
				t.Errorf("%s(%g) = %g, want %g", c.name, x, got, want)
			}
		}
		for x := float32(0x1p-20); x < 8; x *= 1.0137 {
			check(x)
		}
		for x := float32(0.01); x < 8; x += 0.0237 {
			check(x)
		}
		for x := float32(8); x < 100; x += 0.731 {
			check(x)
		}
		t.Logf("%s: %.4f ulp below 8, %.2g above", c.name, near, far)
		// For large x the functions are waves of this height.
		for x := float32(1e4); x < 1e38; x *= 1.7 {
			if h := math.Sqrt(2/(math.Pi*float64(x))) * 1.001; !(math.Abs(float64(c.f(x))) <= h) {
				t.Errorf("%s(%g) = %g is above %g", c.name, x, c.f(x), h)
			}
		}
	}
	for _, x := range []float32{0.1, 2.4048255, 7, 30} { // 2.4048255 is next to a zero of J0
		if device.J0f(-x) != device.J0f(x) || device.J1f(-x) != -device.J1f(x) {
			t.Errorf("symmetry at %g", x)
		}
	}
}

func TestJnfYnf(t *testing.T) {
	for _, n := range []int32{0, 1, 2, 3, 5, 8, 20, 64, 127, 128} {
		for x := float32(0.5); x < 200; x *= 1.171 {
			want := refJn(int(n), float64(x))
			if got := device.Jnf(n, x); !(math.Abs(float64(got)-want) <= 2.2e-6) {
				t.Errorf("Jnf(%d, %g) = %g, want %g", n, x, got, want)
			}
			odd := float32(1)
			if n&1 != 0 {
				odd = -1
			}
			if device.Jnf(n, -x) != odd*device.Jnf(n, x) {
				t.Errorf("Jnf(%d, %g) has the wrong sign", n, -x)
			}
			if x > 100 {
				continue
			}
			// Upwards the recurrence is stable for Y.
			a, b := refY01(float64(x))
			for k := int32(1); k < n; k++ {
				a, b = b, 2*float64(k)/float64(x)*b-a
			}
			if n == 0 {
				b = a
			}
			if got := device.Ynf(n, x); !(ulps32(got, b) <= 2+2.5*float64(n)) && !(math.Abs(float64(got)-b) <= 2.2e-6) {
				t.Errorf("Ynf(%d, %g) = %g, want %g", n, x, got, b)
			}
		}
	}
}

func TestBesselLimitsf(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct{ got, want float32 }{
		{device.Jnf(-1, 1), nan}, {device.Jnf(2, nan), nan}, {device.Jnf(3, inf), 0}, {device.Jnf(5, 0), 0}, {device.Jnf(0, 0), 1},
		{device.Ynf(-1, 1), nan}, {device.Ynf(2, 0), -inf}, {device.Ynf(3, -1), nan}, {device.Ynf(3, inf), 0}, {device.Ynf(2, nan), nan},
		{device.Ynf(7, math.Float32frombits(1<<31)), -inf}, {device.Ynf(300, 0.001), -inf},
		// An order far above x: nothing, and soon.
		{device.Jnf(math.MaxInt32, 1000), 0}, {device.Jnf(math.MaxInt32-1, -1e8), 0}, {device.Jnf(100, 1e-30), 0},
	} {
		if !sameFloat32(c.got, c.want) && !(c.got == 0 && c.want == 0) {
			t.Errorf("%g, want %g", c.got, c.want)
		}
	}
}

// The integral of e^(x cos t) cos(nt) over half a turn, by the trapezoidal rule (Abramowitz and
// Stegun, 9.6.19), divided by e^x, which float64 has no room for.
func refIn(n int, x float64) float64 {
	const points = 400
	sum := 0.0
	for k := range points {
		t := math.Pi * (float64(k) + 0.5) / points
		sum += math.Exp(x*(math.Cos(t)-1)) * math.Cos(float64(n)*t)
	}
	return sum / points
}

func TestCylBesself(t *testing.T) {
	most := [2]float64{}
	for _, f := range []struct {
		n int
		f func(float32) float32
	}{{0, device.CylBesselI0f}, {1, device.CylBesselI1f}} {
		for x := float32(0x1p-10); x < 95; x *= 1.0113 {
			v := float64(x)
			want := refIn(f.n, v) * math.Exp(v)
			if f.n == 1 && x < 0.01 { // where the integral cancels
				want = v / 2 * (1 + v*v/8)
			}
			most[f.n] = max(most[f.n], ulps32(f.f(x), want))
			if odd := float32(1 - 2*f.n); f.f(-x) != odd*f.f(x) {
				t.Errorf("I%d(%g) has the wrong sign", f.n, -x)
			}
		}
		if !(most[f.n] <= 6) {
			t.Errorf("I%d: %.4g ulp", f.n, most[f.n])
		}
		t.Logf("I%d: %.4f ulp", f.n, most[f.n])
	}
	inf, nan, minus := float32(math.Inf(1)), float32(math.NaN()), math.Float32frombits(1<<31)
	for _, c := range []struct{ got, want float32 }{
		{device.CylBesselI0f(minus), 1}, {device.CylBesselI1f(minus), minus}, {device.CylBesselI0f(-inf), inf},
		{device.CylBesselI1f(-inf), -inf}, {device.CylBesselI1f(inf), inf}, {device.CylBesselI0f(nan), nan}, {device.CylBesselI1f(nan), nan},
		{device.CylBesselI1f(0x1p-149), 0}, {device.CylBesselI1f(0x1p-126), 0x1p-127}, {device.CylBesselI0f(1e30), inf},
	} {
		if !sameFloat32(c.got, c.want) {
			t.Errorf("%g, want %g", c.got, c.want)
		}
	}
}
