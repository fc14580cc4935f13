package serial

import "github.com/gocuda/gocuda/kernels"

// SAXPY sets y to a x + y: the loop that [kernels.SAXPY] replaces.
func SAXPY[T kernels.Float](a T, x, y []T) {
	for i := range y {
		y[i] = a*x[i] + y[i]
	}
}
