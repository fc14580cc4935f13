package lbm

import "github.com/gocuda/gocuda/gocuda"

// The array of structs, pushed: direction q of cell i is src[19*i+q]. A thread loads its own cell,
// lets it collide and stores what moves where it moves to.

// directions is the size of the set D3Q19.
const directions = 19

// structs is the program of one thread: cell first + k. row and plane are the distances to the
// neighbours in y and z.
//
//gocuda:kernel fastmath
func structs(t *gocuda.Thread, first, count, row, plane int, omega, lx, ly, lz, fx, fy, fz float32, links []uint32, src, dst []float32) {
	if k := t.GlobalX(); k < count {
		i := first + k
		if link := links[i]; link&still == 0 {
			c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su := load(src, directions*i)
			c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su = relax(omega, lx, ly, lz, fx, fy, fz, link&lidBit != 0,
				c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su)
			send(dst, link, i, row, plane, c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su)
		}
	}
}

// bufferThreads is the number of threads of a block of [buffered]. Their cells take 9.5 of the
// GeForce 8800's 16 KiB.
const bufferThreads = 128

// buffered is structs by way of shared memory. In each of 19 rounds neighbouring threads load
// neighbouring words. Then a thread takes the 19 words of its cell, 19 words from those of its
// neighbour: that is odd, so they are in different banks.
//
//gocuda:kernel fastmath
func buffered(t *gocuda.Thread, first, count, row, plane int, omega, lx, ly, lz, fx, fy, fz float32, links []uint32, src, dst []float32) {
	cells := gocuda.Shared[float32](t, directions*bufferThreads)
	tid := t.ThreadIdx.X
	begin := directions * (first + t.BlockIdx.X*bufferThreads)
	for j := tid; j < directions*bufferThreads; j += bufferThreads {
		if begin+j < len(src) {
			cells[j] = src[begin+j]
		}
	}
	t.SyncThreads()
	if k := t.GlobalX(); k < count {
		i := first + k
		if link := links[i]; link&still == 0 {
			c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su := load(cells, directions*tid)
			c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su = relax(omega, lx, ly, lz, fx, fy, fz, link&lidBit != 0,
				c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su)
			send(dst, link, i, row, plane, c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su)
		}
	}
}

// load takes the cell whose numbers begin at i.
func load(src []float32, i int) (
	_, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _ float32) {
	return src[i], src[i+1], src[i+2], src[i+3], src[i+4], src[i+5], src[i+6], src[i+7], src[i+8], src[i+9],
		src[i+10], src[i+11], src[i+12], src[i+13], src[i+14], src[i+15], src[i+16], src[i+17], src[i+18]
}

// send moves the populations of cell i.
func send(dst []float32, link uint32, i, row, plane int, c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su float32) {
	dst[directions*i] = c
	push(dst, link, 1, directions*(i+1)+1, directions*i+2, e)
	push(dst, link, 2, directions*(i-1)+2, directions*i+1, w)
	push(dst, link, 3, directions*(i+row)+3, directions*i+4, n)
	push(dst, link, 4, directions*(i-row)+4, directions*i+3, s)
	push(dst, link, 5, directions*(i+plane)+5, directions*i+6, u)
	push(dst, link, 6, directions*(i-plane)+6, directions*i+5, d)
	push(dst, link, 7, directions*(i+row+1)+7, directions*i+8, ne)
	push(dst, link, 8, directions*(i-row-1)+8, directions*i+7, sw)
	push(dst, link, 9, directions*(i+row-1)+9, directions*i+10, nw)
	push(dst, link, 10, directions*(i-row+1)+10, directions*i+9, se)
	push(dst, link, 11, directions*(i+plane+1)+11, directions*i+12, eu)
	push(dst, link, 12, directions*(i-plane-1)+12, directions*i+11, wd)
	push(dst, link, 13, directions*(i-plane+1)+13, directions*i+14, ed)
	push(dst, link, 14, directions*(i+plane-1)+14, directions*i+13, wu)
	push(dst, link, 15, directions*(i+plane+row)+15, directions*i+16, nu)
	push(dst, link, 16, directions*(i-plane-row)+16, directions*i+15, sd)
	push(dst, link, 17, directions*(i-plane+row)+17, directions*i+18, nd)
	push(dst, link, 18, directions*(i+plane-row)+18, directions*i+17, su)
}

// push stores v in the cell of the neighbour in direction q, or back in its own if that one is solid.
func push(dst []float32, link uint32, q, there, back int, v float32) {
	if link>>q&1 != 0 {
		dst[back] = v
	} else {
		dst[there] = v
	}
}
