package fem_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/fem"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var methods = []fem.Method{fem.Gather, fem.Colours, fem.Atomics}

var steel = fem.Material{Young: 2, Poisson: 0.3, Density: 1.5}

// rough makes a block of cubes with sides of 1 whose nodes are moved by up to 0.2 along each axis,
// in graded materials.
func rough(t *testing.T, nx, ny, nz int) *fem.Body {
	m, err := fem.Block(nx, ny, nz, 1)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(uint64(nx), uint64(100*ny+nz)))
	for i := range m.Points {
		m.Points[i] += 0.4*r.Float64() - 0.2
	}
	graded := make([]fem.Material, m.Elements())
	for e := range graded {
		graded[e] = fem.Material{Young: 1 + r.Float64(), Poisson: 0.45*r.Float64() - 0.05, Density: 1 + r.Float64()}
	}
	b, err := fem.New(m, graded)
	require.NoError(t, err)
	return b
}

// displace sets displacements to those of a field, rounded to float32, which are returned.
func displace(b *fem.Body, field func(x, y, z float64) [3]float64) []float64 {
	p, u := b.Mesh().Points, make([]float64, len(b.U))
	for i := range b.Mesh().Nodes() {
		at := field(p[3*i], p[3*i+1], p[3*i+2])
		for k, v := range at {
			b.U[3*i+k] = float32(v)
			u[3*i+k] = float64(b.U[3*i+k])
		}
	}
	return u
}

func chance(r *rand.Rand) func(x, y, z float64) [3]float64 {
	return func(float64, float64, float64) [3]float64 {
		return [3]float64{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5}
	}
}

func largest[T kernels.Float](v []T) (m float64) {
	for _, x := range v {
		m = max(m, math.Abs(float64(x)))
	}
	return m
}

// A force is the sum of those of 24 elements or so, each with some 40 roundings of 2^-24: 1e-5 of
// the largest is above that.
const tolerance = 1e-5

var shapes = [][3]int{{1, 1, 1}, {3, 2, 1}, {5, 4, 7}, {33, 2, 1}, {11, 10, 9}}

func TestForcesAgainstSerial(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for i, s := range shapes {
			if dev.Slow && i >= 2 {
				break
			}
			b := rough(t, s[0], s[1], s[2])
			u := displace(b, chance(rand.New(rand.NewPCG(1, 2))))
			want, got := make([]float64, len(u)), make([]float32, len(u))
			serial.FEMForces(b, u, want)
			for _, method := range methods {
				require.NoError(t, b.Forces(t.Context(), dev, method, got))
				slicetest.InDelta(t, want, got, tolerance*largest(want), "%s, %v, %v", dev.Name, method, s)
			}
		}
	}
}

func TestStepsAgainstSerial(t *testing.T) {
	const steps = 5
	for _, dev := range kerneltest.Devices(t) {
		for i, s := range shapes {
			if dev.Slow && i >= 2 {
				break
			}
			for _, method := range methods {
				b := rough(t, s[0], s[1], s[2])
				dt := float32(0.9 * b.StableStep())
				r := rand.New(rand.NewPCG(3, 4))
				u := displace(b, chance(r))
				v, f := make([]float64, len(u)), make([]float64, len(u))
				for i := range v {
					b.V[i], b.Load[i] = r.Float32()-0.5, r.Float32()-0.5
					v[i] = float64(b.V[i])
				}
				b.Fix(0, true, true, true)
				b.Fix(2, false, true, false)
				v[0], v[1], v[2], v[7] = 0, 0, 0, 0
				b.V[0], b.V[1], b.V[2], b.V[7] = 0, 0, 0, 0
				require.NoError(t, b.Step(t.Context(), dev, method, dt, steps))
				for range steps {
					serial.FEMStep(b, float64(dt), u, v, f)
				}
				slicetest.InDelta(t, u, b.U, steps*tolerance, "%s, %v, %v: displacements", dev.Name, method, s)
				slicetest.InDelta(t, v, b.V, steps*tolerance*max(1, largest(v)), "%s, %v, %v: velocities", dev.Name, method, s)
				assert.Zero(t, b.V[0])
				assert.Zero(t, b.V[7])
			}
		}
	}
}

// inner reports which nodes of a block are on no face of it.
func inner(nx, ny, nz, node int) bool {
	x, y, z := node%(nx+1), node/(nx+1)%(ny+1), node/(nx+1)/(ny+1)
	return x > 0 && x < nx && y > 0 && y < ny && z > 0 && z < nz
}

