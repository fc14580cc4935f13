// Package nbody computes how bodies attract each other, all pairs of them, in the ways that the
// texts compare: from global memory, through tiles in shared memory, with several threads a body,
// through constant memory, and with warp shuffles; on one device or on several. [Leapfrog] and
// [EulerStep] move them.
//
// The acceleration of body i is the sum over all j of m_j d / (d·d + eps²)^(3/2), where d is the
// vector from i to j, and the gravitational constant is 1. A body does not pull itself, nor do,
// with eps = 0, two bodies at the same place.
//
// The kernels are marked fastmath. In each component the result is within (n+35) u of the sum of
// the absolute contributions of n bodies, where u is 2^-24 for float32 and 2^-53 for float64,
// unless squares of distances leave the range of the type: a distance of more than 1e19 in float32
// gives no number.
package nbody

//go:generate go run ../../cmd/gocuda-gen .
