// Package helper is functions of another package that kernels of the corpus call.
package helper

import "github.com/gocuda/gocuda/gocuda"

// Scale is a variable that Scaled reads.
var Scale int32 = 3

// offset is not visible outside.
var offset int32 = 11

const shift = 2

// Scaled reads variables of its package, one of them not exported.
func Scaled(v int32) int32 { return v*Scale + inner(v) }

func inner(v int32) int32 { return v>>shift + offset }

// Rotate hands v to the thread before, through s, with barriers around.
func Rotate(t *gocuda.Thread, s []int32, v int32) int32 {
	put(t, s, v)
	r := s[(t.ThreadIdx.X+1)%t.BlockDim.X]
	t.SyncThreads()
	return r
}

func put(t *gocuda.Thread, s []int32, v int32) {
	s[t.ThreadIdx.X] = v
	t.SyncThreads()
}

// Clamp limits v to lo and hi.
func Clamp[T int32 | float32](v, lo, hi T) T {
	if v < lo {
		return lo
	}
	return min(v, hi)
}

// A Range has fields that are not exported.
type Range struct {
	lo, hi int32
	Hits   int32
}

// NewRange returns a Range.
func NewRange(lo, hi int32) Range { return Range{lo: lo, hi: hi} }

// Has reports whether v is in r.
func (r Range) Has(v int32) bool { return r.lo <= v && v < r.hi }

// Count counts v if it is in r.
func (r *Range) Count(v int32) {
	if r.Has(v) {
		r.Hits++
	}
}

// Total adds up v over the block through s, which has an element for each thread, and returns the
// sum to all threads.
func (r Range) Total(t *gocuda.Thread, s []int32, v int32) int32 {
	if !r.Has(v) {
		v = 0
	}
	put(t, s, v)
	sum := int32(0)
	for k := range t.BlockDim.X {
		sum += s[k]
	}
	t.SyncThreads()
	return sum
}
