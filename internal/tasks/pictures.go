package tasks

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // to be read
	"image/png"
	"io"
	"math"
	"os"
	"slices"

	"github.com/gocuda/gocuda/internal/host"
)

// maxPixels is the most pixels that a picture which is read or drawn may have.
const maxPixels = 1 << 28

// readPicture reads a PNG or JPEG file.
func (e *Env) readPicture() (image.Image, error) {
	file := e.In
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// A few bytes can claim a size that fills the memory.
	c, _, err := image.DecodeConfig(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w (PNG and JPEG are known)", file, err)
	}
	if int64(c.Width)*int64(c.Height) > maxPixels {
		return nil, fmt.Errorf("%s: %d by %d pixels are more than %d", file, c.Width, c.Height, maxPixels)
	}
	const decoded = 24 // bytes a pixel at most, while it is read
	if err := host.Need(float64(c.Width)*float64(c.Height)*float64(e.perElement+decoded), file); err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	m, _, err := image.Decode(bufio.NewReader(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

func writePNG(w io.Writer, m image.Image) error {
	if m.Bounds().Empty() {
		return fmt.Errorf("the picture would have %d by %d pixels", m.Bounds().Dx(), m.Bounds().Dy())
	}
	out := bufio.NewWriter(w)
	if err := png.Encode(out, m); err != nil {
		return err
	}
	return out.Flush()
}

// grey returns the brightness of a picture, row by row, from 0 to 255.
func grey(m image.Image) (w, h int, v []uint8) {
	b := m.Bounds()
	w, h = b.Dx(), b.Dy()
	v = make([]uint8, 0, w*h)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			v = append(v, color.GrayModel.Convert(m.At(x, y)).(color.Gray).Y)
		}
	}
	return w, h, v
}

// planes returns the red, green and blue of a picture, row by row, from 0 to 1.
func planes(m image.Image) (w, h int, rgb [3][]float32) {
	b := m.Bounds()
	w, h = b.Dx(), b.Dy()
	for i := range rgb {
		rgb[i] = make([]float32, 0, w*h)
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, _ := m.At(x, y).RGBA()
			rgb[0] = append(rgb[0], float32(r)/0xffff)
			rgb[1] = append(rgb[1], float32(g)/0xffff)
			rgb[2] = append(rgb[2], float32(bl)/0xffff)
		}
	}
	return w, h, rgb
}

// fromPlanes is the opposite of planes.
func fromPlanes(w, h int, rgb [3][]float32) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		for c := range rgb {
			m.Pix[4*i+c] = shade(float64(rgb[c][i]))
		}
		m.Pix[4*i+3] = 255
	}
	return m
}

// shade returns v, from 0 to 1, as a byte.
func shade(v float64) uint8 { return uint8(math.Round(255 * min(max(v, 0), 1))) }

// field draws numbers with their signs: white is 0, red is scale and more, blue -scale and less.
func field(w, h int, v []float32, scale float64) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	if scale == 0 {
		scale = 1
	}
	for i := range w * h {
		x := min(max(float64(v[i])/scale, -1), 1)
		c := color.RGBA{255, shade(1 - x), shade(1 - x), 255}
		if x < 0 {
			c = color.RGBA{shade(1 + x), shade(1 + x), 255, 255}
		}
		if x != x { // NaN
			c = color.RGBA{A: 255}
		}
		m.SetRGBA(i%w, i/w, c)
	}
	return m
}

// testPicture is what tasks on pictures work on when there is no file: discs on a ramp, with an edge and fine
// stripes, which show what a filter does.
func testPicture(w, h int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			u, v := float64(x)/float64(w), float64(y)/float64(h)
			r, g, b := 0.2+0.5*u, 0.3+0.3*v, 0.6-0.4*u
			for k := range 5 {
				cx, cy := 0.15+0.175*float64(k), 0.3+0.1*float64(k%2)
				if math.Hypot((u-cx)*float64(w), (v-cy)*float64(h)) < (0.03+0.015*float64(k))*float64(min(w, h)) {
					r, g, b = float64(k%2), float64(k/2)/2, 1-float64(k)/5
				}
			}
			if v > 0.75 {
				s := float64(x / max(1, 1+8*y/h) % 2)
				r, g, b = s, s, s
			}
			m.SetRGBA(x, y, color.RGBA{shade(r), shade(g), shade(b), 255})
		}
	}
	return m
}

// picture returns the picture to work on.
func (e *Env) picture(w, h int) (image.Image, error) {
	if e.In != "" {
		return e.readPicture()
	}
	s, err := e.size(w, h)
	if err != nil {
		return nil, err
	}
	return testPicture(s[0], s[1]), nil
}

// bars draws a histogram: a bar two pixels wide for each count.
func bars(counts []uint32) image.Image {
	const height = 256
	most := slices.Max(counts)
	m := image.NewGray(image.Rect(0, 0, 2*len(counts), height))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	for i, n := range counts {
		h := int(float64(n) / float64(max(most, 1)) * height)
		for y := height - h; y < height; y++ {
			m.SetGray(2*i, y, color.Gray{})
			m.SetGray(2*i+1, y, color.Gray{})
		}
	}
	return m
}

// clusters draws points by their first two coordinates, in the colour of their cluster.
func clusters(size, n, dims int, points []float32, labels []int32) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, size, size))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	if n == 0 {
		return m
	}
	xs := points[:n]
	ys := make([]float32, n)
	if dims > 1 {
		ys = points[n : 2*n]
	}
	scale := func(v []float32) func(i int) int {
		low, high := slices.Min(v), slices.Max(v)
		return func(i int) int { return int((v[i]-low)/max(high-low, 1e-30)*float32(size-3)) + 1 }
	}
	across, up := scale(xs), scale(ys)
	for i := range n {
		a := 2.4 * float64(labels[i]) // the golden angle keeps neighbours apart
		c := color.RGBA{shade(0.5 + 0.45*math.Cos(a)), shade(0.45 + 0.4*math.Cos(a-2.1)), shade(0.5 + 0.45*math.Cos(a+2.1)), 255}
		x, y := across(i), size-1-up(i)
		m.SetRGBA(x, y, c)
		m.SetRGBA(x+1, y, c)
	}
	return m
}
