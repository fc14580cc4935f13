package mem_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func array[T any](t testing.TB, dev mem.Device, desc mem.ArrayDesc, texels []T) *mem.Array[T] {
	t.Helper()
	a, err := mem.AllocArray[T](dev, desc)
	require.NoError(t, err)
	if texels != nil {
		require.NoError(t, mem.CopyToArray(a, texels))
	}
	return a
}

func texture[R any](t testing.TB, res mem.TextureResource, desc mem.TextureDesc) *mem.Texture[R] {
	t.Helper()
	tex, err := mem.NewTexture[R](res, desc)
	require.NoError(t, err)
	return tex
}

// fetch calls the function for the array's shape, with its own coordinates or those of a level of
// detail that changes nothing.
func fetch[R any](t *mem.Texture[R], desc mem.ArrayDesc, u [3]float32, layer int, lod bool) R {
	switch layered := desc.Flags&mem.ArrayLayered != 0; {
	case layered && desc.Height == 0 && lod:
		return mem.Tex1DLayeredLod(t, u[0], layer, 0)
	case layered && desc.Height == 0:
		return mem.Tex1DLayered(t, u[0], layer)
	case layered && lod:
		return mem.Tex2DLayeredLod(t, u[0], u[1], layer, 0)
	case layered:
		return mem.Tex2DLayered(t, u[0], u[1], layer)
	case desc.Depth > 0 && lod:
		return mem.Tex3DLod(t, u[0], u[1], u[2], 0)
	case desc.Depth > 0:
		return mem.Tex3D(t, u[0], u[1], u[2])
	case desc.Height > 0 && lod:
		return mem.Tex2DLod(t, u[0], u[1], 0)
	case desc.Height > 0:
		return mem.Tex2D(t, u[0], u[1])
	case lod:
		return mem.Tex1DLod(t, u[0], 0)
	}
	return mem.Tex1D(t, u[0])
}

// shapes are small arrays of every shape but cubemaps, with awkward sizes among them.
var shapes = []mem.ArrayDesc{
	{Width: 1}, {Width: 2}, {Width: 7}, {Width: 64},
	{Width: 1, Height: 1}, {Width: 5, Height: 3}, {Width: 1, Height: 8}, {Width: 16, Height: 1}, {Width: 13, Height: 8},
	{Width: 1, Height: 1, Depth: 1}, {Width: 3, Height: 2, Depth: 5}, {Width: 4, Height: 4, Depth: 2},
	{Width: 6, Depth: 3, Flags: mem.ArrayLayered}, {Width: 1, Depth: 1, Flags: mem.ArrayLayered},
	{Width: 3, Height: 4, Depth: 2, Flags: mem.ArrayLayered},
}

// coordinate returns a coordinate for a dimension of n texels: anywhere in some distance, on and
// beside the ends and centers of texels, where the rounding of weights turns, tiny and huge.
func coordinate(r *rand.Rand, n int, normalized bool) float32 {
	var x float64
	switch r.IntN(6) {
	case 0:
		x = (r.Float64()*4 - 1.5) * float64(n)
	case 1:
		x = float64(r.IntN(6*n+4)-3*n) / 2 // ends and centers
	case 2:
		x = float64(r.IntN(2048*n)-512*n) / 512 // every weight, and halves of them
	case 3:
		x = float64(r.IntN(n + 1))
	case 4:
		x = math.Ldexp(r.Float64()-0.5, -r.IntN(140))
	default:
		x = math.Ldexp(r.Float64()-0.5, r.IntN(60))
	}
	if normalized {
		x /= float64(n)
	}
	f := float32(x)
	if r.IntN(3) == 0 {
		f = math.Nextafter32(f, float32(r.IntN(3)-1)*inf32)
	}
	if f-f != 0 {
		return 0
	}
	return f
}

