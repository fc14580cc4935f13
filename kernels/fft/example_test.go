package fft_test

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/fft"
)

// A sine of three periods is found at frequency 3, and at -3.
func ExamplePlan_Transform() {
	x := make([]complex64, 16)
	for i := range x {
		x[i] = complex(float32(math.Sin(2*math.Pi*3*float64(i)/16)), 0)
	}
	p, err := fft.NewPlan(len(x))
	if err == nil {
		err = p.Transform(context.Background(), gocuda.Default(), fft.Forward, x, x)
	}
	if err != nil {
		fmt.Println(err)
	}
	for k, v := range x {
		if size := math.Hypot(float64(real(v)), float64(imag(v))); size > 0.001 {
			fmt.Printf("%d: %.1f\n", k, size)
		}
	}
	// Output:
	// 3: 8.0
	// 13: 8.0
}

// Two transforms of four points, forth and back.
func ExamplePlan_TransformSplit() {
	re, im := []float32{1, 2, 3, 4, 1, 0, 0, 0}, make([]float32, 8)
	p, err := fft.NewPlan(4)
	for _, dir := range []fft.Direction{fft.Forward, fft.Inverse} {
		if err == nil {
			err = p.TransformSplit(context.Background(), gocuda.Default(), dir, re, im, re, im)
		}
		fmt.Println(re, im, err)
	}
	// Output:
	// [10 -2 -2 -2 1 1 1 1] [0 2 0 -2 0 0 0 0] <nil>
	// [1 2 3 4 1 0 0 0] [0 0 0 0 0 0 0 0] <nil>
}

// With radix 2 a transform of eight points takes three launches.
func ExamplePlan_TransformPasses() {
	p, err := fft.NewPlanRadix(8, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	src, zeros := []float32{1, 1, 1, 1, 1, 1, 1, 1}, make([]float32, 8)
	re, im := make([]float32, 8), make([]float32, 8)
	err = p.TransformPasses(context.Background(), gocuda.Default(), fft.Forward, re, im, src, zeros)
	fmt.Println(re, im, err)
	// Output: [8 0 0 0 0 0 0 0] [0 0 0 0 0 0 0 0] <nil>
}
