package nbody_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

func TestLeapfrogAgainstSerial(t *testing.T) {
	const steps, dt, eps = 3, 1e-3, 0.1
	for _, dev := range kerneltest.Devices(t) {
		for _, method := range methods {
			for _, n := range dev.Sizes([]int{0, 1, 33, 5, 257, 600}, 3) {
				bodies, _ := cloud[float64](n)
				plain := append([]nbody.Body[float64](nil), bodies...)
				vel, vel2 := make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], n)
				acc, acc2 := make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], n)
				for i := range vel {
					vel[i] = kernels.Vec3[float64]{X: bodies[i].Y, Y: -bodies[i].X, Z: 0.5}
				}
				copy(vel2, vel)
				tol := bounds(eps, bodies)
				require.NoError(t, nbody.Leapfrog(t.Context(), dev, method, steps, dt, eps, bodies, vel, acc))
				serial.Leapfrog(steps, dt, eps, plain, vel2, acc2)
				var want, got []float64
				for i, p := range bodies {
					q := plain[i]
					want, got = append(want, q.X, q.Y, q.Z, vel2[i].X), append(got, p.X, p.Y, p.Z, vel[i].X)
				}
				// The errors of the two computations of the acceleration act for 3 dt, and with eps
				// = 0.1 forces hardly change in so short a time: 10 for that. The rounding of
				// places and velocities themselves is less than 1e-15 a step.
				size := func(i int) float64 { return 10*2*3*dt*(tol[i/4].X+tol[i/4].Y+tol[i/4].Z) + steps*5e-15 }
				slicetest.Within(t, want, got, size, "%s, %v, n=%d: x, y, z and the velocity in x of each body", dev.Name, method, n)
			}
		}
	}
}

// circle makes a heavy body without motion and a light one that goes around it in a circle, with
// the given velocity at distance 1. The period is 2π/v for v = 1.
func circle(v float64) ([]nbody.Body[float64], []kernels.Vec3[float64]) {
	return []nbody.Body[float64]{{Mass: 1}, {X: 1}}, []kernels.Vec3[float64]{{}, {Y: v}}
}

// The method has circles of its own, which it goes around without error. Places follow each other
// as x(n+1) - 2 x(n) + x(n-1) = -dt² x(n) at distance 1. Points that are an angle θ apart do so if
// 2 - 2 cos θ = dt². The velocity, with which it begins, is (x(1) - x(-1)) / 2dt, sin θ/dt.
func TestLeapfrogGoesAroundItsCircle(t *testing.T) {
	const dt = 0.1
	steps, methods := 400, methods
	if kerneltest.Devices(t)[0].Slow {
		steps, methods = 20, methods[:1]
	}
	theta := math.Acos(1 - dt*dt/2)
	for _, method := range methods {
		bodies, vel := circle(math.Sin(theta) / dt)
		acc := make([]kernels.Vec3[float64], 2)
		require.NoError(t, nbody.Leapfrog(t.Context(), gocuda.Default(), method, steps, dt, 0, bodies, vel, acc))
		// Rounding, some 40 units of 2^-53 a step, changes the orbit, and the angle with the number
		// of steps.
		want, tol := float64(steps)*theta, float64(steps*steps)*40*0x1p-53
		assert.LessOrEqual(t, math.Hypot(bodies[1].X-math.Cos(want), bodies[1].Y-math.Sin(want)), tol, "%v: at", method)
	}
}

// distance goes around a circle whose period is 2π, in so many steps, and returns how far from its
// beginning it ends.
func distance(t *testing.T, method nbody.Method, steps int) float64 {
	bodies, vel := circle(1)
	acc := make([]kernels.Vec3[float64], 2)
	require.NoError(t, nbody.Leapfrog(t.Context(), gocuda.Default(), method, steps, 2*math.Pi/float64(steps), 0, bodies, vel, acc))
	return math.Hypot(bodies[1].X-1, bodies[1].Y)
}

// After one period a body is where it was, with an error of the second order: half the step, a
// quarter of the error. The next order, dt⁴, changes that quarter by some dt², below 1e-3.
func TestLeapfrogIsOfSecondOrder(t *testing.T) {
	if kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	for _, method := range methods {
		a, b := distance(t, method, 400), distance(t, method, 800)
		assert.InDelta(t, 4, a/b, 0.01, "%v: %g by the error with half the step, %g", method, a, b)
		assert.LessOrEqual(t, a, 0.01, method)
	}
}

// swing returns the largest difference in energy, relative, in the given periods of an orbit of
// eccentricity 0.5.
func swing(t *testing.T, stepsPerPeriod int, periods ...int) []float64 {
	// At its greatest distance 1.5 from a body of mass 1, with the semi-axis 1: v² = 2/r - 1/a.
	bodies := []nbody.Body[float64]{{Mass: 1}, {X: 1.5, Mass: 1e-9}}
	vel, acc := []kernels.Vec3[float64]{{}, {Y: math.Sqrt(2/1.5 - 1)}}, make([]kernels.Vec3[float64], 2)
	first := nbody.Energy(bodies, vel)
	all := make([]float64, len(periods))
	for k, n := range periods {
		for range n * stepsPerPeriod {
			require.NoError(t, nbody.Leapfrog(t.Context(), gocuda.Default(), nbody.Global, 1, 2*math.Pi/float64(stepsPerPeriod), 0, bodies, vel, acc))
			all[k] = max(all[k], math.Abs(nbody.Energy(bodies, vel)/first-1))
		}
	}
	return all
}

