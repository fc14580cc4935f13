// Package spin notices when a thread of a kernel waits for memory to change: it does one atomic
// operation after the other, and none changes anything. Package atomic counts such operations here;
// package gocuda says what is done about it.
//
// Operations that change something are not counted, and cost nothing.
package spin

import "unsafe"

// A thread that waits mostly looks at the same cell in the same way, again and again. Other
// operations that change nothing, such as the Min of many values, count much less.
const repeated = 16

// hook is called by a goroutine that has done as many operations as the last call returned. It
// returns the number of operations before the next call, if they are all the same.
var hook func() uint32

// OnSpin sets the hook, before anything is counted. There is one.
func OnSpin(f func() uint32) {
	if hook != nil {
		panic("spin: there is a hook already")
	}
	hook = f
}

// A slot counts down the operations of the goroutines whose stack addresses map to it. If these are
// several, or a stack moves, the hook is called too soon or too late, which does no harm.
type slot struct {
	left uint32
	seen [4]uint32 // hashes of operations, each at the index of its upper two bits
	_    [44]byte  // padding: a slot fills a line of the cache
}

// Stacks are of 2 KB or more, and begin at multiples of their size. Goroutines that wait are mostly
// alike, so their stacks are 2, 4 or 8 KB apart.
const (
	stackBits = 11
	slotBits  = 10
)

var slots [1 << slotBits]slot

// Unchanged counts an atomic operation of the calling goroutine that has changed nothing: on cell,
// with operand. The counts are plain words, which two goroutines may change at the same time. The
// race detector must not see these accesses, nor take them for synchronization.
//
//go:norace
func Unchanged(cell unsafe.Pointer, operand uint64) {
	var here byte
	s := &slots[uintptr(unsafe.Pointer(&here))>>stackBits%(1<<slotBits)]
	hash := uint32(((uint64(uintptr(cell))>>2)*0x9e3779b97f4a7c15 ^ operand*0xd1342543de82ef95) >> 32)
	cost := uint32(1)
	if last := &s.seen[hash>>30]; *last == hash {
		cost = repeated
	} else {
		*last = hash
	}
	if s.left < cost {
		s.left = 0
		if hook != nil {
			s.left = repeated * hook()
		}
		return
	}
	s.left -= cost
}
