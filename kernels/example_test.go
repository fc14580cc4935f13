package kernels_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

func ExampleBlackScholes() {
	// The example of Hull's textbook: half a year, 10 % interest, 20 % volatility.
	call, put := make([]float32, 1), make([]float32, 1)
	err := kernels.BlackScholes(context.Background(), gocuda.Default(), 0.1, 0.2,
		[]float32{42}, []float32{40}, []float32{0.5}, call, put)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Printf("call %.2f, put %.2f\n", call[0], put[0])
	// Output: call 4.76, put 0.81
}

func ExampleFDTDStep() {
	const w, h = 61, 61
	f, err := kernels.NewFDTD(w, h, kernels.MaxCourant)
	if err != nil {
		fmt.Println(err)
		return
	}
	// A pulse in the middle. Each step carries the wave 1/√2 cells further.
	crest := map[int]int{} // at which step, how many cells to the right
	for n := 1; n <= 40; n++ {
		d := (float64(n) - 10) / 4
		f.Ez[30*w+30] += float32(math.Exp(-d * d))
		if err := kernels.FDTDStep(context.Background(), gocuda.Default(), f); err != nil {
			fmt.Println(err)
			return
		}
		right := f.Ez[30*w+30 : 31*w]
		crest[n] = slices.Index(right, slices.Max(right))
	}
	fmt.Printf("%d cells in 20 steps, and 20/√2 is %.1f\n", crest[40]-crest[20], 20/math.Sqrt2)
	// Output: 14 cells in 20 steps, and 20/√2 is 14.1
}

func ExampleAdd() {
	sum := make([]float32, 3)
	err := kernels.Add(context.Background(), gocuda.Default(), sum, []float32{1, 2, 3}, []float32{10, 20, 30})
	fmt.Println(sum, err)
	// Output: [11 22 33] <nil>
}

func ExampleReverse() {
	v := []int{1, 2, 3, 4, 5}
	err := kernels.Reverse(context.Background(), gocuda.Default(), v)
	fmt.Println(v, err)
	// Output: [5 4 3 2 1] <nil>
}

func ExampleHistogram() {
	counts := make([]uint32, 256)
	text := []byte("the quick brown fox jumps over the lazy dog")
	if err := kernels.Histogram(context.Background(), gocuda.Default(), text, counts); err != nil {
		fmt.Println(err)
	}
	fmt.Println(counts['o'], counts['e'], counts['a'])
	// Output: 4 3 1
}

func ExampleSAXPY() {
	x, y := []float32{1, 2, 3}, []float32{10, 20, 30}
	if err := kernels.SAXPY(context.Background(), gocuda.Default(), 2, x, y); err != nil {
		fmt.Println(err)
	}
	fmt.Println(y)
	// Output: [12 24 36]
}

func ExampleInclusiveScan() {
	in := []int{3, 1, 7, 0, 4, 1, 6, 3}
	out := make([]int, len(in))
	if err := kernels.InclusiveScan(context.Background(), gocuda.Default(), out, in); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out)
	// Output: [3 4 11 11 15 16 22 25]
}

func ExampleExclusiveScan() {
	// Where does each group begin, if they have these sizes?
	sizes := []int{2, 0, 5, 1}
	begins := make([]int, len(sizes))
	if err := kernels.ExclusiveScan(context.Background(), gocuda.Default(), begins, sizes); err != nil {
		fmt.Println(err)
	}
	fmt.Println(begins)
	// Output: [0 2 2 7]
}

func ExampleSum() {
	sum, err := kernels.Sum(context.Background(), gocuda.Default(), []int{1, 2, 3, 4})
	fmt.Println(sum, err)
	// Output: 10 <nil>
}

