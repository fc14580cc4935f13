package arm64

import (
	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Atomic operations, lane by lane. Lanes that update the same element are combined first: integers
// in any order, floats in the order of the lanes. Elements that other goroutines access are updated
// by exclusive loads and stores, which all arm64 processors have.

// atomics prints the operations of one instruction.
type atomics struct {
	e      *emitter
	x      *lir.Instr
	old    string // the old value of the element
	sum    string // its new value
	temp   string // a lane's operand, or all of them combined
	status string // whether an exclusive store failed
	suffix string // the suffix of integer instructions
}

func (e *emitter) atomic(x *lir.Instr) error {
	var regs [4]string
	for i := range regs {
		if regs[i] = e.Take(); regs[i] == "" {
			return asm.ErrRegisters
		}
		defer e.Give(regs[i])
	}
	a := &atomics{e, x, regs[0], regs[1], regs[2], regs[3], "W"}
	if x.Kind.Size() == 8 {
		a.suffix = ""
	}
	if x.Mem.Uniform && x.Y == 0 {
		return a.together()
	}
	r, disp := "", 0
	return e.eachLane(x.On, func() {
		if x.Y == 0 {
			r, disp = e.place(x.Mem)
			return
		}
		e.strided(x)
		if x.Mem.Disp != 0 {
			e.Line("ADD $%d, R2", x.Mem.Disp)
		}
	}, func(i int) {
		if x.Y == 0 {
			e.laneAt(r, disp, i, x.Kind.Size())
		} else {
			e.atIndex(x, e.v(x.Y), e.Nest.Kinds[x.Y].Size(), i)
		}
		if x.Kind.IsFloat() {
			e.Line("VDUP %s, V%d.%s", lane(e.v(x.X), x.Kind.Size(), i), firstReg, whole(x.Kind.Size()).inGo())
		} else {
			a.laneTo(i, a.temp)
		}
		a.update()
	})
}

// laneTo moves lane i into an integer register.
func (a *atomics) laneTo(i int, r string) {
	a.e.Line("VMOV %s, %s", lane(a.e.v(a.x.X), a.x.Kind.Size(), i), r)
}

// float is the suffix of scalar float instructions.
func (a *atomics) float() string {
	if a.x.Kind.Size() == 8 {
		return "D"
	}
	return "S"
}

// combine applies the operation to to and from, with the result in to.
func (a *atomics) combine(from, to string) {
	e := a.e
	switch a.x.By {
	case lir.Add, lir.And, lir.Or, lir.Xor:
		op := map[lir.Op]string{lir.Add: "ADD", lir.And: "AND", lir.Or: "ORR", lir.Xor: "EOR"}[a.x.By]
		e.Line("%s%s %s, %s", op, a.suffix, from, to)
		return
	}
	better := map[bool]string{false: "HI", true: "GT"}[a.x.Kind.IsSigned()]
	if a.x.By == lir.Min {
		better = map[bool]string{false: "LO", true: "LT"}[a.x.Kind.IsSigned()]
	}
	e.Line("CMP%s %s, %s", a.suffix, to, from) // from - to
	e.Line("CSEL%s %s, %s, %s, %s", a.suffix, better, from, to, to)
}

// update prints the update of the element at R3, by the integer in temp or the float in firstReg.
func (a *atomics) update() {
	e, x := a.e, a.x
	move := map[string]string{"W": "MOVWU", "": "MOVD"}[a.suffix]
	if x.Own && x.Kind.IsFloat() {
		e.Line("FMOV%s (R3), F%d", a.float(), secondReg)
		e.Line("FADD%s F%d, F%d", a.float(), firstReg, secondReg)
		e.Line("FMOV%s F%d, (R3)", a.float(), secondReg)
		return
	}
	if x.Own {
		e.Line("%s (R3), %s", move, a.old)
		a.combine(a.temp, a.old)
		e.Line("MOV%s %s, (R3)", map[string]string{"W": "W", "": "D"}[a.suffix], a.old)
		return
	}
	a.exclusive(func() {
		if x.Kind.IsFloat() {
			e.Line("FMOV%s %s, F%d", a.float(), a.old, secondReg)
			e.Line("FADD%s F%d, F%d", a.float(), firstReg, secondReg)
			e.Line("FMOV%s F%d, %s", a.float(), secondReg, a.sum)
			return
		}
		e.Line("MOVD %s, %s", a.old, a.sum)
		a.combine(a.temp, a.sum)
	})
}

// exclusive prints a loop that updates the element at R3. do computes the new value, in sum, from
// the old one, in old.
func (a *atomics) exclusive(do func()) {
	e := a.e
	retry := e.NewLabel()
	e.Label(retry)
	e.Line("LDAXR%s (R3), %s", a.suffix, a.old)
	do()
	e.Line("STLXR%s %s, (R3), %s", a.suffix, a.sum, a.status)
	e.Line("CBNZ %s, %s", a.status, retry)
}

// together prints the update of one element by all lanes.
func (a *atomics) together() error {
	e, x := a.e, a.x
	if x.Kind.IsFloat() {
		return a.sums()
	}
	// Inactive lanes contribute the neutral element.
	all := e.v(x.X)
	if x.On != 0 {
		on := e.maskOf(x.Kind, x.On)
		e.splat(a.neutral(), x.Kind.Size(), firstReg)
		e.three("VBIT", b16, firstReg, all, on)
		all = firstReg
		e.bits(e.v(x.On), "R3")
	}
	end := e.NewLabel()
	if x.On != 0 {
		e.Line("CBZ R3, %s", end)
	}
	lanes, size := e.lanes(), x.Kind.Size()
	e.Line("VMOV %s, %s", lane(all, size, 0), a.temp)
	for i := 1; i < lanes; i++ {
		e.Line("VMOV %s, %s", lane(all, size, i), a.sum)
		a.combine(a.sum, a.temp)
	}
	r, disp := e.place(x.Mem)
	e.Line("ADD $%d, %s, R3", disp, r)
	a.update()
	e.Label(end)
	return nil
}

// neutral is the neutral element of the operation.
func (a *atomics) neutral() uint64 {
	bits := uint64(1)<<(8*a.x.Kind.Size()-1)<<1 - 1
	signed := a.x.Kind.IsSigned()
	switch {
	case a.x.By == lir.And, a.x.By == lir.Min && !signed:
		return bits
	case a.x.By == lir.Min:
		return bits >> 1
	case a.x.By == lir.Max && signed:
		return bits>>1 + 1
	}
	return 0
}

// sums adds the lanes, floats, to one element in order.
func (a *atomics) sums() error {
	e, x := a.e, a.x
	size := x.Kind.Size()
	r, disp := e.place(x.Mem)
	e.Line("ADD $%d, %s, R3", disp, r)
	if x.On != 0 {
		e.bits(e.v(x.On), "R2")
	}
	end := e.NewLabel()
	if x.On != 0 {
		e.Line("CBZ R2, %s", end)
	}
	add := func() {
		for i := range e.lanes() {
			skip := ""
			if x.On != 0 {
				skip = e.NewLabel()
				e.Line("TBZ $%d, R2, %s", i*e.laneBits(), skip)
			}
			e.Line("VDUP %s, V%d.%s", lane(e.v(x.X), size, i), firstReg, whole(size).inGo())
			e.Line("FADD%s F%d, F%d", a.float(), firstReg, secondReg)
			if skip != "" {
				e.Label(skip)
			}
		}
	}
	if x.Own {
		e.Line("FMOV%s (R3), F%d", a.float(), secondReg)
		add()
		e.Line("FMOV%s F%d, (R3)", a.float(), secondReg)
	} else {
		a.exclusive(func() {
			e.Line("FMOV%s %s, F%d", a.float(), a.old, secondReg)
			add()
			e.Line("FMOV%s F%d, %s", a.float(), secondReg, a.sum)
		})
	}
	e.Label(end)
	return nil
}
