package sanitize

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
	"github.com/gocuda/gocuda/internal/observe"
)

// Alloc notes device memory, whose contents are undefined.
func (s *sanitizer) Alloc(a *observe.Allocation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids++
	p := &piece{from: uintptr(a.Ptr), n: a.Bytes, keep: a.Ptr, place: hostPlace(), ordered: a.Ordered, id: s.ids}
	a.Tool = p
	if s.settings.Leaks {
		s.write(Finding{Tool: "leak", Kind: "alloc", Text: fmt.Sprint(p.id), Count: p.n, First: p.place})
	}
	if p.ordered {
		s.streamed = append(s.streamed, p)
		s.mark(p)
		return // earlier work of the stream may still use the memory
	}
	s.allocs.add(p)
	s.undefine(p)
	s.watch()
}

// undefine makes the contents of a piece undefined.
func (s *sanitizer) undefine(p *piece) {
	for i := range p.n {
		*(*byte)(unsafe.Add(p.keep, i)) = poison(p.from + uintptr(i))
	}
	s.forget(p.from, p.n)
	s.setUnset(p.from, p.n, true)
	if s.settings.Unused {
		s.noteUnusedOf(p)
	}
}

// mark marks the pages of a piece as special, so that accesses to them are checked.
func (s *sanitizer) mark(p *piece) {
	for k := p.from / pageBytes; k <= (p.from+uintptr(p.n)-1)/pageBytes; k++ {
		s.page(k * pageBytes).special = true
	}
}

func (s *sanitizer) Pitch(a *observe.Allocation, width, stride int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, _ := a.Tool.(*piece); p != nil && width < stride {
		p.width, p.stride = width, stride
		s.mark(p)
	}
}

// Ready notes that the stream whose goroutine this is has come to an allocation.
func (s *sanitizer) Ready(a *observe.Allocation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, _ := a.Tool.(*piece)
	if p == nil {
		return
	}
	p.ready = s.outside(observe.CurrentActor())
	s.streamed = slices.DeleteFunc(s.streamed, func(o *piece) bool { // the pool's memory comes back
		return o != p && o.gone != nil && o.from < p.from+uintptr(p.n) && p.from < o.from+uintptr(o.n)
	})
	s.undefine(p)
	s.watch()
}

// Free notes that memory is freed: at once, or in the order of a stream that is yet to come to it.
func (s *sanitizer) Free(a *observe.Allocation, later bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, _ := a.Tool.(*piece)
	if p == nil {
		return
	}
	p.freed = hostPlace()
	if s.settings.Leaks {
		s.write(Finding{Tool: "leak", Kind: "free", Text: fmt.Sprint(p.id), Count: p.n})
	}
	if !later {
		s.gone(p)
	}
}

// Gone notes that the stream whose goroutine this is has come to a free.
func (s *sanitizer) Gone(a *observe.Allocation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, _ := a.Tool.(*piece); p != nil {
		s.gone(p)
	}
}

// gone is called when the memory can't be used any more.
func (s *sanitizer) gone(p *piece) {
	if s.settings.Unused {
		s.noteUnusedOf(p)
	}
	p.gone = s.outside(observe.CurrentActor())
	if s.busy() {
		s.freeUnderWay(p, p.gone)
	}
	s.setUnset(p.from, p.n, false)
	if !p.ordered {
		s.allocs.remove(p.from)
		s.freed.add(p)
		s.mark(p)
		for s.kept += p.n; s.kept > mostKept && len(s.freed) > 1; s.freed = s.freed[1:] {
			s.kept -= s.freed[0].n
		}
	}
	s.watch()
}

// mostKept is how many bytes of freed memory are kept, so that their use is found.
const mostKept = 256 << 20

// allocation returns the device memory that has an address: what is in use, else what is not ready
// yet or gone.
func (s *sanitizer) allocation(addr uintptr) *piece {
	if p := s.allocs.find(addr); p != nil {
		return p
	}
	var other *piece
	for _, p := range s.streamed {
		if !p.has(addr) {
			continue
		}
		if p.ready != nil && p.gone == nil {
			return p
		}
		other = p
	}
	if other == nil {
		return s.freed.find(addr)
	}
	return other
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
			f := s.report(o, findingKey{tool: "mem", kind: "freed", first: x.site(), other: -1, text: p.freed.String()}, SeverityError)
			f.note(s.thread(x.stamp))
			f.Other = p.freed
			f.Text = fmt.Sprintf("Invalid __global__ access: the allocation of %d bytes is freed by what the launch is not ordered with", p.n)
		}
	}
}

// FreeAgain reports that memory is freed which was freed before.
func (s *sanitizer) FreeAgain(a *observe.Allocation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, _ := a.Tool.(*piece)
	if !s.settings.Mem || p == nil {
		return
	}
	f := &finding{Finding: Finding{
		Tool: "mem", Kind: "double-free", Severity: SeverityError, Count: 1, First: hostPlace(),
		Text:  fmt.Sprintf("Invalid free: the allocation of %d bytes was freed before", p.n),
		Other: p.freed,
	}}
	s.total++
	s.write(f.Finding)
}

// inMemory checks an access to a special page for memory that was freed, that is padding, or that a
// stream has yet to allocate.
func (s *sanitizer) inMemory(w *who, site int, kind probe.Kind, addr uintptr, n int) {
	word := strings.ToLower(kind.String())
	p := s.allocation(addr)
	if p == nil || w.l == nil {
		return
	}
	if p.gone != nil {
		text := fmt.Sprintf("Invalid __global__ %s of size %d bytes: the allocation of %d bytes was freed", word, n, p.n)
		if !w.l.after(p.gone) {
			text += " by what the launch is not ordered with"
		}
		f := s.report(w.l, findingKey{tool: "mem", kind: "freed", first: site, other: -1, text: p.freed.String()}, SeverityError)
		f.note(w.thread())
		f.Text, f.Other = text, p.freed
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
	if p := s.allocation(addr); p != nil {
		return fmt.Sprintf("byte %d of the allocation at %v", addr-p.from, p.place)
	}
	return ""
}
