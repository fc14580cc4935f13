package dense_test

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/dense"
)

func ExampleAdd() {
	a, b, c := []float32{1, 2, 3, 4}, []float32{10, 20, 30, 40}, make([]float32, 4)
	if err := dense.Add(context.Background(), gocuda.Default(), 2, 2, a, b, c); err != nil {
		fmt.Println(err)
	}
	fmt.Println(c)
	// Output: [11 22 33 44]
}

func ExampleCholesky() {
	a := []float32{
		4, 2,
		2, 10,
	}
	if err := dense.Cholesky(context.Background(), gocuda.Default(), 2, a); err != nil {
		fmt.Println(err)
	}
	fmt.Println(a[0:2], a[2:4])
	err := dense.Cholesky(context.Background(), gocuda.Default(), 2, []float32{1, 2, 2, 1})
	fmt.Println(err)
	// Output:
	// [2 1] [0 3]
	// kernels: Cholesky: the matrix is not positive definite: pivot 1 is not positive
}

func ExampleCholeskySolve() {
	// 4x + 2y = 8 and 2x + 10y = 22
	a, b := []float32{4, 2, 2, 10}, []float32{8, 22}
	ctx, dev := context.Background(), gocuda.Default()
	if err := dense.Cholesky(ctx, dev, 2, a); err != nil {
		fmt.Println(err)
	}
	if err := dense.CholeskySolve(ctx, dev, 2, 1, a, b); err != nil {
		fmt.Println(err)
	}
	fmt.Println(b)
	// Output: [1 2]
}

func ExampleSGEMM() {
	// The scalar products of the columns of a matrix with each other.
	a := []float32{
		1, 2,
		3, 4,
		5, 6,
	}
	c := make([]float32, 4)
	err := dense.SGEMM(context.Background(), gocuda.Default(), dense.Trans, dense.NoTrans, 2, 2, 3, 1, a, 2, a, 2, 0, c, 2)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(c[0:2], c[2:4])
	// Output: [35 44] [44 56]
}

func ExampleLU() {
	a := []float32{
		1, 2,
		4, 4,
	}
	pivots := make([]int32, 2)
	if err := dense.LU(context.Background(), gocuda.Default(), 2, 2, a, pivots); err != nil {
		fmt.Println(err)
	}
	fmt.Println(a[0:2], a[2:4], pivots) // 4 was the larger pivot, so the rows were exchanged
	// Output: [4 4] [0.25 1] [1 1]
}

func ExampleLUSolve() {
	// x + 2y = 5 and 4x + 4y = 12
	a, b, pivots := []float32{1, 2, 4, 4}, []float32{5, 12}, make([]int32, 2)
	ctx, dev := context.Background(), gocuda.Default()
	if err := dense.LU(ctx, dev, 2, 2, a, pivots); err != nil {
		fmt.Println(err)
	}
	if err := dense.LUSolve(ctx, dev, 2, 1, a, pivots, b); err != nil {
		fmt.Println(err)
	}
	fmt.Println(b)
	// Output: [1 2]
}

func ExampleMatMul() {
	a := []float32{
		1, 2, 3,
		4, 5, 6,
	}
	b := []float32{
		1, 0,
		0, 1,
		1, 1,
	}
	c := make([]float32, 4)
	for _, method := range []dense.Method{dense.Tiled4, dense.TwoByTwo} {
		if err := dense.MatMul(context.Background(), gocuda.Default(), method, 2, 2, 3, a, b, c); err != nil {
			fmt.Println(err)
		}
		fmt.Println(method, c)
	}
	// Output:
	// tiled 4x4 [4 5 10 11]
	// two by two a thread [4 5 10 11]
}

func ExampleMatMulColumns() {
	// The columns of A, (1, 4), (2, 5) and (3, 6), and those of B, (1, 0, 1) and (0, 1, 1).
	a := []float32{1, 4, 2, 5, 3, 6}
	b := []float32{1, 0, 1, 0, 1, 1}
	c := make([]float32, 4)
	if err := dense.MatMulColumns(context.Background(), gocuda.Default(), 2, 2, 3, a, b, c); err != nil {
		fmt.Println(err)
	}
	fmt.Println(c[0:2], c[2:4])
	// Output: [4 10] [5 11]
}

func ExampleQR() {
	a := []float32{
		3, 5,
		4, 0,
	}
	tau := make([]float32, 2)
	if err := dense.QR(context.Background(), gocuda.Default(), 2, 2, a, tau); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("R: %.3f %.3f, %.3f\n", a[0], a[1], a[3])
	// Output: R: -5.000 -3.000, -4.000
}

func ExampleQRMultiply() {
	a, tau := []float32{3, 5, 4, 0}, make([]float32, 2)
	ctx, dev := context.Background(), gocuda.Default()
	if err := dense.QR(ctx, dev, 2, 2, a, tau); err != nil {
		fmt.Println(err)
	}
	q := []float32{1, 0, 0, 1}
	if err := dense.QRMultiply(ctx, dev, dense.NoTrans, 2, 2, a, tau, 2, q); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.3f\n", q)
	// Output: [-0.600 -0.800 -0.800 0.600]
}

func ExampleLeastSquares() {
	// The line c + d x that is nearest to (0, 1), (1, 3), (2, 4) and (3, 4).
	a := []float32{
		1, 0,
		1, 1,
		1, 2,
		1, 3,
	}
	b := []float32{1, 3, 4, 4}
	if err := dense.LeastSquares(context.Background(), gocuda.Default(), 4, 2, 1, a, b); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.3f\n", b[:2])
	// Output: [1.500 1.000]
}

func ExampleMatMul_naive() {
	// Turn a vector by a right angle: a matrix of one column will do.
	turn := []float32{
		0, -1,
		1, 0,
	}
	v := make([]float32, 2)
	if err := dense.MatMul(context.Background(), gocuda.Default(), dense.Naive, 2, 1, 2, turn, []float32{3, 4}, v); err != nil {
		fmt.Println(err)
	}
	fmt.Println(v)
	// Output: [-4 3]
}

func ExampleTranspose() {
	in := []float32{
		1, 2, 3,
		4, 5, 6,
	}
	out := make([]float32, len(in))
	if err := dense.Transpose(context.Background(), gocuda.Default(), 2, 3, out, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out[0:2])
	fmt.Println(out[2:4])
	fmt.Println(out[4:6])
	// Output:
	// [1 4]
	// [2 5]
	// [3 6]
}
