package scan_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/scan"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// odd holds for odd numbers.
type odd struct{}

func (odd) Holds(v int32) bool { return v&1 != 0 }

// A pair knows where it was.
type pair struct {
	v  float32
	at int
}

type positive struct{}

func (positive) Holds(p pair) bool { return p.v > 0 }

// without returns the elements that are kept, by package slices.
func without[T any](v []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(v), func(v T) bool { return !keep(v) })
}

// compacted fails the test unless f keeps want and leaves the rest of out alone.
func compacted[T comparable](t *testing.T, n int, want []T, rest T, f func(out []T, count []int) error) {
	t.Helper()
	out, count := make([]T, n), []int{-1}
	for i := range out {
		out[i] = rest
	}
	require.NoError(t, f(out, count))
	require.Equal(t, len(want), count[0], "n=%d: how many are kept", n)
	slicetest.Equal(t, want, out[:len(want)], "n=%d", n)
	slicetest.Each(t, func(int) T { return rest }, out[len(want):], "n=%d: the rest", n)
}

func TestCompactAgainstDeleteFunc(t *testing.T) {
	for _, d := range kerneltest.Devices(t) {
		t.Run(d.Name, func(t *testing.T) {
			for _, n := range d.Sizes(sizes, 4) {
				in := integers[int32](n)
				for i := range in {
					in[i] %= 4 // many zeros
				}
				ctx := t.Context()
				compacted(t, n, without(in, func(v int32) bool { return v%2 != 0 }), 99, func(out []int32, count []int) error {
					return scan.Compact(ctx, d, odd{}, out, count, in)
				})
				compacted(t, n, without(in, func(v int32) bool { return v != 0 }), 99, func(out []int32, count []int) error {
					return scan.Compact(ctx, d, scan.NonZero[int32]{}, out, count, in)
				})
				compacted(t, n, without(in, func(v int32) bool { return -1 <= v && v <= 2 }), 99, func(out []int32, count []int) error {
					return scan.Compact(ctx, d, scan.Between[int32]{Low: -1, High: 2}, out, count, in)
				})
				flags := make([]bool, n)
				for i, v := range in {
					flags[i] = v > 0
				}
				compacted(t, n, without(in, func(v int32) bool { return v > 0 }), 99, func(out []int32, count []int) error {
					return scan.CompactFlags(ctx, d, out, count, in, flags)
				})
			}
		})
	}
}

// Elements that are equal keep their order, and runs of which nothing or everything is kept lie
// side by side.
func TestCompactIsStable(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, d := range kerneltest.Devices(t) {
		for _, n := range d.Sizes([]int{600, 5, 20011}, 1) {
			in := make([]pair, n)
			for i := range in {
				in[i].at = i
				if i/300%3 == 1 || i/300%3 == 2 && r.IntN(2) == 0 {
					in[i].v = 1
				}
			}
			compacted(t, n, without(in, func(p pair) bool { return p.v > 0 }), pair{at: -1}, func(out []pair, count []int) error {
				return scan.Compact(t.Context(), d, positive{}, out, count, in)
			})
		}
	}
}

func TestNaNIsBetweenNothing(t *testing.T) {
	nan := float32(math.NaN())
	assert.False(t, (scan.Between[float32]{Low: -1, High: 1}).Holds(nan))
	assert.True(t, (scan.NonZero[float32]{}).Holds(nan))
	in, out, count := []float32{nan, 1, nan, 0, 2}, make([]float32, 5), []int{0}
	require.NoError(t, scan.Compact(t.Context(), gocuda.Default(), scan.Between[float32]{Low: -1, High: 1}, out, count, in))
	assert.Equal(t, 2, count[0])
	assert.Equal(t, []float32{1, 0}, out[:2])
	require.NoError(t, scan.Compact(t.Context(), gocuda.Default(), scan.NonZero[float32]{}, out, count, in))
	assert.Equal(t, 4, count[0])
	slicetest.EqualBits(t, []float32{nan, 1, nan, 2}, out[:4])
}

func TestCompactionsAreQueued(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	in := integers[int32](3001)
	flags := make([]bool, len(in))
	for i, v := range in {
		flags[i] = odd{}.Holds(v)
	}
	want := without(in, odd{}.Holds)
	compacted(t, len(in), want, 0, func(out []int32, count []int) error {
		return errors.Join(scan.Compact(t.Context(), kernels.OnStream(s), odd{}, out, count, in), s.Synchronize(t.Context()))
	})
	compacted(t, len(in), want, 0, func(out []int32, count []int) error {
		return errors.Join(scan.CompactFlags(t.Context(), kernels.OnStream(s), out, count, in, flags), s.Synchronize(t.Context()))
	})
}

func TestCompactSerial(t *testing.T) {
	in := integers[int32](1000)
	out := make([]int32, len(in))
	n := serial.Compact(odd{}, out, in)
	slicetest.Equal(t, without(in, odd{}.Holds), out[:n])
}

func TestCompactRefusesBadArguments(t *testing.T) {
	v, w, one, keep := make([]int32, 7), make([]int32, 7), make([]int, 1), make([]bool, 7)
	ctx, dev := t.Context(), gocuda.Default()
	for _, err := range []error{
		scan.Compact(ctx, dev, odd{}, v[:6], one, w),
		scan.Compact(ctx, dev, odd{}, v, one, w[:6]),
		scan.Compact(ctx, dev, odd{}, v, nil, w),
		scan.Compact(ctx, dev, odd{}, v, make([]int, 2), w),
		scan.CompactFlags(ctx, dev, v[:6], one, w, keep),
		scan.CompactFlags(ctx, dev, v, nil, w, keep),
		scan.CompactFlags(ctx, dev, v, one, w, keep[:6]),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
	}
}
