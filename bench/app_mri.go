package bench

import (
	"context"
	"fmt"
	"math"

	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/mri"
	"github.com/gocuda/gocuda/kernels/apps/mrifhd"
	"github.com/gocuda/gocuda/kernels/apps/mriq"
)

// The workloads mriq and mrifhd: sums of waves, which mostly cancel, so the references are in float64.

// mriScan makes samples, in a k-space of 40 by 40 by 40, and n voxels, in a cube of side 2.
func mriScan(n int) (*mri.Samples, *mri.Voxels) {
	count := min(2048, 16+n/8)
	centred := func(n, salt int, scale float32) []float32 {
		v := random(n + salt)[salt:]
		for i, r := range v {
			v[i] = scale * (2*r - 1)
		}
		return v
	}
	return &mri.Samples{
			X: centred(count, 1, 20), Y: centred(count, 2, 20), Z: centred(count, 3, 20), PhiRe: centred(count, 4, 1), PhiIm: centred(count, 5, 1),
			DataRe: centred(count, 6, 1), DataIm: centred(count, 7, 1),
		}, &mri.Voxels{
			X: centred(n, 8, 1), Y: centred(n, 9, 1), Z: centred(n, 10, 1),
		}
}

func setupMRIQ(e env, n int) *problem {
	if p := tooLarge(60, n); p != nil {
		return p
	}
	s, v := mriScan(n)
	p := e.mri(s, v, mriq.Q, serial.MRIQ, func(k int) (float64, float64) {
		re, im := float64(s.PhiRe[k]), float64(s.PhiIm[k])
		return re*re + im*im, 0
	})
	p.native.in = arrays(of(v.X), of(v.Y), of(v.Z), of(s.X), of(s.Y), of(s.Z), of(s.PhiRe), of(s.PhiIm))
	return p
}

func setupMRIFHD(e env, n int) *problem {
	if p := tooLarge(60, n); p != nil {
		return p
	}
	s, v := mriScan(n)
	p := e.mri(s, v, mrifhd.FHD, serial.MRIFHD, func(k int) (float64, float64) {
		phi := complex(float64(s.PhiRe[k]), -float64(s.PhiIm[k]))
		rho := phi * complex(float64(s.DataRe[k]), float64(s.DataIm[k]))
		return real(rho), imag(rho)
	})
	p.native.in = arrays(of(v.X), of(v.Y), of(v.Z), of(s.X), of(s.Y), of(s.Z), of(s.PhiRe), of(s.PhiIm), of(s.DataRe), of(s.DataIm))
	return p
}

// mriFunc is the type of mriq.Q and mrifhd.FHD.
type mriFunc = func(ctx context.Context, on kernels.Launcher, method mri.Method, s *mri.Samples, v *mri.Voxels, re, im []float32) error

// mri is the problem of mriq or mrifhd: weight returns the factor of a sample's wave.
func (e env) mri(s *mri.Samples, v *mri.Voxels, f mriFunc, reference func(*mri.Samples, *mri.Voxels, []float64, []float64), weight func(k int) (re, im float64)) *problem {
	n := v.Len()
	re, im := host.Apart[float32](n), host.Apart[float32](n)
	wantRe, wantIm := make([]float64, n), make([]float64, n)
	reference(s, v, wantRe, wantIm)
	// An angle is within 60 roundings of turns, each of 2 pi, at k-spaces and cubes of this size,
	// and a sine or cosine within 2^-20.8; such errors of either sign, and those of the sums, add
	// up to about the square root of their number.
	squares := 0.0
	for k := range s.X {
		a, b := weight(k)
		squares += a*a + b*b
	}
	tolerance := 8 * (2*math.Pi*60*0x1p-24 + 0x1p-20 + 0x1p-24*math.Sqrt(float64(s.Len()))) * math.Sqrt(squares)
	return &problem{
		run: map[string]func() error{
			Serial: func() error { mriVoxels(s, v, 0, n, weight, re, im); return nil },
			Goroutines: func() error {
				split(e.workers, n, func(_, from, to int) { mriVoxels(s, v, from, to, weight, re, im) })
				return nil
			},
		},
		kernel: func(on kernels.Launcher) error {
			return f(e.ctx, on, mri.Global, s, v, re, im)
		},
		port:   func(on kernels.Launcher) error { return f(e.ctx, on, mri.Constant, s, v, re, im) },
		native: &exchange{out: arrays(of(re), of(im))},
		amount: everywhere(1e-6 * float64(n) * float64(s.Len())),
		wipe:   wiping(re, im),
		check: func() error {
			for i := range wantRe {
				if dr, di := math.Abs(float64(re[i])-wantRe[i]), math.Abs(float64(im[i])-wantIm[i]); !(dr <= tolerance && di <= tolerance) {
					return fmt.Errorf("voxel %d is %v%+vi, the reference is %v%+vi", i, re[i], im[i], wantRe[i], wantIm[i])
				}
			}
			return nil
		},
	}
}

// mriVoxels computes some voxels, with the sines and cosines that Go has.
func mriVoxels(s *mri.Samples, v *mri.Voxels, from, to int, weight func(k int) (re, im float64), re, im []float32) {
	wr, wi := make([]float32, s.Len()), make([]float32, s.Len())
	for k := range wr {
		a, b := weight(k)
		wr[k], wi[k] = float32(a), float32(b)
	}
	for i := from; i < to; i++ {
		x, y, z := v.X[i], v.Y[i], v.Z[i]
		var a, b float32
		for k := range wr {
			sin, cos := math.Sincos(2 * math.Pi * float64(s.X[k]*x+s.Y[k]*y+s.Z[k]*z))
			a += wr[k]*float32(cos) - wi[k]*float32(sin)
			b += wi[k]*float32(cos) + wr[k]*float32(sin)
		}
		re[i], im[i] = a, b
	}
}
