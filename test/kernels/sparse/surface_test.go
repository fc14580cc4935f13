package sparse_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/sparse"
)

// surfaces are one of each kind, with their names and Euler characteristics.
func surfaces(t *testing.T) map[string]*sparse.Surface {
	t.Helper()
	all := map[string]*sparse.Surface{}
	for _, c := range []struct {
		name string
		make func() (*sparse.Surface, error)
	}{
		{"icosahedron, 2", func() (*sparse.Surface, error) { return sparse.Sphere(0) }},
		{"sphere, 2", func() (*sparse.Surface, error) { return sparse.Sphere(2) }},
		{"torus, 0", func() (*sparse.Surface, error) { return sparse.Torus(13, 8, 0.3) }},
		{"least torus, 0", func() (*sparse.Surface, error) { return sparse.Torus(3, 3, 0.5) }},
		{"plane, 1", func() (*sparse.Surface, error) { return sparse.Plane(9, 7) }},
		{"triangles, 1", func() (*sparse.Surface, error) { return sparse.Plane(2, 2) }},
	} {
		s, err := c.make()
		require.NoError(t, err)
		all[c.name] = s
	}
	return all
}

// area is the area of a triangle, by Heron's formula.
func area(s *sparse.Surface, t [3]int32) float64 {
	side := func(i, j int32) float64 {
		p, q := s.Points[i], s.Points[j]
		return math.Hypot(math.Hypot(p.X-q.X, p.Y-q.Y), p.Z-q.Z)
	}
	a, b, c := side(t[0], t[1]), side(t[1], t[2]), side(t[2], t[0])
	h := (a + b + c) / 2
	return math.Sqrt(h * (h - a) * (h - b) * (h - c))
}

func TestSurfacesAreClosedByEuler(t *testing.T) {
	for name, s := range surfaces(t) {
		assert.NoError(t, s.Validate(), name)
		// Every edge is in one triangle in each direction, or at a border in one alone.
		edges := map[[2]int32]int{}
		for _, v := range s.Triangles {
			for k := range v {
				edges[[2]int32{v[k], v[(k+1)%3]}]++
			}
		}
		whole := 0
		for e, n := range edges {
			assert.Equal(t, 1, n, "%s: triangles with edge %v in one direction", name, e)
			if back := edges[[2]int32{e[1], e[0]}]; back == 0 || e[0] < e[1] {
				whole++
				if back == 0 {
					assert.Contains(t, name, "1", "edge %v is a border", e)
				}
			}
		}
		var want int
		fmt.Sscanf(name[strings.Index(name, ",")+1:], "%d", &want)
		assert.Equal(t, want, len(s.Points)-whole+len(s.Triangles), "%s: %d vertices - %d edges + %d triangles", name, len(s.Points), whole, len(s.Triangles))
	}
}

func TestSphereIsASphere(t *testing.T) {
	last := 0.0
	for level := range 5 {
		s, err := sparse.Sphere(level)
		require.NoError(t, err)
		assert.Equal(t, 10<<(2*level)+2, len(s.Points), "level %d", level)
		for _, p := range s.Points {
			require.InDelta(t, 1, math.Hypot(math.Hypot(p.X, p.Y), p.Z), 1e-14, "level %d: %v from the middle", level, p)
		}
		all, volume := 0.0, 0.0
		for _, v := range s.Triangles {
			all += area(s, v)
			a, b, c := s.Points[v[0]], s.Points[v[1]], s.Points[v[2]]
			volume += (a.X*(b.Y*c.Z-b.Z*c.Y) + a.Y*(b.Z*c.X-b.X*c.Z) + a.Z*(b.X*c.Y-b.Y*c.X)) / 6
		}
		if level == 0 { // of an icosahedron with corners on the sphere, by its edge a
			a := 4 / math.Sqrt(10+2*math.Sqrt(5))
			assert.InDelta(t, 5*math.Sqrt(3)*a*a, all, 1e-13, "the area of the icosahedron")
			assert.InDelta(t, 5*(3+math.Sqrt(5))/12*a*a*a, volume, 1e-13, "its volume")
		}
		// From within, and ever nearer to that of the sphere. The volume is positive if triangles
		// look outwards.
		assert.Greater(t, all, last, "level %d: area", level)
		assert.Less(t, all, 4*math.Pi, "level %d: area", level)
		assert.Positive(t, volume, "level %d: volume", level)
		assert.Less(t, volume, 4*math.Pi/3, "level %d: volume", level)
		last = all
	}
	assert.InEpsilon(t, 4*math.Pi, last, 0.02, "area")
}

