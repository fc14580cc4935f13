//go:build compiled

package corpus

import (
	"math"
	"math/bits"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
)

// Functions of packages math and math/bits, each in a kernel of its own, so that a test can go
// through the numbers that they take.

//gocuda:kernel
func fnExp(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Exp(in[i])
	}
}

//gocuda:kernel
func fnExp2(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Exp2(in[i])
	}
}

//gocuda:kernel
func fnLog(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Log(in[i])
	}
}

//gocuda:kernel
func fnLog2(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Log2(in[i])
	}
}

//gocuda:kernel
func fnLog10(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Log10(in[i])
	}
}

//gocuda:kernel
func fnSin(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Sin(in[i])
	}
}

//gocuda:kernel
func fnCos(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Cos(in[i])
	}
}

//gocuda:kernel
func fnTan(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Tan(in[i])
	}
}

//gocuda:kernel
func fnTanh(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Tanh(in[i])
	}
}

//gocuda:kernel
func fnSinh(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Sinh(in[i])
	}
}

//gocuda:kernel
func fnCosh(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Cosh(in[i])
	}
}

//gocuda:kernel
func fnAtan(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Atan(in[i])
	}
}

//gocuda:kernel
func fnAsin(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Asin(in[i])
	}
}

//gocuda:kernel
func fnAcos(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Acos(in[i])
	}
}

//gocuda:kernel
func fnErf(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Erf(in[i])
	}
}

//gocuda:kernel
func fnErfc(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Erfc(in[i])
	}
}

//gocuda:kernel
func fnLog1p(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Log1p(in[i])
	}
}

//gocuda:kernel
func fnExpm1(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Expm1(in[i])
	}
}

//gocuda:kernel
func fnCbrt(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Cbrt(in[i])
	}
}

// A power that is no whole number.
//
//gocuda:kernel
func fnGamma24(t *gocuda.Thread, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Pow(in[i], 2.4)
	}
}

// The other operand is a number some places further.
//
//gocuda:kernel
func fnAtan2(t *gocuda.Thread, by int, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Atan2(in[i], in[(i+by)%len(in)])
	}
}

//gocuda:kernel
func fnHypot(t *gocuda.Thread, by int, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Hypot(in[i], in[(i+by)%len(in)])
	}
}

//gocuda:kernel
func fnPow(t *gocuda.Thread, by int, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Pow(in[i], in[(i+by)%len(in)])
	}
}

//gocuda:kernel
func fnMod(t *gocuda.Thread, by int, in, out []float64) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = math.Mod(in[i], in[(i+by)%len(in)])
	}
}

//gocuda:kernel fastmath
func fnExpf(t *gocuda.Thread, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Exp(float64(in[i])))
	}
}

//gocuda:kernel fastmath
func fnExp2f(t *gocuda.Thread, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Exp2(float64(in[i])))
	}
}

//gocuda:kernel fastmath
func fnLogf(t *gocuda.Thread, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Log(float64(in[i])))
	}
}

//gocuda:kernel fastmath
func fnLog2f(t *gocuda.Thread, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Log2(float64(in[i])))
	}
}

//gocuda:kernel fastmath
func fnLog10f(t *gocuda.Thread, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Log10(float64(in[i])))
	}
}

//gocuda:kernel fastmath
func fnSinf(t *gocuda.Thread, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Sin(float64(in[i])))
	}
}

//gocuda:kernel fastmath
func fnCosf(t *gocuda.Thread, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Cos(float64(in[i])))
	}
}

//gocuda:kernel fastmath
func fnTanf(t *gocuda.Thread, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Tan(float64(in[i])))
	}
}

//gocuda:kernel fastmath
func fnTanhf(t *gocuda.Thread, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Tanh(float64(in[i])))
	}
}

//gocuda:kernel fastmath
func fnEstimates(t *gocuda.Thread, x, y, quotient, root, reciprocal, both, rsqrt, exact, tenth []float32) {
	if i := t.GlobalX(); i < len(x) {
		quotient[i] = x[i] / y[i]
		root[i] = float32(math.Sqrt(float64(y[i])))
		reciprocal[i] = 1 / y[i]
		both[i] = x[i] / float32(math.Sqrt(float64(y[i])))
		rsqrt[i] = device.Rsqrtf(y[i])
		exact[i] = x[i] / float32(y[i])
		tenth[i] = x[i] / 0.1
	}
}

