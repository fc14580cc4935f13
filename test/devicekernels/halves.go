//go:build compiled

package devicekernels

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
)

// Half precision and bfloat16.

//gocuda:kernel
func bfloat16BfToUs(t *gocuda.Thread, n int, a []uint16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Bfloat16(a[i])
	out[i] = device.Bfloat16AsUshort(x)
}

//gocuda:kernel
func bfloat16BfToS(t *gocuda.Thread, n int, a []uint16, out []int16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Bfloat16(a[i])
	out[i] = device.Bfloat16AsShort(x)
}

//gocuda:kernel
func bfloat16UsToBf(t *gocuda.Thread, n int, a []uint16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.UshortAsBfloat16(x))
}

//gocuda:kernel
func bfloat16SToBf(t *gocuda.Thread, n int, a []int16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.ShortAsBfloat16(x))
}

//gocuda:kernel
func bfloat16BfToF(t *gocuda.Thread, n int, a []uint16, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Bfloat16(a[i])
	out[i] = device.Bfloat162Float(x)
}

//gocuda:kernel
func bfloat16FToBf(t *gocuda.Thread, n int, a []float32, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.Float2Bfloat16RN(x))
	out[n+i] = uint16(device.Float2Bfloat16RZ(x))
	out[2*n+i] = uint16(device.Float2Bfloat16RU(x))
	out[3*n+i] = uint16(device.Float2Bfloat16RD(x))
	out[4*n+i] = uint16(device.Float2Bfloat16(x))
}

//gocuda:kernel
func bfloat16WideDToBf(t *gocuda.Thread, n int, a []float64, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.Double2Bfloat16(x))
}

//gocuda:kernel
func bfloat16intBfToI(t *gocuda.Thread, n int, a []uint16, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Bfloat16(a[i])
	out[i] = device.Bfloat162IntRN(x)
	out[n+i] = device.Bfloat162IntRZ(x)
}

//gocuda:kernel
func bfloat16intBfToU(t *gocuda.Thread, n int, a []uint16, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Bfloat16(a[i])
	out[i] = device.Bfloat162UintRN(x)
	out[n+i] = device.Bfloat162UintRZ(x)
}

//gocuda:kernel
func bfloat16intWideIToBf(t *gocuda.Thread, n int, a []int32, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.Int2Bfloat16RN(x))
	out[n+i] = uint16(device.Int2Bfloat16RZ(x))
}

//gocuda:kernel
func bfloat16intWideUToBf(t *gocuda.Thread, n int, a []uint32, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.Uint2Bfloat16RN(x))
	out[n+i] = uint16(device.Uint2Bfloat16RZ(x))
}

//gocuda:kernel
func halfHToUs(t *gocuda.Thread, n int, a []uint16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.HalfAsUshort(x)
}

//gocuda:kernel
func halfHToS(t *gocuda.Thread, n int, a []uint16, out []int16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.HalfAsShort(x)
}

//gocuda:kernel
func halfUsToH(t *gocuda.Thread, n int, a []uint16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.UshortAsHalf(x))
}

//gocuda:kernel
func halfSToH(t *gocuda.Thread, n int, a []int16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.ShortAsHalf(x))
}

//gocuda:kernel
func halfHToF(t *gocuda.Thread, n int, a []uint16, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.Half2Float(x)
}

//gocuda:kernel
func halfWideHToD(t *gocuda.Thread, n int, a []uint16, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.Half2Double(x)
}

//gocuda:kernel
func halfFToH(t *gocuda.Thread, n int, a []float32, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.Float2HalfRN(x))
	out[n+i] = uint16(device.Float2HalfRZ(x))
	out[2*n+i] = uint16(device.Float2HalfRU(x))
	out[3*n+i] = uint16(device.Float2HalfRD(x))
	out[4*n+i] = uint16(device.Float2Half(x))
}

//gocuda:kernel
func halfWideDToH(t *gocuda.Thread, n int, a []float64, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.Double2Half(x))
}

