package sparse_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/sparse"
	"github.com/gocuda/gocuda/mem"
)

func TestReadMatrixMarket(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []float32 // row by row, three columns
	}{
		"general": {
			"%%MatrixMarket matrix coordinate real general\n% a comment\n%\n\n2 3 3\n2 3 1.5\n1 1 -2e1\n2 1 .25\n",
			[]float32{-20, 0, 0, 0.25, 0, 1.5},
		},
		"capitals, spaces, no last end of line": {
			"%%MatrixMarket  MATRIX Coordinate\tReal General\r\n\t1 3 1\r\n\r\n% late comment\r\n  1   2\t7",
			[]float32{0, 7, 0},
		},
		"integer": {
			"%%MatrixMarket matrix coordinate integer general\n1 3 2\n1 1 -3\n1 3 9007199254740993\n",
			[]float32{-3, 0, 9007199254740992},
		},
		"pattern": {
			"%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 3\n2 2\n",
			[]float32{0, 0, 1, 0, 1, 0},
		},
		"symmetric": {
			"%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 1 2\n3 2 3\n3 3 4\n",
			[]float32{1, 2, 0, 2, 0, 3, 0, 3, 4},
		},
		"symmetric pattern": {
			"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n3 1\n2 2\n",
			[]float32{0, 0, 1, 0, 1, 0, 1, 0, 0},
		},
		"skew-symmetric": {
			"%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 5\n3 1 -6\n",
			[]float32{0, -5, 6, 5, 0, 0, -6, 0, 0},
		},
		"the same place twice": {
			"%%MatrixMarket matrix coordinate real general\n1 3 3\n1 2 1\n1 1 10\n1 2 2\n",
			[]float32{10, 3, 0},
		},
		"no entries": {
			"%%MatrixMarket matrix coordinate real general\n2 3 0\n",
			make([]float32, 6),
		},
		"nothing": {
			"%%MatrixMarket matrix coordinate real general\n0 3 0\n",
			nil,
		},
	} {
		m, err := sparse.ReadMatrixMarket(iotest.OneByteReader(strings.NewReader(c.text)))
		if !assert.NoError(t, err, name) {
			continue
		}
		assert.NoError(t, m.Validate(), name)
		slicetest.InDelta(t, c.want, dense(m).RawMatrix().Data[:m.Rows*m.Cols], 0, name)
		assert.Equal(t, 3, m.Cols, name)
		for i := range m.Rows {
			// strictly rising: in order, and no place twice
			if row := m.Col[m.RowPtr[i]:m.RowPtr[i+1]]; len(row) > 0 {
				assert.IsIncreasing(t, row, "%s: the columns of row %d", name, i)
			}
		}
	}
}

func TestReadMatrixMarketErrors(t *testing.T) {
	const real, sym = "%%MatrixMarket matrix coordinate real general\n", "%%MatrixMarket matrix coordinate real symmetric\n"
	for _, c := range []struct {
		text string
		line int
		want string // part of the message
		is   error
	}{
		{"", 1, "empty", gocuda.ErrInvalidValue},
		{"1 1 1\n", 1, "%%MatrixMarket", gocuda.ErrInvalidValue},
		{"%%MatrixMarket matrix coordinate real\n", 1, "have 3 words", gocuda.ErrInvalidValue},
		{"%%MatrixMarket matrix coordinate float general\n", 1, `"float", want real or integer or pattern`, gocuda.ErrInvalidValue},
		{"%%MatrixMarket matrix coordinate real lower\n", 1, `"lower"`, gocuda.ErrInvalidValue},
		{"%%MatrixMarket matrix coordinate pattern skew-symmetric\n", 1, "pattern", gocuda.ErrInvalidValue},
		{"%%MatrixMarket matrix array real general\n", 1, "array", gocuda.ErrNotSupported},
		{"%%MatrixMarket matrix coordinate complex general\n", 1, "complex", gocuda.ErrNotSupported},
		{"%%MatrixMarket matrix coordinate real Hermitian\n", 1, "hermitian", gocuda.ErrNotSupported},
		{real, 1, "before the line of sizes", gocuda.ErrInvalidValue},
		{real + "%\n\n2 2\n", 4, "have 2 words", gocuda.ErrInvalidValue},
		{real + "2 x 1\n", 2, `"x" is no number of columns`, gocuda.ErrInvalidValue},
		{real + "-2 2 1\n", 2, `"-2"`, gocuda.ErrInvalidValue},
		{real + "2 2147483648 1\n", 2, `"2147483648"`, gocuda.ErrInvalidValue},
		{sym + "2 3 0\n", 2, "2 rows and 3 columns", gocuda.ErrInvalidValue},
		{real + "2 2 2\n1 1 1\n", 3, "after 1 of 2 entries", gocuda.ErrInvalidValue},
		{real + "2 2 1\n1 1 1\n% more\n2 2 2\n", 5, "more than 1 entries", gocuda.ErrInvalidValue},
		{real + "2 2 1\n1 1\n", 3, "have 2", gocuda.ErrInvalidValue},
		{"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", 3, "have 3", gocuda.ErrInvalidValue},
		{real + "2 2 1\n0 1 1\n", 3, "row 0 is not between 1 and 2", gocuda.ErrInvalidValue},
		{real + "2 2 1\n1 3 1\n", 3, "column 3 is not between 1 and 2", gocuda.ErrInvalidValue},
		{real + "2 2 1\n1 one 1\n", 3, `"one" is no column`, gocuda.ErrInvalidValue},
		{real + "2 2 1\n99999999999999999999 1 1\n", 3, "out of range", gocuda.ErrInvalidValue},
		{real + "2 2 1\n1 1 1,5\n", 3, `"1,5" is no number`, gocuda.ErrInvalidValue},
		{real + "2 2 1\n1 1 1e39\n", 3, "1e39 is out of range", gocuda.ErrInvalidValue},
		{"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n", 3, `"1.5" is no integer`, gocuda.ErrInvalidValue},
		{sym + "2 2 1\n1 2 1\n", 3, "above the diagonal", gocuda.ErrInvalidValue},
		{"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n", 3, "on the diagonal", gocuda.ErrInvalidValue},
	} {
		m, err := sparse.ReadMatrixMarket(strings.NewReader(c.text))
		assert.Nil(t, m, "%q", c.text)
		assert.ErrorIs(t, err, c.is, "%q", c.text)
		assert.ErrorContains(t, err, c.want, "%q", c.text)
		assert.ErrorContains(t, err, fmt.Sprintf("line %d:", c.line), "%q", c.text)
	}
	broken := io.MultiReader(strings.NewReader(real+"2 2 1\n"), iotest.ErrReader(io.ErrClosedPipe))
	_, err := sparse.ReadMatrixMarket(broken)
	assert.ErrorIs(t, err, io.ErrClosedPipe)
}

