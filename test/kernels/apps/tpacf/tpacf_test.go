package tpacf_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/tpacf"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var methods = []tpacf.Method{tpacf.Thresholds, tpacf.Search}

// sky returns n points, evenly on the sky, the same every time for the same n and seed.
func sky[T kernels.Float](t testing.TB, n int, seed uint64) tpacf.Catalogue[T] {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	ra, dec := make([]float64, n), make([]float64, n)
	for i := range ra {
		ra[i], dec[i] = 360*r.Float64(), math.Asin(2*r.Float64()-1)*180/math.Pi
		if i%5 == 4 { // some close pairs
			ra[i], dec[i] = ra[i-1], min(dec[i-1]+r.Float64(), 90)
		}
	}
	c, err := tpacf.NewCatalogue[T](ra, dec)
	require.NoError(t, err)
	return c
}

// within returns for each cosine how many pairs have an exact scalar product that is not below it
// by more than the tolerance, which may be negative.
func within[T kernels.Float](self bool, cosines []T, tolerance float64, a, b tpacf.Catalogue[T]) []uint64 {
	n := make([]uint64, len(cosines))
	for i := range a.X {
		end := b.Len()
		if self {
			end = i
		}
		for j := range end {
			dot := float64(a.X[i])*float64(b.X[j]) + float64(a.Y[i])*float64(b.Y[j]) + float64(a.Z[i])*float64(b.Z[j])
			for k, c := range cosines {
				if dot >= float64(c)-tolerance {
					n[k]++
				}
			}
		}
	}
	return n
}

// checkCounts compares with float64: each count of pairs within an edge is between those within the
// edge moved by the error of a scalar product, to either side.
func checkCounts[T kernels.Float](t *testing.T, self bool, cosines []T, a, b tpacf.Catalogue[T], counts []uint64, what string) {
	t.Helper()
	tolerance := 3.01 * 0x1p-24
	if T(1+0x1p-40) != 1 {
		tolerance = 6.01 * 0x1p-53 // with those of the reference
	}
	low, high := within(self, cosines, -tolerance, a, b), within(self, cosines, tolerance, a, b)
	sum := uint64(0)
	for k := range cosines {
		sum += counts[k]
		assert.GreaterOrEqual(t, sum, low[k], "%s: pairs within edge %d", what, k)
		assert.LessOrEqual(t, sum, high[k], "%s: pairs within edge %d", what, k)
	}
	all := a.Len() * b.Len()
	if self {
		all = a.Len() * (a.Len() - 1) / 2
	}
	assert.EqualValues(t, all, sum+counts[len(cosines)], "%s: all pairs", what)
}

func TestPairsAgainstFloat64(t *testing.T) {
	t.Run("float32", testPairs[float32])
	t.Run("float64", testPairs[float64])
}

func testPairs[T kernels.Float](t *testing.T) {
	many := make([]float64, 48)
	for k := range many {
		many[k] = float64(k*k)*4 + 1
	}
	for what, arcmin := range map[string][]float64{"usual edges": tpacf.Edges(), "one edge": {5000}, "48 edges": many, "22 edges": many[:22], "no edge": nil} {
		cosines, err := tpacf.Cosines[T](arcmin)
		require.NoError(t, err)
		for _, dev := range kerneltest.Devices(t) {
			for _, n := range dev.Sizes([]int{0, 1, 2, 31, 33, 63, 64, 65, 100, 257}, 5) {
				a, b := sky[T](t, n, 1), sky[T](t, max(n-7, 0)+3, 2)
				for _, method := range methods {
					name := fmt.Sprintf("%s, %v, %s, n=%d", what, method, dev.Name, n)
					counts := make([]uint64, len(cosines)+1)
					counts[0] = 1000 // what is in counts before does not matter
					require.NoError(t, tpacf.AutoPairs(t.Context(), dev, method, cosines, a, counts), name)
					checkCounts(t, true, cosines, a, a, counts, name)
					require.NoError(t, tpacf.CrossPairs(t.Context(), dev, method, cosines, a, b, counts), name)
					checkCounts(t, false, cosines, a, b, counts, name)
				}
			}
		}
		a, b := sky[T](t, 50, 1), sky[T](t, 20, 2)
		counts := make([]uint64, len(cosines)+1)
		serial.TPACFAutoPairs(cosines, a, counts)
		checkCounts(t, true, cosines, a, a, counts, "serial")
		serial.TPACFCrossPairs(cosines, a, b, counts)
		checkCounts(t, false, cosines, a, b, counts, "serial")
	}
}

