package lbm

import "github.com/gocuda/gocuda/kernels"

// The collision, which all layouts share.

// A Flow is what drives the fluid.
type Flow struct {
	Omega      float32               // the relaxation rate, from 0 (no collisions) to below 2
	Lid, Force kernels.Vec3[float32] // the velocity of the lid, and the force on a unit of volume
}

// The bits of a cell's link word. Bit q for q from 1 to 18 says that the neighbour in direction q
// is solid.
const (
	still  = 1       // no fluid: a solid cell, or a ghost that nobody asks
	lidBit = 1 << 19 // a cell of the lid
)

// The weights of the directions: rest, across a face, across an edge.
const (
	wRest = 1. / 3
	wFace = 1. / 18
	wEdge = 1. / 36
)

// relax is the collision of the populations of a cell. They are named by the compass, with u and d
// for up and down along z. Opposite directions share what is even in the velocity and, with the
// other sign, what is odd.
func relax(omega, lx, ly, lz, fx, fy, fz float32, lid bool,
	c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su float32) (
	_, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _ float32) {
	excess := c + e + w + n + s + u + d + ne + sw + nw + se + eu + wd + ed + wu + nu + sd + nd + su
	rho := 1 + excess
	inv := 1 / rho
	ux := inv * (e - w + ne - sw - nw + se + eu - wd + ed - wu + fx/2)
	uy := inv * (n - s + ne - sw + nw - se + nu - sd + nd - su + fy/2)
	uz := inv * (u - d + eu - wd - ed + wu + nu - sd - nd + su + fz/2)
	if lid {
		ux, uy, uz = lx, ly, lz
	}
	keep, force := 1-omega, 1-omega/2
	// even(cu) = shared + rho omega 9/2 cu^2 + 9 force cu (c.F), and odd = 3 (rho omega cu + force c.F)
	quad, push := rho*omega*4.5, force*9
	shared := omega*(excess-1.5*rho*(ux*ux+uy*uy+uz*uz)) - 3*force*(ux*fx+uy*fy+uz*fz)
	lin, kick := 3*rho*omega, 3*force
	c = keep*c + wRest*shared
	e, w = pair(e, w, keep, wFace, ux, fx, shared, quad, push, lin, kick)
	n, s = pair(n, s, keep, wFace, uy, fy, shared, quad, push, lin, kick)
	u, d = pair(u, d, keep, wFace, uz, fz, shared, quad, push, lin, kick)
	ne, sw = pair(ne, sw, keep, wEdge, ux+uy, fx+fy, shared, quad, push, lin, kick)
	nw, se = pair(nw, se, keep, wEdge, uy-ux, fy-fx, shared, quad, push, lin, kick)
	eu, wd = pair(eu, wd, keep, wEdge, ux+uz, fx+fz, shared, quad, push, lin, kick)
	ed, wu = pair(ed, wu, keep, wEdge, ux-uz, fx-fz, shared, quad, push, lin, kick)
	nu, sd = pair(nu, sd, keep, wEdge, uy+uz, fy+fz, shared, quad, push, lin, kick)
	nd, su = pair(nd, su, keep, wEdge, uy-uz, fy-fz, shared, quad, push, lin, kick)
	return c, e, w, n, s, u, d, ne, sw, nw, se, eu, wd, ed, wu, nu, sd, nd, su
}

// pair relaxes two opposite populations. cu and cf are the velocity and the force in the direction
// of the first.
func pair(a, b, keep, weight, cu, cf, shared, quad, push, lin, kick float32) (float32, float32) {
	even := weight * (shared + cu*(quad*cu+push*cf))
	odd := weight * (lin*cu + kick*cf)
	return keep*a + (even + odd), keep*b + (even - odd)
}
