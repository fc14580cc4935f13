package amd64

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Masks: bits of mask registers with AVX-512, and vectors of ones and zeros with AVX2.

// any sets the zero flag if no lane of the masks is on.
func (e *emitter) any(masks []lir.Value) {
	all := e.reg(masks[0])
	for i, m := range masks[1:] {
		s := e.scratch()
		if e.Masks > 0 {
			s = e.scratchMask()
			if i == len(masks)-2 {
				e.Line("KORTEST%s %s, %s", e.maskLetter(), all, e.reg(m))
				return
			}
			e.Line("KOR%s %s, %s, %s", e.maskLetter(), all, e.reg(m), s)
		} else {
			e.Line("VORPS %s, %s, %s", all, e.reg(m), s)
		}
		all = s
	}
	if e.Masks > 0 {
		e.Line("KORTEST%s %s, %s", e.maskLetter(), all, all)
	} else {
		e.Line("VPTEST %s, %s", all, all)
	}
}

// below sets mask to the lanes whose number is less than BX.
func (e *emitter) below(mask string) { e.against(mask, false) }

// notBelow sets mask to the others.
func (e *emitter) notBelow(mask string) { e.against(mask, true) }

func (e *emitter) against(mask string, not bool) {
	s := e.scratch()
	name, q := e.Iota(e.Nest.Size), sizeLetter(e.Nest.Size)
	if e.tiny() { // only the lowest bits of BX count
		low, high := e.NewLabel(), e.NewLabel()
		e.Line("TESTQ BX, BX")
		e.Line("JGE %s", low)
		e.Line("XORL BX, BX")
		e.Label(low)
		e.Line("CMPQ BX, $127")
		e.Line("JLE %s", high)
		e.Line("MOVL $127, BX")
		e.Label(high)
	}
	if e.Masks > 0 {
		pred := 6 // greater
		if not {
			pred = 2 // less or equal
		}
		e.Line("VPBROADCAST%s BX, %s", q, s)
		e.Line("VPCMP%s $%d, %s(SB), %s, %s", q, pred, name, s, mask)
		return
	}
	if not {
		e.Line("DECQ BX")
	}
	e.Line("VMOVQ BX, X%d", e.Vectors)
	e.Line("VPBROADCAST%s X%d, %s", q, e.Vectors, s)
	if not {
		e.Line("VMOVUPS %s(SB), %s", name, mask)
		e.Line("VPCMPGT%s %s, %s, %s", q, s, mask, mask)
		return
	}
	e.Line("VPCMPGT%s %s(SB), %s, %s", q, name, s, mask)
}

func (e *emitter) compare(x *lir.Instr, dst string) error {
	r, k := e.reg, x.From
	q := sizeLetter(k.Size())
	if e.Masks > 0 {
		y, bcst := e.operand(x)
		if k.IsFloat() {
			e.Line("VCMP%s%s $%d, %s, %s, %s", letter(k), bcst, floatPreds[x.Pred], y, r(x.X), dst)
			return nil
		}
		imm := [...]int{0, 4, 1, 2, 6, 5}[x.Pred]
		u := "U"
		if k.IsSigned() {
			u = ""
		}
		e.Line("VPCMP%s%s%s $%d, %s, %s, %s", u, q, bcst, imm, y, r(x.X), dst)
		return nil
	}
	whole := dst
	dst = fmt.Sprintf("%s%d", e.width(k), e.At[x.Dst])
	a, b := r(x.X), r(x.Y)
	not := x.Pred == lir.Ne || x.Pred == lir.Le || x.Pred == lir.Ge
	switch {
	case k.IsFloat():
		e.Line("VCMP%s $%d, %s, %s, %s", letter(k), floatPreds[x.Pred], b, a, dst)
		not = false
	case x.Pred == lir.Eq || x.Pred == lir.Ne:
		e.Line("VPCMPEQ%s %s, %s, %s", q, b, a, dst)
	case k.IsSigned():
		if x.Pred == lir.Lt || x.Pred == lir.Ge { // b > a
			a, b = b, a
		}
		e.Line("VPCMPGT%s %s, %s, %s", q, b, a, dst)
	case k.Size() <= 4: // a <= b if a is the minimum
		op := "VPMINU"
		if x.Pred == lir.Lt || x.Pred == lir.Ge {
			op = "VPMAXU"
		}
		s := e.scratchOf(k)
		e.Line("%s%s %s, %s, %s", op, q, b, a, s)
		e.Line("VPCMPEQ%s %s, %s, %s", q, s, a, dst)
		not = x.Pred == lir.Lt || x.Pred == lir.Gt
	default:
		return asm.ErrMissing
	}
	if not {
		s := e.scratchOf(k)
		e.Line("VPCMPEQD %s, %s, %s", s, s, s)
		e.Line("VPXOR %s, %s, %s", s, dst, dst)
	}
	if e.narrow(k) {
		e.Line("VPMOVSXDQ %s, %s", dst, whole)
	}
	return nil
}

// floatPreds are the predicates of float comparisons as immediates. All but the second, not equal,
// are false for NaN.
var floatPreds = [...]int{0, 4, 0x11, 0x12, 0x1e, 0x1d}

// within prints a mask of the lanes in an interval.
func (e *emitter) within(x *lir.Instr, dst string) error {
	first := x.Part * e.Lanes(e.Nest.Size)
	bound := func(s lir.Scalar) error {
		if err := e.Scalar(s, "BX"); err != nil {
			return err
		}
		e.Line("SUBQ DX, BX")
		if first > 0 {
			e.Line("SUBQ $%d, BX", first)
		}
		if len(s.Terms) == 0 {
			return nil // the bound is between 0 and the number of threads
		}
		temp := e.Take()
		if temp == "" {
			return asm.ErrRegisters
		}
		for _, c := range []struct {
			limit int
			move  string
		}{{0, "CMOVQLT"}, {127, "CMOVQGT"}} {
			e.Line("MOVL $%d, %s", c.limit, temp)
			e.Line("CMPQ BX, %s", temp)
			e.Line("%s %s, BX", c.move, temp)
		}
		e.Give(temp)
		return nil
	}
	if !x.Open[1] {
		if err := bound(x.Bounds[1]); err != nil {
			return err
		}
		e.below(dst)
		if x.Open[0] {
			return nil
		}
	}
	if err := bound(x.Bounds[0]); err != nil {
		return err
	}
	if x.Open[1] {
		e.notBelow(dst)
		return nil
	}
	if e.Masks > 0 {
		e.below(e.scratchMask())
		e.Line("KANDN%s %s, %s, %s", e.maskLetter(), dst, e.scratchMask(), dst)
		return nil
	}
	e.below(e.scratch())
	e.Line("VANDNPS %s, %s, %s", dst, e.scratch(), dst)
	return nil
}
