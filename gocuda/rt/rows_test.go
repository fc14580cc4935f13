package rt

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Numbers by steps, against each of them.
func TestBelowBy(t *testing.T) {
	for _, base := range []int{-40, -1, 0, 3, 100, 1 << 50} {
		for _, by := range []int{1, 2, 7, 1 << 39} {
			for _, limit := range []int{-5, 0, 1, 2, 3, 4, 50, 101, 1<<50 + 9} {
				for _, n := range []int{0, 1, 17, 1024} {
					want := 0
					for i := range n {
						if base+by*i < limit {
							want++
						}
					}
					assert.Equal(t, want, BelowBy(base, by, limit, n, -1), "%d numbers from %d by %d below %d", n, base, by, limit)
				}
			}
		}
	}
	// Where sums may wrap around, or numbers don't grow, nothing is said.
	for _, c := range [][3]int{{0, 0, 5}, {0, -1, 5}, {0, 1 << 41, 5}, {math.MaxInt, 1, 5}, {0, 1, math.MinInt}} {
		assert.Equal(t, 77, BelowBy(c[0], c[1], c[2], 100, 77), "%v", c)
	}
}

func TestStepOf(t *testing.T) {
	for mask := range 300 {
		if step := StepOf(mask); step != 0 {
			for x := range 1000 {
				assert.Equal(t, x%step, x&mask)
			}
		} else {
			assert.NotZero(t, mask&(mask+1))
		}
	}
	assert.Zero(t, StepOf(-1))
	assert.Zero(t, StepOf(math.MinInt))
}
