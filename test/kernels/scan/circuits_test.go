package scan_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/kernels/scan"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// gates is addition that counts how often it is called.
type gates struct{ calls *atomic.Int64 }

func (gates) Identity() int64 { return 0 }

func (g gates) Combine(a, b int64) int64 {
	g.calls.Add(1)
	return a + b
}

// The numbers of gates are those of the literature on adders: n k / 2 and 2n - 2 - k for n = 2^k
// inputs.
func TestCircuitsHaveTheirNumbersOfGates(t *testing.T) {
	const n, k = 256, 8 // a block
	for _, d := range kerneltest.Devices(t) {
		for method, want := range map[scan.Method]int64{scan.Sklansky: n * k / 2, scan.BrentKung: 2*n - 2 - k} {
			op := gates{new(atomic.Int64)}
			in, out := make([]int64, n), make([]int64, n)
			for i := range in {
				in[i] = 1
			}
			require.NoError(t, scan.Inclusive(t.Context(), d, method, op, out, in))
			assert.Equal(t, want, op.calls.Load(), "%s/%v", d.Name, method)
			assert.Equal(t, int64(n), out[n-1])
		}
	}
}
