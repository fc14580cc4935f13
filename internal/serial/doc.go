// Package serial has the algorithms of the kernels as loops in plain Go: one goroutine, no blocks and
// no threads. Each func is the reference of the kernel that its comment names. The tests verify the
// kernel against it, `gocuda run -verify` does so too, and `gocuda bench` compares speeds with it.
//
// A reference shares no helpers with its kernel, so that a mistake in a helper shows. It uses only what
// the kernel's package exports. Shapes, units and layouts of arguments are those of the kernel's host
// function. References don't check their arguments.
package serial
