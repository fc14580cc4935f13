package rt

import (
	"unsafe"

	"github.com/gocuda/gocuda/internal/host"
)

// VectorBytes returns how wide the vectors are that compiled kernels use on this machine: 64, 32 or 16, and 0 where there are none.
func VectorBytes() int { return host.VectorBytes() }

// Bit returns 1 if a condition holds, else 0.
func Bit(cond bool) int {
	if cond {
		return 1
	}
	return 0
}

// MostWork is how many rounds of its loops a thread of a row in assembly may go. Assembly is not preempted: while it runs the garbage collector
// waits, and nobody can cancel the launch. Rows with more are plain Go.
const MostWork = 1 << 22

// stripWork is how many rounds the threads of a call go together, at most, but for calls of 64 threads. It is some milliseconds.
const stripWork = 1 << 23

// Strip returns how many threads of a row a call of assembly takes if each goes so many rounds.
func Strip(work float64) int { return max(64, int(stripWork/work)&^63) }

// Inside returns the first of some threads from from on and below to, and the one behind the last: neighbours that are in none of the
// intervals.
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

// RowsAtATime returns how many rows of a plane a call of assembly takes if they have so many threads each.
func RowsAtATime(threads int) int { return max(1, 4096/max(1, threads)) }

// Trim returns the ends of a box of threads, the first and the last of a row and the first and the last row, that has all threads of a box but
// those of some others: at least from and below to, in rows at least from and below to. It is empty if the first is larger than the last.
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

// Element returns an element, or 0 if the index is out of range, for which a row has a check.
func Element[T any](s []T, i int) (v T) {
	if uint(i) < uint(len(s)) {
		v = s[i]
	}
	return v
}

// Small reports whether -2^bits <= n < 2^bits.
func Small(n int, bits uint) bool { return uint64(int64(n)+1<<bits) < 1<<(bits+1) }

// Spread reports whether rows that are so many bytes apart use many sets of a cache. Caches choose a set by some bits of the address, so that rows apart
// by a multiple of 512 bytes share eight sets of a level 1 cache or fewer.
func Spread(bytes int) bool { return bytes%512 != 0 }

// Apart reports whether two slices have no memory in common.
func Apart[T, U any](x []T, y []U) bool {
	a, b := uintptr(unsafe.Pointer(unsafe.SliceData(x))), uintptr(unsafe.Pointer(unsafe.SliceData(y)))
	var t T
	var u U
	return a+uintptr(len(x))*unsafe.Sizeof(t) <= b || b+uintptr(len(y))*unsafe.Sizeof(u) <= a
}
