package rt

import (
	"math"
	"unsafe"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/internal/host"
)

// VectorBytes returns how wide the vectors are that compiled kernels use on this machine: 64, 32 or
// 16, and 0 where there are none.
func VectorBytes() int { return host.VectorBytes() }

// Bit returns 1 if a condition holds, else 0.
func Bit(cond bool) int {
	if cond {
		return 1
	}
	return 0
}

// MostWork is the largest number of loop iterations of a thread for which its row runs in assembly.
// Assembly is not preempted: while it runs the garbage collector waits, and nobody can cancel the
// launch. Rows with more iterations run in plain Go.
const MostWork = 1 << 22

// stripWork is the largest number of loop iterations of all threads of one call of assembly, except
// for calls of 64 threads. It takes some milliseconds.
const stripWork = 1 << 23

// Strip returns the number of threads of a row for one call of assembly if each thread has work
// loop iterations.
func Strip(work float64) int { return max(64, int(stripWork/work)&^63) }

// Inside returns a part of the interval from to to-1, as its first element and the one behind its
// last, that is outside all the given intervals. Where one of them cuts the interval in two, the
// longer side is kept.
func Inside(from, to int, without ...[2]int) [2]int {
	for again := true; again; {
		again = false
		for _, w := range without {
			first, end := max(w[0], from), min(w[1], to)
			if first >= end {
				continue
			}
			again = true
			if first-from <= to-end { // the longer side is left
				from = end
			} else {
				to = first
			}
		}
	}
	return [2]int{from, max(from, to)}
}

// After returns from, or 0 if that is not after guard: threads from the guard on are then after from, too.
func After(from, guard int) int {
	if from <= guard {
		return 0
	}
	return from
}

// Before returns to, or the largest int if that is not before guard: threads before the guard are then
// before to, too.
func Before(to, guard int) int {
	if to >= guard {
		return math.MaxInt
	}
	return to
}

// Between returns the interval of from to to-1, or an empty one if it has no thread of those from first to
// end-1.
func Between(from, to, first, end int) [2]int {
	if to <= first || end <= from {
		return [2]int{}
	}
	return [2]int{from, to}
}

// Given returns n if a condition holds, and else 0.
func Given(holds bool, n int) int {
	if holds {
		return n
	}
	return 0
}

// RowsAtATime returns the number of rows of a plane for one call of assembly if each row has the
// given number of threads.
func RowsAtATime(threads int) int { return max(1, 4096/max(1, threads)) }

// Trim cuts boxes off a box of threads: it returns the first and last thread of a row and the first
// and last row of the rest. A box of without has the threads from w[0] to w[1]-1 of the rows from
// w[2] to w[3]-1. Only boxes that reach from side to side, at an end, are cut off. The result is
// empty if the first is larger than the last.
func Trim(first, last, rowFirst, rowLast int, without ...[4]int) [4]int {
	for again := true; again; {
		again = false
		for _, w := range without {
			rows, threads := w[2] <= rowFirst && rowLast < w[3], w[0] <= first && last < w[1]
			switch {
			case first > last || rowFirst > rowLast || rows && threads:
				return [4]int{1, 0, 1, 0}
			case rows && w[0] <= first && first < w[1]:
				first, again = w[1], true
			case rows && w[0] <= last && last < w[1]:
				last, again = w[0]-1, true
			case threads && w[2] <= rowFirst && rowFirst < w[3]:
				rowFirst, again = w[3], true
			case threads && w[2] <= rowLast && rowLast < w[3]:
				rowLast, again = w[2]-1, true
			}
		}
	}
	return [4]int{first, last, rowFirst, rowLast}
}

// FloorDiv returns a/b rounded down, or 0 if b is not positive, where it is not used.
func FloorDiv(a, b int) int {
	if b <= 0 {
		return 0
	}
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Element returns s[i], or 0 if i is out of range; another check of the row reports that.
func Element[T any](s []T, i int) (v T) {
	if uint(i) < uint(len(s)) {
		v = s[i]
	}
	return v
}

// Small reports whether -2^bits <= n < 2^bits.
func Small(n int, bits uint) bool { return uint64(int64(n)+1<<bits) < 1<<(bits+1) }

// Private reports whether so many threads had better add to copies of n elements, of which at most
// so many have room.
func Private(n, room, threads int) bool { return 0 < n && n <= room && threads/4 >= n }

// AddTo adds sums to the elements of a slice, or none if there are no sums.
func AddTo[T atomic.Number](to, sums []T) {
	for i, v := range sums {
		if v != 0 {
			atomic.Add(&to[i], v)
		}
	}
}

// Spread reports whether rows that are so many bytes apart use many sets of a cache. Caches choose
// a set by some bits of the address, so that rows apart by a multiple of 512 bytes share eight sets
// of a level 1 cache or fewer.
func Spread(bytes int) bool { return bytes%512 != 0 }

// Numbers returns the memory of arrays of n numbers each as a slice of numbers.
func Numbers[T, A any](arrays []A, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(arrays))), len(arrays)*n)
}

// One returns the memory of a number as a slice of length 1.
func One[T any](p *T) []T { return unsafe.Slice(p, 1) }

// Apart reports whether two slices have no memory in common.
func Apart[T, U any](x []T, y []U) bool {
	a, b := uintptr(unsafe.Pointer(unsafe.SliceData(x))), uintptr(unsafe.Pointer(unsafe.SliceData(y)))
	var t T
	var u U
	return a+uintptr(len(x))*unsafe.Sizeof(t) <= b || b+uintptr(len(y))*unsafe.Sizeof(u) <= a
}

// ApartOrSame reports whether two slices have no memory in common, or begin at the same place.
func ApartOrSame[T, U any](x []T, y []U) bool {
	return unsafe.Pointer(unsafe.SliceData(x)) == unsafe.Pointer(unsafe.SliceData(y)) || Apart(x, y)
}
