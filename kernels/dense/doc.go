// Package dense has the linear algebra of dense matrices: products from the first textbook version
// to one blocked in registers, sums, and the factorizations that are made of them, LU, Cholesky and
// QR, with the solvers that use those.
//
// Matrices are row-major float32 slices: element (i, j) of a matrix with n columns is at i*n+j,
// unless a leading dimension ld is given, which puts it at i*ld+j. Sizes may be anything, 0
// included. Host functions that look at results ([LU], [Cholesky] and [LeastSquares]) don't run on
// a stream; the others queue.
//
// In the bounds, u is 2^-24, the unit roundoff of float32.
package dense

// Kernels marked fastmath write quotients as x / float32(y), and roots with package device: both
// are exact then, as the bounds ask.

//go:generate go run ../../cmd/gocuda-gen .

import (
	"errors"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// ErrSingular is wrapped by the errors of factorizations and solvers that came upon a pivot that is 0.
var ErrSingular = errors.New("the matrix is singular")

// ErrNotPositiveDefinite is wrapped by the error of [Cholesky] for a matrix that has no such factor.
var ErrNotPositiveDefinite = kernels.ErrNotPositiveDefinite

// gridLimit is the number of blocks that a grid of the first generation has along x and y.
const gridLimit = 65535

// slabs calls f for the parts of a rows by cols matrix whose tiles, of the given sizes, fit into
// one grid each: for all of it, unless it has hundreds of thousands of rows or columns.
func slabs(rows, cols, tileRows, tileCols int, f func(row, col, rows, cols int) error) error {
	for row := 0; row < rows; row += gridLimit * tileRows {
		for col := 0; col < cols; col += gridLimit * tileCols {
			err := f(row, col, min(rows-row, gridLimit*tileRows), min(cols-col, gridLimit*tileCols))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// shapes returns an error unless A, B and C are m by k, k by n and m by n.
func shapes(what string, m, n, k int, a, b, c []float32) error {
	if err := check.Shape(what+", A", m, k, len(a)); err != nil {
		return err
	}
	if err := check.Shape(what+", B", k, n, len(b)); err != nil {
		return err
	}
	return check.Shape(what+", C", m, n, len(c))
}
