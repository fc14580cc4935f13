package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
)

// Shapes: divergence analysis. The shape of a value says for each axis of the block how the value
// differs between threads that are neighbours along this axis: not at all (0), by a known step, by
// the same unknown step each time (`someStep`), or irregularly (`noStep`). `t.GlobalX()` has the
// shape `{1, 0, 0}`. Only 64-bit integers keep steps: a narrower integer may wrap around between
// two threads. A load from an index that is the same for all threads is uniform, since no thread
// may write that element in the same phase. The result of a pure call differs if an argument does;
// that of any other call differs.
//
// `shapes` computes the least fixed point over all assignments. Besides the assigned values it
// accounts for:
//
//   - Control dependence. An assignment under a divergent condition makes the variable divergent,
//     unless the variable was declared under the same condition: then all threads that see it
//     agree.
//   - Threads that have left. After an exit under a divergent condition, the rest of the block or
//     of the iteration runs for some threads only, and counts as control dependent on that
//     condition (`left`).
//   - Temporal divergence. If threads leave a loop in different iterations (`For.parts`), a
//     variable that the loop assigns may be uniform inside the loop, but differs behind it.
//
// A statement whose condition is checked at run time (`agrees`) counts as uniform: the check holds,
// or the launch ends. Threads that have returned don't count: nobody reads their variables.
//
// The difference of two divergent values may be uniform, as in `i - i`. It gets `someStep`, not 0:
// it is computed from variables that exist once per thread, so it can't be computed once for the
// block.

type shape [3]step

// A step says how a value changes from thread to thread along an axis: 0 for not at all, a number,
// or one of the two constants below.
type step int64

const (
	someStep step = 1<<40 + iota // by the same unknown amount each time, perhaps 0
	noStep                       // irregularly
)

var varying = shape{noStep, noStep, noStep}

// uniform reports whether all threads have the same value.
func (s shape) uniform() bool { return s == shape{} }

func (a step) add(b step, sign step) step {
	switch {
	case a == noStep || b == noStep:
		return noStep
	case b == 0:
		return a
	case a == someStep || b == someStep:
		return someStep
	case a != 0 && a+sign*b == 0:
		return someStep // uniform, but computed from per-thread variables: no value for the block
	}
	return a + sign*b
}

// join is the shape of a value that has shape s on some control paths and shape t on others, where
// all threads take the same path.
func (s shape) join(t shape) shape {
	for i := range s {
		switch {
		case s[i] == t[i]:
		case s[i] == noStep || t[i] == noStep:
			s[i] = noStep
		default:
			s[i] = someStep
		}
	}
	return s
}

// mixed is the shape of the result of an operation that does not preserve steps.
func mixed(shapes ...shape) shape {
	var r shape
	for _, s := range shapes {
		for i := range s {
			if s[i] != 0 {
				r[i] = noStep
			}
		}
	}
	return r
}

// wide reports whether arithmetic of type t preserves steps: t is an integer type of 64 bits, which
// holds every index without wrapping around.
func wide(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch u.Kind() {
	case types.Int, types.Int64, types.Uint, types.Uint64, types.Uintptr:
		return true
	}
	return false
}

// constInt returns the value of an integer constant.
func constInt(e Expr) (int64, bool) {
	c, ok := e.(*Const)
	if !ok {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(c.Val))
}

