package fft

import "github.com/gocuda/gocuda/gocuda"

// Transforms of more than 1024 points do not fit into the shared memory of a block. They take
// several launches, each of which reads and writes all numbers once. A launch is a pass of
// Stockham's algorithm of high radix, up to 64, where the butterfly is the work of a block instead
// of a thread: what the literature calls hierarchical (Govindaraju and others, 2008). A block takes
// 16 neighbouring butterflies and so has a tile of 64 rows of 16 numbers, which it reads and writes
// by rows. With radix 32 or less it has two or more such groups below each other.
//
// The first pass is different: the results of a butterfly are neighbours in memory then. It writes
// the tile transposed, which makes one run of it. And its twiddle factors differ from thread to
// thread. A table of all n would be as long as the data; but the root with number (p+x)*k is that
// with number p*k times that with number x*k. So there is a table for the first butterfly of each
// block, and one for the 16 butterflies of a block.

// largeFirst is the program of a thread in the first pass, of radix 64. Blocks do butterflies p to
// p+15 of a transform. br and bi have the roots with numbers p*k at p/16*64+k, and tr and ti those
// with numbers x*k at x*64+k.
//
//gocuda:kernel fastmath
func largeFirst(t *gocuda.Thread, lgN, lgRadix uint, pairs bool,
	wr, wi, br, bi, tr, ti, inRe, inIm, outRe, outIm []float32) {
	re := gocuda.Shared[float32](t, 2*tile)
	im := gocuda.Shared[float32](t, 2*tile)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	block := tileIndex(t)
	transform := block >> (lgN - lgTile) << lgN
	block &= 1<<(lgN-lgTile) - 1
	first, apart := transform+block*lanes, 1<<(lgN-lgPoint)
	if pairs {
		for j := 0; j < points; j += rows {
			re[(j+ty)*lanes+tx] = inRe[2*(first+(j+ty)*apart+tx)]
		}
		for j := 0; j < points; j += rows {
			im[(j+ty)*lanes+tx] = inIm[2*(first+(j+ty)*apart+tx)]
		}
	} else {
		for j := 0; j < points; j += rows {
			re[(j+ty)*lanes+tx] = inRe[first+(j+ty)*apart+tx]
		}
		for j := 0; j < points; j += rows {
			im[(j+ty)*lanes+tx] = inIm[first+(j+ty)*apart+tx]
		}
	}
	t.SyncThreads()
	from := columns(t, lgPoint, lgRadix, 0, 0, wr, wi, re, im)
	to := from ^ tile
	lengthwise(t, from, to, re)
	lengthwise(t, from, to, im)
	t.SyncThreads()
	first = transform + block*tile
	for j := 0; j < points; j += lanes {
		for y := 0; y < lanes; y += rows {
			k := j + tx
			i := (y+ty)*points + k
			cr, ci := times(br[block*points+k], bi[block*points+k], tr[i], ti[i])
			outRe[first+i], outIm[first+i] = times(re[to+i], im[to+i], cr, ci)
		}
	}
}

// largeNext is the program of a thread in the other passes, of radix r = 2^lgR, when the product of
// the radices so far is s = 2^lgS. tr and ti have the twiddle factor of result k of what began with
// point p at p*r+k.
//
//gocuda:kernel fastmath
func largeNext(t *gocuda.Thread, lgN, lgS, lgR, lgRadix uint, scale float32, pairs bool,
	wr, wi, tr, ti, inRe, inIm, outRe, outIm []float32) {
	re := gocuda.Shared[float32](t, 2*tile)
	im := gocuda.Shared[float32](t, 2*tile)
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	block := tileIndex(t)
	transform := block >> (lgN - lgTile) << lgN
	first := block & (1<<(lgN-lgTile) - 1) << (lgPoint - lgR) // group of 16 butterflies
	apart := 1 << (lgN - lgR)
	// Rows j to j+7 of the tile are points k to k+7 of the group.
	for j := 0; j < points; j += rows {
		g, k := (first+j>>lgR)*lanes, j&(1<<lgR-1)
		at := transform + g + k*apart
		re[(j+ty)*lanes+tx] = inRe[at+ty*apart+tx]
	}
	for j := 0; j < points; j += rows {
		g, k := (first+j>>lgR)*lanes, j&(1<<lgR-1)
		at := transform + g + k*apart
		im[(j+ty)*lanes+tx] = inIm[at+ty*apart+tx]
	}
	t.SyncThreads()
	from := columns(t, lgR, lgRadix, 0, 0, wr, wi, re, im)
	storeNext(t, from, transform, first, lgS, lgR, scale, -scale, pairs, re, im, tr, ti, outRe)
	storeNext(t, from, transform, first, lgS, lgR, scale, scale, pairs, im, re, tr, ti, outIm)
}

// storeNext writes the real or the imaginary parts of the tile times its twiddle factors: cr*x*wr +
// ci*y*wi.
func storeNext(t *gocuda.Thread, from, transform, first int, lgS, lgR uint, cr, ci float32, pairs bool,
	x, y, wr, wi, out []float32) {
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	s := 1 << lgS
	if pairs {
		for j := 0; j < points; j += rows {
			g, k := (first+j>>lgR)*lanes, j&(1<<lgR-1)
			w := g>>lgS<<lgR + k
			at := transform + w*s + g&(s-1)
			out[2*(at+ty*s+tx)] = x[from+(j+ty)*lanes+tx]*(cr*wr[w+ty]) + y[from+(j+ty)*lanes+tx]*(ci*wi[w+ty])
		}
	} else {
		for j := 0; j < points; j += rows {
			g, k := (first+j>>lgR)*lanes, j&(1<<lgR-1)
			w := g>>lgS<<lgR + k
			at := transform + w*s + g&(s-1)
			out[at+ty*s+tx] = x[from+(j+ty)*lanes+tx]*(cr*wr[w+ty]) + y[from+(j+ty)*lanes+tx]*(ci*wi[w+ty])
		}
	}
}
