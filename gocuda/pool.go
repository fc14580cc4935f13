package gocuda

import (
	"runtime"
	"runtime/trace"
	"sync"
	"time"

	"github.com/gocuda/gocuda/grid"
)

// A pool is the workers of a device: goroutines that outlive launches, each with the arena, the
// coroutines and the bookkeeping of the block that it runs.
//
// Every launch is driven by a worker of its own, so a kernel that blocks, on a channel or on another
// launch, holds up nobody else. A launch of several blocks also gets helpers, of which there are at
// most as many as the device has workers less one. They are woken one by one: the driver wakes the
// first, which wakes the second if there is still something to do when it has come, and so on. A
// small grid is done before it has woken many.
//
// Workers that have been idle for a second end, with their coroutines: a device that does nothing
// holds no goroutines.
type pool struct {
	limit func() int // the number of workers of the device

	mu      sync.Mutex
	idle    []*worker // the last is the one that worked last
	open    []*launch // those with room for helpers
	helpers int
	alive   int
	closed  bool
	gone    sync.Cond // signalled when alive becomes 0

	// The janitor's clock: idle workers with an old tick end.
	tick    int
	ticking bool
}

// idleTime is how long a worker stays without work.
const idleTime = time.Second

func newPool(limit func() int) *pool {
	p := &pool{limit: limit}
	p.gone.L = &p.mu
	return p
}

// A worker is a goroutine that runs blocks.
type worker struct {
	p     *pool
	inbox chan work
	tick  int // when it became idle
	block *Block
}

// work is what a worker is given: a launch to drive, a stream to drain, or neither, to help with
// whatever is open.
type work struct {
	launch *launch
	stream *Stream
}

// get returns a worker to be given work, or nil when the pool is closed.
func (p *pool) get() *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	return p.getLocked()
}

func (p *pool) getLocked() *worker {
	if last := len(p.idle) - 1; last >= 0 {
		w := p.idle[last]
		p.idle[last] = nil
		p.idle = p.idle[:last]
		return w
	}
	w := &worker{p: p, inbox: make(chan work, 1), block: new(Block)}
	p.alive++
	go w.loop()
	return w
}

// put makes w idle.
func (p *pool) put(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		close(w.inbox)
		return
	}
	w.tick = p.tick
	p.idle = append(p.idle, w)
	if !p.ticking {
		p.ticking = true
		time.AfterFunc(idleTime, p.sweep)
	}
}

// sweep ends the workers that have been idle for a tick or longer. It runs once a tick as long as
// there are idle workers.
func (p *pool) sweep() {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for n < len(p.idle) && p.idle[n].tick < p.tick {
		close(p.idle[n].inbox)
		n++
	}
	p.idle = append(p.idle[:0], p.idle[n:]...)
	clear(p.idle[len(p.idle):cap(p.idle)])
	p.tick++
	p.ticking = len(p.idle) > 0
	if p.ticking {
		time.AfterFunc(idleTime, p.sweep)
	}
}

// close ends all workers once they are idle, and waits for them.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, w := range p.idle {
		close(w.inbox)
	}
	p.idle = nil
	for p.alive > 0 {
		p.gone.Wait()
	}
}

func (p *pool) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// help wakes a helper if there is one to be had and a launch that has use for it.
func (p *pool) help() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.helpers >= p.limit()-1 || p.openLocked() == nil {
		return
	}
	p.helpers++
	p.getLocked().inbox <- work{}
}

// openLocked returns a launch that a helper can join.
func (p *pool) openLocked() *launch {
	for _, l := range p.open {
		if l.joined < l.maxWorkers && l.unclaimed() {
			return l
		}
	}
	return nil
}

// join returns a launch for a helper, who is counted in, or nil if there is nothing to help with; then
// the helper is counted out.
func (p *pool) join() *launch {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.openLocked()
	if l == nil {
		p.helpers--
		return nil
	}
	l.joined++
	return l
}

// leave is called by a worker that is done with a launch. The last one finishes it.
func (p *pool) leave(l *launch) {
	p.mu.Lock()
	l.joined--
	last := l.joined == 0
	p.mu.Unlock()
	if last {
		l.finish()
	}
}

// enter opens a launch to helpers; its driver is in it already.
func (p *pool) enter(l *launch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.joined = 1
	p.open = append(p.open, l)
}

// shut keeps further helpers from joining a launch.
func (p *pool) shut(l *launch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, o := range p.open {
		if o == l {
			last := len(p.open) - 1
			p.open[i], p.open[last] = p.open[last], nil
			p.open = p.open[:last]
			return
		}
	}
}

// finish tells the waiter that the launch is over. The launch must not be touched afterwards.
func (l *launch) finish() {
	if l.task != nil {
		l.task.End()
	}
	l.finished <- struct{}{}
}

// loop is the worker's goroutine. A kernel or a callback can end it by runtime.Goexit; then everything
// on its stack is put in order by deferred functions, and the pool makes a new worker when it needs
// one.
func (w *worker) loop() {
	defer w.ended()
	for job := range w.inbox {
		switch {
		case job.launch != nil:
			w.drive(job.launch)
		case job.stream != nil:
			job.stream.drain(w)
		default:
			w.help()
		}
		w.p.put(w)
	}
}

func (w *worker) ended() {
	w.block.fibers.close()
	p := w.p
	p.mu.Lock()
	defer p.mu.Unlock()
	p.alive--
	if p.alive == 0 {
		p.gone.Broadcast()
	}
}

// drive runs a launch as its first worker. It returns when there are no more blocks to begin; helpers
// may still be at work.
func (w *worker) drive(l *launch) {
	if l.blocks == 1 || l.maxWorkers == 1 {
		defer l.finish()
		l.runBlocks(w)
		return
	}
	p := w.p
	p.enter(l)
	defer p.leave(l)
	defer p.shut(l)
	p.help()
	l.runBlocks(w)
}

// help joins launches as long as there are some to join.
func (w *worker) help() {
	for w.helpOne() {
	}
}

func (w *worker) helpOne() bool {
	l := w.p.join()
	if l == nil {
		return false
	}
	normal := false
	defer func() {
		w.p.leave(l)
		if !normal { // Goexit
			w.p.mu.Lock()
			w.p.helpers--
			w.p.mu.Unlock()
		}
	}()
	if l.unclaimed() {
		w.p.help() // the next one
	}
	l.runBlocks(w)
	normal = true
	return true
}

// runBlock runs one block of l.
func (w *worker) runBlock(l *launch, idx grid.Dim3) {
	if l.executor == ExecutorGoroutine {
		w.runBlockApart(l, idx)
		return
	}
	b := w.block
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

// runBlockApart runs a block on a goroutine of its own, with a Block of its own, and waits. For the race
// detector, blocks that a worker runs one after another would otherwise be ordered, and in CUDA they
// are not. So nothing that the block does may come before what the worker does next; it comes before
// the end of the launch.
func (w *worker) runBlockApart(l *launch, idx grid.Dim3) {
	over := make(chan struct{})
	go func() {
		defer func() {
			l.end.release()
			raceDisable()
			close(over)
			raceEnable()
		}()
		l.info.set()
		if l.task != nil {
			defer trace.StartRegion(l.ctx, "block").End()
		}
		b := new(Block)
		b.begin(l, idx)
		b.run()
		b.fibers.close()
	}()
	raceDisable()
	<-over
	raceEnable()
}

// defaultWorkers is how many workers a device has that was not told otherwise.
func defaultWorkers() int { return runtime.GOMAXPROCS(0) }
