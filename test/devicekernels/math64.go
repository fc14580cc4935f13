//go:build compiled

package devicekernels

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
)

// The math library in float64.

//gocuda:kernel
func atrigDToD(t *gocuda.Thread, n int, a []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Asin(x)
	out[n+i] = device.Atan(x)
}

//gocuda:kernel
func atrigDDToD(t *gocuda.Thread, n int, a, b []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Atan2(x, y)
}

//gocuda:kernel
func erfDToD(t *gocuda.Thread, n int, a []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Erf(x)
}

//gocuda:kernel
func expDToD(t *gocuda.Thread, n int, a []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Exp(x)
	out[n+i] = device.Exp2(x)
	out[2*n+i] = device.Expm1(x)
}

//gocuda:kernel
func hyperDToD(t *gocuda.Thread, n int, a []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Sinh(x)
}

//gocuda:kernel
func hypotDDToD(t *gocuda.Thread, n int, a, b []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Hypot(x, y)
}

//gocuda:kernel
func integralDToD(t *gocuda.Thread, n int, a []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Ceil(x)
	out[n+i] = device.Floor(x)
	out[2*n+i] = device.Trunc(x)
	out[3*n+i] = device.Rint(x)
	out[4*n+i] = device.Nearbyint(x)
	out[5*n+i] = device.Round(x)
}

//gocuda:kernel
func integralDToL(t *gocuda.Thread, n int, a []float64, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Lrint(x)
	out[n+i] = device.Llrint(x)
	out[2*n+i] = device.Lround(x)
	out[3*n+i] = device.Llround(x)
}

//gocuda:kernel
func logDToD(t *gocuda.Thread, n int, a []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Log(x)
	out[n+i] = device.Log1p(x)
}

//gocuda:kernel
func minmaxDDToD(t *gocuda.Thread, n int, a, b []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Fmax(x, y)
	out[n+i] = device.Fmin(x, y)
	out[2*n+i] = device.Fdim(x, y)
}

//gocuda:kernel
func minmaxDDDToD(t *gocuda.Thread, n int, a, b, c []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.Fma(x, y, z)
}

//gocuda:kernel
func partsDToDInt(t *gocuda.Thread, n int, a []float64, out1 []float64, out2 []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out1[i], out2[i] = device.Frexp(x)
}

//gocuda:kernel
func partsDIntToD(t *gocuda.Thread, n int, a []float64, b []int32, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Ldexp(x, y)
	out[n+i] = device.Scalbn(x, y)
}

//gocuda:kernel
func partsDLToD(t *gocuda.Thread, n int, a []float64, b []int64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Scalbln(x, y)
}

//gocuda:kernel
func partsDToD(t *gocuda.Thread, n int, a []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Logb(x)
	out[n+i], out[2*n+i] = device.Modf(x)
	out[3*n+i] = device.Fabs(x)
}

//gocuda:kernel
func partsDToInt(t *gocuda.Thread, n int, a []float64, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Ilogb(x)
}

//gocuda:kernel
func partsDDToD(t *gocuda.Thread, n int, a, b []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Copysign(x, y)
	out[n+i] = device.Nextafter(x, y)
}

//gocuda:kernel
func partsDToB(t *gocuda.Thread, n int, a []float64, out []bool) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Signbit(x)
	out[n+i] = device.Isnan(x)
	out[2*n+i] = device.Isinf(x)
	out[3*n+i] = device.Isfinite(x)
}

//gocuda:kernel
func powDDToD(t *gocuda.Thread, n int, a, b []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Pow(x, y)
}

//gocuda:kernel
func powDToD(t *gocuda.Thread, n int, a []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Sqrt(x)
	out[n+i] = device.Rsqrt(x)
	out[2*n+i] = device.Cbrt(x)
}

//gocuda:kernel
func remainderCallsDDToD(t *gocuda.Thread, n int, a, b []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Fmod(x, y)
	out[n+i] = device.Remainder(x, y)
}

//gocuda:kernel
func remainderCallsDDToDInt(t *gocuda.Thread, n int, a, b []float64, out1 []float64, out2 []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out1[i], out2[i] = device.Remquo(x, y)
}

//gocuda:kernel
func trigDToD(t *gocuda.Thread, n int, a []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Sin(x)
	out[n+i] = device.Cos(x)
	out[2*n+i] = device.Tan(x)
}

//gocuda:kernel
func trigCallsDToD(t *gocuda.Thread, n int, a []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i], out[n+i] = device.Sincos(x)
}

var math64Cases = []Case{
	unary("atrigDToD", 2, atrigDToD, atrigDToDKernel),
	binary("atrigDDToD", 1, atrigDDToD, atrigDDToDKernel),
	unary("erfDToD", 1, erfDToD, erfDToDKernel),
	unary("expDToD", 3, expDToD, expDToDKernel),
	unary("hyperDToD", 1, hyperDToD, hyperDToDKernel),
	binary("hypotDDToD", 1, hypotDDToD, hypotDDToDKernel),
	unary("integralDToD", 6, integralDToD, integralDToDKernel),
	unary("integralDToL", 4, integralDToL, integralDToLKernel),
	unary("logDToD", 2, logDToD, logDToDKernel),
	binary("minmaxDDToD", 3, minmaxDDToD, minmaxDDToDKernel),
	ternary("minmaxDDDToD", 1, minmaxDDDToD, minmaxDDDToDKernel),
	unaryTwo("partsDToDInt", 1, 1, partsDToDInt, partsDToDIntKernel),
	binary("partsDIntToD", 2, partsDIntToD, partsDIntToDKernel),
	binary("partsDLToD", 1, partsDLToD, partsDLToDKernel),
	unary("partsDToD", 4, partsDToD, partsDToDKernel),
	unary("partsDToInt", 1, partsDToInt, partsDToIntKernel),
	binary("partsDDToD", 2, partsDDToD, partsDDToDKernel),
	unary("partsDToB", 4, partsDToB, partsDToBKernel),
	binary("powDDToD", 1, powDDToD, powDDToDKernel),
	unary("powDToD", 3, powDToD, powDToDKernel),
	binary("remainderCallsDDToD", 2, remainderCallsDDToD, remainderCallsDDToDKernel),
	binaryTwo("remainderCallsDDToDInt", 1, 1, remainderCallsDDToDInt, remainderCallsDDToDIntKernel),
	unary("trigDToD", 3, trigDToD, trigDToDKernel),
	unary("trigCallsDToD", 2, trigCallsDToD, trigCallsDToDKernel),
}
