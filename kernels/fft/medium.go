package fft

import "github.com/gocuda/gocuda/gocuda"

// Transforms of 128 to 1024 points: one tile holds one, or two to eight. These are the sizes that
// the GeForce 8800 could do in the shared memory of one block, and those that Volkov and Kazian
// (2008) tuned for it.
//
// A transform of n = 16m points is one of 16 points and one of m (the four-step algorithm: Bailey,
// FFTs in External or Hierarchical Memory, 1990; Gentleman and Sande, 1966). Written as a matrix of
// 16 rows and m columns,
//
//   - its columns are transformed, 16 points each;
//   - the number in row k and column j is multiplied by the n-th root of unity with number j*k;
//   - the matrix is transposed;
//   - its columns, the former rows, are transformed, m points each.
//
// The result is then in order, row by row. Numbers that are to be transformed are in a column each
// time, and what is a row has 16 numbers or more.

// medium is the program of a thread. Blocks transform 1024 neighbouring numbers each. In the tile
// the matrices of several transforms are side by side at first, and below each other once they have
// been transposed. twr and twi are the tile's twiddle factors between the two steps.
//
//gocuda:kernel fastmath
func medium(t *gocuda.Thread, lgN, lgRadix uint, total int, scale float32, pairs bool,
	wr, wi, twr, twi, inRe, inIm, outRe, outIm []float32) {
	re := gocuda.Shared[float32](t, 2*tile)
	im := gocuda.Shared[float32](t, 2*tile)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	first := tileIndex(t) * tile
	lgM := lgN - 4
	run := min(lanes, 1<<lgM) // neighbours in the tile that are neighbours in memory: with n = 128, only 8
	for j := 0; j < points; j += run {
		// Column j of the tile is a column of transform j/m.
		column := first + j>>lgM<<lgN + j&(1<<lgM-1)
		if column < total {
			if pairs {
				for k := 0; k < 16; k += rows {
					i := column + (k+ty)<<lgM + tx
					if tx < run {
						re[(k+ty)*points+j+tx], im[(k+ty)*points+j+tx] = inRe[2*i], inIm[2*i]
					}
				}
			} else {
				for k := 0; k < 16; k += rows {
					i := column + (k+ty)<<lgM + tx
					if tx < run {
						re[(k+ty)*points+j+tx], im[(k+ty)*points+j+tx] = inRe[i], inIm[i]
					}
				}
			}
		}
	}
	t.SyncThreads()
	from, lg, lgAcross := 0, uint(4), uint(2)
	for step := range 2 {
		from = columns(t, lg, lgRadix, lgAcross, from, wr, wi, re, im)
		if step == 0 {
			for j := 0; j < points; j += rows {
				i := (j+ty)*lanes + tx
				re[from+i], im[from+i] = times(re[from+i], im[from+i], twr[i], twi[i])
			}
			t.SyncThreads()
			upright(t, from, from^tile, re)
			upright(t, from, from^tile, im)
			t.SyncThreads()
			from ^= tile
			lg, lgAcross = lgM, 0
		}
	}
	if pairs {
		for j := 0; j < points; j += rows {
			i := (j+ty)*lanes + tx
			if first+i < total {
				outRe[2*(first+i)], outIm[2*(first+i)] = scale*re[from+i], scale*im[from+i]
			}
		}
	} else {
		for j := 0; j < points; j += rows {
			i := (j+ty)*lanes + tx
			if first+i < total {
				outRe[first+i], outIm[first+i] = scale*re[from+i], scale*im[from+i]
			}
		}
	}
}
