package arm64

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Shuffles of lanes, and transposed tiles.

// shuffle prints a constant permutation of the lanes of one or two vectors, by a table of bytes.
func (e *emitter) shuffle(x *lir.Instr, d int) error {
	size := x.Kind.Size()
	lanes := e.Lanes(size)
	if size != e.Nest.Size || len(x.Pattern) != lanes {
		return asm.ErrMissing
	}
	n := e.v(x.X)
	second := func(i uint8) bool { return int(i) >= lanes }
	both := x.Y != 0 && slices.ContainsFunc(x.Pattern, second)
	var half [2]uint64
	for i, p := range x.Pattern {
		for b := range size {
			at := i*size + b
			half[at/8] |= uint64(int(p)*size+b) << (8 * (at % 8))
		}
	}
	if !both {
		e.literal(half[0], half[1], stepReg)
		e.Line("VTBL V%d.B16, [V%d.B16], V%d.B16", stepReg, n, d)
		return nil
	}
	e.copy(firstReg, n)
	e.copy(secondReg, e.v(x.Y))
	e.literal(half[0], half[1], stepReg)
	e.Line("VTBL V%d.B16, [V%d.B16, V%d.B16], V%d.B16", stepReg, firstReg, secondReg, d)
	return nil
}

// tile prints the transposition of a square between memory and the frame.
func (e *emitter) tile(x *lir.Instr) error {
	if e.narrow(x.Kind) {
		return asm.ErrMissing
	}
	frame := e.Take()
	if frame == "" {
		return asm.ErrRegisters
	}
	defer e.Give(frame)
	e.framed(int(x.Imm), frame)
	e.strided(x)
	if x.Mem.Disp != 0 {
		e.Line("ADD $%d, R2", x.Mem.Disp)
	}
	rows := e.lanes()
	if rows > 1 {
		e.Line("MOVD %d(R0), R3", x.Mem.Stride)
	}
	v := func(i int) int { return e.v(x.Temps[i]) }
	inMemory := func(row int, format string) {
		e.Line(format, "(R2)")
		if row+1 < rows {
			e.Line("ADD R3, R2")
		}
	}
	inFrame := func(row int) string { return fmt.Sprintf("%d(%s)", 16*row, frame) }
	back := x.Op == lir.Untile
	for r := range rows {
		if back {
			e.Line("FMOVQ %s, F%d", inFrame(r), v(r))
		} else {
			inMemory(r, "FMOVQ %s, F"+fmt.Sprint(v(r)))
		}
	}
	out := []int{v(rows), v(rows + 1)}
	if rows == 2 {
		e.three("VZIP1", d2, out[0], v(0), v(1))
		e.three("VZIP2", d2, out[1], v(0), v(1))
	} else {
		t := func(i int) int { return v(rows + i) }
		e.three("VTRN1", s4, t(0), v(0), v(1))
		e.three("VTRN2", s4, t(1), v(0), v(1))
		e.three("VTRN1", s4, t(2), v(2), v(3))
		e.three("VTRN2", s4, t(3), v(2), v(3))
		out = []int{v(0), v(1), v(2), v(3)}
		e.three("VZIP1", d2, out[0], t(0), t(2))
		e.three("VZIP1", d2, out[1], t(1), t(3))
		e.three("VZIP2", d2, out[2], t(0), t(2))
		e.three("VZIP2", d2, out[3], t(1), t(3))
	}
	for r := range rows {
		if back {
			inMemory(r, "FMOVQ F"+fmt.Sprint(out[r])+", %s")
		} else {
			e.Line("FMOVQ F%d, %s", out[r], inFrame(r))
		}
	}
	return nil
}
