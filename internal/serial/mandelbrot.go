package serial

// Mandelbrot sets out[y*w+x] to the number of iterations after which the point in the middle of
// pixel (x, y) has escaped, or to maxIter, as [kernels.Mandelbrot] does.
func Mandelbrot(w, h int, x0, y0, x1, y1 float32, maxIter int32, out []int32) {
	dx, dy := (x1-x0)/float32(w), (y1-y0)/float32(h)
	for py := range h {
		offY := (float32(py) + 0.5) * dy
		cy := y0 + offY
		for px := range w {
			offX := (float32(px) + 0.5) * dx
			cx := x0 + offX
			var x, y float32
			var n int32
			for ; n < maxIter; n++ {
				xx, yy, xy := x*x, y*y, x*y
				if xx+yy > 4 {
					break
				}
				x = xx - yy + cx
				y = xy + xy + cy
			}
			out[py*w+px] = n
		}
	}
}
