package asm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Code generation for a nest: control flow, pointers and counters in integer registers, and the
// layout of the frame.

// An Emitter prints a func.
type Emitter struct {
	*File
	*Machine
	target Target
	name   string
	out    strings.Builder
	Nest   *lir.Nest
	At     []int // the registers of values
	labels int
	frame  int // the size of the frame in bytes
	slots  int // the number of slots in use
	most   int // the largest number of slots in use so far
	free   []string
	Ptr    map[int]string // the places of pointers
	Kept   map[int]string // registers that hold arguments during an innermost loop
	round  map[*lir.Loop]string
	counts map[*lir.Loop]bool // the loops whose iteration numbers are terms of scalars
	inside bool               // the func has a form for strips in an interval

	// Spilled values begin at this offset in the frame, or if it is not "" at the register, which is
	// aligned to a cache line.
	SpillsAt int
	Spills   string
}

// Line prints an instruction.
func (e *Emitter) Line(format string, args ...any) {
	fmt.Fprintf(&e.out, "\t"+format+"\n", args...)
}

// Label prints a label.
func (e *Emitter) Label(name string) { fmt.Fprintf(&e.out, "%s:\n", name) }

// NewLabel returns a new label.
func (e *Emitter) NewLabel() string {
	e.labels++
	return fmt.Sprintf("l%d", e.labels)
}

// Routine adds a routine that funcs of the file call, and returns its name. print prints its body
// with an emitter of its own.
func (f *File) Routine(name string, m *Machine, print func(*Emitter)) string {
	name += "<>"
	if f.consts[name] == "" {
		e := &Emitter{File: f, Machine: m}
		print(e)
		f.Constant(name, fmt.Sprintf("TEXT %s(SB), NOSPLIT|NOFRAME, $0-0\n%s", name, e.out.String()))
	}
	return name
}

// A Form is a nest on a machine. Its values get registers when it is first printed, so that funcs may
// try it in several combinations.
type Form struct {
	nest   *lir.Nest
	placed bool
	notes  any // of the machine's
	// Following strips skip first. If rest is empty, there are no such instructions.
	first, rest []lir.Node
	at          []int
	base, bytes int // the offset of spilled values in the frame, and how many bytes they take
	err         error
}

// NewForm returns a form with a copy of a nest.
func NewForm(n *lir.Nest) *Form { return &Form{nest: n.Clone()} }

// place finds registers for the values of a form.
func (e *Emitter) place(f *Form) error {
	if f.placed {
		return f.err
	}
	f.placed = true
	n := f.nest
	lir.SplitWebs(n)
	f.notes = e.target.Prepare(n)
	// Spilled values are behind the tiles.
	f.base = TilesBegin
	if n.Tiles > 0 {
		f.base += n.Tiles + 64 // room to align the tiles to a cache line
	}
	f.first, f.rest = e.split(n)
	if len(f.rest) > 0 {
		again := *n
		again.Body = append(slices.Clone(f.first), &lir.Loop{Body: f.rest})
		if f.at, f.err = allocate(&again, e.Machine); f.err != nil {
			f.rest = nil
		}
	}
	switch {
	case len(f.rest) > 0:
	case n.Registers:
		f.at, f.err = allocate(n, e.Machine)
	default:
		f.at, f.bytes, f.err = allocateSpilling(n, e.Machine, f.base)
	}
	if f.err == nil && n.Lean && f.bytes > 0 && crowded(n.Body) {
		f.err = ErrRegisters
	}
	return f.err
}

// form prints the code of one strip.
func (e *Emitter) form(f *Form) error {
	e.Nest = f.nest
	if err := e.place(f); err != nil {
		return err
	}
	e.target.Resume(f.notes)
	if f.nest.Tiles > 0 {
		e.NeedFrame(f.base)
	}
	e.At, e.SpillsAt = f.at, f.base
	ways := []registers{{pointers: true}, {}}
	if f.bytes > 0 {
		e.NeedFrame(f.base + f.bytes + 64)
		ways = []registers{{pointers: true, spills: true}, {spills: true}, {pointers: true}, {}}
	}
	before, slots := e.out.String(), e.slots
	var err error
	for _, use := range ways {
		e.slots = slots
		if err = e.print(f.first, f.rest, use); err != ErrRegisters {
			break
		}
		e.out.Reset()
		e.out.WriteString(before)
	}
	return err
}

