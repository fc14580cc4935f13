// Package probe is what code that `gocuda sanitize` and `gocuda prof` have rewritten calls. Every
// access, branch, loop head and barrier of a kernel calls a func of this package with a site, which
// is a place of the source. An [Observer] gets the events.
//
// Rewritten code exists only during a run of these commands. Nobody else should call this package.
package probe

import (
	"iter"
	"sync"
	"unsafe"

	"github.com/gocuda/gocuda/internal/observe"
)

// The types that events name.
type (
	Launch     = observe.Launch
	Block      = observe.Block
	Actor      = observe.Actor
	Cell       = observe.Cell
	Allocation = observe.Allocation
)

// CurrentActor returns the stream or the node of a graph whose work the calling goroutine does, nil
// for the host.
func CurrentActor() *Actor { return observe.CurrentActor() }

// A Kind is what an access does.
type Kind uint8

// The kinds of accesses.
const (
	KindLoad Kind = iota
	KindStore
	KindUpdate // loads and stores, not atomically
	KindAtomic
)

func (k Kind) String() string {
	return [...]string{"Read", "Write", "Write", "Atomic"}[k]
}

// An Observer gets the events of rewritten kernels, and those of the runtime. Who does it is the thread
// with the given rank in block b: its warp is rank/32, its lane rank%32. A rank of b.Threads is the
// body of a block kernel.
type Observer interface {
	observe.Hooks
	// Access is called before n bytes at p are accessed.
	Access(b *Block, rank int, site int, kind Kind, p unsafe.Pointer, n int)
	// Misaligned is called before an access at an address that is no multiple of what its type asks
	// for.
	Misaligned(b *Block, rank int, site int, kind Kind, p unsafe.Pointer, n int)
	// At is called before the thread calls the barrier or warp operation at the site.
	At(b *Block, rank int, site int)
	// Enter and Leave are called around a statement that holds barriers; Leave not if the thread
	// returned inside.
	Enter(b *Block, rank int, site int)
	Leave(b *Block, rank int, site int)
}

// A BranchObserver gets the branches too.
type BranchObserver interface {
	// Branch is called when the condition of an if statement or of a loop has been found. A loop's
	// head gives taken for each further round.
	Branch(b *Block, rank int, site int, taken bool)
}

// A ReturnObserver gets the returns from functions with barriers other than that at the end of the
// function.
type ReturnObserver interface {
	Return(b *Block, rank int)
}

// A HostObserver gets the accesses of functions of the host while it is watching.
type HostObserver interface {
	Watching() bool
	HostAccess(a *Actor, site int, kind Kind, p unsafe.Pointer, n int)
}

var (
	observer Observer
	branches BranchObserver // nil if the observer asks for none
	returns  ReturnObserver // likewise
	hosts    HostObserver   // likewise
)

// Subscribe makes o the observer. It must be called before the first launch, from an init func.
func Subscribe(o Observer) {
	observer = o
	branches, _ = o.(BranchObserver)
	returns, _ = o.(ReturnObserver)
	hosts, _ = o.(HostObserver)
	observe.Hook = o
}

func access(site int, kind Kind, p unsafe.Pointer, n, align uintptr) {
	if observer == nil || p == nil || n == 0 {
		return
	}
	b, rank := observe.Current()
	switch {
	case observe.OnStack(uintptr(p)):
	case b != nil:
		if uintptr(p)&(align-1) != 0 {
			observer.Misaligned(b, rank, site, kind, p, int(n))
		}
		observer.Access(b, rank, site, kind, p, int(n))
	case hosts != nil && hosts.Watching():
		hosts.HostAccess(observe.CurrentActor(), site, kind, p, int(n))
	}
}

// Load tells of a load and returns p.
func Load[T any](site int, p *T) *T {
	access(site, KindLoad, unsafe.Pointer(p), unsafe.Sizeof(*p), unsafe.Alignof(*p))
	return p
}

// Store tells of a store and returns p.
func Store[T any](site int, p *T) *T {
	access(site, KindStore, unsafe.Pointer(p), unsafe.Sizeof(*p), unsafe.Alignof(*p))
	return p
}

// Update tells of a load and a store and returns p.
func Update[T any](site int, p *T) *T {
	access(site, KindUpdate, unsafe.Pointer(p), unsafe.Sizeof(*p), unsafe.Alignof(*p))
	return p
}

// Atomic tells of an atomic operation and returns p.
func Atomic[T any](site int, p *T) *T {
	access(site, KindAtomic, unsafe.Pointer(p), unsafe.Sizeof(*p), unsafe.Alignof(*p))
	return p
}

