package bodies

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
)

func TestLongestPeriod(t *testing.T) {
	period, ok := Solar().LongestPeriod()
	assert.True(t, ok)
	assert.InEpsilon(t, 164.8, period, 0.02, "the sidereal period of Neptune in years; the ellipse of a moment is off by the pull of the others")

	// The Earth, by the definition of the units, and a comet that leaves.
	sun := nbody.Body[float64]{Mass: 4 * math.Pi * math.Pi}
	earth := System{
		Bodies:     []nbody.Body[float64]{{X: 1}, sun, {Y: 5}},
		Velocities: []kernels.Vec3[float64]{{Y: 2 * math.Pi}, {}, {X: 100}},
	}
	period, ok = earth.LongestPeriod()
	assert.True(t, ok)
	assert.InDelta(t, 1, period, 1e-12)
	earth.Bodies[2].Mass = 10
	_, ok = earth.LongestPeriod()
	assert.False(t, ok, "nothing is the center")
	_, ok = System{}.LongestPeriod()
	assert.False(t, ok)
}
