package tasks

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"path/filepath"

	"gonum.org/v1/plot/plotter"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/internal/charts"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/texture"
	"github.com/gocuda/gocuda/mem"
)

// The tasks on textures: address modes, weights of filtering, and a pixel shader.

func textureTasks() []Task {
	return []Task{
		{"addressing", "a picture as a texture, also beyond its edges", takesPicture, "640x480", Values | Picture, addressing, 57, 28},
		{"weights", "what a texture is between two texels: the nine bits of its weights", "", "4096", Values | Picture, weights, 4, 260},
		{"shader", "a lit sphere that mirrors its surroundings: the pixel shader of environment mapping", "", "640x480", Values | Picture, shader, 150, 140},
	}
}

// An addressMode is how a texture goes on beyond its edges.
type addressMode mem.AddressMode

func (m addressMode) String() string {
	switch mem.AddressMode(m) {
	case mem.AddressWrap:
		return "wrap"
	case mem.AddressClamp:
		return "clamp"
	case mem.AddressMirror:
		return "mirror"
	case mem.AddressBorder:
		return "border"
	}
	return fmt.Sprintf("addressMode(%d)", int(m))
}

func addressing(fs *flag.FlagSet) Job {
	modes := func(axis string) *choice[addressMode] {
		return choose(fs, axis, "the address mode along "+axis, addressMode(mem.AddressWrap), addressMode(mem.AddressClamp),
			addressMode(mem.AddressMirror), addressMode(mem.AddressBorder))
	}
	x, y := modes("x"), modes("y")
	filter := choose[name](fs, "filter", "how it is read between texels", "point", "linear")
	unnormalized := fs.Bool("unnormalized", false, "use coordinates of texels, which know no wrap and no mirror")
	border := fs.Float64("border", 0.5, "the `brightness` of the border, from 0 to 1")
	from := fs.Float64("from", -1, "the left and upper edge of the result, in `pictures`")
	to := fs.Float64("to", 2, "the right and lower edge of the result, in `pictures`")
	return func(e *Env) (*Result, error) {
		if !(math.Abs(*from) <= 1000 && math.Abs(*to) <= 1000) {
			return nil, fmt.Errorf("-from %v -to %v: want -1000 to 1000", *from, *to)
		}
		a, b := float32(*from), float32(*to)
		win := texture.Window{X0: a, Y0: a, X1: b, Y1: b}
		desc := mem.TextureDesc{
			AddressMode: [3]mem.AddressMode{mem.AddressMode(x.is), mem.AddressMode(y.is)}, NormalizedCoords: !*unnormalized,
			BorderColor: [4]float32{float32(*border)},
		}
		if filter.is == "linear" {
			desc.FilterMode = mem.FilterLinear
		}
		return e.filtered(
			func(want, plane []float32, w, h int) { serial.TextureAddress(desc, win, w, h, want, w, h, plane) },
			func([]float32) float64 { return 0x1p-22 },
			func(out, in []float32, w, h int) error {
				return texture.Address(e.Ctx, e.On, desc, win, w, h, out, w, h, in)
			}, fromPlanes)
	}
}

