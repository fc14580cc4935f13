package sanitize

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
	"github.com/gocuda/gocuda/internal/observe"
)

// Alloc notes device memory, whose contents are undefined.
func (s *sanitizer) Alloc(p unsafe.Pointer, n int, ordered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := uintptr(p)
	for i := range n {
		*(*byte)(unsafe.Add(p, i)) = poison(from + uintptr(i))
	}
	s.ids++
	a := &piece{from: from, n: n, keep: p, place: hostPlace(), ordered: ordered, id: s.ids}
	for _, old := range s.freed.add(a) { // memory of a pool comes back
		s.kept -= old.n
	}
	s.freed.remove(from)
	s.allocs.add(a)
	s.mark(a, ordered)
	s.forget(from, n)
	s.setUnset(from, n, false)
	s.setUnset(from, n, true)
	if s.settings.Leaks {
		s.write(Finding{Tool: "leak", Kind: "alloc", Text: fmt.Sprint(a.id), Count: n, First: a.place})
	}
	if s.settings.Unused {
		s.noteUnusedOf(a)
	}
	s.watch()
}

// mark makes accesses to a piece be looked at, or no more.
func (s *sanitizer) mark(p *piece, special bool) {
	for k := p.from / pageBytes; k <= (p.from+uintptr(p.n)-1)/pageBytes; k++ {
		if pg := s.page(k * pageBytes); special {
			pg.special = true
		}
	}
}

func (s *sanitizer) Pitch(addr uintptr, width, stride int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.allocs.find(addr); p != nil && width < stride {
		p.width, p.stride = width, stride
		s.mark(p, true)
	}
}

// Ready notes that the stream whose goroutine this is has come to an allocation.
func (s *sanitizer) Ready(addr uintptr, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.allocs.find(addr); p != nil {
		p.ready = s.outside(observe.CurrentActor())
		return
	}
	if p := s.freed.find(addr); p != nil { // freed already, as far as the host is concerned
		p.ready = s.outside(observe.CurrentActor())
	}
}

// Free notes that memory is freed: at once, or in the order of a stream that is yet to come to it.
func (s *sanitizer) Free(addr uintptr, n int, ordered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.allocs.remove(addr)
	if p == nil {
		return
	}
	if s.settings.Unused {
		s.noteUnusedOf(p)
	}
	p.freedAt = hostPlace()
	p.later = ordered
	s.freed.add(p)
	s.kept += p.n
	s.setUnset(addr, n, false)
	s.mark(p, true)
	for s.kept > mostKept && len(s.freed) > 1 {
		s.kept -= s.freed[0].n
		s.freed = s.freed[1:]
	}
	if s.settings.Leaks {
		s.write(Finding{Tool: "leak", Kind: "free", Text: fmt.Sprint(p.id), Count: n})
	}
	if !ordered && s.busy() {
		s.freeUnderWay(p, s.outside(observe.CurrentActor()))
	}
	s.watch()
}

// mostKept is how many bytes of freed memory are kept, so that their use is found.
const mostKept = 256 << 20

// Gone notes that the stream whose goroutine this is has come to a free.
func (s *sanitizer) Gone(addr uintptr, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.freed.find(addr)
	if p == nil || p.from != addr {
		return
	}
	l := s.outside(observe.CurrentActor())
	p.gone, p.later = l, false
	s.freeUnderWay(p, l)
}

// freeUnderWay reports accesses to a piece that do not come before its free.
func (s *sanitizer) freeUnderWay(p *piece, l *launchState) {
	if !s.settings.Mem {
		return
	}
	for a := p.from; a < p.from+uintptr(p.n); a += 4 {
		for _, x := range s.entries(&s.page(a).words[a%pageBytes/4]) {
			o := s.launches[x.launch()-1]
			if l.after(o) || o.host {
				continue
			}
			f := s.report(o, findingKey{tool: "mem", kind: "freed", first: x.site(), other: -1, text: p.freedAt.String()}, SeverityError)
			f.note(s.thread(x.stamp))
			f.Other = p.freedAt
			f.Text = fmt.Sprintf("Invalid __global__ access: the allocation of %d bytes is freed by what the launch is not ordered with", p.n)
		}
	}
}

