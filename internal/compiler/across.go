package compiler

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Sums across lanes: a loop of threads each of which sums along its own matrix row, as in sum +=
// a[i*n+k]*x[k] with i from threadIdx.x. A few threads at a time execute a vector of iterations
// each. Their loads are contiguous, and the lanes are added up behind the loop. That changes the
// order of summation, so floats need fastmath; integers do not. Where it is not possible, tiles are
// transposed (transpose.go).

// An across is such a loop while it is lowered.
type across struct {
	r      *round // the original loop
	rounds *round // the loop over vectors of iterations
	group  *round // the loop over groups of threads
	rows   int    // the number of threads of a group
	row    int    // the thread being lowered, in its group
	loads  map[string]operand
	sums   []rowSum
	locals []*Var // variables declared in the loop
}

// A rowSum is a statement of the loop that adds to a sum.
type rowSum struct {
	s    *Assign
	what Expr // the summand
	op   token.Token
}

// sumOf splits an assignment that adds a summand to a variable or subtracts it.
func sumOf(s *Assign) (rowSum, bool) {
	if s.Def || len(s.L) != 1 || s.L[0] == nil {
		return rowSum{}, false
	}
	x, ok := s.R.(*Binary)
	switch {
	case !ok || x.Op != token.ADD && x.Op != token.SUB:
		return rowSum{}, false
	case sameExpr(x.X, s.L[0]):
		return rowSum{s, x.Y, x.Op}, true
	case x.Op == token.ADD && sameExpr(x.Y, s.L[0]):
		return rowSum{s, x.X, x.Op}, true
	}
	return rowSum{}, false
}

// acrossLanes analyses a loop for summation across lanes; it returns nil if that is not possible.
func (l *lowering) acrossLanes(s *For, i *Var, r *round, count poly, registers []*promoted, moving bool) *across {
	if l.b.off("across") || l.plane || l.single() || l.masked || l.on != nil || l.late || l.jam > 1 || !count.ofRow() || moving || hasLoop(s.Body) || l.ofMachine().totals == 0 {
		return nil
	}
	a := &across{r: r}
	inside := map[*Var]bool{}
	for _, x := range s.Body {
		n, ok := x.(*Assign)
		if !ok || len(n.L) != 1 || n.L[0] == nil {
			return nil
		}
		if sum, ok := sumOf(n); ok {
			t := n.L[0].Type()
			if !basic(t) || smallKind(t) != lir.None || isBool(t) {
				return nil
			}
			if k := elem(t); elemSizes[k] != l.n.Size || k == "I64" || k == "U64" || (k == "F32" || k == "F64") && !l.b.k.Fastmath {
				return nil
			}
			if v, isVar := n.L[0].(*VarRef); isVar && (l.values[v.V] == nil || v.V.spread || inside[v.V]) {
				return nil
			}
			a.sums = append(a.sums, sum)
			continue
		}
		v, whole := assigned(n.L[0])
		if !n.Def || v == nil || !whole || v.spread || v.addr || l.often[v] != 1 || !basic(v.Type) || isBool(v.Type) || smallKind(v.Type) != lir.None {
			return nil
		}
		inside[v] = true
		a.locals = append(a.locals, v)
	}
	l.quiet++
	all, ok := l.accesses(s.Body)
	l.quiet--
	if !ok || len(a.sums) == 0 || len(a.sums) > 2 {
		return nil
	}
	own, others := 0, map[string]bool{}
	for _, x := range all {
		if slices.ContainsFunc(registers, func(p *promoted) bool { return p.v == x.v }) {
			continue
		}
		half := elem(x.x.T) == "F32" && l.n.Size == 8 // converted to float64
		if x.stored || x.p == nil || elemSizes[elem(x.x.T)] != l.n.Size && !half || smallKind(x.x.T) != lir.None || x.p.has(rowSymbol) && l.jam > 1 {
			return nil
		}
		along, rest, okRound := x.p.by(r.symbol)
		n, isConst := along.constant()
		far, _, okLane := rest.by(laneSymbol)
		if !okRound || !isConst || n != 0 && n != 1 || !okLane || !far.ofRow() || !l.isKernels(x.x.X) || isUnsigned64(x.x.I.Type()) {
			return nil
		}
		switch near, isNear := far.constant(); {
		case len(far) == 0:
			others[fmt.Sprint(x.v.Name, "|", x.p.key())] = true
		case isNear && near < 16 && near > -16:
			return nil
		default:
			key := fmt.Sprint("own|", x.v.Name, "|", x.p.key())
			if n == 1 && !others[key] {
				own++
			}
			others[key] = true
		}
	}
	if own == 0 || !l.alongRows(s, i, inside, registers) {
		return nil
	}
	// A group is limited by the registers for pointers of the innermost loop, and must have enough
	// independent sums.
	a.rows = 4
	pointers := func() int { return own*a.rows + len(others) - own }
	if pointers() > l.ofMachine().totals || len(a.sums) > 1 && l.ofMachine().lanes < 16 {
		a.rows = 2
	}
	if pointers() > l.ofMachine().totals || l.ofMachine().lanes*l.parts%a.rows != 0 {
		return nil
	}
	l.b.k.works("across")
	return a
}