// check compares a texture of texels with the reference, in every address mode, filter and kind of
// coordinate. value gives channel c of a texel as the filter sees it; split gives the channels of a
// result.
func check[T, R any](t *testing.T, seed uint64, read mem.ReadMode, srgb bool,
	random func(r *rand.Rand) T, value func(v T, c int) *big.Rat, split func(R) []float32) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	dev := newDevice(1 << 24)
	var zero R
	channels := len(split(zero))
	modes := []mem.AddressMode{mem.AddressWrap, mem.AddressClamp, mem.AddressMirror, mem.AddressBorder}
	for _, shape := range shapes {
		w, h, d := shape.Width, max(shape.Height, 1), max(shape.Depth, 1)
		texels := make([]T, w*h*d)
		for i := range texels {
			texels[i] = random(r)
		}
		a := array(t, dev, shape, texels)
		for _, mode := range modes {
			for setting := range 4 {
				linear, normalized := setting&1 != 0, setting&2 != 0
				desc := mem.TextureDesc{
					AddressMode:      [3]mem.AddressMode{mode, modes[r.IntN(4)], modes[r.IntN(4)]},
					ReadMode:         read,
					SRGB:             srgb,
					BorderColor:      [4]float32{0.25, -3, 1e3, 0.1},
					NormalizedCoords: normalized,
				}
				ref := reference{
					w: w, h: h, d: d, modes: desc.AddressMode, linear: linear, normalized: normalized, border: desc.BorderColor,
					texel: func(x, y, z, c int) *big.Rat { return value(texels[(z*h+y)*w+x], c) },
				}
				if linear {
					desc.FilterMode = mem.FilterLinear
				}
				layers := 1
				switch layered := shape.Flags&mem.ArrayLayered != 0; {
				case layered && shape.Height == 0:
					ref.dims, layers = 1, d
				case layered:
					ref.dims, layers = 2, d
				case shape.Depth > 0:
					ref.dims = 3
				case shape.Height > 0:
					ref.dims = 2
				default:
					ref.dims = 1
				}
				tex := texture[R](t, a, desc)
				for try := range 24 {
					u := [3]float32{coordinate(r, w, normalized), coordinate(r, h, normalized), coordinate(r, d, normalized)}
					layer := r.IntN(layers+4) - 2
					got := split(fetch(tex, shape, u, layer, try%3 == 0))
					for c := range channels {
						wide := [3]float64{float64(u[0]), float64(u[1]), float64(u[2])}
						want := ref.at(wide, min(max(layer, 0), layers-1), c)
						if !rounded(got[c], want, 1e3) {
							f, _ := want.Float32()
							t.Fatalf("%+v\n%+v\nat %v of layer %d channel %d is %v, want %v", shape, desc, u, layer, c, got[c], f)
						}
					}
				}
				require.NoError(t, tex.Destroy())
			}
		}
		require.NoError(t, a.Free())
	}
	assert.Zero(t, used(dev), "bytes in use")
}

func one(v float32) []float32     { return []float32{v} }
func two(v [2]float32) []float32  { return v[:] }
func four(v [4]float32) []float32 { return v[:] }

func TestTextureFloat(t *testing.T) {
	check(t, 1, mem.ReadElementType, false,
		func(r *rand.Rand) float32 { return r.Float32()*200 - 100 },
		func(v float32, _ int) *big.Rat { return rat(float64(v)) }, one)
}

// Numbers of a few bits leave no room for rounding: results must be the same in every bit.
func TestTextureFloatExactly(t *testing.T) {
	dev := newDevice(1 << 20)
	r := rand.New(rand.NewPCG(3, 4))
	const w, h = 9, 5
	texels := make([]float32, w*h)
	for i := range texels {
		texels[i] = float32(r.IntN(256) - 128)
	}
	a := array(t, dev, mem.ArrayDesc{Width: w, Height: h}, texels)
	ref := reference{w: w, h: h, d: 1, dims: 2, linear: true,
		modes: [3]mem.AddressMode{mem.AddressClamp, mem.AddressClamp},
		texel: func(x, y, _, _ int) *big.Rat { return rat(float64(texels[y*w+x])) }}
	tex := texture[float32](t, a, mem.TextureDesc{AddressMode: ref.modes, FilterMode: mem.FilterLinear})
	for range 3000 {
		x, y := r.Float32()*(w+2)-1, r.Float32()*(h+2)-1
		want, exact := ref.at([3]float64{float64(x), float64(y)}, 0, 0).Float32()
		require.True(t, exact, "at (%v, %v)", x, y)
		require.Equal(t, want, mem.Tex2D(tex, x, y), "at (%v, %v)", x, y)
	}
}

func TestTextureFloat2(t *testing.T) {
	check(t, 2, mem.ReadNormalizedFloat, false, // which has no effect on floats
		func(r *rand.Rand) [2]float32 { return [2]float32{r.Float32(), float32(r.NormFloat64())} },
		func(v [2]float32, c int) *big.Rat { return rat(float64(v[c])) }, two)
}

// float4 is a texel and a result as package device has them.
type float4 struct{ X, Y, Z, W float32 }

func TestTextureFloat4Struct(t *testing.T) {
	check(t, 3, mem.ReadElementType, false,
		func(r *rand.Rand) float4 { return float4{r.Float32(), -r.Float32(), 0, 1e3 * r.Float32()} },
		func(v float4, c int) *big.Rat { return rat(float64([4]float32{v.X, v.Y, v.Z, v.W}[c])) },
		func(v float4) []float32 { return []float32{v.X, v.Y, v.Z, v.W} })
}

func TestTextureUnorm8(t *testing.T) {
	check(t, 4, mem.ReadNormalizedFloat, false,
		func(r *rand.Rand) [4]uint8 { return [4]uint8{uint8(r.Uint32()), uint8(r.Uint32()), 255, 0} },
		func(v [4]uint8, c int) *big.Rat { return ratOf(int64(v[c]), 255) }, four)
}

