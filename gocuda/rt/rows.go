package rt

import (
	"cmp"
	"errors"
	"math"
	"math/bits"
	"unsafe"
)

// errWrap is the panic of Below and NotAbove if the largest of their numbers overflows: the threads
// for which a condition holds are no interval then.
var errWrap = errors.New("the index in a condition of the kernel wraps around")

// At returns the address of s[i] without a bounds check. It is used after a check for all threads
// of a row.
//
// Where an int has 32 bits it does check: the check of the row assumes 64.
func At[T any](s []T, i int) *T {
	if bits.UintSize == 32 {
		return &s[i]
	}
	return (*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), uintptr(i)*unsafe.Sizeof(s[0])))
}

// AtNext returns the address of s[i+k] in the same way. A constant k becomes a part of the instruction.
func AtNext[T any](s []T, i, k int) *T {
	if bits.UintSize == 32 {
		return &s[i+k]
	}
	return (*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), i*int(unsafe.Sizeof(s[0]))+k*int(unsafe.Sizeof(s[0]))))
}

// RowY returns threadIdx.y of a row of threads. Most blocks have one plane, and a division takes as
// long as a short row does.
func RowY(row, dimY int) int {
	if row < dimY {
		return row
	}
	return row % dimY
}

// RowZ returns threadIdx.z of a row of threads.
func RowZ(row, dimY int) int {
	if row < dimY {
		return 0
	}
	return row / dimY
}

// Least is min, for packages which have a min of their own.
func Least[T cmp.Ordered](first T, more ...T) T {
	for _, x := range more {
		first = min(first, x)
	}
	return first
}

// Most is max, for packages which have a max of their own.
func Most[T cmp.Ordered](first T, more ...T) T {
	for _, x := range more {
		first = max(first, x)
	}
	return first
}

// Below returns how many of the n numbers base, base+1, ... are less than limit.
func Below(base, limit, n int) int {
	if base > math.MaxInt-n {
		panic(errWrap)
	}
	if limit <= base {
		return 0
	}
	if d := uint(limit) - uint(base); d < uint(n) {
		return int(d)
	}
	return n
}

// BelowBy returns how many of the n numbers base, base+by, base+2*by, ... are less than limit. If
// by is not positive, or the arguments are so large that a sum might overflow, it returns unsure.
func BelowBy(base, by, limit, n, unsure int) int {
	if by <= 0 || !Small(by, 40) || !Small(base, 60) || !Small(limit, 60) {
		return unsure
	}
	return min(max(FloorDiv(limit-base+by-1, by), 0), n)
}

// StepOf returns mask+1 if mask is 2^k-1, and else 0. If it is not 0 and x is not negative, x&mask
// is x%StepOf(mask).
func StepOf(mask int) int {
	if mask < 0 || mask&(mask+1) != 0 {
		return 0
	}
	return mask + 1
}

// Every returns the first of the numbers i = lo, lo+1, ... for which (base+i)%step is remainder,
// and the distance to the next such number. If remainder is no remainder by step, or the arguments
// are out of range, it returns lo and 1: the caller tests each number.
func Every(lo, base, step, remainder int) (first, by int) {
	const most = 1 << 29 // no sum wraps around
	if step <= 1 || step > most || base < 0 || base > most || remainder < 0 || remainder >= step {
		return lo, 1
	}
	return lo + (remainder-(lo+base)%step+step)%step, step
}

// NotAbove returns how many of the n numbers base, base+1, ... are not greater than limit.
func NotAbove(base, limit, n int) int {
	if base > math.MaxInt-n {
		panic(errWrap)
	}
	if limit < base {
		return 0
	}
	if d := uint(limit) - uint(base); d < uint(n) {
		return int(d) + 1
	}
	return n
}
