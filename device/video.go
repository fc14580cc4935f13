package device

import "math/bits"

// The scalar video instructions of PTX: arithmetic on a word, or a byte or half of it, where each
// operand has its own type; the result may be clamped, and is then combined with a third operand,
// or becomes a byte or half of it. An instruction is a function, and what PTX writes with dots is a
// struct of constants, where zero is what is left out:
//
//	vsub.s32.s32.u32.sat.max  d, a.h1, b.b0, c;
//
//	d = device.PtxVsub(device.Video{
//		D: device.VideoS32, A: device.VideoS32, Sat: true, ASel: device.VideoH1, BSel: device.VideoB0,
//		Then: device.VideoMax,
//	}, a, b, c)
//
// A kernel that gives the struct as a literal is compiled with the choices made. All are exact,
// after the pseudocode of the PTX ISA, "Scalar Video Instructions". Three things it leaves open or
// says twice, and what is done here:
//
//   - The result that min and max compare with c has 33 bits there, and its sign "depends on dtype". So without Sat
//     they see the low 32 bits of the result, read as D.
//   - A left shift by up to 32 is not cut off before Sat clamps it.
//   - In vmad the sum has 128 bits and all of them are clamped. A c with a minus is inverted as a word and then
//     has a sign, as in the pseudocode, though the table of combinations calls the c of u32*u32-c a u32. This shows
//     for c from 2^31 up, with Sat or a shift.

// VideoType is the type of an operand of a video instruction.
type VideoType uint32

const (
	VideoU32 VideoType = iota // .u32
	VideoS32                  // .s32
)

// VideoPart is the part of a word that an operand is.
type VideoPart uint32

const (
	VideoWord VideoPart = iota // all of it
	VideoB0                    // .b0, the lowest byte
	VideoB1                    // .b1
	VideoB2                    // .b2
	VideoB3                    // .b3
	VideoH0                    // .h0, the low half
	VideoH1                    // .h1
)

// VideoThen is what becomes of the result of a scalar video instruction.
type VideoThen uint32

const (
	VideoResult  VideoThen = iota // it is the result; c is not used
	VideoAdd                      // .add: plus c, modulo 2^32
	VideoMin                      // .min: the lesser of it and c, by the type D
	VideoMax                      // .max
	VideoMergeB0                  // d.b0: c with this byte replaced
	VideoMergeB1
	VideoMergeB2
	VideoMergeB3
	VideoMergeH0 // d.h0: c with this half replaced
	VideoMergeH1
)

// Video is the modifiers of a scalar video instruction. The zero Video has .u32 for all operands
// and no other.
type Video struct {
	D, A, B    VideoType // .dtype, .atype, .btype; vset has no D, and vshl and vshr no B
	ASel, BSel VideoPart // .asel, .bsel
	Sat        bool      // .sat: clamp to the range of D, or of its byte or half where Then merges. Not for vset
	Then       VideoThen // .op2 or .dsel
}

// operand takes a part out of x and extends it: the value is from -2^31 to 2^32-1.
func (typ VideoType) operand(x uint32, sel VideoPart) int64 {
	// To the top of the word, and down again.
	up, drop := uint32(0), uint32(0)
	if sel >= VideoB0 {
		drop = 24
		up = 24 - 8*uint32(sel-VideoB0)
	}
	if sel >= VideoH0 {
		drop = 16
		up = 16 - 16*uint32(sel-VideoH0)
	}
	if typ == VideoS32 {
		return int64(int32(x<<up) >> drop)
	}
	return int64(x << up >> drop)
}

func (m Video) operands(a, b uint32) (int64, int64) {
	return m.A.operand(a, m.ASel), m.B.operand(b, m.BSel)
}

// finish clamps t and combines it with c.
func (m Video) finish(t int64, c uint32) uint32 {
	// The bits of the destination, and where it is in c.
	size, at := uint32(32), uint32(0)
	if m.Then >= VideoMergeB0 {
		size, at = 8, 8*uint32(m.Then-VideoMergeB0)
	}
	if m.Then >= VideoMergeH0 {
		size, at = 16, 16*uint32(m.Then-VideoMergeH0)
	}
	if m.Sat {
		least, greatest := int64(0), int64(1)<<size-1
		if m.D == VideoS32 {
			greatest >>= 1
			least = ^greatest
		}
		t = min(max(t, least), greatest)
	}
	d := uint32(t)
	if m.Then >= VideoMergeB0 {
		field := uint32(1<<size-1) << at
		return c&^field | d<<at&field
	}
	// What turns the order of D's type into that of unsigned numbers.
	flip := uint32(0)
	if m.D == VideoS32 {
		flip = 1 << 31
	}
	switch m.Then {
	case VideoAdd:
		d += c
	case VideoMin:
		d = min(d^flip, c^flip) ^ flip
	case VideoMax:
		d = max(d^flip, c^flip) ^ flip
	}
	return d
}

// PtxVadd returns a + b: PTX's vadd.
func PtxVadd(m Video, a, b, c uint32) uint32 {
	x, y := m.operands(a, b)
	return m.finish(x+y, c)
}

// PtxVsub returns a - b: PTX's vsub.
func PtxVsub(m Video, a, b, c uint32) uint32 {
	x, y := m.operands(a, b)
	return m.finish(x-y, c)
}

// PtxVabsdiff returns |a - b|: PTX's vabsdiff.
func PtxVabsdiff(m Video, a, b, c uint32) uint32 {
	x, y := m.operands(a, b)
	return m.finish(Llabs(x-y), c)
}

