package bandwidth

import (
	"context"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// A Word is what a thread reads or writes at once.
type Word interface {
	uint8 | uint16 | uint32 | uint64
}

const (
	blockThreads = 256
	mostBlocks   = 1024 // threads go on by the size of the grid
	mostThreads  = blockThreads * mostBlocks
)

// read is the program of one thread: it adds up the words that are its own. Word k of the accesses
// is element k*stride+offset.
//
//gocuda:kernel
func read[T Word](t *gocuda.Thread, count, stride, offset int, sums, in []T) {
	i := t.GlobalX()
	if i >= count {
		return
	}
	var s T
	for k := i; k < count; k += t.GridDim.X * t.BlockDim.X {
		s += in[k*stride+offset]
	}
	sums[i] = s
}

// write is the program of one thread: it writes value plus the number of the access.
//
//gocuda:kernel
func write[T Word](t *gocuda.Thread, count, stride, offset int, value T, out []T) {
	for k := t.GlobalX(); k < count; k += t.GridDim.X * t.BlockDim.X {
		out[k*stride+offset] = value + T(k)
	}
}

// readWide is read for words of 16 bytes, whose parts are added up apart.
//
//gocuda:kernel
func readWide(t *gocuda.Thread, count, stride, offset int, sums, in []device.Uint4) {
	i := t.GlobalX()
	if i >= count {
		return
	}
	var x, y, z, w uint32
	for k := i; k < count; k += t.GridDim.X * t.BlockDim.X {
		v := in[k*stride+offset]
		x += v.X
		y += v.Y
		z += v.Z
		w += v.W
	}
	sums[i] = device.Uint4{X: x, Y: y, Z: z, W: w}
}

// writeWide is write for words of 16 bytes.
//
//gocuda:kernel
func writeWide(t *gocuda.Thread, count, stride, offset int, value device.Uint4, out []device.Uint4) {
	for k := t.GlobalX(); k < count; k += t.GridDim.X * t.BlockDim.X {
		out[k*stride+offset] = device.Uint4{X: value.X + uint32(k), Y: value.Y, Z: value.Z, W: value.W}
	}
}

// Count returns how many accesses there are to n elements: those at offset, offset+stride and so on.
func Count(n, stride, offset int) int {
	if stride < 1 || offset < 0 || offset >= n {
		return 0
	}
	return (n-offset-1)/stride + 1
}

// Sums returns how many sums the reads of n elements have: one for each thread that has anything to do.
func Sums(n, stride, offset int) int { return min(Count(n, stride, offset), mostThreads) }

// Read adds up every stride-th element of in, from offset on. The sum of thread i, modulo the size
// of a word, is sums[i]; there are [Sums] of them.
func Read[T Word](ctx context.Context, on kernels.Launcher, stride, offset int, sums, in []T) error {
	count, cfg, err := reads(stride, offset, len(sums), len(in))
	if err != nil || count == 0 {
		return err
	}
	return on.Launch(ctx, cfg, readKernel(count, stride, offset, sums, in))
}

// ReadWide is [Read] for words of 16 bytes, the four parts of which have sums of their own.
func ReadWide(ctx context.Context, on kernels.Launcher, stride, offset int, sums, in []device.Uint4) error {
	count, cfg, err := reads(stride, offset, len(sums), len(in))
	if err != nil || count == 0 {
		return err
	}
	return on.Launch(ctx, cfg, readWideKernel(count, stride, offset, sums, in))
}

// Write sets every stride-th element of out, from offset on, to value plus the number of the
// access, modulo the size of a word.
func Write[T Word](ctx context.Context, on kernels.Launcher, stride, offset int, value T, out []T) error {
	count, cfg, err := writes(stride, offset, len(out))
	if err != nil || count == 0 {
		return err
	}
	return on.Launch(ctx, cfg, writeKernel(count, stride, offset, value, out))
}

// WriteWide is [Write] for words of 16 bytes. The number of the access is added to X.
func WriteWide(ctx context.Context, on kernels.Launcher, stride, offset int, value device.Uint4, out []device.Uint4) error {
	count, cfg, err := writes(stride, offset, len(out))
	if err != nil || count == 0 {
		return err
	}
	return on.Launch(ctx, cfg, writeWideKernel(count, stride, offset, value, out))
}

func reads(stride, offset, sums, n int) (count int, cfg grid.Config, err error) {
	if count, cfg, err = writes(stride, offset, n); err != nil {
		return 0, cfg, err
	}
	return count, cfg, check.Lengths("bandwidth, sums", min(count, mostThreads), sums)
}

func writes(stride, offset, n int) (count int, cfg grid.Config, err error) {
	if stride < 1 || offset < 0 || offset > 0 && offset >= n {
		return 0, cfg, check.Invalid("bandwidth", "a stride of %d from element %d of %d", stride, offset, n)
	}
	count = Count(n, stride, offset)
	cfg = grid.Linear(count, blockThreads)
	cfg.Grid.X = min(cfg.Grid.X, mostBlocks)
	return count, cfg, nil
}
