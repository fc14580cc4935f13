package lbm_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/lbm"
)

func TestRead(t *testing.T) {
	g, flow, err := lbm.Read(strings.NewReader("; a comment\r\nsize 3 2 3\nomega 1.25\n\nlid 0.5 -1 0\nforce 1e-3 0 2\n"+
		"times 2\n###\n.~.\n; the last\n...\n##.\n"), "f")
	require.NoError(t, err)
	assert.Equal(t, lbm.Flow{Omega: 1.25, Lid: kernels.Vec3[float32]{X: 0.5, Y: -1}, Force: kernels.Vec3[float32]{X: 1e-3, Z: 2}}, flow)
	const f, s, l = lbm.Fluid, lbm.Solid, lbm.Lid
	layer := []lbm.Kind{s, s, s, f, l, f}
	want := append(append(append([]lbm.Kind(nil), layer...), layer...), f, f, f, s, s, f)
	assert.Equal(t, lbm.Geometry{X: 3, Y: 2, Z: 3, Cells: want}, g)
	assert.NoError(t, g.Validate())
	_, flow, err = lbm.Read(strings.NewReader("size 1 1 1\n."), "f")
	require.NoError(t, err)
	assert.Equal(t, lbm.Standard, flow)
}

func TestReadErrors(t *testing.T) {
	for text, says := range map[string]string{
		"":                                    "f:1:1: ",
		"; nothing\n":                         "f:2:1: ",
		"\n  width 3\n":                       "f:2:3: ",
		"size 3 2\n":                          "f:1:1: ",
		"size 3 2 1 1\n":                      "f:1:1: ",
		"size 3 x 1\n":                        `f:1:8: invalid`,
		"size 3 0 1\n":                        "f:1:8: ",
		"size 3 -1 1\n":                       "f:1:8: ",
		"size 99999999999 1 1\n":              "f:1:6: ",
		"size 2000000000 2000000000 1\n":      "f:1:6: ",
		"size 2 2 1\n..\n.x\n":                `f:3:2: invalid`,
		"size 2 2 1\n..\n...\n":               "f:3:3: ",
		"size 2 2 1\n..\n.\n":                 "f:3:2: ",
		"size 2 2 1\n..\n":                    "f:3:1: ",
		"size 2 1 2\n..\n":                    "f:3:1: ",
		"size 2 1 1\n..\n..\n":                "f:3:1: ",
		"size 2 1 2\ntimes 3\n..\n":           "f:2:7: ",
		"size 2 1 2\ntimes 0\n..\n":           "f:2:7: ",
		"size 2 1 2\ntimes\n..\n":             "f:2:1: ",
		"size 2 2 2\n..\ntimes 2\n..\n":       "f:3:1: ",
		"size 2 1 1\nomega 2\n..\n":           "f:2:7: ",
		"size 2 1 1\nomega\n..\n":             "f:2:1: ",
		"size 2 1 1\n  lid 1 2 nan\n..\n":     "f:2:11: ",
		"size 2 1 1\nforce 1 2 1e99\n..\n":    "f:2:11: ",
		"size 2 1 2\n..\nomega 1\n..\n":       "f:3:1: ",
		"size 2 1 1\n..\nomega 1\n":           "f:3:1: ",
		"size 9 1 1\nforce 1 2 3 4 5 6 7 8 9": "f:2:1: ",
	} {
		_, _, err := lbm.Read(strings.NewReader(text), "f")
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%q", text)
		assert.ErrorContains(t, err, says, "%q", text)
	}
	_, _, err := lbm.Read(strings.NewReader("size 1 1 1\n"+strings.Repeat(".", 1<<25)), "f")
	assert.ErrorContains(t, err, "f:2:1: ")
	broken := errors.New("broken")
	_, _, err = lbm.Read(iotest.ErrReader(broken), "f")
	assert.ErrorIs(t, err, broken)
}

func TestCavity(t *testing.T) {
	g, err := lbm.Cavity(5, 6, 4)
	require.NoError(t, err)
	var b strings.Builder
	for i, k := range g.Cells {
		b.WriteByte(".#~"[k])
		if i%5 == 4 {
			b.WriteByte('\n')
		}
	}
	wall, box := strings.Repeat("#####\n", 6), "#####\n"+strings.Repeat("#...#\n", 4)+"#####\n"
	assert.Equal(t, wall+box+"#####\n#...#\n#.~.#\n#.~.#\n#...#\n#####\n"+wall, b.String())
}

// Whatever the file, there is an error or a geometry that is right.
func FuzzRead(f *testing.F) {
	f.Add([]byte("size 3 2 3\nomega 1.25\nlid 0.5 -1 0\nforce 1e-3 0 2\ntimes 2\n###\n.~.\n...\n##.\n"))
	f.Add([]byte("size 1000 1000 1000\ntimes 1000\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, _, err := lbm.Read(bytes.NewReader(data), "f")
		if err == nil && len(g.Cells) != g.X*g.Y*g.Z {
			t.Errorf("%d cells", len(g.Cells))
		}
		if err != nil && !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("no place in %v", err)
		}
	})
}

func TestReadFile(t *testing.T) {
	f, err := os.Open("../../../../kernels/apps/lbm/testdata/cylinder.lbm")
	require.NoError(t, err)
	defer f.Close()
	g, flow, err := lbm.Read(f, "cylinder.lbm")
	require.NoError(t, err)
	require.NoError(t, g.Validate())
	assert.Equal(t, float32(1.2), flow.Omega)
	solid := 0
	for _, k := range g.Cells {
		if k == lbm.Solid {
			solid++
		}
	}
	assert.Equal(t, 4*(2*24+4), solid)
	// The wind goes around the cylinder: before it the fluid turns aside.
	pops := make([]float32, 19*len(g.Cells))
	require.NoError(t, lbm.Simulate(t.Context(), gocuda.Default(), lbm.Arrays, g, flow, 200, pops))
	_, u := lbm.Moments(pops, (1*9+3)*24+5, flow.Force)
	assert.Positive(t, u.X)
	assert.Negative(t, u.Y)
}
