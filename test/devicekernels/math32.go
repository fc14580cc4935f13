//go:build compiled

package devicekernels

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
)

// The math library and the fast approximations in float32.

//gocuda:kernel
func atrigfFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Asinf(x)
	out[n+i] = device.Acosf(x)
	out[2*n+i] = device.Atanf(x)
}

//gocuda:kernel
func atrigfFFToF(t *gocuda.Thread, n int, a, b []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Atan2f(x, y)
}

//gocuda:kernel
func besselfWideFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.J0f(x)
	out[n+i] = device.J1f(x)
	out[2*n+i] = device.Y0f(x)
	out[3*n+i] = device.Y1f(x)
	out[4*n+i] = device.CylBesselI0f(x)
	out[5*n+i] = device.CylBesselI1f(x)
}

//gocuda:kernel
func besselfWideIFToF(t *gocuda.Thread, n int, a []int32, b []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Jnf(int32(uint32(x)%40), y)
	out[n+i] = device.Ynf(int32(uint32(x)%40), y)
}

//gocuda:kernel
func erffFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Erff(x)
}

//gocuda:kernel
func erffWideFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Erfcf(x)
	out[n+i] = device.Erfcxf(x)
	out[2*n+i] = device.Normcdff(x)
}

//gocuda:kernel
func expfWideFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Expm1f(x)
}

//gocuda:kernel
func fastFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i], out[n+i] = device.FastSincosf(x)
	out[2*n+i] = device.Lg2Approxf(x)
	out[3*n+i] = device.Saturatef(x)
	out[4*n+i] = device.RcpApproxf(x)
	out[5*n+i] = device.SqrtApproxf(x)
	out[6*n+i] = device.SinApproxf(x)
	out[7*n+i] = device.CosApproxf(x)
}

//gocuda:kernel
func fmaFFFToF(t *gocuda.Thread, n int, a, b, c []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.Fmaf(x, y, z)
}

//gocuda:kernel
func gammafWideFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Tgammaf(x)
}

//gocuda:kernel
func gammafCallsFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Lgammaf(x)
}

//gocuda:kernel
func hyperfWideFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Sinhf(x)
	out[n+i] = device.Coshf(x)
	out[2*n+i] = device.Asinhf(x)
	out[3*n+i] = device.Acoshf(x)
	out[4*n+i] = device.Atanhf(x)
}

//gocuda:kernel
func logfFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Log1pf(x)
}

//gocuda:kernel
func partsfFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Fabsf(x)
	out[n+i] = device.Logbf(x)
	out[2*n+i], out[3*n+i] = device.Modff(x)
}

//gocuda:kernel
func partsfFFToF(t *gocuda.Thread, n int, a, b []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Copysignf(x, y)
	out[n+i] = device.Fdimf(x, y)
	out[2*n+i] = device.Fmaxf(x, y)
	out[3*n+i] = device.Fminf(x, y)
	out[4*n+i] = device.Nextafterf(x, y)
}

//gocuda:kernel
func partsfFToB(t *gocuda.Thread, n int, a []float32, out []bool) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Isfinitef(x)
	out[n+i] = device.Isinff(x)
	out[2*n+i] = device.Isnanf(x)
	out[3*n+i] = device.Signbitf(x)
}

//gocuda:kernel
func partsfFToFI(t *gocuda.Thread, n int, a []float32, out1 []float32, out2 []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out1[i], out2[i] = device.Frexpf(x)
}

//gocuda:kernel
func partsfWideFIToF(t *gocuda.Thread, n int, a []float32, b []int32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Ldexpf(x, y)
	out[n+i] = device.Scalbnf(x, y)
}

//gocuda:kernel
func partsfWideFLToF(t *gocuda.Thread, n int, a []float32, b []int64, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Scalblnf(x, y)
}

//gocuda:kernel
func partsfFToI(t *gocuda.Thread, n int, a []float32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Ilogbf(x)
}

//gocuda:kernel
func remfWideFFToF(t *gocuda.Thread, n int, a, b []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Fmodf(x, y)
	out[n+i] = device.Remainderf(x, y)
}

//gocuda:kernel
func remfWideFFToFI(t *gocuda.Thread, n int, a, b []float32, out1 []float32, out2 []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out1[i], out2[i] = device.Remquof(x, y)
}

//gocuda:kernel
func rootfFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Sqrtf(x)
}

//gocuda:kernel
func rootfWideFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Cbrtf(x)
	out[n+i] = device.Rcbrtf(x)
}

