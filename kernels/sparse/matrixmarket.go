package sparse

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The Matrix Market exchange format (Boisvert, Pozo and Remington, NISTIR 5935, 1996), in which the
// collections of sparse matrices publish theirs. It is text: a line that says what follows, comments, a
// line with the numbers of rows, columns and entries, and a line for each entry.
//
//	%%MatrixMarket matrix coordinate real symmetric
//	% the lower triangle of a 2 by 2 matrix
//	2 2 3
//	1 1  4
//	2 1 -1
//	2 2  4

// ReadMatrixMarket reads a sparse matrix from r, to the end. The format must be coordinate, with
// numbers that are real, integer or pattern (entries are places alone, with the value 1), and
// general, symmetric or skew-symmetric: of the latter two the file has one triangle, the lower, and
// the matrix gets both. Complex and Hermitian matrices are gocuda.ErrNotSupported, and so are dense
// ones (array), which [ReadDenseMatrixMarket] reads; everything that the format does not allow is
// gocuda.ErrInvalidValue. The error names the line. A size in the head of the file that does not
// fit the memory is mem.ErrOutOfMemory.
//
// Numbers are rounded to float32. The elements of a row are in the order of their columns; several
// entries for the same place are added up.
func ReadMatrixMarket(r io.Reader) (*CSR, error) {
	mm := marketReader{lines: bufio.NewScanner(r)}
	m, err := mm.read()
	if err != nil {
		return nil, fmt.Errorf("kernels: Matrix Market: line %d: %w", mm.line, err)
	}
	return m, nil
}

// ReadDenseMatrixMarket reads a matrix from r, to the end, and returns all of its elements, row by
// row. The format may be array, with numbers that are real or integer, or coordinate, of which the
// elements that the file does not name are 0. The rest is as for [ReadMatrixMarket]. More than 2^30
// elements are gocuda.ErrNotSupported.
func ReadDenseMatrixMarket(r io.Reader) (rows, cols int, a []float32, err error) {
	mm := marketReader{lines: bufio.NewScanner(r), dense: true}
	m, err := mm.read()
	if err != nil {
		return 0, 0, nil, fmt.Errorf("kernels: Matrix Market: line %d: %w", mm.line, err)
	}
	if m == nil {
		return mm.rows, mm.cols, mm.array, nil
	}
	a = make([]float32, m.Rows*m.Cols)
	for i := range m.Rows {
		for j := m.RowPtr[i]; j < m.RowPtr[i+1]; j++ {
			a[i*m.Cols+int(m.Col[j])] = m.Val[j]
		}
	}
	return m.Rows, m.Cols, a, nil
}

// maxDense is the most elements of a dense matrix that is read.
const maxDense = 1 << 30

// A marketReader reads one file.
type marketReader struct {
	lines *bufio.Scanner
	line  int  // the number of the line in hand, from 1
	dense bool // what is read becomes dense

	format   string // coordinate or array
	number   string // real, integer or pattern
	symmetry string // general, symmetric or skew-symmetric

	rows, cols int
	entries    []marketEntry // of coordinate
	array      []float32     // of array
}

// A marketEntry is an element with its place, which counts from 0.
type marketEntry struct {
	row, col int32
	val      float32
}

func (r *marketReader) read() (*CSR, error) {
	if err := r.header(); err != nil {
		return nil, err
	}
	want, err := r.sizes()
	if err != nil {
		return nil, err
	}
	if r.format == "array" {
		return nil, r.columns()
	}
	for have := 0; ; have++ {
		f, err := r.next()
		switch {
		case err == io.EOF && have == want:
			return r.matrix()
		case err == io.EOF:
			return nil, invalid("the file ends after %d of %d entries", have, want)
		case err != nil:
			return nil, err
		case have == want:
			return nil, invalid("more than %d entries", want)
		}
		if err := r.entry(f); err != nil {
			return nil, err
		}
	}
}

// invalid returns an ErrInvalidValue with a reason.
func invalid(form string, args ...any) error {
	return fmt.Errorf("%w: %s", gocuda.ErrInvalidValue, fmt.Sprintf(form, args...))
}

