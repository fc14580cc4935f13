package tpacf

import (
	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// A binary search over the edges (Ryoo et al., tables 2 and 3). A tile of the other catalogue and
// the edges are in shared memory, and so is a histogram for each thread: the GeForce 8800 has no
// atomic operations on shared memory. The counters of a bin are neighbours, so threads of a warp
// write to different banks whatever their bins are. That takes 52 bytes of shared memory a thread
// there, which is what limits the number of threads, and 49 words for the most edges here.

const (
	searchThreads = 64 // of a block, and points of a tile
	searchEdges   = 48 // at most, so that 16 KiB of shared memory are enough for float64 too
)

// search adds to counts[k] the pairs whose scalar product is below k of the cosines, which descend.
// A point meets all of the other catalogue, or with self those before it in its own.
//
//gocuda:kernel fastmath
func search[T kernels.Float](t *gocuda.Thread, self bool, ax, ay, az, bx, by, bz, cosines []T, counts []uint64) {
	sx, sy, sz := gocuda.Shared[T](t, searchThreads), gocuda.Shared[T](t, searchThreads), gocuda.Shared[T](t, searchThreads)
	edges := gocuda.Shared[T](t, searchEdges)
	bins := gocuda.Shared[uint32](t, (searchEdges+1)*searchThreads)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	if tid < len(cosines) {
		edges[tid] = cosines[tid]
	}
	for k := range len(cosines) + 1 {
		bins[k*searchThreads+tid] = 0
	}
	var x, y, z T
	if i < len(ax) {
		x, y, z = ax[i], ay[i], az[i]
	}
	end := len(bx)
	if self {
		end = min(end, (t.BlockIdx.X+1)*searchThreads) // no point of the block meets later ones
	}
	for first := 0; first < end; first += searchThreads {
		if j := first + tid; j < len(bx) {
			sx[tid], sy[tid], sz[tid] = bx[j], by[j], bz[j]
		}
		t.SyncThreads()
		if i < len(ax) {
			others := min(searchThreads, len(bx)-first)
			if self {
				others = min(others, i-first)
			}
			for j := 0; j < others; j++ {
				dot := x*sx[j] + y*sy[j] + z*sz[j]
				low, high := 0, len(cosines)
				for low < high {
					middle := (low + high) / 2
					if dot >= edges[middle] {
						high = middle
					} else {
						low = middle + 1
					}
				}
				bins[low*searchThreads+tid]++
			}
		}
		t.SyncThreads()
	}
	for k := tid; k <= len(cosines); k += searchThreads {
		var sum uint64
		for j := range searchThreads {
			sum += uint64(bins[k*searchThreads+j])
		}
		atomic.Add(&counts[k], sum)
	}
}
