package sparse_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/gocuda/rt"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/sparse"
	"github.com/gocuda/gocuda/sanitize"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// The Laplacian of x² + y² is 4 everywhere, and the matrix has the opposite sign.
func TestLaplacianOfASquare(t *testing.T) {
	const w, h = 23, 17
	m, err := sparse.Laplacian(w, h)
	require.NoError(t, err)
	f, y := make([]float32, w*h), make([]float32, w*h)
	for i := range f {
		f[i] = float32(i%w*(i%w) + i/w*(i/w))
	}
	require.NoError(t, sparse.SpMV(t.Context(), gocuda.Default(), m, f, y))
	for i := 1; i < h-1; i++ {
		slicetest.Each(t, func(int) float32 { return -4 }, y[i*w+1:(i+1)*w-1], "row %d", i)
	}
}

func TestLaplacian(t *testing.T) {
	for _, s := range [][2]int{{0, 0}, {0, 4}, {4, 0}, {1, 1}, {1, 6}, {6, 1}, {2, 2}, {5, 3}} {
		w, h := s[0], s[1]
		m, err := sparse.Laplacian(w, h)
		require.NoError(t, err)
		assert.NoError(t, m.Validate(), s)
		if w*h > 0 {
			assert.Len(t, m.Val, 5*w*h-2*w-2*h, s)
		}
		// Against the rule itself, point by point.
		d := dense(m)
		for i := range w * h {
			slicetest.Each(t, func(j int) float64 {
				switch dx, dy := i%w-j%w, i/w-j/w; dx*dx + dy*dy {
				case 0:
					return 4
				case 1:
					return -1
				}
				return 0
			}, d.RawRowView(i), "%v: row %d", s, i)
			assert.True(t, slices.IsSorted(m.Col[m.RowPtr[i]:m.RowPtr[i+1]]), "%v: the columns of row %d are not in order", s, i)
		}
	}
	for _, s := range [][2]int{{-1, 3}, {3, -1}, {1 << 16, 1 << 16}, {1, math.MaxInt}} {
		_, err := sparse.Laplacian(s[0], s[1])
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, s)
	}
}

func TestSpMVRefusesBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	v := make([]float32, 4)
	good := sparse.CSR{Rows: 2, Cols: 3, RowPtr: []int32{0, 1, 2}, Col: []int32{0, 2}, Val: v[:2]}
	bad := func(change func(m *sparse.CSR)) *sparse.CSR {
		m := good
		change(&m)
		return &m
	}
	for i, m := range []*sparse.CSR{
		nil,
		bad(func(m *sparse.CSR) { m.Rows = -1 }),
		bad(func(m *sparse.CSR) { m.RowPtr = m.RowPtr[:2] }),
		bad(func(m *sparse.CSR) { m.RowPtr = nil }),
		bad(func(m *sparse.CSR) { m.RowPtr = []int32{1, 1, 2} }),
		bad(func(m *sparse.CSR) { m.RowPtr = []int32{0, 1, 3} }),
		bad(func(m *sparse.CSR) { m.Col = m.Col[:1] }),
	} {
		assert.ErrorIs(t, sparse.SpMV(ctx, dev, m, v[:3], v[:2]), gocuda.ErrInvalidValue, "matrix %d", i)
		if m != nil {
			assert.Error(t, m.Validate(), "matrix %d", i)
		}
	}
	for _, err := range []error{
		sparse.SpMV(ctx, dev, &good, v[:2], v[:2]),
		sparse.SpMV(ctx, dev, &good, v[:3], v[:3]),
		bad(func(m *sparse.CSR) { m.RowPtr = []int32{0, 3, 2} }).Validate(),
		bad(func(m *sparse.CSR) { m.Col = []int32{0, 3} }).Validate(),
		bad(func(m *sparse.CSR) { m.Col = []int32{-1, 0} }).Validate(),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
	}
	if sanitize.Active() {
		return // the mistake below is reported
	}
	// What only a look at all elements would show comes back from the kernel.
	var k *gocuda.KernelError
	m := bad(func(m *sparse.CSR) { m.Col = []int32{0, 3} })
	assert.ErrorAs(t, sparse.SpMV(ctx, dev, m, v[:3], v[:2]), &k)
}

// A matrix that is so long that what later rows have is asked for beforehand: it has rows of 0 to 9
// elements, whose numbers are such that sums are exact, and ends with some of more than a block of
// threads could ask for.
func TestSpMVOfALongMatrix(t *testing.T) {
	if kerneltest.AsWritten {
		t.Skip("there the compiled kernel runs its source")
	}
	const cols = 5000
	r := rand.New(rand.NewPCG(11, 12))
	m := &sparse.CSR{Cols: cols, RowPtr: make([]int32, 1)}
	for len(m.Val) < 5<<19 {
		n := r.IntN(10)
		if len(m.Val) > 9<<18 {
			n = r.IntN(3 * cols)
		}
		for range n {
			m.Col = append(m.Col, int32(r.IntN(cols)))
			m.Val = append(m.Val, float32(r.IntN(9)-4))
		}
		m.RowPtr = append(m.RowPtr, int32(len(m.Val)))
		m.Rows++
	}
	if !rt.Far(m.Val) || !rt.Far(m.Col) {
		t.Skip("nothing is asked for on this machine")
	}
	x, y := make([]float32, cols), make([]float32, m.Rows)
	for i := range x {
		x[i] = float32(r.IntN(17) - 8)
	}
	require.NoError(t, sparse.SpMV(t.Context(), gocuda.Default(), m, x, y))
	slicetest.Each(t, func(row int) float32 {
		sum := 0
		for j := m.RowPtr[row]; j < m.RowPtr[row+1]; j++ {
			sum += int(m.Val[j]) * int(x[m.Col[j]])
		}
		return float32(sum)
	}, y)

	// A row that cannot be done is found among those that can.
	const threads = 128 // of a block
	const bad = 12345
	row, _ := slices.BinarySearch(m.RowPtr, bad+1)
	row--
	m.Col[bad] = cols
	var k *gocuda.KernelError
	require.ErrorAs(t, sparse.SpMV(t.Context(), gocuda.Default(), m, x, y), &k)
	assert.Equal(t, row, k.BlockIdx.X*threads+k.ThreadIdx.X, "the thread that has failed")
}
