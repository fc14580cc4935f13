// Package user has a kernel with a race.
package user

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Neighbours sets out[i] to the element behind in[i], through shared memory, and without the barrier.
func Neighbours(out, in []int32) error {
	return gocuda.LaunchFunc(context.Background(), grid.Linear(64, 64), func(t *gocuda.Thread) {
		s := gocuda.Shared[int32](t, 64)
		i := t.ThreadIdx.X
		s[i] = in[i]
		out[i] = s[(i+1)%64]
	})
}
