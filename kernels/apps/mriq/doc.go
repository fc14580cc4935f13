// Package mriq computes Q of the reconstruction of magnetic resonance images from samples that form
// no grid: application MRI-Q of Ryoo et al. (PPoPP 2008), after Stone et al. (Accelerating Advanced
// MRI Reconstructions on GPUs, 2008).
//
//	Q(x) = sum over k of |phi_k|² exp(2 pi i k·x)
//
// The image solves a linear system whose matrix is a convolution with Q: it tells how the scanner,
// by the places k of its samples and their weights phi, blurs a point. It does not depend on what
// is in the scanner, so it is computed once for many images. Samples, voxels and their files are
// those of package [mri].
//
// A voxel is a thread. All threads read the same sample at the same time, which is what constant
// memory is for: the port of Ryoo et al. brings the samples there, chunk by chunk, and has turned
// the loops inside out for that. A launch for each chunk adds to what the launches before it left.
// Before that a kernel with a thread a sample computes |phi|².
//
// The kernels are marked fastmath. With W the sum of the |phi_k|² and V the sum of |phi_k|² (|k_x
// x| + |k_y y| + |k_z z|), real and imaginary parts are within ((K+8) W + 24 V) 2^-24 + 2^-20.8 W
// for K samples.
package mriq

//go:generate go run ../../../cmd/gocuda-gen .
