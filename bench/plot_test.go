package bench

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plotBars draws the results and returns the width of each bar by what its tooltip says, and all text.
func plotBars(t *testing.T, results []Result) (bars map[string][2]float64, texts string) {
	t.Helper()
	var svg strings.Builder
	require.NoError(t, Plot(&svg, results))
	bars = map[string][2]float64{}
	d := xml.NewDecoder(strings.NewReader(svg.String()))
	var rect [2]float64
	inTitle := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			return bars, texts
		}
		require.NoError(t, err, svg.String())
		switch token := token.(type) {
		case xml.StartElement:
			inTitle = token.Name.Local == "title"
			if token.Name.Local != "rect" {
				break
			}
			for _, a := range token.Attr {
				v, _ := strconv.ParseFloat(a.Value, 64)
				switch a.Name.Local {
				case "x":
					rect[0] = v
				case "width":
					rect[1] = v
				}
			}
		case xml.CharData:
			if inTitle {
				bars[string(token)] = rect
			} else if s := strings.TrimSpace(string(token)); s != "" {
				texts += s + "\n"
			}
			inTitle = false
		}
	}
}

func TestPlot(t *testing.T) {
	bars, texts := plotBars(t, []Result{
		{"saxpy", 1 << 26, Serial, 1, 10, "GB/s", true},
		{"saxpy", 1 << 26, SIMD, 2, 80, "GB/s", true},
		{"saxpy", 1 << 26, OpenMP, 2, 40, "GB/s", true},
		{"launch", 0, Serial, 1, 2, "us", true},
		{"launch", 0, Thread, 2, 1, "us", true},
		{"nbody", 4096, Block, 2, 8, "GFLOPS", true}, // with nothing to compare with
	})
	one := bars["saxpy 2^26 on openmp: 40 GB/s"][0]
	slow, fast := bars["saxpy 2^26 on serial: 10 GB/s"], bars["saxpy 2^26 on simd: 80 GB/s"]
	launch := bars["launch, compared with serial on thread: 1 us"]
	require.Len(t, bars, 5)
	require.NotZero(t, one)
	const near = 0.3 // coordinates have one digit
	assert.InDelta(t, one, slow[0]+slow[1], near, "the end of the slow bar")
	assert.InDelta(t, one, fast[0], near, "the beginning of the fast bar")
	assert.InDelta(t, 2*fast[1], slow[1], near, "a quarter and twice as fast: not logarithmic")
	assert.InDelta(t, one, launch[0], near, "the beginning of the bar of half the time")
	assert.InDelta(t, fast[1], launch[1], near, "half the time and twice the speed")
	for _, want := range []string{"Speed compared with openmp", "saxpy 2^26", "simd", "0.25", "2", "80 GB/s", "launch, compared with serial"} {
		assert.Contains(t, texts, want+"\n")
	}
	assert.NotContains(t, texts, "nbody", "nbody is compared with nothing")
}

func TestPlotWithoutOpenMP(t *testing.T) {
	_, texts := plotBars(t, []Result{
		{"scan", 1000, Serial, 1, 1e6, "Melem/s", true},
		{"scan", 1000, Thread, 2, 0.1, "Melem/s", true},
	})
	for _, want := range []string{"Speed compared with serial", "scan 1000", "1e-07"} {
		assert.Contains(t, texts, want+"\n")
	}
	assert.Error(t, Plot(io.Discard, []Result{{"scan", 1000, Thread, 2, 1, "Melem/s", true}}), "a chart of nothing")
}

func TestPlotTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []float64
	}{
		{-0.5, 0.5, []float64{0.5, 1, 2}},
		{-1, 1, []float64{0.1, 0.2, 0.5, 1, 2, 5, 10}},
		{-3.2, 1.5, []float64{0.001, 0.01, 0.1, 1, 10}},
	} {
		assert.Equal(t, c.want, plotTicks(c.low, c.high), "%v to %v", c.low, c.high)
	}
}
