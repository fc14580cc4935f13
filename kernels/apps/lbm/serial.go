package lbm

import "github.com/gocuda/gocuda/kernels"

// StepSerial is the reference: one step in one goroutine, from src to dst, in the order of the
// package comment. It goes by the formulas, direction by direction. The geometry must be valid.
func StepSerial[T kernels.Float](g Geometry, flow Flow, src, dst []T) {
	n := g.X * g.Y * g.Z
	omega := T(flow.Omega)
	force := kernels.Vec3[T]{X: T(flow.Force.X), Y: T(flow.Force.Y), Z: T(flow.Force.Z)}
	clear(dst)
	for i, kind := range g.Cells {
		if kind == Solid {
			continue
		}
		excess, u := moments(src, i, force)
		if kind == Lid {
			u = kernels.Vec3[T]{X: T(flow.Lid.X), Y: T(flow.Lid.Y), Z: T(flow.Lid.Z)}
		}
		x, y, z := i%g.X, i/g.X%g.Y, i/(g.X*g.Y)
		for q, c := range velocities {
			cx, cy, cz := T(c[0]), T(c[1]), T(c[2])
			cu := cx*u.X + cy*u.Y + cz*u.Z
			push := (3*(cx-u.X)+9*cu*cx)*force.X + (3*(cy-u.Y)+9*cu*cy)*force.Y + (3*(cz-u.Z)+9*cu*cz)*force.Z
			f := src[q*n+i]
			f += omega*(equilibrium(q, excess, u)-f) + (1-omega/2)*weight[T](q)*push
			nx, ny, nz := (x+c[0]+g.X)%g.X, (y+c[1]+g.Y)%g.Y, (z+c[2]+g.Z)%g.Z
			to := (nz*g.Y+ny)*g.X + nx
			if g.Cells[to] == Solid {
				q, to = opposite(q), i
			}
			dst[q*n+to] = f
		}
	}
}
