package gocuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
)

// Alive finds the threads of a row that have not left, whoever has.
func TestAlive(t *testing.T) {
	if raceMode {
		t.Skip("compiled kernels run their source")
	}
	for _, c := range []struct {
		gone           []int
		lo, hi         int
		from, to, base int
		all            bool
	}{
		{nil, 0, 8, 0, 8, 0, true},
		{[]int{5, 6, 7}, 0, 8, 0, 5, 0, true},
		{[]int{0, 1, 7}, 0, 8, 2, 7, 0, true},
		{[]int{3}, 0, 8, 0, 8, 0, false},
		{[]int{3}, 4, 8, 4, 8, 0, true},
		{[]int{0, 1, 2, 3, 4, 5, 6, 7}, 0, 8, 8, 8, 0, true},
		{[]int{8, 10, 15}, 0, 8, 1, 7, 8, false},
		{[]int{8, 9, 15}, 0, 8, 2, 7, 8, true},
	} {
		k := compiledOf(0, nil, func(_ *gocuda.Block, p *rt.Phases) {
			for p.Next() {
				p.Track()
				for _, i := range c.gone {
					p.Current = i
					p.Leave(1)
				}
				from, to, all := p.Alive(c.base, c.lo, c.hi)
				assert.Equal(t, c.all, all, "%+v", c)
				assert.Equal(t, c.to-c.from, to-from, "%+v", c)
				if c.from < c.to {
					assert.Equal(t, c.from, from, "%+v", c)
				}
				p.Current = -1
			}
		})
		require.NoError(t, gocuda.Default().Launch(t.Context(), grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 8, Y: 2}}, k))
	}
}
