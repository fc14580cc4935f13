package cp_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/cp"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var methods = []cp.Method{cp.Global, cp.Constant}

// cloud makes n atoms by chance, in a cube of the given side around the origin.
func cloud(n int, side float64) []cp.Atom {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	at := func() float32 { return float32(side * (r.Float64() - 0.5)) }
	atoms := make([]cp.Atom, n)
	for i := range atoms {
		atoms[i] = cp.Atom{X: at(), Y: at(), Z: at(), Charge: float32(2*r.Float64() - 1)}
	}
	return atoms
}

// bound is the error that the comment of the package allows for point (i, j). Its place in float32
// is the reference's but for roundings of x0, of the point itself, and of the product in between.
func bound(p cp.Plane, atoms []cp.Atom, i, j int) float64 {
	const u = 0x1p-24
	x, y := float64(p.X)+float64(p.Spacing)*float64(i), float64(p.Y)+float64(p.Spacing)*float64(j)
	off := u * (math.Abs(float64(p.X)) + 3*math.Abs(x) + math.Abs(float64(p.Y)) + 3*math.Abs(y))
	all := 0.0
	for _, a := range atoms {
		r := math.Hypot(math.Hypot(x-float64(a.X), y-float64(a.Y)), float64(p.Z)-float64(a.Z))
		all += math.Abs(float64(a.Charge)) / r * (float64(len(atoms)+12)*u + 2*off/r)
	}
	return 1.01 * all
}

// run computes the potential, over results that must not matter.
func run(t *testing.T, on kernels.Launcher, m cp.Method, p cp.Plane, atoms []cp.Atom) []float32 {
	t.Helper()
	out := make([]float32, p.Width*p.Height)
	for i := range out {
		out[i] = float32(math.NaN())
	}
	require.NoError(t, cp.Potential(t.Context(), on, m, p, atoms, out))
	return out
}

// same compares with the reference.
func same(t *testing.T, what string, p cp.Plane, atoms []cp.Atom, got []float32) {
	t.Helper()
	want := make([]float64, p.Width*p.Height)
	serial.CPPotential(p, atoms, want)
	slicetest.Within(t, want, got, func(i int) float64 { return bound(p, atoms, i%p.Width, i/p.Width) }, "%s", what)
}

func TestAgainstSerial(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		sizes := [][2]int{{1, 1}, {0, 3}, {3, 0}, {31, 2}, {2, 33}, {33, 31}, {100, 9}, {127, 1}, {129, 8}, {257, 17}}
		if dev.Slow {
			sizes = sizes[:6]
		}
		for _, m := range methods {
			for _, s := range sizes {
				for _, n := range []int{0, 1, 50} {
					p := cp.Plane{Width: s[0], Height: s[1], X: -3.3, Y: -2.7, Z: 0.4, Spacing: 0.1}
					atoms := cloud(n, 10)
					same(t, fmt.Sprintf("%s, %v, %v, %d atoms", dev.Name, m, s, n), p, atoms, run(t, dev, m, p, atoms))
				}
			}
		}
	}
}

// More atoms than constant memory has room for, 4096.
func TestManyChunks(t *testing.T) {
	p := cp.Plane{Width: 40, Height: 3, Spacing: 0.5}
	if kerneltest.Devices(t)[0].Slow {
		p.Width = 3
	}
	atoms := cloud(2*4096+1, 30)
	for _, m := range methods {
		same(t, fmt.Sprint(m), p, atoms, run(t, gocuda.Default(), m, p, atoms))
	}
}

// On a stream chunks are copied in turn, after what made the atoms.
func TestOnAStream(t *testing.T) {
	for _, m := range methods {
		made := cloud(4096+3, 30)
		atoms := make([]cp.Atom, len(made))
		p := cp.Plane{Width: 5, Height: 2, Spacing: 0.5}
		out := make([]float32, 10)
		stream := gocuda.Default().NewStream()
		start := make(chan struct{})
		err := errors.Join(
			stream.AddCallback(func() { <-start; copy(atoms, made) }),
			cp.Potential(t.Context(), kernels.OnStream(stream), m, p, atoms, out),
		)
		close(start)
		require.NoError(t, errors.Join(err, stream.Synchronize(t.Context()), stream.Close()))
		same(t, fmt.Sprint(m), p, made, out)
	}
}

// glibc returns the generator of glibc's rand after srand(seed): r_i = r_(i-3) + r_(i-31), from 31
// numbers of a linear congruential generator; the first 310 are thrown away, and the lowest bit of
// each.
func glibc(seed int64) func() int32 {
	r := []uint32{uint32(seed)}
	for i := 1; i < 31; i++ {
		seed = 16807 * seed % 2147483647
		r = append(r, uint32(seed))
	}
	for i := 31; i < 34; i++ {
		r = append(r, r[i-31])
	}
	next := func() uint32 {
		n := len(r)
		r = append(r, r[n-3]+r[n-31])
		return r[n]
	}
	for range 310 {
		next()
	}
	return func() int32 { return int32(next() >> 1) }
}