func TestTextureSnorm8(t *testing.T) {
	check(t, 5, mem.ReadNormalizedFloat, false,
		func(r *rand.Rand) [2]int8 { return [2]int8{int8(r.Uint32()), -128} },
		func(v [2]int8, c int) *big.Rat { return ratOf(max(int64(v[c]), -127), 127) }, two)
}

func TestTextureUnorm16(t *testing.T) {
	check(t, 6, mem.ReadNormalizedFloat, false,
		func(r *rand.Rand) uint16 { return uint16(r.Uint32()) },
		func(v uint16, c int) *big.Rat { return ratOf(int64(v), 65535) }, one)
}

func TestTextureSnorm16(t *testing.T) {
	check(t, 7, mem.ReadNormalizedFloat, false,
		func(r *rand.Rand) [4]int16 { return [4]int16{int16(r.Uint32()), -32768, 32767, -32767} },
		func(v [4]int16, c int) *big.Rat { return ratOf(max(int64(v[c]), -32767), 32767) }, four)
}

func TestTextureHalf(t *testing.T) {
	check(t, 8, mem.ReadElementType, false,
		func(r *rand.Rand) [2]Half { // below 16, subnormals among them
			return [2]Half{Half(r.IntN(0x4c00)), Half(r.IntN(0x400)) | 0x8000}
		},
		func(v [2]Half, c int) *big.Rat { return halfValue(v[c]) }, two)
}

func TestTextureSRGB(t *testing.T) {
	// The curve in 200 bits would be the same float32 but for ties, which it has none of near a
	// float64.
	curve := func(b uint8) *big.Rat {
		c := float64(b) / 255
		if b <= 10 { // 0.04045*255 is 10.3
			return rat(float64(float32(c / 12.92)))
		}
		return rat(float64(float32(math.Exp(2.4 * math.Log((c+0.055)/1.055)))))
	}
	check(t, 9, mem.ReadNormalizedFloat, true,
		func(r *rand.Rand) [4]uint8 {
			return [4]uint8{uint8(r.Uint32()), uint8(r.Uint32()), 10, uint8(r.Uint32())}
		},
		func(v [4]uint8, c int) *big.Rat {
			if c == 3 {
				return ratOf(int64(v[c]), 255)
			}
			return curve(v[c])
		}, four)
	// Values that tables of the curve have.
	dev := newDevice(1 << 20)
	a := array(t, dev, mem.ArrayDesc{Width: 4}, []uint8{0, 55, 188, 255})
	tex := texture[float32](t, a, mem.TextureDesc{ReadMode: mem.ReadNormalizedFloat, SRGB: true})
	for i, want := range []float64{0, 0.03820438, 0.50288646, 1} {
		assert.InDelta(t, want, mem.Tex1D(tex, float32(i)), 1e-7, "texel %d", i)
	}
}

// every half, by the definition of the format.
func TestTextureEveryHalf(t *testing.T) {
	dev := newDevice(1 << 20)
	all := make([]Half, 1<<16)
	for i := range all {
		all[i] = Half(i)
	}
	buf := filled(t, dev, all...)
	tex := texture[float32](t, buf, mem.TextureDesc{})
	got := make([]float32, len(all))
	for i := range got {
		got[i] = mem.Tex1Dfetch(tex, i)
	}
	slicetest.EqualFunc(t, all, got, func(h Half, got float32) bool {
		want, _ := halfValue(h).Float32()
		switch {
		case h&0x7c00 != 0x7c00:
			return got == want && math.Signbit(float64(got)) == (h>>15 != 0)
		case h&0x3ff != 0:
			return got != got
		}
		return got == float32(math.Inf(1-2*int(h>>15)))
	})
}

// integers reads integers of a type, point by point.
func integers[T comparable](t *testing.T, random func(r *rand.Rand) T) {
	t.Helper()
	var zero T
	t.Run(fmt.Sprintf("%T", zero), func(t *testing.T) {
		dev := newDevice(1 << 20)
		r := rand.New(rand.NewPCG(5, 6))
		const w, h, d = 7, 5, 3
		texels := make([]T, w*h*d)
		for i := range texels {
			texels[i] = random(r)
		}
		a := array(t, dev, mem.ArrayDesc{Width: w, Height: h, Depth: d}, texels)
		border := mem.AddressBorder
		tex := texture[T](t, a, mem.TextureDesc{AddressMode: [3]mem.AddressMode{border, mem.AddressClamp, border}})
		for range 2000 {
			x, y, z := r.Float32()*(w+4)-2, r.Float32()*(h+4)-2, r.Float32()*(d+4)-2
			i, j, k := int(math.Floor(float64(x))), int(math.Floor(float64(y))), int(math.Floor(float64(z)))
			var want T
			if i >= 0 && i < w && k >= 0 && k < d {
				want = texels[(k*h+min(max(j, 0), h-1))*w+i]
			}
			require.Equal(t, want, mem.Tex3D(tex, x, y, z), "at (%v, %v, %v)", x, y, z)
		}
	})
}