// The corners of an octahedron make 12 pairs at a right angle, which is 5400 minutes, and 3 that
// are opposite. Those of a cube make 12 at arccos(1/3), 12 at arccos(-1/3) and 4 that are opposite.
func TestSolids(t *testing.T) {
	f, err := os.Open("../../../../kernels/apps/tpacf/testdata/octahedron.csv")
	require.NoError(t, err)
	defer f.Close()
	ra, dec, err := tpacf.ReadCSV(f, f.Name())
	require.NoError(t, err)
	octahedron, err := tpacf.NewCatalogue[float64](ra, dec)
	require.NoError(t, err)
	var cube tpacf.Catalogue[float64]
	for i := range 8 {
		side := func(bit int) float64 { return (2*float64(i>>bit&1) - 1) / math.Sqrt(3) }
		cube.X, cube.Y, cube.Z = append(cube.X, side(0)), append(cube.Y, side(1)), append(cube.Z, side(2))
	}
	cosines, err := tpacf.Cosines[float64](tpacf.Edges())
	require.NoError(t, err)
	for _, dev := range kerneltest.Devices(t) {
		for _, method := range methods {
			counts, want := make([]uint64, 22), make([]uint64, 22)
			require.NoError(t, tpacf.AutoPairs(t.Context(), dev, method, cosines, octahedron, counts))
			want[1+18], want[21] = 12, 3
			assert.Equal(t, want, counts, "octahedron, %v, %s", method, dev.Name)
			require.NoError(t, tpacf.AutoPairs(t.Context(), dev, method, cosines, cube, counts))
			want[1+18], want[1+19], want[21] = 12, 12, 4
			assert.Equal(t, want, counts, "cube, %v, %s", method, dev.Name)
		}
	}
}

// Of points that lie evenly on the sky, bin k has a share of (cos a_k - cos a_(k+1))/2. Angles of
// different pairs are independent of each other, two by two, so the count has the variance of as
// many throws.
func TestUniformPoints(t *testing.T) {
	n := 3000
	if kerneltest.Devices(t)[0].Slow {
		n = 200
	}
	r := rand.New(rand.NewPCG(7, 8))
	ra, dec := make([]float64, n), make([]float64, n)
	for i := range ra {
		ra[i], dec[i] = 360*r.Float64(), math.Asin(2*r.Float64()-1)*180/math.Pi
	}
	c, err := tpacf.NewCatalogue[float64](ra, dec)
	require.NoError(t, err)
	cosines, err := tpacf.Cosines[float64](tpacf.Edges())
	require.NoError(t, err)
	all := float64(n) * float64(n-1) / 2
	for _, method := range methods {
		counts := make([]uint64, 22)
		require.NoError(t, tpacf.AutoPairs(t.Context(), gocuda.Default(), method, cosines, c, counts))
		sum := uint64(0)
		for k := range 20 {
			share := (cosines[k] - cosines[k+1]) / 2
			assert.InDelta(t, all*share, counts[k+1], 5*math.Sqrt(all*share)+1, "%v: bin %d", method, k)
		}
		for _, v := range counts {
			sum += v
		}
		assert.EqualValues(t, all, sum, "%v", method)
	}
}

