//go:build compiled

package corpus

import "github.com/gocuda/gocuda/gocuda"

// Kernels with operations that came with a generation of GPUs.

//gocuda:kernel
func wallsShuffle(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	out[i] = gocuda.ShflDownSync(t, gocuda.FullMask, in[i], 1, 32)
}

//gocuda:kernel
func wallsBallot(t *gocuda.Thread, in, out []int32) {
	i := t.GlobalX()
	out[i] = int32(t.BallotSync(gocuda.FullMask, in[i] > 0))
}
