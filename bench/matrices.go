package bench

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/dense"
	"github.com/gocuda/gocuda/kernels/sparse"
)

// The workloads on matrices: the products matmul-naive, matmul-tiled and spmv, and transpose.

func setupMatMulNaive(e env, n int) *problem {
	p := setupMatMul(e, n, dense.Naive)
	if n > 2000 {
		p.leftOut = map[string]string{Thread: "uncompiled, it takes many seconds at this size"}
	}
	return p
}

func setupMatMulTiled(e env, n int) *problem {
	p := setupMatMul(e, n, dense.Tiled16)
	// A thread comes to two barriers a tile of 16, each of which costs some 85 ns.
	if 2./16*float64(n)*float64(n)*float64(n) > 1<<26 {
		p.leftOut = map[string]string{Thread: "uncompiled, its barriers alone take many seconds at this size"}
	}
	return p
}

// setupMatMul is the product of two square matrices. The two workloads differ only in the method.
func setupMatMul(e env, n int, method dense.Method) *problem {
	if p := tooLarge(17, n, n); p != nil {
		return p
	}
	r := random(2 * n * n)
	a, b := r[:n*n:n*n], r[n*n:]
	c, want := host.Apart[float32](n*n), host.Apart[float32](n*n)
	split(e.workers, n, func(_, from, to int) { // the serial reference, which takes long, in parts
		serial.MatMul(to-from, n, n, a[from*n:to*n], b, want[from*n:to*n])
	})
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { serial.MatMul(n, n, n, a, b, c); return nil },
			Goroutines: func() error { matmulGoroutines(e.workers, n, a, b, c); return nil },
		},
		kernel: func(on kernels.Launcher) error { return dense.MatMul(e.ctx, on, method, n, n, n, a, b, c) },
		native: &exchange{in: arrays(of(a), of(b)), out: arrays(of(c))},
		amount: everywhere(2e-9 * float64(n) * float64(n) * float64(n)),
		wipe:   wiping(c),
		// All terms are positive. Each addition has a relative error of up to 2^-24 of either sign.
		check: func() error { return near("c", c, want, 16*math.Sqrt(float64(n))/(1<<24)) },
	}
}

func setupTranspose(e env, n int) *problem {
	if p := tooLarge(9, n, n); p != nil {
		return p
	}
	in := random(n * n)
	out := host.Apart[float32](n * n)
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { serial.Transpose(n, n, out, in); return nil },
			Goroutines: func() error { transposeGoroutines(e.workers, n, out, in); return nil },
		},
		kernel: func(on kernels.Launcher) error {
			return dense.Transpose(e.ctx, on, n, n, out, in)
		},
		native: &exchange{in: arrays(of(in)), out: arrays(of(out))},
		amount: everywhere(8e-9 * float64(n) * float64(n)), // gigabytes: a read and a write
		wipe:   wiping(out),
		check: func() error {
			for i := range n {
				for j, g := range out[i*n : (i+1)*n] {
					if g != in[j*n+i] {
						return fmt.Errorf("out[%d,%d] = %v, in[%d,%d] = %v", i, j, g, j, i, in[j*n+i])
					}
				}
			}
			return nil
		},
	}
}

func setupSpMV(e env, n int) *problem {
	if p := tooLarge(57, n, n); p != nil {
		return p
	}
	m, err := sparse.Laplacian(n, n)
	if err != nil {
		return &problem{err: err}
	}
	return setupCSR(e, m)
}

// setupCSR is the product of any sparse matrix and a vector.
func setupCSR(e env, m *sparse.CSR) *problem {
	if p := tooLarge(13, max(m.Rows, m.Cols)); p != nil {
		return p
	}
	x := random(m.Cols)
	y, want := host.Apart[float32](m.Rows), host.Apart[float32](m.Rows)
	serial.SpMV(m, x, want)
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { serial.SpMV(m, x, y); return nil },
			Goroutines: func() error { spmvGoroutines(e.workers, m, x, y); return nil },
		},
		kernel: func(on kernels.Launcher) error { return sparse.SpMV(e.ctx, on, m, x, y) },
		native: &exchange{in: arrays(of(m.RowPtr), of(m.Col), of(m.Val), of(x)), out: arrays(of(y))},
		amount: everywhere(1e-6 * float64(len(m.Val))),
		wipe:   wiping(y),
		check:  func() error { return spmvCheck(m, x, y, want) },
	}
}

// spmvCheck compares y with the reference. The terms of a row may cancel; what an error is measured
// by is the sum of their sizes.
func spmvCheck(m *sparse.CSR, x, y, want []float32) error {
	for row := range m.Rows {
		from, to := m.RowPtr[row], m.RowPtr[row+1]
		size := 0.0
		for j := from; j < to; j++ {
			size += math.Abs(float64(m.Val[j]) * float64(x[m.Col[j]]))
		}
		tol := 4 * math.Sqrt(float64(to-from)) * size / (1 << 24)
		if !(math.Abs(float64(y[row])-float64(want[row])) <= tol) {
			return fmt.Errorf("y[%d] = %v, the reference is %v", row, y[row], want[row])
		}
	}
	return nil
}
