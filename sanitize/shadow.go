package sanitize

import (
	"slices"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
)

// Shadow memory: the last accesses to each word of 4 bytes, and which bytes have never been
// written. Its pages are made when first touched. A word has room for two accesses, which takes 32
// bytes; the accesses of a word with more are in a crowd.

const (
	pageBytes = 1 << 12
	pageWords = pageBytes / 4
)

type page struct {
	key     uintptr
	words   *[pageWords]word // apart, so that it takes a size that the allocator has
	special bool             // has memory that was freed, or padding
	unset   int              // bytes that have not been written
}

// A word is the last accesses to 4 bytes. The four lowest bits of the first one's what say which
// bytes were never written.
type word [2]access

// An access is what a thread did to some bytes of a word.
type access struct {
	stamp
	what uint32 // the site, the bytes, and the kind
}

const (
	unsetMask = 15
	kindShift = 4
	maskShift = 6
	siteShift = 10
	mostSites = 1<<(32-siteShift) - 1
	crowded   = 1<<32 - 1 // who, of the second access: its block is an index in the list of crowds
)

func whatOf(site int, kind probe.Kind, mask uint8) uint32 {
	return uint32(min(site, mostSites))<<siteShift | uint32(mask)<<maskShift | uint32(kind)<<kindShift
}

func (a *access) site() int        { return int(a.what >> siteShift) }
func (a *access) kind() probe.Kind { return probe.Kind(a.what >> kindShift & 3) }
func (a *access) mask() uint8      { return uint8(a.what >> maskShift & 15) }
func (a *access) writes() bool     { return a.kind() != probe.KindLoad }

// A crowd is the accesses to a word that has more than two.
type crowd struct {
	list []access
	// Further accesses with this what in this phase, of this warp or of any, need no check: see
	// raceWord.
	settled struct {
		phase uint64
		what  uint32
		warp  int32 // -1 for any
	}
}

// conflicts reports whether two accesses of these kinds to the same byte must be ordered.
func conflicts(k, l probe.Kind) bool {
	if k == probe.KindAtomic && l == probe.KindAtomic {
		return false
	}
	return k != probe.KindLoad || l != probe.KindLoad
}

// cachedPages is how many pages are found without the map.
const cachedPages = 256

func (s *sanitizer) page(addr uintptr) *page {
	k := addr / pageBytes
	slot := &s.cache[k%cachedPages]
	if p := *slot; p != nil && p.key == k {
		return p
	}
	p := s.pages[k]
	if p == nil {
		if last := len(s.spare) - 1; last >= 0 {
			p = s.spare[last]
			s.spare = s.spare[:last]
		} else {
			p = &page{words: new([pageWords]word)}
		}
		p.key = k
		s.pages[k] = p
	}
	*slot = p
	return p
}

// entries returns the accesses to a word.
func (s *sanitizer) entries(w *word) []access {
	switch {
	case w[1].who == crowded:
		return s.crowds[w[1].block].list
	case w[1].who != 0:
		return w[:2]
	case w[0].who != 0:
		return w[:1]
	}
	return nil
}

// setEntries makes list the accesses to a word.
func (s *sanitizer) setEntries(w *word, list []access) {
	unset := w[0].what & unsetMask
	if w[1].who == crowded || len(list) > 2 {
		if w[1].who != crowded {
			n := len(s.crowds)
			if last := len(s.spareCrowds) - 1; last >= 0 {
				n = int(s.spareCrowds[last])
				s.spareCrowds = s.spareCrowds[:last]
			} else {
				s.crowds = append(s.crowds, &crowd{})
			}
			w[0] = access{what: unset}
			w[1] = access{stamp: stamp{who: crowded, block: uint32(n)}}
		}
		c := s.crowds[w[1].block]
		c.list = append(c.list[:0], list...)
		c.settled.phase = 0
		return
	}
	var now word
	copy(now[:], list)
	now[0].what = now[0].what&^unsetMask | unset
	*w = now
}

// clearWord forgets the accesses to a word.
func (s *sanitizer) clearWord(w *word) {
	if w[1].who == crowded {
		n := w[1].block
		s.crowds[n].list = s.crowds[n].list[:0]
		s.crowds[n].settled.phase = 0
		s.spareCrowds = append(s.spareCrowds, n)
	}
	*w = word{{what: w[0].what & unsetMask}}
}

// forget drops what was done to the bytes.
func (s *sanitizer) forget(from uintptr, n int) {
	for a := from &^ 3; a < from+uintptr(n); {
		p := s.page(a)
		for ; a < from+uintptr(n) && a/pageBytes == p.key; a += 4 {
			if w := &p.words[a%pageBytes/4]; w[0].who != 0 || w[1].who != 0 {
				s.clearWord(w)
			}
		}
	}
}

