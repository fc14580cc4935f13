package lir

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sum is the nest of a sum over a loop: v2 += x[k*n+i], then stored.
func sum() *Nest {
	n := &Nest{Name: "sum", Parts: 1, Size: 4, Groups: []Group{{Base: 8, Off: 32, Size: 4}, {Base: 40, Off: 64, Size: 4}}}
	total, x := n.New(F32), n.New(F32)
	n.Body = []Node{
		&Instr{Op: Const, Kind: F32, Dst: total},
		&Loop{Trips: Scalar{Off: 72}, Steps: []Step{{Group: 0, Off: 80}}, Body: []Node{
			&Instr{Op: Load, Kind: F32, Dst: x},
			&Instr{Op: Add, Kind: F32, Dst: total, X: total, Y: x},
		}},
		&Instr{Op: Store, Kind: F32, X: total, Mem: Mem{Group: 1}},
	}
	return n
}

func TestVerify(t *testing.T) {
	require.NoError(t, sum().Verify())
	for name, spoil := range map[string]func(n *Nest){
		"a value that is not assigned before": func(n *Nest) { n.Body = n.Body[1:] },
		"a value of another kind":             func(n *Nest) { n.Kinds[1] = I32 },
		"a mask that is none":                 func(n *Nest) { n.Body[2].(*Instr).On = 1 },
		"a value that does not exist":         func(n *Nest) { n.Body[2].(*Instr).X = 7 },
		"a comparison that gives a number": func(n *Nest) {
			n.Body = append(n.Body, &Instr{Op: Cmp, Kind: Mask, From: F32, Dst: 2, X: 1, Y: 1})
		},
		"a selection by a number": func(n *Nest) {
			n.Body = append(n.Body, &Instr{Op: Select, Kind: F32, Dst: 2, X: 1, Y: 1, Z: 1})
		},
	} {
		n := sum()
		spoil(n)
		assert.Error(t, n.Verify(), name)
	}
}

// The printed form shows the loop, its steps, and the instructions in order.
func TestString(t *testing.T) {
	assert.Equal(t, `nest sum, 1 parts, elements of 4 bytes
p0 = arg[8] + arg[32]
p1 = arg[40] + arg[64]
v1 = const.f32 0x0
loop arg[72], p0 += arg[80]
	v2 = load.f32 p0+0
	v1 = add.f32 v1, v2
store.f32 v1, p1+0
`, sum().String())
}

// A block ends at a check, a branch and a loop, and those inside are blocks too.
func TestMapBlocks(t *testing.T) {
	i := func(op Op) *Instr { return &Instr{Op: op} }
	list := []Node{i(Load), i(Add), i(Check), i(Store), &When{Then: []Node{i(Sub)}, Else: []Node{&Loop{Body: []Node{i(Mul), i(Div)}}}}, i(Move)}
	var seen [][]Op
	got := MapBlocks(list, func(block []*Instr) []*Instr {
		if len(block) == 0 {
			return nil
		}
		var ops []Op
		for _, x := range block {
			ops = append(ops, x.Op)
		}
		seen = append(seen, ops)
		return block[:1]
	})
	assert.ElementsMatch(t, [][]Op{{Load, Add}, {Store}, {Sub}, {Mul, Div}, {Move}}, seen)
	var left []Op
	Walk(got, func(x *Instr) { left = append(left, x.Op) })
	assert.Equal(t, []Op{Load, Check, Store, Sub, Mul, Move}, left)
}
