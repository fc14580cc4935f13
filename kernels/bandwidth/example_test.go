package bandwidth_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/bandwidth"
)

func ExampleRead() {
	in := []uint16{1, 2, 3, 4, 5, 6, 7}
	sums := make([]uint16, bandwidth.Sums(len(in), 3, 1)) // each of so few words has a thread of its own
	if err := bandwidth.Read(context.Background(), gocuda.Default(), 3, 1, sums, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(sums)
	// Output: [2 5]
}
