package bench

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gocuda/gocuda/internal/host"
)

// Workloads returns the standard workloads, in the order of the report.
func Workloads() []Workload {
	return []Workload{
		{Name: "saxpy", About: "y[i] = a*x[i] + y[i], blocks of 256", Sizes: []int{1 << 16, 1 << 21, 1 << 26}, Quick: 1 << 20, Unit: "GB/s", each: 17, setup: setupSAXPY},
		{Name: "reduce", About: "shared-memory tree, blocks of 256", Sizes: []int{1 << 22, 1 << 26}, Quick: 1 << 20, Unit: "Melem/s", each: 6, setup: setupReduce},
		{Name: "scan", About: "inclusive prefix sum of the whole array", Sizes: []int{1 << 22, 1 << 26}, Quick: 1 << 20, Unit: "Melem/s", each: 26, setup: setupScan},
		{Name: "nbody", About: "all-pairs gravity, bodies tiled through shared memory", Sizes: []int{4096, 16384}, Quick: 2048, Unit: "GFLOPS", each: 10, power: 2, setup: setupNBody},
		{Name: "matmul-naive", About: "one element of C, global memory only, blocks of 16x16", Sizes: []int{1024}, Quick: 512, Unit: "GFLOPS", side: true, each: 2.6, power: 3, setup: setupMatMulNaive},
		{Name: "matmul-tiled", About: "16x16 tiles in shared memory, two barriers a tile", Sizes: []int{1024}, Quick: 256, Unit: "GFLOPS", side: true, each: 0.65, power: 3, setup: setupMatMulTiled},
		{Name: "transpose", About: "32x32 tile through padded shared memory, blocks of 32x8", Sizes: []int{4096}, Quick: 1024, Unit: "GB/s", side: true, each: 95, power: 2, setup: setupTranspose},
		{Name: "spmv", About: "a row of the 5-point Laplacian of a square grid in CSR, blocks of 128", Sizes: []int{1000}, Quick: 500, Unit: "Mnz/s", side: true, each: 130, power: 2, setup: setupSpMV},
		{Name: "histogram", About: "256 bins of bytes in shared memory by atomic add, then global", Sizes: []int{1 << 24}, Quick: 1 << 22, Unit: "Melem/s", each: 9, setup: setupHistogram},
		{Name: "mandelbrot", About: "escape time, 256 iterations, blocks of 32x8", Sizes: []int{1024}, Quick: 512, Unit: "Mpix/s", side: true, each: 330, power: 2, setup: setupMandelbrot},
		{Name: "blackscholes", About: "European call and put", Sizes: []int{1 << 20}, Quick: 1 << 17, Unit: "Melem/s", each: 420, setup: setupBlackScholes},
		{Name: "fdtd", About: "2-D TMz Yee step, two launches a step", Sizes: []int{2048}, Quick: 512, Unit: "Mcell/s", side: true, each: 400, power: 2, setup: setupFDTD},
		{Name: "radixsort", About: "32-bit keys with 32-bit values", Sizes: []int{1 << 22}, Quick: 1 << 19, Unit: "Melem/s", each: 140, setup: setupRadixSort},
		{Name: "launch", About: "an empty kernel, one block of 64, launch and wait", Unit: "us", Less: true, setup: setupLaunch},
		{Name: "barrier", About: "256 threads, 64 barriers, nothing between them", Unit: "ns", Less: true, each: 1.6e9, setup: setupBarrier},
	}
}

// everywhere is the same amount of work for all executors.
func everywhere(amount float64) map[string]float64 {
	m := map[string]float64{}
	for _, e := range Executors() {
		m[e] = amount
	}
	return m
}

// random returns n numbers in [0, 1), the same every time.
func random(n int) []float32 {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	v := host.Apart[float32](n)
	for i := range v {
		v[i] = r.Float32()
	}
	return v
}

// steps returns n numbers of -2, -1, 0, 1 and 2. All their partial sums are small whole numbers, so
// float32 adds them exactly in any order, and results can be compared exactly.
func steps(n int) []float32 {
	v := random(n)
	for i := range v {
		v[i] = float32(int(v[i]*5) - 2)
	}
	return v
}

// near returns an error unless got and want agree within the relative error tol, element by element.
func near(what string, got, want []float32, tol float64) error {
	for i := range want {
		g, w := float64(got[i]), float64(want[i])
		if !(math.Abs(g-w) <= tol*math.Max(1, math.Abs(w))) {
			return fmt.Errorf("%s[%d] = %v, the reference is %v", what, i, g, w)
		}
	}
	return nil
}

// same returns an error unless got and want are equal.
func same[T comparable](what string, got, want []T) error {
	for i := range want {
		if got[i] != want[i] {
			return fmt.Errorf("%s[%d] = %v, the reference is %v", what, i, got[i], want[i])
		}
	}
	return nil
}

// refill copies src to dst in pieces. In one piece, Go writes past the caches from a megabyte on,
// and memcpy of C does not: the workloads that bring their data back before each run would start
// cold here and warm there.
func refill[T any](dst, src []T) {
	const piece = 1 << 14
	for i := 0; i < len(src); i += piece {
		copy(dst[i:], src[i:min(i+piece, len(src))])
	}
}