// registers says what gets registers for integers if the loops leave some: pointers outside loops, and
// the place of spilled values, aligned to a cache line.
type registers struct{ pointers, spills bool }

// print prints a nest whose values have registers.
func (e *Emitter) print(first, rest []lir.Node, use registers) (err error) {
	n := e.Nest
	e.free, e.Ptr = slices.Clone(e.Pool), map[int]string{}
	e.round, e.counts = map[*lir.Loop]string{}, lir.Counted(n.Body)
	slices.Reverse(e.free)
	if n.Lanes != 0 {
		e.target.Tail(n.Lanes)
	}
	var top []int
	for g := range n.Groups {
		if e.usedAt(n.Body, g, false) { // it is used outside loops
			top = append(top, g)
		}
	}
	e.Spills = ""
	framer, ok := e.target.(Framer)
	if ok && use.spills && e.need(n.Body) < len(e.Pool) {
		e.Spills = e.Take()
		framer.Frame(e.SpillsAt, e.Spills)
	}
	if use.pointers && len(top)+e.need(n.Body) <= len(e.free) {
		for _, g := range top {
			e.Ptr[g] = e.Take()
			e.target.Begin(g, e.Ptr[g])
		}
	} else {
		rest = nil
	}
	threads := e.Lanes(n.Size) * n.Parts
	if e.byRows(n) {
		last := len(n.Body) - 1
		if err = e.list(n.Body[:last]); err == nil {
			err = e.loop(n.Body[last].(*lir.Loop), threads)
		}
		return err
	}
	if len(rest) == 0 {
		err = e.list(n.Body)
		e.target.Advance(threads)
		return err
	}
	if err := e.list(first); err != nil {
		return err
	}
	strip, end := e.NewLabel(), 0
	if n.Inside != [2]int{} {
		end = n.Inside[1]
	}
	limit := ""
	within, ok := e.target.(Stripper)
	if ok && len(e.free) > fewFree {
		limit = e.Take()
		within.Limit(end, threads, limit)
	}
	e.target.Align()
	e.Label(strip)
	if err := e.list(rest); err != nil {
		return err
	}
	e.target.Advance(threads)
	for _, g := range top {
		if e.target.PerLane(g) {
			e.target.Step(lir.Step{Group: g, Const: threads * n.Groups[g].Size, Off: -1}, e.Ptr[g])
		}
	}
	if limit != "" {
		within.JumpWithin(limit, strip)
	} else {
		e.target.JumpThreads(threads, false, end, strip)
	}
	return nil
}

// split returns the leading strip-invariant instructions of a nest, which consecutive strips need
// execute only once, and the others. It returns nothing for nests with loops, where that does not
// pay.
func (e *Emitter) split(n *lir.Nest) (first, rest []lir.Node) {
	if !e.Strips || hasLoop(n.Body) || n.Lanes != 0 {
		return nil, nil
	}
	often := make([]int, len(n.Kinds))
	lir.Walk(n.Body, func(i *lir.Instr) { often[i.Dst]++ })
	for k, x := range n.Body {
		i, ok := x.(*lir.Instr)
		if !ok || i.Op != lir.Const && i.Op != lir.Arg && i.Op != lir.Strides || often[i.Dst] > 1 {
			return n.Body[:k], n.Body[k:]
		}
	}
	return nil, nil
}

// usedAt reports whether list has accesses by the pointer g; with deep, also those in loops.
func (e *Emitter) usedAt(list []lir.Node, g int, deep bool) bool {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if e.Nest.Uses(x, g) {
				return true
			}
		case *lir.Loop:
			if deep && (e.usedAt(x.Head, g, deep) || e.usedAt(x.Body, g, deep)) {
				return true
			}
		case *lir.When:
			if e.usedAt(x.Then, g, deep) || e.usedAt(x.Else, g, deep) {
				return true
			}
		}
	}
	return false
}

// need is the largest number of integer registers that the loops in list need.
func (e *Emitter) need(list []lir.Node) int {
	most := 0
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			seen := map[int]bool{}
			for g := range e.Nest.Groups {
				if e.usedAt(x.Head, g, false) || e.usedAt(x.Body, g, false) {
					seen[g] = true
				}
			}
			own := 1
			if e.counts[x] && len(x.Trips.Terms) > 0 {
				own = 2
			}
			most = max(most, own+len(seen)+max(e.need(x.Head), e.need(x.Body)))
		case *lir.When:
			most = max(most, e.need(x.Then), e.need(x.Else))
		}
	}
	return most
}

