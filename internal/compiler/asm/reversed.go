package asm

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Elements that are neighbours the other way round, as x[n-1-i]: a vector of them is read or stored at once, and reversed.

// reversed reports whether x is such a load or store.
func (e *emitter) reversed(x *lir.Instr) bool {
	return x.Down && x.On == 0 && x.From == 0 && x.Kind.Size() == e.n.Size
}

// loadReversed prints a load of them.
func (e *emitter) loadReversed(x *lir.Instr, dst string) {
	e.strided(x)
	e.reverse(e.lastLane(x), dst, x.Kind)
}

// storeReversed prints a store of them.
func (e *emitter) storeReversed(x *lir.Instr) {
	e.strided(x)
	e.reverse(e.reg(x.X), e.scratch(), x.Kind)
	e.line("VMOVUPS %s, %s", e.scratch(), e.lastLane(x))
}

// lastLane is where the element of the last lane is, which comes first, if BX is where that of the first lane is.
func (e *emitter) lastLane(x *lir.Instr) string {
	return fmt.Sprintf("%d(BX)", x.Mem.Disp-(e.Lanes(e.n.Size)-1)*x.Kind.Size())
}

// reverse prints the lanes of from in the other order.
func (e *emitter) reverse(from, dst string, k lir.Kind) {
	if e.masks == 0 && k.Size() == 8 {
		e.line("VPERMPD $0x1b, %s, %s", from, dst)
		return
	}
	lanes := e.Lanes(e.n.Size)
	pattern := make([]uint8, lanes)
	for i := range pattern {
		pattern[i] = uint8(lanes - 1 - i)
	}
	e.line("VMOVUPS %s(SB), %s", e.pattern(pattern, k.Size()), e.scratch())
	e.line("VPERM%s %s, %s, %s", letter(floats(k)), from, e.scratch(), dst)
}
