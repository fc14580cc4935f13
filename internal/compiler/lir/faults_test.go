package lir

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A check behind a store keeps a strip from being repeated, unless the launch fails with it. A divergent
// loop, which may be left because it takes long, always does.
func TestFaultsBehindStores(t *testing.T) {
	for _, inLoop := range []bool{false, true} {
		n, store, _, check := ordered(inLoop)
		assert.False(t, n.Faults())
		assert.False(t, n.RestartsOrFaults())
		check.Fault = true
		assert.True(t, n.Faults())
		assert.True(t, n.Fails())
		assert.False(t, n.Restarts())
		assert.True(t, n.RestartsOrFaults())
		assert.Contains(t, n.String(), "(fault)")
		n.Body = append(n.Body, &Loop{While: []Value{check.X}, Body: []Node{store}})
		assert.False(t, n.RestartsOrFaults(), "stores in a loop that may be left")
	}
}

// What decides on a panic is loaded for the check itself, or for the branch around it; other loads are not
// of the kind.
func TestFaultsBy(t *testing.T) {
	n := &Nest{Parts: 1, Size: 4, Groups: []Group{{Base: 0}, {Base: 24}, {Base: 48}, {Base: 72}}}
	zero := n.New(F32)
	load := func(group int) *Instr {
		return &Instr{Op: Load, Kind: F32, Dst: n.New(F32), Mem: Mem{Group: group}}
	}
	isZero := func(of *Instr) *Instr {
		return &Instr{Op: Cmp, Kind: Mask, From: F32, Dst: n.New(Mask), X: of.Dst, Y: zero}
	}
	index, guard, other := load(0), load(1), load(2)
	bad, on := isZero(index), isZero(guard)
	check := &Instr{Op: Check, Kind: Mask, X: bad.Dst, Fault: true}
	n.Body = []Node{
		&Instr{Op: Const, Kind: F32, Dst: zero},
		index, guard, other, bad, on,
		&Instr{Op: Store, Kind: F32, X: other.Dst, Mem: Mem{Group: 3}},
		&When{Any: []Value{on.Dst}, Then: []Node{check}},
	}
	assert.NoError(t, n.Verify())
	assert.Equal(t, []*Instr{index, guard}, n.FaultsBy())
	check.Fault = false
	assert.Empty(t, n.FaultsBy(), "the strip is repeated")
}
