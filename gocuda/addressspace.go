package gocuda

import (
	"reflect"
	"unsafe"

	"github.com/gocuda/gocuda/mem"
)

// The state space of an address: CUDA's __isGlobal, __isShared, __isConstant and __isLocal (PTX's
// isspacep). gocuda has one address space, so a pointer into any kind of memory is an ordinary Go
// pointer. A nil pointer is in none of them.

// IsShared reports whether p points into the shared memory of the caller's block, CUDA's __isShared.
func IsShared[T any](s Scope, p *T) bool {
	b := spaceScope(s)
	return b.inShared(uintptr(unsafe.Pointer(p)))
}

// IsConstant reports whether p points into constant memory: a symbol of [mem.NewConstant] on any
// device. CUDA's __isConstant.
func IsConstant[T any](s Scope, p *T) bool {
	spaceScope(s)
	return p != nil && isConstant(p)
}

// IsLocal reports whether p points into an array of [Local] of the caller's block, CUDA's
// __isLocal. A local variable of a kernel counts as global, because Go alone decides where the
// variable lives.
func IsLocal[T any](s Scope, p *T) bool {
	b := spaceScope(s)
	return b.inLocal(uintptr(unsafe.Pointer(p)))
}

// IsGlobal reports whether p points into memory that is neither shared, constant nor local: memory
// of a device, managed memory, memory of the host and whatever a Go program has. CUDA's __isGlobal.
func IsGlobal[T any](s Scope, p *T) bool {
	return p != nil && !IsShared(s, p) && !IsConstant(s, p) && !IsLocal(s, p)
}

// spaceScope returns the block of s, whose device must be able to tell.
func spaceScope(s Scope) *Block {
	b := s.block()
	b.require(opSpace)
	return b
}

// isConstant looks p up in package mem, without an order between the threads that ask.
//
//go:norace
func isConstant[T any](p *T) bool {
	raceDisable()
	defer raceEnable()
	at, err := mem.AttributesOf(p)
	return err == nil && at.Constant
}

// inShared reports whether an address is in the shared memory of the block.
//
//go:norace
func (b *Block) inShared(p uintptr) bool {
	if p == 0 {
		return false
	}
	if b.threads != nil {
		b.threads.lock()
		defer b.threads.unlock()
	}
	if raw := b.shared.raw; p-addressOf(raw) < uintptr(len(raw)) {
		return true
	}
	for i := range b.shared.used {
		if a := &b.shared.arrays[i]; p-a.from < a.bytes {
			return true
		}
	}
	return false
}

// inLocal reports whether an address is in an array of Local of the block. The arrays are made
// outside phases, so threads read the list without a lock.
func (b *Block) inLocal(p uintptr) bool {
	if p == 0 {
		return false
	}
	for _, a := range b.locals.arrays[:b.locals.used] {
		v := reflect.ValueOf(a)
		if p-v.Pointer() < uintptr(b.size)*v.Type().Elem().Size() {
			return true
		}
	}
	return false
}
