package orbits

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
)

const (
	// MinSize and MaxSize bound the size of a picture, in pixels. One of the largest takes 340 MB of
	// memory while it is drawn.
	MinSize = 200
	MaxSize = 8192
)

var (
	paper = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	grid  = color.NRGBA{0xe9, 0xec, 0xf0, 0xff}
	frame = color.NRGBA{0x9a, 0xa3, 0xad, 0xff}
	text  = color.NRGBA{0x33, 0x3b, 0x45, 0xff}
)

// WritePNG draws the tracks as Draw does and writes the picture to w.
func (t *Tracks) WritePNG(w io.Writer, size int) error {
	picture, err := t.Draw(size)
	if err != nil {
		return err
	}
	return png.Encode(w, picture)
}

// Draw draws the tracks in the plane of the two axes along which they extend the most, with the same scale
// on both. The picture is a square of size pixels, from MinSize to MaxSize. A dot marks where each body
// was last. Without tracks the picture has only its axes.
func (t *Tracks) Draw(size int) (*image.RGBA, error) {
	if size < MinSize || size > MaxSize {
		return nil, fmt.Errorf("orbits: a picture of %d pixels; the size must be from %d to %d", size, MinSize, MaxSize)
	}
	d := drawing{pen: newPen(image.NewRGBA(image.Rect(0, 0, size, size)))}
	d.box(d.picture.Rect, paper)
	d.unit = max(0.6, float64(size)/1000)
	d.letter = 10.5 * d.unit
	if err := d.layout(t); err != nil {
		return nil, err
	}
	d.axes(t)
	d.tracks(t)
	d.legend()
	return d.picture, nil
}

// A drawing is a picture in the making. Lengths are in pixels.
type drawing struct {
	*pen
	unit   float64         // the scale of lines and gaps; 1 for a picture of 1000 pixels
	letter float64         // the height of capitals
	plot   image.Rectangle // within the axes
	view   view
	ticks  [2][]tick
	names  legend
}

// layout finds the place of everything. The legend stands above the plot, the numbers of the axes at its
// left and below, and the plot takes the rest.
func (d *drawing) layout(t *Tracks) error {
	size := float64(d.picture.Rect.Dx())
	margin := 1.8 * d.letter
	low, high := t.bounds()
	left := 6 * d.letter
	// The width of the numbers depends on the view, and that on the width: the second time is right.
	for range 2 {
		d.names = arrange(t.names, d.letter, size-left-margin, size/6)
		top := margin + d.names.height()
		d.plot = image.Rect(int(left), int(top), int(size-margin), int(size-5.2*d.letter))
		w, h := float64(d.plot.Dx()), float64(d.plot.Dy())
		var ok bool
		if d.view, ok = look(low, high, w, h); !ok {
			return fmt.Errorf("orbits: the tracks extend beyond the range of float64")
		}
		widest := 0.0
		for i, length := range []float64{w, h} {
			d.ticks[i] = ticks(d.view.middle[i], d.view.half[i], max(4, int(length/(7*d.letter))))
		}
		for _, tick := range d.ticks[1] {
			widest = max(widest, width(tick.label, d.letter))
		}
		left = min(4.2*d.letter+widest, size/2)
	}
	return nil
}

// at returns where on the picture a place is.
func (d *drawing) at(p point) (x, y float64) {
	return d.across(p[d.view.axes[0]]), d.up(p[d.view.axes[1]])
}

func (d *drawing) across(v float64) float64 {
	s := (v - d.view.middle[0]) / d.view.half[0] // -1 to 1
	return float64(d.plot.Min.X) + (1+s)/2*float64(d.plot.Dx())
}

func (d *drawing) up(v float64) float64 {
	s := (v - d.view.middle[1]) / d.view.half[1]
	return float64(d.plot.Max.Y) - (1+s)/2*float64(d.plot.Dy())
}