//gocuda:kernel
func rootfWideFFToF(t *gocuda.Thread, n int, a, b []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Hypotf(x, y)
	out[n+i] = device.Rhypotf(x, y)
}

//gocuda:kernel
func rootfWideFFFToF(t *gocuda.Thread, n int, a, b, c []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.Norm3df(x, y, z)
	out[n+i] = device.Rnorm3df(x, y, z)
}

//gocuda:kernel
func roundfFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Ceilf(x)
	out[n+i] = device.Floorf(x)
	out[2*n+i] = device.Truncf(x)
	out[3*n+i] = device.Rintf(x)
	out[4*n+i] = device.Nearbyintf(x)
	out[5*n+i] = device.Roundf(x)
}

//gocuda:kernel
func roundfWideFToL(t *gocuda.Thread, n int, a []float32, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Lrintf(x)
	out[n+i] = device.Llrintf(x)
	out[2*n+i] = device.Lroundf(x)
	out[3*n+i] = device.Llroundf(x)
}

//gocuda:kernel
func sfuCallsFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.SFURcp(x)
	out[n+i] = device.SFURsqrt(x)
	out[2*n+i] = device.SFUEx2(x)
	out[3*n+i] = device.SFULg2(x)
	out[4*n+i] = device.SFUSin(x)
	out[5*n+i] = device.SFUCos(x)
}

//gocuda:kernel
func trigfWideFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i], out[n+i] = device.Sincosf(x)
}

//gocuda:kernel
func trigpifFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i], out[n+i] = device.Sincospif(x)
}

var math32Cases = []Case{
	unary("atrigfFToF", 3, atrigfFToF, atrigfFToFKernel),
	binary("atrigfFFToF", 1, atrigfFFToF, atrigfFFToFKernel),
	unary("besselfWideFToF", 6, besselfWideFToF, besselfWideFToFKernel),
	binary("besselfWideIFToF", 2, besselfWideIFToF, besselfWideIFToFKernel),
	unary("erffFToF", 1, erffFToF, erffFToFKernel),
	unary("erffWideFToF", 3, erffWideFToF, erffWideFToFKernel),
	unary("expfWideFToF", 1, expfWideFToF, expfWideFToFKernel),
	unary("fastFToF", 8, fastFToF, fastFToFKernel),
	ternary("fmaFFFToF", 1, fmaFFFToF, fmaFFFToFKernel),
	unary("gammafWideFToF", 1, gammafWideFToF, gammafWideFToFKernel),
	unary("gammafCallsFToF", 1, gammafCallsFToF, gammafCallsFToFKernel),
	unary("hyperfWideFToF", 5, hyperfWideFToF, hyperfWideFToFKernel),
	unary("logfFToF", 1, logfFToF, logfFToFKernel),
	unary("partsfFToF", 4, partsfFToF, partsfFToFKernel),
	binary("partsfFFToF", 5, partsfFFToF, partsfFFToFKernel),
	unary("partsfFToB", 4, partsfFToB, partsfFToBKernel),
	unaryTwo("partsfFToFI", 1, 1, partsfFToFI, partsfFToFIKernel),
	binary("partsfWideFIToF", 2, partsfWideFIToF, partsfWideFIToFKernel),
	binary("partsfWideFLToF", 1, partsfWideFLToF, partsfWideFLToFKernel),
	unary("partsfFToI", 1, partsfFToI, partsfFToIKernel),
	binary("remfWideFFToF", 2, remfWideFFToF, remfWideFFToFKernel),
	binaryTwo("remfWideFFToFI", 1, 1, remfWideFFToFI, remfWideFFToFIKernel),
	unary("rootfFToF", 1, rootfFToF, rootfFToFKernel),
	unary("rootfWideFToF", 2, rootfWideFToF, rootfWideFToFKernel),
	binary("rootfWideFFToF", 2, rootfWideFFToF, rootfWideFFToFKernel),
	ternary("rootfWideFFFToF", 2, rootfWideFFFToF, rootfWideFFFToFKernel),
	unary("roundfFToF", 6, roundfFToF, roundfFToFKernel),
	unary("roundfWideFToL", 4, roundfWideFToL, roundfWideFToLKernel),
	unary("sfuCallsFToF", 6, sfuCallsFToF, sfuCallsFToFKernel),
	unary("trigfWideFToF", 2, trigfWideFToF, trigfWideFToFKernel),
	unary("trigpifFToF", 2, trigpifFToF, trigpifFToFKernel),
}
