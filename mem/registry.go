package mem

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/gocuda/gocuda/internal/observe"
)

// The registry knows every live allocation by its address. Host and devices share one address
// space, as CUDA's do under unified addressing, so an address tells what memory it is of.
//
// The registry is a list in the order of addresses. To add an entry moves the entries behind it, a
// copy of 8 bytes each, which is little beside clearing new memory; in return neighbours and
// overlaps are found by a binary search. Entries hold memory weakly. A buffer that a program
// forgets without freeing it stays allocated, as in CUDA, but the garbage collector frees its
// bytes. Collected memory is no longer found; its entry goes when the address is used again or when
// the list has doubled.

// An allocation is shared by a buffer and its parts.
type allocation struct {
	kind  MemoryType
	space *Space              // of the device; nil for memory of the host
	bytes int64               // taken from the space
	loose weak.Pointer[Space] // instead of space, for symbols: they outlive devices and must not keep them

	constant bool          // a symbol in constant memory
	freed    atomic.Bool   // work that runs later may not use it
	use      atomic.Uint32 // whether work that runs now may use it: usable, unready, released or freed

	seen *observe.Allocation // nil without an observer

	from uintptr // address of the first byte
	size uintptr // bytes asked for
	weak weak.Pointer[byte]
	held []byte // memory of the host that a program has registered, which must not go away meanwhile

	flags  HostFlags     // of page-locked memory
	pages  *managedPages // of managed memory
	order  *order        // of memory from a pool
	locked bool          // registered, not allocated, by this package
}

type registry struct {
	mu    sync.Mutex
	all   []*allocation // ascending, disjoint
	limit int           // sweep when the list is as long as this
}

var live registry

// search returns the place of the first allocation that ends behind p.
func (r *registry) search(p uintptr) int {
	lo, hi := 0, len(r.all)
	for lo < hi {
		if mid := (lo + hi) / 2; r.all[mid].from+r.all[mid].size > p {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// home returns the memory of the device that a is of, nil for memory of the host.
func (a *allocation) home() *Space {
	if a.space == nil {
		return a.loose.Value()
	}
	return a.space
}

// exists reports whether the memory has not been collected.
func (a *allocation) exists() bool { return a.held != nil || a.weak.Value() != nil }

// add makes a known as the allocation of b, which may be empty.
func (r *registry) add(a *allocation, b []byte) {
	if len(b) == 0 {
		return
	}
	first := unsafe.SliceData(b)
	a.from, a.size, a.weak = uintptr(unsafe.Pointer(first)), uintptr(len(b)), weak.Make(first)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.insert(a)
}

// insert puts a in its place. Entries that overlap it were collected: the memory is a's now.
func (r *registry) insert(a *allocation) {
	if len(r.all) >= max(r.limit, 64) {
		r.all = slices.DeleteFunc(r.all, func(o *allocation) bool { return !o.exists() })
		r.limit = 2 * len(r.all)
	}
	from := r.search(a.from)
	to := from
	for to < len(r.all) && r.all[to].from < a.from+a.size {
		to++
	}
	r.all = slices.Replace(r.all, from, to, a)
}

// lock registers b, memory of a program, and returns the allocation that is in the way if there is one.
func (r *registry) lock(a *allocation, b []byte) (other *allocation) {
	a.from, a.size, a.held = uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), b
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := r.search(a.from); i < len(r.all) && r.all[i].from < a.from+a.size; i++ {
		if r.all[i].exists() {
			return r.all[i]
		}
	}
	r.insert(a)
	return nil
}

// remove forgets a.
func (r *registry) remove(a *allocation) {
	if a.size == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := r.search(a.from); i < len(r.all) && r.all[i] == a {
		r.all = slices.Delete(r.all, i, i+1)
	}
}

// find returns the allocation that has the byte at p, or nil.
func (r *registry) find(p unsafe.Pointer) *allocation {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.search(uintptr(p))
	if i == len(r.all) || r.all[i].from > uintptr(p) || !r.all[i].exists() {
		return nil
	}
	return r.all[i]
}

// addressOf returns the address of the first byte.
func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
