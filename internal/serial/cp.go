package serial

import (
	"math"

	"github.com/gocuda/gocuda/kernels/apps/cp"
)

// CPPotential sets out to the electric potential of atoms at the points of a plane: the reference of
// [cp.Potential]. The places of the points are rounded to float32, the rest is in float64.
func CPPotential(p cp.Plane, atoms []cp.Atom, out []float64) {
	for j := range p.Height {
		y := float64(p.Y + float32(p.Spacing*float32(j)))
		for i := range p.Width {
			x := float64(p.X + float32(p.Spacing*float32(i)))
			sum := 0.0
			for _, a := range atoms {
				dx, dy, dz := x-float64(a.X), y-float64(a.Y), float64(p.Z)-float64(a.Z)
				sum += float64(a.Charge) / math.Sqrt(dx*dx+dy*dy+dz*dz)
			}
			out[j*p.Width+i] = sum
		}
	}
}
