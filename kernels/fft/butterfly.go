package fft

// The butterflies: transforms of 2, 4, 8 and 16 points in the registers of a thread. A thread that
// does a larger one goes to memory less often: n points take log2 n passes of radix 2, half of that
// of radix 4, a third of radix 8. It also needs more registers, two for each point and a few more.
//
// Each reads its points at x[i], x[i+d] and so on, and writes its results to y[o], y[o+e] and so
// on, result k times the twiddle factor w[k*f]. What is inside needs few multiplications, since the
// roots of unity are 1, -i and, from radix 8 on, (1-i)/sqrt(2). Only radix 16 has others.

const (
	sqrtHalf = 0.70710678118654752440 // cos(pi/4)
	cosPi8   = 0.92387953251128675613 // cos(pi/8)
	sinPi8   = 0.38268343236508977173 // sin(pi/8)
)

// times is the product of two complex numbers.
func times(xr, xi, wr, wi float32) (float32, float32) {
	return xr*wr - xi*wi, xr*wi + xi*wr
}

// fft2 transforms 2 points.
func fft2(ar, ai, br, bi float32) (float32, float32, float32, float32) {
	return ar + br, ai + bi, ar - br, ai - bi
}

// fft4 transforms 4 points: the two points a and c, the two points b and d, and the results with
// each other.
func fft4(ar, ai, br, bi, cr, ci, dr, di float32) (
	float32, float32, float32, float32, float32, float32, float32, float32,
) {
	evenR, evenI, evenDiffR, evenDiffI := fft2(ar, ai, cr, ci)
	oddR, oddI, oddDiffR, oddDiffI := fft2(br, bi, dr, di)
	return evenR + oddR, evenI + oddI,
		evenDiffR + oddDiffI, evenDiffI - oddDiffR, // the odd difference times -i
		evenR - oddR, evenI - oddI,
		evenDiffR - oddDiffI, evenDiffI + oddDiffR
}

// butterfly2 transforms 2 points from memory to memory.
func butterfly2(xr, xi []float32, i, d int, yr, yi []float32, o, e int, wr, wi []float32, f int) {
	ar, ai, br, bi := fft2(xr[i], xi[i], xr[i+d], xi[i+d])
	yr[o], yi[o] = ar, ai
	yr[o+e], yi[o+e] = times(br, bi, wr[f], wi[f])
}

// butterfly4 transforms 4 points from memory to memory.
func butterfly4(xr, xi []float32, i, d int, yr, yi []float32, o, e int, wr, wi []float32, f int) {
	ar, ai, br, bi, cr, ci, dr, di := fft4(xr[i], xi[i], xr[i+d], xi[i+d],
		xr[i+2*d], xi[i+2*d], xr[i+3*d], xi[i+3*d])
	yr[o], yi[o] = ar, ai
	yr[o+e], yi[o+e] = times(br, bi, wr[f], wi[f])
	yr[o+2*e], yi[o+2*e] = times(cr, ci, wr[2*f], wi[2*f])
	yr[o+3*e], yi[o+3*e] = times(dr, di, wr[3*f], wi[3*f])
}

// butterfly8 transforms 8 points from memory to memory.
func butterfly8(xr, xi []float32, i, d int, yr, yi []float32, o, e int, wr, wi []float32, f int) {
	// The even results are the transform of the sums of points that are four apart, the odd ones that
	// of the differences, turned by eighths of a circle.
	ar, ai, er, ei := fft2(xr[i], xi[i], xr[i+4*d], xi[i+4*d])
	br, bi, fr, fi := fft2(xr[i+d], xi[i+d], xr[i+5*d], xi[i+5*d])
	cr, ci, gr, gi := fft2(xr[i+2*d], xi[i+2*d], xr[i+6*d], xi[i+6*d])
	dr, di, hr, hi := fft2(xr[i+3*d], xi[i+3*d], xr[i+7*d], xi[i+7*d])
	fr, fi = sqrtHalf*(fr+fi), sqrtHalf*(fi-fr)
	gr, gi = gi, -gr
	hr, hi = sqrtHalf*(hi-hr), -sqrtHalf*(hr+hi)
	ar, ai, br, bi, cr, ci, dr, di = fft4(ar, ai, br, bi, cr, ci, dr, di)
	er, ei, fr, fi, gr, gi, hr, hi = fft4(er, ei, fr, fi, gr, gi, hr, hi)
	yr[o], yi[o] = ar, ai
	yr[o+e], yi[o+e] = times(er, ei, wr[f], wi[f])
	yr[o+2*e], yi[o+2*e] = times(br, bi, wr[2*f], wi[2*f])
	yr[o+3*e], yi[o+3*e] = times(fr, fi, wr[3*f], wi[3*f])
	yr[o+4*e], yi[o+4*e] = times(cr, ci, wr[4*f], wi[4*f])
	yr[o+5*e], yi[o+5*e] = times(gr, gi, wr[5*f], wi[5*f])
	yr[o+6*e], yi[o+6*e] = times(dr, di, wr[6*f], wi[6*f])
	yr[o+7*e], yi[o+7*e] = times(hr, hi, wr[7*f], wi[7*f])
}

