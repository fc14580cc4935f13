package gocuda

import (
	"context"
	"errors"
	"fmt"
	"runtime/trace"
	"sync"
	"sync/atomic"

	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/observe"
	"github.com/gocuda/gocuda/internal/timeline"
)

// Launch runs kernel on the default device and waits until all blocks have ended: CUDA's
//
//	kernel<<<cfg.Grid, cfg.Block, cfg.SharedBytes>>>(...)
//
// followed by cudaDeviceSynchronize. See [Device.Launch].
func Launch(ctx context.Context, cfg grid.Config, kernel Kernel) error {
	return Default().Launch(ctx, cfg, kernel)
}

// LaunchFunc is [Launch] for a thread kernel.
func LaunchFunc(ctx context.Context, cfg grid.Config, kernel func(*Thread)) error {
	return Default().Launch(ctx, cfg, ThreadFunc(kernel))
}

// Launch runs kernel on d and waits until all blocks have ended. An empty grid succeeds at once.
//
// The error says what is wrong with the configuration, or what went wrong in a kernel, as a
// [*KernelError]. If ctx is done before the last block has begun, no further blocks start, and the
// error is the context's cause. Threads stop at their next barrier; compiled kernels also stop in
// loops whose trip count is not known. A kernel that comes to neither can't be interrupted: if it
// has not ended 100 ms later, the launch is given up. Then Launch returns a [*RunawayError], which
// names the blocks that still run and use the kernel's arguments.
//
// Launch does not queue behind other launches: every caller is like a stream of its own, CUDA's
// per-thread default stream. Concurrent launches share the processors. A kernel may itself call
// Launch. On a device with [WithLegacyStream] it is in the order of the default stream.
func (d *Device) Launch(ctx context.Context, cfg grid.Config, kernel Kernel) error {
	end, err := d.turn(ctx)
	if err != nil {
		return err
	}
	defer end()
	return d.launchNow(ctx, cfg, kernel)
}

// launchNow is Launch without the turn in the order of the legacy default stream.
func (d *Device) launchNow(ctx context.Context, cfg grid.Config, kernel Kernel) error {
	l, err := d.newLaunch(ctx, cfg, kernel, true)
	if l == nil {
		return err
	}
	if !d.pool.run(l) {
		l.abandon()
		return errDeviceClosed
	}
	return d.conclude(l)
}

// LaunchFunc is [Device.Launch] for a thread kernel.
func (d *Device) LaunchFunc(ctx context.Context, cfg grid.Config, kernel func(*Thread)) error {
	return d.Launch(ctx, cfg, ThreadFunc(kernel))
}

// A launch is a grid that runs. Its driver and the helpers that join it claim blocks until there are
// none; the driver waits for the helpers.
type launch struct {
	dev         *Device
	ctx         context.Context
	done        <-chan struct{} // of ctx
	cfg         grid.Config     // normalized
	kernel      Kernel
	info        *kernelInfo // name and labels
	executor    Executor
	threads     int // a block
	blocks      int
	sharedLimit int
	maxWorkers  int
	priority    int32
	urgent      *atomic.Int32 // of the pool
	timeout     *timeout      // nil if there is none
	order       blockOrder
	seen        *observe.Launch // by an observer; nil without one
	began       int64           // for a timeline; 0 without one
	task        *trace.Task
	end         *raceCell // released by every block
	lingers     *linger
	coop        *cooperation // of a cooperative launch

	// Of dynamic parallelism; see nested.go.
	family     atomic.Pointer[family] // the launches that kernels of this one made
	uses       uint64                 // how often l was used before
	parent     *launch                // the launch whose kernel made this one
	depth      int
	stream     *childStream
	roomMade   bool        // guarded by the family of the root
	bornBlock  grid.Dim3   // who made it
	bornThread grid.Dim3   //
	made       *raceCell   // released when the launch was prepared, acquired by all who work for it
	after      []*raceCell // acquired by every block

	entered bool // open to helpers, or has been
	places  int  // how many workers have joined so far; guarded by the pool

	own      worker        // drives the launch if its caller does
	least    int64         // blocks that a worker takes at a time
	eighths  int64         // of the blocks left in a share, how many a worker takes, in eighths
	shares   []share       // of the workers, in the order in which they join
	joined   atomic.Int32  // workers in the launch; they join with the pool locked. See asleep.
	dry      atomic.Bool   // all blocks have been begun
	stop     atomic.Bool   // no further blocks start
	left     chan struct{} // from the last helper to the driver
	finished chan struct{} // from the driver to the caller

	// See runaway.go.
	hurry   atomic.Bool   // the context is done
	runaway *RunawayError // the launch was given up
	ending  bool          // the launch can't be given up any more; guarded by the pool
	strayed *RunawayError // of a descendant that was given up

	mu       sync.Mutex
	err      error
	failedIn map[*Block]bool
	writeErr error
	fifo     *printfFIFO // nil if text is written at once
}

