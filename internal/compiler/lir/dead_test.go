package lir

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Stores, checks and their operands are kept; a sum that is never read is removed, and then its
// operands.
func TestDropDead(t *testing.T) {
	n := sum()
	y, other, bad := n.New(F32), n.New(F32), n.New(Mask)
	loop := n.Body[1].(*Loop)
	loop.Body = append(loop.Body,
		&Instr{Op: Load, Kind: F32, Dst: y, Mem: Mem{Disp: 4}},
		&Instr{Op: Add, Kind: F32, Dst: other, X: other, Y: y},
		&Instr{Op: Cmp, Kind: Mask, From: F32, Dst: bad, X: 1, Y: 2},
		&Instr{Op: Check, Kind: Mask, X: bad},
	)
	n.Body = append([]Node{&Instr{Op: Const, Kind: F32, Dst: other}}, n.Body...)
	require.NoError(t, n.Verify())
	DropDead(n)
	require.NoError(t, n.Verify())
	require.Len(t, n.Body, 3)
	var ops []Op
	Walk(n.Body, func(i *Instr) { ops = append(ops, i.Op) })
	assert.Equal(t, []Op{Const, Load, Add, Cmp, Check, Store}, ops)
}
