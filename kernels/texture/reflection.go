package texture

import (
	"context"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
	"github.com/gocuda/gocuda/mem"
)

// The pixel shader of Nickolls and Kirk, B.3, "Pixel Shader Example": environment mapping. The
// colour of a pixel is a weighted mean of the colour of the surface, from a texture, and of what
// the surface mirrors, from a cube map of the surroundings. The stages before it make fragments:
// see [Sphere]. A thread shades a fragment.

// A Fragment is a pixel that a surface covers, with what the stages before the shader have
// interpolated.
type Fragment struct {
	Pixel   int32   // of the picture, row by row
	U, V    float32 // the place on the texture of the surface
	X, Y, Z float32 // the direction into which the surface mirrors the view
	Light   float32 // that falls on the surface; 1 leaves its colour as it is
}

// A Texel is a colour: red, green, blue and alpha, from 0 to 255.
type Texel = [4]uint8

// reflection is the program of one thread.
//
//gocuda:kernel
func reflection(t *gocuda.Thread, shiny float32, fragments []Fragment, surface, env *mem.Texture[device.Float4], color []device.Float4) {
	for i := t.GlobalX(); i < len(fragments); i += t.GridDim.X * t.BlockDim.X {
		f := fragments[i]
		s := mem.Tex2D(surface, f.U, f.V)
		r := mem.TexCubemap(env, f.X, f.Y, f.Z)
		color[f.Pixel] = device.Float4{
			X: lerp(s.X*f.Light, r.X, shiny),
			Y: lerp(s.Y*f.Light, r.Y, shiny),
			Z: lerp(s.Z*f.Light, r.Z, shiny),
			W: lerp(s.W, r.W, shiny),
		}
	}
}

// lerp returns the weighted mean of a and b, by linear interpolation.
func lerp(a, b, weight float32) float32 { return a + weight*(b-a) }

// Reflection shades fragments: color[f.Pixel] becomes the weighted mean of the surface at (f.U,
// f.V), which is repeated along U, and of the surroundings in the direction (f.X, f.Y, f.Z). shiny
// is the weight of the surroundings. Colours are from 0 to 1.
//
// The surface has w by h texels, row by row from the top. env is the six faces of a cube of side by
// side texels, in the order of [mem.ArrayDesc]. Both are filtered linearly.
func Reflection(ctx context.Context, on kernels.Launcher, shiny float32, w, h int, surface []Texel, side int, env []Texel, fragments []Fragment, color []device.Float4) error {
	const what = "pixel shader"
	if err := check.Shape(what+", surface", h, w, len(surface)); err != nil {
		return err
	}
	if side < 0 || side > 1<<20 {
		return check.Invalid(what, "a cube of %d texels", side)
	}
	if err := check.Shape(what+", surroundings", 6*side, side, len(env)); err != nil {
		return err
	}
	if len(surface) == 0 || len(env) == 0 {
		return check.Invalid(what, "no texels")
	}
	for _, f := range fragments {
		if f.Pixel < 0 || int(f.Pixel) >= len(color) {
			return check.Invalid(what, "a fragment of pixel %d of %d", f.Pixel, len(color))
		}
	}
	if len(fragments) == 0 {
		return nil
	}
	body, err := newArray(on, mem.ArrayDesc{Width: w, Height: h}, surface)
	if err != nil {
		return err
	}
	return with(on, body, skin, func(surface *mem.Texture[device.Float4]) error {
		cube, err := newArray(on, mem.ArrayDesc{Width: side, Height: side, Depth: 6, Flags: mem.ArrayCubemap}, env)
		if err != nil {
			return err
		}
		return with(on, cube, surroundings, func(env *mem.Texture[device.Float4]) error {
			cfg := grid.Linear(len(fragments), 128)
			cfg.Grid.X = min(cfg.Grid.X, 65535)
			return on.Launch(ctx, cfg, reflectionKernel(shiny, fragments, surface, env, color))
		})
	})
}

// How the two are read: bytes as numbers from 0 to 1, filtered linearly. The faces of the cube are
// not filtered over their edges, as was so on the first GPUs.
var (
	skin = mem.TextureDesc{
		ReadMode: mem.ReadNormalizedFloat, FilterMode: mem.FilterLinear, NormalizedCoords: true,
		AddressMode: [3]mem.AddressMode{mem.AddressWrap, mem.AddressClamp, mem.AddressClamp},
	}
	surroundings = mem.TextureDesc{
		ReadMode: mem.ReadNormalizedFloat, FilterMode: mem.FilterLinear, NormalizedCoords: true,
		AddressMode: [3]mem.AddressMode{mem.AddressClamp, mem.AddressClamp, mem.AddressClamp},
	}
)
