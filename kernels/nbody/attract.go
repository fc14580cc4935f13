package nbody

import (
	"math"

	"github.com/gocuda/gocuda/kernels"
)

// attract adds to acc what others contribute to the acceleration of body a: 20 floating-point
// operations for each, by the count of the literature. It is a loop, and not a function of one pair
// as in the texts, because Go would not inline that. eps2 must be more than 0, so that no distance
// is.
func attract[T kernels.Float](acc kernels.Vec3[T], a Body[T], others []Body[T], eps2 T) kernels.Vec3[T] {
	x, y, z := acc.X, acc.Y, acc.Z
	for i := range others {
		o := &others[i]
		dx, dy, dz := o.X-a.X, o.Y-a.Y, o.Z-a.Z
		d2 := dx*dx + dy*dy + dz*dz + eps2
		inv := 1 / T(math.Sqrt(float64(d2)))
		s := o.Mass * inv * inv * inv
		x += dx * s
		y += dy * s
		z += dz * s
	}
	return kernels.Vec3[T]{X: x, Y: y, Z: z}
}

// attractApart is attract for any eps2, also 0. Bodies at the same place don't pull each other then.
func attractApart[T kernels.Float](acc kernels.Vec3[T], a Body[T], others []Body[T], eps2 T) kernels.Vec3[T] {
	x, y, z := acc.X, acc.Y, acc.Z
	for i := range others {
		o := &others[i]
		dx, dy, dz := o.X-a.X, o.Y-a.Y, o.Z-a.Z
		d2 := dx*dx + dy*dy + dz*dz + eps2
		if d2 == 0 {
			continue
		}
		inv := 1 / T(math.Sqrt(float64(d2)))
		s := o.Mass * inv * inv * inv
		x += dx * s
		y += dy * s
		z += dz * s
	}
	return kernels.Vec3[T]{X: x, Y: y, Z: z}
}

// attracted is attract or attractApart, as eps2 asks.
func attracted[T kernels.Float](acc kernels.Vec3[T], a Body[T], others []Body[T], eps2 T) kernels.Vec3[T] {
	if eps2 > 0 {
		return attract(acc, a, others, eps2)
	}
	return attractApart(acc, a, others, eps2)
}

// pull returns the acceleration of me by other: 20 floating-point operations with the sums, by the
// count of the literature.
func pull[T kernels.Float](me, other Body[T], eps2 T) (x, y, z T) {
	dx, dy, dz := other.X-me.X, other.Y-me.Y, other.Z-me.Z
	d2 := dx*dx + dy*dy + dz*dz + eps2
	if d2 != 0 {
		inv := 1 / T(math.Sqrt(float64(d2)))
		s := other.Mass * inv * inv * inv
		x, y, z = dx*s, dy*s, dz*s
	}
	return x, y, z
}
