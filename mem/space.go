package mem

import (
	"fmt"
	"sync"
)

// A Space is the memory of one device. It counts what is allocated and refuses what exceeds its size.
// Its methods may be called from several goroutines.
type Space struct {
	poison bool

	mu     sync.Mutex
	total  int64
	used   int64
	closed bool
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

// Close makes all later allocations fail with [ErrClosed].
func (s *Space) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

func (s *Space) reserve(bytes int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	if bytes > s.total-s.used {
		return fmt.Errorf("%w: %d bytes asked for, %d of %d free", ErrOutOfMemory, bytes, s.total-s.used, s.total)
	}
	s.used += bytes
	return nil
}

func (s *Space) release(bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used -= bytes
}
