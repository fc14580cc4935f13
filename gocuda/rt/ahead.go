package rt

import "unsafe"

// Prefetching for rows of different lengths that lie one after another in memory, such as those of
// a sparse matrix, when a thread reads a row element by element. If the rows come from memory and
// not from a cache, these loads alone keep fewer cache lines under way than the processor could.
// This is for code that `gocuda gen` writes.

const (
	// AheadRows is the number of rows between two calls of [Ahead]. With the Laplacian of a grid of
	// 1000 by 1000 points, in float32, a row of five elements takes 10.4 cycles with 32 rows, 11.8
	// with 16 and 11.3 with 64, and 13.8 without Ahead (one core of a Zen 4, medians of several
	// runs).
	AheadRows = 32

	aheadBytes = 2048    // prefetch distance; with 1024 and 4096 the rows take up to 7 % longer
	aheadLines = 32      // cache lines at most in a call; the processor itself prefetches longer rows
	farBytes   = 8 << 20 // the size from which an array comes from memory; with two arrays of 5 MB each Ahead costs as much as it gains
	lineBytes  = 64      // of a cache line
)

// Far reports whether s is so long that its elements mostly come from memory and should be
// prefetched.
func Far[T any](s []T) bool {
	return canAsk && uintptr(len(s))*unsafe.Sizeof(*new(T)) >= farBytes
}

// Ahead prefetches the elements that are read soon after the elements from to to-1 of s, if s is
// far. Neither these elements nor the prefetched ones need exist.
func Ahead[T any, I ~int | ~int8 | ~int16 | ~int32 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uintptr](s []T, from, to I) {
	if from >= to || !Far(s) {
		return
	}
	const most = aheadLines * lineBytes
	size := unsafe.Sizeof(s[0])
	bytes := min(min(uintptr(to)-uintptr(from), most)*size, most)
	// An address is a number here: it may be that of nothing.
	ask(uintptr(unsafe.Pointer(unsafe.SliceData(s)))+uintptr(from)*size+aheadBytes, int(bytes+lineBytes-1)/lineBytes)
}
