// Package streaming has programs that bring data to a device, work on it and bring it back (Wilt,
// The CUDA Handbook, 2013): the four ways to run SAXPY of chapter 11, and the overlap of copies and
// kernels of 6.5.
//
// Times are those between events of the streams, as a CUDA program measures them. A device here is
// the processor itself, so a copy is memory that moves for nothing: the copies cost what they cost,
// and what a GPU hides behind a kernel takes processors away from it here. [Mapped] leaves the
// copies out.
package streaming

//go:generate go run ../../cmd/gocuda-gen .
