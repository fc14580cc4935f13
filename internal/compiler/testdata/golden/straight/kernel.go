// Package straight is a map: every thread has its element, and the guard becomes the bound of a loop.
package straight

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func saxpy(t *gocuda.Thread, a float32, x, y []float32, n int) {
	i := t.GlobalX()
	if i < n {
		y[i] = a*x[i] + y[i]
	}
}
