package stats

import (
	"context"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// k-means, by Lloyd's algorithm (Lloyd, Least Squares Quantization in PCM, 1957, published 1982; on
// GPUs Che and others, A Performance Study of General-Purpose Applications on Graphics Processors
// Using CUDA, 2008). n points are to be put into k clusters, so that the squares of their distances
// from the centres of their clusters have a small sum. In a round, each point goes to the nearest
// centre, and each centre to the mean of its points. Neither makes the sum larger, so at some time
// no point moves any more. It teaches that a program often has two sides: to find the nearest
// centre is one thread a point, n threads that need nothing from each other; to find the means is a
// sum for each cluster, where many threads want to add to the same few numbers.
//
// The texts add with atomics, or leave the means to the host. Sums of floats then depend on who
// comes first, and with the last bit of a mean a point half-way between two centres goes here or
// there. Here each thread adds up one coordinate of a chunk of neighbouring points, one after the
// other, into numbers of its own, and then the chunks are added in order. Chunks depend on n and k,
// not on the device. So the result is always the same, bit for bit.

const (
	nearestThreads = 256     // of a block
	sumThreads     = 8       // of a block: few, so that there are blocks for all processors
	mostBlocks     = 1 << 10 // of a grid
	sumChunks      = 64      // at most
	sumLeast       = 1 << 10 // points of a chunk but the last, at least
)

// nearest finds the nearest centre of each point, the first of them if there are several.
// Neighbouring threads read neighbouring points, and all read the same centre at the same time.
// What is read of a point serves four centres. The conversion keeps the square from being fused
// with the addition, which some machines would do and others not.
//
//gocuda:kernel
func nearest(t *gocuda.Thread, n, dims, k int, points, centres []float32, labels []int32, squares []float32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		var best float32
		var label int32
		for j := 0; j < k-3; j += 4 {
			first := j * dims
			var s0, s1, s2, s3 float32
			for d := range dims {
				v, c := points[d*n+i], first+d
				d0 := v - centres[c]
				s0 += float32(d0 * d0)
				d1 := v - centres[c+dims]
				s1 += float32(d1 * d1)
				d2 := v - centres[c+2*dims]
				s2 += float32(d2 * d2)
				d3 := v - centres[c+3*dims]
				s3 += float32(d3 * d3)
			}
			if j == 0 || s0 < best {
				best, label = s0, int32(j)
			}
			if s1 < best {
				best, label = s1, int32(j+1)
			}
			if s2 < best {
				best, label = s2, int32(j+2)
			}
			if s3 < best {
				best, label = s3, int32(j+3)
			}
		}
		for j := range k & 3 { // those that are left
			var s float32
			for d := range dims {
				diff := points[d*n+i] - centres[(k&^3+j)*dims+d]
				s += float32(diff * diff)
			}
			if k < 4 && j == 0 || s < best {
				best, label = s, int32(k&^3+j)
			}
		}
		labels[i], squares[i] = label, best
	}
}

// sumPoints adds up one coordinate of the points of each cluster in a chunk.
//
//gocuda:kernel
func sumPoints(t *gocuda.Thread, n, dims, k, chunk, chunks int, points []float32, labels []int32, sums []float64) {
	for me := t.GlobalX(); me < chunks*dims; me += t.GridDim.X * t.BlockDim.X {
		d := me % dims
		own := sums[me*k : (me+1)*k]
		for j := range own {
			own[j] = 0
		}
		var label int32
		for i := me / dims * chunk; i < min((me/dims+1)*chunk, n); i++ {
			label = labels[i]
			own[label] = own[label] + float64(points[d*n+i])
		}
	}
}

// countPoints counts the points of each cluster in a chunk, and those that were in another before,
// and adds up the squares of the distances.
//
//gocuda:kernel
func countPoints(t *gocuda.Thread, n, k, chunk, chunks int, labels, before []int32, squares []float32,
	counts, moved []int, inertia []float64) {
	me := t.GlobalX()
	if me >= chunks {
		return
	}
	own := counts[me*k : (me+1)*k]
	for j := range own {
		own[j] = 0
	}
	var other int
	var sum float64
	for i := me * chunk; i < min((me+1)*chunk, n); i++ {
		own[labels[i]]++
		if labels[i] != before[i] {
			other++
		}
		sum += float64(squares[i])
	}
	moved[me], inertia[me] = other, sum
}