// Take returns a register of the pool, or "" if there is none.
func (e *Emitter) Take() string {
	last := len(e.free) - 1
	if last < 0 {
		return ""
	}
	r := e.free[last]
	e.free = e.free[:last]
	return r
}

// Give returns registers to the pool.
func (e *Emitter) Give(r ...string) { e.free = append(e.free, r...) }

// NeedFrame makes the frame at least bytes long.
func (e *Emitter) NeedFrame(bytes int) { e.frame = max(e.frame, bytes) }

// InFrame reports whether a place is a slot of the frame.
func InFrame(place string) bool { return strings.HasSuffix(place, "SP)") }

func (e *Emitter) list(list []lir.Node) error {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if err := e.target.Instr(x); err != nil {
				if err == ErrRegisters {
					return err // naming the instruction would not help the kernel's reader
				}
				return fmt.Errorf("%v: %w", x, err)
			}
		case *lir.Loop:
			if err := e.loop(x, 0); err != nil {
				return err
			}
		case *lir.When:
			otherwise, end := e.NewLabel(), e.NewLabel()
			for _, c := range x.Conds {
				if err := e.target.JumpUnless(c, otherwise); err != nil {
					return err
				}
			}
			if all, ok := e.target.(AllJumper); ok && x.All {
				all.JumpNotAll(x.Any, otherwise)
			} else if len(x.Any) > 0 {
				e.target.JumpNone(x.Any, otherwise)
			}
			if err := e.list(x.Then); err != nil {
				return err
			}
			if len(x.Else) > 0 {
				e.Line("JMP %s", end)
			}
			e.Label(otherwise)
			if len(x.Else) > 0 {
				if err := e.list(x.Else); err != nil {
					return err
				}
				e.Label(end)
			}
		}
	}
	return nil
}

