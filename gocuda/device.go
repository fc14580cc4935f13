package gocuda

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// A Device is what kernels run on: the processors of the host, with a memory of its own and the limits
// of a GPU. A program mostly uses the one that [Default] returns. Its methods may be called from
// several goroutines.
type Device struct {
	gen       Generation
	props     Properties
	lacks     uint64 // operations that GPUs of its generation did not have
	limits    grid.Limits
	nworkers  int // 0: GOMAXPROCS
	checked   bool
	noVectors bool
	executor  Executor
	order     Order
	output    *lockedWriter
	memory    *mem.Space
	pool      *pool
	launches  sync.Pool // of *launch
	isolated  bool      // not the default device: it can be closed
	over      *raceCell // released by every block
	streamed  *raceCell // released by every task of a stream

	pending      atomic.Int64 // launches of kernels that have not ended
	pendingLimit atomic.Int64 // 0: the default
	fifoLimit    atomic.Int64 // 0: none
	heap         deviceHeap
	triggers     profTriggers

	active streamSet
	stream *Stream      // the default stream
	legacy *legacyOrder // nil unless that is CUDA's NULL stream

	mu       sync.Mutex
	captured map[*Stream]struct{} // those being captured
}

// Executor is how the threads of a block are run. All executors give the same answers.
type Executor uint8

const (
	// ExecutorCoroutine runs the threads of a block one at a time, as coroutines where they wait. It
	// is the default.
	ExecutorCoroutine Executor = iota
	// ExecutorGoroutine runs each thread as a goroutine, so that the race detector sees conflicts
	// between the threads of a block. It is the default under the race detector and in checked mode.
	ExecutorGoroutine
)

// String names the executor.
func (e Executor) String() string {
	if e == ExecutorGoroutine {
		return "goroutine"
	}
	return "coroutine"
}

// An Option is a setting of [NewDevice].
type Option func(*options) error

type options struct {
	gen       Generation
	workers   int
	memory    int64
	checked   bool
	noVectors bool
	executor  *Executor
	order     Order
	output    io.Writer
	legacy    bool
}

// WithWorkers sets how many workers run blocks at the same time. The default is what GOMAXPROCS is at
// each launch.
func WithWorkers(n int) Option {
	return func(o *options) error {
		if n < 1 {
			return fmt.Errorf("%w: %d workers", ErrInvalidValue, n)
		}
		o.workers = n
		return nil
	}
}

// WithVectors sets whether compiled kernels use vector instructions where they have a form for
// them. The default is true. With false they run in plain Go; the results are the same, except for
// kernels marked fastmath.
// fastmath.
func WithVectors(on bool) Option {
	return func(o *options) error {
		o.noVectors = !on
		return nil
	}
}

// WithMemory sets the size of the device's memory in bytes. The default is the host's memory, or
// the runtime's memory limit if that is lower. For a device with the limits of a GPU the default is
// at most the memory of the GPU's board, such as 768 MiB for a GeForce 8800 GTX. Memory is taken
// from the host only when it is allocated.
func WithMemory(bytes int64) Option {
	return func(o *options) error {
		if bytes < 0 {
			return fmt.Errorf("%w: %d bytes of memory", ErrInvalidValue, bytes)
		}
		o.memory = bytes
		return nil
	}
}

// WithGeneration gives the device the limits of a GPU generation instead of the host's, so that a
// program meets the limits that it would meet on that GPU. These are the sizes of launches, the
// memory of the board, and the operations that the GPU has. A kernel with an operation that came
// later, such as votes, shuffles and Printf, fails with an [ErrNotSupported] that names the compute
// capability needed. Uses of float64 and of atomics can't be detected at run time.
func WithGeneration(g Generation) Option {
	return func(o *options) error {
		if !g.valid() {
			return fmt.Errorf("%w: generation %d", ErrInvalidValue, int(g))
		}
		o.gen = g
		return nil
	}
}

// WithChecked sets checked mode: threads are goroutines, barriers at different places of the program
// are an error, and shared and device memory start with mem.Poison instead of old contents. Kernels
// run some ten times slower. The default is off.
func WithChecked(on bool) Option {
	return func(o *options) error {
		o.checked = on
		return nil
	}
}

