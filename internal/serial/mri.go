package serial

import (
	"math"

	"github.com/gocuda/gocuda/kernels/apps/mri"
)

// MRIQ sets re and im to the scanner's response to a point, at each voxel: the reference of [mriq.Q],
// in float64.
func MRIQ(s *mri.Samples, v *mri.Voxels, re, im []float64) {
	for i := range v.X {
		x, y, z := float64(v.X[i]), float64(v.Y[i]), float64(v.Z[i])
		var a, b float64
		for k := range s.X {
			p, q := float64(s.PhiRe[k]), float64(s.PhiIm[k])
			sin, cos := math.Sincos(2 * math.Pi * (float64(s.X[k])*x + float64(s.Y[k])*y + float64(s.Z[k])*z))
			a += (p*p + q*q) * cos
			b += (p*p + q*q) * sin
		}
		re[i], im[i] = a, b
	}
}

// MRIFHD sets re and im to the image of samples in k-space, at each voxel: the reference of
// [mrifhd.FHD], in float64.
func MRIFHD(s *mri.Samples, v *mri.Voxels, re, im []float64) {
	for i := range v.X {
		x, y, z := float64(v.X[i]), float64(v.Y[i]), float64(v.Z[i])
		var a, b float64
		for k := range s.X {
			phi := complex(float64(s.PhiRe[k]), -float64(s.PhiIm[k]))
			rho := phi * complex(float64(s.DataRe[k]), float64(s.DataIm[k]))
			sin, cos := math.Sincos(2 * math.Pi * (float64(s.X[k])*x + float64(s.Y[k])*y + float64(s.Z[k])*z))
			a += real(rho)*cos - imag(rho)*sin
			b += imag(rho)*cos + real(rho)*sin
		}
		re[i], im[i] = a, b
	}
}
