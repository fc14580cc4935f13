//go:build fast

package lib

import "github.com/gocuda/gocuda/gocuda"

// Sum sums a block into out[0].
func Sum(t *gocuda.Thread, a, out []int32) {
	out[0] += a[t.ThreadIdx.X] // want race WAW error 4
}
