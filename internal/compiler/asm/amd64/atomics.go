package amd64

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Atomic operations, lane by lane through the frame. Lanes that update the same element are
// combined first: integers in any order, and so are floats that are Free; others are in the order of
// the lanes.

// Slots of the frame, behind those of scatters.
const (
	keptAX    = 128 // holds AX, which CMPXCHG compares
	keptValue = 136 // holds the number of a lane, or the sum of all
	keptLanes = 144 // holds the active lanes
)

// atomics prints the operations of one instruction.
type atomics struct {
	e    *emitter
	x    *lir.Instr
	on   string // the lanes that remain
	at   string // the number of a lane, then the address of its element
	temp string // a lane's operand, or all of them combined
	sum  string // the new value of the element
	size string // the suffix of integer instructions
}

// atomic prints the operations of the active lanes on their elements.
func (e *emitter) atomic(x *lir.Instr) error {
	var regs [4]string
	for i := range regs {
		if regs[i] = e.Take(); regs[i] == "" {
			return asm.ErrRegisters
		}
		defer func() { e.Give(regs[i]) }()
	}
	a := &atomics{e, x, regs[0], regs[1], regs[2], regs[3], "L"}
	if x.Kind.Size() == 8 {
		a.size = "Q"
	}
	e.NeedFrame(keptLanes + 8)
	e.Line("VMOVUPS %s, 0(SP)", e.reg(x.X))
	if x.Y != 0 {
		e.strided(x)
		e.Line("VMOVUPS %s, %d(SP)", e.reg(x.Y), e.Bytes)
	} else {
		e.Line("LEAQ %s, BX", e.address(x.Mem))
	}
	lanes := e.Lanes(e.Nest.Size)
	switch {
	case x.On == 0:
		e.Line("MOVL $%d, %s", 1<<lanes-1, a.on)
	case e.Masks > 0:
		e.Line("KMOVW %s, %s", e.reg(x.On), a.on)
		e.Line("ANDL $%d, %s", 1<<lanes-1, a.on)
	default:
		e.Line("VMOVMSKP%s %s, %s", letter8(e.Nest.Size), e.reg(x.On), a.on)
	}
	end := e.NewLabel()
	e.Line("TESTL %s, %s", a.on, a.on)
	e.Line("JEQ %s", end)
	swaps := !x.Own && a.op() == ""
	if swaps {
		e.Line("MOVQ AX, %d(SP)", keptAX)
	}
	if x.Mem.Uniform && x.Y == 0 {
		a.together()
	} else {
		a.apart()
	}
	if swaps {
		e.Line("MOVQ %d(SP), AX", keptAX)
	}
	e.Label(end)
	return nil
}

// op is the instruction with a memory destination, or "".
func (a *atomics) op() string {
	op := map[lir.Op]string{lir.Add: "ADD", lir.And: "AND", lir.Or: "OR", lir.Xor: "XOR"}[a.x.By]
	if op == "" || a.x.Kind.IsFloat() {
		return ""
	}
	return op + a.size
}

// float is the register that accumulates floats.
func (a *atomics) float() string { return fmt.Sprintf("X%d", a.e.Vectors) }

// bits is the move between integer and vector registers.
func (a *atomics) bits() string { return map[string]string{"L": "VMOVD", "Q": "VMOVQ"}[a.size] }

// scalar is the suffix of scalar float instructions.
func (a *atomics) scalar() string { return map[string]string{"L": "SS", "Q": "SD"}[a.size] }

func (a *atomics) line(format string, args ...any) { a.e.Line(format, args...) }

// next moves the number of the next remaining lane into at, and removes it from on.
func (a *atomics) next() {
	a.line("TZCNTL %s, %s", a.on, a.at)
	a.line("BTRL %s, %s", a.at, a.on)
}

