package sad

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
)

// The best offset of each block: a reduction. A sum has 16 bits, and so has the rank of an offset,
// so that the minimum of both as one number of 32 bits is the least sum, and of several the one of
// the lowest rank.

const bestThreads = 64

// least finds the best offset of a block of pixels, a block of threads each.
//
//gocuda:kernel
func least(t *gocuda.Thread, ranks, sads []uint16, keys []uint32) {
	s := gocuda.Shared[uint32](t, bestThreads)
	tid, from := t.ThreadIdx.X, t.BlockIdx.X*Offsets
	key := uint32(0xffffffff)
	for p := tid; p < Offsets; p += bestThreads {
		key = min(key, uint32(sads[from+p])<<16|uint32(ranks[p]))
	}
	s[tid] = key
	t.SyncThreads()
	for d := bestThreads / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] = min(s[tid], s[tid+d])
		}
		t.SyncThreads()
	}
	if tid == 0 {
		keys[t.BlockIdx.X] = s[0]
	}
}

// best sets the key of each block of pixels: its least sum, and below it the rank of the offset.
func best(ctx context.Context, on kernels.Launcher, ranks, sads []uint16, keys []uint32) error {
	for len(keys) > 0 {
		n := min(len(keys), maxGrid)
		cfg := grid.Config{Grid: grid.Dim3{X: n}, Block: grid.Dim3{X: bestThreads}}
		if err := on.Launch(ctx, cfg, leastKernel(ranks, sads[:n*Offsets], keys[:n])); err != nil {
			return err
		}
		sads, keys = sads[n*Offsets:], keys[n:]
	}
	return nil
}
