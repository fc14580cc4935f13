package kernels_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/mat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/slicetest"
	linear "github.com/gocuda/gocuda/kernels/dense"
)

// gflops reports a speed, for an operation of so many floating-point operations.
func gflops(b *testing.B, operations float64) {
	b.ReportMetric(operations*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
}

// BenchmarkMatMulMethods is the comparison of Ryoo et al., figure 4, with a table behind it.
func BenchmarkMatMulMethods(b *testing.B) {
	const n = 480 // a multiple of all tiles, as 4096 in the article is not
	x, y, want := randoms(n*n), randoms(n*n + 1)[1:], make([]float32, n*n)
	g := func(v []float32) blas32.General { return blas32.General{Rows: n, Cols: n, Stride: n, Data: v} }
	blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, g(x), g(y), 0, g(want))
	table := ""
	for _, method := range linear.Methods() {
		b.Run("method="+method.String(), func(b *testing.B) {
			z := make([]float32, n*n)
			for b.Loop() {
				if err := linear.MatMul(b.Context(), gocuda.Default(), method, n, n, n, x, y, z); err != nil {
					b.Fatal(err)
				}
			}
			gflops(b, 2*n*n*n)
			compareProducts(b, n, z, want)
			table += fmt.Sprintf("%-36s %8.2f GFLOPS\n", method, 2*n*n*n*float64(b.N)/b.Elapsed().Seconds()/1e9)
		})
	}
	b.Log("\n" + table)
}

// compareProducts fails if two products of n by n matrices of numbers up to 1 differ by more than
// both may be off.
func compareProducts(b *testing.B, n int, got, want []float32) {
	b.Helper()
	slicetest.InDelta(b, want, got, 2*outOf(n))
}

func BenchmarkSGEMM(b *testing.B) {
	for _, c := range []struct {
		name   string
		n      int
		ta, tb linear.Op
	}{
		{"ab", 128, false, false}, {"ab", 512, false, false}, {"ab", 1024, false, false},
		{"atb", 1024, true, false}, {"abt", 1024, false, true},
	} {
		n := c.n
		op := map[linear.Op]blas.Transpose{linear.NoTrans: blas.NoTrans, linear.Trans: blas.Trans}
		x, y, z, want := randoms(n*n), randoms(n*n + 1)[1:], make([]float32, n*n), make([]float32, n*n)
		g := func(v []float32) blas32.General { return blas32.General{Rows: n, Cols: n, Stride: n, Data: v} }
		flops := 2 * float64(n) * float64(n) * float64(n)
		blas32.Gemm(op[c.ta], op[c.tb], 1, g(x), g(y), 0, g(want))
		b.Run(fmt.Sprintf("form=%s/size=%d/exec=gocuda", c.name, n), func(b *testing.B) {
			for b.Loop() {
				if err := linear.SGEMM(b.Context(), gocuda.Default(), c.ta, c.tb, n, n, n, 1, x, n, y, n, 0, z, n); err != nil {
					b.Fatal(err)
				}
			}
			gflops(b, flops)
			compareProducts(b, n, z, want)
		})
		b.Run(fmt.Sprintf("form=%s/size=%d/exec=gonum", c.name, n), func(b *testing.B) {
			for b.Loop() {
				blas32.Gemm(op[c.ta], op[c.tb], 1, g(x), g(y), 0, g(z))
			}
			gflops(b, flops)
		})
	}
}

