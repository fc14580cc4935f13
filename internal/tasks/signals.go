package tasks

import (
	"flag"
	"fmt"
	"image"
	"math"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/fft"
	kimage "github.com/gocuda/gocuda/kernels/image"
)

// The tasks on signals and pictures: transforms, filters and comparison.

const takesPicture = "a picture, PNG or JPEG; a test picture without a file"

func signalTasks() []Task {
	return []Task{
		{"fft", "the Fourier transform of a list", takesNumbers + ". Its length is a power of two", "2^20", Values, fourier, 48, 60},
		{"convolve", "a list smoothed with a Gaussian", takesNumbers, "2^20", Values, convolve, 8, 4},
		{"blur", "a picture smoothed with a Gaussian, by rows and columns", takesPicture, "640x480", Values | Picture, blur, 57, 28},
		{"edges", "the edges of a picture, by a filter of 3 by 3", takesPicture, "640x480", Values | Picture, edges, 45, 84},
		{"correlate", "where a part of a picture comes from, by normalized cross-correlation", takesPicture, "320x240", Values | Picture, correlate, 28, 8},
	}
}

func fourier(fs *flag.FlagSet) Job {
	batch := fs.Int("batch", 1, "cut the list into so `many` transforms of the same length")
	radix := fs.Int("radix", 0, "the largest `radix` of a pass: 2, 4, 8 or 16 (default what is fastest)")
	inverse := fs.Bool("inverse", false, "the inverse transform")
	return func(e *Env) (*Result, error) {
		v, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		if *batch < 1 || len(v)%*batch != 0 {
			return nil, fmt.Errorf("-batch %d: %d numbers can't be cut into so many parts", *batch, len(v))
		}
		n := len(v) / *batch
		plan, err := fft.NewPlanRadix(n, *radix)
		if err != nil {
			return nil, err
		}
		dir := fft.Forward
		if *inverse {
			dir = fft.Inverse
		}
		src, dst := make([]complex64, len(v)), make([]complex64, len(v))
		for i, x := range v {
			src[i] = complex(x, 0)
		}
		if err := e.timed(func() error { return plan.Transform(e.Ctx, e.On, dir, dst, src) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: table[float32]{2, parts(dst)}, Verify: func() error {
			want := make([]complex64, len(v))
			serial.FFT(n, dir, want, src)
			// In the 2-norm the error is at most some 8 roundings a level (Higham, Accuracy and
			// Stability of Numerical Algorithms, theorem 24.2), and an element's no more than that.
			norm := 0.0
			for _, x := range want {
				norm += float64(real(x))*float64(real(x)) + float64(imag(x))*float64(imag(x))
			}
			return near(parts(dst), parts(want), 0x1p-24*8*(math.Log2(float64(n))+1)*math.Sqrt(norm))
		}}
		r.printf("points    %d, %d of them a transform; a line of the file is real part, imaginary part", len(v), n)
		return r, nil
	}
}

// parts returns the real and imaginary parts in turn.
func parts(v []complex64) []float32 {
	p := make([]float32, 0, 2*len(v))
	for _, x := range v {
		p = append(p, real(x), imag(x))
	}
	return p
}

// gaussian adds the flags of a filter. What it returns makes one, with a radius of 3 sigma.
func gaussian(fs *flag.FlagSet) func() ([]float32, error) {
	sigma := fs.Float64("sigma", 3, "the `width` of the filter, as a standard deviation")
	return func() ([]float32, error) {
		if !(*sigma > 0 && *sigma <= 10000) {
			return nil, fmt.Errorf("-sigma %v: want more than 0, and 10000 at most", *sigma)
		}
		return kimage.Gaussian(int(math.Ceil(3**sigma)), *sigma)
	}
}

// tiledFlag adds the flag that says whether a kernel goes through shared memory.
func tiledFlag(fs *flag.FlagSet) *choice[name] {
	return choose[name](fs, "method", "by tiles in shared memory, or from global memory", "tiled", "naive")
}

func edgeFlag(fs *flag.FlagSet) *choice[kimage.Edge] {
	return choose(fs, "edge", "what lies beyond the edge", kimage.Clamp, kimage.Zero, kimage.Wrap)
}

func convolve(fs *flag.FlagSet) Job {
	filter, edge, method := gaussian(fs), edgeFlag(fs), tiledFlag(fs)
	return func(e *Env) (*Result, error) {
		g, err := filter()
		if err != nil {
			return nil, err
		}
		v, err := e.numbers(1 << 20)
		if err != nil {
			return nil, err
		}
		f := kimage.Convolve
		if method.is == "naive" {
			f = kimage.ConvolveNaive
		}
		out := make([]float32, len(v))
		if err := e.timed(func() error { return f(e.Ctx, e.On, edge.is, g, out, v) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(out), Verify: func() error {
			want := make([]float32, len(v))
			serial.Convolve(edge.is, g, want, v)
			return near(out, want, filterError(len(g), 1, v))
		}}
		r.printf("elements  %d, a filter of %d", len(v), len(g))
		return r, nil
	}
}

// filterError bounds how far two sums of n products with a filter can be apart, whose magnitudes
// add up to weight.
func filterError(n int, weight float64, v []float32) float64 {
	return 2 * float64(n+1) * 0x1p-24 * weight * largest(v)
}

// filtered runs a filter on the three colours of a picture.
func (e *Env) filtered(verify func(want, plane []float32, w, h int), tolerance func(plane []float32) float64,
	filter func(out, in []float32, w, h int) error, draw func(w, h int, rgb [3][]float32) image.Image) (*Result, error) {
	m, err := e.picture(640, 480)
	if err != nil {
		return nil, err
	}
	w, h, in := planes(m)
	var out [3][]float32
	for c, plane := range in {
		out[c] = make([]float32, len(plane))
		if err := e.timed(func() error { return filter(out[c], plane, w, h) }); err != nil {
			return nil, err
		}
	}
	all := make([]float32, 0, 3*w*h)
	for i := range w * h {
		all = append(all, out[0][i], out[1][i], out[2][i])
	}
	r := &Result{Numbers: table[float32]{3, all}, Verify: func() error {
		for c, plane := range in {
			want := make([]float32, len(plane))
			verify(want, plane, w, h)
			if err := near(out[c], want, tolerance(plane)); err != nil {
				return err
			}
		}
		return nil
	}}
	r.printf("pixels    %d by %d; a line of the file is red, green, blue of a pixel, row by row", w, h)
	r.Picture = func() image.Image { return draw(w, h, out) }
	return r, nil
}

func blur(fs *flag.FlagSet) Job {
	filter, edge, method := gaussian(fs), edgeFlag(fs), tiledFlag(fs)
	return func(e *Env) (*Result, error) {
		g, err := filter()
		if err != nil {
			return nil, err
		}
		return e.filtered(
			func(want, plane []float32, w, h int) {
				serial.ConvolveSeparable(edge.is, w, h, g, g, want, plane)
			},
			func(plane []float32) float64 { return filterError(2*len(g), 1, plane) },
			func(out, in []float32, w, h int) error {
				if method.is == "naive" {
					return kimage.ConvolveSeparableNaive(e.Ctx, e.On, edge.is, w, h, g, g, out, in)
				}
				return kimage.ConvolveSeparable(e.Ctx, e.On, edge.is, w, h, g, g, out, in)
			}, fromPlanes)
	}
}

func edges(fs *flag.FlagSet) Job {
	edge, method := edgeFlag(fs), tiledFlag(fs)
	// Each pixel less the mean of its neighbours, eight times.
	laplacian := []float32{-1, -1, -1, -1, 8, -1, -1, -1, -1}
	return func(e *Env) (*Result, error) {
		return e.filtered(
			func(want, plane []float32, w, h int) {
				serial.Convolve2D(edge.is, w, h, 3, 3, laplacian, want, plane)
			},
			func(plane []float32) float64 { return filterError(9, 16, plane) },
			func(out, in []float32, w, h int) error {
				if method.is == "naive" {
					return kimage.Convolve2DNaive(e.Ctx, e.On, edge.is, w, h, 3, 3, laplacian, out, in)
				}
				return kimage.Convolve2D(e.Ctx, e.On, edge.is, w, h, 3, 3, laplacian, out, in)
			},
			func(w, h int, rgb [3][]float32) image.Image {
				var size [3][]float32
				for c, plane := range rgb {
					for _, x := range plane {
						size[c] = append(size[c], float32(math.Abs(float64(x))))
					}
				}
				return fromPlanes(w, h, size)
			})
	}
}

func correlate(fs *flag.FlagSet) Job {
	x := fs.Int("x", -1, "the left edge of the part, in `pixels` (default a third of the way)")
	y := fs.Int("y", -1, "the upper edge of the part, in `pixels` (default a third of the way)")
	side := fs.Int("side", 24, "the width and height of the part, in `pixels`")
	method := choose(fs, "method", "how the coefficients are computed", kimage.Separated, kimage.GlobalMemory, kimage.Textures,
		kimage.ConstantTemplate, kimage.SharedImage, kimage.MultiprocessorAware, kimage.Unrolled)
	return func(e *Env) (*Result, error) {
		m, err := e.picture(320, 240)
		if err != nil {
			return nil, err
		}
		w, h, v := grey(m)
		left, top, t := *x, *y, *side
		if left < 0 {
			left = w / 3
		}
		if top < 0 {
			top = h / 3
		}
		if t < 1 || left+t > w || top+t > h {
			return nil, fmt.Errorf("-x %d -y %d -side %d: the part is not inside the picture of %d by %d pixels", left, top, t, w, h)
		}
		template := make([]uint8, 0, t*t)
		for i := range t {
			row := v[(top+i)*w+left:]
			for _, p := range row[:t] {
				template = append(template, p/2+40) // darker, with less contrast: it must not matter
			}
		}
		cw, ch := w-t+1, h-t+1
		r := make([]float32, cw*ch)
		if err := e.timed(func() error { return kimage.CorrelateBy(e.Ctx, e.On, method.is, w, h, t, t, r, v, template) }); err != nil {
			return nil, err
		}
		foundX, foundY, best := kimage.BestMatch(w, t, r)
		res := &Result{Numbers: table[float32]{cw, r}, Verify: func() error {
			want := make([]float32, len(r))
			serial.Correlate(w, h, t, t, want, v, template)
			return near(r, want, 0x1p-22)
		}}
		res.printf("picture   %d by %d pixels, a part of %d by %d at (%d, %d)", w, h, t, t, left, top)
		res.printf("found     at (%d, %d) with a coefficient of %.4f", foundX, foundY, best)
		res.Picture = func() image.Image { return field(cw, ch, r, 1) }
		return res, nil
	}
}
