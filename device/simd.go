package device

// CUDA's SIMD intrinsics: a word as two halves (names with 2) or four bytes (names with 4), each on
// its own. The names end in s where the parts have signs and in u where they have none; ss and us
// saturate, the others wrap around. All are exact. Video instructions of PTX with selection of
// parts, masks and sums are in videosimd.go.
//
// None of them takes the word apart. An addition must not carry from part to part, so it is done
// without the highest bits, and those are added by exclusive or, which has no carry. A comparison
// ends as the highest bit of each part, and simdSpread makes a mask of it. (Dietz and Fisher,
// Compiling for SIMD Within a Register, 1998; Warren, Hacker's Delight.) In what follows h is the
// highest bit of each part: it alone says how wide they are.

const (
	topHalfs = 0x80008000
	topBytes = 0x80808080
)

// simdOnes moves the highest bit of each part, in m, to its lowest: by 15 for halves, where h lacks
// bit 7, and by 7 for bytes. No other bit of m is set.
func simdOnes(m, h uint32) uint32 { return m >> (15 - h>>4&8) }

// simdSpread makes all bits of a part from its highest, in m. No other bit of m is set.
func simdSpread(m, h uint32) uint32 { return m | (m - simdOnes(m, h)) }

func simdAdd(a, b, h uint32) uint32 { return ((a &^ h) + (b &^ h)) ^ (a^b)&h }

func simdSub(a, b, h uint32) uint32 { return ((a | h) - (b &^ h)) ^ ^(a^b)&h }

// simdPick returns the parts of a where mask has ones, else those of b.
func simdPick(mask, a, b uint32) uint32 { return b ^ (a^b)&mask }

// The comparisons return the highest bit of each part where they hold.

func simdNe(a, b, h uint32) uint32 {
	d := a ^ b
	return ((d &^ h) + ^h | d) & h
}

// simdBorrow returns the highest bit of each part where a - b = d borrowed from the part above,
// that is, where a < b without signs.
func simdBorrow(a, b, d, h uint32) uint32 { return (^a&b | ^(a^b)&d) & h }

func simdLtu(a, b, h uint32) uint32 { return simdBorrow(a, b, simdSub(a, b, h), h) }

// simdLts compares without signs, after both are raised by half of the range.
func simdLts(a, b, h uint32) uint32 { return simdLtu(a^h, b^h, h) }

func simdMinu(a, b, h uint32) uint32 { return simdPick(simdSpread(simdLtu(a, b, h), h), a, b) }
func simdMaxu(a, b, h uint32) uint32 { return simdPick(simdSpread(simdLtu(a, b, h), h), b, a) }
func simdMins(a, b, h uint32) uint32 { return simdPick(simdSpread(simdLts(a, b, h), h), a, b) }
func simdMaxs(a, b, h uint32) uint32 { return simdPick(simdSpread(simdLts(a, b, h), h), b, a) }

// simdNegIf negates the parts where m has the highest bit: -x is ^x + 1. That would carry out of a
// part with x = 0 only, and no caller has one where m is set.
func simdNegIf(x, m, h uint32) uint32 { return (x ^ simdSpread(m, h)) + simdOnes(m, h) }

func simdAbs(a, h uint32) uint32 { return simdNegIf(a, a&h, h) }

// simdAbsss: after simdAbs only the least number of the range is still negative; subtracting 1
// makes it the largest.
func simdAbsss(a, h uint32) uint32 {
	x := simdAbs(a, h)
	return x - simdOnes(x&h, h)
}

func simdAbsdiffu(a, b, h uint32) uint32 {
	d := simdSub(a, b, h)
	return simdNegIf(d, simdBorrow(a, b, d, h), h)
}

func simdAbsdiffs(a, b, h uint32) uint32 { return simdAbsdiffu(a^h, b^h, h) }

// simdClamps returns x in the parts where m is not set. Where m is set, it returns the end of the
// range that has the sign of a.
func simdClamps(x, a, m, h uint32) uint32 { return simdPick(simdSpread(m, h), ^h+simdOnes(a&h, h), x) }

