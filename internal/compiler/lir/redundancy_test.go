package lir

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// checked is a nest with two checks: of a && b, and of what second makes of the masks a, b and c.
func checked(second func(n *Nest, a, b, c Value) (Value, []Node)) (n *Nest, checks int) {
	n = &Nest{Parts: 1, Size: 4, Groups: []Group{{Base: 8, Off: 32, Size: 4}}}
	x := n.New(I32)
	n.Body = []Node{&Instr{Op: Load, Kind: I32, Dst: x, Mem: Mem{Group: 0}}}
	mask := func(imm uint64) Value {
		k, m := n.New(I32), n.New(Mask)
		n.Body = append(n.Body, &Instr{Op: Const, Kind: I32, Dst: k, Imm: imm}, &Instr{Op: Cmp, Kind: Mask, From: I32, Pred: Lt, Dst: m, X: x, Y: k})
		return m
	}
	a, b, c := mask(1), mask(2), mask(3)
	both := n.New(Mask)
	n.Body = append(n.Body, &Instr{Op: MaskAnd, Kind: Mask, Dst: both, X: a, Y: b}, &Instr{Op: Check, Kind: Mask, X: both},
		&Instr{Op: Store, Kind: I32, X: x, Mem: Mem{Group: 0}})
	last, more := second(n, a, b, c)
	n.Body = append(append(n.Body, more...), &Instr{Op: Check, Kind: Mask, X: last})
	DropChecks(n)
	Walk(n.Body, func(i *Instr) {
		if i.Op == Check {
			checks++
		}
	})
	return n, checks
}

func TestChecksThatOthersImply(t *testing.T) {
	and := func(n *Nest, op Op, x, y Value) (Value, Node) {
		v := n.New(Mask)
		return v, &Instr{Op: op, Kind: Mask, Dst: v, X: x, Y: y}
	}
	for name, c := range map[string]struct {
		second func(n *Nest, a, b, c Value) (Value, []Node)
		checks int
	}{
		"the same, the other way round": {func(n *Nest, a, b, _ Value) (Value, []Node) {
			v, i := and(n, MaskAnd, b, a)
			return v, []Node{i}
		}, 1},
		"fewer lanes": {func(n *Nest, a, b, c Value) (Value, []Node) {
			v, i := and(n, MaskNot, a, c)
			w, j := and(n, MaskAnd, b, v)
			return w, []Node{i, j}
		}, 1},
		"more lanes": {func(_ *Nest, a, _, _ Value) (Value, []Node) { return a, nil }, 2},
		"others": {func(n *Nest, a, b, _ Value) (Value, []Node) {
			v, i := and(n, MaskNot, a, b)
			return v, []Node{i}
		}, 2},
		"either": {func(n *Nest, a, b, _ Value) (Value, []Node) {
			v, i := and(n, MaskOr, a, b)
			return v, []Node{i}
		}, 2},
		"a variable": {func(n *Nest, a, b, c Value) (Value, []Node) {
			v, i := and(n, MaskAnd, a, b)
			return v, []Node{i, &Instr{Op: Move, Kind: Mask, Dst: v, X: c}}
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			n, checks := checked(c.second)
			assert.Equal(t, c.checks, checks, n.String())
			require.NoError(t, n.Verify())
		})
	}
}

// A check in a branch says nothing about what comes behind the branch.
func TestChecksInBranches(t *testing.T) {
	_, checks := checked(func(n *Nest, a, b, c Value) (Value, []Node) {
		v := n.New(Mask)
		w := n.New(Mask)
		return w, []Node{
			&Instr{Op: MaskNot, Kind: Mask, Dst: v, X: c, Y: a},
			&Instr{Op: MaskNot, Kind: Mask, Dst: w, X: c, Y: a},
			&When{Any: []Value{b}, Then: []Node{&Instr{Op: Check, Kind: Mask, X: v}, &Instr{Op: Check, Kind: Mask, X: v}}},
		}
	})
	assert.Equal(t, 3, checks, "only the second one in the branch goes")
}
