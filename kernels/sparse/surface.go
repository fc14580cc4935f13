package sparse

import (
	"cmp"
	"math"
	"slices"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Triangulated surfaces, whose Laplacians the text multiplies by (Nickolls and Kirk, section B.8).
// They are made, not read, so that anyone can have them in any size. What the text says of its
// matrices, that a row near row i needs elements of x near x[i], is a matter of the order of the
// vertices: see [Surface.MortonOrder].

// A Surface is triangles between points: each is the numbers of its three vertices. The zero value
// has none.
type Surface struct {
	Points    []kernels.Vec3[float64]
	Triangles [][3]int32
}

// maxVertices is the most vertices of a surface. With six neighbours each the elements of its
// Laplacian fit into 32 bits.
const maxVertices = math.MaxInt32 / 7

// Validate returns an error unless every point is finite, and every triangle has three different
// vertices that exist.
func (s *Surface) Validate() error {
	for i, p := range s.Points {
		if d := p.X - p.X + p.Y - p.Y + p.Z - p.Z; d != 0 { // NaN for all that is infinite
			return check.Invalid("surface", "point %d is at %v", i, p)
		}
	}
	for i, t := range s.Triangles {
		for k, v := range t {
			if v < 0 || int(v) >= len(s.Points) || v == t[(k+1)%3] {
				return check.Invalid("surface", "triangle %d is %v, with %d points", i, t, len(s.Points))
			}
		}
	}
	return nil
}

// Sphere returns a sphere of radius 1: an icosahedron whose triangles are divided into four as
// often as level says, 0 to 12 times. It has 10*4^level+2 vertices. Those of a level come after all
// of the levels before, so neighbours have numbers that are far apart.
func Sphere(level int) (*Surface, error) {
	if level < 0 || level > 12 {
		return nil, check.Invalid("sphere", "level %d is not between 0 and 12", level)
	}
	s := &Surface{}
	add := func(x, y, z float64) {
		d := math.Sqrt(x*x + y*y + z*z)
		s.Points = append(s.Points, kernels.Vec3[float64]{X: x / d, Y: y / d, Z: z / d})
	}
	// The corners of an icosahedron are those of three rectangles in the golden ratio, at right
	// angles to each other.
	for _, a := range []float64{-1, 1} {
		for _, b := range []float64{-math.Phi, math.Phi} {
			add(0, a, b)
			add(a, b, 0)
			add(b, 0, a)
		}
	}
	// Its triangles are between corners that are an edge apart: 2 between points at distance
	// √(1+φ²) from the middle.
	edge2 := 4 / (1 + math.Phi*math.Phi)
	near := func(i, j int) bool {
		p, q := s.Points[i], s.Points[j]
		return math.Abs((p.X-q.X)*(p.X-q.X)+(p.Y-q.Y)*(p.Y-q.Y)+(p.Z-q.Z)*(p.Z-q.Z)-edge2) < 0.1
	}
	for i := range 12 {
		for j := range i {
			for k := range j {
				if near(i, j) && near(j, k) && near(k, i) {
					s.Triangles = append(s.Triangles, s.outwards(int32(i), int32(j), int32(k)))
				}
			}
		}
	}
	for range level {
		middles := map[[2]int32]int32{}
		middle := func(a, b int32) int32 {
			key := [2]int32{min(a, b), max(a, b)}
			m, ok := middles[key]
			if !ok {
				m = int32(len(s.Points))
				middles[key] = m
				p, q := s.Points[a], s.Points[b]
				add(p.X+q.X, p.Y+q.Y, p.Z+q.Z)
			}
			return m
		}
		finer := make([][3]int32, 0, 4*len(s.Triangles))
		for _, t := range s.Triangles {
			a, b, c := middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])
			finer = append(finer, [3]int32{t[0], a, c}, [3]int32{a, t[1], b}, [3]int32{c, b, t[2]}, [3]int32{a, b, c})
		}
		s.Triangles = finer
	}
	return s, nil
}

// outwards returns the triangle with its vertices anticlockwise for who looks at the origin from
// outside.
func (s *Surface) outwards(i, j, k int32) [3]int32 {
	a, b, c := s.Points[i], s.Points[j], s.Points[k]
	if a.X*(b.Y*c.Z-b.Z*c.Y)+a.Y*(b.Z*c.X-b.X*c.Z)+a.Z*(b.X*c.Y-b.Y*c.X) < 0 {
		j, k = k, j
	}
	return [3]int32{i, j, k}
}