// header reads the first line.
func (r *marketReader) header() error {
	r.line = 1
	if !r.lines.Scan() {
		if err := r.lines.Err(); err != nil {
			return err
		}
		return invalid("the file is empty")
	}
	f := strings.Fields(strings.ToLower(r.lines.Text()))
	if len(f) == 0 || f[0] != "%%matrixmarket" {
		return invalid("the file does not begin with %%%%MatrixMarket")
	}
	if len(f) != 5 {
		return invalid("want an object, a format, a kind of numbers and a symmetry after %%%%MatrixMarket, have %d words", len(f)-1)
	}
	format, kinds := []string{"coordinate"}, []string{"real", "integer", "pattern"}
	if r.dense {
		format = []string{"coordinate", "array"}
		if f[2] == "array" {
			kinds = []string{"real", "integer"}
		}
	}
	for i, known := range []struct {
		what       string
		is, others []string
	}{
		{"object", []string{"matrix"}, []string{"vector"}},
		{"format", format, []string{"array"}},
		{"kind of numbers", kinds, []string{"complex"}},
		{"symmetry", []string{"general", "symmetric", "skew-symmetric"}, []string{"hermitian"}},
	} {
		word := f[i+1]
		switch {
		case slices.Contains(known.is, word):
		case slices.Contains(known.others, word):
			return fmt.Errorf("%w: %s %s", gocuda.ErrNotSupported, known.what, word)
		default:
			return invalid("%s %q, want %s", known.what, word, strings.Join(known.is, " or "))
		}
	}
	r.format, r.number, r.symmetry = f[2], f[3], f[4]
	if r.number == "pattern" && r.symmetry == "skew-symmetric" {
		return invalid("a pattern can't be skew-symmetric")
	}
	return nil
}

// next returns the words of the next line that is neither empty nor a comment, or io.EOF.
func (r *marketReader) next() ([]string, error) {
	for r.lines.Scan() {
		r.line++
		text := r.lines.Text()
		if strings.HasPrefix(text, "%") {
			continue
		}
		if f := strings.Fields(text); len(f) > 0 {
			return f, nil
		}
	}
	if err := r.lines.Err(); err != nil {
		r.line++ // the one that could not be read
		return nil, err
	}
	return nil, io.EOF
}

// sizes reads the line of sizes, and returns the number of entries.
func (r *marketReader) sizes() (int, error) {
	f, err := r.next()
	if err == io.EOF {
		return 0, invalid("the file ends before the line of sizes")
	}
	if err != nil {
		return 0, err
	}
	names := []string{"rows", "columns", "entries"}
	if r.format == "array" {
		names = names[:2]
	}
	if len(f) != len(names) {
		return 0, invalid("want the numbers of %s, have %d words", strings.Join(names, ", "), len(f))
	}
	var n [3]int
	for i, what := range names {
		v, err := strconv.ParseInt(f[i], 10, 32)
		if err != nil || v < 0 {
			return 0, invalid("%q is no number of %s from 0 to %d", f[i], what, math.MaxInt32)
		}
		n[i] = int(v)
	}
	r.rows, r.cols = n[0], n[1]
	if r.symmetry != "general" && r.rows != r.cols {
		return 0, invalid("a %s matrix of %d rows and %d columns", r.symmetry, r.rows, r.cols)
	}
	elements := float64(r.rows) * float64(r.cols)
	if r.dense && elements > maxDense {
		return 0, fmt.Errorf("%w: %d by %d elements", gocuda.ErrNotSupported, r.rows, r.cols)
	}
	// A few bytes can claim a size that fills the memory.
	bytes := 4 * (float64(r.rows) + 1) // of RowPtr
	if r.dense {
		bytes = 4 * elements
		if r.format == "coordinate" {
			bytes += 4 * (float64(r.rows) + 1)
		}
	}
	return n[2], host.Need(bytes, fmt.Sprintf("a matrix of %d rows and %d columns", r.rows, r.cols))
}

