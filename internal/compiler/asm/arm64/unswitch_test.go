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

// Random nests store the same with regions that are there twice, of which many are, and are well-formed still.
func TestUnswitch(t *testing.T) {
	regions, masked := 0, 0
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
			unswitch(n)
			require.NoError(t, n.Verify(), "seed %d", seed)
			require.Equal(t, want, run(n), "seed %d\n%v", seed, n)
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
		}
	}
	assert.Greater(t, regions, 50)
	assert.Zero(t, masked, "accesses with a mask of which all lanes are on")
}
