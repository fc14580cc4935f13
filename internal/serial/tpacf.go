package serial

import (
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/tpacf"
)

// TPACFAutoPairs counts the pairs of a catalogue by their angle, each pair once: the reference of
// [tpacf.AutoPairs].
func TPACFAutoPairs[T kernels.Float](cosines []T, c tpacf.Catalogue[T], counts []uint64) {
	clear(counts)
	for i := range c.X {
		meet(cosines, c, i, tpacf.Catalogue[T]{X: c.X[:i], Y: c.Y[:i], Z: c.Z[:i]}, counts)
	}
}

// TPACFCrossPairs counts the pairs of a point of a and one of b by their angle: the reference of
// [tpacf.CrossPairs].
func TPACFCrossPairs[T kernels.Float](cosines []T, a, b tpacf.Catalogue[T], counts []uint64) {
	clear(counts)
	for i := range a.X {
		meet(cosines, a, i, b, counts)
	}
}

// meet counts the pairs of point i of a with all points of b. Bins are found by binary search.
func meet[T kernels.Float](cosines []T, a tpacf.Catalogue[T], i int, b tpacf.Catalogue[T], counts []uint64) {
	x, y, z := a.X[i], a.Y[i], a.Z[i]
	for j := range b.X {
		dot := x*b.X[j] + y*b.Y[j] + z*b.Z[j]
		low, high := 0, len(cosines)
		for low < high {
			if middle := (low + high) / 2; dot >= cosines[middle] {
				high = middle
			} else {
				low = middle + 1
			}
		}
		counts[low]++
	}
}
