package serial_test

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/fft"
	"github.com/gocuda/gocuda/kernels/scan"
	"github.com/gocuda/gocuda/kernels/sorting"
)

// The transform of two numbers is their sum and their difference.
func ExampleFFT() {
	y := make([]complex64, 2)
	serial.FFT(2, fft.Backward, y, []complex64{1 + 2i, 3 - 1i})
	fmt.Println(y)
	// Output: [(4+1i) (-2+3i)]
}

// Sums of odd numbers are squares.
func ExampleInclusiveScan() {
	out := make([]int, 5)
	serial.InclusiveScan(scan.Sum[int]{}, out, []int{1, 3, 5, 7, 9})
	fmt.Println(out)
	// Output: [1 4 9 16 25]
}

// Keys have the total order of IEEE 754.
func ExampleRadixSort() {
	keys := []float64{math.NaN(), 1, 0, math.Copysign(0, -1), math.Inf(-1), -2}
	serial.RadixSort(sorting.Ascending, keys)
	fmt.Println(keys)
	// Output: [-Inf -2 -0 0 1 NaN]
}

// An example of Hull's textbook (Options, Futures, and Other Derivatives): the right to buy, and to
// sell, a share of 42 for 40 in half a year, at 10 % and a volatility of 20 %.
func ExampleBlackScholes() {
	call, put := make([]float32, 1), make([]float32, 1)
	serial.BlackScholes(0.1, 0.2, []float32{42}, []float32{40}, []float32{0.5}, call, put)
	fmt.Printf("%.2f %.2f\n", call[0], put[0])
	// Output: 4.76 0.81
}
