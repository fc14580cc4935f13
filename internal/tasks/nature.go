package tasks

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	knbody "github.com/gocuda/gocuda/kernels/nbody"
)

// The tasks that are pictures by themselves: Mandelbrot's set, waves and bodies.

func natureTasks() []Task {
	return []Task{
		{"mandelbrot", "the Mandelbrot set by escape time", "", "1024x1024", Values | Picture, mandelbrot, 4, 8},
		{"fdtd", "an electromagnetic wave around a cylinder, by finite differences", "", "512x512", Values | Picture, fdtd, 18, 21},
		{"nbody", "a cloud of bodies under gravity", "", "4096", Values | Picture, nbody, 122, 200},
	}
}

func mandelbrot(fs *flag.FlagSet) Job {
	x := fs.Float64("x", -0.5, "the middle of the picture, real `part`")
	y := fs.Float64("y", 0, "the middle of the picture, imaginary `part`")
	height := fs.Float64("height", 3, "the `height` of the picture in the plane")
	iterations := fs.Int("iterations", 256, "the most `steps` of a point, after which it counts as in the set")
	return func(e *Env) (*Result, error) {
		s, err := e.size(1024, 1024)
		if err != nil {
			return nil, err
		}
		if *iterations < 0 || *iterations > math.MaxInt32 {
			return nil, fmt.Errorf("-iterations %d: want 0 to %d", *iterations, math.MaxInt32)
		}
		w, h := s[0], s[1]
		dy := *height / 2
		dx := dy * float64(w) / float64(h)
		x0, x1, y0, y1 := float32(*x-dx), float32(*x+dx), float32(*y+dy), float32(*y-dy)
		steps := make([]int32, w*h)
		err = e.timed(func() error {
			return kernels.Mandelbrot(e.Ctx, e.On, w, h, x0, y0, x1, y1, int32(*iterations), steps)
		})
		if err != nil {
			return nil, err
		}
		in := 0
		for _, n := range steps {
			if int(n) == *iterations {
				in++
			}
		}
		r := &Result{Numbers: table[int32]{w, steps}, Verify: func() error {
			want := make([]int32, w*h)
			serial.Mandelbrot(w, h, x0, y0, x1, y1, int32(*iterations), want)
			return same(steps, want)
		}}
		r.printf("pixels    %d by %d, %.1f %% of them in the set", w, h, 100*float64(in)/float64(w*h))
		r.Picture = func() image.Image { return escape(w, h, steps, int32(*iterations)) }
		return r, nil
	}
}

// escape colours the numbers of steps: the set is black.
func escape(w, h int, steps []int32, most int32) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i, n := range steps {
		c := color.RGBA{A: 255}
		if n < most {
			// Cosines of different phase go through the colours; the root spreads the first steps.
			u := math.Sqrt(float64(n) / float64(most))
			c.R = shade(0.5 - 0.5*math.Cos(2*math.Pi*u))
			c.G = shade(0.5 - 0.5*math.Cos(2*math.Pi*1.5*u))
			c.B = shade(0.5 - 0.5*math.Cos(2*math.Pi*(0.2+2*u)))
		}
		m.SetRGBA(i%w, i/w, c)
	}
	return m
}

