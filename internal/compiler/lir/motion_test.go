package lir

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Instructions that are invariant in both loops are hoisted before the outer one, and those
// invariant in the inner loop before that. Loads, variables and iteration counts stay.
func TestHoist(t *testing.T) {
	n := &Nest{Parts: 1, Size: 4, Groups: []Group{{Base: 8, Off: 32, Size: 4}}}
	some, rows, on, x, twice, sum := n.New(Mask), n.New(Mask), n.New(Mask), n.New(F32), n.New(F32), n.New(F32)
	outer, inner := &Loop{Trips: Scalar{Off: 40}}, &Loop{Trips: Scalar{Off: 48}}
	inner.Body = []Node{
		&Instr{Op: Within, Kind: Mask, Dst: some, Bounds: [2]Scalar{{Off: 56}, {Off: 64}}},
		&Instr{Op: Whole, Kind: Mask, Dst: rows, Bounds: [2]Scalar{{Off: 72, Terms: []Term{{Loop: outer, Const: 1, Off: -1}}}}},
		&Instr{Op: MaskAnd, Kind: Mask, Dst: on, X: some, Y: rows},
		&Instr{Op: Load, Kind: F32, Dst: x, On: on},
		&Instr{Op: Add, Kind: F32, Dst: twice, X: x, Y: x},
		&Instr{Op: Add, Kind: F32, Dst: sum, X: sum, Y: twice},
	}
	outer.Body = []Node{inner}
	n.Body = []Node{&Instr{Op: Const, Kind: F32, Dst: sum}, outer}
	require.NoError(t, n.Verify())
	Hoist(n, false)
	require.NoError(t, n.Verify())
	ops := func(list []Node) (names []string) {
		for _, x := range list {
			if i, ok := x.(*Instr); ok {
				names = append(names, i.Op.String())
			} else {
				names = append(names, "loop")
			}
		}
		return names
	}
	assert.Equal(t, []string{"const", "within", "loop"}, ops(n.Body))
	assert.Equal(t, []string{"whole", "maskand", "loop"}, ops(outer.Body))
	assert.Equal(t, []string{"load", "add", "add"}, ops(inner.Body))
}

// A loop-invariant gather is hoisted out of a branch whose addresses are always valid, but not out
// of another branch.
func TestHoistFromBranches(t *testing.T) {
	for _, open := range []bool{true, false} {
		n := &Nest{Parts: 1, Size: 4, Groups: []Group{{Base: 8, Off: 32, Size: 4}}}
		steps, x, sum := n.New(I32), n.New(F32), n.New(F32)
		loop := &Loop{Trips: Scalar{Off: 40}}
		add := []Node{
			&Instr{Op: Gather, Kind: F32, Dst: x, X: steps, Mem: Mem{Stride: 48}},
			&Instr{Op: Add, Kind: F32, Dst: sum, X: sum, Y: x},
		}
		here := Scalar{Off: 56, Terms: []Term{{Loop: loop, Const: 1, Off: -1}}, Strip: -1}
		loop.Body = []Node{&When{Conds: []Scalar{here}, Open: open, Else: add}}
		n.Body = []Node{&Instr{Op: Strides, Kind: I32, Dst: steps, Mem: Mem{Disp: 48}}, &Instr{Op: Const, Kind: F32, Dst: sum}, loop}
		require.NoError(t, n.Verify())
		Hoist(n, false)
		require.NoError(t, n.Verify())
		assert.Contains(t, n.String(), "arg[56] + 1*round + -1*strip > 0")
		w, moved := n.Body[len(n.Body)-1].(*When)
		assert.Equal(t, open, moved, "a gather before the loop, if that has rounds")
		if moved {
			assert.Equal(t, Gather, w.Then[0].(*Instr).Op)
			assert.Len(t, loop.Body[0].(*When).Else, 1)
		}
	}
}
