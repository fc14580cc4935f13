package mri

import (
	"math"

	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Samples are what a scanner takes. All slices have the same length.
type Samples struct {
	X, Y, Z        []float32 // the places k, in periods per unit of length
	PhiRe, PhiIm   []float32 // phi: the weights
	DataRe, DataIm []float32 // what was measured; nil where only the places matter
}

// Len returns the number of samples.
func (s *Samples) Len() int { return len(s.X) }

// Check returns an error unless the lengths are the same; without data DataRe and DataIm don't
// matter. what names the problem.
func (s *Samples) Check(what string, data bool) error {
	if s == nil {
		return check.Invalid(what, "no samples")
	}
	all := [][]float32{s.Y, s.Z, s.PhiRe, s.PhiIm, s.DataRe, s.DataIm}
	if !data {
		all = all[:4]
	}
	for _, v := range all {
		if err := check.Lengths(what+", samples", len(s.X), len(v)); err != nil {
			return err
		}
	}
	return nil
}

// Voxels are places in the scanner. All slices have the same length.
type Voxels struct {
	X, Y, Z []float32
	// Width, Height and Depth are 0 unless the voxels are a grid, as [Grid] makes it.
	Width, Height, Depth int
}

// Len returns the number of voxels.
func (v *Voxels) Len() int { return len(v.X) }

// Check returns an error unless the lengths, and those of the results, are the same. what names the
// problem.
func (v *Voxels) Check(what string, re, im []float32) error {
	if v == nil {
		return check.Invalid(what, "no voxels")
	}
	for _, o := range [][]float32{v.Y, v.Z, re, im} {
		if err := check.Lengths(what+", voxels", len(v.X), len(o)); err != nil {
			return err
		}
	}
	return nil
}

// maxGrid is the most voxels of a grid.
const maxGrid = 1 << 30

// Grid returns the voxels of a grid, of which (x, y, z) is the first. Voxel (i, j, k) has the
// number (k*height+j)*width+i and is at x+i*spacing, y+j*spacing, z+k*spacing. Sizes may be 0.
func Grid(width, height, depth int, x, y, z, spacing float32) (*Voxels, error) {
	n := float64(width) * float64(height) * float64(depth)
	if width < 0 || height < 0 || depth < 0 || n > maxGrid {
		return nil, check.Invalid("MRI", "a grid of %d by %d by %d voxels", width, height, depth)
	}
	for _, c := range []float32{x, y, z, spacing} {
		if c := float64(c); math.IsNaN(c) || math.IsInf(c, 0) {
			return nil, check.Invalid("MRI", "a grid at (%v, %v, %v) with spacing %v", x, y, z, spacing)
		}
	}
	if err := host.Need(12*n, "a grid of voxels"); err != nil {
		return nil, err
	}
	count := width * height * depth
	v := &Voxels{X: make([]float32, count), Y: make([]float32, count), Z: make([]float32, count), Width: width, Height: height, Depth: depth}
	for i := range count {
		v.X[i] = x + float32(spacing*float32(i%width))
		v.Y[i] = y + float32(spacing*float32(i/width%height))
		v.Z[i] = z + float32(spacing*float32(i/width/height))
	}
	return v, nil
}

// A Method is where the samples are that all voxels read.
type Method int

const (
	// Global is global memory.
	Global Method = iota
	// Constant is constant memory, as in the port of Ryoo et al.: there is a copy and a launch for
	// each chunk of samples that fits.
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
