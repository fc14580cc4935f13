//go:build compiled

package corpus

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Warp operations in groups of a width that only the run knows, and with masks that may or may not
// name the whole warp: from an argument, from a ballot, and of the lanes that are active.

//gocuda:kernel types=int32,float64
func wkWidth[T word](t *gocuda.Thread, width, by int, in, out []T) {
	i := t.GlobalX()
	v := in[i]
	v = v*3 + gocuda.ShflSync(t, gocuda.FullMask, v, by, width)
	v = v*3 + gocuda.ShflUpSync(t, gocuda.FullMask, v, by, width)
	v = v*3 + gocuda.ShflDownSync(t, gocuda.FullMask, v, 1, width)
	for d := width / 2; d > 0; d /= 2 {
		v += gocuda.ShflXorSync(t, gocuda.FullMask, v, d, width)
	}
	out[i] = v
}

func wkWidthWant[T word](width, by int) func(cfg grid.Config, in, out []T) {
	return func(cfg grid.Config, in, out []T) {
		copy(out, in)
		step := func(f int, from func(i int) int) {
			perWarp(cfg, slices.Clone(out), func(first int, warp []T) {
				for lane, v := range warp {
					out[first+lane] = T(v*T(f)) + warp[from(first+lane)]
				}
			})
		}
		step(3, func(i int) int { return wvFrom("", i%32, by%32, width) })
		step(3, func(i int) int { return wvFrom("up", i%32, by%32, width) })
		step(3, func(i int) int { return wvFrom("down", i%32, 1, width) })
		for d := width / 2; d > 0; d /= 2 {
			step(1, func(i int) int { return wvFrom("xor", i%32, d, width) })
		}
	}
}

// Each lane reads where it wants.
//
//gocuda:kernel types=int64,float64
func wkWidthOwn[T word](t *gocuda.Thread, width int, in, out []T) {
	i := t.GlobalX()
	out[i] = in[i] + gocuda.ShflSync(t, gocuda.FullMask, in[i]*3, i*5, width)
}

func wkWidthOwnWant[T word](width int) func(cfg grid.Config, in, out []T) {
	return func(cfg grid.Config, in, out []T) {
		perWarp(cfg, in, func(first int, warp []T) {
			for lane, v := range warp {
				out[first+lane] = v + T(3*warp[wvFrom("", lane, (first+lane)*5%32, width)])
			}
		})
	}
}

// A width of its own for each half of the kernel, the second in a branch that all lanes of the grid
// take, or none.
//
//gocuda:kernel
func wkTwoWidths(t *gocuda.Thread, first, second int, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	v += gocuda.ShflDownSync(t, gocuda.FullMask, v*3, 2, first)
	if second > 0 {
		v += gocuda.ShflUpSync(t, gocuda.FullMask, v*5, 1, second)
	}
	out[i] = v
}

func wkTwoWidthsWant(first, second int) func(cfg grid.Config, in, out []int32) {
	return func(cfg grid.Config, in, out []int32) {
		perWarp(cfg, in, func(at int, warp []int32) {
			for lane, v := range warp {
				out[at+lane] = v + 3*warp[wvFrom("down", lane, 2, first)]
			}
		})
		if second == 0 {
			return
		}
		perWarp(cfg, slices.Clone(out), func(at int, warp []int32) {
			for lane, v := range warp {
				out[at+lane] = v + 5*warp[wvFrom("up", lane, 1, second)]
			}
		})
	}
}

// The lanes of an argument.
//
//gocuda:kernel
func wkMask(t *gocuda.Thread, mask uint32, in, out []int32) {
	i := t.GlobalX()
	v := in[i]
	if mask>>t.LaneID()&1 != 0 {
		v += gocuda.ShflSync(t, mask, v, bits.TrailingZeros32(mask), 32)
		v = v*3 + gocuda.ReduceMaxSync(t, mask, v)
		if t.AnySync(mask, v > 1000) {
			v++
		}
	}
	out[i] = v
}

func wkMaskWant(mask uint32) func(cfg grid.Config, in, out []int32) {
	return func(cfg grid.Config, in, out []int32) {
		copy(out, in)
		perWarp(cfg, in, func(first int, warp []int32) {
			on := wkLanes(mask)
			for _, lane := range on {
				out[first+lane] += warp[on[0]]
			}
			most := int32(-1 << 31)
			for _, lane := range on {
				most = max(most, out[first+lane])
			}
			more := int32(0)
			for _, lane := range on {
				out[first+lane] = out[first+lane]*3 + most
				if out[first+lane] > 1000 {
					more = 1
				}
			}
			for _, lane := range on {
				out[first+lane] += more
			}
		})
	}
}

