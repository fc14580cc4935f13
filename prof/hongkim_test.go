package prof_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/prof"
)

// The worked example of Hong and Kim's paper, section 3.6: 50 738 cycles with MWP rounded to 2.28.
func TestHongKim(t *testing.T) {
	h := prof.HongKim{
		Frequency: 1, Bandwidth: 80, SMs: 16, MemLatency: 420, DepartureUncoal: 10, DepartureCoal: 4, IssueCycles: 4, LoadBytes: 128,
		UncoalPerRequest: 32, Blocks: 80, BlocksPerSM: 5, WarpsPerBlock: 4, Computing: 27, Uncoal: 6, Barriers: 6,
	}
	assert.InEpsilon(t, 50738, h.Cycles(), 0.0005)
	h.Blocks *= 3
	assert.InEpsilon(t, 3*50738, h.Cycles(), 0.0005)
}
