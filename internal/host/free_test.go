package host

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNeed(t *testing.T) {
	assert.NoError(t, Need(1<<20, "a little"))
	err := Need(1<<60, "a matrix of many rows")
	assert.ErrorIs(t, err, ErrOutOfMemory)
	assert.ErrorContains(t, err, "out of memory: a matrix of many rows: 1 EiB are needed, and ")
	for bytes, want := range map[float64]string{0: "0 B", 999: "999 B", 1000: "0.977 KiB", 1 << 20: "1 MiB", 8.5 * (1 << 30): "8.5 GiB", 1e30: "8.67e+11 EiB"} {
		assert.Equal(t, want, inUnits(bytes))
	}
}
