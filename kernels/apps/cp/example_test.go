package cp_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/cp"
)

func ExamplePotential() {
	// A dipole: its potential is 1/1 - 1/3, 1/2 - 1/2 and 1/3 - 1/1.
	atoms := []cp.Atom{{X: 0, Charge: 1}, {X: 4, Charge: -1}}
	out := make([]float32, 3)
	p := cp.Plane{Width: 3, Height: 1, X: 1, Spacing: 1}
	err := cp.Potential(context.Background(), gocuda.Default(), cp.Constant, p, atoms, out)
	fmt.Printf("%.4f %v\n", out, err)
	// Output: [0.6667 0.0000 -0.6667] <nil>
}
