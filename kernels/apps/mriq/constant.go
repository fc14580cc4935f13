package mriq

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/mri"
	"github.com/gocuda/gocuda/mem"
)

// constant is the program of one thread: one voxel, and the n samples of a chunk in constant
// memory. The first chunk begins the sums.
//
//gocuda:kernel fastmath
func constant(t *gocuda.Thread, first bool, x, y, z []float32, n int, samples mem.ReadOnly[sample], re, im []float32) {
	if i := t.GlobalX(); i < len(x) {
		xi, yi, zi := x[i], y[i], z[i]
		var a, b float32
		if !first {
			a, b = re[i], im[i]
		}
		for k := range n {
			s := samples.At(k)
			sin, cos := mri.Sincos(s.x*xi + s.y*yi + s.z*zi)
			a += s.weight * cos
			b += s.weight * sin
		}
		re[i], im[i] = a, b
	}
}