// The input that the benchmark suite Parboil makes for its version of CP, and sums of it in float64.
func TestParboil(t *testing.T) {
	const width, height, n = 64, 64, 100
	rand := glibc(54321)
	first := glibc(54321)
	assert.Equal(t, []int32{60209456, 357898661, 257185675, 1235229180}, []int32{first(), first(), first(), first()})
	draw := func() float32 { return float32(rand()) / math.MaxInt32 }
	atoms := make([]cp.Atom, n)
	tenth := float32(0.1)
	for i := range atoms {
		atoms[i].X = draw() * float32(int(tenth*width))
		atoms[i].Y = draw() * float32(int(tenth*height))
		atoms[i].Z = draw() * 0
		atoms[i].Charge = 2*draw() - 1
	}
	p := cp.Plane{Width: width, Height: height, Spacing: tenth}
	exact := make([]float64, width*height)
	serial.CPPotential(p, atoms, exact)
	known := map[[2]int]float64{{0, 0}: -2.55535273, {63, 0}: -1.00343824, {32, 32}: 3.3455069, {0, 63}: 0.798771751, {63, 63}: 0.884878374}
	for at, want := range known {
		assert.InDelta(t, want, exact[at[1]*width+at[0]], 5e-9, "%v", at)
	}
	for _, dev := range kerneltest.Devices(t) {
		for _, m := range methods {
			out := run(t, dev, m, p, atoms)
			for at, want := range known {
				assert.InDelta(t, want, out[at[1]*width+at[0]], 5e-9+bound(p, atoms, at[0], at[1]), "%s, %v: %v", dev.Name, m, at)
			}
		}
	}
}

// Evjen's cube (Physical Review 39, 675, 1932): the ions of NaCl up to l neighbours away, of which
// those on faces, edges and corners count half, a quarter and an eighth. Without the one in the
// middle the potential there is less Madelung's number, 1.7475646.
func TestMadelung(t *testing.T) {
	for l, want := range map[int]float64{1: 1.456029926, 2: 1.751769133, 3: 1.747041565, 5: 1.747500502} {
		var atoms []cp.Atom
		for x := -l; x <= l; x++ {
			for y := -l; y <= l; y++ {
				for z := -l; z <= l; z++ {
					q := float32(1)
					for _, c := range []int{x, y, z} {
						if c == l || c == -l {
							q /= 2
						}
						if c%2 != 0 {
							q = -q
						}
					}
					if x != 0 || y != 0 || z != 0 {
						atoms = append(atoms, cp.Atom{X: float32(x), Y: float32(y), Z: float32(z), Charge: q})
					}
				}
			}
		}
		// The middle is point (37, 3), off the atoms by half the spacing in no direction.
		p := cp.Plane{Width: 100, Height: 7, X: -37 * 0.375, Y: -3 * 0.375, Spacing: 0.375}
		exact := make([]float64, 700)
		serial.CPPotential(p, atoms, exact)
		assert.InDelta(t, -want, exact[3*100+37], 1e-9)
		for _, dev := range kerneltest.Devices(t) {
			for _, m := range methods {
				got := run(t, dev, m, p, atoms)[3*100+37]
				assert.InDelta(t, -want, got, 1e-9+bound(p, atoms, 37, 3), "%s, %v: %d", dev.Name, m, l)
			}
		}
	}
}

// At an atom the potential is infinite, and of one without a charge or of opposite ones no number.
func TestPointsAtAtoms(t *testing.T) {
	atoms := []cp.Atom{{X: 0, Charge: 2}, {X: 1, Charge: -1}, {X: 2}, {X: 3, Charge: 1}, {X: 3, Charge: -3}}
	p := cp.Plane{Width: 5, Height: 1, Spacing: 1}
	for _, dev := range kerneltest.Devices(t) {
		for _, m := range methods {
			out := run(t, dev, m, p, atoms)
			assert.True(t, math.IsInf(float64(out[0]), 1), "%s, %v: %v", dev.Name, m, out)
			assert.True(t, math.IsInf(float64(out[1]), -1), "%s, %v: %v", dev.Name, m, out)
			assert.True(t, out[2] != out[2] && out[3] != out[3], "%s, %v: %v", dev.Name, m, out)
			assert.InDelta(t, 2./4-1./3+1-3, out[4], 1e-6, "%s, %v", dev.Name, m)
		}
	}
}

func TestBadArguments(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	out := make([]float32, 6)
	for name, err := range map[string]error{
		"method":          cp.Potential(ctx, dev, cp.Constant+1, cp.Plane{Width: 3, Height: 2}, nil, out),
		"negative method": cp.Potential(ctx, dev, -1, cp.Plane{Width: 3, Height: 2}, nil, out),
		"length":          cp.Potential(ctx, dev, cp.Global, cp.Plane{Width: 3, Height: 3}, nil, out),
		"negative":        cp.Potential(ctx, dev, cp.Global, cp.Plane{Width: -3, Height: -2}, nil, out),
		"wraps around":    cp.Potential(ctx, dev, cp.Global, cp.Plane{Width: 1 << 33, Height: 1 << 31}, nil, nil),
		"spacing":         cp.Potential(ctx, dev, cp.Global, cp.Plane{Width: 3, Height: 2, Spacing: nan}, nil, out),
		"place":           cp.Potential(ctx, dev, cp.Global, cp.Plane{Width: 3, Height: 2, Y: inf}, nil, out),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
}
