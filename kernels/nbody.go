package kernels

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// All-pairs n-body: every body is pulled by all others. The kernel is the one of Nyland, Harris and
// Prins (Fast N-Body Simulation with CUDA, GPU Gems 3, chapter 31; Nickolls and Kirk, figures
// B.8.12 to B.8.14). One thread computes the acceleration of one body. The threads of a block read
// the other bodies in tiles: each loads one body of the tile into shared memory, and after a
// barrier all use the whole tile. That divides the reads of global memory by the size of the block.
//
// The acceleration of body i is the sum over j of m_j d / (d·d + eps²)^(3/2), where d is the vector
// from i to j and the gravitational constant is 1. The softening eps keeps close encounters finite.
// A body does not pull itself; nor do, with eps = 0, two bodies at the same place.

// A Body is a place and a mass, CUDA's float4.
type Body[T Float] struct{ X, Y, Z, Mass T }

// A Vec3 is a vector in space, CUDA's float3.
type Vec3[T Float] struct{ X, Y, Z T }

// nbodyThreads is the number of threads of a block and of bodies of a tile.
const nbodyThreads = 256

// attract adds to acc what others contribute to the acceleration of body a: 20 floating-point
// operations for each, by the count of the literature. It is a loop, and not a function of one pair
// as in the texts, because Go would not inline that. eps2 must be more than 0, so that no distance
// is.
func attract[T Float](acc Vec3[T], a Body[T], others []Body[T], eps2 T) Vec3[T] {
	x, y, z := acc.X, acc.Y, acc.Z
	for i := range others {
		o := &others[i]
		dx, dy, dz := o.X-a.X, o.Y-a.Y, o.Z-a.Z
		d2 := dx*dx + dy*dy + dz*dz + eps2
		inv := 1 / T(math.Sqrt(float64(d2)))
		s := o.Mass * inv * inv * inv
		x += dx * s
		y += dy * s
		z += dz * s
	}
	return Vec3[T]{x, y, z}
}

// attractApart is attract for any eps2, also 0. Bodies at the same place don't pull each other then.
func attractApart[T Float](acc Vec3[T], a Body[T], others []Body[T], eps2 T) Vec3[T] {
	x, y, z := acc.X, acc.Y, acc.Z
	for i := range others {
		o := &others[i]
		dx, dy, dz := o.X-a.X, o.Y-a.Y, o.Z-a.Z
		d2 := dx*dx + dy*dy + dz*dz + eps2
		if d2 == 0 {
			continue
		}
		inv := 1 / T(math.Sqrt(float64(d2)))
		s := o.Mass * inv * inv * inv
		x += dx * s
		y += dy * s
		z += dz * s
	}
	return Vec3[T]{x, y, z}
}

// accelerate is the program of one thread. Bodies beyond the last have no mass; the threads beyond the
// last body help to load and have nothing to store.
//
//gocuda:kernel fastmath
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
		others := tile[:min(nbodyThreads, n-j)]
		if eps2 > 0 {
			a = attract(a, me, others, eps2)
		} else {
			a = attractApart(a, me, others, eps2)
		}
		t.SyncThreads()
	}
	if i < n {
		acc[i] = a
	}
}

// accelerateBlock is the program of a block: the tile is loaded once, and then each body meets all
// of it.
func accelerateBlock[T Float](b *gocuda.Block, n int, eps2 T, bodies []Body[T], acc []Vec3[T]) {
	tile := gocuda.Shared[Body[T]](b, nbodyThreads)
	from := b.BlockIdx.X * nbodyThreads
	to := min(from+nbodyThreads, n)
	mine, sums := bodies[from:to], acc[from:to]
	clear(sums)
	for j := 0; j < n; j += nbodyThreads {
		others := tile[:copy(tile, bodies[j:])]
		for i, me := range mine {
			sums[i] = attractFast(sums[i], me, others, eps2)
		}
	}
}

// attractFast is attractApart with m / (d² d) in place of m (1/d)(1/d)(1/d), which saves two
// multiplications of ten, and with one test for bodies at the same place and for cubes that leave
// the range of float32. It takes 2.7 ns a pair where attractApart takes 3.2, on the machine of
// docs/performance.md.
func attractFast[T Float](acc Vec3[T], a Body[T], others []Body[T], eps2 T) Vec3[T] {
	const least, most = 1. / (1 << 120), 1 << 120
	x, y, z := acc.X, acc.Y, acc.Z
	for i := range others {
		o := &others[i]
		dx, dy, dz := o.X-a.X, o.Y-a.Y, o.Z-a.Z
		d2 := dx*dx + dy*dy + (dz*dz + eps2)
		r := T(math.Sqrt(float64(d2)))
		c := d2 * r
		var s T
		if c > least && c < most {
			s = o.Mass / c
		} else if d2 > 0 {
			s = o.Mass / r / r / r
		}
		x += dx * s
		y += dy * s
		z += dz * s
	}
	return Vec3[T]{x, y, z}
}

// move advances one body by a step of symplectic Euler: the velocity first, and the place with the new
// velocity.
//
//gocuda:kernel
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
	if err := check.Lengths("n-body", n, len(acc)); err != nil {
		return err
	}
	if !(eps >= 0) {
		return fmt.Errorf("kernels: n-body: %w: softening %v", gocuda.ErrInvalidValue, eps)
	}
	cfg := grid.Linear(n, nbodyThreads)
	if form == Blocks {
		return on.Launch(ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) { accelerateBlock(b, n, eps2, bodies, acc) }))
	}
	k := either(form, accelerateKernel(n, eps2, bodies, acc))
	return on.Launch(ctx, cfg, k)
}

// NBodyStep advances all bodies by the time dt with the symplectic Euler method. vel[i] is the velocity
// of bodies[i]. acc is room for the accelerations, of the same length, and holds those at the beginning
// of the step afterwards. A program that steps many times allocates it once.
func NBodyStep[T Float](ctx context.Context, on Launcher, form Form, dt, eps T, bodies []Body[T], vel, acc []Vec3[T]) error {
	n := len(bodies)
	if err := check.Lengths("n-body", n, len(vel)); err != nil {
		return err
	}
	if err := Accelerations(ctx, on, form, eps, bodies, acc); err != nil {
		return err
	}
	k := either(form, moveKernel(n, dt, bodies, vel, acc))
	return on.Launch(ctx, grid.Linear(n, nbodyThreads), k)
}

// AccelerationsSerial is the reference.
func AccelerationsSerial[T Float](eps T, bodies []Body[T], acc []Vec3[T]) {
	AccelerationsOf(0, len(bodies), eps, bodies, acc)
}

// AccelerationsOf is the part of the reference for the bodies from i up to but not including j.
// Programs that share the work among goroutines call it.
func AccelerationsOf[T Float](i, j int, eps T, bodies []Body[T], acc []Vec3[T]) {
	pull := attract[T]
	if eps*eps == 0 {
		pull = attractApart[T]
	}
	for ; i < j; i++ {
		acc[i] = pull(Vec3[T]{}, bodies[i], bodies, eps*eps)
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
