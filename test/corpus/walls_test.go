//go:build compiled

package corpus

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Compiled kernels meet the walls of a generation as their sources do.
func TestWallsOfCompiled(t *testing.T) {
	in, out := data[int32](64), make([]int32, 64)
	for _, k := range []struct {
		name         string
		major, minor int
		kernel       gocuda.Kernel
	}{
		{"SyncThreadsOr", 2, 0, foundSetBeforeLeavingKernel(in, out)},
		{"ShflDownSync", 3, 0, wallsShuffleKernel(in, out)},
		{"BallotSync", 2, 0, wallsBallotKernel(in, out)},
	} {
		for _, g := range gocuda.Generations() {
			dev, err := gocuda.NewDevice(gocuda.WithGeneration(g))
			require.NoError(t, err)
			p := dev.Properties()
			err = dev.Launch(t.Context(), grid.Linear(64, 32), k.kernel)
			if p.Major > k.major || p.Major == k.major && p.Minor >= k.minor {
				require.NoError(t, err, "%v: %s", g, k.name)
			} else {
				require.ErrorIs(t, err, gocuda.ErrNotSupported, "%v: %s", g, k.name)
				require.ErrorContains(t, err, k.name+" is there since")
			}
			require.NoError(t, dev.Close())
		}
	}
}
