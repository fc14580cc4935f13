package sanitize

import (
	"runtime/debug"
	"runtime/metrics"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/observe"
)

// Order between launches, copies and the host. The host is one actor, whatever its goroutines do:
// they may synchronize in ways that the sanitizer does not see. A stream is an actor, and so is
// each node of a graph and each launch that the host waits for. Clocks are vectors with a number
// for each actor.

// A vector is a vector clock: for each actor, by its number, the time up to which its work is
// known.
type vector []uint32

func (v vector) knows(actor int, time uint32) bool { return actor < len(v) && v[actor] >= time }

func (v *vector) add(actor int, time uint32) {
	for len(*v) <= actor {
		*v = append(*v, 0)
	}
	(*v)[actor] = max((*v)[actor], time)
}

func (v *vector) join(o vector) {
	for actor, time := range o {
		if time > 0 {
			v.add(actor, time)
		}
	}
}

// An actor is the clock of one.
type actor struct {
	id    int
	now   uint32
	knows vector
	era   int
	host  *launchState // its present work outside of kernels; nil until it is asked for
}

// cellClock is the clock of an observe.Cell.
type cellClock struct {
	era    int
	knows  vector
	queued bool // released by the host for an actor who has not acquired it yet
}

// An era begins when the host has waited for everything that was under way. All work of earlier
// eras is ordered before it, and shadow memory forgets their accesses.

// actorOf returns the clock of an actor in the era.
func (s *sanitizer) actorOf(a *observe.Actor) *actor {
	if a == nil {
		if s.host.era != s.era {
			s.host = actor{now: 1, era: s.era}
		}
		return &s.host
	}
	c, _ := a.Tool.(*actor)
	if c == nil || c.era != s.era {
		c = s.newActor()
		a.Tool = c
	}
	return c
}

func (s *sanitizer) newActor() *actor {
	s.actors++
	return &actor{id: s.actors, now: 1, era: s.era}
}

func (s *sanitizer) cellOf(c *observe.Cell) *cellClock {
	k, _ := c.Tool.(*cellClock)
	if k == nil || k.era != s.era {
		queued := k != nil && k.queued
		k = &cellClock{era: s.era, queued: queued}
		c.Tool = k
	}
	return k
}

func (s *sanitizer) ReleaseActor(a *observe.Actor, c *observe.Cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, who := s.cellOf(c), s.actorOf(a)
	if a == nil && !k.queued {
		k.queued = true
		s.queued++
		s.watch()
	}
	k.knows.join(who.knows)
	k.knows.add(who.id, who.now)
	who.now++
	who.host = nil
}

func (s *sanitizer) AcquireActor(a *observe.Actor, c *observe.Cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, who := s.cellOf(c), s.actorOf(a)
	who.knows.join(k.knows)
	who.host = nil
	if k.queued {
		k.queued = false
		s.queued--
		if a != nil {
			s.outstanding[who.id] = who.now
		}
	}
	if a == nil {
		s.hostKnows()
	}
}

// HostCall reports that an actor calls a function of the host. The function may pass on to the rest
// of the host all that the actor did before.
func (s *sanitizer) HostCall(a *observe.Actor) {
	s.mu.Lock()
	defer s.mu.Unlock()
	who, host := s.actorOf(a), s.actorOf(nil)
	host.knows.join(who.knows)
	if who.now > 1 {
		host.knows.add(who.id, who.now-1)
	}
	host.host = nil
	s.outstanding[who.id] = who.now
	s.hostKnows()
}

// hostKnows is called when the host has learned something.
func (s *sanitizer) hostKnows() {
	for id, time := range s.outstanding {
		if s.host.knows.knows(id, time) {
			delete(s.outstanding, id)
		}
	}
	s.flushLoose()
	s.endEra()
}

// busy reports whether anything may be under way that the host has not waited for.
func (s *sanitizer) busy() bool { return s.running > 0 || s.queued > 0 || len(s.outstanding) > 0 }

// watch turns on the checks of the host's accesses while such an access can be a mistake.
func (s *sanitizer) watch() {
	s.watched.Store(s.busy() || s.unset > 0)
	if s.busy() && !s.still {
		// Accesses to a reused address would pass for accesses to the memory that had it before, so
		// the garbage collector is held off.
		s.gc, s.limit, s.still = debug.SetGCPercent(-1), debug.SetMemoryLimit(4<<30), true
		s.cycles = collections()
	}
}

// collections returns how many garbage collections have ended.
func collections() uint64 {
	sample := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// forgetReused forgets all accesses if a garbage collection has ended in this era: one that was
// under way when it began, or at the limit of memory. Memory that is allocated after it may have
// been something else before.
func (s *sanitizer) forgetReused() {
	if !s.still {
		return
	}
	if n := collections(); n != s.cycles {
		s.cycles = n
		s.forgetAll()
	}
}

// endEra begins a new era if it can.
func (s *sanitizer) endEra() {
	if s.busy() {
		return
	}
	s.judgeAll()
	if s.launches = s.launches[:0]; s.still {
		debug.SetGCPercent(s.gc)
		debug.SetMemoryLimit(s.limit)
		s.still = false
	}
	s.era++
	s.actors = 0
	s.forgetAll()
	clear(s.released)
	s.watch()
}

// A launchState is what is known of one launch, or of what an actor does outside of kernels for a time.
type launchState struct {
	index  uint32 // in the era, from 1
	actor  int
	time   uint32
	knows  vector
	host   bool // no launch
	nested bool
	id     int // of the launch
	kernel string
	grid   grid.Dim3
	block  grid.Dim3

	off      bool // filtered
	findings map[findingKey]*finding
	order    []findingKey
	ended    bool
	partial  bool       // something has ordered some threads of a block and not the others
	passed   [][]uint32 // of each barrier of the grid, the clock of each block when it passed
}

// after reports whether l comes after all of o. Nested launches are not compared: they pass for
// ordered.
func (l *launchState) after(o *launchState) bool {
	return l == o || l.nested || o.nested || l.knows.knows(o.actor, o.time)
}

// enter gives l a place in the era.
func (s *sanitizer) enter(l *launchState) {
	s.forgetReused()
	s.launches = append(s.launches, l)
	l.index = uint32(len(s.launches))
}

// outside returns the launchState of an actor's present work outside of kernels.
func (s *sanitizer) outside(a *observe.Actor) *launchState {
	who := s.actorOf(a)
	if who.host == nil {
		l := &launchState{actor: who.id, time: who.now, host: true, kernel: "host"}
		l.knows.join(who.knows)
		l.knows.add(who.id, who.now)
		s.enter(l)
		who.host = l
		if a != nil {
			s.outstanding[who.id] = who.now
		}
	}
	return who.host
}

// begin gives the launch its place in the order.
func (s *sanitizer) begin(l *launchState, a *observe.Actor) {
	who := s.actorOf(a)
	l.knows.join(who.knows)
	if a == nil { // the host waits for it
		own := s.newActor()
		l.knows.add(who.id, who.now)
		l.actor, l.time = own.id, own.now
		who.now++
		who.host = nil
	} else {
		l.actor, l.time = who.id, who.now
	}
	l.knows.add(l.actor, l.time)
	s.enter(l)
	s.running++
	s.watch()
}

// end is called when a launch has ended.
func (s *sanitizer) end(l *launchState, a *observe.Actor) {
	who := s.actorOf(a)
	if a == nil {
		who.knows.add(l.actor, l.time)
		who.host = nil
	} else if l.time == who.now {
		s.outstanding[who.id] = who.now
	}
	s.running--
	s.endEra()
	s.watch()
}
