package serial

import "github.com/gocuda/gocuda/kernels/image"

// Convolve sets out to the convolution of in with a filter of an odd number of coefficients: the
// reference of [image.Convolve].
func Convolve(edge image.Edge, filter, out, in []float32) {
	n, r := len(in), len(filter)/2
	for i := range out {
		var sum float32
		for k, f := range filter {
			sum += f * sample(edge, in, n, i+r-k)
		}
		out[i] = sum
	}
}

// Convolve2D sets out to the convolution of an image of w by h pixels with a filter of fw by fh
// coefficients: the reference of [image.Convolve2D].
func Convolve2D(edge image.Edge, w, h, fw, fh int, filter, out, in []float32) {
	for y := range h {
		for x := range w {
			var sum float32
			for j := range fh {
				for k := range fw {
					sum += filter[j*fw+k] * pixel(edge, in, w, h, x+fw/2-k, y+fh/2-j)
				}
			}
			out[y*w+x] = sum
		}
	}
}

// ConvolveSeparable convolves the rows of an image of w by h pixels with one filter, and then the
// columns with another: the reference of [image.ConvolveSeparable].
func ConvolveSeparable(edge image.Edge, w, h int, row, column, out, in []float32) {
	between := make([]float32, len(in))
	for y := range h {
		Convolve(edge, row, between[y*w:(y+1)*w], in[y*w:(y+1)*w])
	}
	r := len(column) / 2
	for y := range h {
		for x := range w {
			var sum float32
			for k, f := range column {
				sum += f * pixel(edge, between, w, h, x, y+r-k)
			}
			out[y*w+x] = sum
		}
	}
}

// sample returns element i of a line of n numbers, or what the edge has in its place.
func sample(edge image.Edge, line []float32, n, i int) float32 {
	if i = inside(edge, i, n); i < 0 {
		return 0
	}
	return line[i]
}

// pixel returns pixel (x, y) of an image of w by h, or what the edge has in its place.
func pixel(edge image.Edge, pixels []float32, w, h, x, y int) float32 {
	if x, y = inside(edge, x, w), inside(edge, y, h); x < 0 || y < 0 {
		return 0
	}
	return pixels[y*w+x]
}

// inside returns the place from 0 to n-1 that stands for i, or -1 if there is 0 beyond the edge.
func inside(edge image.Edge, i, n int) int {
	switch {
	case i >= 0 && i < n:
		return i
	case edge == image.Clamp:
		return min(max(i, 0), n-1)
	case edge == image.Wrap:
		return (i%n + n) % n
	}
	return -1
}
