package device

// The vector video instructions of PTX: a word is two halves (vadd2) or four bytes (vadd4), and
// each part of the result is made of any two parts of the sources a and b. What is not in the mask
// comes from c; or the parts of the result are added to c. As with the scalar ones, an instruction
// is a function, with its modifiers in a struct of constants, where zero is what is left out:
//
//	vadd4.s32.s32.u32.sat  d.b310, a.b0123, b.b4444, c;
//
//	d = device.PtxVadd4(device.VideoSimd{
//		D: device.VideoS32, A: device.VideoS32, Mode: device.VideoSat, Mask: device.VideoMask(0b1011),
//		ASel: device.VideoParts(0x0123), BSel: device.VideoParts(0x4444),
//	}, a, b, c)
//
// All are exact, after the pseudocode of the PTX ISA, "SIMD Video Instructions". The parts that are
// added to c are those of the pseudocode too: not cut off, so that a difference below 0 is one also
// in unsigned types. CUDA's intrinsics for the usual cases, such as Vadd4, are in simd.go, and do
// all parts at once.

// VideoSelect names the part of the sources that each part of an operand is, as the hexadecimal
// digits of PTX's selector. The parts of a are numbered from its lowest, those of b follow. The
// zero VideoSelect is the default: the parts of a in their places for ASel, those of b for BSel.
type VideoSelect uint32

const videoSelected = 1 << 31 // tells VideoParts(0) from nothing

// VideoParts is PTX's selector with these digits, one for each part of the result, the highest
// first: .h10 is VideoParts(0x10), and .b7654 VideoParts(0x7654). Digits are taken modulo 4 for
// halves, 8 for bytes.
func VideoParts(digits uint32) VideoSelect { return VideoSelect(digits | videoSelected) }

// VideoMask has a bit for each part of the result, the lowest for the lowest: .h1 is 2, and .b310
// is 0b1011. The zero VideoMask is the default, all parts.
type VideoMask uint32

// VideoMode is what becomes of the parts of the result of a vector video instruction.
type VideoMode uint32

const (
	VideoMerge      VideoMode = iota // they are cut off, and those of the mask replace c's
	VideoSat                         // .sat: the same, but they are clamped to the range of D
	VideoAccumulate                  // .add: those of the mask are added to c, modulo 2^32
)

// VideoSimd is the modifiers of a vector video instruction. The zero VideoSimd has .u32 for all
// operands and no other.
type VideoSimd struct {
	D, A, B    VideoType // .dtype, .atype, .btype; vset2 and vset4 have no D
	ASel, BSel VideoSelect
	Mask       VideoMask
	Mode       VideoMode
}

const (
	videoAdd = iota
	videoSub
	videoAvrg
	videoAbsdiff
	videoMin
	videoMax
	videoSet
)

// video does one instruction with parts of so many bits. op and size are constants.
func (m VideoSimd) video(op, size uint32, cmp Cmp, a, b, c uint32) uint32 {
	count := 32 / size
	asel, bsel, mask := uint32(m.ASel), uint32(m.BSel), uint32(m.Mask)
	if asel == 0 {
		asel = 0x3210
	}
	if bsel == 0 {
		bsel = 0x3210 + 0x1111*count
	}
	if mask == 0 {
		mask = 15
	}
	all := uint32(1)<<size - 1
	sum, merged := c, c
	for i := range uint32(4) {
		if i >= count {
			break
		}
		x := m.A.part(asel>>(4*i), size, a, b)
		y := m.B.part(bsel>>(4*i), size, a, b)
		t := int32(0)
		switch op {
		case videoAdd:
			t = x + y
		case videoSub:
			t = x - y
		case videoAvrg:
			// Halves are rounded away from 0.
			t = (x + y + 1) >> 1
			if x+y < 0 {
				t = (x + y) >> 1
			}
		case videoAbsdiff:
			t = Abs(x - y)
		case videoMin:
			t = min(x, y)
		case videoMax:
			t = max(x, y)
		case videoSet:
			if PtxSetp(cmp, x, y) {
				t = 1
			}
		}
		if m.Mode == VideoSat {
			if m.D == VideoS32 {
				t = min(max(t, ^int32(all>>1)), int32(all>>1))
			} else {
				t = min(max(t, 0), int32(all))
			}
		}
		if mask>>i&1 != 0 {
			sum += uint32(t)
			merged = merged&^(all<<(size*i)) | uint32(t)&all<<(size*i)
		}
	}
	if m.Mode == VideoAccumulate {
		return sum
	}
	return merged
}

