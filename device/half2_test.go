package device_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gocuda/gocuda/device"
)

type h2 = device.Half2

func TestHalf2Lanes(t *testing.T) {
	one, two := device.Float2Half(1), device.Float2Half(2)
	a, b := device.Floats2Half2RN(1, 2), h2{X: 3, Y: 4}
	for i, c := range []struct{ got, want h2 }{
		{a, h2{X: 0x3c00, Y: 0x4000}},
		{device.Float2Half2RN(2), h2{X: two, Y: two}},
		{device.MakeHalf2(one, two), a},
		{device.Halves2Half2(one, two), a},
		{device.Half2Half2(two), h2{X: two, Y: two}},
		{device.Low2Half2(a), h2{X: one, Y: one}},
		{device.High2Half2(a), h2{X: two, Y: two}},
		{device.Lows2Half2(a, b), h2{X: one, Y: 3}},
		{device.Highs2Half2(a, b), h2{X: two, Y: 4}},
		{device.LowHigh2HighLow(a), h2{X: two, Y: one}},
		{h2{X: device.Low2Half(a), Y: device.High2Half(a)}, a},
		{device.Floats2Half2RN(device.Low2Float(a), device.High2Float(a)), a},
		{device.Float22Half2RN(device.Float2{X: 1, Y: 2}), a},
		{device.Float22Half2RN(device.Half22Float2(b)), b},
	} {
		if c.got != c.want {
			t.Errorf("case %d: %v, want %v", i, c.got, c.want)
		}
	}
}

// Pairs must do what the functions for one Half do, which have their own tests, and keep the halves
// apart.
func TestHalf2Arithmetic(t *testing.T) {
	type h = device.Half
	one := []struct {
		name string
		pair func(a h2) h2
		half func(a h) h
	}{
		{"Hneg2", device.Hneg2, device.Hneg}, {"Habs2", device.Habs2, device.Habs},
		{"H2sqrt", device.H2sqrt, device.Hsqrt}, {"H2rsqrt", device.H2rsqrt, device.Hrsqrt},
		{"H2rcp", device.H2rcp, device.Hrcp},
		{"H2exp", device.H2exp, device.Hexp}, {"H2exp2", device.H2exp2, device.Hexp2},
		{"H2exp10", device.H2exp10, device.Hexp10},
		{"H2log", device.H2log, device.Hlog}, {"H2log2", device.H2log2, device.Hlog2},
		{"H2log10", device.H2log10, device.Hlog10},
		{"H2sin", device.H2sin, device.Hsin}, {"H2cos", device.H2cos, device.Hcos},
		{"H2tanh", device.H2tanh, device.Htanh},
		{"H2ceil", device.H2ceil, device.Hceil}, {"H2floor", device.H2floor, device.Hfloor},
		{"H2trunc", device.H2trunc, device.Htrunc}, {"H2rint", device.H2rint, device.Hrint},
	}
	two := []struct {
		name string
		pair func(a, b h2) h2
		half func(a, b h) h
	}{
		{"Hadd2", device.Hadd2, device.Hadd}, {"Hsub2", device.Hsub2, device.Hsub},
		{"Hmul2", device.Hmul2, device.Hmul},
		{"H2div", device.H2div, device.Hdiv}, {"Hadd2RN", device.Hadd2RN, device.Hadd},
		{"Hsub2RN", device.Hsub2RN, device.Hsub},
		{"Hmul2RN", device.Hmul2RN, device.Hmul}, {"Hadd2Sat", device.Hadd2Sat, device.HaddSat},
		{"Hsub2Sat", device.Hsub2Sat, device.HsubSat}, {"Hmul2Sat", device.Hmul2Sat, device.HmulSat},
		{"Hmax2", device.Hmax2, device.Hmax}, {"Hmin2", device.Hmin2, device.Hmin},
		{"Hmax2NaN", device.Hmax2NaN, device.HmaxNaN}, {"Hmin2NaN", device.Hmin2NaN, device.HminNaN},
	}
	three := []struct {
		name string
		pair func(a, b, c h2) h2
		half func(a, b, c h) h
	}{
		{"Hfma2", device.Hfma2, device.Hfma}, {"Hfma2Sat", device.Hfma2Sat, device.HfmaSat},
		{"Hfma2Relu", device.Hfma2Relu, device.HfmaRelu},
	}
	r := rand.New(rand.NewPCG(13, 14))
	random := func() h { return h(r.Uint32N(0x8400)) ^ h(r.Uint32N(2))<<15 }
	for range 3000 {
		a, b, c := h2{X: random(), Y: random()}, h2{X: random(), Y: random()}, h2{X: random(), Y: random()}
		for _, f := range one {
			if got, want := f.pair(a), (h2{X: f.half(a.X), Y: f.half(a.Y)}); got != want {
				t.Fatalf("%s(%#04x) = %#04x, want %#04x", f.name, a, got, want)
			}
		}
		for _, f := range two {
			if got, want := f.pair(a, b), (h2{X: f.half(a.X, b.X), Y: f.half(a.Y, b.Y)}); got != want {
				t.Fatalf("%s(%#04x, %#04x) = %#04x, want %#04x", f.name, a, b, got, want)
			}
		}
		for _, f := range three {
			if got, want := f.pair(a, b, c), (h2{X: f.half(a.X, b.X, c.X), Y: f.half(a.Y, b.Y, c.Y)}); got != want {
				t.Fatalf("%s(%#04x, %#04x, %#04x) = %#04x, want %#04x", f.name, a, b, c, got, want)
			}
		}
	}
}

