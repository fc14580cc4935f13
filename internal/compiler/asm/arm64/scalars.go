package arm64

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// The control flow of a func: scalar integers, pointers and jumps. R0 points to the arguments, R1
// is the current thread in the row, R2 is for addresses and R3 is a temporary.

// Prepare splits pointers in two. Pointers of elements that differ between lanes include the
// strip's first thread, since instructions don't have both an index and a displacement. Other
// elements at the same pointer, such as uniform ones, get a pointer of their own.
func (e *emitter) Prepare(n *lir.Nest) any {
	e.notes = &notes{}
	perLane, other := map[int]bool{}, map[int]bool{}
	e.strides = map[lir.Value]int{}
	often := map[lir.Value]int{}
	lir.Walk(n.Body, func(i *lir.Instr) {
		often[i.Dst]++
		if i.InMemory() && byLanes(i) {
			perLane[i.Mem.Group] = true
		} else if i.InMemory() {
			other[i.Mem.Group] = true
		}
	})
	twin := map[int]int{}
	for g := range len(n.Groups) {
		if perLane[g] && other[g] {
			twin[g] = len(n.Groups)
			n.Groups = append(n.Groups, n.Groups[g])
			delete(perLane, g)
			perLane[twin[g]] = true
		}
	}
	lir.Walk(n.Body, func(i *lir.Instr) {
		if t, ok := twin[i.Mem.Group]; ok && i.InMemory() && byLanes(i) {
			i.Mem.Group = t
		}
		if i.Op == lir.Strides && often[i.Dst] == 1 {
			e.strides[i.Dst] = i.Mem.Disp
		}
	})
	var loops func(list []lir.Node)
	loops = func(list []lir.Node) {
		for _, x := range list {
			switch x := x.(type) {
			case *lir.Loop:
				for _, s := range x.Steps {
					if t, ok := twin[s.Group]; ok {
						s.Group = t
						x.Steps = append(x.Steps, s)
					}
				}
				loops(x.Head)
				loops(x.Body)
			case *lir.When:
				loops(x.Then)
				loops(x.Else)
			}
		}
	}
	loops(n.Body)
	e.perLane = perLane
	n.Body = totalled(n, n.Body)
	unswitch(n)
	e.groups = grouped(n)
	e.elements, e.products = byElement(n)
	e.follows = following(n.Body)
	return e.notes
}

func (e *emitter) Resume(of any) { e.notes = of.(*notes) }

// byLanes reports whether the pointer of an access includes the strip's first thread.
func byLanes(i *lir.Instr) bool {
	return !i.Mem.Uniform && !i.Indexed() && i.Op != lir.Tile && i.Op != lir.Untile
}

func (e *emitter) PerLane(g int) bool { return e.perLane[g] }

func (e *emitter) Enter(budget bool) {
	e.Line("MOVD a+0(FP), R0")
	e.Line("MOVD ZR, R1")
	if budget {
		e.Line("MOVD $%d, R2", asm.MostRounds)
		e.Line("MOVD R2, %s", e.Slot(asm.BudgetAt))
		e.Line("MOVD $%d, R2", asm.MostPatience)
		e.Line("MOVD R2, %s", e.Slot(asm.PatienceAt))
	}
}

func (e *emitter) JumpThreads(more int, less bool, arg int, label string) {
	r, jump := "R1", "BLE"
	if more > 0 {
		r = "R2"
		e.Line("ADD $%d, R1, R2", more)
	}
	if less {
		jump = "BLT"
	}
	e.Line("MOVD %d(R0), R3", arg)
	e.Line("CMP R3, %s", r)
	e.Line("%s %s", jump, label)
}

func (e *emitter) JumpBefore(arg int, label string) {
	e.Line("MOVD %d(R0), R2", arg)
	e.Line("MOVD 0(R0), R3")
	e.Line("CMP R3, R2")
	e.Line("BLT %s", label)
}

func (e *emitter) Limit(arg, threads int, r string) {
	e.Line("MOVD %d(R0), %s", arg, r)
	e.Line("SUB $%d, %s", threads, r)
}

func (e *emitter) JumpWithin(r, label string) {
	e.Line("CMP %s, R1", r)
	e.Line("BLE %s", label)
}

func (e *emitter) Advance(threads int) { e.Line("ADD $%d, R1", threads) }

func (e *emitter) Return(r asm.Result) {
	if r == asm.All {
		e.Line("MOVD 0(R0), R1")
	}
	if r == asm.Fault {
		e.Line("MVN R1, R1")
	}
	if r != asm.Nothing {
		e.Line("MOVD R1, ret+8(FP)")
	}
	e.Line("RET")
}

func (e *emitter) Tail(mask lir.Value) {
	e.Line("MOVD 0(R0), R2")
	e.Line("SUB R1, R2")
	e.below(e.v(mask))
}

func (e *emitter) Begin(g int, r string) {
	of := e.Nest.Groups[g]
	if of.Frame {
		e.framed(of.Off, r)
		return
	}
	if of.Row != nil {
		e.Line("MOVD %d(R0), %s", of.Off, r)
	} else {
		e.Line("MOVD %d(R0), %s", of.Base, r)
		e.Line("MOVD %d(R0), R3", of.Off)
		e.Line("ADD R3, %s", r)
	}
	if of.Stride != 0 {
		e.Line("MOVD %d(R0), R3", of.Stride)
		e.Line("MADD R3, %s, R1, %s", r, r)
		e.multiple(of.First, r)
	}
	if e.perLane[g] {
		e.Line("ADD R1<<%d, %s", log2(of.Size), r)
	}
}

