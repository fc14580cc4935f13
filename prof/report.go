package prof

import (
	"github.com/gocuda/gocuda/grid"
)

// A Report is what the kernels of a run did.
type Report struct {
	GPU     GPU
	Kernels []*Kernel // in the order of their first launches
	Notes   []string  // what was not looked at
}

// A Kernel is all launches of a kernel.
type Kernel struct {
	Name     string
	Launches []*Launch
	gpu      GPU
}

// A Launch is launches of a kernel with the same grid and block. All counts are sums over its
// blocks and over the Count launches.
type Launch struct {
	Kernel      string
	Grid, Block grid.Dim3
	Count       int // launches
	Blocks      int // of all of them
	Sampled     int // blocks that were looked at: the counts are those of these
	SharedBytes int // of a block, static and dynamic
	Registers   int // a thread, as assumed; 0: not known
	Sites       []*Site

	Warps       int            // that ran, in the blocks looked at
	Threads     int            // of them
	Ops         map[string]int // operations of warps by class: of the kernel's source, not SASS
	ThreadOps   int            // of all classes, counted by thread
	ThreadFlops map[string]int // operations of threads by class, for those on floating point

	// The sectors of 32 bytes and pages of 2 KiB of device memory that were moved. Each group of 64
	// neighbouring blocks counts a sector or page once, but loads and stores apart: this is the
	// traffic behind a cache that such a group shares.
	Fresh int
	Pages int

	// For pictures.
	Steps   []Step    `json:",omitempty"` // the first ones of warp 0 of block 0
	Buffers []*Buffer `json:",omitempty"`
}

// The spaces of memory.
const (
	SpaceGlobal   = "global"
	SpaceShared   = "shared"
	SpaceConstant = "constant"
)

// A Site is an access, branch, barrier or the like of the source.
type Site struct {
	File  string
	Line  int
	Col   int
	Text  string // the expression
	Func  string
	Kind  string // load, store, atomic, texture, branch, loop, switch, barrier, warp
	Space string // of accesses: global, shared, constant

	Requests int // of warps: how often it was executed with at least one active lane
	Lanes    int // active ones, of all requests
	Bytes    int // asked for by the lanes, of accesses
	Word     int // bytes a lane of the last request

	Global   []Traffic `json:",omitempty"` // by rule: 1.0, 1.2, 2.x through L1, 2.x past L1, 5.x and later
	Shared   []Passes  `json:",omitempty"` // by rule: 1.x, 2.x and 5.x, 3.x with banks of 32 bits, of 64 bits
	Constant [2]int    `json:",omitzero"`  // reads of the cache on 1.x, and later

	Addresses int `json:",omitempty"` // of atomics: distinct ones, summed over the requests
	Most      int `json:",omitempty"` // of atomics: lanes at the most contended address, summed
	Divergent int `json:",omitempty"` // of branches: those at which lanes part

	// Step is the distance in bytes between the addresses of neighbouring lanes, if Stepped and it
	// was always the same.
	Step      int  `json:",omitempty"`
	Stepped   bool `json:",omitempty"`
	Irregular bool `json:",omitempty"` // the distance was not always the same

	// Camped is the bytes of the busiest memory partition, summed over groups of 64 neighbouring
	// blocks: of the 6 partitions of a G80, and of the 8 of a GTX 280.
	Camped [2]int `json:",omitzero"`
	waves  [2][][8]int

	Samples []Sample `json:",omitempty"` // for pictures: the first requests

	ID int // of the site in the program
}

// Traffic is what requests to global memory move.
type Traffic struct {
	Requests, Transactions, Bytes int
	Distinct                      int // bytes, those of repeated segments of a request counted once
}

// Passes is what the banks of shared memory make of requests.
type Passes struct{ Passes, Ideal int }
