package device

import (
	"math"
	"math/bits"
)

// Instructions of PTX that CUDA C++ has no function for, or less of, after the PTX ISA manual. They
// have the prefix Ptx and the instruction's name; a type parameter stands for the type suffix:
// bfe.s32 is PtxBfe with int32. Where a program in CUDA C++ calls an intrinsic (__dp4a), the
// function has that one's name.

// PtxInteger is the types of PTX's integer arithmetic.
type PtxInteger interface {
	int16 | uint16 | int32 | uint32 | int64 | uint64
}

// PtxNumber is the types that PTX compares.
type PtxNumber interface {
	PtxInteger | float32 | float64
}

// PtxCnot returns 1 for 0 and 0 for all others: C's !. PTX's cnot.
func PtxCnot[T uint16 | uint32 | uint64](a T) T {
	if a == 0 {
		return 1
	}
	return 0
}

// PtxDiv returns the quotient of a and b, rounded toward zero. PTX's div for integers. It does not
// panic: a division by zero, which PTX leaves to the machine, has all bits set, as on NVIDIA's; the
// least integer by -1 is itself.
func PtxDiv[T PtxInteger](a, b T) T {
	if b == 0 {
		return ^b
	}
	return a / b
}

// PtxRem returns the remainder of a and b, with the sign of a, so that PtxDiv(a, b)*b + PtxRem(a,
// b) is a. PTX's rem. It does not panic: by zero, which PTX leaves to the machine, it has all bits
// set, as on NVIDIA's; the least integer by -1 leaves 0.
func PtxRem[T PtxInteger](a, b T) T {
	if b == 0 {
		return ^b
	}
	return a % b
}

// PtxAbs returns |a|; the least integer stays as it is. PTX's abs for integers; for the others see
// Fabsf and Fabs.
func PtxAbs[T int16 | int32 | int64](a T) T {
	if a < 0 {
		return -a
	}
	return a
}

// PtxNeg returns -a; the least integer stays as it is. PTX's neg for integers.
func PtxNeg[T int16 | int32 | int64](a T) T { return -a }

// PtxSad returns c + |a-b|, modulo the size of the type. PTX's sad. [Sad] is CUDA's intrinsic, with
// c unsigned.
func PtxSad[T PtxInteger](a, b, c T) T {
	if a < b {
		return c + (b - a)
	}
	return c + (a - b)
}

// The NaN that PTX calls canonical, for float32.
const ptxNaN32 = 0x7fffffff

// PtxMinF32 returns the lesser of a and b, with -0 less than +0. If one is NaN it returns the
// other, if both, the canonical NaN 0x7fffffff. PTX's min.f32.
func PtxMinF32(a, b float32) float32 {
	// Either operand's bits are the result if both are zeros of the same sign; with different signs
	// the one with it.
	r := math.Float32bits(b)
	if a < b || b != b {
		r = math.Float32bits(a)
	}
	if a == b {
		r = math.Float32bits(a) | math.Float32bits(b) // -0 has one bit more; otherwise they are the same
	}
	if a != a && b != b {
		r = ptxNaN32
	}
	return math.Float32frombits(r)
}

// PtxMaxF32 returns the greater of a and b, with +0 greater than -0. If one is NaN it returns the
// other, if both, the canonical NaN 0x7fffffff. PTX's max.f32.
func PtxMaxF32(a, b float32) float32 {
	r := math.Float32bits(b)
	if a > b || b != b {
		r = math.Float32bits(a)
	}
	if a == b {
		r = math.Float32bits(a) & math.Float32bits(b)
	}
	if a != a && b != b {
		r = ptxNaN32
	}
	return math.Float32frombits(r)
}

// PtxMinNaNF32 is [PtxMinF32], but the canonical NaN if a or b is NaN. PTX's min.NaN.f32.
func PtxMinNaNF32(a, b float32) float32 {
	r := math.Float32bits(PtxMinF32(a, b))
	if a != a || b != b {
		r = ptxNaN32
	}
	return math.Float32frombits(r)
}

// PtxMaxNaNF32 is [PtxMaxF32], but the canonical NaN if a or b is NaN. PTX's max.NaN.f32.
func PtxMaxNaNF32(a, b float32) float32 {
	r := math.Float32bits(PtxMaxF32(a, b))
	if a != a || b != b {
		r = ptxNaN32
	}
	return math.Float32frombits(r)
}

// ptxXorsign returns m with the sign of a times that of b, unless it is NaN.
func ptxXorsign(m, a, b float32) float32 {
	if m != m {
		return m
	}
	return math.Float32frombits(math.Float32bits(m)&0x7fffffff | (math.Float32bits(a)^math.Float32bits(b))&0x80000000)
}

