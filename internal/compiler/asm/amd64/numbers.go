package amd64

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Integer division and multiplication, and conversions.

// divide prints a quotient of integers, by the faster method for consecutive dividends if it
// applies.
func (e *emitter) divide(x *lir.Instr) error {
	if x.Run && x.Kind == lir.I32 && !e.narrow(x.Kind) {
		return e.divideRun(x)
	}
	return e.divideLanes(x)
}

// divideRun prints the quotients of consecutive integers. If the first is not negative, and the
// divisor at least the number of lanes, all quotients are that of the first lane, or one more from
// some lane on.
func (e *emitter) divideRun(x *lir.Instr) error {
	var temps []string
	defer func() {
		for _, t := range temps {
			e.Give(t)
		}
	}()
	for range 3 {
		t := e.Take()
		if t == "" {
			return e.divideLanes(x)
		}
		temps = append(temps, t)
	}
	args, strip, by := temps[0], temps[1], temps[2]
	lanes, each, end := e.Lanes(4), e.NewLabel(), e.NewLabel()
	if err := e.Scalar(x.Bounds[0], "BX"); err != nil {
		return err
	}
	e.Line("LEAQ %d(BX)(DX*1), BX", x.Part*lanes)
	e.Argument(x.Bounds[1].Off, by)
	e.Line("CMPQ %s, $%d", by, lanes)
	e.Line("JLT %s", each)
	e.Line("TESTQ BX, BX")
	e.Line("JLT %s", each)
	e.Line("MOVQ AX, %s", args)
	e.Line("MOVQ DX, %s", strip)
	e.Line("MOVL BX, AX")
	e.Line("XORL DX, DX")
	e.Line("DIVL %s", by)
	e.Line("SUBL DX, %s", by)
	e.Line("DECL %s", by) // the last lane with the first quotient
	e.Line("MOVL AX, BX")
	e.Line("MOVQ %s, AX", args)
	e.Line("MOVQ %s, DX", strip)
	dst, s, iota := e.reg(x.Dst), e.scratch(), e.Iota(4)
	if e.Masks > 0 {
		e.Line("VPBROADCASTD BX, %s", dst)
		e.Line("VPBROADCASTD %s, %s", by, s)
		e.Line("VPCMPD $1, %s(SB), %s, %s", iota, s, e.scratchMask())
		e.Line("VPTERNLOGD $255, %s, %s, %s", s, s, s)
		e.Line("VPSUBD %s, %s, %s, %s", s, dst, e.scratchMask(), dst)
	} else {
		u := fmt.Sprintf("Y%d", e.At[x.Temps[1]])
		e.Line("VMOVQ BX, X%d", e.At[x.Dst])
		e.Line("VPBROADCASTD X%d, %s", e.At[x.Dst], dst)
		e.Line("VMOVQ %s, X%d", by, e.Vectors)
		e.Line("VPBROADCASTD X%d, %s", e.Vectors, s)
		e.Line("VMOVUPS %s(SB), %s", iota, u)
		e.Line("VPCMPGTD %s, %s, %s", s, u, s)
		e.Line("VPSUBD %s, %s, %s", s, dst, dst)
	}
	e.Line("JMP %s", end)
	e.Label(each)
	if err := e.divideLanes(x); err != nil {
		return err
	}
	e.Label(end)
	return nil
}

