package orbits

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gocuda/gocuda/internal/charts"
)

// maxShown is the most names in a legend. Of a crowd nobody can tell the colours apart.
const maxShown = 36

// newLegend returns a legend of the names, one below the other, each after the mark of its track,
// as many as fit into the width and height; of a crowd it has only the number. Also returned is how
// wide it is.
func newLegend(names []string, marks []plot.Thumbnailer, width, height vg.Length) (plot.Legend, vg.Length) {
	l := plot.NewLegend()
	l.Top, l.Left = true, true
	l.TextStyle = charts.Text()
	l.ThumbnailWidth, l.Padding = 10, 3
	add := func(text string, marks ...plot.Thumbnailer) {
		l.Add(fit(text, width-l.ThumbnailWidth-l.TextStyle.Width(" ")), marks...)
	}
	fits := int(height / (l.TextStyle.Height("X") + l.Padding))
	shown := len(names)
	switch {
	case shown > maxShown || fits < 2 && shown > fits:
		add(fmt.Sprintf("bodies: %d", shown))
		shown = 0
	case shown > fits:
		shown = fits - 1
	}
	for i, name := range names[:shown] {
		add(name, marks[i])
	}
	if shown > 0 && shown < len(names) {
		add(fmt.Sprintf("and %d more", len(names)-shown))
	}
	if len(names) == 0 {
		return l, 0
	}
	size := l.Rectangle(draw.Canvas{}).Size()
	return l, size.X
}

// fit cuts a text that is too long for a line.
func fit(s string, width vg.Length) string {
	s = strings.Join(strings.Fields(s), " ")
	style, cut := charts.Text(), []rune(s)
	for style.Width(s) > width && len(cut) > 1 {
		cut = cut[:len(cut)-1]
		s = string(cut) + "…"
	}
	return s
}
