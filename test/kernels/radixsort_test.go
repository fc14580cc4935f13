package kernels_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// keySets are arrangements that a sort may get wrong.
var keySets = map[string]func(r *rand.Rand, i int) uint32{
	"random":   func(r *rand.Rand, _ int) uint32 { return r.Uint32() },
	"few":      func(r *rand.Rand, _ int) uint32 { return r.Uint32N(5) << 30 },
	"the same": func(*rand.Rand, int) uint32 { return 1<<32 - 1 },
	"falling":  func(_ *rand.Rand, i int) uint32 { return 1<<31 - uint32(i)*8191 },
}

type pair struct{ key, value uint32 }

func zip(keys, values []uint32) []pair {
	pairs := make([]pair, len(keys))
	for i := range pairs {
		pairs[i] = pair{keys[i], values[i]}
	}
	return pairs
}

func TestRadixSortIsAStableSort(t *testing.T) {
	for name, dev := range devices(t) {
		ns := []int{0, 1, 129, 2049, 2, 16, 127, 2047, 2048, 4099, 65537}
		if name == "checked" || kerneltest.AsWritten {
			ns = ns[:4]
		}
		for set, key := range keySets {
			for _, n := range ns {
				r := rand.New(rand.NewPCG(17, uint64(n)))
				keys, values, want := make([]uint32, n), make([]uint32, n), make([]pair, n)
				for i := range n {
					keys[i], values[i] = key(r, i), uint32(i)
					want[i] = pair{keys[i], values[i]}
				}
				slices.SortStableFunc(want, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
				keys2, values2 := slices.Clone(keys), slices.Clone(values)
				require.NoError(t, kernels.RadixSort(t.Context(), dev, keys, values))
				kernels.RadixSortSerial(keys2, values2)
				slicetest.Equal(t, want, zip(keys, values), "%s, %s, n=%d", name, set, n)
				slicetest.Equal(t, want, zip(keys2, values2), "serial, %s, n=%d", set, n)
			}
		}
	}
}

func TestRadixSortRefusesWrongLengths(t *testing.T) {
	err := kernels.RadixSort(t.Context(), gocuda.Default(), make([]uint32, 3), make([]uint32, 4))
	assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
}

func TestRadixSortOnStream(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	const n = 5000
	keys, values := make([]uint32, n), make([]uint32, n)
	for i := range keys {
		keys[i], values[i] = uint32(n-i), uint32(i)
	}
	require.NoError(t, kernels.RadixSort(t.Context(), kernels.OnStream(s), keys, values))
	require.NoError(t, s.Synchronize(t.Context()))
	slicetest.Each(t, func(i int) pair { return pair{uint32(i + 1), uint32(n - 1 - i)} }, zip(keys, values))
}

// Sorts that are queued one after the other on several streams run at the same time.
func TestRadixSortOnSeveralStreams(t *testing.T) {
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(4))
	require.NoError(t, err)
	defer dev.Close()
	const streams = 4
	n := 50000
	if kerneltest.AsWritten {
		n = 3000
	}
	var keys, values [streams][]uint32
	var queues [streams]*gocuda.Stream
	for round := range 3 {
		for i := range queues {
			s := dev.NewStream()
			defer s.Close()
			queues[i], keys[i], values[i] = s, make([]uint32, n), make([]uint32, n)
			for j := range n {
				keys[i][j], values[i][j] = uint32(j)*2654435761+uint32(i), uint32(j)
			}
			require.NoError(t, kernels.RadixSort(t.Context(), kernels.OnStream(s), keys[i], values[i]))
		}
		for i, s := range queues {
			require.NoError(t, s.Synchronize(t.Context()))
			slicetest.Each(t, func(j int) uint32 { return values[i][j]*2654435761 + uint32(i) }, keys[i], "round %d, stream %d", round, i)
			assert.True(t, slices.IsSorted(keys[i]), "round %d, stream %d", round, i)
		}
	}
}
