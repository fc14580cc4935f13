package sanitize

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
)

// Barriers that only some threads come to. The overlay tells when a thread enters and leaves a
// statement, an if, a loop or a call, that holds barriers of the block. Threads that have passed a
// statement for the same number of times must have met the same barriers in it. A thread that
// returned inside has not passed it, so an early return is no fault. Neither is an early return
// from a function that is called at the end of another: the statements around such a call only see
// whether a thread has come to it.

// A regionKey is a statement with barriers and how often the thread had come to it before.
type regionKey struct{ site, round int }

// pathState is where a thread is.
type pathState struct {
	last   int  // the site of its last barrier or warp operation
	came   bool // there is one
	rounds map[int]int
	open   []region
}

type region struct {
	regionKey
	met   barriers
	early bool // left by a return before the end of the function
}

// barriers are what a thread has met in a statement.
type barriers struct {
	n    int
	hash uint64 // of their places
	tail int    // the site of a call at the end, less 1; 0 for none
}

func (m *barriers) add(site int) {
	m.n, m.hash = m.n+1, m.hash*1099511628211+uint64(site)+1
}

// with returns m with the call at its end, if that is one in which threads meet barriers.
func (m barriers) with(live map[int]bool) barriers {
	if m.tail > 0 && live[m.tail-1] {
		m.add(m.tail - 1)
	}
	m.tail = 0
	return m
}

func (s *sanitizer) At(b *probe.Block, rank, site int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := state(b)
	p := &st.threads[rankOf(b, rank)]
	p.last, p.came = site, true
	if !s.sites[site].Barrier {
		return
	}
	outer := true // of all calls at the end of functions
	for i := len(p.open) - 1; i >= 0; i-- {
		r := &p.open[i]
		if outer {
			r.met.add(site)
		}
		if s.sites[r.site].Tail {
			st.live[r.site], outer = true, false
		}
	}
}

func (s *sanitizer) Enter(b *probe.Block, rank, site int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &state(b).threads[rankOf(b, rank)]
	if p.rounds == nil {
		p.rounds = map[int]int{}
	}
	p.open = append(p.open, region{regionKey: regionKey{site, p.rounds[site]}})
	p.rounds[site]++
}

// Return marks the call that the thread returns from.
func (s *sanitizer) Return(b *probe.Block, rank int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &state(b).threads[rankOf(b, rank)]
	for i := len(p.open) - 1; i >= 0; i-- {
		if r := &p.open[i]; s.sites[r.site].Call {
			r.early = true
			return
		}
	}
}

func (s *sanitizer) Leave(b *probe.Block, rank, site int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := state(b)
	rank = rankOf(b, rank)
	p := &st.threads[rank]
	for len(p.open) > 0 {
		r := p.open[len(p.open)-1]
		p.open = p.open[:len(p.open)-1]
		if r.site != site {
			continue // left by a break, a continue or a return of a helper
		}
		if s.sites[site].Tail {
			if n := len(p.open); n > 0 {
				p.open[n-1].met.tail = site + 1
			}
			if r.early {
				return
			}
		}
		if st.regions[r.regionKey] == nil {
			st.regions[r.regionKey] = map[int]barriers{}
			var chain []int
			for _, o := range p.open {
				chain = append(chain, o.site)
			}
			st.chains[r.regionKey] = chain
		}
		st.regions[r.regionKey][rank] = r.met
		if all := st.regions[r.regionKey]; len(all) == b.Threads && agree(all, nil) {
			delete(st.regions, r.regionKey)
			delete(st.chains, r.regionKey)
		}
		return
	}
}

// agree reports whether all threads have met the same barriers. live are the calls at the end of
// functions in which threads meet any.
func agree(met map[int]barriers, live map[int]bool) bool {
	first, any := barriers{}, false
	for _, m := range met {
		if live != nil {
			m = m.with(live)
		}
		if any && m != first {
			return false
		}
		first, any = m, true
	}
	return true
}

// endRegions reports the statements in which the threads of a block have met different barriers.
func (s *sanitizer) endRegions(b *probe.Block, st *blockState) {
	if !s.settings.Sync || st.clock.launch.off || st.faulty {
		return
	}
	keys := slices.SortedFunc(maps.Keys(st.regions), func(x, y regionKey) int {
		return cmp.Or(x.site-y.site, x.round-y.round)
	})
	keys = slices.DeleteFunc(keys, func(k regionKey) bool { return agree(st.regions[k], st.live) })
	for _, k := range keys {
		// A statement around another one differs because that one does.
		around := append(slices.Clone(st.chains[k]), k.site)
		if slices.ContainsFunc(keys, func(o regionKey) bool {
			return len(st.chains[o]) >= len(around) && slices.Equal(st.chains[o][:len(around)], around)
		}) {
			continue
		}
		met := map[int]barriers{}
		for rank, m := range st.regions[k] {
			met[rank] = m.with(st.live)
		}
		warps := map[int][]int{}
		var most barriers // of those who have met most, the first
		for _, rank := range slices.Sorted(maps.Keys(met)) {
			warps[rank/32] = append(warps[rank/32], rank)
			if met[rank].n > most.n {
				most = met[rank]
			}
		}
		for _, w := range slices.Sorted(maps.Keys(warps)) {
			ranks := warps[w]
			kind := "block"
			if slices.ContainsFunc(ranks, func(r int) bool { return met[r] != met[ranks[0]] }) {
				kind = "warp"
			} else if met[ranks[0]] == most {
				continue
			}
			text := fmt.Sprintf("Barrier error detected. Divergent thread(s) in %s", kind)
			f := s.report(st.clock.launch, findingKey{tool: "sync", kind: kind, first: k.site, other: -1, text: text}, SeverityError)
			for _, r := range ranks {
				f.Count++
				w := who{b: b, rank: r}
				f.note(w.thread())
			}
		}
	}
}
