package arm64

import (
	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Integer and float arithmetic, and conversions.

func (e *emitter) arithmetic(x *lir.Instr, d, n, m int) {
	size := x.Kind.Size()
	a := whole(size)
	_, element := e.products[x]
	switch {
	case element:
		n, m, _ = e.factors(x)
		e.put(encodeElement("fmul", a, d, n, m))
	case x.Kind.IsFloat():
		e.word([...]string{"fadd", "fsub", "fmul", "fdiv"}[x.Op-lir.Add], a, d, n, m)
	case x.Op == lir.Add:
		e.three("VADD", a, d, n, m)
	case x.Op == lir.Sub:
		e.three("VSUB", a, d, n, m)
	case x.Op == lir.Mul && size == 4:
		e.word("mul", a, d, n, m)
	case size == 8: // lane by lane
		op := "MUL"
		if x.Op == lir.Div {
			op = map[bool]string{false: "UDIV", true: "SDIV"}[x.Kind.IsSigned()]
		}
		for i := range 2 {
			e.Line("VMOV %s, R2", lane(n, 8, i))
			e.Line("VMOV %s, R3", lane(m, 8, i))
			e.Line("%s R3, R2", op)
			e.Line("VMOV R2, %s", lane(stepReg, 8, i))
		}
		e.copy(d, stepReg)
	default:
		e.divide(x, d, n, m)
	}
}

// multiplyHigh prints the high halves of products.
func (e *emitter) multiplyHigh(x *lir.Instr, d, n, m int) {
	if x.Kind.Size() == 8 { // lane by lane
		for i := range 2 {
			e.Line("VMOV %s, R2", lane(n, 8, i))
			e.Line("VMOV %s, R3", lane(m, 8, i))
			e.Line("UMULH R3, R2, R2")
			e.Line("VMOV R2, %s", lane(stepReg, 8, i))
		}
		e.copy(d, stepReg)
		return
	}
	op := "umull"
	if x.Kind.IsSigned() {
		op = "smull"
	}
	e.put(encodeLong(op, firstReg, n, m))
	if e.narrow(x.Kind) {
		e.three("VUZP2", s4, d, firstReg, firstReg)
		return
	}
	e.put(encodeLong(op+"2", secondReg, n, m))
	e.three("VUZP2", s4, d, firstReg, secondReg)
}

// divide prints a quotient of 32-bit integers. It is computed in float64, which represents the
// operands exactly, and truncates to the exact quotient.
func (e *emitter) divide(x *lir.Instr, d, n, m int) {
	to, back := "scvtf", "fcvtzs"
	if !x.Kind.IsSigned() {
		to, back = "ucvtf", "fcvtzu"
	}
	// of sets register r to the quotients of the low halves of a and b.
	of := func(a, b, r int) {
		e.widen(x.Kind, a, r)
		e.word(to, d2, r, r, 0)
		e.widen(x.Kind, b, stepReg)
		e.word(to, d2, stepReg, stepReg, 0)
		e.word("fdiv", d2, r, r, stepReg)
		e.word(back, d2, r, r, 0)
	}
	if e.narrow(x.Kind) {
		of(n, m, firstReg)
		e.put(encodeWidth("xtn", s2, d, firstReg))
		return
	}
	of(n, m, firstReg)
	e.three("VEXT $8,", b16, secondReg, n, n)
	e.three("VEXT $8,", b16, stepReg, m, m)
	of(secondReg, stepReg, secondReg)
	e.three("VUZP1", s4, d, firstReg, secondReg) // the low halves of all
}

// widen extends the low half of register n to 64-bit integers.
func (e *emitter) widen(k lir.Kind, n, d int) {
	if k.IsSigned() {
		e.put(encodeWidth("sxtl", s2, d, n))
	} else {
		e.Line("VUSHLL $0, V%d.S2, V%d.D2", n, d)
	}
}

// extreme prints the minimum or maximum of integers.
func (e *emitter) extreme(x *lir.Instr, d, n, m int) error {
	greater, signed := x.Op == lir.Max, x.Kind.IsSigned()
	switch {
	case x.Kind.IsFloat():
		return asm.ErrMissing
	case x.Kind.Size() == 8:
		op := map[bool]string{false: "cmhi", true: "cmgt"}[signed]
		if greater {
			e.word(op, d2, stepReg, n, m)
		} else {
			e.word(op, d2, stepReg, m, n)
		}
		e.three("VBSL", b16, stepReg, n, m)
		e.copy(d, stepReg)
	case signed:
		e.word(map[bool]string{false: "smin", true: "smax"}[greater], s4, d, n, m)
	default:
		e.three(map[bool]string{false: "VUMIN", true: "VUMAX"}[greater], s4, d, n, m)
	}
	return nil
}

// convert prints a conversion with Go's result on arm64: floats out of range become the ends of the
// integer's range, and NaN becomes 0.
func (e *emitter) convert(x *lir.Instr, d, n int) error {
	type pair struct{ from, to lir.Kind }
	switch (pair{x.From, x.Kind}) {
	case pair{lir.I32, lir.F32}:
		e.word("scvtf", s4, d, n, 0)
	case pair{lir.U32, lir.F32}:
		e.word("ucvtf", s4, d, n, 0)
	case pair{lir.F32, lir.I32}:
		e.word("fcvtzs", s4, d, n, 0)
	case pair{lir.F32, lir.U32}:
		e.word("fcvtzu", s4, d, n, 0)
	case pair{lir.F64, lir.U32}:
		e.word("fcvtzu", d2, stepReg, n, 0)
		e.put(encodeWidth("xtn", s2, d, stepReg))
	case pair{lir.U64, lir.F64}:
		e.word("ucvtf", d2, d, n, 0)
	case pair{lir.U64, lir.F32}: // rounded once, lane by lane
		e.Line("VMOV %s, R2", lane(n, 8, 0))
		e.Line("VMOV %s, R3", lane(n, 8, 1))
		e.Line("UCVTFS R2, F%d", d)
		e.Line("UCVTFS R3, F%d", stepReg)
		e.Line("VMOV %s, %s", lane(stepReg, 4, 0), lane(d, 4, 1))
	case pair{lir.F32, lir.F64}:
		e.put(encodeWidth("fcvtl", s2, d, n))
	case pair{lir.F64, lir.F32}:
		e.put(encodeWidth("fcvtn", s2, d, n))
	case pair{lir.I32, lir.F64}, pair{lir.U32, lir.F64}: // exact by way of 64 bits
		e.widen(x.From, n, d)
		e.word("scvtf", d2, d, d, 0)
	case pair{lir.F64, lir.I32}:
		e.word("fcvtzs", d2, stepReg, n, 0)
		e.put(encodeWidth("sqxtn", s2, d, stepReg))
	case pair{lir.I64, lir.F64}:
		e.word("scvtf", d2, d, n, 0)
	case pair{lir.I64, lir.F32}: // lane by lane, for a single rounding
		e.Line("VMOV %s, R2", lane(n, 8, 0))
		e.Line("VMOV %s, R3", lane(n, 8, 1))
		e.Line("SCVTFS R2, F%d", d)
		e.Line("SCVTFS R3, F%d", stepReg)
		e.Line("VMOV %s, %s", lane(stepReg, 4, 0), lane(d, 4, 1))
	case pair{lir.F64, lir.I64}:
		e.word("fcvtzs", d2, d, n, 0)
	case pair{lir.F32, lir.I64}:
		e.put(encodeWidth("fcvtl", s2, d, n))
		e.word("fcvtzs", d2, d, d, 0)
	case pair{lir.I32, lir.I64}, pair{lir.I32, lir.U64}, pair{lir.U32, lir.I64}, pair{lir.U32, lir.U64}:
		e.widen(x.From, n, d)
	case pair{lir.I64, lir.I32}, pair{lir.I64, lir.U32}, pair{lir.U64, lir.I32}, pair{lir.U64, lir.U32}:
		e.put(encodeWidth("xtn", s2, d, n))
	default:
		if x.From.Size() != x.Kind.Size() || x.From.IsFloat() || x.Kind.IsFloat() {
			return asm.ErrMissing
		}
		e.copy(d, n)
	}
	return nil
}