func ptxAbsF32(a float32) float32 { return math.Float32frombits(math.Float32bits(a) & 0x7fffffff) }

// PtxMinXorsignAbsF32 returns the lesser of |a| and |b|, with the sign of a times the sign of b.
// NaN as in [PtxMinF32]. PTX's min.xorsign.abs.f32.
func PtxMinXorsignAbsF32(a, b float32) float32 {
	return ptxXorsign(PtxMinF32(ptxAbsF32(a), ptxAbsF32(b)), a, b)
}

// PtxMaxXorsignAbsF32 returns the greater of |a| and |b|, with the sign of a times the sign of b.
// NaN as in [PtxMaxF32]. PTX's max.xorsign.abs.f32.
func PtxMaxXorsignAbsF32(a, b float32) float32 {
	return ptxXorsign(PtxMaxF32(ptxAbsF32(a), ptxAbsF32(b)), a, b)
}

// PtxMinNaNXorsignAbsF32 is [PtxMinXorsignAbsF32], but the canonical NaN if a or b is NaN. PTX's
// min.NaN.xorsign.abs.f32.
func PtxMinNaNXorsignAbsF32(a, b float32) float32 {
	return ptxXorsign(PtxMinNaNF32(ptxAbsF32(a), ptxAbsF32(b)), a, b)
}

// PtxMaxNaNXorsignAbsF32 is [PtxMaxXorsignAbsF32], but the canonical NaN if a or b is NaN. PTX's
// max.NaN.xorsign.abs.f32.
func PtxMaxNaNXorsignAbsF32(a, b float32) float32 {
	return ptxXorsign(PtxMaxNaNF32(ptxAbsF32(a), ptxAbsF32(b)), a, b)
}

// The bits of the NaN that PtxMinF64 and PtxMaxF64 return. PTX names no canonical one for float64.
const ptxNaN64 = 0x7ff8000000000000

// PtxMinF64 is [PtxMinF32] for float64; the NaN of two is quiet and positive. PTX's min.f64.
func PtxMinF64(a, b float64) float64 {
	r := math.Float64bits(b)
	if a < b || b != b {
		r = math.Float64bits(a)
	}
	if a == b {
		r = math.Float64bits(a) | math.Float64bits(b)
	}
	if a != a && b != b {
		r = ptxNaN64
	}
	return math.Float64frombits(r)
}

// PtxMaxF64 is [PtxMaxF32] for float64; the NaN of two is quiet and positive. PTX's max.f64.
func PtxMaxF64(a, b float64) float64 {
	r := math.Float64bits(b)
	if a > b || b != b {
		r = math.Float64bits(a)
	}
	if a == b {
		r = math.Float64bits(a) & math.Float64bits(b)
	}
	if a != a && b != b {
		r = ptxNaN64
	}
	return math.Float64frombits(r)
}

// Cmp is a comparison of PTX's setp, set and vset. Each of its bits stands for one outcome of
// comparing two numbers: less, equal, greater, and unordered, which is that one of them is NaN.
type Cmp uint32

const (
	CmpLt Cmp = 1 // .lt
	CmpEq Cmp = 2 // .eq
	CmpGt Cmp = 4 // .gt
	CmpLe     = CmpLt | CmpEq
	CmpGe     = CmpGt | CmpEq
	CmpNe     = CmpLt | CmpGt // .ne: false if one is NaN, other than Go's !=

	CmpNan Cmp = 8 // .nan: one of them is NaN
	CmpNum     = CmpLt | CmpEq | CmpGt
	// The unordered comparisons, .ltu and so on, are true if one is NaN. CmpNeu is Go's and C's !=.
	CmpLtu = CmpLt | CmpNan
	CmpEqu = CmpEq | CmpNan
	CmpGtu = CmpGt | CmpNan
	CmpLeu = CmpLe | CmpNan
	CmpGeu = CmpGe | CmpNan
	CmpNeu = CmpNe | CmpNan

	// PTX's names for unsigned integers.
	CmpLo = CmpLt
	CmpLs = CmpLe
	CmpHi = CmpGt
	CmpHs = CmpGe
)

// PtxSetp returns whether the comparison holds. PTX's setp. Its form with a boolean operator is
// Go's: setp.lt.and is PtxSetp(CmpLt, a, b) && c, and setp.lt.xor is PtxSetp(CmpLt, a, b) != c.
func PtxSetp[T PtxNumber](cmp Cmp, a, b T) bool {
	outcome := CmpNan
	if a < b {
		outcome = CmpLt
	}
	if a == b {
		outcome = CmpEq
	}
	if a > b {
		outcome = CmpGt
	}
	return cmp&outcome != 0
}