func TestLaplaciansOfSurfaces(t *testing.T) {
	for name, s := range surfaces(t) {
		for kind, make := range map[string]func() (*sparse.CSR, error){"graph": s.GraphLaplacian, "cotangent": s.CotangentLaplacian} {
			m, err := make()
			require.NoError(t, err)
			require.NoError(t, m.Validate(), "%s, %s", name, kind)
			d, n := dense(m), m.Rows
			for i := range n {
				sum := 0.0
				for j := range n {
					sum += d.At(i, j)
					if d.At(i, j) != d.At(j, i) {
						t.Fatalf("%s, %s: (%d, %d) is %v, and across %v", name, kind, i, j, d.At(i, j), d.At(j, i))
					}
				}
				most := 0x1p-24 * d.At(i, i)
				if kind == "graph" {
					most = 0
				}
				assert.InDelta(t, 0, sum, most, "%s, %s: row %d", name, kind, i)
				row := m.Col[m.RowPtr[i]:m.RowPtr[i+1]]
				assert.True(t, slices.IsSorted(row), "%s, %s: row %d has the columns %v", name, kind, i, row)
				assert.Contains(t, row, int32(i), "%s, %s: row %d", name, kind, i)
			}
			// The least eigenvalue is 0, of the constants alone, since all is of one piece.
			// Rounding of the elements to float32, at most 2^-24 of the size of the matrix, moves
			// eigenvalues by no more than that.
			var eigen mat.EigenSym
			require.True(t, eigen.Factorize(mat.NewSymDense(n, d.RawMatrix().Data), false), "gonum finds no eigenvalues")
			v := eigen.Values(nil)
			assert.LessOrEqual(t, math.Abs(v[0]), 0x1p-23*v[n-1], "%s, %s: the eigenvalues begin %v", name, kind, v[:2])
			assert.Greater(t, v[1], 0x1p-20*v[n-1], "%s, %s: the eigenvalues begin %v", name, kind, v[:2])
			if kind == "graph" {
				for i := range n {
					assert.Equal(t, float32(m.RowPtr[i+1]-m.RowPtr[i]-1), d32(m, i), "%s: neighbours of vertex %d", name, i)
				}
				continue
			}
			// With cotangents, the coordinates have p·Lp = 2 area between them: of the linear
			// function x on a triangle in the plane |grad x|² is 1, and so it is of y.
			want, got := 0.0, 0.0
			for _, t := range s.Triangles {
				want += 2 * area(s, t)
			}
			for i := range n {
				for j := range n {
					p, q := s.Points[i], s.Points[j]
					got += d.At(i, j) * (p.X*q.X + p.Y*q.Y + p.Z*q.Z)
				}
			}
			// Each element was rounded by 2^-25 of itself; their absolute sum times the square of
			// the largest coordinate.
			size := 0.0
			for _, v := range m.Val {
				size += math.Abs(float64(v))
			}
			assert.InDelta(t, want, got, 0x1p-24*size*100, "%s: p·Lp is twice the area", name)
		}
	}
}

// d32 is element i of the diagonal.
func d32(m *sparse.CSR, i int) float32 {
	for k := m.RowPtr[i]; k < m.RowPtr[i+1]; k++ {
		if int(m.Col[k]) == i {
			return m.Val[k]
		}
	}
	return 0
}

