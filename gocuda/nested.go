package gocuda

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gocuda/gocuda/grid"
)

// Dynamic parallelism: kernels that launch kernels. The rules are those of the chapter "CUDA
// Dynamic Parallelism" of the CUDA C++ Programming Guide, in its second version (CDP2, CUDA 12), in
// which a kernel can't wait for its children.
//
// A launch with children has a family, which counts the children and keeps their order. Every child
// has a worker of its own while it runs, so parents, however many there are, don't keep their
// children from running. The number of children that run at a time is limited by the device's
// number of resident grids.

// MaxNestingDepth is the largest depth of a launch. A launch of the host has depth 0, its children
// have depth 1.
const MaxNestingDepth = 24

// defaultPending is how many launches of kernels may be pending, if nobody says otherwise: the
// default of cudaLimitDevRuntimePendingLaunchCount.
const defaultPending = 2048

// A DeviceStream is a stream of launches by kernels. The zero value is the default stream of the
// thread's block, CUDA's NULL stream in a kernel.
type DeviceStream struct {
	kind  deviceStreamKind
	id    uint64
	l     *launch // of the block that made it
	uses  uint64  // of l at the time
	block int
}

type deviceStreamKind uint8

const (
	streamInOrder deviceStreamKind = iota
	streamFireAndForget
	streamTailLaunch
)

// StreamFireAndForget returns the stream whose launches begin at once and in no order, CUDA's
// cudaStreamFireAndForget.
func StreamFireAndForget() DeviceStream { return DeviceStream{kind: streamFireAndForget} }

// StreamTailLaunch returns the stream whose launches begin when the launching grid has ended, with
// all its other children, one after the other: CUDA's cudaStreamTailLaunch.
func StreamTailLaunch() DeviceStream { return DeviceStream{kind: streamTailLaunch} }

var deviceStreams atomic.Uint64

// NewStream makes a stream for the launches of the thread's block: cudaStreamCreateWithFlags with
// cudaStreamNonBlocking, in a kernel. Streams overlap with each other. It ends with the block.
func (t *Thread) NewStream() DeviceStream {
	return DeviceStream{id: nextDeviceStream(), l: t.b.launch, uses: t.b.launch.uses, block: t.blockNumber()}
}

// nextDeviceStream does not order the threads that call it.
//
//go:norace
func nextDeviceStream() uint64 {
	raceDisable()
	defer raceEnable()
	return deviceStreams.Add(1)
}

func (t *Thread) blockNumber() int { return t.GridDim.Linear(t.BlockIdx) }

// Launch launches a kernel from a kernel, CUDA's
//
//	kernel<<<cfg.Grid, cfg.Block, cfg.SharedBytes>>>(...)
//
// in device code. It does not wait. Launches of the threads of a block run one after the other, in
// the order in which they were made; those of different blocks overlap. A child sees what the
// launching thread wrote before, and what the thread saw. The parent's grid ends when its blocks
// and all their children have ended.
//
// The error says why nothing was launched: the configuration is wrong, or the launch is one too
// many ([ErrLaunchPendingCountExceeded]) or too deep ([ErrLaunchMaxDepthExceeded]), or the parent
// is being cancelled. A child has the priority of its parent unless cfg has one, and is stopped
// when the parent's timeout expires. Devices of compute capability below 3.5 have no such launches
// ([ErrNotSupported]). An error of the child becomes an error of the parent's launch, and in the
// end of the host's, which wraps the child's [KernelError]; the whole family stops then.
func (t *Thread) Launch(cfg grid.Config, kernel Kernel) error {
	return t.LaunchOn(DeviceStream{}, cfg, kernel)
}

// LaunchFunc is [Thread.Launch] for a thread kernel.
func (t *Thread) LaunchFunc(cfg grid.Config, kernel func(*Thread)) error {
	return t.LaunchOn(DeviceStream{}, cfg, ThreadFunc(kernel))
}