// loop prints a loop. If threads is not 0, it is the rows of a plane, and each iteration executes all
// strips of so many threads.
func (e *Emitter) loop(l *lir.Loop, threads int) error {
	free, outer := slices.Clone(e.free), maps.Clone(e.Ptr)
	defer func() { e.free, e.Ptr = free, outer }()
	moves := map[int]lir.Step{}
	for _, s := range l.Steps {
		moves[s.Group] = s
	}
	var groups []int
	for g := range e.Nest.Groups {
		if e.usedAt(l.Head, g, true) || e.usedAt(l.Body, g, true) {
			groups = append(groups, g)
		}
	}
	top, end, temp := e.NewLabel(), e.NewLabel(), e.target.Temp()
	// The loop counts down to 0, or up to the trip count if the number of the iteration is needed.
	count, limit, counted := "", "", e.counts[l]
	outermost := e.slots
	defer func() { e.slots = outermost }()
	if len(l.While) > 0 {
		if counted {
			if count = e.Take(); count == "" {
				return ErrRegisters
			}
			e.target.Zero(count)
			e.round[l] = count
		}
		counted = false
	} else if few := len(e.free) < fewFree; few && !counted && hasLoop(l.Body) {
		count = e.slot()
		if err := e.Scalar(l.Trips, temp); err != nil {
			return err
		}
		e.target.JumpNotPositive(temp, end)
		e.target.Move(temp, count)
	} else {
		if count = e.Take(); count == "" {
			return ErrRegisters
		}
		if err := e.Scalar(l.Trips, count); err != nil {
			return err
		}
		e.target.JumpNotPositive(count, end)
	}
	if counted {
		if len(l.Trips.Terms) > 0 {
			if limit = e.Take(); limit == "" {
				return ErrRegisters
			}
			e.target.Move(count, limit)
		}
		e.target.Zero(count)
		e.round[l] = count
	}
	var saved []string // registers, and the places where they are saved during the loop
	for _, g := range groups {
		_, moving := moves[g]
		was := e.Ptr[g]
		inFrame := InFrame(was)
		if !e.usedAt(l.Head, g, false) && !e.usedAt(l.Body, g, false) { // only inner loops use it
			if !moving {
				continue
			}
			slot := e.slot()
			if was == "" || inFrame {
				e.Pointer(g, temp)
				e.target.Move(temp, slot)
			} else {
				e.target.Move(was, slot)
			}
			e.Ptr[g] = slot
			continue
		}
		if was != "" && !inFrame {
			if !moving {
				continue
			}
			if len(e.free) < fewFree {
				slot := e.slot()
				e.target.Move(was, slot)
				saved = append(saved, slot, was)
				continue
			}
		}
		if e.Nest.Deep && len(e.free) <= fewLeft {
			slot := e.slot()
			if was == "" || inFrame {
				e.Pointer(g, temp)
				e.target.Move(temp, slot)
			} else {
				e.target.Move(was, slot)
			}
			e.Ptr[g] = slot
			continue
		}
		r := e.Take()
		if r == "" {
			return ErrRegisters
		}
		if was != "" && !inFrame {
			e.target.Move(was, r)
		} else {
			e.Pointer(g, r)
		}
		e.Ptr[g] = r
	}
	kept := maps.Clone(e.Kept)
	defer func() { e.Kept = kept }()
	if e.Strips && !hasLoop(l.Head) && !hasLoop(l.Body) {
		e.keep(l)
	}
	if counted && limit == "" {
		limit = e.Kept[l.Trips.Off]
	}
	first, strip := "", e.NewLabel()
	if threads > 0 {
		if first = e.Take(); first == "" {
			first = e.slot()
		}
		e.target.Move(e.target.Strip(), first)
	} else {
		e.target.Align()
	}
	e.Label(top)
	if threads > 0 {
		e.target.Move(first, e.target.Strip())
		e.target.Align()
		e.Label(strip)
	}
	out := e.NewLabel()
	if len(l.While) > 0 {
		for _, c := range l.Conds {
			if err := e.Scalar(c, temp); err != nil {
				return err
			}
			e.target.JumpNotPositive(temp, out)
		}
		if err := e.list(l.Head); err != nil {
			return err
		}
		e.target.JumpNone(l.While, out)
	}
	if err := e.list(l.Body); err != nil {
		return err
	}
	if threads > 0 {
		e.target.Advance(threads)
		e.target.JumpThreads(threads, false, e.Nest.Inside[1], strip)
	} else {
		e.prefetch(l)
	}
	for _, g := range groups {
		if s, moving := moves[g]; moving {
			e.target.Step(s, e.Ptr[g])
		}
	}
	if len(l.While) > 0 {
		if count != "" {
			e.target.Increment(count)
		}
		e.target.Budget("fail")
		if gathers(l) {
			left := l.While
			if len(l.Left) > 0 {
				left = l.Left
			}
			e.target.Patience(left, e.Nest.Parts*e.Lanes(e.Nest.Size)/4, "fail")
		}
		e.Line("JMP %s", top)
		e.Label(out)
	} else if counted {
		e.target.CountUp(count, limit, l.Trips.Off, top)
	} else {
		e.target.CountDown(count, top)
	}
	for i := 0; i < len(saved); i += 2 {
		e.target.Move(saved[i], saved[i+1])
	}
	if threads == 0 {
		e.Label(end)
		return nil
	}
	e.Line("JMP next")
	e.Label(end)
	e.target.Advance(threads)
	return nil
}

// prefetch prefetches the elements next to those of a row, if rows are at most a vector long and far
// apart. The neighbouring block will need them, and the hardware prefetcher does not follow jumps from
// page to page: blocks of 16 by 16 that add up products took 2.5 ms, and 1.2 with it (Zen 5).
func (e *Emitter) prefetch(l *lir.Loop) {
	p, ok := e.target.(Prefetcher)
	if !ok || hasLoop(l.Body) || len(l.While) > 0 || e.Nest.Parts > 1 {
		return
	}
	var streams []lir.Mem
	for _, s := range l.Steps {
		if s.Off < 0 && s.Const > -farStep && s.Const < farStep || e.Ptr[s.Group] == "" || InFrame(e.Ptr[s.Group]) {
			continue
		}
		var last *lir.Mem
		lir.Walk(l.Body, func(i *lir.Instr) {
			if (i.Op == lir.Load || i.Op == lir.Store) && i.Mem.Group == s.Group && !i.Mem.Uniform && (last == nil || i.Mem.Disp > last.Disp) {
				last = &i.Mem
			}
		})
		if last != nil {
			streams = append(streams, *last)
		}
	}
	for _, m := range streams {
		m.Disp += 2 * cacheLine
		p.Prefetch(m)
	}
}

