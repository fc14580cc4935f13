package gocuda_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/gocuda"
)

func TestSmall(t *testing.T) {
	for _, bits := range []uint{18, 28, 40} {
		limit := new(big.Int).Lsh(big.NewInt(1), bits)
		for _, n := range []int{0, 1, -1, 1 << 18, -1 << 18, 1<<18 - 1, -1<<18 - 1, 1 << 28, -1 << 28, 1<<28 - 1, math.MaxInt, math.MinInt, math.MaxInt32} {
			x := big.NewInt(int64(n))
			want := x.Cmp(limit) < 0 && x.Cmp(new(big.Int).Neg(limit)) >= 0
			assert.Equal(t, want, gocuda.Small(n, bits), "%d, %d bits", n, bits)
		}
	}
}

// Slices are apart if no element of the one is an element of the other.
func TestApart(t *testing.T) {
	all := make([]int32, 12)
	for a := range all {
		for b := range all {
			x, y := all[a:min(a+3, 12)], all[b:min(b+4, 12)]
			common := a < b+len(y) && b < a+len(x)
			assert.Equal(t, !common, gocuda.Apart(x, y), "%d and %d", a, b)
		}
	}
	assert.True(t, gocuda.Apart(all, make([]float64, 3)))
	assert.True(t, gocuda.Apart(all, []float64(nil)))
	assert.True(t, gocuda.Apart[int32, int32](nil, nil))
}

// What is said of the machine is a width for which there are forms.
func TestVectorBytes(t *testing.T) {
	assert.Contains(t, []int{0, 32, 64}, gocuda.VectorBytes())
	assert.Equal(t, 1, gocuda.Bit(true))
	assert.Equal(t, 0, gocuda.Bit(false))
}

// Calls take whole vectors, and no more of them than are done in some milliseconds.
func TestStrip(t *testing.T) {
	for work := 1.0; work <= gocuda.MostWork; work *= 3 {
		n := gocuda.Strip(work)
		assert.Zero(t, n%64)
		assert.GreaterOrEqual(t, n, 64)
		assert.True(t, n == 64 || float64(n)*work <= 1<<23, "%d threads of %g rounds", n, work)
	}
}
