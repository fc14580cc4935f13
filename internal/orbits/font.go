package orbits

import "strconv"

// The font is of strokes, drawn by the same pen as the tracks, so that text is smooth at every size.
//
// A glyph is strokes separated by spaces. A point is two digits in base 36, x and y, with y upwards: the
// baseline is 4, small letters reach up to c (12), capitals and digits to g (16), and tails down to 0.
// Points are joined by lines; ~ and two points is a quadratic Bézier curve, which leads from the point
// before, by way of the first as its control point, to the second.
var glyphs = map[rune]string{
	'0': "4g~8g8a~8444~040a~0g4g", '1': "0d4g44", '2': "0d~0g4g~8g8d~8b690484",
	'3': "0e~1g4g~7g7d~7a4a~8a87~8444~1406", '4': "646g0787", '5': "7g1g0b~1c4c~8c88~8444~1406",
	'6': "7f~6g4g~0g08~0444~8488~8c4c~0c08", '7': "0g8g34",
	'8': "4a~1a1d~1g4g~7g7d~7a4a~8a87~8444~0407~0a4a", '9': "15~2444~848c~8g4g~0g0c~0848~888c",

	'A': "044g84 1777", 'B': "040g4g~7g7d~7a4a0a 4a~8a87~844404", 'C': "8d~7g4g~0g0a~0444~7487",
	'D': "040g3g~8g8a~843404", 'E': "8g0g0484 0a6a", 'F': "8g0g04 0a6a", 'G': "8d~7g4g~0g0a~0444~84888959",
	'H': "040g 848g 0a8a", 'I': "0g04", 'J': "6g67~6434~0407", 'K': "040g 8g08 3b84", 'L': "0g0484",
	'M': "040g55aga4", 'N': "040g848g", 'O': "5g~agaa~a454~040a~0g5g", 'P': "040g4g~8g8c~894909",
	'Q': "5g~agaa~a454~040a~0g5g 68b3", 'R': "040g4g~8g8c~894909 4984",
	'S': "8e~7g4g~0g0d~0a4a~8a87~8444~1406", 'T': "0g8g 4g44", 'U': "0g08~0444~84888g", 'V': "0g448g",
	'W': "0g346e94cg", 'X': "0g84 8g04", 'Y': "0g4a8g 4a44", 'Z': "0g8g0484",

	'a': "6c64 68~6c3c~0c08~0434~6468", 'b': "0g04 08~0c3c~6c68~6434~0408", 'c': "6b~5c3c~0c08~0434~5465",
	'd': "6g64 68~6c3c~0c08~0434~6468", 'e': "0868~6c3c~0c08~0434~5465", 'f': "4g~2g2d24 0c4c",
	'g': "6c63~6030~1001 68~6c3c~0c08~0434~6468", 'h': "0g04 09~0c3c~6c6964", 'i': "0c04 0f0g",
	'j': "2c22~2000 2f2g", 'k': "0g04 6c07 2964", 'l': "0g04", 'm': "0c04 09~0c3c~5c5954 59~5c8c~aca9a4",
	'n': "0c04 09~0c3c~6c6964", 'o': "3c~6c68~6434~0408~0c3c", 'p': "0c00 08~0c3c~6c68~6434~0408",
	'q': "6c60 68~6c3c~0c08~0434~6468", 'r': "0c04 09~0c4c", 's': "6b~5c3c~0c0a~0838~6866~6434~1405",
	't': "2f26~2444 0c4c", 'u': "0c07~0434~6467 6c64", 'v': "0c346c", 'w': "0c244b648c", 'x': "0c64 6c04",
	'y': "0c34 6c34~2000", 'z': "0c6c0464",

	'.': "0405", ',': "1502", ':': "0405 0b0c", ';': "1502 1b1c", '!': "0g08 0405", '\'': "0g0d", '"': "0g0d 3g3d",
	'?': "0d~0g3g~6g6d~6b4a~3938 3435", '-': "0969", '_': "0282", '+': "0a8a 4e46", '=': "0c8c 0888",
	'/': "036h", '\\': "0h63", '|': "0h03", '(': "3h~0e0a~0633", ')': "0h~3e3a~3603", '[': "3h0h0333",
	']': "0h3h3303", '{': "4h~2h2e~2a0a~2a26~2343", '}': "0h~2h2e~2a4a~2a26~2303", '<': "8e0a86",
	'>': "0e8a06", '*': "3g3a 0e6c 6e0c", '#': "3g14 7g54 0c8c 0888", '%': "048g 2g~4g4e~4c2c~0c0e~0g2g 68~8886~8464~4446~4868",
	'&': "842d~2g4g~6g6d~6b3a~0807~0444~7488", '$': "8e~7g4g~0g0d~0a4a~8a87~8444~1406 4h43",
	'@': "75~6444~040a~0g4g~8g8a~8777~6768 6c68 6a~6c4c~2c2a~2848~686a", '^': "0c3g6c", '`': "0g2e",
	'~': "09~2d4a~678b", ' ': "", '…': "0405 4445 8485",
}

