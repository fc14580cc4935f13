//go:build compiled

package corpus

import (
	fmath "math"

	at "github.com/gocuda/gocuda/atomic"
	cu "github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	help "github.com/gocuda/gocuda/test/corpus/helper"
)

// Here packages have names of the file's own.

// Packages under other names, and one of their names as a local.
//
//gocuda:kernel
func aliased(t *cu.Thread, in []int32, out []float32, count []int32) {
	s := cu.Shared[int32](t, 1024)
	s[t.ThreadIdx.X] = help.Scaled(in[t.GlobalX()] & 0xff)
	t.SyncThreads()
	v := s[(t.ThreadIdx.X+1)%t.BlockDim.X]
	if v > 100 {
		at.Add(&count[0], 1)
	}
	cu, gocuda := float32(2), 1
	out[t.GlobalX()] = float32(fmath.Floor(float64(v)/3)) * cu * float32(gocuda)
}

type thread = cu.Thread
type kernelInput []int32

// The thread's type has another name too.
//
//gocuda:kernel
func aliasedThread(t *thread, where grid.Dim3, in kernelInput, out []int32) {
	if t.BlockIdx == where || t.ThreadIdx == (grid.Dim3{X: 2}) {
		out[t.GlobalX()] = in[t.GlobalX()] + int32(t.BlockDim.Linear(t.ThreadIdx))
	}
}

var aliasCases = []Case{
	made("aliased", linear, func(cfg grid.Config) (func(*cu.Thread), cu.Kernel, []any) {
		n := cfg.Blocks() * cfg.Threads()
		in, out, count := data[int32](n), marked[float32](n), make([]int32, 1)
		return func(t *cu.Thread) { aliased(t, in, out, count) }, aliasedKernel(in, out, count), []any{out, count}
	}, func(cfg grid.Config) []any {
		n := cfg.Blocks() * cfg.Threads()
		in, out, count := data[int32](n), make([]float32, n), make([]int32, 1)
		perBlock(cfg, out, func(_, first int, out []float32) {
			for i := range out {
				v := in[first+(i+1)%len(out)] & 0xff
				v = v*3 + v/4 + 11
				if v > 100 {
					count[0]++
				}
				out[i] = float32(v / 3 * 2)
			}
		})
		return []any{out, count}
	}),
	perThread("aliasedThread", linear,
		func(t *cu.Thread, in, out []int32) { aliasedThread(t, grid.Dim3{X: 1}, in, out) },
		func(in, out []int32) cu.Kernel { return aliasedThreadKernel(grid.Dim3{X: 1}, in, out) },
		func(cfg grid.Config, in, out []int32) {
			for i, v := range in {
				if k := i % cfg.Threads(); i/cfg.Threads() == 1 || k == 2 {
					out[i] = v + int32(k)
				}
			}
		}),
}
