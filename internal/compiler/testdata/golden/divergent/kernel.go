// Package divergent is a loop that neighbouring threads leave in different rounds.
package divergent

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func collatz(t *gocuda.Thread, x, steps []int32, limit int32) {
	i := t.GlobalX()
	if i >= len(x) {
		return
	}
	v, n := x[i], int32(0)
	for v != 1 {
		if n == limit {
			n = -1
			break
		}
		if v&1 == 0 {
			v >>= 1
		} else {
			v = 3*v + 1
		}
		n++
	}
	steps[i] = n
}
