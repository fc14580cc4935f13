package gocuda

import (
	"runtime"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/timeline"
)

// A pool is the workers of a device: goroutines that outlive launches, each with the arena, the
// coroutines and the bookkeeping of the block that it runs.
//
// Every launch is driven by its caller or by a worker of its own, so a kernel that blocks, on a
// channel or on another launch, holds up nobody else. A launch of several blocks also gets helpers,
// at most one fewer than the device has workers. They are woken one at a time: the driver wakes the
// first, and each helper wakes the next if blocks are left when it begins. A small grid is done
// before many helpers are awake.
//
// Waking a goroutine on an idle processor takes long (200 us on the virtual machine of
// docs/performance.md, of which Go's scheduler spends a part and the operating system the rest), longer
// than many a grid runs. So a helper that has run out of work keeps looking for more for a while; with
// one launch soon after the other, as programs do it, it is at hand for each.
//
// Workers that have been idle for a second end, with their coroutines: a device that does nothing
// holds no goroutines. A burst of launches may leave more workers than the device has; those of
// them that nobody needs end much sooner.
type pool struct {
	limit func() int // the number of workers of the device

	opened  atomic.Uint32 // counts the launches opened to helpers
	looking atomic.Int32  // helpers without work that will see opened change
	watched atomic.Bool   // one of them looks longer than the others
	vain    atomic.Int32  // how often in a row it found nothing, up to inVain
	urgent  atomic.Int32  // see priority.go

	mu      hiddenMutex
	idle    []*worker // the last is the one that worked last
	open    []*launch // those with room for helpers
	helpers int
	slept   time.Time    // when the last look in vain ended
	alive   atomic.Int32 // workers that are not lost, and callers that drive their launch themselves
	closed  atomic.Bool  // set with the pool locked
	pressure

	gone sync.Cond // signalled when alive becomes 0

	// Of launches that were given up; see runaway.go.
	all      []*worker // with a goroutine
	strays   atomic.Int32
	replaced int // lost helpers that don't count among helpers
	overs    []ending

	// The janitor's clock: idle workers with an old tick end.
	tick    int
	ticking bool

	// The same for idle workers beyond the limit.
	spare    int // those at the bottom of idle that nobody has needed since the last trim
	trimming bool
}

const (
	idleTime = time.Second           // how long a worker stays without work
	trimTime = 40 * time.Millisecond // half of the longest time that an idle worker beyond the device's number stays

	// How often a helper looks for work, and a driver for its helpers, before they go to sleep.
	// They count, since the clock stands still in a testing/synctest bubble while a goroutine is
	// busy. A helper lets others run after each round of looks, which takes 50 to 100 us, and
	// sleeps after about a millisecond. With one round, saxpy of 2^21 elements, whose data is
	// restored in the millisecond between two runs, had 0.65 of its speed. One of the helpers,
	// which wakes the others, looks for three milliseconds more, because programs do a little
	// between two launches. An example is ten steps of Yee's on 2048 by 2048 cells, whose fields
	// are restored in two milliseconds: with a helper awake, the first launch takes 0.72 ms instead
	// of 0.80. OpenMP's threads all look for work for 200 ms.
	looks  = 200_000
	rounds = 16
	watch  = 48
	awaits = 400_000

	// Whoever looks in vain looks half as long the next time, down to one round of rounds. A
	// program that launches a kernel every 20 ms would have a processor look for work a fifth of
	// the time. A launch that comes within soon after all makes helpers look as long as at first.
	inVain = 4
	soon   = 5 * time.Millisecond

	// asleep is added to launch.joined by a driver that goes to sleep. The sum is negative then.
	asleep = -1 << 30
)

func newPool(limit func() int) *pool {
	p := &pool{limit: limit}
	p.gone.L = &p.mu
	return p
}

// A worker is a goroutine that runs blocks, or what a caller needs to do so itself.
type worker struct {
	p     *pool
	inbox chan work
	tick  int // when it became idle
	block *Block
	index int   // in all
	place int   // in the launch that it works for
	track int32 // in a timeline, from 1
	post
}