// PtxSet returns true as the type D writes it: all bits set for integers, 1 for float32; else 0.
// PTX's set, where set.ltu.f32.s32 is PtxSet[float32](CmpLtu, a, b).
func PtxSet[D uint32 | int32 | float32, T PtxNumber](cmp Cmp, a, b T) D {
	return PtxSetBool[D](PtxSetp(cmp, a, b))
}

// PtxSetBool returns p as PTX's set writes it. set.lt.and.u32.f32 with a predicate c is
// PtxSetBool[uint32](PtxSetp(CmpLt, a, b) && c).
func PtxSetBool[D uint32 | int32 | float32](p bool) D {
	t := D(1)
	if t/2 == 0 { // an integer
		t = -t
	}
	if p {
		return t
	}
	return 0
}

// PtxSelp returns a if p, else b. PTX's selp.
func PtxSelp[T any](a, b T, p bool) T {
	if p {
		return a
	}
	return b
}

// PtxSlct returns a if c >= 0, else b: also if c is NaN. -0 is not below 0. PTX's slct.
func PtxSlct[T any, C int32 | float32](a, b T, c C) T {
	if c >= 0 {
		return a
	}
	return b
}

// bitsOf returns how many bits T has.
func bitsOf[T Integer]() uint32 {
	if one := T(1); one<<31<<1 != 0 {
		return 64
	}
	return 32
}

// PtxBfe returns length bits of a from bit pos up, in the lowest bits of the result. Signed types
// extend the sign of the field; bits of it beyond the top of a are a's sign, and 0 in unsigned
// types. No bits are 0. pos and length are taken modulo 256. PTX's bfe.
func PtxBfe[T Integer](a T, pos, length uint32) T {
	drop := bitsOf[T]() - min(length&255, bitsOf[T]())
	return a >> (pos & 255) << drop >> drop
}

// PtxBfi returns b with length bits from bit pos up replaced by the lowest ones of a, as far as
// they fit. pos and length are taken modulo 256. PTX's bfi.
func PtxBfi[T uint32 | uint64](a, b T, pos, length uint32) T {
	field := (T(1)<<(length&255) - 1) << (pos & 255)
	return b&^field | a<<(pos&255)&field
}

// PtxBfind returns the position of the highest bit of a that differs from its sign: the highest 1
// of a number that is not negative, the highest 0 of a negative number. If there is none (a is 0 or
// -1), it returns 0xffffffff. PTX's bfind; for bfind.shiftamt, the distance from the top, subtract
// the result from 31 or 63.
func PtxBfind[T Integer](a T) uint32 {
	if a < 0 {
		a = ^a
	}
	if bitsOf[T]() == 32 {
		return 31 - uint32(bits.LeadingZeros32(uint32(a)))
	}
	return 63 - uint32(bits.LeadingZeros64(uint64(a)))
}

// PtxBmskClamp returns a word with count bits set from bit pos up, as far as they fit. PTX's
// bmsk.clamp.b32.
func PtxBmskClamp(pos, count uint32) uint32 { return (1<<min(count, 32) - 1) << min(pos, 32) }

// PtxBmskWrap is [PtxBmskClamp] with pos and count modulo 32. PTX's bmsk.wrap.b32.
func PtxBmskWrap(pos, count uint32) uint32 { return (1<<(count&31) - 1) << (pos & 31) }

// PtxSzextClamp returns the low count bits of a, extended by their sign in an int32 and by zeros in
// a uint32: 0 if there are none, and a from 32 on. PTX's szext.clamp.
func PtxSzextClamp[T int32 | uint32](a T, count uint32) T {
	drop := 32 - min(count, 32)
	return a << drop >> drop
}

// PtxSzextWrap is [PtxSzextClamp] with count modulo 32. PTX's szext.wrap.
func PtxSzextWrap[T int32 | uint32](a T, count uint32) T { return PtxSzextClamp(a, count&31) }

// PtxMul24Hi returns bits 16 to 47 of the product of the low 24 bits of a and b, in an int32 with
// their sign, bit 23. PTX's mul24.hi; mul24.lo is [Mul24] and [Umul24].
func PtxMul24Hi[T int32 | uint32](a, b T) T {
	return T(int64(a<<8>>8) * int64(b<<8>>8) >> 16)
}

