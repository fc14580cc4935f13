// Package corpus is kernels written for the kernel compiler: the shapes of barriers, control flow,
// types and memory that it has to translate, each in a small kernel of its own, and kernels that
// must fail in the same way however they are run.
//
// Every kernel is well-defined CUDA: threads of a block meet only at barriers, warp operations and
// atomics, and the result does not depend on the order of threads or blocks. The tests run each in its
// source form and in its compiled form and compare the outputs bit for bit; most cases also know the
// result from a serial computation that shares nothing with either.
//
// A file is about one idea. Its kernels come first, then its cases, in a list that [Cases] collects.
package corpus
