package amd64

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Shuffles and ballots, for warps and other permutations of lanes.

// shuffle prints a constant permutation of the lanes of one or two vectors.
func (e *emitter) shuffle(x *lir.Instr) error {
	size := x.Kind.Size()
	lanes := e.Lanes(size)
	if size != e.Nest.Size || len(x.Pattern) != lanes {
		return asm.ErrMissing
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
	case e.Masks > 0 && both:
		e.Line("VMOVUPS %s(SB), %s", e.pattern(x.Pattern, size), s)
		e.Line("VPERMI2%s %s, %s, %s", letter(floats(x.Kind)), e.reg(x.Y), from, s)
		e.Line("VMOVAPS %s, %s", s, dst)
	case !both && (e.Masks > 0 || size == 4):
		e.Line("VMOVUPS %s(SB), %s", e.pattern(x.Pattern, size), s)
		e.Line("VPERM%s %s, %s, %s", letter(floats(x.Kind)), from, s, dst)
	case size == 4:
		t := e.reg(x.Temps[0])
		e.Line("VMOVUPS %s(SB), %s", e.pattern(x.Pattern, size), s)
		e.Line("VPERMPS %s, %s, %s", e.reg(x.Y), s, t)
		e.Line("VPERMPS %s, %s, %s", from, s, s)
		e.Line("VBLENDPS $%d, %s, %s, %s", e.second(x.Pattern), t, s, dst)
	case !both:
		e.Line("VPERMPD $%d, %s, %s", quarters(x.Pattern), from, dst)
	default:
		e.Line("VPERMPD $%d, %s, %s", quarters(x.Pattern), e.reg(x.Y), s)
		e.Line("VPERMPD $%d, %s, %s", quarters(x.Pattern), from, e.reg(x.Temps[0]))
		e.Line("VBLENDPD $%d, %s, %s, %s", e.second(x.Pattern), s, e.reg(x.Temps[0]), dst)
	}
	return nil
}

// floats is the float kind of the same size as k.
func floats(k lir.Kind) lir.Kind {
	if k.Size() == 8 {
		return lir.F64
	}
	return lir.F32
}

// second has a bit set for each lane that comes from the second vector.
func (e *emitter) second(pattern []uint8) int {
	bits := 0
	for i, p := range pattern {
		if int(p) >= len(pattern) {
			bits |= 1 << i
		}
	}
	return bits
}

// quarters encodes a permutation of four lanes as an immediate operand.
func quarters(pattern []uint8) int {
	bits := 0
	for i, p := range pattern {
		bits |= int(p) % 4 << (2 * i)
	}
	return bits
}

// pattern adds a table of lane numbers and returns its name.
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
	e.Constant(name, text.String())
	return name
}

// ballot prints the conversion of a mask to a number.
func (e *emitter) ballot(x *lir.Instr) {
	mask, at := e.reg(x.X), e.At[x.Dst]
	if e.Masks > 0 {
		e.Line("KMOVW %s, BX", mask)
		if e.Nest.Size == 8 {
			e.Line("MOVBLZX BX, BX")
		}
	} else {
		e.Line("VMOVMSK%s %s, BX", letter(map[int]lir.Kind{4: lir.F32, 8: lir.F64}[e.Nest.Size]), mask)
	}
	if x.Imm > 0 {
		e.Line("SHLL $%d, BX", x.Imm)
	}
	if e.Masks > 0 {
		e.Line("VPBROADCASTD BX, Z%d", at)
		return
	}
	e.Line("VMOVD BX, X%d", at)
	e.Line("VPBROADCASTD X%d, Y%d", at, at)
}
