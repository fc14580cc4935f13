package gocuda

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gocuda/gocuda/grid"
)

// Cooperative launches: all blocks of the grid run at the same time, and can wait for each other.
// Each has a worker of its own, whatever the number of processors.
//
// A block arrives at the barrier of the grid when all its threads that have not returned have
// arrived there. Within the block this is a gathering (see gathering.go). This file has the barrier
// of the blocks.

// A cooperation is the barrier of a cooperative launch.
type cooperation struct {
	l      *launch
	broken chan struct{}  // closed when a block that the phase under way needs has returned
	quit   chan struct{}  // closed when the launch has failed
	once   sync.Once      // for quit
	others sync.WaitGroup // goroutines that wait on behalf of a block, and one more until all blocks have ended
	left   atomic.Int64   // blocks that have not ended

	mu       sync.Mutex
	phase    uint64 // phases completed
	arrived  int    // blocks that have arrived in the phase under way
	early    int    // of the arrived blocks, those that have returned since
	missing  bool   // broken is closed
	returned grid.Dim3
	passed   chan struct{} // closed when the phase under way completes
	cells    [2]*raceCell  // of the phase under way and the next
	past     *raceCell     // of the one before
}

func newCooperation(l *launch) *cooperation {
	c := &cooperation{
		l: l, broken: make(chan struct{}), quit: make(chan struct{}), passed: make(chan struct{}),
		cells: [2]*raceCell{newRaceCell(), newRaceCell()},
	}
	// A first Add that nothing orders before Wait is a race to the detector, from whose sight the
	// order of blocks is kept.
	c.others.Add(1)
	return c
}

// lock keeps the barrier's own order out of the race detector's sight; see race_on.go.
//
//go:norace
func (c *cooperation) lock() {
	raceDisable()
	c.mu.Lock()
}

//go:norace
func (c *cooperation) unlock() {
	c.mu.Unlock()
	raceEnable()
}

// cell returns the race cell of a phase, which is the one under way or the next.
//
//go:norace
func (c *cooperation) cell(phase uint64) *raceCell {
	if !raceEnabled {
		return nil
	}
	c.lock()
	defer c.unlock()
	return c.cells[phase-c.phase]
}

// pastCell returns the race cell of the last phase that completed.
//
//go:norace
func (c *cooperation) pastCell() *raceCell {
	c.lock()
	defer c.unlock()
	return c.past
}

// settle waits until the last phase that block b has arrived for has completed, so that it can
// arrive again. Its threads may have returned without waiting.
func (c *cooperation) settle(b *Block) {
	if b.gridPhase == 0 {
		return
	}
	if c.await(b, b.gridPhase-1) == gridStopped {
		b.cancelled()
		b.unwind()
	}
}

// arrive registers that block b has come to the barrier.
//
//go:norace
func (c *cooperation) arrive(b *Block) {
	c.lock()
	defer c.unlock()
	b.gridPhase = c.phase + 1
	if c.arrived++; c.arrived < c.l.blocks {
		return
	}
	c.phase++
	c.arrived = 0
	c.past, c.cells[0], c.cells[1] = c.cells[0], c.cells[1], newRaceCell()
	close(c.passed)
	c.passed = make(chan struct{})
	if c.early > 0 {
		c.breakUp()
	}
}

// leave registers that block b has returned.
//
//go:norace
func (c *cooperation) leave(b *Block) {
	c.lock()
	defer c.unlock()
	if b.gridPhase > c.phase {
		c.early++
		c.returned = b.BlockIdx
	} else if !c.missing {
		c.returned = b.BlockIdx
		c.breakUp()
	}
}

//go:norace
func (c *cooperation) breakUp() {
	if !c.missing {
		c.missing = true
		close(c.broken)
	}
}

// stop is called when the launch has failed.
func (c *cooperation) stop() { c.once.Do(func() { close(c.quit) }) }

// failed returns a channel that is closed when a cooperative launch fails; nil for others.
func (l *launch) failed() <-chan struct{} {
	if l.coop == nil {
		return nil
	}
	return l.coop.quit
}

// gridOutcome is how waiting for the grid ends.
type gridOutcome int

const (
	gridPassed  gridOutcome = iota
	gridBroken              // a block has returned without coming
	gridStopped             // the launch has failed or was cancelled
)

// await waits until the given phase has completed.
//
//go:norace
func (c *cooperation) await(b *Block, phase uint64) gridOutcome {
	raceDisable()
	defer raceEnable()
	for {
		c.mu.Lock()
		over, missing, passed := c.phase > phase, c.missing, c.passed
		c.mu.Unlock()
		switch {
		case over:
			return gridPassed
		case missing:
			return gridBroken
		}
		select {
		case <-passed:
		case <-c.broken:
		case <-c.quit:
			return gridStopped
		case <-c.l.done:
			return gridStopped
		}
	}
}

