package compiler

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// Privatization. A kernel that only adds to elements of a slice by atomic operations, as one that
// counts or makes a histogram does, adds to a copy of its worker's instead, without locks. The sums
// are added to the slice when the worker has run its blocks. That needs slices that are short, and
// many threads; which they are is known when a launch begins, so each addition asks.
//
// Nothing else in the kernel may see the elements: it uses no other slice or array whose elements
// have the type, unless that is shared memory or, as a check at run time says, apart; no pointers; and
// no func whose body is unknown. Nor may it wait for what others do when they see the sums, so it uses
// no result of an atomic operation. Sums of floats depend on the order, but so do those of atomic
// operations.

// roomForSums is the number of elements up to which a slice is privatized.
const roomForSums = 1024

// A private is a parameter, and the variable that has the worker's copy.
type private struct {
	of, own *Var
	apart   []Expr // slices that must not have the same memory
}

// privatize is the pass.
func (k *Kernel) privatize() {
	for i, v := range k.Params {
		if k.Variadic && i == len(k.Params)-1 || !isSlice(v.Type) {
			continue
		}
		t := v.Type.Underlying().(*types.Slice).Elem()
		if elem(t) == "" || isBool(t) || smallInteger(t) {
			continue
		}
		if p, ok := k.addsOnlyTo(v, t); ok {
			k.private(p)
		}
	}
	k.sharedParts = nil // later passes make more variables
}

// smallInteger reports whether t has 8 or 16 bits, for which there are no atomic operations.
func smallInteger(t types.Type) bool { return lineSizes.Sizeof(t.Underlying()) < 4 }

// additionTo returns the place that s adds to atomically, if that is an element of v.
func additionTo(s Stmt, v *Var) (*Index, bool) {
	do, ok := s.(*Do)
	if !ok || do.X.Name != atomicPath+".Add" && do.X.Name != atomicPath+".Sub" || len(do.X.Args) != 2 {
		return nil, false
	}
	a, ok := do.X.Args[0].(*Addr)
	if !ok {
		return nil, false
	}
	x, ok := a.X.(*Index)
	return x, ok && isRef(x.X, v)
}

// addsOnlyTo reports whether the kernel uses a slice, whose elements are of type t, for nothing but
// additions, and what must be known about other slices.
func (k *Kernel) addsOnlyTo(v *Var, t types.Type) (p private, ok bool) {
	ok, p.of = true, v
	adds := false
	shared := k.inShared()
	var look func(e Expr)
	other := func(e Expr) { // a slice with elements of the same type
		root := e
		for {
			if f, isField := root.(*Field); isField && isStruct(f.X.Type()) {
				root = f.X
				continue
			}
			break
		}
		r, isVar := root.(*VarRef)
		switch {
		case isVar && r.V.Param && r.V.defs == 0 && r.V != v:
			for _, known := range p.apart {
				if sameExpr(known, e) {
					return
				}
			}
			p.apart = append(p.apart, e)
		default:
			ok = false
		}
	}
	// mayLead reports whether values of a type may lead to elements of v, or contain them. A pointer to a number may be to
	// a field of any struct.
	mayLead := func(of types.Type) bool {
		return mayHold(of) || hasArrayOf(of, t) || (k.pointers[v] != nil || k.from[v] != "") && isStruct(of)
	}
	look = func(e Expr) {
		switch e := e.(type) {
		case *VarRef:
			s, isSlice := e.V.Type.Underlying().(*types.Slice)
			switch {
			case shared[e.V]:
			case isSlice && types.Identical(s.Elem(), t):
				other(e)
			default:
				ok = ok && !isPointer(e.V.Type) && (!isSlice || !mayLead(s.Elem()))
			}
			return
		case *Field:
			if s, isSlice := e.T.Underlying().(*types.Slice); isSlice && types.Identical(s.Elem(), t) {
				other(e)
				return
			} else if isSlice {
				ok = ok && !mayLead(s.Elem())
			}
		case *Deref, *Method:
			ok = false
		case *Call:
			if e.Fn == nil && e.Name == "len" && isRef(e.Args[0], v) {
				return
			}
			ok = ok && e.Pure
		case *Global:
			ok = ok && (e.Table != nil || !mayLead(e.T))
		}
		subexprs(e, look)
	}
	walk(k.Body, func(s Stmt) {
		if x, isSum := additionTo(s, v); isSum {
			adds = true
			look(x.I)
			look(s.(*Do).X.Args[1])
			return
		}
		if do, isDo := s.(*Do); isDo && strings.HasPrefix(do.X.Name, atomicPath+".") {
			for _, e := range do.X.Args {
				look(e)
			}
			return
		}
		exprs(s, look)
	})
	return p, ok && adds
}

// hasArrayOf reports whether a value of type t contains an array of such elements, of which there may
// be a slice.
func hasArrayOf(t, elem types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Array:
		return types.Identical(t.Elem(), elem) || hasArrayOf(t.Elem(), elem)
	case *types.Struct:
		for i := range t.NumFields() {
			if hasArrayOf(t.Field(i).Type(), elem) {
				return true
			}
		}
	}
	return false
}

// private makes additions to a slice ask whether there is a copy.
func (k *Kernel) private(p private) {
	p.own = &Var{Name: uniqueName(k.names, p.of.Name+"Sums"), Type: p.of.Type, Pos: p.of.Pos, Param: true, sums: true}
	k.privates = append(k.privates, p)
	k.Vars = append(k.Vars, p.own)
	var within func(list []Stmt) []Stmt
	within = func(list []Stmt) []Stmt {
		for i, s := range list {
			switch x := s.(type) {
			case *If:
				x.Then, x.Else = within(x.Then), within(x.Else)
			case *For:
				x.Pre, x.Body, x.Post = within(x.Pre), within(x.Body), within(x.Post)
			case *Block:
				x.Body = within(x.Body)
			case *Do:
				at, ok := additionTo(s, p.of)
				if !ok {
					continue
				}
				own := *x.X
				place := *at
				place.X = &VarRef{p.own}
				own.Args = []Expr{&Addr{X: &place}, x.X.Args[1]}
				has := &Binary{token.GTR, &Call{Name: "len", Args: []Expr{&VarRef{p.own}}, T: intType, Pure: true}, intExpr(0), boolType}
				list[i] = &If{Cond: has, Then: []Stmt{&Do{&own, x.Pos}}, Else: []Stmt{x}, Pos: x.Pos}
			}
		}
		return list
	}
	k.Body = within(k.Body)
	k.works("privatize")
}

// beginSums prints the declarations of the copies, and returns the text that adds the sums.
func (b *body) beginSums() (end string) {
	for _, p := range b.k.privates {
		t := b.typ(p.of.Type.Underlying().(*types.Slice).Elem())
		room := uniqueName(b.names, p.of.Name+"Room")
		b.printf("var %s [%d]%s\n", room, roomForSums, t)
		b.printf("var %s []%s\n", p.own.Name, t)
		cond := fmt.Sprintf("%s.Private(len(%s), %d, b.GridDim.Size()*b.BlockDim.Size())", b.rt(), p.of.Name, roomForSums)
		for _, other := range p.apart {
			cond += fmt.Sprintf(" && %s.Apart(%s, %s)", b.rt(), p.of.Name, b.expr(other))
		}
		b.printf("if %s {\n%s = %s[:len(%s)]\n}\n", cond, p.own.Name, room, p.of.Name)
		end += fmt.Sprintf("%s.AddTo(%s, %s)\n", b.rt(), p.of.Name, p.own.Name)
	}
	return end
}
