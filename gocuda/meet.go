package gocuda

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/observe"
)

// A meet is the state of the barriers and warp operations of one block: which strands wait at the
// block's barrier, which at which warp operation, and which may go on. It is pure bookkeeping, the
// same for all executors: it starts nothing and blocks nobody. Executors register arrivals and
// exits, ask with takeReady whether a strand may go on, and find newly released strands in avail.
//
// A strand is what runs and waits by itself: a thread of a thread kernel, a warp of a warp kernel.
// Strands have numbers from 0; sets of them are bit masks, one word for 32, so that a word is a warp
// when strands are threads.
type meet struct {
	seen *observe.Block // by an observer; nil without one
	n    int            // strands in the block
	live int            // strands that have not returned
	used bool

	// The block's barrier. arrived counts the strands in waiting; trues those with a true predicate.
	// result belongs to the barrier released last: all of its strands read it before the next can
	// complete.
	arrived int
	trues   int
	result  int
	kind    op
	first   int       // the first strand to arrive
	path    *callPath // where it did, in checked mode
	cell    *raceCell
	waiting [maxWords]uint32

	ready      [maxWords]uint32 // released, but has not gone on
	onStack    [maxWords]uint32 // suspended under a running coroutine: can't be resumed directly
	avail      [maxWords]uint32 // ready and not on the stack
	availWords uint32           // which words of avail are not zero

	sleeping [maxWords]uint32 // in Nanosleep, or waiting for memory to change
	sleepers int
	turns    uint64 // counts strands that return and releases
	warpUsed uint32 // which warps have groups
	warps    [maxWords]warpMeet

	more *gatherings // beside the barrier; nil if there never were any
}

// maxWords is the number of words for 1024 strands, the largest block of any device.
const maxWords = 1024 / grid.WarpSize

// op is what strands meet for.
type op uint8

const (
	opSyncThreads op = iota
	opSyncThreadsCount
	opSyncThreadsAnd
	opSyncThreadsOr
	opSyncWarp
	opBallot
	opAll
	opAny
	opActiveMask
	opShfl
	opShflUp
	opShflDown
	opShflXor
	opMatchAny
	opMatchAll
	opReduceAdd
	opReduceMin
	opReduceMax
	opReduceMinU
	opReduceMaxU
	opReduceAnd
	opReduceOr
	opReduceXor
	opNanosleep
	opGather
	opWait
	opBarSync
	opBarRedCount
	opBarRedAnd
	opBarRedOr
	opBarrierWait
	opBarrierTry
	opSyncRange
	opSyncGrid
	opWaitGrid
	opSpin
	opPrint
	opAssert
	opMalloc
	opSpace
)

var opNames = [...]string{
	"SyncThreads", "SyncThreadsCount", "SyncThreadsAnd", "SyncThreadsOr", "SyncWarp", "BallotSync",
	"AllSync", "AnySync", "ActiveMask", "ShflSync", "ShflUpSync", "ShflDownSync", "ShflXorSync",
	"MatchAnySync", "MatchAllSync", "ReduceAddSync", "ReduceMinSync", "ReduceMaxSync",
	"ReduceMinSync", "ReduceMaxSync", "ReduceAndSync", "ReduceOrSync", "ReduceXorSync", "Nanosleep",
	"GatherSync", "Wait", "BarSync", "BarRedCount", "BarRedAnd", "BarRedOr", "Barrier.Wait", "Barrier.TryWait",
	"SyncRange", "SyncGrid", "WaitGrid", "atomic", "Printf", "Assert", "Malloc", "IsGlobal",
}

func (o op) String() string { return opNames[o] }

// A warpMeet is the warp operations under way in one warp. Lanes that diverged can be in several at
// once, each with its own mask.
type warpMeet struct {
	live   uint32 // lanes that have not returned
	groups []warpGroup
	lanes  [grid.WarpSize]laneState

	// Values to exchange by shuffles, one store for each type that the kernel shuffles.
	stores []exchanger
}

