package arm64

import (
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Masks: vectors with all bits set in active lanes. Their lanes are as wide as the largest values
// of the nest.

// maskOf returns the register of a mask for values of a kind. For narrow values it narrows the mask
// into a temporary.
func (e *emitter) maskOf(k lir.Kind, mask lir.Value) int {
	if k == lir.Mask || !e.narrow(k) {
		return e.v(mask)
	}
	e.put(encodeWidth("xtn", s2, stepReg, e.v(mask)))
	return stepReg
}

// bits moves a mask into an integer register, with laneBits bits per lane.
func (e *emitter) bits(mask int, r string) {
	a := h4
	if e.Nest.Size == 8 {
		a = s2
	}
	e.put(encodeWidth("xtn", a, stepReg, mask))
	e.Line("VMOV %s, %s", lane(stepReg, 8, 0), r)
}

// laneBits is the number of bits per lane in that register.
func (e *emitter) laneBits() int { return 64 / e.lanes() }

// either returns a register with the union of masks.
func (e *emitter) either(masks []lir.Value) int {
	all := e.v(masks[0])
	for _, m := range masks[1:] {
		if e.v(m) == all {
			continue
		}
		e.three("VORR", b16, stepReg, all, e.v(m))
		all = stepReg
	}
	return all
}

// eachLane prints an operation for each active lane in turn; without a mask, for all lanes. It
// needs a free register, and do may use R2 and R3.
func (e *emitter) eachLane(mask lir.Value, begin func(), do func(i int)) error {
	if mask == 0 {
		begin()
		for i := range e.lanes() {
			do(i)
		}
		return nil
	}
	on := e.Take()
	if on == "" {
		return asm.ErrRegisters
	}
	defer e.Give(on)
	e.bits(e.v(mask), on)
	begin()
	for i := range e.lanes() {
		skip := e.NewLabel()
		e.Line("TBZ $%d, %s, %s", i*e.laneBits(), on, skip)
		do(i)
		e.Label(skip)
	}
	return nil
}

// below sets mask to the lanes whose number is less than R2.
func (e *emitter) below(mask int) {
	size := e.Nest.Size
	e.dup("R2", size, stepReg)
	e.iota(size, 0, firstReg)
	e.word("cmgt", whole(size), mask, stepReg, firstReg)
}

// following returns the masks that have the same bounds as the preceding mask, for another part of
// the strip. They reuse the bounds in vectors.
func following(list []lir.Node) map[*lir.Instr]bool {
	follows := map[*lir.Instr]bool{}
	same := func(a, b lir.Scalar) bool { return a.Off == b.Off && slices.Equal(a.Terms, b.Terms) }
	var all func(list []lir.Node)
	all = func(list []lir.Node) {
		var before *lir.Instr
		for _, x := range list {
			i, ok := x.(*lir.Instr)
			if !ok || i.Op != lir.Within {
				i = nil
			} else if before != nil && same(i.Bounds[0], before.Bounds[0]) && same(i.Bounds[1], before.Bounds[1]) {
				follows[i] = true
			}
			before = i
			switch x := x.(type) {
			case *lir.Loop:
				all(x.Head)
				all(x.Body)
			case *lir.When:
				all(x.Then)
				all(x.Else)
			}
		}
	}
	all(list)
	return follows
}

// within prints a mask of the lanes in an interval. The bounds are kept in vectors for the
// following masks.
func (e *emitter) within(x *lir.Instr, d int) error {
	bound := func(s lir.Scalar, to int) error {
		if err := e.Scalar(s, "R2"); err != nil {
			return err
		}
		e.Line("SUB R1, R2")
		if len(s.Terms) > 0 { // otherwise the bound is between 0 and the number of threads
			e.Line("CMP $0, R2")
			e.Line("CSEL LT, ZR, R2, R2")
			e.Line("MOVD $127, R3")
			e.Line("CMP R3, R2")
			e.Line("CSEL GT, R3, R2, R2")
		}
		e.dup("R2", e.Nest.Size, to)
		return nil
	}
	const from, to, number = boundReg, secondReg, firstReg
	if !e.follows[x] {
		if err := bound(x.Bounds[1], to); err != nil {
			return err
		}
		if err := bound(x.Bounds[0], from); err != nil {
			return err
		}
	}
	a := whole(e.Nest.Size)
	e.iota(e.Nest.Size, x.Part*e.lanes(), number)
	e.word("cmgt", a, stepReg, to, number)
	e.word("cmgt", a, number, from, number)
	e.word("bic", b16, d, stepReg, number)
	return nil
}

// compare prints a comparison, whose result is a mask.
func (e *emitter) compare(x *lir.Instr, d, n, m int) {
	k := x.From
	a := whole(k.Size())
	equal := func() {
		if k.IsFloat() {
			e.word("fcmeq", a, d, n, m)
		} else {
			e.three("VCMEQ", a, d, n, m)
		}
	}
	greater, atLeast := "cmhi", "cmhs"
	switch {
	case k.IsFloat():
		greater, atLeast = "fcmgt", "fcmge"
	case k.IsSigned():
		greater, atLeast = "cmgt", "cmge"
	}
	switch x.Pred {
	case lir.Eq:
		equal()
	case lir.Ne:
		equal()
		e.word("not", b16, d, d, 0)
	case lir.Lt:
		e.word(greater, a, d, m, n)
	case lir.Le:
		e.word(atLeast, a, d, m, n)
	case lir.Gt:
		e.word(greater, a, d, n, m)
	case lir.Ge:
		e.word(atLeast, a, d, n, m)
	}
	if e.narrow(k) {
		e.put(encodeWidth("sxtl", s2, d, d))
	}
}

// ballot prints the conversion of a mask to a number, as a sum of one bit per lane.
func (e *emitter) ballot(x *lir.Instr, d int) {
	if e.Nest.Size == 8 {
		e.literal(1, 2, stepReg)
	} else {
		e.literal(1|2<<32, 4|8<<32, stepReg)
	}
	e.three("VAND", b16, stepReg, stepReg, e.v(x.X))
	e.Line("VADDV V%d.S4, V%d", stepReg, stepReg)
	e.Line("VDUP %s, V%d.S4", lane(stepReg, 4, 0), d)
	if x.Imm > 0 {
		e.Line("VSHL $%d, V%d.S4, V%d.S4", x.Imm, d, d)
	}
}

// bools prints the mask of bytes that are not 0.
func (e *emitter) bools(x *lir.Instr, d int) {
	r, disp := e.place(x.Mem)
	e.loadBytes(r, disp, e.lanes(), d)
	e.Line("VUSHLL $0, V%d.B8, V%d.H8", d, d)
	e.Line("VUSHLL $0, V%d.H4, V%d.S4", d, d)
	a := s4
	if e.Nest.Size == 8 {
		e.Line("VUSHLL $0, V%d.S2, V%d.D2", d, d)
		a = d2
	}
	e.Line("VCMTST V%d.%s, V%d.%s, V%d.%s", d, a.inGo(), d, a.inGo(), d, a.inGo())
}

// putBool prints a store of bools.
func (e *emitter) putBool(x *lir.Instr) error {
	v := secondReg
	e.Line("VUSHR $31, V%d.S4, V%d.S4", e.v(x.X), v)
	r, disp := e.place(x.Mem)
	if x.On == 0 {
		if e.Nest.Size == 8 {
			e.put(encodeWidth("xtn", s2, v, v))
		}
		e.storeAt(r, disp, &lir.Instr{Op: lir.Store, Kind: lir.I32, From: lir.U8}, v)
		return nil
	}
	return e.eachLane(x.On, func() {}, func(i int) {
		e.laneAt(r, disp, i, 1)
		e.Line("VST1 %s, (R3)", lane(v, 1, i*e.Nest.Size))
	})
}
