package lbm_test

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
	"github.com/gocuda/gocuda/kernels/apps/lbm"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var layouts = []lbm.Layout{lbm.Arrays, lbm.Structs, lbm.Buffered}

const directions = 19

// rough makes a box with some solid cells and some of the lid, and populations below 0.02.
func rough(x, y, z int) (lbm.Geometry, []float32) {
	r := rand.New(rand.NewPCG(uint64(x), uint64(y*1000+z)))
	n := x * y * z
	g := lbm.Geometry{X: x, Y: y, Z: z, Cells: make([]lbm.Kind, n)}
	pops := make([]float32, directions*n)
	for i := range n {
		switch r.IntN(8) {
		case 0:
			g.Cells[i] = lbm.Solid
			continue
		case 1:
			g.Cells[i] = lbm.Lid
		}
		for q := range directions {
			pops[q*n+i] = 0.04*r.Float32() - 0.02
		}
	}
	return g, pops
}

func wide(v []float32) []float64 {
	w := make([]float64, len(v))
	for i, x := range v {
		w[i] = float64(x)
	}
	return w
}

// serial advances populations by so many steps of the reference.
func reference(g lbm.Geometry, flow lbm.Flow, steps int, pops []float64) []float64 {
	next := make([]float64, len(pops))
	for range steps {
		serial.LBMStep(g, flow, pops, next)
		pops, next = next, pops
	}
	return pops
}

// A collision has some 40 roundings of numbers below 0.04 that reach a population, each of 2^-24 of
// it at most and of either sign. Three steps: 3e-7.
func TestStepsAgainstSerial(t *testing.T) {
	const steps = 3
	flow := lbm.Flow{Omega: 1.7, Lid: kernels.Vec3[float32]{X: 0.03, Y: -0.02, Z: 0.01}, Force: kernels.Vec3[float32]{X: 1e-3, Y: 2e-3, Z: -3e-3}}
	shapes := [][3]int{{1, 1, 1}, {7, 5, 3}, {3, 1, 2}, {1, 6, 2}, {33, 4, 5}, {31, 9, 6}, {100, 3, 7}, {257, 2, 3}}
	for _, dev := range kerneltest.Devices(t) {
		for i, s := range shapes {
			if dev.Slow && i >= 3 {
				break
			}
			g, pops := rough(s[0], s[1], s[2])
			want := reference(g, flow, steps, wide(pops))
			for _, layout := range layouts {
				got := append([]float32(nil), pops...)
				require.NoError(t, lbm.Simulate(t.Context(), dev, layout, g, flow, steps, got))
				slicetest.InDelta(t, want, got, 3e-7, "%s, %v, %v", dev.Name, layout, s)
			}
		}
	}
}

func TestNoStepsChangeNothing(t *testing.T) {
	g, pops := rough(9, 4, 3)
	for _, layout := range layouts {
		got := append([]float32(nil), pops...)
		require.NoError(t, lbm.Simulate(t.Context(), gocuda.Default(), layout, g, lbm.Standard, 0, got))
		slicetest.Equal(t, pops, got, "%v", layout)
	}
}

// Fluid at rest stays at rest, bit for bit.
func TestRestStaysRest(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		size := 21
		if dev.Slow {
			size = 6
		}
		g, err := lbm.Cavity(size, size-1, size-2)
		require.NoError(t, err)
		for _, layout := range layouts {
			pops := make([]float32, directions*len(g.Cells))
			require.NoError(t, lbm.Simulate(t.Context(), dev, layout, g, lbm.Flow{Omega: 1.95}, 5, pops))
			slicetest.EqualBits(t, make([]float32, len(pops)), pops, "%s, %v", dev.Name, layout)
		}
	}
}

// Without collisions populations only move. Small multiples of 2^-20 have exact sums.
func TestMovesKeepMassExactly(t *testing.T) {
	g, pops := rough(37, 11, 7)
	if kerneltest.Devices(t)[0].Slow {
		g, pops = rough(7, 5, 3)
	}
	mass := func(pops []float32) (sum float64) {
		for _, f := range pops {
			sum += float64(f)
		}
		return sum
	}
	for i := range pops {
		pops[i] = float32(math.Round(float64(pops[i])*0x1p20)) * 0x1p-20
	}
	for _, layout := range layouts {
		got := append([]float32(nil), pops...)
		require.NoError(t, lbm.Simulate(t.Context(), gocuda.Default(), layout, g, lbm.Flow{}, 7, got))
		assert.Equal(t, mass(pops), mass(got), layout)
		assert.NotEqual(t, pops, got, layout)
	}
}

