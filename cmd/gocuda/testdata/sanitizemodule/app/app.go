// Command app reverses.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"user/lib"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

func main() {
	a := []int32{1, 2, 3, 4}
	err := gocuda.Launch(context.Background(), grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 4}}, lib.Kernel(a, lib.Reverse[int32]{Wait: len(os.Args) > 1}))
	fmt.Println(a, err, os.Args[1:])
	out := make([]int32, 6)
	err = gocuda.LaunchFunc(context.Background(), grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1}}, func(t *gocuda.Thread) {
		lib.Order(t, []int32{1, 20, 300, 4000, 50000}, out)
	})
	fmt.Println(out, err)
	var texts []string
	err = gocuda.LaunchFunc(context.Background(), grid.Config{Grid: grid.Dim3{X: 1}, Block: grid.Dim3{X: 1}}, func(t *gocuda.Thread) {
		texts = lib.Panics(t, a)
	})
	fmt.Println(strings.Join(texts, "\n"), err)
}
