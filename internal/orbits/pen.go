package orbits

import (
	"image"
	"image/color"
	"image/draw"
	"math"
)

// A pen draws smooth lines. Strokes collect in a mask, where each pixel keeps its largest coverage, so
// that lines that cross or join in one colour don't add up; ink then puts the mask on the picture.
type pen struct {
	picture *image.RGBA
	mask    *image.Alpha
	dirty   image.Rectangle // the part of the mask that isn't 0
}

func newPen(picture *image.RGBA) *pen {
	return &pen{picture: picture, mask: image.NewAlpha(picture.Rect)}
}

// line marks the pixels within r of the segment from (x0, y0) to (x1, y1), with round ends. Pixel (i, j)
// has its centre at (i+0.5, j+0.5). A pixel is covered as far as its distance to the line says, which is
// exact to the eye for lines of a pixel and more.
func (p *pen) line(x0, y0, x1, y1, r float64) {
	if y0 > y1 {
		x0, y0, x1, y1 = x1, y1, x0, y0
	}
	reach := r + 0.5
	box := image.Rect(int(math.Floor(min(x0, x1)-reach)), int(math.Floor(y0-reach)),
		int(math.Ceil(max(x0, x1)+reach)), int(math.Ceil(y1+reach))).Intersect(p.mask.Rect)
	if box.Empty() {
		return
	}
	p.dirty = p.dirty.Union(box)
	dx, dy := x1-x0, y1-y0
	l2 := dx*dx + dy*dy
	for j := box.Min.Y; j < box.Max.Y; j++ {
		y := float64(j) + 0.5
		// Only the part of the segment whose y is near matters for this row.
		from, to := x0, x1
		if dy > 0 {
			from = x0 + dx*min(1, max(0, (y-reach-y0)/dy))
			to = x0 + dx*min(1, max(0, (y+reach-y0)/dy))
		}
		left := max(box.Min.X, int(math.Floor(min(from, to)-reach)))
		right := min(box.Max.X, int(math.Ceil(max(from, to)+reach)))
		row := p.mask.Pix[p.mask.PixOffset(p.mask.Rect.Min.X, j):]
		for i := left; i < right; i++ {
			x := float64(i) + 0.5
			s := 0.0
			if l2 > 0 {
				s = min(1, max(0, ((x-x0)*dx+(y-y0)*dy)/l2))
			}
			ex, ey := x-x0-s*dx, y-y0-s*dy
			cover := min(1, reach-math.Sqrt(ex*ex+ey*ey))
			if cover > 0 {
				at := &row[i-p.mask.Rect.Min.X]
				*at = max(*at, uint8(255*cover+0.5))
			}
		}
	}
}

// dot marks a disc of radius r.
func (p *pen) dot(x, y, r float64) { p.line(x, y, x, y, r) }

// ink paints what was marked in colour c, and takes a new mask.
func (p *pen) ink(c color.Color) {
	draw.DrawMask(p.picture, p.dirty, image.NewUniform(c), image.Point{}, p.mask, p.dirty.Min, draw.Over)
	for j := p.dirty.Min.Y; j < p.dirty.Max.Y; j++ {
		clear(p.mask.Pix[p.mask.PixOffset(p.dirty.Min.X, j) : p.mask.PixOffset(p.dirty.Max.X-1, j)+1])
	}
	p.dirty = image.Rectangle{}
}

// box paints a rectangle at once. Axes and grid are boxes, so that they stay sharp.
func (p *pen) box(r image.Rectangle, c color.Color) {
	draw.Draw(p.picture, r, image.NewUniform(c), image.Point{}, draw.Over)
}
