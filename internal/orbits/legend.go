package orbits

import (
	"fmt"
	"image/color"
	"math"
)

const (
	maxShown  = 36  // names
	maxRunes  = 24  // of a name
	rowHeight = 2.1 // in heights of a capital
)

// A legend is where names stand: in rows above the plot, as many as there is room for.
type legend struct {
	entries []entry
	rows    int
	letter  float64
	more    string // says how many have no room, in the last row
	moreX   float64
}

type entry struct {
	name string
	x    float64 // from the left side of the legend
	row  int
}

func (l legend) height() float64 { return float64(l.rows) * rowHeight * l.letter }

// arrange makes a legend of names in letters of the given height. It shows as many names as fit into the
// width and the height; of a crowd, whose colours nobody can tell apart, only the number.
func arrange(names []string, letter, width, height float64) legend {
	shown := len(names)
	if shown > maxShown {
		shown = 0
	}
	for ; shown > 0; shown-- {
		more := ""
		if shown < len(names) {
			more = fmt.Sprintf("and %d more", len(names)-shown)
		}
		if l, ok := fill(names[:shown], more, letter, width); ok && l.height() <= height {
			return l
		}
	}
	l := legend{letter: letter}
	if len(names) > 0 {
		l.rows, l.more = 1, fmt.Sprintf("bodies: %d", len(names))
	}
	return l
}

// fill sets names, and what is said of the others, in rows. It reports whether each name fits into one.
func fill(names []string, more string, letter, room float64) (legend, bool) {
	l := legend{letter: letter, rows: 1, more: more}
	x, fits := 0.0, true
	place := func(w float64) float64 {
		if x > 0 && x+w > room {
			x = 0
			l.rows++
		}
		at := x
		x += w + 1.6*letter
		fits = fits && w <= room
		return at
	}
	for _, name := range names {
		name = short(name)
		at := place(1.5*letter + width(name, letter))
		l.entries = append(l.entries, entry{name, at, l.rows - 1})
	}
	if more != "" {
		l.moreX = place(width(more, letter))
	}
	return l, fits
}

// short cuts a long name.
func short(name string) string {
	if r := []rune(name); len(r) > maxRunes {
		return string(r[:maxRunes-1]) + "…"
	}
	return name
}

// colours are easy to tell from each other and from the paper.
var colours = [...]color.NRGBA{
	{0xf0, 0x9a, 0x00, 0xff}, // gold
	{0xc8, 0x3e, 0x2f, 0xff}, // red
	{0x2e, 0x8b, 0x57, 0xff}, // green
	{0x17, 0x9f, 0xb5, 0xff}, // cyan
	{0x2f, 0x5f, 0xc4, 0xff}, // blue
	{0x8e, 0x4f, 0xb0, 0xff}, // violet
	{0xd8, 0x5a, 0x94, 0xff}, // pink
	{0x7a, 0x5b, 0x3a, 0xff}, // brown
	{0x8a, 0x9a, 0x1c, 0xff}, // olive
	{0x5a, 0x66, 0x70, 0xff}, // grey
}

// colour is that of the i-th body. Beyond the table hues go round by the golden angle, which never comes
// near a hue that was just used.
func colour(i int) color.NRGBA {
	if i < len(colours) {
		return colours[i]
	}
	_, hue := math.Modf(float64(i) * 0.61803398875)
	light := [...]float64{0.72, 0.55, 0.85}[i%3]
	channel := func(shift float64) uint8 {
		_, h := math.Modf(hue + shift)
		s := min(1, max(0, math.Abs(6*h-3)-1)) // 0 to 1, as in HSV
		return uint8(255 * light * (0.15 + 0.85*s))
	}
	return color.NRGBA{channel(0), channel(2. / 3), channel(1. / 3), 0xff}
}
