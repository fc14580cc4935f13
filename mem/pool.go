package mem

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// Memory pools. A pool keeps what is freed, and hands it out again without asking the device, which
// makes allocation in the order of a stream fast: new memory has to be cleared, old memory has not.
//
// A piece that was freed on a stream can be used again
//
//   - by an allocation on the same stream, at once: whatever the stream did with it is over when the turn of the
//     allocation comes;
//   - by an allocation on another stream once the first stream has come to the free, which is CUDA's
//     cudaMemPoolReuseAllowOpportunistic and can be switched off.
//
// CUDA also follows events from stream to stream, and can make one stream wait for another. This
// package sees neither: it then takes new memory, where CUDA would take old.
//
// A piece is handed out whole, to an allocation that needs half of it or more. CUDA divides larger
// ones.

// A Pool is memory of a device that allocations on streams take and give back, CUDA's
// cudaMemPool_t. Its methods may be called from several goroutines.
type Pool struct {
	space *Space
	max   int64 // 0: no limit

	mu            sync.Mutex
	free          []*piece
	threshold     int64
	opportunistic bool
	closed        atomic.Bool // set with mu held
	stats         PoolStats
}

// A piece is free memory of a pool.
type piece struct {
	raw    []byte
	stream Stream      // that it was freed on
	passed atomic.Bool // the stream has come to the free
}

// PoolStats is how much a pool has, in bytes: CUDA's attributes cudaMemPoolAttrReservedMemCurrent,
// ReservedMemHigh, UsedMemCurrent and UsedMemHigh.
type PoolStats struct {
	Reserved     int64 // taken from the device
	ReservedHigh int64 // the most since the last ResetHigh
	Used         int64 // of that, what is allocated
	UsedHigh     int64 // the most since the last ResetHigh
}

// PoolProps are the properties of a new pool. The zero value is CUDA's default.
type PoolProps struct {
	MaxSize int64 // bytes that the pool can have at most; 0 for no limit
}

// NewPool makes a pool on dev, CUDA's cudaMemPoolCreate. Close it when it is no longer needed.
func NewPool(dev Device, props PoolProps) (*Pool, error) {
	s, err := spaceOf(dev)
	if err != nil {
		return nil, err
	}
	if props.MaxSize < 0 {
		return nil, fmt.Errorf("mem: %w: a pool of %d bytes", ErrInvalidValue, props.MaxSize)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	return s.newPool(props.MaxSize), nil
}

// newPool makes a pool, with s.mu held.
func (s *Space) newPool(max int64) *Pool {
	p := &Pool{space: s, max: max, opportunistic: true}
	s.pools = append(s.pools, p)
	s.pooled.Store(true)
	return p
}

// DefaultPool returns the pool that dev has from the beginning, CUDA's cudaDeviceGetDefaultMemPool.
// It can't be closed.
func DefaultPool(dev Device) (*Pool, error) {
	s, err := spaceOf(dev)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.defaultPool(), nil
}

func (s *Space) defaultPool() *Pool {
	if s.pool == nil {
		s.pool = s.newPool(0)
	}
	return s.pool
}

// CurrentPool returns the pool that [AllocAsync] takes memory from, CUDA's cudaDeviceGetMemPool:
// the one that was set last, or the default one.
func CurrentPool(dev Device) (*Pool, error) {
	s, err := spaceOf(dev)
	if err != nil {
		return nil, err
	}
	return s.currentPool(), nil
}

func (s *Space) currentPool() *Pool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		return s.current
	}
	return s.defaultPool()
}

// SetCurrentPool sets the pool that [AllocAsync] takes memory from, CUDA's cudaDeviceSetMemPool.
func SetCurrentPool(dev Device, p *Pool) error {
	s, err := spaceOf(dev)
	switch {
	case err != nil:
		return err
	case p == nil || p.space == nil:
		return errNoPool
	case p.space != s:
		return ErrForeign
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.pools, p) {
		return errPoolClosed
	}
	s.current = p
	return nil
}

