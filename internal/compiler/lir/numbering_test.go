package lir

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A value computed before a branch is reused in it. A value of one side is not reused on the other,
// nor one computed from a variable that has been assigned since.
func TestNumber(t *testing.T) {
	n := sum()
	one, again, other := n.New(F32), n.New(F32), n.New(F32)
	total := n.Body[0].(*Instr).Dst
	product := func(dst, x, y Value) *Instr { return &Instr{Op: Mul, Kind: F32, Dst: dst, X: x, Y: y} }
	fixed := n.New(F32)
	left, right, late := n.New(F32), n.New(F32), n.New(F32)
	changed, after := n.New(F32), n.New(F32)
	n.Body = []Node{
		&Instr{Op: Const, Kind: F32, Dst: fixed, Imm: 5},
		n.Body[0],
		product(one, fixed, fixed),
		product(changed, total, total),
		n.Body[1], // assigns total
		product(after, total, total),
		&When{Conds: []Scalar{{Off: 72}}, Then: []Node{
			product(again, fixed, fixed),
			product(left, again, fixed),
			&Instr{Op: Store, Kind: F32, X: left, Mem: Mem{Group: 1}},
		}, Else: []Node{
			product(right, one, fixed),
			&Instr{Op: Store, Kind: F32, X: right, Mem: Mem{Group: 1}},
		}},
		product(late, one, fixed),
		product(other, late, after),
		&Instr{Op: Store, Kind: F32, X: other, Mem: Mem{Group: 1}},
		&Instr{Op: Store, Kind: F32, X: changed, Mem: Mem{Group: 1}},
	}
	require.NoError(t, n.Verify())
	Number(n, false)
	require.NoError(t, n.Verify())
	defined := map[Value]bool{}
	Walk(n.Body, func(i *Instr) { defined[i.Dst] = true })
	assert.False(t, defined[again], "it is one, which is computed before")
	for _, v := range []Value{one, left, right, late, changed, after} {
		assert.True(t, defined[v], "v%d is there", v)
	}
	w := n.Body[6].(*When)
	assert.Equal(t, one, w.Then[0].(*Instr).X)
}

// What is computed from a variable is reused until the variable is assigned, be it later in a loop or in
// a branch.
func TestNumberOfVariables(t *testing.T) {
	n := sum()
	var total Value
	loop := n.Body[1].(*Loop)
	Walk(loop.Body, func(i *Instr) {
		if i.Dst == n.Body[0].(*Instr).Dst {
			total = i.Dst
		}
	})
	require.NotZero(t, total, "the loop assigns the variable")
	square := func() *Instr { return &Instr{Op: Mul, Kind: F32, Dst: n.New(F32), X: total, Y: total} }
	keep := func(i *Instr) *Instr {
		return &Instr{Op: Store, Kind: F32, X: i.Dst, Mem: Mem{Group: 1}}
	}
	before, same, first, second, behind, after, inside, outside := square(), square(), square(), square(), square(), square(), square(), square()
	n.Body = []Node{
		n.Body[0],
		before, same, keep(before), keep(same),
		loop,
		after, keep(after),
		&When{Conds: []Scalar{{Off: 72}}, Then: []Node{
			inside, keep(inside),
			&Instr{Op: Move, Kind: F32, Dst: total, X: inside.Dst},
		}},
		outside, keep(outside),
	}
	loop.Body = append([]Node{first, second, keep(first), keep(second)}, append(loop.Body, behind, keep(behind))...)
	require.NoError(t, n.Verify())
	Number(n, false)
	require.NoError(t, n.Verify())
	defined := map[Value]bool{}
	Walk(n.Body, func(i *Instr) { defined[i.Dst] = true })
	for _, i := range []*Instr{before, first, behind, after, outside} {
		assert.True(t, defined[i.Dst], "v%d is computed", i.Dst)
	}
	for _, i := range []*Instr{same, second, inside} {
		assert.False(t, defined[i.Dst], "v%d is another", i.Dst)
	}
}
