package rpes

import (
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
)

// The kernels, one for each class of quartets, as templates are in CUDA. Blocks along y are pairs
// of shells on the left, ij, and the threads of blocks along x are pairs on the right, kl, a tile
// of 64 a block; so a thread has a quartet. It goes through all primitives of both sides. For one
// of each, with P and Q where their products are centered and p and q their exponents,
//
//	x = pq/(p+q) |P-Q|²,
//	(ab|cd) = 2 pi^(5/2)/(pq sqrt(p+q)) K_ab K_cd sum_i w_i f(u_i),
//
// f being 1 for s functions. For p functions it is the mean of a product of coordinates, each
// relative to the center of its function, of which each has a normal distribution: one of the left
// has the mean C = P - A + u q/(p+q) (Q-P) and one of the right D = Q - C + u p/(p+q) (P-Q), and
// along the same axis two of the left have the covariance B10 = (1 - u q/(p+q))/2p, two of the
// right B01 = (1 - u p/(p+q))/2q, and one of each B00 = u/2(p+q) (the recurrences of Dupuis, Rys
// and King in closed form). The mean of a product is the sum over all ways to pair some of the
// factors, of the covariances of the pairs times the means of the others (Isserlis, Biometrika 12,
// 134, 1918).
//
// Pairs on the left are structures, ij*prims+m being one of primitives; all threads of a block read
// the same. Those on the right are in tiles, so that neighbouring threads read neighbours. Both
// have p, P, and K with a half of the factors in it, and if there are p functions P-A, and P-B.
// What is computed goes by tiles as well, 64 numbers for each component.

const tile = 64 // pairs on the right in a block

// The numbers of a primitive pair.
const (
	numbersSS = 5
	numbersPS = 8
	numbersPP = 11
)

// ssss computes (ss|ss), of the pairs kl that come no later than ij, with the one root that has the
// weight F_0.
//
//gocuda:kernel fastmath types=float32,float64
func ssss[T kernels.Float](t *gocuda.Thread, prims, stride, outStride int, terms int32, table, bra, ket, out []T) {
	tx, kl, ij := t.ThreadIdx.X, t.BlockIdx.X, t.BlockIdx.Y
	if kl*tile <= ij {
		var sum T
		for m := range prims {
			at := (ij*prims + m) * numbersSS
			p, px, py, pz, kp := bra[at], bra[at+1], bra[at+2], bra[at+3], bra[at+4]
			for l := range prims {
				from := kl*stride + l*(numbersSS*tile) + tx
				q, x, y, z := ket[from], ket[from+tile]-px, ket[from+2*tile]-py, ket[from+3*tile]-pz
				s := 1 / (p + q)
				k := kp * ket[from+4*tile] * T(math.Sqrt(float64(s)))
				sum += k * boys0(p*q*s*(x*x+y*y+z*z), terms, table)
			}
		}
		out[ij*outStride+kl*tile+tx] = sum
	}
}

// psss computes (ps|ss), with one root, F_1/F_0.
//
//gocuda:kernel fastmath types=float32,float64
func psss[T kernels.Float](t *gocuda.Thread, prims, stride, outStride int, terms int32, table, bra, ket, out []T) {
	tx, kl, ij := t.ThreadIdx.X, t.BlockIdx.X, t.BlockIdx.Y
	var sx, sy, sz T
	for m := range prims {
		at := (ij*prims + m) * numbersPS
		p, px, py, pz, kp := bra[at], bra[at+1], bra[at+2], bra[at+3], bra[at+4]
		ax, ay, az := bra[at+5], bra[at+6], bra[at+7]
		for l := range prims {
			from := kl*stride + l*(numbersSS*tile) + tx
			q, x, y, z := ket[from], ket[from+tile]-px, ket[from+2*tile]-py, ket[from+3*tile]-pz
			s := 1 / (p + q)
			k := kp * ket[from+4*tile] * T(math.Sqrt(float64(s)))
			f0, f1 := boys1(p*q*s*(x*x+y*y+z*z), terms, table)
			w, wu := k*f0, k*f1*q*s
			sx += w*ax + wu*x
			sy += w*ay + wu*y
			sz += w*az + wu*z
		}
	}
	to := ij*outStride + kl*(3*tile) + tx
	out[to], out[to+tile], out[to+2*tile] = sx, sy, sz
}

