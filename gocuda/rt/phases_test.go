package rt_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
)

// oneBlock is an engine with a block.
type oneBlock struct{ rt.Engine }

func (oneBlock) Next() bool { return false }

// A launch in which assembly has found an index out of range fails even if plain Go then has not.
func TestFaultsAreNotLost(t *testing.T) {
	var p rt.Phases
	var hurry atomic.Bool
	for _, done := range []int{0, 7, 1 << 40} {
		p.Start(oneBlock{}, grid.Dim3{X: 64, Y: 1, Z: 1}, 64, &hurry, 0, 0, true, true)
		assert.True(t, p.Next())
		assert.False(t, p.Next(), "the block has no fault")
		p.Start(oneBlock{}, grid.Dim3{X: 64, Y: 1, Z: 1}, 64, &hurry, 0, 0, true, true)
		assert.True(t, p.Next())
		assert.Equal(t, done, p.Fault(^done))
		assert.PanicsWithError(t, "an index of the kernel was out of range, and then changed: another thread stores to it at the same time", func() { p.Next() })
	}
}
