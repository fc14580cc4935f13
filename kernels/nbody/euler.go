package nbody

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Motion, by the symplectic Euler method: the simplest that keeps the energy of an orbit, which is what
// the n-body program of the well-known benchmarks of languages has.

// euler advances one body by a step of symplectic Euler: the velocity first, and the place with the new
// velocity.
//
//gocuda:kernel
func euler[T kernels.Float](t *gocuda.Thread, dt T, bodies []Body[T], vel, acc []kernels.Vec3[T]) {
	if i := t.GlobalX(); i < len(bodies) {
		v := &vel[i]
		v.X += dt * acc[i].X
		v.Y += dt * acc[i].Y
		v.Z += dt * acc[i].Z
		b := &bodies[i]
		b.X += dt * v.X
		b.Y += dt * v.Y
		b.Z += dt * v.Z
	}
}

// EulerStep advances all bodies by the time dt with the symplectic Euler method. vel[i] is the velocity
// of bodies[i]. acc is room for the accelerations, of the same length, and holds those at the beginning
// of the step afterwards. A program that steps many times allocates it once.
func EulerStep[T kernels.Float](ctx context.Context, on kernels.Launcher, method Method, dt, eps T, bodies []Body[T], vel, acc []kernels.Vec3[T]) error {
	n := len(bodies)
	if err := check.Lengths("n-body, velocities", n, len(vel)); err != nil {
		return err
	}
	if err := Accelerations(ctx, on, method, eps, bodies, acc); err != nil {
		return err
	}
	return move(ctx, on, 0, n, func(from, to int) gocuda.Kernel {
		return eulerKernel(dt, bodies[from:to], vel[from:to], acc[from:to])
	})
}
