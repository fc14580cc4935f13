package nesttest_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/compiler/lir"
	"github.com/gocuda/gocuda/internal/compiler/nesttest"
)

// Where the guards of a reduced nest hold, it stores what the nest itself does.
func TestReducedNests(t *testing.T) {
	seeds := uint64(3000)
	if testing.Short() {
		seeds = 1500
	}
	reduced, guarded := map[int]int{}, 0
	for seed := range seeds {
		n, a := nesttest.NewSmall(seed, 37)
		require.NoError(t, n.Verify(), "seed %d", seed)
		for _, size := range []int{1, 2} {
			small, guards := lir.Reduce(n, size)
			if small == nil {
				continue
			}
			require.NoError(t, small.Verify(), "seed %d", seed)
			holds := true
			for _, g := range guards {
				v := int64(a.Ints[nesttest.Trips]) << 16 // more than all rounds add
				if g.Arg > 0 {
					v = int64(int32(a.Bits[g.Arg]))
				}
				holds = holds && g.Least <= v && v <= g.Most
			}
			if !holds {
				continue
			}
			reduced[size]++
			if len(guards) > 0 {
				guarded++
			}
			want, got := copyOf(a), copyOf(a)
			_, err := nesttest.Run(n, want)
			require.NoError(t, err, "seed %d", seed)
			_, err = nesttest.Run(small, got)
			require.NoError(t, err, "seed %d", seed)
			for s := range want.Slices {
				if !slices.Equal(want.Slices[s], got.Slices[s]) {
					t.Fatalf("seed %d: lanes of %d bytes store something else\n%v\n%v", seed, size, n, small)
				}
			}
		}
	}
	assert.Greater(t, reduced[1], 20)
	assert.Greater(t, reduced[2], 100)
	assert.Greater(t, guarded, 20)
}

func copyOf(a *nesttest.Arguments) *nesttest.Arguments {
	b := *a
	b.Slices = maps.Clone(a.Slices)
	for k, s := range b.Slices {
		b.Slices[k] = slices.Clone(s)
	}
	return &b
}