// PtxVavrg returns the average of a and b, with halves rounded away from 0. Table 8.14 of The CUDA
// Handbook has it, as vavrg; the PTX ISA knows vavrg2 and vavrg4 only.
func PtxVavrg(m Video, a, b, c uint32) uint32 {
	x, y := m.operands(a, b)
	if x+y >= 0 {
		x++
	}
	return m.finish((x+y)>>1, c)
}

// PtxVmin returns the lesser of a and b, as numbers, whatever their types: PTX's vmin.
func PtxVmin(m Video, a, b, c uint32) uint32 {
	x, y := m.operands(a, b)
	return m.finish(min(x, y), c)
}

// PtxVmax returns the greater of a and b, as numbers, whatever their types: PTX's vmax.
func PtxVmax(m Video, a, b, c uint32) uint32 {
	x, y := m.operands(a, b)
	return m.finish(max(x, y), c)
}

// PtxVset returns 1 if the comparison of a and b holds, as numbers, whatever their types, else 0:
// PTX's vset. D and Sat are not used: the result and c have no sign.
func PtxVset(m Video, cmp Cmp, a, b, c uint32) uint32 {
	x, y := m.operands(a, b)
	m.D = VideoU32
	m.Sat = false
	t := int64(0)
	if PtxSetp(cmp, x, y) {
		t = 1
	}
	return m.finish(t, c)
}

// VideoShift is what the shifts do with distances of 32 and more.
type VideoShift uint32

const (
	VideoClamp VideoShift = iota // .clamp: they are 32
	VideoWrap                    // .wrap: they are taken modulo 32
)

func (m Video) distance(mode VideoShift, b uint32) uint32 {
	n := uint32(VideoU32.operand(b, m.BSel))
	if mode == VideoWrap {
		return n & 31
	}
	return min(n, 32)
}

// PtxVshl returns a << b, where b has no sign whatever m.B is: PTX's vshl. All bits of the result
// count for Sat.
func PtxVshl(m Video, mode VideoShift, a, b, c uint32) uint32 {
	n := m.distance(mode, b)
	x := m.A.operand(a, m.ASel)
	t := x << n
	if t>>n != x { // only an unsigned word by 32: anything beyond 2^32 clamps and cuts alike
		t = 1 << 62
	}
	return m.finish(t, c)
}

// PtxVshr returns a >> b, where b has no sign whatever m.B is: PTX's vshr. A signed a is filled
// with its sign.
func PtxVshr(m Video, mode VideoShift, a, b, c uint32) uint32 {
	return m.finish(m.A.operand(a, m.ASel)>>m.distance(mode, b), c)
}

// VideoMad is the modifiers of [PtxVmad]. The zero VideoMad multiplies and adds .u32.
type VideoMad struct {
	A, B             VideoType // .atype, .btype; .dtype follows from the operands
	ASel, BSel       VideoPart // .asel, .bsel
	NegA, NegB, NegC bool      // -a, -b, -c. Both of a and b is neither; one of them excludes c
	PlusOne          bool      // .po: plus 1. PTX allows no negation with it, and here it has none
	Shift            VideoShr
	Sat              bool // .sat: clamp to 32 bits, signed if an operand is signed or negated
}

// VideoShr is how far vmad shifts its result to the right.
type VideoShr uint32

const (
	VideoShr0  VideoShr = 0
	VideoShr7  VideoShr = 7  // .shr7
	VideoShr15 VideoShr = 15 // .shr15
)

// PtxVmad returns a*b + c, shifted right: PTX's vmad. c is signed if an operand is signed or negated.
func PtxVmad(m VideoMad, a, b, c uint32) uint32 {
	x, y := m.A.operand(a, m.ASel), m.B.operand(b, m.BSel)
	negAB := m.NegA != m.NegB && !m.PlusOne
	negC := m.NegC && !m.PlusOne
	signed := m.A == VideoS32 || m.B == VideoS32 || negAB || negC

	// The product in 128 bits; it has 64 without sign, or 65 with it.
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	hi += uint64(-(x >> 63 & y)) + uint64(-(y >> 63 & x))
	one := uint64(0)
	if m.PlusOne {
		one = 1
	} else if negAB {
		hi, lo = ^hi, ^lo
		one = 1
	} else if negC {
		c = ^c
		one = 1
	}
	third := uint64(c)
	if signed {
		third = uint64(int64(int32(c)))
	}
	lo, carry := bits.Add64(lo, one, 0)
	hi += carry
	lo, carry = bits.Add64(lo, third, 0)
	hi += carry
	if signed {
		hi += uint64(int64(third) >> 63)
	}

	// Shifted, and reduced to the low word and what is above it.
	n := m.Shift & 63
	lo = lo>>n | hi<<1<<(63-n)
	hi = uint64(int64(hi) >> n)
	if !m.Sat {
		return uint32(lo)
	}
	if !signed {
		if hi != 0 || lo > 0xffffffff {
			return 0xffffffff
		}
		return uint32(lo)
	}
	if int64(hi) < 0 {
		if hi == 1<<64-1 && int64(lo) >= -1<<31 && int64(lo) < 0 {
			return uint32(lo)
		}
		return 1 << 31
	}
	if hi != 0 || lo > 0x7fffffff {
		return 0x7fffffff
	}
	return uint32(lo)
}
