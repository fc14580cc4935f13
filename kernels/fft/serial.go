package fft

import (
	"math"
	"math/cmplx"
)

// TransformSerial is the reference: Cooley and Tukey's algorithm by recursion, in double precision.
// n, dst and src must be what [Plan.Transform] takes.
func TransformSerial(n int, dir Direction, dst, src []complex64) {
	turn, scale := complex(0, -2*math.Pi), 1.0
	if dir != Forward {
		turn = -turn
	}
	if dir == Inverse {
		scale = 1 / float64(n)
	}
	x, y := make([]complex128, n), make([]complex128, n)
	for at := 0; at < len(src); at += n {
		for i, v := range src[at : at+n] {
			x[i] = complex128(v)
		}
		transformSerial(turn, y, x, 1)
		for i, v := range y {
			dst[at+i] = complex64(v * complex(scale, 0))
		}
	}
}

// transformSerial transforms x[0], x[stride], ... to y. The transforms of the numbers at even and
// at odd places, of half the length, are all it takes.
func transformSerial(turn complex128, y, x []complex128, stride int) {
	n := len(y)
	if n == 1 {
		y[0] = x[0]
		return
	}
	even, odd := y[:n/2], y[n/2:]
	transformSerial(turn, even, x, 2*stride)
	transformSerial(turn, odd, x[stride:], 2*stride)
	for k := range even {
		t := odd[k] * cmplx.Exp(turn*complex(float64(k)/float64(n), 0))
		even[k], odd[k] = even[k]+t, even[k]-t
	}
}
