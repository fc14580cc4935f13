package mem

import (
	"fmt"
	"unsafe"
)

// The texture functions, for kernels. A function has CUDA's name with a capital letter. Coordinates
// are in texels, or from 0 to 1 across the texture if it has NormalizedCoords; the center of texel
// i is at i+0.5. Layers are clamped to those that there are. A fetch from a texture of another
// shape, from a destroyed one, or from one whose memory was freed, panics with an error, which
// becomes the launch's.
//
// Functions with Lod read the level of detail that they are given. Functions with Grad compute it
// from the differences of the coordinates between neighbouring threads. The others read level 0.
// MipmapLevelBias and the level clamps of the [TextureDesc] apply to all of them.

// ready panics unless the texture has the shape and its memory may be read.
func (s *sampler) ready(want shape) {
	if s.shape != want || !s.usable() {
		s.unfit(want)
	}
}

//go:noinline
func (s *sampler) unfit(want shape) {
	if s.shape != want {
		panic(fmt.Errorf("mem: %w: a %v fetch from a %v texture", ErrInvalidValue, want, s.shape))
	}
	panic(fmt.Errorf("fetch from a texture: %w", unusable(s.use)))
}

// read returns the texture at p for a level of detail.
func read[R any](t *Texture[R], p spot, lod float64) R {
	s := &t.sampler
	if s.plain && !s.linear && !s.mipLinear {
		level, _, _ := s.levels(lod)
		m := &s.images[level]
		return rawTexel[R](s, m, s.point(m, p))
	}
	return result[R](s.atLevel(p, lod))
}

// readGrad returns the texture at p, which moves by dx and dy from thread to thread.
func readGrad[R any](t *Texture[R], p spot, dx, dy slope) R {
	if !t.linear {
		return read(t, p, t.isotropic(dx, dy))
	}
	return result[R](t.atGradient(p, dx, dy))
}

// layer clamps the index of a layer.
func (s *sampler) layer(i int) int { return clamped(i, s.images[0].d) }

// faces returns the first face of a layer of a layered cubemap.
func (s *sampler) faces(layer int) int { return 6 * clamped(layer, s.images[0].d/6) }

// Tex1Dfetch returns element x of linear memory, CUDA's tex1Dfetch. Beyond the ends it returns 0.
// There is no filtering and no addressing.
func Tex1Dfetch[R any](t *Texture[R], x int) R {
	t.ready(shapeLinear)
	m := &t.images[0]
	if x < 0 || x >= m.w {
		var zero R
		return zero
	}
	if t.plain {
		return rawTexel[R](&t.sampler, m, x)
	}
	return result[R](t.texel(m, x))
}

// Tex1D returns the texture at x, CUDA's tex1D.
func Tex1D[R any](t *Texture[R], x float32) R {
	t.ready(shape1D)
	return read(t, spot{x: float64(x)}, 0)
}

// Tex2D returns the texture at (x, y), CUDA's tex2D.
func Tex2D[R any](t *Texture[R], x, y float32) R {
	t.ready(shape2D)
	if t.quick && t.linear {
		r := t.quickLinear(x, y)
		return *(*R)(unsafe.Pointer(&r))
	}
	if t.quick && t.clamps {
		return rawTexel[R](&t.sampler, &t.images[0], t.quickPoint(x, y))
	}
	return read(t, spot{x: float64(x), y: float64(y)}, 0)
}

// Tex3D returns the texture at (x, y, z), CUDA's tex3D.
func Tex3D[R any](t *Texture[R], x, y, z float32) R {
	t.ready(shape3D)
	return read(t, spot{x: float64(x), y: float64(y), z: float64(z)}, 0)
}

// Tex1DLayered returns a layer of the texture at x, CUDA's tex1DLayered.
func Tex1DLayered[R any](t *Texture[R], x float32, layer int) R {
	t.ready(shape1DLayered)
	return read(t, spot{x: float64(x), slice: t.layer(layer)}, 0)
}

// Tex2DLayered returns a layer of the texture at (x, y), CUDA's tex2DLayered.
func Tex2DLayered[R any](t *Texture[R], x, y float32, layer int) R {
	t.ready(shape2DLayered)
	return read(t, spot{x: float64(x), y: float64(y), slice: t.layer(layer)}, 0)
}

