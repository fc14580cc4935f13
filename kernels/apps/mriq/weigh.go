package mriq

import "github.com/gocuda/gocuda/gocuda"

// A sample is what a voxel needs of one: 16 bytes, so that constant memory has room for 4096.
type sample struct{ x, y, z, weight float32 }

// weigh is the program of one thread: one sample.
//
//gocuda:kernel
func weigh(t *gocuda.Thread, kx, ky, kz, phiRe, phiIm []float32, samples []sample) {
	if k := t.GlobalX(); k < len(samples) {
		re, im := phiRe[k], phiIm[k]
		samples[k] = sample{kx[k], ky[k], kz[k], re*re + im*im}
	}
}
