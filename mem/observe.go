package mem

import (
	"unsafe"

	"github.com/gocuda/gocuda/internal/observe"
)

// What this package tells an observer; see package gocuda/rt/probe.

// touch tells that a copy or a fill reads or writes b.
func touch(b []byte, write bool) {
	if observe.Hook != nil && len(b) > 0 {
		observe.Hook.Touch(unsafe.Pointer(unsafe.SliceData(b)), len(b), write)
	}
}

// touchCopy tells of a copy, with as many elements as the shorter of both has.
func touchCopy[T any](dst, src []T) {
	if observe.Hook != nil {
		n := min(len(dst), len(src))
		touch(bytesOf(src[:n]), false)
		touch(bytesOf(dst[:n]), true)
	}
}

// isObserved reports whether an observer was told of the allocation.
func (a *allocation) isObserved() bool {
	return observe.Hook != nil && a.kind == MemoryTypeDevice && a.size > 0
}

// observeReady tells that a stream has come to the allocation.
func (a *allocation) observeReady() {
	if a.isObserved() {
		observe.Hook.Ready(a.from, int(a.size))
	}
}

// observeFree tells that the memory is freed in the order of a stream, which observeGone tells to have come there.
func (a *allocation) observeFree() {
	if a.isObserved() {
		observe.Hook.Free(a.from, int(a.size), true)
	}
}

func (a *allocation) observeGone() {
	if a.isObserved() {
		observe.Hook.Gone(a.from, int(a.size))
	}
}

// observeAgain tells that memory is freed which was freed before.
func (a *allocation) observeAgain() {
	if a.isObserved() {
		observe.Hook.FreeAgain(a.from, int(a.size))
	}
}