// simdAddss: a sum overflows if its sign is neither summand's.
func simdAddss(a, b, h uint32) uint32 {
	s := simdAdd(a, b, h)
	return simdClamps(s, a, (a^s)&(b^s)&h, h)
}

func simdSubss(a, b, h uint32) uint32 {
	d := simdSub(a, b, h)
	return simdClamps(d, a, (a^b)&(a^d)&h, h)
}

func simdAddus(a, b, h uint32) uint32 {
	s := simdAdd(a, b, h)
	return s | simdSpread((a&b|(a|b)&^s)&h, h)
}

func simdSubus(a, b, h uint32) uint32 {
	d := simdSub(a, b, h)
	return d &^ simdSpread(simdBorrow(a, b, d, h), h)
}

// An average rounded down is a&b, the bits that both have, plus half of a^b, the bits that only one
// has. Rounded up, it is a|b less that half.

func simdHaddu(a, b, h uint32) uint32 { return a&b + (a^b)&^simdOnes(h, h)>>1 }
func simdAvgu(a, b, h uint32) uint32  { return (a | b) - (a^b)&^simdOnes(h, h)>>1 }

// simdAvgs is the average rounded down, plus 1 if a + b is odd and the average rounded down is not
// negative.
func simdAvgs(a, b, h uint32) uint32 {
	down := simdHaddu(a^h, b^h, h) ^ h
	return down + (a^b)&simdOnes(h, h)&^simdOnes(down&h, h)
}

func simdSum2(x uint32) uint32 { return x&0xffff + x>>16 }

func simdSum4(x uint32) uint32 {
	x = x&0x00ff00ff + x>>8&0x00ff00ff
	return x&0xffff + x>>16
}

// Vabs2 returns |a| for each half with sign; -32768 stays as it is. CUDA's __vabs2.
func Vabs2(a uint32) uint32 { return simdAbs(a, topHalfs) }

// Vabs4 returns |a| for each byte with sign; -128 stays as it is. CUDA's __vabs4.
func Vabs4(a uint32) uint32 { return simdAbs(a, topBytes) }

// Vabsss2 returns |a| for each half with sign; -32768 becomes 32767. CUDA's __vabsss2.
func Vabsss2(a uint32) uint32 { return simdAbsss(a, topHalfs) }

// Vabsss4 returns |a| for each byte with sign; -128 becomes 127. CUDA's __vabsss4.
func Vabsss4(a uint32) uint32 { return simdAbsss(a, topBytes) }

// Vneg2 returns -a for each half; -32768 stays as it is. CUDA's __vneg2.
func Vneg2(a uint32) uint32 { return simdSub(0, a, topHalfs) }

// Vneg4 returns -a for each byte; -128 stays as it is. CUDA's __vneg4.
func Vneg4(a uint32) uint32 { return simdSub(0, a, topBytes) }

// Vnegss2 returns -a for each half with sign; -32768 becomes 32767. CUDA's __vnegss2.
func Vnegss2(a uint32) uint32 { return simdSubss(0, a, topHalfs) }

// Vnegss4 returns -a for each byte with sign; -128 becomes 127. CUDA's __vnegss4.
func Vnegss4(a uint32) uint32 { return simdSubss(0, a, topBytes) }

// Vadd2 returns a + b for each half, wrapping around. CUDA's __vadd2.
func Vadd2(a, b uint32) uint32 { return simdAdd(a, b, topHalfs) }

// Vadd4 returns a + b for each byte, wrapping around. CUDA's __vadd4.
func Vadd4(a, b uint32) uint32 { return simdAdd(a, b, topBytes) }

// Vaddss2 returns a + b for each half with sign, from -32768 to 32767. CUDA's __vaddss2.
func Vaddss2(a, b uint32) uint32 { return simdAddss(a, b, topHalfs) }

// Vaddss4 returns a + b for each byte with sign, from -128 to 127. CUDA's __vaddss4.
func Vaddss4(a, b uint32) uint32 { return simdAddss(a, b, topBytes) }

