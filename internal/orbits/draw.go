package orbits

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/gocuda/gocuda/internal/charts"
)

const (
	// MinSize and MaxSize bound the size of a picture, in pixels. One of the largest takes 600 MB of
	// memory while it is drawn.
	MinSize = 200
	MaxSize = 8192
)

// WritePNG draws the tracks as Draw does and writes the picture to w.
func (t *Tracks) WritePNG(w io.Writer, size int) error {
	picture, err := t.Draw(size)
	if err != nil {
		return err
	}
	return png.Encode(w, picture)
}

// Draw draws the tracks in the plane of the two axes along which they extend the most, with the
// same scale on both. The picture is a square of size pixels, from MinSize to MaxSize. A dot marks
// where each body was last. Without tracks the picture has only its axes.
func (t *Tracks) Draw(size int) (image.Image, error) {
	if size < MinSize || size > MaxSize {
		return nil, fmt.Errorf("orbits: a picture of %d pixels; the size must be from %d to %d", size, MinSize, MaxSize)
	}
	// Letters and lines grow with the picture, and stay readable in the smallest.
	dpi := max(65, int(math.Round(float64(size)*108/1000)))
	side := vg.Length(size) / vg.Length(dpi) * vg.Inch
	c := vgimg.NewWith(vgimg.UseWH(side, side), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(charts.Paper))
	if err := t.draw(draw.New(c)); err != nil {
		return nil, err
	}
	return c.Image(), nil
}

// draw draws the tracks on c: the legend at the right, and the axes at the left.
func (t *Tracks) draw(c draw.Canvas) error {
	const margin = 12 // points
	c = draw.Crop(c, margin, -margin, margin, -margin)
	legend, width := newLegend(t.names, t.dots(), c.Size().X/3, c.Size().Y)
	if width > 0 {
		legend.Draw(draw.Crop(c, c.Size().X-width, 0, 0, 0))
		c = draw.Crop(c, 0, -width-margin, 0, 0)
	}
	p := charts.New()
	p.Title.Text = t.Title
	v, err := t.scale(p, c)
	if err != nil {
		return err
	}
	p.Add(charts.Lines())
	wide := vg.Length(1.1)
	if t.crowd() {
		wide = 0.7
	}
	for i, tr := range t.tracks {
		if len(tr.points) > 1 {
			p.Add(&plotter.Line{XYs: v.of(tr.points...), LineStyle: draw.LineStyle{Color: colour(i), Width: wide}})
		}
	}
	for i, tr := range t.tracks {
		if n := len(tr.points); n > 0 {
			p.Add(place{v.of(tr.points[n-1])[0], colour(i), t.radius()})
		}
	}
	p.Draw(c)
	return nil
}

// scale finds the view and puts numbers on the axes. The width of the numbers depends on the view,
// and that on the width: the second time is right.
func (t *Tracks) scale(p *plot.Plot, c draw.Canvas) (v view, err error) {
	low, high := t.bounds()
	style := charts.Text()
	for range 2 {
		area := p.DataCanvas(c).Size()
		var ok bool
		if v, ok = look(low, high, float64(area.X), float64(area.Y)); !ok {
			return v, fmt.Errorf("orbits: the tracks extend beyond the range of float64")
		}
		mark(&p.X, v.middle[0], v.half[0], area.X, style.Width)
		mark(&p.Y, v.middle[1], v.half[1], area.Y, style.Height)
		for i, a := range []*plot.Axis{&p.X, &p.Y} {
			a.Label.Text = "xyz"[v.axes[i] : v.axes[i]+1]
			if t.unit != "" {
				a.Label.Text += " (" + t.unit + ")"
			}
		}
	}
	return v, nil
}

// crowd reports whether there are so many bodies that their tracks should be thin.
func (t *Tracks) crowd() bool { return len(t.tracks) > 50 }

// radius is that of the dots.
func (t *Tracks) radius() vg.Length {
	if t.crowd() {
		return 1.5
	}
	return 3
}

// dots returns the marks of the legend.
func (t *Tracks) dots() []plot.Thumbnailer {
	var marks []plot.Thumbnailer
	for i := range t.tracks {
		marks = append(marks, place{colour: colour(i), radius: t.radius()})
	}
	return marks
}

// A place marks where a body was last.
type place struct {
	at     plotter.XY
	colour color.Color
	radius vg.Length
}

// Plot implements plot.Plotter.
func (d place) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := vg.Point{X: x(d.at.X), Y: y(d.at.Y)}
	glyph := func(colour color.Color, radius vg.Length) {
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: colour, Radius: radius, Shape: draw.CircleGlyph{}}, at)
	}
	glyph(charts.Paper, d.radius+0.8) // a ring that sets the dot off from the lines
	glyph(d.colour, d.radius)
}

// Thumbnail implements plot.Thumbnailer.
func (d place) Thumbnail(c *draw.Canvas) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: d.colour, Radius: d.radius, Shape: draw.CircleGlyph{}}, c.Center())
}
