//go:build compiled

package corpus

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
)

// Functions at x and at -x, which vectors compute together where the compiler sees that nothing has
// changed between the calls. Each kernel has one shape of that, with the results of the first call
// in a and of the second in b; the test compares them with those of kernels that have one call
// each. Under fastmath the source form may differ.

func mrNormal(x float32) float32 { return 0.5 * float32(math.Erfc(float64(-x*(math.Sqrt2/2)))) }

func mrErfc(x float32) float32 { return float32(math.Erfc(float64(x))) }

//gocuda:kernel fastmath
func mrAtOnce(t *gocuda.Thread, n int, x, a, b []float32) {
	if i := t.GlobalX(); i < n {
		v := x[i]
		a[i], b[i] = mrErfc(v), mrErfc(-v)
	}
}

//gocuda:kernel fastmath
func mrHelper(t *gocuda.Thread, n int, x, a, b []float32) {
	if i := t.GlobalX(); i < n {
		v := x[i]
		a[i] = 2 * mrNormal(v)
		b[i] = 2 * mrNormal(-v)
	}
}

//gocuda:kernel fastmath
func mrQuarters(t *gocuda.Thread, n int, x, a, b []float32) {
	if i := t.GlobalX(); i < n {
		v := x[i]
		w := v * -0.25
		a[i] = mrErfc(v*0.25) + mrErfc(w)
		b[i] = mrErfc(w)
	}
}

//gocuda:kernel fastmath
func mrBranch(t *gocuda.Thread, n int, x, a, b []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	if v := x[i]; v > 0.3 {
		a[i] = mrErfc(v)
		b[i] = mrErfc(-v)
	}
}

//gocuda:kernel fastmath
func mrNarrower(t *gocuda.Thread, n int, x, a, b []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := x[i]
	a[i] = mrErfc(v)
	if v > 0.3 {
		b[i] = mrErfc(-v)
	}
}

//gocuda:kernel fastmath
func mrLeaving(t *gocuda.Thread, n int, x, a, b []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := x[i]
	a[i] = mrErfc(v)
	if v > 0.3 {
		return
	}
	b[i] = mrErfc(-v)
}

//gocuda:kernel fastmath
func mrAssigned(t *gocuda.Thread, n int, x, a, b []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := x[i]
	a[i] = mrErfc(v)
	if v > 0.3 {
		v *= 2
	}
	b[i] = mrErfc(-v)
}

//gocuda:kernel fastmath
func mrSides(t *gocuda.Thread, n int, x, a, b []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := x[i]
	if v > 0.3 {
		a[i] = mrErfc(v)
	} else {
		b[i] = mrErfc(-v)
	}
}

//gocuda:kernel fastmath
func mrLoop(t *gocuda.Thread, n int, x, a, b []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	v := x[i]
	var p, q float32
	for k := 0; k < 5 && v < 2; k++ {
		p = max(p, mrErfc(v))
		q = max(q, mrErfc(-v))
		v += 1.5
	}
	a[i], b[i] = p, q
}

//gocuda:kernel fastmath
func mrStride(t *gocuda.Thread, n int, x, a, b []float32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		v := x[i]
		a[i] = mrErfc(v)
		b[i] = mrErfc(-v)
	}
}

//gocuda:kernel fastmath
func mrWaves(t *gocuda.Thread, n int, x, a, b []float32) {
	if i := t.GlobalX(); i < n {
		v := x[i]
		w := -v
		a[i] = float32(math.Sin(float64(v))) * float32(math.Erf(float64(v)))
		a[i] += float32(math.Tanh(float64(v))) - float32(math.Cos(float64(v)))
		b[i] = float32(math.Sin(float64(w))) * float32(math.Erf(float64(w)))
		b[i] += float32(math.Tanh(float64(w))) - float32(math.Cos(float64(w)))
	}
}

//gocuda:kernel fastmath
func mrWavesApart(t *gocuda.Thread, n int, x, a []float32) {
	if i := t.GlobalX(); i < n {
		v := x[i]
		a[i] = float32(math.Sin(float64(v))) * float32(math.Erf(float64(v)))
		a[i] += float32(math.Tanh(float64(v))) - float32(math.Cos(float64(v)))
	}
}

//gocuda:kernel fastmath
func mrApart(t *gocuda.Thread, n int, x, a []float32) {
	if i := t.GlobalX(); i < n {
		a[i] = mrErfc(x[i])
	}
}

//gocuda:kernel fastmath
func mrDouble(t *gocuda.Thread, n int, x, a, b []float64) {
	if i := t.GlobalX(); i < n {
		v := x[i]
		a[i] = math.Erfc(v*3) * 0.5
		b[i] = 0.5 * math.Erfc(v*-3)
	}
}

//gocuda:kernel fastmath
func mrDoubleApart(t *gocuda.Thread, n int, x, a []float64) {
	if i := t.GlobalX(); i < n {
		a[i] = math.Erfc(x[i])
	}
}
