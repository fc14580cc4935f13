package mem_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/mem"
)

// Where a texture has points, they are what Tex2D fetches.
func TestPointsAreWhatIsFetched(t *testing.T) {
	const w, h, pitch = 13, 7, 16
	data := make([]uint16, pitch*h)
	for i := range data {
		data[i] = uint16(i*i + 1)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	coordinates := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), -0.5, 0, 1e38, -1e38, w - 1, w, h - 1, h, math.SmallestNonzeroFloat32}
	for range 40 {
		coordinates = append(coordinates, rng.Float32()*30-8)
	}
	modes := []mem.AddressMode{mem.AddressWrap, mem.AddressClamp, mem.AddressMirror, mem.AddressBorder}
	with := 0
	for _, normalized := range []bool{false, true} {
		for _, mx := range modes {
			for _, my := range modes {
				desc := mem.TextureDesc{AddressMode: [3]mem.AddressMode{mx, my}, NormalizedCoords: normalized}
				tex, err := mem.NewTexture[uint16](mem.Pitch2D[uint16]{Data: data, Width: w, Height: h, Pitch: pitch}, desc)
				require.NoError(t, err)
				texels, right, bottom, rows := tex.Points()
				if normalized || mx == mem.AddressBorder || my == mem.AddressBorder {
					assert.Nil(t, texels, "%+v", desc)
					continue
				}
				with++
				for _, x := range coordinates {
					for _, y := range coordinates {
						u, v := x, y
						if !(u > 0) {
							u = 0
						}
						if !(v > 0) {
							v = 0
						}
						u, v = min(u, right), min(v, bottom)
						assert.Equal(t, mem.Tex2D(tex, x, y), texels[int(v)*int(rows)+int(u)], "%v, %v: %+v", x, y, desc)
					}
				}
			}
		}
	}
	assert.Equal(t, 9, with)
}

// A texture that does something to its texels has none to read as they are, and neither has one
// whose memory is gone.
func TestTexturesWithoutPoints(t *testing.T) {
	none := func(what string, texels any, err error) {
		t.Helper()
		require.NoError(t, err, what)
		assert.Empty(t, texels, what)
	}
	points := func(tex *mem.Texture[float32]) []float32 {
		texels, _, _, _ := tex.Points()
		return texels
	}
	b, err := mem.Alloc[float32](newDevice(1<<20), 64)
	require.NoError(t, err)
	flat := mem.Pitch2D[float32]{Buffer: b, Width: 8, Height: 8}
	point, err := mem.NewTexture[float32](flat, mem.TextureDesc{})
	require.NoError(t, err)
	linear, err := mem.NewTexture[float32](b, mem.TextureDesc{})
	require.NoError(t, err)
	assert.Len(t, points(point), 64)
	assert.Len(t, linear.Linear(), 64)

	filtered, err := mem.NewTexture[float32](flat, mem.TextureDesc{FilterMode: mem.FilterLinear})
	none("filtered", points(filtered), err)
	converted, err := mem.NewTexture[float32](mem.Pitch2D[uint8]{Data: make([]uint8, 32*8), Width: 32, Height: 8}, mem.TextureDesc{ReadMode: mem.ReadNormalizedFloat})
	none("bytes as floats", points(converted), err)
	bytes, err := mem.NewTexture[float32](mem.Linear[uint8]{make([]uint8, 64)}, mem.TextureDesc{ReadMode: mem.ReadNormalizedFloat})
	none("linear memory of bytes as floats", bytes.Linear(), err)
	none("points of linear memory", points(linear), nil)
	none("linear memory of what is flat", point.Linear(), nil)
	none("nil", points(nil), nil)
	none("nil", (*mem.Texture[float32])(nil).Linear(), nil)
	none("the zero value", points(new(mem.Texture[float32])), nil)
	none("the zero value", new(mem.Texture[float32]).Linear(), nil)

	again, err := mem.NewTexture[float32](flat, mem.TextureDesc{})
	require.NoError(t, err)
	require.NoError(t, again.Destroy())
	none("destroyed", points(again), nil)
	require.NoError(t, b.Free())
	none("freed", points(point), nil)
	none("freed", linear.Linear(), nil)
}

// The last texel of a row that is not full is the array's last.
func TestPointsOfAnArray(t *testing.T) {
	a, err := mem.AllocArray[int32](newDevice(1<<20), mem.ArrayDesc{Width: 5, Height: 3})
	require.NoError(t, err)
	tex, err := mem.NewTexture[int32](a, mem.TextureDesc{})
	require.NoError(t, err)
	texels, right, bottom, pitch := tex.Points()
	assert.Equal(t, "15 4 2 5", fmt.Sprint(len(texels), right, bottom, pitch))
}
