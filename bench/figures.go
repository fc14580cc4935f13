package bench

import "fmt"

// The figures of Nickolls and Kirk, B.7 and B.8, that compare a GPU with processors. Compiled
// kernels on all workers stand for their GPU, and plain Go for their processors.

const (
	compiledRadix  = "radix sort, compiled"
	goRadix        = "radix sort, goroutines"
	goMerge        = "sorted parts, merged"
	oneCompiled    = "compiled, one worker"
	oneSerial      = "serial"
	oneThread      = "one thread a body"
	fourThreads    = "four threads a body"
	productsFrom   = 64 // the inner size of thin products, in both texts
	figureTotal    = 1 << 24
	figureTotalFew = 1 << 18
)

// powers returns 2^from, 2^(from+step) and so on to 2^to.
func powers(from, to, step int) (all []int) {
	for k := from; k <= to; k += step {
		all = append(all, 1<<k)
	}
	return all
}

// Figures returns all figures.
func Figures() []Figure {
	return []Figure{
		{
			Name: "B.7.3", Title: "products of dense matrices of float32", X: "N", Unit: "GFLOPS",
			Sizes: powers(6, 11, 1), Quick: powers(5, 8, 1),
			Curves: []Curve{
				{Name: "N x N, compiled", setup: squareProduct},
				{Name: "N x 64 by 64 x N, compiled", setup: thinProduct},
				{Name: "N x N, goroutines", Most: 1024, setup: goroutineProduct},
			},
			Points: []FigurePoint{{0, 206, "SGEMM on a GeForce 8800 GTX"}},
			Notes:  []string{"that is 60 % of the peak of its multiply-adds"},
		},
		{
			Name: "B.7.4", Title: "factorizations of dense matrices of float32", X: "N", Unit: "GFLOPS",
			Sizes: powers(6, 11, 1), Quick: powers(5, 8, 1),
			Curves: []Curve{
				{Name: "LU", setup: figureLU}, {Name: "Cholesky", setup: figureCholesky}, {Name: "QR", setup: figureQR},
			},
			Points: []FigurePoint{
				{0, 192, "QR on a GeForce 8800 GTX with a Core2 Duo"}, {0, 192 / 4.3, "QR on four cores of a Core2 Quad (a 4.3th of that)"},
			},
		},
		{
			Name: "B.7.5", Title: "batches of Fourier transforms of complex float32, 5 n log2 n operations each", X: "n", Unit: "GFLOPS",
			Sizes: powers(3, 21, 3), Quick: powers(3, 15, 4),
			Curves: []Curve{
				{Name: "radix 16 and less", setup: figureFFT(0, false)}, {Name: "real and imaginary parts apart", setup: figureFFT(0, true)},
				{Name: "radix 2", setup: figureFFT(2, false)},
			},
			Notes: []string{"batches of 2^24/n transforms; of its curves it gives no numbers"},
		},
		{
			Name: "B.7.6", Title: "sorting pairs of 32-bit keys and values", X: "pairs", Unit: "Mpair/s",
			Sizes: powers(10, 24, 2), Quick: powers(10, 18, 2),
			Curves: []Curve{
				{Name: compiledRadix, setup: figureRadix}, {Name: goRadix, setup: figureGoRadix}, {Name: goMerge, setup: figureMerge},
			},
			Notes: []string{
				"from 8192 pairs on the radix sort of a GeForce 8800 Ultra is 2.6 times as fast as the parallel quicksort on eight cores,",
				"and twice as fast as the radix sorts there",
			},
			remark: func(points []SweepPoint) string {
				quick, radix := ratioOf(points, compiledRadix, goMerge, 8192), ratioOf(points, compiledRadix, goRadix, 8192)
				if quick == 0 || radix == 0 {
					return ""
				}
				return fmt.Sprintf("the compiled radix sort is %.2g times as fast as sorted parts, merged, and %.2g times as the radix sort with goroutines", quick, radix)
			},
		},
		{
			Name: "B.8.15", Title: "n-body forces, 20 operations each, on all workers", X: "bodies", Unit: "GFLOPS",
			Sizes: powers(9, 15, 1), Quick: powers(8, 11, 1),
			Curves: []Curve{{Name: oneThread, setup: figureBodies(false)}, {Name: fourThreads, setup: figureBodies(true)}},
			Points: []FigurePoint{
				{1024, 90, "one thread a body on a GeForce 8800 GTX"}, {1024, 190, "four threads a body"}, {16384, 242, "the peak"},
			},
		},
		{
			Name: "B.8.16", Title: "n-body forces, 20 operations each, on one core", X: "bodies", Unit: "GFLOPS",
			Sizes: powers(9, 14, 1), Quick: powers(8, 11, 1),
			Curves: []Curve{{Name: oneCompiled, one: true, setup: figureOneWorker}, {Name: oneSerial, one: true, setup: figureSerialBodies}},
			Points: []FigurePoint{{0, 0.2, "the slowest Core2, about"}, {0, 2, "the fastest Core2, about"}},
			Notes:  []string{"the CUDA version, compiled for one core, is 24 % faster than the C++ code"},
			remark: func(points []SweepPoint) string {
				if r := ratioOf(points, oneCompiled, oneSerial, 0); r > 0 {
					return fmt.Sprintf("compiled, it is %.3g times as fast as the serial loop", r)
				}
				return ""
			},
		},
	}
}