//gocuda:kernel
func half2HHToH2(t *gocuda.Thread, n int, a, b []uint16, out []device.Half2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := device.Half(a[i]), device.Half(b[i])
	out[i] = device.MakeHalf2(x, y)
	out[n+i] = device.Halves2Half2(x, y)
}

//gocuda:kernel
func half2HToH2(t *gocuda.Thread, n int, a []uint16, out []device.Half2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.Half2Half2(x)
}

//gocuda:kernel
func half2H2ToH(t *gocuda.Thread, n int, a []device.Half2, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.Low2Half(x))
}

//gocuda:kernel
func half2CallsH2ToH(t *gocuda.Thread, n int, a []device.Half2, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.High2Half(x))
}

//gocuda:kernel
func half2CallsH2ToH2(t *gocuda.Thread, n int, a []device.Half2, out []device.Half2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Low2Half2(x)
	out[n+i] = device.High2Half2(x)
	out[2*n+i] = device.LowHigh2HighLow(x)
}

//gocuda:kernel
func half2CallsH2H2ToH2(t *gocuda.Thread, n int, a, b []device.Half2, out []device.Half2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Lows2Half2(x, y)
	out[n+i] = device.Highs2Half2(x, y)
}

//gocuda:kernel
func half2H2ToF(t *gocuda.Thread, n int, a []device.Half2, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Low2Float(x)
	out[n+i] = device.High2Float(x)
}

//gocuda:kernel
func half2FToH2(t *gocuda.Thread, n int, a []float32, out []device.Half2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Float2Half2RN(x)
}

//gocuda:kernel
func half2FFToH2(t *gocuda.Thread, n int, a, b []float32, out []device.Half2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Floats2Half2RN(x, y)
}

//gocuda:kernel
func half2WideH2H2H2ToH2(t *gocuda.Thread, n int, a, b, c []device.Half2, out []device.Half2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.Hfma2Relu(x, y, z)
}

//gocuda:kernel
func half2WideH2ToH2(t *gocuda.Thread, n int, a []device.Half2, out []device.Half2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.H2sqrt(x)
}

//gocuda:kernel
func half2F2ToH2(t *gocuda.Thread, n int, a []device.Float2, out []device.Half2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Float22Half2RN(x)
}

//gocuda:kernel
func half2H2ToF2(t *gocuda.Thread, n int, a []device.Half2, out []device.Float2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Half22Float2(x)
}

//gocuda:kernel
func half2compareH2H2ToH2(t *gocuda.Thread, n int, a, b []device.Half2, out []device.Half2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Heq2(x, y)
}

//gocuda:kernel
func half2compareH2H2ToU(t *gocuda.Thread, n int, a, b []device.Half2, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Heq2Mask(x, y)
}

//gocuda:kernel
func half2compareH2H2ToB(t *gocuda.Thread, n int, a, b []device.Half2, out []bool) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Hbeq2(x, y)
}

//gocuda:kernel
func halfarithHHToH(t *gocuda.Thread, n int, a, b []uint16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := device.Half(a[i]), device.Half(b[i])
	out[i] = uint16(device.Hadd(x, y))
	out[n+i] = uint16(device.Hsub(x, y))
	out[2*n+i] = uint16(device.Hmul(x, y))
	out[3*n+i] = uint16(device.Hdiv(x, y))
	out[4*n+i] = uint16(device.HmulSat(x, y))
	out[5*n+i] = uint16(device.Hmin(x, y))
	out[6*n+i] = uint16(device.HmaxNaN(x, y))
}

//gocuda:kernel
func halfarithWideHHHToH(t *gocuda.Thread, n int, a, b, c []uint16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := device.Half(a[i]), device.Half(b[i]), device.Half(c[i])
	out[i] = uint16(device.Hfma(x, y, z))
	out[n+i] = uint16(device.HfmaRelu(x, y, z))
}

//gocuda:kernel
func halfarithHToH(t *gocuda.Thread, n int, a []uint16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = uint16(device.Hneg(x))
	out[n+i] = uint16(device.Habs(x))
}

//gocuda:kernel
func halfarithHToB(t *gocuda.Thread, n int, a []uint16, out []bool) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.Hisnan(x)
}