// WithExecutor chooses the executor. The default is ExecutorCoroutine, or ExecutorGoroutine under the
// race detector and in checked mode.
func WithExecutor(e Executor) Option {
	return func(o *options) error {
		if e > ExecutorGoroutine {
			return fmt.Errorf("%w: executor %d", ErrInvalidValue, e)
		}
		o.executor = &e
		return nil
	}
}

// WithBlockOrder sets the order in which the blocks of a grid begin. The default is NaturalOrder.
func WithBlockOrder(order Order) Option {
	return func(o *options) error {
		o.order = order
		return nil
	}
}

// WithOutput sets the writer of Printf in kernels. The default is os.Stdout. Calls of Write don't
// overlap.
func WithOutput(w io.Writer) Option {
	return func(o *options) error {
		if w == nil {
			return fmt.Errorf("%w: the writer is nil", ErrInvalidValue)
		}
		o.output = w
		return nil
	}
}

// NewDevice opens a device. Close it to end its goroutines.
func NewDevice(opts ...Option) (*Device, error) {
	o := options{memory: -1, output: stdout{}}
	for _, opt := range opts {
		if opt == nil {
			return nil, fmt.Errorf("gocuda: new device: %w: an option is nil", ErrInvalidValue)
		}
		if err := opt(&o); err != nil {
			return nil, fmt.Errorf("gocuda: new device: %w", err)
		}
	}
	if o.memory < 0 {
		o.memory = memoryOf(o.gen)
	}
	d := &Device{
		gen:       o.gen,
		nworkers:  o.workers,
		checked:   o.checked,
		noVectors: o.noVectors,
		order:     o.order,
		output:    &lockedWriter{w: o.output},
		memory:    mem.NewSpace(o.memory, o.checked),
		isolated:  true,
		over:      newRaceCell(),
		streamed:  newRaceCell(),
		heap:      deviceHeap{limit: defaultHeap},
	}
	switch {
	case o.executor != nil:
		d.executor = *o.executor
	case raceEnabled || o.checked:
		d.executor = ExecutorGoroutine
	}
	d.props = propertiesOf(o.gen, o.memory)
	d.memory.SetCapability(d.props.Major, d.props.Minor)
	d.lacks = lacking(Capability{d.props.Major, d.props.Minor})
	d.limits = d.props.Limits()
	d.pool = newPool(d.workers)
	d.stream = d.NewStream()
	if o.legacy {
		d.legacy = newLegacyOrder()
		d.memory.SetTurn(func() (func(), error) { return d.turn(context.Background()) })
	}
	return d, nil
}

// Default returns the device that Launch uses: the host with all its processors and memory. It can't
// be closed.
var Default = sync.OnceValue(func() *Device {
	d, err := NewDevice()
	if err != nil {
		panic(err) // there are no options to be wrong
	}
	d.isolated = false
	return d
})

func (d *Device) workers() int {
	if d.nworkers > 0 {
		return d.nworkers
	}
	return defaultWorkers()
}

// Properties returns what is known of the device, CUDA's cudaGetDeviceProperties.
func (d *Device) Properties() Properties {
	p := d.props
	p.Workers = d.workers()
	return p
}

// Memory returns the device's memory, for package mem.
func (d *Device) Memory() *mem.Space {
	if d == nil {
		return nil
	}
	return d.memory
}

// Close waits for everything that was launched or queued, and ends the device's goroutines. Later
// use of the device or its streams is an [ErrInvalidResourceHandle]. The default device returns
// [ErrNotPermitted]. A kernel must not close its own device: Close would wait for it forever. Close
// does not wait for blocks of launches that were given up; if there are any, the device is closed
// all the same, and the error is a [*RunawayError].
func (d *Device) Close() error {
	if d == nil {
		return errNilDevice
	}
	if !d.isolated {
		return fmt.Errorf("gocuda: close: %w: this is the default device", ErrNotPermitted)
	}
	if d.pool.closed.Load() {
		return errDeviceClosed
	}
	for _, s := range d.active.list() {
		s.wait()
	}
	d.memory.Close()
	d.pool.close()
	d.over.acquireAt()
	d.streamed.acquireAt()
	if err := d.runawayError(); err != nil {
		return fmt.Errorf("gocuda: close: %w", err)
	}
	return nil
}

var (
	errNilDevice    = fmt.Errorf("gocuda: %w: the device is nil", ErrInvalidResourceHandle)
	errDeviceClosed = fmt.Errorf("gocuda: %w", mem.ErrClosed)
)

// epoch is where event times count from.
var epoch = time.Now()
