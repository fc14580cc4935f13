package arm64

import (
	"fmt"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Masked accesses are executed lane by lane, unless all lanes are on. That code is long and rarely
// executed, so it is in routines of the file. A routine gets the mask in V29, which it overwrites,
// values in V31, indices in V30 and the address in R2; it uses R3 and R27.

// bitsReg is the assembler's temporary register, which no instruction of a routine needs.
const bitsReg = "R27"

// A routine is the body of a masked access. whole, which may be nil, is for all lanes on. Otherwise
// begin runs, if it is not nil, and then lane for each active lane.
type routine struct {
	name         string // the parameters of the routine, without the number of lanes
	whole, begin func(r *emitter)
	lane         func(r *emitter, i int)
}

// call prints the call of a routine.
func (e *emitter) call(mask lir.Value, what routine) {
	e.copy(stepReg, e.v(mask))
	name := e.Routine(fmt.Sprintf("gocuda%sx%d", what.name, e.lanes()), e.Machine, func(sub *asm.Emitter) {
		sub.Nest = e.Nest
		r := &emitter{Emitter: sub}
		r.bits(stepReg, bitsReg)
		if what.whole != nil {
			r.Line("CMN $1, %s", bitsReg)
			r.Line("BNE some")
			what.whole(r)
			r.Line("RET")
			r.Label("some")
		}
		if what.begin != nil {
			what.begin(r)
		}
		for i := range r.lanes() {
			off := fmt.Sprintf("off%d", i)
			r.Line("TBZ $%d, %s, %s", i*r.laneBits(), bitsReg, off)
			what.lane(r, i)
			r.Label(off)
		}
		r.Line("RET")
	})
	e.Line("CALL %s(SB)", name)
}

// inMemory is the part of a routine's name for the kind of elements and, if index is not 0, the
// size of indices in bytes.
func inMemory(x *lir.Instr, index int) string {
	name := fmt.Sprint(x.Kind.Size())
	if x.From != 0 {
		name = strings.ToUpper(x.From.String())
	}
	if index > 0 {
		name += fmt.Sprintf("By%d", index)
	}
	return name
}

// placeInR2 sets R2 to the address of lane 0.
func (e *emitter) placeInR2(m lir.Mem) {
	if r, disp := e.place(m); disp != 0 {
		e.Line("ADD $%d, %s, R2", disp, r)
	} else if r != "R2" {
		e.Line("MOVD %s, R2", r)
	}
}

// loadMasked prints a load of neighbours.
func (e *emitter) loadMasked(x *lir.Instr, d int) {
	e.placeInR2(x.Mem)
	size := small(x)
	e.call(x.On, routine{
		name:  "Load" + inMemory(x, 0),
		whole: func(r *emitter) { r.loadAt("R2", 0, x, secondReg) },
		begin: func(r *emitter) { r.splat(0, 4, secondReg) },
		lane: func(r *emitter, i int) {
			r.laneAt("R2", 0, i, size)
			r.loadLane(x, secondReg, i)
		}})
	e.copy(d, secondReg)
}

// storeMasked prints a store of neighbours.
func (e *emitter) storeMasked(x *lir.Instr) {
	e.placeInR2(x.Mem)
	size := small(x)
	e.copy(secondReg, e.v(x.X))
	e.call(x.On, routine{
		name:  "Store" + inMemory(x, 0),
		whole: func(r *emitter) { r.storeAt("R2", 0, x, secondReg) },
		lane: func(r *emitter, i int) {
			r.laneAt("R2", 0, i, size)
			r.storeLane(x, secondReg, i)
		}})
}

// gatherMasked prints a gather.
func (e *emitter) gatherMasked(x *lir.Instr, d int) {
	index := e.Nest.Kinds[x.X].Size()
	e.copy(firstReg, e.v(x.X))
	e.strided(x)
	if x.Mem.Disp != 0 {
		e.Line("ADD $%d, R2", x.Mem.Disp)
	}
	e.call(x.On, routine{
		name:  "Gather" + inMemory(x, index),
		begin: func(r *emitter) { r.splat(0, 4, secondReg) },
		lane: func(r *emitter, i int) {
			r.atIndex(x, firstReg, index, i)
			r.loadLane(x, secondReg, i)
		}})
	e.copy(d, secondReg)
}

// scatterMasked prints a scatter, lane by lane.
func (e *emitter) scatterMasked(x *lir.Instr) {
	index := e.Nest.Kinds[x.Y].Size()
	e.copy(firstReg, e.v(x.Y))
	e.copy(secondReg, e.v(x.X))
	e.strided(x)
	if x.Mem.Disp != 0 {
		e.Line("ADD $%d, R2", x.Mem.Disp)
	}
	e.call(x.On, routine{
		name: "Scatter" + inMemory(x, index),
		lane: func(r *emitter, i int) {
			r.atIndex(x, firstReg, index, i)
			r.storeLane(x, secondReg, i)
		}})
}
