package mem_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/mem"
)

// The cost of a fetch on one processor, by what it does. The points walk over the texture in a
// rotated grid, as a kernel that turns an image does.
func BenchmarkTex2D(b *testing.B) {
	const n = 512
	dev := newDevice(1 << 30)
	walk := func(b *testing.B, fetch func(x, y float32) float32) {
		b.SetBytes(0)
		var sum float32
		fetches := 0
		for b.Loop() {
			for y := range 64 {
				for x := range 64 {
					u, v := float32(x)*4, float32(y)*4
					sum += fetch(0.8*u-0.6*v+128, 0.6*u+0.8*v)
				}
			}
			fetches += 64 * 64
		}
		require.False(b, math.IsNaN(float64(sum)), "a NaN in a texture of numbers")
		b.ReportMetric(float64(fetches)/b.Elapsed().Seconds()/1e6, "Mtexels/s")
	}
	one, err := mem.AllocArray[float32](dev, mem.ArrayDesc{Width: n, Height: n})
	require.NoError(b, err)
	four, err := mem.AllocArray[[4]uint8](dev, mem.ArrayDesc{Width: n, Height: n})
	require.NoError(b, err)
	clamp := [3]mem.AddressMode{mem.AddressClamp, mem.AddressClamp}
	for _, c := range []struct {
		name string
		desc mem.TextureDesc
	}{
		{"type=float32/filter=point", mem.TextureDesc{AddressMode: clamp}},
		{"type=float32/filter=linear", mem.TextureDesc{AddressMode: clamp, FilterMode: mem.FilterLinear}},
		{"type=float32/filter=linear/address=wrap", mem.TextureDesc{FilterMode: mem.FilterLinear, NormalizedCoords: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			t, err := mem.NewTexture[float32](one, c.desc)
			require.NoError(b, err)
			walk(b, func(x, y float32) float32 { return mem.Tex2D(t, x, y) })
		})
	}
	b.Run("type=uchar4/filter=linear", func(b *testing.B) {
		t, err := mem.NewTexture[[4]float32](four, mem.TextureDesc{
			AddressMode: clamp, FilterMode: mem.FilterLinear, ReadMode: mem.ReadNormalizedFloat,
		})
		require.NoError(b, err)
		walk(b, func(x, y float32) float32 { return mem.Tex2D(t, x, y)[0] })
	})
}
