package serial

import (
	"math"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
)

// Accelerations sets acc to the accelerations of bodies by each other's gravity, softened by eps: the
// reference of [nbody.Accelerations].
func Accelerations[T kernels.Float](eps T, bodies []nbody.Body[T], acc []kernels.Vec3[T]) {
	AccelerationsOf(0, len(bodies), eps, bodies, acc)
}

// AccelerationsOf is [Accelerations] for the bodies from i up to but not including j. Programs that
// share the work among goroutines call it.
func AccelerationsOf[T kernels.Float](i, j int, eps T, bodies []nbody.Body[T], acc []kernels.Vec3[T]) {
	for ; i < j; i++ {
		if eps*eps > 0 {
			acc[i] = acceleration(bodies[i], bodies, eps*eps)
		} else {
			acc[i] = accelerationApart(bodies[i], bodies)
		}
	}
}

// acceleration returns the acceleration of a by all bodies: 20 floating-point operations for each, by
// the count of the literature. eps2 is more than 0, so no distance is 0.
func acceleration[T kernels.Float](a nbody.Body[T], bodies []nbody.Body[T], eps2 T) kernels.Vec3[T] {
	var x, y, z T
	for i := range bodies {
		o := &bodies[i]
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

// accelerationApart is acceleration without softening. Bodies at the same place don't pull each
// other.
func accelerationApart[T kernels.Float](a nbody.Body[T], bodies []nbody.Body[T]) kernels.Vec3[T] {
	var x, y, z T
	for i := range bodies {
		o := &bodies[i]
		dx, dy, dz := o.X-a.X, o.Y-a.Y, o.Z-a.Z
		d2 := dx*dx + dy*dy + dz*dz
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

// EulerStep advances bodies by a step of symplectic Euler integration: the reference of
// [nbody.EulerStep].
func EulerStep[T kernels.Float](dt, eps T, bodies []nbody.Body[T], vel, acc []kernels.Vec3[T]) {
	Accelerations(eps, bodies, acc)
	for i := range bodies {
		v, b := &vel[i], &bodies[i]
		v.X += dt * acc[i].X
		v.Y += dt * acc[i].Y
		v.Z += dt * acc[i].Z
		b.X += dt * v.X
		b.Y += dt * v.Y
		b.Z += dt * v.Z
	}
}

// Leapfrog advances bodies by steps of leapfrog integration, kick, drift and kick: the reference of
// [nbody.Leapfrog].
func Leapfrog[T kernels.Float](steps int, dt, eps T, bodies []nbody.Body[T], vel, acc []kernels.Vec3[T]) {
	kick := func() {
		for i := range vel {
			vel[i].X += dt / 2 * acc[i].X
			vel[i].Y += dt / 2 * acc[i].Y
			vel[i].Z += dt / 2 * acc[i].Z
		}
	}
	Accelerations(eps, bodies, acc)
	for range steps {
		kick()
		for i := range bodies {
			bodies[i].X += dt * vel[i].X
			bodies[i].Y += dt * vel[i].Y
			bodies[i].Z += dt * vel[i].Z
		}
		Accelerations(eps, bodies, acc)
		kick()
	}
}
