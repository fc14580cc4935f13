package warps

import (
	"math/bits"
	"sync"

	"github.com/gocuda/gocuda/internal/observe"
)

// The tree of a warp. A node is a region that some lanes have run once, its items are what they did
// there, in order.

type itemKind uint8

const (
	kindCall   itemKind = iota // of a func, or the rest of a region
	kindAccess                 // of memory
	kindBranch                 // if, or the head of a loop
	kindJump                   // the head of a loop without a condition
	kindCase                   // a switch
	kindMeet                   // a barrier and the like
)

type node struct {
	region  int32
	round   int32 // of the innermost loop, from 0
	mask    uint32
	told    uint32 // the lanes that the sink has been told of
	items   *item
	head    *item // of a loop's body: the head after this round
	sibling *node // another way of the same branch
	open    bool  // a lane is in it
}

type item struct {
	next    *item
	kid     *node // where it leads
	site    int32
	kind    itemKind
	again   bool // a head after the first round
	private bool
	mask    uint32
	taken   uint32
	// An access: lane i has base + stride (i - first), or what all says.
	first  int32
	size   int32
	base   uintptr
	stride int
	all    *[32]uintptr
}

type warp struct {
	id    int
	root  node
	open  []*node // nodes with lanes that are not under root, since a barrier has dropped the tree
	ended uint32  // lanes that have returned
	full  uint32  // all lanes
}

// A block is a thread block that is looked at.
type block struct {
	b     *observe.Block
	state any // of the sink
	mu    sync.Mutex
	apart bool // its threads are goroutines
	lanes []lane
	warps []warp

	freeNodes []*node
	freeItems []*item
	freeAll   []*[32]uintptr
}

func (bl *block) lock() {
	if bl.apart {
		bl.mu.Lock()
	}
}

func (bl *block) unlock() {
	if bl.apart {
		bl.mu.Unlock()
	}
}

// lane returns the lane of a rank. The body of a block kernel is a lane of a warp of its own.
func (bl *block) lane(b *observe.Block, rank int) *lane {
	if rank >= b.Threads {
		return &bl.lanes[len(bl.lanes)-1]
	}
	if b.Warps {
		return &bl.lanes[rank*32]
	}
	return &bl.lanes[rank]
}

func (bl *block) newNode(region int32) *node {
	if last := len(bl.freeNodes) - 1; last >= 0 {
		n := bl.freeNodes[last]
		bl.freeNodes = bl.freeNodes[:last]
		*n = node{region: region}
		return n
	}
	chunk := make([]node, 64)
	for i := range chunk[1:] {
		bl.freeNodes = append(bl.freeNodes, &chunk[1+i])
	}
	chunk[0].region = region
	return &chunk[0]
}

func (bl *block) newItem(site int32) *item {
	if last := len(bl.freeItems) - 1; last >= 0 {
		it := bl.freeItems[last]
		bl.freeItems = bl.freeItems[:last]
		*it = item{site: site}
		return it
	}
	chunk := make([]item, 64)
	for i := range chunk[1:] {
		bl.freeItems = append(bl.freeItems, &chunk[1+i])
	}
	chunk[0].site = site
	return &chunk[0]
}

// spread gives an access, instead of base and stride, an address for each lane. The caller sets
// that of the newest lane.
func (bl *block) spread(it *item, newest uint32) {
	if last := len(bl.freeAll) - 1; last >= 0 {
		it.all = bl.freeAll[last]
		bl.freeAll = bl.freeAll[:last]
	} else {
		it.all = new([32]uintptr)
	}
	for m := it.mask &^ newest; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		it.all[lane] = it.base + uintptr(it.stride*(lane-int(it.first)))
	}
}

// ended records that a thread has returned. When all threads of its warp have, the warp's tree is
// handed to the sink.
func (bl *block) ended(l *lane) {
	w := l.warp
	w.ended |= l.bit
	full := w.full
	if bl.b.Warps {
		full = 1
	}
	if w.ended == full {
		w.ended = 0
		bl.tell(w)
	}
}

// tell hands the tree of a warp to the sink and drops it, but for the nodes that lanes are in.
func (bl *block) tell(w *warp) {
	sinkMu.Lock()
	defer sinkMu.Unlock()
	lanes := bl.lanes[w.id*32 : min(len(bl.lanes), w.id*32+32)]
	now := w.open
	w.open = nil
	for i := range lanes {
		for f := lanes[i].top; f != nil; f = f.parent {
			w.keep(f.node)
			f.last = nil
			for k := range f.outer {
				w.keep(f.outer[k].node)
				f.outer[k].last = nil
			}
		}
	}
	for _, n := range now {
		bl.walk(w, n)
	}
	bl.walk(w, &w.root)
	for _, n := range w.open {
		n.open = false
	}
}

// keep notes that n is open.
func (w *warp) keep(n *node) {
	if !n.open {
		n.open = true
		w.open = append(w.open, n)
	}
}

// walk tells of a node, and of the further rounds if it is one of a loop.
func (bl *block) walk(w *warp, n *node) {
	for n != nil {
		if fresh := n.mask &^ n.told; fresh != 0 && n.region >= 0 {
			sink.Region(bl.state, w.id, n.region, fresh)
			n.told = n.mask
		}
		for it := n.items; it != nil; {
			bl.emit(w, n, it)
			for kid := it.kid; kid != nil; {
				sibling := kid.sibling
				bl.walk(w, kid)
				kid = sibling
			}
			next := it.next
			bl.freeItems = append(bl.freeItems, it)
			it = next
		}
		head := n.head
		n.items, n.head, n.sibling = nil, nil, nil
		if !n.open && n != &w.root {
			bl.freeNodes = append(bl.freeNodes, n)
		}
		if head == nil {
			return
		}
		bl.emit(w, n, head)
		n = head.kid
		bl.freeItems = append(bl.freeItems, head)
	}
}

func (bl *block) emit(w *warp, n *node, it *item) {
	switch it.kind {
	case kindAccess:
		if !it.private {
			r := Request{
				Site: int(it.site), Warp: w.id, Round: int(n.round), Active: it.mask, Size: int(it.size),
				First: int(it.first), Base: it.base, Stride: it.stride, All: it.all,
			}
			sink.Request(bl.state, &r)
		}
		if it.all != nil {
			bl.freeAll = append(bl.freeAll, it.all)
		}
	case kindBranch, kindJump:
		sink.Branch(bl.state, w.id, int(it.site), it.mask, it.taken, it.again, it.kind == kindJump)
	case kindCase:
		ways := 0
		for k := it.kid; k != nil; k = k.sibling {
			ways++
		}
		sink.Switch(bl.state, w.id, int(it.site), it.mask, ways)
	case kindMeet:
		sink.Meet(bl.state, w.id, int(it.site), it.mask)
	}
}
