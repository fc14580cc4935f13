package bench

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/tpacf"
)

// The workload tpacf: the pairs of n points, of n others, and those of one of each, in float32 as
// Ryoo et al. have it.

// setupTPACF has counts of all three kinds, DD, DR and RR, one after the other. They are compared
// with float64: a scalar product of float32 has three roundings, so a pair so close to an edge may
// be on either side of it.
func setupTPACF(e env, n int) *problem {
	if p := tooLarge(200, n); p != nil {
		return p
	}
	cosines, err := tpacf.Cosines[float32](tpacf.Edges())
	if err != nil {
		return &problem{err: err}
	}
	data, random := evenSky(n, 0), evenSky(n, 1)
	bins := len(cosines) + 1
	counts := make([]uint64, 3*bins)
	dd, dr, rr := counts[:bins:bins], counts[bins:2*bins:2*bins], counts[2*bins:]
	const tolerance = 3.01 * 0x1p-24
	low, high := countSky(cosines, -tolerance, data, random), countSky(cosines, tolerance, data, random)
	return &problem{
		run: map[string]func() error{
			Serial: func() error {
				serial.TPACFAutoPairs(cosines, data, dd)
				serial.TPACFCrossPairs(cosines, data, random, dr)
				serial.TPACFAutoPairs(cosines, random, rr)
				return nil
			},
			Goroutines: func() error {
				tpacfGoroutines(e.workers, cosines, data, random, dd, dr, rr)
				return nil
			},
		},
		kernel: func(on kernels.Launcher) error {
			if err := tpacf.AutoPairs(e.ctx, on, tpacf.Thresholds, cosines, data, dd); err != nil {
				return err
			}
			if err := tpacf.CrossPairs(e.ctx, on, tpacf.Thresholds, cosines, data, random, dr); err != nil {
				return err
			}
			return tpacf.AutoPairs(e.ctx, on, tpacf.Thresholds, cosines, random, rr)
		},
		port: func(on kernels.Launcher) error {
			return tpacf.CrossPairs(e.ctx, on, tpacf.Search, cosines, data, random, dr)
		},
		native: &exchange{
			in:  arrays(of(cosines), of(slices.Concat(data.X, data.Y, data.Z)), of(slices.Concat(random.X, random.Y, random.Z))),
			out: arrays(of(counts)),
		},
		amount: everywhere(1e-6 * float64(n) * float64(2*n-1)),
		wipe:   wiping(counts),
		check: func() error {
			for kind, name := range []string{"DD", "DR", "RR"} {
				sum, all := uint64(0), uint64(n)*uint64(n-1)/2
				if kind == 1 {
					all = uint64(n) * uint64(n)
				}
				for k := range cosines {
					sum += counts[kind*bins+k]
					if l, h := low[kind][k], high[kind][k]; sum < l || sum > h {
						return fmt.Errorf("%s: %d pairs within edge %d, the reference has %d to %d", name, sum, k, l, h)
					}
				}
				if sum += counts[kind*bins+bins-1]; sum != all {
					return fmt.Errorf("%s: %d pairs of %d", name, sum, all)
				}
			}
			return nil
		},
	}
}

// evenSky returns n points, evenly on the sky, the same every time.
func evenSky(n, which int) tpacf.Catalogue[float32] {
	r := random(4 * n)[2*n*which:]
	c := tpacf.Catalogue[float32]{X: make([]float32, n), Y: make([]float32, n), Z: make([]float32, n)}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(r[2*i]))
		z := 2*float64(r[2*i+1]) - 1
		s := math.Sqrt(1 - z*z)
		c.X[i], c.Y[i], c.Z[i] = float32(s*cos), float32(s*sin), float32(z)
	}
	return c
}

// countSky returns how many pairs of each kind are within each edge, moved outwards by a tolerance
// in the cosine.
func countSky(cosines []float32, tolerance float64, data, random tpacf.Catalogue[float32]) (within [3][]uint64) {
	edges := make([]float64, len(cosines))
	for k, c := range cosines {
		edges[k] = float64(c) - tolerance
	}
	d, r := widened(data), widened(random)
	for kind := range within {
		within[kind] = make([]uint64, len(edges)+1)
	}
	serial.TPACFAutoPairs(edges, d, within[0])
	serial.TPACFCrossPairs(edges, d, r, within[1])
	serial.TPACFAutoPairs(edges, r, within[2])
	for _, counts := range within {
		for k := range edges[1:] {
			counts[k+1] += counts[k]
		}
	}
	return within
}

// widened returns a catalogue in float64, with the same points.
func widened(c tpacf.Catalogue[float32]) tpacf.Catalogue[float64] {
	n := c.Len()
	w := tpacf.Catalogue[float64]{X: make([]float64, n), Y: make([]float64, n), Z: make([]float64, n)}
	for i := range n {
		w.X[i], w.Y[i], w.Z[i] = float64(c.X[i]), float64(c.Y[i]), float64(c.Z[i])
	}
	return w
}

// tpacfGoroutines gives each goroutine a part of the points, to meet all others. Of the pairs of a
// catalogue, later points have more, so a goroutine takes every p-th.
func tpacfGoroutines(p int, cosines []float32, data, random tpacf.Catalogue[float32], dd, dr, rr []uint64) {
	parts := make([][3][]uint64, p)
	split(p, p, func(part, _, _ int) {
		bins := len(cosines) + 1
		mine, counts := [3][]uint64{make([]uint64, bins), make([]uint64, bins), make([]uint64, bins)}, make([]uint64, bins)
		meet := func(kind int, a tpacf.Catalogue[float32], i int, b tpacf.Catalogue[float32], end int) {
			one := tpacf.Catalogue[float32]{X: a.X[i : i+1], Y: a.Y[i : i+1], Z: a.Z[i : i+1]}
			others := tpacf.Catalogue[float32]{X: b.X[:end], Y: b.Y[:end], Z: b.Z[:end]}
			serial.TPACFCrossPairs(cosines, one, others, counts)
			for k, c := range counts {
				mine[kind][k] += c
			}
		}
		for i := part; i < data.Len(); i += p {
			meet(0, data, i, data, i)
			meet(1, data, i, random, random.Len())
			meet(2, random, i, random, i)
		}
		parts[part] = mine
	})
	for kind, counts := range [][]uint64{dd, dr, rr} {
		clear(counts)
		for _, part := range parts {
			for k, c := range part[kind] {
				counts[k] += c
			}
		}
	}
}
