package gocuda

import (
	"fmt"

	"github.com/gocuda/gocuda/grid"
)

// A Capability is a compute capability: what the multiprocessors of a GPU have room for. See
// [Capability.Occupancy].
type Capability struct {
	Major, Minor int
}

// String returns the capability as CUDA writes it, such as 8.6.
func (c Capability) String() string { return fmt.Sprintf("%d.%d", c.Major, c.Minor) }

// Capabilities returns all known compute capabilities, the oldest first.
func Capabilities() []Capability {
	all := make([]Capability, len(multiprocessors))
	for i, m := range multiprocessors {
		all[i] = m.Capability
	}
	return all
}

// A multiprocessor is a row of the table "Technical Specifications per Compute Capability" of the
// CUDA C++ Programming Guide (its editions 5.5, 8.0 and 12 cover the rows). The limit of registers
// per thread is from the data of the CUDA Occupancy Calculator; for 1.x the guide rounds it.
type multiprocessor struct {
	Capability
	threadsPerSM  int
	blocksPerSM   int
	regsPerSM     int // 32-bit registers
	regsPerBlock  int
	regsPerThread int
	sharedPerSM   int // KiB
	shared        int // KiB a block
	sharedOptIn   int // KiB a block
}

var multiprocessors = [...]multiprocessor{
	{Capability{1, 0}, 768, 8, 8 << 10, 8 << 10, 124, 16, 16, 16},
	{Capability{1, 1}, 768, 8, 8 << 10, 8 << 10, 124, 16, 16, 16},
	{Capability{1, 2}, 1024, 8, 16 << 10, 16 << 10, 124, 16, 16, 16},
	{Capability{1, 3}, 1024, 8, 16 << 10, 16 << 10, 124, 16, 16, 16},
	{Capability{2, 0}, 1536, 8, 32 << 10, 32 << 10, 63, 48, 48, 48},
	{Capability{2, 1}, 1536, 8, 32 << 10, 32 << 10, 63, 48, 48, 48},
	{Capability{3, 0}, 2048, 16, 64 << 10, 64 << 10, 63, 48, 48, 48},
	{Capability{3, 2}, 2048, 16, 64 << 10, 32 << 10, 255, 48, 48, 48},
	{Capability{3, 5}, 2048, 16, 64 << 10, 64 << 10, 255, 48, 48, 48},
	{Capability{3, 7}, 2048, 16, 128 << 10, 64 << 10, 255, 112, 48, 48},
	{Capability{5, 0}, 2048, 32, 64 << 10, 64 << 10, 255, 64, 48, 48},
	{Capability{5, 2}, 2048, 32, 64 << 10, 64 << 10, 255, 96, 48, 48},
	{Capability{5, 3}, 2048, 32, 64 << 10, 32 << 10, 255, 64, 48, 48},
	{Capability{6, 0}, 2048, 32, 64 << 10, 64 << 10, 255, 64, 48, 48},
	{Capability{6, 1}, 2048, 32, 64 << 10, 64 << 10, 255, 96, 48, 48},
	{Capability{6, 2}, 2048, 32, 64 << 10, 32 << 10, 255, 64, 48, 48},
	{Capability{7, 0}, 2048, 32, 64 << 10, 64 << 10, 255, 96, 48, 96},
	{Capability{7, 2}, 2048, 32, 64 << 10, 64 << 10, 255, 96, 48, 96},
	{Capability{7, 5}, 1024, 16, 64 << 10, 64 << 10, 255, 64, 48, 64},
	{Capability{8, 0}, 2048, 32, 64 << 10, 64 << 10, 255, 164, 48, 163},
	{Capability{8, 6}, 1536, 16, 64 << 10, 64 << 10, 255, 100, 48, 99},
	{Capability{8, 7}, 1536, 16, 64 << 10, 64 << 10, 255, 164, 48, 163},
	{Capability{8, 9}, 1536, 24, 64 << 10, 64 << 10, 255, 100, 48, 99},
	{Capability{9, 0}, 2048, 32, 64 << 10, 64 << 10, 255, 228, 48, 227},
}

// multiprocessor returns the row of c.
func (c Capability) multiprocessor() (multiprocessor, error) {
	for _, m := range multiprocessors {
		if m.Capability == c {
			return m, nil
		}
	}
	return multiprocessor{}, fmt.Errorf("gocuda: %w: compute capability %v is not known", ErrInvalidValue, c)
}

// The limits of a launch that changed with compute capability. Before 2.0 a grid had two dimensions
// and a block 512 threads; before 3.0 the x dimension of a grid was 16 bits.

func (c Capability) maxThreads() int {
	if c.Major < 2 {
		return 512
	}
	return 1024
}

func (c Capability) maxThreadsDim() grid.Dim3 {
	return grid.Dim3{X: c.maxThreads(), Y: c.maxThreads(), Z: 64}
}

func (c Capability) maxGrid() grid.Dim3 {
	switch {
	case c.Major < 2:
		return grid.Dim3{X: 65535, Y: 65535, Z: 1}
	case c.Major < 3:
		return grid.Dim3{X: 65535, Y: 65535, Z: 65535}
	}
	return grid.Dim3{X: 1<<31 - 1, Y: 65535, Z: 65535}
}

// The units in which a multiprocessor allocates, from the data of the CUDA Occupancy Calculator.

// regsUnit is the number of registers that are allocated together, to a block before 2.0 and to a
// warp since.
func (c Capability) regsUnit() int {
	switch {
	case c.Major < 2 && c.Minor < 2:
		return 256
	case c.Major < 2:
		return 512
	case c.Major < 3:
		return 64
	}
	return 256
}

// warpsUnit is the granularity, in warps, in which registers are allocated. Before 2.0, the number
// of warps of a block is rounded up to a multiple of it. Since 2.0, it is the number of partitions
// of a multiprocessor, each with an equal share of the registers.
func (c Capability) warpsUnit() int {
	if c.Major < 3 || c == (Capability{6, 0}) {
		return 2
	}
	return 4
}

// sharedUnit is the number of bytes of shared memory that are allocated together.
func (c Capability) sharedUnit() int {
	switch {
	case c.Major < 2:
		return 512
	case c.Major >= 3 && c.Major < 8:
		return 256
	}
	return 128
}

// sharedReserved is what the system takes of a block's shared memory for itself, in bytes.
func (c Capability) sharedReserved() int {
	if c.Major >= 8 {
		return 1024
	}
	return 0
}
