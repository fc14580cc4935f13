package tpacf_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/tpacf"
)

func ExampleCorrelate() {
	// Three pairs half a degree apart, and points on a ring for chance.
	data, err := tpacf.NewCatalogue[float64]([]float64{0, 0.5, 100, 100.5, 200, 200.5}, make([]float64, 6))
	if err != nil {
		fmt.Println(err)
		return
	}
	ring := make([]float64, 360)
	for i := range ring {
		ring[i] = float64(i)
	}
	random, err := tpacf.NewCatalogue[float64](ring, make([]float64, 360))
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := tpacf.Correlate(context.Background(), gocuda.Default(), tpacf.Thresholds, []float64{10, 80}, data, []tpacf.Catalogue[float64]{random})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.DD, c.DR, c.RR)
	fmt.Printf("%.3f\n", c.W[0])
	// Output:
	// [3] [12] [360]
	// 34.906
}
