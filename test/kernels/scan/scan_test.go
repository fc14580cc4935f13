package scan_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/scan"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var methods = []scan.Method{scan.ScanThenFan, scan.ReduceThenScan, scan.TwoPass, scan.Warps, scan.Runs, scan.Sklansky, scan.BrentKung, scan.Blelloch}

// sizes are around a warp's row, a block's tile, a run, a block's runs and a tile of tiles. Slow
// devices get the first few.
var sizes = []int{257, 0, 1, 33, 2, 31, 255, 256, 511, 1021, 16385, 65537}

// each calls f for all devices, methods and sizes, inclusive and not.
func each(t *testing.T, few int, f func(t *testing.T, on kernels.Launcher, m scan.Method, n int, inclusive bool)) {
	for _, d := range kerneltest.Devices(t) {
		for _, m := range methods {
			t.Run(fmt.Sprintf("%s/%v", d.Name, m), func(t *testing.T) {
				for _, n := range d.Sizes(sizes, few) {
					f(t, d, m, n, true)
					f(t, d, m, n, false)
				}
			})
		}
	}
}

// run scans into another slice and in place, and fails the test unless the results are equal.
func run[T comparable, O kernels.Operator[T]](t *testing.T, on kernels.Launcher, m scan.Method, op O, inclusive bool, in []T) []T {
	t.Helper()
	f := scan.Exclusive[T, O]
	if inclusive {
		f = scan.Inclusive[T, O]
	}
	out, same := make([]T, len(in)), slices.Clone(in)
	require.NoError(t, errors.Join(f(t.Context(), on, m, op, out, in), f(t.Context(), on, m, op, same, same)))
	slicetest.Equal(t, same, out, "n=%d, inclusive %v: in place", len(in), inclusive)
	return out
}

// expect compares a result with the serial one.
func expect[T comparable, O kernels.Operator[T]](t *testing.T, op O, inclusive bool, out, in []T) {
	t.Helper()
	want := make([]T, len(in))
	if inclusive {
		serial.InclusiveScan(op, want, in)
	} else {
		serial.ExclusiveScan(op, want, in)
	}
	slicetest.Equal(t, want, out, "n=%d, inclusive %v", len(in), inclusive)
}

func integers[T int8 | int32 | int64 | uint32](n int) []T {
	r := rand.New(rand.NewPCG(11, uint64(n)))
	v := make([]T, n)
	for i := range v {
		v[i] = T(r.Uint64())
	}
	return v
}

func TestSumsOfOnesCount(t *testing.T) {
	each(t, 4, func(t *testing.T, on kernels.Launcher, m scan.Method, n int, inclusive bool) {
		in := make([]int32, n)
		for i := range in {
			in[i] = 1
		}
		slicetest.Each(t, func(i int) int32 {
			if inclusive {
				i++
			}
			return int32(i)
		}, run(t, on, m, scan.Sum[int32]{}, inclusive, in), "n=%d, inclusive %v", n, inclusive)
	})
}

func TestIntegersAreExact(t *testing.T) {
	each(t, 1, func(t *testing.T, on kernels.Launcher, m scan.Method, n int, inclusive bool) {
		in := integers[int32](n)
		expect(t, scan.Sum[int32]{}, inclusive, run(t, on, m, scan.Sum[int32]{}, inclusive, in), in)
		odd := integers[uint32](n)
		for i := range odd {
			odd[i] |= 1 // so that products don't become 0
		}
		expect(t, scan.Product[uint32]{}, inclusive, run(t, on, m, scan.Product[uint32]{}, inclusive, odd), odd)
	})
}

// The largest of numbers that grow slowly on the whole is a new one now and then, in every part of
// the array.
func TestLargestAndSmallest(t *testing.T) {
	each(t, 1, func(t *testing.T, on kernels.Launcher, m scan.Method, n int, inclusive bool) {
		up, down := kerneltest.Uniform[float32](n), kerneltest.Uniform[float32](n)
		for i := range up {
			up[i] += float32(i) / 100
			down[i] -= float32(i) / 100
		}
		expect(t, scan.Max[float32]{}, inclusive, run(t, on, m, scan.Max[float32]{}, inclusive, up), up)
		expect(t, scan.Min[float32]{}, inclusive, run(t, on, m, scan.Min[float32]{}, inclusive, down), down)
		small := integers[int8](n)
		expect(t, scan.Max[int8]{}, inclusive, run(t, on, m, scan.Max[int8]{}, inclusive, small), small)
	})
}