func log2(n int) int {
	by := 0
	for 1<<by < n {
		by++
	}
	return by
}

// framed sets register r to the address at offset off in the frame, rounded up to a cache line.
func (e *emitter) framed(off int, r string) {
	e.Line("MOVD $%d(RSP), %s", frameHead+off+63, r)
	e.Line("AND $-64, %s", r)
}

func (e *emitter) JumpUnless(s lir.Scalar, label string) error {
	if err := e.Scalar(s, "R2"); err != nil {
		return err
	}
	e.JumpNotPositive("R2", label)
	return nil
}

func (e *emitter) JumpNone(masks []lir.Value, label string) {
	e.bits(e.either(masks), "R3")
	e.Line("CBZ R3, %s", label)
}

func (e *emitter) JumpNotAll(masks []lir.Value, label string) {
	all := e.v(masks[0])
	for _, m := range masks[1:] {
		e.three("VAND", b16, stepReg, all, e.v(m))
		all = stepReg
	}
	e.bits(all, "R3")
	e.Line("CMN $1, R3")
	e.Line("BNE %s", label)
}

func (e *emitter) JumpNotPositive(r, label string) {
	e.Line("CMP $0, %s", r)
	e.Line("BLE %s", label)
}

func (e *emitter) Strip() string { return "R1" }

func (e *emitter) Temp() string { return "R2" }

// frameHead is the part of the frame for the return address, padded so that slots are multiples of
// 16.
const frameHead = 16

func (e *emitter) Slot(at int) string { return fmt.Sprintf("%d(RSP)", frameHead+at) }

func (e *emitter) Move(from, to string) { e.Line("MOVD %s, %s", from, to) }

func (e *emitter) Zero(r string) { e.Line("MOVD ZR, %s", r) }

func (e *emitter) Increment(r string) { e.Line("ADD $1, %s", r) }

func (e *emitter) Argument(arg int, r string) {
	if kept := e.Kept[arg]; kept != "" {
		e.Move(kept, r)
		return
	}
	e.Line("MOVD %d(R0), %s", arg, r)
}

func (e *emitter) AddTerm(t lir.Term, round, r string) error {
	switch {
	case t.Off < 0 && t.Const == 1:
		e.Line("ADD %s, %s", round, r)
		return nil
	case t.Off < 0 && t.Const == -1:
		e.Line("SUB %s, %s", round, r)
		return nil
	case t.Off >= 0:
		e.Argument(t.Off, "R3")
	default:
		e.Line("MOVD $%d, R3", t.Const)
	}
	e.Line("MADD %s, %s, R3, %s", round, r, r)
	return nil
}

func (e *emitter) Step(s lir.Step, place string) {
	by := fmt.Sprintf("$%d", s.Const)
	if r := e.Kept[s.Off]; s.Off >= 0 && r != "" {
		by = r
	} else if s.Off >= 0 {
		by = "R3"
		e.Line("MOVD %d(R0), R3", s.Off)
	}
	if asm.InFrame(place) {
		e.Line("MOVD %s, R2", place)
		e.Line("ADD %s, R2", by)
		e.Line("MOVD R2, %s", place)
		return
	}
	e.Line("ADD %s, %s", by, place)
}

func (e *emitter) Align() { e.Line("PCALIGN $16") }

func (e *emitter) CountDown(place, label string) {
	if asm.InFrame(place) {
		e.Line("MOVD %s, R2", place)
		e.Line("SUB $1, R2")
		e.Line("MOVD R2, %s", place)
		place = "R2"
	} else {
		e.Line("SUB $1, %s", place)
	}
	e.Line("CBNZ %s, %s", place, label)
}

func (e *emitter) CountUp(r, limit string, arg int, label string) {
	if limit == "" {
		limit = "R3"
		e.Line("MOVD %d(R0), R3", arg)
	}
	e.Line("ADD $1, %s", r)
	e.Line("CMP %s, %s", limit, r)
	e.Line("BLT %s", label)
}

func (e *emitter) Budget(label string) {
	e.Line("MOVD %s, R2", e.Slot(asm.BudgetAt))
	e.Line("SUB $1, R2")
	e.Line("MOVD R2, %s", e.Slot(asm.BudgetAt))
	e.Line("CBZ R2, %s", label)
}

func (e *emitter) Patience(masks []lir.Value, few int, label string) {
	e.Line("MOVD ZR, R2")
	for _, m := range masks {
		e.bits(e.v(m), "R3")
		e.Line("VCNT V%d.B8, V%d.B8", stepReg, stepReg)
		e.Line("VUADDLV V%d.B8, V%d", stepReg, stepReg)
		e.Line("VMOV %s, R3", lane(stepReg, 8, 0))
		e.Line("ADD R3, R2")
	}
	many, out := e.NewLabel(), e.NewLabel()
	e.Line("CMP $%d, R2", few*e.laneBits())
	e.Line("MOVD %s, R2", e.Slot(asm.PatienceAt))
	e.Line("BGT %s", many)
	e.Line("SUB $1, R2")
	e.Line("MOVD R2, %s", e.Slot(asm.PatienceAt))
	e.Line("CBZ R2, %s", label)
	e.Line("JMP %s", out)
	e.Label(many)
	e.Line("ADD $1, R2")
	e.Line("MOVD R2, %s", e.Slot(asm.PatienceAt))
	e.Label(out)
}
