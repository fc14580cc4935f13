//go:build compiled

package corpus

import (
	"errors"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
)

// TestInvalidWidths: a width that is none is an error, whoever of the warp is the first to see it.
func TestInvalidWidths(t *testing.T) {
	cfg := line(2, 64)
	for _, width := range []int{0, 3, 31, 33, 64, -8, -1 << 63} {
		in, out := data[int32](128), make([]int32, 128)
		x := Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { wkWidth(t, width, 1, in, out) }),
			Compiled: wkWidthKernel(width, 1, in, out),
		}
		for _, m := range machines(t) {
			for _, form := range []form{source, compiled} {
				if err := m.launch(t, cfg, form.of(x)); !errors.Is(err, gocuda.ErrInvalidValue) {
					t.Errorf("%v, %s, width %d: %v", form, m.name, width, err)
				}
			}
		}
	}
}
