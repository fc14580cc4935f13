package device

import "math"

// Fused multiply-add in float32. Go's math.FMA is for float64 only, and rounding its result, or
// that of a float64 expression, to float32 rounds twice. The product of two float32 is exact in
// float64; a sum rounded to odd keeps in its last bit whether anything was cut off, and so can be
// rounded again to any format of at most 51 bits without harm (Boldo and Melquiond, Emulation of
// FMA and correctly rounded sums, IEEE Transactions on Computers 2008).

// Fmaf returns x*y + z, rounded once to nearest even: CUDA's fmaf and __fmaf_rn.
func Fmaf(x, y, z float32) float32 {
	return float32(fmaOdd(x, y, z))
}

// fmaOdd returns x*y + z as a float64 rounded to odd: exact, or cut off with the last bit set.
func fmaOdd(x, y, z float32) float64 {
	p := float64(x) * float64(y)
	return addOdd(p, float64(z))
}

// addOdd returns a+b rounded to odd.
func addOdd(a, b float64) float64 {
	s := a + b
	// What the sum cut off, exactly: Knuth's two-sum.
	t := s - a
	e := (a - (s - t)) + (b - t)
	bits := math.Float64bits(s)
	// Towards zero, which is one place down if e and s have different signs, and then to the odd one.
	odd := (bits + uint64(int64(bits^math.Float64bits(e))>>63)) | 1
	if math.Abs(e) > 0 { // e is NaN if s is infinite or NaN
		bits = odd
	}
	return math.Float64frombits(bits)
}

// oddFloat returns x as a float32 rounded to odd, which can be rounded again to at most 22 bits.
func oddFloat(x float64) float32 {
	f := float32(x)
	b := math.Float32bits(f)
	if math.Abs(float64(f)) > math.Abs(x) {
		b--
	}
	if float64(f) != x && x == x {
		b |= 1
	}
	return math.Float32frombits(b)
}
