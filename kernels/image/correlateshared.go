package image

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// The further steps of The CUDA Handbook, chapter 15: a block copies the part of the image that its
// positions need from the texture to shared memory (15.4). The size of that part depends on the
// template, so the launch says it. Then there are two optimisations: products of 24 bits where
// these are faster (15.5.1), and four pixels of the template a round (15.5.2).
//
// Blocks go on by the size of the grid, tile by tile.

// loadWindow copies the part of the image from (x0, y0) on to the tile. The texture clamps what
// lies beyond the image; no position that is in the result needs that.
func loadWindow(t *gocuda.Thread, tile []uint8, pitch, tw, th, x0, y0 int, image *mem.Texture[uint8]) {
	for j := t.ThreadIdx.Y; j < windowY+th-1; j += windowY {
		for i := t.ThreadIdx.X; i < windowX+tw-1; i += windowX {
			tile[j*pitch+i] = mem.Tex2D(image, float32(x0+i)+0.5, float32(y0+j)+0.5)
		}
	}
}

// correlateShared is the program of one thread: the same position in each tile of its block.
//
//gocuda:kernel
func correlateShared(t *gocuda.Thread, tw, th, across, down int, totals []int64, out []float32, image *mem.Texture[uint8], template mem.ReadOnly[uint8]) {
	tile := gocuda.DynamicShared[uint8](t)
	pitch := windowPitch(tw)
	tilesAcross := (across + windowX - 1) / windowX
	for b := t.BlockIdx.X; b < tilesAcross*((down+windowY-1)/windowY); b += t.GridDim.X {
		x0, y0 := b%tilesAcross*windowX, b/tilesAcross*windowY
		loadWindow(t, tile, pitch, tw, th, x0, y0, image)
		t.SyncThreads() // the tile is loaded
		x, y := x0+t.ThreadIdx.X, y0+t.ThreadIdx.Y
		if x < across && y < down {
			var i, ii, it uint32
			for j := range th {
				at := (t.ThreadIdx.Y+j)*pitch + t.ThreadIdx.X
				for k := range tw {
					v := uint32(tile[at+k])
					i += v
					ii += v * v
					it += v * uint32(template.At(j*tw+k))
				}
			}
			out[y*across+x] = coefficient(int64(tw*th), int64(i), int64(ii), int64(it), totals[0], totals[1])
		}
		t.SyncThreads() // and used
	}
}

// correlateShared24 is correlateShared with products of 24 bits. Pixels have 8, so the products are
// the same.
//
//gocuda:kernel
func correlateShared24(t *gocuda.Thread, tw, th, across, down int, totals []int64, out []float32, image *mem.Texture[uint8], template mem.ReadOnly[uint8]) {
	tile := gocuda.DynamicShared[uint8](t)
	pitch := windowPitch(tw)
	tilesAcross := (across + windowX - 1) / windowX
	for b := t.BlockIdx.X; b < tilesAcross*((down+windowY-1)/windowY); b += t.GridDim.X {
		x0, y0 := b%tilesAcross*windowX, b/tilesAcross*windowY
		loadWindow(t, tile, pitch, tw, th, x0, y0, image)
		t.SyncThreads()
		x, y := x0+t.ThreadIdx.X, y0+t.ThreadIdx.Y
		if x < across && y < down {
			var i, ii, it uint32
			for j := range th {
				at := int(device.Mul24(int32(t.ThreadIdx.Y+j), int32(pitch))) + t.ThreadIdx.X
				for k := range tw {
					v := uint32(tile[at+k])
					i += v
					ii += device.Umul24(v, v)
					it += device.Umul24(v, uint32(template.At(j*tw+k)))
				}
			}
			out[y*across+x] = coefficient(int64(tw*th), int64(i), int64(ii), int64(it), totals[0], totals[1])
		}
		t.SyncThreads()
	}
}

// correlateUnrolled is correlateShared with four pixels of a row of the template a round, and the
// rest one by one.
//
//gocuda:kernel
func correlateUnrolled(t *gocuda.Thread, tw, th, across, down int, totals []int64, out []float32, image *mem.Texture[uint8], template mem.ReadOnly[uint8]) {
	tile := gocuda.DynamicShared[uint8](t)
	pitch := windowPitch(tw)
	tilesAcross := (across + windowX - 1) / windowX
	for b := t.BlockIdx.X; b < tilesAcross*((down+windowY-1)/windowY); b += t.GridDim.X {
		x0, y0 := b%tilesAcross*windowX, b/tilesAcross*windowY
		loadWindow(t, tile, pitch, tw, th, x0, y0, image)
		t.SyncThreads()
		x, y := x0+t.ThreadIdx.X, y0+t.ThreadIdx.Y
		if x < across && y < down {
			var i, ii, it uint32
			for j := range th {
				at := (t.ThreadIdx.Y+j)*pitch + t.ThreadIdx.X
				row := j * tw
				for range tw / 4 {
					a, b, c, d := uint32(tile[at]), uint32(tile[at+1]), uint32(tile[at+2]), uint32(tile[at+3])
					i += a + b + c + d
					ii += a*a + b*b + c*c + d*d
					it += a*uint32(template.At(row)) + b*uint32(template.At(row+1)) + c*uint32(template.At(row+2)) + d*uint32(template.At(row+3))
					at += 4
					row += 4
				}
				for k := range tw % 4 {
					v := uint32(tile[at+k])
					i += v
					ii += v * v
					it += v * uint32(template.At(row+k))
				}
			}
			out[y*across+x] = coefficient(int64(tw*th), int64(i), int64(ii), int64(it), totals[0], totals[1])
		}
		t.SyncThreads()
	}
}
