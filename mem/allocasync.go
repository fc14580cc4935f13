package mem

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Allocation in the order of a stream: memory that may be used between two places in the stream's
// queue. The memory itself is found when the program asks, so that kernels can be given it. Tasks
// in the queue mark where its use begins and ends.

// An order belongs to an allocation from a pool, in the order of streams.
type order struct {
	pool *Pool
}

// The states of an allocation, for work that runs now. Textures and surfaces, which know no buffer,
// read the state.
const (
	usable   uint32 = iota
	unready         // the stream has not come to the allocation
	released        // a stream has come to the free
	freed           // freed at once; copies that are queued still take place
)

// inOrder returns what is wrong with using the memory now.
func (a *allocation) inOrder() error {
	if a == nil || a.order == nil {
		return nil
	}
	switch a.use.Load() {
	case released:
		return fmt.Errorf("%w in the order of its stream", ErrFreed)
	case unready:
		return errEarly
	}
	return nil
}

// unusable returns why a texture or a surface can't be used: because of its memory, or because it
// was destroyed.
func unusable(use *atomic.Uint32) error {
	if use.Load() == unready {
		return errEarly
	}
	return ErrFreed
}

// AllocAsync allocates n elements from the current pool of the stream's device in the order of s,
// CUDA's cudaMallocAsync. Work that is queued on s from now on, and whoever waits for that work,
// can use the memory. The buffer's Data can be given to kernels at once, but must not be accessed
// before. A copy that runs before s has come to the allocation returns [ErrNotReady] or, if it is
// queued, makes its stream fail with that error.
//
// The contents are undefined, and [Poison] on a device in checked mode.
func AllocAsync[T any](s Stream, n int) (*Buffer[T], error) {
	space, err := streamSpace(s)
	if err != nil {
		return nil, err
	}
	return AllocFromPoolAsync[T](s, space.currentPool(), n)
}

// AllocFromPoolAsync is [AllocAsync] from a certain pool, CUDA's cudaMallocFromPoolAsync. The pool
// must be of the stream's device, or of one that the stream's device has peer access to.
func AllocFromPoolAsync[T any](s Stream, p *Pool, n int) (*Buffer[T], error) {
	at, err := streamSpace(s)
	switch {
	case err != nil:
		return nil, err
	case p == nil || p.space == nil:
		return nil, errNoPool
	}
	a := &allocation{kind: MemoryTypeDevice, space: p.space, order: &order{pool: p}}
	a.use.Store(unready)
	if !at.reaches(a) {
		return nil, ErrForeign
	}
	bytes, err := sizeOf[T](n)
	if err != nil {
		return nil, err
	}
	f, err := p.take(s, bytes)
	if err != nil {
		return nil, err
	}
	a.bytes = int64(len(f.raw))
	b := newBuffer[T](f.raw, n, a)
	raw, poison := f.raw, p.space.poison
	err = s.Enqueue(func() error {
		f.passed.Load() // for the race detector: what s does comes after the free, on whatever stream that was
		if poison {
			Fill(raw, Poison)
		}
		a.use.CompareAndSwap(unready, usable)
		a.observeReady()
		return nil
	})
	if err != nil {
		live.remove(a)
		p.mu.Lock()
		p.stats.Used -= a.bytes
		p.mu.Unlock()
		p.put(f)
		return nil, err
	}
	return b, nil
}

// FreeAsync frees b in the order of s, CUDA's cudaFreeAsync: work that is queued on s before may
// still use it. b must come from [AllocAsync] or [AllocFromPoolAsync], on whatever stream. Work
// that is queued from now on can't use b, on any stream; work that another stream does after s has
// come here ends with [ErrFreed].
//
// [Buffer.Free] frees such a buffer too. Its memory then goes back to the device, not to the pool.
func FreeAsync[T any](s Stream, b *Buffer[T]) error {
	at, err := streamSpace(s)
	switch {
	case err != nil:
		return err
	case b == nil || b.owner == nil:
		return b.check()
	case b.part:
		return fmt.Errorf("mem: %w: a part of a buffer can't be freed", ErrInvalidValue)
	case b.owner.order == nil:
		return fmt.Errorf("mem: %w: the buffer is from no pool", ErrInvalidValue)
	case !at.reaches(b.owner):
		return ErrForeign
	case b.owner.freed.Swap(true):
		b.owner.observeAgain()
		return ErrFreed
	}
	a, p := b.owner, b.owner.order.pool
	f := &piece{stream: s}
	if a.bytes > 0 {
		f.raw = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b.data))), a.bytes)
	}
	// A stream that has failed drops its queue. Then it has come as far as it ever will once it has
	// dropped the mark.
	type mark struct{ f *piece }
	m := &mark{f}
	dropped := runtime.AddCleanup(m, func(f *piece) {
		a.use.Store(released) // textures must not see who has it next
		p.pass(f)
	}, f)
	err = s.Enqueue(func() error {
		was := a.use.Swap(released)
		a.observeGone()
		p.pass(m.f)
		if was == unready {
			return errEarly
		}
		return nil
	})
	if err != nil {
		dropped.Stop()
		runtime.KeepAlive(m)
		a.freed.Store(false)
		return err
	}
	b.data = nil
	a.observeFree(true)
	live.remove(a)
	p.mu.Lock()
	p.stats.Used -= a.bytes
	p.mu.Unlock()
	p.put(f)
	return nil
}