var (
	errNoPool     = fmt.Errorf("mem: %w: no pool", ErrInvalidValue)
	errPoolClosed = fmt.Errorf("mem: %w: the pool is closed", ErrInvalidValue)
)

// Close ends the pool, CUDA's cudaMemPoolDestroy. What is still allocated stays valid, and goes
// back to the device when it is freed. If it was its device's current pool, the default one is that
// again. The default pool can't be closed.
func (p *Pool) Close() error {
	if p == nil || p.space == nil {
		return errNoPool
	}
	s := p.space
	s.mu.Lock()
	if p == s.pool {
		s.mu.Unlock()
		return fmt.Errorf("mem: %w: the default pool can't be closed", ErrInvalidValue)
	}
	if i := slices.Index(s.pools, p); i >= 0 {
		s.pools = slices.Delete(s.pools, i, i+1)
	}
	if s.current == p {
		s.current = nil
	}
	s.mu.Unlock()
	p.mu.Lock()
	was := p.closed.Swap(true)
	p.mu.Unlock()
	if was {
		return errPoolClosed
	}
	p.trim(0)
	return nil
}

// Trim gives memory that nobody uses back to the device until the pool has keep bytes or fewer, CUDA's
// cudaMemPoolTrimTo. Memory whose free has not taken place yet stays.
func (p *Pool) Trim(keep int64) error {
	if p == nil || p.space == nil {
		return errNoPool
	}
	if keep < 0 {
		return fmt.Errorf("mem: %w: trim to %d bytes", ErrInvalidValue, keep)
	}
	p.trim(keep)
	return nil
}

// trim is Trim. It reports whether anything was given back.
func (p *Pool) trim(keep int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.stats.Reserved
	p.free = slices.DeleteFunc(p.free, func(f *piece) bool {
		if p.stats.Reserved <= keep || !f.hasPassed() {
			return false
		}
		p.stats.Reserved -= int64(len(f.raw))
		return true
	})
	p.space.release(before - p.stats.Reserved)
	return p.stats.Reserved < before
}

// trimPools trims all pools of the device. It reports whether anything was given back.
func (s *Space) trimPools(keep func(*Pool) int64) bool {
	s.mu.Lock()
	pools := slices.Clone(s.pools)
	s.mu.Unlock()
	some := false
	for _, p := range pools {
		some = p.trim(keep(p)) || some
	}
	return some
}

// Synchronized tells the memory that the host has waited for a stream, an event or the device:
// pools that have more than their release threshold then give back what nobody uses. Package gocuda
// calls it.
func (s *Space) Synchronized() {
	if s.pooled.Load() {
		s.trimPools((*Pool).ReleaseThreshold)
	}
}

