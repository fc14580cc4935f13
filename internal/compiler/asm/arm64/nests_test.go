package arm64

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/compiler/lir"
	"github.com/gocuda/gocuda/internal/compiler/nesttest"
)

// sameStored fails if change makes a random nest ill-formed, or makes it store other values. Nests
// run thread by thread, with one lane.
func sameStored(t *testing.T, change func(n *lir.Nest)) {
	t.Helper()
	for seed := range uint64(500) {
		for _, k := range []lir.Kind{lir.F32, lir.I32} {
			a := nesttest.NewArguments(rand.New(rand.NewPCG(seed, 1)), k, 1+int(seed)%9)
			run := func(n *lir.Nest) []byte {
				stored := &nesttest.Arguments{Ints: a.Ints, Bits: a.Bits, Slices: map[int][]byte{8: a.Slices[8], 32: a.Slices[32], 56: slices.Clone(a.Slices[56])}}
				_, err := nesttest.Run(n, stored)
				require.NoError(t, err)
				return stored.Slices[56]
			}
			n := nesttest.New(seed, k, 1, false)
			want := run(n)
			change(n)
			require.NoError(t, n.Verify(), "seed %d", seed)
			require.Equal(t, want, run(n), "seed %d\n%v", seed, n)
		}
	}
}

// Random nests store the same after unswitching, which applies to many of them.
func TestUnswitch(t *testing.T) {
	regions, masked := 0, 0
	sameStored(t, func(n *lir.Nest) {
		unswitch(n)
		visit(n.Body, func(x lir.Node) {
			if w, ok := x.(*lir.When); ok && w.All {
				regions++
				lir.Walk(w.Then, func(i *lir.Instr) {
					if slices.Contains(w.Any, i.On) {
						masked++
					}
				})
			}
		})
	})
	assert.Greater(t, regions, 50)
	assert.Zero(t, masked, "accesses with a mask of which all lanes are on")
}

// Random nests store the same after accesses to fields are grouped, and the members of a group are
// adjacent.
func TestGroups(t *testing.T) {
	loads, stores := 0, 0
	sameStored(t, func(n *lir.Nest) {
		groups := grouped(n)
		var inOrder []*lir.Instr
		lir.Walk(n.Body, func(i *lir.Instr) { inOrder = append(inOrder, i) })
		for i, x := range inOrder {
			g := groups[x]
			if g == nil || x != g.at {
				continue
			}
			used := slices.DeleteFunc(slices.Clone(g.members), func(m *lir.Instr) bool { return m == nil })
			from := i
			if x.Op == lir.Scatter {
				from, stores = i-len(used)+1, stores+1
				assert.Len(t, used, g.every)
			} else {
				loads++
			}
			for _, m := range inOrder[from : from+len(used)] {
				assert.Contains(t, used, m)
			}
		}
	})
	assert.Greater(t, loads, 50)
	assert.Greater(t, stores, 50)
}

// Totals to neighbouring elements become trees: one store for four vectors of four lanes, two
// stores for four vectors of two lanes. A single Total is unchanged.
func TestTotals(t *testing.T) {
	for _, test := range []struct {
		kind     lir.Kind
		disps    []int
		want     []lir.Op
		pairwise int // the number of Totals of two vectors
	}{
		{lir.F32, []int{0, 4, 8, 12, 16}, []lir.Op{lir.Pairs, lir.Pairs, lir.Pairs, lir.Store, lir.Total}, 0},
		{lir.I32, []int{8, 12, 20, 24}, []lir.Op{lir.Total, lir.Total}, 2},
		{lir.F64, []int{0, 8, 16, 24}, []lir.Op{lir.Total, lir.Total}, 2},
		{lir.F64, []int{0, 16}, []lir.Op{lir.Total, lir.Total}, 0},
	} {
		n := &lir.Nest{Size: test.kind.Size()}
		var list []lir.Node
		var values []lir.Value
		for range test.disps {
			v := n.New(test.kind)
			values = append(values, v)
			list = append(list, &lir.Instr{Op: lir.Const, Kind: test.kind, Dst: v})
		}
		consts := len(list)
		for i, d := range test.disps {
			list = append(list, &lir.Instr{Op: lir.Total, Kind: test.kind, X: values[i], Mem: lir.Mem{Disp: d, Uniform: true}})
		}
		n.Body = totalled(n, list)
		require.NoError(t, n.Verify())
		var ops []lir.Op
		pairwise := 0
		added := map[lir.Value]bool{}
		for _, x := range n.Body[consts:] {
			i := x.(*lir.Instr)
			ops = append(ops, i.Op)
			added[i.X], added[i.Y] = true, true
			if i.Op == lir.Total && i.Y != 0 {
				pairwise++
			}
		}
		assert.Equal(t, test.want, ops, "%v at %v", test.kind, test.disps)
		assert.Equal(t, test.pairwise, pairwise, "%v at %v", test.kind, test.disps)
		for _, v := range values {
			assert.True(t, added[v], "%v at %v", test.kind, test.disps)
		}
	}
}

// Random nests store the same after branches on uniform masks become branches on scalars, and there
// are such branches.
func TestBranch(t *testing.T) {
	before, after := 0, 0
	sameStored(t, func(n *lir.Nest) {
		masks := func() (many int) {
			known := commons(n)
			visit(n.Body, func(x lir.Node) {
				if w, ok := x.(*lir.When); ok && len(w.Any) == 1 {
					if _, common := known[w.Any[0]]; common {
						many++
					}
				}
			})
			return many
		}
		before += masks()
		branch(n)
		after += masks()
	})
	assert.Greater(t, before, 30)
	assert.Zero(t, after)
}

