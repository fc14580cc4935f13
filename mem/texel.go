package mem

import (
	"encoding/binary"
	"math"
	"sync"
	"unsafe"
)

// Texels as numbers: the conversions that a texture unit does on the way from memory to the filter.

// A format is what a texture makes of its texels.
type format uint8

const (
	formatInteger format = iota // results are integers, as they are
	formatFloat32
	formatHalf
	formatUnorm8  // u/255
	formatSnorm8  // max(i/127, -1)
	formatUnorm16 // u/65535
	formatSnorm16 // max(i/32767, -1)
	formatSRGB8   // three channels by the sRGB curve, the fourth u/255
)

func formatOf(c ChannelDesc, normalized, srgb bool) format {
	switch {
	case c.Kind == ChannelFloat && c.Bits == 32:
		return formatFloat32
	case c.Kind == ChannelFloat:
		return formatHalf
	case !normalized:
		return formatInteger
	case c.Kind == ChannelUnsigned && c.Bits == 8 && srgb:
		return formatSRGB8
	case c.Kind == ChannelUnsigned && c.Bits == 8:
		return formatUnorm8
	case c.Kind == ChannelUnsigned:
		return formatUnorm16
	case c.Bits == 8:
		return formatSnorm8
	}
	return formatSnorm16
}

// texel returns the texel at an index of an image as numbers, each a float32, or the border color
// for -1.
func (s *sampler) texel(m *image, at int) [4]float64 {
	zero := math.Copysign(0, -1)
	v := [4]float64{zero, zero, zero, zero}
	s.add(&v, m, at, 1)
	return v
}

// add adds the texel at an index of an image, or the border color for -1, to sum, times w.
func (s *sampler) add(sum *[4]float64, m *image, at int, w float64) {
	if at < 0 {
		for c := range s.channels {
			sum[c] += float64(w * s.border[c])
		}
		return
	}
	b := m.raw[at*m.size : (at+1)*m.size]
	n := s.channels
	switch s.format {
	case formatFloat32:
		for c := range min(n, 4) {
			sum[c] += float64(w * float64(math.Float32frombits(binary.NativeEndian.Uint32(b[4*c:]))))
		}
	case formatHalf:
		for c := range min(n, 4) {
			sum[c] += float64(w * float64(halfToFloat(binary.NativeEndian.Uint16(b[2*c:]))))
		}
	case formatUnorm16:
		for c := range min(n, 4) {
			sum[c] += float64(w * float64(float32(binary.NativeEndian.Uint16(b[2*c:]))/65535))
		}
	case formatSnorm16:
		for c := range min(n, 4) {
			sum[c] += float64(w * float64(max(float32(int16(binary.NativeEndian.Uint16(b[2*c:])))/32767, -1)))
		}
	default: // 8 bits
		color := s.color
		sum[0] += float64(w * float64(color[b[0]]))
		if n > 1 {
			sum[1] += float64(w * float64(color[b[1]]))
		}
		if n > 2 {
			sum[2] += float64(w * float64(color[b[2]]))
			sum[3] += float64(w * float64(s.alpha[b[3]]))
		}
	}
}

// halfToFloat is exact: every half is a float32.
func halfToFloat(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exp, frac := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exp {
	case 0: // a multiple of 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(frac)*0x1p-24))
	case 0x1f: // infinity, NaN
		return math.Float32frombits(sign | 0xff<<23 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// The values of 8 bits in each format, rounded to float32. The sRGB curve is that of IEC 61966-2-1.
var (
	unormTable = table8(func(b uint8) float32 { return float32(b) / 255 })
	snormTable = table8(func(b uint8) float32 { return max(float32(int8(b))/127, -1) })
	srgbTable  = table8(func(b uint8) float32 {
		c := float64(b) / 255
		if c <= 0.04045 {
			return float32(c / 12.92)
		}
		return float32(math.Pow((c+0.055)/1.055, 2.4))
	})
)

func table8(f func(uint8) float32) func() *[256]float32 {
	return sync.OnceValue(func() *[256]float32 {
		var t [256]float32
		for i := range t {
			t[i] = f(uint8(i))
		}
		return &t
	})
}

// result returns v as an R, which NewTexture has found to be 1, 2 or 4 float32.
func result[R any](v [4]float64) R {
	f := [4]float32{float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3])}
	return *(*R)(unsafe.Pointer(&f))
}

// rawTexel returns the texel at an index of an image as it is, or the border color for -1. R is as
// large as a texel.
func rawTexel[R any](s *sampler, m *image, at int) R {
	if at < 0 {
		b := s.rawBorder
		return *(*R)(unsafe.Pointer(&b))
	}
	return *(*R)(unsafe.Pointer(&m.raw[at*m.size : (at+1)*m.size][0]))
}
