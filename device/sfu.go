package device

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// A model, for teaching, of the special function unit of the GeForce 8: tables, and quadratic
// interpolation in integers. Fast programs want fast.go.
//
// What is known is from S. Oberman and M. Siu, "A High-Performance Area-Efficient Multifunction
// Interpolator", ARITH-17, 2005, and E. Lindholm, J. Nickolls, S. Oberman and J. Montrym, "NVIDIA
// Tesla: A Unified Graphics and Computing Architecture", IEEE Micro 28(2), 2008: the method, the
// numbers of entries (128 for 1/x, twice 64 for 1/sqrt(x), 64 for the others), the bits of the
// coefficients (26, 16 and 10; for the sine 26, 15 and 11), and the good bits. The tables have
// 22.75 Kbit. The coefficients themselves were not published. Those here are fits of our own
// (internal/gen/sfu.go), so results are as good as the unit's, and not the same bits.
//
// Not known either, and chosen here: where the binary points are (each word uses its bits for the
// largest coefficient of its table), how far the square is truncated (to 2^-30), that the sum is
// rounded to nearest, and the constant of the range reduction. That the reduction of sines cuts off
// at 2^-23 of a quarter turn is a guess with a reason: 2^-23 pi/2 and the table's 2^-22.47 make
// 2^-21.41, which is CUDA's bound for __sinf.
//
// Subnormal operands count as zeros of their sign and subnormal results become zeros too, as on
// that hardware and in PTX's .approx.ftz.f32.

// SFUOp is a function of the special function unit.
type SFUOp uint8

// The functions, with the instruction of PTX that each stands for.
const (
	SFUOpRcp   SFUOp = iota // 1/x, rcp.approx.ftz.f32
	SFUOpRsqrt              // 1/sqrt(x), rsqrt.approx.ftz.f32
	SFUOpEx2                // 2^x, ex2.approx.ftz.f32
	SFUOpLg2                // log2(x), lg2.approx.ftz.f32
	SFUOpSin                // the sine of x radians, sin.approx.ftz.f32
	SFUOpCos                // the cosine of x radians, cos.approx.ftz.f32
)

// String returns the name of the instruction: "rcp" and so on.
func (op SFUOp) String() string {
	if op > SFUOpCos {
		return fmt.Sprintf("SFUOp(%d)", uint8(op))
	}
	return [...]string{"rcp", "rsqrt", "ex2", "lg2", "sin", "cos"}[op]
}

// An SFUEntry is the three words of one line of a table, in the units of the table's SFUFormat.
// Signs are the same in a whole table; the unit does not store them.
type SFUEntry struct {
	C0     uint32
	C1, C2 int32
}

// An SFUFormat says how the words of a table are to be read.
type SFUFormat struct {
	IndexBits int // of the operand's fraction, that choose the entry
	LowBits   int // of the operand's fraction below them: Xl is that many bits, in units of 2^-23
	// Bits of the words without signs, and how many of them are fraction: C0 is in units of 2^-Point0.
	Width0, Width1, Width2 int
	Point0, Point1, Point2 int
}

// Fraction bits in the arithmetic of the unit.
const (
	sfuInput  = 23 // the operand
	sfuSquare = 30 // Xl^2, truncated
	sfuSum    = 41 // the sum, which is exact
)

// Format returns the format of op's table.
func (op SFUOp) Format() SFUFormat {
	switch op {
	case SFUOpRcp:
		return SFUFormat{7, 16, 26, 16, 10, 26, 16, 10}
	case SFUOpRsqrt:
		return SFUFormat{6, 17, 26, 16, 10, 26, 17, 11}
	case SFUOpEx2:
		return SFUFormat{6, 17, 26, 16, 10, 25, 15, 11}
	case SFUOpLg2:
		return SFUFormat{6, 17, 26, 16, 10, 26, 15, 10}
	}
	return SFUFormat{6, 17, 26, 15, 11, 26, 14, 10}
}

