package texture_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/texture"
	"github.com/gocuda/gocuda/mem"
)

func ExampleAddress() {
	row, out := []float32{1, 2, 3}, make([]float32, 9)
	for _, mode := range []mem.AddressMode{mem.AddressWrap, mem.AddressClamp, mem.AddressMirror, mem.AddressBorder} {
		desc := mem.TextureDesc{AddressMode: [3]mem.AddressMode{mode}, NormalizedCoords: true}
		window := texture.Window{X0: -1, X1: 2, Y1: 1}
		if err := texture.Address(context.Background(), gocuda.Default(), desc, window, 9, 1, out, 3, 1, row); err != nil {
			fmt.Println(err)
		}
		fmt.Println(out)
	}
	// Output:
	// [1 2 3 1 2 3 1 2 3]
	// [1 1 1 1 2 3 3 3 3]
	// [3 2 1 1 2 3 3 2 1]
	// [0 0 0 1 2 3 0 0 0]
}