// columns reads the elements of an array, column by column, of which a symmetric one has the lower
// triangle only, and a skew-symmetric one that without the diagonal.
func (r *marketReader) columns() error {
	r.array = make([]float32, r.rows*r.cols)
	for j := range r.cols {
		first := 0
		switch r.symmetry {
		case "symmetric":
			first = j
		case "skew-symmetric":
			first = j + 1
		}
		for i := first; i < r.rows; i++ {
			f, err := r.next()
			switch {
			case err == io.EOF:
				return invalid("the file ends before element (%d, %d)", i+1, j+1)
			case err != nil:
				return err
			case len(f) != 1:
				return invalid("want one number for an element of an array, have %d words", len(f))
			}
			v, err := r.value(f[0])
			if err != nil {
				return err
			}
			r.array[i*r.cols+j] = v
			switch r.symmetry {
			case "symmetric":
				r.array[j*r.cols+i] = v
			case "skew-symmetric":
				r.array[j*r.cols+i] = -v
			}
		}
	}
	if _, err := r.next(); err == nil {
		return invalid("more elements than %d by %d", r.rows, r.cols)
	} else if err != io.EOF {
		return err
	}
	return nil
}

// value reads the number of an element.
func (r *marketReader) value(word string) (float32, error) {
	if r.number == "integer" {
		x, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return 0, numberError(word, "integer", err)
		}
		return float32(x), nil
	}
	x, err := strconv.ParseFloat(word, 32)
	if err != nil {
		return 0, numberError(word, "number", err)
	}
	return float32(x), nil
}

// entry reads the words of an entry.
func (r *marketReader) entry(f []string) error {
	want := 3
	if r.number == "pattern" {
		want = 2
	}
	if len(f) != want {
		return invalid("want %d words for an entry of a %s matrix, have %d", want, r.number, len(f))
	}
	row, err := index(f[0], "row", r.rows)
	if err != nil {
		return err
	}
	col, err := index(f[1], "column", r.cols)
	if err != nil {
		return err
	}
	v := float32(1)
	if r.number != "pattern" {
		if v, err = r.value(f[2]); err != nil {
			return err
		}
	}
	r.entries = append(r.entries, marketEntry{row, col, v})
	switch {
	case r.symmetry == "general":
	case row < col:
		return invalid("entry (%d, %d) of a %s matrix is above the diagonal", row+1, col+1, r.symmetry)
	case row > col && r.symmetry == "symmetric":
		r.entries = append(r.entries, marketEntry{col, row, v})
	case row > col:
		r.entries = append(r.entries, marketEntry{col, row, -v})
	case r.symmetry == "skew-symmetric":
		return invalid("entry (%d, %d) of a skew-symmetric matrix is on the diagonal", row+1, col+1)
	}
	return nil
}

// index reads a row or a column, which count from 1 in the file.
func index(word, what string, n int) (int32, error) {
	v, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return 0, numberError(word, what, err)
	}
	if v < 1 || v > int64(n) {
		return 0, invalid("%s %d is not between 1 and %d", what, v, n)
	}
	return int32(v - 1), nil
}

// numberError is invalid for a word that is no number of its kind, or too large a one.
func numberError(word, what string, err error) error {
	if errors.Is(err, strconv.ErrRange) {
		return invalid("%s %s is out of range", what, word)
	}
	return invalid("%q is no %s", word, what)
}

// matrix makes rows of the entries.
func (r *marketReader) matrix() (*CSR, error) {
	// The sort is stable, so that the order of the file decides the rounding of sums.
	slices.SortStableFunc(r.entries, func(a, b marketEntry) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col))
	})
	if len(r.entries) > math.MaxInt32 {
		return nil, invalid("the matrix has %d elements, more than 32 bits can count", len(r.entries))
	}
	m := &CSR{
		Rows: r.rows, Cols: r.cols, RowPtr: make([]int32, r.rows+1),
		Col: make([]int32, 0, len(r.entries)), Val: make([]float32, 0, len(r.entries)),
	}
	for i, e := range r.entries {
		if i > 0 && e.row == r.entries[i-1].row && e.col == r.entries[i-1].col {
			m.Val[len(m.Val)-1] += e.val
			continue
		}
		m.Col = append(m.Col, e.col)
		m.Val = append(m.Val, e.val)
		m.RowPtr[e.row+1]++
	}
	for i := range m.Rows {
		m.RowPtr[i+1] += m.RowPtr[i]
	}
	return m, nil
}

// WriteMatrixMarket writes m to w in the format that [ReadMatrixMarket] reads, as
// coordinate, real and general, row by row. Every number is the shortest that reads back as the
// same float32.
func WriteMatrixMarket(w io.Writer, m *CSR) error {
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
