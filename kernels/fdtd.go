package kernels

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Electromagnetic waves in two dimensions by finite differences in the time domain (Yee, 1966;
// Taflove and Hagness, Computational Electrodynamics, chapter 3), for the fields Ez, Hx and Hy, the
// mode TMz. It teaches stencils and time steps: each cell needs its neighbours' new values of the
// other field, a barrier reaches only the own block, and so the end of a launch is the barrier of
// the grid. A step is two launches, the magnetic fields and then the electric one.
//
// The fields are staggered, in space and in time. Ez[y*w+x] is at (x, y), Hx there at (x, y+1/2)
// and Hy at (x+1/2, y); H is half a step before E. H is in units in which a plane wave in vacuum
// has H as large as E. What remains of all constants is the Courant number, the part of a cell that
// light crosses in a step. Around the grid is a wall of perfect conductor: Ez stays what it is
// along the edge.

// The blocks are 32x8: a warp is a piece of a row.
const (
	fdtdX = 32
	fdtdY = 8
)

// MaxCourant is the largest Courant number with which the fields of an [FDTD] stay finite, 1/√2.
const MaxCourant = math.Sqrt2 / 2

// An FDTD is the fields on a grid of Width by Height cells, row by row. Between steps a program may
// read and write all of it; adding to an element of Ez makes it a source.
type FDTD struct {
	Width, Height int
	Ez, Hx, Hy    []float32
	// Ce is, for each cell, the Courant number divided by the material's relative permittivity. 0 makes
	// a cell a conductor.
	Ce []float32
	// Ch is the Courant number.
	Ch float32
}

// NewFDTD returns a grid of empty space with the given Courant number, above 0 and at most
// [MaxCourant].
func NewFDTD(width, height int, courant float32) (*FDTD, error) {
	if !(courant > 0 && courant <= MaxCourant) {
		return nil, fmt.Errorf("kernels: FDTD: %w: Courant number %v", gocuda.ErrInvalidValue, courant)
	}
	n := width * height
	if err := check.Shape("FDTD", width, height, n); err != nil {
		return nil, err
	}
	f := &FDTD{
		Width: width, Height: height, Ch: courant,
		Ez: host.Apart[float32](n), Hx: host.Apart[float32](n), Hy: host.Apart[float32](n), Ce: host.Apart[float32](n),
	}
	for i := range f.Ce {
		f.Ce[i] = courant
	}
	return f, nil
}

// fdtdH is the program of one thread: Hx and Hy of a cell, by the slope of Ez over the half cells.
// The last row has no Hx and the last column no Hy.
//
//gocuda:kernel
func fdtdH(t *gocuda.Thread, w, h int, ch float32, ez, hx, hy []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	e := ez[i]
	if y < h-1 {
		hx[i] -= ch * (ez[i+w] - e)
	}
	if x < w-1 {
		hy[i] += ch * (ez[i+1] - e)
	}
}

// fdtdE is the program of one thread: Ez of a cell, by the curl of H around it. The cells of the
// edge have no H on one side and stay as they are.
//
//gocuda:kernel
func fdtdE(t *gocuda.Thread, w, h int, ce, ez, hx, hy []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x > 0 && x < w-1 && y > 0 && y < h-1 {
		i := y*w + x
		ez[i] += ce[i] * ((hy[i] - hy[i-1]) - (hx[i] - hx[i-w]))
	}
}

// FDTDStep advances the fields by one step of time.
func FDTDStep(ctx context.Context, on Launcher, f *FDTD) error {
	w, h, ch, ez, hx, hy, ce := f.Width, f.Height, f.Ch, f.Ez, f.Hx, f.Hy, f.Ce
	for _, field := range [][]float32{ez, hx, hy, ce} {
		if err := check.Shape("FDTD", w, h, len(field)); err != nil {
			return err
		}
	}
	cfg := grid.Rect(w, h, fdtdX, fdtdY)
	if err := on.Launch(ctx, cfg, fdtdHKernel(w, h, ch, ez, hx, hy)); err != nil {
		return err
	}
	return on.Launch(ctx, cfg, fdtdEKernel(w, h, ce, ez, hx, hy))
}
