package prof

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"sort"
	_ "unsafe" // for linkname

	"github.com/gocuda/gocuda/gocuda/rt/warps"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/prof/memsys"
)

// Variable is the environment variable with the settings of a run, which `gocuda prof` sets.
const Variable = "GOCUDA_PROF"

// Settings are what a program under the overlay is told.
type Settings struct {
	Folder    string // where each process writes a file of its report
	GPU       string
	Blocks    int    // to look at, of each launch; 0 for all
	Kernel    string // a regular expression: kernels that don't match are not counted
	Registers int    // a thread, for the occupancy; 0: they don't matter
	Pictures  bool
}

// active is nil without the overlay.
var active *collector

func init() {
	text := os.Getenv(Variable)
	if text == "" {
		return
	}
	c := &collector{patterns: newPatterns()}
	if err := json.Unmarshal([]byte(text), &c.settings); err != nil {
		panic(fmt.Sprintf("%s: %v", Variable, err))
	}
	var err error
	if c.table, err = warps.ReadTable(); err != nil {
		panic(fmt.Sprintf("%s: %v", warps.TableVariable, err))
	}
	if c.gpu, err = FindGPU(c.settings.GPU); err != nil {
		panic(err)
	}
	c.kernel = regexp.MustCompile(c.settings.Kernel)
	if c.log, err = os.CreateTemp(c.settings.Folder, logName); err != nil {
		panic(err)
	}
	active = c
	warps.Subscribe(c, c.table)
}

// A collector gets the instructions of warps of all launches of a process. Its methods are called
// by one goroutine at a time.
type collector struct {
	settings Settings
	gpu      GPU
	table    *warps.Table
	kernel   *regexp.Regexp
	patterns patterns
	ended    launches // what has been counted since Run began, or the program
	log      *os.File // of launches, one a line
	allocs   []object // by address
	running  int
	gc       int
	limit    int64
	found    []found   // by site, the object last accessed
	rel      [32]int64 // of the request that is looked at
	spare    []*wave
}

// An object is a piece of memory.
type object struct {
	from uintptr
	n    int
}

// found is an object and the range of its addresses that have been seen.
type found struct{ base, low, high uintptr }

// A group is one launch that runs.
type group struct {
	Launch
	sites   []*[4]*Site // by site, and then by what of it
	regions []regionCount
	heat    map[uintptr]*Buffer
	waves   map[int]*wave // that have begun and not ended
}

// A regionCount is how often warps ran a region, its loop's head, and the head after a round.
type regionCount struct{ warps, threads, head, headThreads, again, againThreads int }

// blockState is what is known of a block.
type blockState struct {
	shared []object
	bytes  int
	group  *group
	wave   *wave
	index  int  // of the block
	first  bool // it is block 0, which pictures are of
}

func (c *collector) LaunchBegin(l *warps.Launch) {
	if c.running++; c.running == 1 {
		// A reused address would pass for the object that had it before, so the garbage collector
		// is held off.
		c.gc, c.limit = debug.SetGCPercent(-1), debug.SetMemoryLimit(4<<30)
		c.found = make([]found, len(c.table.Sites))
	}
	if !c.kernel.MatchString(l.Name) {
		return
	}
	l.Tool = &group{
		Launch: Launch{
			Kernel: l.Name, Grid: l.Grid, Block: l.Block, Count: 1, Blocks: l.Grid.Size(), Registers: c.settings.Registers,
		},
		sites: make([]*[4]*Site, len(c.table.Sites)), regions: make([]regionCount, len(c.table.Regions)),
	}
}

func (c *collector) LaunchEnd(l *warps.Launch) {
	if g, ok := l.Tool.(*group); ok {
		sum := c.launch(g)
		data, err := json.Marshal(sum)
		if err == nil {
			_, err = c.log.Write(append(data, '\n'))
		}
		if err != nil {
			panic(fmt.Sprintf("gocuda prof: %v", err))
		}
		c.ended.add(sum)
	}
	if c.running--; c.running == 0 {
		debug.SetGCPercent(c.gc)
		debug.SetMemoryLimit(c.limit)
	}
}

