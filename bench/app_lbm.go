package bench

import (
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/lbm"
)

// lbmVelocities are the directions in their order, which is that of package lbm.
var lbmVelocities = [19][3]int{
	{},
	{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
	{1, 1, 0}, {-1, -1, 0}, {-1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
	{0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
}

func lbmOpposite(q int) int { return (q - 1 ^ 1) + 1 }

// An lbmBox is a box with solid cells all around, in the layout of a plain loop in Go or C: an
// array for each direction, and in each cell a bit for every neighbour that is solid. Between
// steps, populations have been collided but not yet moved.
type lbmBox struct {
	n      int
	links  []uint32
	f, tmp []float32
}

func newLBMBox(g lbm.Geometry) *lbmBox {
	n := g.X
	cells := n * n * n
	b := &lbmBox{n, make([]uint32, cells), host.Apart[float32](19 * cells), host.Apart[float32](19 * cells)}
	for i, k := range g.Cells {
		switch {
		case k == lbm.Solid:
			b.links[i] = 1
			continue
		case k == lbm.Lid:
			b.links[i] = 1 << 19
		}
		for q, c := range lbmVelocities {
			if g.Cells[i+(c[2]*n+c[1])*n+c[0]] == lbm.Solid {
				b.links[i] |= 1 << q
			}
		}
	}
	return b
}

// unmoved converts populations in the order of package lbm to the layout of a box, before they are
// moved, in to.
func unmoved[T kernels.Float](b *lbmBox, pops []T, to []float32) {
	cells := len(b.links)
	for i, link := range b.links {
		if link&1 != 0 {
			continue
		}
		to[i] = float32(pops[i])
		for q := 1; q < 19; q++ {
			c := lbmVelocities[q]
			if link>>q&1 != 0 {
				to[q*cells+i] = float32(pops[lbmOpposite(q)*cells+i])
			} else {
				to[q*cells+i] = float32(pops[q*cells+i+(c[2]*b.n+c[1])*b.n+c[0]])
			}
		}
	}
}

// lbmGoroutines does a step in p goroutines, a share of the planes each.
func lbmGoroutines(p int, b *lbmBox, flow lbm.Flow) {
	n, cells := b.n, len(b.links)
	var from [19]int
	for q, c := range lbmVelocities {
		from[q] = q*cells - (c[2]*n+c[1])*n - c[0]
	}
	omega, src, dst := flow.Omega, b.f, b.tmp
	split(p, n, func(_, first, last int) {
		for i := first * n * n; i < last*n*n; i++ {
			link := b.links[i]
			if link&1 != 0 {
				continue
			}
			var f [19]float32
			f[0] = src[i]
			for q := 1; q < 19; q++ {
				if back := (q - 1 ^ 1) + 1; link>>back&1 != 0 {
					f[q] = src[back*cells+i]
				} else {
					f[q] = src[from[q]+i]
				}
			}
			excess := f[0] + f[1] + f[2] + f[3] + f[4] + f[5] + f[6] + f[7] + f[8] + f[9] + f[10] + f[11] + f[12] + f[13] + f[14] + f[15] + f[16] + f[17] + f[18]
			rho := 1 + excess
			ux := (f[1] - f[2] + f[7] - f[8] - f[9] + f[10] + f[11] - f[12] + f[13] - f[14] + flow.Force.X/2) / rho
			uy := (f[3] - f[4] + f[7] - f[8] + f[9] - f[10] + f[15] - f[16] + f[17] - f[18] + flow.Force.Y/2) / rho
			uz := (f[5] - f[6] + f[11] - f[12] - f[13] + f[14] + f[15] - f[16] - f[17] + f[18] + flow.Force.Z/2) / rho
			if link>>19 != 0 {
				ux, uy, uz = flow.Lid.X, flow.Lid.Y, flow.Lid.Z
			}
			shared := omega*(excess-1.5*rho*(ux*ux+uy*uy+uz*uz)) - 3*(1-omega/2)*(ux*flow.Force.X+uy*flow.Force.Y+uz*flow.Force.Z)
			dst[i] = (1-omega)*f[0] + shared/3
			for q := 1; q < 19; q += 2 {
				c := &lbmVelocities[q]
				cx, cy, cz := float32(c[0]), float32(c[1]), float32(c[2])
				cu, cf := cx*ux+cy*uy+cz*uz, cx*flow.Force.X+cy*flow.Force.Y+cz*flow.Force.Z
				w := float32(1. / 18)
				if q > 6 {
					w = 1. / 36
				}
				even := w * (shared + cu*(4.5*omega*rho*cu+9*(1-omega/2)*cf))
				odd := 3 * w * (omega*rho*cu + (1-omega/2)*cf)
				dst[q*cells+i], dst[(q+1)*cells+i] = (1-omega)*f[q]+even+odd, (1-omega)*f[q+1]+even-odd
			}
		}
	})
	b.f, b.tmp = b.tmp, b.f
}

func setupLBM(e env, n int) *problem {
	if p := tooLarge(1100, n, n, n); p != nil {
		return p
	}
	const rounds = 10 // steps of a run, an even number: the populations are where they were
	g, err := lbm.Cavity(n, n, n)
	if err != nil {
		return &problem{err: err}
	}
	l, err := lbm.New(lbm.Arrays, g)
	if err != nil {
		return &problem{err: err}
	}
	flow, box := lbm.Standard, newLBMBox(g)
	f := box.f // the result of all executors
	want := make([]float32, len(f))
	src, dst := make([]float64, len(f)), make([]float64, len(f))
	for range rounds {
		serial.LBMStep(g, flow, src, dst)
		src, dst = dst, src
	}
	unmoved(box, src, want)
	pops, next := host.Apart[float32](len(f)), host.Apart[float32](len(f))
	var fetch func() error // brings a result from where it is to f
	reset := func() {
		l.Rest()
		clear(f)
		clear(pops)
	}
	return &problem{
		run: map[string]func() error{
			Serial: func() error {
				for range rounds {
					serial.LBMStep(g, flow, pops, next)
					pops, next = next, pops
				}
				fetch = func() error { unmoved(box, pops, f); return nil }
				return nil
			},
			Goroutines: func() error {
				for range rounds {
					lbmGoroutines(e.workers, box, flow)
				}
				return nil
			},
		},
		kernel: func(on kernels.Launcher) error {
			fetch = func() error {
				err := l.Store(pops)
				unmoved(box, pops, f)
				return err
			}
			return l.Step(e.ctx, on, flow, rounds)
		},
		port: func(on kernels.Launcher) error {
			return lbm.Simulate(e.ctx, on, lbm.Buffered, g, flow, 1, make([]float32, len(pops)))
		},
		native: &exchange{
			in: arrays(of([]int32{rounds}), of([]float32{flow.Omega, flow.Lid.X, flow.Lid.Y, flow.Lid.Z,
				flow.Force.X, flow.Force.Y, flow.Force.Z}), of(box.links)),
			out: arrays(of(f)),
		},
		amount: everywhere(1e-6 * rounds * float64(n) * float64(n) * float64(n)),
		reset:  reset,
		check: func() error {
			if fetch != nil {
				if err := fetch(); err != nil {
					return err
				}
				fetch = nil
			}
			return near("population", f, want, 1e-7)
		},
	}
}
