package serial

import "github.com/gocuda/gocuda/kernels/sparse"

// SpMV sets y to m x for a matrix in compressed sparse rows: the reference of [sparse.SpMV].
func SpMV(m *sparse.CSR, x, y []float32) {
	for row := range m.Rows {
		var sum float32
		for j := m.RowPtr[row]; j < m.RowPtr[row+1]; j++ {
			sum += m.Val[j] * x[m.Col[j]]
		}
		y[row] = sum
	}
}
