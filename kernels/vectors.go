package kernels

import "github.com/gocuda/gocuda/internal/host"

// Vectors reports whether compiled kernels run vector instructions on this machine: whether it has
// AVX2 and FMA, or NEON.
func Vectors() bool { return host.VectorBytes() > 0 }
