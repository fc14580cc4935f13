package judge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt/probe"
	"github.com/gocuda/gocuda/prof/memsys"
)

// CountVariable is the environment variable that makes a program of the probe overlay count
// accesses: the runner of the course sets it.
const CountVariable = "GOCUDA_LEARN_COUNT"

// counting is nil unless the program counts.
var counting *counter

func init() {
	if os.Getenv(CountVariable) == "" {
		return
	}
	sites, err := probe.Sites()
	if err != nil {
		panic(fmt.Sprintf("%s: %v", probe.SitesVariable, err))
	}
	counting = &counter{sites: sites}
	probe.Subscribe(counting)
}

// A space is where an access goes.
type space int

const (
	global space = iota
	shared
	constant
)

// A requestKey names one instruction of a warp: a place, and how often the thread has been there in
// the launch. For loops that all lanes go through alike this is the round.
type requestKey struct {
	block, warp, site, visit int
	store                    bool
}

// A request is a load, store or atomic operation of a warp.
type request struct {
	memsys.Request
	space  space
	atomic bool
	site   int
}

// A branch is a condition that a warp meets.
type branch struct{ active, taken uint32 }

type visitKey struct{ block, rank, site int }

// A counter observes the launches of a case.
type counter struct {
	sites []probe.Site

	mu        sync.Mutex
	counts    *Counts // nil while nothing is counted
	constants []span  // ranges that the kernel takes for constant memory
}

// A span is a range of addresses.
type span struct{ from, n uintptr }

func (s span) has(a uintptr) bool { return a >= s.from && a-s.from < s.n }

// Counts are what the launches of a case did.
type Counts struct {
	Launches int
	Blocks   int
	Threads  int

	capability gocuda.Capability
	sites      []probe.Site
	requests   map[requestKey]*request
	order      []*request // as the requests began
	visits     map[visitKey]int
	branches   map[requestKey]*branch
	barriers   map[visitKey]int       // of each thread; its site is 0
	shared     map[int][]span         // by block of the launch
	threads    map[visitKey]*activity // by thread and launch; the key's site is 0
}

// An activity is what one thread has done in a launch.
type activity struct {
	accesses int
	written  map[uintptr]bool // addresses in global memory
	sites    map[int]int      // accesses by site
}

func newCounts(c gocuda.Capability, sites []probe.Site) *Counts {
	return &Counts{
		capability: c, sites: sites, requests: map[requestKey]*request{}, visits: map[visitKey]int{},
		branches: map[requestKey]*branch{}, barriers: map[visitKey]int{}, shared: map[int][]span{}, threads: map[visitKey]*activity{},
	}
}

// begin starts counting for one case, and end stops it.
func (c *counter) begin(counts *Counts) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts, c.constants = counts, nil
}

func (c *counter) end() { c.begin(nil) }

// LaunchBegin is part of probe.Observer.
func (c *counter) LaunchBegin(l *probe.Launch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		return
	}
	c.counts.Launches++
	l.Tool = c.counts.Blocks // where the numbers of its blocks begin
	n := l.Grid.X * l.Grid.Y * l.Grid.Z
	c.counts.Blocks += n
	c.counts.Threads += n * l.Block.X * l.Block.Y * l.Block.Z
}

// LaunchEnd is part of probe.Observer.
func (c *counter) LaunchEnd(*probe.Launch) {}

// number is the number of a block among those of all launches.
func number(b *probe.Block) int {
	first, _ := b.Launch.Tool.(int)
	return first + b.Index
}

// BlockBegin is part of probe.Observer.
func (c *counter) BlockBegin(*probe.Block) {}

// BlockEnd is part of probe.Observer.
func (c *counter) BlockEnd(*probe.Block) {}

// with calls f with the counts, if there are any.
func (c *counter) with(f func(n *Counts)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts != nil {
		f(c.counts)
	}
}

// Shared is part of probe.Observer.
func (c *counter) Shared(b *probe.Block, addr uintptr, n int) {
	c.with(func(k *Counts) { k.shared[number(b)] = append(k.shared[number(b)], span{addr, uintptr(n)}) })
}

// Barrier is part of probe.Observer.
func (c *counter) Barrier(*probe.Block) {}

// What follows is part of probe.Observer, and nothing that is counted.

