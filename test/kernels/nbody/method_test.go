package nbody_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/spatial/barneshut"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var methods = []nbody.Method{nbody.Global, nbody.Tiled, nbody.Several, nbody.Constant, nbody.Shuffle, nbody.Blocks}

// cloud makes n bodies, and the same in float64. The last is at the place of the first.
func cloud[T kernels.Float](n int) ([]nbody.Body[T], []nbody.Body[float64]) {
	r := rand.New(rand.NewPCG(5, uint64(n)))
	b, wide := make([]nbody.Body[T], n), make([]nbody.Body[float64], n)
	for i := range b {
		b[i] = nbody.Body[T]{X: T(r.NormFloat64()), Y: T(r.NormFloat64()), Z: T(r.NormFloat64()), Mass: T(r.Float64())}
		if i > 1 && i == n-1 {
			b[i] = b[0]
		}
		wide[i] = nbody.Body[float64]{X: float64(b[i].X), Y: float64(b[i].Y), Z: float64(b[i].Z), Mass: float64(b[i].Mass)}
	}
	return b, wide
}

// unit is the largest relative error of one rounding to T.
func unit[T kernels.Float]() float64 {
	if T(1)+T(0x1p-40) == 1 {
		return 0x1p-24
	}
	return 0x1p-53
}

// bounds are the errors that accelerations by n bodies can have in T, for each component: (n+35)
// roundings of the absolute contributions. A difference of places is one rounding off, the square
// of a distance then 6 (it is a sum of positive numbers, each twice as far off as its difference
// and rounded once itself, and of three additions and eps²), its reciprocal root 9 (half of 6, and
// 3 ulp of the estimate or less without), mass times the cube 30, times the difference 32, and of
// the additions each contribution goes through n at most.
func bounds[T kernels.Float](eps T, bodies []nbody.Body[float64]) []kernels.Vec3[float64] {
	all := make([]kernels.Vec3[float64], len(bodies))
	e2, u := float64(eps)*float64(eps), unit[T]()*float64(len(bodies)+35)*1.01
	for i, p := range bodies {
		for _, q := range bodies {
			dx, dy, dz := math.Abs(q.X-p.X), math.Abs(q.Y-p.Y), math.Abs(q.Z-p.Z)
			if d2 := dx*dx + dy*dy + dz*dz + e2; d2 > 0 {
				s := u * q.Mass / (d2 * math.Sqrt(d2))
				all[i].X += s * dx
				all[i].Y += s * dy
				all[i].Z += s * dz
			}
		}
	}
	return all
}

// checkAccelerations compares with the serial reference in float64.
func checkAccelerations[T kernels.Float](t *testing.T, what string, eps T, wide []nbody.Body[float64], got []kernels.Vec3[T]) {
	t.Helper()
	want, tol := make([]kernels.Vec3[float64], len(wide)), bounds(eps, wide)
	serial.Accelerations(float64(eps), wide, want)
	// Twice, since in float64 the reference has an error as well.
	bound := flat(tol)
	slicetest.Within(t, flat(want), flat(got), func(i int) float64 { return 2 * bound[i] }, "%s: x, y and z of each body", what)
}

// flat returns the components of vectors one after the other.
func flat[T kernels.Float](v []kernels.Vec3[T]) []T {
	var all []T
	for _, u := range v {
		all = append(all, u.X, u.Y, u.Z)
	}
	return all
}

func TestAccelerationsAgainstSerial(t *testing.T) {
	t.Run("float32", testAccelerations[float32])
	t.Run("float64", testAccelerations[float64])
}

func testAccelerations[T kernels.Float](t *testing.T) {
	sizes := []int{0, 1, 2, 3, 31, 33, 63, 65, 127, 255, 256, 257, 511, 769}
	for _, dev := range kerneltest.Devices(t) {
		for _, method := range methods {
			few := 8
			if method == nbody.Shuffle { // 32 meetings a tile, each of goroutines
				few = 6
			}
			for _, n := range dev.Sizes(sizes, few) {
				bodies, wide := cloud[T](n)
				for _, eps := range []T{0, 0.05} {
					acc := make([]kernels.Vec3[T], n)
					for i := range acc {
						acc[i].X = 1000 // what is in acc before does not matter
					}
					require.NoError(t, nbody.Accelerations(t.Context(), dev, method, eps, bodies, acc))
					checkAccelerations(t, fmt.Sprintf("%s, %v, eps=%v, n=%d", dev.Name, method, eps, n), eps, wide, acc)
				}
			}
		}
	}
}

// More bodies than constant memory has room for: 4096 of float32, 2048 of float64.
func TestManyChunks(t *testing.T) {
	if kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	bodies, wide := cloud[float64](2*2048 + 1)
	acc := make([]kernels.Vec3[float64], len(bodies))
	require.NoError(t, nbody.Accelerations(t.Context(), gocuda.Default(), nbody.Constant, 0.1, bodies, acc))
	checkAccelerations(t, "float64", 0.1, wide, acc)
	narrow, wide := cloud[float32](4096 + 1)
	acc32 := make([]kernels.Vec3[float32], len(narrow))
	require.NoError(t, nbody.Accelerations(t.Context(), gocuda.Default(), nbody.Constant, 0.1, narrow, acc32))
	checkAccelerations(t, "float32", 0.1, wide, acc32)
}

