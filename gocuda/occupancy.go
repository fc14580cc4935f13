package gocuda

import (
	"fmt"
	"math"
	"strings"

	"github.com/gocuda/gocuda/grid"
)

// How many blocks a multiprocessor of a GPU runs at the same time: the calculation of NVIDIA's CUDA
// Occupancy Calculator and of cudaOccupancyMaxActiveBlocksPerMultiprocessor. Four things run out:
// the slots for warps and for blocks, the registers, and the shared memory. Each is divided in the
// units in which the hardware allocates it.
//
// The occupancy says nothing about the speed of a kernel in gocuda, where a block has a processor
// to itself. It says how a launch would fill a GPU.

// A Resource is what limits the number of blocks on a multiprocessor, or several of them together.
type Resource uint8

const (
	ResourceWarps     Resource = 1 << iota // slots for warps: threads of a multiprocessor, and of a block
	ResourceBlocks                         // slots for blocks
	ResourceRegisters                      // 32-bit registers
	ResourceShared                         // shared memory
)

var resourceNames = []string{"warps", "blocks", "registers", "shared memory"}

// String names the resources, such as "warps, registers".
func (r Resource) String() string {
	var names []string
	for i, name := range resourceNames {
		if r&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// An Occupancy is the number of blocks and warps of a launch that a multiprocessor holds, and what
// limits it.
type Occupancy struct {
	Blocks   int // on a multiprocessor at the same time; 0 if not even one fits
	Warps    int // of these blocks
	MaxWarps int // that a multiprocessor has room for

	// The number of blocks that each resource alone would allow, at most math.MaxInt for one that
	// is not used.
	ByWarps, ByBlocks, ByRegisters, ByShared int

	LimitedBy Resource // those that allow no more than Blocks
}

// Fraction returns the occupancy in the usual sense: Warps / MaxWarps.
func (o Occupancy) Fraction() float64 { return float64(o.Warps) / float64(o.MaxWarps) }

// Occupancy returns how many blocks of the given number of threads run on a multiprocessor of
// capability c at the same time. regs is the number of registers a thread, as the compiler reports
// it (nvcc --ptxas-options=-v), and 0 if registers don't matter. shared is the shared memory a
// block in bytes, static and dynamic; on 1.x arguments of the kernel are a part of it. The limit on
// a block's shared memory is the one of a launch with SharedOptIn.
//
// A block that does not fit at all, such as one with too many threads, is no error: Blocks is 0 and
// LimitedBy says why. No threads, or a negative number of anything, is an [ErrInvalidValue], and so
// is a capability that is not in [Capabilities].
func (c Capability) Occupancy(threads, regs, shared int) (Occupancy, error) {
	m, err := c.multiprocessor()
	if err != nil {
		return Occupancy{}, err
	}
	return m.occupancy(threads, regs, shared)
}

// MaxActiveBlocks returns the Blocks of [Capability.Occupancy], CUDA's
// cudaOccupancyMaxActiveBlocksPerMultiprocessor.
func (c Capability) MaxActiveBlocks(threads, regs, shared int) (int, error) {
	o, err := c.Occupancy(threads, regs, shared)
	return o.Blocks, err
}

// MaxPotentialBlockSize returns the number of threads a block that gives the highest occupancy, the
// largest if several do, and the number of such blocks on a multiprocessor: CUDA's
// cudaOccupancyMaxPotentialBlockSize, and with shared its VariableSMem. regs is the number of
// registers a thread. shared returns the bytes of shared memory of a block of the given size; nil
// stands for none. Sizes are tried in steps of a warp up to limit threads, where 0 means no limit,
// and the limit itself. Both results are 0 if no size fits.
//
// To fill a GPU takes as many blocks on each multiprocessor.
func (c Capability) MaxPotentialBlockSize(regs int, shared func(threads int) int, limit int) (blocks, threads int, err error) {
	m, err := c.multiprocessor()
	if err != nil {
		return 0, 0, err
	}
	return m.maxPotentialBlockSize(regs, shared, limit)
}

// Occupancy returns how many blocks of a launch a multiprocessor of the device's GPU would run at
// the same time, with regs registers a thread. Static shared memory has to be counted in
// cfg.SharedBytes. It returns the error of a launch if the device can't launch cfg. Of a device
// without a generation each processor counts as a multiprocessor that has room for one block.
func (d *Device) Occupancy(cfg grid.Config, regs int) (Occupancy, error) {
	if d == nil {
		return Occupancy{}, errNilDevice
	}
	if err := cfg.Validate(d.limits); err != nil {
		return Occupancy{}, fmt.Errorf("gocuda: occupancy: %w", err)
	}
	return d.multiprocessor().occupancy(cfg.Threads(), regs, cfg.SharedBytes)
}

// MaxActiveBlocks returns the Blocks of [Device.Occupancy], CUDA's
// cudaOccupancyMaxActiveBlocksPerMultiprocessor.
func (d *Device) MaxActiveBlocks(cfg grid.Config, regs int) (int, error) {
	o, err := d.Occupancy(cfg, regs)
	return o.Blocks, err
}

// MaxPotentialBlockSize is [Capability.MaxPotentialBlockSize] for the whole device: blocks is the
// least number of them that fills all multiprocessors, CUDA's minGridSize.
func (d *Device) MaxPotentialBlockSize(regs int, shared func(threads int) int, limit int) (blocks, threads int, err error) {
	if d == nil {
		return 0, 0, errNilDevice
	}
	blocks, threads, err = d.multiprocessor().maxPotentialBlockSize(regs, shared, limit)
	return blocks * d.props.MultiProcessorCount, threads, err
}

// multiprocessor returns what a multiprocessor of d has room for.
func (d *Device) multiprocessor() multiprocessor {
	if d.gen != Host {
		return gpus[d.gen].multiprocessor
	}
	p := d.props
	return multiprocessor{
		Capability:    Capability{7, 5}, // the host reserves no shared memory, as capabilities before 8.0
		threadsPerSM:  p.MaxThreadsPerMultiProcessor,
		blocksPerSM:   p.MaxBlocksPerMultiProcessor,
		regsPerSM:     math.MaxInt, // a processor has other registers, and any number of them on the stack
		regsPerBlock:  math.MaxInt,
		regsPerThread: math.MaxInt,
		sharedPerSM:   p.SharedMemPerMultiprocessor >> 10,
		sharedOptIn:   p.SharedMemPerBlockOptin >> 10,
	}
}

func (m multiprocessor) occupancy(threads, regs, shared int) (Occupancy, error) {
	for _, v := range []struct {
		what  string
		n     int
		least int
	}{{"threads a block", threads, 1}, {"registers a thread", regs, 0}, {"bytes of shared memory", shared, 0}} {
		if v.n < v.least {
			return Occupancy{}, fmt.Errorf("gocuda: occupancy: %w: %d %s", ErrInvalidValue, v.n, v.what)
		}
	}
	o := Occupancy{
		MaxWarps:    m.threadsPerSM / grid.WarpSize,
		ByBlocks:    m.blocksPerSM,
		ByRegisters: math.MaxInt,
		ByShared:    m.byShared(shared),
	}
	if threads <= m.maxThreads() {
		warps := grid.Warps(threads)
		o.ByWarps = o.MaxWarps / warps
		o.ByRegisters = m.byRegisters(warps, regs)
		o.Blocks = min(o.ByWarps, o.ByBlocks, o.ByRegisters, o.ByShared)
		o.Warps = o.Blocks * warps
	}
	for i, n := range []int{o.ByWarps, o.ByBlocks, o.ByRegisters, o.ByShared} {
		if n == o.Blocks {
			o.LimitedBy |= 1 << i
		}
	}
	return o, nil
}

// byRegisters returns how many blocks the registers allow.
func (m multiprocessor) byRegisters(warps, regs int) int {
	switch {
	case regs == 0 || m.regsPerSM == math.MaxInt:
		return math.MaxInt
	case regs > m.regsPerThread:
		return 0
	}
	unit, even := m.regsUnit(), roundUp(warps, m.warpsUnit())
	if m.Major < 2 {
		return m.regsPerSM / roundUp(even*grid.WarpSize*regs, unit)
	}
	perWarp := roundUp(grid.WarpSize*regs, unit)
	if even*perWarp > m.regsPerBlock { // the hardware's check rounds the warps up to a multiple of its partitions
		return 0
	}
	parts := m.warpsUnit()
	return m.regsPerSM / parts / perWarp * parts / warps
}

// byShared returns how many blocks the shared memory allows.
func (m multiprocessor) byShared(shared int) int {
	switch reserved := m.sharedReserved(); {
	case shared > m.sharedOptIn<<10:
		return 0
	case shared+reserved == 0:
		return math.MaxInt
	default:
		return m.sharedPerSM << 10 / roundUp(shared+reserved, m.sharedUnit())
	}
}

func (m multiprocessor) maxPotentialBlockSize(regs int, shared func(int) int, limit int) (blocks, threads int, err error) {
	if limit < 0 {
		return 0, 0, fmt.Errorf("gocuda: occupancy: %w: at most %d threads a block", ErrInvalidValue, limit)
	}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case error:
			blocks, threads, err = 0, 0, fmt.Errorf("gocuda: occupancy: the func of shared memory panicked: %w", v)
		default:
			blocks, threads, err = 0, 0, fmt.Errorf("gocuda: occupancy: the func of shared memory panicked: %v", v)
		}
	}()
	if limit == 0 || limit > m.maxThreads() {
		limit = m.maxThreads()
	}
	most := 0 // threads on a multiprocessor
	for n := roundUp(limit, grid.WarpSize); n > 0; n -= grid.WarpSize {
		size, bytes := min(n, limit), 0
		if shared != nil {
			bytes = shared(size)
		}
		o, err := m.occupancy(size, regs, bytes)
		if err != nil {
			return 0, 0, err
		}
		if o.Blocks*size > most {
			most, blocks, threads = o.Blocks*size, o.Blocks, size
		}
		if most == m.threadsPerSM {
			break
		}
	}
	return blocks, threads, nil
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
