// Package warps is a sum of each warp by shuffles, and a vote on it.
package warps

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func warpSums(t *gocuda.Thread, x, sums []float32, above []uint32) {
	v := x[t.GlobalX()]
	for d := 16; d > 0; d /= 2 {
		v += gocuda.ShflDownSync(t, gocuda.FullMask, v, d, 32)
	}
	v = gocuda.ShflSync(t, gocuda.FullMask, v, 0, 32)
	votes := t.BallotSync(gocuda.FullMask, x[t.GlobalX()]*32 > v)
	if t.LaneID() == 0 {
		w := t.GlobalX() / 32
		sums[w], above[w] = v, votes
	}
}
