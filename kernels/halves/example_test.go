package halves_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/halves"
)

func ExampleConvert() {
	// One and a half, a third, the largest half and what is beyond it, and two numbers in the
	// middle of halves.
	in := []float32{1.5, 1. / 3, 65519, 65520, 2049, 2051}
	out := make([]uint16, len(in))
	if err := halves.Convert(context.Background(), gocuda.Default(), out, in); err != nil {
		fmt.Println(err)
	}
	for i, h := range out {
		fmt.Printf("%v %04x %v\n", in[i], h, device.Half2Float(device.Half(h)))
	}
	// Output:
	// 1.5 3e00 1.5
	// 0.33333334 3555 0.33325195
	// 65519 7bff 65504
	// 65520 7c00 +Inf
	// 2049 6800 2048
	// 2051 6802 2052
}