// mostSpare is how many unused pages are kept: 32 MiB.
const mostSpare = 1 << 10

// forgetAll drops all accesses. What was never written stays so.
func (s *sanitizer) forgetAll() {
	s.cache = [cachedPages]*page{}
	s.crowds, s.spareCrowds = s.crowds[:0], s.spareCrowds[:0]
	for k, p := range s.pages {
		if p.special || p.unset > 0 {
			for i := range p.words {
				p.words[i] = word{{what: p.words[i][0].what & unsetMask}}
			}
			continue
		}
		delete(s.pages, k)
		if len(s.spare) < mostSpare {
			clear(p.words[:])
			*p = page{words: p.words}
			s.spare = append(s.spare, p)
		}
	}
}

// setUnset notes that bytes have, or have not, been written.
func (s *sanitizer) setUnset(from uintptr, n int, unset bool) {
	if !unset && s.unset == 0 {
		return
	}
	for a := from; a < from+uintptr(n); {
		p := s.page(a)
		end := min(from+uintptr(n), (p.key+1)*pageBytes)
		if !unset && p.unset == 0 {
			a = end
			continue
		}
		for a < end {
			w := &p.words[a%pageBytes/4]
			lo, hi := a&3, min(4, end-a&^3)
			mask := uint32(1<<hi - 1<<lo)
			old := w[0].what & unsetMask
			now := old | mask
			if !unset {
				now = old &^ mask
			}
			if now != old {
				d := popcount(now) - popcount(old)
				p.unset += d
				s.unset += d
				w[0].what = w[0].what&^unsetMask | now
			}
			a = a&^3 + 4
		}
	}
}

// bytesOf returns which bytes of the word at a are among the n at addr, as a mask.
func bytesOf(a, addr uintptr, n int) uint8 {
	lo, hi := max(a, addr)-a, min(a+4, addr+uintptr(n))-a
	return 1<<hi - 1<<lo
}

func popcount(mask uint32) int {
	return int("\x00\x01\x01\x02\x01\x02\x02\x03\x01\x02\x02\x03\x02\x03\x03\x04"[mask&15])
}

// unsetBytes returns how many of the bytes have not been written.
func (s *sanitizer) unsetBytes(from uintptr, n int) int {
	if s.unset == 0 {
		return 0
	}
	count := 0
	for a := from &^ 3; a < from+uintptr(n); a += 4 {
		p := s.page(a)
		if p.unset == 0 {
			a = (p.key+1)*pageBytes - 4
			continue
		}
		count += popcount(p.words[a%pageBytes/4][0].what & uint32(bytesOf(a, from, n)))
	}
	return count
}

// A piece is a range of addresses.
type piece struct {
	from  uintptr
	n     int
	keep  unsafe.Pointer // of device memory, so that nothing else gets the address
	id    int
	place Place // where it was allocated
	freed Place // likewise

	width, stride int // of rows with padding, in bytes; 0 if there are none

	// In the order of a stream: when it came to the allocation and to the free; nil before.
	ordered     bool
	ready, gone *launchState

	writtenBy string // the first kernel that wrote to it, and its launch
	launch    int
	noted     bool // that the host reads what nobody wrote
}

func (p *piece) has(a uintptr) bool { return a >= p.from && a-p.from < uintptr(p.n) }

// A pieceList is disjoint pieces in the order of their addresses.
type pieceList []*piece

func (l pieceList) search(a uintptr) int {
	i, _ := slices.BinarySearchFunc(l, a, func(p *piece, a uintptr) int {
		if p.from+uintptr(p.n) <= a {
			return -1
		}
		return 1
	})
	return i
}

// find returns the piece that has the address, or nil.
func (l pieceList) find(a uintptr) *piece {
	if i := l.search(a); i < len(l) && l[i].has(a) {
		return l[i]
	}
	return nil
}

// add puts p in its place. It returns pieces that were in the way.
func (l *pieceList) add(p *piece) (gone []*piece) {
	from := l.search(p.from)
	to := from
	for to < len(*l) && (*l)[to].from < p.from+uintptr(p.n) {
		to++
	}
	gone = slices.Clone((*l)[from:to])
	*l = slices.Replace(*l, from, to, p)
	return gone
}

// remove drops the piece that begins at the address and returns it.
func (l *pieceList) remove(from uintptr) *piece {
	p := l.find(from)
	if p == nil || p.from != from {
		return nil
	}
	i := l.search(from)
	*l = slices.Delete(*l, i, i+1)
	return p
}