//gocuda:kernel
func halfarithHToI(t *gocuda.Thread, n int, a []uint16, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.Hisinf(x)
}

//gocuda:kernel
func halfarithHHToB(t *gocuda.Thread, n int, a, b []uint16, out []bool) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := device.Half(a[i]), device.Half(b[i])
	out[i] = device.Heq(x, y)
	out[n+i] = device.Hlt(x, y)
	out[2*n+i] = device.Hneu(x, y)
	out[3*n+i] = device.Hgeu(x, y)
}

//gocuda:kernel
func halfintHToI(t *gocuda.Thread, n int, a []uint16, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.Half2IntRN(x)
	out[n+i] = device.Half2IntRZ(x)
}

//gocuda:kernel
func halfintHToU(t *gocuda.Thread, n int, a []uint16, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.Half2UintRN(x)
	out[n+i] = device.Half2UintRZ(x)
}

//gocuda:kernel
func halfintWideHToL(t *gocuda.Thread, n int, a []uint16, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.Half2LLRZ(x)
}

//gocuda:kernel
func halfintWideHToUl(t *gocuda.Thread, n int, a []uint16, out []uint64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.Half2ULLRZ(x)
}

//gocuda:kernel
func halfintHToS(t *gocuda.Thread, n int, a []uint16, out []int16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.Half2ShortRZ(x)
}

//gocuda:kernel
func halfintHToUs(t *gocuda.Thread, n int, a []uint16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = device.Half2UshortRZ(x)
}

//gocuda:kernel
func halfintIToH(t *gocuda.Thread, n int, a []int32, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.Int2HalfRN(x))
	out[n+i] = uint16(device.Int2HalfRZ(x))
}

//gocuda:kernel
func halfintUToH(t *gocuda.Thread, n int, a []uint32, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.Uint2HalfRN(x))
	out[n+i] = uint16(device.Uint2HalfRZ(x))
}

//gocuda:kernel
func halfintWideLToH(t *gocuda.Thread, n int, a []int64, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.LL2HalfRN(x))
}

//gocuda:kernel
func halfintWideUlToH(t *gocuda.Thread, n int, a []uint64, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.ULL2HalfRN(x))
}

//gocuda:kernel
func halfintSToH(t *gocuda.Thread, n int, a []int16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.Short2HalfRN(x))
}

//gocuda:kernel
func halfintUsToH(t *gocuda.Thread, n int, a []uint16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = uint16(device.Ushort2HalfRN(x))
}

//gocuda:kernel
func halfmathWideHToH(t *gocuda.Thread, n int, a []uint16, out []uint16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := device.Half(a[i])
	out[i] = uint16(device.Hsqrt(x))
	out[n+i] = uint16(device.Hexp2(x))
	out[2*n+i] = uint16(device.Hsin(x))
	out[3*n+i] = uint16(device.Hfloor(x))
}