// PtxLop3 returns any logical function of three words: bit 4x+2y+z of lut is the result where a has the bit x, b y
// and c z. So lut is what the function gives for a = 0xf0, b = 0xcc, c = 0xaa: a & b | c has 0xf0&0xcc|0xaa, 0xea. PTX's
// lop3.b32.
func PtxLop3(a, b, c uint32, lut uint8) uint32 {
	l := uint32(lut)
	// For each x and y what c selects, then what b and a do.
	f00 := ^c&-(l&1) | c&-(l>>1&1)
	f01 := ^c&-(l>>2&1) | c&-(l>>3&1)
	f10 := ^c&-(l>>4&1) | c&-(l>>5&1)
	f11 := ^c&-(l>>6&1) | c&-(l>>7&1)
	return ^a&(^b&f00|b&f01) | a&(^b&f10|b&f11)
}

// PtxPrmt returns four of the eight bytes of a and b, as [BytePerm] does, but where bit 4i+3 of
// selector is set byte i of the result has the sign of the byte in all its bits. PTX's prmt.b32.
func PtxPrmt(a, b, selector uint32) uint32 {
	d := BytePerm(a, b, selector)
	// The flags of the nibbles, each at the bottom of its byte, times 255 are masks.
	flags := selector>>3&1 | selector>>7&1<<8 | selector>>11&1<<16 | selector>>15&1<<24
	sign := d >> 7 & 0x01010101 * 255
	all := flags * 255
	return d&^all | sign&all
}

// PtxPrmtF4e returns the four bytes of b:a from byte c mod 4 up: prmt.b32.f4e, an unaligned load
// downwards in memory.
func PtxPrmtF4e(a, b, c uint32) uint32 { return BytePerm(a, b, 0x3210+c&3*0x1111) }

// PtxPrmtB4e returns the four bytes from byte c mod 4 of a down, going around from byte 0 to byte
// 7, the top of b, the first of them lowest: prmt.b32.b4e.
func PtxPrmtB4e(a, b, c uint32) uint32 {
	c &= 3
	return BytePerm(a, b, c|(c-1)&7<<4|(c-2)&7<<8|(c-3)&7<<12)
}

// PtxPrmtRc8 returns byte c mod 4 of a in all four places: prmt.b32.rc8.
func PtxPrmtRc8(a, b, c uint32) uint32 { return BytePerm(a, b, c&3*0x1111) }

// PtxPrmtEcl returns a with the bytes below byte c mod 4 replaced by it: prmt.b32.ecl.
func PtxPrmtEcl(a, b, c uint32) uint32 {
	c &= 3
	return BytePerm(a, b, c|max(c, 1)<<4|max(c, 2)<<8|3<<12)
}

// PtxPrmtEcr returns a with the bytes above byte c mod 4 replaced by it: prmt.b32.ecr.
func PtxPrmtEcr(a, b, c uint32) uint32 {
	c &= 3
	return BytePerm(a, b, min(c, 1)<<4|min(c, 2)<<8|c<<12)
}

// PtxPrmtRc16 returns the low half of a twice if c is even, else the high half: prmt.b32.rc16.
func PtxPrmtRc16(a, b, c uint32) uint32 { return BytePerm(a, b, 0x1010+c&1*0x2222) }

// Dp4a returns c plus the sum of the products of the four bytes of a with those of b, modulo 2^32.
// The bytes of an int32 have signs, those of a uint32 have none. CUDA's __dp4a; PTX's dp4a, which
// also mixes types, with c as int32 then.
func Dp4a[A, B, C int32 | uint32](a A, b B, c C) C {
	return c + C(a<<24>>24)*C(b<<24>>24) + C(a<<16>>24)*C(b<<16>>24) + C(a<<8>>24)*C(b<<8>>24) + C(a>>24)*C(b>>24)
}

// Dp2aLo returns c plus the sum of the products of the two halves of a with the two low bytes of b,
// modulo 2^32. Signs are as in [Dp4a]. CUDA's __dp2a_lo.
func Dp2aLo[A, B, C int32 | uint32](a A, b B, c C) C {
	return c + C(a<<16>>16)*C(b<<24>>24) + C(a>>16)*C(b<<16>>24)
}

// Dp2aHi returns c plus the sum of the products of the two halves of a with the two high bytes of
// b, modulo 2^32. Signs are as in [Dp4a]. CUDA's __dp2a_hi.
func Dp2aHi[A, B, C int32 | uint32](a A, b B, c C) C {
	return c + C(a<<16>>16)*C(b<<8>>24) + C(a>>16)*C(b>>24)
}
