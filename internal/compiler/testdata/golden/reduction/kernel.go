// Package reduction is a tree in shared memory: barriers in a loop whose bounds are the same for all threads,
// and guards in it that become bounds.
package reduction

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func sum(t *gocuda.Thread, in, out []float32) {
	s := gocuda.Shared[float32](t, 256)
	tid := t.ThreadIdx.X
	s[tid] = in[t.GlobalX()]
	t.SyncThreads()
	for d := t.BlockDim.X / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		out[t.BlockIdx.X] = s[0]
	}
}
