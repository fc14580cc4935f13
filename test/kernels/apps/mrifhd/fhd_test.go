package mrifhd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/mri"
	"github.com/gocuda/gocuda/kernels/apps/mrifhd"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var methods = []mri.Method{mri.Global, mri.Constant}

// list makes n numbers in [-scale, scale).
func list(r *rand.Rand, n int, scale float64) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(scale * (2*r.Float64() - 1))
	}
	return v
}

// scan makes samples and voxels by chance.
func scan(samples, voxels int) (*mri.Samples, *mri.Voxels) {
	r := rand.New(rand.NewPCG(uint64(samples), uint64(voxels)))
	return &mri.Samples{
			X: list(r, samples, 20), Y: list(r, samples, 20), Z: list(r, samples, 5), PhiRe: list(r, samples, 1), PhiIm: list(r, samples, 1),
			DataRe: list(r, samples, 1), DataIm: list(r, samples, 1),
		}, &mri.Voxels{
			X: list(r, voxels, 1), Y: list(r, voxels, 1), Z: list(r, voxels, 1),
		}
}

// bound is the error that the comment of the package allows for voxel i.
func bound(s *mri.Samples, v *mri.Voxels, i int) float64 {
	var all, turns, parts float64
	abs := func(v float32) float64 { return math.Abs(float64(v)) }
	for k := range s.X {
		phi := complex(float64(s.PhiRe[k]), -float64(s.PhiIm[k]))
		rho := phi * complex(float64(s.DataRe[k]), float64(s.DataIm[k]))
		w := math.Abs(real(rho)) + math.Abs(imag(rho))
		all += w
		turns += w * (math.Abs(float64(s.X[k])*float64(v.X[i])) + math.Abs(float64(s.Y[k])*float64(v.Y[i])) + math.Abs(float64(s.Z[k])*float64(v.Z[i])))
		parts += (abs(s.PhiRe[k]) + abs(s.PhiIm[k])) * (abs(s.DataRe[k]) + abs(s.DataIm[k]))
	}
	return (float64(2*s.Len()+8)*all+24*turns+3*parts)*0x1p-24 + math.Exp2(-20.8)*all
}

// run computes F^H d, over results that must not matter.
func run(t *testing.T, on kernels.Launcher, m mri.Method, s *mri.Samples, v *mri.Voxels) (re, im []float32) {
	t.Helper()
	re, im = make([]float32, v.Len()), make([]float32, v.Len())
	for i := range re {
		re[i], im[i] = 1000, float32(math.NaN())
	}
	require.NoError(t, mrifhd.FHD(t.Context(), on, m, s, v, re, im))
	return re, im
}

// same compares with the reference.
func same(t *testing.T, what string, s *mri.Samples, v *mri.Voxels, re, im []float32) {
	t.Helper()
	wantRe, wantIm := make([]float64, v.Len()), make([]float64, v.Len())
	serial.MRIFHD(s, v, wantRe, wantIm)
	slicetest.Within(t, wantRe, re, func(i int) float64 { return bound(s, v, i) }, "%s, real", what)
	slicetest.Within(t, wantIm, im, func(i int) float64 { return bound(s, v, i) }, "%s, imaginary", what)
}

func TestAgainstSerial(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, m := range methods {
			for _, n := range dev.Sizes([]int{0, 1, 31, 33, 100, 257, 1000}, 5) {
				for _, samples := range []int{0, 1, 77} {
					s, v := scan(samples, n)
					re, im := run(t, dev, m, s, v)
					same(t, fmt.Sprintf("%s, %v, %d samples, %d voxels", dev.Name, m, samples, n), s, v, re, im)
				}
			}
		}
	}
}

// More samples than constant memory has room for, 3276.
func TestManyChunks(t *testing.T) {
	voxels := 33
	if kerneltest.Devices(t)[0].Slow {
		voxels = 3
	}
	s, v := scan(2*3276+1, voxels)
	for _, m := range methods {
		re, im := run(t, gocuda.Default(), m, s, v)
		same(t, fmt.Sprint(m), s, v, re, im)
	}
}

// On a stream the samples are weighed, copied and used in this order, after what made them.
func TestOnAStream(t *testing.T) {
	for _, m := range methods {
		s, v := scan(3276+5, 9)
		data := s.DataRe
		s.DataRe = make([]float32, len(data))
		re, im := make([]float32, v.Len()), make([]float32, v.Len())
		stream := gocuda.Default().NewStream()
		start := make(chan struct{})
		err := errors.Join(
			stream.AddCallback(func() { <-start; copy(s.DataRe, data) }),
			mrifhd.FHD(t.Context(), kernels.OnStream(stream), m, s, v, re, im),
		)
		close(start)
		require.NoError(t, errors.Join(err, stream.Synchronize(t.Context()), stream.Close()))
		same(t, fmt.Sprint(m), s, v, re, im)
	}
}

// cube is samples with phi = 1 at all whole places of a cube of side 2m+1 around the origin, of a
// point at (x, y, z).
func cube(m int, x, y, z float64) *mri.Samples {
	s := &mri.Samples{}
	for kx := -m; kx <= m; kx++ {
		for ky := -m; ky <= m; ky++ {
			for kz := -m; kz <= m; kz++ {
				s.X, s.Y, s.Z = append(s.X, float32(kx)), append(s.Y, float32(ky)), append(s.Z, float32(kz))
				s.PhiRe, s.PhiIm = append(s.PhiRe, 1), append(s.PhiIm, 0)
				sin, cos := math.Sincos(-2 * math.Pi * (float64(kx)*x + float64(ky)*y + float64(kz)*z))
				s.DataRe, s.DataIm = append(s.DataRe, float32(cos)), append(s.DataIm, float32(sin))
			}
		}
	}
	return s
}

