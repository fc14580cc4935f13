package orbits

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/charts"
)

// circle adds turns of a body on a circle, in steps of a degree.
func circle(t *testing.T, tr *Tracks, body int, radius float64, turns float64) {
	t.Helper()
	for i := range int(360*turns) + 1 {
		s, c := math.Sincos(float64(i) * math.Pi / 180)
		require.NoError(t, tr.Add(body, radius*c, radius*s, 0))
	}
}

// count returns how many pixels left of the legend have a colour, and the rectangle that they are in.
func count(picture image.Image, c color.NRGBA) (n int, in image.Rectangle) {
	r, g, b, _ := c.RGBA()
	size := picture.Bounds().Size()
	for y := range size.Y {
		for x := range size.X * 9 / 10 {
			if pr, pg, pb, _ := picture.At(x, y).RGBA(); pr == r && pg == g && pb == b {
				n++
				in = in.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return n, in
}

func TestPictureHasTheSizeAskedFor(t *testing.T) {
	tr := New([]string{"a", "b"}, "AU")
	circle(t, tr, 0, 1, 1)
	circle(t, tr, 1, 2, 0.5)
	for _, size := range []int{MinSize, 333, 1000, 1999} {
		picture, err := tr.Draw(size)
		require.NoError(t, err)
		assert.Equal(t, image.Rect(0, 0, size, size), picture.Bounds())
		var file bytes.Buffer
		require.NoError(t, tr.WritePNG(&file, size))
		read, err := png.Decode(&file)
		require.NoError(t, err)
		assert.Equal(t, picture.Bounds(), read.Bounds())
		opaque, ok := read.(interface{ Opaque() bool })
		assert.True(t, ok && opaque.Opaque())
	}
}

func TestBadSizeIsAnError(t *testing.T) {
	for _, size := range []int{math.MinInt, -1, 0, MinSize - 1, MaxSize + 1, math.MaxInt} {
		picture, err := New(nil, "").Draw(size)
		assert.Error(t, err, size)
		assert.Nil(t, picture, size)
	}
}

func TestTracksFillThePlotRound(t *testing.T) {
	tr := New([]string{"a"}, "")
	circle(t, tr, 0, 7, 1)
	picture, err := tr.Draw(1000)
	require.NoError(t, err)
	_, in := count(picture, colour(0))
	assert.InDelta(t, in.Dy(), in.Dx(), 6, "the same scale on both axes")
	assert.Greater(t, max(in.Dx(), in.Dy()), 750)
	assert.Less(t, in.Max.X, 920, "the legend begins here")
}

func TestEmptyTracksMakeAPictureOfAxes(t *testing.T) {
	for _, names := range [][]string{nil, {"a"}, {"a", "b"}} {
		picture, err := New(names, "AU").Draw(300)
		require.NoError(t, err, "%d bodies without points", len(names))
		size := picture.Bounds().Size()
		white, _ := count(picture, charts.Paper)
		assert.Less(t, white, size.X*9/10*size.Y-4*size.X, "no axes")
	}
}

func TestOneBodyAtRestIsADot(t *testing.T) {
	for _, p := range []point{{}, {5, -6, 7}, {1e300, 0, 0}, {1e-320, 0, 0}, {0, 0, -3}} {
		tr := New([]string{"a"}, "")
		for range 3 {
			require.NoError(t, tr.Add(0, p[0], p[1], p[2]))
		}
		picture, err := tr.Draw(400)
		require.NoError(t, err, "%v", p)
		n, _ := count(picture, colour(0))
		assert.GreaterOrEqual(t, n, 10, "the dot of %v", p)
	}
}

func TestCoordinatesThatAreNotFiniteAreAnError(t *testing.T) {
	for axis := range 3 {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			p := point{1, 1, 1}
			p[axis] = v
			tr := New([]string{"Sun", "Halley"}, "")
			err := tr.Add(1, p[0], p[1], p[2])
			assert.ErrorContains(t, err, fmt.Sprintf("orbits: Halley is at %c = %v", "xyz"[axis], v))
			_, err = tr.Draw(MinSize)
			assert.NoError(t, err, "after the error")
		}
	}
}

func TestExtremeTracksNeitherPanicNorHang(t *testing.T) {
	big, tiny := math.MaxFloat64, math.SmallestNonzeroFloat64
	for name, points := range map[string][]point{
		"huge":             {{-1e307, 1e307, 0}, {1e307, 0, 1e307}, {0, 0, 0}},
		"tiny":             {{tiny, 0, 0}, {0, tiny, 0}, {0, 0, 0}},
		"far away":         {{1e18, 1e18, 0}, {1e18 + 512, 1e18, 0}},
		"on a line":        {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 0}},
		"next numbers":     {{1, 1, 1}, {math.Nextafter(1, 2), 1, 1}},
		"all magnitudes":   {{1e-300, 1, 1e300}, {-1e-300, -1, -1e300}},
		"wider than range": {{-big, 0, 0}, {big, 0, 0}, {0, 1, 0}},
	} {
		tr := New([]string{"a"}, "")
		for _, p := range points {
			require.NoError(t, tr.Add(0, p[0], p[1], p[2]), name)
		}
		_, err := tr.Draw(MinSize)
		assert.Equal(t, name == "wider than range", err != nil, "%s: %v", name, err)
	}
}

func TestThePlaneIsThatOfTheLargestExtents(t *testing.T) {
	for want, p := range map[[2]int]point{{0, 1}: {3, 2, 1}, {0, 2}: {3, 1, 2}, {1, 2}: {1, 2, 3}} {
		v, ok := look(point{}, p, 100, 100)
		assert.True(t, ok)
		assert.Equal(t, want, v.axes, "%v", p)
	}
	v, _ := look(point{}, point{}, 100, 100)
	assert.Equal(t, [2]int{0, 1}, v.axes, "for a single place")
}

func TestTracksKeepWhatAPictureNeeds(t *testing.T) {
	tr := New([]string{"round", "straight", "there and back"}, "")
	circle(t, tr, 0, 1, 1)
	n := len(tr.tracks[0].points)
	assert.True(t, 100 <= n && n <= 361, "of a circle %d points", n)
	for i := range 10_001 {
		x := float64(i) / 5000
		tr.Add(1, x, 0, 0)
		tr.Add(2, math.Sin(x), 0, 0)
	}
	p := tr.tracks[1].points
	assert.LessOrEqual(t, len(p), 120, "points of a line")
	assert.Equal(t, point{}, p[0])
	assert.Equal(t, point{2, 0, 0}, p[len(p)-1])
	low, high := tr.bounds()
	assert.InDelta(t, -1, low[0], 0.001)
	assert.Equal(t, 2., high[0])
}

func TestTracksAreBoundedInMemory(t *testing.T) {
	tr := New([]string{"a"}, "")
	circle(t, tr, 0, 3, 200)
	p := tr.tracks[0].points
	assert.GreaterOrEqual(t, len(p), maxPoints/2)
	assert.LessOrEqual(t, len(p), maxPoints)
	assert.LessOrEqual(t, distance(p[len(p)-1], point{3, 0, 0}), 1e-9)
	crowd := New(make([]string, 1<<20), "")
	assert.LessOrEqual(t, crowd.limit*len(crowd.tracks), allPoints)
}

func TestWritePNGReportsErrors(t *testing.T) {
	assert.ErrorIs(t, New([]string{"a"}, "").WritePNG(full{}, MinSize), errFull)
}

var errFull = errors.New("the disk is full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
