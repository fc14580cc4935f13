package halves_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/halves"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// corners are the floats around everything that a half can be and around the middles between
// neighbours, and random ones.
func corners() []float32 {
	var v []float32
	around := func(x float64) {
		b := math.Float32bits(float32(x))
		for d := uint32(0); d < 5; d++ {
			v = append(v, math.Float32frombits(b+d-2), -math.Float32frombits(b+d-2))
		}
	}
	for h := range 0x7c00 {
		x, next := float64(device.Half2Float(device.Half(h))), float64(device.Half2Float(device.Half(h+1)))
		around(x)
		if h == 0x7bff {
			next = 65536
		}
		around((x + next) / 2)
	}
	r := rand.New(rand.NewPCG(8, 3))
	for range 50000 {
		v = append(v, math.Float32frombits(r.Uint32()))
	}
	return append(v, 0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()))
}

// By bits, by arithmetic and as package device does it: three ways, the same halves.
func TestConvert(t *testing.T) {
	in := corners()
	for _, dev := range kerneltest.Devices(t) {
		in := in
		if dev.Slow {
			in = in[len(in)-2000:]
		}
		got, want := make([]uint16, len(in)), make([]uint16, len(in))
		require.NoError(t, halves.Convert(t.Context(), dev, got, in))
		serial.Halves(want, in)
		slicetest.Equal(t, want, got, dev.Name)
		slicetest.Each(t, func(i int) uint16 { return uint16(device.Float2HalfRN(in[i])) }, got, dev.Name)
	}
}

// The ends of the cases are where they are said to be: a float further, and there is another one.
func TestCases(t *testing.T) {
	convert := func(bits uint32) uint16 {
		out := make([]uint16, 1)
		serial.Halves(out, []float32{math.Float32frombits(bits)})
		return out[0]
	}
	assert.Equal(t, uint32(0x33000000), halves.ToZero)
	assert.Equal(t, uint32(0x38800000), halves.ToNormal)
	assert.Equal(t, float32(65520), math.Float32frombits(halves.ToInfinity))
	assert.Equal(t, []uint16{0, 1}, []uint16{convert(halves.ToZero), convert(halves.ToZero + 1)})
	assert.Equal(t, []uint16{0x0400, 0x0400}, []uint16{convert(halves.ToNormal - 1), convert(halves.ToNormal)})
	assert.Equal(t, []uint16{0x7bff, 0x7c00}, []uint16{convert(halves.ToInfinity - 1), convert(halves.ToInfinity)})
	for bits, want := range map[uint32]halves.Case{
		0: halves.Zero, halves.ToZero: halves.Zero, halves.ToZero + 1: halves.Denormal, halves.ToNormal - 1: halves.Denormal,
		halves.ToNormal: halves.Normal, halves.ToInfinity - 1: halves.Normal, halves.ToInfinity: halves.Infinite,
		0xff800000: halves.Infinite, 0x7f800001: halves.NaN, 0xffffffff: halves.NaN,
	} {
		assert.Equal(t, want, halves.CaseOf(bits), "%08x", bits)
	}
}

func TestConvertRefusesBadArguments(t *testing.T) {
	assert.ErrorIs(t, halves.Convert(t.Context(), gocuda.Default(), make([]uint16, 1), nil), gocuda.ErrInvalidValue)
	assert.NoError(t, halves.Convert(t.Context(), gocuda.Default(), nil, nil))
}
