//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Pixels of four bytes, pairs of bytes and of int16: kernels that read or store all channels of a
// pixel, some of them in place, or in slices that overlap.

type pxPixel struct{ r, g, b, a uint8 }

// One picture over another, with straight alpha.
//
//gocuda:kernel
func pxOver(t *gocuda.Thread, w, h int, a, b, out []uint8, pairs, sums []int16, pixels []pxPixel) {
	i := t.GlobalX()
	if i >= w*h {
		return
	}
	alpha := uint32(a[4*i+3])
	for c := 0; c < 3; c++ {
		out[4*i+c] = uint8((uint32(a[4*i+c])*alpha + uint32(b[4*i+c])*(255-alpha) + 127) / 255)
	}
	out[4*i+3] = uint8(alpha + uint32(b[4*i+3])*(255-alpha)/255)
}

func pxOverSerial(w, h int, a, b, out []uint8, pairs, sums []int16, pixels []pxPixel) {
	for i := range w * h {
		p, q := a[4*i:4*i+4], b[4*i:4*i+4]
		alpha := int(p[3])
		for c := range 3 {
			out[4*i+c] = uint8((int(p[c])*alpha + int(q[c])*(255-alpha) + 127) / 255)
		}
		out[4*i+3] = uint8(alpha + int(q[3])*(255-alpha)/255)
	}
}

// Channels multiplied by alpha, in place: each is read after the one before has been stored.
//
//gocuda:kernel
func pxPremultiply(t *gocuda.Thread, w, h int, a, b, out []uint8, pairs, sums []int16, pixels []pxPixel) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	at := (y*w + x) * 4
	a[at] = uint8(int(a[at]) * int(a[at+3]) / 255)
	a[at+1] = uint8(int(a[at+1]) * int(a[at+3]) / 255)
	a[at+2] = uint8(int(a[at+2]) * int(a[at+3]) / 255)
	a[at+3] = 255 - a[at+3]
	p := pixels[y*w+x]
	pixels[y*w+x] = pxPixel{p.b, p.g, p.r, p.a}
}

func pxPremultiplySerial(w, h int, a, b, out []uint8, pairs, sums []int16, pixels []pxPixel) {
	for i := range w * h {
		p := a[4*i : 4*i+4]
		for c := range 3 {
			p[c] = uint8(uint32(p[c]) * uint32(p[3]) / 255)
		}
		p[3] = ^p[3]
		pixels[i].r, pixels[i].b = pixels[i].b, pixels[i].r
	}
}

// A step of a number that is stored to the next one, where it is read: what one thread does must
// not be changed.
//
//gocuda:kernel
func pxChained(t *gocuda.Thread, w, h int, a, b, out []uint8, pairs, sums []int16, pixels []pxPixel) {
	i := t.GlobalX()
	if i >= w*h {
		return
	}
	a[4*i+1] = a[4*i] + 3
	a[4*i+2] = a[4*i+1]*5 + a[4*i+3]
	a[4*i+3] = a[4*i+2] ^ a[4*i]
	a[4*i] = a[4*i+3] + a[4*i+1]
}

func pxChainedSerial(w, h int, a, b, out []uint8, pairs, sums []int16, pixels []pxPixel) {
	for i := range w * h {
		first := a[4*i]
		second := first + 3
		third := second*5 + a[4*i+3]
		fourth := third ^ first
		a[4*i], a[4*i+1], a[4*i+2], a[4*i+3] = fourth+second, second, third, fourth
	}
}

// Products of complex numbers in pairs of int16, and their sum over a window of a row, which moves
// the pointers of a loop.
//
//gocuda:kernel
func pxPairs(t *gocuda.Thread, w, h int, a, b, out []uint8, pairs, sums []int16, pixels []pxPixel) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	re, im := int32(0), int32(0)
	for k := 0; k < h; k++ {
		u, v := int32(pairs[2*(k*w+x)]), int32(pairs[2*(k*w+x)+1])
		re += u*u - v*v
		im += 2 * u * v
	}
	sums[2*(y*w+x)] = int16(re >> 4)
	sums[2*(y*w+x)+1] = int16(im>>4) ^ int16(y)
	out[2*(y*w+x)], out[2*(y*w+x)+1] = a[2*(y*w+x)+1], a[2*(y*w+x)]
}

