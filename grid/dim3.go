package grid

import "fmt"

// WarpSize is the number of threads in a warp, on every CUDA device so far.
const WarpSize = 32

// Dim3 is a size or an index in up to three dimensions, CUDA's dim3 and uint3.
//
// As a size, a zero Y or Z means 1, so that Dim3{X: 256} is 256 threads in a row. X has no
// default: a grid with X = 0 has no blocks, a block with X = 0 is an error.
type Dim3 struct{ X, Y, Z int }

// Norm returns d with a Y or Z of zero replaced by 1.
func (d Dim3) Norm() Dim3 {
	if d.Y == 0 {
		d.Y = 1
	}
	if d.Z == 0 {
		d.Z = 1
	}
	return d
}

// Size returns the number of elements of the size d, X*Y*Z after Norm. It is only meaningful for
// a size that [Config.Validate] accepts; others may overflow.
func (d Dim3) Size() int {
	d = d.Norm()
	return d.X * d.Y * d.Z
}

// Linear returns the place of index i in an array of size d with x running fastest, CUDA's order:
// i.X + d.X*(i.Y + d.Y*i.Z).
func (d Dim3) Linear(i Dim3) int {
	d = d.Norm()
	return i.X + d.X*(i.Y+d.Y*i.Z)
}

// At returns the index of the k-th element of an array of size d, the inverse of [Dim3.Linear].
func (d Dim3) At(k int) Dim3 {
	if k < d.X { // no division in the common case of one dimension
		return Dim3{X: k}
	}
	d = d.Norm()
	row := k / d.X
	return Dim3{X: k % d.X, Y: row % d.Y, Z: row / d.Y}
}

// String formats d as CUDA's tools do: (x,y,z).
func (d Dim3) String() string { return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z) }

// Lane returns the lane, 0 to 31, of the thread with the given linear rank in its block.
func Lane(rank int) int { return rank % WarpSize }

// Warp returns the number of the warp, within its block, of the thread with the given rank.
func Warp(rank int) int { return rank / WarpSize }

// Warps returns the number of warps that a block of the given number of threads has. The last one
// may be partial.
func Warps(threads int) int { return (threads + WarpSize - 1) / WarpSize }

// FullMask names all 32 lanes of a warp.
const FullMask uint32 = 0xffffffff

// WarpMask returns the mask of the lanes that exist in the given warp of a block with that many
// threads: [FullMask] for all but a partial last warp.
func WarpMask(warp, threads int) uint32 {
	switch n := threads - warp*WarpSize; {
	case n >= WarpSize:
		return FullMask
	case n <= 0:
		return 0
	default:
		return 1<<n - 1
	}
}
