package device_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// halfPi is pi/2 to some 1380 bits by Machin's formula, pi/4 = 4 atan(1/5) - atan(1/239).
func halfPi() *big.Float {
	one := new(big.Int).Lsh(big.NewInt(1), 1400)
	atan := func(n int64) *big.Int {
		sum := new(big.Int)
		power := new(big.Int).Quo(one, big.NewInt(n))
		for k := int64(1); power.Sign() != 0; k += 2 {
			term := new(big.Int).Quo(power, big.NewInt(k))
			if k%4 == 1 {
				sum.Add(sum, term)
			} else {
				sum.Sub(sum, term)
			}
			power.Quo(power, big.NewInt(n*n))
		}
		return sum
	}
	sum := atan(5)
	sum.Sub(sum.Mul(sum, big.NewInt(4)), atan(239))
	pi := new(big.Float).SetPrec(1400).SetInt(sum)
	return pi.SetMantExp(pi, 1-1400)
}

// TestTrigReduction compares with division by pi/2 in big numbers.
func TestTrigReduction(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	half := halfPi()
	for i := range 3000 {
		x := math.Ldexp(r.Float64()+0.5, r.IntN(1020)-10)
		if i%2 == 0 {
			x = float64(float32(math.Ldexp(r.Float64()+0.5, r.IntN(130)-10)))
		}
		q := new(big.Float).SetPrec(1400).Quo(new(big.Float).SetFloat64(x), half)
		n, _ := new(big.Float).SetPrec(1400).Add(q, big.NewFloat(0.5)).Int(nil)
		rest := new(big.Float).SetPrec(1400).SetInt(n)
		rest.Sub(new(big.Float).SetPrec(1400).SetFloat64(x), rest.Mul(rest, half))
		want, _ := rest.Float64()
		if math.Abs(want) > 0.785 {
			continue // near the middle between two multiples either is right
		}
		quadrant := new(big.Int).And(n, big.NewInt(3)).Int64()
		if k := device.TrigQuadrant(x); k&3 != quadrant {
			t.Errorf("TrigQuadrant(%g) is %d, want %d", x, k&3, quadrant)
		}
		sum := new(big.Float).SetPrec(200).Add(big.NewFloat(device.TrigReduction(x)), big.NewFloat(device.TrigReductionLow(x)))
		off, _ := sum.Sub(sum, rest).Float64()
		if math.Abs(off) > 0x1p-90*math.Abs(want)+0x1p-110 {
			t.Errorf("TrigReduction(%g) + TrigReductionLow is off by %g of %g", x, off, want)
		}
		if f := float32(x); float64(f) == x && f > 0 {
			if k := device.TrigQuadrantf(f); int64(k&3) != quadrant {
				t.Errorf("TrigQuadrantf(%g) is %d, want %d", f, k&3, quadrant)
			}
			if got := float64(device.TrigReductionf(f)); math.Abs(got-want) > 0x1p-23*math.Abs(want) {
				t.Errorf("TrigReductionf(%g) is %g, want %g", f, got, want)
			}
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if r := device.TrigReduction(x); r == r || device.TrigQuadrant(x) != 0 {
			t.Errorf("TrigReduction(%g) = %g", x, r)
		}
		if r := device.TrigReductionf(float32(x)); r == r {
			t.Errorf("TrigReductionf(%g) = %g", x, r)
		}
	}
}
