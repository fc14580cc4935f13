package sanitize

import (
	"unsafe"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
)

// Shadow memory: what was done to each word of 4 bytes, and which bytes have never been written. Pages of it are made when
// first touched.

const pageBytes = 1 << 10

type page struct {
	words [pageBytes / 4][]access
	unset [pageBytes / 64]uint64 // a bit for each byte: it has not been written
}

// An access is what a thread did to some bytes of a word.
type access struct {
	at   *stamp
	site int32
	kind probe.Kind
	mask uint8 // the bytes
}

func (a *access) writes() bool { return a.kind != probe.KindLoad }

// conflicts reports whether two accesses to the same byte may not go without an order.
func conflicts(k, l probe.Kind) bool {
	if k == probe.KindAtomic && l == probe.KindAtomic {
		return false
	}
	return k != probe.KindLoad || l != probe.KindLoad
}

// A piece is a range of addresses.
type piece struct {
	from uintptr
	n    int
	keep unsafe.Pointer // of freed memory, so that nothing else gets the address
}

func (p piece) has(a uintptr) bool { return a >= p.from && a-p.from < uintptr(p.n) }

func (s *sanitizer) page(addr uintptr) *page {
	k := addr / pageBytes
	if s.lastPage != nil && s.lastKey == k {
		return s.lastPage
	}
	p := s.pages[k]
	if p == nil {
		p = &page{}
		s.pages[k] = p
	}
	s.lastKey, s.lastPage = k, p
	return p
}

// setUnset notes that bytes have, or have not, been written.
func (s *sanitizer) setUnset(from uintptr, n int, unset bool) {
	for a := from; a < from+uintptr(n); {
		p := s.page(a)
		end := min(from+uintptr(n), (a/pageBytes+1)*pageBytes)
		for ; a < end; a++ {
			i := a % pageBytes
			if unset {
				p.unset[i/64] |= 1 << (i % 64)
			} else {
				p.unset[i/64] &^= 1 << (i % 64)
			}
		}
	}
}

// unsetBytes returns how many of the bytes have not been written.
func (s *sanitizer) unsetBytes(from uintptr, n int) int {
	count := 0
	for a := from; a < from+uintptr(n); a++ {
		i := a % pageBytes
		if s.page(a).unset[i/64]&(1<<(i%64)) != 0 {
			count++
		}
	}
	return count
}

// forget drops what was done to the bytes.
func (s *sanitizer) forget(from uintptr, n int) {
	for a := from &^ 3; a < from+uintptr(n); a += 4 {
		w := &s.page(a).words[a%pageBytes/4]
		*w = (*w)[:0]
	}
}