// psps computes (ps|ps), of the pairs kl that come no later than ij, with two roots.
//
//gocuda:kernel fastmath types=float32,float64
func psps[T kernels.Float](t *gocuda.Thread, prims, stride, outStride int, terms int32, table, bra, ket, out []T) {
	tx, kl, ij := t.ThreadIdx.X, t.BlockIdx.X, t.BlockIdx.Y
	if kl*tile <= ij {
		var xx, xy, xz, yx, yy, yz, zx, zy, zz T
		for m := range prims {
			at := (ij*prims + m) * numbersPS
			p, px, py, pz, kp := bra[at], bra[at+1], bra[at+2], bra[at+3], bra[at+4]
			ax, ay, az := bra[at+5], bra[at+6], bra[at+7]
			for l := range prims {
				from := kl*stride + l*(numbersPS*tile) + tx
				q, x, y, z := ket[from], ket[from+tile]-px, ket[from+2*tile]-py, ket[from+3*tile]-pz
				cx, cy, cz := ket[from+5*tile], ket[from+6*tile], ket[from+7*tile]
				s := 1 / (p + q)
				k := kp * ket[from+4*tile] * T(math.Sqrt(float64(s)))
				u1, u2, w1, w2 := roots2(p*q*s*(x*x+y*y+z*z), terms, table)
				for r := range 2 {
					u, w := u1*s, k*w1
					if r == 1 {
						u, w = u2*s, k*w2
					}
					b00 := w * u * T(0.5)
					c0, c1, c2 := w*(ax+u*q*x), w*(ay+u*q*y), w*(az+u*q*z)
					d0, d1, d2 := cx-u*p*x, cy-u*p*y, cz-u*p*z
					xx += c0*d0 + b00
					xy += c0 * d1
					xz += c0 * d2
					yx += c1 * d0
					yy += c1*d1 + b00
					yz += c1 * d2
					zx += c2 * d0
					zy += c2 * d1
					zz += c2*d2 + b00
				}
			}
		}
		to := ij*outStride + kl*(9*tile) + tx
		out[to], out[to+tile], out[to+2*tile] = xx, xy, xz
		out[to+3*tile], out[to+4*tile], out[to+5*tile] = yx, yy, yz
		out[to+6*tile], out[to+7*tile], out[to+8*tile] = zx, zy, zz
	}
}

// ppss computes (pp|ss), with two roots.
//
//gocuda:kernel fastmath types=float32,float64
func ppss[T kernels.Float](t *gocuda.Thread, prims, stride, outStride int, terms int32, table, bra, ket, out []T) {
	tx, kl, ij := t.ThreadIdx.X, t.BlockIdx.X, t.BlockIdx.Y
	var xx, xy, xz, yx, yy, yz, zx, zy, zz T
	for m := range prims {
		at := (ij*prims + m) * numbersPP
		p, px, py, pz, kp := bra[at], bra[at+1], bra[at+2], bra[at+3], bra[at+4]
		ax, ay, az, bx, by, bz := bra[at+5], bra[at+6], bra[at+7], bra[at+8], bra[at+9], bra[at+10]
		half := T(0.5) / p
		for l := range prims {
			from := kl*stride + l*(numbersSS*tile) + tx
			q, x, y, z := ket[from], ket[from+tile]-px, ket[from+2*tile]-py, ket[from+3*tile]-pz
			s := 1 / (p + q)
			k := kp * ket[from+4*tile] * T(math.Sqrt(float64(s)))
			u1, u2, w1, w2 := roots2(p*q*s*(x*x+y*y+z*z), terms, table)
			for r := range 2 {
				uq, w := u1*q*s, k*w1
				if r == 1 {
					uq, w = u2*q*s, k*w2
				}
				b10 := w * half * (1 - uq)
				c0, c1, c2 := w*(ax+uq*x), w*(ay+uq*y), w*(az+uq*z)
				e0, e1, e2 := bx+uq*x, by+uq*y, bz+uq*z
				xx += c0*e0 + b10
				xy += c0 * e1
				xz += c0 * e2
				yx += c1 * e0
				yy += c1*e1 + b10
				yz += c1 * e2
				zx += c2 * e0
				zy += c2 * e1
				zz += c2*e2 + b10
			}
		}
	}
	to := ij*outStride + kl*(9*tile) + tx
	out[to], out[to+tile], out[to+2*tile] = xx, xy, xz
	out[to+3*tile], out[to+4*tile], out[to+5*tile] = yx, yy, yz
	out[to+6*tile], out[to+7*tile], out[to+8*tile] = zx, zy, zz
}

// The 27 and 81 sums of the other classes are more than a thread has registers for, so they are in
// out. Roots and weights, each divided by what all need them divided by, go by way of shared
// memory: a barrier parts the work that they are from the sums, so that each part has the registers
// to itself.

