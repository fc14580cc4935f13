package scan

import "github.com/gocuda/gocuda/gocuda"

// The scan of a block and the scan of a warp: functions for kernels, which the methods here are
// made of, and which other kernels can call. The operation is a func, which becomes part of the
// kernel if its body is known there.

// Block scans v over the threads of a block, which has one dimension and a power of two of threads.
// It returns what v combines to over the threads before the own, over these and the own, and over
// all. x is scratch in shared memory, of Padded(t.BlockDim.X) elements; a barrier must follow
// before it is used again.
//
// It is the scan of Hillis and Steele (Data Parallel Algorithms, 1986): after the round with
// distance d, each element is combined from the 2d elements up to it. It takes two things from The
// CUDA Handbook that make rounds short. Zero padding (section 13.5.1): half a block of identities
// lies in front, so that threads with nothing below them need no condition. And two rows of
// elements take turns: one is read while the other is written, so one barrier a round is enough.
func Block[T any](t *gocuda.Thread, combine func(a, b T) T, identity T, x []T, v T) (exclusive, inclusive, total T) {
	i, n := t.ThreadIdx.X, t.BlockDim.X
	pad := n/2 + n%2
	if i < pad {
		x[i] = identity
		x[pad+n+i] = identity
	}
	from, to := pad, pad+n+pad
	x[from+i] = v
	t.SyncThreads()
	for d := 1; d < n; d *= 2 {
		x[to+i] = combine(x[from+i-d], x[from+i])
		from, to = to, from
		t.SyncThreads()
	}
	return x[from+i-1], x[from+i], x[from+n-1]
}

// Padded returns how many elements of shared memory [Block] needs in a block of n threads.
func Padded(n int) int { return 2 * (n + n/2 + n%2) }

// Warp returns the inclusive scan of v over the lanes of a whole warp: in the round with distance d
// each lane gets what the lane d below it has (The CUDA Handbook, section 13.5.3). It takes no
// memory and no barrier, since lanes of a warp go together.
func Warp[T any](t *gocuda.Thread, combine func(a, b T) T, v T) T {
	lane := t.LaneID()
	for d := 1; d < 32; d *= 2 {
		below := gocuda.ShflUpSync(t, gocuda.FullMask, v, d, 32)
		if lane >= d {
			v = combine(below, v)
		}
	}
	return v
}