// The energy swings, but does not drift: over the last periods its swing is that of the first. With
// half the step it is a quarter.
func TestLeapfrogKeepsEnergy(t *testing.T) {
	if kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	const late = 1.02 // for where on the orbit the steps fall, which changes from period to period
	e := swing(t, 200, 2, 60, 2)
	assert.LessOrEqual(t, e[0], 0.01, "the swing in the first periods")
	assert.LessOrEqual(t, e[1], late*e[0], "then")
	assert.LessOrEqual(t, e[2], late*e[0], "at last")
	half := swing(t, 400, 2)
	assert.InDelta(t, 4, e[0]/half[0], 0.1, "the energy swings by %v, and with half the step by %v", e[0], half[0])
}

// Backwards it comes to where it began, as the exact motion does.
func TestLeapfrogRunsBackwards(t *testing.T) {
	bodies, vel := circle(0.8)
	acc := make([]kernels.Vec3[float64], 2)
	for _, dt := range []float64{0.02, -0.02} {
		require.NoError(t, nbody.Leapfrog(t.Context(), gocuda.Default(), nbody.Tiled, 100, dt, 0, bodies, vel, acc))
		if dt > 0 {
			require.Less(t, bodies[1].X, 0.5, "it hardly moved")
		}
	}
	// 200 steps, each off by some 40 units of 2^-53, grow no more than with the number of steps.
	tol := 200 * 200 * 40 * 0x1p-53
	assert.LessOrEqual(t, math.Hypot(bodies[1].X-1, bodies[1].Y), tol, "it came back to %v", bodies[1])
	assert.LessOrEqual(t, math.Hypot(vel[1].X, vel[1].Y-0.8), tol, "with the velocity %v", vel[1])
}

// The momentum of a closed system stays what it was.
func TestLeapfrogKeepsMomentum(t *testing.T) {
	const steps, dt, eps = 10, 1e-3, 0.1
	n := 300
	if kerneltest.Devices(t)[0].Slow {
		n = 40
	}
	bodies, _ := cloud[float64](n)
	vel, acc := make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], n)
	bound := 0.0
	for i, b := range bounds(eps, bodies) {
		// Twice, since the bounds change a little as the bodies move; and what velocities round,
		// which are below 1.
		bound += bodies[i].Mass * (2*steps*dt*b.X + 2*steps*0x1p-53)
	}
	require.NoError(t, nbody.Leapfrog(t.Context(), gocuda.Default(), nbody.Several, steps, dt, eps, bodies, vel, acc))
	p, moved := 0.0, 0.0
	for i, b := range bodies {
		p += b.Mass * vel[i].X
		moved = max(moved, math.Abs(vel[i].X))
	}
	assert.InDelta(t, 0, p, bound, "the momentum")
	assert.GreaterOrEqual(t, moved, 1e-3)
	assert.LessOrEqual(t, moved, 1.0)
}

func TestLeapfrogIsQueued(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	steps, methods := 400, methods
	if kerneltest.Devices(t)[0].Slow {
		steps, methods = 8, methods[:1]
	}
	for _, method := range methods {
		bodies, vel := circle(1)
		acc := make([]kernels.Vec3[float64], 2)
		require.NoError(t, nbody.Leapfrog(t.Context(), kernels.OnStream(s), method, steps, 2*math.Pi/float64(steps), 0, bodies, vel, acc))
		require.NoError(t, s.Synchronize(t.Context()))
		assert.InDelta(t, distance(t, method, steps), math.Hypot(bodies[1].X-1, bodies[1].Y), 1e-9, "%v: from (1, 0)", method)
	}
}

// The momentum of a closed system stays what it was, whatever the method.
func TestEulerStepKeepsMomentum(t *testing.T) {
	const n, dt = 300, 1e-3
	bodies, _ := cloud[float64](n)
	vel, acc := make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], n)
	plain := append([]nbody.Body[float64](nil), bodies...)
	vel2, acc2 := make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], n)
	for range 10 {
		require.NoError(t, nbody.EulerStep(t.Context(), gocuda.Default(), nbody.Blocks, dt, 0.1, bodies, vel, acc))
		serial.EulerStep(dt, 0.1, plain, vel2, acc2)
	}
	var px float64
	for i, b := range bodies {
		px += b.Mass * vel[i].X
		require.InDelta(t, plain[i].X, b.X, 1e-9, "body %d", i)
	}
	assert.InDelta(t, 0, px, 1e-9, "momentum")
}
