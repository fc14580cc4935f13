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

// observe tells of the allocation of b, if that is of a device.
func (a *allocation) observe(b []byte) {
	if observe.Hook != nil && a.kind == MemoryTypeDevice {
		a.seen = &observe.Allocation{Ptr: unsafe.Pointer(unsafe.SliceData(b)), Bytes: len(b), Ordered: a.order != nil}
		observe.Hook.Alloc(a.seen)
	}
}

// observeReady tells that a stream has come to the allocation.
func (a *allocation) observeReady() {
	if a.seen != nil {
		observe.Hook.Ready(a.seen)
	}
}

// observeFree reports that the memory is freed. If later is set, the free is in the order of a
// stream, and observeGone reports when the stream has come to it.
func (a *allocation) observeFree(later bool) {
	if a.seen != nil {
		observe.Hook.Free(a.seen, later)
	}
}

func (a *allocation) observeGone() {
	if a.seen != nil {
		observe.Hook.Gone(a.seen)
	}
}

// observeAgain tells that memory is freed which was freed before.
func (a *allocation) observeAgain() {
	if a.seen != nil {
		observe.Hook.FreeAgain(a.seen)
	}
}

// observePitch tells of rows with padding.
func (a *allocation) observePitch(width, stride int) {
	if a.seen != nil {
		observe.Hook.Pitch(a.seen, width, stride)
	}
}
