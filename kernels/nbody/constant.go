package nbody

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/mem"
)

// Chunks in constant memory (The CUDA Handbook, 14.4). Constant memory is for what all threads of a
// warp read at the same time, which is how bodies are read here, and it needs neither tiles nor
// barriers. But it has 64 KiB, room for 4096 bodies of float32. So there is a copy and a launch for
// each chunk of bodies, which adds to what the launches before it left.

// constant is the program of one thread: one body, and the bodies of a chunk. The first chunk
// begins the sums.
//
//gocuda:kernel fastmath
func constant[T kernels.Float](t *gocuda.Thread, first bool, eps2 T, own []Body[T], chunk mem.ReadOnly[Body[T]], acc []kernels.Vec3[T]) {
	if i := t.GlobalX(); i < len(own) {
		me := own[i]
		var a kernels.Vec3[T]
		if !first {
			a = acc[i]
		}
		for j := range chunk.Len() {
			x, y, z := pull(me, chunk.At(j), eps2)
			a.X += x
			a.Y += y
			a.Z += z
		}
		acc[i] = a
	}
}
