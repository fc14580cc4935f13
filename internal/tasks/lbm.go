package tasks

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/lbm"
)

func lbmTask(fs *flag.FlagSet) Job {
	steps := fs.Int("steps", 500, "the `number` of steps")
	layout := choose(fs, "layout", "how the fluid lies in memory", lbm.Arrays, lbm.Structs, lbm.Buffered)
	across := choose(fs, "across", "the axis that the picture's plane is across, in the middle of the box", name("y"), name("z"), name("x"))
	return func(e *Env) (*Result, error) {
		g, flow, err := e.fluid()
		if err != nil {
			return nil, err
		}
		if *steps < 0 {
			return nil, fmt.Errorf("-steps %d: want 0 or more", *steps)
		}
		l, err := lbm.New(layout.is, g)
		if err != nil {
			return nil, err
		}
		for i := range *steps {
			if err := e.step(i, *steps, "step"); err != nil {
				return nil, err
			}
			if err := e.timed(func() error { return l.Step(e.Ctx, e.On, flow, 1) }); err != nil {
				return nil, err
			}
		}
		n := len(g.Cells)
		pops := make([]float32, 19*n)
		if err := l.Store(pops); err != nil {
			return nil, err
		}
		out := make([]float32, 4*n) // density and velocity
		mass, fastest, fluid := 0.0, 0.0, 0
		for i, kind := range g.Cells {
			if kind == lbm.Solid {
				continue
			}
			rho, u := lbm.Moments(pops, i, flow.Force)
			if kind == lbm.Lid {
				u = flow.Lid
			}
			copy(out[4*i:], []float32{rho, u.X, u.Y, u.Z})
			fluid++
			mass += float64(rho)
			speed := length(u)
			if math.IsNaN(speed) {
				return nil, fmt.Errorf("the fluid at cell %d has no velocity after %d steps: it is too fast, or omega %v too near to 2", i, *steps, flow.Omega)
			}
			fastest = max(fastest, speed)
		}
		r := &Result{Numbers: table[float32]{4, out}, Verify: func() error {
			// Errors of rounding grow where a flow is turbulent, so only the first steps are
			// compared, from the start.
			first := min(*steps, 50)
			l.Rest()
			if err := l.Step(e.Ctx, e.On, flow, first); err != nil {
				return err
			}
			if err := l.Store(pops); err != nil {
				return err
			}
			want, next := make([]float64, len(pops)), make([]float64, len(pops))
			for i := range first {
				if err := e.step(i, first, "step of the reference"); err != nil {
					return err
				}
				serial.LBMStep(g, flow, want, next)
				want, next = next, want
			}
			// A step rounds a population some 40 times, by 2^-24 of it at most.
			size := 0.0
			for _, f := range want {
				size = max(size, math.Abs(f))
			}
			tolerance := 40 * 0x1p-24 * size * float64(first)
			for i, w := range want {
				if g := float64(pops[i]); !(math.Abs(g-w) <= tolerance) {
					return fmt.Errorf("population %d of cell %d is %v after %d steps, want %v within %.3g", i/n, i%n, g, first, w, tolerance)
				}
			}
			return nil
		}}
		r.printf("cells     %d by %d by %d, %d of them fluid, %d steps; a line of the file is density, vx, vy, vz", g.X, g.Y, g.Z, fluid, *steps)
		r.printf("flow      omega %v, viscosity %.4g, lid %v, force %v", flow.Omega, lbm.Viscosity(float64(flow.Omega)), flow.Lid, flow.Force)
		r.printf("mass      %.9g, of %d at the beginning", mass, fluid)
		r.printf("velocity  %.4g at most", fastest)
		r.Picture = func() image.Image { return stream(g, out, fastest, string(across.is)) }
		return r, nil
	}
}

func length(u kernels.Vec3[float32]) float64 {
	return math.Sqrt(float64(u.X)*float64(u.X) + float64(u.Y)*float64(u.Y) + float64(u.Z)*float64(u.Z))
}

// fluid returns the geometry of the file, or a cavity with a lid.
func (e *Env) fluid() (g lbm.Geometry, flow lbm.Flow, err error) {
	if e.In != "" {
		f, err := e.open()
		if err != nil {
			return g, flow, err
		}
		defer f.Close()
		if g, flow, err = lbm.Read(f, e.In); err != nil {
			return g, flow, err
		}
		return g, flow, e.fits(float64(len(g.Cells)))
	}
	s, err := e.size(64, 64, 64)
	if err != nil {
		return g, flow, err
	}
	g, err = lbm.Cavity(s[0], s[1], s[2])
	return g, lbm.Standard, err
}

// stream draws the velocity in the plane in the middle of an axis: the brighter, the faster, with
// lines in the direction of the flow, which begin at dots. Walls are grey. The picture's axes are
// the two others, the first to the right and the second up.
func stream(g lbm.Geometry, v []float32, fastest float64, across string) image.Image {
	size := [3]int{g.X, g.Y, g.Z}
	a, b, c := 0, 2, 1
	switch across {
	case "x":
		a, b, c = 1, 2, 0
	case "z":
		a, b, c = 0, 1, 2
	}
	w, h := size[a], size[b]
	scale := min(max(1, 640/max(w, h)), 16) // pixels a cell
	cell := func(x, y int) int {
		var at [3]int
		at[a], at[b], at[c] = x, y, size[c]/2
		return (at[2]*g.Y+at[1])*g.X + at[0]
	}
	if fastest == 0 {
		fastest = 1
	}
	m := image.NewRGBA(image.Rect(0, 0, w*scale, h*scale))
	for py := range h * scale {
		for px := range w * scale {
			i := cell(px/scale, h-1-py/scale)
			at := color.RGBA{90, 90, 90, 255}
			if g.Cells[i] != lbm.Solid {
				s := math.Sqrt(length(kernels.Vec3[float32]{X: v[4*i+1], Y: v[4*i+2], Z: v[4*i+3]}) / fastest) // the root shows slow parts, too
				at = color.RGBA{shade(1.6*s - 0.6), shade(1.2 * s * s), shade(0.25 + 0.6*s - 0.5*s*s), 255}
			}
			m.SetRGBA(px, py, at)
		}
	}
	const apart = 24 // pixels from line to line
	white := color.RGBA{255, 255, 255, 255}
	for py := apart / 2; py < h*scale; py += apart {
		for px := apart / 2; px < w*scale; px += apart {
			i := cell(px/scale, h-1-py/scale)
			du, dv := float64(v[4*i+1+a]), float64(v[4*i+1+b])
			s := math.Hypot(du, dv)
			if g.Cells[i] == lbm.Solid || s < 1e-3*fastest {
				continue
			}
			for t := 0.0; t < apart*0.75; t += 0.5 {
				m.SetRGBA(px+int(math.Round(t*du/s)), py-int(math.Round(t*dv/s)), white)
			}
			for _, d := range []image.Point{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}} {
				m.SetRGBA(px+d.X, py+d.Y, white)
			}
		}
	}
	return m
}
