package mem_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/mem"
)

// pyramid is a mipmapped array whose level i is full of 10*i*i, so that a result tells the level.
func pyramid(t testing.TB, dev mem.Device, desc mem.ArrayDesc) *mem.MipmappedArray[float32] {
	t.Helper()
	m, err := mem.AllocMipmappedArray[float32](dev, desc, 99)
	require.NoError(t, err)
	for i := range m.Levels() {
		a, err := m.Level(i)
		require.NoError(t, err)
		d := a.Desc()
		n := d.Width * max(d.Height, 1) * max(d.Depth, 1)
		require.NoError(t, mem.CopyToArray(a, slices.Repeat([]float32{float32(10 * i * i)}, n)))
	}
	return m
}

// blend is what a level of detail in [0, 4] gives between levels of a pyramid.
func blend(lod float64) float32 {
	f := math.Floor(lod)
	w := math.Round((lod-f)*256) / 256
	return float32((1-w)*10*f*f + w*10*(f+1)*(f+1))
}

func TestTex2DLod(t *testing.T) {
	dev := newDevice(1 << 20)
	m := pyramid(t, dev, mem.ArrayDesc{Width: 16, Height: 16}) // levels 0 to 4
	nan := float32(math.NaN())
	base := mem.TextureDesc{NormalizedCoords: true, MaxMipmapLevelClamp: 99}
	for _, filter := range []mem.FilterMode{mem.FilterPoint, mem.FilterLinear} {
		base.FilterMode = filter
		point, trilinear := base, base
		trilinear.MipmapFilterMode = mem.FilterLinear
		nearest := texture[float32](t, m, point)
		linear := texture[float32](t, m, trilinear)
		for _, c := range []struct {
			level   float32
			nearest int
			linear  float64
		}{
			{0, 0, 0}, {-1, 0, 0}, {-inf32, 0, 0}, {0.25, 0, 0.25}, {0.5, 1, 0.5}, {0.49, 0, 0.49}, {1, 1, 1}, {1.5, 2, 1.5},
			{2.998, 3, 2.998}, {2.999, 3, 2.999}, {3.75, 4, 3.75}, {4, 4, 4}, {4.5, 4, 4}, {99, 4, 4}, {inf32, 4, 4}, {nan, 0, 0},
			{2.001, 2, 2.001}, {2.002, 2, 2.002},
		} {
			assert.Equal(t, float32(10*c.nearest*c.nearest), mem.Tex2DLod(nearest, 0.3, 0.6, c.level), "filter %d, nearest level to %v", filter, c.level)
			assert.Equal(t, blend(c.linear), mem.Tex2DLod(linear, 0.3, 0.6, c.level), "filter %d, between levels at %v", filter, c.level)
		}
	}
}

func TestMipmapBiasAndClamps(t *testing.T) {
	dev := newDevice(1 << 20)
	m := pyramid(t, dev, mem.ArrayDesc{Width: 16})
	for _, c := range []struct {
		bias, low, high float32
		level           float32
		want            float64
	}{
		{0, 0, 0, 3, 0}, // the zero value: level 0 only
		{0.5, 0, 9, 1, 1.5},
		{-2, 0, 9, 3.25, 1.25},
		{-2, 1, 9, 1, 1},
		{0, 1.5, 2.5, 0, 1.5},
		{0, 1.5, 2.5, 4, 2.5},
		{7, 0, 9, 0, 4},
		{0, 7, 9, 0, 4}, // beyond the last level
		{0, -5, -3, 2, 0},
	} {
		tex := texture[float32](t, m, mem.TextureDesc{NormalizedCoords: true, MipmapFilterMode: mem.FilterLinear,
			MipmapLevelBias: c.bias, MinMipmapLevelClamp: c.low, MaxMipmapLevelClamp: c.high})
		assert.Equal(t, blend(c.want), mem.Tex1DLod(tex, 0.5, c.level), "%+v", c)
	}
	// Tex1D is level 0, with the bias and the clamps.
	tex := texture[float32](t, m, mem.TextureDesc{NormalizedCoords: true, MipmapLevelBias: 1, MaxMipmapLevelClamp: 9})
	assert.Equal(t, float32(10), mem.Tex1D(tex, 0.5), "biased by 1")
	_, err := mem.NewTexture[float32](m, mem.TextureDesc{})
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "unnormalized coordinates")
	require.NoError(t, m.Free())
	assert.ErrorIs(t, panics(t, func() { mem.Tex1D(tex, 0) }), mem.ErrFreed, "fetch from freed levels")
}