func TestTextureIntegers(t *testing.T) {
	integers(t, func(r *rand.Rand) int8 { return int8(r.Uint32()) })
	integers(t, func(r *rand.Rand) uint8 { return uint8(r.Uint32()) })
	integers(t, func(r *rand.Rand) int16 { return int16(r.Uint32()) })
	integers(t, func(r *rand.Rand) [2]uint16 { return [2]uint16{uint16(r.Uint32()), uint16(r.Uint32())} })
	integers(t, func(r *rand.Rand) int32 { return int32(r.Uint32()) })
	integers(t, func(r *rand.Rand) [4]uint32 { return [4]uint32{r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()} })
	integers(t, func(r *rand.Rand) [4]uint8 { return [4]uint8{uint8(r.Uint32()), 1, 2, uint8(r.Uint32())} })
	integers(t, func(r *rand.Rand) struct{ X, Y int32 } { return struct{ X, Y int32 }{int32(r.Uint32()), -1} })
}

// 32-bit integers are not normalized, whatever the read mode says: CUDA's documentation of
// cudaTextureDesc::readMode.
func TestTextureReadModeLeaves32Bits(t *testing.T) {
	dev := newDevice(1 << 20)
	a := array(t, dev, mem.ArrayDesc{Width: 2}, []uint32{1 << 31, 5})
	tex := texture[uint32](t, a, mem.TextureDesc{ReadMode: mem.ReadNormalizedFloat})
	assert.Equal(t, uint32(1<<31), mem.Tex1D(tex, 0.5))
	_, err := mem.NewTexture[float32](a, mem.TextureDesc{ReadMode: mem.ReadNormalizedFloat})
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "32 bits as a float")
}

// The figures of the guide's appendix have a texture of 4 texels. Its text gives tex(x) at the
// centers of texels, the ends of the range, and the table lookup TL(x) = tex((N-1)/R*x + 0.5) with
// TL(0) = T[0] and TL(R) = T[N-1].
func TestTextureFiguresOfTheGuide(t *testing.T) {
	dev := newDevice(1 << 20)
	texels := []float32{1, 5, 3, 4}
	const n = 4
	a := array(t, dev, mem.ArrayDesc{Width: n}, texels)
	clamp := [3]mem.AddressMode{mem.AddressClamp}
	for _, normalized := range []bool{false, true} {
		scale := float32(1)
		if normalized {
			scale = 1.0 / n
		}
		point := texture[float32](t, a, mem.TextureDesc{AddressMode: clamp, NormalizedCoords: normalized})
		linear := texture[float32](t, a, mem.TextureDesc{AddressMode: clamp, NormalizedCoords: normalized, FilterMode: mem.FilterLinear})
		for _, c := range []struct{ x, point, linear float32 }{
			{0, 1, 1}, {0.5, 1, 1}, {0.999, 1, 3}, // 0.499*256 is 127.744, whose nearest integer is 128
			{1, 5, 3}, {1.5, 5, 5}, {2, 3, 4}, {2.25, 3, 3.5}, {2.5, 3, 3}, {3, 4, 3.5}, {3.5, 4, 4}, {4, 4, 4}, {100, 4, 4}, {-5, 1, 1},
		} {
			assert.Equal(t, c.point, mem.Tex1D(point, c.x*scale), "normalized %v, point: tex(%v)", normalized, c.x)
			assert.Equal(t, c.linear, mem.Tex1D(linear, c.x*scale), "normalized %v, linear: tex(%v)", normalized, c.x)
		}
		// The table lookup, with R = 1.
		lookup := func(x float32) float32 { return mem.Tex1D(linear, ((n-1)*x+0.5)*scale) }
		for x, want := range map[float32]float32{0: 1, 1: 4, 0.5: 4, 0.25: 4} { // 0.25 is at 0.75 between T[0] and T[1]
			assert.Equal(t, want, lookup(x), "normalized %v: TL(%v)", normalized, x)
		}
	}
}

// A weight of 256/256 is reached: just below the center of the next texel its value is there already.
func TestTextureWeightReachesOne(t *testing.T) {
	dev := newDevice(1 << 20)
	a := array(t, dev, mem.ArrayDesc{Width: 2}, []float32{0, 1})
	tex := texture[float32](t, a, mem.TextureDesc{FilterMode: mem.FilterLinear})
	seen := map[float32]bool{}
	for i := range 1 << 14 {
		v := mem.Tex1D(tex, 0.5+float32(i)/(1<<14))
		require.Equal(t, float32(int(v*256)), v*256, "no multiple of 1/256")
		seen[v] = true
	}
	assert.Len(t, seen, 257, "weights")
	assert.Equal(t, float32(1), mem.Tex1D(tex, math.Nextafter32(1.5, 0)), "just below the center")
}