// Points that come in pairs half a degree apart, among as many as chance has: of n points there are
// n/2 such pairs, where chance has n²/2 times the share of the bin.
func TestCorrelate(t *testing.T) {
	n := 2000
	if kerneltest.Devices(t)[0].Slow {
		n = 100
	}
	r := rand.New(rand.NewPCG(1, 2))
	var ra, dec []float64
	for range n / 2 {
		a, d := 360*r.Float64(), math.Asin(2*r.Float64()-1)*179/math.Pi
		ra, dec = append(ra, a, a), append(dec, d, d+0.5)
	}
	data, err := tpacf.NewCatalogue[float64](ra, dec)
	require.NoError(t, err)
	randoms := []tpacf.Catalogue[float64]{sky[float64](t, n, 3), sky[float64](t, n+1, 4)}
	edges := []float64{20, 40, 600, 6000}
	for _, method := range methods {
		c, err := tpacf.Correlate(t.Context(), gocuda.Default(), method, edges, data, randoms)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, c.DD[0], uint64(n/2), "%v", method)
		cosines, err := tpacf.Cosines[float64](edges)
		require.NoError(t, err)
		var dr, rr [3]uint64
		var drAll, rrAll float64
		for _, random := range randoms {
			cross, auto := within(false, cosines, 0, data, random), within(true, cosines, 0, random, random)
			for k := range 3 {
				dr[k] += cross[k+1] - cross[k]
				rr[k] += auto[k+1] - auto[k]
			}
			m := float64(random.Len())
			drAll, rrAll = drAll+m*float64(n), rrAll+m*(m-1)/2
		}
		dd := within(true, cosines, 0, data, data)
		for k := range 3 {
			assert.Equal(t, dd[k+1]-dd[k], c.DD[k], "%v: DD of bin %d", method, k)
			assert.Equal(t, dr[k], c.DR[k], "%v: DR of bin %d", method, k)
			assert.Equal(t, rr[k], c.RR[k], "%v: RR of bin %d", method, k)
			r := float64(rr[k]) / rrAll
			want := (float64(c.DD[k])/(float64(n)*float64(n-1)/2) - 2*float64(dr[k])/drAll + r) / r
			assert.InEpsilon(t, want, c.W[k], 1e-9, "%v: w of bin %d", method, k)
		}
	}
	// The data are their own random catalogue: with n for n-1 in the shares, w would be 0.
	c, err := tpacf.Correlate(t.Context(), gocuda.Default(), tpacf.Thresholds, edges, data, []tpacf.Catalogue[float64]{data})
	require.NoError(t, err)
	for k, w := range c.W {
		// DR has each pair twice: 2 DD / n² for DD / (n (n-1) / 2).
		assert.InDelta(t, 2-2*float64(n-1)/float64(n), w, 1e-12, "bin %d", k)
	}
}

func TestLandySzalay(t *testing.T) {
	assert.Zero(t, tpacf.LandySzalay(0.25, 0.25, 0.25))
	assert.Equal(t, 1., tpacf.LandySzalay(0.5, 0.25, 0.25)) // twice as many as chance has
	assert.True(t, math.IsNaN(tpacf.LandySzalay(1, 1, 0)))
}

func TestCatalogue(t *testing.T) {
	c, err := tpacf.NewCatalogue[float64]([]float64{0, 90, 540, 10}, []float64{0, 0, 0, -90})
	require.NoError(t, err)
	for i, want := range [][3]float64{{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, 0, -1}} {
		for k, v := range []float64{c.X[i], c.Y[i], c.Z[i]} {
			assert.InDelta(t, want[k], v, 1e-15, "point %d", i)
		}
	}
}

func TestReadCSV(t *testing.T) {
	for text, want := range map[string][2][]float64{
		"":                               {},
		"1,2\n3,4\n":                     {{1, 3}, {2, 4}},
		"# where\r\n\r\n 1 , -2.5e1\r\n": {{1}, {-25}},
		"\xef\xbb\xbfra,dec\n1,2\n":      {{1}, {2}},
		"Name, DEC ,z, RA \nM 87,12.4,0.004,187.7\n": {{187.7}, {12.4}},
		"RAJ2000,DEJ2000\n\n1,2,3\n":                 {{1}, {2}},
	} {
		ra, dec, err := tpacf.ReadCSV(strings.NewReader(text), "f")
		require.NoError(t, err, "%q", text)
		assert.Equal(t, want, [2][]float64{ra, dec}, "%q", text)
	}
}

func TestReadCSVErrors(t *testing.T) {
	for text, says := range map[string]string{
		"1,2\n3,x\n":          `f:2:3: `,
		"1,2\n3\n":            "f:2:1: ",
		"ra,b\n1,2\n":         "f:1:1: ",
		"dec,ra\n1,2\n95,3\n": "f:3:1: ",
		"1,NaN\n":             "f:1:3: ",
		"inf,1\n":             "f:1:1: ",
		"1,2\n\"3,4\n":        "f:2:",
		"1z,2\n":              "f:1:1: ",
		"1,\n":                "f:1:3: ",
		"1,1e999\n":           "f:1:3: ",
	} {
		_, _, err := tpacf.ReadCSV(strings.NewReader(text), "f")
		require.ErrorIs(t, err, gocuda.ErrInvalidValue, "%q", text)
		assert.True(t, strings.HasPrefix(err.Error(), says), "%q: %v", text, err)
	}
	broken := errors.New("broken")
	_, _, err := tpacf.ReadCSV(iotest.ErrReader(broken), "f")
	assert.ErrorIs(t, err, broken)
}

