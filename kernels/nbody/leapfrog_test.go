package nbody_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/kerneltest"
	"github.com/gocuda/gocuda/kernels/nbody"
)

func TestLeapfrogAgainstSerial(t *testing.T) {
	const steps, dt, eps = 3, 1e-3, 0.1
	for _, dev := range kerneltest.Devices(t) {
		for _, method := range methods {
			for _, n := range dev.Sizes([]int{0, 1, 33, 5, 257, 600}, 3) {
				bodies, _ := cloud[float64](n)
				serial := append([]kernels.Body[float64](nil), bodies...)
				vel, vel2 := make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], n)
				acc, acc2 := make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], n)
				for i := range vel {
					vel[i] = kernels.Vec3[float64]{X: bodies[i].Y, Y: -bodies[i].X, Z: 0.5}
				}
				copy(vel2, vel)
				tol := bounds(eps, bodies)
				if err := nbody.Leapfrog(t.Context(), dev, method, steps, dt, eps, bodies, vel, acc); err != nil {
					t.Fatal(err)
				}
				nbody.LeapfrogSerial(steps, dt, eps, serial, vel2, acc2)
				for i := range bodies {
					// The errors of the two computations of the acceleration act for 3 dt, and with eps = 0.1 forces hardly change
					// in so short a time: 10 for that. The rounding of places and velocities themselves is less than 1e-15 a step.
					p, q := bodies[i], serial[i]
					size := 10*2*3*dt*(tol[i].X+tol[i].Y+tol[i].Z) + steps*5e-15
					if !(math.Abs(p.X-q.X) <= size && math.Abs(p.Y-q.Y) <= size && math.Abs(p.Z-q.Z) <= size && math.Abs(vel[i].X-vel2[i].X) <= size) {
						t.Fatalf("%s, %v, n=%d: body %d is at %v, want %v", dev.Name, method, n, i, p, q)
					}
				}
			}
		}
	}
}

// circle makes a heavy body without motion and a light one that goes around it in a circle, with the given
// velocity at distance 1. The period is 2π/v for v = 1.
func circle(v float64) ([]kernels.Body[float64], []kernels.Vec3[float64]) {
	return []kernels.Body[float64]{{Mass: 1}, {X: 1}}, []kernels.Vec3[float64]{{}, {Y: v}}
}

// The method has circles of its own, which it goes around without error. Places follow each other as
// x(n+1) - 2 x(n) + x(n-1) = -dt² x(n) at distance 1. Points that are an angle θ apart do so if 2 - 2 cos θ = dt². The
// velocity, with which it begins, is (x(1) - x(-1)) / 2dt, sin θ/dt.
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
		if err := nbody.Leapfrog(t.Context(), gocuda.Default(), method, steps, dt, 0, bodies, vel, acc); err != nil {
			t.Fatal(err)
		}
		// Rounding, some 40 units of 2^-53 a step, changes the orbit, and the angle with the number of steps.
		want, tol := float64(steps)*theta, float64(steps*steps)*40*0x1p-53
		if x, y := math.Cos(want), math.Sin(want); !(math.Hypot(bodies[1].X-x, bodies[1].Y-y) <= tol) {
			t.Errorf("%v: at (%v, %v), want (%v, %v)", method, bodies[1].X, bodies[1].Y, x, y)
		}
	}
}

// distance goes around a circle whose period is 2π, in so many steps, and returns how far from its beginning it ends.
func distance(t *testing.T, method nbody.Method, steps int) float64 {
	bodies, vel := circle(1)
	acc := make([]kernels.Vec3[float64], 2)
	if err := nbody.Leapfrog(t.Context(), gocuda.Default(), method, steps, 2*math.Pi/float64(steps), 0, bodies, vel, acc); err != nil {
		t.Fatal(err)
	}
	return math.Hypot(bodies[1].X-1, bodies[1].Y)
}

// After one period a body is where it was, with an error of the second order: half the step, a quarter of the error. The
// next order, dt⁴, changes that quarter by some dt², below 1e-3.
func TestLeapfrogIsOfSecondOrder(t *testing.T) {
	if kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	for _, method := range methods {
		a, b := distance(t, method, 400), distance(t, method, 800)
		if r := a / b; !(r > 3.99 && r < 4.01) || a > 0.01 {
			t.Errorf("%v: off by %g and, with half the step, by %g: %v of it", method, a, b, r)
		}
	}
}

