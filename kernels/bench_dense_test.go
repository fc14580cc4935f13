package kernels_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	matrix "github.com/gocuda/gocuda/kernels/dense"
)

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func TestVariants(t *testing.T) {
	n := 1024
	x, y, z := randoms(n*n), randoms(n*n), make([]float32, n*n)
	g := func(v []float32) blas32.General { return blas32.General{Rows: n, Cols: n, Stride: n, Data: v} }
	best := map[string]time.Duration{}
	one := func(name string, f func()) {
		s := cpu()
		f()
		if d := cpu() - s; best[name] == 0 || d < best[name] {
			best[name] = d
		}
	}
	for range 6 {
		for name, f := range matrix.Variants {
			one(name, func() { f(gocuda.Default(), n, n, n, 1, x, n, y, n, 0, z, n) })
		}
		one("root", func() { kernels.MatMul(t.Context(), gocuda.Default(), n, n, n, x, y, z) })
		one("gonum", func() { blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, g(x), g(y), 0, g(z)) })
	}
	for n, d := range best {
		fmt.Printf("%-8s %.1f GFLOPS a core\n", n, 2*1.024*1.024*1.024/d.Seconds())
	}
}