// Table returns a copy of op's table. That of SFUOpRsqrt has two halves, for significands in [1, 2)
// and [2, 4). SFUOpSin and SFUOpCos share one, of sin(pi/2 X).
func (op SFUOp) Table() []SFUEntry { return slices.Clone(op.table()) }

func (op SFUOp) table() []SFUEntry {
	switch op {
	case SFUOpRcp:
		return sfuRcp[:]
	case SFUOpRsqrt:
		return sfuRsqrt[:]
	case SFUOpEx2:
		return sfuEx2[:]
	case SFUOpLg2:
		return sfuLg2[:]
	}
	return sfuSin[:]
}

// An SFUTrace is what happens to one operand in the unit, step by step.
type SFUTrace struct {
	Op SFUOp
	X  float32
	// Special says that the result was known without a lookup: of zeros, infinities, NaN, negative
	// numbers that have no result, powers that overflow, and sines of whole quarter turns. What
	// follows is then 0.
	Special bool
	// Reduced is what the preceding instruction RRO gives, in units of 2^-23. For ex2 it is x,
	// rounded to nearest. For sin and cos it is |x| 2/pi, cut off, without multiples of four
	// quarter turns.
	Reduced int32
	// Fraction is X: the fraction of the operand's significand or of Reduced, 23 bits; for a sine
	// in a falling quarter 1 less that.
	Fraction uint32
	Index    int      // which entry: the upper bits of Fraction, for rsqrt and significands in [2, 4) plus 64
	Low      uint32   // Xl: the lower bits of Fraction
	Entry    SFUEntry // the coefficients
	Square   uint32   // Xl^2 in units of 2^-30, truncated
	// Sum is C0 + C1 Xl + C2 Xl^2 in units of 2^-41, exact. It is from 1/2 to 1 for rcp and rsqrt,
	// from 1 to 2 for ex2, and from 0 to 1 for the others.
	Sum    int64
	Result float32 // the sum, rounded to nearest, with its sign and exponent; for lg2 with the exponent added before
}

// String writes the steps, one a line.
func (s SFUTrace) String() string {
	if s.Special {
		return fmt.Sprintf("%v(%g) = %g without a lookup", s.Op, s.X, s.Result)
	}
	f := s.Op.Format()
	text := fmt.Sprintf("%v(%g), significand or fraction %#06x\n", s.Op, s.X, s.Fraction)
	switch s.Op {
	case SFUOpEx2, SFUOpSin, SFUOpCos:
		text = fmt.Sprintf("%v(%g), reduced to %d + %#06x/2^23\n", s.Op, s.X, s.Reduced>>sfuInput, s.Reduced&(1<<sfuInput-1))
	}
	scaled := func(n int64, fraction int) float64 { return math.Ldexp(float64(n), -fraction) }
	return text +
		fmt.Sprintf("entry %d: C0 = %.9f, C1 = %.6f, C2 = %.4f\n", s.Index, scaled(int64(s.Entry.C0), f.Point0),
			scaled(int64(s.Entry.C1), f.Point1), scaled(int64(s.Entry.C2), f.Point2)) +
		fmt.Sprintf("Xl = %#05x/2^23 = %.9f, Xl^2 = %.12f\n", s.Low, scaled(int64(s.Low), sfuInput), scaled(int64(s.Square), sfuSquare)) +
		fmt.Sprintf("sum %.12f\n", scaled(s.Sum, sfuSum)) +
		fmt.Sprintf("result %.9g", s.Result)
}

