//go:build compiled

package devicekernels

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
)

// Arithmetic with a rounding mode.

//gocuda:kernel
func round32FFToF(t *gocuda.Thread, n int, a, b []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.FaddRN(x, y)
	out[n+i] = device.FaddRZ(x, y)
	out[2*n+i] = device.FaddRU(x, y)
	out[3*n+i] = device.FaddRD(x, y)
	out[4*n+i] = device.FsubRU(x, y)
	out[5*n+i] = device.FmulRN(x, y)
}

//gocuda:kernel
func round32WideFFToF(t *gocuda.Thread, n int, a, b []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.FmulRZ(x, y)
	out[n+i] = device.FmulRU(x, y)
	out[2*n+i] = device.FmulRD(x, y)
	out[3*n+i] = device.FdivRZ(x, y)
	out[4*n+i] = device.FdivRU(x, y)
	out[5*n+i] = device.FdivRD(x, y)
}

//gocuda:kernel
func round32FFFToF(t *gocuda.Thread, n int, a, b, c []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.FmafRN(x, y, z)
}

//gocuda:kernel
func round32WideFFFToF(t *gocuda.Thread, n int, a, b, c []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.FmafRZ(x, y, z)
	out[n+i] = device.FmafRU(x, y, z)
	out[2*n+i] = device.FmafRD(x, y, z)
}

//gocuda:kernel
func round32WideFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.FrcpRU(x)
	out[n+i] = device.FsqrtRU(x)
	out[2*n+i] = device.FrsqrtRN(x)
}

//gocuda:kernel
func round64DDToD(t *gocuda.Thread, n int, a, b []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.DaddRU(x, y)
	out[n+i] = device.DmulRU(x, y)
	out[2*n+i] = device.DdivRU(x, y)
}

//gocuda:kernel
func round64CallsDDDToD(t *gocuda.Thread, n int, a, b, c []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.FmaRU(x, y, z)
}

//gocuda:kernel
func round64DToD(t *gocuda.Thread, n int, a []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.DsqrtRU(x)
}

var roundingCases = []Case{
	binary("round32FFToF", 6, round32FFToF, round32FFToFKernel),
	binary("round32WideFFToF", 6, round32WideFFToF, round32WideFFToFKernel),
	ternary("round32FFFToF", 1, round32FFFToF, round32FFFToFKernel),
	ternary("round32WideFFFToF", 3, round32WideFFFToF, round32WideFFFToFKernel),
	unary("round32WideFToF", 3, round32WideFToF, round32WideFToFKernel),
	binary("round64DDToD", 3, round64DDToD, round64DDToDKernel),
	ternary("round64CallsDDDToD", 1, round64CallsDDDToD, round64CallsDDDToDKernel),
	unary("round64DToD", 1, round64DToD, round64DToDKernel),
}
