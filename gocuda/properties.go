package gocuda

import (
	"math"
	"runtime/debug"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/mem"
)

// Properties is what is known of a device, in the spirit of CUDA's cudaDeviceProp. Sizes are in bytes.
type Properties struct {
	Name       string     // of the GPU whose limits the device has, or of the processor
	Generation Generation // of those limits
	Major      int        // compute capability
	Minor      int

	TotalGlobalMem              int64 // the device's memory
	TotalConstMem               int   // constant memory of a module
	SharedMemPerBlock           int   // for a launch without SharedOptIn
	SharedMemPerBlockOptin      int   // for a launch with it
	SharedMemPerMultiprocessor  int
	RegsPerBlock                int // 32-bit registers
	RegsPerMultiprocessor       int
	WarpSize                    int
	MaxThreadsPerBlock          int
	MaxThreadsDim               grid.Dim3
	MaxGridSize                 grid.Dim3
	MultiProcessorCount         int
	CoresPerMultiprocessor      int
	MaxThreadsPerMultiProcessor int
	MaxBlocksPerMultiProcessor  int
	ClockRate                   int // kHz; 0 if unknown
	L2CacheSize                 int
	MemoryClockRate             int // kHz, of the board's memory, which moves two bits per cycle and line of its bus; 0 if unknown
	MemoryBusWidth              int // lines of the memory's bus, one bit each; 0 if unknown

	Workers int // how many blocks run at the same time, whatever the limits pretend
	Host    HostProperties
}

// HostProperties is what cpuid and the operating system tell of the machine that kernels really run
// on. What they don't tell is 0 or empty.
type HostProperties struct {
	Name      string   // the processor
	Cores     int      // physical
	Threads   int      // logical processors that Go may use
	CacheLine int      // bytes
	L1D       int      // bytes, of a core
	L2        int      // bytes, of a core
	L3        int      // bytes, of a group of cores
	Memory    int64    // bytes
	Features  []string // vector extensions that can be used, such as AVX2 and AVX512F
}

// PeakBandwidth returns what the board's memory moves at most, in bytes a second: 2 MemoryClockRate
// MemoryBusWidth / 8, as the CUDA C++ Best Practices Guide computes it ("Theoretical Bandwidth
// Calculation"); 0 if unknown.
func (p Properties) PeakBandwidth() float64 {
	return 2 * float64(p.MemoryClockRate) * 1000 * float64(p.MemoryBusWidth) / 8
}

// PeakFlops returns how many operations on float32 the GPU does at most in a second, where each
// core does a multiplication and an addition a cycle; 0 if unknown.
func (p Properties) PeakFlops() float64 {
	return 2 * float64(p.ClockRate) * 1000 * float64(p.MultiProcessorCount) * float64(p.CoresPerMultiprocessor)
}

// Limits returns the bounds on a launch.
func (p Properties) Limits() grid.Limits {
	return grid.Limits{
		MaxThreadsPerBlock:  p.MaxThreadsPerBlock,
		MaxThreadsDim:       p.MaxThreadsDim,
		MaxGridSize:         p.MaxGridSize,
		SharedPerBlock:      p.SharedMemPerBlock,
		SharedPerBlockOptIn: p.SharedMemPerBlockOptin,
	}
}

func propertiesOf(g Generation, memory int64) Properties {
	h := HostProperties(host.Get())
	spec := gpus[Hopper] // the host's limits are the newest ones
	if g != Host {
		spec = gpus[g]
	}
	p := Properties{
		Name:       spec.name,
		Generation: g,
		Major:      spec.Major, Minor: spec.Minor,
		TotalGlobalMem:              memory,
		TotalConstMem:               mem.ConstantBytes,
		SharedMemPerBlock:           spec.shared << 10,
		SharedMemPerBlockOptin:      spec.sharedOptIn << 10,
		SharedMemPerMultiprocessor:  spec.sharedPerSM << 10,
		RegsPerBlock:                spec.regsPerBlock,
		RegsPerMultiprocessor:       spec.regsPerSM,
		WarpSize:                    grid.WarpSize,
		MaxThreadsPerBlock:          spec.maxThreads(),
		MaxThreadsDim:               spec.maxThreadsDim(),
		MaxGridSize:                 spec.maxGrid(),
		MultiProcessorCount:         spec.sms,
		CoresPerMultiprocessor:      spec.cores,
		MaxThreadsPerMultiProcessor: spec.threadsPerSM,
		MaxBlocksPerMultiProcessor:  spec.blocksPerSM,
		ClockRate:                   spec.clockMHz * 1000,
		L2CacheSize:                 spec.l2 << 10,
		MemoryClockRate:             spec.memMHz * 1000,
		MemoryBusWidth:              spec.bus,
		Host:                        h,
	}
	if g == Host {
		// A core is a multiprocessor that runs one block at a time.
		p.Name = h.Name
		p.MultiProcessorCount, p.CoresPerMultiprocessor = h.Threads, 1
		p.MaxBlocksPerMultiProcessor, p.MaxThreadsPerMultiProcessor = 1, p.MaxThreadsPerBlock
		p.ClockRate = 0 // it changes all the time
		p.MemoryClockRate, p.MemoryBusWidth = 0, 0
		p.L2CacheSize = h.L2
		// More than the second-level cache of a core would hold is no fast memory any more.
		if h.L2 > p.SharedMemPerBlockOptin {
			p.SharedMemPerBlockOptin = h.L2
		}
		p.SharedMemPerMultiprocessor = p.SharedMemPerBlockOptin
	}
	return p
}

// hostMemory is how much memory the default device has.
func hostMemory() int64 {
	total := host.Get().Memory
	if total <= 0 {
		total = math.MaxInt64
	}
	return min(total, debug.SetMemoryLimit(-1)) // a negative argument only asks
}