// recentre makes each coordinate of each centre the mean of the cluster's. The centre of no points
// stays.
//
//gocuda:kernel
func recentre(t *gocuda.Thread, dims, k, chunks int, sums []float64, counts []int, centres []float32) {
	for me := t.GlobalX(); me < k*dims; me += t.GridDim.X * t.BlockDim.X {
		j, d := me/dims, me%dims
		var sum float64
		var count int
		for c := range chunks {
			sum += sums[(c*dims+d)*k+j]
			count += counts[c*k+j]
		}
		if count > 0 {
			centres[me] = float32(sum / float64(count))
		}
	}
}

// Clusters is the result of [KMeans] besides labels and centres.
type Clusters struct {
	Rounds  int     // how often the centres were moved
	Stable  bool    // in the last round no point went to another cluster
	Inertia float64 // the sum of the squares of the points' distances from their centres
}

// KMeans puts points into clusters, at most rounds times. Points are in dims coordinates, one
// coordinate of all points after the other: coordinate d of point i of n is points[d*n+i].
// Coordinate d of centre j is centres[j*dims+d], and the number of centres is len(centres)/dims.
// The centres should be where to begin, such as from [KMeansPlusPlus], and become the means; labels
// becomes the number of each point's nearest centre, the first if there are several. With no rounds
// only the labels are found.
//
// The centre of a cluster that has lost all points stays where it is, and may get some again. All
// numbers should be finite, and the squares of distances too. Distances are computed in float32,
// with dims+2 roundings, sums in float64. The result does not depend on the device.
//
// KMeans reads results back, so it can't be queued.
func KMeans(ctx context.Context, on kernels.Launcher, dims, rounds int, points, centres []float32,
	labels []int32) (Clusters, error) {
	n, k, err := kmeansCheck("k-means", dims, points, centres)
	if err == nil {
		err = check.Lengths("k-means, labels", len(labels), n)
	}
	if err == nil && rounds < 0 {
		err = check.Invalid("k-means", "%d rounds", rounds)
	}
	if err == nil {
		err = kernels.Waits("k-means", on)
	}
	if err != nil || n == 0 {
		return Clusters{Stable: n == 0}, err
	}
	chunk, chunks := chunksOf(n, k)
	now, before := labels, make([]int32, n)
	squares := make([]float32, n)
	sums, counts := make([]float64, chunks*dims*k), make([]int, chunks*k)
	moved, inertia := make([]int, chunks), make([]float64, chunks)
	for round := 0; ; round++ {
		near := nearestKernel(n, dims, k, points, centres, now, squares)
		if err := on.Launch(ctx, atMost(grid.Linear(n, nearestThreads)), near); err != nil {
			return Clusters{}, err
		}
		count := countPointsKernel(n, k, chunk, chunks, now, before, squares, counts, moved, inertia)
		if err := on.Launch(ctx, grid.Linear(chunks, sumThreads), count); err != nil {
			return Clusters{}, err
		}
		c := Clusters{Rounds: round, Stable: round > 0}
		for i, m := range moved {
			c.Stable = c.Stable && m == 0
			c.Inertia += inertia[i]
		}
		if c.Stable || round == rounds {
			copy(labels, now)
			return c, nil
		}
		sum := sumPointsKernel(n, dims, k, chunk, chunks, points, now, sums)
		if err := on.Launch(ctx, atMost(grid.Linear(chunks*dims, sumThreads)), sum); err != nil {
			return Clusters{}, err
		}
		mean := recentreKernel(dims, k, chunks, sums, counts, centres)
		if err := on.Launch(ctx, atMost(grid.Linear(k*dims, nearestThreads)), mean); err != nil {
			return Clusters{}, err
		}
		now, before = before, now
	}
}

// atMost lowers the number of blocks to what is enough. The kernels' threads go on with what is left.
func atMost(cfg grid.Config) grid.Config {
	cfg.Grid.X = min(cfg.Grid.X, mostBlocks)
	return cfg
}

// chunksOf returns how n points in k clusters are cut into chunks for sums: so many each, and so
// many chunks. A chunk has at least k points, or its sums would need more memory than the points.
func chunksOf(n, k int) (chunk, chunks int) {
	chunk = max((n+sumChunks-1)/sumChunks, sumLeast, k)
	return chunk, (n + chunk - 1) / chunk
}

// kmeansCheck returns the numbers of points and centres.
func kmeansCheck(what string, dims int, points, centres []float32) (n, k int, err error) {
	if dims <= 0 || len(points)%dims != 0 || len(centres)%dims != 0 {
		return 0, 0, check.Invalid(what, "%d coordinates of points and %d of centres, in %d dimensions",
			len(points), len(centres), dims)
	}
	n, k = len(points)/dims, len(centres)/dims
	if n > 0 && k == 0 || k > math.MaxInt32 {
		return 0, 0, check.Invalid(what, "%d centres for %d points", k, n)
	}
	return n, k, nil
}