// Vaddus2 returns a + b for each half without sign, at most 65535. CUDA's __vaddus2.
func Vaddus2(a, b uint32) uint32 { return simdAddus(a, b, topHalfs) }

// Vaddus4 returns a + b for each byte without sign, at most 255. CUDA's __vaddus4.
func Vaddus4(a, b uint32) uint32 { return simdAddus(a, b, topBytes) }

// Vsub2 returns a - b for each half, wrapping around. CUDA's __vsub2.
func Vsub2(a, b uint32) uint32 { return simdSub(a, b, topHalfs) }

// Vsub4 returns a - b for each byte, wrapping around. CUDA's __vsub4.
func Vsub4(a, b uint32) uint32 { return simdSub(a, b, topBytes) }

// Vsubss2 returns a - b for each half with sign, from -32768 to 32767. CUDA's __vsubss2.
func Vsubss2(a, b uint32) uint32 { return simdSubss(a, b, topHalfs) }

// Vsubss4 returns a - b for each byte with sign, from -128 to 127. CUDA's __vsubss4.
func Vsubss4(a, b uint32) uint32 { return simdSubss(a, b, topBytes) }

// Vsubus2 returns a - b for each half without sign, at least 0. CUDA's __vsubus2.
func Vsubus2(a, b uint32) uint32 { return simdSubus(a, b, topHalfs) }

// Vsubus4 returns a - b for each byte without sign, at least 0. CUDA's __vsubus4.
func Vsubus4(a, b uint32) uint32 { return simdSubus(a, b, topBytes) }

// Vabsdiffs2 returns |a - b| for each half with sign, as a half without: up to 65535. CUDA's
// __vabsdiffs2.
func Vabsdiffs2(a, b uint32) uint32 { return simdAbsdiffs(a, b, topHalfs) }

// Vabsdiffs4 returns |a - b| for each byte with sign, as a byte without: up to 255. CUDA's
// __vabsdiffs4.
func Vabsdiffs4(a, b uint32) uint32 { return simdAbsdiffs(a, b, topBytes) }

// Vabsdiffu2 returns |a - b| for each half without sign. CUDA's __vabsdiffu2.
func Vabsdiffu2(a, b uint32) uint32 { return simdAbsdiffu(a, b, topHalfs) }

// Vabsdiffu4 returns |a - b| for each byte without sign. CUDA's __vabsdiffu4.
func Vabsdiffu4(a, b uint32) uint32 { return simdAbsdiffu(a, b, topBytes) }

// Vavgs2 returns the average of each half with sign; halves are rounded away from 0, as by PTX's
// vavrg. CUDA's __vavgs2.
func Vavgs2(a, b uint32) uint32 { return simdAvgs(a, b, topHalfs) }

// Vavgs4 returns the average of each byte with sign; halves are rounded away from 0, as by PTX's
// vavrg. CUDA's __vavgs4.
func Vavgs4(a, b uint32) uint32 { return simdAvgs(a, b, topBytes) }

// Vavgu2 returns the average of each half without sign, rounded up. CUDA's __vavgu2.
func Vavgu2(a, b uint32) uint32 { return simdAvgu(a, b, topHalfs) }

// Vavgu4 returns the average of each byte without sign, rounded up. CUDA's __vavgu4.
func Vavgu4(a, b uint32) uint32 { return simdAvgu(a, b, topBytes) }

// Vhaddu2 returns the average of each half without sign, rounded down. CUDA's __vhaddu2.
func Vhaddu2(a, b uint32) uint32 { return simdHaddu(a, b, topHalfs) }

// Vhaddu4 returns the average of each byte without sign, rounded down. CUDA's __vhaddu4.
func Vhaddu4(a, b uint32) uint32 { return simdHaddu(a, b, topBytes) }

// Vmaxs2 returns the greater of each half with sign. CUDA's __vmaxs2.
func Vmaxs2(a, b uint32) uint32 { return simdMaxs(a, b, topHalfs) }

