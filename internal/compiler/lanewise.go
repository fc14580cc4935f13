package compiler

import (
	"fmt"
	"go/types"
	"strings"
)

// What has no vector form: one lane after the other.

// oneByOne notes that something is done lane by lane that costs as much as n operations, and where most of that is.
func (v *vector) oneByOne(n int) {
	v.single += n * v.weight
	if v.weight > v.slowWeight {
		v.slow, v.slowWeight = v.body.line, v.weight
	}
}

// sourceName returns what the source calls a variable.
func sourceName(w *Var) string {
	if w == nil || w.Said == "" {
		return "a variable"
	}
	return w.Said
}

// lanewiseValue computes e lane by lane.
func (v *vector) lanewiseValue(e Expr) string {
	t := e.Type()
	if !v.holds(t) {
		panic(noVector{"a type without vectors of this many lanes"})
	}
	v.oneByOne(1)
	name := v.fresh("t")
	v.eachLane([]Stmt{&Assign{L: []Expr{nil}, R: e}}, fmt.Sprintf("var %s [%d]%s\n", name, v.lanes, elemGo[elem(t)]), func() {
		v.printf("%s[lane] = %s(%s)\n", name, elemGo[elem(t)], v.expr(e))
	})
	return fmt.Sprintf("%s(&%s)", v.vec("LoadPtr", t), name)
}

// lanewise runs statements lane by lane.
func (v *vector) lanewise(list []Stmt) {
	v.oneByOne(1)
	for _, s := range list {
		if a, ok := s.(*Assign); ok && a.Def {
			w, _ := assigned(a.L[0])
			panic(noVector{sourceName(w) + " is declared lane by lane"})
		}
	}
	u := useOf(list)
	for w := range u.written {
		if !scalarShape(w.Shape) && !v.holds(w.Type) || scalarShape(w.Shape) {
			panic(noVector{sourceName(w) + " has no vector form and is assigned lane by lane"})
		}
	}
	v.eachLane(list, "", func() {
		for _, s := range list {
			v.body.stmt(s)
		}
	})
}

func laneSteps(n step) string {
	if n == 1 {
		return "lane"
	}
	return fmt.Sprintf("%d*lane", n)
}

// eachLane prints a loop over the lanes that are on, in which the variables that list uses are those of the
// lane. before is printed before it.
func (v *vector) eachLane(list []Stmt, before string, f func()) {
	u := useOf(list)
	var uses []*Var
	seen := map[*Var]bool{}
	var note func(w *Var)
	note = func(w *Var) {
		if seen[w] {
			return
		}
		seen[w] = true
		if w.value != nil {
			walkExpr(w.value, func(x Expr) {
				if r, ok := x.(*VarRef); ok {
					note(r.V)
				}
			})
		}
	}
	for w := range u.read {
		note(w)
	}
	for w := range u.written {
		note(w)
	}
	for _, w := range v.k.Vars {
		if seen[w] {
			uses = append(uses, w)
		}
	}
	arrays := map[*Var]string{}
	for _, w := range uses {
		if w.value == nil && !w.Param && !scalarShape(w.Shape) && !isBool(w.Type) {
			if !v.holds(w.Type) {
				panic(noVector{sourceName(w) + " has no vector form"})
			}
			arrays[w] = v.fresh(w.Name + "At")
			v.printf("%s := %s(%s)\n", arrays[w], v.vec("ToArray", w.Type), v.name(w))
		}
	}
	v.clearUpper()
	v.printf("%sfor on := %s; on != 0; on &= on - 1 {\n", before, v.m())
	v.printf("lane := %s.TrailingZeros32(uint32(on))\n", v.importName("math/bits", "bits"))
	saved := v.out
	v.body.out = strings.Builder{}
	v.eachOne = true
	defer func() { v.eachOne = false }()
	f()
	text := v.out.String()
	v.body.out = saved
	head := ""
	for i := len(uses) - 1; i >= 0; i-- {
		w := uses[i]
		if !containsWord(text+head, v.name(w)) {
			continue
		}
		switch {
		case w.value != nil && w.Shape[0] == 0:
		case w.value != nil && scalarShape(w.Shape):
			n := laneSteps(w.Shape[0])
			if !types.Identical(w.Type, intType) {
				n = v.typ(w.Type) + "(" + n + ")"
			}
			head = fmt.Sprintf("%s := %s + %s\n", v.name(w), v.name(w), n) + head
		case w.value != nil:
			head = fmt.Sprintf("%s := %s\n", v.name(w), v.convertTo(w.value, w.Type)) + head
		case w.Param || w.common || scalarShape(w.Shape) && w.Shape[0] == 0:
		case scalarShape(w.Shape):
			n := laneSteps(w.Shape[0])
			if !types.Identical(w.Type, intType) {
				n = v.typ(w.Type) + "(" + n + ")"
			}
			head = fmt.Sprintf("%s := %s + %s\n", v.name(w), v.name(w), n) + head
		case isBool(w.Type):
			head = fmt.Sprintf("%s := %s>>lane&1 != 0\n", v.name(w), v.name(w)) + head
		case u.written[w]:
			// Written in place.
			head = fmt.Sprintf("%s := %s(%s[lane])\n", v.name(w), v.typ(w.Type), arrays[w]) + head
			text += fmt.Sprintf("%s[lane] = %s(%s)\n", arrays[w], elemGo[elem(w.Type)], v.name(w))
		default:
			head = fmt.Sprintf("%s := %s(%s[lane])\n", v.name(w), v.typ(w.Type), arrays[w]) + head
		}
	}
	// The thread is to blame if it panics, and Rank and threadIdx are its own.
	own := fmt.Sprintf("%s := %s + lane\np.Current = %s\n", v.rank(), v.rank(), v.rank())
	if tx := v.partName("tx"); containsWord(text+head, tx) {
		own += fmt.Sprintf("%s := %s + lane\n", tx, tx)
	}
	v.panics = true
	v.printf("%s%s%s}\np.Current = rank\n", own, head, text)
	for _, w := range uses {
		if u.written[w] && arrays[w] != "" {
			v.printf("%s = %s(&%s)\n", v.name(w), v.vec("LoadPtr", w.Type), arrays[w])
		}
	}
}
