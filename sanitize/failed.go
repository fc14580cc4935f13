package sanitize

import (
	"errors"
	"runtime"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt/probe"
)

// Failed reports what a kernel's panic says about memory or barriers. After a fault of a thread's
// own the others go on.
func (s *sanitizer) Failed(b *probe.Block, rank int, v any) (goOn bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err, ok := v.(error)
	st := state(b)
	l := st.clock.launch
	st.faulty = true
	if !ok || l.off {
		return false
	}
	rank = min(rankOf(b, rank), b.Threads)
	w := who{b: b, st: st, l: l, rank: rank}
	var fault runtime.Error
	site := st.threads[min(rank, len(st.threads)-1)].last
	switch {
	case errors.Is(err, gocuda.ErrInvalidMask), errors.Is(err, gocuda.ErrInactiveLane):
		if s.settings.Sync {
			s.report(l, findingKey{tool: "sync", kind: "arguments", first: site, other: -1, text: "Barrier error detected. Invalid arguments: " + withoutLane(err)}, SeverityError).note(w.thread())
		}
		return true
	case errors.Is(err, gocuda.ErrBarrierDivergence), errors.Is(err, gocuda.ErrWarpDivergence), errors.Is(err, gocuda.ErrBarrierDeadlock):
		if s.settings.Sync {
			other := -1
			for r := range st.threads { // who came first to a meeting of the same threads
				sameWarp := r/32 == rank/32 || errors.Is(err, gocuda.ErrBarrierDivergence)
				if at := st.threads[r].last; sameWarp && r != rank && at != site && st.threads[r].came {
					other = at
					break
				}
			}
			first := site
			if other >= 0 {
				first, other = other, site
			}
			s.report(l, findingKey{tool: "sync", kind: "divergence", first: first, other: other, text: "Barrier error detected. " + err.Error()}, SeverityError).note(w.thread())
		}
	case errors.As(err, &fault):
		if s.settings.Mem {
			f := s.report(l, findingKey{tool: "mem", kind: "bounds", first: -1, other: -1, text: panicPlace().String()}, SeverityError)
			f.First = s.siteOf(panicPlace())
			if f.Text = "Invalid access: " + strings.TrimPrefix(err.Error(), "runtime error: "); f.Count > 0 {
				f.Text = f.told
			}
			f.told = f.Text
			f.note(w.thread())
		}
		return true
	}
	return false
}

// withoutLane is the text of an error of a warp operation up to the lane, so that all lanes with
// the same mistake have one.
func withoutLane(err error) string {
	text, _, _ := strings.Cut(err.Error(), " in lane ")
	return text
}

// siteOf adds what the overlay knows of a place: the name of the file as the go command has it, and
// the expression if the line has just one that can be out of range.
func (s *sanitizer) siteOf(p Place) Place {
	n := 0
	found := p
	for _, x := range s.sites {
		if x.Line == p.Line && (x.File == p.File || strings.HasSuffix(p.File, "/"+x.File)) {
			found.File = x.File
			if strings.HasSuffix(x.Text, "]") {
				n++
				found.Col, found.Text = x.Col, x.Text
			}
		}
	}
	if n > 1 {
		found.Col, found.Text = 0, ""
	}
	return found
}

// Stuck reports a block whose threads wait for each other.
func (s *sanitizer) Stuck(b *probe.Block, ranks []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := state(b)
	l := st.clock.launch
	st.faulty = true
	if !s.settings.Sync || l.off || len(ranks) == 0 {
		return
	}
	first, other := st.threads[rankOf(b, ranks[0])].last, -1
	for _, r := range ranks {
		if at := st.threads[rankOf(b, r)].last; at != first {
			other = at
			break
		}
	}
	f := s.report(l, findingKey{tool: "sync", kind: "deadlock", first: first, other: other, text: "Barrier error detected. Threads wait for others that do not come"}, SeverityError)
	for _, r := range ranks {
		w := who{b: b, rank: rankOf(b, r)}
		f.note(w.thread())
		f.Count++
	}
}

// panicPlace is where the panic that is being recovered began.
func panicPlace() Place {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	inPanic := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic" || strings.HasPrefix(f.Function, "runtime.panic") || strings.HasPrefix(f.Function, "runtime.goPanic"):
			inPanic = true
		case inPanic && !strings.HasPrefix(f.Function, "runtime.") && !strings.HasPrefix(f.Function, "github.com/gocuda/gocuda/gocuda/rt/probe."):
			return Place{File: f.File, Line: f.Line}
		}
		if !more {
			return Place{}
		}
	}
}
