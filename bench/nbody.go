package bench

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
)

// The workload nbody. Its reference is computed in float64, because bodies of a cloud pull in all
// directions and the order in which float32 adds that up shows in the result.

func setupNBody(e env, n int) *problem {
	if p := tooLarge(140, n); p != nil {
		return p
	}
	const eps = 0.01
	r := random(4 * n)
	bodies := make([]nbody.Body[float32], n)
	for i := range bodies {
		bodies[i] = nbody.Body[float32]{X: r[4*i], Y: r[4*i+1], Z: r[4*i+2], Mass: r[4*i+3]}
	}
	acc := make([]kernels.Vec3[float32], n)
	want, tol := exactAccelerations(eps, bodies)
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { serial.Accelerations(eps, bodies, acc); return nil },
			Goroutines: func() error { nbodyGoroutines(e.workers, eps, bodies, acc); return nil },
			Block:      func() error { return nbody.Accelerations(e.ctx, e.dev, nbody.Blocks, eps, bodies, acc) },
		},
		kernel: func(on kernels.Launcher) error {
			return nbody.Accelerations(e.ctx, on, nbody.Tiled, eps, bodies, acc)
		},
		native: &exchange{in: arrays(of([]float32{eps}), of(r)), out: arrays(of(acc))},
		amount: everywhere(20e-9 * float64(n) * float64(n)), // 20 flops an interaction
		wipe:   wiping(acc),
		check: func() error {
			for i, w := range want {
				g := acc[i]
				d := max(math.Abs(float64(g.X)-w.X), math.Abs(float64(g.Y)-w.Y), math.Abs(float64(g.Z)-w.Z))
				if !(d <= tol[i]) {
					return fmt.Errorf("the acceleration of body %d is %v, the reference is %v", i, g, w)
				}
			}
			return nil
		},
	}
}

// exactAccelerations is the serial reference in float64, with the error that float32 may have. That
// depends on the size of the terms, not of the sum, in which they mostly cancel: each term and each
// partial sum has a relative error of some 2^-24, and n errors of either sign add up to about the
// square root of n of them. The tolerance is eight times that, and zero if there are no terms.
func exactAccelerations(eps float32, bodies []nbody.Body[float32]) (acc []kernels.Vec3[float64], tol []float64) {
	n := len(bodies)
	b64 := make([]nbody.Body[float64], n)
	for i, b := range bodies {
		b64[i] = nbody.Body[float64]{X: float64(b.X), Y: float64(b.Y), Z: float64(b.Z), Mass: float64(b.Mass)}
	}
	acc, tol = make([]kernels.Vec3[float64], n), make([]float64, n)
	serial.Accelerations(float64(eps), b64, acc)
	for i, p := range b64 {
		size := 0.0
		for _, q := range b64 {
			d2 := (p.X-q.X)*(p.X-q.X) + (p.Y-q.Y)*(p.Y-q.Y) + (p.Z-q.Z)*(p.Z-q.Z)
			s2 := d2 + float64(eps)*float64(eps)
			size += q.Mass * math.Sqrt(d2) / (s2 * math.Sqrt(s2))
		}
		tol[i] = 8 * math.Sqrt(float64(n)) * size / (1 << 24)
	}
	return acc, tol
}
