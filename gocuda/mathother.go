//go:build go1.28

package gocuda

// SameMath is whether package math computes as the assembly of compiled kernels has it, which is not known of this release of Go.
const SameMath = false
