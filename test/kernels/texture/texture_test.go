package texture_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/texture"
	"github.com/gocuda/gocuda/mem"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var addressModes = map[string]mem.AddressMode{
	"wrap": mem.AddressWrap, "clamp": mem.AddressClamp, "mirror": mem.AddressMirror, "border": mem.AddressBorder,
}

func bothModes(m mem.AddressMode) [3]mem.AddressMode { return [3]mem.AddressMode{m, m} }

// At the middles of texels, point sampling and linear filtering both return a texel, and which one
// is arithmetic on integers.
func TestAddressAtMiddlesOfTexels(t *testing.T) {
	const n = 5
	texels := []float32{10, 11, 12, 13, 14}
	index := map[string]func(i int) int{
		"wrap":   func(i int) int { return ((i % n) + n) % n },
		"clamp":  func(i int) int { return min(max(i, 0), n-1) },
		"mirror": func(i int) int { k := ((i % (2 * n)) + 2*n) % (2 * n); return min(k, 2*n-1-k) },
		"border": func(i int) int {
			if i < 0 || i >= n {
				return -1
			}
			return i
		},
	}
	const from, to = -11, 14 // texels
	for _, dev := range kerneltest.Devices(t) {
		for name, mode := range addressModes {
			for _, filter := range []mem.FilterMode{mem.FilterPoint, mem.FilterLinear} {
				for _, normalized := range []bool{true, false} {
					desc := mem.TextureDesc{AddressMode: bothModes(mode), FilterMode: filter, NormalizedCoords: normalized, BorderColor: [4]float32{-7}}
					got := make([]float32, to-from)
					win := texture.Window{X0: from / 5.0, X1: to / 5.0, Y1: 1}
					require.NoError(t, texture.Address(t.Context(), dev, desc, win, to-from, 1, got, n, 1, texels))
					of := index[name]
					if !normalized && name != "border" { // there is nothing to repeat
						of = index["clamp"]
					}
					for i, g := range got {
						want := float32(-7)
						if k := of(from + i); k >= 0 {
							want = texels[k]
						}
						// Coordinates are rounded to float32, and the weights to 1/256.
						assert.InDelta(t, want, g, 17./256*float64(filter), "%s, filter %d, normalized %v, texel %d on %s", name, filter, normalized, from+i, dev.Name)
					}
				}
			}
		}
	}
}

func TestAddressAgainstSerial(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, dev := range kerneltest.Devices(t) {
		for _, s := range [][4]int{{1, 1, 1, 1}, {40, 33, 7, 5}, {17, 50, 1, 9}, {70, 3, 64, 31}, {0, 5, 3, 3}} {
			w, h, tw, th := s[0], s[1], s[2], s[3]
			texels := kerneltest.Uniform[float32](tw * th)
			for x, mx := range addressModes {
				for y, my := range addressModes {
					for _, filter := range []mem.FilterMode{mem.FilterPoint, mem.FilterLinear} {
						desc := mem.TextureDesc{
							AddressMode: [3]mem.AddressMode{mx, my}, FilterMode: filter, NormalizedCoords: r.IntN(3) > 0, BorderColor: [4]float32{0.5},
						}
						win := texture.Window{X0: -3 * r.Float32(), Y0: -2 * r.Float32(), X1: 3 * r.Float32(), Y1: 4 * r.Float32()}
						got, want := make([]float32, w*h), make([]float32, w*h)
						require.NoError(t, texture.Address(t.Context(), dev, desc, win, w, h, got, tw, th, texels))
						serial.TextureAddress(desc, win, w, h, want, tw, th, texels)
						slicetest.InDelta(t, want, got, 0x1p-23, "%v, %s by %s, %+v on %s", s, x, y, desc, dev.Name)
					}
				}
			}
		}
	}
}

// Nine bits, eight of them behind the point: 257 values, a 256th of the way apart, and each for as
// long as the others.
func TestWeightsHaveNineBits(t *testing.T) {
	const n = 1 << 14
	for _, dev := range kerneltest.Devices(t) {
		got := make([]float32, n)
		require.NoError(t, texture.Weights(t.Context(), dev, 0, 1, got))
		values := map[float32]int{}
		for i, v := range got {
			values[v]++
			assert.InDelta(t, float64(i)/n, v, 1./512, "place %d", i)
			assert.Equal(t, math.Trunc(float64(v)*256), float64(v)*256, "place %d", i)
		}
		assert.Len(t, values, 257, "on %s", dev.Name)
		assert.Equal(t, n/256, values[0.25])
		assert.Equal(t, n/512, values[0], "half as long at the end")
	}
}

