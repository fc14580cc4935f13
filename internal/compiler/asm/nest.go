package asm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// An Emitter prints a func.
type Emitter struct {
	*File
	*Machine
	target Target
	name   string
	out    strings.Builder
	Nest   *lir.Nest
	At     map[lir.Value]int // registers of values
	labels int
	frame  int // bytes
	slots  int // places in it that are taken
	most   int // and were at the same time
	free   []string
	Ptr    map[int]string // places of pointers
	Kept   map[int]string // registers of arguments that pointers move by
	round  map[*lir.Loop]string
	counts map[*lir.Loop]bool // the loops whose rounds are terms
}

// Line prints an instruction.
func (e *Emitter) Line(format string, args ...any) {
	fmt.Fprintf(&e.out, "\t"+format+"\n", args...)
}

// Label prints a label.
func (e *Emitter) Label(name string) { fmt.Fprintf(&e.out, "%s:\n", name) }

// NewLabel returns the name of a label.
func (e *Emitter) NewLabel() string {
	e.labels++
	return fmt.Sprintf("l%d", e.labels)
}

// Routine makes a routine of the file known, which funcs call, and returns its name; print prints it with an emitter of its own.
func (f *File) Routine(name string, m *Machine, print func(*Emitter)) string {
	name += "<>"
	if f.consts[name] == "" {
		e := &Emitter{File: f, Machine: m}
		print(e)
		f.Constant(name, fmt.Sprintf("TEXT %s(SB), NOSPLIT|NOFRAME, $0-0\n%s", name, e.out.String()))
	}
	return name
}

// nest prints one strip.
func (e *Emitter) nest(n *lir.Nest) error {
	e.target.Prepare(n)
	// Behind the tiles there is room for values without a register.
	base := TilesBegin
	if n.Tiles > 0 {
		base += n.Tiles + 64 // they begin at a cache line
		e.NeedFrame(base)
	}
	first, rest := e.split(n)
	again := *n
	again.Body = append(slices.Clone(first), &lir.Loop{Body: rest})
	var at map[lir.Value]int
	var err error
	bytes := 0
	if len(rest) > 0 {
		if at, err = allocate(&again, e.Machine); err != nil {
			rest = nil
		}
	}
	switch {
	case len(rest) > 0:
	case n.Registers:
		at, err = allocate(n, e.Machine)
	default:
		at, bytes, err = allocateSpilling(n, e.Machine, base)
	}
	if err != nil {
		return err
	}
	if n.Lean && bytes > 0 && crowded(n.Body) {
		return ErrRegisters
	}
	if bytes > 0 {
		e.NeedFrame(base + bytes)
	}
	e.Nest, e.At = n, at
	before, slots := e.out.String(), e.slots
	for _, pointers := range []bool{true, false} {
		e.slots = slots
		if err = e.print(first, rest, pointers); err != ErrRegisters {
			break
		}
		e.out.Reset()
		e.out.WriteString(before)
	}
	return err
}

// print prints a nest whose values have registers. Pointers outside loops have registers, too, if pointers is set and the loops leave some.
func (e *Emitter) print(first, rest []lir.Node, pointers bool) (err error) {
	n := e.Nest
	e.free, e.Ptr = slices.Clone(e.Pool), map[int]string{}
	e.round, e.counts = map[*lir.Loop]string{}, lir.Counted(n.Body)
	slices.Reverse(e.free)
	if n.Lanes != 0 {
		e.target.Tail(n.Lanes)
	}
	var top []int
	for g := range n.Groups {
		if usedAt(n.Body, g, false) { // not those of loops alone
			top = append(top, g)
		}
	}
	if pointers && len(top)+e.need(n.Body) <= len(e.Pool) {
		for _, g := range top {
			e.Ptr[g] = e.Take()
			e.target.Begin(g, e.Ptr[g])
		}
	} else {
		rest = nil
	}
	threads := e.Lanes(n.Size) * n.Parts
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

// split returns the instructions that a nest begins with and that give the same for all strips, and the others, if it is worth it to do the first once for
// strips that follow each other: if there are no loops. Else it returns nothing.
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

// usedAt reports whether list has accesses by the pointer g; those in loops count if deep.
func usedAt(list []lir.Node, g int, deep bool) bool {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if x.InMemory() && x.Mem.Group == g {
				return true
			}
		case *lir.Loop:
			if deep && (usedAt(x.Head, g, deep) || usedAt(x.Body, g, deep)) {
				return true
			}
		case *lir.When:
			if usedAt(x.Then, g, deep) || usedAt(x.Else, g, deep) {
				return true
			}
		}
	}
	return false
}

