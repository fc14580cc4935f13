package compiler

// Tail merging (cross-jumping): where both arms of a branch end by storing to the same element, as in
//
//	if in[i] > level {
//		out[i] = 255
//	} else {
//		out[i] = 0
//	}
//
// they choose a number, and one store follows. In vectors that is a selection and a store of neighbours in the place of two stores with masks.

// mergeTails does that to all branches without barriers.
func (k *Kernel) mergeTails() {
	before := len(k.Vars)
	k.Body = k.mergedTails(k.Body, nil)
	if len(k.Vars) > before {
		k.orderVars()
	}
}

func (k *Kernel) mergedTails(list []Stmt, in *For) []Stmt {
	var out []Stmt
	for _, s := range list {
		switch x := s.(type) {
		case *If:
			x.Then, x.Else = k.mergedTails(x.Then, in), k.mergedTails(x.Else, in)
			if v, store := k.mergedStore(x, in); store != nil {
				out = append(out, &Assign{L: []Expr{&VarRef{v}}, R: zeroOf(v.Type), Def: true, Pos: x.Pos}, x, store)
				continue
			}
		case *For:
			x.Body = k.mergedTails(x.Body, x)
		case *Block:
			x.Body = k.mergedTails(x.Body, in)
		}
		out = append(out, s)
	}
	return out
}

// mergedStore makes the stores at the ends of both arms of a branch assignments to a variable, and returns that and the store that is to follow. It returns
// nil if they are not such, or if an arm changes what says where the element is.
func (k *Kernel) mergedStore(s *If, in *For) (*Var, *Assign) {
	then, otherwise := lastStore(s.Then), lastStore(s.Else)
	if then == nil || otherwise == nil || !sameExpr(then.L[0], otherwise.L[0]) || hasBarrier([]Stmt{s}) {
		return nil, nil
	}
	x := then.L[0].(*Index)
	changes := assignedIn(s)
	steady := true
	walkExpr(x, func(e Expr) {
		switch e := e.(type) {
		case *VarRef:
			steady = steady && !changes[e.V] && !e.V.addr
		case *Index:
			steady = steady && e == x
		case *Deref, *Call:
			steady = false
		}
	})
	if !steady {
		return nil, nil
	}
	v := &Var{Name: uniqueName(k.names, "merged"), Type: x.T, Pos: s.Pos, In: in}
	k.Vars = append(k.Vars, v)
	store := &Assign{L: then.L, R: &VarRef{v}, Pos: then.Pos}
	for _, a := range []*Assign{then, otherwise} {
		a.L = []Expr{&VarRef{v}}
	}
	return v, store
}

// lastStore returns the store of an element at the end of a list, or nil if there is none or the list has other stores, with which masks are needed anyway.
func lastStore(list []Stmt) *Assign {
	if len(list) == 0 {
		return nil
	}
	a, ok := list[len(list)-1].(*Assign)
	if !ok || len(a.L) != 1 || a.Def || useOf(list[:len(list)-1]).stores {
		return nil
	}
	if x, ok := a.L[0].(*Index); !ok || !isSlice(x.X.Type()) || !basic(x.T) {
		return nil
	}
	return a
}
