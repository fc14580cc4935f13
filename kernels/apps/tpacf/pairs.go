package tpacf

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Method is how pairs find their bins.
type Method int

const (
	// Thresholds compares with every edge. It is the fastest here.
	Thresholds Method = iota
	// Search is a binary search. It takes 48 edges at most.
	Search
)

// String names the method.
func (m Method) String() string {
	switch m {
	case Thresholds:
		return "thresholds"
	case Search:
		return "search"
	}
	return fmt.Sprintf("Method(%d)", int(m))
}

// Edges returns the usual edges of bins in minutes of arc: 10^(k/5) for k from 0 to 20. Bin k is
// from edge k to edge k+1.
func Edges() []float64 {
	edges := make([]float64, 21)
	for k := range edges {
		edges[k] = math.Pow(10, float64(k)/5)
	}
	return edges
}

// Cosines returns the cosines of edges in minutes of arc, which must ascend from 0 or more to 180
// degrees at most. In float32, edges of some minutes and less may have the same cosine, and the bin
// between them gets no pairs.
func Cosines[T kernels.Float](arcmin []float64) ([]T, error) {
	cosines := make([]T, len(arcmin))
	for k, a := range arcmin {
		if !(a >= 0 && a <= 180*60) || k > 0 && a <= arcmin[k-1] {
			return nil, check.Invalid("angular correlation", "edge %d is %v minutes of arc; want edges that ascend from 0 or more to 10800 at most", k, a)
		}
		cosines[k] = T(math.Cos(a / 60 * math.Pi / 180))
	}
	return cosines, nil
}

// AutoPairs counts the pairs of a catalogue by their angle, each pair once: n(n-1)/2 in all.
// cosines are those of the edges of the bins, in descending order, such as from [Cosines]. counts
// has one element more than these: counts[0] are the pairs closer than the first edge, counts[k]
// those from edge k-1 to edge k, with a scalar product below the cosine of edge k-1 and not below
// that of edge k, and the last are those beyond the last edge. A pair is in another bin than its
// exact angle says only if the cosine is within three roundings of the cosine of the edge between
// them.
//
// AutoPairs reads results back, so it can't be queued.
func AutoPairs[T kernels.Float](ctx context.Context, on kernels.Launcher, method Method, cosines []T, c Catalogue[T], counts []uint64) error {
	if err := c.valid("the catalogue"); err != nil {
		return err
	}
	return pairs(ctx, on, method, true, cosines, c, c, counts)
}

// CrossPairs counts the pairs of a point of a and one of b, len(a) times len(b) in all. The rest is
// as for [AutoPairs].
func CrossPairs[T kernels.Float](ctx context.Context, on kernels.Launcher, method Method, cosines []T, a, b Catalogue[T], counts []uint64) error {
	if err := a.valid("the first catalogue"); err != nil {
		return err
	}
	if err := b.valid("the second catalogue"); err != nil {
		return err
	}
	return pairs(ctx, on, method, false, cosines, a, b, counts)
}

func pairs[T kernels.Float](ctx context.Context, on kernels.Launcher, method Method, self bool, cosines []T, a, b Catalogue[T], counts []uint64) error {
	const what = "angular correlation"
	if len(counts) != len(cosines)+1 {
		return check.Invalid(what, "%d counts for %d edges; want one more than edges", len(counts), len(cosines))
	}
	for k, c := range cosines {
		if !(c >= -1 && c <= 1) || k > 0 && c > cosines[k-1] {
			return check.Invalid(what, "edge %d has the cosine %v; want cosines that descend, between 1 and -1", k, c)
		}
	}
	if err := kernels.Waits(what, on); err != nil {
		return err
	}
	clear(counts)
	if a.Len() == 0 || b.Len() == 0 {
		return nil
	}
	switch method {
	case Thresholds:
		return byThresholds(ctx, on, self, cosines, a, b, counts)
	case Search:
		if len(cosines) > searchEdges {
			return fmt.Errorf("kernels: %s: %w: %d edges; a search takes %d at most", what, gocuda.ErrNotSupported, len(cosines), searchEdges)
		}
		k := searchKernel(self, a.X, a.Y, a.Z, b.X, b.Y, b.Z, cosines, counts)
		return on.Launch(ctx, grid.Linear(a.Len(), searchThreads), k)
	}
	return check.Invalid(what, "method %v", method)
}

// byThresholds counts the pairs within each edge, and takes differences.
func byThresholds[T kernels.Float](ctx context.Context, on kernels.Launcher, self bool, cosines []T, a, b Catalogue[T], counts []uint64) error {
	within := make([]uint64, (len(cosines)+edgesAtOnce-1)/edgesAtOnce*edgesAtOnce)
	for first := 0; first < len(within); first += edgesAtOnce {
		some := make([]T, edgesAtOnce)
		for k := copy(some, cosines[first:]); k < edgesAtOnce; k++ {
			some[k] = 2 // no pair is within
		}
		k := thresholdsKernel(self, a.X, a.Y, a.Z, b.X, b.Y, b.Z, some, within[first:first+edgesAtOnce])
		if err := on.Launch(ctx, grid.Linear(a.Len(), thresholdThreads), k); err != nil {
			return err
		}
	}
	before := uint64(0)
	for k := range cosines {
		counts[k], before = within[k]-before, within[k]
	}
	counts[len(cosines)] = allPairs(self, a.Len(), b.Len()) - before
	return nil
}

// allPairs returns the number of pairs.
func allPairs(self bool, a, b int) uint64 {
	if self {
		return uint64(a) * uint64(max(a-1, 0)) / 2
	}
	return uint64(a) * uint64(b)
}
