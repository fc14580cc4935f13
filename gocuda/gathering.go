package gocuda

import (
	"math/bits"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/observe"
)

// A gathering is a barrier other than that of SyncThreads, with separate steps for arriving and
// waiting: a split or named barrier, a barrier object, the block's part in a barrier of the grid,
// or the barrier of a range of threads. Like all of meet it is bookkeeping that blocks nobody.
//
// A gathering goes through phases. A phase completes when all expected arrivals have been made.
// Then the strands that wait for it are released, and the next phase begins.
type gathering struct {
	phase   uint64 // phases completed so far
	arrived int    // arrivals in the phase under way
	need    int    // arrivals that it still lacks
	votes   int    // arrivals with a predicate
	trues   int    // arrivals whose predicate was true
	kind    op     // of the first arrival
	result  int    // of the phase before
	count   int    // arrivals that a phase takes, if strands is false

	// If strands is set, the gathering is of the strands from up to but not including to. Each of
	// them arrives once a phase; a strand that returns counts as arrived.
	strands  bool
	from, to int
	came     [maxWords]uint32 // have arrived in the phase under way

	waiting [maxWords]uint32 // wait for the phase under way

	// The race cells of the phase under way and of the next. A strand that returns after it has
	// arrived counts as arrived in the next phase.
	cells  [2]*raceCell
	past   *raceCell   // of the phase before
	before []*raceCell // of strands that had returned when the first phase began

	full bool // a block's part in a barrier of the grid: all have arrived, and the grid is told

	at, was *observe.Cell // for an observer: of the phase under way and the one before

	values []any // of GatherRange: a *rangeValues for each type
}

// gatherings are those of one block.
type gatherings struct {
	used     bool
	block    gathering     // of Arrive and Wait
	grid     gathering     // the block's part in SyncGrid
	named    [16]gathering // of BarSync
	ranges   []*gathering  // of SyncRange
	barriers []*gathering  // of the Barriers in use
	serial   uint64        // of the block, in its Barriers; 0 if it has none
	spare    []*gathering  // of earlier blocks, to use again
	gridFull func()        // tells the grid that the block has arrived
	gridNext func(int) *raceCell
}

// gather returns the gatherings of the block.
//
//go:norace
func (m *meet) gather() *gatherings {
	if m.more == nil {
		m.more = new(gatherings)
	}
	m.more.used = true
	m.used = true
	return m.more
}

// resetGatherings makes the block's gatherings as if they were new.
//
//go:norace
func (m *meet) resetGatherings() {
	old := m.more
	if old == nil || !old.used {
		return
	}
	spare := append(old.spare, old.ranges...)
	for _, g := range old.barriers {
		if g != nil {
			spare = append(spare, g)
		}
	}
	clear(old.ranges)
	clear(old.barriers)
	*old = gatherings{ranges: old.ranges[:0], barriers: old.barriers[:0], spare: spare}
}

// newGathering returns an empty gathering, a spare one if there is any.
//
//go:norace
func (gs *gatherings) newGathering() *gathering {
	if last := len(gs.spare) - 1; last >= 0 {
		g := gs.spare[last]
		gs.spare = gs.spare[:last]
		*g = gathering{values: g.values}
		return g
	}
	return new(gathering)
}

// beginStrands makes g a gathering of the strands from up to but not including to, if it is none yet.
//
//go:norace
func (m *meet) beginStrands(g *gathering, from, to int) {
	if g.strands {
		return
	}
	g.strands, g.from, g.to = true, from, to
	g.need = m.missing(g)
	g.newCells()
}

// beginCount begins a phase of count arrivals, of which none has been made.
//
//go:norace
func (g *gathering) beginCount(count int) {
	g.count, g.need = count, count
	g.newCells()
}

//go:norace
func (g *gathering) newCells() {
	if g.cells[0] == nil {
		g.cells = [2]*raceCell{newRaceCell(), newRaceCell()}
	}
}

// span returns the strands of word w that g is about.
//
//go:norace
func (g *gathering) span(w int) uint32 {
	lo, hi := max(g.from-w*32, 0), min(g.to-w*32, 32)
	return uint32(1<<hi - 1<<lo)
}

