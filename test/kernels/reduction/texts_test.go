package reduction_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// tree adds up v as the loops of lecture decks do: in a round with distance x, the active threads
// of len(v) add the element x further on, all at the same time. beyond counts reads outside of v.
func tree(v []int, distances []int, active func(tx, x int) bool) (sum, beyond int) {
	at := append([]int(nil), v...)
	for _, x := range distances {
		before := append([]int(nil), at...)
		for tx := range v {
			switch {
			case !active(tx, x):
			case tx+x >= len(v):
				beyond++
			default:
				at[tx] += before[tx+x]
			}
		}
	}
	return at[0], beyond
}

// Two loops of lecture decks read outside of the array, one adds up wrongly, and what is right instead.
func TestLoopsOfTheDecks(t *testing.T) {
	v, want := make([]int, 64), 0
	for i := range v {
		v[i] = i*i + 1
		want += v[i]
	}
	up, down := []int{1, 2, 4, 8, 16, 32}, []int{32, 16, 8, 4, 2, 1}

	// In step the first element is right, but the last threads read outside of the array.
	_, beyond := tree(v, up, func(tx, x int) bool { return tx%x == 0 })
	assert.NotZero(t, beyond, "tx %% x")
	sum, beyond := tree(v, up, func(tx, x int) bool { return tx%(2*x) == 0 })
	assert.Equal(t, want, sum, "tx %% 2x")
	assert.Zero(t, beyond, "tx %% 2x")

	below := func(tx, x int) bool { return tx < x }
	sum, beyond = tree(v, []int{64, 32, 16, 8, 4, 2}, below)
	assert.NotEqual(t, want, sum, "from blockDim.x to 2")
	assert.NotZero(t, beyond, "from blockDim.x to 2")
	sum, beyond = tree(v, down, below)
	assert.Equal(t, want, sum, "from blockDim.x/2 to 1")
	assert.Zero(t, beyond, "from blockDim.x/2 to 1")
}