// butterfly16 transforms 16 points from memory to memory.
func butterfly16(xr, xi []float32, i, d int, yr, yi []float32, o, e int, wr, wi []float32, f int) {
	// Four times four: ajk is point j+4k, and then result k of column j.
	a0r, a0i, a1r, a1i, a2r, a2i, a3r, a3i := fft4(xr[i], xi[i], xr[i+4*d], xi[i+4*d],
		xr[i+8*d], xi[i+8*d], xr[i+12*d], xi[i+12*d])
	b0r, b0i, b1r, b1i, b2r, b2i, b3r, b3i := fft4(xr[i+d], xi[i+d], xr[i+5*d], xi[i+5*d],
		xr[i+9*d], xi[i+9*d], xr[i+13*d], xi[i+13*d])
	c0r, c0i, c1r, c1i, c2r, c2i, c3r, c3i := fft4(xr[i+2*d], xi[i+2*d], xr[i+6*d], xi[i+6*d],
		xr[i+10*d], xi[i+10*d], xr[i+14*d], xi[i+14*d])
	d0r, d0i, d1r, d1i, d2r, d2i, d3r, d3i := fft4(xr[i+3*d], xi[i+3*d], xr[i+7*d], xi[i+7*d],
		xr[i+11*d], xi[i+11*d], xr[i+15*d], xi[i+15*d])
	a0r, a0i, b0r, b0i, c0r, c0i, d0r, d0i = fft4(a0r, a0i, b0r, b0i, c0r, c0i, d0r, d0i)
	yr[o], yi[o] = a0r, a0i
	yr[o+4*e], yi[o+4*e] = times(b0r, b0i, wr[4*f], wi[4*f])
	yr[o+8*e], yi[o+8*e] = times(c0r, c0i, wr[8*f], wi[8*f])
	yr[o+12*e], yi[o+12*e] = times(d0r, d0i, wr[12*f], wi[12*f])
	b1r, b1i = times(b1r, b1i, cosPi8, -sinPi8)
	c1r, c1i = sqrtHalf*(c1r+c1i), sqrtHalf*(c1i-c1r)
	d1r, d1i = times(d1r, d1i, sinPi8, -cosPi8)
	a1r, a1i, b1r, b1i, c1r, c1i, d1r, d1i = fft4(a1r, a1i, b1r, b1i, c1r, c1i, d1r, d1i)
	yr[o+e], yi[o+e] = times(a1r, a1i, wr[f], wi[f])
	yr[o+5*e], yi[o+5*e] = times(b1r, b1i, wr[5*f], wi[5*f])
	yr[o+9*e], yi[o+9*e] = times(c1r, c1i, wr[9*f], wi[9*f])
	yr[o+13*e], yi[o+13*e] = times(d1r, d1i, wr[13*f], wi[13*f])
	b2r, b2i = sqrtHalf*(b2r+b2i), sqrtHalf*(b2i-b2r)
	c2r, c2i = c2i, -c2r
	d2r, d2i = sqrtHalf*(d2i-d2r), -sqrtHalf*(d2r+d2i)
	a2r, a2i, b2r, b2i, c2r, c2i, d2r, d2i = fft4(a2r, a2i, b2r, b2i, c2r, c2i, d2r, d2i)
	yr[o+2*e], yi[o+2*e] = times(a2r, a2i, wr[2*f], wi[2*f])
	yr[o+6*e], yi[o+6*e] = times(b2r, b2i, wr[6*f], wi[6*f])
	yr[o+10*e], yi[o+10*e] = times(c2r, c2i, wr[10*f], wi[10*f])
	yr[o+14*e], yi[o+14*e] = times(d2r, d2i, wr[14*f], wi[14*f])
	b3r, b3i = times(b3r, b3i, sinPi8, -cosPi8)
	c3r, c3i = sqrtHalf*(c3i-c3r), -sqrtHalf*(c3r+c3i)
	d3r, d3i = times(d3r, d3i, -cosPi8, sinPi8)
	a3r, a3i, b3r, b3i, c3r, c3i, d3r, d3i = fft4(a3r, a3i, b3r, b3i, c3r, c3i, d3r, d3i)
	yr[o+3*e], yi[o+3*e] = times(a3r, a3i, wr[3*f], wi[3*f])
	yr[o+7*e], yi[o+7*e] = times(b3r, b3i, wr[7*f], wi[7*f])
	yr[o+11*e], yi[o+11*e] = times(c3r, c3i, wr[11*f], wi[11*f])
	yr[o+15*e], yi[o+15*e] = times(d3r, d3i, wr[15*f], wi[15*f])
}
