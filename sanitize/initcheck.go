package sanitize

import (
	"fmt"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
)

// A suspect is a read of bytes that were never written. It is no fault of its own if a write in the program races with it: then
// it is chance that the read came first.
type suspect struct {
	launch *launchState
	block  *blockState
	space  string // global or shared
	site   int
	size   int
	what   access
	thread Thread
	where  string
	gone   bool
}

// mostSuspects is how many are kept at a time.
const mostSuspects = 1 << 20

// initialised looks at an access where there may be bytes that were never written.
func (s *sanitizer) initialised(w *who, site int, kind probe.Kind, addr uintptr, n int) {
	if kind != probe.KindStore && s.unsetBytes(addr, n) > 0 && !s.isPadding(site, addr, n) {
		if w.st == nil {
			s.hostInit(site, kind, addr, n)
			return
		}
		space := "global"
		if w.st.sharedAt(addr) >= 0 {
			space = "shared"
		}
		if s.settings.Init && !w.st.faulty && (s.settings.InitSpace == "" || s.settings.InitSpace == space) {
			if s.suspected >= mostSuspects {
				s.judge(func(suspect) bool { return true })
			}
			s.suspected++
			k := addr &^ 3
			s.suspects[k] = append(s.suspects[k], suspect{
				launch: w.l, block: w.st, space: space, site: site, size: n, what: access{w.stamp, whatOf(site, kind, 15)},
				thread: w.thread(), where: s.where(w, addr),
			})
			s.order = append(s.order, k)
		}
	}
	if kind != probe.KindLoad {
		s.setUnset(addr, n, false)
		s.noteWriter(w, addr)
	}
}

// isPadding reports whether the bytes that were never written are in gaps between fields.
func (s *sanitizer) isPadding(site int, addr uintptr, n int) bool {
	if site < 0 || site >= len(s.sites) || len(s.sites[site].Padding) == 0 {
		return false
	}
	unset := s.unsetBytes(addr, n)
	for _, gap := range s.sites[site].Padding {
		if gap[1] <= n {
			unset -= s.unsetBytes(addr+uintptr(gap[0]), gap[1]-gap[0])
		}
	}
	return unset == 0
}

// acquit drops suspect reads with which a write races.
func (s *sanitizer) acquit(w *who, addr uintptr) {
	list := s.suspects[addr&^3]
	for i := range list {
		if !s.before(list[i].what.stamp, w) {
			list[i].gone = true
		}
	}
}

// judge reports the suspects that are left of those that f picks.
func (s *sanitizer) judge(f func(suspect) bool) {
	if len(s.order) == 0 {
		return
	}
	rest := s.order[:0]
	for _, k := range s.order {
		list := s.suspects[k]
		if len(list) == 0 {
			continue
		}
		x := list[0] // in the order of the program's run, as order has an entry for each
		if !f(x) {
			rest = append(rest, k)
			list = append(list[1:], x)
			s.suspects[k] = list
			continue
		}
		s.suspects[k] = list[1:]
		if len(list) == 1 {
			delete(s.suspects, k)
		}
		s.suspected--
		if x.gone || x.block.faulty {
			continue
		}
		g := s.report(x.launch, findingKey{tool: "init", kind: "__" + x.space + "__", first: x.site, other: -1}, SeverityError)
		g.Count++
		g.note(x.thread)
		if g.Text == "" {
			g.Text = fmt.Sprintf("Uninitialized __%s__ read of size %d bytes", x.space, x.size)
			g.Where = x.where
		}
	}
	s.order = rest
}

// hostInit is an access of the host where nothing is under way.
func (s *sanitizer) hostInit(site int, kind probe.Kind, addr uintptr, n int) {
	if s.unset == 0 {
		return
	}
	if kind != probe.KindLoad {
		s.setUnset(addr, n, false)
		return
	}
	if !s.settings.Init || s.settings.InitSpace == "shared" {
		return
	}
	p := s.allocation(addr)
	if p == nil || p.gone != nil || p.noted || p.writtenBy == "" {
		return
	}
	s.hostWrites(p)
	count := s.unsetBytes(addr, n)
	if count == 0 || p.stride > 0 && n > p.width {
		return
	}
	p.noted = true
	first, last := addr+uintptr(n), addr
	for a := addr; a < addr+uintptr(n); a++ {
		if s.unsetBytes(a, 1) > 0 {
			first, last = min(first, a), max(last, a)
		}
	}
	place := s.place(site)
	if site < 0 {
		place = hostPlace()
	}
	f := &finding{Finding: Finding{
		Tool: "init", Kind: "unwritten", Severity: SeverityInfo, Count: count, Kernel: p.writtenBy, Launch: p.launch, First: place, Other: p.place,
		Text: fmt.Sprintf("Elements never written: %d of %d bytes that the host reads, the first %d and the last %d bytes from the start of the allocation; is the grid too small?",
			count, n, first-p.from, last-p.from),
	}}
	s.write(f.Finding)
}

// noteWriter notes which kernel writes to an allocation.
func (s *sanitizer) noteWriter(w *who, addr uintptr) {
	if w.st == nil {
		return
	}
	if p := s.allocation(addr); p != nil && p.writtenBy == "" {
		p.writtenBy, p.launch = w.l.kernel, w.l.id
	}
}

// poison is what new memory holds: a byte that depends on the address, so that what the host writes differs from it.
func poison(a uintptr) byte { return byte((uint64(a) * 0x9e3779b97f4a7c15) >> 56) }

// eachAllocation calls f for the device memory that is in use.
func (s *sanitizer) eachAllocation(f func(*piece)) {
	for _, p := range s.allocs {
		f(p)
	}
	for _, p := range s.streamed {
		if p.ready != nil && p.gone == nil {
			f(p)
		}
	}
}

// hostWrites finds what was written to an allocation out of sight: words of which a byte that is taken for undefined is not the
// poison any more.
func (s *sanitizer) hostWrites(a *piece) {
	data := unsafe.Slice((*byte)(a.keep), a.n)
	for i := 0; i < a.n; i += 4 {
		pg := s.page(a.from + uintptr(i))
		if pg.unset == 0 {
			i += int(pageBytes-(a.from+uintptr(i))%pageBytes) &^ 3
			i -= 4
			continue
		}
		for k := i; k < min(i+4, a.n); k++ {
			if at := a.from + uintptr(k); data[k] != poison(at) && pg.words[at%pageBytes/4][0].what>>(at&3)&1 != 0 {
				s.setUnset(a.from+uintptr(i), min(4, a.n-i), false)
				break
			}
		}
	}
}

// noteUnused writes how much of each allocation was never written so far; the last word on each counts.
func (s *sanitizer) noteUnused() {
	s.eachAllocation(s.noteUnusedOf)
}

func (s *sanitizer) noteUnusedOf(p *piece) {
	s.hostWrites(p)
	s.write(Finding{Tool: "unused", Kind: fmt.Sprint(p.id), Count: s.unsetBytes(p.from, p.n), Bytes: p.n, First: p.place})
}