// Whatever the reader accepts is a matrix.
func FuzzReadMatrixMarket(f *testing.F) {
	f.Add("general", "2 2 2\n1 1 1\n2 1 5\n")
	f.Add("symmetric", "3 3 2\n3 1 4\n3 1 -4\n")
	f.Add("skew-symmetric", "2 2 1\n2 1 x\n")
	f.Fuzz(func(t *testing.T, symmetry, rest string) {
		for _, word := range strings.Fields(rest) {
			if len(word) > 5 {
				t.Skip("perhaps a huge matrix")
			}
		}
		m, err := sparse.ReadMatrixMarket(strings.NewReader("%%MatrixMarket matrix coordinate real " + symmetry + "\n" + rest))
		if err == nil {
			err = m.Validate()
		} else if m != nil || errors.Is(err, gocuda.ErrInvalidValue) || errors.Is(err, gocuda.ErrNotSupported) {
			return
		}
		require.NoError(t, err)
	})
}

func TestReadDenseMatrixMarket(t *testing.T) {
	for text, want := range map[string][]float32{
		"%%MatrixMarket matrix array real general\n% by columns\n2 3\n1\n4\n2\n5\n3\n\n6e0\n": {1, 2, 3, 4, 5, 6},
		"%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n":                       {1, 2, 2, 3},
		"%%MatrixMarket matrix array real skew-symmetric\n2 2\n5\n":                           {0, -5, 5, 0},
		"%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n":                 {0, 1, 1, 0},
		"%%MatrixMarket matrix array real general\n0 7\n":                                     {},
	} {
		rows, cols, a, err := sparse.ReadDenseMatrixMarket(strings.NewReader(text))
		assert.NoError(t, err, "%q", text)
		assert.Equal(t, len(want), rows*cols, "%q", text)
		slicetest.Equal(t, want, a, "%q", text)
	}
}

func TestReadDenseMatrixMarketErrors(t *testing.T) {
	const head = "%%MatrixMarket matrix array real general\n"
	for text, says := range map[string]string{
		head:                         "line 1: ",
		head + "2 2 4\n":             "line 2: ",
		head + "1 2\n1\n":            "before element (1, 2)",
		head + "1 1\n1\n2\n":         "line 4: ",
		head + "1 1\none\n":          `line 3: invalid value: "one" is no number`,
		head + "1 2\n1 2\n":          "line 3: ",
		head + "99999999 99999999\n": "line 2: ",
		"%%MatrixMarket matrix array pattern general\n1 1\n": "line 1: ",
		"%%MatrixMarket matrix array real symmetric\n2 3\n":  "line 2: ",
		"%%MatrixMarket matrix array complex general\n1 1\n": "line 1: ",
	} {
		_, _, _, err := sparse.ReadDenseMatrixMarket(strings.NewReader(text))
		assert.ErrorContains(t, err, says, "%q", text)
	}
	_, err := sparse.ReadMatrixMarket(strings.NewReader(head + "1 1\n1\n"))
	assert.ErrorIs(t, err, gocuda.ErrNotSupported, "a dense matrix where a sparse one is read")
}

// The head of a file can claim a size that fills the memory. That is an error, before anything is
// taken.
func TestMatrixMarketThatDoesNotFit(t *testing.T) {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(s.Sys-s.HeapReleased) + 1<<30))
	head := "%%MatrixMarket matrix coordinate real general\n"
	_, err := sparse.ReadMatrixMarket(strings.NewReader(head + "2147483647 2147483647 1\n1 1 1\n"))
	assert.ErrorIs(t, err, mem.ErrOutOfMemory)
	assert.ErrorContains(t, err, "line 2")
	_, _, _, err = sparse.ReadDenseMatrixMarket(strings.NewReader(head + "32768 32767 1\n1 1 1\n"))
	assert.ErrorIs(t, err, mem.ErrOutOfMemory)
	_, _, _, err = sparse.ReadDenseMatrixMarket(strings.NewReader(strings.Replace(head, "coordinate", "array", 1) + "32768 32767\n1\n"))
	assert.ErrorIs(t, err, mem.ErrOutOfMemory)
}