func fdtd(fs *flag.FlagSet) Job {
	steps := fs.Int("steps", 500, "the `number` of steps")
	wavelength := fs.Float64("wavelength", 24, "the wavelength in empty space, in `cells`")
	index := fs.Float64("index", 1.5, "the refractive `index` of the cylinder; 0 makes it a conductor")
	return func(e *Env) (*Result, error) {
		s, err := e.size(512, 512)
		if err != nil {
			return nil, err
		}
		switch {
		case *steps < 0:
			return nil, fmt.Errorf("-steps %d: want 0 or more", *steps)
		case !(*wavelength >= 4):
			return nil, fmt.Errorf("-wavelength %v: want 4 cells or more", *wavelength)
		case *index != 0 && !(*index >= 1):
			return nil, fmt.Errorf("-index %v: want 0, or 1 or more", *index)
		}
		w, h := s[0], s[1]
		const courant = 0.7
		setup := func() (*kernels.FDTD, error) {
			f, err := kernels.NewFDTD(w, h, courant)
			if err != nil {
				return nil, err
			}
			for i := range f.Ce {
				if math.Hypot(float64(i%w-w/2), float64(i/w-h/2)) < float64(min(w, h))/8 {
					f.Ce[i] = 0
					if *index != 0 {
						f.Ce[i] = float32(courant / (*index * *index))
					}
				}
			}
			return f, nil
		}
		// A line of sources a tenth of the way in radiates to both sides.
		source := func(f *kernels.FDTD, step int) {
			v := float32(math.Sin(2 * math.Pi * courant * float64(step) / *wavelength))
			for y := h / 10; y < h-h/10; y++ {
				if x := w / 10; x > 0 && y > 0 && y < h-1 {
					f.Ez[y*w+x] += v / 4
				}
			}
		}
		f, err := setup()
		if err != nil {
			return nil, err
		}
		for i := range *steps {
			if err := e.step(i, *steps, "step"); err != nil {
				return nil, err
			}
			source(f, i)
			if err := e.timed(func() error { return kernels.FDTDStep(e.Ctx, e.On, f) }); err != nil {
				return nil, err
			}
		}
		r := &Result{Numbers: table[float32]{w, f.Ez}, Verify: func() error {
			want, err := setup()
			if err != nil {
				return err
			}
			for i := range *steps {
				if err := e.step(i, *steps, "step of the reference"); err != nil {
					return err
				}
				source(want, i)
				serial.FDTDStep(want)
			}
			return errors.Join(near(f.Ez, want.Ez, 0), near(f.Hx, want.Hx, 0), near(f.Hy, want.Hy, 0))
		}}
		r.printf("cells     %d by %d, %d steps", w, h, *steps)
		r.printf("field     %.4g at most", largest(f.Ez))
		r.Picture = func() image.Image { return field(w, h, f.Ez, 1) }
		return r, nil
	}
}

