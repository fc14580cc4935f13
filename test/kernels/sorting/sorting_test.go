package sorting_test

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/sorting"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// lengths are around those of blocks, tiles and runs. A run of the radix sort has 16384 keys, a
// block 8 of them.
var lengths = []int{0, 1, 7, 2, 257, 2047, 2048, 2049, 5003, 16385, 140001}

// few of them are for devices that run each thread as a goroutine.
const few = 5

// bits tells apart what == does not: the zeros, and NaN.
func bits[K sorting.Key](v K) uint64 {
	if K(1)/2 != 0 {
		return math.Float64bits(float64(v))
	}
	return uint64(v)
}

// total compares by IEEE 754's total order, as far as there is one NaN of each sign.
func total[F kernels.Float](a, b F) int {
	class := func(v F) int {
		switch {
		case v == v:
			return 0
		case math.Signbit(float64(v)):
			return -1
		}
		return 1
	}
	if c := cmp.Compare(class(a), class(b)); c != 0 || a != a {
		return c
	}
	if a < b || a > b {
		return cmp.Compare(a, b)
	}
	sign := func(v F) int {
		if math.Signbit(float64(v)) {
			return 0
		}
		return 1
	}
	return sign(a) - sign(b)
}

// special are floats that a mapping of bits may get wrong.
var special = []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(math.NaN(), -1),
	0x1p-140, -0x1p-140, 0x1p-126, -0x1p-126, 0x1.fp127, -0x1.fp127}

func someFloat(r *rand.Rand) float64 {
	if r.IntN(8) == 0 {
		return special[r.IntN(len(special))]
	}
	return r.NormFloat64()
}

type celsius float32

// All sorts of keys are held to the standard library's stable sort with a comparison that knows
// nothing of bits.
func TestSortsOfAllKeys(t *testing.T) {
	t.Run("uint32", func(t *testing.T) { testSorts(t, few, (*rand.Rand).Uint32, cmp.Compare[uint32]) })
	t.Run("few", func(t *testing.T) {
		testSorts(t, 3, func(r *rand.Rand) uint32 { return r.Uint32N(5) << 30 }, cmp.Compare[uint32])
	})
	t.Run("the same", func(t *testing.T) {
		testSorts(t, 3, func(*rand.Rand) uint32 { return math.MaxUint32 }, cmp.Compare[uint32])
	})
	t.Run("int32", func(t *testing.T) {
		testSorts(t, 3, func(r *rand.Rand) int32 { return int32(r.Uint32()) >> r.UintN(32) }, cmp.Compare[int32])
	})
	t.Run("int", func(t *testing.T) {
		testSorts(t, 3, func(r *rand.Rand) int { return r.IntN(2000) - 1000 }, cmp.Compare[int])
	})
	t.Run("uint64", func(t *testing.T) { testSorts(t, 3, (*rand.Rand).Uint64, cmp.Compare[uint64]) })
	t.Run("int64", func(t *testing.T) {
		testSorts(t, 3, func(r *rand.Rand) int64 { return int64(r.Uint64()) >> r.UintN(64) }, cmp.Compare[int64])
	})
	t.Run("float32", func(t *testing.T) {
		testSorts(t, few, func(r *rand.Rand) float32 { return float32(someFloat(r)) }, total[float32])
	})
	t.Run("celsius", func(t *testing.T) {
		testSorts(t, 3, func(r *rand.Rand) celsius { return celsius(someFloat(r)) }, total[celsius])
	})
	t.Run("float64", func(t *testing.T) { testSorts(t, 3, someFloat, total[float64]) })
}