// On a stream the copies to constant memory take their turn between the launches: the second chunk
// must not be there before the launch for the first has ended, nor the first before work that was
// queued earlier has made the bodies.
func TestChunksOnAStream(t *testing.T) {
	n := 2*2048 + 1
	if kerneltest.Devices(t)[0].Slow {
		n = 2048 + 9
	}
	made, wide := cloud[float64](n)
	bodies, all, some := make([]nbody.Body[float64], n), make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], 64)
	s := gocuda.Default().NewStream()
	defer s.Close()
	start := make(chan struct{})
	assert.NoError(t, errors.Join(
		s.AddCallback(func() { <-start; copy(bodies, made) }),
		nbody.Accelerations(t.Context(), kernels.OnStream(s), nbody.Constant, 0.1, bodies, all),
		nbody.Accelerations(t.Context(), kernels.Uncompiled(kernels.OnStream(s)), nbody.Constant, 0.1, bodies[:64], some),
	))
	close(start)
	require.NoError(t, s.Synchronize(t.Context()))
	checkAccelerations(t, "all", 0.1, wide, all)
	checkAccelerations(t, "64 of them", 0.1, wide[:64], some)
}

// Calls at the same time have constant memory of their own.
func TestConcurrentChunks(t *testing.T) {
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			bodies, wide := cloud[float32](40 + k)
			for range 5 {
				acc := make([]kernels.Vec3[float32], len(bodies))
				if !assert.NoError(t, nbody.Accelerations(t.Context(), gocuda.Default(), nbody.Constant, 0.1, bodies, acc)) {
					return
				}
				checkAccelerations(t, fmt.Sprint(k), 0.1, wide, acc)
			}
		})
	}
	wg.Wait()
}

// gonum has Newton's law for its tree of Barnes and Hut. With an angle of 0 it never opens a shortcut.
func TestAccelerationsAgainstGonum(t *testing.T) {
	n := 300
	if kerneltest.Devices(t)[0].Slow {
		n = 70
	}
	bodies, wide := cloud[float64](n)
	bodies, wide = bodies[1:], wide[1:] // no two at the same place
	particles := make([]barneshut.Particle3, len(bodies))
	for i, b := range bodies {
		particles[i] = particle{b}
	}
	volume, err := barneshut.NewVolume(particles)
	require.NoError(t, err)
	tol := flat(bounds(0., wide))
	for _, method := range methods {
		acc := make([]kernels.Vec3[float64], len(bodies))
		require.NoError(t, nbody.Accelerations(t.Context(), gocuda.Default(), method, 0, bodies, acc))
		var want []float64
		for _, p := range particles {
			a := r3.Scale(1/p.Mass(), volume.ForceOn(p, 0, barneshut.Gravity3))
			want = append(want, a.X, a.Y, a.Z)
		}
		// Gonum's roundings are as many as ours, or fewer.
		slicetest.Within(t, want, flat(acc), func(i int) float64 { return 2 * tol[i] }, "%v: x, y and z of each body", method)
	}
}

type particle struct{ b nbody.Body[float64] }

func (p particle) Coord3() r3.Vec { return r3.Vec{X: p.b.X, Y: p.b.Y, Z: p.b.Z} }
func (p particle) Mass() float64  { return p.b.Mass }

// Two bodies of mass 3 and 1 at distance 2: 1/4 and 3/4, by Newton's law, exactly but for the
// estimate of the root.
func TestNewtonsLaw(t *testing.T) {
	bodies := []nbody.Body[float32]{{X: -1, Mass: 3}, {X: 1, Mass: 1}}
	for _, dev := range kerneltest.Devices(t) {
		for _, method := range methods {
			acc := make([]kernels.Vec3[float32], 2)
			require.NoError(t, nbody.Accelerations(t.Context(), dev, method, 0, bodies, acc))
			for i, want := range []float64{0.25, -0.75} {
				a := acc[i]
				assert.InDelta(t, want, a.X, 35*0x1p-24*0.75, "%s, %v: body %d", dev.Name, method, i)
				assert.Zero(t, a.Y, "%s, %v: body %d", dev.Name, method, i)
				assert.Zero(t, a.Z, "%s, %v: body %d", dev.Name, method, i)
			}
		}
	}
}