// part returns the part of b:a that the last digit names, extended by its type.
func (typ VideoType) part(digit, size, a, b uint32) int32 {
	count := 32 / size
	word := a
	if digit&count != 0 {
		word = b
	}
	word <<= 32 - size - digit&(count-1)*size
	if typ == VideoS32 {
		return int32(word) >> (32 - size)
	}
	return int32(word >> (32 - size))
}

// PtxVadd2 returns a + b, for each half: PTX's vadd2.
func PtxVadd2(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoAdd, 16, 0, a, b, c) }

// PtxVsub2 returns a - b, for each half: PTX's vsub2.
func PtxVsub2(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoSub, 16, 0, a, b, c) }

// PtxVavrg2 returns the average of a and b, with halves rounded away from 0, for each half: PTX's
// vavrg2.
func PtxVavrg2(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoAvrg, 16, 0, a, b, c) }

// PtxVabsdiff2 returns |a - b|, for each half: PTX's vabsdiff2.
func PtxVabsdiff2(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoAbsdiff, 16, 0, a, b, c) }

// PtxVmin2 returns the lesser of a and b, as numbers, whatever their types, for each half: PTX's vmin2.
func PtxVmin2(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoMin, 16, 0, a, b, c) }

// PtxVmax2 returns the greater of a and b, as numbers, whatever their types, for each half: PTX's
// vmax2.
func PtxVmax2(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoMax, 16, 0, a, b, c) }

// PtxVset2 returns 1 for each half where the comparison of a and b holds, as numbers, whatever
// their types, else 0: PTX's vset2. D is not used, and there is no .sat.
func PtxVset2(m VideoSimd, cmp Cmp, a, b, c uint32) uint32 {
	return m.video(videoSet, 16, cmp, a, b, c)
}

// PtxVadd4 returns a + b, for each byte: PTX's vadd4.
func PtxVadd4(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoAdd, 8, 0, a, b, c) }

// PtxVsub4 returns a - b, for each byte: PTX's vsub4.
func PtxVsub4(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoSub, 8, 0, a, b, c) }

// PtxVavrg4 returns the average of a and b, with halves rounded away from 0, for each byte: PTX's
// vavrg4.
func PtxVavrg4(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoAvrg, 8, 0, a, b, c) }

// PtxVabsdiff4 returns |a - b|, for each byte: PTX's vabsdiff4.
func PtxVabsdiff4(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoAbsdiff, 8, 0, a, b, c) }

// PtxVmin4 returns the lesser of a and b, as numbers, whatever their types, for each byte: PTX's vmin4.
func PtxVmin4(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoMin, 8, 0, a, b, c) }

// PtxVmax4 returns the greater of a and b, as numbers, whatever their types, for each byte: PTX's
// vmax4.
func PtxVmax4(m VideoSimd, a, b, c uint32) uint32 { return m.video(videoMax, 8, 0, a, b, c) }

// PtxVset4 returns 1 for each byte where the comparison of a and b holds, as numbers, whatever
// their types, else 0: PTX's vset4. D is not used, and there is no .sat.
func PtxVset4(m VideoSimd, cmp Cmp, a, b, c uint32) uint32 {
	return m.video(videoSet, 8, cmp, a, b, c)
}
