// Package sparse multiplies sparse matrices by vectors in several ways, reads and writes them in
// the Matrix Market format, makes Laplacians of grids and of triangulated surfaces, and solves
// linear equations by the method of conjugate gradients.
//
// The matrices are of type [CSR]. The product with one thread a row is [SpMV]; [SpMVCached] keeps a
// window of the vector in shared memory, and [SpMVVector] gives a warp to each row.
package sparse

//go:generate go run ../../cmd/gocuda-gen .
