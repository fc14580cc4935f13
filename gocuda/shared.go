package gocuda

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/gocuda/gocuda/internal/observe"
	"github.com/gocuda/gocuda/mem"
)

// A Scope is a *Thread, a *Warp or a *Block: something that can name the shared memory of its block.
type Scope interface {
	// scope returns the block and the count of shared arrays named so far.
	scope() (*Block, *int)
	block() *Block
}

func (t *Thread) block() *Block { return t.b }
func (w *Warp) block() *Block   { return w.b }
func (b *Block) block() *Block  { return b }

func (t *Thread) scope() (*Block, *int) { t.state |= usedShared; return t.b, &t.cursor }
func (w *Warp) scope() (*Block, *int)   { w.state |= usedShared; return w.b, &w.cursor }
func (b *Block) scope() (*Block, *int)  { return b, &b.cursor }

// Shared returns an array of n elements in the shared memory of the block, CUDA's
//
//	__shared__ T s[n];
//
// All threads of the block get the same array: the k-th call in a thread names the block's k-th
// array. Threads that disagree on its type or length fail with [ErrSharedMismatch], which names both
// places. In a loop each round names a further array, so declare arrays before loops, as in CUDA.
//
// The contents are undefined at first: what another block left there, or mem.Poison in checked
// mode. The array is valid until the block ends. Its bytes count against the device's limit on a
// block's shared memory; to exceed that is an [ErrSharedMemPerBlock].
//
// Arrays that the body of a block kernel names, outside phases, come first: the threads of its
// phases count on from them.
func Shared[T any](s Scope, n int) []T {
	b, cursor := s.scope()
	if b.threads != nil {
		return sharedLocked[T](b, cursor, n)
	}
	v, wrong := sharedArray[T](b, cursor, n)
	if wrong != nil {
		panic(wrong())
	}
	return v
}

// sharedLocked is for the goroutine executor, whose lock must not order the threads.
//
//go:norace
func sharedLocked[T any](b *Block, cursor *int, n int) []T {
	b.threads.lock()
	v, wrong := sharedArray[T](b, cursor, n)
	b.threads.unlock()
	if wrong != nil {
		panic(wrong())
	}
	return v
}

//go:norace
func sharedArray[T any](b *Block, cursor *int, n int) ([]T, mistake) {
	a := &b.shared
	k := *cursor
	*cursor++
	if k < a.used {
		if v, ok := a.arrays[k].view.([]T); ok && len(v) == n {
			return v, nil
		}
		return nil, mismatch(k, a.arrays[k], reflect.TypeFor[T](), n)
	}
	return defineShared[T](b, n, cursor != &b.cursor)
}

// sharedArrays is the shared arrays of the block that a worker runs.
type sharedArrays struct {
	arrays []sharedArrayInfo
	used   int // how many of arrays the block has named; later ones are an earlier block's
	bytes  int

	raw     []byte // the dynamic shared memory
	dynamic any    // a []T over it, for the T asked for last
}

type sharedArrayInfo struct {
	view  any // a []T
	at    *byte
	from  uintptr // its address
	bytes uintptr
	site  uintptr // where the first thread asked for it
}

func (a *sharedArrays) reset(b *Block) {
	dynamic := b.launch.cfg.SharedBytes
	a.used, a.bytes = 0, dynamic
	b.arena.Reset()
	if dynamic > 0 {
		raw := b.arena.Alloc(dynamic)
		if b.checked {
			poison(raw)
		}
		if unsafe.SliceData(raw) != unsafe.SliceData(a.raw) || len(raw) != len(a.raw) {
			a.raw, a.dynamic = raw, nil
		}
	} else if a.raw != nil {
		a.raw, a.dynamic = nil, nil
	}
}

