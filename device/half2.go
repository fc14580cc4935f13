package device

// Pairs of halves. On a GPU they are one register, and one instruction computes both. Here they are
// a way to store 32 bits at a time, and each function does what its namesake for one Half does, for
// both.

// A Half2 is two halves: CUDA's __half2. X is the low half of the word, Y the high one.
type Half2 struct {
	X, Y Half
}

// MakeHalf2 returns the pair (x, y): CUDA's make_half2.
func MakeHalf2(x, y Half) Half2 {
	return Half2{x, y}
}

// Halves2Half2 returns the pair (a, b): CUDA's __halves2half2.
func Halves2Half2(a, b Half) Half2 {
	return Half2{a, b}
}

// Half2Half2 returns the pair (a, a): CUDA's __half2half2.
func Half2Half2(a Half) Half2 {
	return Half2{a, a}
}

// Low2Half returns the low half: CUDA's __low2half.
func Low2Half(a Half2) Half {
	return a.X
}

// High2Half returns the high half: CUDA's __high2half.
func High2Half(a Half2) Half {
	return a.Y
}

// Low2Half2 returns the low half twice: CUDA's __low2half2.
func Low2Half2(a Half2) Half2 {
	return Half2{a.X, a.X}
}

// High2Half2 returns the high half twice: CUDA's __high2half2.
func High2Half2(a Half2) Half2 {
	return Half2{a.Y, a.Y}
}

// Lows2Half2 returns the low halves of a and b: CUDA's __lows2half2.
func Lows2Half2(a, b Half2) Half2 {
	return Half2{a.X, b.X}
}

// Highs2Half2 returns the high halves of a and b: CUDA's __highs2half2.
func Highs2Half2(a, b Half2) Half2 {
	return Half2{a.Y, b.Y}
}

// LowHigh2HighLow returns a with its halves exchanged: CUDA's __lowhigh2highlow.
func LowHigh2HighLow(a Half2) Half2 {
	return Half2{a.Y, a.X}
}

// Low2Float converts the low half to float32, exactly: CUDA's __low2float.
func Low2Float(a Half2) float32 {
	return Half2Float(a.X)
}

// High2Float converts the high half to float32, exactly: CUDA's __high2float.
func High2Float(a Half2) float32 {
	return Half2Float(a.Y)
}

// Float2Half2RN converts a, rounded to nearest even, and returns it twice: CUDA's __float2half2_rn.
func Float2Half2RN(a float32) Half2 {
	return Half2Half2(Float2HalfRN(a))
}

// Floats2Half2RN converts a and b, rounded to nearest even: CUDA's __floats2half2_rn.
func Floats2Half2RN(a, b float32) Half2 {
	return Half2{Float2HalfRN(a), Float2HalfRN(b)}
}

// Hadd2 returns the sums of both halves, as Hadd: CUDA's __hadd2.
func Hadd2(a, b Half2) Half2 {
	return Half2{Hadd(a.X, b.X), Hadd(a.Y, b.Y)}
}

// Hadd2RN returns the sums of both halves, as HaddRN: CUDA's __hadd2_rn.
func Hadd2RN(a, b Half2) Half2 {
	return Half2{HaddRN(a.X, b.X), HaddRN(a.Y, b.Y)}
}

// Hsub2 returns the differences of both halves, as Hsub: CUDA's __hsub2.
func Hsub2(a, b Half2) Half2 {
	return Half2{Hsub(a.X, b.X), Hsub(a.Y, b.Y)}
}

// Hsub2RN returns the differences of both halves, as HsubRN: CUDA's __hsub2_rn.
func Hsub2RN(a, b Half2) Half2 {
	return Half2{HsubRN(a.X, b.X), HsubRN(a.Y, b.Y)}
}

// Hmul2 returns the products of both halves, as Hmul: CUDA's __hmul2.
func Hmul2(a, b Half2) Half2 {
	return Half2{Hmul(a.X, b.X), Hmul(a.Y, b.Y)}
}

// Hmul2RN returns the products of both halves, as HmulRN: CUDA's __hmul2_rn.
func Hmul2RN(a, b Half2) Half2 {
	return Half2{HmulRN(a.X, b.X), HmulRN(a.Y, b.Y)}
}

// H2div returns the quotients of both halves, as Hdiv: CUDA's __h2div.
func H2div(a, b Half2) Half2 {
	return Half2{Hdiv(a.X, b.X), Hdiv(a.Y, b.Y)}
}

// Hadd2Sat returns the sums within [0, 1] of both halves, as HaddSat: CUDA's __hadd2_sat.
func Hadd2Sat(a, b Half2) Half2 {
	return Half2{HaddSat(a.X, b.X), HaddSat(a.Y, b.Y)}
}

// Hsub2Sat returns the differences within [0, 1] of both halves, as HsubSat: CUDA's __hsub2_sat.
func Hsub2Sat(a, b Half2) Half2 {
	return Half2{HsubSat(a.X, b.X), HsubSat(a.Y, b.Y)}
}

// Hmul2Sat returns the products within [0, 1] of both halves, as HmulSat: CUDA's __hmul2_sat.
func Hmul2Sat(a, b Half2) Half2 {
	return Half2{HmulSat(a.X, b.X), HmulSat(a.Y, b.Y)}
}

// Hmax2 returns the larger numbers of both halves, as Hmax: CUDA's __hmax2.
func Hmax2(a, b Half2) Half2 {
	return Half2{Hmax(a.X, b.X), Hmax(a.Y, b.Y)}
}

// Hmin2 returns the smaller numbers of both halves, as Hmin: CUDA's __hmin2.
func Hmin2(a, b Half2) Half2 {
	return Half2{Hmin(a.X, b.X), Hmin(a.Y, b.Y)}
}

