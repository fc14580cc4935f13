package lib_test

import (
	"context"
	"testing"

	"example.com/dep"
	"user/lib"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func launch(t *testing.T, n int, k gocuda.Kernel) {
	if err := gocuda.Launch(context.Background(), grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: n}}, k); err != nil {
		t.Error(err)
	}
}

func TestRight(t *testing.T) {
	t.Parallel()
	launch(t, 64, lib.Kernel(make([]int32, 64), lib.Reverse[int32]{Wait: true}))
}

func TestRightFloat(t *testing.T) {
	t.Parallel()
	launch(t, 64, lib.Kernel(make([]float64, 64), lib.Reverse[float64]{Wait: true}))
}

func TestWrong(t *testing.T) {
	t.Parallel()
	launch(t, 64, lib.Kernel(make([]float64, 64), lib.Reverse[float64]{}))
}

func TestSum(t *testing.T) {
	t.Parallel()
	a, out := make([]int32, 64), make([]int32, 1)
	launch(t, 64, gocuda.ThreadFunc(func(t *gocuda.Thread) { lib.Sum(t, a, out) }))
}

func TestDep(t *testing.T) {
	t.Parallel()
	a := make([]int32, 64)
	launch(t, 64, gocuda.ThreadFunc(func(t *gocuda.Thread) { dep.Shift(t, a) }))
}

func TestOwn(t *testing.T) {
	t.Parallel()
	for range 3 {
		a := make([]int32, 64)
		launch(t, 64, gocuda.ThreadFunc(func(t *gocuda.Thread) { a[t.ThreadIdx.X]++ }))
		a[0]++
	}
}
