package rt

import "unsafe"

// Rows of elements that lie one after another, of different lengths, such as those of a sparse matrix: a thread reads one of
// them element by element. Where they come from memory and not from a cache, that asks for less at a time than the processor could
// wait for. This is for code that `gocuda gen` writes.

const (
	// AheadRows is how many rows are done between two calls of [Ahead]. With the Laplacian of a grid of 1000 by 1000 points, in float32, a row of five takes 10.4 cycles
	// so, 11.8 with 16 and 11.3 with 64 rows, and 13.8 without Ahead (one core of a Zen 4, medians of several runs).
	AheadRows = 32

	aheadBytes = 2048    // from what is read to what is asked for; 1024 and 4096 take up to 7 % longer
	aheadLines = 32      // at most, in a call; longer rows are foreseen by the processor
	farBytes   = 8 << 20 // so long an array comes from memory: with two that have 5 MB each Ahead costs as much as it gains
	lineBytes  = 64      // in a line of the cache
)

// Far reports whether s is so long that its elements mostly come from memory, and should be asked for.
func Far[T any](s []T) bool {
	return canAsk && uintptr(len(s))*unsafe.Sizeof(*new(T)) >= farBytes
}

// Ahead asks for what will be read soon after the elements of s from from to to, if s is far. These elements and those that
// are asked for need not exist.
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
