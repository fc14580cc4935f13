package kernels_test

import (
	"context"
	"fmt"
	"math"
	"slices"

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
