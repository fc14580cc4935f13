//go:build compiled

package kernel

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func double(t *gocuda.Thread, x []int32) {
	if i := t.GlobalX(); i < len(x) {
		x[i] *= 2
	}
}

// Compiled returns the kernel as it has been compiled.
func Compiled(x []int32) gocuda.Kernel { return doubleKernel(x) }