// BlockBegin takes a block if it is one of those to look at, which are spread over the grid.
func (c *collector) BlockBegin(b *warps.Block) any {
	g, _ := b.Launch.Tool.(*group)
	if g == nil {
		return nil
	}
	if !c.looksAt(b.Index, b.Launch.Grid.Size()) {
		return nil
	}
	g.Sampled++
	g.Warps += grid.Warps(b.Threads)
	g.Threads += b.Threads
	return &blockState{group: g, wave: c.join(g, b), index: b.Index, first: c.settings.Pictures && b.Index == 0}
}

// looksAt reports whether block i of all is counted: the first block with its value of i*n/all is,
// n being Settings.Blocks.
func (c *collector) looksAt(i, all int) bool {
	n := c.settings.Blocks
	return n == 0 || n >= all || i*n%all < n
}

func (c *collector) BlockEnd(block any) { c.quit(block.(*blockState)) }

func (c *collector) Barrier(any) {}

func (c *collector) Shared(block any, addr uintptr, n int) {
	st := block.(*blockState)
	st.shared = append(st.shared, object{addr, n})
	st.bytes += n
	st.group.SharedBytes = max(st.group.SharedBytes, st.bytes)
}

func (c *collector) Alloc(addr uintptr, n int) {
	c.Free(addr, n)
	i := sort.Search(len(c.allocs), func(i int) bool { return c.allocs[i].from > addr })
	c.allocs = slices.Insert(c.allocs, i, object{addr, n})
}

func (c *collector) Free(addr uintptr, n int) {
	c.allocs = slices.DeleteFunc(c.allocs, func(o object) bool { return o.from < addr+uintptr(n) && addr < o.from+uintptr(o.n) })
}

func (c *collector) Region(block any, _ int, region int32, active uint32) {
	r := &block.(*blockState).group.regions[region]
	r.warps++
	r.threads += warps.Lanes(active)
}

// What a site does, where it may do several things.
const (
	asLoad = iota // and everything that is no access
	asStore
	asSharedLoad
	asSharedStore
)

func (c *collector) site(g *group, id, what int, kind, space string) *Site {
	p := g.sites[id]
	if p == nil {
		p = new([4]*Site)
		g.sites[id] = p
	}
	s := p[what]
	if s == nil {
		t := &c.table.Sites[id]
		s = &Site{File: t.File, Line: t.Line, Col: t.Col, Text: t.Text, Func: t.Func, Kind: kind, Space: space, ID: id}
		switch space {
		case SpaceGlobal:
			s.Global = make([]Traffic, globalRules)
		case SpaceShared:
			s.Shared = make([]Passes, sharedRules)
		}
		p[what] = s
	}
	return s
}

func (s *Site) note(active uint32) {
	s.Requests++
	s.Lanes += warps.Lanes(active)
}

func (c *collector) Branch(block any, warp, site int, active, taken uint32, again, jump bool) {
	st := block.(*blockState)
	t := &c.table.Sites[site]
	if t.Kind == warps.SiteLoop || jump {
		r := &st.group.regions[t.Body]
		r.head++
		r.headThreads += warps.Lanes(active)
		if again {
			r.again++
			r.againThreads += warps.Lanes(active)
		}
	}
	if jump {
		return
	}
	s := c.site(st.group, site, asLoad, t.Kind, "")
	s.note(active)
	c.step(st, warp, site, t.Kind, active, taken)
	if taken != 0 && taken != active {
		s.Divergent++
	}
}

func (c *collector) Switch(block any, warp, site int, active uint32, ways int) {
	st := block.(*blockState)
	s := c.site(st.group, site, asLoad, warps.SiteSwitch, "")
	s.note(active)
	c.step(st, warp, site, warps.SiteSwitch, active, 0)
	if ways > 1 {
		s.Divergent++
	}
}

func (c *collector) Meet(block any, warp, site int, active uint32) {
	st := block.(*blockState)
	kind := c.table.Sites[site].Kind
	c.site(st.group, site, asLoad, kind, "").note(active)
	c.step(st, warp, site, kind, active, 0)
}

