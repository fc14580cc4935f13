package amd64

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Atomic operations go lane by lane, by way of the frame. Those on one element are combined and done to it at once, integers in whatever order,
// floats in that of the lanes.

// Places in the frame, behind what scatters use.
const (
	keptAX    = 128 // while AX is what CMPXCHG compares
	keptValue = 136 // the number of a lane
	keptLanes = 144 // which lanes are on
)

// atomics prints the operations of an instruction.
type atomics struct {
	e    *emitter
	x    *lir.Instr
	on   string // the lanes that are still to be done
	at   string // the number of a lane, then where its element is
	temp string // a number, or what all lanes together make
	sum  string // what the element becomes
	size string // what names of instructions on integers end in
}

// atomic prints operations on elements of the lanes that are on.
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

// op is the instruction that does the operation to memory, if there is one.
func (a *atomics) op() string {
	op := map[lir.Op]string{lir.Add: "ADD", lir.And: "AND", lir.Or: "OR", lir.Xor: "XOR"}[a.x.By]
	if op == "" || a.x.Kind.IsFloat() {
		return ""
	}
	return op + a.size
}

// float is the register that floats are added in.
func (a *atomics) float() string { return fmt.Sprintf("X%d", a.e.Vectors) }

// bits is the instruction between integer registers and those of floats.
func (a *atomics) bits() string { return map[string]string{"L": "VMOVD", "Q": "VMOVQ"}[a.size] }

// scalar is what names of instructions on one float end in.
func (a *atomics) scalar() string { return map[string]string{"L": "SS", "Q": "SD"}[a.size] }

func (a *atomics) line(format string, args ...any) { a.e.Line(format, args...) }

// next makes at the next lane and takes it away from those to be done.
func (a *atomics) next() {
	a.line("TZCNTL %s, %s", a.on, a.at)
	a.line("BTRL %s, %s", a.at, a.on)
}

// lane is the operand of the lane whose number is in at.
func (a *atomics) lane() string { return fmt.Sprintf("0(SP)(%s*%d)", a.at, a.x.Kind.Size()) }

// again goes back to top if there are lanes left.
func (a *atomics) again(top string) {
	a.line("TESTL %s, %s", a.on, a.on)
	a.line("JNE %s", top)
}

// lock is the prefix of what is done to memory that others have.
func (a *atomics) lock() {
	if !a.x.Own {
		a.line("LOCK")
	}
}

// better makes the number in to that in from if this is the lesser, or the greater.
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

// apart does each lane by itself.
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
			a.line("%s AX, %s", a.bits(), a.float())
			a.line("VADD%s %d(SP), %s, %s", a.scalar(), keptValue, a.float(), a.float())
			a.line("%s %s, %s", a.bits(), a.float(), a.sum)
		})
	}
	a.again(top)
}

// swap changes the element at an address to what do makes of AX, its value, in sum.
func (a *atomics) swap(address string, do func()) {
	retry := a.e.NewLabel()
	a.e.Label(retry)
	a.line("MOV%s (%s), AX", a.size, address)
	do()
	a.line("LOCK")
	a.line("CMPXCHG%s %s, (%s)", a.size, a.sum, address)
	a.line("JNE %s", retry)
}

// together does the lanes to the one element at BX.
func (a *atomics) together() {
	e, x := a.e, a.x
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

// sums adds the lanes to the register of floats.
func (a *atomics) sums() {
	top := a.e.NewLabel()
	a.e.Label(top)
	a.next()
	a.line("VADD%s %s, %s, %s", a.scalar(), a.lane(), a.float(), a.float())
	a.again(top)
}
