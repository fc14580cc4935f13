package fft

import "unsafe"

// parts returns the real and imaginary parts of numbers, in turn, where they are: kernels can't
// take complex numbers apart. A complex64 is its real part with its imaginary part behind it, and
// aligned as a float32 is.
func parts(x []complex64) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}
