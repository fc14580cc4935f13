package lbm

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// A Layout is how the populations lie in memory. All give the same result up to rounding.
type Layout int

// The layouts.
const (
	Arrays   Layout = iota // an array a direction
	Structs                // the 19 numbers of a cell together, as in the source of the paper
	Buffered               // the same, loaded by way of shared memory, as in the paper's port
)

// String names the layout.
func (l Layout) String() string {
	switch l {
	case Arrays:
		return "arrays"
	case Structs:
		return "structs"
	case Buffered:
		return "buffered"
	}
	return fmt.Sprintf("Layout(%d)", int(l))
}

// A Lattice is the fluid in a box, ready for steps.
type Lattice struct {
	layout           Layout
	x, y, z          int
	row, plane, size int       // the cells of a row, a plane and the box, with ghosts
	margin           int       // cells before the first and behind the last one, so that neighbours of ghosts are in the slices
	src, dst         []float32 // populations now, and those of the step before
	links            []uint32  // with the margin
	ghosts, origins  []int32   // cells whose populations are copies, and of which
}

// New makes a lattice with fluid at rest.
func New(layout Layout, g Geometry) (*Lattice, error) {
	if layout < Arrays || layout > Buffered {
		return nil, check.Invalid("LBM", "%v", layout)
	}
	if err := g.Validate(); err != nil {
		return nil, err
	}
	l := &Lattice{layout: layout, x: g.X, y: g.Y, z: g.Z, row: g.X + 2, plane: (g.X + 2) * (g.Y + 2)}
	l.size = l.plane * (g.Z + 2)
	l.margin = l.plane + l.row + 1
	total := l.size + 2*l.margin
	l.src, l.dst = host.Apart[float32](directions*total), host.Apart[float32](directions*total)
	l.link(g)
	return l, nil
}

