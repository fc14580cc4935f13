package compiler

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A product with the multiplier, shifted, is the quotient: of all numbers of 10 bits by all
// divisors, and of those of 64 bits that are next to multiples of the divisor.
func TestMultiplier(t *testing.T) {
	for d := uint64(3); d < 1<<10; d++ {
		if d&(d-1) == 0 {
			continue
		}
		for most := 1; most <= 10; most++ {
			factor, shift, more := multiplier(10, most, d)
			require.Less(t, factor, uint64(1<<10))
			if more {
				factor += 1 << 10
			}
			for n := uint64(0); n < 1<<most; n++ {
				require.Equal(t, n/d, n*factor>>(10+shift), "%d/%d", n, d)
			}
			for n := int64(1); n <= 1<<most; n++ {
				require.Equal(t, -n/int64(d), -n*int64(factor)>>(10+shift)+1, "-%d/%d", n, d)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		d := r.Uint64()>>r.IntN(62) | 3
		if d&(d+1) == 0 { // d is 2^k-1, and the next one a power of two
			d ^= 4
		}
		factor, shift, more := multiplier(64, 64, d)
		for _, n := range []uint64{r.Uint64(), r.Uint64() / d * d, r.Uint64()/d*d - 1, ^uint64(0), 0} {
			high, _ := bits.Mul64(n, factor)
			q, carry := high, uint64(0)
			if more {
				q, carry = bits.Add64(high, n, 0)
			}
			if shift == 0 {
				assert.Zero(t, carry)
			} else {
				q = q>>shift | carry<<(64-shift)
			}
			require.Equal(t, n/d, q, "%d/%d", n, d)
		}
	}
}
