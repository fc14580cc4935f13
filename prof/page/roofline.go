package page

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gocuda/gocuda/internal/charts"
	"github.com/gocuda/gocuda/prof"
)

// roofline draws what a GPU attains at most, by operations on floating point a byte of device
// memory (Williams, Waterman and Patterson, "Roofline: an insightful visual performance model",
// 2009), and where the launch is.
func roofline(g prof.GPU, l *prof.Launch) (template.HTML, string, error) {
	if g.GFLOPS == 0 {
		return "", "There is no roofline for a compute capability alone: name a GPU", nil
	}
	m, err := l.Model(g)
	switch {
	case err != nil:
		return "", "There is no roofline: " + strings.TrimPrefix(err.Error(), "prof: "), nil
	case m.Flops == 0:
		return "", "There is no roofline: the kernel has no operations on floating point", nil
	case m.Intensity == 0:
		return "", "There is no roofline: the kernel does not use device memory", nil
	}
	x := m.Intensity
	top := min(g.GFLOPS, x*g.GBs)
	ridge := g.GFLOPS / g.GBs
	side := "memory"
	if x > ridge {
		side = "arithmetic"
	}
	words := fmt.Sprintf("%s operations a byte of device memory: at most %s of %s GFLOPS, bound by %s (%s operations a byte are needed for the peak); the point is the model's, %s GFLOPS",
		number(x), number(top), number(g.GFLOPS), side, number(ridge), number(m.GFLOPS))

	p := charts.New()
	p.X.Label.Text, p.Y.Label.Text = "float operations a byte of device memory", "GFLOPS"
	low, high := math.Log10(min(x, ridge))-1, math.Log10(max(x, ridge))+1
	roof, err := plotter.NewLine(plotter.XYs{
		{X: low, Y: math.Log10(g.GBs) + low}, {X: math.Log10(ridge), Y: math.Log10(g.GFLOPS)}, {X: high, Y: math.Log10(g.GFLOPS)},
	})
	if err != nil {
		return "", "", err
	}
	roof.Color, roof.Width = charts.Ink, 1.5
	here, err := plotter.NewScatter(plotter.XYs{{X: math.Log10(x), Y: math.Log10(m.GFLOPS)}})
	if err != nil {
		return "", "", err
	}
	here.GlyphStyle = draw.GlyphStyle{Color: mark, Radius: 4, Shape: draw.CircleGlyph{}}
	p.X.Tick.Marker, p.Y.Tick.Marker = decades{}, decades{}
	p.Add(charts.Lines(), roof, here)
	p.X.Min, p.X.Max = low, high
	p.Y.Min = math.Log10(min(m.GFLOPS, g.GBs*math.Pow(10, low))) - 0.2
	p.Y.Max = math.Log10(g.GFLOPS) + 0.5
	var b bytes.Buffer
	if err := charts.Write(&b, "roofline.svg", p, 420, 240); err != nil {
		return "", "", err
	}
	return themed(b.String()), words, nil
}

// mark is the colour of a point, which the page replaces.
var mark = color.NRGBA{0xb3, 0x40, 0x1a, 0xff}

// hex is a colour as the charts write it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// themed is a chart with the colours of the page.
func themed(svg string) template.HTML {
	if i := strings.Index(svg, "<svg"); i > 0 {
		svg = svg[i:]
	}
	for _, c := range []struct{ from, to string }{
		{hex(charts.Paper), "var(--paper)"}, {hex(charts.Ink), "var(--ink)"}, {hex(charts.Frame), "var(--soft)"},
		{hex(charts.Grid), "var(--line)"}, {hex(mark), "var(--mark)"},
	} {
		svg = strings.ReplaceAll(svg, c.from, c.to)
	}
	return template.HTML(svg) //nolint:gosec // drawn here, of numbers
}

// decades are ticks at powers of ten of an axis with logarithms.
type decades struct{}

func (decades) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Ceil(low); e <= high; e++ {
		ticks = append(ticks, plot.Tick{Value: e, Label: fmt.Sprintf("%g", math.Pow(10, e))})
	}
	return ticks
}