// work is what a worker is given: a launch to drive, a stream to drain, a graph to help with, or
// none of these, to help with whatever is open.
type work struct {
	launch *launch
	stream *Stream
	graph  graphWork

	child bool // a kernel made the launch

	// Of a cooperative launch, the block to run.
	cooperative bool
	block       int
}

// get returns a worker to be given work, or nil when the pool is closed.
//
//go:norace
func (p *pool) get() *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed.Load() {
		return nil
	}
	return p.getLocked()
}

// getLocked is get with p locked. Under the race detector a worker does one thing only, and its
// goroutine is ordered after nothing: a worker would order the things that it does.
//
//go:norace
func (p *pool) getLocked() *worker {
	if last := len(p.idle) - 1; last >= 0 {
		w := p.idle[last]
		p.idle[last] = nil
		p.idle = p.idle[:last]
		p.spare = min(p.spare, last)
		return w
	}
	w := &worker{p: p, inbox: make(chan work, 1), block: new(Block), index: len(p.all)}
	p.all = append(p.all, w)
	p.alive.Add(1)
	go w.loop()
	return w
}

// put makes w idle.
//
//go:norace
func (p *pool) put(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed.Load() || raceEnabled {
		close(w.inbox)
		return
	}
	w.tick = p.tick
	p.idle = append(p.idle, w)
	if !p.ticking {
		p.ticking = true
		time.AfterFunc(idleTime, p.sweep)
	}
	if !p.trimming && len(p.idle) > p.limit() {
		p.trimming, p.spare = true, len(p.idle)
		time.AfterFunc(trimTime, p.trim)
	}
}

// sweep ends the workers that have been idle for a tick or longer. It runs once a tick as long as
// there are idle workers.
func (p *pool) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for n < len(p.idle) && p.idle[n].tick < p.tick {
		n++
	}
	p.dismiss(n)
	p.tick++
	p.ticking = len(p.idle) > 0
	if p.ticking {
		time.AfterFunc(idleTime, p.sweep)
	}
}

// trim ends idle workers beyond the limit that nobody has needed since the last time.
func (p *pool) trim() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dismiss(min(p.spare, len(p.idle)-p.limit()))
	p.spare = len(p.idle)
	p.trimming = p.spare > p.limit()
	if p.trimming {
		time.AfterFunc(trimTime, p.trim)
	}
}

// dismiss ends the n workers that have been idle longest, if n is positive. p is locked.
func (p *pool) dismiss(n int) {
	if n <= 0 {
		return
	}
	for _, w := range p.idle[:n] {
		close(w.inbox)
	}
	p.idle = append(p.idle[:0], p.idle[n:]...)
	clear(p.idle[len(p.idle):cap(p.idle)])
	p.spare = max(0, p.spare-n)
}

// close ends all workers once they are idle, and waits for them.
//
//go:norace
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed.Store(true)
	for _, w := range p.idle {
		close(w.inbox)
	}
	p.idle = nil
	for p.alive.Load() > 0 {
		p.gone.Wait()
	}
}

// help wakes a helper if there is one to be had and a launch that has use for it.
//
//go:norace
func (p *pool) help() {
	// A helper that is looking now looks once more, with the pool locked, before it sleeps.
	if p.looking.Load() > 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.helpLocked()
}

//go:norace
func (p *pool) helpLocked() {
	if p.closed.Load() || p.helpers >= p.limit()-1 || p.openLocked() == nil {
		return
	}
	p.helpers++
	p.hopeLocked(time.Now())
	p.getLocked().inbox <- work{}
}

// hopeLocked makes helpers look for long again if one that had given up is woken at once.
//
//go:norace
func (p *pool) hopeLocked(now time.Time) {
	if p.vain.Load() > 0 && now.Sub(p.slept) < soon {
		p.vain.Store(0)
	}
}

// openLocked returns the most urgent launch that a helper can join.
//
//go:norace
func (p *pool) openLocked() *launch {
	var best *launch
	for _, l := range p.open {
		if int(l.joined.Load()) < l.maxWorkers && l.unclaimed() && (best == nil || l.priority < best.priority) {
			best = l
		}
	}
	return best
}

