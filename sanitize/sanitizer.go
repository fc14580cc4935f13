package sanitize

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/gocuda/gocuda/gocuda"
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
	Leaks                 bool
}

// active is nil without the overlay.
var active *sanitizer

func init() {
	text := os.Getenv(Variable)
	if text == "" {
		return
	}
	s := &sanitizer{pages: map[uintptr]*page{}, released: map[uintptr]horizon{}}
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

	mu       sync.Mutex
	pages    map[uintptr]*page
	lastKey  uintptr
	lastPage *page
	released map[uintptr]horizon // of atomics
	allocs   []piece
	freed    []piece
	seen     int // launches
	running  int
	gc       int // the percentage to set again
	limit    int64
	total    int // errors so far
	pending  []pendingWrite
}

// launchState is what is known of one launch.
type launchState struct {
	off      bool // filtered
	findings map[findingKey]*finding
	order    []findingKey
}

type findingKey struct {
	tool, kind   string
	first, other int // sites, -1 for none
	text         string
}

type finding struct {
	Finding
	bytes map[uintptr]uint8 // of races: the bytes of each word
}

type blockState struct {
	clock   *blockClock
	shared  []piece
	threads []pathState
	regions map[regionKey]map[int]uint64
	chains  map[regionKey][]int
}

// pendingWrite is a race between two writes, of which it is not yet known whether they write the same.
type pendingWrite struct {
	f   *finding
	p   unsafe.Pointer
	old []byte

	block     *probe.Block // of the thread that writes
	rank      int
	ifDiffers Severity
}

func (s *sanitizer) LaunchBegin(l *probe.Launch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen++
	st := &launchState{findings: map[findingKey]*finding{}}
	n := s.seen - s.settings.Skip
	st.off = n <= 0 || s.settings.Count > 0 && n > s.settings.Count || !s.kernel.MatchString(l.Name)
	l.Tool = st
	if s.running++; s.running == 1 {
		// An address must not come back while a launch may be said to have used it.
		s.gc, s.limit = debug.SetGCPercent(-1), debug.SetMemoryLimit(4<<30)
	}
	for _, a := range s.allocs {
		s.hostWrites(a)
	}
}

func (s *sanitizer) LaunchEnd(l *probe.Launch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush()
	st := l.Tool.(*launchState)
	for _, k := range st.order {
		f := st.findings[k]
		if f.bytes != nil {
			f.Count = 0
			for _, mask := range f.bytes {
				for ; mask != 0; mask &= mask - 1 {
					f.Count++
				}
			}
		}
		if f.Severity == SeverityError {
			s.total++
		}
		s.write(f.Finding)
	}
	if s.running--; s.running == 0 {
		for _, p := range s.pages {
			p.words = [pageBytes / 4][]access{}
		}
		clear(s.released)
		debug.SetGCPercent(s.gc)
		debug.SetMemoryLimit(s.limit)
	}
}

func (s *sanitizer) write(f Finding) {
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
	b.Tool = &blockState{
		clock: newBlockClock(b.Launch.ID, b.Index, b.Threads), threads: make([]pathState, b.Threads+1),
		regions: map[regionKey]map[int]uint64{}, chains: map[regionKey][]int{},
	}
}

func (s *sanitizer) BlockEnd(b *probe.Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush()
	s.endRegions(b, state(b))
	for _, p := range state(b).shared {
		s.forget(p.from, p.n)
		s.setUnset(p.from, p.n, false)
	}
}

func state(b *probe.Block) *blockState { return b.Tool.(*blockState) }

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
	s.flush()
	state(b).clock.barrier()
}

func (s *sanitizer) Warp(b *probe.Block, warp int, lanes uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush()
	state(b).clock.meet(warp, lanes)
}

func (s *sanitizer) Group(b *probe.Block, sets []uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flush()
	state(b).clock.gather(sets)
}

func (s *sanitizer) Grid(b *probe.Block, phase uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state(b).clock.grid = phase + 1
}

