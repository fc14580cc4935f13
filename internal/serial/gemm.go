package serial

import "github.com/gocuda/gocuda/kernels/dense"

// SGEMM sets C to alpha op(A) op(B) + beta C by the definition: the reference of [dense.SGEMM].
func SGEMM(transA, transB dense.Op, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int,
	beta float32, c []float32, ldc int) {
	for i := range m {
		for j := range n {
			var sum float32
			if alpha != 0 {
				for p := range k {
					av, bv := i*lda+p, p*ldb+j
					if transA == dense.Trans {
						av = p*lda + i
					}
					if transB == dense.Trans {
						bv = j*ldb + p
					}
					sum += a[av] * b[bv]
				}
				sum *= alpha
			}
			if beta != 0 {
				sum += beta * c[i*ldc+j]
			}
			c[i*ldc+j] = sum
		}
	}
}
