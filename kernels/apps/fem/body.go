package fem

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// A Method is how the forces of elements are added up at their nodes. All give the same result up
// to rounding.
type Method int

// The methods; see the package comment.
const (
	Gather Method = iota
	Colours
	Atomics
)

// String names the method.
func (m Method) String() string {
	switch m {
	case Gather:
		return "gather"
	case Colours:
		return "colours"
	case Atomics:
		return "atomics"
	}
	return fmt.Sprintf("Method(%d)", int(m))
}

// A Material is isotropic and elastic.
type Material struct {
	Young   float64 // the modulus E, above 0
	Poisson float64 // the ratio nu, above -1 and below 1/2
	Density float64 // above 0
}

// Lame returns Lame's constants.
func (m Material) Lame() (lambda, mu float64) {
	return m.Young * m.Poisson / ((1 + m.Poisson) * (1 - 2*m.Poisson)), m.Young / (2 * (1 + m.Poisson))
}

func (m Material) validate() error {
	if !(m.Young > 0 && m.Poisson > -1 && m.Poisson < 0.5 && m.Density > 0) || math.IsInf(m.Young, 0) || math.IsInf(m.Density, 0) {
		return check.Invalid("FEM", "a material of modulus %v, ratio %v and density %v", m.Young, m.Poisson, m.Density)
	}
	return nil
}

// A Body is a mesh with its materials, ready for steps. U is the displacement, V the velocity and
// Load the force from outside, x, y and z of each node; programs may read and write them between
// steps. The other slices are tables for kernels, which belong to the body. Number k of element e
// of n is at k*n+e in them.
type Body struct {
	U, V, Load []float32

	Corners   []int32   // the nodes of the 4 corners
	Gradients []float32 // of the functions of the first 3 corners, by x, y and z
	Elastic   []float32 // lambda and mu, times the volume
	Inverse   []float32 // 1/mass, for x, y and z of each node; 0 where it is fixed, and for nodes without element
	Start     []int32   // the first place in Where of each node, and the end
	Where     []int32   // 3*c*n+e for corner c of element e, node by node

	mesh      *Mesh
	materials []Material
	mass      []float64 // of nodes
	parts, f  []float32
	order     []int32 // the elements, colour by colour
	colours   []int   // where they begin in order, and the end
}

// New makes a body at rest. There is a material for each element, or one for all.
func New(m *Mesh, materials []Material) (*Body, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	n, nodes := m.Elements(), m.Nodes()
	if len(materials) != n && len(materials) != 1 {
		return nil, check.Invalid("FEM", "%d materials for %d elements", len(materials), n)
	}
	for _, of := range materials {
		if err := of.validate(); err != nil {
			return nil, err
		}
	}
	b := &Body{
		U: make([]float32, 3*nodes), V: make([]float32, 3*nodes), Load: make([]float32, 3*nodes),
		Corners: host.Apart[int32](4 * n), Gradients: host.Apart[float32](9 * n), Elastic: host.Apart[float32](2 * n),
		Inverse: make([]float32, 3*nodes), Start: make([]int32, nodes+1), Where: make([]int32, 4*n),
		mesh: m, materials: materials, mass: make([]float64, nodes),
		parts: host.Apart[float32](12 * n), f: make([]float32, 3*nodes),
	}
	for e := range n {
		g, volume := m.shape(e)
		of := b.Material(e)
		lambda, mu := of.Lame()
		b.Elastic[e], b.Elastic[n+e] = float32(lambda*volume), float32(mu*volume)
		for k := range 9 {
			b.Gradients[k*n+e] = float32(g[k/3][k%3])
			if v := b.Gradients[k*n+e]; v-v != 0 {
				return nil, check.Invalid("FEM", "element %d is too small for float32", e)
			}
		}
		for c := range 4 {
			node := m.Tets[4*e+c]
			b.Corners[c*n+e] = node
			b.Start[node+1]++
			b.mass[node] += of.Density * volume / 4
		}
	}
	for i := range nodes {
		b.Start[i+1] += b.Start[i]
	}
	next := append([]int32(nil), b.Start...)
	for e := range n {
		for c := range 4 {
			node := m.Tets[4*e+c]
			b.Where[next[node]] = int32(3*c*n + e)
			next[node]++
		}
	}
	for i, mass := range b.mass {
		if mass > 0 {
			b.Fix(i, false, false, false)
		}
	}
	return b, nil
}