//gocuda:kernel fastmath
func fnErff(t *gocuda.Thread, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Erf(float64(in[i])))
	}
}

//gocuda:kernel fastmath
func fnErfcf(t *gocuda.Thread, in, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Erfc(float64(in[i])))
	}
}

//gocuda:kernel fastmath
func fnPowf(t *gocuda.Thread, x, y, out []float32) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = float32(math.Pow(float64(x[i]), float64(y[i])))
	}
}

// Powers by constants.
//
//gocuda:kernel
func fnPowers(t *gocuda.Thread, in, square, cube, seventh, root, inverse []float64) {
	if i := t.GlobalX(); i < len(square) {
		x := in[i]
		square[i] = math.Pow(x, 2)
		cube[i] = math.Pow(x, 3)
		seventh[i] = math.Pow(x, 7)
		root[i] = math.Pow(x, 0.5)
		inverse[i] = math.Pow(x, -3)
	}
}

//gocuda:kernel
func fnRoots(t *gocuda.Thread, in, root []float64) {
	if i := t.GlobalX(); i < len(root) {
		root[i] = math.Pow(in[i], 0.5)
	}
}

//gocuda:kernel fastmath
func fnFewPowers(t *gocuda.Thread, in, square, fourth, inverse, root []float32) {
	if i := t.GlobalX(); i < len(square) {
		x := float64(in[i])
		square[i] = float32(math.Pow(x, 2))
		fourth[i] = float32(math.Pow(x, 4))
		inverse[i] = float32(math.Pow(x, -1))
		root[i] = float32(math.Pow(x, -0.5))
	}
}

// What package math does with pairs of numbers, and what it answers about them.
//
//gocuda:kernel
func fnPairs(t *gocuda.Thread, x, y, larger, smaller, signed, fused []float64, kinds []int32) {
	if i := t.GlobalX(); i < len(larger) {
		a, b := x[i], y[i]
		larger[i] = math.Max(a, b)
		smaller[i] = math.Min(a, b)
		signed[i] = math.Copysign(a, b)
		fused[i] = math.FMA(a, b, a)
		k := int32(0)
		if math.IsNaN(a) {
			k |= 1
		}
		if math.IsInf(a, 0) {
			k |= 2
		}
		if math.IsInf(a, 1) {
			k |= 4
		}
		if math.IsInf(a, -1) {
			k |= 8
		}
		if math.Signbit(a) {
			k |= 16
		}
		kinds[i] = k
	}
}

// The bits of words, and of double words.
//
//gocuda:kernel
func fnBits(t *gocuda.Thread, in []uint32, by []int32, counts []int32, mirrored, swapped, turned, turnedBy []uint32) {
	if i := t.GlobalX(); i < len(counts) {
		x := in[i]
		counts[i] = int32(bits.OnesCount32(x)) + 100*int32(bits.LeadingZeros32(x)) + 10000*int32(bits.TrailingZeros32(x)) + 1000000*int32(bits.Len32(x))
		mirrored[i] = bits.Reverse32(x)
		swapped[i] = bits.ReverseBytes32(x)
		turned[i] = bits.RotateLeft32(x, -13)
		turnedBy[i] = bits.RotateLeft32(x, int(by[i]))
	}
}

//gocuda:kernel
func fnBits64(t *gocuda.Thread, in []uint64, counts []int64, mirrored, swapped, turned []uint64) {
	if i := t.GlobalX(); i < len(counts) {
		x := in[i]
		counts[i] = int64(bits.OnesCount64(x)) + 100*int64(bits.LeadingZeros64(x)) + 10000*int64(bits.TrailingZeros64(x)) + 1000000*int64(bits.Len64(x))
		mirrored[i] = bits.Reverse64(x)
		swapped[i] = bits.ReverseBytes64(x)
		turned[i] = bits.RotateLeft64(x, 29)
	}
}
