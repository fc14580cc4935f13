// Package fallback is kernels that stay on coroutines, beside one that does not.
package fallback

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func background(t *gocuda.Thread, x []int) {
	go func() { x[t.GlobalX()] = 1 }()
}

//gocuda:kernel
func translated(t *gocuda.Thread, x []int) {
	x[t.GlobalX()]++
}

func depth(t *gocuda.Thread, n int) int {
	if n == 0 {
		return t.Rank()
	}
	return depth(t, n-1)
}

//gocuda:kernel
func recursive(t *gocuda.Thread, x []int) {
	x[t.GlobalX()] = depth(t, 3)
}
