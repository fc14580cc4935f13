package bench

import (
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
)

// plotBars draws the results and returns the width of each bar by what its tooltip says, and all text.
func plotBars(t *testing.T, results []Result) (bars map[string][2]float64, texts string) {
	t.Helper()
	var svg strings.Builder
	if err := Plot(&svg, results); err != nil {
		t.Fatal(err)
	}
	bars = map[string][2]float64{}
	d := xml.NewDecoder(strings.NewReader(svg.String()))
	var rect [2]float64
	inTitle := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			return bars, texts
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg.String())
		}
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
	if len(bars) != 5 || one == 0 {
		t.Fatalf("bars %v", bars)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 0.3 } // coordinates have one digit
	if !near(slow[0]+slow[1], one) || !near(fast[0], one) {
		t.Errorf("the bars %v and %v don't begin at %v", slow, fast, one)
	}
	if !near(slow[1], 2*fast[1]) {
		t.Errorf("a quarter is drawn as %v, twice as %v: not logarithmic", slow[1], fast[1])
	}
	if !near(launch[0], one) || !near(launch[1], fast[1]) {
		t.Errorf("half the time is drawn as %v, twice the speed as %v", launch, fast)
	}
	for _, want := range []string{"Speed compared with openmp", "saxpy 2^26", "simd", "0.25", "2", "80 GB/s", "launch, compared with serial"} {
		if !strings.Contains(texts, want+"\n") {
			t.Errorf("no %q in\n%s", want, texts)
		}
	}
	if strings.Contains(texts, "nbody") {
		t.Errorf("nbody is compared with nothing:\n%s", texts)
	}
}

func TestPlotWithoutOpenMP(t *testing.T) {
	_, texts := plotBars(t, []Result{
		{"scan", 1000, Serial, 1, 1e6, "Melem/s", true},
		{"scan", 1000, Thread, 2, 0.1, "Melem/s", true},
	})
	for _, want := range []string{"Speed compared with serial", "scan 1000", "1e-07"} {
		if !strings.Contains(texts, want+"\n") {
			t.Errorf("no %q in\n%s", want, texts)
		}
	}
	if err := Plot(io.Discard, []Result{{"scan", 1000, Thread, 2, 1, "Melem/s", true}}); err == nil {
		t.Error("a chart of nothing")
	}
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
		got := plotTicks(c.low, c.high)
		if len(got) != len(c.want) {
			t.Errorf("%v to %v: %v", c.low, c.high, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%v to %v: %v", c.low, c.high, got)
			}
		}
	}
}
