package kernels_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/sorting"
)

// BenchmarkSort compares the sorts of keys with slices.Sort.
// A pair is a key with its value.
type pair struct{ key, value uint32 }

func zip(keys, values []uint32) []pair {
	pairs := make([]pair, len(keys))
	for i := range pairs {
		pairs[i] = pair{keys[i], values[i]}
	}
	return pairs
}

func BenchmarkSort(b *testing.B) {
	const n = 1 << 21
	b.Run("type=uint32", func(b *testing.B) { benchSort(b, n, (*rand.Rand).Uint32) })
	b.Run("type=float32", func(b *testing.B) {
		benchSort(b, n, func(r *rand.Rand) float32 { return float32(r.NormFloat64()) })
	})
	b.Run("type=uint64", func(b *testing.B) { benchSort(b, n, (*rand.Rand).Uint64) })
}

func benchSort[K sorting.Key](b *testing.B, n int, draw func(*rand.Rand) K) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	random, keys := make([]K, n), make([]K, n)
	for i := range random {
		random[i] = draw(r)
	}
	want := slices.Clone(random)
	slices.Sort(want)
	for _, way := range []struct {
		name string
		sort func(context.Context) error
	}{
		{"radix", func(ctx context.Context) error { return sorting.Radix(ctx, gocuda.Default(), sorting.Ascending, keys) }},
		{"bitonic", func(ctx context.Context) error {
			return sorting.Bitonic(ctx, gocuda.Default(), sorting.Ascending, keys)
		}},
		{"slices", func(context.Context) error { slices.Sort(keys); return nil }},
	} {
		b.Run("exec="+way.name, func(b *testing.B) {
			for b.Loop() {
				copy(keys, random)
				if err := way.sort(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			slicetest.Equal(b, want, keys, "not sorted")
			b.ReportMetric(1e-6*float64(n)*float64(b.N)/b.Elapsed().Seconds(), "Melem/s")
		})
	}
}

// BenchmarkSortPairs compares the sorts of keys with values with slices.SortStableFunc of a slice
// of pairs.
func BenchmarkSortPairs(b *testing.B) {
	const n = 1 << 20
	r := rand.New(rand.NewPCG(1, n))
	random, pairs := make([]pair, n), make([]pair, n)
	keys, values := make([]uint32, n), make([]uint32, n)
	for i := range random {
		random[i] = pair{r.Uint32N(n), uint32(i)}
	}
	compare := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	want := slices.Clone(random)
	slices.SortStableFunc(want, compare)
	for _, way := range []struct {
		name string
		sort func(context.Context) error
	}{
		{"radix", func(ctx context.Context) error {
			return sorting.RadixPairs(ctx, gocuda.Default(), sorting.Ascending, keys, values)
		}},
		{"split", func(ctx context.Context) error { return sorting.SplitSort(ctx, gocuda.Default(), keys, values) }},
		{"slices", func(context.Context) error {
			slices.SortStableFunc(pairs, compare)
			for i, p := range pairs {
				keys[i], values[i] = p.key, p.value
			}
			return nil
		}},
	} {
		b.Run("exec="+way.name, func(b *testing.B) {
			for b.Loop() {
				for i, p := range random {
					pairs[i], keys[i], values[i] = p, p.key, p.value
				}
				if err := way.sort(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			slicetest.Equal(b, want, zip(keys, values))
			b.ReportMetric(1e-6*n*float64(b.N)/b.Elapsed().Seconds(), "Mpairs/s")
		})
	}
}

// BenchmarkSortBlock compares the sorts of one block with slices.Sort of the same few keys.
func BenchmarkSortBlock(b *testing.B) {
	for _, way := range []struct {
		name string
		n    int
		sort func(context.Context, []uint32) error
	}{
		{"radix", 512, func(ctx context.Context, keys []uint32) error { return sorting.SortBlock(ctx, gocuda.Default(), keys) }},
		{"bitonic", 512, func(ctx context.Context, keys []uint32) error {
			return sorting.BitonicBlock(ctx, gocuda.Default(), keys)
		}},
		{"slices", 512, func(_ context.Context, keys []uint32) error { slices.Sort(keys); return nil }},
	} {
		b.Run(fmt.Sprintf("size=%d/exec=%s", way.n, way.name), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, uint64(way.n)))
			random, keys := make([]uint32, way.n), make([]uint32, way.n)
			for i := range random {
				random[i] = r.Uint32()
			}
			for b.Loop() {
				copy(keys, random)
				if err := way.sort(b.Context(), keys); err != nil {
					b.Fatal(err)
				}
			}
			require.True(b, slices.IsSorted(keys), "not sorted")
			b.ReportMetric(1e-6*float64(way.n)*float64(b.N)/b.Elapsed().Seconds(), "Melem/s")
		})
	}
}
