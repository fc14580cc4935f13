package nbody_test

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
)

func ExampleAccelerationsOn() {
	// Two devices of one worker each, instead of one with all.
	var on []kernels.Launcher
	for range 2 {
		dev, err := gocuda.NewDevice(gocuda.WithWorkers(1))
		if err != nil {
			fmt.Println(err)
			return
		}
		defer dev.Close()
		on = append(on, dev)
	}
	bodies := []nbody.Body[float64]{{X: -1, Mass: 4}, {}, {X: 1, Mass: 4}}
	acc := make([]kernels.Vec3[float64], len(bodies))
	if err := nbody.AccelerationsOn(context.Background(), on, nbody.Tiled, 0, bodies, acc); err != nil {
		fmt.Println(err)
	}
	for _, a := range acc {
		fmt.Println(a.X)
	}
	// Output:
	// 1
	// 0
	// -1
}

func ExampleLeapfrogOn() {
	devices := []kernels.Launcher{gocuda.Default(), gocuda.Default()}
	bodies := []nbody.Body[float64]{{Mass: 1}, {X: 1}} // half a circle
	vel, acc := []kernels.Vec3[float64]{{}, {Y: 1}}, make([]kernels.Vec3[float64], 2)
	err := nbody.LeapfrogOn(context.Background(), devices, nbody.Global, 100, math.Pi/100, 0, bodies, vel, acc)
	fmt.Printf("%+.3f %v\n", bodies[1].X, err)
	// Output: -1.000 <nil>
}

// round has two digits behind the point, and no zero with a sign.
func round(x float64) float64 { return math.Round(100*x)/100 + 0 }

func ExampleLeapfrog() {
	// A year: around a mass of 1 in a circle of radius 1 it has 2π.
	bodies := []nbody.Body[float64]{{Mass: 1}, {X: 1}}
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

func ExampleAccelerations() {
	// A body of mass 8 pulls one of no mass, 2 away, with 8/2².
	bodies := []nbody.Body[float64]{{X: 1, Mass: 8}, {X: 1, Y: 2}}
	acc := make([]kernels.Vec3[float64], 2)
	for _, m := range []nbody.Method{nbody.Global, nbody.Tiled, nbody.Several, nbody.Constant, nbody.Shuffle} {
		if err := nbody.Accelerations(context.Background(), gocuda.Default(), m, 0, bodies, acc); err != nil {
			fmt.Println(err)
		}
		fmt.Printf("%-8v %v\n", m, acc[1])
	}
	// Output:
	// global   {0 -2 0}
	// tiled    {0 -2 0}
	// several  {0 -2 0}
	// constant {0 -2 0}
	// shuffle  {0 -2 0}
}

func ExampleEulerStep() {
	// A light body on a circular orbit of radius 1 around a heavy one: it takes 2 pi for a turn, so
	// after a quarter of that it is over the heavy body's head.
	bodies := []nbody.Body[float64]{{Mass: 1}, {X: 1}}
	vel := []kernels.Vec3[float64]{{}, {Y: 1}}
	acc := make([]kernels.Vec3[float64], 2)
	const steps = 1000
	for range steps {
		err := nbody.EulerStep(context.Background(), gocuda.Default(), nbody.Blocks, math.Pi/2/steps, 0, bodies, vel, acc)
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("%.2f %.2f\n", math.Abs(bodies[1].X), bodies[1].Y)
	// Output: 0.00 1.00
}
