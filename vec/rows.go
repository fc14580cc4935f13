//go:build goexperiment.simd && amd64

package vec

import "unsafe"

// CopyRows copies rows of width elements, which must be whole vectors: the first from s[j] on to d[i]
// and what is behind it, the second from s[jNext] to d[iNext], the others at the same distances. They must not
// overlap. It is assembly to keep many loads under way: rows that are far apart are waited for, and each instruction
// besides is room less in which the processor looks ahead. Vectors are those of 64 bytes with AVX-512, else those of 32 bytes; it needs AVX2.
//
//go:nocheckptr
func CopyRows[E any](d []E, i, iNext int, s []E, j, jNext, rows, width int) {
	size := int(unsafe.Sizeof(*new(E)))
	to, from := unsafe.Pointer(at[E](d, i)), unsafe.Pointer(at[E](s, j))
	if HasAVX512() {
		copyRows(to, (iNext-i)*size, from, (jNext-j)*size, rows, width*size)
	} else {
		copyRowsAVX2(to, (iNext-i)*size, from, (jNext-j)*size, rows, width*size)
	}
}

// CopyRowsOnce is [CopyRows] for one of many tiles, the next of which is by elements behind this one. Rows of 64 bytes that are a
// multiple of 4096 bytes apart share a few places of the second-level cache, from which those of the next tiles would
// drive them. They are read past it: a product of 1024 by 1024 in tiles takes 0.88 of the time. (Measured with AVX-512, and done only there.)
//
//go:nocheckptr
func CopyRowsOnce[E any](d []E, i, iNext int, s []E, j, jNext, by, rows, width int) {
	size := int(unsafe.Sizeof(*new(E)))
	if row := (jNext - j) * size; HasAVX512() && width*size == 64 && rows > 0 && rows%8 == 0 && row%page == 0 && row != 0 && by*size%page == 0 && by != 0 {
		copyRowsOnce(unsafe.Pointer(at[E](d, i)), (iNext-i)*size, unsafe.Pointer(at[E](s, j)), row, rows/8)
		return
	}
	CopyRows(d, i, iNext, s, j, jNext, rows, width)
}

//go:noescape
func copyRows(d unsafe.Pointer, dNext int, s unsafe.Pointer, sNext, rows, bytes int)

//go:noescape
func copyRowsOnce(d unsafe.Pointer, dNext int, s unsafe.Pointer, sNext, eights int)

//go:noescape
func copyRowsAVX2(d unsafe.Pointer, dNext int, s unsafe.Pointer, sNext, rows, bytes int)
