package lir

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two loops that assign the same value, each for itself, get two names; what a branch may leave as
// it was keeps one, and so does what a loop hands from round to round.
func TestSplitWebs(t *testing.T) {
	n := &Nest{Parts: 1, Size: 4, Groups: []Group{{Base: 8, Off: 32, Size: 4}}}
	local, sum, mask, kept := n.New(F32), n.New(F32), n.New(Mask), n.New(F32)
	load := func(dst Value) *Instr { return &Instr{Op: Load, Kind: F32, Dst: dst} }
	add := func(dst, x, y Value) *Instr { return &Instr{Op: Add, Kind: F32, Dst: dst, X: x, Y: y} }
	store := func(x Value) *Instr { return &Instr{Op: Store, Kind: F32, X: x} }
	first, second := []Node{load(local), add(sum, sum, local)}, []Node{load(local), add(sum, sum, local), store(local)}
	n.Body = []Node{
		load(sum),
		load(kept),
		&Loop{Trips: Scalar{Off: 40}, Body: first},
		&Loop{Trips: Scalar{Off: 48}, Body: second},
		&Instr{Op: Cmp, Kind: Mask, From: F32, Dst: mask, X: sum, Y: kept},
		&When{Any: []Value{mask}, Then: []Node{load(kept)}},
		store(kept),
		store(sum),
	}
	require.NoError(t, n.Verify())
	SplitWebs(n)
	require.NoError(t, n.Verify())
	one, two := first[0].(*Instr).Dst, second[0].(*Instr).Dst
	assert.NotEqual(t, one, two)
	assert.Equal(t, one, first[1].(*Instr).Y)
	assert.Equal(t, two, second[1].(*Instr).Y)
	assert.Equal(t, two, second[2].(*Instr).X)
	for _, at := range []Value{n.Body[0].(*Instr).Dst, first[1].(*Instr).Dst, first[1].(*Instr).X, second[1].(*Instr).X, n.Body[7].(*Instr).X} {
		assert.Equal(t, sum, at)
	}
	for _, at := range []Value{n.Body[1].(*Instr).Dst, n.Body[4].(*Instr).Y, n.Body[5].(*When).Then[0].(*Instr).Dst, n.Body[6].(*Instr).X} {
		assert.Equal(t, kept, at)
	}
}

// A value that a round uses before it assigns it has one name around the loop, whichever branch
// assigns it; one that each round begins anew does not tie the rounds together.
func TestSplitWebsAroundLoops(t *testing.T) {
	n := &Nest{Parts: 1, Size: 4, Groups: []Group{{Base: 8, Off: 32, Size: 4}}}
	carried, fresh, mask := n.New(F32), n.New(F32), n.New(Mask)
	load := func(dst Value) *Instr { return &Instr{Op: Load, Kind: F32, Dst: dst} }
	compare := &Instr{Op: Cmp, Kind: Mask, From: F32, Dst: mask, X: carried, Y: fresh}
	inBranch := load(carried)
	again := load(fresh)
	outer := load(fresh)
	end := &Instr{Op: Store, Kind: F32, X: fresh}
	n.Body = []Node{
		load(carried),
		outer,
		&Instr{Op: Store, Kind: F32, X: fresh},
		&Loop{Trips: Scalar{Off: 40}, Body: []Node{again, compare, &When{Any: []Value{mask}, Then: []Node{inBranch}}}},
		load(fresh),
		end,
	}
	SplitWebs(n)
	require.NoError(t, n.Verify())
	assert.Equal(t, carried, compare.X)
	assert.Equal(t, carried, inBranch.Dst)
	assert.Equal(t, again.Dst, compare.Y)
	assert.Len(t, map[Value]bool{outer.Dst: true, again.Dst: true, end.X: true}, 3)
}
