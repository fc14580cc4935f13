package streaming_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/streaming"
)

func ExampleSAXPY() {
	for _, method := range []streaming.Method{streaming.Copied, streaming.Asynchronous, streaming.Streams, streaming.Mapped} {
		x, y := []float32{1, 2, 3}, []float32{10, 20, 30}
		_, err := streaming.SAXPY(context.Background(), gocuda.Default(), method, streaming.Options{}, 2, x, y)
		fmt.Println(method, y, err)
	}
	// Output:
	// copied [12 24 36] <nil>
	// asynchronous [12 24 36] <nil>
	// streams [12 24 36] <nil>
	// mapped [12 24 36] <nil>
}
