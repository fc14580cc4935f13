package tpacf

import (
	"context"
	"math"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// A Correlation is the result of [Correlate]. Bin k is from edge k to edge k+1; what is closer than
// the first edge or beyond the last is left out.
type Correlation struct {
	DD, DR, RR []uint64  // the pairs of each bin, those of all random catalogues together
	W          []float64 // the correlation; NaN where RR is 0
}

// Correlate returns the angular correlation of the data, with bins between edges in minutes of arc,
// such as [Edges]. The points of the random catalogues should lie evenly on the part of the sky
// that the data are from. Several of them make the noise of RR and DR smaller; RR has the pairs
// within each of them. There must be one at least, and the data and the random catalogues need two
// points each.
//
// Correlate reads results back, so it can't be queued.
func Correlate[T kernels.Float](ctx context.Context, on kernels.Launcher, method Method, arcmin []float64, data Catalogue[T], randoms []Catalogue[T]) (*Correlation, error) {
	const what = "angular correlation"
	if len(arcmin) < 2 || len(randoms) == 0 {
		return nil, check.Invalid(what, "%d edges and %d random catalogues; want two edges and a catalogue at least", len(arcmin), len(randoms))
	}
	if data.Len() < 2 {
		return nil, check.Invalid(what, "%d points, which make no pair", data.Len())
	}
	for i, r := range randoms {
		if r.Len() < 2 {
			return nil, check.Invalid(what, "%d points in random catalogue %d, which make no pair", r.Len(), i)
		}
	}
	cosines, err := Cosines[T](arcmin)
	if err != nil {
		return nil, err
	}
	counts := make([]uint64, len(cosines)+1)
	bins := len(cosines) - 1
	c := &Correlation{make([]uint64, bins), make([]uint64, bins), make([]uint64, bins), nil}
	if err := AutoPairs(ctx, on, method, cosines, data, counts); err != nil {
		return nil, err
	}
	addTo(c.DD, counts[1:])
	all := [3]float64{float64(allPairs(true, data.Len(), 0))}
	for _, r := range randoms {
		if err := CrossPairs(ctx, on, method, cosines, data, r, counts); err != nil {
			return nil, err
		}
		addTo(c.DR, counts[1:])
		if err := AutoPairs(ctx, on, method, cosines, r, counts); err != nil {
			return nil, err
		}
		addTo(c.RR, counts[1:])
		all[1] += float64(allPairs(false, data.Len(), r.Len()))
		all[2] += float64(allPairs(true, r.Len(), 0))
	}
	c.W = make([]float64, bins)
	for k := range c.W {
		c.W[k] = LandySzalay(float64(c.DD[k])/all[0], float64(c.DR[k])/all[1], float64(c.RR[k])/all[2])
	}
	return c, nil
}

func addTo(sum, v []uint64) {
	for k := range sum {
		sum[k] += v[k]
	}
}

// LandySzalay returns (DD - 2 DR + RR) / RR of the shares that a bin has of all pairs of each kind,
// or NaN if RR is 0.
func LandySzalay(dd, dr, rr float64) float64 {
	if rr == 0 {
		return math.NaN()
	}
	return (dd - 2*dr + rr) / rr
}
