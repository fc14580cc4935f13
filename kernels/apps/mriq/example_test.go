package mriq_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/mri"
	"github.com/gocuda/gocuda/kernels/apps/mriq"
)

func ExampleQ() {
	// Two samples at k = ±1 give 2 cos(2 pi x).
	zero := []float32{0, 0}
	s := &mri.Samples{X: []float32{1, -1}, Y: zero, Z: zero, PhiRe: []float32{1, 1}, PhiIm: zero}
	v, err := mri.Grid(5, 1, 1, 0, 0, 0, 0.25)
	if err != nil {
		fmt.Println(err)
		return
	}
	re, im := make([]float32, 5), make([]float32, 5)
	err = mriq.Q(context.Background(), gocuda.Default(), mri.Constant, s, v, re, im)
	fmt.Printf("%.3f %v\n", re, err)
	// Output: [2.000 0.000 -2.000 0.000 2.000] <nil>
}
