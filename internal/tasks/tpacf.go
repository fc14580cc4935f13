package tasks

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gocuda/gocuda/internal/charts"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/tpacf"
)

var tpacfTask = Task{
	"tpacf", "the angular correlation of points on the sky",
	"right ascensions and declinations in degrees, in CSV with columns ra and dec; clusters by chance without a file",
	"10000", Values | Picture, correlateSky, 112, 48,
}

func correlateSky(fs *flag.FlagSet) Job {
	random := fs.String("random", "", "a `file` of points by chance, as that of -in (default points made evenly over the part of the sky between the outermost of the data)")
	sets := fs.Int("sets", 1, "the `number` of random catalogues that are made, of as many points as the data")
	precision := choose[name](fs, "precision", "the type of numbers", "float64", "float32")
	method := choose(fs, "method", "how pairs find their bins", tpacf.Thresholds, tpacf.Search)
	return func(e *Env) (*Result, error) {
		if *sets < 1 || *sets > 1000 {
			return nil, fmt.Errorf("-sets %d: want 1 to 1000", *sets)
		}
		ra, dec, err := e.sky(10000)
		if err != nil {
			return nil, err
		}
		if len(ra) < 2 {
			return nil, fmt.Errorf("%d points make no pair", len(ra))
		}
		var chance [][2][]float64
		if *random != "" {
			r := &Env{Options: e.Options, perElement: e.perElement}
			r.In = *random
			ra, dec, err := r.sky(0)
			if err != nil {
				return nil, err
			}
			if len(ra) < 2 {
				return nil, fmt.Errorf("%s: %d points make no pair", *random, len(ra))
			}
			chance = append(chance, [2][]float64{ra, dec})
		} else {
			if err := e.fits(float64(len(ra)) * float64(*sets)); err != nil {
				return nil, fmt.Errorf("-sets: %w", err)
			}
			west, wide := between(ra)
			south, north := slices.Min(dec), slices.Max(dec)
			for range *sets {
				ra, dec := evenly(e.random(), len(ra), west, wide, south, north)
				chance = append(chance, [2][]float64{ra, dec})
			}
		}
		if precision.is == "float32" {
			return correlated[float32](e, method.is, ra, dec, chance)
		}
		return correlated[float64](e, method.is, ra, dec, chance)
	}
}

// correlated runs the task in the given precision.
func correlated[T kernels.Float](e *Env, method tpacf.Method, ra, dec []float64, chance [][2][]float64) (*Result, error) {
	data, err := tpacf.NewCatalogue[T](ra, dec)
	if err != nil {
		return nil, err
	}
	var randoms []tpacf.Catalogue[T]
	points := 0
	for _, c := range chance {
		r, err := tpacf.NewCatalogue[T](c[0], c[1])
		if err != nil {
			return nil, err
		}
		randoms, points = append(randoms, r), points+r.Len()
	}
	edges := tpacf.Edges()
	var got *tpacf.Correlation
	err = e.timed(func() error {
		got, err = tpacf.Correlate(e.Ctx, e.On, method, edges, data, randoms)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]float64, 0, 6*len(got.W))
	for k, w := range got.W {
		out = append(out, edges[k], edges[k+1], float64(got.DD[k]), float64(got.DR[k]), float64(got.RR[k]), w)
	}
	r := &Result{Numbers: table[float64]{6, out}, Verify: func() error { return verifyPairs(edges, data, randoms, got) }}
	r.printf("points    %d, and %d by chance", data.Len(), points)
	r.printf("          from and to in minutes of arc, pairs DD, DR and RR, correlation; these are the columns of the file")
	for k, w := range got.W {
		r.printf("%10.4g %10.4g %12d %12d %12d %10.4g", edges[k], edges[k+1], got.DD[k], got.DR[k], got.RR[k], w)
	}
	r.Picture = func() image.Image { return correlogram(edges, got.W) }
	return r, nil
}

// verifyPairs compares with counts in float64. A scalar product has three roundings, so pairs so
// close to an edge may be on either side of it.
func verifyPairs[T kernels.Float](edges []float64, data tpacf.Catalogue[T], randoms []tpacf.Catalogue[T], got *tpacf.Correlation) error {
	cosines, err := tpacf.Cosines[T](edges)
	if err != nil {
		return err
	}
	tolerance := 3.01 * 0x1p-24
	if T(1+0x1p-40) != 1 {
		tolerance = 6.01 * 0x1p-53 // with those of the reference
	}
	// Each edge twice, moved to either side. That of a bin and the next may have changed places then.
	var moved []float64
	for _, c := range cosines {
		moved = append(moved, float64(c)+tolerance, float64(c)-tolerance)
	}
	sorted := slices.Clone(moved)
	slices.Sort(sorted)
	slices.Reverse(sorted)
	within := func(counts []uint64) func(c float64) uint64 {
		return func(c float64) (n uint64) {
			for k, s := range sorted {
				if s >= c {
					n += counts[k]
				}
			}
			return n
		}
	}
	wide := widened(data)
	dd, dr, rr := make([]uint64, len(sorted)+1), make([]uint64, len(sorted)+1), make([]uint64, len(sorted)+1)
	some := make([]uint64, len(sorted)+1)
	add := func(to []uint64) {
		for k, n := range some {
			to[k] += n
		}
	}
	serial.TPACFAutoPairs(sorted, wide, dd)
	for _, r := range randoms {
		other := widened(r)
		serial.TPACFCrossPairs(sorted, wide, other, some)
		add(dr)
		serial.TPACFAutoPairs(sorted, other, some)
		add(rr)
	}
	for _, kind := range []struct {
		name        string
		got, counts []uint64
	}{{"DD", got.DD, dd}, {"DR", got.DR, dr}, {"RR", got.RR, rr}} {
		n := within(kind.counts)
		for k, v := range kind.got {
			// The pairs of a bin are those within its outer edge without those within its inner edge.
			inner, outer := moved[2*k:2*k+2], moved[2*k+2:2*k+4]
			low, high := int64(n(outer[0]))-int64(n(inner[1])), int64(n(outer[1]))-int64(n(inner[0]))
			if int64(v) < low || int64(v) > high {
				return fmt.Errorf("%s of bin %d is %d, want %d to %d", kind.name, k, v, low, high)
			}
		}
	}
	return nil
}