// shapeOf returns the shape of e, computed from the shapes of its variables.
func shapeOf(e Expr) shape {
	switch e := e.(type) {
	case nil, *Const, *TypeExpr, *Method:
		return shape{}
	case *Global, *instance:
		return shape{}
	case *VarRef:
		return e.V.Shape
	case *Index3:
		var s shape
		switch e.Of {
		case threadIdx:
			s[e.Axis] = 1
		case warpInBlock:
			s[1], s[2] = noStep, noStep
		}
		return s
	case *Rank:
		return shape{1, someStep, someStep}
	case *Unary:
		x := shapeOf(e.X)
		if e.Op == token.SUB && wide(e.Type()) {
			var r shape
			for i := range r {
				r[i] = step(0).add(x[i], -1)
				if x[i] == someStep || x[i] == noStep {
					r[i] = x[i]
				}
			}
			return r
		}
		if e.Op == token.ADD {
			return x
		}
		return mixed(x)
	case *Binary:
		x, y := shapeOf(e.X), shapeOf(e.Y)
		if wide(e.T) {
			var r shape
			switch e.Op {
			case token.ADD:
				for i := range r {
					r[i] = x[i].add(y[i], 1)
				}
				return r
			case token.SUB:
				for i := range r {
					r[i] = x[i].add(y[i], -1)
					if x[i] == 0 && y[i] == someStep {
						r[i] = someStep
					}
				}
				return r
			case token.MUL:
				if y.uniform() {
					return x.times(e.Y)
				}
				if x.uniform() {
					return y.times(e.X)
				}
			case token.SHL:
				if k, ok := constInt(e.Y); ok && k >= 0 && k < 32 {
					return x.times(&Const{constant.MakeInt64(1 << k), e.T})
				}
			}
		}
		return mixed(x, y)
	case *Convert:
		if wide(e.T) && wide(e.X.Type()) {
			return shapeOf(e.X)
		}
		return mixed(shapeOf(e.X))
	default:
		switch x := e.(type) {
		case *Call:
			if !x.Pure {
				return varying
			}
		case *Composite:
			if isSlice(x.T) {
				return varying // each thread makes a value of its own
			}
		case *Addr:
			return varying
		case *Slice:
			if v, _ := assigned(x.X); v != nil && isArray(x.X.Type()) {
				return varying // a slice of the thread's own array
			}
		}
		var all []shape
		subexprs(e, func(x Expr) { all = append(all, shapeOf(x)) })
		return mixed(all...)
	}
}

// times is the shape of k times a value of shape s, where k is uniform.
func (s shape) times(k Expr) shape {
	n, known := constInt(k)
	for i := range s {
		switch {
		case s[i] == 0 || s[i] == noStep:
		case known && n == 0:
			s[i] = someStep // uniform, but not a value of the block; see add
		case known && s[i] != someStep && n > -1<<20 && n < 1<<20 && s[i] > -1<<20 && s[i] < 1<<20:
			s[i] *= step(n)
		default:
			s[i] = someStep
		}
	}
	return s
}

// shapes finds the shapes of all variables, as a least fixed point over all assignments.
func (k *Kernel) shapes() {
	for _, v := range k.Vars {
		v.Shape, v.known = shape{}, false
	}
	walk(k.Body, func(s Stmt) {
		if l, ok := s.(*For); ok {
			l.parts = shape{}
		}
	})
	for {
		a := &shaper{k: k, left: map[Stmt]shape{}, depth: map[*Var]int{}}
		a.list(k.Body)
		if !a.changed {
			return
		}
	}
}

type shaper struct {
	k       *Kernel
	control []shape // the shapes of the conditions around the current statement
	// joined conditions under which threads have left a Block, or an iteration of a loop
	left    map[Stmt]shape
	inside  []Stmt       // the enclosing loops and blocks
	depth   map[*Var]int // the length of control where a variable is declared
	changed bool
}

func (a *shaper) list(list []Stmt) {
	base := len(a.control)
	for _, s := range list {
		a.stmt(s)
		for _, to := range a.inside {
			if c, ok := a.left[to]; ok && !c.uniform() {
				a.control = append(a.control, c)
			}
		}
	}
	a.control = a.control[:base]
}

// raise joins s into the shape of v.
func (a *shaper) raise(v *Var, s shape) {
	// The first assignment sets the shape of a variable; each further one joins its shape.
	if old := v.Shape; v.known {
		s = old.join(s)
	}
	if !v.known || s != v.Shape {
		v.known = true
		v.Shape = s
		a.changed = true
	}
}

func (a *shaper) assign(v *Var, s shape) {
	from := min(a.depth[v], len(a.control))
	if c := mixed(a.control[from:]...); !c.uniform() {
		for i := range s {
			if c[i] != 0 {
				s[i] = noStep
			}
		}
	}
	a.raise(v, s)
}

