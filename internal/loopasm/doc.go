// Package loopasm puts loops over vectors into assembly.
//
// It takes Go code that calls package vec, as the kernel compiler prints it for vectors of 32 bytes, and
// replaces its innermost loops by calls of funcs in assembly, where a loop has no branches and nothing but
// arithmetic on vectors that it loads along pointers. What Go 1.26 makes of such a loop has twice the
// instructions of what a C compiler makes of it: it does not load in the instruction that computes, nor
// spread what it loads; of fused multiply-adds it has one form, which overwrites a factor, so that each sum
// is moved; it leaves a nop for each call that it has inlined; and of several loads it does all before it
// computes, which spills. The loop of n-body has 43 instructions in Go and 24 here.
//
// A loop becomes a program, values in the order in which they are made (program.go), which gets registers
// (registers.go) and is printed (print.go). The Go loop stays behind the call, for what is left and for few
// rounds. Results are the same, bit for bit: the same operations on the same numbers.
//
// The package knows the names of package vec, and nothing of kernels.
package loopasm