// divideLanes prints a quotient of 32-bit integers. It is computed in float64, which represents the
// operands exactly, and truncates to the exact quotient.
func (e *emitter) divideLanes(x *lir.Instr) error {
	wide := e.Masks > 0
	if x.Kind.Size() != 4 {
		return asm.ErrMissing
	}
	to, back := "VCVTDQ2PD", "VCVTTPD2DQ"
	if !x.Kind.IsSigned() {
		to, back = "VCVTUDQ2PD", "VCVTTPD2UDQ"
	}
	half := e.half()
	if !wide {
		back += "Y"
	}
	a, b, d, t, u, s := e.At[x.X], e.At[x.Y], e.At[x.Dst], e.At[x.Temps[0]], e.At[x.Temps[1]], e.Vectors
	of := func(a, b, d int) { // uses d and u as temporaries
		if !wide && !x.Kind.IsSigned() {
			// A 32-bit integer becomes the low bits of the fraction of 2^52, which is subtracted. The
			// quotient goes the same way back.
			big := e.doubles(0x4330000000000000)
			for _, r := range [][2]int{{b, u}, {a, d}} {
				e.Line("VPMOVZXDQ X%d, Y%d", r[0], r[1])
				e.Line("VPOR %s(SB), Y%d, Y%d", big, r[1], r[1])
				e.Line("VSUBPD %s(SB), Y%d, Y%d", big, r[1], r[1])
			}
			e.Line("VDIVPD Y%d, Y%d, Y%d", u, d, d)
			e.Line("VROUNDPD $11, Y%d, Y%d", d, d)
			e.Line("VADDPD %s(SB), Y%d, Y%d", big, d, d)
			e.Line("VEXTRACTF128 $1, Y%d, X%d", d, u)
			e.Line("VSHUFPS $0x88, X%d, X%d, X%d", u, d, d)
			return
		}
		e.Line("%s %s%d, %s%d", to, half, b, e.whole(), u)
		e.Line("%s %s%d, %s%d", to, half, a, e.whole(), d)
		e.Line("VDIVPD %s%d, %s%d, %s%d", e.whole(), u, e.whole(), d, e.whole(), d)
		e.Line("%s %s%d, %s%d", back, e.whole(), d, half, d)
	}
	if e.narrow(x.Kind) {
		of(a, b, t)
		e.Line("VMOVAPS %s%d, %s%d", half, t, half, d)
		return nil
	}
	extract, insert := "VEXTRACTI128", "VINSERTI128"
	if wide {
		extract, insert = "VEXTRACTI64X4", "VINSERTI64X4"
	}
	e.Line("%s $1, %s%d, %s%d", extract, e.whole(), a, half, t)
	e.Line("%s $1, %s%d, %s%d", extract, e.whole(), b, half, s)
	of(t, s, t)
	of(a, b, s)
	e.Line("%s $1, %s%d, %s%d, %s%d", insert, half, t, e.whole(), s, e.whole(), d)
	return nil
}

// multiply64 prints a product of 64-bit integers, from products of their halves.
func (e *emitter) multiply64(x *lir.Instr) {
	a, b, s, t := e.reg(x.X), e.reg(x.Y), e.scratch(), e.reg(x.Temps[0])
	e.Line("VPSRLQ $32, %s, %s", a, s)
	e.Line("VPMULUDQ %s, %s, %s", b, s, s)
	e.Line("VPSRLQ $32, %s, %s", b, t)
	e.Line("VPMULUDQ %s, %s, %s", a, t, t)
	e.Line("VPADDQ %s, %s, %s", t, s, s)
	e.Line("VPSLLQ $32, %s, %s", s, s)
	e.Line("VPMULUDQ %s, %s, %s", b, a, t)
	e.Line("VPADDQ %s, %s, %s", t, s, e.reg(x.Dst))
}

// multiplyHigh32 prints the high halves of 32-bit products: those of the even lanes, and those of
// the odd lanes.
func (e *emitter) multiplyHigh32(x *lir.Instr) {
	op := "VPMULUDQ"
	if x.Kind.IsSigned() {
		op = "VPMULDQ"
	}
	a, b, s, t, d := e.reg(x.X), e.reg(x.Y), e.scratchOf(x.Kind), e.reg(x.Temps[0]), e.reg(x.Dst)
	e.Line("VMOVSHDUP %s, %s", a, t)
	e.Line("%s %s, %s, %s", op, b, a, s)
	if x.Imm != 0 {
		e.Line("VMOVSHDUP %s, %s", b, d)
		b = d
	}
	e.Line("%s %s, %s, %s", op, b, t, t)
	if e.Masks == 0 {
		e.Line("VMOVSHDUP %s, %s", s, s)
		e.Line("VPBLENDD $0xaa, %s, %s, %s", t, s, d)
		return
	}
	e.Line("MOVL $0x5555, BX")
	e.Line("KMOVW BX, %s", e.scratchMask())
	e.Line("VMOVAPS %s, %s", t, d)
	e.Line("VMOVSHDUP %s, %s, %s", s, e.scratchMask(), d)
}

// multiplyHigh64 prints the high halves of unsigned 64-bit products, from the products of their
// 32-bit halves (Warren, Hacker's Delight, 8-2).
func (e *emitter) multiplyHigh64(x *lir.Instr) {
	a, b, s, t, u, d := e.reg(x.X), e.reg(x.Y), e.scratch(), e.reg(x.Temps[0]), e.reg(x.Temps[1]), e.reg(x.Dst)
	e.Line("VPSRLQ $32, %s, %s", a, s)
	e.Line("VPSRLQ $32, %s, %s", b, t)
	e.Line("VPMULUDQ %s, %s, %s", b, a, u)
	e.Line("VPSRLQ $32, %s, %s", u, u)
	e.Line("VPMULUDQ %s, %s, %s", b, s, d)
	e.Line("VPADDQ %s, %s, %s", u, d, d)
	e.Line("VPMULUDQ %s, %s, %s", t, a, u)
	e.Line("VPMULUDQ %s, %s, %s", t, s, t)
	e.Line("VPSLLQ $32, %s, %s", d, s)
	e.Line("VPSRLQ $32, %s, %s", s, s)
	e.Line("VPADDQ %s, %s, %s", s, u, u)
	e.Line("VPSRLQ $32, %s, %s", u, u)
	e.Line("VPSRLQ $32, %s, %s", d, d)
	e.Line("VPADDQ %s, %s, %s", t, d, d)
	e.Line("VPADDQ %s, %s, %s", u, d, d)
}

