package sanitize

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
)

// Variable is the environment variable with the settings of a run, which `gocuda sanitize` sets.
const Variable = "GOCUDA_SANITIZE"

// Settings are what a program under the overlay is told.
type Settings struct {
	Race, Init, Sync, Mem bool
	Folder                string // where each process writes a file of its findings
	Kernel                string // a regular expression: others are not looked at
	Skip, Count           int    // launches to pass over, and to look at after that; a Count of 0 is all
	InitSpace             string // global, shared, or both if it is empty
	Leaks                 bool   // report device memory that is never freed
	Unused                bool   // report device memory that is never written
	Hazards               int    // how many single hazards of a race to keep
}

// active is nil without the overlay.
var active *sanitizer

func init() {
	text := os.Getenv(Variable)
	if text == "" {
		return
	}
	s := &sanitizer{
		pages: map[uintptr]*page{}, released: map[uintptr]horizon{}, outstanding: map[int]uint32{}, era: 1,
		suspects: map[uintptr][]suspectWord{},
	}
	if err := json.Unmarshal([]byte(text), &s.settings); err != nil {
		panic(fmt.Sprintf("%s: %v", Variable, err))
	}
	var err error
	if s.sites, err = probe.Sites(); err != nil {
		panic(fmt.Sprintf("%s: %v", probe.SitesVariable, err))
	}
	s.kernel = regexp.MustCompile(s.settings.Kernel)
	if s.log, err = os.CreateTemp(s.settings.Folder, "findings"); err != nil {
		panic(err)
	}
	active = s
	probe.Subscribe(s)
}

// A sanitizer observes all launches of a process.
type sanitizer struct {
	settings Settings
	sites    []probe.Site
	kernel   *regexp.Regexp
	log      *os.File
	watched  atomic.Bool // accesses of the host count

	mu sync.Mutex

	// See actors.go.
	era         int
	host        actor
	actors      int
	launches    []*launchState // of the era, by their index less 1
	running     int            // launches
	queued      int            // cells that the host has released for others
	outstanding map[int]uint32 // actors with work that the host does not know of, and the time of that work
	still       bool           // the garbage collector is off
	cycles      uint64         // how many collections had ended then
	gc          int            // the percentage to set again
	limit       int64

	// See shadow.go.
	pages       map[uintptr]*page
	cache       [cachedPages]*page
	spare       []*page
	crowds      []*crowd
	spareCrowds []uint32
	unset       int // bytes that were never written

	released map[uintptr]horizon // of atomics
	phases   uint64              // of blocks, so far
	allocs   pieceList
	freed    pieceList
	streamed []*piece // those in the order of a stream
	kept     int      // bytes of freed memory
	total    int      // errors so far
	pending  []pendingWrite
	ids      int // of allocations

	// See initcheck.go.
	suspects  map[uintptr][]suspectWord // by word
	order     []*suspect                // as they came
	suspected int                       // entries of suspects
	loose     launchState               // findings of no launch
}

// blockState is what is known of a block that runs.
type blockState struct {
	clock   *blockClock
	phase   uint64 // changes whenever something orders threads of the block
	shared  []piece
	threads []pathState
	regions map[regionKey]map[int]barriers
	chains  map[regionKey][]int
	live    map[int]bool // calls at the end of functions in which threads have met barriers
	faulty  bool         // a thread has failed; what it left undone is no further fault
}

func state(b *probe.Block) *blockState { return b.Tool.(*blockState) }

func (s *sanitizer) LaunchBegin(l *probe.Launch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &launchState{
		id: l.ID, kernel: l.Name, grid: l.Grid, block: l.Block, findings: map[findingKey]*finding{},
	}
	n := l.ID - s.settings.Skip
	st.off = n <= 0 || s.settings.Count > 0 && n > s.settings.Count || !s.kernel.MatchString(l.Name)
	l.Tool = st
	s.write(Finding{Tool: "launch", Kernel: l.Name, Launch: l.ID})
	s.begin(st, l.Actor)
	if s.settings.Init && s.unset > 0 {
		s.eachAllocation(s.hostWrites)
	}
}

func (s *sanitizer) LaunchEnd(l *probe.Launch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flushIf(func(p *pendingWrite) bool { return p.block.Launch == l })
	st := l.Tool.(*launchState)
	s.judgeLaunch(st)
	s.flushFindings(st)
	s.flushLoose()
	if s.settings.Unused {
		s.noteUnused()
	}
	s.end(st, l.Actor)
}

func (s *sanitizer) write(f any) {
	data, err := json.Marshal(f)
	if err == nil {
		_, err = s.log.Write(append(data, '\n'))
	}
	if err != nil {
		panic(fmt.Sprintf("gocuda sanitize: %v", err))
	}
}

func (s *sanitizer) BlockBegin(b *probe.Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := b.Launch.Tool.(*launchState)
	l.nested = b.Launch.Nested
	b.Tool = &blockState{
		clock: newBlockClock(l, b.Index, b.Threads), threads: make([]pathState, b.Threads+1),
		regions: map[regionKey]map[int]barriers{}, chains: map[regionKey][]int{}, live: map[int]bool{}, phase: s.newPhase(),
	}
}

