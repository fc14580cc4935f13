package compiler

import (
	"fmt"
	"go/types"
)

// Values of vectors.

// intText prints an integer as an int.
func (b *body) intText(e Expr) string {
	if n, ok := constInt(e); ok {
		return fmt.Sprint(n)
	}
	if types.Identical(e.Type(), intType) {
		return b.expr(e)
	}
	return "int(" + b.expr(e) + ")"
}