// Of twelve vertices of a sphere come five edges, of all others six.
func TestSphereHasTwelveCorners(t *testing.T) {
	s, err := sparse.Sphere(4)
	require.NoError(t, err)
	m, err := s.GraphLaplacian()
	require.NoError(t, err)
	count := map[float32]int{}
	for i := range m.Rows {
		count[d32(m, i)]++
	}
	assert.Len(t, count, 2)
	assert.Equal(t, 12, count[5])
	assert.Equal(t, m.Rows-12, count[6])
}

// The eigenvectors of the graph of a torus are waves, by its symmetry.
func TestEigenvaluesOfATorus(t *testing.T) {
	const n, p = 11, 7
	s, err := sparse.Torus(n, p, 0.5)
	require.NoError(t, err)
	m, err := s.GraphLaplacian()
	require.NoError(t, err)
	var eigen mat.EigenSym
	require.True(t, eigen.Factorize(mat.NewSymDense(n*p, dense(m).RawMatrix().Data), false), "gonum finds no eigenvalues")
	got, want := eigen.Values(nil), []float64(nil)
	for k := range n {
		for l := range p {
			a, b := 2*math.Pi*float64(k)/n, 2*math.Pi*float64(l)/p
			want = append(want, 6-2*math.Cos(a)-2*math.Cos(b)-2*math.Cos(a+b))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	slicetest.InDelta(t, want, got, 1e-12)
}

// On squares that are divided by diagonals, a diagonal is opposite to right angles: its weight is
// 0, and what is left is the 5-point Laplacian of the grid.
func TestCotangentLaplacianOfThePlane(t *testing.T) {
	const w, h = 8, 6
	s, err := sparse.Plane(w, h)
	require.NoError(t, err)
	m, err := s.CotangentLaplacian()
	require.NoError(t, err)
	g, err := sparse.Laplacian(w, h)
	require.NoError(t, err)
	got, want := dense(m), dense(g)
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			slicetest.Equal(t, want.RawRowView(y*w+x), got.RawRowView(y*w+x), "(%d, %d)", x, y)
		}
	}
	assert.Equal(t, -0.5, got.At(0, 1), "the corner")
	assert.Equal(t, -0.5, got.At(0, w), "the corner")
	assert.Equal(t, 1.0, got.At(0, 0), "the corner")
}

func TestMortonOrder(t *testing.T) {
	// The points of a square of 4 by 4 come as Morton numbers them: by the bits y1 x1 y0 x0.
	s, err := sparse.Plane(4, 4)
	require.NoError(t, err)
	_, order, err := s.MortonOrder()
	assert.NoError(t, err)
	slicetest.Equal(t, []int32{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}, order)
	for name, s := range surfaces(t) {
		sorted, order, err := s.MortonOrder()
		require.NoError(t, err)
		all := slices.Clone(order)
		slices.Sort(all)
		require.True(t, slicetest.Each(t, func(i int) int32 { return int32(i) }, all, "%s: no permutation of the vertices", name))
		slicetest.Each(t, func(i int) kernels.Vec3[float64] { return s.Points[order[i]] }, sorted.Points, name)
		slicetest.EqualFunc(t, s.Triangles, sorted.Triangles, func(want, got [3]int32) bool {
			return want == [3]int32{order[got[0]], order[got[1]], order[got[2]]}
		}, name)
	}
	// It is for this: more elements find theirs in the window.
	s, err = sparse.Sphere(5)
	require.NoError(t, err)
	sorted, _, err := s.MortonOrder()
	require.NoError(t, err)
	before, err := s.GraphLaplacian()
	require.NoError(t, err)
	after, err := sorted.GraphLaplacian()
	require.NoError(t, err)
	assert.Greater(t, sparse.WindowShare(after), sparse.WindowShare(before), "elements in the window")
	s, _, err = (&sparse.Surface{}).MortonOrder()
	require.NoError(t, err)
	assert.Empty(t, s.Points, "of nothing")
}

