package compiler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Memory of nests: their arguments, the pointers that loops move, and the checks of all indices before a nest is entered.

// A row is what the nests of a region have in common: their arguments, and what is computed and checked before they are entered.
type row struct {
	args   []argument
	checks []string
	syms   symbols
	atoms  map[string]int // integers, by their texts, and of how many factors the products are that they are in
	locals []string       // lines that declare the numbers of rounds and the like
	name   func(string) string
}

// An argument is a field of the struct that a nest is given.
type argument struct {
	typ, text string
	off       int
}

// arg returns where the argument with this text is.
func (r *row) arg(typ, text string) int {
	off := 8
	for _, a := range r.args {
		if a.typ == typ && a.text == text {
			return a.off
		}
		off = a.off + 8
		if a.typ[:2] == "[]" {
			off += 16
		}
	}
	r.args = append(r.args, argument{typ, text, off})
	return off
}

// local declares a variable with this value before the checks, and returns its name.
func (r *row) local(what, text string) string {
	for i := 0; i+1 < len(r.locals); i += 2 {
		if r.locals[i+1] == text {
			return r.locals[i]
		}
	}
	name := r.name(what)
	r.locals = append(r.locals, name, text)
	return name
}

func (r *row) check(text string) {
	if !slices.Contains(r.checks, text) {
		r.checks = append(r.checks, text)
	}
}

// small notes that p is computed, so that what it is made of must be small enough for no sum or product to wrap around. If it is
// multiplied by a number of rounds more is one more.
func (r *row) small(p poly, more int) {
	for m, n := range p {
		if m == "" {
			if n < -1<<40 || n > 1<<40 {
				cannot("an index has a large constant")
			}
			continue
		}
		most := int64(1 << 20)
		factors := strings.Split(m, "*")
		degree := len(factors) + more
		if degree > 1 {
			most = 1 << 4
		}
		if n < -most || n > most || degree > 3 {
			cannot("an index has large factors")
		}
		for _, f := range factors {
			var i int
			fmt.Sscanf(f, "r%d", &i)
			t := r.syms.texts[i]
			r.atoms[t] = max(r.atoms[t], degree)
		}
	}
	if len(p) > 7 {
		cannot("an index is a long sum")
	}
}

// element returns where an element is that threads read or store: the same one, or one each that are neighbours (step 1).
func (l *lowering) element(x *Index) (m lir.Mem, step int64) {
	ref, ok := x.X.(*VarRef)
	if !ok || !isSlice(x.X.Type()) || l.assigned[ref.V] || ref.V.value != nil || !ref.V.Shape.uniform() || ref.V.addr {
		cannot("elements of what is no slice of the kernel")
	}
	p, ok := l.polyOf(&Convert{x.I, intType})
	if !ok {
		cannot("an index that is not affine")
	}
	if isUnsigned64(x.I.Type()) {
		cannot("an unsigned index")
	}
	factor, _, ok := p.by(laneSymbol)
	step, isConst := factor.constant()
	if !ok || !factor.ofRow() {
		cannot("elements at no steady distance")
	}
	name := l.b.expr(x.X)
	m = l.memory(name, l.b.typ(x.T), l.kind(x.T), p)
	if isConst && (step == 0 || step == 1) {
		return m, step
	}
	l.small(factor, 1)
	text := l.syms.text(factor)
	l.check(fmt.Sprintf("-1<<26 < %s && %s < 1<<26", text, text))
	m.Stride = l.arg("int", fmt.Sprintf("%d*(%s)", l.n.Size, text))
	m.Uniform = false
	l.stride = l.arg("int", text)
	return m, -1
}

// strides returns the distances of lanes for the elements that were looked at last.
func (l *lowering) strides(k lir.Kind) lir.Value {
	whole := lir.I32
	if k.Size() == 8 {
		whole = lir.I64
	}
	return l.once(fmt.Sprint("s", l.stride), whole, lir.Instr{Op: lir.Strides, Mem: lir.Mem{Disp: l.stride}})[0]
}

