package fft

import "github.com/gocuda/gocuda/gocuda"

// The simplest program: a launch a pass, and all numbers in global memory between them (Govindaraju
// and others, 2008, the global-memory kernel). A thread does one butterfly. Neighbouring threads
// read neighbours; what they write is s numbers in a row, where s is the product of the radices so
// far: in the first pass none are neighbours. That and the reads and writes of all numbers in each
// pass are what the other kernels save.
//
// It is also the one to see what the radix brings. A pass of radix 16 replaces four of radix 2, and
// with it three quarters of the reads and writes of global memory. Where the kernels run in plain
// Go, radix 16 is even the fastest of all: a processor's cache does by itself what shared memory is
// for, and without vectors it does not matter who is whose neighbour.

// passThreads is the number of threads of a block.
const passThreads = 128

// pass is the program of a thread. The product of the radices so far is s = 2^lgS. tr and ti are
// the n-th roots of unity.
//
//gocuda:kernel fastmath
func pass(t *gocuda.Thread, lgN, lgS, lgR uint, total int, tr, ti, inRe, inIm, outRe, outIm []float32) {
	g := tileIndex(t)*passThreads + t.ThreadIdx.X
	if g >= total>>lgR {
		return
	}
	transform := g >> (lgN - lgR) << lgN
	g &= 1<<(lgN-lgR) - 1
	q, p := g&(1<<lgS-1), g>>lgS
	i, d := transform+g, 1<<(lgN-lgR)
	o, e := transform+p<<(lgS+lgR)+q, 1<<lgS
	w := p << lgS
	switch lgR {
	case 1:
		butterfly2(inRe, inIm, i, d, outRe, outIm, o, e, tr, ti, w)
	case 2:
		butterfly4(inRe, inIm, i, d, outRe, outIm, o, e, tr, ti, w)
	case 3:
		butterfly8(inRe, inIm, i, d, outRe, outIm, o, e, tr, ti, w)
	case 4:
		butterfly16(inRe, inIm, i, d, outRe, outIm, o, e, tr, ti, w)
	}
}

// scaled multiplies all numbers by a factor.
//
//gocuda:kernel
func scaled(t *gocuda.Thread, total int, factor float32, re, im []float32) {
	i := tileIndex(t)*passThreads + t.ThreadIdx.X
	if i < total {
		re[i] *= factor
		im[i] *= factor
	}
}
