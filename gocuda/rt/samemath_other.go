//go:build !amd64 || go1.28

package rt

// SameMath says whether package math computes the same as compiled kernels. It does not on other
// processors than amd64: there the functions have other algorithms, or Go fuses their
// multiplications and additions. For newer releases of Go it is not known.
const SameMath = false
