package tasks

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
)

// runFile runs a task on a file.
func runFile(t *testing.T, name, in, png string, args ...string) (said string, err error) {
	t.Helper()
	task, err := Find(name)
	require.NoError(t, err)
	var out bytes.Buffer
	err = Run(t.Context(), task, setup(t, task, args...), Options{On: gocuda.Default(), In: in, PNG: png, Verify: true}, &out)
	return out.String(), err
}

func TestMoleculesAndScans(t *testing.T) {
	const apps = "../../kernels/apps/"
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
		return name
	}
	grid := file("grid.txt", "k 1 0 0 1 0 1 0\ngrid 4 3 2 0 0 0 0.25\n")
	for _, c := range []struct {
		task, in string
		picture  bool
		args     []string
		says     string
	}{
		{"cp", apps + "cp/testdata/water.pqr", true, []string{"-z", "1.5"}, "117 by 107 from (-5.757, -5) at z = 1.5"},
		{"cp", apps + "cp/testdata/dipeptide.pdb", true, []string{"-spacing", "1", "-margin", "0"}, "9 with a charge"},
		{"mriq", apps + "mri/testdata/two.txt", false, nil, "samples   2"},
		{"mrifhd", grid, true, nil, "4 by 3 by 2"},
	} {
		png := ""
		if c.picture {
			png = filepath.Join(dir, "out.png")
		}
		said, err := runFile(t, c.task, c.in, png, c.args...)
		require.NoError(t, err, c.in)
		assert.Contains(t, said, c.says)
		assert.Contains(t, said, "verified")
	}
	for _, c := range []struct{ task, in, says string }{
		{"cp", file("bad.pqr", "\nATOM 1 O WAT 1 0 b 0 1 1"), "bad.pqr:2:18: "},
		{"cp", file("far.pqr", "ATOM 1 O WAT 1 0 0 0 1 1\nATOM 1 O WAT 1 1e30 0 0 1 1"), "-spacing"},
		{"cp", file("atoms.xyz", ""), "unknown format"},
		{"mriq", file("bad.txt", "k 1 2 3"), "bad.txt:1:1: "},
		{"mrifhd", file("places.txt", "k 1 2 3 4 5\nv 0 0 0"), "have no data"},
	} {
		_, err := runFile(t, c.task, c.in, "")
		assert.ErrorContains(t, err, c.says)
		assert.ErrorContains(t, err, filepath.Base(c.in))
	}
	_, err := runFile(t, "mrifhd", apps+"mri/testdata/two.txt", filepath.Join(dir, "none.png"))
	assert.ErrorContains(t, err, "no grid")
}

// With the density of the samples as weights the image is the phantom: 1 in the skull, 0.2 in the
// brain, 0 in the ventricles and outside.
func TestPhantom(t *testing.T) {
	if raceEnabled {
		t.Skip("long")
	}
	task, err := Find("mrifhd")
	require.NoError(t, err)
	r, err := setup(t, task)(&Env{Options: Options{On: gocuda.Default(), Size: []int{64, 64}}, Ctx: t.Context()})
	require.NoError(t, err)
	image := r.Numbers.(table[float32])
	at := func(x, y float64) float32 { // y upwards
		return image.v[2*(int((1-y)*32)*64+int((1+x)*32))]
	}
	for what, c := range map[string]struct{ x, y, want float64 }{
		"skull": {0, 0.9, 1}, "brain": {0, -0.35, 0.2}, "right ventricle": {0.22, 0, 0}, "left ventricle": {-0.22, 0, 0}, "above": {0, 0.35, 0.3}, "outside": {0.85, 0.3, 0},
	} {
		assert.InDelta(t, c.want, at(c.x, c.y), 0.1, what)
	}
}
