package fem_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/fem"
)

func ExampleBody_Step() {
	// A block falls.
	m, err := fem.Block(2, 2, 2, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := fem.New(m, []fem.Material{{Young: 100, Poisson: 0.25, Density: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range m.Nodes() {
		b.Load[3*i+2] = -10 * float32(b.Mass(i))
	}
	if err := b.Step(context.Background(), gocuda.Default(), fem.Gather, 0.01, 100); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.1f %.2f\n", b.V[2], b.U[2])
	// Output: -10.0 -5.05
}