// Material returns the material of element e.
func (b *Body) Material(e int) Material {
	if len(b.materials) == 1 {
		return b.materials[0]
	}
	return b.materials[e]
}

// Mesh returns the mesh.
func (b *Body) Mesh() *Mesh { return b.mesh }

// Mass returns the mass of a node.
func (b *Body) Mass(node int) float64 { return b.mass[node] }

// Fix says which coordinates of a node keep their displacement. Its velocity there should be 0.
func (b *Body) Fix(node int, x, y, z bool) {
	for k, fixed := range [3]bool{x, y, z} {
		b.Inverse[3*node+k] = 0
		if !fixed && b.mass[node] > 0 {
			b.Inverse[3*node+k] = float32(1 / b.mass[node])
		}
	}
}

// StableStep returns a step of time with which central differences are stable, whatever the mesh:
// 2/w, where w^2 bounds the eigenvalues of all elements, u.K.u <= (3 lambda + 2 mu) V |H|^2 or 2 mu
// V |H|^2, with |H|^2 <= |u|^2 sum
// |grad N_a|^2 and masses of rho V/4.
func (b *Body) StableStep() float64 {
	step := math.Inf(1)
	for e := range b.mesh.Elements() {
		g, _ := b.mesh.shape(e)
		sum := 0.0
		for k := range 3 {
			sum += g[0][k]*g[0][k] + g[1][k]*g[1][k] + g[2][k]*g[2][k]
			last := g[0][k] + g[1][k] + g[2][k]
			sum += last * last
		}
		lambda, mu := b.Material(e).Lame()
		step = min(step, math.Sqrt(b.Material(e).Density/(max(3*lambda, 0)+2*mu)/sum))
	}
	return step
}

const (
	threads    = 256     // of a block
	maxThreads = 1 << 23 // of a launch: below 65535 blocks
)