// widened returns a catalogue in float64, with the same points.
func widened[T kernels.Float](c tpacf.Catalogue[T]) tpacf.Catalogue[float64] {
	n := c.Len()
	w := tpacf.Catalogue[float64]{X: make([]float64, n), Y: make([]float64, n), Z: make([]float64, n)}
	for i := range n {
		w.X[i], w.Y[i], w.Z[i] = float64(c.X[i]), float64(c.Y[i]), float64(c.Z[i])
	}
	return w
}

// sky returns the points of the file, or n of them: half by chance, the others near one of these each.
func (e *Env) sky(n int) (ra, dec []float64, err error) {
	if e.In != "" {
		f, err := e.open()
		if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		if ra, dec, err = tpacf.ReadCSV(f, e.In); err != nil {
			return nil, nil, err
		}
		return ra, dec, e.fits(float64(len(ra)))
	}
	s, err := e.size(n)
	if err != nil {
		return nil, nil, err
	}
	n = s[0]
	r := e.random()
	ra, dec = evenly(r, n, 0, 360, -90, 90)
	for i := n / 2; i < n; i++ {
		near := i - n/2
		// The distance is anything from a minute to a radian, each factor as often as another.
		d, angle := math.Exp(-8.1*r.Float64())*180/math.Pi, 2*math.Pi*r.Float64()
		dec[i] = max(min(dec[near]+d*math.Sin(angle), 90), -90)
		ra[i] = ra[near] + d*math.Cos(angle)/max(math.Cos(dec[i]*math.Pi/180), 1e-3)
	}
	return ra, dec, nil
}

// evenly returns n points by chance, evenly over a part of the sky.
func evenly(r *rand.Rand, n int, west, wide, south, north float64) (ra, dec []float64) {
	ra, dec = make([]float64, n), make([]float64, n)
	low, high := math.Sin(south*math.Pi/180), math.Sin(north*math.Pi/180)
	for i := range ra {
		ra[i] = west + wide*r.Float64()
		dec[i] = math.Asin(low+(high-low)*r.Float64()) * 180 / math.Pi
	}
	return ra, dec
}

// between returns where the shortest arc begins that has all right ascensions, and its length in
// degrees.
func between(ra []float64) (west, wide float64) {
	all := make([]float64, len(ra))
	for i, a := range ra {
		if all[i] = math.Mod(a, 360); all[i] < 0 {
			all[i] += 360
		}
	}
	slices.Sort(all)
	last := len(all) - 1
	west, gap := all[0], all[0]+360-all[last]
	for i, a := range all[1:] {
		if a-all[i] > gap {
			west, gap = a, a-all[i]
		}
	}
	return west, 360 - gap
}

// correlogram draws the correlation at the middle of each bin. Both scales are logarithmic, since
// correlations are powers of the angle over long ranges, so that what is not positive is left out.
func correlogram(edges, w []float64) image.Image {
	p := charts.New()
	p.X.Label.Text, p.Y.Label.Text = "angle in minutes of arc", "correlation, where it is positive"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Add(charts.Lines())
	blue := color.NRGBA{0x2f, 0x5f, 0xc4, 0xff}
	var at plotter.XYs
	low, high := 0.1, 1.
	join := func() {
		if len(at) > 0 {
			p.Add(&plotter.Line{XYs: at, LineStyle: draw.LineStyle{Color: blue, Width: vg.Points(1)}},
				&plotter.Scatter{XYs: at, GlyphStyle: draw.GlyphStyle{Color: blue, Radius: 2, Shape: draw.CircleGlyph{}}})
		}
		at = nil
	}
	for k, v := range w {
		if !(v > 0) {
			join()
			continue
		}
		low, high = min(low, v), max(high, v)
		at = append(at, plotter.XY{X: math.Sqrt(edges[k] * edges[k+1]), Y: v})
	}
	join()
	p.X.Min, p.X.Max = edges[0], edges[len(edges)-1]
	p.Y.Min, p.Y.Max = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
	return charts.Image(p, 480, 300)
}
