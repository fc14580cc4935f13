package kernels_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
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
					if err := kernels.BarriersForm(t.Context(), dev, form, 64, count, got); err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got, want) {
						t.Fatalf("%s, %v, n=%d, %d barriers: %v, want %v", name, form, n, count, got, want)
					}
				}
			}
			if err := kernels.NullForm(t.Context(), dev, form, grid.Linear(1000, 64)); err != nil {
				t.Fatal(err)
			}
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
			if !errors.Is(c.err, c.want) {
				t.Errorf("%v, %s: %v, want %v", form, c.what, c.err, c.want)
			}
		}
		if slices.Max(some) != 0 {
			t.Errorf("%v: %v", form, some)
		}
	}
}
