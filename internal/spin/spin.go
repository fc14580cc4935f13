// Package spin notices when a thread of a kernel waits for memory to change: it does one atomic operation after the other, and none
// changes anything. Package atomic counts such operations here; package gocuda says what is done about it.
//
// Operations that change something are not counted, and cost nothing.
package spin

import "unsafe"

// first is how many operations are counted before the hook is asked for the first time. A thread that waits has spent some
// microseconds by then; a hook that is called without need costs a thousandth of the operations.
const first = 1000

// hook is called by who has done as many operations as it has said the last time. It returns after how many more it is to be
// called again.
var hook func() uint32

// OnSpin sets the hook, before anything is counted. There is one.
func OnSpin(f func() uint32) {
	if hook != nil {
		panic("spin: there is a hook already")
	}
	hook = f
}

// A slot counts down the operations of the goroutines whose stacks fall on it. If there are several, or a stack moves, the hook is
// called too soon or too late, which is no harm.
type slot struct {
	left uint32
	_    [60]byte // a slot to itself in the cache
}

// Stacks are of 2 KB or more, and begin at multiples of their size. Goroutines that wait are mostly alike, so their stacks are
// 2, 4 or 8 KB apart.
const (
	stackBits = 11
	slotBits  = 10
)

var slots [1 << slotBits]slot

// Unchanged counts an atomic operation of the calling goroutine that has changed nothing. The counts are plain words, which two
// goroutines may change at the same time; and the race detector must not see that, nor an order.
//
//go:norace
func Unchanged() {
	var here byte
	s := &slots[uintptr(unsafe.Pointer(&here))>>stackBits%(1<<slotBits)]
	if s.left == 0 {
		s.left = first
		if hook != nil {
			s.left = hook()
		}
		return
	}
	s.left--
}