// LaunchOn is [Thread.Launch] in a stream. A stream that another block made is an
// [ErrInvalidResourceHandle].
func (t *Thread) LaunchOn(s DeviceStream, cfg grid.Config, kernel Kernel) error {
	l, block := t.b.launch, t.blockNumber()
	if s.l != nil && (s.l != l || s.uses != l.uses || s.block != block) {
		return fmt.Errorf("gocuda: launch: %w: the stream is another block's", ErrInvalidResourceHandle)
	}
	if isNil(kernel) {
		return fmt.Errorf("gocuda: launch: %w", ErrInvalidDeviceFunction)
	}
	r := &childRequest{
		l: l, stream: s, block: block, cfg: cfg, kernel: kernel, key: keyOf(kernel),
		blockIdx: t.BlockIdx, threadIdx: t.ThreadIdx, origin: newRaceCell(),
	}
	r.origin.release()
	return r.send()
}

// A childRequest is what a thread asks for when it launches.
type childRequest struct {
	l         *launch
	stream    DeviceStream
	block     int
	cfg       grid.Config
	kernel    Kernel
	key       kernelKey
	blockIdx  grid.Dim3
	threadIdx grid.Dim3
	origin    *raceCell // released by the thread
}

// PendingLaunchLimit returns how many launches of kernels may be pending on d: cudaDeviceGetLimit of
// cudaLimitDevRuntimePendingLaunchCount. The default is 2048.
func (d *Device) PendingLaunchLimit() int {
	if n := d.pendingLimit.Load(); n > 0 {
		return int(n)
	}
	return defaultPending
}

// SetPendingLaunchLimit sets how many launches of kernels may be pending on d, that is made but not
// ended: cudaDeviceSetLimit of cudaLimitDevRuntimePendingLaunchCount. n must be at least 1.
func (d *Device) SetPendingLaunchLimit(n int) error {
	if d == nil {
		return errNilDevice
	}
	if n < 1 {
		return fmt.Errorf("gocuda: limit: %w: %d pending launches", ErrInvalidValue, n)
	}
	d.pendingLimit.Store(int64(n))
	return nil
}

// maxResidentGrids returns how many grids run at the same time, as the table "Technical
// Specifications per Compute Capability" of the CUDA C++ Programming Guide has it.
func (d *Device) maxResidentGrids() int {
	if d.props.Major < 6 {
		return 32
	}
	return 128
}

// countPending adds n to the number of pending launches, which orders nobody.
//
//go:norace
func (d *Device) countPending(n int64) int64 {
	raceDisable()
	defer raceEnable()
	return d.pending.Add(n)
}

// A family is the children of a launch.
type family struct {
	mu      sync.Mutex
	changed sync.Cond
	running int // children that wait in a stream or run
	tails   []*launch
	streams map[streamKey]*childStream

	// Only in the family of the host's launch; these fields serve all its descendants.
	ctx    context.Context
	cancel context.CancelCauseFunc
	grids  int       // that run
	ready  []*launch // that wait for room
}

// A streamKey is a stream of a block of the parent; id 0 is its default stream.
type streamKey struct {
	block int
	id    uint64
}

// A childStream is a stream of launches by kernels: the child that runs, and the children queued
// behind it.
type childStream struct {
	key   streamKey
	busy  bool
	queue []*launch
	past  *raceCell // of the child that ended last
}

// root returns the host's launch that l descends from.
func (l *launch) root() *launch {
	for l.parent != nil {
		l = l.parent
	}
	return l
}

// familyOf returns the family of l, which is made when first needed.
func (l *launch) familyOf() *family {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.family.Load()
	if f != nil {
		return f
	}
	f = &family{streams: map[streamKey]*childStream{}}
	f.changed.L = &f.mu
	if l.parent == nil {
		f.ctx, f.cancel = context.WithCancelCause(l.ctx)
	}
	l.family.Store(f)
	if l.stop.Load() && l.parent == nil {
		f.cancel(l.err) // fail came before
	}
	return f
}