// Each level has its own size: coordinates and weights are those of the level.
func TestMipmapLevelsHaveTheirSizes(t *testing.T) {
	dev := newDevice(1 << 20)
	m, err := mem.AllocMipmappedArray[float32](dev, mem.ArrayDesc{Width: 4}, 3)
	require.NoError(t, err)
	for i, texels := range [][]float32{{1, 2, 3, 4}, {10, 20}, {100}} {
		a, err := m.Level(i)
		require.NoError(t, err)
		require.NoError(t, mem.CopyToArray(a, texels))
	}
	tex := texture[float32](t, m, mem.TextureDesc{AddressMode: [3]mem.AddressMode{mem.AddressClamp}, NormalizedCoords: true,
		FilterMode: mem.FilterLinear, MipmapFilterMode: mem.FilterLinear, MaxMipmapLevelClamp: 9})
	for _, c := range []struct{ x, level, want float32 }{
		{0.375, 0, 2}, {0.5, 0, 2.5}, {0.25, 1, 10}, {0.5, 1, 15}, {0.75, 1, 20}, {0.5, 2, 100},
		{0.5, 0.5, 8.75}, {0.375, 0.25, 0.75*2 + 0.25*12.5}, {0.5, 1.5, 57.5},
	} {
		assert.Equal(t, c.want, mem.Tex1DLod(tex, c.x, c.level), "at %v of level %v", c.x, c.level)
	}
	// Integers too: the level is chosen, nothing is blended.
	n, err := mem.AllocMipmappedArray[uint8](dev, mem.ArrayDesc{Width: 4, Height: 4}, 2)
	require.NoError(t, err)
	top, err := n.Level(1)
	require.NoError(t, err)
	require.NoError(t, mem.CopyToArray(top, []uint8{5, 6, 7, 8}))
	bytes := texture[uint8](t, n, mem.TextureDesc{NormalizedCoords: true, MaxMipmapLevelClamp: 1})
	assert.Equal(t, uint8(8), mem.Tex2DLod(bytes, 0.75, 0.75, 1), "level 1 of bytes")
	assert.Equal(t, uint8(6), mem.Tex2DGrad(bytes, 0.75, 0.25, [2]float32{0.5, 0}, [2]float32{}), "level 1 of bytes by slope")
}

// The level of detail of a slope is log2 of its length in texels of level 0.
func TestTexGrad(t *testing.T) {
	dev := newDevice(1 << 22)
	desc := mem.TextureDesc{NormalizedCoords: true, FilterMode: mem.FilterLinear, MipmapFilterMode: mem.FilterLinear,
		MaxMipmapLevelClamp: 99}
	one := texture[float32](t, pyramid(t, dev, mem.ArrayDesc{Width: 16}), desc)
	two := texture[float32](t, pyramid(t, dev, mem.ArrayDesc{Width: 16, Height: 8}), desc)
	three := texture[float32](t, pyramid(t, dev, mem.ArrayDesc{Width: 16, Height: 8, Depth: 4}), desc)
	layered1 := texture[float32](t, pyramid(t, dev, mem.ArrayDesc{Width: 16, Depth: 2, Flags: mem.ArrayLayered}), desc)
	layered2 := texture[float32](t, pyramid(t, dev, mem.ArrayDesc{Width: 16, Height: 8, Depth: 3, Flags: mem.ArrayLayered}), desc)
	cubemap := texture[float32](t, pyramid(t, dev, mem.ArrayDesc{Width: 16, Height: 16, Depth: 6, Flags: mem.ArrayCubemap}), desc)
	cubes := texture[float32](t, pyramid(t, dev, mem.ArrayDesc{Width: 16, Height: 16, Depth: 12,
		Flags: mem.ArrayCubemap | mem.ArrayLayered}), desc)
	type v2 = [2]float32
	type v3 = [3]float32
	nan := float32(math.NaN())
	for _, c := range []struct {
		name string
		got  float32
		lod  float64
	}{
		{"1-D, one texel", mem.Tex1DGrad(one, 0.5, 1.0/16, 0), 0},
		{"1-D, four texels in y", mem.Tex1DGrad(one, 0.5, 1.0/16, -4.0/16), 2},
		{"1-D, none", mem.Tex1DGrad(one, 0.5, 0, 0), 0},
		{"1-D, a hundredth", mem.Tex1DGrad(one, 0.5, 0.01/16, 0), 0},
		{"1-D, infinite", mem.Tex1DGrad(one, 0.5, inf32, 0), 0},
		{"1-D, NaN", mem.Tex1DGrad(one, 0.5, nan, nan), 0},
		{"1-D, huge", mem.Tex1DGrad(one, 0.5, 1e30, 0), 4},
		{"2-D, x", mem.Tex2DGrad(two, 0.5, 0.5, v2{2.0 / 16, 0}, v2{0, 1.0 / 8}), 1},
		{"2-D, y", mem.Tex2DGrad(two, 0.5, 0.5, v2{2.0 / 16, 0}, v2{0, 8.0 / 8}), 3},
		{"2-D, 3 and 4 make 5", mem.Tex2DGrad(two, 0.5, 0.5, v2{3.0 / 16, 4.0 / 8}, v2{}), math.Log2(5)},
		{"3-D, z", mem.Tex3DGrad(three, 0.5, 0.5, 0.5, v3{0, 0, 4.0 / 4}, v3{1.0 / 16}), 2},
		{"3-D, 2, 3 and 6 make 7", mem.Tex3DGrad(three, 0.5, 0.5, 0.5, v3{}, v3{2.0 / 16, 3.0 / 8, 6.0 / 4}), math.Log2(7)},
		{"1-D layered", mem.Tex1DLayeredGrad(layered1, 0.5, 1, 4.0/16, 0), 2},
		{"2-D layered", mem.Tex2DLayeredGrad(layered2, 0.5, 0.5, 2, v2{0, 4.0 / 8}, v2{}), 2},
		// On a face of 16 texels, from -1 to 1, a texel is 2/16.
		{"cubemap, +z", mem.TexCubemapGrad(cubemap, 0, 0, 1, v3{4 * 2.0 / 16}, v3{}), 2},
		{"cubemap, -x", mem.TexCubemapGrad(cubemap, -1, 0, 0, v3{}, v3{0, 2 * 2.0 / 16}), 1},
		{"cubemap, twice as long", mem.TexCubemapGrad(cubemap, 0, 2, 0, v3{0, 0, 8 * 2.0 / 16}, v3{}), 2},
		{"cubemap, outwards", mem.TexCubemapGrad(cubemap, 0, 0, 1, v3{0, 0, 0.5}, v3{}), 0},
		{"cubemap, no direction", mem.TexCubemapGrad(cubemap, 0, 0, 0, v3{1}, v3{}), 0},
		// s is x/z: a step of z by 1 at (1, 0, 2) moves it by 1/4, which is 2 texels.
		{"cubemap, aslant", mem.TexCubemapGrad(cubemap, 1, 0, 2, v3{0, 0, 1}, v3{}), 1},
		{"cubemap layered", mem.TexCubemapLayeredGrad(cubes, 0, -1, 0, 1, v3{0, 0, 8 * 2.0 / 16}, v3{}), 3},
	} {
		assert.Equal(t, blend(c.lod), c.got, c.name)
	}
	assert.Equal(t, blend(1.5), mem.Tex3DLod(three, 0, 0, 0, 1.5), "Tex3DLod")
	assert.Equal(t, blend(1.5), mem.Tex1DLayeredLod(layered1, 0, 1, 1.5), "Tex1DLayeredLod")
	assert.Equal(t, blend(2.5), mem.Tex2DLayeredLod(layered2, 0, 0, 1, 2.5), "Tex2DLayeredLod")
	assert.Equal(t, blend(2.5), mem.TexCubemapLayeredLod(cubes, 1, 0, 0, 1, 2.5), "TexCubemapLayeredLod")
}

