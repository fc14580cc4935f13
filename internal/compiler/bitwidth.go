package compiler

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Bit-width reduction (`lir/bitwidth.go`): a nest over bytes or 16-bit integers gets forms whose vectors
// have a lane of 8 or 16 bits for each thread, before its other forms, which execute what is left of a
// row. Some forms rely on the size of arguments, as of a threshold that is an int, or of a sum in a loop:
// if these are larger, the forms are for no strip.

// reducedForms returns these forms for a machine, the one for the longest strips first, and their shapes.
// They are like the first of the given forms in a shape. If there are inners, they are for strips away
// from edges, as these.
func (b *body) reducedForms(n *nested, m *asm.Machine, stmts []Stmt, size int, shape nestShape, forms, inners []*lir.Nest, made func(...*lir.Nest) []*asm.Form) (small []*lir.Nest, shapes []nestShape) {
	if !m.SmallLanes || size != 4 || b.off("bitwidth") {
		return nil, nil
	}
	rw, like, checks := n.row, forms[0], len(n.row.checks)
	inner, tried := len(inners) > 0, like
	if inner {
		tried = inners[len(inners)-1]
	}
	defer func() { rw.dropChecks(checks) }() // the other forms contain the same checks
	form := func(size int, shape nestShape) *lir.Nest {
		wide, err := b.lower(rw, stmts, 4, shape)
		if err != nil || rw.asides && len(rw.checks) > checks || !wide.Restarts() && like.Restarts() || wide.Fails() != like.Fails() || rw.faults && !wide.RestartsOrFaults() {
			return nil
		}
		n, guards := lir.Reduce(wide, size)
		if n == nil || m.Masks == 0 && storesUnderMask(n) {
			return nil
		}
		if inner || len(guards) > 0 {
			n.Inside = b.insideGiven(rw, wide, guards, inner)
		}
		return n
	}
	for _, size := range []int{1, 2} {
		if r, _ := lir.Reduce(tried, size); r == nil {
			continue
		}
		list := reducedShapes(shape)
		for i, s := range list {
			s.lanes, s.inner = m.Lanes(size), inner
			r := form(size, s)
			if r != nil {
				r.Registers = i+1 < len(list) // spilling costs more than a second vector gains
			}
			if r == nil || new(asm.File).Func(n.name+m.Name, m, made(r, forms[1])...) != nil {
				continue
			}
			if small, shapes = append(small, r), append(shapes, s); shape.plane || s.parts == 1 {
				return small, shapes
			}
		}
		if len(small) > 0 {
			break
		}
	}
	return small, shapes
}

// reducedShapes returns the shapes of forms with small lanes, whose vectors are long: several vectors of
// a row only where no rows are jammed.
func reducedShapes(shape nestShape) (list []nestShape) {
	if shape.plane {
		for shape.parts = 1; shape.jam > 1; shape.jam /= 2 {
			list = append(list, shape)
		}
	}
	for _, parts := range []int{2, 1} {
		if shape.parts = parts; parts == 1 || !shape.plane {
			list = append(list, shape)
		}
	}
	return list
}

// storesUnderMask reports whether a nest stores elements for some lanes. Machines without masks for bytes
// store these one by one.
func storesUnderMask(n *lir.Nest) (found bool) {
	lir.Walk(n.Body, func(i *lir.Instr) { found = found || i.Op == lir.Store && i.On != 0 })
	return found
}

// insideGiven returns the arguments with the threads of a form that relies on guards.
func (b *body) insideGiven(rw *row, n *lir.Nest, guards []lir.Guard, inner bool) [2]int {
	from, to := "0", "‹many›"
	if inner {
		from, to = rw.insideText(0), rw.insideText(1)
	}
	var conds []string
	for _, g := range guards {
		if g.Arg == 0 {
			conds = append(conds, fmt.Sprintf("%s <= %d", n.Bounds[g.Bound-1], g.Most))
			continue
		}
		for _, a := range rw.args {
			if a.off == g.Arg {
				conds = append(conds, fmt.Sprintf("%s >= %d && %s <= %d", a.text, g.Least, a.text, g.Most))
			}
		}
	}
	if len(conds) > 0 {
		to = fmt.Sprintf("%s.Given(%s, %s)", b.rt(), joined(conds), to)
	}
	return [2]int{rw.arg("int", from), rw.arg("int", to)}
}

// insideText is a Go expression for an end of the interval of threads inside, in the row's part.
func (r *row) insideText(end int) string {
	return fmt.Sprintf("min(max(%s[%d]-‹lo›, 0), ‹many›)", r.inside.name, end)
}
