package mri

import "math"

// Sincos returns the sine and the cosine of an angle in turns: of 2 pi t radians. It is for
// kernels, about as exact as CUDA's __sincosf and takes half the time of device.FastSincosf or
// less: the reduction to half a turn to either side is exact and short. The polynomials have the
// least error there by Remez's method, 2^-29.7 for the sine and 2^-25.4 for the cosine; with
// roundings the error is below 2^-20.8, or 2^-21.4 where products and sums are fused. Of whole
// numbers, which all are from 2^23 on, the results are 0 and 1, of infinities and NaN they are NaN.
func Sincos(t float32) (sin, cos float32) {
	r := t - float32(math.RoundToEven(float64(t)))
	z := r * r
	sin = r * (6.28318527 + z*(-41.3416971+z*(81.6050246+z*(-76.7015512+z*(42.0161658+z*(-14.868611+z*3.19969373))))))
	cos = 1 + z*(-19.7392045+z*(64.939119+z*(-85.4501656+z*(60.1678317+z*(-25.9683134+z*6.52961048)))))
	return sin, cos
}
