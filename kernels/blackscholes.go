package kernels

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// The prices of European options by the formula of Black and Scholes (The Pricing of Options and
// Corporate Liabilities, 1973; Podlozhnyuk, Black-Scholes option pricing, 2007). An option is the
// right to buy (call) or to sell (put) a share at the strike price when its years are over. It
// teaches nothing about threads that SAXPY does not, but here the time goes into functions: a
// logarithm, a root, an exponential and four times the normal distribution for 20 bytes.

// blackScholesThreads is the number of threads of a block.
const blackScholesThreads = 256

// normal is the normal distribution's probability of a value below x. By erfc it keeps its digits far
// out on the left, where 1 + erf(x/√2) would cancel them.
func normal(x float32) float32 {
	return 0.5 * float32(math.Erfc(float64(-x*(math.Sqrt2/2))))
}

// blackScholes is the program of one thread, one option.
//
//gocuda:kernel fastmath
func blackScholes(t *gocuda.Thread, n int, riskless, volatility float32, price, strike, years, call, put []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s, x, y := price[i], strike[i], years[i]
	spread := volatility * float32(math.Sqrt(float64(y)))
	d1 := (float32(math.Log(float64(s/x))) + (riskless+0.5*volatility*volatility)*y) / spread
	d2 := d1 - spread
	discounted := x * float32(math.Exp(float64(-riskless*y)))
	call[i] = s*normal(d1) - discounted*normal(d2)
	put[i] = discounted*normal(-d2) - s*normal(-d1)
}

// BlackScholes sets call[i] and put[i] to the prices of the options to buy and to sell at strike[i], in
// years[i] years, a share that costs price[i] now and pays no dividends. riskless is the interest rate
// and volatility the standard deviation of the return, both a year, with continuous compounding.
//
// All slices must have the same length; volatility must be positive and finite, and so must be prices,
// strikes and years, which are not checked.
func BlackScholes(ctx context.Context, on Launcher, riskless, volatility float32, price, strike, years, call, put []float32) error {
	n := len(price)
	for _, other := range [][]float32{strike, years, call, put} {
		if err := check.Lengths("Black-Scholes", n, len(other)); err != nil {
			return err
		}
	}
	if !(volatility > 0 && volatility <= math.MaxFloat32) {
		return fmt.Errorf("kernels: Black-Scholes: %w: volatility %v", gocuda.ErrInvalidValue, volatility)
	}
	cfg := grid.Linear(n, blackScholesThreads)
	return on.Launch(ctx, cfg, blackScholesKernel(n, riskless, volatility, price, strike, years, call, put))
}
