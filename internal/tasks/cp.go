package tasks

import (
	"flag"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/apps/cp"
)

func coulomb(fs *flag.FlagSet) Job {
	atomCount := fs.Int("atoms", 1000, "the `number` of atoms that are made")
	z := fs.Float64("z", math.NaN(), "the `z` of the plane in Å (default the middle of the atoms)")
	spacing := fs.Float64("spacing", 0.1, "the `distance` between points in Å")
	margin := fs.Float64("margin", 5, "how far the plane reaches beyond the atoms of a file, in `Å`")
	method := choose(fs, "method", "where the atoms are", cp.Global, cp.Constant)
	return func(e *Env) (*Result, error) {
		if !(*spacing >= 1e-6 && *spacing <= 1e6) {
			return nil, fmt.Errorf("-spacing %v: want 0.000001 to 1000000", *spacing)
		}
		var atoms []cp.Atom
		var p cp.Plane
		var err error
		if e.In != "" {
			atoms, p, err = e.charges(*spacing, *margin)
		} else {
			atoms, p, err = e.cloud(*atomCount, float32(*spacing))
		}
		if err != nil {
			return nil, err
		}
		if !math.IsNaN(*z) {
			p.Z = float32(*z)
		}
		out := make([]float32, p.Width*p.Height)
		if err := e.timed(func() error { return cp.Potential(e.Ctx, e.On, method.is, p, atoms, out) }); err != nil {
			return nil, err
		}
		r := &Result{Numbers: table[float32]{p.Width, out}, Verify: func() error {
			want := make([]float64, len(out))
			serial.CPPotential(p, atoms, want)
			return samePotential(p, atoms, out, want)
		}}
		r.printf("atoms     %d with a charge", len(atoms))
		r.printf("points    %d by %d from (%g, %g) at z = %g, %g Å apart", p.Width, p.Height, p.X, p.Y, p.Z, p.Spacing)
		if len(out) > 0 {
			low, high := slices.Min(out), slices.Max(out)
			r.printf("potential %.4g to %.4g e/Å, %.4g to %.4g V", low, high, 14.3996*low, 14.3996*high)
		}
		r.Picture = func() image.Image { return field(p.Width, p.Height, out, typical(out)) }
		return r, nil
	}
}

// charges returns the atoms of the file that have a charge, and a plane through the middle of all.
func (e *Env) charges(spacing, margin float64) ([]cp.Atom, cp.Plane, error) {
	var p cp.Plane
	if !(margin >= 0 && margin <= 1e6) {
		return nil, p, fmt.Errorf("-margin %v: want 0 to 1000000", margin)
	}
	f, err := e.open()
	if err != nil {
		return nil, p, err
	}
	defer f.Close()
	var atoms []cp.Atom
	switch ext(e.In) {
	case ".pqr":
		atoms, err = cp.ReadPQR(f, e.In)
	case ".pdb", ".ent":
		atoms, err = cp.ReadPDB(f, e.In)
	default:
		err = fmt.Errorf("%s: unknown format; known are .pqr, .pdb and .ent", e.In)
	}
	if err != nil {
		return nil, p, err
	}
	low, high := atoms[0], atoms[0]
	for _, a := range atoms {
		low = cp.Atom{X: min(low.X, a.X), Y: min(low.Y, a.Y), Z: min(low.Z, a.Z)}
		high = cp.Atom{X: max(high.X, a.X), Y: max(high.Y, a.Y), Z: max(high.Z, a.Z)}
	}
	w := math.Ceil((float64(high.X)-float64(low.X)+2*margin)/spacing) + 1
	h := math.Ceil((float64(high.Y)-float64(low.Y)+2*margin)/spacing) + 1
	if w*h > maxSize {
		return nil, p, fmt.Errorf("%s: a plane of %.4g by %.4g points, and there may be %d; -spacing makes it fewer", e.In, w, h, maxSize)
	}
	if err := e.fits(w * h); err != nil {
		return nil, p, err
	}
	// One without a charge in the place of a point would make it no number.
	atoms = slices.DeleteFunc(atoms, func(a cp.Atom) bool { return a.Charge == 0 })
	p = cp.Plane{
		Width: int(w), Height: int(h), Spacing: float32(spacing),
		X: float32(float64(low.X) - margin), Y: float32(float64(low.Y) - margin), Z: low.Z/2 + high.Z/2,
	}
	return atoms, p, nil
}

// cloud returns a plane of the size that is asked for, and n atoms up to 5 Å above and below it.
func (e *Env) cloud(n int, spacing float32) ([]cp.Atom, cp.Plane, error) {
	s, err := e.size(512, 512)
	if err != nil {
		return nil, cp.Plane{}, err
	}
	if n < 0 || n > maxSize/16 {
		return nil, cp.Plane{}, fmt.Errorf("-atoms %d: want 0 to %d", n, maxSize/16)
	}
	p := cp.Plane{Width: s[0], Height: s[1], Spacing: spacing}
	r := e.random()
	atoms := make([]cp.Atom, n)
	for i := range atoms {
		atoms[i] = cp.Atom{
			X: spacing * float32(s[0]) * r.Float32(), Y: spacing * float32(s[1]) * r.Float32(), Z: 10*r.Float32() - 5, Charge: 2*r.Float32() - 1,
		}
	}
	return atoms, p, nil
}

// samePotential returns an error unless each potential is within the error that package cp allows.
// Where a point and an atom are the same up to rounding, that is any.
func samePotential(p cp.Plane, atoms []cp.Atom, got []float32, want []float64) error {
	const u = 0x1p-24
	for i, w := range want {
		g := float64(got[i])
		x, y := float64(p.X)+float64(p.Spacing)*float64(i%p.Width), float64(p.Y)+float64(p.Spacing)*float64(i/p.Width)
		off := u * (math.Abs(float64(p.X)) + 3*math.Abs(x) + math.Abs(float64(p.Y)) + 3*math.Abs(y))
		tolerance := 0.0
		for _, a := range atoms {
			dx, dy, dz := x-float64(a.X), y-float64(a.Y), float64(p.Z)-float64(a.Z)
			d := math.Sqrt(dx*dx + dy*dy + dz*dz)
			if d <= 2*off { // as good as in the atom
				tolerance = math.Inf(1)
				break
			}
			tolerance += math.Abs(float64(a.Charge)) / d * (float64(len(atoms)+12)*u + 2*off/d)
		}
		if !(math.Abs(g-w) <= tolerance) && !math.IsInf(tolerance, 1) {
			return fmt.Errorf("point %d has the potential %v, want %v within %.3g", i, g, w, tolerance)
		}
	}
	return nil
}

// typical returns twice the mean magnitude of the numbers that are finite, the scale of a picture
// in which a few are very large.
func typical(v []float32) float64 {
	sum, n := 0.0, 0
	for _, x := range v {
		if x := math.Abs(float64(x)); x <= math.MaxFloat32 {
			sum += x
			n++
		}
	}
	return 2 * sum / float64(max(n, 1))
}
