package nbody_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/barneshut"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/kerneltest"
	"github.com/gocuda/gocuda/kernels/nbody"
)

var methods = []nbody.Method{nbody.Global, nbody.Tiled, nbody.Several, nbody.Constant, nbody.Shuffle}

// cloud makes n bodies, and the same in float64. The last is at the place of the first.
func cloud[T kernels.Float](n int) ([]kernels.Body[T], []kernels.Body[float64]) {
	r := rand.New(rand.NewPCG(5, uint64(n)))
	b, wide := make([]kernels.Body[T], n), make([]kernels.Body[float64], n)
	for i := range b {
		b[i] = kernels.Body[T]{X: T(r.NormFloat64()), Y: T(r.NormFloat64()), Z: T(r.NormFloat64()), Mass: T(r.Float64())}
		if i > 1 && i == n-1 {
			b[i] = b[0]
		}
		wide[i] = kernels.Body[float64]{X: float64(b[i].X), Y: float64(b[i].Y), Z: float64(b[i].Z), Mass: float64(b[i].Mass)}
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

// bounds are the errors that accelerations by n bodies can have in T, for each component: (n+35) roundings of the
// absolute contributions. A difference of places is one rounding off, the square of a distance then 6 (it is a sum of
// positive numbers, each twice as far off as its difference and rounded once itself, and of three additions and eps²),
// its reciprocal root 9 (half of 6, and 3 ulp of the estimate or less without), mass times the cube 30, times the
// difference 32, and of the additions each contribution goes through n at most.
func bounds[T kernels.Float](eps T, bodies []kernels.Body[float64]) []kernels.Vec3[float64] {
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
func checkAccelerations[T kernels.Float](t *testing.T, what string, eps T, wide []kernels.Body[float64], got []kernels.Vec3[T]) {
	t.Helper()
	want, tol := make([]kernels.Vec3[float64], len(wide)), bounds(eps, wide)
	kernels.AccelerationsSerial(float64(eps), wide, want)
	for i, w := range want {
		// Twice, since in float64 the reference has an error as well.
		for k, d := range [3]float64{float64(got[i].X) - w.X, float64(got[i].Y) - w.Y, float64(got[i].Z) - w.Z} {
			if tol := [3]float64{tol[i].X, tol[i].Y, tol[i].Z}[k]; !(math.Abs(d) <= 2*tol) {
				t.Errorf("%s: component %d of body %d: %v, want %v, within %g", what, k, i, got[i], w, 2*tol)
				return
			}
		}
	}
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
					if err := nbody.Accelerations(t.Context(), dev, method, eps, bodies, acc); err != nil {
						t.Fatal(err)
					}
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
	if err := nbody.Accelerations(t.Context(), gocuda.Default(), nbody.Constant, 0.1, bodies, acc); err != nil {
		t.Fatal(err)
	}
	checkAccelerations(t, "float64", 0.1, wide, acc)
	narrow, wide := cloud[float32](4096 + 1)
	acc32 := make([]kernels.Vec3[float32], len(narrow))
	if err := nbody.Accelerations(t.Context(), gocuda.Default(), nbody.Constant, 0.1, narrow, acc32); err != nil {
		t.Fatal(err)
	}
	checkAccelerations(t, "float32", 0.1, wide, acc32)
}

// On a stream the copies to constant memory take their turn between the launches: the second chunk must not be there
// before the launch for the first has ended, nor the first before work that was queued earlier has made the bodies.
func TestChunksOnAStream(t *testing.T) {
	n := 2*2048 + 1
	if kerneltest.Devices(t)[0].Slow {
		n = 2048 + 9
	}
	made, wide := cloud[float64](n)
	bodies, all, some := make([]kernels.Body[float64], n), make([]kernels.Vec3[float64], n), make([]kernels.Vec3[float64], 64)
	s := gocuda.Default().NewStream()
	defer s.Close()
	start := make(chan struct{})
	for _, err := range []error{
		s.AddCallback(func() { <-start; copy(bodies, made) }),
		nbody.Accelerations(t.Context(), kernels.OnStream(s), nbody.Constant, 0.1, bodies, all),
		nbody.Accelerations(t.Context(), kernels.Uncompiled(kernels.OnStream(s)), nbody.Constant, 0.1, bodies[:64], some),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	close(start)
	if err := s.Synchronize(t.Context()); err != nil {
		t.Fatal(err)
	}
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
				if err := nbody.Accelerations(t.Context(), gocuda.Default(), nbody.Constant, 0.1, bodies, acc); err != nil {
					t.Error(err)
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
	if err != nil {
		t.Fatal(err)
	}
	tol := bounds(0., wide)
	for _, method := range methods {
		acc := make([]kernels.Vec3[float64], len(bodies))
		if err := nbody.Accelerations(t.Context(), gocuda.Default(), method, 0, bodies, acc); err != nil {
			t.Fatal(err)
		}
		for i, p := range particles {
			f := volume.ForceOn(p, 0, barneshut.Gravity3)
			want := r3.Scale(1/p.Mass(), f)
			d := r3.Sub(want, r3.Vec{X: acc[i].X, Y: acc[i].Y, Z: acc[i].Z})
			// Gonum's roundings are as many as ours, or fewer.
			if !(math.Abs(d.X) <= 2*tol[i].X && math.Abs(d.Y) <= 2*tol[i].Y && math.Abs(d.Z) <= 2*tol[i].Z) {
				t.Fatalf("%v: body %d: %v, want %v", method, i, acc[i], want)
			}
		}
	}
}

type particle struct{ b kernels.Body[float64] }

func (p particle) Coord3() r3.Vec { return r3.Vec{X: p.b.X, Y: p.b.Y, Z: p.b.Z} }
func (p particle) Mass() float64  { return p.b.Mass }

// Two bodies of mass 3 and 1 at distance 2: 1/4 and 3/4, by Newton's law, exactly but for the estimate of the root.
func TestNewtonsLaw(t *testing.T) {
	bodies := []kernels.Body[float32]{{X: -1, Mass: 3}, {X: 1, Mass: 1}}
	for _, dev := range kerneltest.Devices(t) {
		for _, method := range methods {
			acc := make([]kernels.Vec3[float32], 2)
			if err := nbody.Accelerations(t.Context(), dev, method, 0, bodies, acc); err != nil {
				t.Fatal(err)
			}
			for i, want := range []float64{0.25, -0.75} {
				if a := acc[i]; !(math.Abs(float64(a.X)-want) <= 35*0x1p-24*0.75) || a.Y != 0 || a.Z != 0 {
					t.Errorf("%s, %v: body %d: %v, want %v", dev.Name, method, i, a, want)
				}
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
		if err := nbody.Accelerations(t.Context(), gocuda.Default(), method, 0.02, bodies, acc); err != nil {
			t.Fatal(err)
		}
		var f, bound kernels.Vec3[float64]
		for i, b := range wide {
			f.X += b.Mass * float64(acc[i].X)
			f.Y += b.Mass * float64(acc[i].Y)
			f.Z += b.Mass * float64(acc[i].Z)
			bound.X += b.Mass * tol[i].X
			bound.Y += b.Mass * tol[i].Y
			bound.Z += b.Mass * tol[i].Z
		}
		if !(math.Abs(f.X) <= bound.X && math.Abs(f.Y) <= bound.Y && math.Abs(f.Z) <= bound.Z) {
			t.Errorf("%v: the force is %v, want nothing within %v", method, f, bound)
		}
	}
}

// small lets only launches of few blocks through to a device, and remembers whether others were within the limits of
// the first generation.
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

// More bodies than a launch of the first generation has room for. All pairs of them would take hours, so only the last
// few are computed.
func TestMoreBodiesThanAGrid(t *testing.T) {
	if testing.Short() || kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	const launch = 65535 * 64 // bodies, with several threads each
	bodies := make([]kernels.Body[float32], launch+5)
	acc := make([]kernels.Vec3[float32], len(bodies))
	bodies[3] = kernels.Body[float32]{X: 2, Mass: 5}
	bodies[launch+1].X = 1
	on := &small{on: gocuda.Default()}
	if err := nbody.Accelerations(t.Context(), on, nbody.Several, 0, bodies, acc); err != nil {
		t.Fatal(err)
	}
	if len(on.grids) != 2 || on.grids[0].X != 65535 || on.grids[1].X != 1 {
		t.Errorf("grids %v", on.grids)
	}
	for i, want := range []float64{5. / 4, 5, 5. / 4, 5. / 4, 5. / 4} {
		if got := float64(acc[launch+i].X); !(math.Abs(got-want) <= 35*0x1p-24*want) {
			t.Errorf("body %d: %v, want %v", launch+i, got, want)
		}
	}
}

func TestBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	b, v := make([]kernels.Body[float32], 2), make([]kernels.Vec3[float32], 3)
	nan := float32(math.NaN())
	for name, err := range map[string]error{
		"lengths":          nbody.Accelerations(ctx, dev, nbody.Tiled, 0, b, v),
		"method":           nbody.Accelerations(ctx, dev, nbody.Shuffle+1, 0, b, v[:2]),
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
		if !errors.Is(err, gocuda.ErrInvalidValue) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func ExampleAccelerations() {
	// A body of mass 8 pulls one of no mass, 2 away, with 8/2².
	bodies := []kernels.Body[float64]{{X: 1, Mass: 8}, {X: 1, Y: 2}}
	acc := make([]kernels.Vec3[float64], 2)
	for _, m := range []nbody.Method{nbody.Global, nbody.Tiled, nbody.Several, nbody.Constant, nbody.Shuffle} {
		if err := nbody.Accelerations(context.Background(), gocuda.Default(), m, 0, bodies, acc); err != nil {
			fmt.Println(err)
		}
		fmt.Printf("%-8v %v\n", m, acc[1])
	}
	// Output:
	// global   {0 -2 0}
	// tiled    {0 -2 0}
	// several  {0 -2 0}
	// constant {0 -2 0}
	// shuffle  {0 -2 0}
}