// lane is the operand of the lane whose number is in at, in the frame.
func (a *atomics) lane() string { return fmt.Sprintf("0(SP)(%s*%d)", a.at, a.x.Kind.Size()) }

// again jumps back to top if lanes remain.
func (a *atomics) again(top string) {
	a.line("TESTL %s, %s", a.on, a.on)
	a.line("JNE %s", top)
}

// lock prints the LOCK prefix, unless no other goroutine accesses the element.
func (a *atomics) lock() {
	if !a.x.Own {
		a.line("LOCK")
	}
}

// better sets the register to to the minimum, or the maximum, of from and to.
func (a *atomics) better(from, to string) {
	less, more := "LT", "GT"
	if !a.x.Kind.IsSigned() {
		less, more = "CS", "HI"
	}
	if a.x.By == lir.Max {
		less = more
	}
	a.line("CMP%s %s, %s", a.size, from, to)
	a.line("CMOV%s%s %s, %s", a.size, less, from, to)
}

// apart prints the update of each lane's own element.
func (a *atomics) apart() {
	e, x := a.e, a.x
	top := e.NewLabel()
	e.Label(top)
	a.next()
	a.line("MOV%s %s, %s", a.size, a.lane(), a.temp)
	place := fmt.Sprintf("0(BX)(%s*%d)", a.at, x.Kind.Size())
	if x.Y != 0 {
		move, size := "MOVLQSX", e.Nest.Kinds[x.Y].Size()
		if size == 8 {
			move = "MOVQ"
		}
		a.line("%s %d(SP)(%s*%d), %s", move, e.Bytes, a.at, size, a.at)
		place = fmt.Sprintf("%d(BX)(%s*%d)", x.Mem.Disp, a.at, x.Kind.Size())
	}
	switch op := a.op(); {
	case op != "":
		a.lock()
		a.line("%s %s, %s", op, a.temp, place)
	case x.Own:
		a.line("%s %s, %s", a.bits(), a.temp, a.float())
		a.line("VADD%s %s, %s, %s", a.scalar(), place, a.float(), a.float())
		a.line("VMOV%s %s, %s", a.scalar(), a.float(), place)
	default:
		a.line("LEAQ %s, %s", place, a.at)
		a.line("MOV%s %s, %d(SP)", a.size, a.temp, keptValue)
		a.swap(a.at, func() {
			if !x.Kind.IsFloat() {
				a.line("MOV%s %s, %s", a.size, a.temp, a.sum)
				a.better("AX", a.sum)
				return
			}
			a.addKept()
		})
	}
	a.again(top)
}

// swap prints a compare-and-swap loop for the element at address. do computes the new value, in
// sum, from the old one, in AX.
func (a *atomics) swap(address string, do func()) {
	retry := a.e.NewLabel()
	a.e.Label(retry)
	a.line("MOV%s (%s), AX", a.size, address)
	do()
	a.line("LOCK")
	a.line("CMPXCHG%s %s, (%s)", a.size, a.sum, address)
	a.line("JNE %s", retry)
}

// addKept leaves the sum of the old value, in AX, and of the number in keptValue in sum.
func (a *atomics) addKept() {
	a.line("%s AX, %s", a.bits(), a.float())
	a.line("VADD%s %d(SP), %s, %s", a.scalar(), keptValue, a.float(), a.float())
	a.line("%s %s, %s", a.bits(), a.float(), a.sum)
}