func ExampleNBodyStep() {
	// A light body on a circular orbit of radius 1 around a heavy one: it takes 2 pi for a turn, so
	// after a quarter of that it is over the heavy body's head.
	bodies := []kernels.Body[float64]{{Mass: 1}, {X: 1}}
	vel := []kernels.Vec3[float64]{{}, {Y: 1}}
	acc := make([]kernels.Vec3[float64], 2)
	const steps = 1000
	for range steps {
		err := kernels.NBodyStep(context.Background(), gocuda.Default(), kernels.Blocks, math.Pi/2/steps, 0, bodies, vel, acc)
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("%.2f %.2f\n", math.Abs(bodies[1].X), bodies[1].Y)
	// Output: 0.00 1.00
}

func ExampleMandelbrot() {
	const w, h, most = 40, 11, 60
	out := make([]int32, w*h)
	if err := kernels.Mandelbrot(context.Background(), gocuda.Default(), w, h, -2, -1.1, 0.8, 1.1, most, out); err != nil {
		fmt.Println(err)
	}
	for row := range slices.Chunk(out, w) {
		line := make([]byte, w)
		for x, n := range row {
			switch {
			case n == most:
				line[x] = '#'
			case n >= 6:
				line[x] = '+'
			default:
				line[x] = '.'
			}
		}
		fmt.Println(string(line))
	}
	// Output:
	// .........................++++...........
	// ......................+++###++..........
	// ..................+++#+########++++.....
	// .........+++++++++++#############+++....
	// ........++++#####+################+.....
	// ################################+++.....
	// ........++++#####+################+.....
	// .........+++++++++++#############+++....
	// ..................+++#+########++++.....
	// ......................+++###++..........
	// .........................++++...........
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
	if err := kernels.MatMul(context.Background(), gocuda.Default(), 2, 2, 3, a, b, c); err != nil {
		fmt.Println(err)
	}
	fmt.Println(c[0:2])
	fmt.Println(c[2:4])
	// Output:
	// [4 5]
	// [10 11]
}

func ExampleMatMulNaive() {
	// Turn a vector by a right angle: a matrix of one column will do.
	turn := []float32{
		0, -1,
		1, 0,
	}
	v := make([]float32, 2)
	if err := kernels.MatMulNaive(context.Background(), gocuda.Default(), 2, 1, 2, turn, []float32{3, 4}, v); err != nil {
		fmt.Println(err)
	}
	fmt.Println(v)
	// Output: [-4 3]
}

func ExampleReadMatrixMarket() {
	m, err := kernels.ReadMatrixMarket(strings.NewReader(`%%MatrixMarket matrix coordinate real symmetric
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

	_, err = kernels.ReadMatrixMarket(strings.NewReader("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5\n"))
	fmt.Println(err)
	// Output:
	// [0 2 4] [0 1 0 1] [4 -1 -1 4]
	// kernels: Matrix Market: line 3: invalid value: row 3 is not between 1 and 2
}

func ExampleReadDenseMatrixMarket() {
	rows, cols, a, err := kernels.ReadDenseMatrixMarket(strings.NewReader("%%MatrixMarket matrix array real general\n2 2\n1\n3\n2\n4\n"))
	fmt.Println(rows, cols, a, err)
	// Output: 2 2 [1 2 3 4] <nil>
}

func ExampleRadixSort() {
	// The values say where the keys were: with them other slices can be put in the same order.
	keys := []uint32{30, 10, 20, 10}
	values := []uint32{0, 1, 2, 3}
	if err := kernels.RadixSort(context.Background(), gocuda.Default(), keys, values); err != nil {
		fmt.Println(err)
	}
	fmt.Println(keys, values)
	// Output: [10 10 20 30] [1 3 2 0]
}

func ExampleSpMV() {
	// | 2 0 1 |
	// | 0 0 0 |
	// | 0 3 0 |
	m := &kernels.CSR{
		Rows: 3, Cols: 3,
		RowPtr: []int32{0, 2, 2, 3},
		Col:    []int32{0, 2, 1},
		Val:    []float32{2, 1, 3},
	}
	y := make([]float32, 3)
	if err := kernels.SpMV(context.Background(), gocuda.Default(), m, []float32{1, 10, 100}, y); err != nil {
		fmt.Println(err)
	}
	fmt.Println(y)
	// Output: [102 0 30]
}

func ExampleLaplacian() {
	m, err := kernels.Laplacian(3, 1)
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

func ExampleTranspose() {
	in := []float32{
		1, 2, 3,
		4, 5, 6,
	}
	out := make([]float32, len(in))
	if err := kernels.Transpose(context.Background(), gocuda.Default(), 2, 3, out, in); err != nil {
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
