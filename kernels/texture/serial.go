package texture

import (
	"math"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/mem"
)

// The references, after the formulas of the CUDA C++ Programming Guide, appendix "Texture Fetching".

// AddressSerial is the reference of [Address].
func AddressSerial(desc mem.TextureDesc, win Window, w, h int, out []float32, tw, th int, texels []float32) {
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
		u, v := at(win.X0, win.X1, i%w, w)*px, at(win.Y0, win.Y1, i/w, h)*py
		out[i] = float32(sample(desc, float64(u), float64(v), tw, th, func(i int) float64 { return float64(texels[i]) }))
	}
}

// WeightsSerial is the reference of [Weights].
func WeightsSerial(from, to float32, out []float32) {
	for i := range out {
		x := float64(0.5+float32(i)/float32(len(out))) - 0.5
		a := math.Round(256*x) / 256
		out[i] = float32((1-a)*float64(from) + a*float64(to))
	}
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

// sample returns a channel of a texture. texel returns that of a texel.
func sample(desc mem.TextureDesc, u, v float64, w, h int, texel func(i int) float64) (sum float64) {
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

// ReflectionSerial is the reference of [Reflection].
func ReflectionSerial(shiny float32, w, h int, surface []Texel, side int, env []Texel, fragments []Fragment, color []device.Float4) {
	for _, f := range fragments {
		face, x, y := cubeFace(float64(f.X), float64(f.Y), float64(f.Z))
		var c [4]float64
		for k := range c {
			s := sample(skin, float64(f.U), float64(f.V), w, h, func(i int) float64 { return float64(surface[i][k]) / 255 })
			r := sample(surroundings, x, y, side, side, func(i int) float64 { return float64(env[face*side*side+i][k]) / 255 })
			if k < 3 {
				s *= float64(f.Light)
			}
			c[k] = s + float64(shiny)*(r-s)
		}
		color[f.Pixel] = device.Float4{X: float32(c[0]), Y: float32(c[1]), Z: float32(c[2]), W: float32(c[3])}
	}
}

// cubeFaces are the axes of the faces of a cube: the one through its middle, and those of its
// coordinates.
var cubeFaces = [6][3][3]float64{
	{{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
	{{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
	{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
	{{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
	{{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},
	{{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}},
}

// cubeFace returns the face that a direction goes through, and the normalized coordinates there. At
// edges z goes before y, and y before x.
func cubeFace(x, y, z float64) (face int, u, v float64) {
	along := func(a [3]float64) float64 { return a[0]*x + a[1]*y + a[2]*z }
	best := math.Inf(-1)
	for _, f := range []int{4, 5, 2, 3, 0, 1} {
		if m := along(cubeFaces[f][0]); m > best {
			face, best = f, m
		}
	}
	return face, (along(cubeFaces[face][1])/best + 1) / 2, (along(cubeFaces[face][2])/best + 1) / 2
}

// CubeDirection returns the direction from the middle of a cube to texel (i, j) of a face of side
// by side texels.
func CubeDirection(face, i, j, side int) (x, y, z float64) {
	s, t := (2*float64(i)+1)/float64(side)-1, (2*float64(j)+1)/float64(side)-1
	f := cubeFaces[face]
	at := func(k int) float64 { return f[0][k] + s*f[1][k] + t*f[2][k] }
	return at(0), at(1), at(2)
}