// dirichlet is the sum of exp(2 pi i k x) over the whole numbers k from -m to m: the kernel of
// Dirichlet.
func dirichlet(m int, x float64) float64 {
	if x == math.Round(x) {
		return float64(2*m + 1)
	}
	return math.Sin(float64(2*m+1)*math.Pi*x) / math.Sin(math.Pi*x)
}

// The image of a point is a peak of the height of the number of samples, with Dirichlet kernels
// around it. What the data lose as float32 is 2^-25 of each sample.
func TestPoint(t *testing.T) {
	for _, m := range []int{1, 2, 4} {
		const x0, y0, z0 = 0.125, -0.3125, 0.4375
		s := cube(m, x0, y0, z0)
		_, v := scan(0, 101)
		v.X[0], v.Y[0], v.Z[0] = x0, y0, z0
		tolerance := func(i int) float64 { return bound(s, v, i) + 2*float64(s.Len())*0x1p-25 }
		for _, dev := range kerneltest.Devices(t) {
			for _, method := range methods {
				re, im := run(t, dev, method, s, v)
				want := make([]float64, v.Len())
				for i := range want {
					want[i] = dirichlet(m, float64(v.X[i])-x0) * dirichlet(m, float64(v.Y[i])-y0) * dirichlet(m, float64(v.Z[i])-z0)
				}
				require.Equal(t, float64(s.Len()), want[0])
				slicetest.Within(t, want, re, tolerance, "%s, %v, m = %d", dev.Name, method, m)
				slicetest.Within(t, make([]float64, len(im)), im, tolerance, "%s, %v, m = %d", dev.Name, method, m)
			}
		}
	}
}

// The result is linear in conj(phi): that of phi + i psi is that of phi less i times that of psi.
func TestLinearInPhi(t *testing.T) {
	s, v := scan(50, 65)
	with := func(re, im []float32) *mri.Samples {
		o := *s
		o.PhiRe, o.PhiIm = re, im
		return &o
	}
	zero := make([]float32, s.Len())
	for _, method := range methods {
		aRe, aIm := run(t, gocuda.Default(), method, with(s.PhiRe, zero), v)
		bRe, bIm := run(t, gocuda.Default(), method, with(s.PhiIm, zero), v)
		re, im := run(t, gocuda.Default(), method, s, v)
		wantRe, wantIm := make([]float64, len(re)), make([]float64, len(re))
		for i := range re {
			wantRe[i], wantIm[i] = float64(aRe[i])+float64(bIm[i]), float64(aIm[i])-float64(bRe[i])
		}
		tolerance := func(i int) float64 {
			return bound(s, v, i) + bound(with(s.PhiRe, zero), v, i) + bound(with(s.PhiIm, zero), v, i)
		}
		slicetest.Within(t, wantRe, re, tolerance, "%v, real", method)
		slicetest.Within(t, wantIm, im, tolerance, "%v, imaginary", method)
	}
}

// parts lets only launches of one block through, and remembers the grids.
type parts struct {
	on    kernels.Launcher
	grids []grid.Dim3
}

func (p *parts) Launch(ctx context.Context, cfg grid.Config, k gocuda.Kernel) error {
	p.grids = append(p.grids, cfg.Grid)
	if cfg.Grid.X > 1 {
		return nil
	}
	return p.on.Launch(ctx, cfg, k)
}

// More voxels than a launch of the first generation has room for.
func TestMoreVoxelsThanAGrid(t *testing.T) {
	if testing.Short() || kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	const launch = 65535 * 256
	x := make([]float32, launch+3)
	v := &mri.Voxels{X: x, Y: x, Z: x}
	re, im := make([]float32, len(x)), make([]float32, len(x))
	s, _ := scan(5, 0)
	on := &parts{on: gocuda.Default()}
	require.NoError(t, mrifhd.FHD(t.Context(), on, mri.Global, s, v, re, im))
	assert.Equal(t, []grid.Dim3{{X: 1}, {X: 65535}, {X: 1}}, on.grids)
	last := &mri.Voxels{X: x[launch:], Y: x[launch:], Z: x[launch:]}
	same(t, "the last", s, last, re[launch:], im[launch:])
}

func TestBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	s, v := scan(3, 2)
	two, three := make([]float32, 2), make([]float32, 3)
	for name, err := range map[string]error{
		"method":      mrifhd.FHD(ctx, dev, mri.Constant+1, s, v, two, two),
		"no samples":  mrifhd.FHD(ctx, dev, mri.Global, nil, v, two, two),
		"no voxels":   mrifhd.FHD(ctx, dev, mri.Global, s, nil, two, two),
		"real":        mrifhd.FHD(ctx, dev, mri.Global, s, v, three, two),
		"imaginary":   mrifhd.FHD(ctx, dev, mri.Global, s, v, two, nil),
		"no data":     mrifhd.FHD(ctx, dev, mri.Global, &mri.Samples{X: three, Y: three, Z: three, PhiRe: three, PhiIm: three}, v, two, two),
		"coordinates": mrifhd.FHD(ctx, dev, mri.Global, s, &mri.Voxels{X: two, Y: three, Z: two}, two, two),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
}
