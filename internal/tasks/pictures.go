package tasks

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // to be read
	"image/png"
	"io"
	"maps"
	"math"
	"os"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gocuda/gocuda/internal/charts"
	"github.com/gocuda/gocuda/internal/host"
)

// maxPixels is the most pixels that a picture which is read or drawn may have.
const maxPixels = 1 << 28

// readPicture reads a PNG or JPEG file.
func (e *Env) readPicture(file string) (image.Image, error) {
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

// testPicture is what tasks on pictures work on when there is no file: discs on a ramp, with an
// edge and fine stripes, which show what a filter does.
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
		return e.readPicture(e.In)
	}
	s, err := e.size(w, h)
	if err != nil {
		return nil, err
	}
	return testPicture(s[0], s[1]), nil
}

// bars draws a histogram: how often each byte occurs.
func bars(counts []uint32) image.Image {
	p := charts.New()
	p.X.Label.Text, p.Y.Label.Text = "value of the byte", "how often it occurs"
	h := &plotter.Histogram{FillColor: color.NRGBA{0x2f, 0x5f, 0xc4, 0xff}}
	for i, n := range counts {
		h.Bins = append(h.Bins, plotter.HistogramBin{Min: float64(i) - 0.5, Max: float64(i) + 0.5, Weight: float64(n)})
	}
	p.Add(charts.Lines(), h)
	p.X.Tick.Marker = plot.TickerFunc(func(low, high float64) (ticks []plot.Tick) {
		for at := 0; at < len(counts); at += 32 {
			ticks = append(ticks, plot.Tick{Value: float64(at), Label: fmt.Sprint(at)})
		}
		return ticks
	})
	p.Y.Min, p.Y.Max = 0, max(p.Y.Max, 1)
	return charts.Image(p, 480, 300)
}

// clusters draws points by their first two coordinates, in the colour of their cluster. Points
// without a place are left out.
func clusters(n, dims int, points []float32, labels []int32) image.Image {
	p := charts.New()
	p.X.Label.Text, p.Y.Label.Text = "first coordinate", "second coordinate"
	p.Add(charts.Lines())
	of := map[int32]plotter.XYs{}
	for i := range n {
		at := plotter.XY{X: float64(points[i])}
		if dims > 1 {
			at.Y = float64(points[n+i])
		}
		if plotter.CheckFloats(at.X, at.Y) == nil {
			of[labels[i]] = append(of[labels[i]], at)
		}
	}
	for _, label := range slices.Sorted(maps.Keys(of)) {
		a := 2.4 * float64(label) // the golden angle keeps neighbours apart
		c := color.RGBA{shade(0.5 + 0.45*math.Cos(a)), shade(0.45 + 0.4*math.Cos(a-2.1)), shade(0.5 + 0.45*math.Cos(a+2.1)), 255}
		p.Add(&plotter.Scatter{XYs: of[label], GlyphStyle: draw.GlyphStyle{Color: c, Radius: 0.8, Shape: draw.CircleGlyph{}}})
	}
	return charts.Image(p, 400, 400)
}