// Vmaxs4 returns the greater of each byte with sign. CUDA's __vmaxs4.
func Vmaxs4(a, b uint32) uint32 { return simdMaxs(a, b, topBytes) }

// Vmaxu2 returns the greater of each half without sign. CUDA's __vmaxu2.
func Vmaxu2(a, b uint32) uint32 { return simdMaxu(a, b, topHalfs) }

// Vmaxu4 returns the greater of each byte without sign. CUDA's __vmaxu4.
func Vmaxu4(a, b uint32) uint32 { return simdMaxu(a, b, topBytes) }

// Vmins2 returns the lesser of each half with sign. CUDA's __vmins2.
func Vmins2(a, b uint32) uint32 { return simdMins(a, b, topHalfs) }

// Vmins4 returns the lesser of each byte with sign. CUDA's __vmins4.
func Vmins4(a, b uint32) uint32 { return simdMins(a, b, topBytes) }

// Vminu2 returns the lesser of each half without sign. CUDA's __vminu2.
func Vminu2(a, b uint32) uint32 { return simdMinu(a, b, topHalfs) }

// Vminu4 returns the lesser of each byte without sign. CUDA's __vminu4.
func Vminu4(a, b uint32) uint32 { return simdMinu(a, b, topBytes) }

// Vsads2 returns the sum of |a - b| over each half with sign. CUDA's __vsads2.
func Vsads2(a, b uint32) uint32 { return simdSum2(simdAbsdiffs(a, b, topHalfs)) }

// Vsads4 returns the sum of |a - b| over each byte with sign. CUDA's __vsads4.
func Vsads4(a, b uint32) uint32 { return simdSum4(simdAbsdiffs(a, b, topBytes)) }

// Vsadu2 returns the sum of |a - b| over each half without sign. CUDA's __vsadu2.
func Vsadu2(a, b uint32) uint32 { return simdSum2(simdAbsdiffu(a, b, topHalfs)) }

// Vsadu4 returns the sum of |a - b| over each byte without sign. CUDA's __vsadu4.
func Vsadu4(a, b uint32) uint32 { return simdSum4(simdAbsdiffu(a, b, topBytes)) }

// Vcmpeq2 returns 0xffff for each half where a == b, else 0. CUDA's __vcmpeq2.
func Vcmpeq2(a, b uint32) uint32 { return simdSpread(simdNe(a, b, topHalfs)^topHalfs, topHalfs) }

// Vcmpeq4 returns 0xff for each byte where a == b, else 0. CUDA's __vcmpeq4.
func Vcmpeq4(a, b uint32) uint32 { return simdSpread(simdNe(a, b, topBytes)^topBytes, topBytes) }

// Vcmpne2 returns 0xffff for each half where a != b, else 0. CUDA's __vcmpne2.
func Vcmpne2(a, b uint32) uint32 { return simdSpread(simdNe(a, b, topHalfs), topHalfs) }

// Vcmpne4 returns 0xff for each byte where a != b, else 0. CUDA's __vcmpne4.
func Vcmpne4(a, b uint32) uint32 { return simdSpread(simdNe(a, b, topBytes), topBytes) }

// Vcmplts2 returns 0xffff for each half with sign where a < b, else 0. CUDA's __vcmplts2.
func Vcmplts2(a, b uint32) uint32 { return simdSpread(simdLts(a, b, topHalfs), topHalfs) }

// Vcmplts4 returns 0xff for each byte with sign where a < b, else 0. CUDA's __vcmplts4.
func Vcmplts4(a, b uint32) uint32 { return simdSpread(simdLts(a, b, topBytes), topBytes) }

// Vcmples2 returns 0xffff for each half with sign where a <= b, else 0. CUDA's __vcmples2.
func Vcmples2(a, b uint32) uint32 { return simdSpread(simdLts(b, a, topHalfs)^topHalfs, topHalfs) }

// Vcmples4 returns 0xff for each byte with sign where a <= b, else 0. CUDA's __vcmples4.
func Vcmples4(a, b uint32) uint32 { return simdSpread(simdLts(b, a, topBytes)^topBytes, topBytes) }

