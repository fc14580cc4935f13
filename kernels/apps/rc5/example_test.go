package rc5_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/rc5"
)

func ExampleSearch() {
	// A text that begins with "The unkn", of which all but two bytes of the key are known.
	first, err := rc5.ParseKey("c90c0353c0d4e10000")
	if err != nil {
		fmt.Println(err)
		return
	}
	known := rc5.Known{
		IV:     [8]byte{0x07, 0xce, 0x59, 0x1f, 0x86, 0x14, 0x9a, 0x41},
		Plain:  [8]byte([]byte("The unkn")),
		Cipher: [8]byte{0x5a, 0x28, 0x2d, 0x56, 0x2a, 0x85, 0xb7, 0x2f},
	}
	fmt.Println(rc5.Search(context.Background(), gocuda.Default(), rc5.Shared, first, 1<<16, known))
	// Output: c90c0353c0d4e1fe85 true <nil>
}
