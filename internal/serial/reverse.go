package serial

import "github.com/gocuda/gocuda/kernels"

// Reverse reverses v in place, as [kernels.Reverse] does.
func Reverse[T kernels.Number](v []T) {
	for i, j := 0, len(v)-1; i < j; i, j = i+1, j-1 {
		v[i], v[j] = v[j], v[i]
	}
}
