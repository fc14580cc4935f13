// Package fft has fast Fourier transforms of complex numbers, many of the same length at a time,
// where the length is a power of two.
//
// The transform of x[0], ..., x[n-1] is
//
//	y[k] = sum of x[j] exp(-2 pi i j k / n) over all j
//
// and the other direction has a plus in the exponent. A [Plan] has what transforms of one length need.
//
//	p, err := fft.NewPlan(1024)
//	err = p.Transform(ctx, gocuda.Default(), fft.Forward, y, x) // as many transforms as fit into x
//
// # Sources
//
// Nickolls and Kirk (Graphics and Computing GPUs, section B.7) show FFTs as one of three
// applications of the GeForce 8800: large transforms and those of several dimensions are batches of
// smaller ones in one dimension. Their figure B.7.5 compares batches of complex transforms in
// single precision, in place, on a GeForce 8800 GTX of 1.35 GHz (CUFFT 2.1, radix 16, decimation in
// frequency) with a Xeon E5462 of 2.8 GHz (MKL 10.0, four threads). For each length n there are
// 2^24/n transforms, 128 MB of data, and an operation count of 5 n log2 n, whatever the algorithm
// really does, turns times into GFLOPS. The benchmarks here count the same way. The figure is a
// graph without numbers in the text. Two papers of 2008 have numbers: Volkov and Kazian (Fitting
// FFT onto the G80 Architecture) reached 144 GFLOPS on the GeForce 8800 GTX, nearly three times
// CUFFT of the time, and Govindaraju, Lloyd, Dotsenko, Smith and Manferdelli (High Performance
// Discrete Fourier Transforms on Graphics Processors) up to 300 GFLOPS, two to four times CUFFT.
//
// # Reading order
//
// butterfly.go has the transforms of 2, 4, 8 and 16 points that one thread does in registers;
// passes.go the simplest program, a launch for each pass over the data; columns.go the same passes
// in the shared memory of a block; small.go, medium.go and large.go what is built from those, by
// the length of the transform.
//
// # Accuracy
//
// The error is at most a small multiple of u log2 n, u = 2^-24, relative to the result in the L2
// norm (Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2). Twiddle factors come
// from tables, computed in double precision: computed one from the other they would spoil that
// (Higham, section 24.1).
package fft

//go:generate go run ../../cmd/gocuda-gen .