// hasPassed reports whether a phase has completed.
//
//go:norace
func (c *cooperation) hasPassed(phase uint64) bool {
	c.lock()
	defer c.unlock()
	return c.phase > phase
}

// gone returns a block that has returned, and true, if its return is why waiters, who wait for the
// grid, can't go on.
func (c *cooperation) gone(waiters []waiter) (grid.Dim3, bool) {
	if c == nil {
		return grid.Dim3{}, false
	}
	c.lock()
	defer c.unlock()
	for _, w := range waiters {
		if w.op == opSyncGrid || w.op == opWaitGrid {
			return c.returned, c.missing
		}
	}
	return grid.Dim3{}, false
}

// beginGatherings prepares m for the barrier of the grid before any thread comes to it: threads
// that return earlier count as arrived.
//
//go:norace
func (m *meet) beginGatherings(b *Block) {
	c := b.launch.coop
	if c == nil {
		return
	}
	gs := m.gather()
	c.settle(b)
	g := &gs.grid
	m.beginStrands(g, 0, m.n)
	g.phase = b.gridPhase
	gs.gridFull = func() {
		// This release is for the coroutine executor. On the goroutine executor the threads release
		// the cell, and the race detector ignores this one.
		c.cell(b.gridPhase).releaseAt()
		c.arrive(b)
	}
	gs.gridNext = func(i int) *raceCell { return c.cell(g.now() + uint64(b2i(g.hasCome(i)))) }
}

// waitsForGrid reports whether all threads of the block have come to a barrier of the grid, and
// some wait.
//
//go:norace
func (m *meet) waitsForGrid() bool {
	return m.more != nil && m.more.grid.full && m.more.grid.waits()
}

// passGrid ends the block's phase if the barrier of the grid has completed, and reports whether it
// has.
//
//go:norace
func (m *meet) passGrid(b *Block) bool {
	g := &m.more.grid
	if !g.full || !b.launch.coop.hasPassed(g.phase) {
		return false
	}
	if raceEnabled {
		b.launch.coop.pastCell().acquireAt() // for the coroutine executor, as in beginGatherings
	}
	m.completeAt(g)
	return true
}

// awaitGrid waits for the grid on behalf of the block, in a goroutine. The lock is held.
//
//go:norace
func (x *threads) awaitGrid() {
	if x.awaiting {
		return
	}
	x.awaiting = true
	c, phase := x.b.launch.coop, x.m.more.grid.phase
	c.others.Add(1)
	go x.passGrid(c, phase)
}

//go:norace
func (x *threads) passGrid(c *cooperation, phase uint64) {
	raceDisable()
	for waiting := true; waiting; {
		outcome := c.await(x.b, phase)
		x.mu.Lock()
		g := &x.m.more.grid
		switch {
		case x.aborted:
			waiting = false
		case outcome == gridPassed:
			x.m.passGrid(x.b) // unless a thread was quicker
			phase, waiting = g.phase, g.waits()
			x.awaiting = waiting
			x.wake()
		default:
			x.stopped = x.stopped || outcome == gridStopped
			if outcome == gridBroken {
				x.dead = x.b.deadlocked()
			}
			x.abortLocked()
			waiting = false
		}
		x.mu.Unlock()
	}
	c.others.Done()
	raceEnable()
}

// A GridArrival is an arrival at the barrier of the grid: [Thread.ArriveGrid] returns it for
// [Thread.WaitGrid].
type GridArrival struct {
	id    int
	phase uint64 // one more than the number of the phase
	cell  *raceCell
}

// Cooperative reports whether the launch is a cooperative one, so that SyncGrid works: is_valid of a
// grid_group.
func (t *Thread) Cooperative() bool { return t.b.launch.coop != nil }

// SyncGrid waits until all threads of the grid have come to it: sync of CUDA's grid_group. It needs
// a cooperative launch, see [Device.LaunchCooperative]; in others it is an [ErrNotPermitted]. What
// any thread of the grid wrote before it all see after it.
//
// A thread that returned counts as arrived, as it does at SyncThreads. If a whole block has
// returned, the others would wait on a GPU forever: here the launch fails with
// [ErrBarrierDeadlock].
func (t *Thread) SyncGrid() {
	t.mayWait(opSyncGrid)
	t.syncGrid()
}

// SyncGrid is [Thread.SyncGrid] for all lanes of the warp.
func (w *Warp) SyncGrid() { w.syncGrid() }

func (s *strand) syncGrid() { s.waitGrid(opSyncGrid, s.arriveGrid(opSyncGrid)) }

