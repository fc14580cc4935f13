//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// A warp a row of the block, in blocks of 32 threads along x; and the same kernels in blocks of
// other shapes, where that is not so.

func rvSum(t *gocuda.Thread, v float32) float32 {
	for m := 16; m > 0; m /= 2 {
		v += gocuda.ShflXorSync(t, gocuda.FullMask, v, m, 32)
	}
	return v
}

// Mean and variance of rows, of which the last ones have no warp that goes on.
//
//gocuda:kernel
func rvNorm(t *gocuda.Thread, rows, cols int, in, out []float32) {
	row := t.BlockIdx.X*t.BlockDim.Y + t.ThreadIdx.Y
	if row >= rows {
		return
	}
	lane := t.ThreadIdx.X
	s, s2 := float32(0), float32(0)
	for i := lane; i < cols; i += t.BlockDim.X {
		v := in[row*cols+i]
		s += v
		s2 += v * v
	}
	s, s2 = rvSum(t, s), rvSum(t, s2)
	mean := s / float32(cols)
	scale := 1 / device.Sqrtf(s2/float32(cols)-mean*mean+1)
	for i := lane; i < cols; i += t.BlockDim.X {
		out[row*cols+i] = (in[row*cols+i] - mean) * scale
	}
}

// What warps leave in shared memory by their number, and the next one reads; with the lane from the
// rank, and both by int32.
//
//gocuda:kernel
func rvNext(t *gocuda.Thread, rows, cols int, in, out []float32) {
	s := gocuda.Shared[float32](t, 32)
	tx, ty := int32(t.ThreadIdx.X), int32(t.ThreadIdx.Y)
	i := t.BlockIdx.X*t.BlockDim.Size() + t.Rank()
	v := in[i%len(in)]
	v = max(v, gocuda.ShflDownSync(t, gocuda.FullMask, v, 8, 32))
	v = max(v, gocuda.ShflDownSync(t, gocuda.FullMask, v, 4, 16))
	if t.Rank()%32 == 0 {
		s[t.Rank()/32] = v + float32(tx/32) + float32(ty)
	}
	t.SyncThreads()
	mask := t.BallotSync(gocuda.FullMask, v > s[(ty+1)%int32(t.BlockDim.Size()/32)]+float32(t.WarpID()))
	below := mask & (1<<t.LaneID() - 1)
	out[i] = v + float32(below&255) + float32(t.Rank()%32)*3 + float32(t.Rank()/32)
}

// Votes of rows, and a number that all lanes have from one of them, chosen by the row.
//
//gocuda:kernel
func rvVotes(t *gocuda.Thread, rows, cols int, in, out []float32) {
	y := t.GlobalY()
	x := t.GlobalX()
	at := y*t.GridDim.X*t.BlockDim.X + x
	v := in[at%len(in)]
	if t.AnySync(gocuda.FullMask, v > 20) {
		v += gocuda.ShflSync(t, gocuda.FullMask, v, 5, 32)
	}
	w := gocuda.ShflUpSync(t, gocuda.FullMask, v*float32(t.ThreadIdx.Y+1), 1, 32)
	if t.ThreadIdx.X > 0 && t.ThreadIdx.Y%2 == 0 {
		v -= w
	}
	out[at] = v
}

func rvCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, rows, cols int, in, out []float32)
	type maker = func(rows, cols int, in, out []float32) gocuda.Kernel
	var list []grid.Config
	for _, b := range []grid.Dim3{{X: 32, Y: 4, Z: 1}, {X: 32, Y: 1, Z: 1}, {X: 32, Y: 7, Z: 1}, {X: 64, Y: 2, Z: 1}, {X: 16, Y: 4, Z: 1}, {X: 32, Y: 2, Z: 2}, {X: 128, Y: 1, Z: 1}, {X: 32, Y: 16, Z: 1}} {
		list = append(list, grid.Config{Grid: grid.Dim3{X: 3}, Block: b})
	}
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
		rows     bool // all of a warp have to be in one row
	}{{"rvNorm", rvNorm, rvNormKernel, true}, {"rvNext", rvNext, rvNextKernel, false}, {"rvVotes", rvVotes, rvVotesKernel, false}} {
		for _, cfg := range list {
			for _, rows := range []int{11, 100, 1} {
				if k.rows && cfg.Block.X != 32 || !k.rows && rows != 100 || k.name != "rvNext" && cfg.Block.Z > 1 { // the others store by x and y
					continue
				}
				cols := 45
				cases = append(cases, Case{Name: fmt.Sprintf("%s of %d, %v", k.name, rows, cfg.Block), Configs: []grid.Config{cfg}, Make: func(cfg grid.Config) Instance {
					n := max(cfg.Blocks()*cfg.Threads(), rows*cols)
					in, out := make([]float32, n), make([]float32, n)
					for i := range in {
						in[i] = float32(i*i%47) - 20
					}
					return Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, rows, cols, in, out) }),
						Compiled: k.compiled(rows, cols, in, out),
						Outputs:  []any{out},
					}
				}})
			}
		}
	}
	return cases
}