// join returns a launch for a helper to work for, and the helper's place in it. If there is none it
// returns nil; then, if last is set, the helper does not count as a helper any more.
//
//go:norace
func (p *pool) join(last bool) (l *launch, place int) {
	p.mu.Lock()
	l = p.openLocked()
	if l != nil {
		l.joined.Add(1)
		place = l.places
		l.places++
	} else if last {
		p.helpers--
	}
	p.mu.Unlock()
	if l != nil {
		l.made.acquireAt()
	}
	return l, place
}

// helped is called when a helper ends other than by join. It counts the helper out, and wakes
// another one if there is a launch to help with.
//
//go:norace
func (p *pool) helped() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.helpers--
	p.helpLocked()
}

// look waits for a launch to be opened beyond those seen, but not for long.
func (p *pool) look(seen uint32) {
	p.looking.Add(1)
	defer p.looking.Add(-1)
	vain := p.vain.Load()
	if p.sees(seen, rounds>>vain) {
		p.vain.Store(0)
		return
	}
	if !p.watched.CompareAndSwap(false, true) {
		return
	}
	defer p.watched.Store(false)
	if p.sees(seen, watch>>vain) {
		p.vain.Store(0)
		return
	}
	p.vain.Store(min(vain+1, inVain))
	p.mu.Lock()
	p.slept = time.Now()
	p.mu.Unlock()
}

// sees reports whether a launch is opened beyond those seen within the given number of rounds. It
// also reports true if looking on is useless: the pool is closed, or the race detector makes looks
// slow. It keeps its processor for most of that time: a helper that yields often comes back on
// another, or not at all as long as the launches run.
func (p *pool) sees(seen uint32, rounds int) bool {
	for range rounds {
		for range looks {
			if p.opened.Load() != seen {
				return true
			}
		}
		if raceEnabled || p.closed.Load() { // with the race detector each look takes ten times as long
			return true
		}
		runtime.Gosched()
	}
	return false
}

// leave is called by a helper that is done with a launch. The last helper wakes the driver if the
// driver sleeps. No helper may use the launch after this call, since the launch may be reused.
func (p *pool) leave(l *launch) {
	if l.joined.Add(-1) == asleep {
		l.left <- struct{}{}
	}
}

// await is how the driver leaves: it lets no further helpers join, and waits for those at work.
// They are mostly done in a moment, and waiting for that moment awake is cheaper than being woken.
//
//go:norace
func (p *pool) await(l *launch) {
	p.mu.Lock()
	for i, o := range p.open {
		if o == l {
			last := len(p.open) - 1
			p.open[i], p.open[last] = p.open[last], nil
			p.open = p.open[:last]
			break
		}
	}
	p.mu.Unlock()
	if l.joined.Add(-1) == 0 {
		return
	}
	for range awaits {
		if l.joined.Load() == 0 {
			return
		}
	}
	if l.joined.Add(asleep) != asleep {
		<-l.left
	}
}

// enter opens a launch to helpers; its driver is in it already.
//
//go:norace
func (p *pool) enter(l *launch) {
	p.mu.Lock()
	l.entered, l.places = true, 1
	l.joined.Store(1)
	p.open = append(p.open, l)
	p.mu.Unlock()
	raceDisable()
	p.opened.Add(1) // with the pool unlocked: a helper that looks locks it at once
	raceEnable()
}

// begin notes the number of the worker's goroutine.
//
//go:norace
func (w *worker) begin() {
	w.mu.Lock()
	w.id = goroutineID()
	w.mu.Unlock()
}