// testSorts takes only the first lengths on slow devices, as many as slow says; where these are not
// the few, on one of these devices.
func testSorts[K sorting.Key](t *testing.T, slow int, draw func(*rand.Rand) K, compare func(a, b K) int) {
	for _, dev := range kerneltest.Devices(t) {
		if dev.Slow && slow < few && dev.Name != "coroutines" {
			continue // what differs from type to type is not how threads meet
		}
		for _, n := range dev.Sizes(lengths, slow) {
			if n > 20000 && dev.Name != "default" {
				continue
			}
			r := rand.New(rand.NewPCG(17, uint64(n)))
			keys := make([]K, n)
			for i := range keys {
				keys[i] = draw(r)
			}
			for _, order := range []sorting.Order{sorting.Ascending, sorting.Descending} {
				// want is the places of the keys in order.
				want := make([]uint32, n)
				for i := range want {
					want[i] = uint32(i)
				}
				slices.SortStableFunc(want, func(a, b uint32) int {
					if order == sorting.Descending {
						a, b = b, a
					}
					return compare(keys[a], keys[b])
				})
				ctx := t.Context()
				alone, bitonic, pairs, argued := slices.Clone(keys), slices.Clone(keys), slices.Clone(keys), slices.Clone(keys)
				values, index := make([]int64, n), make([]uint32, n)
				for i := range values {
					values[i] = int64(i) << 20
				}
				for what, err := range map[string]error{
					"Radix":      sorting.Radix(ctx, dev, order, alone),
					"RadixPairs": sorting.RadixPairs(ctx, dev, order, pairs, values),
					"Argsort":    sorting.Argsort(ctx, dev, order, index, argued),
					"Bitonic":    sorting.Bitonic(ctx, dev, order, bitonic),
				} {
					require.NoError(t, err, what)
				}
				plain, network, serialValues, serialIndex := slices.Clone(keys), slices.Clone(keys), slices.Clone(values), make([]uint32, n)
				serial.RadixSort(order, plain)
				serial.Argsort(order, serialIndex, keys)
				if n < 300 || n == 2049 {
					serial.BitonicSort(order, network)
				} else {
					network = plain
				}
				serialPairs := slices.Clone(keys)
				for i := range serialValues {
					serialValues[i] = int64(i) << 20
				}
				serial.RadixSortPairs(order, serialPairs, serialValues)
				for what, got := range map[string][]K{"Radix": alone, "RadixPairs": pairs, "Bitonic": bitonic,
					"serial.RadixSort": plain, "serial.RadixSortPairs": serialPairs, "serial.BitonicSort": network} {
					sameKey := func(w uint32, got K) bool { return bits(got) == bits(keys[w]) }
					slicetest.EqualFunc(t, want, got, sameKey, "%s, n=%d, %v: places of the keys of %s", dev.Name, n, order, what)
				}
				value := func(i int) int64 { return int64(want[i]) << 20 }
				slicetest.Each(t, value, values, "%s, n=%d, %v: values", dev.Name, n, order)
				slicetest.Each(t, value, serialValues, "serial, n=%d, %v: values", n, order)
				slicetest.Equal(t, want, index, "%s, n=%d, %v: indices", dev.Name, n, order)
				slicetest.Equal(t, want, serialIndex, "serial, n=%d, %v: indices", n, order)
				slicetest.EqualFunc(t, keys, argued, func(want, got K) bool { return bits(want) == bits(got) }, "Argsort changed a key")
			}
		}
	}
}

// Keys and values may be of different sizes.
func TestRadixPairsOfAllSizes(t *testing.T) {
	const n = 20000
	r := rand.New(rand.NewPCG(2, n))
	k4, k8 := make([]float32, n), make([]float64, n)
	v4, v8 := make([]uint32, n), make([]float64, n)
	w4, w8 := make([]uint32, n), make([]float64, n)
	for i := range n {
		k4[i] = r.Float32()
		k8[i] = float64(k4[i])
		v4[i], v8[i], w4[i], w8[i] = uint32(i), float64(i), uint32(i), float64(i)
	}
	k4b, k8b := slices.Clone(k4), slices.Clone(k8)
	dev := gocuda.Default()
	require.NoError(t, errors.Join(
		sorting.RadixPairs(t.Context(), dev, sorting.Ascending, k4, v4),
		sorting.RadixPairs(t.Context(), dev, sorting.Ascending, k4b, v8),
		sorting.RadixPairs(t.Context(), dev, sorting.Ascending, k8, w4),
		sorting.RadixPairs(t.Context(), dev, sorting.Ascending, k8b, w8),
	))
	assert.True(t, slices.IsSorted(k4))
	slicetest.Equal(t, k4, k4b, "keys")
	slicetest.Equal(t, k8, k8b, "keys")
	slicetest.InDelta(t, k8, k4, 0, "keys")
	slicetest.Equal(t, v4, w4, "values")
	slicetest.Each(t, func(i int) float64 { return float64(v4[i]) }, v8, "values")
	slicetest.Equal(t, v8, w8, "values")
}

func TestSortBlockAgainstSlices(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{0, 1, 2, 31, 33, 7, 64, 100, 255, 256, 257, 511, 512}, few) {
			r := rand.New(rand.NewPCG(5, uint64(n)))
			values := make([]uint32, n)
			for i := range values {
				values[i] = r.Uint32() >> r.UintN(32)
			}
			plain, want := slices.Clone(values), slices.Sorted(slices.Values(values))
			require.NoError(t, sorting.SortBlock(t.Context(), dev, values))
			serial.SortBlock(plain)
			slicetest.Equal(t, want, values, "%s, n=%d", dev.Name, n)
			slicetest.Equal(t, want, plain, "serial, n=%d", n)
		}
	}
}

