//go:build compiled

package devicekernels

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
)

// Arithmetic of compute capability 1.x.

//gocuda:kernel
func teslaFFFToF(t *gocuda.Thread, n int, a, b, c []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.MadF32(x, y, z)
	out[n+i] = device.FmafFtz(x, y, z)
}

//gocuda:kernel
func teslaFFToF(t *gocuda.Thread, n int, a, b []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.FaddFtz(x, y)
	out[n+i] = device.FsubFtz(x, y)
	out[2*n+i] = device.FmulFtz(x, y)
	out[3*n+i] = device.FdivFtz(x, y)
}

//gocuda:kernel
func teslaFToF(t *gocuda.Thread, n int, a []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Ftz(x)
	out[n+i] = device.FrcpFtz(x)
	out[2*n+i] = device.FsqrtFtz(x)
}

var teslaCases = []Case{
	ternary("MadF32", 2, teslaFFFToF, teslaFFFToFKernel),
	binary("FaddFtz", 4, teslaFFToF, teslaFFToFKernel),
	unary("Ftz", 3, teslaFToF, teslaFToFKernel),
}
