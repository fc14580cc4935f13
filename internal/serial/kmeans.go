package serial

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/kernels/stats"
)

// KMeans clusters points by Lloyd's algorithm: the reference of [stats.KMeans], with sums in the same
// order.
func KMeans(dims, rounds int, points, centres []float32, labels []int32) stats.Clusters {
	n, k := len(points)/dims, len(centres)/dims
	chunk := chunkOf(n, k)
	sums, part := make([]float64, k*dims), make([]float64, k*dims)
	counts := make([]int, k)
	for round := 0; ; round++ {
		clear(sums)
		clear(counts)
		c := stats.Clusters{Rounds: round, Stable: round > 0 || n == 0}
		for from := 0; from < n; from += chunk {
			clear(part)
			var inertia float64
			for i := from; i < min(from+chunk, n); i++ {
				label, square := nearest(n, dims, k, i, points, centres)
				if label != labels[i] {
					labels[i], c.Stable = label, false
				}
				inertia += float64(square)
				counts[label]++
				for d := range dims {
					part[int(label)*dims+d] += float64(points[d*n+i])
				}
			}
			c.Inertia += inertia
			for i, v := range part {
				sums[i] += v
			}
		}
		if c.Stable || round == rounds {
			return c
		}
		for j, count := range counts {
			for d := 0; d < dims && count > 0; d++ {
				centres[j*dims+d] = float32(sums[j*dims+d] / float64(count))
			}
		}
	}
}

// KMeansPlusPlus sets centres to points that are far from each other, by k-means++ (Arthur and
// Vassilvitskii 2007): the reference of [stats.KMeansPlusPlus].
func KMeansPlusPlus(seed uint64, dims int, points, centres []float32) {
	n, k := len(points)/dims, len(centres)/dims
	chunk := chunkOf(n, k)
	squares, sums := make([]float32, n), make([]float64, (n+chunk-1)/chunk)
	for j := range k {
		point := draw(seed, j, chunk, squares, sums)
		for d := range dims {
			centres[j*dims+d] = points[d*n+point]
		}
		clear(sums)
		for i := range n {
			_, square := nearest(n, dims, 1, i, points, centres[j*dims:])
			if j == 0 || square < squares[i] {
				squares[i] = square
			}
			sums[i/chunk] += float64(squares[i])
		}
	}
}

// draw draws the point that becomes centre j, with chances in proportion to squares, whose chunks
// have the given sums. If all squares are 0, all points have the same chance.
func draw(seed uint64, j, chunk int, squares []float32, sums []float64) int {
	low, high, _, _ := device.Philox4x32(uint32(j), 0, 0, 0, uint32(seed), uint32(seed>>32))
	u := float64((uint64(high)<<32|uint64(low))>>11) * 0x1p-53 // in [0, 1)
	total := 0.0
	for _, s := range sums {
		total += s
	}
	if !(total > 0) {
		return min(int(u*float64(len(squares))), len(squares)-1)
	}
	// By rounding, what is left of the way may lead behind the end. Then the last one with a chance is
	// taken.
	left, in, at := u*total, 0, 0
	for c, s := range sums {
		if s == 0 {
			continue
		}
		if in = c; left < s {
			break
		}
		left -= s
	}
	for i := in * chunk; i < min((in+1)*chunk, len(squares)); i++ {
		s := float64(squares[i])
		if s == 0 {
			continue
		}
		if at = i; left < s {
			break
		}
		left -= s
	}
	return at
}

// chunkOf returns how many of n points in k clusters are added up by themselves, before their sum is
// added to those of others. It is what package stats does: with another order of additions, results
// would differ in their last bits.
func chunkOf(n, k int) int {
	const chunks, least = 64, 1 << 10
	return max((n+chunks-1)/chunks, least, k)
}

// nearest returns the nearest centre of point i, and the square of its distance.
func nearest(n, dims, k, i int, points, centres []float32) (label int32, best float32) {
	for j := range k {
		var square float32
		for d := range dims {
			diff := points[d*n+i] - centres[j*dims+d]
			square += float32(diff * diff)
		}
		if j == 0 || square < best {
			label, best = int32(j), square
		}
	}
	return label, best
}
