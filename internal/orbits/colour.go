package orbits

import (
	"image/color"
	"math"
)

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

// colour is that of the i-th body. Beyond the table hues go round by the golden angle, which never
// comes near a hue that was just used.
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