// What is not finite: coordinates, and texels beside the one that counts.
func TestTextureNotFinite(t *testing.T) {
	dev := newDevice(1 << 20)
	nan := float32(math.NaN())
	a := array(t, dev, mem.ArrayDesc{Width: 4, Height: 4}, []float32{
		1, 2, 3, 4,
		5, inf32, 7, 8,
		9, 10, nan, 12,
		13, 14, 15, -inf32,
	})
	modes := []mem.AddressMode{mem.AddressWrap, mem.AddressClamp, mem.AddressMirror, mem.AddressBorder}
	for _, mode := range modes {
		for setting := range 4 {
			desc := mem.TextureDesc{AddressMode: [3]mem.AddressMode{mode, mode}, NormalizedCoords: setting&1 != 0,
				FilterMode: mem.FilterMode(setting >> 1), BorderColor: [4]float32{-1}}
			tex := texture[float32](t, a, desc)
			name := fmt.Sprintf("%+v", desc)
			// NaN is coordinate 0; so it is the same as 0 in the other dimension's terms too.
			assert.Equal(t, mem.Tex2D(tex, 0, 0), mem.Tex2D(tex, nan, nan), "%s: NaN reads what 0 reads", name)
			wraps := desc.NormalizedCoords && (mode == mem.AddressWrap || mode == mem.AddressMirror)
			for _, x := range []float32{inf32, -inf32} {
				got := mem.Tex2D(tex, x, 0.125)
				want := mem.Tex2D(tex, float32(math.Copysign(1e6, float64(x))), 0.125)
				if wraps {
					want = mem.Tex2D(tex, 0, 0.125)
				}
				assert.Equal(t, want, got, "%s: at %v", name, x)
			}
		}
	}
	tex := texture[float32](t, a, mem.TextureDesc{AddressMode: [3]mem.AddressMode{1, 1}, FilterMode: mem.FilterLinear})
	for _, c := range []struct{ x, y, want float32 }{
		{0.5, 0.5, 1}, {0.5, 1.5, 5}, {1.5, 0.5, 2}, {2.5, 1.5, 7}, {1.5, 1.5, inf32}, {3.5, 3.5, -inf32}, {9, 9, -inf32},
		{1.5, 1, inf32}, {2.5, 2.5, nan}, {2.5, 2, nan}, {2, 2, nan}, {3.5, 2.5, 12}, {3.5, 3, -inf32},
	} {
		got := mem.Tex2D(tex, c.x, c.y)
		assert.True(t, got == c.want || got != got && c.want != c.want, "at (%v, %v): %v, want %v", c.x, c.y, got, c.want)
	}
	four := texture[[4]float32](t, array(t, dev, mem.ArrayDesc{Width: 1}, [][4]float32{{1, inf32, nan, 0}}),
		mem.TextureDesc{FilterMode: mem.FilterLinear})
	v := mem.Tex1D(four, 0.25)
	assert.Equal(t, float32(1), v[0])
	assert.Equal(t, inf32, v[1])
	assert.True(t, math.IsNaN(float64(v[2])))
	assert.Zero(t, v[3])
}

func TestTextureKeepsNegativeZero(t *testing.T) {
	dev := newDevice(1 << 20)
	zero := float32(math.Copysign(0, -1))
	one := array(t, dev, mem.ArrayDesc{Width: 2, Height: 2}, []float32{zero, zero, zero, zero})
	two := array(t, dev, mem.ArrayDesc{Width: 2}, [][2]float32{{zero, 0}, {zero, zero}})
	for _, f := range []mem.FilterMode{mem.FilterPoint, mem.FilterLinear} {
		for _, normalized := range []bool{false, true} {
			desc := mem.TextureDesc{FilterMode: f, NormalizedCoords: normalized}
			assert.True(t, math.Signbit(float64(mem.Tex2D(texture[float32](t, one, desc), 0.6, 0.6))), "filter %d of -0", f)
			v := mem.Tex1D(texture[[2]float32](t, two, desc), 0.4)
			assert.True(t, math.Signbit(float64(v[0])), "filter %d of -0, and of 0 and -0", f)
			assert.False(t, math.Signbit(float64(v[1])), "filter %d of -0, and of 0 and -0", f)
		}
	}
}

func TestTex1Dfetch(t *testing.T) {
	dev := newDevice(1 << 20)
	buf := filled[[4]uint8](t, dev, [4]uint8{255, 0, 51, 1}, [4]uint8{9, 9, 9, 9})
	raw := texture[[4]uint8](t, buf, mem.TextureDesc{FilterMode: mem.FilterLinear}) // has no effect here
	norm := texture[[4]float32](t, buf, mem.TextureDesc{ReadMode: mem.ReadNormalizedFloat, NormalizedCoords: true})
	for x, want := range map[int][4]uint8{-1: {}, 0: {255, 0, 51, 1}, 1: {9, 9, 9, 9}, 2: {}, math.MaxInt: {}, math.MinInt: {}} {
		assert.Equal(t, want, mem.Tex1Dfetch(raw, x), "element %d", x)
	}
	assert.Equal(t, [4]float32{1, 0, 0.2, 1.0 / 255}, mem.Tex1Dfetch(norm, 0), "normalized")
	assert.Equal(t, [4]float32{}, mem.Tex1Dfetch(norm, 2), "normalized beyond the end")
	slice := []float32{3, 4}
	managed := texture[float32](t, mem.Linear[float32]{Data: slice}, mem.TextureDesc{})
	slice[1] = 7 // a texture is a view
	assert.Equal(t, float32(7), mem.Tex1Dfetch(managed, 1), "managed memory")
}

