package reduction_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/reduction"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var methods = []reduction.Method{
	reduction.Interleaved, reduction.Sequential, reduction.BlockAtomics, reduction.TwoPass, reduction.SinglePass,
	reduction.Atomics, reduction.Shuffles, reduction.Runs,
}

var countMethods = []reduction.CountMethod{reduction.BlockVotes, reduction.WarpVotes, reduction.Counters}

// sizes are around a block, a part, a warp and a block of blocks; the last takes more than one tile
// for each of 256 parts. Slow devices get the first few.
var sizes = []int{257, 4097, 0, 1, 33, 31, 255, 256, 511, 513, 1021, 4095, 4096, 65537, 140009, 1<<20 + 77}

func integers(n int) []int32 {
	r := rand.New(rand.NewPCG(11, uint64(n)))
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(r.Uint64())
	}
	return v
}

func sum[T atomic.Number](t *testing.T, on kernels.Launcher, m reduction.Method, in []T) T {
	t.Helper()
	out := []T{1} // must not matter
	require.NoError(t, reduction.Sum(t.Context(), on, m, out, in))
	return out[0]
}

// 1 + 2 + ... + n = n(n+1)/2, which wraps around in 32 bits as any sum does.
func TestSumsOfIntegersAreExact(t *testing.T) {
	for _, d := range kerneltest.Devices(t) {
		for _, m := range methods {
			for _, n := range d.Sizes(sizes, 5) {
				in, wide := make([]uint32, n), make([]int, n)
				for i := range in {
					in[i], wide[i] = uint32(i+1), i+1
				}
				want := n * (n + 1) / 2
				assert.Equal(t, want, sum(t, d, m, wide), "%s, %v, n=%d", d.Name, m, n)
				if d.Slow {
					continue
				}
				assert.Equal(t, uint32(want), sum(t, d, m, in), "%s, %v, n=%d", d.Name, m, n)
				r := integers(n)
				assert.Equal(t, serial.Sum(r), sum(t, d, m, r), "%s, %v, n=%d", d.Name, m, n)
			}
		}
	}
}

func TestSumsOfFloatsAgainstGonum(t *testing.T) {
	for _, d := range kerneltest.Devices(t) {
		for _, m := range methods {
			for _, n := range d.Sizes(sizes, 1) {
				in := kerneltest.Uniform[float64](n)
				narrow := make([]float32, n)
				abs := 0.0
				for i, v := range in {
					narrow[i] = float32(v)
					in[i] = float64(narrow[i]) // the same numbers in both types
					abs += math.Abs(in[i])
				}
				// n-1 additions in any order; gonum's sum has the same bound, and 1.01 is for the
				// terms of second order.
				terms := 1.01 * max(float64(n-1), 0) * abs
				want := floats.Sum(in)
				assert.InDelta(t, want, sum(t, d, m, in), 2*terms*0x1p-53, "%s, %v, n=%d", d.Name, m, n)
				assert.InDelta(t, want, sum(t, d, m, narrow), terms*(0x1p-24+0x1p-53), "%s, %v, float32, n=%d", d.Name, m, n)
				for i := range narrow {
					narrow[i] = float32(i % 8) // all sums are integers below 2^24, so nothing is rounded
				}
				assert.Equal(t, float32(28*(n/8)+(n%8)*(n%8-1)/2), sum(t, d, m, narrow), "%s, %v, n=%d", d.Name, m, n)
			}
		}
	}
}

// g80 returns a device with the limits of the first generation.
func g80(t *testing.T) *gocuda.Device {
	t.Helper()
	d, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.G80))
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// With 65535 blocks of 256 threads at most, threads need several elements.
func TestMoreElementsThanThreads(t *testing.T) {
	if testing.Short() || kerneltest.Devices(t)[0].Slow {
		t.Skip("large")
	}
	n := 65535*256 + 12345
	in := make([]int32, n)
	for i := range in {
		in[i] = 1
	}
	on := g80(t)
	for _, m := range methods {
		if m == reduction.Shuffles {
			continue // they are there since compute capability 3.0
		}
		assert.Equal(t, n, int(sum(t, on, m, in)), m)
	}
}

