package gocuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func TestEnumeration(t *testing.T) {
	require.Equal(t, gocuda.DeviceCount(), len(gocuda.Generations()))
	for _, g := range gocuda.Generations() {
		p, err := gocuda.PropertiesOf(g)
		require.NoError(t, err)
		dev := openDevice(t, gocuda.WithGeneration(g))
		assert.Equal(t, dev.Properties(), p, "%v, opened", g)
	}
	_, err := gocuda.PropertiesOf(gocuda.Hopper + 1)
	require.ErrorIs(t, err, gocuda.ErrInvalidValue)
}

// The answers follow from the tables of the CUDA C++ Programming Guide.
func TestChooseDevice(t *testing.T) {
	for _, c := range []struct {
		what string
		want gocuda.Properties
		is   gocuda.Generation
	}{
		{"nothing", gocuda.Properties{}, gocuda.Host},
		{"1.0 or later", gocuda.Properties{Major: 1}, gocuda.G80},
		{"doubles", gocuda.Properties{Major: 1, Minor: 3}, gocuda.GT200},
		{"between two", gocuda.Properties{Major: 3, Minor: 2}, gocuda.GK110},
		{"the next major one", gocuda.Properties{Major: 5}, gocuda.Volta},
		{"48 KiB of shared memory", gocuda.Properties{SharedMemPerBlock: 48 << 10}, gocuda.Fermi},
		{"blocks of 1024 threads", gocuda.Properties{MaxThreadsPerBlock: 1024}, gocuda.Fermi},
		{"grids of three dimensions", gocuda.Properties{MaxGridSize: grid.Dim3{Z: 2}}, gocuda.Fermi},
		{"long grids", gocuda.Properties{MaxGridSize: grid.Dim3{X: 1 << 20}}, gocuda.GK104},
		{"a name", gocuda.Properties{Name: "gtx 680"}, gocuda.GK104},
		{"a generation", gocuda.Properties{Generation: gocuda.GA102, Major: 7}, gocuda.GA102},
		{"1200 threads a multiprocessor", gocuda.Properties{MaxThreadsPerMultiProcessor: 1200}, gocuda.Fermi},
		{"warps of 32", gocuda.Properties{WarpSize: 32}, gocuda.G80},
	} {
		g, err := gocuda.ChooseDevice(c.want)
		require.NoError(t, err, c.what)
		assert.Equal(t, c.is, g, c.what)
	}
	for what, want := range map[string]gocuda.Properties{
		"a capability to come": {Major: 99},
		"another warp":         {WarpSize: 64},
		"two that differ":      {Generation: gocuda.G80, Major: 2},
		"no such name":         {Name: "GeForce 9000 GTX"},
	} {
		_, err := gocuda.ChooseDevice(want)
		require.ErrorIs(t, err, gocuda.ErrInvalidDevice, what)
	}
}
