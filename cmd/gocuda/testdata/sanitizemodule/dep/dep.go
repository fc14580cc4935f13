// Package dep has a kernel.
package dep

import "github.com/gocuda/gocuda/gocuda"

// Shift shifts.
func Shift(t *gocuda.Thread, s []int32) {
	i := t.ThreadIdx.X
	s[i] = s[(i+1)%len(s)] // want race WAR error 256
}
