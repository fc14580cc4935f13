package fft_test

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/fft"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var (
	radices    = []int{0, 2, 4, 8, 16}
	directions = []fft.Direction{fft.Forward, fft.Backward, fft.Inverse}
)

// bound is the largest error of a transform of n points, in the L2 norm and relative to the
// result's: Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2. It is for log2 n
// steps of radix 2 with twiddle factors that are off by mu at most, which are u = 2^-24 off here,
// being rounded once. Passes of higher radix have the same additions, and no more multiplications
// one after the other. One step is added for transforms of more than 1024 points: there a twiddle
// factor is a product of two, which is off by 2u and the rounding of a complex product, sqrt(2)
// gamma2 (Higham, lemma 3.5), less than 5u in all, and a step is worth 6u. The scale is a power of
// two and exact.
func bound(n int) float64 {
	const u, mu = 1.0 / (1 << 24), 1.0 / (1 << 24)
	const gamma4 = 4 * u / (1 - 4*u)
	const eta = mu + gamma4*(math.Sqrt2+mu)
	steps := math.Log2(float64(n))
	if n > 1024 {
		steps++
	}
	return steps * eta / (1 - steps*eta)
}

// distance is the L2 norm of the difference, relative to that of want.
func distance(got []complex64, want []complex128) float64 {
	var d2, w2 float64
	for i, w := range want {
		d := complex128(got[i]) - w
		d2 += real(d)*real(d) + imag(d)*imag(d)
		w2 += real(w)*real(w) + imag(w)*imag(w)
	}
	if d2 == 0 {
		return 0
	}
	return math.Sqrt(d2 / w2)
}

// uniform returns numbers in the square around 0 with side 2.
func uniform(n int) []complex64 {
	v, x := kerneltest.Uniform[float32](2*n), make([]complex64, n)
	for i := range x {
		x[i] = complex(v[2*i], v[2*i+1])
	}
	return x
}

// definition is the transform as it is defined, in double precision.
func definition(dir fft.Direction, x []complex64) []complex128 {
	n := len(x)
	roots := make([]complex128, n)
	for i := range roots {
		sign := -1.0
		if dir != fft.Forward {
			sign = 1
		}
		roots[i] = cmplx.Exp(complex(0, sign*2*math.Pi*float64(i)/float64(n)))
	}
	y := make([]complex128, n)
	for k := range y {
		for j, v := range x {
			y[k] += complex128(v) * roots[j*k%n]
		}
		if dir == fft.Inverse {
			y[k] /= complex(float64(n), 0)
		}
	}
	return y
}

// gonum is the transform by gonum, in double precision.
func gonum(dir fft.Direction, x []complex64) []complex128 {
	y, f := make([]complex128, len(x)), fourier.NewCmplxFFT(len(x))
	for i, v := range x {
		y[i] = complex128(v)
	}
	if dir == fft.Forward {
		return f.Coefficients(y, y)
	}
	f.Sequence(y, y)
	if dir == fft.Inverse {
		for i := range y {
			y[i] /= complex(float64(len(y)), 0)
		}
	}
	return y
}

// ways are the ways to do the same, with a name for messages.
func ways(t testing.TB, p *fft.Plan, on kernels.Launcher, dir fft.Direction, x []complex64) map[string][]complex64 {
	t.Helper()
	pairs, inPlace := make([]complex64, len(x)), append([]complex64(nil), x...)
	re, im := make([]float32, len(x)), make([]float32, len(x))
	for i, v := range x {
		re[i], im[i] = real(v), imag(v)
	}
	type split struct{ re, im []float32 }
	apart := split{make([]float32, len(x)), make([]float32, len(x))}
	passes := split{make([]float32, len(x)), make([]float32, len(x))}
	require.NoError(t, errors.Join(
		p.Transform(t.Context(), on, dir, pairs, x),
		p.Transform(t.Context(), on, dir, inPlace, inPlace),
		p.TransformPasses(t.Context(), on, dir, passes.re, passes.im, re, im),
		p.TransformSplit(t.Context(), on, dir, apart.re, apart.im, re, im),
		p.TransformSplit(t.Context(), on, dir, re, im, re, im),
	))
	join := func(s split) []complex64 {
		y := make([]complex64, len(x))
		for i := range y {
			y[i] = complex(s.re[i], s.im[i])
		}
		return y
	}
	return map[string][]complex64{"pairs": pairs, "in place": inPlace,
		"apart": join(apart), "apart, in place": join(split{re, im}), "passes": join(passes)}
}

