package kernels

import (
	"errors"
)

// ErrNotPositiveDefinite is wrapped by the errors of methods that need a positive definite matrix
// and find that theirs is not. Packages dense and sparse have it too.
var ErrNotPositiveDefinite = errors.New("the matrix is not positive definite")
