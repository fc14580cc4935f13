package orbits

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
)

// circle adds turns of a body on a circle, in steps of a degree.
func circle(t *testing.T, tr *Tracks, body int, radius float64, turns float64) {
	t.Helper()
	for i := range int(360*turns) + 1 {
		s, c := math.Sincos(float64(i) * math.Pi / 180)
		if err := tr.Add(body, radius*c, radius*s, 0); err != nil {
			t.Fatal(err)
		}
	}
}

// count returns how many pixels have the colour of a body, and the rectangle that they are in.
func count(picture *image.RGBA, c color.NRGBA) (n int, in image.Rectangle) {
	want := color.RGBA(c) // no alpha
	for y := range picture.Rect.Dy() {
		for x := range picture.Rect.Dx() {
			if picture.RGBAAt(x, y) == want {
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
	for _, size := range []int{MinSize, 333, 1000} {
		picture, err := tr.Draw(size)
		if err != nil {
			t.Fatal(err)
		}
		if picture.Rect != image.Rect(0, 0, size, size) || !picture.Opaque() {
			t.Errorf("size %d: bounds %v, opaque %v", size, picture.Rect, picture.Opaque())
		}
		var file bytes.Buffer
		if err := tr.WritePNG(&file, size); err != nil {
			t.Fatal(err)
		}
		read, err := png.Decode(&file)
		if err != nil || read.Bounds() != picture.Rect {
			t.Errorf("size %d: the file has %v, %v", size, read.Bounds(), err)
		}
	}
}

func TestBadSizeIsAnError(t *testing.T) {
	for _, size := range []int{math.MinInt, -1, 0, MinSize - 1, MaxSize + 1, math.MaxInt} {
		if picture, err := New(nil, "").Draw(size); err == nil || picture != nil {
			t.Errorf("size %d: error %v", size, err)
		}
	}
}

func TestTracksFillThePlotRound(t *testing.T) {
	tr := New([]string{"a"}, "")
	circle(t, tr, 0, 7, 1)
	picture, err := tr.Draw(1000)
	if err != nil {
		t.Fatal(err)
	}
	d := drawing{pen: newPen(picture), unit: 1, letter: 10.5}
	if err := d.layout(tr); err != nil {
		t.Fatal(err)
	}
	in := image.Rectangle{}
	for y := d.plot.Min.Y; y < d.plot.Max.Y; y++ {
		for x := d.plot.Min.X; x < d.plot.Max.X; x++ {
			if picture.RGBAAt(x, y) == color.RGBA(colour(0)) {
				in = in.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if w, h := in.Dx(), in.Dy(); w < h-6 || w > h+6 {
		t.Errorf("the circle is %d wide and %d high", w, h)
	}
	if free := min(d.plot.Dx(), d.plot.Dy()) - max(in.Dx(), in.Dy()); free < 0 || free > d.plot.Dx()/8 {
		t.Errorf("the circle takes %v of %v", in, d.plot)
	}
}

func TestEmptyTracksMakeAPictureOfAxes(t *testing.T) {
	for _, names := range [][]string{nil, {"a"}, {"a", "b"}} {
		picture, err := New(names, "AU").Draw(300)
		if err != nil {
			t.Errorf("%d bodies without points: %v", len(names), err)
		} else if n, _ := count(picture, frame); n == 0 {
			t.Error("no axes")
		}
	}
}

func TestOneBodyAtRestIsADot(t *testing.T) {
	for _, p := range []point{{}, {5, -6, 7}, {1e300, 0, 0}, {1e-320, 0, 0}, {0, 0, -3}} {
		tr := New([]string{"a"}, "")
		for range 3 {
			if err := tr.Add(0, p[0], p[1], p[2]); err != nil {
				t.Fatal(err)
			}
		}
		picture, err := tr.Draw(400)
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		if n, _ := count(picture, colour(0)); n < 20 {
			t.Errorf("%v: the dot has %d pixels", p, n)
		}
	}
}

func TestCoordinatesThatAreNotFiniteAreAnError(t *testing.T) {
	for axis := range 3 {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			p := point{1, 1, 1}
			p[axis] = v
			tr := New([]string{"Sun", "Halley"}, "")
			err := tr.Add(1, p[0], p[1], p[2])
			if want := fmt.Sprintf("orbits: Halley is at %c = %v", "xyz"[axis], v); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v: %v", p, err)
			}
			if _, err := tr.Draw(MinSize); err != nil {
				t.Errorf("after the error: %v", err)
			}
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
			if err := tr.Add(0, p[0], p[1], p[2]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		_, err := tr.Draw(MinSize)
		if (err != nil) != (name == "wider than range") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestThePlaneIsThatOfTheLargestExtents(t *testing.T) {
	for want, p := range map[[2]int]point{{0, 1}: {3, 2, 1}, {0, 2}: {3, 1, 2}, {1, 2}: {1, 2, 3}} {
		v, ok := look(point{}, p, 100, 100)
		if !ok || v.axes != want {
			t.Errorf("%v: axes %v, want %v", p, v.axes, want)
		}
	}
	if v, _ := look(point{}, point{}, 100, 100); v.axes != [2]int{0, 1} {
		t.Errorf("for a single place: axes %v", v.axes)
	}
}

func TestTracksKeepWhatAPictureNeeds(t *testing.T) {
	tr := New([]string{"round", "straight", "there and back"}, "")
	circle(t, tr, 0, 1, 1)
	if n := len(tr.tracks[0].points); n < 100 || n > 361 {
		t.Errorf("of a circle %d points", n)
	}
	for i := range 10_001 {
		x := float64(i) / 5000
		tr.Add(1, x, 0, 0)
		tr.Add(2, math.Sin(x), 0, 0)
	}
	if n := len(tr.tracks[1].points); n > 120 {
		t.Errorf("of a line %d points", n)
	}
	if p := tr.tracks[1].points; p[0] != (point{}) || p[len(p)-1] != (point{2, 0, 0}) {
		t.Errorf("the line goes from %v to %v", p[0], p[len(p)-1])
	}
	low, high := tr.bounds()
	if math.Abs(low[0]+1) > 0.001 || high[0] != 2 {
		t.Errorf("the tracks extend from %v to %v", low, high)
	}
}

func TestTracksAreBoundedInMemory(t *testing.T) {
	tr := New([]string{"a"}, "")
	circle(t, tr, 0, 3, 200)
	if n := len(tr.tracks[0].points); n < maxPoints/2 || n > maxPoints {
		t.Errorf("%d points", n)
	}
	if p := tr.tracks[0].points; distance(p[len(p)-1], point{3, 0, 0}) > 1e-9 {
		t.Errorf("the last point is %v", p[len(p)-1])
	}
	if crowd := New(make([]string, 1<<20), ""); crowd.limit*len(crowd.tracks) > allPoints {
		t.Errorf("a crowd may keep %d points each", crowd.limit)
	}
}

func TestWritePNGReportsErrors(t *testing.T) {
	if err := New([]string{"a"}, "").WritePNG(full{}, MinSize); !errors.Is(err, errFull) {
		t.Errorf("the error is %v", err)
	}
}

var errFull = errors.New("the disk is full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
