// Package mri has what the two applications of magnetic resonance imaging share, packages mriq and
// mrifhd: samples, voxels, and the files with both.
//
// A scanner measures the Fourier transform of what is in it, at places k of a space of its own,
// k-space. Where these places form no grid, as on spokes and spirals, the fast Fourier transform is
// of no use, and images come from sums over all samples for each voxel (Stone et al., Accelerating
// Advanced MRI Reconstructions on GPUs, 2008).
//
// A file is text. Its lines have words with blanks between them; # begins a comment:
//
//	# two samples, of which the last two numbers may be left out everywhere
//	#  kx    ky   kz   phi re  im   data re  im
//	k  0     0    0    1       0    2.5      0
//	k  0.25  -1.5 0    1       0    0.5      -0.125
//	# voxels, one by one
//	#  x     y    z
//	v  0.5   0.5  0
//	# or a grid of them: width, height and depth, the first voxel, and the spacing
//	grid 64 64 1  -1 -1 0  0.03125
//
// Units are the user's own, if k is in periods per unit of length: k·x counts turns.
package mri