func (a *shaper) stmt(s Stmt) {
	switch s := s.(type) {
	case *Assign:
		for i, l := range s.L {
			if l == nil {
				continue
			}
			v, whole := assigned(l)
			if v == nil {
				continue
			}
			if s.Def {
				a.depth[v] = len(a.control)
			}
			sh := shapeOf(s.R)
			if _, ok := s.R.(*Call); ok && i > 0 {
				sh = varying
			}
			if !whole {
				sh = mixed(sh, partShape(l))
			}
			if v.addr && !sh.uniform() {
				sh = varying
			}
			a.assign(v, sh)
		}
	case *Do:
		a.address(s.X)
	case *Barrier:
		if s.Dst != nil {
			a.depth[s.Dst] = len(a.control)
			a.raise(s.Dst, shape{})
		}
	case *Warp:
		for _, v := range results(s) {
			a.raise(v, varying)
		}
	case *Alloc:
		a.raise(s.Dst, shape{})
	case *If:
		c := shapeOf(s.Cond)
		if s.agrees {
			c = shape{}
		}
		a.control = append(a.control, mixed(c))
		a.list(s.Then)
		a.list(s.Else)
		a.control = a.control[:len(a.control)-1]
	case *Block:
		a.inside = append(a.inside, s)
		a.list(s.Body)
		a.inside = a.inside[:len(a.inside)-1]
		delete(a.left, s)
	case *For:
		a.inside = append(a.inside, s)
		c := shapeOf(s.Cond)
		if s.agrees {
			c = shape{}
		}
		s.parts = s.parts.join(mixed(c))
		a.list(s.Pre)
		a.list(s.Body)
		delete(a.left, s)
		a.list(s.Post)
		a.inside = a.inside[:len(a.inside)-1]
		if !s.parts.uniform() {
			// Temporal divergence: threads leave the loop in different iterations, so that
			// variables assigned in it differ behind it.
			for v := range assignedIn(s) {
				if !declaredIn(v, s) {
					sh := v.Shape
					for i := range sh {
						if s.parts[i] != 0 {
							sh[i] = noStep
						}
					}
					a.raise(v, sh)
				}
			}
		}
	case *Exit:
		if s.To == nil {
			return // threads that have returned no longer matter
		}
		var c shape
		from := 0
		for _, x := range a.control[from:] {
			c = mixed(c, x)
		}
		if s.agrees {
			c = shape{}
		}
		if l, ok := s.To.(*For); ok && !s.Continue {
			l.parts = l.parts.join(c)
		} else {
			a.left[s.To] = mixed(a.left[s.To], c)
		}
		// The loops between the exit and its target are left as well.
		for i := len(a.inside) - 1; i >= 0 && a.inside[i] != s.To; i-- {
			if l, ok := a.inside[i].(*For); ok {
				l.parts = l.parts.join(c)
			}
		}
	}
	exprs(s, func(e Expr) { a.address(e) })
}

// address makes every variable in e divergent whose address is taken, also by slicing an array:
// stores through the address are not tracked.
func (a *shaper) address(e Expr) {
	walkExpr(e, func(x Expr) {
		var to Expr
		switch x := x.(type) {
		case *Addr:
			to = x.X
		case *Slice:
			if isArray(x.X.Type()) {
				to = x.X
			}
		}
		if v, _ := assigned(to); v != nil {
			a.raise(v, varying)
		}
	})
}

// partShape is the shape of the indices that an assignment uses inside its variable.
func partShape(l Expr) shape {
	var all []shape
	for {
		switch x := l.(type) {
		case *Index:
			all = append(all, shapeOf(x.I))
			l = x.X
		case *Field:
			l = x.X
		default:
			return mixed(all...)
		}
	}
}

// assignedIn returns the variables that s assigns.
func assignedIn(s Stmt) map[*Var]bool { return variablesIn([]Stmt{s}, false) }

// definedIn returns the variables that list defines.
func definedIn(list []Stmt) map[*Var]bool { return variablesIn(list, true) }

func variablesIn(list []Stmt, defined bool) map[*Var]bool {
	m := map[*Var]bool{}
	walk(list, func(s Stmt) {
		switch s := s.(type) {
		case *Assign:
			for _, l := range s.L {
				if l != nil && (s.Def || !defined) {
					if v, _ := assigned(l); v != nil {
						m[v] = true
					}
				}
			}
		case *Barrier, *Warp:
			for _, v := range results(s) {
				m[v] = true
			}
		case *Alloc:
			m[s.Dst] = true
		}
	})
	return m
}

// declaredIn reports whether v is declared in the header or the body of l or inside it.
func declaredIn(v *Var, l *For) bool {
	for x := v.In; x != nil; x = x.outer {
		if x == l {
			return true
		}
	}
	return false
}

// scalarShape reports whether a value of shape s is the same for all threads of a row, or grows by
// a known step from each thread to the next.
func scalarShape(s shape) bool { return s[0] != noStep && s[0] != someStep }
