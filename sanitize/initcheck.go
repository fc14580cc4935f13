package sanitize

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
)

// A suspect is a read of bytes that were never written. If a write in the program races with it, it
// is not reported: then the read came first by chance, and the race is the mistake.
type suspect struct {
	launch *launchState
	block  *blockState
	space  string // global or shared
	site   int
	size   int
	what   access
	thread Thread
	where  string
	gone   bool // a write races with it, or it was judged
}

// A suspectWord is the bytes of a word that a suspect reads and that were never written.
type suspectWord struct {
	*suspect
	mask uint8
}

// mostSuspects is how many words with suspects are kept at a time.
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
			s.suspect(suspect{
				launch: w.l, block: w.st, space: space, site: site, size: n, what: access{w.stamp, whatOf(site, kind, 15)},
				thread: w.thread(), where: s.where(w, addr),
			}, addr, n)
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

// suspect keeps a read of n bytes, some of which were never written.
func (s *sanitizer) suspect(x suspect, addr uintptr, n int) {
	s.order = append(s.order, &x)
	for a := addr &^ 3; a < addr+uintptr(n); a += 4 {
		if mask := uint8(s.page(a).words[a%pageBytes/4][0].what) & bytesOf(a, addr, n); mask != 0 {
			s.suspects[a] = append(s.suspects[a], suspectWord{&x, mask})
			s.suspected++
		}
	}
	if s.suspected >= mostSuspects {
		s.judge(func(*suspect) bool { return true })
	}
}

// acquit drops suspect reads of bytes to which w is about to write, if nothing orders the two.
func (s *sanitizer) acquit(w *who, kind probe.Kind, addr uintptr, n int) {
	for a := addr &^ 3; a < addr+uintptr(n); a += 4 {
		list := s.suspects[a]
		if list == nil {
			continue
		}
		left := list[:0]
		for _, x := range list {
			if !x.gone && x.mask&bytesOf(a, addr, n) != 0 && conflicts(x.what.kind(), kind) && !s.before(x.what.stamp, w) {
				x.gone = true
			}
			if !x.gone {
				left = append(left, x)
			}
		}
		s.suspected -= len(list) - len(left)
		if s.suspects[a] = left; len(left) == 0 {
			delete(s.suspects, a)
		}
	}
}

// judge reports the suspects that are left of those that f picks, in the order in which they came.
func (s *sanitizer) judge(f func(*suspect) bool) {
	rest := s.order[:0]
	for _, x := range s.order {
		switch {
		case x.gone:
		case !f(x):
			rest = append(rest, x)
		default:
			x.gone = true
			s.convict(x)
		}
	}
	clear(s.order[len(rest):])
	if s.order = rest; len(rest) == 0 && s.suspected > 0 {
		clear(s.suspects)
		s.suspected = 0
	}
}

// convict reports a suspect.
func (s *sanitizer) convict(x *suspect) {
	if x.block.faulty {
		return
	}
	g := s.report(x.launch, findingKey{tool: "init", kind: "__" + x.space + "__", first: x.site, other: -1}, SeverityError)
	g.Count++
	g.note(x.thread)
	if g.Text == "" {
		g.Text = fmt.Sprintf("Uninitialized __%s__ read of size %d bytes", x.space, x.size)
		g.Where = x.where
	}
}

// judgeLaunch judges the suspects of a launch that has ended. If something else is under way, it
// may still write what the launch has read. Then endEra judges, so that the report does not depend
// on which of the two was first.
func (s *sanitizer) judgeLaunch(l *launchState) {
	others := s.running > 1 || s.queued > 0
	for id := range s.outstanding {
		others = others || id != l.actor
	}
	if !others {
		s.judge(func(x *suspect) bool { return x.launch == l })
	}
}

// judgeAll judges all suspects that are left. Of launches that were under way together, either may
// have been first.
func (s *sanitizer) judgeAll() {
	if len(s.order) == 0 {
		return
	}
	slices.SortStableFunc(s.order, func(x, y *suspect) int {
		return cmp.Or(x.launch.id-y.launch.id, cmp.Compare(x.what.block, y.what.block))
	})
	s.judge(func(*suspect) bool { return true })
	s.flushLoose()
}

// hostInit checks an access of the host while nothing is under way.
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

// poison is what new memory holds: a byte that depends on the address, so that what the host writes
// differs from it.
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

// hostWrites finds writes to an allocation that the sanitizer did not see. They are in words with a
// byte that counts as undefined and no longer has the value of poison.
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
