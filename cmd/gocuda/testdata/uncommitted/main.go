package main

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// prefix adds to each element those before it, in a block.
//
//gocuda:kernel
func prefix(t *gocuda.Thread, x []int32) {
	s := gocuda.Shared[int32](t, 64)
	i := t.Rank()
	s[i] = 0
	if i < len(x) {
		s[i] = x[i]
	}
	for d := 1; d < 64; d *= 2 {
		t.SyncThreads()
		v := s[i]
		if i >= d {
			v += s[i-d]
		}
		t.SyncThreads()
		s[i] = v
	}
	if i < len(x) {
		x[i] = s[i]
	}
}

func main() {
	x := []int32{1, 1, 1, 0}
	if err := gocuda.Launch(context.Background(), grid.Linear(len(x), 64), prefixKernel(x)); err != nil {
		fmt.Println(err)
	}
	fmt.Println(x)
}
