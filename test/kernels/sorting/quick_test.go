package sorting_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/sorting"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// Inputs on which quicksort is good and bad: the last one makes the median of three the second
// smallest key each time.
var quickInputs = map[string]func(i, n int) int64{
	"by chance":    func(i, _ int) int64 { return int64(rand.New(rand.NewPCG(1, uint64(i))).Uint64()) },
	"few values":   func(i, _ int) int64 { return int64(i*7919%5) - 2 },
	"all the same": func(int, int) int64 { return -3 },
	"ascending":    func(i, _ int) int64 { return int64(i) },
	"descending":   func(i, n int) int64 { return int64(n - i) },
	"killer": func(i, n int) int64 {
		if i < n/2 {
			return int64(2*i + i%2)
		}
		return int64(2 * (i - n/2))
	},
}

func TestQuickAgainstSlices(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for name, input := range quickInputs {
			for _, n := range dev.Sizes([]int{0, 1, 2, 255, 256, 1000, 5000}, few) {
				keys := make([]int64, n)
				for i := range keys {
					keys[i] = input(i, n)
				}
				want := slices.Sorted(slices.Values(keys))
				err := sorting.Quick(t.Context(), dev, sorting.Ascending, keys)
				if strings.Contains(dev.Name, "GK104") && errors.Is(err, gocuda.ErrNotSupported) && n > 256 {
					continue // no launches from kernels; small arrays, and equal keys, need none
				}
				require.NoError(t, err, name)
				slicetest.Equal(t, want, keys, "%s, %s, n=%d", dev.Name, name, n)
				slices.Reverse(want)
				require.NoError(t, sorting.Quick(t.Context(), dev, sorting.Descending, keys), name)
				slicetest.Equal(t, want, keys, "%s, %s, n=%d, descending", dev.Name, name, n)
			}
		}
	}
}

// More sides than launches can wait, and more than can be inside each other.
func TestQuickOfMany(t *testing.T) {
	if testing.Short() || kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	const n = 1<<18 + 77
	r := rand.New(rand.NewPCG(8, n))
	keys := make([]float32, n)
	for i := range keys {
		keys[i] = float32(r.NormFloat64())
	}
	keys[5], keys[6] = float32(math.Inf(1)), float32(math.Inf(-1))
	want := slices.Sorted(slices.Values(keys))
	require.NoError(t, sorting.Quick(t.Context(), gocuda.Default(), sorting.Ascending, keys))
	slicetest.Equal(t, want, keys, "not sorted")
}

func TestQuickRefuses(t *testing.T) {
	old, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.GK104))
	require.NoError(t, err)
	defer old.Close()
	keys := make([]uint32, 1000)
	for i := range keys {
		keys[i] = uint32(i * 7 % 1000)
	}
	assert.ErrorIs(t, sorting.Quick(t.Context(), old, sorting.Ascending, keys), gocuda.ErrNotSupported, "3.0 has no launches from kernels")
	assert.ErrorIs(t, sorting.Quick(t.Context(), gocuda.Default(), sorting.Order(7), keys), gocuda.ErrInvalidValue)
}
