package main

import (
	"context"
	"slices"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

//gocuda:kernel
func reset(t *gocuda.Thread, x []int32, to int32) {
	if i := t.GlobalX(); i < len(x) {
		x[i] = to
	}
}

func TestPrefix(t *testing.T) {
	x := make([]int32, 40)
	ctx, cfg := context.Background(), grid.Linear(len(x), 64)
	if err := gocuda.Launch(ctx, cfg, resetKernel(x, 3)); err != nil {
		t.Fatal(err)
	}
	if err := gocuda.Launch(ctx, cfg, prefixKernel(x)); err != nil {
		t.Fatal(err)
	}
	want := make([]int32, len(x))
	for i := range want {
		want[i] = 3 * int32(i+1)
	}
	if !slices.Equal(x, want) {
		t.Fatal(x)
	}
}
