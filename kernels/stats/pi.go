package stats

import (
	"context"
	"math"
	"math/bits"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Pi by the Monte Carlo method (Metropolis and Ulam, The Monte Carlo Method, 1949; the usual first
// example of cuRAND): of points that are spread evenly over a square, pi/4 lie in the quarter of a
// circle that touches its sides. It teaches random numbers in kernels: each point is made of its
// own number by [device.Philox4x32], so a point is the same whichever thread has it. And it teaches
// to count: a thread in a variable, a block in shared memory, and only the blocks by an atomic
// operation. Counts are integers, so their order does not matter; the result is the same for any
// number of blocks and of workers.

const piThreads = 256 // of a block

// outside returns 1 if the point lies outside of the circle, else 0. Coordinates are odd numbers
// below 2^31, the middles of 2^30 steps, and the circle has the radius 2^31. The sum of the squares
// is exact, and below 2^63. To shift it is better than to compare: there is nothing to foretell.
func outside(x, y uint32) uint64 {
	a, b := uint64(x>>1|1), uint64(y>>1|1)
	return (a*a + b*b) >> 62
}

// twoPoints makes the four coordinates of a pair of points from its number: [device.Philox4x32],
// with its rounds written out. A loop would exchange the four numbers in registers in each round,
// and multiply by the two zeros.
func twoPoints(pair uint64, k0, k1 uint32) (x0, y0, x1, y1 uint32) {
	const w0, w1 = 0x9E3779B9, 0xBB67AE85 // what the key grows by
	a, b, c, d := philoxRound(uint32(pair), uint32(pair>>32), 0, 0, k0, k1)
	a, b, c, d = philoxRound(a, b, c, d, k0+w0, k1+w1)
	a, b, c, d = philoxRound(a, b, c, d, k0+2*w0&math.MaxUint32, k1+2*w1&math.MaxUint32)
	a, b, c, d = philoxRound(a, b, c, d, k0+3*w0&math.MaxUint32, k1+3*w1&math.MaxUint32)
	a, b, c, d = philoxRound(a, b, c, d, k0+4*w0&math.MaxUint32, k1+4*w1&math.MaxUint32)
	a, b, c, d = philoxRound(a, b, c, d, k0+5*w0&math.MaxUint32, k1+5*w1&math.MaxUint32)
	a, b, c, d = philoxRound(a, b, c, d, k0+6*w0&math.MaxUint32, k1+6*w1&math.MaxUint32)
	a, b, c, d = philoxRound(a, b, c, d, k0+7*w0&math.MaxUint32, k1+7*w1&math.MaxUint32)
	a, b, c, d = philoxRound(a, b, c, d, k0+8*w0&math.MaxUint32, k1+8*w1&math.MaxUint32)
	return philoxRound(a, b, c, d, k0+9*w0&math.MaxUint32, k1+9*w1&math.MaxUint32)
}

// philoxRound is one round of it.
func philoxRound(a, b, c, d, k0, k1 uint32) (_, _, _, _ uint32) {
	p, q := 0xD2511F53*uint64(a), 0xCD9E8D57*uint64(c)
	return uint32(q>>32) ^ b ^ k0, uint32(q), uint32(p>>32) ^ d ^ k1, uint32(p)
}

// piHits adds to hits[0] how many of n points lie inside. A round of Philox makes two points.
//
//gocuda:kernel
func piHits(t *gocuda.Thread, n int, k0, k1 uint32, hits []uint64) {
	s := gocuda.Shared[uint64](t, piThreads)
	tid := t.ThreadIdx.X
	var inside uint64
	for i := t.GlobalX(); i < (n+1)/2; i += t.GridDim.X * piThreads {
		x0, y0, x1, y1 := twoPoints(uint64(i), k0, k1)
		inside += 1 - outside(x0, y0)
		if 2*i+1 < n {
			inside += 1 - outside(x1, y1)
		}
	}
	s[tid] = inside
	t.SyncThreads()
	for d := piThreads / 2; d > 0; d /= 2 {
		if tid < d {
			s[tid] += s[tid+d]
		}
		t.SyncThreads()
	}
	if tid == 0 {
		atomic.Add(&hits[0], s[0])
	}
}

// Pi estimates pi with n points, at least 1 and below 2^48. Each lies inside with the chance pi/4,
// so the standard deviation of the estimate is sqrt(pi (4 - pi) / n), about 1.64/sqrt(n): 100 times
// as many points for one more digit. The same seed and n give the same result on all devices.
//
// Pi reads a result back, so it can't be queued.
func Pi(ctx context.Context, on kernels.Launcher, seed uint64, n int) (float64, error) {
	if err := kernels.Waits("pi", on); err != nil {
		return 0, err
	}
	if n <= 0 || bits.Len(uint(n)) > 48 {
		return 0, check.Invalid("pi", "%d points", n)
	}
	hits := make([]uint64, 1)
	cfg := atMost(grid.Linear((n+1)/2, piThreads))
	if err := on.Launch(ctx, cfg, piHitsKernel(n, uint32(seed), uint32(seed>>32), hits)); err != nil {
		return 0, err
	}
	return 4 * float64(hits[0]) / float64(n), nil
}