// lookup does what all functions have in common: the table, the square, and the sum. upper is added
// to the index.
func (s *SFUTrace) lookup(fraction uint32, upper int) {
	f := s.Op.Format()
	s.Fraction = fraction
	s.Index = int(fraction>>f.LowBits) + upper
	s.Low = fraction & (1<<f.LowBits - 1)
	s.Entry = s.Op.table()[s.Index]
	s.Square = uint32(uint64(s.Low) * uint64(s.Low) >> (2*sfuInput - sfuSquare))
	s.Sum = int64(s.Entry.C0)<<(sfuSum-f.Point0) +
		int64(s.Entry.C1)*int64(s.Low)<<(sfuSum-sfuInput-f.Point1) +
		int64(s.Entry.C2)*int64(s.Square)<<(sfuSum-sfuSquare-f.Point2)
}

// SFUEvaluate sends x through the model of the special function unit, as PTX's approx instructions
// do, and returns all steps. It panics if op is none of the constants.
//
//go:noinline
func SFUEvaluate(op SFUOp, x float32) SFUTrace {
	b := math.Float32bits(x)
	if b&0x7f800000 == 0 {
		b &= 1 << 31 // subnormal
	}
	negative, zero := b>>31 != 0, b<<1 == 0
	infinite, nan := b<<1 == 0xff000000, b<<1 > 0xff000000
	sign := b & (1 << 31)
	exponent := int32(b>>23&0xff) - 127
	fraction := b & (1<<sfuInput - 1)

	s := SFUTrace{Op: op, X: x}
	special := func(y float32) SFUTrace { return SFUTrace{Op: op, X: x, Special: true, Result: y} }
	inf := float32(math.Inf(1))
	if nan {
		return special(float32(math.NaN()))
	}
	switch op {
	case SFUOpRcp:
		switch {
		case zero:
			return special(math.Float32frombits(sign | 0x7f800000))
		case infinite:
			return special(math.Float32frombits(sign))
		}
		s.lookup(fraction, 0)
		s.Result = math.Float32frombits(sign | sfuPack(s.Sum, -exponent))
	case SFUOpRsqrt:
		switch {
		case zero:
			return special(math.Float32frombits(sign | 0x7f800000))
		case negative:
			return special(float32(math.NaN()))
		case infinite:
			return special(0)
		}
		s.lookup(fraction, int(exponent&1)*64)
		s.Result = math.Float32frombits(sfuPack(s.Sum, -(exponent >> 1)))
	case SFUOpEx2:
		switch {
		case zero:
			return special(1)
		case exponent >= 8 && negative: // also infinities
			return special(0)
		case exponent >= 8:
			return special(inf)
		}
		significand := int64(1<<sfuInput | fraction)
		if exponent >= 0 {
			s.Reduced = int32(significand << exponent)
		} else if exponent > -32 { // else it rounds to 0
			s.Reduced = int32((significand + 1<<(-exponent-1)) >> -exponent)
		}
		if negative {
			s.Reduced = -s.Reduced
		}
		s.lookup(uint32(s.Reduced)&(1<<sfuInput-1), 0)
		s.Result = math.Float32frombits(sfuPack(s.Sum, s.Reduced>>sfuInput))
	case SFUOpLg2:
		switch {
		case zero:
			return special(-inf)
		case negative:
			return special(float32(math.NaN()))
		case infinite:
			return special(inf)
		}
		s.lookup(fraction, 0)
		// The exponent is the integer part of the logarithm.
		if sum := int64(exponent)<<sfuSum + s.Sum; sum < 0 {
			s.Result = math.Float32frombits(1<<31 | sfuPack(-sum, 0))
		} else {
			s.Result = math.Float32frombits(sfuPack(sum, 0))
		}
	case SFUOpSin, SFUOpCos:
		if infinite {
			return special(float32(math.NaN()))
		}
		if zero && op == SFUOpSin {
			return special(x * 0)
		}
		// 2/pi to 40 bits. The product, below 2^64, is in units of 2^(exponent-63).
		const twoOverPi = 0xa2f9836e4e
		product := uint64(1<<sfuInput|fraction) * twoOverPi
		if zero {
			product = 0
		}
		turn := product << max(exponent-40, 0) >> max(40-exponent, 0) // in units of 2^-23; shifts beyond 63 give 0
		s.Reduced = int32(turn & (4<<sfuInput - 1))
		quarter := uint32(s.Reduced) >> sfuInput
		if op == SFUOpCos {
			quarter++
			sign = 0
		}
		if quarter&2 != 0 {
			sign ^= 1 << 31
		}
		at := uint32(s.Reduced) & (1<<sfuInput - 1)
		if quarter&1 != 0 {
			at = 1<<sfuInput - at
		}
		if at == 1<<sfuInput {
			return special(math.Float32frombits(sign | 0x3f800000))
		}
		s.lookup(at, 0)
		s.Sum = min(s.Sum, 1<<sfuSum)
		s.Result = math.Float32frombits(sign | sfuPack(s.Sum, 0))
	default:
		panic(fmt.Sprintf("device.SFUEvaluate: no function %v", op))
	}
	return s
}

