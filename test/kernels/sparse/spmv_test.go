package sparse_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/sparse"
	"github.com/gocuda/gocuda/sanitize"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

type product func(ctx context.Context, on kernels.Launcher, m *sparse.CSR, x, y []float32) error

// products are the kernels, with the number of float32 roundings that a term of a row of k elements
// goes through.
var products = []struct {
	name   string
	mul    product
	rounds func(k int) int
}{
	{"row a thread", sparse.SpMV, func(k int) int { return k + 1 }},
	{"cached", sparse.SpMVCached, func(k int) int { return k + 1 }},
	{"vector", sparse.SpMVVector, func(k int) int { return k/32 + 7 }},
}

// dense writes m out, in float64. It has at least one row and one column.
func dense(m *sparse.CSR) *mat.Dense {
	d := mat.NewDense(max(m.Rows, 1), max(m.Cols, 1), nil)
	for i := range m.Rows {
		for k := m.RowPtr[i]; k < m.RowPtr[i+1]; k++ {
			j := int(m.Col[k])
			d.Set(i, j, d.At(i, j)+float64(m.Val[k]))
		}
	}
	return d
}

// random makes a matrix with rows of very different lengths, some empty, some full.
func random(rows, cols int) *sparse.CSR {
	r := rand.New(rand.NewPCG(uint64(rows), uint64(cols)))
	m := &sparse.CSR{Rows: rows, Cols: cols, RowPtr: make([]int32, 1)}
	for range rows {
		p := r.Float32() * 1.1
		p *= p * p
		for j := range cols {
			if r.Float32() < p {
				m.Col = append(m.Col, int32(j))
				m.Val = append(m.Val, r.Float32()*2-1)
			}
		}
		m.RowPtr = append(m.RowPtr, int32(len(m.Col)))
	}
	return m
}

// checkProduct compares y with m x, by gonum in float64. A sum in which each term goes through r
// roundings errs by at most r 2^-24 of the sum of the absolute terms, but for terms of second
// order: 1% is more than those.
func checkProduct(t *testing.T, what string, m *sparse.CSR, x, y []float32, rounds func(k int) int) {
	t.Helper()
	v := mat.NewVecDense(max(m.Cols, 1), nil)
	for j, e := range x {
		v.SetVec(j, float64(e))
	}
	d := dense(m)
	var want mat.VecDense
	want.MulVec(d, v)
	slicetest.Within(t, want.RawVector().Data[:len(y)], y, func(i int) float64 {
		size := 0.0
		for j := range m.Cols {
			size += math.Abs(d.At(i, j) * v.AtVec(j))
		}
		return float64(rounds(int(m.RowPtr[i+1]-m.RowPtr[i]))) * 0x1p-24 * 1.01 * size
	}, what)
}

func TestProductsAgainstGonum(t *testing.T) {
	sizes := [][2]int{{0, 0}, {0, 5}, {5, 0}, {1, 1}, {7, 9}, {9, 70}, {31, 300}, {255, 255}, {256, 3}, {257, 3}, {257, 257}, {257, 600}, {600, 257}, {513, 31}}
	for _, dev := range kerneltest.Devices(t) {
		for _, s := range sizes {
			if dev.Slow && s[0]*s[1] > 10000 {
				continue
			}
			m := random(s[0], s[1])
			require.NoError(t, m.Validate())
			x, plain := kerneltest.Uniform[float32](m.Cols), make([]float32, m.Rows)
			for _, p := range products {
				y := kerneltest.Uniform[float32](m.Rows) // what is in y before does not matter
				require.NoError(t, p.mul(t.Context(), dev, m, x, y), "%s, %s, %v", dev.Name, p.name, s)
				checkProduct(t, fmt.Sprintf("%s, %s, %v", dev.Name, p.name, s), m, x, y, p.rounds)
			}
			serial.SpMV(m, x, plain)
			checkProduct(t, fmt.Sprintf("serial, %v", s), m, x, plain, func(k int) int { return k + 1 })
		}
	}
}

// Integers up to 2^24 have exact sums, so all kernels agree on a surface bit for bit.
func TestProductsOfIntegersAreExact(t *testing.T) {
	s, err := sparse.Sphere(2)
	require.NoError(t, err)
	m, err := s.GraphLaplacian()
	require.NoError(t, err)
	x, want := make([]float32, m.Cols), make([]float32, m.Rows)
	for i := range x {
		x[i] = float32(i * i % 1009)
	}
	serial.SpMV(m, x, want)
	for _, dev := range kerneltest.Devices(t) {
		for _, p := range products {
			y := make([]float32, m.Rows)
			require.NoError(t, p.mul(t.Context(), dev, m, x, y))
			slicetest.Equal(t, want, y, "%s, %s", dev.Name, p.name)
		}
	}
}