// A cavity keeps its mass, but for roundings: of the reference in float64, and of the kernels in
// float32. A step rounds each population some times by 2^-24 of at most 0.01, with either sign: the
// standard deviation of the sum of n of them is 1e-9 root(n).
func TestCavityKeepsMass(t *testing.T) {
	const steps = 50
	size := 15
	if kerneltest.Devices(t)[0].Slow {
		size = 6
	}
	g, err := lbm.Cavity(size, size, size)
	require.NoError(t, err)
	n := directions * len(g.Cells)
	sum := func(pops []float64) (sum float64) {
		for _, f := range pops {
			sum += f
		}
		return sum
	}
	exact := reference(g, lbm.Standard, steps, make([]float64, n))
	assert.InDelta(t, 0, sum(exact), 1e-12)
	for _, layout := range layouts {
		pops := make([]float32, n)
		require.NoError(t, lbm.Simulate(t.Context(), gocuda.Default(), layout, g, lbm.Standard, steps, pops))
		assert.InDelta(t, 0, sum(wide(pops)), 10*1e-9*math.Sqrt(float64(n*steps)), layout)
		slicetest.InDelta(t, exact, pops, 1e-6, "%v", layout)
	}
}

// A force adds itself to the momentum of each cell in each step.
func TestForceAddsMomentum(t *testing.T) {
	const n, steps = 6 * 5 * 4, 20
	g := lbm.Geometry{X: 6, Y: 5, Z: 4, Cells: make([]lbm.Kind, n)}
	_, some := rough(6, 5, 4)
	flow := lbm.Flow{Omega: 1.3, Force: kernels.Vec3[float32]{X: 0x1p-12, Y: -0x1p-13, Z: 0x1p-14}}
	momentum := func(pops []float64) (m kernels.Vec3[float64]) {
		for i := range n {
			rho, u := lbm.Moments(pops, i, kernels.Vec3[float64]{})
			m.X, m.Y, m.Z = m.X+rho*u.X, m.Y+rho*u.Y, m.Z+rho*u.Z
		}
		return m
	}
	before := momentum(wide(some))
	after := momentum(reference(g, flow, steps, wide(some)))
	assert.InDelta(t, before.X+n*steps*0x1p-12, after.X, 1e-12)
	assert.InDelta(t, before.Y-n*steps*0x1p-13, after.Y, 1e-12)
	assert.InDelta(t, before.Z+n*steps*0x1p-14, after.Z, 1e-12)
}

// Poiseuille's flow between walls that are H cells apart is F/2nu y (H - y), exactly at tau = 1/2 +
// root(3/16). It is not at another tau, where the walls seem to slip. omega is rounded to float32,
// which is 6e-8 of it.
func TestPoiseuille(t *testing.T) {
	const walls, force = 7, 1e-5
	const h = walls - 2
	for _, axes := range [][2]int{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}} { // of the flow, and across
		size := [3]int{1, 1, 1}
		size[axes[1]] = walls
		g := lbm.Geometry{X: size[0], Y: size[1], Z: size[2], Cells: make([]lbm.Kind, walls)}
		g.Cells[0], g.Cells[walls-1] = lbm.Solid, lbm.Solid
		check := func(what string, omega float32, pops []float64, tol float64) (worst float64) {
			nu := lbm.Viscosity(float64(omega))
			for i := 1; i < walls-1; i++ {
				y := float64(i) - 0.5
				want := force / (2 * nu) * y * (h - y)
				f := vec(axes[0], force)
				_, u := lbm.Moments(pops, i, f)
				got := [3]float64{u.X, u.Y, u.Z}
				worst = max(worst, math.Abs(got[axes[0]]/want-1))
				assert.InDelta(t, 0, got[axes[1]], tol*want, "%s: across", what)
			}
			if tol > 0 {
				assert.LessOrEqual(t, worst, tol, "%s, axes %v", what, axes)
			}
			return worst
		}
		// The slowest mode falls by exp(-nu (pi/h)^2) a step: in 800 steps to 1e-20.
		const steps = 800
		exact := float32(1 / (0.5 + math.Sqrt(3./16)))
		f := vec[float32](axes[0], force)
		flow := lbm.Flow{Omega: exact, Force: f}
		check("serial", exact, reference(g, flow, steps, make([]float64, directions*walls)), 1e-6)
		if kerneltest.Devices(t)[0].Slow && axes != [2]int{0, 1} {
			continue
		}
		for _, layout := range layouts {
			pops := make([]float32, directions*walls)
			require.NoError(t, lbm.Simulate(t.Context(), gocuda.Default(), layout, g, flow, steps, pops))
			check(layout.String(), exact, wide(pops), 1e-5)
		}
		slips := lbm.Flow{Omega: 0.8, Force: f}
		pops := reference(g, slips, steps, make([]float64, directions*walls))
		nu := lbm.Viscosity(0.8)
		_, u := lbm.Moments(pops, 1, vec(axes[0], float64(force)))
		got := [3]float64{u.X, u.Y, u.Z}[axes[0]]
		assert.Greater(t, math.Abs(got/(force/(2*nu)*0.5*(h-0.5))-1), 0.05, "the walls slip at another tau")
	}
}

