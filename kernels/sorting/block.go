package sorting

import (
	"context"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Radix sort of one block (Nickolls and Kirk, Graphics and Computing GPUs, appendix B of Patterson
// and Hennessy, 2008, figures B.8.10 and B.8.11). Each thread has one number in shared memory. For
// one bit after the other, beginning with the least significant, the block puts the numbers without
// the bit before those with it, and leaves both kinds in order among themselves. It teaches how a
// scan tells each thread where its number goes: a number with the bit goes behind all numbers
// without it and those with it that stood before.
//
// The text lays its procedures on each other: a sort is 32 partitions, and a partition is a scan.
// So do the funcs here; they take the Thread and have barriers inside.

// MaxBlock is the most numbers that [SortBlock] sorts, the threads of a block of the first generation.
const MaxBlock = 512

// plusScan replaces x, which has an element for each thread of the block, by its inclusive scan:
// figure B.8.7, the method of Hillis and Steele (1986). After the round with offset d, x[i] is the
// sum of the 2d elements up to i, or of all if there are fewer.
func plusScan(t *gocuda.Thread, x []uint32) {
	i := t.ThreadIdx.X
	for d := 1; d < t.BlockDim.X; d *= 2 {
		var before uint32
		if i >= d {
			before = x[i-d]
		}
		t.SyncThreads() // all have read what is about to change
		x[i] += before
		t.SyncThreads()
	}
}

// partitionByBit puts the numbers of x whose bit is 0 before those whose bit is 1: figure B.8.11.
func partitionByBit(t *gocuda.Thread, x []uint32, bit int) {
	i, n := t.ThreadIdx.X, t.BlockDim.X
	own := x[i]
	is1 := own >> (bit % 32) & 1
	x[i] = is1
	t.SyncThreads()
	plusScan(t, x)
	ones, all1 := int(x[i]), int(x[n-1]) // those up to the own one, and of the block
	t.SyncThreads()
	if is1 == 1 {
		x[n-all1+ones-1] = own // behind all zeros, and the ones before
	} else {
		x[i-ones] = own // behind the zeros before
	}
}

// radixSortBlock sorts as many numbers as the block has threads: figure B.8.10.
//
//gocuda:kernel
func radixSortBlock(t *gocuda.Thread, values []uint32) {
	x := gocuda.Shared[uint32](t, MaxBlock)
	i := t.ThreadIdx.X
	x[i] = values[i]
	t.SyncThreads()
	for bit := range 32 {
		partitionByBit(t, x, bit)
		t.SyncThreads()
	}
	values[i] = x[i]
}

// SortBlock sorts up to [MaxBlock] values, the smallest first, with one block that has a thread for
// each. It is there to be read, and for kernels that sort what they have in shared memory; [Radix]
// is the faster way for numbers in a slice.
func SortBlock(ctx context.Context, on kernels.Launcher, values []uint32) error {
	n := len(values)
	if n > MaxBlock {
		return check.Invalid("sort of a block", "%d values, at most %d", n, MaxBlock)
	}
	return on.Launch(ctx, grid.Linear(n, max(n, 1)), radixSortBlockKernel(values))
}
