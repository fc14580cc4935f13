package gogen

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Variables: where the values of a nest are declared in Go.

// A scope is a Go block.
type scope struct {
	outer *scope
	depth int
}

// variables holds the declarations of a nest's values.
type variables struct {
	top             *scope
	rounds          map[*lir.Loop]*scope
	then, otherwise map[*lir.When]*scope

	often    []int        // the number of assignments of each value
	uses     []int        // the number of uses
	in       []*scope     // the innermost scope that contains all assignments and uses
	first    []*lir.Instr // the first assignment
	begins   []*scope     // the scope of the first assignment, if no use comes before it
	declared []bool
}

// variablesOf finds the declarations of the values of n. A value is declared by its first
// assignment, if that precedes all uses and is in the scope that contains all of them; otherwise at
// the beginning of that scope.
func variablesOf(n *lir.Nest) variables {
	many := len(n.Kinds) + 1
	v := variables{top: &scope{}, rounds: map[*lir.Loop]*scope{}, then: map[*lir.When]*scope{}, otherwise: map[*lir.When]*scope{},
		often: make([]int, many), uses: make([]int, many), in: make([]*scope, many), first: make([]*lir.Instr, many), begins: make([]*scope, many), declared: make([]bool, many)}
	v.visit(n.Body, v.top)
	return v
}

func (v *variables) visit(list []lir.Node, s *scope) {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			for _, u := range x.Uses() {
				v.use(u, s)
			}
			if x.Dst == 0 {
				continue
			}
			v.often[x.Dst]++
			if v.first[x.Dst] == nil {
				v.first[x.Dst] = x
				if v.in[x.Dst] == nil {
					v.begins[x.Dst] = s
				}
			}
			v.occurs(x.Dst, s)
		case *lir.Loop:
			inner := &scope{s, s.depth + 1}
			v.rounds[x] = inner
			v.visit(x.Head, inner)
			for _, m := range x.While {
				v.use(m, inner)
			}
			v.visit(x.Body, inner)
		case *lir.When:
			for _, m := range x.Any {
				v.use(m, s)
			}
			v.then[x], v.otherwise[x] = &scope{s, s.depth + 1}, &scope{s, s.depth + 1}
			v.visit(x.Then, v.then[x])
			v.visit(x.Else, v.otherwise[x])
		}
	}
}

func (v *variables) use(x lir.Value, s *scope) {
	v.uses[x]++
	v.occurs(x, s)
}

func (v *variables) occurs(x lir.Value, s *scope) {
	t := v.in[x]
	for t != nil && t != s {
		if t.depth >= s.depth {
			t = t.outer
		} else {
			s = s.outer
		}
	}
	v.in[x] = s
}

// declares reports whether i declares its variable.
func (p *printer) declares(i *lir.Instr) bool {
	return p.first[i.Dst] == i && p.begins[i.Dst] == p.in[i.Dst] && !(p.long != nil && p.long.array[i.Dst])
}

func (p *printer) name(v lir.Value) string {
	if p.long != nil && p.long.array[v] {
		return fmt.Sprintf("x%d%s[k]", v, p.mark)
	}
	return fmt.Sprintf("v%d%s", v, p.mark)
}

// typeOf is the Go type of values or elements of a kind.
func typeOf(k lir.Kind) string {
	return [...]string{lir.F32: "float32", lir.F64: "float64", lir.I32: "int32", lir.U32: "uint32", lir.I64: "int64", lir.U64: "uint64", lir.Mask: "bool",
		lir.U8: "uint8", lir.I8: "int8", lir.U16: "uint16", lir.I16: "int16"}[k]
}
