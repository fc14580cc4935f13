package gocuda

import (
	"context"
	"runtime/pprof"
	"runtime/trace"
	"unsafe"
)

// Watching launches run: pprof labels and execution traces.
//
// A worker carries the label kernel=NAME while it works on a launch, as does a caller that drives
// its own, so that `go tool pprof -tags` and -tagfocus tell kernels apart. There is no way to ask
// whether a profile is being taken, so the label is always set; it is made once a kernel, and
// setting it is a store (3 ns), done when a worker or a coroutine turns to another kernel.
//
// While an execution trace is on, a launch is a task and each block a region of it.

// kernelInfo is a kernel's name and its labels.
type kernelInfo struct {
	name string
	ctx  context.Context // has the label

	// Under the race detector.
	made   *raceCell      // comes before all who use it; nil if it was made for one launch
	labels unsafe.Pointer // the label, as a goroutine has it
}

func newKernelInfo(name string) *kernelInfo {
	return &kernelInfo{name: name, ctx: pprof.WithLabels(context.Background(), pprof.Labels("kernel", name))}
}

// labelled returns info with the labels of the launch's context added to its own.
func (info *kernelInfo) labelled(ctx context.Context) *kernelInfo {
	foreign := false
	pprof.ForLabels(ctx, func(key, value string) bool {
		foreign = true
		return false
	})
	if !foreign {
		return info
	}
	return &kernelInfo{name: info.name, ctx: pprof.WithLabels(ctx, pprof.Labels("kernel", info.name))}
}

func (info *kernelInfo) set() { pprof.SetGoroutineLabels(info.ctx) }

func traceTask(ctx context.Context, name string) (context.Context, *trace.Task) {
	return trace.NewTask(ctx, "gocuda launch "+name)
}
