// Package sparse multiplies sparse matrices by vectors in several ways, makes Laplacians of
// triangulated surfaces to do it with, and solves linear equations by the method of conjugate
// gradients.
//
// The matrices are [kernels.CSR]. The product with one thread a row is [kernels.SpMV]; [SpMVCached]
// keeps a window of the vector in shared memory, and [SpMVVector] gives a warp to each row. The
// serial reference of all is [kernels.SpMVSerial].
package sparse

//go:generate go run ../../cmd/gocuda-gen .