// Couette's flow between a wall and a lid with a wall behind it has a constant slope s. Let v be
// its velocity on the face between the lid and the h cells below, s = v/h. Of the populations
// there, those that go up are those of v - d, and those that go down of v + d, in units of their
// weights, with d = s (tau - 1/2) from the stress. The lid relaxes them to its velocity u, the wall
// behind it turns them round, and the lid relaxes them again: v + d = -(1-omega)^2 (v - d) +
// omega^2 u. So s (h (1+(1-omega)^2) + (2-omega)^2/2) = omega^2 u.
func TestCouette(t *testing.T) {
	const h, u = 4, 0.01
	for _, omega := range []float64{0.8, 1, 1.5, 1.9} {
		g := lbm.Geometry{X: 1, Y: 1, Z: h + 3, Cells: make([]lbm.Kind, h+3)}
		g.Cells[0], g.Cells[h+1], g.Cells[h+2] = lbm.Solid, lbm.Lid, lbm.Solid
		flow := lbm.Flow{Omega: float32(omega), Lid: vec[float32](1, u)}
		pops := reference(g, flow, 6000, make([]float64, directions*(h+3)))
		s := omega * omega * u / (h*(1+(1-omega)*(1-omega)) + (2-omega)*(2-omega)/2)
		for z := 1; z <= h; z++ {
			_, v := lbm.Moments(pops, z, kernels.Vec3[float64]{})
			assert.InEpsilon(t, s*(float64(z)-0.5), v.Y, 1e-6, "omega %v, cell %d", omega, z) // omega and u are rounded to float32
		}
	}
}

// vec returns a vector along an axis.
func vec[T kernels.Float](axis int, v T) kernels.Vec3[T] {
	var a [3]T
	a[axis] = v
	return kernels.Vec3[T]{X: a[0], Y: a[1], Z: a[2]}
}

// vortices returns populations with Taylor's and Green's vortices in the plane of two axes, and
// their wave number.
func vortices[T kernels.Float](n int, axis int, speed float64) (lbm.Geometry, []T, float64) {
	size := [3]int{n, n, n}
	size[axis] = 1
	g := lbm.Geometry{X: size[0], Y: size[1], Z: size[2], Cells: make([]lbm.Kind, n*n)}
	pops := make([]T, directions*n*n)
	k := 2 * math.Pi / float64(n)
	for i := range n * n {
		sa, ca := math.Sincos(k * float64(i%n))
		sb, cb := math.Sincos(k * float64(i/n))
		var u [3]T
		u[(axis+1)%3], u[(axis+2)%3] = T(-speed*ca*sb), T(speed*sa*cb)
		if axis == 1 { // the plane's axes are x and z, in this order
			u[0], u[2] = T(-speed*ca*sb), T(speed*sa*cb)
		}
		pressure := -speed * speed / 4 * (math.Cos(2*k*float64(i%n)) + math.Cos(2*k*float64(i/n)))
		lbm.Equilibrium(pops, i, T(1+3*pressure), kernels.Vec3[T]{X: u[0], Y: u[1], Z: u[2]})
	}
	return g, pops, k
}

func energy[T kernels.Float](pops []T) (sum float64) {
	for i := range len(pops) / directions {
		_, u := lbm.Moments(pops, i, kernels.Vec3[T]{})
		sum += float64(u.X)*float64(u.X) + float64(u.Y)*float64(u.Y) + float64(u.Z)*float64(u.Z)
	}
	return sum
}

