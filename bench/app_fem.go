package bench

import (
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/fem"
)

// femForces computes the forces on the corners of element e of n.
func femForces(b *fem.Body, e, n int) (f [4][3]float32) {
	var h, g [3][3]float32 // the gradient of the displacement, and those of the first three corners' functions
	last := b.U[3*b.Corners[3*n+e]:][:3]
	for c := range 3 {
		u := b.U[3*b.Corners[c*n+e]:][:3]
		for k := range 3 {
			g[c][k] = b.Gradients[(3*c+k)*n+e]
		}
		for i := range 3 {
			d := u[i] - last[i]
			h[i][0] += d * g[c][0]
			h[i][1] += d * g[c][1]
			h[i][2] += d * g[c][2]
		}
	}
	lambda, mu := b.Elastic[e], b.Elastic[n+e]
	all := lambda * (h[0][0] + h[1][1] + h[2][2])
	sxx, syy, szz := all+2*mu*h[0][0], all+2*mu*h[1][1], all+2*mu*h[2][2]
	sxy, sxz, syz := mu*(h[0][1]+h[1][0]), mu*(h[0][2]+h[2][0]), mu*(h[1][2]+h[2][1])
	for c := range 3 {
		f[c][0] = -(sxx*g[c][0] + sxy*g[c][1] + sxz*g[c][2])
		f[c][1] = -(sxy*g[c][0] + syy*g[c][1] + syz*g[c][2])
		f[c][2] = -(sxz*g[c][0] + syz*g[c][1] + szz*g[c][2])
		f[3][0] -= f[c][0]
		f[3][1] -= f[c][1]
		f[3][2] -= f[c][2]
	}
	return f
}

// femSerial does a step. f is room for the forces.
func femSerial(b *fem.Body, dt float32, f []float32) {
	clear(f)
	n := len(b.Corners) / 4
	for e := range n {
		for c, part := range femForces(b, e, n) {
			to := f[3*b.Corners[c*n+e]:][:3]
			to[0] += part[0]
			to[1] += part[1]
			to[2] += part[2]
		}
	}
	for i, force := range f {
		b.V[i] += dt * b.Inverse[i] * force
		b.U[i] += dt * b.V[i]
	}
}

// femGoroutines does a step in p goroutines. parts is room for the forces on corners.
func femGoroutines(p int, b *fem.Body, dt float32, parts []float32) {
	n := len(parts) / 12
	split(p, n, func(_, from, to int) {
		for e := from; e < to; e++ {
			for c, part := range femForces(b, e, n) {
				parts[3*c*n+e], parts[(3*c+1)*n+e], parts[(3*c+2)*n+e] = part[0], part[1], part[2]
			}
		}
	})
	split(p, len(b.Start)-1, func(_, from, to int) {
		for i := from; i < to; i++ {
			var x, y, z float32
			for _, w := range b.Where[b.Start[i]:b.Start[i+1]] {
				x += parts[w]
				y += parts[int(w)+n]
				z += parts[int(w)+2*n]
			}
			u, v, inverse := b.U[3*i:][:3], b.V[3*i:][:3], b.Inverse[3*i:][:3]
			v[0] += dt * inverse[0] * x
			v[1] += dt * inverse[1] * y
			v[2] += dt * inverse[2] * z
			u[0] += dt * v[0]
			u[1] += dt * v[1]
			u[2] += dt * v[2]
		}
	})
}

func setupFEM(e env, n int) *problem {
	if p := tooLarge(2000, n+1, n+1, n+1); p != nil {
		return p
	}
	const rounds = 10 // steps of a run
	m, err := fem.Block(n, n, n, 1)
	if err != nil {
		return &problem{err: err}
	}
	b, err := fem.New(m, []fem.Material{{Young: 2, Poisson: 0.3, Density: 1}})
	if err != nil {
		return &problem{err: err}
	}
	dt := float32(0.5 * b.StableStep())
	u0 := random(len(b.U))
	u, v, f := make([]float64, len(u0)), make([]float64, len(u0)), make([]float64, len(u0))
	for i, x := range u0 {
		u[i] = float64(x)
	}
	for range rounds {
		serial.FEMStep(b, float64(dt), u, v, f)
	}
	wantU, wantV := make([]float32, len(u)), make([]float32, len(v))
	for i := range u {
		wantU[i], wantV[i] = float32(u[i]), float32(v[i])
	}
	force, parts := make([]float32, len(u)), host.Apart[float32](12*m.Elements())
	return &problem{
		run: map[string]func() error{
			Serial: func() error {
				for range rounds {
					femSerial(b, dt, force)
				}
				return nil
			},
			Goroutines: func() error {
				for range rounds {
					femGoroutines(e.workers, b, dt, parts)
				}
				return nil
			},
		},
		kernel: func(on kernels.Launcher) error {
			return b.Step(e.ctx, on, fem.Gather, dt, rounds)
		},
		native: &exchange{
			in: arrays(of([]int32{rounds}), of([]float32{dt}), of(b.Corners), of(b.Gradients), of(b.Elastic), of(b.Inverse),
				of(b.Start), of(b.Where), of(u0)),
			out: arrays(of(b.U), of(b.V)),
		},
		amount: everywhere(1e-6 * rounds * float64(m.Elements())),
		reset: func() {
			refill(b.U, u0)
			clear(b.V)
		},
		check: func() error {
			const tol = 2e-5
			if err := near("displacement", b.U, wantU, tol); err != nil {
				return err
			}
			return near("velocity", b.V, wantV, tol)
		},
	}
}
