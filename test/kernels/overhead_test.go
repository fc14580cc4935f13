package kernels_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
)

// The kernels that do nothing run on every thread, in every form.
func TestBarriers(t *testing.T) {
	for name, dev := range devices(t) {
		for _, on := range []kernels.Launcher{dev, kernels.Uncompiled(dev)} {
			for _, n := range []int{0, 1, 63, 64, 65, 200} {
				for _, count := range []int{0, 1, 5} {
					got, want := make([]int, n), make([]int, n)
					for i := range n {
						got[i] = rand.IntN(100)
						want[i] = got[i] + count
					}
					require.NoError(t, kernels.Barriers(t.Context(), on, 64, count, got))
					slicetest.Equal(t, want, got, "%s, %T, n=%d, %d barriers", name, on, n, count)
				}
			}
			require.NoError(t, kernels.Null(t.Context(), on, grid.Linear(1000, 64)))
		}
	}
}

func TestBarriersRefuse(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	some := make([]int, 5)
	for _, on := range []kernels.Launcher{gocuda.Default(), kernels.Uncompiled(gocuda.Default())} {
		for _, c := range []struct {
			what string
			err  error
			want error
		}{
			{"-1 barriers", kernels.Barriers(t.Context(), on, 64, -1, some), gocuda.ErrInvalidValue},
			{"blocks of no thread", kernels.Barriers(t.Context(), on, 0, 1, some), gocuda.ErrInvalidConfiguration},
			{"blocks of 1025 threads", kernels.Barriers(t.Context(), on, 1025, 1, some), gocuda.ErrInvalidConfiguration},
			{"a cancelled context", kernels.Barriers(ctx, on, 64, 1, some), context.Canceled},
			{"a launch of no thread", kernels.Null(t.Context(), on, grid.Config{}), gocuda.ErrInvalidConfiguration},
			{"a cancelled launch", kernels.Null(ctx, on, grid.Linear(5, 5)), context.Canceled},
		} {
			assert.ErrorIs(t, c.err, c.want, "%T, %s", on, c.what)
		}
		assert.Zero(t, slices.Max(some), "%T", on)
	}
}
