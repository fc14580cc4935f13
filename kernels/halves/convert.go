// Package halves is the case study of The CUDA Handbook, 8.3.5: the conversion of float32 to half
// precision, step by step on the bits, as docs/halves.md explains it. Programs use
// device.Float2HalfRN, which takes fewer steps.
package halves

import (
	"context"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

//go:generate go run ../../cmd/gocuda-gen .

// The two formats of IEEE 754 (The CUDA Handbook, table 8.7): binary32 and binary16.
const (
	floatMantissa = 23  // bits
	floatBias     = 127 // of the exponent
	floatInf      = 0xff << floatMantissa
	floatSign     = 1 << 31

	halfMantissa = 10
	halfBias     = 15
	halfInf      = 0x1f << halfMantissa
	halfNaN      = 0x7fff
	halfSign     = 1 << 15

	dropped = floatMantissa - halfMantissa // bits of a float's mantissa that a normal half has no room for
)

// Where the cases of a conversion begin, as the bits of floats without their sign.
const (
	// ToZero is the largest float that becomes 0: 2^-25, halfway to the smallest half, whose
	// mantissa is odd.
	ToZero uint32 = (floatBias - 25) << floatMantissa
	// ToNormal is the smallest float that becomes a normal half by its exponent: 2^-14. Smaller
	// ones are rounded to multiples of 2^-24, which may give 2^-14 too.
	ToNormal uint32 = (floatBias - 14) << floatMantissa
	// ToInfinity is the smallest float that becomes an infinity: 65520, halfway from the largest
	// half, whose mantissa is odd, to 2^16.
	ToInfinity uint32 = (floatBias+15)<<floatMantissa | (1<<(halfMantissa+1)-1)<<(dropped-1)
)

// A Case is what a float is for the conversion.
type Case int

// The cases.
const (
	Zero     Case = iota // rounds to 0
	Denormal             // is rounded to a multiple of 2^-24
	Normal               // gets another bias, and is rounded to 11 bits
	Infinite             // rounds to an infinity, or is one
	NaN
)

// String names the case.
func (c Case) String() string {
	return [...]string{"zero", "denormal", "normal", "infinite", "NaN"}[c]
}

// CaseOf returns the case of a float by its bits.
func CaseOf(bits uint32) Case {
	switch m := bits &^ floatSign; {
	case m <= ToZero:
		return Zero
	case m < ToNormal:
		return Denormal
	case m < ToInfinity:
		return Normal
	case m <= floatInf:
		return Infinite
	}
	return NaN
}

// half converts the bits of a float.
func half(bits uint32) uint16 {
	sign := uint16(bits >> 16 & halfSign)
	m := bits &^ floatSign
	switch {
	case m > floatInf:
		return halfNaN // one for all: sign and payload are lost
	case m >= ToInfinity:
		return sign | halfInf
	case m <= ToZero:
		return sign
	case m >= ToNormal:
		m -= (floatBias - halfBias) << floatMantissa
		return sign | uint16(rounded(m, dropped))
	}
	// A denormal half counts in units of 2^-24. The leading bit, which a normal float does not
	// store, is written down, and the mantissa moves right by as much as its exponent is below that
	// of the smallest normal half.
	exponent := m >> floatMantissa
	m = m&(1<<floatMantissa-1) | 1<<floatMantissa
	return sign | uint16(rounded(m, dropped+(floatBias-halfBias+1)-exponent))
}

// rounded returns m without its lowest n bits, to nearest, and to even from the middle: a half less
// one is added before the bits are cut off, and one more if the last bit that stays is odd. A carry
// out of the mantissa goes into the exponent, which is right: what follows the largest mantissa is
// the next power of two.
func rounded(m, n uint32) uint32 {
	odd := m >> n & 1
	return (m + 1<<(n-1) - 1 + odd) >> n
}

// convert is the program of one thread.
//
//gocuda:kernel
func convert(t *gocuda.Thread, out []uint16, in []float32) {
	for i := t.GlobalX(); i < len(in); i += t.GridDim.X * t.BlockDim.X {
		out[i] = half(math.Float32bits(in[i]))
	}
}

// Convert sets out to in as half precision, rounded to nearest, to even from the middle. A NaN
// becomes 7fff.
func Convert(ctx context.Context, on kernels.Launcher, out []uint16, in []float32) error {
	if err := check.Lengths("conversion to halves", len(in), len(out)); err != nil {
		return err
	}
	cfg := grid.Linear(len(in), 256)
	cfg.Grid.X = min(cfg.Grid.X, 65535)
	return on.Launch(ctx, cfg, convertKernel(out, in))
}
