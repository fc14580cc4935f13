package orbits

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// A view is the part of a plane that a picture shows: from the middle by half to each side.
type view struct {
	axes   [2]int // the coordinates, 0 to 2, that go to the right and up
	middle [2]float64
	half   [2]float64
}

// look chooses the plane of the two axes in which the points extend the most, and a view of it that has
// them all, with some air, in the proportions of a picture of the given width and height.
func look(low, high point, width, height float64) (view, bool) {
	if low[0] > high[0] { // no points
		low, high = point{}, point{}
	}
	var middle, half point
	for a := range half { // by halves, since the difference may be out of range
		middle[a], half[a] = low[a]/2+high[a]/2, high[a]/2-low[a]/2
	}
	least := 0
	for a := range half {
		if half[a] <= half[least] {
			least = a
		}
	}
	v := view{axes: [2]int{(least + 1) % 3, (least + 2) % 3}}
	if v.axes[0] > v.axes[1] {
		v.axes[0], v.axes[1] = v.axes[1], v.axes[0]
	}
	size := 0.0 // of a pixel
	for i, a := range v.axes {
		v.middle[i] = middle[a]
		size = max(size, half[a]*1.08/([2]float64{width, height}[i]/2))
	}
	// Points that are all in one place, or so near each other that their coordinates would have too
	// many digits to tell them apart.
	far := max(math.Abs(v.middle[0]), math.Abs(v.middle[1]))
	switch {
	case size == 0 && far == 0:
		size = 1 / (width / 2)
	case size == 0:
		size = far / width
	}
	size = max(size, far*1e-12, 1e-300)
	v.half = [2]float64{size * width / 2, size * height / 2}
	for i := range v.half {
		if math.IsInf(v.middle[i]+v.half[i], 0) || math.IsInf(v.middle[i]-v.half[i], 0) || math.IsInf(2*v.half[i], 0) {
			return view{}, false
		}
	}
	return v, true
}

// of returns places as they are seen.
func (v view) of(points ...point) plotter.XYs {
	seen := make(plotter.XYs, len(points))
	for i, p := range points {
		seen[i] = plotter.XY{X: p[v.axes[0]], Y: p[v.axes[1]]}
	}
	return seen
}

// ticks returns round numbers in the range from middle-half to middle+half, about as many as asked for.
func ticks(middle, half float64, about int) []plot.Tick {
	rough := 2 * half / float64(about)
	exponent := math.Floor(math.Log10(rough))
	power := math.Pow(10, exponent)
	step := 10.0
	for _, s := range []float64{1, 2, 5} {
		if s*power >= rough*0.999 {
			step = s
			break
		}
	}
	step *= power
	if step == 0 || math.IsInf(step, 0) {
		return nil
	}
	last := math.Floor((middle + half) / step)
	largest := max(math.Abs(middle-half), math.Abs(middle+half))
	var list []plot.Tick
	for k := math.Ceil((middle - half) / step); k <= last; k++ {
		list = append(list, plot.Tick{Value: k * step, Label: label(k*step, step, largest)})
		if len(list) > 4*about { // out of the range of float64
			return nil
		}
	}
	return list
}

// label prints v, a multiple of step, with as many digits as tell it from its neighbours. Numbers with
// many zeros before or after their digits get an exponent.
func label(v, step, largest float64) string {
	if v == 0 {
		return "0"
	}
	first, last := math.Floor(math.Log10(largest)+1e-9), math.Floor(math.Log10(step)+1e-9) // powers of ten
	if last < -5 || first > 5 && (last > 3 || first > 14) {
		return strconv.FormatFloat(v, 'e', max(0, int(first-last)), 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, -int(last)), 64)
}

// mark puts numbers on an axis of the given length, as many as have room beside or above each
// other. size is how much of the length a number takes.
func mark(a *plot.Axis, middle, half float64, length vg.Length, size func(label string) vg.Length) {
	const gap = 12
	a.Min, a.Max = middle-half, middle+half
	a.Tick.Marker = plot.ConstantTicks(nil)
	for about := 9; about > 1; about-- {
		marks := ticks(middle, half, about)
		var widest vg.Length
		for _, m := range marks {
			widest = max(widest, size(m.Label))
		}
		if vg.Length(len(marks))*(widest+gap) <= length {
			a.Tick.Marker = plot.ConstantTicks(marks)
			return
		}
	}
}
