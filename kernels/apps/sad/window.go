package sad

import "github.com/gocuda/gocuda/gocuda"

// The search with the reference's pixels in shared memory. In the window of a macroblock pixel (i, j) of it meets, at
// offset (dx, dy), pixel (i+dx, j+dy), and the offsets are numbered row by row, 33 a row, while the window is 48 pixels
// wide: neighbours by number are not always neighbours in the window. So the window is cut into stripes, one for each
// i, which are 33 pixels wide. In stripe i the pixel that (i, j) meets at offset p is number 33j + p. Four stripes
// are there at a time, those of one column of 4x4 blocks.

const (
	windowX, windowY = 64, 4 // threads of a block
	windowRows       = 48    // of pixels that a macroblock can meet
	stripe           = windowRows * Side
)

// window computes the sums of one macroblock, a block of threads each. A thread has every 256th offset.
//
//gocuda:kernel
func window(t *gocuda.Thread, w, h, first int, cur, ref []uint8, sads []uint16) {
	own := gocuda.Shared[uint8](t, 16*16)
	win := gocuda.Shared[uint8](t, 4*stripe)
	tx, ty, rank := t.ThreadIdx.X, t.ThreadIdx.Y, t.Rank()
	x0, y0 := 16*t.BlockIdx.X, 16*(first+t.BlockIdx.Y)
	out := (t.BlockIdx.Y*t.GridDim.X + t.BlockIdx.X) * BlockCount * Offsets
	own[rank] = cur[min(y0+rank>>4, h-1)*w+min(x0+rank&15, w-1)]
	for c := range 4 { // columns of 4x4 blocks
		for i := range 4 {
			for j := ty; j < windowRows; j += windowY {
				if tx < Side {
					x, y := x0+4*c+i-Range+tx, y0-Range+j
					win[i*stripe+j*Side+tx] = ref[min(max(y, 0), h-1)*w+min(max(x, 0), w-1)]
				}
			}
		}
		t.SyncThreads() // the window is there
		for p := rank; p < Offsets; p += windowX * windowY {
			for r := range 4 { // rows of 4x4 blocks
				var sum uint16
				for j := range 4 {
					for i := range 4 {
						a, b := own[(4*r+j)*16+4*c+i], win[i*stripe+(4*r+j)*Side+p]
						sum += differ(a, b)
					}
				}
				sads[out+(4*r+c)*Offsets+p] = sum
			}
		}
		t.SyncThreads() // and used
	}
	for p := rank; p < Offsets; p += windowX * windowY {
		larger(sads, out+p)
	}
}
