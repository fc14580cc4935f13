package warps

import (
	"iter"
	"unsafe"

	"github.com/gocuda/gocuda/internal/observe"
)

// A Frame is one call of a func by a thread of a kernel.
type Frame struct {
	lane   *lane
	parent *Frame
	place
	outer  []place // the regions around that of place, the func's own first
	broken bool    // a break is on its way out of a loop
}

// A place is a node of the tree, and the item of it that the lane has come to.
type place struct {
	node *node
	last *item // nil before the first
}

// A lane is one thread.
type lane struct {
	block  *block
	warp   *warp
	bit    uint32
	index  int
	frames []*Frame // those in use come first
	depth  int
	top    *Frame
}

// Enter is called at the start of each func, fn being its region. Its result is to be passed to all
// events of the func, and its Exit deferred.
func Enter(fn int32) *Frame {
	if sink == nil {
		return nil
	}
	b, rank := observe.Current()
	if b == nil {
		return nil
	}
	bl, _ := b.Tool.(*block)
	if bl == nil {
		return nil // not looked at
	}
	bl.lock()
	defer bl.unlock()
	return bl.lane(b, rank).enter(fn)
}

func (l *lane) enter(fn int32) *Frame {
	if l.depth == len(l.frames) {
		l.frames = append(l.frames, &Frame{lane: l})
	}
	f := l.frames[l.depth]
	l.depth++
	f.parent, f.outer, f.broken = l.top, f.outer[:0], false
	var it *item
	round := int32(0)
	if f.parent != nil {
		it, round = f.parent.next(^fn), f.parent.node.round
	} else {
		root := Frame{lane: l, place: place{node: &l.warp.root}}
		it = root.slow(^fn)
	}
	it.kind = kindCall
	f.place = place{node: it.into(l, fn, round)}
	l.top = f
	return f
}

// Exit is called when the func returns.
func (f *Frame) Exit() {
	if f == nil {
		return
	}
	l := f.lane
	l.block.lock()
	defer l.block.unlock()
	for l.top != nil && l.top != f {
		l.pop() // of a func that ended without its deferred calls
	}
	if l.top == f {
		l.pop()
	}
	if l.top == nil {
		l.block.ended(l)
	}
}

func (l *lane) pop() {
	l.top = l.top.parent
	l.depth--
}

// into returns the node of the region that the item leads to, with the lane in it. round is that of
// the loop around.
func (it *item) into(l *lane, region, round int32) *node {
	n := it.kid
	if n == nil {
		n = l.block.newNode(region)
		n.round = round
		it.kid = n
	} else if n.region != region { // another way of a branch
		for n.sibling != nil && n.sibling.region != region {
			n = n.sibling
		}
		if n.sibling == nil {
			n.sibling = l.block.newNode(region)
			n.sibling.round = round
		}
		n = n.sibling
	}
	n.mask |= l.bit
	return n
}

// next returns the item of a site in the node where the lane is, and takes the lane there.
func (f *Frame) next(site int32) *item {
	it := f.last
	if it == nil {
		it = f.node.items
	} else {
		it = it.next
	}
	bit := f.lane.bit
	if it != nil && it.site == site && it.mask&bit == 0 {
		it.mask |= bit
		f.last = it
		return it
	}
	return f.slow(site)
}

// slow is next if the item behind the lane's last one is not of the site. It searches the node, and
// adds an item if there is none.
func (f *Frame) slow(site int32) *item {
	bit := f.lane.bit
	for it := f.node.items; it != nil; it = it.next {
		if it.site == site && it.mask&bit == 0 {
			it.mask |= bit
			f.last = it
			return it
		}
	}
	it := f.lane.block.newItem(site)
	it.mask = bit
	if f.last == nil {
		it.next, f.node.items = f.node.items, it
	} else {
		it.next, f.last.next = f.last.next, it
	}
	f.last = it
	return it
}

// leave takes the lane out of regions that have ended, before an event of the given region.
func (f *Frame) leave(region int32) {
	stop := int32(-1)
	if int(region) < len(loopsIn) {
		stop = loopsIn[region] // what a loop's head does before the first round is done outside
	}
	for len(f.outer) > 0 && f.node.region != region && f.node.region != stop {
		f.place = f.outer[len(f.outer)-1]
		f.outer = f.outer[:len(f.outer)-1]
	}
}

// push takes the lane into a region.
func (f *Frame) push(n *node) {
	f.outer = append(f.outer, f.place)
	f.place = place{node: n}
}

// access is an access of size bytes at addr.
func (f *Frame) access(site, region int32, addr, size uintptr) {
	if f.lane.block.apart {
		f.lane.block.mu.Lock()
		defer f.lane.block.mu.Unlock()
	}
	if f.node.region != region {
		f.leave(region)
	}
	it := f.next(site)
	lane := f.lane.index
	if it.mask == f.lane.bit {
		it.kind, it.size = kindAccess, int32(size)
		it.base, it.first = addr, int32(lane)
		it.private = observe.OnStack(addr)
		return
	}
	if it.all != nil {
		it.all[lane] = addr
		return
	}
	steps := lane - int(it.first)
	if others := it.mask &^ f.lane.bit; others&(others-1) == 0 { // the second lane
		if d := int(addr - it.base); d%steps == 0 {
			it.stride = d / steps
			return
		}
	}
	if it.base+uintptr(it.stride*steps) == addr {
		return
	}
	f.lane.block.spread(it, f.lane.bit)
	it.all[lane] = addr
}

