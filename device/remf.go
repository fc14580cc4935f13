package device

import "math"

// Remainders in float32, by long division of the significands. All are exact.

// divideRemf returns a modulo b and the last bits of the whole part of a/b, for finite a >= 0 and b
// > 0.
func divideRemf(a, b float32) (rem float32, quo uint32) {
	// a = m 2^e, b = d 2^g, of whole m and d
	m, e := wholef(a)
	d, g := wholef(b)
	if e < g { // a has at most 24 bits more to lose than b
		if g-e > 24 {
			return a, 0
		}
		d <<= uint(g - e)
		g = e
	}
	q := m / d
	m %= d
	for e > g {
		// m < d < 2^24 here, since d is shifted only where e = g then.
		s := min(uint(e-g), 32)
		m <<= s
		q = q<<s + m/d
		m %= d
		e -= int32(s)
	}
	// m < d, so m 2^g is below b, and has no bits below those of a and b.
	return float32(float64(m) * math.Float64frombits(uint64(1023+g)<<52)), uint32(q)
}

// wholef returns m and e with a = m 2^e, for a finite a >= 0.
func wholef(a float32) (m uint64, e int32) {
	b := math.Float32bits(a)
	e = int32(b >> 23)
	m = uint64(b & (1<<23 - 1))
	if e == 0 {
		return m, -149
	}
	return m | 1<<23, e - 150
}

// Fmodf returns x - n*y, where n is x/y without its fraction: CUDA's fmodf. It has the sign of x,
// also when 0. Fmodf(x, ±∞) is x for finite x; it is NaN for infinite x and for y = 0.
func Fmodf(x, y float32) float32 {
	bx := math.Float32bits(x)
	a, b := Fabsf(x), Fabsf(y)
	switch {
	case !(a <= math.MaxFloat32) || !(b > 0): // infinite, NaN; 0, NaN
		return float32(math.NaN())
	case a < b:
		return x
	}
	r, _ := divideRemf(a, b)
	return math.Float32frombits(math.Float32bits(r) | bx&(1<<31))
}

// Remainderf returns x - n*y, where n is the whole number nearest to x/y, from a half the even one:
// CUDA's remainderf. It has the sign of x when 0. Remainderf(x, ±∞) is x for finite x; it is NaN
// for infinite x and for y = 0.
func Remainderf(x, y float32) float32 {
	r, _ := Remquof(x, y)
	return r
}

// Remquof returns Remainderf(x, y), and the last three bits of n with the sign of x/y: CUDA's
// remquof. Where the remainder is NaN quo is 0.
func Remquof(x, y float32) (rem float32, quo int32) {
	bx, by := math.Float32bits(x), math.Float32bits(y)
	a, b := Fabsf(x), Fabsf(y)
	switch {
	case !(a <= math.MaxFloat32) || !(b > 0):
		return float32(math.NaN()), 0
	case b > math.MaxFloat32:
		return x, 0
	}
	r, q := divideRemf(a, b)
	// One more if r > b/2, or a half of b and q odd. float64 has room for 2r, and r-b is exact.
	if twice := 2 * float64(r); twice > float64(b) || twice == float64(b) && q&1 != 0 {
		r -= b
		q++
	}
	quo = int32(q & 7)
	if (bx^by)>>31 != 0 {
		quo = -quo
	}
	return math.Float32frombits(math.Float32bits(r) ^ bx&(1<<31)), quo
}
