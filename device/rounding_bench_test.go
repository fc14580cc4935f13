package device_test

import (
	"math"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// Each result is the next operand, so this is the time that one operation waits for another. Go's
// own stand beside them.
func BenchmarkRounded(b *testing.B) {
	for _, c := range []struct {
		name string
		f    func(x, y float32) float32
	}{
		{"plain", func(x, y float32) float32 { return float32(x*y) + y }},
		{"FaddRN", func(x, y float32) float32 { return device.FaddRN(device.FmulRN(x, y), y) }},
		{"FaddRU", func(x, y float32) float32 { return device.FaddRU(device.FmulRU(x, y), y) }},
		{"FmafRN", func(x, y float32) float32 { return device.FmafRN(x, y, y) }},
		{"FmafRZ", func(x, y float32) float32 { return device.FmafRZ(x, y, y) }},
		{"FdivRU", func(x, y float32) float32 { return device.FdivRU(y, 1+x) }},
		{"DmulRU", func(x, y float32) float32 { return float32(device.DmulRU(float64(x), float64(y))) + y }},
		{"FmaRU", func(x, y float32) float32 { return float32(device.FmaRU(float64(x), float64(y), float64(y))) }},
		{"Half", func(x, y float32) float32 {
			return device.Half2Float(device.Hfma(device.Float2Half(x), device.Float2Half(y), device.Float2Half(y)))
		}},
	} {
		b.Run("func="+c.name, func(b *testing.B) {
			x := float32(0)
			for b.Loop() {
				x = c.f(x, 0.3)
			}
			if x != x || math.Abs(float64(x)) > 1 {
				b.Error(x)
			}
		})
	}
}

func BenchmarkFloat2Half(b *testing.B) {
	in, out := make([]float32, 4096), make([]device.Half, 4096)
	for i := range in {
		in[i] = float32(i) / 100
	}
	b.SetBytes(4096 * 6)
	for b.Loop() {
		for i, x := range in {
			out[i] = device.Float2Half(x)
		}
	}
	if got := device.Half2Float(out[100]); got != 1 {
		b.Error(got)
	}
}