// Access reports an access to *p and returns p. The site says whether it loads or stores.
func Access[T any](f *Frame, site, region int32, p *T) *T {
	if f != nil {
		f.access(site, region, uintptr(unsafe.Pointer(p)), unsafe.Sizeof(*p))
	}
	return p
}

// Set stores v. It is for stores whose value comes from a call.
func Set[T any](f *Frame, site, region int32, p *T, v T) {
	if f != nil {
		f.access(site, region, uintptr(unsafe.Pointer(p)), unsafe.Sizeof(*p))
	}
	*p = v
}

// Range is the loop over a slice, whose elements it loads.
func Range[S ~[]E, E any](f *Frame, site, region int32, s S) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i := range s {
			if !yield(i, *Access(f, site, region, &s[i])) {
				return
			}
		}
	}
}

// Copy is copy, element by element: the loads have the site, the stores the one after it.
func Copy[D ~[]E, S ~[]E, E any](f *Frame, site, region int32, dst D, src S) int {
	if f != nil {
		for i := range min(len(dst), len(src)) {
			Access(f, site, region, &src[i])
			Access(f, site+1, region, &dst[i])
		}
	}
	return copy(dst, src)
}

// Branch tells which way the condition of an if statement went, and returns it. no is -1 without an
// else.
func Branch[B ~bool](f *Frame, site, region, yes, no int32, c B) B {
	if f != nil {
		f.branch(site, region, yes, no, bool(c))
	}
	return c
}

func (f *Frame) branch(site, region, yes, no int32, c bool) {
	f.lane.block.lock()
	defer f.lane.block.unlock()
	if f.node.region != region {
		f.leave(region)
	}
	it := f.next(site)
	it.kind = kindBranch
	if c {
		it.taken |= f.lane.bit
		f.push(it.into(f.lane, yes, f.node.round))
	} else if no >= 0 {
		f.push(it.into(f.lane, no, f.node.round))
	}
}

// Head tells that a loop whose body is the given region has, or has not, a further round, and
// returns c.
func Head[B ~bool](f *Frame, site, region, body int32, c B) B {
	if f != nil {
		f.head(site, region, body, bool(c), kindBranch)
	}
	return c
}

// Round is Head at the start of a round of a loop over a range.
func (f *Frame) Round(site, region, body int32) {
	if f != nil {
		f.head(site, region, body, true, kindBranch)
	}
}

// Forever is Head at the start of a round of a loop without a condition.
func (f *Frame) Forever(site, region, body int32) {
	if f != nil {
		f.head(site, region, body, true, kindJump)
	}
}

// Break tells that a break leaves a loop over a range.
func (f *Frame) Break() {
	if f != nil {
		f.broken = true
	}
}

// Done is called after a loop over a range. Unless a break left the loop, Done reports the last
// evaluation of its head, which ended it.
func (f *Frame) Done(site, region, body int32) {
	if f == nil {
		return
	}
	if f.broken {
		f.broken = false
		return
	}
	f.head(site, region, body, false, kindBranch)
}

func (f *Frame) head(site, region, body int32, c bool, kind itemKind) {
	bl := f.lane.block
	if bl.apart {
		bl.mu.Lock()
		defer bl.mu.Unlock()
	}
	if f.node.region != body {
		f.leave(body)
	}
	var it *item
	inside := f.node.region == body && len(f.outer) > 0
	if inside {
		if it = f.node.head; it == nil {
			it = bl.newItem(site)
			it.kind, it.again = kind, true
			f.node.head = it
		}
		it.mask |= f.lane.bit
	} else {
		it = f.next(site)
		it.kind = kind
	}
	if !c {
		if inside {
			f.place = f.outer[len(f.outer)-1]
			f.outer = f.outer[:len(f.outer)-1]
		}
		return
	}
	it.taken |= f.lane.bit
	n := it.kid
	if n == nil {
		n = bl.newNode(body)
		if inside {
			n.round = f.node.round + 1
		}
		it.kid = n
	}
	n.mask |= f.lane.bit
	if inside {
		f.place = place{node: n}
	} else {
		f.push(n)
	}
}

// Case tells that a switch has gone to the clause with the given region.
func (f *Frame) Case(site, region, clause int32) {
	if f == nil {
		return
	}
	f.lane.block.lock()
	defer f.lane.block.unlock()
	if f.node.region != region {
		f.leave(region)
	}
	it := f.next(site)
	it.kind = kindCase
	f.push(it.into(f.lane, clause, f.node.round))
}

// Join reports that the lane goes on behind a statement in which other lanes may have left the
// region.
func (f *Frame) Join(site, region, rest int32) {
	if f == nil {
		return
	}
	f.lane.block.lock()
	defer f.lane.block.unlock()
	if f.node.region != region {
		f.leave(region)
	}
	it := f.next(site)
	it.kind = kindCall
	f.push(it.into(f.lane, rest, f.node.round))
}

// Sync tells that the lane is in a region, before a call. It is true, for use in conditions.
func (f *Frame) Sync(region int32) bool {
	if f != nil && f.node.region != region {
		f.lane.block.lock()
		defer f.lane.block.unlock()
		f.leave(region)
	}
	return true
}

// Meet tells of a barrier, warp operation, texture fetch or the like that follows, and returns its
// receiver or first argument.
func Meet[T any](f *Frame, site, region int32, t T) T {
	if f != nil {
		f.meet(site, region)
	}
	return t
}

func (f *Frame) meet(site, region int32) {
	f.lane.block.lock()
	defer f.lane.block.unlock()
	if f.node.region != region {
		f.leave(region)
	}
	f.next(site).kind = kindMeet
}
