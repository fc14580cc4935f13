package mem

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// A Space is the memory of one device. It counts what is allocated and refuses what exceeds its size.
// Its methods may be called from several goroutines.
type Space struct {
	poison bool
	turn   *turn // nil for most devices

	mu     sync.Mutex
	total  int64
	used   int64
	closed bool
	peers  map[*Space]bool // whose memory this device can use

	symbols symbolSet // in checked mode: those that kernels must not have changed

	pools   []*Pool // those that are open
	pool    *Pool   // the default one; nil until it is asked for
	current *Pool   // what AllocAsync takes; nil for the default one
	pooled  atomic.Bool

	major, minor int // compute capability, for the limits of textures; 0 is the newest
}

// NewSpace returns a device memory of the given number of bytes. With poison, new memory is filled
// with [Poison] instead of zeros, for CUDA's device memory starts undefined.
func NewSpace(bytes int64, poison bool) *Space { return &Space{total: bytes, poison: poison} }

// Device is what memory is allocated on. A *gocuda.Device is one.
type Device interface {
	// Memory returns the memory of the device.
	Memory() *Space
}

// Info returns how many bytes of the device's memory are free and how many there are, CUDA's
// cudaMemGetInfo.
func Info(dev Device) (free, total int64) {
	s := dev.Memory()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total - s.used, s.total
}

// Close makes all later allocations fail with [ErrClosed], and empties the pools.
func (s *Space) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.trimPools(func(*Pool) int64 { return 0 })
}

func (s *Space) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// reserve takes bytes. If there are too few, it takes what pools hold and nobody uses.
func (s *Space) reserve(bytes int64) error {
	err := s.take(bytes)
	if errors.Is(err, ErrOutOfMemory) && s.trimPools(func(*Pool) int64 { return 0 }) {
		err = s.take(bytes)
	}
	return err
}

func (s *Space) take(bytes int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	if bytes > s.total-s.used {
		return fmt.Errorf("mem: %w: %d bytes asked for, %d of %d free", ErrOutOfMemory, bytes, s.total-s.used, s.total)
	}
	s.used += bytes
	s.timeUse()
	return nil
}

func (s *Space) release(bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used -= bytes
	s.timeUse()
}
