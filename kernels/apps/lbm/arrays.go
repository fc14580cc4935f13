package lbm

import "github.com/gocuda/gocuda/gocuda"

// The structure of arrays, pulled: direction q of cell i is src[q*size+i], where size is the number
// of cells with their ghosts. A thread loads what moves to its cell, lets it collide and stores it
// in its cell. So a step here ends with the collision, and the numbers in memory are between a
// collision and a move.

// arrays is the program of one thread: cell first + k. row and plane are the distances to the
// neighbours in y and z.
//
//gocuda:kernel fastmath
func arrays(t *gocuda.Thread, first, count, size, row, plane int, omega, lx, ly, lz, fx, fy, fz float32, links []uint32, src, dst []float32) {
	if k := t.GlobalX(); k < count {
		i := first + k
		if link := links[i]; link&still == 0 {
			c := src[i]
			e := pull(src, link, 2, 1*size+i-1, 2*size+i)
			w := pull(src, link, 1, 2*size+i+1, 1*size+i)
			n := pull(src, link, 4, 3*size+i-row, 4*size+i)
			s := pull(src, link, 3, 4*size+i+row, 3*size+i)
			u := pull(src, link, 6, 5*size+i-plane, 6*size+i)
			d := pull(src, link, 5, 6*size+i+plane, 5*size+i)
			ne := pull(src, link, 8, 7*size+i-row-1, 8*size+i)
			sw := pull(src, link, 7, 8*size+i+row+1, 7*size+i)
			nw := pull(src, link, 10, 9*size+i-row+1, 10*size+i)
			se := pull(src, link, 9, 10*size+i+row-1, 9*size+i)
			eu := pull(src, link, 12, 11*size+i-plane-1, 12*size+i)
			wd := pull(src, link, 11, 12*size+i+plane+1, 11*size+i)
			ed := pull(src, link, 14, 13*size+i+plane-1, 14*size+i)
			wu := pull(src, link, 13, 14*size+i-plane+1, 13*size+i)
			nu := pull(src, link, 16, 15*size+i-plane-row, 16*size+i)
			sd := pull(src, link, 15, 16*size+i+plane+row, 15*size+i)
			nd := pull(src, link, 18, 17*size+i+plane-row, 18*size+i)
			su := pull(src, link, 17, 18*size+i-plane+row, 17*size+i)
			c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su = relax(omega, lx, ly, lz, fx, fy, fz, link&lidBit != 0,
				c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su)
			dst[i] = c
			dst[1*size+i], dst[2*size+i] = e, w
			dst[3*size+i], dst[4*size+i] = n, s
			dst[5*size+i], dst[6*size+i] = u, d
			dst[7*size+i], dst[8*size+i] = ne, sw
			dst[9*size+i], dst[10*size+i] = nw, se
			dst[11*size+i], dst[12*size+i] = eu, wd
			dst[13*size+i], dst[14*size+i] = ed, wu
			dst[15*size+i], dst[16*size+i] = nu, sd
			dst[17*size+i], dst[18*size+i] = nd, su
		}
	}
}

// pull returns what comes from the neighbour in direction q, or back from it if it is solid.
func pull(src []float32, link uint32, q, there, back int) float32 {
	if link>>q&1 != 0 {
		return src[back]
	}
	return src[there]
}