// unknown stands for every other rune.
const unknown = "04646g0g04"

const (
	capUnits  = 12  // the height of a capital letter in units of the font
	baseline  = 4   // the y of the baseline
	gapUnits  = 3.6 // between letters
	wordUnits = 1.5 // a space, besides the gaps
)

// text marks s with its baseline starting at (x, y), and with capitals of the height h, in pixels. Up
// turns it a quarter to the left, so that it is read from below.
func (p *pen) text(x, y, h float64, s string, up bool) {
	u := h / capUnits
	r := max(0.5, 0.07*h)
	at := func(gx, gy float64) (float64, float64) {
		gy -= baseline
		if up {
			return x - gy*u, y - gx*u
		}
		return x + gx*u, y - gy*u
	}
	start := 0.0
	for _, c := range s {
		curves(c, func(ax, ay, bx, by float64) {
			x0, y0 := at(start+ax, ay)
			x1, y1 := at(start+bx, by)
			p.line(x0, y0, x1, y1, r)
		})
		start += advance(c)
	}
}

// width is how long text is with capitals of the height h, in pixels.
func width(s string, h float64) float64 {
	w := 0.0
	for _, c := range s {
		w += advance(c)
	}
	return max(0, w-gapUnits) * h / capUnits
}

// advance is how far the letter after c is from c, in units of the font.
func advance(c rune) float64 {
	w := 0.0
	if c == ' ' {
		w = wordUnits
	}
	curves(c, func(ax, _, bx, _ float64) { w = max(w, ax, bx) })
	return w + gapUnits
}

// curves calls line for every straight piece of a glyph, in units of the font.
func curves(c rune, line func(ax, ay, bx, by float64)) {
	const pieces = 6 // of a curve
	g, ok := glyphs[c]
	if !ok {
		g = unknown
	}
	digit := func(i int) float64 {
		v, err := strconv.ParseUint(g[i:i+1], 36, 8)
		if err != nil {
			panic("orbits: the glyph of " + string(c) + " is wrong")
		}
		return float64(v)
	}
	pen := false // whether (x, y) is a point of this stroke
	var x, y float64
	for i := 0; i < len(g); {
		switch g[i] {
		case ' ':
			pen = false
			i++
		case '~':
			cx, cy, ex, ey := digit(i+1), digit(i+2), digit(i+3), digit(i+4)
			sx, sy := x, y
			for k := 1; k <= pieces; k++ {
				t := float64(k) / pieces
				a, b, c := (1-t)*(1-t), 2*t*(1-t), t*t
				nx, ny := a*sx+b*cx+c*ex, a*sy+b*cy+c*ey
				line(x, y, nx, ny)
				x, y = nx, ny
			}
			i += 5
		default:
			nx, ny := digit(i), digit(i+1)
			if pen {
				line(x, y, nx, ny)
			}
			x, y, pen = nx, ny, true
			i += 2
		}
	}
}