// A warpGroup is lanes that named each other in a mask.
type warpGroup struct {
	op      op
	mask    uint32
	arrived uint32
	trues   uint32    // the lanes with a true predicate
	store   exchanger // of a shuffle; of others a tag of the operand's type
	site    uintptr   // of ActiveMask, where it keeps lanes at different places apart
	cell    *raceCell
}

type laneState struct {
	bits   uint64 // in: the operand of a match or reduction; out: the result
	source uint8  // of a shuffle
	bad    bool   // out: the source of the shuffle is inactive
}

// An exchanger holds the values of a shuffle; see shuffle.go. It moves values from lane to lane
// without knowing who completes the operation, which may be a lane that returned.
type exchanger interface {
	exchange(lanes *[grid.WarpSize]laneState, arrived uint32)
}

// reset makes m ready for a phase of n strands. A phase in which nobody meets leaves nothing to do.
//
//go:norace
func (m *meet) reset(n int) {
	if m.n == n && !m.used {
		return
	}
	m.n, m.live, m.used = n, n, false
	m.arrived, m.trues, m.cell = 0, 0, nil
	words := grid.Warps(n)
	clear(m.waiting[:words])
	clear(m.ready[:words])
	clear(m.onStack[:words])
	clear(m.avail[:words])
	clear(m.sleeping[:words])
	m.availWords, m.sleepers = 0, 0
	m.resetGatherings()
	for w := range m.warps[:words] {
		m.warps[w].live = grid.WarpMask(w, n)
	}
	for ; m.warpUsed != 0; m.warpUsed &= m.warpUsed - 1 {
		ws := &m.warps[bits.TrailingZeros32(m.warpUsed)]
		clear(ws.groups)
		ws.groups = ws.groups[:0]
	}
}

// A mistake makes the error of a wrong use, when no lock is held any more; see race_on.go.
type mistake func() error

// arriveBlock registers strand i at the block's barrier. It reports whether that completed the
// barrier: then i goes on at once and all others are released. Otherwise i has to wait.
//
//go:norace
func (m *meet) arriveBlock(i int, kind op, pred bool, path *callPath) (bool, mistake) {
	if m.more != nil && m.more.named[0].arrived > 0 {
		return false, barZeroTwice
	}
	if m.arrived == 0 {
		m.kind, m.first, m.path = kind, i, path
	} else if kind != m.kind || path != m.path {
		return false, divergent(kind, path, m.first, m.kind, m.path)
	}
	m.arrived++
	if pred {
		m.trues++
	}
	if m.arrived < m.live {
		m.waiting[i/32] |= 1 << (i % 32)
		return false, nil
	}
	m.releaseBlock()
	return true, nil
}

func divergent(kind op, path *callPath, first int, firstKind op, firstPath *callPath) mistake {
	return func() error {
		return fmt.Errorf("%w: %v%s, but thread %d of the block waits at %v%s",
			ErrBarrierDivergence, kind, path.beside(firstPath), first, firstKind, firstPath.beside(path))
	}
}

//go:norace
func (m *meet) releaseBlock() {
	if m.seen != nil {
		observe.Hook.Barrier(m.seen)
	}
	switch m.kind {
	case opSyncThreadsAnd:
		m.result = b2i(m.trues == m.arrived)
	case opSyncThreadsOr:
		m.result = b2i(m.trues > 0)
	default:
		m.result = m.trues
	}
	m.arrived, m.trues, m.cell = 0, 0, nil
	for w := range m.waiting[:grid.Warps(m.n)] {
		if lanes := m.waiting[w]; lanes != 0 {
			m.waiting[w] = 0
			m.release(w, lanes)
		}
	}
}

// release lets the strands of word w in the set lanes go on.
//
//go:norace
func (m *meet) release(w int, lanes uint32) {
	m.turns++
	m.ready[w] |= lanes
	if a := lanes &^ m.onStack[w]; a != 0 {
		m.avail[w] |= a
		m.availWords |= 1 << w
	}
}

