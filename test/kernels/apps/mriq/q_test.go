package mriq_test

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
	"github.com/gocuda/gocuda/kernels/apps/mriq"
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
		}, &mri.Voxels{
			X: list(r, voxels, 1), Y: list(r, voxels, 1), Z: list(r, voxels, 1),
		}
}

// bound is the error that the comment of the package allows for voxel i.
func bound(s *mri.Samples, v *mri.Voxels, i int) float64 {
	var all, turns float64
	for k := range s.X {
		w := float64(s.PhiRe[k])*float64(s.PhiRe[k]) + float64(s.PhiIm[k])*float64(s.PhiIm[k])
		all += w
		turns += w * (math.Abs(float64(s.X[k])*float64(v.X[i])) + math.Abs(float64(s.Y[k])*float64(v.Y[i])) + math.Abs(float64(s.Z[k])*float64(v.Z[i])))
	}
	return (float64(s.Len()+8)*all+24*turns)*0x1p-24 + math.Exp2(-20.8)*all
}

// run computes Q, over results that must not matter.
func run(t *testing.T, on kernels.Launcher, m mri.Method, s *mri.Samples, v *mri.Voxels) (re, im []float32) {
	t.Helper()
	re, im = make([]float32, v.Len()), make([]float32, v.Len())
	for i := range re {
		re[i], im[i] = 1000, float32(math.NaN())
	}
	require.NoError(t, mriq.Q(t.Context(), on, m, s, v, re, im))
	return re, im
}

// same compares with the reference.
func same(t *testing.T, what string, s *mri.Samples, v *mri.Voxels, re, im []float32) {
	t.Helper()
	wantRe, wantIm := make([]float64, v.Len()), make([]float64, v.Len())
	serial.MRIQ(s, v, wantRe, wantIm)
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

// More samples than constant memory has room for, 4096.
func TestManyChunks(t *testing.T) {
	voxels := 33
	if kerneltest.Devices(t)[0].Slow {
		voxels = 3
	}
	s, v := scan(2*4096+1, voxels)
	for _, m := range methods {
		re, im := run(t, gocuda.Default(), m, s, v)
		same(t, fmt.Sprint(m), s, v, re, im)
	}
}

// On a stream the samples are weighed, copied and used in this order, after what made them.
func TestOnAStream(t *testing.T) {
	for _, m := range methods {
		s, v := scan(4096+5, 9)
		phi := s.PhiRe
		s.PhiRe = make([]float32, len(phi))
		re, im := make([]float32, v.Len()), make([]float32, v.Len())
		stream := gocuda.Default().NewStream()
		start := make(chan struct{})
		err := errors.Join(
			stream.AddCallback(func() { <-start; copy(s.PhiRe, phi) }),
			mriq.Q(t.Context(), kernels.OnStream(stream), m, s, v, re, im),
		)
		close(start)
		require.NoError(t, errors.Join(err, stream.Synchronize(t.Context()), stream.Close()))
		same(t, fmt.Sprint(m), s, v, re, im)
	}
}

// cube is samples with phi = 1 at all whole places of a cube of side 2m+1 around the origin.
func cube(m int) *mri.Samples {
	s := &mri.Samples{}
	for x := -m; x <= m; x++ {
		for y := -m; y <= m; y++ {
			for z := -m; z <= m; z++ {
				s.X, s.Y, s.Z = append(s.X, float32(x)), append(s.Y, float32(y)), append(s.Z, float32(z))
				s.PhiRe, s.PhiIm = append(s.PhiRe, 1), append(s.PhiIm, 0)
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

// With phi = 1 on a cube Q is a product of Dirichlet kernels, and at the origin the number of samples.
func TestCube(t *testing.T) {
	for _, m := range []int{1, 2, 4} {
		s := cube(m)
		_, v := scan(0, 101)
		v.X[0], v.Y[0], v.Z[0] = 0, 0, 0
		v.X[1], v.Y[1], v.Z[1] = 0.5, 0, 0.25
		for _, dev := range kerneltest.Devices(t) {
			for _, method := range methods {
				re, im := run(t, dev, method, s, v)
				assert.Equal(t, float32(s.Len()), re[0], "%s, %v", dev.Name, method)
				assert.Zero(t, im[0], "%s, %v", dev.Name, method)
				want := make([]float64, v.Len())
				for i := range want {
					want[i] = dirichlet(m, float64(v.X[i])) * dirichlet(m, float64(v.Y[i])) * dirichlet(m, float64(v.Z[i]))
				}
				slicetest.Within(t, want, re, func(i int) float64 { return bound(s, v, i) }, "%s, %v, m = %d", dev.Name, method, m)
				slicetest.Within(t, make([]float64, len(im)), im, func(i int) float64 { return bound(s, v, i) }, "%s, %v, m = %d", dev.Name, method, m)
			}
		}
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
	require.NoError(t, mriq.Q(t.Context(), on, mri.Global, s, v, re, im))
	assert.Equal(t, []grid.Dim3{{X: 1}, {X: 65535}, {X: 1}}, on.grids)
	last := &mri.Voxels{X: x[launch:], Y: x[launch:], Z: x[launch:]}
	same(t, "the last", s, last, re[launch:], im[launch:])
}

func TestBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	s, v := scan(3, 2)
	two, three := make([]float32, 2), make([]float32, 3)
	for name, err := range map[string]error{
		"method":      mriq.Q(ctx, dev, mri.Constant+1, s, v, two, two),
		"no samples":  mriq.Q(ctx, dev, mri.Global, nil, v, two, two),
		"no voxels":   mriq.Q(ctx, dev, mri.Global, s, nil, two, two),
		"real":        mriq.Q(ctx, dev, mri.Global, s, v, three, two),
		"imaginary":   mriq.Q(ctx, dev, mri.Global, s, v, two, nil),
		"phi":         mriq.Q(ctx, dev, mri.Global, &mri.Samples{X: three, Y: three, Z: three, PhiRe: two, PhiIm: three}, v, two, two),
		"coordinates": mriq.Q(ctx, dev, mri.Global, s, &mri.Voxels{X: two, Y: three, Z: two}, two, two),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
}
