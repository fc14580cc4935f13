package kernels

import "github.com/gocuda/gocuda/gocuda"

// Vectors reports whether compiled kernels run vector instructions on this machine: whether it has AVX2 and
// FMA, or NEON.
func Vectors() bool { return gocuda.VectorBytes() > 0 }