// wkLanes lists the lanes of a mask.
func wkLanes(mask uint32) (list []int) {
	for lane := range 32 {
		if mask>>lane&1 != 0 {
			list = append(list, lane)
		}
	}
	return list
}

// A mask for whole rows only.
//
//gocuda:kernel
func wkMaskAll(t *gocuda.Thread, mask uint32, in, out []float32) {
	i := t.GlobalX()
	v := in[i]
	for d := 16; d > 0; d /= 2 {
		v += gocuda.ShflXorSync(t, mask, v, d, 32)
	}
	out[i] = v
}

// The lanes that have an element, by a ballot: all of them in most warps. A lane reads from lanes
// that have none as well if it has none of its own that it could read, so that sums go to lane 0 by
// way of lanes that exist only.
//
//gocuda:kernel
func wkBallot(t *gocuda.Thread, n int, in, out []int32) {
	i, lane := t.GlobalX(), t.LaneID()
	some := t.BallotSync(gocuda.FullMask, i < n)
	if i < n {
		v := in[i]
		for d := 1; d < 32; d *= 2 {
			up := gocuda.ShflUpSync(t, some, v, d, 32)
			if lane >= d {
				v += up
			}
		}
		out[i] = v + gocuda.ShflSync(t, some, v, bits.Len32(some)-1, 32)
	}
}

// The mask is kept across a barrier.
//
//gocuda:kernel
func wkBallotKept(t *gocuda.Thread, n int, in, out []int32) {
	tile := gocuda.Shared[int32](t, t.BlockDim.X)
	i, x := t.GlobalX(), t.ThreadIdx.X
	some := t.BallotSync(gocuda.FullMask, i < n)
	tile[x] = in[i]
	t.SyncThreads()
	v := tile[t.BlockDim.X-1-x]
	if i < n {
		v += gocuda.ShflSync(t, some, v*7, 0, 32)
	}
	out[i] = v
}

// As many lanes are active as take the branch: all, some, one or none.
//
//gocuda:kernel
func wkActive(t *gocuda.Thread, least int32, in, out []int32) {
	i, lane := t.GlobalX(), t.LaneID()
	r := int32(0)
	if in[i] >= least {
		active := t.ActiveMask()
		same := active
		leader := bits.TrailingZeros32(active)
		at := int32(0)
		if lane == leader {
			at = int32(1000 * bits.OnesCount32(active))
		}
		at = gocuda.ShflSync(t, same, at, leader, 32)
		r = at + int32(bits.OnesCount32(active&(1<<lane-1)))
	}
	out[i] = r
}

func wkActiveWant(least int32) func(cfg grid.Config, in, out []int32) {
	return func(cfg grid.Config, in, out []int32) {
		perWarp(cfg, in, func(first int, warp []int32) {
			count := int32(0)
			for lane, v := range warp {
				out[first+lane] = 0
				if v >= least {
					out[first+lane] = count
					count++
				}
			}
			for lane, v := range warp {
				if v >= least {
					out[first+lane] += 1000 * count
				}
			}
		})
	}
}

