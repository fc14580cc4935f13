package mrifhd_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/mri"
	"github.com/gocuda/gocuda/kernels/apps/mrifhd"
)

func ExampleFHD() {
	// One sample, at k = 1: a wave, times the conjugate of phi = 1+i.
	one, zero := []float32{1}, []float32{0}
	s := &mri.Samples{X: one, Y: zero, Z: zero, PhiRe: one, PhiIm: one, DataRe: one, DataIm: zero}
	v, err := mri.Grid(5, 1, 1, 0, 0, 0, 0.25)
	if err != nil {
		fmt.Println(err)
		return
	}
	re, im := make([]float32, 5), make([]float32, 5)
	err = mrifhd.FHD(context.Background(), gocuda.Default(), mri.Constant, s, v, re, im)
	for i := range re {
		fmt.Printf("%.1f%+.1fi ", re[i], im[i])
	}
	fmt.Println(err)
	// Output: 1.0-1.0i 1.0+1.0i -1.0+1.0i -1.0-1.0i 1.0-1.0i <nil>
}
