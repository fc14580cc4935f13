package tasks

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/apps/fem"
)

func femTask(fs *flag.FlagSet) Job {
	steps := fs.Int("steps", 2000, "the `number` of steps")
	method := choose(fs, "method", "how the forces of elements are added up", fem.Gather, fem.Colours, fem.Atomics)
	young := fs.Float64("young", 1, "Young's `modulus`")
	poisson := fs.Float64("poisson", 0.3, "Poisson's `ratio`")
	density := fs.Float64("density", 1, "the `density`")
	grade := fs.Float64("grade", 1, "the `factor` by which the modulus changes from the smallest x to the largest, linearly")
	weight := fs.Float64("weight", 4e-5, "the `acceleration` against z, from the first step on")
	fix := fs.String("fix", "", "the physical `group` of points, lines or triangles that is held, by name or tag (default the nodes with the smallest x)")
	return func(e *Env) (*Result, error) {
		if *steps < 0 {
			return nil, fmt.Errorf("-steps %d: want 0 or more", *steps)
		}
		for name, v := range map[string]float64{"grade": *grade, "weight": *weight} {
			if math.IsNaN(v) || math.IsInf(v, 0) || name == "grade" && v <= 0 {
				return nil, fmt.Errorf("-%s %v: want a number, of a grade above 0", name, v)
			}
		}
		m, err := e.mesh()
		if err != nil {
			return nil, err
		}
		if m.Elements() == 0 {
			return nil, fmt.Errorf("%s: there are no tetrahedra", e.In)
		}
		held, err := heldNodes(m, *fix)
		if err != nil {
			return nil, err
		}
		b, err := fem.New(m, graded(m, fem.Material{Young: *young, Poisson: *poisson, Density: *density}, *grade))
		if err != nil {
			return nil, err
		}
		for i := range m.Nodes() {
			b.Load[3*i+2] = float32(-*weight * b.Mass(i))
		}
		for _, node := range held {
			b.Fix(int(node), true, true, true)
		}
		dt := float32(0.9 * b.StableStep())
		for i := range *steps {
			if err := e.step(i, *steps, "step"); err != nil {
				return nil, err
			}
			if err := e.timed(func() error { return b.Step(e.Ctx, e.On, method.is, dt, 1) }); err != nil {
				return nil, err
			}
		}
		out := make([]float32, 0, 9*m.Nodes())
		farthest := 0.0
		for i := range m.Nodes() {
			for _, x := range m.Points[3*i : 3*i+3] {
				out = append(out, float32(x))
			}
			u := b.U[3*i : 3*i+3]
			out = append(append(out, u...), b.V[3*i:3*i+3]...)
			farthest = max(farthest, math.Sqrt(float64(u[0])*float64(u[0])+float64(u[1])*float64(u[1])+float64(u[2])*float64(u[2])))
		}
		if math.IsNaN(farthest) || math.IsInf(farthest, 0) {
			return nil, fmt.Errorf("the displacement is %v after %d steps", farthest, *steps)
		}
		r := &Result{Numbers: table[float32]{9, out}, Verify: func() error {
			// Errors of rounding grow with time, so only the first steps are compared, from the
			// start. An element's force is known to some 40 roundings.
			first := min(*steps, 50)
			got, err := fem.New(m, graded(m, fem.Material{Young: *young, Poisson: *poisson, Density: *density}, *grade))
			if err != nil {
				return err
			}
			copy(got.Load, b.Load)
			copy(got.Inverse, b.Inverse)
			if err := got.Step(e.Ctx, e.On, method.is, dt, first); err != nil {
				return err
			}
			u, v, f := make([]float64, len(b.U)), make([]float64, len(b.U)), make([]float64, len(b.U))
			for i := range first {
				if err := e.step(i, first, "step of the reference"); err != nil {
					return err
				}
				serial.FEMStep(got, float64(dt), u, v, f)
			}
			size := 0.0
			for _, x := range u {
				size = max(size, math.Abs(x))
			}
			for i, w := range u {
				if g := float64(got.U[i]); !(math.Abs(g-w) <= 1e-4*size) {
					return fmt.Errorf("coordinate %d of node %d is displaced by %v after %d steps, want %v within %.3g", i%3, i/3, g, first, w, 1e-4*size)
				}
			}
			return nil
		}}
		kinetic, elastic := b.Energy(float64(dt))
		r.printf("elements  %d, with %d nodes, of which %d are held; a line of the file is x, y, z, ux, uy, uz, vx, vy, vz", m.Elements(), m.Nodes(), len(held))
		r.printf("steps     %d of %.4g", *steps, dt)
		r.printf("moved     %.4g at most", farthest)
		r.printf("energy    %.6g kinetic, %.6g elastic and of the load, %.2g in all", kinetic, elastic, kinetic+elastic)
		r.Picture = func() image.Image { return deformed(b, farthest) }
		return r, nil
	}
}