func (s *sanitizer) Fence(b *probe.Block, rank int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state(b).clock.fence(rank)
}

// poison is what new memory holds: a byte that depends on the address, so that what the host writes differs from it.
func poison(a uintptr) byte { return byte((uint64(a) * 0x9e3779b97f4a7c15) >> 56) }

func (s *sanitizer) Alloc(p unsafe.Pointer, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := uintptr(p)
	for i, b := range unsafe.Slice((*byte)(p), n) {
		_ = b
		*(*byte)(unsafe.Add(p, i)) = poison(from + uintptr(i))
	}
	s.allocs = append(s.allocs, piece{from: from, n: n, keep: p})
	s.forget(from, n)
	s.setUnset(from, n, true)
	if s.settings.Leaks {
		s.write(Finding{Tool: "leak", Kind: "alloc", Text: strconv.FormatUint(uint64(from), 16), Count: n, First: hostPlace()})
	}
}

func (s *sanitizer) Free(addr uintptr, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.allocs, func(p piece) bool { return p.from == addr })
	if i < 0 {
		return
	}
	s.freed = append(s.freed, s.allocs[i])
	s.allocs = slices.Delete(s.allocs, i, i+1)
	s.setUnset(addr, n, false)
	if s.settings.Leaks {
		s.write(Finding{Tool: "leak", Kind: "free", Text: strconv.FormatUint(uint64(addr), 16), Count: n})
	}
}

// hostPlace is the first caller outside this module's runtime.
func hostPlace() Place {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		rest, ours := strings.CutPrefix(f.Function, "github.com/gocuda/gocuda/")
		if !ours || !strings.HasPrefix(rest, "mem") && !strings.HasPrefix(rest, "sanitize") && !strings.HasPrefix(rest, "gocuda") {
			return Place{File: f.File, Line: f.Line}
		}
		if !more {
			return Place{}
		}
	}
}

// hostWrites finds what the host has written to an allocation since it was made: words that differ from the poison.
func (s *sanitizer) hostWrites(a piece) {
	data := unsafe.Slice((*byte)(a.keep), a.n)
	for i := 0; i < a.n; i += 4 {
		for k := i; k < min(i+4, a.n); k++ {
			if data[k] != poison(a.from+uintptr(k)) {
				s.setUnset(a.from+uintptr(i), min(4, a.n-i), false)
				break
			}
		}
	}
}

func (s *sanitizer) place(site int) Place {
	if site < 0 || site >= len(s.sites) {
		return Place{}
	}
	p := s.sites[site]
	return Place{p.File, p.Line, p.Col, p.Text}
}

// report makes a finding of the launch of b, or finds the one that there is.
func (s *sanitizer) report(b *probe.Block, k findingKey, severity Severity) *finding {
	st := b.Launch.Tool.(*launchState)
	f := st.findings[k]
	if f == nil {
		f = &finding{Finding: Finding{Tool: k.tool, Kind: k.kind, Kernel: b.Launch.Name, Launch: b.Launch.ID, Text: k.text, First: s.place(k.first), Other: s.place(k.other)}}
		st.findings[k] = f
		st.order = append(st.order, k)
	}
	f.Severity = max(f.Severity, severity)
	return f
}

func threadOf(b *probe.Block, rank int) Thread {
	return Thread{Block: b.Idx, Thread: b.Launch.Block.At(min(rank, b.Threads-1))}
}

