package dense_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

type multiply func(ctx context.Context, on kernels.Launcher, m, n, k int, a, b, c []float32) error

// products are all ways to multiply row-major matrices.
func products() map[string]multiply {
	all := map[string]multiply{
		"serial": func(_ context.Context, _ kernels.Launcher, m, n, k int, a, b, c []float32) error {
			serial.MatMul(m, n, k, a, b, c)
			return nil
		},
		"columns": func(ctx context.Context, on kernels.Launcher, m, n, k int, a, b, c []float32) error {
			// Read by columns, row-major matrices are their transposes, and Cᵀ = Bᵀ Aᵀ.
			return dense.MatMulColumns(ctx, on, n, m, k, b, a, c)
		},
		"columns, serial": func(_ context.Context, _ kernels.Launcher, m, n, k int, a, b, c []float32) error {
			serial.MatMulColumns(n, m, k, b, a, c)
			return nil
		},
		"SGEMM": func(ctx context.Context, on kernels.Launcher, m, n, k int, a, b, c []float32) error {
			return dense.SGEMM(ctx, on, dense.NoTrans, dense.NoTrans, m, n, k, 1, a, max(k, 1), b, max(n, 1), 0, c, max(n, 1))
		},
	}
	for _, method := range dense.Methods() {
		all[method.String()] = func(ctx context.Context, on kernels.Launcher, m, n, k int, a, b, c []float32) error {
			return dense.MatMul(ctx, on, method, m, n, k, a, b, c)
		}
	}
	return all
}

// shapes are m, n and k around the sides of the tiles, the cheap ones first.
var shapes = [][3]int{
	{1, 1, 1}, {2, 3, 5}, {5, 4, 3}, {7, 9, 8}, {13, 11, 12}, {1, 17, 16}, {16, 1, 31}, {17, 15, 16}, {33, 31, 32},
	{12, 24, 36}, {37, 29, 41}, {32, 48, 64}, {63, 65, 97}, {131, 67, 33},
}

func TestMatMulAgainstGonum(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		all := shapes
		if dev.Slow {
			all = shapes[:8]
		}
		for _, s := range all {
			m, n, k := s[0], s[1], s[2]
			a, b := kerneltest.Uniform[float32](m*k), kerneltest.Uniform[float32](k*n)
			wa, wb := wide(m, k, a), wide(k, n, b)
			want, scale := product(wa, wb), product(absolute(wa), absolute(wb))
			for name, mul := range products() {
				c := kerneltest.Uniform[float32](m * n) // what is there before does not matter
				require.NoError(t, mul(t.Context(), dev, m, n, k, a, b, c))
				near(t, fmt.Sprint(dev.Name, ", ", name, s), wide(m, n, c), want, scale, gamma(k))
			}
		}
	}
}

// Products of small integers are exact in any order.
func TestMatMulOfIntegersIsExact(t *testing.T) {
	const m, n, k = 35, 50, 49
	a, b := make([]float32, m*k), make([]float32, k*n)
	for i := range a {
		a[i] = float32(i%13 - 6)
	}
	for i := range b {
		b[i] = float32(i%7 - 3)
	}
	want := product(wide(m, k, a), wide(k, n, b))
	for name, mul := range products() {
		c := make([]float32, m*n)
		require.NoError(t, mul(t.Context(), gocuda.Default(), m, n, k, a, b, c))
		near(t, name, wide(m, n, c), want, want, 0)
	}
}

// Column-major matrices that are not square, written out: [1 2 3; 4 5 6] times [1 0; 0 1; 1 1].
func TestColumnsAreColumns(t *testing.T) {
	a, b := []float32{1, 4, 2, 5, 3, 6}, []float32{1, 0, 1, 0, 1, 1}
	c, plain := make([]float32, 4), make([]float32, 4)
	require.NoError(t, dense.MatMulColumns(t.Context(), gocuda.Default(), 2, 2, 3, a, b, c))
	serial.MatMulColumns(2, 2, 3, a, b, plain)
	assert.Equal(t, []float32{4, 10, 5, 11}, c)
	assert.Equal(t, []float32{4, 10, 5, 11}, plain, "serial")
}