// TexCubemap returns the texture in the direction (x, y, z) from the center of the cube, CUDA's
// texCubemap. The direction need not have length 1.
func TexCubemap[R any](t *Texture[R], x, y, z float32) R {
	t.ready(shapeCubemap)
	return read(t, cubeSpot(x, y, z), 0)
}

// TexCubemapLayered returns a layer of the texture in the direction (x, y, z), CUDA's
// texCubemapLayered. A layer has six faces.
func TexCubemapLayered[R any](t *Texture[R], x, y, z float32, layer int) R {
	t.ready(shapeCubemapLayered)
	p := cubeSpot(x, y, z)
	p.slice += t.faces(layer)
	return read(t, p, 0)
}

// Tex1DLod returns the texture at x for a level of detail, CUDA's tex1DLod.
func Tex1DLod[R any](t *Texture[R], x, level float32) R {
	t.ready(shape1D)
	return read(t, spot{x: float64(x)}, float64(level))
}

// Tex2DLod returns the texture at (x, y) for a level of detail, CUDA's tex2DLod.
func Tex2DLod[R any](t *Texture[R], x, y, level float32) R {
	t.ready(shape2D)
	return read(t, spot{x: float64(x), y: float64(y)}, float64(level))
}

// Tex3DLod returns the texture at (x, y, z) for a level of detail, CUDA's tex3DLod.
func Tex3DLod[R any](t *Texture[R], x, y, z, level float32) R {
	t.ready(shape3D)
	return read(t, spot{x: float64(x), y: float64(y), z: float64(z)}, float64(level))
}

// Tex1DLayeredLod is [Tex1DLayered] for a level of detail, CUDA's tex1DLayeredLod.
func Tex1DLayeredLod[R any](t *Texture[R], x float32, layer int, level float32) R {
	t.ready(shape1DLayered)
	return read(t, spot{x: float64(x), slice: t.layer(layer)}, float64(level))
}

// Tex2DLayeredLod is [Tex2DLayered] for a level of detail, CUDA's tex2DLayeredLod.
func Tex2DLayeredLod[R any](t *Texture[R], x, y float32, layer int, level float32) R {
	t.ready(shape2DLayered)
	return read(t, spot{x: float64(x), y: float64(y), slice: t.layer(layer)}, float64(level))
}

// TexCubemapLod is [TexCubemap] for a level of detail, CUDA's texCubemapLod.
func TexCubemapLod[R any](t *Texture[R], x, y, z, level float32) R {
	t.ready(shapeCubemap)
	return read(t, cubeSpot(x, y, z), float64(level))
}

// TexCubemapLayeredLod is [TexCubemapLayered] for a level of detail, CUDA's texCubemapLayeredLod.
func TexCubemapLayeredLod[R any](t *Texture[R], x, y, z float32, layer int, level float32) R {
	t.ready(shapeCubemapLayered)
	p := cubeSpot(x, y, z)
	p.slice += t.faces(layer)
	return read(t, p, float64(level))
}

// Tex1DGrad returns the texture at x, where x moves by dx and dy, CUDA's tex1DGrad.
func Tex1DGrad[R any](t *Texture[R], x, dx, dy float32) R {
	t.ready(shape1D)
	return readGrad(t, spot{x: float64(x)}, slope{float64(dx)}, slope{float64(dy)})
}

// Tex2DGrad returns the texture at (x, y), which moves by dx and dy, CUDA's tex2DGrad.
func Tex2DGrad[R any](t *Texture[R], x, y float32, dx, dy [2]float32) R {
	t.ready(shape2D)
	return readGrad(t, spot{x: float64(x), y: float64(y)}, slope2(dx), slope2(dy))
}

// Tex3DGrad returns the texture at (x, y, z), which moves by dx and dy, CUDA's tex3DGrad. (CUDA's
// float4 has a fourth number that is not used.)
func Tex3DGrad[R any](t *Texture[R], x, y, z float32, dx, dy [3]float32) R {
	t.ready(shape3D)
	return readGrad(t, spot{x: float64(x), y: float64(y), z: float64(z)}, slope3(dx), slope3(dy))
}

// Tex1DLayeredGrad is [Tex1DLayered] with x moving by dx and dy, CUDA's tex1DLayeredGrad.
func Tex1DLayeredGrad[R any](t *Texture[R], x float32, layer int, dx, dy float32) R {
	t.ready(shape1DLayered)
	return readGrad(t, spot{x: float64(x), slice: t.layer(layer)}, slope{float64(dx)}, slope{float64(dy)})
}