// The CUDA Math API defines __hcmadd by its roundings.
func TestHcmadd(t *testing.T) {
	f := device.Float2Half
	// (1+2i)(3+4i) + (5+6i) = 0 + 16i
	if got, want := device.Hcmadd(h2{X: f(1), Y: f(2)}, h2{X: f(3), Y: f(4)}, h2{X: f(5), Y: f(6)}),
		(h2{X: f(0), Y: f(16)}); got != want {
		t.Errorf("%#04x, want %#04x", got, want)
	}
	// Each step rounds: 2048 + 1*1 is 2048 by the tie, and again with -(-1)*1. Rounded once it
	// would be 2050.
	if got, want := device.Hcmadd(h2{X: f(1), Y: f(-1)}, h2{X: f(1), Y: f(1)}, h2{X: f(2048), Y: f(0)}),
		(h2{X: f(2048), Y: f(0)}); got != want {
		t.Errorf("%#04x, want %#04x", got, want)
	}
	// The order shows: 65504 + 65504*1 overflows before 65504*1 is taken off.
	if got := device.Hcmadd(h2{X: f(65504), Y: f(65504)}, h2{X: f(1), Y: f(1)},
		h2{X: f(65504), Y: f(0)}); got.X != device.HalfInf {
		t.Errorf("%#04x, want infinity", got.X)
	}
}

func TestHalf2Compare(t *testing.T) {
	type h = device.Half
	values := []h{0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7bff, 1, 0x7fff, 0xfe00}
	for _, f := range []struct {
		name  string
		holds func(a, b h) bool
		ones  func(a, b h2) h2
		mask  func(a, b h2) uint32
		both  func(a, b h2) bool
	}{
		{"Heq2", device.Heq, device.Heq2, device.Heq2Mask, device.Hbeq2},
		{"Hequ2", device.Hequ, device.Hequ2, device.Hequ2Mask, device.Hbequ2},
		{"Hne2", device.Hne, device.Hne2, device.Hne2Mask, device.Hbne2},
		{"Hneu2", device.Hneu, device.Hneu2, device.Hneu2Mask, device.Hbneu2},
		{"Hlt2", device.Hlt, device.Hlt2, device.Hlt2Mask, device.Hblt2},
		{"Hltu2", device.Hltu, device.Hltu2, device.Hltu2Mask, device.Hbltu2},
		{"Hle2", device.Hle, device.Hle2, device.Hle2Mask, device.Hble2},
		{"Hleu2", device.Hleu, device.Hleu2, device.Hleu2Mask, device.Hbleu2},
		{"Hgt2", device.Hgt, device.Hgt2, device.Hgt2Mask, device.Hbgt2},
		{"Hgtu2", device.Hgtu, device.Hgtu2, device.Hgtu2Mask, device.Hbgtu2},
		{"Hge2", device.Hge, device.Hge2, device.Hge2Mask, device.Hbge2},
		{"Hgeu2", device.Hgeu, device.Hgeu2, device.Hgeu2Mask, device.Hbgeu2},
	} {
		for _, ax := range values {
			for _, ay := range values {
				for _, bx := range values {
					for _, by := range values {
						a, b := h2{X: ax, Y: ay}, h2{X: bx, Y: by}
						var ones h2
						var mask uint32
						x, y := f.holds(ax, bx), f.holds(ay, by)
						if x {
							ones.X, mask = 0x3c00, mask+0x0000ffff
						}
						if y {
							ones.Y, mask = 0x3c00, mask+0xffff0000
						}
						if f.ones(a, b) != ones || f.mask(a, b) != mask || f.both(a, b) != (x && y) {
							t.Errorf("%s(%#04x, %#04x): %#04x, %#08x, %v", f.name, a, b, f.ones(a, b),
								f.mask(a, b), f.both(a, b))
						}
					}
				}
			}
		}
	}
	if got, want := device.Hisnan2(h2{X: 0xfe00, Y: 0x7c00}), (h2{X: 0x3c00, Y: 0}); got != want {
		t.Errorf("Hisnan2: %#04x, want %#04x", got, want)
	}
	if got, want := device.Hisnan2(h2{X: 0, Y: 0x7c01}), (h2{X: 0, Y: 0x3c00}); got != want {
		t.Errorf("Hisnan2: %#04x, want %#04x", got, want)
	}
}
