package lir

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A copy prints like the original, refers to its own loops, and is unaffected by changes of the
// original.
func TestCloneIsApart(t *testing.T) {
	n := &Nest{Groups: []Group{{Base: 8, Size: 4}}}
	v, w := n.New(F32), n.New(F32)
	mask := n.New(Mask)
	outer := &Loop{Trips: Scalar{Off: 16}, Steps: []Step{{Group: 0, Const: 4}}}
	inner := &Loop{Trips: Scalar{Off: 24, Terms: []Term{{Loop: outer, Const: 2, Off: -1}}}}
	check := &Instr{Op: Within, Kind: Mask, Dst: mask, Bounds: [2]Scalar{{Terms: []Term{{Loop: inner, Const: 1, Off: -1}}}, {Off: 32}}}
	inner.Body = []Node{check, &When{Conds: []Scalar{{Terms: []Term{{Loop: outer, Const: 1, Off: -1}}}}, Any: []Value{mask},
		Then: []Node{&Instr{Op: Add, Kind: F32, Dst: w, X: v, Y: v}}}}
	outer.Body = []Node{inner}
	n.Body = []Node{&Instr{Op: Load, Kind: F32, Dst: v}, outer}
	before := n.String()

	c := n.Clone()
	assert.Equal(t, before, c.String())
	o := c.Body[1].(*Loop)
	i := o.Body[0].(*Loop)
	assert.NotSame(t, outer, o)
	assert.Same(t, o, i.Trips.Terms[0].Loop)
	assert.Same(t, i, i.Body[0].(*Instr).Bounds[0].Terms[0].Loop)
	assert.Same(t, o, i.Body[1].(*When).Conds[0].Terms[0].Loop)

	c.Body[0].(*Instr).Dst = w
	o.Steps[0].Const = 8
	i.Body[1].(*When).Any[0] = v
	i.Body[1].(*When).Then[0].(*Instr).X = w
	c.Kinds[v], c.Groups[0].Base = F64, 40
	c.New(U32)
	assert.Equal(t, before, n.String())
	assert.Len(t, n.Kinds, 4)
}
