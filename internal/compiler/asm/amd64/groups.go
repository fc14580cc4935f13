package amd64

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Elements at small steady distances: neighbours the other way round, as x[n-1-i], and every second to fourth element, as x[2*i] or the fields of
// structs. Whole vectors of neighbours are read or stored, and their lanes moved to where they belong.

// grouped reports whether x is such a load, or such a store where there are masks for it.
func (e *emitter) grouped(x *lir.Instr) bool {
	if x.Every == 0 || x.On != 0 || x.From != 0 || x.Kind.Size() != e.Nest.Size {
		return false
	}
	return x.Every == -1 || x.Op == lir.Gather || e.Masks > 0
}

// vectorsOf returns how many elements from the first lane on the vectors begin that have the elements of all lanes, and no others behind the last.
func (e *emitter) vectorsOf(every int) (begins []int) {
	lanes := e.Lanes(e.Nest.Size)
	if every < 0 {
		return []int{1 - lanes}
	}
	last := every*(lanes-1) + 1 - lanes
	for at := 0; at < last; at += lanes {
		begins = append(begins, at)
	}
	return append(begins, last)
}

// loadGroup prints a load.
func (e *emitter) loadGroup(x *lir.Instr, dst string) {
	e.strided(x)
	size, lanes, begins := x.Kind.Size(), e.Lanes(e.Nest.Size), e.vectorsOf(x.Every)
	place := func(v int) string { return fmt.Sprintf("%d(BX)", x.Mem.Disp+begins[v]*size) }
	// from is the vector that lane i comes from, and its place there.
	from := func(i int) (v, at int) {
		for v = len(begins) - 1; v > 0 && x.Every*i < begins[v]; v-- {
		}
		return v, x.Every*i - begins[v]
	}
	if e.Masks > 0 && len(begins) > 1 {
		// The vectors so far are the one table, the next is the other; the register of the pattern is what both become.
		last, next := e.scratch(), dst
		if len(begins)%2 == 1 {
			last, next = dst, last
		}
		e.Line("VMOVUPS %s, %s", place(0), last)
		for v := 1; v < len(begins); v++ {
			pattern := make([]uint8, lanes)
			for i := range pattern {
				switch of, at := from(i); {
				case of == v:
					pattern[i] = uint8(lanes + at)
				case of < v && v == 1:
					pattern[i] = uint8(at)
				default:
					pattern[i] = uint8(i)
				}
			}
			e.Line("VMOVUPS %s(SB), %s", e.pattern(pattern, size), next)
			e.Line("VPERMI2%s %s, %s, %s", letter(floats(x.Kind)), place(v), last, next)
			last, next = next, last
		}
		return
	}
	for v := range begins {
		pattern, mask := make([]uint8, lanes), 0
		for i := range pattern {
			if of, at := from(i); of == v {
				pattern[i], mask = uint8(at), mask|1<<i
			}
		}
		to := dst
		if v > 0 {
			to = e.scratch()
		}
		e.permute(pattern, place(v), to, x.Kind)
		if v > 0 {
			e.Line("VBLEND%s $%d, %s, %s, %s", letter(floats(x.Kind)), mask, to, dst, dst)
		}
	}
}

// storeGroup prints a store.
func (e *emitter) storeGroup(x *lir.Instr) error {
	e.strided(x)
	size, lanes := x.Kind.Size(), e.Lanes(e.Nest.Size)
	if x.Every == -1 {
		pattern := make([]uint8, lanes)
		for i := range pattern {
			pattern[i] = uint8(lanes - 1 - i)
		}
		e.permute(pattern, e.reg(x.X), e.scratch(), x.Kind)
		e.Line("VMOVUPS %s, %d(BX)", e.scratch(), x.Mem.Disp-(lanes-1)*size)
		return nil
	}
	temp := e.Take()
	if temp == "" {
		return asm.ErrRegisters
	}
	defer func() { e.Give(temp) }()
	for v := range x.Every {
		pattern, mask := make([]uint8, lanes), 0
		for i := range lanes {
			if at := x.Every*i - v*lanes; 0 <= at && at < lanes {
				pattern[at], mask = uint8(i), mask|1<<at
			}
		}
		e.permute(pattern, e.reg(x.X), e.scratch(), x.Kind)
		e.Line("MOVL $%d, %s", mask, temp)
		e.Line("KMOVW %s, %s", temp, e.scratchMask())
		e.Line("VMOVU%s %s, %s, %d(BX)", letter(floats(x.Kind)), e.scratch(), e.scratchMask(), x.Mem.Disp+v*lanes*size)
	}
	return nil
}

// permute prints what makes lane i of to that of number pattern[i] of from, which may be in memory.
func (e *emitter) permute(pattern []uint8, from, to string, k lir.Kind) {
	if e.Masks == 0 && k.Size() == 8 {
		e.Line("VPERMPD $%d, %s, %s", quarters(pattern), from, to)
		return
	}
	e.Line("VMOVUPS %s(SB), %s", e.pattern(pattern, k.Size()), e.scratch())
	e.Line("VPERM%s %s, %s, %s", letter(floats(k)), from, e.scratch(), to)
}