func (s *sanitizer) newPhase() uint64 {
	s.phases++
	return s.phases
}

func (s *sanitizer) BlockEnd(b *probe.Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush(b)
	st := state(b)
	s.endRegions(b, st)
	if len(st.shared) > 0 {
		s.judge(func(x *suspect) bool { return x.block == st && x.space == "shared" })
	}
	for _, p := range st.shared {
		s.forget(p.from, p.n)
		s.setUnset(p.from, p.n, false)
	}
	s.watch()
}

func (s *sanitizer) Shared(b *probe.Block, addr uintptr, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := state(b)
	st.shared = append(st.shared, piece{from: addr, n: n})
	s.forget(addr, n)
	s.setUnset(addr, n, true)
}

func (s *sanitizer) Barrier(b *probe.Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush(b)
	st := state(b)
	st.clock.barrier()
	st.phase = s.newPhase()
}

func (s *sanitizer) Warp(b *probe.Block, warp int, lanes uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush(b)
	st := state(b)
	st.clock.meet(warp, lanes)
	st.phase = s.newPhase()
	if all := warpOf(b, warp); lanes&all != all {
		st.clock.launch.partial = true
	}
}

// warpOf returns the lanes that a warp of the block has.
func warpOf(b *probe.Block, warp int) uint32 {
	return uint32(1<<min(32, b.Threads-warp*32) - 1)
}

// rankOf returns the rank of the thread that an event names: of a warp kernel that of the warp's
// first lane.
func rankOf(b *probe.Block, rank int) int {
	if b.Warps && rank < b.Threads {
		return min(rank*32, b.Threads-1)
	}
	return rank
}

func (s *sanitizer) Release(b *probe.Block, rank int, c *probe.Cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush(b)
	h := s.published(c)
	if h == nil {
		h = horizon{}
		c.Tool = &publication{s.era, h}
	}
	state(b).clock.release(h, rankOf(b, rank))
	s.inPart(b)
}

// A publication is what threads have published to a cell in an era.
type publication struct {
	era   int
	knows horizon
}

// published returns what threads have published to a cell, nil if that was in an earlier era or never.
func (s *sanitizer) published(c *probe.Cell) horizon {
	if p, _ := c.Tool.(*publication); p != nil && p.era == s.era {
		return p.knows
	}
	return nil
}

// inPart notes that something orders some threads of the block only.
func (s *sanitizer) inPart(b *probe.Block) {
	st := state(b)
	st.phase = s.newPhase()
	st.clock.launch.partial = true
}

func (s *sanitizer) Acquire(b *probe.Block, rank int, c *probe.Cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.published(c); h != nil {
		state(b).clock.acquire(h, rankOf(b, rank))
		s.inPart(b)
	}
}

func (s *sanitizer) Grid(b *probe.Block, phase uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := state(b)
	st.clock.passGrid(int(phase), b.Launch.Grid.Size())
	st.phase = s.newPhase()
}

func (s *sanitizer) Fence(b *probe.Block, rank int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state(b).clock.fence(rankOf(b, rank))
	s.inPart(b)
}

// Access looks at an access of a kernel.
func (s *sanitizer) Access(b *probe.Block, rank, site int, kind probe.Kind, p unsafe.Pointer, n int) {
	s.mu.Lock()
	addr := uintptr(p)
	if len(s.pending) > 0 {
		s.settle(b, rank, kind, addr, n)
	}
	st := state(b)
	l := st.clock.launch
	if l.off {
		if kind != probe.KindLoad {
			s.setUnset(addr, n, false)
		}
		s.mu.Unlock()
		return
	}
	w := who{b: b, st: st, l: l, rank: rankOf(b, rank)}
	w.stamp = st.clock.stamp(w.rank)
	if kind == probe.KindAtomic {
		if h := st.clock.atomic(w.rank, s.released[addr]); h != nil {
			s.released[addr] = h
			s.inPart(b)
		}
	}
	s.look(&w, site, kind, p, n)
	s.mu.Unlock()
}

// Watching reports whether accesses of the host count.
func (s *sanitizer) Watching() bool { return s.watched.Load() }

// HostAccess looks at an access of a function of the host.
func (s *sanitizer) HostAccess(a *probe.Actor, site int, kind probe.Kind, p unsafe.Pointer, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kind == probe.KindAtomic && len(s.released[uintptr(p)]) > 0 {
		s.acquireAtomic(a, s.released[uintptr(p)])
	}
	s.outsideAccess(a, site, kind, p, n)
}

// acquireAtomic is an atomic operation of the host on a cell that kernels have published to: the
// host then knows of them.
func (s *sanitizer) acquireAtomic(a *probe.Actor, h horizon) {
	who := s.actorOf(a)
	for m := range h {
		if i := int(m.launch); i > 0 && i <= len(s.launches) {
			l := s.launches[i-1]
			who.knows.join(l.knows)
		}
	}
	who.host = nil
}

