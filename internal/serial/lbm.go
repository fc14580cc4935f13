package serial

import (
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/lbm"
)

// LBMStep advances a fluid by one step of the lattice Boltzmann method, from src to dst: the reference
// of [lbm.Lattice.Step]. It goes by the formulas of package lbm, direction by direction, with the
// populations in the order given there. The geometry must be valid.
func LBMStep[T kernels.Float](g lbm.Geometry, flow lbm.Flow, src, dst []T) {
	n := g.X * g.Y * g.Z
	omega := T(flow.Omega)
	force := kernels.Vec3[T]{X: T(flow.Force.X), Y: T(flow.Force.Y), Z: T(flow.Force.Z)}
	clear(dst)
	for i, kind := range g.Cells {
		if kind == lbm.Solid {
			continue
		}
		excess, u := lbmMoments(src, i, n, force)
		if kind == lbm.Lid {
			u = kernels.Vec3[T]{X: T(flow.Lid.X), Y: T(flow.Lid.Y), Z: T(flow.Lid.Z)}
		}
		x, y, z := i%g.X, i/g.X%g.Y, i/(g.X*g.Y)
		for q, c := range d3q19 {
			cx, cy, cz := T(c[0]), T(c[1]), T(c[2])
			cu := cx*u.X + cy*u.Y + cz*u.Z
			push := (3*(cx-u.X)+9*cu*cx)*force.X + (3*(cy-u.Y)+9*cu*cy)*force.Y + (3*(cz-u.Z)+9*cu*cz)*force.Z
			f := src[q*n+i]
			f += omega*(lbmEquilibrium(q, excess, u)-f) + (1-omega/2)*lbmWeight[T](q)*push
			nx, ny, nz := (x+c[0]+g.X)%g.X, (y+c[1]+g.Y)%g.Y, (z+c[2]+g.Z)%g.Z
			to := (nz*g.Y+ny)*g.X + nx
			if g.Cells[to] == lbm.Solid { // it comes back in the opposite direction
				q, to = (q-1^1)+1, i
			}
			dst[q*n+to] = f
		}
	}
}

// d3q19 are the directions of the populations. Directions 2k-1 and 2k are opposite.
var d3q19 = [19][3]int{
	{},
	{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
	{1, 1, 0}, {-1, -1, 0}, {-1, 1, 0}, {1, -1, 0},
	{1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
	{0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
}

// lbmWeight returns the weight of direction q.
func lbmWeight[T kernels.Float](q int) T {
	switch {
	case q == 0:
		return 1. / 3
	case q < 7:
		return 1. / 18
	}
	return 1. / 36
}

// lbmEquilibrium returns population q of fluid with the density 1 + excess and the velocity u.
func lbmEquilibrium[T kernels.Float](q int, excess T, u kernels.Vec3[T]) T {
	c := d3q19[q]
	cu := T(c[0])*u.X + T(c[1])*u.Y + T(c[2])*u.Z
	return lbmWeight[T](q) * (excess + (1+excess)*(3*cu+4.5*cu*cu-1.5*(u.X*u.X+u.Y*u.Y+u.Z*u.Z)))
}

// lbmMoments returns the density of cell i of n less 1, and the velocity of the collision, with half
// of the force.
func lbmMoments[T kernels.Float](pops []T, i, n int, force kernels.Vec3[T]) (excess T, u kernels.Vec3[T]) {
	for q, c := range d3q19 {
		f := pops[q*n+i]
		excess += f
		u.X += T(c[0]) * f
		u.Y += T(c[1]) * f
		u.Z += T(c[2]) * f
	}
	rho := 1 + excess
	u.X = (u.X + force.X/2) / rho
	u.Y = (u.Y + force.Y/2) / rho
	u.Z = (u.Z + force.Z/2) / rho
	return excess, u
}
