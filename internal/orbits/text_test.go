package orbits

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/gocuda/gocuda/internal/charts"
)

// A word is a text of a picture and its place, in points.
type word struct {
	text string
	vg.Rectangle
}

// words draws the tracks on a square and returns the texts that don't stand upright.
func words(t *testing.T, tr *Tracks, side vg.Length) (list []word) {
	t.Helper()
	var c recorder.Canvas
	require.NoError(t, tr.draw(draw.NewCanvas(&c, side, side)))
	turned := 0
	for _, a := range c.Actions {
		switch a := a.(type) {
		case *recorder.Push:
			if turned > 0 {
				turned++
			}
		case *recorder.Pop:
			turned = max(0, turned-1)
		case *recorder.Rotate:
			turned = 1
		case *recorder.FillString:
			if turned > 0 {
				continue
			}
			style := charts.Text()
			height := 0.7 * style.Font.Size // of capitals and numbers
			list = append(list, word{a.String, vg.Rectangle{Min: a.Point, Max: a.Point.Add(vg.Point{X: style.Width(a.String), Y: height})}})
		}
	}
	return list
}

// Numbers and names are all within the picture, and none is on another one.
func TestTextsDoNotOverlap(t *testing.T) {
	long := strings.Repeat("a long name ", 10)
	for _, side := range []vg.Length{222, 400, 667} {
		for _, scale := range []float64{1e-300, 1e-7, 0.3, 1, 12345.678, 1e12, 1e300} {
			for _, shift := range []float64{0, 1, 1e5, 1e9} {
				tr := New([]string{"Sun", "Jupiter", long, "", "two\nlines"}, "AU")
				for i := range tr.tracks {
					if err := tr.Add(i, scale*(shift+float64(i)), -scale*(shift+float64(i*i)), scale); err != nil {
						continue // out of the range of float64
					}
				}
				list := words(t, tr, side)
				for i, a := range list {
					assert.True(t, a.Min.X >= 0 && a.Min.Y >= 0 && a.Max.X <= side && a.Max.Y <= side, "%q is at %v of %v", a.text, a.Rectangle, side)
					for _, b := range list[:i] {
						apart := a.Max.X <= b.Min.X || b.Max.X <= a.Min.X || a.Max.Y <= b.Min.Y || b.Max.Y <= a.Min.Y
						assert.True(t, apart || a.text == "" || b.text == "", "%q at %v is on %q at %v, of %v", a.text, a.Rectangle, b.text, b.Rectangle, side)
					}
				}
			}
		}
	}
}

// texts are the words alone.
func texts(list []word) (all []string) {
	for _, w := range list {
		all = append(all, w.text)
	}
	return all
}

func TestTheLegendShowsWhatFits(t *testing.T) {
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("body %d", i))
	}
	const large, small = 667, 222
	got := texts(words(t, New(names, ""), large))
	assert.Subset(t, got, names)
	assert.NotContains(t, strings.Join(got, "\n"), "more")

	got = texts(words(t, New(names, ""), small))
	shown := slices.IndexFunc(names, func(n string) bool { return !slices.Contains(got, n) })
	require.Positive(t, shown)
	assert.Contains(t, got, fmt.Sprintf("and %d more", len(names)-shown))

	got = texts(words(t, New(slices.Repeat(names, 2), ""), large))
	assert.Contains(t, got, "bodies: 60")
	assert.NotContains(t, got, "body 0")

	got = texts(words(t, New([]string{strings.Repeat("W", 1000)}, ""), large))
	assert.Regexp(t, "(?m)^W{10,100}…$", strings.Join(got, "\n"))
}

func TestAxesHaveTheirUnit(t *testing.T) {
	tr := New([]string{"a"}, "AU")
	circle(t, tr, 0, 1, 1)
	assert.Contains(t, texts(words(t, tr, 400)), "x (AU)")
	tr = New([]string{"a"}, "")
	circle(t, tr, 0, 1, 1)
	assert.Contains(t, texts(words(t, tr, 400)), "x")
}

func TestTicksAreRoundNumbers(t *testing.T) {
	for _, test := range []struct {
		middle, half float64
		want         string
	}{
		{0, 32, "-30 -20 -10 0 10 20 30"},
		{0, 1.1, "-1.0 -0.5 0 0.5 1.0"},
		{0.5, 0.5, "0 0.2 0.4 0.6 0.8 1.0"},
		{1e9, 5, "999999996 999999998 1000000000 1000000002 1000000004"},
		{0, 3e12, "-3e+12 -2e+12 -1e+12 0 1e+12 2e+12 3e+12"},
		{0, 3e-9, "-3e-09 -2e-09 -1e-09 0 1e-09 2e-09 3e-09"},
	} {
		var got []string
		for _, tick := range ticks(test.middle, test.half, 7) {
			got = append(got, tick.Label)
		}
		assert.Equal(t, test.want, strings.Join(got, " "), "%v±%v", test.middle, test.half)
	}
	assert.Empty(t, ticks(0, math.SmallestNonzeroFloat64, 7))
}

func TestColoursDiffer(t *testing.T) {
	seen := map[string]int{}
	for i := range 40 {
		c := fmt.Sprint(colour(i))
		assert.NotContains(t, seen, c, "body %d has a colour again", i)
		seen[c] = i
	}
}
