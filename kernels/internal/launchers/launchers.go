// Package launchers finds out what is behind a [kernels.Launcher]: the device, its memory, and
// whether work is queued. Host functions need that which do more than launch kernels.
package launchers

import (
	"context"
	"sync"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/mem"
)

// behind returns the launcher that on stands before, and whether there is one: launchers that
// change launches on their way have a method Unwrap.
func behind(on kernels.Launcher) (kernels.Launcher, bool) {
	if u, ok := on.(interface{ Unwrap() kernels.Launcher }); ok {
		return u.Unwrap(), true
	}
	return nil, false
}

// Memory returns the device or the stream that a launcher launches on. Of one that does not tell,
// with a method Memory as devices have or Unwrap as those have that stand before another one, it is
// the default device; such a launcher must have run its kernels when it returns.
func Memory(on kernels.Launcher) mem.Device {
	for {
		if m, ok := on.(mem.Device); ok {
			return m
		}
		next, ok := behind(on)
		if !ok {
			return gocuda.Default()
		}
		on = next
	}
}

// Device returns the device that a launcher launches on, at once or in the order of a stream: the
// default device for one that does not tell.
func Device(on kernels.Launcher) *gocuda.Device {
	for {
		switch o := on.(type) {
		case *gocuda.Device:
			return o
		case interface{ Device() *gocuda.Device }: // a stream
			return o.Device()
		}
		next, ok := behind(on)
		if !ok {
			return gocuda.Default()
		}
		on = next
	}
}

// InOrder runs f in the order of the launches: at once, or when the stream behind on gets to it.
func InOrder(on kernels.Launcher, f func() error) error {
	if s, ok := Memory(on).(mem.Stream); ok {
		return s.Enqueue(f)
	}
	return f()
}

// GiveBack puts x into the pool when all launches before have ended: at once, or when the stream
// behind on gets to it. Launches that are captured into a graph may run again and again, so what
// they use stays theirs.
func GiveBack(on kernels.Launcher, pool *sync.Pool, x any) error {
	s := stream(on)
	if s == nil {
		pool.Put(x)
		return nil
	}
	if capturing, err := s.IsCapturing(); capturing || err != nil {
		return err
	}
	return s.AddCallback(func() { pool.Put(x) })
}

// stream returns the stream that a launcher launches on, or nil.
func stream(on kernels.Launcher) *gocuda.Stream {
	for ok := true; ok; on, ok = behind(on) {
		if s, ok := on.(interface{ Stream() *gocuda.Stream }); ok {
			return s.Stream()
		}
	}
	return nil
}

// OnStream returns a launcher that launches on a stream what on would launch on its device,
// whatever on does to it on its way.
func OnStream(on kernels.Launcher, s *gocuda.Stream) kernels.Launcher {
	if _, ok := on.(*gocuda.Device); ok {
		return kernels.OnStream(s)
	}
	return queued{on, s}
}

// A queued launcher has a stream that waits for launches elsewhere.
type queued struct {
	on kernels.Launcher
	s  *gocuda.Stream
}

// Launch implements [kernels.Launcher].
func (q queued) Launch(ctx context.Context, cfg grid.Config, kernel gocuda.Kernel) error {
	return q.s.Enqueue(func() error { return q.on.Launch(ctx, cfg, kernel) })
}

// Memory and Enqueue make it a mem.Stream.
func (q queued) Memory() *mem.Space { return q.s.Memory() }

// Enqueue implements [mem.Stream].
func (q queued) Enqueue(f func() error) error { return q.s.Enqueue(f) }

// Device returns the stream's device.
func (q queued) Device() *gocuda.Device { return q.s.Device() }

// Stream returns the stream.
func (q queued) Stream() *gocuda.Stream { return q.s }
