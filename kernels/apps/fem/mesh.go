package fem

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// A Mesh is a body in tetrahedra.
type Mesh struct {
	Points []float64 // x, y and z of each node
	Tets   []int32   // the nodes of the four corners of each element, in any order
	Region []int32   // the physical tag of each element; nil if there are none
	// Groups are the physical groups of points, lines and triangles, with their nodes, and Names
	// the names of all groups that have one.
	Groups map[Group][]int32
	Names  map[Group]string
}

// A Group is a physical group of Gmsh. A tag belongs to a dimension, which is 0 for points up to 3
// for tetrahedra.
type Group struct{ Dim, Tag int }

// maxElements keeps places in a table of 12 numbers an element within 32 bits.
const maxElements = math.MaxInt32 / 12

// bytesPerElement and bytesPerNode are what a [Body] takes.
const (
	bytesPerElement = 4*4 + 11*4 + 12*4 + 4*4 + 16
	bytesPerNode    = 7*3*4 + 8 + 4
)

// Nodes returns how many nodes there are.
func (m *Mesh) Nodes() int { return len(m.Points) / 3 }

// Elements returns how many tetrahedra there are.
func (m *Mesh) Elements() int { return len(m.Tets) / 4 }

// Validate returns an error unless all elements have four different nodes that exist, and a volume.
func (m *Mesh) Validate() error {
	if len(m.Points)%3 != 0 || len(m.Tets)%4 != 0 || m.Region != nil && len(m.Region) != m.Elements() {
		return check.Invalid("FEM", "%d coordinates of nodes, %d corners and %d regions", len(m.Points), len(m.Tets), len(m.Region))
	}
	if m.Elements() > maxElements || m.Nodes() > math.MaxInt32/3 {
		return check.Invalid("FEM", "%d elements and %d nodes, more than 32 bits can count", m.Elements(), m.Nodes())
	}
	for i, x := range m.Points {
		if x-x != 0 {
			return check.Invalid("FEM", "node %d is at %v", i/3, x)
		}
	}
	for i, node := range m.Tets {
		if node < 0 || int(node) >= m.Nodes() {
			return check.Invalid("FEM", "element %d has node %d of %d", i/4, node, m.Nodes())
		}
	}
	for e := range m.Elements() {
		if _, v := m.shape(e); !(v > 0) || math.IsInf(v, 0) {
			return check.Invalid("FEM", "element %d, of nodes %v, has the volume %v", e, m.Tets[4*e:4*e+4], v)
		}
	}
	return host.Need(float64(m.Elements())*bytesPerElement+float64(m.Nodes())*bytesPerNode, fmt.Sprintf("%d elements", m.Elements()))
}

// shape returns the gradients of the first three corners' functions, and the volume.
func (m *Mesh) shape(e int) (g [3][3]float64, volume float64) {
	at := func(c int) (p [3]float64) {
		copy(p[:], m.Points[3*m.Tets[4*e+c]:])
		return p
	}
	d := at(3)
	var edge [3][3]float64
	for c := range edge {
		p := at(c)
		for k := range p {
			edge[c][k] = p[k] - d[k]
		}
	}
	det := 0.0
	for c := range g {
		a, b := edge[(c+1)%3], edge[(c+2)%3]
		for k := range g[c] {
			g[c][k] = a[(k+1)%3]*b[(k+2)%3] - a[(k+2)%3]*b[(k+1)%3]
		}
		if c == 0 {
			det = g[0][0]*edge[0][0] + g[0][1]*edge[0][1] + g[0][2]*edge[0][2]
		}
		for k := range g[c] {
			g[c][k] /= det
		}
	}
	return g, math.Abs(det) / 6
}

// gradient returns the gradient of a displacement u in an element: h[i][k] is that of coordinate i
// along k. g are the gradients of the first three corners' functions.
func (m *Mesh) gradient(e int, g [3][3]float64, u []float64) (h [3][3]float64) {
	last := u[3*m.Tets[4*e+3]:]
	for c := range g {
		at := u[3*m.Tets[4*e+c]:]
		for i := range 3 {
			for k := range 3 {
				h[i][k] += (at[i] - last[i]) * g[c][k]
			}
		}
	}
	return h
}

// Block returns a block of nx by ny by nz cubes with sides of h, each cut into six tetrahedra
// around its diagonal (Kuhn, Some Combinatorial Lemmas in Topology, 1960). One corner is at the
// origin.
func Block(nx, ny, nz int, h float64) (*Mesh, error) {
	if nx < 1 || ny < 1 || nz < 1 || !(h > 0) || math.IsInf(h, 0) {
		return nil, check.Invalid("FEM", "a block of %d by %d by %d cubes of %v", nx, ny, nz, h)
	}
	cubes := float64(nx) * float64(ny) * float64(nz)
	nodes := (float64(nx) + 1) * (float64(ny) + 1) * (float64(nz) + 1)
	if 6*cubes > maxElements || 3*nodes > math.MaxInt32 {
		return nil, check.Invalid("FEM", "a block of %d by %d by %d cubes, more than 32 bits can count", nx, ny, nz)
	}
	if err := host.Need(6*16*cubes+24*nodes, fmt.Sprintf("a block of %d by %d by %d cubes", nx, ny, nz)); err != nil {
		return nil, err
	}
	m := &Mesh{Points: make([]float64, 0, 3*int(nodes)), Tets: make([]int32, 0, 24*int(cubes))}
	for z := range nz + 1 {
		for y := range ny + 1 {
			for x := range nx + 1 {
				m.Points = append(m.Points, h*float64(x), h*float64(y), h*float64(z))
			}
		}
	}
	step := [3]int{1, nx + 1, (nx + 1) * (ny + 1)}
	for z := range nz {
		for y := range ny {
			for x := range nx {
				first := x + y*step[1] + z*step[2]
				// The six ways from the first corner to the opposite one, along the three axes in
				// any order.
				for _, way := range [][3]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}} {
					at := first
					m.Tets = append(m.Tets, int32(at))
					for _, axis := range way {
						at += step[axis]
						m.Tets = append(m.Tets, int32(at))
					}
				}
			}
		}
	}
	return m, nil
}

// Surface returns the faces that belong to one element only, three nodes each, with that element.
func (m *Mesh) Surface() (faces, elements []int32) {
	type face struct {
		nodes   [3]int32
		element int32
	}
	all := make([]face, 0, len(m.Tets))
	for e := range m.Elements() {
		t := m.Tets[4*e : 4*e+4]
		for c := range 4 {
			f := face{[3]int32{t[(c+1)%4], t[(c+2)%4], t[(c+3)%4]}, int32(e)}
			slices.Sort(f.nodes[:])
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b face) int { return slices.Compare(a.nodes[:], b.nodes[:]) })
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].nodes == all[i].nodes {
			end++
		}
		if end == i+1 {
			faces = append(faces, all[i].nodes[:]...)
			elements = append(elements, all[i].element)
		}
		i = end
	}
	return faces, elements
}
