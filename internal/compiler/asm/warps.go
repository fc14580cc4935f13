package asm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// shuffle prints lanes of one or two vectors in an order that is known.
func (e *emitter) shuffle(x *lir.Instr) error {
	size := x.Kind.Size()
	lanes := e.Lanes(size)
	if size != e.n.Size || len(x.Pattern) != lanes {
		return errMissing
	}
	from, dst, s := e.reg(x.X), e.reg(x.Dst), e.scratch()
	of := func(second bool) bool {
		return slices.ContainsFunc(x.Pattern, func(i uint8) bool { return int(i) >= lanes == second })
	}
	both := x.Y != 0 && of(true) && of(false)
	if x.Y != 0 && !of(false) {
		from = e.reg(x.Y)
	}
	switch {
	case e.masks > 0 && both:
		e.line("VMOVUPS %s(SB), %s", e.pattern(x.Pattern, size), s)
		e.line("VPERMI2%s %s, %s, %s", letter(floats(x.Kind)), e.reg(x.Y), from, s)
		e.line("VMOVAPS %s, %s", s, dst)
	case !both && (e.masks > 0 || size == 4):
		e.line("VMOVUPS %s(SB), %s", e.pattern(x.Pattern, size), s)
		e.line("VPERM%s %s, %s, %s", letter(floats(x.Kind)), from, s, dst)
	case size == 4:
		t := e.reg(x.Temps[0])
		e.line("VMOVUPS %s(SB), %s", e.pattern(x.Pattern, size), s)
		e.line("VPERMPS %s, %s, %s", e.reg(x.Y), s, t)
		e.line("VPERMPS %s, %s, %s", from, s, s)
		e.line("VBLENDPS $%d, %s, %s, %s", e.second(x.Pattern), t, s, dst)
	case !both:
		e.line("VPERMPD $%d, %s, %s", quarters(x.Pattern), from, dst)
	default:
		e.line("VPERMPD $%d, %s, %s", quarters(x.Pattern), e.reg(x.Y), s)
		e.line("VPERMPD $%d, %s, %s", quarters(x.Pattern), from, e.reg(x.Temps[0]))
		e.line("VBLENDPD $%d, %s, %s, %s", e.second(x.Pattern), s, e.reg(x.Temps[0]), dst)
	}
	return nil
}

// floats is the kind of floats of the size of k.
func floats(k lir.Kind) lir.Kind {
	if k.Size() == 8 {
		return lir.F64
	}
	return lir.F32
}

// second has a bit for each lane that is one of the second vector.
func (e *emitter) second(pattern []uint8) int {
	bits := 0
	for i, p := range pattern {
		if int(p) >= len(pattern) {
			bits |= 1 << i
		}
	}
	return bits
}

// quarters is the pattern of four lanes as an immediate operand has it.
func quarters(pattern []uint8) int {
	bits := 0
	for i, p := range pattern {
		bits |= int(p) % 4 << (2 * i)
	}
	return bits
}

// pattern makes a table of numbers of lanes known.
func (e *emitter) pattern(pattern []uint8, size int) string {
	name := fmt.Sprintf("gocudaLanes%d", size)
	var text strings.Builder
	for _, p := range pattern {
		name += fmt.Sprintf("_%d", p)
	}
	name += "<>"
	for i, p := range pattern {
		fmt.Fprintf(&text, "DATA %s+%d(SB)/%d, $%d\n", name, i*size, size, p)
	}
	fmt.Fprintf(&text, "GLOBL %s(SB), RODATA|NOPTR, $%d\n", name, len(pattern)*size)
	e.constant(name, text.String())
	return name
}

// ballot prints the lanes of a mask as a number.
func (e *emitter) ballot(x *lir.Instr) {
	mask, at := e.reg(x.X), e.at[x.Dst]
	if e.masks > 0 {
		e.line("KMOVW %s, BX", mask)
		if e.n.Size == 8 {
			e.line("MOVBLZX BX, BX")
		}
	} else {
		e.line("VMOVMSK%s %s, BX", letter(map[int]lir.Kind{4: lir.F32, 8: lir.F64}[e.n.Size]), mask)
	}
	if x.Imm > 0 {
		e.line("SHLL $%d, BX", x.Imm)
	}
	if e.masks > 0 {
		e.line("VPBROADCASTD BX, Z%d", at)
		return
	}
	e.line("VMOVD BX, X%d", at)
	e.line("VPBROADCASTD X%d, Y%d", at, at)
}
