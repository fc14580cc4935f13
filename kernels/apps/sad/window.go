package sad

import "github.com/gocuda/gocuda/gocuda"

// The search with the reference's pixels in shared memory. In the window of a macroblock, of 48 by
// 48 pixels, pixel (i, j) of the macroblock meets pixel (i+dx, j+dy) at offset (dx, dy), counted
// from the corner. The offsets are numbered row by row, 33 a row, so that neighbours by number are
// not always neighbours in the window. From the window stripes are cut, one for each i, which are
// 33 pixels wide. In stripe i the pixel that (i, j) meets at offset p is number 33j + p. Four
// stripes are there at a time, those of one column of 4x4 blocks.

const (
	windowX, windowY = 64, 4        // threads of a block
	windowSide       = 16 + 2*Range // pixels that a macroblock can meet, along x and along y
	stripe           = windowSide * Side
)

// window computes the sums of one macroblock, a block of threads each. A thread has every 256th offset.
//
//gocuda:kernel
func window(t *gocuda.Thread, w, h, first int, cur, ref []uint8, sads []uint16) {
	own := gocuda.Shared[uint8](t, 16*16)
	win := gocuda.Shared[uint8](t, windowSide*windowSide)
	stripes := gocuda.Shared[uint8](t, 4*stripe)
	tx, ty, rank := t.ThreadIdx.X, t.ThreadIdx.Y, t.Rank()
	x0, y0 := 16*t.BlockIdx.X, 16*(first+t.BlockIdx.Y)
	out := (t.BlockIdx.Y*t.GridDim.X + t.BlockIdx.X) * BlockCount * Offsets
	own[rank] = cur[min(y0+rank>>4, h-1)*w+min(x0+rank&15, w-1)]
	for j := 0; j < windowSide; j += windowY {
		if tx < windowSide {
			x, y := x0-Range+tx, y0-Range+j+ty
			win[(j+ty)*windowSide+tx] = ref[min(max(y, 0), h-1)*w+min(max(x, 0), w-1)]
		}
	}
	t.SyncThreads()    // the window is there
	for c := range 4 { // columns of 4x4 blocks
		for i := range 4 {
			for j := 0; j < windowSide; j += windowY {
				if tx < Side {
					stripes[i*stripe+(j+ty)*Side+tx] = win[(j+ty)*windowSide+4*c+i+tx]
				}
			}
		}
		t.SyncThreads() // the stripes are there
		for p := rank; p < Offsets; p += windowX * windowY {
			for r := range 4 { // rows of 4x4 blocks
				var sum int32
				for j := range 4 {
					for i := range 4 {
						sum += differ(own[(4*r+j)*16+4*c+i], stripes[i*stripe+(4*r+j)*Side+p])
					}
				}
				sads[out+(4*r+c)*Offsets+p] = uint16(sum)
			}
		}
		t.SyncThreads() // and used
	}
	for p := rank; p < Offsets; p += windowX * windowY {
		larger(sads, out+p)
	}
}

// differ returns |a - b|.
func differ(a, b uint8) int32 {
	d := int32(a) - int32(b)
	return max(d, -d)
}
