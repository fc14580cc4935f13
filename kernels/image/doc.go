// Package image has the kernels for images that texts on CUDA teach with: convolutions in one and two
// dimensions, and the normalized cross-correlation that finds a template in an image.
//
// All of them are about reuse. Threads that are neighbours read almost the same pixels, so a block
// loads a tile of the image into shared memory once, with a margin for the threads at its border,
// the halo. Each file has the straightforward kernel and the one with tiles, in this order.
//
// Images are row-major and without gaps: pixel (x, y) of an image w pixels wide is at y*w+x.
package image

//go:generate go run ../../cmd/gocuda-gen .
