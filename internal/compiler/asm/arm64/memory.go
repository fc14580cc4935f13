package arm64

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Loads and stores. Lanes that are off are in no memory that is touched.

// place returns an element as a register and a distance from it, after what makes its pointer if that has no register.
func (e *emitter) place(m lir.Mem) (r string, disp int) {
	r, disp = e.Ptr[m.Group], m.Disp
	if r == "" || asm.InFrame(r) {
		r = "R2"
		e.Pointer(m.Group, r)
	}
	if !m.Uniform {
		disp += m.Part * e.lanes() * e.Nest.Groups[m.Group].Size
	}
	return r, disp
}

// address is place as an operand.
func (e *emitter) address(m lir.Mem) string {
	r, disp := e.place(m)
	return fmt.Sprintf("%d(%s)", disp, r)
}

// at makes a register a distance from another one.
func (e *emitter) at(r string, disp int, to string) string {
	if disp == 0 {
		return r
	}
	e.Line("ADD $%d, %s, %s", disp, r, to)
	return to
}

// laneAt makes R3 the place of lane i of elements of so many bytes.
func (e *emitter) laneAt(r string, disp, i, size int) {
	e.Line("ADD $%d, %s, R3", disp+i*size, r)
}

// small is how many bytes an element has in memory.
func small(x *lir.Instr) int {
	if x.From != 0 {
		return x.From.Size()
	}
	return x.Kind.Size()
}

// move is the instruction for so many bytes of a register of floats.
func move(bytes int) string {
	return map[int]string{4: "FMOVS", 8: "FMOVD", 16: "FMOVQ"}[bytes]
}

// loadBytes reads neighbours of so many bytes together.
func (e *emitter) loadBytes(m lir.Mem, bytes, d int) {
	if bytes == 2 {
		r, disp := e.place(m)
		e.Line("VLD1 (%s), %s", e.at(r, disp, "R3"), lane(d, 2, 0))
		return
	}
	e.Line("%s %s, F%d", move(bytes), e.address(m), d)
}

// load prints a load of neighbours.
func (e *emitter) load(x *lir.Instr, d int) error {
	size := small(x)
	to := d
	all := func() {
		e.loadBytes(x.Mem, e.lanes()*size, to)
		for by := size; by < 4 && x.From != 0; by *= 2 {
			e.extend(x.From, by, to)
		}
	}
	if x.On == 0 {
		all()
		return nil
	}
	to = secondReg // the mask may be where the result goes
	r, disp := "", 0
	err := e.eachLane(x.On, func() {
		e.splat(0, 4, to)
		r, disp = e.place(x.Mem)
	}, all, func(i int) {
		e.laneAt(r, disp, i, size)
		e.loadLane(x, to, i)
	})
	e.copy(d, to)
	return err
}

// extend makes the lanes of so many bytes in the low half of a register twice as long.
func (e *emitter) extend(k lir.Kind, by, d int) {
	if k == lir.I8 || k == lir.I16 {
		a := b8
		if by == 2 {
			a = h4
		}
		e.put(encodeWidth("sshll", a, d, d))
		return
	}
	e.Line("VUSHLL $0, V%d.%s, V%d.%s", d, map[int]string{1: "B8", 2: "H4"}[by], d, map[int]string{1: "H8", 2: "S4"}[by])
}

// loadLane makes a lane the element at R3.
func (e *emitter) loadLane(x *lir.Instr, d, i int) {
	if x.From == 0 {
		e.Line("VLD1 (R3), %s", lane(d, x.Kind.Size(), i))
		return
	}
	e.Line("%s (R3), R3", map[lir.Kind]string{lir.U8: "MOVBU", lir.I8: "MOVB", lir.U16: "MOVHU", lir.I16: "MOVH"}[x.From])
	e.Line("VMOV R3, %s", lane(d, 4, i))
}

// storeLane makes the element at R3 a lane.
func (e *emitter) storeLane(x *lir.Instr, i int) {
	size := small(x)
	e.Line("VST1 %s, (R3)", lane(e.v(x.X), size, i*x.Kind.Size()/size))
}

