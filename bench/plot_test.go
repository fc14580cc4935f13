package bench

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/charts"
)

// A word is a text of a chart and where it is, in points.
type word struct {
	text       string
	x, y       float64
	wide, high float64
}

// plotWords draws the results as SVG and returns its size and all its texts.
func plotWords(t *testing.T, results []Result) (words []word, width, height float64) {
	t.Helper()
	var svg bytes.Buffer
	require.NoError(t, Plot(&svg, "chart.svg", results))
	d := xml.NewDecoder(&svg)
	var in *word
	for {
		token, err := d.Token()
		if err == io.EOF {
			return words, width, height
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			number := func(name string) (v float64) {
				for _, a := range token.Attr {
					if a.Name.Local == name {
						v, err = strconv.ParseFloat(strings.TrimSuffix(a.Value, "pt"), 64)
						require.NoError(t, err)
					}
				}
				return v
			}
			switch token.Name.Local {
			case "svg":
				width, height = number("width"), number("height")
			case "text":
				in = &word{x: number("x"), y: number("y")}
			}
		case xml.CharData:
			if in != nil {
				style := charts.Text()
				in.text, in.wide, in.high = string(token), float64(style.Width(string(token))), 0.7*style.Font.Size.Points()
				words = append(words, *in)
			}
			in = nil
		}
	}
}

// texts are the words without their places.
func texts(words []word) (list []string) {
	for _, w := range words {
		list = append(list, strings.TrimSpace(w.text))
	}
	return list
}

// someResults are of two workloads, one of which has no openmp, and a third that has nothing to
// compare with.
var someResults = []Result{
	{"saxpy", 1 << 26, Serial, 1, 10, "GB/s", true, nil},
	{"saxpy", 1 << 26, SIMD, 2, 80, "GB/s", true, nil},
	{"saxpy", 1 << 26, OpenMP, 2, 40, "GB/s", true, nil},
	{"launch", 0, Serial, 1, 2, "us", true, nil},
	{"launch", 0, Thread, 2, 1, "us", true, nil},
	{"nbody", 4096, Block, 2, 8, "GFLOPS", true, nil},
}

// A bar is on the side of 1 that its ratio is on, and as long as the logarithm of that.
func TestPlotBars(t *testing.T) {
	var file bytes.Buffer
	require.NoError(t, Plot(&file, "chart.PNG", someResults))
	picture, err := png.Decode(&file)
	require.NoError(t, err)
	// Bars have colours of their own.
	bars := map[string]image.Rectangle{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			for executor, c := range plotColors {
				r, g, b, _ := picture.At(x, y).RGBA()
				if executor != OpenMP && uint8(r>>8) == c.R && uint8(g>>8) == c.G && uint8(b>>8) == c.B {
					bars[executor] = bars[executor].Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
	}
	require.Len(t, bars, 3, "serial, simd and thread")
	slow, fast, less := bars[Serial], bars[SIMD], bars[Thread]
	const pixels = 4 // the line at 1 hides the beginnings, and is as wide
	assert.InDelta(t, slow.Max.X, fast.Min.X, pixels, "they begin at the same place")
	assert.InDelta(t, slow.Dx(), 2*fast.Dx(), 2*pixels, "a quarter and twice, on a logarithmic scale")
	assert.InDelta(t, fast.Dx(), less.Dx(), pixels, "twice the speed and half the time")
	assert.InDelta(t, fast.Min.X, less.Min.X, pixels)
	assert.Greater(t, fast.Dx(), 30)
}

// The texts say what is what, none is on another one, and none reaches out of the picture.
func TestPlotTexts(t *testing.T) {
	words, width, height := plotWords(t, someResults)
	got := texts(words)
	for _, want := range []string{
		"Speed compared with openmp", "saxpy 2^26", "0.5", "2", "serial: 0.25 (10 GB/s)", "simd: 2 (80 GB/s)", "openmp: 1 (40 GB/s)", "launch, compared with serial", "thread: 2 (1 us)",
	} {
		assert.Contains(t, got, want)
	}
	assert.NotContains(t, strings.Join(got, "\n"), "nbody", "it is compared with nothing")
	// A bar's text is on the bar's side of 1.
	one := 0.0
	for _, w := range words {
		if strings.TrimSpace(w.text) == "1" {
			one = w.x + w.wide/2
		}
	}
	for _, w := range words {
		switch text := strings.TrimSpace(w.text); {
		case strings.HasPrefix(text, "serial: 0.25"):
			assert.Less(t, w.x+w.wide, one)
		case strings.HasPrefix(text, "simd: 2"), strings.HasPrefix(text, "thread: 2"):
			assert.Greater(t, w.x, one)
		}
	}

	// With all that there is, from a millionth to a thousand times as fast.
	var all []Result
	for _, w := range everyWorkload() {
		for i, e := range Executors() {
			if e != OpenMP || len(w.Sizes) > 0 {
				all = append(all, Result{w.Name, 1 << 26, e, 2, math.Pow(17, float64(i-5)), w.Unit, true, nil})
			}
		}
	}
	for _, results := range [][]Result{all, someResults, someResults[:2]} {
		words, width, height = plotWords(t, results)
		for i, a := range words {
			assert.True(t, a.x >= 0 && a.x+a.wide <= width && a.y <= 0 && -a.y <= height, "%+v is not within %v by %v", a, width, height)
			for _, b := range words[:i] {
				apart := a.x+a.wide <= b.x || b.x+b.wide <= a.x || a.y+a.high <= b.y || b.y+b.high <= a.y
				assert.True(t, apart, "%+v is on %+v", a, b)
			}
		}
	}
}

func TestPlotWithoutOpenMP(t *testing.T) {
	words, _, _ := plotWords(t, []Result{
		{"scan", 1000, Serial, 1, 1e6, "Melem/s", true, nil},
		{"scan", 1000, Thread, 2, 0.1, "Melem/s", true, nil},
	})
	for _, want := range []string{"Speed compared with serial", "scan 1000", "thread: 1e-07 (0.1 Melem/s)"} {
		assert.Contains(t, texts(words), want)
	}
}

func TestPlotErrors(t *testing.T) {
	assert.ErrorContains(t, Plot(io.Discard, "x.svg", []Result{{"scan", 1000, Thread, 2, 1, "Melem/s", true, nil}}), "no figure of openmp or serial")
	assert.ErrorContains(t, Plot(io.Discard, "x.pdf", someResults), "x.pdf")
	full := errors.New("the disk is full")
	for _, name := range []string{"x.svg", "x.png"} {
		assert.True(t, CanPlot(name))
		assert.ErrorIs(t, Plot(writeFails{full}, name, someResults), full, name)
	}
	assert.False(t, CanPlot("svg"))
}

// writeFails can't be written to.
type writeFails struct{ err error }

func (w writeFails) Write([]byte) (int, error) { return 0, w.err }

func TestPlotTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []float64
	}{
		{-0.5, 0.5, []float64{0.5, 1, 2}},
		{-1, 1, []float64{0.1, 0.2, 0.5, 1, 2, 5, 10}},
		{-3.2, 1.5, []float64{0.001, 0.01, 0.1, 1, 10}},
	} {
		assert.Equal(t, c.want, plotTicks(c.low, c.high), fmt.Sprint(c.low, " to ", c.high))
	}
}
