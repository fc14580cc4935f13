package kernels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
)

// options makes n options on shares that cost 5 to 30, to strike at 1 to 100 in 3 months to 10 years.
func options(n int) (price, strike, years []float32) {
	r := rand.New(rand.NewPCG(13, uint64(n)))
	price, strike, years = make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range n {
		price[i] = 5 + 25*r.Float32()
		strike[i] = 1 + 99*r.Float32()
		years[i] = 0.25 + 9.75*r.Float32()
	}
	return price, strike, years
}

// optionPrices is the formula in float64, with gonum's normal distribution.
func optionPrices(r, v, s, x, y float64) (call, put float64) {
	d1 := (math.Log(s/x) + (r+v*v/2)*y) / (v * math.Sqrt(y))
	d2 := d1 - v*math.Sqrt(y)
	n := distuv.UnitNormal.CDF
	return s*n(d1) - x*math.Exp(-r*y)*n(d2), x*math.Exp(-r*y)*n(-d2) - s*n(-d1)
}

func TestBlackScholesAgainstGonum(t *testing.T) {
	const r, v = 0.02, 0.3
	for name, dev := range devices(t) {
		for _, n := range lengthsFor(name, awkward) {
			price, strike, years := options(n)
			call, put := make([]float32, n), make([]float32, n)
			call2, put2 := make([]float32, n), make([]float32, n)
			require.NoError(t, kernels.BlackScholes(t.Context(), dev, r, v, price, strike, years, call, put))
			serial.BlackScholes(r, v, price, strike, years, call2, put2)
			wantCall, wantPut := make([]float64, n), make([]float64, n)
			for i := range n {
				wantCall[i], wantPut[i] = optionPrices(r, v, float64(price[i]), float64(strike[i]), float64(years[i]))
			}
			// A price is the difference of two that are at most price and strike.
			limit := func(i int) float64 { return 1e-6 * float64(price[i]+strike[i]) }
			slicetest.Within(t, wantCall, call, limit, "%s, n=%d", name, n)
			slicetest.Within(t, wantPut, put, limit, "%s, n=%d", name, n)
			slicetest.Within(t, wantCall, call2, limit, "serial, n=%d", n)
			slicetest.Within(t, wantPut, put2, limit, "serial, n=%d", n)
		}
	}
}

// A call and a put together are the share less the discounted strike, whatever the volatility.
func TestPutCallParity(t *testing.T) {
	const n, r = 1000, 0.05
	price, strike, years := options(n)
	call, put := make([]float32, n), make([]float32, n)
	for _, v := range []float32{0.01, 0.2, 2} {
		require.NoError(t, kernels.BlackScholes(t.Context(), gocuda.Default(), r, v, price, strike, years, call, put))
		want, got := make([]float64, n), make([]float64, n)
		for i := range n {
			want[i] = float64(price[i]) - float64(strike[i])*math.Exp(-r*float64(years[i]))
			got[i] = float64(call[i]) - float64(put[i])
		}
		slicetest.Within(t, want, got, func(i int) float64 { return 1e-6 * float64(price[i]+strike[i]) }, "volatility %v", v)
	}
}

func TestBlackScholesRefusesBadArguments(t *testing.T) {
	a, b := make([]float32, 3), make([]float32, 4)
	dev := gocuda.Default()
	for i, err := range []error{
		kernels.BlackScholes(t.Context(), dev, 0, 1, a, b, a, a, a),
		kernels.BlackScholes(t.Context(), dev, 0, 1, a, a, b, a, a),
		kernels.BlackScholes(t.Context(), dev, 0, 1, a, a, a, b, a),
		kernels.BlackScholes(t.Context(), dev, 0, 1, a, a, a, a, b),
		kernels.BlackScholes(t.Context(), dev, 0, 0, a, a, a, a, a),
		kernels.BlackScholes(t.Context(), dev, 0, float32(math.Inf(1)), a, a, a, a, a),
		kernels.BlackScholes(t.Context(), dev, 0, float32(math.NaN()), a, a, a, a, a),
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%d", i)
	}
}
