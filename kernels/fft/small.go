package fft

import "github.com/gocuda/gocuda/gocuda"

// Transforms of up to 64 points: many in one tile. A row of the tile is 64 numbers that are
// neighbours in memory, one transform or several. Transposed, it is a column, ready to be
// transformed; the result is transposed back. All is done between one read of global memory and one
// write, which is what shared memory is for.

// small is the program of a thread. Blocks transform 1024 neighbouring numbers each, fewer at the end.
//
//gocuda:kernel fastmath
func small(t *gocuda.Thread, lgN, lgRadix uint, total int, scale float32, pairs bool,
	wr, wi, inRe, inIm, outRe, outIm []float32) {
	re := gocuda.Shared[float32](t, 2*tile)
	im := gocuda.Shared[float32](t, 2*tile)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	first := tileIndex(t) * tile
	if pairs {
		for j := 0; j < points; j += rows {
			i := (j+ty)*lanes + tx
			if first+i < total {
				re[i], im[i] = inRe[2*(first+i)], inIm[2*(first+i)]
			}
		}
	} else {
		for j := 0; j < points; j += rows {
			i := (j+ty)*lanes + tx
			if first+i < total {
				re[i], im[i] = inRe[first+i], inIm[first+i]
			}
		}
	}
	t.SyncThreads()
	upright(t, 0, tile, re)
	upright(t, 0, tile, im)
	t.SyncThreads()
	from := columns(t, lgN, lgRadix, 0, tile, wr, wi, re, im)
	to := from ^ tile
	lengthwise(t, from, to, re)
	lengthwise(t, from, to, im)
	t.SyncThreads()
	if pairs {
		for j := 0; j < points; j += rows {
			i := (j+ty)*lanes + tx
			if first+i < total {
				outRe[2*(first+i)], outIm[2*(first+i)] = scale*re[to+i], scale*im[to+i]
			}
		}
	} else {
		for j := 0; j < points; j += rows {
			i := (j+ty)*lanes + tx
			if first+i < total {
				outRe[first+i], outIm[first+i] = scale*re[to+i], scale*im[to+i]
			}
		}
	}
}