// swing returns the largest difference in energy, relative, in the given periods of an orbit of eccentricity 0.5.
func swing(t *testing.T, stepsPerPeriod int, periods ...int) []float64 {
	// At its greatest distance 1.5 from a body of mass 1, with the semi-axis 1: v² = 2/r - 1/a.
	bodies := []kernels.Body[float64]{{Mass: 1}, {X: 1.5, Mass: 1e-9}}
	vel, acc := []kernels.Vec3[float64]{{}, {Y: math.Sqrt(2/1.5 - 1)}}, make([]kernels.Vec3[float64], 2)
	first := kernels.Energy(bodies, vel)
	all := make([]float64, len(periods))
	for k, n := range periods {
		for range n * stepsPerPeriod {
			if err := nbody.Leapfrog(t.Context(), gocuda.Default(), nbody.Global, 1, 2*math.Pi/float64(stepsPerPeriod), 0, bodies, vel, acc); err != nil {
				t.Fatal(err)
			}
			all[k] = max(all[k], math.Abs(kernels.Energy(bodies, vel)/first-1))
		}
	}
	return all
}

// The energy swings, but does not drift: over the last periods its swing is that of the first. With half the step
// it is a quarter.
func TestLeapfrogKeepsEnergy(t *testing.T) {
	if kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	const late = 1.02 // for where on the orbit the steps fall, which changes from period to period
	e := swing(t, 200, 2, 60, 2)
	if !(e[1] <= late*e[0] && e[2] <= late*e[0]) || e[0] > 0.01 {
		t.Errorf("the energy swings by %v in the first periods, then %v, and at last %v", e[0], e[1], e[2])
	}
	half := swing(t, 400, 2)
	if r := e[0] / half[0]; !(r > 3.9 && r < 4.1) {
		t.Errorf("the energy swings by %v, and with half the step by %v: %v of it", e[0], half[0], r)
	}
}

// Backwards it comes to where it began, as the exact motion does.
func TestLeapfrogRunsBackwards(t *testing.T) {
	bodies, vel := circle(0.8)
	acc := make([]kernels.Vec3[float64], 2)
	for _, dt := range []float64{0.02, -0.02} {
		if err := nbody.Leapfrog(t.Context(), gocuda.Default(), nbody.Tiled, 100, dt, 0, bodies, vel, acc); err != nil {
			t.Fatal(err)
		}
		if dt > 0 && !(bodies[1].X < 0.5) {
			t.Fatalf("it hardly moved: %v", bodies[1])
		}
	}
	// 200 steps, each off by some 40 units of 2^-53, grow no more than with the number of steps.
	if tol := 200 * 200 * 40 * 0x1p-53; !(math.Hypot(bodies[1].X-1, bodies[1].Y) <= tol && math.Hypot(vel[1].X, vel[1].Y-0.8) <= tol) {
		t.Errorf("it came back to %v with %v", bodies[1], vel[1])
	}
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
		// Twice, since the bounds change a little as the bodies move; and what velocities round, which are below 1.
		bound += bodies[i].Mass * (2*steps*dt*b.X + 2*steps*0x1p-53)
	}
	if err := nbody.Leapfrog(t.Context(), gocuda.Default(), nbody.Several, steps, dt, eps, bodies, vel, acc); err != nil {
		t.Fatal(err)
	}
	p, moved := 0.0, 0.0
	for i, b := range bodies {
		p += b.Mass * vel[i].X
		moved = max(moved, math.Abs(vel[i].X))
	}
	if !(math.Abs(p) <= bound) || moved < 1e-3 || moved > 1 {
		t.Errorf("the momentum is %g, want 0 within %g; velocities up to %g", p, bound, moved)
	}
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
		if err := nbody.Leapfrog(t.Context(), kernels.OnStream(s), method, steps, 2*math.Pi/float64(steps), 0, bodies, vel, acc); err != nil {
			t.Fatal(err)
		}
		if err := s.Synchronize(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := distance(t, method, steps); math.Abs(math.Hypot(bodies[1].X-1, bodies[1].Y)-want) > 1e-9 {
			t.Errorf("%v: at %v, want it %v from (1, 0)", method, bodies[1], want)
		}
	}
}

// round has two digits behind the point, and no zero with a sign.
func round(x float64) float64 { return math.Round(100*x)/100 + 0 }

func ExampleLeapfrog() {
	// A year: around a mass of 1 in a circle of radius 1 it has 2π.
	bodies := []kernels.Body[float64]{{Mass: 1}, {X: 1}}
	vel := []kernels.Vec3[float64]{{}, {Y: 1}}
	acc := make([]kernels.Vec3[float64], 2)
	const seasons, steps = 4, 100
	for range seasons {
		err := nbody.Leapfrog(context.Background(), gocuda.Default(), nbody.Global, steps, 2*math.Pi/seasons/steps, 0, bodies, vel, acc)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(round(bodies[1].X), round(bodies[1].Y))
	}
	// Output:
	// 0 1
	// -1 0
	// 0 -1
	// 1 0
}