// loop is the worker's goroutine. A kernel or a callback can end it by runtime.Goexit; then everything
// on its stack is put in order by deferred functions, and the pool makes a new worker when it needs
// one.
//
//go:norace
func (w *worker) loop() {
	defer w.ended()
	origin.acquire()
	g := self()
	register(g, w.block)
	defer unregister(g)
	w.begin()
	for job := range w.inbox {
		if job.launch != nil {
			job.launch.made.acquireAt()
		}
		switch {
		case job.cooperative:
			w.runCooperative(job.launch, job.block)
		case job.child:
			w.driveChild(job.launch)
		case job.launch != nil:
			w.driveAlone(job.launch)
		case job.stream != nil:
			job.stream.drain(w)
		case job.graph.run != nil:
			w.helpGraph(job.graph)
		default:
			w.help()
		}
		if raceEnabled || w.lost { // see getLocked
			return
		}
		w.p.put(w)
	}
}

//go:norace
func (w *worker) ended() {
	if x := w.block.fibers; x != nil {
		x.close()
	}
	p := w.p
	p.mu.Lock()
	last := len(p.all) - 1
	p.all[last].index = w.index
	p.all[w.index], p.all[last] = p.all[last], nil
	p.all = p.all[:last]
	p.mu.Unlock()
	if !w.lost {
		p.dies()
	}
}

// dies decrements alive. close sets closed before it reads alive, so either close reads the new
// number, or dies finds p closed and wakes close.
//
//go:norace
func (p *pool) dies() {
	raceDisable()
	defer raceEnable()
	if p.alive.Add(-1) == 0 && p.closed.Load() {
		p.mu.Lock()
		p.gone.Broadcast()
		p.mu.Unlock()
	}
}

// run runs a launch and waits for it. It reports false, and nothing has run, if p is closed.
func (p *pool) run(l *launch) bool {
	if l.isTame() {
		p.alive.Add(1)
		defer p.dies()
		if p.closed.Load() {
			return false
		}
		l.own.driveForCaller(p, l)
		return true
	}
	w := p.get()
	if w == nil {
		return false
	}
	if l.maxWorkers > 1 && int64(l.blocks) >= 4*l.least {
		// Helpers begin while w still wakes. In a smaller grid they would leave no blocks to w,
		// which has to wake up anyway, to wake the caller.
		p.enter(l)
	}
	w.inbox <- work{launch: l}
	p.wait(l)
	return true
}

// runApart lets another worker drive l, and waits for it. Its callers are workers that can't drive
// l themselves, since l may be given up. It takes a worker even from a pool that is being closed,
// since close waits for the caller, and so for l.
func (p *pool) runApart(l *launch) {
	p.getChild().inbox <- work{launch: l}
	p.wait(l)
}

// driveAlone runs a launch for somebody who waits for it.
func (w *worker) driveAlone(l *launch) {
	defer w.finish(l)
	w.drive(l)
}

// driveForCaller runs a launch on the goroutine of its caller. w is a worker without a goroutine.
func (w *worker) driveForCaller(p *pool, l *launch) {
	if w.block == nil {
		w.p, w.block = p, new(Block)
	}
	labels := goroutineLabels()
	w.block.labels = nil
	defer setGoroutineLabels(labels)
	w.drive(l)
}

// drive runs a launch as its first worker, and returns when it is over.
func (w *worker) drive(l *launch) {
	if l.done != nil && w != &l.own {
		w.enter(l, false)
		defer w.leave()
	}
	if l.task != nil {
		defer l.task.End()
	}
	if raceEnabled && l.parent == nil {
		defer l.lingers.end()
	}
	defer l.endFamily()
	if l.priority < 0 { // that of children is their own
		w.p.press(l)
		defer w.p.relax(l)
	}
	if l.blocks == 1 || l.maxWorkers == 1 {
		l.runBlocks(w, 0)
		return
	}
	p := w.p
	if !l.entered {
		p.enter(l)
	}
	defer p.await(l)
	p.help()
	l.runBlocks(w, 0)
}

// help joins launches as long as there are some to join.
func (w *worker) help() {
	if raceEnabled { // one, since a second would come after the first
		if w.helpOne(true) {
			w.p.helped()
		}
		return
	}
	for {
		seen := w.p.opened.Load() // before looking whether there is work, to miss nothing in between
		if !w.helpOne(false) {
			w.p.look(seen)
			if !w.helpOne(true) {
				return
			}
		}
		if w.lost {
			return
		}
	}
}