// alongRows reports whether the statements of a loop compute only with elements and uniform values.
func (l *lowering) alongRows(s *For, i *Var, inside map[*Var]bool, registers []*promoted) bool {
	ok := true
	var look func(e Expr)
	look = func(e Expr) {
		switch x := e.(type) {
		case *Index: // indices have been checked already; promoted elements differ between threads
			v, isVar := x.X.(*VarRef)
			ok = ok && isVar && isSlice(x.X.Type()) && !slices.ContainsFunc(registers, func(p *promoted) bool { return p.v == v.V })
		case *Const:
		case *VarRef:
			ok = ok && x.V != i && (inside[x.V] || l.ofRow(x))
		case *Binary:
			look(x.X)
			look(x.Y)
			ok = ok && (x.Op == token.ADD || x.Op == token.SUB || x.Op == token.MUL || x.Op == token.QUO && !isInteger(x.T) ||
				isInteger(x.T) && (x.Op == token.AND || x.Op == token.OR || x.Op == token.XOR))
		case *Unary:
			look(x.X)
			ok = ok && (x.Op == token.SUB || x.Op == token.ADD)
		case *Convert:
			look(x.X)
			from, to := elem(x.X.Type()), elem(x.T)
			ok = ok && basic(x.X.Type()) && (from == to || from == "F32" && to == "F64")
		case *Call:
			for _, arg := range x.Args {
				look(arg)
			}
			ok = ok && x.Pure && l.ofRow(x)
		default:
			ok = ok && l.ofRow(e)
		}
	}
	for _, x := range s.Body {
		n := x.(*Assign)
		if sum, isSum := sumOf(n); isSum {
			look(sum.what)
			continue
		}
		l.quiet++
		_, isInt := l.polyOf(n.R)
		l.quiet--
		if !isInt {
			look(n.R)
		}
	}
	return ok
}

