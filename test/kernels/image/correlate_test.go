package image_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/image"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

type correlate func(ctx context.Context, on kernels.Launcher, w, h, tw, th int, out []float32, image, template []uint8) error

var correlations = map[string]correlate{
	"tiled": image.Correlate,
	"naive": image.CorrelateNaive,
	"serial": func(_ context.Context, _ kernels.Launcher, w, h, tw, th int, out []float32, pixels, template []uint8) error {
		serial.Correlate(w, h, tw, th, out, pixels, template)
		return nil
	},
}

func init() {
	for by := image.Separated; by <= image.Unrolled; by++ {
		correlations[by.String()] = func(ctx context.Context, on kernels.Launcher, w, h, tw, th int, out []float32, pixels, template []uint8) error {
			return image.CorrelateBy(ctx, on, by, w, h, tw, th, out, pixels, template)
		}
	}
}

// textured reports whether a way to correlate has the image in a texture, which has 65000 rows at most.
func textured(name string) bool {
	for by := image.Textures; by <= image.Unrolled; by++ {
		if by.String() == name {
			return true
		}
	}
	return false
}

// noise returns n pixels below limit.
func noise(n, limit int) []uint8 {
	r := rand.New(rand.NewPCG(5, uint64(n)))
	v := make([]uint8, n)
	for i := range v {
		v[i] = uint8(r.IntN(limit))
	}
	return v
}

// window is the part of an image w pixels wide that a template at (x, y) covers.
func window[T any](pixels []T, w, x, y, tw, th int) []T {
	var v []T
	for j := range th {
		v = append(v, pixels[(y+j)*w+x:][:tw]...)
	}
	return v
}

func TestCorrelateAgainstGonum(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		// The width and height of the image, then of the template.
		sizes := [][4]int{{5, 6, 2, 3}, {3, 3, 3, 3}, {7, 4, 1, 2}, {70, 20, 5, 4}, {2, 9, 3, 3}, {9, 2, 3, 3}, {0, 0, 2, 2},
			{100, 50, 13, 35}, {135, 40, 7, 8}, {300, 40, 258, 3}, {40, 120, 3, 97}}
		if dev.Slow {
			sizes = sizes[:7]
		}
		for _, s := range sizes {
			w, h, tw, th := s[0], s[1], s[2], s[3]
			pixels, template := noise(w*h, 256), noise(tw*th, 256)
			across, down := max(w-tw+1, 0), max(h-th+1, 0)
			for name, f := range correlations {
				got := make([]float32, across*down)
				require.NoError(t, f(t.Context(), dev, w, h, tw, th, got, pixels, template))
				want := make([]float64, len(got))
				for i := range want {
					var a, b []float64
					for j, v := range window(pixels, w, i%across, i/across, tw, th) {
						a, b = append(a, float64(v)), append(b, float64(template[j]))
					}
					want[i] = stat.Correlation(a, b, nil)
				}
				// Rounded to float32 a number of up to 1 is off by 2⁻²⁵. The rest is for gonum,
				// whose error is some N 2⁻⁵³ for noise.
				slicetest.InDelta(t, want, got, 1.0/(1<<24), "%s on %s, %v", name, dev.Name, s)
			}
		}
	}
}

// All three do the same integers and the same float64, so they give the same bits, also where sums
// of 32 bits are just large enough and where they are not.
func TestCorrelateAgainstSerial(t *testing.T) {
	for _, s := range [][4]int{{259, 258, 257, 257}, {260, 259, 259, 257}, {80, 830, 80, 825}, {70, 950, 70, 945}, {1, 66053, 1, 66051}, {1, 66053, 1, 66052}} {
		w, h, tw, th := s[0], s[1], s[2], s[3]
		if h > 1000 && kerneltest.Devices(t)[0].Slow {
			continue // a goroutine for each row
		}
		pixels, template := noise(w*h, 2), noise(tw*th, 2)
		for i := range pixels {
			pixels[i] = 255 - pixels[i]
		}
		for i := range template {
			template[i] = 255 - template[i]
		}
		want := make([]float32, (w-tw+1)*(h-th+1))
		serial.Correlate(w, h, tw, th, want, pixels, template)
		for name, f := range correlations {
			got := make([]float32, len(want))
			err := f(t.Context(), gocuda.Default(), w, h, tw, th, got, pixels, template)
			if textured(name) && h > 65000 {
				assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
				continue
			}
			require.NoError(t, err)
			slicetest.Equal(t, want, got, "%s, %v", name, s)
		}
	}
}