// ppps computes (pp|ps), with two roots.
//
//gocuda:kernel fastmath types=float32,float64
func ppps[T kernels.Float](t *gocuda.Thread, prims, stride, outStride int, terms int32, table, bra, ket, out []T) {
	tx, kl, ij := t.ThreadIdx.X, t.BlockIdx.X, t.BlockIdx.Y
	rys := gocuda.Shared[T](t, 4*tile)
	to := ij*outStride + kl*(27*tile) + tx
	for i := range 27 {
		out[to+i*tile] = 0
	}
	for m := range prims {
		for l := range prims {
			at, from := (ij*prims+m)*numbersPP, kl*stride+l*(numbersPS*tile)+tx
			p, px, py, pz, kp := bra[at], bra[at+1], bra[at+2], bra[at+3], bra[at+4]
			q, x, y, z := ket[from], ket[from+tile]-px, ket[from+2*tile]-py, ket[from+3*tile]-pz
			s := 1 / (p + q)
			k := kp * ket[from+4*tile] * T(math.Sqrt(float64(s)))
			u1, u2, w1, w2 := roots2(p*q*s*(x*x+y*y+z*z), terms, table)
			rys[tx], rys[tile+tx], rys[2*tile+tx], rys[3*tile+tx] = u1*s, u2*s, k*w1, k*w2
			t.SyncThreads()
			ax, ay, az, bx, by, bz := bra[at+5], bra[at+6], bra[at+7], bra[at+8], bra[at+9], bra[at+10]
			cx, cy, cz := ket[from+5*tile], ket[from+6*tile], ket[from+7*tile]
			half := T(0.5) / p
			for r := range 2 {
				u, w := rys[r*tile+tx], rys[(2+r)*tile+tx]
				b10, b00 := w*half*(1-u*q), w*u*T(0.5)
				c := [3]T{ax + u*q*x, ay + u*q*y, az + u*q*z}
				e := [3]T{bx + u*q*x, by + u*q*y, bz + u*q*z}
				d := [3]T{cx - u*p*x, cy - u*p*y, cz - u*p*z}
				for i := range 3 {
					for j := range 3 {
						left := w * c[i] * e[j]
						if i == j {
							left += b10
						}
						for n := range 3 {
							v := left * d[n]
							if i == n {
								v += b00 * e[j]
							}
							if j == n {
								v += b00 * c[i]
							}
							out[to+(9*i+3*j+n)*tile] += v
						}
					}
				}
			}
			t.SyncThreads()
		}
	}
}

// pppp computes (pp|pp), of the pairs kl that come no later than ij, with three roots.
//
//gocuda:kernel fastmath types=float32,float64
func pppp[T kernels.Float](t *gocuda.Thread, prims, stride, outStride int, terms int32, table, bra, ket, out []T) {
	tx, kl, ij := t.ThreadIdx.X, t.BlockIdx.X, t.BlockIdx.Y
	rys := gocuda.Shared[T](t, 6*tile)
	if kl*tile <= ij {
		to := ij*outStride + kl*(81*tile) + tx
		for i := range 81 {
			out[to+i*tile] = 0
		}
		for m := range prims {
			for l := range prims {
				at, from := (ij*prims+m)*numbersPP, kl*stride+l*(numbersPP*tile)+tx
				p, px, py, pz, kp := bra[at], bra[at+1], bra[at+2], bra[at+3], bra[at+4]
				q, x, y, z := ket[from], ket[from+tile]-px, ket[from+2*tile]-py, ket[from+3*tile]-pz
				s := 1 / (p + q)
				k := kp * ket[from+4*tile] * T(math.Sqrt(float64(s)))
				u1, u2, u3, w1, w2, w3 := roots3(p*q*s*(x*x+y*y+z*z), terms, table)
				rys[tx], rys[tile+tx], rys[2*tile+tx] = u1*s, u2*s, u3*s
				rys[3*tile+tx], rys[4*tile+tx], rys[5*tile+tx] = k*w1, k*w2, k*w3
				t.SyncThreads()
				ax, ay, az, bx, by, bz := bra[at+5], bra[at+6], bra[at+7], bra[at+8], bra[at+9], bra[at+10]
				cx, cy, cz := ket[from+5*tile], ket[from+6*tile], ket[from+7*tile]
				dx, dy, dz := ket[from+8*tile], ket[from+9*tile], ket[from+10*tile]
				for r := range 3 {
					u, w := rys[r*tile+tx], rys[(3+r)*tile+tx]
					b10, b01, b00 := T(0.5)*(1-u*q)/p, T(0.5)*(1-u*p)/q, w*u*T(0.5)
					b2 := b00 * u * T(0.5)
					c := [3]T{ax + u*q*x, ay + u*q*y, az + u*q*z}
					e := [3]T{bx + u*q*x, by + u*q*y, bz + u*q*z}
					d := [3]T{cx - u*p*x, cy - u*p*y, cz - u*p*z}
					g := [3]T{dx - u*p*x, dy - u*p*y, dz - u*p*z}
					for i := range 3 {
						for j := range 3 {
							left, ci, ej := w*c[i]*e[j], b00*c[i], b00*e[j]
							if i == j {
								left += w * b10
							}
							for n := range 3 {
								for o := range 3 {
									v := left * d[n] * g[o]
									if n == o {
										v += left * b01
									}
									if i == n {
										v += ej * g[o]
									}
									if i == o {
										v += ej * d[n]
									}
									if j == n {
										v += ci * g[o]
									}
									if j == o {
										v += ci * d[n]
									}
									if i == n && j == o {
										v += b2
									}
									if i == o && j == n {
										v += b2
									}
									out[to+(27*i+9*j+3*n+o)*tile] += v
								}
							}
						}
					}
				}
				t.SyncThreads()
			}
		}
	}
}
