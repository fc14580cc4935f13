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
