package kernels_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels/image"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

// benchmarkImages measures some ways to the same image, the first of which the others are held to.
func benchmarkImages(b *testing.B, out []float32, most float64, ways ...imageWay) {
	var want []float32
	for _, w := range ways {
		b.Run("exec="+w.name, func(b *testing.B) {
			for b.Loop() {
				if err := w.run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(out))*float64(b.N)/1e6/b.Elapsed().Seconds(), "Mpixel/s")
			if want == nil {
				want = slices.Clone(out)
			}
			slicetest.InDelta(b, want, out, most)
			clear(out)
		})
	}
}

type imageWay struct {
	name string
	run  func() error
}

func BenchmarkConvolve(b *testing.B) {
	const n = 1 << 22
	in, out := kerneltest.Uniform[float32](n), make([]float32, n)
	for _, r := range []int{4, 32} {
		f := kerneltest.Uniform[float32](2*r + 1)
		b.Run(fmt.Sprintf("taps=%d", 2*r+1), func(b *testing.B) {
			benchmarkImages(b, out, float64(len(f)*len(f))/(1<<22),
				imageWay{"gocuda", func() error { return image.Convolve(b.Context(), gocuda.Default(), image.Clamp, f, out, in) }},
				imageWay{"naive", func() error { return image.ConvolveNaive(b.Context(), gocuda.Default(), image.Clamp, f, out, in) }},
				imageWay{"goroutines", func() error {
					forParts(n, func(_, from, to int) { convolveLine(f, out, in, from, to) })
					return nil
				}})
		})
	}
}

// convolveLine is a convolution as one writes it, with clamped edges, for elements from up to to.
func convolveLine(f, out, in []float32, from, to int) {
	n, r := len(in), len(f)/2
	for i := from; i < to; i++ {
		var sum float32
		if i >= r && i < n-r {
			part := in[i-r : i+r+1]
			for k, f := range f {
				sum += f * part[2*r-k]
			}
		} else {
			for k, f := range f {
				sum += f * in[min(max(i+r-k, 0), n-1)]
			}
		}
		out[i] = sum
	}
}

func BenchmarkConvolveSeparable(b *testing.B) {
	const w, h, r = 2048, 2048, 8
	in, out, between := kerneltest.Uniform[float32](w*h), make([]float32, w*h), make([]float32, w*h)
	f, err := image.Gaussian(r, 3)
	require.NoError(b, err)
	benchmarkImages(b, out, 1e-5,
		imageWay{"gocuda", func() error {
			return image.ConvolveSeparable(b.Context(), gocuda.Default(), image.Clamp, w, h, f, f, out, in)
		}},
		imageWay{"naive", func() error {
			return image.ConvolveSeparableNaive(b.Context(), gocuda.Default(), image.Clamp, w, h, f, f, out, in)
		}},
		imageWay{"goroutines", func() error {
			forParts(h, func(_, from, to int) {
				for y := from; y < to; y++ {
					convolveLine(f, between[y*w:(y+1)*w], in[y*w:(y+1)*w], 0, w)
				}
			})
			forParts(h, func(_, from, to int) {
				for y := from; y < to; y++ {
					line := out[y*w : (y+1)*w]
					clear(line)
					for k, f := range f {
						from := min(max(y+r-k, 0), h-1)
						for x, v := range between[from*w : (from+1)*w] {
							line[x] += f * v
						}
					}
				}
			})
			return nil
		}})
}

func BenchmarkConvolve2D(b *testing.B) {
	const w, h, fw = 1024, 1024, 7
	in, out, f := kerneltest.Uniform[float32](w*h), make([]float32, w*h), kerneltest.Uniform[float32](fw*fw)
	benchmarkImages(b, out, 1e-4,
		imageWay{"gocuda", func() error {
			return image.Convolve2D(b.Context(), gocuda.Default(), image.Zero, w, h, fw, fw, f, out, in)
		}},
		imageWay{"naive", func() error {
			return image.Convolve2DNaive(b.Context(), gocuda.Default(), image.Zero, w, h, fw, fw, f, out, in)
		}},
		imageWay{"goroutines", func() error {
			forParts(h, func(_, from, to int) {
				for y := from; y < to; y++ {
					line := out[y*w : (y+1)*w]
					clear(line)
					for j := range fw {
						row := y + fw/2 - j
						if row < 0 || row >= h {
							continue
						}
						for k := range fw {
							c, d := f[j*fw+k], fw/2-k
							lo, hi := max(0, -d), min(w, w-d)
							part := in[row*w+lo+d : row*w+hi+d]
							for x, v := range part {
								line[lo+x] += c * v
							}
						}
					}
				}
			})
			return nil
		}})
}

func BenchmarkCorrelate(b *testing.B) {
	const w, h, tw, th = 512, 512, 32, 32
	r := rand.New(rand.NewPCG(3, 4))
	pixels := make([]uint8, w*h)
	for i := range pixels {
		pixels[i] = uint8(r.Uint32())
	}
	template := make([]uint8, 0, tw*th)
	for y := range th {
		template = append(template, pixels[(100+y)*w+200:][:tw]...)
	}
	const across, down = w - tw + 1, h - th + 1
	out := make([]float32, across*down)
	benchmarkImages(b, out, 1e-6,
		imageWay{"gocuda", func() error {
			return image.Correlate(b.Context(), gocuda.Default(), w, h, tw, th, out, pixels, template)
		}},
		imageWay{"naive", func() error {
			return image.CorrelateNaive(b.Context(), gocuda.Default(), w, h, tw, th, out, pixels, template)
		}},
		imageWay{"goroutines", func() error {
			forParts(down, func(_, from, to int) {
				// Whole rows of the image, which do not wait for each other.
				serial.Correlate(w, to-from+th-1, tw, th, out[from*across:to*across], pixels[from*w:(to+th-1)*w], template)
			})
			return nil
		}})
}
