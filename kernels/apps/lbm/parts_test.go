package lbm

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// noting notes the blocks of launches.
type noting struct{ blocks []int }

func (n *noting) Launch(_ context.Context, cfg grid.Config, _ gocuda.Kernel) error {
	n.blocks = append(n.blocks, cfg.Grid.X)
	return nil
}

// More cells than the grid of the first generation has room for are several launches.
func TestMoreCellsThanAGrid(t *testing.T) {
	var on noting
	var firsts []int
	require.NoError(t, inParts(t.Context(), &on, 2*maxThreads+5, bufferThreads, func(first, count int) gocuda.Kernel {
		firsts = append(firsts, first, count)
		return nil
	}))
	assert.Equal(t, []int{0, maxThreads, maxThreads, maxThreads, 2 * maxThreads, 5}, firsts)
	assert.Equal(t, []int{32768, 32768, 1}, on.blocks)
}
