// Package apps is the place of the applications by which Ryoo et al. measured the GeForce 8800 GTX
// (Optimization Principles and Application Performance Evaluation of a Multithreaded GPU Using
// CUDA, PPoPP 2008). Each is a package of its own below this one. FDTD, SAXPY and the matrix
// product, which are among them, are in package kernels.
package apps
