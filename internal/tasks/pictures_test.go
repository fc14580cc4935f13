package tasks

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// colourful returns the rectangle of the pixels that are neither grey nor nearly so.
func colourful(m image.Image) (in image.Rectangle) {
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			if max(c.R, c.G, c.B)-min(c.R, c.G, c.B) > 60 {
				in = in.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return in
}

func TestBarsStandWhereTheirBytesAre(t *testing.T) {
	at := func(b byte, others ...byte) image.Rectangle {
		counts := make([]uint32, 256)
		counts[b] = 1000
		for _, o := range others {
			counts[o] = 250
		}
		return colourful(bars(counts))
	}
	low, middle, high := at(0), at(128), at(255)
	assert.InDelta(t, low.Min.X+high.Min.X, 2*middle.Min.X, 8)
	assert.Greater(t, high.Min.X, low.Max.X+600)
	assert.Equal(t, low.Dy(), high.Dy())
	assert.Less(t, middle.Dx(), 8)
	// Both bars together are as wide as their distance, and as high as the higher.
	both := at(0, 255)
	assert.InDelta(t, high.Max.X-low.Min.X, both.Dx(), 4)
	assert.Equal(t, low.Dy(), both.Dy())
	assert.True(t, colourful(bars(make([]uint32, 256))).Dy() <= 2, "of nothing")
}

func TestClustersAreDrawnWhereTheyAre(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	// Two corners, and points that are nowhere.
	points := []float32{0, 1, nan, 5, 0, 1, 7, inf}
	m := clusters(4, 2, points, []int32{0, 1, 0, 1})
	in := colourful(m)
	require.False(t, in.Empty())
	assert.Greater(t, in.Dx(), 500)
	assert.Greater(t, in.Dy(), 500)
	// One dimension is a line.
	in = colourful(clusters(3, 1, []float32{-1, 0, 3}, []int32{0, 0, 1}))
	assert.Greater(t, in.Dx(), 500)
	assert.Less(t, in.Dy(), 10)
	for _, n := range []int{0, 1} {
		assert.NotPanics(t, func() { clusters(n, 2, []float32{nan, nan}[:2*n], make([]int32, n)) })
	}
}
