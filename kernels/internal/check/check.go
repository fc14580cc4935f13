// Package check has what the host functions of the kernels check before they launch.
package check

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
)

// Lengths returns an error unless two arguments have the same length. what names the problem, and the
// arguments if it has several.
func Lengths(what string, a, b int) error {
	if a != b {
		return fmt.Errorf("kernels: %s: %w: lengths %d and %d differ", what, gocuda.ErrInvalidValue, a, b)
	}
	return nil
}

// Shape returns an error unless rows by cols elements are a possible matrix and fill a slice of the
// given length.
func Shape(what string, rows, cols, length int) error {
	if rows >= 0 && cols >= 0 && length >= 0 {
		// The product of two large sizes can wrap around to any length.
		if hi, lo := bits.Mul(uint(rows), uint(cols)); hi == 0 && lo == uint(length) {
			return nil
		}
	}
	return fmt.Errorf("kernels: %s: %w: %d by %d elements in a slice of length %d",
		what, gocuda.ErrInvalidValue, rows, cols, length)
}

// Invalid returns an error of the given problem that wraps gocuda.ErrInvalidValue. The rest is as in
// fmt.Sprintf.
func Invalid(what, format string, args ...any) error {
	return fmt.Errorf("kernels: %s: %w: %s", what, gocuda.ErrInvalidValue, fmt.Sprintf(format, args...))
}
