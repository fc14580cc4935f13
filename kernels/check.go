package kernels

import (
	"errors"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
)

// ErrNotPositiveDefinite is wrapped by the errors of methods that need a positive definite matrix
// and find that theirs is not. Packages dense and sparse have it too.
var ErrNotPositiveDefinite = errors.New("the matrix is not positive definite")

// noBlocks returns an error if form is Blocks, or no form at all. It is for problems without block
// kernel.
func noBlocks(what string, form Form) error {
	if form != Threads && form != Compiled {
		return fmt.Errorf("kernels: %s: %w: form %v", what, gocuda.ErrNotSupported, form)
	}
	return nil
}

// either returns a compiled kernel in the given form: as it is, or the thread kernel that it is
// made of.
func either(form Form, compiled gocuda.Kernel) gocuda.Kernel {
	if form == Threads {
		return gocuda.Source(compiled)
	}
	return compiled
}
