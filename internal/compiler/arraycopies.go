package compiler

import "go/types"

// Copies of arrays that pointers lead to (part of pass pointers). In Go a range over an array copies it, and so does an
// assignment:
//
//	for k, w := range p.W {          for k := 0; k < 9; k++ {
//		s += w * x[i+k]          =>      s += p.W[k] * x[i+k]
//	}                                }
//
// A copy that is only read, before anything is stored in memory, is replaced by the array. Then the array is a slice, as
// if the kernel had used its elements.

// forwardArrays replaces copies of arrays to which v leads, a pointer among the parameters.
func (k *Kernel) forwardArrays(v *Var) {
	whole := map[string]int{} // how often each array is read as a whole
	for _, at := range k.wholeReads(v) {
		whole[at]++
	}
	copies := map[string]int{}
	k.eachArrayCopy(v, func(_ *Assign, path string) bool { copies[path]++; return false })
	// A nil pointer panics where the array is read, so the pointer must not stay.
	k.eachArrayCopy(v, func(_ *Assign, path string) bool { return copies[path] == whole[path] })
	// The rows of arrays of arrays are copied from these.
	for k.eachArrayCopy(v, func(a *Assign, path string) bool { return path == "" && isIndexed(a.R) }) {
	}
}

// isIndexed reports whether e is an element.
func isIndexed(e Expr) bool { _, ok := e.(*Index); return ok }

// wholeReads returns the paths of the arrays to which v leads that are read as a whole, once for each time.
func (k *Kernel) wholeReads(v *Var) (paths []string) {
	var look func(e Expr)
	look = func(e Expr) {
		switch x := e.(type) {
		case *Index:
			if _, leads := pathFrom(v, x.X); leads && (isArray(x.X.Type()) || pointsToArray(x.X.Type())) {
				look(x.I)
				return
			}
		case *Field, *Deref:
			if path, leads := pathFrom(v, e); leads && isArray(e.Type()) {
				paths = append(paths, "at "+path)
				return
			}
		}
		subexprs(e, look)
	}
	walk(k.Body, func(s Stmt) { exprs(s, look) })
	return paths
}

// eachArrayCopy calls replace for definitions of variables as copies of arrays to which v leads, whose copies are only
// read before anything is stored, with the array's path, or "" for an element of an array of arrays. It replaces those for
// which replace holds, and reports whether there are any.
func (k *Kernel) eachArrayCopy(v *Var, replace func(a *Assign, path string) bool) (some bool) {
	_, count := k.definitions()
	below := map[*Var]int64{} // limits of the counters of enclosing loops, which are never negative
	// element reports whether e is an element, which there is, of an array of arrays.
	var element func(e Expr) bool
	element = func(e Expr) bool {
		x, ok := e.(*Index)
		if !ok {
			return false
		}
		t := x.X.Type()
		if p, isPointer := t.Underlying().(*types.Pointer); isPointer {
			t = p.Elem()
		}
		if !isArray(t) {
			return false
		}
		if r, isVar := x.I.(*VarRef); isVar {
			if many, known := below[r.V]; !known || many > lengthOf(t) {
				return false
			}
		} else if n, isConst := constInt(x.I); !isConst || n < 0 || n >= lengthOf(t) {
			return false
		}
		_, leads := pathFrom(v, x.X)
		return leads || element(x.X)
	}
	var visit func(list []Stmt) []Stmt
	visit = func(list []Stmt) (out []Stmt) {
		for i, s := range list {
			var counter *Var
			if loop, ok := s.(*For); ok {
				if c, many := k.shortCounter(loop); c != nil {
					counter, below[c] = c, many
				}
			}
			changeWithin(s, visit)
			delete(below, counter)
			a, ok := s.(*Assign)
			if !ok || !a.Def || len(a.L) != 1 || a.L[0] == nil || !isArray(a.R.Type()) {
				out = append(out, s)
				continue
			}
			c, entire := assigned(a.L[0])
			path, leads := pathFrom(v, a.R)
			if path = "at " + path; element(a.R) {
				path, leads = "", true
			}
			if !leads || c == nil || !entire || count[c] != 1 || c.Param || c.addr || !types.Identical(c.Type, a.R.Type()) ||
				!k.readsBeforeStores(list[i+1:], c) || !replace(a, path) {
				out = append(out, s)
				continue
			}
			some = true
			rewriteReads(list[i+1:], func(e Expr) Expr {
				if isRef(e, c) {
					return a.R
				}
				return e
			})
		}
		return out
	}
	k.Body = visit(k.Body)
	return some
}

// readsBeforeStores reports whether all reads of v are in list, and before list stores anything other than variables of a
// thread.
func (k *Kernel) readsBeforeStores(list []Stmt, v *Var) bool {
	left := reads(k.Body, v)
	for _, s := range list {
		one := []Stmt{s}
		here := reads(one, v)
		if left -= here; here > 0 || left > 0 {
			a, isAssign := s.(*Assign)
			if here > 0 && left == 0 && isAssign && !callsOther(a.R) {
				return true // the array is read before the store
			}
			if anyStmt(one, storesAnything) {
				return false
			}
		}
		if left == 0 {
			return true
		}
	}
	return false
}

// storesAnything reports whether s itself stores to memory, or lets others do it.
func storesAnything(s Stmt) bool {
	switch s := s.(type) {
	case *Assign:
		for _, l := range s.L {
			if l == nil {
				continue
			}
			if v, _ := assigned(l); v == nil || v.addr || v.Param {
				return true
			}
		}
	case *Do, *Barrier, *Warp:
		return true
	}
	found := false
	exprs(s, func(e Expr) { found = found || callsOther(e) })
	return found
}

// callsOther reports whether e calls a func whose result does not depend on its arguments alone.
func callsOther(e Expr) bool {
	found := false
	walkExpr(e, func(x Expr) {
		if c, ok := x.(*Call); ok && c.Fn != nil && !c.Pure {
			found = true
		}
	})
	return found
}