var halvesCases = []Case{
	unary("bfloat16BfToUs", 1, bfloat16BfToUs, bfloat16BfToUsKernel),
	unary("bfloat16BfToS", 1, bfloat16BfToS, bfloat16BfToSKernel),
	unary("bfloat16UsToBf", 1, bfloat16UsToBf, bfloat16UsToBfKernel),
	unary("bfloat16SToBf", 1, bfloat16SToBf, bfloat16SToBfKernel),
	unary("bfloat16BfToF", 1, bfloat16BfToF, bfloat16BfToFKernel),
	unary("bfloat16FToBf", 5, bfloat16FToBf, bfloat16FToBfKernel),
	unary("bfloat16WideDToBf", 1, bfloat16WideDToBf, bfloat16WideDToBfKernel),
	unary("bfloat16intBfToI", 2, bfloat16intBfToI, bfloat16intBfToIKernel),
	unary("bfloat16intBfToU", 2, bfloat16intBfToU, bfloat16intBfToUKernel),
	unary("bfloat16intWideIToBf", 2, bfloat16intWideIToBf, bfloat16intWideIToBfKernel),
	unary("bfloat16intWideUToBf", 2, bfloat16intWideUToBf, bfloat16intWideUToBfKernel),
	unary("halfHToUs", 1, halfHToUs, halfHToUsKernel),
	unary("halfHToS", 1, halfHToS, halfHToSKernel),
	unary("halfUsToH", 1, halfUsToH, halfUsToHKernel),
	unary("halfSToH", 1, halfSToH, halfSToHKernel),
	unary("halfHToF", 1, halfHToF, halfHToFKernel),
	unary("halfWideHToD", 1, halfWideHToD, halfWideHToDKernel),
	unary("halfFToH", 5, halfFToH, halfFToHKernel),
	unary("halfWideDToH", 1, halfWideDToH, halfWideDToHKernel),
	binary("half2HHToH2", 2, half2HHToH2, half2HHToH2Kernel),
	unary("half2HToH2", 1, half2HToH2, half2HToH2Kernel),
	unary("half2H2ToH", 1, half2H2ToH, half2H2ToHKernel),
	unary("half2CallsH2ToH", 1, half2CallsH2ToH, half2CallsH2ToHKernel),
	unary("half2CallsH2ToH2", 3, half2CallsH2ToH2, half2CallsH2ToH2Kernel),
	binary("half2CallsH2H2ToH2", 2, half2CallsH2H2ToH2, half2CallsH2H2ToH2Kernel),
	unary("half2H2ToF", 2, half2H2ToF, half2H2ToFKernel),
	unary("half2FToH2", 1, half2FToH2, half2FToH2Kernel),
	binary("half2FFToH2", 1, half2FFToH2, half2FFToH2Kernel),
	ternary("half2WideH2H2H2ToH2", 1, half2WideH2H2H2ToH2, half2WideH2H2H2ToH2Kernel),
	unary("half2WideH2ToH2", 1, half2WideH2ToH2, half2WideH2ToH2Kernel),
	unary("half2F2ToH2", 1, half2F2ToH2, half2F2ToH2Kernel),
	unary("half2H2ToF2", 1, half2H2ToF2, half2H2ToF2Kernel),
	binary("half2compareH2H2ToH2", 1, half2compareH2H2ToH2, half2compareH2H2ToH2Kernel),
	binary("half2compareH2H2ToU", 1, half2compareH2H2ToU, half2compareH2H2ToUKernel),
	binary("half2compareH2H2ToB", 1, half2compareH2H2ToB, half2compareH2H2ToBKernel),
	binary("halfarithHHToH", 7, halfarithHHToH, halfarithHHToHKernel),
	ternary("halfarithWideHHHToH", 2, halfarithWideHHHToH, halfarithWideHHHToHKernel),
	unary("halfarithHToH", 2, halfarithHToH, halfarithHToHKernel),
	unary("halfarithHToB", 1, halfarithHToB, halfarithHToBKernel),
	unary("halfarithHToI", 1, halfarithHToI, halfarithHToIKernel),
	binary("halfarithHHToB", 4, halfarithHHToB, halfarithHHToBKernel),
	unary("halfintHToI", 2, halfintHToI, halfintHToIKernel),
	unary("halfintHToU", 2, halfintHToU, halfintHToUKernel),
	unary("halfintWideHToL", 1, halfintWideHToL, halfintWideHToLKernel),
	unary("halfintWideHToUl", 1, halfintWideHToUl, halfintWideHToUlKernel),
	unary("halfintHToS", 1, halfintHToS, halfintHToSKernel),
	unary("halfintHToUs", 1, halfintHToUs, halfintHToUsKernel),
	unary("halfintIToH", 2, halfintIToH, halfintIToHKernel),
	unary("halfintUToH", 2, halfintUToH, halfintUToHKernel),
	unary("halfintWideLToH", 1, halfintWideLToH, halfintWideLToHKernel),
	unary("halfintWideUlToH", 1, halfintWideUlToH, halfintWideUlToHKernel),
	unary("halfintSToH", 1, halfintSToH, halfintSToHKernel),
	unary("halfintUsToH", 1, halfintUsToH, halfintUsToHKernel),
	unary("halfmathWideHToH", 4, halfmathWideHToH, halfmathWideHToHKernel),
}
