package serial

import "github.com/gocuda/gocuda/kernels/scan"

// Compact copies the elements of in for which p holds to the beginning of out, in their order, and
// returns how many there are: the reference of [scan.Compact].
func Compact[T any, P scan.Predicate[T]](p P, out, in []T) int {
	count := 0
	for _, v := range in {
		if p.Holds(v) {
			out[count] = v
			count++
		}
	}
	return count
}
