package arm64

import (
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Products by element: FMLA, FMLS and FMUL have a form whose second operand is one lane of a
// register. If only products use a broadcast element, it is loaded as a scalar. That load has a
// displacement, and saves the micro-operation of LD1R's broadcast.

// byElement returns the loads of such elements, and for the products that use them which operand is
// lane 0 of its register: 1 for Y, 0 for X.
func byElement(n *lir.Nest) (loads map[*lir.Instr]bool, products map[*lir.Instr]int) {
	sets, uses := count(n.Body)
	load := map[lir.Value]*lir.Instr{}
	lir.Walk(n.Body, func(x *lir.Instr) {
		if x.Op == lir.Broadcast && x.Kind.IsFloat() && x.From == 0 && x.On == 0 && sets[x.Dst] == 1 {
			load[x.Dst] = x
		}
	})
	// An element with other uses is broadcast; so is one of two elements that are multiplied with
	// each other.
	users := map[lir.Value][]*lir.Instr{}
	lir.Walk(n.Body, func(x *lir.Instr) {
		product := x.Op == lir.FMA || x.Op == lir.FNMA || x.Op == lir.FMS || x.Op == lir.Mul
		for _, v := range x.Uses() {
			if load[v] == nil {
				continue
			}
			if product && v != x.Z && x.X != x.Y {
				users[v] = append(users[v], x)
			}
			if product && v == x.Y && load[x.X] != nil {
				delete(load, v)
			}
		}
	})
	loads, products = map[*lir.Instr]bool{}, map[*lir.Instr]int{}
	for v, x := range load {
		if len(users[v]) != uses[v] {
			continue
		}
		loads[x] = true
		for _, u := range users[v] {
			products[u] = slices.Index([]lir.Value{u.X, u.Y}, v)
		}
	}
	return loads, products
}

// factors returns the registers of a product's operands, and whether the second is a single
// element.
func (e *emitter) factors(x *lir.Instr) (n, m int, element bool) {
	n, m = e.v(x.X), e.v(x.Y)
	which, element := e.products[x]
	if element && which == 0 {
		n, m = m, n
	}
	return n, m, element
}