func wkCases() []Case {
	var list []Case
	for _, width := range []int{1, 2, 4, 8, 16, 32} {
		list = append(list,
			perThread(fmt.Sprint("wkWidth-int32 ", width), warps,
				func(t *gocuda.Thread, in, out []int32) { wkWidth(t, width, width/2+1, in, out) },
				func(in, out []int32) gocuda.Kernel { return wkWidthKernel(width, width/2+1, in, out) }, wkWidthWant[int32](width, width/2+1)),
			perThread(fmt.Sprint("wkWidth-float64 ", width), warps,
				func(t *gocuda.Thread, in, out []float64) { wkWidth(t, width, 37, in, out) },
				func(in, out []float64) gocuda.Kernel { return wkWidthKernel(width, 37, in, out) }, wkWidthWant[float64](width, 37)),
			perThread(fmt.Sprint("wkWidthOwn-int64 ", width), warps,
				func(t *gocuda.Thread, in, out []int64) { wkWidthOwn(t, width, in, out) },
				func(in, out []int64) gocuda.Kernel { return wkWidthOwnKernel(width, in, out) }, wkWidthOwnWant[int64](width)),
			perThread(fmt.Sprint("wkWidthOwn-float64 ", width), warps,
				func(t *gocuda.Thread, in, out []float64) { wkWidthOwn(t, width, in, out) },
				func(in, out []float64) gocuda.Kernel { return wkWidthOwnKernel(width, in, out) }, wkWidthOwnWant[float64](width)))
		for _, second := range []int{0, 8} {
			list = append(list, perThread(fmt.Sprint("wkTwoWidths ", width, second), warps,
				func(t *gocuda.Thread, in, out []int32) { wkTwoWidths(t, width, second, in, out) },
				func(in, out []int32) gocuda.Kernel { return wkTwoWidthsKernel(width, second, in, out) }, wkTwoWidthsWant(width, second)))
		}
	}
	for _, mask := range []uint32{1<<32 - 1, 1<<16 - 1, 0x80000001, 1 << 7, 0} {
		list = append(list, perThread(fmt.Sprintf("wkMask %#x", mask), warps,
			func(t *gocuda.Thread, in, out []int32) { wkMask(t, mask, in, out) },
			func(in, out []int32) gocuda.Kernel { return wkMaskKernel(mask, in, out) }, wkMaskWant(mask)))
	}
	list = append(list, perThread("wkMaskAll", warps,
		func(t *gocuda.Thread, in, out []float32) { wkMaskAll(t, 1<<32-1, in, out) },
		func(in, out []float32) gocuda.Kernel { return wkMaskAllKernel(1<<32-1, in, out) },
		func(cfg grid.Config, in, out []float32) {
			copy(out, in)
			for d := 16; d > 0; d /= 2 {
				perWarp(cfg, slices.Clone(out), func(first int, warp []float32) {
					for lane, v := range warp {
						out[first+lane] = v + warp[lane^d]
					}
				})
			}
		}))
	for _, n := range []int{0, 1, 32, 33, 64, 95, 96, 128, 250, 1 << 20} {
		list = append(list,
			perThread(fmt.Sprint("wkBallot ", n), warps,
				func(t *gocuda.Thread, in, out []int32) { wkBallot(t, n, in, out) },
				func(in, out []int32) gocuda.Kernel { return wkBallotKernel(n, in, out) },
				func(cfg grid.Config, in, out []int32) {
					perWarp(cfg, in, func(first int, warp []int32) {
						warp = warp[:min(max(n-first, 0), 32)]
						sum := int32(0)
						for lane, v := range warp {
							sum += v
							out[first+lane] = sum
						}
						for lane := range warp {
							out[first+lane] += sum
						}
					})
				}),
			perThread(fmt.Sprint("wkBallotKept ", n), warps,
				func(t *gocuda.Thread, in, out []int32) { wkBallotKept(t, n, in, out) },
				func(in, out []int32) gocuda.Kernel { return wkBallotKeptKernel(n, in, out) },
				func(cfg grid.Config, in, out []int32) {
					size := cfg.Threads()
					mirror := func(i int) int { return i - i%size + size - 1 - i%size }
					for i := range out {
						out[i] = in[mirror(i)]
						if i < n {
							out[i] += 7 * in[mirror(i-i%32)]
						}
					}
				}))
	}
	for _, least := range []int32{-1 << 31, -20, 0, 1, 50, 1<<31 - 1} {
		list = append(list, perThread(fmt.Sprint("wkActive ", least), warps,
			func(t *gocuda.Thread, in, out []int32) { wkActive(t, least, in, out) },
			func(in, out []int32) gocuda.Kernel { return wkActiveKernel(least, in, out) }, wkActiveWant(least)))
	}
	return list
}

// The mask leaves out one who calls.
//
//gocuda:kernel
func wkFailMask(t *gocuda.Thread, mask uint32, in, out []int32) {
	i := t.GlobalX()
	out[i] = gocuda.ShflDownSync(t, mask, in[i], 0, 32)
}

var wkFailures = func() []Failure {
	f := matching(failure("wkFailMask", 32, 5,
		func(t *gocuda.Thread, who int, in, out []int32) { wkFailMask(t, ^uint32(1<<who), in, out) },
		func(who int, in, out []int32) gocuda.Kernel { return wkFailMaskKernel(^uint32(1<<who), in, out) },
		"ShflDownSync in lane 5 with mask 0xffffffdf"), gocuda.ErrInvalidMask)
	f.Config, f.Block = line(1, 32), grid.Dim3{} // it is one block that fails
	return []Failure{f}
}()
