package dense_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

func trans(op dense.Op) blas.Transpose {
	if op == dense.Trans {
		return blas.Trans
	}
	return blas.NoTrans
}

// stored returns the rows, columns and distance of rows of a matrix whose op is rows by cols.
func stored(op dense.Op, rows, cols, gap int) (r, c, ld int) {
	if op == dense.Trans {
		rows, cols = cols, rows
	}
	return rows, cols, max(cols+gap, 1)
}

// All transposes, with gaps between the rows, which must stay as they are, against gonum in float64.
func TestSGEMMAgainstGonum(t *testing.T) {
	ops := []dense.Op{dense.NoTrans, dense.Trans}
	factors := [][2]float32{{1, 0}, {-0.75, 1}, {2, -0.5}, {0, 3}, {0, 0}}
	sizes := [][3]int{
		{1, 1, 1}, {3, 5, 2}, {17, 9, 33}, {64, 64, 32}, {65, 63, 31}, {128, 64, 64}, {67, 131, 97}, {1, 200, 50}, {200, 1, 50},
	}
	for _, dev := range kerneltest.Devices(t) {
		all := sizes
		if dev.Slow {
			all = sizes[:2]
		}
		for _, s := range all {
			for nth, f := range factors {
				for _, ta := range ops {
					for _, tb := range ops {
						m, n, k, gap := s[0], s[1], s[2], nth%3
						ar, ac, lda := stored(ta, m, k, gap)
						br, bc, ldb := stored(tb, k, n, 2*gap)
						a, b := kerneltest.Uniform[float32](ar*lda), kerneltest.Uniform[float32](br*ldb + 1)[1:]
						c := kerneltest.Uniform[float32](m*(n+gap) + 2)[2:]
						got, plain := clone(c), clone(c)
						if f[1] == 0 {
							for i := range got {
								got[i] = float32(math.NaN()) // not to be read
							}
						}
						before := clone(got)
						err := dense.SGEMM(t.Context(), dev, ta, tb, m, n, k, f[0], a, lda, b, ldb, f[1], got, n+gap)
						require.NoError(t, err)
						serial.SGEMM(ta, tb, m, n, k, f[0], a, lda, b, ldb, f[1], plain, n+gap)
						general := func(rows, cols, ld int, v []float32, abs bool) blas64.General {
							g := blas64.General{Rows: rows, Cols: cols, Stride: ld, Data: make([]float64, len(v))}
							for i := range v {
								g.Data[i] = float64(v[i])
								if abs {
									g.Data[i] = math.Abs(g.Data[i])
								}
							}
							return g
						}
						want, scale := general(m, n, n+gap, c, false), general(m, n, n+gap, c, true)
						alpha, beta := float64(f[0]), float64(f[1])
						blas64.Gemm(trans(ta), trans(tb),
							alpha, general(ar, ac, lda, a, false), general(br, bc, ldb, b, false), beta, want)
						blas64.Gemm(trans(ta), trans(tb),
							math.Abs(alpha), general(ar, ac, lda, a, true), general(br, bc, ldb, b, true), math.Abs(beta), scale)
						for row := range m {
							begin, end := row*(n+gap), row*(n+gap)+n
							slicetest.EqualBits(t, before[end:end+gap], got[end:end+gap], "%s, %v: the gap behind row %d", dev.Name, s, row)
							bound := func(i int) float64 { return gamma(k+2) * scale.Data[begin+i] }
							for who, c := range map[string][]float32{dev.Name: got, "serial": plain} {
								slicetest.Within(t, want.Data[begin:end], c[begin:end], bound, "%s, %v, %v %v, %v: row %d", who, s, ta, tb, f, row)
							}
						}
					}
				}
			}
		}
	}
}

// The last row of a matrix may end with its last element, wherever the next would begin.
func TestSGEMMReadsNoFurtherThanItMust(t *testing.T) {
	a, b, c := []float32{1, 2, 0, 3, 4}, []float32{1, 0, 0, 0, 1}, make([]float32, 6)
	require.NoError(t, dense.SGEMM(t.Context(), gocuda.Default(), dense.NoTrans, dense.Trans, 2, 2, 2, 1, a, 3, b, 3, 0, c, 4))
	assert.Equal(t, []float32{1, 2, 0, 0, 3, 4}, c)
}

