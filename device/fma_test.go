package device_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// exactFma is x*y + z by big numbers, rounded once.
func exactFma(x, y, z float32) float32 {
	p := new(big.Float).SetPrec(2000).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
	p.Add(p, big.NewFloat(float64(z)))
	f, _ := p.Float32() // to nearest even, with subnormals and overflow
	return f
}

func TestFmaf(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct{ x, y, z, want float32 }{
		{1, 2, 3, 5},
		{inf, 0, 1, nan},
		{inf, 1, -inf, nan},
		{inf, -1, 3, -inf},
		{2, 3, inf, inf},
		{nan, 1, 1, nan},
		{1, 1, nan, nan},
		{math.MaxFloat32, 2, -math.MaxFloat32, math.MaxFloat32},   // the product alone overflows
		{math.MaxFloat32, math.MaxFloat32, 0, inf},                // the result does
		{1 + 0x1p-23, 1 + 0x1p-23, -(1 + 0x1p-22), 0x1p-46},       // rounded twice it would be 0
		{0x1p-75, 0x1p-75, 0, 0},                                  // half of the least subnormal, to even
		{0x1p-75, 0x1.000002p-75, 0, math.SmallestNonzeroFloat32}, // just above it
	} {
		got := device.Fmaf(c.x, c.y, c.z)
		if got != c.want && !(got != got && c.want != c.want) {
			t.Errorf("Fmaf(%g, %g, %g) = %g, want %g", c.x, c.y, c.z, got, c.want)
		}
	}
	if got := device.Fmaf(-1, 0, 0); math.Signbit(float64(got)) {
		t.Error("-0 + 0 is +0")
	}
	if got := device.Fmaf(-1, 0, float32(math.Copysign(0, -1))); !math.Signbit(float64(got)) {
		t.Error("-0 + -0 is -0")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300000 {
		x, y, z := math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
		if r.IntN(2) == 0 { // near cancellation, or near half of the last place of the product
			z = -x * y * float32(math.Ldexp(1+r.Float64(), r.IntN(60)-30))
		}
		if x-x != 0 || y-y != 0 || z-z != 0 || x == 0 || y == 0 || z == 0 {
			continue
		}
		want := exactFma(x, y, z)
		if got := device.Fmaf(x, y, z); got != want {
			t.Fatalf("Fmaf(%x, %x, %x) = %x, want %x", x, y, z, got, want)
		}
	}
}
