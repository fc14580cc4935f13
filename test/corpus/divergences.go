//go:build compiled

package corpus

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Kernels that are wrong: threads of a block come to different barriers. On hardware most of them go on
// with wrong results, and so do they on coroutines outside checked mode; the compiled form must report
// them, since it can't do what hardware does.

// Half of the threads wait once more than the others.
//
//gocuda:kernel
func divergeIf(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid := t.ThreadIdx.X
	s[tid] = in[tid]
	if tid < 16 {
		t.SyncThreads()
		s[tid]++
	}
	t.SyncThreads()
	s[tid]++
	t.SyncThreads()
	out[tid] = s[tid]
}

// The condition is data, which one thread sees differently.
//
//gocuda:kernel
func divergeData(t *gocuda.Thread, in, out []int32) {
	tid := t.ThreadIdx.X
	t.SyncThreads()
	if in[tid] == in[40] {
		t.SyncThreads()
	} else {
		t.SyncThreads()
		out[tid]++
		t.SyncThreads()
	}
	t.SyncThreads()
	out[tid]++
}

// A loop has another trip count in each thread.
//
//gocuda:kernel
func divergeLoop(t *gocuda.Thread, in, out []int32) {
	tid := t.ThreadIdx.X
	for k := 0; k < tid%3; k++ {
		out[tid]++
		t.SyncThreads()
	}
	t.SyncThreads()
	t.SyncThreads()
}

// Some leave a loop earlier, by break.
//
//gocuda:kernel
func divergeBreak(t *gocuda.Thread, in, out []int32) {
	tid := t.ThreadIdx.X
	for k := range 5 {
		if k == 2 && tid == 33 {
			break
		}
		t.SyncThreads()
		out[tid]++
	}
	t.SyncThreads()
	out[tid]++
	t.SyncThreads()
}

// Some go on to the next round before the barrier.
//
//gocuda:kernel
func divergeContinue(t *gocuda.Thread, in, out []int32) {
	tid := t.ThreadIdx.X
	for k := range 3 {
		t.SyncThreads()
		if (tid+k)%5 == 0 {
			continue
		}
		out[tid]++
		t.SyncThreads()
	}
	t.SyncThreads()
}

// A switch sends threads to different cases.
//
//gocuda:kernel
func divergeSwitch(t *gocuda.Thread, in, out []int32) {
	tid := t.ThreadIdx.X
	switch tid % 4 {
	case 0, 1:
		t.SyncThreads()
	case 2:
		t.SyncThreads()
		t.SyncThreads()
	}
	t.SyncThreads()
	out[tid]++
	t.SyncThreads()
}

// Different kinds of barrier.
//
//gocuda:kernel
func divergeKinds(t *gocuda.Thread, in, out []int32) {
	tid := t.ThreadIdx.X
	if tid%2 == 0 {
		t.SyncThreads()
	} else {
		out[tid] = int32(t.SyncThreadsCount(true))
	}
	t.SyncThreads()
}

// A helper waits in some threads only.
//
//gocuda:kernel
func divergeHelper(t *gocuda.Thread, in, out []int32) {
	out[t.ThreadIdx.X] = maybeWait(t, in[t.ThreadIdx.X])
	t.SyncThreads()
	t.SyncThreads()
}

func maybeWait(t *gocuda.Thread, v int32) int32 {
	if v%2 == 0 {
		return v
	}
	t.SyncThreads()
	return v + 1
}

// Half of each warp waits at the barrier, the other half for the whole warp.
//
//gocuda:kernel
func divergeWarp(t *gocuda.Thread, in, out []int32) {
	if t.LaneID() < 16 {
		t.SyncThreads()
	} else {
		t.SyncWarp(gocuda.FullMask)
	}
	out[t.ThreadIdx.X]++
	t.SyncThreads()
}

// A barrier on the right of &&, which some threads don't reach.
//
//gocuda:kernel
func divergeAnd(t *gocuda.Thread, in, out []int32) {
	tid := t.ThreadIdx.X
	if tid > 3 && t.SyncThreadsOr(in[tid] > 0) {
		out[tid]++
	}
	t.SyncThreads()
	t.SyncThreads()
}

func divergence(name string, source func(t *gocuda.Thread, in, out []int32), compiled func(in, out []int32) gocuda.Kernel) Divergence {
	return Divergence{Name: name, Config: line(1, 64), Make: func(cfg grid.Config) Instance {
		n := cfg.Blocks() * cfg.Threads()
		in, out := make([]int32, n), make([]int32, n)
		for i := range in {
			in[i] = int32(i)
		}
		return Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, in, out) }),
			Compiled: compiled(in, out),
		}
	}}
}

var divergences = []Divergence{
	divergence("divergeIf", divergeIf, divergeIfKernel),
	divergence("divergeData", divergeData, divergeDataKernel),
	divergence("divergeLoop", divergeLoop, divergeLoopKernel),
	divergence("divergeBreak", divergeBreak, divergeBreakKernel),
	divergence("divergeContinue", divergeContinue, divergeContinueKernel),
	divergence("divergeSwitch", divergeSwitch, divergeSwitchKernel),
	divergence("divergeKinds", divergeKinds, divergeKindsKernel),
	divergence("divergeHelper", divergeHelper, divergeHelperKernel),
	divergence("divergeWarp", divergeWarp, divergeWarpKernel),
	divergence("divergeAnd", divergeAnd, divergeAndKernel),
}