// Touch looks at a copy or a fill.
func (s *sanitizer) Touch(p unsafe.Pointer, n int, write bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kind := probe.KindLoad
	if write {
		kind = probe.KindStore
	}
	s.outsideAccess(probe.CurrentActor(), -1, kind, p, n)
}

// outsideAccess is an access by the host, by a stream's copy or the like.
func (s *sanitizer) outsideAccess(a *probe.Actor, site int, kind probe.Kind, p unsafe.Pointer, n int) {
	if s.busy() || a != nil {
		l := s.outside(a)
		w := who{l: l, stamp: stamp{clock: 1, who: l.index << rankBits}}
		if site < 0 {
			w.place = hostPlace()
			site = s.placeSite(w.place)
		}
		s.look(&w, site, kind, p, n)
		s.watch()
		return
	}
	if s.settings.Mem {
		s.inMemory(&who{}, site, kind, uintptr(p), n)
	}
	s.hostInit(site, kind, uintptr(p), n)
	s.watch()
}

// placeSite returns the number of a place that is no site of the overlay.
func (s *sanitizer) placeSite(p Place) int {
	for i := len(s.sites) - 1; i >= 0 && s.sites[i].Text == copyText; i-- {
		if s.sites[i].File == p.File && s.sites[i].Line == p.Line {
			return i
		}
	}
	s.sites = append(s.sites, probe.Site{File: p.File, Line: p.Line, Text: copyText})
	return len(s.sites) - 1
}

const copyText = "copy or fill"

// who does something: a thread of a block, or the host or a stream if there is no block.
type who struct {
	b     *probe.Block
	st    *blockState
	l     *launchState
	rank  int
	stamp stamp
	place Place
}

func (w *who) thread() Thread {
	if w.b == nil {
		return Thread{Host: true}
	}
	return Thread{Block: w.b.Idx, Thread: w.b.Launch.Block.At(min(w.rank, w.b.Threads-1))}
}

// thread names the one that a stamp is of.
func (s *sanitizer) thread(x stamp) Thread {
	l := s.launches[x.launch()-1]
	if l.host {
		return Thread{Host: true}
	}
	return Thread{Block: l.grid.At(int(x.block)), Thread: l.block.At(min(x.rank(), l.block.Size()-1))}
}

// before reports whether what x marks comes before what w does now.
func (s *sanitizer) before(x stamp, w *who) bool {
	if w.st != nil {
		return w.st.clock.before(s, x, w.rank)
	}
	return w.l.after(s.launches[x.launch()-1])
}

// look looks at an access with all tools.
func (s *sanitizer) look(w *who, site int, kind probe.Kind, p unsafe.Pointer, n int) {
	addr := uintptr(p)
	pg := s.page(addr)
	if s.settings.Mem && (pg.special || uintptr(n) > pageBytes-addr%pageBytes) {
		s.inMemory(w, site, kind, addr, n)
	}
	if kind != probe.KindLoad && len(s.suspects) > 0 && s.settings.Race {
		s.acquit(w, kind, addr, n)
	}
	if s.unset > 0 {
		s.initialised(w, site, kind, addr, n)
	}
	if !s.settings.Race {
		return
	}
	if addr&3 == 0 && n == 4 { // mostly
		s.raceWord(w, &pg.words[addr%pageBytes/4], whatOf(site, kind, 15), p)
		return
	}
	for a := addr &^ 3; a < addr+uintptr(n); a += 4 {
		s.raceWord(w, &s.page(a).words[a%pageBytes/4], whatOf(site, kind, bytesOf(a, addr, n)), unsafe.Add(p, int(a)-int(addr)))
	}
}

func (s *sanitizer) place(site int) Place {
	if site < 0 || site >= len(s.sites) {
		return Place{}
	}
	p := s.sites[site]
	return Place{p.File, p.Line, p.Col, p.Text}
}

// hostPlace is the first caller outside this module's runtime, or outside of that of whoever has
// queued the work.
func hostPlace() Place {
	pcs := make([]uintptr, 32)
	if p := outerPlace(pcs[:runtime.Callers(2, pcs)]); p.File != "" {
		return p
	}
	if a := probe.CurrentActor(); a != nil {
		return outerPlace(a.Call)
	}
	return Place{}
}

func outerPlace(pcs []uintptr) Place {
	if len(pcs) == 0 {
		return Place{}
	}
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		rest, ours := strings.CutPrefix(f.Function, "github.com/gocuda/gocuda/")
		inner := ours && (strings.HasPrefix(rest, "mem.") || strings.HasPrefix(rest, "sanitize.") || strings.HasPrefix(rest, "gocuda.") ||
			strings.HasPrefix(rest, "gocuda/rt/"))
		if !inner && f.File != "" && !strings.HasPrefix(f.Function, "runtime.") {
			return Place{File: f.File, Line: f.Line}
		}
		if !more {
			return Place{}
		}
	}
}