func TestPitch2D(t *testing.T) {
	dev := newDevice(1 << 20)
	const w, h, pitch = 5, 3, 8
	data := make([]float32, (h-1)*pitch+w)
	for i := range data {
		data[i] = -1
	}
	for y := range h {
		for x := range w {
			data[y*pitch+x] = float32(10*y + x)
		}
	}
	for name, p := range map[string]mem.Pitch2D[float32]{
		"buffer": {Buffer: filled(t, dev, data...), Width: w, Height: h, Pitch: pitch},
		"data":   {Data: data, Width: w, Height: h, Pitch: pitch},
	} {
		point := texture[float32](t, p, mem.TextureDesc{})
		linear := texture[float32](t, p, mem.TextureDesc{FilterMode: mem.FilterLinear, NormalizedCoords: true})
		for y := range h {
			for x := range w {
				assert.Equal(t, float32(10*y+x), mem.Tex2D(point, float32(x), float32(y)), "%s: texel %d, %d", name, x, y)
			}
		}
		// Between the last and the first texel of the first row, since the default address mode wraps.
		assert.Equal(t, float32(2), mem.Tex2D(linear, 0, 0.5/h), "%s: across the end", name)
	}
	for name, p := range map[string]mem.Pitch2D[float32]{
		"nothing":         {Width: 1, Height: 1},
		"both":            {Buffer: filled[float32](t, dev, 1), Data: data, Width: 1, Height: 1},
		"no width":        {Data: data, Height: 1},
		"negative height": {Data: data, Width: 1, Height: -1},
		"pitch too small": {Data: data, Width: 9, Height: 1, Pitch: 8},
		"too short":       {Data: data[:len(data)-1], Width: w, Height: h, Pitch: pitch},
		"huge":            {Data: data, Width: 1, Height: math.MaxInt, Pitch: math.MaxInt &^ 31},
		"misaligned":      {Data: data, Width: w, Height: 2},
		"beyond limits":   {Data: make([]float32, 131073), Width: 131073, Height: 1},
	} {
		_, err := mem.NewTexture[float32](p, mem.TextureDesc{})
		assert.ErrorIs(t, err, mem.ErrInvalidValue, name)
	}
}

// badTexture is a texture that there can't be.
func badTexture[R any](t *testing.T, name string, res mem.TextureResource, desc mem.TextureDesc) {
	t.Helper()
	tex, err := mem.NewTexture[R](res, desc)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, name)
	assert.Nil(t, tex, "%s: a texture besides the error", name)
}

func TestNewTextureErrors(t *testing.T) {
	dev := newDevice(1 << 20)
	bytes := array[uint8](t, dev, mem.ArrayDesc{Width: 4, Height: 4}, nil)
	floats := array[float32](t, dev, mem.ArrayDesc{Width: 4, Height: 4}, nil)
	linear := mem.TextureDesc{FilterMode: mem.FilterLinear}
	nan := float32(math.NaN())

	badTexture[float32](t, "no resource", nil, mem.TextureDesc{})
	badTexture[float32](t, "nil array", (*mem.Array[float32])(nil), mem.TextureDesc{})
	badTexture[float32](t, "zero array", &mem.Array[float32]{}, mem.TextureDesc{})
	badTexture[float32](t, "nil mipmapped array", (*mem.MipmappedArray[float32])(nil), mem.TextureDesc{})
	badTexture[float32](t, "nil buffer", (*mem.Buffer[float32])(nil), mem.TextureDesc{})
	badTexture[float32](t, "empty buffer", alloc[float32](t, dev, 0), mem.TextureDesc{})
	badTexture[float32](t, "empty slice", mem.Linear[float32]{}, mem.TextureDesc{})
	badTexture[float64](t, "texels of 64 bits", mem.Linear[float64]{Data: make([]float64, 4)}, mem.TextureDesc{})
	badTexture[uint8](t, "linear filter of integers", bytes, linear)
	badTexture[uint8](t, "linear filter between integers' levels", bytes, mem.TextureDesc{MipmapFilterMode: mem.FilterLinear})
	badTexture[uint8](t, "border color of integers", bytes, mem.TextureDesc{BorderColor: [4]float32{1}})
	badTexture[float32](t, "bytes as floats", bytes, mem.TextureDesc{})
	badTexture[uint8](t, "normalized floats as bytes", bytes, mem.TextureDesc{ReadMode: mem.ReadNormalizedFloat})
	badTexture[[4]float32](t, "four of one", floats, mem.TextureDesc{})
	badTexture[string](t, "strings", floats, mem.TextureDesc{})
	badTexture[float32](t, "sRGB of floats", floats, mem.TextureDesc{SRGB: true})
	badTexture[uint8](t, "sRGB of integers", bytes, mem.TextureDesc{SRGB: true})
	badTexture[float32](t, "seamless 2-D", floats, mem.TextureDesc{SeamlessCubemap: true})
	badTexture[float32](t, "address mode", floats, mem.TextureDesc{AddressMode: [3]mem.AddressMode{0, 0, 4}})
	badTexture[float32](t, "filter mode", floats, mem.TextureDesc{FilterMode: 2})
	badTexture[float32](t, "mipmap filter mode", floats, mem.TextureDesc{MipmapFilterMode: 2})
	badTexture[float32](t, "read mode", floats, mem.TextureDesc{ReadMode: 2})
	badTexture[float32](t, "anisotropy", floats, mem.TextureDesc{MaxAnisotropy: -1})
	badTexture[float32](t, "NaN bias", floats, mem.TextureDesc{MipmapLevelBias: nan})
	badTexture[float32](t, "infinite level", floats, mem.TextureDesc{MaxMipmapLevelClamp: inf32})
	badTexture[float32](t, "levels upside down", floats, mem.TextureDesc{MinMipmapLevelClamp: 1})

	require.NoError(t, bytes.Free())
	_, err := mem.NewTexture[uint8](bytes, mem.TextureDesc{})
	assert.ErrorIs(t, err, mem.ErrFreed, "freed array")
	buf := filled[float32](t, dev, 1)
	require.NoError(t, buf.Free())
	_, err = mem.NewTexture[float32](buf, mem.TextureDesc{})
	assert.ErrorIs(t, err, mem.ErrFreed, "freed buffer")
	_, err = mem.NewTexture[float32](mem.Pitch2D[float32]{Buffer: buf, Width: 1, Height: 1}, mem.TextureDesc{})
	assert.ErrorIs(t, err, mem.ErrFreed, "freed pitched buffer")
}

