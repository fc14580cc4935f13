package arm64

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/compiler/lir"
	"github.com/gocuda/gocuda/internal/compiler/nesttest"
)

// sameStored fails if random nests, of which many threads have one lane each, store something else after they have been changed, or are not well-formed.
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

// Random nests store the same with regions that are there twice, of which many are.
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

// Random nests store the same where accesses to fields are together, and the members of a group follow each other.
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

// Totals that store to neighbouring elements are trees: of four vectors of four lanes one store, of two lanes two. One that is alone stays.
func TestTotals(t *testing.T) {
	for _, test := range []struct {
		kind     lir.Kind
		disps    []int
		want     []lir.Op
		pairwise int // Totals of two vectors
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