// convertWhole prints a conversion of 64-bit integers to float64 for AVX2. The two halves of an integer become the low
// bits of the fractions of 2^84 and of 2^52. Both are subtracted again; only the last sum is rounded. The highest bit
// of a signed integer is flipped, and 2^63 subtracted as well.
func (e *emitter) convertWhole(x *lir.Instr, from, dst string) {
	high, both := uint64(0x4530000000000000), uint64(0x4530000000100000)
	if x.From.IsSigned() {
		high, both = high|1<<31, both|1<<31
	}
	s := e.scratch()
	e.Line("VPSRLQ $32, %s, %s", from, s)
	e.Line("VPXOR %s(SB), %s, %s", e.doubles(high), s, s)
	e.Line("VSUBPD %s(SB), %s, %s", e.doubles(both), s, s)
	e.Line("VPBLENDD $0xaa, %s(SB), %s, %s", e.doubles(0x4330000000000000), from, dst)
	e.Line("VADDPD %s, %s, %s", s, dst, dst)
}

// convertSmall prints a conversion between floats and int64 for AVX2. Numbers of less than 51 bits are the low bits of
// the fraction of 1.5*2^52, plus these; others are converted lane by lane.
func (e *emitter) convertSmall(x *lir.Instr, from, dst string) {
	s, slow, end := e.scratch(), e.NewLabel(), e.NewLabel()
	magic := e.doubles(0x4338000000000000)
	truncated := func(doubles string) {
		e.Line("VROUNDPD $11, %s, %s", doubles, dst)
		e.Line("VADDPD %s(SB), %s, %s", magic, dst, dst)
		e.Line("VPSUBQ %s(SB), %s, %s", magic, dst, dst)
	}
	switch {
	case x.Kind == lir.I64 && x.From == lir.F32:
		half := fmt.Sprintf("X%d", e.Vectors)
		e.Line("VANDPS %s(SB), %s, %s", e.doubles(math.MaxInt32<<32|math.MaxInt32), from, half)
		limit := uint64(math.Float32bits(1 << 51))
		e.Line("VCMPPS $1, %s(SB), %s, %s", e.doubles(limit<<32|limit), half, half)
		e.Line("VMOVMSKPS %s, BX", half)
		e.Line("CMPL BX, $15")
		e.Line("JNE %s", slow)
		e.Line("VCVTPS2PD %s, %s", from, dst)
		truncated(dst)
	case x.Kind == lir.I64:
		e.Line("VANDPD %s(SB), %s, %s", e.doubles(1<<63-1), from, s)
		e.Line("VCMPPD $1, %s(SB), %s, %s", e.doubles(math.Float64bits(1<<51)), s, s)
		e.Line("VMOVMSKPD %s, BX", s)
		e.Line("CMPL BX, $15")
		e.Line("JNE %s", slow)
		truncated(from)
	default: // to float32: only the last conversion is rounded
		e.Line("VPADDQ %s(SB), %s, %s", e.doubles(1<<51), from, s)
		e.Line("VPSRLQ $52, %s, %s", s, s)
		e.Line("VPTEST %s, %s", s, s)
		e.Line("JNE %s", slow)
		e.Line("VPADDQ %s(SB), %s, %s", magic, from, s)
		e.Line("VSUBPD %s(SB), %s, %s", magic, s, s)
		e.Line("VCVTPD2PSY %s, %s", s, dst)
	}
	e.Line("JMP %s", end)
	e.Label(slow)
	e.convertLanes(x, from, dst)
	e.Label(end)
}

