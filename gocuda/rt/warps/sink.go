package warps

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"sync"
	"unsafe"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/observe"
)

// The launch and the block of an instruction.
type (
	Launch = observe.Launch
	Block  = observe.Block
)

// A Request is an access of a warp.
type Request struct {
	Site   int
	Warp   int    // of the block
	Round  int    // of the innermost loop, from 0
	Active uint32 // lanes
	Size   int    // bytes a lane
	// Lane i accesses Base + Stride (i - First), or All[i] if that is not nil.
	First  int
	Base   uintptr
	Stride int
	All    *[32]uintptr
}

// At returns the address of a lane.
func (r *Request) At(lane int) uintptr {
	if r.All != nil {
		return r.All[lane]
	}
	return r.Base + uintptr(r.Stride*(lane-r.First))
}

// A Sink gets the instructions of warps. Its methods are called by one goroutine at a time.
type Sink interface {
	// LaunchBegin and LaunchEnd are called around a launch.
	LaunchBegin(l *Launch)
	LaunchEnd(l *Launch)
	// BlockBegin returns what is passed with the events of the block, nil if it is not to be looked at.
	BlockBegin(b *Block) any
	// Shared says that the block has a shared array of n bytes at addr.
	Shared(block any, addr uintptr, n int)
	// Alloc and Free tell of n bytes of device memory.
	Alloc(addr uintptr, n int)
	Free(addr uintptr, n int)
	// Barrier says that all threads of the block have met.
	Barrier(block any)
	// BlockEnd says that the block has ended.
	BlockEnd(block any)
	// Region says that lanes of a warp have run a region.
	Region(block any, warp int, region int32, active uint32)
	// Request is an access to memory.
	Request(block any, r *Request)
	// Branch says that the lanes in taken, of the active ones, took a branch. again says that the
	// branch is a loop's head after its first iteration, jump that the loop has no condition.
	Branch(block any, warp, site int, active, taken uint32, again, jump bool)
	// Switch says that the active lanes went so many ways.
	Switch(block any, warp, site int, active uint32, ways int)
	// Meet is a barrier, warp operation or texture fetch.
	Meet(block any, warp, site int, active uint32)
}

var (
	sink    Sink
	sinkMu  sync.Mutex
	loopsIn []int32 // for the region of a loop's body, the region around the loop; for others -1
)

// Subscribe makes s the sink. It must be called before the first launch, from an init func.
func Subscribe(s Sink, t *Table) {
	loopsIn = make([]int32, len(t.Regions))
	for i, r := range t.Regions {
		loopsIn[i] = -1
		if r.Loop {
			loopsIn[i] = r.Parent
		}
	}
	sink = s
	observe.Hook = hooks{}
}

// hooks implements observe.Hooks.
type hooks struct{}

func (hooks) LaunchBegin(l *observe.Launch) {
	sinkMu.Lock()
	defer sinkMu.Unlock()
	sink.LaunchBegin(l)
}

func (hooks) LaunchEnd(l *observe.Launch) {
	sinkMu.Lock()
	defer sinkMu.Unlock()
	sink.LaunchEnd(l)
}

var spare sync.Pool // of *block

func (hooks) BlockBegin(b *observe.Block) {
	sinkMu.Lock()
	defer sinkMu.Unlock()
	state := sink.BlockBegin(b)
	if state == nil {
		return
	}
	bl, _ := spare.Get().(*block)
	if bl == nil {
		bl = &block{}
	}
	bl.b, bl.state, bl.apart = b, state, b.Apart
	n := grid.Warps(b.Threads)
	if len(bl.warps) != n+1 {
		bl.warps = make([]warp, n+1)
		bl.lanes = make([]lane, 32*n+1)
	}
	for i := range bl.warps {
		w := &bl.warps[i]
		w.id, w.root, w.open, w.ended = i, node{region: -1}, nil, 0
		w.full = ^uint32(0)
		if left := b.Threads - 32*i; left < 32 {
			w.full = 1<<max(left, 1) - 1
		}
	}
	for i := range bl.lanes {
		l := &bl.lanes[i]
		l.block, l.warp, l.bit, l.index = bl, &bl.warps[i/32], 1<<(i%32), i%32
		l.depth, l.top = 0, nil
	}
	b.Tool = bl
}

func (hooks) BlockEnd(b *observe.Block) {
	bl, _ := b.Tool.(*block)
	if bl == nil {
		return
	}
	bl.lock()
	for i := range bl.lanes {
		bl.lanes[i].top = nil
	}
	for i := range bl.warps {
		bl.tell(&bl.warps[i])
	}
	bl.unlock()
	sinkMu.Lock()
	defer sinkMu.Unlock()
	sink.BlockEnd(bl.state)
	b.Tool = nil
	spare.Put(bl)
}