// summed lowers a loop as sums across lanes, and then the remaining iterations.
func (l *lowering) summed(s *For, i *Var, start poly, step int64, r *round, a *across) {
	lanes := l.ofMachine().lanes
	whole := l.local("whole", fmt.Sprintf("max(%s, 0)/%d", r.trips, lanes))
	threads := lanes * l.parts
	// its trip count is 1 per thread: each thread belongs to one group
	a.group = &round{symbol: l.syms.round(), trips: "1", moved: map[int]bool{}}
	a.group.loop = &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", fmt.Sprint(threads/a.rows))}}
	l.texts(a.group.loop, "1")
	a.rounds = &round{symbol: l.syms.round(), trips: whole, moved: map[int]bool{}}
	a.rounds.loop = &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", whole)}}
	l.texts(a.rounds.loop, whole)
	size := l.n.Size
	base, frame := asm.TilesBegin+l.frame, l.frame
	bytes := (len(a.sums)*threads*size + 63) &^ 63
	l.frame += bytes
	l.n.Tiles = max(l.n.Tiles, l.frame)
	place := func(sum, step int) int { // a pointer to the sums of the strip's threads
		l.n.Groups = append(l.n.Groups, lir.Group{Frame: true, Off: base + sum*threads*size, Size: size})
		g := len(l.n.Groups) - 1
		if step > 0 {
			a.group.loop.Steps = append(a.group.loop.Steps, lir.Step{Group: g, Const: step, Off: -1})
		}
		return g
	}

	// The threads beyond whole vectors execute the original loop, which contains the checks of all
	// its indices.
	l.checked++
	defer func() { l.checked-- }()
	inLoop := func(r *round, do func()) {
		var nodes []lir.Node
		outer := l.list
		l.list = &nodes
		clear(l.loads)
		l.rounds = append(l.rounds, r)
		do()
		l.rounds = l.rounds[:len(l.rounds)-1]
		r.loop.Body = nodes
		l.list = outer
		clear(l.loads)
		l.emitNode(r.loop)
	}
	regs := make([][]lir.Value, len(a.sums))
	inLoop(a.group, func() {
		for n, sum := range a.sums {
			k := l.kind(sum.s.L[0].Type())
			for range a.rows {
				v := l.n.New(k)
				l.mutable[v] = true
				regs[n] = append(regs[n], v)
				l.emit(&lir.Instr{Op: lir.Const, Kind: k, Dst: v})
			}
		}
		inLoop(a.rounds, func() {
			l.across, a.loads = a, map[string]operand{}
			known := l.ints[i]
			l.setCounter(i, start.plus(poly{r.symbol: step}, 1))
			for a.row = range a.rows {
				nth := 0
				for _, x := range s.Body {
					sum, ok := sumOf(x.(*Assign))
					if !ok {
						l.stmts([]Stmt{x})
						continue
					}
					acc := &Var{Name: "sum", Type: sum.s.L[0].Type()}
					to := operand{regs[nth][a.row]}
					l.values[acc] = to
					l.value(&Binary{Op: token.ADD, X: &VarRef{acc}, Y: sum.what, T: acc.Type}, to)
					delete(l.values, acc)
					nth++
				}
				for _, v := range a.locals {
					delete(l.values, v)
					delete(l.ints, v)
				}
				clear(l.loads)
			}
			l.across = nil
			l.ints[i] = known
		})
		for n, sum := range a.sums {
			g := place(n, a.rows*size)
			k := l.kind(sum.s.L[0].Type())
			for row, v := range regs[n] {
				l.emit(&lir.Instr{Op: lir.Total, Kind: k, X: v, Mem: lir.Mem{Group: g, Disp: row * size, Uniform: true}, Temps: []lir.Value{l.n.New(k)}})
			}
		}
	})
	for n, sum := range a.sums {
		g := place(n, 0)
		k := l.kind(sum.s.L[0].Type())
		total := &Var{Name: "total", Type: sum.s.L[0].Type()}
		o := make(operand, l.parts)
		for part := range o {
			o[part] = l.n.New(k)
			l.emit(&lir.Instr{Op: lir.Load, Kind: k, Dst: o[part], Mem: lir.Mem{Group: g, Disp: part * lanes * size, Uniform: true}})
		}
		l.values[total] = o
		l.stmts([]Stmt{&Assign{L: sum.s.L, R: &Binary{Op: sum.op, X: sum.s.L[0], Y: &VarRef{total}, T: total.Type}, Pos: sum.s.Pos}})
	}
	l.frame = frame
	l.leftOver(s, i, start, step, r, whole)
}

// read loads numbers for the current thread: a vector of those of several iterations, or one that
// is the same in all of them.
func (a *across) read(l *lowering, x spot, p poly) operand {
	k, _ := l.memKind(x.t)
	along, rest, _ := p.by(a.r.symbol)
	far, rest, _ := rest.by(laneSymbol)
	slice := l.slice(x.ix)
	key := fmt.Sprint(slice, "|", p.key())
	if len(far) > 0 {
		key = fmt.Sprint(key, "|", a.row)
	}
	if o := a.loads[key]; o != nil {
		return o
	}
	op := lir.Broadcast
	if len(along) > 0 {
		op = lir.Load
		rest = rest.plus(poly{a.rounds.symbol: int64(l.ofMachine().lanes)}, 1)
	}
	var own pointed
	if len(far) > 0 {
		l.small(far, 1)
		rest = rest.plus(far.times(l.syms.row("‹lo›").plus(poly{a.group.symbol: int64(a.rows)}, 1)), 1)
		own = pointed{stride: l.arg("int", fmt.Sprintf("%d*(%s)", x.size, l.syms.text(far))), first: a.row}
	}
	o := operand{l.n.New(k)}
	m := l.placeOf(slice, l.b.typ(x.ix.T), int(x.size), rest, own)
	l.emit(&lir.Instr{Op: op, Kind: k, Dst: o[0], Mem: m})
	a.loads[key] = o
	return o
}
