package device

// Arithmetic in half precision. Sums, products, quotients and roots are computed in float32 and
// rounded again: its 24 bits are 2*11 + 2, which is enough for the second rounding to be the only
// one that shows (Figueroa, When is double rounding innocuous?, ACM SIGNUM Newsletter 1995).
// Subnormal results have fewer bits, which helps.

// Hadd returns a+b: CUDA's __hadd.
func Hadd(a, b Half) Half {
	return Float2HalfRN(Half2Float(a) + Half2Float(b))
}

// HaddRN is Hadd: CUDA's __hadd_rn, which never becomes part of a fused multiply-add. Here nothing
// does.
func HaddRN(a, b Half) Half {
	return Hadd(a, b)
}

// Hsub returns a-b: CUDA's __hsub.
func Hsub(a, b Half) Half {
	return Float2HalfRN(Half2Float(a) - Half2Float(b))
}

// HsubRN is Hsub: CUDA's __hsub_rn.
func HsubRN(a, b Half) Half {
	return Hsub(a, b)
}

// Hmul returns a*b: CUDA's __hmul.
func Hmul(a, b Half) Half {
	return Float2HalfRN(float32(Half2Float(a) * Half2Float(b)))
}

// HmulRN is Hmul: CUDA's __hmul_rn.
func HmulRN(a, b Half) Half {
	return Hmul(a, b)
}

// Hdiv returns a/b: CUDA's __hdiv.
func Hdiv(a, b Half) Half {
	return Float2HalfRN(Half2Float(a) / Half2Float(b))
}

// Hfma returns a*b + c, rounded once: CUDA's __hfma.
func Hfma(a, b, c Half) Half {
	return Double2Half(fmaOdd(Half2Float(a), Half2Float(b), Half2Float(c)))
}

// Hneg returns -a, which is the other sign bit, also of NaN: CUDA's __hneg.
func Hneg(a Half) Half {
	return a ^ 0x8000
}

// Habs returns a without its sign bit, also of NaN: CUDA's __habs.
func Habs(a Half) Half {
	return a & 0x7fff
}

// saturated returns a within [0, 1]: +0 for negative numbers, -0 and NaN.
func saturated(a Half) Half {
	if a > HalfInf { // as bits: negative, or NaN
		a = 0
	}
	return min(a, HalfOne)
}

// HaddSat returns a+b within [0, 1], and +0 for NaN: CUDA's __hadd_sat.
func HaddSat(a, b Half) Half {
	return saturated(Hadd(a, b))
}

// HsubSat returns a-b within [0, 1], and +0 for NaN: CUDA's __hsub_sat.
func HsubSat(a, b Half) Half {
	return saturated(Hsub(a, b))
}

// HmulSat returns a*b within [0, 1], and +0 for NaN: CUDA's __hmul_sat.
func HmulSat(a, b Half) Half {
	return saturated(Hmul(a, b))
}

// HfmaSat returns a*b + c, rounded once, within [0, 1], and +0 for NaN: CUDA's __hfma_sat.
func HfmaSat(a, b, c Half) Half {
	return saturated(Hfma(a, b, c))
}

// HfmaRelu returns a*b + c, rounded once, and +0 if that is negative or -0: CUDA's __hfma_relu. NaN
// stays NaN.
func HfmaRelu(a, b, c Half) Half {
	h := Hfma(a, b, c)
	if h>>15 != 0 { // HalfNaN has no sign
		h = 0
	}
	return h
}

// Hmax returns the larger of a and b: CUDA's __hmax. If one is NaN it is the other one, and +0 is
// larger than -0.
func Hmax(a, b Half) Half {
	x, y := Half2Float(a), Half2Float(b)
	h := a
	if y > x || x != x {
		h = b
	}
	if x == y { // the same, or zeros
		h = a & b
	}
	if x != x && y != y {
		h = HalfNaN
	}
	return h
}

// Hmin returns the smaller of a and b: CUDA's __hmin. If one is NaN it is the other one, and -0 is
// smaller than +0.
func Hmin(a, b Half) Half {
	x, y := Half2Float(a), Half2Float(b)
	h := a
	if y < x || x != x {
		h = b
	}
	if x == y {
		h = a | b
	}
	if x != x && y != y {
		h = HalfNaN
	}
	return h
}

// HmaxNaN returns the larger of a and b, and NaN if one is: CUDA's __hmax_nan.
func HmaxNaN(a, b Half) Half {
	h := Hmax(a, b)
	if Hisnan(a) || Hisnan(b) {
		h = HalfNaN
	}
	return h
}

// HminNaN returns the smaller of a and b, and NaN if one is: CUDA's __hmin_nan.
func HminNaN(a, b Half) Half {
	h := Hmin(a, b)
	if Hisnan(a) || Hisnan(b) {
		h = HalfNaN
	}
	return h
}

// Hisnan reports whether a is NaN: CUDA's __hisnan.
func Hisnan(a Half) bool {
	return a&0x7fff > HalfInf
}

// Hisinf returns 1 for infinity, -1 for negative infinity, and 0 for anything else: CUDA's __hisinf.
func Hisinf(a Half) int32 {
	if a == HalfInf {
		return 1
	}
	if a == HalfInf|0x8000 {
		return -1
	}
	return 0
}

// Comparisons come in two kinds: ordered ones are false if an operand is NaN, also Hne, and
// unordered ones, with a u at the end, are true.

// Heq reports a == b: CUDA's __heq.
func Heq(a, b Half) bool {
	return Half2Float(a) == Half2Float(b)
}

// Hne reports that a and b are numbers that differ: CUDA's __hne. It is false if one is NaN; Hneu
// is Go's and C's !=.
func Hne(a, b Half) bool {
	x, y := Half2Float(a), Half2Float(b)
	return x < y || x > y
}

// Hlt reports a < b: CUDA's __hlt.
func Hlt(a, b Half) bool {
	return Half2Float(a) < Half2Float(b)
}

// Hle reports a <= b: CUDA's __hle.
func Hle(a, b Half) bool {
	return Half2Float(a) <= Half2Float(b)
}

// Hgt reports a > b: CUDA's __hgt.
func Hgt(a, b Half) bool {
	return Half2Float(a) > Half2Float(b)
}

// Hge reports a >= b: CUDA's __hge.
func Hge(a, b Half) bool {
	return Half2Float(a) >= Half2Float(b)
}

// Hequ reports a == b or that one is NaN: CUDA's __hequ.
func Hequ(a, b Half) bool {
	return !Hne(a, b)
}

// Hneu reports a != b or that one is NaN: CUDA's __hneu.
func Hneu(a, b Half) bool {
	return !Heq(a, b)
}

// Hltu reports a < b or that one is NaN: CUDA's __hltu.
func Hltu(a, b Half) bool {
	return !Hge(a, b)
}

// Hleu reports a <= b or that one is NaN: CUDA's __hleu.
func Hleu(a, b Half) bool {
	return !Hgt(a, b)
}

// Hgtu reports a > b or that one is NaN: CUDA's __hgtu.
func Hgtu(a, b Half) bool {
	return !Hle(a, b)
}

// Hgeu reports a >= b or that one is NaN: CUDA's __hgeu.
func Hgeu(a, b Half) bool {
	return !Hlt(a, b)
}