// takeReady reports whether strand i was released, and if so takes note that it goes on.
//
//go:norace
func (m *meet) takeReady(i int) bool {
	w, bit := i/32, uint32(1)<<(i%32)
	if m.ready[w]&bit == 0 {
		return false
	}
	m.ready[w] &^= bit
	m.dropAvail(w, bit)
	return true
}

// dropAvail removes a strand that runs already from avail. That happens to the strand that finds
// all others waiting, and releases itself among them.
//
//go:norace
func (m *meet) dropAvail(w int, bit uint32) {
	if m.avail[w]&bit != 0 {
		m.avail[w] &^= bit
		if m.avail[w] == 0 {
			m.availWords &^= 1 << w
		}
	}
}

//go:norace
func (m *meet) isReady(i int) bool { return m.ready[i/32]&(1<<(i%32)) != 0 }

// takeAvail removes the lowest strand of word w from avail and returns it.
//
//go:norace
func (m *meet) takeAvail(w int) int {
	lane := bits.TrailingZeros32(m.avail[w])
	m.avail[w] &= m.avail[w] - 1
	if m.avail[w] == 0 {
		m.availWords &^= 1 << w
	}
	return w*32 + lane
}

// exit registers that the strands from i up to but not including j have returned. They count as
// arrived everywhere from now on.
//
//go:norace
func (m *meet) exit(i, j int) {
	if i >= j {
		return
	}
	m.used = true
	m.turns++
	m.live -= j - i
	for w := i / 32; w <= (j-1)/32; w++ {
		lo, hi := max(i-w*32, 0), min(j-w*32, 32)
		m.warps[w].live &^= uint32(1<<hi - 1<<lo)
		if m.warpUsed&(1<<w) != 0 {
			m.completeGroups(w)
		}
	}
	if m.arrived > 0 && m.arrived == m.live {
		m.releaseBlock()
	}
	if m.more != nil && m.more.used {
		m.exitGatherings(i, j)
	}
}

// group returns the group of warp w with that mask, or for ActiveMask that site. It makes one if
// there is none.
//
//go:norace
func (m *meet) group(w int, kind op, mask uint32, site uintptr) *warpGroup {
	ws := &m.warps[w]
	for k := range ws.groups {
		g := &ws.groups[k]
		if (g.op == opActiveMask) == (kind == opActiveMask) && g.mask == mask && g.site == site {
			return g
		}
	}
	m.warpUsed |= 1 << w
	if len(ws.groups) < cap(ws.groups) {
		ws.groups = ws.groups[:len(ws.groups)+1]
	} else {
		ws.groups = append(ws.groups, warpGroup{})
	}
	g := &ws.groups[len(ws.groups)-1]
	*g = warpGroup{op: kind, mask: mask, site: site, cell: newRaceCell()}
	return g
}

// arriveWarp registers thread i at a warp operation with the given mask. It reports whether that
// completed the operation: then the results are in the lanes of the warp, i goes on at once and the
// others are released. Otherwise i has to wait.
//
//go:norace
func (m *meet) arriveWarp(i int, kind op, mask uint32, pred bool, store exchanger) (bool, mistake) {
	w, bit := i/32, uint32(1)<<(i%32)
	if mask&bit == 0 {
		return false, notInMask(kind, i%32, mask)
	}
	g := m.group(w, kind, mask, 0)
	if g.arrived == 0 {
		g.op, g.store = kind, store
	} else if g.op != kind || g.store != store {
		return false, divergentWarp(kind, i%32, mask, bits.TrailingZeros32(g.arrived), g.op)
	}
	g.arrived |= bit
	if pred {
		g.trues |= bit
	}
	if g.arrived != mask&m.warps[w].live {
		return false, nil
	}
	m.complete(w, g, bit)
	return true, nil
}

func notInMask(kind op, lane int, mask uint32) mistake {
	return func() error {
		return fmt.Errorf("%w: %v in lane %d with mask %#08x", ErrInvalidMask, kind, lane, mask)
	}
}

