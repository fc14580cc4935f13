package arm64

import (
	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Loads and stores. The memory of inactive lanes is not accessed.

// place returns the register and the displacement of a memory access, and prints the computation of
// its pointer if that is not in a register.
func (e *emitter) place(m lir.Mem) (r string, disp int) {
	r, disp = e.Ptr[m.Group], m.Disp
	if r == "" || asm.InFrame(r) || e.Nest.Groups[m.Group].Row != nil {
		r = "R2"
		e.begin(m.Group)
	}
	if !m.Uniform {
		disp += m.Part * e.lanes() * e.Nest.Groups[m.Group].Size
	}
	return r, disp
}

// begin sets R2 to the pointer g, from the beginning of its row if it is of rows.
func (e *emitter) begin(g int) {
	row := e.Nest.Groups[g].Row
	if row == nil {
		e.Pointer(g, "R2")
		return
	}
	e.Pointer(g, "R3")
	e.NeedFrame(asm.LanesAt + 8)
	e.Line("MOVD R3, %s", e.Slot(asm.LanesAt))
	e.Pointer(row.Group, "R2")
	e.Line("MOVD %d(R2), R2", row.Disp)
	e.Line("MOVD %s, R3", e.Slot(asm.LanesAt))
	e.Line("ADD R3, R2")
}

// at returns a register with the address r + disp; it is to, unless disp is 0.
func (e *emitter) at(r string, disp int, to string) string {
	if disp == 0 {
		return r
	}
	e.Line("ADD $%d, %s, %s", disp, r, to)
	return to
}

// laneAt sets R3 to the address of lane i, for elements of size bytes.
func (e *emitter) laneAt(r string, disp, i, size int) {
	e.Line("ADD $%d, %s, R3", disp+i*size, r)
}

// small is the size of an element in memory.
func small(x *lir.Instr) int {
	if x.From != 0 {
		return x.From.Size()
	}
	return x.Kind.Size()
}

// move is the scalar float instruction that moves so many bytes.
func move(bytes int) string {
	return map[int]string{4: "FMOVS", 8: "FMOVD", 16: "FMOVQ"}[bytes]
}

// loadBytes loads adjacent elements of so many bytes in all.
func (e *emitter) loadBytes(r string, disp, bytes, d int) {
	if bytes == 2 {
		e.Line("VLD1 (%s), %s", e.at(r, disp, "R3"), lane(d, 2, 0))
		return
	}
	e.Line("%s %d(%s), F%d", move(bytes), disp, r, d)
}

// loadAt loads neighbours and extends them to their kind in registers.
func (e *emitter) loadAt(r string, disp int, x *lir.Instr, d int) {
	size := small(x)
	e.loadBytes(r, disp, e.lanes()*size, d)
	for by := size; by < 4 && x.From != 0; by *= 2 {
		e.extend(x.From, by, d)
	}
}

// load prints a load of neighbours.
func (e *emitter) load(x *lir.Instr, d int) {
	if x.On != 0 {
		e.loadMasked(x, d)
		return
	}
	r, disp := e.place(x.Mem)
	e.loadAt(r, disp, x, d)
}

// extend doubles the width of lanes of by bytes, in the low half of a register.
func (e *emitter) extend(k lir.Kind, by, d int) {
	if k == lir.I8 || k == lir.I16 {
		a := b8
		if by == 2 {
			a = h4
		}
		e.put(encodeWidth("sxtl", a, d, d))
		return
	}
	e.Line("VUSHLL $0, V%d.%s, V%d.%s", d, map[int]string{1: "B8", 2: "H4"}[by], d, map[int]string{1: "H8", 2: "S4"}[by])
}

// loadLane loads the element at R3 into a lane.
func (e *emitter) loadLane(x *lir.Instr, d, i int) {
	if x.From == 0 {
		e.Line("VLD1 (R3), %s", lane(d, x.Kind.Size(), i))
		return
	}
	e.Line("%s (R3), R3", map[lir.Kind]string{lir.U8: "MOVBU", lir.I8: "MOVB", lir.U16: "MOVHU", lir.I16: "MOVH"}[x.From])
	e.Line("VMOV R3, %s", lane(d, 4, i))
}

// storeLane stores a lane to the element at R3.
func (e *emitter) storeLane(x *lir.Instr, v, i int) {
	size := small(x)
	e.Line("VST1 %s, (R3)", lane(v, size, i*x.Kind.Size()/size))
}

// broadcast prints a load of one element to all lanes.
func (e *emitter) broadcast(x *lir.Instr, d int) {
	r, disp := e.place(x.Mem)
	if e.elements[x] {
		e.loadBytes(r, disp, x.Kind.Size(), d)
		return
	}
	if x.From != 0 {
		e.Line("%s %d(%s), R3", map[lir.Kind]string{lir.U8: "MOVBU", lir.I8: "MOVB", lir.U16: "MOVHU", lir.I16: "MOVH"}[x.From], disp, r)
		e.dup("R3", 4, d)
		return
	}
	e.Line("VLD1R (%s), [V%d.%s]", e.at(r, disp, "R2"), d, whole(x.Kind.Size()).inGo())
}

// store prints a store of neighbours.
func (e *emitter) store(x *lir.Instr) {
	if x.On != 0 {
		e.storeMasked(x)
		return
	}
	r, disp := e.place(x.Mem)
	e.storeAt(r, disp, x, e.v(x.X))
}

// storeAt stores a register as neighbours, narrowed to their kind in memory.
func (e *emitter) storeAt(r string, disp int, x *lir.Instr, v int) {
	size := small(x)
	if x.From != 0 {
		e.three("VUZP1", arrangement{"8h", 1, 1}, stepReg, v, v)
		v = stepReg
		if size == 1 {
			e.three("VUZP1", b16, v, v, v)
		}
	}
	if e.lanes()*size == 2 {
		e.Line("VST1 %s, (%s)", lane(v, 2, 0), e.at(r, disp, "R3"))
		return
	}
	e.Line("%s F%d, %d(%s)", move(e.lanes()*size), v, disp, r)
}

// strided sets R2 to the address of lane 0's element, and R3 to the stride.
func (e *emitter) strided(x *lir.Instr) {
	e.begin(x.Mem.Group)
	e.Line("MOVD %d(R0), R3", x.Mem.Stride)
	e.Line("MADD R3, R2, R1, R2")
	e.multiple(x.Mem.Part*e.lanes(), "R2")
}

// multiple adds n times R3 to r.
func (e *emitter) multiple(n int, r string) {
	for by := 0; n>>by > 0; by++ {
		if n>>by&1 == 1 {
			e.Line("ADD R3<<%d, %s", by, r)
		}
	}
}

// atIndex sets R3 to the address of lane i's element, from its index, which has so many bytes, in a
// register.
func (e *emitter) atIndex(x *lir.Instr, index, bytes, i int) {
	by := log2(small(x))
	e.Line("VMOV %s, R3", lane(index, bytes, i))
	if bytes == 8 {
		e.Line("ADD R3<<%d, R2, R3", by)
	} else {
		e.Line("ADD R3.SXTW<<%d, R2, R3", by)
	}
}

// gather prints a gather.
func (e *emitter) gather(x *lir.Instr, d int) {
	if x.On != 0 {
		e.gatherMasked(x, d)
		return
	}
	if x.Every == -1 && x.From == 0 {
		e.reversed(x, d)
		return
	}
	_, steady := e.strides[x.X]
	steady = steady && x.From == 0
	e.strided(x)
	if x.Mem.Disp != 0 {
		e.Line("ADD $%d, R2", x.Mem.Disp)
	}
	for i := range e.lanes() {
		if steady {
			step, by := "", ""
			if i+1 < e.lanes() {
				step, by = ".P", "(R3)"
			}
			e.Line("VLD1%s (R2)%s, %s", step, by, lane(d, x.Kind.Size(), i))
			continue
		}
		e.atIndex(x, e.v(x.X), e.Nest.Kinds[x.X].Size(), i)
		e.loadLane(x, d, i)
	}
}

// scatter prints a scatter, lane by lane.
func (e *emitter) scatter(x *lir.Instr) error {
	if x.On != 0 && x.Imm != 0 {
		e.scatterMasked(x)
		return nil
	}
	if x.Every == -1 && x.From == 0 && x.On == 0 && x.Imm == 0 {
		e.reversed(x, e.v(x.X))
		return nil
	}
	return e.eachLane(x.On, func() {
		e.strided(x)
		if x.Mem.Disp != 0 {
			e.Line("ADD $%d, R2", x.Mem.Disp)
		}
	}, func(i int) {
		switch {
		case x.Imm != 0:
			e.atIndex(x, e.v(x.Y), e.Nest.Kinds[x.Y].Size(), i)
		case x.On == 0:
			step, by := "", ""
			if i+1 < e.lanes() {
				step, by = ".P", "(R3)"
			}
			size := small(x)
			e.Line("VST1%s %s, (R2)%s", step, lane(e.v(x.X), size, i*x.Kind.Size()/size), by)
			return
		case i == 0:
			e.Line("MOVD R2, R3")
		default:
			e.Line("MOVD %d(R0), R3", x.Mem.Stride)
			if i == 3 {
				e.Line("ADD R3<<1, R3")
			}
			e.Line("ADD R3<<%d, R2, R3", [...]int{1: 0, 2: 1, 3: 0}[i])
		}
		e.storeLane(x, e.v(x.X), i)
	})
}