// panics returns the error that f panics with.
func panics(t *testing.T, f func()) (err error) {
	t.Helper()
	defer func() {
		v := recover()
		if e, ok := v.(error); ok {
			err = e
		} else {
			t.Errorf("panicked with %v, want an error", v)
		}
	}()
	f()
	return nil
}

func TestFetchErrors(t *testing.T) {
	dev := newDevice(1 << 20)
	a := array[float32](t, dev, mem.ArrayDesc{Width: 4, Height: 4}, nil)
	tex := texture[float32](t, a, mem.TextureDesc{})
	for name, f := range map[string]func(){
		"Tex1D":                 func() { mem.Tex1D(tex, 0) },
		"Tex3D":                 func() { mem.Tex3D(tex, 0, 0, 0) },
		"Tex1Dfetch":            func() { mem.Tex1Dfetch(tex, 0) },
		"Tex1DLayered":          func() { mem.Tex1DLayered(tex, 0, 0) },
		"Tex2DLayered":          func() { mem.Tex2DLayered(tex, 0, 0, 0) },
		"TexCubemap":            func() { mem.TexCubemap(tex, 0, 0, 1) },
		"TexCubemapLayered":     func() { mem.TexCubemapLayered(tex, 0, 0, 1, 0) },
		"Tex1DLod":              func() { mem.Tex1DLod(tex, 0, 0) },
		"Tex3DLod":              func() { mem.Tex3DLod(tex, 0, 0, 0, 0) },
		"Tex1DLayeredLod":       func() { mem.Tex1DLayeredLod(tex, 0, 0, 0) },
		"Tex2DLayeredLod":       func() { mem.Tex2DLayeredLod(tex, 0, 0, 0, 0) },
		"TexCubemapLod":         func() { mem.TexCubemapLod(tex, 0, 0, 1, 0) },
		"TexCubemapLayeredLod":  func() { mem.TexCubemapLayeredLod(tex, 0, 0, 1, 0, 0) },
		"Tex1DGrad":             func() { mem.Tex1DGrad(tex, 0, 0, 0) },
		"Tex3DGrad":             func() { mem.Tex3DGrad(tex, 0, 0, 0, [3]float32{}, [3]float32{}) },
		"Tex1DLayeredGrad":      func() { mem.Tex1DLayeredGrad(tex, 0, 0, 0, 0) },
		"Tex2DLayeredGrad":      func() { mem.Tex2DLayeredGrad(tex, 0, 0, 0, [2]float32{}, [2]float32{}) },
		"TexCubemapGrad":        func() { mem.TexCubemapGrad(tex, 0, 0, 1, [3]float32{}, [3]float32{}) },
		"TexCubemapLayeredGrad": func() { mem.TexCubemapLayeredGrad(tex, 0, 0, 1, 0, [3]float32{}, [3]float32{}) },
		"Tex2Dgather":           func() { mem.Tex2Dgather[float32](tex, 0, 0, 0) }, // an array without the flag
	} {
		assert.ErrorIs(t, panics(t, f), mem.ErrInvalidValue, name+" of a 2-D texture")
	}

	require.NoError(t, tex.Destroy())
	assert.ErrorIs(t, panics(t, func() { mem.Tex2D(tex, 0, 0) }), mem.ErrFreed, "a destroyed texture")
	assert.ErrorIs(t, tex.Destroy(), mem.ErrFreed, "second Destroy")
	assert.ErrorIs(t, (*mem.Texture[float32])(nil).Destroy(), mem.ErrInvalidValue, "Destroy of nil")
	assert.ErrorIs(t, new(mem.Texture[float32]).Destroy(), mem.ErrInvalidValue, "Destroy of nothing")

	tex = texture[float32](t, a, mem.TextureDesc{FilterMode: mem.FilterLinear, MaxAnisotropy: 99})
	d := tex.Desc()
	assert.Equal(t, mem.FilterLinear, d.FilterMode)
	assert.Equal(t, 99, d.MaxAnisotropy)
	require.NoError(t, a.Free())
	assert.ErrorIs(t, panics(t, func() { mem.Tex2D(tex, 0, 0) }), mem.ErrFreed, "a texture of a freed array")
	require.NoError(t, tex.Destroy())
}