func newPlan(t testing.TB, n, radix int) *fft.Plan {
	t.Helper()
	p, err := fft.NewPlanRadix(n, radix)
	require.NoError(t, err)
	return p
}

// agree compares transforms of n points, in all ways and directions, with those of a reference.
func agree(t *testing.T, d kerneltest.Device, n, batch int, radices []int,
	reference func(fft.Direction, []complex64) []complex128) {
	t.Helper()
	x := uniform(n * batch)
	for _, dir := range directions {
		want := make([][]complex128, batch)
		for i := range want {
			want[i] = reference(dir, x[i*n:(i+1)*n])
		}
		for _, radix := range radices {
			for way, got := range ways(t, newPlan(t, n, radix), d, dir, x) {
				for i, w := range want {
					require.LessOrEqual(t, distance(got[i*n:(i+1)*n], w), bound(n), "%s, %s, radix %d, %v: error of transform %d of %d with %d points", d.Name, way, radix, dir, i, batch, n)
				}
			}
		}
	}
}

func TestAgainstTheDefinition(t *testing.T) {
	for _, d := range kerneltest.Devices(t) {
		for n := 1; n <= 256; n *= 2 {
			// Nothing, one, a prime, and as many as fill a block, one less and one more.
			batches := []int{0, 1, 3, 1024/n - 1, 1024 / n, 1024/n + 1}
			if d.Slow {
				batches = []int{0, 3, 1024/n + 1}
			}
			for _, batch := range batches {
				agree(t, d, n, batch, d.Sizes(radices, 1), definition)
			}
		}
	}
}

func TestAgainstGonum(t *testing.T) {
	for _, d := range kerneltest.Devices(t) {
		for i, n := range d.Sizes([]int{512, 1024, 2048, 4096, 8192, 1 << 14, 1 << 15, 1 << 16}, 4) {
			batch, radices := 3, radices
			if d.Slow || i >= 4 {
				batch, radices = 1, radices[:1]
			}
			agree(t, d, n, batch, radices, gonum)
		}
	}
}

// The lengths that take three launches and four, at their ends.
func TestLongTransforms(t *testing.T) {
	d := kerneltest.Devices(t)[0]
	if d.Slow {
		t.Skip("too slow")
	}
	for _, n := range []int{1 << 18, 1 << 19} {
		x := uniform(n)
		y := make([]complex64, n)
		require.NoError(t, newPlan(t, n, 0).Transform(t.Context(), d, fft.Forward, y, x))
		assert.LessOrEqual(t, distance(y, gonum(fft.Forward, x)), bound(n), "error of %d points", n)
	}
}

// The transform of a single 1 at place j is exp(-2 pi i j k / n) at k. Each number is made by
// multiplying roots of unity, with zeros added, so the bound holds for it alone.
func TestImpulse(t *testing.T) {
	for _, d := range kerneltest.Devices(t) {
		ns := d.Sizes([]int{1, 8, 128, 1 << 13, 1 << 19}, 4)
		if d.Name == "default" && !d.Slow && !testing.Short() {
			ns = append(ns, 1<<24)
		}
		for _, n := range ns {
			j := 3 * n / 7
			re, im := make([]float32, n), make([]float32, n)
			re[j] = 1
			require.NoError(t, newPlan(t, n, 0).TransformSplit(t.Context(), d, fft.Forward, re, im, re, im))
			for k := 0; k < n; k += 1 + n/9973 {
				want := cmplx.Exp(complex(0, -2*math.Pi*float64(j*k%n)/float64(n)))
				off := cmplx.Abs(complex(float64(re[k]), float64(im[k])) - want)
				require.LessOrEqual(t, off, bound(n), "%s: error of result %d of %d", d.Name, k, n)
			}
		}
	}
}