// The patch test (Irons): a linear displacement gives the same stress everywhere, that of Hooke's
// law, and no force on inner nodes, however irregular the mesh.
func TestPatch(t *testing.T) {
	const nx, ny, nz = 5, 4, 6
	m := rough(t, nx, ny, nz).Mesh()
	b, err := fem.New(m, []fem.Material{steel})
	require.NoError(t, err)
	h := [3][3]float64{{0.5, -0.25, 0.125}, {0.375, 0.25, -0.5}, {-0.125, 0.625, -0.25}}
	field := func(x, y, z float64) (u [3]float64) {
		for i := range u {
			u[i] = h[i][0]*x + h[i][1]*y + h[i][2]*z + float64(i)
		}
		return u
	}
	u := make([]float64, len(b.U))
	for i := range m.Nodes() {
		at := field(m.Points[3*i], m.Points[3*i+1], m.Points[3*i+2])
		copy(u[3*i:], at[:])
	}
	// Lame's constants of E = 2, nu = 0.3.
	lambda, mu := 2*0.3/(1.3*0.4), 2/2.6
	var want [3][3]float64
	for i := range 3 {
		for k := range 3 {
			want[i][k] = mu * (h[i][k] + h[k][i])
		}
		want[i][i] += lambda * (h[0][0] + h[1][1] + h[2][2])
	}
	for e := range m.Elements() {
		got := serial.FEMStress(b, e, u)
		for i := range 3 {
			for k := range 3 {
				assert.InDelta(t, want[i][k], got[i][k], 1e-13, "element %d, stress %d%d", e, i, k)
			}
		}
	}
	f := make([]float64, len(u))
	serial.FEMForces(b, u, f)
	size := largest(f) // on the faces
	assert.Greater(t, size, 0.1)
	displace(b, field)
	for _, method := range methods {
		got := make([]float32, len(u))
		require.NoError(t, b.Forces(t.Context(), gocuda.Default(), method, got))
		for node := range m.Nodes() {
			for k := 3 * node; k < 3*node+3; k++ {
				if inner(nx, ny, nz, node) {
					assert.InDelta(t, 0, f[k], 1e-13, "node %d", node)
					// Displacements of up to 8 are rounded to float32, by 5e-7 at most, which 24
					// elements make a force of.
					assert.InDelta(t, 0, got[k], 1e-4*size, "%v, node %d", method, node)
				}
			}
		}
	}
}

// A pull along x in a material of E and nu: the stress is E times the strain, and 0 across, if it
// gets thinner by nu.
func TestPull(t *testing.T) {
	b, err := fem.New(rough(t, 2, 2, 2).Mesh(), []fem.Material{steel})
	require.NoError(t, err)
	u := make([]float64, len(b.U))
	for i, x := range b.Mesh().Points {
		u[i] = 0.01 * x
		if i%3 > 0 {
			u[i] *= -0.3
		}
	}
	s := serial.FEMStress(b, 7, u)
	assert.InDelta(t, 2*0.01, s[0][0], 1e-15)
	for _, other := range []float64{s[1][1], s[2][2], s[0][1], s[0][2], s[1][2]} {
		assert.InDelta(t, 0, other, 1e-15)
	}
}

// Translations make no force, bit for bit where the displacements of all nodes are the same. Small
// rotations make none but for rounding.
func TestRigidMotion(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		s := [3]int{6, 5, 4}
		if dev.Slow {
			s = [3]int{2, 2, 1}
		}
		b := rough(t, s[0], s[1], s[2])
		for _, method := range methods {
			f := make([]float32, len(b.U))
			displace(b, func(float64, float64, float64) [3]float64 { return [3]float64{0.1, -1.3, 7} })
			require.NoError(t, b.Forces(t.Context(), dev, method, f))
			assert.Zero(t, largest(f), "%s, %v: translation", dev.Name, method)
			u := displace(b, func(x, y, z float64) [3]float64 { return [3]float64{0.2*z - 0.3*y, 0.3*x - 0.1*z, 0.1*y - 0.2*x} })
			require.NoError(t, b.Forces(t.Context(), dev, method, f))
			// Displacements are below 4 and known to 2^-23 of that; a gradient is below 4, and 24
			// elements of stiffness below 8 meet.
			assert.LessOrEqual(t, largest(f), 4*0x1p-24*4*4*8*24, "%s, %v: rotation", dev.Name, method)
			want := make([]float64, len(u))
			rotate := func(i int) float64 {
				p := b.Mesh().Points[i-i%3:]
				return [3]float64{0.2*p[2] - 0.3*p[1], 0.3*p[0] - 0.1*p[2], 0.1*p[1] - 0.2*p[0]}[i%3]
			}
			for i := range u {
				u[i] = rotate(i)
			}
			serial.FEMForces(b, u, want)
			assert.LessOrEqual(t, largest(want), 1e-13, "rotation in float64")
		}
	}
}

