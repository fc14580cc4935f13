//go:build goexperiment.simd && amd64

package vec

import "unsafe"

// This file asks for memory before it is used. Rows of a tile that lie on different pages are what a processor does
// not foresee: a transpose in tiles of 32 rows spends half of its time on reading them. With the rows of the next tile
// asked for it does a fifth more.

// page is how far apart rows are that are asked for, in bytes. Nearer ones are left to the processor.
const page = 4096

// Ahead asks for what will be read soon: rows of width elements, the first of which begins at s[i] and the second
// at s[second]. by is how far these rows are from those that were read last. Rows that are not on pages of their own,
// and those that are near the last ones, are left to the processor. The elements need not exist.
func Ahead[E any](s []E, i, second, by, rows, width int) {
	if nearby[E](by) {
		return
	}
	if p, stride, lines := ahead(s, i, second, rows, width); lines > 0 {
		prefetch(p, stride, rows, lines)
	}
}

// AheadOfWrite is [Ahead] for what will be written, be it near or far.
func AheadOfWrite[E any](s []E, i, second, rows, width int) {
	if p, stride, lines := ahead(s, i, second, rows, width); lines > 0 {
		prefetchWrite(p, stride, rows, lines)
	}
}

// ahead returns where the rows begin, how far they are apart, and how many lines of the cache each of them has, or no
// lines if they should not be asked for. Addresses are numbers here: they may be those of nothing.
func ahead[E any](s []E, i, second, rows, width int) (p, stride uintptr, lines int) {
	if nearby[E](second-i) || rows <= 0 || rows > 1<<10 || width <= 0 || width > 1<<10 {
		return 0, 0, 0
	}
	size := int(unsafe.Sizeof(*new(E)))
	p = uintptr(unsafe.Pointer(unsafe.SliceData(s))) + uintptr(i*size)
	return p, uintptr((second - i) * size), (int(p&63) + width*size + 63) / 64
}

// nearby reports whether so many elements are less than a page.
func nearby[E any](elements int) bool {
	n := page / int(unsafe.Sizeof(*new(E)))
	return -n < elements && elements < n
}

//go:noescape
func prefetch(p, stride uintptr, rows, lines int)

//go:noescape
func prefetchWrite(p, stride uintptr, rows, lines int)