// velocities are the directions, in the order of the package comment.
var velocities = [directions][3]int{
	{},
	{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
	{1, 1, 0}, {-1, -1, 0}, {-1, 1, 0}, {1, -1, 0},
	{1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
	{0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
}

// link finds the neighbours that are solid, and the ghosts.
func (l *Lattice) link(g Geometry) {
	// A ghost is what the cell on the other side is.
	wrap := func(v, n int) int { return (v + n - 1) % n }
	kind := func(x, y, z int) Kind { // of a place with ghosts
		return g.Cells[(wrap(z, g.Z)*g.Y+wrap(y, g.Y))*g.X+wrap(x, g.X)]
	}
	l.links = make([]uint32, l.size+2*l.margin)
	for i := range l.margin {
		l.links[i], l.links[len(l.links)-1-i] = still, still
	}
	for z := range g.Z + 2 {
		for y := range g.Y + 2 {
			for x := range l.row {
				i := l.margin + z*l.plane + y*l.row + x
				k := kind(x, y, z)
				if k == Solid {
					l.links[i] = still
					continue
				}
				if k == Lid {
					l.links[i] = lidBit
				}
				for q, c := range velocities {
					nx, ny, nz := x+c[0], y+c[1], z+c[2]
					// Nothing leaves the ghosts.
					if nx < 0 || nx > g.X+1 || ny < 0 || ny > g.Y+1 || nz < 0 || nz > g.Z+1 || kind(nx, ny, nz) == Solid {
						l.links[i] |= 1 << q
					}
				}
				if x == 0 || x > g.X || y == 0 || y > g.Y || z == 0 || z > g.Z {
					l.ghosts = append(l.ghosts, int32(i))
					from := l.margin + (wrap(z, g.Z)+1)*l.plane + (wrap(y, g.Y)+1)*l.row + wrap(x, g.X) + 1
					l.origins = append(l.origins, int32(from))
				}
			}
		}
	}
}

// Size returns the extents of the box.
func (l *Lattice) Size() (x, y, z int) { return l.x, l.y, l.z }

// at returns where population q of a cell with ghosts is.
func (l *Lattice) at(q, i int) int {
	if l.layout == Arrays {
		return q*len(l.links) + i
	}
	return directions*i + q
}

// each calls f for all cells of the box: their number in the order of the geometry, and with ghosts.
func (l *Lattice) each(f func(i, cell int)) {
	i := 0
	for z := range l.z {
		for y := range l.y {
			first := l.margin + (z+1)*l.plane + (y+1)*l.row + 1
			for x := range l.x {
				f(i, first+x)
				i++
			}
		}
	}
}

// Rest brings all fluid to rest.
func (l *Lattice) Rest() { clear(l.src) }

// Load sets the populations, in the order of the package comment. Those of solid cells are ignored.
func (l *Lattice) Load(pops []float32) error {
	if err := l.fits(pops); err != nil {
		return err
	}
	n := l.x * l.y * l.z
	l.each(func(i, cell int) {
		link := l.links[cell]
		if link&still != 0 {
			return
		}
		for q, c := range velocities {
			to := l.at(q, cell)
			if l.layout == Arrays && q > 0 {
				// They are about to move there: undo the move.
				if back := opposite(q); link>>back&1 != 0 {
					to = l.at(back, cell)
				} else {
					to = l.at(q, l.wrapped(cell, c))
				}
			}
			l.src[to] = pops[q*n+i]
		}
	})
	return nil
}

// Store writes the populations, in the order of the package comment. Those of solid cells become 0.
func (l *Lattice) Store(pops []float32) error {
	if err := l.fits(pops); err != nil {
		return err
	}
	n := l.x * l.y * l.z
	l.each(func(i, cell int) {
		link := l.links[cell]
		for q, c := range velocities {
			from := l.at(q, cell)
			if l.layout == Arrays && q > 0 && link&still == 0 {
				// They have not moved yet.
				if back := opposite(q); link>>back&1 != 0 {
					from = l.at(back, cell)
				} else {
					from = l.at(q, l.wrapped(cell, c))
				}
			}
			pops[q*n+i] = 0
			if link&still == 0 {
				pops[q*n+i] = l.src[from]
			}
		}
	})
	return nil
}

// wrapped returns the cell of the box from which direction c leads to the given one.
func (l *Lattice) wrapped(cell int, c [3]int) int {
	i := cell - l.margin
	wrap := func(v, n int) int { return (v-1+n)%n + 1 }
	x, y, z := wrap(i%l.row-c[0], l.x), wrap(i%l.plane/l.row-c[1], l.y), wrap(i/l.plane-c[2], l.z)
	return l.margin + z*l.plane + y*l.row + x
}

// opposite returns the opposite of a direction from 1 on.
func opposite(q int) int { return (q - 1 ^ 1) + 1 }

func (l *Lattice) fits(pops []float32) error {
	return check.Lengths("LBM, populations", len(pops), directions*l.x*l.y*l.z)
}

const (
	stepThreads = 256     // of a block
	maxThreads  = 1 << 22 // of a launch: below 65535 blocks
)

// Step advances the fluid by so many steps. Nothing is checked on the way: a flow that is too fast
// for its viscosity ends in NaN.
func (l *Lattice) Step(ctx context.Context, on kernels.Launcher, flow Flow, steps int) error {
	if err := flow.validate(); err != nil {
		return err
	}
	if steps < 0 {
		return check.Invalid("LBM", "%d steps", steps)
	}
	for range steps {
		if err := l.step(ctx, on, flow); err != nil {
			return err
		}
	}
	return nil
}

// validate returns an error unless all numbers are finite and omega is in its range.
func (f Flow) validate() error {
	if !(f.Omega >= 0 && f.Omega < 2) {
		return check.Invalid("LBM", "omega %v, want 0 to below 2", f.Omega)
	}
	for _, v := range []float32{f.Lid.X, f.Lid.Y, f.Lid.Z, f.Force.X, f.Force.Y, f.Force.Z} {
		if v-v != 0 {
			return check.Invalid("LBM", "a lid of velocity %v and a force of %v", f.Lid, f.Force)
		}
	}
	return nil
}

func (l *Lattice) step(ctx context.Context, on kernels.Launcher, flow Flow) error {
	cell, direction := directions, 1
	if l.layout == Arrays {
		cell, direction = 1, len(l.links)
	}
	err := inParts(ctx, on, len(l.ghosts), stepThreads, func(first, count int) gocuda.Kernel {
		return haloKernel(first, count, cell, direction, l.ghosts, l.origins, l.src)
	})
	if err != nil {
		return err
	}
	// Structs are pushed from ghosts too; arrays are pulled by the cells of the box alone.
	begin, n, threads := l.margin, l.size, stepThreads
	if l.layout == Arrays {
		begin += l.plane + l.row + 1
		n -= 2 * (l.plane + l.row + 1)
	} else if l.layout == Buffered {
		threads = bufferThreads
	}
	lid, force, src, dst := flow.Lid, flow.Force, l.src, l.dst
	err = inParts(ctx, on, n, threads, func(first, count int) gocuda.Kernel {
		first += begin
		switch l.layout {
		case Structs:
			return structsKernel(first, count, l.row, l.plane, flow.Omega, lid.X, lid.Y, lid.Z, force.X, force.Y, force.Z, l.links, src, dst)
		case Buffered:
			return bufferedKernel(first, count, l.row, l.plane, flow.Omega, lid.X, lid.Y, lid.Z, force.X, force.Y, force.Z, l.links, src, dst)
		}
		return arraysKernel(first, count, len(l.links), l.row, l.plane, flow.Omega, lid.X, lid.Y, lid.Z, force.X, force.Y, force.Z, l.links, src, dst)
	})
	l.src, l.dst = l.dst, l.src
	return err
}

// inParts launches a kernel that has a thread for each of n things, in launches that every device
// has room for.
func inParts(ctx context.Context, on kernels.Launcher, n, threads int, kernel func(first, count int) gocuda.Kernel) error {
	for first := 0; first < n; first += maxThreads {
		count := min(n-first, maxThreads)
		if err := on.Launch(ctx, grid.Linear(count, threads), kernel(first, count)); err != nil {
			return err
		}
	}
	return nil
}

// Simulate advances populations by so many steps. pops are in the order of the package comment. It
// reads results back, so it can't be queued.
func Simulate(ctx context.Context, on kernels.Launcher, layout Layout, g Geometry, flow Flow, steps int, pops []float32) error {
	if err := kernels.Waits("LBM", on); err != nil {
		return err
	}
	l, err := New(layout, g)
	if err != nil {
		return err
	}
	if err := l.Load(pops); err != nil {
		return err
	}
	if err := l.Step(ctx, on, flow, steps); err != nil {
		return err
	}
	return l.Store(pops)
}

// Moments returns the density and the velocity of cell i of n. The velocity is that of the
// collision, with half of the force.
func Moments[T kernels.Float](pops []T, i int, force kernels.Vec3[T]) (rho T, u kernels.Vec3[T]) {
	rho, u = moments(pops, i, force)
	return 1 + rho, u
}

// moments returns the density less 1, which is known more exactly, and the velocity.
func moments[T kernels.Float](pops []T, i int, force kernels.Vec3[T]) (excess T, u kernels.Vec3[T]) {
	n := len(pops) / directions
	for q, c := range velocities {
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

// Equilibrium sets the populations of cell i to those of fluid with the given density and velocity.
func Equilibrium[T kernels.Float](pops []T, i int, rho T, u kernels.Vec3[T]) {
	n := len(pops) / directions
	for q := range velocities {
		pops[q*n+i] = equilibrium(q, rho-1, u)
	}
}

// equilibrium returns population q of fluid with the density 1 + excess.
func equilibrium[T kernels.Float](q int, excess T, u kernels.Vec3[T]) T {
	c := velocities[q]
	cu := T(c[0])*u.X + T(c[1])*u.Y + T(c[2])*u.Z
	return weight[T](q) * (excess + (1+excess)*(3*cu+4.5*cu*cu-1.5*(u.X*u.X+u.Y*u.Y+u.Z*u.Z)))
}

// weight returns the weight of a direction.
func weight[T kernels.Float](q int) T {
	switch {
	case q == 0:
		return wRest
	case q < 7:
		return wFace
	}
	return wEdge
}

// Viscosity returns the kinematic viscosity at a relaxation rate.
func Viscosity(omega float64) float64 {
	if omega == 0 {
		return math.Inf(1)
	}
	return (1/omega - 0.5) / 3
}
