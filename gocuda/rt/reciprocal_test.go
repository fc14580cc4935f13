package rt_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda/rt"
)

// A quotient by way of the reciprocal is that of the division.
func TestReciprocalOf(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	by := []uint64{1, 2, 3, 5, 7, 10, 641, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64}
	for range 2000 {
		by = append(by, r.Uint64()>>r.IntN(64)|1)
	}
	for _, d := range by {
		for _, n := range []uint64{0, 1, d - 1, d, d + 1, r.Uint64(), r.Uint64() / d * d, r.Uint64()/d*d - 1, math.MaxUint64} {
			one := rt.ReciprocalOf(d)
			h, _ := bits.Mul64(n, one.Factor)
			require.Equal(t, n/d, (h+(n-h)>>one.First)>>one.Then, "%d/%d", n, d)
			require.Zero(t, one.Sign)
			if low := uint32(d); low != 0 {
				n := uint32(n)
				one := rt.ReciprocalOf(low)
				h := uint32(uint64(n) * one.Factor >> 32)
				require.Equal(t, n/low, (h+(n-h)>>one.First)>>one.Then, "%d/%d", n, low)
			}
		}
	}
	for _, d := range []int64{-1, -7, math.MinInt64, math.MinInt64 + 1} {
		one, positive := rt.ReciprocalOf(d), rt.ReciprocalOf(-uint64(d))
		assert.EqualValues(t, -1, one.Sign)
		one.Sign = 0
		assert.Equal(t, positive, one)
	}
	least, half := rt.ReciprocalOf(int32(math.MinInt32)), rt.ReciprocalOf(uint32(1<<31))
	half.Sign = -1
	assert.Equal(t, half, least)
	assert.Equal(t, rt.Reciprocal{}, rt.ReciprocalOf(int64(0)))
}
