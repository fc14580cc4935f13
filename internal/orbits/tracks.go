// Package orbits draws where bodies went, as a picture.
package orbits

import (
	"fmt"
	"math"
)

const (
	// maxPoints is the most points that are kept of one body: the last ten turns of a round orbit
	// at least.
	maxPoints = 4096
	// allPoints is about the most points that are kept of all bodies together, 100 MB.
	allPoints = 1 << 22
	// turn is the cosine of the angle, 2 degrees, by which a track turns before a point of it is
	// kept. A circle as large as the picture is then drawn to a tenth of a pixel.
	turn = 0.99939
	// stretch is the part of the picture's width that a track goes straight on before a point is kept.
	stretch = 1. / 50
)

// Tracks collects the places of bodies, as many as a run has steps, and keeps the points that a picture
// needs: those where a track turns. Of a body that goes round more often than the memory allows for, it
// keeps the last turns.
type Tracks struct {
	Title     string // of the picture; it may be empty
	names     []string
	unit      string
	tracks    []track
	limit     int   // points per track
	low, high point // of all places so far
}

type point [3]float64

// A track is the way of one body.
type track struct {
	points  []point // the last one is where the body is, and not kept for good
	heading point   // from the last point that is kept, of length 1
}

// New returns empty tracks of bodies with these names. unit is the unit of length, "AU" for example, or
// empty if none is known.
func New(names []string, unit string) *Tracks {
	t := &Tracks{names: names, unit: unit, tracks: make([]track, len(names))}
	t.limit = min(maxPoints, max(4, allPoints/max(1, len(names))))
	for axis := range t.low {
		t.low[axis], t.high[axis] = math.Inf(1), math.Inf(-1)
	}
	return t
}

// Add moves a body to a place. Coordinates that are not finite are an error.
func (t *Tracks) Add(body int, x, y, z float64) error {
	p := point{x, y, z}
	for axis, v := range p {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("orbits: %s is at %c = %v, which can't be drawn", t.names[body], "xyz"[axis], v)
		}
		t.low[axis], t.high[axis] = min(t.low[axis], v), max(t.high[axis], v)
	}
	tr := &t.tracks[body]
	n := len(tr.points)
	switch {
	case n == 0:
		tr.points = append(tr.points, p)
		return nil
	case tr.points[n-1] == p:
		return nil
	}
	last := tr.points[n-1]
	heading := unit(sub(p, last))
	if n > 1 {
		// Negated, so that a product that is no number keeps the point.
		straight := !(dot(heading, tr.heading) < turn)
		if straight && distance(last, tr.points[n-2]) < stretch*t.span() {
			tr.points[n-1] = p
			return nil
		}
	}
	if n == t.limit {
		n = copy(tr.points, tr.points[n/2:])
	}
	tr.points = append(tr.points[:n], p)
	tr.heading = heading
	return nil
}

// span is the largest extent of all places so far.
func (t *Tracks) span() float64 {
	d := sub(t.high, t.low)
	return max(d[0], d[1], d[2])
}

// bounds returns the extremes of all points that are kept; low is above high if there are none.
func (t *Tracks) bounds() (low, high point) {
	for axis := range low {
		low[axis], high[axis] = math.Inf(1), math.Inf(-1)
	}
	for _, tr := range t.tracks {
		for _, p := range tr.points {
			for axis, v := range p {
				low[axis], high[axis] = min(low[axis], v), max(high[axis], v)
			}
		}
	}
	return low, high
}

func sub(a, b point) point { return point{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func dot(a, b point) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func distance(a, b point) float64 { return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]) }

// unit scales a to length 1, by way of its largest component, whose square may be out of range.
func unit(a point) point {
	m := max(math.Abs(a[0]), math.Abs(a[1]), math.Abs(a[2]))
	a = point{a[0] / m, a[1] / m, a[2] / m}
	l := math.Sqrt(dot(a, a))
	return point{a[0] / l, a[1] / l, a[2] / l}
}
