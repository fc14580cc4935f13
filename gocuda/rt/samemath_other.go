//go:build !amd64 || go1.28

package rt

// SameMath is whether package math computes as compiled kernels have it, which is not known of this release of Go, or not so: elsewhere than on amd64 the
// functions have other algorithms, or Go fuses their multiplications and additions.
const SameMath = false
