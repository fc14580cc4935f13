package mrifhd

import (
	"context"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/mri"
	"github.com/gocuda/gocuda/kernels/internal/check"
	"github.com/gocuda/gocuda/kernels/internal/chunk"
	"github.com/gocuda/gocuda/mem"
)

const (
	threads = 256   // of a block
	maxGrid = 65535 // blocks that every device can launch along x
)

// FHD sets re[i] and im[i] to the real and the imaginary part of F^H d at voxel i. The samples must
// have data.
func FHD(ctx context.Context, on kernels.Launcher, method mri.Method, s *mri.Samples, v *mri.Voxels, re, im []float32) error {
	if method != mri.Global && method != mri.Constant {
		return check.Invalid("MRI-FHD", "method %d", int(method))
	}
	if err := s.Check("MRI-FHD", true); err != nil {
		return err
	}
	if err := v.Check("MRI-FHD", re, im); err != nil {
		return err
	}
	samples := make([]sample, s.Len())
	for j := 0; j < len(samples); j += maxGrid * threads {
		e := min(j+maxGrid*threads, len(samples))
		k := rhoKernel(s.X[j:e], s.Y[j:e], s.Z[j:e], s.PhiRe[j:e], s.PhiIm[j:e], s.DataRe[j:e], s.DataIm[j:e], samples[j:e])
		if err := on.Launch(ctx, grid.Linear(e-j, threads), k); err != nil {
			return err
		}
	}
	for j := 0; j < v.Len(); j += maxGrid * threads {
		e := min(j+maxGrid*threads, v.Len())
		cfg := grid.Linear(e-j, threads)
		x, y, z, re, im := v.X[j:e], v.Y[j:e], v.Z[j:e], re[j:e], im[j:e]
		var err error
		if method == mri.Global {
			err = on.Launch(ctx, cfg, globalKernel(x, y, z, samples, re, im))
		} else {
			err = chunk.New[sample](on).Each(samples, func(first bool, part mem.ReadOnly[sample]) error {
				return on.Launch(ctx, cfg, constantKernel(first, x, y, z, part.Len(), part, re, im))
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