// FreeAgain reports that memory is freed which was freed before.
func (s *sanitizer) FreeAgain(addr uintptr, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.settings.Mem {
		return
	}
	f := &finding{Finding: Finding{
		Tool: "mem", Kind: "double-free", Severity: SeverityError, Count: 1, First: hostPlace(),
		Text: fmt.Sprintf("Invalid free: the allocation of %d bytes was freed before", n),
	}}
	if p := s.freed.find(addr); p != nil {
		f.Other = p.freedAt
	}
	s.total++
	s.write(f.Finding)
}

// inMemory looks at an access to memory of which some was freed, is padding or has to be waited for.
func (s *sanitizer) inMemory(w *who, site int, kind probe.Kind, addr uintptr, n int) {
	word := strings.ToLower(kind.String())
	if p := s.freed.find(addr); p != nil && w.l != nil {
		// In the order of a stream, work that was queued before may still use the memory.
		if p.gone != nil && w.l != p.gone && p.gone.after(w.l) || p.later {
			return
		}
		kind, text := "freed", fmt.Sprintf("Invalid __global__ %s of size %d bytes: the allocation of %d bytes was freed", word, n, p.n)
		if p.gone != nil && !w.l.after(p.gone) {
			text += " by a stream that the launch is not ordered with"
		}
		f := s.report(w.l, findingKey{tool: "mem", kind: kind, first: site, other: -1, text: p.freedAt.String()}, SeverityError)
		f.note(w.thread())
		f.Text, f.Other = text, p.freedAt
		return
	}
	p := s.allocs.find(addr)
	if p == nil || w.l == nil {
		return
	}
	if p.ordered && (p.ready == nil || !w.l.after(p.ready)) {
		f := s.report(w.l, findingKey{tool: "mem", kind: "early", first: site, other: -1, text: p.place.String()}, SeverityError)
		f.note(w.thread())
		f.Text = fmt.Sprintf("Invalid __global__ %s of size %d bytes: the launch is not ordered after the stream's allocation", word, n)
		f.Other = p.place
	}
	if p.stride > 0 && w.st != nil {
		if at := int(addr-p.from) % p.stride; at+n > p.width {
			f := s.report(w.l, findingKey{tool: "mem", kind: "padding", first: site, other: -1}, SeverityError)
			f.note(w.thread())
			f.Where = s.where(w, addr)
			f.Text = fmt.Sprintf("Invalid __global__ %s of size %d bytes in the padding of a row: %d bytes after its %d bytes", word, n, at-p.width, p.width)
		}
	}
}

// Misaligned reports an access to an address that the type does not allow.
func (s *sanitizer) Misaligned(b *probe.Block, rank, site int, kind probe.Kind, p unsafe.Pointer, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := state(b)
	if !s.settings.Mem || st.clock.launch.off {
		return
	}
	w := who{b: b, st: st, l: st.clock.launch, rank: rankOf(b, rank)}
	space := "global"
	if st.sharedAt(uintptr(p)) >= 0 {
		space = "shared"
	}
	f := s.report(w.l, findingKey{tool: "mem", kind: "misaligned", first: site, other: -1}, SeverityError)
	f.note(w.thread())
	f.Where = s.where(&w, uintptr(p))
	f.Text = fmt.Sprintf("Invalid __%s__ %s of size %d bytes: the address is misaligned", space, strings.ToLower(kind.String()), n)
}

// where says what memory an address is of, if that is known: a shared array or an allocation.
func (s *sanitizer) where(w *who, addr uintptr) string {
	if w.st != nil {
		if i := w.st.sharedAt(addr); i >= 0 {
			return fmt.Sprintf("byte %d of shared array %d", addr-w.st.shared[i].from, i)
		}
	}
	if p := s.allocs.find(addr); p != nil {
		return fmt.Sprintf("byte %d of the allocation at %v", addr-p.from, p.place)
	}
	return ""
}
