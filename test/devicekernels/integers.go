//go:build compiled

package devicekernels

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
)

// Integers, bits, and instructions of PTX.

//gocuda:kernel
func bitsUToU(t *gocuda.Thread, n int, a []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Brev(x)
}

//gocuda:kernel
func bitsUlToUl(t *gocuda.Thread, n int, a []uint64, out []uint64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Brevll(x)
}

//gocuda:kernel
func bitsUUUToU(t *gocuda.Thread, n int, a, b, c []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.BytePerm(x, y, z)
}

//gocuda:kernel
func bitsUToI(t *gocuda.Thread, n int, a []uint32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Clz(x)
	out[n+i] = device.Ffs(x)
	out[2*n+i] = device.Popc(x)
}

//gocuda:kernel
func bitsWideUlToI(t *gocuda.Thread, n int, a []uint64, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Clzll(x)
	out[n+i] = device.Ffsll(x)
	out[2*n+i] = device.Popcll(x)
}

//gocuda:kernel
func bitsUUIToU(t *gocuda.Thread, n int, a, b []uint32, c []int32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.Fns(x, y, z)
}

//gocuda:kernel
func funnelUUUToU(t *gocuda.Thread, n int, a, b, c []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.FunnelshiftL(x, y, z)
	out[n+i] = device.FunnelshiftLC(x, y, z)
	out[2*n+i] = device.FunnelshiftR(x, y, z)
	out[3*n+i] = device.FunnelshiftRC(x, y, z)
}

//gocuda:kernel
func intIIToI(t *gocuda.Thread, n int, a, b []int32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Mul24(x, y)
	out[n+i] = device.IntHadd(x, y)
	out[2*n+i] = device.Rhadd(x, y)
}

//gocuda:kernel
func intUUToU(t *gocuda.Thread, n int, a, b []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Umul24(x, y)
	out[n+i] = device.Uhadd(x, y)
	out[2*n+i] = device.Urhadd(x, y)
	out[3*n+i] = device.Umin(x, y)
	out[4*n+i] = device.Umax(x, y)
}

//gocuda:kernel
func intWideIIToI(t *gocuda.Thread, n int, a, b []int32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Mulhi(x, y)
}

//gocuda:kernel
func intWideUUToU(t *gocuda.Thread, n int, a, b []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Umulhi(x, y)
}

//gocuda:kernel
func intCallsLLToL(t *gocuda.Thread, n int, a, b []int64, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Mul64hi(x, y)
}

//gocuda:kernel
func intCallsUlUlToUl(t *gocuda.Thread, n int, a, b []uint64, out []uint64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Umul64hi(x, y)
}

//gocuda:kernel
func intIIUToU(t *gocuda.Thread, n int, a, b []int32, c []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.Sad(x, y, z)
}

//gocuda:kernel
func intUUUToU(t *gocuda.Thread, n int, a, b, c []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.Usad(x, y, z)
}

//gocuda:kernel
func intLLUlToUl(t *gocuda.Thread, n int, a, b []int64, c []uint64, out []uint64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.Sad64(x, y, z)
}

//gocuda:kernel
func intUlUlUlToUl(t *gocuda.Thread, n int, a, b, c []uint64, out []uint64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.Usad64(x, y, z)
}

//gocuda:kernel
func intIToI(t *gocuda.Thread, n int, a []int32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Abs(x)
}

//gocuda:kernel
func intLToL(t *gocuda.Thread, n int, a []int64, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Labs(x)
	out[n+i] = device.Llabs(x)
}

//gocuda:kernel
func intLLToL(t *gocuda.Thread, n int, a, b []int64, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Llmin(x, y)
	out[n+i] = device.Llmax(x, y)
}

//gocuda:kernel
func intUlUlToUl(t *gocuda.Thread, n int, a, b []uint64, out []uint64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Ullmin(x, y)
	out[n+i] = device.Ullmax(x, y)
}

//gocuda:kernel
func ptxFFToF(t *gocuda.Thread, n int, a, b []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.PtxMinF32(x, y)
	out[n+i] = device.PtxMaxF32(x, y)
	out[2*n+i] = device.PtxMinNaNF32(x, y)
	out[3*n+i] = device.PtxMaxNaNF32(x, y)
}

//gocuda:kernel
func ptxDDToD(t *gocuda.Thread, n int, a, b []float64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.PtxMinF64(x, y)
	out[n+i] = device.PtxMaxF64(x, y)
}

//gocuda:kernel
func ptxUUToU(t *gocuda.Thread, n int, a, b []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.PtxBmskClamp(x, y)
	out[n+i] = device.PtxBmskWrap(x, y)
}

//gocuda:kernel
func ptxUUUToU(t *gocuda.Thread, n int, a, b, c []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.PtxPrmt(x, y, z)
	out[n+i] = device.PtxPrmtF4e(x, y, z)
	out[2*n+i] = device.PtxPrmtB4e(x, y, z)
	out[3*n+i] = device.PtxPrmtRc8(x, y, z)
	out[4*n+i] = device.PtxPrmtEcl(x, y, z)
	out[5*n+i] = device.PtxPrmtEcr(x, y, z)
	out[6*n+i] = device.PtxPrmtRc16(x, y, z)
}

var integersCases = []Case{
	unary("bitsUToU", 1, bitsUToU, bitsUToUKernel),
	unary("bitsUlToUl", 1, bitsUlToUl, bitsUlToUlKernel),
	ternary("bitsUUUToU", 1, bitsUUUToU, bitsUUUToUKernel),
	unary("bitsUToI", 3, bitsUToI, bitsUToIKernel),
	unary("bitsWideUlToI", 3, bitsWideUlToI, bitsWideUlToIKernel),
	ternary("bitsUUIToU", 1, bitsUUIToU, bitsUUIToUKernel),
	ternary("funnelUUUToU", 4, funnelUUUToU, funnelUUUToUKernel),
	binary("intIIToI", 3, intIIToI, intIIToIKernel),
	binary("intUUToU", 5, intUUToU, intUUToUKernel),
	binary("intWideIIToI", 1, intWideIIToI, intWideIIToIKernel),
	binary("intWideUUToU", 1, intWideUUToU, intWideUUToUKernel),
	binary("intCallsLLToL", 1, intCallsLLToL, intCallsLLToLKernel),
	binary("intCallsUlUlToUl", 1, intCallsUlUlToUl, intCallsUlUlToUlKernel),
	ternary("intIIUToU", 1, intIIUToU, intIIUToUKernel),
	ternary("intUUUToU", 1, intUUUToU, intUUUToUKernel),
	ternary("intLLUlToUl", 1, intLLUlToUl, intLLUlToUlKernel),
	ternary("intUlUlUlToUl", 1, intUlUlUlToUl, intUlUlUlToUlKernel),
	unary("intIToI", 1, intIToI, intIToIKernel),
	unary("intLToL", 2, intLToL, intLToLKernel),
	binary("intLLToL", 2, intLLToL, intLLToLKernel),
	binary("intUlUlToUl", 2, intUlUlToUl, intUlUlToUlKernel),
	binary("ptxFFToF", 4, ptxFFToF, ptxFFToFKernel),
	binary("ptxDDToD", 2, ptxDDToD, ptxDDToDKernel),
	binary("ptxUUToU", 2, ptxUUToU, ptxUUToUKernel),
	ternary("ptxUUUToU", 7, ptxUUUToU, ptxUUUToUKernel),
}
