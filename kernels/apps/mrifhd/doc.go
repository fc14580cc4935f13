// Package mrifhd computes the image-specific vector of the reconstruction of magnetic resonance
// images from samples that form no grid: application MRI-FHD of Ryoo et al. (PPoPP 2008), after
// Stone et al. (Accelerating Advanced MRI Reconstructions on GPUs, 2008).
//
//	(F^H d)(x) = sum over k of conj(phi_k) d_k exp(2 pi i k·x)
//
// It is the adjoint of the measurement, applied to the data d: the right side of the linear system
// whose matrix package mriq computes. With the density of the samples as weights phi it is an image
// by itself. Samples, voxels and their files are those of package [mri].
//
// A voxel is a thread, and the port of Ryoo et al. brings the samples to constant memory, chunk by
// chunk, as in package mriq. Before that a kernel with a thread a sample computes rho_k =
// conj(phi_k) d_k.
//
// The kernels are marked fastmath. With W the sum of |Re rho_k| + |Im rho_k| and V that of (|Re
// rho_k| + |Im rho_k|) (|k_x x| + |k_y y| + |k_z z|), R the sum of (|Re phi_k| + |Im phi_k|) (|Re
// d_k| + |Im d_k|), real and imaginary parts are within ((2K+8) W + 24 V + 3 R) 2^-24 + 2^-20.8 W
// for K samples.
package mrifhd

//go:generate go run ../../../cmd/gocuda-gen .
