package bench

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"math/bits"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gocuda/gocuda/internal/charts"
)

// The chart of `gocuda bench -figure NAME -plot FILE`: speed over size, both by their logarithms,
// for the text's machines and these are far apart. The text's numbers are crosses at their size, or
// broken lines where it says none.

const figureWidth, figureHeight = 640, 420 // points

// figureColors are for curves, in their order; see plotColors.
var figureColors = []color.NRGBA{rgb(0x0072b2), rgb(0x009e73), rgb(0xd55e00), rgb(0xcc79a7)}

var figureText = rgb(0x7a7a7a) // of what the text says

// Plot draws the points, in the format of the file's name, SVG or PNG.
func (f *Figure) Plot(w io.Writer, name string, points []SweepPoint) error {
	if len(points) == 0 {
		return errors.New("there are no points to draw")
	}
	p := charts.New()
	p.Title.Text = fmt.Sprintf("Figure %s: %s", f.Name, f.Title)
	p.X.Label.Text, p.Y.Label.Text = f.X, f.Unit
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs, p.Legend.YOffs, p.Legend.Padding = 8, -4, 3 // off the axis
	p.Add(charts.Lines())
	for i, c := range f.Curves {
		var xys plotter.XYs
		for _, n := range sizesOf(points) {
			for _, q := range points {
				if q.Curve == c.Name && q.Size == n {
					xys = append(xys, plotter.XY{X: float64(n), Y: q.Value})
				}
			}
		}
		if len(xys) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(xys)
		if err != nil {
			return err
		}
		line.Color, line.Width = figureColors[i%len(figureColors)], 1.5
		dots.Color, dots.Shape, dots.Radius = line.Color, draw.CircleGlyph{}, 2.5
		p.Add(line, dots)
		p.Legend.Add(c.Name, line, dots)
	}
	sizes := sizesOf(points)
	low, high := float64(sizes[0]), float64(sizes[len(sizes)-1])
	left, right := low, high // of all that is drawn
	for _, q := range f.Points {
		if q.Size > 0 {
			left, right = min(left, float64(q.Size)), max(right, float64(q.Size))
		}
	}
	labels := plotter.Labels{Offset: vg.Point{X: 4, Y: 3}}
	for _, q := range f.Points {
		at := plotter.XY{X: float64(q.Size), Y: q.Value}
		if q.Size == 0 {
			at.X = low
			line, err := plotter.NewLine(plotter.XYs{{X: low, Y: q.Value}, {X: max(high, 2*low), Y: q.Value}})
			if err != nil {
				return err
			}
			line.Color, line.Dashes = figureText, []vg.Length{4, 3}
			p.Add(line)
		} else {
			cross, err := plotter.NewScatter(plotter.XYs{at})
			if err != nil {
				return err
			}
			cross.Color, cross.Shape, cross.Radius = figureText, draw.CrossGlyph{}, 4
			p.Add(cross)
		}
		style := charts.Text()
		style.Color = figureText
		if q.Size > 0 && float64(q.Size) > math.Sqrt(left*right) {
			style.XAlign = draw.XRight
		}
		labels.XYs = append(labels.XYs, at)
		labels.Labels, labels.TextStyle = append(labels.Labels, fmt.Sprintf("%s: %.4g", q.What, q.Value)), append(labels.TextStyle, style)
	}
	p.Add(&labels)
	p.X.Tick.Marker = sizeTicks(sizes)
	p.Y.Tick.Marker = plot.TickerFunc(func(low, high float64) (ticks []plot.Tick) {
		for _, v := range plotTicks(math.Log10(low), math.Log10(high)) {
			ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%g", v)})
		}
		return ticks
	})
	if p.X.Max <= p.X.Min { // one size
		p.X.Min, p.X.Max = p.X.Min/2, p.X.Max*2
	}
	// Room for the legend above the highest point, and half a decade at least.
	p.Y.Min, p.Y.Max = p.Y.Min/1.3, max(p.Y.Max*math.Pow(1.8, float64(1+len(f.Curves))/2), p.Y.Min*3)
	return charts.Write(w, name, p, figureWidth, figureHeight)
}

// sizeTicks marks the sizes, as powers of two where they are large ones.
func sizeTicks(sizes []int) plot.ConstantTicks {
	every := (len(sizes) + 8) / 9
	var ticks plot.ConstantTicks
	for i, n := range sizes {
		label := fmt.Sprint(n)
		if n >= 1<<16 && bits.OnesCount(uint(n)) == 1 {
			label = fmt.Sprint("2^", bits.TrailingZeros(uint(n)))
		}
		if i%every != 0 {
			label = ""
		}
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: label})
	}
	return ticks
}
