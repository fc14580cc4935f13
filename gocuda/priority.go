package gocuda

import "time"

// Priorities. While a launch has blocks left to begin, launches of lower priority begin none,
// unless there are workers to spare. A block that has begun is not interrupted: as in CUDA,
// priorities decide which block begins next.
//
// Every launch has a worker of its own, so the workers of a launch of lower priority have to hold
// back by themselves. Before each block they look at one number, the priority of the most urgent
// launch with blocks to begin. If an urgent launch makes no progress, because its kernel waits for
// another launch, it holds up the others for yieldTime only: priorities must not make a program
// hang that runs without them.

const (
	leastPriority    = 0
	greatestPriority = -5
)

// StreamPriorityRange returns the least and the greatest priority of streams, CUDA's
// cudaDeviceGetStreamPriorityRange. Lower numbers are more urgent: they are 0 and -5.
func (d *Device) StreamPriorityRange() (least, greatest int) { return leastPriority, greatestPriority }

// NewStreamWithPriority makes a stream, CUDA's cudaStreamCreateWithPriority. When there are not
// enough workers, blocks of its launches begin before those of launches of lower priority, that is
// with a higher number. Blocks that have begun are not interrupted. A priority beyond
// [Device.StreamPriorityRange] is moved to its end.
func (d *Device) NewStreamWithPriority(priority int) *Stream {
	s := d.NewStream()
	s.priority = clampPriority(priority)
	return s
}

// Priority returns the stream's priority, CUDA's cudaStreamGetPriority. It is 0 for [Device.NewStream].
func (s *Stream) Priority() int {
	if s == nil {
		return leastPriority
	}
	return s.priority
}

func clampPriority(n int) int { return max(greatestPriority, min(n, leastPriority)) }

// yieldTime is how long a launch holds back for one that is more urgent and begins no block meanwhile.
const yieldTime = 20 * time.Millisecond

// pressure is the part of a pool that keeps priorities, under its lock.
type pressure struct {
	pressing []*launch     // those above the least priority that have blocks to begin
	yielding int           // workers in giveWay, of launches open to helpers
	calm     chan struct{} // closed when one stops pressing; nil if nobody waits
}

// press makes others give way to l.
//
//go:norace
func (p *pool) press(l *launch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.begun() { // by helpers, while the driver woke
		return
	}
	p.pressing = append(p.pressing, l)
	p.urgent.Store(min(p.urgent.Load(), l.priority))
}

// relax is called when all blocks of l have been begun, and again when it is over.
//
//go:norace
func (p *pool) relax(l *launch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.relaxLocked(l)
}

//go:norace
func (p *pool) relaxLocked(l *launch) {
	i := 0
	for i < len(p.pressing) && p.pressing[i] != l {
		i++
	}
	if i == len(p.pressing) {
		return
	}
	last := len(p.pressing) - 1
	p.pressing[i], p.pressing[last] = p.pressing[last], nil
	p.pressing = p.pressing[:last]
	urgent := int32(leastPriority)
	for _, o := range p.pressing {
		urgent = min(urgent, o.priority)
	}
	p.urgent.Store(urgent)
	if p.calm != nil {
		close(p.calm)
		p.calm = nil
	}
}

// yields reports whether a launch is under way that is more urgent than l.
func (l *launch) yields() bool { return l.urgent.Load() < l.priority }

// begun reports whether all blocks of l have been begun, or will be by who has claimed them.
func (l *launch) begun() bool {
	for i := range l.shares {
		if s := &l.shares[i]; s.next.Load() < s.end {
			return false
		}
	}
	return true
}

// giveWay makes a worker of l, at the given place in it, wait until there is room for its next block.
//
//go:norace
func (p *pool) giveWay(l *launch, place int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	helper := place > 0
	for seen := int64(-1); p.crowded(l) && !l.stop.Load(); {
		progress := p.progress(l)
		if progress == seen {
			return
		}
		seen = progress
		if p.calm == nil {
			p.calm = make(chan struct{})
		}
		calm := p.calm
		if l.entered {
			p.yielding++
		}
		if helper { // another one can help meanwhile
			p.helpers--
			p.helpLocked()
		}
		p.mu.Unlock()
		timer := time.NewTimer(yieldTime)
		select {
		case <-calm:
			seen = -1
		case <-timer.C:
		case <-l.done:
		}
		timer.Stop()
		p.mu.Lock()
		if l.entered {
			p.yielding--
		}
		if helper {
			p.helpers++
		}
		select {
		case <-l.done:
			return
		default:
		}
	}
}

// crowded reports whether a worker should not run a block of l now: a more urgent launch can use
// another worker, or more workers are at work than the device has.
//
//go:norace
func (p *pool) crowded(l *launch) bool {
	if !l.yields() {
		return false
	}
	if o := p.openLocked(); o != nil && o.priority < l.priority {
		return true
	}
	n := -p.yielding
	if !l.entered {
		n++
	}
	for _, o := range p.open {
		n += int(o.joined.Load())
	}
	for _, o := range p.pressing {
		if !o.entered {
			n++
		}
	}
	return n > p.limit()
}

// progress is a number that changes when a block of a launch more urgent than l begins.
//
//go:norace
func (p *pool) progress(l *launch) int64 {
	var n int64
	for _, o := range p.pressing {
		if o.priority < l.priority {
			for i := range o.shares {
				n += o.shares[i].next.Load()
			}
		}
	}
	return n
}