// With anisotropy a long thin footprint is read in pieces: sharper levels, as many samples as the
// ratio.
func TestTexGradAnisotropy(t *testing.T) {
	dev := newDevice(1 << 22)
	m := pyramid(t, dev, mem.ArrayDesc{Width: 16, Height: 16})
	type v2 = [2]float32
	long, short := v2{8.0 / 16, 0}, v2{0, 2.0 / 16}
	for aniso, lod := range map[int]float64{0: 3, 1: 3, 2: 2, 4: 1, 16: 1, 99: 1} { // 8 texels in at most 8/2 pieces
		tex := texture[float32](t, m, mem.TextureDesc{NormalizedCoords: true, FilterMode: mem.FilterLinear,
			MipmapFilterMode: mem.FilterLinear, MaxMipmapLevelClamp: 99, MaxAnisotropy: aniso})
		for _, d := range [][2]v2{{long, short}, {short, long}} {
			assert.Equal(t, blend(lod), mem.Tex2DGrad(tex, 0.5, 0.5, d[0], d[1]), "anisotropy %d", aniso)
		}
		assert.Equal(t, blend(1), mem.Tex2DGrad(tex, 0.5, 0.5, v2{2.0 / 16, 0}, v2{0, 2.0 / 16}), "anisotropy %d of a round footprint", aniso)
		assert.Equal(t, blend(0), mem.Tex2DGrad(tex, 0.5, 0.5, v2{inf32, 0}, short), "anisotropy %d of an infinite footprint", aniso)
		assert.Equal(t, blend(0), mem.Tex2DGrad(tex, 0.5, 0.5, v2{}, v2{}), "anisotropy %d of no footprint", aniso)
	}
	// Two samples, a third of the footprint apart on either side: at -1/6 and +1/6 of it.
	a := array(t, dev, mem.ArrayDesc{Width: 12, Height: 1}, []float32{0, 0, 0, 0, 7, 0, 0, 9, 0, 0, 0, 0})
	tex := texture[float32](t, a, mem.TextureDesc{FilterMode: mem.FilterLinear, MaxAnisotropy: 2})
	assert.Equal(t, float32(8), mem.Tex2DGrad(tex, 6, 0.5, v2{9, 0}, v2{}), "two samples")
}
