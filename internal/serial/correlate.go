package serial

import "math"

// Correlate sets out to the coefficients of correlation of a template of tw by th pixels with an
// image of w by h pixels, for all positions of the template inside the image (Lewis 1995): the
// reference of [image.Correlate].
func Correlate(w, h, tw, th int, out []float32, image, template []uint8) {
	var t, tt int64
	for _, c := range template {
		t += int64(c)
		tt += int64(c) * int64(c)
	}
	across := w - tw + 1
	for p := range out {
		x, y := p%across, p/across
		var i, ii, it int64
		for j := range th {
			window := image[(y+j)*w+x:][:tw]
			for k, c := range template[j*tw : (j+1)*tw] {
				v := int64(window[k])
				i += v
				ii += v * v
				it += v * int64(c)
			}
		}
		out[p] = coefficient(int64(tw*th), i, ii, it, t, tt)
	}
}

// coefficient returns the coefficient of correlation of n pairs of pixels, from the sums of image
// pixels, of their squares, of products, of template pixels and of their squares. It is 0 where the
// image or the template has one colour.
func coefficient(n, i, ii, it, t, tt int64) float32 {
	variances := float64(n*ii-i*i) * float64(n*tt-t*t)
	if variances <= 0 {
		return 0
	}
	r := float64(n*it-i*t) / math.Sqrt(variances)
	return float32(min(max(r, -1), 1))
}
