// Package charts has the looks of all charts: what gonum.org/v1/plot draws for the commands, on a
// light background, with a font without serifs and no more lines than needed.
package charts

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The colours of what is no data.
var (
	Paper = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	Ink   = color.NRGBA{0x22, 0x28, 0x30, 0xff} // text
	Frame = color.NRGBA{0x9a, 0xa3, 0xad, 0xff} // axes
	Grid  = color.NRGBA{0xe4, 0xe8, 0xec, 0xff}
)

const (
	large = 13 // points: the heading
	small = 9.5
)

// New returns a chart without data.
func New() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = Paper
	p.Title.TextStyle = Text()
	p.Title.TextStyle.Font.Size, p.Title.TextStyle.Font.Weight = large, font.WeightBold
	p.Title.TextStyle.XAlign, p.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	p.Title.Padding = 8
	p.Legend.TextStyle = Text()
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		for _, s := range []*text.Style{&a.Label.TextStyle, &a.Tick.Label} {
			look := Text()
			look.XAlign, look.YAlign = s.XAlign, s.YAlign
			*s = look
		}
		a.Label.Padding = 4
		a.Color, a.Tick.Color = Frame, Frame
		a.Tick.Length = 4
		a.Padding = 0
	}
	return p
}

// Text returns the looks of small text that begins where it is put.
func Text() text.Style {
	return text.Style{
		Color:   Ink,
		Font:    plotfont.Font{Typeface: "Liberation", Variant: "Sans", Size: small},
		Handler: plot.DefaultTextHandler,
	}
}

// Lines returns the lines behind the data, at the ticks of the axes.
func Lines() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical = draw.LineStyle{Color: Grid, Width: 0.75}
	g.Horizontal = g.Vertical
	return g
}

// Known reports whether a chart can be written to a file of that name.
func Known(name string) bool {
	ext := suffix(name)
	return ext == ".svg" || ext == ".png"
}

func suffix(name string) string { return strings.ToLower(filepath.Ext(name)) }

// Write draws a chart of the given size, in points, and writes it in the format that the name of
// its file asks for.
func Write(w io.Writer, name string, p *plot.Plot, width, height vg.Length) error {
	switch suffix(name) {
	case ".svg":
		c := vgsvg.New(width, height)
		onPaper(c, p)
		var b bytes.Buffer
		if _, err := c.WriteTo(&b); err != nil {
			return err
		}
		// The others have letters of the same widths, and one of them is there on every system.
		svg := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;"))
		_, err := w.Write(svg)
		return err
	case ".png":
		return png.Encode(w, Image(p, width, height))
	}
	return fmt.Errorf("%s: a chart is an .svg or a .png file", name)
}

// Image draws a chart of the given size, in points, with two pixels each.
func Image(p *plot.Plot, width, height vg.Length) image.Image {
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(144))
	onPaper(c, p)
	return c.Image()
}

// onPaper draws a chart with a margin.
func onPaper(on vg.CanvasSizer, p *plot.Plot) {
	c := draw.New(on)
	c.SetColor(Paper)
	c.Fill(c.Rectangle.Path())
	const margin = 10
	p.Draw(draw.Crop(c, margin, -margin, margin, -margin))
}
