package nbody

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Motion, by the leapfrog method in its form kick-drift-kick (Hockney and Eastwood, Computer
// Simulation Using Particles, 1981; the texts leave the choice of a method to the program). A step
// of dt changes the velocities by half of what the accelerations do in dt, moves the bodies with
// these velocities for dt, and with the accelerations at the new places changes the velocities by
// the other half. Its error is of the order dt², where that of the Euler method of
// EulerStep is of the order dt, and it costs no more: one computation of all accelerations.
// It is symplectic and runs backwards with -dt, so the energy swings around its value and does not
// drift away.

// moveThreads is the number of threads of a block.
const moveThreads = 256

// kickDrift is the program of one thread: the first half of a step of one body. half is dt/2.
//
//gocuda:kernel
func kickDrift[T kernels.Float](t *gocuda.Thread, half, dt T, bodies []Body[T], vel, acc []kernels.Vec3[T]) {
	if i := t.GlobalX(); i < len(bodies) {
		v := &vel[i]
		v.X += half * acc[i].X
		v.Y += half * acc[i].Y
		v.Z += half * acc[i].Z
		b := &bodies[i]
		b.X += dt * v.X
		b.Y += dt * v.Y
		b.Z += dt * v.Z
	}
}

// kick is the program of one thread: the second half of a step of one body.
//
//gocuda:kernel
func kick[T kernels.Float](t *gocuda.Thread, half T, vel, acc []kernels.Vec3[T]) {
	if i := t.GlobalX(); i < len(vel) {
		v := &vel[i]
		v.X += half * acc[i].X
		v.Y += half * acc[i].Y
		v.Z += half * acc[i].Z
	}
}

// Leapfrog advances all bodies by so many steps of dt, which may be negative. vel[i] is the
// velocity of bodies[i]. acc is room for the accelerations, of the same length, and holds those of
// the end afterwards. The accelerations are computed once for each step, and once before the first.
func Leapfrog[T kernels.Float](ctx context.Context, on kernels.Launcher, method Method, steps int, dt, eps T, bodies []Body[T], vel, acc []kernels.Vec3[T]) error {
	return leapfrog(ctx, []kernels.Launcher{on}, method, steps, dt, eps, bodies, vel, acc)
}

// leapfrog is Leapfrog on several devices. After each half of a step they wait for each other: to
// compute the accelerations of its bodies, a device needs the places of all.
func leapfrog[T kernels.Float](ctx context.Context, on []kernels.Launcher, method Method, steps int, dt, eps T, bodies []Body[T], vel, acc []kernels.Vec3[T]) error {
	if err := valid(method, eps, bodies, acc); err != nil {
		return err
	}
	if err := check.Lengths("n-body, velocities", len(bodies), len(vel)); err != nil {
		return err
	}
	if steps < 0 {
		return check.Invalid("n-body", "%d steps", steps)
	}
	n, half := len(bodies), dt/2
	err := each(ctx, on, n, func(ctx context.Context, on kernels.Launcher, from, to int) error {
		return accelerations(ctx, on, method, eps, bodies[from:to], bodies, acc[from:to])
	})
	for step := 0; step < steps && err == nil; step++ {
		err = each(ctx, on, n, func(ctx context.Context, on kernels.Launcher, from, to int) error {
			return move(ctx, on, from, to, func(from, to int) gocuda.Kernel {
				return kickDriftKernel(half, dt, bodies[from:to], vel[from:to], acc[from:to])
			})
		})
		if err != nil {
			break
		}
		err = each(ctx, on, n, func(ctx context.Context, on kernels.Launcher, from, to int) error {
			if err := accelerations(ctx, on, method, eps, bodies[from:to], bodies, acc[from:to]); err != nil {
				return err
			}
			return move(ctx, on, from, to, func(from, to int) gocuda.Kernel {
				return kickKernel(half, vel[from:to], acc[from:to])
			})
		})
	}
	return err
}

// move launches a kernel that has a thread a body for the bodies from from up to but not including to.
func move(ctx context.Context, on kernels.Launcher, from, to int, kernel func(from, to int) gocuda.Kernel) error {
	for from < to {
		n := min(to-from, maxGrid*moveThreads)
		if err := on.Launch(ctx, grid.Linear(n, moveThreads), kernel(from, from+n)); err != nil {
			return err
		}
		from += n
	}
	return nil
}
