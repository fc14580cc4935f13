package sanitize

import (
	"maps"
	"math/bits"
)

// Order comes from what the program promises: barriers, warp operations, fences with atomics. What happened to run
// first is no order. The clocks are those of FastTrack (Flanagan and Freund, PLDI 2009), with the block's barrier and the warp as
// special cases that need no vector.

// A stamp is when a thread did something: everything that it did between two operations that order it with others.
type stamp struct {
	launch, block, rank int
	clock               uint32 // of the thread
	epoch               uint32 // barriers of the block before
	grid                uint64 // barriers of the grid before
}

// A member names a thread of a launch, or with rank -1 all threads of a block, whose clock is then the epoch.
type member struct{ block, rank int }

// A horizon is what a thread knows to have happened, beyond what its block's and its warp's clocks tell.
type horizon map[member]uint32

func (h horizon) add(m member, clock uint32) {
	if h[m] < clock {
		h[m] = clock
	}
}

func (h horizon) join(o horizon) {
	for m, c := range o {
		h.add(m, c)
	}
}

// threadClock is the clock of one thread.
type threadClock struct {
	now    uint32
	fenced uint32      // all up to this was made visible by a fence
	warp   *[32]uint32 // how far it knows the lanes of its warp; nil before the first warp operation
	knows  horizon
	stamp  *stamp // of the accesses at present; nil after an operation that orders
}

// blockClock has the clocks of a block.
type blockClock struct {
	launch, block int
	epoch         uint32
	grid          uint64
	threads       []threadClock // and the body of a block kernel
	knows         horizon       // of all threads, since the last barrier
}

func newBlockClock(launch, block, threads int) *blockClock {
	c := &blockClock{launch: launch, block: block, epoch: 1, threads: make([]threadClock, threads+1)}
	for i := range c.threads {
		c.threads[i].now = 1
	}
	return c
}

func (c *blockClock) tick(rank int) {
	t := &c.threads[rank]
	t.now++
	t.stamp = nil
}

func (c *blockClock) stampOf(rank int) *stamp {
	t := &c.threads[rank]
	if t.stamp == nil {
		t.stamp = &stamp{c.launch, c.block, rank, t.now, c.epoch, c.grid}
	}
	return t.stamp
}

// before reports whether what s marks comes before what the thread does now.
func (c *blockClock) before(s *stamp, rank int) bool {
	if s.launch != c.launch {
		return true
	}
	if s.grid < c.grid {
		return true
	}
	t := &c.threads[rank]
	if s.block == c.block {
		if s.rank == rank || s.epoch < c.epoch {
			return true
		}
		if t.warp != nil && s.rank/32 == rank/32 && s.clock <= t.warp[s.rank%32] {
			return true
		}
	}
	for _, h := range [...]horizon{t.knows, c.knows} {
		if h != nil && (s.clock <= h[member{s.block, s.rank}] || s.epoch <= h[member{s.block, -1}]) {
			return true
		}
	}
	return false
}

// barrier orders all threads.
func (c *blockClock) barrier() {
	c.epoch++
	for i := range c.threads {
		t := &c.threads[i]
		if t.knows != nil {
			if c.knows == nil {
				c.knows = horizon{}
			}
			c.knows.join(t.knows)
			t.knows = nil
		}
		t.stamp = nil
		t.now++
	}
}

// meet orders the lanes of a warp.
func (c *blockClock) meet(warp int, lanes uint32) {
	var all [32]uint32
	var knows horizon
	for s := lanes; s != 0; s &= s - 1 {
		lane := bits.TrailingZeros32(s)
		t := &c.threads[min(warp*32+lane, len(c.threads)-1)]
		if t.warp != nil {
			for i, v := range t.warp {
				all[i] = max(all[i], v)
			}
		}
		all[lane] = max(all[lane], t.now)
		if t.knows != nil {
			if knows == nil {
				knows = horizon{}
			}
			knows.join(t.knows)
		}
	}
	for s := lanes; s != 0; s &= s - 1 {
		rank := min(warp*32+bits.TrailingZeros32(s), len(c.threads)-1)
		t := &c.threads[rank]
		if t.warp == nil {
			t.warp = new([32]uint32)
		}
		*t.warp = all
		if knows != nil {
			t.knows = maps.Clone(knows)
		}
		c.tick(rank)
	}
}

// publish adds what a thread knows, and has done up to the given clock, to h.
func (c *blockClock) publish(h horizon, rank int, clock uint32) {
	t := &c.threads[rank]
	h.add(member{c.block, rank}, clock)
	h.add(member{c.block, -1}, c.epoch-1)
	if t.warp != nil {
		for lane, v := range t.warp {
			if v > 0 {
				h.add(member{c.block, rank/32*32 + lane}, v)
			}
		}
	}
	h.join(t.knows)
	h.join(c.knows)
}

// gather orders the threads in the sets, a word for 32.
func (c *blockClock) gather(sets []uint32) {
	all := horizon{}
	each := func(f func(rank int)) {
		for w, set := range sets {
			for ; set != 0; set &= set - 1 {
				if rank := w*32 + bits.TrailingZeros32(set); rank < len(c.threads) {
					f(rank)
				}
			}
		}
	}
	each(func(rank int) { c.publish(all, rank, c.threads[rank].now) })
	each(func(rank int) {
		c.threads[rank].knows = maps.Clone(all)
		c.tick(rank)
	})
}

func (c *blockClock) fence(rank int) {
	c.threads[rank].fenced = c.threads[rank].now
	c.tick(rank)
}

// atomic is an atomic operation on a cell that others have published to. It acquires, and releases what a fence came after.
func (c *blockClock) atomic(rank int, cell horizon) horizon {
	t := &c.threads[rank]
	if len(cell) > 0 {
		if t.knows == nil {
			t.knows = horizon{}
		}
		t.knows.join(cell)
	}
	if t.fenced > 0 {
		if cell == nil {
			cell = horizon{}
		}
		c.publish(cell, rank, t.fenced)
	}
	return cell
}