// Torus returns a torus: a ring of radius 1 with a tube of the given radius, between 0 and 1,
// around it. It has so many rings around the axis, with so many points each, at least 3 of both.
// Point (i, j), the j-th on the tube of ring i, has number i*points+j and the neighbours (i±1, j),
// (i, j±1), (i+1, j+1) and (i-1, j-1).
func Torus(rings, points int, tube float64) (*Surface, error) {
	if rings < 3 || points < 3 || rings > maxVertices/points {
		return nil, check.Invalid("torus", "%d rings of %d points", rings, points)
	}
	if !(tube > 0 && tube < 1) {
		return nil, check.Invalid("torus", "a tube of radius %v", tube)
	}
	s := &Surface{}
	at := func(i, j int) int32 { return int32(i%rings*points + j%points) }
	for i := range rings {
		around := 2 * math.Pi * float64(i) / float64(rings)
		for j := range points {
			across := 2 * math.Pi * float64(j) / float64(points)
			d := 1 + tube*math.Cos(across)
			s.Points = append(s.Points, kernels.Vec3[float64]{
				X: d * math.Cos(around), Y: d * math.Sin(around), Z: tube * math.Sin(across)})
			s.Triangles = append(s.Triangles,
				[3]int32{at(i, j), at(i+1, j), at(i+1, j+1)}, [3]int32{at(i, j), at(i+1, j+1), at(i, j+1)})
		}
	}
	return s, nil
}

// Plane returns a rectangle of w by h points with distance 1, row by row, whose squares are divided
// into two triangles by their diagonals from (x, y) to (x+1, y+1). It has no triangles unless w and
// h are at least 2.
func Plane(w, h int) (*Surface, error) {
	if w < 0 || h < 0 || w > 0 && h > maxVertices/w {
		return nil, check.Invalid("plane", "%d by %d points", w, h)
	}
	s := &Surface{}
	for i := range w * h {
		x, y := i%w, i/w
		s.Points = append(s.Points, kernels.Vec3[float64]{X: float64(x), Y: float64(y)})
		if x < w-1 && y < h-1 {
			a, b, c, d := int32(i), int32(i+1), int32(i+w), int32(i+w+1)
			s.Triangles = append(s.Triangles, [3]int32{a, b, d}, [3]int32{a, d, c})
		}
	}
	return s, nil
}

// MortonOrder returns the same surface with its vertices in the order of Morton (1966): by the bits
// of their three coordinates in turn, the highest first. Points with near numbers are near each
// other then, and most points have most of their neighbours near by in number too, which is what
// [SpMVCached] and every cache live on. order[i] is the number that vertex i of the new surface has
// in s.
func (s *Surface) MortonOrder() (sorted *Surface, order []int32, err error) {
	if err := s.Validate(); err != nil {
		return nil, nil, err
	}
	if len(s.Points) > math.MaxInt32 {
		return nil, nil, check.Invalid("surface", "%d points", len(s.Points))
	}
	least, size := kernels.Vec3[float64]{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, 0.0
	for _, p := range s.Points {
		least.X, least.Y, least.Z = min(least.X, p.X), min(least.Y, p.Y), min(least.Z, p.Z)
	}
	for _, p := range s.Points {
		size = max(size, p.X-least.X, p.Y-least.Y, p.Z-least.Z)
	}
	const bits = 21 // of each coordinate: 63 in all
	spread := func(v, least float64) uint64 {
		scaled := 0.0
		if size > 0 {
			scaled = (v/size - least/size) * (1<<bits - 1)
		}
		n, key := uint64(min(max(scaled, 0), 1<<bits-1)), uint64(0)
		for b := range bits {
			key |= n >> b & 1 << (3 * b)
		}
		return key
	}
	type place struct {
		key uint64
		old int32
	}
	places := make([]place, len(s.Points))
	for i, p := range s.Points {
		key := spread(p.X, least.X) | spread(p.Y, least.Y)<<1 | spread(p.Z, least.Z)<<2
		places[i] = place{key, int32(i)}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.old, b.old)) })

	sorted = &Surface{Points: make([]kernels.Vec3[float64], len(places)), Triangles: make([][3]int32, len(s.Triangles))}
	order = make([]int32, len(places))
	renamed := make([]int32, len(places))
	for i, p := range places {
		sorted.Points[i], order[i], renamed[p.old] = s.Points[p.old], p.old, int32(i)
	}
	for i, t := range s.Triangles {
		sorted.Triangles[i] = [3]int32{renamed[t[0]], renamed[t[1]], renamed[t[2]]}
	}
	return sorted, order, nil
}
