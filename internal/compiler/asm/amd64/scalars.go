package amd64

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// The control flow of a func: scalar integers, pointers and jumps.

func (e *emitter) PerLane(int) bool { return false }

func (e *emitter) Tidy(text string) string { return text }

func (e *emitter) Enter(budget bool) {
	e.Line("MOVQ a+0(FP), AX")
	e.Line("XORL DX, DX")
	if budget {
		e.Line("MOVQ $%d, %d(SP)", asm.MostRounds, asm.BudgetAt)
		e.Line("MOVQ $%d, %d(SP)", asm.MostPatience, asm.PatienceAt)
	}
}

func (e *emitter) JumpThreads(more int, less bool, arg int, label string) {
	r, jump := "DX", "JLE"
	if more > 0 {
		r = "BX"
		e.Line("LEAQ %d(DX), BX", more)
	}
	if less {
		jump = "JLT"
	}
	e.Line("CMPQ %s, %d(AX)", r, arg)
	e.Line("%s %s", jump, label)
}

func (e *emitter) JumpBefore(arg int, label string) {
	e.Line("MOVQ %d(AX), BX", arg)
	e.Line("CMPQ BX, 0(AX)")
	e.Line("JLT %s", label)
}

func (e *emitter) Advance(threads int) { e.Line("ADDQ $%d, DX", threads) }

func (e *emitter) Return(r asm.Result) {
	e.Line("VZEROUPPER")
	if r == asm.All {
		e.Line("MOVQ 0(AX), DX")
	}
	if r == asm.Fault {
		e.Line("NOTQ DX")
	}
	if r != asm.Nothing {
		e.Line("MOVQ DX, ret+8(FP)")
	}
	e.Line("RET")
}

func (e *emitter) Tail(mask lir.Value) {
	e.Line("MOVQ 0(AX), BX")
	e.Line("SUBQ DX, BX")
	e.below(e.reg(mask))
}

func (e *emitter) Begin(g int, r string) {
	if e.Nest.Groups[g].Frame {
		e.Frame(e.Nest.Groups[g].Off, r)
		return
	}
	of := e.Nest.Groups[g]
	switch {
	case of.Row != nil:
		e.Line("MOVQ %d(AX), %s", of.Off, r)
		return
	case of.Stride != 0:
		e.Line("LEAQ %d(DX), %s", of.First, r)
		e.Line("IMULQ %d(AX), %s", of.Stride, r)
		e.Line("ADDQ %d(AX), %s", of.Base, r)
	default:
		e.Line("MOVQ %d(AX), %s", of.Base, r)
	}
	e.Line("ADDQ %d(AX), %s", of.Off, r)
}

func (e *emitter) Frame(off int, r string) {
	e.Line("LEAQ %d(SP), %s", off+63, r)
	e.Line("ANDQ $-64, %s", r)
}

func (e *emitter) JumpUnless(s lir.Scalar, label string) error {
	if len(s.Terms) == 0 && s.Strip == 0 {
		e.Line("CMPQ %d(AX), $0", s.Off)
		e.Line("JLE %s", label)
		return nil
	}
	if err := e.Scalar(s, "BX"); err != nil {
		return err
	}
	e.JumpNotPositive("BX", label)
	return nil
}

func (e *emitter) JumpNone(masks []lir.Value, label string) {
	e.any(masks)
	e.Line("JEQ %s", label)
}

func (e *emitter) JumpNotPositive(r, label string) {
	e.Line("TESTQ %s, %s", r, r)
	e.Line("JLE %s", label)
}

func (e *emitter) Strip() string { return "DX" }

func (e *emitter) Temp() string { return "BX" }

func (e *emitter) Slot(at int) string { return fmt.Sprintf("%d(SP)", at) }

func (e *emitter) Move(from, to string) { e.Line("MOVQ %s, %s", from, to) }

func (e *emitter) Zero(r string) { e.Line("XORL %s, %s", r, r) }

func (e *emitter) Increment(r string) { e.Line("INCQ %s", r) }

func (e *emitter) Argument(arg int, r string) { e.Line("MOVQ %d(AX), %s", arg, r) }

func (e *emitter) AddTerm(t lir.Term, round, r string) error {
	if t.Off < 0 && t.Const == 1 {
		e.Line("ADDQ %s, %s", round, r)
		return nil
	}
	if t.Off < 0 && t.Const == -1 {
		e.Line("SUBQ %s, %s", round, r)
		return nil
	}
	temp := e.Take()
	if temp == "" {
		return asm.ErrRegisters
	}
	if t.Off >= 0 {
		e.Line("MOVQ %s, %s", round, temp)
		e.Line("IMULQ %d(AX), %s", t.Off, temp)
	} else {
		e.Line("IMUL3Q $%d, %s, %s", t.Const, round, temp)
	}
	e.Line("ADDQ %s, %s", temp, r)
	e.Give(temp)
	return nil
}

func (e *emitter) Step(s lir.Step, place string) {
	switch {
	case s.Off >= 0 && asm.InFrame(place):
		e.Line("MOVQ %d(AX), BX", s.Off)
		e.Line("ADDQ BX, %s", place)
	case s.Off >= 0:
		e.Line("ADDQ %d(AX), %s", s.Off, place)
	default:
		e.Line("ADDQ $%d, %s", s.Const, place)
	}
}

func (e *emitter) Align() { e.Line("PCALIGN $32") }

func (e *emitter) CountDown(place, label string) {
	e.Line("DECQ %s", place)
	e.Line("JNZ %s", label)
}

func (e *emitter) CountUp(r, limit string, arg int, label string) {
	if limit == "" {
		limit = fmt.Sprintf("%d(AX)", arg)
	}
	e.Line("INCQ %s", r)
	e.Line("CMPQ %s, %s", r, limit)
	e.Line("JLT %s", label)
}

func (e *emitter) Budget(label string) {
	e.Line("DECQ %d(SP)", asm.BudgetAt)
	e.Line("JZ %s", label)
}

func (e *emitter) Patience(masks []lir.Value, few int, label string) {
	for i, m := range masks {
		if e.Masks > 0 {
			e.Line("KMOV%s %s, BX", e.maskLetter(), e.reg(m))
		} else {
			e.laneBits(m, "BX")
		}
		e.Line("POPCNTQ BX, BX")
		if i > 0 {
			e.Line("ADDQ %d(SP), BX", asm.LanesAt)
		}
		if i+1 < len(masks) {
			e.Line("MOVQ BX, %d(SP)", asm.LanesAt)
		}
	}
	many, out := e.NewLabel(), e.NewLabel()
	e.Line("CMPQ BX, $%d", few)
	e.Line("JGT %s", many)
	e.Line("DECQ %d(SP)", asm.PatienceAt)
	e.Line("JZ %s", label)
	e.Line("JMP %s", out)
	e.Label(many)
	e.Line("INCQ %d(SP)", asm.PatienceAt)
	e.Label(out)
}
