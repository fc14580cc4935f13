//go:build compiled

package corpus

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// inTurn is a kernel whose blocks are run by several.
type inTurn []gocuda.Kernel

func (k inTurn) RunBlock(b *gocuda.Block) {
	for _, of := range k {
		of.RunBlock(b)
	}
}

// What one kernel of a launch has found out about its rows does not hold for another one's.
func TestRowsOfSeveralKernels(t *testing.T) {
	const n = 64
	rows := func(third int) [][]int32 {
		return [][]int32{make([]int32, n), make([]int32, n), make([]int32, third)}
	}
	kernel := func(rows [][]int32) gocuda.Kernel { return failLastRowKernel(-1, rows, make([]int32, n)) }
	cfg := grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: n}}
	require.NoError(t, gocuda.Launch(t.Context(), cfg, inTurn{kernel(rows(n)), kernel(rows(n + 1))}))
	err := gocuda.Launch(t.Context(), cfg, inTurn{kernel(rows(n)), kernel(rows(20))})
	require.Error(t, err)
	assert.Contains(t, err.Error(), "index out of range [20] with length 20")
}