func TestWeightsAgainstSerial(t *testing.T) {
	for _, n := range []int{0, 1, 7, 255, 256, 257, 1000} {
		got, want := make([]float32, n), make([]float32, n)
		require.NoError(t, texture.Weights(t.Context(), gocuda.Default(), -3, 12.5, got))
		serial.TextureWeights(-3, 12.5, want)
		slicetest.InDelta(t, want, got, 1e-6, "%d", n)
	}
	assert.ErrorIs(t, texture.Weights(t.Context(), gocuda.Default(), 0, 1, make([]float32, 1<<24+1)), gocuda.ErrInvalidValue)
}

// directions returns a cube whose texels have their direction as colour: 0 to 255 is -1 to 1 on the
// surface of the cube.
func directions(side int) []texture.Texel {
	env := make([]texture.Texel, 6*side*side)
	for p := range env {
		x, y, z := texture.CubeDirection(p/(side*side), p%side, p/side%side, side)
		env[p] = texture.Texel{byte(math.Round(127.5 * (x + 1))), byte(math.Round(127.5 * (y + 1))), byte(math.Round(127.5 * (z + 1))), 255}
	}
	return env
}

// With surroundings whose colour is their direction, a perfect mirror shows the directions of the
// fragments.
func TestMirrorShowsDirections(t *testing.T) {
	const side = 64
	env, surface := directions(side), []texture.Texel{{9, 9, 9, 9}}
	r := rand.New(rand.NewPCG(2, 9))
	fragments := make([]texture.Fragment, 1000)
	for i := range fragments {
		fragments[i] = texture.Fragment{Pixel: int32(i), X: float32(r.NormFloat64()), Y: float32(r.NormFloat64()), Z: float32(r.NormFloat64()), U: r.Float32(), V: r.Float32(), Light: 3}
	}
	for _, dev := range kerneltest.Devices(t) {
		color := make([]device.Float4, len(fragments))
		require.NoError(t, texture.Reflection(t.Context(), dev, 1, 1, 1, surface, side, env, fragments, color))
		for i, f := range fragments {
			m := max(math.Abs(float64(f.X)), math.Abs(float64(f.Y)), math.Abs(float64(f.Z)))
			for k, want := range []float64{float64(f.X) / m, float64(f.Y) / m, float64(f.Z) / m} {
				got := 2*float64([]float32{color[i].X, color[i].Y, color[i].Z}[k]) - 1
				// A byte is a 255th of 2; at an edge the filter stops half a texel, a side-th, from it.
				assert.InDelta(t, want, got, 1.1/127.5+1.0/side, "fragment %d, %s", i, dev.Name)
			}
			assert.Equal(t, float32(1), color[i].W)
		}
	}
}

// Without shine there is the surface, in its light.
func TestSurfaceInItsLight(t *testing.T) {
	surface := []texture.Texel{{0, 51, 102, 255}, {255, 0, 51, 51}} // two texels side by side
	env := slices.Repeat([]texture.Texel{{1, 2, 3, 4}}, 6)
	fragments := []texture.Fragment{
		{Pixel: 2, U: 0.25, V: 0.5, Z: 1, Light: 0.5},  // the middle of the first texel
		{Pixel: 0, U: 0.75, V: 0.1, Z: 1, Light: 1},    // of the second
		{Pixel: 1, U: 0.5, V: 0.9, Z: 1, Light: 1},     // halfway between
		{Pixel: 4, U: -1.75, V: 0.5, Z: 1, Light: 0.5}, // two turns before the first
	}
	color := make([]device.Float4, 5)
	require.NoError(t, texture.Reflection(t.Context(), gocuda.Default(), 0, 2, 1, surface, 1, env, fragments, color))
	for i, want := range []device.Float4{
		{X: 1, Y: 0, Z: 0.2, W: 0.2}, {X: 0.5, Y: 0.1, Z: 0.3, W: 0.6}, {X: 0, Y: 0.1, Z: 0.2, W: 1}, {}, {X: 0, Y: 0.1, Z: 0.2, W: 1},
	} {
		assert.InDeltaSlice(t, []float32{want.X, want.Y, want.Z, want.W}, []float32{color[i].X, color[i].Y, color[i].Z, color[i].W}, 1e-6, "pixel %d", i)
	}
}

func TestReflectionAgainstSerial(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	random := func(n int) []texture.Texel {
		v := make([]texture.Texel, n)
		for i := range v {
			v[i] = texture.Texel{byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32())}
		}
		return v
	}
	surface, env := random(13*7), random(6*11*11)
	for _, dev := range kerneltest.Devices(t) {
		for _, size := range [][2]int{{0, 3}, {1, 1}, {24, 17}, {60, 90}} {
			sphere, background := texture.Sphere(size[0], size[1], 1, [3]float64{1, 2, 3})
			fragments := append(sphere, background...)
			got, want := make([]device.Float4, size[0]*size[1]), make([]device.Float4, size[0]*size[1])
			require.NoError(t, texture.Reflection(t.Context(), dev, 0.3, 13, 7, surface, 11, env, fragments, got))
			serial.TextureReflection(0.3, 13, 7, surface, 11, env, fragments, want)
			for i, w := range want {
				assert.InDeltaSlice(t, []float32{w.X, w.Y, w.Z, w.W}, []float32{got[i].X, got[i].Y, got[i].Z, got[i].W}, 1e-6, "%v, pixel %d on %s", size, i, dev.Name)
			}
		}
	}
}

