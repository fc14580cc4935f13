package sparse

import (
	"cmp"
	"math"
	"slices"

	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The Laplacian of a triangulated surface: for each vertex, how much its value differs from those
// of its neighbours. Row i has -w for each neighbour and the sum of these w in the diagonal, so
// rows sum to zero, and the matrix is symmetric and, with x·Lx the sum of w (x_i - x_j)² over the
// edges, positive semidefinite. A vertex has six neighbours on average, whatever the size of the
// surface: the matrix has seven elements a row.

// GraphLaplacian returns the Laplacian with w = 1 for each edge: the number of neighbours in the
// diagonal. It knows which vertices are neighbours, and not where they are.
func (s *Surface) GraphLaplacian() (*CSR, error) {
	return s.laplacian(func(i, j, opposite int32) float64 { return 1 }, func(a, b float64) float64 { return a })
}

// CotangentLaplacian returns the Laplacian with w = (cot α + cot β)/2 for an edge, where α and β
// are the angles opposite to it in the triangles at its sides, of which there is one at a border
// (Pinkall and Polthier, Computing Discrete Minimal Surfaces and Their Conjugates, 1993). x·Lx is
// then the integral of |grad x|² for the x that is linear on each triangle. A triangle without area
// is an error.
//
// The values are computed in float64 and rounded to float32. The diagonal is the sum of the rounded
// ones, rounded, so a row sums to zero up to 2^-24 of its diagonal.
func (s *Surface) CotangentLaplacian() (*CSR, error) {
	return s.laplacian(func(i, j, opposite int32) float64 {
		p, q, o := s.Points[i], s.Points[j], s.Points[opposite]
		ux, uy, uz := p.X-o.X, p.Y-o.Y, p.Z-o.Z
		vx, vy, vz := q.X-o.X, q.Y-o.Y, q.Z-o.Z
		cx, cy, cz := uy*vz-uz*vy, uz*vx-ux*vz, ux*vy-uy*vx
		return (ux*vx + uy*vy + uz*vz) / math.Sqrt(cx*cx+cy*cy+cz*cz) / 2
	}, func(a, b float64) float64 { return a + b })
}

// laplacian makes the matrix. weight is that of edge i, j of a triangle; merge makes one weight of
// those of an edge in several triangles.
func (s *Surface) laplacian(weight func(i, j, opposite int32) float64, merge func(a, b float64) float64) (*CSR, error) {
	const what = "Laplacian of a surface"
	if err := s.Validate(); err != nil {
		return nil, err
	}
	n := len(s.Points)
	if n > math.MaxInt32 || len(s.Triangles) > (math.MaxInt32-n)/6 {
		return nil, check.Invalid(what, "%d points and %d triangles", n, len(s.Triangles))
	}
	// Each corner of a triangle has two neighbours. begin[i] is where those of vertex i begin in list.
	type neighbour struct {
		col int32
		w   float64
	}
	begin := make([]int32, n+1)
	for _, t := range s.Triangles {
		for _, v := range t {
			begin[v+1] += 2
		}
	}
	for i := range n {
		begin[i+1] += begin[i]
	}
	list, next := make([]neighbour, begin[n]), slices.Clone(begin)
	for i, t := range s.Triangles {
		for k := range t {
			a, b := t[k], t[(k+1)%3]
			w := weight(a, b, t[(k+2)%3])
			if math.IsNaN(w) || math.IsInf(w, 0) {
				return nil, check.Invalid(what, "triangle %d has no area", i)
			}
			list[next[a]], list[next[b]] = neighbour{b, w}, neighbour{a, w}
			next[a]++
			next[b]++
		}
	}
	m := &CSR{Rows: n, Cols: n, RowPtr: make([]int32, 1, n+1)}
	for i := range n {
		of := list[begin[i]:begin[i+1]]
		// Stable, so that both ends of an edge add up its weights in the same order.
		slices.SortStableFunc(of, func(a, b neighbour) int { return cmp.Compare(a.col, b.col) })
		diagonal, at := 0.0, -1
		for k := 0; k < len(of); {
			col, w := of[k].col, of[k].w
			for k++; k < len(of) && of[k].col == col; k++ {
				w = merge(w, of[k].w)
			}
			if at < 0 && int(col) > i {
				at = len(m.Col)
				m.Col, m.Val = append(m.Col, int32(i)), append(m.Val, 0)
			}
			m.Col, m.Val = append(m.Col, col), append(m.Val, float32(-w))
			diagonal += float64(float32(w))
		}
		if at < 0 {
			at = len(m.Col)
			m.Col, m.Val = append(m.Col, int32(i)), append(m.Val, 0)
		}
		m.Val[at] = float32(diagonal)
		m.RowPtr = append(m.RowPtr, int32(len(m.Col)))
	}
	return m, nil
}