// A share is a range of blocks that one worker has the first claim to. Launch after launch, the
// same worker thus works on the same part of the data, which is still in its cache. A worker that
// has finished its own share takes blocks of the others, so a worker that comes late or has the
// harder part holds nobody up. (One counter for all is simpler, and made SAXPY on 2^16 elements a
// third slower: every block found its data in the other core's cache.)
type share struct {
	next atomic.Int64 // the first block that nobody has begun
	end  int64
	_    [112]byte // padding, so that no cache line holds two shares
}

// newLaunch checks a launch and prepares it. The launch is nil if there is nothing to run: the
// configuration is wrong, the context is done, or the grid is empty. Under the race detector it may
// have to wait for other launches.
func (d *Device) newLaunch(ctx context.Context, cfg grid.Config, kernel Kernel, waits bool) (*launch, error) {
	if err := d.check(cfg, kernel); err != nil {
		return nil, err
	}
	if ctx == nil {
		return nil, fmt.Errorf("gocuda: launch: %w: the context is nil", ErrInvalidValue)
	}
	if ctx.Err() != nil {
		return nil, cancelled(ctx)
	}
	if cfg.Grid.X == 0 {
		return nil, nil
	}
	l := d.prepare(ctx, cfg, kernel, infoOf(kernel))
	p, err := d.admit(ctx, l, waits)
	if err != nil {
		l.endTask()
		return nil, err
	}
	l.lingers = newLinger(p)
	l.startClock()
	l.awaitRunaways()
	l.made.releaseAt()
	return l, nil
}

// prepare makes a launch of arguments that have been checked. Its timeout does not run yet.
func (d *Device) prepare(ctx context.Context, cfg grid.Config, kernel Kernel, info *kernelInfo) *launch {
	var l *launch
	if !raceEnabled { // a pool would order launches
		l, _ = d.launches.Get().(*launch)
	}
	if l == nil {
		l = &launch{dev: d, left: make(chan struct{}, 1), finished: make(chan struct{}, 1)}
	}
	l.ctx, l.done = ctx, ctx.Done()
	l.cfg = cfg
	l.cfg.Grid, l.cfg.Block = cfg.Grid.Norm(), cfg.Block.Norm()
	l.kernel = kernel
	l.info = info.labelled(ctx)
	l.executor = d.executor
	l.threads, l.blocks = cfg.Threads(), cfg.Blocks()
	l.sharedLimit = d.limits.SharedPerBlock
	if cfg.SharedOptIn {
		l.sharedLimit = d.limits.SharedPerBlockOptIn
	}
	l.maxWorkers = d.workers()
	if observed() {
		l.maxWorkers, l.executor = 1, ExecutorCoroutine
	}
	if cfg.Workers > 0 {
		l.maxWorkers = min(l.maxWorkers, cfg.Workers)
	}
	if n := d.fifoLimit.Load(); n > 0 {
		l.fifo = &printfFIFO{limit: int(n)}
	}
	l.priority, l.urgent = int32(clampPriority(cfg.Priority)), &d.pool.urgent
	l.order = d.order.over(l.blocks)
	l.least, l.eighths = 1, 1
	if l.isBody() && kernel.(*compiled).forms.Traits&rt.CompiledColumns != 0 && l.order.kind == orderNatural && l.cfg.Grid.X > 1 && l.cfg.Grid.Y > 1 {
		l.order.kind, l.order.x, l.order.y = orderColumns, l.cfg.Grid.X, l.cfg.Grid.Y
	}
	if l.isBody() && kernel.(*compiled).forms.Traits&rt.CompiledRows != 0 {
		l.least, l.eighths = int64(max(1, shortClaim/l.threads)), 4
		if l.blocks <= shortLaunch/l.threads && kernel.(*compiled).forms.Traits&rt.CompiledCalling == 0 {
			l.eighths = 7
		}
	}
	l.divide()
	if timeline.On() {
		l.began = timeline.Now()
	}
	if l.seen = nil; observed() {
		l.observeLaunch()
	}
	if raceEnabled {
		l.end, l.made = newRaceCell(), newRaceCell()
	}
	if trace.IsEnabled() {
		l.ctx, l.task = traceTask(ctx, l.name())
	}
	return l
}

// abandon is called in place of result when nothing of the launch has run.
func (l *launch) abandon() {
	if l.timeout != nil {
		l.timeout.cancel()
	}
	l.endTask()
	l.lingers.end()
}

func (l *launch) endTask() {
	if l.task != nil {
		l.task.End()
	}
}