// Tex2DLayeredGrad is [Tex2DLayered] with (x, y) moving by dx and dy, CUDA's tex2DLayeredGrad.
func Tex2DLayeredGrad[R any](t *Texture[R], x, y float32, layer int, dx, dy [2]float32) R {
	t.ready(shape2DLayered)
	return readGrad(t, spot{x: float64(x), y: float64(y), slice: t.layer(layer)}, slope2(dx), slope2(dy))
}

// TexCubemapGrad is [TexCubemap] with the direction moving by dx and dy, CUDA's texCubemapGrad.
// There is no anisotropic filtering of cubemaps.
func TexCubemapGrad[R any](t *Texture[R], x, y, z float32, dx, dy [3]float32) R {
	t.ready(shapeCubemap)
	return readGrad(t, cubeSpot(x, y, z), cubeSlope(x, y, z, dx), cubeSlope(x, y, z, dy))
}

// TexCubemapLayeredGrad is [TexCubemapLayered] with the direction moving by dx and dy, CUDA's
// texCubemapLayeredGrad.
func TexCubemapLayeredGrad[R any](t *Texture[R], x, y, z float32, layer int, dx, dy [3]float32) R {
	t.ready(shapeCubemapLayered)
	p := cubeSpot(x, y, z)
	p.slice += t.faces(layer)
	return readGrad(t, p, cubeSlope(x, y, z, dx), cubeSlope(x, y, z, dy))
}

func slope2(d [2]float32) slope { return slope{float64(d[0]), float64(d[1])} }

func slope3(d [3]float32) slope { return slope{float64(d[0]), float64(d[1]), float64(d[2])} }

// Component is a number that a texture can return.
type Component interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | float32
}

// Tex2Dgather returns component comp, from 0, of the four texels that linear filtering at (x, y)
// would weigh, in the order (i,j+1), (i+1,j+1), (i+1,j), (i,j): CUDA's tex2Dgather. S is the type
// of a component of R, as in Tex2Dgather[float32](t, x, y, 0). The array must have
// [ArrayTextureGather].
func Tex2Dgather[S Component, R any](t *Texture[R], x, y float32, comp int) [4]S {
	t.ready(shape2D)
	s := &t.sampler
	if !s.gather || comp < 0 || comp >= s.channels || s.returns != component[S](s.channels) {
		s.noGather(comp, component[S](s.channels))
	}
	m := &s.images[0]
	px := locate(float64(x), m.w, s.scale, s.modes[0], true)
	py := locate(float64(y), m.h, s.scale, s.modes[1], true)
	at := [4]int{m.at(px.i, py.j, 0), m.at(px.j, py.j, 0), m.at(px.j, py.i, 0), m.at(px.i, py.i, 0)}
	var r [4]S
	for k, i := range at {
		if s.plain {
			texel := rawTexel[R](s, m, i)
			r[k] = *(*S)(unsafe.Add(unsafe.Pointer(&texel), comp*int(unsafe.Sizeof(r[0]))))
		} else {
			r[k] = S(s.texel(m, i)[comp])
		}
	}
	return r
}

//go:noinline
func (s *sampler) noGather(comp int, want ChannelDesc) {
	switch {
	case !s.gather:
		panic(fmt.Errorf("mem: %w: Tex2Dgather from memory that is no array with ArrayTextureGather", ErrInvalidValue))
	case s.returns != want:
		panic(fmt.Errorf("mem: %w: Tex2Dgather of %v %d bits from a texture that returns %v",
			ErrInvalidValue, want.Kind, want.Bits, s.returns))
	}
	panic(fmt.Errorf("mem: %w: Tex2Dgather of component %d of %d", ErrInvalidValue, comp, s.channels))
}

// component returns the format of channels numbers of type S.
func component[S Component](channels int) ChannelDesc {
	var z S
	c := ChannelDesc{ChannelUnsigned, 8 * int(unsafe.Sizeof(z)), channels}
	one := S(1)
	switch {
	case one/2 != 0:
		c.Kind = ChannelFloat
	case z-one < 0:
		c.Kind = ChannelSigned
	}
	return c
}
