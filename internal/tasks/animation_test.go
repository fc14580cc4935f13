package tasks

import (
	"context"
	"flag"
	"image/gif"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
)

func runNBody(t *testing.T, args ...string) error {
	task, err := Find("nbody")
	require.NoError(t, err)
	fs := flag.NewFlagSet("nbody", flag.ContinueOnError)
	job := task.Setup(fs)
	require.NoError(t, fs.Parse(args))
	return Run(context.Background(), task, job, Options{On: gocuda.Default(), Size: []int{200}, Seed: 1}, io.Discard)
}

func TestAnimationOfBodies(t *testing.T) {
	for steps, frames := range map[string]int{"11": 5, "40": 5, "2": 3, "0": 1} {
		name := filepath.Join(t.TempDir(), "bodies.gif")
		require.NoError(t, runNBody(t, "-shape", "shell", "-steps", steps, "-dt", "0.05", "-gif", name, "-frames", "5"))
		f, err := os.Open(name)
		require.NoError(t, err)
		g, err := gif.DecodeAll(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.Len(t, g.Image, frames, "steps %s", steps)
		if frames > 1 {
			assert.NotEqual(t, g.Image[0].Pix, g.Image[frames-1].Pix, "nothing moves")
		}
	}
	none := filepath.Join(t.TempDir(), "bodies.png")
	assert.ErrorContains(t, runNBody(t, "-steps", "1", "-gif", none), ".gif")
	assert.NoFileExists(t, none)
	assert.ErrorContains(t, runNBody(t, "-steps", "1", "-gif", "x.gif", "-frames", "0"), "-frames 0")
}

func TestShellRotates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const bodies = 1000
	z := 0.0
	for range bodies {
		b, v := shellBody(r, bodies)
		radius := math.Sqrt(float64(b.X*b.X + b.Y*b.Y + b.Z*b.Z))
		assert.InDelta(t, 0.95, radius, 0.0501)
		assert.InDelta(t, 0, float64(b.X*v.X+b.Y*v.Y+b.Z*v.Z), 1e-6, "velocity is along the shell")
		assert.GreaterOrEqual(t, b.X*v.Y-b.Y*v.X, float32(0), "all turn the same way")
		z += float64(b.Z)
	}
	assert.InDelta(t, 0, z/float64(bodies), 0.06)
}