func (c *collector) Request(block any, r *warps.Request) {
	st := block.(*blockState)
	if r.Size == 0 {
		return
	}
	t := &c.table.Sites[r.Site]
	if t.Kind == warps.SiteConstant {
		c.constant(st.group, r)
		c.step(st, r.Warp, r.Site, warps.SiteLoad, r.Active, 0)
		return
	}
	one := r.At(bits.TrailingZeros32(r.Active))
	shared := object{}
	for _, o := range st.shared {
		if one >= o.from && one < o.from+uintptr(o.n) {
			shared = o
		}
	}
	inShared := shared.n > 0
	var rel *[32]int64
	var base uint64
	var object uintptr
	if inShared {
		base = uint64(one - shared.from)
		if r.All != nil {
			rel = c.relative(r)
		}
	} else {
		object, base, rel = c.global(r)
	}
	align := t.Align
	if align == 0 {
		align = min(16, r.Size&-r.Size)
	}
	size := r.Size
	if t.Size > 0 {
		size = t.Size
	}
	word, n := memsys.Split(size, align)
	do := func(what int, kind string, store bool) {
		space := SpaceGlobal
		if inShared {
			space, what = SpaceShared, what+asSharedLoad
		}
		s := c.site(st.group, r.Site, what, kind, space)
		for i := range n {
			s.note(r.Active)
			res := c.patterns.of(r, base+uint64(i*word), rel, word, store, inShared)
			for k := range s.Global {
				s.Global[k].Requests += res.global[k].Requests
				s.Global[k].Transactions += res.global[k].Transactions
				s.Global[k].Bytes += res.global[k].Bytes
				s.Global[k].Distinct += res.global[k].Distinct
			}
			if !inShared {
				s.camp(res, st.index/neighbours, base+uint64(i*word))
				st.wave.move(st.group, res, object, base+uint64(i*word), store)
			}
			for k := range s.Shared {
				s.Shared[k].Passes += res.shared[k].Passes
				s.Shared[k].Ideal += res.shared[k].Ideal
			}
		}
		s.Bytes += size * warps.Lanes(r.Active)
		s.Word = word
		s.steps(r)
		c.step(st, r.Warp, r.Site, kind, r.Active, 0)
		if st.first {
			s.sample(r, base, rel, word)
		}
		if c.settings.Pictures && !inShared {
			c.heat(st, r, size, !store || kind == warps.SiteAtomic, store)
		}
		if kind == warps.SiteAtomic {
			s.contend(r)
		}
	}
	switch t.Kind {
	case warps.SiteStore:
		do(asStore, warps.SiteStore, true)
	case warps.SiteUpdate:
		do(asLoad, warps.SiteLoad, false)
		do(asStore, warps.SiteStore, true)
	case warps.SiteAtomic:
		do(asStore, warps.SiteAtomic, true)
	default:
		do(asLoad, warps.SiteLoad, false)
	}
}

// steps notes the distance between neighbouring lanes.
func (s *Site) steps(r *warps.Request) {
	switch {
	case r.Active&(r.Active-1) == 0:
	case r.All != nil:
		s.Irregular, s.Step = true, 0
	case s.Irregular:
	case !s.Stepped:
		s.Stepped, s.Step = true, r.Stride
	case s.Step != r.Stride:
		s.Irregular, s.Step = true, 0
	}
}

func (s *Site) contend(r *warps.Request) {
	if r.All == nil {
		n := warps.Lanes(r.Active)
		if r.Stride == 0 && n > 1 {
			s.Addresses, s.Most = s.Addresses+1, s.Most+n
		} else {
			s.Addresses, s.Most = s.Addresses+n, s.Most+1
		}
		return
	}
	var addrs []uintptr
	for m := r.Active; m != 0; m &= m - 1 {
		addrs = append(addrs, r.At(bits.TrailingZeros32(m)))
	}
	slices.Sort(addrs)
	run, most := 0, 0
	for i, a := range addrs {
		if i == 0 || a != addrs[i-1] {
			s.Addresses++
			run = 0
		}
		run++
		most = max(most, run)
	}
	s.Most += most
}

func (c *collector) constant(g *group, r *warps.Request) {
	s := c.site(g, r.Site, asLoad, warps.SiteLoad, SpaceConstant)
	s.note(r.Active)
	s.Bytes += r.Size * warps.Lanes(r.Active)
	s.Word = r.Size
	s.steps(r)
	for i, lanes := range []int{16, 32} {
		for from := 0; from < 32; from += lanes {
			var seen []uintptr
			for lane := from; lane < from+lanes; lane++ {
				if r.Active>>lane&1 != 0 && !slices.Contains(seen, r.At(lane)) {
					seen = append(seen, r.At(lane))
				}
			}
			s.Constant[i] += len(seen)
		}
	}
}