// mesh returns the mesh of the file, or a beam of cubes.
func (e *Env) mesh() (*fem.Mesh, error) {
	if e.In != "" {
		f, err := e.open()
		if err != nil {
			return nil, err
		}
		defer f.Close()
		m, err := fem.ReadGmsh(f, e.In)
		if err != nil {
			return nil, err
		}
		return m, e.fits(float64(m.Elements()) / 6)
	}
	s, err := e.size(32, 8, 8)
	if err != nil {
		return nil, err
	}
	return fem.Block(s[0], s[1], s[2], 1)
}

// heldNodes returns the nodes of a group, or those with the smallest x.
func heldNodes(m *fem.Mesh, name string) (nodes []int32, err error) {
	if name == "" {
		low, high := extent(m, 0)
		for i := range m.Nodes() {
			if m.Points[3*i] <= low+1e-6*(high-low) {
				nodes = append(nodes, int32(i))
			}
		}
		return nodes, nil
	}
	tag, err := strconv.Atoi(name)
	isTag := err == nil
	for group, some := range m.Groups {
		if m.Names[group] == name || isTag && group.Tag == tag {
			nodes = append(nodes, some...)
		}
	}
	if len(nodes) == 0 {
		return nil, fmt.Errorf("-fix %s: the mesh has no such group of points, lines or triangles", name)
	}
	slices.Sort(nodes)
	return slices.Compact(nodes), nil
}

// extent returns the smallest and the largest coordinate of the nodes along an axis.
func extent(m *fem.Mesh, axis int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i := axis; i < len(m.Points); i += 3 {
		low, high = min(low, m.Points[i]), max(high, m.Points[i])
	}
	return low, high
}

// graded returns the material of each element, or one for all.
func graded(m *fem.Mesh, of fem.Material, grade float64) []fem.Material {
	if grade == 1 {
		return []fem.Material{of}
	}
	low, high := extent(m, 0)
	all := make([]fem.Material, m.Elements())
	for e := range all {
		x := 0.0
		for _, node := range m.Tets[4*e : 4*e+4] {
			x += m.Points[3*node] / 4
		}
		all[e] = of
		all[e].Young *= 1 + (grade-1)*(x-low)/(high-low)
	}
	return all
}

