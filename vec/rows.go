//go:build goexperiment.simd && amd64

package vec

import "unsafe"

// CopyRows copies rows of width elements, which must be whole vectors of 64 bytes: the first from s[j] on to d[i]
// and what is behind it, the second from s[jNext] to d[iNext], the others at the same distances. They must not
// overlap. It is assembly to keep many loads under way: rows that are far apart are waited for, and each instruction
// besides is room less in which the processor looks ahead. It needs AVX-512.
//
//go:nocheckptr
func CopyRows[E any](d []E, i, iNext int, s []E, j, jNext, rows, width int) {
	size := int(unsafe.Sizeof(*new(E)))
	copyRows(unsafe.Pointer(at[E](d, i)), (iNext-i)*size, unsafe.Pointer(at[E](s, j)), (jNext-j)*size, rows, width*size)
}

//go:noescape
func copyRows(d unsafe.Pointer, dNext int, s unsafe.Pointer, sNext, rows, bytes int)