func weights(fs *flag.FlagSet) Job {
	from := fs.Float64("from", 0, "the first `texel`")
	to := fs.Float64("to", 1, "the second `texel`")
	return func(e *Env) (*Result, error) {
		s, err := e.size(4096)
		if err != nil {
			return nil, err
		}
		out := make([]float32, s[0])
		a, b := float32(*from), float32(*to)
		if err := e.timed(func() error { return texture.Weights(e.Ctx, e.On, a, b, out) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: column(out), Verify: func() error {
			want := make([]float32, len(out))
			serial.TextureWeights(a, b, want)
			return near(out, want, 0x1p-22*max(math.Abs(*from), math.Abs(*to)))
		}}
		values := map[float32]bool{}
		for _, v := range out {
			values[v] = true
		}
		r.printf("places    %d between the middles of two texels, %v and %v", len(out), a, b)
		r.printf("values    %d different ones", len(values))
		r.Picture = func() image.Image { return steps(out) }
		return r, nil
	}
}

// steps draws the first sixteenth of numbers over where they are, which shows single steps.
func steps(out []float32) image.Image {
	p := charts.New()
	p.X.Label.Text, p.Y.Label.Text = "place between two texels", "value of the texture"
	p.Add(charts.Lines())
	var line plotter.XYs
	for i, v := range out[:len(out)/16] {
		line = append(line, plotter.XY{X: float64(i) / float64(len(out)), Y: float64(v)})
	}
	if l, err := plotter.NewLine(line); err == nil { // there is one, and its numbers are numbers
		l.Color = color.NRGBA{0x2f, 0x5f, 0xc4, 0xff}
		p.Add(l)
	}
	return charts.Image(p, 480, 300)
}

func shader(fs *flag.FlagSet) Job {
	shiny := fs.Float64("shiny", 0.4, "how much the sphere mirrors, from 0 to 1")
	turn := fs.Float64("turn", 30, "by how many `degrees` the sphere is turned")
	surface := fs.String("surface", "", "a picture `file` for the surface, PNG or JPEG, from pole to pole and once round (default chequered)")
	around := fs.String("surroundings", "", "a picture `file` of the surroundings, PNG or JPEG, from the zenith down and once round (default a sun over a plain)")
	return func(e *Env) (*Result, error) {
		switch {
		case !(*shiny >= 0 && *shiny <= 1):
			return nil, fmt.Errorf("-shiny %v: want 0 to 1", *shiny)
		case !(math.Abs(*turn) <= 1e6):
			return nil, fmt.Errorf("-turn %v: want -1000000 to 1000000", *turn)
		}
		skin, skinW, skinH, err := e.texels(*surface, chequered)
		if err != nil {
			return nil, err
		}
		sky := plain
		if *around != "" {
			texels, w, h, err := e.texels(*around, nil)
			if err != nil {
				return nil, err
			}
			sky = func(x, y, z float64) texture.Texel {
				u, v := 0.5+math.Atan2(x, -z)/(2*math.Pi), math.Acos(min(max(y, -1), 1))/math.Pi
				return texels[min(int(v*float64(h)), h-1)*w+min(int(u*float64(w)), w-1)]
			}
		}
		s, err := e.size(640, 480)
		if err != nil {
			return nil, err
		}
		w, h := s[0], s[1]
		const side = 256
		env := cube(side, sky)
		sphere, background := texture.Sphere(w, h, *turn*math.Pi/180, sun)
		color := make([]device.Float4, w*h)
		err = e.timed(func() error {
			if err := texture.Reflection(e.Ctx, e.On, 1, skinW, skinH, skin, side, env, background, color); err != nil {
				return err
			}
			return texture.Reflection(e.Ctx, e.On, float32(*shiny), skinW, skinH, skin, side, env, sphere, color)
		})
		if err != nil {
			return nil, err
		}
		all := make([]float32, 0, 4*w*h)
		for _, c := range color {
			all = append(all, c.X, c.Y, c.Z, c.W)
		}
		r := &Result{Numbers: table[float32]{4, all}, Verify: func() error {
			want := make([]device.Float4, w*h)
			serial.TextureReflection(1, skinW, skinH, skin, side, env, background, want)
			serial.TextureReflection(float32(*shiny), skinW, skinH, skin, side, env, sphere, want)
			for i, c := range want {
				if err := near(all[4*i:4*i+4], []float32{c.X, c.Y, c.Z, c.W}, 0x1p-20); err != nil {
					return fmt.Errorf("pixel %d: %w", i, err)
				}
			}
			return nil
		}}
		r.printf("pixels    %d by %d, %d of them of the sphere; a line of the file is red, green, blue and alpha of a pixel", w, h, len(sphere))
		r.Picture = func() image.Image {
			m := image.NewRGBA(image.Rect(0, 0, w, h))
			for i := range w * h {
				m.SetRGBA(i%w, i/w, rgba(all[4*i], all[4*i+1], all[4*i+2]))
			}
			return m
		}
		return r, nil
	}
}

func rgba(r, g, b float32) color.RGBA {
	return color.RGBA{shade(float64(r)), shade(float64(g)), shade(float64(b)), 255}
}

// texels returns those of a picture file, or what make makes if there is no name.
func (e *Env) texels(file string, make func() ([]texture.Texel, int, int)) (all []texture.Texel, w, h int, err error) {
	if file == "" {
		all, w, h = make()
		return all, w, h, nil
	}
	for _, out := range []string{e.Out, e.PNG} {
		if out != "" && filepath.Clean(out) == filepath.Clean(file) {
			return nil, 0, 0, fmt.Errorf("%s would be overwritten", file)
		}
	}
	m, err := e.readPicture(file)
	if err != nil {
		return nil, 0, 0, err
	}
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			all = append(all, texture.Texel{c.R, c.G, c.B, c.A})
		}
	}
	return all, b.Dx(), b.Dy(), nil
}

// chequered is a surface of fields, sixteen round and eight from pole to pole.
func chequered() (all []texture.Texel, w, h int) {
	w, h = 512, 256
	for p := range w * h {
		c := texture.Texel{200, 60, 40, 255}
		if (p%w/32+p/w/32)%2 == 0 {
			c = texture.Texel{235, 225, 190, 255}
		}
		all = append(all, c)
	}
	return all, w, h
}

// sun is the direction to the sun of plain.
var sun = [3]float64{0.55, 0.55, 0.63}

// plain is the surroundings in a direction: a sun in a blue sky, over a chequered plain.
func plain(x, y, z float64) texture.Texel {
	if y < 0 {
		const below = 2 // radii that the plain lies below the middle of the sphere
		fx, fz := math.Floor(-below*x/y), math.Floor(-below*z/y)
		v := 0.35 + 0.25*math.Mod(math.Abs(fx+fz), 2)
		far := math.Exp(y * 12) // 1 at the horizon, where fields are too small to tell
		v += (0.475 - v) * far
		return texture.Texel{shade(v), shade(v), shade(0.9 * v), 255}
	}
	near := (x*sun[0] + y*sun[1] + z*sun[2]) / math.Sqrt(sun[0]*sun[0]+sun[1]*sun[1]+sun[2]*sun[2])
	glow := math.Pow(max(near, 0), 60)
	if near > 0.995 {
		glow = 1
	}
	mix := func(low, high float64) uint8 { c := low + (high-low)*math.Sqrt(y); return shade(c + (1-c)*glow) }
	return texture.Texel{mix(0.8, 0.2), mix(0.87, 0.42), mix(0.95, 0.8), 255}
}

// cube is the surroundings as six faces.
func cube(side int, sky func(x, y, z float64) texture.Texel) []texture.Texel {
	env := make([]texture.Texel, 6*side*side)
	for p := range env {
		x, y, z := texture.CubeDirection(p/(side*side), p%side, p/side%side, side)
		l := math.Sqrt(x*x + y*y + z*z)
		env[p] = sky(x/l, y/l, z/l)
	}
	return env
}
