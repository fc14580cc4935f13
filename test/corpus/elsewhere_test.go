//go:build compiled

package corpus

import (
	"errors"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/sanitize"
)

// Lanes that are named in a mask and are elsewhere in the kernel: about to return, or at another
// call of the same operation. Coroutines wait for them. Compiled kernels meet at one place and say
// so.
func TestLanesElsewhere(t *testing.T) {
	if raceEnabled || sanitize.Active() {
		t.Skip("under the race detector and the sanitizer a compiled kernel runs its source")
	}
	m := machines(t)[0]
	cfg := line(1, 100)
	in, out := positive(100), make([]int32, 100)
	for _, c := range []struct {
		name     string
		source   gocuda.ThreadFunc
		compiled gocuda.Kernel
	}{
		{"return later", func(t *gocuda.Thread) { wmElseLater(t, in, out) }, wmElseLaterKernel(in, out)},
		{"return after a break", func(t *gocuda.Thread) { wmDoneTwice(t, in, out) }, wmDoneTwiceKernel(in, out)},
		{"exits of a helper and of loops", func(t *gocuda.Thread) { wmAllLeave(t, in, out) }, wmAllLeaveKernel(in, out)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := m.launch(t, cfg, c.source); err != nil {
				t.Errorf("source: %v", err)
			}
			if err := m.launch(t, cfg, c.compiled); !errors.Is(err, gocuda.ErrWarpDivergence) {
				t.Errorf("compiled: %v", err)
			}
		})
	}
}
