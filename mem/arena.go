package mem

import "unsafe"

// Poison is the byte that undefined memory is filled with in checked mode. Read as a number it is NaN
// in every floating-point type and -1 in every signed one, which makes bad sums and bad indices of it.
const Poison = 0xff

// Fill sets every byte of b to value.
func Fill(b []byte, value byte) {
	if value == 0 {
		clear(b)
		return
	}
	var piece [64]byte // not byte by byte: the race detector remembers four accesses of a word
	for i := range piece {
		piece[i] = value
	}
	for len(b) > 0 {
		b = b[copy(b, piece[:]):]
	}
}

// An Arena hands out pieces of one aligned stretch of memory and takes all of them back at once. It
// is the shared memory of one block at a time; a worker keeps it from block to block, so that shared
// memory costs nothing when it is used again. Contents are whatever was there before, as in CUDA.
//
// The zero value is an empty arena. An arena serves one goroutine at a time.
type Arena struct {
	buf  []byte
	used int // bytes of buf handed out
	more int // bytes handed out beside buf, since the last Reset
}

// Alloc returns n bytes at a multiple of [Align]. To Go they stay valid after Reset, but the next
// user of the arena gets the same bytes, once the arena has grown to the size that its users need.
//
// The goroutine executor calls it from many threads under a lock that the race detector must not see;
// hence go:norace.
//
//go:norace
func (a *Arena) Alloc(n int) []byte {
	size := (n + Align - 1) &^ (Align - 1)
	if size <= len(a.buf)-a.used {
		b := a.buf[a.used : a.used+n : a.used+n]
		a.used += size
		return b
	}
	// Pieces in use can't move, so this one comes from elsewhere; Reset makes room for next time.
	a.more += size
	return aligned(size)[:n:n]
}

// Reset takes everything back.
func (a *Arena) Reset() {
	if a.more > 0 {
		a.buf = aligned(a.used + a.more)
	}
	a.used, a.more = 0, 0
}

// Room returns the number of bytes that the arena holds on to.
func (a *Arena) Room() int { return len(a.buf) }

// View returns b as elements of T. b must be aligned for T and T must hold no Go pointers.
func View[T any](b []byte) []T {
	var z T
	if unsafe.Sizeof(z) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(z)))
}