// together prints the update of the one element at BX by all lanes.
func (a *atomics) together() {
	e, x := a.e, a.x
	if x.Kind.IsFloat() && x.Free && !e.narrow(x.Kind) {
		a.total()
		if x.Own {
			a.line("VADD%s (BX), %s, %s", a.scalar(), a.float(), a.float())
			a.line("VMOV%s %s, (BX)", a.scalar(), a.float())
			return
		}
		a.line("VMOV%s %s, %d(SP)", a.scalar(), a.float(), keptValue)
		a.swap("BX", a.addKept)
		return
	}
	if x.Kind.IsFloat() {
		if x.Own {
			a.line("VMOV%s (BX), %s", a.scalar(), a.float())
			a.sums()
			a.line("VMOV%s %s, (BX)", a.scalar(), a.float())
			return
		}
		a.line("MOVL %s, %d(SP)", a.on, keptLanes)
		a.swap("BX", func() {
			a.line("%s AX, %s", a.bits(), a.float())
			a.line("MOVL %d(SP), %s", keptLanes, a.on)
			a.sums()
			a.line("%s %s, %s", a.bits(), a.float(), a.sum)
		})
		return
	}
	if x.By == lir.Add && !e.narrow(x.Kind) {
		a.total()
		a.lock()
		a.line("ADD%s %s, (BX)", a.size, a.temp)
		return
	}
	top, done := e.NewLabel(), e.NewLabel()
	a.next()
	a.line("MOV%s %s, %s", a.size, a.lane(), a.temp)
	e.Label(top)
	a.line("TESTL %s, %s", a.on, a.on)
	a.line("JEQ %s", done)
	a.next()
	if op := a.op(); op != "" {
		a.line("%s %s, %s", op, a.lane(), a.temp)
	} else {
		a.line("MOV%s %s, %s", a.size, a.lane(), a.sum)
		a.better(a.sum, a.temp)
	}
	a.line("JMP %s", top)
	e.Label(done)
	if op := a.op(); op != "" {
		a.lock()
		a.line("%s %s, (BX)", op, a.temp)
		return
	}
	a.swap("BX", func() {
		a.line("MOV%s %s, %s", a.size, a.temp, a.sum)
		a.better("AX", a.sum)
	})
}

// total leaves the sum of the active lanes in temp, of floats in the float register. The halves of the
// vector are added through the frame.
func (a *atomics) total() {
	e, x := a.e, a.x
	s, add := e.Vectors, map[string]string{"L": "VPADDD", "Q": "VPADDQ"}[a.size]
	if x.Kind.IsFloat() {
		add = "VADDP" + letter8(x.Kind.Size())
	}
	letter := "Z"
	if e.Bytes == 32 {
		letter = "Y"
	}
	switch {
	case x.On == 0:
		a.line("VMOVUPS %s, %s%d", e.reg(x.X), letter, s)
	case e.Masks > 0:
		a.line("VMOVUP%s.Z %s, %s, %s%d", letter8(x.Kind.Size()), e.reg(x.X), e.reg(x.On), letter, s)
	default:
		a.line("VANDPS %s, %s, %s%d", e.reg(x.X), e.reg(x.On), letter, s)
	}
	for bytes := e.Bytes / 2; bytes >= 16; bytes /= 2 {
		a.line("VMOVUPS %s%d, 0(SP)", letter, s)
		if letter = "Y"; bytes == 16 {
			letter = "X"
		}
		a.line("VMOVUPS 0(SP), %s%d", letter, s)
		a.line("%s %d(SP), %s%d, %s%d", add, bytes, letter, s, letter, s)
	}
	a.line("VMOVUPS X%d, 0(SP)", s)
	if x.Kind.IsFloat() {
		for at := x.Kind.Size(); at < 16; at += x.Kind.Size() {
			a.line("VADD%s %d(SP), %s, %s", a.scalar(), at, a.float(), a.float())
		}
		return
	}
	a.line("MOV%s 0(SP), %s", a.size, a.temp)
	for at := x.Kind.Size(); at < 16; at += x.Kind.Size() {
		a.line("ADD%s %d(SP), %s", a.size, at, a.temp)
	}
}

// sums adds the lanes to the float register.
func (a *atomics) sums() {
	top := a.e.NewLabel()
	a.e.Label(top)
	a.next()
	a.line("VADD%s %s, %s, %s", a.scalar(), a.lane(), a.float(), a.float())
	a.again(top)
}