// Of some threads alone, by what their pixel has; and of every pixel the colour that is the largest.
//
//gocuda:kernel
func pxSome(t *gocuda.Thread, w, h int, a, b, out []uint8, pairs, sums []int16, pixels []pxPixel) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := 4 * (y*w + x)
	if a[i+3] > 100 {
		r, g, bl := int(a[i]), int(a[i+1]), int(a[i+2])
		gray := (r*77 + g*150 + bl*29) >> 8
		out[i], out[i+1], out[i+2], out[i+3] = uint8(gray), uint8(255-gray), uint8(max(r, g, bl)), uint8(r^g^bl)
	} else if b[i] < b[i+3] {
		out[i], out[i+3] = b[i+3], b[i]
	}
	p := &pixels[y*w+x]
	if p.a > 128 {
		p.r, p.g, p.b, p.a = p.g+p.a, p.b^p.r, p.r-p.g, 7
	}
}

func pxCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, w, h int, a, b, out []uint8, pairs, sums []int16, pixels []pxPixel)
	for _, k := range []struct {
		name     string
		source   kernel
		compiled func(w, h int, a, b, out []uint8, pairs, sums []int16, pixels []pxPixel) gocuda.Kernel
		serial   func(w, h int, a, b, out []uint8, pairs, sums []int16, pixels []pxPixel)
		plane    bool
	}{
		{"pxOver", pxOver, pxOverKernel, pxOverSerial, false},
		{"pxPremultiply", pxPremultiply, pxPremultiplyKernel, pxPremultiplySerial, true},
		{"pxChained", pxChained, pxChainedKernel, pxChainedSerial, false},
		{"pxPairs", pxPairs, pxPairsKernel, nil, true},
		{"pxSome", pxSome, pxSomeKernel, nil, true},
	} {
		for _, s := range []struct{ w, h int }{{64, 9}, {37, 5}, {100, 3}, {1, 1}, {129, 2}} {
			for _, shared := range []string{"apart", "the same", "one on"} {
				if shared == "the same" && k.name == "pxPairs" || shared == "one on" && (k.name != "pxOver" || s.w*s.h > 1) {
					continue // threads would race
				}
				cfg := grid.Linear(s.w*s.h, 64)
				if k.plane {
					cfg = grid.Rect(s.w, s.h, 32, 4)
				}
				cases = append(cases, Case{Name: fmt.Sprintf("%s of %d by %d, %s", k.name, s.w, s.h, shared), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
					made := func() (a, b, out []uint8, pairs, sums []int16, pixels []pxPixel) {
						n := s.w * s.h
						all := make([]uint8, 12*n+16)
						a, b, out = all[:4*n:4*n], all[4*n:8*n:8*n], all[8*n:]
						switch shared {
						case "the same":
							out = b
						case "one on": // what is stored for one channel is read for the next
							out = all[1 : 4*n+1]
						}
						pairs, sums, pixels = make([]int16, 2*n), make([]int16, 2*n), make([]pxPixel, n)
						for i := range all {
							all[i] = uint8(uint32(i+1) * 2654435761 >> 13)
						}
						for i := range pairs {
							pairs[i] = int16(i*i%1009 - 500)
						}
						for i := range pixels {
							pixels[i] = pxPixel{uint8(i), uint8(i * 3), uint8(i * 5), uint8(i * 71)}
						}
						return
					}
					a, b, out, pairs, sums, pixels := made()
					instance := Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.w, s.h, a, b, out, pairs, sums, pixels) }),
						Compiled: k.compiled(s.w, s.h, a, b, out, pairs, sums, pixels),
						Outputs:  []any{a, b, out, pairs, sums, pixels},
					}
					if k.serial != nil {
						instance.Want = func() []any {
							a, b, out, pairs, sums, pixels := made()
							k.serial(s.w, s.h, a, b, out, pairs, sums, pixels)
							return []any{a, b, out, pairs, sums, pixels}
						}
					}
					return instance
				}})
			}
		}
	}
	return cases
}
