//go:build compiled

package corpus

import (
	"math"
	"math/cmplx"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Complex numbers, with infinities and NaN among them.

// cxNumbers returns complex numbers whose parts are hard for floating point now and then.
func cxNumbers(n int) []complex128 {
	list, parts := make([]complex128, n), special[float64](2*n)
	for i := range list {
		list[i] = complex(parts[2*i], parts[2*i+1])
		if hash(i)%3 > 0 {
			list[i] = complex(float64(hash(i)%2001)/100-10, float64(hash(i+n)%2001)/100-10)
		}
	}
	return list
}

// cxPlain is cxNumbers without numbers that are hard.
func cxPlain(n int) []complex128 {
	list := make([]complex128, n)
	for i := range list {
		list[i] = complex(float64(hash(i)%2001)/1000-1, float64(hash(i+n)%2001)/1000-1)
	}
	return list
}

//gocuda:kernel
func cxOperators(t *gocuda.Thread, in, out []complex128) {
	i := t.GlobalX()
	a, b := in[i], in[(i+7)%len(in)]
	s, d, p := a+b, a-b, a*b
	switch {
	case a == b:
		s = -s
	case a != b && p == p:
		d *= 2i
	}
	s += p
	s++
	out[i] = s - d*complex(0.5, 1) + (+p)
}

//gocuda:kernel
func cxQuotients(t *gocuda.Thread, in, out []complex128) {
	i := t.GlobalX()
	q := in[i] / in[(i+5)%len(in)]
	q /= 3 - 4i
	out[i] = q + 1/in[(i+9)%len(in)]
}

// In complex64, products and quotients are computed in float64.
//
//gocuda:kernel
func cxSingles(t *gocuda.Thread, in []complex128, out []complex64) {
	i := t.GlobalX()
	a, b := complex64(in[i]), complex64(in[(i+3)%len(in)])
	a *= b
	out[i] = a + b/complex64(in[(i+4)%len(in)]) - complex(real(b), 1)*a
}

//gocuda:kernel
func cxFunctions(t *gocuda.Thread, in, out []complex128) {
	i := t.GlobalX()
	z := in[i]
	r, angle := cmplx.Abs(z), cmplx.Phase(z)
	out[i] = cmplx.Exp(z) + cmplx.Rect(r, angle) - cmplx.Conj(z)*complex(r, 0)
}

// Functions that vectors don't have.
//
//gocuda:kernel
func cxOthers(t *gocuda.Thread, in, out []complex128) {
	i := t.GlobalX()
	r, angle := cmplx.Polar(in[i])
	out[i] = cmplx.Sqrt(in[i]) + cmplx.Pow(in[i], 2)*complex(r, angle)
	if cmplx.IsNaN(out[i]) || cmplx.IsInf(out[i]) {
		out[i] = cmplx.Inf() * 2
	}
}

func cxEscapes(z, c complex128, limit int) (n int) {
	for n < limit && cmplx.Abs(z) <= 2 {
		z = z*z + c
		n++
	}
	return n
}

//gocuda:kernel
func cxJulia(t *gocuda.Thread, in, out []complex128) {
	i := t.GlobalX()
	n := cxEscapes(in[i]*2, complex(-0.4, 0.6), 50)
	out[i] = complex(float64(n), float64(n%7))
}

// Roots of z^3 = 1 by Newton's method.
//
//gocuda:kernel
func cxNewton(t *gocuda.Thread, in, out []complex128) {
	i := t.GlobalX()
	z := in[i]
	for range 12 {
		z -= (z*z*z - 1) / (3 * z * z)
	}
	out[i] = z
}

//gocuda:kernel
func cxDFT(t *gocuda.Thread, in, out []complex128) {
	k, n := t.GlobalX(), 16
	base := k / n * n
	var sum complex128
	for j := range n {
		sum += in[base+j] * cmplx.Exp(complex(0, -2*math.Pi*float64(j*(k%n))/float64(n)))
	}
	out[k] = sum
}

type cxWave struct {
	Amplitude complex64
	Frequency float32
}

func (w cxWave) at(x float32) complex64 { return w.Amplitude * complex(x*w.Frequency, 1) }

// Complex numbers in structs, in arrays of a thread's own, and across barriers.
//
//gocuda:kernel
func cxWaves(t *gocuda.Thread, in, out []complex128) {
	i, tid := t.GlobalX(), t.ThreadIdx.X
	tile := gocuda.Shared[complex64](t, t.BlockDim.X)
	waves := [3]cxWave{{1, 2}, {complex(0, 1), 3}, {complex64(in[i]), 1}}
	kept := in[i] * 2
	var own [4]complex64
	for k := range own {
		own[k] = waves[k%3].at(float32(k))
	}
	tile[tid] = own[0] + own[1] + own[2]*own[3]
	t.SyncThreads()
	other := tile[t.BlockDim.X-1-tid]
	t.SyncThreads()
	out[i] = kept + complex128(other)
}

// The operators are the type argument's.
func cxSquares[T complex64 | complex128](t *gocuda.Thread, in []complex128, out []T) {
	i := t.GlobalX()
	z := T(in[i])
	for range 3 {
		z = z*z - T(in[(i+1)%len(in)])
	}
	out[i] = z
}

//gocuda:kernel
func cxSquares64(t *gocuda.Thread, in []complex128, out []complex64) { cxSquares(t, in, out) }

//gocuda:kernel
func cxSquares128(t *gocuda.Thread, in, out []complex128) { cxSquares(t, in, out) }

//gocuda:kernel
func cxAxpy(t *gocuda.Thread, a complex128, x, y []complex128) {
	if i := t.GlobalX(); i < len(x) {
		y[i] += a * x[i]
		y[i] = complex(imag(y[i]), real(y[i]))
	}
}

// Steps of a Fourier transform in shared memory.
//
//gocuda:kernel
func cxTransform(t *gocuda.Thread, in, out []complex128) {
	tid, n := t.ThreadIdx.X, t.BlockDim.X
	x := gocuda.Shared[complex128](t, n)
	x[tid] = in[t.GlobalX()]
	t.SyncThreads()
	for half := 1; half < n && n%(2*half) == 0; half *= 2 {
		if tid < n/2 {
			j := tid/half*2*half + tid%half
			a, b := x[j], x[j+half]*cmplx.Rect(1, math.Pi*float64(tid%half)/float64(half))
			x[j], x[j+half] = a+b, a-b
		}
		t.SyncThreads()
	}
	out[t.GlobalX()] = x[tid]
}

var cxCases = []Case{
	perThreadOf("cxOperators", linear, cxNumbers, cxOperators, cxOperatorsKernel, nil),
	perThreadOf("cxOperators of plain numbers", linear, cxPlain, cxOperators, cxOperatorsKernel, nil),
	perThreadOf("cxQuotients", linear, cxNumbers, cxQuotients, cxQuotientsKernel, nil),
	perThreadOf("cxQuotients of plain numbers", linear, cxPlain, cxQuotients, cxQuotientsKernel, nil),
	perThreadOf("cxSingles", linear, cxNumbers, cxSingles, cxSinglesKernel, nil),
	perThreadOf("cxSingles of plain numbers", linear, cxPlain, cxSingles, cxSinglesKernel, nil),
	perThreadOf("cxConstants", linear, cxPlain, cxConstants, cxConstantsKernel, nil),
	perThreadOf("cxFunctions", linear, cxNumbers, cxFunctions, cxFunctionsKernel, nil),
	perThreadOf("cxFunctions of plain numbers", linear, cxPlain, cxFunctions, cxFunctionsKernel, nil),
	perThreadOf("cxOthers", linear, cxNumbers, cxOthers, cxOthersKernel, nil),
	perThreadOf("cxJulia", linear, cxPlain, cxJulia, cxJuliaKernel, nil),
	perThreadOf("cxNewton", linear, cxNumbers, cxNewton, cxNewtonKernel, nil),
	perThreadOf("cxNewton of plain numbers", linear, cxPlain, cxNewton, cxNewtonKernel, nil),
	perThreadOf("cxDFT", line16(), cxPlain, cxDFT, cxDFTKernel, nil),
	perThreadOf("cxWaves", linear, cxPlain, cxWaves, cxWavesKernel, nil),
	perThreadOf("cxSquares64", linear, cxNumbers, cxSquares64, cxSquares64Kernel, nil),
	perThreadOf("cxSquares128", linear, cxPlain, cxSquares128, cxSquares128Kernel, nil),
	perThreadOf("cxTransform", linear, cxPlain, cxTransform, cxTransformKernel, nil),
	perThreadOf("cxAxpy", linear, cxNumbers,
		func(t *gocuda.Thread, in, out []complex128) { cxAxpy(t, 2-1i, in, out) },
		func(in, out []complex128) gocuda.Kernel { return cxAxpyKernel(2-1i, in, out) },
		func(_ grid.Config, in, out []complex128) {
			for i, x := range in {
				z := out[i] + (2-1i)*x
				out[i] = complex(imag(z), real(z))
			}
		}),
}

// line16 is a launch of blocks of 16 threads.
func line16() []grid.Config {
	return []grid.Config{{Grid: grid.Dim3{X: 9}, Block: grid.Dim3{X: 16}}}
}

// Constants are rounded as complex64, also where they are expressions.
//
//gocuda:kernel
func cxConstants(t *gocuda.Thread, in []complex128, out []complex64) {
	i := t.GlobalX()
	a := complex64(in[i])
	a = a*(0.1+0.7i) + a/(0.3-0.1i)
	out[i] = a*complex(0.1, 1.0/3) - complex64(in[(i+1)%len(in)])*(0.2i)
}
