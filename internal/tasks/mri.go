package tasks

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/apps/mri"
	"github.com/gocuda/gocuda/kernels/apps/mrifhd"
	"github.com/gocuda/gocuda/kernels/apps/mriq"
)

func mriQ(fs *flag.FlagSet) Job {
	made := madeScan(fs)
	method := choose(fs, "method", "where the samples are", mri.Global, mri.Constant)
	return func(e *Env) (*Result, error) {
		// |phi|² is the density.
		s, v, err := made(e, math.Sqrt)
		if err != nil {
			return nil, err
		}
		re, im := make([]float32, v.Len()), make([]float32, v.Len())
		if err := e.timed(func() error { return mriq.Q(e.Ctx, e.On, method.is, s, v, re, im) }); err != nil {
			return nil, err
		}
		return e.imaged(s, v, re, im, serial.MRIQ, func(k int) (w, parts float64) {
			p, q := float64(s.PhiRe[k]), float64(s.PhiIm[k])
			return p*p + q*q, 0
		}, func(share float64) float64 {
			return 1 + math.Log10(share)/3 // what is around the peak is faint: black is a thousandth
		})
	}
}

func mriFHD(fs *flag.FlagSet) Job {
	made := madeScan(fs)
	method := choose(fs, "method", "where the samples are", mri.Global, mri.Constant)
	return func(e *Env) (*Result, error) {
		// phi is the density, with which the result is the image.
		s, v, err := made(e, func(density float64) float64 { return density })
		if err != nil {
			return nil, err
		}
		if s.DataRe == nil {
			return nil, fmt.Errorf("%s: the samples have no data", e.In)
		}
		re, im := make([]float32, v.Len()), make([]float32, v.Len())
		if err := e.timed(func() error { return mrifhd.FHD(e.Ctx, e.On, method.is, s, v, re, im) }); err != nil {
			return nil, err
		}
		return e.imaged(s, v, re, im, serial.MRIFHD, func(k int) (w, parts float64) {
			abs := func(re, im []float32) float64 { return math.Abs(float64(re[k])) + math.Abs(float64(im[k])) }
			parts = abs(s.PhiRe, s.PhiIm) * abs(s.DataRe, s.DataIm)
			return parts, parts
		}, func(share float64) float64 { return share })
	}
}

// imaged is the result of either. weigh returns, of a sample, what the comments of packages mriq
// and mrifhd have in the sums W and R, or more. bright returns the brightness, in the picture, of a
// share of the largest magnitude.
func (e *Env) imaged(s *mri.Samples, v *mri.Voxels, re, im []float32, reference func(*mri.Samples, *mri.Voxels, []float64, []float64), weigh func(k int) (w, parts float64), bright func(share float64) float64) (*Result, error) {
	if e.PNG != "" && v.Width == 0 {
		return nil, fmt.Errorf("-png: the voxels of %s are no grid", e.In)
	}
	n := v.Len()
	out := make([]float32, 0, 2*n)
	for i := range re {
		out = append(out, re[i], im[i])
	}
	r := &Result{Numbers: table[float32]{2, out}, Verify: func() error {
		wantRe, wantIm := make([]float64, n), make([]float64, n)
		reference(s, v, wantRe, wantIm)
		var all, alongX, alongY, alongZ, parts float64
		for k := range s.X {
			w, p := weigh(k)
			all += w
			parts += p
			alongX += w * math.Abs(float64(s.X[k]))
			alongY += w * math.Abs(float64(s.Y[k]))
			alongZ += w * math.Abs(float64(s.Z[k]))
		}
		for i := range re {
			turns := alongX*math.Abs(float64(v.X[i])) + alongY*math.Abs(float64(v.Y[i])) + alongZ*math.Abs(float64(v.Z[i]))
			tolerance := (float64(2*s.Len()+8)*all+24*turns+3*parts)*0x1p-24 + math.Exp2(-20.8)*all
			if dr, di := math.Abs(float64(re[i])-wantRe[i]), math.Abs(float64(im[i])-wantIm[i]); !(dr <= tolerance && di <= tolerance) {
				return fmt.Errorf("voxel %d is %v%+vi, want %v%+vi within %.3g", i, re[i], im[i], wantRe[i], wantIm[i], tolerance)
			}
		}
		return nil
	}}
	r.printf("samples   %d", s.Len())
	if v.Width > 0 {
		r.printf("voxels    %d by %d by %d", v.Width, v.Height, v.Depth)
	} else {
		r.printf("voxels    %d", n)
	}
	size := func(i int) float64 { return math.Hypot(float64(re[i]), float64(im[i])) }
	most := 0
	for i := range re {
		if size(i) > size(most) {
			most = i
		}
	}
	if n > 0 {
		r.printf("largest   %.5g at voxel %d, (%g, %g, %g); a line of the file is real part, imaginary part", size(most), most, v.X[most], v.Y[most], v.Z[most])
	}
	r.Picture = func() image.Image {
		// The slice in the middle, by magnitude.
		m := image.NewGray(image.Rect(0, 0, v.Width, v.Height))
		from := v.Depth / 2 * v.Width * v.Height
		peak := 0.0
		for i := range v.Width * v.Height {
			peak = max(peak, size(from+i))
		}
		for i := range v.Width * v.Height {
			m.SetGray(i%v.Width, i/v.Width, color.Gray{Y: shade(bright(size(from+i) / max(peak, math.SmallestNonzeroFloat64)))})
		}
		return m
	}
	return r, nil
}