// Vcmpgts2 returns 0xffff for each half with sign where a > b, else 0. CUDA's __vcmpgts2.
func Vcmpgts2(a, b uint32) uint32 { return simdSpread(simdLts(b, a, topHalfs), topHalfs) }

// Vcmpgts4 returns 0xff for each byte with sign where a > b, else 0. CUDA's __vcmpgts4.
func Vcmpgts4(a, b uint32) uint32 { return simdSpread(simdLts(b, a, topBytes), topBytes) }

// Vcmpges2 returns 0xffff for each half with sign where a >= b, else 0. CUDA's __vcmpges2.
func Vcmpges2(a, b uint32) uint32 { return simdSpread(simdLts(a, b, topHalfs)^topHalfs, topHalfs) }

// Vcmpges4 returns 0xff for each byte with sign where a >= b, else 0. CUDA's __vcmpges4.
func Vcmpges4(a, b uint32) uint32 { return simdSpread(simdLts(a, b, topBytes)^topBytes, topBytes) }

// Vcmpltu2 returns 0xffff for each half without sign where a < b, else 0. CUDA's __vcmpltu2.
func Vcmpltu2(a, b uint32) uint32 { return simdSpread(simdLtu(a, b, topHalfs), topHalfs) }

// Vcmpltu4 returns 0xff for each byte without sign where a < b, else 0. CUDA's __vcmpltu4.
func Vcmpltu4(a, b uint32) uint32 { return simdSpread(simdLtu(a, b, topBytes), topBytes) }

// Vcmpleu2 returns 0xffff for each half without sign where a <= b, else 0. CUDA's __vcmpleu2.
func Vcmpleu2(a, b uint32) uint32 { return simdSpread(simdLtu(b, a, topHalfs)^topHalfs, topHalfs) }

// Vcmpleu4 returns 0xff for each byte without sign where a <= b, else 0. CUDA's __vcmpleu4.
func Vcmpleu4(a, b uint32) uint32 { return simdSpread(simdLtu(b, a, topBytes)^topBytes, topBytes) }

// Vcmpgtu2 returns 0xffff for each half without sign where a > b, else 0. CUDA's __vcmpgtu2.
func Vcmpgtu2(a, b uint32) uint32 { return simdSpread(simdLtu(b, a, topHalfs), topHalfs) }

// Vcmpgtu4 returns 0xff for each byte without sign where a > b, else 0. CUDA's __vcmpgtu4.
func Vcmpgtu4(a, b uint32) uint32 { return simdSpread(simdLtu(b, a, topBytes), topBytes) }

// Vcmpgeu2 returns 0xffff for each half without sign where a >= b, else 0. CUDA's __vcmpgeu2.
func Vcmpgeu2(a, b uint32) uint32 { return simdSpread(simdLtu(a, b, topHalfs)^topHalfs, topHalfs) }

// Vcmpgeu4 returns 0xff for each byte without sign where a >= b, else 0. CUDA's __vcmpgeu4.
func Vcmpgeu4(a, b uint32) uint32 { return simdSpread(simdLtu(a, b, topBytes)^topBytes, topBytes) }

// Vseteq2 returns 1 for each half where a == b, else 0. CUDA's __vseteq2.
func Vseteq2(a, b uint32) uint32 { return simdOnes(simdNe(a, b, topHalfs)^topHalfs, topHalfs) }

// Vseteq4 returns 1 for each byte where a == b, else 0. CUDA's __vseteq4.
func Vseteq4(a, b uint32) uint32 { return simdOnes(simdNe(a, b, topBytes)^topBytes, topBytes) }

// Vsetne2 returns 1 for each half where a != b, else 0. CUDA's __vsetne2.
func Vsetne2(a, b uint32) uint32 { return simdOnes(simdNe(a, b, topHalfs), topHalfs) }

// Vsetne4 returns 1 for each byte where a != b, else 0. CUDA's __vsetne4.
func Vsetne4(a, b uint32) uint32 { return simdOnes(simdNe(a, b, topBytes), topBytes) }