// relative returns the addresses of a request relative to that of its lowest lane, if all are in
// one object. The result is valid until the next call.
func (c *collector) relative(r *warps.Request) *[32]int64 {
	base := r.All[bits.TrailingZeros32(r.Active)]
	if r.Active == ^uint32(0) {
		for lane, a := range r.All {
			c.rel[lane] = int64(a - base)
		}
		return &c.rel
	}
	for lane, a := range r.All {
		c.rel[lane] = 0
		if r.Active>>lane&1 != 0 {
			c.rel[lane] = int64(a - base)
		}
	}
	return &c.rel
}

// apart is relative for addresses in several objects, which are far from each other.
func (c *collector) apart(r *warps.Request) (object uintptr, base uint64, rel *[32]int64) {
	c.rel = [32]int64{}
	var objects [32]uintptr
	n := 0
	for m := r.Active; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		a := r.At(lane)
		from := c.objectOf(a)
		k := slices.Index(objects[:n], from)
		if k < 0 {
			k = n
			objects[k] = from
			n++
		}
		if m == r.Active {
			base = uint64(a - from)
		}
		c.rel[lane] = int64(k)<<40 + int64(a-from) - int64(base)
	}
	return objects[0], base, &c.rel
}

// global returns the addresses of a request in device memory, where each object begins at a
// multiple of 256 bytes.
func (c *collector) global(r *warps.Request) (object uintptr, base uint64, rel *[32]int64) {
	f := c.found[r.Site]
	one := r.At(bits.TrailingZeros32(r.Active))
	low, high := one, one
	if r.All == nil {
		last := r.At(31 - bits.LeadingZeros32(r.Active))
		low, high = min(one, last), max(one, last)
	} else {
		for m := r.Active; m != 0; m &= m - 1 {
			a := r.All[bits.TrailingZeros32(m)]
			low, high = min(low, a), max(high, a)
		}
	}
	if f.base == 0 || low < f.low || high > f.high {
		from := c.objectOf(one)
		if c.objectOf(low) != from || c.objectOf(high) != from {
			return c.apart(r)
		}
		if f.base != from || f.base == 0 {
			f = found{from, low, high}
		}
		f.low, f.high = min(f.low, low), max(f.high, high)
		c.found[r.Site] = f
	}
	if r.All != nil {
		rel = c.relative(r)
	}
	return f.base, uint64(one - f.base), rel
}

// objectOf returns the first address of the object that has address a. For memory that is not on
// the heap this is the start of its 4 KiB page.
func (c *collector) objectOf(a uintptr) uintptr {
	if i := sort.Search(len(c.allocs), func(i int) bool { return c.allocs[i].from > a }); i > 0 {
		if o := c.allocs[i-1]; a-o.from < uintptr(o.n) {
			return o.from
		}
	}
	if base, _, _ := findObject(a, 0, 0); base != 0 {
		return base
	}
	return a &^ 4095
}

// findObject is the runtime's. It keeps the name and signature for its users (issue 67401 of Go).
//
//go:linkname findObject runtime.findObject
func findObject(p, refBase, refOff uintptr) (base uintptr, s uintptr, index uintptr)

// launch sums up a group.
func (c *collector) launch(g *group) *Launch {
	l := g.Launch
	l.Ops, l.ThreadFlops = map[string]int{}, map[string]int{}
	l.Buffers = c.buffers(g)
	count := func(r *warps.Region, ops map[string]int, n, threads int) {
		if n == 0 {
			return
		}
		for class, k := range ops {
			l.Ops[class] += k * n
			l.ThreadOps += k * threads
			if class[0] == 'f' || class[0] == 'd' {
				l.ThreadFlops[class] += k * threads
			}
		}
	}
	for i, n := range g.regions {
		r := &c.table.Regions[i]
		count(r, r.Ops, n.warps, n.threads)
		count(r, r.Head, n.head, n.headThreads)
		count(r, r.Post, n.again, n.againThreads)
	}
	for _, p := range g.sites {
		if p == nil {
			continue
		}
		for _, s := range p {
			if s != nil {
				s.sumWaves()
				l.Sites = append(l.Sites, s)
			}
		}
	}
	slices.SortStableFunc(l.Sites, (*Site).compare)
	return &l
}
