package sanitize

import (
	"maps"
	"math/bits"
)

// Within a launch, threads are ordered by barriers, warp operations, and fences with atomics. The
// order in which they happened to run does not count. The clocks are those of FastTrack (Flanagan
// and Freund, PLDI 2009), with the block's barrier and the warp as special cases that need no
// vector.

// A stamp identifies the thread that did something, and the time by the thread's clock.
type stamp struct {
	block uint32
	clock uint32
	who   uint32 // the number of the launch in the era, and the rank in its lowest rankBits
}

const rankBits = 11 // ranks go up to 1024, which is the body of a block kernel

func (t stamp) rank() int      { return int(t.who & (1<<rankBits - 1)) }
func (t stamp) launch() uint32 { return t.who >> rankBits }

// A member names a thread of a launch, or with rank -1 all threads of a block.
type member struct {
	launch, block uint32
	rank          int32
}

// A horizon is the clocks up to which a thread knows others, beyond what the clocks of its block
// and its warp tell.
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
}

// blockClock has the clocks of a block.
type blockClock struct {
	launch  *launchState
	block   uint32
	base    uint32 // what has a lower clock was before the last barrier
	top     uint32 // the highest clock of any thread
	grid    int    // barriers of the grid passed
	threads []threadClock
	knows   horizon // of all threads, since the last barrier
}

func newBlockClock(launch *launchState, block, threads int) *blockClock {
	c := &blockClock{launch: launch, block: uint32(block), base: 1, top: 1, threads: make([]threadClock, threads+1)}
	for i := range c.threads {
		c.threads[i].now = 1
	}
	return c
}

func (c *blockClock) tick(rank int) {
	t := &c.threads[rank]
	t.now++
	c.top = max(c.top, t.now)
}

func (c *blockClock) stamp(rank int) stamp {
	return stamp{c.block, c.threads[rank].now, c.launch.index<<rankBits | uint32(rank)}
}

// beforeAll reports whether the action that x marks comes before all that the threads of the block
// do now, by barriers of the block or of the grid, or by the order of launches.
func (c *blockClock) beforeAll(s *sanitizer, x stamp) bool {
	if l := x.launch(); l != c.launch.index {
		return c.launch.after(s.launches[l-1])
	}
	if x.block == c.block {
		return x.clock < c.base
	}
	if c.grid > 0 {
		passed := c.launch.passed[c.grid-1]
		return int(x.block) >= len(passed) || passed[x.block] == 0 || x.clock < passed[x.block]
	}
	return false
}

// before reports whether the action that x marks comes before what the thread does now.
func (c *blockClock) before(s *sanitizer, x stamp, rank int) bool {
	if c.beforeAll(s, x) {
		return true
	}
	t := &c.threads[rank]
	r := x.rank()
	if x.block == c.block && x.launch() == c.launch.index {
		if r == rank || t.warp != nil && r/32 == rank/32 && x.clock <= t.warp[r%32] {
			return true
		}
	}
	for _, h := range [...]horizon{t.knows, c.knows} {
		if h != nil && (x.clock <= h[member{x.launch(), x.block, int32(r)}] || x.clock < h[member{x.launch(), x.block, -1}]) {
			return true
		}
	}
	return false
}

// barrier orders all threads.
func (c *blockClock) barrier() {
	c.top++
	c.base = c.top
	for i := range c.threads {
		t := &c.threads[i]
		if t.knows != nil {
			if c.knows == nil {
				c.knows = horizon{}
			}
			c.knows.join(t.knows)
			t.knows = nil
		}
		t.now = c.base
	}
}

// passGrid notes that the block has passed a barrier of the grid.
func (c *blockClock) passGrid(phase, blocks int) {
	for len(c.launch.passed) <= phase {
		c.launch.passed = append(c.launch.passed, make([]uint32, blocks))
	}
	c.launch.passed[phase][c.block] = c.base
	c.grid = phase + 1
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
	l := c.launch.index
	h.add(member{l, c.block, int32(rank)}, clock)
	h.add(member{l, c.block, -1}, c.base)
	if t.warp != nil {
		for lane, v := range t.warp {
			if v > 0 {
				h.add(member{l, c.block, int32(rank/32*32 + lane)}, v)
			}
		}
	}
	h.join(t.knows)
	h.join(c.knows)
}

// release publishes all that a thread has done.
func (c *blockClock) release(h horizon, rank int) {
	c.publish(h, rank, c.threads[rank].now)
	c.tick(rank)
}

// acquire makes a thread know what was published.
func (c *blockClock) acquire(h horizon, rank int) {
	t := &c.threads[rank]
	if t.knows == nil {
		t.knows = horizon{}
	}
	t.knows.join(h)
}

func (c *blockClock) fence(rank int) {
	c.threads[rank].fenced = c.threads[rank].now
	c.tick(rank)
}

// atomic handles an atomic operation on a cell: it acquires what others have published to the cell,
// and publishes what the thread did before its last fence.
func (c *blockClock) atomic(rank int, cell horizon) horizon {
	if len(cell) > 0 {
		c.acquire(cell, rank)
	}
	if fenced := c.threads[rank].fenced; fenced > 0 {
		if cell == nil {
			cell = horizon{}
		}
		c.publish(cell, rank, fenced)
	}
	return cell
}