// A branch on the complement of a uniform mask is merged with the branch on that mask.
func TestBranchOpposite(t *testing.T) {
	n := &lir.Nest{Size: 4}
	value := func(k lir.Kind, i lir.Instr) lir.Value {
		i.Kind, i.Dst = k, n.New(k)
		n.Body = append(n.Body, &i)
		return i.Dst
	}
	zero := value(lir.I32, lir.Instr{Op: lir.Const})
	all := value(lir.Mask, lir.Instr{Op: lir.Cmp, From: lir.I32, X: zero, Y: zero})
	some := value(lir.Mask, lir.Instr{Op: lir.Whole, Bounds: [2]lir.Scalar{{Off: 8}}})
	others := value(lir.Mask, lir.Instr{Op: lir.MaskNot, X: all, Y: some})
	store := func(disp int) []lir.Node {
		return []lir.Node{&lir.Instr{Op: lir.Store, Kind: lir.I32, X: zero, Mem: lir.Mem{Disp: disp}}}
	}
	then, otherwise := store(0), store(4)
	n.Body = append(n.Body, &lir.When{Any: []lir.Value{some}, Then: then}, &lir.When{Any: []lir.Value{others}, Then: otherwise})
	branch(n)
	require.NoError(t, n.Verify())
	require.Len(t, n.Body, 2) // the stored number, and one branch: the masks are gone
	assert.Equal(t, &lir.When{Conds: []lir.Scalar{{Off: 8}}, Then: then, Else: otherwise}, n.Body[1])
}

// An element that only products use is loaded as a scalar, and a product has at most one such
// operand.
func TestByElement(t *testing.T) {
	n := &lir.Nest{Size: 4}
	var list []*lir.Instr
	value := func(op lir.Op, operands ...lir.Value) lir.Value {
		i := &lir.Instr{Op: op, Kind: lir.F32, Dst: n.New(lir.F32)}
		for k, v := range operands {
			*[]*lir.Value{&i.X, &i.Y, &i.Z}[k] = v
		}
		list = append(list, i)
		n.Body = append(n.Body, i)
		return i.Dst
	}
	a, b, c, d := value(lir.Broadcast), value(lir.Broadcast), value(lir.Broadcast), value(lir.Broadcast)
	x := value(lir.Load)
	p := value(lir.Mul, a, x)     // a is the first operand
	q := value(lir.FMA, p, b, x)  // b is the second
	value(lir.FMA, x, p, c)       // c is added
	r := value(lir.FNMA, a, d, q) // both factors, a and d
	s := value(lir.Mul, b, b)     // b squared
	value(lir.Add, r, s)
	loads, products := byElement(n)
	assert.Equal(t, map[*lir.Instr]bool{list[0]: true}, loads)
	assert.Equal(t, map[*lir.Instr]int{list[5]: 0, list[8]: 0}, products)
}

// Masks of consecutive parts of a strip share the vectors of their bounds if they are adjacent.
func TestFollowing(t *testing.T) {
	within := func(from, to, part int) *lir.Instr {
		return &lir.Instr{Op: lir.Within, Kind: lir.Mask, Bounds: [2]lir.Scalar{{Off: from}, {Off: to}}, Part: part}
	}
	a, b, c, d, e := within(8, 16, 0), within(8, 16, 1), within(8, 24, 0), within(8, 24, 1), within(8, 24, 2)
	list := []lir.Node{a, b, c, &lir.Loop{Body: []lir.Node{d}}, e}
	assert.Equal(t, map[*lir.Instr]bool{b: true}, following(list))
}

func TestTidy(t *testing.T) {
	for name, test := range map[string]struct{ in, want []string }{
		"an argument that R3 has": {
			[]string{"MOVD 48(R0), R3", "ADD R3, R5", "MOVD 48(R0), R3", "MADD R3, R6, R1, R6"},
			[]string{"MOVD 48(R0), R3", "ADD R3, R5", "MADD R3, R6, R1, R6"}},
		"an argument that R3 had": {
			[]string{"MOVD 48(R0), R3", "ADD R3, R5", "ADD R3<<1, R3", "MOVD 48(R0), R3", "ADD R3, R6", "l1:", "MOVD 48(R0), R3", "CALL f<>(SB)", "MOVD 48(R0), R3"},
			[]string{"MOVD 48(R0), R3", "ADD R3, R5", "ADD R3<<1, R3", "MOVD 48(R0), R3", "ADD R3, R6", "l1:", "MOVD 48(R0), R3", "CALL f<>(SB)", "MOVD 48(R0), R3"}},
		"a difference and a question": {
			[]string{"MOVD R9, R2", "SUB R4, R2", "CMP $0, R2", "BLE l4"},
			[]string{"SUBS R4, R9, R2", "BLE l4"}},
		"elements that follow each other": {
			[]string{"VLD1R (R4), [V1.S4]", "ADD $4, R4, R2", "VLD1R (R2), [V2.S4]", "FMOVS 8(R4), F3", "ADD $16, R4"},
			[]string{"VLD1R.P 4(R4), [V1.S4]", "VLD1R.P 4(R4), [V2.S4]", "FMOVS.P 4(R4), F3", "ADD $4, R4"}},
		"a number and the move of its pointer": {
			[]string{"FMOVS 64(R4), F2", "FMOVS 0(R4), F1", "ADD $4, R4"},
			[]string{"FMOVS 64(R4), F2", "FMOVS.P 4(R4), F1"}},
	} {
		lines := func(list []string) string {
			text := ""
			for _, l := range list {
				if !strings.HasSuffix(l, ":") {
					l = "\t" + l
				}
				text += l + "\n"
			}
			return text
		}
		assert.Equal(t, lines(test.want), (&emitter{}).Tidy(lines(test.in)), name)
	}
}
