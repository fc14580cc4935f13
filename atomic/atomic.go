// Package atomic is CUDA's read-modify-write operations on Go memory.
//
// They return the old value, as CUDA's atomicAdd and its sisters do; sync/atomic's Add returns the
// new one. The cell is any Go variable of the right type: an element of a slice that the kernel
// captured, of a mem.Buffer's data, or of an array in shared memory.
//
// All operations on one cell are atomic with respect to each other, whichever they are and whoever
// calls them: threads of a block, other blocks, streams, and host code. They are built on the
// processor's own instructions and take no lock, so they are also atomic with respect to sync/atomic
// on the same cell. A plain read or write of a cell that others change at the same time is a data
// race, as in CUDA and in Go.
//
// Each operation is sequentially consistent, which is stronger than CUDA's relaxed order: what a
// thread wrote before it is visible to a thread that sees its effect.
//
// A thread of a kernel that waits in a loop for another one to change a cell, as in
//
//	for atomic.Add(flag, 0) == 0 {
//	}
//
// lets the others run: operations that change nothing, many in a row, are taken for such a loop.
//
// A compiled kernel that only adds to the elements of a short slice, and does nothing else with it,
// has added all of its numbers when its launch is over. Who looks before may see none of them: each
// worker keeps sums of its own until it has run its blocks. That is not so in a kernel that uses the
// result of an atomic operation, which may wait for what others do.
//
// On 32-bit platforms a 64-bit cell must be 8-byte aligned, as for sync/atomic. The first element of
// an allocated slice is.
package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/gocuda/gocuda/internal/spin"
)

// Integer is the element types of the integer operations. CUDA has 32 and 64 bits; Go's int and
// uint are one or the other.
type Integer interface {
	~int32 | ~uint32 | ~int64 | ~uint64 | ~int | ~uint
}

// Number is Integer and the floating-point types.
type Number interface {
	Integer | ~float32 | ~float64
}

// is32 is a constant of the instantiation: each size has its own copy of the generic code.
func is32[T Number]() bool { var z T; return unsafe.Sizeof(z) == 4 }

// isFloat tells floating point from integers: 1/2 is 0 only in integers.
func isFloat[T Number]() bool { one := T(1); return one/2 != 0 }

func p32[T Number](p *T) *uint32 { return (*uint32)(unsafe.Pointer(p)) }
func p64[T Number](p *T) *uint64 { return (*uint64)(unsafe.Pointer(p)) }

// bits returns the representation of v, in the low bits for 4-byte types.
func bits[T Number](v T) uint64 {
	if is32[T]() {
		return uint64(*p32(&v))
	}
	return *p64(&v)
}

// value is the inverse of bits.
func value[T Number](b uint64) (v T) {
	if is32[T]() {
		*p32(&v) = uint32(b)
	} else {
		*p64(&v) = b
	}
	return v
}

func load[T Number](p *T) T {
	if is32[T]() {
		return value[T](uint64(atomic.LoadUint32(p32(p))))
	}
	return value[T](atomic.LoadUint64(p64(p)))
}

// swapIf compares representations, not values: a NaN equals itself and 0 differs from -0. With
// values, an update loop would never end on a NaN.
func swapIf[T Number](p *T, old, new T) bool {
	if is32[T]() {
		return atomic.CompareAndSwapUint32(p32(p), uint32(bits(old)), uint32(bits(new)))
	}
	return atomic.CompareAndSwapUint64(p64(p), bits(old), bits(new))
}

// Add adds v to *p and returns the old value, CUDA's atomicAdd. Integers wrap around.
//
// Floating-point addition is not associative: when several threads add to one cell, the order in
// which they happen to come decides the rounding, and the sum can differ in its last bits from run
// to run. Each single addition is correctly rounded; the sum of n terms has an error of at most
// (n-1)*2^-24 (float32) or (n-1)*2^-53 (float64) times the sum of their absolute values, to first
// order. For a result that doesn't depend on the order add integers or reduce in a fixed order.
func Add[T Number](p *T, v T) T {
	if v == 0 {
		spin.Unchanged(unsafe.Pointer(p), bits(v))
	}
	if isFloat[T]() {
		for {
			old := load(p)
			if swapIf(p, old, old+v) {
				return old
			}
		}
	}
	if is32[T]() {
		return value[T](uint64(atomic.AddUint32(p32(p), uint32(bits(v))))) - v
	}
	return value[T](atomic.AddUint64(p64(p), bits(v))) - v
}

