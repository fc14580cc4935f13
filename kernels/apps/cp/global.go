package cp

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
)

// global is the program of one thread: eight points, and all atoms, from global memory. On a
// processor these stay in a cache, and there are no chunks.
//
//gocuda:kernel fastmath
func global(t *gocuda.Thread, width, height int, x0, y0, z, spacing float32, atoms []Atom, out []float32) {
	step := t.BlockDim.X
	i, j := t.BlockIdx.X*step*points+t.ThreadIdx.X, t.GlobalY()
	if j < height {
		y := y0 + spacing*float32(j)
		var x, sum [points]float32
		for m := range points {
			x[m] = x0 + spacing*float32(i+m*step)
		}
		for k := range atoms {
			a := atoms[k]
			dy, dz := y-a.Y, z-a.Z
			d2 := dy*dy + dz*dz
			for m := range points {
				dx := x[m] - a.X
				sum[m] += a.Charge / float32(math.Sqrt(float64(dx*dx+d2)))
			}
		}
		for m := range points {
			if i+m*step < width {
				out[j*width+i+m*step] = sum[m]
			}
		}
	}
}
