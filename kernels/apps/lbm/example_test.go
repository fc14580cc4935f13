package lbm_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/lbm"
)

func ExampleSimulate() {
	// A wind in a box without walls: each step adds the force.
	g := lbm.Geometry{X: 4, Y: 4, Z: 4, Cells: make([]lbm.Kind, 64)}
	pops := make([]float32, 19*64)
	flow := lbm.Flow{Omega: 1, Force: kernels.Vec3[float32]{X: 0.001}}
	if err := lbm.Simulate(context.Background(), gocuda.Default(), lbm.Arrays, g, flow, 10, pops); err != nil {
		fmt.Println(err)
	}
	rho, u := lbm.Moments(pops, 0, kernels.Vec3[float32]{})
	fmt.Printf("%.3f %.3f %.3f\n", rho, u.X, u.Y)
	// Output: 1.000 0.010 0.000
}