// deformed draws the surface of a body, with its displacements so enlarged that the largest is a
// tenth of its size. Elements are blue without stress and red where it is largest, by von Mises.
// The x axis is to the right, z up, and y into the picture.
func deformed(b *fem.Body, farthest float64) image.Image {
	const width, height, border = 900, 600, 30
	m := b.Mesh()
	size := 0.0
	for axis := range 3 {
		low, high := extent(m, axis)
		size = max(size, high-low)
	}
	enlarge := 0.0
	if farthest > 0 {
		enlarge = 0.1 * size / farthest
	}
	// Seen from the front, somewhat from the left and from above.
	sa, ca := math.Sincos(0.5)
	sb, cb := math.Sincos(0.35)
	flat := make([][3]float64, m.Nodes()) // to the right, up, and away
	var low, high [2]float64
	for i := range flat {
		var p [3]float64
		for k := range p {
			p[k] = m.Points[3*i+k] + enlarge*float64(b.U[3*i+k])
		}
		right, away := p[0]*ca-p[1]*sa, p[0]*sa+p[1]*ca
		flat[i] = [3]float64{right, p[2]*cb + away*sb, away*cb - p[2]*sb}
		for k := range 2 {
			if i == 0 {
				low[k], high[k] = flat[i][k], flat[i][k]
			}
			low[k], high[k] = min(low[k], flat[i][k]), max(high[k], flat[i][k])
		}
	}
	scale := min((width-2*border)/max(high[0]-low[0], 1e-300), (height-2*border)/max(high[1]-low[1], 1e-300))
	for i := range flat {
		flat[i][0] = width/2 + scale*(flat[i][0]-(low[0]+high[0])/2)
		flat[i][1] = height/2 - scale*(flat[i][1]-(low[1]+high[1])/2)
	}
	u := make([]float64, len(b.U))
	for i, x := range b.U {
		u[i] = float64(x)
	}
	faces, elements := m.Surface()
	stress := make([]float64, len(elements))
	most := 0.0
	for i, e := range elements {
		s := serial.FEMStress(b, int(e), u)
		xy, yz, zx := s[0][0]-s[1][1], s[1][1]-s[2][2], s[2][2]-s[0][0]
		stress[i] = math.Sqrt((xy*xy+yz*yz+zx*zx)/2 + 3*(s[0][1]*s[0][1]+s[1][2]*s[1][2]+s[0][2]*s[0][2]))
		most = max(most, stress[i])
	}
	if most == 0 {
		most = 1
	}
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range picture.Pix {
		picture.Pix[i] = 255
	}
	depth := make([]float64, width*height)
	for i := range depth {
		depth[i] = math.Inf(1)
	}
	for i := range elements {
		h := stress[i] / most
		c := [3]float64{0.25 + 0.75*h, 0.55 + 0.6*h*(1-h) - 0.35*h, 1 - 0.85*h}
		triangle(picture, depth, flat[faces[3*i]], flat[faces[3*i+1]], flat[faces[3*i+2]], c)
	}
	return picture
}

// triangle draws a triangle where nothing is before it, with dark edges.
func triangle(m *image.RGBA, depth []float64, a, b, c [3]float64, of [3]float64) {
	area := (b[0]-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(b[1]-a[1])
	if area == 0 || area != area {
		return
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	length := func(p, q [3]float64) float64 { return math.Hypot(p[0]-q[0], p[1]-q[1]) }
	heights := [3]float64{math.Abs(area) / length(b, c), math.Abs(area) / length(c, a), math.Abs(area) / length(a, b)} // in pixels
	top, bottom := int(min(a[1], b[1], c[1])), int(max(a[1], b[1], c[1]))+1
	left, right := int(min(a[0], b[0], c[0])), int(max(a[0], b[0], c[0]))+1
	for y := max(top, 0); y <= min(bottom, h-1); y++ {
		for x := max(left, 0); x <= min(right, w-1); x++ {
			px, py := float64(x)+0.5, float64(y)+0.5
			l0 := ((b[0]-px)*(c[1]-py) - (c[0]-px)*(b[1]-py)) / area
			l1 := ((c[0]-px)*(a[1]-py) - (a[0]-px)*(c[1]-py)) / area
			l2 := 1 - l0 - l1
			if l0 < 0 || l1 < 0 || l2 < 0 {
				continue
			}
			if z := l0*a[2] + l1*b[2] + l2*c[2]; z < depth[y*w+x] {
				depth[y*w+x] = z
				light := 1.0
				if min(l0*heights[0], l1*heights[1], l2*heights[2]) < 0.7 {
					light = 0.55
				}
				m.SetRGBA(x, y, color.RGBA{shade(light * of[0]), shade(light * of[1]), shade(light * of[2]), 255})
			}
		}
	}
}
