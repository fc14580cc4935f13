package image

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// The first two steps of The CUDA Handbook, chapter 15: the image through a texture, whose cache is
// made for neighbours in two dimensions, and the template through another one (15.2), then in
// constant memory (15.3), which all threads of a warp read at the same place. Texel (x, y) is at
// x+0.5, y+0.5.

// correlateTextures is the program of one thread: a position of the template. Its sums have 64
// bits, for templates of any size.
//
//gocuda:kernel
func correlateTextures(t *gocuda.Thread, tw, th, across, down int, totals []int64, out []float32, image, template *mem.Texture[uint8]) {
	for y := t.GlobalY(); y < down; y += t.GridDim.Y * t.BlockDim.Y {
		for x := t.GlobalX(); x < across; x += t.GridDim.X * t.BlockDim.X {
			var i, ii, it int64
			for j := range th {
				for k := range tw {
					v := int64(mem.Tex2D(image, float32(x+k)+0.5, float32(y+j)+0.5))
					c := int64(mem.Tex2D(template, float32(k)+0.5, float32(j)+0.5))
					i += v
					ii += v * v
					it += v * c
				}
			}
			out[y*across+x] = coefficient(int64(tw*th), i, ii, it, totals[0], totals[1])
		}
	}
}

// correlateConstant is the same with the template in constant memory, which is too small for sums
// to need more than 32 bits.
//
//gocuda:kernel
func correlateConstant(t *gocuda.Thread, tw, across, down int, totals []int64, out []float32, image *mem.Texture[uint8], template mem.ReadOnly[uint8]) {
	th := template.Len() / tw
	for y := t.GlobalY(); y < down; y += t.GridDim.Y * t.BlockDim.Y {
		for x := t.GlobalX(); x < across; x += t.GridDim.X * t.BlockDim.X {
			var i, ii, it uint32
			for j := range th {
				for k := range tw {
					v := uint32(mem.Tex2D(image, float32(x+k)+0.5, float32(y+j)+0.5))
					i += v
					ii += v * v
					it += v * uint32(template.At(j*tw+k))
				}
			}
			out[y*across+x] = coefficient(int64(tw*th), int64(i), int64(ii), int64(it), totals[0], totals[1])
		}
	}
}