// What is beyond the edge of a tile counts as 0; an infinite number within must not meet it.
func TestMatMulKeepsInfinitiesApart(t *testing.T) {
	inf := float32(math.Inf(1))
	for name, mul := range products() {
		c := make([]float32, 4)
		require.NoError(t, mul(t.Context(), gocuda.Default(), 2, 2, 1, []float32{inf, 1}, []float32{1, 2}, c))
		assert.Equal(t, inf, c[0], "%s: %v", name, c)
		assert.Equal(t, inf, c[1], "%s: %v", name, c)
		assert.Equal(t, float32(1), c[2], "%s: %v", name, c)
		assert.Equal(t, float32(2), c[3], "%s: %v", name, c)
	}
}

func TestMatMulOfEmptyMatrices(t *testing.T) {
	for name, mul := range products() {
		for _, s := range [][3]int{{0, 0, 0}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}} {
			m, n, k := s[0], s[1], s[2]
			c := kerneltest.Uniform[float32](m * n)
			assert.NoError(t, mul(t.Context(), gocuda.Default(), m, n, k, make([]float32, m*k), make([]float32, k*n), c), "%s, %v", name, s)
			slicetest.Each(t, func(int) float32 { return 0 }, c, "%s: an empty sum", name)
		}
	}
}

// More rows or columns than the tiles of one grid of the first generation cover: 65535 of 4, and of 64.
func TestProductsOfLongMatrices(t *testing.T) {
	if !slices.ContainsFunc(kerneltest.Devices(t), func(d kerneltest.Device) bool { return strings.HasPrefix(d.Name, "GK104") }) {
		t.Skip("too many threads for the race detector")
	}
	g80, err := gocuda.NewDevice(gocuda.WithWorkers(1), gocuda.WithGeneration(gocuda.G80))
	require.NoError(t, err)
	t.Cleanup(func() { g80.Close() })
	dev := kerneltest.Device{Name: "G80, one worker", Launcher: g80}
	const long, longer = 65535*4 + 3, 65535*64 + 1
	v, c, two := make([]float32, longer), make([]float32, longer), []float32{2}
	for i := range v {
		v[i] = float32(i % 1000)
	}
	for what, f := range map[string]func() error{
		"rows":    func() error { return dense.MatMul(t.Context(), dev, dense.Tiled4, long, 1, 1, v[:long], two, c[:long]) },
		"columns": func() error { return dense.MatMul(t.Context(), dev, dense.Tiled4, 1, long, 1, two, v[:long], c[:long]) },
		"rows of SGEMM": func() error {
			copy(c, v)
			return dense.SGEMM(t.Context(), dev, false, false, longer, 1, 0, 1, nil, 1, nil, 1, 2, c, 1)
		},
		"columns of SGEMM": func() error {
			copy(c, v)
			return dense.SGEMM(t.Context(), dev, false, false, 1, longer, 0, 1, nil, 1, nil, longer, 2, c, longer)
		},
	} {
		clear(c)
		require.NoError(t, f(), what)
		slicetest.Each(t, func(i int) float32 { return 2 * v[i] }, c[:long], what)
		if strings.HasSuffix(what, "SGEMM") {
			require.Equal(t, 2*v[longer-1], c[longer-1], "%s: the last element", what)
		}
	}
}

func TestMatMulRefusesWrongLengths(t *testing.T) {
	v := make([]float32, 7)
	ctx, dev := t.Context(), gocuda.Default()
	for name, mul := range products() {
		if name == "serial" || name == "columns, serial" {
			continue
		}
		errs := map[string]error{
			name + ", short b":  mul(ctx, dev, 2, 3, 2, v[:4], v[:5], v[:6]),
			name + ", short c":  mul(ctx, dev, 2, 3, 1, v[:2], v[:3], v[:5]),
			name + ", short a":  mul(ctx, dev, 2, 3, 1, v[:1], v[:3], v[:6]),
			name + ", negative": mul(ctx, dev, -2, -3, -1, v[:2], v[:3], v[:6]),
			name + ", overflow": mul(ctx, dev, math.MaxInt/2+1, 2, math.MaxInt/2+1, nil, nil, nil),
		}
		mustBeInvalid(t, errs)
	}
	mustBeInvalid(t, map[string]error{
		"no such method":   dense.MatMul(ctx, dev, dense.TwoByTwo+1, 0, 0, 0, nil, nil, nil),
		"negative method":  dense.MatMul(ctx, dev, -1, 0, 0, 0, nil, nil, nil),
		"a that is longer": dense.MatMul(ctx, dev, dense.Tiled8, 1, 1, 1, v[:2], v[:1], v[:1]),
	})
}

func TestMethodsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range dense.Methods() {
		seen[m.String()] = true
	}
	assert.Len(t, seen, 11)
	assert.Equal(t, "Method(11)", dense.Method(11).String())
}
