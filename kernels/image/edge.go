package image

import (
	"fmt"

	"github.com/gocuda/gocuda/kernels/internal/check"
)

// What a filter finds beyond the edge of the image. The pixels inside, nearly all of them, should
// not pay for the answer: the helpers here ask first whether a place is inside, and the compiler
// cuts the rows of threads where that changes. On a GPU the texture unit answers, by its addressing
// mode.

// An Edge says what lies beyond the edge of an image. The names are those of CUDA's addressing modes.
type Edge int32

const (
	Zero  Edge = iota // zeros: cudaAddressModeBorder
	Clamp             // the nearest pixel again: cudaAddressModeClamp
	Wrap              // the image again, from its other side: cudaAddressModeWrap
)

// String names the edge.
func (e Edge) String() string {
	switch e {
	case Zero:
		return "zero"
	case Clamp:
		return "clamp"
	case Wrap:
		return "wrap"
	}
	return fmt.Sprintf("Edge(%d)", int(e))
}

// place returns the place from 0 to n-1 that stands for the place i beyond an edge which isn't
// Zero. It has 32 bits, so that it doesn't halve the lanes of the vectors around it.
func (e Edge) place(i, n int32) int32 {
	if e == Clamp {
		return min(max(i, 0), n-1)
	}
	i %= n
	if i < 0 {
		i += n
	}
	return i
}

// sample returns element i of a line of n numbers.
func (e Edge) sample(line []float32, n, i int) float32 {
	var v float32
	if i >= 0 && i < n {
		v = line[i]
	} else if e != Zero {
		v = line[e.place(int32(i), int32(n))]
	}
	return v
}

// pixel returns pixel (x, y) of an image of w by h.
func (e Edge) pixel(image []float32, w, h, x, y int) float32 {
	var v float32
	if y >= 0 && y < h {
		v = e.sample(image[y*w:y*w+w], w, x)
	} else if e != Zero {
		y := int(e.place(int32(y), int32(h)))
		v = e.sample(image[y*w:y*w+w], w, x)
	}
	return v
}

// check returns an error unless e is one of the edges.
func (e Edge) check(what string) error {
	if e < Zero || e > Wrap {
		return check.Invalid(what, "%v", e)
	}
	return nil
}
