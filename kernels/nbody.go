package kernels

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// All-pairs n-body: every body is pulled by all others. The kernel is the one of Nyland, Harris and Prins
// (Fast N-Body Simulation with CUDA, GPU Gems 3, chapter 31; Nickolls and Kirk, figures B.8.12 to
// B.8.14). One thread computes the acceleration of one body. The threads of a block read the other
// bodies in tiles: each loads one body of the tile into shared memory, and after a barrier all use the
// whole tile. That divides the reads of global memory by the size of the block.
//
// The acceleration of body i is the sum over j of m_j d / (d·d + eps²)^(3/2), where d is the vector from
// i to j and the gravitational constant is 1. The softening eps keeps close encounters finite. A body
// does not pull itself; nor do, with eps = 0, two bodies at the same place.

// A Body is a place and a mass, CUDA's float4.
type Body[T Float] struct{ X, Y, Z, Mass T }

// A Vec3 is a vector in space, CUDA's float3.
type Vec3[T Float] struct{ X, Y, Z T }

// nbodyThreads is the number of threads of a block and of bodies of a tile.
const nbodyThreads = 256

// attract adds to acc what b contributes to the acceleration of a: 20 floating-point operations, by the
// count of the literature.
func attract[T Float](acc Vec3[T], a, b Body[T], eps2 T) Vec3[T] {
	dx, dy, dz := b.X-a.X, b.Y-a.Y, b.Z-a.Z
	d2 := dx*dx + dy*dy + dz*dz + eps2
	if d2 == 0 {
		return acc
	}
	inv := 1 / T(math.Sqrt(float64(d2)))
	s := b.Mass * inv * inv * inv
	acc.X += dx * s
	acc.Y += dy * s
	acc.Z += dz * s
	return acc
}

// accelerate is the program of one thread. Bodies beyond the last have no mass; the threads beyond the
// last body help to load and have nothing to store.
func accelerate[T Float](t *gocuda.Thread, n int, eps2 T, bodies []Body[T], acc []Vec3[T]) {
	tile := gocuda.Shared[Body[T]](t, nbodyThreads)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	var me Body[T]
	if i < n {
		me = bodies[i]
	}
	var a Vec3[T]
	for j := 0; j < n; j += nbodyThreads {
		if j+tid < n {
			tile[tid] = bodies[j+tid]
		}
		t.SyncThreads()
		for _, other := range tile[:min(nbodyThreads, n-j)] {
			a = attract(a, me, other, eps2)
		}
		t.SyncThreads()
	}
	if i < n {
		acc[i] = a
	}
}

// accelerateBlock is the program of a block. It takes its bodies two at a time: each body of the tile is
// then loaded once for the two, and one division serves both, since from q = 1/(r*s) follow 1/r = q*s
// and 1/s = q*r. Division and square root share one slow unit of the processor, which is what limits
// this loop.
func accelerateBlock[T Float](b *gocuda.Block, n int, eps2 T, bodies []Body[T], acc []Vec3[T]) {
	tile := gocuda.Shared[Body[T]](b, nbodyThreads)
	from := b.BlockIdx.X * nbodyThreads
	to := min(from+nbodyThreads, n)
	mine, sums := bodies[from:to], acc[from:to]
	clear(sums)
	for j := 0; j < n; j += nbodyThreads {
		others := tile[:copy(tile, bodies[j:])]
		i := 0
		for ; i+1 < len(mine); i += 2 {
			sums[i], sums[i+1] = attractTwo(sums[i], sums[i+1], mine[i], mine[i+1], others, eps2)
		}
		if i < len(mine) {
			for _, o := range others {
				sums[i] = attract(sums[i], mine[i], o, eps2)
			}
		}
	}
}

func attractTwo[T Float](acc1, acc2 Vec3[T], a1, a2 Body[T], others []Body[T], eps2 T) (Vec3[T], Vec3[T]) {
	x1, y1, z1 := acc1.X, acc1.Y, acc1.Z
	x2, y2, z2 := acc2.X, acc2.Y, acc2.Z
	for k := range others {
		o := &others[k]
		dx1, dy1, dz1 := o.X-a1.X, o.Y-a1.Y, o.Z-a1.Z
		dx2, dy2, dz2 := o.X-a2.X, o.Y-a2.Y, o.Z-a2.Z
		d1 := dx1*dx1 + dy1*dy1 + dz1*dz1 + eps2
		d2 := dx2*dx2 + dy2*dy2 + dz2*dz2 + eps2
		m1, m2 := o.Mass, o.Mass
		if d1 == 0 {
			d1, m1 = 1, 0
		}
		if d2 == 0 {
			d2, m2 = 1, 0
		}
		r1, r2 := T(math.Sqrt(float64(d1))), T(math.Sqrt(float64(d2)))
		p := r1 * r2
		q := 1 / p
		i1, i2 := q*r2, q*r1
		if p < 1./(1<<126) || p > 1<<126 { // too near the ends of float32 for p or q to be exact
			i1, i2 = 1/r1, 1/r2
		}
		s1 := m1 * i1 * i1 * i1
		s2 := m2 * i2 * i2 * i2
		x1 += dx1 * s1
		y1 += dy1 * s1
		z1 += dz1 * s1
		x2 += dx2 * s2
		y2 += dy2 * s2
		z2 += dz2 * s2
	}
	return Vec3[T]{x1, y1, z1}, Vec3[T]{x2, y2, z2}
}