// check returns what is wrong with a launch on d.
func (d *Device) check(cfg grid.Config, kernel Kernel) error {
	if d == nil {
		return errNilDevice
	}
	if isNil(kernel) {
		return fmt.Errorf("gocuda: launch: %w", ErrInvalidDeviceFunction)
	}
	if err := cfg.Validate(d.limits); err != nil {
		return fmt.Errorf("gocuda: launch of %s: %w", infoOf(kernel).name, err)
	}
	if d.pool.closed.Load() {
		return errDeviceClosed
	}
	if k, ok := kernel.(*compiled); ok && (k.copied && !observed() || k.run != nil && !raceEnabled && !observed() && !d.checked && d.executor != ExecutorGoroutine) {
		return k.forms.Stale()
	}
	if n := d.pool.strays.Load(); n >= mostRunaways {
		return fmt.Errorf("gocuda: launch of %s: %w: %d blocks of other launches", infoOf(kernel).name, ErrRunaway, n)
	}
	return nil
}

func cancelled(ctx context.Context) error {
	return fmt.Errorf("gocuda: launch cancelled: %w", context.Cause(ctx))
}

func (l *launch) name() string { return l.info.name }

// conclude returns the error of a launch that somebody has waited for.
func (d *Device) conclude(l *launch) error {
	if l.runaway != nil {
		return l.runaway
	}
	err := l.result()
	d.recycle(l)
	return err
}

func (l *launch) result() error {
	if l.began != 0 {
		l.timeLaunch()
	}
	if l.seen != nil {
		l.observeEnd()
	}
	l.end.acquire()
	if l.timeout != nil {
		l.endTimeout()
	}
	if err := l.dev.memory.CheckConstants(); err != nil { // checked mode
		l.err = errors.Join(l.err, fmt.Errorf("gocuda: kernel %s: %w", l.name(), err))
	}
	if l.strayed != nil && !errors.Is(l.err, ErrRunaway) { // there was another error before
		l.err = errors.Join(l.err, l.strayed)
	}
	if l.fifo != nil {
		l.flushFIFO()
	}
	if l.writeErr != nil {
		return errors.Join(l.err, fmt.Errorf("gocuda: Printf: %w", l.writeErr))
	}
	return l.err
}

// recycle keeps a finished launch for the next one, so that launching allocates nothing.
func (d *Device) recycle(l *launch) {
	if raceEnabled || l.strayed != nil { // see prepare; the blocks of a stray still refer to l
		return
	}
	l.ctx, l.done, l.kernel, l.info, l.task, l.end, l.lingers = nil, nil, nil, nil, nil, nil, nil
	l.err, l.writeErr, l.failedIn, l.timeout, l.coop = nil, nil, nil, nil, nil
	if l.family.Load() != nil || l.parent != nil {
		l.family.Store(nil)
		l.parent, l.depth, l.stream, l.after, l.roomMade = nil, 0, nil, nil, false
	}
	l.entered, l.ending = false, false
	l.uses++
	if l.stop.Load() { // mostly not, and to store is an instruction that locks
		l.stop.Store(false)
	}
	if l.dry.Load() {
		l.dry.Store(false)
	}
	if l.hurry.Load() {
		l.hurry.Store(false)
	}
	d.launches.Put(l)
}

// divide makes the shares, as equal as can be.
func (l *launch) divide() {
	n := min(l.maxWorkers, l.blocks)
	if cap(l.shares) < n {
		l.shares = make([]share, n)
	}
	l.shares = l.shares[:n]
	size, rest := int64(l.blocks/n), int64(l.blocks%n)
	var from int64
	for i := range l.shares {
		s := &l.shares[i]
		s.next.Store(from)
		from += size
		if int64(i) < rest {
			from++
		}
		s.end = from
	}
}

// shortClaim is the least number of threads that a worker claims at a time if the body runs rows of
// blocks: some hundred nanoseconds' work. Claiming and beginning the blocks costs some 50.
const shortClaim = 4096

// shortLaunch is the largest number of threads of such a launch that is over in some microseconds.
const shortLaunch = 1 << 16

// isTame reports whether the goroutine that waits for l can drive it itself. To hand it to a worker
// and to be woken takes some 350 ns (BenchmarkEmptyLaunch: 500 and 120 ns for an empty block). The
// body of a compiled kernel that calls nothing can't end its goroutine, as other kernels can by
// runtime.Goexit, and does not wait for something that its caller has yet to do. If the context can
// be done, the kernel must also be known to end: a caller that drives the launch itself can't give
// it up.
func (l *launch) isTame() bool {
	if l.task != nil || l.timeout != nil || !l.isBody() {
		return false
	}
	traits := l.kernel.(*compiled).forms.Traits
	return traits&rt.CompiledCalling == 0 && (l.done == nil || traits&rt.CompiledEnding != 0)
}