// The order of Tex2Dgather's texels is that of CUDA: (i,j+1), (i+1,j+1), (i+1,j), (i,j).
func TestTex2Dgather(t *testing.T) {
	dev := newDevice(1 << 20)
	const w, h = 4, 3
	var texels [][2]uint16
	for y := range uint16(h) {
		for x := range uint16(w) {
			texels = append(texels, [2]uint16{10*y + x, 100 + 10*y + x})
		}
	}
	a := array(t, dev, mem.ArrayDesc{Width: w, Height: h, Flags: mem.ArrayTextureGather}, texels)
	raw := texture[[2]uint16](t, a, mem.TextureDesc{AddressMode: [3]mem.AddressMode{mem.AddressClamp, mem.AddressBorder}})
	wrap := texture[[2]float32](t, a, mem.TextureDesc{NormalizedCoords: true, ReadMode: mem.ReadNormalizedFloat,
		FilterMode: mem.FilterLinear})
	for _, c := range []struct {
		x, y float32
		comp int
		want [4]uint16
	}{
		{2, 1, 0, [4]uint16{11, 12, 2, 1}},
		{1.5, 0.5, 0, [4]uint16{11, 12, 2, 1}}, // at a center: that texel is (i, j)
		{1.49, 1.49, 0, [4]uint16{10, 11, 1, 0}},
		{2, 1, 1, [4]uint16{111, 112, 102, 101}},
		{0, 1, 1, [4]uint16{110, 110, 100, 100}},
		{2, 0, 0, [4]uint16{1, 2, 0, 0}}, // the border above is 0
		{99, 2, 0, [4]uint16{23, 23, 13, 13}},
		{2, 99, 1, [4]uint16{0, 0, 0, 0}},
	} {
		assert.Equal(t, c.want, mem.Tex2Dgather[uint16](raw, c.x, c.y, c.comp), "component %d at (%v, %v)", c.comp, c.x, c.y)
	}
	got := mem.Tex2Dgather[float32](wrap, 0, 0, 0) // between the last and the first texels
	want := [4]float32{3.0 / 65535, 0, 20.0 / 65535, 23.0 / 65535}
	assert.Equal(t, want, got, "across the corner")
	// What it gathers is what linear filtering weighs.
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		x, y := r.Float32()*3-1, r.Float32()*3-1
		g := mem.Tex2Dgather[float32](wrap, x, y, 1)
		frac := func(v float64) float64 { return math.Floor((v-math.Floor(v))*256+0.5) / 256 }
		u, v := frac(float64(x)*w-0.5), frac(float64(y)*h-0.5)
		sum := (1-u)*(1-v)*float64(g[3]) + u*(1-v)*float64(g[2]) + (1-u)*v*float64(g[0]) + u*v*float64(g[1])
		require.InDelta(t, sum, mem.Tex2D(wrap, x, y)[1], 1e-9, "at (%v, %v), filtered by hand from gathered texels", x, y)
	}
	assert.ErrorIs(t, panics(t, func() { mem.Tex2Dgather[uint16](raw, 0, 0, 2) }), mem.ErrInvalidValue, "component 2")
	assert.ErrorIs(t, panics(t, func() { mem.Tex2Dgather[uint16](raw, 0, 0, -1) }), mem.ErrInvalidValue, "component -1")
	assert.ErrorIs(t, panics(t, func() { mem.Tex2Dgather[uint8](raw, 0, 0, 0) }), mem.ErrInvalidValue, "wrong size")
	assert.ErrorIs(t, panics(t, func() { mem.Tex2Dgather[int16](raw, 0, 0, 0) }), mem.ErrInvalidValue, "wrong sign")
	assert.ErrorIs(t, panics(t, func() { mem.Tex2Dgather[float32](raw, 0, 0, 0) }), mem.ErrInvalidValue, "float")
}
