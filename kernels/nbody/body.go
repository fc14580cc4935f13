package nbody

import (
	"math"

	"github.com/gocuda/gocuda/kernels"
)

// A Body is a place and a mass, CUDA's float4.
type Body[T kernels.Float] struct{ X, Y, Z, Mass T }

// Energy returns the total energy of the bodies, kinetic and potential, with the gravitational constant
// 1 and no softening: the sum of m v²/2, less m_i m_j / d over all pairs. It is summed in float64.
func Energy[T kernels.Float](bodies []Body[T], vel []kernels.Vec3[T]) float64 {
	e := 0.0
	for i, b := range bodies {
		v := vel[i]
		x, y, z := float64(v.X), float64(v.Y), float64(v.Z)
		e += float64(b.Mass) * (x*x + y*y + z*z) / 2
		for _, o := range bodies[i+1:] {
			dx, dy, dz := float64(b.X)-float64(o.X), float64(b.Y)-float64(o.Y), float64(b.Z)-float64(o.Z)
			e -= float64(b.Mass) * float64(o.Mass) / math.Sqrt(dx*dx+dy*dy+dz*dz)
		}
	}
	return e
}
