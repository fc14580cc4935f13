// Package bandwidth reads and writes device memory by words of 1 to 16 bytes at strides and offsets
// (Wilt, The CUDA Handbook, 2013, 5.2.9 and 5.2.10), to find out how fast memory is by each.
//
// On a GPU narrow words waste the width of a warp's transaction, and strides and offsets touch more
// segments than needed. On a processor the same is true of cache lines; a compiled kernel loads
// words of a row of threads by vectors at stride 1, and one by one at others.
package bandwidth

//go:generate go run ../../cmd/gocuda-gen .