func TestFloatsAgainstGonum(t *testing.T) {
	each(t, 1, func(t *testing.T, on kernels.Launcher, m scan.Method, n int, inclusive bool) {
		if n == 0 || !inclusive {
			return
		}
		in := kerneltest.Uniform[float64](n)
		want := floats.CumSum(make([]float64, n), in)
		// In either order each element is the result of at most i additions of values below i+1,
		// each rounded by at most 2^-53 of its result.
		bound := func(i int) float64 { return 2 * float64(i) * float64(i+1) * 0x1p-53 }
		slicetest.Within(t, want, run(t, on, m, scan.Sum[float64]{}, true, in), bound, "sums, n=%d", n)
		for i := range in {
			in[i] = 1 + in[i]/float64(n) // products stay between 1/e^2 and e
		}
		want = floats.CumProd(make([]float64, n), in)
		// i products, each with a relative error of at most 2^-53, in either order; 1.01 for terms
		// of second order.
		bound = func(i int) float64 { return 2 * 1.01 * float64(i) * 0x1p-53 * want[i] }
		slicetest.Within(t, want, run(t, on, m, scan.Product[float64]{}, true, in), bound, "products, n=%d", n)
	})
}

// A matrix of two rows: a, b and c, d. Products of matrices are not commutative.
type matrix struct{ a, b, c, d uint32 }

type multiply struct{}

func (multiply) Identity() matrix { return matrix{1, 0, 0, 1} }
func (multiply) Combine(x, y matrix) matrix {
	return matrix{x.a*y.a + x.b*y.c, x.a*y.b + x.b*y.d, x.c*y.a + x.d*y.c, x.c*y.b + x.d*y.d}
}

// The powers of the matrix 1, 1, 1, 0 have Fibonacci's numbers as elements.
func TestMatrixPowersAreFibonacci(t *testing.T) {
	each(t, 1, func(t *testing.T, on kernels.Launcher, m scan.Method, n int, inclusive bool) {
		in := make([]matrix, n)
		for i := range in {
			in[i] = matrix{1, 1, 1, 0}
		}
		before, fib := uint32(1), uint32(0) // F(-1) and F(0)
		if inclusive {
			before, fib = fib, before
		}
		slicetest.Each(t, func(int) matrix {
			power := matrix{before + fib, fib, fib, before}
			before, fib = fib, before+fib
			return power
		}, run(t, on, m, multiply{}, inclusive, in), "n=%d, inclusive %v", n, inclusive)
	})
}

func TestOrderOfMatricesIsKept(t *testing.T) {
	each(t, 1, func(t *testing.T, on kernels.Launcher, m scan.Method, n int, inclusive bool) {
		in, v := make([]matrix, n), integers[uint32](4*n)
		for i := range in {
			in[i] = matrix{v[4*i], v[4*i+1], v[4*i+2], v[4*i+3]}
		}
		expect(t, multiply{}, inclusive, run(t, on, m, multiply{}, inclusive, in), in)
	})
}

// A span is the elements from first up to last, or none. Spans that don't touch combine to one that
// is wrong.
type span struct{ first, last int32 }

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

// Whatever is combined is neighbours, in their order.
func TestOnlyNeighboursAreCombined(t *testing.T) {
	each(t, 4, func(t *testing.T, on kernels.Launcher, m scan.Method, n int, inclusive bool) {
		in := make([]span, n)
		for i := range in {
			in[i] = span{int32(i), int32(i + 1)}
		}
		slicetest.Each(t, func(i int) span {
			switch {
			case inclusive:
				return span{0, int32(i + 1)}
			case i == 0:
				return join{}.Identity()
			}
			return span{0, int32(i)}
		}, run(t, on, m, join{}, inclusive, in), "n=%d, inclusive %v", n, inclusive)
	})
}

func TestSegmentsAreScannedByThemselves(t *testing.T) {
	op := scan.Segmented[int64, scan.Sum[int64]]{}
	each(t, 1, func(t *testing.T, on kernels.Launcher, m scan.Method, n int, inclusive bool) {
		if !inclusive {
			return
		}
		in := make([]scan.Flagged[int64], n)
		for i, v := range integers[int64](n) {
			in[i] = scan.Flagged[int64]{Value: v, Head: i%300 > 270 || i == n/2} // short segments and long ones
		}
		var sum int64
		sums := make([]int64, n)
		for i, v := range in {
			if v.Head {
				sum = 0
			}
			sum += v.Value
			sums[i] = sum
		}
		equal := func(want int64, got scan.Flagged[int64]) bool { return got.Value == want }
		slicetest.EqualFunc(t, sums, run(t, on, m, op, true, in), equal, "n=%d", n)
	})
}

// A wide value leaves room for few threads in 16 KiB of shared memory.
type wide [96]int64

type widest struct{}

func (widest) Identity() wide { return wide{0: math.MinInt64} }
func (widest) Combine(a, b wide) wide {
	if b[0] > a[0] {
		return b
	}
	return a
}

func TestLargeElements(t *testing.T) {
	on := g80(t)
	for _, m := range methods {
		if m == scan.Warps {
			continue // it needs no shared memory, and shuffles
		}
		in := make([]wide, 100)
		for i := range in {
			in[i][0], in[i][95] = int64(i*37%101), int64(i)
		}
		expect(t, widest{}, true, run(t, on, m, widest{}, true, in), in)
		expect(t, widest{}, false, run(t, on, m, widest{}, false, in), in)
	}
}