func (s *sanitizer) Access(b *probe.Block, rank, site int, kind probe.Kind, p unsafe.Pointer, n int) {
	addr := uintptr(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(b, rank, kind, addr, n)
	if b.Launch.Tool.(*launchState).off {
		return
	}
	st := state(b)
	if b.Warps && rank < b.Threads {
		rank = min(rank*32, b.Threads-1)
	}
	if s.settings.Mem && len(s.freed) > 0 {
		if i := slices.IndexFunc(s.freed, func(p piece) bool { return p.has(addr) }); i >= 0 {
			f := s.report(b, findingKey{"mem", "freed", site, -1, ""}, SeverityError)
			f.note(threadOf(b, rank), Thread{})
			f.Text = fmt.Sprintf("Invalid __global__ %s of size %d bytes: the allocation of %d bytes was freed",
				strings.ToLower(kind.String()), n, s.freed[i].n)
		}
	}
	s.initialised(b, st, rank, site, kind, addr, n)
	if kind == probe.KindAtomic {
		if h := st.clock.atomic(rank, s.released[addr]); h != nil {
			s.released[addr] = h
		}
	}
	if !s.settings.Race {
		return
	}
	for a := addr &^ 3; a < addr+uintptr(n); a += 4 {
		lo, hi := max(a, addr)-a, min(a+4, addr+uintptr(n))-a
		s.raceWord(b, st, rank, site, kind, unsafe.Add(p, int(a)-int(addr)), uint8(1<<hi-1<<lo))
	}
}

func (s *sanitizer) initialised(b *probe.Block, st *blockState, rank, site int, kind probe.Kind, addr uintptr, n int) {
	if s.settings.Init && kind != probe.KindStore {
		if s.unsetBytes(addr, n) > 0 {
			space := "__global__"
			if slices.ContainsFunc(st.shared, func(p piece) bool { return p.has(addr) }) {
				space = "__shared__"
			}
			if s.settings.InitSpace == "" || "__"+s.settings.InitSpace+"__" == space {
				f := s.report(b, findingKey{"init", space, site, -1, ""}, SeverityError)
				f.Count++
				f.note(threadOf(b, rank), Thread{})
				f.Text = fmt.Sprintf("Uninitialized %s read of size %d bytes", space, n)
			}
		}
	}
	if kind != probe.KindLoad {
		s.setUnset(addr, n, false)
	}
}

// program order of two places: by line, and in a line a load before a store.
func (s *sanitizer) comesFirst(x, y access) bool {
	p, q := s.sites[x.site], s.sites[y.site]
	switch {
	case p.File != q.File:
		return p.File < q.File
	case p.Line != q.Line:
		return p.Line < q.Line
	case x.writes() != y.writes():
		return !x.writes()
	}
	return p.Col < q.Col
}

// mostReaders is how many accesses of one place in the same launch a word keeps: of two blocks, two warps each, two lanes each.
const mostReaders = 8

func (s *sanitizer) raceWord(b *probe.Block, st *blockState, rank, site int, kind probe.Kind, p unsafe.Pointer, mask uint8) {
	word := uintptr(p)
	w := &s.page(word).words[word%pageBytes/4]
	now := access{st.clock.stampOf(rank), int32(site), kind, mask}
	list := (*w)[:0]
	blocks, warps, lanes := 0, 0, 0
	for _, old := range *w {
		ordered := st.clock.before(old.at, rank)
		if common := old.mask & mask; common != 0 && !ordered && conflicts(old.kind, kind) {
			s.race(b, rank, old, now, p, common)
		}
		if ordered && old.mask&^mask == 0 && (kind != probe.KindLoad && kind != probe.KindAtomic || old.kind == kind) {
			continue // whoever conflicts with the old one conflicts with the new one
		}
		if old.site == now.site && old.kind == kind && old.mask == mask && old.at.launch == now.at.launch && old.at.grid == now.at.grid {
			switch {
			case old.at.block != now.at.block:
				blocks++
			case old.at.rank/32 != now.at.rank/32:
				warps++
			default:
				lanes++
			}
		}
		list = append(list, old)
	}
	if lanes < 2 && lanes+warps < 4 && lanes+warps+blocks < mostReaders {
		list = append(list, now)
	}
	*w = list
}

// race reports a conflict between two threads.
func (s *sanitizer) race(b *probe.Block, rank int, old, now access, p unsafe.Pointer, mask uint8) {
	x, y := old, now
	tx, ty := Thread{Block: b.Launch.Grid.At(old.at.block), Thread: b.Launch.Block.At(min(old.at.rank, b.Threads-1))}, threadOf(b, rank)
	if s.comesFirst(now, old) {
		x, y, tx, ty = y, x, ty, tx
	}
	kind := "WAW"
	switch {
	case x.writes() && !y.writes():
		kind = "RAW"
	case !x.writes():
		kind = "WAR"
	}
	severity := SeverityError
	if old.at.block == now.at.block && old.at.rank/32 == now.at.rank/32 {
		severity = SeverityWarning
	}
	both := old.kind == probe.KindStore && now.kind == probe.KindStore
	k := findingKey{"race", kind, int(x.site), int(y.site), ""}
	f := s.report(b, k, SeverityInfo)
	if f.bytes == nil {
		f.bytes = map[uintptr]uint8{}
		f.Access = [2]string{x.kind.String(), y.kind.String()}
		f.Threads = [2]Thread{tx, ty}
	}
	f.bytes[uintptr(p)] |= mask
	if !both {
		f.Severity = max(f.Severity, severity)
		return
	}
	if f.Severity >= severity {
		return
	}
	s.pending = append(s.pending, pendingWrite{f, p, bytes.Clone(unsafe.Slice((*byte)(p), 4)), b, rank, severity})
}

// flush looks at stores that have taken place since.
func (s *sanitizer) flush() {
	for _, p := range s.pending {
		if !bytes.Equal(unsafe.Slice((*byte)(p.p), len(p.old)), p.old) {
			p.f.Severity = max(p.f.Severity, p.ifDiffers)
		}
	}
	s.pending = s.pending[:0]
}

// settle is flush before an access. The event of a store comes before the loads of its right side: what the same thread is
// about to write waits until another thread goes on, or until the thread writes there again.
func (s *sanitizer) settle(b *probe.Block, rank int, kind probe.Kind, addr uintptr, n int) {
	for _, p := range s.pending {
		at := uintptr(p.p)
		again := kind != probe.KindLoad && addr < at+uintptr(len(p.old)) && at < addr+uintptr(n)
		if p.block != b || p.rank != rank || again {
			s.flush()
			return
		}
	}
}

func (s *sanitizer) Branch(*probe.Block, int, int, bool) {}

// Failed reports what a kernel's panic says about memory or barriers.
func (s *sanitizer) Failed(b *probe.Block, rank int, v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err, ok := v.(error)
	if !ok || b.Launch.Tool.(*launchState).off {
		return
	}
	var fault runtime.Error
	site := state(b).threads[rank].last
	thread := threadOf(b, rank)
	switch {
	case s.settings.Sync && errors.Is(err, gocuda.ErrInvalidMask):
		s.report(b, findingKey{"sync", "arguments", site, -1, "Barrier error detected. Invalid arguments: " + err.Error()}, SeverityError).note(thread, Thread{})
	case s.settings.Sync && (errors.Is(err, gocuda.ErrBarrierDivergence) || errors.Is(err, gocuda.ErrWarpDivergence) ||
		errors.Is(err, gocuda.ErrInactiveLane) || errors.Is(err, gocuda.ErrBarrierDeadlock)):
		s.report(b, findingKey{"sync", "divergence", site, -1, "Barrier error detected. " + err.Error()}, SeverityError).note(thread, Thread{})
	case s.settings.Mem && errors.As(err, &fault):
		f := s.report(b, findingKey{"mem", "bounds", -1, -1, "Invalid access: " + err.Error()}, SeverityError)
		f.First = panicPlace()
		f.note(thread, Thread{})
	}
}

// panicPlace is where the panic that is being recovered began.
func panicPlace() Place {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	inPanic := false
	for {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" || strings.HasPrefix(f.Function, "runtime.panic") || strings.HasPrefix(f.Function, "runtime.goPanic") {
			inPanic = true
		} else if inPanic && !strings.HasPrefix(f.Function, "runtime.") {
			return Place{File: f.File, Line: f.Line}
		}
		if !more {
			return Place{}
		}
	}
}
