package orbits

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
)

func TestEveryPrintableCharacterHasAGlyph(t *testing.T) {
	for c := ' '; c <= '~'; c++ {
		if _, ok := glyphs[c]; !ok {
			t.Errorf("%q has none", c)
		}
	}
	for c := range glyphs {
		curves(c, func(ax, ay, bx, by float64) {
			if min(ax, bx) < 0 || max(ax, bx) > capUnits || min(ay, by) < 0 || max(ay, by) > baseline+capUnits+1 {
				t.Errorf("%q leaves its box: %v,%v to %v,%v", c, ax, ay, bx, by)
			}
		})
	}
}

func TestTextIsAsWideAsItSays(t *testing.T) {
	const h = 24
	for _, s := range []string{"Neptune", "-30.5", "no glyph: ☿"} {
		p := newPen(image.NewRGBA(image.Rect(0, 0, 400, 100)))
		p.text(10, 50, h, s, false)
		marked := image.Rectangle{}
		for y := range 100 {
			for x := range 400 {
				if p.mask.AlphaAt(x, y).A > 128 {
					marked = marked.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		if w := width(s, h); float64(marked.Dx()) < w-3 || float64(marked.Dx()) > w+6 {
			t.Errorf("%q is %d wide, not %v", s, marked.Dx(), w)
		}
	}
}

func TestTicksAreRoundNumbers(t *testing.T) {
	for _, test := range []struct {
		middle, half float64
		want         string
	}{
		{0, 32, "-30 -20 -10 0 10 20 30"},
		{0, 1.1, "-1.0 -0.5 0 0.5 1.0"},
		{0.5, 0.5, "0 0.2 0.4 0.6 0.8 1.0"},
		{1e9, 5, "999999996 999999998 1000000000 1000000002 1000000004"},
		{0, 3e12, "-3e+12 -2e+12 -1e+12 0 1e+12 2e+12 3e+12"},
		{0, 3e-9, "-3e-09 -2e-09 -1e-09 0 1e-09 2e-09 3e-09"},
	} {
		var got []string
		for _, tick := range ticks(test.middle, test.half, 7) {
			got = append(got, tick.label)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%v±%v: %q, want %q", test.middle, test.half, got, test.want)
		}
	}
}

func TestTheLegendShowsWhatFits(t *testing.T) {
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("body %d", i))
	}
	if l := arrange(names[:5], 10, 900, 150); len(l.entries) != 5 || l.rows != 1 || l.more != "" {
		t.Errorf("of 5 names: %+v", l)
	}
	if l := arrange(names, 10, 300, 60); len(l.entries) == 0 || l.more != fmt.Sprintf("and %d more", 30-len(l.entries)) || l.height() > 60 {
		t.Errorf("in a small place: %+v", l)
	}
	if l := arrange(slices.Repeat(names, 2), 10, 900, 150); len(l.entries) != 0 || l.more != "bodies: 60" {
		t.Errorf("of a crowd: %+v", l)
	}
	if l := arrange([]string{strings.Repeat("W", 1000)}, 10, 900, 150); len(l.entries) != 1 || len([]rune(l.entries[0].name)) != maxRunes {
		t.Errorf("of a long name: %+v", l)
	}
	if l := arrange(nil, 10, 900, 150); l.rows != 0 || l.more != "" {
		t.Errorf("of nothing: %+v", l)
	}
}

func TestColoursDiffer(t *testing.T) {
	seen := map[string]int{}
	for i := range 40 {
		c := fmt.Sprint(colour(i))
		if j, ok := seen[c]; ok {
			t.Errorf("bodies %d and %d have the same colour", j, i)
		}
		seen[c] = i
	}
}
