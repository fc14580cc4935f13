package stats_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/stats"
)

func ExampleKMeans() {
	// Four points on a line, and two centres that begin at the first two.
	points, centres, labels := []float32{0, 1, 10, 11}, []float32{0, 1}, make([]int32, 4)
	c, err := stats.KMeans(context.Background(), gocuda.Default(), 1, 100, points, centres, labels)
	fmt.Printf("%+v %v\n", c, err)
	fmt.Println(centres, labels)
	// Output:
	// {Rounds:2 Stable:true Inertia:1} <nil>
	// [0.5 10.5] [0 0 1 1]
}

func ExampleKMeansPlusPlus() {
	// Two coordinates: first x of all points, then y.
	points := []float32{
		0, 1, 100, 101,
		0, 1, 100, 99,
	}
	const dims = 2
	centres, labels := make([]float32, 2*dims), make([]int32, 4)
	if err := stats.KMeansPlusPlus(context.Background(), gocuda.Default(), 1, dims, points, centres); err != nil {
		fmt.Println(err)
	}
	if _, err := stats.KMeans(context.Background(), gocuda.Default(), dims, 10, points, centres, labels); err != nil {
		fmt.Println(err)
	}
	fmt.Println(labels[0] == labels[1], labels[2] == labels[3], labels[0] == labels[2])
	// Output: true true false
}

func ExamplePi() {
	pi, err := stats.Pi(context.Background(), gocuda.Default(), 1, 10_000_000)
	fmt.Printf("%.2f %v\n", pi, err)
	// Output: 3.14 <nil>
}
