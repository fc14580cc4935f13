package serial

import (
	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/kernels"
)

// Sum returns the sum of in, from its first element to its last: the reference of [reduction.Sum].
func Sum[T atomic.Number](in []T) T {
	var s T
	for _, v := range in {
		s += v
	}
	return s
}

// Count returns how many elements of in are from low to high: the reference of [reduction.Count].
func Count[T kernels.Number](low, high T, in []T) int {
	count := 0
	for _, v := range in {
		if low <= v && v <= high {
			count++
		}
	}
	return count
}

// Reduce combines all elements of in, from the first to the last, beginning with the identity of op:
// the reference of [reduction.Reduce].
func Reduce[T any, O kernels.Operator[T]](op O, in []T) T {
	v := op.Identity()
	for _, u := range in {
		v = op.Combine(v, u)
	}
	return v
}
