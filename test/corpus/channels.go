//go:build compiled

package corpus

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Channels of pixels: bytes and words at small distances, forwards and backwards, integers made of
// them, and elements that branches choose.

//gocuda:kernel
func chGray(t *gocuda.Thread, w, h, by int, in, out []byte, words []uint16, signed []int8, sums []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		i := y*w + x
		r, g, b := int(in[4*i]), int(in[4*i+1]), int(in[4*i+2])
		out[4*i] = byte((77*r + 150*g + 29*b) >> 8)
		out[4*i+1] = 255 - in[3*i+1]
		out[4*i+2], out[4*i+3] = in[2*i], in[2*i+1]
		sums[i] = int32(max(r, g, b)-min(r, g, b)) + int32(in[3*i]) - int32(in[3*i+2])
	}
}

//gocuda:kernel
func chFlip(t *gocuda.Thread, w, h, by int, in, out []byte, words []uint16, signed []int8, sums []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		for c := range 4 {
			out[(y*w+x)*4+c] = in[(y*w+w-1-x)*4+c]
		}
		n := w * h
		i := y*w + x
		sums[i] = int32(in[n-1-i]) + 256*int32(in[2*(n-1-i)]) + 65536*int32(in[3*(n-1-i)+1])
	}
}

//gocuda:kernel
func chWords(t *gocuda.Thread, w, h, by int, in, out []byte, words []uint16, signed []int8, sums []int32) {
	i := t.GlobalY()*w + t.GlobalX()
	if t.GlobalX() >= w || t.GlobalY() >= h {
		return
	}
	s := int32(words[2*i]) - int32(words[2*i+1])<<1 + int32(words[3*i])
	s += int32(int16(words[2*i+1])) + int32(signed[2*i])*3 - int32(signed[3*i+1])<<2 + int32(signed[4*i+3])
	s += int32(words[w*h-1-i]) ^ int32(signed[4*(w*h-1-i)])
	sums[i] = s
	words[4*w*h+2*i+1] = uint16(s)
	signed[4*w*h+3*i+2] = int8(s >> 3)
	signed[4*w*h+3*i] = int8(s)
}

// What is added is any integer: sums that could have more than 32 bits are not done in 32.
//
//gocuda:kernel
func chLimits(t *gocuda.Thread, w, h, by int, in, out []byte, words []uint16, signed []int8, sums []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	v := int(in[i]) + by
	if v < 0 {
		v = 0
	}
	if v > 255 {
		v = 255
	}
	out[i] = byte(v)
	d := int(signed[i])*by - int(in[i+1])
	if d < 0 {
		d = -d
	}
	e := int(in[i+2]) - int(in[i])
	if e < 0 {
		e = -e
	}
	sums[i] = int32(min(d+e, 1000)) + int32((e*e+by)>>4)
}

//gocuda:kernel
func chChoose(t *gocuda.Thread, w, h, by int, in, out []byte, words []uint16, signed []int8, sums []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	if in[i] > byte(by) {
		out[i] = 255
	} else {
		out[i] = 0
	}
	f := float32(in[i]) / float32(in[i+1]) // NaN and infinity, too
	if f > 2 {
		sums[i] = int32(in[i+2])
	} else if f > 1 {
		f *= 0.5
		sums[i] = int32(f * 100)
	} else if in[i]%2 == 0 {
		sums[i] = -1
		signed[4*w*h+i] = 5
	} else {
		sums[i] = -2
	}
	if x > 0 && x < w-1 {
		words[4*w*h+i] = words[i-1] + words[i+1]
	} else {
		words[4*w*h+i] = 7
	}
}

// chCases has images of several widths, and blocks of 16 by 16, of one row, and of few threads.
func chCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, w, h, by int, in, out []byte, words []uint16, signed []int8, sums []int32)
	type maker = func(w, h, by int, in, out []byte, words []uint16, signed []int8, sums []int32) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{
		{"chGray", chGray, chGrayKernel}, {"chFlip", chFlip, chFlipKernel}, {"chWords", chWords, chWordsKernel}, {"chLimits", chLimits, chLimitsKernel}, {"chChoose", chChoose, chChooseKernel},
	} {
		for _, s := range []struct{ w, h, bx, by, add int }{
			{200, 5, 256, 1, 50}, {64, 33, 16, 16, -70}, {37, 9, 32, 4, 1 << 30}, {17, 3, 8, 2, math.MinInt64}, {130, 2, 130, 1, 1<<31 - 100}, {1, 1, 1, 1, 0}, {48, 4, 48, 2, -1 << 26},
		} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.w + s.bx - 1) / s.bx, Y: (s.h + s.by - 1) / s.by}, Block: grid.Dim3{X: s.bx, Y: s.by}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d by %d, blocks of %d by %d, %d", k.name, s.w, s.h, s.bx, s.by, s.add), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				n := s.w * s.h
				in, out, words, signed, sums := make([]byte, 4*n), make([]byte, 4*n), make([]uint16, 8*n), make([]int8, 8*n), make([]int32, n)
				for i := range in {
					in[i], words[i], signed[i] = byte(i*i*7+i), uint16(i*40503), int8(i*91)
				}
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.w, s.h, s.add, in, out, words, signed, sums) }),
					Compiled: k.compiled(s.w, s.h, s.add, in, out, words, signed, sums),
					Outputs:  []any{out, words, signed, sums},
				}
			}})
		}
	}
	return cases
}
