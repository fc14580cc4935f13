package tpacf

import (
	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// A comparison with every edge. A pair at an angle below that of edge k is below that of all later
// edges too, so the thread counts for each edge the pairs within it, in a register, and the host
// takes differences. That is more comparisons than a binary search has, 21 for 5, but each is one
// instruction for a vector of pairs, and no thread waits for another.
//
// 21 counters and what else there is fit in 32 registers. The counters are variables and not an
// array, since arrays are in memory. With more edges than that there are several launches.

const (
	thresholdThreads = 64 // of a block
	edgesAtOnce      = 21
)

// thresholds adds to counts[k] the pairs whose scalar product is at least cosines[k], of
// edgesAtOnce of them. A point meets all of the other catalogue, or with self those before it in
// its own.
//
//gocuda:kernel fastmath
func thresholds[T kernels.Float](t *gocuda.Thread, self bool, ax, ay, az, bx, by, bz, cosines []T, counts []uint64) {
	sums := gocuda.Shared[int32](t, edgesAtOnce*thresholdThreads)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	var c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20 int32
	if i < len(ax) {
		x, y, z := ax[i], ay[i], az[i]
		meet := func(j int) {
			dot := x*bx[j] + y*by[j] + z*bz[j]
			if dot >= cosines[0] {
				c0++
			}
			if dot >= cosines[1] {
				c1++
			}
			if dot >= cosines[2] {
				c2++
			}
			if dot >= cosines[3] {
				c3++
			}
			if dot >= cosines[4] {
				c4++
			}
			if dot >= cosines[5] {
				c5++
			}
			if dot >= cosines[6] {
				c6++
			}
			if dot >= cosines[7] {
				c7++
			}
			if dot >= cosines[8] {
				c8++
			}
			if dot >= cosines[9] {
				c9++
			}
			if dot >= cosines[10] {
				c10++
			}
			if dot >= cosines[11] {
				c11++
			}
			if dot >= cosines[12] {
				c12++
			}
			if dot >= cosines[13] {
				c13++
			}
			if dot >= cosines[14] {
				c14++
			}
			if dot >= cosines[15] {
				c15++
			}
			if dot >= cosines[16] {
				c16++
			}
			if dot >= cosines[17] {
				c17++
			}
			if dot >= cosines[18] {
				c18++
			}
			if dot >= cosines[19] {
				c19++
			}
			if dot >= cosines[20] {
				c20++
			}
		}
		if self {
			for j := range i {
				meet(j)
			}
		} else {
			for j := range bx {
				meet(j)
			}
		}
	}
	sums[tid] = c0
	sums[thresholdThreads+tid] = c1
	sums[2*thresholdThreads+tid] = c2
	sums[3*thresholdThreads+tid] = c3
	sums[4*thresholdThreads+tid] = c4
	sums[5*thresholdThreads+tid] = c5
	sums[6*thresholdThreads+tid] = c6
	sums[7*thresholdThreads+tid] = c7
	sums[8*thresholdThreads+tid] = c8
	sums[9*thresholdThreads+tid] = c9
	sums[10*thresholdThreads+tid] = c10
	sums[11*thresholdThreads+tid] = c11
	sums[12*thresholdThreads+tid] = c12
	sums[13*thresholdThreads+tid] = c13
	sums[14*thresholdThreads+tid] = c14
	sums[15*thresholdThreads+tid] = c15
	sums[16*thresholdThreads+tid] = c16
	sums[17*thresholdThreads+tid] = c17
	sums[18*thresholdThreads+tid] = c18
	sums[19*thresholdThreads+tid] = c19
	sums[20*thresholdThreads+tid] = c20
	t.SyncThreads()
	if tid < edgesAtOnce {
		var sum uint64
		for j := range thresholdThreads {
			sum += uint64(sums[tid*thresholdThreads+j])
		}
		atomic.Add(&counts[tid], sum)
	}
}