// missing counts the strands of g that have neither arrived nor returned.
//
//go:norace
func (m *meet) missing(g *gathering) int {
	n := 0
	for w := g.from / 32; w <= (g.to-1)/32; w++ {
		n += bits.OnesCount32(m.alive(w) & g.span(w) &^ g.came[w])
	}
	return n
}

// alive returns the strands of word w that have not returned.
//
//go:norace
func (m *meet) alive(w int) uint32 { return m.warps[w].live }

// arriveAt registers n arrivals of strand i at g. It reports whether they completed the phase. The
// caller has checked that the strand may arrive.
//
//go:norace
func (m *meet) arriveAt(g *gathering, i, n int) bool {
	g.arrived += n
	g.need -= n
	m.observeArrival(g, i)
	if g.strands {
		g.came[i/32] |= 1 << (i % 32)
	}
	if g.need > 0 {
		return false
	}
	m.fill(g)
	return true
}

// hasCome reports whether strand i has arrived in the phase under way.
//
//go:norace
func (g *gathering) hasCome(i int) bool { return g.came[i/32]&(1<<(i%32)) != 0 }

// fill is called when all have arrived.
//
//go:norace
func (m *meet) fill(g *gathering) {
	if g == &m.more.grid {
		g.full = true
		m.more.gridFull()
		return
	}
	m.completeAt(g)
}

// completeAt ends the phase of g and begins the next. The waiting strands are released; each finds
// the result of the phase in its element of warpMeet.lanes.
//
//go:norace
func (m *meet) completeAt(g *gathering) {
	m.observeGathering(g)
	g.result = g.trues
	switch g.kind {
	case opBarRedAnd:
		g.result = b2i(g.trues == g.votes)
	case opBarRedOr:
		g.result = b2i(g.trues > 0)
	}
	g.phase++
	g.arrived, g.votes, g.trues, g.kind, g.full = 0, 0, 0, 0, false
	g.past, g.cells[0], g.cells[1] = g.cells[0], g.cells[1], newRaceCell()
	g.need = g.count
	if g.strands {
		clear(g.came[g.from/32 : (g.to-1)/32+1])
		g.need = m.missing(g)
	}
	for w := range g.waiting[:grid.Warps(m.n)] {
		lanes := g.waiting[w]
		if lanes == 0 {
			continue
		}
		g.waiting[w] = 0
		m.warps[w].setAll(lanes, uint64(g.result))
		m.release(w, lanes)
	}
}

// waitAt registers that strand i waits for the phase of g under way.
//
//go:norace
func (g *gathering) waitAt(i int) { g.waiting[i/32] |= 1 << (i % 32) }

// waits reports whether anybody waits at g.
//
//go:norace
func (g *gathering) waits() bool {
	for _, w := range g.waiting {
		if w != 0 {
			return true
		}
	}
	return false
}

// exitGatherings registers that the strands from i up to but not including j have returned; they
// are not alive any more.
//
//go:norace
func (m *meet) exitGatherings(i, j int) {
	m.exitGathering(&m.more.block, i, j)
	m.exitGathering(&m.more.grid, i, j)
	for k := range m.more.named {
		m.exitGathering(&m.more.named[k], i, j)
	}
	for _, g := range m.more.ranges {
		m.exitGathering(g, i, j)
	}
}

//go:norace
func (m *meet) exitGathering(g *gathering, i, j int) {
	if !g.strands || g.full || j <= g.from || i >= g.to {
		return
	}
	g.need = m.missing(g)
	if g.need == 0 && g.arrived > 0 {
		m.fill(g)
	}
}

// exitCells returns the race cells of the gatherings for which the exit of strand i is an arrival.
//
//go:norace
func (gs *gatherings) exitCells(i int, cells []*raceCell) []*raceCell {
	if gs == nil {
		return cells
	}
	cells = gs.block.exitCell(i, cells)
	if gs.gridNext != nil {
		cells = append(cells, gs.gridNext(i))
	}
	for k := range gs.named {
		cells = gs.named[k].exitCell(i, cells)
	}
	for _, g := range gs.ranges {
		cells = g.exitCell(i, cells)
	}
	return cells
}

//go:norace
func (g *gathering) exitCell(i int, cells []*raceCell) []*raceCell {
	if g.strands && g.from <= i && i < g.to {
		cells = append(cells, g.cells[b2i(g.hasCome(i))])
	}
	return cells
}