// MapLoad reports a read of any element of a map and returns m. The whole map is one memory
// location, as for Go's race detector.
func MapLoad[M ~map[K]V, K comparable, V any](site int, m M) M {
	return mapAccess(site, KindLoad, m)
}

// MapStore tells of a write to a map and returns m.
func MapStore[M ~map[K]V, K comparable, V any](site int, m M) M {
	return mapAccess(site, KindStore, m)
}

// MapUpdate tells of a read and a write and returns m.
func MapUpdate[M ~map[K]V, K comparable, V any](site int, m M) M {
	return mapAccess(site, KindUpdate, m)
}

func mapAccess[M ~map[K]V, K comparable, V any](site int, kind Kind, m M) M {
	p := *(*unsafe.Pointer)(unsafe.Pointer(&m))
	if b, _ := observe.Current(); b != nil {
		maps.LoadOrStore(p, nil)
	}
	access(site, kind, p, unsafe.Sizeof(m), 1)
	return m
}

// maps keeps the maps that kernels have accessed alive, so that no new map gets the address of one
// of them.
var maps sync.Map

// locks has a Cell for each lock that a kernel has used, by its address. A lock that is here is
// kept, so nothing else gets the address.
var locks sync.Map

func lockCell(p any) *Cell {
	c, _ := locks.LoadOrStore(p, new(Cell))
	return c.(*Cell)
}

// Lock calls lock, which locks p. It orders the caller after what other threads did before they
// unlocked p.
func Lock(p any, lock func()) {
	lock()
	if b, rank := observe.Current(); observer != nil && b != nil {
		observer.Acquire(b, rank, lockCell(p))
	}
}

// Unlock calls unlock, which unlocks p.
func Unlock(p any, unlock func()) {
	if b, rank := observe.Current(); observer != nil && b != nil {
		observer.Release(b, rank, lockCell(p))
	}
	unlock()
}

// Set stores v. It is for stores whose value comes from a call, which may wait at a barrier.
func Set[T any](site int, p *T, v T) {
	access(site, KindStore, unsafe.Pointer(p), unsafe.Sizeof(*p), unsafe.Alignof(*p))
	*p = v
}

// Put stores v at the address that place returns. place is called when v is known already, as in an
// assignment.
func Put[T any](site int, place func() any, v T) {
	Set(site, place().(*T), v)
}

// Range is the loop over a slice, whose elements it loads.
func Range[S ~[]E, E any](site int, s S) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i := range s {
			if !yield(i, *Load(site, &s[i])) {
				return
			}
		}
	}
}

// Copy is copy.
func Copy[D ~[]E, S ~[]E, E any](site int, dst D, src S) int {
	if n := min(len(dst), len(src)); n > 0 {
		size := uintptr(n) * unsafe.Sizeof(src[0])
		access(site, KindLoad, unsafe.Pointer(&src[0]), size, unsafe.Alignof(src[0]))
		access(site, KindStore, unsafe.Pointer(&dst[0]), size, unsafe.Alignof(dst[0]))
	}
	return copy(dst, src)
}

// Clear is clear of a slice.
func Clear[S ~[]E, E any](site int, s S) {
	if len(s) > 0 {
		access(site, KindStore, unsafe.Pointer(&s[0]), uintptr(len(s))*unsafe.Sizeof(s[0]), unsafe.Alignof(s[0]))
	}
	clear(s)
}

// CopyString is copy from a string.
func CopyString[D ~[]byte, S ~string](site int, dst D, src S) int {
	if n := min(len(dst), len(src)); n > 0 {
		access(site, KindStore, unsafe.Pointer(&dst[0]), uintptr(n), 1)
	}
	return copy(dst, src)
}

// Branch tells which way a condition went and returns it.
func Branch[B ~bool](site int, c B) B {
	if branches != nil {
		if b, rank := observe.Current(); b != nil {
			branches.Branch(b, rank, site, bool(c))
		}
	}
	return c
}

// At tells of a barrier or warp operation that follows, and returns its receiver or first argument.
func At[T any](site int, t T) T {
	if observer != nil {
		if b, rank := observe.Current(); b != nil {
			observer.At(b, rank, site)
		}
	}
	return t
}

// Enter tells that a statement with barriers begins.
func Enter(site int) {
	if observer != nil {
		if b, rank := observe.Current(); b != nil {
			observer.Enter(b, rank, site)
		}
	}
}

// Leave tells that a statement with barriers has ended, other than by a return.
func Leave(site int) {
	if observer != nil {
		if b, rank := observe.Current(); b != nil {
			observer.Leave(b, rank, site)
		}
	}
}

// Return tells that the thread returns from a function with barriers before its end.
func Return() {
	if returns != nil {
		if b, rank := observe.Current(); b != nil {
			returns.Return(b, rank)
		}
	}
}