// Where a template was cut out of the image the coefficient is 1, also after a change of light, and
// -1 in the negative.
func TestCorrelateFindsWhatWasCutOut(t *testing.T) {
	const w, h, tw, th, x, y = 150, 90, 17, 12, 101, 64
	pixels := noise(w*h, 100)
	template := window(pixels, w, x, y, tw, th)
	brighter, negative := slices.Clone(pixels), slices.Clone(pixels)
	for i, v := range pixels {
		brighter[i], negative[i] = 2*v+30, 255-v
	}
	for _, dev := range kerneltest.Devices(t) {
		if dev.Slow {
			continue // too many positions
		}
		for name, f := range correlations {
			var all [3][]float32
			for i, pixels := range [][]uint8{pixels, brighter, negative} {
				all[i] = make([]float32, (w-tw+1)*(h-th+1))
				require.NoError(t, f(t.Context(), dev, w, h, tw, th, all[i], pixels, template))
			}
			for _, r := range all[:2] {
				gx, gy, v := image.BestMatch(w, tw, r)
				assert.Equal(t, x, gx, "%s on %s", name, dev.Name)
				assert.Equal(t, y, gy, "%s on %s", name, dev.Name)
				assert.Equal(t, float32(1), v, "%s on %s", name, dev.Name)
			}
			assert.Equal(t, float32(-1), all[2][y*(w-tw+1)+x], "%s on %s: in the negative", name, dev.Name)
			// The same real number before it was rounded, twice.
			slicetest.InDelta(t, all[0], all[1], 1.0/(1<<24), "%s on %s: brighter", name, dev.Name)
			for i := range all[2] {
				all[2][i] *= -1
			}
			slicetest.InDelta(t, all[0], all[2], 1.0/(1<<24), "%s on %s: negative", name, dev.Name)
		}
	}
}

func TestCorrelateOfOneBrightness(t *testing.T) {
	for name, f := range correlations {
		for _, dev := range kerneltest.Devices(t) {
			flat, other := slices.Repeat([]uint8{200}, 12), noise(12, 256)
			got := []float32{7, 7}
			for _, p := range [][2][]uint8{{flat, other[:8]}, {other, flat[:8]}, {flat, flat[:8]}} {
				assert.NoError(t, f(t.Context(), dev, 4, 3, 4, 2, got, p[0], p[1]), "%s on %s: %v", name, dev.Name, got)
				assert.Zero(t, got[0], "%s on %s: %v", name, dev.Name, got)
				assert.Zero(t, got[1], "%s on %s: %v", name, dev.Name, got)
			}
		}
	}
}

// An image of one column, with more rows than the grids of the first generation have.
func TestCorrelateTallImage(t *testing.T) {
	const w, h, tw, th = 1, 1_100_003, 1, 3
	dev := g80(t)
	pixels, template := noise(h, 256), []uint8{1, 9, 4}
	want, got := make([]float32, h-th+1), make([]float32, h-th+1)
	serial.Correlate(w, h, tw, th, want, pixels, template)
	for name, f := range correlations {
		if textured(name) {
			assert.ErrorIs(t, f(t.Context(), dev, w, h, tw, th, got, pixels, template), gocuda.ErrInvalidValue, name)
			continue
		}
		clear(got)
		assert.NoError(t, f(t.Context(), dev, w, h, tw, th, got, pixels, template))
		slicetest.Equal(t, want, got, name)
	}
}

