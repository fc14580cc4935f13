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
		for _, form := range []kernels.Form{kernels.Blocks, kernels.Threads, kernels.Compiled} {
			for _, n := range []int{0, 1, 63, 64, 65, 200} {
				for _, count := range []int{0, 1, 5} {
					got, want := make([]int, n), make([]int, n)
					for i := range n {
						got[i] = rand.IntN(100)
						want[i] = got[i] + count
					}
					require.NoError(t, kernels.BarriersForm(t.Context(), dev, form, 64, count, got))
					slicetest.Equal(t, want, got, "%s, %v, n=%d, %d barriers", name, form, n, count)
				}
			}
			require.NoError(t, kernels.NullForm(t.Context(), dev, form, grid.Linear(1000, 64)))
		}
	}
}

func TestBarriersRefuse(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	some := make([]int, 5)
	for _, form := range []kernels.Form{kernels.Blocks, kernels.Threads, kernels.Compiled} {
		for _, c := range []struct {
			what string
			err  error
			want error
		}{
			{"-1 barriers", kernels.BarriersForm(t.Context(), gocuda.Default(), form, 64, -1, some), gocuda.ErrInvalidValue},
			{"blocks of no thread", kernels.BarriersForm(t.Context(), gocuda.Default(), form, 0, 1, some), gocuda.ErrInvalidConfiguration},
			{"blocks of 1025 threads", kernels.BarriersForm(t.Context(), gocuda.Default(), form, 1025, 1, some), gocuda.ErrInvalidConfiguration},
			{"a cancelled context", kernels.BarriersForm(ctx, gocuda.Default(), form, 64, 1, some), context.Canceled},
			{"a launch of no thread", kernels.NullForm(t.Context(), gocuda.Default(), form, grid.Config{}), gocuda.ErrInvalidConfiguration},
			{"a cancelled launch", kernels.NullForm(ctx, gocuda.Default(), form, grid.Linear(5, 5)), context.Canceled},
		} {
			assert.ErrorIs(t, c.err, c.want, "%v, %s", form, c.what)
		}
		assert.Zero(t, slices.Max(some), form)
	}
}
