package reduction_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/reduction"
)

// moments are what mean and variance are made of: the example of The CUDA Handbook's section 12.6,
// in whole numbers.
type moments struct{ n, sum, squares int64 }

func (moments) Identity() moments { return moments{} }

func (moments) Combine(a, b moments) moments {
	return moments{a.n + b.n, a.sum + b.sum, a.squares + b.squares}
}

func ExampleSum() {
	in := []float32{3, 1, 4, 1, 5, 9, 2, 6}
	out := make([]float32, 1)
	if err := reduction.Sum(context.Background(), gocuda.Default(), reduction.TwoPass, out, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out[0])
	// Output: 31
}

func ExampleCount() {
	in := []float32{3, 1, 4, 1, 5, 9, 2, 6}
	out := make([]int, 1)
	err := reduction.Count(context.Background(), gocuda.Default(), reduction.Counters, 2, 5, out, in)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(out[0], "are from 2 to 5")
	// Output: 4 are from 2 to 5
}

func ExampleMax() {
	in := []float32{3, 1, 4, 1, 5, 9, 2, 6}
	out := make([]float32, 1)
	if err := reduction.Max(context.Background(), gocuda.Default(), out, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out[0])
	// Output: 9
}

func ExampleMin() {
	in := []float32{3, 1, 4, 1, 5, 9, 2, 6}
	out := make([]float32, 1)
	if err := reduction.Min(context.Background(), gocuda.Default(), out, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out[0])
	// Output: 1
}

func ExampleReduce() {
	// The moments of 1, 2, 3 and 4, each with its square.
	in := []moments{{1, 1, 1}, {1, 2, 4}, {1, 3, 9}, {1, 4, 16}}
	out := make([]moments, 1)
	if err := reduction.Reduce(context.Background(), gocuda.Default(), moments{}, out, in); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%d numbers, sum %d, squares %d\n", out[0].n, out[0].sum, out[0].squares)
	// Output: 4 numbers, sum 10, squares 30
}
