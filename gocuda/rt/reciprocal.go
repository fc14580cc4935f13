package rt

import (
	"math/bits"
	"unsafe"
)

// A Reciprocal stands for 1/d in quotients of integers, by which many numbers are divided that have
// the divisor d in common. With N the bits of d and n without a sign, n/d is
//
//	h := n * Factor >> N
//	(h + (n-h)>>First) >> Then
//
// (Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI 1994, figure
// 4.1). A d with a sign has the reciprocal of its absolute value, and Sign is -1 if it is negative,
// else 0.
type Reciprocal struct {
	Factor, First, Then uint64
	Sign                int64
}

// ReciprocalOf returns the reciprocal of d, or the zero Reciprocal if d is 0.
func ReciprocalOf[T int32 | uint32 | int64 | uint64](d T) Reciprocal {
	if d == 0 {
		return Reciprocal{}
	}
	r := Reciprocal{}
	size := 8 * int(unsafe.Sizeof(d))
	by := uint64(d)
	if d < 0 {
		by, r.Sign = -by, -1
	}
	if size == 32 {
		by = uint64(uint32(by))
	}
	log := bits.Len64(by - 1) // rounded up
	if log > 0 {
		r.First, r.Then = 1, uint64(log-1)
	}
	if size == 32 {
		r.Factor = (1<<log-by)<<32/by + 1
	} else {
		r.Factor, _ = bits.Div64(1<<log-by, 0, by) // 1<<64 is 0
		r.Factor++
	}
	return r
}