// More rows than one launch of the largest grid of the first generation has room for.
func TestProductsOfManyRows(t *testing.T) {
	if testing.Short() || kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	for _, p := range products {
		rows := 65535*8 + 11
		if p.name == "cached" {
			rows = 65535*256 + 11
		}
		// Only the first row and the last ten have an element: 3 x the element with the number of
		// the row.
		m := &sparse.CSR{Rows: rows, Cols: rows, RowPtr: make([]int32, rows+1)}
		x, y := make([]float32, rows), make([]float32, rows)
		for i := range rows {
			if i == 0 || i >= rows-10 {
				m.Col, m.Val = append(m.Col, int32(i)), append(m.Val, 3)
				x[i] = float32(i%1000 + 1)
			}
			m.RowPtr[i+1] = int32(len(m.Col))
		}
		dev, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.G80))
		require.NoError(t, err)
		defer dev.Close()
		if p.name == "vector" {
			require.ErrorIs(t, p.mul(t.Context(), dev, m, x, y), gocuda.ErrNotSupported, "shuffles are there since compute capability 3.0")
			continue
		}
		require.NoError(t, p.mul(t.Context(), dev, m, x, y))
		slicetest.Each(t, func(i int) float32 { return 3 * x[i] }, y, p.name)
	}
}

func TestProductsAreQueued(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	on, m := kernels.OnStream(s), random(70, 300)
	x := kerneltest.Uniform[float32](300)
	for _, p := range products {
		y := make([]float32, 70)
		require.NoError(t, p.mul(t.Context(), on, m, x, y))
		require.NoError(t, s.Synchronize(t.Context()))
		checkProduct(t, p.name, m, x, y, p.rounds)
	}
}

func TestProductsRefuseBadArguments(t *testing.T) {
	ctx, dev, v := t.Context(), gocuda.Default(), make([]float32, 4)
	good := sparse.CSR{Rows: 2, Cols: 3, RowPtr: []int32{0, 1, 2}, Col: []int32{0, 2}, Val: v[:2]}
	bad := func(change func(m *sparse.CSR)) *sparse.CSR {
		m := good
		change(&m)
		return &m
	}
	for _, p := range products {
		for i, m := range []*sparse.CSR{
			nil,
			bad(func(m *sparse.CSR) { m.Rows = -1 }),
			bad(func(m *sparse.CSR) { m.Rows = math.MaxInt }), // Rows+1 wraps around
			bad(func(m *sparse.CSR) { m.Cols = -3 }),
			bad(func(m *sparse.CSR) { m.RowPtr = m.RowPtr[:2] }),
			bad(func(m *sparse.CSR) { m.RowPtr = nil }),
			bad(func(m *sparse.CSR) { m.RowPtr = []int32{1, 1, 2} }),
			bad(func(m *sparse.CSR) { m.RowPtr = []int32{0, 1, 3} }),
			bad(func(m *sparse.CSR) { m.Col = m.Col[:1] }),
		} {
			assert.ErrorIs(t, p.mul(ctx, dev, m, v[:3], v[:2]), gocuda.ErrInvalidValue, "%s: matrix %d", p.name, i)
		}
		for _, err := range []error{p.mul(ctx, dev, &good, v[:2], v[:2]), p.mul(ctx, dev, &good, v[:3], v[:3])} {
			assert.ErrorIs(t, err, gocuda.ErrInvalidValue, p.name)
		}
		if sanitize.Active() {
			continue // the mistake below is reported
		}
		// What only a look at all elements would show comes back from the kernel.
		for _, col := range []int32{3, -1} {
			var k *gocuda.KernelError
			m := bad(func(m *sparse.CSR) { m.Col = []int32{0, col} })
			assert.ErrorAs(t, p.mul(ctx, dev, m, []float32{1, 2, 3}, v[:2]), &k, "%s: column %d", p.name, col)
		}
	}
}

func TestWindowShare(t *testing.T) {
	// Rows of 256 points are windows. A point has the neighbours left and right in its own, and
	// those above, below and along the diagonal in another: 510 edges of 1021, and each edge is two
	// elements, a vertex one.
	s, err := sparse.Plane(256, 2)
	require.NoError(t, err)
	m, err := s.GraphLaplacian()
	require.NoError(t, err)
	assert.Equal(t, float64(512+2*510)/float64(512+2*(510+256+255)), sparse.WindowShare(m))
	assert.Zero(t, sparse.WindowShare(&sparse.CSR{}), "of nothing")
}
