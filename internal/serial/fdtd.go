package serial

import "github.com/gocuda/gocuda/kernels"

// FDTDStep advances the fields by a step of time, as [kernels.FDTDStep] does: first the magnetic
// field, then the electric field, except at the border.
func FDTDStep(f *kernels.FDTD) {
	w, h := f.Width, f.Height
	for y := range h {
		for x := range w {
			i := y*w + x
			if y < h-1 {
				f.Hx[i] -= f.Ch * (f.Ez[i+w] - f.Ez[i])
			}
			if x < w-1 {
				f.Hy[i] += f.Ch * (f.Ez[i+1] - f.Ez[i])
			}
		}
	}
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			i := y*w + x
			f.Ez[i] += f.Ce[i] * ((f.Hy[i] - f.Hy[i-1]) - (f.Hx[i] - f.Hx[i-w]))
		}
	}
}
