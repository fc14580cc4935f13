package stats_test

import (
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
	"github.com/gocuda/gocuda/kernels/stats"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

func TestKMeansIsTheSameEverywhere(t *testing.T) {
	shapes := []struct{ n, dims, k, rounds int }{
		{0, 3, 2, 5}, {1, 1, 1, 3}, {257, 2, 3, 2}, {5, 2, 9, 4}, {255, 3, 8, 0}, {1023, 1, 5, 100}, {1024, 7, 4, 3}, {1025, 16, 17, 3},
		{5003, 3, 6, 100}, {70001, 2, 10, 3}, {2000, 2, 1500, 2},
	}
	for _, dev := range kerneltest.Devices(t) {
		if dev.Slow {
			shapes = shapes[:4]
		}
		for _, s := range shapes {
			points := kerneltest.Uniform[float32](s.n * s.dims)
			centres := kerneltest.Uniform[float32](s.k*s.dims + 1)[:s.k*s.dims]
			labels, wantLabels := make([]int32, s.n), make([]int32, s.n)
			want := slices.Clone(centres)
			c, err := stats.KMeans(t.Context(), dev, s.dims, s.rounds, points, centres, labels)
			wantC := serial.KMeans(s.dims, s.rounds, points, want, wantLabels)
			require.NoError(t, err, "%s, %v", dev.Name, s)
			require.Equal(t, wantC, c, "%s, %v", dev.Name, s)
			slicetest.Equal(t, want, centres, "%s, %v: centres", dev.Name, s)
			slicetest.Equal(t, wantLabels, labels, "%s, %v: labels", dev.Name, s)
			var start []float32
			if s.n > 0 {
				start, want = make([]float32, s.k*s.dims), make([]float32, s.k*s.dims)
			}
			require.NoError(t, stats.KMeansPlusPlus(t.Context(), dev, 7, s.dims, points, start))
			if s.n > 0 {
				serial.KMeansPlusPlus(7, s.dims, points, want)
				slicetest.Equal(t, want, start, "%s, %v: k-means++", dev.Name, s)
			}
		}
	}
}

// inertia is computed from scratch, in float64, and says whether each point has the nearest centre.
// Distances of KMeans err by dims+2 roundings, so another centre may be that much nearer.
func inertia(t *testing.T, dims int, points, centres []float32, labels []int32) (sum float64) {
	t.Helper()
	n, k := len(points)/dims, len(centres)/dims
	for i := range n {
		least, own := math.Inf(1), 0.0
		for j := range k {
			var square float64
			for d := range dims {
				diff := float64(points[d*n+i]) - float64(centres[j*dims+d])
				square += diff * diff
			}
			least = min(least, square)
			if j == int(labels[i]) {
				own = square
			}
		}
		if own > least*(1+float64(2*dims+4)*0x1p-23) {
			t.Fatalf("point %d: cluster %d is %v away, another %v", i, labels[i], own, least)
		}
		sum += own
	}
	return sum
}

// Neither step of a round can make the inertia larger, but for rounding: a centre is rounded to
// float32, which moves a coordinate c by |c| 2^-24 at most. About the mean the inertia is
// quadratic, so n dims 2^-48 is all it can add, and the roundings of distances change it by 2^-23
// (dims+2).
func TestKMeansInertiaNeverRises(t *testing.T) {
	const n, dims, k = 700, 3, 6
	points := kerneltest.Uniform[float32](n * dims)
	start := kerneltest.Uniform[float32](k*dims + 1)[:k*dims]
	before := math.Inf(1)
	stable, slow := false, kerneltest.Devices(t)[0].Slow
	for rounds := 0; !stable; rounds++ {
		require.Less(t, rounds, 200, "not stable yet")
		centres, labels := slices.Clone(start), make([]int32, n)
		c, err := stats.KMeans(t.Context(), gocuda.Default(), dims, rounds, points, centres, labels)
		require.NoError(t, err)
		exact := inertia(t, dims, points, centres, labels)
		require.InDelta(t, exact, c.Inertia, exact*(dims+2)*0x1p-23, "round %d: inertia", rounds)
		require.LessOrEqual(t, exact, before*(1+(dims+2)*0x1p-23)+n*dims*0x1p-48, "round %d: inertia rose", rounds)
		if !c.Stable {
			require.Equal(t, rounds, c.Rounds, "not stable, but it ended")
		}
		before, stable = exact, c.Stable || slow && rounds == 4
	}
}

// Blobs that are 100 standard deviations apart are found by k-means++ and Lloyd's algorithm, all
// points in the right one. A centre is then the mean of m points, each coordinate with the standard
// deviation 1/sqrt(m).
func TestKMeansFindsBlobs(t *testing.T) {
	const dims, k, m = 2, 5, 400
	const n = k * m
	r := rand.New(rand.NewPCG(1, 2))
	points, middles := make([]float32, n*dims), make([]float32, k*dims)
	for j := range k {
		for d := range dims {
			middles[j*dims+d] = float32(100 * (j*(d+1) + d))
		}
	}
	for i := range n {
		for d := range dims {
			points[d*n+i] = middles[i%k*dims+d] + float32(r.NormFloat64())
		}
	}
	seeds := uint64(5)
	if kerneltest.Devices(t)[0].Slow {
		seeds = 1
	}
	for seed := range seeds {
		centres, labels := make([]float32, k*dims), make([]int32, n)
		require.NoError(t, stats.KMeansPlusPlus(t.Context(), gocuda.Default(), seed, dims, points, centres))
		c, err := stats.KMeans(t.Context(), gocuda.Default(), dims, 100, points, centres, labels)
		require.NoError(t, err, c)
		require.True(t, c.Stable, c)
		// The sum of n*dims squares of normal numbers, of which k*dims are used up for the means.
		const free = (n - k) * dims
		assert.InDelta(t, free, c.Inertia, 5*math.Sqrt(2*free), "seed %d: inertia", seed)
		slicetest.Each(t, func(i int) int32 { return labels[i%k] }, labels, "seed %d: the clusters of blobs", seed)
		for j := range k {
			for d := range dims {
				got, want := centres[int(labels[j])*dims+d], middles[j*dims+d]
				assert.InDelta(t, want, got, 5/math.Sqrt(m), "seed %d: coordinate %d of blob %d", seed, d, j)
			}
		}
	}
}

func TestKMeansKeepsTheCentreOfNoPoints(t *testing.T) {
	points := []float32{0, 2, 4} // in one dimension
	centres, labels := []float32{1, 1000, 3}, make([]int32, 3)
	c, err := stats.KMeans(t.Context(), gocuda.Default(), 1, 10, points, centres, labels)
	// 2 is as far from 1 as from 3, and goes to the first; then the centres are 1 and 4, and that
	// is stable.
	assert.NoError(t, err)
	assert.Equal(t, (stats.Clusters{Rounds: 1, Stable: true, Inertia: 2}), c)
	slicetest.Equal(t, []float32{1, 1000, 4}, centres)
	slicetest.Equal(t, []int32{0, 0, 2}, labels)
}

// The chances of the first two centres, of points at 0, 1 and 3: the first has 1/3 each, the second
// goes by the squares.
func TestKMeansPlusPlusChances(t *testing.T) {
	const tries = 4000
	points := []float32{0, 1, 3}
	chances := map[[2]float32]float64{
		{0, 1}: 1. / 10, {0, 3}: 9. / 10,
		{1, 0}: 1. / 5, {1, 3}: 4. / 5,
		{3, 0}: 9. / 13, {3, 1}: 4. / 13,
	}
	counts := map[[2]float32]int{}
	for seed := range uint64(tries) {
		var c [2]float32
		serial.KMeansPlusPlus(seed, 1, points, c[:])
		counts[c]++
	}
	all := 0
	for c, p := range chances {
		p /= 3
		all += counts[c]
		assert.InDelta(t, tries*p, counts[c], 5*math.Sqrt(tries*p*(1-p)), "how often %v came", c)
	}
	assert.Equal(t, tries, all, "other centres %d times: %v", tries-all, counts)
}

func TestKMeansPlusPlusOfFewPoints(t *testing.T) {
	points := []float32{1, 1, 1, 2}
	centres := make([]float32, 4)
	require.NoError(t, stats.KMeansPlusPlus(t.Context(), gocuda.Default(), 3, 1, points, centres))
	assert.Equal(t, float32(1), slices.Min(centres))
	assert.Equal(t, float32(2), slices.Max(centres))
}

func TestKMeansBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	six, two, labels := make([]float32, 6), make([]float32, 2), make([]int32, 3)
	kmeans := func(on kernels.Launcher, dims, rounds int, points, centres []float32, labels []int32) error {
		_, err := stats.KMeans(ctx, on, dims, rounds, points, centres, labels)
		return err
	}
	for name, err := range map[string]error{
		"no dimensions":     kmeans(dev, 0, 1, six, two, labels),
		"minus":             kmeans(dev, -2, 1, six, two, labels),
		"points":            kmeans(dev, 2, 1, six[:5], two, labels),
		"centres":           kmeans(dev, 2, 1, six, two[:1], labels),
		"no centres":        kmeans(dev, 2, 1, six, nil, labels),
		"labels":            kmeans(dev, 2, 1, six, two, labels[:2]),
		"rounds":            kmeans(dev, 2, -1, six, two, labels),
		"plus, dimensions":  stats.KMeansPlusPlus(ctx, dev, 1, 0, six, two),
		"plus, points":      stats.KMeansPlusPlus(ctx, dev, 1, 2, six[:5], two),
		"plus, no points":   stats.KMeansPlusPlus(ctx, dev, 1, 2, nil, two),
		"plus, many":        stats.KMeansPlusPlus(ctx, dev, 1, math.MaxInt, six, two),
		"many dimensions":   kmeans(dev, math.MaxInt, 1, six, two, labels),
		"plus, no centres ": stats.KMeansPlusPlus(ctx, dev, 1, 2, six, nil),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
	s := dev.NewStream()
	defer s.Close()
	for _, err := range []error{
		kmeans(kernels.OnStream(s), 2, 1, six, two, labels),
		stats.KMeansPlusPlus(ctx, kernels.OnStream(s), 1, 2, six, two),
	} {
		assert.ErrorIs(t, err, gocuda.ErrNotSupported)
	}
}