// The eye is four radii away: it sees the sphere as a disc of radius 1/sqrt(15) at distance 1, and
// itself in its middle.
func TestSphere(t *testing.T) {
	const w, h = 301, 201
	sphere, background := texture.Sphere(w, h, 0, [3]float64{0, 0, 1})
	assert.Len(t, append(slices.Clone(sphere), background...), w*h)
	const scale = 1.25 / 4 / (h / 2.0) // of a pixel at distance 1
	assert.InDelta(t, math.Pi/15/(scale*scale), len(sphere), 0.01*float64(len(sphere)))
	for _, f := range sphere {
		x, y, z := float64(f.X), float64(f.Y), float64(f.Z)
		assert.InDelta(t, 1, math.Sqrt(x*x+y*y+z*z), 1e-6)
		if f.Pixel == h/2*w+w/2 {
			assert.InDeltaSlice(t, []float64{0, 0, 1}, []float64{x, y, z}, 1e-6)
			assert.InDeltaSlice(t, []float64{0.5, 0.5, 1}, []float64{float64(f.U), float64(f.V), float64(f.Light)}, 1e-6)
		}
	}
	turned, _ := texture.Sphere(w, h, math.Pi/2, [3]float64{0, 0, 1})
	assert.InDelta(t, float64(sphere[99].U)-0.25, turned[99].U, 1e-6)
	up, _ := texture.Sphere(w, h, 0, [3]float64{0, 5, 0})
	assert.Greater(t, up[0].Light, up[len(up)-1].Light, "light from above")
}

// On a stream the texels are what launches before have left, and the arrays go when the last launch
// is over.
func TestTexturesOnStream(t *testing.T) {
	dev, err := gocuda.NewDevice(gocuda.WithMemory(1 << 20))
	require.NoError(t, err)
	defer func() { assert.NoError(t, dev.Close()) }()
	s := dev.NewStream()
	texels, out, color := make([]float32, 4), make([]float32, 4), make([]device.Float4, 1)
	surface, env := make([]texture.Texel, 1), make([]texture.Texel, 6)
	require.NoError(t, s.Enqueue(func() error {
		copy(texels, []float32{1, 2, 3, 4})
		surface[0] = texture.Texel{255, 0, 0, 255}
		return nil
	}))
	on := kernels.OnStream(s)
	require.NoError(t, texture.Address(t.Context(), on, mem.TextureDesc{}, texture.Window{X1: 1, Y1: 1}, 4, 1, out, 4, 1, texels))
	require.NoError(t, texture.Reflection(t.Context(), on, 0.5, 1, 1, surface, 1, env, []texture.Fragment{{Light: 1, Z: 1}}, color))
	require.NoError(t, s.Synchronize(t.Context()))
	assert.Equal(t, []float32{1, 2, 3, 4}, out)
	assert.Equal(t, []device.Float4{{X: 0.5, W: 0.5}}, color)
	free, total := mem.Info(dev)
	assert.Equal(t, total, free)
}

func TestTexturesRefuseBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	one, cube := make([]texture.Texel, 1), make([]texture.Texel, 6)
	for i, err := range []error{
		texture.Address(ctx, dev, mem.TextureDesc{}, texture.Window{}, 2, 2, make([]float32, 3), 1, 1, make([]float32, 1)),
		texture.Address(ctx, dev, mem.TextureDesc{}, texture.Window{}, 2, 2, make([]float32, 4), 1, 2, make([]float32, 1)),
		texture.Address(ctx, dev, mem.TextureDesc{}, texture.Window{}, 2, 2, make([]float32, 4), 0, 0, nil),
		texture.Address(ctx, dev, mem.TextureDesc{AddressMode: bothModes(9)}, texture.Window{}, 1, 1, make([]float32, 1), 1, 1, make([]float32, 1)),
		texture.Reflection(ctx, dev, 0, 2, 1, one, 1, cube, nil, nil),
		texture.Reflection(ctx, dev, 0, 1, 1, one, 1, cube[:5], nil, nil),
		texture.Reflection(ctx, dev, 0, 0, 0, nil, 1, cube, nil, nil),
		texture.Reflection(ctx, dev, 0, 1, 1, one, 1, cube, make([]texture.Fragment, 1), nil),
		texture.Reflection(ctx, dev, 0, 1, 1, one, 1, cube, []texture.Fragment{{Pixel: -1}}, make([]device.Float4, 1)),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%d", i)
	}
}