func (w *worker) helpOne(last bool) bool {
	l, place := w.p.join(last)
	if l == nil {
		return false
	}
	normal := false
	w.enter(l, true)
	defer func() {
		w.leave()
		w.p.leave(l)
		if !normal && !w.lost { // Goexit
			w.p.helped()
		}
	}()
	if l.unclaimed() {
		w.p.help() // the next one
	}
	l.runBlocks(w, place)
	normal = true
	return true
}

// take sets the index of w among the workers of a launch. It is hidden from the race detector: to
// the detector, the steps of a graph that a worker runs are not ordered, and their writes to this
// field would be races.
//
//go:norace
func (w *worker) take(place int) { w.place = place }

// multiprocessor returns the number of the multiprocessor that w stands for in l; see
// [Thread.SMID].
//
//go:norace
func (w *worker) multiprocessor(l *launch) int { return w.place % l.maxWorkers }

// runBlock runs block k of l, in the order in which they begin.
func (w *worker) runBlock(l *launch, k int) {
	if l.timeout != nil {
		l.timeout.begun.Add(1)
	}
	if timeline.On() {
		defer w.timeBlocks(l, k, k+1, timeline.Now())
	}
	idx := l.cfg.Grid.At(l.order.at(k))
	if l.done != nil {
		w.block.runs(k, 1)
	}
	if l.executor == ExecutorGoroutine {
		w.runBlockApart(l, idx)
		return
	}
	b := w.block
	b.smid = w.multiprocessor(l)
	if raceEnabled {
		for _, c := range l.after {
			c.acquire()
		}
		defer l.releaseEnds()
	}
	b.begin(l, idx)
	if b.labels != l.info {
		b.labels = l.info
		l.info.set()
	}
	if l.task != nil {
		defer trace.StartRegion(l.ctx, "block").End()
	}
	b.run()
}

// runSpan runs the blocks from up to but not including to, of a compiled kernel.
func (w *worker) runSpan(l *launch, from, to int64, place int) {
	b := w.block
	b.smid = place % l.maxWorkers
	for from < to && !l.stop.Load() {
		if l.yields() {
			w.p.giveWay(l, place)
		}
		b.begin(l, l.cfg.Grid.At(l.order.at(int(from))))
		b.span = span{from + 1, to}
		if l.done != nil {
			b.runs(int(from), 1)
		}
		if b.labels != l.info {
			b.labels = l.info
			l.info.set()
		}
		b.run()
		from = b.span.next // before to if the launch yields or has failed
	}
}

// runBlockApart runs a block on a goroutine of its own, with a Block of its own, and waits. To the
// race detector, blocks that a worker runs one after another would otherwise be ordered, and in
// CUDA they are not. The goroutine is ordered after what the launch is ordered after, and before
// the end of the launch. It is not ordered with what the worker does before and afterwards.
//
//go:norace
func (w *worker) runBlockApart(l *launch, idx grid.Dim3) {
	over := make(chan struct{})
	raceDisable()
	go l.runApart(idx, w.multiprocessor(l), over)
	<-over
	raceEnable()
	w.block.at.Store(0)
}

func (l *launch) runApart(idx grid.Dim3, smid int, over chan struct{}) {
	origin.acquire()
	lingers := l.awaken()
	moved()
	defer func() {
		l.releaseEnds()
		moved()
		raceDisable()
		close(over)
		raceEnable()
		lingers.stay()
	}()
	l.info.set()
	if l.task != nil {
		defer trace.StartRegion(l.ctx, "block").End()
	}
	b := new(Block)
	b.smid = smid
	g := self()
	register(g, b)
	defer unregister(g)
	b.begin(l, idx)
	b.run()
}

// awaken orders the calling goroutine after everything that the blocks of l are ordered after.
//
//go:norace
func (l *launch) awaken() *linger {
	l.made.acquireAt()
	for _, c := range l.after {
		c.acquire()
	}
	return l.lingers
}

// defaultWorkers is how many workers a device has that was not told otherwise.
func defaultWorkers() int { return runtime.GOMAXPROCS(0) }
