package serial

import "github.com/gocuda/gocuda/kernels"

// Add sets sum[i] to a[i] + b[i], as [kernels.Add] does.
func Add[T kernels.Number](sum, a, b []T) {
	for i := range sum {
		sum[i] = a[i] + b[i]
	}
}

// MatAdd sets c to a + b, as [dense.Add] does. All are matrices of rows by cols elements.
func MatAdd(rows, cols int, a, b, c []float32) {
	for i := range rows * cols {
		c[i] = a[i] + b[i]
	}
}