// need is how many registers the loops in list take at most.
func (e *Emitter) need(list []lir.Node) int {
	most := 0
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			seen := map[int]bool{}
			for g := range e.Nest.Groups {
				if usedAt(x.Head, g, false) || usedAt(x.Body, g, false) {
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

// Take returns a register of the pool, or "" if there is none left.
func (e *Emitter) Take() string {
	last := len(e.free) - 1
	if last < 0 {
		return ""
	}
	r := e.free[last]
	e.free = e.free[:last]
	return r
}

// Give puts registers that Take has returned back.
func (e *Emitter) Give(r ...string) { e.free = append(e.free, r...) }

// NeedFrame makes the frame at least so many bytes long.
func (e *Emitter) NeedFrame(bytes int) { e.frame = max(e.frame, bytes) }

// InFrame reports whether a place is a slot of the frame.
func InFrame(place string) bool { return strings.HasSuffix(place, "SP)") }

func (e *Emitter) list(list []lir.Node) error {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if err := e.target.Instr(x); err != nil {
				if err == ErrRegisters {
					return err // which of the instructions it is says nothing to the reader of the kernel
				}
				return fmt.Errorf("%v: %w", x, err)
			}
		case *lir.Loop:
			if err := e.loop(x); err != nil {
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

func (e *Emitter) loop(l *lir.Loop) error {
	free, outer := slices.Clone(e.free), maps.Clone(e.Ptr)
	defer func() { e.free, e.Ptr = free, outer }()
	moves := map[int]lir.Step{}
	for _, s := range l.Steps {
		moves[s.Group] = s
	}
	var groups []int
	for g := range e.Nest.Groups {
		if usedAt(l.Head, g, true) || usedAt(l.Body, g, true) {
			groups = append(groups, g)
		}
	}
	top, end, temp := e.NewLabel(), e.NewLabel(), e.target.Temp()
	// Rounds are counted down to 0, or up to the limit if something asks for their number.
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
	var saved []string // registers and where they are until the loop has ended
	for _, g := range groups {
		_, moving := moves[g]
		was := e.Ptr[g]
		inFrame := InFrame(was)
		if !usedAt(l.Head, g, false) && !usedAt(l.Body, g, false) { // only loops inside have accesses by it
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
	e.target.Align()
	e.Label(top)
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
	e.prefetch(l)
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
	e.Label(end)
	return nil
}

// prefetch asks for what is next in memory to the elements of a row, where rows have a vector or less, are far from each other and of several slices: the block
// beside this one will want it, and the machine can't know that, as it sees jumps from page to page.
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
	if len(streams) < fewStreams {
		return
	}
	for _, m := range streams {
		m.Disp += cacheLine
		p.Prefetch(m)
	}
}

const (
	cacheLine  = 64   // bytes
	farStep    = 1024 // bytes from row to row
	fewStreams = 3    // the machine itself follows about so many
)

// A Prefetcher is a target with an instruction that brings memory nearer.
type Prefetcher interface{ Prefetch(m lir.Mem) }

// keep takes registers for arguments that an innermost loop needs in each round: distances of pointers, the number of rounds where these are counted up, and what
// conditions that all threads have in common are about.
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

// fewKept is how many registers an innermost loop leaves free: for the steps of an operation.
const fewKept = 3

// Pointer prints what makes register r the pointer g, which has none.
func (e *Emitter) Pointer(g int, r string) {
	if at := e.Ptr[g]; at != "" {
		e.target.Move(at, r)
	} else {
		e.target.Begin(g, r)
	}
}

// fewLeft is how many are left to operations and to loops inside where not all pointers of a loop have one.
const fewLeft = 4

// fewFree is how many free registers are so few that what loops around others need lies in the frame.
const fewFree = 8

// Slots are the part of the frame where registers are kept: behind what scatters use, and before tiles.
const (
	slotsBegin = 192
	mostSlots  = 64
	TilesBegin = slotsBegin + 8*mostSlots
)

// BudgetAt is where in the frame the rounds are that loops without a known end may still go.
const BudgetAt = slotsBegin - 8

// PatienceAt is where it is that loops with gathers may have more rounds in which few threads are left, and LanesAt is for counting these.
const (
	PatienceAt = slotsBegin - 16
	LanesAt    = slotsBegin - 24
)

// MostPatience is what a call begins with. A round in which more than a quarter of the threads are left adds 1, any other takes 1: vectors then cost
// at most twice what they would have had without the long loops of a few threads, which plain Go does in a fraction of the time, as a gather takes as long for one
// lane as for all.
const MostPatience = 64

// gathers reports whether a loop reads elements of each lane's own.
func gathers(l *lir.Loop) bool {
	found := false
	look := func(i *lir.Instr) { found = found || i.Op == lir.Gather && i.Every == 0 }
	lir.Walk(l.Head, look)
	lir.Walk(l.Body, look)
	return found
}

// MostRounds is how many rounds the loops without a known end of a call go before the call is given up: some milliseconds.
const MostRounds = 1 << 20

// slot returns a place in the frame for a register.
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

// Scalar prints what makes register r the integer s.
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