// SetReleaseThreshold sets how many bytes the pool keeps when the host synchronizes, CUDA's
// cudaMemPoolAttrReleaseThreshold. At first it is 0; math.MaxInt64 keeps all.
func (p *Pool) SetReleaseThreshold(bytes int64) error {
	if p == nil || p.space == nil {
		return errNoPool
	}
	if bytes < 0 {
		return fmt.Errorf("mem: %w: a release threshold of %d bytes", ErrInvalidValue, bytes)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.threshold = bytes
	return nil
}

// ReleaseThreshold returns what [Pool.SetReleaseThreshold] has set.
func (p *Pool) ReleaseThreshold() int64 {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.threshold
}

// SetReuseAllowOpportunistic sets whether an allocation may use memory that another stream has
// freed, once that stream has come to the free: CUDA's cudaMemPoolReuseAllowOpportunistic. The
// default is true. With false, it does not depend on the speed of streams which allocations get old
// memory.
func (p *Pool) SetReuseAllowOpportunistic(on bool) error {
	if p == nil || p.space == nil {
		return errNoPool
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opportunistic = on
	return nil
}

// Stats returns how much the pool has. For nil it is nothing.
func (p *Pool) Stats() PoolStats {
	if p == nil {
		return PoolStats{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// ResetHigh sets the maxima of [PoolStats] to the present values, as CUDA does when these
// attributes are set to 0.
func (p *Pool) ResetHigh() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.ReservedHigh, p.stats.UsedHigh = p.stats.Reserved, p.stats.Used
}

// take finds bytes for an allocation on s, or reserves them.
func (p *Pool) take(s Stream, bytes int64) (*piece, error) {
	p.mu.Lock()
	switch {
	case p.closed.Load():
		p.mu.Unlock()
		return nil, errPoolClosed
	case bytes == 0:
		p.mu.Unlock()
		f := &piece{stream: s}
		f.passed.Store(true)
		return f, nil
	}
	if f := p.find(s, bytes); f != nil {
		p.use(int64(len(f.raw)))
		p.mu.Unlock()
		return f, nil
	}
	if p.max > 0 && bytes > p.max-p.stats.Reserved {
		have := p.stats.Reserved
		p.mu.Unlock()
		// Free pieces of other sizes may take up the room.
		if p.trim(0) {
			return p.take(s, bytes)
		}
		return nil, fmt.Errorf("mem: %w: %d bytes asked for, the pool has %d of %d", ErrOutOfMemory, bytes, have, p.max)
	}
	p.stats.Reserved += bytes
	p.stats.ReservedHigh = max(p.stats.ReservedHigh, p.stats.Reserved)
	p.use(bytes)
	p.mu.Unlock()

	err := p.space.reserve(bytes)
	var raw []byte
	if err == nil {
		if raw = tryAligned(int(bytes)); raw == nil {
			err = fmt.Errorf("mem: %w: the host can't have %d bytes", ErrOutOfMemory, bytes)
			p.space.release(bytes)
		}
	}
	if err != nil {
		p.mu.Lock()
		p.stats.Used -= bytes
		p.stats.Reserved -= bytes
		p.mu.Unlock()
		return nil, err
	}
	f := &piece{raw: raw, stream: s}
	f.passed.Store(true)
	return f, nil
}

// find takes the smallest piece that is large enough and that s may use now. p.mu is held.
func (p *Pool) find(s Stream, bytes int64) *piece {
	best := -1
	for i, f := range p.free {
		size := int64(len(f.raw))
		if size < bytes || size/2 > bytes || best >= 0 && size >= int64(len(p.free[best].raw)) {
			continue
		}
		if sameStream(f.stream, s) || p.opportunistic && f.hasPassed() {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	f := p.free[best]
	p.free = slices.Delete(p.free, best, best+1)
	return f
}

func (p *Pool) use(bytes int64) {
	p.stats.Used += bytes
	p.stats.UsedHigh = max(p.stats.UsedHigh, p.stats.Used)
}

// put adds a piece to those that nobody has.
func (p *Pool) put(f *piece) {
	if len(f.raw) == 0 {
		return
	}
	p.mu.Lock()
	p.free = append(p.free, f)
	p.mu.Unlock()
	if p.closed.Load() {
		p.trim(0)
	}
}

// pass records that a stream has come to a free. It does not lock the pool: to the race detector,
// later allocations would be ordered after the work of the stream.
func (p *Pool) pass(f *piece) {
	f.passed.Store(true)
	if p.closed.Load() {
		p.trim(0)
	}
}

// forget takes an allocation of the given size out of the pool.
func (p *Pool) forget(bytes int64) {
	p.mu.Lock()
	p.stats.Used -= bytes
	p.stats.Reserved -= bytes
	p.mu.Unlock()
	p.space.release(bytes)
}

// sameStream compares streams, which may be of a type that can't be compared.
func sameStream(a, b Stream) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.TypeOf(a).Comparable() && a == b
}
