package grid

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"
)

// Config is the geometry of a launch, what stands between <<< and >>> in CUDA C without the stream,
// and its attributes, those of cudaLaunchConfig_t. The zero value of an attribute is the default.
type Config struct {
	Grid  Dim3 // blocks in the grid
	Block Dim3 // threads in a block

	// SharedBytes is the size of the dynamic shared memory of each block, in bytes: the third
	// launch parameter of CUDA C.
	SharedBytes int

	// SharedOptIn raises the limit on a block's shared memory from Limits.SharedPerBlock to
	// Limits.SharedPerBlockOptIn. CUDA programs ask for it with
	// cudaFuncAttributeMaxDynamicSharedMemorySize.
	SharedOptIn bool

	// Timeout ends the launch after that time, counted from when its first block can begin: CUDA's
	// watchdog and cudaErrorLaunchTimeout. 0 is no timeout. gocuda.ErrLaunchTimeout says what
	// happens at the end of the time.
	Timeout time.Duration

	// Workers is the largest number of blocks of the launch that run at the same time. 0 means the
	// number of the device's workers, and so does any larger number. A cooperative launch needs a
	// worker for each block; it is refused if Workers is not 0 and smaller than that.
	Workers int

	// Priority is CUDA's cudaLaunchAttributePriority: lower numbers are more urgent. 0 means the
	// priority of the stream, or of the launch whose kernel makes this one. Numbers outside the
	// range of gocuda's StreamPriorityRange are clamped to it.
	Priority int
}

// Linear returns the configuration of one thread for each of n elements, in one dimension, with
// blocks of the given number of threads; the last block may reach beyond n. No elements make an
// empty grid.
func Linear(n, block int) Config {
	return Config{Grid: Dim3{X: cover(n, block)}, Block: Dim3{X: block}}
}

// Rect returns the configuration of one thread for each element of a width by height array, with
// blocks of blockX by blockY threads. It covers the array; blocks at the right and lower edge may
// reach beyond. An array with no elements makes an empty grid. A block dimension of 0 is an error of
// Validate.
func Rect(width, height, blockX, blockY int) Config {
	return Box(width, height, 1, blockX, blockY, 1)
}

// Box is [Rect] in three dimensions.
func Box(width, height, depth, blockX, blockY, blockZ int) Config {
	c := Config{
		Grid:  Dim3{cover(width, blockX), cover(height, blockY), cover(depth, blockZ)},
		Block: Dim3{blockX, blockY, blockZ},
	}
	if width == 0 || height == 0 || depth == 0 {
		c.Grid = Dim3{}
	}
	if blockY == 0 || blockZ == 0 {
		c.Block = Dim3{} // a zero Y or Z would be read as 1, but here it is a mistake
	}
	return c
}

// cover returns how many blocks of the given size cover n elements. Sizes that make no sense pass
// through as a negative number, for Validate to report.
func cover(n, block int) int {
	if n < 0 {
		return -1
	}
	if block <= 0 { // Validate blames the block
		return n
	}
	q := n / block
	if n%block != 0 {
		q++
	}
	return q
}

// Blocks returns the number of blocks of the grid. It is only meaningful when c is valid.
func (c Config) Blocks() int { return c.Grid.Size() }

// Threads returns the number of threads of a block. It is only meaningful when c is valid.
func (c Config) Threads() int { return c.Block.Size() }

// Limits are the bounds that a device sets to a launch. The names follow cudaDeviceProp.
type Limits struct {
	MaxThreadsPerBlock  int
	MaxThreadsDim       Dim3 // of a block, in each dimension
	MaxGridSize         Dim3 // in blocks, in each dimension
	SharedPerBlock      int  // bytes of shared memory a block
	SharedPerBlockOptIn int  // the same for a launch with Config.SharedOptIn
}

// ErrInvalidConfiguration is the error that every violation of a launch limit matches with
// errors.Is, CUDA's cudaErrorInvalidConfiguration. The errors below say which limit it was.
var ErrInvalidConfiguration = errors.New("invalid configuration")

