//go:build compiled

package corpus

import (
	"math"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
)

// TestRowsWrap: all threads fail; whoever is blamed, the launch must end with an error and not with
// a fault.
func TestRowsWrap(t *testing.T) {
	m := machines(t)[0]
	in, out := make([]float32, 1000), make([]float32, 1000)
	for _, c := range []struct {
		name string
		k    gocuda.Kernel
	}{
		{"source", gocuda.ThreadFunc(func(t *gocuda.Thread) { rwFailWrap(t, math.MaxInt-20, in, out) })},
		{"steps", rwFailWrapKernel(math.MaxInt-20, in, out)},
		{"back", rwFailWrapBackKernel(math.MinInt+20, in, out)},
		{"store", rwFailWrapStoreKernel(math.MaxInt-20, in, out)},
		{"source of loop", gocuda.ThreadFunc(func(t *gocuda.Thread) { rwFailWrapLoop(t, 1<<58+1, in, out) })},
		{"loop", rwFailWrapLoopKernel(1<<58+1, in, out)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := m.launch(t, line(2, 64), c.k); err == nil {
				t.Error("there is no error")
			}
		})
	}
}
