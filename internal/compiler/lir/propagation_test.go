package lir

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A variable that straight-line code assigns twice becomes what it is a copy of; one that a loop hands
// from round to round, and one that a branch may leave as it was, stay variables.
func TestPropagate(t *testing.T) {
	n := &Nest{Parts: 1, Size: 4, Groups: []Group{{Base: 8, Off: 32, Size: 4}}}
	a, b, twice, sum, kept, mask := n.New(F32), n.New(F32), n.New(F32), n.New(F32), n.New(F32), n.New(Mask)
	load := func(dst Value) *Instr { return &Instr{Op: Load, Kind: F32, Dst: dst} }
	move := func(dst, x Value) *Instr { return &Instr{Op: Move, Kind: F32, Dst: dst, X: x} }
	store := func(x Value) *Instr { return &Instr{Op: Store, Kind: F32, X: x} }
	first, second, last, end := store(twice), store(twice), store(kept), store(sum)
	round := &Instr{Op: Add, Kind: F32, Dst: sum, X: sum, Y: b}
	n.Body = []Node{
		load(a),
		load(b),
		move(twice, a),
		first,
		move(twice, b),
		second,
		move(sum, a),
		&Loop{Trips: Scalar{Off: 40}, Body: []Node{round}},
		end,
		move(kept, a),
		&Instr{Op: Cmp, Kind: Mask, From: F32, Dst: mask, X: a, Y: b},
		&When{Any: []Value{mask}, Then: []Node{move(kept, b)}},
		last,
	}
	require.NoError(t, n.Verify())
	Propagate(n)
	require.NoError(t, n.Verify())
	assert.Equal(t, a, first.X)
	assert.Equal(t, b, second.X)
	assert.Equal(t, round.Dst, round.X)
	assert.Equal(t, round.Dst, end.X)
	assert.NotContains(t, []Value{a, b}, end.X)
	assert.NotContains(t, []Value{a, b}, last.X)
	moves := 0
	Walk(n.Body, func(i *Instr) {
		if i.Op == Move {
			moves++
		}
	})
	assert.Equal(t, 3, moves, "the beginnings of sum and kept, and the branch")
}