// Vsetlts2 returns 1 for each half with sign where a < b, else 0. CUDA's __vsetlts2.
func Vsetlts2(a, b uint32) uint32 { return simdOnes(simdLts(a, b, topHalfs), topHalfs) }

// Vsetlts4 returns 1 for each byte with sign where a < b, else 0. CUDA's __vsetlts4.
func Vsetlts4(a, b uint32) uint32 { return simdOnes(simdLts(a, b, topBytes), topBytes) }

// Vsetles2 returns 1 for each half with sign where a <= b, else 0. CUDA's __vsetles2.
func Vsetles2(a, b uint32) uint32 { return simdOnes(simdLts(b, a, topHalfs)^topHalfs, topHalfs) }

// Vsetles4 returns 1 for each byte with sign where a <= b, else 0. CUDA's __vsetles4.
func Vsetles4(a, b uint32) uint32 { return simdOnes(simdLts(b, a, topBytes)^topBytes, topBytes) }

// Vsetgts2 returns 1 for each half with sign where a > b, else 0. CUDA's __vsetgts2.
func Vsetgts2(a, b uint32) uint32 { return simdOnes(simdLts(b, a, topHalfs), topHalfs) }

// Vsetgts4 returns 1 for each byte with sign where a > b, else 0. CUDA's __vsetgts4.
func Vsetgts4(a, b uint32) uint32 { return simdOnes(simdLts(b, a, topBytes), topBytes) }

// Vsetges2 returns 1 for each half with sign where a >= b, else 0. CUDA's __vsetges2.
func Vsetges2(a, b uint32) uint32 { return simdOnes(simdLts(a, b, topHalfs)^topHalfs, topHalfs) }

// Vsetges4 returns 1 for each byte with sign where a >= b, else 0. CUDA's __vsetges4.
func Vsetges4(a, b uint32) uint32 { return simdOnes(simdLts(a, b, topBytes)^topBytes, topBytes) }

// Vsetltu2 returns 1 for each half without sign where a < b, else 0. CUDA's __vsetltu2.
func Vsetltu2(a, b uint32) uint32 { return simdOnes(simdLtu(a, b, topHalfs), topHalfs) }

// Vsetltu4 returns 1 for each byte without sign where a < b, else 0. CUDA's __vsetltu4.
func Vsetltu4(a, b uint32) uint32 { return simdOnes(simdLtu(a, b, topBytes), topBytes) }

// Vsetleu2 returns 1 for each half without sign where a <= b, else 0. CUDA's __vsetleu2.
func Vsetleu2(a, b uint32) uint32 { return simdOnes(simdLtu(b, a, topHalfs)^topHalfs, topHalfs) }

// Vsetleu4 returns 1 for each byte without sign where a <= b, else 0. CUDA's __vsetleu4.
func Vsetleu4(a, b uint32) uint32 { return simdOnes(simdLtu(b, a, topBytes)^topBytes, topBytes) }

// Vsetgtu2 returns 1 for each half without sign where a > b, else 0. CUDA's __vsetgtu2.
func Vsetgtu2(a, b uint32) uint32 { return simdOnes(simdLtu(b, a, topHalfs), topHalfs) }

// Vsetgtu4 returns 1 for each byte without sign where a > b, else 0. CUDA's __vsetgtu4.
func Vsetgtu4(a, b uint32) uint32 { return simdOnes(simdLtu(b, a, topBytes), topBytes) }

// Vsetgeu2 returns 1 for each half without sign where a >= b, else 0. CUDA's __vsetgeu2.
func Vsetgeu2(a, b uint32) uint32 { return simdOnes(simdLtu(a, b, topHalfs)^topHalfs, topHalfs) }

// Vsetgeu4 returns 1 for each byte without sign where a >= b, else 0. CUDA's __vsetgeu4.
func Vsetgeu4(a, b uint32) uint32 { return simdOnes(simdLtu(a, b, topBytes)^topBytes, topBytes) }
