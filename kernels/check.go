package kernels

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
)

// What the host functions check before they launch. [lengths] is in doc.go.

// noBlocks returns an error if form is Blocks, or no form at all. It is for problems without block kernel.
func noBlocks(what string, form Form) error {
	if form != Threads && form != Compiled {
		return fmt.Errorf("kernels: %s: %w: form %v", what, gocuda.ErrNotSupported, form)
	}
	return nil
}

// either returns the kernel of the given form: compiled, or the thread kernel that it is made of.
func either(form Form, compiled gocuda.Kernel, threads gocuda.ThreadFunc) gocuda.Kernel {
	if form == Threads {
		return threads
	}
	return compiled
}

// shape returns an error unless rows by cols elements are a possible matrix and fill a slice of the given
// length.
func shape(what string, rows, cols, length int) error {
	if rows >= 0 && cols >= 0 && length >= 0 {
		// The product of two large sizes can wrap around to any length.
		if hi, lo := bits.Mul(uint(rows), uint(cols)); hi == 0 && lo == uint(length) {
			return nil
		}
	}
	return fmt.Errorf("kernels: %s: %w: %d by %d elements in a slice of length %d",
		what, gocuda.ErrInvalidValue, rows, cols, length)
}
