package lir

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ordered is a nest that stores a value, loads an index, checks it and stores there. With inLoop,
// the first store and the load of the index are in a loop.
func ordered(inLoop bool) (n *Nest, store, read, check *Instr) {
	n = &Nest{Parts: 1, Size: 4, Groups: []Group{{Base: 8, Off: 32, Size: 4}, {Base: 40, Off: 64, Size: 4}}}
	x, limit, index, bad := n.New(I32), n.New(I32), n.New(I32), n.New(Mask)
	store = &Instr{Op: Store, Kind: I32, X: x, Mem: Mem{Group: 0}}
	read = &Instr{Op: Load, Kind: I32, Dst: index, Mem: Mem{Group: 1}}
	check = &Instr{Op: Check, Kind: Mask, X: bad}
	first := []Node{store}
	if inLoop {
		first = []Node{&Loop{Trips: Scalar{Off: 72}, Body: []Node{store, read}}}
	} else {
		first = append(first, read)
	}
	n.Body = append([]Node{&Instr{Op: Const, Kind: I32, Dst: x, Imm: 7}, &Instr{Op: Arg, Kind: I32, Dst: limit, Mem: Mem{Disp: 80}}}, first...)
	n.Body = append(n.Body, &Instr{Op: Cmp, Kind: Mask, From: I32, Pred: Ge, Dst: bad, X: index, Y: limit}, check,
		&Instr{Op: Scatter, Kind: I32, X: x, Y: index, Imm: 1, Mem: Mem{Group: 0}})
	return n, store, read, check
}

func TestChecksComeBeforeStores(t *testing.T) {
	n, store, read, check := ordered(false)
	require.False(t, n.Restarts())
	moved, ok := ChecksFirst(n)
	require.True(t, ok)
	assert.True(t, n.Restarts(), n.String())
	require.NoError(t, n.Verify())
	require.Len(t, moved, 1)
	assert.Equal(t, read, moved[0].Read, "it went before the store")
	assert.Equal(t, []*Instr{store}, moved[0].Stores)
	at := map[*Instr]int{}
	Walk(n.Body, func(i *Instr) { at[i] = len(at) })
	assert.Less(t, at[read], at[check])
	assert.Less(t, at[check], at[store])
}

// The order is kept in a loop that stores and also loads an operand of a check, and for a variable
// that is reassigned in between.
func TestChecksThatStay(t *testing.T) {
	n, _, _, _ := ordered(true)
	before := n.String()
	_, ok := ChecksFirst(n)
	assert.False(t, ok)
	assert.Equal(t, before, n.String())

	n, store, read, _ := ordered(false)
	store.X = read.Dst // the store uses the variable's earlier value
	n.Body = append([]Node{&Instr{Op: Const, Kind: I32, Dst: read.Dst, Imm: 1}}, n.Body...)
	_, ok = ChecksFirst(n)
	assert.False(t, ok)
}

// A loop-invariant gather is executed once, if the trip count is positive; but not if the loop
// stores.
func TestHoistGathers(t *testing.T) {
	for _, stores := range []bool{false, true} {
		n := &Nest{Parts: 1, Size: 4, Groups: []Group{{Base: 8, Off: 32, Size: 4}, {Base: 40, Off: 64, Size: 4}}}
		sum, stride, v, w := n.New(F32), n.New(I32), n.New(F32), n.New(F32)
		loop := &Loop{Trips: Scalar{Off: 72}, Steps: []Step{{Group: 1, Const: 4, Off: -1}}, Body: []Node{
			&Instr{Op: Strides, Kind: I32, Dst: stride, Mem: Mem{Disp: 80}},
			&Instr{Op: Gather, Kind: F32, Dst: v, X: stride, Mem: Mem{Group: 0}},
			&Instr{Op: Broadcast, Kind: F32, Dst: w, Mem: Mem{Group: 1, Uniform: true}},
			&Instr{Op: FMA, Kind: F32, Dst: sum, X: v, Y: w, Z: sum},
		}}
		if stores {
			loop.Body = append(loop.Body, &Instr{Op: Store, Kind: F32, X: w, Mem: Mem{Group: 0}})
		}
		n.Body = []Node{&Instr{Op: Const, Kind: F32, Dst: sum}, loop, &Instr{Op: Store, Kind: F32, X: sum, Mem: Mem{Group: 0}}}
		require.NoError(t, n.Verify())
		Hoist(n, true)
		require.NoError(t, n.Verify())
		before, _, _ := strings.Cut(n.String(), "loop ")
		assert.Equal(t, !stores, strings.Contains(before, "gather"), n.String())
		assert.Equal(t, !stores, strings.Contains(before, "when"), "only if the loop has rounds")
	}
}