// madeScan adds the flags of samples that are made. What it returns gives those of the file, or of
// the phantom of Shepp and Logan on spokes through the middle of k-space. There a sample stands for
// the area between it and its neighbours, its density; phi is what the func makes of it.
func madeScan(fs *flag.FlagSet) func(e *Env, phi func(density float64) float64) (*mri.Samples, *mri.Voxels, error) {
	spokes := fs.Int("spokes", 100, "the `number` of spokes in k-space that are made")
	readout := fs.Int("readout", 100, "the `number` of samples on each")
	return func(e *Env, phi func(density float64) float64) (*mri.Samples, *mri.Voxels, error) {
		if e.In != "" {
			f, err := e.open()
			if err != nil {
				return nil, nil, err
			}
			defer f.Close()
			s, err := mri.ReadScan(f, e.In)
			if err != nil {
				return nil, nil, err
			}
			return &s.Samples, &s.Voxels, e.fits(float64(s.Voxels.Len()))
		}
		if *spokes < 1 || *readout < 1 || *spokes > 1<<12 || *readout > 1<<12 {
			return nil, nil, fmt.Errorf("-spokes %d -readout %d: want 1 to %d", *spokes, *readout, 1<<12)
		}
		size, err := e.size(128, 128)
		if err != nil {
			return nil, nil, err
		}
		// The phantom is in the square from -1 to 1, so places half a period apart tell all there
		// is of it.
		w, h := size[0], size[1]
		spacing := 2 / float32(max(w, h, 1))
		v, err := mri.Grid(w, h, 1, spacing*(0.5-float32(w)/2), spacing*(0.5-float32(h)/2), 0, spacing)
		if err != nil {
			return nil, nil, err
		}
		const step = 0.5
		s := &mri.Samples{}
		for i := range *spokes {
			sin, cos := math.Sincos(math.Pi * float64(i) / float64(*spokes))
			for j := range *readout {
				k := step * (float64(j) - float64(*readout-1)/2)
				density := max(math.Abs(k), step/4) * step * math.Pi / float64(*spokes)
				data := sheppLogan(k*cos, k*sin)
				s.X, s.Y, s.Z = append(s.X, float32(k*cos)), append(s.Y, float32(k*sin)), append(s.Z, 0)
				s.PhiRe, s.PhiIm = append(s.PhiRe, float32(phi(density))), append(s.PhiIm, 0)
				s.DataRe, s.DataIm = append(s.DataRe, float32(real(data))), append(s.DataIm, float32(imag(data)))
			}
		}
		return s, v, nil
	}
}

// sheppLogan returns the Fourier transform of the phantom of Shepp and Logan (IEEE Transactions on
// Nuclear Science 21, 1974, with the contrasts of Toft, 1996): ellipses, drawn with y upwards. That
// of an ellipse with the halves of the axes a and b is a b J1(2 pi q)/q with q² = (a k_x)² + (b
// k_y)².
func sheppLogan(kx, ky float64) complex128 {
	var sum complex128
	for _, o := range []struct{ bright, a, b, x, y, degrees float64 }{
		{1, 0.69, 0.92, 0, 0, 0}, {-0.8, 0.6624, 0.874, 0, -0.0184, 0}, {-0.2, 0.11, 0.31, 0.22, 0, -18}, {-0.2, 0.16, 0.41, -0.22, 0, 18},
		{0.1, 0.21, 0.25, 0, 0.35, 0}, {0.1, 0.046, 0.046, 0, 0.1, 0}, {0.1, 0.046, 0.046, 0, -0.1, 0},
		{0.1, 0.046, 0.023, -0.08, -0.605, 0}, {0.1, 0.023, 0.023, 0, -0.606, 0}, {0.1, 0.023, 0.046, 0.06, -0.605, 0},
	} {
		sin, cos := math.Sincos(o.degrees * math.Pi / 180)
		// Rows of pictures go downwards.
		along, across := kx*cos-ky*sin, -kx*sin-ky*cos
		q := math.Hypot(o.a*along, o.b*across)
		size := math.Pi * o.bright * o.a * o.b
		if q > 0 {
			size = o.bright * o.a * o.b * math.J1(2*math.Pi*q) / q
		}
		s, c := math.Sincos(-2 * math.Pi * (kx*o.x - ky*o.y))
		sum += complex(size*c, size*s)
	}
	return sum
}