// Step advances the body by so many steps of dt. Nothing is checked on the way: with a step above
// [Body.StableStep] it may end in NaN.
func (b *Body) Step(ctx context.Context, on kernels.Launcher, method Method, dt float32, steps int) error {
	if !(dt >= 0) || math.IsInf(float64(dt), 0) || steps < 0 {
		return check.Invalid("FEM", "%d steps of %v", steps, dt)
	}
	if err := b.valid(method); err != nil {
		return err
	}
	for range steps {
		if method == Gather {
			if err := b.stepGather(ctx, on, dt); err != nil {
				return err
			}
			continue
		}
		if err := b.add(ctx, on, method, b.f); err != nil {
			return err
		}
		err := inParts(ctx, on, 0, len(b.U), func(first, count int) gocuda.Kernel {
			return advanceKernel(first, count, dt, b.Inverse, b.Load, b.f, b.U, b.V)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// stepGather is a step in which the thread of a node goes on with the force that it has gathered.
func (b *Body) stepGather(ctx context.Context, on kernels.Launcher, dt float32) error {
	if err := b.store(ctx, on); err != nil {
		return err
	}
	n := b.mesh.Elements()
	return inParts(ctx, on, 0, b.mesh.Nodes(), func(first, count int) gocuda.Kernel {
		return gatherAdvanceKernel(first, count, n, dt, b.Start, b.Where, b.parts, b.Inverse, b.Load, b.U, b.V)
	})
}

// store computes the forces on the corners of all elements.
func (b *Body) store(ctx context.Context, on kernels.Launcher) error {
	n := b.mesh.Elements()
	return inParts(ctx, on, 0, n, func(first, count int) gocuda.Kernel {
		return storeKernel(first, count, n, b.Corners, b.Gradients, b.Elastic, b.U, b.parts)
	})
}

// Forces sets f to the forces of all elements on their nodes.
func (b *Body) Forces(ctx context.Context, on kernels.Launcher, method Method, f []float32) error {
	if err := b.valid(method); err != nil {
		return err
	}
	if err := check.Lengths("FEM, forces", len(f), 3*b.mesh.Nodes()); err != nil {
		return err
	}
	if err := kernels.Waits("FEM", on); err != nil && method != Gather {
		return err // it would be cleared too early
	}
	clear(f)
	return b.add(ctx, on, method, f)
}

// valid returns an error unless the method exists and the slices that programs write have their
// lengths.
func (b *Body) valid(method Method) error {
	if method < Gather || method > Atomics {
		return check.Invalid("FEM", "%v", method)
	}
	for _, s := range [][]float32{b.U, b.V, b.Load} {
		if err := check.Lengths("FEM, displacements, velocities and loads", len(s), 3*b.mesh.Nodes()); err != nil {
			return err
		}
	}
	if method == Colours && b.colours == nil {
		b.colour()
	}
	return nil
}

// add adds the forces of all elements to f, which is zeros.
func (b *Body) add(ctx context.Context, on kernels.Launcher, method Method, f []float32) error {
	n := b.mesh.Elements()
	switch method {
	case Colours:
		for c := range len(b.colours) - 1 {
			err := inParts(ctx, on, b.colours[c], b.colours[c+1], func(first, count int) gocuda.Kernel {
				return scatterKernel(first, count, n, b.order, b.Corners, b.Gradients, b.Elastic, b.U, f)
			})
			if err != nil {
				return err
			}
		}
		return nil
	case Atomics:
		return inParts(ctx, on, 0, n, func(first, count int) gocuda.Kernel {
			return scatterAtomicKernel(first, count, n, b.Corners, b.Gradients, b.Elastic, b.U, f)
		})
	}
	if err := b.store(ctx, on); err != nil {
		return err
	}
	return inParts(ctx, on, 0, b.mesh.Nodes(), func(first, count int) gocuda.Kernel {
		return gatherKernel(first, count, n, b.Start, b.Where, b.parts, f)
	})
}

// inParts launches a kernel that has a thread for each thing from begin up to end, in launches that
// every device has room for.
func inParts(ctx context.Context, on kernels.Launcher, begin, end int, kernel func(first, count int) gocuda.Kernel) error {
	for first := begin; first < end; first += maxThreads {
		count := min(end-first, maxThreads)
		if err := on.Launch(ctx, grid.Linear(count, threads), kernel(first, count)); err != nil {
			return err
		}
	}
	return nil
}

// colour finds colours, the first that fits for each element, and orders the elements by them.
func (b *Body) colour() {
	n := b.mesh.Elements()
	taken := make([][]uint64, b.mesh.Nodes()) // the colours of each node's elements, as bits
	of := make([]int32, n)
	var counts []int
	for e := range n {
		nodes := b.mesh.Tets[4*e : 4*e+4]
		c := 0
		for word := 0; ; word++ {
			all := uint64(0)
			for _, node := range nodes {
				if word < len(taken[node]) {
					all |= taken[node][word]
				}
			}
			if all != math.MaxUint64 {
				for all&1 != 0 {
					all >>= 1
					c++
				}
				break
			}
			c += 64
		}
		for _, node := range nodes {
			for c/64 >= len(taken[node]) {
				taken[node] = append(taken[node], 0)
			}
			taken[node][c/64] |= 1 << (c % 64)
		}
		if c == len(counts) {
			counts = append(counts, 0)
		}
		of[e] = int32(c)
		counts[c]++
	}
	b.colours = make([]int, 1, len(counts)+1)
	for c, count := range counts {
		b.colours = append(b.colours, b.colours[c]+count)
	}
	next := append([]int(nil), b.colours...)
	b.order = make([]int32, n)
	for e, c := range of {
		b.order[next[c]] = int32(e)
		next[c]++
	}
}

// Energy returns the energy after a step of dt: kinetic, and elastic with that of the load. Their
// sum stays what it is but for rounding. The elastic part is that between the displacements before
// and after the step, u.K.u~/2.
func (b *Body) Energy(dt float64) (kinetic, elastic float64) {
	u, before := make([]float64, len(b.U)), make([]float64, len(b.U))
	for i := range u {
		v := float64(b.V[i])
		u[i] = float64(b.U[i])
		before[i] = u[i] - dt*v
		kinetic += b.mass[i/3] * v * v / 2
		elastic -= float64(b.Load[i]) * (u[i] + before[i]) / 2
	}
	for e := range b.mesh.Elements() {
		// Half of the volume times the product of the stress after the step and the strain before it.
		g, volume := b.mesh.shape(e)
		h, k := b.mesh.gradient(e, g, u), b.mesh.gradient(e, g, before)
		lambda, mu := b.Material(e).Lame()
		product := lambda * (h[0][0] + h[1][1] + h[2][2]) * (k[0][0] + k[1][1] + k[2][2])
		for i := range 3 {
			for j := range 3 {
				product += mu * (h[i][j] + h[j][i]) * k[i][j]
			}
		}
		elastic += volume * product / 2
	}
	return kinetic, elastic
}