// inherited returns the context of l's children, which has the timeouts of l and its ancestors, and
// their priority. It is hidden from the race detector: if a child is refused, no race cell orders
// these reads before the end of l.
//
//go:norace
func (l *launch) inherited() (context.Context, int) {
	if l.parent == nil {
		return l.family.Load().ctx, l.cfg.Priority
	}
	return l.ctx, l.cfg.Priority
}

// lingerWith makes the goroutines of a child stay until the host's launch ends; see lingerers for
// the reason.
//
//go:norace
func (l *launch) lingerWith(parent *launch) {
	if raceEnabled {
		l.lingers = parent.lingers
	}
}

// launch makes the child that r asks for.
func (r *childRequest) launch() error {
	l := r.l
	d := l.dev
	info := infoFor(r.key)
	name := info.name
	if err := r.cfg.Validate(d.limits); err != nil {
		return fmt.Errorf("gocuda: launch of %s: %w", name, err)
	}
	if p := &d.props; p.Major < 3 || p.Major == 3 && p.Minor < 5 {
		return fmt.Errorf("gocuda: launch of %s in a kernel: %w: it needs compute capability 3.5, %s has %d.%d",
			name, ErrNotSupported, p.Name, p.Major, p.Minor)
	}
	if l.depth >= MaxNestingDepth {
		return fmt.Errorf("gocuda: launch of %s: %w", name, ErrLaunchMaxDepthExceeded)
	}
	l.root().familyOf()
	ctx, priority := l.inherited()
	if ctx.Err() != nil {
		return cancelled(ctx)
	}
	if r.cfg.Grid.X == 0 {
		return nil
	}
	f := l.familyOf()
	if limit := d.PendingLaunchLimit(); d.countPending(1) > int64(limit) {
		d.countPending(-1)
		return fmt.Errorf("gocuda: launch of %s: %w: %d are pending", name, ErrLaunchPendingCountExceeded, limit)
	}
	cfg := r.cfg
	if cfg.Priority == 0 {
		cfg.Priority = priority
	}
	c := d.prepare(ctx, cfg, r.kernel, info)
	if c.seen != nil {
		c.seen.Nested = true
	}
	c.parent, c.depth = l, l.depth+1
	c.lingerWith(l)
	c.bornBlock, c.bornThread = r.blockIdx, r.threadIdx
	c.comesAfter(r.origin)
	f.mu.Lock()
	switch r.stream.kind {
	case streamTailLaunch:
		f.tails = append(f.tails, c)
		f.mu.Unlock()
		return nil
	case streamInOrder:
		key := streamKey{r.block, r.stream.id}
		s := f.streams[key]
		if s == nil {
			s = &childStream{key: key}
			f.streams[key] = s
		}
		f.running++
		c.stream = s
		if s.busy {
			s.queue = append(s.queue, c)
			f.mu.Unlock()
			return nil
		}
		s.busy = true
		c.comesAfter(s.past)
	default:
		f.running++
	}
	f.mu.Unlock()
	c.begin()
	return nil
}

// comesAfter makes the race detector order the blocks of a child after what released c.
func (l *launch) comesAfter(c *raceCell) {
	if raceEnabled && c != nil {
		l.after = append(l.after, c)
	}
}

// begin lets a child run as soon as there is room for another grid.
func (l *launch) begin() {
	l.made.releaseAt()
	root := l.root().family.Load()
	root.mu.Lock()
	room := root.grids < l.dev.maxResidentGrids()
	if room {
		root.grids++
	} else {
		root.ready = append(root.ready, l)
	}
	root.mu.Unlock()
	if room {
		l.dev.pool.getChild().inbox <- work{launch: l, child: true}
	}
}

// makeRoom is called when the blocks of child l have ended. It lets the next child begin that waits
// to be a resident grid. The children of l itself don't need the place of l.
func (l *launch) makeRoom() {
	root := l.root().family.Load()
	root.mu.Lock()
	if l.roomMade {
		root.mu.Unlock()
		return
	}
	l.roomMade = true
	var next *launch
	if len(root.ready) > 0 {
		next = root.ready[0]
		root.ready[0] = nil
		root.ready = root.ready[1:]
	} else {
		root.grids--
	}
	root.mu.Unlock()
	if next != nil {
		next.dev.pool.getChild().inbox <- work{launch: next, child: true}
	}
}