func (c *counter) Warp(*probe.Block, int, uint32)                                     {}
func (c *counter) Grid(*probe.Block, uint64)                                          {}
func (c *counter) Fence(*probe.Block, int)                                            {}
func (c *counter) Failed(*probe.Block, int, any) bool                                 { return false }
func (c *counter) Stuck(*probe.Block, []int)                                          {}
func (c *counter) Release(*probe.Block, int, *probe.Cell)                             {}
func (c *counter) Acquire(*probe.Block, int, *probe.Cell)                             {}
func (c *counter) ReleaseActor(*probe.Actor, *probe.Cell)                             {}
func (c *counter) AcquireActor(*probe.Actor, *probe.Cell)                             {}
func (c *counter) HostCall(*probe.Actor)                                              {}
func (c *counter) Alloc(*probe.Allocation)                                            {}
func (c *counter) Ready(*probe.Allocation)                                            {}
func (c *counter) Free(*probe.Allocation, bool)                                       {}
func (c *counter) Gone(*probe.Allocation)                                             {}
func (c *counter) FreeAgain(*probe.Allocation)                                        {}
func (c *counter) Pitch(*probe.Allocation, int, int)                                  {}
func (c *counter) Touch(unsafe.Pointer, int, bool)                                    {}
func (c *counter) Misaligned(*probe.Block, int, int, probe.Kind, unsafe.Pointer, int) {}

// At is part of probe.Observer.
func (c *counter) At(b *probe.Block, rank, site int) {
	if strings.Contains(c.sites[site].Text, "SyncThreads") {
		c.with(func(k *Counts) { k.barriers[visitKey{block: number(b), rank: rank}]++ })
	}
}

// Enter is part of probe.Observer.
func (c *counter) Enter(*probe.Block, int, int) {}

// Leave is part of probe.Observer.
func (c *counter) Leave(*probe.Block, int, int) {}

// Access is part of probe.Observer.
func (c *counter) Access(b *probe.Block, rank, site int, kind probe.Kind, p unsafe.Pointer, n int) {
	c.with(func(k *Counts) {
		addr := uintptr(p)
		where := global
		for _, s := range k.shared[number(b)] {
			if s.has(addr) {
				where = shared
			}
		}
		for _, s := range c.constants {
			if s.has(addr) {
				where = constant
			}
		}
		if kind != probe.KindStore {
			k.access(b, rank, site, where, kind == probe.KindAtomic, false, addr, n)
		}
		if kind == probe.KindStore || kind == probe.KindUpdate {
			k.access(b, rank, site, where, false, true, addr, n)
		}
	})
}

// access adds an access of one thread to the request of its warp. A value that no instruction can
// move is several words.
func (k *Counts) access(b *probe.Block, rank, site int, where space, atomic, store bool, addr uintptr, n int) {
	size, words := memsys.Split(n, int(addr&-addr))
	if words == 0 {
		return
	}
	kind := 2 * site // loads and stores of one site are counted apart
	if store {
		kind++
	}
	k.thread(number(b), rank).access(site, addr, where == global && (store || atomic))
	at := visitKey{number(b), rank, kind}
	for w := range words {
		key := requestKey{block: number(b), warp: rank / memsys.Lanes, site: site, visit: k.visits[at], store: store}
		k.visits[at]++
		r := k.requests[key]
		if r == nil {
			r = &request{Request: memsys.Request{Size: size, Store: store}, space: where, atomic: atomic, site: site}
			k.requests[key] = r
			k.order = append(k.order, r)
		}
		lane := rank % memsys.Lanes
		r.Active |= 1 << lane
		r.Addr[lane] = uint64(addr) + uint64(w*size)
	}
}

// thread returns what a thread has done so far.
func (k *Counts) thread(block, rank int) *activity {
	at := visitKey{block: block, rank: rank}
	a := k.threads[at]
	if a == nil {
		a = &activity{written: map[uintptr]bool{}, sites: map[int]int{}}
		k.threads[at] = a
	}
	return a
}

func (a *activity) access(site int, addr uintptr, written bool) {
	a.accesses++
	a.sites[site]++
	if written {
		a.written[addr] = true
	}
}

// Branch is part of probe.Observer.
func (c *counter) Branch(b *probe.Block, rank, site int, taken bool) {
	c.with(func(k *Counts) {
		at := visitKey{number(b), rank, -1 - site}
		key := requestKey{block: number(b), warp: rank / memsys.Lanes, site: site, visit: k.visits[at]}
		k.visits[at]++
		r := k.branches[key]
		if r == nil {
			r = new(branch)
			k.branches[key] = r
		}
		lane := rank % memsys.Lanes
		r.active |= 1 << lane
		if taken {
			r.taken |= 1 << lane
		}
	})
}

// place names a site of the learner's file, such as kernel.go:12 (in[i]).
func (k *Counts) place(site int) string {
	if site < 0 || site >= len(k.sites) {
		return ""
	}
	s := k.sites[site]
	return fmt.Sprintf("%s:%d (%s)", filepath.Base(s.File), s.Line, s.Text)
}