func TestSurfacesRefuseBadArguments(t *testing.T) {
	errs := map[string]error{}
	try := func(name string, _ any, err error) { errs[name] = err }
	for _, level := range []int{-1, 13, math.MaxInt} {
		s, err := sparse.Sphere(level)
		try(fmt.Sprint("sphere ", level), s, err)
	}
	for _, c := range [][2]int{{2, 3}, {3, 2}, {-1, 5}, {5, -1}, {1 << 15, 1 << 15}, {math.MaxInt, math.MaxInt}} {
		s, err := sparse.Torus(c[0], c[1], 0.5)
		try(fmt.Sprint("torus ", c), s, err)
	}
	for _, tube := range []float64{0, 1, -1, math.NaN()} {
		s, err := sparse.Torus(3, 3, tube)
		try(fmt.Sprint("tube ", tube), s, err)
	}
	for _, c := range [][2]int{{-1, 1}, {1, -1}, {1 << 15, 1 << 15}, {2, math.MaxInt}} {
		s, err := sparse.Plane(c[0], c[1])
		try(fmt.Sprint("plane ", c), s, err)
	}
	p := make([]kernels.Vec3[float64], 3)
	for name, s := range map[string]*sparse.Surface{
		"vertex":   {Points: p, Triangles: [][3]int32{{0, 1, 3}}},
		"negative": {Points: p, Triangles: [][3]int32{{0, -1, 2}}},
		"twice":    {Points: p, Triangles: [][3]int32{{0, 1, 0}}},
		"infinite": {Points: []kernels.Vec3[float64]{{Y: math.Inf(-1)}}},
		"NaN":      {Points: []kernels.Vec3[float64]{{Z: math.NaN()}}},
	} {
		a, err := s.GraphLaplacian()
		try("graph "+name, a, err)
		b, err := s.CotangentLaplacian()
		try("cotangent "+name, b, err)
		_, c, err := s.MortonOrder()
		try("order "+name, c, err)
	}
	flat := &sparse.Surface{Points: p, Triangles: [][3]int32{{0, 1, 2}}}
	_, err := flat.GraphLaplacian()
	assert.NoError(t, err) // where points are is nothing to it
	m, err := flat.CotangentLaplacian()
	try("flat", m, err)
	try("market", nil, sparse.WriteMatrixMarket(&bytes.Buffer{}, nil))
	try("market 2", nil, sparse.WriteMatrixMarket(&bytes.Buffer{}, &sparse.CSR{Rows: -1}))
	for name, err := range errs {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
}

func TestMatrixMarketReadsBack(t *testing.T) {
	s, err := sparse.Torus(5, 4, 0.3)
	require.NoError(t, err)
	m, err := s.CotangentLaplacian()
	require.NoError(t, err)
	for _, m := range []*sparse.CSR{m, {}, random(7, 30)} {
		var text bytes.Buffer
		require.NoError(t, sparse.WriteMatrixMarket(&text, m))
		back, err := sparse.ReadMatrixMarket(&text)
		require.NoError(t, err)
		assert.Equal(t, m.Rows, back.Rows)
		assert.Equal(t, m.Cols, back.Cols)
		slicetest.Equal(t, m.Col, back.Col, "columns of %d by %d elements", m.Rows, m.Cols)
		slicetest.Equal(t, m.Val, back.Val, "values of %d by %d elements", m.Rows, m.Cols)
		if len(m.RowPtr) > 0 {
			slicetest.Equal(t, m.RowPtr, back.RowPtr, "rows of %d by %d elements", m.Rows, m.Cols)
		}
	}
	assert.ErrorIs(t, sparse.WriteMatrixMarket(full{}, m), errFull)
}

var errFull = errors.New("full")

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