// Sub subtracts v from *p and returns the old value, CUDA's atomicSub. Integers wrap around. CUDA
// has no floating-point form; use Add with -v.
func Sub[T Integer](p *T, v T) T { return Add(p, -v) }

// Exch stores v in *p and returns the old value, CUDA's atomicExch.
func Exch[T Number](p *T, v T) T {
	var old T
	if is32[T]() {
		old = value[T](uint64(atomic.SwapUint32(p32(p), uint32(bits(v)))))
	} else {
		old = value[T](atomic.SwapUint64(p64(p), bits(v)))
	}
	if old == v {
		spin.Unchanged(unsafe.Pointer(p), bits(v))
	}
	return old
}

// Min stores the smaller of *p and v in *p and returns the old value, CUDA's atomicMin.
func Min[T Integer](p *T, v T) T {
	for {
		old := load(p)
		if old <= v {
			spin.Unchanged(unsafe.Pointer(p), bits(v))
			return old
		}
		if swapIf(p, old, v) {
			return old
		}
	}
}

// Max stores the larger of *p and v in *p and returns the old value, CUDA's atomicMax.
func Max[T Integer](p *T, v T) T {
	for {
		old := load(p)
		if old >= v {
			spin.Unchanged(unsafe.Pointer(p), bits(v))
			return old
		}
		if swapIf(p, old, v) {
			return old
		}
	}
}

// Inc stores *p+1 in *p, or 0 if *p >= bound, and returns the old value: CUDA's atomicInc, a counter
// that runs from 0 to bound and begins again. CUDA has it for unsigned int; signed types compare as
// signed numbers here.
func Inc[T Integer](p *T, bound T) T {
	for {
		old := load(p)
		next := old + 1
		if old >= bound {
			next = 0
		}
		if swapIf(p, old, next) {
			if old == next {
				spin.Unchanged(unsafe.Pointer(p), bits(bound))
			}
			return old
		}
	}
}

// Dec stores *p-1 in *p, or bound if *p is 0 or above bound, and returns the old value: CUDA's
// atomicDec, a counter that runs from bound down to 0 and begins again. CUDA has it for unsigned
// int; for signed types a negative value counts as 0.
func Dec[T Integer](p *T, bound T) T {
	for {
		old := load(p)
		next := old - 1
		if old <= 0 || old > bound {
			next = bound
		}
		if swapIf(p, old, next) {
			if old == next {
				spin.Unchanged(unsafe.Pointer(p), bits(bound))
			}
			return old
		}
	}
}

// And stores *p & v in *p and returns the old value, CUDA's atomicAnd.
func And[T Integer](p *T, v T) T {
	var old T
	if is32[T]() {
		old = value[T](uint64(atomic.AndUint32(p32(p), uint32(bits(v)))))
	} else {
		old = value[T](atomic.AndUint64(p64(p), bits(v)))
	}
	if old&v == old {
		spin.Unchanged(unsafe.Pointer(p), bits(v))
	}
	return old
}

// Or stores *p | v in *p and returns the old value, CUDA's atomicOr.
func Or[T Integer](p *T, v T) T {
	var old T
	if is32[T]() {
		old = value[T](uint64(atomic.OrUint32(p32(p), uint32(bits(v)))))
	} else {
		old = value[T](atomic.OrUint64(p64(p), bits(v)))
	}
	if old|v == old {
		spin.Unchanged(unsafe.Pointer(p), bits(v))
	}
	return old
}

// Xor stores *p ^ v in *p and returns the old value, CUDA's atomicXor.
func Xor[T Integer](p *T, v T) T {
	if v == 0 {
		spin.Unchanged(unsafe.Pointer(p), bits(v))
	}
	for {
		old := load(p)
		if swapIf(p, old, old^v) {
			return old
		}
	}
}

// CAS stores v in *p if *p equals compare, and returns the old value either way: CUDA's atomicCAS. It
// stored if the result equals compare. Where CUDA programs reinterpret a float as an int to use
// atomicCAS on it, use the unsigned type of its size and math.Float32bits.
func CAS[T Integer](p *T, compare, v T) T {
	for {
		old := load(p)
		if old != compare {
			spin.Unchanged(unsafe.Pointer(p), bits(compare))
			return old
		}
		if swapIf(p, old, v) {
			if old == v {
				spin.Unchanged(unsafe.Pointer(p), bits(compare))
			}
			return old
		}
	}
}
