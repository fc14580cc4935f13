package image_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/image"
)

// Edges by the Laplacian: 0 where the image is flat.
func ExampleConvolve2D() {
	in := []float32{
		1, 1, 1, 1,
		1, 1, 1, 1,
		1, 1, 9, 9,
		1, 1, 9, 9,
	}
	out := make([]float32, len(in))
	laplacian := []float32{
		0, 1, 0,
		1, -4, 1,
		0, 1, 0,
	}
	if err := image.Convolve2D(context.Background(), gocuda.Default(), image.Clamp, 4, 4, 3, 3, laplacian, out, in); err != nil {
		fmt.Println(err)
	}
	for y := range 4 {
		fmt.Println(out[4*y : 4*y+4])
	}
	// Output:
	// [0 0 0 0]
	// [0 0 8 8]
	// [0 8 -16 -8]
	// [0 8 -8 0]
}

func ExampleConvolve2DNaive() {
	in, out := []float32{1, 2, 3, 4}, make([]float32, 4)
	sum := []float32{1, 1, 1, 1, 1, 1, 1, 1, 1}
	if err := image.Convolve2DNaive(context.Background(), gocuda.Default(), image.Zero, 2, 2, 3, 3, sum, out, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out)
	// Output: [10 10 10 10]
}

func ExampleConvolve() {
	in := []float32{0, 0, 8, 0, 0, 4, 4, 4}
	out := make([]float32, len(in))
	smooth := []float32{0.25, 0.5, 0.25}
	for _, edge := range []image.Edge{image.Zero, image.Clamp, image.Wrap} {
		if err := image.Convolve(context.Background(), gocuda.Default(), edge, smooth, out, in); err != nil {
			fmt.Println(err)
		}
		fmt.Println(out, edge)
	}
	// Output:
	// [0 2 4 2 1 3 4 3] zero
	// [0 2 4 2 1 3 4 4] clamp
	// [1 2 4 2 1 3 4 3] wrap
}

func ExampleConvolveNaive() {
	in, out := []float32{1, 4, 9, 16, 25}, make([]float32, 5)
	if err := image.ConvolveNaive(context.Background(), gocuda.Default(), image.Clamp, []float32{1, -1, 0}, out, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out)
	// Output: [3 5 7 9 0]
}

func ExampleCorrelate() {
	picture := []uint8{
		10, 10, 10, 10, 10,
		10, 10, 50, 90, 10,
		10, 10, 90, 50, 10,
		10, 10, 10, 10, 10,
	}
	template := []uint8{ // in another light
		1, 2,
		2, 1,
	}
	out := make([]float32, 4*3)
	if err := image.Correlate(context.Background(), gocuda.Default(), 5, 4, 2, 2, out, picture, template); err != nil {
		fmt.Println(err)
	}
	for y := range 3 {
		fmt.Printf("%5.2f\n", out[4*y:4*y+4])
	}
	fmt.Println(image.BestMatch(5, 2, out))
	// Output:
	// [ 0.00 -0.58 -0.30  0.58]
	// [ 0.00 -0.30  1.00 -0.30]
	// [ 0.00  0.58 -0.30 -0.58]
	// 2 1 1
}

func ExampleCorrelateNaive() {
	row, template := []uint8{3, 1, 2, 3, 3, 1}, []uint8{10, 20, 30}
	out := make([]float32, 4)
	if err := image.CorrelateNaive(context.Background(), gocuda.Default(), 6, 1, 3, 1, out, row, template); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.2f\n", out)
	// Output: [-0.50 1.00 0.87 -0.87]
}

func ExampleGaussian() {
	f, err := image.Gaussian(2, 0.8)
	fmt.Printf("%.3f %v\n", f, err)
	// Output: [0.022 0.229 0.499 0.229 0.022] <nil>
}

func ExampleBox() {
	fmt.Println(image.Box(2))
	// Output: [0.2 0.2 0.2 0.2 0.2] <nil>
}

func ExampleConvolveSeparable() {
	in := []float32{
		0, 0, 0, 0,
		0, 16, 0, 0,
		0, 0, 0, 0,
	}
	out := make([]float32, len(in))
	smooth := []float32{0.25, 0.5, 0.25}
	if err := image.ConvolveSeparable(context.Background(), gocuda.Default(), image.Clamp, 4, 3, smooth, smooth, out, in); err != nil {
		fmt.Println(err)
	}
	for y := range 3 {
		fmt.Println(out[4*y : 4*y+4])
	}
	// Output:
	// [1 2 1 0]
	// [2 4 2 0]
	// [1 2 1 0]
}

func ExampleConvolveSeparableNaive() {
	in := []float32{
		1, 1, 2,
		1, 1, 2,
	}
	out := make([]float32, len(in))
	slope, keep := []float32{0.5, 0, -0.5}, []float32{1}
	if err := image.ConvolveSeparableNaive(context.Background(), gocuda.Default(), image.Clamp, 3, 2, slope, keep, out, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out)
	// Output: [0 0.5 0.5 0 0.5 0.5]
}