// On a stream the image is what earlier launches left, not what it was when the correlation was queued.
func TestCorrelateOnStream(t *testing.T) {
	const w, h, tw, th = 90, 80, 9, 7
	pixels, template := noise(w*h, 256), noise(tw*th, 256)
	want := make([]float32, 82*74)
	serial.Correlate(w, h, tw, th, want, pixels, template)
	for name, f := range correlations {
		if name == "serial" {
			continue
		}
		s := gocuda.Default().NewStream()
		late, got := make([]uint8, w*h), make([]float32, 82*74)
		require.NoError(t, s.Enqueue(func() error { copy(late, pixels); return nil }))
		require.NoError(t, f(t.Context(), kernels.OnStream(s), w, h, tw, th, got, late, template), name)
		require.NoError(t, s.Synchronize(t.Context()), name)
		slicetest.Equal(t, want, got, name)
		require.NoError(t, s.Close())
	}
}

// The first generation has products of 24 bits, 16 KiB of shared memory and no more than 512
// threads a block.
func TestCorrelateOnFirstGeneration(t *testing.T) {
	dev := g80(t)
	for _, s := range [][4]int{{90, 80, 9, 7}, {121, 131, 100, 120}, {40, 50, 1, 1}} {
		w, h, tw, th := s[0], s[1], s[2], s[3]
		pixels, template := noise(w*h, 256), noise(tw*th, 256)
		want := make([]float32, (w-tw+1)*(h-th+1))
		serial.Correlate(w, h, tw, th, want, pixels, template)
		for name, f := range correlations {
			got := make([]float32, len(want))
			require.NoError(t, f(t.Context(), dev, w, h, tw, th, got, pixels, template), "%s, %v", name, s)
			slicetest.Equal(t, want, got, "%s, %v", name, s)
		}
	}
}

func TestBestMatchOfNone(t *testing.T) {
	x, y, r := image.BestMatch(3, 5, nil)
	assert.Equal(t, -1, x)
	assert.Equal(t, -1, y)
	assert.Zero(t, r)
	x, y, r = image.BestMatch(5, 4, []float32{-1, -0.5, -0.5, -0.75})
	assert.Equal(t, 1, x)
	assert.Zero(t, y)
	assert.Equal(t, float32(-0.5), r)
}

func TestCorrelateRefusesBadArguments(t *testing.T) {
	p, c, out := make([]uint8, 12), make([]uint8, 4), make([]float32, 6)
	for name, f := range correlations {
		if name == "serial" {
			continue
		}
		for i, err := range []error{
			f(t.Context(), gocuda.Default(), 4, 3, 2, 2, out[:5], p, c),
			f(t.Context(), gocuda.Default(), 4, 3, 2, 2, out, p[:11], c),
			f(t.Context(), gocuda.Default(), 4, 3, 2, 2, out, p, c[:3]),
			f(t.Context(), gocuda.Default(), -4, -3, 2, 2, out, p, c),
			f(t.Context(), gocuda.Default(), 4, 3, -2, -2, out, p, c),
			f(t.Context(), gocuda.Default(), 4, 3, 0, 0, out, p, nil),
			f(t.Context(), gocuda.Default(), 4, 3, 5, 1, out, p, make([]uint8, 5)),
			f(t.Context(), gocuda.Default(), 0, 0, 1<<12, 1<<12, nil, nil, make([]uint8, 1<<24)),
			image.CorrelateBy(t.Context(), gocuda.Default(), image.Unrolled+1, 4, 3, 2, 2, out, p, c),
			image.CorrelateBy(t.Context(), gocuda.Default(), -1, 4, 3, 2, 2, out, p, c),
		} {
			assert.ErrorIs(t, err, gocuda.ErrInvalidValue, "%s, %d", name, i)
		}
	}
}
