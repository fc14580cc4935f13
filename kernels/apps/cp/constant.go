package cp

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// points is how many points a thread has.
const points = 8

// constant is the program of one thread: eight points, and the n atoms of a chunk in constant
// memory. (x0, y0, z) is the first point of the plane. The first chunk begins the sums.
//
//gocuda:kernel fastmath
func constant(t *gocuda.Thread, first bool, width, height int, x0, y0, z, spacing float32, n int, atoms mem.ReadOnly[Atom], out []float32) {
	step := t.BlockDim.X
	i, j := t.BlockIdx.X*step*points+t.ThreadIdx.X, t.GlobalY()
	if j < height {
		y := y0 + spacing*float32(j)
		var x, sum [points]float32
		for m := range points {
			x[m] = x0 + spacing*float32(i+m*step)
		}
		for k := range n {
			a := atoms.At(k)
			dy, dz := y-a.Y, z-a.Z
			d2 := dy*dy + dz*dz
			for m := range points {
				dx := x[m] - a.X
				sum[m] += a.Charge / float32(math.Sqrt(float64(dx*dx+d2)))
			}
		}
		for m := range points {
			if i+m*step < width {
				add(first, j*width+i+m*step, sum[m], out)
			}
		}
	}
}

// add adds a sum to what the launches before have left, if there are any.
func add(first bool, i int, sum float32, out []float32) {
	if !first {
		sum += out[i]
	}
	out[i] = sum
}
