package sparse

import (
	"bufio"
	"io"
	"strconv"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// WriteMatrixMarket writes m to w in the format that [kernels.ReadMatrixMarket] reads, as
// coordinate, real and general, row by row. Every number is the shortest that reads back as the
// same float32.
func WriteMatrixMarket(w io.Writer, m *kernels.CSR) error {
	if m == nil {
		return check.Invalid("Matrix Market", "no matrix")
	}
	if err := m.Validate(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString("%%MatrixMarket matrix coordinate real general\n")
	line := func(a, b int, rest string) {
		out.WriteString(strconv.Itoa(a) + " " + strconv.Itoa(b) + " " + rest + "\n")
	}
	line(m.Rows, m.Cols, strconv.Itoa(len(m.Val)))
	for i := range m.Rows {
		for k := m.RowPtr[i]; k < m.RowPtr[i+1]; k++ {
			line(i+1, int(m.Col[k])+1, strconv.FormatFloat(float64(m.Val[k]), 'g', -1, 32))
		}
	}
	return out.Flush() // a bufio.Writer keeps its first error
}
