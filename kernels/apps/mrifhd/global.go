package mrifhd

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/mri"
)

// global is the program of one thread: one voxel, and all samples, from global memory. On a
// processor these stay in a cache, and there are no chunks.
//
//gocuda:kernel fastmath
func global(t *gocuda.Thread, x, y, z []float32, samples []sample, re, im []float32) {
	if i := t.GlobalX(); i < len(x) {
		xi, yi, zi := x[i], y[i], z[i]
		var a, b float32
		for k := range samples {
			s := samples[k]
			sin, cos := mri.Sincos(s.x*xi + s.y*yi + s.z*zi)
			a += s.re*cos - s.im*sin
			b += s.im*cos + s.re*sin
		}
		re[i], im[i] = a, b
	}
}
