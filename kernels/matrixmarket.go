package kernels

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

// ReadMatrixMarket reads a sparse matrix from r, to the end. The format must be coordinate, with numbers
// that are real, integer or pattern (entries are places alone, with the value 1), and general, symmetric or
// skew-symmetric: of the latter two the file has one triangle, the lower, and the matrix gets both.
// Complex and Hermitian matrices and dense ones (array) are gocuda.ErrNotSupported, everything that the
// format does not allow is gocuda.ErrInvalidValue; the error names the line.
//
// Numbers are rounded to float32. The elements of a row are in the order of their columns; several entries
// for the same place are added up.
func ReadMatrixMarket(r io.Reader) (*CSR, error) {
	mm := marketReader{lines: bufio.NewScanner(r)}
	m, err := mm.read()
	if err != nil {
		return nil, fmt.Errorf("kernels: Matrix Market: line %d: %w", mm.line, err)
	}
	return m, nil
}

// A marketReader reads one file.
type marketReader struct {
	lines *bufio.Scanner
	line  int // the number of the line in hand, from 1

	number   string // real, integer or pattern
	symmetry string // general, symmetric or skew-symmetric

	rows, cols int
	entries    []marketEntry
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
	for i, known := range []struct {
		what       string
		is, others []string
	}{
		{"object", []string{"matrix"}, []string{"vector"}},
		{"format", []string{"coordinate"}, []string{"array"}},
		{"kind of numbers", []string{"real", "integer", "pattern"}, []string{"complex"}},
		{"symmetry", []string{"general", "symmetric", "skew-symmetric"}, []string{"hermitian"}},
	} {
		word := f[i+1]
		if slices.Contains(known.others, word) {
			return fmt.Errorf("%w: %s %s", gocuda.ErrNotSupported, known.what, word)
		}
		if !slices.Contains(known.is, word) {
			return invalid("%s %q, want %s", known.what, word, strings.Join(known.is, " or "))
		}
	}
	r.number, r.symmetry = f[3], f[4]
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
	if len(f) != 3 {
		return 0, invalid("want the numbers of rows, columns and entries, have %d words", len(f))
	}
	var n [3]int
	for i, what := range []string{"rows", "columns", "entries"} {
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
	return n[2], nil
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
	switch r.number {
	case "real":
		x, err := strconv.ParseFloat(f[2], 32)
		if err != nil {
			return numberError(f[2], "number", err)
		}
		v = float32(x)
	case "integer":
		x, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			return numberError(f[2], "integer", err)
		}
		v = float32(x)
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