// The vortices of Taylor and Green decay by exp(-2 nu k^2 t), and their energy by the square of it.
// The error of the rate is of second order in k: a quarter with twice the cells.
func TestTaylorGreen(t *testing.T) {
	const omega, from, to = 1.3, 40, 140 // the first steps find the stress that belongs to the vortices
	flow := lbm.Flow{Omega: omega}
	rate := func(n, axis int) float64 {
		g, pops, k := vortices[float64](n, axis, 1e-3)
		pops = reference(g, flow, from, pops)
		before := energy(pops)
		pops = reference(g, flow, to-from, pops)
		return math.Log(before/energy(pops)) / (4 * k * k * (to - from)) / lbm.Viscosity(float64(flow.Omega))
	}
	for axis := range 3 {
		coarse, fine := rate(12, axis)-1, rate(24, axis)-1
		assert.Less(t, math.Abs(fine), 0.02, "axis %d: the error of the rate", axis)
		assert.InDelta(t, 4, coarse/fine, 0.4, "axis %d: the errors are %v and %v", axis, coarse, fine)
	}
	if kerneltest.Devices(t)[0].Slow {
		return
	}
	// The kernels have the rate of the reference.
	want := rate(24, 2)
	for _, layout := range layouts {
		g, pops, k := vortices[float32](24, 2, 1e-3)
		require.NoError(t, lbm.Simulate(t.Context(), gocuda.Default(), layout, g, flow, from, pops))
		before := energy(pops)
		require.NoError(t, lbm.Simulate(t.Context(), gocuda.Default(), layout, g, flow, to-from, pops))
		got := math.Log(before/energy(pops)) / (4 * k * k * (to - from)) / lbm.Viscosity(float64(flow.Omega))
		assert.InDelta(t, want, got, 1e-4, layout)
	}
}

func TestStepsAreQueued(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	g, pops := rough(9, 5, 4)
	for _, layout := range layouts {
		l, err := lbm.New(layout, g)
		require.NoError(t, err)
		require.NoError(t, l.Load(pops))
		require.NoError(t, l.Step(t.Context(), kernels.OnStream(s), lbm.Standard, 4))
		require.NoError(t, s.Synchronize(t.Context()))
		got := make([]float32, len(pops))
		require.NoError(t, l.Store(got))
		slicetest.InDelta(t, reference(g, lbm.Standard, 4, wide(pops)), got, 4e-7, "%v", layout)
	}
}

func TestBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	g := lbm.Geometry{X: 2, Y: 1, Z: 1, Cells: make([]lbm.Kind, 2)}
	pops := make([]float32, 2*directions)
	nan := float32(math.NaN())
	simulate := func(on kernels.Launcher, layout lbm.Layout, g lbm.Geometry, flow lbm.Flow, steps int, pops []float32) error {
		return lbm.Simulate(ctx, on, layout, g, flow, steps, pops)
	}
	_, large := lbm.Cavity(1<<20, 1<<20, 1)
	_, none := lbm.Cavity(0, 1, 1)
	for name, err := range map[string]error{
		"layout":      simulate(dev, lbm.Buffered+1, g, lbm.Standard, 1, pops),
		"negative":    simulate(dev, -1, g, lbm.Standard, 1, pops),
		"populations": simulate(dev, lbm.Arrays, g, lbm.Standard, 1, pops[1:]),
		"nil":         simulate(dev, lbm.Arrays, g, lbm.Standard, 1, nil),
		"steps":       simulate(dev, lbm.Arrays, g, lbm.Standard, -1, pops),
		"omega":       simulate(dev, lbm.Arrays, g, lbm.Flow{Omega: 2}, 1, pops),
		"NaN":         simulate(dev, lbm.Arrays, g, lbm.Flow{Omega: nan}, 1, pops),
		"minus":       simulate(dev, lbm.Arrays, g, lbm.Flow{Omega: -0.1}, 1, pops),
		"lid":         simulate(dev, lbm.Arrays, g, lbm.Flow{Omega: 1, Lid: vec(1, nan)}, 1, pops),
		"force":       simulate(dev, lbm.Arrays, g, lbm.Flow{Omega: 1, Force: vec(2, float32(math.Inf(1)))}, 1, pops),
		"empty":       simulate(dev, lbm.Arrays, lbm.Geometry{}, lbm.Standard, 1, nil),
		"size":        simulate(dev, lbm.Arrays, lbm.Geometry{X: 1, Y: 1, Z: 3, Cells: g.Cells}, lbm.Standard, 1, pops),
		"overflow":    simulate(dev, lbm.Arrays, lbm.Geometry{X: math.MaxInt, Y: 2, Z: 1, Cells: g.Cells}, lbm.Standard, 1, pops),
		"kind":        simulate(dev, lbm.Arrays, lbm.Geometry{X: 1, Y: 1, Z: 1, Cells: []lbm.Kind{3}}, lbm.Standard, 1, pops[:directions]),
		"large":       large,
		"none":        none,
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
	s := dev.NewStream()
	defer s.Close()
	assert.ErrorIs(t, simulate(kernels.OnStream(s), lbm.Arrays, g, lbm.Standard, 1, pops), gocuda.ErrNotSupported)
}