// Central differences keep the energy, with loads and fixed nodes too: to rounding in float64, and
// in float32 as far as that goes.
func TestEnergyIsKept(t *testing.T) {
	steps, s := 400, [3]int{5, 4, 3}
	if kerneltest.Devices(t)[0].Slow {
		steps, s = 20, [3]int{2, 2, 1}
	}
	start := func() *fem.Body {
		b := rough(t, s[0], s[1], s[2])
		displace(b, chance(rand.New(rand.NewPCG(5, 6))))
		for i := range b.Load {
			b.Load[i] = 0.1
		}
		for node := range s[1] {
			b.Fix(node, true, true, true)
		}
		return b
	}
	b := start()
	dt := float64(float32(0.99 * b.StableStep()))
	u, v, f := make([]float64, len(b.U)), make([]float64, len(b.U)), make([]float64, len(b.U))
	for i := range u {
		u[i] = float64(b.U[i])
	}
	energy := func() float64 {
		kinetic, elastic := serial.FEMEnergy(b, dt, u, v)
		return kinetic + elastic
	}
	serial.FEMStep(b, dt, u, v, f)
	before, exchanged := energy(), 0.0
	for range steps {
		serial.FEMStep(b, dt, u, v, f)
		kinetic, _ := serial.FEMEnergy(b, dt, u, v)
		exchanged = max(exchanged, kinetic)
	}
	assert.InEpsilon(t, before, energy(), 1e-11)
	assert.Greater(t, exchanged, 0.2*before, "the body hardly moved")
	for _, method := range methods {
		b := start()
		require.NoError(t, b.Step(t.Context(), gocuda.Default(), method, float32(dt), steps))
		kinetic, elastic := b.Energy(dt)
		assert.InEpsilon(t, before, kinetic+elastic, 1e-4, method)
	}
}

// The momentum of a free body grows by the load, and by nothing else.
func TestMomentum(t *testing.T) {
	b := rough(t, 4, 3, 2)
	u := displace(b, chance(rand.New(rand.NewPCG(7, 8))))
	v, f := make([]float64, len(u)), make([]float64, len(u))
	for i := range b.Load {
		b.Load[i] = float32(i%3) - 0.5
	}
	const steps, dt = 30, 0.01
	for range steps {
		serial.FEMStep(b, dt, u, v, f)
	}
	for k := range 3 {
		sum := 0.0
		for i := range b.Mesh().Nodes() {
			sum += b.Mass(i) * v[3*i+k]
		}
		assert.InDelta(t, steps*dt*(float64(k)-0.5)*float64(b.Mesh().Nodes()), sum, 1e-11, "axis %d", k)
	}
}

// A bar with free ends swings along its axis with the period 2L/c, where c = root(E/rho). Mass and
// stiffness of a mesh err by the second order of the wave number, and inertia across the bar slows
// waves by (pi nu r/L)^2/2 of their speed, with the polar radius r of the cross-section (Rayleigh's
// correction): both are well below 1 % here.
func TestWavesInABar(t *testing.T) {
	if kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	const length = 48
	for _, nu := range []float64{0, 0.3} {
		for _, method := range methods {
			m, err := fem.Block(length, 2, 2, 1)
			require.NoError(t, err)
			b, err := fem.New(m, []fem.Material{{Young: 3, Poisson: nu, Density: 0.75}})
			require.NoError(t, err)
			displace(b, func(x, y, z float64) [3]float64 {
				s, c := math.Sincos(math.Pi * x / length)
				thinner := nu * 1e-2 * math.Pi / length * s
				return [3]float64{1e-2 * c, thinner * (y - 1), thinner * (z - 1)}
			})
			dt := float32(0.9 * b.StableStep())
			mode := func() (sum float64) {
				for i := range m.Nodes() {
					sum += b.Mass(i) * float64(b.U[3*i]) * math.Cos(math.Pi*m.Points[3*i]/length)
				}
				return sum
			}
			// The displacement of the mode is 0 at a quarter of the period, and at three quarters.
			var zeros []float64
			last := mode()
			for step := 0; len(zeros) < 2; step++ {
				require.NoError(t, b.Step(t.Context(), gocuda.Default(), method, dt, 1))
				now := mode()
				if last*now < 0 {
					zeros = append(zeros, float64(dt)*(float64(step)+last/(last-now)))
				}
				last = now
				require.Less(t, step, 5000)
			}
			speed := length / (zeros[1] - zeros[0])
			assert.InEpsilon(t, 2, speed, 0.01, "%v, nu = %v", method, nu) // root(3/0.75)
		}
	}
}

