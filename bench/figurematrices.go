package bench

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels/dense"
)

// The curves of figures B.7.3 and B.7.4. Results are checked by products with vectors, which are
// formed in float64 and take no longer than what is checked (Freivalds, Probabilistic Machines Can
// Use Less Running Time, 1977).

// signs returns a vector of -1 and 1, the same every time for the same length.
func signs(n int) []float64 {
	r := rand.New(rand.NewPCG(6, uint64(n)))
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(2*r.IntN(2) - 1)
	}
	return v
}

// times returns a matrix of rows by cols times a vector. keep says which elements count; nil for all.
func times(rows, cols int, a []float32, v []float64, keep func(i, j int) bool) []float64 {
	out := make([]float64, rows)
	for i := range out {
		for j, x := range a[i*cols : (i+1)*cols] {
			if keep == nil || keep(i, j) {
				out[i] += float64(x) * v[j]
			}
		}
	}
	return out
}

// product is a problem of m by k times k by n, run as f says.
func product(m, n, k int, f func(a, b, c []float32) error) *problem {
	if p := tooLarge(8, max(m*k, k*n, m*n)); p != nil {
		return p
	}
	a, b, c := random(m*k), random(k*n), host.Apart[float32](m*n)
	v := signs(n)
	want := times(m, k, a, times(k, n, b, v, nil), nil)
	// Terms are from 0 to 1, on average a quarter. Each of the k additions of an element has a
	// relative error of up to 2^-24 of either sign, and so the errors of n elements of a row add
	// up.
	tolerance := 16 * math.Sqrt(float64(n)) * math.Sqrt(float64(k)) * (1 + float64(k)/4) / (1 << 24)
	return &problem{
		run:    map[string]func() error{curve: func() error { return f(a, b, c) }},
		amount: map[string]float64{curve: 2e-9 * float64(m) * float64(n) * float64(k)},
		wipe:   wiping(c),
		check:  func() error { return nearby("C v", times(m, n, c, v, nil), want, tolerance) },
	}
}

// nearby returns an error unless got and want are the same within a tolerance.
func nearby(what string, got, want []float64, tolerance float64) error {
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tolerance) {
			return fmt.Errorf("element %d of %s is %v, want %v within %.3g", i, what, got[i], w, tolerance)
		}
	}
	return nil
}

func squareProduct(e env, n int, _ bool) *problem {
	return product(n, n, n, func(a, b, c []float32) error {
		return dense.SGEMM(e.ctx, e.dev, dense.NoTrans, dense.NoTrans, n, n, n, 1, a, n, b, n, 0, c, n)
	})
}

func thinProduct(e env, n int, _ bool) *problem {
	return product(n, n, productsFrom, func(a, b, c []float32) error {
		return dense.SGEMM(e.ctx, e.dev, dense.NoTrans, dense.NoTrans, n, n, productsFrom, 1, a, productsFrom, b, n, 0, c, n)
	})
}

func goroutineProduct(e env, n int, _ bool) *problem {
	return product(n, n, n, func(a, b, c []float32) error { matmulGoroutines(e.workers, n, a, b, c); return nil })
}

// factorization is a problem that factors an n by n matrix in place: its elements are from -1 to 1,
// and diagonal is added to those of the diagonal. check gets the factors, the matrix as it was
// times a vector of signs, that vector, and a tolerance.
func factorization(n int, operations, diagonal float64, factor func(a []float32) error, check func(a []float32, av, v []float64, tolerance float64) error) *problem {
	if p := tooLarge(12, n, n); p != nil {
		return p
	}
	before, a := random(n*n), host.Apart[float32](n*n)
	for i := range n {
		for j := range i + 1 {
			x := 2*before[i*n+j] - 1
			if i == j {
				x += float32(diagonal)
			}
			before[i*n+j], before[j*n+i] = x, x // symmetric, for all
		}
	}
	v := signs(n)
	av := times(n, n, before, v, nil)
	// Errors are some roundings of an element in each of n steps, and an element of A v adds up n
	// of them.
	size := 1 + diagonal
	tolerance := 64 * float64(n) * size / (1 << 24) * math.Sqrt(float64(n))
	return &problem{
		run:    map[string]func() error{curve: func() error { return factor(a) }},
		amount: map[string]float64{curve: 1e-9 * operations * float64(n) * float64(n) * float64(n)},
		reset:  func() { refill(a, before) },
		check:  func() error { return check(a, av, v, tolerance) },
	}
}

func lower(i, j int) bool { return j < i }
func upper(i, j int) bool { return j >= i }
func plus(a, b []float64) (sum []float64) {
	for i, x := range a {
		sum = append(sum, x+b[i])
	}
	return sum
}

// figureLU is elimination with pivots: P A = L U, where row k was swapped with row pivots[k].
func figureLU(e env, n int, _ bool) *problem {
	pivots := make([]int32, n)
	return factorization(n, 2./3, 0, func(a []float32) error { return dense.LU(e.ctx, e.dev, n, n, a, pivots) },
		func(a []float32, av, v []float64, tolerance float64) error {
			uv := times(n, n, a, v, upper)
			pav := append([]float64(nil), av...)
			for k, p := range pivots {
				pav[k], pav[p] = pav[p], pav[k]
			}
			// Elements of a random matrix grow by some n^(2/3) (Trefethen and Schreiber,
			// Average-Case Stability of Gaussian Elimination, 1990).
			return nearby("L U v", plus(uv, times(n, n, a, uv, lower)), pav, tolerance*math.Pow(float64(n), 2./3))
		})
}

// figureCholesky is A = U' U.
func figureCholesky(e env, n int, _ bool) *problem {
	return factorization(n, 1./3, 2*float64(n), func(a []float32) error { return dense.Cholesky(e.ctx, e.dev, n, a) },
		func(a []float32, av, v []float64, tolerance float64) error {
			uv := times(n, n, a, v, upper)
			got := make([]float64, n)
			for i := range n { // U' times that
				for j := i; j < n; j++ {
					got[j] += float64(a[i*n+j]) * uv[i]
				}
			}
			return nearby("U' U v", got, av, tolerance)
		})
}

// figureQR is A = Q R, where Q keeps lengths: R v is as long as A v.
func figureQR(e env, n int, _ bool) *problem {
	tau := make([]float32, n)
	return factorization(n, 4./3, 0, func(a []float32) error { return dense.QR(e.ctx, e.dev, n, n, a, tau) },
		func(a []float32, av, v []float64, tolerance float64) error {
			length := func(v []float64) (sum float64) {
				for _, x := range v {
					sum += x * x
				}
				return math.Sqrt(sum)
			}
			return nearby("the length of R v", []float64{length(times(n, n, a, v, upper))}, []float64{length(av)}, tolerance)
		})
}