// Hmax2NaN returns the larger numbers, or NaN of both halves, as HmaxNaN: CUDA's __hmax2_nan.
func Hmax2NaN(a, b Half2) Half2 {
	return Half2{HmaxNaN(a.X, b.X), HmaxNaN(a.Y, b.Y)}
}

// Hmin2NaN returns the smaller numbers, or NaN of both halves, as HminNaN: CUDA's __hmin2_nan.
func Hmin2NaN(a, b Half2) Half2 {
	return Half2{HminNaN(a.X, b.X), HminNaN(a.Y, b.Y)}
}

// Hfma2 returns a*b + c of both halves, as Hfma: CUDA's __hfma2.
func Hfma2(a, b, c Half2) Half2 {
	return Half2{Hfma(a.X, b.X, c.X), Hfma(a.Y, b.Y, c.Y)}
}

// Hfma2Sat returns a*b + c of both halves, as HfmaSat: CUDA's __hfma2_sat.
func Hfma2Sat(a, b, c Half2) Half2 {
	return Half2{HfmaSat(a.X, b.X, c.X), HfmaSat(a.Y, b.Y, c.Y)}
}

// Hfma2Relu returns a*b + c of both halves, as HfmaRelu: CUDA's __hfma2_relu.
func Hfma2Relu(a, b, c Half2) Half2 {
	return Half2{HfmaRelu(a.X, b.X, c.X), HfmaRelu(a.Y, b.Y, c.Y)}
}

// Hcmadd returns a*b + c for complex numbers with X as the real part: CUDA's __hcmadd. It is two
// Hfma a part, in CUDA's order: c + a.X*b first, then what a.Y contributes.
func Hcmadd(a, b, c Half2) Half2 {
	return Half2{
		Hfma(Hneg(a.Y), b.Y, Hfma(a.X, b.X, c.X)),
		Hfma(a.Y, b.X, Hfma(a.X, b.Y, c.Y)),
	}
}

// Hneg2 returns -a for both halves: CUDA's __hneg2.
func Hneg2(a Half2) Half2 {
	return Half2{Hneg(a.X), Hneg(a.Y)}
}

// Habs2 returns both halves without their sign: CUDA's __habs2.
func Habs2(a Half2) Half2 {
	return Half2{Habs(a.X), Habs(a.Y)}
}

// H2sqrt is Hsqrt for both halves: CUDA's h2sqrt.
func H2sqrt(a Half2) Half2 {
	return Half2{Hsqrt(a.X), Hsqrt(a.Y)}
}

// H2rsqrt is Hrsqrt for both halves: CUDA's h2rsqrt.
func H2rsqrt(a Half2) Half2 {
	return Half2{Hrsqrt(a.X), Hrsqrt(a.Y)}
}

// H2rcp is Hrcp for both halves: CUDA's h2rcp.
func H2rcp(a Half2) Half2 {
	return Half2{Hrcp(a.X), Hrcp(a.Y)}
}

// H2exp is Hexp for both halves: CUDA's h2exp.
func H2exp(a Half2) Half2 {
	return Half2{Hexp(a.X), Hexp(a.Y)}
}

// H2exp2 is Hexp2 for both halves: CUDA's h2exp2.
func H2exp2(a Half2) Half2 {
	return Half2{Hexp2(a.X), Hexp2(a.Y)}
}

// H2exp10 is Hexp10 for both halves: CUDA's h2exp10.
func H2exp10(a Half2) Half2 {
	return Half2{Hexp10(a.X), Hexp10(a.Y)}
}

// H2log is Hlog for both halves: CUDA's h2log.
func H2log(a Half2) Half2 {
	return Half2{Hlog(a.X), Hlog(a.Y)}
}

// H2log2 is Hlog2 for both halves: CUDA's h2log2.
func H2log2(a Half2) Half2 {
	return Half2{Hlog2(a.X), Hlog2(a.Y)}
}

// H2log10 is Hlog10 for both halves: CUDA's h2log10.
func H2log10(a Half2) Half2 {
	return Half2{Hlog10(a.X), Hlog10(a.Y)}
}

// H2sin is Hsin for both halves: CUDA's h2sin.
func H2sin(a Half2) Half2 {
	return Half2{Hsin(a.X), Hsin(a.Y)}
}

// H2cos is Hcos for both halves: CUDA's h2cos.
func H2cos(a Half2) Half2 {
	return Half2{Hcos(a.X), Hcos(a.Y)}
}

// H2tanh is Htanh for both halves: CUDA's h2tanh.
func H2tanh(a Half2) Half2 {
	return Half2{Htanh(a.X), Htanh(a.Y)}
}

// H2ceil is Hceil for both halves: CUDA's h2ceil.
func H2ceil(a Half2) Half2 {
	return Half2{Hceil(a.X), Hceil(a.Y)}
}

// H2floor is Hfloor for both halves: CUDA's h2floor.
func H2floor(a Half2) Half2 {
	return Half2{Hfloor(a.X), Hfloor(a.Y)}
}

// H2trunc is Htrunc for both halves: CUDA's h2trunc.
func H2trunc(a Half2) Half2 {
	return Half2{Htrunc(a.X), Htrunc(a.Y)}
}

// H2rint is Hrint for both halves: CUDA's h2rint.
func H2rint(a Half2) Half2 {
	return Half2{Hrint(a.X), Hrint(a.Y)}
}

// Float22Half2RN returns both components rounded to nearest even. CUDA's __float22half2_rn.
func Float22Half2RN(a Float2) Half2 { return Floats2Half2RN(a.X, a.Y) }

// Half22Float2 returns both halves, exactly. CUDA's __half22float2.
func Half22Float2(a Half2) Float2 { return Float2{Low2Float(a), High2Float(a)} }