// Action and reaction are equal: the masses times the accelerations add up to nothing.
func TestNoForceFromWithin(t *testing.T) {
	n := 777
	if kerneltest.Devices(t)[0].Slow {
		n = 65
	}
	bodies, wide := cloud[float32](n)
	tol := bounds(float32(0.02), wide)
	for _, method := range methods {
		acc := make([]kernels.Vec3[float32], n)
		require.NoError(t, nbody.Accelerations(t.Context(), gocuda.Default(), method, 0.02, bodies, acc))
		var f, bound kernels.Vec3[float64]
		for i, b := range wide {
			f.X += b.Mass * float64(acc[i].X)
			f.Y += b.Mass * float64(acc[i].Y)
			f.Z += b.Mass * float64(acc[i].Z)
			bound.X += b.Mass * tol[i].X
			bound.Y += b.Mass * tol[i].Y
			bound.Z += b.Mass * tol[i].Z
		}
		assert.InDelta(t, 0, f.X, bound.X, "%v: the force in x", method)
		assert.InDelta(t, 0, f.Y, bound.Y, "%v: the force in y", method)
		assert.InDelta(t, 0, f.Z, bound.Z, "%v: the force in z", method)
	}
}

// small lets only launches of few blocks through to a device, and remembers whether others were
// within the limits of the first generation.
type small struct {
	on    kernels.Launcher
	grids []grid.Dim3
}

func (s *small) Launch(ctx context.Context, cfg grid.Config, k gocuda.Kernel) error {
	s.grids = append(s.grids, cfg.Grid)
	if cfg.Grid.X > 100 {
		return nil
	}
	return s.on.Launch(ctx, cfg, k)
}

// More bodies than a launch of the first generation has room for. All pairs of them would take
// hours, so only the last few are computed.
func TestMoreBodiesThanAGrid(t *testing.T) {
	if testing.Short() || kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	const launch = 65535 * 64 // bodies, with several threads each
	bodies := make([]nbody.Body[float32], launch+5)
	acc := make([]kernels.Vec3[float32], len(bodies))
	bodies[3] = nbody.Body[float32]{X: 2, Mass: 5}
	bodies[launch+1].X = 1
	on := &small{on: gocuda.Default()}
	require.NoError(t, nbody.Accelerations(t.Context(), on, nbody.Several, 0, bodies, acc))
	require.Len(t, on.grids, 2)
	assert.Equal(t, 65535, on.grids[0].X)
	assert.Equal(t, 1, on.grids[1].X)
	for i, want := range []float64{5. / 4, 5, 5. / 4, 5. / 4, 5. / 4} {
		assert.InDelta(t, want, acc[launch+i].X, 35*0x1p-24*want, "body %d", launch+i)
	}
}

func TestBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	b, v := make([]nbody.Body[float32], 2), make([]kernels.Vec3[float32], 3)
	nan := float32(math.NaN())
	for name, err := range map[string]error{
		"lengths":          nbody.Accelerations(ctx, dev, nbody.Tiled, 0, b, v),
		"method":           nbody.Accelerations(ctx, dev, nbody.Blocks+1, 0, b, v[:2]),
		"negative method":  nbody.Accelerations(ctx, dev, -1, 0, b, v[:2]),
		"softening":        nbody.Accelerations(ctx, dev, nbody.Global, -1, b, v[:2]),
		"softening of NaN": nbody.Accelerations(ctx, dev, nbody.Global, nan, b, v[:2]),
		"velocities":       nbody.Leapfrog(ctx, dev, nbody.Global, 1, 1, 0, b, v, v[:2]),
		"accelerations":    nbody.Leapfrog(ctx, dev, nbody.Global, 1, 1, 0, b, v[:2], nil),
		"steps":            nbody.Leapfrog(ctx, dev, nbody.Global, -1, 1, 0, b, v[:2], v[1:]),
		"no device":        nbody.AccelerationsOn(ctx, nil, nbody.Global, 0, b, v[:2]),
		"nil device":       nbody.AccelerationsOn(ctx, []kernels.Launcher{dev, nil}, nbody.Global, 0, b, v[:2]),
		"on, lengths":      nbody.AccelerationsOn(ctx, []kernels.Launcher{dev, dev}, nbody.Global, 0, b, v),
		"leapfrog on none": nbody.LeapfrogOn(ctx, nil, nbody.Global, 1, 1, 0, b, v[:2], v[1:]),
		"leapfrog, steps":  nbody.LeapfrogOn(ctx, []kernels.Launcher{dev}, nbody.Global, -1, 1, 0, b, v[:2], v[1:]),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
}

// Distances whose cube leaves the range of float32 although the force does not.
func TestAccelerationsFarAndNear(t *testing.T) {
	for _, scale := range []float32{1e-18, 1e-12, 1, 1e12, 1e18} {
		bodies := []nbody.Body[float32]{
			{X: 1 * scale, Mass: scale * scale}, {X: -2 * scale, Mass: scale * scale}, {Y: 3 * scale, Mass: scale * scale}, {Z: 5e-3 * scale, Mass: scale * scale},
		}
		got, want := make([]kernels.Vec3[float32], 4), make([]kernels.Vec3[float32], 4)
		serial.Accelerations(0, bodies, want)
		require.NoError(t, nbody.Accelerations(t.Context(), gocuda.Default(), nbody.Blocks, 0, bodies, got))
		slicetest.EqualFunc(t, want, got, func(want, got kernels.Vec3[float32]) bool {
			return math.Abs(float64(got.X-want.X)) <= 1e-4*math.Abs(float64(want.X))
		}, "scale %g", scale)
	}
}