// ArriveGrid says that the thread has come to the grid's barrier, and goes on: barrier_arrive of a
// grid_group. WaitGrid must follow before the next ArriveGrid or SyncGrid, else it is an
// [ErrBarrierDivergence].
func (t *Thread) ArriveGrid() GridArrival {
	t.mayWait(opWaitGrid)
	a := t.arriveGrid(opWaitGrid)
	t.state |= arrivedGrid
	return a
}

// WaitGrid waits until all threads of the grid have arrived: barrier_wait of a grid_group. arrival
// is what the thread's last ArriveGrid returned; anything else is an [ErrInvalidValue].
func (t *Thread) WaitGrid(arrival GridArrival) {
	t.mayWait(opWaitGrid)
	if t.state&arrivedGrid == 0 || arrival.phase == 0 || arrival.id != t.id {
		panic(fmt.Errorf("%w: WaitGrid without an ArriveGrid of this thread", ErrInvalidValue))
	}
	t.waitGrid(opWaitGrid, arrival)
	t.state &^= arrivedGrid
}

func notCooperative(kind op) error {
	return fmt.Errorf("%w: %v, but the launch is not cooperative", ErrNotPermitted, kind)
}

func (s *strand) arriveGrid(kind op) GridArrival {
	c := s.b.launch.coop
	if c == nil {
		panic(notCooperative(kind))
	}
	if s.state&arrivedGrid != 0 {
		panic(fmt.Errorf("%w: %v between ArriveGrid and WaitGrid", ErrBarrierDivergence, kind))
	}
	var cell *raceCell
	if s.fiber == nil && raceEnabled {
		cell = c.cell(s.gridPhase())
		cell.release()
	}
	var phase uint64
	s.gatherAt(kind, 0, func(m *meet) (bool, mistake) {
		phase = m.arriveGrid(s.id, s.b)
		return false, nil
	})
	return GridArrival{s.id, phase + 1, cell}
}

// gridPhase returns the number of the phase that the strand arrives for next, on the goroutine
// executor.
//
//go:norace
func (s *strand) gridPhase() uint64 {
	x := s.b.threads
	x.lock()
	defer x.unlock()
	g := &x.m.more.grid
	return g.phase + uint64(b2i(g.hasCome(s.id)))
}

//go:norace
func (m *meet) arriveGrid(i int, b *Block) (phase uint64) {
	m.passGrid(b)
	g := &m.more.grid
	phase = g.phase
	m.arriveAt(g, i, 1)
	return phase
}

//go:norace
func (s *strand) waitGrid(kind op, a GridArrival) {
	s.gatherAt(kind, 0, func(m *meet) (bool, mistake) { return m.waitGrid(s.id, s.b, a.phase-1) })
	a.cell.acquireAt()
}

//go:norace
func (m *meet) waitGrid(i int, b *Block, phase uint64) (bool, mistake) {
	m.passGrid(b)
	g := &m.more.grid
	switch {
	case phase+1 == g.phase:
		return false, nil
	case phase != g.phase:
		return false, staleArrival
	}
	g.waitAt(i)
	return true, nil
}

// SyncGrid waits until all blocks of the grid have come to it; see [Thread.SyncGrid]. A block
// kernel calls it between phases.
func (b *Block) SyncGrid() {
	c := b.launch.coop
	switch {
	case c == nil:
		panic(notCooperative(opSyncGrid))
	case b.inPhase:
		panic(fmt.Errorf("%w: SyncGrid of the block inside a phase", ErrNotPermitted))
	}
	c.settle(b)
	phase := b.gridPhase
	cell := c.cell(phase)
	cell.releaseAt()
	c.arrive(b)
	switch c.await(b, phase) {
	case gridBroken:
		idx, _ := c.gone([]waiter{{op: opSyncGrid}})
		panic(fmt.Errorf("%w: the block waits in SyncGrid, but block %v has returned", ErrBarrierDeadlock, idx))
	case gridStopped:
		b.cancelled()
		b.stopped()
	}
	cell.acquireAt()
}

// LaunchCooperative runs kernel on d with all blocks of the grid at the same time, so that they can
// wait for each other in SyncGrid, and waits until they have ended: CUDA's
// cudaLaunchCooperativeKernel. Each block has a goroutine of its own, at least.
//
// A grid with more blocks than the device's multiprocessors hold at once, by
// [Device.MaxActiveBlocks] without registers, or with more than cfg.Workers says, is an
// [ErrCooperativeLaunchTooLarge]. Devices of compute capability below 6.0 have no cooperative
// launches: [ErrNotSupported]. Otherwise it is as [Device.Launch], with two differences. When a
// block fails, the others stop at their next barrier. The blocks begin at once, even if a launch of
// higher priority waits for workers.
func (d *Device) LaunchCooperative(ctx context.Context, cfg grid.Config, kernel Kernel) error {
	if err := d.checkCooperative(cfg, kernel); err != nil {
		return err
	}
	end, err := d.turn(ctx)
	if err != nil {
		return err
	}
	defer end()
	return d.cooperateNow(ctx, cfg, kernel)
}