// A tone is 0 everywhere but at its frequency.
func TestTone(t *testing.T) {
	for n := 1; n <= 1<<13; n *= 2 {
		f := 5 * n / 8
		x, y, want := make([]complex64, n), make([]complex64, n), make([]complex128, n)
		for j := range x {
			x[j] = complex64(cmplx.Exp(complex(0, 2*math.Pi*float64(f*j%n)/float64(n))))
		}
		want[f] = complex(float64(n), 0)
		require.NoError(t, newPlan(t, n, 0).Transform(t.Context(), gocuda.Default(), fft.Forward, y, x))
		// The tone itself is rounded, by u.
		assert.LessOrEqual(t, distance(y, want), bound(n)+1.0/(1<<24), "error of %d points", n)
	}
}

// Parseval: the squares of the result add up to n times those of the data.
func TestParseval(t *testing.T) {
	for n := 1; n <= 1<<14; n *= 2 {
		x, y := uniform(n), make([]complex64, n)
		require.NoError(t, newPlan(t, n, 0).Transform(t.Context(), gocuda.Default(), fft.Forward, y, x))
		norm := func(x []complex64) (s float64) {
			for _, v := range x {
				s += real(complex128(v))*real(complex128(v)) + imag(complex128(v))*imag(complex128(v))
			}
			return math.Sqrt(s)
		}
		assert.InDelta(t, 1, norm(y)/(norm(x)*math.Sqrt(float64(n))), bound(n)+1e-13, "%d points: the norm, by what it should be", n)
	}
}

// The transform of a x + y is a times that of x plus that of y.
func TestLinear(t *testing.T) {
	const n = 2048
	all := uniform(2 * n)
	x, y, sum := all[:n], all[n:], make([]complex64, n)
	const a = -0.25 // so that the product is exact
	for i := range sum {
		sum[i] = complex(a*real(x[i])+real(y[i]), a*imag(x[i])+imag(y[i]))
	}
	p := newPlan(t, n, 0)
	for _, v := range [][]complex64{all, sum} {
		require.NoError(t, p.Transform(t.Context(), gocuda.Default(), fft.Forward, v, v))
	}
	want := make([]complex128, n)
	for i := range want {
		want[i] = a*complex128(x[i]) + complex128(y[i])
	}
	// Three transforms are off, and the sums were rounded. The norms of x and y are each at most
	// twice that of the sum: they are independent numbers.
	assert.LessOrEqual(t, distance(sum, want), 5*bound(n))
}

func TestInverseOfForward(t *testing.T) {
	for _, n := range []int{1, 2, 64, 128, 1024, 2048, 1 << 15} {
		x, y := uniform(3*n), make([]complex64, 3*n)
		p := newPlan(t, n, 0)
		for _, dir := range []fft.Direction{fft.Forward, fft.Inverse} {
			in := y
			if dir == fft.Forward {
				in = x
			}
			require.NoError(t, p.Transform(t.Context(), gocuda.Default(), dir, y, in))
		}
		want := make([]complex128, len(x))
		for i, v := range x {
			want[i] = complex128(v)
		}
		// The second transform hands on the error of the first, neither larger nor smaller, and
		// adds its own.
		assert.LessOrEqual(t, distance(y, want), bound(n)*(2+bound(n)), "error of %d points", n)
	}
}

func TestSerialReference(t *testing.T) {
	for n := 1; n <= 128; n *= 2 {
		x, y := uniform(3*n), make([]complex64, 3*n)
		for _, dir := range directions {
			serial.FFT(n, dir, y, x)
			for i := 0; i < len(x); i += n {
				// What double precision is off by is lost in the rounding to single.
				assert.LessOrEqual(t, distance(y[i:i+n], definition(dir, x[i:i+n])), 1.0/(1<<24)+1e-13, "error of %d points, %v", n, dir)
			}
		}
	}
}

