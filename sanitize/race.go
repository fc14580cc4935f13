package sanitize

import (
	"bytes"
	"cmp"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
)

// comesFirst reports whether the place of x is before that of y in the program: by line, and in a
// line a load before a store.
func (s *sanitizer) comesFirst(x, y access) bool {
	p, q := s.sites[x.site()], s.sites[y.site()]
	switch {
	case p.File != q.File:
		return p.File < q.File
	case p.Line != q.Line:
		return p.Line < q.Line
	case x.writes() != y.writes():
		return !x.writes()
	}
	return p.Col < q.Col
}

// For each place of the source, a word keeps the accesses of two blocks, of two warps in each, and
// of two lanes in each. An access that conflicts with one that is not kept conflicts in the same
// way with one that is, as long as all threads take part in every barrier and warp operation. Once
// something has ordered some of the threads only, a word keeps the accesses of all threads of a
// block.
const (
	mostLanes = 2
	mostSame  = 4 // of a block
)

// raceWord compares an access with those that the word has, and adds it.
func (s *sanitizer) raceWord(w *who, word *word, what uint32, p unsafe.Pointer) {
	first := &word[0]
	if first.what&^unsetMask == what && first.stamp == w.stamp && word[1].who == 0 {
		return // again
	}
	var c *crowd
	if word[1].who == crowded {
		c = s.crowds[word[1].block]
		if w.st != nil && c.settled.phase == w.st.phase && c.settled.what == what &&
			(c.settled.warp < 0 || c.settled.warp == int32(w.rank/32)) {
			return
		}
	}
	now := access{w.stamp, what}
	kind, mask := now.kind(), now.mask()
	old := s.entries(word)
	var room [8]access
	list := room[:0]
	lanes, same := 0, 0
	other, others := uint32(0), 0 // blocks
	certain := w.st != nil        // no thread of the block, in this phase, conflicts with what is there
	for i := range old {
		x := old[i]
		x.what &^= unsetMask
		ordered := s.before(x.stamp, w)
		if conflicts(x.kind(), kind) && x.mask()&mask != 0 {
			if !ordered {
				s.race(w, x, now, p, x.mask()&mask)
				certain = false
			} else if certain && !w.st.clock.beforeAll(s, x.stamp) {
				certain = false
			}
		}
		if ordered && x.mask()&^mask == 0 && (kind != probe.KindLoad && kind != probe.KindAtomic || x.kind() == kind) {
			continue // whoever conflicts with the old one conflicts with the new one
		}
		if x.what == what && x.launch() == now.launch() {
			switch {
			case x.block != now.block:
				if others == 0 || x.block != other {
					others++
					other = x.block
				}
			case x.rank()/32 == now.rank()/32:
				lanes++
				same++
			default:
				same++
			}
		}
		list = append(list, x)
	}
	packed := (lanes >= mostLanes || same >= mostSame) && !(w.st != nil && w.l.partial)
	full := packed || others > 1 || others == 1 && same > 0
	if !full {
		list = append(list, now)
	}
	if full && len(list) == len(old) {
		if c != nil && certain {
			c.settled.phase, c.settled.what, c.settled.warp = w.st.phase, what, int32(w.rank/32)
			if lanes < mostLanes {
				c.settled.warp = -1
			}
		}
		return
	}
	s.setEntries(word, list)
}