// axes draws the frame, the grid, and the numbers.
func (d *drawing) axes(t *Tracks) {
	thin := max(1, int(d.unit+0.5))
	long := max(2, int(5*d.unit))
	in := d.plot
	free := math.Inf(-1) // numbers end here, so that no two overlap
	for _, tick := range d.ticks[0] {
		x := int(d.across(tick.at))
		d.box(image.Rect(x, in.Min.Y, x+thin, in.Max.Y), grid)
		d.box(image.Rect(x, in.Max.Y, x+thin, in.Max.Y+long), frame)
		w := width(tick.label, d.letter)
		if from := float64(x) - w/2; from > free && from+w < float64(d.picture.Rect.Dx()) {
			d.text(from, float64(in.Max.Y)+1.9*d.letter, d.letter, tick.label, false)
			free = from + w + d.letter
		}
	}
	for _, tick := range d.ticks[1] {
		y := int(d.up(tick.at))
		d.box(image.Rect(in.Min.X, y, in.Max.X, y+thin), grid)
		d.box(image.Rect(in.Min.X-long, y, in.Min.X, y+thin), frame)
		w := width(tick.label, d.letter)
		d.text(float64(in.Min.X)-w-d.letter, float64(y)+d.letter/2, d.letter, tick.label, false)
	}
	for _, side := range []image.Rectangle{
		{in.Min, image.Pt(in.Max.X, in.Min.Y+thin)}, {image.Pt(in.Min.X, in.Max.Y), image.Pt(in.Max.X+thin, in.Max.Y+thin)},
		{in.Min, image.Pt(in.Min.X+thin, in.Max.Y)}, {image.Pt(in.Max.X, in.Min.Y), image.Pt(in.Max.X+thin, in.Max.Y)},
	} {
		d.box(side, frame)
	}
	var names [2]string
	for i, axis := range d.view.axes {
		names[i] = "xyz"[axis : axis+1]
		if t.unit != "" {
			names[i] += " (" + t.unit + ")"
		}
	}
	d.text(float64(in.Min.X+in.Max.X)/2-width(names[0], d.letter)/2, float64(d.picture.Rect.Dy())-1.2*d.letter, d.letter, names[0], false)
	d.text(1.9*d.letter, float64(in.Min.Y+in.Max.Y)/2+width(names[1], d.letter)/2, d.letter, names[1], true)
	d.ink(text)
}

// tracks draws the lines, and above them the dots.
func (d *drawing) tracks(t *Tracks) {
	r, disc := 0.8*d.unit, 4.5*d.unit
	if len(t.tracks) > 50 { // a crowd
		r, disc = 0.5*d.unit, 2*d.unit
	}
	for i, tr := range t.tracks {
		for k := 1; k < len(tr.points); k++ {
			x0, y0 := d.at(tr.points[k-1])
			x1, y1 := d.at(tr.points[k])
			d.line(x0, y0, x1, y1, r)
		}
		d.ink(colour(i))
	}
	for i, tr := range t.tracks {
		if n := len(tr.points); n > 0 {
			x, y := d.at(tr.points[n-1])
			d.dot(x, y, disc+1.5*r)
			d.ink(paper) // a ring that sets the dot off from the lines
			d.dot(x, y, disc)
			d.ink(colour(i))
		}
	}
}

// legend draws a disc and a name for each body.
func (d *drawing) legend() {
	place := func(x float64, row int) (float64, float64) { // the top left corner of an entry
		return float64(d.plot.Min.X) + x, 1.4*d.letter + float64(row)*rowHeight*d.letter
	}
	for i, e := range d.names.entries {
		x, y := place(e.x, e.row)
		d.dot(x+d.letter/2, y+d.letter/2, 0.43*d.letter)
		d.ink(colour(i))
	}
	for _, e := range d.names.entries {
		x, y := place(e.x, e.row)
		d.text(x+1.5*d.letter, y+d.letter, d.letter, e.name, false)
	}
	x, y := place(d.names.moreX, d.names.rows-1)
	d.text(x, y+d.letter, d.letter, d.names.more, false)
	d.ink(text)
}