func TestCountAgainstGonum(t *testing.T) {
	for _, d := range kerneltest.Devices(t) {
		for _, m := range countMethods {
			for _, n := range d.Sizes(sizes, 2) {
				in := kerneltest.Uniform[float32](n)
				wide := make([]float64, n)
				for i := range in {
					if i%11 == 3 {
						in[i] = float32(math.NaN()) // never counts
					}
					if i%7 == 5 {
						in[i] = 0.25 // an end counts
					}
					wide[i] = float64(in[i])
				}
				out := []int{77}
				require.NoError(t, reduction.Count(t.Context(), d, m, -0.5, 0.25, out, in))
				want := floats.Count(func(v float64) bool { return v >= -0.5 && v <= 0.25 }, wide)
				assert.Equal(t, want, out[0], "%s, %v, n=%d", d.Name, m, n)
				assert.Equal(t, want, serial.Count(-0.5, 0.25, in), "serial, n=%d", n)
			}
		}
	}
}

func TestExtremesAgainstSlices(t *testing.T) {
	for _, d := range kerneltest.Devices(t) {
		for _, n := range d.Sizes(sizes, 2) {
			if n == 0 {
				continue
			}
			in := integers(n)
			out, small := []int32{0}, []int32{0}
			err := errors.Join(reduction.Max(t.Context(), d, out, in), reduction.Min(t.Context(), d, small, in))
			require.NoError(t, err)
			assert.Equal(t, slices.Max(in), out[0], "%s, n=%d", d.Name, n)
			assert.Equal(t, slices.Min(in), small[0], "%s, n=%d", d.Name, n)
			// At each end, and in the last place of a block or a part.
			for _, at := range []int{0, n - 1, min(n-1, 255), min(n-1, 4096)} {
				v := kerneltest.Uniform[float32](n)
				v[at] = 2
				got := []float32{0}
				assert.NoError(t, reduction.Max(t.Context(), d, got, v), "%s, n=%d", d.Name, n)
				assert.Equal(t, float32(2), got[0], "%s, n=%d", d.Name, n)
				v[at] = float32(math.NaN())
				assert.NoError(t, reduction.Min(t.Context(), d, got, v), "%s, n=%d", d.Name, n)
				assert.True(t, math.IsNaN(float64(got[0])), "%s, n=%d", d.Name, n)
			}
		}
	}
}

// A span is the elements from first up to last, or none. Spans that don't touch combine to one that
// is wrong.
type span struct{ first, last int }

type join struct{}

func (join) Identity() span { return span{-1, -1} }
func (join) Combine(a, b span) span {
	switch {
	case a.first < 0:
		return b
	case b.first < 0:
		return a
	case a.last != b.first:
		return span{-2, -2}
	}
	return span{a.first, b.last}
}

func TestReduceKeepsTheOrder(t *testing.T) {
	for _, d := range kerneltest.Devices(t) {
		for _, n := range d.Sizes(sizes, 5) {
			in := make([]span, n)
			for i := range in {
				in[i] = span{i, i + 1}
			}
			want := span{0, n}
			if n == 0 {
				want = join{}.Identity()
			}
			out := []span{{5, 5}}
			require.NoError(t, reduction.Reduce(t.Context(), d, join{}, out, in))
			assert.Equal(t, want, out[0], "%s, n=%d", d.Name, n)
			assert.Equal(t, want, serial.Reduce(join{}, in), "serial, n=%d", n)
		}
	}
}

// moments are what mean and variance are made of: the example of The CUDA Handbook's section 12.6,
// in whole numbers.
type moments struct{ n, sum, squares int64 }

func (moments) Identity() moments { return moments{} }

func (moments) Combine(a, b moments) moments {
	return moments{a.n + b.n, a.sum + b.sum, a.squares + b.squares}
}

func TestMomentsAgainstGonum(t *testing.T) {
	for _, d := range kerneltest.Devices(t) {
		for _, n := range d.Sizes(sizes, 1) {
			if n < 2 {
				continue
			}
			in, x := make([]moments, n), make([]float64, n)
			for i, v := range integers(n) {
				v := int64(v % 1000)
				in[i], x[i] = moments{1, v, v * v}, float64(v)
			}
			out := make([]moments, 1)
			require.NoError(t, reduction.Reduce(t.Context(), d, moments{}, out, in))
			m := out[0]
			mean := float64(m.sum) / float64(m.n)
			variance := (float64(m.squares) - float64(m.sum)*mean) / float64(m.n-1)
			wantMean, wantVariance := stat.MeanVariance(x, nil)
			// Sums are exact here, and the mean and the variance rounded a few times. gonum adds up
			// n values below 1000 and n squares of differences below 2000, with an error of at most
			// n+3 times 2^-53 of the sum.
			bound := float64(n+8) * 0x1p-53 * 4e6
			assert.InDelta(t, wantMean, mean, bound, "%s, n=%d: mean", d.Name, n)
			assert.InDelta(t, wantVariance, variance, bound*float64(n)/float64(n-1), "%s, n=%d: variance", d.Name, n)
		}
	}
}