// A block weighs its volume times its density, and corners have as many parts as there are.
func TestMass(t *testing.T) {
	m, err := fem.Block(3, 4, 5, 0.5)
	require.NoError(t, err)
	b, err := fem.New(m, []fem.Material{steel})
	require.NoError(t, err)
	sum := 0.0
	for i := range m.Nodes() {
		sum += b.Mass(i)
	}
	assert.InDelta(t, 1.5*1.5*2*2.5, sum, 1e-12)
	faces, elements := m.Surface()
	assert.Len(t, faces, 3*2*2*(3*4+4*5+5*3))
	assert.Len(t, elements, len(faces)/3)
}

// A node without an element stays where it is.
func TestLooseNodes(t *testing.T) {
	m, err := fem.Block(1, 1, 1, 1)
	require.NoError(t, err)
	m.Points = append(m.Points, 9, 9, 9)
	b, err := fem.New(m, []fem.Material{steel})
	require.NoError(t, err)
	for i := range b.Load {
		b.Load[i] = 1
	}
	require.NoError(t, b.Step(t.Context(), gocuda.Default(), fem.Gather, 0.1, 3))
	assert.Equal(t, []float32{0, 0, 0}, b.U[24:])
	assert.NotZero(t, b.U[0])
}

func TestStepsAreQueued(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	for _, method := range methods {
		b, other := rough(t, 2, 2, 2), rough(t, 2, 2, 2)
		displace(b, chance(rand.New(rand.NewPCG(1, 1))))
		displace(other, chance(rand.New(rand.NewPCG(1, 1))))
		dt := float32(b.StableStep() / 2)
		require.NoError(t, b.Step(t.Context(), kernels.OnStream(s), method, dt, 4))
		require.NoError(t, s.Synchronize(t.Context()))
		require.NoError(t, other.Step(t.Context(), gocuda.Default(), method, dt, 4))
		slicetest.InDelta(t, other.U, b.U, 4*tolerance, "%v", method)
	}
}

func TestBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	m, err := fem.Block(1, 1, 1, 1)
	require.NoError(t, err)
	b, err := fem.New(m, []fem.Material{steel})
	require.NoError(t, err)
	f := make([]float32, len(b.U))
	short, err := fem.New(m, []fem.Material{steel})
	require.NoError(t, err)
	short.V = short.V[1:]
	mesh := func(change func(m *fem.Mesh)) error {
		m, err := fem.Block(1, 1, 1, 1)
		require.NoError(t, err)
		change(m)
		_, err = fem.New(m, []fem.Material{steel})
		return err
	}
	made := func(_ any, err error) error { return err }
	nan := math.NaN()
	of := func(young, poisson, density float64) error {
		return made(fem.New(m, []fem.Material{{Young: young, Poisson: poisson, Density: density}}))
	}
	for name, err := range map[string]error{
		"method":         b.Step(ctx, dev, fem.Atomics+1, 0.1, 1),
		"minus":          b.Step(ctx, dev, -1, 0.1, 1),
		"steps":          b.Step(ctx, dev, fem.Gather, 0.1, -1),
		"NaN":            b.Step(ctx, dev, fem.Gather, float32(nan), 1),
		"velocities":     short.Step(ctx, dev, fem.Gather, 0.1, 1),
		"forces":         b.Forces(ctx, dev, fem.Gather, f[1:]),
		"forces, method": b.Forces(ctx, dev, 9, f),
		"materials":      made(fem.New(m, make([]fem.Material, 2))),
		"none":           made(fem.New(m, nil)),
		"modulus":        of(0, 0.3, 1),
		"modulus of NaN": of(nan, 0.3, 1),
		"ratio":          of(1, 0.5, 1),
		"negative ratio": of(1, -1, 1),
		"density":        of(1, 0.3, math.Inf(1)),
		"coordinates":    mesh(func(m *fem.Mesh) { m.Points = m.Points[1:] }),
		"corners":        mesh(func(m *fem.Mesh) { m.Tets = m.Tets[1:] }),
		"regions":        mesh(func(m *fem.Mesh) { m.Region = make([]int32, 1) }),
		"node":           mesh(func(m *fem.Mesh) { m.Tets[0] = 8 }),
		"negative node":  mesh(func(m *fem.Mesh) { m.Tets[0] = -1 }),
		"flat":           mesh(func(m *fem.Mesh) { m.Tets[0] = m.Tets[1] }),
		"place":          mesh(func(m *fem.Mesh) { m.Points[0] = nan }),
		"small": mesh(func(m *fem.Mesh) {
			for i := range m.Points {
				m.Points[i] *= 1e-50
			}
		}),
		"block":       made(fem.Block(0, 1, 1, 1)),
		"large block": made(fem.Block(1<<20, 1<<20, 1<<20, 1)),
		"side":        made(fem.Block(1, 1, 1, nan)),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
	s := dev.NewStream()
	defer s.Close()
	assert.ErrorIs(t, b.Forces(ctx, kernels.OnStream(s), fem.Atomics, f), gocuda.ErrNotSupported)
}
