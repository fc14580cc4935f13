package mrifhd

import "github.com/gocuda/gocuda/gocuda"

// A sample is what a voxel needs of one: 20 bytes, so that constant memory has room for 3276. re
// and im are rho.
type sample struct{ x, y, z, re, im float32 }

// rho is the program of one thread: one sample.
//
//gocuda:kernel
func rho(t *gocuda.Thread, kx, ky, kz, phiRe, phiIm, dataRe, dataIm []float32, samples []sample) {
	if k := t.GlobalX(); k < len(samples) {
		pr, pi, dr, di := phiRe[k], phiIm[k], dataRe[k], dataIm[k]
		samples[k] = sample{kx[k], ky[k], kz[k], pr*dr + pi*di, pr*di - pi*dr}
	}
}
