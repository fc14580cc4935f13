//go:build amd64 && !go1.28

package gocuda

// SameMath is whether package math computes as the assembly of compiled kernels has it, which has been compared with Go 1.26 and 1.27.
// Generated code asks for it.
const SameMath = true
