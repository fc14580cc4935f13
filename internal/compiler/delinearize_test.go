package compiler

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Which rows are split where a quotient changes.
func TestDelinearize(t *testing.T) {
	for _, c := range []struct {
		name, body string
		cut        bool
	}{
		{"column and row", "i := t.GlobalX(); if i < n { y[i] = x[i%q] + x[i/q] }", true},
		{"the column by a product", "i := t.GlobalX(); if i < n { r := i / q; y[i] = x[i-r*q] }", true},
		{"an index of 32 bits", "i := int32(t.GlobalX()); w := int32(q); if i < int32(n) { y[i] = x[i%w] + x[i/w] }", true},
		{"three dimensions", "i := t.GlobalX(); if i < n { y[i] = x[i/(q*n)] + x[i%(q*n)/q] + x[i%q] }", true},
		{"written out", "i := t.BlockIdx.X*t.BlockDim.X + t.ThreadIdx.X; x[i%q] = i", true},
		{"a constant", "i := t.GlobalX(); y[i] = x[i/640]", true},
		{"a sum of arguments", "i := t.GlobalX(); w := n + 2*q; y[i] = x[i/w]", true},
		{"behind a barrier", "s := gocuda.Shared[int](t, 64); s[t.ThreadIdx.X] = n; t.SyncThreads(); i := t.GlobalX(); y[i] = s[i/q]", true},
		{"in a loop", "i := t.GlobalX(); for k := 0; k < n; k++ { y[i] += x[i/q+k] }", true},

		{"a small constant", "i := t.GlobalX(); y[i] = x[i/63]", false},
		{"the place in the block", "i := t.ThreadIdx.X; y[i] = x[i/q]", false},
		{"what is loaded", "i := t.GlobalX(); y[i] = x[i/x[0]]", false},
		{"what may panic", "i := t.GlobalX(); w := n / q; y[i] = x[i/w]", false},
		{"by what differs", "i := t.GlobalX(); y[i] = x[n/(i+1)]", false},
		{"another step", "i := 2 * t.GlobalX(); y[i] = x[i/q]", false},
		{"a type that is too small", "i := uint16(t.GlobalX()); y[i] = x[i/uint16(q)]", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			cut := false
			for _, l := range stmtsOf[*For](kernelOf(t, c.body)) {
				walkExpr(l.Cond, func(e Expr) {
					i, ok := e.(*Index3)
					cut = cut || ok && i.Of == rowLength
				})
			}
			assert.Equal(t, c.cut, cut)
		})
	}
}
