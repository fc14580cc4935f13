// Package generic is one kernel for several types of elements.
package generic

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func clamp[T ~float32 | ~float64](t *gocuda.Thread, x []T, lo, hi T) {
	i := t.GlobalX()
	if i < len(x) {
		x[i] = min(max(x[i], lo), hi) / 2
	}
}