// race reports a conflict between two threads.
func (s *sanitizer) race(w *who, old, now access, p unsafe.Pointer, mask uint8) {
	x, y := old, now
	if s.comesFirst(now, old) || now.site() == old.site() && now.kind() == old.kind() && s.isLess(now.stamp, old.stamp) {
		x, y = y, x
	}
	kind := "WAW"
	switch {
	case x.writes() && !y.writes():
		kind = "RAW"
	case !x.writes():
		kind = "WAR"
	}
	severity := SeverityError
	if old.launch() == now.launch() && old.block == now.block && old.rank()/32 == now.rank()/32 && w.st != nil {
		severity = SeverityWarning
	}
	lx, ly := s.launches[x.launch()-1], s.launches[y.launch()-1]
	k := findingKey{tool: "race", kind: kind, first: x.site(), other: y.site()}
	home := w.l
	if home.host && lx != ly {
		home = lx
		if lx.host {
			home = ly
		}
		if home.findings == nil || home.ended {
			home = w.l
		}
	}
	f := s.report(home, k, SeverityInfo)
	if f.bytes == nil {
		f.bytes = map[byteKey]uint8{}
		f.Access = [2]string{x.kind().String(), y.kind().String()}
		f.Kernel, f.Launch = lx.kernel, lx.id
		if lx != ly {
			f.OtherKernel, f.OtherLaunch = ly.kernel, ly.id
		}
	}
	// Launches that nothing orders run at the same time, and so do the blocks of cooperative ones.
	// So that two reports are the same, the first threads are named.
	if len(f.bytes) == 0 || (lx != ly || x.block != y.block) && (s.isLess(x.stamp, f.pair[0]) || x.stamp == f.pair[0] && s.isLess(y.stamp, f.pair[1])) {
		f.Threads, f.pair = [2]Thread{s.thread(x.stamp), s.thread(y.stamp)}, [2]stamp{x.stamp, y.stamp}
		f.Where = s.where(w, uintptr(p))
	}
	at := byteKey{addr: uintptr(p) &^ 3}
	if w.st != nil && w.st.sharedAt(at.addr) >= 0 {
		at.block = w.stamp.block + 1
	}
	if fresh := mask &^ f.bytes[at]; fresh != 0 {
		f.bytes[at] |= mask
		f.Count += popcount(uint32(fresh))
		for i := 0; i < 4 && len(f.Hazards) < s.settings.Hazards; i++ {
			if fresh>>i&1 != 0 {
				f.Hazards = append(f.Hazards, Hazard{
					Kind: kind, Where: s.where(w, uintptr(p)&^3+uintptr(i)), Threads: [2]Thread{s.thread(x.stamp), s.thread(y.stamp)},
				})
			}
		}
	}
	if old.kind() != probe.KindStore || now.kind() != probe.KindStore || w.st == nil || lx != ly {
		f.Severity = max(f.Severity, severity)
		return
	}
	if f.Severity >= severity {
		return
	}
	s.pending = append(s.pending, pendingWrite{f, p, bytes.Clone(unsafe.Slice((*byte)(p), 4)), w.b, w.rank, severity})
}

// isLess orders stamps by launch, block and thread.
func (s *sanitizer) isLess(x, y stamp) bool {
	if x.launch() != y.launch() {
		return s.launches[x.launch()-1].id < s.launches[y.launch()-1].id
	}
	return cmp.Or(cmp.Compare(x.block, y.block), x.rank()-y.rank()) < 0
}

// byteKey is 4 bytes: of global memory, or of the shared memory of a block, whose number plus 1 it has.
type byteKey struct {
	addr  uintptr
	block uint32
}

// sharedAt returns the number of the shared array that has the address, or -1.
func (st *blockState) sharedAt(addr uintptr) int {
	for i := range st.shared {
		if st.shared[i].has(addr) {
			return i
		}
	}
	return -1
}

// pendingWrite is a race between two writes of which it is not yet known whether they write the
// same value.
type pendingWrite struct {
	f   *finding
	p   unsafe.Pointer
	old []byte

	block     *probe.Block // of the thread that writes
	rank      int
	ifDiffers Severity
}

// flush looks at stores of a block that have taken place since.
func (s *sanitizer) flush(b *probe.Block) {
	s.flushIf(func(p *pendingWrite) bool { return p.block == b })
}

func (s *sanitizer) flushIf(f func(*pendingWrite) bool) {
	if len(s.pending) == 0 {
		return
	}
	rest := s.pending[:0]
	for i := range s.pending {
		p := &s.pending[i]
		if !f(p) {
			rest = append(rest, *p)
		} else if !bytes.Equal(unsafe.Slice((*byte)(p.p), len(p.old)), p.old) {
			p.f.Severity = max(p.f.Severity, p.ifDiffers)
		}
	}
	s.pending = rest
}

// settle is flush before an access. The event of a store comes before the loads of its right side.
// So a pending store of the same thread waits until another thread of the block goes on, or until
// the thread writes there again.
func (s *sanitizer) settle(b *probe.Block, rank int, kind probe.Kind, addr uintptr, n int) {
	rank = rankOf(b, rank)
	s.flushIf(func(p *pendingWrite) bool {
		at := uintptr(p.p)
		again := kind != probe.KindLoad && addr < at+uintptr(len(p.old)) && at < addr+uintptr(n)
		return p.block == b && (p.rank != rank || again)
	})
}
