package serial

import "math"

// BlackScholes sets call[i] and put[i] to the prices of European options by the formula of Black and
// Scholes (1973), as [kernels.BlackScholes] does. Its arithmetic is that of the kernel, with the
// functions of package math in float64.
func BlackScholes(riskless, volatility float32, price, strike, years, call, put []float32) {
	for i, s := range price {
		x, y := strike[i], years[i]
		spread := volatility * float32(math.Sqrt(float64(y)))
		d1 := (float32(math.Log(float64(s/x))) + (riskless+0.5*volatility*volatility)*y) / spread
		d2 := d1 - spread
		discounted := x * float32(math.Exp(float64(-riskless*y)))
		call[i] = s*normalBelow(d1) - discounted*normalBelow(d2)
		put[i] = discounted*normalBelow(-d2) - s*normalBelow(-d1)
	}
}

// normalBelow is the normal distribution's probability of a value below x, by erfc, which keeps its
// digits where the probability is small.
func normalBelow(x float32) float32 {
	return 0.5 * float32(math.Erfc(float64(-x*(math.Sqrt2/2))))
}