// move advances one body by a step of symplectic Euler: the velocity first, and the place with the new
// velocity.
func move[T Float](t *gocuda.Thread, n int, dt T, bodies []Body[T], vel, acc []Vec3[T]) {
	if i := t.GlobalX(); i < n {
		v := &vel[i]
		v.X += dt * acc[i].X
		v.Y += dt * acc[i].Y
		v.Z += dt * acc[i].Z
		b := &bodies[i]
		b.X += dt * v.X
		b.Y += dt * v.Y
		b.Z += dt * v.Z
	}
}

// Accelerations sets acc[i] to the acceleration of bodies[i]. eps is the softening length, 0 or more.
func Accelerations[T Float](ctx context.Context, on Launcher, form Form, eps T, bodies []Body[T], acc []Vec3[T]) error {
	n, eps2 := len(bodies), eps*eps
	if err := lengths("n-body", n, len(acc)); err != nil {
		return err
	}
	if !(eps >= 0) {
		return fmt.Errorf("kernels: n-body: %w: softening %v", gocuda.ErrInvalidValue, eps)
	}
	cfg := grid.Linear(n, nbodyThreads)
	if form == Threads {
		return on.Launch(ctx, cfg, gocuda.ThreadFunc(func(t *gocuda.Thread) { accelerate(t, n, eps2, bodies, acc) }))
	}
	return on.Launch(ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) { accelerateBlock(b, n, eps2, bodies, acc) }))
}

// NBodyStep advances all bodies by the time dt with the symplectic Euler method. vel[i] is the velocity
// of bodies[i]. acc is room for the accelerations, of the same length, and holds those at the beginning
// of the step afterwards. A program that steps many times allocates it once.
func NBodyStep[T Float](ctx context.Context, on Launcher, form Form, dt, eps T, bodies []Body[T], vel, acc []Vec3[T]) error {
	n := len(bodies)
	if err := lengths("n-body", n, len(vel)); err != nil {
		return err
	}
	if err := Accelerations(ctx, on, form, eps, bodies, acc); err != nil {
		return err
	}
	return on.Launch(ctx, grid.Linear(n, nbodyThreads), gocuda.ThreadFunc(func(t *gocuda.Thread) {
		move(t, n, dt, bodies, vel, acc)
	}))
}

// AccelerationsSerial is the reference.
func AccelerationsSerial[T Float](eps T, bodies []Body[T], acc []Vec3[T]) {
	AccelerationsOf(0, len(bodies), eps, bodies, acc)
}

// AccelerationsOf is the part of the reference for the bodies from i up to but not including j. Programs
// that share the work among goroutines call it.
func AccelerationsOf[T Float](i, j int, eps T, bodies []Body[T], acc []Vec3[T]) {
	for ; i < j; i++ {
		me := bodies[i]
		var a Vec3[T]
		for _, other := range bodies {
			a = attract(a, me, other, eps*eps)
		}
		acc[i] = a
	}
}

// NBodyStepSerial is the reference.
func NBodyStepSerial[T Float](dt, eps T, bodies []Body[T], vel, acc []Vec3[T]) {
	AccelerationsSerial(eps, bodies, acc)
	for i := range bodies {
		v, b := &vel[i], &bodies[i]
		v.X += dt * acc[i].X
		v.Y += dt * acc[i].Y
		v.Z += dt * acc[i].Z
		b.X += dt * v.X
		b.Y += dt * v.Y
		b.Z += dt * v.Z
	}
}

// Energy returns the total energy of the bodies, kinetic and potential, with the gravitational constant
// 1 and no softening: the sum of m v²/2, less m_i m_j / d over all pairs. It is summed in float64.
func Energy[T Float](bodies []Body[T], vel []Vec3[T]) float64 {
	e := 0.0
	for i, b := range bodies {
		v := vel[i]
		x, y, z := float64(v.X), float64(v.Y), float64(v.Z)
		e += float64(b.Mass) * (x*x + y*y + z*z) / 2
		for _, o := range bodies[i+1:] {
			dx, dy, dz := float64(b.X)-float64(o.X), float64(b.Y)-float64(o.Y), float64(b.Z)-float64(o.Z)
			e -= float64(b.Mass) * float64(o.Mass) / math.Sqrt(dx*dx+dy*dy+dz*dz)
		}
	}
	return e
}