const (
	cacheLine = 64   // bytes
	farStep   = 1024 // the least distance of rows that are far apart
)

// A Prefetcher is a Target with a prefetch instruction.
type Prefetcher interface{ Prefetch(m lir.Mem) }

// keep loads arguments that every iteration of an innermost loop uses into registers: steps of
// pointers, the trip count of a loop that counts up, and operands of uniform conditions.
func (e *Emitter) keep(l *lir.Loop) {
	take := func(off int) {
		if off < 0 || e.Kept[off] != "" || len(e.free) <= fewKept {
			return
		}
		r := e.Take()
		e.target.Argument(off, r)
		if e.Kept == nil {
			e.Kept = map[int]string{}
		}
		e.Kept[off] = r
	}
	for _, s := range l.Steps {
		take(s.Off)
	}
	if len(l.While) == 0 && e.counts[l] && len(l.Trips.Terms) == 0 {
		take(l.Trips.Off)
	}
	for _, c := range l.Conds {
		take(c.Off)
	}
	var conds func(list []lir.Node)
	conds = func(list []lir.Node) {
		for _, x := range list {
			if w, ok := x.(*lir.When); ok {
				for _, c := range w.Conds {
					take(c.Off)
				}
				conds(w.Then)
				conds(w.Else)
			}
		}
	}
	conds(l.Head)
	conds(l.Body)
}

// fewKept is the number of registers that an innermost loop leaves free for temporaries of
// instructions.
const fewKept = 3

// Pointer sets register r to the pointer g.
func (e *Emitter) Pointer(g int, r string) {
	if at := e.Ptr[g]; at != "" {
		e.target.Move(at, r)
	} else {
		e.target.Begin(g, r)
	}
}

// fewLeft is the number of registers left to instructions and inner loops if a loop can't keep all
// of its pointers in registers.
const fewLeft = 4

// fewFree is the number of free registers up to which values of enclosing loops are kept in the
// frame.
const fewFree = 8

// Slots are the part of the frame that saves integer registers: behind the area that scatters use,
// and before tiles.
const (
	slotsBegin = 192
	mostSlots  = 64
	TilesBegin = slotsBegin + 8*mostSlots
)

// BudgetAt is the offset in the frame of the number of iterations that divergent loops may still
// execute.
const BudgetAt = slotsBegin - 8

// PatienceAt is the offset in the frame of the patience of loops with gathers: how many more
// iterations may have few active threads. LanesAt is the offset of an area for counting these
// threads.
const (
	PatienceAt = slotsBegin - 16
	LanesAt    = slotsBegin - 24
)

// MostPatience is the initial patience of a call. An iteration with more than a quarter of the
// threads active adds 1, any other subtracts 1. So vectors cost at most twice as much as without
// the long loops of a few threads. Plain Go executes those in a fraction of the time, since a
// gather takes as long for one active lane as for all.
const MostPatience = 64

// gathers reports whether a loop contains a gather with irregular distances.
func gathers(l *lir.Loop) bool {
	found := false
	look := func(i *lir.Instr) { found = found || i.Op == lir.Gather && i.Every == 0 }
	lir.Walk(l.Head, look)
	lir.Walk(l.Body, look)
	return found
}

// MostRounds is the largest number of iterations of divergent loops per call, which take some
// milliseconds.
const MostRounds = 1 << 20

// slot returns a new slot of the frame for an integer register.
func (e *Emitter) slot() string {
	at := slotsBegin + 8*e.slots
	e.slots++
	e.most = max(e.most, e.slots)
	e.NeedFrame(at + 8)
	return e.target.Slot(at)
}

// hasLoop reports whether there is a loop in list.
func hasLoop(list []lir.Node) bool {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			return true
		case *lir.When:
			if hasLoop(x.Then) || hasLoop(x.Else) {
				return true
			}
		}
	}
	return false
}

// Scalar sets register r to the scalar s.
func (e *Emitter) Scalar(s lir.Scalar, r string) error {
	e.target.Argument(s.Off, r)
	for _, t := range s.Terms {
		if err := e.target.AddTerm(t, e.round[t.Loop], r); err != nil {
			return err
		}
	}
	if s.Strip != 0 {
		return e.target.AddTerm(lir.Term{Const: s.Strip, Off: -1}, e.target.Strip(), r)
	}
	return nil
}