// NaN and infinities of A and B show, also where they meet zeros, unless alpha is 0; those of C
// unless beta is 0.
func TestSGEMMAndNaN(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	gemm := func(alpha, a, b, beta, c float32) float32 {
		v := []float32{c}
		err := dense.SGEMM(t.Context(), gocuda.Default(), false, false, 1, 1, 1, alpha, []float32{a}, 1, []float32{b}, 1, beta, v, 1)
		require.NoError(t, err)
		return v[0]
	}
	for _, x := range []struct {
		got  float32
		want float32
	}{
		{gemm(1, nan, 0, 0, 1), nan}, {gemm(1, 0, nan, 0, 1), nan}, {gemm(1, inf, 0, 0, 1), nan}, {gemm(1, inf, 2, 0, nan), inf},
		{gemm(0, nan, inf, 2, 3), 6}, {gemm(0, nan, inf, 0, nan), 0}, {gemm(1, 2, 3, 1, nan), nan}, {gemm(nan, 1, 1, 0, 0), nan},
	} {
		assert.InDelta(t, x.want, x.got, 0) // NaN for NaN
	}
}

// With nothing to add up C is multiplied by beta, whatever alpha is.
func TestSGEMMOfNothing(t *testing.T) {
	c := []float32{1, 2}
	require.NoError(t, dense.SGEMM(t.Context(), gocuda.Default(), false, true, 1, 2, 0, float32(math.NaN()), nil, 1, nil, 1, 4, c, 2))
	assert.Equal(t, []float32{4, 8}, c)
	for _, s := range [][3]int{{0, 0, 0}, {0, 3, 2}, {3, 0, 2}} {
		a, b := make([]float32, s[0]*s[2]), make([]float32, s[2]*s[1])
		err := dense.SGEMM(t.Context(), gocuda.Default(), false, false, s[0], s[1], s[2],
			1, a, max(1, s[2]), b, max(1, s[1]), 1, nil, max(1, s[1]))
		assert.NoError(t, err)
	}
}

func TestSGEMMRefusesWrongSizes(t *testing.T) {
	v := make([]float32, 12)
	ctx, dev := t.Context(), gocuda.Default()
	gemm := func(m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int) error {
		return dense.SGEMM(ctx, dev, dense.NoTrans, dense.Trans, m, n, k, 1, a, lda, b, ldb, 0, c, ldc)
	}
	assert.NoError(t, gemm(3, 4, 2, v[:6], 2, v[:8], 2, v, 4))
	mustBeInvalid(t, map[string]error{
		"m":        gemm(-3, 4, 2, v[:6], 2, v[:8], 2, v, 4),
		"n":        gemm(3, -4, 2, v[:6], 2, v[:8], 2, v, 4),
		"k":        gemm(3, 4, -2, v[:6], 2, v[:8], 2, v, 4),
		"lda":      gemm(3, 4, 2, v[:6], 1, v[:8], 2, v, 4),
		"ldb":      gemm(3, 4, 2, v[:6], 2, v[:8], 1, v, 4),
		"ldc":      gemm(3, 4, 2, v[:6], 2, v[:8], 2, v, 3),
		"a":        gemm(3, 4, 2, v[:5], 2, v[:8], 2, v, 4),
		"b":        gemm(3, 4, 2, v[:6], 2, v[:7], 2, v, 4),
		"c":        gemm(3, 4, 2, v[:6], 2, v[:8], 2, v[:11], 4),
		"nil":      gemm(3, 4, 2, nil, 2, nil, 2, nil, 4),
		"no ld":    gemm(0, 0, 0, nil, 0, nil, 1, nil, 1),
		"overflow": gemm(math.MaxInt, 4, 2, v[:6], 2, v[:8], 2, v, 4),
	})
}
