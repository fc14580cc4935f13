package tasks

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"io"
	"math"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/apps/rpes"
)

// Two-electron integrals of a molecule.

var rpesTask = Task{"rpes", "two-electron integrals of a molecule in the basis STO-3G, by Rys quadrature", "a molecule in the XYZ format (.xyz) of H, He, C, N and O; a chain of hydrogen without a file",
	"12", Values | Picture, repulsion, 40, 60}

func repulsion(fs *flag.FlagSet) Job {
	precision := choose[name](fs, "precision", "the numbers", "float64", "float32")
	return func(e *Env) (*Result, error) {
		molecule, err := e.molecule(12)
		if err != nil {
			return nil, err
		}
		shells, err := rpes.STO3G(molecule)
		if err != nil {
			return nil, err
		}
		n := rpes.Functions(shells)
		if err := e.fits(math.Pow(float64(n), 4) / 8); err != nil {
			return nil, err
		}
		values := make([]float64, rpes.Count(n))
		roundings := 64 * 0x1p-53 // of an integral, see rpes.Integrals
		if precision.is == "float64" {
			err = e.timed(func() error { return rpes.Integrals(e.Ctx, e.On, shells, values) })
		} else {
			roundings = 64 * 0x1p-24
			narrow := make([]float32, len(values))
			err = e.timed(func() error { return rpes.Integrals(e.Ctx, e.On, shells, narrow) })
			for i, v := range narrow {
				values[i] = float64(v)
			}
		}
		if err != nil {
			return nil, err
		}
		most := 0.0
		for _, v := range values {
			most = max(most, math.Abs(v))
		}
		r := &Result{Verify: func() error {
			want := make([]float64, len(values))
			serial.RPESIntegrals(shells, want)
			size := 0.0
			for _, v := range want {
				size = max(size, math.Abs(v))
			}
			// The absolute contributions of primitives are twice the largest integral at most: only
			// a 2s function has one with another sign, and its coefficient is a seventh of the
			// largest.
			return near(values, want, 2*roundings*size)
		}}
		r.printf("molecule  %d atoms, %d shells, %d functions", len(molecule), len(shells), n)
		r.printf("integrals %d that differ, the largest %.9f hartree", len(values), most)
		if e.Out != "" {
			r.Numbers = integralTable(n, values)
			r.printf("file      a line is i, j, k, l and (ij|kl) in hartree; functions count from 0")
		}
		r.Picture = func() image.Image { return drawIntegrals(n, values, most) }
		return r, nil
	}
}

// molecule reads a molecule, or makes a chain of n atoms of hydrogen, 1.4 bohr apart.
func (e *Env) molecule(n int) ([]rpes.Atom, error) {
	if e.In == "" {
		s, err := e.size(n)
		if err != nil {
			return nil, err
		}
		chain := make([]rpes.Atom, s[0])
		for i := range chain {
			chain[i] = rpes.Atom{Symbol: "H", At: [3]float64{1.4 * float64(i), 0, 0}}
		}
		return chain, nil
	}
	f, err := e.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return rpes.ReadXYZ(bytes.NewReader(text), e.In)
}

// integralTable has a line for each integral that differs from those before it.
func integralTable(n int, values []float64) Numbers {
	v := make([]float64, 0, 5*len(values))
	for i := range n {
		for j := range i + 1 {
			for k := range i + 1 {
				for l := range k + 1 {
					if k == i && l > j {
						break
					}
					v = append(v, float64(i), float64(j), float64(k), float64(l), values[rpes.Index(i, j, k, l)])
				}
			}
		}
	}
	return table[float64]{5, v}
}

// drawIntegrals draws the integrals as a matrix, with a row and a column for each pair of
// functions: white is the largest, and black a millionth of it and less; negative ones are red.
func drawIntegrals(n int, values []float64, most float64) image.Image {
	pairs := n * (n + 1) / 2
	scale := max(1, 400/max(pairs, 1))
	side := max(1, min(pairs*scale, 1000))
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			p, q := y*pairs/side, x*pairs/side
			if pairs == 0 {
				break
			}
			v := values[max(p, q)*(max(p, q)+1)/2+min(p, q)]
			g := shade(1 + math.Log10(math.Abs(v)/most)/6)
			c := color.RGBA{g, g, g, 255}
			if v < 0 {
				c.G, c.B = 0, 0
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}
