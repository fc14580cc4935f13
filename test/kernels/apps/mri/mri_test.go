package mri_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/mri"
)

func TestSincos(t *testing.T) {
	worst := 0.0
	for i := -200000; i <= 200000; i++ {
		x := float32(i) * 1.2345e-5
		s, c := mri.Sincos(x)
		ws, wc := math.Sincos(2 * math.Pi * float64(x))
		worst = max(worst, math.Abs(float64(s)-ws), math.Abs(float64(c)-wc))
	}
	assert.Less(t, worst, math.Exp2(-20.8), "2^%.2f", math.Log2(worst))
	for _, x := range []float32{0, 1, -7, 1e6, 0x1p23, 1e30} {
		s, c := mri.Sincos(x)
		assert.Zero(t, s)
		assert.Equal(t, float32(1), c)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		s, c := mri.Sincos(float32(x))
		assert.True(t, s != s && c != c, "%v", x)
	}
}

func TestReadScan(t *testing.T) {
	f, err := os.Open("../../../../kernels/apps/mri/testdata/two.txt")
	require.NoError(t, err)
	defer f.Close()
	s, err := mri.ReadScan(f, "two.txt")
	require.NoError(t, err)
	assert.Equal(t, mri.Samples{
		X: []float32{0, 0.25}, Y: []float32{0, -1.5}, Z: []float32{0, 3}, PhiRe: []float32{1, 0.5}, PhiIm: []float32{0, -2},
		DataRe: []float32{2.5, 0.5}, DataIm: []float32{0, -0.125},
	}, s.Samples)
	assert.Equal(t, mri.Voxels{X: []float32{0.5, -1}, Y: []float32{0.5, 0}, Z: []float32{0, 1e-3}}, s.Voxels)
	s, err = mri.ReadScan(strings.NewReader("grid 2 3 2 -1 -2 0.5 0.25\r\nk 1 2 3 4 5"), "f")
	require.NoError(t, err)
	assert.Equal(t, mri.Samples{X: []float32{1}, Y: []float32{2}, Z: []float32{3}, PhiRe: []float32{4}, PhiIm: []float32{5}}, s.Samples)
	v := s.Voxels
	assert.Equal(t, []int{2, 3, 2, 12, 12, 12, 12}, []int{v.Width, v.Height, v.Depth, v.Len(), len(v.X), len(v.Y), len(v.Z)})
	assert.Equal(t, []float32{-0.75, -1.5, 0.75}, []float32{v.X[11], v.Y[11], v.Z[11]})
	assert.Equal(t, []float32{-1, -1.75, 0.5}, []float32{v.X[2], v.Y[2], v.Z[2]})
}

func TestReadScanErrors(t *testing.T) {
	const k = "k 1 2 3 4 5\n"
	for text, says := range map[string]string{
		"":                              "f:1:1: CUDA: the file ends without a sample",
		k + "# v 1 2 3\n":               "f:3:1: CUDA: the file ends without a voxel",
		" w 1\n":                        `f:1:2: CUDA: a line begins with "w", want k, v or grid`,
		"k 1 2 3\n":                     "f:1:1: CUDA: a sample of 3 numbers",
		k + "k 1 2 3 4 5 6 7\n":         "f:2:1: CUDA: a sample of 7 numbers, and those before have 5",
		"k 1 2 x 4 5":                   `f:1:7: CUDA: "x" is no number, for kz`,
		"k 1 2 3 4 1e40":                "f:1:11: CUDA: phi, imaginary 1e40 is not a float32",
		"\nv 1 2 nan":                   "f:2:7: CUDA: z nan is not a float32",
		"v 1 2":                         "f:1:1: CUDA: a voxel of 2 numbers, want 3",
		"grid 2 2 2 0 0 0":              "f:1:1: CUDA: a grid of 6 numbers",
		"grid 2 0 2 0 0 0 1":            `f:1:8: CUDA: "0" is no height from 1 to`,
		"grid 2 2 2 0 0 0 -":            `f:1:18: CUDA: "-" is no number, for the spacing`,
		"grid 2 2 2 0 0 0 1\nv 1 2 3":   "f:2:1: CUDA: a voxel beside a grid",
		"v 1 2 3\ngrid 2 2 2 0 0 0 1":   "f:2:1: CUDA: a grid beside voxels",
		"grid 1 1 1 0 0 0 1\n" + "grid": "f:2:1: CUDA: a grid of 0 numbers",
		"grid 1 1 1 0 0 0 1\n" + "grid 1 1 1 0 0 0 1":       "f:2:1: CUDA: a second grid",
		"grid 1000000000 1000000000 1000000000 0 0 0 1":     "f:1:6: CUDA: a grid of 1000000000 by 1000000000 by 1000000000 voxels",
		"grid 1000000000000000000000000000000 2 2 0 0 0 1":  "f:1:6: ",
		k + "v 1 2 3\n" + strings.Repeat("k 1 2 3 4 5 ", 2): "f:3:1: CUDA: a sample of 11 numbers",
	} {
		_, err := mri.ReadScan(strings.NewReader(text), "f")
		require.Error(t, err, text)
		assert.True(t, strings.HasPrefix(err.Error(), says[:strings.Index(says, " ")]), "%q: %v, want %q", text, err, says)
		assert.ErrorContains(t, err, says[strings.LastIndex(says, "CUDA: ")+len("CUDA: "):], text)
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, text)
	}
}

func TestGridErrors(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		w, h, d        int
		x, y, z, space float32
	}{{w: -1}, {h: -1}, {d: -1}, {w: 1 << 20, h: 1 << 20, d: 1}, {w: 1 << 62, h: 1 << 62, d: 1 << 62}, {x: nan}, {space: nan}, {z: float32(math.Inf(1))}} {
		_, err := mri.Grid(c.w, c.h, c.d, c.x, c.y, c.z, c.space)
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%+v", c)
	}
	v, err := mri.Grid(0, 5, 5, 0, 0, 0, 1)
	require.NoError(t, err)
	assert.Zero(t, v.Len())
}

func FuzzReadScan(f *testing.F) {
	f.Add("k 1 2 3 4 5\nv 1 2 3\n")
	f.Add("k 1 2 3 4 5 6 7 # no\ngrid 2 2 2 0 0 0 1")
	f.Add("grid 99999 99999 99999 0 0 0 1")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "grid") && len(text) > 40 {
			return // a grid that the memory has room for is no mistake
		}
		s, err := mri.ReadScan(strings.NewReader(text), "f")
		if err != nil {
			assert.True(t, strings.HasPrefix(err.Error(), "f:"), "%v", err)
			return
		}
		assert.NoError(t, s.Samples.Check("a file", s.Samples.DataRe != nil))
		assert.NoError(t, s.Voxels.Check("a file", s.Voxels.X, s.Voxels.X))
	})
}