func nbody(fs *flag.FlagSet) Job {
	steps := fs.Int("steps", 100, "the `number` of steps")
	dt := fs.Float64("dt", 0.01, "the `time` of a step")
	softening := fs.Float64("softening", 0.05, "the `length` below which attraction fades")
	method := choose(fs, "method", "how a body meets all others", knbody.Tiled, knbody.Global, knbody.Several, knbody.Constant, knbody.Shuffle, knbody.Blocks)
	shape := choose[name](fs, "shape", "how the bodies begin: a disc, or a shell that rotates", "disc", "shell")
	var pictures animation
	fs.StringVar(&pictures.name, "gif", "", "show the bodies on their way in an animated GIF `file`")
	fs.IntVar(&pictures.frames, "frames", 12, "the `number` of pictures of -gif")
	return func(e *Env) (*Result, error) {
		s, err := e.size(4096)
		if err != nil {
			return nil, err
		}
		if *steps < 0 {
			return nil, fmt.Errorf("-steps %d: want 0 or more", *steps)
		}
		if !(*softening >= 1e-3) {
			return nil, fmt.Errorf("-softening %v: want 0.001 or more", *softening)
		}
		if err := pictures.check(e.Options); err != nil {
			return nil, err
		}
		n := s[0]
		// A disc that turns about as fast as its own weight demands.
		r := e.random()
		bodies, vel, acc := make([]knbody.Body[float32], n), make([]kernels.Vec3[float32], n), make([]kernels.Vec3[float32], n)
		for i := range bodies {
			if shape.is == "shell" {
				bodies[i], vel[i] = shellBody(r, n)
				continue
			}
			d, a := math.Sqrt(r.Float64()), 2*math.Pi*r.Float64()
			sin, cos := math.Sincos(a)
			bodies[i] = knbody.Body[float32]{X: float32(d * cos), Y: float32(d * sin), Z: float32(0.05 * r.NormFloat64()), Mass: 1 / float32(n)}
			v := math.Sqrt(d) // enclosed mass d², so v² = d²/d
			vel[i] = kernels.Vec3[float32]{X: float32(-v * sin), Y: float32(v * cos)}
		}
		wantBodies, wantVel := append([]knbody.Body[float32](nil), bodies...), append([]kernels.Vec3[float32](nil), vel...)
		if pictures.due(0, *steps) {
			pictures.take(cloud(400, bodies))
		}
		for i := range *steps {
			if err := e.step(i, *steps, "step"); err != nil {
				return nil, err
			}
			err := e.timed(func() error {
				return knbody.Leapfrog(e.Ctx, e.On, method.is, 1, float32(*dt), float32(*softening), bodies, vel, acc)
			})
			if err != nil {
				return nil, err
			}
			if pictures.due(i+1, *steps) {
				pictures.take(cloud(400, bodies))
			}
		}
		out := make([]float32, 0, 7*n)
		for i, b := range bodies {
			v := vel[i]
			out = append(out, b.X, b.Y, b.Z, v.X, v.Y, v.Z, b.Mass)
		}
		res := &Result{Numbers: table[float32]{7, out}, Verify: func() error {
			// Errors of rounding grow with every near encounter, so one step is compared, from the
			// start.
			got, gotVel := append([]knbody.Body[float32](nil), wantBodies...), append([]kernels.Vec3[float32](nil), wantVel...)
			err := knbody.Leapfrog(e.Ctx, e.On, method.is, 1, float32(*dt), float32(*softening), got, gotVel, acc)
			if err != nil {
				return err
			}
			serial.Leapfrog(1, float32(*dt), float32(*softening), wantBodies, wantVel, acc)
			// A pull is at most 0.385/eps² (where d = eps/√2) over n, and known to some 32
			// roundings; n of them are added in any order, here and in the reference.
			pull := 0.385 / (*softening * *softening)
			tolerance := *dt**dt*2*float64(n+32)*0x1p-24*pull + 0x1p-20
			for i, b := range wantBodies {
				g := got[i]
				if err := near([]float32{g.X, g.Y, g.Z}, []float32{b.X, b.Y, b.Z}, tolerance); err != nil {
					return fmt.Errorf("body %d after one step: %v", i, err)
				}
			}
			return nil
		}}
		res.printf("bodies    %d, %d steps; a line of the file is x, y, z, vx, vy, vz, mass", n, *steps)
		res.Picture = func() image.Image { return cloud(800, bodies) }
		if pictures.name != "" {
			res.Animation = pictures.write
		}
		return res, nil
	}
}

// cloud draws bodies, seen along z, from -1.5 to 1.5. Each is a cross of five pixels; where several
// are, it is brighter.
func cloud(size int, bodies []knbody.Body[float32]) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, size, size))
	for _, b := range bodies {
		x, y := int((b.X/3+0.5)*float32(size)), int((0.5-b.Y/3)*float32(size))
		for _, d := range []image.Point{{}, {X: -1}, {X: 1}, {Y: -1}, {Y: 1}} {
			if at := image.Pt(x, y).Add(d); at.In(m.Rect) {
				p := &m.Pix[m.PixOffset(at.X, at.Y)]
				*p = uint8(min(255, int(*p)+110))
			}
		}
	}
	return m
}

// shellBody returns a body of a shell of n around the origin, of radius 0.9 to 1 and mass 1, that
// turns about the z axis as a whole: at the equator as fast as a body on a circle there (Nickolls
// and Kirk, figure B.8.17, which gives no figures).
func shellBody(r *rand.Rand, n int) (knbody.Body[float32], kernels.Vec3[float32]) {
	z, a := 2*r.Float64()-1, 2*math.Pi*r.Float64() // uniform on a sphere, by Archimedes
	d := 0.9 + 0.1*r.Float64()
	sin, cos := math.Sincos(a)
	x, y := d*math.Sqrt(1-z*z)*cos, d*math.Sqrt(1-z*z)*sin
	return knbody.Body[float32]{X: float32(x), Y: float32(y), Z: float32(d * z), Mass: 1 / float32(n)},
		kernels.Vec3[float32]{X: float32(-y), Y: float32(x)}
}
