package sparse

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// A CSR is a sparse matrix in compressed sparse rows. Row i has the elements j with RowPtr[i] <= j
// < RowPtr[i+1]: Val[j] stands in column Col[j], and columns that don't occur hold 0. Indices are
// 32 bits long, as CUDA's libraries have them. The zero value is a matrix of no rows and columns.
type CSR struct {
	Rows, Cols int
	RowPtr     []int32 // Rows+1 of them
	Col        []int32
	Val        []float32
}

// Validate returns an error unless m is a matrix: row pointers that begin at 0, never fall and end
// with the number of elements, and columns that exist.
func (m *CSR) Validate() error {
	if err := m.check(); err != nil {
		return err
	}
	for i := range m.Rows {
		if m.RowPtr[i] > m.RowPtr[i+1] {
			return fmt.Errorf("kernels: CSR: %w: row %d begins at %d and ends at %d",
				gocuda.ErrInvalidValue, i, m.RowPtr[i], m.RowPtr[i+1])
		}
	}
	for j, c := range m.Col {
		if c < 0 || int(c) >= m.Cols {
			return fmt.Errorf("kernels: CSR: %w: element %d is in column %d of %d", gocuda.ErrInvalidValue, j, c, m.Cols)
		}
	}
	return nil
}

// check is the part of Validate that takes no time.
func (m *CSR) check() error {
	if m.Rows < 0 || m.Cols < 0 {
		return fmt.Errorf("kernels: CSR: %w: %d rows and %d columns", gocuda.ErrInvalidValue, m.Rows, m.Cols)
	}
	if err := check.Lengths("CSR, columns and values", len(m.Col), len(m.Val)); err != nil {
		return err
	}
	if m.Rows == 0 && len(m.RowPtr) == 0 && len(m.Val) == 0 {
		return nil // the zero value
	}
	if err := check.Lengths("CSR, row pointers", len(m.RowPtr), m.Rows+1); err != nil {
		return err
	}
	if first, last := m.RowPtr[0], m.RowPtr[m.Rows]; first != 0 || int(last) != len(m.Val) {
		return fmt.Errorf("kernels: CSR: %w: row pointers from %d to %d for %d elements",
			gocuda.ErrInvalidValue, first, last, len(m.Val))
	}
	return nil
}

// Laplacian returns the matrix of the 5-point Laplacian on a grid of w by h points, with 4 in the
// diagonal and -1 for each of a point's neighbours; beyond the edge the function is 0. Point (x, y)
// has row y*w+x. It has w*h rows and 5wh-2w-2h elements, which must fit into 32 bits.
func Laplacian(w, h int) (*CSR, error) {
	if w < 0 || h < 0 || w > 0 && h > math.MaxInt32/5/w {
		return nil, fmt.Errorf("kernels: Laplacian: %w: a grid of %d by %d points", gocuda.ErrInvalidValue, w, h)
	}
	n := w * h
	m := &CSR{Rows: n, Cols: n, RowPtr: make([]int32, 1, n+1)}
	add := func(col int, v float32) {
		m.Col = append(m.Col, int32(col))
		m.Val = append(m.Val, v)
	}
	if n > 0 {
		m.Col = make([]int32, 0, 5*n-2*w-2*h)
		m.Val = make([]float32, 0, cap(m.Col))
	}
	for i := range n {
		x, y := i%w, i/w
		if y > 0 {
			add(i-w, -1)
		}
		if x > 0 {
			add(i-1, -1)
		}
		add(i, 4)
		if x < w-1 {
			add(i+1, -1)
		}
		if y < h-1 {
			add(i+w, -1)
		}
		m.RowPtr = append(m.RowPtr, int32(len(m.Col)))
	}
	return m, nil
}
