// Package grid is the geometry of CUDA launches: how many blocks and threads there are, how they
// are numbered, and which sizes a device accepts.
//
// A launch has a grid of blocks, and each block has threads. Both are given by a [Dim3] of up to
// three dimensions; a [Config] holds the pair. Most launches have one thread an element:
//
//	grid.Linear(n, 256)             // n elements, blocks of 256 threads
//	grid.Rect(width, height, 16, 16) // an image, blocks of 16 by 16
//
// The last block may reach beyond the data, so a kernel guards its access with `if i < n`, as in
// CUDA.
//
// Threads are numbered within their block with x running fastest. 32 threads with consecutive
// numbers are a warp; the position in it is the lane. See [Dim3.Linear], [Warp] and [Lane].
//
// The package knows nothing of devices, goroutines or memory.
package grid