// defineShared makes the block's next shared array. An earlier block mostly had the same array at
// the same place; then its slice serves again and nothing is allocated. If noted is set, it records
// the caller's line for the error of a mismatch, which takes some 200 ns. The body of a block
// kernel does not need that: no thread names its arrays again.
//
//go:norace
func defineShared[T any](b *Block, n int, noted bool) ([]T, mistake) {
	a := &b.shared
	var z T
	size := int(unsafe.Sizeof(z))
	limit := b.launch.sharedLimit
	if n < 0 {
		return nil, negativeLength(n)
	}
	if size > 0 && n > (limit-a.bytes)/size {
		return nil, tooMuchShared(n, size, a.bytes, limit)
	}
	a.bytes += n * size
	site := uintptr(0)
	if noted {
		site = caller(4 + b2i(b.threads != nil)) // of Shared
	}
	k := a.used
	a.used++
	if k == len(a.arrays) {
		a.arrays = append(a.arrays, sharedArrayInfo{})
	}
	info := &a.arrays[k]
	info.site = site

	var raw []byte
	if size > 0 && mem.PointerFree(reflect.TypeFor[T]()) {
		raw = b.arena.Alloc(n * size)
		if b.checked {
			poison(raw)
		}
	}
	if b.seen != nil && raw != nil {
		observe.Hook.Shared(b.seen, addressOf(raw), len(raw))
	}
	at := unsafe.SliceData(raw)
	if v, ok := info.view.([]T); ok && len(v) == n && info.at == at && !(b.checked && raw == nil) {
		return v, nil
	}
	var v []T
	if raw != nil {
		v = mem.View[T](raw)
	} else {
		v = make([]T, n) // with Go pointers, for the garbage collector to see
	}
	info.view, info.at = v, at
	info.from, info.bytes = uintptr(unsafe.Pointer(unsafe.SliceData(v))), uintptr(n)*unsafe.Sizeof(z)
	return v, nil
}

func negativeLength(n int) mistake {
	return func() error { return fmt.Errorf("%w: a shared array of %d elements", ErrInvalidValue, n) }
}

func tooMuchShared(n, size, used, limit int) mistake {
	return func() error {
		return fmt.Errorf("%w: %d elements of %d bytes, %d of %d bytes are in use", ErrSharedMemPerBlock, n, size, used, limit)
	}
}

// mismatch says who disagrees about array k.
func mismatch(k int, info sharedArrayInfo, typ reflect.Type, n int) mistake {
	return func() error {
		v := reflect.ValueOf(info.view)
		return fmt.Errorf("%w: array %d is [%d]%v%s, but [%d]%v%s", ErrSharedMismatch,
			k, v.Len(), v.Type().Elem(), at(info.site), n, typ, at(kernelSite()))
	}
}

// DynamicShared returns the dynamic shared memory of the block, grid.Config.SharedBytes long, as
// elements of T: CUDA's
//
//	extern __shared__ T s[];
//
// Calls with different types see the same bytes. T must hold no Go pointers.
func DynamicShared[T any](s Scope) []T {
	b, _ := s.scope()
	if b.threads == nil { // else others may be changing it
		if v, ok := b.shared.dynamic.([]T); ok {
			return v
		}
	}
	if t := reflect.TypeFor[T](); !mem.PointerFree(t) {
		panic(fmt.Errorf("%w: dynamic shared memory of %v, which holds Go pointers", ErrInvalidValue, t))
	}
	if b.threads != nil {
		return dynamicLocked[T](b)
	}
	return dynamicView[T](b)
}

//go:norace
func dynamicLocked[T any](b *Block) []T {
	b.threads.lock()
	defer b.threads.unlock()
	return dynamicView[T](b)
}

//go:norace
func dynamicView[T any](b *Block) []T {
	a := &b.shared
	if v, ok := a.dynamic.([]T); ok {
		return v
	}
	v := mem.View[T](a.raw)
	a.dynamic = v
	return v
}

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// poison fills undefined memory in checked mode.
//
//go:norace
func poison(b []byte) {
	for i := range b {
		b[i] = mem.Poison
	}
}

// Local returns an array with one element of type T for each thread of the block, for a block kernel
// to keep what a thread kernel has in local variables that live across a barrier. The k-th call in a
// block names its k-th array. The contents are undefined at first. Only the body of a block kernel may
// call it.
func Local[T any](b *Block) []T {
	l := &b.locals
	if b.inPhase {
		panic(fmt.Errorf("%w: Local inside a phase", ErrNotPermitted))
	}
	k := l.used
	l.used++
	i := k
	for ; i < len(l.arrays); i++ {
		if _, ok := l.arrays[i].([]T); ok {
			break
		}
	}
	if i == len(l.arrays) {
		l.arrays = append(l.arrays, []T(nil))
	}
	l.arrays[k], l.arrays[i] = l.arrays[i], l.arrays[k]
	v := l.arrays[k].([]T)
	more := 0
	if unsafe.Sizeof(*new(T)) == 1 {
		more = 64 // compiled kernels read and write bytes that are not theirs, a vector at a time
	}
	if cap(v) < b.size+more {
		v = make([]T, b.size+more)
		l.arrays[k] = v
	}
	return v[:b.size]
}

// localArrays is the arrays that Local made, kept from block to block and from kernel to kernel,
// since a worker often runs several in turn. The first used of them are taken.
type localArrays struct {
	arrays []any
	used   int
}

func (l *localArrays) reset() { l.used = 0 }