// convertLanes prints a conversion between floats and 64-bit integers for AVX2, lane by lane through
// the frame.
func (e *emitter) convertLanes(x *lir.Instr, from, dst string) {
	const result = 32 // offset of the results in the frame
	e.NeedFrame(result + 32)
	e.Line("VMOVUPS %s, 0(SP)", from)
	lanes, s := e.Lanes(8), fmt.Sprintf("X%d", e.Vectors)
	for i := range lanes {
		in, out := fmt.Sprintf("%d(SP)", i*x.From.Size()), fmt.Sprintf("%d(SP)", result+i*x.Kind.Size())
		if x.Kind == lir.I64 {
			e.Line("VCVTT%s2SIQ %s, BX", scalar(x.From), in)
			e.Line("MOVQ BX, %s", out)
			continue
		}
		e.Line("VXORPS %s, %s, %s", s, s, s) // breaks the dependence on the old value of the register
		e.Line("VCVTSI2%sQ %s, %s, %s", scalar(x.Kind), in, s, s)
		e.Line("VMOV%s %s, %s", scalar(x.Kind), s, out)
	}
	e.Line("VMOVUPS %d(SP), %s", result, dst)
}

// scalar is the suffix of instructions on one float.
func scalar(k lir.Kind) string {
	if k.Size() == 8 {
		return "SD"
	}
	return "SS"
}

// convert prints a conversion with Go's result on amd64.
func (e *emitter) convert(x *lir.Instr, dst string) error {
	type pair struct{ from, to lir.Kind }
	from, wide := e.reg(x.X), e.Masks > 0
	// If the source is longer than the result, the instruction's name has a suffix for the source's
	// length, except for 512 bits.
	long := map[bool]string{false: "Y"}[wide]
	name, needsWide := "", false
	switch (pair{x.From, x.Kind}) {
	case pair{lir.I32, lir.F32}:
		name = "VCVTDQ2PS"
	case pair{lir.F32, lir.I32}: // values out of range become the least int32
		name = "VCVTTPS2DQ"
	case pair{lir.U32, lir.F32}:
		name, needsWide = "VCVTUDQ2PS", true
	case pair{lir.F32, lir.F64}:
		name = "VCVTPS2PD"
	case pair{lir.F64, lir.F32}:
		name = "VCVTPD2PS" + long
	case pair{lir.I32, lir.F64}:
		name = "VCVTDQ2PD"
	case pair{lir.F64, lir.I32}:
		name = "VCVTTPD2DQ" + long
	case pair{lir.U32, lir.F64}: // the integer becomes the low bits of 2^52's fraction; 2^52 is subtracted
		s := e.scratchOf(x.Kind)
		e.Line("VPMOVZXDQ %s, %s", from, dst)
		e.splat(0x4330000000000000, 8, s)
		e.Line("VPOR%s %s, %s, %s", map[bool]string{true: "Q"}[wide], s, dst, dst)
		e.Line("VSUBPD %s, %s, %s", s, dst, dst)
		return nil
	case pair{lir.U64, lir.F64}:
		if name = "VCVTUQQ2PD"; !wide {
			e.convertWhole(x, from, dst)
			return nil
		}
	case pair{lir.U64, lir.F32}:
		name, needsWide = "VCVTUQQ2PS", true
	case pair{lir.F32, lir.U32}:
		name, needsWide = "VCVTTPS2UDQ", true
	case pair{lir.F64, lir.U32}:
		name, needsWide = "VCVTTPD2UDQ", true
	case pair{lir.I64, lir.F64}, pair{lir.I64, lir.F32}, pair{lir.F64, lir.I64}, pair{lir.F32, lir.I64}:
		switch {
		case wide:
		case x.Kind == lir.F64:
			e.convertWhole(x, from, dst)
			return nil
		default:
			e.convertSmall(x, from, dst)
			return nil
		}
		name = map[lir.Kind]string{lir.I64: "VCVTQQ2" + letter(x.Kind), lir.F64: "VCVTTPD2QQ", lir.F32: "VCVTTPS2QQ"}[x.From]
	case pair{lir.I32, lir.I64}, pair{lir.I32, lir.U64}:
		name = "VPMOVSXDQ"
	case pair{lir.U32, lir.I64}, pair{lir.U32, lir.U64}:
		name = "VPMOVZXDQ"
	case pair{lir.I64, lir.I32}, pair{lir.I64, lir.U32}, pair{lir.U64, lir.I32}, pair{lir.U64, lir.U32}:
		if !wide {
			e.halve(e.At[x.X], e.At[x.Dst])
			return nil
		}
		name = "VPMOVQD"
	default:
		if x.From.Size() != x.Kind.Size() || x.From.IsFloat() || x.Kind.IsFloat() {
			return asm.ErrMissing
		}
		name = "VMOVAPS"
	}
	if needsWide && !wide {
		return asm.ErrMissing
	}
	e.Line("%s %s, %s", name, from, dst)
	return nil
}
