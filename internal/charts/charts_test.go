package charts

import (
	"bytes"
	"image/color"
	"image/png"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCharts(t *testing.T) {
	p := New()
	p.Title.Text = "heading"
	var file bytes.Buffer
	require.NoError(t, Write(&file, "a.PNG", p, 200, 100))
	picture, err := png.Decode(&file)
	require.NoError(t, err)
	assert.Equal(t, 400, picture.Bounds().Dx())
	assert.Equal(t, 200, picture.Bounds().Dy())
	for _, at := range [][2]int{{0, 0}, {399, 0}, {0, 199}, {399, 199}, {200, 100}} {
		assert.Equal(t, color.NRGBAModel.Convert(Paper), color.NRGBAModel.Convert(picture.At(at[0], at[1])), "the paper at %v", at)
	}

	file.Reset()
	require.NoError(t, Write(&file, "a.svg", p, 200, 100))
	assert.Contains(t, file.String(), ">heading</text>")
	assert.Contains(t, file.String(), ",sans-serif;", "where the font is not installed")
	assert.NotContains(t, file.String(), "font-family:Liberation Sans;")

	for name, known := range map[string]bool{"a.svg": true, "b/c.Png": true, "svg": false, "a.svg.gz": false, "": false} {
		assert.Equal(t, known, Known(name), name)
		if !known {
			assert.Error(t, Write(io.Discard, name, p, 200, 100), name)
		}
	}
}