// memory returns the place of the elements of a slice with index p, and sees to its check.
func (l *lowering) memory(slice, typ string, k lir.Kind, p poly) lir.Mem {
	disp := p[""]
	if disp < -1<<16 || disp > 1<<16 {
		cannot("an index has a large constant")
	}
	uniform := true
	if f, _, _ := p.by(laneSymbol); len(f) > 0 {
		uniform = false
	}
	l.checkAccess(slice, p, uniform)
	from := poly{}.plus(p, 1)
	delete(from, "")
	// The pointer begins where the first thread of the row has its element, in the first rounds.
	begin := from
	var steps []poly
	for _, r := range l.rounds {
		f, rest, ok := begin.by(r.symbol)
		if !ok || !f.ofRow() {
			cannot("an index is a product of counters")
		}
		steps, begin = append(steps, f), rest
	}
	f, rest, _ := begin.by(laneSymbol)
	if !rest.ofRow() || !f.ofRow() {
		cannot("an index with a counter of another loop")
	}
	text := l.syms.text(rest)
	if !uniform {
		at := "‹lo›"
		if n, ok := f.constant(); !ok || n != 1 {
			at = fmt.Sprintf("(%s)*‹lo›", l.syms.text(f))
		}
		if rest.key() == "" {
			text = at
		} else {
			text += " + " + at
		}
	}
	id := fmt.Sprint(slice, "|", from.key(), "|", len(l.rounds))
	g, ok := l.groups[id]
	if !ok {
		g = len(l.n.Groups)
		l.groups[id] = g
		l.n.Groups = append(l.n.Groups, lir.Group{
			Base: l.arg("[]"+typ, slice), Off: l.arg("int", fmt.Sprintf("%d*(%s)", k.Size(), text)), Size: k.Size(),
		})
	}
	for i, r := range l.rounds {
		if r.moved[g] || len(steps[i]) == 0 {
			continue
		}
		r.moved[g] = true
		s := lir.Step{Group: g, Off: -1}
		if n, ok := steps[i].constant(); ok {
			s.Const = int(n) * k.Size()
		} else {
			l.small(steps[i], 0)
			s.Off = l.arg("int", fmt.Sprintf("%d*(%s)", k.Size(), l.syms.text(steps[i])))
		}
		r.loop.Steps = append(r.loop.Steps, s)
	}
	return lir.Mem{Group: g, Disp: int(disp) * k.Size(), Uniform: uniform}
}

// checkAccess adds the check of an index, for all threads that are on and all rounds around it.
func (l *lowering) checkAccess(slice string, p poly, uniform bool) {
	least := p
	var holds []string // where the access does not happen
	for _, w := range l.whens {
		holds = append(holds, "!"+w)
	}
	lo, hi := "", "" // what counters add
	for _, r := range l.rounds {
		f, rest, ok := least.by(r.symbol)
		if !ok || !f.ofRow() {
			cannot("an index is a product of counters")
		}
		least = rest
		holds = append(holds, r.trips+" <= 0")
		if len(f) == 0 {
			continue
		}
		l.small(f, 1)
		last := fmt.Sprintf("(%s-1)*(%s)", r.trips, l.syms.text(f))
		if n, ok := f.constant(); ok && n > 0 {
			hi += " + " + last
		} else if ok {
			lo += " + " + last
		} else {
			name := l.local("span", last)
			lo += fmt.Sprintf(" + min(%s, 0)", name)
			hi += fmt.Sprintf(" + max(%s, 0)", name)
		}
	}
	along, least, _ := least.by(laneSymbol)
	if !least.ofRow() {
		cannot("an index with a counter of another loop")
	}
	l.small(least, 0)
	at := l.syms.text(least)
	first, last := "‹lo›", "‹hi›-1"
	if !uniform {
		if l.lanes.from != "" {
			first = fmt.Sprintf("max(‹lo›, %s)", l.lanes.from)
		}
		if l.lanes.to != "" {
			last = fmt.Sprintf("min(‹hi›, %s)-1", l.lanes.to)
		}
		if l.lanes != (lanes{}) {
			holds = append(holds, fmt.Sprintf("%s > %s", first, last))
		}
		if n, ok := along.constant(); ok && n == 1 {
			lo, hi = " + "+first+lo, " + "+last+hi
		} else {
			text := l.syms.text(along)
			a, b := l.local("first", fmt.Sprintf("(%s)*(%s)", first, text)), l.local("last", fmt.Sprintf("(%s)*(%s)", last, text))
			lo, hi = fmt.Sprintf(" + min(%s, %s)", a, b)+lo, fmt.Sprintf(" + max(%s, %s)", a, b)+hi
		}
	}
	text := fmt.Sprintf("%s%s >= 0 && %s%s < len(%s)", at, lo, at, hi, slice)
	for i := len(holds) - 1; i >= 0; i-- {
		text = fmt.Sprintf("%s || %s", holds[i], text)
	}
	if len(holds) > 0 {
		text = "(" + text + ")"
	}
	l.check(text)
}
