package sparse_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/sparse"
)

func ExampleConjugateGradients() {
	// Heat flows through a rod of five points, whose ends are kept at 0, and each point is heated by 1.
	m, err := sparse.Laplacian(5, 1) // 4 in the diagonal: 2 too much for one dimension
	if err != nil {
		fmt.Println(err)
		return
	}
	for k, v := range m.Val {
		if v == 4 {
			m.Val[k] = 2
		}
	}
	x := make([]float32, 5)
	got, err := sparse.ConjugateGradients(context.Background(), gocuda.Default(), m, []float32{1, 1, 1, 1, 1}, x, sparse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	// b is symmetric, so only three of the five eigenvectors are needed.
	fmt.Printf("%.3f after %d iterations\n", x, got.Iterations)
	// Output: [2.500 4.000 4.500 4.000 2.500] after 3 iterations
}

func ExampleSpMVCached() {
	// The tridiagonal matrix of second differences needs, for row i, the elements i-1 to i+1 of x:
	// a good matrix for a window, which only at its ends needs an element from outside.
	const n = 1024
	m := &sparse.CSR{Rows: n, Cols: n, RowPtr: make([]int32, 1)}
	for i := range n {
		for k, v := range []float32{-1, 2, -1} {
			if j := i - 1 + k; j >= 0 && j < n {
				m.Col, m.Val = append(m.Col, int32(j)), append(m.Val, v)
			}
		}
		m.RowPtr = append(m.RowPtr, int32(len(m.Col)))
	}
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i] = float32(i) * float32(i)
	}
	if err := sparse.SpMVCached(context.Background(), gocuda.Default(), m, x, y); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y[1:5])
	fmt.Printf("%.1f%% of the elements find theirs in the window\n", 100*sparse.WindowShare(m))
	// Output:
	// [-2 -2 -2 -2]
	// 99.8% of the elements find theirs in the window
}

func ExampleSpMVVector() {
	// One row of a thousand ones adds up x.
	const n = 1000
	m := &sparse.CSR{Rows: 1, Cols: n, RowPtr: []int32{0, n}}
	x := make([]float32, n)
	for j := range x {
		m.Col, m.Val = append(m.Col, int32(j)), append(m.Val, 1)
		x[j] = float32(j + 1)
	}
	y := make([]float32, 1)
	if err := sparse.SpMVVector(context.Background(), gocuda.Default(), m, x, y); err != nil {
		fmt.Println(err)
	}
	fmt.Println(y)
	// Output: [500500]
}

func ExampleSurface_GraphLaplacian() {
	// Two triangles share the edge between vertices 0 and 3.
	s, err := sparse.Plane(2, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := s.GraphLaplacian()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Triangles)
	fmt.Println(m.RowPtr)
	fmt.Println(m.Col)
	fmt.Println(m.Val)
	// Output:
	// [[0 1 3] [0 3 2]]
	// [0 4 7 10 14]
	// [0 1 2 3 0 1 3 0 2 3 0 1 2 3]
	// [3 -1 -1 -1 -1 2 -1 -1 2 -1 -1 -1 -1 3]
}

func ExampleSurface_MortonOrder() {
	s, err := sparse.Sphere(4)
	if err != nil {
		fmt.Println(err)
		return
	}
	sorted, _, err := s.MortonOrder()
	if err != nil {
		fmt.Println(err)
		return
	}
	before, _ := s.GraphLaplacian()
	after, _ := sorted.GraphLaplacian()
	fmt.Println("more elements in the window:", sparse.WindowShare(after) > sparse.WindowShare(before))
	// Output: more elements in the window: true
}

func ExampleWriteMatrixMarket() {
	m, err := sparse.Laplacian(2, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	var text strings.Builder
	if err := sparse.WriteMatrixMarket(&text, m); err != nil {
		fmt.Println(err)
	}
	fmt.Print(text.String())
	// Output:
	// %%MatrixMarket matrix coordinate real general
	// 2 2 4
	// 1 1 4
	// 1 2 -1
	// 2 1 -1
	// 2 2 4
}

func ExampleDot() {
	d, err := sparse.Dot(context.Background(), gocuda.Default(), []float32{1, 2, 3}, []float32{4, 5, 6})
	fmt.Println(d, err)
	// Output: 32 <nil>
}

func ExampleAXPY() {
	y := []float32{1, 1, 1}
	err := sparse.AXPY(context.Background(), gocuda.Default(), 10, []float32{1, 2, 3}, y)
	fmt.Println(y, err)
	// Output: [11 21 31] <nil>
}

func ExampleXPAY() {
	y := []float32{1, 1, 1}
	err := sparse.XPAY(context.Background(), gocuda.Default(), 10, []float32{1, 2, 3}, y)
	fmt.Println(y, err)
	// Output: [11 12 13] <nil>
}

func ExampleReadMatrixMarket() {
	m, err := sparse.ReadMatrixMarket(strings.NewReader(`%%MatrixMarket matrix coordinate real symmetric
% the lower triangle of a 2 by 2 matrix
2 2 3
1 1  4
2 1 -1
2 2  4
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.RowPtr, m.Col, m.Val)

	_, err = sparse.ReadMatrixMarket(strings.NewReader("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5\n"))
	fmt.Println(err)
	// Output:
	// [0 2 4] [0 1 0 1] [4 -1 -1 4]
	// kernels: Matrix Market: line 3: invalid value: row 3 is not between 1 and 2
}

func ExampleReadDenseMatrixMarket() {
	rows, cols, a, err := sparse.ReadDenseMatrixMarket(strings.NewReader("%%MatrixMarket matrix array real general\n2 2\n1\n3\n2\n4\n"))
	fmt.Println(rows, cols, a, err)
	// Output: 2 2 [1 2 3 4] <nil>
}

func ExampleSpMV() {
	// | 2 0 1 |
	// | 0 0 0 |
	// | 0 3 0 |
	m := &sparse.CSR{
		Rows: 3, Cols: 3,
		RowPtr: []int32{0, 2, 2, 3},
		Col:    []int32{0, 2, 1},
		Val:    []float32{2, 1, 3},
	}
	y := make([]float32, 3)
	if err := sparse.SpMV(context.Background(), gocuda.Default(), m, []float32{1, 10, 100}, y); err != nil {
		fmt.Println(err)
	}
	fmt.Println(y)
	// Output: [102 0 30]
}

func ExampleLaplacian() {
	m, err := sparse.Laplacian(3, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.RowPtr)
	fmt.Println(m.Col)
	fmt.Println(m.Val)
	// Output:
	// [0 2 5 7]
	// [0 1 0 1 2 1 2]
	// [4 -1 -1 4 -1 -1 4]
}
