package kernels

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
)

// What the host functions check before they launch. [lengths] is in doc.go.

// onlyThreads returns an error unless form is Threads. It is for problems that have no block kernel.
func onlyThreads(what string, form Form) error {
	if form != Threads {
		return fmt.Errorf("kernels: %s: %w: form %v", what, gocuda.ErrNotSupported, form)
	}
	return nil
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