func (hooks) Shared(b *observe.Block, addr uintptr, n int) {
	if bl, _ := b.Tool.(*block); bl != nil {
		sinkMu.Lock()
		defer sinkMu.Unlock()
		sink.Shared(bl.state, addr, n)
	}
}

func (hooks) Barrier(b *observe.Block) {
	bl, _ := b.Tool.(*block)
	if bl == nil {
		return
	}
	bl.lock()
	for i := range bl.warps {
		bl.tell(&bl.warps[i])
	}
	bl.unlock()
	sinkMu.Lock()
	defer sinkMu.Unlock()
	sink.Barrier(bl.state)
}

func (hooks) Warp(*observe.Block, int, uint32)           {}
func (hooks) Grid(*observe.Block, uint64)                {}
func (hooks) Fence(*observe.Block, int)                  {}
func (hooks) Failed(*observe.Block, int, any) bool       { return false }
func (hooks) Stuck(*observe.Block, []int)                {}
func (hooks) Release(*observe.Block, int, *observe.Cell) {}
func (hooks) Acquire(*observe.Block, int, *observe.Cell) {}
func (hooks) ReleaseActor(*observe.Actor, *observe.Cell) {}
func (hooks) AcquireActor(*observe.Actor, *observe.Cell) {}
func (hooks) HostCall(*observe.Actor)                    {}
func (hooks) Ready(*observe.Allocation)                  {}
func (hooks) FreeAgain(*observe.Allocation)              {}
func (hooks) Pitch(*observe.Allocation, int, int)        {}
func (hooks) Touch(unsafe.Pointer, int, bool)            {}

func (hooks) Alloc(a *observe.Allocation) {
	sinkMu.Lock()
	defer sinkMu.Unlock()
	sink.Alloc(uintptr(a.Ptr), a.Bytes)
}

func (h hooks) Free(a *observe.Allocation, later bool) {
	if !later {
		h.Gone(a)
	}
}

func (hooks) Gone(a *observe.Allocation) {
	sinkMu.Lock()
	defer sinkMu.Unlock()
	sink.Free(uintptr(a.Ptr), a.Bytes)
}

// Lanes returns the number of lanes in a mask.
func Lanes(mask uint32) int { return bits.OnesCount32(mask) }

// TableVariable is the environment variable with the path of the file that lists sites and regions.
const TableVariable = "GOCUDA_PROF_TABLE"

// A Table lists the sites and regions of a program. Their numbers are the indices.
type Table struct {
	Sites   []Site
	Regions []Region
}

// The kinds of sites.
const (
	SiteLoad     = "load"
	SiteStore    = "store"
	SiteUpdate   = "update" // a load and a store
	SiteAtomic   = "atomic"
	SiteConstant = "constant"
	SiteTexture  = "texture"
	SiteBranch   = "branch"
	SiteLoop     = "loop"
	SiteSwitch   = "switch"
	SiteBarrier  = "barrier"
	SiteWarp     = "warp" // an operation of the warp
	SiteOther    = ""
)

// A Site is a place of the source.
type Site struct {
	Kind   string
	File   string // as the go command names it
	Line   int
	Col    int
	Text   string // the expression
	Func   string
	Region int32
	Body   int32 // of a loop's head: the region of its body
	Align  int   `json:",omitempty"` // of an access, in bytes, as CUDA aligns the type; 0: not known
	Size   int   `json:",omitempty"` // of an access to a slice or the like, which is a pointer on a GPU; else 0
}

func (s Site) String() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

// A Region is a part of a func that runs as a whole.
type Region struct {
	File   string
	Line   int
	Func   string
	Parent int32 // the region around it, -1 for a func
	Loop   bool  // it is the body of a loop
	// Operations by class. Head are those of the loop's condition, at each asking of it, and Post
	// those of its post statement.
	Ops, Head, Post map[string]int `json:",omitempty"`
}

// ReadTable returns the sites and regions of the program.
func ReadTable() (*Table, error) {
	data, err := os.ReadFile(os.Getenv(TableVariable))
	if err != nil {
		return nil, err
	}
	t := &Table{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, fmt.Errorf("sites of gocuda prof: %w", err)
	}
	return t, nil
}

// Locked calls f while the sink is not called.
func Locked(f func()) {
	sinkMu.Lock()
	defer sinkMu.Unlock()
	f()
}