// A wide value leaves room for few threads in 16 KiB of shared memory.
type wide [64]int64

type first struct{}

func (first) Identity() wide { return wide{} }
func (first) Combine(a, b wide) wide {
	if a[0] != 0 {
		return a
	}
	return b
}

func TestReduceLargeElements(t *testing.T) {
	in := make([]wide, 5000)
	for i := 30; i < len(in); i++ {
		in[i][0], in[i][63] = int64(i), int64(-i)
	}
	out := make([]wide, 1)
	require.NoError(t, reduction.Reduce(t.Context(), g80(t), first{}, out, in))
	assert.Equal(t, in[30], out[0])
}

func TestReductionsAreQueued(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	on, ctx, in := kernels.OnStream(s), t.Context(), integers(5003)
	sums := make([]int32, len(methods))
	for i, m := range methods {
		require.NoError(t, reduction.Sum(ctx, on, m, sums[i:i+1], in))
	}
	counts, ends := make([]int, len(countMethods)), make([]int32, 2)
	for i, m := range countMethods {
		require.NoError(t, reduction.Count(ctx, on, m, 0, math.MaxInt32, counts[i:i+1], in))
	}
	err := errors.Join(reduction.Max(ctx, on, ends[:1], in), reduction.Min(ctx, on, ends[1:], in), s.Synchronize(ctx))
	require.NoError(t, err)
	assert.Equal(t, slices.Max(in), ends[0], ends)
	assert.Equal(t, slices.Min(in), ends[1], ends)
	for i, m := range methods {
		assert.Equal(t, serial.Sum(in), sums[i], m)
	}
	for i, m := range countMethods {
		assert.Equal(t, serial.Count(0, math.MaxInt32, in), counts[i], m)
	}
}

func TestReductionsRefuseBadArguments(t *testing.T) {
	ctx, dev, in := t.Context(), gocuda.Default(), make([]int32, 7)
	for i, err := range []error{
		reduction.Sum(ctx, dev, reduction.TwoPass, nil, in),
		reduction.Sum(ctx, dev, reduction.TwoPass, make([]int32, 2), in),
		reduction.Sum(ctx, dev, -1, make([]int32, 1), in),
		reduction.Sum(ctx, dev, 8, make([]int32, 1), in),
		reduction.Count(ctx, dev, reduction.Counters, 0, 1, nil, in),
		reduction.Count(ctx, dev, reduction.Counters, 0, 1, make([]int, 2), in),
		reduction.Count(ctx, dev, -1, 0, 1, make([]int, 1), in),
		reduction.Count(ctx, dev, 3, 0, 1, make([]int, 1), in),
		reduction.Max(ctx, dev, nil, in),
		reduction.Min(ctx, dev, make([]int32, 2), in),
		reduction.Max(ctx, dev, make([]int32, 1), nil),
		reduction.Min(ctx, dev, make([]int32, 1), in[:0]),
		reduction.Reduce(ctx, dev, moments{}, nil, make([]moments, 3)),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%d", i)
	}
}

// Beyond 2^20 elements the blocks of the compiled kernel have more each, and beyond 2^22 there are
// more blocks.
func TestLargeSum(t *testing.T) {
	if kerneltest.AsWritten {
		t.Skip("there the compiled kernel runs its source")
	}
	in := make([]uint32, 1<<24+70001)
	sums := make([]uint32, len(in)+1) // of the elements before
	for i := range in {
		in[i] = uint32(i) * 2654435761
		sums[i+1] = sums[i] + in[i]
	}
	for _, n := range []int{1 << 20, 1<<20 + 1, 1<<21 - 1, 1 << 21, 3<<20 + 5, 1 << 22, 1<<22 + 1, 1 << 24, len(in)} {
		assert.Equal(t, sums[n], sum(t, gocuda.Default(), reduction.TwoPass, in[:n]), "n=%d", n)
	}
}
