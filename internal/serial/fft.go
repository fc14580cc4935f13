package serial

import (
	"math"
	"math/cmplx"

	"github.com/gocuda/gocuda/kernels/fft"
)

// FFT transforms batches of n points by Cooley and Tukey's algorithm, by recursion and in double
// precision. n, dst and src must be what [fft.Plan.Transform] takes.
func FFT(n int, dir fft.Direction, dst, src []complex64) {
	turn, scale := complex(0, -2*math.Pi), 1.0
	if dir != fft.Forward {
		turn = -turn
	}
	if dir == fft.Inverse {
		scale = 1 / float64(n)
	}
	x, y := make([]complex128, n), make([]complex128, n)
	for at := 0; at < len(src); at += n {
		for i, v := range src[at : at+n] {
			x[i] = complex128(v)
		}
		cooleyTukey(turn, y, x, 1)
		for i, v := range y {
			dst[at+i] = complex64(v * complex(scale, 0))
		}
	}
}

// cooleyTukey transforms x[0], x[stride], ... to y. The transforms of the numbers at even and at odd
// places, of half the length, are all it takes.
func cooleyTukey(turn complex128, y, x []complex128, stride int) {
	n := len(y)
	if n == 1 {
		y[0] = x[0]
		return
	}
	even, odd := y[:n/2], y[n/2:]
	cooleyTukey(turn, even, x, 2*stride)
	cooleyTukey(turn, odd, x[stride:], 2*stride)
	for k := range even {
		t := odd[k] * cmplx.Exp(turn*complex(float64(k)/float64(n), 0))
		even[k], odd[k] = even[k]+t, even[k]-t
	}
}
