// Package devicekernels is kernels that call the functions of package device, for what gocuda gen
// makes of those: parts of loops, and vectors. The tests run each kernel compiled and as it is
// written, where the functions are called one by one, and compare the results bit for bit.
//
// A kernel has several functions of one file and shape, each with its own part of the output. One
// that can't be in vectors would keep the others of its kernel from it; so kernels are apart whose
// functions have vectors with AVX-512 only (Wide in the name), and those that are computed lane by
// lane (Calls). gocuda gen -explain tells which they are.
package devicekernels
