package scan

import (
	"context"

	"github.com/gocuda/gocuda/kernels"
)

// Reduce-then-scan in two passes (The CUDA Handbook, section 13.4.3). The kernels are those of the
// recursive form; what changes is the geometry. There are as many blocks as keep the device busy
// and no more, whatever the length is, and each has a long part. So there are few totals, one block
// can scan them, and the levels are gone: three launches, and no memory that grows with the array.

// twoPassBlocks is the number of parts: several for each worker of large machines.
const twoPassBlocks = 512

func twoPass[T any](ctx context.Context, on kernels.Launcher, f family[T], identity T, inclusive bool, out, in []T) error {
	n, threads := len(in), blockOf[T]()
	part := threads * cover(n, threads*twoPassBlocks) // whole tiles
	blocks := cover(n, part)
	before := []T{identity}
	if blocks > 1 {
		start := before
		before = make([]T, blocks)
		if err := on.Launch(ctx, line(blocks, threads), f.reduceParts(part, n, in, before)); err != nil {
			return err
		}
		if err := on.Launch(ctx, line(1, threads), f.scanParts(false, blocks, blocks, before, before, start)); err != nil {
			return err
		}
	}
	return on.Launch(ctx, line(blocks, threads), f.scanParts(inclusive, part, n, out, in, before))
}