func FuzzReadCSV(f *testing.F) {
	f.Add("ra,dec\n1,2\n")
	f.Add("1,2\n\"3\",4\n# five\n")
	f.Fuzz(func(t *testing.T, text string) {
		ra, dec, err := tpacf.ReadCSV(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		_, err = tpacf.NewCatalogue[float64](ra, dec)
		require.NoError(t, err)
	})
}

func TestBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	c := sky[float32](t, 4, 1)
	short := tpacf.Catalogue[float32]{X: c.X, Y: c.Y, Z: c.Z[:3]}
	long := tpacf.Catalogue[float32]{X: []float32{1}, Y: []float32{1}, Z: []float32{0}}
	nan := tpacf.Catalogue[float32]{X: []float32{float32(math.NaN())}, Y: []float32{0}, Z: []float32{0}}
	one := tpacf.Catalogue[float32]{X: []float32{1}, Y: []float32{0}, Z: []float32{0}}
	cosines := []float32{0.5, -0.5}
	counts := make([]uint64, 3)
	all := []tpacf.Catalogue[float32]{c}
	_, lengths := tpacf.NewCatalogue[float32]([]float64{1}, nil)
	_, pole := tpacf.NewCatalogue[float32]([]float64{1}, []float64{90.5})
	_, nowhere := tpacf.NewCatalogue[float32]([]float64{math.Inf(1)}, []float64{0})
	_, descend := tpacf.Cosines[float32]([]float64{2, 1})
	_, far := tpacf.Cosines[float32]([]float64{2, 10801})
	_, noEdges := tpacf.Correlate(ctx, dev, tpacf.Search, []float64{1}, c, all)
	_, noRandom := tpacf.Correlate(ctx, dev, tpacf.Search, []float64{1, 2}, c, nil)
	_, few := tpacf.Correlate(ctx, dev, tpacf.Search, []float64{1, 2}, one, all)
	_, fewRandom := tpacf.Correlate(ctx, dev, tpacf.Search, []float64{1, 2}, c, []tpacf.Catalogue[float32]{one})
	_, edges := tpacf.Correlate(ctx, dev, tpacf.Search, []float64{2, 1}, c, all)
	for name, err := range map[string]error{
		"lengths": lengths, "beyond the pole": pole, "infinite": nowhere, "edges that descend": descend, "edges too far": far,
		"no bin": noEdges, "no random catalogue": noRandom, "one point": few, "one random point": fewRandom, "bad edges": edges,
		"coordinates":     tpacf.AutoPairs(ctx, dev, tpacf.Search, cosines, short, counts),
		"no unit vector":  tpacf.AutoPairs(ctx, dev, tpacf.Search, cosines, long, counts),
		"NaN":             tpacf.CrossPairs(ctx, dev, tpacf.Search, cosines, c, nan, counts),
		"the first":       tpacf.CrossPairs(ctx, dev, tpacf.Search, cosines, nan, c, counts),
		"counts":          tpacf.AutoPairs(ctx, dev, tpacf.Search, cosines, c, counts[:2]),
		"cosines":         tpacf.AutoPairs(ctx, dev, tpacf.Search, []float32{0.5, 0.6}, c, counts),
		"cosine of NaN":   tpacf.AutoPairs(ctx, dev, tpacf.Search, nan.X, c, counts[:2]),
		"method":          tpacf.AutoPairs(ctx, dev, tpacf.Search+1, cosines, c, counts),
		"negative method": tpacf.AutoPairs(ctx, dev, -1, cosines, c, counts),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
	many := make([]float32, 49)
	assert.ErrorIs(t, tpacf.AutoPairs(ctx, dev, tpacf.Search, many, c, make([]uint64, 50)), gocuda.ErrNotSupported)
	s := dev.NewStream()
	defer s.Close()
	assert.ErrorIs(t, tpacf.AutoPairs(ctx, kernels.OnStream(s), tpacf.Search, cosines, c, counts), gocuda.ErrNotSupported)
	closed, err := gocuda.NewDevice()
	require.NoError(t, err)
	closed.Close()
	for _, method := range methods {
		_, err = tpacf.Correlate(ctx, closed, method, []float64{1, 2}, c, all)
		assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle, "%v", method)
	}
	assert.Equal(t, "thresholds search Method(7)", fmt.Sprint(tpacf.Thresholds, tpacf.Search, tpacf.Method(7)))
}