func TestSplitSortIsStable(t *testing.T) {
	type pair struct{ key, value uint32 }
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{0, 1, 2, 300, 7, 255, 256, 257, 65537}, 4) {
			r := rand.New(rand.NewPCG(6, uint64(n)))
			keys, values, want := make([]uint32, n), make([]uint32, n), make([]pair, n)
			for i := range n {
				keys[i], values[i] = r.Uint32()<<r.UintN(32), uint32(i)
				want[i] = pair{keys[i], values[i]}
			}
			slices.SortStableFunc(want, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
			keys2, values2 := slices.Clone(keys), slices.Clone(values)
			require.NoError(t, sorting.SplitSort(t.Context(), dev, keys, values))
			serial.SplitSort(keys2, values2)
			slicetest.EqualFunc(t, want, keys, func(want pair, got uint32) bool { return want.key == got }, "%s, n=%d: keys", dev.Name, n)
			slicetest.EqualFunc(t, want, values, func(want pair, got uint32) bool { return want.value == got }, "%s, n=%d: values", dev.Name, n)
			slicetest.Equal(t, keys, keys2, "serial, n=%d: keys", n)
			slicetest.Equal(t, values, values2, "serial, n=%d: values", n)
		}
	}
}

// A network that sorts all arrays of zeros and ones sorts everything (Knuth, The Art of Computer
// Programming, volume 3, 5.3.4, theorem Z).
func TestBitonicSortsZerosAndOnes(t *testing.T) {
	for n := range 13 {
		for ones := range 1 << n {
			keys := make([]uint32, n)
			for i := range keys {
				keys[i] = uint32(ones >> i & 1)
			}
			serial.BitonicSort(sorting.Ascending, keys)
			require.True(t, slices.IsSorted(keys), "n=%d, %b: %v", n, ones, keys)
		}
	}
}

func TestBitonicBlockAgainstSlices(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes([]int{0, 1, 2, 33, 600, 3, 255, 256, 257, 511, 1000, 2047, 2048}, few) {
			r := rand.New(rand.NewPCG(7, uint64(n)))
			keys := make([]uint32, n)
			for i := range keys {
				keys[i] = r.Uint32() >> r.UintN(32)
			}
			want := slices.Sorted(slices.Values(keys))
			require.NoError(t, sorting.BitonicBlock(t.Context(), dev, keys))
			slicetest.Equal(t, want, keys, "%s, n=%d", dev.Name, n)
		}
	}
}

// More tiles than the grid has blocks.
func TestBitonicOfMany(t *testing.T) {
	if testing.Short() || kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	const n = 2048*1024 + 3000
	r := rand.New(rand.NewPCG(8, n))
	keys := make([]float32, n)
	for i := range keys {
		keys[i] = float32(r.NormFloat64())
	}
	want := slices.Clone(keys)
	slices.Sort(want)
	require.NoError(t, sorting.Bitonic(t.Context(), gocuda.Default(), sorting.Ascending, keys))
	slicetest.Equal(t, want, keys, "not sorted")
}

// Sorts that are queued at the same time, on two streams, must not share memory.
func TestSortsOnStreams(t *testing.T) {
	const n = 5000
	var all [2][]uint32
	var streams [2]*gocuda.Stream
	for i := range all {
		streams[i] = gocuda.Default().NewStream()
		defer streams[i].Close()
		all[i] = make([]uint32, n)
		for j := range all[i] {
			all[i][j] = uint32(n - j + i)
		}
	}
	values, index := make([]uint32, n), make([]uint32, n)
	on0, on1 := kernels.OnStream(streams[0]), kernels.OnStream(streams[1])
	require.NoError(t, errors.Join(
		sorting.RadixPairs(t.Context(), on0, sorting.Ascending, all[0], values),
		sorting.Argsort(t.Context(), on1, sorting.Ascending, index, all[1]),
		sorting.Radix(t.Context(), on1, sorting.Descending, all[1]),
		sorting.SplitSort(t.Context(), on0, all[0], values),
		sorting.Bitonic(t.Context(), on1, sorting.Ascending, all[1]),
		streams[0].Synchronize(t.Context()),
		streams[1].Synchronize(t.Context()),
	))
	slicetest.Each(t, func(i int) uint32 { return uint32(i + 1) }, all[0])
	slicetest.Each(t, func(i int) uint32 { return uint32(i + 2) }, all[1])
	slicetest.Each(t, func(i int) uint32 { return uint32(n - 1 - i) }, index, "indices")
}

func TestBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	three, four := make([]uint32, 3), make([]uint32, 4)
	for name, err := range map[string]error{
		"pairs":           sorting.RadixPairs(ctx, dev, sorting.Ascending, three, four),
		"argsort":         sorting.Argsort(ctx, dev, sorting.Ascending, three, four),
		"split":           sorting.SplitSort(ctx, dev, three, four),
		"order":           sorting.Radix(ctx, dev, 2, three),
		"order, pairs":    sorting.RadixPairs(ctx, dev, -1, three, three),
		"order, argsort":  sorting.Argsort(ctx, dev, 2, three, three),
		"order, bitonic":  sorting.Bitonic(ctx, dev, 2, three),
		"block":           sorting.SortBlock(ctx, dev, make([]uint32, sorting.MaxBlock+1)),
		"block, bitonic":  sorting.BitonicBlock(ctx, dev, make([]uint32, sorting.MaxBitonicBlock+1)),
		"order, no keys":  sorting.Radix(ctx, dev, 2, three[:0]),
		"length, no keys": sorting.SplitSort(ctx, dev, nil, four),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
	assert.Equal(t, "Order(2)", sorting.Order(2).String())
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
			require.NoError(t, sorting.RadixPairs(t.Context(), kernels.OnStream(s), sorting.Ascending, keys[i], values[i]))
		}
		for i, s := range queues {
			require.NoError(t, s.Synchronize(t.Context()))
			slicetest.Each(t, func(j int) uint32 { return values[i][j]*2654435761 + uint32(i) }, keys[i], "round %d, stream %d", round, i)
			assert.True(t, slices.IsSorted(keys[i]), "round %d, stream %d", round, i)
		}
	}
}

// Memory of a sort goes to the next sort of another stream when the first one has ended, without
// the host waiting for it. The sanitizer runs this test too.
func TestRadixSortAfterAnotherStream(t *testing.T) {
	const n = 3000
	for range 2 {
		s := gocuda.Default().NewStream()
		defer s.Close()
		keys, values := make([]uint32, n), make([]uint32, n)
		for j := range n {
			keys[j] = uint32(n - j)
		}
		var done atomic.Bool
		require.NoError(t, errors.Join(
			sorting.RadixPairs(t.Context(), kernels.OnStream(s), sorting.Ascending, keys, values),
			s.LaunchFunc(grid.Linear(1, 1), func(*gocuda.Thread) { done.Store(true) }),
		))
		for !done.Load() {
			time.Sleep(time.Millisecond)
		}
		defer func() {
			require.NoError(t, s.Synchronize(t.Context()))
			slicetest.Each(t, func(i int) uint32 { return uint32(i + 1) }, keys)
		}()
	}
}

// A sort in a graph keeps its memory, since it may run again while others sort.
func TestRadixSortInGraphs(t *testing.T) {
	const n = 20000
	type sort struct {
		s            *gocuda.Stream
		exec         *gocuda.GraphExec
		keys, values []uint32
	}
	var sorts [2]sort
	for i := range sorts {
		q := &sorts[i]
		*q = sort{s: gocuda.Default().NewStream(), keys: make([]uint32, n), values: make([]uint32, n)}
		defer q.s.Close()
		require.NoError(t, q.s.BeginCapture(gocuda.CaptureModeGlobal))
		require.NoError(t, sorting.RadixPairs(t.Context(), kernels.OnStream(q.s), sorting.Ascending, q.keys, q.values))
		g, err := q.s.EndCapture()
		require.NoError(t, err)
		q.exec, err = g.Instantiate()
		require.NoError(t, err)
		require.NoError(t, errors.Join(q.exec.Launch(q.s), q.s.Synchronize(t.Context())))
	}
	for range 3 {
		for i, q := range sorts {
			for j := range n {
				q.keys[j], q.values[j] = uint32(j)*2654435761+uint32(i), uint32(j)
			}
		}
		require.NoError(t, errors.Join(sorts[0].exec.Launch(sorts[0].s), sorts[1].exec.Launch(sorts[1].s),
			sorts[0].s.Synchronize(t.Context()), sorts[1].s.Synchronize(t.Context())))
		for i, q := range sorts {
			assert.True(t, slices.IsSorted(q.keys))
			slicetest.Each(t, func(j int) uint32 { return q.values[j]*2654435761 + uint32(i) }, q.keys)
		}
	}
}
