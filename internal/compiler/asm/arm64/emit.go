// Package arm64 generates instructions for nests on arm64, with NEON. A vector has 16 bytes: four
// 32-bit or two 64-bit numbers. In a nest with both sizes, 32-bit numbers are in the low halves of
// registers. Masks are vectors of ones and zeros.
package arm64

import (
	"fmt"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// NEON is available on all arm64 processors. V28 to V31 are reserved as temporaries.
var NEON = &asm.Machine{Name: "NEON", Arch: "arm64", Bytes: 16, Vectors: 28, Columns: 1, FrameHead: frameHead, Totals: 14, Strips: true, Pool: pool, Near: near,
	Target: func(e *asm.Emitter) asm.Target { return &emitter{Emitter: e} }}

// Machines lists the instruction sets of arm64.
var Machines = []*asm.Machine{NEON}

// pool is the registers for pointers and counters. R18 belongs to the platform, R26 to R30 to the
// assembler and the runtime.
var pool = []string{"R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15", "R16", "R17", "R19", "R20", "R21", "R22", "R23", "R24", "R25"}

// Temporary registers. Shuffles use the last two as a table.
const (
	boundReg  = 28
	stepReg   = 29
	firstReg  = 30
	secondReg = 31
)

type emitter struct {
	*asm.Emitter
	*notes
}

// notes is what Prepare finds out about a nest.
type notes struct {
	perLane map[int]bool      // pointers that include the strip's first thread
	strides map[lir.Value]int // the arguments of constant strides
	groups  map[*lir.Instr]*group

	elements map[*lir.Instr]bool // scalar loads for products by element
	products map[*lir.Instr]int  // these products, with the operand that is an element
	follows  map[*lir.Instr]bool // masks with the same bounds as the preceding one
}

// v is the number of the register of a value.
func (e *emitter) v(x lir.Value) int { return e.At[x] }

// narrow reports whether values of a kind occupy half a register, because other values of the nest
// have twice their size.
func (e *emitter) narrow(k lir.Kind) bool { return k.Size() == 4 && e.Nest.Size == 8 }

// lanes is the number of lanes of a vector of the nest.
func (e *emitter) lanes() int { return e.Lanes(e.Nest.Size) }

// word prints an instruction that the assembler does not support.
func (e *emitter) word(op string, a arrangement, d, n, m int) { e.put(encode(op, a, d, n, m)) }

func (e *emitter) put(w word) {
	e.Macro(w.name, w.definition())
	e.Line("%s", w)
}

// three prints an instruction that the assembler supports: d = n op m.
func (e *emitter) three(op string, a arrangement, d, n, m int) {
	e.Line("%s V%d.%s, V%d.%s, V%d.%s", op, m, a.inGo(), n, a.inGo(), d, a.inGo())
}

// copy copies register n to register d.
func (e *emitter) copy(d, n int) {
	if d != n {
		e.Line("VORR V%d.B16, V%d.B16, V%d.B16", n, n, d)
	}
}

// splat sets all lanes of a register to a constant of size bytes.
func (e *emitter) splat(bits uint64, size, d int) {
	if size == 4 {
		bits = bits&0xffffffff | bits<<32
	}
	e.literal(bits, bits, d)
}

// literal sets a register to a constant, given as two halves.
func (e *emitter) literal(low, high uint64, d int) {
	if low == 0 && high == 0 {
		e.three("VEOR", b16, d, d, d)
		return
	}
	e.Line("VMOVQ $%#x, $%#x, V%d", low, high, d)
}

// iota sets lane i of a register to first+i.
func (e *emitter) iota(size, first, d int) {
	n := uint64(first)
	if size == 8 {
		e.literal(n, n+1, d)
		return
	}
	e.literal(n|(n+1)<<32, n+2|(n+3)<<32, d)
}

// dup broadcasts an integer register.
func (e *emitter) dup(r string, size, d int) { e.Line("VDUP %s, V%d.%s", r, d, whole(size).inGo()) }

// register names a register with its arrangement.
func register(d int, a arrangement) string { return fmt.Sprintf("V%d.%s", d, a.inGo()) }

// lane names a lane of a register.
func lane(d, size, i int) string {
	return fmt.Sprintf("V%d.%s[%d]", d, map[int]string{1: "B", 2: "H", 4: "S", 8: "D"}[size], i)
}

// Instr prints an instruction.
func (e *emitter) Instr(x *lir.Instr) error {
	d, size := e.v(x.Dst), x.Kind.Size()
	a := whole(size)
	n, m := e.v(x.X), e.v(x.Y)
	if g := e.groups[x]; g != nil {
		e.groupAccess(x, g)
		return nil
	}
	if x.InMemory() {
		if row := e.Nest.Groups[x.Mem.Group].Row; row != nil && row.Lanes {
			return asm.ErrMissing
		}
	}
	switch x.Op {
	case lir.Const:
		e.splat(x.Imm, size, d)
	case lir.Arg:
		e.Line("ADD $%d, R0, R2", x.Mem.Disp)
		e.Line("VLD1R (R2), [V%d.%s]", d, a.inGo())
	case lir.Strides:
		e.stridesOf(x, d)
	case lir.Load:
		e.load(x, d)
	case lir.Broadcast:
		e.broadcast(x, d)
	case lir.Gather:
		e.gather(x, d)
	case lir.Store:
		e.store(x)
	case lir.Scatter:
		return e.scatter(x)
	case lir.Atomic:
		return e.atomic(x)
	case lir.Tile, lir.Untile:
		return e.tile(x)
	case lir.Move, lir.Bits:
		e.copy(d, n)
	case lir.Add, lir.Sub, lir.Mul, lir.Div:
		e.arithmetic(x, d, n, m)
	case lir.MulHi:
		e.multiplyHigh(x, d, n, m)
	case lir.And:
		e.three("VAND", b16, d, n, m)
	case lir.Or:
		e.three("VORR", b16, d, n, m)
	case lir.Xor:
		e.three("VEOR", b16, d, n, m)
	case lir.Shl, lir.Shr:
		switch {
		case x.Imm == 0:
			e.copy(d, n)
		case x.Op == lir.Shl:
			e.Line("VSHL $%d, V%d.%s, V%d.%s", x.Imm, n, a.inGo(), d, a.inGo())
		case x.Kind.IsSigned():
			e.put(encodeShift(a, int(x.Imm), d, n))
		default:
			e.Line("VUSHR $%d, V%d.%s, V%d.%s", x.Imm, n, a.inGo(), d, a.inGo())
		}
	case lir.ShlBy, lir.ShrBy:
		// The instruction uses the low byte of the count as a signed number. Larger counts act like
		// 32; a 64-bit count is at most 64.
		by := m
		if size == 4 {
			by = stepReg
			e.splat(32, 4, by)
			e.three("VUMIN", s4, by, by, m)
		}
		op := "ushl"
		if x.Op == lir.ShrBy {
			e.word("neg", a, stepReg, by, 0)
			by = stepReg
			if x.Kind.IsSigned() {
				op = "sshl"
			}
		}
		e.word(op, a, d, n, by)
	case lir.Neg:
		op := "neg"
		if x.Kind.IsFloat() {
			op = "fneg"
		}
		e.word(op, a, d, n, 0)
	case lir.Abs:
		e.word("fabs", a, d, n, 0)
	case lir.Sqrt:
		e.word("fsqrt", a, d, n, 0)
	case lir.Floor:
		e.word("frintm", a, d, n, 0)
	case lir.Ceil:
		e.word("frintp", a, d, n, 0)
	case lir.Trunc:
		e.word("frintz", a, d, n, 0)
	case lir.RoundToEven:
		e.word("frintn", a, d, n, 0)
	case lir.Least:
		e.word("fmin", a, d, n, m)
	case lir.Most:
		e.word("fmax", a, d, n, m)
	case lir.FMA, lir.FNMA, lir.FMS:
		e.fused(x, d)
	case lir.Min, lir.Max:
		return e.extreme(x, d, n, m)
	case lir.Convert:
		return e.convert(x, d, n)
	case lir.Cmp:
		e.compare(x, d, n, m)
	case lir.Within:
		return e.within(x, d)
	case lir.Whole:
		if err := e.Scalar(x.Bounds[0], "R2"); err != nil {
			return err
		}
		e.Line("NEG R2, R2")
		e.Line("ASR $63, R2")
		e.dup("R2", 8, d)
	case lir.Index:
		return e.index(x, d)
	case lir.Bools:
		e.bools(x, d)
	case lir.PutBool:
		return e.putBool(x)
	case lir.Spill:
		e.Line("FMOVQ F%d, %s", n, e.Slot(int(x.Imm)))
	case lir.Reload:
		e.Line("FMOVQ %s, F%d", e.Slot(int(x.Imm)), d)
	case lir.Check:
		e.bits(n, "R3")
		e.Line("CBNZ R3, %s", asm.Exit(x))
	case lir.MaskAnd:
		e.three("VAND", b16, d, n, m)
	case lir.MaskOr:
		e.three("VORR", b16, d, n, m)
	case lir.MaskNot:
		e.word("bic", b16, d, n, m)
	case lir.Select:
		e.choose(x, d)
	case lir.Shuffle:
		return e.shuffle(x, d)
	case lir.Pairs:
		e.pairs(x.Kind, d, n, m)
	case lir.Total:
		e.total(x)
	case lir.Ballot:
		e.ballot(x, d)
	default:
		return asm.ErrMissing
	}
	return nil
}

// fused prints a fused multiply-add.
func (e *emitter) fused(x *lir.Instr, d int) {
	a, z := whole(x.Kind.Size()), e.v(x.Z)
	n, m, element := e.factors(x)
	op, to := "fmla", d
	if x.Op == lir.FNMA {
		op = "fmls"
	}
	if (d != z || x.Op == lir.FMS) && (d == n || d == m) {
		to = stepReg
	}
	if x.Op == lir.FMS {
		e.word("fneg", a, to, z, 0)
	} else {
		e.copy(to, z)
	}
	if element {
		e.put(encodeElement(op, a, to, n, m))
	} else {
		e.three("V"+strings.ToUpper(op), a, to, n, m)
	}
	e.copy(d, to)
}

// near prefers result registers that save a copy: instructions with three operands overwrite one of
// them.
func near(x *lir.Instr) (in, apart []lir.Value) {
	switch x.Op {
	case lir.FMA, lir.FNMA, lir.FMS:
		return []lir.Value{x.Z}, []lir.Value{x.X, x.Y}
	case lir.Select:
		return []lir.Value{x.X, x.Z, x.Y}, nil
	case lir.Move, lir.Bits:
		return []lir.Value{x.X}, nil
	}
	return nil, nil
}

// choose prints a Select: Y where X is on, else Z.
func (e *emitter) choose(x *lir.Instr, d int) {
	mask, y, z := e.maskOf(x.Kind, x.X), e.v(x.Y), e.v(x.Z)
	switch d {
	case mask:
		e.three("VBSL", b16, d, y, z)
	case z:
		e.three("VBIT", b16, d, y, mask)
	case y:
		e.three("VBIF", b16, d, z, mask)
	default:
		e.copy(d, mask)
		e.three("VBSL", b16, d, y, z)
	}
}

// index prints an arithmetic sequence over the lanes.
func (e *emitter) index(x *lir.Instr, d int) error {
	size := x.Kind.Size()
	temp := e.Take()
	if temp == "" {
		return asm.ErrRegisters
	}
	defer e.Give(temp)
	if err := e.Scalar(x.Bounds[0], temp); err != nil {
		return err
	}
	if err := e.Scalar(x.Bounds[1], "R2"); err != nil {
		return err
	}
	first := "R1"
	if from := x.Part * e.lanes(); from > 0 {
		first = "R3"
		e.Line("ADD $%d, R1, R3", from)
	}
	e.Line("MADD R2, %s, %s, %s", temp, first, temp)
	if size == 8 {
		e.dup(temp, 8, d)
		e.Line("ADD R2, %s", temp)
		e.Line("VMOV %s, %s", temp, lane(d, 8, 1))
		return nil
	}
	e.dup("R2", 4, stepReg)
	e.iota(4, 0, firstReg)
	e.word("mul", s4, stepReg, stepReg, firstReg)
	e.dup(temp, 4, d)
	e.three("VADD", s4, d, d, stepReg)
	return nil
}

// stridesOf prints the multiples of an argument by the lane number.
func (e *emitter) stridesOf(x *lir.Instr, d int) {
	e.Line("MOVD %d(R0), R2", x.Mem.Disp)
	if x.Kind.Size() == 8 {
		e.splat(0, 8, d)
		e.Line("VMOV R2, %s", lane(d, 8, 1))
		return
	}
	e.dup("R2", 4, stepReg)
	e.iota(4, 0, d)
	e.word("mul", s4, d, d, stepReg)
}
