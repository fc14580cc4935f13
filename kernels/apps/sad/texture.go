package sad

import (
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// The paper's port: the reference frame is a texture, whose unit does what a program would have to
// do at the border, and whose cache is made for neighbours in two dimensions. A thread has an
// offset, and its 16 sums of 4x4 pixels; the loops over the pixels of a block are unrolled, as
// there. A second kernel adds up the larger blocks.

const textureX, textureY = Side, 11 // threads of a block, for a third of the offsets at a time

// texture computes the 4x4 sums of a macroblock. Texel (x, y) is at x+0.5, y+0.5.
//
//gocuda:kernel
func texture(t *gocuda.Thread, w, h, first int, cur []uint8, ref *mem.Texture[uint8], sads []uint16) {
	own := gocuda.Shared[uint8](t, 16*16)
	x0, y0 := 16*t.BlockIdx.X, 16*(first+t.BlockIdx.Y)
	if i := t.Rank(); i < 16*16 {
		own[i] = cur[min(y0+i>>4, h-1)*w+min(x0+i&15, w-1)]
	}
	t.SyncThreads()
	out := (t.BlockIdx.Y*t.GridDim.X + t.BlockIdx.X) * BlockCount * Offsets
	for p := t.Rank(); p < Offsets; p += textureX * textureY {
		dx, dy := p%Side-Range, p/Side-Range
		for b := range 16 {
			x, y := 4*(b&3), 4*(b>>2)
			u, v := float32(x0+x+dx)+0.5, float32(y0+y+dy)+0.5
			var sum int32
			for j := range 4 {
				at := (y+j)*16 + x
				sum += differ(own[at], mem.Tex2D(ref, u, v+float32(j)))
				sum += differ(own[at+1], mem.Tex2D(ref, u+1, v+float32(j)))
				sum += differ(own[at+2], mem.Tex2D(ref, u+2, v+float32(j)))
				sum += differ(own[at+3], mem.Tex2D(ref, u+3, v+float32(j)))
			}
			sads[out+b*Offsets+p] = uint16(sum)
		}
	}
}

// add adds up the sums of the larger blocks, for an offset a thread. Those of a macroblock are one
// row of blocks.
//
//gocuda:kernel
func add(t *gocuda.Thread, sads []uint16) {
	if p := t.GlobalX(); p < Offsets {
		larger(sads, t.BlockIdx.Y*BlockCount*Offsets+p)
	}
}

const textureAlign = 32 // bytes: rows of a texture begin a multiple of so many apart

// newTexture makes a texture of a frame.
func newTexture(w, h int, frame []uint8) (*mem.Texture[uint8], error) {
	pitch := (w + textureAlign - 1) / textureAlign * textureAlign
	rows := make([]uint8, pitch*h)
	for y := range h {
		copy(rows[y*pitch:], frame[y*w:(y+1)*w])
	}
	return mem.NewTexture[uint8](mem.Pitch2D[uint8]{Data: rows, Width: w, Height: h, Pitch: pitch}, mem.TextureDesc{
		AddressMode: [3]mem.AddressMode{mem.AddressClamp, mem.AddressClamp},
	})
}