// getChild returns a worker for a child, also while the device is being closed: that waits for the
// parent.
//
//go:norace
func (p *pool) getChild() *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.getLocked()
}

// driveChild runs a child.
func (w *worker) driveChild(l *launch) {
	defer l.ended()
	if l.ctx.Err() != nil { // before it has begun
		l.failCancelled(nil)
		l.makeRoom()
		return
	}
	l.startClock()
	l.made.releaseAt()
	if !l.watched() {
		w.drive(l)
		return
	}
	w.p.runApart(l)
	if l.runaway != nil {
		l.makeRoom() // the driver of l still runs, and has not called it
	}
}

// endFamily is called when the blocks of l have ended. It waits for the children, and then runs the
// tail launches one after another.
func (l *launch) endFamily() {
	if l.parent != nil {
		l.makeRoom()
	}
	f := l.family.Load()
	if f == nil {
		return
	}
	f.mu.Lock()
	for {
		for f.running > 0 {
			f.changed.Wait()
		}
		if len(f.tails) == 0 {
			break
		}
		c := f.tails[0]
		f.tails = f.tails[1:]
		f.running++
		f.mu.Unlock()
		c.comesAfter(l.end)
		c.begin()
		f.mu.Lock()
	}
	f.mu.Unlock()
	if f.cancel != nil {
		f.cancel(nil)
	}
}

// ended is called when a child has ended, with all its own children.
func (l *launch) ended() {
	f := l.parent.family.Load()
	if l.timeout != nil && l.runaway == nil {
		l.endTimeout()
	}
	l.dev.countPending(-1)
	var next *launch
	f.mu.Lock()
	if s := l.stream; s != nil {
		if len(s.queue) > 0 {
			next = s.queue[0]
			s.queue[0] = nil
			s.queue = s.queue[1:]
			next.comesAfter(l.end)
		} else if s.busy, s.past = false, l.end; !raceEnabled {
			delete(f.streams, s.key)
		}
	}
	f.running--
	if f.running == 0 {
		f.changed.Broadcast()
	}
	f.mu.Unlock()
	if next != nil {
		next.begin()
	}
	if !raceEnabled && l.runaway == nil { // with the race detector its blocks are not ordered before this
		l.dev.recycle(l)
	}
}

// spread passes the first error of l to its family: the ancestors of l fail with it, and all
// launches of the family stop.
func (l *launch) spread(err error) {
	p := l.parent
	if p == nil {
		if f := l.family.Load(); f != nil {
			f.cancel(err)
		}
		return
	}
	switch late := l.timeout != nil && err == l.timeout; {
	case late:
		p.fail(l.asChild(lateTimeout{l.timeout}), nil)
	case l.ctx.Err() == nil || !errors.Is(err, context.Cause(l.ctx)):
		p.fail(l.asChild(err), nil)
	case p.timeout != nil && context.Cause(l.ctx) == p.timeout:
		p.failTimeout(nil)
	default:
		p.fail(err, nil)
	}
}

// asChild makes an error of a child one of its parent.
func (l *launch) asChild(err error) error {
	return &childError{by: l.parent.name(), block: l.bornBlock, thread: l.bornThread, err: err}
}

// A childError is the error of a child as an error of its parent. Its text is made on demand, since
// the text of a timeout is not complete before.
type childError struct {
	by            string // the name of the parent's kernel
	block, thread grid.Dim3
	err           error
}

func (e *childError) Error() string {
	return fmt.Sprintf("launched by kernel %s, block %v thread %v: %v", e.by, e.block, e.thread, e.err)
}

func (e *childError) Unwrap() error { return e.err }

// releaseEnds is called at the end of a block. It orders the block before the end of its launch and
// of that launch's ancestors, and before the device is closed.
//
//go:norace
func (l *launch) releaseEnds() {
	l.dev.over.releaseAt()
	for ; l != nil; l = l.parent {
		l.end.releaseAt()
	}
}
