package kernels

// Vectors reports whether compiled kernels have forms with vector instructions that this machine can run:
// whether the program was built with GOEXPERIMENT=simd, and for a processor with AVX2.
func Vectors() bool { return len(saxpyForms.Vectors) > 0 }
