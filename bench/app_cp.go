package bench

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/cp"
)

// The workload cp. Its reference is in float64, because atoms of both signs cancel, and the order
// in which float32 adds them shows.

func setupCP(e env, n int) *problem {
	if p := tooLarge(21, n, n); p != nil {
		return p
	}
	const spacing, z = 0.1, 0.05 // z is between the atoms, which are at least 0.1 away
	plane := cp.Plane{Width: n, Height: n, Z: z, Spacing: spacing}
	atoms := make([]cp.Atom, min(5000, 40+20*n))
	r := random(4 * len(atoms))
	for i := range atoms {
		side := spacing * float32(n)
		a := cp.Atom{X: side * r[4*i], Y: side * r[4*i+1], Z: 0.15 + 5*r[4*i+2], Charge: 2*r[4*i+3] - 1}
		if i%2 > 0 {
			a.Z = 0.1 - a.Z
		}
		atoms[i] = a
	}
	out, want := host.Apart[float32](n*n), make([]float64, n*n)
	serial.CPPotential(plane, atoms, want)
	return &problem{
		run: map[string]func() error{
			Serial: func() error { cpRows(plane, 0, n, atoms, out); return nil },
			Goroutines: func() error {
				split(e.workers, n, func(_, from, to int) { cpRows(plane, from, to, atoms, out) })
				return nil
			},
		},
		kernel: func(on kernels.Launcher) error {
			return cp.Potential(e.ctx, on, cp.Global, plane, atoms, out)
		},
		port:   func(on kernels.Launcher) error { return cp.Potential(e.ctx, on, cp.Constant, plane, atoms, out) },
		native: &exchange{in: arrays(of([]float32{z, spacing}), of(atoms)), out: arrays(of(out))},
		amount: everywhere(1e-6 * float64(n) * float64(n) * float64(len(atoms))),
		wipe:   wiping(out),
		check: func() error {
			// With N atoms of charge 1 at most, 0.1 away at least, a term has some roundings and
			// the sum at most N of the sum of magnitudes, which is below 10 N; they add up to about
			// the square root of N of them.
			count := float64(len(atoms))
			tolerance := 0x1p-24 * 10 * (20 + 8*math.Sqrt(count)) * math.Sqrt(count)
			for i, w := range want {
				if d := math.Abs(float64(out[i]) - w); !(d <= tolerance) {
					return fmt.Errorf("the potential of point %d is %v, the reference is %v", i, out[i], w)
				}
			}
			return nil
		},
	}
}

// cpRows computes some rows in float32.
func cpRows(p cp.Plane, from, to int, atoms []cp.Atom, out []float32) {
	for j := from; j < to; j++ {
		y := p.Y + p.Spacing*float32(j)
		row := out[j*p.Width : (j+1)*p.Width]
		for i := range row {
			x, sum := p.X+p.Spacing*float32(i), float32(0)
			for _, a := range atoms {
				dx, dy, dz := x-a.X, y-a.Y, p.Z-a.Z
				sum += a.Charge / float32(math.Sqrt(float64(dx*dx+dy*dy+dz*dz)))
			}
			row[i] = sum
		}
	}
}
