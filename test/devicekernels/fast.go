//go:build compiled

package devicekernels

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
)

// The fast forms and the exact ones that they stand for, each in a kernel of its own, which the
// benchmark compares.

//gocuda:kernel
func oneFastSinf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.FastSinf(in[i])
}

//gocuda:kernel
func oneSinf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Sinf(in[i])
}

//gocuda:kernel
func oneFastCosf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.FastCosf(in[i])
}

//gocuda:kernel
func oneCosf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Cosf(in[i])
}

//gocuda:kernel
func oneFastTanf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.FastTanf(in[i])
}

//gocuda:kernel
func oneTanf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Tanf(in[i])
}

//gocuda:kernel
func oneFastExpf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.FastExpf(in[i])
}

//gocuda:kernel
func oneExpf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Expf(in[i])
}

//gocuda:kernel
func oneFastExp10f(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.FastExp10f(in[i])
}

//gocuda:kernel
func oneExp10f(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Exp10f(in[i])
}

//gocuda:kernel
func oneEx2Approxf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Ex2Approxf(in[i])
}

//gocuda:kernel
func oneExp2f(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Exp2f(in[i])
}

//gocuda:kernel
func oneFastLogf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.FastLogf(in[i])
}

//gocuda:kernel
func oneLogf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Logf(in[i])
}

//gocuda:kernel
func oneFastLog2f(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.FastLog2f(in[i])
}

//gocuda:kernel
func oneLog2f(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Log2f(in[i])
}

//gocuda:kernel
func oneFastLog10f(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.FastLog10f(in[i])
}

//gocuda:kernel
func oneLog10f(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Log10f(in[i])
}

//gocuda:kernel
func oneRsqrtApproxf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.RsqrtApproxf(in[i])
}

//gocuda:kernel
func oneRsqrtf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Rsqrtf(in[i])
}

//gocuda:kernel
func oneTanhApproxf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.TanhApproxf(in[i])
}

//gocuda:kernel
func oneTanhf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Tanhf(in[i])
}

//gocuda:kernel
func oneFastPowf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.FastPowf(in[i], 0.75)
}

//gocuda:kernel
func onePowf(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Powf(in[i], 0.75)
}

//gocuda:kernel
func oneFdividef(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.Fdividef(in[i], 0.75)
}

//gocuda:kernel
func oneFdivRN(t *gocuda.Thread, in, out []float32) {
	i := t.GlobalX()
	out[i] = device.FdivRN(in[i], 0.75)
}

var fastCases = []Case{
	one("FastSinf", oneFastSinf, oneFastSinfKernel),
	one("Sinf", oneSinf, oneSinfKernel),
	one("FastCosf", oneFastCosf, oneFastCosfKernel),
	one("Cosf", oneCosf, oneCosfKernel),
	one("FastTanf", oneFastTanf, oneFastTanfKernel),
	one("Tanf", oneTanf, oneTanfKernel),
	one("FastExpf", oneFastExpf, oneFastExpfKernel),
	one("Expf", oneExpf, oneExpfKernel),
	one("FastExp10f", oneFastExp10f, oneFastExp10fKernel),
	one("Exp10f", oneExp10f, oneExp10fKernel),
	one("Ex2Approxf", oneEx2Approxf, oneEx2ApproxfKernel),
	one("Exp2f", oneExp2f, oneExp2fKernel),
	one("FastLogf", oneFastLogf, oneFastLogfKernel),
	one("Logf", oneLogf, oneLogfKernel),
	one("FastLog2f", oneFastLog2f, oneFastLog2fKernel),
	one("Log2f", oneLog2f, oneLog2fKernel),
	one("FastLog10f", oneFastLog10f, oneFastLog10fKernel),
	one("Log10f", oneLog10f, oneLog10fKernel),
	one("RsqrtApproxf", oneRsqrtApproxf, oneRsqrtApproxfKernel),
	one("Rsqrtf", oneRsqrtf, oneRsqrtfKernel),
	one("TanhApproxf", oneTanhApproxf, oneTanhApproxfKernel),
	one("Tanhf", oneTanhf, oneTanhfKernel),
	one("FastPowf", oneFastPowf, oneFastPowfKernel),
	one("Powf", onePowf, onePowfKernel),
	one("Fdividef", oneFdividef, oneFdividefKernel),
	one("FdivRN", oneFdivRN, oneFdivRNKernel),
}

// fastPairs is the kernels of each fast function, and of the exact one that it stands for.
var fastPairs = []struct {
	name        string
	fast, exact func(in, out []float32) gocuda.Kernel
}{
	{"FastSinf", oneFastSinfKernel, oneSinfKernel},
	{"FastCosf", oneFastCosfKernel, oneCosfKernel},
	{"FastTanf", oneFastTanfKernel, oneTanfKernel},
	{"FastExpf", oneFastExpfKernel, oneExpfKernel},
	{"FastExp10f", oneFastExp10fKernel, oneExp10fKernel},
	{"Ex2Approxf", oneEx2ApproxfKernel, oneExp2fKernel},
	{"FastLogf", oneFastLogfKernel, oneLogfKernel},
	{"FastLog2f", oneFastLog2fKernel, oneLog2fKernel},
	{"FastLog10f", oneFastLog10fKernel, oneLog10fKernel},
	{"RsqrtApproxf", oneRsqrtApproxfKernel, oneRsqrtfKernel},
	{"TanhApproxf", oneTanhApproxfKernel, oneTanhfKernel},
	{"FastPowf", oneFastPowfKernel, onePowfKernel},
	{"Fdividef", oneFdividefKernel, oneFdivRNKernel},
}