// cooperateNow runs a cooperative launch that was found to be possible.
func (d *Device) cooperateNow(ctx context.Context, cfg grid.Config, kernel Kernel) error {
	l, err := d.newLaunch(ctx, cfg, kernel, false)
	if l == nil {
		return err
	}
	if err := d.driveCooperative(l); err != nil {
		return err
	}
	return d.conclude(l)
}

// LaunchCooperativeFunc is [Device.LaunchCooperative] for a thread kernel.
func (d *Device) LaunchCooperativeFunc(ctx context.Context, cfg grid.Config, kernel func(*Thread)) error {
	return d.LaunchCooperative(ctx, cfg, ThreadFunc(kernel))
}

// LaunchCooperative queues a cooperative launch; see [Device.LaunchCooperative]. Errors of the
// configuration are returned at once. In a capture the launch becomes a kernel node, which stays
// cooperative when its parameters are changed.
func (s *Stream) LaunchCooperative(ctx context.Context, cfg grid.Config, kernel Kernel) error {
	if err := s.usable("launch"); err != nil {
		return err
	}
	if ctx == nil {
		return fmt.Errorf("gocuda: launch: %w: the context is nil", ErrInvalidValue)
	}
	if err := s.dev.checkCooperative(cfg, kernel); err != nil {
		return err
	}
	if cfg.Priority == 0 {
		cfg.Priority = s.priority
	}
	if captured, err := s.captured(func() (GraphNodeType, nodeParams, error) {
		return GraphNodeKernel, nodeParams{dev: s.dev, ctx: contexts(ctx), cfg: cfg, kernel: kernel, cooperative: true}, nil
	}); captured {
		return err
	}
	id := nextLaunchID()
	return s.add(task{run: func(*worker) error {
		willLaunch(id)
		return s.dev.cooperateNow(ctx, cfg, kernel)
	}})
}

// checkCooperative returns what is wrong with a cooperative launch.
func (d *Device) checkCooperative(cfg grid.Config, kernel Kernel) error {
	if err := d.check(cfg, kernel); err != nil {
		return err
	}
	name := infoOf(kernel).name
	if d.props.Major < 6 {
		return fmt.Errorf("gocuda: launch of %s: %w: cooperative launches need compute capability 6.0, %s has %d.%d",
			name, ErrNotSupported, d.props.Name, d.props.Major, d.props.Minor)
	}
	if cfg.Grid.X == 0 {
		return nil
	}
	most, err := d.MaxActiveBlocks(cfg, 0)
	if err != nil {
		return err
	}
	if most *= d.props.MultiProcessorCount; cfg.Blocks() > most {
		return fmt.Errorf("gocuda: launch of %s: %w: %d blocks, the device holds %d of this size",
			name, ErrCooperativeLaunchTooLarge, cfg.Blocks(), most)
	}
	if cfg.Workers > 0 && cfg.Blocks() > cfg.Workers {
		return fmt.Errorf("gocuda: launch of %s: %w: %d blocks, of which Config.Workers lets %d run at the same time",
			name, ErrCooperativeLaunchTooLarge, cfg.Blocks(), cfg.Workers)
	}
	return nil
}

// driveCooperative runs l. It returns an error if it could not even begin.
func (d *Device) driveCooperative(l *launch) error {
	workers := make([]*worker, l.blocks)
	for i := range workers {
		if workers[i] = d.pool.get(); workers[i] == nil {
			for _, w := range workers[:i] {
				d.pool.put(w)
			}
			l.abandon()
			return errDeviceClosed
		}
	}
	c := newCooperation(l)
	l.coop = c
	c.left.Store(int64(l.blocks))
	l.made.releaseAt() // children that fail stop the others by c
	for i, w := range workers {
		w.inbox <- work{launch: l, block: i, cooperative: true}
	}
	d.pool.wait(l)
	return nil
}

// runCooperative runs block k of a cooperative launch.
func (w *worker) runCooperative(l *launch, k int) {
	w.enter(l, false)
	defer func() {
		w.leave()
		if l.coop.left.Add(-1) > 0 {
			return
		}
		w.enter(l, false)
		l.endFamily() // by a worker, for which the device's Close waits
		l.coop.others.Done()
		l.coop.others.Wait()
		if l.task != nil {
			l.task.End()
		}
		if raceEnabled {
			l.lingers.end()
		}
		w.leave()
		w.finish(l)
	}()
	if l.stop.Load() {
		return
	}
	if l.ctx.Err() != nil {
		l.failCancelled(nil)
		return
	}
	w.take(k)
	w.runBlock(l, k)
}
