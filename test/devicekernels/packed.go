//go:build compiled

package devicekernels

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
)

// Several numbers in a word, and dynamic programming.

//gocuda:kernel
func dpxIIIToI(t *gocuda.Thread, n int, a, b, c []int32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.ViaddmaxS32(x, y, z)
	out[n+i] = device.ViaddmaxS32Relu(x, y, z)
	out[2*n+i] = device.ViaddminS32Relu(x, y, z)
	out[3*n+i] = device.Vimax3S32Relu(x, y, z)
	out[4*n+i] = device.Vimin3S32(x, y, z)
	out[5*n+i] = device.Vimin3S32Relu(x, y, z)
}

//gocuda:kernel
func dpxUUUToU(t *gocuda.Thread, n int, a, b, c []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.ViaddmaxU32(x, y, z)
	out[n+i] = device.ViaddmaxS16x2Relu(x, y, z)
	out[2*n+i] = device.ViaddmaxU16x2(x, y, z)
	out[3*n+i] = device.ViaddminS16x2Relu(x, y, z)
	out[4*n+i] = device.Vimin3U32(x, y, z)
	out[5*n+i] = device.Vimax3S16x2Relu(x, y, z)
	out[6*n+i] = device.Vimin3S16x2Relu(x, y, z)
	out[7*n+i] = device.Vimin3U16x2(x, y, z)
}

//gocuda:kernel
func dpxIIToIB(t *gocuda.Thread, n int, a, b []int32, out1 []int32, out2 []bool) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out1[i], out2[i] = device.VibmaxS32(x, y)
	out1[n+i], out2[n+i] = device.VibminS32(x, y)
}

//gocuda:kernel
func dpxUUToUB(t *gocuda.Thread, n int, a, b []uint32, out1 []uint32, out2 []bool) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out1[i], out2[i], out2[n+i] = device.VibmaxS16x2(x, y)
	out1[n+i], out2[2*n+i], out2[3*n+i] = device.VibminS16x2(x, y)
}

//gocuda:kernel
func simdUToU(t *gocuda.Thread, n int, a []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x := a[i]
	out[i] = device.Vabs4(x)
	out[n+i] = device.Vabsss4(x)
	out[2*n+i] = device.Vneg4(x)
	out[3*n+i] = device.Vnegss4(x)
}

//gocuda:kernel
func simdUUToU(t *gocuda.Thread, n int, a, b []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Vadd4(x, y)
	out[n+i] = device.Vaddss4(x, y)
	out[2*n+i] = device.Vaddus4(x, y)
	out[3*n+i] = device.Vsub4(x, y)
	out[4*n+i] = device.Vsubss4(x, y)
	out[5*n+i] = device.Vsubus4(x, y)
	out[6*n+i] = device.Vabsdiffs4(x, y)
	out[7*n+i] = device.Vabsdiffu4(x, y)
	out[8*n+i] = device.Vavgs4(x, y)
	out[9*n+i] = device.Vavgu4(x, y)
	out[10*n+i] = device.Vhaddu4(x, y)
	out[11*n+i] = device.Vmaxs4(x, y)
	out[12*n+i] = device.Vmaxu4(x, y)
	out[13*n+i] = device.Vmins4(x, y)
	out[14*n+i] = device.Vminu4(x, y)
	out[15*n+i] = device.Vsads4(x, y)
	out[16*n+i] = device.Vsadu4(x, y)
	out[17*n+i] = device.Vcmpeq4(x, y)
	out[18*n+i] = device.Vcmpgtu4(x, y)
	out[19*n+i] = device.Vseteq4(x, y)
}

var packedCases = []Case{
	ternary("dpxIIIToI", 6, dpxIIIToI, dpxIIIToIKernel),
	ternary("dpxUUUToU", 8, dpxUUUToU, dpxUUUToUKernel),
	binaryTwo("dpxIIToIB", 2, 2, dpxIIToIB, dpxIIToIBKernel),
	binaryTwo("dpxUUToUB", 2, 4, dpxUUToUB, dpxUUToUBKernel),
	unary("simdUToU", 4, simdUToU, simdUToUKernel),
	binary("simdUUToU", 20, simdUUToU, simdUUToUKernel),
}
