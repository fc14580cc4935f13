//go:build amd64 && !go1.28

package rt

// SameMath is whether package math computes as the assembly of compiled kernels has it, which has been compared with Go 1.26 and 1.27.

const SameMath = true
