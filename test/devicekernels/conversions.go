//go:build compiled

package devicekernels

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
)

// Conversions and bit casts.

//gocuda:kernel
func castFToI(t *gocuda.Thread, n int, a []float32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.FloatAsInt(x)
}

//gocuda:kernel
func castFToU(t *gocuda.Thread, n int, a []float32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.FloatAsUint(x)
}

//gocuda:kernel
func castIToF(t *gocuda.Thread, n int, a []int32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.IntAsFloat(x)
}

//gocuda:kernel
func castUToF(t *gocuda.Thread, n int, a []uint32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.UintAsFloat(x)
}

//gocuda:kernel
func castDToL(t *gocuda.Thread, n int, a []float64, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.DoubleAsLonglong(x)
}

//gocuda:kernel
func castLToD(t *gocuda.Thread, n int, a []int64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.LonglongAsDouble(x)
}

//gocuda:kernel
func castWideDToI(t *gocuda.Thread, n int, a []float64, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Double2Hiint(x)
	out[n+i] = device.Double2Loint(x)
}

//gocuda:kernel
func castWideIIToD(t *gocuda.Thread, n int, a, b []int32, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Hiloint2Double(x, y)
}

//gocuda:kernel
func convertFToI(t *gocuda.Thread, n int, a []float32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Float2IntRN(x)
	out[n+i] = device.Float2IntRZ(x)
	out[2*n+i] = device.Float2IntRU(x)
	out[3*n+i] = device.Float2IntRD(x)
}

//gocuda:kernel
func convertFToU(t *gocuda.Thread, n int, a []float32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Float2UintRN(x)
	out[n+i] = device.Float2UintRZ(x)
	out[2*n+i] = device.Float2UintRU(x)
	out[3*n+i] = device.Float2UintRD(x)
}

//gocuda:kernel
func convertWideFToL(t *gocuda.Thread, n int, a []float32, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Float2LLRZ(x)
}

//gocuda:kernel
func convertWideFToUl(t *gocuda.Thread, n int, a []float32, out []uint64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Float2ULLRZ(x)
}

//gocuda:kernel
func convertWideDToI(t *gocuda.Thread, n int, a []float64, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Double2IntRN(x)
	out[n+i] = device.Double2IntRZ(x)
	out[2*n+i] = device.Double2IntRU(x)
	out[3*n+i] = device.Double2IntRD(x)
}

//gocuda:kernel
func convertWideDToU(t *gocuda.Thread, n int, a []float64, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Double2UintRN(x)
	out[n+i] = device.Double2UintRZ(x)
	out[2*n+i] = device.Double2UintRU(x)
	out[3*n+i] = device.Double2UintRD(x)
}

//gocuda:kernel
func convertDToL(t *gocuda.Thread, n int, a []float64, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Double2LLRZ(x)
}

//gocuda:kernel
func convertDToUl(t *gocuda.Thread, n int, a []float64, out []uint64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Double2ULLRZ(x)
}

//gocuda:kernel
func convertIToF(t *gocuda.Thread, n int, a []int32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Int2FloatRN(x)
}

//gocuda:kernel
func convertWideIToF(t *gocuda.Thread, n int, a []int32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Int2FloatRZ(x)
	out[n+i] = device.Int2FloatRU(x)
	out[2*n+i] = device.Int2FloatRD(x)
}

//gocuda:kernel
func convertUToF(t *gocuda.Thread, n int, a []uint32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Uint2FloatRN(x)
}

//gocuda:kernel
func convertWideUToF(t *gocuda.Thread, n int, a []uint32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Uint2FloatRZ(x)
	out[n+i] = device.Uint2FloatRU(x)
	out[2*n+i] = device.Uint2FloatRD(x)
}

//gocuda:kernel
func convertWideLToF(t *gocuda.Thread, n int, a []int64, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.LL2FloatRZ(x)
}

//gocuda:kernel
func convertWideUlToF(t *gocuda.Thread, n int, a []uint64, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.ULL2FloatRZ(x)
}

//gocuda:kernel
func convertWideIToD(t *gocuda.Thread, n int, a []int32, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Int2DoubleRN(x)
}

//gocuda:kernel
func convertWideUToD(t *gocuda.Thread, n int, a []uint32, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Uint2DoubleRN(x)
}

//gocuda:kernel
func convertLToD(t *gocuda.Thread, n int, a []int64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.LL2DoubleRZ(x)
}

//gocuda:kernel
func convertUlToD(t *gocuda.Thread, n int, a []uint64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.ULL2DoubleRZ(x)
}

//gocuda:kernel
func convertWideDToF(t *gocuda.Thread, n int, a []float64, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Double2FloatRN(x)
	out[n+i] = device.Double2FloatRZ(x)
	out[2*n+i] = device.Double2FloatRU(x)
	out[3*n+i] = device.Double2FloatRD(x)
}

var conversionsCases = []Case{
	unary("castFToI", 1, castFToI, castFToIKernel),
	unary("castFToU", 1, castFToU, castFToUKernel),
	unary("castIToF", 1, castIToF, castIToFKernel),
	unary("castUToF", 1, castUToF, castUToFKernel),
	unary("castDToL", 1, castDToL, castDToLKernel),
	unary("castLToD", 1, castLToD, castLToDKernel),
	unary("castWideDToI", 2, castWideDToI, castWideDToIKernel),
	binary("castWideIIToD", 1, castWideIIToD, castWideIIToDKernel),
	unary("convertFToI", 4, convertFToI, convertFToIKernel),
	unary("convertFToU", 4, convertFToU, convertFToUKernel),
	unary("convertWideFToL", 1, convertWideFToL, convertWideFToLKernel),
	unary("convertWideFToUl", 1, convertWideFToUl, convertWideFToUlKernel),
	unary("convertWideDToI", 4, convertWideDToI, convertWideDToIKernel),
	unary("convertWideDToU", 4, convertWideDToU, convertWideDToUKernel),
	unary("convertDToL", 1, convertDToL, convertDToLKernel),
	unary("convertDToUl", 1, convertDToUl, convertDToUlKernel),
	unary("convertIToF", 1, convertIToF, convertIToFKernel),
	unary("convertWideIToF", 3, convertWideIToF, convertWideIToFKernel),
	unary("convertUToF", 1, convertUToF, convertUToFKernel),
	unary("convertWideUToF", 3, convertWideUToF, convertWideUToFKernel),
	unary("convertWideLToF", 1, convertWideLToF, convertWideLToFKernel),
	unary("convertWideUlToF", 1, convertWideUlToF, convertWideUlToFKernel),
	unary("convertWideIToD", 1, convertWideIToD, convertWideIToDKernel),
	unary("convertWideUToD", 1, convertWideUToD, convertWideUToDKernel),
	unary("convertLToD", 1, convertLToD, convertLToDKernel),
	unary("convertUlToD", 1, convertUlToD, convertUlToDKernel),
	unary("convertWideDToF", 4, convertWideDToF, convertWideDToFKernel),
}