// The launch limits, one error each. All of them match [ErrInvalidConfiguration].
var (
	ErrMaxThreadsPerBlock = limitError("too many threads in a block")
	ErrMaxThreadsDim      = limitError("block dimension out of range")
	ErrMaxGridSize        = limitError("grid dimension out of range")
	ErrSharedMemPerBlock  = limitError("too much shared memory for a block")
)

type limit struct{ what string }

func limitError(what string) error { return &limit{what} }

func (e *limit) Error() string        { return e.what }
func (e *limit) Is(target error) bool { return target == ErrInvalidConfiguration }

// Validate returns nil if a device with the limits l can launch c, and an error that matches
// [ErrInvalidConfiguration] and one of the errors of a single limit if it can't.
func (c Config) Validate(l Limits) error {
	if !c.Grid.upTo(l.MaxGridSize) || !c.Block.upTo(l.MaxThreadsDim) || c.Block.X == 0 {
		return c.outside(l)
	}
	n := c.Block.Norm()
	if threads, ok := n.volume(); !ok || threads > l.MaxThreadsPerBlock {
		return fmt.Errorf("%w: %d x %d x %d threads, at most %d", ErrMaxThreadsPerBlock, n.X, n.Y, n.Z, l.MaxThreadsPerBlock)
	}
	g := c.Grid.Norm()
	if _, ok := g.volume(); !ok {
		return fmt.Errorf("%w: the number of blocks, %d x %d x %d, is no int", ErrMaxGridSize, g.X, g.Y, g.Z)
	}
	if c.Timeout < 0 {
		return fmt.Errorf("%w: a timeout of %v", ErrInvalidConfiguration, c.Timeout)
	}
	if c.Workers < 0 {
		return fmt.Errorf("%w: %d workers", ErrInvalidConfiguration, c.Workers)
	}
	shared, flag := l.SharedPerBlock, ""
	if c.SharedOptIn {
		shared = l.SharedPerBlockOptIn
	} else if c.SharedBytes > 0 && c.SharedBytes <= l.SharedPerBlockOptIn {
		flag = "; SharedOptIn raises the limit"
	}
	if c.SharedBytes < 0 || c.SharedBytes > shared {
		return fmt.Errorf("%w: %d bytes, which is not in 0 to %d%s", ErrSharedMemPerBlock, c.SharedBytes, shared, flag)
	}
	return nil
}

// upTo reports whether d is between 0 and limit.
func (d Dim3) upTo(limit Dim3) bool {
	return 0 <= d.X && d.X <= limit.X && 0 <= d.Y && d.Y <= limit.Y && 0 <= d.Z && d.Z <= limit.Z
}

// volume returns X*Y*Z, and whether that is an int. No factor is negative.
func (d Dim3) volume() (n int, ok bool) {
	high, area := bits.Mul64(uint64(d.X), uint64(d.Y))
	high2, all := bits.Mul64(area, uint64(d.Z))
	return int(all), high == 0 && high2 == 0 && all <= math.MaxInt
}

// outside says which size of c is not within l. There is one.
func (c Config) outside(l Limits) error {
	for _, d := range []struct {
		kind error
		of   string
		axis string
		min  int
		v    int
		max  int
	}{
		{ErrMaxGridSize, "grid", "x", 0, c.Grid.X, l.MaxGridSize.X},
		{ErrMaxGridSize, "grid", "y", 0, c.Grid.Y, l.MaxGridSize.Y},
		{ErrMaxGridSize, "grid", "z", 0, c.Grid.Z, l.MaxGridSize.Z},
		{ErrMaxThreadsDim, "block", "x", 1, c.Block.X, l.MaxThreadsDim.X},
		{ErrMaxThreadsDim, "block", "y", 0, c.Block.Y, l.MaxThreadsDim.Y},
		{ErrMaxThreadsDim, "block", "z", 0, c.Block.Z, l.MaxThreadsDim.Z},
	} {
		if d.v < d.min || d.v > d.max {
			return fmt.Errorf("%w: %s %s = %d is not in %d to %d", d.kind, d.of, d.axis, d.v, d.min, d.max)
		}
	}
	return nil
}