// sfuPack returns the bits of sum 2^(exponent-41) as a float32, for sum >= 0: rounded to nearest,
// halves up, and then, if it is subnormal, 0.
func sfuPack(sum int64, exponent int32) uint32 {
	if sum == 0 {
		return 0
	}
	if drop := bits.Len64(uint64(sum)) - 24; drop > 0 {
		sum = (sum + 1<<(drop-1)) >> drop
		exponent += int32(drop)
	}
	up := 24 - bits.Len64(uint64(sum)) // -1 if rounding made another digit
	exponent -= int32(up)
	if up < 0 {
		sum >>= 1
	} else {
		sum <<= up
	}
	switch biased := exponent - sfuSum + 23 + 127; {
	case biased <= 0:
		return 0
	case biased >= 255:
		return 0x7f800000
	default:
		return uint32(biased)<<23 | uint32(sum)&(1<<23-1)
	}
}

// SFURcp returns 1/x by the model of the special function unit, PTX's rcp.approx.ftz.f32: 24.02
// good bits, for significands in [1, 2), which is 0.98 ulp. Of ±0 it is ±∞, of ±∞ it is ±0.
func SFURcp(x float32) float32 { return SFUEvaluate(SFUOpRcp, x).Result }

// SFURsqrt returns 1/sqrt(x) by the model of the special function unit, PTX's rsqrt.approx.ftz.f32:
// 23.40 good bits, for significands in [1, 4). Of ±0 it is ±∞, below 0 NaN, of +∞ it is 0. Powers
// of four come out one unit low.
func SFURsqrt(x float32) float32 { return SFUEvaluate(SFUOpRsqrt, x).Result }

// SFUEx2 returns 2^x by the model of the special function unit, PTX's ex2.approx.ftz.f32: 22.51
// good bits, relative to a power of two. It is 0 where the result is below 2^-126.
func SFUEx2(x float32) float32 { return SFUEvaluate(SFUOpEx2, x).Result }

// SFULg2 returns log2(x) by the model of the special function unit, PTX's lg2.approx.ftz.f32: 22.57
// good bits of an absolute error, for x in [1, 2). Near 1 the relative error is large. Of ±0 it is
// -∞, below 0 NaN.
func SFULg2(x float32) float32 { return SFUEvaluate(SFUOpLg2, x).Result }

// SFUSin returns the sine of x radians by the model of the special function unit, PTX's
// sin.approx.ftz.f32: 22.47 good bits of an absolute error from the reduced argument, and with the
// reduction 2^-21.41 in [-pi, pi]. The reduction has 2/pi to 40 bits: from 2^17 on its error grows
// with x. Of infinities it is NaN.
func SFUSin(x float32) float32 { return SFUEvaluate(SFUOpSin, x).Result }

// SFUCos returns the cosine of x radians, PTX's cos.approx.ftz.f32, as SFUSin.
func SFUCos(x float32) float32 { return SFUEvaluate(SFUOpCos, x).Result }