func divergentWarp(kind op, lane int, mask uint32, first int, firstKind op) mistake {
	return func() error {
		what := "has a value of another type"
		if firstKind != kind {
			what = "calls " + firstKind.String()
		}
		return fmt.Errorf("%w: %v in lane %d with mask %#08x, but lane %d %s", ErrWarpDivergence, kind, lane, mask, first, what)
	}
}

// completeGroups completes the operations that wait for nobody but lanes that have returned.
//
//go:norace
func (m *meet) completeGroups(w int) {
	ws := &m.warps[w]
	for k := 0; k < len(ws.groups); k++ {
		g := &ws.groups[k]
		if g.op != opActiveMask && g.arrived != 0 && g.arrived == g.mask&ws.live {
			m.complete(w, g, 0)
			k-- // complete removed it
		}
	}
}

// complete computes the results of g, releases its lanes but self, and removes g.
//
//go:norace
func (m *meet) complete(w int, g *warpGroup, self uint32) {
	ws := &m.warps[w]
	arrived := g.arrived
	if m.seen != nil && g.op != opActiveMask {
		observe.Hook.Warp(m.seen, w, arrived|g.mask&^ws.live) // who has returned counts as arrived
	}
	switch g.op {
	case opSyncWarp:
	case opBallot:
		ws.setAll(arrived, uint64(g.trues))
	case opAll:
		ws.setAll(arrived, uint64(b2i(g.trues == arrived)))
	case opAny:
		ws.setAll(arrived, uint64(b2i(g.trues != 0)))
	case opActiveMask:
		ws.setAll(arrived, uint64(arrived))
	case opGather:
		g.store.exchange(&ws.lanes, arrived)
	case opShfl, opShflUp, opShflDown, opShflXor:
		for s := arrived; s != 0; s &= s - 1 {
			l := &ws.lanes[bits.TrailingZeros32(s)]
			l.bad = arrived&(1<<l.source) == 0
		}
		g.store.exchange(&ws.lanes, arrived)
	case opMatchAny:
		matchAny(&ws.lanes, arrived)
	case opMatchAll:
		ws.setAll(arrived, uint64(matchAll(&ws.lanes, arrived)))
	default:
		ws.setAll(arrived, reduce(g.op, &ws.lanes, arrived))
	}
	last := len(ws.groups) - 1
	*g = ws.groups[last]
	ws.groups[last] = warpGroup{}
	ws.groups = ws.groups[:last]
	m.release(w, arrived&^self)
}

//go:norace
func (ws *warpMeet) setAll(lanes uint32, result uint64) {
	for ; lanes != 0; lanes &= lanes - 1 {
		ws.lanes[bits.TrailingZeros32(lanes)].bits = result
	}
}

// arriveActiveMask registers thread i at an ActiveMask. It always waits: see converge.
//
//go:norace
func (m *meet) arriveActiveMask(i int, site uintptr) {
	m.group(i/32, opActiveMask, 0, site).arrived |= 1 << (i % 32)
}

// converge is called when no strand of the block can go on by itself. Then no other lane will come
// to the lanes in ActiveMask, and they are released. If there are none, the threads that sleep are
// released. It reports whether any strand can go on now.
//
//go:norace
func (m *meet) converge() bool {
	found := false
	for ws := m.warpUsed; ws != 0; ws &= ws - 1 {
		w := bits.TrailingZeros32(ws)
		groups := &m.warps[w].groups
		for k := 0; k < len(*groups); k++ {
			if g := &(*groups)[k]; g.op == opActiveMask {
				m.complete(w, g, 0)
				k--
				found = true
			}
		}
	}
	if found || m.sleepers == 0 {
		return found
	}
	for w := range m.sleeping[:grid.Warps(m.n)] {
		if lanes := m.sleeping[w]; lanes != 0 {
			m.sleeping[w] = 0
			m.release(w, lanes)
		}
	}
	m.sleepers = 0
	return true
}

// sleep registers strand i as asleep until nobody else can go on.
//
//go:norace
func (m *meet) sleep(i int) {
	m.used = true
	m.sleeping[i/32] |= 1 << (i % 32)
	m.sleepers++
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
