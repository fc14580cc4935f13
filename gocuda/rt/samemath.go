//go:build amd64 && !go1.28

package rt

// SameMath says whether package math computes the same as the assembly of compiled kernels, which
// has been compared with Go 1.26 and 1.27.

const SameMath = true