// claim takes blocks of the share that nobody has begun, and returns the first and the one after the
// last. The range is empty when there are none.
//
// A claim is an eighth of the blocks left. So claims are large while much is left, when the counter
// would be the bottleneck for small blocks, and single blocks at the end, when workers should
// finish together. Bodies that run rows of blocks claim a half, and no fewer threads than are worth
// a claim. In short launches they claim seven eighths, because claims are most of what a worker
// does there beside the blocks (saxpy 2^14 to 2^16: 1.03 to 1.07 of the speed, medians of 12 to 30
// in turn).
func (s *share) claim(least, eighths int64) (from, to int64) {
	for {
		from = s.next.Load()
		if from >= s.end {
			return s.end, s.end
		}
		left := s.end - from
		to = from + min(max(least, left/8*eighths+left%8*eighths/8), left)
		if s.next.CompareAndSwap(from, to) {
			return from, to
		}
	}
}

// claim takes blocks for the worker at the given place.
func (l *launch) claim(place int) (from, to int64) {
	for i := range l.shares {
		from, to = l.shares[(place+i)%len(l.shares)].claim(l.least, l.eighths)
		if from < to {
			if l.priority < 0 && l.begun() {
				l.dev.pool.relax(l)
			}
			return from, to
		}
	}
	l.dry.Store(true)
	return 0, 0
}

// unclaimed reports whether there may be blocks that nobody has begun.
func (l *launch) unclaimed() bool { return !l.dry.Load() && !l.stop.Load() }

// runBlocks runs blocks until none are left. Several workers do so at the same time, each with a place
// of its own.
func (l *launch) runBlocks(w *worker, place int) {
	w.take(place)
	for {
		from, to := l.claim(place)
		if from == to {
			return
		}
		if l.task == nil && l.timeout == nil && l.isBody() {
			if timeline.On() {
				w.timedSpan(l, from, to, place)
			} else {
				w.runSpan(l, from, to, place)
			}
			if l.stop.Load() {
				return
			}
			continue
		}
		for k := from; k < to; k++ {
			if l.stop.Load() {
				return
			}
			if l.yields() {
				w.p.giveWay(l, place)
				if l.stop.Load() {
					return
				}
			}
			if l.done != nil {
				select {
				case <-l.done:
					l.failCancelled(nil)
					return
				default:
				}
			}
			w.runBlock(l, int(k))
		}
	}
}

// fail makes err the error of the launch, if it is the first, and keeps further blocks from starting.
func (l *launch) fail(err error, b *Block) {
	if l.passesOnItsEnd(err) {
		l.failCancelled(b)
		return
	}
	l.mu.Lock()
	first := l.err == nil && err != nil
	if first {
		l.err = err
	}
	if b != nil {
		if l.failedIn == nil {
			l.failedIn = map[*Block]bool{}
		}
		l.failedIn[b] = true
	}
	l.stop.Store(true)
	l.mu.Unlock()
	l.end.releaseAt()
	if l.coop != nil {
		l.coop.stop()
	}
	if first {
		l.spread(err)
	}
}

// passesOnItsEnd reports whether err is the panic of a kernel with the cause of its own
// cancellation, for instance of a kernel that panics with the error of a child's launch. Such a
// kernel did not fail: it was stopped.
func (l *launch) passesOnItsEnd(err error) bool {
	e, ok := err.(*KernelError)
	if !ok || l.ctx == nil || l.ctx.Err() == nil {
		return false
	}
	v, ok := e.Value.(error)
	return ok && errors.Is(v, context.Cause(l.ctx))
}

func (l *launch) failCancelled(b *Block) {
	if l.timeout != nil && context.Cause(l.ctx) == l.timeout {
		l.failTimeout(b)
		return
	}
	l.fail(cancelled(l.ctx), b)
}

// failedBlock reports whether b itself failed, and not only another block of the launch.
func (l *launch) failedBlock(b *Block) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failedIn[b]
}

// write writes to the device's writer and keeps the first error.
func (l *launch) write(text string) {
	l = l.root()
	if raceEnabled {
		l.writeApart(text)
	} else {
		l.print(text)
	}
}

func (l *launch) print(text string) {
	if l.fifo != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.fifo.add(text)
		return
	}
	if _, err := l.dev.output.Write([]byte(text)); err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.writeErr == nil {
			l.writeErr = err
		}
	}
}

// writeApart is write for the race detector: blocks that print come before the end of the launch,
// not one before the other.
//
//go:norace
func (l *launch) writeApart(text string) {
	over := make(chan struct{})
	raceDisable()
	go l.printApart(text, over)
	<-over
	raceEnable()
}

func (l *launch) printApart(text string, over chan<- struct{}) {
	origin.acquire()
	l.awaken()
	defer func() { // also if the writer ends the goroutine
		l.end.releaseAt()
		raceDisable()
		close(over)
		raceEnable()
	}()
	l.print(text)
}
