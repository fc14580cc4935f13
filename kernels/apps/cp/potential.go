package cp

import (
	"context"
	"math"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
	"github.com/gocuda/gocuda/kernels/internal/chunk"
	"github.com/gocuda/gocuda/mem"
)

// An Atom is a point charge.
type Atom struct{ X, Y, Z, Charge float32 }

// A Plane is a grid of points with the same z. Point (i, j) has the number j*Width+i and is at X +
// i*Spacing, Y + j*Spacing, Z.
type Plane struct {
	Width, Height int
	X, Y, Z       float32
	Spacing       float32
}

// A Method is where the atoms are that all points read.
type Method int

const (
	// Global is global memory.
	Global Method = iota
	// Constant is constant memory, as in the port of Ryoo et al.: there is a copy and a launch for
	// each chunk of 4096 atoms.
	Constant
)

// String names the method.
func (m Method) String() string {
	switch m {
	case Global:
		return "global"
	case Constant:
		return "constant"
	}
	return "no method"
}

// The blocks are 16 by 8: with eight points a thread a block has 128 by 8 points.
const (
	blockX = 16
	blockY = 8
)

// Potential sets out to the potential of the atoms at the points of the plane. A device whose grids
// are too small for the plane returns the error of the launch; the smallest have room for 524280
// rows of 8388480 points.
func Potential(ctx context.Context, on kernels.Launcher, method Method, p Plane, atoms []Atom, out []float32) error {
	if method != Global && method != Constant {
		return check.Invalid("Coulomb potential", "method %d", int(method))
	}
	if err := check.Shape("Coulomb potential", p.Width, p.Height, len(out)); err != nil {
		return err
	}
	for _, v := range []float32{p.X, p.Y, p.Z, p.Spacing} {
		if v := float64(v); math.IsNaN(v) || math.IsInf(v, 0) {
			return check.Invalid("Coulomb potential", "a plane at (%v, %v, %v) with spacing %v", p.X, p.Y, p.Z, p.Spacing)
		}
	}
	cfg := grid.Rect((p.Width+points-1)/points, p.Height, blockX, blockY)
	if method == Global {
		return on.Launch(ctx, cfg, globalKernel(p.Width, p.Height, p.X, p.Y, p.Z, p.Spacing, atoms, out))
	}
	return chunk.New[Atom](on).Each(atoms, func(first bool, part mem.ReadOnly[Atom]) error {
		return on.Launch(ctx, cfg, constantKernel(first, p.Width, p.Height, p.X, p.Y, p.Z, p.Spacing, part.Len(), part, out))
	})
}