func BenchmarkMatrixAdd(b *testing.B) {
	const n = 2048
	x, y, z := randoms(n*n), randoms(n*n + 1)[1:], make([]float32, n*n)
	gbs := func(b *testing.B) { b.ReportMetric(12*n*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GB/s") }
	b.Run("exec=gocuda", func(b *testing.B) {
		for b.Loop() {
			if err := linear.Add(b.Context(), gocuda.Default(), n, n, x, y, z); err != nil {
				b.Fatal(err)
			}
		}
		gbs(b)
		require.Equal(b, x[n*n-1]+y[n*n-1], z[n*n-1], "wrong sum")
	})
	b.Run("exec=goroutines", func(b *testing.B) {
		for b.Loop() {
			parts := runtime.GOMAXPROCS(0)
			var wg sync.WaitGroup
			for p := range parts {
				wg.Go(func() {
					x, y, z := x[p*n*n/parts:(p+1)*n*n/parts], y[p*n*n/parts:(p+1)*n*n/parts], z[p*n*n/parts:(p+1)*n*n/parts]
					for i := range z {
						z[i] = x[i] + y[i]
					}
				})
			}
			wg.Wait()
		}
		gbs(b)
	})
}

// system returns a matrix whose diagonal outweighs its rows, so that it is positive definite, and
// the same in float64.
func system(n int) ([]float32, *mat.Dense) {
	a, wide := randoms(n*n), mat.NewDense(n, n, nil)
	for i := range n {
		for j := range i {
			a[i*n+j] = a[j*n+i]
		}
		a[i*n+i] += float32(n)
	}
	wide.Apply(func(i, j int, _ float64) float64 { return float64(a[i*n+j]) }, wide)
	return a, wide
}

// factorization benchmarks one of n by n matrices against gonum's, in float64. factor gets a copy
// of a and returns what solves a system with the result. It is called at the end, for a right-hand
// side of ones.
func factorization(b *testing.B, operations func(n float64) float64,
	factor func(b *testing.B, n int, a []float32) (solve func(x []float32) error),
	gonum func(n int, a *mat.Dense)) {
	for _, n := range []int{256, 1024} {
		a, wide := system(n)
		b.Run(fmt.Sprintf("size=%d/exec=gocuda", n), func(b *testing.B) {
			work := make([]float32, n*n)
			var solve func(x []float32) error
			for b.Loop() {
				copy(work, a)
				solve = factor(b, n, work)
			}
			gflops(b, operations(float64(n)))
			x := make([]float32, n)
			for i := range x {
				x[i] = 1
			}
			require.NoError(b, solve(x))
			ones, sums := make([]float64, n), make([]float64, n)
			for i := range n {
				ones[i] = 1
				for j, v := range x {
					sums[i] += float64(a[i*n+j]) * float64(v)
				}
			}
			slicetest.InDelta(b, ones, sums, 1e-3) // 3 n u |L| |U| |x| is about 2e-4, as |A| |x| is about 1
		})
		b.Run(fmt.Sprintf("size=%d/exec=gonum", n), func(b *testing.B) {
			for b.Loop() {
				gonum(n, wide)
			}
			gflops(b, operations(float64(n)))
		})
	}
}

func BenchmarkLU(b *testing.B) {
	factorization(b, func(n float64) float64 { return 2 * n * n * n / 3 },
		func(b *testing.B, n int, a []float32) func(x []float32) error {
			pivots := make([]int32, n)
			if err := linear.LU(b.Context(), gocuda.Default(), n, n, a, pivots); err != nil {
				b.Fatal(err)
			}
			return func(x []float32) error { return linear.LUSolve(b.Context(), gocuda.Default(), n, 1, a, pivots, x) }
		},
		func(_ int, a *mat.Dense) {
			var f mat.LU
			f.Factorize(a)
		})
}

func BenchmarkCholesky(b *testing.B) {
	factorization(b, func(n float64) float64 { return n * n * n / 3 },
		func(b *testing.B, n int, a []float32) func(x []float32) error {
			if err := linear.Cholesky(b.Context(), gocuda.Default(), n, a); err != nil {
				b.Fatal(err)
			}
			return func(x []float32) error { return linear.CholeskySolve(b.Context(), gocuda.Default(), n, 1, a, x) }
		},
		func(n int, a *mat.Dense) {
			var f mat.Cholesky
			f.Factorize(mat.NewSymDense(n, a.RawMatrix().Data))
		})
}

func BenchmarkQR(b *testing.B) {
	factorization(b, func(n float64) float64 { return 4 * n * n * n / 3 },
		func(b *testing.B, n int, a []float32) func(x []float32) error {
			tau := make([]float32, n)
			if err := linear.QR(b.Context(), gocuda.Default(), n, n, a, tau); err != nil {
				b.Fatal(err)
			}
			return func(x []float32) error {
				again, _ := system(n)
				return linear.LeastSquares(b.Context(), gocuda.Default(), n, n, 1, again, x)
			}
		},
		func(_ int, a *mat.Dense) {
			var f mat.QR
			f.Factorize(a)
		})
}