// broadcast prints a load of one element to all lanes.
func (e *emitter) broadcast(x *lir.Instr, d int) {
	r, disp := e.place(x.Mem)
	if x.From != 0 {
		e.Line("ADD $%d, %s, R3", disp, r)
		e.Line("%s (R3), R3", map[lir.Kind]string{lir.U8: "MOVBU", lir.I8: "MOVB", lir.U16: "MOVHU", lir.I16: "MOVH"}[x.From])
		e.dup("R3", 4, d)
		return
	}
	e.Line("VLD1R (%s), [V%d.%s]", e.at(r, disp, "R2"), d, whole(x.Kind.Size()).inGo())
}

// store prints a store of neighbours.
func (e *emitter) store(x *lir.Instr) error {
	size, v := small(x), e.v(x.X)
	all := func() {
		if x.From != 0 {
			v = stepReg
			e.three("VUZP1", arrangement{"8h", 1, 1}, v, e.v(x.X), e.v(x.X))
			if size == 1 {
				e.three("VUZP1", b16, v, v, v)
			}
		}
		if e.lanes()*size == 2 {
			r, disp := e.place(x.Mem)
			e.Line("VST1 %s, (%s)", lane(v, 2, 0), e.at(r, disp, "R3"))
			return
		}
		e.Line("%s F%d, %s", move(e.lanes()*size), v, e.address(x.Mem))
	}
	r, disp := "", 0
	return e.eachLane(x.On, func() { r, disp = e.place(x.Mem) }, all, func(i int) {
		e.laneAt(r, disp, i, size)
		e.storeLane(x, i)
	})
}

// strided makes R2 the pointer to the element of the first lane.
func (e *emitter) strided(x *lir.Instr) {
	e.Pointer(x.Mem.Group, "R2")
	e.Line("MOVD %d(R0), R3", x.Mem.Stride)
	e.Line("MADD R3, R2, R1, R2")
	e.multiple(x.Mem.Part * e.lanes())
}

// multiple adds so many times R3 to R2.
func (e *emitter) multiple(n int) {
	for by := 0; n>>by > 0; by++ {
		if n>>by&1 == 1 {
			e.Line("ADD R3<<%d, R2", by)
		}
	}
}

// atIndex makes R3 the place of the element of lane i, by its index.
func (e *emitter) atIndex(x *lir.Instr, index lir.Value, i int) {
	by := log2(small(x))
	if e.Nest.Kinds[index].Size() == 8 {
		e.Line("VMOV %s, R3", lane(e.v(index), 8, i))
		e.Line("ADD R3<<%d, R2, R3", by)
	} else {
		e.Line("VMOV %s, R3", lane(e.v(index), 4, i))
		e.Line("ADD R3.SXTW<<%d, R2, R3", by)
	}
}

// gather prints a load of elements at distances.
func (e *emitter) gather(x *lir.Instr, d int) error {
	to := d
	if x.On != 0 {
		to = secondReg
	}
	_, steady := e.strides[x.X]
	steady = steady && x.On == 0 && x.From == 0
	err := e.eachLane(x.On, func() {
		if x.On != 0 {
			e.splat(0, 4, to)
		}
		e.strided(x)
		if x.Mem.Disp != 0 {
			e.Line("ADD $%d, R2", x.Mem.Disp)
		}
		if steady {
			e.Line("MOVD %d(R0), R3", x.Mem.Stride)
		}
	}, nil, func(i int) {
		if steady {
			e.Line("VLD1 (R2), %s", lane(to, x.Kind.Size(), i))
			if i+1 < e.lanes() {
				e.Line("ADD R3, R2")
			}
			return
		}
		e.atIndex(x, x.X, i)
		e.loadLane(x, to, i)
	})
	e.copy(d, to)
	return err
}

// scatter prints a store of elements at distances, one after the other.
func (e *emitter) scatter(x *lir.Instr) error {
	return e.eachLane(x.On, func() {
		e.strided(x)
		if x.Mem.Disp != 0 {
			e.Line("ADD $%d, R2", x.Mem.Disp)
		}
	}, nil, func(i int) {
		switch {
		case x.Imm != 0:
			e.atIndex(x, x.Y, i)
		case i == 0:
			e.Line("MOVD R2, R3")
		default:
			e.Line("MOVD %d(R0), R3", x.Mem.Stride)
			if i == 3 {
				e.Line("ADD R3<<1, R3")
			}
			e.Line("ADD R3<<%d, R2, R3", [...]int{1: 0, 2: 1, 3: 0}[i])
		}
		e.storeLane(x, i)
	})
}