func TestOnAStream(t *testing.T) {
	for _, n := range []int{4, 512, 4096, 1 << 13} {
		s := gocuda.Default().NewStream()
		p := newPlan(t, n, 0)
		x := uniform(2 * n)
		y := make([]complex64, len(x))
		re, im := make([]float32, len(x)), make([]float32, len(x))
		for i, v := range x {
			re[i], im[i] = real(v), imag(v)
		}
		// Queued one after the other, on the same scratch memory or on others.
		on := kernels.OnStream(s)
		require.NoError(t, errors.Join(
			p.Transform(t.Context(), on, fft.Forward, y, x),
			p.Transform(t.Context(), on, fft.Inverse, y, y),
			p.TransformPasses(t.Context(), on, fft.Forward, re, im, append([]float32(nil), re...), append([]float32(nil), im...)),
			p.TransformSplit(t.Context(), on, fft.Inverse, re, im, re, im),
			s.Synchronize(t.Context()),
		))
		want := make([]complex128, len(x))
		for i, v := range x {
			want[i] = complex128(v)
		}
		apart := make([]complex64, len(x))
		for i := range apart {
			apart[i] = complex(re[i], im[i])
		}
		for _, got := range [][]complex64{y, apart} {
			assert.LessOrEqual(t, distance(got, want), bound(n)*(2+bound(n)), "error of %d points", n)
		}
	}
}

// A plan serves several goroutines.
func TestConcurrently(t *testing.T) {
	const n = 2048
	p := newPlan(t, n, 0)
	all := uniform(4 * n)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			x := all[i*n : (i+1)*n]
			want := gonum(fft.Forward, x)
			y := make([]complex64, n)
			for range 3 {
				assert.NoError(t, p.Transform(t.Context(), gocuda.Default(), fft.Forward, y, x))
				assert.LessOrEqual(t, distance(y, want), bound(n))
			}
		})
	}
	wg.Wait()
}

func TestPlansThatCannotBe(t *testing.T) {
	large := int64(1) << 31
	for _, n := range []int{-8, -1, 0, 3, 6, 1000, 1<<20 + 1, int(large)} {
		_, err := fft.NewPlan(n)
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "length %d", n)
	}
	for _, radix := range []int{-2, 1, 3, 6, 32} {
		_, err := fft.NewPlanRadix(64, radix)
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "radix %d", radix)
	}
	assert.Equal(t, 64, newPlan(t, 64, 0).Len(), "length")
}

func TestWrongArguments(t *testing.T) {
	p := newPlan(t, 8, 0)
	c, f := make([]complex64, 17), make([]float32, 17)
	on, ctx := gocuda.Default(), t.Context()
	for i, err := range []error{
		p.Transform(ctx, on, fft.Forward, c[:16], c[:8]),
		p.Transform(ctx, on, fft.Forward, c[:9], c[:9]),
		p.Transform(ctx, on, fft.Forward, c[:7], c[:7]),
		p.Transform(ctx, on, fft.Forward, nil, c[:8]),
		p.Transform(ctx, on, fft.Direction(3), c[:8], c[:8]),
		p.Transform(ctx, on, fft.Direction(-1), c[:8], c[:8]),
		new(fft.Plan).Transform(ctx, on, fft.Forward, c[:8], c[:8]),
		(*fft.Plan)(nil).Transform(ctx, on, fft.Forward, c[:8], c[:8]),
		p.TransformSplit(ctx, on, fft.Forward, f[:8], f[:8], f[:8], f[:9]),
		p.TransformSplit(ctx, on, fft.Forward, f[:8], f[:16], f[:8], f[:8]),
		p.TransformSplit(ctx, on, fft.Forward, f[:16], f[:8], f[:8], f[:8]),
		p.TransformSplit(ctx, on, fft.Forward, f, f, f, f),
		p.TransformPasses(ctx, on, fft.Forward, f[:8], f[:8], f[:8], nil),
		p.TransformPasses(ctx, on, fft.Direction(7), f[:8], f[:8], f[:8], f[:8]),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "case %d", i)
	}
}

func TestDirectionNames(t *testing.T) {
	assert.Equal(t, "forward backward inverse Direction(5)", fmt.Sprint(fft.Forward, fft.Backward, fft.Inverse, fft.Direction(5)))
}
