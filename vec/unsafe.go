//go:build goexperiment.simd && amd64

package vec

import "unsafe"

// This file has the package's unsafe code, but for the two casts of scalar.go. It is here because a bounds
// check for each vector costs as much as the load itself, because vectors load
// from pointers to arrays and a slice gives those only with a check, and
// because a masked load may start outside the slice.

// at returns the address of s[i], without a check, as a pointer to what starts
// there: an element or an array of elements.
func at[A, E any](s []E, i int) *A {
	return (*A)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), i*int(unsafe.Sizeof(s[0]))))
}

// near is at for masked operations, where i and the end of the array may be out
// of range: lanes that are off don't touch their elements. A pointer outside
// the slice must not outlive the operation it is for, or the garbage collector
// could meet it, which is fatal. Written as a sum, the compiler keeps the
// pointer of a load for a later store, even across calls; written as a
// difference of integers it makes a new one.
//
//go:nocheckptr
func near[A, E any](s []E, i int) *A {
	return (*A)(unsafe.Pointer(uintptr(unsafe.Pointer(unsafe.SliceData(s))) - uintptr(-i)*unsafe.Sizeof(s[0])))
}

// after returns the address n words of 32 bits behind p, without a check.
func after(p *[8]uint32, n int) *[8]uint32 { return (*[8]uint32)(unsafe.Add(unsafe.Pointer(p), 4*n)) }

// Place returns the address of s[i], without a check, as a pointer to what starts there: an element or an array of
// elements. It is for loops that move along a slice with [Step].
//
//go:nocheckptr
func Place[A, E any](s []E, i int) *A { return at[A](s, i) }

// Step returns the address so many bytes behind p. After the last round of a loop it may lie behind the slice: it must
// not be used for anything then, nor be kept.
//
//go:nocheckptr
func Step[A any](p *A, bytes int) *A { return (*A)(unsafe.Add(unsafe.Pointer(p), bytes)) }