func TestWarpsNeedShuffles(t *testing.T) {
	v := make([]int32, 100)
	assert.ErrorIs(t, scan.Inclusive(t.Context(), g80(t), scan.Warps, scan.Sum[int32]{}, v, v), gocuda.ErrNotSupported)
}

// g80 returns a device with the limits of the first generation.
func g80(t *testing.T) *gocuda.Device {
	t.Helper()
	d, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.G80))
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// With 65535 blocks of 256 threads at most, blocks need several tiles.
func TestMoreTilesThanBlocks(t *testing.T) {
	if testing.Short() || kerneltest.Devices(t)[0].Slow {
		t.Skip("large")
	}
	n := 65535*256 + 12345
	in, out := make([]int8, n), make([]int8, n)
	for i := range in {
		in[i] = int8(i)
	}
	for _, m := range []scan.Method{scan.ScanThenFan, scan.ReduceThenScan} {
		require.NoError(t, scan.Inclusive(t.Context(), g80(t), m, scan.Sum[int8]{}, out, in))
		var sum int8
		slicetest.Each(t, func(i int) int8 { sum += in[i]; return sum }, out, m)
	}
}

func TestIdentities(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{float64(scan.Max[int8]{}.Identity()), math.MinInt8}, {float64(scan.Min[int8]{}.Identity()), math.MaxInt8},
		{float64(scan.Max[uint8]{}.Identity()), 0}, {float64(scan.Min[uint8]{}.Identity()), math.MaxUint8},
		{float64(scan.Max[int32]{}.Identity()), math.MinInt32}, {float64(scan.Min[int32]{}.Identity()), math.MaxInt32},
		{float64(scan.Max[int64]{}.Identity()), math.MinInt64}, {float64(scan.Min[uint64]{}.Identity()), math.MaxUint64},
		{float64(scan.Max[float32]{}.Identity()), math.Inf(-1)}, {float64(scan.Min[float32]{}.Identity()), math.Inf(1)},
		{float64(scan.Max[float64]{}.Identity()), math.Inf(-1)}, {scan.Min[float64]{}.Identity(), math.Inf(1)},
	} {
		assert.Equal(t, c.want, c.got)
	}
	assert.Equal(t, int64(math.MaxInt64), (scan.Min[int64]{}).Identity(), "int64")
}

func TestScansAreQueued(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	for _, m := range methods {
		in, out := integers[int32](1021), make([]int32, 1021)
		require.NoError(t, scan.Inclusive(t.Context(), kernels.OnStream(s), m, scan.Sum[int32]{}, out, in))
		require.NoError(t, s.Synchronize(t.Context()))
		expect(t, scan.Sum[int32]{}, true, out, in)
	}
}

func TestScanRefusesBadArguments(t *testing.T) {
	v := make([]int32, 7)
	for _, err := range []error{
		scan.Inclusive(t.Context(), gocuda.Default(), scan.Runs, scan.Sum[int32]{}, v[:6], v),
		scan.Exclusive(t.Context(), gocuda.Default(), scan.TwoPass, scan.Sum[int32]{}, v, v[:6]),
		scan.Inclusive(t.Context(), gocuda.Default(), -1, scan.Sum[int32]{}, v, v),
		scan.Inclusive(t.Context(), gocuda.Default(), scan.Blelloch+1, scan.Sum[int32]{}, v, v),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
	}
}

// Long arrays are scanned by runs in segments, of which the last one is of any length.
func TestScanOfLongArrays(t *testing.T) {
	if testing.Short() || kerneltest.AsWritten {
		t.Skip("long")
	}
	dev, err := gocuda.NewDevice(gocuda.WithWorkers(2))
	require.NoError(t, err)
	defer dev.Close()
	for _, n := range []int{600_001, 1<<20 - 3, 1 << 20, 3<<20 + 77, 4 << 20, 4<<20 + 1, 5 << 20, 5<<20 + 16384, 6<<20 - 7} {
		in := make([]int32, n)
		for i := range in {
			in[i] = int32(i*i%1009) - 400
		}
		out, want := make([]int32, n), make([]int32, n)
		for _, method := range []scan.Method{scan.Warps, scan.Runs} {
			for _, inclusive := range []bool{true, false} {
				if inclusive {
					serial.InclusiveScan(scan.Sum[int32]{}, want, in)
				} else {
					serial.ExclusiveScan(scan.Sum[int32]{}, want, in)
				}
				f := scan.Exclusive[int32, scan.Sum[int32]]
				if inclusive {
					f = scan.Inclusive[int32, scan.Sum[int32]]
				}
				require.NoError(t, f(t.Context(), dev, method, scan.Sum[int32]{}, out, in))
				slicetest.Equal(t, want, out, "%v, inclusive %v, n=%d", method, inclusive, n)
			}
		}
	}
}
