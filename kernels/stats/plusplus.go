package stats

import (
	"context"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Where k-means begins (Arthur and Vassilvitskii, k-means++: The Advantages of Careful Seeding,
// 2007). Lloyd's algorithm ends in a minimum near its beginning, which may be a bad one. k-means++
// takes for centres points of the set: the first with equal chances, each further one with chances
// in proportion to the square of its distance from the nearest centre that is there. On average the
// inertia is then within 8(ln k + 2) of the least one, before any round is made. It teaches how to
// draw from a distribution that is spread over an array: by the sums of chunks, and then within one
// chunk.

// spread lowers each point's square of the distance from its nearest centre to that from a new one.
//
//gocuda:kernel
func spread(t *gocuda.Thread, n, dims int, first bool, points, centre, squares []float32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X {
		var square, diff float32
		for d := range dims {
			diff = points[d*n+i] - centre[d]
			square += float32(diff * diff)
		}
		if first || square < squares[i] {
			squares[i] = square
		}
	}
}

// sumSquares adds up a chunk.
//
//gocuda:kernel
func sumSquares(t *gocuda.Thread, n, chunk, chunks int, squares []float32, sums []float64) {
	me := t.GlobalX()
	if me >= chunks {
		return
	}
	var sum float64
	for i := me * chunk; i < min((me+1)*chunk, n); i++ {
		sum += float64(squares[i])
	}
	sums[me] = sum
}

// KMeansPlusPlus sets centres to points that are far from each other, to begin [KMeans] with.
// Points and centres are laid out as there. The same seed gives the same centres on all devices. If
// there are fewer different points than centres, some centres are the same.
//
// KMeansPlusPlus reads results back, so it can't be queued.
func KMeansPlusPlus(ctx context.Context, on kernels.Launcher, seed uint64, dims int, points, centres []float32) error {
	n, k, err := kmeansCheck("k-means++", dims, points, centres)
	if err != nil {
		return err
	}
	if err := kernels.Waits("k-means++", on); err != nil {
		return err
	}
	if n == 0 && k > 0 {
		return check.Invalid("k-means++", "%d centres of no points", k)
	}
	chunk, chunks := chunksOf(n, k)
	squares, sums := make([]float32, n), make([]float64, chunks)
	for j := range k {
		choose(seed, j, n, dims, chunk, points, squares, sums, centres)
		if j == k-1 {
			break
		}
		far := spreadKernel(n, dims, j == 0, points, centres[j*dims:(j+1)*dims], squares)
		if err := on.Launch(ctx, atMost(grid.Linear(n, nearestThreads)), far); err != nil {
			return err
		}
		sum := sumSquaresKernel(n, chunk, chunks, squares, sums)
		if err := on.Launch(ctx, grid.Linear(chunks, sumThreads), sum); err != nil {
			return err
		}
	}
	return nil
}

// choose makes a point centre j, with chances in proportion to squares, whose chunks have the given
// sums.
func choose(seed uint64, j, n, dims, chunk int, points, squares []float32, sums []float64, centres []float32) {
	r0, r1, _, _ := device.Philox4x32(uint32(j), 0, 0, 0, uint32(seed), uint32(seed>>32))
	u := float64((uint64(r1)<<32|uint64(r0))>>11) * 0x1p-53 // in [0, 1)
	var total float64
	for _, s := range sums {
		total += s
	}
	// The rest is what is left of the way. By rounding it may lead behind the end: the last that
	// has a chance is taken.
	at, rest := 0, u*total
	for c, s := range sums {
		if s > 0 {
			at = c
			if rest < s {
				break
			}
			rest -= s
		}
	}
	point := min(int(u*float64(n)), n-1) // for the first centre, and if all points are centres
	for i := at * chunk; total > 0 && i < min((at+1)*chunk, n); i++ {
		if s := float64(squares[i]); s > 0 {
			point = i
			if rest < s {
				break
			}
			rest -= s
		}
	}
	for d := range dims {
		centres[j*dims+d] = points[d*n+point]
	}
}
