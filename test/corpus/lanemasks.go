//go:build compiled

package corpus

import (
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// The masks of lanes: the thread's own, those below it and those above.

// All of them at once, also in warps that are not full.
//
//gocuda:kernel
func lkAll(t *gocuda.Thread, in, out []uint32) {
	i := t.GridDim.Linear(t.BlockIdx)*t.BlockDim.Size() + t.Rank()
	v := in[i]
	v += t.LanemaskEQ() * 3
	v += t.LanemaskLT() * 5
	v ^= t.LanemaskLE() * 7
	v += t.LanemaskGT() * 11
	v ^= t.LanemaskGE() * 13
	out[i] = v
}

func lkAllWant(cfg grid.Config, in, out []uint32) {
	n := cfg.Threads()
	for i := range out {
		var eq, lt, le, gt, ge uint32
		for lane := range 32 {
			bit, own := uint32(1)<<lane, i%n%32
			if lane == own {
				eq |= bit
			}
			if lane < own {
				lt |= bit
			}
			if lane <= own {
				le |= bit
			}
			if lane > own {
				gt |= bit
			}
			if lane >= own {
				ge |= bit
			}
		}
		v := in[i]
		v += eq * 3
		v += lt * 5
		v ^= le * 7
		v += gt * 11
		v ^= ge * 13
		out[i] = v
	}
}

// Elements that are odd move to the front of their warp, the others behind them: the place of each
// is how many before it go the same way.
//
//gocuda:kernel
func lkSplit(t *gocuda.Thread, in, out []uint32) {
	i := t.GlobalX()
	odd := in[i]&1 != 0
	ballot := t.BallotSync(gocuda.FullMask, odd)
	first := i - t.LaneID()
	if odd {
		out[first+bits.OnesCount32(ballot&t.LanemaskLT())] = in[i]
	} else {
		out[first+bits.OnesCount32(ballot)+bits.OnesCount32(^ballot&t.LanemaskLT())] = in[i]
	}
}

func lkSplitWant(cfg grid.Config, in, out []uint32) {
	n := cfg.Threads()
	for block := 0; block < len(in); block += n {
		for warp := block; warp < block+n; warp += 32 {
			k := warp
			for odd := uint32(1); odd < 2; odd-- {
				for _, v := range in[warp:min(warp+32, block+n)] {
					if v&1 == odd {
						out[k] = v
						k++
					}
				}
			}
		}
	}
}

// In a loop with an end of each thread's own, behind a condition.
//
//gocuda:kernel
func lkLoop(t *gocuda.Thread, n int, in, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var v uint32
	for k := range in[i] % 7 {
		if t.LanemaskGE()>>(k*3)&1 != 0 {
			v += t.LanemaskEQ()>>k + k
		}
	}
	out[i] = v
}

func lkLoopWant(cfg grid.Config, in, out []uint32) {
	for i := range out {
		lane := uint32(i%cfg.Threads()) % 32
		var v uint32
		for k := range in[i] % 7 {
			if k*3 >= lane {
				if k <= lane {
					v += 1 << (lane - k)
				}
				v += k
			}
		}
		out[i] = v
	}
}

var laneMaskCases = []Case{
	perThread("lanemasks", []grid.Config{line(3, 1), line(5, 32), line(3, 100), {Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 5, Y: 7, Z: 2}}, line(2, 1024)}, lkAll, lkAllKernel, lkAllWant),
	perThread("lanemasks split", []grid.Config{line(3, 1), line(5, 32), line(3, 100), line(2, 1024)}, lkSplit, lkSplitKernel, lkSplitWant),
	guarded("lanemasks loop", []grid.Config{line(3, 17), line(5, 32), line(3, 100), line(2, 512)}, lkLoop, lkLoopKernel, lkLoopWant),
}
