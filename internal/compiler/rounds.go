package compiler

import (
	"go/token"
	"go/types"
)

// Rounds: a loop that all threads go through together and whose body is one region, such as the loop of a thread
// over its elements turned inside out, or that of a tile whose block has fewer rows. What must hold in each round is
// mostly linear in the loop's variable, as it is in threadIdx.y (see planes), so it is asked for the first round, the
// second and the last; then all of them run in one func, with nothing in between. A reduction whose rows are 1 KiB long does
// a sixth more so, and a transpose in tiles a tenth or more. A body of several regions with barriers between runs so if they
// are no more than calls, as those of a product in tiles are: an eighth of its time was to ask, and to come to the calls.

// A counter is a variable that grows by step in each round of a loop.
type counter struct {
	i    *Var
	step Expr
}

// counterOf returns the counter of a loop of the block, if it has one.
func counterOf(n *loop) (counter, bool) {
	if len(n.post) != 1 {
		return counter{}, false
	}
	post, ok := n.post[0].(*once)
	if !ok || len(post.stmts) != 1 {
		return counter{}, false
	}
	a, ok := post.stmts[0].(*Assign)
	if !ok || len(a.L) != 1 || a.L[0] == nil {
		return counter{}, false
	}
	i, ok := a.L[0].(*VarRef)
	sum, isSum := a.R.(*Binary)
	if !ok || !isSum || sum.Op != token.ADD || !sameExpr(sum.X, i) || !i.V.common || i.V.addr || !types.Identical(i.V.Type, intType) ||
		!blockWide(sum.Y) || mayPanic(sum.Y) || loads(sum.Y) {
		return counter{}, false
	}
	return counter{i.V, sum.Y}, true
}
