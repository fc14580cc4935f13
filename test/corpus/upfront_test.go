//go:build compiled

package corpus

import (
	"errors"
	"math"
	"runtime"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
)

// Rows that several threads find outside, some of them near the ends of int: whoever is blamed, the
// launch must end with Go's error for an index.
func TestUpfrontOutside(t *testing.T) {
	m := machines(t)[0]
	for _, c := range []struct {
		name         string
		far, in, out int
	}{
		{"half a warp", 0, 512, 357},
		{"the second warp", 0, 512, 256},
		{"the last row", 0, 512 - 32, 512},
		{"the second row", 0, 33, 512},
		{"nothing", 0, 0, 0},
		{"before", -33, 1000, 1000},
		{"far before", -5000, 1000, 1000},
		{"top", math.MaxInt - 40, 1000, 1000},
		{"top of a round", math.MaxInt - 224 - 31, 1000, 1000},
		{"bottom", math.MinInt, 1000, 1000},
		{"bottom and in again", math.MinInt + 100, 1000, 1000},
	} {
		in, out := make([]float32, c.in), make([]float32, c.out)
		for form, k := range map[string]gocuda.Kernel{
			"source":   gocuda.ThreadFunc(func(t *gocuda.Thread) { ufFar(t, c.far, in, out) }),
			"compiled": ufFarKernel(c.far, in, out),
		} {
			err := m.launch(t, line(1, 64), k)
			var failed *gocuda.KernelError
			if !errors.As(err, &failed) {
				t.Errorf("%s, %s: %v, want a kernel error", c.name, form, err)
				continue
			}
			if _, ok := failed.Value.(runtime.Error); !ok {
				t.Errorf("%s, %s: %v, want an error of Go's", c.name, form, err)
			}
		}
	}
}
