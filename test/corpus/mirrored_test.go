//go:build compiled

package corpus

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// mirrorInputs has numbers of all kinds, as many as fill some blocks and a part of one.
func mirrorInputs() []float32 {
	r := rand.New(rand.NewPCG(11, 12))
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	x := []float32{0, float32(math.Copysign(0, -1)), nan, -nan, inf, -inf, 0.3, 10.1, -10.1, 1e-40, -1e-40, 1, -1, math.MaxFloat32}
	for len(x) < 1003 {
		x = append(x, float32(r.NormFloat64()*3))
	}
	return x
}

// Calls that are computed together give what they give apart, bit for bit, and where only one is to
// be done the other leaves nothing behind.
func TestMirrored(t *testing.T) {
	x := mirrorInputs()
	n := len(x)
	high := func(v float32) bool { return v > 0.3 }
	always := func(v float32) bool { return true }
	itself := func(v float32) float32 { return v }
	minus := func(v float32) float32 { return -v }
	const root = math.Sqrt2 / 2
	for _, c := range []struct {
		name          string
		kernel        func(n int, x, a, b []float32) gocuda.Kernel
		first, second func(v float32) float32
		doesA, doesB  func(v float32) bool
	}{
		{"at once", mrAtOnceKernel, itself, minus, always, always},
		{"helper", mrHelperKernel, func(v float32) float32 { return -v * root }, func(v float32) float32 { return v * root }, always, always},
		{"branch", mrBranchKernel, itself, minus, high, high},
		{"narrower", mrNarrowerKernel, itself, minus, always, high},
		{"leaving", mrLeavingKernel, itself, minus, always, func(v float32) bool { return !high(v) }},
		{"assigned", mrAssignedKernel, itself, func(v float32) float32 {
			if high(v) {
				v *= 2
			}
			return -v
		}, always, always},
		{"sides", mrSidesKernel, itself, minus, high, func(v float32) bool { return !high(v) }},
		{"stride", mrStrideKernel, itself, minus, always, always},
	} {
		for _, m := range machines(t) {
			a, b := make([]float32, n), make([]float32, n)
			m.run(t, n, c.kernel(n, x, a, b))
			for k, got := range [][]float32{a, b} {
				arg, does := c.first, c.doesA
				if k == 1 {
					arg, does = c.second, c.doesB
				}
				in, want := make([]float32, n), make([]float32, n)
				for i, v := range x {
					in[i] = arg(v)
				}
				m.run(t, n, mrApartKernel(n, in, want))
				for i, v := range x {
					if !does(v) {
						want[i] = 0
					}
					if math.Float32bits(got[i]) != math.Float32bits(want[i]) && (got[i] == got[i] || want[i] == want[i]) {
						t.Fatalf("%s, %s, call %d at %v: %v, want %v", c.name, m.name, k+1, v, got[i], want[i])
					}
					if exact := math.Erfc(float64(in[i])); does(v) && math.Abs(float64(got[i])-exact) > 1e-6*exact+1e-44 {
						t.Fatalf("%s, %s, call %d at %v: %v, not %v", c.name, m.name, k+1, v, got[i], exact)
					}
				}
			}
		}
	}
}

// The same of kernels with several calls, of loops, of other functions and of float64.
func TestMirroredMore(t *testing.T) {
	x := mirrorInputs()
	n := len(x)
	apart := func(m machine, in []float32) []float32 {
		out := make([]float32, n)
		m.run(t, n, mrApartKernel(n, in, out))
		return out
	}
	all := func(f func(v float32) float32) []float32 {
		y := make([]float32, n)
		for i, v := range x {
			y[i] = f(v)
		}
		return y
	}
	for _, m := range machines(t) {
		check := func(what string, got, want []float32) {
			t.Helper()
			for i := range got {
				if math.Float32bits(got[i]) != math.Float32bits(want[i]) && (got[i] == got[i] || want[i] == want[i]) {
					t.Fatalf("%s, %s, at %v: %v, want %v", what, m.name, x[i], got[i], want[i])
				}
			}
		}
		a, b := make([]float32, n), make([]float32, n)
		m.run(t, n, mrQuartersKernel(n, x, a, b))
		p, q := apart(m, all(func(v float32) float32 { return v * 0.25 })), apart(m, all(func(v float32) float32 { return v * -0.25 }))
		check("quarters", b, q)
		for i := range p {
			p[i] += q[i]
		}
		check("quarters", a, p)

		m.run(t, n, mrLoopKernel(n, x, a, b))
		p, q = make([]float32, n), make([]float32, n)
		v := append([]float32{}, x...)
		for range 5 {
			minus := make([]float32, n)
			for i := range v {
				minus[i] = -v[i]
			}
			r, s := apart(m, v), apart(m, minus)
			for i := range v {
				if v[i] < 2 {
					p[i], q[i] = max(p[i], r[i]), max(q[i], s[i])
					v[i] += 1.5
				}
			}
		}
		check("loop", a, p)
		check("loop", b, q)

		m.run(t, n, mrWavesKernel(n, x, a, b))
		m.run(t, n, mrWavesApartKernel(n, x, p))
		m.run(t, n, mrWavesApartKernel(n, all(func(v float32) float32 { return -v }), q))
		check("waves", a, p)
		check("waves", b, q)

		y, c, d := make([]float64, n), make([]float64, n), make([]float64, n)
		in, want := make([]float64, n), make([]float64, n)
		for i := range y {
			y[i] = float64(x[i])
		}
		m.run(t, n, mrDoubleKernel(n, y, c, d))
		for k, got := range [][]float64{c, d} {
			for i, v := range y {
				in[i] = v * [...]float64{3, -3}[k]
			}
			m.run(t, n, mrDoubleApartKernel(n, in, want))
			for i := range got {
				if w := want[i] * 0.5; math.Float64bits(got[i]) != math.Float64bits(w) && (got[i] == got[i] || w == w) {
					t.Fatalf("double, %s, call %d at %v: %v, want %v", m.name, k+1, y[i], got[i], w)
				}
			}
		}
	}
}

// run launches k with a thread for each of n numbers.
func (m machine) run(t *testing.T, n int, k gocuda.Kernel) {
	t.Helper()
	if err := m.launch(t, grid.Linear(n, 64), k); err != nil {
		t.Fatal(err)
	}
}
