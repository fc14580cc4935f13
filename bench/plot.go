package bench

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"math/bits"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gocuda/gocuda/internal/charts"
)

// The chart of `gocuda bench -plot`: a bar for each figure, as long as the logarithm of its ratio
// to openmp. Twice as fast goes as far to the right as half as fast goes to the left, so a bar
// shows by its side who is faster and by its length by how much.

const (
	plotWidth  = 620 // points
	plotRow    = 13  // of a bar with its gap
	plotBarTo  = 9   // of a bar
	plotMargin = 90  // of all that is above and below the bars

	space = "\u00a0" // no-break: SVG drops others at the beginning of a text
)

// plotColors are told apart by people who see few colours too (the palette of Okabe and Ito, 2008).
var plotColors = map[string]color.NRGBA{
	Serial: rgb(0x999999), Goroutines: rgb(0x56b4e9), Thread: rgb(0xcc79a7), Block: rgb(0xe69f00),
	Go: rgb(0x0072b2), SIMD: rgb(0x009e73), OpenMP: rgb(0x000000), OpenCL: rgb(0xd55e00),
}

func rgb(v uint32) color.NRGBA { return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff} }

// A plotBar is a figure and its ratio to that of the base.
type plotBar struct {
	result Result
	ratio  float64
}

// A plotGroup is the figures of a workload of one size.
type plotGroup struct {
	title string
	bars  []plotBar
}

// CanPlot reports whether Plot knows the format that the name of a file asks for.
func CanPlot(name string) bool { return charts.Known(name) }

// Plot writes results as a bar chart, in the format of the file's name, SVG or PNG: on a
// logarithmic scale, the ratio of each figure to that of openmp, or of serial if there is no
// openmp, for the same workload and size. Right of 1 is faster. Workloads with neither are not in
// the chart; it is an error if there is none left.
func Plot(w io.Writer, name string, results []Result) error {
	groups, base := plotGroups(results)
	if len(groups) == 0 {
		return errors.New("there is no figure of openmp or serial that a chart could compare with")
	}
	p := charts.New()
	p.Title.Text = "Speed compared with " + base
	p.X.Label.Text = "times as fast as " + base + ", on a logarithmic scale: right of 1 is faster, left of it slower"
	p.X.Min, p.X.Max = plotRange(groups)
	p.Y.Width, p.Y.Tick.Length, p.Y.Padding = 0, 0, 8
	p.Y.Tick.Marker = plot.ConstantTicks{} // what a bar is stands at its end

	// Rows go down from 0. The first has the labels of the scale again, then each group has its
	// title and its bars.
	row := 0.75
	var bars []plot.Plotter
	labels := plotter.Labels{Offset: vg.Point{Y: 1}} // whose middles are not those of their letters
	label := func(x, row float64, text string, style text.Style) {
		style.YAlign = draw.YCenter
		labels.XYs = append(labels.XYs, plotter.XY{X: x, Y: -row})
		labels.Labels, labels.TextStyle = append(labels.Labels, text), append(labels.TextStyle, style)
	}
	for _, g := range groups {
		title := charts.Text()
		title.Font.Weight = font.WeightBold
		row += 0.5
		label(p.X.Min, row, space+g.title, title)
		for _, b := range g.bars {
			row++
			bar, err := plotter.NewBarChart(plotter.Values{math.Log10(b.ratio)}, plotBarTo)
			if err != nil {
				return err
			}
			bar.Horizontal, bar.XMin = true, -row
			bar.Color, bar.LineStyle.Width = plotColors[b.result.Executor], 0
			bars = append(bars, bar)
			// What the bar stands for is at its end, on its own side of 1, off by a space.
			style, what := charts.Text(), fmt.Sprintf("%s: %.3g (%s %s)", b.result.Executor, b.ratio, digits(b.result.Value), b.result.Unit)
			if b.ratio < 1 {
				style.XAlign, what = draw.XRight, what+space
			} else {
				what = space + what
			}
			label(math.Log10(b.ratio), row, what, style)
		}
		row++
	}
	p.Y.Min, p.Y.Max = -row, 0.5

	lines := charts.Lines()
	lines.Horizontal.Color = nil
	var scale plot.ConstantTicks
	for _, tick := range plotTicks(p.X.Min, p.X.Max) {
		mark := plot.Tick{Value: math.Log10(tick), Label: fmt.Sprintf("%g", tick)}
		scale = append(scale, mark)
		style := charts.Text()
		style.XAlign = draw.XCenter
		label(mark.Value, 0, mark.Label, style)
	}
	p.X.Tick.Marker = scale
	one, err := plotter.NewLine(plotter.XYs{{X: 0, Y: p.Y.Min}, {X: 0, Y: -0.5}})
	if err != nil {
		return err
	}
	one.Color, one.Width = charts.Ink, 1
	p.Add(lines)
	p.Add(bars...)
	p.Add(one, &labels)
	return charts.Write(w, name, p, plotWidth, vg.Length(row*plotRow)+plotMargin)
}

// plotGroups puts the figures of a workload and size together and compares them with the base.
func plotGroups(results []Result) (groups []plotGroup, base string) {
	ratio := ratios(results)
	base = Serial
	for _, r := range results {
		if r.Executor == OpenMP {
			base = OpenMP
		}
	}
	index := map[string]int{}
	for _, r := range results {
		to := base
		x, ok := ratio(r, base)
		if !ok {
			to = Serial
			x, ok = ratio(r, Serial)
		}
		if !ok {
			continue
		}
		name := title(r.Workload, r.Size)
		if r.Size >= 1<<16 && bits.OnesCount(uint(r.Size)) == 1 {
			name = fmt.Sprintf("%s 2^%d", r.Workload, bits.TrailingZeros(uint(r.Size)))
		}
		if to != base {
			name += ", compared with serial"
		}
		i, ok := index[name]
		if !ok {
			i = len(groups)
			index[name] = i
			groups = append(groups, plotGroup{title: name})
		}
		groups[i].bars = append(groups[i].bars, plotBar{r, x})
	}
	return groups, base
}

// plotRange returns the decimal logarithms of the ends of the scale. It has 1 in it, all ratios,
// and half a decade at least on either side.
func plotRange(groups []plotGroup) (low, high float64) {
	low, high = -0.5, 0.5
	for _, g := range groups {
		for _, b := range g.bars {
			low, high = min(low, math.Log10(b.ratio)), max(high, math.Log10(b.ratio))
		}
	}
	return low, high
}

// plotTicks returns the powers of ten on the scale, and twice and five times these if there is room.
func plotTicks(low, high float64) []float64 {
	var ticks []float64
	for e := math.Floor(low); e <= high; e++ {
		for _, m := range []float64{1, 2, 5} {
			if m > 1 && high-low > 4 {
				break
			}
			// 1/10^-e is exact where 10^e is not, and prints without a tail of digits.
			tick := m * math.Pow10(int(e))
			if e < 0 {
				tick = m / math.Pow10(int(-e))
			}
			if l := math.Log10(tick); l >= low-1e-9 && l <= high+1e-9 {
				ticks = append(ticks, tick)
			}
		}
	}
	return ticks
}
