package serial

import (
	"math"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/kernels/texture"
	"github.com/gocuda/gocuda/mem"
)

// Textures, after the formulas of the CUDA C++ Programming Guide, appendix "Texture Fetching".
// Nothing of package mem but descriptions is used.

// TextureAddress draws a window of a texture of tw by th texels into a picture of w by h pixels: the
// reference of [texture.Address].
func TextureAddress(desc mem.TextureDesc, win texture.Window, w, h int, out []float32, tw, th int, texels []float32) {
	px, py := float32(1), float32(1)
	if !desc.NormalizedCoords {
		px, py = float32(tw), float32(th)
		for k, m := range desc.AddressMode { // coordinates of texels can't repeat
			if m == mem.AddressWrap || m == mem.AddressMirror {
				desc.AddressMode[k] = mem.AddressClamp
			}
		}
	}
	for i := range out {
		u, v := middle(win.X0, win.X1, i%w, w)*px, middle(win.Y0, win.Y1, i/w, h)*py
		out[i] = float32(fetch(desc, float64(u), float64(v), tw, th, func(i int) float64 { return float64(texels[i]) }))
	}
}

// middle returns the coordinate of the middle of pixel i of n, between a and b.
func middle(a, b float32, i, n int) float32 {
	step := float32(b-a) / float32(n)
	return a + float32((float32(i)+0.5)*step)
}

// TextureWeights sets out to a linearly filtered texture of two texels, at places between their
// middles: the reference of [texture.Weights]. Weights have 8 bits behind the point.
func TextureWeights(from, to float32, out []float32) {
	for i := range out {
		x := float64(0.5+float32(i)/float32(len(out))) - 0.5
		a := math.Round(256*x) / 256
		out[i] = float32((1-a)*float64(from) + a*float64(to))
	}
}

// TextureReflection shades fragments by environment mapping (Nickolls and Kirk, B.3): the reference
// of [texture.Reflection].
func TextureReflection(shiny float32, w, h int, surface []texture.Texel, side int, env []texture.Texel, fragments []texture.Fragment, color []device.Float4) {
	for _, f := range fragments {
		face, x, y := cubeFace(float64(f.X), float64(f.Y), float64(f.Z))
		var c [4]float64
		for k := range c {
			s := fetch(linear(mem.AddressWrap), float64(f.U), float64(f.V), w, h, func(i int) float64 { return float64(surface[i][k]) / 255 })
			r := fetch(linear(mem.AddressClamp), x, y, side, side, func(i int) float64 { return float64(env[face*side*side+i][k]) / 255 })
			if k < 3 {
				s *= float64(f.Light)
			}
			c[k] = s + float64(shiny)*(r-s)
		}
		color[f.Pixel] = device.Float4{X: float32(c[0]), Y: float32(c[1]), Z: float32(c[2]), W: float32(c[3])}
	}
}

// linear describes textures that are filtered linearly, with normalized coordinates, and clamped
// along y.
func linear(x mem.AddressMode) mem.TextureDesc {
	return mem.TextureDesc{
		FilterMode: mem.FilterLinear, NormalizedCoords: true,
		AddressMode: [3]mem.AddressMode{x, mem.AddressClamp, mem.AddressClamp},
	}
}

// cubeFace returns the face of a cube map that a direction goes through, and the normalized
// coordinates there, by the table of the guide: the axis of the largest size is major, and at edges z
// goes before y, and y before x.
func cubeFace(x, y, z float64) (face int, u, v float64) {
	var major, s, t float64
	switch ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z); {
	case az >= ax && az >= ay && z >= 0:
		face, major, s, t = 4, z, x, -y
	case az >= ax && az >= ay:
		face, major, s, t = 5, -z, -x, -y
	case ay >= ax && y >= 0:
		face, major, s, t = 2, y, x, z
	case ay >= ax:
		face, major, s, t = 3, -y, x, -z
	case x >= 0:
		face, major, s, t = 0, x, -z, -y
	default:
		face, major, s, t = 1, -x, z, -y
	}
	return face, (s/major + 1) / 2, (t/major + 1) / 2
}

// A texel on the way from a coordinate: its index, -1 for the border, and its weight.
type weighted struct {
	i int
	w float64
}

// along returns the texels of n that the coordinate u reads along one dimension.
func along(desc mem.TextureDesc, u float64, n, dimension int) [2]weighted {
	size, mode := float64(n), desc.AddressMode[dimension]
	switch frac := u - math.Floor(u); mode {
	case mem.AddressWrap:
		u = frac
	case mem.AddressMirror:
		if math.Mod(math.Floor(u), 2) != 0 {
			frac = 1 - frac
		}
		u = frac
	}
	x, a := u, 0.0
	if desc.NormalizedCoords {
		x *= size
	}
	if desc.FilterMode == mem.FilterLinear {
		x -= 0.5
		a = math.Round(256*(x-math.Floor(x))) / 256
	}
	i := math.Floor(x)
	two := [2]weighted{{0, 1 - a}, {0, a}}
	for k := range two {
		j := i + float64(k)
		switch outside := j < 0 || j >= size; {
		case mode == mem.AddressBorder && outside:
			two[k].i = -1
		case mode == mem.AddressWrap && outside:
			two[k].i = (int(j) + n) % n
		default:
			two[k].i = int(min(max(j, 0), size-1))
		}
	}
	return two
}

// fetch returns a channel of a texture. texel returns that of a texel.
func fetch(desc mem.TextureDesc, u, v float64, w, h int, texel func(i int) float64) (sum float64) {
	for _, y := range along(desc, v, h, 1) {
		for _, x := range along(desc, u, w, 0) {
			switch {
			case x.w*y.w == 0:
			case x.i < 0 || y.i < 0:
				sum += x.w * y.w * float64(desc.BorderColor[0])
			default:
				sum += x.w * y.w * texel(y.i*w+x.i)
			}
		}
	}
	return sum
}
